"""Score tables: rows as the rulebook adds them up, each with its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from dracotheque.engine import phrases
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Phrase
from dracotheque.engine.plain_state import PlainState


class ScoreRow(Struct, frozen=True, omit_defaults=True):
    """One row: what it counts, by which rule, and for every seat how much; None where a seat is not concerned.

    Rows of points add up to the total. A tie row says what decides between seats whose totals are equal, the first
    such row first; what is said aside counts for nothing.
    """

    phrase: Phrase
    rule: str
    counts: list[int | None]
    kind: Literal["points", "total", "tie", "aside"] = "points"


def score_rows(game: Game, table: PlainState) -> list[ScoreRow]:
    """Return the score of a finished game as its text lays it out, or in one row."""
    lay_out: Callable[[PlainState], list[ScoreRow]] | None = getattr(game.text, "score_rows", None)
    return lay_out(table) if lay_out else [_points_row(game, table)]


def _points_row(game: Game, table: PlainState) -> ScoreRow:
    """Return each player's points, by the rule that counts them, or else the one by which the game ended."""
    points = [0] * table.players
    game.rules.scores(table, points)
    rules: tuple[str, ...] = getattr(game.rules.scores, "__rule_ids__", ())
    rule = rules[0] if rules else game.rules.ENDINGS[game.rules.ending(table)]
    return ScoreRow(phrases.phrase("generic.points"), rule, points, "total")


def total_of(phrase: Phrase, rule: str, rows: list[ScoreRow]) -> ScoreRow:
    """Return the total of rows of points."""
    columns = zip(*(row.counts for row in rows), strict=True)
    return ScoreRow(phrase, rule, [sum(count or 0 for count in column) for column in columns], "total")


def tie_rows(totals: list[int | None], deciding: list[tuple[Phrase, str, list[int]]]) -> list[ScoreRow]:
    """Return the rows that decide between the seats with most points, until one of them is ahead."""
    best = max(total or 0 for total in totals)
    level, rows = [seat for seat, total in enumerate(totals) if total == best], list[ScoreRow]()
    for phrase, rule, counts in deciding:
        if len(level) == 1:
            break
        rows.append(ScoreRow(phrase, rule, [n if seat in level else None for seat, n in enumerate(counts)], "tie"))
        most = max(counts[seat] for seat in level)
        level = [seat for seat in level if counts[seat] == most]
    return rows

"""What a score sheet is made of: rows as the rulebook adds them up, each with its rule."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from dracotheque.engine.words import Phrase


class ScoreRow(Struct, frozen=True, omit_defaults=True):
    """One row: what it counts, by which rule, and for every seat how much; None where a seat is not concerned.

    Rows of points add up to the total. A tie row says what decides between seats whose totals are equal, the first
    such row first; what is said aside counts for nothing.
    """

    phrase: Phrase
    rule: str
    counts: list[int | None]
    kind: Literal["points", "total", "tie", "aside"] = "points"


def total_of(phrase: Phrase, rule: str, rows: list[ScoreRow]) -> ScoreRow:
    """Add the points of rows up."""
    columns = zip(*(row.counts for row in rows), strict=True)
    return ScoreRow(phrase, rule, [sum(count or 0 for count in column) for column in columns], "total")


def tie_rows(totals: list[int | None], deciding: list[tuple[Phrase, str, list[int]]]) -> list[ScoreRow]:
    """List what decides between the seats with most points, until only one of them is ahead."""
    best = max(total or 0 for total in totals)
    level, rows = [seat for seat, total in enumerate(totals) if total == best], list[ScoreRow]()
    for phrase, rule, counts in deciding:
        if len(level) == 1:
            break
        rows.append(ScoreRow(phrase, rule, [n if seat in level else None for seat, n in enumerate(counts)], "tie"))
        most = max(counts[seat] for seat in level)
        level = [seat for seat in level if counts[seat] == most]
    return rows

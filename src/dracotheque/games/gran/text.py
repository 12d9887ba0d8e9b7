"""Gran in phrases: what choices and outcomes are called, what is asked, and the score."""

from __future__ import annotations

from collections.abc import Callable

from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent, Phrase, phrase
from dracotheque.presentation.score_rows import ScoreRow, total_of
from dracotheque.presentation.narration import asked, seat_name

# isort: off
from dracotheque.games.gran.rules import mechanics
from dracotheque.games.gran.rules.state import (
    AMULETS, CARD, CITY, DIE, DRAGON, DROP, DUEL, EXILE, FACES, FIRST, KINGDOMS, LIFT, LOTS, MAGIC,
    NOBODY, NOWHERE, OVER, REFUSALS, ROLL, SECOND, SIDES, STAY, STONE, STRENGTHS, SWORD,
)  # fmt: skip
from dracotheque.games.gran.names import CRESTS, Table, _amulets, _copy, _of, action
from dracotheque.games.gran.events import events
from dracotheque.games.gran.names import board_name, crest

__all__ = [
    "CRESTS",
    "EXPLAINED_RULES",
    "action",
    "board_name",
    "crest",
    "events",
    "outcome",
    "preview",
    "prompt",
    "score_rows",
    "seat_name",
]
EXPLAINED_RULES = (
    "start.shared", "stone.block", "amulet.none", "city.peace", "attack.dragon", "attack.no-exile", "move.no-return",
    "ring.reachable", "stone.ring",
)  # fmt: skip


def outcome(game: Game, outcome: int) -> Phrase:
    """Name what chance brings: the first player, a dragon card or a throw."""
    if outcome < CARD:
        return phrase(f"outcome.{CRESTS[outcome]}")
    if outcome < ROLL:
        return phrase("outcome.card", strength=STRENGTHS[outcome - CARD])
    return phrase("outcome.die", pips=outcome - ROLL + 1)


# --- What is asked ----------------------------------------------------------------------------------------------
def prompt(table: Table) -> GameEvent:
    """Ask what has to be decided now, and say by which rule."""
    return _QUESTIONS[table.phase](table)


def _ask_first(table: Table) -> GameEvent:
    """Ask for the first point of a move, on foot or flying."""
    if table.flies:
        return asked("dragon.win", "extra")
    return asked("ring.flight", "flight") if table.bearer == table.to_move else asked("move.lines", "first")


def _ask_second(table: Table) -> GameEvent:
    """Ask for the second point, or say by which rule nobody may stop on the first."""
    seat = table.to_move
    barred = mechanics.why_not_stop(table, seat, table.origin, table.place[seat])
    return asked(REFUSALS[barred], "onward") if barred else asked("move.lines", "second")


def _ask_stone(table: Table) -> GameEvent:
    """Ask where a stone goes: a new one, or the one in hand."""
    return asked("stone.place", "stone") if table.lifted == NOWHERE else asked("stone.lift", "lifted")


_QUESTIONS: dict[int, Callable[[Table], GameEvent]] = {
    LOTS: lambda table: asked("setup.first-player", "lots"),
    FIRST: _ask_first,
    SECOND: _ask_second,
    EXILE: lambda table: asked("attack.exile", "exile", whom=seat_name(table.victim)),
    DUEL: lambda table: asked("dragon.duel", "card"),
    DIE: lambda table: asked("dragon.duel", "die", strength=table.strength),
    DROP: lambda table: asked("ring.drop", "drop", of=_of(table.kingdom[table.place[table.to_move]])),
    STONE: _ask_stone,
    LIFT: lambda table: asked("stone.lift", "lift"),
    OVER: lambda table: asked("end.seals", "over"),
}


# --- What a choice would lead to --------------------------------------------------------------------------------
def preview(table: Table, seat: int, action: int) -> Phrase | None:
    """Return what a legal choice leads to, or None where its name says it all."""
    if table.phase in (DROP, STONE, LIFT):
        return _preview_place(table, action)
    if table.phase == EXILE:
        return None
    if action == STAY and table.phase == FIRST:
        return phrase("preview.stays")
    after = _copy(table)
    if action != STAY:
        mechanics.step(after, seat, action)
    return preview_stop(table, after, seat)


def preview_stop(table: Table, after: Table, seat: int) -> Phrase | None:
    """Return what a move leads to, given the table before it and the one on which the knight has come to its point."""
    ring = [phrase("preview.ring")] if after.ring != table.ring else []
    return _joined([*ring, *_preview_stop(after, seat)])


def _preview_place(table: Table, point: int) -> Phrase:
    """Return where a point lies."""
    kingdom = table.kingdom[point]
    return phrase("preview.exile") if kingdom == KINGDOMS else phrase("preview.kingdom", of=_of(kingdom))


def _preview_stop(table: Table, seat: int) -> list[Phrase]:
    """Return what happens to a knight that has come to a point and stops there, or that it cannot stop."""
    here = table.place[seat]
    if mechanics.why_not_stop(table, seat, table.origin, here):
        return [phrase("preview.onward")]
    victim = mechanics.knight_at(table, here, seat)
    if victim == NOBODY:
        return _preview_symbol(table, seat)
    attack = phrase("preview.attack_ring" if table.bearer == victim else "preview.attack", whom=seat_name(victim))
    return [attack, *_preview_symbol(table, seat)]


def _preview_symbol(table: Table, seat: int) -> list[Phrase]:
    """Return what the symbol of a point does to the knight that stops there."""
    kind = table.kind[table.place[seat]]
    if kind == DRAGON:
        return [phrase("preview.duel", percent=winning_chance(table))]
    if kind == CITY:
        return _preview_city(table, seat)
    if kind == MAGIC:
        return [phrase("preview.stone" if mechanics.may_lay(table) else "preview.no_stone")]
    if kind == SWORD:
        return [phrase("preview.lift" if mechanics.some_lift(table) else "preview.no_lift")]
    return []


def winning_chance(table: Table) -> int:
    """Say with how many chances out of a hundred a duel is won, as the cards face down tell everybody."""
    wins = sum(table.deck[face] * min(SIDES, SIDES + 1 - STRENGTHS[face]) for face in range(FACES))
    return round(100 * wins / (SIDES * sum(table.deck)))


def _preview_city(table: Table, seat: int) -> list[Phrase]:
    """Return what a city gives."""
    kingdom = table.kingdom[table.place[seat]]
    if table.bearer != seat:
        return [_preview_amulets(table, seat, 1)]
    if table.seals[seat] >> kingdom & 1:
        return [phrase("preview.owned", of=_of(kingdom)), _preview_amulets(table, seat, 2)]
    if mechanics.seal_count(table, seat) + 1 == mechanics.wanted_seals(table):
        return [phrase("preview.last_seal", of=_of(kingdom))]
    return [phrase("preview.seal", of=_of(kingdom)), _preview_amulets(table, seat, 2)]


def _preview_amulets(table: Table, seat: int, due: int) -> Phrase:
    """Return how many amulets a knight gets back."""
    return phrase("preview.amulets", amulets=_amulets(min(due, AMULETS - table.amulets[seat])))


def _joined(parts: list[Phrase]) -> Phrase | None:
    """Join what a choice leads to into one line."""
    if not parts:
        return None
    *first, joined = parts
    for part in reversed(first):
        joined = phrase("preview.joined", part=part, rest=joined)
    return joined


# --- The score sheet --------------------------------------------------------------------------------------------
def score_rows(table: Table) -> list[ScoreRow]:
    """Return the seals, kingdom by kingdom."""
    seats = range(table.players)
    rows = [
        ScoreRow(
            phrase("score.seal", of=_of(kingdom)), "score.count", [table.seals[seat] >> kingdom & 1 for seat in seats]
        )
        for kingdom in range(KINGDOMS)
    ]
    return [*rows, total_of(phrase("drawn.seals"), "score.winner", rows)]

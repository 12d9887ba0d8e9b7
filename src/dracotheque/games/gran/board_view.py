"""Gran's board on the page: the empty map, the pieces on it, the places of a choice, and the holdings of each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dracotheque.games.gran import names, text
from dracotheque.engine.phrases import Phrase, phrase
from dracotheque.games.gran.rules import mechanics
from dracotheque.games.gran.rules.actions import legal_second_steps
from dracotheque.games.gran.board_files import KINGDOM_NAMES
from dracotheque.games.gran.board_svg import RESERVE, svg
from dracotheque.games.gran.rules.state import (
    BITS,
    DROP,
    EXILE,
    FIRST,
    KINGDOMS,
    MOST_POINTS,
    NOWHERE,
    SECOND,
    STAY,
    STONE,
)
from dracotheque.presentation.pieces import Holding, Piece, score
from dracotheque.presentation.narration import seat_name

__all__ = ["holdings", "onward", "pieces", "places", "standings", "svg"]

Table = Any  # a PlainState with the fields of `rules.state.State` and its board


# --- Pieces ---------------------------------------------------------------------------------------------------------
def pieces(table: Table, viewer: int) -> dict[str, Piece]:
    """Find every piece: knights by their crest, the ring where it lies, stones by the point they lie or lay on.

    A stone is known by its point, as nothing else tells stones apart: one that is laid is a new piece, one that is
    lifted keeps its name on the raft until it is laid elsewhere. So a move changes no piece that did not move. A knight
    carries amulets (its value), ring and collar (its kind) as it goes.
    """
    found = {f"knight-{names.CRESTS[seat]}": _knight(table, seat) for seat in range(table.players)}
    if table.ring != NOWHERE:
        found["ring"] = Piece("ring", str(table.ring), label=phrase("picture.ring"))
    for point in range(len(table.board.points)):
        if table.stones[point // BITS] >> point % BITS & 1:
            found[f"stone-{point}"] = _stone(str(point))
    if table.lifted != NOWHERE:
        found[f"stone-{table.lifted}"] = _stone(RESERVE)
    found[RESERVE] = Piece(RESERVE, RESERVE, value=table.reserve, label=phrase("drawn.stones", stones=table.reserve))
    return found


def _knight(table: Table, seat: int) -> Piece:
    """Find a knight and what it carries."""
    ring, collar = table.bearer == seat, bool(table.collared >> seat & 1)
    label = phrase("picture.armed", seat=seat_name(seat), amulets=_amulets(table.amulets[seat]))
    for thing, carried in (("ring", ring), ("collar", collar)):
        if carried:
            label = phrase("picture.carrying", knight=label, thing=phrase(f"picture.{thing}"))
    kind = f"knight{'-ring' if ring else ''}{'-collar' if collar else ''}"
    return Piece(kind, str(table.place[seat]), seat, table.amulets[seat], label=label)


def _stone(place: str) -> Piece:
    """Return a stone on a place."""
    return Piece("stone", place, label=phrase("picture.stone"))


def _amulets(number: int) -> Phrase:
    """Name a number of amulets."""
    return phrase("amulets", count=number) if number else phrase("amulets.none")


# --- Choices --------------------------------------------------------------------------------------------------------
def places(table: Table, seat: int, action: int) -> list[str]:
    """Find the places of a choice: where knight, ring or stone comes from, and the point it goes to or stays on."""
    if action == STAY:
        return [str(table.place[seat])]
    if not 0 <= action < len(table.board.points):
        return []
    begins = {
        FIRST: table.place[seat],
        SECOND: table.place[seat],
        DROP: table.place[seat],
        EXILE: table.place[seat],  # the knight that was attacked stands there too
        STONE: RESERVE,
    }
    return [*([str(begins[table.phase])] if table.phase in begins else []), str(action)]


def onward(table: Table, seat: int, actions: Sequence[int]) -> dict[int, dict[str, Phrase | None]]:
    """Find where a knight may stop after a first step: on its point, or on one further on.

    A point that more than one way leads to is named once, and once more where the ring would be taken on another way.
    """
    if table.phase != FIRST:
        return {}
    steps = {action: _after(table, seat, action) for action in actions if action != STAY}
    seconds = {action: _second_steps(after, seat) for action, after in steps.items() if after.phase == SECOND}
    reached = {
        (point, steps[point].bearer) for point in steps if point not in seconds or STAY in seconds[point]
    }  # with one step
    found: dict[int, dict[str, Phrase | None]] = {}
    for first, points in seconds.items():
        stays: dict[str, Phrase | None] = {str(first): None} if STAY in points else {}
        found[first] = stays
        for point in points:
            if point == STAY:
                continue
            end = _after(steps[first], seat, point)
            if (point, end.bearer) not in reached:
                reached.add((point, end.bearer))
                found[first][str(point)] = text.preview_stop(table, end, seat)
    return found


def _after(table: Table, seat: int, point: int) -> Table:
    """Return a copy of a table on which a knight has gone to a point."""
    after = names._copy(table)
    if table.phase == FIRST:
        mechanics.first_step(after, seat, point)
    else:
        mechanics.step(after, seat, point)
    return after


def _second_steps(table: Table, seat: int) -> list[int]:
    """List where a knight may go on to after its first step; staying there is one of them."""
    out = [0] * (MOST_POINTS + 1)
    return out[: legal_second_steps(table, seat, out)]


# --- What lies before a seat ----------------------------------------------------------------------------------------
def holdings(table: Table, viewer: int) -> list[list[Holding]]:
    """List what every player has: seals and those still wanted, amulets, perhaps the ring, perhaps the collar."""
    return [_holdings(table, seat) for seat in range(table.players)]


def _holdings(table: Table, seat: int) -> list[Holding]:
    """List what one player has."""
    held = [
        Holding(f"seal-{KINGDOM_NAMES[kingdom]}", label=phrase("preview.seal", of=_of(kingdom)))
        for kingdom in range(KINGDOMS)
        if table.seals[seat] >> kingdom & 1
    ]
    wanted = mechanics.wanted_seals(table)
    if wanted > len(held):
        held.append(Holding("seal-wanted", wanted - len(held), label=phrase("drawn.goal", seals=wanted)))
    held.append(Holding("amulet", table.amulets[seat], label=_amulets(table.amulets[seat])))
    if table.bearer == seat:
        held.append(Holding("ring", label=phrase("drawn.ring")))
    if table.collared >> seat & 1:
        held.append(Holding("collar", label=phrase("drawn.collar")))
    return held


def standings(table: Table, viewer: int) -> list[Holding]:
    """Return how many different seals every player has, of those that win."""
    wanted = mechanics.wanted_seals(table)
    counts = [mechanics.seal_count(table, seat) for seat in range(table.players)]
    return [score(seals, phrase("seals", count=seals), goal=wanted) for seals in counts]


def _of(kingdom: int) -> Phrase:
    """Name a kingdom as one that something belongs to."""
    return phrase(f"of.{KINGDOM_NAMES[kingdom]}")

"""Save the Dragon as a picture on the page: which pieces stand where, which places a choice touches.

Every piece is the only one of its kind and colour, so its kind (and crest) is its id: a move changes no other.
"""

from __future__ import annotations

from typing import Any

from dracotheque.engine.phrases import Phrase, Catalog, phrase
from dracotheque.presentation.narration import seat_name
from dracotheque.presentation.pieces import Holding, Piece, score
from dracotheque.games.save_the_dragon import board_svg
from dracotheque.games.save_the_dragon.names import CRESTS, LETTERS, spot_name
from dracotheque.games.save_the_dragon.rules import mechanics

# isort: off
from dracotheque.games.save_the_dragon.rules.state import (
    CHAMBER, CHANGE, DOOR, FATE, FLOOR, GONE, LANE, LANES, LET_GO, NOTCH, NO_CHANGE, PUT_SHIELD, SHUT_DOOR, SIDE, SPOTS,
    STANDS, STAY, STEPS, THROUGH, THROW,
)  # fmt: skip

Table = Any  # a PlainState with the fields of `rules.state.State`

LEDGE = "rock"
"""Where the rock lies while it does not fall."""
STEPS_DIE, ACTION_DIE = "die-steps", "die-action"
ROCK_FACE, CHANGE_FACE = 1, 2  # what the action die shows


def svg(board: object, words: Catalog, *, night: bool) -> str:
    """Draw the empty stairs in their tower; there is one board only."""
    return board_svg.svg(words, night=night)


# --- Places -----------------------------------------------------------------------------------------------------
def _key(place: int) -> str:
    """Find the key of a place by its number."""
    return spot_name(place) if place < SPOTS else "floor" if place == FLOOR else "chamber"


def _door(lane: int) -> str:
    """Find the key of a door."""
    return f"door-{LETTERS[lane]}"


def places(table: Table, seat: int, action: int) -> list[str]:
    """List the places of a choice: where pawn, shield, door or rock is, and where it goes."""
    if action in (STAY, NO_CHANGE):
        return []
    if action < STAY:
        end = _key(action % SPOTS) if action < THROUGH else _door(action - THROUGH)
        return [_key(table.place[seat]), end]
    if action < SHUT_DOOR:
        return [_key(table.shield), _key(action - PUT_SHIELD)]
    if action < NO_CHANGE:
        return [_door(table.shut), _door(action - SHUT_DOOR)]
    return [LEDGE, _door(action - LET_GO)]


# --- Pieces -----------------------------------------------------------------------------------------------------
def pieces(table: Table, viewer: int) -> dict[str, Piece]:
    """Return every piece by its id, which is its kind and crest; the game has no secrets."""
    found = {f"pawn-{CRESTS[seat]}": _pawn(table, seat) for seat in range(table.players)}
    if table.phase != DOOR:
        label = phrase("drawn.door_shut", door=LETTERS[table.shut])
        found["door"] = Piece("door", _door(table.shut), label=label)
    if table.phase not in (DOOR, NOTCH):
        found["shield"] = Piece("shield", _key(table.shield), label=phrase("shield", spot=spot_name(table.shield)))
    found["rock"] = Piece("rock", _rock_place(table), label=phrase("drawn.legend.rock"))
    return found | _dice(table)


def _pawn(table: Table, seat: int) -> Piece:
    """Put a pawn where it stands, where the rock is just striking it, or where it lies."""
    fallen = table.step > 0 and table.fate[seat] != STANDS
    struck = table.phase in (FATE, SIDE) and table.hit == seat
    place = _key(table.fate[seat] if fallen else table.place[seat])
    label = phrase("drawn.picture.fallen" if fallen else "standing", seat=seat_name(seat), spot=_where(place))
    return Piece("fallen" if fallen else "struck" if struck else "pawn", place, seat, label=label)


def _where(place: str) -> Phrase | str:
    """Name the place of a pawn."""
    return phrase(f"drawn.{place}") if place in (_key(FLOOR), _key(CHAMBER)) else place


def _rock_place(table: Table) -> str:
    """Find where the rock is: on its ledge, in a door, or on the step where it was seen last."""
    if table.step == 0 or table.lane == GONE:
        return LEDGE
    step = table.step + (table.down if table.phase == LANE else 0)
    return _door(table.lane) if step > STEPS else _key((step - 1) * LANES + table.lane)


def _dice(table: Table) -> dict[str, Piece]:
    """Return the dice that have been rolled in this turn, as long as they count."""
    dice: dict[str, Piece] = {}
    if table.die:
        label = phrase("outcome.die", steps=table.die)
        dice[STEPS_DIE] = Piece(STEPS_DIE, STEPS_DIE, value=table.die, label=label)
    if table.phase == CHANGE:
        dice[ACTION_DIE] = Piece(ACTION_DIE, ACTION_DIE, value=CHANGE_FACE, label=phrase("outcome.change"))
    elif table.phase == THROW or table.step:
        dice[ACTION_DIE] = Piece(ACTION_DIE, ACTION_DIE, value=ROCK_FACE, label=phrase("outcome.rock"))
    return dice


# --- Before the seats -------------------------------------------------------------------------------------------
def holdings(table: Table, viewer: int) -> list[list[Holding]]:
    """Return the tokens of all seats, which are public."""
    return [_tokens(table.tokens[seat]) for seat in range(table.players)]


def standings(table: Table, viewer: int) -> list[Holding]:
    """Return how many of the steps every pawn has climbed."""
    return [STANDINGS[_step_of(table.place[seat])] for seat in range(table.players)]


def _step_of(place: int) -> int:
    """Return on which step a pawn is: 0 on the floor, and with the dragon as many as there are."""
    return STEPS if place == CHAMBER else mechanics.step_of(place)


STANDINGS = [score(step, phrase("drawn.step", step=step), goal=STEPS) for step in range(STEPS + 1)]
"""The score of a pawn on each step, made once."""


def _tokens(count: int) -> list[Holding]:
    """Return the tokens of a seat that has some."""
    return [Holding("token", count, label=phrase("tokens", count=count))] if count else []

"""Save the Dragon: what places, pieces and players are called in phrases."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Phrase, phrase
from dracotheque.presentation.narration import ALL_CRESTS

# isort: off
from dracotheque.games.save_the_dragon.rules import mechanics, reachability
from dracotheque.games.save_the_dragon.rules.state import (
    FLOOR, LANES, LET_GO, NO_CHANGE, PUT_SHIELD, SEATS, SHUT_DOOR, SPOTS,
    STAY, THROUGH,
)  # fmt: skip

CRESTS = ALL_CRESTS[:SEATS]
LETTERS = "abc"  # of the lanes and their doors, from the left of who climbs

Table = Any  # a PlainState or a copy of one, with the fields of `rules.state.State`


# --- Names ------------------------------------------------------------------------------------------------------
def crest(seat: int) -> Phrase:
    """Name a seat's crest."""
    return phrase(f"crest.{CRESTS[seat]}")


def spot_name(spot: int) -> str:
    """Name a spot as on a chess board, by its lane and step: “b7”."""
    return f"{LETTERS[spot % LANES]}{mechanics.step_of(spot)}"


def _place(form: str, place: int) -> Phrase:
    """Name a spot or the floor in one of the forms that sentences need."""
    return phrase(f"{form}.floor") if place == FLOOR else phrase(f"{form}.spot", spot=spot_name(place))


def _steps(number: int) -> Phrase:
    """Name a number of spaces that a pawn moves: “1 space”, “2 spaces”."""
    return phrase("steps", count=number)


def _tokens(number: int) -> Phrase:
    """Name a number of tokens."""
    return phrase("tokens", count=number)


# --- Choices and chances ----------------------------------------------------------------------------------------
def action(game: Game, seat: int, action: int) -> Phrase:
    """Name an action in short, whatever stands on the stairs."""
    if action < THROUGH:
        return _walk_name(action % SPOTS, action // SPOTS)
    if action < STAY:
        return phrase("action.through", door=LETTERS[action - THROUGH])
    if PUT_SHIELD <= action < SHUT_DOOR:
        return phrase("action.shield", spot=spot_name(action - PUT_SHIELD))
    if SHUT_DOOR <= action < NO_CHANGE:
        return phrase("action.door", door=LETTERS[action - SHUT_DOOR])
    if action >= LET_GO:
        return phrase("action.rock", door=LETTERS[action - LET_GO])
    return phrase("action.stay" if action == STAY else "action.leave")


def _walk_name(spot: int, spent: int) -> Phrase:
    """Name a walk by its end and by the tokens it costs."""
    if spent == 0:
        return phrase("action.walk", spot=spot_name(spot))
    return phrase("action.walk_with", spot=spot_name(spot), count=spent)


def _sheltered(table: Table, spot: int) -> bool:
    """Return whether the shield stands close above a spot and shelters it."""
    return table.shield in (spot + LANES, spot + 2 * LANES)


# --- Walks ------------------------------------------------------------------------------------------------------
def _longest(table: Table, seat: int, most: int) -> int:
    """Find the length of the longest walk of `most` steps or fewer, as the rules do."""
    return reachability.longest(table, seat, most)


def _in_reach(table: Table, seat: int, most: int) -> bool:
    """Return whether a walk of `most` steps or fewer leads through a door."""
    return bool(reachability.doors_in_reach(table, seat, most))


def _copy(table: Table) -> Table:
    """Copy a table, so that rules can be carried out on it one by one."""
    return SimpleNamespace(
        **{name: value[:] if isinstance(value, list) else value for name, value in vars(table).items()}
    )

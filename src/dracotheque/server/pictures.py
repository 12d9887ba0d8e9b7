"""The drawn boards: the empty board, what stands on it for one viewer, and why nothing can be chosen somewhere."""

from __future__ import annotations

import functools
import importlib
from importlib.util import find_spec
from types import ModuleType

from dracotheque.engine.errors import IllegalAction
from dracotheque.engine.game import Box, Game, State
from dracotheque.tables.messages import Scene
from dracotheque.tables.refused import Refused
from dracotheque.tables.table import choosers


@functools.cache
def module(package: str) -> ModuleType | None:
    """Find how a game is drawn, if it is."""
    name = f"{package}.picture"
    return importlib.import_module(name) if find_spec(name) else None


def of(box: Box) -> ModuleType | None:
    """Find how the game of a box is drawn, if it is."""
    return module(box.package)


def must_be_drawn(box: Box) -> ModuleType:
    """Find how a game is drawn, or say that there is nothing."""
    found = of(box)
    if found is None:
        raise Refused("no_such_page")
    return found


@functools.lru_cache(maxsize=64)
def art(game: Game, language: str, night: bool) -> str:
    """Draw the empty board of a game."""
    return must_be_drawn(game.box).art(game.board, game.words(language), night=night)


def scene(state: State, viewer: int, *, playing: bool) -> Scene:
    """Say what stands where for a viewer, and where the viewer's choices are."""
    drawn, table = must_be_drawn(state.game.box), state.observation(viewer)
    actions = state.legal_actions(viewer) if playing and viewer in choosers(state) else []
    touched = {action: drawn.touched(table, viewer, action) for action in actions}
    return Scene(drawn.pieces(table, viewer), drawn.holdings(table, viewer), touched)


def why_not(state: State, seat: int, place: str) -> str:
    """Name the rule that forbids what would be chosen at a place; the question's own where nothing ever is there."""
    drawn, table = must_be_drawn(state.game.box), state.observation(seat)
    for action in range(state.game.num_distinct_actions()):
        try:
            if place not in drawn.touched(table, seat, action):
                continue
            state.check_action(action, seat)
        except IllegalAction as error:
            if error.rule:
                return error.rule
        except (IndexError, KeyError, ValueError):
            continue  # an action that has no place in this position
    return state.game.scene.question(table).rule

"""Adapters to OpenSpiel, PettingZoo and Gymnasium, each behind an extra of its name."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from random import Random

import numpy as np
from numpy.typing import NDArray

from dracotheque.engine.errors import DracothequeError, IllegalActionError, unknown
from dracotheque.engine.game import Game

RENDER_MODES = ("human", "ansi")
"""How a table is rendered: printed, or returned as text."""


class MissingExtraError(DracothequeError, ImportError):
    """A library that an adapter needs is not installed."""


def missing(library: str, extra: str) -> MissingExtraError:
    """Return the error for a missing library, which names the extra to install."""
    return MissingExtraError(f"This adapter needs {library}. Install it with: pip install 'dracotheque[{extra}]'")


def wide_name(name: str) -> str:
    """Return a game's name as other libraries know it: `dracotheque_dragon_dice`."""
    return f"dracotheque_{name.replace('-', '_')}"


def check_render_mode(mode: str | None) -> str | None:
    """Return a render mode; raise an error if it is unknown."""
    if mode is not None and mode not in RENDER_MODES:
        raise unknown("render mode", mode, RENDER_MODES)
    return mode


class ChanceFreeGame:
    """A game being played whose chance is drawn from one stream, for libraries that know no chance nodes."""

    def __init__(self, game: Game, chance: Random) -> None:
        """Start a new game and advance to the first choice."""
        self.game = game
        self.chance = chance
        self.state = game.new_initial_state()
        self._draw()

    def asked(self) -> list[int]:
        """Return the seats to choose: several where they choose at once."""
        player = self.state.current_player()
        if player >= 0:
            return [player]
        return [seat for seat in range(self.game.players) if self.state.is_simultaneous_node() and self.legal(seat)]

    def legal(self, seat: int) -> list[int]:
        """Return the legal actions of a seat."""
        return [] if self.state.is_terminal() else self.state.legal_actions(seat)

    def mask(self, seat: int, size: int) -> NDArray[np.int8]:
        """Return the legal actions of a seat as a mask."""
        mask = np.zeros(size, np.int8)
        mask[self.legal(seat)] = 1
        return mask

    def reason(self, seat: int, action: int) -> str:
        """Return why an action is illegal, or an empty text."""
        try:
            self.state.check_action(action, seat)
        except IllegalActionError as refusal:
            return str(refusal)
        return ""

    def choose(self, choices: Mapping[int, int]) -> None:
        """Apply the action of one seat, or simultaneous actions of several, and the chance moves after it."""
        for seat, action in choices.items():
            self.state.apply_action(action, seat)
        self._draw()

    def _draw(self) -> None:
        """Apply chance moves until a seat has to choose or the game is over."""
        while self.state.is_chance_node():
            self.state.apply_action(self.state.sample_chance(self.chance))

    def picture(self, viewer: int) -> str:
        """Return the board as text, as a seat (or -1, a spectator) may see it."""
        from rich.console import Console

        from dracotheque.presentation.generic_terminal import text_view

        page = StringIO()
        console = Console(file=page, width=100, height=50)
        names = [f"player {seat}" for seat in range(self.game.players)]
        position, words = self.state.observation(viewer), self.game.words("en")
        console.print(text_view(self.game, words, position, names, viewer, 100, 50), highlight=False)
        return page.getvalue()

    def show(self, mode: str | None, viewer: int) -> str | None:
        """Return the picture, or print it, by the render mode."""
        if mode == "ansi":
            return self.picture(viewer)
        if mode == "human":
            print(self.picture(viewer))
        return None


__all__ = ["RENDER_MODES", "ChanceFreeGame", "MissingExtraError", "check_render_mode", "missing", "wide_name"]

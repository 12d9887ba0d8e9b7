"""What a bot is shown (an observation and its choices, never the state), and what it can be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from dracotheque.engine.game import Game, State
from dracotheque.engine.record import Plain


@dataclass(frozen=True)
class View:
    """A table as one seat sees it, with that seat's legal actions."""

    game: Game
    seat: int
    table: Plain
    legal: list[int]


def view(state: State, seat: int) -> View:
    """Show a state to a seat, its secrets removed."""
    return View(state.game, seat, state.observation(seat), state.legal_actions(seat))


class Bot(Protocol):
    """Anything that can choose."""

    def choose(self, view: View) -> int:
        """Choose one of `view.legal`."""
        ...


class Valuer(Bot, Protocol):
    """A bot that can also say how it values each choice: all of ours."""

    def values(self, view: View) -> dict[int, float]:
        """Say for every legal action what it is worth, from 0 to 1."""
        ...

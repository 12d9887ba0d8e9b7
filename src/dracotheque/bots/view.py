"""What a bot is shown: an observation and its choices, never the state."""

from __future__ import annotations

from dataclasses import dataclass

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

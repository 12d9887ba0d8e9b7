"""What a bot is shown (an observation and its choices, never the state), and what it can be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.state import State


@dataclass(frozen=True)
class PlayerView:
    """A table as one seat sees it, with that seat's legal actions."""

    game: Game
    seat: int
    state: PlainState
    legal_actions: list[int]


def player_view(state: State, seat: int) -> PlayerView:
    """Show a state to a seat, its secrets removed."""
    return PlayerView(state.game, seat, state.observation(seat), state.legal_actions(seat))


class Bot(Protocol):
    """Anything that can choose."""

    def choose(self, view: PlayerView) -> int:
        """Choose one of `view.legal_actions`."""
        ...


class EvaluatingBot(Bot, Protocol):
    """A bot that can also say how it values each choice: all of ours."""

    def values(self, view: PlayerView) -> dict[int, float]:
        """Say for every legal action what it is worth, from 0 to 1."""
        ...


@runtime_checkable
class PatientBot(Bot, Protocol):
    """A bot that thinks ahead, and can be told for how long."""

    def hurry(self, seconds: float) -> None:
        """Think no longer than this about each choice from now on."""
        ...

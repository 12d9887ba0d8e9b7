"""`PlayerView`, the input of a bot (an observation and legal actions, never the state), and the protocols of bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.state import State


@dataclass(frozen=True)
class PlayerView:
    """A game as one seat sees it, with that seat's legal actions."""

    game: Game
    seat: int
    state: PlainState
    legal_actions: list[int]


def player_view(state: State, seat: int) -> PlayerView:
    """Return the view of a state from a seat, the secrets of others removed."""
    return PlayerView(state.game, seat, state.observation(seat), state.legal_actions(seat))


class Bot(Protocol):
    """Anything that chooses actions."""

    def choose(self, view: PlayerView) -> int:
        """Choose one of `view.legal_actions`."""
        ...


class EvaluatingBot(Bot, Protocol):
    """A bot that can also value each action: every bot of the library."""

    def values(self, view: PlayerView) -> dict[int, float]:
        """Return the value of each legal action, from 0 to 1."""
        ...


@runtime_checkable
class TimeLimitedBot(Bot, Protocol):
    """A bot whose time for each choice can be limited."""

    def limit_time(self, seconds: float) -> None:
        """Use at most this time for each choice from now on."""
        ...

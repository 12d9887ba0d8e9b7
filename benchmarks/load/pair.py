"""Two players at one game, of whatever server: when a move has come to both."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from wire import WebSocket


class Connected(Protocol):
    """A player with a socket."""

    socket: WebSocket


P = TypeVar("P", bound=Connected)


class Pair(Generic[P]):
    """A game of two players."""

    def __init__(self, player: Callable[[int, Callable[[P], None]], P]) -> None:
        """Let both sit down; nobody has chosen yet."""
        self.arrived: Callable[[float], None] = lambda at: None
        self.settled: Callable[[], None] = lambda: None
        self.players: Sequence[P] = [player(seat, self._moved) for seat in range(2)]
        self.mover = self.players[0]
        self.missing = 0

    def _moved(self, player: P) -> None:
        """Note that a player holds the new view."""
        self.missing -= 1
        if player is not self.mover:
            self.arrived(time.perf_counter())
        if not self.missing:
            self.settled()

    def close(self) -> None:
        """Leave the game."""
        for player in self.players:
            player.socket.close()

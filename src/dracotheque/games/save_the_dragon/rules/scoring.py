"""Save the Dragon: how a finished game is counted and who has won."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import rule, seats
from dracotheque.games.save_the_dragon.rules.state import CHAMBER


@rule("score.count")
def scores(game: Any, out: Any) -> None:
    """A point for the seat that is with the dragon."""
    for seat in range(seats(game)):
        out[seat] = game.place[seat] == CHAMBER


@rule("score.winner")
def winners(game: Any, points: Any, out: Any) -> None:
    """Who has freed the dragon."""
    for seat in range(seats(game)):
        out[seat] = points[seat]

"""Gran: how a finished game is counted and who has won."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import rule, seats
from dracotheque.games.gran.rules.mechanics import seal_count, wanted_seals


@rule("score.count")
def scores(game: Any, out: Any) -> None:
    """One point for every seal of a different city."""
    for seat in range(seats(game)):
        out[seat] = seal_count(game, seat)


@rule("score.winner")
def winners(game: Any, points: Any, out: Any) -> None:
    """Who has all the seals wanted."""
    for seat in range(seats(game)):
        out[seat] = points[seat] == wanted_seals(game)

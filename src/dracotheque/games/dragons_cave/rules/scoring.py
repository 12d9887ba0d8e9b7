"""Dragon's Cave: how a finished game is counted and who has won."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import rule, seats
from dracotheque.games.dragons_cave.rules.mechanics import dwarves_of


@rule("score.count")
def scores(game: Any, out: Any) -> None:
    """Coins on the purse and coins in the chest."""
    for seat in range(seats(game)):
        out[seat] = game.purse[seat] + game.chest[seat]


@rule("score.winner", "two.tie")
def progress(game: Any, seat: int) -> int:
    """How far a player's dwarf, or both together, have come; all niches of the lair are as far."""
    steps = 0
    for second in range(dwarves_of(game)):
        steps += min(game.place[seat + 2 * second], game.length + 1)
    return steps


@rule("score.winner", "score.shared")
def winners(game: Any, points: Any, out: Any) -> None:
    """Most coins, then nearest to the lair; who is still level shares the victory."""
    best = 0
    for seat in range(seats(game)):
        out[seat] = points[seat] * 128 + progress(game, seat)
        best = max(best, out[seat] + 0)
    for seat in range(seats(game)):
        out[seat] = out[seat] == best

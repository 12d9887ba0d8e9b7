"""An evaluator for three and four players, from the exact values for two: the chances of each seat in each pair."""

from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.rules import compiled, seats
from dracotheque.games.save_the_dragon.rules.state import DIE, FLOOR, LANES, SPOTS, TOKENS, WALK

PLACES, COUNTS = FLOOR + 1, TOKENS + 1
CERTAIN = 1_000_000  # a whole victory, in the parts that evaluators write
SHAPE = (2, PLACES, PLACES, SPOTS, LANES, COUNTS, COUNTS)
FULL = 65_535  # what a sure win is kept as
Evaluator = np.dtype([("chances", "u2", SHAPE)])
"""Winning chances of who rolls next: by seat, its place, the other's, shield, shut door, its tokens, the other's."""


@compiled
def duel(game: Any, evaluator: Any, one: int, other: int) -> float:
    """How much likelier one is to win than another, if the two were alone on the stairs and the first of them rolls."""
    # Who has walked has had the turn, but for the action.
    first = game.active + (0 if game.phase in (DIE, WALK) else 1)
    turns = (one - first) % seats(game), (other - first) % seats(game)
    near, far = (one, other) if turns[0] < turns[1] else (other, one)
    kept = evaluator.chances[1 if near > far else 0, game.place[near], game.place[far], game.shield, game.shut]
    won = (kept[game.tokens[near], game.tokens[far]] + 1.0) / (FULL + 2.0)
    odds = won / (1.0 - won)
    return odds if near == one else 1.0 / odds


@compiled
def standing(game: Any, evaluator: Any, one: int) -> float:
    """The value of a seat over all its pairs: 1 where no other can beat it, near 0 where one surely does."""
    against = 1.0
    for other in range(seats(game)):
        if other != one:
            against += 1.0 / duel(game, evaluator, one, other)
    return 1.0 / against


@compiled
def evaluate(game: Any, evaluator: Any, shares: Any) -> None:
    """Write what share of the victory each seat may expect, in parts of a million."""
    total = 0.0
    for seat in range(seats(game)):
        total += standing(game, evaluator, seat)
    for seat in range(seats(game)):
        shares[seat] = int(CERTAIN * standing(game, evaluator, seat) / total)

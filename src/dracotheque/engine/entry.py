"""The doors from Python into a game's rules: few calls, each doing much, none taking anything but plain numbers."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.dispatch import (
    CHANCE, IMPOSSIBLE, REFUSED, apply, chance_outcomes, ending, imagine, legal_actions, observe, refusal, resolve,
    scores, setup, tensor, to_move, winners,
)  # fmt: skip
from dracotheque.engine.draws import outcome_at, total_weight
from dracotheque.engine.playout import play_batch
from dracotheque.engine.rollout import advised, foresee, fresh, go, marked, roll
from dracotheque.engine.rule import compiled


__all__ = ["advised", "foresee", "fresh", "go", "marked", "roll"]
"""A search's own doors, beside those below."""


@compiled
def begin(desk: Any) -> int:
    """Lay out a new game and say whose choice is next."""
    setup(desk.game)
    return to_move(desk.game)


@compiled
def legal(desk: Any, seat: int) -> int:
    """Write a seat's legal actions to `out` and say how many there are."""
    return legal_actions(desk.game, seat, desk.out)


@compiled
def chance(desk: Any) -> int:
    """Write what chance may bring to `out` and `weights` and say how many outcomes there are."""
    return chance_outcomes(desk.game, desk.out, desk.weights)


@compiled
def drawn(desk: Any, number: int) -> int:
    """Find what chance brings by a number from 0 to 2³² - 1, each outcome by its weight."""
    return outcome_at(desk, (number * total_weight(desk)) >> 32)


@compiled
def step(desk: Any, seat: int, action: int) -> int:
    """Carry out an action and say whose choice is next, or which rule forbids it; then nothing has changed."""
    if seat != CHANCE:
        forbidden = refusal(desk.game, seat, action)
        if forbidden != 0:
            return REFUSED + forbidden
        apply(desk.game, seat, action)
    else:
        count = chance_outcomes(desk.game, desk.out, desk.weights)
        i = 0
        while i < count and desk.out[i] != action:
            i += 1
        if i == count:
            return IMPOSSIBLE
        resolve(desk.game, action)
    return to_move(desk.game)


@compiled
def points(desk: Any) -> int:
    """Write the points to `out` and who wins to `weights`, and say how the game ended."""
    scores(desk.game, desk.out)
    winners(desk.game, desk.out, desk.weights)
    return ending(desk.game)


@compiled
def seen(desk: Any, viewer: int) -> int:
    """Remove from the state what a viewer cannot know."""
    observe(desk.game, viewer)
    return to_move(desk.game)


@compiled
def imagined(desk: Any, viewer: int) -> int:
    """Fill in at random what an observation lacks."""
    imagine(desk.game, viewer, desk.stream)
    return to_move(desk.game)


@compiled
def numbers(desk: Any, viewer: int, into: Any) -> int:
    """Write a viewer's observation to `into` as numbers between 0 and 1."""
    tensor(desk.game, viewer, into)
    return to_move(desk.game)


@compiled
def batch(bench: Any, seed: int, first: int, count: int) -> int:
    """Play many random games and add them up; say how many were played."""
    return play_batch(bench, seed, first, count)

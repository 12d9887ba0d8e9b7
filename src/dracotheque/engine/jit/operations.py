"""The operations that Python calls: few functions, each doing much, which take plain numbers only."""

from __future__ import annotations

from typing import Any

from dracotheque.engine import dispatch, playout
from dracotheque.engine.dispatch import CHANCE, IMPOSSIBLE, REFUSED
from dracotheque.engine.sampling import outcome_at, total_weight
from dracotheque.engine.search_operations import (
    action_heuristics, advance, information_set_hash, leaf_value_by_evaluator, reset_to_determinization, rollout,
)  # fmt: skip
from dracotheque.engine.rule import compiled


__all__ = [
    "action_heuristics",
    "advance",
    "information_set_hash",
    "leaf_value_by_evaluator",
    "reset_to_determinization",
    "rollout",
]
"""The operations of a search, besides those below."""


@compiled
def begin(workspace: Any) -> int:
    """Set up a new game and return whose choice is next."""
    dispatch.setup(workspace.game)
    return dispatch.to_move(workspace.game)


@compiled
def legal(workspace: Any, seat: int) -> int:
    """Write a seat's legal actions to `out` and say how many there are."""
    return dispatch.legal_actions(workspace.game, seat, workspace.out)


@compiled
def chance(workspace: Any) -> int:
    """Write what chance may bring to `out` and `weights` and say how many outcomes there are."""
    return dispatch.chance_outcomes(workspace.game, workspace.out, workspace.weights)


@compiled
def sample_outcome(workspace: Any, number: int) -> int:
    """Find what chance brings by a number from 0 to 2³² - 1, each outcome by its weight."""
    return outcome_at(workspace, (number * total_weight(workspace)) >> 32)


@compiled
def step(workspace: Any, seat: int, action: int) -> int:
    """Carry out an action and say whose choice is next, or which rule forbids it; then nothing has changed."""
    if seat != CHANCE:
        forbidden = dispatch.refusal(workspace.game, seat, action)
        if forbidden != 0:
            return REFUSED + forbidden
        dispatch.apply_action(workspace.game, seat, action)
    else:
        count = dispatch.chance_outcomes(workspace.game, workspace.out, workspace.weights)
        i = 0
        while i < count and workspace.out[i] != action:
            i += 1
        if i == count:
            return IMPOSSIBLE
        dispatch.apply_chance(workspace.game, action)
    return dispatch.to_move(workspace.game)


@compiled
def final_scores(workspace: Any) -> int:
    """Write the points to `out` and who wins to `weights`, and say how the game ended."""
    dispatch.scores(workspace.game, workspace.out)
    dispatch.winners(workspace.game, workspace.out, workspace.weights)
    return dispatch.ending(workspace.game)


@compiled
def observe(workspace: Any, viewer: int) -> int:
    """Remove from the state what a viewer cannot know."""
    dispatch.observe(workspace.game, viewer)
    return dispatch.to_move(workspace.game)


@compiled
def determinize(workspace: Any, viewer: int) -> int:
    """Fill in at random what an observation lacks."""
    dispatch.determinize(workspace.game, viewer, workspace.stream)
    return dispatch.to_move(workspace.game)


@compiled
def observation_tensor(workspace: Any, viewer: int, into: Any) -> int:
    """Write a viewer's observation to `into` as numbers between 0 and 1."""
    dispatch.observation_tensor(workspace.game, viewer, into)
    return dispatch.to_move(workspace.game)


@compiled
def play_batch(batch: Any, seed: int, first: int, count: int) -> int:
    """Play random games and add them up; return their number."""
    return playout.play_batch(batch, seed, first, count)

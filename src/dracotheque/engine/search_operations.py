"""The operations of a search: restart, hash a position, carry out a choice, play on and evaluate."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.dispatch import (
    CHANCE, SIMULTANEOUS, TERMINAL, apply_action, sample_action, evaluate, play_chance, determinize, legal_actions,
    observe, state_heuristic, withdraw_sealed, scores, to_move, winners, action_heuristic,
)  # fmt: skip
from dracotheque.engine.rule_helpers import state_hash, seats
from dracotheque.engine.playout import first_to_act
from dracotheque.engine.rule import compiled
from dracotheque.engine.rng import random_below

CERTAIN = 1_000_000
"""A whole victory, and the highest action heuristic."""


@compiled
def await_choice(workspace: Any) -> int:
    """Draw chance moves until a seat has to choose; return it, the first of several that choose at once."""
    while to_move(workspace.game) == CHANCE:
        play_chance(workspace.game, workspace)
    return first_to_act(workspace.game) if to_move(workspace.game) == SIMULTANEOUS else to_move(workspace.game)


@compiled
def reset_to_determinization(batch: Any, viewer: int) -> int:
    """Restart from a determinization of what the viewer sees; return who chooses."""
    batch.workspace.game = batch.start
    withdraw_sealed(batch.workspace.game, viewer)
    determinize(batch.workspace.game, viewer, batch.workspace.stream)
    return await_choice(batch.workspace)


@compiled
def information_set_hash(batch: Any, seat: int) -> int:
    """Return the hash of a seat's information set: the same whatever others hide from it."""
    batch.spare = batch.workspace.game
    observe(batch.spare, seat)
    withdraw_sealed(batch.spare, seat)
    return state_hash(batch.spare) ^ seat


@compiled
def advance(workspace: Any, seat: int, action: int) -> int:
    """Apply a legal action and the chance moves that follow; return who chooses next."""
    apply_action(workspace.game, seat, action)
    return await_choice(workspace)


@compiled
def action_heuristics(workspace: Any, seat: int) -> int:
    """Write a seat's legal actions to `out` and their heuristics to `weights`; return their number."""
    count = legal_actions(workspace.game, seat, workspace.out)
    for i in range(count):
        workspace.weights[i] = action_heuristic(workspace.game, seat, workspace.out[i] + 0)
    return count


@compiled
def greedy_action(workspace: Any, seat: int) -> int:
    """Return the action with the best heuristic; of equal ones any."""
    count = legal_actions(workspace.game, seat, workspace.out)
    start, best, most = random_below(workspace.stream, count), 0, -1
    for i in range(count):
        action = workspace.out[(start + i) % count] + 0
        value = action_heuristic(workspace.game, seat, action)
        if value > most:
            best, most = action, value
    return best


@compiled
def leaf_value(workspace: Any) -> None:
    """Write every seat's share of the victory to `weights`; before the end, what the state heuristic gives."""
    game, points, shares, total = workspace.game, workspace.out, workspace.weights, 0
    if to_move(game) == TERMINAL:
        scores(game, points)
        winners(game, points, shares)
    else:
        for seat in range(seats(game)):
            shares[seat] = state_heuristic(game, seat) + 1
    for seat in range(seats(game)):
        total += shares[seat]
    for seat in range(seats(game)):
        shares[seat] = shares[seat] * CERTAIN // total


@compiled
def leaf_value_by_evaluator(workspace: Any, evaluator: Any) -> int:
    """Write every seat's share of the victory to `weights`: at the end as it is, before that as the evaluator says."""
    if to_move(workspace.game) == TERMINAL:
        leaf_value(workspace)
    else:
        evaluate(workspace.game, evaluator, workspace.weights)
    return 0


@compiled
def rollout(workspace: Any, depth: int, heuristic_percent: int) -> int:
    """Play so many choices, a percentage of them by the heuristic, the others at random; evaluate, return how many."""
    decisions = 0
    while to_move(workspace.game) != TERMINAL and decisions < depth:
        seat = await_choice(workspace)
        if seat != TERMINAL:
            by_heuristic = heuristic_percent > 0 and random_below(workspace.stream, 100) < heuristic_percent
            apply_action(
                workspace.game,
                seat,
                greedy_action(workspace, seat) if by_heuristic else sample_action(workspace.game, seat, workspace),
            )
            decisions += 1
    leaf_value(workspace)
    return decisions

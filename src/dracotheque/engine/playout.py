"""Whole random games inside compiled code: one game, or a batch of them with its totals."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.dispatch import (
    CHANCE, SIMULTANEOUS, TERMINAL, apply_action, sample_action, ending, play_chance, may_act, scores, to_move, winners,
)  # fmt: skip
from dracotheque.engine.rule_helpers import seats
from dracotheque.engine.rule import compiled
from dracotheque.engine.rng import seeded
from dracotheque.engine.batch_totals import (
    DECISIONS, DECISIONS_SQUARED, ENDED, GAMES, SCORES, SCORES_SQUARED, WHOLE, WINS,
)  # fmt: skip


@compiled
def first_to_act(game: Any) -> int:
    """Find a seat whose sealed choice is still missing."""
    seat = 0
    while not may_act(game, seat):
        seat += 1
    return seat


@compiled
def play_round(workspace: Any) -> int:
    """Play a random choice, if there is one, and up to two chance moves; return the number of choices.

    Up to two chances follow from most choices. A graphics card plays 32 games in step, and a round should do the same
    work in all of them.
    """
    game, decisions = workspace.game, 0
    seat = to_move(game)
    if seat != CHANCE:
        if seat == SIMULTANEOUS:
            seat = first_to_act(game)
        apply_action(game, seat, sample_action(game, seat, workspace))
        decisions = 1
    for _chance in range(2):
        if to_move(game) == CHANCE:
            play_chance(game, workspace)
    return decisions


@compiled
def play_randomly(workspace: Any) -> int:
    """Play a game to its end at random; return the number of choices of the players."""
    decisions = 0
    while to_move(workspace.game) != TERMINAL:
        decisions += play_round(workspace)
    return decisions


@compiled
def tally(workspace: Any, decisions: int, sums: Any) -> None:
    """Add a finished game to the sums."""
    game, points, won = workspace.game, workspace.out, workspace.weights
    sums[GAMES] += 1
    sums[DECISIONS] += decisions
    sums[DECISIONS_SQUARED] += decisions * decisions
    sums[ENDED + ending(game)] += 1
    scores(game, points)
    winners(game, points, won)
    shared = 0
    for seat in range(seats(game)):
        shared += won[seat]
    share = WHOLE // shared
    for seat in range(seats(game)):
        sums[WINS + seat] += won[seat] * share
        sums[SCORES + seat] += points[seat]
        sums[SCORES_SQUARED + seat] += points[seat] * points[seat]


@compiled
def play_batch(batch: Any, seed: int, first: int, count: int) -> int:
    """Play `count` games of a seed from number `first` on, each from the batch's start; return `count`."""
    workspace = batch.workspace
    for number in range(first, first + count):
        workspace.game = batch.start
        workspace.stream[0] = seeded(seed, number)
        tally(workspace, play_randomly(workspace), batch.sums)
    return count

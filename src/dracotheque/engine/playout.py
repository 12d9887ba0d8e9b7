"""Whole random games inside compiled code: one game, or a batch of them with its sums."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.dispatch import (
    CHANCE, SIMULTANEOUS, TERMINAL, apply, chance_outcomes, ending, legal_actions, may_act, resolve, scores,
    to_move, winners,
)  # fmt: skip
from dracotheque.engine.kit import seats
from dracotheque.engine.rule import compiled
from dracotheque.engine.stream import below, seeded
from dracotheque.engine.sums import DECISIONS, DECISIONS_SQUARED, ENDED, GAMES, SCORES, SCORES_SQUARED, WHOLE, WINS


@compiled
def total_weight(desk: Any) -> int:
    """List what chance may bring and add the weights up, each heaped on those before it."""
    total = 0
    for i in range(chance_outcomes(desk.game, desk.out, desk.weights)):
        total += desk.weights[i]
        desk.weights[i] = total
    return total


@compiled
def outcome_at(desk: Any, height: int) -> int:
    """Find the outcome whose part of the heaped weights a height falls into."""
    i = 0
    while height >= desk.weights[i]:
        i += 1
    return desk.out[i] + 0  # widened: one type of action, one compiled version of every rule


@compiled
def draw(desk: Any) -> int:
    """Draw what chance brings, each outcome by its weight."""
    return outcome_at(desk, below(desk.stream, total_weight(desk)))


@compiled
def pick(desk: Any, seat: int) -> int:
    """Pick one of a seat's legal actions, each as likely."""
    return desk.out[below(desk.stream, legal_actions(desk.game, seat, desk.out))] + 0


@compiled
def first_to_act(game: Any) -> int:
    """Find a seat whose sealed choice is still missing."""
    seat = 0
    while not may_act(game, seat):
        seat += 1
    return seat


@compiled
def play_randomly(desk: Any) -> int:
    """Play a game to its end, every choice at random; say how many choices the players made."""
    game = desk.game
    decisions = 0
    # One round: a player's choice, then up to two chances, for as much follows from most choices.
    # A graphics card plays 32 games in step, and its rounds should do the same work in all of them.
    while to_move(game) != TERMINAL:
        seat = to_move(game)
        if seat != CHANCE:
            if seat == SIMULTANEOUS:
                seat = first_to_act(game)
            apply(game, seat, pick(desk, seat))
            decisions += 1
        for _chance in range(2):
            if to_move(game) == CHANCE:
                resolve(game, draw(desk))
    return decisions


@compiled
def tally(desk: Any, decisions: int, sums: Any) -> None:
    """Add a finished game to the sums."""
    game, points, won = desk.game, desk.out, desk.weights
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
def play_batch(bench: Any, seed: int, first: int, count: int) -> int:
    """Play `count` games of a seed from number `first` on, each from the bench's start; say how many were played."""
    desk = bench.desk
    for number in range(first, first + count):
        desk.game = bench.start
        desk.stream[0] = seeded(seed, number)
        tally(desk, play_randomly(desk), bench.sums)
    return count

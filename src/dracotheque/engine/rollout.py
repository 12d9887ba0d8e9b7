"""What a search asks of a game: begin again, tell positions apart, carry out a choice, play on and judge."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.dispatch import (
    CHANCE, SIMULTANEOUS, TERMINAL, apply, choose, expect, happen, imagine, legal_actions, observe, outlook, reopen,
    scores, to_move, winners, worth,
)  # fmt: skip
from dracotheque.engine.kit import mark, seats
from dracotheque.engine.playout import first_to_act
from dracotheque.engine.rule import compiled
from dracotheque.engine.stream import below

CERTAIN = 1_000_000
"""A whole victory, and a choice that nothing can better."""


@compiled
def await_choice(desk: Any) -> int:
    """Let chance happen until somebody must choose, and say who: of several who choose in secret the first."""
    while to_move(desk.game) == CHANCE:
        happen(desk.game, desk)
    return first_to_act(desk.game) if to_move(desk.game) == SIMULTANEOUS else to_move(desk.game)


@compiled
def fresh(bench: Any, viewer: int) -> int:
    """Begin again where a viewer stands, all that is hidden from it open or filled in; say who chooses."""
    bench.desk.game = bench.start
    reopen(bench.desk.game, viewer)
    imagine(bench.desk.game, viewer, bench.desk.stream)
    return await_choice(bench.desk)


@compiled
def marked(bench: Any, seat: int) -> int:
    """Give a number for what a seat sees: the same whatever others hide from it."""
    bench.spare = bench.desk.game
    observe(bench.spare, seat)
    reopen(bench.spare, seat)
    return mark(bench.spare) ^ seat


@compiled
def go(desk: Any, seat: int, action: int) -> int:
    """Carry out a legal choice and what chance adds, and say who chooses next."""
    apply(desk.game, seat, action)
    return await_choice(desk)


@compiled
def advised(desk: Any, seat: int) -> int:
    """Write a seat's legal actions to `out` and what each is worth to `weights`, and say how many there are."""
    count = legal_actions(desk.game, seat, desk.out)
    for i in range(count):
        desk.weights[i] = worth(desk.game, seat, desk.out[i] + 0)
    return count


@compiled
def best_liked(desk: Any, seat: int) -> int:
    """Choose what the advice likes best; of choices liked alike any."""
    count = legal_actions(desk.game, seat, desk.out)
    start, best, most = below(desk.stream, count), 0, -1
    for i in range(count):
        action = desk.out[(start + i) % count] + 0
        value = worth(desk.game, seat, action)
        if value > most:
            best, most = action, value
    return best


@compiled
def judge(desk: Any) -> None:
    """Write every seat's share of the victory to `weights`; of a game under way, what its outlook promises."""
    game, points, shares, total = desk.game, desk.out, desk.weights, 0
    if to_move(game) == TERMINAL:
        scores(game, points)
        winners(game, points, shares)
    else:
        for seat in range(seats(game)):
            shares[seat] = outlook(game, seat) + 1
    for seat in range(seats(game)):
        total += shares[seat]
    for seat in range(seats(game)):
        shares[seat] = shares[seat] * CERTAIN // total


@compiled
def foresee(desk: Any, mind: Any) -> int:
    """Write every seat's share of the victory to `weights`: as it is at the end, before that as a mind expects it."""
    if to_move(desk.game) == TERMINAL:
        judge(desk)
    else:
        expect(desk.game, mind, desk.weights)
    return 0


@compiled
def roll(desk: Any, depth: int, advice: int) -> int:
    """Play on for so many choices, so many of 100 by advice and the others at random; judge, and say how many."""
    decisions = 0
    while to_move(desk.game) != TERMINAL and decisions < depth:
        seat = await_choice(desk)
        if seat != TERMINAL:
            advised = advice > 0 and below(desk.stream, 100) < advice
            apply(desk.game, seat, best_liked(desk, seat) if advised else choose(desk.game, seat, desk))
            decisions += 1
    judge(desk)
    return decisions

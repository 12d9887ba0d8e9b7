"""Each seat chooses a secret number from 0 to 2; a die, 1 or 2, is added to all; most points after the rounds win."""

import numpy as np

from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS, TERMINAL
from dracotheque.engine.rng import random_below
from dracotheque.engine.rule import compiled, rule
from dracotheque.engine.rule_helpers import seats
from dracotheque.engine.sampling import play_chance, sample_action

__all__ = ["play_chance", "sample_action"]  # what the engine has for it

VERSION, ACTIONS, OUTCOMES, TENSOR_SIZE = 1, 3, 2, 3
REFUSALS = ("", "toy.sealed-once", "toy.over")
ENDINGS = ("toy.rounds",)
OPEN = 9  # no number sealed yet

State = np.dtype(
    [
        ("players", "u1"),
        ("rounds", "u1"),
        ("round", "u1"),
        ("to_move", "i1"),
        ("sealed", "u1", (3,)),
        ("points", "u1", (3,)),
    ]
)


@compiled
def setup(game):
    open_round(game)


@compiled
def open_round(game):
    game.to_move = SIMULTANEOUS
    for seat in range(3):
        game.sealed[seat] = OPEN


@compiled
def to_move(game):
    return game.to_move + 0


@rule("toy.sealed-once")
def may_act(game, seat):
    return game.to_move == SIMULTANEOUS and game.sealed[seat] == OPEN


@compiled
def legal_actions(game, seat, out):
    if not may_act(game, seat):
        return 0
    for number in range(3):
        out[number] = number
    return 3


@compiled
def chance_outcomes(game, out, weights):
    out[0], out[1] = 0, 1
    weights[0], weights[1] = 3, 1
    return 2


@compiled
def refusal(game, seat, action):
    if game.to_move == TERMINAL:
        return 2
    return 0 if may_act(game, seat) else 1


@compiled
def apply_action(game, seat, action):
    game.sealed[seat] = action
    for other in range(seats(game)):
        if game.sealed[other] == OPEN:
            return
    game.to_move = CHANCE


@rule("toy.rounds")
def apply_chance(game, outcome):
    for seat in range(seats(game)):
        game.points[seat] += game.sealed[seat] + outcome + 1
    game.round += 1
    if game.round > game.rounds:
        game.to_move = TERMINAL
    else:
        open_round(game)


@compiled
def scores(game, out):
    for seat in range(seats(game)):
        out[seat] = game.points[seat]


@compiled
def winners(game, points, out):
    best = 0
    for seat in range(seats(game)):
        best = max(best, points[seat] + 0)
    for seat in range(seats(game)):
        out[seat] = points[seat] == best


@compiled
def ending(game):
    return 0


@compiled
def observe(game, viewer):
    for seat in range(seats(game)):
        if seat != viewer and game.sealed[seat] != OPEN:
            game.sealed[seat] = OPEN + 1  # chosen in secret, unknown to others


@compiled
def determinize(game, viewer, stream):
    for seat in range(seats(game)):
        if game.sealed[seat] == OPEN + 1:
            game.sealed[seat] = random_below(stream, 3)


@compiled
def withdraw_sealed(game, viewer):
    for seat in range(seats(game)):
        if game.sealed[seat] == OPEN + 1:
            game.sealed[seat] = OPEN


@compiled
def action_heuristic(game, seat, action):
    return action * 500_000


@compiled
def state_heuristic(game, seat):
    return min(game.points[seat] * 10, 1000)


@compiled
def observation_tensor(game, viewer, out):
    for seat in range(3):
        out[seat] = game.sealed[seat] / 10

"""A learned evaluation inside compiled code: a small network estimates each seat's share of the victory.

Its input is the observation tensor of the seat whose turn it is, and the state heuristic of each seat. Two layers of
neurons follow, then a number for each seat. All memory it needs is part of the evaluator's record.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dracotheque.engine.dispatch import state_heuristic, observation_tensor, turn_seat
from dracotheque.engine.rule_helpers import seats
from dracotheque.engine.search_operations import CERTAIN
from dracotheque.engine.rule import compiled

INPUT_VERSION = 1
"""Raised when the input changes: weights that were learned for another input are refused."""

MOST_SEATS = 6
WIDE, NARROW = 64, 32
"""Neurons of the first layer and of the second."""
WEIGHTS = "first", "second", "third", "first_bias", "second_bias", "third_bias", "skip"
"""The learned fields; the others are room for intermediate values."""


def evaluator_type(tensor_size: int) -> np.dtype[np.void]:
    """Return the type of an evaluator for observations of a size."""
    inputs = tensor_size + MOST_SEATS
    return np.dtype(
        [
            ("first", "f4", (inputs, WIDE)),
            ("second", "f4", (WIDE, NARROW)),
            ("third", "f4", (NARROW, MOST_SEATS)),
            ("first_bias", "f4", (WIDE,)),
            ("second_bias", "f4", (NARROW,)),
            ("third_bias", "f4", (MOST_SEATS,)),
            ("skip", "f4", (1,)),  # how much the state heuristic itself says
            ("sight", "f4", (inputs,)),
            ("wide", "f4", (WIDE,)),
            ("narrow", "f4", (NARROW,)),
        ]
    )


SCALE = 100  # of the state heuristic, 0 to 1,000: small differences in it mean much


@compiled
def write_inputs(game: Any, viewer: int, sight: Any) -> None:
    """Write the network's input into zeros: the observation from a seat on, then the state heuristics."""
    observation_tensor(game, viewer, sight)
    for place in range(seats(game)):
        sight[len(sight) - MOST_SEATS + place] = state_heuristic(game, (viewer + place) % seats(game)) / SCALE


@compiled
def evaluate(game: Any, evaluator: Any, shares: Any) -> None:
    """Write the network's expected share of the victory of each seat, in parts of a million."""
    sight, viewer = evaluator.sight, turn_seat(game)
    for i in range(len(sight)):
        sight[i] = 0
    write_inputs(game, viewer, sight)
    total = forward(evaluator, seats(game))
    for place in range(seats(game)):
        shares[(viewer + place) % seats(game)] = int(CERTAIN * evaluator.wide[place] / total)


@compiled
def forward(evaluator: Any, count: int) -> float:
    """Run the network; write the unnormalised softmax of `count` seats to `wide`, and return its sum."""
    sight, wide, narrow = evaluator.sight, evaluator.wide, evaluator.narrow
    for j in range(WIDE):
        wide[j] = evaluator.first_bias[j]
    for i in range(len(sight)):  # most inputs are 0
        if sight[i] != 0:
            for j in range(WIDE):
                wide[j] += sight[i] * evaluator.first[i][j]
    for j in range(NARROW):
        narrow[j] = evaluator.second_bias[j]
    for i in range(WIDE):
        if wide[i] > 0:
            for j in range(NARROW):
                narrow[j] += wide[i] * evaluator.second[i][j]
    total, most = 0.0, -1e9
    for place in range(count):
        answer = evaluator.third_bias[place] + evaluator.skip[0] * sight[len(sight) - MOST_SEATS + place]
        for i in range(NARROW):
            answer += max(narrow[i], 0) * evaluator.third[i][place]
        wide[place] = answer
        most = max(most, answer)
    for place in range(count):
        wide[place] = math.exp(wide[place] - most)
        total += wide[place]
    return total

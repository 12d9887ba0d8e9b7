"""What the second edition of the toy changed; everything else is taken from the first."""

import numpy as np  # noqa: I001 - packed imports

from dracotheque.engine.dispatch import TERMINAL
from dracotheque.engine.kit import seats
from dracotheque.engine.rule import rule
from tests.engine.toy import choices as first
from tests.engine.toy.choices import (
    ACTIONS, ENDINGS, OUTCOMES, REFUSALS, TENSOR_SIZE, apply, chance_outcomes, choose, ending, happen, imagine,
    legal_actions, may_act, observe, open_round, outlook, refusal, reopen, scores, setup, tensor, to_move, winners,
    worth,
)  # fmt: skip

__all__ = [
    "ACTIONS", "ENDINGS", "OUTCOMES", "REFUSALS", "TENSOR_SIZE", "apply", "chance_outcomes", "choose", "ending",
    "happen", "imagine", "legal_actions", "may_act", "observe", "outlook", "refusal", "reopen", "scores", "setup",
    "tensor", "to_move", "winners", "worth",
]  # fmt: skip

VERSION = 2
State = np.dtype([*((name, first.State[name]) for name in first.State.names or ()), ("edition", "u1")])


@rule("toy.rounds")
def resolve(game, outcome):
    for seat in range(seats(game)):
        game.points[seat] += game.sealed[seat] + 2 * (outcome + 1)
    game.round += 1
    if game.round > game.rounds:
        game.to_move = TERMINAL
    else:
        open_round(game)

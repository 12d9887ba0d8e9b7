"""What the second edition of the toy changed; everything else is taken from the first."""

from dracotheque.engine.dispatch import TERMINAL  # noqa: I001 - packed imports
from dracotheque.engine.rule_helpers import seats
from dracotheque.engine.rule import rule
from tests.engine.toy import rules as first
from tests.engine.toy.rules import (
    ACTIONS, ENDINGS, OUTCOMES, REFUSALS, TENSOR_SIZE, action_heuristic, apply_action, chance_outcomes, determinize,
    ending, legal_actions, may_act, observation_tensor, observe, open_round, play_chance, refusal, sample_action,
    scores, setup, state_heuristic, to_move, winners, withdraw_sealed,
)  # fmt: skip

__all__ = [
    "ACTIONS",
    "ENDINGS",
    "OUTCOMES",
    "REFUSALS",
    "TENSOR_SIZE",
    "action_heuristic",
    "apply_action",
    "chance_outcomes",
    "determinize",
    "ending",
    "legal_actions",
    "may_act",
    "observation_tensor",
    "observe",
    "play_chance",
    "refusal",
    "sample_action",
    "scores",
    "setup",
    "state_heuristic",
    "to_move",
    "winners",
    "withdraw_sealed",
]  # fmt: skip

VERSION = 2
State = first.State  # one record, two editions: what the engine adds to it tells their rules apart


@rule("toy.rounds")
def apply_chance(game, outcome):
    for seat in range(seats(game)):
        game.points[seat] += game.sealed[seat] + 2 * (outcome + 1)
    game.round += 1
    if game.round > game.rounds:
        game.to_move = TERMINAL
    else:
        open_round(game)

"""Save the Dragon: the rules, as the engine calls them."""

from __future__ import annotations

from dracotheque.rules import ending, to_move, turn_seat, withdraw_sealed
from dracotheque.games.save_the_dragon.rules.actions import (
    apply_action, apply_chance, chance_outcomes, legal_actions, may_act, play_chance, refusal, sample_action,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.duel_evaluator import Evaluator, evaluate
from dracotheque.games.save_the_dragon.rules.heuristics import action_heuristic, state_heuristic
from dracotheque.games.save_the_dragon.rules.mechanics import setup
from dracotheque.games.save_the_dragon.rules.observation import (
    TENSOR_LAYOUT, TENSOR_SIZE, determinize, observation_tensor, observe,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.scoring import scores, winners
from dracotheque.games.save_the_dragon.rules.state import ACTIONS, ENDINGS, OUTCOMES, REFUSALS, State, VERSION

__all__ = [
    "ACTIONS", "ENDINGS", "OUTCOMES", "REFUSALS", "TENSOR_LAYOUT", "TENSOR_SIZE", "VERSION", "Evaluator", "State",
    "action_heuristic", "apply_action", "apply_chance", "chance_outcomes", "determinize", "ending", "evaluate",
    "legal_actions", "may_act", "observation_tensor", "observe", "play_chance", "refusal", "sample_action", "scores",
    "setup", "state_heuristic", "to_move", "turn_seat", "winners", "withdraw_sealed",
]  # fmt: skip

"""Emerald: the rules, as the engine calls them."""

from __future__ import annotations

from dracotheque.rules import ending, evaluate, play_chance, sample_action, to_move, turn_seat, withdraw_sealed
from dracotheque.games.emerald.rules.actions import (
    CUDA_LAUNCH, apply_action, apply_chance, chance_outcomes, legal_actions, may_act, refusal,
)  # fmt: skip
from dracotheque.games.emerald.rules.heuristics import action_heuristic, state_heuristic
from dracotheque.games.emerald.rules.mechanics import setup
from dracotheque.games.emerald.rules.observation import (
    TENSOR_LAYOUT, TENSOR_SIZE, Evaluator, determinize, observation_tensor, observe,
)  # fmt: skip
from dracotheque.games.emerald.rules.scoring import scores, winners
from dracotheque.games.emerald.rules.state import ACTIONS, ENDINGS, OUTCOMES, REFUSALS, State, VERSION

__all__ = [
    "ACTIONS", "CUDA_LAUNCH", "ENDINGS", "OUTCOMES", "REFUSALS", "TENSOR_LAYOUT", "TENSOR_SIZE", "VERSION", "Evaluator",
    "State", "action_heuristic", "apply_action", "apply_chance", "chance_outcomes", "determinize", "ending", "evaluate",
    "legal_actions", "may_act", "observation_tensor", "observe", "play_chance", "refusal", "sample_action", "scores",
    "setup", "state_heuristic", "to_move", "turn_seat", "winners", "withdraw_sealed",
]  # fmt: skip

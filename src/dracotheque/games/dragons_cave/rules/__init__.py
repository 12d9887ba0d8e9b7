"""Dragon's Cave: the rules, as the engine calls them."""

from __future__ import annotations

from dracotheque.rules import ending, play_chance, sample_action, to_move
from dracotheque.games.dragons_cave.rules.actions import (
    apply_action, apply_chance, chance_outcomes, legal_actions, may_act, refusal,
)  # fmt: skip
from dracotheque.games.dragons_cave.rules.heuristics import action_heuristic, state_heuristic
from dracotheque.games.dragons_cave.rules.mechanics import setup
from dracotheque.games.dragons_cave.rules.observation import (
    TENSOR_LAYOUT, TENSOR_SIZE, determinize, equivalent_action, is_secret_choice, observation_tensor, observe,
    withdraw_sealed,
)  # fmt: skip
from dracotheque.games.dragons_cave.rules.scoring import scores, winners
from dracotheque.games.dragons_cave.rules.state import ACTIONS, ENDINGS, OUTCOMES, REFUSALS, State, VERSION

__all__ = [
    "ACTIONS", "ENDINGS", "OUTCOMES", "REFUSALS", "TENSOR_LAYOUT", "TENSOR_SIZE", "VERSION", "State",
    "action_heuristic", "apply_action", "apply_chance", "chance_outcomes", "determinize", "ending", "equivalent_action",
    "is_secret_choice", "legal_actions", "may_act", "observation_tensor", "observe", "play_chance", "refusal",
    "sample_action", "scores", "setup", "state_heuristic", "to_move", "winners", "withdraw_sealed",
]  # fmt: skip

"""What rules are written with: a rules package imports NumPy, this module and itself, nothing else.

Frozen versions of games depend on it, so it only grows.
"""

from __future__ import annotations

from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS, TERMINAL
from dracotheque.engine.jit.kernels import kernel
from dracotheque.engine.rng import random_below
from dracotheque.engine.rule import compiled, rule
from dracotheque.engine.rule_helpers import (
    ask,
    await_chance,
    bit_count,
    ending,
    next_seat,
    nth_bit,
    one_hot,
    seats,
    state_hash,
    to_move,
    turn_seat,
    withdraw_sealed,
)  # fmt: skip
from dracotheque.engine.sampling import play_chance, sample_action
from dracotheque.engine.tensor_layout import Field as TensorField
from dracotheque.engine.tensor_layout import Group as TensorGroup
from dracotheque.engine.tensor_layout import size as tensor_size
from dracotheque.engine.value_network import evaluate, evaluator_type

__all__ = [
    "CHANCE", "SIMULTANEOUS", "TERMINAL", "TensorField", "TensorGroup", "ask", "await_chance", "bit_count", "compiled",
    "ending", "evaluate", "evaluator_type", "kernel", "next_seat", "nth_bit", "one_hot", "play_chance", "random_below",
    "rule", "sample_action", "seats", "state_hash", "tensor_size", "to_move", "turn_seat", "withdraw_sealed",
]  # fmt: skip

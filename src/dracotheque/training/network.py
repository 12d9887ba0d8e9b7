"""The network in training: three layers, their gradients and Adam, in plain array arithmetic (NumPy or CuPy).

A network this small needs no deep-learning library. Columns are positions, rows are inputs or neurons.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from dracotheque.engine.value_network import MOST_SEATS, NARROW, WIDE

LAYERS = ("first", "second", "third")
Array = Any
"""An array of NumPy or of CuPy, which has no types."""

Weights = dict[str, Array]


def fresh_weights(inputs: int, seed: int, xp: ModuleType = np) -> Weights:
    """Return small random weights; the last layer is zero, so that the state heuristic alone decides at first."""
    random = np.random.default_rng(seed)
    sizes = inputs, WIDE, NARROW, MOST_SEATS
    weights: Weights = {"skip": xp.full((1, 1), 0.3, xp.float32)}
    for layer, rows, columns in zip(LAYERS, sizes[:-1], sizes[1:], strict=True):
        spread = 0.0 if layer == "third" else np.sqrt(2.0 / min(rows, 100))  # about 100 inputs of a position are not 0
        weights[layer] = xp.asarray(random.normal(0, spread, (rows, columns)).astype(np.float32))
        weights[f"{layer}_bias"] = xp.zeros((columns, 1), xp.float32)
    return weights


def as_columns(weights: Weights, xp: ModuleType = np) -> Weights:
    """Convert weights as they are saved: in training, a bias is a column."""
    return {name: xp.asarray(value.reshape(value.shape[0], -1)) for name, value in weights.items()}


def shares(weights: Weights, sight: Array, players: Array, xp: ModuleType = np) -> Array:
    """Return the expected share of the victory of each seat, the one whose turn it is first; 0 for empty seats."""
    return _forward(weights, sight, players, xp)[2]


def _forward(weights: Weights, sight: Array, players: Array, xp: ModuleType) -> tuple[Array, Array, Array]:
    """Return the activations of the three layers (forward pass)."""
    wide = xp.maximum(weights["first"].T @ sight + weights["first_bias"], 0)
    narrow = xp.maximum(weights["second"].T @ wide + weights["second_bias"], 0)
    answer = weights["third"].T @ narrow + weights["third_bias"] + weights["skip"] * sight[-MOST_SEATS:]
    answer = xp.where(xp.arange(MOST_SEATS)[:, None] < players[None, :], answer, -xp.inf)
    answer = xp.exp(answer - answer.max(0))
    return wide, narrow, answer / answer.sum(0)


def learning_rate(rate: float, last_rate: float, share: float) -> float:
    """Return the learning rate after a share of the training: it decreases quadratically."""
    return last_rate + (rate - last_rate) * (1 - share) ** 2


class Learner:
    """Weights, and the moments of their gradients (Adam)."""

    def __init__(self, weights: Weights, xp: ModuleType = np) -> None:
        """Start with zero moments."""
        self.weights, self.xp, self.steps = weights, xp, 0
        self.first_moment = {name: xp.zeros_like(value) for name, value in weights.items()}
        self.second_moment = {name: xp.zeros_like(value) for name, value in weights.items()}

    def learn(self, sight: Array, players: Array, target: Array, rate: float) -> Array:
        """Make a step of Adam towards the target shares; return the loss before it (cross entropy)."""
        gradients, loss = gradients_of(self.weights, sight, players, target, self.xp)
        self.steps += 1
        first_bias, second_bias = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for name, gradient in gradients.items():
            first, second = self.first_moment[name], self.second_moment[name]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            self.weights[name] -= rate * (first / first_bias) / (self.xp.sqrt(second / second_bias) + 1e-8)
        return loss


def gradients_of(
    weights: Weights, sight: Array, players: Array, target: Array, xp: ModuleType = np
) -> tuple[Weights, Array]:
    """Return the gradients of the loss, and the loss."""
    wide, narrow, expected = _forward(weights, sight, players, xp)
    count = sight.shape[1]
    loss = -(target * xp.log(xp.maximum(expected, 1e-9))).sum() / count
    error = (expected - target) / count
    back = (weights["third"] @ error) * (narrow > 0)
    further = (weights["second"] @ back) * (wide > 0)
    gradients = {
        "skip": (error * sight[-MOST_SEATS:]).sum().reshape(1, 1),
        "third": narrow @ error.T, "third_bias": error.sum(1, keepdims=True),
        "second": wide @ back.T, "second_bias": back.sum(1, keepdims=True),
        "first": sight @ further.T, "first_bias": further.sum(1, keepdims=True),
    }  # fmt: skip
    return gradients, loss

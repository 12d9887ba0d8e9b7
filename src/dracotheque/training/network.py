"""The network in training: three layers, their gradients and Adam, in plain array arithmetic (NumPy or CuPy).

So small a network needs no deep-learning library, neither to learn nor to play. Columns are tables, rows what is seen.
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
    """Begin with small weights at random; the last layer begins at zero: at first the state heuristic decides."""
    random = np.random.default_rng(seed)
    sizes = inputs, WIDE, NARROW, MOST_SEATS
    weights: Weights = {"skip": xp.full((1, 1), 0.3, xp.float32)}
    for layer, rows, columns in zip(LAYERS, sizes[:-1], sizes[1:], strict=True):
        spread = 0.0 if layer == "third" else np.sqrt(2.0 / min(rows, 100))  # of a table about 100 things are seen
        weights[layer] = xp.asarray(random.normal(0, spread, (rows, columns)).astype(np.float32))
        weights[f"{layer}_bias"] = xp.zeros((columns, 1), xp.float32)
    return weights


def as_columns(weights: Weights, xp: ModuleType = np) -> Weights:
    """Take weights as they are kept: while the network learns, a bias is a column."""
    return {name: xp.asarray(value.reshape(value.shape[0], -1)) for name, value in weights.items()}


def shares(weights: Weights, sight: Array, players: Array, xp: ModuleType = np) -> Array:
    """Say what share of the victory each seat may expect, the one whose turn it is first; empty seats none."""
    return _forward(weights, sight, players, xp)[2]


def _forward(weights: Weights, sight: Array, players: Array, xp: ModuleType) -> tuple[Array, Array, Array]:
    """Think a table through, layer by layer."""
    wide = xp.maximum(weights["first"].T @ sight + weights["first_bias"], 0)
    narrow = xp.maximum(weights["second"].T @ wide + weights["second_bias"], 0)
    answer = weights["third"].T @ narrow + weights["third_bias"] + weights["skip"] * sight[-MOST_SEATS:]
    answer = xp.where(xp.arange(MOST_SEATS)[:, None] < players[None, :], answer, -xp.inf)
    answer = xp.exp(answer - answer.max(0))
    return wide, narrow, answer / answer.sum(0)


def slowed(rate: float, last_rate: float, share: float) -> float:
    """How fast one learns when a share of the time is over: less and less."""
    return last_rate + (rate - last_rate) * (1 - share) ** 2


class Learner:
    """Weights, and Adam's memory of how they changed."""

    def __init__(self, weights: Weights, xp: ModuleType = np) -> None:
        """Begin to learn."""
        self.weights, self.xp, self.steps = weights, xp, 0
        self.drift = {name: xp.zeros_like(value) for name, value in weights.items()}
        self.unrest = {name: xp.zeros_like(value) for name, value in weights.items()}

    def learn(self, sight: Array, players: Array, target: Array, rate: float) -> Array:
        """Come a step nearer to the shares that were seen; give the loss before it (cross entropy)."""
        gradients, loss = gradients_of(self.weights, sight, players, target, self.xp)
        self.steps += 1
        fresh, calm = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for name, gradient in gradients.items():
            drift, unrest = self.drift[name], self.unrest[name]
            drift += 0.1 * (gradient - drift)
            unrest += 0.001 * (gradient * gradient - unrest)
            self.weights[name] -= rate * (drift / fresh) / (self.xp.sqrt(unrest / calm) + 1e-8)
        return loss


def gradients_of(
    weights: Weights, sight: Array, players: Array, target: Array, xp: ModuleType = np
) -> tuple[Weights, Array]:
    """Say how the loss changes with every weight, and the loss itself."""
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

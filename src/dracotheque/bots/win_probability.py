"""Win probabilities, estimated by simulated games from a position; the same seed gives the same estimates.

The games are simulated without Python's lock, so other threads go on.
"""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportPrivateImportUsage=false
from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dracotheque.bots.search_params import WHOLE_GAME
from dracotheque.engine.game import Game
from dracotheque.engine.jit import precompile
from dracotheque.engine.jit.function_pointers import call_with_one, call_with_two
from dracotheque.engine.rng import seeded
from dracotheque.engine.search_operations import CERTAIN
from dracotheque.engine.state import State


@dataclass(frozen=True)
class Estimate:
    """Every seat's share of the victory, with its standard error."""

    shares: list[float]
    errors: list[float]


def is_ready(game: Game) -> bool:
    """Return whether all that an estimate needs is compiled."""
    return not game.runtime.interpreted and precompile.is_compiled(game.definition, precompile.ALL)


class WinProbabilities:
    """Estimates win probabilities in positions of one game."""

    def __init__(self, game: Game, seed: int, depth: int = WHOLE_GAME, heuristic_percent: int = 90) -> None:
        """Set up a batch: a percentage of choices follows the heuristic; after `depth` choices the state is valued."""
        self.game, self.seed, self.depth, self.heuristic_percent = game, seed, depth, heuristic_percent
        self.batch: Any = game.runtime.new_batch(game.start())
        self.operations = {
            name: game.runtime.operations.address(name) for name in ("rollout", "advance", "reset_to_determinization")
        }
        self.memory = self.batch.memory.view(np.uint8)
        self.stream = self.batch.memory["workspace"]["stream"][0]
        self.sums = np.zeros((2, game.players))
        self.estimates = 0

    def of(self, state: State, count: int) -> Estimate:
        """Estimate from `count` games that continue a position, its hidden parts included."""
        if state.is_terminal():
            winners = state.winners()
            shares = [(seat in winners) / len(winners) for seat in range(self.game.players)]
            return Estimate(shares, [0.0] * self.game.players)
        start = np.frombuffer(state.to_plain().bytes(), np.uint8)
        self._begin()
        _native_functions().from_position(
            self.operations["rollout"], self.batch.handle, self.memory, start, self.stream, self.batch.weights,
            self.seed, self.estimates, count, self.depth, self.heuristic_percent, self.sums,
        )  # fmt: skip
        return self._estimate(count)

    def after(self, state: State, seat: int, action: int, count: int) -> Estimate:
        """Estimate from `count` games that continue after an action, each from a determinization for its seat."""
        self.batch.begin(state.observation(seat).bytes())
        self._begin()
        _native_functions().after_action(
            self.operations["reset_to_determinization"], self.operations["advance"], self.operations["rollout"],
            self.batch.handle, self.batch.workspace_handle, self.stream, self.batch.weights, self.seed, self.estimates,
            seat, action, count, self.depth, self.heuristic_percent, self.sums,
        )  # fmt: skip
        return self._estimate(count)

    def _begin(self) -> None:
        """Clear the sums, and go to unused random streams."""
        self.sums[:] = 0
        self.estimates += 1

    def _estimate(self, count: int) -> Estimate:
        """Return means and standard errors of the sums."""
        means = self.sums[0] / count
        spread = np.maximum(
            self.sums[1] / count - means * means, 1 / count
        )  # not 0 for a seat that never won, or always
        return Estimate(means.tolist(), [math.sqrt(each / count) for each in spread])


@dataclass(frozen=True)
class NativeFunctions:
    """The compiled functions that Python calls."""

    from_position: Any
    after_action: Any


@functools.cache
def _native_functions() -> NativeFunctions:
    """Compile the two loops, nested here since Numba's cache is keyed by the file that defines them."""
    from dracotheque.engine.jit import linking

    exported = linking.exported(nogil=True)

    @exported
    def from_position(
        rollout: int, workspace: int, memory: Any, start: Any, stream: Any, weights: Any, seed: int, series: int,
        count: int, depth: int, heuristic_percent: int, sums: Any,
    ) -> None:  # fmt: skip
        for number in range(count):
            for at in range(len(start)):
                memory[at] = start[at]
            stream[0] = seeded(seed + series, number)
            call_with_two(rollout, workspace, depth, heuristic_percent)
            for seat in range(sums.shape[1]):
                share = weights[seat] / CERTAIN
                sums[0, seat] += share
                sums[1, seat] += share * share

    @exported
    def after_action(
        reset: int, advance: int, rollout: int, batch: int, workspace: int, stream: Any, weights: Any, seed: int,
        series: int, viewer: int, action: int, count: int, depth: int, heuristic_percent: int, sums: Any,
    ) -> None:  # fmt: skip
        for number in range(count):
            stream[0] = seeded(seed + series, number)
            call_with_one(reset, batch, viewer)
            call_with_two(advance, workspace, viewer, action)
            call_with_two(rollout, workspace, depth, heuristic_percent)
            for seat in range(sums.shape[1]):
                share = weights[seat] / CERTAIN
                sums[0, seat] += share
                sums[1, seat] += share * share

    return NativeFunctions(from_position, after_action)

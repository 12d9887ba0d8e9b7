"""Win probabilities: a position is played on many times with compiled rules, mostly by the heuristic.

Nothing here keeps others waiting: the games are played without Python's lock. What is asked twice with the same seed
is answered the same.
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
    """Every seat's share of the victory, and how far off that may be: the standard error."""

    shares: list[float]
    errors: list[float]


def is_ready(game: Game) -> bool:
    """Return whether the rules of a game are compiled as far as this needs them."""
    return not game.runtime.interpreted and precompile.is_compiled(game.definition, precompile.ALL)


class WinProbabilities:
    """Plays on from positions of one game."""

    def __init__(self, game: Game, seed: int, depth: int = WHOLE_GAME, heuristic_percent: int = 90) -> None:
        """Set up a batch: `advice` of 100 choices follow the heuristic; after `depth` choices the state is judged."""
        self.game, self.seed, self.depth, self.heuristic_percent = game, seed, depth, heuristic_percent
        self.batch: Any = game.runtime.new_batch(game.start())
        self.operations = {
            name: game.runtime.operations.address(name) for name in ("rollout", "advance", "reset_to_determinization")
        }
        self.memory = self.batch.memory.view(np.uint8)
        self.stream = self.batch.memory["workspace"]["stream"][0]
        self.sums = np.zeros((2, game.players))
        self.asked = 0

    def of(self, state: State, count: int) -> Estimate:
        """Play on from a position as it is, whatever is hidden in it, so many times."""
        if state.is_terminal():
            winners = state.winners()
            shares = [(seat in winners) / len(winners) for seat in range(self.game.players)]
            return Estimate(shares, [0.0] * self.game.players)
        start = np.frombuffer(state.to_plain().bytes(), np.uint8)
        self._begin()
        _native_functions().onward(
            self.operations["rollout"], self.batch.handle, self.memory, start, self.stream, self.batch.weights,
            self.seed, self.asked, count, self.depth, self.heuristic_percent, self.sums,
        )  # fmt: skip
        return self._estimate(count)

    def after(self, state: State, seat: int, action: int, count: int) -> Estimate:
        """Play on after a choice, from what its seat could know, so many times."""
        self.batch.begin(state.observation(seat).bytes())
        self._begin()
        _native_functions().chosen(
            self.operations["reset_to_determinization"], self.operations["advance"], self.operations["rollout"],
            self.batch.handle, self.batch.workspace_handle, self.stream, self.batch.weights, self.seed, self.asked,
            seat, action, count, self.depth, self.heuristic_percent, self.sums,
        )  # fmt: skip
        return self._estimate(count)

    def _begin(self) -> None:
        """Forget the sums, and take streams that were not used before."""
        self.sums[:] = 0
        self.asked += 1

    def _estimate(self, count: int) -> Estimate:
        """Sum up."""
        means = self.sums[0] / count
        spread = np.maximum(self.sums[1] / count - means * means, 1 / count)  # who never won may still win
        return Estimate(means.tolist(), [math.sqrt(each / count) for each in spread])


@dataclass(frozen=True)
class NativeFunctions:
    """What Python calls."""

    onward: Any
    chosen: Any


@functools.cache
def _native_functions() -> NativeFunctions:
    """Compile the two loops; they are written out here, since Numba's cache looks at the file they stand in."""
    from dracotheque.engine.jit import (
        linking,
    )  # fmt: skip

    exported = linking.exported(nogil=True)

    @exported
    def onward(
        roll: int, workspace: int, memory: Any, start: Any, stream: Any, weights: Any, seed: int, series: int,
        count: int, depth: int, advice: int, sums: Any,
    ) -> None:  # fmt: skip
        for number in range(count):
            for at in range(len(start)):
                memory[at] = start[at]
            stream[0] = seeded(seed + series, number)
            call_with_two(roll, workspace, depth, advice)
            for seat in range(sums.shape[1]):
                share = weights[seat] / CERTAIN
                sums[0, seat] += share
                sums[1, seat] += share * share

    @exported
    def chosen(
        fresh: int, go: int, roll: int, batch: int, workspace: int, stream: Any, weights: Any, seed: int, series: int,
        viewer: int, action: int, count: int, depth: int, advice: int, sums: Any,
    ) -> None:  # fmt: skip
        for number in range(count):
            stream[0] = seeded(seed + series, number)
            call_with_one(fresh, batch, viewer)
            call_with_two(go, workspace, viewer, action)
            call_with_two(roll, workspace, depth, advice)
            for seat in range(sums.shape[1]):
                share = weights[seat] / CERTAIN
                sums[0, seat] += share
                sums[1, seat] += share * share

    return NativeFunctions(onward, chosen)

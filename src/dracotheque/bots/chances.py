"""How likely every seat is to win from a position: played on many times, as good players would, by compiled rules.

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

from dracotheque.bots.ways import WHOLE_GAME
from dracotheque.engine import warm
from dracotheque.engine.calls import call_with_one, call_with_two
from dracotheque.engine.game import Game, State
from dracotheque.engine.rollout import CERTAIN
from dracotheque.engine.stream import seeded


@dataclass(frozen=True)
class Estimate:
    """Every seat's share of the victory, and how far off that may be: the standard error."""

    shares: list[float]
    errors: list[float]


def is_ready(game: Game) -> bool:
    """Say whether the rules of a game are compiled as far as this needs them."""
    return not game.layout.interpreted and warm.is_warm(game.box, warm.ALL)


class Chances:
    """Plays on from positions of one game."""

    def __init__(self, game: Game, seed: int, depth: int = WHOLE_GAME, advice: int = 90) -> None:
        """Set up a bench: `advice` of 100 choices are good ones, after `depth` of them the outlook is asked."""
        self.game, self.seed, self.depth, self.advice = game, seed, depth, advice
        self.bench: Any = game.layout.new_bench(game.start())
        self.doors = {name: game.layout.doors.address(name) for name in ("roll", "go", "fresh")}
        self.memory = self.bench.memory.view(np.uint8)
        self.stream = self.bench.memory["desk"]["stream"][0]
        self.sums = np.zeros((2, game.players))
        self.asked = 0

    def of(self, state: State, count: int) -> Estimate:
        """Play on from a position as it is, whatever is hidden in it, so many times."""
        if state.is_terminal():
            winners = state.winners()
            shares = [(seat in winners) / len(winners) for seat in range(self.game.players)]
            return Estimate(shares, [0.0] * self.game.players)
        start = np.frombuffer(state.table().bytes(), np.uint8)
        self._begin()
        _ways_in().onward(
            self.doors["roll"], self.bench.handle, self.memory, start, self.stream, self.bench.weights, self.seed,
            self.asked, count, self.depth, self.advice, self.sums,
        )  # fmt: skip
        return self._estimate(count)

    def after(self, state: State, seat: int, action: int, count: int) -> Estimate:
        """Play on after a choice, from what its seat could know, so many times."""
        self.bench.begin(state.observation(seat).bytes())
        self._begin()
        _ways_in().chosen(
            self.doors["fresh"], self.doors["go"], self.doors["roll"], self.bench.handle, self.bench.desk_handle,
            self.stream, self.bench.weights, self.seed, self.asked, seat, action, count, self.depth, self.advice,
            self.sums,
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
class WaysIn:
    """What Python calls."""

    onward: Any
    chosen: Any


@functools.cache
def _ways_in() -> WaysIn:
    """Compile the two loops; they are written out here, since Numba's cache looks at the file they stand in."""
    from dracotheque.engine import linking, native  # noqa: F401 - the second teaches Numba to go through doors

    door = linking.door(nogil=True)

    @door
    def onward(
        roll: int, desk: int, memory: Any, start: Any, stream: Any, weights: Any, seed: int, series: int, count: int,
        depth: int, advice: int, sums: Any,
    ) -> None:  # fmt: skip
        for number in range(count):
            for at in range(len(start)):
                memory[at] = start[at]
            stream[0] = seeded(seed + series, number)
            call_with_two(roll, desk, depth, advice)
            for seat in range(sums.shape[1]):
                share = weights[seat] / CERTAIN
                sums[0, seat] += share
                sums[1, seat] += share * share

    @door
    def chosen(
        fresh: int, go: int, roll: int, bench: int, desk: int, stream: Any, weights: Any, seed: int, series: int,
        viewer: int, action: int, count: int, depth: int, advice: int, sums: Any,
    ) -> None:  # fmt: skip
        for number in range(count):
            stream[0] = seeded(seed + series, number)
            call_with_one(fresh, bench, viewer)
            call_with_two(go, desk, viewer, action)
            call_with_two(roll, desk, depth, advice)
            for seat in range(sums.shape[1]):
                share = weights[seat] / CERTAIN
                sums[0, seat] += share
                sums[1, seat] += share * share

    return WaysIn(onward, chosen)

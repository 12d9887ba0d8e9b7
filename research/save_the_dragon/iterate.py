"""Solving Save the Dragon for two: all falls of the rock once, then sweep after sweep until nothing changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dracotheque.games.save_the_dragon.rules.duel_evaluator import SHAPE
from dracotheque.games.save_the_dragon.rules.state import FLOOR
from dracotheque.games.save_the_dragon.tablebase.tablebase import Values
from research.save_the_dragon import reach, stairs

Part = tuple[int, int]
"""What one thread works on: a seat and the place of its pawn."""
Falls = dict[Part, tuple[Any, ...]]
"""Where both pawns may end after every throw, by part."""
Tell = Callable[[float], None]
"""Hears how far something is, from 0 to 1."""

PARTS: list[Part] = [(seat, place) for seat in range(2) for place in range(stairs.PLACES)]
ENOUGH = 1e-9  # sweeps bring the values nearer by a factor of about 0.75, so the error is four times this at most
SITUATIONS = stairs.PLACES * stairs.SPOTS * stairs.LANES  # of one part
MOST_ENDS = 900_000  # of the falls of one part


def every_fall(tell: Tell = lambda done: None) -> Falls:
    """Find where both pawns may end after every throw."""
    falls: Falls = {}
    with _threads() as threads:
        for part, found in zip(PARTS, threads.map(falls_of, PARTS), strict=True):
            falls[part] = found
            tell(len(falls) / len(PARTS))
    return falls


def solve(falls: Falls, tell: Tell = lambda done: None) -> Values:
    """Find the winning chance of every position."""
    value = np.full(SHAPE, 0.5)
    with _threads() as threads:
        for value, change in _sweeps(value, falls, threads):  # noqa: B007, B020 - the last one counts
            tell(min(1.0, np.log(max(change, ENOUGH)) / np.log(ENOUGH)))
    return value


def reachable(falls: Falls) -> NDArray[np.bool_]:
    """Say which positions can come up: everything that may follow from the opening, with any first player."""
    found, walked = np.zeros(SHAPE, np.uint8), np.zeros(SHAPE, np.uint8)
    found[:, FLOOR, FLOOR, :, :, 0, 0] = reach.FOUND
    workspace = np.zeros(1, stairs.State)
    while sum(reach.walk_on(workspace, *part, found, walked) for part in PARTS):
        for part in PARTS:
            reach.act_on(workspace, *part, found, walked, *falls[part])
    return found > 0


def _threads() -> ThreadPoolExecutor:
    """One thread a core; the compiled parts let each other run."""
    return ThreadPoolExecutor(os.cpu_count() or 1)


def falls_of(part: Part) -> tuple[Any, ...]:
    """List the falls of one part."""
    seat, place = part
    starts = np.zeros(SITUATIONS + 1, np.int64)
    chances, places = np.zeros(MOST_ENDS), np.zeros(MOST_ENDS, np.int16)
    waiting, first = np.zeros(stairs.WAITING, stairs.State), place * SITUATIONS
    count = stairs.falls(waiting, seat, first, first + SITUATIONS, starts, chances, places)
    return starts, chances[:count].copy(), places[:count].copy()


def _sweeps(value: Values, falls: Falls, threads: ThreadPoolExecutor) -> Iterator[tuple[Values, float]]:
    """Work every value out from those before, again and again; give each time by how much one changed at most."""
    after, better = np.zeros_like(value), np.full_like(value, 0.5)

    def walk(part: Part) -> None:
        stairs.after_walks(np.zeros(1, stairs.State), *part, value, after, *falls[part])

    def turn(part: Part) -> float:
        return stairs.turns(np.zeros(1, stairs.State), *part, value, after, better)

    change = 1.0
    while change > ENOUGH:
        list(threads.map(walk, PARTS))
        change = max(threads.map(turn, PARTS))
        value, better = better, value
        yield value, change

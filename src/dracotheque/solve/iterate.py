"""Solving Save the Dragon for two: all falls of the rock once, then sweep after sweep until nothing changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from dracotheque.solve import stairs
from dracotheque.solve.solution import SHAPE, Values

Part = tuple[int, int]
"""What one thread works on: a seat and the place of its pawn."""

PARTS: list[Part] = [(seat, place) for seat in range(2) for place in range(stairs.PLACES)]
ENOUGH = 1e-9  # sweeps bring the values nearer by a factor of about 0.75, so the error is four times this at most
SITUATIONS = stairs.PLACES * stairs.SPOTS * stairs.LANES  # of one part
MOST_ENDS = 900_000  # of the falls of one part


def solve(tell: Callable[[str, float], None] = lambda stage, done: None) -> Values:
    """Find the winning chance of every position; `tell` hears what is being done and how far it is, from 0 to 1."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        falls = dict[Part, tuple[Any, ...]]()
        for part, found in zip(PARTS, threads.map(_falls, PARTS), strict=True):
            falls[part] = found
            tell("falls", len(falls) / len(PARTS))
        value = np.full(SHAPE, 0.5)
        for value, change in _sweeps(value, falls, threads):  # noqa: B007, B020 - the last one counts
            tell("sweeps", min(1.0, np.log(max(change, ENOUGH)) / np.log(ENOUGH)))
    return value


def _falls(part: Part) -> tuple[Any, ...]:
    """List the falls of one part."""
    seat, place = part
    starts = np.zeros(SITUATIONS + 1, np.int64)
    chances, places = np.zeros(MOST_ENDS), np.zeros(MOST_ENDS, np.int16)
    waiting, first = np.zeros(stairs.WAITING, stairs.State), place * SITUATIONS
    count = stairs.falls(waiting, seat, first, first + SITUATIONS, starts, chances, places)
    return starts, chances[:count].copy(), places[:count].copy()


def _sweeps(
    value: Values, falls: dict[Part, tuple[Any, ...]], threads: ThreadPoolExecutor
) -> Iterator[tuple[Values, float]]:
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

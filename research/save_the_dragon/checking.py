"""Checking a solution: random positions worked out again from what may follow, by code that shares nothing with it."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np

from dracotheque.games.save_the_dragon.rules.duel_evaluator import COUNTS
from dracotheque.games.save_the_dragon.rules.state import LANES
from dracotheque.games.save_the_dragon.tablebase.tablebase import Tablebase, Values, possible

CHUNK = 500


@dataclass(frozen=True)
class Checked:
    """What came of checking: how many positions, the largest error, and where."""

    positions: int
    error: float
    where: str


def check(values: Values, positions: int, seed: int = 1, tell: Callable[[float], None] = lambda done: None) -> Checked:
    """Work random positions out again, and say how far off the worst value is."""
    worst, done = Checked(positions, 0.0, ""), 0
    chunks = [(seed + number, min(CHUNK, positions - number)) for number in range(0, positions, CHUNK)]
    with ProcessPoolExecutor(os.cpu_count(), initializer=_take, initargs=(values,)) as processes:
        for (_, count), (error, where) in zip(chunks, processes.map(_check, chunks), strict=True):
            done += count
            tell(done / positions)
            if error > worst.error:
                worst = Checked(positions, error, where)
    return worst


_solution: Tablebase


def _take(values: Values) -> None:
    """Give a process the values."""
    global _solution
    _solution = Tablebase(values)


def _check(chunk: tuple[int, int]) -> tuple[float, str]:
    """Check some positions; say how far off the worst is, and which it is."""
    seed, count = chunk
    chance, known = random.Random(seed), np.argwhere(possible())
    return max(_error(chance, known) for _ in range(count))


def _error(chance: random.Random, known: np.ndarray) -> tuple[float, str]:
    """Check one position."""
    mine, theirs, shield = (int(place) for place in known[chance.randrange(len(known))])
    seat, shut = chance.randrange(2), chance.randrange(LANES)
    tokens = (chance.randrange(COUNTS), chance.randrange(COUNTS))
    position = (seat, (mine, theirs) if seat == 0 else (theirs, mine), shield, shut, tokens)
    return abs(_solution.derived(*position) - _solution.turn(*position)), str(position)

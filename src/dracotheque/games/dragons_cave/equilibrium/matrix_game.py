"""Matrix games solved exactly: two players choose at once, one wants the most and the other the least.

The simplex method finds a best mixture of the column player, and of the row player with it: how much a row is needed is
the price of its limit. Bland's rule chooses what enters and leaves, so that it never goes round in circles.
"""

# What Numba compiles is not checked here.
# pyright: basic
from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine.jit.kernels import kernel, within

MOST = 6  # rows, and columns, of the largest stage of Dragon's Cave
TINY = 1e-12


@kernel
def solve(game: Any, tableau: Any, basis: Any, rows: Any, columns: Any) -> float:
    """Write best mixtures of the row player, who wants the most, and of the column player; give the game's value.

    `tableau` is room for one row more than the game has, and as many columns as it has rows and columns and one.
    """
    high, wide = game.shape
    shift = 1.0 - np.min(game)
    set_up(game, shift, tableau, basis)
    entering = first_gain(tableau[high], wide + high)
    while entering >= 0:
        pivot(tableau, basis, high, wide, entering)
        entering = first_gain(tableau[high], wide + high)
    value = 1.0 / tableau[high, wide + high]
    columns[:wide] = 0.0
    for row in range(high):
        rows[row] = max(tableau[high, wide + row], 0.0) * value
        if basis[row] < wide:
            columns[basis[row]] = max(tableau[row, wide + high], 0.0) * value
    return value - shift


@within
def set_up(game: Any, shift: float, tableau: Any, basis: Any) -> None:
    """Write down what to make as large as possible: the sum of y, where no row of the lifted game times y exceeds 1."""
    high, wide = game.shape
    tableau[: high + 1, : wide + high + 1] = 0.0
    for row in range(high):
        for column in range(wide):
            tableau[row, column] = game[row, column] + shift
        tableau[row, wide + row] = 1.0
        tableau[row, wide + high] = 1.0
        basis[row] = wide + row
    for column in range(wide):
        tableau[high, column] = -1.0


@within
def first_gain(prices: Any, count: int) -> int:
    """Find the first that would still bring a gain; -1 where none does."""
    for at in range(count):
        if prices[at] < -TINY:
            return at
    return -1


@within
def pivot(tableau: Any, basis: Any, high: int, wide: int, entering: int) -> None:
    """Let one enter, and the one leave that is used up first; of several the one with the lowest number."""
    last, leaving, least = wide + high, -1, np.inf
    for row in range(high):
        if tableau[row, entering] > TINY:
            ratio = tableau[row, last] / tableau[row, entering]
            if ratio < least - TINY or (ratio < least + TINY and basis[row] < basis[leaving]):
                leaving, least = row, min(least, ratio)
    tableau[leaving, : last + 1] /= tableau[leaving, entering]
    for row in range(high + 1):
        times = tableau[row, entering]
        if row != leaving and times != 0.0:
            for at in range(last + 1):
                tableau[row, at] -= times * tableau[leaving, at]
    basis[leaving] = entering


def solved(game: Any) -> tuple[float, Any, Any]:
    """Solve a game of any size: its value, and best mixtures of the row player and of the column player."""
    payoffs = np.ascontiguousarray(game, float)
    high, wide = payoffs.shape
    rows, columns = np.zeros(high), np.zeros(wide)
    room = np.zeros((high + 1, wide + high + 1))
    value = solve(payoffs, room, np.zeros(high, np.int64), rows, columns)
    return float(value), rows, columns


@kernel
def best_split(worth: Any, most: int) -> int:
    """Find how many coins go into one fist: worth[lost] is what is left of `most` coins when so many are lost.

    Left and right are alike, so the dragon can do no better than to toss a coin, and then a split is worth the mean of
    what its two fists leave. Who tosses a coin which fist is which gets just that, whatever the dragon does.
    """
    best, value = 0, worth[0] + worth[most]
    for part in range(1, most // 2 + 1):
        if worth[part] + worth[most - part] > value + TINY:
            best, value = part, worth[part] + worth[most - part]
    return best

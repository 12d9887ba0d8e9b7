"""Exact solutions of matrix games: two players choose at once, one maximises the payoff and the other minimises it.

The simplex method finds an optimal mixed strategy of the column player; the dual prices of the rows are one of the row
player. Bland's rule chooses the pivots, so that it cannot cycle.
"""

# What Numba compiles is not checked here.
# pyright: basic
from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine.jit.kernels import kernel, within

MAX_ACTIONS = 6  # rows, and columns, of the largest stage of Dragon's Cave
EPSILON = 1e-12


@kernel
def solve(game: Any, tableau: Any, basis: Any, rows: Any, columns: Any) -> float:
    """Write optimal strategies of the row player, who maximises, and of the column player; return the game's value.

    `tableau` is working memory for one row more than the game has, and one column more than its rows and columns.
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
    """Write the linear program: maximise the sum of y, where no row of the shifted game times y exceeds 1."""
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
    """Return the first column with a negative reduced cost, or -1."""
    for at in range(count):
        if prices[at] < -EPSILON:
            return at
    return -1


@within
def pivot(tableau: Any, basis: Any, high: int, wide: int, entering: int) -> None:
    """Exchange the entering variable for the one with the least ratio; of several, the one with the lowest number."""
    last, leaving, least = wide + high, -1, np.inf
    for row in range(high):
        if tableau[row, entering] > EPSILON:
            ratio = tableau[row, last] / tableau[row, entering]
            if ratio < least - EPSILON or (ratio < least + EPSILON and basis[row] < basis[leaving]):
                leaving, least = row, min(least, ratio)
    tableau[leaving, : last + 1] /= tableau[leaving, entering]
    for row in range(high + 1):
        times = tableau[row, entering]
        if row != leaving and times != 0.0:
            for at in range(last + 1):
                tableau[row, at] -= times * tableau[leaving, at]
    basis[leaving] = entering


def solution(game: Any) -> tuple[float, Any, Any]:
    """Return the value of a game of any size, and optimal strategies of the row player and of the column player."""
    payoffs = np.ascontiguousarray(game, float)
    high, wide = payoffs.shape
    rows, columns = np.zeros(high), np.zeros(wide)
    tableau = np.zeros((high + 1, wide + high + 1))
    value = solve(payoffs, tableau, np.zeros(high, np.int64), rows, columns)
    return float(value), rows, columns


@kernel
def best_split(values: Any, most: int) -> int:
    """Return how many coins go into one fist: values[lost] is the value when so many of `most` coins are lost.

    Both fists are alike, so guessing either with equal probability is optimal for the dragon, and a split has the mean
    value of its two fists. A player who swaps the fists with probability one half gets exactly that.
    """
    best, value = 0, values[0] + values[most]
    for part in range(1, most // 2 + 1):
        if values[part] + values[most - part] > value + EPSILON:
            best, value = part, values[part] + values[most - part]
    return best

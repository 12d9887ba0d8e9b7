"""Matrix games: known ones, random ones tried in every way, and the split of a purse."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dracotheque.games.dragons_cave.equilibrium import matrix_game


@pytest.mark.parametrize(
    ("game", "value", "rows", "columns"),
    [
        ([[1, 0], [0, 1]], 0.5, [0.5, 0.5], [0.5, 0.5]),
        ([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),
        ([[3, 0], [1, 2]], 1.5, [0.25, 0.75], [0.5, 0.5]),
        ([[2, 3], [1, 0]], 2, [1, 0], [1, 0]),  # pure strategies
        ([[0.25]], 0.25, [1], [1]),
        ([[1, 0, 0], [0, 2, 0], [0, 0, 4]], 4 / 7, [4 / 7, 2 / 7, 1 / 7], [4 / 7, 2 / 7, 1 / 7]),
    ],
)
def test_known_games(game: list[list[float]], value: float, rows: list[float], columns: list[float]) -> None:
    found, best_rows, best_columns = matrix_game.solution(game)
    assert found == pytest.approx(value, abs=1e-12)
    assert best_rows == pytest.approx(rows)
    assert best_columns == pytest.approx(columns)


def by_trial(game: np.ndarray) -> float:
    """The value of a game by trying every square part of it: one of them is completely mixed."""
    best = -np.inf
    high, wide = game.shape
    for size in range(1, min(high, wide) + 1):
        for rows in itertools.combinations(range(high), size):
            for columns in itertools.combinations(range(wide), size):
                part = np.vstack([np.c_[game[np.ix_(rows, columns)].T, -np.ones(size)], [*[1.0] * size, 0.0]])
                if abs(np.linalg.det(part)) > 1e-9:
                    mixed = np.linalg.solve(part, [*[0.0] * size, 1.0])[:size]
                    if (mixed > -1e-12).all():
                        best = max(best, (mixed @ game[list(rows)]).min())
    return best


def test_random_games_by_the_simplex_method_and_by_trial() -> None:
    chance = np.random.default_rng(4)
    for number in range(150):
        game = chance.random((chance.integers(1, 5), chance.integers(1, 5)))
        if number % 3 == 0:
            game = np.round(4 * game) / 4  # many draws
        value, rows, columns = matrix_game.solution(game)
        assert value == pytest.approx(by_trial(game), abs=1e-9)
        assert rows.sum() == pytest.approx(1)
        assert columns.sum() == pytest.approx(1)
        assert min(rows.min(), columns.min()) >= 0
        assert (rows @ game).min() == pytest.approx(value, abs=1e-9) == (game @ columns).max()


def test_splitting_a_purse_is_a_matrix_game_with_a_short_answer() -> None:
    chance = np.random.default_rng(7)
    for _ in range(100):
        coins = int(chance.integers(1, 12))
        worth = np.sort(chance.random(coins + 1))[::-1].copy()
        part = matrix_game.best_split(worth, coins)
        value, _, guess = matrix_game.solution(np.stack([worth, worth[::-1]], axis=1))
        assert value == pytest.approx((worth[part] + worth[coins - part]) / 2, abs=1e-12)
        assert np.max(np.stack([worth, worth[::-1]], axis=1) @ [0.5, 0.5]) == pytest.approx(value, abs=1e-12)
        assert guess.sum() == pytest.approx(1)

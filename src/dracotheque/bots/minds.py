"""What a search may know about a game beforehand: what was learned by playing it, or solved for two players."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from dracotheque.engine.game import Game
from dracotheque.games import find_box, minds

Mind = np.ndarray[Any, Any]


def knows(game: Game) -> bool:
    """Whether something is known that fits a table: its rules, its board, its number of players."""
    if game.layout.mind is None or (game.board and game.board.source) or game.box is not find_box(game.name):
        return False
    if game.name == "save-the-dragon":
        return game.players > 2 and _solved() is not None
    return game.players in _learned(game.box.folder, game.name, game.rules_version)


def mind_of(game: Game) -> Mind:
    """Give what is known: weights with room to think in, a copy for everybody, or the solution, which all may share."""
    if game.name == "save-the-dragon":
        solved = _solved()
        assert solved is not None
        return solved
    mind = np.zeros(1, game.layout.mind)
    for name, value in _learned(game.box.folder, game.name, game.rules_version)[game.players].items():
        mind[name][0] = value.reshape(mind[name][0].shape)
    return mind


@functools.cache
def _solved() -> Mind | None:
    """Read what is known of Save the Dragon for two, which is worth knowing for three and four."""
    from dracotheque.games.save_the_dragon.duels import FULL, Mind
    from dracotheque.solve import solution

    if not solution.fits():
        return None
    mind = np.zeros(1, Mind)
    mind["chances"] = np.round(solution.read() * FULL)
    return mind


@functools.cache
def _learned(folder: Path, name: str, version: int) -> dict[int, minds.Weights]:
    """Read what was learned about a game, once."""
    return minds.read(folder, name, version)

"""What a search may know about a game beforehand: what was learned by playing it, or solved."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from dracotheque.bots import default_bots, network_weights
from dracotheque.engine.game import Game

Mind = np.ndarray[tuple[int], np.dtype[np.void]]


def evaluator_of(game: Game) -> Mind | None:
    """Return what is known that fits a table: its rules, its board, its number of players.

    Weights come with room to think in, a copy for everybody; the solution all may share.
    """
    if game.runtime.evaluator is None or not default_bots.is_usual(game):
        return None
    return default_bots.bots_of(game).evaluator(game)


def learned_evaluator(game: Game) -> Mind | None:
    """Return the weights that were learned for a number of players, with room to think in."""
    weights = learned(game.definition.folder / "models", game.name, game.rules_version).get(game.players)
    if weights is None or game.runtime.evaluator is None:
        return None
    return network_weights.mind_with(weights, game.runtime.evaluator)


@functools.cache
def learned(folder: Path, name: str, version: int) -> dict[int, network_weights.Weights]:
    """Read what was learned about a game, once."""
    return network_weights.read(folder, name, version)

"""The evaluator of a game: learned weights, or a solution, by which a search values a position."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from dracotheque.bots import default_bots, network_weights
from dracotheque.engine.game import Game

Evaluator = np.ndarray[tuple[int], np.dtype[np.void]]
"""One record: weights and the memory for intermediate values, or a solution."""


def evaluator_of(game: Game) -> Evaluator | None:
    """Return the evaluator that fits a game's rules version, board and number of players, or None.

    Weights are copied for every caller, since evaluation writes into the record; a solution is shared.
    """
    if game.runtime.evaluator is None or not default_bots.is_usual(game):
        return None
    return default_bots.bots_of(game).evaluator(game)


def learned_evaluator(game: Game) -> Evaluator | None:
    """Return an evaluator with the weights that were learned for a game's number of players, or None."""
    weights = learned_weights(game).get(game.players)
    if weights is None or game.runtime.evaluator is None:
        return None
    return network_weights.evaluator_with(weights, game.runtime.evaluator)


def learned_weights(game: Game) -> dict[int, network_weights.Weights]:
    """Return the weights in a game's package by number of players; the files are read once."""
    return _read(network_weights.folder(game.definition), game.name, game.rules_version)


@functools.cache
def _read(folder: Path, name: str, version: int) -> dict[int, network_weights.Weights]:
    """Read the weights of a rules version."""
    return network_weights.read(folder, name, version)

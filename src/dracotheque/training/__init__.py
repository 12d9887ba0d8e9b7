"""Training of value networks by self-play: many games side by side, on a GPU or a CPU.

A game that can be trained says how in its `bots.TRAINING`.
"""

from __future__ import annotations

from dracotheque.bots import default_bots
from dracotheque.bots.default_bots import Training
from dracotheque.engine import registry

__all__ = ["trainable_games"]


def trainable_games() -> dict[str, Training]:
    """Return the training of each game by name, without the games that have none."""
    found = {name: default_bots.bots_in(game).TRAINING for name, game in registry.games().items()}
    return {name: training for name, training in found.items() if training is not None}

"""Learning to judge a game by playing it: many games side by side, on a graphics card or a processor.

Which games can be learned and how, each says in its `bots.TRAINING`.
"""

from __future__ import annotations

from dracotheque.bots import default_bots
from dracotheque.bots.default_bots import Training
from dracotheque.engine import registry

__all__ = ["trainable_games"]


def trainable_games() -> dict[str, Training]:
    """Return how each game is learned, by name; games that say nothing of it are left out."""
    found = {name: default_bots.bots_in(game).TRAINING for name, game in registry.games().items()}
    return {name: training for name, training in found.items() if training is not None}

"""The levels of bots: each is a bot for every game, and clearly better than the level below.

`docs/explanation/reports/strength.md` has the tournaments that show it. Searches are measured by simulations, not by
time, so that a level is as strong on every machine; `within` limits the time on a slow one.
"""

from __future__ import annotations

from dracotheque.bots import default_bots
from dracotheque.engine.game import Game

LEVELS = tuple(default_bots.LEVELS)
"""The levels, the weakest first; only the highest uses learned weights or solutions."""

ORACLE = "oracle"
"""The level of perfect play, for solved games alone."""


def is_solved(game: Game) -> bool:
    """Return whether perfect play of a game is known for its set-up and rules version."""
    return default_bots.exact_values(game) is not None


def bot_name(level: str, game: Game) -> str:
    """Return the name of the bot that plays a level in a game."""
    return default_bots.bots_of(game).levels(game)[level]

"""The levels that a person can choose: a bot for every game, each clearly better than the one below.

`docs/explanation/reports/strength.md` has the tournaments that show it. Searches are measured by simulations, not by
time, so that a level is as strong on every machine; where one is very slow, `within` keeps people from waiting.
"""

from __future__ import annotations

from dracotheque.bots import default_bots
from dracotheque.engine.game import Game

LEVELS = tuple(default_bots.LEVELS)
"""The levels, the weakest first; each game says how they play it. Only Dragons go by what was learned or solved."""

ORACLE = "oracle"
"""The level above all of them, where perfect play is known."""


def is_solved(game: Game) -> bool:
    """Whether perfect play of a game is known as it was set up, under the rules in force."""
    return default_bots.exact_values(game) is not None


def bot_name(level: str, game: Game) -> str:
    """Name the bot of a level at a table."""
    return default_bots.bots_of(game).levels(game)[level]

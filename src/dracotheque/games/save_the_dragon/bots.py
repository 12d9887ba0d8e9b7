"""Save the Dragon: how strong the levels are, how a search goes about it, and what is known of solved positions."""

from __future__ import annotations

import functools

import numpy as np

from dracotheque.bots import plain_kind
from dracotheque.bots.default_bots import AnalysisBudget, ExactSetup, ExactValues
from dracotheque.bots.levels import ORACLE, is_solved
from dracotheque.bots.player_view import EvaluatingBot
from dracotheque.bots.search_params import SearchParams
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.games.save_the_dragon.rules.duel_evaluator import FULL, Evaluator

LEVELS = {
    "hatchling": "greedy:70",
    "squire": "greedy:45",
    "knight": "greedy:15",
    "dragon": "search:10000:within=1.4",
}
SEARCH = SearchParams(widening=1.0)
SEARCH_WITH_EVALUATOR = SearchParams(widening=1.0, depth=0, use_evaluator=1)
EXACT_SETUP = ExactSetup(2, {"youngest": "nobody"})
ANALYSIS = AnalysisBudget(30_000, 800, 60)


def evaluator(game: Game) -> np.ndarray[tuple[int], np.dtype[np.void]] | None:
    """Return the solved positions of two players, which evaluate positions of three and four; all tables share them."""
    return solved_positions() if game.players > 2 else None


@functools.cache
def solved_positions() -> np.ndarray[tuple[int], np.dtype[np.void]] | None:
    """Read the table of solved positions, once."""
    from dracotheque.games.save_the_dragon.tablebase import tablebase  # large, and few need it

    if not tablebase.fits():
        return None
    values = np.zeros(1, Evaluator)
    values["chances"] = np.round(tablebase.read() * FULL)
    return values


# --- Perfect play ---------------------------------------------------------------------------------------------------
def exact_values(game: Game) -> ExactValues | None:
    """Return what knows perfect play, if the solution was found for these rules and this rock."""
    from dracotheque.games.save_the_dragon.tablebase import bot, tablebase

    return bot.ExactProbabilities() if tablebase.fits() else None


def require_solved(game: Game) -> None:
    """Refuse a table at which perfect play is not known."""
    if not is_solved(game):
        raise DracothequeError(
            "The Oracle only knows Save the Dragon for two players, without the variant for the little ones."
        )


def _oracle(seed: int, game: Game) -> EvaluatingBot:
    """Make the bot that plays perfectly."""
    from dracotheque.games.save_the_dragon.tablebase.bot import TablebaseBot

    require_solved(game)
    return TablebaseBot(seed)


KINDS = {ORACLE: plain_kind(ORACLE, _oracle)}

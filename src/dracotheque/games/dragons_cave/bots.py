"""Dragon's Cave: the bots of the levels, the parameters of a search, and the equilibrium bot.

`docs/explanation/reports/strength.md` has the tournaments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dracotheque.bots import evaluators, network_weights
from dracotheque.bots.default_bots import AnalysisBudget, is_usual
from dracotheque.bots.player_view import EvaluatingBot
from dracotheque.bots.search_params import SearchParams
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game

LEVELS = {
    "hatchling": "greedy:50",
    "squire": "greedy:10",
    "knight": "search:1200:within=0.25",
    "dragon": "mixer:60:opponent_prior=50",
}
ELSEWHERE = "search:3000:within=1.4"
"""The level `dragon` without an equilibrium bot: for three or four players, on other boards, or uncompiled."""

SEARCH = SearchParams(depth=0)
ANALYSIS = AnalysisBudget(60_000, 1_500, 0, heuristic_percent=50)


SPELLINGS = {"hunch": "opponent_prior"}
"""Old spellings in the names of bots, which are stored."""


def levels(game: Game) -> Mapping[str, str]:
    """Return the bot of each level."""
    return LEVELS if has_equilibrium(game) else {**LEVELS, "dragon": ELSEWHERE}


# --- The equilibrium bot --------------------------------------------------------------------------------------------
def equilibrium_bot(parameters: str, seed: int, game: Game) -> EvaluatingBot:
    """Return an equilibrium bot, `mixer:60`, or one with an opponent prior in percent, `mixer:60:opponent_prior=50`."""
    from dracotheque.games.dragons_cave.equilibrium.bot import BUDGET, OPPONENT_PRIOR, EquilibriumBot  # few need it

    match = re.fullmatch(r"([1-9]\d{0,3})?(?:(?:^|:)(\w+)=(\d\d?))?", parameters)
    if match is None or SPELLINGS.get(match[2], match[2]) not in (None, "opponent_prior"):
        raise DracothequeError(
            f"Invalid value {parameters!r} for bot mixer. Use mixer:{BUDGET} (positions to solve), or "
            f"mixer:{BUDGET}:opponent_prior=50 (percent of opponents that follow the heuristic)."
        )
    require_equilibrium(game)
    return EquilibriumBot(seed, int(match[1] or BUDGET), int(match[3] or OPPONENT_PRIOR))


def has_equilibrium(game: Game) -> bool:
    """Whether the value network for two players fits a game: on the default board, with compiled rules."""
    return game.players == 2 and is_usual(game) and not game.runtime.interpreted and game.players in _weights(game)


def require_equilibrium(game: Game) -> None:
    """Refuse a game that the value network for two players does not fit."""
    if not has_equilibrium(game):
        raise DracothequeError(
            "The bot mixer plays Dragon’s Cave only with two players, on the default board and with compiled rules."
        )


def cave_evaluator(game: Game) -> evaluators.Evaluator:
    """Return the value network for two players; refuse games that it does not fit."""
    from dracotheque.games.dragons_cave.equilibrium import encoding

    require_equilibrium(game)
    return network_weights.evaluator_with(_weights(game)[game.players], encoding.Evaluator)


def _weights(game: Game) -> dict[int, network_weights.Weights]:
    """Return the weights of the value networks by number of players."""
    return evaluators.learned_weights(game)


KINDS = {"mixer": equilibrium_bot}

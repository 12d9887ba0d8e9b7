"""Dragon's Cave: how strong the levels are, how a search goes about it, and the bot that mixes best.

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
    "dragon": "mixer:60:hunch=50",
}
ELSEWHERE = "search:3000:within=1.4"
"""How a Dragon plays where best mixtures are not known: with three or four players, on other caves, or uncompiled."""

SEARCH = SearchParams(depth=0)
ANALYSIS = AnalysisBudget(60_000, 1_500, 0, advice=50)


def levels(game: Game) -> Mapping[str, str]:
    """Return how each level plays at a table."""
    return LEVELS if knows_mixtures(game) else {**LEVELS, "dragon": ELSEWHERE}


# --- Best mixtures --------------------------------------------------------------------------------------------------
def mixer(wish: str, seed: int, game: Game) -> EvaluatingBot:
    """Make a bot that mixes best, `mixer:60`, or one with a hunch, `mixer:60:hunch=50`."""
    from dracotheque.games.dragons_cave.equilibrium.bot import BUDGET, HUNCH, EquilibriumBot  # few need it

    found = re.fullmatch(r"([1-9]\d{0,3})?(?:(?:^|:)hunch=(\d\d?))?", wish)
    if found is None:
        raise DracothequeError(
            f"Invalid value {wish!r} for bot mixer. Use mixer:{BUDGET} (positions to solve), or "
            f"mixer:{BUDGET}:hunch=50 (percent of opponents that follow the heuristic)."
        )
    require_mixtures(game)
    return EquilibriumBot(seed, int(found[1] or BUDGET), int(found[2] or HUNCH))


def knows_mixtures(game: Game) -> bool:
    """Whether enough was learned about a table to mix best there: for two, on the usual cave."""
    return game.players == 2 and is_usual(game) and not game.runtime.interpreted and game.players in _learned(game)


def require_mixtures(game: Game) -> None:
    """Refuse a table at which best mixtures are not known."""
    if not knows_mixtures(game):
        raise DracothequeError(
            "Best mixtures are only known in Dragon’s Cave for two players, on the usual cave and with compiled rules."
        )


def cave_mind(game: Game) -> evaluators.Mind:
    """Give what was learned about the game for two, with room to think in; refuse other tables."""
    from dracotheque.games.dragons_cave.equilibrium import encoding

    require_mixtures(game)
    return network_weights.mind_with(_learned(game)[game.players], encoding.Mind)


def _learned(game: Game) -> dict[int, network_weights.Weights]:
    """Read what was learned, by number of players."""
    return evaluators.learned(game.definition.folder / "models", game.name, game.rules_version)


KINDS = {"mixer": mixer}

"""The defaults for a game's module `bots`: levels, search parameters, evaluator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from dracotheque.bots.player_view import EvaluatingBot
from dracotheque.bots.search_params import WHOLE_GAME, SearchParams
from dracotheque.engine import registry
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.game import Game
from dracotheque.engine.state import State

if TYPE_CHECKING:
    from dracotheque.bots.win_probability import Estimate
    from dracotheque.contract import GameBots

MakeBot = Callable[[str, int, Game], EvaluatingBot]
"""How a kind of bot is made: from the text after the colon of its name, a seed, and the game that it plays."""

LEVELS: Mapping[str, str] = {
    "hatchling": "greedy:60",
    "squire": "greedy:20",
    "knight": "search:200",
    "dragon": "search:2000",
}
"""How each level plays a game, the weakest first: a bot by its name."""


# --- What a game may declare in its module `bots` --------------------------------------------------------------------
@dataclass(frozen=True)
class ExactSetup:
    """The number of players and the options for which perfect play is known."""

    players: int
    options: Mapping[str, str] = field(default_factory=dict[str, str])

    def fits(self, game: Game) -> bool:
        """Return whether a game has this set-up, the current rules version and the default board."""
        return game.players == self.players and self.options.items() <= game.options.items() and is_usual(game)


class ExactValues(Protocol):
    """Exact win probabilities under perfect play; `count`, the number of simulated games, is ignored."""

    def of(self, state: State, count: int = 0) -> Estimate:
        """Return every seat's share of the victory in a position."""
        ...

    def after(self, state: State, seat: int, action: int, count: int = 0) -> Estimate:
        """Return the same after an action, averaged over what its seat cannot know."""
        ...


@dataclass(frozen=True)
class AnalysisBudget:
    """How many games an analysis simulates, and how."""

    curve: int = 20_000
    """Simulated games for the whole curve."""

    per_position: int = 300
    """Simulated games for the positions before and after a large change, with new random streams."""

    per_action: int = 20
    """Simulated games for each alternative action; the best of them are simulated again, as often as a position."""

    changes: int = 15
    """The largest changes of the curve that are simulated again."""

    by_turns: bool = False
    """Whether the curve has a point a turn, not a move."""

    depth: int = WHOLE_GAME
    """Choices of a simulation before the state heuristic values the position."""

    heuristic_percent: int = 90
    """How many of 100 choices follow the action heuristic: fewer in games where predictable players lose."""


@dataclass(frozen=True)
class Training:
    """How the value networks of a game are trained."""

    groups: tuple[tuple[int, ...], ...]
    """Numbers of players, in groups that share a network."""

    plan: Mapping[str, float]
    """Fields of `training.td_learning.Plan`."""


# --- Reading a game's module `bots` -----------------------------------------------------------------------------------
def bots_of(game: Game) -> GameBots:
    """Return a game's module `bots`, completed by the defaults."""
    return bots_in(game.definition)


def bots_in(definition: GameDefinition) -> GameBots:
    """Return the module `bots` of a definition, completed by the defaults."""
    return cast("GameBots", registry.part(definition, "bots", defaults))


def is_usual(game: Game) -> bool:
    """Return whether a game has the current rules version and the default board."""
    return game.definition is registry.games().get(game.name) and not (game.board and game.board.source)


def level_table() -> dict[str, dict[str, str]]:
    """Return the bot of each level for each game, in the set-up where the level is strongest."""
    games = {name: bots_in(game).LEVELS for name, game in registry.games().items()}
    return {level: {name: levels[level] for name, levels in games.items()} for level in LEVELS}


def search_params(game: Game, *, with_evaluator: bool) -> SearchParams:
    """Return a game's search parameters, those for a search with an evaluator or those for one without."""
    bots = bots_of(game)
    learned = bots.SEARCH_WITH_EVALUATOR
    return learned if with_evaluator and learned is not None else bots.SEARCH


def exact_values(game: Game) -> ExactValues | None:
    """Return the exact win probabilities of a game in its solved set-up, or None."""
    bots = bots_of(game)
    return bots.exact_values(game) if bots.EXACT_SETUP is not None and bots.EXACT_SETUP.fits(game) else None


def defaults(definition: GameDefinition, bots: ModuleType) -> Mapping[str, object]:
    """Return the default value of each name that a module `bots` may leave out."""
    own: Mapping[str, str] = getattr(bots, "LEVELS", LEVELS)

    def levels(game: Game) -> Mapping[str, str]:
        """Return the bot of each level."""
        return own

    def evaluator(game: Game) -> np.ndarray[tuple[int], np.dtype[np.void]] | None:
        """Return the learned evaluator, from the weights in the game's folder."""
        from dracotheque.bots import evaluators  # it needs this module

        return evaluators.learned_evaluator(game)

    def no_exact_values(game: Game) -> ExactValues | None:
        """Return None: the game is not solved."""
        return None

    return {
        "LEVELS": LEVELS,
        "KINDS": {},
        "SEARCH": SearchParams(),
        "SEARCH_WITH_EVALUATOR": None,
        "EXACT_SETUP": None,
        "ANALYSIS": AnalysisBudget(),
        "TRAINING": None,
        "levels": levels,
        "evaluator": evaluator,
        "exact_values": no_exact_values,
    }

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
"""How a kind of bot is made: from what is said behind its name, a seed, and the game that it plays."""

LEVELS: Mapping[str, str] = {
    "hatchling": "greedy:60",
    "squire": "greedy:20",
    "knight": "search:200",
    "dragon": "search:2000",
}
"""How each level plays a game, the weakest first: a bot by its name."""


# --- What a game may say of its bots --------------------------------------------------------------------------------
@dataclass(frozen=True)
class ExactSetup:
    """How a game must be set up for perfect play of it to be known."""

    players: int
    options: Mapping[str, str] = field(default_factory=dict[str, str])

    def fits(self, game: Game) -> bool:
        """Return whether a table is set up like that, under the rules in force and on the usual board."""
        return game.players == self.players and self.options.items() <= game.options.items() and is_usual(game)


class ExactValues(Protocol):
    """Says exactly how likely each seat is to win if all play perfectly; `count` is for those that reckon by games."""

    def of(self, state: State, count: int = 0) -> Estimate:
        """Return every seat's share of the victory in a position."""
        ...

    def after(self, state: State, seat: int, action: int, count: int = 0) -> Estimate:
        """Return the same after a choice, as far as its seat knows the position."""
        ...


@dataclass(frozen=True)
class AnalysisBudget:
    """How many games are played on from the positions of one that is analysed."""

    curve: int = 20_000
    closely: int = 300
    """For a position that is looked at closely."""

    choice: int = 20
    """For each choice at the first look; those that promise most are then looked at closely."""

    looked_at: int = 15
    """Changes that are looked at closely."""

    by_turns: bool = False
    """Whether the curve has a point a turn, not a move."""

    depth: int = WHOLE_GAME
    """Choices played on before the outlook is asked."""

    advice: int = 90
    """How many of 100 choices are made by advice: fewer where who is easily guessed loses."""


@dataclass(frozen=True)
class Training:
    """How a game is learned by playing it."""

    groups: tuple[tuple[int, ...], ...]
    """Numbers of players, in groups that share what is learned."""

    plan: Mapping[str, float]
    """Fields of `training.td_learning.Plan`."""


# --- What is asked of it --------------------------------------------------------------------------------------------
def bots_of(game: Game) -> GameBots:
    """Return a game's `bots`, with what it leaves out from here."""
    return bots_in(game.definition)


def bots_in(definition: GameDefinition) -> GameBots:
    """Return the `bots` of a game that need not be opened."""
    return cast("GameBots", registry.part(definition, "bots", defaults))


def is_usual(game: Game) -> bool:
    """Return whether a table has the rules in force and no board of one's own."""
    return game.definition is registry.games().get(game.name) and not (game.board and game.board.source)


def level_table() -> dict[str, dict[str, str]]:
    """Return for each level how it plays each game, at the tables where it is strongest."""
    games = {name: bots_in(game).LEVELS for name, game in registry.games().items()}
    return {level: {name: levels[level] for name, levels in games.items()} for level in LEVELS}


def search_params(game: Game, *, with_evaluator: bool) -> SearchParams:
    """Return how a search goes about a game best, where something was learned that fits the table or not."""
    bots = bots_of(game)
    learned = bots.SEARCH_WITH_EVALUATOR
    return learned if with_evaluator and learned is not None else bots.SEARCH


def exact_values(game: Game) -> ExactValues | None:
    """Return what knows perfect play of a table; None where nobody does."""
    bots = bots_of(game)
    return bots.exact_values(game) if bots.EXACT_SETUP is not None and bots.EXACT_SETUP.fits(game) else None


def defaults(definition: GameDefinition, bots: ModuleType) -> Mapping[str, object]:
    """Return what answers for a game's bots where it leaves something out."""
    own: Mapping[str, str] = getattr(bots, "LEVELS", LEVELS)

    def levels(game: Game) -> Mapping[str, str]:
        """Return how each level plays at a table."""
        return own

    def evaluator(game: Game) -> np.ndarray[tuple[int], np.dtype[np.void]] | None:
        """Return what was learned about a table, from the weights in the game's folder."""
        from dracotheque.bots import evaluators  # it needs this module

        return evaluators.learned_evaluator(game)

    def no_exact_values(game: Game) -> ExactValues | None:
        """Return None: nobody knows perfect play."""
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

"""The levels a person can choose: a fixed bot for every game, each clearly better than the one below.

`docs/strength.md` has the tournaments that show it. Searches are measured by simulations, not by time, so that a level
is as strong on every machine; where one is very slow, `within` keeps people from waiting.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dracotheque.bots.view import Valuer, View
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.games import find_box

LEVELS: dict[str, dict[str, str]] = {
    "hatchling": {
        "emerald": "greedy:45",
        "dragons-cave": "greedy:50",
        "gran": "greedy:35",
        "save-the-dragon": "greedy:70",
    },
    "squire": {
        "emerald": "greedy:10",
        "dragons-cave": "greedy:10",
        "gran": "greedy:10",
        "save-the-dragon": "greedy:45",
    },
    "knight": {
        "emerald": "search:200:explore=0.5:wide=1:advice=70:within=0.25",
        "dragons-cave": "search:1200:within=0.25",
        "gran": "search:150:explore=0.15:depth=0:within=0.25",
        "save-the-dragon": "greedy:15",
    },
    "dragon": {
        "emerald": "search:1800:within=1.4",
        "dragons-cave": "mixer:60:hunch=50",
        "gran": "search:500:within=1.4",
        "save-the-dragon": "search:10000:within=1.4",
    },
}
"""How each level plays each game: a bot by its name. Only Dragons go by what was learned or solved."""

ELSEWHERE = {"dragons-cave": "search:3000:within=1.4"}
"""How a Dragon plays where best mixtures are not known: with three or four players, on other caves, or uncompiled."""

MIXER = "mixer"
"""The kind of bot that mixes best, where that was learned."""

ORACLE = "oracle"
"""The level above all of them, where perfect play is known."""


@dataclass(frozen=True)
class Solved:
    """How a game must be set up for perfect play of it to be known."""

    players: int
    options: dict[str, str]


SOLVED = {"save-the-dragon": Solved(2, {"youngest": "nobody"})}


def is_solved(game: Game) -> bool:
    """Whether the Oracle can play a game as it was set up; rules that are no longer in force it does not know."""
    known = SOLVED.get(game.name)
    if (
        known is None
        or game.players != known.players
        or not known.options.items() <= game.options.items()
        or game.box is not find_box(game.name)
    ):
        return False
    from dracotheque.solve import solution  # few need it

    return solution.fits()


def require_known(game: Game, bot: str) -> None:
    """Refuse a game to bots that only know others: the Oracle, and those that mix."""
    if bot.partition(":")[0] == MIXER:
        from dracotheque.bots import minds  # few need it

        minds.require_mixtures(game)
    if bot == ORACLE and not is_solved(game):
        raise DracothequeError(
            "The Oracle only knows Save the Dragon for two players, without the variant for the little ones."
        )


def bot_name(level: str, game: Game) -> str:
    """Name the bot of a level at a table."""
    name = LEVELS[level][game.name]
    if name.startswith(MIXER):
        from dracotheque.bots import minds  # few need it

        return name if minds.knows_mixtures(game) else ELSEWHERE[game.name]
    return name


class Level:
    """Plays every game as its level does."""

    def __init__(self, level: str, make: Callable[[str], Valuer]) -> None:
        """Wait for a game to be seen; `make` makes a bot by its name."""
        self.level, self.make = level, make
        self.name = ""
        self.seconds: float | None = None
        self.bot: Valuer | None = None

    def choose(self, view: View) -> int:
        """Choose as the bot of this level for this game does."""
        return self._bot(view).choose(view)

    def hurry(self, seconds: float) -> None:
        """Let a bot that thinks ahead think no longer than this about each choice from now on."""
        self.seconds = seconds
        if self.bot is not None:
            getattr(self.bot, "hurry", lambda seconds: None)(seconds)

    def values(self, view: View) -> dict[int, float]:
        """Say how that bot values each choice."""
        return self._bot(view).values(view)

    def _bot(self, view: View) -> Valuer:
        """Find the bot of this game."""
        name = bot_name(self.level, view.game)
        if self.bot is None or self.name != name:
            self.name, self.bot = name, self.make(name)
            if self.seconds is not None:
                self.hurry(self.seconds)
        return self.bot

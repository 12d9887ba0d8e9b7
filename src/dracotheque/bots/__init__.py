"""Bots: from an observation to an action. One file a kind; `make_bot` makes them by name."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path

from dracotheque.bots.default_bots import MakeBot, bots_in, bots_of
from dracotheque.bots.greedy import GreedyBot
from dracotheque.bots.levels import LEVELS, bot_name
from dracotheque.bots.player_view import Bot, EvaluatingBot
from dracotheque.bots.random_bot import RandomBot
from dracotheque.engine import registry
from dracotheque.engine.errors import DracothequeError, unknown
from dracotheque.engine.game import Game

__all__ = ["KINDS", "Bot", "EvaluatingBot", "is_known", "kinds_of", "make_bot"]


def make_bot(name: str, seed: int, game: Game) -> Bot:
    """Make a bot for a game by level or kind (`knight`, `search:1s`) or from your own file (`my_bot.py:Brave`)."""
    file, colon, class_name = name.rpartition(":")
    if colon and file.endswith(".py"):
        return _own_kind(Path(file), class_name)(seed)
    return _our_kind(name, seed, game)


def _our_kind(name: str, seed: int, game: Game) -> EvaluatingBot:
    """Make a bot of the library, or raise an error for one that only plays other games."""
    kind, _, parameters = name.partition(":")
    known = kinds_of(game)
    if kind in known:
        return known[kind](parameters, seed, game)
    others = [other.title for other in registry.games().values() if kind in bots_in(other).KINDS]
    if others:
        raise DracothequeError(f"The bot {kind} does not play {game.definition.title}, only {', '.join(others)}.")
    raise unknown("bot", name, [*known])


def kinds_of(game: Game) -> Mapping[str, MakeBot]:
    """Return every kind of bot that plays a game, by name: those for all games, and the game's own."""
    return {**KINDS, **bots_of(game).KINDS}


def is_known(name: str) -> bool:
    """Return whether a bot is of the library or of a game, so that a stored game may name it."""
    kind = name.partition(":")[0]
    return kind in KINDS or any(kind in bots_in(game).KINDS for game in registry.games().values())


def plain_kind(name: str, maker: Callable[[int, Game], EvaluatingBot]) -> MakeBot:
    """Make a kind of bot without parameters."""

    def make(parameters: str, seed: int, game: Game) -> EvaluatingBot:
        if parameters:
            raise DracothequeError(f"The bot {name} takes no value (got {parameters!r}). Remove ':{parameters}'.")
        return maker(seed, game)

    return make


def _greedy(percent: str, seed: int, game: Game) -> EvaluatingBot:
    """Make a greedy bot that overlooks a percentage of the legal actions."""
    if percent and not (percent.isdecimal() and int(percent) <= 100):
        raise DracothequeError(
            f"Invalid error rate {percent!r} for bot greedy. Use 0 to 100 percent, such as greedy:30."
        )
    return GreedyBot(seed, int(percent or 0) / 100)


def _search(budget: str, seed: int, game: Game) -> EvaluatingBot:
    """Make a search bot; its module is imported here since it is slow to import."""
    from dracotheque.bots.mcts_bot import SearchBot, read_budget

    return SearchBot(seed, read_budget(budget or "1s"))


def _level(level: str) -> MakeBot:
    """Make the kind of a level: in each game the bot that plays it."""
    return plain_kind(level, lambda seed, game: _our_kind(bot_name(level, game), seed, game))


def _own_kind(path: Path, class_name: str) -> Callable[[int], Bot]:
    """Load a bot class from a Python file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise DracothequeError(f"Cannot find the file {path}. Write your own bot as FILE.py:CLASS.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, class_name, None)):
        raise DracothequeError(f"{path} has no class {class_name}. Check the name after the colon.")
    return getattr(module, class_name)


KINDS: Mapping[str, MakeBot] = {
    **{level: _level(level) for level in LEVELS},
    "random": plain_kind("random", lambda seed, game: RandomBot(seed)),
    "greedy": _greedy,
    "search": _search,
}
"""The kinds of bot that play every game, by name; a game's module `bots` may add others for that game."""

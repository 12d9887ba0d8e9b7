"""Bots: they see what their seat may see, and choose. One file a kind; `make_bot` finds them by name."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path

from dracotheque.bots.greedy import GreedyBot
from dracotheque.bots.levels import LEVELS, MIXER, ORACLE, Level
from dracotheque.bots.random_bot import RandomBot
from dracotheque.bots.view import Bot, Valuer
from dracotheque.engine.errors import DracothequeError, unknown

__all__ = ["KINDS", "Bot", "Valuer", "is_known", "make_bot"]


def make_bot(name: str, seed: int) -> Bot:
    """Make a bot by its level or kind (`knight`, `search:1s`) or from a file of your own (`my_bot.py:Brave`)."""
    file, colon, class_name = name.rpartition(":")
    if colon and file.endswith(".py"):
        return _own_kind(Path(file), class_name)(seed)
    return _our_kind(name, seed)


def _our_kind(name: str, seed: int) -> Valuer:
    """Make one of our bots."""
    kind, _, wish = name.partition(":")
    if kind not in KINDS:
        raise unknown("bot", name, [*KINDS])
    return KINDS[kind](wish, seed)


def is_known(name: str) -> bool:
    """Say whether a bot is one of ours, which a stored game may name."""
    return name.partition(":")[0] in KINDS


def _plain(name: str, maker: Callable[[int], Valuer]) -> Callable[[str, int], Valuer]:
    """Make a kind of bot that nothing more can be said of."""

    def make(wish: str, seed: int) -> Valuer:
        if wish:
            raise DracothequeError(f"There is nothing to say of the bot “{name}”: leave “:{wish}” away.")
        return maker(seed)

    return make


def _greedy(wish: str, seed: int) -> Valuer:
    """Make a greedy bot that overlooks so many of 100 choices."""
    if wish and not (wish.isdecimal() and int(wish) <= 100):
        raise DracothequeError(f"“greedy:{wish}” does not say how much it overlooks: write greedy:30 for 30 of 100.")
    return GreedyBot(seed, int(wish or 0) / 100)


def _search(wish: str, seed: int) -> Valuer:
    """Make a bot that searches; it is imported only then, since not everybody wants one."""
    from dracotheque.bots.search import SearchBot, read_plan

    return SearchBot(seed, read_plan(wish or "1s"))


def _mixer(wish: str, seed: int) -> Valuer:
    """Make a bot that mixes best, `mixer:60`, or one with a hunch, `mixer:60:hunch=50`."""
    from dracotheque.bots.mixing import BUDGET, HUNCH, MixingBot

    found = re.fullmatch(r"([1-9]\d{0,3})?(?:(?:^|:)hunch=(\d\d?))?", wish)
    if found is None:
        raise DracothequeError(
            f"“mixer:{wish}” is not understood: write mixer:{BUDGET} for the positions it solves, and "
            f"mixer:{BUDGET}:hunch=50 if it should think 50 of 100 others go by the advice."
        )
    return MixingBot(seed, int(found[1] or BUDGET), int(found[2] or HUNCH))


def _oracle(seed: int) -> Valuer:
    """Make the bot that knows solved games; it is imported only then, as its table is large."""
    from dracotheque.bots.oracle import OracleBot

    return OracleBot(seed)


def _level(level: str) -> Callable[[str, int], Valuer]:
    """Make a kind that plays every game as strongly as its level says."""
    return _plain(level, lambda seed: Level(level, lambda name: _our_kind(name, seed)))


def _own_kind(path: Path, class_name: str) -> Callable[[int], Bot]:
    """Find a bot class in a person's own Python file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise DracothequeError(f"There is no file {path}. Write a bot of your own as FILE.py:CLASS.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, class_name, None)):
        raise DracothequeError(f"{path} has no class {class_name}.")
    return getattr(module, class_name)


KINDS: dict[str, Callable[[str, int], Valuer]] = {
    **{level: _level(level) for level in LEVELS},
    ORACLE: _plain(ORACLE, _oracle),
    "random": _plain("random", RandomBot),
    "greedy": _greedy,
    "search": _search,
    MIXER: _mixer,
}
"""Every kind of bot by name; each is made from what is said behind the name, and from a seed."""

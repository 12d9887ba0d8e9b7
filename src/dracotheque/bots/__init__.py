"""Bots: they see what their seat may see, and choose. One file a kind; `make_bot` finds them by name."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from dracotheque.bots.greedy import GreedyBot
from dracotheque.bots.random_bot import RandomBot
from dracotheque.bots.view import View
from dracotheque.engine.errors import DracothequeError, unknown


class Bot(Protocol):
    """Anything that can choose."""

    def choose(self, view: View) -> int:
        """Choose one of `view.legal`."""
        ...


KINDS: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""Every kind of bot by name; each is made from a seed."""
SEARCH = "search"
"""The kind that is given a budget besides."""


def make_bot(name: str, seed: int) -> Bot:
    """Make a bot by its kind (`random`, `search:1s`) or from a file of your own (`my_bot.py:Brave`)."""
    file, colon, class_name = name.rpartition(":")
    if colon and file.endswith(".py"):
        return _own_kind(Path(file), class_name)(seed)
    kind, _, budget = name.partition(":")
    if kind == SEARCH:
        return _thinker(budget, seed)
    if name not in KINDS:
        raise unknown("bot", name, [*KINDS, SEARCH])
    return KINDS[name](seed)


def is_known(name: str) -> bool:
    """Say whether a bot is one of ours, which a stored game may name."""
    return name in KINDS or name.partition(":")[0] == SEARCH


def _thinker(budget: str, seed: int) -> Bot:
    """Make a bot that searches; it is imported only then, since not everybody wants one."""
    from dracotheque.bots.search import SearchBot, read_budget

    return SearchBot(seed, read_budget(budget or "1s"))


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

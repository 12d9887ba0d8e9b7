"""Bots: they see what their seat may see, and choose. One file a kind; `make_bot` finds them by name."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from dracotheque.bots.random_bot import RandomBot
from dracotheque.bots.view import View
from dracotheque.engine.errors import DracothequeError, unknown


class Bot(Protocol):
    """Anything that can choose."""

    def choose(self, view: View) -> int:
        """Choose one of `view.legal`."""
        ...


KINDS: dict[str, Callable[[int], Bot]] = {"random": RandomBot}
"""Every kind of bot by name; each is made from a seed."""


def make_bot(name: str, seed: int) -> Bot:
    """Make a bot by its kind (`random`) or from a file of your own (`my_bot.py:Brave`)."""
    file, colon, class_name = name.rpartition(":")
    if colon and file.endswith(".py"):
        return _own_kind(Path(file), class_name)(seed)
    if name not in KINDS:
        raise unknown("bot", name, KINDS)
    return KINDS[name](seed)


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

"""Freeze a game's rules before they change: a copy of its package that goes on playing the games already begun.

    python -m tests.tables.versions.freeze emerald

It writes `games/emerald_1` beside `games/emerald` and says what is left to do by hand.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from dracotheque import load_game


def freeze(name: str, into: Path | None = None) -> str:
    """Copy a game's package and name the copy; nothing is written over."""
    game = load_game(name, interpreted=True)
    package, version = game.definition.package, game.rules_version
    frozen = f"{package}_{version}"
    folder = (into or game.definition.folder.parent) / frozen.rpartition(".")[2]
    shutil.copytree(game.definition.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.rglob("*.py"):
        text = path.read_text("utf-8")
        path.write_text(re.sub(rf"\b{re.escape(package)}\b", frozen, text), "utf-8")
    return frozen


def main(name: str) -> None:
    """Freeze a game and say what is left to do."""
    version = load_game(name, interpreted=True).rules_version
    frozen = freeze(name)
    print(
        f"{frozen} plays version {version}. Now change the rules of {name}, raise VERSION in its rules/state.py, write"
    )
    print(f"    previous_versions={{{version}: {frozen!r}}},")
    print(f"into its GAME, and keep a game: python -m tests.tables.versions.make {name}")


if __name__ == "__main__":
    main(sys.argv[1])

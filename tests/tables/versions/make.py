"""Keep two games of a game's present rules version, one finished and one in the middle.

    python -m tests.tables.versions.make emerald

Run it once whenever a version is raised: what is kept here must be playable for ever, so nothing is written over.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from dracotheque import load_game
from dracotheque.engine.log import FairnessRecord, GameLog
from dracotheque.tables.fairness import Dice, commitment_to
from tests.tables.playing import play_on

FOLDER = Path(__file__).parent
FINISHED, UNFINISHED = "finished", "unfinished"


def kept(name: str, version: int, what: str) -> Path:
    """Name the file of a kept game."""
    return FOLDER / f"{name}-v{version}{'' if what == FINISHED else f'-{what}'}.json"


def main(name: str) -> None:
    """Play both games and write them."""
    game = load_game(name)
    for number, what in enumerate((FINISHED, UNFINISHED)):
        path = kept(name, game.rules_version, what)
        if path.exists():
            sys.exit(f"{path.name} is kept already.")
        seed, table = commitment_to(f"{name} {number}".encode()), f"kept-{number}"
        dice = Dice(bytes.fromhex(seed), table, "a/b")
        state = play_on(game.new_initial_state(), dice, Random(number))
        moves = state.move_number() if what == FINISHED else state.move_number() // 2
        half = play_on(game.new_initial_state(), dice, Random(number), moves)
        revealed = seed if what == FINISHED else None
        GameLog.of(half, dice=FairnessRecord(table, commitment_to(bytes.fromhex(seed)), "a/b", revealed)).save(path)


if __name__ == "__main__":
    main(sys.argv[1])

"""Compiling a game's rules ahead of time, so that nobody waits in the middle of a move."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from dracotheque.engine import cache
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Box, Game

PARTS = ("moves", "games")
"""What is compiled side by side: the doors for single moves, and whole games in one go."""


def is_warm(box: Box) -> bool:
    """Say whether a game's rules are compiled as they are now."""
    return all(_mark(box, part).exists() for part in PARTS)


def warm(boxes: Iterable[Box], tell: Callable[[int, int], None] = lambda done, parts: None) -> None:
    """Compile what is not compiled yet, in parallel processes; `tell` hears how many parts of all are done."""
    cold = [(box, part) for box in boxes for part in PARTS if not _mark(box, part).exists()]
    tell(0, len(cold))
    running = [_compiling(box, part) for box, part in cold]
    failed = 0
    for done, process in enumerate(running, 1):
        failed += process.wait() != 0
        tell(done, len(cold))
    if failed:
        raise DracothequeError("The rules could not be compiled; the reason stands above.")


def _compiling(box: Box, part: str) -> subprocess.Popen[bytes]:
    """Start a process that compiles one part, with the very package that is running here."""
    path = os.pathsep.join([str(cache.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-c", f"from {__name__} import main; main()", box.name, part]
    environment = {k: v for k, v in os.environ.items() if k != "DRACOTHEQUE_INTERPRETED"}
    return subprocess.Popen(command, env=environment | {"PYTHONPATH": path})


def _mark(box: Box, part: str) -> Path:
    """Name the file that says a part is compiled."""
    return cache.folder() / f"{box.name}.{part}"


def compile_part(box: Box, part: str) -> None:
    """Compile one part of a game by using it once."""
    game = Game(box, box.usual, {})
    doors, desk = game.layout.doors, game.layout.new_desk()
    desk.set_state(game.start())
    if part == "games":
        bench = game.layout.new_bench(game.start())
        doors.batch(bench.handle, 0, 0, 0)
    else:
        doors.begin(desk.handle)
        doors.chance(desk.handle)
        doors.drawn(desk.handle, 0)
        doors.legal(desk.handle, 0)
        doors.step(desk.handle, 0, 0)
        doors.points(desk.handle)
        doors.seen(desk.handle, 0)
        doors.imagined(desk.handle, 0)
        desk.tensor(doors.numbers, 0, game.observation_tensor_size())
    _mark(box, part).touch()


def main() -> None:
    """Compile the part of the game that the command line names."""
    from dracotheque.games import find_box

    compile_part(find_box(sys.argv[1]), sys.argv[2])

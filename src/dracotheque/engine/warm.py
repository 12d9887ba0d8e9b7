"""Compiling a game's rules ahead of time, so that nobody waits in the middle of a move."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from dracotheque.engine import cache
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Box, Game

MOVES, GAMES, ADVICE, SEARCH = "moves", "games", "advice", "search"
PLAY = (MOVES, GAMES)
"""What everybody needs: the doors for single moves, and whole games in one go."""
ALL = (*PLAY, ADVICE, SEARCH)
"""What is compiled side by side; the last two are for bots that think."""
_ready: set[tuple[str, tuple[str, ...]]] = set()  # the packages that this process has seen to be compiled


def is_warm(box: Box, parts: Iterable[str] = PLAY) -> bool:
    """Say whether parts of a game's rules are compiled as they are now."""
    return all(_mark(box, part).exists() for part in parts)


def warm(
    boxes: Iterable[Box],
    tell: Callable[[int, int], None] = lambda done, parts: None,
    parts: Iterable[str] = PLAY,
) -> None:
    """Compile what is not compiled yet, a process on every core; `tell` hears how many parts of all are done."""
    cold = [(box, part) for box in boxes for part in parts if not _mark(box, part).exists()]
    tell(0, len(cold))
    failed = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        running = [pool.submit(_compiling, box, part) for box, part in cold]
        for done, process in enumerate(as_completed(running), 1):
            failed += process.result() != 0
            tell(done, len(cold))
    if failed:
        raise DracothequeError("The rules could not be compiled; the reason stands above.")


def make_ready(box: Box, parts: tuple[str, ...] = PLAY) -> None:
    """Compile what a game needs, if it is not yet, and say so: nobody should wonder why nothing happens."""
    if (box.package, parts) in _ready or not cache.has_numba():
        return
    if not is_warm(box, parts):
        print(f"Compiling the rules of {box.title}, once: up to half a minute …", file=sys.stderr, flush=True)
        warm([box], parts=parts)
    _ready.add((box.package, parts))


def _compiling(box: Box, part: str) -> int:
    """Compile one part in a process of its own, with the very package that is running here."""
    path = os.pathsep.join([str(cache.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-c", f"from {__name__} import main; main()", box.package, part]
    environment = {k: v for k, v in os.environ.items() if k != "DRACOTHEQUE_INTERPRETED"}
    return subprocess.run(command, env=environment | {"PYTHONPATH": path}, check=False).returncode


def _mark(box: Box, part: str) -> Path:
    """Name the file that says a part is compiled."""
    return cache.folder() / f"{box.package.rpartition('.')[2]}.{part}"


def compile_part(box: Box, part: str) -> None:
    """Compile one part of a game by using it once."""
    game = Game(box, box.usual, {})
    doors, desk = game.layout.doors, game.layout.new_desk()
    desk.set_state(game.start())
    if part == GAMES:
        bench = game.layout.new_bench(game.start())
        doors.batch(bench.handle, 0, 0, 0)
    elif part == ADVICE:
        doors.address("advised")
    elif part == SEARCH:
        for door in ("roll", "go", "fresh", "marked", *(["foresee"] if game.layout.mind else [])):
            doors.address(door)
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
    """Compile the part of the game whose package the command line names."""
    compile_part(importlib.import_module(sys.argv[1]).BOX, sys.argv[2])

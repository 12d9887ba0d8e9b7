"""Compiling a game's rules ahead of time, so that nobody waits in the middle of a move."""

from __future__ import annotations

import importlib
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dracotheque.engine import cache
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Box, Game

MOVES, GAMES, ADVICE, SEARCH = "moves", "games", "advice", "search"
PLAY = (MOVES, GAMES)
"""What everybody needs: the doors for single moves, and whole games in one go."""
ALL = (*PLAY, ADVICE, SEARCH)
"""What can be compiled side by side; the last two are for bots that think."""
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
    cores = os.cpu_count() or 1
    done = itertools.count(1)  # all threads count on
    tell(0, len(cold))
    with ThreadPoolExecutor(cores) as pool:
        jobs = _jobs(cold) if len(cold) > cores else [(box, [part]) for box, part in cold]
        running = [pool.submit(_compiling, *job, lambda: tell(next(done), len(cold))) for job in jobs]
        failed = sum(process.result() != 0 for process in running)
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


def _jobs(cold: Iterable[tuple[Box, str]]) -> list[tuple[Box, list[str]]]:
    """Put parts of a game together that have much in common: one process compiles that once."""
    together = itertools.groupby(cold, lambda each: (each[0].package, each[1] in PLAY))
    return [(members[0][0], [part for _, part in members]) for members in (list(group) for _, group in together)]


def _compiling(box: Box, parts: Iterable[str], tell: Callable[[], None]) -> int:
    """Compile parts in a process of its own, with the very package that is running here; `tell` hears of each."""
    path = os.pathsep.join([str(cache.PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-c", f"from {__name__} import main; main()", box.package, *parts]
    environment = {k: v for k, v in os.environ.items() if k != "DRACOTHEQUE_INTERPRETED"} | {"PYTHONPATH": path}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        for _ in process.stdout or ():
            tell()
    return process.returncode


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
        if box.solver:
            importlib.import_module(box.solver).prepare()
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
    """Compile parts of the game whose package the command line names, and say a line for each that is done."""
    _, package, *parts = sys.argv
    box = importlib.import_module(package).BOX
    for part in parts:
        compile_part(box, part)
        print(part, flush=True)

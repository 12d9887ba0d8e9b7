"""Compiling a game's rules ahead of time, so that no move waits for the compiler."""

from __future__ import annotations

import importlib
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dracotheque.engine.jit import cache, workspace
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.game import Game

MOVES, GAMES, HEURISTICS, SEARCH = "moves", "games", "heuristics", "search"
PLAY = (MOVES, GAMES)
"""What every program needs: the functions for single moves, and for whole games."""
ALL = (*PLAY, HEURISTICS, SEARCH)
"""What can be compiled side by side; the last two are for bots."""
_ready: set[tuple[str, tuple[str, ...]]] = set()  # the packages that this process has seen to be compiled


def is_compiled(definition: GameDefinition, parts: Iterable[str] = PLAY) -> bool:
    """Return whether parts of a game's rules are compiled as they are now."""
    return all(_marker(definition, part).exists() for part in parts)


def compile_all(
    definitions: Iterable[GameDefinition],
    tell: Callable[[int, int], None] = lambda done, parts: None,
    parts: Iterable[str] = PLAY,
) -> None:
    """Compile what is not compiled yet, in a process for each core; `tell` gets the parts done, and of how many."""
    wanted = itertools.product(definitions, tuple(parts))
    cold = [(definition, part) for definition, part in wanted if not _marker(definition, part).exists()]
    cores = os.cpu_count() or 1
    done = itertools.count(1)  # all threads count on
    tell(0, len(cold))
    with ThreadPoolExecutor(cores) as pool:
        jobs = _jobs(cold) if len(cold) > cores else [(definition, [part]) for definition, part in cold]
        running = [pool.submit(_compiling, *job, lambda: tell(next(done), len(cold))) for job in jobs]
        failed = sum(process.result() != 0 for process in running)
    if failed:
        raise DracothequeError("The rules could not be compiled; the reason stands above.")


def ensure_compiled(definition: GameDefinition, parts: tuple[str, ...] = PLAY) -> None:
    """Compile what a game needs unless it is compiled, and print that this takes a while."""
    if (definition.package, parts) in _ready or not cache.has_numba():
        return
    if not is_compiled(definition, parts):
        print(compiling([definition]), file=sys.stderr, flush=True)
        compile_all([definition], parts=parts)
    _ready.add((definition.package, parts))


def compiling(games: Sequence[GameDefinition]) -> str:
    """Return the line that is shown while games are compiled."""
    each = " each" * (len(games) > 1)
    return f"Compiling {', '.join(game.title for game in games)} (first start only, up to 30 s{each})…"


def _jobs(cold: Iterable[tuple[GameDefinition, str]]) -> list[tuple[GameDefinition, list[str]]]:
    """Group the parts of a game that share code: one process compiles that once."""
    together = itertools.groupby(cold, lambda each: (each[0].package, each[1] in PLAY))
    return [(members[0][0], [part for _, part in members]) for members in (list(group) for _, group in together)]


def _compiling(definition: GameDefinition, parts: Iterable[str], tell: Callable[[], None]) -> int:
    """Compile parts in another process with the same package; `tell` is called after each."""
    path = os.pathsep.join([str(cache.PACKAGE.parent), *filter(None, sys.path)])  # where other packages' games are
    command = [sys.executable, "-c", f"from {__name__} import main; main()", definition.package, *parts]
    environment = {k: v for k, v in os.environ.items() if k != "DRACOTHEQUE_INTERPRETED"} | {"PYTHONPATH": path}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        for _ in process.stdout or ():
            tell()
    return process.returncode


def _marker(definition: GameDefinition, part: str) -> Path:
    """Name the file that says a part is compiled."""
    return cache.folder(*_made_of(definition, part)) / part


def _made_of(definition: GameDefinition, part: str) -> tuple[str, ...]:
    """Name the modules whose sources a part is compiled from."""
    also = definition.compiled_modules if part == SEARCH else ()
    return (*also, workspace.rules_module(definition.package))


def compile_part(definition: GameDefinition, part: str) -> None:
    """Compile one part of a game by using it once."""
    game = Game(definition, definition.default_players, {})
    operations, memory = game.runtime.operations, game.runtime.new_workspace()
    memory.set_state(game.start())
    if part == GAMES:
        batch = game.runtime.new_batch(game.start())
        operations.play_batch(batch.handle, 0, 0, 0)
    elif part == HEURISTICS:
        operations.address("action_heuristics")
    elif part == SEARCH:
        for name in (
            "rollout",
            "advance",
            "reset_to_determinization",
            "information_set_hash",
            *(["leaf_value_by_evaluator"] if game.runtime.evaluator else []),
        ):
            operations.address(name)
        for module in definition.compiled_modules:
            importlib.import_module(module).prepare()
    else:
        operations.begin(memory.handle)
        operations.chance(memory.handle)
        operations.sample_outcome(memory.handle, 0)
        operations.legal(memory.handle, 0)
        operations.step(memory.handle, 0, 0)
        operations.final_scores(memory.handle)
        operations.observe(memory.handle, 0)
        operations.determinize(memory.handle, 0)
        memory.observation_tensor(operations.observation_tensor, 0, game.observation_tensor_size())
    cache.ready_folder(*_made_of(definition, part))
    _marker(definition, part).touch()


def main() -> None:
    """Compile parts of the game whose package the command line names, and print a line after each."""
    _, package, *parts = sys.argv
    definition = importlib.import_module(package).GAME
    for part in parts:
        compile_part(definition, part)
        print(part, flush=True)

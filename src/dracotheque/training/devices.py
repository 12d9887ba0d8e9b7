"""The devices of self-play: this CPU, or an NVIDIA GPU with CuPy and kernels made beforehand (`make ptx`)."""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportMissingImports=false
# pyright: reportPrivateImportUsage=false
from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dracotheque.engine import registry
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cuda, workspace
from dracotheque.engine.registry import find_game
from dracotheque.training import batch_steps, trainable_games
from dracotheque.training.network import Array

THREADS = 64  # of a block
WITHOUT = "For a trial run on a CPU: dracotheque train GAME --on cpu --quick --into FOLDER."


@dataclass(frozen=True)
class Steps:
    """The steps by which a game is learned: what each is given, and how it is compiled."""

    given: dict[str, tuple[str, ...]]
    """What each is given after the number of games: tables, or numbers of a type, with 2 in rows and columns."""
    on_processor: Callable[[str], dict[str, Any]]
    """Compiles each for this processor, for the rules that a module has."""
    on_card: Callable[[Any, Any], dict[str, Any]]
    """Builds each kernel with numba.cuda for a type of workspace."""
    made_of: tuple[Path, ...]
    """The sources of all steps beside the rules."""


STEPS = Steps(
    {
        "advance": ("games", "streams:u8", "picked:i8", "after", "starts", "results:f4:2", "ended:i4", "numbers:i4:2",
                    "choices:i4:2", "sight:f4:2"),
        "expand": ("games", "owner:i8", "rank:i8", "choices:i4:2", "after", "results:f4:2", "ended:i4", "leads:i4",
                   "likings:i4", "sight:f4:2"),
    },
    batch_steps.on_processor,
    batch_steps.on_card,
    (Path(__file__), Path(batch_steps.__file__)),
)  # fmt: skip
"""Those of a game of open choices."""


class CpuDevice:
    """Games one after another, in compiled code."""

    def __init__(self, game: Game, steps: Steps = STEPS) -> None:
        """Return a workspace."""
        self.xp: ModuleType = np
        self.state = game.runtime.state
        self.workspaces = np.zeros(1, workspace.workspace_type(self.state, game.runtime.room))
        self.steps = steps.on_processor(game.rules.__name__)

    def records(self, count: int) -> Array:
        """Make room for so many tables."""
        return np.zeros(count, self.state)

    def put(self, records: NDArray[np.void]) -> Array:
        """Take tables as they are."""
        return records.copy()

    def run(self, step: str, count: int, *arrays: Array) -> None:
        """Do one step of so many games."""
        self.steps[step](self.workspaces, count, *arrays)


class CudaDevice:
    """Games side by side, a thread each."""

    def __init__(self, game: Game, steps: Steps = STEPS) -> None:
        """Load the kernels of a game."""
        try:
            import cupy
        except ImportError as error:
            raise DracothequeError(
                f"Training on an NVIDIA GPU needs CuPy (pip install cupy-cuda13x). {WITHOUT}"
            ) from error
        if not cupy.cuda.is_available():
            raise DracothequeError(f"CuPy finds no NVIDIA GPU. {WITHOUT}")
        self.xp: ModuleType = cupy
        self.size, self.steps = game.runtime.state.itemsize, steps.given
        self.kernels = {
            step: cupy.RawModule(path=str(ready_ptx(game, step, steps))).get_function(cuda.KERNEL)
            for step in steps.given
        }

    def records(self, count: int) -> Array:
        """Make room for so many tables: on a card they are bytes."""
        return self.xp.zeros((count, self.size), self.xp.uint8)

    def put(self, records: NDArray[np.void]) -> Array:
        """Bring tables there."""
        return self.xp.asarray(np.frombuffer(records.tobytes(), np.uint8).reshape(-1, self.size))

    def run(self, step: str, count: int, *arrays: Array) -> None:
        """Do one step of so many games."""
        given: list[Any] = [np.int64(count)]
        for argument, array in zip(self.steps[step], arrays, strict=True):
            given += (
                cuda.passed(array, array.shape, array.strides, array.itemsize)
                if ":" in argument
                else cuda.passed(array, array.shape[:1], (self.size,), self.size)
            )
        self.kernels[step]((-(-count // THREADS),), (THREADS,), tuple(given))


# --- PTX --------------------------------------------------------------------------------------------------------
def ready_ptx(game: Game, step: str, steps: Steps = STEPS) -> Path:
    """Find the kernel of a step, made from the sources as they are now."""
    return cuda.ready_ptx(game.definition, step, steps.made_of)


def make_ptx(game: Game, steps: Steps = STEPS) -> list[Path]:
    """Compile the steps of a game to PTX; this needs numba-cuda, but no card."""
    from numba import cuda as card
    from numba import types

    from dracotheque.engine.jit import numba_dispatch  # noqa: F401 - it teaches Numba which rules belong to a record

    types_of = {"f4": types.float32, "i4": types.int32, "i8": types.int64, "u8": types.uint64}
    kernels = steps.on_card(card, workspace.workspace_type(game.runtime.state, game.runtime.room))
    paths: list[Path] = []
    for step, arguments in steps.given.items():
        signature: list[Any] = [types.int64]
        for argument in arguments:
            _, _, number = argument.partition(":")
            kind, _, dimensions = number.partition(":")
            item = types_of[kind] if kind else cuda.record_type(game)
            signature.append(types.Array(item, int(dimensions or 1), "C"))
        paths.append(cuda.write_ptx(game, kernels[step], types.void(*signature), step, steps.made_of))
    return paths


def main(arguments: Sequence[str] | None = None) -> None:
    """Write PTX files for games: whole games, and the steps of training where there is any."""
    parser = argparse.ArgumentParser(prog="python -m dracotheque.training.devices", description=main.__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    try:
        for definition in [find_game(name) for name in parser.parse_args(arguments).games] or registry.games().values():
            print(f"Compiling {definition.title} for NVIDIA cards …", flush=True)
            game = Game(definition, definition.default_players, {})
            for path in (cuda.make_ptx(game), *(make_ptx(game) if definition.name in trainable_games() else ())):
                print(f"  {path.name}: {path.stat().st_size / 1e3:.0f} kB in {path.parent}")
    except DracothequeError as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()

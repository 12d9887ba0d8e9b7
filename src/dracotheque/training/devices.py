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
    """The compiled steps of self-play: their arguments, and how they are compiled."""

    given: dict[str, tuple[str, ...]]
    """The arrays of each after the number of games: records, or numbers of a type, `:2` with two dimensions."""
    on_processor: Callable[[str], dict[str, Any]]
    """Compiles each for this CPU, for a rules module."""
    on_card: Callable[[Any, Any], dict[str, Any]]
    """Builds each kernel with numba.cuda for a type of workspace."""
    made_of: tuple[Path, ...]
    """The sources of all steps beside the rules."""


STEPS = Steps(
    {
        "advance": ("games", "streams:u8", "picked:i8", "after", "starts", "results:f4:2", "ended:i4", "numbers:i4:2",
                    "choices:i4:2", "inputs:f4:2"),
        "expand": ("games", "owner:i8", "rank:i8", "choices:i4:2", "after", "results:f4:2", "ended:i4", "turn_seats:i4",
                   "heuristics:i4", "inputs:f4:2"),
    },
    batch_steps.on_processor,
    batch_steps.on_card,
    (Path(__file__), Path(batch_steps.__file__)),
)  # fmt: skip
"""The steps of a game in turns."""


class CpuDevice:
    """Games one after another, in compiled code on this CPU."""

    def __init__(self, game: Game, steps: Steps = STEPS) -> None:
        """Compile the steps, and allocate a workspace."""
        self.xp: ModuleType = np
        self.state = game.runtime.state
        self.workspaces = np.zeros(1, workspace.workspace_type(self.state, game.runtime.room))
        self.steps = steps.on_processor(game.rules.__name__)

    def records(self, count: int) -> Array:
        """Allocate so many records."""
        return np.zeros(count, self.state)

    def put(self, records: NDArray[np.void]) -> Array:
        """Return a copy of the records."""
        return records.copy()

    def run(self, step: str, count: int, *arrays: Array) -> None:
        """Run one step of so many games."""
        self.steps[step](self.workspaces, count, *arrays)


class CudaDevice:
    """Games side by side on a GPU, a thread each."""

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
        """Allocate so many records, which are bytes on a GPU."""
        return self.xp.zeros((count, self.size), self.xp.uint8)

    def put(self, records: NDArray[np.void]) -> Array:
        """Copy records to the GPU."""
        return self.xp.asarray(np.frombuffer(records.tobytes(), np.uint8).reshape(-1, self.size))

    def run(self, step: str, count: int, *arrays: Array) -> None:
        """Run one step of so many games."""
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
    """Return the PTX file of a step; one that was made from other sources raises an error."""
    return cuda.ready_ptx(game.definition, step, steps.made_of)


def make_ptx(game: Game, steps: Steps = STEPS) -> list[Path]:
    """Compile the steps of a game to PTX; this needs numba-cuda, but no card."""
    return cuda.make_step_ptx(game, steps.on_card, steps.given, steps.made_of)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write PTX files for games: whole games, and the steps of training where there is any."""
    parser = argparse.ArgumentParser(prog="python -m dracotheque.training.devices", description=main.__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    try:
        for definition in [find_game(name) for name in parser.parse_args(arguments).games] or registry.games().values():
            print(f"Compiling {definition.title} for NVIDIA GPUs…", flush=True)
            game = Game(definition, definition.default_players, {})
            for path in (cuda.make_ptx(game), *(make_ptx(game) if definition.name in trainable_games() else ())):
                print(f"  {path.name}: {path.stat().st_size / 1e3:.0f} kB in {path.parent}")
    except DracothequeError as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()

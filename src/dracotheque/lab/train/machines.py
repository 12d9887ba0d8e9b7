"""Where a club plays: on this processor, or on an NVIDIA card with CuPy and kernels made beforehand (`make ptx`)."""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportMissingImports=false
# pyright: reportPrivateImportUsage=false
from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from dracotheque.engine import cuda, desk
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game

THREADS = 64  # of a block
WITHOUT = "To see how it goes without a card: dracotheque train GAME --on cpu --quick --into FOLDER."
STEPS: dict[str, tuple[str, ...]] = {
    "advance": ("games", "streams:u8", "picked:i8", "after", "starts", "results:f4:2", "ended:i4", "numbers:i4:2",
                "choices:i4:2", "sight:f4:2"),
    "expand": ("games", "owner:i8", "rank:i8", "choices:i4:2", "after", "results:f4:2", "ended:i4", "leads:i4",
               "likings:i4", "sight:f4:2"),
}  # fmt: skip
"""What each step is given after the number of games: tables, or numbers of a type, with 2 in rows and columns."""
CAVE_STEPS = {"follow": ("board", "keys:i8", "owner:i8", "ways:i8", "after:i8", "sight:f4:2")}
"""The same for a game of sealed choices, whose rounds are followed as a whole."""


def steps_of(game: Game) -> dict[str, tuple[str, ...]]:
    """Say by which steps a game is learned."""
    return CAVE_STEPS if game.box.sealed else STEPS


class Processor:
    """Games one after another, in compiled code."""

    def __init__(self, game: Game) -> None:
        """Make a desk."""
        from dracotheque.lab.train import cave_steps, steps

        self.xp: ModuleType = np
        self.state = game.layout.state
        self.desks = np.zeros(1, desk.desk_type(self.state, game.layout.room))
        self.steps = (cave_steps if game.box.sealed else steps).on_processor()

    def records(self, count: int) -> Any:
        """Make room for so many tables."""
        return np.zeros(count, self.state)

    def put(self, records: np.ndarray[Any, Any]) -> Any:
        """Take tables as they are."""
        return records.copy()

    def run(self, step: str, count: int, *arrays: Any) -> None:
        """Do one step of so many games."""
        self.steps[step](self.desks, count, *arrays)


class Card:
    """Games side by side, a thread each."""

    def __init__(self, game: Game) -> None:
        """Load the kernels of a game."""
        try:
            import cupy
        except ImportError as error:
            raise DracothequeError(
                f"Training on an NVIDIA card needs CuPy: pip install cupy-cuda13x. {WITHOUT}"
            ) from error
        if not cupy.cuda.is_available():
            raise DracothequeError(f"CuPy finds no NVIDIA card. {WITHOUT}")
        self.xp: ModuleType = cupy
        self.size, self.steps = game.layout.state.itemsize, steps_of(game)
        self.kernels = {
            step: cupy.RawModule(path=str(ready_ptx(game, step))).get_function(cuda.KERNEL) for step in self.steps
        }

    def records(self, count: int) -> Any:
        """Make room for so many tables: on a card they are bytes."""
        return self.xp.zeros((count, self.size), self.xp.uint8)

    def put(self, records: np.ndarray[Any, Any]) -> Any:
        """Bring tables there."""
        return self.xp.asarray(np.frombuffer(records.tobytes(), np.uint8).reshape(-1, self.size))

    def run(self, step: str, count: int, *arrays: Any) -> None:
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
MADE_OF = Path(__file__), Path(__file__).with_name("steps.py"), Path(__file__).with_name("cave_steps.py")
"""The sources of all steps beside the rules: what is passed to them stands here."""


def ready_ptx(game: Game, step: str) -> Path:
    """Find the kernel of a step, made from the sources as they are now."""
    return cuda.ready_ptx(game.box, step, MADE_OF)


def make_ptx(game: Game) -> list[Path]:
    """Compile the steps of a game to PTX; this needs numba-cuda, but no card."""
    from numba import types

    types_of = {"f4": types.float32, "i4": types.int32, "i8": types.int64, "u8": types.uint64}
    paths: list[Path] = []
    for step, arguments in steps_of(game).items():
        signature: list[Any] = [types.int64]
        for argument in arguments:
            _, _, number = argument.partition(":")
            kind, _, dimensions = number.partition(":")
            item = types_of[kind] if kind else cuda.record_type(game)
            signature.append(types.Array(item, int(dimensions or 1), "C"))
        paths.append(cuda.write_ptx(game, _kernel(game, step), types.void(*signature), step, MADE_OF))
    return paths


def _kernel(game: Game, step: str) -> Any:
    """Write the kernel of a step for a game's desk."""
    from numba import cuda as card

    from dracotheque.engine import native  # noqa: F401 - it teaches Numba which rules belong to a record
    from dracotheque.lab.train import cave_steps, steps

    table = desk.desk_type(game.layout.state, game.layout.room)
    advance_one, expand_one, follow_one = steps.advance, steps.expand, cave_steps.follow

    def advance(
        count: int, games: Any, streams: Any, picked: Any, after: Any, starts: Any, results: Any, ended: Any,
        numbers: Any, choices: Any, sight: Any,
    ) -> None:  # fmt: skip
        local = card.local.array(1, table)
        n = card.grid(1)
        if n < count:
            advance_one(
                local[0], n, games, streams, picked, after, starts, results, ended, numbers, choices, sight
            )  # fmt: skip

    def expand(
        count: int, games: Any, owner: Any, rank: Any, choices: Any, after: Any, results: Any, ended: Any, leads: Any,
        likings: Any, sight: Any,
    ) -> None:  # fmt: skip
        local = card.local.array(1, table)
        n = card.grid(1)
        if n < count:
            expand_one(
                local[0], n, games, owner, rank, choices, after, results, ended, leads, likings, sight
            )  # fmt: skip

    def follow(count: int, board: Any, keys: Any, owner: Any, ways: Any, after: Any, sight: Any) -> None:
        local = card.local.array(1, table)
        n = card.grid(1)
        if n < count:
            follow_one(local[0], n, board, keys, owner, ways, after, sight)

    return {"advance": advance, "expand": expand, "follow": follow}[step]

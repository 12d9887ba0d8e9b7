"""Games on an NVIDIA GPU: with numba-cuda where it is installed, else with PTX compiled beforehand and CuPy.

Both run the same kernel on the same random streams as `play_batch`, and give the same games, bit for bit.
"""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOptionalSubscript=false, reportPrivateImportUsage=false, reportMissingImports=false
from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from dracotheque.engine.jit import cache, workspace
from dracotheque.engine import batch_totals
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.atomic_write import atomic_write
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.game import Game

# A card of compute capability 7.5 (2018) or newer can run it; `.version` is the PTX language, and an older
# number is understood by more drivers than the compiler's own.
CAPABILITY, PTX_VERSION = (7, 5), "9.0"
KERNEL = "play"
THREADS, REGISTERS = 128, 32  # of a block; and so few a thread that a multiprocessor can hold all it has room for
WIDTH = "u2"  # narrower lists of choices than on a processor: local memory is what the kernel waits for


class LaunchConfig(NamedTuple):
    """How a card plays a game best; `CUDA_LAUNCH` in its rules may say otherwise. Found by trying, on an H200."""

    rounds: int = 16
    """Rounds between two looks for games that are over: few where games differ in length, many where they go alike."""
    blocks: int = 16
    """Blocks of threads on a multiprocessor at once: fewer where more games would not fit the card's caches."""


class Kernel(Protocol):
    """A kernel that is ready to play."""

    def play(self, start: bytes, seed: int, first: int, count: int, finals: int) -> tuple[Any, bytes]:
        """Play games of a seed; give their sums and the final states of the first `finals` of them."""
        ...


def open_card(game: Game) -> Kernel:
    """Return a kernel for the GPU of this machine, or explain what is missing."""
    reasons: list[str] = []
    start = game.new_initial_state().record()
    for kind in (NumbaKernel, CupyKernel):
        try:
            kernel = kind(game)
            kernel.play(start, 0, 0, 1, 0)
        except Exception as error:  # a driver or library may fail in any way, and the next may not
            reasons.append(f"{kind.needs}: {_first_line(error)}")
        else:
            return kernel
    raise DracothequeError("No NVIDIA card can be used here.\n  " + "\n  ".join(reasons))


def _first_line(error: Exception) -> str:
    """Return the part of an error that explains it."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


class NumbaKernel:
    """Compiled on the spot by numba-cuda."""

    needs = "numba-cuda (pip install 'dracotheque[cuda]')"

    def __init__(self, game: Game) -> None:
        """Compile the kernel for the card that is here."""
        from numba import cuda

        if not cuda.is_available():
            raise DracothequeError("numba-cuda finds no card.")
        self.cuda = cuda
        self.state = game.runtime.state
        self.kernel = cuda.jit(_kernel_function(game), max_registers=REGISTERS)
        self.blocks = cuda.get_current_device().MULTIPROCESSOR_COUNT * _launch(game).blocks

    def play(self, start: bytes, seed: int, first: int, count: int, finals: int) -> tuple[Any, bytes]:
        """Play games of a seed; give their sums and the final states of the first `finals` of them."""
        begin = self.cuda.to_device(np.frombuffer(start, self.state))
        totals = self.cuda.to_device(np.zeros(batch_totals.SIZE, np.int64))
        ends = self.cuda.to_device(np.zeros(finals, self.state))
        with _tables_in_global_memory():  # it is compiled when it is launched first
            self.kernel[self.blocks, THREADS](begin, seed, first, count, totals, ends)
        return totals.copy_to_host(), ends.copy_to_host().tobytes()


class CupyKernel:
    """Compiled beforehand to PTX, loaded by CuPy: Numba is not needed."""

    needs = "CuPy and PTX (pip install cupy-cuda13x, make ptx)"

    def __init__(self, game: Game) -> None:
        """Load the PTX of a game."""
        import cupy

        if not cupy.cuda.is_available():
            raise DracothequeError("CuPy finds no card.")
        self.cupy = cupy
        self.size = game.runtime.state.itemsize
        self.kernel = cupy.RawModule(path=str(ready_ptx(game.definition))).get_function(KERNEL)
        processors = cupy.cuda.Device().attributes["MultiProcessorCount"]
        self.blocks = processors * _launch(game).blocks

    def play(self, start: bytes, seed: int, first: int, count: int, finals: int) -> tuple[Any, bytes]:
        """Play games of a seed; give their sums and the final states of the first `finals` of them."""
        begin = self.cupy.asarray(np.frombuffer(start, np.uint8))
        totals = self.cupy.zeros(batch_totals.SIZE, np.int64)
        ends = self.cupy.zeros(max(finals, 1) * self.size, np.uint8)
        numbers = [np.int64(n) for n in (seed, first, count)]
        tables = [passed(each, (count,), (self.size,), self.size) for each, count in ((begin, 1), (ends, finals))]
        added_up = passed(totals, totals.shape, totals.strides, totals.itemsize)
        self.kernel((self.blocks,), (THREADS,), (*tables[0], *numbers, *added_up, *tables[1]))
        return totals.get(), ends.get().tobytes()[: finals * self.size]


def passed(array: Any, shape: tuple[int, ...], strides: tuple[int, ...], item: int) -> list[Any]:
    """Pass CuPy's memory as Numba's kernels expect it: owner, parent, length, item size, address, shape, strides."""
    return [np.int64(n) for n in (0, 0, math.prod(shape), item, array.data.ptr, *shape, *strides)]


def _launch(game: Game) -> LaunchConfig:
    """Return how a card plays this game best."""
    return LaunchConfig(*getattr(game.runtime.rules, "CUDA_LAUNCH", ()))


@contextmanager
def _tables_in_global_memory() -> Iterator[None]:
    """Let numba-cuda keep arrays of numbers in global memory.

    It would put them into constant memory, where threads that look at different places wait for each other.
    """
    from numba.cuda.cudadrv import nvvm

    constant, nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_CONSTANT, nvvm.ADDRSPACE_GLOBAL
    try:
        yield
    finally:
        nvvm.ADDRSPACE_CONSTANT = constant


def _kernel_function(game: Game) -> Any:
    """Return the source of the kernel for a game's workspace."""
    from dracotheque.engine.jit import cuda_kernel

    workspace.rules_runtime(game.definition.package, False)  # makes the rules known to Numba
    return cuda_kernel.kernel_function(
        workspace.workspace_type(game.runtime.state, game.runtime.room, WIDTH), _launch(game).rounds
    )


# --- PTX --------------------------------------------------------------------------------------------------------
PTX_FOLDER = cache.PACKAGE / "ptx"


@functools.cache
def _source_line(package: str, more: tuple[Path, ...]) -> str:
    """Return the first line of a PTX file: a hash of the engine, a game's rules, and maybe more."""
    return f"// dracotheque {cache.digest([*cache.sources(workspace.rules_module(package)), *more])}"


def ptx_path(definition: GameDefinition, part: str = KERNEL) -> Path:
    """Name the file of a kernel: whole games, or something else with games."""
    return PTX_FOLDER / (f"{definition.name}.ptx" if part == KERNEL else f"{definition.name}.{part}.ptx")


def ready_ptx(definition: GameDefinition, part: str = KERNEL, more: tuple[Path, ...] = ()) -> Path:
    """Find a kernel of a game, made from the rules as they are now."""
    path = ptx_path(definition, part)
    if not path.is_file():
        raise DracothequeError(f"{path.name} is missing: run `make ptx` on any machine and copy it to {PTX_FOLDER}.")
    with path.open() as file:
        if file.readline().strip() != _source_line(definition.package, more):
            raise DracothequeError(f"{path.name} was made from other rules: run `make ptx` again.")
    return path


def make_ptx(game: Game) -> Path:
    """Compile whole games to PTX; this needs numba-cuda, but no card."""
    from numba import types

    states, totals = types.Array(_record_type(game), 1, "C"), types.Array(types.int64, 1, "C")
    signature = types.void(states, types.int64, types.int64, types.int64, totals, states)
    return _write_ptx(game, _kernel_function(game), signature)


def make_step_ptx(
    game: Game,
    build: Callable[[Any, Any], Mapping[str, Any]],
    steps: Mapping[str, Sequence[str]],
    more: tuple[Path, ...],
) -> list[Path]:
    """Compile kernels that do one step of many games to PTX; this needs numba-cuda, but no card.

    `build` makes them by name from `numba.cuda` and the type of a workspace. After the number of games a kernel takes
    arrays: of records, or where `steps` adds a type and a number of dimensions (`inputs:f4:2`), of those.
    """
    from numba import cuda, types

    from dracotheque.engine.jit import numba_dispatch  # noqa: F401 - registers the overloads of rules

    types_of = {"f4": types.float32, "i4": types.int32, "i8": types.int64, "u8": types.uint64}
    kernels = build(cuda, workspace.workspace_type(game.runtime.state, game.runtime.room))
    paths: list[Path] = []
    for step, arguments in steps.items():
        signature: list[Any] = [types.int64]
        for argument in arguments:
            _, _, number = argument.partition(":")
            kind, _, dimensions = number.partition(":")
            item = types_of[kind] if kind else _record_type(game)
            signature.append(types.Array(item, int(dimensions or 1), "C"))
        paths.append(_write_ptx(game, kernels[step], types.void(*signature), step, more))
    return paths


def _record_type(game: Game) -> Any:
    """Return what Numba calls the record of a game."""
    from numba import from_dtype

    workspace.rules_runtime(game.definition.package, False)  # makes the rules known to Numba
    return from_dtype(game.runtime.state)


def _write_ptx(game: Game, kernel: Any, signature: Any, part: str = KERNEL, more: tuple[Path, ...] = ()) -> Path:
    """Compile a kernel of a game and keep it; only that of whole games has few registers."""
    text = _finished(_compiled_ptx(kernel, signature), f"\n.maxnreg {REGISTERS}" if part == KERNEL else "")
    PTX_FOLDER.mkdir(exist_ok=True)
    path = ptx_path(game.definition, part)
    with atomic_write(path) as partial:
        partial.write_text(f"{_source_line(game.definition.package, more)}\n{text}")
    return path


def _compiled_ptx(kernel: Any, signature: Any) -> str:
    """Let numba-cuda compile a kernel."""
    try:
        from numba import cuda
        from numba.cuda import dispatcher
    except ImportError as error:
        raise DracothequeError("PTX is made by numba-cuda: pip install 'dracotheque[cuda]'.") from error

    class AnyCard:
        compute_capability = CAPABILITY

    # Rules called from the kernel are compiled for “the current device”: without a card, for the one we name.
    asked, dispatcher.get_current_device = dispatcher.get_current_device, AnyCard
    try:
        with _tables_in_global_memory():
            return cuda.compile_ptx(kernel, signature, cc=CAPABILITY)[0]
    finally:
        dispatcher.get_current_device = asked


def _finished(ptx: str, limit: str) -> str:
    """Return the kernel with its plain name, its limits, and the language version that drivers understand."""
    entry = re.search(r"\.entry (\w+)\([^)]*\)", ptx)
    if entry is None:
        raise DracothequeError("The compiled PTX has no kernel.")
    limited = ptx.replace(entry[0], f"{entry[0]}{limit}").replace(entry[1], KERNEL)
    return re.sub(r"^\.version .*$", f".version {PTX_VERSION}", limited, flags=re.MULTILINE)

"""The memory that rules work in: a state, a random stream and lists of choices; and the functions that call them."""

from __future__ import annotations

import array
import ctypes
import functools
import importlib
import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from dracotheque.engine import default_rules, registry, batch_totals
from dracotheque.engine.plain_state import PlainState, field_names, tagged


class Operations(Protocol):
    """The functions of `jit.operations`, each called with a workspace's handle first."""

    begin: Callable[[Any], int]
    legal: Callable[[Any, int], int]
    chance: Callable[[Any], int]
    sample_outcome: Callable[[Any, int], int]
    step: Callable[[Any, int, int], int]
    final_scores: Callable[[Any], int]
    observe: Callable[[Any, int], int]
    determinize: Callable[[Any, int], int]
    reset_to_determinization: Callable[[Any, int], int]
    information_set_hash: Callable[[Any, int], int]
    action_heuristics: Callable[[Any, int], int]
    advance: Callable[[Any, int, int], int]
    rollout: Callable[[Any, int, int], int]
    leaf_value_by_evaluator: Callable[[Any, Any], int]
    """Only of games with an evaluator."""
    observation_tensor: Callable[[Any, int, Any], int]
    play_batch: Callable[[Any, int, int, int], int]
    address: Callable[[str], int]
    """The address of an operation's machine code; interpreted rules have none."""
    open: Callable[[Iterable[str]], object]
    """Put machine code in the place of what compiles it at the first call; interpreted rules have none."""


class NativeWorkspace:
    """The workspace as one buffer; its handle is the buffer's address, since ints are the cheapest to pass."""

    def __init__(self, layout: RulesRuntime) -> None:
        """Take fresh, zeroed memory."""
        self.runtime = layout
        self.size = layout.state.itemsize
        self.memory = bytearray(layout.workspace.itemsize)
        self.handle = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        view = memoryview(self.memory)
        self.out = view[layout.out].cast("I")
        self.weights = view[layout.weights].cast("I")

    def seed(self, number: int) -> None:
        """Seed the random stream."""
        at = self.runtime.stream
        self.memory[at] = number.to_bytes(8, sys.byteorder)

    def state(self) -> bytes:
        """Return the record's bytes."""
        return bytes(self.memory[: self.size])

    def set_state(self, data: bytes) -> None:
        """Replace the record."""
        self.memory[: self.size] = data

    def observation_tensor(
        self, numbers: Callable[[Any, int, Any], int], viewer: int, size: int
    ) -> np.ndarray[Any, Any]:
        """Let the rules write the observation into a new array."""
        values = np.zeros(size, np.float32)
        numbers(self.handle, viewer, values.ctypes.data)
        return values


class CopyOnAssign:
    """A state assigned to a field is copied, as records are."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Copy a state's values into the state that is there."""
        present = self.__dict__.get(name)
        if isinstance(present, PlainState):
            present.read(value.bytes())
        else:
            self.__dict__[name] = value


class PythonWorkspace(CopyOnAssign):
    """The same for interpreted rules; its handle is the workspace itself."""

    def __init__(self, layout: RulesRuntime) -> None:
        """Take fresh, zeroed fields."""
        self.game = PlainState(layout.state, layout.rules)
        self.stream = [0]
        self.out = array.array("I", bytes(4 * layout.room))
        self.weights = array.array("I", bytes(4 * layout.room))
        self.handle = self

    def seed(self, number: int) -> None:
        """Seed the random stream."""
        self.stream[0] = number

    def state(self) -> bytes:
        """Return the record's bytes."""
        return self.game.bytes()

    def set_state(self, data: bytes) -> None:
        """Replace every field."""
        self.game.read(data)

    def observation_tensor(
        self, numbers: Callable[[Any, int, Any], int], viewer: int, size: int
    ) -> np.ndarray[Any, Any]:
        """Let the rules write the observation into a new array."""
        values = [0.0] * size
        numbers(self.handle, viewer, values)
        return np.array(values, np.float32)


class NativeBatch:
    """A workspace, the start of every game, and the totals of a batch, in one block of memory."""

    def __init__(self, layout: RulesRuntime, start: bytes) -> None:
        """Set up a batch whose games all begin at `start`."""
        self.memory = np.zeros(1, batch_type(layout.state, layout.room))
        self.runtime = layout
        self.handle: Any = self.memory.ctypes.data
        self.workspace_handle: Any = self.handle
        self.out, self.weights = self.memory["workspace"]["out"][0], self.memory["workspace"]["weights"][0]
        self.begin(start)

    def begin(self, start: bytes) -> None:
        """Let all games from now on begin at a state."""
        self.memory["start"] = np.frombuffer(start, self.runtime.state)

    def seed(self, number: int) -> None:
        """Seed the random stream."""
        self.memory["workspace"]["stream"] = number

    def show(self, state: bytes) -> None:
        """Copy a state into the workspace."""
        self.memory["workspace"]["game"] = np.frombuffer(state, self.runtime.state)

    @property
    def sums(self) -> np.ndarray[Any, Any]:
        """What was added up so far."""
        return self.memory["sums"][0]

    def last(self) -> bytes:
        """Return the final state of the last game."""
        return self.memory["workspace"]["game"].tobytes()


class PythonBatch(CopyOnAssign):
    """The same for interpreted rules."""

    def __init__(self, layout: RulesRuntime, start: bytes) -> None:
        """Set up a batch whose games all begin at `start`."""
        self.workspace = PythonWorkspace(layout)
        self.start = PlainState(layout.state, layout.rules, start)
        self.spare = PlainState(layout.state, layout.rules, start)
        self.sums = np.zeros(batch_totals.SIZE, np.int64)
        self.handle: Any = self
        self.workspace_handle: Any = self.workspace
        self.out, self.weights, self.seed = self.workspace.out, self.workspace.weights, self.workspace.seed

    def begin(self, start: bytes) -> None:
        """Let all games from now on begin at a state."""
        self.start.read(start)

    def show(self, state: bytes) -> None:
        """Copy a state into the workspace."""
        self.workspace.set_state(state)

    def last(self) -> bytes:
        """Return the final state of the last game."""
        return self.workspace.state()


def workspace_type(state: np.dtype[np.void], room: int, width: str = "u4") -> np.dtype[np.void]:
    """Return the type of a workspace: the state first, its stream, and `room` numbers for actions and weights."""
    return np.dtype(
        [("game", state), ("stream", "u8", (1,)), ("out", width, (room,)), ("weights", width, (room,))], align=True
    )


def batch_type(state: np.dtype[np.void], room: int, width: str = "u4") -> np.dtype[np.void]:
    """Return the type of a batch: a workspace (at the same address), the start of every game, a spare state, sums."""
    workspace = workspace_type(state, room, width)
    return np.dtype(
        [("workspace", workspace), ("start", state), ("spare", state), ("sums", "i8", (batch_totals.SIZE,))], align=True
    )


class RulesRuntime:
    """A game's rules at run time: the layout of its workspaces, and the operations on them."""

    def __init__(self, rules: ModuleType, *, interpreted: bool) -> None:
        """Make the workspace fit a game's record and its longest list of choices."""
        self.rules = rules
        self.interpreted = interpreted
        # Compiled code finds a game's rules by the type of its record: equal ones of two games must differ.
        self.state: np.dtype[np.void] = tagged(rules.State, f"{rules.__name__} {rules.VERSION}")
        self.fields = field_names(self.state)
        self.evaluator: np.dtype[np.void] | None = getattr(rules, "Evaluator", None)
        self.room = max(rules.ACTIONS, rules.OUTCOMES, 8) + 1  # one to spare: lists may write past their end
        self.workspace = workspace_type(self.state, self.room)
        at = {name: field[1] for name, field in (self.workspace.fields or {}).items()}
        self.stream = slice(at["stream"], at["stream"] + 8)
        self.out = slice(at["out"], at["out"] + 4 * self.room)
        self.weights = slice(at["weights"], at["weights"] + 4 * self.room)
        self.operations: Operations = _python_operations() if interpreted else _native_operations(self)

    @functools.cached_property
    def moves(self) -> tuple[Callable[..., int], ...]:
        """The operations that every state holds, compiled: `step`, `legal`, `chance` and `sample_outcome`."""
        names = ("step", "legal", "chance", "sample_outcome")
        if not self.interpreted:
            self.operations.open(names)
        return tuple(getattr(self.operations, name) for name in names)

    def new_workspace(self) -> NativeWorkspace | PythonWorkspace:
        """Return a new workspace."""
        return PythonWorkspace(self) if self.interpreted else NativeWorkspace(self)

    def new_batch(self, start: bytes) -> NativeBatch | PythonBatch:
        """Set up a new batch."""
        return PythonBatch(self, start) if self.interpreted else NativeBatch(self, start)


@functools.cache
def rules_runtime(package: str, interpreted: bool) -> RulesRuntime:
    """Return the runtime of a game's package; its rules are compiled on first use."""
    return RulesRuntime(rules_of(package), interpreted=interpreted)


def rules_module(package: str) -> str:
    """Name the module of a game's package that the engine calls."""
    return f"{package}.rules"


def rules_of(package: str) -> ModuleType:
    """Return the rules of a game's package, with what they leave out."""
    return registry.part(importlib.import_module(package).GAME, "rules", default_rules.defaults)


def _python_operations() -> Operations:
    """Return the operations as plain Python: the handle of a Python workspace is the workspace."""
    from dracotheque.engine.jit import operations

    return operations  # type: ignore[return-value]


def _native_operations(layout: RulesRuntime) -> Operations:
    """Compile the operations for workspaces of this layout."""
    from dracotheque.engine.jit import numba_dispatch

    numba_dispatch.register(layout.state, layout.rules)
    batch = batch_type(layout.state, layout.room)
    return numba_dispatch.compile_operations(
        layout.rules.__name__, layout.workspace, batch, layout.rules.TENSOR_SIZE, layout.evaluator
    )

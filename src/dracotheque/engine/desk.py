"""A desk: a game's state, its random stream and room for lists of choices; and the doors into its rules."""

from __future__ import annotations

import array
import ctypes
import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from dracotheque.engine import rule, sums
from dracotheque.engine.record import Plain


class Doors(Protocol):
    """The functions of `entry`, each called with a desk's handle first."""

    begin: Callable[[Any], int]
    legal: Callable[[Any, int], int]
    chance: Callable[[Any], int]
    drawn: Callable[[Any, int], int]
    step: Callable[[Any, int, int], int]
    points: Callable[[Any], int]
    seen: Callable[[Any, int], int]
    imagined: Callable[[Any, int], int]
    fresh: Callable[[Any, int], int]
    marked: Callable[[Any, int], int]
    advised: Callable[[Any, int], int]
    go: Callable[[Any, int, int], int]
    roll: Callable[[Any, int, int], int]
    foresee: Callable[[Any, Any], int]
    """Only of games with a mind."""
    numbers: Callable[[Any, int, Any], int]
    batch: Callable[[Any, int, int, int], int]
    address: Callable[[str], int]
    """Where a door's machine code stands; interpreted rules have none."""


class NativeDesk:
    """The desk as one buffer; its handle is the buffer's address, since ints are the cheapest to pass."""

    def __init__(self, layout: Layout) -> None:
        """Take fresh, zeroed memory."""
        self.layout = layout
        self.size = layout.state.itemsize
        self.memory = bytearray(layout.desk.itemsize)
        self.handle = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        view = memoryview(self.memory)
        self.out = view[layout.out].cast("I")
        self.weights = view[layout.weights].cast("I")

    def seed(self, number: int) -> None:
        """Start the desk's random stream."""
        at = self.layout.stream
        self.memory[at] = number.to_bytes(8, sys.byteorder)

    def state(self) -> bytes:
        """Give the record's bytes."""
        return bytes(self.memory[: self.size])

    def set_state(self, data: bytes) -> None:
        """Replace the record."""
        self.memory[: self.size] = data

    def tensor(self, numbers: Callable[[Any, int, Any], int], viewer: int, size: int) -> np.ndarray[Any, Any]:
        """Let the rules write the observation into a new array."""
        values = np.zeros(size, np.float32)
        numbers(self.handle, viewer, values.ctypes.data)
        return values


class Copying:
    """A state assigned to a field is copied, as records are."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Copy a state's values into the state that is there."""
        present = self.__dict__.get(name)
        if isinstance(present, Plain):
            present.read(value.bytes())
        else:
            self.__dict__[name] = value


class PlainDesk(Copying):
    """The same for interpreted rules; its handle is the desk itself."""

    def __init__(self, layout: Layout) -> None:
        """Take fresh, zeroed fields."""
        self.game = Plain(layout.state, layout.rules)
        self.stream = [0]
        self.out = array.array("I", bytes(4 * layout.room))
        self.weights = array.array("I", bytes(4 * layout.room))
        self.handle = self

    def seed(self, number: int) -> None:
        """Start the desk's random stream."""
        self.stream[0] = number

    def state(self) -> bytes:
        """Give the record's bytes."""
        return self.game.bytes()

    def set_state(self, data: bytes) -> None:
        """Replace every field."""
        self.game.read(data)

    def tensor(self, numbers: Callable[[Any, int, Any], int], viewer: int, size: int) -> np.ndarray[Any, Any]:
        """Let the rules write the observation into a new array."""
        values = [0.0] * size
        numbers(self.handle, viewer, values)
        return np.array(values, np.float32)


class NativeBench:
    """A desk, the start of every game, and the sums of a batch, in one block of memory."""

    def __init__(self, layout: Layout, start: bytes) -> None:
        """Set up a bench whose games all begin at `start`."""
        self.memory = np.zeros(1, bench_type(layout.state, layout.room))
        self.layout = layout
        self.handle: Any = self.memory.ctypes.data
        self.desk_handle: Any = self.handle
        self.out, self.weights = self.memory["desk"]["out"][0], self.memory["desk"]["weights"][0]
        self.begin(start)

    def begin(self, start: bytes) -> None:
        """Let all games from now on begin at a state."""
        self.memory["start"] = np.frombuffer(start, self.layout.state)

    def seed(self, number: int) -> None:
        """Start the random stream of the desk."""
        self.memory["desk"]["stream"] = number

    def show(self, state: bytes) -> None:
        """Put a state on the desk."""
        self.memory["desk"]["game"] = np.frombuffer(state, self.layout.state)

    @property
    def sums(self) -> np.ndarray[Any, Any]:
        """What was added up so far."""
        return self.memory["sums"][0]

    def last(self) -> bytes:
        """Give the final state of the last game."""
        return self.memory["desk"]["game"].tobytes()


class PlainBench(Copying):
    """The same for interpreted rules."""

    def __init__(self, layout: Layout, start: bytes) -> None:
        """Set up a bench whose games all begin at `start`."""
        self.desk = PlainDesk(layout)
        self.start = Plain(layout.state, layout.rules, start)
        self.spare = Plain(layout.state, layout.rules, start)
        self.sums = np.zeros(sums.SIZE, np.int64)
        self.handle: Any = self
        self.desk_handle: Any = self.desk
        self.out, self.weights, self.seed = self.desk.out, self.desk.weights, self.desk.seed

    def begin(self, start: bytes) -> None:
        """Let all games from now on begin at a state."""
        self.start.read(start)

    def show(self, state: bytes) -> None:
        """Put a state on the desk."""
        self.desk.set_state(state)

    def last(self) -> bytes:
        """Give the final state of the last game."""
        return self.desk.state()


def desk_type(state: np.dtype[Any], room: int, width: str = "u4") -> np.dtype[Any]:
    """Cut a desk: the state first, its stream, and `room` numbers for actions and weights."""
    return np.dtype(
        [("game", state), ("stream", "u8", (1,)), ("out", width, (room,)), ("weights", width, (room,))], align=True
    )


def bench_type(state: np.dtype[Any], room: int, width: str = "u4") -> np.dtype[Any]:
    """Cut a bench: a desk (first: a bench's address is its desk's), the start of every game, a spare state, sums."""
    desk = desk_type(state, room, width)
    return np.dtype([("desk", desk), ("start", state), ("spare", state), ("sums", "i8", (sums.SIZE,))], align=True)


class Layout:
    """How a game's desks are cut, and the doors that fit them."""

    def __init__(self, rules: ModuleType, *, interpreted: bool) -> None:
        """Cut the desk to a game's record and to its longest list of choices."""
        self.rules = rules
        self.interpreted = interpreted
        self.state: np.dtype[Any] = rules.State
        self.mind: np.dtype[Any] | None = getattr(rules, "Mind", None)
        self.room = max(rules.ACTIONS, rules.OUTCOMES, 8) + 1  # one to spare: lists may write past their end
        self.desk = desk_type(self.state, self.room)
        at = {name: field[1] for name, field in (self.desk.fields or {}).items()}
        self.stream = slice(at["stream"], at["stream"] + 8)
        self.out = slice(at["out"], at["out"] + 4 * self.room)
        self.weights = slice(at["weights"], at["weights"] + 4 * self.room)
        self.doors: Doors = _plain_doors() if interpreted else _native_doors(self)

    def new_desk(self) -> NativeDesk | PlainDesk:
        """Set up a new desk."""
        return PlainDesk(self) if self.interpreted else NativeDesk(self)

    def new_bench(self, start: bytes) -> NativeBench | PlainBench:
        """Set up a new bench."""
        return PlainBench(self, start) if self.interpreted else NativeBench(self, start)


@functools.cache
def layout(package: str, interpreted: bool) -> Layout:
    """Find the layout of a game's package; rules are loaded (and compiled on first use) once."""
    rules = rule.load(f"{package}.choices", interpreted=interpreted)
    if not interpreted:
        from dracotheque.engine import native

        native.register(rules.State, rules)
    return Layout(rules, interpreted=interpreted)


def _plain_doors() -> Doors:
    """Take the entry functions as they are: a plain desk's handle is the desk."""
    return rule.load("dracotheque.engine.entry", interpreted=True)  # type: ignore[return-value]


def _native_doors(layout: Layout) -> Doors:
    """Compile the entry functions for desks of this layout."""
    from dracotheque.engine import native

    bench = bench_type(layout.state, layout.room)
    return native.doors(layout.rules.__name__, layout.desk, bench, layout.rules.TENSOR_SIZE, layout.mind)

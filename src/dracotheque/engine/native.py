"""What Numba must know: which rules belong to a record type, and how a stream and an address look in machine code."""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOptionalSubscript=false, reportOperatorIssue=false, reportPrivateImportUsage=false, reportMissingImports=false
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from operator import index
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from dracotheque.engine import cache, calls, dispatch, entry, kit, linking, playout, stream

numba = cache.numba()

from llvmlite import ir  # noqa: E402
from numba import types  # noqa: E402
from numba.extending import intrinsic, overload  # noqa: E402

OPTIONS = {"error_model": "numpy", "_nrt": False, "forceinline": True, "pipeline_class": linking.PARTS}
_rules: dict[Any, ModuleType] = {}


def register(dtype: np.dtype[Any], rules: ModuleType) -> None:
    """Let compiled generic code find a game's rules by the type of its record."""
    record = numba.from_dtype(dtype)
    if _rules.setdefault(record, rules) is not rules:
        raise TypeError(f"{rules.__name__} and {_rules[record].__name__} have the same record: add a field to one.")


def _choose_by_record(word: Callable[..., Any]) -> None:
    """Make a dispatch word compile to the function of that name in the record's own rules."""

    def choose(*arguments: Any) -> Callable[..., Any]:
        return getattr(_rules[arguments[0]], word.__name__).py_func

    choose.__signature__ = inspect.signature(word)  # type: ignore[attr-defined]
    overload(word, strict=False, jit_options=OPTIONS)(choose)


for _word in dispatch.WORDS:
    _choose_by_record(_word)

_U64 = np.uint64
_MULTIPLIER, _INCREMENT, _GOLDEN = _U64(stream.MULTIPLIER), _U64(stream.INCREMENT), _U64(stream.GOLDEN)
_MIX_1, _MIX_2 = _U64(0xBF58476D1CE4E5B9), _U64(0x94D049BB133111EB)
_ONE, _U18, _U27, _U30, _U31, _U32, _U59 = (_U64(n) for n in (1, 18, 27, 30, 31, 32, 59))
_LOW = _U64(0xFFFFFFFF)


@overload(stream.below, jit_options=OPTIONS)
def _below(stream: Any, count: Any) -> Any:
    def below(stream: Any, count: Any) -> Any:
        before = stream[0]
        stream[0] = before * _MULTIPLIER + _INCREMENT
        mixed = (((before >> _U18) ^ before) >> _U27) & _LOW
        turn = before >> _U59
        drawn = ((mixed >> turn) | (mixed << ((_U32 - turn) & _U31))) & _LOW
        return np.int64((drawn * _U64(count)) >> _U32)

    return below


@overload(stream.seeded, jit_options=OPTIONS)
def _seeded(seed: Any, number: Any) -> Any:
    def seeded(seed: Any, number: Any) -> Any:
        z = _U64(seed) * _MULTIPLIER + (_U64(number) + _ONE) * _GOLDEN
        z = (z ^ (z >> _U30)) * _MIX_1
        z = (z ^ (z >> _U27)) * _MIX_2
        return z ^ (z >> _U31)

    return seeded


@intrinsic
def _ones(typingctx: Any, bits: Any) -> Any:
    """Count the ones of a whole number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@overload(kit.bit_count, jit_options=OPTIONS)
def _bit_count(bits: Any) -> Any:
    def bit_count(bits: Any) -> Any:
        return _ones(bits)

    return bit_count


def _reader(bits: int) -> Any:
    """Make a function that reads so many bits of a record, from a byte on."""

    @intrinsic
    def read(typingctx: Any, record: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            start = builder.bitcast(arguments[0], ir.IntType(8).as_pointer())
            place = builder.bitcast(builder.gep(start, [arguments[1]]), ir.IntType(bits).as_pointer())
            return builder.zext(builder.load(place, align=1), ir.IntType(64))

        return types.uint64(record, types.intp), generate

    return read


_word, _byte = _reader(64), _reader(8)


@overload(kit.mark, jit_options=OPTIONS)
def _mark(game: Any) -> Any:
    words, size = game.size // 8 * 8, game.size

    def mark(game: Any) -> Any:
        total = _GOLDEN
        for at in range(0, words, 8):
            total = (total ^ _word(game, at)) * _MULTIPLIER
            total ^= total >> _U32
        for at in range(words, size):
            total = (total ^ _byte(game, at)) * _MULTIPLIER
            total ^= total >> _U32
        return np.int64(total >> _ONE)

    return mark


@intrinsic
def _call(typingctx: Any, door: Any, numbers: Any) -> Any:
    """Call machine code at an address with whole numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        given = [builder.extract_value(arguments[1], i) for i in range(len(numbers))]
        function = ir.FunctionType(word, [word] * len(given)).as_pointer()
        return builder.call(builder.inttoptr(arguments[0], function), given)

    return types.int64(door, numbers), generate


@overload(calls.call_with_one, jit_options=OPTIONS)
def _call_with_one(door: Any, handle: Any, number: Any) -> Any:
    def call(door: Any, handle: Any, number: Any) -> Any:
        return _call(door, (handle, np.int64(number)))

    return call


@overload(calls.call_with_two, jit_options=OPTIONS)
def _call_with_two(door: Any, handle: Any, number: Any, other: Any) -> Any:
    def call(door: Any, handle: Any, number: Any, other: Any) -> Any:
        return _call(door, (handle, np.int64(number), np.int64(other)))

    return call


@intrinsic
def _pointer(typingctx: Any, address: Any) -> Any:
    """Turn an address, a plain int, into a pointer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.intp), generate


@intrinsic
def _desk_at(typingctx: Any, address: Any, dtype: Any) -> Any:
    """See the memory at an address as a record of type `dtype`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return dtype.dtype(types.intp, dtype), generate


def doors(game: str, desk: np.dtype[Any], bench: np.dtype[Any], tensor_size: int, mind: np.dtype[Any] | None) -> Any:
    """Compile a game's doors: functions of plain ints, the first the address of a desk."""
    # Each is written out: Numba's cache would not know again a function that holds another in its closure.

    def door(function: Any, **options: Any) -> Any:
        function.__qualname__ = f"{game}.{function.__name__}"  # else machine code of two games might bear one name
        return linking.door(function, **({"_nrt": False} | options))

    @door
    def begin(address: int) -> int:
        return entry.begin(_desk_at(address, desk))

    @door
    def legal(address: int, seat: int) -> int:
        return entry.legal(_desk_at(address, desk), seat)

    @door
    def chance(address: int) -> int:
        return entry.chance(_desk_at(address, desk))

    @door
    def drawn(address: int, number: int) -> int:
        return entry.drawn(_desk_at(address, desk), number)

    @door
    def step(address: int, seat: int, action: int) -> int:
        return entry.step(_desk_at(address, desk), seat, action)

    @door
    def points(address: int) -> int:
        return entry.points(_desk_at(address, desk))

    @door
    def seen(address: int, viewer: int) -> int:
        return entry.seen(_desk_at(address, desk), viewer)

    @door
    def imagined(address: int, viewer: int) -> int:
        return entry.imagined(_desk_at(address, desk), viewer)

    @door
    def fresh(address: int, viewer: int) -> int:
        return entry.fresh(_desk_at(address, bench), viewer)

    @door
    def marked(address: int, seat: int) -> int:
        return entry.marked(_desk_at(address, bench), seat)

    @door
    def advised(address: int, seat: int) -> int:
        return entry.advised(_desk_at(address, desk), seat)

    @door
    def go(address: int, seat: int, action: int) -> int:
        return entry.go(_desk_at(address, desk), seat, action)

    @door
    def roll(address: int, depth: int, advice: int) -> int:
        return entry.roll(_desk_at(address, desk), depth, advice)

    @door
    def foresee(address: int, thoughts: int) -> int:
        return entry.foresee(_desk_at(address, desk), _desk_at(thoughts, mind))

    def batch(address: int, seed: int, first: int, count: int) -> int:
        return playout.play_batch(_desk_at(address, bench), seed, first, count)

    def numbers(address: int, viewer: int, into: int) -> int:
        values = numba.carray(_pointer(into), tensor_size, np.float32)
        return entry.numbers(_desk_at(address, desk), viewer, values)

    batch, numbers = door(batch, nogil=True), door(numbers, _nrt=True)
    functions = (
        begin, legal, chance, drawn, step, points, seen, imagined, fresh, marked, advised, go, roll, numbers, batch,
    )  # fmt: skip
    if mind is not None:
        functions += (foresee,)
    opened = SimpleNamespace()
    for function in functions:
        setattr(opened, function.__name__, _opening(opened, function))
    named = {function.__name__: function for function in functions}
    opened.address = functools.cache(lambda name: _address(named[name]))
    return opened


def _address(door: Any) -> int:
    """Say where the machine code of a door stands, compiled now if it is not yet."""
    door.compile((types.intp,) * len(inspect.signature(door.py_func).parameters))
    (compiled,) = door.overloads.values()
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)


def _opening(doors: SimpleNamespace, function: Any) -> Callable[..., int]:
    """Compile a door when it is first used; from then on let callers straight through to the machine code."""

    def first(*arguments: int) -> int:
        answer = function(*(int(index(argument)) for argument in arguments))  # one type of number, one version
        (compiled,) = function.overloads.values()
        setattr(doors, function.__name__, compiled.entry_point)  # half the price of Numba's own dispatch
        return answer

    return first

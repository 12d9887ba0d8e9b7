"""Numba's view of the rules: which ones belong to a record type, and the machine code of streams and addresses."""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOptionalSubscript=false, reportOperatorIssue=false, reportPrivateImportUsage=false, reportMissingImports=false
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from dracotheque.engine.jit import cache, function_pointers, operations, linking
from dracotheque.engine import default_rules, dispatch, rule_helpers, playout, rng

from dracotheque.engine.definition import MAX_SEATS

numba = cache.numba()

from llvmlite import ir  # noqa: E402
from numba import types  # noqa: E402
from numba.core import cgutils  # noqa: E402
from numba.extending import intrinsic, overload  # noqa: E402

_rules: dict[Any, ModuleType] = {}


def register(dtype: np.dtype[np.void], rules: ModuleType) -> None:
    """Let compiled generic code find a game's rules by the type of its record."""
    _rules[numba.from_dtype(dtype)] = rules


def _choose_by_record(generic: Callable[..., Any]) -> None:
    """Compile a function of `dispatch` to the function of that name in the rules of the record."""

    def choose(*arguments: Any) -> Callable[..., Any]:
        return getattr(_rules[arguments[0]], generic.__name__)

    choose.__signature__ = inspect.signature(generic)  # type: ignore[attr-defined]
    overload(generic, strict=False, jit_options=linking.RULE)(choose)


for _function in dispatch.RULE_FUNCTIONS:
    _choose_by_record(_function)

_U64 = np.uint64
_MULTIPLIER, _INCREMENT, _GOLDEN = _U64(rng.MULTIPLIER), _U64(rng.INCREMENT), _U64(rng.GOLDEN)
_MIX_1, _MIX_2 = _U64(0xBF58476D1CE4E5B9), _U64(0x94D049BB133111EB)
_ONE, _U18, _U27, _U30, _U31, _U32, _U59 = (_U64(n) for n in (1, 18, 27, 30, 31, 32, 59))
_LOW = _U64(0xFFFFFFFF)


@overload(rng.random_below, jit_options=linking.RULE)
def _below(stream: Any, count: Any) -> Any:
    def below(stream: Any, count: Any) -> Any:
        before = stream[0]
        stream[0] = before * _MULTIPLIER + _INCREMENT
        mixed = (((before >> _U18) ^ before) >> _U27) & _LOW
        turn = before >> _U59
        drawn = ((mixed >> turn) | (mixed << ((_U32 - turn) & _U31))) & _LOW
        return np.int64((drawn * _U64(count)) >> _U32)

    return below


@overload(rng.seeded, jit_options=linking.RULE)
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


@overload(rule_helpers.bit_count, jit_options=linking.RULE)
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


@overload(rule_helpers.state_hash, jit_options=linking.RULE)
def _state_hash(game: Any) -> Any:
    words, size = game.size // 8 * 8, game.size

    def state_hash(game: Any) -> Any:
        total = _GOLDEN
        for at in range(0, words, 8):
            total = (total ^ _word(game, at)) * _MULTIPLIER
            total ^= total >> _U32
        for at in range(words, size):
            total = (total ^ _byte(game, at)) * _MULTIPLIER
            total ^= total >> _U32
        return np.int64(total >> _ONE)

    return state_hash


# --- The defaults of rules that leave something out --------------------------------------------------------------
@overload(default_rules.action_count, strict=False, jit_options=linking.RULE)
def _action_count(game: Any) -> Any:
    actions: int = _rules[game].ACTIONS

    def action_count(game: Any) -> int:
        return actions

    return action_count


@overload(default_rules.write_numbers, jit_options=linking.RULE)
def _write_numbers(game: Any, viewer: Any, out: Any) -> Any:
    offsets, counts, sizes, halves = default_rules.number_runs(game.dtype)
    runs, seats = len(offsets), MAX_SEATS

    def write_numbers(game: Any, viewer: Any, out: Any) -> None:
        for seat in range(seats):
            out[seat] = 1.0 if seat == viewer else 0.0
        at = seats
        for run in range(runs):
            size, half = sizes[run], halves[run]
            for number in range(counts[run]):
                value = 0.0
                for byte in range(size - 1, -1, -1):
                    value = value * 256.0 + np.int64(_byte(game, offsets[run] + number * size + byte))
                if half > 0.0:
                    value = value - half if value >= half else value + half
                out[at] = value / (256.0**size - 1.0)
                at += 1

    return write_numbers


_SCRATCH = np.dtype([("numbers", "u4", (MAX_SEATS,))])


@intrinsic
def _on_stack(typingctx: Any, dtype: Any) -> Any:
    """Take room for a record on the stack of the function that is being compiled."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        room = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(8), signature.return_type.size))
        return builder.bitcast(room, context.get_value_type(signature.return_type))

    return dtype.dtype(dtype), generate


# Pasted in before it is compiled: the room must be the caller's own, and still there when this has returned.
@overload(default_rules.scratch, inline="always")
def _scratch(game: Any) -> Any:
    def scratch(game: Any) -> Any:
        return _on_stack(_SCRATCH)

    return scratch


@intrinsic
def _call(typingctx: Any, function: Any, numbers: Any) -> Any:
    """Call machine code at an address with whole numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        given = [builder.extract_value(arguments[1], i) for i in range(len(numbers))]
        function = ir.FunctionType(word, [word] * len(given)).as_pointer()
        return builder.call(builder.inttoptr(arguments[0], function), given)

    return types.int64(function, numbers), generate


@overload(function_pointers.call_with_one, jit_options=linking.RULE)
def _call_with_one(function: Any, handle: Any, number: Any) -> Any:
    def call(function: Any, handle: Any, number: Any) -> Any:
        return _call(function, (handle, np.int64(number)))

    return call


@overload(function_pointers.call_with_two, jit_options=linking.RULE)
def _call_with_two(function: Any, handle: Any, number: Any, other: Any) -> Any:
    def call(function: Any, handle: Any, number: Any, other: Any) -> Any:
        return _call(function, (handle, np.int64(number), np.int64(other)))

    return call


@intrinsic
def _pointer(typingctx: Any, address: Any) -> Any:
    """Turn an address, a plain int, into a pointer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.intp), generate


@intrinsic
def _record_at(typingctx: Any, address: Any, dtype: Any) -> Any:
    """See the memory at an address as a record of type `dtype`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return dtype.dtype(types.intp, dtype), generate


def compile_operations(
    game: str,
    workspace: np.dtype[np.void],
    batch: np.dtype[np.void],
    tensor_size: int,
    evaluator: np.dtype[np.void] | None,
) -> Any:
    """Compile the operations of a game, named by its rules: functions of plain ints, the first an address."""

    def exported(function: Any, **options: Any) -> Any:
        function.__qualname__ = f"{game}.{function.__name__}"  # else machine code of two games might bear one name
        return linking.exported(function, made_of=(game,), **({"_nrt": False} | options))

    functions = (
        *_state_operations(exported, workspace, batch, tensor_size),
        *_search_operations(exported, workspace, batch, evaluator),
    )
    opened = SimpleNamespace()
    for function in functions:
        setattr(opened, function.__name__, _opening(opened, function))
    named = {function.__name__: function for function in functions}
    opened.address = functools.cache(lambda name: _address(named[name]))
    opened.open = lambda names: [_open(opened, named[name]) for name in names]
    return opened


# Each operation is written out: Numba's cache would not know again a function that holds another in its closure.
def _state_operations(
    exported: Callable[..., Any], workspace: np.dtype[np.void], batch: np.dtype[np.void], tensor_size: int
) -> tuple[Any, ...]:
    """Compile what states and whole random games need."""

    @exported
    def begin(address: int) -> int:
        return operations.begin(_record_at(address, workspace))

    @exported
    def legal(address: int, seat: int) -> int:
        return operations.legal(_record_at(address, workspace), seat)

    @exported
    def chance(address: int) -> int:
        return operations.chance(_record_at(address, workspace))

    @exported
    def sample_outcome(address: int, number: int) -> int:
        return operations.sample_outcome(_record_at(address, workspace), number)

    @exported
    def step(address: int, seat: int, action: int) -> int:
        return operations.step(_record_at(address, workspace), seat, action)

    @exported
    def final_scores(address: int) -> int:
        return operations.final_scores(_record_at(address, workspace))

    @exported
    def observe(address: int, viewer: int) -> int:
        return operations.observe(_record_at(address, workspace), viewer)

    @exported
    def determinize(address: int, viewer: int) -> int:
        return operations.determinize(_record_at(address, workspace), viewer)

    def observation_tensor(address: int, viewer: int, into: int) -> int:
        values = numba.carray(_pointer(into), tensor_size, np.float32)
        return operations.observation_tensor(_record_at(address, workspace), viewer, values)

    def play_batch(address: int, seed: int, first: int, count: int) -> int:
        return playout.play_batch(_record_at(address, batch), seed, first, count)

    play_batch, observation_tensor = exported(play_batch, nogil=True), exported(observation_tensor, _nrt=True)
    return (
        begin, legal, chance, sample_outcome, step, final_scores, observe, determinize, observation_tensor, play_batch,
    )  # fmt: skip


def _search_operations(
    exported: Callable[..., Any],
    workspace: np.dtype[np.void],
    batch: np.dtype[np.void],
    evaluator: np.dtype[np.void] | None,
) -> tuple[Any, ...]:
    """Compile what searches need; those for the evaluator only if there is one."""

    @exported
    def reset_to_determinization(address: int, viewer: int) -> int:
        return operations.reset_to_determinization(_record_at(address, batch), viewer)

    @exported
    def information_set_hash(address: int, seat: int) -> int:
        return operations.information_set_hash(_record_at(address, batch), seat)

    @exported
    def action_heuristics(address: int, seat: int) -> int:
        return operations.action_heuristics(_record_at(address, workspace), seat)

    @exported
    def advance(address: int, seat: int, action: int) -> int:
        return operations.advance(_record_at(address, workspace), seat, action)

    @exported
    def rollout(address: int, depth: int, heuristic_percent: int) -> int:
        return operations.rollout(_record_at(address, workspace), depth, heuristic_percent)

    @exported
    def leaf_value_by_evaluator(address: int, record: int) -> int:
        return operations.leaf_value_by_evaluator(_record_at(address, workspace), _record_at(record, evaluator))

    functions = (reset_to_determinization, information_set_hash, action_heuristics, advance, rollout)
    return functions if evaluator is None else (*functions, leaf_value_by_evaluator)


def _machine_code(operation: Any) -> Any:
    """Return the compiled result of an operation, compiled now if it is not yet."""
    operation.compile((types.intp,) * len(inspect.signature(operation.py_func).parameters))
    (compiled,) = operation.overloads.values()
    return compiled


def _address(operation: Any) -> int:
    """Return the address of an operation's machine code, compiled now if it is not yet."""
    compiled = _machine_code(operation)
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)


def _open(opened: SimpleNamespace, function: Any) -> Callable[..., int]:
    """Replace an operation by its machine code: a call costs half of Numba's own dispatch."""
    machine_code = _machine_code(function).entry_point
    setattr(opened, function.__name__, machine_code)
    return machine_code


def _opening(opened: SimpleNamespace, function: Any) -> Callable[..., int]:
    """Return a function that compiles an operation at its first call."""

    def first(*arguments: int) -> int:
        return _open(opened, function)(*arguments)

    return first

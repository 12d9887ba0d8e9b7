"""The `@rule` decorator: a plain Python function, and the paragraphs of the rulebook that it carries out.

Decorators return the function they are given and note it for the compiler; nothing here imports Numba.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., Any])
Note = Callable[[Callable[..., Any], bool], None]

_noted: list[tuple[Callable[..., Any], bool]] = []  # every compiled function, and whether it is inlined
_compiler: Note | None = None
_noting = threading.Lock()


@overload
def compiled(function: Function, /) -> Function: ...
@overload
def compiled(*, inline: bool) -> Callable[[Function], Function]: ...
def compiled(function: Function | None = None, /, *, inline: bool = True) -> Function | Callable[[Function], Function]:
    """Let compiled code call a function.

    It is inlined into its callers unless `inline` is false, which a long function with many callers wants.
    """

    def note(function: Function) -> Function:
        with _noting:
            _noted.append((function, inline))
            if _compiler:
                _compiler(function, inline)
        return function

    return note(function) if function else note


def rule(*ids: str, inline: bool = True) -> Callable[[Function], Function]:
    """Mark a function as the code of the rulebook paragraphs `ids`, and let compiled code call it."""

    def mark(function: Function) -> Function:
        function.__rule_ids__ = ids  # type: ignore[attr-defined]
        return compiled(inline=inline)(function)

    return mark


def is_compiled(function: object) -> bool:
    """Return whether compiled code can call a function: whether `@rule` or `@compiled` stands above it."""
    return any(each is function for each, _ in _noted)


def tell_compiler(note: Note) -> None:
    """Give a compiler every function that is noted so far, and each that will be."""
    global _compiler
    with _noting:
        _compiler = note
        for function, inline in _noted:
            note(function, inline)


def rule_functions(module: ModuleType) -> dict[str, list[str]]:
    """Return, for every rule id, the functions of a module that carry it."""
    found: dict[str, list[str]] = {}
    for name, value in vars(module).items():
        for rule_id in getattr(value, "__rule_ids__", ()):
            found.setdefault(rule_id, []).append(name)
    return found


def interpreter_forced() -> bool:
    """Whether the environment asks for interpreted rules everywhere."""
    return os.environ.get("DRACOTHEQUE_INTERPRETED") == "1"

"""The `@rule` decorator: a Python function, the paragraphs of the rulebook it carries out, and how it runs.

The same source file runs compiled (Numba) or interpreted (plain Python); `load` imports it either way.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

# numpy's error model: no hidden branch for a division by zero; nogil: several threads may play at once;
# no reference counting: rules allocate nothing; inlined: a call costs as much as the small rule behind it;
# no wrappers: Python comes in by the doors alone (`native.doors`), and only they are cached.
JIT = {
    "error_model": "numpy",
    "nogil": True,
    "_nrt": False,
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}

_loading = threading.RLock()  # loading hides modules for a moment: one thread at a time
_interpreting = False
_twofold: set[str] = set()  # modules that exist compiled and interpreted
_plain: dict[str, ModuleType] = {}  # the interpreted ones


def compiled(function: Function) -> Function:
    """Compile a function with Numba, unless its module is being loaded to be interpreted."""
    return _compiled(function, JIT)


def compiled_apart(function: Function) -> Function:
    """Compile a function to be called: a long one with many callers would otherwise be repeated in each of them."""
    return _compiled(function, JIT | {"forceinline": False})


def _compiled(function: Function, options: dict[str, Any]) -> Function:
    """Compile a function with some of Numba's options, or leave it as it is."""
    _twofold.add(function.__module__)
    if _interpreting:
        return function
    from dracotheque.engine import linking

    return linking.part(function, **options)


def rule(*ids: str, apart: bool = False) -> Callable[[Function], Function]:
    """Mark a function as the code of the rulebook paragraphs `ids`, and compile it."""

    def mark(function: Function) -> Function:
        function.__rule_ids__ = ids  # type: ignore[attr-defined]
        return compiled_apart(function) if apart else compiled(function)

    return mark


def rule_functions(module: ModuleType) -> dict[str, list[str]]:
    """Say for every rule id which functions of a module carry it."""
    found: dict[str, list[str]] = {}
    for name, value in vars(module).items():
        for rule_id in getattr(getattr(value, "py_func", value), "__rule_ids__", ()):
            found.setdefault(rule_id, []).append(name)
    return found


def everything_interpreted() -> bool:
    """Say whether this whole program asked for interpreted rules."""
    return os.environ.get("DRACOTHEQUE_INTERPRETED") == "1"


def load(name: str, *, interpreted: bool) -> ModuleType:
    """Import a module of rules: compiled, or as a second copy of plain Python beside it."""
    if not interpreted:
        with _loading:
            return importlib.import_module(name)
    with _loading:
        if name not in _plain:
            _load_plain(name)
    return _plain[name]


def _load_plain(name: str) -> None:
    """Import a module, and the modules of rules it imports in turn, without compiling them."""
    global _interpreting
    hidden = {twin: sys.modules.pop(twin) for twin in _twofold if twin in sys.modules}
    sys.modules.update(_plain)
    _interpreting, before = True, _interpreting
    try:
        importlib.import_module(name)
    finally:
        _interpreting = before
        for twin in _twofold & sys.modules.keys():
            _plain[twin] = sys.modules.pop(twin)
        sys.modules.update(hidden)
        for twin in _plain:
            _point_parent_at(twin, hidden.get(twin))


def _point_parent_at(name: str, module: ModuleType | None) -> None:
    """Let `package.module` mean the compiled module again, or nothing where that is not loaded yet."""
    package, _, leaf = name.rpartition(".")
    if module is not None:
        setattr(sys.modules[package], leaf, module)
    elif hasattr(sys.modules[package], leaf):
        delattr(sys.modules[package], leaf)

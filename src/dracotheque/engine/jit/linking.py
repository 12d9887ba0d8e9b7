"""Linking rules into machine code: each rule is compiled once, and linked once into each exported function.

Numba makes every function ready to be called from Python: it links in what the function calls, optimises all of that
and writes machine code, on every level of calls once more. Rules are called by exported functions alone, so only those
are made ready; that takes less than half of the time.
"""

# Numba's own types are few: what it compiles is not checked here.
# pyright: basic, reportPrivateImportUsage=false, reportMissingImports=false, reportAttributeAccessIssue=false
from __future__ import annotations

import ctypes
import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any

from dracotheque.engine.jit import cache
from dracotheque.engine import rule

numba = cache.numba()

from llvmlite.binding import Linkage  # noqa: E402
from numba import _dynfunc  # noqa: E402
from numba.core.codegen import JITCodeLibrary  # noqa: E402
from numba.core.compiler import CompilerBase, DefaultPassBuilder  # noqa: E402
from numba.core.compiler_machinery import register_pass  # noqa: E402
from numba.core.registry import cpu_target  # noqa: E402
from numba.core.typed_passes import NativeLowering  # noqa: E402
from numba.extending import overload  # noqa: E402

REFUSE = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value
"""Where Python's call of an internal function ends: in the interpreter's own TypeError, where Numba would crash.

Its 0 is read as a null pointer: compilers clear the whole register.
"""


class DeferredLibrary(JITCodeLibrary):
    """Machine code to be, which knows everything it calls, what is called in turn included."""

    def add_linking_library(self, library: Any) -> None:
        """Note a library that is called, after those that it calls itself."""
        library._ensure_finalized()
        called = library._linking_libraries if isinstance(library, InternalFunction) else []
        for each in (*called, library):
            if each not in self._linking_libraries:
                self._linking_libraries.append(each)

    def link_all(self, module: Any) -> None:
        """Put everything that is called into a module, callers first: a function without a caller would be left out."""
        for library in reversed(self._linking_libraries):
            called = library.alone() if isinstance(library, InternalFunction) else library._get_module_for_linking()
            module.link_in(called, preserve=True)


class InternalFunction(DeferredLibrary):
    """The code of one function, neither put together with what it calls nor ready to be called."""

    def _ensure_finalized(self) -> None:
        """An internal function is never made ready."""

    def alone(self) -> Any:
        """The function without those that it calls; the linker may drop it where all callers inlined it."""
        module = self._final_module.clone()
        for function in module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"
        return module

    def _get_module_for_linking(self) -> Any:
        """The function and everything it calls, for a caller that is not exported."""
        if self._shared_module is None:
            module = self.alone()
            self.link_all(module)
            self._shared_module = module
        return self._shared_module


class ExportedFunction(DeferredLibrary):
    """The code of a function that is called from Python, with all it calls."""

    def finalize(self) -> None:
        """Link everything that is called, and make the whole ready."""
        self.link_all(self._final_module)
        self._linking_libraries.clear()
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise twice: only what has been simplified once shows all that can be simplified."""
        super()._optimize_final_module()
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerInternal(NativeLowering):
    """Write a function's code, and let others call it without making it ready."""

    _name = "lower_internal"

    def run_pass(self, state: Any) -> bool:
        """Do what Numba does without the last step."""
        state.library = InternalFunction(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        described = state.cr.fndesc
        # Numba knows functions again by what Python calls: here, something that refuses to be called.
        entry = _dynfunc.make_function(
            described.lookup_module(),
            described.unique_name,
            "an internal function",
            REFUSE,
            state.cr.env,
            (state.library,),
        )
        state.targetctx.insert_user_function(entry, described, [state.library])
        state.cr = state.cr._replace(cfunc=entry)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerExported(NativeLowering):
    """Write a function's code and that of all it calls."""

    _name = "lower_exported"

    def run_pass(self, state: Any) -> bool:
        """Do what Numba does, with a library that collects what is called."""
        state.library = ExportedFunction(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


def _pipeline(lower: type[NativeLowering]) -> type[CompilerBase]:
    """Numba's way of compiling with one step in place of its own."""

    class Pipeline(CompilerBase):
        def define_pipelines(self) -> list[Any]:
            usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
            usual.passes = [(lower if step is NativeLowering else step, name) for step, name in usual.passes]
            usual.finalize()
            return [usual]

    return Pipeline


INTERNAL, EXPORTED = _pipeline(LowerInternal), _pipeline(LowerExported)

# numpy's error model: no hidden branch for a division by zero; no reference counting: rules allocate nothing;
# inlined: a call costs as much as the small rule behind it; no wrapper: Python calls exported functions alone.
RULE: Any = {
    "error_model": "numpy", "_nrt": False, "forceinline": True, "no_cfunc_wrapper": True, "pipeline_class": INTERNAL,
}  # fmt: skip


def internal(function: Any, **options: Any) -> Any:
    """Compile a function that only compiled functions call; it cannot print, nor build a message to raise."""
    return numba.njit(pipeline_class=INTERNAL, **options)(function)


def _compile_when_called(function: Callable[..., Any], inline: bool) -> None:
    """Let Numba compile a plain function wherever compiled code calls it, once for each kind of arguments."""

    def choose(*_: Any) -> Callable[..., Any]:
        return function

    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    overload(function, strict=False, jit_options=RULE | {"forceinline": inline})(choose)


rule.tell_compiler(_compile_when_called)


def versions(function: Callable[..., Any]) -> list[Any]:
    """Return what Numba has made of a plain function so far, each with the types of its variables."""
    known = cpu_target.typing_context._lookup_global(function)
    made = [each for template in getattr(known, "templates", ()) for each in template._impl_cache.values()]
    return [version for dispatcher, _ in made for version in dispatcher.overloads.values()]


def exported(function: Any = None, *, made_of: tuple[str, ...] = (), **options: Any) -> Any:
    """Compile a function that Python calls and that calls rules; its machine code is kept.

    It is compiled again when its module changes, or what that imports; `made_of` names other modules, as where the
    rules come with the records that it is given.
    """
    if function is None:
        return functools.partial(exported, made_of=made_of, **options)
    with _keeping:  # Numba asks where to keep machine code when it is given a function
        numba.config.CACHE_DIR = str(cache.ready_folder(*(made_of or (function.__module__,))))
        return numba.njit(cache=True, error_model="numpy", pipeline_class=EXPORTED, **options)(function)


_keeping = threading.Lock()

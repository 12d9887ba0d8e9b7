"""How rules become machine code: each rule stays a part, and the parts are put together once behind every door.

Numba makes every function ready to be called from Python: it links in what the function calls, optimises all of that
and writes machine code, on every level of calls once more. Rules are called by doors alone, so only doors are made
ready; that takes less than half of the time.
"""

# Numba's own types are few: what it compiles is not checked here.
# pyright: basic, reportPrivateImportUsage=false, reportMissingImports=false, reportAttributeAccessIssue=false
from __future__ import annotations

import ctypes
from typing import Any

from dracotheque.engine import cache

numba = cache.numba()

from llvmlite.binding import Linkage  # noqa: E402
from numba import _dynfunc  # noqa: E402
from numba.core.codegen import JITCodeLibrary  # noqa: E402
from numba.core.compiler import CompilerBase, DefaultPassBuilder  # noqa: E402
from numba.core.compiler_machinery import register_pass  # noqa: E402
from numba.core.typed_passes import NativeLowering  # noqa: E402

REFUSE = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value
"""What Python comes to when it calls a part: the interpreter's own TypeError, where Numba would let it crash.

Its 0 is read as a null pointer: compilers clear the whole register.
"""


class Collecting(JITCodeLibrary):
    """Machine code to be, which knows everything it calls, what is called in turn included."""

    def add_linking_library(self, library: Any) -> None:
        """Note a library that is called, after those that it calls itself."""
        library._ensure_finalized()
        called = library._linking_libraries if isinstance(library, Part) else []
        for each in (*called, library):
            if each not in self._linking_libraries:
                self._linking_libraries.append(each)

    def link_all(self, module: Any) -> None:
        """Put everything that is called into a module, callers first: what nobody calls yet would be left out."""
        for library in reversed(self._linking_libraries):
            part = library.alone() if isinstance(library, Part) else library._get_module_for_linking()
            module.link_in(part, preserve=True)


class Part(Collecting):
    """The code of one function, neither put together with what it calls nor ready to be called."""

    def _ensure_finalized(self) -> None:
        """A part is never made ready."""

    def alone(self) -> Any:
        """The function without those that it calls; it may be left out where all its callers swallowed it."""
        module = self._final_module.clone()
        for function in module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"
        return module

    def _get_module_for_linking(self) -> Any:
        """The function and everything it calls, for a caller that is no door."""
        if self._shared_module is None:
            module = self.alone()
            self.link_all(module)
            self._shared_module = module
        return self._shared_module


class Door(Collecting):
    """The code of a function that is called from Python, with all its parts."""

    def finalize(self) -> None:
        """Put the parts together, and make the whole ready."""
        self.link_all(self._final_module)
        self._linking_libraries.clear()
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise twice: only what has been simplified once shows all that can be simplified."""
        super()._optimize_final_module()
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerPart(NativeLowering):
    """Write a function's code, and let others call it without making it ready."""

    _name = "lower_part"

    def run_pass(self, state: Any) -> bool:
        """Do what Numba does without the last step."""
        state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        described = state.cr.fndesc
        # Numba knows functions again by what Python calls: here, something that refuses to be called.
        entry = _dynfunc.make_function(
            described.lookup_module(), described.unique_name, "a part", REFUSE, state.cr.env, (state.library,)
        )
        state.targetctx.insert_user_function(entry, described, [state.library])
        state.cr = state.cr._replace(cfunc=entry)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerDoor(NativeLowering):
    """Write a function's code and that of all its parts."""

    _name = "lower_door"

    def run_pass(self, state: Any) -> bool:
        """Do what Numba does, with a library that collects parts."""
        state.library = Door(state.targetctx.codegen(), state.func_id.func_qualname)
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


PARTS, DOORS = _pipeline(LowerPart), _pipeline(LowerDoor)


def part(function: Any, **options: Any) -> Any:
    """Compile a function that only compiled functions call; it cannot print, nor make up a message to raise."""
    return numba.njit(pipeline_class=PARTS, **options)(function)


def door(function: Any = None, **options: Any) -> Any:
    """Compile a function that Python calls and that calls rules; its machine code is kept."""
    made = numba.njit(cache=True, error_model="numpy", pipeline_class=DOORS, **options)
    return made(function) if function else made

"""Compilation of solvers: kernels that Python starts, in several threads, and the functions that only they call."""

from __future__ import annotations

from dracotheque.engine.rule import Function


def kernel(function: Function) -> Function:
    """Compile a function that Python calls.

    Records to work with are given to it (`workspace`): a view of an array made inside would outlive it.
    """
    from dracotheque.engine.jit import linking  # it imports Numba

    return linking.exported(function, nogil=True)


def within(function: Function) -> Function:
    """Compile a function that only kernels call."""
    from dracotheque.engine.jit import linking

    return linking.internal(function, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)

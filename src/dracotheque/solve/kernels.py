"""How solvers are compiled: kernels that Python starts, several threads at once, and what only they call."""

from __future__ import annotations

from typing import Any

from dracotheque.engine import linking


def kernel(function: Any) -> Any:
    """Compile a function that Python calls.

    Records to work with are given to it (`desk`): a view of an array made inside would outlive it.
    """
    return linking.door(function, nogil=True)


def within(function: Any) -> Any:
    """Compile a function that only kernels call."""
    return linking.part(function, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)

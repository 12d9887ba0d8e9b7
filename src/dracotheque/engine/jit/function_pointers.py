"""Calls of a game's exported functions from compiled code for all games: compiled, by their machine code's address."""

from __future__ import annotations

from typing import Any


def call_with_one(function: Any, handle: Any, number: int) -> int:
    """Call an exported function with one number; compiled, it is a call by address (`jit.numba_dispatch`)."""
    return function(handle, number)


def call_with_two(function: Any, handle: Any, number: int, other: int) -> int:
    """Call an exported function with two numbers."""
    return function(handle, number, other)

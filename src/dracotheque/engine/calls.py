"""Calls to a game's doors from compiled code that knows no game: compiled, a door is the address of machine code."""

from __future__ import annotations

from typing import Any


def call_with_one(door: Any, handle: Any, number: int) -> int:
    """Go through a door with one number; compiled, it is a call by address (`native`)."""
    return door(handle, number)


def call_with_two(door: Any, handle: Any, number: int, other: int) -> int:
    """Go through a door with two numbers."""
    return door(handle, number, other)

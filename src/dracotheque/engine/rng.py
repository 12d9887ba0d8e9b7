"""Streams of random numbers: PCG32, one stream a game, the same on every machine and in every way of running.

A stream is an array (or list) that holds one unsigned 64-bit number.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

MASK = (1 << 64) - 1
MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407
GOLDEN = 0x9E3779B97F4A7C15


def seeded(seed: int, number: int) -> int:
    """Start stream `number` of a seed: SplitMix64, which scatters neighbouring numbers."""
    z = (seed * MULTIPLIER + (number + 1) * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def random_below(stream: Any, count: int) -> int:
    """Draw a number from 0 to `count - 1` (32 random bits, scaled: no number is favoured by more than 2⁻³²)."""
    before = int(stream[0])
    stream[0] = (before * MULTIPLIER + INCREMENT) & MASK
    mixed = (((before >> 18) ^ before) >> 27) & 0xFFFFFFFF
    turn = before >> 59
    drawn = ((mixed >> turn) | (mixed << (-turn & 31))) & 0xFFFFFFFF
    return (drawn * count) >> 32


class RandomSource(Protocol):
    """Where chance comes from: a `random.Random`, or anything with these of its methods."""

    def random(self) -> float:
        """A number from 0 to below 1."""
        ...

    def getrandbits(self, k: int, /) -> int:
        """A whole number of so many bits."""
        ...


@runtime_checkable
class SeekableRandomSource(RandomSource, Protocol):
    """Chance that brings the same again when it is asked again for the move of the same number."""

    def at(self, number: int) -> RandomSource:
        """Chance as it is for the move of a number, counted from 0."""
        ...

"""The helpers of rules return the same, compiled and interpreted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dracotheque.engine import rule_helpers
from dracotheque.engine.jit import cache, numba_dispatch  # noqa: F401 - native tells Numba what `bit_count` is

numba = cache.numba()
SETS = st.integers(1, (1 << 63) - 1)


@numba.njit
def counted(bits: int) -> int:
    """Count from compiled code."""
    return rule_helpers.bit_count(bits)


@numba.njit
def found(bits: int, n: int) -> int:
    """Find from compiled code."""
    return rule_helpers.nth_bit(bits, n)


@pytest.mark.parametrize("count", [rule_helpers.bit_count, counted])
@given(SETS)
def test_ones_are_counted(count: Callable[[int], int], bits: int) -> None:
    assert count(bits) == f"{bits:b}".count("1")


@pytest.mark.parametrize("find", [rule_helpers.nth_bit, found])
@given(SETS)
def test_every_one_is_found_by_its_number_from_below(find: Callable[[int, int], int], bits: int) -> None:
    places = [place for place in range(63) if bits >> place & 1]
    assert [find(bits, n) for n in range(len(places))] == places

"""Rules are compiled as parts, and made ready once behind every door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dracotheque.engine.jit import cache, linking

numba = cache.numba()


def nest() -> tuple[list[Any], Callable[[int], int]]:
    """Three parts that call each other, one of them from two sides, and a function above them."""

    @linking.internal
    def first(x):
        return x + 1 if x < 100 else x

    @linking.internal
    def second(x):
        return 2 * first(x)

    @linking.internal
    def third(x):
        return first(x) * 10

    def above(x):
        return second(x) + third(min(x, 7))

    return [first, second, third], above


def test_a_door_holds_its_parts_and_nothing_else_is_made_ready() -> None:
    parts, above = nest()
    door = linking.exported(above)
    assert [door(x) for x in (0, 3, 7, 200)] == [12, 48, 96, 480]
    assert {type(made.library) for part in parts for made in part.overloads.values()} == {linking.InternalFunction}
    (made,) = door.overloads.values()
    defined = [function.name for function in made.library._final_module.functions if not function.is_declaration]
    assert [name for name in defined if "first" in name or "third" in name] == []  # swallowed, and left out


def test_any_compiled_function_may_call_parts() -> None:
    caller = numba.njit(nest()[1])
    door = linking.exported(lambda x: caller(x) + 1)
    assert (caller(3), door(3)) == (48, 49)


def test_python_cannot_call_a_part() -> None:
    first = nest()[0][0]
    with pytest.raises(TypeError):
        first(3)
    assert linking.exported(lambda x: -first(x))(3) == -4
    with pytest.raises(TypeError):
        first(3)

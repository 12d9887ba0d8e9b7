"""Save the Dragon for two, solved: falls by two independent codes, and the check of the table that is kept."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dracotheque.games.save_the_dragon.rules.duel_evaluator import PLACES
from dracotheque.games.save_the_dragon.rules.state import FLOOR, LANES, SPOTS
from dracotheque.games.save_the_dragon.tablebase import reference_model, tablebase
from dracotheque.games.save_the_dragon.tablebase.tablebase import possible
from research.save_the_dragon import checking, stairs


def positions(count: int, seed: int = 5) -> list[tuple[int, int, int]]:
    """Choose places of two pawns and the shield at random."""
    chance, known = random.Random(seed), np.argwhere(possible()).tolist()
    return [(mine, theirs, shield) for mine, theirs, shield in (chance.choice(known) for _ in range(count))]


@pytest.mark.parametrize("seat", [0, 1])
def test_falls_by_the_compiled_rules_and_by_other_code_are_the_same(seat: int) -> None:
    waiting, likely = np.zeros(stairs.WAITING, stairs.State), np.zeros(stairs.WAITING)
    out, weights, ends = (np.zeros(size, kind) for size, kind in ((80, np.int64), (80, np.int64), (PLACES**2, float)))
    on_top = [(SPOTS - LANES, FLOOR, SPOTS - 1), (FLOOR, SPOTS - LANES, 0)]  # nobody stands above the highest step
    for mine, theirs, shield in [*positions(150), *on_top]:
        for door in range(LANES):
            stairs.set_out(waiting[0], seat, mine, theirs, shield, (door + 1) % LANES)
            stairs.fall(seat, waiting, likely, out, weights, ends, door)
            pawns = (mine, theirs) if seat == 0 else (theirs, mine)
            found = reference_model.ends(pawns, shield, door)
            other = np.zeros(PLACES**2)
            for after, chance in found.items():
                other[after[seat] * PLACES + after[1 - seat]] = chance
            assert np.abs(other - ends).max() < 1e-12


def test_the_kept_solution_fits_what_follows_from_it() -> None:
    found = checking.check(tablebase.read(), 400, seed=9)
    assert found.positions == 400
    assert found.error < 3 / tablebase.FULL


def test_a_wrong_value_is_noticed() -> None:
    values = tablebase.read()
    values[values > 0] *= 0.999
    assert checking.check(values, 60).error > 1e-4

"""Positions of Dragon's Cave for two, written down as a number: laid out again, and shown to the network."""

from __future__ import annotations

from random import Random

import numpy as np

from dracotheque.games.dragons_cave.equilibrium import round_graph
from tests.games.dragons_cave.round_positions import key_of, laid_out, met, the_cave


def test_a_position_is_laid_out_as_it_was_written_down() -> None:
    game = the_cave()
    for key in met(game, 6):
        state = laid_out(game, key)
        assert key_of(state) == key
        table = state.to_plain()
        assert table.treasure + sum(table.purse[:2]) + sum(table.chest[:2]) == 44
        assert (state.current_player(), table.dragon_seat) == (0, 1)


def test_whose_seat_it_is_and_which_dwarf_is_which_is_not_written_down() -> None:
    game, chance = the_cave(), Random(4)
    for key in met(game, 3)[:60]:
        state = laid_out(game, key)
        record = np.frombuffer(state.record(), round_graph.State).copy()
        for field in ("hand", "purse", "chest"):
            record[field][0, :2] = record[field][0, :2][::-1]
        record["place"][0] = record["place"][0][[1, 0, 3, 2] if chance.random() < 0.5 else [3, 2, 1, 0]]
        record["dragon_seat"] = 0
        assert int(round_graph.key_of(record[0])) == key

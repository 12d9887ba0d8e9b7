"""Positions of Dragon's Cave for two, written down as a number: laid out again, and shown to the network."""

from __future__ import annotations

from random import Random

import numpy as np

from dracotheque import Game, State, load_game
from dracotheque.games.dragons_cave.equilibrium import round_graph
from dracotheque.games.dragons_cave.rules.state import SEAL
from tests.bots.moments import put, states


def the_cave() -> Game:
    return load_game("dragons-cave", players=2, first_dragon="2")


def key_of(state: State) -> int:
    return int(round_graph.key_of(np.frombuffer(state.record(), round_graph.State)[0]))


def laid_out(game: Game, key: int) -> State:
    """A position as a state: seat 0 leads the dwarves."""
    record = np.frombuffer(game.beginning[0], round_graph.State).copy()
    round_graph.set_position(record[0], key)
    state = game.new_initial_state()
    put(state, record.tobytes())
    return state


def met(game: Game, games: int, seed: int = 1) -> list[int]:
    """Positions of random games at the beginning of a round."""
    found = dict[int, None]()
    for number in range(games):
        for state, _ in states(game, seed + number):
            if state.to_plain().phase == SEAL:
                found[key_of(state)] = None
    return [*found]


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

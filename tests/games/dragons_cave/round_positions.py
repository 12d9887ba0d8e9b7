"""Positions of Dragon's Cave for two at the beginning of a round, by their numbers."""

from __future__ import annotations

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

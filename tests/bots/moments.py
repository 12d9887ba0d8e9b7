"""Positions of games in which a seat has to choose, for tests of bots."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from dracotheque import Game, State
from dracotheque.bots import Bot
from dracotheque.bots.player_view import PlayerView, player_view
from dracotheque.engine.dispatch import CHANCE
from dracotheque.simulation.simulate import asked, play_with_bots


def states(game: Game, seed: int) -> Iterator[tuple[State, int]]:
    """Go through a random game: every state in which a seat must choose, and the seat."""
    state, chance = game.new_initial_state(), Random(seed)
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            state.apply_action(state.sample_chance(chance))
            continue
        for seat in asked(state):
            yield state, seat
            state.apply_action(chance.choice(state.legal_actions(seat)), seat)


def put(state: State, record: bytes) -> None:
    """Let a state be another position of the same game."""
    state._workspace.set_state(record)
    state._player = int(np.frombuffer(record, state.game.runtime.state)["to_move"][0])


def moments(game: Game, seed: int) -> Iterator[PlayerView]:
    """Go through a random game and show what each seat sees when it must choose."""
    for state, seat in states(game, seed):
        yield player_view(state, seat)


def first_of_many(game: Game, seed: int = 1) -> PlayerView:
    """Return the first position in which a seat has several choices."""
    return next(shown for shown in moments(game, seed) if len(shown.legal_actions) > 2)


def winners(game: Game, bots: list[Bot], seed: int) -> list[int]:
    """Let bots play a game; say who won."""
    return play_with_bots(game, bots, Random(seed))[0].winners()

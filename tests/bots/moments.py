"""Moments of games at which somebody must choose, for tests of bots."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from dracotheque import Game, State
from dracotheque.bots import Bot
from dracotheque.bots.view import View, view
from dracotheque.engine.dispatch import CHANCE
from dracotheque.lab.simulate import asked, play_with_bots


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


def moments(game: Game, seed: int) -> Iterator[View]:
    """Go through a random game and show what each seat sees when it must choose."""
    for state, seat in states(game, seed):
        yield view(state, seat)


def first_of_many(game: Game, seed: int = 1) -> View:
    """The first moment at which somebody has several choices."""
    return next(shown for shown in moments(game, seed) if len(shown.legal) > 2)


def winners(game: Game, bots: list[Bot], seed: int) -> list[int]:
    """Let bots play a game; say who won."""
    return play_with_bots(game, bots, Random(seed))[0].winners()

"""Whole games in words: played at random, with everything that is asked, foretold and told on the way."""

from __future__ import annotations

import random

from dracotheque import State
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game
from dracotheque.engine.playthrough import tell
from dracotheque.engine.words import Event


def told_game(game: Game, seed: int) -> tuple[State, list[Event]]:
    """Play a game to its end; a preview is told by no rule."""
    state, chance = game.new_initial_state(), random.Random(seed)
    told: list[Event] = []
    while not state.is_terminal():
        told += [game.scene.question(state.table()), *previews(state)]
        seat, action = _choice(state, chance)
        before = state.clone()
        state.apply_action(action, seat)
        happened = tell(before, seat, action, state)
        silent = game.box.nature and seat == CHANCE  # a rock that rolls straight on is not worth a word
        assert happened or silent, f"nothing is told about {before.action_to_string(action, seat)}"
        told += happened
    return state, [*told, game.scene.question(state.table())]


def _choice(state: State, chance: random.Random) -> tuple[int, int]:
    """Choose for chance, for who is asked, or where several are, for any of them."""
    if state.is_chance_node():
        return CHANCE, state.sample_chance(chance)
    seat = chance.choice([seat for seat in range(state.game.players) if state.legal_actions(seat)])
    return seat, chance.choice(state.legal_actions(seat))


def previews(state: State) -> list[Event]:
    """Foretell what every legal action of every seat leads to."""
    scene, table = state.game.scene, state.table()
    seats = range(state.game.players)
    foretold = [scene.preview(table, seat, action) for seat in seats for action in state.legal_actions(seat)]
    return [Event("", phrase) for phrase in foretold if phrase is not None]

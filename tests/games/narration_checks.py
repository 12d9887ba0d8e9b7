"""The text of whole random games: every prompt, preview and event."""

from __future__ import annotations

import random

from dracotheque import State
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent
from dracotheque.engine.playthrough import tell


def told_game(game: Game, seed: int) -> tuple[State, list[GameEvent]]:
    """Play a game to its end; a preview has no rule."""
    state, chance = game.new_initial_state(), random.Random(seed)
    told: list[GameEvent] = []
    while not state.is_terminal():
        told += [game.text.prompt(state.to_plain()), *previews(state)]
        seat, action = _choice(state, chance)
        before = state.clone()
        state.apply_action(action, seat)
        happened = tell(before, seat, action, state)
        silent = game.definition.has_physical_chance and seat == CHANCE  # a rock that rolls on
        assert happened or silent, f"nothing is told about {before.action_to_string(action, seat)}"
        told += happened
    return state, [*told, game.text.prompt(state.to_plain())]


def _choice(state: State, chance: random.Random) -> tuple[int, int]:
    """Choose for chance, for who is asked, or where several are, for any of them."""
    if state.is_chance_node():
        return CHANCE, state.sample_chance(chance)
    seat = chance.choice([seat for seat in range(state.game.players) if state.legal_actions(seat)])
    return seat, chance.choice(state.legal_actions(seat))


def previews(state: State) -> list[GameEvent]:
    """Foretell what every legal action of every seat leads to."""
    scene, table = state.game.text, state.to_plain()
    seats = range(state.game.players)
    foretold = [scene.preview(table, seat, action) for seat in seats for action in state.legal_actions(seat)]
    return [GameEvent("", phrase) for phrase in foretold if phrase is not None]

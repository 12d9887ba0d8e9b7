"""How much longer than asked our search thinks: `over_time.py GAME=PLAYERS …` prints seconds, game by game, as JSON."""

from __future__ import annotations

import json
import sys
import time
from random import Random

from dracotheque import load_game
from dracotheque.bots.mcts_bot import SearchBot, SearchBudget
from dracotheque.bots.player_view import player_view
from dracotheque.simulation.simulate import asked

THOUGHTS, SECONDS = 25, 0.1


def late(name: str, players: int) -> list[float]:
    """Let a bot think about the choices of random games, one after the other, and measure by how much it is late."""
    game, chance, bot = load_game(name, players), Random(1), SearchBot(1, SearchBudget(seconds=SECONDS))
    state, found = game.new_initial_state(), list[float]()
    while len(found) <= THOUGHTS:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
        else:
            seat = asked(state)[0]
            actions = state.legal_actions(seat)
            if len(actions) > 1:
                began = time.perf_counter()
                bot.choose(player_view(state, seat))
                found.append(time.perf_counter() - began - SECONDS)
            state.apply_action(chance.choice(actions), seat)
    return found[1:]  # the first one compiles


if __name__ == "__main__":
    tables = dict(argument.split("=") for argument in sys.argv[1:])
    print(json.dumps({game: late(game, int(players)) for game, players in tables.items()}))

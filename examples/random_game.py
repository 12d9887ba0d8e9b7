"""Play one game of Emerald at random, print how it ended, and keep it: `python examples/random_game.py [FILE]`."""

import random
import sys
from pathlib import Path

from dracotheque import load_game
from dracotheque.engine.log import GameLog

state = load_game("emerald", players=3).new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        state.apply_action(state.sample_chance(random))
    else:
        state.apply_action(random.choice(state.legal_actions()))

for player, action in state.full_history()[-5:]:
    print(f"{player:2}  {state.action_to_string(action, player)}")
print(state.scores(), state.winners(), state.ending())

file = Path(sys.argv[1] if len(sys.argv) > 1 else "random-game.json")
GameLog.of(state).save(file)
print(f"Read it with: dracotheque replay {file}")

"""Draw docs/pictures/dragons-cave.svg and dragons-cave-night.svg: a game for four in the middle.

python docs/draw_boards.py [--seed 35] [--moves 60] [--lang en]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

from dracotheque import State, load_game
from dracotheque.games.dragons_cave.drawing import svg

PICTURES = Path(__file__).with_name("pictures")


def main() -> None:
    """Play by chance for some moves, and draw the cave by day and by night."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--lang", default="en")
    chosen = parser.parse_args()
    game = load_game("dragons-cave", players=4, interpreted=True)
    state, random = game.new_initial_state(), Random(chosen.seed)
    while state.move_number() < chosen.moves and not state.is_terminal():
        move(state, random)
    for name, night in (("dragons-cave", False), ("dragons-cave-night", True)):
        drawn = svg(game.board, game.words(chosen.lang), night=night, table=state.table())
        (PICTURES / f"{name}.svg").write_text(drawn, "utf-8")
        print(f"Drawn: {name}.svg")


def move(state: State, random: Random) -> None:
    """Let chance decide, or one of the seats that are asked."""
    if state.is_chance_node():
        state.apply_action(state.sample_chance(random))
    else:
        seat = random.choice([seat for seat in range(state.game.players) if state.legal_actions(seat)])
        state.apply_action(random.choice(state.legal_actions(seat)), seat)


if __name__ == "__main__":
    main()

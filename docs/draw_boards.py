"""Draw the boards in docs/pictures, by day and by night: in each game some moves are played by chance.

python docs/draw_boards.py [GAME ...] [--lang en]
"""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from random import Random

from dracotheque import State, load_game

PICTURES = Path(__file__).with_name("pictures")
PLAYED = {"dragons-cave": (4, 35, 60), "gran": (4, 11, 232)}
"""For every game with a drawing how many play, by which seed, and for how many moves."""


def main() -> None:
    """Draw the boards that were asked for, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(PLAYED))
    parser.add_argument("--lang", default="en")
    chosen = parser.parse_args()
    for name in chosen.games or PLAYED:
        draw(name, chosen.lang)


def draw(name: str, language: str) -> None:
    """Play a game by chance for some moves, and draw its board by day and by night."""
    players, seed, moves = PLAYED[name]
    game = load_game(name, players=players, interpreted=True)
    drawing = importlib.import_module(f"{game.box.package}.drawing")
    state, random = game.new_initial_state(), Random(seed)
    while state.move_number() < moves and not state.is_terminal():
        move(state, random)
    for file, night in ((f"{name}.svg", False), (f"{name}-night.svg", True)):
        drawn = drawing.svg(game.board, game.words(language), night=night, table=state.table())
        (PICTURES / file).write_text(drawn, "utf-8")
        print(f"Drawn: {file}")


def move(state: State, random: Random) -> None:
    """Let chance decide, or one of the seats that are asked."""
    if state.is_chance_node():
        state.apply_action(state.sample_chance(random))
    else:
        seat = random.choice([seat for seat in range(state.game.players) if state.legal_actions(seat)])
        state.apply_action(random.choice(state.legal_actions(seat)), seat)


if __name__ == "__main__":
    main()

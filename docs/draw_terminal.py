"""Draw docs/pictures/terminal.svg: a game of Emerald in mid-game, as the terminal shows it.

python docs/draw_terminal.py [--seed 12] [--moves 185] [--lang en]
"""

from __future__ import annotations

import argparse
import io
import re
from pathlib import Path
from random import Random

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from dracotheque import load_game
from dracotheque.bots import make_bot
from dracotheque.games.emerald.state import MOVE
from dracotheque.terminal.screen import Screen
from dracotheque.terminal.sitting import Sitting

PICTURE = Path(__file__).with_name("pictures") / "terminal.svg"
NIGHT = TerminalTheme(
    (20, 24, 42),
    (230, 233, 245),
    [
        (0, 0, 0), (181, 67, 42), (31, 122, 92), (200, 149, 44), (47, 95, 168), (122, 74, 148), (36, 168, 180),
        (230, 233, 245),
    ],
)  # fmt: skip


def main() -> None:
    """Play to the person's next turn after some moves, and draw what they see."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=12)
    parser.add_argument("--moves", type=int, default=185)
    parser.add_argument("--lang", default="en")
    chosen = parser.parse_args()
    game, random = load_game("emerald", players=4, interpreted=True), Random(chosen.seed)
    bots = {seat: make_bot("random", chosen.seed + seat) for seat in range(1, 4)}
    silent = Screen(Console(file=io.StringIO(), width=110, height=40), game, chosen.lang, 0, lambda prompt: "1")
    sitting = Sitting(silent, game.new_initial_state(), ["you"] + ["random"] * 3, bots, random, None)
    while not on_turn_after(sitting, chosen.moves):
        if sitting.state.current_player() == 0:
            sitting.move(0, random.choice(sitting.state.legal_actions()))
        else:
            sitting.go_on()
    colours = {"force_terminal": True, "color_system": "truecolor", "highlight": False}
    console = Console(file=io.StringIO(), width=110, height=40, record=True, **colours)
    sitting.screen = Screen(console, game, chosen.lang, 0, lambda prompt: "1")
    for crests, events in [told for told in sitting.story(40) if told[1]][-3:]:
        sitting.screen.tell(crests, events)
    sitting.show(0)
    console.print(" " + sitting.screen.sentence("ask.several", last=len(sitting.state.legal_actions())), "▏")
    drawn = console.export_svg(title="dracotheque terminal emerald", theme=NIGHT)
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)  # nothing is fetched from elsewhere
    PICTURE.write_text(drawn.replace("Fira Code, monospace", "Fira Code, DejaVu Sans Mono, Menlo, Consolas, monospace"))
    print(f"Drawn: {PICTURE.name}")


def on_turn_after(sitting: Sitting, moves: int) -> bool:
    """Say whether the person begins a turn, and enough has happened."""
    table = sitting.state.table()
    begins = sitting.state.current_player() == 0 and table.phase == MOVE and table.moves == 0
    return begins and sitting.state.move_number() >= moves


if __name__ == "__main__":
    main()

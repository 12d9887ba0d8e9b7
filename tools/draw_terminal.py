"""Draw docs/pictures/terminal*.svg: games in mid-game, as the terminal shows them.

python tools/draw_terminal.py [--game dragons-cave] [--seed 12] [--moves 185] [--lang en]
"""

from __future__ import annotations

import argparse
import io
import re
from dataclasses import dataclass
from pathlib import Path
from random import Random

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from dracotheque import load_game
from dracotheque.bots import make_bot
from dracotheque.terminal.renderer import TerminalRenderer
from dracotheque.terminal.session import PERSON, TerminalSession

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
NIGHT = TerminalTheme(
    (20, 24, 42),
    (230, 233, 245),
    [
        (0, 0, 0), (181, 67, 42), (31, 122, 92), (200, 149, 44), (47, 95, 168), (122, 74, 148), (36, 168, 180),
        (230, 233, 245),
    ],
)  # fmt: skip
SEATS = [PERSON, *["random"] * 3]


@dataclass(frozen=True)
class Moment:
    """A moment worth a picture: the first time after some moves that the person is asked this question."""

    picture: str
    question: str
    seed: int
    moves: int


MOMENTS = {
    "emerald": Moment("terminal.svg", "question.first_move", 12, 185),
    "dragons-cave": Moment("terminal-dragons-cave.svg", "question.card", 123, 30),
    "gran": Moment("terminal-gran.svg", "question.flight", 38, 1600),
}


def main() -> None:
    """Draw the game named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=MOMENTS, help="default: all")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--moves", type=int)
    parser.add_argument("--lang", default="en")
    chosen = parser.parse_args()
    for name in [chosen.game] if chosen.game else MOMENTS:
        moment = MOMENTS[name]
        seed = moment.seed if chosen.seed is None else chosen.seed
        moves = moment.moves if chosen.moves is None else chosen.moves
        draw(name, Moment(moment.picture, moment.question, seed, moves), chosen.lang)


def draw(name: str, moment: Moment, language: str) -> None:
    """Play to the moment, and draw what the person sees."""
    session = play_to(name, moment, language)
    colours = {"force_terminal": True, "color_system": "truecolor", "highlight": False}
    console = Console(file=io.StringIO(), width=110, height=40, record=True, **colours)
    screen = session.screen = TerminalRenderer(console, session.state.game, language, 0, lambda prompt: "1")
    for _, events in [move for move in session.recent_events(40) if move[1]][-3:]:
        screen.show_events(session.state, events)
    session.show(0)
    console.print(" " + screen.sentence("ask.several", last=len(session.state.legal_actions(0))), "▏")
    drawn = console.export_svg(title=f"dracotheque terminal {name}", theme=NIGHT)
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)  # nothing is fetched from elsewhere
    drawn = drawn.replace("Fira Code, monospace", "Fira Code, DejaVu Sans Mono, Menlo, Consolas, monospace")
    (PICTURES / moment.picture).write_text(drawn)
    print(f"Drawn: {moment.picture}")


def play_to(name: str, moment: Moment, language: str) -> TerminalSession:
    """Play at random until the moment has come."""
    game, random = load_game(name, players=len(SEATS), interpreted=True), Random(moment.seed)
    bots = {seat: make_bot("random", moment.seed + seat, game) for seat in range(1, len(SEATS))}
    silent = TerminalRenderer(Console(file=io.StringIO(), width=110, height=40), game, language, 0, lambda prompt: "1")
    session = TerminalSession(silent, game.new_initial_state(), SEATS, bots, random, None)
    while not has_come(session, moment):
        if is_asked(session):
            session.move(0, random.choice(session.state.legal_actions(0)))
        else:
            session.advance()
    return session


def is_asked(session: TerminalSession) -> bool:
    """Say whether the person has to choose now."""
    return not session.state.is_chance_node() and session.to_choose() == 0


def has_come(session: TerminalSession, moment: Moment) -> bool:
    """Say whether the person is asked the question of the moment, and enough has happened."""
    question = session.state.game.text.prompt(session.state.to_plain()).phrase.key
    return is_asked(session) and question == moment.question and session.state.move_number() >= moment.moves


if __name__ == "__main__":
    main()

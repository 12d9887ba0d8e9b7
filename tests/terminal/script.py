"""A person made of a list of lines, who plays at a screen that is a string."""

from __future__ import annotations

import functools
import io
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.console import Console

from dracotheque import State, load_game, terminal
from dracotheque.engine.default_text import seat_name
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import words
from dracotheque.engine.rulebook import LANGUAGES

CATALOGUES = {lang: words(Path(terminal.__file__).parents[1] / "locale", lang) for lang in LANGUAGES}
THREE = ["you", "random", "random"]
NAMED_FIRST = {"emerald": {"starts": "1"}, "dragons-cave": {"first_dragon": "3"}, "gran": {"starts": "1"},
               "save-the-dragon": {"starts": "1"}}  # fmt: skip
"""The options that leave the beginning of a game of three to nobody's luck."""


def name(seat: int, game: str = "emerald") -> str:
    """Return the name of a seat in English."""
    return opened(game, 3).words("en").say(seat_name(seat))


class Script:
    """Types its lines one after the other; then the keyboard is gone."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Learn the lines."""
        self.lines: Iterator[str] = iter(lines)
        self.out = io.StringIO()
        self.prompts: list[str] = []
        self.seen: list[str] = []
        """What was printed since the line before, for every prompt."""

    def __call__(self, prompt: str) -> str:
        """Answer a prompt with the next line."""
        self.prompts.append(prompt)
        self.seen.append(self.out.getvalue()[sum(map(len, self.seen)) :])
        for line in self.lines:
            if line == "^C":
                raise KeyboardInterrupt
            return line
        raise EOFError


class Player(Script):
    """Makes any choice until the game is over, and then says no to another one."""

    def __init__(self) -> None:
        """Think of nothing in particular."""
        super().__init__([])
        self.whim = random.Random(1)

    def __call__(self, prompt: str) -> str:
        """Answer a prompt."""
        numbers = [int(number) for number in re.findall(r"\d+", prompt)]
        return str(self.whim.randint(1, numbers[-1])) if numbers else "no"


def sit(
    lines: Iterable[str],
    seats: list[str] = THREE,
    language: str = "en",
    width: int = 100,
    *,
    game: str = "emerald",
    is_terminal: bool = False,
    **more: object,
) -> tuple[State, str, Script]:
    """Play with a script; give the last state, everything printed and the script."""
    script = Script(lines)
    options: dict[str, str] = more.pop("options", NAMED_FIRST[game])  # type: ignore[assignment]
    console = Console(file=script.out, width=width, height=40, force_terminal=is_terminal)
    state = terminal.play(
        opened(game, len(seats), **options), seats, language, 5, 0, console=console, ask=script, **more
    )  # type: ignore[arg-type]
    return state, script.out.getvalue(), script


def play_whole(game: Game, seats: list[str], language: str) -> tuple[State, str]:
    """Let persons who make any choice and bots play a whole game on a small screen."""
    out = io.StringIO()
    console = Console(file=out, width=80, height=24)
    state = terminal.play(game, seats, language, 5, 0, console=console, ask=Player())
    return state, out.getvalue()


@functools.cache
def opened(name: str, players: int, **options: str) -> Game:
    """Load the game once."""
    return load_game(name, players=players, interpreted=True, **options)


@functools.cache
def position(game: Game, seed: int, turns: int) -> State:
    """Play some moves at random."""
    state, chance = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal() and (turns > 0 or state.is_chance_node()):
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
        else:
            seat = chance.choice([seat for seat in range(game.players) if state.legal_actions(seat)])
            state.apply_action(chance.choice(state.legal_actions(seat)), seat)
            turns -= 1
    return state

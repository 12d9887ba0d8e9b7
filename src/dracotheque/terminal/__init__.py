"""Playing in the terminal: the board as text, choices in words, `?` for the rule."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from dracotheque.engine.game import Game
    from dracotheque.engine.log import GameLog
    from dracotheque.engine.state import State
    from dracotheque.terminal.renderer import Ask

__all__ = ["PERSON", "play"]

PERSON = "you"
"""The name of a person's seat; every other name is a bot's."""


def play(
    game: Game,
    seats: list[str],
    language: str = "en",
    seed: int | None = None,
    speed: float = 1.0,
    save: Path | None = None,
    console: Console | None = None,
    *,
    resume: GameLog | None = None,
    ask: Ask | None = None,
) -> State:
    """Play one game after another until the user stops; return the last state.

    A seat is `you` for a person or the name of a bot. `save` is where the log goes when a game ends or is left;
    `resume` goes on with a stored game. `ask` reads a line (the keyboard, if not given).
    """
    # Imported only now: `dracotheque --help` reads this package, and Rich and the bots take a tenth of a second.
    from rich.console import Console

    from dracotheque.bots import make_bot
    from dracotheque.engine.errors import DracothequeError
    from dracotheque.terminal.renderer import TerminalRenderer
    from dracotheque.terminal.session import TerminalSession

    game = resume.game if resume else game
    if len(seats) != game.players:
        raise DracothequeError(f"{game.players} seats are needed, not {len(seats)}.")
    screen = TerminalRenderer(console or Console(highlight=False), game, language, speed, ask)
    chance = Random(seed)
    state = resume.play() if resume else game.new_initial_state()
    while True:
        bots = {i: make_bot(name, chance.getrandbits(32), game) for i, name in enumerate(seats) if name != PERSON}
        session = TerminalSession(screen, state, seats, bots, chance, save)
        if not session.play() or not session.wants_another():
            return session.state
        state, save = game.new_initial_state(), save and _another_file(save)


def _another_file(path: Path) -> Path:
    """Return a free name beside a file: game.json, game-2.json, game-3.json."""
    number = 2
    while (other := path.with_stem(f"{path.stem}-{number}")).exists():
        number += 1
    return other

"""The command `dracotheque terminal`."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from dracotheque.engine import registry
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.log import GameLog
from dracotheque.engine.registry import find_game
from dracotheque.presentation.command_line import (
    PLAY,
    Commands,
    add_game,
    add_language,
    add_setup,
    bots,
    console,
    game_of,
    names_in,
    number,
    saved_game,
    whole_number,
)  # fmt: skip
from dracotheque.terminal import PERSON, play

DEFAULT_BOT = "squire"


def add_commands(commands: Commands) -> None:
    """Add the command of this package."""
    summary = "Play in the terminal, against bots or friends"
    made = commands.add(PLAY, "terminal", summary, terminal, example="{game} --seats you,easy,hard")
    add_game(made, optional="a menu")
    made.add_argument(
        "--seats", type=bots, metavar="WHO,…", help=f"{PERSON} or a bot for each player (default: you,easy,…)"
    )
    add_setup(made)
    made.add_argument("--watch", action="store_true", help="bots alone, to watch them play")
    made.add_argument("--resume", type=Path, metavar="FILE", help="saved game to resume")
    made.add_argument("--save", type=Path, metavar="FILE", help="file to save the game to")
    made.add_argument(
        "--speed", type=number, default=1.0, metavar="X", help="speed of bots, 0 for no pauses (default: 1, normal)"
    )
    made.add_argument("--seed", type=whole_number, help="seed; the same seed gives the same dice")
    add_language(made)


def terminal(arguments: Namespace) -> None:
    """Play in the terminal."""
    from dracotheque.terminal.game_menu import choose_game

    resumed = resumed_game(arguments) if arguments.resume else None
    if not resumed and arguments.game is None:
        chosen = choose_game(list(registry.games().values()), arguments.lang, console(), input)
        if chosen is None:
            return
        arguments.game = chosen.name
    if arguments.save and arguments.save.exists() and arguments.save != arguments.resume:
        raise DracothequeError(
            f"{arguments.save} already exists. Choose another file, or continue that game with --resume."
        )
    game = resumed.game if resumed else game_of(arguments, arguments.seats, default=[DEFAULT_BOT])
    if resumed and not arguments.seats:
        seats = resumed_seats(resumed.seats)
    elif arguments.seats:
        seats = names_in(arguments.seats)
    else:
        seats = [DEFAULT_BOT if arguments.watch else PERSON] + [DEFAULT_BOT] * (game.players - 1)
    if len(seats) != game.players:
        raise DracothequeError(f"--seats must name {game.players} players (got {len(seats)}).")
    play(game, seats, arguments.lang, arguments.seed, arguments.speed, arguments.save, resume=resumed)


def resumed_game(arguments: Namespace) -> GameLog:
    """Return a saved game; options that contradict it are an error."""
    settled = {
        "--players": arguments.players, "--option": arguments.option, "--board": arguments.board,
        "--watch": arguments.watch,
    }  # fmt: skip
    if named := [name for name, value in settled.items() if value]:
        them = "it" if len(named) == 1 else "them"
        raise DracothequeError(f"{', '.join(named)} cannot change when you resume {arguments.resume}. Remove {them}.")
    resumed = saved_game(arguments.resume)
    if arguments.game and find_game(arguments.game).name != resumed.game.name:
        raise DracothequeError(
            f"{arguments.resume} is a game of {resumed.game.definition.title}."
            f" Remove {arguments.game}, or resume another file."
        )
    return resumed


def resumed_seats(seats: list[str]) -> list[str]:
    """Return the players of a saved game; a file must not name code to run, so bots from files are named again."""
    from dracotheque.bots import is_known

    strangers = [seat for seat in seats if seat != PERSON and not is_known(seat)]
    if strangers:
        raise DracothequeError(
            f"Unknown bot in the saved game: {', '.join(strangers)}. Name all players: --seats {PERSON},easy,…"
        )
    return seats

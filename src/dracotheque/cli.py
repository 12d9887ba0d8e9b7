"""The command `dracotheque`: its parser, its commands by group, and what it prints when something is wrong."""

from __future__ import annotations

import os
import sys
import warnings
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence

import dracotheque.presentation.cli as presentation
import dracotheque.server.cli as server
import dracotheque.simulation.cli as simulation
import dracotheque.terminal.cli as terminal
import dracotheque.training.cli as training
from dracotheque.engine import registry
from dracotheque.engine.errors import DracothequeError, unknown
from dracotheque.engine.registry import find_game
from dracotheque.presentation.command_line import DEVELOPMENT, Commands, Parser, print_error

DESCRIPTION = "Four board games about dragons, to play, to program and to study."
PACKAGES = (server, terminal, simulation, training, presentation)
"""In the order of their commands in a group."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; an error is explained, never shown as a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _warn_of_games_left_out(given)
    parser, names = _parser_and_names()
    if given and not given[0].startswith("-") and given[0] not in names:
        print_error(str(unknown("command", given[0], names, "dracotheque --help")))
        raise SystemExit(2)
    chosen = parser.parse_args(given)
    if "run" not in chosen:
        parser.print_help()
        return
    try:
        chosen.run(chosen)
    except DracothequeError as error:
        print_error(str(error))
        raise SystemExit(1) from None
    except BrokenPipeError:
        # The reader, `head` for instance, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print_error(f"Cannot read or write {error.filename or 'the output'}: {error.strerror}.")
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def make_parser() -> Parser:
    """Return the parser with all commands."""
    return _parser_and_names()[0]


def _parser_and_names() -> tuple[Parser, list[str]]:
    """Return the parser and the names of its commands."""
    parser = Parser(
        prog="dracotheque", usage="dracotheque COMMAND …", formatter_class=RawDescriptionHelpFormatter, add_help=False
    )
    commands = Commands(parser)
    for package in PACKAGES:
        package.add_commands(commands)
    made = commands.add(DEVELOPMENT, "check", "Check a game of your own", check, example="{game}")
    made.add_argument("game", help="name of the game, also of one that is left out")
    parser.description = f"{DESCRIPTION}\n\n{commands.listing()}"
    parser.epilog = "dracotheque COMMAND --help shows the options of a command and an example."
    parser.add_argument("-h", "--help", action="help", help="show this help and exit")
    return parser, commands.names()


def _warn_of_games_left_out(given: Sequence[str]) -> None:
    """Find installed games, and print why one cannot be offered; `check` says so itself of the game it is given."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", registry.GameLeftOutWarning)
        left_out = registry.left_out()
    checked = given[1:] if given[:1] == ["check"] else ()
    for name, reason in left_out.items():
        if name in checked:
            continue
        print_error(f"Warning: The game {name!r} is left out. {reason}")


def check(arguments: Namespace) -> None:
    """Check a game, also one that is left out."""
    from dracotheque.check import can_compile, thorough_problems

    if reason := registry.left_out().get(arguments.game):
        raise DracothequeError(reason)
    game = find_game(arguments.game)
    if problems := thorough_problems(game):
        listed = "".join(f"\n  - {each}" for each in problems)
        raise DracothequeError(f"{game.title} does not keep the contract:{listed}")
    players = f"{game.min_players} to {game.max_players}"
    print(f"{game.title} keeps the contract: rules, rulebook and words fit, and games of {players} players end well.")
    print(
        "Compiled rules play the same." if can_compile() else "Whether compiled rules play the same was not looked at."
    )

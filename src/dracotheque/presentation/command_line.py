"""Helpers for the commands of all packages: parser, options, and loading a game.

It stands here and not in `engine` or `bots`, whose sources are part of the key of compiled code and of the hash that
saved tournaments keep: a new help text must not make either of them stale.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from dracotheque.engine import registry, rule
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache
from dracotheque.engine.log import GameLog, game_named_in
from dracotheque.engine.log import load as load_log
from dracotheque.engine.registry import find_game
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.presentation.level_names import level_id

if TYPE_CHECKING:
    from rich.console import Console

    from dracotheque.engine.definition import GameDefinition

Run = Callable[[Namespace], None]
"""Runs a command with its arguments."""

PLAY, STUDY, SERVER, DEVELOPMENT = GROUPS = ("Play", "Study", "Server", "Development")
"""The groups of commands, in the order of `dracotheque --help`."""

MAX_SEED = (1 << 62) - 1
LISTED = "dracotheque games lists all games, options, boards and bots."


# --- Parser ---------------------------------------------------------------------------------------------------------
class Parser(ArgumentParser):
    """A parser whose errors say what is wrong and what to do."""

    def error(self, message: str) -> NoReturn:
        """Print an error and exit with status 2."""
        print_error(_readable(message, self.prog))
        raise SystemExit(2)


def _readable(message: str, program: str) -> str:
    """Return an error of argparse in the words of ours."""
    if found := re.fullmatch(r"argument (\S+): invalid choice: (.+) \(choose from (.+)\)", message):
        valid = found[3].replace("'", "")
        return f"Invalid value {found[2]} for {found[1]}. Valid: {valid}."
    if found := re.fullmatch(r"argument (\S+): expected .*argument.*", message):
        return f"{found[1]} needs a value. Try {program} --help."
    if found := re.fullmatch(r"argument (\S+): (.+)", message, re.DOTALL):
        return f"{found[1]} {found[2]}."
    if found := re.fullmatch(r"the following arguments are required: (.+)", message):
        return f"Missing: {found[1]}. Try {program} --help."
    if found := re.fullmatch(r"unrecognized arguments: (.+)", message):
        return f"Unknown argument: {found[1]}. Try {program} --help."
    return f"{message[0].upper()}{message[1:]}. Try {program} --help."


class Commands:
    """The commands of a parser; each package adds its own through its function `add_commands`."""

    def __init__(self, parser: Parser) -> None:
        """Prepare a parser for commands."""
        self._program = parser.prog
        self._parsers = parser.add_subparsers(metavar="COMMAND", help=SUPPRESS, prog=parser.prog)
        self._summaries: dict[str, dict[str, str]] = {group: {} for group in GROUPS}

    def add(self, group: str, name: str, summary: str, run: Run, *, example: str) -> ArgumentParser:
        """Add a command and return its parser; `{game}` in the example stands for the first game of the lobby."""
        written = example.format(game=next(iter(registry.games())))
        parser: ArgumentParser = self._parsers.add_parser(
            name,
            description=f"{summary}.",
            epilog=f"example:\n  {self._program} {name} {written}".rstrip(),
            formatter_class=RawDescriptionHelpFormatter,
        )
        parser.set_defaults(run=run)
        self._summaries[group][name] = summary
        return parser

    def names(self) -> list[str]:
        """Return the names of all commands."""
        return [name for group in self._summaries.values() for name in group]

    def listing(self) -> str:
        """Return all commands with their summaries, by group."""
        width = max(map(len, self.names()))
        blocks = (
            "\n".join([f"{group}:", *(f"  {name:{width}}  {summary}" for name, summary in commands.items())])
            for group, commands in self._summaries.items()
        )
        return "\n\n".join(blocks)


def print_error(text: str) -> None:
    """Print a message to the error stream."""
    print(text, file=sys.stderr)


def console(*, stderr: bool = False) -> Console:
    """Return the terminal for writing."""
    from rich.console import Console

    return Console(highlight=False, stderr=stderr)


# --- Options --------------------------------------------------------------------------------------------------------
def add_game(parser: ArgumentParser, *, optional: str = "") -> None:
    """Add the argument that names a game; `optional` says what happens without it."""
    if optional:
        parser.add_argument("game", nargs="?", help=f"name of the game (default: {optional})")
    else:
        parser.add_argument("game", help="name of the game")
    parser.epilog = f"{LISTED}\n\n{parser.epilog}"


def add_language(parser: ArgumentParser) -> None:
    """Add the option that chooses a language; its default is that of the environment."""
    chosen = (os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "en")[:2]
    default = chosen if chosen in LANGUAGES else "en"
    parser.add_argument("--lang", choices=LANGUAGES, default=default, help="language (default: that of the system)")


def add_setup(parser: ArgumentParser) -> None:
    """Add the options that set up a game: players, options and board."""
    parser.add_argument("--players", type=whole_number, metavar="N", help="number of players")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="option of the game, repeatable",
    )
    parser.add_argument("--board", metavar="BOARD", help="name of another board, or FILE.toml")


def add_json(parser: ArgumentParser) -> None:
    """Add the option that prints results for programs."""
    parser.add_argument("--json", action="store_true", help="output as one JSON object")


def whole_number(text: str) -> int:
    """Return a whole number, or raise an error that shows it."""
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a whole number (got {text!r})") from None


def number(text: str) -> float:
    """Return a number of 0 or more, or raise an error that shows it."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found < float("inf"):
        raise ArgumentTypeError(f"must be a number of 0 or more (got {text!r})")
    return found


def positive(text: str) -> int:
    """Return a whole number of 1 or more; 1e6 and 1_000_000 are fine."""
    try:
        number = int(float(text)) if "e" in text.lower() else int(text)
    except (ValueError, OverflowError):
        number = 0
    if number < 1:
        raise ArgumentTypeError(f"must be 1 or more (got {text!r})")
    return number


def seed(text: str) -> int:
    """Return a seed of dice and cards, or the number of a deal."""
    if not text.isdecimal() or int(text) > MAX_SEED:
        raise ArgumentTypeError(f"must be a whole number from 0 to 2^62 - 1 (got {text!r})")
    return int(text)


def names_in(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",")]


def bots(text: str) -> str:
    """Return a list of bots with the ids of levels instead of their words."""
    return ",".join(map(level_id, names_in(text)))


# --- Games ----------------------------------------------------------------------------------------------------------
def game_of(arguments: Namespace, named: str | None, *, interpreted: bool = False, default: Sequence[str] = ()) -> Game:
    """Return the game that a command names, set up by its options; the bots named say how many play."""
    options = dict(_options(arguments.option))
    definition = find_game(arguments.game)
    if not interpreted:
        ensure_compiled([definition], parts_for(named.split(",") if named else default))
    usual = len(named.split(",")) if named else definition.default_players
    players = usual if arguments.players is None else arguments.players
    return Game(definition, players, options, board=arguments.board, interpreted=interpreted)


def _options(written: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the names and values of options."""
    for text in written:
        name, sign, value = text.partition("=")
        if not sign:
            raise DracothequeError(f"Invalid value {text!r} for --option. Write it as NAME=VALUE.")
        yield name.strip().replace("-", "_"), value.strip()


def saved_game(path: Path) -> GameLog:
    """Return a game from its log; its rules are compiled first if they are not."""
    name = game_named_in(path)
    ensure_compiled([registry.games()[name]] if name in registry.games() else [])
    return load_log(path)


def parts_for(bots: Iterable[str]) -> tuple[str, ...]:
    """Return what must be compiled for bots: some use no heuristic, and few search."""
    from dracotheque.engine.jit import precompile

    kinds = {bot.strip().partition(":")[0] for bot in bots}
    if kinds & {"search", "mixer", "knight", "dragon"}:
        return precompile.ALL
    return (*precompile.PLAY, precompile.HEURISTICS) if kinds & {"greedy", "hatchling", "squire"} else precompile.PLAY


def ensure_compiled(games: Iterable[GameDefinition], parts: tuple[str, ...] = ()) -> None:
    """Compile what is not compiled yet, with a progress bar."""
    from dracotheque.engine.jit import precompile

    parts = parts or precompile.PLAY
    cold = [game for game in games if not precompile.is_compiled(game, parts)]
    if not cold or not cache.has_numba() or rule.interpreter_forced():
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        task = progress.add_task(precompile.compiling(cold), total=None)
        precompile.compile_all(cold, lambda done, all_: progress.update(task, completed=done, total=all_), parts)

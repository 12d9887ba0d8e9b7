"""The command `dracotheque`: open a box, read its rules, replay a game, or play a million of them."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from dracotheque.engine import boards, cache, rule
from dracotheque.engine.errors import DracothequeError, unknown
from dracotheque.engine.game import Box, Game
from dracotheque.engine.log import GameLog, game_named_in
from dracotheque.engine.log import load as load_log
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.engine.words import phrase, words
from dracotheque.games import SHELF, find_box
from dracotheque.lab.train import commands as train_commands
from dracotheque.server import commands as server_commands
from dracotheque.solve import commands as solve_commands

BOTS = "hatchling, squire, knight, dragon, oracle, random, greedy, search:1s, mixer, FILE.py:CLASS"
USUAL_BOT = "squire"
"""Who plays against people who ask for nobody else."""


class Parser(argparse.ArgumentParser):
    """A parser that answers a wrong name with the nearest right one."""

    def error(self, message: str) -> NoReturn:
        """Explain in one sentence, and where to read more."""
        say_error(f"{message[0].upper()}{message[1:]}. Try {self.prog} --help.")
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; a mistake is explained, never shown as a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = make_parser()
    commands = [name for action in parser._actions if action.choices for name in action.choices]
    if given and not given[0].startswith("-") and given[0] not in commands:
        say_error(str(unknown("command", given[0], commands)))
        raise SystemExit(2)
    chosen = parser.parse_args(given)
    if "run" not in chosen:
        parser.print_help()
        return
    try:
        chosen.run(chosen)
    except DracothequeError as error:
        say_error(str(error))
        raise SystemExit(1) from None
    except BrokenPipeError:
        # The reader, `head` for instance, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        say_error(f"{error.filename or 'The output'} cannot be written or read: {error.strerror}.")
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def say_error(text: str) -> None:
    """Write an explanation where errors belong."""
    print(text, file=sys.stderr)


# --- The commands -----------------------------------------------------------------------------------------------
def make_parser() -> Parser:
    """Describe every command."""
    parser = Parser(prog="dracotheque", description="Board games about dragons: play, study, simulate.")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)

    def command(name: str, run: Callable[[Any], None], text: str, game: bool = False) -> Parser:
        made: Parser = commands.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        if game:
            made.add_argument("game", help=f"one of: {', '.join(SHELF)}")
        return made

    server_commands.add(command)
    command("games", games, "Show the boxes on the shelf.")

    made = command("rules", rules, "Read a game's rulebook.", game=True)
    made.add_argument("rule", nargs="?", help="only this rule, by its name as the rulebook has it")
    add_language(made)

    made = command("board", board, "Look at a board, or check one of your own.", game=True)
    made.add_argument("board", nargs="?", help="another board of the box, or FILE.toml (default: the usual one)")
    made.add_argument("--svg", type=Path, metavar="FILE", help="draw it into an SVG file")
    made.add_argument("--night", action="store_true", help="draw it by night")
    add_language(made)

    made = command("terminal", terminal, "Play in the terminal, against bots or friends on this screen.")
    made.add_argument("game", nargs="?", help=f"one of: {', '.join(SHELF)} (default: you are asked)")
    add_options(made)
    made.add_argument("--seats", metavar="WHO,WHO,…", help=f"who plays: you, {BOTS} (default: you, squires)")
    made.add_argument("--watch", action="store_true", help="watch bots play each other")
    made.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved game")
    made.add_argument("--save", type=Path, metavar="FILE", help="where to keep the game")
    made.add_argument("--speed", type=float, default=1.0, help="pace of the bots: 2 is twice as fast, 0 without pause")
    made.add_argument("--seed", type=int, help="the same dice and cards again")
    add_language(made)

    made = command("simulate", simulate, "Play many games and add them up.", game=True)
    add_options(made)
    made.add_argument("--games", type=positive, default=100_000, help="how many games (default: 100000)")
    made.add_argument("--bots", metavar="BOT,BOT,…", help=f"one for every seat: {BOTS} (default: random)")
    made.add_argument("--seed", type=seed, default=1, help="same seed, same games (default: 1)")
    made.add_argument(
        "--threads", type=positive, default=os.cpu_count() or 1, help="default: one for each core; Python bots use one"
    )
    made.add_argument("--on", choices=("cpu", "cuda"), default="cpu", help="cuda: on an NVIDIA card")
    made.add_argument("--json", action="store_true", help="print one JSON object instead of a table")

    made = command("tournament", tournament, "Let bots play each other in every seating with the same dice.")
    add_tournament(made)

    made = command("replay", replay, "Print a saved game as a text that can be read.")
    made.add_argument("file", type=Path, help="a game's log (JSON)")
    add_language(made)

    add_verify(command("verify", verify, "Check that the dice of a game at a table were fair (docs/fair-dice.md)."))

    solve_commands.add(command)
    train_commands.add(command)

    add_upkeep(command)
    return parser


def add_upkeep(command: Callable[..., Parser]) -> None:
    """Describe what is done for the rules themselves."""
    made = command("compile", compile_rules, "Compile the rules ahead of the first game.")
    made.add_argument("games", nargs="*", metavar="GAME", help="default: all")

    made = command("check-equal", check_equal, "Prove that compiled and interpreted rules play the same games.")
    made.add_argument("names", nargs="*", metavar="GAME", help="default: all")
    made.add_argument("--games", type=positive, default=20_000, help="games of every option set (default: 20000)")
    made.add_argument("--processes", type=positive, default=os.cpu_count() or 1)

    made = command("ptx", ptx, "Compile the rules for NVIDIA cards on machines without numba-cuda.")
    made.add_argument("games", nargs="*", metavar="GAME", help="default: all")


def add_language(parser: Parser) -> None:
    """Let the reader choose a language."""
    chosen = (os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "en")[:2]
    default = chosen if chosen in LANGUAGES else "en"
    parser.add_argument("--lang", choices=LANGUAGES, default=default, help=f"language (default: {default})")


def add_options(parser: Parser) -> None:
    """Let the table choose players and options."""
    parser.add_argument("--players", type=int, help="how many play")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="see `dracotheque games`")
    parser.add_argument("--board", metavar="BOARD", help="another board: see `dracotheque games`, or FILE.toml")


def add_verify(parser: Parser) -> None:
    """Describe the check of a game's dice."""
    parser.add_argument("file", type=Path, help="a finished game's log (JSON), as the table's page gives it")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of sentences")
    add_language(parser)


def add_tournament(parser: Parser) -> None:
    """Describe a tournament."""
    parser.add_argument("game", nargs="?", help=f"one of: {', '.join(SHELF)}")
    parser.add_argument("--bots", metavar="BOT,BOT,…", help=f"the field, a name may be repeated: {BOTS}")
    add_options(parser)
    parser.add_argument(
        "--deals", type=positive, default=500, help="how many deals, each played in every seating (default: 500)"
    )
    parser.add_argument(
        "--first-deal", type=seed, default=0, metavar="K", help="begin with deal K: machines can share the work"
    )
    parser.add_argument("--seed", type=seed, default=1, help="same seed, same dice (default: 1)")
    parser.add_argument(
        "--processes", type=positive, default=os.cpu_count() or 1, help="default: one for each core; same results"
    )
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="keep every deal (JSON); the same command goes on where it stopped"
    )
    parser.add_argument("--merge", type=Path, nargs="+", metavar="FILE", help="add saved tournaments up, play nothing")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the shares of wins into an SVG file")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def positive(text: str) -> int:
    """Read a number of at least one; 1e6 and 1_000_000 are fine."""
    try:
        number = int(float(text)) if "e" in text.lower() else int(text)
    except (ValueError, OverflowError):
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def seed(text: str) -> int:
    """Read the number that decides all dice and cards, or that of a deal."""
    if not text.isdecimal() or int(text) >= 1 << 62:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2⁶² - 1")
    return int(text)


def chosen_game(chosen: Any, named: str | None, *, interpreted: bool = False, default: Sequence[str] = ()) -> Game:
    """Open the box that the command names, with its options; as many play as are named, if anybody is."""
    options: dict[str, str] = {}
    for text in chosen.option:
        name, sign, value = text.partition("=")
        if not sign:
            raise DracothequeError(f"An option is written NAME=VALUE, not {text!r}.")
        options[name.strip().replace("-", "_")] = value.strip()
    box = find_box(chosen.game)
    if not interpreted:
        ensure_compiled([box], parts_for(named.split(",") if named else default))
    usual = len(named.split(",")) if named else box.usual
    players = usual if chosen.players is None else chosen.players
    return Game(box, players, options, board=chosen.board, interpreted=interpreted)


def console(**settings: Any) -> Any:
    """Open the terminal for writing."""
    from rich.console import Console

    return Console(highlight=False, **settings)


# --- games, rules, replay ---------------------------------------------------------------------------------------
def games(chosen: Any) -> None:
    """Show the shelf."""
    from rich.table import Table

    table = Table(title="The shelf", title_justify="left")
    for heading in ("name", "title", "players", "age", "minutes", "by"):
        table.add_column(heading)
    for box in SHELF.values():
        players, by = f"{box.fewest}–{box.most}", f"{box.designer}, {box.year}"
        table.add_row(box.name, box.title, players, f"{box.age}+", box.minutes, by)
    screen = console()
    screen.print(table)
    for box in SHELF.values():
        screen.print(f"Options of {box.title}, the first value is the default:")
        for name, option in box.options.items():
            screen.print(f"  --option {name}={'|'.join(option.values)}", markup=False)
        if box.board:
            screen.print(f"  --board {'|'.join([*boards.names(box), 'FILE.toml'])}", markup=False)
    screen.print(f"Bots, the weakest of four levels first: {BOTS}", markup=False)


def board(chosen: Any) -> None:
    """Show a board as the beginning of a game shows it, or draw it; a faulty one is explained."""
    box = find_box(chosen.game)
    if not box.board:
        raise DracothequeError(f"{box.title} has only one board; `dracotheque rules {box.name}` describes it.")
    game = Game(box, box.usual, {}, board=chosen.board, interpreted=True)
    if chosen.night and not chosen.svg:
        raise DracothequeError("--night is for a drawing: say with --svg FILE where it goes.")
    if chosen.svg:
        drawing = importlib.import_module(f"{box.package}.drawing")
        chosen.svg.write_text(drawing.svg(game.board, game.words(chosen.lang), night=chosen.night), "utf-8")
        print(f"Drawn: {chosen.svg}")
        return
    drawing = importlib.import_module(f"{box.package}.terminal_board")
    screen = console()
    words_here = game.words(chosen.lang)
    screen.print(f"{box.title}: {words_here.say(game.scene.board_name(game.board))}", markup=False)
    screen.print(drawing.board(game.new_initial_state().observation(-1), words_here, screen.width, ()))


def rules(chosen: Any) -> None:
    """Print the rulebook, or one rule of it."""
    from rich.markdown import Markdown

    from dracotheque.engine import rulebook

    book = rulebook.read(find_box(chosen.game).folder / "rulebook", chosen.lang)
    if chosen.rule:
        paragraph = book[chosen.rule]
        text = f"### {paragraph.title} `{paragraph.id}`\n\n{paragraph.text}"
    else:
        text = rulebook.with_ids_as_code(book.markdown)
    console().print(Markdown(text))


def stored_game(path: Path) -> GameLog:
    """Read a game from its log; the file knows which box has to be made ready for it."""
    name = game_named_in(path)
    ensure_compiled([SHELF[name]] if name in SHELF else [])
    return load_log(path)


def replay(chosen: Any) -> None:
    """Print a saved game, move by move."""
    from dracotheque.engine import playthrough

    kept = stored_game(chosen.file)
    print(playthrough.head(kept.game))
    print(", ".join(f"{crest}: {name}" for crest, name in zip(kept.game.scene.CRESTS, kept.seats, strict=False)))
    told = openly_played(kept)
    for line in playthrough.lines(kept.game, [playthrough.Attempt(*move) for move in told], chosen.lang):
        print(line)
    if untold := len(kept.moves) - len(told):
        print(words(cache.PACKAGE / "words", chosen.lang).say(phrase("replay.secret", count=untold)))


def openly_played(kept: GameLog) -> list[tuple[int, int]]:
    """Leave out the last choices of a game under way that are still sealed: a spectator may not know them."""
    state = kept.play()
    while state.observation(-1).bytes() != state.record():
        state.undo_action()
    return state.full_history()


def verify(chosen: Any) -> None:
    """Check a game's dice; leave with 0 where they were fair, 1 where not, 2 where that cannot be told."""
    from dracotheque.tables import fairness

    try:
        verdict = fairness.verify(stored_game(chosen.file))
    except DracothequeError as error:
        say_error(str(error))
        raise SystemExit(2) from None
    print(json.dumps(verdict.as_dict(chosen.lang), ensure_ascii=False) if chosen.json else verdict.text(chosen.lang))
    if not verdict.fair:
        raise SystemExit(1)


# --- terminal ---------------------------------------------------------------------------------------------------
def terminal(chosen: Any) -> None:
    """Play in the terminal."""
    from dracotheque import terminal as player
    from dracotheque.terminal.shelf import choose_box

    resumed = resumed_game(chosen) if chosen.resume else None
    if not resumed and chosen.game is None:
        box = choose_box(list(SHELF.values()), chosen.lang, console(), input)
        if box is None:
            return
        chosen.game = box.name
    if chosen.save and chosen.save.exists() and chosen.save != chosen.resume:
        raise DracothequeError(f"{chosen.save} exists already: name another file, or go on with it by --resume.")
    game = resumed.game if resumed else chosen_game(chosen, chosen.seats, default=[USUAL_BOT])
    if resumed and not chosen.seats:
        seats = resumed_seats(resumed.seats)
    elif chosen.seats:
        seats = [seat.strip() for seat in chosen.seats.split(",")]
    else:
        seats = [USUAL_BOT if chosen.watch else "you"] + [USUAL_BOT] * (game.players - 1)
    if len(seats) != game.players:
        raise DracothequeError(f"{game.players} players need {game.players} names in --seats, not {len(seats)}.")
    player.play(game, seats, chosen.lang, chosen.seed, chosen.speed, chosen.save, resume=resumed)


def resumed_game(chosen: Any) -> GameLog:
    """Take up a saved game; what the file has settled is not asked again, and not ignored either."""
    settled = {"--players": chosen.players, "--option": chosen.option, "--board": chosen.board, "--watch": chosen.watch}
    if named := [name for name, value in settled.items() if value]:
        raise DracothequeError(f"{chosen.resume} has settled that already: leave {', '.join(named)} away.")
    resumed = stored_game(chosen.resume)
    if chosen.game and find_box(chosen.game).name != resumed.game.name:
        raise DracothequeError(f"{chosen.resume} is a game of {resumed.game.box.title}.")
    return resumed


def resumed_seats(seats: list[str]) -> list[str]:
    """Take the players of a saved game; a file must not name code to run, so bots of one's own are asked for anew."""
    from dracotheque.bots import is_known

    strangers = [seat for seat in seats if seat != "you" and not is_known(seat)]
    if strangers:
        raise DracothequeError(f"Who plays for {', '.join(strangers)} now? Name every seat: --seats you,random,…")
    return seats


# --- simulate ---------------------------------------------------------------------------------------------------
def simulate(chosen: Any) -> None:
    """Play many games and show what they add up to."""
    from dracotheque.lab import report, simulate

    game = chosen_game(chosen, chosen.bots, interpreted=chosen.on == "cuda" and not cache.has_numba())
    bots = [bot.strip() for bot in chosen.bots.split(",")] if chosen.bots else ["random"] * game.players
    if len(bots) != game.players:
        raise DracothequeError(f"{game.players} players need {game.players} bots, not {len(bots)}.")
    if chosen.on == "cuda" and set(bots) != {"random"}:
        raise DracothequeError("On a card only the bot “random” can play; leave --on cuda away.")
    with report.progress(chosen.games, quiet=chosen.json) as tell:
        done = simulate.simulate(
            game, chosen.games, bots, chosen.seed, chosen.threads, card=chosen.on == "cuda", tell=tell
        )
    if chosen.json:
        print(json.dumps(done.as_dict()))
    else:
        console().print(report.table(done))


# --- tournament -------------------------------------------------------------------------------------------------
def tournament(chosen: Any) -> None:
    """Play a tournament, or add saved ones up, and show the standings."""
    from dracotheque.lab import report

    if chosen.plot and not chosen.plot.parent.is_dir():
        raise DracothequeError(f"There is no folder {chosen.plot.parent} for the plot.")
    done = merged_tournament(chosen) if chosen.merge else played_tournament(chosen)
    if chosen.json:
        print(json.dumps(done.as_dict()))
    elif not done.deals:
        print("No deal was finished.")
    else:
        console().print(report.tournament_table(done))
        print("\n".join(["again:", *done.commands()]))  # not by the console: a command must not be broken into lines
        if done.missing and chosen.save:
            print("The same command goes on from here.")
    if chosen.plot and done.deals:
        from dracotheque.lab import tournament_plot

        chosen.plot.write_text(tournament_plot.svg(done), "utf-8")


def played_tournament(chosen: Any) -> Any:
    """Play a tournament, or go on with one."""
    from dracotheque.lab import report, tournament

    if not chosen.game or not chosen.bots:
        raise DracothequeError("Name a game and the field: dracotheque tournament emerald --bots greedy,random,random.")
    bots = [bot.strip() for bot in chosen.bots.split(",")]
    if chosen.players is None:
        box = find_box(chosen.game)
        chosen.players = max(min(len(bots), box.most), box.fewest)
    game = chosen_game(chosen, chosen.bots)
    settings = tournament.settle(game, bots, chosen.seed)
    store = tournament.Store(chosen.save) if chosen.save else None
    done = store.take_up(settings) if store else tournament.Tournament(settings)
    done.wanted = range(chosen.first_deal, chosen.first_deal + chosen.deals)
    if not done.missing and not (store and store.part.exists()):
        return done
    tournament.rehearse(game, settings)
    with contextlib.ExitStack() as opened:
        keep = opened.enter_context(store.writing(settings)) if store else lambda deal: None
        tell = opened.enter_context(report.tournament_progress(quiet=chosen.json))
        tournament.play(game, done, chosen.processes, keep, tell)
    if store and not done.missing:
        store.finish(done)
    return done


def merged_tournament(chosen: Any) -> Any:
    """Add saved tournaments up, into a new file where one is named."""
    from dracotheque.lab import tournament

    if chosen.game or chosen.bots:
        raise DracothequeError("--merge plays nothing: leave the game and its bots away.")
    if chosen.save and chosen.save.exists():
        raise DracothequeError(f"{chosen.save} exists already: name another file.")
    done = tournament.merge(chosen.merge)
    if chosen.save:
        tournament.Store(chosen.save).finish(done)
    return done


# --- compile, check-equal, ptx ----------------------------------------------------------------------------------
def parts_for(bots: Iterable[str]) -> tuple[str, ...]:
    """Say what must be compiled for bots: not everybody takes advice, and few search."""
    from dracotheque.engine import warm

    kinds = {bot.strip().partition(":")[0] for bot in bots}
    if kinds & {"search", "mixer", "knight", "dragon"}:
        return warm.ALL
    return (*warm.PLAY, warm.ADVICE) if kinds & {"greedy", "hatchling", "squire"} else warm.PLAY


def ensure_compiled(boxes: Iterable[Box], parts: tuple[str, ...] = ()) -> None:
    """Compile what is not compiled yet, and show that something is going on."""
    from dracotheque.engine import warm

    parts = parts or warm.PLAY
    cold = [box for box in boxes if not warm.is_warm(box, parts)]
    if not cold or not cache.has_numba() or rule.everything_interpreted():
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        names = ", ".join(box.title for box in cold)
        task = progress.add_task(f"Carving the pieces of {names} (once, up to half a minute each) …", total=None)
        warm.warm(cold, lambda done, all_: progress.update(task, completed=done, total=all_), parts)


def named_boxes(names: list[str]) -> list[Box]:
    """Find the boxes named, or take all."""
    return [find_box(name) for name in names] or list(SHELF.values())


def compile_rules(chosen: Any) -> None:
    """Compile rules now instead of at the first game."""
    boxes = named_boxes(chosen.games)
    ensure_compiled(boxes, parts_for(["search"]))
    print(f"Compiled: {', '.join(box.title for box in boxes)}.")


def check_equal(chosen: Any) -> None:
    """Compare compiled and interpreted games."""
    from dracotheque.lab import bars, equal

    boxes = named_boxes(chosen.names)
    ensure_compiled(boxes)
    for box in boxes:
        sets = list(equal.option_sets(box))
        with bars.bar(len(sets) * chosen.games, f"{box.title}, {len(sets)} option sets") as advance:
            moves = equal.check_equal(box.name, chosen.games, chosen.processes, advance)
        games = len(sets) * chosen.games
        print(
            f"{box.title}: {games:,} games in {len(sets)} option sets, {moves:,} moves compared, all equal.", flush=True
        )


def ptx(chosen: Any) -> None:
    """Write PTX files for every game: whole games, and the steps of training where there is any."""
    from dracotheque.engine import cuda
    from dracotheque.lab.train import GROUPS, machines

    for box in named_boxes(chosen.games):
        print(f"Compiling {box.title} for NVIDIA cards …", flush=True)
        game = Game(box, box.usual, {})
        for path in (cuda.make_ptx(game), *(machines.make_ptx(game) if box.name in GROUPS else ())):
            print(f"  {path.name}: {path.stat().st_size / 1e3:.0f} kB in {path.parent}")

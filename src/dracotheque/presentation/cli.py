"""The commands that show games, boards, rules and saved games, and the one that compiles rules."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from dracotheque.engine import board_files, registry
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache
from dracotheque.engine.log import GameLog
from dracotheque.engine.phrases import phrase, words
from dracotheque.engine.registry import find_game
from dracotheque.presentation.command_line import (
    DEVELOPMENT,
    PLAY,
    STUDY,
    Commands,
    add_game,
    add_language,
    console,
    ensure_compiled,
    parts_for,
    saved_game,
)  # fmt: skip
from dracotheque.presentation.level_names import level_name

BOTS = {
    "levels, weakest first": "beginner, easy, medium, hard",
    "perfect play, where a game is solved": "perfect",
    "others": "random, greedy, search:1s, mixer, FILE.py:CLASS",
}
"""The names that `--bots` and `--seats` take; `bots` is no package below this one."""


def add_commands(commands: Commands) -> None:
    """Add the commands of this package."""
    commands.add(PLAY, "games", "List games, options, boards and bots", games, example="")

    made = commands.add(PLAY, "rules", "Print the rulebook of a game", rules, example="{game} --lang fr")
    add_game(made)
    made.add_argument("rule", nargs="?", help="id of a rule, to print it alone; the rulebook shows the ids")
    add_language(made)

    example = "{game} --svg board.svg"
    made = commands.add(PLAY, "board", "Show a board, or check your own TOML file", board, example=example)
    add_game(made)
    made.add_argument("board", nargs="?", help="name of another board, or FILE.toml")
    made.add_argument("--svg", type=Path, metavar="FILE", help="SVG file to write, as the page shows the board")
    made.add_argument("--night", action="store_true", help="night colours, with --svg")
    add_language(made)

    made = commands.add(STUDY, "replay", "Print a saved game move by move", replay, example="game.json")
    made.add_argument("file", type=Path, help="log of a game (JSON)")
    add_language(made)

    summary = "Compile rules now instead of at the first game"
    made = commands.add(DEVELOPMENT, "compile", summary, compile_rules, example="{game}")
    made.add_argument("games", nargs="*", metavar="GAME", help="names of games (default: all)")


def games(arguments: Namespace) -> None:
    """Print all games with their options, boards and bots."""
    from rich.table import Table

    table = Table(title="Games", title_justify="left")
    for heading in ("name", "title", "players", "age", "minutes", "by"):
        table.add_column(heading)
    for game in registry.games().values():
        players = f"{game.min_players}–{game.max_players}"
        by = ", ".join(str(part) for part in (game.designer, game.year) if part)
        table.add_row(game.name, game.title, players, f"{game.min_age}+" if game.min_age else "", game.minutes, by)
    screen = console()
    screen.print(table)
    for game in registry.games().values():
        screen.print(f"Options of {game.title} (the first value is the default):")
        for name, option in game.options.items():
            several = ["1+2…"] if option.several else []
            screen.print(f"  --option {name}={'|'.join([*option.values, *several])}", markup=False)
        if game.has_board_files:
            screen.print(f"  --board {'|'.join([*board_files.names(game), 'FILE.toml'])}", markup=False)
    screen.print("Bots:")
    for kind, names in BOTS.items():
        screen.print(f"  {kind}: {names}", markup=False)


def rules(arguments: Namespace) -> None:
    """Print a rulebook, or one rule of it."""
    from rich.markdown import Markdown

    from dracotheque.engine import rulebook

    book = rulebook.read(find_game(arguments.game).folder / "rulebook", arguments.lang)
    if arguments.rule:
        paragraph = book[arguments.rule]
        text = f"### {paragraph.title} `{paragraph.id}`\n\n{paragraph.text}"
    else:
        text = rulebook.with_ids_as_code(book.markdown)
    console().print(Markdown(text))


def board(arguments: Namespace) -> None:
    """Print a board as at the start of a game, or write it as the page shows it; its problems are explained."""
    definition = find_game(arguments.game)
    if not definition.has_board_files and not arguments.svg:
        raise DracothequeError(f"{definition.title} has a single board. Use --svg FILE to draw it.")
    game = Game(definition, definition.default_players, {}, board=arguments.board, interpreted=True)
    if arguments.night and not arguments.svg:
        raise DracothequeError("--night needs a drawing. Add --svg FILE.")
    if arguments.svg:
        draw(game, arguments)
        return
    from dracotheque.presentation.generic_terminal import terminal_view_of

    screen, own = console(), game.words(arguments.lang)
    screen.print(f"{definition.title}: {own.say(game.text.board_name(game.board))}", markup=False)
    observation = game.new_initial_state().observation(-1)
    screen.print(terminal_view_of(game).board(observation, own, screen.width))


def draw(game: Game, arguments: Namespace) -> None:
    """Write a board as SVG."""
    from dracotheque.presentation.generic_board import board_view_of

    drawing = board_view_of(game).svg(game.board, game.words(arguments.lang), night=arguments.night)
    arguments.svg.write_text(drawing, "utf-8")
    print(f"Saved to {arguments.svg}.")


def replay(arguments: Namespace) -> None:
    """Print a saved game, move by move."""
    from dracotheque.engine import playthrough

    log = saved_game(arguments.file)
    print(playthrough.head(log.game))
    names = log.game.words(arguments.lang)
    seats = zip(log.game.text.CRESTS, log.seats, strict=False)
    print(", ".join(f"{names.entry(f'crest.{crest}')}: {level_name(player)}" for crest, player in seats))
    known = known_moves(log)
    for line in playthrough.lines(log.game, [playthrough.PlaythroughMove(*move) for move in known], arguments.lang):
        print(line)
    if secret := len(log.moves) - len(known):
        print(words(cache.PACKAGE / "locale", arguments.lang).say(phrase("replay.secret", count=secret)))


def known_moves(log: GameLog) -> list[tuple[int, int]]:
    """Return the moves of a game without the last ones that are still hidden from spectators."""
    state = log.play()
    while state.observation(-1).bytes() != state.record():
        state.undo_action()
    return state.full_history()


def compile_rules(arguments: Namespace) -> None:
    """Compile the rules of games."""
    chosen = [find_game(name) for name in arguments.games] or list(registry.games().values())
    ensure_compiled(chosen, parts_for(["search"]))
    print(f"Compiled {', '.join(game.title for game in chosen)}.")

"""The menu of games in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.phrases import Phrase, game_words, phrase, words
from dracotheque.terminal.nonbreaking import NonBreakingText, protect_spaces


def choose_game(
    games: Sequence[GameDefinition], language: str, console: Console, ask: Callable[[str], str]
) -> GameDefinition | None:
    """Show the games and return the one chosen by number or beginning of its name; None if the user quits."""
    own = words(Path(__file__).parents[1] / "locale", language)
    console.print(f" [bold]{own.entries['menu.title']}[/]")
    console.print(NonBreakingText(_table(games, language)))
    question = own.say(phrase("menu.ask", last=len(games)))
    while True:
        try:
            answer = ask(f" {question} ").strip().casefold()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return None
        for number, definition in enumerate(games, 1):
            if answer == str(number) or (answer and definition.name.startswith(answer)):
                return definition
        if answer in ("quit", own.entries["command.quit"].casefold()):
            return None
        if answer:
            console.print(f" {own.say(phrase('menu.none', text=answer))}", markup=False)


def _table(games: Sequence[GameDefinition], language: str) -> Table:
    """Return a table of all games: number, title, tagline, players, age and minutes."""
    own = words(Path(__file__).parents[1] / "locale", language)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=4)
    table.add_column()
    for number, definition in enumerate(games, 1):
        game = game_words(definition, language)
        tagline = f"{game.entry('promise')}\n" if game.has("promise") else ""
        facts = own.say(_facts(definition))
        table.add_row(
            Text(str(number), "bold"),
            Text.assemble((definition.title, "bold"), protect_spaces(f"\n{tagline}"), (protect_spaces(facts), "dim")),
        )
    return table


def _facts(definition: GameDefinition) -> Phrase:
    """Return players, age and minutes of a game, as far as its definition has them."""
    players = f"{definition.min_players}–{definition.max_players}"
    if not (definition.designer and definition.year and definition.minutes):
        return phrase("menu.plain", players=players)
    return phrase(
        "menu.game",
        players=players,
        minutes=definition.minutes,
        age=definition.min_age,
        designer=definition.designer,
        year=definition.year,
    )

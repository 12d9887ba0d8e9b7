"""The shelf in the terminal: which box is to be opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dracotheque.engine.game import Box
from dracotheque.engine.words import phrase, words
from dracotheque.terminal.glue import Loosened, glued


def choose_box(boxes: Sequence[Box], language: str, console: Console, ask: Callable[[str], str]) -> Box | None:
    """Show the boxes and ask for one, by its number or the beginning of its name; None when nobody wants any."""
    own = words(Path(__file__).parents[1] / "words", language)
    console.print(f" [bold]{own.entries['shelf.title']}[/]")
    console.print(Loosened(_listed(boxes, language)))
    question = own.say(phrase("shelf.ask", last=len(boxes)))
    while True:
        try:
            answer = ask(f" {question} ").strip().casefold()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return None
        for number, box in enumerate(boxes, 1):
            if answer == str(number) or (answer and box.name.startswith(answer)):
                return box
        if answer in ("quit", own.entries["command.quit"].casefold()):
            return None
        if answer:
            console.print(f" {own.say(phrase('shelf.none', text=answer))}", markup=False)


def _listed(boxes: Sequence[Box], language: str) -> Table:
    """Lay out every box with its number, its promise, and what is printed on its side."""
    own = words(Path(__file__).parents[1] / "words", language)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=4)
    table.add_column()
    for number, box in enumerate(boxes, 1):
        promise = words(box.folder / "words", language).entries["promise"]
        side = own.say(
            phrase(
                "shelf.box",
                players=f"{box.fewest}–{box.most}",
                minutes=box.minutes,
                age=box.age,
                designer=box.designer,
                year=box.year,
            )
        )
        table.add_row(
            Text(str(number), "bold"), Text.assemble((box.title, "bold"), glued(f"\n{promise}\n"), (glued(side), "dim"))
        )
    return table

"""Helpers for boards in the terminal: a canvas, crests, and score tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from rich.style import Style
from rich.table import Table
from rich.text import Text

from dracotheque.engine.phrases import Catalog

CREST_STYLES = {
    crest: Style(color=ink, bgcolor=cloth, bold=True)
    for crest, ink, cloth in (
        ("lion", "#2a2018", "#e2b03f"), ("tower", "#ffffff", "#b5432a"), ("star", "#ffffff", "#7a4a94"),
        ("oak", "#ffffff", "#1f7a5c"), ("wave", "#ffffff", "#2f5fa8"), ("falcon", "#2a2018", "#b9bfc8"),
    )
}  # fmt: skip
GOLD = Style(color="#cf9a2e")
ROCK = Style(color="#a08468")
DRAGON = Style(color="#2fa877", bold=True)
MARK = Style(bold=True)
BOLD, SOFT = Style(bold=True), Style(dim=True)
PLAIN = Style.null()

COIN_SIGN, TURN_SIGN = "●", "▸"
LOOKS_LEFT, LOOKS_RIGHT = "◄▄▟▙▄▂▁", "▁▂▄▟▙▄►"

Signs = list[tuple[str, Style]]
"""Single characters, each with its style."""


class Canvas:
    """A grid of characters, each with its style."""

    def __init__(self, width: int, height: int) -> None:
        """Make an empty canvas."""
        self.rows: list[Signs] = [[(" ", PLAIN)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style = PLAIN) -> None:
        """Write a text over the characters at a place."""
        self.put_signs(x, y, styled(text, style))

    def put_signs(self, x: int, y: int, signs: Signs) -> None:
        """Write signs that have their own styles."""
        self.rows[y][x : x + len(signs)] = signs

    def text(self) -> Text:
        """Return the canvas as Rich text without line breaks."""
        return Text("\n", no_wrap=True, overflow="crop").join(self.line(row) for row in self.rows)

    @staticmethod
    def line(row: Signs) -> Text:
        """Return a row as text, neighbours of one style joined, so that its code is sent once."""
        runs = itertools.groupby(row, key=lambda sign: sign[1])
        return Text.assemble(*(("".join(sign for sign, _ in run), style) for style, run in runs))


def styled(text: str, style: Style) -> Signs:
    """Return a text with one style for every character."""
    return [(sign, style) for sign in text]


def shortened(text: str, room: int) -> str:
    """Return a word cut to a width."""
    return text if len(text) <= room else text[: max(room - 1, 0)] + "."[:room]


def numbered(places: Iterable[int | None]) -> dict[int, str]:
    """Return for every place the numbers of its choices; None is a choice without a place."""
    marks: dict[int, str] = {}
    for number, place in enumerate(places, 1):
        if place is not None:
            marks[place] = f"{marks[place]},{number}" if place in marks else str(number)
    return marks


# --- Crests -----------------------------------------------------------------------------------------------------
def letter(words: Catalog, crest: str) -> str:
    """Return the letter of a crest's pieces: no two are alike, in any language."""
    return words.entry(f"sign.{crest}")


def badge(words: Catalog, crest: str) -> Text:
    """Draw a crest as it stands on a shield."""
    return Text(f" {letter(words, crest)} ", CREST_STYLES[crest])


def all_letters(words: Catalog, crests: Sequence[str]) -> Text:
    """Draw the letters of all crests side by side."""
    return Text.assemble(*((letter(words, crest), CREST_STYLES[crest]) for crest in crests))


# --- Tables -----------------------------------------------------------------------------------------------------
def player(words: Catalog, crest: str, badges: Text, who: str, *, chooses: bool) -> Text:
    """Return a player's crest, colour and name, with a sign if it is their turn."""
    turn, called = TURN_SIGN if chooses else " ", words.entry(f"crest.{crest}")
    return Text.assemble((f" {turn} ", MARK), badges, " ", (called, MARK), (f" {who}", SOFT))


def counted(count: int, style: Style = PLAIN) -> Text:
    """Return a number as text, a dim dot for 0."""
    return Text(str(count), style + MARK) if count else Text("·", SOFT)


def score_table(
    badges: Sequence[Text],
    who: Sequence[str],
    rows: Sequence[tuple[str, Style, Sequence[int]]],
    total: tuple[str, Sequence[int]],
) -> Table:
    """Return the score as a table, as the rulebook adds it up: a row for each item, and the total below."""
    name, points = total
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=PLAIN, show_footer=True)
    table.add_column("", footer=Text(name, MARK), no_wrap=True)
    for crests, called, count in zip(badges, who, points, strict=True):
        title = Text.assemble(crests, "\n", (called, SOFT))
        table.add_column(title, footer=Text(str(count), MARK), justify="right", no_wrap=True)
    for what, style, counts in rows:
        table.add_row(Text(what, style), *map(counted, counts))
    return table

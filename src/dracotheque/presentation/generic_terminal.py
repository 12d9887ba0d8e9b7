"""The terminal view of any game: the fields that its catalogue names under `[field]`, those of each seat in a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, cast

from rich.console import Group
from rich.table import Table
from rich.text import Text

from dracotheque.engine import default_rules, registry
from dracotheque.engine.default_text import CRESTS
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Catalog, phrase
from dracotheque.engine.plain_state import PlainState
from dracotheque.presentation import terminal_canvas
from dracotheque.presentation.terminal_canvas import BOLD, MARK, SOFT, TURN_SIGN

if TYPE_CHECKING:
    from dracotheque.contract import TerminalView

FIELD, VALUE = "field.", "value."

SPACIOUS = 30
"""Lines of a screen from which empty ones are printed."""


def terminal_view_of(game: Game) -> TerminalView:
    """Return a game's `terminal_view`, with what it leaves out from here."""
    return cast("TerminalView", registry.part(game.definition, "terminal_view", defaults))


def text_view(
    game: Game, words: Catalog, position: PlainState, who: Sequence[str], viewer: int, width: int, height: int,
    marks: Mapping[int, str] | None = None,
) -> Group:  # fmt: skip
    """Return the board and the holdings of all seats as text, from an observation, for the size of a screen."""
    view = terminal_view_of(game)
    picture = view.board(position, words, width, marks, height)
    board_width = min(max(len(line) for line in picture.plain.split("\n")), width)
    board = Group(_headline(game.definition.title, view.caption(position, words), board_width), picture)
    gap = [Text()] if height >= SPACIOUS else []
    return Group(*gap, board, *gap, view.players(position, words, width, who, viewer), *gap)


def _headline(title: str, caption: str, width: int) -> Text:
    """Write the title at the left and the caption at the right of a line."""
    line = "─" * max(width - len(title) - len(caption) - 9, 1)
    return Text.assemble((" ── ", SOFT), (title, BOLD), (f" {line} ", SOFT), caption, (" ──", SOFT), no_wrap=True)


class GenericTerminalView:
    """A game shown as its fields and their numbers."""

    def __init__(self, definition: GameDefinition) -> None:
        """Take the rules, which count the points."""
        self.definition = definition
        self.rules = registry.part(definition, "rules", default_rules.defaults)

    def board(
        self, position: PlainState, words: Catalog, width: int, marks: Mapping[int, str] | None = None, height: int = 0
    ) -> Text:
        """List the fields that have no value per seat, one a line."""
        lines = [
            Text.assemble((f"  {title}  ", SOFT), (_shown(words, field, getattr(position, field)), MARK))
            for field, title in _fields(words)
            if not _is_by_seat(position, field)
        ]
        return Text("\n").join(lines)

    def caption(self, position: PlainState, words: Catalog) -> str:
        """Return an empty text: nothing is added to the title."""
        return ""

    def place(self, position: PlainState, seat: int, action: int) -> int | None:
        """Return None: no choice has a place on this board."""
        return None

    def players(self, position: PlainState, words: Catalog, width: int, who: Sequence[str], viewer: int) -> Table:
        """List the fields of each seat."""
        by_seat = [(field, title) for field, title in _fields(words) if _is_by_seat(position, field)]
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style=SOFT)
        for title in ("", *(title for _, title in by_seat), words.entry("generic.points")):
            table.add_column(title, no_wrap=True)
        points = self._points(position)
        for seat in range(position.players):
            badge = self.crests(position, words, seat)
            name = terminal_canvas.player(words, CRESTS[seat], badge, who[seat], chooses=position.to_move == seat)
            shown = [_shown(words, field, getattr(position, field)[seat]) for field, _ in by_seat]
            table.add_row(name, *shown, str(points[seat]))
        return table

    def crests(self, position: PlainState, words: Catalog, seat: int) -> Text:
        """Draw a player's crest."""
        return terminal_canvas.badge(words, CRESTS[seat])

    def score(self, position: PlainState, words: Catalog, who: Sequence[str]) -> Table:
        """Show the points of all seats."""
        badges = [self.crests(position, words, seat) for seat in range(position.players)]
        return terminal_canvas.score_table(badges, who, [], (words.entry("generic.points"), self._points(position)))

    def legend(self, words: Catalog) -> list[tuple[Text, str]]:
        """Explain the two signs."""
        crests = terminal_canvas.all_letters(words, CRESTS[: self.definition.max_players])
        return [(crests, words.entry("generic.seats")), (Text(TURN_SIGN, MARK), words.entry("generic.turn"))]

    def _points(self, position: PlainState) -> list[int]:
        """Return the points of all seats."""
        points = [0] * position.players
        self.rules.scores(position, points)
        return points


def _fields(words: Catalog) -> Iterator[tuple[str, str]]:
    """Yield the fields that are shown, each with its title."""
    titles = {**words.fallback, **words.entries}
    yield from ((key.removeprefix(FIELD), title) for key, title in titles.items() if key.startswith(FIELD))


def _is_by_seat(position: PlainState, field: str) -> bool:
    """Return whether a field has a value, or a row of them, for every seat."""
    value: int | list[int] = getattr(position, field)
    return not isinstance(value, int) and len(value) >= position.players


def _shown(words: Catalog, field: str, value: int | list[int]) -> str:
    """Write a value as the catalogue names it under `[value.FIELD]`, or as a number."""
    if isinstance(value, list):
        return " ".join(_shown(words, field, each) for each in value)
    key = f"{VALUE}{field}.{value}"
    return words.say(phrase(key)) if words.has(key) else str(value)


def defaults(definition: GameDefinition, view: ModuleType) -> Mapping[str, object]:
    """Return the functions for what a game's terminal view leaves out."""
    generic = GenericTerminalView(definition)
    names = ("board", "caption", "place", "players", "crests", "score", "legend")
    return {
        "RESULT_RULES": generic.rules.ENDINGS,
        "DRAWN_RULES": (),
        **{name: getattr(generic, name) for name in names},
    }

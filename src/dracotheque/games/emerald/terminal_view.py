"""Emerald's board as text: the road, what each player has, and the score.

The road winds as on the real board: from the castle at the bottom left over the plain, up at the right, and back
through the caves to the treasure chamber. Letters and shapes show everything; colour only helps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.style import Style
from rich.table import Table
from rich.text import Text

from dracotheque.engine.phrases import Catalog, phrase
from dracotheque.presentation import terminal_canvas

# isort: off
from dracotheque.games.emerald.rules import mechanics, scoring
from dracotheque.presentation.terminal_canvas import (
    CREST_STYLES, DRAGON, GOLD, MARK, PLAIN, ROCK, SOFT, Canvas, Signs, counted, shortened,
)  # fmt: skip
from dracotheque.presentation.narration import points
from dracotheque.games.emerald.names import CRESTS, GEMS, KEEP
from dracotheque.games.emerald.text import score_rows
from dracotheque.games.emerald.rules.state import (
    CAVES, CHAMBER, COLOURS, FIRST_CAVE, FIRST_FIELD, LAIRWARD, NEST, PASS, ROD_LENGTH, SECOND_COLOUR, TREASURES,
)  # fmt: skip

Position = Any  # a PlainState with the fields of `rules.state.State`

RESULT_RULES = ("score.winner", "score.shared")
"""The rules whose events say who won."""
DRAWN_RULES = ("setup.cards",)
"""The rules whose events need no words, because the board shows them."""

FIELDS = FIRST_CAVE - FIRST_FIELD
NARROWEST, WIDEST = 7, 13  # columns of a field or a cave, its left wall included

GEM_STYLES = tuple(Style(color=colour) for colour in ("#d83a56", "#2fa877", "#b0609a", "#24a8b4"))
STONE = Style(color="#8b8578")
GRASS = Style(color="#7d9a4e")
LAIR = GOLD
WOOD = Style(color="#b07a45")
ROW_STYLES = (GOLD, LAIR, PLAIN, PLAIN, *GEM_STYLES)
"""The styles of the score sheet's rows."""
GEM_SIGN, TREASURE_SIGN = "◆", "★"


# --- Names in short ---------------------------------------------------------------------------------------------
def caption(position: Position, words: Catalog) -> str:
    """Return where the dragon is and which way it looks."""
    facing = "lair" if position.facing == LAIRWARD else "plain"
    cave = words.say(phrase("place.cave", number=position.dragon + 1))
    return f"{words.entries['dragon']} · {cave} · {words.entries[f'facing.{facing}']}"


def _gem_names(words: Catalog, room: int) -> list[str]:
    """Name the gems, whole where all names fit, else by their first three letters."""
    names = [words.entries[f"gem.{gem}"] for gem in GEMS]
    return names if max(map(len, names)) <= room else [name[:3].lower() for name in names]


# --- The board --------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Board:
    """One position, as large as the screen allows."""

    position: Position
    words: Catalog
    cell: int
    marks: Mapping[int, str]
    canvas: Canvas

    # Columns, from the left: the margin, the chamber above the castle, then caves above fields.
    @property
    def chamber(self) -> int:
        """How wide the chamber is."""
        return self.cell + 7

    def cave(self, number: int) -> int:
        """Find the left wall of a cave, counted from 0: the first one stands at the right end."""
        return 1 + self.chamber + (CAVES - 1 - number) * self.cell

    def field(self, number: int) -> int:
        """Find the left wall of a field, counted from 0: the last one stands below the first cave."""
        return self.cave(FIELDS - 1 - number)

    @property
    def tower(self) -> int:
        """How wide a tower is, its left wall included."""
        return (4 * self.cell + 2) // 5

    @property
    def keep(self) -> int:
        """How much room the keep has between its walls: enough for its name where the screen allows it."""
        return self.tower + 1 if self.cell == NARROWEST else self.tower + 2

    # --- Knights
    def signs(self, place: int, room: int) -> Signs:
        """Write the knights on a place letter by letter, or counted by crest where there is no room for each."""
        standing = {colour: mechanics.standing(self.position, colour, place) for colour in range(COLOURS)}
        crowded = sum(standing.values()) > room
        signs: Signs = []
        for colour, number in standing.items():
            crest = terminal_canvas.letter(self.words, CRESTS[colour])
            knights = f"{crest}{number}" if crowded and number else crest * number
            signs += terminal_canvas.styled(knights, CREST_STYLES[CRESTS[colour]])
        return signs

    def stand(self, place: int, x: int, y: int, room: int, rows: int = 1) -> None:
        """Let the knights of a place stand in the middle of it, in as few rows as they need, the last row first."""
        signs = self.signs(place, room * rows)
        for row in range(rows):
            shown, signs = signs[:room], signs[room:]
            self.canvas.put_signs(x + (room - len(shown) + 1) // 2, y - row, shown)

    # --- Rows of spaces
    def spaces(self, x: int, y: int, *, height: int, titles: Sequence[str], style: Style) -> None:
        """Draw spaces side by side, their titles in the upper walls."""
        room, put = self.cell - 1, self.canvas.put
        put(x, y, "╭" + "┬".join(f" {title} ".center(room, "─") for title in titles) + "╮", style)
        for row in range(y + 1, y + height - 1):
            for wall in range(len(titles) + 1):
                put(x + wall * self.cell, row, "│", style)
        put(x, y + height - 1, "╰" + "┴".join(["─" * room] * len(titles)) + "╯", style)
        for space, title in enumerate(titles):
            put(x + space * self.cell + 1 + (room - len(title)) // 2, y, title, MARK)

    def mark(self, place: int, x: int, y: int, room: int) -> None:
        """Write the number of the choice that begins here into the lower wall."""
        if place in self.marks:
            mark = f"[{self.marks[place]}]"
            self.canvas.put(x + (room - len(mark) + 1) // 2, y, mark, MARK)

    # --- The parts of the picture
    def draw_flight(self, y: int) -> None:
        """Draw the rod above its four caves, and the dragon on its own."""
        rod, length = self.cave(self.position.rod + ROD_LENGTH - 1), ROD_LENGTH * self.cell + 1
        self.canvas.put(rod, y, "┍" + "━" * (length - 2) + "┑", WOOD)
        dragon = terminal_canvas.LOOKS_LEFT if self.position.facing == LAIRWARD else terminal_canvas.LOOKS_RIGHT
        x = self.cave(self.position.dragon) + (self.cell - len(dragon) + 1) // 2
        self.label_rod(rod, length, x, y)
        self.canvas.put(x, y, dragon, DRAGON)

    def label_rod(self, rod: int, length: int, dragon: int, y: int) -> None:
        """Write on the rod what it is, on the longer side of the dragon."""
        name = f" {self.words.entries['rod']} "
        tail = max(dragon + len(terminal_canvas.LOOKS_LEFT), rod)
        before, after = dragon - rod, rod + length - tail
        start, room = (rod, before) if before >= after else (tail, after)
        self.canvas.put(start + (room - len(name)) // 2, y, name, WOOD)

    def draw_caves(self, y: int) -> None:
        """Draw the caves with their knights and piles."""
        position, room = self.position, self.cell - 1
        titles = [str(CAVES - space) for space in range(CAVES)]
        self.spaces(self.cave(CAVES - 1), y, height=6, titles=titles, style=ROCK)
        names = _gem_names(self.words, room - 3)
        for cave in range(CAVES):
            x = self.cave(cave) + 1
            self.stand(FIRST_CAVE + cave, x, y + 2, room, rows=2)
            self.mark(FIRST_CAVE + cave, x, y + 5, room)
            kind, value = position.top[cave], position.top[CAVES + cave]
            self.draw_pile(x, y + 3, f"{GEM_SIGN}{names[kind]}", position.pile[cave], GEM_STYLES[kind])
            self.draw_pile(x, y + 4, f"{terminal_canvas.COIN_SIGN}{value + 1}", position.pile[CAVES + cave], GOLD)

    def draw_pile(self, x: int, y: int, top: str, cards: int, style: Style) -> None:
        """Write a pile's top card and how many cards there are; a used-up pile is a dot."""
        room = self.cell - 1
        if cards == 0:
            self.canvas.put(x + room // 2, y, "·", SOFT)
            return
        left = x + (room - 6) // 2 if len(top) <= 4 else x + (room - len(top) - 2) // 2
        self.canvas.put(left, y, top, style)
        self.canvas.put(left + max(len(top), 4), y, f"×{cards}", SOFT)

    def draw_lair(self, y: int) -> None:
        """Draw the chamber with its four places, a treasure on each until a knight is home, and the nest behind."""
        room, put, entries = self.chamber - 2, self.canvas.put, self.words.entries
        put(1, y, "╔" + "═" * room + "╗", LAIR)
        for row in range(y + 1, y + 5):
            put(1, row, "║" + " " * room + "║", LAIR)
        put(1, y + 3, "╟" + "─" * room + "╢", LAIR)
        put(1, y + 5, "╚" + "═" * room + "╝", LAIR)
        for row, name in ((y, entries["hand.home"]), (y + 3, entries["hand.nest"])):
            put(2 + (room - len(name)) // 2, row, name, MARK)
        home = self.signs(CHAMBER, TREASURES)
        places = home + [(TREASURE_SIGN, LAIR)] * (TREASURES - len(home))
        for number, place in enumerate(places):
            self.canvas.put_signs(2 + (room - 10) // 2 + 3 * number, y + 1, [place])
        left = f"{entries['hand.treasures']} {self.position.treasures_left}"
        put(2 + (room - len(left)) // 2, y + 2, left, SOFT)
        self.stand(NEST, 2, y + 4, room)

    def draw_plain(self, y: int) -> None:
        """Draw the fields, and how the road goes on from them."""
        titles = [str(number + 1) for number in range(FIELDS)]
        self.spaces(self.field(0), y, height=4, titles=titles, style=GRASS)
        for number in range(FIELDS):
            x, room = self.field(number) + 1, self.cell - 1
            self.stand(FIRST_FIELD + number, x, y + 2, room, rows=2)
            self.mark(FIRST_FIELD + number, x, y + 3, room)
        for row, style in ((y - 1, ROCK), (y, GRASS)):
            self.canvas.put(self.cave(0) + self.cell - 2, row, "▲", style)

    def draw_castle(self, y: int) -> None:
        """Draw four towers and the keep under one row of battlements, and the road to the first field."""
        x, put = 1, self.canvas.put
        for place in range(FIRST_FIELD):
            room = self.keep if place == KEEP else self.tower - 1
            name = shortened(self.words.entries["board.keep"], room) if place == KEEP else str(place + 1)
            for row in (y + 1, y + 2):
                put(x, row, "│" + " " * room + "│", STONE)
            put(x, y + 3, ("└" if place == 0 else "┴") + "─" * room + "┘", STONE)
            put(x + 1 + (room - len(name) + 1) // 2, y + 1, name, MARK)
            self.stand(place, x + 1, y + 2, room)
            self.mark(place, x + 1, y + 3, room)
            x += room + 1
        put(1, y, ("▟▙" * x)[:x], STONE)
        put(x + 1, y + 2, "─" * (self.field(0) - x - 2) + "▸", GRASS)


def board(
    position: Position, words: Catalog, width: int, marks: Mapping[int, str] | None = None, height: int = 0
) -> Text:  # fmt: skip
    """Draw the board for a screen of some width, however high; `marks` numbers the choices that begin at a place."""
    cell = min(max((width - 9) // 10, NARROWEST), WIDEST)
    canvas = Canvas(10 * cell + 9, 11)
    drawing = Board(position, words, cell, marks or {}, canvas)
    drawing.draw_flight(0)
    drawing.draw_lair(1)
    drawing.draw_caves(1)
    drawing.draw_castle(7)
    drawing.draw_plain(7)
    return canvas.text()


def place(position: Position, seat: int, action: int) -> int | None:
    """Find the place where a choice begins, if it is a knight's move."""
    return action % SECOND_COLOUR if action < PASS else None


# --- What the players hold --------------------------------------------------------------------------------------
def players(position: Position, words: Catalog, width: int, who: Sequence[str], viewer: int) -> Table:
    """Return what each player has; only its owner sees the values of gold that is face down."""
    entries = words.entries
    gap = min(max((width - 60) // 20, 1), 3)
    sheet = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style=SOFT)
    for header in ("", entries["board.knights"]):
        sheet.add_column(header, no_wrap=True)
    sheet.add_column(entries["hand.gold"])
    for kind, name in enumerate(_gem_names(words, (width - 68) // 5)):
        sheet.add_column(Text(f"{GEM_SIGN}{name}", GEM_STYLES[kind]), justify="center", no_wrap=True)
    for header in (entries["hand.treasures"], entries["hand.bonus"]):
        sheet.add_column(header, justify="center", no_wrap=True)
    for seat in range(position.players):
        sheet.add_row(*_holdings(position, words, who[seat], seat, viewer))
    return sheet


def _holdings(position: Position, words: Catalog, who: str, seat: int, viewer: int) -> list[Text]:
    """Fill one player's line."""
    gems = [counted(count, GEM_STYLES[kind]) for kind, count in enumerate(position.gems[seat])]
    bonus = _four_gems() if position.four_gems == seat + 1 else counted(0)
    badges, chooses = crests(position, words, seat), position.active == seat
    return [
        terminal_canvas.player(words, CRESTS[seat], badges, who, chooses=chooses),
        Text(str(sum(position.in_play[seat :: position.players])), justify="center"),
        _gold(position, words, seat, visible=seat == viewer or bool(position.open_gold)),
        *gems,
        Text(TREASURE_SIGN * position.treasures[seat], LAIR) if position.treasures[seat] else counted(0),
        bonus,
    ]


def crests(position: Position, words: Catalog, seat: int) -> Text:
    """Draw the crests a player leads, as they stand on the knights."""
    return Text.assemble(*(terminal_canvas.badge(words, CRESTS[colour]) for colour in _colours(position, seat)))


def _colours(position: Position, seat: int) -> list[int]:
    """List the colours a player leads: two with two players, else one."""
    return [seat, seat + 2] if position.players == 2 else [seat]


def _four_gems() -> Text:
    """Draw the bonus card for all four gems."""
    return Text.assemble(*((GEM_SIGN, style) for style in GEM_STYLES))


def _gold(position: Position, words: Catalog, seat: int, *, visible: bool) -> Text:
    """Write a player's gold: every value and the sum, or only how many cards lie face down."""
    cards = position.gold[seat]
    if sum(cards) == 0:
        return counted(0)
    if not visible:
        return Text(words.say(phrase("board.cards", count=sum(cards))))
    values = "".join(str(value + 1) * count for value, count in enumerate(cards))
    return Text.assemble(("+".join(values) if len(values) < 6 else values, GOLD), f" = {_gold_value(cards)}")


def _gold_value(cards: Sequence[int]) -> int:
    """Add up gold cards."""
    return sum((value + 1) * count for value, count in enumerate(cards))


# --- The score --------------------------------------------------------------------------------------------------
def score(position: Position, words: Catalog, who: Sequence[str]) -> Table:
    """Return the score as a table, as the rulebook adds it up."""
    badges = [crests(position, words, seat) for seat in range(position.players)]
    rows = [row for row in score_rows(position) if row.kind == "points"]
    counts = [[count or 0 for count in row.counts] for row in rows]
    styled = [*zip([words.say(row.phrase) for row in rows], ROW_STYLES, counts, strict=True)]
    return terminal_canvas.score_table(badges, who, styled, (words.entries["hand.points"], points(scoring, position)))


# --- What the signs mean ----------------------------------------------------------------------------------------
def legend(words: Catalog) -> list[tuple[Text, str]]:
    """Explain every sign on the board."""
    gem = _gem_names(words, 0)[0]
    signs = {
        "knight": terminal_canvas.all_letters(words, CRESTS),
        "mark": Text("[2]", MARK),
        "gem": Text.assemble((f"{GEM_SIGN}{gem}", GEM_STYLES[0]), ("×3", SOFT)),
        "gold": Text.assemble((f"{terminal_canvas.COIN_SIGN}4", GOLD), ("×2", SOFT)),
        "empty": Text("·", SOFT),
        "treasure": Text(TREASURE_SIGN, LAIR),
        "bonus": _four_gems(),
        "dragon": Text(terminal_canvas.LOOKS_LEFT, DRAGON),
        "rod": Text("┍━━━┑", WOOD),
        "turn": Text(terminal_canvas.TURN_SIGN, MARK),
    }
    return [(sign, words.entries[f"legend.{name}"]) for name, sign in signs.items()]

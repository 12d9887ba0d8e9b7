"""Dragon's Cave's board as text: the cave, what each player has, and the score.

The path runs as one reads, but upwards: row by row from the start below the cave to the lair above it. On the default
board a row is a lap, so that every picture has a column of its own, its niche on top. All signs are letters and shapes;
colour only helps.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.style import Style
from rich.table import Table
from rich.text import Text

from dracotheque.engine.phrases import Catalog, phrase
from dracotheque.presentation import terminal_canvas

# isort: off
from dracotheque.games.dragons_cave.rules import mechanics, scoring
from dracotheque.games.dragons_cave.rules.actions import may_act
from dracotheque.presentation.terminal_canvas import (
    COIN_SIGN, CREST_STYLES, DRAGON, GOLD, MARK, PLAIN, ROCK, SOFT, TURN_SIGN, Canvas, Signs, counted, shortened,
    styled,
)  # fmt: skip
from dracotheque.presentation.narration import points, seat_name
from dracotheque.games.dragons_cave.names import CRESTS
from dracotheque.games.dragons_cave.text import all_home, board_name, runs_out, suspects
from dracotheque.games.dragons_cave.rules.state import (
    CHEST, HOLD, KINDS, LEFT_FIST, MOST_COINS, NICHE, NO_CARD, NO_SPLIT, ONLY_CHEST, OVER, PLACE, SEAL, SEALED_CARD,
    SECOND_DWARF, SPLIT, START, TO_SPLIT,
)  # fmt: skip

Position = Any  # an engine.record.Plain: its fields are those of dragons_cave.state.State, and its board

RESULT_RULES = ("score.winner", "score.shared", "two.tie")
"""The rules whose events say who won."""
DRAWN_RULES = ()
"""The rules whose events need no words, because the board shows them."""

PICTURE_SIGNS = {
    "pickaxe": "⚒", "lantern": "☼", "rope": "∞", "barrel": "◍", "crystal": "◆", "mushroom": "♠", "bat": "⋈",
    "cart": "∪",
}  # fmt: skip
CHEST_SIGN, SEALED_SIGN, PATH_SIGN, ROCK_SIGN = "▣", "▒", "→", "░"
AHEAD_SIGN, BACK_SIGN, END_SIGN, WHOLE_HAND_SIGN = "→", "←", "⚑", "↺"

LAP, MOST_ROWS = KINDS, 6  # a row has five spaces, and more only where the cave would become too high
SHALLOW, DEEP = 2, 3  # lines of a row, its upper wall included
BELOW = 20  # lines that should be left for everything else
ROOMY = 11  # columns within the walls from which there is room around numbers
WIDEST = 22  # columns of a space, its left wall included
MARGIN = 2  # columns left of the cave
SPACED = 100  # columns from which there is room between the cards of a hand
BRIEF = 10  # letters of a picture's name in a list of choices on a small screen
BRIGHT = 0.2  # the least luminance of a name: it can be read on black and on white
EDGE = (" ", PLAIN)
CHOSEN = Style(bold=True, reverse=True)


# --- Names in short ---------------------------------------------------------------------------------------------
def label(words: Catalog, name: str) -> str:
    """Find a word that stands on the board."""
    return words.entries[f"drawn.{name}"]


def caption(position: Position, words: Catalog) -> str:
    """Return who is the dragon, and in which cave, where it is not the usual one."""
    dragon = words.say(phrase("drawn.caption", seat=seat_name(position.dragon_seat)))
    return f"{words.say(board_name(position.board))} · {dragon}" if position.board.source else dragon


def _picture(position: Position, words: Catalog, kind: int) -> tuple[str, str, Style]:
    """Return a kind's sign, name and colour."""
    board = position.board
    name = board.kinds[kind]
    return PICTURE_SIGNS[name], words.entries[f"picture.{name}"], Style(color=_readable(board.colours[kind]))


@functools.cache
def _readable(colour: str) -> str:
    """Lighten a colour until it can be read on a dark screen too."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    while sum(part**2.2 * weight for part, weight in zip(parts, (0.21, 0.72, 0.07), strict=True)) < BRIGHT:
        parts = [part + (1 - part) / 16 for part in parts]
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def _card(position: Position, words: Catalog, card: int) -> tuple[str, str, Style]:
    """Return a card's sign, name and colour."""
    return (CHEST_SIGN, label(words, "chest_card"), GOLD) if card == CHEST else _picture(position, words, card)


def _coins(number: int) -> str:
    """Draw coins one by one, or many of them with their number."""
    return COIN_SIGN * number if number < 4 else f"{COIN_SIGN}{number}"


# --- The cave ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Cave:
    """One position, as large as the screen allows."""

    position: Position
    words: Catalog
    columns: int
    cell: int
    depth: int
    marks: Mapping[int, str]
    canvas: Canvas

    @property
    def length(self) -> int:
        """How many spaces the path has."""
        return self.position.length

    @property
    def rows(self) -> int:
        """How many rows the path takes."""
        return _rows(self.length, self.columns)

    @property
    def right(self) -> int:
        """Where the right wall stands."""
        return MARGIN + self.columns * self.cell

    @property
    def walls(self) -> list[int]:
        """Where the walls between spaces stand."""
        return [MARGIN + column * self.cell for column in range(1, self.columns)]

    @property
    def niche_walls(self) -> list[int]:
        """Where the walls between niches stand."""
        return [MARGIN + self.columns * self.cell * niche // KINDS for niche in range(1, KINDS)]

    # --- Dwarves
    def dwarves(self, place: int) -> Signs:
        """Write who stands on a place by the initials of their crests, with numbers where a player leads two."""
        signs: Signs = []
        for seat in range(self.position.players):
            seconds = range(mechanics.dwarves_of(self.position))
            here = [second for second in seconds if self.position.place[seat + 2 * second] == place]
            if here:
                numbers = "".join(str(second + 1) for second in here) if len(seconds) > 1 else ""
                crest, edge = CRESTS[seat], " " if self.depth == DEEP else ""
                signs += styled(edge + terminal_canvas.letter(self.words, crest) + numbers + edge, CREST_STYLES[crest])
        return signs

    def mark(self, place: int) -> Signs:
        """Write the numbers of the choices that lead to a place."""
        return styled(f"[{self.marks[place]}]", CHOSEN) if place in self.marks else []

    # --- Walls
    def wall(self, y: int, signs: str, style: Style, above: Sequence[int] = (), below: Sequence[int] = ()) -> None:
        """Draw a wall across the cave: both ends, the line, and what it has where other walls meet it."""
        left, line, right, both, up, down = signs
        self.canvas.put(MARGIN, y, left + line * (self.right - MARGIN - 1) + right, style)
        for x in {*above, *below}:
            self.canvas.put(x, y, both if x in above and x in below else up if x in above else down, style)

    def sides(self, y: int, walls: Sequence[int], outer: str, style: Style) -> None:
        """Draw the outer walls of a line, and those between."""
        for x in (MARGIN, self.right):
            self.canvas.put(x, y, outer, style)
        for x in walls:
            self.canvas.put(x, y, "│", style)

    # --- The parts of the picture
    def draw_lair(self) -> None:
        """Draw the five niches with the dragon and who arrived, and how many coins lie there."""
        self.wall(0, "╔═╗╪╧╤", GOLD, below=self.niche_walls)
        for y in (1, 2):
            self.sides(y, self.niche_walls, "║", GOLD)
        ends = [MARGIN, *self.niche_walls, self.right]
        for kind in range(KINDS):
            self.draw_niche(kind, ends[kind] + 1, ends[kind + 1] - ends[kind] - 1)
        pays = f" {label(self.words, 'lair')} {_coins(self.position.board.lair)}"
        self.canvas.put(MARGIN + 2, 0, f"{pays.rstrip()} ", GOLD + MARK)
        self.draw_treasure(self.right - ends[-2] - 1)

    def draw_treasure(self, room: int) -> None:
        """Write the treasure into the wall above the last niche."""
        treasure = f"{label(self.words, 'treasure')} {COIN_SIGN}{self.position.treasure}"
        spaced = f" {treasure} " if len(treasure) + 2 <= room else treasure
        edge = 1 if len(spaced) < room else 0
        self.canvas.put(self.right - edge - len(spaced), 0, spaced, GOLD + MARK)

    def draw_niche(self, kind: int, x: int, room: int) -> None:
        """Draw a niche: its picture, and who is in it."""
        sign, name, style = _picture(self.position, self.words, kind)
        self.centre(x, 1, styled(shortened(f"{sign} {name}", room), style), room)
        place = self.length + 1 + kind
        dragon = styled(terminal_canvas.LOOKS_LEFT, DRAGON) if self.position.dragon == kind else []
        parts = [part for part in (dragon, self.dwarves(place), self.mark(place)) if part]
        spaced = sum(map(len, parts)) + len(parts) - 1 <= room
        self.centre(x, 2, _joined(parts, " " if spaced else ""), room)

    def centre(self, x: int, y: int, signs: Signs, room: int) -> None:
        """Write signs into the middle of a niche."""
        self.canvas.put_signs(x + (room - len(signs)) // 2, y, signs[:room])

    def draw_path(self) -> None:
        """Draw the path row by row, the first one at the bottom."""
        for row in range(self.rows):
            y = 3 + self.depth * (self.rows - 1 - row)
            if row == self.rows - 1:
                self.wall(y, "╠═╣╪╧╤", GOLD, above=self.niche_walls, below=self.walls)
            else:
                self.wall(y, "├─┤┼┴┬", ROCK, above=self.walls, below=self.walls)
            for inside in range(y + 1, y + self.depth):
                self.sides(inside, self.walls, "│", ROCK)
            for column in range(self.columns):
                self.draw_space(row * self.columns + column + 1, MARGIN + column * self.cell + 1, y)
            self.draw_turn(row, y + self.depth // 2)

    def draw_turn(self, row: int, y: int) -> None:
        """Show that the path goes on at the left end of the row above."""
        if row > 0:
            self.canvas.put(MARGIN - 1, y, PATH_SIGN, ROCK)
        if row < self.rows - 1:
            self.canvas.put(self.right + 1, y, PATH_SIGN, ROCK)

    def draw_space(self, place: int, x: int, y: int) -> None:
        """Draw a space: its number, choices and coins in the upper wall, below its picture and who stands there."""
        room = self.cell - 1
        if place > self.length:
            for inside in range(y + 1, y + self.depth):
                self.canvas.put(x, inside, ROCK_SIGN * room, ROCK + SOFT)
            return
        self.draw_title(place, x, y, room)
        sign, name, style = _picture(self.position, self.words, self.position.kind[place])
        dwarves = self.dwarves(place)
        left = room - 2
        if self.depth == SHALLOW and dwarves:
            left -= len(dwarves) + 1
        named = f"{sign} {shortened(name, left - 2)}" if left > 4 else sign
        self.canvas.put(x + 1, y + 1, named, style)
        self.canvas.put_signs(x + room - 1 - len(dwarves), y + self.depth - 1, dwarves)

    def draw_title(self, place: int, x: int, y: int, room: int) -> None:
        """Write a space's number, the choices that lead here and its coins into its upper wall."""
        number, coins, mark = str(place), _coins(self.position.coins[place]), self.mark(place)
        roomy = room >= ROOMY and len(number) + len(coins) + len(mark) + 6 <= room
        number = f" {number} " if roomy else number
        coins = f" {coins} " if roomy and coins else coins
        edge = int(roomy)
        self.canvas.put(x + edge, y, number, MARK)
        self.canvas.put(x + room - edge - len(coins), y, coins, GOLD)
        free = room - 2 * edge - len(number) - len(coins)
        if len(mark) <= free:
            self.canvas.put_signs(x + edge + len(number) + (free - len(mark)) // 2, y, mark)

    def draw_start(self) -> None:
        """Draw the lower wall with the way in, and who has not gone in yet."""
        y = 3 + self.depth * self.rows
        self.wall(y, "╰─╯┼┴┬", ROCK, above=self.walls)
        pieces = self.start_signs()
        x = MARGIN + 2 if len(pieces[0]) < self.cell - 1 else MARGIN + 1
        for piece in pieces:
            x = self.beyond_walls(x, len(piece))
            self.canvas.put_signs(x, y, piece)
            x += len(piece)

    def start_signs(self) -> list[Signs]:
        """Write the word for the start, who stands there and the way in: in one piece, or in as few as fit."""
        word, here, way_in = styled(label(self.words, "start"), MARK), self.dwarves(START), styled("▴", ROCK)
        spaced: list[Signs] = []
        for pieces in ([[word, here, way_in]], [[word], [here, way_in]], [[word], [here], [way_in]]):
            spaced = [[EDGE, *_joined([part for part in piece if part], " "), EDGE] for piece in pieces if any(piece)]
            if all(len(piece) < self.cell for piece in spaced):
                break
        return spaced

    def beyond_walls(self, x: int, length: int) -> int:
        """Find the first place from x on where nothing of that length covers the foot of a wall."""
        return max((wall + 1 for wall in self.walls if x <= wall < x + length), default=x)


def _joined(parts: Sequence[Signs], between: str) -> Signs:
    """Join signs with something between them."""
    joined: Signs = []
    for part in parts:
        joined += [*styled(between if joined else "", PLAIN), *part]
    return joined


def board(
    position: Position, words: Catalog, width: int, marks: Mapping[int, str] | None = None, height: int = 0
) -> Text:  # fmt: skip
    """Draw the board for a screen of some size; `marks` numbers the choices that lead to a place."""
    columns = max(LAP, _rows(position.length, MOST_ROWS))
    rows = _rows(position.length, columns)
    cell = min((width - MARGIN - 2) // columns, WIDEST)
    depth = DEEP if height >= 4 + DEEP * rows + BELOW else SHALLOW
    canvas = Canvas(MARGIN + columns * cell + 2, 4 + depth * rows)
    cave = Cave(position, words, columns, cell, depth, marks or {}, canvas)
    cave.draw_lair()
    cave.draw_path()
    cave.draw_start()
    return canvas.text()


def _rows(spaces: int, columns: int) -> int:
    """Return how many rows so many spaces take."""
    return -(-spaces // columns)


def place(position: Position, seat: int, action: int) -> int | None:
    """Find the place a card leads to, or the niche for the dragon; the other choices have none."""
    if NICHE <= action < LEFT_FIST:
        return position.length + 1 + action - NICHE
    second, card = divmod(action, SECOND_DWARF)
    if action >= LEFT_FIST or card == CHEST:
        return None
    return mechanics.ahead(position, position.place[seat + 2 * second], card)


# --- Choices in short -------------------------------------------------------------------------------------------
def brief(position: Position, words: Catalog, seat: int, action: int) -> tuple[Text, Text]:
    """Name a choice and what it leads to in signs, for a screen too small for sentences."""
    if action < NICHE:
        return _brief_card(position, words, seat, action)
    if action < LEFT_FIST:
        kind = action - NICHE
        return _brief_name(position, words, kind), _brief_suspects(position, words, kind)
    if action < HOLD:
        return Text(words.entries["action.left_fist" if action == LEFT_FIST else "action.right_fist"]), Text()
    left = action - HOLD
    return Text(f"{left}+{position.purse[seat] - left}"), Text()


def brief_key(position: Position, words: Catalog) -> str:
    """Explain the signs of the choices now to be made."""
    keys = {SEAL: "card", PLACE: "niche", SPLIT: "split"}
    return label(words, f"brief.key_{keys[position.phase]}") if position.phase in keys else ""


def _brief_name(position: Position, words: Catalog, card: int) -> Text:
    """Name a card or a niche by its sign and its picture."""
    sign, name, style = _card(position, words, card)
    called = label(words, "brief.chest_card") if card == CHEST else shortened(name, BRIEF)
    return Text(f"{sign} {called}", style)


def _brief_card(position: Position, words: Catalog, seat: int, action: int) -> tuple[Text, Text]:
    """Name a card, with two players also its dwarf, and say what it leads to."""
    second, card = divmod(action, SECOND_DWARF)
    name = _brief_name(position, words, card)
    if position.players == 2:
        name = Text.assemble(name, " ", _dwarf_sign(words, seat, second))
    if card == CHEST:
        return name, _brief_chest(position, words, seat)
    return name, _brief_way(position, words, seat + 2 * second, card)


def _brief_way(position: Position, words: Catalog, dwarf: int, kind: int) -> Text:
    """Return where a card leads and what it earns, whether that ends the game, and where a fright leads."""
    start = position.place[dwarf]
    target, back = mechanics.ahead(position, start, kind), mechanics.behind(position, start, kind)
    coins = _coins(mechanics.coins_at(position, target))
    ends = runs_out(position, target) or all_home(position, dwarf, target)
    parts = [
        (f"{AHEAD_SIGN} {_brief_place(position, words, target)}", PLAIN),
        (f" {coins}" if coins else "", GOLD),
        (f" {END_SIGN}" if ends else "", MARK),
        (f" {BACK_SIGN} {_brief_place(position, words, back if start else START)}", SOFT),
    ]
    return Text.assemble(*parts)


def _brief_place(position: Position, words: Catalog, place: int) -> str:
    """Name a place by its number, or as the start or the lair."""
    if place == START:
        return label(words, "start")
    return label(words, "lair") if place > position.length else str(place)


def _brief_chest(position: Position, words: Catalog, seat: int) -> Text:
    """Return what the Chest puts out of danger, and that the whole hand comes back."""
    hand = Text(f"{WHOLE_HAND_SIGN} {label(words, 'brief.hand')}")
    purse = position.purse[seat]
    if not purse:
        return hand
    return Text.assemble((f"{COIN_SIGN}{purse}", GOLD), f" {label(words, 'brief.safe')} ", hand)


def _brief_suspects(position: Position, words: Catalog, kind: int) -> Text:
    """List who can have that card by their crests, with their purses."""
    listed = [_suspect(words, seat, position.purse[seat]) for seat in suspects(position, kind)]
    return Text("  ").join(listed) if listed else Text(label(words, "brief.nobody"), SOFT)


def _suspect(words: Catalog, seat: int, purse: int) -> Text:
    """Write a player as a dwarf is written on the board, with the coins of the purse."""
    crest = CRESTS[seat]
    return Text.assemble((terminal_canvas.letter(words, crest), CREST_STYLES[crest]), (f" {COIN_SIGN}{purse}", GOLD))


def _dwarf_sign(words: Catalog, seat: int, second: int) -> Text:
    """Write one of a player's two dwarves as the board does."""
    crest = CRESTS[seat]
    return Text(f"{terminal_canvas.letter(words, crest)}{second + 1}", CREST_STYLES[crest])


# --- What the players hold --------------------------------------------------------------------------------------
def players(position: Position, words: Catalog, width: int, who: Sequence[str], viewer: int) -> Table:
    """Return what each player has; only its owner sees what is face down."""
    gap = min(max((width - 76) // 6, 1), 3)
    sheet = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style=SOFT)
    sheet.add_column("", no_wrap=True)
    for name in ("role", "hand", "open", "card"):
        sheet.add_column(label(words, name), no_wrap=True)
    for name in ("purse", "chest"):
        sheet.add_column(label(words, name), justify="center", no_wrap=True)
    between = " " if width >= SPACED else ""
    for seat in range(position.players):
        chooses = may_act(position, seat)
        sheet.add_row(
            terminal_canvas.player(words, CRESTS[seat], crests(position, words, seat), who[seat], chooses=chooses),
            _role(position, words, seat),
            *_hand(position, words, seat, between),
            _played(position, words, seat, own=seat == viewer),
            _purse(position, seat),
            _chest(position, seat),
        )
    return sheet


def crests(position: Position, words: Catalog, seat: int) -> Text:
    """Draw the crest a player's dwarves carry."""
    return terminal_canvas.badge(words, CRESTS[seat])


def _role(position: Position, words: Catalog, seat: int) -> Text:
    """Return who is the dragon this round."""
    if seat == position.dragon_seat:
        return Text(label(words, "dragon"), DRAGON)
    return Text(label(words, "dwarf"))


def _hand(position: Position, words: Catalog, seat: int, between: str) -> tuple[Text, Text]:
    """Draw the cards still in hand and those that lie open, each in a column of its own: everybody can tell."""
    held: list[Signs] = []
    laid: list[Signs] = []
    for card in range(CHEST + 1):
        sign, _, style = _card(position, words, card)
        for cards, here in ((held, position.hand[seat] >> card & 1), (laid, not position.hand[seat] >> card & 1)):
            cards.append([(sign, style) if here else ("·", SOFT)])
    return Canvas.line(_joined(held, between)), Canvas.line(_joined(laid[:CHEST], between))


def _played(position: Position, words: Catalog, seat: int, *, own: bool) -> Text:
    """Write this round's card: face down until the dragon sits, but its owner knows it."""
    card = position.card[seat]
    if card == NO_CARD:
        return counted(0)
    forced = position.hand[seat] == ONLY_CHEST
    dwarf = _named(position, words, seat) if position.players == 2 and not forced else Text()
    if card == SEALED_CARD:
        return Text.assemble((f"{SEALED_SIGN} {label(words, 'face_down')}", SOFT), dwarf)
    sign, name, style = _card(position, words, card)
    sealed = SEALED_SIGN if own and position.phase in (SEAL, PLACE) else ""
    return Text.assemble((sealed, SOFT), (f"{sign} {name}", style), dwarf)


def _named(position: Position, words: Catalog, seat: int) -> Text:
    """Write which of two dwarves a card is for."""
    return Text.assemble(" ", _dwarf_sign(words, seat, position.named))


def _purse(position: Position, seat: int) -> Text:
    """Count the purse, and while its coins are in two fists, say how they are split, as far as the viewer knows."""
    left, purse = position.left[seat], position.purse[seat]
    if left == NO_SPLIT:
        return counted(purse, GOLD)
    fists = f"{left}+{purse - left}" if left <= MOST_COINS else "…" if left == TO_SPLIT else "?+?"
    return Text.assemble((str(purse), GOLD + MARK), f" = {fists}")


def _chest(position: Position, seat: int) -> Text:
    """Count a chest, if it may be opened: a closed one not even by its owner, before the end."""
    if position.open_chests or position.phase == OVER:
        return counted(position.chest[seat], GOLD)
    return Text("?", SOFT)


# --- The score --------------------------------------------------------------------------------------------------
def score(position: Position, words: Catalog, who: Sequence[str]) -> Table:
    """Return the coins as a table: those of the purse, those of the chest, and both together."""
    seats = range(position.players)
    badges = [crests(position, words, seat) for seat in seats]
    rows = [(label(words, name), GOLD, getattr(position, name)[: position.players]) for name in ("purse", "chest")]
    return terminal_canvas.score_table(badges, who, rows, (label(words, "coins"), points(scoring, position)))


# --- What the signs mean ----------------------------------------------------------------------------------------
def legend(words: Catalog) -> list[tuple[Text, str]]:
    """Explain every sign on the board."""
    lion = terminal_canvas.letter(words, CRESTS[0])
    signs = {
        "dwarf": terminal_canvas.all_letters(words, CRESTS),
        "two_dwarves": Text(f"{lion}12", CREST_STYLES[CRESTS[0]]),
        "mark": Text("[2]", CHOSEN),
        "coins": Text(_coins(2), GOLD),
        "dragon": Text(terminal_canvas.LOOKS_LEFT, DRAGON),
        "path": Text(PATH_SIGN, ROCK),
        "chest_card": Text(CHEST_SIGN, GOLD),
        "face_down": Text(SEALED_SIGN, SOFT),
        "fists": Text.assemble(("5", GOLD + MARK), " = 2+3"),
        "closed": Text("?", SOFT),
        "turn": Text(TURN_SIGN, MARK),
        "way": Text.assemble(f"{AHEAD_SIGN} 13 ", (_coins(2), GOLD), (f" {BACK_SIGN} 8", SOFT)),
        "end": Text(END_SIGN, MARK),
        "whole_hand": Text(WHOLE_HAND_SIGN),
        "suspect": _suspect(words, 0, 2),
    }
    return [(sign, label(words, f"legend.{name}")) for name, sign in signs.items()]

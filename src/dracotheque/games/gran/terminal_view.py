"""Gran drawn with letters: the map, what every player has, and the seals.

A map is any sheet of points and lines. Every point gets a place of its own on the screen, as near as possible to where
it lies on the sheet, with room for its sign and for the number of a choice; lines are drawn in fine dots behind. Points
do not move when pieces do. Letters and shapes show everything; colour only helps.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from rich.style import Style
from rich.table import Table
from rich.text import Text

from dracotheque.engine.phrases import Catalog, phrase
from dracotheque.presentation import terminal_canvas

# isort: off
from dracotheque.games.gran.rules import mechanics, scoring
from dracotheque.games.gran.rules.actions import legal_actions, may_act
from dracotheque.presentation.terminal_canvas import (
    CREST_STYLES, GOLD, MARK, SOFT, TURN_SIGN, Canvas, Signs, shortened, styled,
)  # fmt: skip
from dracotheque.presentation.narration import points as seals_won
from dracotheque.games.gran.board_files import KINDS, Board, Point
from dracotheque.games.gran.names import CRESTS, kingdom_name, point_name
from dracotheque.games.gran.text import board_name, winning_chance
from dracotheque.games.gran.rules.state import (
    ACTIONS, AMULETS, BLACK, CITY, CRYSTAL, DRAGON, FIRST, KINGDOMS, MAGIC, NOBODY, SEATS, SECOND, STAY, SWORD, WHITE,
)  # fmt: skip

Position = Any  # a PlainState with the fields of `rules.state.State`, and its board

RESULT_RULES = ("score.winner",)
"""The rules whose events say who won."""
DRAWN_RULES = ("turn.order",)
"""The rules whose events need no words, because the board shows them."""

SIGNS = {BLACK: "•", WHITE: "○", CRYSTAL: "◇", CITY: "⌂", DRAGON: "§", MAGIC: "✶", SWORD: "†"}
STONE_SIGN, RING_SIGN, AMULET_SIGN, COLLAR_SIGN = "■", "◎", "♦", "⊗"
RING_GAIN, LAY_SIGNS, LIFT_SIGNS, WIN_SIGN = f"+{RING_SIGN}", f"+{STONE_SIGN}", f"↷{STONE_SIGN}", "⚑"
KEYS = {
    "ring": RING_SIGN, "amulet": AMULET_SIGN, "dragon": SIGNS[DRAGON], "lay": LAY_SIGNS, "lift": LIFT_SIGNS,
    "win": WIN_SIGN,
}  # fmt: skip
LAND_STYLES = tuple(Style(color=colour) for colour in ("#d9603f", "#b08020", "#3d9453", "#4a86d8"))
EXILE_STYLE = Style(color="#908a7c")
STONE_STYLE = Style(color="#a08468", bold=True)
RING_STYLE = Style(color="#cf9a2e", bold=True)
CHOSEN = Style(bold=True, reverse=True)

MARGIN = 1  # columns left of the map
WIDEST = 140  # columns of the map
LEAST_ROWS, MOST_ROWS = 10, 36
FLATTENED = 4  # columns for a row where a map is printed and no screen says how high it may be
SPACIOUS = 30  # lines of the screen from which the table has empty ones
LONGEST_NAME = 5  # letters of a point's name that are shown on the map
BOARD_NAME = 24  # letters of another map's name
SIDE_BY_SIDE = 2  # players in a line
SPACED = 110  # columns from which there is room for words beside signs
BESIDE, WIDE_BESIDE = 18, 30  # columns of what stands beside a player's name, without and with words


# --- Names in short ---------------------------------------------------------------------------------------------
def label(words: Catalog, name: str) -> str:
    """Find a word that stands on the board."""
    return words.entries[f"drawn.{name}"]


def caption(position: Position, words: Catalog) -> str:
    """Return how many seals win, how many stones are left, and on which map, where it is not the usual one."""
    goal = words.say(phrase("drawn.goal", seals=mechanics.wanted_seals(position)))
    stones = words.say(phrase("drawn.stones", stones=position.reserve))
    named = [shortened(words.say(board_name(position.board)), BOARD_NAME)] if position.board.source else []
    return " · ".join([*named, goal, stones])


def _style(point: Point) -> Style:
    """Return the colour of a point: that of its kingdom, or of exile."""
    style = EXILE_STYLE if point.kind == WHITE else LAND_STYLES[point.kingdom]
    return style if point.kind in (BLACK, WHITE) else style + MARK


def _letters(position: Position, words: Catalog, point: int) -> Signs:
    """Write who stands on a point by the initials of their crests."""
    here = [CRESTS[seat] for seat in range(position.players) if position.place[seat] == point]
    return [(terminal_canvas.letter(words, crest), CREST_STYLES[crest]) for crest in here]


# --- Where the points stand -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Sheet:
    """The points of a map, each with the columns it needs, to be spread over a screen."""

    points: tuple[Point, ...]
    needs: tuple[int, ...]
    columns: int
    rows: int

    @functools.cached_property
    def wishes(self) -> list[tuple[float, float]]:
        """Where every point would stand if it were alone: column and row."""
        across, down = [point.x for point in self.points], [point.y for point in self.points]
        wide = (self.columns - max(self.needs)) / max(max(across) - min(across), 1)
        high = (self.rows - 1) / max(max(down) - min(down), 1)
        return [((point.x - min(across)) * wide, (point.y - min(down)) * high) for point in self.points]

    def side_by_side(self, row: Sequence[int]) -> list[int]:
        """Stand points of a row side by side, in their order, as near as possible to where they wish to stand."""
        offsets = [0, *itertools.accumulate(self.needs[point] for point in row)]
        groups: list[tuple[float, int]] = []  # points that push each other: the sum of their wishes, and how many
        for point, offset in zip(row, offsets, strict=False):
            total, count = self.wishes[point][0] - offset, 1
            while groups and groups[-1][0] * count > total * groups[-1][1]:
                more, others = groups.pop()
                total, count = total + more, count + others
            groups.append((total, count))
        spare = self.columns - offsets[-1]
        starts = [min(max(total / count, 0), spare) for total, count in groups for _ in range(count)]
        return [round(start) + offset for start, offset in zip(starts, offsets, strict=False)]

    def cost(self, row: Sequence[int], number: int) -> float:
        """Add up how far the points of a row stand from where they wish to, and what they lack in room."""
        lacking = max(sum(self.needs[point] for point in row) - self.columns, 0)
        shape = self.rows / self.columns
        moved = zip(self.side_by_side(row), (self.wishes[point] for point in row), strict=True)
        return 1000 * lacking**2 + sum(((x - wx) * shape) ** 2 + (number - wy) ** 2 for x, (wx, wy) in moved)

    def spread(self) -> tuple[tuple[int, int], ...]:
        """Find a column and a row for every point: by its wish or, where that is too crowded, by its rank."""
        order = sorted(range(len(self.points)), key=lambda point: self.wishes[point][1])
        ranks = {point: rank * self.rows // len(order) for rank, point in enumerate(order)}
        rows: list[list[int]] = []
        for wanted in ([round(y) for _, y in self.wishes], ranks):
            rows = [[point for point in range(len(order)) if wanted[point] == row] for row in range(self.rows)]
            self.settle(rows)
            if all(sum(self.needs[point] for point in row) <= self.columns for row in rows):
                break
        found = {
            point: (x, y) for y, row in enumerate(rows) for point, x in zip(row, self.side_by_side(row), strict=True)
        }
        return tuple(found[point] for point in range(len(self.points)))

    def settle(self, rows: list[list[int]]) -> None:
        """Let points move up or down by a row as long as that brings them nearer to where they wish to stand."""
        for row in rows:
            row.sort(key=lambda point: self.wishes[point])
        costs = [self.cost(row, number) for number, row in enumerate(rows)]
        moved = True
        while moved:
            moved = False
            for old, step in itertools.product(range(self.rows), (-1, 1)):
                new = old + step
                for point in list(rows[old]) if 0 <= new < self.rows else ():
                    left = [other for other in rows[old] if other != point]
                    joined = sorted([*rows[new], point], key=lambda other: self.wishes[other])
                    before, after = costs[old] + costs[new], (self.cost(left, old), self.cost(joined, new))
                    if sum(after) < before - 1e-9:
                        rows[old], rows[new], (costs[old], costs[new]) = left, joined, after
                        moved = True


@functools.lru_cache(maxsize=16)
def _spread(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    """Spread the points of a map over a screen, once."""
    return sheet.spread()


def _needs(board: Board) -> tuple[int, ...]:
    """Return how many columns every point needs: for its sign, the number of a choice and a gap, or for all knights."""
    digits = len(str(len(board.points)))
    needs = [1 + 2 + digits + 1] * len(board.points)
    needs[board.start] = max(needs[board.start], 1 + SEATS + 1)
    return tuple(needs)


# --- The map ----------------------------------------------------------------------------------------------------
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of a Braille sign: four rows of two
NO_DOTS = 0x2800


@dataclass(frozen=True)
class Map:
    """One position, as large as the screen allows."""

    position: Position
    words: Catalog
    places: tuple[tuple[int, int], ...]
    marks: Mapping[int, str]
    canvas: Canvas

    @property
    def board(self) -> Board:
        """The map's points and lines."""
        return self.position.board

    # --- Points
    def sign(self, number: int) -> Signs:
        """Write what a point is, if nothing hides it: a stone, the ring on a black point."""
        if mechanics.has(self.position.stones, number):
            return styled(STONE_SIGN, STONE_STYLE)
        point = self.board.points[number]
        sign = styled(SIGNS[point.kind], _style(point))
        if self.position.ring != number:
            return sign
        return [*([] if point.kind == BLACK else sign), *styled(RING_SIGN, RING_STYLE)]

    def spellings(self, number: int) -> Iterator[Signs]:
        """Write a point with all that is there, then with less and less of what can also be read elsewhere."""
        point, sign, knights = self.board.points[number], self.sign(number), _letters(self.position, self.words, number)
        mark = styled(f"[{self.marks[number]}]", CHOSEN) if number in self.marks else []
        carried = self.position.bearer != NOBODY and self.position.place[self.position.bearer] == number
        ring = styled(RING_SIGN, RING_STYLE) if carried else []
        hidden = knights and point.kind in (BLACK, WHITE) and not mechanics.has(self.position.stones, number)
        ground = [] if hidden else sign
        for name in self.names(number):
            named = styled(f" {name}" if knights else name, _style(point))
            yield [*ground, *knights, *ring, *named, *mark]
        yield [*ground, *knights, *ring, *mark]
        yield [*ground, *knights, *mark]
        yield [*(knights or sign), *mark]

    def names(self, number: int) -> Iterator[str]:
        """Name a point, a city also by its kingdom, where there is room."""
        point, name = self.board.points[number], point_name(self.board, number)
        if len(name) <= LONGEST_NAME:
            if point.kind == CITY:
                yield f"{name} {kingdom_name(point.kingdom)}"
            yield name

    def rooms(self) -> dict[int, int]:
        """Find how many columns every point has up to the next one in its row, or to the end of it."""
        rooms: dict[int, int] = {}
        for number, (x, y) in enumerate(self.places):
            beyond = [other for other, row in self.places if row == y and other > x]
            rooms[number] = min(beyond, default=len(self.canvas.rows[y]) - MARGIN) - x
        return rooms

    def labels(self) -> dict[int, Signs]:
        """Write every point as fully as there is room, a gap before the next one included where possible."""
        written: dict[int, Signs] = {}
        for number, room in self.rooms().items():
            spellings = list(self.spellings(number))
            written[number] = next((each for each in spellings if len(each) < room), min(spellings, key=len))
        return written

    def draw(self) -> Text:
        """Draw the lines, and the points over them."""
        labels = self.labels()
        self.draw_lines(labels)
        for number, signs in labels.items():
            x, y = self.places[number]
            self.canvas.put_signs(MARGIN + x, y, signs)
        return self.canvas.text()

    # --- Lines
    def draw_lines(self, labels: Mapping[int, Signs]) -> None:
        """Draw every line in dots, those that the knight can take now over the others."""
        ends = {number: (x, x + len(labels[number]) - 1, y) for number, (x, y) in enumerate(self.places)}
        taken = self.open_lines()
        others = [line for line in self.board.lines if line not in taken]
        for lines, style in ((others, SOFT), (taken, MARK)):
            dots: dict[tuple[int, int], int] = {}
            for one, other in lines:
                for x, y in _dots_between(ends[one], ends[other]):
                    dots[x // 2, y // 4] = dots.get((x // 2, y // 4), 0) | DOTS[y % 4][x % 2]
            for (x, y), bits in dots.items():
                self.canvas.put(MARGIN + x, y, chr(NO_DOTS + bits), style)

    def open_lines(self) -> list[tuple[int, int]]:
        """List the lines from the knight that moves to the points it may go to."""
        if self.position.phase not in (FIRST, SECOND) or not self.marks:
            return []
        here = self.position.place[self.position.active]
        return [line for line in self.board.lines if here in line and sum(line) - here in self.marks]


def _dots_between(one: tuple[int, int, int], other: tuple[int, int, int]) -> Iterator[tuple[int, int]]:
    """List the dots of a line between two labels, given by their first and last column and their row."""
    column, to_column = _nearest(one[:2], other[:2])
    x, to_x, y, to_y = 2 * column + 0.5, 2 * to_column + 0.5, 4 * one[2] + 1.5, 4 * other[2] + 1.5
    steps = int(max(abs(to_x - x), abs(to_y - y)))
    for step in range(1, steps):
        yield int(x + (to_x - x) * step / steps), int(y + (to_y - y) * step / steps)


def _nearest(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[float, float]:
    """Find where two spans come nearest to each other; in the middle where they overlap."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    if low <= high:
        return (low + high) / 2, (low + high) / 2
    return (high, low) if one[1] < other[0] else (low, high)


def board(
    position: Position, words: Catalog, width: int, marks: Mapping[int, str] | None = None, height: int = 0
) -> Text:  # fmt: skip
    """Draw the map for a screen of some size, or of any height; `marks` numbers the choices that lead to a point."""
    return unfolded(position, words, width, marks or {}, height).draw()


def unfolded(position: Position, words: Catalog, width: int, marks: Mapping[int, str], height: int) -> Map:
    """Return a place on a screen of some size for each point."""
    columns = min(width, WIDEST) - 2 * MARGIN
    needs = _needs(position.board)
    wanted = _rows(position.players, height) if height else min(columns // FLATTENED, MOST_ROWS)
    rows = max(wanted, -(-sum(needs) // (columns - max(needs))))
    places = _spread(Sheet(position.board.points, needs, columns, rows))
    return Map(position, words, places, marks, Canvas(columns + 2 * MARGIN, rows))


def _rows(players: int, height: int) -> int:
    """Return how many lines of a screen are left for the map."""
    listed = min(3 + (height - 24) // 4, 8)
    gaps = 3 if height >= SPACIOUS else 0
    others = 1 + _in_lines(players) + 2 + listed + 1 + gaps  # headline, players, question, choices, prompt
    return min(max(height - others, LEAST_ROWS), MOST_ROWS)


def place(position: Position, seat: int, action: int) -> int:
    """Find the point of a choice: staying is chosen where the knight stands."""
    return position.place[seat] if action == STAY else action


# --- Choices in short -------------------------------------------------------------------------------------------
def brief(position: Position, words: Catalog, seat: int, action: int) -> tuple[Text, Text]:
    """Name a choice and what it leads to in signs, for a screen too small for sentences."""
    moves = position.phase in (FIRST, SECOND)
    effect = _brief_move(position, words, seat, place(position, seat, action)) if moves else Text()
    if action == STAY:
        return Text(words.entries["action.stay"]), effect if position.phase == SECOND else Text()
    point, name = position.board.points[action], point_name(position.board, action)
    return Text(f"{SIGNS[point.kind]} {name}" if moves else name, _style(point)), effect


def _brief_move(position: Position, words: Catalog, seat: int, point: int) -> Text:
    """Say in signs what a step to a point brings, if the move ends there."""
    after = SimpleNamespace(**vars(position) | {"place": position.place[:]})
    mechanics.step(after, seat, point)
    taken = Text(RING_GAIN, RING_STYLE) if after.ring != position.ring else Text()
    if mechanics.why_not_stop(after, seat, after.origin, point):
        parts = [taken, Text(label(words, "brief.over"), SOFT)]
    else:
        parts = [taken, _brief_attack(after, words, seat, point), _brief_symbol(after, words, seat, point)]
    return Text(" ").join(part for part in parts if part)


def _brief_attack(position: Position, words: Catalog, seat: int, point: int) -> Text:
    """Return who would be attacked, and whether that brings the ring, which then is the attacker's."""
    other = mechanics.knight_at(position, point, seat)
    if other == NOBODY:
        return Text()
    ring = f" {RING_GAIN}" if position.bearer == other else ""
    position.bearer = seat if ring else position.bearer
    knight = terminal_canvas.letter(words, CRESTS[other]), CREST_STYLES[CRESTS[other]]
    return Text.assemble(f"{label(words, 'brief.attack')} ", knight, (ring, RING_STYLE))


def _brief_symbol(position: Position, words: Catalog, seat: int, point: int) -> Text:
    """Say in signs what a symbol does to the knight that stops there."""
    kind = position.kind[point]
    if kind == DRAGON:
        return _duel(words, winning_chance(position))
    if kind == CITY:
        return _brief_city(position, words, seat, point)
    if kind == MAGIC and mechanics.may_lay(position):
        return Text(LAY_SIGNS, STONE_STYLE)
    return Text(LIFT_SIGNS, STONE_STYLE) if kind == SWORD and mechanics.some_lift(position) else Text()


def _duel(words: Catalog, percent: int) -> Text:
    """Write with which chance a duel is won."""
    return Text(f"{SIGNS[DRAGON]} {words.say(phrase('drawn.brief.odds', percent=percent))}", MARK)


def _brief_city(position: Position, words: Catalog, seat: int, point: int) -> Text:
    """Return which seal and how many amulets a city gives, or that its seal wins the game."""
    kingdom, bearer = position.kingdom[point], position.bearer == seat
    new = bearer and not position.seals[seat] >> kingdom & 1
    seal = Text.assemble(f"{label(words, 'brief.seal')} ", _seal(kingdom)) if new else Text()
    if new and mechanics.seal_count(position, seat) + 1 == mechanics.wanted_seals(position):
        return seal.append(f" {WIN_SIGN}", MARK)
    more = min(AMULETS - position.amulets[seat], 2 if bearer else 1)
    amulets = Text(f"+{AMULET_SIGN * more}", GOLD) if more else Text()
    return Text(" ").join(part for part in (seal, amulets) if part)


def brief_key(position: Position, words: Catalog) -> str:
    """Explain the signs of the choices now to be made, those only that stand there."""
    if position.phase not in (FIRST, SECOND):
        return ""
    seat, out = position.to_move, [0] * ACTIONS
    choices = out[: legal_actions(position, seat, out)]
    shown = " ".join(brief(position, words, seat, action)[1].plain for action in choices)
    return "  ".join(f"{sign} {label(words, f'brief.key_{name}')}" for name, sign in KEYS.items() if sign in shown)


# --- What the players have --------------------------------------------------------------------------------------
def players(position: Position, words: Catalog, width: int, who: Sequence[str], viewer: int) -> Table:
    """List what every player has, two in a line, to be read downwards."""
    lines = _in_lines(position.players)
    gap = 1 if width < SPACED else 2
    sheet = Table.grid(padding=(0, gap, 0, 0), pad_edge=False)
    for first in range(lines):
        seats = range(first, position.players, lines)
        sheet.add_row(*(cell for seat in seats for cell in _holdings(position, words, width, who[seat], seat)))
    return sheet


def _in_lines(players: int) -> int:
    """Return how many lines the players take."""
    return -(-players // SIDE_BY_SIDE)


def _holdings(position: Position, words: Catalog, width: int, who: str, seat: int) -> list[Text]:
    """Write who a player is and where, then amulets, seals, ring and collar."""
    chooses = may_act(position, seat)
    name = terminal_canvas.player(words, CRESTS[seat], crests(position, words, seat), who, chooses=chooses)
    name.truncate(width // SIDE_BY_SIDE - (BESIDE if width < SPACED else WIDE_BESIDE), overflow="ellipsis")
    place = shortened(point_name(position.board, position.place[seat]), LONGEST_NAME)
    return [name, Text(place), _amulets(position, seat), _seals(position, seat), _burdens(position, words, width, seat)]


def crests(position: Position, words: Catalog, seat: int) -> Text:
    """Draw the crest a player's knight carries."""
    return terminal_canvas.badge(words, CRESTS[seat])


def _amulets(position: Position, seat: int) -> Text:
    """Draw a player's amulets, with dots for those that are lost."""
    left = position.amulets[seat]
    return Text.assemble((AMULET_SIGN * left, GOLD), ("·" * (AMULETS - left), SOFT))


def _seals(position: Position, seat: int) -> Text:
    """Draw a player's seals by the initials of their kingdoms, each in a column of its own."""
    signs = [_seal(kingdom) if position.seals[seat] >> kingdom & 1 else ("·", SOFT) for kingdom in range(KINGDOMS)]
    return Canvas.line(signs)


def _seal(kingdom: int) -> tuple[str, Style]:
    """Draw a seal: its kingdom's initial."""
    return kingdom_name(kingdom)[0], LAND_STYLES[kingdom] + MARK


def _burdens(position: Position, words: Catalog, width: int, seat: int) -> Text:
    """Draw the ring and the collar, if the player's knight has them, one of them with its name where there is room."""
    ring = [("ring", RING_SIGN, RING_STYLE)] if position.bearer == seat else []
    collar = [("collar", COLLAR_SIGN, MARK)] if position.collared >> seat & 1 else []
    held = ring + collar
    if len(held) == 1 and width >= SPACED:
        [(name, sign, style)] = held
        return Text(f"{sign} {label(words, name)}", style)
    return Text.assemble(*((sign, style) for _, sign, style in held))


# --- The score --------------------------------------------------------------------------------------------------
def score(position: Position, words: Catalog, who: Sequence[str]) -> Table:
    """Return the seals, kingdom by kingdom."""
    seats = range(position.players)
    badges = [crests(position, words, seat) for seat in seats]
    rows = [
        (kingdom_name(kingdom), LAND_STYLES[kingdom], [position.seals[seat] >> kingdom & 1 for seat in seats])
        for kingdom in range(KINGDOMS)
    ]
    return terminal_canvas.score_table(badges, who, rows, (label(words, "seals"), seals_won(scoring, position)))


# --- What the signs mean ----------------------------------------------------------------------------------------
def legend(words: Catalog) -> list[tuple[Text, str]]:
    """Explain every sign on the board."""
    lion = terminal_canvas.letter(words, CRESTS[0]), CREST_STYLES[CRESTS[0]]
    signs = {
        "knight": terminal_canvas.all_letters(words, CRESTS),
        **{
            name: Text(SIGNS[kind], EXILE_STYLE if kind == WHITE else LAND_STYLES[0]) for kind, name in enumerate(KINDS)
        },
        "line": Text("⠤⠤⠒⠒⠉⠉", SOFT),
        "way": Text("⠤⠤⠒⠒⠉⠉", MARK),
        "stone": Text(STONE_SIGN, STONE_STYLE),
        "ring": Text(RING_SIGN, RING_STYLE),
        "bearer": Text.assemble(lion, (RING_SIGN, RING_STYLE)),
        "mark": Text("[2]", CHOSEN),
        "turn": Text(TURN_SIGN, MARK),
        "amulets": Text.assemble((AMULET_SIGN * 2, GOLD), ("·", SOFT)),
        "seals": Text.assemble(_seal(0), ("·", SOFT), _seal(2), ("·", SOFT)),
        "collar": Text(COLLAR_SIGN, MARK),
        "attack": Text.assemble(f"{label(words, 'brief.attack')} ", lion),
        "duel": _duel(words, 58),
        "city_with_ring": Text.assemble(f"{label(words, 'brief.seal')} ", _seal(0), (f" +{AMULET_SIGN * 2}", GOLD)),
        "win": Text(WIN_SIGN, MARK),
        "lay": Text(LAY_SIGNS, STONE_STYLE),
        "lift": Text(LIFT_SIGNS, STONE_STYLE),
    }
    return [(sign, label(words, f"legend.{name}")) for name, sign in signs.items()]

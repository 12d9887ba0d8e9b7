"""The map as data: what a map file may say, what is wrong with one, and how it comes into the record."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dracotheque.engine.board_files import key_problems, listed, name_problems
from dracotheque.engine.errors import near
from dracotheque.games.gran.rules.state import (
    BITS, BLACK, CITY, CRYSTAL, DRAGON, KINGDOMS, MOST_POINTS, SEATS, STONES, WHITE, WORDS,
)  # fmt: skip

KEYS = ("name", "start", "ring", "points", "lines")
KINDS = ("black", "white", "crystal", "city", "dragon", "magic", "sword")
KINGDOM_NAMES = ("tirad", "urgad", "galad", "elgad")
WIDTH, HEIGHT = 1000, 1000  # the sheet a map is drawn on
LEAST_GAP = 20  # between two points: nearer ones could not be distinguished
LEAST_EXILE = SEATS  # white points: everybody can be banished


@dataclass(frozen=True)
class Point:
    """A point of a map: its name, what it is, which kingdom it lies in, and where on the sheet."""

    name: str
    kind: int
    kingdom: int
    x: float
    y: float


# --- Reading ----------------------------------------------------------------------------------------------------
def parse_point(written: Any) -> Point | None:
    """Read a point, “t7 black tirad 480 120” or “w3 white 500 460”; None where it cannot be read."""
    if not isinstance(written, str):
        return None
    number = r"(-?\d+(?:\.\d+)?)"
    match = re.fullmatch(rf"(\w+) (?:white|([a-z]+) ([a-z]+)) {number} {number}", written)
    if not match:
        return None
    name, kind, kingdom, x, y = match.groups()
    if kind is None:
        return Point(name, WHITE, KINGDOMS, float(x), float(y))
    if kind not in KINDS or kind == "white" or kingdom not in KINGDOM_NAMES:
        return None
    return Point(name, KINDS.index(kind), KINGDOM_NAMES.index(kingdom), float(x), float(y))


def read_lines(written: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Read lines: each text names points one after the other, as a finger follows them over the map."""
    for text in written:
        yield from itertools.pairwise(text.split())


# --- Faults -----------------------------------------------------------------------------------------------------
def problems(data: Mapping[str, Any]) -> list[str]:
    """Say in words everything that is wrong with a map, nothing where it can be played on."""
    if wrong := key_problems(data, KEYS, "map"):
        return wrong
    unreadable = [*name_problems(data["name"], "map"), *_point_faults(data["points"]), *_line_faults(data)]
    if unreadable:
        return unreadable
    board = Board(data, "")
    return [*_crystal_faults(board), *_kingdom_faults(board), *_exile_faults(board), *_way_faults(board)]


def _point_faults(points: Any) -> Iterator[str]:
    """Points are readable, lie apart from each other on the sheet, and have names of their own."""
    if not isinstance(points, list) or not points:
        yield '“points” should be a list, each written like "t7 black tirad 480 120" or "w3 white 500 460".'
        return
    if len(points) > MOST_POINTS:
        yield f"The map has {len(points)} points; {MOST_POINTS} is the most."
    read: list[Point] = []
    for number, written in enumerate(points, 1):
        point = parse_point(written)
        if point is None:
            yield f"Point {number} cannot be read: {written!r}. {_how_to_write(written)}"
        else:
            read.append(point)
    yield from _place_faults(read)


def _how_to_write(written: Any) -> str:
    """Return what is wrong with a point, or show how one is written."""
    words = written.split() if isinstance(written, str) else []
    if len(words) == 5 and words[1] not in KINDS:
        return f"No kind of point is called “{words[1]}”{near(words[1], KINDS)}. There are {listed(KINDS)}."
    if len(words) == 5 and words[1] != "white" and words[2] not in KINGDOM_NAMES:
        return f"No kingdom is called “{words[2]}”{near(words[2], KINGDOM_NAMES)}. There are {listed(KINGDOM_NAMES)}."
    return 'Write it like "t7 black tirad 480 120", or "w3 white 500 460": white points lie in no kingdom.'


def _place_faults(points: Sequence[Point]) -> Iterator[str]:
    """Every point has a name and a place of its own."""
    seen: set[str] = set()
    for point in points:
        if point.name.upper() in seen:
            yield f"Two points are called “{point.name}”; capitals make no difference."
        seen.add(point.name.upper())
        if not (0 <= point.x <= WIDTH and 0 <= point.y <= HEIGHT):
            yield f"“{point.name}” lies beside the sheet, which goes from 0 to {WIDTH} and from 0 to {HEIGHT}."
    for one, other in itertools.combinations(points, 2):
        if abs(one.x - other.x) < LEAST_GAP and abs(one.y - other.y) < LEAST_GAP:
            yield f"“{one.name}” and “{other.name}” lie on top of each other."


def _line_faults(data: Mapping[str, Any]) -> Iterator[str]:
    """Lines join points that are there, each pair once."""
    points, lines = data["points"], data["lines"]
    if not (isinstance(lines, list) and lines and all(isinstance(text, str) for text in lines)):
        yield '“lines” should be a list, each a row of points that are joined one to the next: "t1 t2 t3".'
        return
    names = [point.name for point in map(parse_point, points if isinstance(points, list) else []) if point]
    for name in dict.fromkeys(name for text in lines for name in text.split()):
        if name not in names:
            yield f"A line leads to “{name}”, which is no point{near(name, names)}."
    for key in ("start", "ring"):
        if data[key] not in names:
            yield f"“{key}” should name a point, not {data[key]!r}{near(str(data[key]), names)}."
    for text in lines:
        if len(text.split()) < 2:
            yield f"A line needs two points at least, not {text!r}."
    seen: set[frozenset[str]] = set()
    for one, other in read_lines(lines):
        if one == other:
            yield f"A line leads from “{one}” to itself."
        elif frozenset((one, other)) in seen:
            yield f"“{one}” and “{other}” are joined twice."
        seen.add(frozenset((one, other)))


def _crystal_faults(board: Board) -> Iterator[str]:
    """Knights and ring begin on two different crystals."""
    if board.start == board.ring:
        yield "Knights and ring begin on the same point: “start” and “ring” should be two crystals."
    for key, point in (("start", board.start), ("ring", board.ring)):
        if board.points[point].kind != CRYSTAL:
            yield f"“{key}” should be a crystal; “{board.points[point].name}” is not."


def _kingdom_faults(board: Board) -> Iterator[str]:
    """Every kingdom has one city, and there is always a place to lay the ring down in another one."""
    for number, kingdom in enumerate(KINGDOM_NAMES):
        cities = [point.name for point in board.points if point.kind == CITY and point.kingdom == number]
        if len(cities) != 1:
            found = listed(cities) if cities else "none"
            yield f"{kingdom.title()} should have one city, whose seal one can win; it has {found}."
        elsewhere = [p for p in board.points if p.kind in (BLACK, CRYSTAL) and p.kingdom != number]
        if len(elsewhere) <= STONES + SEATS:
            yield (
                f"Outside {kingdom.title()} there are {len(elsewhere)} points for the ring to be laid on; with "
                f"{STONES} stones and {SEATS} knights about, {STONES + SEATS + 1} are needed."
            )


def _exile_faults(board: Board) -> Iterator[str]:
    """There are white points for all players."""
    count = sum(point.kind == WHITE for point in board.points)
    if count < LEAST_EXILE:
        yield f"There are {count} white points; {LEAST_EXILE} are needed, for {SEATS} knights to be banished to."


def _way_faults(board: Board) -> Iterator[str]:
    """Every point can be reached, also by knights who cannot fight, and no single stone parts the map."""
    cut_off = board.names(board.parted(set()))
    if cut_off:
        yield f"No way leads from the start to {listed(cut_off)}."
        return
    dragons = {number for number, point in enumerate(board.points) if point.kind == DRAGON}
    nests = {number for number in dragons if set(board.near[number]) <= dragons}
    guarded = board.names(board.parted(dragons) | nests)
    if guarded:
        yield f"Only dragons lead to {listed(guarded)}: a knight without amulets could never leave."
    for number, point in enumerate(board.points):
        lost = board.names(board.parted({number})) if point.kind in (BLACK, WHITE) else []
        if lost:
            yield f"A single stone on “{point.name}” would cut off {listed(lost)}: another line is needed."


# --- The map ----------------------------------------------------------------------------------------------------
class Board:
    """A map that can be played on."""

    def __init__(self, data: Mapping[str, Any], source: str) -> None:
        """Take over a map without faults; `source` is where it came from, empty for the usual one."""
        self.data = dict(data)
        self.source = source
        self.name: str = data["name"]
        self.points: tuple[Point, ...] = tuple(point for point in map(parse_point, data["points"]) if point)
        self.number = {point.name: number for number, point in enumerate(self.points)}
        self.start, self.ring = self.number[data["start"]], self.number[data["ring"]]
        self.lines: tuple[tuple[int, int], ...] = tuple(
            (self.number[one], self.number[other]) for one, other in read_lines(data["lines"])
        )
        joined: list[set[int]] = [set() for _ in self.points]
        for one, other in self.lines:
            joined[one].add(other)
            joined[other].add(one)
        self.near: tuple[tuple[int, ...], ...] = tuple(tuple(sorted(points)) for points in joined)

    def names(self, numbers: Iterable[int]) -> list[str]:
        """Name points in quotation marks, in the order of the map."""
        return [f"“{self.points[number].name}”" for number in sorted(numbers)]

    def parted(self, closed: set[int]) -> set[int]:
        """Find the points that cannot be reached from the first open one once some are closed."""
        open_points = set(range(len(self.points))) - closed
        todo = [self.start if self.start in open_points else min(open_points, default=self.start)]
        seen = set(todo)
        while todo:
            todo += (new := set(self.near[todo.pop()]) & open_points - seen)
            seen |= new
        return open_points - seen

    def write_to(self, record: Any) -> None:
        """Write points, lines, start and ring into an empty record."""
        record["start"], record["ring"] = self.start, self.ring
        record["kingdom"] = KINGDOMS
        for number, point in enumerate(self.points):
            record["kind"][number], record["kingdom"][number] = point.kind, point.kingdom
            record["near"][number * WORDS : (number + 1) * WORDS] = _as_set(self.near[number])
        for kingdom in range(KINGDOMS):
            record["land"][kingdom * WORDS : (kingdom + 1) * WORDS] = self._of_kind((BLACK, CRYSTAL), kingdom)
        record["white"] = self._of_kind((WHITE,))
        record["cities"] = self._of_kind((CITY,))
        record["dragons"] = self._of_kind((DRAGON,))
        record["ground"] = self._of_kind((BLACK, WHITE))

    def _of_kind(self, kinds: tuple[int, ...], kingdom: int | None = None) -> list[int]:
        """Gather the points of some kinds, of all kingdoms or of one."""
        found = (n for n, point in enumerate(self.points) if point.kind in kinds and kingdom in (None, point.kingdom))
        return _as_set(found)


def _as_set(numbers: Iterable[int]) -> list[int]:
    """Write points as a set of the record: a bit each, in two numbers."""
    words = [0] * WORDS
    for number in numbers:
        words[number // BITS] |= 1 << number % BITS
    return words

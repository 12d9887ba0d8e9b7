"""Where everything lies on the map's picture: points and lines, land and sea, and room for every name."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dracotheque.games.gran import names as names_module
from dracotheque.games.gran import board_svg_parts as parts
from dracotheque.games.gran.board_files import HEIGHT, KINDS, KINGDOM_NAMES, WIDTH, Board
from dracotheque.games.gran.rules.state import KINGDOMS
from dracotheque.presentation.svg import Spots

# --- Measures, in units of the picture ------------------------------------------------------------------------------
MARGIN = 112  # around the sheet the map is drawn on: room for coast, sea and frame
ACROSS, DOWN = WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN
FRAME = 26  # from the edge to the inner line
FILLED, MOST_ENLARGED = 0.92, 4  # so much of the sheet a map fills, unless it is tiny
LARGE = 1.2  # points are drawn so much larger than by hand where there is room
BENDS = (0.03, 0.12, 0.22, 0.34, 0.5)  # how far lines swing out, measured by their length
STEP = 12  # the grid that separates land and sea
SHORE, CAUSEWAY = 60, 36  # how far land reaches from a point, and from a line
LAKE = 24  # a hole in the land is filled in unless its middle is so far from the shore
NAME_SIZES = (11.5, 10, 8.5, 7.5)  # of the points' names where titles and trees leave room for them
WIDE = 0.56  # a letter of a name, measured by its height
BESIDE = 15  # from a point to its name at least: a stone may lie on it
TITLE_SIZES = tuple(
    itertools.product((56, 48, 42, 36, 31, 27, 23), (1.8, 1.4, 1.1))
)  # of the kingdoms' names, and their pitch
LEANS = (None, 0, -20, 20, -40, 40, -60, 60)  # of the kingdoms' names; None is an arc around the middle of the map

Field = NDArray[np.float64]


# --- Where everything lies ------------------------------------------------------------------------------------------
class Place(NamedTuple):
    """Where a point lies on the sheet, how large it is drawn, and how far it reaches."""

    x: float
    y: float
    scale: float
    reach: float


class Label(NamedTuple):
    """Where a point's name is written, and how large."""

    x: float
    y: float
    size: float


class Letter(NamedTuple):
    """A letter of a kingdom's name: where it stands, how far it leans, how high it is."""

    sign: str
    x: float
    y: float
    lean: float
    size: float


class Layout:
    """Where a map's points, lines, lands and names lie in the picture."""

    def __init__(self, board: Board) -> None:
        """Measure a map."""
        self.board = board
        self.names = [names_module.point_name(board, number) for number in range(len(board.points))]
        self.places = [*_places(board)]
        self.bends = [_bend(self.places, one, other) for one, other in board.lines]
        self.ground = Ground(board, self.places, [self.line(number) for number in range(len(board.lines))])

    def line(self, number: int) -> list[tuple[float, float]]:
        """Follow a line from point to point."""
        one, other = (self.places[at] for at in self.board.lines[number])
        return [*_bow(one, other, self.bends[number])]

    @cached_property
    def labels(self) -> list[Label | None]:
        """Find room for every point's name; None where there is none."""
        return [*names_beside(self)]

    @cached_property
    def label_areas(self) -> list[Rectangle | None]:
        """Measure the room the points' names take."""
        named = zip(self.labels, self.names, strict=True)
        return [label_area(label, name) if label else None for label, name in named]

    @cached_property
    def titles(self) -> list[list[Letter]]:
        """Find room for the names of the kingdoms."""
        return self.ground.titles([area for area in self.label_areas if area])


def measured(board: Board) -> Layout:
    """Measure a map, once for day and night, all languages and all tables."""
    return _measured(json.dumps(board.data))


@lru_cache(maxsize=8)
def _measured(data: str) -> Layout:
    """Measure a map that is written down."""
    return Layout(Board(json.loads(data), ""))


def _places(board: Board) -> Iterator[Place]:
    """Bring the points onto the sheet, smaller where they lie so near to another that one would cover the other."""
    spots = [*_spread(board)]
    reaches = [parts.REACH[KINDS[point.kind]] for point in board.points]
    for one, (x, y) in enumerate(spots):
        room = [
            max(abs(x - ox), abs(y - oy)) / (reaches[one] + reaches[other])
            for other, (ox, oy) in enumerate(spots)
            if other != one
        ]
        scale = math.floor(1000 * min(LARGE, *room)) / 1000
        yield Place(x, y, scale, reaches[one] * scale)


def _spread(board: Board) -> Iterator[tuple[float, float]]:
    """Put the map into the middle of the sheet, and enlarge it until it fills it."""
    xs, ys = [point.x for point in board.points], [point.y for point in board.points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scale = min(FILLED * WIDTH / max(wide, 1), FILLED * HEIGHT / max(high, 1), MOST_ENLARGED)
    scale = max(scale, 1)
    for point in board.points:
        x, y = point.x - (min(xs) + max(xs)) / 2, point.y - (min(ys) + max(ys)) / 2
        yield round(ACROSS / 2 + x * scale, 1), round(DOWN / 2 + y * scale, 1)


def _bow(one: Place, other: Place, bend: float) -> Iterator[tuple[float, float]]:
    """Go from one point to another on a slight curve."""
    mx, my = (one.x + other.x) / 2 - bend * (other.y - one.y), (one.y + other.y) / 2 + bend * (other.x - one.x)
    steps = max(4, round(math.dist(one[:2], other[:2]) / 6))
    for step in range(steps + 1):
        t = step / steps
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        yield a * one.x + b * mx + c * other.x, a * one.y + b * my + c * other.y


def _bend(places: Sequence[Place], one: int, other: int) -> float:
    """Return how far a line must swing out to pass by the points that are not its own."""
    side = 1 if (one + other) % 2 else -1  # now to one side, now to the other, as a hand draws
    others = np.array([(x, y, reach + 2) for at, (x, y, _, reach) in enumerate(places) if at not in (one, other)])
    met: dict[float, int] = {}
    for bend in (swing * turn for swing in BENDS for turn in (side, -side)):
        spots = np.array([*_bow(places[one], places[other], bend)])[:, np.newaxis]
        near = np.maximum(abs(spots[:, :, 0] - others[:, 0]), abs(spots[:, :, 1] - others[:, 1])) < others[:, 2]
        met[bend] = int(near.any(axis=0).sum())
        if not met[bend]:
            return bend
    return min(met, key=lambda bend: met[bend])


# --- Land and sea ---------------------------------------------------------------------------------------------------
class Ground:
    """The sheet as a grid: how far it is to points, lines and coast, and which kingdom a spot lies in."""

    def __init__(self, board: Board, places: Sequence[Place], lines: Sequence[Spots]) -> None:
        """Measure the sheet; coast and borders wander a little, as rivers and ridges make them."""
        self.x, self.y = np.meshgrid(np.arange(0.0, ACROSS + STEP, STEP), np.arange(0.0, DOWN + STEP, STEP))
        far = np.stack([np.hypot(self.x - place.x, self.y - place.y) for place in places])
        squares = [np.maximum(abs(self.x - at.x), abs(self.y - at.y)) - at.reach for at in places]
        self.free = np.min(squares, axis=0)
        self.bare = self.free  # less the points' names, once they are written
        self.off_lines = np.stack([_distance(self.x, self.y, line) for line in lines]).min(axis=0)
        self.land = _filled(
            np.maximum(SHORE - _soft_least(far), CAUSEWAY - self.off_lines) + 11 * wander(self.x, self.y)
        )
        self.nearest = np.stack([self._nearest(board, far, realm) for realm in range(KINGDOMS + 1)])
        self.realm = self.nearest.argmin(axis=0)
        self.inland = np.stack([self._inland(realm) for realm in range(KINGDOMS + 1)])
        self.middle = (sum(at.x for at in places) / len(places), sum(at.y for at in places) / len(places))

    def _nearest(self, board: Board, far: Field, realm: int) -> Field:
        """Return the distance to a kingdom, or to the land without one."""
        own = [number for number, point in enumerate(board.points) if point.kingdom == realm]
        swing = wander(self.x + 301 * realm, self.y - 177 * realm)
        return far[own].min(axis=0) + 14 * swing * np.clip((far.min(axis=0) - 10) / 30, 0, 1)

    def _inland(self, realm: int) -> Field:
        """Measure how far inside a kingdom a spot lies: from its borders and from its coast."""
        others = np.delete(self.nearest, realm, axis=0).min(axis=0)
        return np.minimum((others - self.nearest[realm]) / 2, self.land)

    def coast(self, out: float = 0) -> str:
        """Draw the coast, or a line in the sea along it."""
        return _outline(self.land + out)

    def realm_outline(self, realm: int) -> str:
        """Draw the border of a kingdom, along the coast too."""
        return _outline(self.inland[realm])

    def cell(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Find the rows and columns of some spots; beside the sheet, those of its edge."""
        high, wide = self.x.shape
        rows = np.minimum(np.maximum(np.rint(np.asarray(y) / STEP).astype(int), 0), high - 1)
        columns = np.minimum(np.maximum(np.rint(np.asarray(x) / STEP).astype(int), 0), wide - 1)
        return rows, columns

    def titles(self, taken: Sequence[Rectangle]) -> list[list[Letter]]:
        """Write the kingdoms' names where it is roomiest, all of one size, and large rather than small."""
        self.bare = np.min([self.free, *(area.away(self.x, self.y) for area in taken)], axis=0)
        tries = [[self._title(kingdom, *size) for kingdom in range(KINGDOMS)] for size in TITLE_SIZES]
        best = max(tries, key=lambda titles: sum(score for score, _ in titles))
        return [letters for _, letters in best]

    def _title(self, kingdom: int, size: float, tracking: float) -> tuple[float, list[Letter]]:
        """Find the best place for a name of some size, straight or on an arc, and say how good it is."""
        home = self.inland[kingdom] > size * 0.4
        home = home if home.any() else self.realm == kingdom
        x, y = self.x[home], self.y[home]
        best, letters = -math.inf, list[Letter]()
        for lean in LEANS:
            spots = [*self._row(x, y, len(KINGDOM_NAMES[kingdom]), size * tracking, lean)]
            cells = [self.cell(a, b) for a, b, _ in spots]
            room = np.min([np.minimum(self.bare[cell] - size * 0.6, 12) for cell in cells], axis=0)
            lines = np.mean([np.minimum(self.off_lines[cell], size / 2) for cell in cells], axis=0)
            shores = np.min([self.inland[kingdom][cell] for cell in cells], axis=0) - size * 0.75
            turned = np.max([np.abs(turn) for _, _, turn in spots], axis=0)
            score = (
                size
                + 9 * tracking
                + room
                + 8 * np.minimum(room, 0)
                + 1.5 * lines
                + 4 * np.minimum(shores, 0)
                - turned / 5
            )
            edge = np.min([np.minimum(np.minimum(a, ACROSS - a), np.minimum(b, DOWN - b)) for a, b, _ in spots], axis=0)
            score[edge < size * 0.75] = -math.inf  # a letter would reach over the edge of the sheet
            at = int(score.argmax())
            if score[at] > best:
                best = float(score[at])
                signs = zip(KINGDOM_NAMES[kingdom].upper(), spots, strict=True)
                letters = [Letter(sign, a[at], b[at], float(turn[at]), size) for sign, (a, b, turn) in signs]
        return best, letters

    def _row(
        self, x: Field, y: Field, count: int, pitch: float, lean: int | None
    ) -> Iterator[tuple[Field, Field, Field]]:
        """Set letters in a row about every spot: leaning, or without a lean on an arc around the middle of the map."""
        for number in range(count):
            along = (number - (count - 1) / 2) * pitch
            if lean is not None:
                turn = math.radians(lean)
                yield x + along * math.cos(turn), y + along * math.sin(turn), np.full(x.shape, float(lean))
                continue
            cx, cy = self.middle
            radius = np.maximum(np.hypot(x - cx, y - cy), 3 * pitch / 2)
            clockwise = np.where(y < cy + 40, 1, -1)
            angle = np.arctan2(y - cy, x - cx) + clockwise * along / radius
            turn = np.degrees(angle) + clockwise * 90
            yield cx + radius * np.cos(angle), cy + radius * np.sin(angle), (turn + 180) % 360 - 180


def _soft_least(far: Field) -> Field:
    """Take the least of many distances, rounded where two are alike, so that capes run into each other."""
    soft, most = 22.0, 30.0
    least = far.min(axis=0)
    return least + np.maximum(-soft * np.log(np.exp((least - far) / soft).sum(axis=0)), -most)


def _filled(land: Field) -> Field:
    """Fill in ponds: a lake is wide enough to be one."""
    deep = -land
    wide = np.max([np.roll(deep, (down, right), (0, 1)) for down in range(-4, 5) for right in range(-4, 5)], axis=0)
    return np.where((land <= 0) & (wide < LAKE), 1.0, land)


def wander(x: Any, y: Any) -> Field:
    """Wander up and down between about -1 and 1, everywhere otherwise."""
    return (
        np.sin(x / 53 + 1.7 * np.sin(y / 67)) + np.sin(y / 47 + 1.9 * np.sin(x / 59 + 1)) + np.sin((x + y) / 19) / 2
    ) / 2.5


def _distance(x: Field, y: Field, line: Spots) -> Field:
    """Measure how far every spot of the grid is from a line: it hardly bends, so three pieces of it are enough."""
    corners = [line[round(at * (len(line) - 1) / 3)] for at in range(4)]
    return np.min([_to_piece(x, y, *ends) for ends in itertools.pairwise(corners)], axis=0)


def _to_piece(x: Field, y: Field, one: tuple[float, float], other: tuple[float, float]) -> Field:
    """Measure how far every spot of the grid is from a straight piece."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    way = np.clip(((x - one[0]) * dx + (y - one[1]) * dy) / max(dx * dx + dy * dy, 1), 0, 1)
    return np.hypot(x - one[0] - way * dx, y - one[1] - way * dy)


def _outline(field: Field) -> str:
    """Draw the lines around where a field is above zero, with soft corners."""
    return "".join(_soft(loop) for loop in _loops(field) if len(loop) > 5)


def _loops(field: Field) -> Iterator[list[tuple[float, float]]]:
    """Follow the edge of where a field is above zero, cell by cell (marching squares)."""
    field = np.where(field == 0, 1e-6, field)
    field = np.pad(field[1:-1, 1:-1], 1, constant_values=-1)  # nothing runs out of the sheet
    high = field > 0
    mixed = high[:-1, :-1].astype(int) + high[:-1, 1:] + high[1:, :-1] + high[1:, 1:]
    leads: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for row, column in np.argwhere((mixed > 0) & (mixed < 4)).tolist():
        corners = [high[row, column], high[row, column + 1], high[row + 1, column + 1], high[row + 1, column]]
        edges = [(0, row, column), (1, row, column + 1), (0, row + 1, column), (1, row, column)]
        for at in range(4):
            if corners[at] and not corners[(at + 1) % 4]:
                start = at
                while corners[start - 1]:
                    start -= 1
                leads[edges[start - 1]] = edges[at]
    while leads:
        start, edge = leads.popitem()
        loop = [_crossing(field, start)]
        while edge != start:
            loop.append(_crossing(field, edge))
            edge = leads.pop(edge)
        yield loop


def _crossing(field: Field, edge: tuple[int, int, int]) -> tuple[float, float]:
    """Find where a field is zero on an edge of the grid."""
    down, row, column = edge
    here, there = float(field[row, column]), float(field[row + down, column + 1 - down])
    way = here / (here - there)
    return (column + way * (1 - down)) * STEP, (row + way * down) * STEP


def _soft(loop: Spots) -> str:
    """Draw a closed line through the middles of its pieces, bent by its corners; every other corner will do."""
    corners = [(round(x), round(y)) for x, y in (loop[::2] if len(loop) > 24 else loop)]
    middles = [
        ((x + nx) // 2, (y + ny) // 2) for (x, y), (nx, ny) in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    ax, ay = middles[-1]
    data = f"M{ax} {ay}"
    for (x, y), (bx, by) in zip(corners, middles, strict=True):
        data += f"q{x - ax} {y - ay} {bx - ax} {by - ay}"
        ax, ay = bx, by
    return data.replace(" -", "-") + "z"


# --- The points' names ----------------------------------------------------------------------------------------------
class Rectangle(NamedTuple):
    """A rectangle of the sheet."""

    left: float
    top: float
    right: float
    bottom: float

    def away(self, x: Field, y: Field) -> Field:
        """Measure how far every spot of the grid is from the rectangle."""
        return np.max([self.left - x, x - self.right, self.top - y, y - self.bottom], axis=0)

    def meets(self, other: Rectangle) -> bool:
        """Return whether two rectangles share room."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def label_area(label: Label, name: str) -> Rectangle:
    """Measure the room a name takes."""
    half = label.size * WIDE * len(name) / 2 + 1
    return Rectangle(label.x - half, label.y - 0.78 * label.size, label.x + half, label.y + 0.24 * label.size)


def names_beside(layout: Layout, sizes: Sequence[float] = NAME_SIZES) -> Iterator[Label | None]:
    """Write every name beside its point, where it covers no other and as few lines as can be."""
    taken = [Rectangle(at.x - at.reach, at.y - at.reach, at.x + at.reach, at.y + at.reach) for at in layout.places]
    spots = np.array([spot for number in range(len(layout.bends)) for spot in layout.line(number)])
    for name, place in zip(layout.names, layout.places, strict=True):
        best = min(_label_spots(name, place, taken, spots, sizes), default=None)
        yield best and best[1]
        if best:
            taken.append(label_area(best[1], name))


def _label_spots(
    name: str, place: Place, taken: Sequence[Rectangle], spots: Field, sizes: Sequence[float]
) -> Iterator[tuple[float, Label]]:
    """Find where a name could be written, and how badly it would stand there; the first size that has room will do."""
    for size in sizes:
        half, found = size * WIDE * len(name) / 2, False
        for number in range(16):
            turn = math.tau * (number + 3) / 16
            out = max(place.reach + 2, BESIDE)
            x = place.x + math.cos(turn) * (out + half)
            y = place.y + math.sin(turn) * (out + 0.55 * size) + 0.3 * size
            label = Label(round(x, 1), round(y, 1), size)
            area = label_area(label, name)
            if area.left < FRAME or area.right > ACROSS - FRAME or any(area.meets(other) for other in taken):
                continue
            crossed = (spots[:, 0] > area.left) & (spots[:, 0] < area.right)
            crossed &= (spots[:, 1] > area.top) & (spots[:, 1] < area.bottom)
            found = True
            above = max(0, -math.sin(turn))  # where knights stand
            yield float(crossed.sum()) + 8 * above + number / 99, label
        if found:
            return

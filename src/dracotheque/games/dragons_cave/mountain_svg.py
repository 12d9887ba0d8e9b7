"""The mountain, cut open: where everything stands in it, the world outside, the rock, and the tunnel through it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from dracotheque.games.dragons_cave import board_svg_parts as parts
from dracotheque.games.dragons_cave.board_files import Board
from dracotheque.games.dragons_cave.rules.state import KINDS
from dracotheque.presentation.svg import (
    BIRD, CLOUD, MOON, STAR, Spots, band, circle, classes, coarse, moved, num, path, smooth, use,
)  # fmt: skip

# --- Measures, in units of the picture: the default board is 1200 wide ----------------------------------------------
FEWEST_COLUMNS, MOST_LAPS = 5, 5  # a longer path first makes the mountain higher, then wider
PITCH = 160  # from space to space
LAP = 160  # from the floor of a lap to the next one's
CLIMB = 14  # how far a lap rises on its way
CEILING, BELOW = 106, 24  # of the tunnel, above and below its floor
BEND = 54  # how far the floor swings out between two laps
LEFT, RIGHT = 280, 120  # beside the columns of spaces: meadow and mouth, bend and rock
START_X, MOUTH = 116, 236
PEAK, HALL_TOP, HALL_FLOOR = 30, 122, 404
HALL = 442  # half as wide as the lair
NICHE_PITCH, NICHE_RISE = 156, (42, 100, 126, 100, 42)
VAULT, GROUND = 14, 56  # more rock below the lair; rock below the first lap


# --- Where everything stands --------------------------------------------------------------------------------------
class Point(NamedTuple):
    """A spot in the picture."""

    x: float
    y: float


class Layout:
    """Where a board's laps, spaces and niches stand in the picture."""

    def __init__(self, board: Board) -> None:
        """Share the path out over laps; `places` has the start, the spaces and the niches, as the rules number them."""
        count = len(board.path)
        self.columns = max(FEWEST_COLUMNS, math.ceil(count / MOST_LAPS))
        self.laps = math.ceil(count / self.columns)
        self.width = LEFT + self.columns * PITCH + RIGHT
        self.ground = HALL_FLOOR + VAULT + self.laps * LAP
        self.height = self.ground + GROUND
        self.centre = LEFT + self.columns * PITCH // 2
        self.ends = (LEFT + 40, LEFT + self.columns * PITCH - 40)
        self.places = [Point(START_X, self.floor(0, START_X)), *self._spaces(count), *self._niches()]

    def ends_of(self, lap: int) -> tuple[int, int]:
        """Return where a lap begins and where it ends: the tunnel winds to and fro."""
        first, last = self.ends
        return (first, last) if lap % 2 == 0 else (last, first)

    def floor(self, lap: int, x: float) -> float:
        """Find the height of a lap's floor; it rises on its way and is not quite even."""
        first, last = self.ends_of(lap)
        way = min(max((x - first) / (last - first), 0), 1)
        return self.ground - lap * LAP - CLIMB * way + 3 * math.sin(x / 55 + 2 * lap)

    def _spaces(self, count: int) -> Iterator[Point]:
        """Spread the spaces evenly over the laps, and over each lap."""
        for lap in range(self.laps):
            spaces = count * (lap + 1) // self.laps - count * lap // self.laps
            for number in range(spaces):
                way = (number + 0.5) / spaces
                x = LEFT + self.columns * PITCH * (way if lap % 2 == 0 else 1 - way)
                yield Point(x, self.floor(lap, x))

    def _niches(self) -> Iterator[Point]:
        """Set the five niches into the wall of the lair, the middle one highest."""
        for niche, rise in enumerate(NICHE_RISE):
            yield Point(self.centre + (niche - KINDS // 2) * NICHE_PITCH, HALL_FLOOR - rise)

    def bend(self, lap: int) -> list[Point]:
        """Lead from the end of a lap up to the next one, or into the lair."""
        x = self.ends_of(lap)[1]
        out = BEND if lap % 2 == 0 else -BEND
        low, high = self.floor(lap, x), self.floor(lap + 1, x) if lap + 1 < self.laps else HALL_FLOOR
        turns = [math.pi * step / 8 for step in range(9)]
        return [Point(x + out * math.sin(turn), (low + high) / 2 + (low - high) / 2 * math.cos(turn)) for turn in turns]

    def way(self) -> list[Point]:
        """Follow the floor from the start space through every lap to the far end of the lair."""
        line = [Point(x, self.floor(0, x)) for x in range(START_X, self.ends[0], 40)]
        for lap in range(self.laps):
            first, last = self.ends_of(lap)
            steps = self.columns * 2
            xs = [first + (last - first) * step / steps for step in range(steps)]
            line += [Point(x, self.floor(lap, x)) for x in xs] + self.bend(lap)
        far = HALL - 34
        start, end = line[-1].x, self.centre + (-far if self.laps % 2 else far)
        return line + [Point(start + (end - start) * step / 8, HALL_FLOOR) for step in range(1, 9)]


# --- The world outside --------------------------------------------------------------------------------------------
def sky(layout: Layout, night: bool) -> str:
    """Paint the sky: a sun with clouds and birds, or a moon with stars."""
    width, height, sun = layout.width, layout.height, Point(300, 96)
    return (
        f'<rect fill="url(#a-sky)" width="{width}" height="{height}"/>'
        + f'<circle cx="{sun.x}" cy="{sun.y}" r="130" fill="url(#a-glow)"/>'
        + (_moon(sun) + _stars(layout) if night else _sun(sun) + _clouds_and_birds(layout))
        + _hills(layout)
    )


def _sun(at: Point) -> str:
    """Draw the sun with its rays."""
    rays = ""
    for ray in range(16):
        turn, far = math.tau * ray / 16, 52 if ray % 2 else 46
        rays += f"M{num(at.x + 39 * math.cos(turn))} {num(at.y + 39 * math.sin(turn))}"
        rays += f"L{num(at.x + far * math.cos(turn))} {num(at.y + far * math.sin(turn))}"
    return circle("sun k", at.x, at.y, 31) + path("k no", rays)


def _moon(at: Point) -> str:
    """Draw a crescent moon."""
    return path("sun k", MOON, f" {moved(*at)}")


def _stars(layout: Layout) -> str:
    """Scatter stars over the sky, but neither over the moon nor behind the mountain."""
    chance, stars = Random(5), ""
    for number in range(80):
        x, y = chance.uniform(24, layout.width - 24), chance.uniform(24, 400)
        if math.dist((x, y), (300, 96)) < 60 or (y > HALL_FLOOR / 3 and MOUTH < x < layout.width - 120):
            continue
        stars += circle("sun", x, y, 1.3) if number % 5 else path("sun", f"M{num(x)} {num(y)}{STAR}")
    return stars


def _clouds_and_birds(layout: Layout) -> str:
    """Draw three clouds, and birds over the meadow."""
    clouds = ((layout.width - 120, 84, 0.9), (layout.width - 44, 150, 0.7), (236, 168, 0.6))
    birds = "".join(f"M{x} {y}{BIRD}" for x, y in ((222, 72), (248, 50), (222, 108)))
    return "".join(f"<g {moved(*cloud)}>{CLOUD}</g>" for cloud in clouds) + path("hatch", birds)


def _hills(layout: Layout) -> str:
    """Paint the hills behind the meadow."""
    hills = (("far", (82, 108, 84, 106, 90, 96)), ("hill", (40, 62, 42, 54, 40, 44)))
    painted = ""
    for style, heights in hills:
        line = smooth([(-20 + 68 * step, layout.ground - height) for step, height in enumerate(heights)])
        painted += path(style, f"{line}v200H0z") + path("k3 no half", line)
    return painted


def meadow(layout: Layout) -> str:
    """Paint the meadow before the mouth, with the way in, its signpost and its pines."""
    low = layout.ground
    line = [(-20, -24), (50, -30), (120, -24), (190, -20), (240, -14), (272, 26), (332, 36), (416, 56), (476, 74)]
    edge = smooth([(x, low + y) for x, y in line])
    tufts = ((196, 44), (228, 56), (70, 52), (150, 58), (268, 52), (322, 60), (210, -18))
    return (
        path("meadow", f"{edge}H-20z")
        + path("k no", edge)
        + path("road", f"M{START_X} {low - 10}q74-4 142 0v31q-68 9-142 3z")
        + path("blade", "".join(f"M{x - 5} {low + y}{parts.TUFT}" for x, y in tufts))
        + use("pine", 30, low - 18, 1.3)
        + use("pine", 56, low - 12, 0.9)
        + use("pine", 34, low + 54)
        + f"<g {moved(190, low - 16)}>{parts.SIGNPOST}</g>"
    )


# --- The mountain -------------------------------------------------------------------------------------------------
def _ridge(layout: Layout) -> list[tuple[float, float]]:
    """Follow the mountain's outline from the mouth over the peak to the right edge."""
    low, top, centre, right = layout.ground - CEILING, HALL_FLOOR, layout.centre, layout.width
    mouth = [(MOUTH + 8, low + 4), (MOUTH - 6, low - 14), (MOUTH - 34, low - 18), (190, low - 40)]
    shoulder = [
        (200, top - 14), (206, top - 58), (228, top - 80), (236, top - 128), (268, top - 152), (288, top - 196),
        (330, top - 216), (352, top - 244),
    ]  # fmt: skip
    peak = [
        (centre - 110, PEAK + 24), (centre - 70, PEAK + 8), (centre - 40, PEAK), (centre - 8, PEAK + 16),
        (centre + 40, PEAK + 24), (centre + 96, PEAK + 56),
    ]  # fmt: skip
    far = [
        (right - 206, top - 234), (right - 140, top - 204), (right - 92, top - 150), (right - 44, top - 128),
        (right + 20, top - 66),
    ]  # fmt: skip
    return [
        *mouth, *_uneven(mouth[-1], shoulder[0]), *shoulder, *_uneven(shoulder[-1], peak[0]), *peak,
        *_uneven(peak[-1], far[0]), *far,
    ]  # fmt: skip


def _uneven(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Go from one spot of the outline to another, a little to and fro, without these two."""
    steps = round(math.dist(start, end) / 70)
    for step in range(1, steps):
        way, aside = step / steps, 9 if step % 2 else -4
        yield start[0] + (end[0] - start[0]) * way - aside, start[1] + (end[1] - start[1]) * way - aside


def mountain(layout: Layout) -> str:
    """Paint the mountain, cut open: rock in light and shade, snow on its peak, things of old in its depth."""
    ridge = _ridge(layout)
    edge = coarse(ridge)
    outline = f"{edge}V{layout.height}H{MOUTH + 8}z"
    return (
        f'<clipPath id="a-rock"><path id="a-outline" d="{outline}"/></clipPath>'
        + '<use href="#a-outline" class="a-rock"/>'
        + f'<g clip-path="url(#a-rock)"><g opacity=".42">{"".join(_patches(layout))}</g>'
        + path("hatch", _shading(layout, ridge) + _cracks(layout))
        + f"<g {moved(layout.centre - 40, PEAK)}>{parts.SNOW}</g></g>"
        + path("k no", edge, ' style="stroke-width:2.6px"')
        + "".join(_finds(layout))
    )


def _patches(layout: Layout) -> Iterator[str]:
    """Lay patches of shade and light over the rock, soft where they overlap."""
    chance = Random(11)
    for number in range(layout.columns * (layout.laps + 1)):
        x, y = chance.uniform(170, layout.width), chance.uniform(PEAK, layout.height)
        wide, high, lean = chance.uniform(50, 120), chance.uniform(20, 54), chance.uniform(-16, 16)
        corners = ((-1, 0.2), (-0.4, -0.9), (0.5, -0.8), (1.1, -0.1), (0.4, 0.8), (-0.5, 1))
        points = [(round(x + wide * dx), round(y + high * dy + lean * dx)) for dx, dy in corners]
        yield path("rock-deep" if number % 3 else "rock-light", coarse(points, closed=True))


def _shading(layout: Layout, ridge: Spots) -> str:
    """Hatch the rock below every floor, and inside its outline with fans of strokes."""
    chance, strokes = Random(4), ""
    for lap in range(layout.laps):
        for x in range(LEFT - 20, layout.ends[1] + 60, 25):
            strokes += f"M{x} {layout.floor(lap, x) + BELOW - 2:.0f}l{chance.randint(-2, 2)} {chance.randint(8, 20)}"
    for x, y in ridge[4:]:
        for step in range(3):
            strokes += f"M{x + 6 + 8 * step:.0f} {y + 8 + 4 * step:.0f}l-3 {chance.randint(12, 30)}"
    return strokes


def _cracks(layout: Layout) -> str:
    """Draw the little marks by which one knows rock."""
    chance = Random(2)
    spots = ((chance.randint(190, layout.width), chance.randint(90, layout.height)) for _ in range(layout.columns * 8))
    return "".join(f"M{x} {y}{parts.CRACK}" for x, y in spots)


def _finds(layout: Layout) -> Iterator[str]:
    """Hide shells, bones and gems between the laps, where the rock is thick."""
    chance, count = Random(9), layout.columns // 2
    for lap, number in itertools.product(range(layout.laps), range(count)):
        first, last = layout.ends_of(lap)
        x = first + (last - first) * (0.06 + (0.4 * number + chance.uniform(0, 0.15)) / count)
        y = layout.floor(lap, x) - CEILING - 20
        if y > HALL_FLOOR + LAP:
            yield use(f"find-{(lap + number) % len(parts.FINDS)}", x, y)


# --- The tunnel ---------------------------------------------------------------------------------------------------
def tunnel(layout: Layout) -> str:
    """Hollow out tunnel and lair, let daylight in at the mouth, and lay the way."""
    way, wide = layout.way(), CEILING + BELOW
    middle = [Point(x, y - (CEILING - BELOW) / 2) for x, y in way]
    hall = coarse(_hall(layout), closed=True)
    hollow = coarse(_walls(middle[:-5], wide / 2), closed=True) + hall
    stairs = [coarse([(x, y + 5) for x, y in layout.bend(lap)]) for lap in range(layout.laps)]
    ends = "stroke-linecap:round"
    return (
        f'<clipPath id="a-hall"><path id="a-hall-line" d="{hall}"/></clipPath>'
        f'<defs><path id="a-way" d="{coarse(middle)}"/></defs><g clip-path="url(#a-rock)">'
        + path("wall-deep k", hollow, ' style="stroke-width:5px"')
        + _along("wall-deep", wide - 12)
        + f'<g transform="translate(0 8)">{_along("wall", wide - 18)}<use href="#a-hall-line" class="a-wall"/></g>'
        + f'<g transform="translate(0 12)" opacity=".7">{_along("wall-light", wide - 62, ends)}</g>'
        + "".join(_noses(layout))
        + f'<path d="{coarse(middle[:12])}" fill="none" stroke="url(#a-daylight)" '
        + f'stroke-width="{wide - 3}"/></g><g transform="translate(0 {5 + (CEILING - BELOW) // 2})">'
        + _along("ink", 37, ends)
        + _along("road", 33.6, ends)
        + "</g>"
        + "".join(band("road-deep", stair, 31, "stroke-dasharray:2 11") for stair in stairs)
    )


def _walls(middle: list[Point], half: float) -> list[tuple[float, float]]:
    """Go along one wall of a tunnel and back along the other; neither is quite even."""
    chance = Random(21)
    one: list[tuple[float, float]] = []
    other: list[tuple[float, float]] = []
    for before, at, after in zip(middle, middle[1:], middle[2:], strict=False):
        dx, dy = after.x - before.x, after.y - before.y
        long = math.hypot(dx, dy)
        for wall, side in ((one, half), (other, -half)):
            far = (side + math.copysign(chance.uniform(-3, 4), side)) / long
            wall.append((at.x + dy * far, at.y - dx * far))
    return one + other[::-1]


def _hall(layout: Layout) -> list[tuple[float, float]]:
    """Outline the lair, its two halves not quite alike."""
    top = HALL_TOP - HALL_FLOOR
    right = [
        (0, top), (60, top + 6), (112, top + 2), (168, top + 22), (220, top + 34), (262, top + 62), (318, -196),
        (352, -164), (398, -132), (HALL - 22, -84), (HALL + 2, -36), (HALL - 12, 8), (HALL - 52, 30), (320, 33),
        (240, 36), (160, 33), (80, 36),
    ]  # fmt: skip
    left = [(-x + (6 if at % 2 else -3), y + (3 if at % 3 else -3)) for at, (x, y) in enumerate(right) if at]
    return [(layout.centre + x, HALL_FLOOR + y) for x, y in (*right, *reversed(left))]


def _noses(layout: Layout) -> Iterator[str]:
    """Round off the rock around which the tunnel turns."""
    for lap in range(layout.laps):
        *_, outmost = sorted(layout.bend(lap), key=lambda point: abs(point.x - layout.centre))
        out = 1 if outmost.x > layout.centre else -1
        first, *_, last = layout.bend(lap)
        thick = (first.y - last.y - CEILING - BELOW) / 2 + 2
        x, y = outmost.x - out * (CEILING + BELOW + 48) / 2, outmost.y - (CEILING - BELOW) / 2
        nose = f"M{x:.0f} {y - thick:.0f}q{60 * out} {thick:.0f} 0 {2 * thick:.0f}"
        yield path("rock k", nose, ' style="stroke-width:4px"')


def _along(style: str, width: float, more: str = "") -> str:
    """Draw a band along the whole way."""
    return f'<use href="#a-way" {classes(f"{style} band")} style="stroke-width:{width}px;{more}"/>'


def furniture(layout: Layout) -> Iterator[str]:
    """Fill the gaps between the spaces: props with torches, dripstones, roots, cobwebs, crates."""
    yield f"<g {moved(MOUTH + 20, layout.ground)}>{parts.PORTAL}</g>"
    spaces = layout.places[1:-KINDS]
    gaps = [(here, there) for here, there in itertools.pairwise(spaces) if abs(here.y - there.y) < LAP / 2]
    for number, (here, there) in enumerate(gaps):
        yield use(f"gap-{number % len(parts.FURNITURE)}", (here.x + there.x) / 2, (here.y + there.y) / 2)

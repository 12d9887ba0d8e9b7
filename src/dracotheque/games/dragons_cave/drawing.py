"""The cave as a picture: line and wash, in SVG, of any board, empty or with a game under way."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple
from xml.sax.saxutils import escape

from dracotheque.engine.record import Plain
from dracotheque.engine.words import Words, phrase
from dracotheque.games.dragons_cave import BOX, scene
from dracotheque.games.dragons_cave import drawing_art as art
from dracotheque.games.dragons_cave.board import Board
from dracotheque.games.dragons_cave.drawing_art import (
    Spots, band, blob, circle, moved, num, path, smooth, text, thing, use,
)  # fmt: skip
from dracotheque.games.dragons_cave.state import KINDS, START

# --- Measures, in units of the picture: our cave is 1200 wide -----------------------------------------------------
FEWEST_COLUMNS, MOST_LAPS = 5, 5  # a longer path first makes the mountain higher, then wider
PITCH = 160  # from space to space
LAP = 164  # from the floor of a lap to the next one's
CLIMB = 14  # how far a lap rises on its way
CEILING, BELOW = 106, 24  # of the tunnel, above and below its floor
BEND = 54  # how far the floor swings out between two laps
LEFT, RIGHT = 280, 120  # beside the columns of spaces: meadow and mouth, bend and rock
START_X, MOUTH = 116, 236
PEAK, HALL_TOP, HALL_FLOOR = 30, 122, 404
HALL = 442  # half as wide as the lair
NICHE_PITCH, NICHE_RISE = 156, (42, 100, 126, 100, 42)
VAULT, GROUND = 14, 66  # more rock below the lair; rock below the first lap
MOST_DISCS = 5  # more coins on a space than these are one disc and their number
STAND = {1: (38,), 2: (-34, 38), 3: (-40, 2, 42), 4: (-51, -17, 17, 51)}  # dwarves, so that the picture stays in sight


def svg(board: Board, words: Words, *, night: bool = False, table: Plain | None = None) -> str:
    """Draw a cave; with a table also the game under way on it, as far as everybody may see it."""
    layout = Layout(board)
    parts = [
        *_head(board, words, layout, night, table),
        '<g clip-path="url(#cave-inside)">',
        _sky(layout, night),
        _mountain(layout),
        _tunnel(layout),
        _meadow(layout),
        *_furniture(layout),
        _lair(board, words, layout, table),
        *(_space(board, words, layout, number) for number in range(len(board.path) + 1)),
        *_dwarves(words, layout, table),
        "</g>",
        _frame(layout),
        "</svg>\n",
    ]
    return re.sub('(?<=class=")[^"]+', _own, "\n".join(parts))


def _own(names: re.Match[str]) -> str:
    """Give classes names of this picture's own, so that it can stand in a page with others."""
    return " ".join(f"c-{name}" for name in names[0].split())


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
        """Say where a lap begins and where it ends: the tunnel winds to and fro."""
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


# --- The sheet ----------------------------------------------------------------------------------------------------
def _head(board: Board, words: Words, layout: Layout, night: bool, table: Plain | None) -> Iterator[str]:
    """Begin the picture: its name, its colours and everything that is drawn once."""
    width, height = layout.width, layout.height
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="cave-title cave-desc" lang="{words.language}">'
    )
    title = escape(f"{BOX.title} – {board.name}", {'"': "&quot;"})
    yield f'<title id="cave-title">{title}</title>'
    yield f'<desc id="cave-desc">{escape(_description(board, words, table))}</desc>'
    yield f"<style>\n{_style(art.NIGHT if night else art.DAY)}\n</style>"
    yield f"<defs>{_light(layout)}{''.join(_symbols(board, table))}</defs>"
    yield f'<rect class="paper" width="{width}" height="{height}" rx="12"/>'


def _description(board: Board, words: Words, table: Plain | None) -> str:
    """Say in words what there is to see."""
    treasure = board.treasure if table is None else table.treasure
    said = [
        words.say(phrase("event.board", spaces=len(board.path))),
        words.say(phrase("event.treasure", coins=_coin_words(words, treasure))),
    ]
    if table is not None:
        said += [f"{dwarf.called} – {words.say(scene.place(board, dwarf.place))}." for dwarf in _standing(words, table)]
    return " ".join(said)


def _style(palette: dict[str, str]) -> str:
    """Write a class for every colour and every line."""
    rules = {f".{name}": f"fill:{colour};color:{colour};stop-color:{colour}" for name, colour in palette.items()}
    rules |= {f".seat-{crest}": f"color:{palette[colour]}" for crest, colour in art.SEAT_COLOURS.items()}
    rules |= {name: line % palette for name, line in art.LINES.items()}
    return "\n".join(f"{names.replace('.', '.c-')}{{{rule}}}" for names, rule in rules.items())


def _light(layout: Layout) -> str:
    """Make sky, lamplight and daylight, and the wash that lets paper shine through."""
    width, height = layout.width, layout.height
    return f"""
<clipPath id="cave-inside"><rect x="14" y="14" width="{width - 28}" height="{height - 28}" rx="9"/></clipPath>
<linearGradient id="cave-sky" x2="0" y2="1"><stop class="sky-high"/><stop offset=".5" class="sky-mid"/>
<stop offset="1" class="sky-low"/></linearGradient><radialGradient id="cave-glow"><stop class="glow"/>
<stop offset="1" class="glow" stop-opacity="0"/></radialGradient><radialGradient id="cave-lamplight">
<stop class="lamp" stop-opacity=".7"/><stop offset=".45" class="lamp" stop-opacity=".28"/>
<stop offset="1" class="lamp" stop-opacity="0"/></radialGradient><linearGradient id="cave-daylight"
 gradientUnits="userSpaceOnUse" x1="{MOUTH}" x2="{MOUTH + 170}"><stop class="sky-low"/>
<stop offset=".3" class="sky-low" stop-opacity=".7"/>
<stop offset="1" class="sky-low" stop-opacity="0"/></linearGradient>
<filter id="cave-wash" filterUnits="userSpaceOnUse" x="0" y="0" width="{width}" height="{height}"><feTurbulence
 type="fractalNoise" baseFrequency=".011 .017" numOctaves="4" seed="8" result="n"/><feColorMatrix in="n"
 values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2.2 0 0 0 -.25" result="a"/><feComposite in="SourceGraphic" in2="a"
 operator="in" result="g"/><feDisplacementMap in="g" in2="n" scale="16" xChannelSelector="R" yChannelSelector="G"/>
</filter>"""


def _washed(*parts: str) -> str:
    """Lay colour on as a wash."""
    return f'<g filter="url(#cave-wash)">{"".join(parts)}</g>'


def _symbols(board: Board, table: Plain | None) -> Iterator[str]:
    """Draw once what stands in many places."""
    drawn = {f"picture-{name}": art.PICTURES[name] for name in board.kinds}
    drawn |= {f"space-{name}": _tile(name, colour) for name, colour in zip(board.kinds, board.colours, strict=True)}
    drawn |= {f"gap-{number}": piece for number, piece in enumerate(art.FURNITURE)}
    drawn |= {"coin": art.COIN, "pine": art.PINE}
    if table is not None:
        drawn |= {"dwarf-1": art.DWARF, "dwarf-2": art.DWARF.replace('"beard', '"wood-deep') + art.FEATHER}
        drawn |= {f"crest-{crest}": shape for crest, shape in art.CRESTS.items()}
    for name, shape in drawn.items():
        yield f'<g id="cave-{name}">{shape}</g>'


def _frame(layout: Layout) -> str:
    """Draw the two lines around the picture."""
    return "".join(
        f'<rect class="edge" x="{inset}" y="{inset}" width="{layout.width - 2 * inset}" '
        f'height="{layout.height - 2 * inset}" rx="9" stroke-width="{line}"/>'
        for inset, line in ((8, 1.7), (14, 2.6))
    )


# --- The world outside --------------------------------------------------------------------------------------------
def _sky(layout: Layout, night: bool) -> str:
    """Paint the sky: a sun with clouds and birds, or a moon with stars; and the name of the game."""
    width, height, sun = layout.width, layout.height, Point(108, 268)
    return (
        f'<rect fill="url(#cave-sky)" width="{width}" height="{height}"/>'
        + f'<g class="half">{_washed(path("sky-high", f"M0 0h{width}v220H0z"))}</g>'
        + f'<circle cx="{sun.x}" cy="{sun.y}" r="130" fill="url(#cave-glow)"/>'
        + (_moon(sun) + _stars(layout) if night else _sun(sun) + _clouds_and_birds(layout))
        + _hills(layout)
        + "".join(text("name", 42, 84 + 52 * row, part) for row, part in enumerate(BOX.title.split()))
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
    return f'<path class="sun k" {moved(*at)} d="M-14-30a34 34 0 1 0 40 44a29 29 0 0 1-40-44z"/>'


def _stars(layout: Layout) -> str:
    """Scatter stars over the sky, but not over the name."""
    chance, stars = Random(5), ""
    for number in range(80):
        x, y = chance.uniform(24, layout.width - 24), chance.uniform(24, 400)
        if x < 280 and y < 160:
            continue
        stars += circle("sun", x, y, 1.3) if number % 5 else path("sun", f"M{num(x)} {num(y)}{art.STAR}")
    return stars


def _clouds_and_birds(layout: Layout) -> str:
    """Draw three clouds, and birds over the meadow."""
    clouds = ((layout.width - 120, 84, 0.9), (layout.width - 44, 150, 0.7), (62, 366, 0.7))
    birds = "".join(f"M{x} {num(layout.ground - up)}{art.BIRD}" for x, up in ((120, 210), (72, 190), (104, 168)))
    return "".join(f"<g {moved(*cloud)}>{art.CLOUD}</g>" for cloud in clouds) + path("hatch", birds)


def _hills(layout: Layout) -> str:
    """Paint the hills behind the meadow."""
    hills = (("far", (82, 108, 84, 106, 90, 96)), ("hill", (40, 62, 42, 54, 40, 44)))
    painted = ""
    for style, heights in hills:
        line = smooth([(-20 + 68 * step, layout.ground - height) for step, height in enumerate(heights)])
        painted += path(style, f"{line}v200H0z") + path("k3 no half", line)
    return painted


def _meadow(layout: Layout) -> str:
    """Paint the meadow before the mouth, with the way in, its signpost and its pines."""
    low = layout.ground
    line = [(-20, -24), (50, -30), (120, -24), (190, -20), (240, -14), (272, 26), (332, 36), (416, 56), (476, 74)]
    edge = smooth([(x, low + y) for x, y in line])
    tufts = ((196, 44), (228, 56), (70, 52), (150, 58), (268, 52), (322, 60), (210, -18))
    return (
        path("meadow", f"{edge}H-20z")
        + _washed(path("meadow-deep", f"{edge}H-20z"))
        + path("k no", edge)
        + path("road", f"M{START_X} {low - 10}q74-4 142 0v31q-68 9-142 3z")
        + path("blade", "".join(f"M{x - 5} {low + y}{art.TUFT}" for x, y in tufts))
        + use("pine", 30, low - 18, 1.3)
        + use("pine", 56, low - 12, 0.9)
        + use("pine", 34, low + 54)
        + f"<g {moved(190, low - 16)}>{art.SIGNPOST}</g>"
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


def _mountain(layout: Layout) -> str:
    """Paint the mountain, cut open: rock in light and shade, snow on its peak, things of old in its depth."""
    ridge = _ridge(layout)
    edge = smooth(ridge)
    outline = f"{edge}V{layout.height}H{MOUTH + 8}z"
    return (
        f'<clipPath id="cave-rock"><path d="{outline}"/></clipPath>'
        + path("rock-light", outline)
        + _washed(path("rock", outline))
        + path("rock half", outline)
        + f'<g clip-path="url(#cave-rock)"><g class="half">{_washed(*_patches(layout))}</g>'
        + path("hatch", shading(layout, ridge) + _cracks(layout))
        + f"<g {moved(layout.centre - 40, PEAK)}>{art.SNOW}</g></g>"
        + path("k no", edge, ' style="stroke-width:2.6px"')
        + path("k3 no", edge, ' transform="translate(.9 .7)"')
        + "".join(_finds(layout))
        + "".join(use("pine", x, HALL_FLOOR - y, scale) for x, y, scale in ((228, 76, 0.7), (292, 196, 0.6)))
        + "".join(use("pine", layout.width - x, HALL_FLOOR - y, 0.7) for x, y in ((128, 192), (108, 166)))
    )


def _patches(layout: Layout) -> Iterator[str]:
    """Lay patches of shade and light over the rock."""
    chance = Random(11)
    for number in range(layout.columns * (layout.laps + 3) * 2):
        x, y = chance.uniform(150, layout.width), chance.uniform(PEAK, layout.height)
        wide, high = chance.uniform(30, 90), chance.uniform(15, 50)
        turns = [math.tau * step / 7 for step in range(7)]
        points = [
            (round(x + wide * math.cos(turn) * chance.uniform(0.7, 1.3)), round(y + high * math.sin(turn)))
            for turn in turns
        ]
        yield blob("rock-deep" if number % 3 else "rock-light", *points)


def shading(layout: Layout, ridge: Spots, every: int = 7, fan: tuple[int, int, int] = (6, 5, 3)) -> str:
    """Hatch the rock below every floor, and inside its outline with fans of so many strokes, so far from each other."""
    chance, strokes, (count, aside, down) = Random(4), "", fan
    for lap in range(layout.laps):
        for x in range(LEFT - 20, layout.ends[1] + 60, every):
            strokes += f"M{x} {layout.floor(lap, x) + BELOW - 2:.0f}l{chance.randint(-2, 2)} {chance.randint(8, 20)}"
    for x, y in ridge[4:]:
        for step in range(count):
            strokes += f"M{x + 6 + aside * step:.0f} {y + 8 + down * step:.0f}l-3 {chance.randint(12, 30)}"
    return strokes


def _cracks(layout: Layout) -> str:
    """Draw the little marks by which one knows rock."""
    chance = Random(2)
    return "".join(
        f"M{chance.randint(190, layout.width)} {chance.randint(PEAK + 60, layout.height)}{art.CRACK}"
        for _ in range(layout.columns * 16)
    )


def _finds(layout: Layout) -> Iterator[str]:
    """Hide shells, bones and gems between the laps, where the rock is thick."""
    chance, count = Random(9), layout.columns // 2
    for lap, number in itertools.product(range(layout.laps), range(count)):
        first, last = layout.ends_of(lap)
        x = first + (last - first) * (0.06 + (0.4 * number + chance.uniform(0, 0.15)) / count)
        y = layout.floor(lap, x) - CEILING - 20
        if y > HALL_FLOOR + LAP:
            yield f"<g {moved(x, y)}>{art.FINDS[(lap + number) % len(art.FINDS)]}</g>"


def _tunnel(layout: Layout) -> str:
    """Hollow out tunnel and lair, let daylight in at the mouth, and lay the way."""
    way, wide = layout.way(), CEILING + BELOW
    middle = [Point(x, y - (CEILING - BELOW) / 2) for x, y in way]
    line, hall = smooth(middle), smooth(_hall(layout), closed=True)
    hollow = smooth(_walls(middle[:-5], wide / 2), closed=True) + hall
    road = smooth([(x, y + 5) for x, y in way])
    stairs = [smooth([(x, y + 5) for x, y in layout.bend(lap)]) for lap in range(layout.laps)]
    return (
        f'<clipPath id="cave-hall"><path d="{hall}"/></clipPath><g clip-path="url(#cave-rock)">'
        + path("wall-deep k", hollow, ' style="stroke-width:6px"')
        + path("k3 no", hollow, ' transform="translate(1.5 -1.5)"')
        + band("wall-deep", line, wide - 12)
        + f'<g transform="translate(0 9)">{band("wall", line, wide - 18)}{path("wall", hall)}</g>'
        + f'<g opacity=".8">{_washed(band("wall-light", line, wide - 44), path("wall-light", hall))}</g>'
        + f'<path d="{smooth(middle[:12])}" fill="none" stroke="url(#cave-daylight)" stroke-width="{wide - 3}"/></g>'
        + band("ink", road, 37, "stroke-linecap:round")
        + band("road", road, 33.6, "stroke-linecap:round")
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


def _furniture(layout: Layout) -> Iterator[str]:
    """Fill the gaps between the spaces: props with torches, dripstones, roots, cobwebs, crates."""
    yield f"<g {moved(MOUTH + 20, layout.ground)}>{art.PORTAL}</g>"
    spaces = layout.places[1:-KINDS]
    gaps = [(here, there) for here, there in itertools.pairwise(spaces) if abs(here.y - there.y) < LAP / 2]
    for number, (here, there) in enumerate(gaps):
        yield use(f"gap-{number % len(art.FURNITURE)}", (here.x + there.x) / 2, (here.y + there.y) / 2)


# --- The lair -----------------------------------------------------------------------------------------------------
def _coin_words(words: Words, coins: int) -> str:
    """Name a number of coins."""
    return words.say(phrase("coins", count=coins) if coins else phrase("coins.none"))


def _lair(board: Board, words: Words, layout: Layout, table: Plain | None) -> str:
    """Draw the lair: five niches, the treasure, and the dragon asleep on it or in the niche it was put into."""
    treasure = board.treasure if table is None else table.treasure
    niche = KINDS if table is None else table.dragon
    rows = _heap(treasure, flat=niche == KINDS)
    centre, called = layout.centre, words.entries["drawn.dragon"]
    if niche == KINDS:
        dragon = thing("dragon", called, moved(centre + 8, HALL_FLOOR + 6 - 7 * len(rows)), art.asleep())
    else:
        x, y = layout.places[niche - KINDS]
        dragon = thing("dragon", called, moved(x + 1, y - 1, 0.8), art.awake())
    return "".join(
        (
            '<g clip-path="url(#cave-hall)">'
            f'<circle cx="{centre}" cy="{HALL_FLOOR - 60}" r="330" fill="url(#cave-lamplight)"/></g>',
            f"<g {moved(centre, HALL_FLOOR)}>{''.join(_dripstones())}{''.join(_ledges())}</g>",
            *(_niche(board, words, layout, kind) for kind in range(KINDS)),
            dragon,
            _treasure(words, layout, rows),
            _reward(board, words, layout),
        )
    )


def _dripstones() -> Iterator[str]:
    """Hang dripstones from the lair's ceiling."""
    for x, y, scale in ((-78, -276, 0.9), (86, -274, 0.8), (-240, -232, 0.9), (236, -230, 1), (-392, -128, 0.7)):
        yield f"<g {moved(x, y, scale)}>{art.DRIPSTONE}</g>"


def _ledges() -> Iterator[str]:
    """Pile up the ledges of rock on which the niches stand."""
    chance = Random(6)
    for half, rise, foot in ((386, 42, -2), (232, 100, 40), (78, 126, 98)):
        wide, high = 2 * half, rise - foot
        face = f"M{-half} {-rise}h{wide}q7 {high // 2} 4 {high}h{-wide - 8}q-3-{high // 2} 4-{high}z"
        yield path("rock-deep", face) + path("wall-light k", face, ' fill-opacity=".45"')
        grain = [(x, chance.randint(-3, 3), chance.uniform(0.3, 0.9)) for x in range(8 - half, half, 9)]
        yield path("hatch", "".join(f"M{x} {9 - rise}l{lean} {long * (high - 8):.0f}" for x, lean, long in grain))
        rim = f"q{half - 5}-4 {wide - 10} 0q10 1 12 7q-4 8-14 8q-{half - 7} 3-{wide - 14} 0q-10-1-12-8z"
        yield path("rock k", f"M{-half - 7} {2 - rise}q2-7 12-7{rim}")


def _niche(board: Board, words: Words, layout: Layout, kind: int) -> str:
    """Draw a niche in the colour of its kind, with its picture on the keystone."""
    name, colour = board.kinds[kind], f' fill="{board.colours[kind]}"'
    number = len(board.path) + 1 + kind
    return thing(
        f"niche-{name}",
        words.say(scene.place(board, number)),
        moved(*layout.places[number]),
        art.ARCH,
        path("wall-deep", art.ALCOVE),
        path("k", art.ALCOVE, f'{colour} fill-opacity=".66"'),
        art.FOLDS,
        path("k", "M-60-2q60-5 120 0l3 12q-63 6-126 0z", colour),
        path("shine", "M-58 1q58-5 116 0l1 2q-59-5-118 0z"),
        circle("k", 0, -118, 28, colour),
        circle("card k3", 0, -118, 23),
        use(f"picture-{name}", 0, -118, 0.86),
    )


def _heap(coins: int, *, flat: bool) -> list[int]:
    """Say how many coins lie in every row of the treasure, the lowest first; under a dragon it is wide and flat."""
    wide = 17 if flat else math.isqrt(4 * coins)
    rows: list[int] = []
    while coins > 0:
        rows.append(min(coins, max(wide - 2 * len(rows), 1)))
        coins -= rows[-1]
    return rows


def _treasure(words: Words, layout: Layout, rows: list[int]) -> str:
    """Heap up the treasure, coin by coin, and say how many they are."""
    chance, heap = Random(3), ""
    for row, count in reversed(list(enumerate(rows))):
        for number in range(count):
            x = (number - (count - 1) / 2) * 18 + chance.uniform(-3, 3)
            heap += use("coin", x, 10 - row * 11 + chance.uniform(-2, 2), 1.3)
    return thing(
        "treasure",
        f"{words.entries['drawn.treasure']} – {_coin_words(words, sum(rows))}",
        moved(layout.centre, HALL_FLOOR),
        heap,
        f"<g {moved(0, 28)}>{art.PLAQUE}</g>",
        text("count", -12, 38, sum(rows)),
        use("coin", 24, 28, 1.3),
    )


def _reward(board: Board, words: Words, layout: Layout) -> str:
    """Set up the sign that says what arriving is worth."""
    return thing(
        "reward",
        f"{words.entries['drawn.lair']} – {_coin_words(words, board.lair)}",
        moved(layout.centre + 200, HALL_FLOOR - 44),
        path("wood-deep k3", "M-4 10h8l1 48h-10z"),
        art.PLAQUE,
        text("count", -12, 10, f"+{board.lair}"),
        use("coin", 24, 0, 1.3),
    )


# --- Spaces -------------------------------------------------------------------------------------------------------
def _space(board: Board, words: Words, layout: Layout, number: int) -> str:
    """Draw a space of the path: its tile, its coins and its number; or the start space."""
    where, called = moved(*layout.places[number]), words.say(scene.place(board, number))
    if number == START:
        return thing("start", called, where, art.BASE, path("road k", art.SLAB), path("road-deep half", art.SLAB_WASH))
    coins = board.coins[number - 1]
    return thing(
        f"space-{number}",
        f"{called} – {_coin_words(words, coins)}",
        where,
        f'<use href="#cave-space-{board.kinds[board.path[number - 1]]}"/>',
        _coins(coins),
        circle("card k3", -48, 17, 12),
        text("number", -48, 22.8, number),
    )


def _tile(name: str, colour: str) -> str:
    """Draw what all spaces of a kind have: the stone a dwarf stands on, and above it the banner with the picture."""
    fill = f' fill="{colour}"'
    return "".join(
        (
            path("k", art.CLOTH, fill),
            art.CLOTH_FOLDS,
            circle("card k3", 0, -67, 27),
            use(f"picture-{name}", 0, -67, 1.05),
            art.BASE,
            path("k", art.SLAB, fill),
            path("shine", art.SLAB_WASH),
            path("k2 no half", "M-30-6q6 3 4 7M40-5q-3 3 2 6M28 14q4-2 10 0"),
        )
    )


def _coins(coins: int) -> str:
    """Lay a space's coins, or one and their number where they are many."""
    if coins > MOST_DISCS:
        return art.COIN_LABEL + use("coin", -2, 12, 1.3) + text("number", 22, 17.8, coins)
    return "".join(use("coin", 12 + (number - (coins - 1) / 2) * 18, 12, 1.1) for number in range(coins))


# --- Dwarves ------------------------------------------------------------------------------------------------------
class Dwarf(NamedTuple):
    """A dwarf on the board: its crest, which of its player's dwarves it is, its name, and where it stands."""

    crest: str
    number: int
    called: str
    place: int


def _standing(words: Words, table: Plain) -> Iterator[Dwarf]:
    """Find every dwarf; with two players each leads two."""
    each = 2 if table.players == 2 else 1
    for number, seat in itertools.product(range(each), range(table.players)):
        called = f"{words.say(scene.crest(seat))} – {words.entries['drawn.dwarf']}"
        numbered = f"{called} {number + 1}" if each == 2 else called
        yield Dwarf(scene.CRESTS[seat], number + 1, numbered, table.place[seat + 2 * number])


def _dwarves(words: Words, layout: Layout, table: Plain | None) -> Iterator[str]:
    """Draw every dwarf where it stands, side by side where they are several."""
    standing = list(_standing(words, table)) if table is not None else []
    for dwarf in standing:
        here = [other for other in standing if other.place == dwarf.place]
        rank, (x, y) = here.index(dwarf), layout.places[dwarf.place]
        narrow = 0.62 if dwarf.place >= len(layout.places) - KINDS else 1
        yield thing(
            f"dwarf-{dwarf.crest}-{dwarf.number}",
            dwarf.called,
            f'class="seat-{dwarf.crest}" {moved(x + STAND[len(here)][rank] * narrow, y + 1 + 3 * (rank % 2), 1.1)}',
            f'<use href="#cave-dwarf-{dwarf.number}"/>',
            use(f"crest-{dwarf.crest}", 0, -10),
        )

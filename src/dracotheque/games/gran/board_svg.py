"""The map as SVG, without pieces: an old map in pen and wash, every point a place that can be pointed at."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from dracotheque.games.gran import names as names_module
from dracotheque.engine.phrases import Catalog
from dracotheque.games.gran import GAME, text
from dracotheque.games.gran import board_svg_parts as parts
from dracotheque.games.gran.board_files import KINDS, KINGDOM_NAMES, Board
from dracotheque.games.gran.map_layout import (
    ACROSS, DOWN, FRAME, LARGE, STEP, WIDE, Rectangle, Layout, Place, measured, names_beside, wander,
)  # fmt: skip
from dracotheque.games.gran.rules.state import CITY, CRYSTAL, KINGDOMS
from dracotheque.presentation.svg import (
    classes, document, moved, num, path, place, style_sheet, use,
)  # fmt: skip

RESERVE = "reserve"
"""The place of the stones that do not lie on the map, beside the numbers of the points."""

# --- Measures, in units of the picture ------------------------------------------------------------------------------
RIPPLES = ((27, 0.45, 0.13), (12, 0.8, 0.26))  # lines along the coast: how far out, how plain, how deep the wash
VERGES = (72, 62, 53, 44, 35, 27, 19, 12, 6)  # how wide the wash is along a border, stroke over stroke
SHALLOWS = 34  # farther out, the sea is free
GROWN = 80  # mountains, hills and trees
LEAST_ROOM = 18  # of a point, however small it is drawn
TOUCH = 21  # so far from a point one can still point at it
NAME_SIZES = (21, 18.5, 16, 13.5, 11.5)  # of the points' names: as large as can be read on a screen
RAFT = (66, 46)  # half of what the raft with the stones takes
HARBOUR = (100, DOWN - 100)  # where the raft lies on a map without open sea
BAND, BARS = 7, 40  # the frame: how broad it is, and how many pieces a side has


def svg(board: Board, words: Catalog, *, night: bool) -> str:
    """Draw the empty map: every point and the raft with the stones is a place, nothing on it moves."""
    layout = measured(board)
    sea = open_sea(layout)
    raft = sea.room(*RAFT, (40, DOWN - 40), 1) or (*HARBOUR, 1)
    return document(
        ACROSS,
        DOWN,
        f"{GAME.title} – {words.say(text.board_name(board))}",
        words.language,
        style_sheet(parts.NIGHT if night else parts.DAY, parts.LINES, parts.SHADED),
        f"<defs>{_light(night)}{''.join(_lands_once(layout))}{''.join(_symbols())}</defs>",
        f'<rect class="a-paper" width="{ACROSS}" height="{DOWN}" rx="12"/><g clip-path="url(#a-inside)">',
        f'<rect fill="url(#a-sea)" width="{ACROSS}" height="{DOWN}"/>',
        *_ripples(),
        *_lands(),
        f'<rect width="{ACROSS}" height="{DOWN}" fill="url(#a-light)"/>',
        *_kingdom_names(layout),
        *_growth(layout),
        *_furniture(board, words, layout, sea, night),
        *_net(layout),
        *_points(board, words, layout),
        _raft(words, raft),
        _age(night),
        "</g>",
        *_frame(),
        _names(layout),
    )


# --- The sheet ----------------------------------------------------------------------------------------------------
def _light(night: bool) -> str:
    """Make the light on the sheet, the darkening of its edges and the glow of what shines."""
    shine, dark = (".2", ".75") if night else (".4", ".5")
    return f"""
<clipPath id="a-inside"><rect x="14" y="14" width="{ACROSS - 28}" height="{DOWN - 28}" rx="8"/></clipPath>
<radialGradient id="a-sea" cx=".5" cy=".45" r=".75"><stop class="a-sea"/><stop offset=".6" class="a-sea"/>
<stop offset="1" class="a-sea-deep"/></radialGradient>
<radialGradient id="a-light" cx=".6" cy=".16" r=".75"><stop class="a-light" stop-opacity="{shine}"/>
<stop offset="1" class="a-light" stop-opacity="0"/></radialGradient>
<radialGradient id="a-age" r=".74"><stop offset=".62" class="a-paper-deep" stop-opacity="0"/>
<stop offset="1" class="a-paper-deep" stop-opacity="{dark}"/></radialGradient>
<radialGradient id="a-stain"><stop class="a-stain" stop-opacity=".05"/>
<stop offset=".82" class="a-stain" stop-opacity=".1"/>
<stop offset=".9" class="a-stain" stop-opacity=".14"/>
<stop offset="1" class="a-stain" stop-opacity="0"/></radialGradient>
<radialGradient id="a-glow"><stop class="a-glow" stop-opacity=".85"/>
<stop offset=".5" class="a-glow" stop-opacity=".3"/>
<stop offset="1" class="a-glow" stop-opacity="0"/></radialGradient>"""


def _symbols() -> Iterator[str]:
    """Draw once what stands in many places; around a point there is room for a finger."""
    for name, shape in (parts.POINTS | parts.CRYSTALS).items():
        reach = max(parts.REACH["crystal" if name == "blue" else name], TOUCH)
        yield f'<g id="a-{name}" transform="scale({LARGE})"><circle class="a-hit" r="{reach}"/>{shape}</g>'
    yield from (f'<g id="a-g-{name}">{shape}</g>' for name, shape in parts.GROWTH.items())
    for sign in sorted({sign for name in (*KINGDOM_NAMES, GAME.title) for sign in name.upper()}):
        yield f'<path id="a-l-{sign}" d="{parts.letter(sign)}"/>'


def _frame() -> Iterator[str]:
    """Draw the frame: lines, and between two of them a band of dark and light pieces, as maps have it."""
    inset = 20.5
    side = ACROSS - 2 * inset
    yield (
        f'<rect class="a-band" x="{inset}" y="{inset}" width="{side}" height="{side}" stroke-width="{BAND}" '
        f'stroke-dasharray="{side / BARS:.3f}"/>'
    )
    for at, line in ((8, 1.4), (16, 1.4), (25, 2.2)):
        yield (
            f'<rect class="a-edge" x="{at}" y="{at}" width="{ACROSS - 2 * at}" height="{DOWN - 2 * at}" '
            f'rx="{2 if at > 8 else 9}" stroke-width="{line}"/>'
        )


def _age(night: bool) -> str:
    """Let light fall on the sheet, darken its edges, and leave the folds and stains of its travels."""
    left, right, middle, end = ACROSS // 3, 2 * ACROSS // 3, DOWN // 2, DOWN - FRAME
    data = f"M{left} {FRAME}V{end}M{right} {FRAME}V{end}M{FRAME} {middle}H{ACROSS - FRAME}"
    dark = (("light", 0, 0.05), ("stain", 2, 0.1)) if night else (("light", 0, 0.16), ("stain", 2, 0.2))
    folds = "".join(
        path(f"{style} fold", data, f' opacity="{fade}" transform="translate({shift} {shift})"')
        for style, shift, fade in dark
    )
    stains = "".join(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="url(#a-stain)"/>' for x, y, r in ((1010, 236, 90), (290, 1020, 120))
    )
    return (
        f'<g pointer-events="none">{"" if night else stains}{folds}'
        f'<rect width="{ACROSS}" height="{DOWN}" fill="url(#a-age)"/></g>'
    )


# --- Land and sea ---------------------------------------------------------------------------------------------------
def _lands_once(layout: Layout) -> Iterator[str]:
    """Draw once the coast and the outline of every land."""
    yield f'<path id="a-coast" d="{layout.ground.coast()}"/>'
    for realm, name in enumerate((*KINGDOM_NAMES, "exile")):
        yield f'<path id="a-land-{name}" d="{layout.ground.realm_outline(realm)}"/>'
        yield f'<clipPath id="a-in-{name}"><use href="#a-land-{name}"/></clipPath>'


def _ripples() -> Iterator[str]:
    """Draw the shallows along the coast, a line around each: broad strokes that the land then covers."""
    for out, plain, deep in RIPPLES:
        for style, wide, fade in (("strand", out + 1, plain), ("strand-sea", out, 1), ("strand", out, deep)):
            yield f'<use href="#a-coast" class="a-{style}" stroke-width="{2 * wide}" stroke-opacity="{fade}"/>'


def _lands() -> Iterator[str]:
    """Paint the lands: a thin wash each, deeper along the border as on maps coloured by hand."""
    yield '<use class="a-land" href="#a-coast"/>'
    for name in (*KINGDOM_NAMES, "exile"):
        quiet = 0.5 if name == "exile" else 1
        yield f'<g class="a-of-{name}" clip-path="url(#a-in-{name})">'
        yield f'<use href="#a-land-{name}" class="a-crest" fill-opacity="{0.2 * quiet:g}"/>'
        yield f'<g class="a-verge" stroke-opacity="{0.075 * quiet:.3f}">'
        yield "".join(f'<use href="#a-land-{name}" stroke-width="{wide}"/>' for wide in VERGES)
        yield f'</g><use href="#a-land-{name}" class="a-march"/></g>'
    yield '<use class="a-shore" href="#a-coast"/>'


def _kingdom_names(layout: Layout) -> Iterator[str]:
    """Write every kingdom's name across its land."""
    for name, letters in zip(KINGDOM_NAMES, layout.titles, strict=True):
        signs = "".join(
            f'<use href="#a-l-{sign}" transform="translate({num(x)} {num(y)})rotate({lean:.0f})scale({size / 100:g})"/>'
            for sign, x, y, lean, size in letters
        )
        called, colour = f'id="a-kingdom-{name}"', classes(f"of-{name}")
        yield f'<g {called} {colour}><title>{name.title()}</title><g class="a-crest" fill-opacity=".72">{signs}</g></g>'


def _growth(layout: Layout) -> Iterator[str]:
    """Let mountains, hills and trees stand where neither points nor lines nor names are, all of one size."""
    chance, ground = Random(12), layout.ground
    areas = [area for area in layout.label_areas if area]
    discs = [(letter.x, letter.y, letter.size * 0.6) for letters in layout.titles for letter in letters]
    grown = list[tuple[float, str]]()
    for _ in range(4000):
        x, y, scale = chance.uniform(40, ACROSS - 40), chance.uniform(40, DOWN - 40), chance.uniform(0.75, 1.05)
        room, cell = 14 * scale, ground.cell(x, y)
        realm = int(ground.realm[cell])
        own = Rectangle(x - room, y - room, x + room, y + room)
        if (
            realm < KINGDOMS
            and wander(1.9 * x + 500, 1.9 * y) > -0.1
            and ground.off_lines[cell] > room + 3
            and ground.free[cell] > room
            and ground.land[cell] > room
            and not any(own.meets(area) for area in areas)
            and all(math.dist((x, y), (a, b)) > room + r for a, b, r in discs)
        ):
            discs.append((x, y, room * 0.8))
            href = f"#a-g-{KINGDOM_NAMES[realm]}"
            grown.append((y, f'<use href="{href}" x="{x:.0f}" y="{y:.0f}"/>'))
            if len(grown) == GROWN:
                break
    return (drawn for _, drawn in sorted(grown))


# --- What stands in the sea -------------------------------------------------------------------------------------------
@dataclass
class Sea:
    """Where the sea is still free, a square of the grid each."""

    free: NDArray[np.bool_]

    def room(
        self, half_wide: float, half_high: float, corner: tuple[float, float], largest: float
    ) -> tuple[float, float, float] | None:
        """Find room for a thing, as near to a corner as can be, smaller where it must; None where there is none."""
        for scale in (largest, 1.2, 1, 0.9, 0.8, 0.7, 0.6, 0.5):
            wide, high = math.ceil(half_wide * scale / STEP), math.ceil(half_high * scale / STEP)
            taken = np.pad(np.cumsum(np.cumsum(~self.free, axis=0), axis=1), ((1, 0), (1, 0)))
            rows, columns = taken.shape[0] - 2 * high - 1, taken.shape[1] - 2 * wide - 1
            if rows <= 0 or columns <= 0:
                continue
            tall, broad = 2 * high + 1, 2 * wide + 1
            blocked = taken[tall:, broad:] - taken[:-tall, broad:] - taken[tall:, :-broad] + taken[:-tall, :-broad]
            spots = [
                ((row + high) * STEP, (column + wide) * STEP) for row, column in np.argwhere(blocked == 0).tolist()
            ]
            if spots:
                y, x = min(spots, key=lambda spot: math.dist((spot[1], spot[0]), corner))
                self.free[y // STEP - high : y // STEP + high + 1, x // STEP - wide : x // STEP + wide + 1] = False
                return x, y, scale
        return None


def open_sea(layout: Layout) -> Sea:
    """Find where the sea is far enough from the coast and from the frame for something to stand in it."""
    inside = (layout.ground.x > FRAME + 8) & (layout.ground.x < ACROSS - FRAME - 8)
    inside &= (layout.ground.y > FRAME + 8) & (layout.ground.y < DOWN - FRAME - 8)
    return Sea((layout.ground.land < -SHALLOWS) & inside)


def _furniture(board: Board, words: Catalog, layout: Layout, sea: Sea, night: bool) -> Iterator[str]:
    """Set title, compass, ship and sea serpent into the open sea, as far as there is any."""
    east, south = ACROSS - 40, DOWN - 40
    things = (
        ("title", 154, 58, (40, 40), _title(words.say(text.board_name(board)))),
        ("compass", 60, 63, (east, south), parts.compass()),
        ("ship", 56, 48, (east, 40), parts.SHIP),
        ("serpent", 74, 46, (40, south), parts.SERPENT),
        ("sky", 58, 50, (ACROSS / 2, 40), parts.MOON if night else parts.WIND),
    )
    for name, wide, high, corner, shape in things:
        spot = sea.room(wide, high, corner, 1.2 if name == "title" else 1.5)
        if spot:
            yield f'<g id="a-sea-{name}" {moved(*spot)}>{shape}</g>'
    yield _surf(layout, sea, night)


def _surf(layout: Layout, sea: Sea, night: bool) -> str:
    """Scatter little waves over the open sea, or by night the stars it mirrors."""
    chance, data = Random(7), ""
    for _ in range(170):
        x, y = chance.uniform(44, ACROSS - 70), chance.uniform(44, DOWN - 44)
        if all(sea.free[layout.ground.cell(x + at, y)] for at in (-6, 6, 18, 30)):
            data += f"M{x:.0f} {y:.0f}{parts.STAR if night else parts.SURF}"
    return path("light half", data) if night else path("wave half", data)


def _title(name: str) -> str:
    """Write the name of the game and of its map on a scroll."""
    signs = "".join(
        use(f"l-{sign}", x, -12, 0.46) for sign, x in zip(GAME.title.upper(), (-69, -23, 23, 69), strict=True)
    )
    size = min(22.0, 230 / (WIDE * len(name)))
    return (
        f'{parts.CARTOUCHE}<g class="a-title">{signs}</g>{path("engraved no", "M-92 16q46-7 92 0t92 0")}'
        f'<text class="a-legend" y="37" style="font-size:{num(size)}px">{escape(name)}</text>'
    )


# --- Points and lines -----------------------------------------------------------------------------------------------
def _net(layout: Layout) -> Iterator[str]:
    """Draw all lines in one stroke of the pen each, from the edge of one point to the edge of the other."""
    data = "".join(_line(layout, number) for number in range(len(layout.board.lines)))
    yield f'<defs><path id="a-net" d="{data}"/></defs>'
    yield '<use href="#a-net" class="a-casing"/><use href="#a-net" class="a-net"/>'


def _line(layout: Layout, number: int) -> str:
    """Draw a line."""
    one, other = (layout.places[end] for end in layout.board.lines[number])
    line = [
        spot for spot in layout.line(number) if not any(math.dist(spot, at[:2]) < 0.8 * at.reach for at in (one, other))
    ] or [one[:2], other[:2]]
    (ax, ay), (mx, my), (bx, by) = line[0], line[len(line) // 2], line[-1]
    ax, ay = round(ax), round(ay)
    spots = (2 * mx - (ax + bx) / 2 - ax, 2 * my - (ay + by) / 2 - ay, bx - ax, by - ay)
    return f"M{ax} {ay}q{' '.join(f'{spot:.0f}' for spot in spots)}".replace(" -", "-")


def _points(board: Board, words: Catalog, layout: Layout) -> Iterator[str]:
    """Draw every point as what it is, a place each, known by its number."""
    for number, (point, at) in enumerate(zip(board.points, layout.places, strict=True)):
        kind = "blue" if number == board.start else KINDS[point.kind]
        colour = ""
        if point.kind == CRYSTAL:
            colour = classes("of-glass-blue" if kind == "blue" else "of-glass") + " "
        elif point.kind == CITY:
            colour = classes(f"of-{KINGDOM_NAMES[point.kingdom]}") + " "
        where = f'x="{at.x:.0f}" y="{at.y:.0f}"'
        if at.scale != LARGE:
            where = moved(at.x, at.y, round(at.scale / LARGE, 3))
        shape = f'<use {colour}href="#a-{kind}" {where}/>'
        yield _place(str(number), at, _point_words(board, words, number), shape)


def _point_words(board: Board, words: Catalog, number: int) -> str:
    """Name a point: its name, what it is, and the kingdom it lies in."""
    point = board.points[number]
    kind = words.entries["picture.start" if number == board.start else f"picture.{KINDS[point.kind]}"]
    land = f", {names_module.kingdom_name(point.kingdom)}" if point.kingdom < KINGDOMS else ""
    return f"{names_module.point_name(board, number)} – {kind}{land}"


def _place(key: str, at: Place, called: str, shape: str) -> str:
    """Make a drawing a place, in whole numbers."""
    return place(key, (round(at.x), round(at.y)), round(max(at.reach, LEAST_ROOM)), called, shape)


def _raft(words: Catalog, spot: tuple[float, float, float]) -> str:
    """Draw the raft in the sea that carries the stones of the reserve."""
    x, y, scale = spot
    shape = f"<g {moved(x, y, scale)}>{parts.RAFT}</g>"
    return _place(RESERVE, Place(x, y, scale, LEAST_ROOM), words.entries["picture.reserve"], shape)


def _names(layout: Layout) -> str:
    """Write the points' names, each with an outline in the colour of the paper, which keeps lines off."""
    usual = NAME_SIZES[0]
    written = ""
    for label, name in zip(names_beside(layout, NAME_SIZES), layout.names, strict=True):
        if label:
            size = "" if label.size == usual else f' font-size="{label.size:g}"'
            written += f'<text x="{label.x:.0f}" y="{label.y:.0f}"{size}>{escape(name)}</text>'
    return f'<g class="a-names a-inked" font-size="{usual}" pointer-events="none">{written}</g>'

"""The map as a board to play on: the drawing of drawing.py in few bytes, every point a place that can be pointed at."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

from dracotheque.engine.words import Words
from dracotheque.games.dragons_cave.drawing_art import moved
from dracotheque.games.gran import BOX, drawing, scene
from dracotheque.games.gran import drawing_art as pen
from dracotheque.games.gran.board import KINDS, KINGDOM_NAMES, Board
from dracotheque.games.gran.drawing_map import ACROSS, DOWN, LARGE, Layout, Place, measured, names_beside
from dracotheque.games.gran.state import CITY, CRYSTAL

RESERVE = "reserve"
"""The place of the stones that do not lie on the map, beside the numbers of the points."""

# --- Measures, in units of the picture ------------------------------------------------------------------------------
RIPPLES = ((27, 0.45, 0.13), (12, 0.8, 0.26))  # lines along the coast: how far out, how plain, how deep the wash
VERGES = (72, 62, 53, 44, 35, 27, 19, 12, 6)  # how wide the wash is along a border, stroke over stroke
GROWN = 80  # mountains, hills and trees
LEAST_ROOM = 18  # of a point, however small it is drawn
TOUCH = 21  # so far from a point one can still point at it
NAME_SIZES = (21, 18.5, 16, 13.5, 11.5)  # of the points' names: as large as can be read on a screen
RAFT = (66, 46)  # half of what the raft with the stones takes
HARBOUR = (100, DOWN - 100)  # where the raft lies on a map without open sea
BAND, BARS = 7, 40  # the frame: how broad it is, and how many pieces a side has
STYLES = """.g-inked{paint-order:stroke;stroke:%(halo)s;stroke-width:3;stroke-linejoin:round}
.g-hit{fill:none;pointer-events:all}
.g-band{fill:none;stroke:%(frame)s}
.g-strand{fill:none;stroke:%(ripple)s;stroke-linejoin:round}
.g-strand-sea{fill:none;stroke:%(sea)s;stroke-linejoin:round}"""
SHADED = ("sea", "sea-deep", "light", "paper-deep", "stain", "glow")
"""The colours that gradients and folds are made of; of all others only the wash is used."""
SHORT = (("letter-", "l-"), ("growth-", "g-"))

RAFT_SHAPE = """<path class="wave" d="M-70 26q6-6 12 0q6-6 12 0M46 27q6-6 12 0q6-6 12 0M-34 36q6-6 12 0q6-6 12 0
q6-6 12 0q6-6 12 0q6-6 12 0"/><path class="shadow" d="M-58 22q58 16 118 0l-4 8q-54 12-110 0z"/>
<path class="wood-deep k3" d="M-58 14q58 12 116 0l-2 10q-56 12-112 0z"/>
<path class="wood k" d="M-48-14q48-7 96 0l10 28q-58 12-116 0z"/>
<path class="k2 no" d="M-28-17l-6 34M-9-18l-2 37M10-18l2 37M29-17l6 34M-54 4q54 9 108 0M-50-8q50-7 100 0"/>
<path class="gilt-shine" d="M-44-3l3-8M44-3l-3-8"/>"""


def art(board: Board, words: Words, *, night: bool) -> str:
    """Draw the empty map as one SVG: every point and the raft with the stones is a place, nothing on it moves."""
    layout = measured(board)
    sea = drawing.open_sea(layout)
    raft = sea.room(*RAFT, (40, DOWN - 40), 1) or (*HARBOUR, 1)
    body = "\n".join(
        (
            f'<rect class="paper" width="{ACROSS}" height="{DOWN}" rx="12"/><g clip-path="url(#gran-inside)">',
            f'<rect fill="url(#gran-sea)" width="{ACROSS}" height="{DOWN}"/>',
            *_ripples(),
            *_lands(),
            f'<rect width="{ACROSS}" height="{DOWN}" fill="url(#gran-light)"/>',
            *drawing.kingdom_names(layout),
            *_growth(layout),
            *drawing.furniture(board, words, layout, sea, night),
            *_net(layout),
            *_points(board, words, layout),
            _raft(words, raft),
            drawing.age(night),
            "</g>",
            *_frame(),
            _names(layout),
            "</svg>\n",
        )
    )
    defs = f"<defs>{drawing.light(DOWN, night)}{''.join(_lands_once(layout))}{''.join(_symbols())}</defs>"
    name = escape(f"{BOX.title} – {words.say(scene.board_name(board))}", drawing.QUOTES)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {ACROSS} {DOWN}" role="group" '
        f'aria-labelledby="gran-title" lang="{words.language}"><title id="gran-title">{name}</title>'
    )
    style = "\n".join(_style(pen.NIGHT if night else pen.DAY, defs + body))
    return _own_names(f"{head}<style>{style}</style>{defs}\n{body}")


def _own_names(drawn: str) -> str:
    """Give classes and ids names that no other part of a page has, and short ones; those of places are the page's."""
    drawn = re.sub('(?<=class=")(?!place")[^"]+', drawing.own, drawn)
    drawn = re.sub(r'(?<= id=")(?:gran-)?|(?<=#)gran-|(?<=labelledby=")gran-', "a-", drawn)
    for long, short in SHORT:
        drawn = drawn.replace(f"a-{long}", f"a-{short}")
    return drawn


def _style(palette: dict[str, str], drawn: str) -> Iterator[str]:
    """Write the classes that are used, with no more colours than they need."""
    used = {f".g-{name}" for names in re.findall('class="([^"]+)"', drawn) for name in names.split()}
    for line in f"{drawing.style(palette)}\n{STYLES % palette}".splitlines():
        names, rule = line.split("{")
        if names[3:] in palette and names[3:] not in SHADED:
            rule = f"fill:{palette[names[3:]]}}}"
        if wanted := [name for name in names.split(",") if name in used]:
            yield f"{','.join(wanted)}{{{rule}"


# --- Land and sea ---------------------------------------------------------------------------------------------------
def _lands_once(layout: Layout) -> Iterator[str]:
    """Draw once the coast and the outline of every land."""
    yield f'<path id="gran-coast" d="{layout.ground.coast()}"/>'
    for realm, name in enumerate((*KINGDOM_NAMES, "exile")):
        yield f'<path id="gran-land-{name}" d="{layout.ground.realm_outline(realm)}"/>'
        yield f'<clipPath id="gran-in-{name}"><use href="#gran-land-{name}"/></clipPath>'


def _ripples() -> Iterator[str]:
    """Draw the shallows along the coast, a line around each: broad strokes that the land then covers."""
    for out, plain, deep in RIPPLES:
        for style, wide, fade in (("strand", out + 1, plain), ("strand-sea", out, 1), ("strand", out, deep)):
            yield f'<use href="#gran-coast" class="{style}" stroke-width="{2 * wide}" stroke-opacity="{fade}"/>'


def _lands() -> Iterator[str]:
    """Paint the lands: a thin wash each, deeper along the border as on maps coloured by hand."""
    yield '<use class="land" href="#gran-coast"/>'
    for name in (*KINGDOM_NAMES, "exile"):
        quiet = 0.5 if name == "exile" else 1
        yield f'<g class="of-{name}" clip-path="url(#gran-in-{name})">'
        yield f'<use href="#gran-land-{name}" class="crest" fill-opacity="{0.2 * quiet:g}"/>'
        yield f'<g class="verge" stroke-opacity="{0.075 * quiet:.3f}">'
        yield "".join(f'<use href="#gran-land-{name}" stroke-width="{wide}"/>' for wide in VERGES)
        yield f'</g><use href="#gran-land-{name}" class="march"/></g>'
    yield '<use class="shore" href="#gran-coast"/>'


def _growth(layout: Layout) -> Iterator[str]:
    """Let mountains, hills and trees stand, all of one size."""
    for drawn in drawing.growth(layout, GROWN):
        yield re.sub(
            r'transform="translate\((\S+) (\S+?)\)[^"]*"',
            lambda at: f'x="{float(at[1]):.0f}" y="{float(at[2]):.0f}"',
            drawn,
        )


def _frame() -> Iterator[str]:
    """Draw the frame: lines, and between two of them a band of dark and light pieces, as maps have it."""
    inset = 20.5
    side = ACROSS - 2 * inset
    yield (
        f'<rect class="band" x="{inset}" y="{inset}" width="{side}" height="{side}" stroke-width="{BAND}" '
        f'stroke-dasharray="{side / BARS:.3f}"/>'
    )
    for at, line in ((8, 1.4), (16, 1.4), (25, 2.2)):
        yield (
            f'<rect class="edge" x="{at}" y="{at}" width="{ACROSS - 2 * at}" height="{DOWN - 2 * at}" '
            f'rx="{2 if at > 8 else 9}" stroke-width="{line}"/>'
        )


def _symbols() -> Iterator[str]:
    """Draw once what stands in many places; around a point there is room for a finger."""
    for drawn in drawing.symbols(None):
        name = drawn.split('"')[1].removeprefix("gran-")
        if reach := pen.REACH.get("crystal" if name == "blue" else name):
            hit = f'<circle class="hit" r="{max(reach, TOUCH)}"/>'
            yield drawn.replace(">", f' transform="scale({LARGE})">{hit}', 1)
        else:
            yield drawn.replace(" -", "-")


# --- Points and lines -----------------------------------------------------------------------------------------------
def _net(layout: Layout) -> Iterator[str]:
    """Draw all lines in one stroke of the pen each, from the edge of one point to the edge of the other."""
    data = "".join(_line(layout, number) for number in range(len(layout.board.lines)))
    yield f'<defs><path id="gran-net" d="{data}"/></defs>'
    yield '<use href="#gran-net" class="casing"/><use href="#gran-net" class="net"/>'


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


def _points(board: Board, words: Words, layout: Layout) -> Iterator[str]:
    """Draw every point as what it is, a place each, known by its number."""
    for number, (point, place) in enumerate(zip(board.points, layout.places, strict=True)):
        kind = "blue" if number == board.start else KINDS[point.kind]
        colour = ""
        if point.kind == CRYSTAL:
            colour = f'class="of-glass{"-blue" if kind == "blue" else ""}" '
        elif point.kind == CITY:
            colour = f'class="of-{KINGDOM_NAMES[point.kingdom]}" '
        where = f'x="{place.x:.0f}" y="{place.y:.0f}"'
        if place.scale != LARGE:
            where = moved(place.x, place.y, round(place.scale / LARGE, 3))
        shape = f'<use {colour}href="#gran-{kind}" {where}/>'
        yield _place(str(number), place, drawing.point_words(board, words, number), shape)


def _place(key: str, at: Place, called: str, shape: str) -> str:
    """Make a drawing a place that a page finds by its key."""
    return (
        f'<g class="place" data-place="{key}" data-x="{at.x:.0f}" data-y="{at.y:.0f}" '
        f'data-r="{max(at.reach, LEAST_ROOM):.0f}" role="img" aria-label="{escape(called, drawing.QUOTES)}">{shape}</g>'
    )


def _raft(words: Words, spot: tuple[float, float, float]) -> str:
    """Draw the raft in the sea that carries the stones of the reserve."""
    x, y, scale = spot
    shape = f"<g {moved(x, y, scale)}>{RAFT_SHAPE}</g>"
    return _place(RESERVE, Place(x, y, scale, LEAST_ROOM), words.entries["picture.reserve"], shape)


def _names(layout: Layout) -> str:
    """Write the points' names, on a breath of paper that keeps lines off them."""
    usual = NAME_SIZES[0]
    written = ""
    for label, name in zip(names_beside(layout, NAME_SIZES), layout.names, strict=True):
        if label:
            size = "" if label.size == usual else f' font-size="{label.size:g}"'
            written += f'<text x="{label.x:.0f}" y="{label.y:.0f}"{size}>{escape(name)}</text>'
    return f'<g class="names inked" font-size="{usual}" pointer-events="none">{written}</g>'

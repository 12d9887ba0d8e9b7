"""The map as a picture: an old map in pen and wash, in SVG, of any board, empty or with a game under way."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from dracotheque.engine.record import Plain
from dracotheque.engine.words import Words, phrase
from dracotheque.games.dragons_cave.drawing_art import circle, moved, num, path, text, thing
from dracotheque.games.gran import BOX, scene
from dracotheque.games.gran import drawing_art as art
from dracotheque.games.gran.board import KINDS, KINGDOM_NAMES, Board
from dracotheque.games.gran.drawing_map import ACROSS, DOWN, FRAME, STEP, WIDE, Box, Layout, measured, wander
from dracotheque.games.gran.state import BITS, BLACK, CRYSTAL, KINGDOMS, NOWHERE, WHITE
from dracotheque.games.told import ALL_CRESTS

# --- Measures, in units of the picture ------------------------------------------------------------------------------
STRIP = 104  # below the map: what everybody has
RIPPLES = (8, 17, 28)  # lines in the sea along the coast
SHALLOWS = 34  # farther out, the sea is free
MOST_GROWTH = 150  # mountains, hills and trees
PIECE = 1.2  # pieces are drawn so much larger than by hand
KNIGHT = 36  # how near two points may be before the pieces on them become smaller


def svg(board: Board, words: Words, *, night: bool = False, table: Plain | None = None) -> str:
    """Draw a map; with a table also the game under way on it."""
    layout = measured(board)
    height = DOWN + (STRIP if table is not None else 0)
    parts = [
        *_head(board, words, layout, height, night, table),
        '<g clip-path="url(#gran-inside)">',
        _sea(layout),
        _lands(layout),
        f'<rect width="{ACROSS}" height="{DOWN}" fill="url(#gran-light)"/>',
        *kingdom_names(layout),
        *growth(layout),
        *furniture(board, words, layout, open_sea(layout), night),
        _net(),
        *_points(board, words, layout),
        age(night),
        "</g>",
        frame(height),
        *_pieces(board, words, layout, table),
        _names(),
        *_seats(words, table),
        "</svg>\n",
    ]
    return re.sub('(?<=class=")[^"]+', own, "\n".join(parts))


def own(names: re.Match[str]) -> str:
    """Give classes names of this picture's own, so that it can stand in a page with others."""
    return " ".join(f"g-{name}" for name in names[0].split())


def use(name: str, x: float, y: float, scale: float = 1) -> str:
    """Set down a thing that is drawn once."""
    return f'<use href="#gran-{name}" {moved(x, y, round(scale, 3))}/>'


# --- The sheet ----------------------------------------------------------------------------------------------------
def _head(board: Board, words: Words, layout: Layout, height: float, night: bool, table: Plain | None) -> Iterator[str]:
    """Begin the picture: its name, its colours and everything that is drawn once."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{ACROSS}" height="{height}" '
        f'viewBox="0 0 {ACROSS} {height}" role="img" aria-labelledby="gran-title gran-desc" lang="{words.language}">'
    )
    yield f'<title id="gran-title">{escape(f"{BOX.title} – {words.say(scene.board_name(board))}", QUOTES)}</title>'
    yield f'<desc id="gran-desc">{escape(_description(board, words, table))}</desc>'
    yield f"<style>\n{style(art.NIGHT if night else art.DAY)}\n</style>"
    yield f"<defs>{light(height, night)}{''.join(_lands_once(layout))}{''.join(symbols(table))}"
    yield f"{_net_once(layout)}{_names_once(layout)}</defs>"
    yield f'<rect class="paper" width="{ACROSS}" height="{height}" rx="12"/>'


QUOTES = {'"': "&quot;"}  # so that no name of a map can look like a class


def _description(board: Board, words: Words, table: Plain | None) -> str:
    """Say in words what there is to see."""
    said = [words.entries["picture.map"].format(points=len(board.points), lines=len(board.lines))]
    if table is not None:
        said += [
            f"{_knight_words(words, table, seat)} – {scene.point_name(board, table.place[seat])}."
            for seat in range(table.players)
        ]
        if table.ring != NOWHERE:
            said.append(f"{words.entries['picture.ring']} – {scene.point_name(board, table.ring)}.")
    return " ".join(said)


def style(palette: dict[str, str]) -> str:
    """Write a class for every colour and every line."""
    styles = {f".{name}": f"fill:{colour};color:{colour};stop-color:{colour}" for name, colour in palette.items()}
    styles |= {f".seat-{crest}": f"color:{palette[colour]}" for crest, colour in art.SEAT_COLOURS.items()}
    styles |= {f".of-{name}": f"color:{palette[name]}" for name in (*KINGDOM_NAMES, "exile", "glass", "glass-blue")}
    styles |= {name: line % palette for name, line in art.LINES.items()}
    return "\n".join(f"{names.replace('.', '.g-')}{{{rule}}}" for names, rule in styles.items())


def light(height: float, night: bool) -> str:
    """Make the light on the sheet, the darkening of its edges and the glow of what shines."""
    shine, dark = (".2", ".75") if night else (".4", ".5")
    return f"""
<clipPath id="gran-inside"><rect x="14" y="14" width="{ACROSS - 28}" height="{DOWN - 28}" rx="8"/></clipPath>
<radialGradient id="gran-sea" cx=".5" cy=".45" r=".75"><stop class="sea"/><stop offset=".6" class="sea"/>
<stop offset="1" class="sea-deep"/></radialGradient>
<radialGradient id="gran-light" cx=".6" cy=".16" r=".75"><stop class="light" stop-opacity="{shine}"/>
<stop offset="1" class="light" stop-opacity="0"/></radialGradient>
<radialGradient id="gran-age" r=".74"><stop offset=".62" class="paper-deep" stop-opacity="0"/>
<stop offset="1" class="paper-deep" stop-opacity="{dark}"/></radialGradient>
<radialGradient id="gran-stain"><stop class="stain" stop-opacity=".05"/>
<stop offset=".82" class="stain" stop-opacity=".1"/>
<stop offset=".9" class="stain" stop-opacity=".14"/><stop offset="1" class="stain" stop-opacity="0"/></radialGradient>
<radialGradient id="gran-glow"><stop class="glow" stop-opacity=".85"/><stop offset=".5" class="glow" stop-opacity=".3"/>
<stop offset="1" class="glow" stop-opacity="0"/></radialGradient>"""


def symbols(table: Plain | None) -> Iterator[str]:
    """Draw once what stands in many places."""
    drawn = art.POINTS | art.CRYSTALS | {f"growth-{name}": shape for name, shape in art.GROWTH.items()}
    signs = sorted({sign for name in (*KINGDOM_NAMES, BOX.title) for sign in name.upper()})
    drawn |= {f"letter-{sign}": f'<path d="{art.letter(sign)}"/>' for sign in signs}
    if table is not None:
        drawn |= {"amulet": art.AMULET, "cone": art.CONE, "collar": art.COLLAR, "ring": art.RING, "stone": art.STONE}
        drawn |= {"wax": art.WAX} | {f"crest-{crest}": shape for crest, shape in art.CRESTS.items()}
    for name, shape in drawn.items():
        yield f'<g id="gran-{name}">{shape}</g>'


def frame(height: float) -> str:
    """Draw the frame: two lines, and between them a band of dark and light pieces, as maps have it."""
    count = 40
    long = (ACROSS - 2 * FRAME) / count
    pieces = ""
    for at in range(0, count, 2):
        there, back = FRAME + at * long, FRAME + (at + 1) * long
        pieces += f"M{num(there)} 17h{num(long)}v7h{num(-long)}zM{num(back)} {DOWN - 24}h{num(long)}v7h{num(-long)}z"
        pieces += f"M17 {num(there)}v{num(long)}h7v{num(-long)}zM{ACROSS - 24} {num(back)}v{num(long)}h7v{num(-long)}z"
    lines = ((8, 1.4), (16, 1.4), (25, 2.2))
    return path("frame", pieces) + "".join(
        f'<rect class="edge" x="{inset}" y="{inset}" width="{ACROSS - 2 * inset}" '
        f'height="{(height if inset == 8 else DOWN) - 2 * inset}" rx="{2 if inset > 8 else 9}" stroke-width="{line}"/>'
        for inset, line in lines
    )


# --- Land and sea, drawn --------------------------------------------------------------------------------------------
def _sea(layout: Layout) -> str:
    """Paint the sea, with the lines along the coast growing fainter."""
    lines = "".join(
        path("shallow", layout.ground.coast(out), f' stroke-opacity="{fade}"')
        for out, fade in zip(RIPPLES[::-1], (0.35, 0.6, 0.9), strict=True)
    )
    return f'<rect fill="url(#gran-sea)" width="{ACROSS}" height="{DOWN}"/>{lines}'


def _lands_once(layout: Layout) -> Iterator[str]:
    """Draw once the outline of every land."""
    for realm, name in enumerate((*KINGDOM_NAMES, "exile")):
        outline = layout.ground.realm_outline(realm)
        yield f'<path id="gran-land-{name}" d="{outline}"/>'
        yield f'<clipPath id="gran-in-{name}"><path d="{outline}"/></clipPath>'


def _lands(layout: Layout) -> str:
    """Paint the lands: a thin wash each, deeper along the border as on maps coloured by hand."""
    coast = layout.ground.coast()
    drawn = path("land", coast)
    for name in (*KINGDOM_NAMES, "exile"):
        quiet = 0.5 if name == "exile" else 1
        verges = "".join(
            f'<use href="#gran-land-{name}" class="verge" stroke-width="{wide}" stroke-opacity="{0.055 * quiet:.3f}"/>'
            for wide in (72, 62, 53, 45, 37, 30, 23, 17, 11, 6)
        )
        drawn += (
            f'<g class="of-{name}" clip-path="url(#gran-in-{name})">'
            f'<use href="#gran-land-{name}" class="crest" fill-opacity="{0.2 * quiet:g}"/>{verges}'
            f'<use href="#gran-land-{name}" class="march"/></g>'
        )
    return drawn + path("shore", coast)


def kingdom_names(layout: Layout) -> Iterator[str]:
    """Write every kingdom's name across its land."""
    for name, letters in zip(KINGDOM_NAMES, layout.titles, strict=True):
        signs = "".join(
            f'<use href="#gran-letter-{sign}" transform="translate({num(x)} {num(y)})rotate({lean:.0f})'
            f'scale({size / 100:g})"/>'
            for sign, x, y, lean, size in letters
        )
        parts = f'<g class="crest" fill-opacity=".72">{signs}</g>'
        yield thing(f"kingdom-{name}", name.title(), f'class="of-{name}"', parts)


def growth(layout: Layout, most: int = MOST_GROWTH) -> Iterator[str]:
    """Let mountains, hills and trees stand where neither points nor lines nor names are."""
    chance, ground = Random(12), layout.ground
    boxes = [box for box in layout.label_boxes if box]
    discs = [(letter.x, letter.y, letter.size * 0.6) for letters in layout.titles for letter in letters]
    grown = list[tuple[float, str]]()
    for _ in range(4000):
        x, y, scale = chance.uniform(40, ACROSS - 40), chance.uniform(40, DOWN - 40), chance.uniform(0.75, 1.05)
        room, cell = 14 * scale, ground.cell(x, y)
        realm = int(ground.realm[cell])
        own = Box(x - room, y - room, x + room, y + room)
        if (
            realm < KINGDOMS
            and wander(1.9 * x + 500, 1.9 * y) > -0.1
            and ground.off_lines[cell] > room + 3
            and ground.free[cell] > room
            and ground.land[cell] > room
            and not any(own.meets(box) for box in boxes)
            and all(math.dist((x, y), (a, b)) > room + r for a, b, r in discs)
        ):
            discs.append((x, y, room * 0.8))
            grown.append((y, use(f"growth-{KINGDOM_NAMES[realm]}", x, y, scale)))
            if len(grown) == most:
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


def furniture(board: Board, words: Words, layout: Layout, sea: Sea, night: bool) -> Iterator[str]:
    """Set title, compass, ship and sea serpent into the open sea, as far as there is any."""
    east, south = ACROSS - 40, DOWN - 40
    things = (
        ("title", 154, 58, (40, 40), _title(words.say(scene.board_name(board)))),
        ("compass", 60, 63, (east, south), art.compass()),
        ("ship", 56, 48, (east, 40), art.SHIP),
        ("serpent", 74, 46, (40, south), art.SERPENT),
        ("sky", 58, 50, (ACROSS / 2, 40), art.MOON if night else art.WIND),
    )
    for name, wide, high, corner, shape in things:
        spot = sea.room(wide, high, corner, 1.2 if name == "title" else 1.5)
        if spot:
            yield f'<g id="sea-{name}" {moved(*spot)}>{shape}</g>'
    yield _surf(layout, sea, night)


def _surf(layout: Layout, sea: Sea, night: bool) -> str:
    """Scatter little waves over the open sea, or by night the stars it mirrors."""
    chance, data = Random(7), ""
    for _ in range(170):
        x, y = chance.uniform(44, ACROSS - 70), chance.uniform(44, DOWN - 44)
        if all(sea.free[layout.ground.cell(x + at, y)] for at in (-6, 6, 18, 30)):
            data += f"M{x:.0f} {y:.0f}{art.STAR if night else art.SURF}"
    return path("light half", data) if night else path("wave half", data)


def _title(name: str) -> str:
    """Write the name of the game and of its map on a scroll."""
    signs = "".join(
        use(f"letter-{sign}", x, -12, 0.46) for sign, x in zip(BOX.title.upper(), (-69, -23, 23, 69), strict=True)
    )
    size = min(22.0, 230 / (WIDE * len(name)))
    return (
        f'{art.CARTOUCHE}<g class="title">{signs}</g>{path("engraved no", "M-92 16q46-7 92 0t92 0")}'
        f'<text class="legend" y="37" style="font-size:{num(size)}px">{escape(name, QUOTES)}</text>'
    )


def age(night: bool) -> str:
    """Let light fall on the sheet, darken its edges, and leave the folds and stains of its travels."""
    left, right, middle, end = ACROSS // 3, 2 * ACROSS // 3, DOWN // 2, DOWN - FRAME
    data = f"M{left} {FRAME}V{end}M{right} {FRAME}V{end}M{FRAME} {middle}H{ACROSS - FRAME}"
    dark = (("light", 0, 0.05), ("stain", 2, 0.1)) if night else (("light", 0, 0.16), ("stain", 2, 0.2))
    folds = "".join(
        path(f"{style} fold", data, f' opacity="{fade}" transform="translate({shift} {shift})"')
        for style, shift, fade in dark
    )
    stains = "".join(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="url(#gran-stain)"/>'
        for x, y, r in ((1010, 236, 90), (290, 1020, 120))
    )
    return (
        f'<g pointer-events="none">{"" if night else stains}{folds}'
        f'<rect width="{ACROSS}" height="{DOWN}" fill="url(#gran-age)"/></g>'
    )


# --- Points and lines -----------------------------------------------------------------------------------------------
def _net_once(layout: Layout) -> str:
    """Draw every line once, from the edge of one point to the edge of the other."""
    drawn = ""
    for number, ends in enumerate(layout.board.lines):
        one, other = (layout.places[end] for end in ends)
        line = [
            spot
            for spot in layout.line(number)
            if not any(math.dist(spot, at[:2]) < 0.8 * at.reach for at in (one, other))
        ] or [one[:2], other[:2]]
        (ax, ay), (mx, my), (bx, by) = line[0], line[len(line) // 2], line[-1]
        cx, cy = 2 * mx - (ax + bx) / 2, 2 * my - (ay + by) / 2
        names = "-".join(layout.board.points[end].name for end in ends)
        drawn += f'<path id="line-{names}" d="M{num(ax)} {num(ay)}Q{num(cx)} {num(cy)} {num(bx)} {num(by)}"/>'
    return f'<g id="gran-net">{drawn}</g>'


def _net() -> str:
    """Lay the net of lines over the lands."""
    return '<use href="#gran-net" class="casing"/><use href="#gran-net" class="net"/>'


def _names_once(layout: Layout) -> str:
    """Write the points' names once."""
    written = "".join(
        f'<text x="{num(label.x)}" y="{num(label.y)}" font-size="{num(label.size)}">'
        f"{escape(layout.names[number])}</text>"
        for number, label in enumerate(layout.labels)
        if label
    )
    return f'<g id="gran-names">{written}</g>'


def _names() -> str:
    """Show the points' names, on a breath of paper that keeps lines off them."""
    return '<g class="names"><use href="#gran-names" class="haloed"/><use href="#gran-names"/></g>'


def _points(board: Board, words: Words, layout: Layout) -> Iterator[str]:
    """Draw every point as what it is."""
    for number, (point, place) in enumerate(zip(board.points, layout.places, strict=True)):
        kind = "blue" if number == board.start else KINDS[point.kind]
        parts = f'<use href="#gran-{kind}"/>'
        colour = ""
        if point.kind == CRYSTAL:
            colour = f'class="of-glass{"-blue" if kind == "blue" else ""}" '
        elif point.kind not in (BLACK, WHITE):
            colour = f'class="of-{KINGDOM_NAMES[point.kingdom]}" '
        yield thing(
            f"point-{point.name}",
            point_words(board, words, number),
            f"{colour}{moved(place.x, place.y, place.scale)}",
            parts,
        )


def point_words(board: Board, words: Words, number: int) -> str:
    """Name a point: its name, what it is, and the kingdom it lies in."""
    point = board.points[number]
    kind = words.entries["picture.blue" if number == board.start else f"picture.{KINDS[point.kind]}"]
    land = f", {scene.kingdom_name(point.kingdom)}" if point.kingdom < KINGDOMS else ""
    return f"{scene.point_name(board, number)} – {kind}{land}"


# --- A game under way -------------------------------------------------------------------------------------------------
def _pieces(board: Board, words: Words, layout: Layout, table: Plain | None) -> Iterator[str]:
    """Draw stones, ring and knights, the ones farther down in front."""
    if table is None:
        return
    pieces = [*_stones(board, words, layout, table), *_ring(words, layout, table), *_knights(words, layout, table)]
    for _, drawn in sorted(pieces, key=lambda piece: piece[0]):
        yield drawn


def _stones(board: Board, words: Words, layout: Layout, table: Plain) -> Iterator[tuple[float, str]]:
    """Draw the stones that bar the way."""
    for number, place in enumerate(layout.places):
        if table.stones[number // BITS] >> number % BITS & 1:
            called = f"{scene.point_name(board, number)} – {words.entries['picture.stone']}"
            where = moved(place.x, place.y, round(PIECE * _fit(layout, number), 3))
            yield place.y, thing(f"stone-{board.points[number].name}", called, where, '<use href="#gran-stone"/>')


def _ring(words: Words, layout: Layout, table: Plain) -> Iterator[tuple[float, str]]:
    """Draw the ring where it lies, shining."""
    if table.ring == NOWHERE:
        return
    place, fit = layout.places[table.ring], round(_fit(layout, table.ring), 3)
    shine = '<circle r="34" fill="url(#gran-glow)"/>'
    down = place.reach * 0.4 if place.reach > 12 else 0
    yield (
        place.y + down,
        thing(
            "ring", words.entries["picture.ring"], moved(place.x, place.y + down, fit), shine, use("ring", 0, 0, 1.25)
        ),
    )


def _fit(layout: Layout, number: int) -> float:
    """Say how large pieces on a point can be without standing on its neighbours."""
    here = layout.places[number]
    near = (max(abs(at.x - here.x), abs(at.y - here.y)) for at in layout.places if at is not here)
    return min(1.0, min(near) / KNIGHT)


def _knights(words: Words, layout: Layout, table: Plain) -> Iterator[tuple[float, str]]:
    """Draw every knight where it stands, around the point where they are several."""
    for seat in range(table.players):
        at = table.place[seat]
        here = [other for other in range(table.players) if table.place[other] == at]
        place, fit = layout.places[at], _fit(layout, at)
        dx, dy = _stand(here.index(seat), len(here), place.reach / fit)
        x, y = place.x + dx * fit, place.y + dy * fit
        yield (
            y,
            thing(
                f"knight-{ALL_CRESTS[seat]}",
                _knight_words(words, table, seat),
                f'class="seat-{ALL_CRESTS[seat]}" {moved(x, y, round(PIECE * fit, 3))}',
                *_cone(table, seat),
            ),
        )


def _stand(rank: int, count: int, reach: float) -> tuple[float, float]:
    """Say where a knight stands: on a small point, beside a large one, or with the others in a ring around it."""
    if count == 1:
        return (0.0, 3.0) if reach < 20 else (0.45 * reach, 0.6 * reach)
    turn = math.tau * (rank + 0.5) / count + math.pi / 2
    return (reach + 24) * math.cos(turn), 8 + (reach + 14) * math.sin(turn)


def _cone(table: Plain, seat: int) -> Iterator[str]:
    """Draw a knight: the cone on its amulets, its crest, perhaps the collar, perhaps the ring above it."""
    amulets, crest = table.amulets[seat], ALL_CRESTS[seat]
    yield art.KNIGHT_SHADOW
    yield from (use("amulet", 0, 6 - 4.5 * number) for number in range(amulets))
    lift = -4.5 * amulets + 4
    yield f'<g {moved(0, lift)}><use href="#gran-cone"/>{use(f"crest-{crest}", 0, -8, 0.86)}'
    if table.collared >> seat & 1:
        yield use("collar", 0, -1)
    if table.bearer == seat:
        yield f'<circle cy="-42" r="26" fill="url(#gran-glow)"/>{use("ring", 0, -40, 1.1)}'
    yield "</g>"


def _knight_words(words: Words, table: Plain, seat: int) -> str:
    """Name a knight and what it carries."""
    amulets = table.amulets[seat]
    carries = [words.say(phrase("amulets", count=amulets) if amulets else phrase("amulets.none"))]
    carries += [words.entries["picture.ring"]] * (table.bearer == seat)
    carries += [words.entries["picture.collar"]] * (table.collared >> seat & 1)
    return f"{words.say(scene.crest(seat))} – {words.entries['picture.knight']}, {', '.join(carries)}"


def _seats(words: Words, table: Plain | None) -> Iterator[str]:
    """Lay out below the map what everybody has won, and the stones that are left."""
    if table is None:
        return
    pitch, middle = (ACROSS - 2 * FRAME - 90) / table.players, DOWN + STRIP / 2 - 12
    for seat in range(table.players):
        crest = ALL_CRESTS[seat]
        won = [name for number, name in enumerate(KINGDOM_NAMES) if table.seals[seat] >> number & 1]
        called = [words.say(scene.crest(seat)), words.say(phrase("seals", count=len(won)))]
        called += [", ".join(name.title() for name in won)] if won else []
        yield thing(
            f"seat-{crest}",
            " – ".join(called),
            f'class="seat-{crest}" {moved(FRAME + pitch * seat + 26, middle)}',
            art.SHIELD,
            use(f"crest-{crest}", 0, 0, 1.7),
            *_seals(won, scene.RULES.wanted_seals(table), min(1, (pitch - 64) / 142)),
        )
    yield thing(
        "reserve",
        f"{words.entries['picture.reserve']} – {table.reserve}",
        moved(ACROSS - FRAME - 68, middle),
        '<use href="#gran-stone"/>',
        text("count", 24, 8, table.reserve),
    )


def _seals(won: Sequence[str], needed: int, fit: float) -> Iterator[str]:
    """Press the seals into wax; where one is still wanted, its place is marked."""
    for number in range(max(needed, len(won))):
        x = 34 + 18 * fit + 36 * fit * number
        if number < len(won):
            sign = use(f"letter-{won[number][0].upper()}", 0, 0, 0.13)
            wax = f'<use href="#gran-wax"/><g class="card" fill-opacity=".85">{sign}</g>'
            yield f'<g class="of-{won[number]}" {moved(x, 0, round(fit, 3))}>{wax}</g>'
        else:
            yield circle("socket", x, 0, 13 * fit)

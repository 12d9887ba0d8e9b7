"""The empty cave for the page: the picture of drawing.py without its pieces, light enough to be animated upon.

Nothing here is filtered or moves; every place is a group that says where pieces stand. Below the mountain lies the
players' table with a mat for every crest: for the card of the round, the cards laid open, purse or fists, and chest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from xml.sax.saxutils import escape

from dracotheque.engine.words import Words
from dracotheque.games.dragons_cave import BOX, drawing, scene
from dracotheque.games.dragons_cave import drawing_art as art
from dracotheque.games.dragons_cave.board import Board
from dracotheque.games.dragons_cave.drawing import BELOW, CEILING, HALL_FLOOR, MOUTH, Layout, Point
from dracotheque.games.dragons_cave.drawing_art import Spots, band, circle, moved, path, smooth, use
from dracotheque.games.dragons_cave.state import KINDS

BORDER = 14  # the frame around picture and table
TABLE = 146  # how much of the table is seen below the picture
MAT, MAT_HIGH = 280, 112
FEET = 36  # from where pieces are centred down to the ground they stand on
ROOM, NICHE_ROOM = 62, 44
PARTS = {"card": (-54, 0, 38), "open": (26, 0, 42), "purse": (102, 0, 34), "chest": (-112, 28, 26)}
FISTS = {"left": (78, 0, 21), "right": (119, 0, 21)}
"""What lies on a mat: where, and how much room it has."""
SHARED = {
    "arch": art.ARCH,
    "folds": art.FOLDS,
    "base": art.BASE,
    "cloth": art.CLOTH_FOLDS,
    "slab": path("shine", art.SLAB_WASH) + path("k2 no half", "M-30-6q6 3 4 7M40-5q-3 3 2 6M28 14q4-2 10 0"),
    "dripstone": art.DRIPSTONE,
    "ammonite": art.FINDS[0],
    "bone": art.FINDS[1],
    "gems": art.FINDS[2],
}
REACH = {"base": path("hit", "M-66-100h132v130h-132z")}  # one may also point between a space's banner and its stone
OUTLINES = {"alcove": art.ALCOVE, "banner": art.CLOTH, "stone": art.SLAB}
"""What is drawn in many places, and written once: things, and outlines that are filled in many colours."""


def svg(board: Board, words: Words, *, night: bool) -> str:
    """Draw a cave without pieces."""
    layout = Layout(board)
    width, height = layout.width, layout.height + TABLE
    body = "".join(
        (
            f'<rect class="paper" width="{width}" height="{height}" rx="12"/><g clip-path="url(#cave-inside)">',
            _outside(layout, night),
            _mountain(layout),
            _tunnel(layout),
            _without_wash(drawing._meadow(layout)),
            *drawing._furniture(layout),
            _lair(board, words, layout),
            *(drawing._space(board, words, layout, number) for number in range(len(board.path) + 1)),
            _table(layout),
            *(_mat(words, layout, seat) for seat in range(len(scene.CRESTS))),
            "</g>",
            _frame(width, height),
        )
    )
    defs, body = _shared(f"{_light(layout, height)}{''.join(_symbols(board))}", body)
    style = _style(art.NIGHT if night else art.DAY, defs + body)
    drawn = re.sub('(?<=class=")[^"]+', drawing._own, defs + body).replace("cave-", "a-")
    title = escape(f"{BOX.title} – {words.say(scene.board_name(board))}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" lang="{words.language}">'
        f"<title>{title}</title><style>{style}</style>{_with_places(drawn, board, layout)}</svg>\n"
    )


# --- The sheet ----------------------------------------------------------------------------------------------------
def _style(palette: dict[str, str], drawn: str) -> str:
    """Write a class for every colour and line that is used."""
    used = {name for names in re.findall('class="([^"]+)"', drawn) for name in names.split()}
    rules = (rule.partition("{") for rule in drawing._style(palette).splitlines())
    kept = ((",".join(name for name in names.split(",") if name[3:] in used), rule) for names, _, rule in rules)
    return "".join(f"{names}{{{rule}" for names, rule in kept if names) + ".c-hit{fill:none;pointer-events:all}"


def _light(layout: Layout, height: int) -> str:
    """Make sky, lamplight and daylight, and the edge that nothing is drawn beyond."""
    light, _, _ = drawing._light(layout).partition("<filter")
    inside = f'height="{layout.height - 28}"'
    return re.sub(r"\n", " ", light.replace(inside, f'height="{height - 2 * BORDER}"'))


def _symbols(board: Board) -> Iterator[str]:
    """Draw once what stands in many places."""
    yield from drawing._symbols(board, None)
    for crest, shape in art.CRESTS.items():
        yield f'<g id="cave-crest-{crest}">{shape}</g>'


def _shared(defs: str, body: str) -> tuple[str, str]:
    """Draw once what spaces, niches and rock have in common."""
    for name, shape in SHARED.items():
        defs, body = (part.replace(shape, f'<use href="#cave-{name}"/>') for part in (defs, body))
    for name, line in OUTLINES.items():
        outline = re.compile(f'<path class="([^"]*)" d="{re.escape(line)}"')
        defs, body = (outline.sub(rf'<use href="#cave-{name}" class="\1"', part) for part in (defs, body))
    defs += "".join(f'<g id="cave-{name}">{shape}{REACH.get(name, "")}</g>' for name, shape in SHARED.items())
    defs += "".join(f'<path id="cave-{name}" d="{line}"/>' for name, line in OUTLINES.items())
    return f"<defs>{defs}</defs>", body


def _frame(width: int, height: int) -> str:
    """Draw the two lines around the picture."""
    return "".join(
        f'<rect class="edge" x="{inset}" y="{inset}" width="{width - 2 * inset}" height="{height - 2 * inset}" '
        f'rx="9" stroke-width="{line}"/>'
        for inset, line in ((8, 1.7), (BORDER, 2.6))
    )


def _without_wash(drawn: str) -> str:
    """Leave out what is laid on as a wash: its filter would be computed anew with every step of a piece."""
    return re.sub('(<g class="half">)?<g filter="[^"]*">.*?</g>(?(1)</g>)', "", drawn)


def _curve(points: Spots, *, closed: bool = False) -> str:
    """Draw a soft curve through points in whole numbers, each from the one before: what is large needs no tenths."""
    x, y, *curves = (round(float(number)) for number in re.findall(r"-?[\d.]+", smooth(points, closed=closed)))
    data = f"M{x} {y}"
    for at in range(0, len(curves), 6):
        steps = (f"{value - (y if number % 2 else x)}" for number, value in enumerate(curves[at : at + 6]))
        data += "c" + " ".join(steps).replace(" -", "-")
        x, y = curves[at + 4 : at + 6]
    return data + ("z" if closed else "")


# --- Mountain and tunnel ------------------------------------------------------------------------------------------
def _outside(layout: Layout, night: bool) -> str:
    """Paint sky and hills, without the stars that stand behind the mountain."""
    sky = _without_wash(drawing._sky(layout, night))

    def seen(star: re.Match[str]) -> str:
        x, y = float(star[1]), float(star[2])
        return "" if y > HALL_FLOOR / 3 and MOUTH < x < layout.width - 120 else star[0]

    return re.sub(r'<(?:circle class="sun" cx="|path class="sun" d="M)([\d.]+)(?:" cy="| )([\d.]+).*?/>', seen, sky)


def _mountain(layout: Layout) -> str:
    """Paint the mountain, cut open: rock in light and shade, snow on its peak, things of old in its depth."""
    ridge = drawing._ridge(layout)
    edge = _curve(ridge)
    outline = f"{edge}V{layout.height}H{MOUTH + 8}z"
    return (
        f'<clipPath id="cave-rock"><path id="cave-outline" d="{outline}"/></clipPath>'
        + '<use href="#cave-outline" class="rock"/>'
        + f'<g clip-path="url(#cave-rock)"><g opacity=".42">{"".join(_patches(layout))}</g>'
        + path("hatch", drawing.shading(layout, ridge, 25, (3, 8, 4)) + _cracks(layout))
        + f"<g {moved(layout.centre - 40, drawing.PEAK)}>{art.SNOW}</g></g>"
        + path("k no", edge, ' style="stroke-width:2.6px"')
        + "".join(drawing._finds(layout))
    )


def _patches(layout: Layout) -> Iterator[str]:
    """Lay patches of shade and light over the rock, soft where they overlap."""
    chance = Random(11)
    for number in range(layout.columns * (layout.laps + 1)):
        x, y = chance.uniform(170, layout.width), chance.uniform(drawing.PEAK, layout.height)
        wide, high, lean = chance.uniform(50, 120), chance.uniform(20, 54), chance.uniform(-16, 16)
        corners = ((-1, 0.2), (-0.4, -0.9), (0.5, -0.8), (1.1, -0.1), (0.4, 0.8), (-0.5, 1))
        points = [(round(x + wide * dx), round(y + high * dy + lean * dx)) for dx, dy in corners]
        yield path("rock-deep" if number % 3 else "rock-light", _curve(points, closed=True))


def _cracks(layout: Layout) -> str:
    """Draw the little marks by which one knows rock."""
    chance = Random(2)
    spots = ((chance.randint(190, layout.width), chance.randint(90, layout.height)) for _ in range(layout.columns * 8))
    return "".join(f"M{x} {y}{art.CRACK}" for x, y in spots)


def _tunnel(layout: Layout) -> str:
    """Hollow out tunnel and lair, let daylight in at the mouth, and lay the way."""
    way, wide = layout.way(), CEILING + BELOW
    middle = [Point(x, y - (CEILING - BELOW) / 2) for x, y in way]
    hall = _curve(drawing._hall(layout), closed=True)
    hollow = _curve(drawing._walls(middle[:-5], wide / 2), closed=True) + hall
    stairs = [_curve([(x, y + 5) for x, y in layout.bend(lap)]) for lap in range(layout.laps)]
    ends = "stroke-linecap:round"
    return (
        f'<clipPath id="cave-hall"><path id="cave-hall-line" d="{hall}"/></clipPath>'
        f'<defs><path id="cave-way" d="{_curve(middle)}"/></defs><g clip-path="url(#cave-rock)">'
        + path("wall-deep k", hollow, ' style="stroke-width:5px"')
        + _along("wall-deep", wide - 12)
        + f'<g transform="translate(0 8)">{_along("wall", wide - 18)}<use href="#cave-hall-line" class="wall"/></g>'
        + f'<g transform="translate(0 12)" opacity=".7">{_along("wall-light", wide - 62, ends)}</g>'
        + "".join(_noses(layout))
        + f'<path d="{_curve(middle[:12])}" fill="none" stroke="url(#cave-daylight)" '
        + f'stroke-width="{wide - 3}"/></g><g transform="translate(0 {5 + (CEILING - BELOW) // 2})">'
        + _along("ink", 37, ends)
        + _along("road", 33.6, ends)
        + "</g>"
        + "".join(band("road-deep", stair, 31, "stroke-dasharray:2 11") for stair in stairs)
    )


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
    return f'<use href="#cave-way" class="{style} band" style="stroke-width:{width}px;{more}"/>'


def _lair(board: Board, words: Words, layout: Layout) -> str:
    """Draw the lair: five niches, and the places for the treasure and for the dragon asleep on it."""
    centre = layout.centre
    ledges = re.sub(r"(?<=\d)(M[^M\"]*)M[^M\"]*", r"\1", "".join(drawing._ledges()))  # every other stroke
    return "".join(
        (
            '<g clip-path="url(#cave-hall)">'
            f'<circle cx="{centre}" cy="{HALL_FLOOR - 60}" r="330" fill="url(#cave-lamplight)"/></g>',
            f"<g {moved(centre, HALL_FLOOR)}>{''.join(drawing._dripstones())}{ledges}</g>",
            *(drawing._niche(board, words, layout, kind) for kind in range(KINDS)),
            art.thing("bed", words.entries["drawn.lair"], moved(centre, HALL_FLOOR), _hit("M-150-70h300v74h-300z")),
            art.thing(
                "treasure", words.entries["drawn.treasure"], moved(centre, HALL_FLOOR), _hit("M-130 4h260v40h-260z")
            ),
            re.sub("<title>.*?</title>", "", drawing._reward(board, words, layout)).replace('id="reward" ', ""),
        )
    )


def _hit(data: str) -> str:
    """Draw nothing, where one may point nevertheless."""
    return path("hit", data)


# --- The players' table -------------------------------------------------------------------------------------------
def _table(layout: Layout) -> str:
    """Lay the planks of the table."""
    width, top = layout.width, layout.height - BORDER
    chance, grain = Random(17), ""
    for row in range(4):
        for x in range(30, width, 190):
            y, wide = top + 20 + 38 * row + chance.randint(-6, 6), chance.randint(60, 100)
            grain += f"M{x + chance.randint(-20, 20)} {y}q{wide // 2} {chance.randint(-5, 5)} {wide} 0"
    planks = "".join(f"M0 {top + 38 * row}q{width // 2} {3 - 6 * (row % 2)} {width} 0" for row in range(1, 4))
    return (
        path("wood-deep", f"M0 {top}h{width}v{TABLE + BORDER}H0z")
        + path("wood", f"M0 {top + 5}h{width}v{TABLE + BORDER}H0z", ' opacity=".55"')
        + path("hatch", planks + grain)
        + path("k no", f"M0 {top}h{width}", ' style="stroke-width:2.6px"')
    )


def mat(layout: Layout, seat: int) -> Point:
    """Find the middle of a seat's mat."""
    room = (layout.width - 2 * BORDER) / len(scene.CRESTS)
    return Point(BORDER + room * (seat + 0.5), layout.height + (TABLE - 2 * BORDER) / 2)


def _mat(words: Words, layout: Layout, seat: int) -> str:
    """Lay a seat's mat with its crest, and room for everything that lies before a player."""
    crest, at = scene.CRESTS[seat], mat(layout, seat)
    half, high = MAT // 2, MAT_HIGH // 2
    sheet = f"M{-half} {-high}q{half} 4 {MAT} 0q-4 {high} 0 {MAT_HIGH}q{-half}-4 {-MAT} 0q4 {-high} 0 {-MAT_HIGH}z"
    outlines = {
        "card": "M-27-37h54v74h-54z",
        "open": "M-42-40h84v80h-84z",
        "purse": "M-32-36h64v72h-64z",
        "chest": "M-24-22h48v44h-48z",
    }
    parts = "".join(
        art.thing(
            f"{name}-{seat}",
            f"{words.say(scene.crest(seat))} – {words.entries[f'drawn.{name}']}",
            moved(x, y),
            path("k2 no half", outlines[name], ' stroke-dasharray="5 4"') if name == "card" else "",
            _hit(outlines[name]),
        )
        for name, (x, y, _) in PARTS.items()
    )
    fists = "".join(
        art.thing(
            f"{name}-{seat}",
            f"{words.say(scene.crest(seat))} – {words.entries[f'action.{name}_fist']}",
            moved(x, y),
            _hit("M-20-30h40v60h-40z"),
        )
        for name, (x, y, _) in FISTS.items()
    )
    edge = f"M{-half} {-high}q8 1 12 1q-4 {high - 1} 0 {MAT_HIGH - 3}h-12q4 {-high} 0 {2 - MAT_HIGH}z"
    return "".join(
        (
            f'<g data-mat="{at.x:g}" {moved(*at)}>',
            path("shadow", sheet, ' transform="translate(3 4)"'),
            path("road k", sheet),
            f'<g class="seat-{crest}">{path("crest half", edge)}{circle("card k3", -112, -26, 20)}',
            f"{use(f'crest-{crest}', -112, -26, 1.7)}</g>{parts}{fists}</g>",
        )
    )


# --- Places -------------------------------------------------------------------------------------------------------
def places(board: Board, layout: Layout) -> dict[str, tuple[str, Point, float]]:
    """Find every place by what it is called in the drawing: its key, where pieces are centred, and their room."""
    length = len(board.path)
    found: dict[str, tuple[str, Point, float]] = {"start": ("0", layout.places[0], ROOM)}
    found |= {f"space-{number}": (str(number), layout.places[number], ROOM) for number in range(1, length + 1)}
    for kind, name in enumerate(board.kinds):
        found[f"niche-{name}"] = (f"niche-{kind}", layout.places[length + 1 + kind], NICHE_ROOM)
    found = {name: (key, Point(x, y - FEET), room) for name, (key, (x, y), room) in found.items()}
    found["bed"] = ("bed", Point(layout.centre - 22, HALL_FLOOR - 16 - FEET), 90)
    found["treasure"] = ("treasure", Point(layout.centre, HALL_FLOOR), 100)
    for seat in range(len(scene.CRESTS)):
        at = mat(layout, seat)
        for name, (x, y, room) in (PARTS | FISTS).items():
            found[f"{name}-{seat}"] = (f"{name}-{seat}", Point(at.x + x, at.y + y), room)
    return found


def _with_places(drawn: str, board: Board, layout: Layout) -> str:
    """Write at every place what it is and where pieces stand."""
    found = places(board, layout)

    def marked(thing: re.Match[str]) -> str:
        key, (x, y), room = found[thing[1]]
        label = thing[3].replace('"', "&quot;")
        at = f'data-x="{art.num(x)}" data-y="{art.num(y)}" data-r="{room}"'
        return f'<g class="place" data-place="{key}" {at} role="img" aria-label="{label}" {thing[2]}>'

    return re.sub(r'<g id="([\w-]+)" (transform="[^"]*")><title>(.*?)</title>', marked, drawn)

"""The board of Dragon's Cave as SVG, without pieces: the mountain, the lair, the spaces, and the players' table.

Nothing here moves; every place is a group that says where pieces stand. On the table lies a mat for every crest: for
the card of the round, the cards laid open, purse or fists, and chest.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from dracotheque.games.dragons_cave import names
from dracotheque.engine.phrases import Catalog, phrase
from dracotheque.games.dragons_cave import GAME, text as game_text
from dracotheque.games.dragons_cave import board_svg_parts as parts
from dracotheque.games.dragons_cave.board_files import Board
from dracotheque.games.dragons_cave.mountain_svg import (
    HALL_FLOOR, MOUTH, Layout, Point, furniture, meadow, mountain, sky, tunnel,
)  # fmt: skip
from dracotheque.games.dragons_cave.rules.state import KINDS, START
from dracotheque.presentation.svg import (
    PINE, circle, classes, document, frame, moved, path, place, style_sheet, text, use,
)  # fmt: skip

BORDER = 14  # the frame around mountain and table
TABLE = 146  # how much of the table is seen below the mountain
MAT, MAT_HIGH = 280, 112
FEET = 36  # from where pieces are centred down to the ground they stand on
ROOM, NICHE_ROOM = 62, 44
PARTS = {"card": (-54, 0, 38), "open": (26, 0, 42), "purse": (102, 0, 34), "chest": (-112, 28, 26)}
FISTS = {"left": (78, 0, 21), "right": (119, 0, 21)}
"""What lies on a mat: where, and how much room it has."""
MOST_DISCS = 5  # more coins on a space than these are one disc and their number


def svg(board: Board, words: Catalog, *, night: bool) -> str:
    """Draw a cave without pieces."""
    layout = Layout(board)
    width, height = layout.width, layout.height + TABLE
    return document(
        width,
        height,
        f"{GAME.title} – {words.say(game_text.board_name(board))}",
        words.language,
        style_sheet(parts.NIGHT if night else parts.DAY, parts.LINES, parts.SHADED),
        f"<defs>{_light(width, height)}{''.join(_symbols(board))}</defs>",
        f'<rect class="a-paper" width="{width}" height="{height}" rx="12"/><g clip-path="url(#a-inside)">',
        sky(layout, night),
        mountain(layout),
        tunnel(layout),
        meadow(layout),
        *furniture(layout),
        _lair(board, words, layout),
        *(_space(board, words, layout, number) for number in range(len(board.path) + 1)),
        _table(layout),
        *(_mat(words, layout, seat) for seat in range(len(names.CRESTS))),
        "</g>",
        frame(width, height),
    )


def _light(width: int, height: int) -> str:
    """Make sky, lamplight and daylight, and the edge that nothing is drawn beyond."""
    inside = f'x="{BORDER}" y="{BORDER}" width="{width - 2 * BORDER}" height="{height - 2 * BORDER}"'
    return f"""<clipPath id="a-inside"><rect {inside} rx="9"/></clipPath>
<linearGradient id="a-sky" x2="0" y2="1"><stop class="a-sky-high"/><stop offset=".5" class="a-sky-mid"/>
<stop offset="1" class="a-sky-low"/></linearGradient><radialGradient id="a-glow"><stop class="a-glow"/>
<stop offset="1" class="a-glow" stop-opacity="0"/></radialGradient><radialGradient id="a-lamplight">
<stop class="a-lamp" stop-opacity=".7"/><stop offset=".45" class="a-lamp" stop-opacity=".28"/>
<stop offset="1" class="a-lamp" stop-opacity="0"/></radialGradient><linearGradient id="a-daylight"
 gradientUnits="userSpaceOnUse" x1="{MOUTH}" x2="{MOUTH + 170}"><stop class="a-sky-low"/>
<stop offset=".3" class="a-sky-low" stop-opacity=".7"/>
<stop offset="1" class="a-sky-low" stop-opacity="0"/></linearGradient>"""


def _symbols(board: Board) -> Iterator[str]:
    """Draw once what stands in many places."""
    drawn = {f"picture-{name}": parts.PICTURES[name] for name in board.kinds}
    drawn |= {f"space-{name}": _tile(name, colour) for name, colour in zip(board.kinds, board.colours, strict=True)}
    drawn |= {"pine": PINE} | parts.SHARED
    yield from (f'<g id="a-{name}">{shape}</g>' for name, shape in drawn.items())
    yield from (f'<path id="a-{name}" d="{line}"/>' for name, line in parts.OUTLINES.items())


def _shared(name: str, style: str = "", more: str = "") -> str:
    """Set down a thing, or an outline in a style, where it is drawn."""
    return f'<use href="#a-{name}"{style and " " + classes(style)}{more}/>'


# --- The lair -----------------------------------------------------------------------------------------------------
def _coin_words(words: Catalog, coins: int) -> str:
    """Name a number of coins."""
    return words.say(phrase("coins", count=coins) if coins else phrase("coins.none"))


def _lair(board: Board, words: Catalog, layout: Layout) -> str:
    """Draw the lair: five niches, and the places for the treasure and for the dragon asleep on it."""
    centre, here = layout.centre, moved(layout.centre, HALL_FLOOR)
    bed, treasure = _hit("M-150-70h300v74h-300z"), _hit("M-130 4h260v40h-260z")
    return "".join(
        (
            '<g clip-path="url(#a-hall)">'
            f'<circle cx="{centre}" cy="{HALL_FLOOR - 60}" r="330" fill="url(#a-lamplight)"/></g>',
            f"<g {here}>{''.join(_dripstones())}{''.join(_ledges())}</g>",
            *(_niche(board, words, layout, kind) for kind in range(KINDS)),
            place("bed", (centre - 22, HALL_FLOOR - 16 - FEET), 90, words.entries["drawn.lair"], bed, where=here),
            place("treasure", (centre, HALL_FLOOR), 100, words.entries["drawn.treasure"], treasure, where=here),
            _reward(board, layout),
        )
    )


def _hit(data: str) -> str:
    """Draw nothing, where one may point nevertheless."""
    return path("hit", data)


def _dripstones() -> Iterator[str]:
    """Hang dripstones from the lair's ceiling."""
    for x, y, scale in ((-78, -276, 0.9), (86, -274, 0.8), (-240, -232, 0.9), (236, -230, 1), (-392, -128, 0.7)):
        yield use("dripstone", x, y, scale)


def _ledges() -> Iterator[str]:
    """Pile up the ledges of rock on which the niches stand."""
    chance = Random(6)
    for half, rise, foot in ((386, 42, -2), (232, 100, 40), (78, 126, 98)):
        wide, high = 2 * half, rise - foot
        face = f"M{-half} {-rise}h{wide}q7 {high // 2} 4 {high}h{-wide - 8}q-3-{high // 2} 4-{high}z"
        yield path("rock-deep", face) + path("wall-light k", face, ' fill-opacity=".45"')
        grain = [(x, chance.randint(-3, 3), chance.uniform(0.3, 0.9)) for x in range(8 - half, half, 9)]
        yield path("hatch", "".join(f"M{x} {9 - rise}l{lean} {long * (high - 8):.0f}" for x, lean, long in grain[::2]))
        rim = f"q{half - 5}-4 {wide - 10} 0q10 1 12 7q-4 8-14 8q-{half - 7} 3-{wide - 14} 0q-10-1-12-8z"
        yield path("rock k", f"M{-half - 7} {2 - rise}q2-7 12-7{rim}")


def _niche(board: Board, words: Catalog, layout: Layout, kind: int) -> str:
    """Draw a niche in the colour of its kind, with its picture on the keystone."""
    colour, number = f' fill="{board.colours[kind]}"', len(board.path) + 1 + kind
    x, y = layout.places[number]
    return place(
        f"niche-{kind}",
        (x, y - FEET),
        NICHE_ROOM,
        words.say(names.place(board, number)),
        _shared("arch"),
        _shared("alcove", "wall-deep"),
        _shared("alcove", "k", f'{colour} fill-opacity=".66"'),
        _shared("folds"),
        path("k", "M-60-2q60-5 120 0l3 12q-63 6-126 0z", colour),
        path("shine", "M-58 1q58-5 116 0l1 2q-59-5-118 0z"),
        circle("k", 0, -118, 28, colour),
        circle("card k3", 0, -118, 23),
        use(f"picture-{board.kinds[kind]}", 0, -118, 0.86),
        where=moved(x, y),
    )


def _reward(board: Board, layout: Layout) -> str:
    """Draw the sign with the coins for arriving."""
    sign = (
        path("wood-deep k3", "M-4 10h8l1 48h-10z"),
        parts.PLAQUE,
        text("count", -12, 10, f"+{board.lair}"),
        use("coin", 24, 0, 1.3),
    )
    return f"<g {moved(layout.centre + 200, HALL_FLOOR - 44)}>{''.join(sign)}</g>"


# --- Spaces -------------------------------------------------------------------------------------------------------
def _space(board: Board, words: Catalog, layout: Layout, number: int) -> str:
    """Draw a space of the path: its tile, its coins and its number; or the start space."""
    x, y = layout.places[number]
    called = words.say(names.place(board, number))
    if number == START:
        drawn = [_shared("base"), _shared("stone", "road k"), path("road-deep half", parts.SLAB_WASH)]
    else:
        coins = board.coins[number - 1]
        called = f"{called} – {_coin_words(words, coins)}"
        drawn = [
            _shared(f"space-{board.kinds[board.path[number - 1]]}"),
            _coins(coins),
            circle("card k3", -48, 17, 12),
            text("number", -48, 22.8, number),
        ]
    return place(str(number), (x, y - FEET), ROOM, called, *drawn, where=moved(x, y))


def _tile(name: str, colour: str) -> str:
    """Draw what all spaces of a kind have: the stone a dwarf stands on, and above it the banner with the picture."""
    fill = f' fill="{colour}"'
    return "".join(
        (
            _shared("banner", "k", fill),
            _shared("cloth"),
            circle("card k3", 0, -67, 27),
            use(f"picture-{name}", 0, -67, 1.05),
            _shared("base"),
            _shared("stone", "k", fill),
            _shared("slab"),
        )
    )


def _coins(coins: int) -> str:
    """Lay a space's coins, or one and their number where they are many."""
    if coins > MOST_DISCS:
        return parts.COIN_LABEL + use("coin", -2, 12, 1.3) + text("number", 22, 17.8, coins)
    return "".join(use("coin", 12 + (number - (coins - 1) / 2) * 18, 12, 1.1) for number in range(coins))


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
    room = (layout.width - 2 * BORDER) / len(names.CRESTS)
    return Point(BORDER + room * (seat + 0.5), layout.height + (TABLE - 2 * BORDER) / 2)


def _mat(words: Catalog, layout: Layout, seat: int) -> str:
    """Lay a seat's mat with its crest, and room for everything that lies before a player."""
    crest, at = names.CRESTS[seat], mat(layout, seat)
    half, high = MAT // 2, MAT_HIGH // 2
    sheet = f"M{-half} {-high}q{half} 4 {MAT} 0q-4 {high} 0 {MAT_HIGH}q{-half}-4 {-MAT} 0q4 {-high} 0 {-MAT_HIGH}z"
    edge = f"M{-half} {-high}q8 1 12 1q-4 {high - 1} 0 {MAT_HIGH - 3}h-12q4 {-high} 0 {2 - MAT_HIGH}z"
    return "".join(
        (
            f'<g data-mat="{at.x:g}" {moved(*at)}>',
            path("shadow", sheet, ' transform="translate(3 4)"'),
            path("road k", sheet),
            f"<g {classes(f'seat-{crest}')}>{path('crest half', edge)}{circle('card k3', -112, -26, 20)}",
            use(f"crest-{crest}", -112, -26, 1.7),
            "</g>",
            *_mat_places(words, seat, at),
            "</g>",
        )
    )


def _mat_places(words: Catalog, seat: int, at: Point) -> Iterator[str]:
    """Draw the places of a mat."""
    outlines = {
        "card": "M-27-37h54v74h-54z",
        "open": "M-42-40h84v80h-84z",
        "purse": "M-32-36h64v72h-64z",
        "chest": "M-24-22h48v44h-48z",
    }
    called = {name: words.entries[f"drawn.{name}"] for name in PARTS}
    called |= {name: words.entries[f"action.{name}_fist"] for name in FISTS}
    for name, (x, y, room) in (PARTS | FISTS).items():
        yield place(
            f"{name}-{seat}",
            (at.x + x, at.y + y),
            room,
            f"{words.say(names.crest(seat))} – {called[name]}",
            path("k2 no half", outlines[name], ' stroke-dasharray="5 4"') if name == "card" else "",
            _hit(outlines.get(name, "M-20-30h40v60h-40z")),
            where=moved(x, y),
        )

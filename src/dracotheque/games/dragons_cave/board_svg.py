"""The board of Dragon's Cave as SVG, without pieces: the mountain, the lair, the spaces, and a banner for every seat.

Nothing here moves; every place is a group that says where pieces stand. The banners hang in the sky beside the
mountain, one below the other: each has room for the card of the round, for two fists and for a chest.
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
    PINE, band, circle, classes, document, frame, moved, num, path, place, style_sheet, text, use,
)  # fmt: skip

BORDER = 14  # the frame around the picture
FEET = 36  # from where pieces are centred down to the ground they stand on
ROOM, NICHE_ROOM = 62, 44
OVER_DOOR, OVER_ROOM = 172, 60  # how far above its niche stand those who may have its card
BANNER, BANNER_HIGH = 164, 206
BANNER_X, BANNERS_TOP, BANNER_GAP, BANNERS_END = 104, 30, 18, 130  # the last: above the ground
PARTS = {"card": (0, 6, 66), "chest": (58, 66, 30), "left": (-42, 64, 44), "right": (42, 64, 44)}
"""What a banner has room for: where, and how much."""
MOST_DISCS = 5  # more coins on a space than these are one disc and their number


def svg(board: Board, words: Catalog, *, night: bool) -> str:
    """Draw a cave without pieces."""
    layout = Layout(board)
    width, height = layout.width, layout.height
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
        *(_banner(words, layout, seat) for seat in range(len(names.CRESTS))),
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
            _over(board, words, layout),
        )
    )


def _over(board: Board, words: Catalog, layout: Layout) -> str:
    """Make the places above the niches for the players who can have their cards."""
    places = []
    for kind in range(KINDS):
        x, y = layout.places[len(board.path) + 1 + kind]
        called = words.say(phrase("table.over", card=phrase(f"card.{board.kinds[kind]}")))
        places.append(place(f"over-{kind}", (x, y - OVER_DOOR), OVER_ROOM, called))
    return "".join(places)


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


# --- The banners of the seats -------------------------------------------------------------------------------------
def banner_scale(layout: Layout) -> float:
    """Return how large banners are: as large as four of them have room above the meadow."""
    room = layout.ground - BANNERS_END - BANNERS_TOP
    return min(1, room / (len(names.CRESTS) * (BANNER_HIGH + BANNER_GAP)))


def banner(layout: Layout, seat: int) -> Point:
    """Find the middle of a seat's banner."""
    high = (BANNER_HIGH + BANNER_GAP) * banner_scale(layout)
    return Point(BANNER_X, BANNERS_TOP + high * (seat + 0.5))


def _banner(words: Catalog, layout: Layout, seat: int) -> str:
    """Hang up a seat's banner with its crest, and room for everything that lies before a player."""
    crest, at, scale = names.CRESTS[seat], banner(layout, seat), banner_scale(layout)
    half, high = BANNER // 2, BANNER_HIGH // 2
    cord = (
        f"M{20 - half} {-high - BANNER_GAP - 2}v{BANNER_GAP + 8}M{half - 20} {-high - BANNER_GAP - 2}v{BANNER_GAP + 8}"
    )
    hem = "l-20-10-21 12-20-11-21 12-21-12-21 11-20-12-20 10"
    sheet = f"M{-half} {-high}q{half} 5 {BANNER} 0q-5 {high} 0 {BANNER_HIGH - 4}{hem}q5 {-high} 0 {4 - BANNER_HIGH}z"
    return "".join(
        (
            f'<g data-mat="{num(at.y)}" data-scale="{scale:.3g}" {moved(*at, scale)}>',
            band("ink", cord, 5.4),
            band("rope", cord, 3),
            path("shadow", sheet, ' transform="translate(4 5)"'),
            f"<g {classes(f'seat-{crest}')}>{path('crest k', sheet)}",
            path(
                "road k3",
                f"M{14 - half} {8 - high}q{half - 14} 4 {BANNER - 28} 0q-4 {high} 0 {BANNER_HIGH - 38}"
                f"q{14 - half}-6 {28 - BANNER} 0q4 {18 - high} 0 {38 - BANNER_HIGH}z",
            ),
            path(
                "wood k",
                f"M{-half - 5} {-high - 5}q{half + 5}-4 {BANNER + 10} 0q4 6 0 12q{-half - 5} 4 {-BANNER - 10} 0"
                "q-4-6 0-12z",
            ),
            f"{circle('card k', 24 - half, 12 - high, 25)}{use(f'crest-{crest}', 24 - half, 12 - high, 2.1)}",
            "</g>",
            *_banner_places(words, seat, at, scale),
            "</g>",
        )
    )


def _banner_places(words: Catalog, seat: int, at: Point, scale: float) -> Iterator[str]:
    """Draw the places of a banner."""
    outlines = {"card": "M-50-66h100v132h-100z", "chest": "M-28-26h56v50h-56z"}
    called = {
        "card": words.entries["drawn.card"],
        "chest": words.entries["drawn.chest"],
        "left": words.entries["action.left_fist"],
        "right": words.entries["action.right_fist"],
    }
    for name, (x, y, room) in PARTS.items():
        yield place(
            f"{name}-{seat}",
            (at.x + x * scale, at.y + y * scale),
            room * scale,
            f"{words.say(names.crest(seat))} – {called[name]}",
            path("k2 no half", outlines[name], ' stroke-dasharray="6 5"') if name == "card" else "",
            _hit(outlines.get(name, "M-36-44h72v88h-72z")),
            where=moved(x, y),
        )

"""Where everything is on Emerald's drawn board, and the drawing of every place; the land around is scenery.svg."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dracotheque.games.emerald import names
from dracotheque.engine.phrases import Catalog
from dracotheque.games.emerald.rules.state import CAVES, CHAMBER, FIRST_CAVE, FIRST_FIELD, NEST, TOWERS, TREASURES
from dracotheque.presentation.svg import place, touch

Spot = tuple[float, float]

# --- Colours: the custom properties of the picture, which its pieces use too ----------------------------------------
DAY = {
    "paper": "#f7eedb", "ink": "#2a2018", "stone": "#8b8578", "num": "#2a2018", "shade": "#2a2018", "shop": ".16",
    "emerald": "#1f7a5c", "gold": "#c8952c", "ember": "#b5432a", "sapphire": "#2f5fa8", "amethyst": "#7a4a94",
    "skya": "#f6e3b8", "skyb": "#cfe0dc", "skyc": "#ece9cf", "cloud": "#fffaf0", "sun": "#eebf4e", "glow": "#f7dc93",
    "far": "#c5cfc0", "hilla": "#d5d7a2", "hillb": "#bfca8c", "mead": "#c9d190", "meadb": "#a9bb74", "patch": "#dde0a6",
    "wheat": "#ecd384", "clov": "#a9bb74", "gr": "#35604a", "rock": "#e0d4bb", "rockl": "#eee3cb", "rockd": "#b7a39b",
    "rockx": "#8f7b7c", "snow": "#fffaf0", "cave": "#382c28", "caveb": "#5a463c", "road": "#f3e2b6",
    "roadd": "#d9bf88", "wall": "#f0e2c6", "walld": "#cdb891", "win": "#4a3b30", "pine": "#4f7f5a", "pined": "#35604a",
    "wood": "#b98649", "woodd": "#8a5c2e", "card": "#fffaf0", "cardd": "#e8d8b4", "steel": "#d9d6cc",
    "drag": "#3f9c72", "dragl": "#8cc79c", "dragd": "#1f7a5c", "belly": "#f1dd9c", "ruby": "#c2412f",
    "garnet": "#6f2347", "turq": "#2f9a9c", "coin": "#e2b03f", "sunop": "1", "moonop": "0", "lampop": "0",
}  # fmt: skip
NIGHT = DAY | {
    "paper": "#14182a", "ink": "#0b0e1b", "num": "#1d1a20", "shade": "#05070f", "shop": ".4",
    "emerald": "#2b9270", "gold": "#dca93c", "ember": "#c8533a", "sapphire": "#4a7cc9", "amethyst": "#9465b0",
    "skya": "#2a3052", "skyb": "#131729", "skyc": "#1c2240", "cloud": "#343c60", "sun": "#f2e3b0", "glow": "#5a5470",
    "far": "#28304f", "hilla": "#2b3d4e", "hillb": "#26413f", "mead": "#2c4a48", "meadb": "#223b3e", "patch": "#4b6b54",
    "wheat": "#857a48", "clov": "#46704f", "gr": "#7fb089", "rock": "#4a4f70", "rockl": "#626788", "rockd": "#363b5a",
    "rockx": "#272b45", "snow": "#b9c0dc", "cave": "#171320", "caveb": "#6b4420", "road": "#8d8068",
    "roadd": "#625a55", "wall": "#6f7192", "walld": "#4b4e70", "win": "#f4c55c", "pine": "#2a5a50", "pined": "#1c4140",
    "wood": "#bd8a4a", "woodd": "#6d4722", "card": "#f3e7c8", "cardd": "#b7a988", "steel": "#b9bed2",
    "drag": "#3fa97b", "dragl": "#86cfa0", "dragd": "#1c7054", "belly": "#efd487", "garnet": "#7a2850",
    "coin": "#e8b849", "sunop": "0", "moonop": "1", "lampop": "1",
}  # fmt: skip

# --- Where everything is, in units of the picture: where feet touch the ground ---------------------------------------
STARTS: tuple[Spot, ...] = ((76, 356), (134, 228), (326, 228), (384, 356), (230, 130))
STOREYS = (140, 190, 190, 140, 290)  # how high a start place stands above the ground
FIELDS: tuple[Spot, ...] = ((112, 578), (112, 682), (246, 694), (354, 630), (432, 548), (508, 642))
CAVE_SPOTS: tuple[Spot, ...] = (
    (642, 664), (802, 664), (962, 664), (1094, 492), (934, 492), (774, 492), (614, 492), (696, 300), (856, 300),
)  # fmt: skip
LAIR: Spot = (1070, 312)
NESTING: Spot = (1076, 160)
EASTWARD = (0, 1, 2, 7, 8)
"""The caves where the way to the lair leads to the right, counted from 0."""
HEAD = 26  # the middle of a knight above its feet
FROM_CASTLE: tuple[Spot, ...] = ((230, 486), (216, 520), (160, 548))
UPHILL: tuple[Spot, ...] = ((1060, 664), (1142, 630), (1166, 570), (1150, 506))
TURN: tuple[Spot, ...] = ((562, 476), (552, 424), (590, 360), (640, 312))
INTO_LAIR: tuple[Spot, ...] = ((930, 302), (1000, 306))


def key(number: int) -> str:
    """Write a place of the road or the nest as its key in the picture."""
    return str(number)


# --- The parts of the picture -----------------------------------------------------------------------------------------
def palette(night: bool) -> str:
    """Write the colours as custom properties."""
    return ";".join(f"--{name}:{colour}" for name, colour in (NIGHT if night else DAY).items())


def smooth(points: Sequence[Spot]) -> str:
    """Draw a line through points that has no corners."""
    around = [points[0], *points, points[-1]]
    parts = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(around, around[1:], around[2:], around[3:], strict=False):
        curve = (bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6, cx, cy)
        parts.append("C" + " ".join(f"{number:.0f}" for number in curve))
    return "".join(parts)


def road() -> str:
    """Draw the road from the castle's gate over the fields and past the caves into the lair."""
    path = [*CAVE_SPOTS[:3], *UPHILL, *CAVE_SPOTS[3:7], *TURN, *CAVE_SPOTS[7:], *INTO_LAIR]
    low, high = smooth([*FROM_CASTLE, *FIELDS, CAVE_SPOTS[0]]), smooth(path)
    strokes = (
        ("rockx", 42, 24, ";opacity:.45", "high"), ("ink", 36, 24, ";opacity:.5;stroke-dasharray:1 9", "high"),
        ("shade", 50, 5, ";opacity:var(--shop)", "both"), ("ink", 47, 0, "", "both"), ("road", 43.5, 0, "", "both"),
        ("roadd", 1.6, 10, ";stroke-dasharray:6 29 3 41", "both"),
        ("roadd", 1.6, -11, ";stroke-dasharray:4 37", "both"),
    )  # fmt: skip
    both = '<g id="a-both"><use href="#a-low"/><use href="#a-high"/></g>'
    lines = [_HILL, f'<defs><path id="a-low" d="{low}"/><path id="a-high" d="{high}"/>{both}</defs>']
    for colour, width, down, more, which in strokes:
        style = f"stroke:var(--{colour});stroke-width:{width}{more}"
        lines.append(f'<use href="#a-{which}" class="a-way" y="{down}" style="{style}"/>')
    return "\n".join(lines)


_HILL = '<path class="a-hillb a-k" d="M-4 512q20-46 90-44h290q80 0 96 52q-60 22-120 6q-120-30-240 0q-60 12-116-14z"/>'


def places(words: Catalog) -> str:
    """Draw every place, those behind before those in front of them."""
    parts = [
        *_nest(words),
        *_lair(words),
        *_caves(words, range(7, CAVES)),
        *_castle(words),
        *_caves(words, range(3, 7)),
        *_fields(words),
        *_caves(words, range(3)),
    ]
    return "\n".join(parts)


def _use(name: str, x: float, y: float, across: float = 1, down: float | None = None) -> str:
    """Set down a thing that is drawn once."""
    scale = f"{across:g}" if down is None else f"{across:g} {down:g}"
    return f'<use href="#a-{name}" transform="translate({x:g} {y:g})scale({scale})"/>'


def _number(x: float, y: float, number: int) -> str:
    """Write a number on a round sign."""
    sign = f'<circle class="a-card a-k" cx="{x:g}" cy="{y:g}" r="12"/>'
    return f'{sign}<text class="a-num" x="{x:g}" y="{y + 6:g}">{number}</text>'


def _beside(words: Catalog, entry: str, cave: int) -> str:
    """Name something that lies at a cave: “rod · cave 4”."""
    return f"{words.entries[entry]} · {words.say(names.place(FIRST_CAVE + cave))}"


# --- The castle -------------------------------------------------------------------------------------------------------
def _castle(words: Catalog) -> Iterator[str]:
    """Draw the castle: the keep and two towers behind the wall, two towers before it."""
    yield _start(words, TOWERS)
    yield from (_start(words, tower) for tower in (1, 2))
    yield _wall()
    yield from (_start(words, tower) for tower in (0, 3))


def _start(words: Catalog, number: int) -> str:
    """Draw a start place: a round tower one can stand on, with its number or the castle's arms."""
    x, y = STARTS[number]
    wide, high = (64 if number == TOWERS else 58), STOREYS[number]
    arms = f'<g transform="translate(0 66)"><path class="a-card a-k" d="{_SHIELD}"/>'
    arms += (
        _use("g-emerald", 0, -5, 0.8) if number == TOWERS else f'<text class="a-num" y="1">{number + 1}</text>'
    ) + "</g>"
    tower = f'<g transform="translate({x:g} {y:g})">{_tower(wide, high)}{arms}</g>'
    label = words.say(names.place(number))
    return place(key(number), (x, y - HEAD + 4), 50, label, tower + touch(x, y - HEAD + 4, 50))


_SHIELD = "M-14-18q14-3 28 0q1 17-14 28q-15-11-14-28z"


def _tower(wide: float, high: float) -> str:
    """Draw a round tower about the middle of its platform."""
    deep, body = wide * 0.27, wide - 9
    merlons = "".join(
        f"M{at * wide:.1f} {-deep * (1 - at * at) ** 0.5 + 3:.1f}v-13h{0.2 * wide:.1f}v13z"
        for at in (-0.96, -0.62, -0.27, 0.08, 0.43, 0.76)
    )
    flags = _flag(-wide + 6, "ember") + _flag(wide - 6, "amethyst") if wide > 60 else ""
    bricks = "".join(f"M{bx} {by}h9v4" for bx, by in ((-36, 52), (-30, 92), (18, 104), (-8, 116), (-38, 128)))
    return (
        f'{flags}<path class="a-wall a-k" d="M{-body} 14l-4 {high - 14}q{body} 14 {2 * body + 8} 0l-4-{high - 14}z"/>'
        f'<path class="a-walld" opacity=".8" d="M{body * 0.35:.0f} 24q{body * 0.4:.0f}-2 {body * 0.65:.0f}-10'
        f'l4 {high - 14}q-{body * 0.3:.0f} 6-{body * 0.55:.0f} 7z"/>'
        f'<path class="a-ks" d="{bricks}"/>'
        '<path class="a-win a-k2" d="M-26 100v-14q5-7 10 0v14zM16 84v-12q4-6 8 0v12z"/>'
        f'<circle class="a-lamp" cx="-21" cy="93" r="24" fill="url(#a-lp)"/>'
        f'<path class="a-wall a-k3" d="{merlons}"/>'
        f'<path class="a-wall a-k" d="M{-wide} 0v15a{wide} {deep:.1f} 0 0 0 {2 * wide} 0v-15z"/>'
        f'<path class="a-walld" opacity=".8" d="M{wide * 0.4:.0f} {deep * 0.9:.0f}q{wide * 0.5:.0f}-4 {wide * 0.6:.0f}-'
        f'{deep * 0.9:.0f}v15q-{wide * 0.1:.0f} 9-{wide * 0.6:.0f} {deep * 0.9:.0f}z"/>'
        f'<ellipse class="a-walld a-k" rx="{wide}" ry="{deep:.1f}"/>'
        f'<path class="a-road" opacity=".75" d="M{wide - 5} 2a{wide - 5} {deep - 4:.1f} 0 0 1 {-2 * wide + 10} 0'
        f'a{wide - 5} {deep - 4:.1f} 0 0 1 {2 * wide - 10} 0z"/>'
    )


def _flag(x: float, colour: str) -> str:
    """Draw a flag on its pole."""
    return (
        f'<path class="a-k" d="M{x:g} 0v-78"/>'
        f'<path class="a-{colour} a-k" d="M{x:g}-78c6-4 11 3 20-1l-4 6l5 6c-9 4-14-3-21 1z"/>'
    )


def _wall() -> str:
    """Draw the wall with its gate between the front towers."""
    top = "".join("h13v-11h14v11" for _ in range(11))
    return (
        f'<path class="a-wall a-k" d="M84 412{top}v82q-150 10-298 0z"/>'
        '<path class="a-ks" d="M140 440h12v5M164 462h11M290 436h12v5M276 470h12M308 456h10v5M150 476h9"/>'
        '<path class="a-wall a-k" d="M194 496v-52q36-44 72 0v52z"/>'
        '<path class="a-cave a-k2" d="M202 497v-48q28-34 56 0v48z"/>'
        '<path class="a-krg" d="M212 497v-58M224 497v-66M236 497v-66M248 497v-59M202 458h56M202 476h56"/>'
        '<circle class="a-lamp" cx="230" cy="470" r="46" fill="url(#a-lp)"/>'
    )


# --- The plain --------------------------------------------------------------------------------------------------------
_SOWN = ("wheat", "clov", "patch")


def _fields(words: Catalog) -> Iterator[str]:
    """Draw the six fields with what grows on them, each with its post."""
    for number, (x, y) in enumerate(FIELDS):
        plants = "".join(
            _use(("tu", "fl", "fy")[(n + number) % 3], x + 38 * u, y + 17 * v, 0.9) for n, (u, v) in enumerate(_SPREAD)
        )
        drawing = (
            f'<g transform="translate({x + 2:g} {y + 5:g})scale(1.4 1.5)" class="a-sh"><use href="#a-field"/></g>'
            f'<g transform="translate({x:g} {y:g})scale(1.4 1.5)"><use href="#a-field" class="a-road a-k"/>'
            f'<use href="#a-field" class="a-{_SOWN[number % 3]}" transform="scale(.88)"/></g>{plants}'
            f'{_use("post", x - 52, y - 8, 1.15)}<text class="a-num" x="{x - 53:g}" y="{y - 30:g}">{number + 1}</text>'
        )
        spot = (x, y - HEAD + 6)
        label = words.say(names.place(FIRST_FIELD + number))
        yield place(key(FIRST_FIELD + number), spot, 48, label, drawing + touch(*spot, 48))


_SPREAD = ((-0.9, 0.5), (-0.4, 1), (0.3, 1.1), (0.9, 0.6), (0.6, -0.5), (-0.6, -0.5))


# --- The mountain -----------------------------------------------------------------------------------------------------
def _caves(words: Catalog, caves: Sequence[int]) -> Iterator[str]:
    """Draw caves: the mouth, the dragon's perch on top, a pile on either side, and the rod's track before it."""
    for cave in caves:
        x, y = CAVE_SPOTS[cave]
        side = -1 if cave % 2 else 1
        spot, sign = (x, y - HEAD + 2), _number(x, y - 77, cave + 1)
        mouth = _use("cave", x, y + 2, side * 1.18, 1.18) + sign + touch(*spot, 44)
        yield place(f"perch-{cave + 1}", (x, y - 131), 44, _beside(words, "dragon", cave), _ledge(x, y - 92))
        yield place(key(FIRST_CAVE + cave), spot, 44, words.say(names.place(FIRST_CAVE + cave)), mouth)
        yield place(f"gem-{cave + 1}", (x - 60, y - 21), 24, _beside(words, "hand.gems", cave), _slab(x - 60, y))
        yield place(f"gold-{cave + 1}", (x + 60, y - 21), 24, _beside(words, "hand.gold", cave), _slab(x + 60, y))
        yield place(f"track-{cave + 1}", (x, y + 29), 20, _beside(words, "rod", cave), _groove(x, y + 29))


def _ledge(x: float, y: float) -> str:
    """Draw the ledge on top of a cave where the dragon settles."""
    return f'<path class="a-rockl a-k" d="M{x - 30:g} {y + 10:g}q8-14 30-13t30 13q-30 8-60 0z"/>'


def _slab(x: float, y: float) -> str:
    """Draw the slab a pile of cards stands on, seen when the pile is used up."""
    slab = f'<path class="a-rockd a-k3" d="M{x - 17:g} {y - 2:g}q17-6 34 0v5q-17 5-34 0z"/>'
    return slab + touch(x, y - 22, 24)


def _groove(x: float, y: float) -> str:
    """Draw the groove in which the rod slides."""
    return f'<path class="a-ks" d="M{x - 76:g} {y + 6:g}q76 4 152 0"/>'


def _lair(words: Catalog) -> Iterator[str]:
    """Draw the treasure chamber: knights stand in front, treasures lie behind them."""
    x, y = LAIR
    hall = _use("hall", x, y, 1.24)
    spot = (x, y - HEAD)
    yield place(key(CHAMBER), spot, 62, words.say(names.place(CHAMBER)), hall + touch(*spot, 62))
    for number in range(TREASURES):
        at = (x - 69 + 46 * number, y - 74)
        label = f"{words.entries['hand.treasures']} {number + 1}"
        block = f'<path class="a-rockd a-k3" d="M{at[0] - 19:g} {at[1] + 16:g}q19-5 38 0v9q-19 5-38 0z"/>'
        yield place(f"treasure-{number + 1}", at, 20, label, block)


def _nest(words: Catalog) -> Iterator[str]:
    """Draw the nest above the lair, where the dragon's young one plays with captured knights."""
    x, y = NESTING
    spot = (x + 20, y - HEAD)
    yield place(key(NEST), spot, 46, words.entries["hand.nest"], _use("nest", x, y, 1.42) + touch(*spot, 46))

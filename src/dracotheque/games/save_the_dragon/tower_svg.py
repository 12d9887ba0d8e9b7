"""The tower around the stairs, and what the whole picture is drawn with: its measures, colours, lines and lights."""

from __future__ import annotations

import math
from random import Random

from dracotheque.presentation.svg import BIRD, CLOUD, MOON, PINE, STAR, blob, circle, moved, num, path, smooth

# --- Measures, in units of the picture ----------------------------------------------------------------------------
WIDTH, HEIGHT, CENTRE = 960, 1360, 480
FOOT = 1226  # where the floor meets the lowest step
HALF = 336  # half the width of the lowest step
ROOF, EAVES, HALL_TOP, HALL_FLOOR, LINTEL = 66, 180, 100, 262, 276
PARAPET, POST = 52, 34  # how wide the low walls are, and how far from the stairs their posts stand

DAY = {
    "paper": "#f7eedb", "card": "#fffaf0", "ink": "#2a2018", "frame": "#6b5a48", "label": "#2a2018", "gold": "#c8952c",
    "sky-high": "#cfe0dc", "sky-mid": "#ece9cf", "sky-low": "#f6e3b8", "cloud": "#fffaf0", "sun": "#eebf4e",
    "glow": "#f7dc93", "far": "#c5cfc0", "meadow": "#c9d190", "pine": "#4f7f5a", "pine-deep": "#35604a",
    "lamp": "#f5c877", "wood": "#b98649", "wood-deep": "#8a5c2e", "steel": "#d9d6cc", "steel-deep": "#a9a59a",
    "coin": "#e2b03f", "dragon": "#3f9c72", "dragon-light": "#8cc79c", "dragon-deep": "#1f7a5c", "belly": "#f1dd9c",
    "shade": "#2a2018", "tower": "#e6d6b6", "tower-deep": "#bfa582", "brick": "#cdb48c", "stair": "#f4e8cd",
    "stair-light": "#fffaf0", "riser": "#d8c4a0", "riser-deep": "#b89f7c", "parapet": "#eadcbc",
    "parapet-deep": "#cbb48d", "hall": "#7d5f49", "hall-deep": "#4d382c", "dark": "#33261e", "roof": "#b5432a",
    "roof-deep": "#8c2f1c", "floor": "#e5d8bb", "floor-deep": "#c9b58e", "leaf": "#5d8a52", "leaf-deep": "#3f6b45",
    "rug": "#b5573c", "rug-light": "#ecc98a", "flame": "#f2a93b", "flame-light": "#fdeaa6", "may": "#f4cf6d",
    "meant": "#e8b23a",
}  # fmt: skip
NIGHT = DAY | {
    "paper": "#14182a", "card": "#f3e7c8", "ink": "#0b0e1b", "frame": "#7d6a3c", "label": "#1d1a20", "gold": "#dca93c",
    "sky-high": "#131729", "sky-mid": "#1c2240", "sky-low": "#2a3052", "cloud": "#343c60", "sun": "#f2e3b0",
    "glow": "#5a5470", "far": "#28304f", "meadow": "#2c4a48", "pine": "#2a5a50", "pine-deep": "#1c4140",
    "lamp": "#f4b54c", "wood": "#bd8a4a", "wood-deep": "#6d4722", "steel": "#a9aec4", "steel-deep": "#7f85a0",
    "coin": "#e8b849", "dragon": "#3fa97b", "dragon-light": "#86cfa0", "dragon-deep": "#1c7054", "belly": "#efd487",
    "shade": "#05070f", "tower": "#3d3a58", "tower-deep": "#23233c", "brick": "#57506c", "stair": "#a8926d",
    "stair-light": "#d6bd8c", "riser": "#6a5a56", "riser-deep": "#463d4a", "parapet": "#574f63",
    "parapet-deep": "#38344c", "hall": "#6b4a30", "hall-deep": "#2c1e22", "dark": "#120e16", "roof": "#7c3230",
    "roof-deep": "#4d2230", "floor": "#5a5260", "floor-deep": "#3d394e", "leaf": "#35604f", "leaf-deep": "#234540",
    "rug": "#8a3d30", "rug-light": "#c79a55", "flame": "#f4a836", "flame-light": "#fff0b4", "may": "#d3a552",
    "meant": "#f7cf7c",
}  # fmt: skip
SHADED = (
    "sky-high", "sky-mid", "sky-low", "tower", "tower-deep", "roof", "roof-deep", "dark", "hall", "hall-deep", "riser",
    "riser-deep", "glow", "lamp", "brick",
)  # fmt: skip
"""The colours of gradients."""
LINES = {
    ".k,.k2,.k3,.k4,.hatch": "stroke:%(ink)s;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round",
    ".k2": "stroke-width:.9",
    ".k3": "stroke-width:1.3",
    ".k4": "stroke-width:2.4",
    ".hatch": "stroke-width:.9;opacity:.5",
    ".edge": "stroke:%(frame)s",
    ".no,.hatch,.edge": "fill:none",
    ".shadow": "fill:%(shade)s;opacity:.22",
    ".shine": "fill:#fff;opacity:.3",
    ".half": "opacity:.5",
    ".number": 'font-family:Alegreya,Georgia,"Times New Roman",serif;font-weight:700;text-anchor:middle;'
    "font-variant-numeric:lining-nums;fill:%(label)s",
    ".joint": "stroke:%(ink)s;stroke-width:1.2;opacity:.32;stroke-linecap:round;fill:none",
    ".lane": "stroke:%(ink)s;stroke-width:1.6;opacity:.5;stroke-dasharray:5 6;fill:none",
    ".groove": "stroke:%(ink)s;stroke-width:4;opacity:.26;stroke-linecap:round;stroke-linejoin:round;fill:none",
    ".nose": "stroke:%(stair-light)s;stroke-width:3;stroke-linecap:round;fill:none",
    ".bar": "stroke:%(ink)s;stroke-width:5;stroke-linecap:round;fill:none",
    ".chain": "stroke:%(steel-deep)s;stroke-width:6;stroke-dasharray:8 4;fill:none",
    ".stars": "stroke:%(sun)s;stroke-width:3;stroke-linecap:round;fill:none",
    ".faint": "opacity:.28",
    ".letter": "font-size:26px",
    ".step": "font-size:25px",
}
# The page gives the class `may` to a place that can be chosen: then its tread or the stones of its door are lit, and no
# ring is needed.
CHOICES = """.place.may .a-stair,.place.may .a-parapet{fill:%(may)s}
.place.may:hover .a-stair,.place.may:focus .a-stair,.place.may:hover .a-parapet,.place.may:focus .a-parapet\
{fill:%(meant)s}
.glow circle{display:none}"""


def lights(night: bool) -> str:
    """Make the sky, the shade of a round tower, the light of torches, and a sprig of ivy that is drawn once."""
    lamp = 0.62 if night else 0.4
    return f"""
<clipPath id="a-inside"><rect x="14" y="14" width="{WIDTH - 28}" height="{HEIGHT - 28}" rx="9"/></clipPath>
<linearGradient id="a-sky" x2="0" y2="1"><stop class="a-sky-high"/><stop offset=".55" class="a-sky-mid"/>
<stop offset="1" class="a-sky-low"/></linearGradient>
<linearGradient id="a-round"><stop class="a-tower-deep"/><stop offset=".16" class="a-tower"/>
<stop offset=".8" class="a-tower"/><stop offset="1" class="a-tower-deep"/></linearGradient>
<linearGradient id="a-cone"><stop class="a-roof"/><stop offset=".45" class="a-roof"/>
<stop offset="1" class="a-roof-deep"/></linearGradient>
<linearGradient id="a-deep" x2="0" y2="1"><stop class="a-dark"/><stop offset=".55" class="a-hall-deep"/>
<stop offset="1" class="a-hall"/></linearGradient>
<linearGradient id="a-front" x2="0" y2="1"><stop class="a-riser-deep"/><stop offset=".35" class="a-riser"/>
<stop offset="1" class="a-riser"/></linearGradient>
<radialGradient id="a-glow"><stop class="a-glow"/><stop offset="1" class="a-glow" stop-opacity="0"/></radialGradient>
<radialGradient id="a-hall" cy=".7" r=".75"><stop class="a-lamp" stop-opacity=".85"/>
<stop offset=".5" class="a-hall"/><stop offset="1" class="a-hall-deep"/></radialGradient>
<radialGradient id="a-lamp"><stop class="a-lamp" stop-opacity="{lamp}"/>
<stop offset=".4" class="a-lamp" stop-opacity="{lamp / 2.4:.2f}"/><stop offset="1" class="a-lamp" stop-opacity="0"/>
</radialGradient><radialGradient id="a-stain"><stop class="a-brick" stop-opacity=".55"/>
<stop offset="1" class="a-brick" stop-opacity="0"/></radialGradient>
<path id="a-plate" class="a-card a-k3" d="M-15-13q15-5 30 0q3 13 0 26q-15 5-30 0q-3-13 0-26z"/>
<g id="a-sprig">{"".join(_leaf(*leaf) for leaf in LEAVES)}</g>"""


LEAVES = (("leaf-deep", 9, 6, 50), ("leaf", -10, 4, -50), ("leaf", 4, -8, 12))  # of a sprig of ivy


def _leaf(shade: str, x: float, y: float, turn: float) -> str:
    """Draw a leaf of ivy."""
    shape = "M0 0q-9-4-8-13q5 1 8 4q1-6 6-9q4 6 2 10q5-1 9 2q-4 8-17 6z"
    return path(f"{shade} k2", shape, f' transform="translate({x} {y})rotate({turn})"')


def light(x: float, y: float, reach: float, kind: str = "lamp") -> str:
    """Let a light shine, or lay a stain on a wall."""
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(reach)}" fill="url(#a-{kind})" pointer-events="none"/>'


def area(*points: tuple[float, float]) -> str:
    """Write the outline of a shape with straight sides."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "z"


# --- The world outside --------------------------------------------------------------------------------------------
def sky(night: bool) -> str:
    """Paint the sky beside the tower: sun, clouds and birds, or moon and stars; and hills below."""
    lights = _moon() if night else _sun()
    return f'<rect fill="url(#a-sky)" width="{WIDTH}" height="{HEIGHT}"/>' + lights + _hills()


def _sun() -> str:
    """Draw clouds and birds around a sun that stands behind the tower."""
    clouds = ((64, 330, 0.9), (902, 452, 0.9), (40, 690, 0.7), (936, 800, 0.7), (300, 48, 0.5), (650, 44, 0.6))
    birds = "".join(f"M{x} {y}{BIRD}" for x, y in ((30, 500), (52, 482), (884, 640), (908, 622)))
    return (
        light(880, 210, 190, "glow")
        + "".join(f"<g {moved(*cloud)}>{CLOUD}</g>" for cloud in clouds)
        + path("hatch", birds)
    )


def _moon() -> str:
    """Draw a moon and the stars."""
    chance, large, small = Random(7), "", ""
    for number in range(170):
        x, y = chance.uniform(20, WIDTH - 20), chance.uniform(22, 1000)
        if abs(x - CENTRE) < _outer(y) - 6 and y > ROOF - 26:
            continue
        if number % 5:
            small += f"M{x:.0f} {y:.0f}h0"
        else:
            large += f"M{x:.0f} {y:.0f}{STAR}"
    moon = f'<path class="a-sun a-k" {moved(914, 420, 0.8)} d="{MOON}"/>'
    return path("stars", small) + path("sun", large) + light(914, 420, 130, "glow") + moon


def _hills() -> str:
    """Paint the hills behind the tower, with a few pines."""
    far = smooth([(x, FOOT - 210 + 40 * math.sin(x / 130)) for x in range(-20, WIDTH + 90, 70)])
    near = smooth([(x, FOOT - 110 + 30 * math.sin(x / 90 + 2)) for x in range(-20, WIDTH + 90, 70)])
    pines = "".join(
        f"<g {moved(x, y, scale)}>{PINE}</g>"
        for x, y, scale in ((34, FOOT - 66, 1.5), (60, FOOT - 24, 1.2), (926, FOOT - 70, 1.5), (898, FOOT - 20, 1.1))
    )
    return (
        path("far", f"{far}V{HEIGHT}H-20z")
        + path("k3 no half", far)
        + path("meadow", f"{near}V{HEIGHT}H-20z")
        + path("k3 no half", near)
        + pines
    )


# --- The tower ----------------------------------------------------------------------------------------------------
def _outer(y: float) -> float:
    """Return how far from the middle the tower reaches at a height."""
    return 372 + 46 * (y - ROOF) / (FOOT - ROOF)


def tower() -> str:
    """Draw the tower: its round wall, battlements, and two turrets with banners."""
    top, low = _outer(ROOF), _outer(FOOT)
    corners = [(322, ROOF), (322, EAVES), (top, EAVES), (low, FOOT + 6)]
    wall = area(*((CENTRE + x, y) for x, y in corners), *((CENTRE - x, y) for x, y in reversed(corners)))
    merlons = "".join(
        f'<rect class="a-k" fill="url(#a-round)" x="{num(x)}" y="{ROOF - 26}" width="40" height="30" rx="2"/>'
        for x in range(CENTRE - 300, CENTRE + 280, 70)
    )
    return (
        merlons
        + f'<path class="a-k" fill="url(#a-round)" d="{wall}"/>'
        + "".join(light(x, y, 90, "stain") for x, y in ((150, 330), (830, 520), (110, 760), (850, 960), (90, 1120)))
        + path("joint", _bricks())
        + path("k3 no", f"M{CENTRE - 322} {ROOF + 18}h644")
        + _turret(CENTRE - top + 12, "M0-80v-30")
        + _turret(CENTRE + top - 12, "M0-80v-30")
    )


def _bricks() -> str:
    """Scatter bricks over the wall: beside the stairs and around the chamber, not everywhere."""
    chance, bricks = Random(11), ""
    for row, y in enumerate(range(ROOF + 26, FOOT - 20, 22)):
        for column in range(-11, 12):
            x = CENTRE + 38 * column + (19 if row % 2 else 0)
            beside = abs(x + 17 - CENTRE) + 24
            hidden = y > LINTEL and beside < HALF + PARAPET * 0.8 - (FOOT - y) * 0.07
            hidden |= beside > _outer(y) or (HALL_TOP - 10 < y < LINTEL and beside < 270)
            if not hidden and chance.random() < 0.4:
                bricks += f"M{x} {y}q17-2 34 0v18q-17 2-34 0z"
    return bricks


def _turret(x: float, pole: str) -> str:
    """Draw a small turret that grows out of the wall, with a roof and a banner."""
    body = "M-44 0h88v150q0 26-22 44l-12 10h-20l-12-10q-22-18-22-44z"
    return (
        f"<g {moved(x, 150)}>"
        + f'<path class="a-k" fill="url(#a-round)" d="{body}"/>'
        + path("k3 no", "M-44 146q44 10 88 0M-30 180q30 8 60 0")
        + path("dark k", "M-11 84v-26q11-16 22 0v26z")
        + path("joint", "M-34 24h18v12h-18zM14 30h20v12h-20zM-30 112h20v12h-20zM12 118h20v12h-20z")
        + path("bar", pole)
        + path("gold k3", "M2-112q16-8 28 0t26 0q-10 10 0 22q-12 6-26 0t-28 0z" if x > CENTRE else
               "M-2-112q-16-8-28 0t-26 0q10 10 0 22q12 6 26 0t28 0z")
        + '<path class="a-k" fill="url(#a-cone)" d="M-56 6Q-22-36 0-88Q22-36 56 6Q0 20-56 6z"/>'
        + path("joint", "M-40-6q40 12 80 0M-26-26q26 8 52 0M-14-48q14 5 28 0")
        + "</g>"
    )  # fmt: skip


def ivy() -> str:
    """Let ivy climb on the outer edges of the tower."""
    chance, leaves = Random(3), ""
    for side, low, high in ((-1, FOOT, 800), (1, FOOT, 950), (-1, 560, 330), (1, 700, 420)):
        stem = [
            (CENTRE + side * (_outer(y) - 12 + 9 * math.sin(y / 23)), y) for y in range(low, high, -28)
        ]  # fmt: skip
        leaves += path("joint", smooth(stem))
        for x, y in stem:
            turn, scale = chance.randint(-60, 60), chance.uniform(0.8, 1.2)
            where = f"translate({x:.0f} {y:.0f})rotate({turn})scale({scale:.1f})"
            leaves += f'<use href="#a-sprig" transform="{where}"/>'
    return f'<g pointer-events="none">{leaves}</g>'


# --- The dragon ---------------------------------------------------------------------------------------------------
def _scales(*spots: tuple[float, float]) -> str:
    """Draw a few scales."""
    return path("k2 no", "".join(f"M{x} {y}q3 4 6 0" for x, y in spots))


def _spikes(*spikes: tuple[float, float, float]) -> str:
    """Set spikes along the back, each leaning its own way."""
    return "".join(
        path("belly k3", "M-5 2q3-8 2-13q6 5 9 12z", f' transform="translate({x} {y})rotate({lean})"')
        for x, y, lean in spikes
    )


def dragon() -> str:
    """Draw the dragon as it sits and waits."""
    body = [
        (-14, 0), (-24, -18), (-24, -40), (-20, -54), (-28, -58), (-42, -56), (-53, -61), (-55, -71), (-44, -77),
        (-36, -86), (-24, -93), (-8, -90), (2, -78), (6, -62), (14, -48), (32, -36), (40, -16), (36, 0),
    ]  # fmt: skip
    chest = [(-14, -1), (-23, -18), (-23, -40), (-19, -54), (-11, -50), (-6, -36), (-4, -16), (-2, -1)]
    wing = [(4, -52), (12, -84), (30, -104), (42, -86), (52, -64), (44, -62), (40, -46), (28, -54), (20, -38)]
    tail = [(28, -2), (44, -8), (52, -22), (48, -34), (53, -40), (60, -24), (54, -4), (40, 4)]
    return "".join(
        (
            path("shadow", "M-46 0q50-12 100 0q-50 12-100 0z"),
            blob("dragon k", *tail),
            path("belly k", "M50-34q-10 0-12-8q8 1 10-7q4 7 11 6q-2 8-9 9z"),
            blob("dragon-light k", *wing),
            path("k no", "M30-104q4 24 14 42M30-104q-4 28-2 50M30-104q-12 30-10 64"),
            _spikes((0, -86, 30), (7, -70, 60), (12, -54, 50)),
            blob("dragon k", *body),
            blob("dragon-deep half", (4, 0), (20, -14), (24, -34), (38, -16), (35, 0)),
            blob("belly k2", *chest),
            path("k2 no", "M-19-46q6-2 10 1M-23-36q8-2 15 2M-23-26q9-2 17 2M-21-15q9-1 16 2"),
            blob("dragon k", (6, 0), (4, -20), (16, -32), (32, -24), (37, -4), (24, 3)),
            path("dragon k", "M-2 2q-3-8 6-9q14-2 22 2q4 6-2 8q-14 3-26-1z"),
            path("dragon k", "M-20-34q-7 14-5 26q-7 2-7 8q8 4 16 0q0-10 6-22z"),
            path("belly k", "M-20-90q-2-14 10-22q-1 10 5 20zM-8-90q4-12 15-14q-4 8-4 17z"),
            path("dragon-light k3", "M-12-70q8-8 16-2q-4 2-4 7q-8 2-12-5z"),
            path("card k3", "M-39-76q4-8 13-4q2 8-4 10q-8 1-9-6z"),
            circle("ink", -33.5, -75, 2.9) + circle("card", -34.3, -76.4, 1),
            path("card k2", "M-48-62l1.5 4l2.5-3.5M-41-62l1.5 4l2-4"),
            path("k4 no", "M-42-80q8-6 17-1M-50-71q1-2 3-1"),
            path("k no", "M-54-64q10 5 20 2q5-2 8 1M4-3l-2 4M12-4l-1 4M-28-3l-1 4M-22-3v4"),
            _scales((-10, -62), (4, -44), (14, -20), (22, -14), (-4, -80), (20, -26)),
        )
    )

"""The tower around the stairs, and what the whole picture is drawn with: its measures, colours, lines and lights."""

from __future__ import annotations

import math
from random import Random

from dracotheque.games.dragons_cave import drawing_art as pen
from dracotheque.games.dragons_cave.drawing_art import moved, num, path, smooth

# --- Measures, in units of the picture ----------------------------------------------------------------------------
WIDTH, HEIGHT, CENTRE = 960, 1360, 480
FOOT = 1226  # where the floor meets the lowest step
HALF = 336  # half the width of the lowest step
ROOF, EAVES, HALL_TOP, HALL_FLOOR, LINTEL = 66, 180, 100, 262, 276
PARAPET, POST = 52, 34  # how wide the low walls are, and how far from the stairs their posts stand

DAY = pen.DAY | {
    "tower": "#e6d6b6", "tower-deep": "#bfa582", "brick": "#cdb48c", "stair": "#f4e8cd", "stair-light": "#fffaf0",
    "riser": "#d8c4a0", "riser-deep": "#b89f7c", "parapet": "#eadcbc", "parapet-deep": "#cbb48d", "hall": "#7d5f49",
    "hall-deep": "#4d382c", "dark": "#33261e", "roof": "#b5432a", "roof-deep": "#8c2f1c", "floor": "#e5d8bb",
    "floor-deep": "#c9b58e", "leaf": "#5d8a52", "leaf-deep": "#3f6b45", "rug": "#b5573c", "rug-light": "#ecc98a",
    "flame": "#f2a93b", "flame-light": "#fdeaa6", "may": "#f4cf6d", "meant": "#e8b23a",
}  # fmt: skip
NIGHT = pen.NIGHT | {
    "tower": "#3d3a58", "tower-deep": "#23233c", "brick": "#57506c", "stair": "#a8926d", "stair-light": "#d6bd8c",
    "riser": "#6a5a56", "riser-deep": "#463d4a", "parapet": "#574f63", "parapet-deep": "#38344c", "hall": "#6b4a30",
    "hall-deep": "#2c1e22", "dark": "#120e16", "roof": "#7c3230", "roof-deep": "#4d2230", "floor": "#5a5260",
    "floor-deep": "#3d394e", "leaf": "#35604f", "leaf-deep": "#234540", "rug": "#8a3d30", "rug-light": "#c79a55",
    "flame": "#f4a836", "flame-light": "#fff0b4", "may": "#d3a552", "meant": "#f7cf7c",
    "label": "#1d1a20", "steel": "#a9aec4",
}  # fmt: skip
LINES = {
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
<linearGradient id="a-sky" x2="0" y2="1"><stop class="sky-high"/><stop offset=".55" class="sky-mid"/>
<stop offset="1" class="sky-low"/></linearGradient>
<linearGradient id="a-round"><stop class="tower-deep"/><stop offset=".16" class="tower"/>
<stop offset=".8" class="tower"/><stop offset="1" class="tower-deep"/></linearGradient>
<linearGradient id="a-cone"><stop class="roof"/><stop offset=".45" class="roof"/>
<stop offset="1" class="roof-deep"/></linearGradient>
<linearGradient id="a-deep" x2="0" y2="1"><stop class="dark"/><stop offset=".55" class="hall-deep"/>
<stop offset="1" class="hall"/></linearGradient>
<linearGradient id="a-front" x2="0" y2="1"><stop class="riser-deep"/><stop offset=".35" class="riser"/>
<stop offset="1" class="riser"/></linearGradient>
<radialGradient id="a-glow"><stop class="glow"/><stop offset="1" class="glow" stop-opacity="0"/></radialGradient>
<radialGradient id="a-hall" cy=".7" r=".75"><stop class="lamp" stop-opacity=".85"/>
<stop offset=".5" class="hall"/><stop offset="1" class="hall-deep"/></radialGradient>
<radialGradient id="a-lamp"><stop class="lamp" stop-opacity="{lamp}"/>
<stop offset=".4" class="lamp" stop-opacity="{lamp / 2.4:.2f}"/><stop offset="1" class="lamp" stop-opacity="0"/>
</radialGradient><radialGradient id="a-stain"><stop class="brick" stop-opacity=".55"/>
<stop offset="1" class="brick" stop-opacity="0"/></radialGradient>
<path id="a-plate" class="card k3" d="M-15-13q15-5 30 0q3 13 0 26q-15 5-30 0q-3-13 0-26z"/>
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
    birds = "".join(f"M{x} {y}{pen.BIRD}" for x, y in ((30, 500), (52, 482), (884, 640), (908, 622)))
    return (
        light(880, 210, 190, "glow")
        + "".join(f"<g {moved(*cloud)}>{pen.CLOUD}</g>" for cloud in clouds)
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
            large += f"M{x:.0f} {y:.0f}{pen.STAR}"
    moon = f'<path class="sun k" {moved(914, 420, 0.8)} d="M-14-30a34 34 0 1 0 40 44a29 29 0 0 1-40-44z"/>'
    return path("stars", small) + path("sun", large) + light(914, 420, 130, "glow") + moon


def _hills() -> str:
    """Paint the hills behind the tower, with a few pines."""
    far = smooth([(x, FOOT - 210 + 40 * math.sin(x / 130)) for x in range(-20, WIDTH + 90, 70)])
    near = smooth([(x, FOOT - 110 + 30 * math.sin(x / 90 + 2)) for x in range(-20, WIDTH + 90, 70)])
    pines = "".join(
        f"<g {moved(x, y, scale)}>{pen.PINE}</g>"
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
    """Say how far from the middle the tower reaches at a height."""
    return 372 + 46 * (y - ROOF) / (FOOT - ROOF)


def tower() -> str:
    """Draw the tower: its round wall, battlements, and two turrets with banners."""
    top, low = _outer(ROOF), _outer(FOOT)
    corners = [(322, ROOF), (322, EAVES), (top, EAVES), (low, FOOT + 6)]
    wall = area(*((CENTRE + x, y) for x, y in corners), *((CENTRE - x, y) for x, y in reversed(corners)))
    merlons = "".join(
        f'<rect class="k" fill="url(#a-round)" x="{num(x)}" y="{ROOF - 26}" width="40" height="30" rx="2"/>'
        for x in range(CENTRE - 300, CENTRE + 280, 70)
    )
    return (
        merlons
        + f'<path class="k" fill="url(#a-round)" d="{wall}"/>'
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
        + f'<path class="k" fill="url(#a-round)" d="{body}"/>'
        + path("k3 no", "M-44 146q44 10 88 0M-30 180q30 8 60 0")
        + path("dark k", "M-11 84v-26q11-16 22 0v26z")
        + path("joint", "M-34 24h18v12h-18zM14 30h20v12h-20zM-30 112h20v12h-20zM12 118h20v12h-20z")
        + path("bar", pole)
        + path("gold k3", "M2-112q16-8 28 0t26 0q-10 10 0 22q-12 6-26 0t-28 0z" if x > CENTRE else
               "M-2-112q-16-8-28 0t-26 0q10 10 0 22q12 6 26 0t28 0z")
        + '<path class="k" fill="url(#a-cone)" d="M-56 6Q-22-36 0-88Q22-36 56 6Q0 20-56 6z"/>'
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

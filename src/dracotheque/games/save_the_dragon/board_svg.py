"""The tower with its stairs, drawn in line and wash: nine steps of three spots, three doors, the dragon's chamber."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from dracotheque.engine.phrases import Catalog, phrase
from dracotheque.games.save_the_dragon import GAME
from dracotheque.games.save_the_dragon.names import LETTERS, spot_name
from dracotheque.games.save_the_dragon.rules.state import LANES, STEPS
from dracotheque.presentation.svg import circle, document, frame, moved, num, path, place, style_sheet, text, touch

# isort: off
from dracotheque.games.save_the_dragon.tower_svg import (
    CENTRE, CHOICES, DAY, FOOT, HALF, HALL_FLOOR, HALL_TOP, HEIGHT, LINES, LINTEL, NIGHT, PARAPET, POST, SHADED,
    WIDTH, area, dragon, ivy, light, lights, sky, tower,
)  # fmt: skip

# --- Measures, in units of the picture ----------------------------------------------------------------------------
RISE, TREAD = 45, 52  # of the lowest step; the higher ones are further away and smaller
NEAR, FAR = 0.915, 0.888
NARROWER = 7  # how much less than half a step's width half that of the next one is
DOOR_HALF, DOOR_SIDE = 59, 84  # of an opening: half its width, and the height up to its arch
STAND = 30  # a piece is drawn about a point so far above the middle of its spot


class Step(NamedTuple):
    """A step as it is seen: its heights in the picture, half its width in front and behind, and its scale."""

    foot: float
    front: float
    back: float
    half: float
    half_back: float
    scale: float

    def edge(self, lane: int, way: float = 0) -> float:
        """Return where a lane begins, at the front of the tread (0) or further behind (up to 1)."""
        half = self.half + (self.half_back - self.half) * way
        return CENTRE + half * (2 * lane / LANES - 1)

    def spot(self, lane: int) -> tuple[float, float]:
        """Find the middle of a spot."""
        return (self.edge(lane, 0.5) + self.edge(lane + 1, 0.5)) / 2, (self.front + self.back) / 2


def steps() -> list[Step]:
    """Measure the steps, the lowest first."""
    found, foot = [], float(FOOT)
    for number in range(STEPS):
        scale = NEAR + (FAR - NEAR) * number / (STEPS - 1)
        front = foot - RISE * scale
        back = front - TREAD * scale
        half = HALF - NARROWER * number
        found.append(Step(foot, front, back, half, half - NARROWER, scale))
        foot = back
    return found


STAIRS = steps()
TOP = STAIRS[-1].back  # where the wall with the doors stands
HALF_TOP = STAIRS[-1].half_back


def svg(words: Catalog, *, night: bool) -> str:
    """Draw the tower by day or by night, with every place named in a language and nothing on it that moves."""
    drawn = [
        f"<defs>{lights(night)}</defs>",
        f'<rect class="a-paper" width="{WIDTH}" height="{HEIGHT}" rx="12"/>',
        '<g clip-path="url(#a-inside)">',
        sky(night),
        tower(),
        _chamber(words),
        _ledge(words),
        _wall(),
        *(_door(words, lane) for lane in range(LANES)),
        _torches(),
        _floor(words),
        _parapets(),
        *(_spot(number, lane) for number in range(STEPS, 0, -1) for lane in range(LANES)),
        *(_riser(STAIRS[0], lane, Random(lane)) for lane in range(LANES)),
        *map(_lines, STAIRS),
        light(CENTRE, TOP + 60, 420) if night else "",
        _posts(),
        ivy(),
        *(_number(number, side) for number in range(1, STEPS + 1) for side in (-1, 1)),
        *_dice(words),
        "</g>",
        frame(WIDTH, HEIGHT),
    ]
    palette = NIGHT if night else DAY
    style = f"{style_sheet(palette, LINES, SHADED)}\n{CHOICES % palette}"
    return document(WIDTH, HEIGHT, GAME.title, words.language, style, *drawn)


# --- Above ------------------------------------------------------------------------------------------------------
def _arch(half: float, side: float, high: float) -> str:
    """Write the outline of an arch about the middle of its foot."""
    rise = num(high - side)
    return f"M{num(-half)} 0v{num(-side)}q0-{rise} {num(half)}-{rise}t{num(half)} {rise}v{num(side)}z"


def _chamber(words: Catalog) -> str:
    """Draw the chamber above the doors, and the dragon that waits there on a chain."""
    high = HALL_FLOOR - HALL_TOP
    return place(
        "chamber",
        (CENTRE + 158, HALL_FLOOR - 42),
        46,
        words.entries["drawn.chamber"],
        f'<g {moved(CENTRE, HALL_FLOOR)}><path class="a-parapet a-k" d="{_arch(262, 70, high + 20)}"/>',
        f'<path class="a-k" fill="url(#a-hall)" d="{_arch(240, 62, high)}"/>',
        path("joint", "M-200-20h44v18h-44zM-190-64h40v18h-40zM140-96h40v18h-40zM176-50h44v18h-44zM-120-116h40v18h-40z"),
        path("coin k3", "M-92 0q30-26 66-24t96 4q40 4 66 20z"),
        path("k2 no", "M-60-8q6-5 12 0M-30-14q6-5 12 0M66-12q6-5 12 0M96-6q6-5 12 0M20-4q6-5 12 0"),
        "</g>",
        path("chain", f"M{CENTRE + 46} {HALL_FLOOR - 20}q50 24 66-14t12-56"),
        circle("steel k", CENTRE + 124, HALL_FLOOR - 96, 7),
        f"<g {moved(CENTRE + 8, HALL_FLOOR - 8, 1.25)}>{dragon()}</g>",
    )


def _ledge(words: Catalog) -> str:
    """Draw the ledge where the rock lies until it is let go, beside the doors: there it is seen with the stairs."""
    x, y = CENTRE - HALF_TOP - PARAPET - 34, TOP - 60
    return place(
        "rock",
        (x, y - 42),
        42,
        words.entries["drawn.picture.ledge"],
        f"<g {moved(x, y)}>",
        path("shadow", "M-52-4q52-16 104 0q-52 12-104 0z"),
        path("wood k", "M-54-8h108l-6 10h-96z"),
        path("wood-deep k3", "M-40 2h10v8h-10zM30 2h10v8h-10z"),
        "</g>",
        touch(x, y - 42, 42),
    )


def _wall() -> str:
    """Draw the wall with the doors, below the chamber."""
    half = HALF_TOP + PARAPET
    dentils = "".join(
        f"M{num(x)} {LINTEL + 6}v9h12v-9" for x in (CENTRE - half + 14 + 25 * n for n in range(int(half / 12.5) - 1))
    )
    return (
        path("tower k", f"M{num(CENTRE - half)} {LINTEL}h{num(2 * half)}V{num(TOP)}h{num(-2 * half)}z")
        + light(CENTRE, TOP - 60, 260, "stain")
        + path("joint", "".join(
            f"M{num(CENTRE + x)} {num(TOP - y)}h30v16h-30z"
            for x in (-106, 76, -312, 284) for y in (40, 76, 112)
        ))
        + path("parapet k", f"M{num(CENTRE - half - 8)} {LINTEL - 14}h{num(2 * half + 16)}v20h{num(-2 * half - 16)}z")
        + path("k3 no", dentils)
    )  # fmt: skip


def _door(words: Catalog, lane: int) -> str:
    """Draw an opening: what lies behind it is dark, and a stone above has its letter."""
    x = (STAIRS[-1].edge(lane, 1) + STAIRS[-1].edge(lane + 1, 1)) / 2
    half, side = DOOR_HALF, DOOR_SIDE
    outer = f"M{-half - 14} 0v{-side}a{half + 14} {half + 14} 0 0 1 {2 * half + 28} 0v{side}z"
    inner = f"M{-half} 0v{-side}a{half} {half} 0 0 1 {2 * half} 0v{side}z"
    stones = ""
    for turn in (20, 48, 132, 160):
        cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        near, far = half, half + 14
        stones += f"M{num(near * cosine)} {num(-side - near * sine)}L{num(far * cosine)} {num(-side - far * sine)}"
    stones += "".join(f"M{x} {y}h14" for x in (-half - 14, half) for y in (-28, -56, -84))
    letter = LETTERS[lane]
    return place(
        f"door-{letter}",
        (x, TOP - 72),
        56,
        words.say(phrase("drawn.picture.door", door=letter)),
        f"<g {moved(x, TOP)}>",
        path("parapet k", outer),
        path("k3 no half", stones),
        f'<path class="a-k" fill="url(#a-deep)" d="{inner}"/>',
        path("lamp faint", f"M{-half + 18} 0q{half - 18}-70 {2 * half - 36} 0z"),
        path("card k", f"M-18 {-side - half - 38}h36l-5 36h-26z"),
        text("number letter", 0, -side - half - 12, letter),
        "</g>",
    )


def _torches() -> str:
    """Hang a torch on either side of the doors."""
    torch = (
        path("wood k", "M-5 34l-3-34h16l-3 34z")
        + path("steel-deep k3", "M-11-2h22v8h-22z")
        + path("flame k3", "M-10-3q-8-14 2-24q2-8-1-14q14 6 14 18q3-2 3-7q8 14 2 27z")
        + path("flame-light", "M-4-4q-5-10 2-18q1 6 6 8q3 6 0 10z")
    )
    sides = (CENTRE - HALF_TOP - 28, CENTRE + HALF_TOP + 28)
    lit = "".join(light(x, TOP - 86, 190) for x in sides)
    return lit + "".join(f"<g {moved(x, TOP - 70, 0.95)}>{torch}</g>" for x in sides)


# --- The stairs ---------------------------------------------------------------------------------------------------
def _parapets() -> str:
    """Draw the low walls on both sides of the stairs; the steps hide their feet."""
    drawn = ""
    for side in (-1, 1):
        low, high = CENTRE + side * (HALF - 8), CENTRE + side * (HALF_TOP - 8)
        out_low, out_high = CENTRE + side * (HALF + PARAPET + 8), CENTRE + side * (HALF_TOP + PARAPET - 6)
        wall = area((low, FOOT), (high, TOP), (out_high, TOP), (out_low, FOOT))
        cap_low, cap_high = out_low - side * 14, out_high - side * 11
        cap = area((cap_low, FOOT), (cap_high, TOP), (out_high, TOP), (out_low, FOOT))
        drawn += path("parapet-deep k", wall) + path("parapet k3", cap)
    return drawn


def _lines(step: Step) -> str:
    """Draw the lines of a step: its front edge, its sides, and those between its lanes."""
    start, across = f"M{num(step.edge(0))} ", f"q{num(step.half)} 3 {num(2 * step.half)} 0"
    still = ' pointer-events="none"'
    return (
        path("nose", f"{start}{num(step.front + 3)}{across}", still)
        + path("k no", f"{start}{num(step.front)}{across}{_side(step, 0)}{_side(step, LANES)}", still)
        + path("lane", "".join(_side(step, lane) for lane in range(1, LANES)), still)
    )


def _side(step: Step, lane: int) -> str:
    """Follow the edge of a lane up the front of a step and along its tread."""
    return f"M{num(step.edge(lane))} {num(step.foot)}V{num(step.front)}L{num(step.edge(lane, 1))} {num(step.back)}"


def _number(number: int, side: int) -> str:
    """Write a step's number on the low wall beside it, the lowest on the post."""
    step = STAIRS[number - 1]
    x, y = CENTRE + side * (step.half + (POST if number == 1 else 19)), (step.front + step.back) / 2
    return (
        f'<g {moved(x, y, step.scale)} pointer-events="none">'
        + '<use href="#a-plate"/>'
        + text("number step", 0, 8.5, number)
        + "</g>"
    )


def _riser(step: Step, lane: int, chance: Random) -> str:
    """Draw the front of a step in a lane, with joints between its stones."""
    left, right, low, high = step.edge(lane), step.edge(lane + 1), step.foot, step.front
    wide, deep = right - left, low - high
    joint = left + wide * chance.uniform(0.3, 0.7)
    crack = f"M{num(joint)} {num(high + 4)}q2 {num(deep / 3)} 0 {num(deep * 0.8)}"
    scratches = ""
    for _ in range(2):
        x, y = left + wide * chance.uniform(0.06, 0.9), low - deep * chance.uniform(0.1, 0.4)
        scratches += f"M{num(x)} {num(y)}h{chance.randint(8, 18)}"
    shape = area((left, high), (right, high), (right, low), (left, low))
    return f'<path fill="url(#a-front)" d="{shape}"/>' + path("joint", crack + scratches)


def _reach(step: Step, lane: int) -> str:
    """Let a spot of the highest step reach up before its door, where a pawn would be pointed at."""
    left, right = step.edge(lane, 1), step.edge(lane + 1, 1)
    return f'<path fill="none" pointer-events="all" d="M{num(left)} {num(step.back)}H{num(right)}v-38H{num(left)}z"/>'


def _spot(number: int, lane: int) -> str:
    """Draw a spot: a worn tread with the notch for the shield, and what stands behind it."""
    step, chance = STAIRS[number - 1], Random(10 * number + lane)
    x, y = step.spot(lane)
    corners = ((lane, 0), (lane + 1, 0), (lane + 1, 1), (lane, 1))
    tread = area(*((step.edge(at, way), step.back if way else step.front) for at, way in corners))
    shade = area(
        *((step.edge(at, way), step.back + (0 if way == 1 else 0.3) * (step.front - step.back))
          for at, way in ((lane, 0.7), (lane + 1, 0.7), (lane + 1, 1), (lane, 1)))
    )  # fmt: skip
    name = spot_name((number - 1) * LANES + lane)
    worn = path("stair-light half", "M-62 6a62 13 0 1 1 124 0a62 13 0 1 1-124 0z")
    notch = path("groove", "M-30 9L0-7L30 9")
    behind = _riser(STAIRS[number], lane, chance) if number < STEPS else _reach(step, lane)
    return place(
        name,
        (x, y - STAND * step.scale),
        44 * step.scale,
        name,
        behind,
        path("stair", tread),
        f"<g {moved(x, y, step.scale)}>{worn}{notch}</g>",
        path("shadow", shade),
    )


# --- Below --------------------------------------------------------------------------------------------------------
def _floor(words: Catalog) -> str:
    """Draw the floor below the stairs, laid with large flags."""
    flags = ""
    for x in range(-600, WIDTH + 700, 150):
        flags += f"M{num(CENTRE + (x - CENTRE) * 0.86)} {FOOT}L{x} {HEIGHT}"
    flags += f"M0 {FOOT + 34}q480 4 960 0M0 {FOOT + 80}q480-4 960 0"
    edge = f"M0 {FOOT}h{WIDTH}"
    return place(
        "floor",
        (350, FOOT + 44),
        190,
        words.entries["drawn.floor"],
        path("floor", f"{edge}V{HEIGHT}H0z"),
        path(
            "floor-deep half", f"M{CENTRE - HALF - PARAPET} {FOOT}h{2 * (HALF + PARAPET)}l16 22H{CENTRE - HALF - 70}z"
        ),
        path("joint", flags),
        path("k no", edge),
    )


def _posts() -> str:
    """Set a post with a ball at the foot of either low wall."""
    post = (
        path("shadow", "M-36 0q40-12 84 0q-42 14-84 0z")
        + path("parapet k", "M-24 0v-92h48v92q-24 6-48 0z")
        + path("parapet-deep", "M8-92h16v92q-8 3-16 3z")
        + path("parapet k", "M-30-92h60v-12h-60z")
        + circle("parapet k", 0, -122, 18)
        + path("shine", "M-10-126q2-9 11-10q-6 5-6 12z")
        + path("joint", "M-24-60h48M-24-28h48M-4-92v32M8-60v32")
    )
    return "".join(
        f'<g {moved(CENTRE + side * (HALF + POST), FOOT + 14)} pointer-events="none">{post}</g>' for side in (-1, 1)
    )


def _dice(words: Catalog) -> Iterator[str]:
    """Lay a rug where the dice fall, with a place for each."""
    x, y = 738, FOOT + 68
    yield (
        f'<g {moved(x, y)} pointer-events="none">'
        + path("shadow", "M-150 8q150-60 300 0q-150 64-300 0z")
        + '<ellipse class="a-rug a-k" rx="142" ry="46"/><ellipse class="a-rug-light a-half" rx="124" ry="37"/>'
        + '<ellipse class="a-rug a-k3" rx="114" ry="31"/>'
        + "</g>"
    )
    for number, die in enumerate(("steps", "action")):
        name = words.entries[f"drawn.picture.{die}_die"]
        at = (x - 48 + 96 * number, y - 14)
        knot = f"<g {moved(at[0], at[1] + 14)}>{path('rug-light half', 'M-16 0L0-8L16 0L0 8z')}</g>"
        yield place(f"die-{die}", at, 40, name, knot, touch(*at, 34))

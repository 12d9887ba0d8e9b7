"""What the map is drawn with: colours, lines, the broad pen, and what is drawn by hand, each about its own zero."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dracotheque.games.gran.board_files import KINGDOM_NAMES
from dracotheque.presentation.svg import Spots, blob, circle, num, path

# --- Colours: one class each, by these names ----------------------------------------------------------------------
DAY = {
    "paper": "#f4e6c4", "paper-deep": "#d8b982", "sheet": "#fffaf0", "ink": "#2a2018", "frame": "#6b5a48",
    "sea": "#ebe0c0", "sea-deep": "#d3c194", "coast": "#5b4a38", "ripple": "#6f8f8c", "land": "#f6ebcd",
    "pen": "#5a4632", "written": "#33261a", "halo": "#f8eed4", "title": "#7c2f1f", "light": "#fff6dc",
    "stain": "#b98d4e", "tirad": "#b5432a", "urgad": "#b98420", "galad": "#4f8a52", "elgad": "#3d6ea6",
    "exile": "#8d8372", "card": "#fffaf0", "ember": "#b5432a", "wall": "#ead8b4", "wall-deep": "#c0a376",
    "lamp": "#5d4630", "rock": "#b9aea0", "rock-light": "#ddd4c6", "rock-deep": "#857a6e", "pale": "#fffdf6",
    "pale-deep": "#d9d0bd", "dot": "#241b14", "dot-rim": "#f4e6c4", "dragon": "#a93a28", "dragon-light": "#d9785a",
    "dragon-deep": "#7c2419", "belly": "#f2d592", "rune": "#f3d9ff", "magic": "#9d86ab", "magic-deep": "#6f5683",
    "steel": "#e6e6e2", "steel-deep": "#9ba0a6", "wood": "#a8763c", "wood-deep": "#6f4a22", "glass": "#b89ad0",
    "glass-blue": "#4d8ed0", "glass-glow": "#d9bff0", "blue-glow": "#9cc9f5", "coin": "#e2b03f",
    "coin-light": "#fbe39a", "grass": "#6f8a4e", "sail": "#fffaf0", "shade": "#2a2018", "glow": "#f7dc93",
}  # fmt: skip
NIGHT = DAY | {
    "paper": "#1d2338", "paper-deep": "#0d1120", "sheet": "#1d2338", "ink": "#090c18", "frame": "#9a8349",
    "sea": "#172039", "sea-deep": "#0e1428", "coast": "#aeb9da", "ripple": "#5b73a8", "land": "#333c5b",
    "pen": "#b9c3e0", "written": "#eef1fb", "halo": "#1b2137", "title": "#ecc467", "light": "#c9d6ff",
    "stain": "#5a6aa6", "tirad": "#d9694e", "urgad": "#dfb04c", "galad": "#6bb57a", "elgad": "#6ba3e0",
    "exile": "#aab2cc", "card": "#f3e7c8", "ember": "#c8533a", "wall": "#c9bfae", "wall-deep": "#857d80",
    "lamp": "#ffcf5e", "rock": "#8089a5", "rock-light": "#b3bbd4", "rock-deep": "#535b78", "pale": "#eef2ff",
    "pale-deep": "#a9b3d2", "dot": "#070a15", "dot-rim": "#dfe5f8", "dragon": "#cf5039", "dragon-light": "#ec9473",
    "dragon-deep": "#8a2a1f", "rune": "#fff1ff", "magic": "#a18cc4", "magic-deep": "#6a568f", "steel": "#e3e9f7",
    "steel-deep": "#8e98b5", "glass": "#c9a8ea", "glass-blue": "#5ba6f0", "blue-glow": "#8ec7ff", "grass": "#7fb089",
    "sail": "#d9def0", "shade": "#04060e", "glow": "#ffd98a",
}  # fmt: skip
SHADED = ("sea", "sea-deep", "light", "paper-deep", "stain", "glow")
"""The colours of gradients and folds."""

WRITING = 'font-family:Alegreya,"Palatino Linotype",Palatino,Georgia,serif;font-variant-numeric:lining-nums'
LINES = {
    ".k,.k2,.k3": "stroke:%(ink)s;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round",
    ".k2": "stroke-width:.8",
    ".k3": "stroke-width:1.2",
    ".edge": "stroke:%(frame)s",
    ".net": "stroke:%(pen)s;stroke-width:1.5;stroke-linecap:round",
    ".casing": "stroke:%(halo)s;stroke-width:5;stroke-linecap:round;stroke-opacity:.55",
    ".shore": "stroke:%(coast)s;stroke-width:1.8;stroke-linejoin:round",
    ".wave": "stroke:%(ripple)s;stroke-width:1;stroke-linecap:round",
    ".march": "stroke:%(pen)s;stroke-width:1.2;stroke-dasharray:1 5;stroke-linecap:round;stroke-opacity:.7",
    ".engraved": "stroke:%(pen)s;stroke-width:1.2;stroke-linecap:round;stroke-linejoin:round",
    ".rune-line": "stroke:%(rune)s;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round",
    ".gilt-shine": "stroke:%(coin-light)s;stroke-width:1;stroke-linecap:round",
    ".verge": "stroke:currentColor;stroke-linejoin:round",
    ".fold": "stroke:currentColor;stroke-width:1.6",
    ".quiet": "fill:%(land)s;fill-opacity:.6;stroke:%(pen)s;stroke-width:1;stroke-linecap:round;stroke-linejoin:round;"
    "opacity:.5",
    ".no,.edge,.net,.casing,.shore,.wave,.march,.rune-line": "fill:none",
    ".gilt-shine,.verge,.fold": "fill:none",
    ".shadow": "fill:%(shade)s;opacity:.2",
    ".shine": "fill:#fff;opacity:.45",
    ".half": "opacity:.5",
    ".crest": "fill:currentColor",
    ".names": f"{WRITING};font-style:italic;text-anchor:middle;fill:%(written)s",
    ".legend": f"{WRITING};font-style:italic;text-anchor:middle;fill:%(written)s",
    ".inked": "paint-order:stroke;stroke:%(halo)s;stroke-width:3;stroke-linejoin:round",
    ".hit": "fill:none;pointer-events:all",
    ".band": "fill:none;stroke:%(frame)s",
    ".strand": "fill:none;stroke:%(ripple)s;stroke-linejoin:round",
    ".strand-sea": "fill:none;stroke:%(sea)s;stroke-linejoin:round",
    **{f".of-{name}": f"color:%({name})s" for name in (*KINGDOM_NAMES, "exile", "glass", "glass-blue")},
}


# --- The broad pen: a letter is a few strokes, and the pen's edge makes them thick and thin --------------------------
NIB = (8.2, -5.2)  # half the pen's edge
LETTERS = {
    "A": (76, ((38, 2, 30, 40, 20, 74, 4, 97), (36, 2, 46, 34, 58, 72, 74, 98), (18, 64, 32, 60, 46, 66, 60, 61))),
    "D": (84, ((20, 6, 18, 40, 18, 70, 20, 96), (4, 12, 48, -10, 86, 18, 80, 56), (80, 56, 76, 92, 40, 104, 8, 95))),
    "E": (72, ((66, 17, 44, -4, 8, 10, 8, 52), (8, 52, 8, 94, 46, 108, 70, 82), (12, 50, 30, 45, 42, 52, 58, 46))),
    "G": (84, ((72, 19, 50, -6, 8, 6, 8, 52), (8, 52, 8, 94, 46, 106, 72, 86), (72, 92, 72, 78, 73, 66, 70, 54),
               (50, 58, 60, 52, 72, 60, 84, 53))),
    "I": (34, ((6, 10, 14, 0, 20, 4, 18, 30), (18, 30, 17, 60, 16, 98, 32, 92))),
    "L": (72, ((6, 10, 14, 0, 20, 4, 19, 30), (19, 30, 19, 60, 18, 74, 16, 94), (8, 97, 28, 86, 48, 106, 72, 86))),
    "N": (84, ((14, 6, 14, 40, 14, 70, 12, 98), (8, 8, 30, 28, 50, 76, 70, 99), (70, 99, 70, 70, 70, 40, 72, 4))),
    "R": (80, ((18, 6, 17, 40, 17, 70, 18, 98), (4, 12, 40, -10, 74, 6, 62, 32), (62, 32, 54, 48, 34, 50, 20, 51),
               (36, 50, 50, 60, 58, 92, 80, 95))),
    "T": (72, ((0, 17, 18, 0, 44, 24, 72, 6), (37, 12, 30, 40, 28, 66, 34, 86), (34, 86, 38, 100, 54, 99, 62, 88))),
    "U": (84, ((6, 10, 14, 0, 20, 4, 19, 30), (19, 30, 16, 92, 26, 98, 40, 97), (40, 97, 54, 96, 66, 84, 68, 66),
               (68, 5, 68, 40, 68, 60, 68, 80), (68, 80, 68, 96, 74, 98, 84, 91))),
}  # fmt: skip
"""For every letter its width, and its strokes as curves; 100 high."""


def letter(name: str) -> str:
    """Write a letter, its middle at zero, 100 high."""
    width, strokes = LETTERS[name]
    return "".join(_stroke([(x - width / 2, y - 50) for x, y in _along(curve)]) for curve in strokes)


def _along(curve: tuple[float, ...]) -> Iterator[tuple[float, float]]:
    """Follow a curve from end to end."""
    ax, ay, bx, by, cx, cy, dx, dy = curve
    for step in range(9):
        t = step / 8
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        yield a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy


def _stroke(line: Spots) -> str:
    """Draw the pen's edge along a line: on one side there, on the other side back."""
    there = [(x + NIB[0], y + NIB[1]) for x, y in line]
    back = [(x - NIB[0], y - NIB[1]) for x, y in reversed(line)]
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in there + back).replace(" -", "-") + "z"


# --- The points: none reaches farther from its middle than this -----------------------------------------------------
REACH = {"black": 9, "white": 15, "crystal": 25, "city": 38, "dragon": 29, "magic": 25, "sword": 26}

DRAGON_BODY = [
    (-3, 22), (-9, 14), (-9, 4), (-4, -4), (-6, -9), (-13, -8), (-21, -6), (-25, -10), (-21, -14), (-15, -18),
    (-8, -21), (0, -19), (5, -11), (6, -2), (14, 4), (18, 13), (15, 22),
]  # fmt: skip
DRAGON_TAIL = [(10, 22), (20, 21), (25, 13), (22, 5), (26, 1), (28, 12), (24, 24), (14, 26)]
DRAGON_WING = [(2, -4), (6, -18), (14, -27), (20, -20), (26, -8), (21, -8), (19, -1), (13, -4), (9, 4)]

POINTS = {
    "black": """<path class="a-dot-rim" d="M-8.6 0q.4-8 8.4-8.6q8.2.4 8.8 8.4q-.4 8.2-8.4 8.8q-8.4-.6-8.8-8.6z"/>
<path class="a-dot" d="M-6.6.2q.3-6.4 6.4-6.8q6.6.4 6.8 6.6q-.4 6.4-6.6 6.6q-6.2-.2-6.6-6.4z"/>
<path class="a-shine" d="M-3.6-1.8q1-2.4 3.4-2.8q-.8 1.8-3.4 2.8z"/>""",
    "white": """<path class="a-shadow" d="M-12 8q13-8 26 0q-12 7-26 0z"/>
<path class="a-pale-deep a-k3" d="M-14 2q-1-9 7-12q8-4 15 1q7 4 6 11q-1 9-10 11q-16 2-18-11z"/>
<path class="a-pale" d="M-12 0q0-7 6-9q7-3 13 1q5 3 4 8q-2 6-9 7q-12 1-14-7z"/>
<path class="a-k2 a-no a-half" d="M-8-1q2-4 6-4M4 8q5-1 6-4M-4 9l3 0"/>""",
    "magic": """<path class="a-shadow" d="M-17 20q18-8 38 0q-20 5-38 0z"/>
<path class="a-magic a-k" d="M-12 21q-4-22 1-36q5-8 12-8q8 2 10 10q4 16 2 34q-12 4-25 0z"/>
<path class="a-magic-deep" d="M4-22q6 2 7 9q4 16 2 34l-7 1q5-22-2-44z"/>
<path class="a-rune-line" d="M-1-14v22M-1-12l6 5l-6 5M-1 0l-6-4M-1 8l5 5M-1 8l-5 5"/>
<path class="a-rune" d="M-17-14l1.5 4l4 1.5l-4 1.5l-1.5 4l-1.5-4l-4-1.5l4-1.5zM18-21l1 3l3 1l-3 1l-1 3l-1-3l-3-1l3-1z
M18 2l1 3l3 1l-3 1l-1 3l-1-3l-3-1l3-1z"/>
<path class="a-grass a-k2" d="M-20 22q2-6 5-8q0 4 3 6q3-5 5-6q0 4 1 8zM8 23q1-5 4-8q1 3 2 5q2-4 5-5q-1 5-1 8z"/>""",
    "sword": """<path class="a-shadow" d="M-22 20q22-9 46 0q-22 6-46 0z"/>
<path class="a-steel a-k3" d="M-3-14h6l.5 26h-7z"/><path class="a-steel-deep" d="M.4-14h2.6l.4 26h-3z"/>
<path class="a-coin a-k3" d="M-12-15q-2-2 0-4q12 2 24 0q2 2 0 4q-12 2-24 0z"/>
<path class="a-ember a-k3" d="M-2.4-18v-4.5h4.8v4.5z"/><circle class="a-coin a-k3" cy="-23" r="2.4"/>
<path class="a-rock a-k" d="M-22 20q-2-10 6-13q5-7 14-5q5-4 11 1q9 1 12 9q3 5 0 9q-22 5-43-1z"/>
<path class="a-rock-deep" d="M9 3q8 2 11 9q3 5 0 9l-15 1q9-8 4-19z"/>
<path class="a-rock-light" d="M-17 15q0-5 6-6q3-4 8-4q-3 4-7 6q-3 4-7 4z"/>
<path class="a-k2 a-no" d="M-5 8l-2 5l3 4M5 6l2 6"/>""",
    "dragon": "".join(
        (
            '<path class="a-shadow" d="M-22 24q24-8 50 0q-26 5-50 0z"/>',
            blob("dragon-light k", *DRAGON_WING),
            path("k2 no", "M14-27q2 12 5 25M14-27q-3 14-5 30M14-27q6 8 8 19"),
            blob("dragon k", *DRAGON_TAIL),
            path("belly k3", "M26 4q-5-1-6-6q4 1 5-3q3 3 3.5 4q0 4-2.5 5z"),
            path("belly k3", "M3-17l6-3l-2 6l6 0l-4 5l6 2l-6 4z"),
            blob("dragon k", *DRAGON_BODY),
            path("dragon-deep half", "M5 21q8-4 8-14q6 6 4 14z"),
            path("belly k2", "M-3 21q-5-6-5-14q0-6 4-10q4 3 5 10q1 8 1 14z"),
            path("k2 no", "M-8 3q4-1 8 1M-8 9q5-1 9 1M-6 15q4-1 8 1"),
            path("belly k3", "M-6-20q-1-5 5-8q-1 5 2 9z"),
            path("ink", "M-14-14q3-2 5 0q-2 3-5 0zM-23-10l2-1l0 2z"),
            path("k2 no", "M-24-8q6 3 12 0"),
            path("ember k2", "M-25-7q-2 3-4 4q3 1 2 4q4-2 6-7z"),
            path("dragon k3", "M-8 23q0-4 4-4q6-1 8 3q-5 3-12 1zM6 23q0-5 5-5q7 0 8 5q-6 2-13 0z"),
        )
    ),
    "city": """<path class="a-shadow" d="M-36 29q36-10 74 0q-36 9-74 0z"/>
<path class="a-wall a-k3" d="M-9 8v-29h18v29z"/><path class="a-wall-deep" d="M3-21h6v29h-6z"/>
<path class="a-crest a-k3" d="M-12-21q12-3 24 0l-12-13z"/><path class="a-crest a-k3" d="M0-37.5l9 2.5l-9 3z"/>
<path class="a-k3 a-no" d="M0-31v-6.5"/>
<path class="a-wall a-k3" d="M-22 12v-13l6-6l7 6v13zM9 12v-13l7-6l6 6v13z"/>
<path class="a-crest a-k3" d="M-24 0l8-9l9 9zM7 0l9-9l8 9z"/>
<path class="a-wall a-k3" d="M-35 26v-28h13v28zM22 26v-28h13v28z"/>
<path class="a-wall-deep" d="M-26-2h4v28h-4zM31-2h4v28h-4z"/>
<path class="a-crest a-k3" d="M-37-2q8-3 17 0l-8.5-17zM20-2q8-3 17 0l-8.5-17z"/>
<path class="a-wall a-k" d="M-24 9h6v4h6v-4h6v4h12v-4h6v4h6v-4h6v19q-24 6-48 0z"/>
<path class="a-wall-deep" d="M12 14h12v14l-12 2z"/>
<path class="a-k2 a-no a-half" d="M-20 18h7M-17 23h6M10 19h6M14 24h7"/>
<path class="a-ink" d="M-6 31v-10q1-6 6-6t6 6v10z"/>
<path class="a-lamp" d="M-2-14h4v6h-4zM-30 5h3v5h-3zM27 5h3v5h-3zM-17 2h3v4h-3zM14 2h3v4h-3z"/>""",
}
BALL = """<path class="a-shadow" d="M-16 21q18-7 36 0q-18 4-36 0z"/>
<path class="a-wood a-k3" d="M-12 22q-2-4 3-6q-5-4-6-9q4 5 9 6q6 2 12 0q5-1 9-6q-1 5-6 9q5 2 3 6q-12 3-24 0z"/>
<circle class="a-crest a-k" cy="-5" r="17"/><path class="a-shade a-half" d="M15-12q6 14-5 22q-10 6-20 0q22 2 25-22z"/>
<circle class="a-%s a-half" cx="-3" cy="-8" r="10"/>
<path class="a-pale" d="M0-14l1.6 5l5 1.6l-5 1.6l-1.6 5l-1.6-5l-5-1.6l5-1.6z"/>
<path class="a-shine" d="M-13-8q1-9 9-11q-4 4-5 11q-2 3-4 0z"/>
<path class="a-coin a-k3" d="M-9 16q9 3 18 0v2q-9 3-18 0z"/>"""
CRYSTALS = {"crystal": BALL % "glass-glow", "blue": BALL % "blue-glow"}

# --- Quiet things, where no points lie -------------------------------------------------------------------------------
MOUNTAIN = """<path class="a-quiet" d="M-15 9l9-15l3 4l6-12l13 23z"/>
<path class="a-quiet a-no" d="M-6-6l3 8l-2 7M3-14l1 9l4 5l0 9M6 2l2 7M10 4l2 5"/>"""
HILL = """<path class="a-quiet" d="M-16 7q6-11 15-9q9-9 17 9z"/>
<path class="a-quiet a-no" d="M-1-2q4 3 5 9M6 0q4 3 5 7M-6 3l-1 4"/>"""
FIR = """<path class="a-quiet" d="M-8 9v-4h-5l5-14l5 14h-5zM6 10v-4h-5l5-15l5 15h-5z"/>
<path class="a-quiet a-no" d="M-7-3l2 6M7-3l2 7M0 7v-3h-4l4-10l4 10h-4"/>"""
OAK = """<path class="a-quiet" d="M-7 9v-6q-7 0-5-6q1-7 8-5q6 2 4 7q-2 4-7 4M6 10v-7q-6-1-4-6q3-6 8-3q5 3 2 7
q-2 3-6 2"/>
<path class="a-quiet a-no" d="M-6-5q4 1 3 5M8-3q3 1 1 4"/>"""
GROWTH = {"tirad": MOUNTAIN, "urgad": HILL, "galad": OAK, "elgad": FIR}
SURF = "q5-5 9 0q5-5 9 0q5-5 9 0"
STAR = "m0-5l1 4l4 1l-4 1l-1 4l-1-4l-4-1l4-1z"

SHIP = """<path class="a-wave" d="M-52 30q6-6 12 0q6-6 12 0M34 31q6-6 12 0M-30 38q6-6 12 0q6-6 12 0q6-6 12 0q6-6 12 0"/>
<path class="a-wood a-k" d="M-40 10q8 3 16 4h38q14-2 22-10l6 0q-4 20-18 27h-48q-12-7-16-21z"/>
<path class="a-wood-deep a-half" d="M-36 19q34 6 72-3q-4 10-12 15h-48q-8-5-12-12z"/>
<path class="a-k2 a-no" d="M-36 17q36 7 74-3M-14 24h.1M0 25h.1M14 24h.1"/>
<path class="a-engraved a-no" d="M-2 14v-56M-24 14v-40M20 12v-42M36 4l16-12"/>
<path class="a-sail a-k" d="M-16-36q14 4 30-1q8 20 1 38q-16-6-32 0q8-18 1-37z"/>
<path class="a-sail a-k3" d="M-36-22q10 3 20-1q6 12 1 24q-11-4-22 0q6-12 1-23zM14-26q8 3 16-1q5 14 0 25q-8-3-16 0
q5-12 0-24z"/>
<path class="a-ember a-k3" d="M-2-42q8-4 14 0q-5 1-4 6q-5-2-10 0z"/>
<path class="a-k2 a-no a-half" d="M-8-32q4 14 0 28M6-33q5 14 1 29"/>
<path class="a-ember a-half" d="M-3-26h5v7h6v5h-6v8h-5v-8h-6v-5h6z"/>"""
SERPENT = """<path class="a-wave" d="M-66 20q6-6 12 0q6-6 12 0M44 20q6-6 12 0q4-5 8 0M-30 28q6-6 12 0q6-6 12 0q6-6 12 0
q6-6 12 0"/>
<path class="a-grass a-k" d="M-46 20q-6-14-2-30q2-10-6-10q-10 2-14-2q2-9 12-12q14-4 20 6q6 14 2 26q-2 10 2 22z"/>
<path class="a-belly a-k3" d="M-44-32l6-9l2 9l8-5l-3 10l8 0l-6 8z"/><path class="a-ink" d="M-55-27q3-3 5 0q-2 3-5 0z"/>
<path class="a-k2 a-no" d="M-66-22q6 2 12 0M-46-2q6 3 11 0M-46 8q6 3 12 0"/>
<path class="a-grass a-k" d="M-22 20q2-30 20-30q18 0 20 30h-11q-1-18-9-18q-8 0-9 18zM26 20q2-18 14-18q12 0 13 18h-9
q0-8-4-8t-4 8z"/>
<path class="a-belly a-k3" d="M-12-8l3-8l5 6l5-7l4 8zM36 2l4-7l4 6z"/>
<path class="a-grass a-k" d="M56 20q4-8 2-16q8-2 10-8q4 10-4 14q0 6-2 10z"/>"""
WIND = """<g transform="translate(-14 0)">
<path class="a-sail a-k3" d="M-30 12q-12-2-10-12q2-8 10-7q2-12 14-11q8-8 18 0q10 0 10 10q8 4 2 14q-6 8-18 6
q-14 4-26 0z"/>
<path class="a-k3 a-no" d="M14-2q4-3 8 0M26 4q4 1 4 4q-1 3-5 2M12 8q-6 6-12 2"/>
<circle class="a-ink" cx="17" cy="-3" r="1.5"/>
<path class="a-wave" d="M36 4q16-6 30 0M36 9q14 0 34 6M35 14q10 4 22 12"/></g>"""
MOON = """<circle class="a-glow" r="38" opacity=".1"/><circle class="a-glow" r="32" opacity=".14"/>
<path class="a-glow a-k3" d="M8-26a27 27 0 1 0 18 34a22 22 0 0 1-18-34z"/>
<path class="a-k2 a-no" d="M-12 0q3-3 6 0M-8 12q4 3 7 1"/>"""


RAFT = """<path class="a-wave" d="M-70 26q6-6 12 0q6-6 12 0M46 27q6-6 12 0q6-6 12 0M-34 36q6-6 12 0q6-6 12 0
q6-6 12 0q6-6 12 0q6-6 12 0"/><path class="a-shadow" d="M-58 22q58 16 118 0l-4 8q-54 12-110 0z"/>
<path class="a-wood-deep a-k3" d="M-58 14q58 12 116 0l-2 10q-56 12-112 0z"/>
<path class="a-wood a-k" d="M-48-14q48-7 96 0l10 28q-58 12-116 0z"/>
<path class="a-k2 a-no" d="M-28-17l-6 34M-9-18l-2 37M10-18l2 37M29-17l6 34M-54 4q54 9 108 0M-50-8q50-7 100 0"/>
<path class="a-gilt-shine" d="M-44-3l3-8M44-3l-3-8"/>"""


def compass() -> str:
    """Draw the compass: a ring, eight points and a lily for the north; 140 across."""
    ring = circle("sheet k3", 0, 0, 46, ' fill-opacity=".5"') + circle("k2 no", 0, 0, 42) + circle("k2 no", 0, 0, 22)
    ticks = "".join(
        f"M{num(42 * math.cos(turn))} {num(42 * math.sin(turn))}L{num(46 * math.cos(turn))} {num(46 * math.sin(turn))}"
        for turn in (math.tau * step / 32 for step in range(32))
    )
    small = "".join(_needle(turn, 38, 9) for turn in (45, 135, 225, 315))
    large = "".join(_needle(turn, 56, 11) for turn in (0, 90, 180, 270))
    lily = path(
        "title k3", "M0-57q-5 4-3 8q-7-5-8 1q0 4 5 3h12q5 1 5-3q-1-6-8-1q2-4-3-8z", ' transform="translate(0 -4)"'
    )
    return ring + path("engraved no", ticks) + small + large + lily + circle("coin k3", 0, 0, 4.5)


def _needle(turn: int, long: int, wide: int) -> str:
    """Draw a point of the compass, half light and half dark."""
    slim = wide * 0.7
    return (
        f'<g transform="rotate({turn})">'
        + path("card k2", f"M0-{long}L{num(-slim)}-{num(slim)}L0 0z")
        + path("title k2", f"M0-{long}L{num(slim)}-{num(slim)}L0 0z")
        + "</g>"
    )


CARTOUCHE = """<path class="a-shadow" d="M-138-44h284q-6 46 4 96h-292q8-48 4-96z"/>
<path class="a-sheet a-engraved" d="M-140-50q140-8 280 0q-7 49 0 98q-140 8-280 0q7-49 0-98z"/>
<path class="a-sheet a-engraved" d="M-140-50q-14 4-12 14q2 8 12 6q6-2 4-8q-3-4-7-1M140-50q14 4 12 14q-2 8-12 6q-6-2-4-8
q3-4 7-1
M-140 48q-14-4-12-14q2-8 12-6q6 2 4 8q-3 4-7 1M140 48q14-4 12-14q-2-8-12-6q-6 2-4 8q3 4 7 1"/>
<path class="a-engraved a-no a-half" d="M-128-42q128-7 256 0q-5 41 0 82q-128 7-256 0q5-41 0-82z"/>"""

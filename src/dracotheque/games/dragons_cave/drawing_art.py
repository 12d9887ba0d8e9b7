"""What the cave is drawn with: the colours, the pen, and everything drawn by hand, each thing about its own zero."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

# --- Colours: one class each, by these names ----------------------------------------------------------------------
DAY = {
    "paper": "#f7eedb", "card": "#fffaf0", "ink": "#2a2018", "frame": "#6b5a48", "title": "#1f5f49", "label": "#2a2018",
    "emerald": "#1f7a5c", "gold": "#c8952c", "ember": "#b5432a", "amethyst": "#7a4a94", "sky-high": "#cfe0dc",
    "sky-mid": "#ece9cf", "sky-low": "#f6e3b8", "cloud": "#fffaf0", "smoke": "#fffaf0", "sun": "#eebf4e",
    "glow": "#f7dc93", "far": "#c5cfc0", "hill": "#d5d7a2", "meadow": "#c9d190", "meadow-deep": "#a9bb74",
    "grass": "#35604a", "pine": "#4f7f5a", "pine-deep": "#35604a", "rock": "#d8cab0", "rock-light": "#eee3cb",
    "rock-deep": "#b7a39b", "snow": "#fffaf0", "wall": "#6d5443", "wall-light": "#93755a", "wall-deep": "#46352c",
    "lamp": "#f5c877", "road": "#f3e2b6", "road-deep": "#d9bf88", "wood": "#b98649", "wood-deep": "#8a5c2e",
    "rope": "#d8b47a", "steel": "#d9d6cc", "steel-deep": "#a9a59a", "coin": "#e2b03f", "coin-light": "#f6d981",
    "coin-deep": "#a9781f", "dragon": "#3f9c72", "dragon-light": "#8cc79c", "dragon-deep": "#1f7a5c",
    "belly": "#f1dd9c", "skin": "#eec39a", "beard": "#fbf3e2", "shard": "#a77cc0", "shard-light": "#e3d0ee",
    "shard-deep": "#7a4a94", "bat": "#6f6478", "shade": "#2a2018",
}  # fmt: skip
NIGHT = DAY | {
    "paper": "#14182a", "card": "#f3e7c8", "ink": "#0b0e1b", "frame": "#7d6a3c", "title": "#ecc467", "label": "#1d1a20",
    "emerald": "#2b9270", "gold": "#dca93c", "ember": "#c8533a", "amethyst": "#9465b0", "sky-high": "#131729",
    "sky-mid": "#1c2240", "sky-low": "#2a3052", "cloud": "#343c60", "smoke": "#8b90b0", "sun": "#f2e3b0",
    "glow": "#5a5470", "far": "#28304f", "hill": "#2b3d4e", "meadow": "#2c4a48", "meadow-deep": "#223b3e",
    "grass": "#7fb089", "pine": "#2a5a50", "pine-deep": "#1c4140", "rock": "#4a4f70", "rock-light": "#626788",
    "rock-deep": "#363b5a", "snow": "#b9c0dc", "wall": "#2b2130", "wall-light": "#4a3436", "wall-deep": "#171320",
    "lamp": "#f4b54c", "road": "#8d8068", "road-deep": "#625a55", "wood": "#bd8a4a", "wood-deep": "#6d4722",
    "steel": "#b9bed2", "steel-deep": "#7f85a0", "coin": "#e8b849", "coin-light": "#f8e3a0", "dragon": "#3fa97b",
    "dragon-light": "#86cfa0", "dragon-deep": "#1c7054", "belly": "#efd487", "shade": "#05070f",
}  # fmt: skip
SEAT_COLOURS = {"lion": "gold", "tower": "ember", "star": "amethyst", "oak": "emerald"}

LINES = {
    ".k,.k2,.k3,.k4,.hatch": "stroke:%(ink)s;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round",
    ".k2": "stroke-width:.9",
    ".k3": "stroke-width:1.3",
    ".k4": "stroke-width:2.4",
    ".hatch": "stroke-width:.9;opacity:.5",
    ".web": "stroke:%(rock-light)s;stroke-width:.9;opacity:.6",
    ".blade": "stroke:%(grass)s;stroke-width:1.2;stroke-linecap:round",
    ".edge": "stroke:%(frame)s",
    ".band": "stroke:currentColor;stroke-linejoin:round",
    ".no,.hatch,.web,.blade,.edge,.band": "fill:none",
    ".shadow": "fill:%(shade)s;opacity:.22",
    ".shine": "fill:#fff;opacity:.3",
    ".half": "opacity:.5",
    ".crest": "fill:currentColor",
    ".number,.count,.name": 'font-family:Alegreya,Georgia,"Times New Roman",serif;font-weight:700;text-anchor:middle;'
    "font-variant-numeric:lining-nums;fill:%(label)s",
    ".number": "font-size:17px",
    ".count": "font-size:24px",
    ".name": "font-size:52px;fill:%(title)s;text-anchor:start",
}


# --- The pen ------------------------------------------------------------------------------------------------------
Spots = Sequence[tuple[float, float]]


def num(value: float) -> str:
    """Write a coordinate, as short as it can be."""
    return f"{value:.1f}".removesuffix(".0")


def moved(x: float, y: float, scale: float = 1) -> str:
    """Write the transform that brings a thing to its place."""
    return f'transform="translate({num(x)} {num(y)}){f"scale({scale:g})" if scale != 1 else ""}"'


def smooth(points: Spots, *, closed: bool = False) -> str:
    """Draw a soft curve through points (Catmull and Rom's)."""
    last = len(points) - 1

    def near(at: int) -> tuple[float, float]:
        return points[at % len(points)] if closed else points[min(max(at, 0), last)]

    data = f"M{num(points[0][0])} {num(points[0][1])}"
    for at in range(last + closed):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (near(at + step) for step in (-1, 0, 1, 2))
        curve = (bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6, cx, cy)
        data += "C" + " ".join(map(num, curve))
    return data + ("z" if closed else "")


def path(style: str, data: str, more: str = "") -> str:
    """Draw a path."""
    return f'<path class="{style}" d="{data}"{more}/>'


def blob(style: str, *points: tuple[float, float]) -> str:
    """Draw a closed shape with soft corners."""
    return path(style, smooth(points, closed=True))


def band(style: str, data: str, width: float, more: str = "") -> str:
    """Draw a band along a line."""
    return path(f"{style} band", data, f' style="stroke-width:{num(width)}px;{more}"')


def circle(style: str, x: float, y: float, r: float, more: str = "") -> str:
    """Draw a circle."""
    return f'<circle class="{style}" cx="{num(x)}" cy="{num(y)}" r="{num(r)}"{more}/>'


def use(name: str, x: float, y: float, scale: float = 1) -> str:
    """Set down a thing that is drawn once."""
    return f'<use href="#cave-{name}" {moved(x, y, scale)}/>'


def text(style: str, x: float, y: float, written: str | int) -> str:
    """Write a number or a name."""
    return f'<text class="{style}" x="{num(x)}" y="{num(y)}">{escape(str(written))}</text>'


def thing(name: str, title: str, where: str, *parts: str) -> str:
    """Put the parts of a thing together, with its name for who cannot see it."""
    return f'<g id="{name}" {where}><title>{escape(title)}</title>{"".join(parts)}</g>'


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


def asleep() -> str:
    """Draw the dragon asleep, its chin on its paws."""
    tail = [
        (84, -26), (118, -30), (146, -26), (160, -12), (156, 2), (140, 6), (126, 2), (132, -4), (142, -6), (142, -14),
        (120, -12), (96, 6),
    ]  # fmt: skip
    body = [
        (-90, 6), (-96, -18), (-80, -46), (-46, -62), (-6, -72), (42, -74), (86, -60), (114, -30), (116, 2), (60, 8),
        (-40, 8),
    ]  # fmt: skip
    head = [
        (-22, -58), (-50, -68), (-82, -72), (-106, -68), (-122, -66), (-137, -58), (-147, -46), (-162, -42),
        (-175, -34), (-178, -21), (-169, -11), (-150, -6), (-128, -5), (-111, -10), (-99, -19), (-82, -24), (-62, -26),
        (-40, -38),
    ]  # fmt: skip
    throat = [(-111, -10), (-99, -19), (-82, -24), (-62, -26), (-46, -36), (-48, -20), (-66, -4), (-92, 2)]
    wing = [
        (-28, -56), (-20, -82), (2, -104), (30, -100), (62, -88), (100, -60), (84, -58), (70, -44), (58, -54),
        (40, -36), (26, -50), (6, -32), (-8, -46),
    ]  # fmt: skip
    haunch = [(46, 6), (44, -22), (60, -44), (88, -44), (108, -22), (106, 4), (78, 9)]
    return "".join(
        (
            blob("dragon k", *tail),
            path("belly k", "M128 0q-4-10-14-10q4 6 0 14q8 4 14-4z"),
            _spikes((62, -68, 18), (82, -62, 28), (100, -46, 44), (112, -28, 60), (132, -28, 20), (150, -20, 45)),
            blob("dragon k", *body),
            blob("dragon-deep half", (-80, 6), (-60, -10), (0, -4), (60, -10), (112, -10), (114, 2), (60, 7)),
            _spikes((-40, -66, -16), (-60, -70, -8), (-80, -72, -4)),
            blob("dragon", *head),
            path("k no", smooth(head[1:-1])),
            blob("dragon-light k", *wing),
            path("k no", "M2-104q34 18 56 50M2-104q16 26 24 54M2-104q0 30-10 58M2-104q50 10 82 46"),
            path("belly k3", "M2-104q-8-3-8-10q6 2 11 8z"),
            blob("dragon k", *haunch),
            blob("dragon-deep half", (62, 6), (92, 0), (98, -24), (106, -20), (105, 4), (80, 8)),
            path("dragon k", "M34 8q-4-10 8-12q20-4 34 2q6 8-2 12q-22 4-40-2z"),
            blob("belly k2", *throat),
            path("k2 no", "M-98-18q4 10 10 17M-84-23q2 11 6 18M-66-25q-1 9 0 15"),
            path("belly k", "M-122-65q-2-17 14-26q-3 12 2 23zM-106-68q5-14 20-17q-7 8-7 17z"),
            path("dragon-light k3", "M-112-44q8-9 19-5q-5 3-5 9q-8 3-14-4z"),
            path("ember half", "M-134-19q6-5 12 0q-6 5-12 0z"),
            path("k4 no", "M-146-33q8 7 17 0M-171-29q1-3 4-2"),
            path("k no", "M-142-28l-2 4M-134-28l1 4M-150-45q8-8 20-4M-175-19q20 9 38 5q8-2 12 2M42-3l-3 5M52-4l-2 6"),
            path("dragon k", "M-128 8q-4-9 8-10q18-2 30 2q8 6 2 10q-22 4-40-2z"),
            path("k no", "M-120 1l-3 5M-110 0l-2 6"),
            _scales(
                (-24, -50), (-52, -50), (-74, -56), (-96, -52), (16, -22), (-4, -18), (66, -28), (80, -18), (86, -32)
            ),
            path("smoke k3", "M-182-42q-5-4-1-8q6-2 7 3q0 5-6 5zM-190-58q-7-5-1-11q8-4 11 3q0 8-10 8z"),
            path("smoke k3", "M-184-80q-9-7-1-15q11-5 14 5q0 10-13 10z"),
        )
    )


def awake() -> str:
    """Draw the dragon sitting in a niche, on the look-out."""
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


# --- What is drawn by hand, each thing about its own zero ---------------------------------------------------------
COIL = (
    "M13 13q5 6 9 4M17 0a17 17 0 1 1-34 0a17 17 0 1 1 34 0zM11 0a11 11 0 1 1-22 0a11 11 0 1 1 22 0z"
    "M4.5 0a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0z"
)
PICTURES = {
    "pickaxe": """<path class="wood k3" d="M-17 14l4 5L10-6l-5-5z"/><path class="k2 no" d="M-11 12l16-17"/>
<path class="steel k3" d="M-13-19q18-3 26 5t6 26q-4-12-11-18q-8-7-21-13z"/>
<path class="steel-deep" d="M1-13q8 4 10 8q5 5 7 14q-3-8-9-14q-5-5-12-9z"/>
<path class="wood-deep k3" d="M2-10l6-5l7 7l-5 6z"/>""",
    "lantern": """<path class="k3 no" d="M-6-17q0-8 6-8t6 8"/><path class="ember k3" d="M-10-11q2-8 10-8t10 8z"/>
<path class="lamp k3" d="M-9-11h18l3 22h-24z"/><path class="coin" d="M0-7q8 9 3 16h-6q-5-7 3-16z"/>
<path class="card" d="M0 0q4 5 1 9h-3q-2-4 2-9z"/><path class="k2 no" d="M-4-11l-1 22M4-11l1 22"/>
<path class="ember k3" d="M-14 11h28v6q-14 5-28 0z"/>""",
    "rope": band("ink", COIL, 7.6) + band("rope", COIL, 5) + band("wood-deep", COIL, 5, "stroke-dasharray:1 4"),
    "barrel": """<path class="wood k3" d="M-13-18q13-4 26 0q9 18 0 36q-13 4-26 0q-9-18 0-36z"/>
<path class="wood-deep half" d="M6-19l7 1q9 18 0 36l-7 1q6-19 0-38z"/>
<path class="k2 no" d="M-6-19q-5 19 0 38M6-19q5 19 0 38"/><path class="steel k3" d="M-15-12q15 4 30 0l2 5q-17 4-34 0z"/>
<path class="steel k3" d="M-17 6q17 4 34 0l-2 6q-15 4-30 0z"/>
<path class="wood-deep k3" d="M-13-18q0-4 13-4t13 4t-13 3t-13-3z"/>""",
    "crystal": """<path class="shard-deep k3" d="M8 17l-3-20l7-8l7 7l-3 20zM-9 17l-9-16l2-8l8 2l5 20z"/>
<path class="shard k3" d="M-7 18l-4-29l8-12l9 11l-2 30z"/><path class="shard-light" d="M-6 16l-4-27l6-9l1 38z"/>
<path class="k2 no" d="M-3-23l1 42M-11-11l8 3l9-4M12-11l-2 27M-16-7l6 4"/>
<path class="rock-deep k3" d="M-19 18q5-5 10-2q6-3 10 0q6-4 10 0q6-3 9 3q-19 5-39-1z"/>""",
    "mushroom": """<path class="card k3" d="M-7 18q2-12-1-20h11q-2 10 2 20q-6 2-12 0z"/>
<path class="ember k3" d="M-22-1q0-19 20-19t20 19q-20 6-40 0z"/>
<path class="card k2" d="M-11-12q5-4 7 0t-4 4t-3-4zM3-10q5-2 6 2t-4 3t-2-5zM-4-18q4-1 5 1t-5-1zM-18-4q3-2 4 1z"/>
<path class="card k3" d="M11 18q2-5 0-9h6q-1 5 1 9z"/><path class="ember k3" d="M7 10q1-9 8-9t7 9q-7 3-15 0z"/>
<path class="k2 no" d="M-6 5l2 0M-2 3l4 0"/>""",
    "bat": """<path class="bat k3" d="M0-4q8-14 24-11q-4 5-2 12q-6-2-8 4q-5-2-6 4q-4 3-8 3q-4 0-8-3q-1-6-6-4q-2-6-8-4
q2-7-2-12q16-3 24 11z"/><path class="k2 no" d="M-20-13q7 5 6 13M20-13q-7 5-6 13M-8-4q-5-6-12-9M8-4q5-6 12-9"/>
<path class="bat k3" d="M-7 0q-1-8-2-14l6 4q3-1 6 0l6-4q-1 6-2 14q1 12-7 15q-8-3-7-15z"/>
<path class="lamp k2" d="M-5-4q3-2 4 2q-3 2-4-2zM5-4q-3-2-4 2q3 2 4-2z"/>
<path class="card" d="M-3 3h2l-1 4zM3 3h-2l1 4z"/><path class="k2 no" d="M-3 3q3 2 6 0M-3 10l1 1M2 10l1 1"/>""",
    "cart": """<path class="coin k3" d="M-15-7q2-7 7-5q3-7 9-3q6-4 8 2q6-2 7 6z"/>
<path class="steel k3" d="M-21-8h42l-6 19h-30z"/><path class="steel-deep" d="M8-8h12l-5 18h-10z"/>
<path class="k2 no" d="M-6-9q3-3 6 0M4-8q3-3 6 0M-19-3h38M-8-8l2 19M8-8l-2 19"/>
<circle class="wood k3" cx="-10" cy="14" r="6"/><circle class="wood k3" cx="10" cy="14" r="6"/>
<path class="k2 no" d="M-10 9v10M-15 14h10M10 9v10M5 14h10"/>""",
}
CRESTS = {
    "lion": """<path class="crest" d="M8.6 0c0 .7-2.2 1.1-2.5 2-.3 .8 1.2 2.5 .9 3.1-.4 .5-2.5-.4-3.2 .1-.8 .5-.5 2.8
-1.1 3-.7 .2-1.8-1.8-2.7-1.8-.9 0-2 2-2.7 1.8-.6-.2-.3-2.5-1.1-3-.7-.5-2.8 .4-3.2-.1-.3-.6 1.2-2.3 .9-3.1
-.3-.9-2.5-1.3-2.5-2 0-.7 2.2-1.1 2.5-2 .3-.8-1.2-2.5-.9-3.1 .4-.5 2.5 .4 3.2-.1 .8-.5 .5-2.8 1.1-3
.7-.2 1.8 1.8 2.7 1.8 .9 0 2-2 2.7-1.8 .6 .2 .3 2.5 1.1 3 .7 .5 2.8-.4 3.2 .1 .3 .6-1.2 2.3-.9 3.1
.3 .9 2.5 1.3 2.5 2z"/><path class="card" d="M-4-3q4-2.4 8 0q1 4-1.2 6.4q-2.8 3-5.6 0q-2.2-2.4-1.2-6.4z"/>
<path class="k2 no" d="M-2-1.4v1.3M2-1.4v1.3M0 1.4v1.8M-1.4 3.5q1.4 1 2.8 0"/>""",
    "tower": """<path class="crest" d="M-6.5-8.5h3v2.5h2.2v-2.5h3v2.5h2.2v-2.5h3v5.8l-1.7 1.4v9h-10v-9l-1.7-1.4z"/>
<path class="card" d="M-2 7.7v-4.5q2.3-2.7 4.3 0v4.5z"/>""",
    "star": '<path class="crest" d="M0-9l2.2 5.7 6.2 .3-4.9 4 1.7 6-5.2-3.4-5.2 3.4 1.7-6-4.9-4 6.2-.3z"/>',
    "oak": """<path class="crest" d="M-1.2 9l.2-5q-5 1.8-6.8-1.6q-1.4-3 1.2-4.6q-1.6-3.4 1.8-4.8q1.6-2.8 5-1.6
q3.2-1.4 5 1.6q3.4 1.4 1.8 4.8q2.6 1.8 1 4.8q-1.8 3-6.6 1.6l.2 4.8z"/>""",
}
DWARF = """<path class="shadow" d="M-16 0q20-9 40 0q-20 9-40 0z"/>
<path class="wood-deep k3" d="M-13-1q0-6 6-6t6 6q-6 3-12 0zM1-1q0-6 6-6t6 6q-6 3-12 0z"/>
<path class="crest k" d="M-15-5q-4-17 5-28h20q9 11 5 28q-15 5-30 0z"/>
<path class="shadow" d="M6-33h4q9 11 5 28q-5 2-10 2q6-14 1-30z"/>
<path class="card k" d="M-13-24q13-3 26 0q2 18-13 28q-15-10-13-28z"/>
<path class="skin k3" d="M-10-37q0-9 10-9t10 9q0 8-10 8t-10-8z"/>
<path class="beard k3" d="M-12-40q3 5 7 4q5-2 5 0q0-2 5 0q4 1 7-4q3 11-3 15q-4 3-9 7q-5-4-9-7q-6-4-3-15z"/>
<path class="k2 no" d="M-6-31q0 4 3 7M6-31q0 4-3 7M0-30v8"/><circle class="skin k3" cx="0" cy="-37" r="3.4"/>
<path class="crest k" d="M-14-40q2-10 9-17q6-6 15-9q-2 5 0 10q3 8 4 16q-14-5-28 0z"/>
<path class="shadow" d="M4-62q3-3 6-4q-2 5 0 10q3 8 4 16l-6-1q0-12-4-21z"/>
<path class="card k3" d="M-15-39q15-6 30 0q2 4-1 5q-14-5-28 0q-3-1-1-5z"/>
<path class="k4 no" d="M-4.5-37.5v.1M4.5-37.5v.1"/>"""
FEATHER = '<path class="belly k3" d="M10-44q4-14 16-18q0 14-12 22zM12-42q5-8 10-14"/>'
COIN = """<ellipse class="coin-deep k3" cx="0" cy="1.6" rx="8" ry="6.4"/><ellipse class="coin k3" rx="8" ry="6.4"/>
<ellipse class="coin-light" rx="5" ry="3.8"/><path class="coin" d="M-1.5-2.5h3v5h-3z"/>"""
COIN_LABEL = '<path class="card k3" d="M-4 2h36q8 2 8 10t-8 10h-36z"/>'
PLAQUE = """<path class="wood k" d="M-42-14q42-4 84 0l2 30q-44 4-88 0z"/>
<path class="k2 no" d="M-36-8h14M24 11h14"/>"""

# A space: its slab, on a base of stone, and its banner.
SLAB = "M-65 4q2-9 20-13q22-5 46-5q28 0 48 6q16 5 16 13q-2 9-18 13q-20 5-46 5q-28 0-47-5q-17-5-19-14z"
SLAB_WASH = "M-52 5q3-6 16-9q18-4 38-4q22 0 38 5q12 4 12 9q-3 5-16 8q-16 3-36 3q-22 0-36-3q-14-4-16-9z"
BASE = """<ellipse class="shadow" cx="4" cy="16" rx="69" ry="15"/>
<path class="rock-deep k" d="M-65 4v8q2 9 19 14q20 4 47 4q27 0 46-5q17-5 18-12v-8z"/>
<path class="hatch" d="M-40 20v6M-20 23v6M6 24v6M30 22v6M48 19v5"/>"""
CLOTH = "M-38-97q38 4 76 0q-3 30 0 62l-13-7l-12 9l-13-8l-13 8l-12-9l-13 7q3-32 0-62z"
CLOTH_FOLDS = """<path class="shadow" d="M22-96l16-1q-3 30 0 62l-13-7q-5-26-3-54z"/>
<path class="hatch" d="M-31-93q2 26 0 48M32-93q-3 26 0 48"/>
<path class="wood k3" d="M-44-102q44-3 88 0v6q-44 3-88 0z"/>"""

# A niche: its arch of stone, the alcove and the curtain in it.
ARCH = """<path class="rock-light k" d="M-58 3q-10-68 8-101q18-28 50-28q32 0 50 28q18 34 8 101z"/>
<path class="rock-deep half" d="M12-125q24 4 38 27q18 34 8 101h-12q8-60-8-88q-8-14-22-20z"/>
<path class="hatch" d="M-47-30l-13 1M-48-62l-12-3M-38-88l-12-10M-20-104l-6-15M20-104l6-15M38-88l12-10M48-62l12-3
M47-30l13 1"/>"""
ALCOVE = "M-46 0q-8-62 8-88q14-22 38-24q24 2 38 24q16 26 8 88z"
FOLDS = '<path class="k2 no half" d="M-32-10q-5-46 8-66M-18-10q-3-36 5-70M18-10q3-36-5-70M32-10q5-46-8-66"/>'
DRIPSTONE = """<path class="wall k3" d="M-24-6q7 26 10 40q7-18 9-38M-6-6q7 40 11 60q8-26 10-58
M14-4q5 18 8 26q6-12 7-24"/>
<path class="shadow" d="M-14-4q2 20 0 38q7-18 9-38zM5-4q3 30 0 58q8-26 10-58z"/>"""

# The tunnel: what stands in it, and what lies in the rock.
PORTAL = """<path class="wood k" d="M-6-92l13 0l2 86h-17z"/><path class="wood-deep half" d="M2-92h5l2 86h-6z"/>
<path class="wood k" d="M-34-106q40-4 84 0l2 15q-44 4-88 0z"/><path class="wood-deep k3" d="M7-66l26-26l9 2l-34 35z"/>
<path class="k2 no" d="M-24-99h22M6-97h30M-2-70v22M3-40v18"/>"""
FURNITURE = (
    """<circle cy="-66" r="86" fill="url(#cave-lamplight)"/><path class="wood k3" d="M-6-92h12l1 84h-14z"/>
<path class="wood-deep half" d="M1-92h5l1 84h-5z"/>
<path class="wood k3" d="M-6-60l-22-30l8-2l16 22zM6-60l22-30l-8-2l-16 22zM-34-104q34-3 68 0l1 11q-34 3-70 0z"/>
<path class="k2 no" d="M-26-99h18M4-98h22M-2-30v18M2-84v8"/><path class="steel k3" d="M-8-46h16l-3 12h-10z"/>
<path class="ember k3" d="M-8-46q-6-12 2-18q0-8 7-14q0 9 5 13q7 8 2 19z"/>
<path class="lamp" d="M-4-46q-4-8 2-12q1-5 4-8q0 7 2 9q4 6 0 11z"/>""",
    """<path class="wall-light k3" d="M-32-103q5 24 9 34q5-14 7-33M-15-103q6 36 10 52q7-20 9-51
M6-103q5 20 8 28q5-12 7-27"/>
<path class="shadow" d="M-23-100q1 18 0 31q5-14 7-33zM-5-101q2 28 0 50q7-20 9-51zM14-101v26q5-12 7-27z"/>
<path class="wall-light k3" d="M-24-6q5-16 8-24q6 8 9 24zM-2-6q7-24 10-36q8 14 12 36z"/>
<path class="shadow" d="M-15-8q2-12-1-22q6 8 9 24zM9-7q3-18-1-35q8 14 12 36z"/>""",
    """<path class="k4 no" d="M-26-104q4 14-4 22q-6 8 0 16M-10-104q8 16 0 28q-8 12 2 24q4 6 0 12
M12-104q-6 12 2 20q8 8 2 18M-8-74q6 2 8 8M-31-82q-5 1-7 6M14-84q7 0 10 6"/>
<path class="rock k3" d="M-28-6q-2-12 10-14q14 0 14 14zM-2-6q0-18 14-20q16 2 16 20z"/>
<path class="rock-deep" d="M-16-8q4-4 2-10q9 2 9 11zM14-8q4-8 1-16q11 4 12 17z"/>
<path class="k2 no" d="M-20-14q3 2 5 0M8-16q3 2 5 0"/>""",
    """<path class="web" d="M-40-102l34 36M-40-102l48 14M-40-102l16 46M-26-97q0 8-8 9M-12-93q0 20-22 24
M2-90q0 28-31 34"/>
<path class="card k3" d="M-8-8q-2-4-1-7q-6-4-5-11q2-9 13-9t13 9q1 7-5 11q1 3-1 7q-7 3-14 0z"/>
<path class="ink" d="M-8-22q4-2 6 2q-1 5-5 4q-3-2-1-6zM6-22q-4-2-6 2q1 5 5 4q3-2 1-6zM-2-13l1-3l1 3z"/>
<path class="k2 no" d="M-4-6v-4M-1-6v-4M2-6v-4"/>
<path class="card k3" d="M14-6q-4-1-2-4l14-7q0-4 4-2q4 0 2 4q1 4-3 2l-12 7q0 2-3 0z"/>""",
    """<path class="wood k3" d="M-28-6l1-30h34l1 30z"/><path class="wood-deep half" d="M-4-36h11l1 30h-10z"/>
<path class="wood k3" d="M-28-36h36l1 6h-38zM-28-12h36v6h-36zM-26-12l26-18h7l-26 18z"/>
<path class="rope k3" d="M14-6q-6-10 2-17q-3-6 3-8q6 1 5 8q9 8 3 17q-7 3-13 0z"/>
<path class="k2 no" d="M15-23q5 2 9 0M18-14q1 4 0 7"/>""",
)
FINDS = (
    """<path class="rock-light k3" d="M12 4q1-15-12-15q-13 1-13 12q1 10 12 10q9-1 9-9q-1-7-8-7q-6 1-6 6
q0 5 5 5q4-1 3-4"/>
<path class="hatch" d="M12 2l-5-1M8-7l-4 4M0-11v5M-9-7l4 4M-13 2h5M-9 9l4-4M0 11v-5"/>""",
    '<path class="card k3" d="M-14 4q-7 1-5-4q-3-5 4-5q4 0 4 4h22q0-5 4-4q6 0 4 5q2 4-4 5q-4 0-4-4h-21q0 3-4 3z"/>',
    """<path class="emerald k3" d="M-12 7l-3-9l7-8l8 6l-1 10z"/><path class="ember k3" d="M4 8l-2-9l7-6l7 6l-3 10z"/>
<path class="shine" d="M-12-2l5-5l3 2l-5 10zM5-1l4-4l2 2l-3 8z"/>""",
)
CRACK = "q5-12 12-7q5 2 8 9m-4-10q2 4 0 8"

# The world outside.
SNOW = """<path class="snow k3" d="M-136-40L-110 40q16-6 26-2q4 10 8 12q6-8 14-8q8 6 10 16q8-14 16-12q8 6 10 22
q8-12 14-12q8 4 12 18q6-16 14-18q8 2 14 16q4-14 12-16q8 0 14 12q4-8 12-8q10 2 16 12q8-8 16-8q8 2 16 10q6-6 26-4
q14-4 28-4l14-24V-40z"/>"""
PINE = """<ellipse class="shadow" cx="5" rx="13" ry="3"/><path class="wood-deep k2" d="M-2 0q.5-5 0-9h4q0 5 .6 9z"/>
<path class="pine k3" d="M0-44l6 11l-3-1l8 11l-5-1l9 10l-6-1l7 8q-16 5-32 0l7-8l-6 1l9-10l-5 1l8-11l-3 1z"/>
<path class="pine-deep" d="M1-41l5 8l-3-1l8 11l-5-1l9 10l-6-1l6 7l-14 2z"/>"""
SIGNPOST = """<path class="wood-deep k3" d="M-3-44h6l1 46h-8z"/>
<path class="wood k3" d="M-16-46q16-3 30 0l9 8l-9 9q-14 3-30 0z"/><path class="k2 no" d="M-10-40h14M-8-35h18"/>"""
CLOUD = """<path class="cloud k3" d="M-40 12q-6-10 6-14q2-14 16-12q8-16 24-8q14-6 20 8q16-4 18 10q8 4 4 14
q-44 6-88 2z"/>
<path class="hatch" d="M-26 20h34M-4 25h34M-22 4q3-8 10-5M4 4q4-8 10-4"/>"""
BIRD = "q5-6 8-1q4-5 9 0"
TUFT = "q-1-4-3-6m6 6q0-5-1-8m4 8q1-5 3-8m0 8q2-3 5-4"
STAR = "m0-6l1.2 4.8l4.8 1.2l-4.8 1.2l-1.2 4.8l-1.2-4.8l-4.8-1.2l4.8-1.2z"

"""Helpers to draw boards: numbers, curves and shapes as SVG text, places, style sheets, a few plants.

Classes and ids begin with `a-`, so that a board meets no other names of its page; only `place` is the page's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

Spots = Sequence[tuple[float, float]]


# --- Numbers and curves -------------------------------------------------------------------------------------------
def num(value: float) -> str:
    """Write a coordinate, as short as it can be."""
    return f"{value:.1f}".removesuffix(".0")


def moved(x: float, y: float, scale: float = 1) -> str:
    """Write the transform that brings a thing to its place."""
    return f'transform="translate({num(x)} {num(y)}){f"scale({scale:g})" if scale != 1 else ""}"'


def smooth(points: Spots, *, closed: bool = False) -> str:
    """Draw a soft curve through points (Catmull and Rom's)."""
    curves = ("C" + " ".join(map(num, curve)) for curve in _controls(points, closed=closed))
    return f"M{num(points[0][0])} {num(points[0][1])}{''.join(curves)}{'z' if closed else ''}"


def coarse(points: Spots, *, closed: bool = False) -> str:
    """Draw a soft curve through points in whole numbers, each from the one before: what is large needs no tenths."""
    x, y = round(points[0][0]), round(points[0][1])
    data = f"M{x} {y}"
    for curve in _controls(points, closed=closed):
        whole = [round(value) for value in curve]
        steps = " ".join(str(value - (y if number % 2 else x)) for number, value in enumerate(whole))
        data += f"c{steps}".replace(" -", "-")
        x, y = whole[4:]
    return data + ("z" if closed else "")


def _controls(points: Spots, *, closed: bool) -> Iterator[tuple[float, ...]]:
    """Find the control points and the end of every piece of a soft curve."""
    last = len(points) - 1

    def near(at: int) -> tuple[float, float]:
        return points[at % len(points)] if closed else points[min(max(at, 0), last)]

    for at in range(last + closed):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (near(at + step) for step in (-1, 0, 1, 2))
        yield bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6, cx, cy


# --- Shapes -------------------------------------------------------------------------------------------------------
def classes(names: str) -> str:
    """Write the class attribute of a shape."""
    return f'class="{" ".join(f"a-{name}" for name in names.split())}"'


def path(style: str, data: str, more: str = "") -> str:
    """Draw a path."""
    return f'<path {classes(style)} d="{data}"{more}/>'


def blob(style: str, *points: tuple[float, float]) -> str:
    """Draw a closed shape with soft corners."""
    return path(style, smooth(points, closed=True))


def band(style: str, data: str, width: float, more: str = "") -> str:
    """Draw a band along a line."""
    return path(f"{style} band", data, f' style="stroke-width:{num(width)}px;{more}"')


def circle(style: str, x: float, y: float, r: float, more: str = "") -> str:
    """Draw a circle."""
    return f'<circle {classes(style)} cx="{num(x)}" cy="{num(y)}" r="{num(r)}"{more}/>'


def text(style: str, x: float, y: float, written: str | int) -> str:
    """Write a number or a name."""
    return f'<text {classes(style)} x="{num(x)}" y="{num(y)}">{escape(str(written))}</text>'


def use(name: str, x: float, y: float, scale: float = 1) -> str:
    """Set down a thing that is drawn once."""
    return f'<use href="#a-{name}" {moved(x, y, scale)}/>'


def touch(x: float, y: float, room: float) -> str:
    """Let a place be pointed at wherever there is room, though nothing is drawn there."""
    return f'<circle fill="none" pointer-events="all" cx="{num(x)}" cy="{num(y)}" r="{num(room)}"/>'


def frame(width: float, height: float, corner: float = 9) -> str:
    """Draw the two lines around a board."""
    return "".join(
        f'<rect class="a-edge" x="{inset}" y="{inset}" width="{width - 2 * inset}" height="{height - 2 * inset}" '
        f'rx="{corner}" stroke-width="{line}"/>'
        for inset, line in ((8, 1.7), (14, 2.6))
    )


# --- The board ----------------------------------------------------------------------------------------------------
def place(key: str, at: tuple[float, float], room: float, name: str, *parts: str, where: str = "") -> str:
    """Draw a place: where pieces stand there, how much room it has, what it is called, and its drawing."""
    x, y = at
    return (
        f'<g class="place" data-place="{key}" data-x="{num(x)}" data-y="{num(y)}" data-r="{num(room)}" role="img" '
        f'aria-label="{quoted(name)}"{where and " "}{where}>{"".join(parts)}</g>'
    )


def quoted(written: str) -> str:
    """Escape a text for an attribute."""
    return escape(written, {'"': "&quot;"})


def document(width: float, height: float, title: str, language: str, style: str, *parts: str) -> str:
    """Put a whole board together: its name, its style sheet and its parts."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="group" '
        f'aria-labelledby="a-title" lang="{language}"><title id="a-title">{quoted(title)}</title>'
        f"<style>\n{style}\n</style>{''.join(parts)}</svg>\n"
    )


def style_sheet(palette: Mapping[str, str], lines: Mapping[str, str], shaded: Sequence[str] = ()) -> str:
    """Write a class for every colour and every line; colours of gradients and bands are `shaded`."""
    rules = {
        f".{name}": f"fill:{colour};color:{colour};stop-color:{colour}" if name in shaded else f"fill:{colour}"
        for name, colour in palette.items()
    }
    rules |= {names: line % palette for names, line in lines.items()}
    return "\n".join(f"{names.replace('.', '.a-')}{{{rule}}}" for names, rule in rules.items())


# --- What grows and flies around several boards -------------------------------------------------------------------
PINE = """<ellipse class="a-shadow" cx="5" rx="13" ry="3"/>
<path class="a-wood-deep a-k2" d="M-2 0q.5-5 0-9h4q0 5 .6 9z"/>
<path class="a-pine a-k3" d="M0-44l6 11l-3-1l8 11l-5-1l9 10l-6-1l7 8q-16 5-32 0l7-8l-6 1l9-10l-5 1l8-11l-3 1z"/>
<path class="a-pine-deep" d="M1-41l5 8l-3-1l8 11l-5-1l9 10l-6-1l6 7l-14 2z"/>"""
CLOUD = """<path class="a-cloud a-k3" d="M-40 12q-6-10 6-14q2-14 16-12q8-16 24-8q14-6 20 8q16-4 18 10q8 4 4 14
q-44 6-88 2z"/>
<path class="a-hatch" d="M-26 20h34M-4 25h34M-22 4q3-8 10-5M4 4q4-8 10-4"/>"""
BIRD = "q5-6 8-1q4-5 9 0"
STAR = "m0-6l1.2 4.8l4.8 1.2l-4.8 1.2l-1.2 4.8l-1.2-4.8l-4.8-1.2l4.8-1.2z"
MOON = "M-14-30a34 34 0 1 0 40 44a29 29 0 0 1-40-44z"

"""What the pictures of all studies are drawn with: SVG by day and by night."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from typing import Protocol


class Interval(Protocol):
    """A value with the ends of its interval."""

    @property
    def value(self) -> float: ...  # noqa: D102
    @property
    def low(self) -> float: ...  # noqa: D102
    @property
    def high(self) -> float: ...  # noqa: D102


@dataclass(frozen=True)
class Light:
    """The colours of a picture."""

    paper: str
    band: str
    ink: str
    faint: str
    line: str
    emerald: str
    gold: str
    ember: str
    sapphire: str
    amethyst: str


DAY = Light(
    "#fdfaf2", "#f3e6c8", "#2a2018", "#6d5f4e", "#dccfb4", "#1f7a5c", "#c8952c", "#b5432a", "#2f5fa8", "#7a4a94"
)
NIGHT = Light(
    "#14182a", "#283053", "#e6e9f5", "#a3abc6", "#353d5c", "#4bbd94", "#e0b04e", "#e5775a", "#7fa8ea", "#bd8fd6"
)
FONT = "Georgia, 'DejaVu Serif', serif"
Scale = Callable[[float], float]


# --- Small things -------------------------------------------------------------------------------------------------
def text(x: float, y: float, words: str, fill: str, size: float = 13, anchor: str = "start", extra: str = "") -> str:
    """Write words."""
    place = f'x="{x:.1f}" y="{y:.1f}" fill="{fill}" font-size="{size:g}" text-anchor="{anchor}"'
    return f"<text {place}{extra}>{escape(words)}</text>"


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1, dashes: str = "") -> str:
    """Draw a line."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {place} stroke="{stroke}" stroke-width="{width:g}"{dashed}/>'


def mark(shape: str, x: float, y: float, colour: str, paper: str) -> str:
    """Draw a point: a disc, a diamond or a ring."""
    if shape == "diamond":
        corners = f"{x:.1f},{y - 6:.1f} {x + 6:.1f},{y:.1f} {x:.1f},{y + 6:.1f} {x - 6:.1f},{y:.1f}"
        return f'<polygon points="{corners}" fill="{colour}" stroke="{paper}" stroke-width="1"/>'
    if shape == "ring":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{paper}" stroke="{colour}" stroke-width="1.8"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.8" fill="{colour}" stroke="{paper}" stroke-width="1"/>'


def sheet(width: int, height: int, title: str, light: Light, parts: Iterable[str]) -> str:
    """Lay parts on paper."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="{FONT}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width}" height="{height}" rx="10" fill="{light.paper}"/>\n{body}\n</svg>\n'
    )

"""The pictures of the certificate, drawn as SVG by day and by night."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from research.shared.drawing import DAY, NIGHT, Light, line, mark, sheet, text

__all__ = ["DAY", "NIGHT", "Curve", "chart"]

LEFT, RIGHT, TOP, BOTTOM = 74, 700, 92, 372
SHAPES = ("disc", "diamond", "ring", "disc")


@dataclass(frozen=True)
class Curve:
    """What was found for some numbers of simulations."""

    name: str
    points: Sequence[tuple[int, float]]


def chart(title: str, below: str, curves: Sequence[Curve], marks: Sequence[float], light: Light) -> str:
    """Draw how something changes with the number of simulations; both scales are logarithmic, `marks` in percent."""
    counts = sorted({count for curve in curves for count, _ in curve.points})
    low, high = math.log(counts[0]), math.log(counts[-1])
    least, most = math.log(marks[0]), math.log(marks[-1])

    def across(count: float) -> float:
        return LEFT + 20 + (math.log(count) - low) / (high - low) * (RIGHT - LEFT - 40)

    def height(percent: float) -> float:
        return BOTTOM - (math.log(max(percent, marks[0])) - least) / (most - least) * (BOTTOM - TOP)

    parts = [text(LEFT, 36, title, light.ink, 15)]
    for percent in marks:
        parts += [
            line(LEFT, height(percent), RIGHT, height(percent), light.line),
            text(LEFT - 10, height(percent) + 4, f"{percent:g} %", light.faint, 12, "end"),
        ]
    for count in counts:
        parts.append(text(across(count), BOTTOM + 24, f"{count:,}", light.faint, 12, "middle"))
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 46, below, light.faint, 12, "middle"))
    colours = (light.emerald, light.sapphire, light.ember, light.gold)
    at = LEFT
    for curve, shape, colour in zip(curves, SHAPES, colours, strict=False):
        places = [(across(count), height(100 * value)) for count, value in curve.points]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        parts += [mark(shape, x, y, colour, light.paper) for x, y in places]
        parts += [mark(shape, at + 5, 60, colour, light.paper), text(at + 15, 64.5, curve.name, light.ink)]
        at += 46 + 7 * len(curve.name)
    return sheet(RIGHT + 30, BOTTOM + 66, title, light, parts)

"""The pictures of the study of Dragon's Cave, drawn as SVG by day and by night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from research.shared.drawing import DAY, NIGHT, Interval, Light, Scale, line, mark, sheet, text

__all__ = ["DAY", "NIGHT", "Panel", "Row", "boards_picture", "curve_picture"]


# --- All boards ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Row:
    """A board as the first picture shows it; what is counted comes by the number of players."""

    label: str
    chosen: bool
    empty: dict[int, Interval]
    rusher: dict[int, Interval]
    banker: dict[int, Interval]


ROW, TOP = 30, 118
LEFT, RIGHT = (232, 524), (572, 864)
SHAPES = {2: "ring", 3: "disc", 4: "diamond"}


def _often(share: float) -> float:
    """Where a share of games lies: by its square root, so that the rare ones have room."""
    return LEFT[0] + min(share, 1.0) ** 0.5 * (LEFT[1] - LEFT[0])


def _fair(share: float) -> float:
    """Where a part of a fair share lies."""
    return RIGHT[0] + (min(max(share, 0.4), 1.2) - 0.4) / 0.8 * (RIGHT[1] - RIGHT[0])


def boards_picture(rows: Sequence[Row], limits: dict[int, float], fair_enough: float, light: Light) -> str:
    """Draw how often the treasure runs out on every board, and how rushers and bankers do there."""
    bottom = TOP + ROW * len(rows)
    colours = {2: light.amethyst, 3: light.emerald, 4: light.sapphire}
    parts = [*_headings(light, colours), *_grid(light, colours, limits, fair_enough, bottom)]
    for number, row in enumerate(rows):
        y = TOP + ROW * (number + 0.5)
        if row.chosen:
            parts.insert(
                0, f'<rect x="12" y="{y - ROW / 2:.1f}" width="866" height="{ROW}" rx="5" fill="{light.band}"/>'
            )
        parts.append(_label(row, y, light))
        for players, share in row.empty.items():
            parts += _point(_often, share, y, SHAPES[players], colours[players], light)
        for shares, colour, shift in ((row.rusher, light.ember, -6), (row.banker, light.gold, 6)):
            for players, share in shares.items():
                if players > 2:
                    parts += _point(_fair, share, y + shift, SHAPES[players], colour, light)
    return sheet(890, bottom + 46, "How the candidate boards play", light, parts)


def _label(row: Row, y: float, light: Light) -> str:
    """Name a board by its coins."""
    laps = row.label.split()
    words = " ".join(laps[0]) if len(laps) == 1 else " · ".join(laps)
    bold = ' font-weight="bold"' if row.chosen else ""
    return text(214, y + 4.5, words, light.ink, 14 if len(laps) == 1 else 11.5, "end", bold)


def _point(scale: Scale, share: Interval, y: float, shape: str, colour: str, light: Light) -> list[str]:
    """Draw a share with its interval."""
    interval = line(scale(share.low), y, scale(share.high), y, colour, 2)
    return [interval, mark(shape, scale(share.value), y, colour, light.paper)]


def _headings(light: Light, colours: dict[int, str]) -> list[str]:
    """Write above the columns what they show."""
    parts = [
        text(214, 42, "Coins a lap", light.ink, 15, "end"),
        text(214, 62, "pickaxe lantern rope barrel crystal", light.faint, 11.5, "end"),
        text(LEFT[0], 42, "The treasure runs out", light.ink, 15),
        text(RIGHT[0], 42, "Wins, in fair shares", light.ink, 15),
    ]
    x = LEFT[0] + 5
    for players, colour in colours.items():
        parts += [mark(SHAPES[players], x, 60, colour, light.paper), text(x + 9, 64.5, f"{players} players", light.ink)]
        x += 84
    x = RIGHT[0] + 5
    for name, colour in (("rusher", light.ember), ("banker", light.gold)):
        parts += [
            mark("disc", x, 60, colour, light.paper),
            mark("diamond", x + 13, 60, colour, light.paper),
            text(x + 24, 64.5, name, light.ink),
        ]
        x += 84
    return parts


def _grid(
    light: Light, colours: dict[int, str], limits: dict[int, float], fair_enough: float, bottom: float
) -> list[str]:
    """Draw the scales, and dashed what a board must keep to."""
    parts: list[str] = []
    for share in (0, 0.01, 0.05, 0.1, 0.25, 0.5, 1):
        x = _often(share)
        parts += [
            line(x, TOP - 8, x, bottom, light.line),
            text(x, TOP - 14, f"{100 * share:g}", light.faint, 12, "middle"),
        ]
    parts.append(text(LEFT[1] + 12, TOP - 14, "%", light.faint, 12))
    for share in (0.4, 0.6, 0.8, 1, 1.2):
        x = _fair(share)
        strong = light.faint if share == 1 else light.line
        parts += [line(x, TOP - 8, x, bottom, strong), text(x, TOP - 14, f"{share:g}", light.faint, 12, "middle")]
    for (players, limit), anchor in zip(limits.items(), ("end", "start"), strict=True):
        parts += [
            line(_often(limit), TOP - 8, _often(limit), bottom + 8, colours[players], 1.8, "5 4"),
            text(_often(limit), bottom + 24, f"≤ {100 * limit:g} %", colours[players], 12, anchor),
        ]
    x = _fair(fair_enough)
    parts += [
        line(x, TOP - 8, x, bottom + 8, light.ink, 1.8, "5 4"),
        text(x, bottom + 24, f"≥ {fair_enough:g}", light.ink, 12, "middle"),
        text(_fair(1), bottom + 24, "a fair share", light.faint, 12, "middle"),
    ]
    return parts


# --- When to bank -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Panel:
    """Win shares by the purse that is banked, for each number of players."""

    title: str
    chosen: bool
    curves: dict[int, dict[str, Interval]]


PANEL, GAP, HIGH, LOW = 252, 24, 96, 356
LOWEST, HIGHEST = 0.4, 1.2


def _height(share: float) -> float:
    """How high a part of a fair share is drawn."""
    return LOW - (min(max(share, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST) * (LOW - HIGH)


def curve_picture(panels: Sequence[Panel], light: Light) -> str:
    """Draw how much a player wins who banks with so many coins, on some boards."""
    parts = [
        text(52, 40, "Wins of a player who banks with so many coins, in fair shares", light.ink, 15),
        mark("disc", 560, 35, light.emerald, light.paper),
        text(569, 39.5, "3 players", light.ink),
        mark("diamond", 652, 35, light.sapphire, light.paper),
        text(661, 39.5, "4 players", light.ink),
    ]
    for number, panel in enumerate(panels):
        parts += _panel(panel, 52 + number * (PANEL + GAP), number == 0, light)
    width = 52 + len(panels) * (PANEL + GAP)
    return sheet(width, LOW + 62, "When to bank, on three boards", light, parts)


def _panel(panel: Panel, left: float, first: bool, light: Light) -> list[str]:
    """Draw the curves of one board."""
    parts: list[str] = []
    if panel.chosen:
        parts.append(
            f'<rect x="{left - 8:.1f}" y="{HIGH - 34}" width="{PANEL + 16}" height="{LOW - HIGH + 44}" rx="5" '
            f'fill="{light.band}"/>'
        )
    bold = ' font-weight="bold"' if panel.chosen else ""
    parts.append(text(left, HIGH - 14, panel.title, light.ink, 14, extra=bold))
    for share in (0.4, 0.6, 0.8, 1, 1.2):
        strong = light.faint if share == 1 else light.line
        parts.append(line(left, _height(share), left + PANEL, _height(share), strong))
        if first:
            parts.append(text(left - 10, _height(share) + 4, f"{share:g}", light.faint, 12, "end"))
    names = list(next(iter(panel.curves.values())))
    across = [left + 14 + i * (PANEL - 34) / (len(names) - 1) for i in range(len(names))]
    parts += [text(x, LOW + 26, name, light.faint, 12, "middle") for x, name in zip(across, names, strict=True)]
    parts.append(text(left + PANEL / 2, LOW + 46, "coins in the purse", light.faint, 12, "middle"))
    for players, curve in panel.curves.items():
        parts += _curve(
            across, list(curve.values()), SHAPES[players], light.emerald if players == 3 else light.sapphire, light
        )
    return parts


def _curve(across: Sequence[float], shares: Sequence[Interval], shape: str, colour: str, light: Light) -> list[str]:
    """Draw one curve with its intervals."""
    points = " ".join(f"{x:.1f},{_height(share.value):.1f}" for x, share in zip(across, shares, strict=True))
    parts = [f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"/>']
    for x, share in zip(across, shares, strict=True):
        parts += [
            line(x, _height(share.low), x, _height(share.high), colour, 2),
            mark(shape, x, _height(share.value), colour, light.paper),
        ]
    return parts

"""The pictures of the study of Gran's map, drawn as SVG by day and by night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.shared.drawing import DAY, NIGHT, Interval, Light, line, mark, sheet, text

__all__ = ["DAY", "NIGHT", "MapRow", "maps_picture", "rounds_picture"]

SHAPES = {3: "disc", 4: "diamond", 6: "ring"}


def _colours(light: Light) -> dict[int, str]:
    """A colour for each number of players."""
    return {3: light.emerald, 4: light.sapphire, 6: light.ember}


def _legend(x: float, y: float, light: Light) -> list[str]:
    """Say which mark stands for how many players."""
    parts = []
    for players, colour in _colours(light).items():
        parts += [mark(SHAPES[players], x, y - 4.5, colour, light.paper)]
        parts += [text(x + 9, y, f"{players} players", light.ink)]
        x += 86
    return parts


# --- All maps -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class MapRow:
    """A map as the first picture shows it; what is counted comes by the number of players."""

    label: str
    chosen: bool
    within: Mapping[int, Interval]
    duels: Mapping[int, float]


ROW, TOP = 42, 104
LEFT, RIGHT = (176, 496), (548, 788)


def maps_picture(rows: Sequence[MapRow], wanted: float, light: Light) -> str:
    """Draw how many games on every map have a good length, and how many duels there are."""
    bottom = TOP + ROW * len(rows)
    most = 5 * (int(max(max(row.duels.values()) for row in rows) / 5) + 1)

    def share_at(share: float) -> float:
        return LEFT[0] + share * (LEFT[1] - LEFT[0])

    def duels_at(duels: float) -> float:
        return RIGHT[0] + duels / most * (RIGHT[1] - RIGHT[0])

    parts: list[str] = []
    for number, row in enumerate(rows):
        if row.chosen:
            y = TOP + ROW * number
            parts.append(f'<rect x="12" y="{y:.1f}" width="796" height="{ROW}" rx="5" fill="{light.band}"/>')
    parts += [
        text(LEFT[0], 36, "Games of 15–45 rounds, %", light.ink, 15),
        text(RIGHT[0], 36, "Duels a game", light.ink, 15),
        *_legend(LEFT[0] + 5, 62, light),
    ]
    for tick in range(0, 101, 25):
        x = share_at(tick / 100)
        parts += [line(x, TOP - 8, x, bottom, light.line), text(x, TOP - 14, str(tick), light.faint, 12, "middle")]
    for tick in range(0, most + 1, 5):
        x = duels_at(tick)
        parts += [line(x, TOP - 8, x, bottom, light.line), text(x, TOP - 14, str(tick), light.faint, 12, "middle")]
    x = share_at(wanted)
    parts += [
        line(x, TOP - 8, x, bottom + 8, light.emerald, 1.8, "5 4"),
        text(x, bottom + 24, f"≥ {100 * wanted:.0f} % with 3 players", light.emerald, 12, "middle"),
    ]
    for number, row in enumerate(rows):
        y = TOP + ROW * (number + 0.5)
        bold = ' font-weight="bold"' if row.chosen else ""
        parts.append(text(158, y + 4.5, row.label, light.ink, 14, "end", bold))
        for shift, (players, colour) in zip((-10, 0, 10), _colours(light).items(), strict=True):
            share = row.within[players]
            parts += [
                line(share_at(share.low), y + shift, share_at(share.high), y + shift, colour, 2),
                mark(SHAPES[players], share_at(share.value), y + shift, colour, light.paper),
                mark(SHAPES[players], duels_at(row.duels[players]), y + shift, colour, light.paper),
            ]
    return sheet(820, bottom + 46, "How the candidate maps play", light, parts)


# --- How long games take ------------------------------------------------------------------------------------------
PANEL, GAP, HIGH, LOW = 252, 24, 90, 300
BIN, LAST = 5, 75  # rounds a bar, and where the last bar gathers the rest


def rounds_picture(lengths: Mapping[int, tuple[Sequence[int], int]], wanted: tuple[int, int], light: Light) -> str:
    """Draw how many games take how many rounds, for each number of players."""
    bars = {n: _binned(counts, games) for n, (counts, games) in lengths.items()}
    tallest = max(max(shares) for shares in bars.values())
    parts = [text(40, 38, "Rounds a game, share of games", light.ink, 15)]
    for number, (players, shares) in enumerate(bars.items()):
        left = 40 + number * (PANEL + GAP)
        width = PANEL / len(shares)
        first, last = (left + rounds / BIN * width for rounds in (wanted[0], wanted[1] + 1))
        parts += [
            f'<rect x="{first:.1f}" y="{HIGH - 8}" width="{last - first:.1f}" height="{LOW - HIGH + 8}" rx="4" '
            f'fill="{light.band}"/>',
            text(left, HIGH - 18, f"{players} players", light.ink, 14),
            line(left, LOW, left + PANEL, LOW, light.faint),
        ]
        for place, share in enumerate(shares):
            x, height = left + place * width, share / tallest * (LOW - HIGH)
            parts.append(
                f'<rect x="{x + 1:.1f}" y="{LOW - height:.1f}" width="{width - 2:.1f}" height="{height:.1f}" '
                f'fill="{_colours(light)[players]}"/>'
            )
            if round(100 * share) >= 5:
                parts.append(text(x + width / 2, LOW - height - 4, f"{100 * share:.0f}", light.faint, 10.5, "middle"))
        for rounds in range(0, LAST + 1, 15):
            more = "+" if rounds == LAST else ""
            parts.append(text(left + rounds / BIN * width, LOW + 18, f"{rounds}{more}", light.faint, 12, "middle"))
    width = 40 + len(bars) * (PANEL + GAP)
    return sheet(width, LOW + 40, "How long games on our map take", light, parts)


def _binned(counts: Sequence[int], games: int) -> list[float]:
    """Gather numbers of games by rounds into bars, the long ones in the last."""
    bars = [0.0] * (LAST // BIN + 1)
    for rounds, count in enumerate(counts):
        bars[min(rounds // BIN, LAST // BIN)] += count / games
    return bars

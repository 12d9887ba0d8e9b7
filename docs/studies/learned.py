"""Draw how learning went, from the tables beside the weights: docs/pictures/learned.svg, by day and by night.

    python docs/studies/learned.py

The strength of what was learned is measured by `make strength`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from cave_plots import DAY, NIGHT, Light, line, mark, sheet, text

from dracotheque.games import find_box, minds
from dracotheque.lab.train import GROUPS

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
LEFT, RIGHT, TOP, BOTTOM = 74, 660, 92, 372
LOW, HIGH = 0.8, 1.8  # × a fair share
SHAPES = ("disc", "diamond", "ring", "disc", "diamond")
TITLE = "Wins of who goes by what was learned, × a fair share"
Points = list[tuple[float, float]]


def curves() -> Iterator[tuple[str, Points]]:
    """Read for every game and number of players how much more than a fair share was won, by choices played."""
    for name, groups in GROUPS.items():
        for group in groups:
            rows = [*csv.DictReader((find_box(name).folder / minds.file_name(group)).with_suffix(".csv").open())]
            for players in group:
                points = [(float(row["choices"]), players * float(row[f"wins_{players}"])) for row in rows]
                yield f"{find_box(name).title} for {players}", points


def picture(light: Light) -> str:
    """Draw all curves."""
    found = [*curves()]
    most = max(choices for _, points in found for choices, _ in points)

    def across(choices: float) -> float:
        return LEFT + choices / most * (RIGHT - LEFT - 20)

    def height(times: float) -> float:
        return BOTTOM - (times - LOW) / (HIGH - LOW) * (BOTTOM - TOP)

    parts = [text(LEFT, 36, TITLE, light.ink, 14)]
    for tenth in range(8, 19, 2):
        parts += [
            line(LEFT, height(tenth / 10), RIGHT, height(tenth / 10), light.ink if tenth == 10 else light.line),
            text(LEFT - 10, height(tenth / 10) + 4, f"× {tenth / 10:g}", light.faint, 12, "end"),
        ]
    for millions in range(0, int(most / 1e6) + 1, 100):
        parts.append(text(across(1e6 * millions), BOTTOM + 24, f"{millions}", light.faint, 12, "middle"))
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 46, "millions of choices played", light.faint, 12, "middle"))
    colours, at = (light.emerald, light.sapphire, light.ember, light.gold, light.ink), LEFT
    for (name, points), shape, colour in zip(found, SHAPES, colours, strict=True):
        places = [(across(choices), height(times)) for choices, times in points]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        parts += [mark(shape, x, y, colour, light.paper) for x, y in places]
        parts += [mark(shape, at + 5, 60, colour, light.paper), text(at + 15, 64.5, name, light.ink)]
        at += 32 + 7 * len(name)
    return sheet(RIGHT + 30, BOTTOM + 66, TITLE, light, parts)


def main() -> None:
    """Draw it twice."""
    for light, suffix in ((DAY, ""), (NIGHT, "-night")):
        (PICTURES / f"learned{suffix}.svg").write_text(picture(light), "utf-8")


if __name__ == "__main__":
    main()

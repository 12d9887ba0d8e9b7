"""Draw the training curves from the tables next to the weights, light and dark.

    make study GAME=learned

docs/pictures/learned.svg has what was won by it, docs/pictures/learned-cave.svg how well positions of Dragon's Cave
came to be known. The strength of what was learned is measured by `make strength`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dracotheque.bots import network_weights
from dracotheque.engine.registry import find_game
from dracotheque.training import trainable_games
from research.shared.drawing import DAY, NIGHT, Light, line, mark, sheet, text

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
LEFT, RIGHT, TOP, BOTTOM = 74, 660, 92, 372
SHAPES = ("disc", "diamond", "ring", "disc", "diamond")
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Scale:
    """What is drawn upwards: from where to where, by which steps, and how a step is written."""

    title: str
    low: float
    high: float
    step: float
    words: str
    thick: float
    """The step that everything is compared with."""


WINS = Scale("Wins of who goes by what was learned, × a fair share", 0.8, 1.8, 0.2, "× {:g}", 1.0)
UNREST = Scale("By how much of a victory a position and its round differ", 0, 0.8, 0.2, "{:g} %", 0)


def rows(name: str, group: tuple[int, ...]) -> list[dict[str, str]]:
    """Read how a game was learned."""
    file = network_weights.folder(find_game(name)) / network_weights.file_name(group)
    return [*csv.DictReader(file.with_suffix(".csv").open())]


def wins() -> Iterator[tuple[str, Points]]:
    """Say for every game and number of players how much more than a fair share was won, by choices played."""
    for name, training in trainable_games().items():
        for group in training.groups:
            for players in group:
                examined = [row for row in rows(name, group) if f"wins_{players}" in row]
                if examined:
                    points = [(float(row["choices"]), players * float(row[f"wins_{players}"])) for row in examined]
                    yield f"{find_game(name).title} for {players}", points


def unrest() -> Iterator[tuple[str, Points]]:
    """Say how well positions of Dragon's Cave were known, in parts of a hundred, by rounds played."""
    found = rows("dragons-cave", (2,))
    yield "Dragon’s Cave for 2", [(float(row["choices"]), 100 * float(row["unrest"])) for row in found]


def picture(found: list[tuple[str, Points]], scale: Scale, light: Light) -> str:
    """Draw curves."""
    most = max(choices for _, points in found for choices, _ in points)

    def across(choices: float) -> float:
        return LEFT + choices / most * (RIGHT - LEFT - 20)

    def height(value: float) -> float:
        return BOTTOM - (value - scale.low) / (scale.high - scale.low) * (BOTTOM - TOP)

    parts = [text(LEFT, 36, scale.title, light.ink, 14)]
    for number in range(round((scale.high - scale.low) / scale.step) + 1):
        value = round(scale.low + number * scale.step, 6)
        y, stroke = height(value), light.ink if value == scale.thick else light.line
        parts += [line(LEFT, y, RIGHT, y, stroke)]
        parts += [text(LEFT - 10, y + 4, scale.words.format(value), light.faint, 12, "end")]
    for millions in range(0, int(most / 1e6) + 1, 100):
        parts.append(text(across(1e6 * millions), BOTTOM + 24, f"{millions}", light.faint, 12, "middle"))
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 46, "millions of choices played", light.faint, 12, "middle"))
    colours, at = (light.emerald, light.sapphire, light.ember, light.gold, light.ink), LEFT
    for (name, points), shape, colour in zip(found, SHAPES, colours, strict=False):
        places = [(across(choices), height(value)) for choices, value in points]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        parts += [mark(shape, x, y, colour, light.paper) for x, y in places]
        parts += [mark(shape, at + 5, 60, colour, light.paper), text(at + 15, 64.5, name, light.ink)]
        at += 32 + 7 * len(name)
    return sheet(RIGHT + 30, BOTTOM + 66, scale.title, light, parts)


def main() -> None:
    """Draw both twice."""
    for light, suffix in ((DAY, ""), (NIGHT, "-night")):
        (PICTURES / f"learned{suffix}.svg").write_text(picture([*wins()], WINS, light), "utf-8")
        (PICTURES / f"learned-cave{suffix}.svg").write_text(picture([*unrest()], UNREST, light), "utf-8")


if __name__ == "__main__":
    main()

"""The candidate maps of Gran: four kingdoms of four rows about nine white points; lines and symbols differ."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

KINGDOMS = ("tirad", "urgad", "galad", "elgad")
ROWS = (3, 4, 5, 6)  # points of a kingdom, row by row from the middle outwards
REACH = (0.155, 0.245, 0.345, 0.447)  # how far out the rows lie, in parts of the sheet
WHITES = 8  # on the ring about the middle
Lines = list[tuple[str, ...]]


@dataclass(frozen=True)
class Plan:
    """A candidate: where symbols lie, by their points’ numbers in each kingdom, and which lines are left out."""

    about: str
    cities: Mapping[str, int]
    dragons: Mapping[str, int]
    magic: Mapping[str, tuple[int, ...]]
    swords: Mapping[str, int]
    crystals: Mapping[str, int]
    gaps: tuple[str, ...] = ()

    def kind(self, kingdom: str, number: int) -> str:
        """What lies on a point."""
        for kind, places in (("city", self.cities), ("dragon", self.dragons), ("sword", self.swords)):
            if places[kingdom] == number:
                return kind
        if self.crystals.get(kingdom) == number:
            return "crystal"
        return "magic" if number in self.magic[kingdom] else "black"


# --- Places on the sheet ------------------------------------------------------------------------------------------
def sheet_place(angle: float, reach: float) -> tuple[int, int]:
    """Where a point lies: on a circle drawn towards a square, a little turned further out, with a gentle swell."""
    turned = math.radians(angle + 9 * (reach - 0.3) / 0.3 + 3.2 * math.sin(3 * math.radians(angle) + 9 * reach))
    squarer = (abs(math.cos(turned)) ** 2.7 + abs(math.sin(turned)) ** 2.7) ** (-1 / 2.7)
    far = 1000 * reach * squarer * (1 + 0.035 * math.sin(5 * turned + 14 * reach))
    return round(500 + far * math.cos(turned)), round(500 + far * math.sin(turned))


def number_of(row: int, place: int) -> int:
    """A point’s number in its kingdom, counted from the middle outwards and clockwise."""
    return sum(ROWS[:row]) + place + 1


def angle_of(kingdom: int, row: int, place: int) -> float:
    """In which direction a point lies: Tirad in the north, the others clockwise."""
    return -135 + 90 * kingdom + (place + 0.5) * 90 / ROWS[row]


# --- The map ------------------------------------------------------------------------------------------------------
def points(plan: Plan) -> list[str]:
    """Write the points as a map file does."""
    written = ["w1 white 500 500"]
    for place in range(WHITES):
        x, y = sheet_place(-112.5 + 45 * place, 0.078)
        written.append(f"w{place + 2} white {x} {y}")
    for kingdom, name in enumerate(KINGDOMS):
        for row, count in enumerate(ROWS):
            for place in range(count):
                number = number_of(row, place)
                x, y = sheet_place(angle_of(kingdom, row, place), REACH[row])
                written.append(f"{name[0]}{number} {plan.kind(name, number)} {name} {x} {y}")
    return written


def white(place: int) -> str:
    """Name a point of the ring about the middle."""
    return f"w{place % WHITES + 2}"


def all_lines() -> Lines:
    """Every line there could be: along the rows all round the map, and from row to row."""
    lines: Lines = [tuple(white(i) for i in range(WHITES + 1))]
    lines += [("w1", white(place)) for place in (0, 3, 4, 7)]
    letters = [name[0] for name in KINGDOMS]
    for kingdom, letter in enumerate(letters):
        left, right = white(2 * kingdom), white(2 * kingdom + 1)
        lines.append((f"{letter}1", left, f"{letter}2", right, f"{letter}3"))
        following = letters[(kingdom + 1) % 4]
        for row, count in enumerate(ROWS):
            names = [f"{letter}{number_of(row, place)}" for place in range(count)]
            lines.append((*names, f"{following}{number_of(row, 0)}"))
        for row, count in enumerate(ROWS[:-1]):
            # From row to row the lines go up and down, as a finger would draw them.
            zigzag = [f"{letter}{number_of(row + 1, 0)}"]
            for place in range(count):
                zigzag += [f"{letter}{number_of(row, place)}", f"{letter}{number_of(row + 1, place + 1)}"]
            lines.append(tuple(zigzag))
    return lines


def without(lines: Lines, gaps: Iterable[str]) -> Lines:
    """Leave lines out; what is left of a row stays a row."""
    gone = {frozenset(gap.split("-")) for gap in gaps}
    known = {frozenset(pair) for row in lines for pair in itertools.pairwise(row)}
    assert gone <= known, f"no such lines: {[sorted(gap) for gap in gone - known]}"
    left: Lines = []
    for row in lines:
        part = [row[0]]
        for one, other in itertools.pairwise(row):
            if frozenset((one, other)) in gone:
                left.append(tuple(part))
                part = []
            part.append(other)
        left.append(tuple(part))
    return [part for part in left if len(part) > 1]


def map_of(plan: Plan) -> dict[str, Any]:
    """A candidate as the data of a map file."""
    lines = without(all_lines(), plan.gaps)
    return {
        "name": "Four kingdoms",
        "start": f"g{plan.crystals['galad']}",
        "ring": f"t{plan.crystals['tirad']}",
        "points": points(plan),
        "lines": [" ".join(row) for row in lines],
    }


# --- The candidates -----------------------------------------------------------------------------------------------
OPEN = Plan(
    "cities on the outermost row, all lines drawn",
    cities={"tirad": 17, "urgad": 16, "galad": 17, "elgad": 16},
    dragons={"tirad": 11, "urgad": 10, "galad": 11, "elgad": 10},
    magic={"tirad": (5, 7), "urgad": (4, 6), "galad": (5, 7), "elgad": (4, 6)},
    swords={"tirad": 9, "urgad": 12, "galad": 9, "elgad": 12},
    crystals={"tirad": 14, "galad": 14},
)
# Lines left out so that the dragons sit on the short ways: beside each of them the rows part.
GAPS = (
    "t10-t16", "t7-t12", "t8-t14", "t4-t5", "t13-e18",
    "u9-u15", "u6-u11", "u13-u14", "u2-u5",
    "g10-g16", "g7-g12", "g8-g14", "g4-g5", "g13-u18",
    "e9-e15", "e6-e11", "e13-e14", "e2-e5",
)  # fmt: skip
FEW_GAPS = ("t10-t16", "t4-t5", "t13-e18", "u9-u15", "u13-u14", "g10-g16", "g4-g5", "g13-u18", "e9-e15", "e13-e14")
ONE_MAGIC = {"tirad": (5,), "urgad": (6,), "galad": (5,), "elgad": (6,)}
PASSES = replace(OPEN, about="as “open”, lines left out beside the dragons, which then bar the short ways", gaps=GAPS)
NEAR = replace(
    PASSES,
    about="as “passes”, cities a row further in",
    cities={"tirad": 12, "urgad": 11, "galad": 12, "elgad": 11},
    swords={"tirad": 9, "urgad": 8, "galad": 9, "elgad": 8},
)
CANDIDATES: dict[str, Plan] = {
    "open": OPEN,
    "passes": PASSES,
    "near cities": NEAR,
    "one magic stone": replace(NEAR, about="as “near cities”, one magic stone a kingdom", magic=ONE_MAGIC),
    "broad ways": replace(
        NEAR, about="as “one magic stone”, half as many lines left out", magic=ONE_MAGIC, gaps=FEW_GAPS
    ),
    "dragons aside": replace(
        NEAR,
        about="as “near cities”, dragons in the corners",
        dragons={"tirad": 18, "urgad": 13, "galad": 18, "elgad": 13},
    ),
}


# --- The map file -------------------------------------------------------------------------------------------------
def map_file(data: Mapping[str, Any]) -> str:
    """Write a map as its file shows it, kingdom by kingdom."""
    text = [
        "# Our map of Gran, a reconstruction: why it is as it is stands in docs/explanation/reports/gran-map.md.",
        "# A point: its name, what it is, its kingdom, and where it lies on a sheet of 1000 by 1000.",
        "# White points lie in no kingdom. A line names its points in a row, as a finger follows them.",
        "",
        *(f'{key} = "{data[key]}"' for key in ("name", "start", "ring")),
    ]
    for key in ("points", "lines"):
        text += ["", f"{key} = ["]
        for letter, some in itertools.groupby(data[key], key=lambda row: row[0]):
            title = {name[0]: name.title() for name in KINGDOMS}.get(letter, "The middle")
            text += [f"    # {title}", *(f'    "{row}",' for row in some)]
        text.append("]")
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    print(map_file(map_of(CANDIDATES[sys.argv[1]])), end="")

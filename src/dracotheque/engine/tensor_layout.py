"""The layout of observation tensors: each game declares it beside the code that writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple


Row = tuple[int, int, str, str]
"""Offset, length, name and meaning."""


class TensorPart(NamedTuple):
    """Numbers of an observation tensor that belong together."""

    name: str
    """Such as `phase`, or `seats[2].purse` for one of several alike."""
    offset: int
    length: int
    meaning: str


@dataclass(frozen=True)
class Field:
    """So many numbers that stand one after the other."""

    name: str
    length: int
    meaning: str


@dataclass(frozen=True)
class Group:
    """The same fields several times, for each seat or place."""

    name: str
    count: int
    meaning: str
    fields: tuple[Field, ...]

    @property
    def length(self) -> int:
        """How many numbers one of them has."""
        return size(self.fields)


def of(rules: ModuleType) -> tuple[Field | Group, ...]:
    """Return the layout that a game's rules declare, or one part for a game that declares none."""
    return getattr(
        rules, "TENSOR_LAYOUT", (Field("observation", rules.TENSOR_SIZE, "what the rules of the game write"),)
    )


def size(parts: tuple[Field | Group, ...]) -> int:
    """Return how many numbers parts have together."""
    return sum(part.count * part.length if isinstance(part, Group) else part.length for part in parts)


def flat(layout: tuple[Field | Group, ...]) -> tuple[TensorPart, ...]:
    """Return every part of a tensor with its place, each member of a group by itself."""
    return tuple(_placed(layout))


def _placed(layout: tuple[Field | Group, ...]) -> Iterator[TensorPart]:
    """Go through a layout from its first number to its last."""
    at = 0
    for name, field in _members(layout):
        yield TensorPart(name, at, field.length, field.meaning)
        at += field.length


def _members(layout: tuple[Field | Group, ...]) -> Iterator[tuple[str, Field]]:
    """Yield each field with its whole name."""
    for part in layout:
        if isinstance(part, Field):
            yield part.name, part
            continue
        for number in range(part.count):
            yield from ((f"{part.name}[{number}].{field.name}", field) for field in part.fields)


def as_markdown(layout: tuple[Field | Group, ...]) -> str:
    """Write a layout as tables: all parts, and then those of each group."""
    rows, groups, at = list[Row](), list[Group](), 0
    for part in layout:
        if isinstance(part, Group):
            what = f"for each of {part.count} {part.meaning}, {part.length} values: see below"
            rows.append((at, part.count * part.length, f"{part.name}[n]", what))
            groups.append(part)
            at += part.count * part.length
        else:
            rows.append((at, *_row(part)))
            at += part.length
    tables = [_table("offset", rows)]
    for group in groups:
        inside, start = list[Row](), 0
        for field in group.fields:
            inside.append((start, *_row(field, f"{group.name}[n].")))
            start += field.length
        tables.append(_table(f"offset in `{group.name}[n]`", inside))
    return "\n\n".join(tables)


def _row(field: Field, before: str = "") -> tuple[int, str, str]:
    """Return length, whole name and meaning."""
    return field.length, before + field.name, field.meaning


def _table(first: str, rows: list[Row]) -> str:
    """Write rows as a Markdown table."""
    lines = [f"| {first} | values | name | what |", "|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {at} | {length} | `{name}` | {what} |" for at, length, name, what in rows)])

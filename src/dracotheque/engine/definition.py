"""The definition of a game: plain data, so that a lobby lists games without importing rules."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from dracotheque.engine.arguments import whole_number
from dracotheque.engine.errors import DracothequeError, invalid_value


MAX_SEATS = 6
"""How many can play any game."""


@dataclass(frozen=True)
class Option:
    """An option that is chosen before a game; its first value is the default."""

    values: tuple[str, ...]
    rule: str
    field: str
    """The record's field that holds the number of the chosen value."""

    several: bool = False
    """Whether several seats can be named as well, such as 1+3."""

    def number(self, value: str) -> int:
        """Return the number of a value in the record: its index; of several seats bits above all indices."""
        if value in self.values:
            return self.values.index(value)
        return len(self.values) + sum(1 << int(seat) - 1 for seat in value.split("+"))

    def known(self, players: int) -> list[str]:
        """List the values that fit a number of players."""
        return [value for value in self.values if not value.isdecimal() or int(value) <= players]

    def checked(self, name: str, value: str, players: int) -> str:
        """Return a value in its stored form; an invalid one raises an error."""
        seats = value.split("+")
        if value in self.known(players):
            return value
        if len(seats) == 1 or not self.several or not all(seat.isdecimal() for seat in seats):
            raise invalid_value(value, name, [*self.known(players), *(["1+2"] if self.several else [])])
        numbers = sorted(map(int, seats))
        if not 1 <= numbers[0] <= numbers[-1] <= players:
            raise DracothequeError(f"Invalid value {value!r} for option {name}. Seats are 1 to {players}.")
        if len(set(numbers)) < len(numbers):
            raise DracothequeError(f"Invalid value {value!r} for option {name}. Name each seat once.")
        return "+".join(map(str, numbers))


@dataclass(frozen=True, kw_only=True, eq=False)
class GameDefinition:
    """A game's name, numbers and options; everything else has a fixed name in its package."""

    name: str
    """The id in URLs, logs and databases, such as `dragon-dice`; it never changes."""

    title: str
    package: str
    """`__name__` of the package: it has the game's modules and folders."""

    min_players: int
    max_players: int
    """At most `MAX_SEATS`."""

    default_players: int = 0
    """The number of players by default; 0 stands for three, or as near as the game allows."""

    designer: str = ""
    year: int | None = None
    min_age: int = 0
    minutes: str = ""
    options: Mapping[str, Option] = field(default_factory=dict[str, Option])
    simultaneous: bool = False
    """Whether several seats may be asked at once."""

    sequential_for: tuple[int, ...] = ()
    """Numbers of players with which only one seat at a time is asked all the same."""

    hidden_information: bool = False
    """Whether an observation is less than the state."""

    max_moves: int = 10_000
    """Adapters break a game off after so many moves."""

    previous_versions: Mapping[int, str] = field(default_factory=dict[int, str])
    """Earlier versions of the rules, each with the package that still plays it: `{1: "v1"}`, or a dotted name."""

    compile_also: tuple[str, ...] = ()
    """Further modules with compiled code inside this package; `prepare()` of each compiles it."""

    def __post_init__(self) -> None:
        """Set the default number of players, and keep it between minimum and maximum."""
        default = min(max(self.default_players or 3, self.min_players), self.max_players)
        object.__setattr__(self, "default_players", default)

    def under(self, version: int | None) -> GameDefinition:
        """Return the definition as it was under an earlier version of the rules; this one for any other version."""
        if version is None:
            return self
        version = whole_number(version, "A version of the rules is a whole number such as 1")
        if version not in self.previous_versions:
            return self
        name = self.previous_versions[version]
        return importlib.import_module(name if "." in name else f"{self.package}.{name}").GAME

    @property
    def compiled_modules(self) -> tuple[str, ...]:
        """The full names of `compile_also`."""
        return tuple(f"{self.package}.{name}" for name in self.compile_also)

    def has(self, module: str) -> bool:
        """Return whether the package has a module, which is not imported."""
        return find_spec(f"{self.package}.{module}") is not None

    @cached_property
    def folder(self) -> Path:
        """The package's folder, with rulebook, catalogues and boards."""
        return Path(str(importlib.import_module(self.package).__file__)).parent

    @cached_property
    def has_board_files(self) -> bool:
        """Whether the board is data: a TOML file beside the rules, others in `boards/` or in files of players."""
        return self.has("board_files")

    @cached_property
    def has_physical_chance(self) -> bool:
        """Whether some outcomes of chance come from a physics simulation."""
        return self.has("physical_chance")

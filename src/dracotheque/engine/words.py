"""Phrases: what is said, without the language; and the catalogues that say it in one."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any

from msgspec import Struct

from dracotheque.engine.errors import unknown
from dracotheque.engine.rulebook import LANGUAGES


class Phrase(Struct, frozen=True, omit_defaults=True):
    """A key of the catalogue and what fills its gaps: numbers, names or other phrases."""

    key: str
    gaps: dict[str, Any] = {}


def phrase(key: str, **gaps: Any) -> Phrase:
    """Write a phrase in short."""
    return Phrase(key, gaps)


class Event(Struct, frozen=True):
    """Something that happened, and the rule that made it so."""

    rule: str
    phrase: Phrase


class Words:
    """The catalogue of one language: TOML tables, their keys joined by dots."""

    def __init__(self, folder: Path, language: str) -> None:
        """Read a catalogue."""
        if language not in LANGUAGES:
            raise unknown("language", language, LANGUAGES)
        self.language = language
        self.singular = (0, 1) if language == "fr" else (1,)  # « 0 pièce » but “0 coins”
        self.entries = _flat(tomllib.loads((folder / f"{language}.toml").read_text("utf-8")))

    def say(self, said: Phrase | str | int) -> str:
        """Say a phrase in this language; a gap named `count` chooses between `key.one` and `key.many`."""
        if not isinstance(said, Phrase):
            return str(said)
        key = said.key
        if "count" in said.gaps and key not in self.entries:
            key += ".one" if said.gaps["count"] in self.singular else ".many"
        return self.entries[key].format(**{name: self.say(gap) for name, gap in said.gaps.items()})


@functools.cache
def words(folder: Path, language: str) -> Words:
    """Find a catalogue, read once."""
    return Words(folder, language)


def _flat(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Join nested tables into one, their keys with dots."""
    entries: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            entries |= _flat(value, f"{prefix}{key}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            entries[prefix + key] = str(value)
    return entries

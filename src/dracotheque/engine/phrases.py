"""Phrases, which are independent of a language, and the catalogues that put them into one."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.errors import unknown
from dracotheque.engine.rulebook import LANGUAGES


GENERIC = Path(__file__).with_name("locale")
"""The folder of the phrases for all games."""

NO_GAPS: dict[str, Any] = {}


class Phrase(Struct, frozen=True, array_like=True, gc=False):  # many are made each move, and they have no cycles
    """A key of the catalogue, sent as `[key]`, or as `[key, gaps]` with the values of its gaps."""

    key: str

    @property
    def gaps(self) -> dict[str, Any]:
        """The values of its gaps: numbers, names or other phrases."""
        return NO_GAPS


class FilledPhrase(Phrase, frozen=True, array_like=True, gc=False):
    """A phrase with gaps."""

    gaps: dict[str, Any]  # pyright: ignore[reportIncompatibleMethodOverride] - read-only in both


def phrase(key: str, **gaps: Any) -> Phrase:
    """Return a phrase with the values of its gaps."""
    return FilledPhrase(key, gaps) if gaps else Phrase(key)


class GameEvent(Struct, frozen=True, array_like=True, gc=False):
    """Something that happened, and the rule that made it so; it is sent as `[rule, phrase]`."""

    rule: str
    phrase: Phrase


class Catalog:
    """The catalogue of one language: TOML tables, their keys joined by dots."""

    def __init__(self, folder: Path, language: str, fallback: Mapping[str, str] | None = None) -> None:
        """Read a catalogue; `fallback` has the entries that it lacks."""
        if language not in LANGUAGES:
            raise unknown("language", language, LANGUAGES)
        self.language = language
        self.singular = (0, 1) if language == "fr" else (1,)  # « 0 pièce » but “0 coins”
        self.entries = _entries(folder, language)
        self.fallback = fallback or {}

    def has(self, key: str) -> bool:
        """Return whether a key has an entry."""
        return key in self.entries or key in self.fallback

    def entry(self, key: str) -> str:
        """Return the entry of a key, its gaps unfilled."""
        entry = self.entries.get(key)
        return self.fallback[key] if entry is None else entry

    def say(self, said: Phrase | str | int) -> str:
        """Return a phrase in this language; a gap named `count` chooses between `key.one` and `key.many`."""
        if not isinstance(said, Phrase):
            return str(said)
        key = said.key
        if "count" in said.gaps and key not in self.entries:
            key += ".one" if said.gaps["count"] in self.singular else ".many"
        return self.entry(key).format(**{name: self.say(gap) for name, gap in said.gaps.items()})


def with_plain_spaces(text: str) -> str:
    """Return a text with ordinary spaces in place of those at which no line breaks: as a person types it."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")


@functools.cache
def words(folder: Path, language: str) -> Catalog:
    """Return a catalogue, read once."""
    return Catalog(folder, language)


@functools.cache
def game_words(definition: GameDefinition, language: str) -> Catalog:
    """Return a game's catalogue, read once; missing entries come from English, then from the phrases for all games."""
    folder = definition.folder / "locale"
    folder = folder if folder.is_dir() else GENERIC
    own = folder if (folder / f"{language}.toml").is_file() or language not in LANGUAGES else GENERIC
    english = _entries(folder, "en") if folder != own or language != "en" else {}
    return Catalog(own, language, _entries(GENERIC, language if language in LANGUAGES else "en") | english)


def _entries(folder: Path, language: str) -> dict[str, str]:
    """Read the entries of a catalogue."""
    return _flat(tomllib.loads((folder / f"{language}.toml").read_text("utf-8")))


def _flat(table: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Join nested tables into one, their keys with dots."""
    entries: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            entries |= _flat(value, f"{prefix}{key}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            entries[prefix + key] = str(value)
    return entries

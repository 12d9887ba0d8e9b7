"""Every text that players read, and what is wrong with it; `python -m tests.wording.catalogs` prints it.

Catalogues that do not pass yet are in `catalogs.toml`, with the number of faults of each check: the numbers may only
fall, and `--lower` writes those that have fallen. The words, slots and pairs to check are in `words.toml`.
"""

from __future__ import annotations

import argparse
import json
import re
import string
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dracotheque.engine import registry
from dracotheque.engine.rulebook import LANGUAGES

PACKAGE = Path(__file__).parents[2] / "src/dracotheque"
COUNTS = Path(__file__).with_suffix(".toml")
WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
SHARED = {
    "page": PACKAGE / "server/page/locale",
    "terminal": PACKAGE / "locale",
    "server": PACKAGE / "tables/locale",
    "all-games": PACKAGE / "engine/locale",
}
NBSP, NARROW = "\u00a0", "\u202f"
GAP = re.compile(r"\{\w+\}")


@dataclass(frozen=True)
class Fault:
    """A fault of an entry, and what to write instead."""

    catalog: str
    language: str
    key: str
    text: str
    instead: str

    def __str__(self) -> str:
        """Return the fault as a line."""
        return f"{self.catalog}/{self.language} {self.key}: {self.text!r} ({self.instead})"


# --- Catalogues -----------------------------------------------------------------------------------------------------
def folders() -> dict[str, Path]:
    """Return the folder of each catalogue by name: those shared, and for each game its phrases and its tutorial."""
    found = dict(SHARED)
    for name, game in registry.games().items():
        parts = {name: game.folder / "locale", f"{name}-tutorial": game.folder / "tutorial"}
        found |= {part: folder for part, folder in parts.items() if folder.is_dir()}
    return found


def flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield keys, joined by dots, with their texts."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield prefix + key, str(value)


@cache
def entries(catalog: str, language: str) -> Mapping[str, str]:
    """Return the texts of a catalogue by key."""
    path = folders()[catalog] / language
    if (page := path.with_suffix(".json")).is_file():
        return dict(flat(json.loads(page.read_text("utf-8"))))
    return dict(flat(tomllib.loads(path.with_suffix(".toml").read_text("utf-8"))))


def texts(*languages: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield every text with its catalogue, language and key."""
    for catalog in folders():
        for language in languages or LANGUAGES:
            for key, text in entries(catalog, language).items():
                yield catalog, language, key, text


def gaps(text: str) -> set[str]:
    """Return the names of the gaps of a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


# --- Checks: each yields its faults ---------------------------------------------------------------------------------
def keys_and_gaps() -> Iterator[Fault]:
    """Yield keys that languages do not share, and gaps that differ from those in English."""
    for catalog in folders():
        english = entries(catalog, "en")
        for language in LANGUAGES:
            here = entries(catalog, language)
            for key in english.keys() ^ here.keys():
                yield Fault(catalog, language, key, here.get(key, ""), "in all languages or in none")
            for key in english.keys() & here.keys():
                if gaps(english[key]) != gaps(here[key]):
                    yield Fault(catalog, language, key, here[key], f"gaps {sorted(gaps(english[key]))}")


def retired() -> Iterator[Fault]:
    """Yield retired words."""
    for language in LANGUAGES:
        rules = [
            (re.compile(rule["word"]), rule["instead"], rule.get("in"), rule.get("except", ()))
            for rule in WORDS["retired"][language]
        ]
        for catalog, _, key, text in texts(language):
            for pattern, instead, only, kept in rules:
                scope = catalog.removesuffix("-tutorial")
                if (
                    (only is None or scope in only)
                    and scope not in kept
                    and (found := pattern.search(GAP.sub("", text)))
                ):
                    yield Fault(catalog, language, key, text, f"{found[0]} → {instead}")


NUMBER = r"(?<=\{count\}) (?!de\b|in\b|mehr\b|meilleurs\b|besten\b|weitere\b|autres\b)(?=[^\W\d_])"
"""A number and its noun with a space that may break; a few words after a number are no nouns."""

TYPOGRAPHY = {
    "all": {
        r"[\"'`]|\.\.\.": "’ “ ” « » „ …",
        r"^[ \t]|[ \t]$|  |\n": "no loose spaces",
        rf"[^{NBSP}\s]→|→[^{NBSP}\s]|(?<=\}}) →|→ (?=\{{)": "U+00A0 on both sides of → inside a move",
    },
    "en": {r"[«»„]": "“ ”", r"\s[:;!]|\w \?(?=$| [A-ZÀ-Ý])": "no space before a sign", r"\S\s…": "no space before …"},
    "fr": {
        NUMBER: "U+00A0 after a number",
        r"[“”„]|«[^\u00a0]|[^\u00a0]»": "« » with U+00A0",
        r"[^\u00a0\d]:|[^\u00a0]:(?!\d)": "U+00A0 before :",
        r"[^\u202f][;!?]": "U+202F before ; ! ?",
        r"\S\s…": "no space before …",
        r"[^\u00a0]%": "U+00A0 before %",
        r"\b(?:Etoile|Etape|Egalité|Ecri\w*|A (?!\{)(?=[a-zé]))": "accents on capitals",
    },
    "it": {
        NUMBER: "U+00A0 after a number",
        r"[“”„]|«\s|\s»": "«»",
        r"\s[:;!]|\w \?(?=$| [A-ZÀ-Ý])": "no space before a sign",
        r"\S\s…": "no space before …",
        r"\b(?:perchè|poichè|finchè|nè|sè|piu|puo|cosi|gia|citta)\b|\bE’|\bpò\b": "the right accent",
    },
    "de": {
        NUMBER: "U+00A0 after a number",
        r"[«»”]|„[^“]*$|^[^„]*“": "„ “",
        r"\s[:;!]|\w \?(?=$| [A-ZÀ-Ý])": "no space before a sign",
        r"[^\s(]…|(?<=\S) …": "U+00A0 before …",
        r"[^\u00a0]%": "U+00A0 before %",
    },
}
"""For each language patterns of what is wrong, with what to write."""


def typography() -> Iterator[Fault]:
    """Yield texts that are not set with real signs."""
    for language in LANGUAGES:
        rules = [(re.compile(wrong), right) for wrong, right in (TYPOGRAPHY["all"] | TYPOGRAPHY[language]).items()]
        for catalog, _, key, text in texts(language):
            for wrong, right in rules:
                if wrong.search(text):
                    yield Fault(catalog, language, key, text, right)


def address() -> Iterator[Fault]:
    """Yield texts that do not say you, vous, tu or du, and German imperatives without -e."""
    kept = {language: set(rule["kept"]) for language, rule in WORDS["address"].items()}
    for language, rule in WORDS["address"].items():
        wrong = re.compile(rule["wrong"])
        for catalog, _, key, text in texts(language):
            found = [each[0] for each in wrong.finditer(text) if each[0].lower() not in kept[language]]
            if found:
                yield Fault(catalog, language, key, text, f"{', '.join(found)} → {rule['instead']}")


def slot_of(catalog: str, key: str) -> str:
    """Return the slot of an entry, by the first pattern that its key matches, or nothing."""
    tables = WORDS["slot_of"]
    scope = catalog if catalog in SHARED else "tutorial" if catalog.endswith("-tutorial") else "game"
    return next((slot for pattern, slot in tables.get(scope, {}).items() if re.fullmatch(pattern, key)), "")


def length() -> Iterator[Fault]:
    """Yield texts that are longer than their slot, gaps not counted; a prompt may have two sentences of that length."""
    for catalog, language, key, text in texts():
        if slot := slot_of(catalog, key):
            english, others = WORDS["slots"][slot]
            limit, parts = english if language == "en" else others, GAP.sub("", text)
            size = max(map(len, re.split(r"(?<=[.!?]) ", parts) if slot == "prompt" else [parts]))
            if size > limit:
                yield Fault(catalog, language, key, text, f"{slot}: {size} of {limit}")


def glossary() -> Iterator[Fault]:
    """Yield translations that lack the term of their English entry."""
    for term in WORDS["glossary"]:
        english = re.compile(rf"\b(?:{term['en']})\b", re.IGNORECASE)
        wanted = {each: re.compile(term[each], re.IGNORECASE) for each in LANGUAGES if each != "en"}
        only, kept = term.get("in", [*SHARED]), set(term.get("kept", ()))
        for catalog, _, key, text in texts("en"):
            if catalog not in only or f"{catalog} {key}" in kept or not english.search(GAP.sub("", text)):
                continue
            for language, pattern in wanted.items():
                if not pattern.search(entries(catalog, language).get(key, "")):
                    yield Fault(catalog, language, key, entries(catalog, language).get(key, ""), term[language])


CHECKS: dict[str, Callable[[], Iterator[Fault]]] = {
    "keys": keys_and_gaps,
    "retired": retired,
    "typography": typography,
    "address": address,
    "length": length,
    "glossary": glossary,
}


# --- Counts ---------------------------------------------------------------------------------------------------------
@cache
def faults(check: str) -> tuple[Fault, ...]:
    """Return all faults that a check finds."""
    return tuple(CHECKS[check]())


def counts(check: str) -> Counter[str]:
    """Return the number of faults of a check in each catalogue."""
    return Counter(fault.catalog for fault in faults(check))


def limits() -> dict[str, dict[str, int]]:
    """Return how many faults each check may find in each catalogue, 0 for one that is not listed."""
    return tomllib.loads(COUNTS.read_text("utf-8")) if COUNTS.is_file() else {}


def main() -> None:
    """Print all faults, or write the counts that have fallen."""
    parser = argparse.ArgumentParser(description="Check every text that players read.")
    parser.add_argument("check", nargs="*", choices=[*CHECKS, []], help="checks (default: all)")
    parser.add_argument("--in", dest="catalog", help="one catalogue (default: all)")
    parser.add_argument("--lower", action="store_true", help="write counts that have fallen")
    asked = parser.parse_args()
    if not asked.lower:
        found = [fault for check in asked.check or CHECKS for fault in faults(check)]
        print("\n".join(str(fault) for fault in found if asked.catalog in (None, fault.catalog)))
        return
    allowed = limits()
    blocks = ["# Faults that tests/wording/catalogs.py still finds, by check and catalogue. They may only fall.\n"]
    for check in CHECKS:
        left = {name: min(count, allowed.get(check, {}).get(name, 0)) for name, count in counts(check).items()}
        lines = "".join(f"{name} = {left[name]}\n" for name in folders() if left.get(name))
        blocks += [f"[{check}]\n{lines}"] if lines else []
    COUNTS.write_text("\n".join(blocks), "utf-8")


if __name__ == "__main__":
    main()

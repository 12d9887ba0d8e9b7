"""Rulebooks are alike in every language, in short sentences, with players that are colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import mean

import pytest

from dracotheque.engine import registry
from dracotheque.engine.rulebook import LANGUAGES, read

LONGEST_MEAN, LONGEST = 16, 45  # words a sentence
CRESTS = {
    "en": r"\b(?:Lion|Tower|Star|Oak|Wave|Falcon)s?\b(?! [1-4])",
    "fr": r"\b(?:du|le|au) (?:Lion|Chêne|Faucon)\b|\b(?:la|de la) (?:Tour|Vague)\b|l’Étoile\b",
    "it": r"\b(?:il|del|al) (?:Leone|Falco)\b|\b(?:la|della) (?:Torre|Stella|Quercia)\b|ll’Onda\b",
    "de": r"\b(?:der|des|dem|den) (?:Löwen?|Sterns?|Falken?)\b|\b(?:die|der) (?:Eiche|Welle)\b",
}
RETIRED = {
    "emerald": {
        "en": r"\brods?\b|\bransom",
        "fr": r"\bgrottes?\b|(?<!-)\bchamps?\b|\brançon|chambre",
        "it": r"\bmastio\b|\bbacchett|\briscatt|\bcamera\b",
        "de": r"\bFlugst[aä]b|\bLösegeld|\bSchatzkarte|\bfreikauf",
    },
    "dragons-cave": {
        "en": r"\bfrighten|\bfrights?\b|\blays?\b|\blaid\b|\bturns? up\b",
        "fr": r"\beffray|\bfrayeur|\bmeneur",
        "it": r"\bspavent",
        "de": r"\bverscheuch|\bBau\b|\bSchreck",
    },
}
"""Words of old that no rulebook of a game has, by language."""

of_every_game = pytest.mark.parametrize("name", registry.games())
in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def markdown(name: str, language: str) -> str:
    """Return a rulebook as it is written."""
    return read(registry.games()[name].folder / "rulebook", language).markdown


def blocks(text: str) -> Iterator[str]:
    """Yield paragraphs and items of lists, each in one line; headings are left out."""
    for block in text.split("\n\n"):
        if block.startswith("#"):
            continue
        yield from (line.lstrip("->* ") for line in block.splitlines())


def sentences(text: str) -> list[str]:
    """Return the sentences of a rulebook; items of lists have none."""
    found: list[str] = []
    for block in blocks(text):
        parts = re.split(r"(?<=[.!?…])[”»“]?\s+(?=[“«„]?[A-ZÀ-Þ0-9])", block.replace("**", ""))
        found += [part for part in parts if part.rstrip("”»“ ")[-1:] in ".!?…"]
    return found


def word_count(sentence: str) -> int:
    """Count the words of a sentence."""
    return len(re.findall(r"\w[\w’'-]*", sentence))


@of_every_game
@in_every_language
def test_sentences_are_short(name: str, language: str) -> None:
    counts = {sentence: word_count(sentence) for sentence in sentences(markdown(name, language))}
    assert mean(counts.values()) <= LONGEST_MEAN
    assert [sentence for sentence, count in counts.items() if count > LONGEST] == []


def test_words_are_counted_sentence_by_sentence() -> None:
    text = "# Title\n\n## A part\n\nOne two. Three four five!\n\n- an item\n\n> **Our ruling.** Six is “seven”. Eight."
    assert [word_count(each) for each in sentences(text)] == [2, 3, 2, 3, 1]


@of_every_game
@in_every_language
def test_examples_name_colours_and_not_crests(name: str, language: str) -> None:
    assert re.findall(CRESTS[language], markdown(name, language)) == []


@pytest.mark.parametrize("name", RETIRED)
@in_every_language
def test_rulebooks_have_the_words_of_the_glossary(name: str, language: str) -> None:
    text = re.sub(r"\{#[\w.-]+\}", "", markdown(name, language))
    assert re.findall(RETIRED[name][language], text, re.IGNORECASE) == []


@of_every_game
@in_every_language
def test_every_paragraph_has_as_many_marks_as_the_english_one(name: str, language: str) -> None:
    one, other = (re.findall(r"\{#[\w.-]+\}|^> \*\*|^- ", markdown(name, each), re.M) for each in ("en", language))
    assert one == other

"""Words that were retired do not come back to code and docs."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.wording import retired

FOUND = list(retired.places())


@pytest.mark.parametrize("word", retired.RETIRED)
def test_a_retired_word_is_not_written_again(word: str) -> None:
    places = [place for each, place in FOUND if each == word]
    limit = retired.limits()[word]
    assert len(places) <= limit, f"instead of “{word}”: {retired.RETIRED[word]}. It stands in {', '.join(places)}"
    assert len(places) >= limit, "it became less: `python -m tests.wording.retired --lower` writes the count"


def test_parts_of_names_are_counted_too() -> None:
    assert retired.WORD.findall("BoxView box_of aBox boxed") == ["Box", "View", "box", "of", "a", "Box", "boxed"]
    assert Counter(word for word, _ in FOUND).keys() <= retired.RETIRED.keys()


def test_phrases_are_counted_in_texts_and_names_and_stored_names_are_not() -> None:
    found = {
        "Usual caves": ["usual cave"],
        "knights stand in a row": [],
        "a stand_in plays": ["stand-in"],
        "the mixer": ["mixer"],
        "the bot mixer, `mixer:60`": [],
    }
    for text, phrases in found.items():
        assert [phrase for phrase, pattern in retired.PHRASE.items() if pattern.search(text)] == phrases, text
    assert retired.KEPT.sub("", 'field(name="patience"), dice["luck"], `hunch=50`') == "field(name=), dice[], `50`"

"""The terminal's own words: the languages agree, in good typography."""

from __future__ import annotations

import itertools
import re
import string

import pytest

from dracotheque.engine.rulebook import LANGUAGES
from tests.terminal.script import CATALOGUES, sit


def gaps(entry: str) -> set[str]:
    """List the gaps of an entry."""
    return {name for _, name, _, _ in string.Formatter().parse(entry) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_in_good_typography(language: str) -> None:
    entries, english = CATALOGUES[language].entries, CATALOGUES["en"].entries
    assert entries.keys() == english.keys()
    for key, entry in entries.items():
        assert gaps(entry) == gaps(english[key]), key
        assert not set(entry) & set("'\"`"), key
        assert entry == entry.strip(), key


def test_french_punctuation_keeps_its_spaces() -> None:
    for key, entry in CATALOGUES["fr"].entries.items():
        for before, sign in itertools.pairwise(entry):
            assert sign != ":" or before == "\u00a0", key
            assert sign not in ";!" or before == "\u202f", key
            assert (before, sign) not in ((" ", "?"), ("«", " "), (" ", "»")), key


def test_no_line_begins_with_french_punctuation() -> None:
    _, printed, _ = sit(itertools.chain(["?", "règles", "aide", "journal"], ["1"] * 60), language="fr", width=80)
    assert [line for line in printed.splitlines() if re.match(r"\s*[:;!»]", line)] == []

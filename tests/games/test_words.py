"""The words of every game: the languages agree, names of choices differ, every move has events."""

from __future__ import annotations

import itertools
import string
from typing import Any

import pytest

from dracotheque import load_game
from dracotheque.engine import registry
from dracotheque.engine.phrases import Catalog
from dracotheque.engine.rulebook import LANGUAGES
from tests.games.narration_checks import told_game

OTHERWISE: dict[str, dict[str, str]] = {
    "emerald": {"second_move": "compulsory", "gold": "open", "starts": "2"},
    "dragons-cave": {"chests": "open", "first_dragon": "2"},
    "gran": {"seals": "two", "starts": "2"},
    "save-the-dragon": {"youngest": "everybody", "starts": "2"},
}
"""For every game a choice of options that is not the usual one."""

TABLES = [
    (name, players) for name, box in registry.games().items() for players in range(box.min_players, box.max_players + 1)
]

every_catalogue = pytest.mark.parametrize(("name", "language"), list(itertools.product(registry.games(), LANGUAGES)))


def catalogue(name: str, language: str) -> Catalog:
    """Find a game's words in a language."""
    return load_game(name, interpreted=True).words(language)


def gaps(entry: str) -> set[str]:
    """List the gaps of an entry."""
    return {name for _, name, _, _ in string.Formatter().parse(entry) if name is not None}


# --- The catalogues ---------------------------------------------------------------------------------------------
@every_catalogue
def test_every_language_has_the_same_keys_and_gaps(name: str, language: str) -> None:
    entries, english = catalogue(name, language).entries, catalogue(name, "en").entries
    assert entries.keys() == english.keys()
    assert [key for key in entries if gaps(entries[key]) != gaps(english[key])] == []


@every_catalogue
def test_no_straight_quotes_and_no_loose_spaces(name: str, language: str) -> None:
    for key, entry in catalogue(name, language).entries.items():
        assert not set(entry) & set("'\"`"), key
        assert entry == entry.strip(), key
        assert "  " not in entry, key


@every_catalogue
def test_a_seat_begins_its_sentence(name: str, language: str) -> None:
    entries = catalogue(name, language).entries
    others = {key: entry for key, entry in entries.items() if not key.startswith("log.")}  # parts of lines
    assert [key for key, entry in others.items() if "{seat}" in entry[1:]] == []


@pytest.mark.parametrize("name", registry.games())
def test_french_punctuation_keeps_its_spaces(name: str) -> None:
    for key, entry in catalogue(name, "fr").entries.items():
        for before, sign in itertools.pairwise(entry):
            assert sign not in ":»" or before == "\u00a0", key
            assert sign not in ";?!" or before == "\u202f", key
            assert before != "«" or sign == "\u00a0", key


# --- Names ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_choice_and_every_chance_has_a_name_of_its_own(name: str, players: int, language: str) -> None:
    game = load_game(name, players, interpreted=True)
    say, scene = game.words(language).say, game.text
    actions, outcomes = game.num_distinct_actions(), game.max_chance_outcomes()
    for seat in range(players):
        assert len({say(scene.action(game, seat, action)) for action in range(actions)}) == actions
    assert len({say(scene.outcome(game, outcome)) for outcome in range(outcomes)}) == outcomes
    assert len({say(scene.seat_name(seat)) for seat in range(players)}) == players
    assert len({say(scene.crest(seat)) for seat in range(players)}) == players


# --- Whole games ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("usual", [True, False])
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_move_is_told_in_every_language(name: str, players: int, usual: bool) -> None:
    options: dict[str, Any] = {} if usual else OTHERWISE[name]
    game = load_game(name, players, interpreted=True, **options)
    _, told = told_game(game, players)
    for language in LANGUAGES:
        say = game.words(language).say
        for event in told:
            sentence = say(event.phrase)
            assert "{" not in sentence
            if event.rule:
                assert sentence[-1] in ".!"
                assert sentence[0].isupper() or sentence[0].isdigit()

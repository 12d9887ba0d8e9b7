"""Whoever is not asked reads the prompt in the third person, in every language."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from dracotheque import load_game
from dracotheque.engine import registry
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Phrase
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.tables import snapshot
from dracotheque.tables.game_in_progress import choosers

GAMES_EACH = 2
SECOND_PERSON = {
    "en": r"you\w*",
    "fr": r"vous|votre|vos|tu|toi|te|ton|ta|tes|\w+ez",
    "it": r"voi|vostr\w|tu|ti|te|tuo|tua|tuoi|tue",
    "de": r"du|dich|dir|dein\w*|ihr\w*|euch|euer|eure\w*",
}
TABLES = [
    (name, players)
    for name, game in registry.games().items()
    for players in range(game.min_players, game.max_players + 1)
]


def addresses_reader(text: str, language: str) -> bool:
    """Return whether a text has a word in the second person."""
    return re.search(rf"\b(?:{SECOND_PERSON[language]})\b", text, re.IGNORECASE) is not None


def prompts(game: Game, seed: int) -> Iterator[tuple[list[int], dict[int, Phrase]]]:
    """Play a random game; yield before each choice who is asked, and the phrase that each viewpoint is sent."""
    state, chance = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance), CHANCE)
            continue
        sent: dict[int, Phrase] = {}
        for viewpoint in range(-1, game.players):
            prompt = snapshot.prompt(state, viewpoint, state.observation(viewpoint))
            assert prompt is not None
            sent[viewpoint] = prompt.phrase
        yield list(choosers(state)), sent
        seat = chance.choice(choosers(state))
        state.apply_action(chance.choice(state.legal_actions(seat)), seat)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_who_is_not_asked_reads_no_second_person(name: str, players: int) -> None:
    game = load_game(name, players, interpreted=True)
    asked_keys: set[str] = set()
    for seed in range(GAMES_EACH):
        for asked, sent in prompts(game, seed):
            watched = {phrase.key: phrase for seat, phrase in sent.items() if seat not in asked}
            asked_keys |= {phrase.key for seat, phrase in sent.items() if seat in asked}
            for key, phrase in watched.items():
                assert key.startswith(("watch", "generic.watch"))
                for language in LANGUAGES:
                    words = game.words(language)
                    text = words.say(phrase)
                    assert not addresses_reader(text, language), (language, text)
                    if len(asked) == 1:
                        assert words.say(game.text.seat_name(asked[0])) in text, (language, text)
    assert asked_keys
    assert not any(key.startswith(("watch", "generic.watch")) for key in asked_keys)


@pytest.mark.parametrize("name", registry.games())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_that_a_player_answers_has_a_form_for_the_others(name: str, language: str) -> None:
    entries = load_game(name, interpreted=True).words(language).entries
    for key, entry in entries.items():
        if key.startswith(("watch.", "watch_several.")):
            assert not addresses_reader(entry, language), key
            assert key.startswith("watch_several.") or "{name}" in entry, key
    asked = {
        key.partition(".")[2].removesuffix(".one").removesuffix(".many")
        for key in entries
        if key.startswith("question.")
    }
    watched = {
        key.partition(".")[2].removesuffix(".one").removesuffix(".many") for key in entries if key.startswith("watch")
    }
    assert watched <= asked


def test_patterns_find_the_second_person() -> None:
    found = {"en": "Move one of your knights.", "fr": "Choisissez une porte.", "it": "Scegli il tuo cavaliere.",
             "de": "Wohin ziehst du?"}  # fmt: skip
    assert all(addresses_reader(text, language) for language, text in found.items())
    free = {"en": "Red moves a knight.", "fr": "Rouge avance un chevalier : plaine 3.", "it": "Rosso sceglie.",
            "de": "Rot wählt das Ziel."}  # fmt: skip
    assert not any(addresses_reader(text, language) for language, text in free.items())

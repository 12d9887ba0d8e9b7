"""The guides of a first game: every sentence is there in four languages, true to the rulebook, and comes in time."""

from __future__ import annotations

import json
import re
from functools import cache
from random import Random
from statistics import median
from typing import Any

import pytest

from dracotheque import load_game
from dracotheque.bots import make_bot
from dracotheque.bots.player_view import player_view
from dracotheque.engine import registry, rulebook
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.tables import board
from dracotheque.tables.game_in_progress import choosers

LONGEST = 160  # characters in a bubble
FIVE_MINUTES = 45  # choices of my own, at six or seven seconds each
GAMES = 20


@cache
def read(name: str, file: str = "plan") -> dict[str, Any]:
    """Read a file of a game's tutorial."""
    return json.loads((registry.games()[name].folder / "tutorial" / f"{file}.json").read_text("utf-8"))


@cache
def table_of(name: str) -> Game:
    """Set a first game up as its plan says."""
    plan = read(name)
    return load_game(name, players=plan["players"], board=plan.get("board"), **plan.get("options", {}))


def sayings(name: str, language: str) -> dict[str, str]:
    """Everything said in bubbles."""
    return {key: text for key, text in read(name, language).items() if not key.startswith("kind:")}


def key_of(words: dict[str, str], asked: GameEvent) -> str:
    """Find under which key the guide explains a question, as the page does."""
    exact = f"question:{asked.rule}/{asked.phrase.key.partition('.')[2]}"
    return exact if exact in words else f"question:{asked.rule}"


@pytest.mark.parametrize("name", registry.games())
def test_all_languages_say_the_same_things_in_short_sentences(name: str) -> None:
    english = read(name, "en")
    assert 12 <= len(sayings(name, "en")) <= 30
    for language in LANGUAGES:
        assert list(read(name, language)) == list(english)
        for text in read(name, language).values():
            assert 0 < len(text) <= LONGEST
            assert not re.search(r"['\"]|\.\.\.| - |  ", text), text
        for text in sayings(name, language).values():
            assert text[-1] in ".!?"
            assert text[0].isupper()


@pytest.mark.parametrize("name", registry.games())
def test_french_has_its_narrow_spaces(name: str) -> None:
    for text in read(name, "fr").values():
        assert not re.search(r"(?<![\u202f ])[;!?]|(?<![\u00a0 ]):| [;:!?]", text), text


@pytest.mark.parametrize("name", registry.games())
def test_every_bubble_belongs_to_a_rule_of_the_rulebook(name: str) -> None:
    book = rulebook.read(registry.games()[name].folder / "rulebook", "en").paragraphs
    words = table_of(name).words("en").entries
    for key in [*sayings(name, "en"), *read(name).get("same", {})]:
        kind, _, rest = key.partition(":")
        rule, _, phrase = rest.partition("/")
        if rest:
            assert kind in ("question", "event", "end")
            assert rule in book, key
        if phrase:
            assert any(entry in words for entry in (f"{kind}.{phrase}", f"{kind}.{phrase}.one")), key
    for key in read(name, "en").keys() - sayings(name, "en").keys():
        entry = key.removeprefix("kind:")
        assert not entry or entry in words or f"{entry}.one" in words, key


@pytest.mark.parametrize("name", registry.games())
def test_what_the_guide_points_at_is_on_the_board(name: str) -> None:
    game = table_of(name)
    drawing = board.svg(game, "en", night=False)
    points = read(name)["points"]
    assert set(points) <= {"opening.1", "opening.2", "opening.3"}
    for point in [point for pointed in points.values() for point in pointed]:
        assert point == ".figure.shield" or f'data-place="{point}"' in drawing, point


def play(game: Game, seed: int) -> list[GameEvent]:
    """Play a first game with bots, and list what was asked of the first seat."""
    state, random = game.new_initial_state(), Random(seed)
    bots = [make_bot("squire" if seat == 0 else "hatchling", seed + seat, game) for seat in range(game.players)]
    asked: list[GameEvent] = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, weights)[0])
            continue
        seat = choosers(state)[0]
        if seat == 0:
            asked.append(game.text.prompt(state.observation(seat)))
        state.apply_action(bots[seat].choose(player_view(state, seat)), seat)
    return asked


@pytest.mark.parametrize("name", registry.games())
def test_a_first_game_takes_five_minutes_and_no_question_comes_unexplained(name: str) -> None:
    words = read(name, "en")
    played = [play(table_of(name), seed) for seed in range(GAMES)]
    assert median(len(asked) for asked in played) <= FIVE_MINUTES
    met = {key_of(words, each) for asked in played for each in asked}
    assert met <= set(words)
    assert len(met) >= 4

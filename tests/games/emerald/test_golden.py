"""The golden games: whole games as text, told again word for word, and between them every rule of the book."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dracotheque import load_game
from dracotheque.engine.playthrough import lines, parse
from tests.games.emerald.make_golden import GOLDEN, RECIPES, Recipe, steps, told

FILES = sorted(GOLDEN.glob("*.txt"))


def title(text: str) -> str:
    """Read a golden game's title."""
    return text.splitlines()[0].removeprefix("# ")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_is_told_again_word_for_word(path: Path) -> None:
    text = path.read_text("utf-8")
    assert told(title(text), *parse(text)) == text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_interpreted_rules_tell_the_same_game(path: Path) -> None:
    text = path.read_text("utf-8")
    game, attempts = parse(text)
    plain = load_game(game.name, game.players, interpreted=True, **game.options)
    assert list(lines(plain, attempts)) == text.splitlines()[2:]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_golden_game_shows_what_its_title_says(recipe: Recipe) -> None:
    text = (GOLDEN / f"{recipe.name}.txt").read_text("utf-8")
    game, attempts = parse(text)
    assert title(text) == recipe.title
    assert game.players == recipe.players
    assert game.options.items() >= recipe.options.items()
    moves = [(attempt.player, attempt.action) for attempt in attempts if not attempt.refused]
    game_told = steps(game, moves)
    assert game_told[-1].after.to_move == -4
    assert recipe.shows(game_told)
    refused = set(re.findall(r"^    not allowed \[(.+)\]$", text, re.MULTILINE))
    assert refused == set(recipe.tries)


def test_every_file_has_its_recipe() -> None:
    assert sorted(recipe.name for recipe in RECIPES) == [path.stem for path in FILES]
    assert len(FILES) >= 20


def test_the_golden_games_cover_every_rule_every_option_and_every_number_of_players() -> None:
    texts = [path.read_text("utf-8") for path in FILES]
    covered = {rule for text in texts for rule in re.findall(r"\[([a-z.-]+)\]$", text, re.MULTILINE)}
    assert covered == set(load_game("emerald", interpreted=True).rulebook().paragraphs)
    heads = [text.splitlines()[1] for text in texts]
    for part in ("players=2", "players=3", "players=4", "players=5", "second_move=compulsory", "gold=open"):
        assert any(part in head for head in heads), part
    for starts in ("lots", "1", "2", "3", "4", "5"):
        assert any(f"starts={starts}" in head for head in heads), starts


def test_a_playthrough_that_calls_a_legal_move_refused_is_found_out() -> None:
    text = FILES[0].read_text("utf-8")
    game, attempts = parse(re.sub(r"^(lion|tower): (.*)$", r"\1? \2", text, count=1, flags=re.MULTILINE))
    with pytest.raises(ValueError, match="is allowed here"):
        list(lines(game, attempts))

"""The rulebook is the spine: every paragraph has code, tests and four languages, and nothing cites any other."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

from dracotheque import load_game
from dracotheque.engine.rule import load, rule_functions
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.emerald import BOX
from dracotheque.games.emerald import state as s

GAME = load_game("emerald", interpreted=True)
RULES = list(GAME.rulebook().paragraphs)
TESTS = Path(__file__).parents[2]


@functools.cache
def carried() -> dict[str, list[str]]:
    """Say for every rule id which functions of the rules carry it."""
    found: dict[str, list[str]] = {}
    for path in BOX.folder.glob("*.py"):
        if "@rule(" not in path.read_text("utf-8"):
            continue
        functions = rule_functions(load(f"{BOX.package}.{path.stem}", interpreted=True))
        for rule, names in functions.items():
            found.setdefault(rule, []).extend(names)
    return found


def marks(path: Path) -> Iterator[tuple[str, str]]:
    """List the rules that the tests of a file are marked with, as (game, id)."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
            game, *ids = [ast.literal_eval(argument) for argument in node.args]
            yield from ((game, rule) for rule in ids)


@functools.cache
def proven() -> set[str]:
    """Name every rule of Emerald that some test is marked with."""
    return {rule for path in TESTS.rglob("test_*.py") for game, rule in marks(path) if game == "emerald"}


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_code(rule: str) -> None:
    assert carried().get(rule)


def test_code_carries_no_rule_that_is_not_in_the_book() -> None:
    assert set(carried()) <= set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_test(rule: str) -> None:
    assert rule in proven()


def test_no_test_is_marked_with_a_rule_that_is_not_in_the_book() -> None:
    assert proven() <= set(RULES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_rules_in_the_same_order(language: str) -> None:
    assert list(GAME.rulebook(language).paragraphs) == RULES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paragraph_has_a_title_and_a_sentence_of_its_own(language: str) -> None:
    paragraphs = GAME.rulebook(language).paragraphs.values()
    assert len({paragraph.title for paragraph in paragraphs}) == len(RULES)
    assert len({paragraph.sentence for paragraph in paragraphs}) == len(RULES)
    for paragraph in paragraphs:
        assert paragraph.sentence.rstrip("”»“")[-1] in ".:!", paragraph.id


def test_languages_other_than_english_are_translated() -> None:
    english = GAME.rulebook().paragraphs
    for language in set(LANGUAGES) - {"en"}:
        for rule, paragraph in GAME.rulebook(language).paragraphs.items():
            assert paragraph.text != english[rule].text, (language, rule)


def test_refusals_endings_and_options_stand_in_the_book() -> None:
    assert set(s.REFUSALS[1:]) <= set(RULES)
    assert set(s.ENDINGS) <= set(RULES)
    assert {option.rule for option in BOX.options.values()} <= set(RULES)

"""The rulebook is the spine: every paragraph has code, tests and four languages, and nothing cites any other."""

from __future__ import annotations

import ast
import functools
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dracotheque.engine.game import Box
from dracotheque.engine.rule import load, rule_functions
from dracotheque.engine.rulebook import LANGUAGES, Rulebook, read
from dracotheque.games import SHELF

TESTS = Path(__file__).parents[1]
BOXES = list(SHELF.values())


def book(box: Box, language: str = "en") -> Rulebook:
    """Open the rulebook of a box."""
    return read(box.folder / "rulebook", language)


def rules(box: Box) -> list[str]:
    """List the ids of a box's rules in the order of its book."""
    return list(book(box).paragraphs)


@functools.cache
def carried(game: str) -> dict[str, list[str]]:
    """Say for every rule id which functions of the rules carry it."""
    box, found = SHELF[game], dict[str, list[str]]()
    for path in box.folder.glob("*.py"):
        if "@rule(" not in path.read_text("utf-8"):
            continue
        functions = rule_functions(load(f"{box.package}.{path.stem}", interpreted=True))
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
def proven() -> set[tuple[str, str]]:
    """Name every rule that some test is marked with, as (game, id)."""
    return {mark for path in TESTS.rglob("test_*.py") for mark in marks(path)}


of_every_box = pytest.mark.parametrize("box", BOXES, ids=lambda box: box.name)
of_every_rule = pytest.mark.parametrize(
    ("box", "rule"), [pytest.param(box, rule, id=f"{box.name} {rule}") for box in BOXES for rule in rules(box)]
)
in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@of_every_rule
def test_every_rule_has_code(box: Box, rule: str) -> None:
    assert carried(box.name).get(rule)


@of_every_box
def test_code_carries_no_rule_that_is_not_in_the_book(box: Box) -> None:
    assert set(carried(box.name)) <= set(rules(box))


@of_every_rule
def test_every_rule_has_a_test(box: Box, rule: str) -> None:
    assert (box.name, rule) in proven()


def test_no_test_is_marked_with_a_rule_that_is_in_no_book() -> None:
    assert proven() <= {(box.name, rule) for box in BOXES for rule in rules(box)}


@of_every_box
@in_every_language
def test_every_language_has_the_same_rules_in_the_same_order(box: Box, language: str) -> None:
    assert list(book(box, language).paragraphs) == rules(box)


@of_every_box
@in_every_language
def test_every_paragraph_has_a_title_and_a_sentence_of_its_own(box: Box, language: str) -> None:
    paragraphs = book(box, language).paragraphs.values()
    assert len({paragraph.title for paragraph in paragraphs}) == len(paragraphs)
    assert len({paragraph.sentence for paragraph in paragraphs}) == len(paragraphs)
    for paragraph in paragraphs:
        assert paragraph.sentence.rstrip("”»“")[-1] in ".:!", paragraph.id


@of_every_box
def test_languages_other_than_english_are_translated(box: Box) -> None:
    english = book(box).paragraphs
    for language in set(LANGUAGES) - {"en"}:
        for rule, paragraph in book(box, language).paragraphs.items():
            assert paragraph.text != english[rule].text, (language, rule)


@of_every_box
def test_refusals_endings_and_options_stand_in_the_book(box: Box) -> None:
    state = importlib.import_module(f"{box.package}.state")
    assert set(state.REFUSALS[1:]) <= set(rules(box))
    assert set(state.ENDINGS) <= set(rules(box))
    assert {option.rule for option in box.options.values()} <= set(rules(box))

"""The rulebook is the spine: every paragraph has code, tests and four languages, and nothing cites any other."""

from __future__ import annotations

import ast
import functools
import importlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dracotheque import load_game
from dracotheque.engine import registry
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.rule import rule_functions
from dracotheque.engine.rulebook import LANGUAGES, Rulebook, read
from dracotheque.games.dragons_cave.rules import state as cave
from dracotheque.games.emerald.rules import state as emerald
from dracotheque.games.gran.rules import state as gran
from dracotheque.games.save_the_dragon.rules import state as stairs

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
BOXES = list(registry.games().values())
OUR_RULING = {"en": "Our ruling.", "fr": "Notre choix.", "it": "Scelta nostra.", "de": "Unsere Regelung."}
LONGEST_SUMMARY = 150  # words


def book(box: GameDefinition, language: str = "en") -> Rulebook:
    """Return the rulebook of a game."""
    return read(box.folder / "rulebook", language)


def rules(box: GameDefinition) -> list[str]:
    """Return the ids of a game's rules in the order of its rulebook."""
    return list(book(box).paragraphs)


@functools.cache
def carried(game: str) -> dict[str, list[str]]:
    """Say for every rule id which functions of the rules carry it."""
    box, found = registry.games()[game], dict[str, list[str]]()
    for path in box.folder.glob("rules/*.py"):
        if "@rule(" not in path.read_text("utf-8"):
            continue
        functions = rule_functions(importlib.import_module(f"{box.package}.rules.{path.stem}"))
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
def test_every_rule_has_code(box: GameDefinition, rule: str) -> None:
    assert carried(box.name).get(rule)


@of_every_box
def test_code_carries_no_rule_that_is_not_in_the_book(box: GameDefinition) -> None:
    assert set(carried(box.name)) <= set(rules(box))


@of_every_rule
def test_every_rule_has_a_test(box: GameDefinition, rule: str) -> None:
    assert (box.name, rule) in proven()


def test_no_test_is_marked_with_a_rule_that_is_in_no_book() -> None:
    assert proven() <= {(box.name, rule) for box in BOXES for rule in rules(box)}


@of_every_box
@in_every_language
def test_every_language_has_the_same_rules_in_the_same_order(box: GameDefinition, language: str) -> None:
    assert list(book(box, language).paragraphs) == rules(box)


@of_every_box
@in_every_language
def test_every_paragraph_has_a_title_and_a_sentence_of_its_own(box: GameDefinition, language: str) -> None:
    paragraphs = book(box, language).paragraphs.values()
    assert len({paragraph.title for paragraph in paragraphs}) == len(paragraphs)
    assert len({paragraph.sentence for paragraph in paragraphs}) == len(paragraphs)
    for paragraph in paragraphs:
        assert paragraph.sentence.rstrip("”»“")[-1] in ".:!", paragraph.id


@of_every_box
def test_languages_other_than_english_are_translated(box: GameDefinition) -> None:
    english = book(box).paragraphs
    for language in set(LANGUAGES) - {"en"}:
        for rule, paragraph in book(box, language).paragraphs.items():
            assert paragraph.text != english[rule].text, (language, rule)


@of_every_box
def test_refusals_endings_and_options_stand_in_the_book(box: GameDefinition) -> None:
    state = importlib.import_module(f"{box.package}.rules.state")
    assert set(state.REFUSALS[1:]) <= set(rules(box))
    assert set(state.ENDINGS) <= set(rules(box))
    assert {option.rule for option in box.options.values()} <= set(rules(box))


# --- The opening: a welcome, a summary and a list of components -----------------------------------------------------
def opening(box: GameDefinition, language: str) -> list[str]:
    """List the sections before the first one with rules, each with its heading in the first line."""
    before_rules = re.split(r"^## .+\n+(?=### )", book(box, language).markdown, maxsplit=1, flags=re.MULTILINE)[0]
    return re.split(r"^##? ", before_rules, flags=re.MULTILINE)[1:]


def component_numbers(box: GameDefinition, language: str) -> list[list[int]]:
    """List the numbers that each line of the components names, the smallest first."""
    _, _, components = opening(box, language)
    lines = [line for line in components.splitlines()[1:] if line]
    assert all(re.match(r"- \d", line) for line in lines)
    return [sorted(map(int, re.findall(r"\d+", line))) for line in lines]


def emerald_components() -> list[tuple[int, ...]]:
    """Count the pieces of Emerald: board, knights, dragon, rod, die and cards."""
    unseen = load_game("emerald", interpreted=True).new_initial_state().to_plain().unseen
    gems, gold = unseen[: emerald.KINDS], unseen[emerald.KINDS :]
    fields = emerald.FIRST_CAVE - emerald.FIRST_FIELD
    return [
        (1, emerald.TOWERS + 1, fields, emerald.CAVES, emerald.TREASURES),
        (emerald.COLOURS * emerald.KNIGHTS, emerald.KNIGHTS, emerald.COLOURS),
        (1,),
        (1, emerald.ROD_LENGTH),
        (1, 1, 1, 2, 2, 3, 3),
        (sum(gold), gold[0], 1, emerald.VALUES),
        (sum(gems), gems[0]),
        (emerald.TREASURES, 5),
        (emerald.KINDS + 1, 4, 1, 1, emerald.KINDS),
    ]


def cave_components() -> list[tuple[int, ...]]:
    """Count the pieces of Dragon's Cave: board, dragon, dwarves, coins, purses, chests and cards."""
    board = load_game("dragons-cave", interpreted=True).board
    return [
        (1, len(board.path), cave.KINDS),
        (1,),
        (cave.DWARVES,),
        (board.treasure,),
        (cave.SEATS,),
        (cave.SEATS,),
        (cave.SEATS * cave.CARDS, cave.CARDS, cave.KINDS, 1),
    ]


def gran_components() -> list[tuple[int, ...]]:
    """Count the pieces of Gran: map, knights, amulets, ring, stones, collars, cards, seals and die."""
    kinds = Counter(point.kind for point in load_game("gran", interpreted=True).board.points)
    return [
        (1, kinds.total(), *kinds.values()),
        (gran.SEATS,),
        (gran.SEATS * gran.AMULETS, gran.AMULETS),
        (1,),
        (gran.STONES,),
        (kinds[gran.DRAGON], 1),
        (sum(gran.CARDS),),
        (gran.SEATS * gran.KINGDOMS, gran.SEATS, gran.KINGDOMS),
        (1, 1, gran.SIDES),
    ]


def stairs_components() -> list[tuple[int, ...]]:
    """Count the pieces of Save the Dragon: staircase, chamber, door, pawns, shield, rock, tokens and two dice."""
    steps = [steps for steps, faces in enumerate(stairs.STEP_FACES, 1) for _ in range(faces)]
    return [
        (1, stairs.STEPS, stairs.LANES),
        (1, stairs.LANES),
        (1,),
        (stairs.SEATS,),
        (1,),
        (1,),
        (stairs.SEATS * stairs.TOKENS,),
        (1, *steps),
        (1, *stairs.ACTION_FACES),
    ]


COMPONENTS = {
    "emerald": emerald_components,
    "dragons-cave": cave_components,
    "gran": gran_components,
    "save-the-dragon": stairs_components,
}


@of_every_box
@in_every_language
def test_every_rulebook_opens_with_a_welcome_a_summary_and_its_components(box: GameDefinition, language: str) -> None:
    welcome, *others = opening(box, language)
    assert welcome.splitlines()[0].replace("’", "'") == box.title.replace("’", "'")
    assert len(others) == 2
    assert "{#" not in "".join(opening(box, language))
    assert 0 < len(others[0].split("\n", 1)[1].split()) <= LONGEST_SUMMARY


@of_every_box
@in_every_language
def test_the_components_are_those_that_the_game_is_played_with(box: GameDefinition, language: str) -> None:
    assert component_numbers(box, language) == [sorted(numbers) for numbers in COMPONENTS[box.name]()]


@of_every_box
def test_openings_in_other_languages_than_english_are_translated(box: GameDefinition) -> None:
    for one, other in itertools.combinations(LANGUAGES, 2):
        assert not set(opening(box, one)) & set(opening(box, other)), (one, other)


# --- Rulings of our own ---------------------------------------------------------------------------------------------
def marked(box: GameDefinition, language: str) -> dict[str, str]:
    """Find every rule that has a mark, and the mark."""
    blocks = {rule: paragraph.text.split("\n\n") for rule, paragraph in book(box, language).paragraphs.items()}
    return {rule: texts[-1] for rule, texts in blocks.items() if texts[-1].startswith("> ")}


def documented(box: GameDefinition) -> list[str]:
    """List the rules that the page of the game's rulings names as marked."""
    text = (DOCS / "explanation" / "rulings" / f"{box.name}.md").read_text("utf-8")
    section = text.split("\n## Marked as our ruling\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([a-z.-]+)` \|", section, re.MULTILINE)


@of_every_box
@in_every_language
def test_rulings_of_our_own_are_marked_where_the_documentation_says_so(box: GameDefinition, language: str) -> None:
    assert list(marked(box, language)) == documented(box)


@of_every_box
@in_every_language
def test_a_mark_is_one_quoted_line_after_the_rule_and_begins_with_the_same_words(
    box: GameDefinition, language: str
) -> None:
    assert book(box, language).markdown.count("\n> ") == len(marked(box, language))
    for rule, mark in marked(box, language).items():
        assert re.fullmatch(rf"> \*\*{re.escape(OUR_RULING[language])}\*\* [^\n]+\.", mark), rule
        assert book(box, language)[rule].text != mark


# --- Typography -----------------------------------------------------------------------------------------------------
@of_every_box
@in_every_language
def test_rulebooks_have_no_straight_quotes(box: GameDefinition, language: str) -> None:
    assert not set(book(box, language).markdown) & set("'\"")


@of_every_box
def test_french_signs_keep_their_spaces(box: GameDefinition) -> None:
    for before, sign in itertools.pairwise(book(box, "fr").markdown):
        assert sign not in ":»" or before == "\u00a0", sign
        assert sign not in ";?!" or before == "\u202f", sign
        assert before != "«" or sign == "\u00a0"

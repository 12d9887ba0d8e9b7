"""The golden games of every game: replayed word for word; together they have every rule of the book.

The checks are here; `test_golden.py` beside a game's own tests runs them on its golden games.
"""

from __future__ import annotations

import functools
import re
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest

from dracotheque import load_game
from dracotheque.engine import board_files, registry
from dracotheque.engine.game import Game
from dracotheque.engine.playthrough import PlaythroughMove, lines, parse
from dracotheque.engine.registry import find_game
from tests.games.golden import Golden, Moves, Recipe, steps, title, transcript


class GoldenGames:
    """What holds for the golden games of a game."""

    golden: Golden

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run a check once for every file, or for every recipe, where it asks for one."""
        if "path" in metafunc.fixturenames:
            metafunc.parametrize("path", self.golden.files, ids=[path.stem for path in self.golden.files])
        if "recipe" in metafunc.fixturenames:
            metafunc.parametrize("recipe", self.golden.recipes, ids=[recipe.name for recipe in self.golden.recipes])

    def test_a_golden_game_is_told_again_word_for_word(self, path: Path) -> None:
        """An unintended change of rules or words shows here first."""
        text, game, attempts = read(path)
        assert transcript(title(text), game, attempts) == text

    def test_interpreted_rules_tell_the_same_game(self, path: Path) -> None:
        """Machine code and plain Python follow one text of the rules."""
        text, game, attempts = read(path)
        board = game.board.source or None if game.board else None
        plain = Game(game.definition, game.players, game.options, board=board, interpreted=True)
        assert list(lines(plain, attempts)) == text.splitlines()[2:]

    def test_a_golden_game_shows_what_its_title_says(self, recipe: Recipe) -> None:
        """Table, moves and refused attempts are those of the recipe."""
        text, game, attempts = read(self.golden.folder / f"{recipe.name}.txt")
        assert title(text) == recipe.title
        assert (game.name, game.players) == (self.golden.name, recipe.players)
        assert game.options.items() >= recipe.options.items()
        assert (f" board={recipe.board}" in text.splitlines()[1]) == (recipe.board is not None)
        shown = steps(game, played(attempts))
        assert shown[-1].later.is_terminal()
        assert recipe.shows(shown)
        assert refused(text) == set(recipe.tries)

    def test_every_file_has_its_recipe(self) -> None:
        """Every file can be made again, and none is missing."""
        assert {recipe.name for recipe in self.golden.recipes} == {path.stem for path in self.golden.files}
        assert len(self.golden.files) >= 20

    def test_no_two_golden_games_are_the_same(self) -> None:
        """Recipes that lead to the same game would show one thing only."""
        games = {tuple(played(attempts)) for _, _, attempts in map(read, self.golden.files)}
        assert len(games) == len(self.golden.files)

    def test_between_them_they_have_every_rule(self) -> None:
        """Every rule is named in some whole game."""
        rules = [re.findall(r"\[([a-z.-]+)\]$", text, re.MULTILINE) for text, _, _ in map(read, self.golden.files)]
        rulebook = load_game(self.golden.name, interpreted=True).rulebook()
        assert set(chain.from_iterable(rules)) == set(rulebook.paragraphs)

    def test_between_them_they_have_every_table_every_option_and_every_board(self) -> None:
        """Whatever a table can agree on has been played."""
        box = find_game(self.golden.name)
        heads = {part for text, _, _ in map(read, self.golden.files) for part in text.splitlines()[1].split()}
        players = {f"players={players}" for players in range(box.min_players, box.max_players + 1)}
        options = {f"{name}={value}" for name, option in box.options.items() for value in option.values}
        other_boards = {f"board={name}" for name in board_files.names(box)}
        assert heads >= players | options | other_boards

    def test_between_them_they_have_every_ending(self) -> None:
        """Every way in which a game can end has been played to its end."""
        ends = [steps(game, played(attempts))[-1].later for _, game, attempts in map(read, self.golden.files)]
        assert {end.ending() for end in ends} == set(ends[0].game.rules.ENDINGS)

    def test_a_playthrough_that_calls_a_legal_move_refused_is_found_out(self) -> None:
        """A refused attempt is a claim about the rules, and it is checked."""
        text = self.golden.files[0].read_text("utf-8")
        game, attempts = parse(re.sub(r"^(lion|tower): (.*)$", r"\1? \2", text, count=1, flags=re.MULTILINE))
        with pytest.raises(ValueError, match="is allowed here"):
            list(lines(game, attempts))


@functools.cache
def read(path: Path) -> tuple[str, Game, list[PlaythroughMove]]:
    """Read a golden game once, as text and as what was played and tried."""
    text = path.read_text("utf-8")
    return text, *parse(text)


def played(attempts: list[PlaythroughMove]) -> Moves:
    """Leave out what was refused."""
    return [(attempt.player, attempt.action) for attempt in attempts if not attempt.refused]


def refused(text: str) -> set[str]:
    """List the rules by which something was refused in a golden game."""
    return set(re.findall(r"^    not allowed \[(.+)\]$", text, re.MULTILINE))


@pytest.mark.parametrize("name", registry.games())
def test_every_game_on_the_shelf_has_golden_games_that_are_checked(name: str) -> None:
    package = registry.games()[name].package.rpartition(".")[2]
    tests = import_module(f"tests.games.{package}.test_golden")
    assert issubclass(tests.TestGolden, GoldenGames)
    assert tests.TestGolden.golden.name == name

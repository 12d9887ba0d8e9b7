"""The contract of a game as tests; in a test file of the game's package, pytest finds it by the name `Test…`.

from dracotheque.testing import contract

TestDragonDice = contract("dragon-dice")
"""

from __future__ import annotations

from typing import ClassVar

from dracotheque import check
from dracotheque.engine import registry
from dracotheque.engine.definition import GameDefinition

__all__ = ["Contract", "contract"]


class Contract:
    """The checks of `dracotheque check`, a test for each."""

    game: ClassVar[GameDefinition]

    def test_the_definition_says_what_can_be(self) -> None:
        """Name, numbers of players and options are sound."""
        self._require_no_problem(check.check_definition)

    def test_every_module_can_be_imported(self) -> None:
        """No module of a fixed name breaks off."""
        self._require_no_problem(check.check_modules)

    def test_the_rules_have_their_constants(self) -> None:
        """The record and the numbers are of the right types."""
        self._require_no_problem(check.check_constants)

    def test_the_rules_have_their_functions(self) -> None:
        """What is required is there, marked, and takes what it is given."""
        self._require_no_problem(check.check_functions)

    def test_the_rulebook_has_every_rule(self) -> None:
        """In each language that it is written in."""
        self._require_no_problem(check.check_rulebook)

    def test_the_catalogues_can_be_read(self) -> None:
        """And they name fields that there are."""
        self._require_no_problem(check.check_words)

    def test_the_first_moves_go_well(self) -> None:
        """Every position is one that there can be."""
        self._require_no_problem(check.check_play)

    def test_whole_games_end_and_have_events(self) -> None:
        """With every number of players."""
        self._require_no_problem(check.check_games)

    def test_compiled_rules_play_the_same_games(self) -> None:
        """Move by move, the whole record."""
        self._require_no_problem(check.check_compiled)

    def _require_no_problem(self, look: check.Check) -> None:
        """Fail with the problems that a check finds."""
        assert [*look(self.game)] == []


def contract(game: str | GameDefinition) -> type[Contract]:
    """Return a class of tests for a game, given its name or its definition."""
    found = registry.find_game(game) if isinstance(game, str) else game
    return type("Contract", (Contract,), {"game": found, "__doc__": f"{found.title} keeps the contract."})

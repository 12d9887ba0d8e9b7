"""`Game`: a game with its number of players and options chosen; its states are in `state.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import ModuleType
from typing import Final

import numpy as np

from dracotheque.engine import arguments, board_files, registry, rule, rulebook, tensor_layout
from dracotheque.engine.jit import workspace
from dracotheque.engine.arguments import whole_number
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.errors import DracothequeError, IllegalActionError, unknown
from dracotheque.engine.rng import RandomSource
from dracotheque.engine.state import State
from dracotheque.engine.tensor_layout import TensorPart
from dracotheque.engine.phrases import Catalog, game_words


class Game:
    """A game with its number of players and options chosen."""

    def __init__(
        self,
        definition: GameDefinition,
        players: int,
        options: Mapping[str, str],
        *,
        board: board_files.Source | None = None,
        version: int | None = None,
        interpreted: bool = False,
    ) -> None:
        """Check the options and load the game; programs call `load_game`.

        Under an earlier version of the rules, `game.definition` is that of the version.
        """
        players = whole_number(players, "The number of players is a whole number such as 3")
        present, definition = definition, definition.under(version)
        self.runtime: Final = workspace.rules_runtime(definition.package, interpreted or rule.interpreter_forced())
        self.rules: Final = self.runtime.rules
        if version not in (None, self.rules.VERSION):
            raise _unknown_version(present, version, self.rules.VERSION)
        if not definition.min_players <= players <= definition.max_players:
            raise _unfit_number(definition, players)
        self.definition: Final = definition
        self.players: Final = players
        self._earlier: Final = definition is not present
        self.options: Final = _checked(definition, players, options)
        self.board: Final = board_files.open_board(definition, board)

    @property
    def name(self) -> str:
        """The game's short name, such as `dragon-dice`."""
        return self.definition.name

    @property
    def rules_version(self) -> int:
        """The version of the rules; a stored game is finished under the version it began with."""
        return self.rules.VERSION

    def num_players(self) -> int:
        """The number of players."""
        return self.players

    def num_distinct_actions(self) -> int:
        """How many different actions there are: actions are 0 to this number less one."""
        return self.rules.ACTIONS

    def max_chance_outcomes(self) -> int:
        """How many different chance outcomes there are: 0 to this number less one."""
        return self.rules.OUTCOMES

    def observation_tensor_size(self) -> int:
        """How many numbers an observation tensor holds."""
        return self.rules.TENSOR_SIZE

    def observation_layout(self) -> tuple[TensorPart, ...]:
        """Name the parts of an observation tensor in their order, each with its offset, length and meaning."""
        return tensor_layout.flat(tensor_layout.of(self.rules))

    def outcome_source(self, chance: RandomSource) -> Callable[[State], int]:
        """Return the function that decides chance at a table: by weight, or by the game's physics simulation."""
        if not self.definition.has_physical_chance:
            return lambda state: state.sample_chance(chance)
        return registry.part(self.definition, "physical_chance", registry.no_defaults).PhysicalChance(chance).outcome

    def rulebook(self, language: str = "en") -> rulebook.Rulebook:
        """The rules in words."""
        arguments.text(language, "A language is a text such as 'en'")
        return rulebook.read(self.definition.folder / "rulebook", language)

    def words(self, language: str = "en") -> Catalog:
        """The names of places, pieces, choices and events."""
        arguments.text(language, "A language is a text such as 'en'")
        return game_words(self.definition, language)

    @cached_property
    def text(self) -> ModuleType:
        """The module that turns states and moves of this game into phrases."""
        from dracotheque.engine import default_text  # it imports this module

        return registry.part(self.definition, "text", default_text.defaults)

    def start(self) -> bytes:
        """The empty record with only the number of players and the options filled in."""
        record = np.zeros(1, self.runtime.state)
        record["players"] = self.players
        for name, option in self.definition.options.items():
            record[option.field] = option.number(self.options[name])
        if self.board:
            self.board.write_to(record[0])
        return record.tobytes()

    @cached_property
    def beginning(self) -> tuple[bytes, int]:
        """The first record of every game, set up, and whose choice it is."""
        table = self.runtime.new_workspace()
        table.set_state(self.start())
        player = self.runtime.operations.begin(table.handle)
        return table.state(), player

    def new_initial_state(self) -> State:
        """Return the first state of a new game; most games begin with chance moves."""
        return State(self)

    def deserialize_state(self, text: str) -> State:
        """Read a state written by `State.serialize`, by playing its moves again."""
        state = State(self)
        for number, move in enumerate(arguments.text(text, "A serialized state is a text of moves").split(), 1):
            try:
                player, action = (int(part) for part in move.split(":"))
            except ValueError:
                raise DracothequeError(f"Move {number}, {move!r}, is not written as player:action.") from None
            try:
                state.apply_action(action, player)
            except DracothequeError as error:
                raise IllegalActionError(f"Move {number}, {move!r}: {error}", getattr(error, "rule", None)) from error
        return state

    def __repr__(self) -> str:
        """Show how to load this game again."""
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        board = f", board={self.board.source!r}" if self.board and self.board.source else ""
        version = f", version={self.rules_version}" if self._earlier else ""
        return f"load_game({self.name!r}, players={self.players}{options}{board}{version})"


def _unfit_number(definition: GameDefinition, players: int) -> DracothequeError:
    """Return the error for a wrong number of players."""
    fit = f"{definition.min_players} to {definition.max_players}"
    return DracothequeError(f"{definition.title} is for {fit} players, not {players}.")


def _unknown_version(definition: GameDefinition, version: int | None, newest: int) -> DracothequeError:
    """Return the error for rules of a version that the game does not have."""
    known = board_files.listed(sorted({*definition.previous_versions, newest}))
    plural = "s" if definition.previous_versions else ""
    return DracothequeError(
        f"There is no rules version {version} of {definition.title}: this library has version{plural} {known}."
    )


def _checked(definition: GameDefinition, players: int, chosen: Mapping[str, str]) -> dict[str, str]:
    """Fill in the defaults and refuse what the game does not offer."""
    options = {name: option.values[0] for name, option in definition.options.items()}
    for name, value in chosen.items():
        if name not in options:
            raise unknown(f"{definition.title} option", name, options)
        options[name] = definition.options[name].checked(name, str(value), players)
    return options

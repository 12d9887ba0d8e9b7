"""The public face of every game, in the words OpenSpiel's users know: `load_game`, `Game`, `State`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import index
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from dracotheque.engine import boards, desk, rule, rulebook, sums
from dracotheque.engine.dispatch import CHANCE, IMPOSSIBLE, REFUSED, SIMULTANEOUS, TERMINAL
from dracotheque.engine.errors import DracothequeError, IllegalAction, unknown
from dracotheque.engine.record import Plain
from dracotheque.engine.words import Words, words


@dataclass(frozen=True)
class Option:
    """Something a table can agree on before the game; the first value is the default."""

    values: tuple[str, ...]
    rule: str
    field: str
    """The record's field that holds the index of the chosen value."""


@dataclass(frozen=True)
class Box:
    """What is printed on the box: enough to put a game on the shelf without opening it."""

    name: str
    title: str
    designer: str
    year: int
    fewest: int
    most: int
    age: int
    minutes: str
    package: str
    options: Mapping[str, Option]
    board: bool = False
    """Whether the board is data: `board.toml` beside the rules, others in `boards/` or in files of one's own."""

    sealed: bool = False
    """Whether players choose in secret, so that good ones do not always choose alike."""

    nature: bool = False
    """Whether something of chance really happens at a table: the class `Nature` of the module `nature`."""

    solver: str = ""
    """The module that solves what lies ahead for a bot, if any; its `prepare` compiles it."""

    earlier: Mapping[int, str] = field(default_factory=dict[int, str])
    """Earlier versions of the rules, each with the package that still plays it and has a `BOX` of its own."""

    def under(self, version: int | None) -> Box:
        """The box as it was under a version of the rules; this one where the version is no earlier one."""
        if version is None or version not in self.earlier:
            return self
        return importlib.import_module(self.earlier[version]).BOX

    @property
    def folder(self) -> Path:
        """Where the game's rulebook and words lie."""
        return Path(str(importlib.import_module(self.package).__file__)).parent

    @property
    def usual(self) -> int:
        """How many players sit down when nobody says: three, or as near as the game allows."""
        return min(max(3, self.fewest), self.most)


class Chance(Protocol):
    """Where chance comes from: a `random.Random`, or anything with these of its methods."""

    def random(self) -> float:
        """A number from 0 to below 1."""
        ...

    def getrandbits(self, k: int, /) -> int:
        """A whole number of so many bits."""
        ...


@runtime_checkable
class Repeatable(Chance, Protocol):
    """Chance that brings the same again when it is asked again for the move of the same number."""

    def at(self, number: int) -> Chance:
        """Chance as it is for the move of a number, counted from 0."""
        ...


class Game:
    """A game with its number of players and options chosen."""

    def __init__(
        self,
        box: Box,
        players: int,
        options: Mapping[str, str],
        *,
        board: boards.Source | None = None,
        version: int | None = None,
        interpreted: bool = False,
    ) -> None:
        """Check the choices and open the box; `load_game` is the usual way here.

        Under an earlier version of the rules `game.box` is the box as it was then.
        """
        present, box = box, box.under(version)
        self.layout: Final = desk.layout(box.package, interpreted or rule.everything_interpreted())
        self.rules: Final = self.layout.rules
        if version not in (None, self.rules.VERSION):
            raise _unknown_version(present, version, self.rules.VERSION)
        if not box.fewest <= players <= box.most:
            raise DracothequeError(f"{box.title} is for {box.fewest} to {box.most} players, not {players}.")
        self.box: Final = box
        self.players: Final = players
        self._earlier: Final = box is not present
        self.options: Final = _checked(box, players, options)
        self.board: Final = boards.open_board(box, board)

    @property
    def name(self) -> str:
        """The game's short name, such as `emerald`."""
        return self.box.name

    @property
    def rules_version(self) -> int:
        """The version of the rules; a stored game is finished under the version it began with."""
        return self.rules.VERSION

    def num_players(self) -> int:
        """How many players sit at the table."""
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

    def nature(self, chance: Chance) -> Callable[[State], int]:
        """Say how chance decides at a table: drawn by weight, or by what really happens where a game has such parts."""
        if not self.box.nature:
            return lambda state: state.sample_chance(chance)
        return importlib.import_module(f"{self.box.package}.nature").Nature(chance).outcome

    def rulebook(self, language: str = "en") -> rulebook.Rulebook:
        """The rules in words."""
        return rulebook.read(self.box.folder / "rulebook", language)

    def words(self, language: str = "en") -> Words:
        """The names of places, pieces, choices and events."""
        return words(self.box.folder / "words", language)

    @cached_property
    def scene(self) -> ModuleType:
        """The module that turns states and moves of this game into phrases."""
        return importlib.import_module(f"{self.box.package}.scene")

    def start(self) -> bytes:
        """The empty record with only the number of players and the options filled in."""
        record = np.zeros(1, self.layout.state)
        record["players"] = self.players
        for name, option in self.box.options.items():
            record[option.field] = option.values.index(self.options[name])
        if self.board:
            self.board.lay_out(record[0])
        return record.tobytes()

    @cached_property
    def beginning(self) -> tuple[bytes, int]:
        """Every game's first record, laid out, and whose choice it is."""
        table = self.layout.new_desk()
        table.set_state(self.start())
        player = self.layout.doors.begin(table.handle)
        return table.state(), player

    def new_initial_state(self) -> State:
        """Lay out a new game; most games begin with chance moves."""
        return State(self)

    def deserialize_state(self, text: str) -> State:
        """Read a state written by `State.serialize`, by playing its moves again."""
        state = State(self)
        for number, move in enumerate(text.split(), 1):
            try:
                player, action = (int(part) for part in move.split(":"))
            except ValueError:
                raise DracothequeError(f"Move {number}, {move!r}, is not written as player:action.") from None
            try:
                state.apply_action(action, player)
            except DracothequeError as error:
                raise IllegalAction(f"Move {number}, {move!r}: {error}", getattr(error, "rule", None)) from error
        return state

    def __repr__(self) -> str:
        """Show how to load this game again."""
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        board = f", board={self.board.source!r}" if self.board and self.board.source else ""
        version = f", version={self.rules_version}" if self._earlier else ""
        return f"load_game({self.name!r}, players={self.players}{options}{board}{version})"


def _unknown_version(box: Box, version: int | None, newest: int) -> DracothequeError:
    """Explain that rules of a version are not in the box."""
    known = boards.listed(sorted({*box.earlier, newest}))
    plural = "s" if box.earlier else ""
    return DracothequeError(
        f"There is no rules version {version} of {box.title}: this library has version{plural} {known}."
    )


def _checked(box: Box, players: int, chosen: Mapping[str, str]) -> dict[str, str]:
    """Fill in the defaults and refuse what the box does not offer."""
    options = {name: option.values[0] for name, option in box.options.items()}
    for name, value in chosen.items():
        if name not in options:
            raise unknown(f"option of {box.title}", name, options)
        allowed = [v for v in box.options[name].values if not v.isdecimal() or int(v) <= players]
        if str(value) not in allowed:
            raise unknown(f"choice for {name}", str(value), allowed)
        options[name] = str(value)
    return options


class State:
    """One position of a game, and how it came about.

    >>> state = load_game("emerald", players=3).new_initial_state()
    >>> while not state.is_terminal():
    ...     if state.is_chance_node():
    ...         state.apply_action(state.sample_chance(random))
    ...     else:
    ...         state.apply_action(random.choice(state.legal_actions()))
    """

    __slots__ = (
        "_actions", "_chance", "_desk", "_drawn", "_handle", "_history", "_legal", "_out", "_outcomes", "_player",
        "_step", "_whole", "game",
    )  # fmt: skip

    def __init__(self, game: Game, copied: State | None = None) -> None:
        """Lay out a new game, or copy a state; `Game.new_initial_state` and `clone` are the usual ways here."""
        self.game = game
        self._desk = table = game.layout.new_desk()
        self._handle = table.handle
        self._out = table.out
        self._actions, self._outcomes = game.rules.ACTIONS, game.rules.OUTCOMES
        doors = game.layout.doors
        self._step, self._legal, self._chance, self._drawn = doors.step, doors.legal, doors.chance, doors.drawn
        if copied is None:
            record, self._player = game.beginning
            table.set_state(record)
            self._whole = True
            self._history: list[tuple[int, int]] = []
        else:
            table.set_state(copied._desk.state())
            self._player = copied._player
            self._history, self._whole = copied._history.copy(), copied._whole

    # --- Whose choice, and which -----------------------------------------------------------------------------
    def current_player(self) -> int:
        """The seat to choose, or CHANCE (-1), SIMULTANEOUS (-2), TERMINAL (-4)."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == TERMINAL

    def is_chance_node(self) -> bool:
        """Whether chance decides next."""
        return self._player == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Whether several seats choose, each sealed until all have."""
        return self._player == SIMULTANEOUS

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What a seat (the one to choose, if none is named) or chance may do now, in rising order."""
        if player is None:
            player = self._player
        else:
            player = self._checked_viewer(player)
        if player >= 0:
            return self._out[: self._legal(self._handle, player)].tolist()
        if player == SIMULTANEOUS:
            raise DracothequeError("Several seats choose at once: name the seat, legal_actions(player).")
        return [outcome for outcome, _ in self.chance_outcomes()] if self._player == CHANCE else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring next, each with its probability."""
        if self._player != CHANCE:
            raise DracothequeError("Chance has nothing to decide here.")
        count = self._chance(self._handle)
        weights = self._desk.weights[:count].tolist()
        total = sum(weights)
        return list(zip(self._out[:count].tolist(), [weight / total for weight in weights], strict=True))

    def sample_chance(self, random: Any) -> int:
        """Draw what chance brings next with a `random.Random` (or anything with its `random()`)."""
        if self._player != CHANCE:
            raise DracothequeError("Chance has nothing to decide here.")
        return self._drawn(self._handle, min(max(int(random.random() * 4294967296), 0), 4294967295))

    # --- Playing ---------------------------------------------------------------------------------------------
    def apply_action(self, action: int, player: int | None = None) -> None:
        """Carry out an action of the seat to choose, of `player`, or of chance.

        An illegal action raises `IllegalAction`, which names the rule in words; the state stays as it was.
        """
        seat = self._player if player is None else self._checked_mover(player)
        if action.__class__ is not int:
            action = index(action)
        if not 0 <= action < (self._actions if seat >= 0 else self._outcomes) or seat < CHANCE:
            raise self._unknown_action(seat, action)
        answer = self._step(self._handle, seat, action)
        if answer >= REFUSED:
            raise self._refused(seat, action, answer)
        self._player = answer
        self._history.append((seat, action))

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Carry out the sealed choices of all seats at once, one action a seat (any number for a seat not asked)."""
        if self._player != SIMULTANEOUS:
            raise DracothequeError("Only one seat chooses here: use apply_action.")
        if len(actions) != self.game.players:
            raise DracothequeError(f"{self.game.players} actions are needed, one a seat, not {len(actions)}.")
        asked = [seat for seat in range(self.game.players) if self._legal(self._handle, seat)]
        before, moves = self._desk.state(), len(self._history)
        try:
            for seat in asked:
                self.apply_action(actions[seat], seat)
        except Exception:
            self._desk.set_state(before)
            self._player = SIMULTANEOUS
            del self._history[moves:]
            raise

    def check_action(self, action: int, player: int | None = None) -> None:
        """Raise what `apply_action` would raise, and change nothing."""
        self.clone().apply_action(action, player)

    def refusal(self, action: int, player: int | None = None) -> str | None:
        """Name the rule that forbids an action, or None where it is legal."""
        try:
            self.check_action(action, player)
        except IllegalAction as error:
            if error.rule is None:
                raise  # not even an action: no rule forbids it
            return error.rule
        return None

    def undo_action(self) -> tuple[int, int]:
        """Take the last move back, chance moves included, and say which it was as (player, action)."""
        self._require_whole()
        if not self._history:
            raise DracothequeError("Nothing has been played yet.")
        *before, last = self._history
        again = State(self.game)
        for player, action in before:
            again.apply_action(action, player)
        self._desk.set_state(again._desk.state())
        self._player, self._history = again._player, again._history
        return last

    # --- The end ---------------------------------------------------------------------------------------------
    def scores(self) -> list[int]:
        """Each seat's points, as if the game ended now."""
        self.game.layout.doors.points(self._handle)
        return self._out[: self.game.players].tolist()

    def winners(self) -> list[int]:
        """The seats that win, or share the victory; nobody before the end."""
        if not self.is_terminal():
            return []
        self.game.layout.doors.points(self._handle)
        flags = self._desk.weights[: self.game.players].tolist()
        return [seat for seat, flag in enumerate(flags) if flag]

    def returns(self) -> list[float]:
        """1 for a win, the rest shared so that all add up to 0 (two players: 1, 0, -1); all 0 before the end."""
        winners, players = self.winners(), self.game.players
        if not winners:
            return [0.0] * players
        lost = -1 / (players - 1)
        won = (1 - lost) / len(winners) + lost
        return [won if seat in winners else lost for seat in range(players)]

    def ending(self) -> str | None:
        """The rule by which the game ended, or None while it goes on."""
        if not self.is_terminal():
            return None
        return self.game.rules.ENDINGS[self.game.layout.doors.points(self._handle)]

    # --- What can be seen ------------------------------------------------------------------------------------
    def observation(self, player: int) -> Plain:
        """The table as a seat (or -1, a spectator) may know it, every field readable, no secret left in."""
        copy = self.clone()
        self.game.layout.doors.seen(copy._handle, self._checked_viewer(player))
        return copy.table()

    def observation_tensor(self, player: int | None = None) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What a seat may know as numbers between 0 and 1, that seat first."""
        viewer = self._checked_viewer(max(self._player, 0) if player is None else player)
        copy = self.clone()
        self.game.layout.doors.seen(copy._handle, viewer)
        return copy._desk.tensor(self.game.layout.doors.numbers, viewer, self.game.rules.TENSOR_SIZE)

    def observation_string(self, player: int | None = None) -> str:
        """What a seat may know, one field a line."""
        viewer = max(self._player, 0) if player is None else player
        table = self.observation(viewer)
        return "\n".join(f"{name}: {getattr(table, name)}" for name in self.game.layout.state.names or ())

    def imagine(self, player: int, random: Any) -> State:
        """A state this seat could be in: everything it may know, the rest filled in at random.

        It has no history: what really happened would tell the secrets.
        """
        viewer = self._checked_viewer(player)
        copy = self.clone()
        doors = self.game.layout.doors
        doors.seen(copy._handle, viewer)
        copy._desk.seed(random.randrange(1 << 64))
        copy._player = doors.imagined(copy._handle, viewer)
        copy._history, copy._whole = [], False
        return copy

    def table(self) -> Plain:
        """Everything on the table, secrets included, every field readable: for tests and for the table's own use."""
        return Plain(self.game.layout.state, self.game.rules, self._desk.state(), self.game.board)

    def record(self) -> bytes:
        """The state's bytes: equal for equal states."""
        return self._desk.state()

    # --- In words --------------------------------------------------------------------------------------------
    def action_to_string(self, action: int, player: int | None = None, language: str = "en") -> str:
        """Name an action (or chance outcome) in words."""
        seat = self._player if player is None else player
        scene, say = self.game.scene, self.game.words(language).say
        return say(scene.outcome(self.game, action) if seat == CHANCE else scene.action(self.game, seat, action))

    def why_not(self, action: int, player: int | None = None, language: str = "en") -> str | None:
        """The rule that forbids an action, in words; None where it is legal."""
        rule = self.refusal(action, player)
        return None if rule is None else self.game.rulebook(language)[rule].sentence

    # --- Copies, history, storage ----------------------------------------------------------------------------
    def clone(self) -> State:
        """An independent copy."""
        return State(self.game, self)

    def child(self, action: int, player: int | None = None) -> State:
        """The state after an action; this one stays as it is."""
        copy = self.clone()
        copy.apply_action(action, player)
        return copy

    def history(self) -> list[int]:
        """Every action so far, chance included."""
        return [action for _, action in self._history]

    def full_history(self) -> list[tuple[int, int]]:
        """Every move so far as (player, action), chance as player -1."""
        self._require_whole()
        return self._history.copy()

    def move_number(self) -> int:
        """How many moves were made, chance included."""
        return len(self._history)

    def serialize(self) -> str:
        """Write the state as text, for `Game.deserialize_state`."""
        self._require_whole()
        return " ".join(f"{player}:{action}" for player, action in self._history)

    def play_randomly(self, random: Any) -> int:
        """Play to the end at random, inside the compiled rules; say how many choices the players made.

        The moves are not kept: the history ends here.
        """
        bench = self.game.layout.new_bench(self.record())
        self.game.layout.doors.batch(bench.handle, random.randrange(1 << 62), 0, 1)
        self._desk.set_state(bench.last())
        self._player, self._whole = TERMINAL, False
        return int(bench.sums[sums.DECISIONS])

    def __eq__(self, other: object) -> bool:
        """Two states are equal when everything on the table is."""
        if not isinstance(other, State) or self.game.rules_version != other.game.rules_version:
            return False
        return self.game.name == other.game.name and self.record() == other.record()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show the game and how far it is."""
        return (
            f"<{self.game.box.title}, {self.game.players} players, move {len(self._history)}, to move {self._player}>"
        )

    def _require_whole(self) -> None:
        """Refuse to tell a history that does not lead here."""
        if not self._whole:
            raise DracothequeError("This state was imagined or played on at random: its moves are not known.")

    # --- Bad input -------------------------------------------------------------------------------------------
    def _check_seat(self, player: int) -> None:
        """Refuse a seat that is not at the table."""
        if not 0 <= player < self.game.players:
            raise DracothequeError(f"There is no seat {player}: seats are 0 to {self.game.players - 1}.")

    def _checked_viewer(self, player: int) -> int:
        """Accept a seat, or -1 for a spectator."""
        player = int(index(player))
        if player != -1:
            self._check_seat(player)
        return player

    def _checked_mover(self, player: int) -> int:
        """Accept a seat, or chance where chance decides."""
        player = int(index(player))
        if player == CHANCE and self._player == CHANCE:
            return player
        if player == CHANCE:
            raise IllegalAction("Chance has nothing to decide here.")
        self._check_seat(player)
        return player

    def _unknown_action(self, seat: int, action: int) -> IllegalAction:
        """Explain that a number names no action."""
        if self._player == TERMINAL:
            return self._refused(0, 0, self._step(self._handle, 0, 0))
        if seat == SIMULTANEOUS:
            return IllegalAction("Several seats choose at once: name the seat, apply_action(action, player).")
        if seat == CHANCE:
            return IllegalAction(f"{action} is no chance outcome: they are 0 to {self._outcomes - 1}.")
        return IllegalAction(f"{action} is no action of {self.game.box.title}: they are 0 to {self._actions - 1}.")

    def _refused(self, seat: int, action: int, answer: int) -> IllegalAction:
        """Explain a refusal in the rulebook's words."""
        if answer == IMPOSSIBLE:
            return IllegalAction(f"Chance cannot bring “{self.action_to_string(action, CHANCE)}” here.")
        rule = self.game.rules.REFUSALS[answer - REFUSED]
        sentence = self.game.rulebook()[rule].sentence
        return IllegalAction(f"“{self.action_to_string(action, seat)}” is not allowed here. {sentence} [{rule}]", rule)

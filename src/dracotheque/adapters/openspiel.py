"""The games for OpenSpiel: importing this module registers each as `dracotheque_NAME` with pyspiel."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dracotheque.adapters import missing, wide_name
from dracotheque.engine import registry
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.dispatch import TERMINAL
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.registry import load_game
from dracotheque.engine.state import State
from dracotheque.engine.takeback import hidden, is_secret_choice

try:
    import pyspiel
except ImportError as error:
    raise missing("OpenSpiel", "openspiel") from error

# What others see of a move: everything, or that it was made; where they see of which kind it is, kinds are numbered.
OPEN = 0
KINDS = 2  # with numbers of their own; all further ones have the last

MAX_TRIES = 1_000  # to resample a state
MAX_REMEMBERED = 1_024  # positions whose hidden moves are remembered

Move = tuple[int, int]


class TruncationError(DracothequeError):
    """The returns of a truncated game were asked for, and its parameters do not say that these count."""


# --- Parameters ---------------------------------------------------------------------------------------------------
def parameters(definition: GameDefinition) -> dict[str, Any]:
    """Return the parameters of a game with their defaults."""
    options = {name: option.values[0] for name, option in definition.options.items()}
    board = {"board": ""} if definition.has_board_files else {}
    return {
        "players": definition.default_players,
        "horizon": definition.max_moves,
        "allow_truncation": False,
        **board,
        **options,
    }


def as_option(value: str) -> str:
    """Return the value of an option for a parameter; seats are numbers there."""
    return value.removeprefix("seat") if _is_of_seats(value.removeprefix("seat")) else value


def as_parameter(value: str) -> str:
    """Return the parameter for an option's value, which OpenSpiel does not take for a number."""
    return f"seat{value}" if _is_of_seats(value) else value


def _is_of_seats(value: str) -> bool:
    """Return whether an option's value is a seat, or several joined by a plus."""
    return all(seat.isdecimal() for seat in value.split("+"))


@functools.lru_cache(maxsize=64)
def opened(name: str, players: int, board: str, options: tuple[tuple[str, str], ...]) -> Game:
    """Load a game once for all states with equal parameters."""
    chosen: dict[str, Any] = dict(options)
    return load_game(name, players, board=board or None, **chosen)


# --- What others see of a move ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Secret:
    """What spectators do not know of a move: which of several kinds it was, from 1 on, and where it lies."""

    kind: int
    shown: Mapping[int, int]
    """Bytes of the record that would be others after moves that look alike, each as spectators saw it then."""

    def is_kept(self, hidden_bytes: set[int], seen: bytes) -> bool:
        """Return whether nothing of it has been shown: where it lies, spectators see nothing, or nothing new."""
        return not self.shown or any(at in hidden_bytes or seen[at] == then for at, then in self.shown.items())


@dataclass(frozen=True)
class HiddenMoves:
    """The moves, by number, that spectators do not know in a position."""

    state: State
    secrets: Mapping[int, Secret]

    def after(self, seat: int, action: int) -> HiddenMoves:
        """Return the same after a move."""
        children = {other: self.state.child(other, seat) for other in _possible(self.state, seat)}
        state = children[action]
        sights = {other: child.observation(-1).bytes() for other, child in children.items()}
        hidden_bytes, seen = {at for at, _ in hidden(state)}, sights[action]
        secrets = {number: each for number, each in self.secrets.items() if each.is_kept(hidden_bytes, seen)}
        alike = [children[other].record() for other in children if sights[other] == seen]
        if len(alike) > 1 and (seat < 0 or is_secret_choice(self.state)):  # open choices may come to the same
            kind = min([*dict.fromkeys(sights.values())].index(seen) + 1, KINDS)
            shown = {at: seen[at] for at in range(len(seen)) if len({record[at] for record in alike}) > 1}
            secrets[self.state.move_number()] = Secret(kind, shown)
        return HiddenMoves(state, secrets)


def face_down(state: State, moves: list[Move]) -> Mapping[int, int]:
    """Return the moves, by number, that spectators do not know yet, each with the kind that they see."""
    if not state.game.definition.hidden_information:
        return {}
    return {number: secret.kind for number, secret in _hidden_moves(state.game, tuple(moves)).secrets.items()}


_remembered: OrderedDict[tuple[Game, tuple[Move, ...]], HiddenMoves] = OrderedDict()


def _hidden_moves(game: Game, moves: tuple[Move, ...]) -> HiddenMoves:
    """Return the hidden moves, continued from the longest cached beginning of the game, as solvers go step by step."""
    known, found = len(moves), _remembered.get((game, moves))
    while found is None and known:
        known -= 1
        found = _remembered.get((game, moves[:known]))
    found = found or HiddenMoves(game.new_initial_state(), {})
    for number in range(known, len(moves)):
        found = found.after(*moves[number])
    _remembered[game, moves] = found
    while len(_remembered) > MAX_REMEMBERED:
        _remembered.popitem(last=False)
    return found


def _possible(state: State, seat: int) -> list[int]:
    """Return the possible moves of a seat or of chance."""
    return state.legal_actions(seat) if seat >= 0 else [what for what, share in state.chance_outcomes() if share > 0]


def seen_moves(state: State, viewer: int) -> Iterator[tuple[int, int, int]]:
    """Yield the moves as a seat saw them: player, action (0 if it is not known), and the kind of secrecy."""
    moves = state.full_history()
    hidden = face_down(state, moves)
    for number, (seat, action) in enumerate(moves):
        veil = OPEN if seat == viewer else hidden.get(number, OPEN)
        yield seat, 0 if veil else action, veil


# --- Copying and pickling -----------------------------------------------------------------------------------------
class StateHandle:
    """A state with its own copying and pickling, as OpenSpiel copies and pickles the attributes of its states."""

    def __init__(self, rules: Game, state: State | None = None) -> None:
        """Take the game; a new state is made when it is first read, since copies replace it before that."""
        self.rules = rules
        self._state = state

    @property
    def state(self) -> State:
        """The state itself."""
        if self._state is None:
            self._state = self.rules.new_initial_state()
        return self._state

    def __deepcopy__(self, memo: object) -> StateHandle:
        """Copy the state, share the game."""
        return StateHandle(self.rules, self._state and self._state.clone())

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to restore the state: the game and its moves."""
        rules = self.rules
        return _restored, (*_identity(rules), self.state.serialize())


def _identity(rules: Game) -> tuple[str, int, str, tuple[tuple[str, str], ...]]:
    """Return the arguments of `opened` for a game."""
    board = str(rules.board.source or "") if rules.board else ""
    return rules.name, rules.players, board, tuple(rules.options.items())


def _restored(name: str, players: int, board: str, options: tuple[tuple[str, str], ...], moves: str) -> StateHandle:
    """Return the handle of a pickled state."""
    rules = opened(name, players, board, options)
    return StateHandle(rules, rules.deserialize_state(moves))


# --- OpenSpiel's classes ------------------------------------------------------------------------------------------
class SpielGame(pyspiel.Game):
    """A game with its number of players and options; each registered game has a class of its own."""

    definition: ClassVar[GameDefinition]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Load the game with its parameters."""
        definition = self.definition
        chosen = parameters(definition) | dict(params or {})
        options = {name: as_option(str(chosen[name])) for name in definition.options}
        self.rules = opened(definition.name, int(chosen["players"]), chosen.get("board", ""), tuple(options.items()))
        self.horizon = int(chosen["horizon"])
        if self.horizon < 1:
            raise DracothequeError(f"The horizon is a number of moves, 1 or more, not {self.horizon}.")
        self.allow_truncation = bool(chosen["allow_truncation"])
        given = {
            name: as_parameter(value) if name in definition.options else value for name, value in (params or {}).items()
        }
        super().__init__(game_type(definition, self.rules.players), self._info(), given)

    def _info(self) -> Any:
        """Return the sizes of the game; its returns always add up to 0."""
        return pyspiel.GameInfo(
            num_distinct_actions=self.rules.num_distinct_actions(),
            max_chance_outcomes=self.rules.max_chance_outcomes(),
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.horizon,
        )

    def max_chance_nodes_in_history(self) -> int:
        """Return the horizon: chance moves count towards it like all others."""
        return self.horizon

    def new_initial_state(self, *_: object) -> SpielState:
        """Return the first state of a new game; most games begin with chance moves."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return the observer for a type of observation; None for one that is not supported."""
        if params:
            raise DracothequeError("Observers of these games have no parameters.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            if kind.public_info:
                return PerfectRecallObserver(self) if kind.perfect_recall else Observer(self)
            return None if kind.perfect_recall else PrivateObserver()
        only_public = kind.private_info == pyspiel.PrivateInfoType.NONE and kind.public_info
        return PublicObserver(self) if only_public and not kind.perfect_recall else None


class SpielState(pyspiel.State):
    """A state for OpenSpiel."""

    def __init__(self, game: SpielGame) -> None:
        """Start a game; use `SpielGame.new_initial_state`."""
        super().__init__(game)
        self.handle = StateHandle(game.rules)
        self.horizon = game.horizon
        self.allow_truncation = game.allow_truncation

    @property
    def position(self) -> State:
        """The state of our own library."""
        return self.handle.state

    def current_player(self) -> int:
        """Return the seat to choose, or OpenSpiel's number for chance, simultaneous choices or the end."""
        return TERMINAL if self.is_terminal() else self.position.current_player()

    def is_terminal(self) -> bool:
        """Return whether the game is over or has reached its horizon."""
        return self.position.is_terminal() or self.is_truncated()

    def is_truncated(self) -> bool:
        """Return whether the game has reached its horizon before its end: it has no winner and is not a draw."""
        return self.position.move_number() >= self.horizon and not self.position.is_terminal()

    def returns(self) -> list[float]:
        """Return 1 for a win, the rest shared so that all add up to 0; all 0 before the end.

        Of a truncated game they are all 0 where `allow_truncation` says so, else they raise `TruncationError`: an exact
        algorithm would take what is no result for a draw, and find a value that the game does not have.
        """
        if not self.allow_truncation and self.is_truncated():
            raise TruncationError(
                f"This game was truncated after {self.horizon} moves, its horizon: it has no result. Raise the "
                "horizon, or load the game with allow_truncation=true to count truncated games as draws."
            )
        return self.position.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes of chance with their probabilities."""
        return [(outcome, share) for outcome, share in self.position.chance_outcomes() if share > 0]

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Return a state with the same observation for this seat: what is hidden from it is drawn again.

        `sampler` is a function that gives a number from 0 to 1, or a generator with `random()`.
        """
        draw = getattr(sampler, "random", sampler)
        return _played(self.get_game().new_initial_state(), _resampled(self.position, player, draw))

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions of a seat, in rising order."""
        return self.position.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        """Apply an action or an outcome of chance."""
        self.position.apply_action(action)

    def _apply_actions(self, actions: list[int]) -> None:
        """Apply simultaneous actions, one for every seat; those of seats that have no choice are ignored."""
        self.position.apply_actions(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the name of an action."""
        return self.position.action_to_string(action, player)

    def __str__(self) -> str:
        """Return the whole state, secrets included, one field a line."""
        table, names = self.position.to_plain(), self.handle.rules.runtime.fields
        return "\n".join(f"{name}: {getattr(table, name)}" for name in names)


def _played(state: SpielState, moves: list[Move]) -> SpielState:
    """Apply moves as OpenSpiel does: simultaneous choices in one step."""
    remaining = iter(moves)
    for seat, action in remaining:
        if not state.is_simultaneous_node():
            state.apply_action(action)
            continue
        joint = [0] * state.num_players()
        joint[seat] = action
        for other in range(seat + 1, len(joint)):
            if state.legal_actions(other):
                joint[other] = next(remaining)[1]
        state.apply_actions(joint)
    return state


def _resampled(state: State, viewer: int, draw: Callable[[], float]) -> list[Move]:
    """Return the moves of a game with those redrawn that are hidden from a viewer.

    The new ones look alike when they are made, but may not lead to the same observation: then they are drawn again.
    """
    moves = state.full_history()
    unknown = {number for number in face_down(state, moves) if moves[number][0] != viewer}
    if not unknown:
        return moves
    sights = [_hidden_moves(state.game, tuple(moves[: number + 1])).state.observation(viewer) for number in unknown]
    seen = dict(zip(unknown, [sight.bytes() for sight in sights], strict=True))
    now, legal = state.observation(viewer).bytes(), state.legal_actions(viewer)
    for _ in range(MAX_TRIES):
        again = _replayed(state.game, moves, seen, viewer, draw)
        if again and (again.observation(viewer).bytes(), again.legal_actions(viewer)) == (now, legal):
            return again.full_history()
    raise DracothequeError("This state cannot be resampled: use State.resample_from_infostate of dracotheque.")


def _replayed(
    game: Game, moves: list[Move], seen: Mapping[int, bytes], viewer: int, draw: Callable[[], float]
) -> State | None:
    """Return the state after moves, those in `seen` redrawn so that a viewer sees the same; None if one is illegal."""
    again = game.new_initial_state()
    for number, (seat, action) in enumerate(moves):
        chosen = _alike(again, seat, seen[number], viewer, draw) if number in seen else action
        if chosen is None or chosen not in _possible(again, seat):
            return None
        again.apply_action(chosen, seat)
    return again


def _alike(state: State, seat: int, seen: bytes, viewer: int, draw: Callable[[], float]) -> int | None:
    """Draw one of the moves that a viewer cannot tell apart; outcomes of chance by their probability."""
    possible = _possible(state, seat)
    alike = [other for other in possible if state.child(other, seat).observation(viewer).bytes() == seen]
    if not alike:
        return None
    shares = dict(state.chance_outcomes()) if seat < 0 else dict.fromkeys(alike, 1.0)
    left = draw() * sum(shares[other] for other in alike)
    for other in alike:
        left -= shares[other]
        if left < 0:
            return other
    return alike[-1]


# --- Observers ----------------------------------------------------------------------------------------------------
class Observer:
    """Observes what a seat may know now."""

    def __init__(self, game: SpielGame) -> None:
        """Allocate the tensor."""
        self.tensor = np.zeros(game.rules.observation_tensor_size(), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat may know as numbers between 0 and 1, that seat first."""
        self.tensor[:] = state.position.observation_tensor(max(player, 0))

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a seat may know, one field a line."""
        return state.position.observation_string(player)


class PublicObserver(Observer):
    """Observes what spectators may know."""

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a spectator may know as numbers."""
        self.tensor[:] = state.position.observation_tensor(-1)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a spectator may know, one field a line."""
        return state.position.observation_string(-1)


class PrivateObserver:
    """Observes what a seat knows and spectators do not."""

    tensor = None

    def __init__(self) -> None:
        """Make an observer without a tensor: it has only a string."""
        self.dict: dict[str, Any] = {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write nothing: the tensor of `Observer` has everything."""

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the fields that a spectator sees with another value."""
        own, open_to_all = (state.position.observation_string(viewer).splitlines() for viewer in (player, -1))
        return "\n".join(line for line, known in zip(own, open_to_all, strict=True) if line != known)


class PerfectRecallObserver:
    """Observes what a seat may know now and all moves as it saw them."""

    def __init__(self, game: SpielGame) -> None:
        """Allocate the tensor: the seat, the observation and a row for every move."""
        rules = game.rules
        sizes = {"seat": rules.players, "observation": rules.observation_tensor_size()}
        room = game.horizon + rules.players  # sealed choices are made together, and may go beyond the horizon
        self.tensor = np.zeros(sum(sizes.values()) + 3 * room, np.float32)
        seat, table = sizes["seat"], sizes["seat"] + sizes["observation"]
        self.dict = {
            "seat": self.tensor[:seat],
            "observation": self.tensor[seat:table],
            "moves": self.tensor[table:].reshape(room, 3),
        }
        most = max(rules.num_distinct_actions(), rules.max_chance_outcomes())
        self.scale = np.array([rules.players + 1, most, KINDS], np.float32)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write seat, observation and moves as numbers from 0 to 1; a move is player, action and kind of secrecy."""
        self.tensor.fill(0)
        self.dict["seat"][max(player, 0)] = 1
        self.dict["observation"][:] = state.position.observation_tensor(max(player, 0))
        moves = np.array([*seen_moves(state.position, max(player, 0))], np.float32).reshape(-1, 3)
        moves[:, 0] += 2
        self.dict["moves"][: len(moves)] = moves / self.scale

    def string_from(self, state: SpielState, player: int) -> str:
        """Return every move as player:action, chance as -1, with `?` for each that is hidden.

        If some of chance is hidden, moves do not contain what the seat was dealt: its observation follows.
        """
        known = (f"{seat}:{'?' * veil or action}" for seat, action, veil in seen_moves(state.position, player))
        line, moves = f"seat {player}: {' '.join(known)}", state.position.full_history()
        if not any(moves[number][0] < 0 for number in face_down(state.position, moves)):
            return line
        return f"{line}\n{state.position.observation_string(player)}"


# --- Registration -------------------------------------------------------------------------------------------------
def game_type(definition: GameDefinition, players: int | None = None) -> Any:
    """Return the type of a game for OpenSpiel; for some numbers of players a simultaneous game is sequential."""
    sealed, kinds = definition.hidden_information, pyspiel.GameType
    together = definition.simultaneous and players not in definition.sequential_for
    return kinds(
        short_name=wide_name(definition.name),
        long_name=definition.title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if together else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if sealed else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=definition.max_players,
        min_num_players=definition.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(definition),
    )


# Classes, not functions: pyspiel lets go of what is registered after Python has ended, when only classes survive that.
GAMES = {
    definition.name: type(wide_name(definition.name), (SpielGame,), {"definition": definition})
    for definition in registry.games().values()
}
"""The registered games, by their names in the library."""

for _game in GAMES.values():
    pyspiel.register_game(game_type(_game.definition), _game)

"""The games for OpenSpiel: importing this module registers `dracotheque_emerald` and its fellows with pyspiel."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from dracotheque.adapters import missing, wide_name
from dracotheque.engine.dispatch import TERMINAL
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Box, Game, State
from dracotheque.games import SHELF, load_game
from dracotheque.games.dragons_cave import state as cave

try:
    import pyspiel
except ImportError as error:
    raise missing("OpenSpiel", "openspiel") from error

HORIZON = {"emerald": 500, "dragons-cave": 1_000, "gran": 10_000, "save-the-dragon": 3_000}
"""After how many moves, chance included, a game is broken off as a draw: more than random games are seen to last."""

# What others see of a move: everything, or only that something was sealed, for the first dwarf or for the second.
OPEN, SEALED_FIRST, SEALED_SECOND = range(3)

Move = tuple[int, int]


# --- Parameters ---------------------------------------------------------------------------------------------------
def parameters(box: Box) -> dict[str, Any]:
    """List what can be chosen for a game, each with its default."""
    options = {name: option.values[0] for name, option in box.options.items()}
    board = {"board": ""} if box.board else {}
    return {"players": box.usual, "horizon": HORIZON[box.name], **board, **options}


def as_option(value: str) -> str:
    """Read an option's value: seats are numbers there."""
    return value.removeprefix("seat") if value.removeprefix("seat").isdecimal() else value


def as_parameter(value: str) -> str:
    """Write an option's value so that OpenSpiel does not take it for a number."""
    return f"seat{value}" if value.isdecimal() else value


@functools.lru_cache(maxsize=64)
def opened(name: str, players: int, board: str, options: tuple[tuple[str, str], ...]) -> Game:
    """Open a box once for all games and states that are alike."""
    chosen: dict[str, Any] = dict(options)
    return load_game(name, players, board=board or None, **chosen)


# --- What others see of a move ------------------------------------------------------------------------------------
def face_down(state: State, moves: list[Move]) -> dict[int, int]:
    """Find the moves, by number, that only their own seat knows yet, each with the veil that others see."""
    return _cave_face_down(state, moves) if state.game.box.sealed else {}


def _cave_face_down(state: State, moves: list[Move]) -> dict[int, int]:
    """Cards of this round lie face down until the dragon sits, fists stay shut until the dragon has guessed."""
    table = state.observation(-1)
    if table.phase in (cave.SEAL, cave.PLACE):
        return {number: _veil(action) for number, _, action in _latest(moves, 0, cave.NICHE)}
    if table.phase not in (cave.SPLIT, cave.GUESS):
        return {}
    shut = _latest(moves, cave.LEFT_FIST, cave.ACTIONS)
    return {
        n: SEALED_FIRST for n, seat, action in shut if action >= cave.HOLD and table.left[seat] == cave.SEALED_SPLIT
    }


def _latest(moves: list[Move], first: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Go back through the players' latest moves while they are of one kind, each with its number."""
    for number in range(len(moves) - 1, -1, -1):
        seat, action = moves[number]
        if seat < 0 or not first <= action < end:
            return
        yield number, seat, action


def _veil(action: int) -> int:
    """A card is sealed, but the dwarf it is for is named openly."""
    return SEALED_SECOND if cave.SECOND_DWARF <= action < cave.NICHE else SEALED_FIRST


def seen_moves(state: State, viewer: int) -> Iterator[tuple[int, int, int]]:
    """Tell everything that happened as a seat saw it: who, what (0 where it is not known), and the veil over it."""
    moves = state.full_history()
    hidden = face_down(state, moves)
    for number, (seat, action) in enumerate(moves):
        veil = OPEN if seat == viewer else hidden.get(number, OPEN)
        yield seat, 0 if veil else action, veil


# --- A state's own part -------------------------------------------------------------------------------------------
class Place:
    """Where a game stands; it is copied and stored in its own ways, for OpenSpiel copies and stores attributes."""

    def __init__(self, rules: Game, state: State | None = None) -> None:
        """Keep the game; a new one is laid out only when it is looked at, as copies replace it before that."""
        self.rules = rules
        self._state = state

    @property
    def state(self) -> State:
        """The state itself."""
        if self._state is None:
            self._state = self.rules.new_initial_state()
        return self._state

    def __deepcopy__(self, memo: object) -> Place:
        """Copy the state, share the game."""
        return Place(self.rules, self._state and self._state.clone())

    def __reduce__(self) -> tuple[Any, ...]:
        """Store which game it is and its moves."""
        rules = self.rules
        return _stored_place, (*_identity(rules), self.state.serialize())


def _identity(rules: Game) -> tuple[str, int, str, tuple[tuple[str, str], ...]]:
    """Say which game this is, as `opened` wants to hear it."""
    board = str(rules.board.source or "") if rules.board else ""
    return rules.name, rules.players, board, tuple(rules.options.items())


def _stored_place(name: str, players: int, board: str, options: tuple[tuple[str, str], ...], moves: str) -> Place:
    """Play a stored game again."""
    rules = opened(name, players, board, options)
    return Place(rules, rules.deserialize_state(moves))


# --- OpenSpiel's classes ------------------------------------------------------------------------------------------
class SpielGame(pyspiel.Game):
    """A game of the shelf, with its number of players and options chosen; every box has a class of its own."""

    box: ClassVar[Box]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Open the box as the parameters say."""
        box = self.box
        chosen = parameters(box) | dict(params or {})
        options = {name: as_option(str(chosen[name])) for name in box.options}
        self.rules = opened(box.name, int(chosen["players"]), chosen.get("board", ""), tuple(options.items()))
        self.horizon = int(chosen["horizon"])
        if self.horizon < 1:
            raise DracothequeError(f"The horizon is a number of moves, 1 or more, not {self.horizon}.")
        given = {name: as_parameter(value) if name in box.options else value for name, value in (params or {}).items()}
        super().__init__(game_type(box, self.rules.players), self._info(), given)

    def _info(self) -> Any:
        """Count what OpenSpiel wants counted; returns always add up to 0."""
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
        """Chance moves count towards the horizon like all others."""
        return self.horizon

    def new_initial_state(self, *_: object) -> SpielState:
        """Lay out a new game; most games begin with chance moves."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Make what OpenSpiel looks at states with; None for a kind of look that there is not."""
        if params:
            raise DracothequeError("Observers of these games have no parameters.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            if kind.public_info:
                return Recall(self) if kind.perfect_recall else Look(self)
            return None if kind.perfect_recall else OwnSecrets()
        only_public = kind.private_info == pyspiel.PrivateInfoType.NONE and kind.public_info
        return PublicLook(self) if only_public and not kind.perfect_recall else None


class SpielState(pyspiel.State):
    """A position, in OpenSpiel's words."""

    def __init__(self, game: SpielGame) -> None:
        """Begin a game; `SpielGame.new_initial_state` is the usual way here."""
        super().__init__(game)
        self.place = Place(game.rules)
        self.horizon = game.horizon

    @property
    def position(self) -> State:
        """The same position in our own words."""
        return self.place.state

    def current_player(self) -> int:
        """The seat to choose, or OpenSpiel's numbers for chance, for several at once, for the end."""
        return TERMINAL if self.is_terminal() else self.position.current_player()

    def is_terminal(self) -> bool:
        """Whether the game is over or has reached its horizon."""
        return self.position.is_terminal() or self.position.move_number() >= self.horizon

    def returns(self) -> list[float]:
        """1 for a win, the rest shared so that all add up to 0; all 0 before the end and at the horizon."""
        return self.position.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring next, each with its probability; what it cannot bring is left out."""
        return [(outcome, share) for outcome, share in self.position.chance_outcomes() if share > 0]

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Make a state that this seat cannot tell from the real one: what lies face down is drawn anew.

        `sampler` is a function that gives a number from 0 to 1, or a generator with `random()`.
        """
        draw = getattr(sampler, "random", sampler)
        return _played(self.get_game().new_initial_state(), _imagined(self.position, player, draw))

    def _legal_actions(self, player: int) -> list[int]:
        """What a seat may choose now, in rising order."""
        return self.position.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        """Carry out a choice or what chance brings."""
        self.position.apply_action(action)

    def _apply_actions(self, actions: list[int]) -> None:
        """Carry out sealed choices, a number for every seat, of which only those that are asked count."""
        self.position.apply_actions(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        """Name an action in words."""
        return self.position.action_to_string(action, player)

    def __str__(self) -> str:
        """Show everything on the table, secrets included, one field a line."""
        table, names = self.position.table(), self.place.rules.layout.state.names or ()
        return "\n".join(f"{name}: {getattr(table, name)}" for name in names)


def _played(state: SpielState, moves: list[Move]) -> SpielState:
    """Play moves in OpenSpiel's way, where several seats that choose at once do so in one step."""
    told = iter(moves)
    for seat, action in told:
        if not state.is_simultaneous_node():
            state.apply_action(action)
            continue
        joint = [0] * state.num_players()
        joint[seat] = action
        for other in range(seat + 1, len(joint)):
            if state.legal_actions(other):
                joint[other] = next(told)[1]
        state.apply_actions(joint)
    return state


def _imagined(state: State, viewer: int, draw: Any) -> list[Move]:
    """Tell the game again with other choices for those that lie face down before a viewer."""
    moves = state.full_history()
    hidden = {number for number in face_down(state, moves) if moves[number][0] != viewer}
    again = state.game.new_initial_state()
    for number, (seat, action) in enumerate(moves if hidden else ()):
        again.apply_action(_alike(again, seat, action, draw) if number in hidden else action, seat)
    return again.full_history() if hidden else moves


def _alike(state: State, seat: int, action: int, draw: Any) -> int:
    """Draw one of the choices that look the same from outside."""
    choices = [other for other in state.legal_actions(seat) if _veil(other) == _veil(action)]
    return choices[min(int(draw() * len(choices)), len(choices) - 1)]


# --- Observers ----------------------------------------------------------------------------------------------------
class Look:
    """What a seat may know now."""

    def __init__(self, game: SpielGame) -> None:
        """Make room for the tensor."""
        self.tensor = np.zeros(game.rules.observation_tensor_size(), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat may know as numbers between 0 and 1, that seat first."""
        self.tensor[:] = state.position.observation_tensor(max(player, 0))

    def string_from(self, state: SpielState, player: int) -> str:
        """Write what a seat may know, one field a line."""
        return state.position.observation_string(player)


class PublicLook(Look):
    """What everybody may know now, whoever looks."""

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a spectator may know as numbers."""
        self.tensor[:] = state.position.observation_tensor(-1)

    def string_from(self, state: SpielState, player: int) -> str:
        """Write what a spectator may know, one field a line."""
        return state.position.observation_string(-1)


class OwnSecrets:
    """What a seat knows and the others do not."""

    tensor = None

    def __init__(self) -> None:
        """There are no numbers here, only words."""
        self.dict: dict[str, Any] = {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write nothing: the numbers of `Look` have everything."""

    def string_from(self, state: SpielState, player: int) -> str:
        """Write the fields that a spectator sees otherwise, nothing where there are none."""
        own, open_to_all = (state.position.observation_string(viewer).splitlines() for viewer in (player, -1))
        return "\n".join(line for line, known in zip(own, open_to_all, strict=True) if line != known)


class Recall:
    """What a seat may know now and everything it saw happen."""

    def __init__(self, game: SpielGame) -> None:
        """Make room for the seat, the table and a line for every move."""
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
        self.scale = np.array([rules.players + 1, most, SEALED_SECOND], np.float32)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write seat, table and moves as numbers from 0 to 1; a move is who (chance first), what, and the veil."""
        self.tensor.fill(0)
        self.dict["seat"][max(player, 0)] = 1
        self.dict["observation"][:] = state.position.observation_tensor(max(player, 0))
        moves = np.array([*seen_moves(state.position, max(player, 0))], np.float32).reshape(-1, 3)
        moves[:, 0] += 2
        self.dict["moves"][: len(moves)] = moves / self.scale

    def string_from(self, state: SpielState, player: int) -> str:
        """Write every move as player:action, chance as -1, with `?` for each that lies face down."""
        told = (f"{seat}:{'?' * veil or action}" for seat, action, veil in seen_moves(state.position, player))
        return f"seat {player}: {' '.join(told)}"


# --- Registration -------------------------------------------------------------------------------------------------
def game_type(box: Box, players: int | None = None) -> Any:
    """Describe a game to OpenSpiel; in a game for two no more than one seat chooses at a time."""
    sealed, kinds = box.sealed, pyspiel.GameType
    together = sealed and players != 2
    return kinds(
        short_name=wide_name(box.name),
        long_name=box.title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if together else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if sealed else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=box.most,
        min_num_players=box.fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(box),
    )


# Classes, not functions: pyspiel lets go of what is registered after Python has ended, when only classes survive that.
GAMES = {box.name: type(wide_name(box.name), (SpielGame,), {"box": box}) for box in SHELF.values()}
"""What is registered, by the names of our shelf."""

for _game in GAMES.values():
    pyspiel.register_game(game_type(_game.box), _game)

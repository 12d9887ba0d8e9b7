"""A game in progress at a table: its position, and the positions that its last event went through.

The positions are kept so that whatever is told of the last event needs no replay; a position never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dracotheque.engine.dispatch import SIMULTANEOUS
from dracotheque.engine.game import Game
from dracotheque.engine.log import GameLog
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.state import State
from dracotheque.tables.protocol import BoardState


@dataclass(frozen=True)
class Turn:
    """One choice, and where it stands in the list of moves; the first turn is what chance brought before any."""

    seat: int
    first: int
    chance: bool
    at: float
    by_bot: bool = False


class Position:
    """The state before or after a move, and what each viewpoint knows and sees of it, unpacked and made once."""

    __slots__ = ("_known", "_plain", "boards", "state")

    def __init__(self, state: State) -> None:
        """Keep a state that does not change any more."""
        self.state = state
        self.boards: dict[int, BoardState] = {}
        """The boards of the viewpoints that have been shown (`board.board_at`)."""
        self._plain: PlainState | None = None
        self._known: dict[int, PlainState] = {}

    @property
    def plain(self) -> PlainState:
        """Everything in the state, secrets included, every field readable."""
        if self._plain is None:
            self._plain = self.state.to_plain()
        return self._plain

    def known(self, viewpoint: int) -> PlainState:
        """The state as a viewpoint knows it; where a game has no secrets, that is the whole state."""
        if not self.state.game.definition.hidden_information:
            return self.plain
        if viewpoint not in self._known:
            self._known[viewpoint] = self.state.observation(viewpoint)
        return self._known[viewpoint]


@dataclass(frozen=True)
class GameInProgress:
    """A game under way at a table."""

    positions: tuple[Position, ...]
    """Those before, between and after the moves of the last event: what it changed is known without a replay."""
    turns: tuple[Turn, ...] = ()
    asked: tuple[int, ...] = ()
    asked_at: Mapping[int, int] = field(default_factory=dict[int, int])
    """For every seat that has to choose: how many moves had been made when it was asked."""

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.positions[-1]

    @property
    def state(self) -> State:
        """Where the game stands, with all its moves."""
        return self.positions[-1].state

    def before(self, moves: int) -> State:
        """The game as it was after so many moves; those of the last event are not played again."""
        past = moves - self.positions[0].state.move_number()
        if 0 <= past < len(self.positions):
            return self.positions[past].state.clone()
        return GameLog(self.state.game, [], self.state.full_history()[:moves]).play()

    def path(self, moves: Iterable[tuple[int, int]]) -> tuple[Position, ...]:
        """The position and those to which moves lead from it, one after the other."""
        positions = [self.position]
        for player, action in moves:
            positions.append(Position(positions[-1].state.child(action, player)))
        return tuple(positions)

    def after(self, turn: Turn, path: tuple[Position, ...]) -> GameInProgress:
        """The game once a choice (none at the beginning) and what chance brought after it have led along a path."""
        state = path[-1].state
        seats, number = choosers(state), state.move_number()
        # A sealed choice of another does not change my prompt.
        sealing = self.state.is_simultaneous_node() and state.is_simultaneous_node()
        still: Mapping[int, int] = self.asked_at if sealing else {}
        asked_at = {seat: number if seat == turn.seat else still.get(seat, number) for seat in seats}
        return GameInProgress(path, (*self.turns, turn), seats, asked_at)


def new_game(game: Game) -> GameInProgress:
    """Return a game before its first move."""
    return GameInProgress((Position(game.new_initial_state()),))


def choosers(state: State) -> tuple[int, ...]:
    """List the seats that have to choose now."""
    player = state.current_player()
    if player == SIMULTANEOUS:
        return tuple(seat for seat in range(state.game.players) if state.legal_actions(seat))
    return (player,) if player >= 0 else ()

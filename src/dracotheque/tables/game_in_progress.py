"""A game in progress at a table: its position, and the positions that its last event went through.

The positions are kept so that the messages about the last event need no replay; a position never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dracotheque.engine.dispatch import SIMULTANEOUS
from dracotheque.engine.game import Game
from dracotheque.engine.log import GameLog
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.state import State
from dracotheque.tables.protocol import BoardState, MoveRecord


@dataclass(frozen=True)
class Turn:
    """A choice and its index in the list of moves; the first turn is the chance moves before any choice."""

    seat: int
    first: int
    chance: bool
    at: float
    by_bot: bool = False


class Position:
    """The state before or after a move, with the observation and board of each viewpoint, made once."""

    __slots__ = ("_known", "_plain", "boards", "state")

    def __init__(self, state: State) -> None:
        """Take a state that is not changed any more."""
        self.state = state
        self.boards: dict[int, BoardState] = {}
        """The boards made so far, by viewpoint (`board.board_at`)."""
        self._plain: PlainState | None = None
        self._known: dict[int, PlainState] = {}

    @property
    def plain(self) -> PlainState:
        """The whole state, secrets included, unpacked."""
        if self._plain is None:
            self._plain = self.state.to_plain()
        return self._plain

    def known(self, viewpoint: int) -> PlainState:
        """Return the observation of a viewpoint; in a game without secrets the whole state."""
        if not self.state.game.definition.hidden_information:
            return self.plain
        if viewpoint not in self._known:
            self._known[viewpoint] = self.state.observation(viewpoint)
        return self._known[viewpoint]


@dataclass(frozen=True)
class GameInProgress:
    """A game under way at a table."""

    positions: tuple[Position, ...]
    """Those before, between and after the moves of the last event."""
    turns: tuple[Turn, ...] = ()
    asked: tuple[int, ...] = ()
    asked_at: Mapping[int, int] = field(default_factory=dict[int, int])
    """For every seat that has to choose: the move number when it was asked."""
    recent: dict[tuple[int, str], list[MoveRecord]] = field(default_factory=dict[tuple[int, str], list[MoveRecord]])
    """The moves from a number on, once they have been made for a viewer (`snapshot.recent_moves`)."""

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def state(self) -> State:
        """The current state."""
        return self.positions[-1].state

    def before(self, moves: int) -> State:
        """Return the state after some moves; for those of the last event nothing is played again."""
        past = moves - self.positions[0].state.move_number()
        if 0 <= past < len(self.positions):
            return self.positions[past].state.clone()
        return GameLog(self.state.game, [], self.state.full_history()[:moves]).play()

    def path(self, moves: Iterable[tuple[int, int]]) -> tuple[Position, ...]:
        """Return the current position and the one after each of some moves."""
        positions = [self.position]
        for player, action in moves:
            positions.append(Position(positions[-1].state.child(action, player)))
        return tuple(positions)

    def after(self, turn: Turn, path: tuple[Position, ...]) -> GameInProgress:
        """Return the game after a turn whose moves led along a path of positions."""
        state = path[-1].state
        seats, number = choosers(state), state.move_number()
        # A simultaneous choice of another seat does not change the prompt of this one.
        simultaneous = self.state.is_simultaneous_node() and state.is_simultaneous_node()
        unchanged: Mapping[int, int] = self.asked_at if simultaneous else {}
        asked_at = {seat: number if seat == turn.seat else unchanged.get(seat, number) for seat in seats}
        return GameInProgress(path, (*self.turns, turn), seats, asked_at)


def new_game(game: Game) -> GameInProgress:
    """Return a game before its first move."""
    return GameInProgress((Position(game.new_initial_state()),))


def choosers(state: State) -> tuple[int, ...]:
    """Return the seats that have to choose now."""
    player = state.current_player()
    if player == SIMULTANEOUS:
        return tuple(seat for seat in range(state.game.players) if state.legal_actions(seat))
    return (player,) if player >= 0 else ()

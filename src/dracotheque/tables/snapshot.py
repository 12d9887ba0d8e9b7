"""What viewers are sent of a table: snapshots, updates and lists of moves, each for one viewpoint.

This is the one way from a table to the outside. Boards, prompts and choices are made from the viewpoint's observation
alone; events are the same for all viewers. Values that were hidden after a move are in its events when it happens, and
left out of the log until the end.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import structs

from dracotheque.engine import registry
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent, Phrase
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.state import State
from dracotheque.presentation.generic_board import board_view_of
from dracotheque.presentation.log_lines import LogLine, log_lines_of
from dracotheque.presentation.narration import third_person
from dracotheque.tables import board
from dracotheque.tables.answers import MoveList
from dracotheque.tables.errors import CommandError
from dracotheque.tables.game_in_progress import GameInProgress, Position, choosers
from dracotheque.tables.protocol import (
    PROTOCOL,
    BoardState,
    Choice,
    MoveRecord,
    Prompt,
    SeatView,
    TableInfo,
    TableSnapshot,
    TableUpdate,
)
from dracotheque.tables.table import Table

Moves = list[tuple[int, int]]
SPECTATOR = -1


# --- Prompts ----------------------------------------------------------------------------------------------------------
def table_prompt(table: Table, viewpoint: int, *, update: bool = False) -> Prompt | None:
    """Return what has to be decided at a table now, with the choices of the viewpoint's own seat.

    In an update, a seat that was asked before the last event has its choices already: they are left out.
    """
    if table.play is None or table.status != "playing":
        return None
    play = table.play
    known, prompt_id = play.position.known(viewpoint), play.asked_at.get(viewpoint, 0)
    return _prompt(play.state, play.asked, viewpoint, known, prompt_id, choices=not update or prompt_id == table.moves)


def prompt(state: State, viewpoint: int, known: PlainState) -> Prompt | None:
    """Return what has to be decided in a position, put to a viewpoint."""
    return _prompt(state, choosers(state), viewpoint, known)


def _prompt(
    state: State, seats: Sequence[int], viewpoint: int, known: PlainState, prompt_id: int = 0, *, choices: bool = True
) -> Prompt | None:
    """Return what these seats have to decide, put to a viewpoint."""
    if not seats:
        return None
    text, is_asked = state.game.text, viewpoint in seats
    event = text.prompt(known)
    return Prompt(
        event.rule,
        event.phrase if is_asked else third_person(state.game, event.phrase, seats),
        list(seats),
        prompt_id if is_asked else 0,
        choices_of(state, viewpoint, known) if is_asked and choices else [],
        state.game.rules.is_secret_choice(known),
    )


def choices_of(state: State, seat: int, known: PlainState) -> list[Choice]:
    """List what a seat may choose: its name, what it leads to as far as the seat can know, and its places."""
    game, text, view = state.game, state.game.text, board_view_of(state.game)
    actions = state.legal_actions(seat)
    onward = view.onward(known, seat, actions)
    return [
        Choice(
            action,
            action_name(game, seat, action),
            text.preview(known, seat, action),
            view.places(known, seat, action),
            onward.get(action, {}),
        )
        for action in actions
    ]


@functools.lru_cache(maxsize=16_384)
def action_name(game: Game, seat: int, action: int) -> Phrase:
    """Name an action independently of the position."""
    return game.text.action(game, seat, action)


# --- Move records -----------------------------------------------------------------------------------------------------
Redact = Callable[[GameEvent], GameEvent]


def redaction(table: Table) -> Redact | None:
    """Return the function that removes hidden values from logged events; None where the log keeps everything."""
    redact: Redact | None = getattr(table.game.text, "redact", None)
    return None if table.status == "over" or plays_open(table.game) else redact


def plays_open(game: Game) -> bool:
    """Whether the options of a table leave no value hidden."""
    is_open: Callable[[object], bool] | None = getattr(game.text, "plays_open", None)
    return is_open is None or is_open(game.options)


def move_records(state: State, moves: Moves, redact: Redact | None = None) -> list[MoveRecord]:
    """Return the records of moves played from a state, and what a log keeps of them."""
    return [move_record(move, before, after, redact) for move, before, after in _steps(state, moves)]


def move_record(move: tuple[int, int], before: Position, after: Position, redact: Redact | None = None) -> MoveRecord:
    """Return what happened in a move, and what its log keeps of that, without what it changed on the board."""
    player, action = move
    events = before.state.game.text.events(before.plain, player, action, after.plain)
    lines = lines_of(before, events, after)
    record = MoveRecord(events, player, lines=lines)
    if redact is not None:
        kept = [redact(event) for event in events]
        if kept != events:
            record.log = [None if old == new else old for old, new in zip(kept, events, strict=True)]
            kept_lines = lines_of(before, kept, after)
            record.log_lines = None if kept_lines == lines else kept_lines
    return record


def lines_of(before: Position, events: list[GameEvent], after: Position) -> list[LogLine]:
    """Return what a move adds to the log in short, made from its events and from what a spectator knows."""
    return log_lines_of(before.state.game).lines(before.known(SPECTATOR), events, after.known(SPECTATOR))


def _steps(state: State, moves: Moves) -> Iterator[tuple[tuple[int, int], Position, Position]]:
    """Yield each of some moves played from a state, with the positions before and after it."""
    before = Position(state)
    for player, action in moves:
        after = Position(before.state.child(action, player))
        yield (player, action), before, after
        before = after


def last_moves(table: Table) -> list[MoveRecord]:
    """Return the moves of the last event, without what they changed on the board."""
    assert table.play is not None
    positions = table.play.positions
    first = positions[0].state.move_number()
    history, redact = positions[-1].state.full_history(), redaction(table)
    records = [
        move_record(move, before, after, redact)
        for move, before, after in zip(history[first:], positions[:-1], positions[1:], strict=True)
    ]
    return _with_recordings(table, records, first)


def recent_moves(table: Table, viewpoint: int) -> list[MoveRecord]:
    """Return what happened since the viewpoint's seat chose last, or for a spectator with the last choice.

    A player who comes back to a slow game sees these moves animated; for earlier ones see `move_list`.
    """
    play = table.play
    if play is None:
        return []
    first = first_recent_move(play, viewpoint)
    key = first, table.status  # the end of a game reveals what its log left out
    if key not in play.recent:  # viewers who come one after the other are shown the same
        play.recent[key] = _moves_since(table, play, first)
    return play.recent[key]


def _moves_since(table: Table, play: GameInProgress, first: int) -> list[MoveRecord]:
    """Return the moves from one on, without what they changed on the board."""
    if first == play.positions[0].state.move_number():
        return last_moves(table)
    records = move_records(play.before(first), play.state.full_history()[first:], redaction(table))
    return _with_recordings(table, records, first)


def first_recent_move(play: GameInProgress, viewpoint: int) -> int:
    """Return the first of the recent moves of a running game: a seat's last choice, for a spectator that of any."""
    mine = [turn.first for turn in play.turns if turn.seat == viewpoint and viewpoint != SPECTATOR]
    return mine[-1] if mine else play.turns[-1].first


def _with_recordings(table: Table, records: list[MoveRecord], first: int) -> list[MoveRecord]:
    """Name the recording of what physically happened in the first of its moves."""
    if not table.game.definition.has_physical_chance or table.play is None:
        return records
    history = table.play.state.full_history()

    def is_physical(number: int) -> bool:
        player, action = history[number]
        return player == CHANCE and registry.is_physical(table.game.definition, action)

    for number, record in enumerate(records, first):
        if is_physical(number) and not (number and is_physical(number - 1)):
            record.recording = f"/api/tables/{table.id}/recording?move={number}"
    return records


# --- Messages ---------------------------------------------------------------------------------------------------------
def table_board(table: Table, viewpoint: int) -> BoardState | None:
    """Return what a viewpoint sees on the board now; after a game was given up, hidden values too."""
    if table.play is None:
        return None
    if table.status == "over" and table.resigned is not None:
        return board.revealed_board(table.game, table.play.state.observation(viewpoint), viewpoint)
    return board.board_at(table.play.position, viewpoint)


def snapshot(
    table: Table,
    viewpoint: int,
    seats: list[SeatView],
    *,
    host: bool,
    muted: frozenset[int] = frozenset(),
) -> TableSnapshot:
    """Return the whole table as a viewer may see it."""
    opened = table.opened
    info = TableInfo(
        id=table.id,
        game=opened.game,
        rules=opened.rules,
        players=opened.players,
        options=opened.options,
        board=opened.board_name,
        status=table.status,
        commitment=opened.commitment,
        client_seed=table.client_seed,
        listed=opened.listed,
        turn_timeout=opened.turn_timeout,
        host=host,
        practice=table.practice,
        rematch=table.rematch,
    )
    return TableSnapshot(
        protocol=PROTOCOL,
        revision=table.revision,
        move_number=table.moves,
        table=info,
        seats=seats,
        viewpoint=viewpoint,
        board=table_board(table, viewpoint),
        prompt=table_prompt(table, viewpoint),
        recent=recent_moves(table, viewpoint),
        chat=[line for line in table.chat if line.seat not in muted],
        result=table.result(),
    )


def updates(table: Table, viewpoints: Iterable[int]) -> dict[int, TableUpdate]:
    """Return for each viewpoint what the last event changed: its moves, and what each changed on the board."""
    assert table.play is not None
    records, patches = last_moves(table), PiecePatches()
    return {
        viewpoint: update(
            table, viewpoint, list(map(patches.complete, records, *_before_and_after(table.play, viewpoint)))
        )
        for viewpoint in viewpoints
    }


def _before_and_after(play: GameInProgress, viewpoint: int) -> tuple[list[BoardState], list[BoardState]]:
    """Return what a viewpoint saw on the board before each move of the last event, and after each."""
    boards = [board.board_at(position, viewpoint) for position in play.positions]
    return boards[:-1], boards[1:]


def update(table: Table, viewpoint: int, moves: list[MoveRecord]) -> TableUpdate:
    """Return what the last event changed for a viewpoint."""
    return TableUpdate(
        revision=table.revision,
        move_number=table.moves,
        moves=moves,
        prompt=table_prompt(table, viewpoint, update=True),
        result=table.result(),
        status=table.status,
    )


class PiecePatches:
    """Completes records of moves by what they changed; viewpoints that see the same pieces share the comparison."""

    def __init__(self) -> None:
        """Start with no comparisons."""
        self._patches: dict[tuple[int, int], board.Pieces] = {}

    def complete(self, move: MoveRecord, before: BoardState, after: BoardState) -> MoveRecord:
        """Return a move with what it changed on the board."""
        both = id(before.pieces), id(after.pieces)
        pieces = self._patches.get(both)
        if pieces is None:
            pieces = self._patches[both] = board.piece_patch(before.pieces, after.pieces)
        holdings = board.holdings_patch(before.holdings, after.holdings)
        return structs.replace(move, pieces=pieces, holdings=holdings)


def move_list(table: Table, viewpoint: int, first: int, count: int, *, openly: bool = False) -> MoveList:
    """Return some moves of a game: of a running one as its log keeps them, of a finished one as a seat saw them then.

    `openly` shows a finished game with nothing hidden.
    """
    if viewpoint >= len(table.seats):
        raise CommandError("no_such_seat")
    if openly and table.status != "over":
        raise CommandError("not_over")
    play = table.play
    if play is None:
        return MoveList(0, 0, [])
    history = play.state.full_history()
    first = min(first, len(history))
    state, moves = play.before(first), history[first : first + count]
    if table.status == "over":
        return _replay(table, viewpoint, state, moves, openly=openly)
    records = [as_kept(record) for record in move_records(state, moves, redaction(table))]
    return MoveList(first, len(history), _with_recordings(table, records, first))


def as_kept(record: MoveRecord) -> MoveRecord:
    """Return a move as its log keeps it."""
    if record.log is None:
        return record
    events = [new if old is None else old for old, new in zip(record.log, record.events, strict=True)]
    lines = record.lines if record.log_lines is None else record.log_lines
    return MoveRecord(events, record.player, lines=lines)


def _replay(table: Table, viewpoint: int, state: State, moves: Moves, *, openly: bool) -> MoveList:
    """Return moves of a finished game with the board before the first of them and what each changed."""

    def board_of(position: Position) -> BoardState:
        if openly:
            return board.open_board(position.state)
        return board.board_at(position, viewpoint)

    first, records = state.move_number(), list[MoveRecord]()
    start = shown = board_of(Position(state))
    for move, before, after in _steps(state, moves):
        was, shown = shown, board_of(after)
        record = move_record(move, before, after)
        record.pieces = board.piece_patch(was.pieces, shown.pieces)
        record.holdings = board.holdings_patch(was.holdings, shown.holdings)
        records.append(record)
    return MoveList(first, table.moves, _with_recordings(table, records, first), start, table.result())


def state_after(table: Table, moves: int | None) -> State:
    """Return the game as it is, or as it was after some moves of a finished one."""
    if table.play is None:
        raise CommandError("not_started")
    if moves is None:
        return table.play.state.clone()
    if table.status != "over":
        raise CommandError("not_over")
    return table.play.before(min(moves, table.moves))

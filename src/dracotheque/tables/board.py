"""Boards for the page: the empty board, its pieces for one viewpoint, and patches between two positions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import compress
from operator import is_not
from types import ModuleType

from dracotheque.engine.errors import IllegalActionError
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.state import State
from dracotheque.presentation.generic_board import board_view_of
from dracotheque.presentation.pieces import Holding, Piece, PiecePatch
from dracotheque.tables.game_in_progress import Position
from dracotheque.tables.protocol import BoardState


@functools.lru_cache(maxsize=64)
def svg(game: Game, language: str, night: bool) -> str:
    """Return the empty board of a game as SVG."""
    return board_view_of(game).svg(game.board, game.words(language), night=night)


# --- Pieces and holdings --------------------------------------------------------------------------------------------
def board_of(game: Game, known: PlainState, viewpoint: int) -> BoardState:
    """Return what a viewpoint sees on the board, made from nothing but what it may know."""
    view = board_view_of(game)
    return BoardState(view.pieces(known, viewpoint), _holdings(view, known, viewpoint))


def board_at(position: Position, viewpoint: int) -> BoardState:
    """Return what a viewpoint sees on the board of a position, made once."""
    if viewpoint not in position.boards:
        position.boards[viewpoint] = make_board(position, viewpoint)
    return position.boards[viewpoint]


def make_board(position: Position, viewpoint: int) -> BoardState:
    """Return what a viewpoint sees on the board of a position; without secrets all viewpoints see the same pieces."""
    game, known = position.state.game, position.known(viewpoint)
    if position.boards and not game.definition.hidden_information:
        pieces = next(iter(position.boards.values())).pieces
        return BoardState(pieces, _holdings(board_view_of(game), known, viewpoint))
    return board_of(game, known, viewpoint)


def _holdings(view: ModuleType, known: PlainState, viewpoint: int) -> list[list[Holding]]:
    """Return what is in front of each seat, its score last."""
    held, scores = view.holdings(known, viewpoint), view.standings(known, viewpoint)
    return [[*each, score] for each, score in zip(held, scores, strict=True)] if scores else held


def revealed_board(game: Game, known: PlainState, viewpoint: int) -> BoardState:
    """Return what a viewpoint sees once all hidden values are revealed; `known` is changed by that."""
    reveal: Callable[[PlainState], None] | None = getattr(board_view_of(game), "reveal", None)
    if reveal is not None:
        reveal(known)
    return board_of(game, known, viewpoint)


def open_board(state: State) -> BoardState:
    """Return the board with nothing hidden: all values of all seats are shown."""
    boards = [revealed_board(state.game, state.to_plain(), viewpoint) for viewpoint in range(-1, state.game.players)]
    spectator, seats = boards[0], boards[1:]
    pieces, holdings = dict(spectator.pieces), spectator.holdings
    for seat, board in enumerate(seats):
        pieces |= {name: piece for name, piece in board.pieces.items() if piece.seat == seat}
        holdings = [board.holdings[each] if each == seat else held for each, held in enumerate(holdings)]
    return BoardState(pieces, holdings)


Pieces = dict[str, PiecePatch | None]
PIECE_FIELDS = Piece.__struct_fields__
Holdings = dict[int, list[Holding | int]]


def piece_patch(before: dict[str, Piece], after: dict[str, Piece]) -> Pieces:
    """Return the pieces that are different, as `MoveRecord` has them."""
    if list(before) == list(after):  # the usual case, found without a step in Python for each piece
        remade = compress(after, map(is_not, before.values(), after.values()))
        return {name: _patch(before[name], after[name]) for name in remade if before[name] != after[name]}
    pieces: Pieces = {
        name: _patch(was, piece)
        for name, piece in after.items()
        if (was := before.get(name)) is not piece and was != piece
    }
    if not before.keys() <= after.keys():
        pieces |= {name: None for name in before if name not in after}
    return pieces


def _patch(was: Piece | None, piece: Piece) -> PiecePatch:
    """Return what is different of a piece; all of it where it is new, or where a value is left out again."""
    whole = PiecePatch(piece.kind, piece.place, piece.seat, piece.value, piece.turn, piece.label)
    if was is None or (piece.kind != was.kind and piece.place != was.place):
        return whole
    patch = PiecePatch()
    for name in PIECE_FIELDS:
        value = getattr(piece, name)
        if value != getattr(was, name):
            if value == getattr(patch, name):
                return whole  # a patch cannot say that a value is the default again
            setattr(patch, name, value)
    return patch


def holdings_patch(before: list[list[Holding]], after: list[list[Holding]]) -> Holdings:
    """Return the holdings of the seats for which they changed, as `MoveRecord` has them."""
    return {
        seat: [was.index(each) if each in was else each for each in held]
        for seat, (was, held) in enumerate(zip(before, after, strict=True))
        if was is not held and was != held
    }


# --- Refusals ---------------------------------------------------------------------------------------------------------
def refusal(state: State, seat: int, place: str) -> str:
    """Name the rule that forbids what would be chosen at a place; the prompt's own where nothing ever is there."""
    view, known = board_view_of(state.game), state.observation(seat)
    for action in range(state.game.num_distinct_actions()):
        try:
            if place not in view.places(known, seat, action):
                continue
            state.check_action(action, seat)
        except IllegalActionError as error:
            if error.rule:
                return error.rule
        except (IndexError, KeyError, ValueError):
            continue  # an action that has no place in this position
    return state.game.text.prompt(known).rule

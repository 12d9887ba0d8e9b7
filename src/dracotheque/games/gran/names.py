"""Gran: what places, pieces and players are called in phrases."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Phrase, phrase
from dracotheque.games.gran.board_files import KINGDOM_NAMES, Board
from dracotheque.presentation.narration import ALL_CRESTS

# isort: off
from dracotheque.games.gran.rules.state import (
    CITY, CRYSTAL, DRAGON, MAGIC,
    SEATS, STAY, SWORD,
)  # fmt: skip

CRESTS = ALL_CRESTS[:SEATS]
OUR_BOARDS = {"Four kingdoms": "board.kingdoms", "The borderlands": "board.borderlands"}
SYMBOLS = {CITY: "city", DRAGON: "dragon", MAGIC: "magic", SWORD: "sword", CRYSTAL: "crystal"}

Table = Any  # a PlainState or a copy of one, with the fields of `rules.state.State`


# --- Names ------------------------------------------------------------------------------------------------------
def board_name(board: Board) -> Phrase | str:
    """Name a map: those of the game in the reader's language, others as their makers call them."""
    return phrase(OUR_BOARDS[board.name]) if board.name in OUR_BOARDS else board.name


def crest(seat: int) -> Phrase:
    """Name a seat's crest."""
    return phrase(f"crest.{CRESTS[seat]}")


def point_name(board: Board, point: int) -> str:
    """Name a point as it stands on the map."""
    return board.points[point].name.upper()


def kingdom_name(kingdom: int) -> str:
    """Name a kingdom; it is called the same in every language."""
    return KINGDOM_NAMES[kingdom].title()


def _of(kingdom: int) -> Phrase:
    """Name a kingdom as one that something belongs to: “of Urgad”, « d’Urgad »."""
    return phrase(f"of.{KINGDOM_NAMES[kingdom]}")


def _named(table: Table, form: str, point: int) -> Phrase:
    """Name a point in one of the forms that sentences need, with its symbol if it has one."""
    kind, name = table.kind[point], point_name(table.board, point)
    if kind == CITY:
        return phrase(f"{form}.city", of=_of(table.kingdom[point]), point=name)
    symbol = "start" if point == table.start else SYMBOLS.get(kind, "plain")
    return phrase(f"{form}.{symbol}", point=name)


def _to(table: Table, point: int) -> Phrase:
    """Name a point as where a knight goes: “to T7”, “to the city of Tirad (T17)”."""
    return _named(table, "to", point)


def _amulets(number: int) -> Phrase:
    """Name a number of amulets: “no amulets”, “1 amulet”, “2 amulets”."""
    return phrase("amulets", count=number) if number else phrase("amulets.none")


def _left(number: int) -> Phrase:
    """Name a number of amulets that a knight has left: “none left”, “1 left”."""
    return phrase("left", count=number) if number else phrase("left.none")


def _seals(number: int) -> Phrase:
    """Name a number of seals."""
    return phrase("seals", count=number)


# --- Choices and chances ----------------------------------------------------------------------------------------
def action(game: Game, seat: int, action: int) -> Phrase:
    """Name an action in short, whatever lies on the table."""
    if action == STAY:
        return phrase("action.stay")
    if action < len(game.board.points):
        return phrase("action.point", point=point_name(game.board, action))
    return phrase("action.no_point", number=action + 1)


def _copy(table: Table) -> Table:
    """Copy a table, so that rules can be carried out on it one by one."""
    return SimpleNamespace(
        **{name: value[:] if isinstance(value, list) else value for name, value in vars(table).items()}
    )

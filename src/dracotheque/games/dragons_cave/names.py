"""Dragon's Cave: what places, pieces and players are called in phrases."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Phrase, phrase
from dracotheque.presentation.narration import ALL_CRESTS
from dracotheque.games.dragons_cave.board_files import Board

# isort: off
from dracotheque.games.dragons_cave.rules.state import (
    CHEST, HOLD, LEFT_FIST, NICHE, SEATS, SECOND_DWARF, START,
)  # fmt: skip

CRESTS = ALL_CRESTS[:SEATS]
BOARD_NAMES = {"The cave": "board.cave", "The small cave": "board.small"}

Table = Any  # an engine.plain_state.PlainState, or a copy of one: its fields are those of rules.state.State


# --- Names ------------------------------------------------------------------------------------------------------
def place(board: Board, number: int) -> Phrase:
    """Name a place of a cave: the start, a space of the path with its picture, a niche of the lair."""
    length = len(board.path)
    if number == START:
        return phrase("place.start")
    if number > length:
        return phrase("place.niche", picture=picture(board, number - length - 1))
    return phrase("place.space", number=number, picture=picture(board, board.path[number - 1]))


def board_name(board: Board) -> Phrase | str:
    """Name a board: those of the game in the reader's language, others by the name in their file."""
    return phrase(BOARD_NAMES[board.name]) if board.name in BOARD_NAMES else board.name


def crest(seat: int) -> Phrase:
    """Name a player by colour."""
    return phrase(f"crest.{CRESTS[seat]}")


def _to(table: Table, place: int) -> Phrase:
    """Name a place as where a dwarf goes; all niches are the lair."""
    return phrase("to.lair") if place > table.length else phrase("to.space", space=place)


def _back(form: str, place: int) -> Phrase:
    """Name a place that a caught dwarf runs back to: in a preview (`back`) or as a sentence (`caught`)."""
    return phrase(f"{form}.start") if place == START else phrase(f"{form}.space", space=place)


def picture(board: Board, kind: int) -> Phrase:
    """Name a picture: “rope”."""
    return phrase(f"picture.{board.kinds[kind]}")


def _card(board: Board, card: int) -> Phrase:
    """Name a card: “rope”, “Chest”."""
    return phrase(f"card.{'chest' if card == CHEST else board.kinds[card]}")


def _coins(number: int) -> Phrase:
    """Name a number of coins: “no coins”, “1 coin”, “2 coins”."""
    return phrase("coins", count=number) if number else phrase("coins.none")


def _played(table: Table, card: int) -> Phrase:
    """Name a played card, with the dwarf it is for where a player leads two: “rope (first dwarf)”."""
    named = _card(table.board, card)
    if table.players > 2:
        return named
    return phrase("dwarf.named", what=named, dwarf=phrase("dwarf.second" if table.named else "dwarf.first"))


# --- Choices and chances ----------------------------------------------------------------------------------------
def action(game: Game, seat: int, action: int) -> Phrase:
    """Name an action in short, independently of the position."""
    if action < NICHE:
        return _card_name(game, action)
    if action < LEFT_FIST:
        return phrase("action.niche", picture=picture(game.board, action - NICHE))
    if action < HOLD:
        return phrase("action.left_fist" if action == LEFT_FIST else "action.right_fist")
    return phrase("action.hold", coins=_coins(action - HOLD))


def _card_name(game: Game, action: int) -> Phrase:
    """Name a card to be played, and the dwarf it is for where a player leads two."""
    second, card = divmod(action, SECOND_DWARF)
    if second:
        return phrase("action.lay_second", card=_card(game.board, card))
    return phrase("action.lay_first" if game.players == 2 else "action.lay", card=_card(game.board, card))


def _dwarf_players(table: Table) -> list[int]:
    """List all players but the dragon, from the dragon's left on."""
    return [(table.dragon_seat + steps) % table.players for steps in range(1, table.players)]

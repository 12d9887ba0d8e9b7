"""Emerald: what places, pieces and players are called in phrases."""

from __future__ import annotations

import functools
from typing import Any

from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Phrase, phrase
from dracotheque.presentation.narration import ALL_CRESTS

# isort: off
from dracotheque.games.emerald.rules.state import (
    CAPTURE, CAPTURE_MOVED, CAVES, CHAMBER, FIRST_CAVE, FIRST_FIELD, PASS, PAY, SEATS, SECOND_COLOUR, SURRENDER,
    TAKE_GEM, TAKE_GOLD, TOWERS,
)  # fmt: skip

CRESTS = ALL_CRESTS[:SEATS]
GEMS = ("ruby", "emerald", "garnet", "turquoise")
KEEP = TOWERS  # the start place after the four towers

Table = Any  # a PlainState with the fields of `rules.state.State`


# --- Names ------------------------------------------------------------------------------------------------------
@functools.cache
def place(number: int) -> Phrase:
    """Name a place of the road: towers, fields and caves are each counted from one; after them comes the chamber."""
    if number >= CHAMBER:
        return phrase("place.chamber")
    if number >= FIRST_CAVE:
        return phrase("place.cave", number=number - FIRST_CAVE + 1)
    if number >= FIRST_FIELD:
        return phrase("place.field", number=number - FIRST_FIELD + 1)
    return phrase("place.keep") if number == KEEP else phrase("place.tower", number=number + 1)


@functools.cache
def crest(colour: int) -> Phrase:
    """Name a player by colour."""
    return phrase(f"crest.{CRESTS[colour]}")


@functools.cache
def colour_name(colour: int) -> Phrase:
    """Name a colour that a player leads: “yellow”."""
    return phrase(f"colour.{CRESTS[colour]}")


@functools.cache
def coloured_knight(colour: int) -> Phrase:
    """Name a knight as an object: “a yellow knight”."""
    return phrase(f"knight.{CRESTS[colour]}")


@functools.cache
def _knight(players: int, colour: int) -> Phrase:
    """Name a knight its player moves; the colour matters only where a player leads two."""
    return coloured_knight(colour) if players == 2 else phrase("knight.plain")


@functools.cache
def _other_knight(players: int, colour: int) -> Phrase:
    """Name the knight that may follow the first one."""
    return phrase(f"another.{CRESTS[colour]}") if players == 2 else phrase("knight.other")


@functools.cache
def _card(pile: int, top: int) -> Phrase:
    """Name a card in short: “ruby”, “gold 4”."""
    return phrase(f"gem.{GEMS[top]}") if pile < CAVES else phrase("card.gold", value=top + 1)


@functools.cache
def _the_card(pile: int, top: int) -> Phrase:
    """Name a card as something to take: “the ruby”, “gold 4”."""
    return phrase(f"the.{GEMS[top]}") if pile < CAVES else phrase("the.gold", value=top + 1)


# --- Choices and chances ----------------------------------------------------------------------------------------
def action(game: Game, seat: int, action: int) -> Phrase:
    """Name an action in short, independently of the position."""
    if action < PASS:
        return _move_name(game.players, seat, action)
    if CAPTURE <= action < CAPTURE_MOVED:
        return phrase("action.capture", knight=coloured_knight(action - CAPTURE))
    if action == CAPTURE_MOVED:
        return phrase("action.capture", knight=phrase("knight.moved"))
    if action >= PAY:
        return phrase("action.pay", card=phrase("the.gold", value=action - PAY + 1))
    return phrase(f"action.{_PLAIN_ACTIONS[action]}")


_PLAIN_ACTIONS = {
    PASS: "end_turn",
    TAKE_GEM: "take_gem",
    TAKE_GOLD: "take_gold",
    SURRENDER: "give_up",
}


def _move_name(players: int, seat: int, action: int) -> Phrase:
    """Name a knight's move by its start, and by its colour where a player leads two."""
    second, start = divmod(action, SECOND_COLOUR)
    if players == 2:
        return phrase("action.other_knight", knight=phrase(f"piece.{CRESTS[seat + 2 * second]}"), place=place(start))
    return phrase("action.second_colour" if second else "action.knight", place=place(start))


def _knights_in_play(table: Table, seat: int) -> int:
    """Count a player's knights still in play, of all their colours."""
    return sum(table.in_play[seat :: table.players])


def _gold_value(table: Table, seat: int) -> int:
    """Add up a player's gold."""
    return sum((value + 1) * cards for value, cards in enumerate(table.gold[seat]))

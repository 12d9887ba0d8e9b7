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
def place(number: int) -> Phrase:
    """Name a place of the road."""
    return _located("place", number)


def from_place(number: int) -> Phrase:
    """Name a place as where a knight comes from."""
    return _located("from", number)


def to_place(number: int) -> Phrase:
    """Name a place as where a knight goes; beyond the last cave it is always the chamber."""
    return _located("to", number)


@functools.cache
def _located(form: str, number: int) -> Phrase:
    """Name a place in one of its forms: towers, fields and caves are each counted from one."""
    if number >= CHAMBER:
        return phrase(f"{form}.chamber")
    if number >= FIRST_CAVE:
        return phrase(f"{form}.cave", number=number - FIRST_CAVE + 1)
    if number >= FIRST_FIELD:
        return phrase(f"{form}.field", number=number - FIRST_FIELD + 1)
    return phrase(f"{form}.keep") if number == KEEP else phrase(f"{form}.tower", number=number + 1)


@functools.cache
def crest(colour: int) -> Phrase:
    """Name a colour's crest."""
    return phrase(f"crest.{CRESTS[colour]}")


@functools.cache
def _of(colour: int) -> Phrase:
    """Name a crest as a knight's own: “Lion” in “a Lion knight”, “du Lion” in “un chevalier du Lion”."""
    return phrase(f"of.{CRESTS[colour]}")


@functools.cache
def _knight(players: int, colour: int) -> Phrase:
    """Name a knight its player moves; the crest matters only where a player leads two."""
    return phrase(f"knight.{CRESTS[colour]}") if players == 2 else phrase("knight.plain")


@functools.cache
def _other_knight(players: int, colour: int) -> Phrase:
    """Name the knight that may follow the first one."""
    return phrase("knight.other_of", of=_of(colour)) if players == 2 else phrase("knight.other")


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
        return phrase(f"action.capture.{CRESTS[action - CAPTURE]}")
    if action >= PAY:
        return phrase("action.pay", card=phrase("the.gold", value=action - PAY + 1))
    return phrase(f"action.{_PLAIN_ACTIONS[action]}")


_PLAIN_ACTIONS = {
    PASS: "end_turn",
    TAKE_GEM: "take_gem",
    TAKE_GOLD: "take_gold",
    CAPTURE_MOVED: "capture_moved",
    SURRENDER: "give_up",
}


def _move_name(players: int, seat: int, action: int) -> Phrase:
    """Name a knight's move by its start, and by its crest where a player leads two."""
    second, start = divmod(action, SECOND_COLOUR)
    if players == 2:
        knight = CRESTS[seat + 2 * second]
    else:
        knight = "second_colour" if second else "plain"
    return phrase(f"action.knight.{knight}", from_place=from_place(start))


def _knights_in_play(table: Table, seat: int) -> int:
    """Count a player's knights still in play, of all their colours."""
    return sum(table.in_play[seat :: table.players])


def _gold_value(table: Table, seat: int) -> int:
    """Add up a player's gold."""
    return sum((value + 1) * cards for value, cards in enumerate(table.gold[seat]))

"""Emerald as a drawn board: the empty picture, the pieces that stand in it, and which places a choice touches."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from dracotheque.engine.words import Words, phrase
from dracotheque.games.emerald import BOX, picture_art
from dracotheque.games.emerald.picture_art import EASTWARD, key
from dracotheque.games.emerald.scene import CRESTS, GEMS, RULES
from dracotheque.games.pictures import Holding, Piece

# isort: off
from dracotheque.games.emerald.state import (
    BOX as IN_BOX, CAPTURE, CAVES, CHAMBER, COLOURS, FIRST_CAVE, LAIRWARD, NEST, OVER, PASS, REVEAL, ROD_LENGTH,
    SECOND_COLOUR, SURRENDER, TAKE_GEM, TAKE_GOLD, TREASURES,
)  # fmt: skip

Table = Any  # an engine.record.Plain: its fields are those of emerald.state.State

SCENERY = Path(__file__).with_name("scenery.svg")
LEFT, RIGHT = 0, 1
"""Which way the dragon looks, or where the rod ends: the value of those pieces."""


# --- The empty board --------------------------------------------------------------------------------------------------
def art(board: object, words: Words, *, night: bool) -> str:
    """Draw the empty board as one SVG; Emerald has only one board."""
    parts = {
        "@title@": escape(BOX.title),
        "@palette@": picture_art.palette(night),
        "@road@": picture_art.road(),
        "@places@": picture_art.places(words),
    }
    drawing = _scenery()
    for gap, part in parts.items():
        drawing = drawing.replace(gap, part)
    return drawing


@functools.cache
def _scenery() -> str:
    """Read the land around the places, with gaps for what changes."""
    return SCENERY.read_text("utf-8")


# --- What stands on it ------------------------------------------------------------------------------------------------
def pieces(table: Table, viewer: int) -> dict[str, Piece]:
    """List every piece that is somewhere, by its id; there are no secrets on the board.

    The five knights of a crest are alike, and the state keeps only their places, in rising order. The knight farthest
    back has the lowest number; where one overtakes another of its crest, the page finds out which of them walked
    (`follow` in boards/emerald.js): it is the one whose place is no longer taken.
    """
    return dict([*_knights(table), *_cards(table), *_treasures(table), *_rod(table), _dragon(table)])


def _knights(table: Table) -> Iterator[tuple[str, Piece]]:
    """Set down the knights of every crest; those in the box are nowhere."""
    for colour in range(COLOURS):
        crest = CRESTS[colour]
        for number, place in enumerate(table.knights[colour]):
            if place != IN_BOX:
                owner, label = colour % table.players, phrase(f"knight.{crest}")
                yield f"knight-{crest}-{number + 1}", Piece(f"knight-{crest}", key(place), owner, label=label)


def _cards(table: Table) -> Iterator[tuple[str, Piece]]:
    """Lay out the piles, every card by its height in its pile: only the uppermost is turned up."""
    for pile in range(2 * CAVES):
        family, cave = ("gem" if pile < CAVES else "gold"), pile % CAVES + 1
        place, cards = f"{family}-{cave}", table.pile[pile]
        for height in range(1, cards + 1):
            turned = height == cards and _turned_up(table, pile)
            card = _top_card(pile, table.top[pile], place) if turned else Piece(f"{family}-back", place)
            yield f"{family}-{cave}-{height}", card


def _turned_up(table: Table, pile: int) -> bool:
    """Say whether the uppermost card of a pile is known already."""
    return pile < table.dealt and not (table.phase == REVEAL and table.turning == pile)


def _top_card(pile: int, top: int, place: str) -> Piece:
    """Turn a card up."""
    if pile < CAVES:
        return Piece(f"card-{GEMS[top]}", place, label=phrase(f"gem.{GEMS[top]}"))
    return Piece("card-gold", place, value=top + 1, label=phrase("card.gold", value=top + 1))


def _treasures(table: Table) -> Iterator[tuple[str, Piece]]:
    """Set down the treasures that nobody has fetched."""
    for number in range(TREASURES - table.treasures_left + 1, TREASURES + 1):
        yield f"treasure-{number}", Piece("treasure", f"treasure-{number}", label=phrase("legend.treasure"))


def _rod(table: Table) -> Iterator[tuple[str, Piece]]:
    """Lay the rod along its four caves, a link beside each, so that it can bend with the road."""
    for link in range(ROD_LENGTH):
        cave = table.rod + link
        kind = "rod-end" if link in (0, ROD_LENGTH - 1) else "rod"
        yield f"rod-{link + 1}", Piece(kind, f"track-{cave + 1}", value=_side(cave, link > 0), label=phrase("rod"))


def _dragon(table: Table) -> tuple[str, Piece]:
    """Perch the dragon on its cave, looking along the road as the picture winds."""
    look = _side(table.dragon, table.facing == LAIRWARD)
    return "dragon", Piece("dragon", f"perch-{table.dragon + 1}", value=look, label=phrase("dragon"))


def _side(cave: int, lairward: bool) -> int:
    """Say on which side of a cave the way goes on to the lair, or back to the plain."""
    return RIGHT if lairward == (cave in EASTWARD) else LEFT


# --- What may be done there -------------------------------------------------------------------------------------------
def touched(table: Table, seat: int, action: int) -> list[str]:
    """List the places of a choice: where it begins and where it leads; paying and ending the turn have none."""
    if action < PASS:
        start = action % SECOND_COLOUR
        return [key(start), key(min(RULES.destination(table, start), CHAMBER))]
    if action in (TAKE_GEM, TAKE_GOLD):
        return [f"{'gem' if action == TAKE_GEM else 'gold'}-{table.moved - FIRST_CAVE + 1}"]
    if CAPTURE <= action <= SURRENDER:
        return [key(FIRST_CAVE + table.dragon), key(NEST)]
    return []


# --- What lies before the players -------------------------------------------------------------------------------------
def holdings(table: Table, viewer: int) -> list[list[Holding]]:
    """List what lies before every seat; gold that is face down is only counted."""
    return [list(_holdings(table, seat, viewer)) for seat in range(table.players)]


def _holdings(table: Table, seat: int, viewer: int) -> Iterator[Holding]:
    """List a player's treasures, gems, bonus card and gold."""
    if table.treasures[seat]:
        yield Holding("treasure", table.treasures[seat], label=phrase("legend.treasure"))
    for kind, count in enumerate(table.gems[seat]):
        if count:
            yield Holding(GEMS[kind], count, label=phrase(f"gems.{GEMS[kind]}", count=count))
    if table.four_gems == seat + 1:
        yield Holding("bonus", label=phrase("hand.bonus"))
    cards, worth = _gold(table, seat, viewer)
    if cards:
        label = phrase("hand.gold") if worth is None else phrase("card.gold", value=worth)
        yield Holding("gold", cards, worth, label)


def _gold(table: Table, seat: int, viewer: int) -> tuple[int, int | None]:
    """Count a player's gold cards, and add them up where the viewer may: one's own, open gold, or at the end."""
    cards = table.gold[seat]
    if seat == viewer or table.open_gold or table.phase == OVER:
        return sum(cards), sum((value + 1) * count for value, count in enumerate(cards))
    return (table.gold_cards[seat] if hasattr(table, "gold_cards") else sum(cards)), None

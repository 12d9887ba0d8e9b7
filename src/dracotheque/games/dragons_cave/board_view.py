"""Dragon's Cave on the page: the cave, its pieces, the places of a choice, and the holdings of each seat."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from dracotheque.engine.phrases import Phrase, Catalog, phrase
from dracotheque.games.dragons_cave.rules import mechanics
from dracotheque.games.dragons_cave import board_svg
from dracotheque.games.dragons_cave.board_files import Board
from dracotheque.games.dragons_cave.names import CRESTS
from dracotheque.games.dragons_cave.text import suspects
from dracotheque.games.dragons_cave.rules.state import (
    CARDS, CHEST, HOLD, KINDS, LEFT_FIST, LOTS, MOST_COINS, NICHE, NO_CARD, NO_SPLIT, ONLY_CHEST, OVER, PLACE,
    SEALED_CARD, SECOND_DWARF, TO_SPLIT,
)  # fmt: skip
from dracotheque.presentation.pieces import Holding, Piece, part_of_score, score
from dracotheque.presentation.narration import seat_name

Table = Any  # an engine.plain_state.PlainState: its fields are those of rules.state.State, and its board
Pieces = Iterator[tuple[str, Piece]]


def svg(board: Board, words: Catalog, *, night: bool) -> str:
    """Return the board without pieces as one SVG."""
    return board_svg.svg(board, words, night=night)


# --- Pieces -----------------------------------------------------------------------------------------------------
def pieces(table: Table, viewer: int) -> dict[str, Piece]:
    """Return all pieces by their keys, as far as this viewer may see them.

    Keys are unique: that of a dwarf has its crest and number, that of an open card its crest and picture, so that a
    move changes no other pieces. The key of a card face down has no picture; when the card is revealed, that piece is
    removed and the open card takes its place.
    """
    found = dict(_lair(table))
    for seat in range(table.players):
        found |= dict(_dwarves(table, seat)) | dict(_cards(table, seat, viewer)) | dict(_fists(table, seat, viewer))
        found[f"chest-{CRESTS[seat]}"] = _chest_piece(table, seat)
    return found | dict(_suspects(table)) if viewer == table.dragon_seat else found


def place_key(table: Table, place: int) -> str:
    """Return the name of a place in the drawing."""
    return str(place) if place <= table.length else f"niche-{place - table.length - 1}"


def _dragon_place(table: Table) -> str:
    """Return the place of the dragon: a niche, or its treasure."""
    return "bed" if table.dragon == KINDS else f"niche-{table.dragon}"


def _counted(coins: int) -> Phrase:
    """Name a number of coins."""
    return phrase("coins", count=coins) if coins else phrase("coins.none")


def _lair(table: Table) -> Pieces:
    """Yield the dragon, its treasure, and the marker of this round's dragon player."""
    yield "dragon", Piece("dragon", _dragon_place(table), label=phrase("drawn.dragon"))
    treasure = phrase("event.treasure", coins=_counted(table.treasure))
    yield "treasure", Piece("treasure", "treasure", value=table.treasure, label=treasure)
    if table.phase != LOTS:
        seat = table.dragon_seat
        yield "role", Piece("role", f"card-{seat}", seat, label=phrase("drawn.caption", seat=seat_name(seat)))


def _dwarves(table: Table, seat: int) -> Pieces:
    """Yield a player's dwarf, or both of them; the second one wears a feather."""
    both = mechanics.dwarves_of(table) == 2
    for second in range(1 + both):
        label = phrase(f"piece.{CRESTS[seat]}")
        if both:
            label = phrase("dwarf.named", what=label, dwarf=phrase("dwarf.second" if second else "dwarf.first"))
        kind, place = "dwarf-second" if second else "dwarf", place_key(table, table.place[seat + 2 * second])
        yield f"dwarf-{CRESTS[seat]}-{second + 1}", Piece(kind, place, seat, label=label)


def _cards(table: Table, seat: int, viewer: int) -> Pieces:
    """Yield this round's card; cards of rounds before are among the holdings."""
    card, mine = table.card[seat], f"{CRESTS[seat]}"
    shown = card < CARDS and (table.phase > PLACE or table.hand[seat] == ONLY_CHEST)
    if card == SEALED_CARD or (card < CARDS and not shown and seat != viewer):
        yield f"card-{mine}", Piece("card-back", f"card-{seat}", seat, label=phrase("drawn.face_down"))
    elif shown:
        name = _name(table, card)
        yield f"open-{mine}-{name}", Piece(f"card-{name}", f"card-{seat}", seat, label=_card(table, card))
    elif card != NO_CARD:
        yield f"card-{mine}", Piece(f"peek-{_name(table, card)}", f"card-{seat}", seat, label=_card(table, card))


def _suspects(table: Table) -> Pieces:
    """Yield, while the dragon is to be placed, who can have played each card, with the coins of the purse.

    That follows from the cards laid open, whatever was played; the preview of the choice says it in words.
    """
    if table.phase == PLACE:
        for kind, name in enumerate(table.board.kinds):
            for seat in suspects(table, kind):
                purse = table.purse[seat]
                label = phrase("preview.suspect", seat=seat_name(seat), coins=_counted(purse))
                yield f"suspect-{name}-{seat}", Piece("suspect", f"over-{kind}", seat, value=purse, label=label)


def _name(table: Table, card: int) -> str:
    """Return the id of a card's picture."""
    return "chest" if card == CHEST else table.board.kinds[card]


def _card(table: Table, card: int) -> Phrase:
    """Return the name of a card."""
    return phrase(f"card.{_name(table, card)}")


def _fists(table: Table, seat: int, viewer: int) -> Pieces:
    """Yield two fists while a seat's coins are hidden in them."""
    left, purse = table.left[seat], table.purse[seat]
    if left not in (NO_SPLIT, TO_SPLIT):
        known = left <= MOST_COINS and seat == viewer
        closed = phrase("event.fists_closed", seat=seat_name(seat))
        for fist, coins in (("left", left), ("right", purse - left)):
            label = _counted(coins) if known else closed
            yield f"{fist}-{CRESTS[seat]}", Piece(f"fist-{fist}", f"{fist}-{seat}", seat, label=label)


def _chest_piece(table: Table, seat: int) -> Piece:
    """Return a seat's chest: closed, or open with its coins."""
    coins = _chest(table, seat)
    kind, value = ("chest", 0) if coins is None else ("chest-open", coins)
    return Piece(kind, f"chest-{seat}", seat, value=value, label=_held("chest", coins))


def _chest(table: Table, seat: int) -> int | None:
    """Return the coins in a chest, or None where it is closed, before the end even to its owner."""
    return table.chest[seat] if table.open_chests or table.phase == OVER else None


def _held(what: str, coins: int | None) -> Phrase:
    """Name purse or chest, with the coins in it where they are known."""
    called = phrase(f"drawn.{what}")
    return called if coins is None else phrase("drawn.held", what=called, coins=_counted(coins))


# --- Choices ----------------------------------------------------------------------------------------------------
def places(table: Table, seat: int, action: int) -> list[str]:
    """Return the places of a choice: from the dwarf to where its card leads, from dragon to niche, or a fist.

    The Chest leads to the own chest, with two players from the dwarf it is named for. Splits have no place, and nor
    has a card for a second dwarf where every player leads only one.
    """
    if action >= HOLD:
        return []
    if action >= LEFT_FIST:
        return [f"{'left' if action == LEFT_FIST else 'right'}-{table.guessing}"]
    if action >= NICHE:
        target = f"niche-{action - NICHE}"
        return list(dict.fromkeys((_dragon_place(table), target)))
    second, card = divmod(action, SECOND_DWARF)
    if second >= mechanics.dwarves_of(table):
        return []
    start = table.place[seat + 2 * second]
    if card == CHEST:
        return [f"chest-{seat}"] if table.players > 2 else [place_key(table, start), f"chest-{seat}"]
    return [place_key(table, start), place_key(table, mechanics.ahead(table, start, card))]


# --- Holdings ---------------------------------------------------------------------------------------------------
def holdings(table: Table, viewer: int) -> list[list[Holding]]:
    """Return for each seat purse and chest, each card as in hand or played, and whether it is the dragon."""
    return [list(_holdings(table, seat)) for seat in range(table.players)]


def _holdings(table: Table, seat: int) -> Iterator[Holding]:
    """Yield what belongs to a seat, always in the same order; what only some seats have comes last."""
    purse, chest = table.purse[seat], _chest(table, seat)
    yield Holding("purse", value=purse, label=_held("purse", purse))
    yield Holding("chest-closed" if chest is None else "chest", value=chest, label=_held("chest", chest))
    for card in range(CARDS):
        if table.hand[seat] >> card & 1:
            yield Holding(f"pip-{_name(table, card)}", label=_card(table, card))
        else:
            yield Holding(f"spent-{_name(table, card)}")  # without a name: those in hand have one
    if table.phase != LOTS and seat == table.dragon_seat:
        yield Holding("role", label=phrase("drawn.caption", seat=seat_name(seat)))


def standings(table: Table, viewer: int) -> list[Holding]:
    """Return the coins of all seats: those in the purse, and those in the chest once it is open."""
    return [_score(table.purse[seat], _chest(table, seat)) for seat in range(table.players)]


@functools.lru_cache(maxsize=4096)
def _score(purse: int, chest: int | None) -> Holding:
    """Return a player's coins, as far as they are known."""
    coins = phrase("coins", count=purse + (chest or 0))
    return part_of_score(purse, coins, None) if chest is None else score(purse + chest, coins)


def reveal(table: Table) -> None:
    """Open the chests."""
    table.open_chests = 1

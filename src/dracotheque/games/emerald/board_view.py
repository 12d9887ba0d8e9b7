"""Emerald as a drawn board: the empty picture, the pieces that stand in it, and which places a choice touches."""

from __future__ import annotations

import functools
from html import escape
from pathlib import Path
from typing import Any

from dracotheque.engine.phrases import Catalog, phrase
from dracotheque.games.emerald import GAME, board_svg
from dracotheque.games.emerald.board_svg import EASTWARD, key
from dracotheque.games.emerald.names import CRESTS, GEMS
from dracotheque.presentation.pieces import Holding, Piece, part_of_score, score

# isort: off
from dracotheque.games.emerald.rules import mechanics, scoring
from dracotheque.games.emerald.rules.state import (
    BOX as IN_BOX, CAPTURE, CAVES, CHAMBER, FIRST_CAVE, LAIRWARD, NEST, OVER, PASS, REVEAL, ROD_LENGTH, SECOND_COLOUR,
    SURRENDER, TAKE_GEM, TAKE_GOLD, TREASURES,
)  # fmt: skip

Table = Any  # a PlainState with the fields of `rules.state.State`

SCENERY = Path(__file__).with_name("scenery.svg")
NONE_TURNS = -1  # while no card is being turned
LEFT, RIGHT = 0, 1
"""Which way the dragon looks, or where the rod ends: the value of those pieces."""


# --- The empty board --------------------------------------------------------------------------------------------------
def svg(board: object, words: Catalog, *, night: bool) -> str:
    """Draw the empty board as one SVG; Emerald has only one board."""
    parts = {
        "@title@": escape(GAME.title),
        "@palette@": board_svg.palette(night),
        "@road@": board_svg.road(),
        "@places@": board_svg.places(words),
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
    (`follow` in web/board.js): it is the one whose place is no longer taken.
    """
    knights = tuple([tuple(places) for places in table.knights])
    turning = table.turning if table.phase == REVEAL else NONE_TURNS
    return {
        **_all_knights(table.players, knights),
        **_all_cards(tuple(table.pile), tuple(table.top), table.dealt, turning),
        **_treasures(table.treasures_left),
        **_rod(table.rod),
        "dragon": _dragon(table.dragon, table.facing),
    }


# Positions in a row differ in few pieces: an unchanged piece is made only once.
@functools.lru_cache(maxsize=512)
def _all_knights(players: int, knights: tuple[tuple[int, ...], ...]) -> dict[str, Piece]:
    """Set down the knights of every crest."""
    found: dict[str, Piece] = {}
    for colour, places in enumerate(knights):
        found |= _knights(colour, players, places)
    return found


@functools.lru_cache(maxsize=4096)
def _knights(colour: int, players: int, places: tuple[int, ...]) -> dict[str, Piece]:
    """Return the knights of a crest; those out of play have no place."""
    crest, owner = CRESTS[colour], colour % players
    return {
        f"knight-{crest}-{number}": _knight(crest, place, owner)
        for number, place in enumerate(places, 1)
        if place != IN_BOX
    }


@functools.cache
def _knight(crest: str, place: int, owner: int) -> Piece:
    """Set a knight down."""
    return Piece(f"knight-{crest}", key(place), owner, label=phrase(f"piece.{crest}"))


@functools.lru_cache(maxsize=512)
def _all_cards(piles: tuple[int, ...], tops: tuple[int, ...], dealt: int, turning: int) -> dict[str, Piece]:
    """Return the cards of all piles; the uppermost is face up, unless it is being revealed now."""
    found: dict[str, Piece] = {}
    for pile, (cards, top) in enumerate(zip(piles, tops, strict=True)):
        found |= _cards(pile, cards, top, turned_up=pile < dealt and pile != turning)
    return found


@functools.cache
def _cards(pile: int, cards: int, top: int, *, turned_up: bool) -> dict[str, Piece]:
    """Return the cards of a pile by their height in it: only the uppermost is face up."""
    family, cave = ("gem" if pile < CAVES else "gold"), pile % CAVES + 1
    place = f"{family}-{cave}"
    found = {f"{family}-{cave}-{height}": Piece(f"{family}-back", place) for height in range(1, cards + 1)}
    if cards and turned_up:
        found[f"{family}-{cave}-{cards}"] = _top_card(pile, top, place)
    return found


def _top_card(pile: int, top: int, place: str) -> Piece:
    """Turn a card up."""
    if pile < CAVES:
        return Piece(f"card-{GEMS[top]}", place, label=phrase(f"gem.{GEMS[top]}"))
    return Piece("card-gold", place, value=top + 1, label=phrase("card.gold", value=top + 1))


@functools.cache
def _treasures(left: int) -> dict[str, Piece]:
    """Return the treasures that are still in the chamber."""
    return {
        f"treasure-{number}": Piece("treasure", f"treasure-{number}", label=phrase("legend.treasure"))
        for number in range(TREASURES - left + 1, TREASURES + 1)
    }


@functools.cache
def _rod(rod: int) -> dict[str, Piece]:
    """Return the rod as four links, one beside each of its caves, so that it can bend with the road."""
    found: dict[str, Piece] = {}
    for link in range(ROD_LENGTH):
        cave = rod + link
        kind = "rod-end" if link in (0, ROD_LENGTH - 1) else "rod"
        found[f"rod-{link + 1}"] = Piece(kind, f"track-{cave + 1}", value=_side(cave, link > 0), label=phrase("rod"))
    return found


@functools.cache
def _dragon(cave: int, facing: int) -> Piece:
    """Perch the dragon on its cave, looking along the road as the picture winds."""
    return Piece("dragon", f"perch-{cave + 1}", value=_side(cave, facing == LAIRWARD), label=phrase("dragon"))


def _side(cave: int, lairward: bool) -> int:
    """Say on which side of a cave the way goes on to the lair, or back to the plain."""
    return RIGHT if lairward == (cave in EASTWARD) else LEFT


# --- What may be done there -------------------------------------------------------------------------------------------
def places(table: Table, seat: int, action: int) -> list[str]:
    """List the places of a choice: where it begins and where it leads; paying and ending the turn have none."""
    if action < PASS:
        start = action % SECOND_COLOUR
        return [key(start), key(min(mechanics.destination(table, start), CHAMBER))]
    if action in (TAKE_GEM, TAKE_GOLD):
        return [f"{'gem' if action == TAKE_GEM else 'gold'}-{table.moved - FIRST_CAVE + 1}"]
    if CAPTURE <= action <= SURRENDER:
        return [key(FIRST_CAVE + table.dragon), key(NEST)]
    return []


# --- Holdings ---------------------------------------------------------------------------------------------------------
def holdings(table: Table, viewer: int) -> list[list[Holding]]:
    """Return the holdings of all seats; gold that is face down is only counted."""
    return [
        _holdings(
            table.treasures[seat], tuple(table.gems[seat]), table.four_gems == seat + 1, *_gold(table, seat, viewer)
        )
        for seat in range(table.players)
    ]


@functools.lru_cache(maxsize=4096)
def _holdings(treasures: int, gems: tuple[int, ...], bonus: bool, cards: int, value: int | None) -> list[Holding]:
    """List a player's treasures, gems, bonus card and gold."""
    held: list[Holding] = []
    if treasures:
        held.append(Holding("treasure", treasures, label=phrase("legend.treasure")))
    for kind, count in enumerate(gems):
        if count:
            held.append(Holding(GEMS[kind], count, label=phrase(f"gems.{GEMS[kind]}", count=count)))
    if bonus:
        held.append(Holding("bonus", label=phrase("hand.bonus")))
    if cards:
        label = phrase("hand.gold") if value is None else phrase("card.gold", value=value)
        held.append(Holding("gold", cards, value, label))
    return held


def standings(table: Table, viewer: int) -> list[Holding]:
    """Return the points of all seats; of gold that is face down only the owner sees how much it adds."""
    seats = range(table.players)
    if table.phase == OVER:
        points = [0 for _ in seats]
        scoring.scores(table, points)
        return [_score(points[seat], 0, 0) for seat in seats]
    return [_score(_points(table, seat), *_gold(table, seat, viewer), is_open=table.open_gold == 1) for seat in seats]


def _points(table: Table, seat: int) -> int:
    """Count the treasures, the gems and the bonus card for all four of a player."""
    return 5 * table.treasures[seat] + scoring.gem_cards(table, seat) + 4 * (table.four_gems == seat + 1)


@functools.lru_cache(maxsize=4096)
def _score(points: int, cards: int, gold: int | None, *, is_open: bool = True) -> Holding:
    """Return a player's points, with those of gold only where it is open to all."""
    if cards and not is_open:
        return part_of_score(points, phrase("end.amount", count=points), gold)
    return score(total := points + (gold or 0), phrase("end.amount", count=total))


def _gold(table: Table, seat: int, viewer: int) -> tuple[int, int | None]:
    """Count a player's gold cards, and add them up where the viewer may: one's own, open gold, or at the end."""
    cards, value = _counted(tuple(table.gold[seat]))
    return cards, value if seat == viewer or table.open_gold or table.phase == OVER else None


@functools.lru_cache(maxsize=4096)
def _counted(gold: tuple[int, ...]) -> tuple[int, int]:
    """Count gold cards, given how many there are of each value, and add them up."""
    return sum(gold), sum((value + 1) * count for value, count in enumerate(gold))


def reveal(table: Table) -> None:
    """Reveal the gold that is face down."""
    table.open_gold = 1

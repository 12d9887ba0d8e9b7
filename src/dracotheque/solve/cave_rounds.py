"""Dragon's Cave for two as a graph: every position at the beginning of a round, and where every round may lead.

A position is told from the side of who leads the dwarves: that one's cards, both players' dwarves (which of a player's
two is which does not matter), purses and chests. Who is the dragon has all cards, and the treasure has the other coins.
The compiled rules themselves play every round.
"""

# What Numba compiles is not checked here.
# pyright: basic
from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine.dispatch import TERMINAL
from dracotheque.games.dragons_cave.choices import apply, scores, winners
from dracotheque.games.dragons_cave.rules import begin_round
from dracotheque.games.dragons_cave.state import (
    CHEST, HOLD, KINDS, LEFT_FIST, MOST_COINS, NICHE, ONLY_CHEST, SECOND_DWARF, SPLIT, WHOLE_HAND, State,
)  # fmt: skip
from dracotheque.solve.kernels import kernel, within

__all__ = ["State"]

LOST, SHARED, WON = 0, 1, 2  # the numbers of finished games, from the side of who leads the dwarves
FIRST = 3  # the number of the opening
NONE = -1  # what cannot be chosen
FISTS = -2  # less the number of a purse that is split: what follows a fright with coins
BITS, PLACES = 6, 63  # of a number in a key
NEW_PURSES = 2 * KINDS  # found at most by looking at one position: for each dwarf and card,
NEW_SPLITS = NEW_PURSES * (MOST_COINS + 1)  # split in every way,
NEW = NEW_SPLITS + NEW_PURSES + 1  # and positions: after each split, where each card went well, after the Chest

Graph = np.dtype(
    [
        ("key", "i8"),
        ("ahead", "i4", (2, KINDS)),  # by dwarf and card: the same player goes on
        ("fright", "i4", (2, KINDS)),  # by dwarf and card: the other player goes on, perhaps after a split
        ("chest", "i4"),  # the other player goes on
    ]
)
Purse = np.dtype([("key", "i8"), ("first", "i4"), ("coins", "i4")])
"""A purse to be split: where the list of what follows begins, from nothing lost to all lost."""


# --- Positions as numbers -----------------------------------------------------------------------------------------
@within
def pack(hand: int, own: int, own_second: int, other: int, other_second: int, coins: Any) -> int:
    """Write a position as one number."""
    key = hand & (ONLY_CHEST - 1)
    for place in (min(own, own_second), max(own, own_second), min(other, other_second), max(other, other_second)):
        key = key << BITS | place
    for number in coins:
        key = key << BITS | number
    return key


@kernel
def key_of(game: Any, coins: Any) -> int:
    """Write down the position of a game in which a round begins, or a purse is split."""
    dwarf, dragon, far = 1 - game.dragon_seat, game.dragon_seat + 0, game.length + 1
    coins[0], coins[1], coins[2], coins[3] = (
        game.purse[dwarf],
        game.purse[dragon],
        game.chest[dwarf],
        game.chest[dragon],
    )
    own, own_second = min(game.place[dwarf], far), min(game.place[dwarf + 2], far)
    other, other_second = min(game.place[dragon], far), min(game.place[dragon + 2], far)
    return pack(0 if game.phase == SPLIT else game.hand[dwarf] + 0, own, own_second, other, other_second, coins)


@kernel
def set_out(game: Any, key: int) -> None:
    """Lay a position out on a fresh board: seat 0 leads the dwarves, seat 1 is the dragon, the round has begun."""
    for at in range(2):
        game.chest[1 - at] = key >> at * BITS & PLACES
        game.purse[1 - at] = key >> (2 + at) * BITS & PLACES
        game.place[3 - 2 * at] = key >> (4 + at) * BITS & PLACES
        game.place[2 - 2 * at] = key >> (6 + at) * BITS & PLACES
        game.treasure -= game.chest[1 - at] + game.purse[1 - at]
    game.hand[0] = key >> 8 * BITS | ONLY_CHEST
    game.hand[1] = WHOLE_HAND
    game.dragon_seat = 1
    game.dragon = KINDS
    begin_round(game)


# --- Hash tables --------------------------------------------------------------------------------------------------
@kernel
def find(slots: Any, known: Any, key: int) -> int:
    """Find the place of a key in a hash table: the one it has, or an empty one."""
    last = len(slots) - 1
    slot = (key * 0x1E3779B97F4A7C15 >> 20) & last
    while slots[slot] != 0 and known[slots[slot]].key != key:
        slot = (slot + 1) & last
    return slot


# --- All rounds ---------------------------------------------------------------------------------------------------
@kernel
def explore(
    desk: Any, graph: Any, slots: Any, purses: Any, purse_slots: Any, after: Any, sizes: Any, most: int
) -> bool:
    """Follow rounds from positions that are known to new ones, some at a time; say whether there was room.

    `desk` has four records: the empty board and three to play on; `sizes` has how many positions are looked at, known,
    how many purses and how many splits are known.
    """
    until = sizes[0] + most
    while sizes[0] < sizes[1] and sizes[0] < until:
        if sizes[1] + NEW > len(graph) or sizes[2] + NEW_PURSES > len(purses) or sizes[3] + NEW_SPLITS > len(after):
            return False
        look_at(desk, graph, slots, purses, purse_slots, after, sizes)
        sizes[0] += 1
    return True


@within
def look_at(desk: Any, graph: Any, slots: Any, purses: Any, purse_slots: Any, after: Any, sizes: Any) -> None:
    """Find what every choice in a position leads to."""
    here = graph[sizes[0]]
    coins, points = np.zeros(4, np.int64), np.zeros(8, np.int64)
    here.ahead[:] = NONE
    here.fright[:] = NONE
    desk[1] = desk[0]
    set_out(desk[1], here.key)
    hand, far = desk[1].hand[0] + 0, desk[1].length + 1
    for second in range(2):
        same = second == 1 and desk[1].place[0] == desk[1].place[2]
        if desk[1].place[2 * second] < far and not same and hand != ONLY_CHEST:
            for card in range(KINDS):
                if hand >> card & 1:
                    play(desk, second, card, (card + 1) % KINDS)
                    here.ahead[second, card] = number_of(desk[2], graph, slots, sizes, coins, points)
                    play(desk, second, card, card)
                    if desk[2].phase == SPLIT:
                        number = purse_of(desk, graph, slots, purses, purse_slots, after, sizes, coins, points)
                        here.fright[second, card] = FISTS - number
                    else:
                        here.fright[second, card] = number_of(desk[2], graph, slots, sizes, coins, points)
    play(desk, desk[1].place[0] >= far, CHEST, 0)
    here.chest = number_of(desk[2], graph, slots, sizes, coins, points)


@kernel
def play(desk: Any, second: int, card: int, niche: int) -> None:
    """Play a card for a dwarf against a niche; a Chest that is the last card lies there already."""
    desk[2] = desk[1]
    if desk[2].hand[0] != ONLY_CHEST:
        apply(desk[2], 0, second * SECOND_DWARF + card)
    apply(desk[2], 1, NICHE + niche)


@kernel
def number_of(game: Any, graph: Any, slots: Any, sizes: Any, coins: Any, points: Any) -> int:
    """Find the number of a position, a new one if need be; of a finished game how it ended for seat 0."""
    if game.to_move == TERMINAL:
        scores(game, points[:4])
        winners(game, points[:4], points[4:])
        return WON if points[5] == 0 else LOST if points[4] == 0 else SHARED
    key = key_of(game, coins)
    slot = find(slots, graph, key)
    if slots[slot] == 0:
        slots[slot] = sizes[1]
        graph[sizes[1]].key = key
        sizes[1] += 1
    return slots[slot]


@within
def purse_of(
    desk: Any, graph: Any, slots: Any, purses: Any, purse_slots: Any, after: Any, sizes: Any, coins: Any, points: Any
) -> int:
    """Find the number of a purse to be split, and what follows for every number of coins that may be lost."""
    key = key_of(desk[2], coins)
    slot = find(purse_slots, purses, key)
    if purse_slots[slot] == 0:
        new = purses[sizes[2]]
        purse_slots[slot] = sizes[2]
        new.key, new.first, new.coins = key, sizes[3], desk[2].purse[0]
        sizes[2] += 1
        sizes[3] += desk[2].purse[0] + 1
        for lost in range(desk[2].purse[0] + 1):
            desk[3] = desk[2]
            apply(desk[3], 0, HOLD + lost)
            apply(desk[3], 1, LEFT_FIST)
            after[new.first + lost] = number_of(desk[3], graph, slots, sizes, coins, points)
    return purse_slots[slot]

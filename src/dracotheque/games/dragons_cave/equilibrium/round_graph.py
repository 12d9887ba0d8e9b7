"""Dragon's Cave for two as a graph: every position at the beginning of a round, and where every round may lead.

The compiled rules themselves play every round; `positions.py` beside them says how a position is written down.
"""

# What Numba compiles is not checked here.
# pyright: basic
from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine.dispatch import TERMINAL
from dracotheque.engine.jit.kernels import kernel, within
from dracotheque.games.dragons_cave.rules.scoring import scores, winners
from dracotheque.games.dragons_cave.equilibrium import positions
from dracotheque.games.dragons_cave.rules.state import KINDS, MOST_COINS, ONLY_CHEST, SPLIT, State

__all__ = ["State"]

LOST, SHARED, WON = 0, 1, 2  # the numbers of finished games, from the side of who leads the dwarves
FIRST = 3  # the number of the opening
NONE = -1  # what cannot be chosen
FISTS = -2  # less the number of a purse that is split: what follows a fright with coins
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
@kernel
def key_of(game: Any) -> int:
    """Write the position of a game in which a round begins, or a purse is split, as one number."""
    return positions.key_of(game)


@kernel
def set_out(game: Any, key: int) -> None:
    """Write a position to an empty board: seat 0 leads the dwarves, seat 1 is the dragon, the round has begun."""
    positions.set_out(game, key)


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
    workspace: Any, graph: Any, slots: Any, purses: Any, purse_slots: Any, after: Any, sizes: Any, most: int
) -> bool:
    """Follow rounds from positions that are known to new ones, some at a time; say whether there was room.

    `workspace` has four records: the empty board and three to play on; `sizes` has how many positions are looked at,
    known, how many purses and how many splits are known.
    """
    until = sizes[0] + most
    while sizes[0] < sizes[1] and sizes[0] < until:
        if sizes[1] + NEW > len(graph) or sizes[2] + NEW_PURSES > len(purses) or sizes[3] + NEW_SPLITS > len(after):
            return False
        look_at(workspace, graph, slots, purses, purse_slots, after, sizes)
        sizes[0] += 1
    return True


@within
def look_at(workspace: Any, graph: Any, slots: Any, purses: Any, purse_slots: Any, after: Any, sizes: Any) -> None:
    """Find what every choice in a position leads to."""
    here = graph[sizes[0]]
    points = np.zeros(8, np.int64)
    here.ahead[:] = NONE
    here.fright[:] = NONE
    workspace[1] = workspace[0]
    positions.set_out(workspace[1], here.key)
    hand, far = workspace[1].hand[0] + 0, workspace[1].length + 1
    for second in range(2):
        same = second == 1 and workspace[1].place[0] == workspace[1].place[2]
        if workspace[1].place[2 * second] < far and not same and hand != ONLY_CHEST:
            for card in range(KINDS):
                if hand >> card & 1:
                    play(workspace, second, card, (card + 1) % KINDS)
                    here.ahead[second, card] = number_of(workspace[2], graph, slots, sizes, points)
                    play(workspace, second, card, card)
                    if workspace[2].phase == SPLIT:
                        number = purse_of(workspace, graph, slots, purses, purse_slots, after, sizes, points)
                        here.fright[second, card] = FISTS - number
                    else:
                        here.fright[second, card] = number_of(workspace[2], graph, slots, sizes, points)
    workspace[2] = workspace[1]
    positions.bank(workspace[2])
    here.chest = number_of(workspace[2], graph, slots, sizes, points)


@kernel
def play(workspace: Any, second: int, card: int, niche: int) -> None:
    """Play a card for a dwarf against a niche, beside the position where that is done."""
    workspace[2] = workspace[1]
    positions.play_round(workspace[2], second, card, niche)


@kernel
def number_of(game: Any, graph: Any, slots: Any, sizes: Any, points: Any) -> int:
    """Find the number of a position, a new one if need be; of a finished game how it ended for seat 0."""
    if game.to_move == TERMINAL:
        scores(game, points[:4])
        winners(game, points[:4], points[4:])
        return WON if points[5] == 0 else LOST if points[4] == 0 else SHARED
    key = positions.key_of(game)
    slot = find(slots, graph, key)
    if slots[slot] == 0:
        slots[slot] = sizes[1]
        graph[sizes[1]].key = key
        sizes[1] += 1
    return slots[slot]


@within
def purse_of(
    workspace: Any, graph: Any, slots: Any, purses: Any, purse_slots: Any, after: Any, sizes: Any, points: Any
) -> int:
    """Find the number of a purse to be split, and what follows for every number of coins that may be lost."""
    key = positions.key_of(workspace[2])
    slot = find(purse_slots, purses, key)
    if purse_slots[slot] == 0:
        new = purses[sizes[2]]
        purse_slots[slot] = sizes[2]
        new.key, new.first, new.coins = key, sizes[3], workspace[2].purse[0]
        sizes[2] += 1
        sizes[3] += workspace[2].purse[0] + 1
        for lost in range(workspace[2].purse[0] + 1):
            workspace[3] = workspace[2]
            positions.lose(workspace[3], lost)
            after[new.first + lost] = number_of(workspace[3], graph, slots, sizes, points)
    return purse_slots[slot]

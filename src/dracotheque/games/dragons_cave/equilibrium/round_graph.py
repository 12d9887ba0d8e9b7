"""Dragon's Cave for two as a graph: positions at the beginning of a round are nodes, outcomes of rounds are edges.

The compiled rules play every round; `positions.py` encodes a position as a key.
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
FIRST = 3  # the number of the first position
NONE = -1  # an illegal choice
FISTS = -2  # less the number of a purse: what follows a fright with coins to split
MAX_NEW_PURSES = 2 * KINDS  # found by expanding one position: for each dwarf and card,
MAX_NEW_SPLITS = MAX_NEW_PURSES * (MOST_COINS + 1)  # every split of each,
MAX_NEW_POSITIONS = MAX_NEW_SPLITS + MAX_NEW_PURSES + 1  # after each split, each card that succeeds, and the Chest

Graph = np.dtype(
    [
        ("key", "i8"),
        ("ahead", "i4", (2, KINDS)),  # by dwarf and card: the same player goes on
        ("fright", "i4", (2, KINDS)),  # by dwarf and card: the other player goes on, perhaps after a split
        ("chest", "i4"),  # the other player goes on
    ]
)
Purse = np.dtype([("key", "i8"), ("first", "i4"), ("coins", "i4")])
"""A purse to be split: the index in `after` of what follows, from no coin lost to all lost."""


# --- Keys of positions --------------------------------------------------------------------------------------------
@kernel
def key_of(game: Any) -> int:
    """Return the key of a state in which a round begins or a purse is split."""
    return positions.key_of(game)


@kernel
def set_position(game: Any, key: int) -> None:
    """Write a position to an initial state: seat 0 leads the dwarves, seat 1 is the dragon, the round has begun."""
    positions.set_position(game, key)


# --- Hash tables --------------------------------------------------------------------------------------------------
@kernel
def find(slots: Any, known: Any, key: int) -> int:
    """Return the slot of a key in a hash table, or the empty slot where it belongs."""
    last = len(slots) - 1
    slot = (key * 0x1E3779B97F4A7C15 >> 20) & last
    while slots[slot] != 0 and known[slots[slot]].key != key:
        slot = (slot + 1) & last
    return slot


# --- Expanding ----------------------------------------------------------------------------------------------------
@kernel
def explore(
    workspace: Any, graph: Any, slots: Any, purses: Any, purse_slots: Any, after: Any, sizes: Any, most: int
) -> bool:
    """Expand up to `most` positions, which adds those that follow; return whether the memory sufficed.

    `workspace` has four records: the initial state and three to play on; `sizes` has the numbers of expanded positions,
    known positions, known purses and known splits.
    """
    until = sizes[0] + most
    while sizes[0] < sizes[1] and sizes[0] < until:
        if (
            sizes[1] + MAX_NEW_POSITIONS > len(graph)
            or sizes[2] + MAX_NEW_PURSES > len(purses)
            or sizes[3] + MAX_NEW_SPLITS > len(after)
        ):
            return False
        expand(workspace, graph, slots, purses, purse_slots, after, sizes)
        sizes[0] += 1
    return True


@within
def expand(workspace: Any, graph: Any, slots: Any, purses: Any, purse_slots: Any, after: Any, sizes: Any) -> None:
    """Write what every choice in a position leads to."""
    here = graph[sizes[0]]
    points = np.zeros(8, np.int64)
    here.ahead[:] = NONE
    here.fright[:] = NONE
    workspace[1] = workspace[0]
    positions.set_position(workspace[1], here.key)
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
    """Play a card for a dwarf against a niche: from record 1 of the workspace to record 2."""
    workspace[2] = workspace[1]
    positions.play_round(workspace[2], second, card, niche)


@kernel
def number_of(game: Any, graph: Any, slots: Any, sizes: Any, points: Any) -> int:
    """Return the number of a position, a new one if it is not known; of a finished game its result for seat 0."""
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
    """Return the number of a purse to be split; add what follows for every number of coins that may be lost."""
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

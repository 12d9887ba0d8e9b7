"""Dragon's Cave for two as numbers: where everything stands in the key of a position, and in what a network sees of it.

A position is told at the beginning of a round, from the side of who leads the dwarves: that one's cards, both players'
dwarves (which of a player's two is which does not matter), purses and chests. Who is the dragon has all cards, and the
treasure has the other coins.
"""

from __future__ import annotations

from typing import Any

from dracotheque.engine.value_network import MOST_SEATS, evaluator_type
from dracotheque.games.dragons_cave.rules.state import KINDS

# --- Keys: from the lowest bits on the chests of dragon and leader, purses, places of dwarves, and the leader's cards
BITS, MASK = 6, 63
PURSE = 3 * BITS
FAR_DWARF, NEAR_DWARF = 6 * BITS, 7 * BITS  # of the leader's two
HAND = 8 * BITS
OPENING = ((1 << KINDS) - 1) << HAND

# --- Ways a round may go: of which dwarf and card, times WAYS, and 0 where it goes well, else 1 + coins lost
WAYS = 64
BANK = -1  # the Chest is played
ENDED_LOST, ENDED_SHARED, ENDED_WON = -4, -3, -2  # for a key where the game is over, as who led the dwarves has it

HURRY = 1e-4
"""So likely is a game thought to be called off and shared when roles change: else two could bank for ever."""


def after_change(lead: Any) -> Any:
    """What a lead over half of the victory leaves when roles change and the game may be called off."""
    return 0.5 + (1 - HURRY) * lead


# --- What a network sees
LONGEST = 20  # spaces of a path
PLACES = LONGEST + 2
COINS, LEAD, LEFT = 16, 20, 45  # a fuller purse, a longer lead and a larger treasure are all the same to it
SIGHT = 4 * PLACES + KINDS + 2 * COINS + 2 * (2 * LEAD + 1) + LEFT + 4
INPUTS = SIGHT + MOST_SEATS
Mind = evaluator_type(SIGHT)

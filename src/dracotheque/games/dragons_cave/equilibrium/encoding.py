"""Dragon's Cave for two as numbers: the bits of a position's key, and the input of the value network.

A position is encoded at the beginning of a round, from the side of the player who leads the dwarves: the cards of that
player, both players' dwarves (the two of a player are interchangeable), purses and chests. The dragon has all cards,
and the treasure has the other coins.
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

# --- Outcomes of a round: (dwarf and card) times CARD_OUTCOMES, plus 0 for a card that succeeds, else 1 + coins lost
CARD_OUTCOMES = 64
BANK = -1  # the Chest is played
ENDED_LOST, ENDED_SHARED, ENDED_WON = -4, -3, -2  # in place of a key: the result for who led the dwarves

STOP_PROBABILITY = 1e-4
"""The probability that a game is stopped and shared when roles change: without it two could bank for ever."""


def after_change(lead: Any) -> Any:
    """Return the value of a lead over one half when roles change and the game may be stopped."""
    return 0.5 + (1 - STOP_PROBABILITY) * lead


# --- The input of the network
LONGEST = 20  # spaces of a path
PLACES = LONGEST + 2
COINS, LEAD, LEFT = 16, 20, 45  # limits: a fuller purse, a longer lead and a larger treasure are not distinguished
SIGHT = 4 * PLACES + KINDS + 2 * COINS + 2 * (2 * LEAD + 1) + LEFT + 4
INPUTS = SIGHT + MOST_SEATS
Evaluator = evaluator_type(SIGHT)

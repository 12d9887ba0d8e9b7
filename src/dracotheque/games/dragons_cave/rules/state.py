"""Dragon's Cave's state: the record, and the numbers of places, actions and outcomes."""

from __future__ import annotations

import numpy as np

VERSION = 1
"""The rules version: raised when a change would let a stored game end otherwise, a change of board.toml included."""

SEATS, DWARVES, KINDS = 4, 4, 5
MOST_SPACES, MOST_COINS = 40, 60  # the longest path and the richest treasure a board may have

# Places: 0 is the start, 1 to `length` the path, then one niche of the lair for every kind.
START = 0

# Cards: 0–4 are the kinds of space; a hand is a set of cards, one bit each.
CHEST = KINDS
CARDS = KINDS + 1
WHOLE_HAND, ONLY_CHEST = (1 << CARDS) - 1, 1 << CHEST
NO_CARD, SEALED_CARD = CARDS, CARDS + 1

# The left fist of a frightened player holds 0–60 coins, or:
NO_SPLIT, TO_SPLIT, SEALED_SPLIT = MOST_COINS + 1, MOST_COINS + 2, MOST_COINS + 3

State = np.dtype(
    [
        ("to_move", "i1"),  # a seat, CHANCE, SIMULTANEOUS or TERMINAL
        ("phase", "u1"),
        ("players", "u1"),
        ("open_chests", "u1"),  # option: 1 where everybody may look into the chests
        ("first_dragon", "u1"),  # option: the first dragon's seat + 1, or 0 to draw lots
        ("dragon_seat", "u1"),  # who is the dragon this round
        ("dragon", "u1"),  # the niche the dragon was put into last, KINDS before the first time
        ("waiting", "u1"),  # seats whose sealed choice is missing
        ("named", "u1"),  # with two players: which of the two dwarves the card is for
        ("guessing", "u1"),  # whose fists the dragon is looking at
        ("treasure", "u1"),  # coins left beside the lair
        ("ended", "u1"),
        ("hand", "u1", (SEATS,)),  # the cards a player can still play
        ("card", "u1", (SEATS,)),  # this round's card: sealed until the dragon is placed, then open
        ("left", "u1", (SEATS,)),  # coins in the left fist, the rest of the purse is in the right one
        ("due", "u1", (SEATS,)),  # coins this round's space shows
        ("purse", "u1", (SEATS,)),
        ("chest", "u1", (SEATS,)),
        ("place", "u1", (DWARVES,)),  # of every dwarf; with two players the third and fourth are the second ones
        ("length", "u1"),  # spaces of the path
        ("kind", "u1", (MOST_SPACES + 2,)),  # of every space of the path
        ("coins", "u1", (MOST_SPACES + 2,)),  # shown on every space; behind the last one what the lair pays
    ]
)

# Whose move: chance decides LOTS, players SEAL, PLACE, SPLIT and GUESS, nobody the rest.
LOTS, SEAL, PLACE, SPLIT, GUESS, OVER, REVEALED, COLLECTED, GUESSING, SETTLED = range(10)

# --- Actions ----------------------------------------------------------------------------------------------------
SECOND_DWARF = CARDS  # 0–5: seal that card; 6–11: seal it for the second dwarf (two players)
NICHE = 12  # + kind
LEFT_FIST, RIGHT_FIST = 17, 18
HOLD = 19  # + coins in the left fist
ACTIONS = HOLD + MOST_COINS + 1

# Chance: 0–3 the first dragon
OUTCOMES = SEATS

REFUSALS = (
    "",
    "end.over",
    "round.roles",
    "card.seal",
    "card.open",
    "card.last-chest",
    "dragon.place",
    "reveal.order",
    "fright.split",
    "fright.guess",
    "two.dwarves",
    "two.home",
)
(
    _, GAME_OVER, OTHER_ROLE, SEALED, NOT_IN_HAND, CHEST_LIES, DRAGON_PLACES, NOT_NOW, SPLIT_PURSE, DRAGON_GUESSES,
    ONE_DWARF_EACH, DWARF_HOME,
) = range(len(REFUSALS))  # fmt: skip

ENDINGS = ("end.lair", "end.treasure", "coins.shortage", "two.end")
IN_LAIR, NO_COIN_LEFT, SHORTAGE, BOTH_HOME = range(len(ENDINGS))

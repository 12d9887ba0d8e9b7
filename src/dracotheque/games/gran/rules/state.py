"""Gran's state: what lies on the map, and the numbers of points, choices and chances."""

from __future__ import annotations

import numpy as np

VERSION = 2
"""The rules version: raised when a change would let a stored game end otherwise, a change of board.toml included."""

SEATS, KINGDOMS = 6, 4
AMULETS, STONES, SIDES = 3, 16, 6
PATIENCE = 5  # rounds without a way to the ring until all stones are taken off the map
MOST_POINTS = 120

# A set of points is two numbers with a bit for each point; 60 bits a number stay clear of the sign.
WORDS, BITS = 2, 60
NOWHERE, NOBODY = MOST_POINTS, SEATS
NO_WAY = -1  # no set of points at all

# Kinds of point: black ones lie in a kingdom, white ones in none; the rest are symbols.
BLACK, WHITE, CRYSTAL, CITY, DRAGON, MAGIC, SWORD = range(7)

# The dragon cards: how strong, and how many.
STRENGTHS = (0, 2, 3, 4, 5, 6)
CARDS = (2, 4, 6, 6, 4, 2)
FACES = len(STRENGTHS)

State = np.dtype(
    [
        ("near", "i8", (MOST_POINTS * WORDS,)),  # the points that lines lead to, from every point
        ("white", "i8", (WORDS,)),  # the points of exile
        ("ground", "i8", (WORDS,)),  # where stones may lie: black and white points
        ("cities", "i8", (WORDS,)),
        ("dragons", "i8", (WORDS,)),
        ("land", "i8", (KINGDOMS * WORDS,)),  # where the ring may be laid down, by kingdom: black points and crystals
        ("stones", "i8", (WORDS,)),  # where stones lie
        ("kind", "u1", (MOST_POINTS,)),
        ("kingdom", "u1", (MOST_POINTS,)),  # KINGDOMS where there is none
        ("start", "u1"),  # the crystal where everybody begins
        ("to_move", "i1"),  # a seat, CHANCE or TERMINAL
        ("phase", "u1"),
        ("players", "u1"),
        ("target", "u1"),  # option: 0 the usual one, or 2, 3 or 4 seals less one
        ("starts", "u1"),  # option: the first player's seat + 1, or 0 to draw lots
        ("active", "u1"),  # whose turn it is
        ("origin", "u1"),  # where this move began
        ("flies", "u1"),  # 1 in the extra move of a duel's winner
        ("victim", "u1"),  # whom the knight that moves has just attacked
        ("strength", "u1"),  # of the dragon card just turned
        ("lifted", "u1"),  # where the stone in hand was taken from, or NOWHERE
        ("blocked", "u1"),  # how many in a row could not move
        ("cut_off", "u1"),  # rounds in a row in which nobody could walk to the ring
        ("ring", "u1"),  # where it lies, or NOWHERE while it is carried
        ("bearer", "u1"),  # who carries it, or NOBODY
        ("reserve", "u1"),  # stones that are not on the map
        ("waiting", "u1"),  # knights that have not set out yet, a bit each
        ("collared", "u1"),  # knights that must sit out a turn, a bit each
        ("ended", "u1"),
        ("deck", "u1", (FACES,)),  # dragon cards face down, by strength
        ("place", "u1", (SEATS,)),  # of every knight
        ("amulets", "u1", (SEATS,)),
        ("seals", "u1", (SEATS,)),  # the kingdoms whose seal a player has, a bit each
    ],
    align=True,
)

# Whose move: chance decides LOTS, DUEL and DIE, players FIRST, SECOND, EXILE, DROP, STONE and LIFT, nobody the rest.
LOTS, FIRST, SECOND, EXILE, DUEL, DIE, DROP, STONE, LIFT, OVER, ARRIVED, SETTLED, PASSED = range(13)

# --- Actions: a point of the map, or:
STAY = MOST_POINTS  # stop where the knight is
ACTIONS = STAY + 1

# --- Chance: 0–5 the first player, then the dragon card, then the die
FIRST_PLAYER, CARD, ROLL = 0, 6, 12
OUTCOMES = ROLL + SIDES

REFUSALS = (
    "",
    "end.seals",
    "turn.order",
    "turn.must-move",
    "move.lines",
    "move.no-return",
    "start.shared",
    "stone.block",
    "amulet.none",
    "city.peace",
    "attack.dragon",
    "attack.no-exile",
    "attack.exile",
    "ring.drop",
    "ring.reachable",
    "stone.place",
    "stone.ring",
    "stone.lift",
)
(
    _, GAME_OVER, OUT_OF_TURN, MUST_MOVE, NO_LINE, NO_RETURN, SHARED_START, STONE_THERE, NO_AMULET, PEACE, ONE_AMULET,
    EXILE_FULL, NOT_EXILE, NOT_FOR_RING, RING_UNREACHABLE, NOT_FOR_STONE, RING_WALLED_IN, NO_LIFT,
) = range(len(REFUSALS))  # fmt: skip

ENDINGS = ("end.seals",)
ENOUGH_SEALS = 0

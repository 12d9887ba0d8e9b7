"""Emerald's state: the record, and the numbers of places, actions and outcomes."""

from __future__ import annotations

import numpy as np

VERSION = 1
"""The rules version: raised when a change would let a stored game end otherwise."""


# --- Places: start places 0–4, fields 5–10, caves 11–19, the chamber, the nest, 22 (not in play) ------------
TOWERS, FIRST_FIELD, FIRST_CAVE, CHAMBER, NEST, BOX = 4, 5, 11, 20, 21, 22
CAVES = CHAMBER - FIRST_CAVE
ROD_LENGTH, LAST_ROD = 4, CAVES - 4
NOWHERE = 255
TREASURES = 4
COLOURS, KNIGHTS, SEATS, KINDS, VALUES = 5, 5, 5, 4, 5
LAIRWARD, PLAINWARD = 1, -1

State = np.dtype(
    [
        ("to_move", "i1"),  # a seat, CHANCE or TERMINAL
        ("phase", "u1"),
        ("players", "u1"),
        ("second_move", "u1"),  # option: 1 where the second move is compulsory
        ("open_gold", "u1"),  # option: 1 where gold stays face up
        ("starts", "u1"),  # option: the first player's seat + 1, or 0 to draw lots
        ("active", "u1"),  # whose turn it is
        ("moves", "u1"),  # knights moved this turn
        ("took", "u1"),  # 1 when this turn took a card
        ("colour", "u1"),  # of the knight moved last
        ("moved", "u1"),  # where that knight stands now
        ("ransomed", "u1"),  # where an own knight of that colour rests that bribed the dragon this turn
        ("victim", "u1"),  # colour of the captured knight
        ("victim_moved", "u1"),  # 1 when the captured knight is the one moved last
        ("dealt", "u1"),  # piles laid out so far
        ("turning", "u1"),  # pile whose top card is taken or turned
        ("dragon", "u1"),  # its cave, 0–8
        ("facing", "i1"),
        ("rod", "u1"),  # the first of its four caves
        ("treasures_left", "u1"),
        ("four_gems", "u1"),  # seat + 1 of the owner of that bonus
        ("ended", "u1"),
        ("knights", "u1", (COLOURS, KNIGHTS)),  # the place of every knight, rising
        ("crowd", "u1", (CHAMBER,)),  # knights of all colours on a place
        ("in_play", "u1", (COLOURS,)),
        ("pile", "u1", (2 * CAVES,)),  # cards left: gems of caves 1–9, then gold of caves 1–9
        ("top", "u1", (2 * CAVES,)),  # the face-up card: kind of gem 0–3, or gold value - 1
        ("unseen", "u1", (KINDS + VALUES,)),  # cards nobody has seen: gems by kind, then gold by value
        ("gems", "u1", (SEATS, KINDS)),
        ("gold", "u1", (SEATS, VALUES)),
        ("treasures", "u1", (SEATS,)),
    ]
)

# Whose move: chance decides LOTS, REVEAL and DIE, a player MOVE, CARD, VICTIM and BRIBE, nobody the rest.
LOTS, REVEAL, DIE, MOVE, CARD, VICTIM, BRIBE, OVER, TAKE, STIR, CAPTURED, LOST, FLOWN, MOVED = range(14)

# --- Actions ----------------------------------------------------------------------------------------------------
SECOND_COLOUR = CHAMBER  # 0–19: move a knight from that place; 20–39: one of the second colour (two players)
PASS = 40
TAKE_GEM, TAKE_GOLD = 41, 42
CAPTURE = 43  # + colour
CAPTURE_MOVED = 48
SURRENDER = 49
PAY = 50  # + gold value - 1
ACTIONS = 55

# Chance: 0–4 the first player; 5–7 the die; 8–11 a gem; 12–16 a gold card
FIRST_PLAYER, ROLL, GEM, GOLD, OUTCOMES = 0, 5, 8, 12, 17

REFUSALS = (
    "",
    "end.at-once",
    "turn.order",
    "turn.one-or-two",
    "turn.same-knight",
    "option.second-move",
    "move.own-knight",
    "card.take",
    "dragon.victim",
    "bribe.owner-decides",
    "bribe.gold-only",
    "bribe.rests",
    "two.colours",
    "two.one-colour",
)
(
    _, GAME_OVER, NOT_YOUR_TURN, MOVE_FIRST, SAME_KNIGHT, SECOND_COMPULSORY, NO_KNIGHT, TAKE_FACE_UP,
    CHOOSE_VICTIM, OWNER_DECIDES, NO_SUCH_GOLD, RESTING, ONE_COLOUR_EACH, OTHER_COLOUR,
) = range(len(REFUSALS))  # fmt: skip

ENDINGS = ("end.treasures", "end.last-knight")

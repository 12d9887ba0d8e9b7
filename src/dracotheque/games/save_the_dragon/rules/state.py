"""Save the Dragon's state: who stands where on the stairs, and the numbers of spots, choices and chances."""

from __future__ import annotations

import numpy as np

from dracotheque.games.save_the_dragon.rules import rock_model

VERSION = 2
"""The rules version: raised when a change would let a stored game end otherwise."""

SEATS, STEPS, LANES, TOKENS = 4, 9, 3, 3

# A spot is (step - 1) * LANES + lane, lane 0 on the left of who climbs; then the places that are no spots.
SPOTS = STEPS * LANES
FLOOR, STANDS, CHAMBER, NOWHERE = range(SPOTS, SPOTS + 4)  # STANDS: the fate of a pawn to which nothing happened
GONE = LANES  # the lane of a rock that comes no more

# The dice: of the movement die the faces with one, two and three steps, of the action die rocks and shield-or-door.
STEP_FACES = (2, 2, 2)
ACTION_FACES = (3, 3)
HEAPED_STEPS, HEAPED_ACTIONS = (np.cumsum(faces, dtype=np.uint16) for faces in (STEP_FACES, ACTION_FACES))
ACTION_FROM = 2  # the action die is rolled after a movement die of this or less

State = np.dtype(
    [
        ("unseen", "u4"),  # while a rock falls: the spots of pawns it has not come to yet, a bit each
        ("to_move", "i1"),  # a seat, CHANCE or TERMINAL
        ("phase", "u1"),
        ("players", "u1"),
        ("starts", "u1"),  # option: the first player's seat + 1, or 0 to draw lots
        ("youngest", "u1"),  # option: who need not move shield or door: 0 nobody, 1 everybody, a seat + 2, or a set
        ("active", "u1"),  # whose turn it is
        ("die", "u1"),  # what the movement die shows; 0 before it is rolled
        ("shield", "u1"),  # its spot
        ("shut", "u1"),  # the lane of the door that is shut
        ("step", "u1"),  # the step to which the falling rock comes, 0 when none falls
        ("down", "u1"),  # how many steps those are from where it was seen before, the door to begin with
        ("above", "u1"),  # the rock's lane up there
        ("lane", "u1"),  # the rock's lane at this step, once it is seen
        ("course", "u1"),  # what it struck last, how it came into its lane, and whether just now; THROWN at first
        ("hit", "u1"),  # the pawn whose fate is being seen
        ("depth", "u1"),  # how many steps that pawn has come down
        ("ended", "u1"),
        ("place", "u1", (SEATS,)),  # of every pawn
        ("fate", "u1", (SEATS,)),  # what the rock did to every pawn: STANDS, the spot where it lies, FLOOR
        ("tokens", "u1", (SEATS,)),
    ],
    align=True,
)

YOUNGEST_SET = 6  # more than this in `youngest`, and a bit for each of several seats is left

# Whose move: chance decides LOTS to DIE, ACTION, LANE, FATE and SIDE, players WALK, CHANGE and THROW, nobody the rest.
LOTS, DOOR, NOTCH, DIE, WALK, ACTION, CHANGE, THROW, LANE, FATE, SIDE, OVER, FALLING, PASSED = range(14)

# --- Actions: a walk that ends on a spot and spends so many tokens, 27 for each number of them, or:
THROUGH = SPOTS * (TOKENS + 1)  # through the door of a lane
STAY = THROUGH + LANES  # no walk is possible
PUT_SHIELD = STAY + 1  # the shield to a spot
SHUT_DOOR = PUT_SHIELD + SPOTS  # the door to a lane
NO_CHANGE = SHUT_DOOR + LANES  # the youngest leave both where they are
LET_GO = NO_CHANGE + 1  # the rock through the door of a lane
ACTIONS = LET_GO + LANES
HALF = 2 * SPOTS  # a set of actions, a bit each, is two numbers: those before this one, and the others

# --- Chance: 0–3 the first player, then what is shut, the shield's notch, the dice, and the rock
SHUT, NOTCHED = SEATS, SEATS + LANES
ROLL = NOTCHED + SPOTS  # one to three steps
ROCK, SHIELD_OR_DOOR = ROLL + len(STEP_FACES), ROLL + len(STEP_FACES) + 1
ROCK_IN = SHIELD_OR_DOOR + 1  # lanes 0–2, GONE
DOWN = ROCK_IN + LANES + 1  # a pawn: stands, lies on its own step, 1–8 steps down, on the floor
FATES = STEPS + 2
TO_SIDE = DOWN + FATES  # the lane where it lies
OUTCOMES = TO_SIDE + LANES

# --- The rock: weights fitted to physical falls (rock_model.py), row after row, each heaped on those before it
TRAVEL, FELL, SHIFT = (
    np.cumsum(np.array(table, np.uint16), -1, np.uint16).ravel()
    for table in (rock_model.TRAVEL, rock_model.FELL, rock_model.SHIFT)
)
THROWN, FROM_LOWER, FROM_HIGHER, WAYS = 0, 2, 4, 6  # a course: how the rock came into its lane, straight if neither …
LONG_AGO = 1  # … one more where it has gone straight on since …
COURSES = 3 * WAYS  # … and WAYS more for each of what it struck: nothing, a pawn, the shield
FURTHER = 4  # steps from which on, but for a rock just thrown, it is all the same how many more they are
RELATIONS = 3 * 4 * 4 * 2 * 2  # how the rock comes, its distance before and now, the shield above, a pawn above
FAR = 2  # steps down from which a pawn scatters no further

REFUSALS = (
    "",
    "end.door",
    "turn.order",
    "move.steps",
    "move.full",
    "move.pass",
    "move.shield",
    "move.stuck",
    "token.spend",
    "door.shut",
    "change.must",
    "change.shield",
    "change.door",
    "rock.throw",
)
(
    _, GAME_OVER, OUT_OF_TURN, NO_WAY, NOT_FULL, OCCUPIED, SHIELD_THERE, MUST_WALK, NO_TOKEN, DOOR_SHUT, MUST_CHANGE,
    NOT_FOR_SHIELD, NOT_FOR_DOOR, NO_THROW,
) = range(len(REFUSALS))  # fmt: skip

ENDINGS = ("end.door",)
DRAGON_FREE = 0

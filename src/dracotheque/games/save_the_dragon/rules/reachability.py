"""Where a pawn can walk: sets of places, a bit each, the floor first, then the stairs from below, then the doors."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import compiled, rule
from dracotheque.games.save_the_dragon.rules.state import FLOOR, LANES, SEATS, SPOTS, STEPS

STAIRS = LANES  # the bit of the first spot: before it lies the floor, as wide as the stairs
DOORS = STAIRS + SPOTS  # the bit of the first door
ON_STAIRS = (1 << DOORS) - (1 << STAIRS)
ANYWHERE = (1 << DOORS + LANES) - (1 << STAIRS)
LEFTMOST = sum(1 << LANES * row for row in range(STEPS + 2))
RIGHTMOST = LEFTMOST << LANES - 1


@rule("setup.pawns")
def start(game: Any, seat: int) -> int:
    """Where a walk begins; on the floor at all three places, for every lowest spot is one step away."""
    place = game.place[seat] + 0
    return (1 << STAIRS) - 1 if place == FLOOR else 1 << STAIRS + place


@rule("move.shield", "door.shut")
def open_places(game: Any) -> int:
    """Where one can go: not onto the shield's spot, and not through the shut door."""
    return ANYWHERE & ~(1 << STAIRS + game.shield | 1 << DOORS + game.shut)


@rule("move.steps", "move.no-return")
def step_on(risen: int, left: int, right: int, ground: int) -> tuple[int, int, int]:
    """One step more: up, or to the side. Who has gone to one side may not go back, for no spot is visited twice.

    Given and returned are the places reached by a step up, to the left and to the right.
    """
    return (
        (risen | left | right) << LANES & ground,
        ((risen | left) & ~LEFTMOST) >> 1 & ground & ON_STAIRS,
        ((risen | right) & ~RIGHTMOST) << 1 & ground & ON_STAIRS,
    )


@compiled
def pawns(game: Any) -> int:
    """A bit for every spot where a pawn stands; those that are no spots have higher bits, which are cut off."""
    found = 0
    for seat in range(SEATS):
        found |= 1 << game.place[seat]
    return found & (1 << SPOTS) - 1


@rule("move.pass")
def free_places(game: Any) -> int:
    """Where a walk may end: other pawns may be passed, but nobody stops where one stands."""
    return ANYWHERE & ~(pawns(game) << STAIRS)


@compiled
def reached(game: Any, seat: int, length: int) -> int:
    """Where walks of a length lead, be it free or not."""
    risen, left, right, ground = start(game, seat), 0, 0, open_places(game)
    for _step in range(length):
        risen, left, right = step_on(risen, left, right, ground)
    return risen | left | right


@rule("move.full", "move.decline")
def longest(game: Any, seat: int, most: int) -> int:
    """The length of the longest walk of `most` steps or fewer, one through a door included; 0 where there is none."""
    found, free = 0, free_places(game)
    for length in range(1, most + 1):
        if reached(game, seat, length) & free != 0:
            found = length
    return found


@rule("move.door")
def doors_in_reach(game: Any, seat: int, most: int) -> int:
    """The lanes whose doors a walk of `most` steps or fewer leads through, a bit each."""
    found = 0
    for length in range(1, most + 1):
        found |= reached(game, seat, length) >> DOORS
    return found

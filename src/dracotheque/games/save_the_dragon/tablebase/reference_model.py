"""Where the rock leaves two pawns, and which walks there are: worked out from the rulebook and the tables of the rock.

This shares nothing with the compiled rules but the numbers of `rock_model.py`: it is what they are checked against, and
quick enough to look ahead by one turn at a table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dracotheque.games.save_the_dragon.rules.rock_model import FELL, SHIFT, TRAVEL
from dracotheque.games.save_the_dragon.rules.state import FLOOR, GONE, LANES, SPOTS, STEPS

Pawns = tuple[int, int]
"""The places of the pawns of seat 0 and seat 1."""

STANDING = FLOOR + 1  # a fate: nothing happened; the others are the place where a pawn lies
FATES = STANDING + 1
NOWHERE = -1
Chances = NDArray[np.float64]
"""How likely each fate of a pawn is."""

UNTOUCHED = np.eye(FATES)[STANDING]
DOOR = SPOTS + 10  # the door of lane 0; the others follow
NEAREST = [sorted(range(LANES), key=lambda other: (abs(other - lane), other)) for lane in range(LANES)]
"""For every lane all lanes, the nearest first and of two the left one."""


class Rock(NamedTuple):
    """A rock on its way: the step where it was seen, its lane there, how it came into it, and what it struck."""

    step: int
    lane: int
    came: int = 0
    """0 straight from the door, 2 from a lower lane, 4 from a higher one; one more where it has gone straight since."""

    struck: int = 0
    """0 nothing, 1 a pawn, 2 the shield."""


def ends(pawns: Pawns, shield: int, door: int) -> dict[Pawns, float]:
    """Return where both pawns may be after a throw through a door, each with its chance."""
    stops = sorted({_step(place) for place in (*pawns, shield)} - {0}, reverse=True)
    lowest = min((_step(place) for place in pawns if place != FLOOR), default=STEPS + 1)
    paths = _fall(Rock(STEPS + 1, door), [stop for stop in stops if stop >= lowest], pawns, shield)
    # On each path of the rock the two pawns' fates do not depend on each other.
    fates: Any = sum(chance * np.outer(first, second) for chance, first, second in paths)
    found: dict[Pawns, float] = defaultdict(float)
    for one, two in np.argwhere(fates).tolist():
        found[righted(pawns, (one, two), shield)] += float(fates[one, two])
    return dict(found)


def _fall(
    rock: Rock, stops: list[int], pawns: Pawns, shield: int, chance: float = 1.0
) -> Iterator[tuple[float, Chances, Chances]]:
    """Follow the rock from stop to stop on all its paths; yield the chance of each and the fates of both pawns."""
    if not stops:
        yield chance, UNTOUCHED, UNTOUCHED
        return
    step, *further = stops
    for lane, likely in enumerate(_lanes(rock, step, shield)):
        if likely:
            here = _passed(rock, step, lane, pawns, shield)
            met = [_fate(rock, here, place, pawns, shield) if _on(place, step) else None for place in pawns]
            for total, first, second in _fall(here, further, pawns, shield, chance * likely):
                yield total, first if met[0] is None else met[0], second if met[1] is None else met[1]


def _on(place: int, step: int) -> bool:
    """Whether a place is on a step."""
    return place != FLOOR and place // LANES + 1 == step


def _lanes(rock: Rock, step: int, shield: int) -> list[float]:
    """The chances of the rock's lane at a step; one that has stopped comes no more."""
    if rock.lane == GONE:
        return [0.0, 0.0, 0.0, 1.0]
    down = rock.step - step
    way = down - 1
    if rock.step <= STEPS:
        way = STEPS + 4 * (6 * rock.struck + rock.came - 1) + min(down, 4) - 1
    weights = TRAVEL[way][rock.lane][shield % LANES if _on(shield, step) else LANES]
    return [weight / sum(weights) for weight in weights]


def _passed(rock: Rock, step: int, lane: int, pawns: Pawns, shield: int) -> Rock:
    """The rock once it has passed a step in a lane."""
    if rock.lane == GONE:
        return Rock(step, GONE)
    came = rock.came | 1 if lane == rock.lane else 2 if rock.lane < lane else 4
    if lane != GONE and (step - 1) * LANES + lane in pawns:
        return Rock(step, lane, came, 1)
    return Rock(step, lane, came, 2 if shield == (step - 1) * LANES + rock.lane else 0)


def _fate(before: Rock, now: Rock, place: int, pawns: Pawns, shield: int) -> Chances:
    """What may happen to a pawn to whose step the rock comes: it stands, lies on a spot, or on the floor."""
    down = before.step - now.step
    came = 0 if before.step > STEPS else 1 if down == 1 else 2
    lane, steps = place % LANES, place // LANES + 1
    off = [GONE if rock.lane == GONE else abs(rock.lane - lane) for rock in (before, now)]
    sheltered = shield in (place + LANES, place + 2 * LANES)
    below = any(_on(other, steps + 1) and other % LANES == lane for other in pawns)
    weights = FELL[(((came * 4 + off[0]) * 4 + off[1]) * 2 + sheltered) * 2 + below]
    total = sum(weights)
    found = np.zeros(FATES)
    found[STANDING] = weights[0] / total
    found[FLOOR] = sum(weights[steps + 1 :]) / total
    for depth in range(steps):
        aside = SHIFT[min(depth, 2)][lane]
        for other, weight in enumerate(aside):
            spot = (steps - 1 - depth) * LANES + other
            found[STANDING if spot == place else spot] += weights[1 + depth] / total * weight / sum(aside)
    return found


def righted(pawns: Pawns, fates: Pawns, shield: int) -> Pawns:
    """Set pawns up again that lie somewhere: the highest first, of two on a step that of the lower seat."""
    places = [place if fate == STANDING else NOWHERE for place, fate in zip(pawns, fates, strict=True)]
    lying = [seat for seat in (0, 1) if fates[seat] != STANDING]
    for seat in sorted(lying, key=lambda seat: (-_step(fates[seat]), seat)):
        places[seat] = _room(fates[seat], {*places, shield})
    return places[0], places[1]


def _step(place: int) -> int:
    """The step of a place; 0 on the floor."""
    return 0 if place == FLOOR else place // LANES + 1


def _room(place: int, taken: set[int]) -> int:
    """The nearest free spot on the step of a place, of two the left one; else a step further down."""
    if place == FLOOR:
        return FLOOR
    row, lane = place // LANES * LANES, place % LANES
    for other in NEAREST[lane]:
        if row + other not in taken:
            return row + other
    return _room(place - LANES, taken) if row else FLOOR


# --- Walks ----------------------------------------------------------------------------------------------------------
def walks(place: int, other: int, shield: int, shut: int, die: int, tokens: int) -> set[tuple[int, int]] | None:
    """Where a walk may end, each with the tokens it takes; None where a door is in reach.

    Who can go nowhere stays: the place itself, for nothing.
    """
    reached = list(_reached(place, shield, shut, die + tokens))
    if any(end >= DOOR for ends in reached for end in ends):
        return None
    free = [ends - {other} for ends in reached]
    full = next((ends for ends in reversed(free[:die]) if ends), {place})
    return {(end, 0) for end in full} | {
        (end, spent) for spent in range(1, tokens + 1) for end in free[die + spent - 1]
    }


def _reached(place: int, shield: int, shut: int, most: int) -> Iterator[set[int]]:
    """Give for every length of a walk the places where it may lead, pawns or none; no spot is visited twice."""
    paths = {(place, frozenset((place,)))}
    for _ in range(most):
        paths = {
            (after, been | {after})
            for here, been in paths
            for after in _neighbours(here, shut)
            if after not in been and after != shield
        }
        yield {here for here, _ in paths}


def _neighbours(place: int, shut: int) -> list[int]:
    """The places one step further: up, to the left, to the right; behind a door the walk is over."""
    if place >= DOOR:
        return []
    if place == FLOOR:
        return list(range(LANES))
    lane, sides = place % LANES, []
    if lane > 0:
        sides.append(place - 1)
    if lane < LANES - 1:
        sides.append(place + 1)
    if place + LANES < SPOTS:
        return [*sides, place + LANES]
    return sides if lane == shut else [*sides, DOOR + lane]

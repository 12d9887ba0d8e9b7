"""Sets of points of Gran's map, and who can get where: two numbers a set, a bit for each point."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import compiled, rule, seats
from dracotheque.games.gran.rules.state import BITS, NOBODY, NOWHERE, NO_WAY, WORDS


# --- Sets -------------------------------------------------------------------------------------------------------
@compiled
def bit(point: int, word: int) -> int:
    """A set with one point, cut to one of its two numbers; empty for NOWHERE."""
    place = point - word * BITS
    return 1 << place if 0 <= place < BITS else 0


@compiled
def has(points: Any, point: int) -> bool:
    """Whether a point is in a set."""
    word = 1 if point >= BITS else 0
    return (points[word] >> (point - word * BITS)) & 1 == 1


@compiled
def is_in(low: int, high: int, point: int) -> bool:
    """Whether a point is in a set given by its two numbers."""
    return ((low & bit(point, 0)) | (high & bit(point, 1))) != 0


@compiled
def put(points: Any, point: int) -> None:
    """Put a point into a set."""
    for word in range(WORDS):
        points[word] |= bit(point, word)


@compiled
def take(points: Any, point: int) -> None:
    """Take a point out of a set."""
    for word in range(WORDS):
        points[word] &= ~bit(point, word)


@compiled
def lowest(bits: int) -> int:
    """The number of the lowest bit: halve, and see in which half it is."""
    number = 0
    if bits & 0xFFFFFFFF == 0:
        bits >>= 32
        number = 32
    if bits & 0xFFFF == 0:
        bits >>= 16
        number += 16
    if bits & 0xFF == 0:
        bits >>= 8
        number += 8
    if bits & 0xF == 0:
        bits >>= 4
        number += 4
    if bits & 0x3 == 0:
        bits >>= 2
        number += 2
    return number + 1 - (bits & 1)


@compiled
def first(low: int, high: int) -> int:
    """The first point of a set, NOWHERE where it is empty."""
    if low != 0:
        return lowest(low)
    return BITS + lowest(high) if high != 0 else NOWHERE


@compiled
def listed(bits: int, word: int, out: Any, count: int) -> int:
    """Write the points of half a set, in rising order, and say how many are written in all."""
    while bits != 0:
        out[count] = word * BITS + lowest(bits)
        bits &= bits - 1
        count += 1
    return count


# --- Who stands where -------------------------------------------------------------------------------------------
@compiled
def knight_at(game: Any, point: int, but: int) -> int:
    """Which knight stands on a point, one knight and those not yet set out left aside; NOBODY where none does."""
    found = NOBODY
    for seat in range(seats(game)):
        if game.place[seat] == point and seat != but and (game.waiting >> seat) & 1 == 0:
            found = seat
    return found


@compiled
def knights(game: Any, word: int, but: int) -> int:
    """Half of the points where knights stand, those that wait to set out included, one knight left aside."""
    found = 0
    for seat in range(seats(game)):
        if seat != but:
            found |= bit(game.place[seat] + 0, word)
    return found


@rule("attack.exile")
def free_exile(game: Any, word: int, attacker: int) -> int:
    """Half of the white points without stone and knight; the one the attacker left is free."""
    return game.white[word] & ~game.stones[word] & ~knights(game, word, attacker)


@rule("attack.no-exile")
def exile_is_full(game: Any, attacker: int) -> bool:
    """Nobody can be banished where no white point is free."""
    return (free_exile(game, 0, attacker) | free_exile(game, 1, attacker)) == 0


# --- Who can get where ------------------------------------------------------------------------------------------
@compiled(inline=False)
def flood(game: Any, seeds: tuple[int, int], goal: tuple[int, int], room: tuple[int, int]) -> tuple[int, int]:
    """Spread from some points along the lines within a room, step by step, until a goal is met or nothing is new."""
    low, high = seeds
    new_low, new_high = seeds
    while (new_low | new_high) != 0 and ((low & goal[0]) | (high & goal[1])) == 0:
        next_low, next_high = 0, 0
        while new_low != 0:
            at = lowest(new_low) * WORDS
            new_low &= new_low - 1
            next_low |= game.near[at]
            next_high |= game.near[at + 1]
        while new_high != 0:
            at = (BITS + lowest(new_high)) * WORDS
            new_high &= new_high - 1
            next_low |= game.near[at]
            next_high |= game.near[at + 1]
        new_low, new_high = next_low & room[0] & ~low, next_high & room[1] & ~high
        low, high = low | new_low, high | new_high
    return low, high


@compiled
def open_ground(game: Any, word: int, closed: int, opened: int) -> int:
    """Half of all points without a stone, had one more been laid and another been lifted."""
    stones = (game.stones[word] | bit(closed, word)) & ~bit(opened, word)
    return ~stones


@rule("ring.reachable", inline=False)
def reached(game: Any) -> tuple[int, int]:
    """Where some knight can walk; stones bar the way, dragons and knights do not."""
    seeds = (knights(game, 0, NOBODY), knights(game, 1, NOBODY))
    room = (open_ground(game, 0, NOWHERE, NOWHERE), open_ground(game, 1, NOWHERE, NOWHERE))
    return flood(game, seeds, (0, 0), room)


@rule("stone.ring", inline=False)
def way_to_ring(game: Any, closed: int, opened: int) -> tuple[int, int]:
    """Points among which some knight can walk to the ring, had a stone been laid and another been lifted.

    Only a stone on one of them could wall the ring in. None are needed while it is carried; NO_WAY where there is none.
    """
    if game.ring == NOWHERE:
        return 0, 0
    ring = (bit(game.ring + 0, 0), bit(game.ring + 0, 1))
    goal = (knights(game, 0, NOBODY), knights(game, 1, NOBODY))
    room = (open_ground(game, 0, closed, opened), open_ground(game, 1, closed, opened))
    low, high = flood(game, ring, goal, room)
    if ((low & goal[0]) | (high & goal[1])) == 0:
        return NO_WAY, NO_WAY
    return low, high


@compiled
def armed(game: Any, word: int) -> int:
    """Half of the points where knights with amulets stand."""
    found = 0
    for seat in range(seats(game)):
        if game.amulets[seat] > 0:
            found |= bit(game.place[seat] + 0, word)
    return found


@rule("ring.cut-off", inline=False)
def can_be_fetched(game: Any) -> bool:
    """Whether some knight can walk to the ring as things are: for one without amulets dragons bar the way too."""
    ring = (bit(game.ring + 0, 0), bit(game.ring + 0, 1))
    goal = (knights(game, 0, NOBODY), knights(game, 1, NOBODY))
    room = (open_ground(game, 0, NOWHERE, NOWHERE), open_ground(game, 1, NOWHERE, NOWHERE))
    tame = (~game.dragons[0] | goal[0], ~game.dragons[1] | goal[1])
    low, high = flood(game, ring, goal, (room[0] & tame[0], room[1] & tame[1]))
    if ((low & goal[0]) | (high & goal[1])) != 0:
        return True
    low, high = flood(game, ring, (armed(game, 0), armed(game, 1)), room)
    return ((low & armed(game, 0)) | (high & armed(game, 1))) != 0


@compiled(inline=False)
def hang_together(game: Any, point: int, opened: int) -> bool:
    """Whether one can walk from any neighbour of a point to any other along the neighbours: then nobody needs it."""
    low = game.near[point * WORDS] & open_ground(game, 0, NOWHERE, opened)
    high = game.near[point * WORDS + 1] & open_ground(game, 1, NOWHERE, opened)
    around = flood(game, (low & -low, 0) if low != 0 else (0, high & -high), (0, 0), (low, high))
    return around[0] == low and around[1] == high


@rule("stone.ring", inline=False)
def walls_in(game: Any, point: int, opened: int) -> bool:
    """Whether a stone on a point would part the ring, now in reach, from every knight."""
    return not hang_together(game, point, opened) and way_to_ring(game, point, opened)[0] == NO_WAY

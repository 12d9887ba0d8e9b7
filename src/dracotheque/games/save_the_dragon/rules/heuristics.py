"""Save the Dragon: the heuristic values of a choice, and of how a pawn stands."""

from typing import Any

from dracotheque.rules import compiled, seats
from dracotheque.games.save_the_dragon.rules.state import (
    FLOOR, LANES, LET_GO, NO_CHANGE, PUT_SHIELD, SHUT_DOOR, SPOTS, STAY, THROUGH, TOKENS,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.reachability import ANYWHERE, DOORS, LEFTMOST, RIGHTMOST, STAIRS

HOPES = (1000, 1000, 830, 660, 520, 420, 340, 280, 230, 190, 160, 130, 110, 90)  # so many steps from the dragon


@compiled
def hope(place: int, tokens: int, shield: int, shut: int) -> int:
    """The fewer steps to an open door, round the shield, the better; a token is a step that no rock takes away."""
    spots = (1 << STAIRS) - 1 if place == FLOOR else 1 << STAIRS + place
    ground, steps = ANYWHERE & ~(1 << STAIRS + shield | 1 << DOORS + shut), 0
    while spots >> DOORS == 0 and steps + 1 < len(HOPES):
        spots |= (spots << LANES | (spots & ~LEFTMOST) >> 1 | (spots & ~RIGHTMOST) << 1) & ground
        steps += 1
    return HOPES[max(steps - tokens, 0)]


@compiled
def stands(place: int, tokens: int, lane: int, shield: int, shut: int, rocks: int) -> int:
    """Hope, less what so many thirds of a rock take: most in its lane, little behind the shield or a shut door."""
    hit = 0 if place >= SPOTS else 70 if place % LANES == lane != shut else 15
    if shield == place + LANES or shield == place + 2 * LANES:
        hit //= 4
    high, low = hope(place, tokens, shield, shut), hope(FLOOR, min(tokens + 1, TOKENS), shield, shut)
    return high - rocks * hit * (high - low) // 300


@compiled
def action_heuristic(game: Any, seat: int, action: int) -> int:
    """Win if you can, keep tokens till then, climb under cover; bar the others' way and aim at who is high up."""
    if THROUGH <= action < STAY:
        return 1_000_000
    shield = action - PUT_SHIELD if PUT_SHIELD <= action < SHUT_DOOR else game.shield + 0
    shut = action - SHUT_DOOR if SHUT_DOOR <= action < NO_CHANGE else game.shut + 0
    total, rocks = 0, 3 if action >= LET_GO else 1
    for other in range(seats(game)):
        place, tokens = game.place[other] + 0, game.tokens[other] + 0
        if other == seat and action < THROUGH:
            place, tokens = action % SPOTS, tokens - action // SPOTS
        lane = action - LET_GO if action >= LET_GO else place % LANES
        total += stands(place, tokens, lane, shield, shut, rocks) * (1 if other == seat else -1)
    return 500_000 + 100 * total


@compiled
def state_heuristic(game: Any, seat: int) -> int:
    """The seat's progress as a share of that of all seats."""
    mine, total = 0, 0
    for other in range(seats(game)):
        found = hope(game.place[other] + 0, game.tokens[other] + 0, game.shield + 0, game.shut + 0)
        mine, total = found if other == seat else mine, total + found
    return 1000 * mine // total

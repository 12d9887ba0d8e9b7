"""Gran: the heuristic values of a choice, and of how a knight stands."""

from typing import Any

from dracotheque.rules import compiled, seats
from dracotheque.games.gran.rules.bitsets import bit, first, knight_at, knights
from dracotheque.games.gran.rules.mechanics import seal_count, wanted_seals
from dracotheque.games.gran.rules.state import AMULETS, CITY, DRAGON, EXILE, MOST_POINTS, NOBODY, SECOND
from dracotheque.games.gran.rules.state import STAY, STONE, WORDS


@compiled(inline=False)
def way(game: Any, start: int, goal: tuple[int, int], room: tuple[int, int]) -> int:
    """How many steps lead from a point to a goal, within a room; 20 where none do."""
    low, high, steps = bit(start, 0), bit(start, 1), 0
    while ((low & goal[0]) | (high & goal[1])) == 0 and steps < 20:
        left, right, steps = low, high, steps + 1
        while (left | right) != 0:
            at = first(left, right)
            left, right = left & ~bit(at, 0), right & ~bit(at, 1)
            low, high = low | game.near[at * WORDS] & room[0], high | game.near[at * WORDS + 1] & room[1]
    return steps


@compiled(inline=False)
def distance(game: Any, seat: int, point: int) -> int:
    """With the ring to a city whose seal I lack, else to the ring or its bearer; without amulets to a city, too."""
    there = game.ring + 0 if game.bearer == NOBODY else game.place[game.bearer] + 0
    low, high, flies = bit(there, 0), bit(there, 1), game.bearer == seat
    if flies or (game.bearer != NOBODY and game.amulets[seat] == 0):
        low, high = game.cities[0] & ~knights(game, 0, seat), game.cities[1] & ~knights(game, 1, seat)
        for sealed in range(MOST_POINTS):
            if game.seals[seat] >> game.kingdom[sealed] & 1 == 1:
                low, high = low & ~bit(sealed, 0), high & ~bit(sealed, 1)
    shut = game.cities[0] if flies else game.stones[0] | game.dragons[0] | knights(game, 0, seat)
    closed = game.cities[1] if flies else game.stones[1] | game.dragons[1] | knights(game, 1, seat)
    steps = way(game, point, (low, high), (~shut | low, ~closed | high))
    return steps if steps < 20 else 20 + way(game, point, (low, high), (~game.stones[0], ~game.stones[1]))


@compiled
def action_heuristic(game: Any, seat: int, action: int) -> int:
    """Rob the bearer, else go the shortest way round; the ring near me, stones and exiles far from me."""
    point, value, room = game.place[seat] + 0 if action == STAY else action, 0, (~game.stones[0], ~game.stones[1])
    if game.phase <= SECOND:
        victim = knight_at(game, point, seat)
        value = 0 if victim == NOBODY else 1000 if victim == game.bearer else -50
        value -= 20 * distance(game, seat, point) + (80 if game.kind[point] == DRAGON else 0)
        return 500_000 + 100 * (value + (15 * (AMULETS - game.amulets[seat]) if game.kind[point] == CITY else 0))
    for other in range(seats(game)):
        far = way(game, point, (bit(game.place[other] + 0, 0), bit(game.place[other] + 0, 1)), room)
        value += -20 * far if other == seat else 20 * far // (seats(game) - 1)
    return 500_000 + 100 * (-value if game.phase in (STONE, EXILE) else value)


@compiled
def state_heuristic(game: Any, seat: int) -> int:
    """Seals first, then the ring, then amulets, then how near the next goal is."""
    near = 5 * (20 - min(distance(game, seat, game.place[seat] + 0), 20)) + 10 * game.amulets[seat]
    return 700 * seal_count(game, seat) // wanted_seals(game) + 120 * (game.bearer == seat) + near

"""Players of Gran that try every choice out in short games of thought, and whole games among them in compiled code.

The rules are the library's own; nothing is hidden in Gran, so a player sees the table itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine.dispatch import (
    CHANCE,
    TERMINAL,
    apply_action,
    apply_chance,
    legal_actions,
    scores,
    to_move,
    winners,
)
from dracotheque.engine.jit import numba_dispatch
from dracotheque.engine.jit.kernels import kernel
from dracotheque.engine.rng import random_below, seeded
from dracotheque.engine.rule import compiled
from dracotheque.engine.rule_helpers import seats
from dracotheque.engine.sampling import draw
from dracotheque.games.gran import rules
from dracotheque.games.gran.rules.bitsets import bit, knight_at, knights, lowest
from dracotheque.games.gran.rules.mechanics import flies, seal_count, wanted_seals
from dracotheque.games.gran.rules.state import (
    ACTIONS,
    BITS,
    CITY,
    DIE,
    DRAGON,
    DROP,
    DUEL,
    EXILE,
    FIRST,
    KINGDOMS,
    LIFT,
    MOST_POINTS,
    NOBODY,
    NOWHERE,
    OUTCOMES,
    SEATS,
    SECOND,
    STAY,
    STONE,
    WORDS,
    State,
)

numba_dispatch.register(State, rules)

# --- How hard somebody thinks -------------------------------------------------------------------------------------
RANDOM, GREEDY = -1, 0
"""Strengths: RANDOM chooses blindly, GREEDY by rule of thumb, n > 0 tries every choice n times and the best again."""

WHIM = 50  # one choice in so many is made blindly there
ARMS = 8  # of many places for ring or stone, so many are tried out
LOOKS = 6  # and so many are looked at in a game of thought
TOO_LONG = 300  # rounds after which a game is given up: only random ones last so long

# --- What a player holds dear -------------------------------------------------------------------------------------
TRAITS = (
    "seal",  # the value of a seal
    "bear",  # to carry the ring at all
    "carry",  # to carry it into a city, less for every turn that takes
    "fetch",  # the ring where it lies, shared out by who comes first
    "hope",  # the same, for those who come later
    "chase",  # a bearer within reach
    "amulet",  # the first amulet; a further one counts half
    "discount",  # what is left of a promise after a turn
    "envy",  # how much the best of the others counts; the rest of them count for the rest of 1
    "ahead",  # how many rounds a game of thought goes on
)
SEAL, BEAR, CARRY, FETCH, HOPE, CHASE, AMULET, DISCOUNT, ENVY, AHEAD = range(len(TRAITS))
USUAL = (10.0, 2.0, 8.0, 9.0, 1.5, 2.5, 1.5, 0.85, 0.6, 0.67)

# --- What games add up to -----------------------------------------------------------------------------------------
SUMS = (
    "games", "unfinished", "rounds", "rounds_squared", "duels", "duels_won", "attacks", "robberies", "laid", "lifted",
    "first_seal_won", "with_duel", "with_attack", "with_robbery", "with_stone", "with_lift",
)  # fmt: skip

(
    GAMES, UNFINISHED, ROUNDS, ROUNDS_SQUARED, DUELS, DUELS_WON, ATTACKS, ROBBERIES, LAID, LIFTED,
    FIRST_SEAL_WON, WITH, *_,
) = range(len(SUMS))  # fmt: skip
SOME = (DUELS, ATTACKS, ROBBERIES, LAID, LIFTED)  # what may not happen at all in a game
LONGEST = 100  # rounds that are counted apart

ROOM = max(ACTIONS, OUTCOMES) + 1
FAR = 60  # steps to where there is no way
Table = np.dtype(
    [
        ("game", State),
        ("start", State),
        ("root", State),  # the table as it is while somebody thinks
        ("spare", State),
        ("stream", "u8", (1,)),
        ("out", "u4", (ROOM,)),
        ("weights", "u4", (ROOM,)),
        ("far", "u1", (MOST_POINTS, MOST_POINTS)),  # steps from point to point, were the map empty
        ("way", "u1", (MOST_POINTS,)),  # steps to where somebody wants to go
        ("arms", "u1", (ROOM,)),  # choices that are tried out
        ("values", "f8", (ROOM,)),
        ("share", "f8", (SEATS,)),
        ("strength", "i4", (SEATS,)),
        ("traits", "f8", (2, len(TRAITS))),  # of the guest, and of everybody else
        ("mover_traits", "f8", (len(TRAITS),)),  # of the seat that chooses
        ("before", "i8", (len(SUMS),)),
        ("sums", "i8", (len(SUMS),)),
        ("seals", "i8", (KINGDOMS,)),  # how many were won of each kingdom
        ("with_seal", "i8", (KINGDOMS,)),  # games with one of each
        ("won", "i8", (SEATS,)),  # in the order of the turns
        ("guest", "i8"),
        ("guest_won", "i8"),
        ("length", "i8", (LONGEST + 1,)),  # games by rounds
    ],
    align=True,
)


# --- The rules, each compiled once --------------------------------------------------------------------------------
@compiled(inline=False)
def act(game: Any, seat: int, action: int) -> None:
    """Carry out a choice."""
    apply_action(game, seat, action)


@compiled(inline=False)
def choices(game: Any, seat: int, out: Any) -> int:
    """List what a seat may choose."""
    return legal_actions(game, seat, out)


@compiled(inline=False)
def leave_to_chance(table: Any) -> None:
    """Draw what chance brings and carry it out."""
    apply_chance(table.game, draw(table))


# --- Distances ----------------------------------------------------------------------------------------------------
@compiled(inline=False)
def spread(game: Any, way: Any, goals: tuple[int, int], room: tuple[int, int]) -> None:
    """Write for every point how many steps within a room lead to the nearest goal."""
    low, high = goals
    room_low, room_high = room
    for point in range(MOST_POINTS):
        way[point] = FAR
    step = 0
    while (low | high) != 0:
        next_low, next_high = 0, 0
        room_low &= ~low
        room_high &= ~high
        while low != 0:
            point = lowest(low)
            low &= low - 1
            way[point] = step
            next_low |= game.near[point * WORDS]
            next_high |= game.near[point * WORDS + 1]
        while high != 0:
            point = BITS + lowest(high)
            high &= high - 1
            way[point] = step
            next_low |= game.near[point * WORDS]
            next_high |= game.near[point * WORDS + 1]
        low, high = next_low & room_low, next_high & room_high
        step += 1


@compiled
def turns(steps: int) -> int:
    """How many turns a way takes."""
    return (steps + 1) // 2


@compiled
def wanted_cities(game: Any, seat: int, word: int, free: bool) -> int:
    """Half of the cities whose seal a player lacks; only the free ones, if asked for."""
    found = 0
    bits = game.cities[word] + 0
    while bits != 0:
        point = word * BITS + lowest(bits)
        bits &= bits - 1
        lacks = (game.seals[seat] >> game.kingdom[point]) & 1 == 0
        if lacks and not (free and knight_at(game, point, seat) != NOBODY):
            found |= bit(point, word)
    return found


@compiled(inline=False)
def turns_to_seal(table: Any, seat: int, point: int) -> int:
    """How many turns a bearer needs from a point to the nearest city whose seal is missing."""
    game, nearest = table.game, FAR
    for word in range(WORDS):
        bits = wanted_cities(game, seat, word, False)
        while bits != 0:
            nearest = min(nearest, table.far[point, word * BITS + lowest(bits)] + 0)
            bits &= bits - 1
    return turns(nearest)


# --- The value of a position -----------------------------------------------------------------------------------
@compiled
def power(base: float, exponent: int) -> float:
    """Multiply a number by itself."""
    product = 1.0
    for _ in range(min(exponent, 30)):
        product *= base
    return product


@compiled
def standing(table: Any, seat: int) -> float:
    """What a player has: seals, amulets, and no collar."""
    game, traits = table.game, table.mover_traits
    amulets = game.amulets[seat]
    value = traits[SEAL] * seal_count(game, seat) + traits[AMULET] * (0.5 * min(amulets, 1) + 0.5 * amulets)
    return value - 0.8 * ((game.collared >> seat) & 1)


@compiled
def nobody_gets_there(table: Any) -> bool:
    """Whether no knight has a way."""
    nearest = FAR
    for seat in range(seats(table.game)):
        nearest = min(nearest, table.way[table.game.place[seat]] + 0)
    return nearest == FAR


@compiled(inline=False)
def weigh(table: Any) -> None:
    """Write the value of the position to every seat: what it has, and what the ring promises."""
    game, share, traits = table.game, table.share, table.mover_traits
    total = 0.0
    if game.bearer == NOBODY and game.ring != NOWHERE:
        # Dragons bar the way, but nobody is lost who stands on one; where no other way is left one must fight.
        low = ~game.stones[0] & ~game.dragons[0] | knights(game, 0, NOBODY)
        high = ~game.stones[1] & ~game.dragons[1] | knights(game, 1, NOBODY)
        spread(game, table.way, (bit(game.ring + 0, 0), bit(game.ring + 0, 1)), (low, high))
        if nobody_gets_there(table):
            spread(game, table.way, (bit(game.ring + 0, 0), bit(game.ring + 0, 1)), (~game.stones[0], ~game.stones[1]))
        for seat in range(seats(game)):
            # The seat next to move is half a turn ahead of the last one.
            wait = (seat - game.active + seats(game) - 1) % seats(game) / seats(game)
            arrives = turns(table.way[game.place[seat]] + 0) + ((game.collared >> seat) & 1)
            share[seat] = power(0.6, arrives) * (1.0 - 0.4 * wait) + 1e-9
            total += share[seat]
        for seat in range(seats(game)):
            arrives = turns(table.way[game.place[seat]] + 0)
            later = power(traits[DISCOUNT], arrives + turns_to_seal(table, seat, game.ring + 0))
            share[seat] = (traits[FETCH] * share[seat] / total + traits[HOPE]) * later
    else:
        for seat in range(seats(game)):
            if game.bearer == seat:
                later = power(traits[DISCOUNT], turns_to_seal(table, seat, game.place[seat] + 0))
                share[seat] = traits[BEAR] + traits[CARRY] * later
            elif game.bearer != NOBODY and game.amulets[seat] > 0:
                steps = table.far[game.place[seat], game.place[game.bearer]] + 0
                share[seat] = traits[CHASE] * power(0.75, turns(steps))
            else:
                share[seat] = 0.0
    for seat in range(seats(game)):
        share[seat] += standing(table, seat)


@compiled(inline=False)
def value_of(table: Any, seat: int) -> float:
    """Return the value of the position to a seat: what it has and may hope for, less what the others have."""
    game = table.game
    if to_move(game) == TERMINAL:
        return 5.0 * table.mover_traits[SEAL] * (1.0 if seal_count(game, seat) == wanted_seals(game) else -1.0)
    weigh(table)
    most, total = 0.0, 0.0
    for other in range(seats(game)):
        if other != seat:
            most = max(most, table.share[other])
            total += table.share[other]
    envy = table.mover_traits[ENVY]
    return table.share[seat] - envy * most - (1.0 - envy) * total / (seats(game) - 1)


# --- The rule of thumb --------------------------------------------------------------------------------------------
@compiled(inline=False)
def look_ahead(table: Any, seat: int) -> None:
    """Write for every point how far it is from where a knight wants to go.

    The bearer wants a city, others the ring, or its bearer; without amulets the bearer is no use, and a city is. Where
    stones leave only dragons on the way, one must fight, or fetch an amulet first.
    """
    game = table.game
    low, high = 0, 0
    others = (knights(game, 0, seat), knights(game, 1, seat))
    if game.bearer == seat:
        low, high = wanted_cities(game, seat, 0, True), wanted_cities(game, seat, 1, True)
    elif game.bearer == NOBODY:
        low, high = bit(game.ring + 0, 0), bit(game.ring + 0, 1)
    elif game.amulets[seat] > 0:
        low, high = bit(game.place[game.bearer] + 0, 0), bit(game.place[game.bearer] + 0, 1)
    else:
        low, high = game.cities[0] & ~others[0], game.cities[1] & ~others[1]
    if game.bearer == seat:
        # A city whose seal the bearer has would hold it up.
        spread(game, table.way, (low, high), (~game.cities[0], ~game.cities[1]))
    else:
        room_low = ~(game.stones[0] | game.dragons[0] | others[0])
        room_high = ~(game.stones[1] | game.dragons[1] | others[1])
        spread(game, table.way, (low, high), (room_low, room_high))
        if table.way[game.place[seat]] == FAR:
            if game.amulets[seat] > 0:
                spread(game, table.way, (low, high), (~game.stones[0], ~game.stones[1]))
            else:
                spread(
                    game, table.way, (game.cities[0] & ~others[0], game.cities[1] & ~others[1]), (room_low, room_high)
                )


@compiled
def reluctance(table: Any, seat: int, action: int, stops: bool) -> float:
    """How far a step leads from where the knight wants to be; attacks, duels and cities count as steps."""
    game = table.game
    point = game.place[seat] + 0 if action == STAY else action
    cost = 2.0 * table.way[point]
    if not stops:
        return cost
    victim = knight_at(game, point, seat)
    if victim != NOBODY:
        cost += -100.0 if victim == game.bearer else 5.0
    if game.kind[point] == DRAGON:
        cost += 8.0 if game.bearer == seat else 4.0
    if game.kind[point] == CITY:
        cost -= 1.5 * (3 - game.amulets[seat])
    return cost


@compiled(inline=False)
def stride(table: Any, seat: int) -> int:
    """Take the step that leads nearest to where the knight wants to go; chance decides between equal ones."""
    game = table.game
    look_ahead(table, seat)
    count = choices(game, seat, table.out)
    best, least = 0, 1e9
    for i in range(count):
        action = table.out[i] + 0
        stops = game.phase == SECOND or not flies(game, seat)
        cost = reluctance(table, seat, action, stops) + random_below(table.stream, 1024) / 1024
        if cost < least:
            best, least = action, cost
    return best


@compiled(inline=False)
def best_look(table: Any, seat: int, count: int, looks: int) -> int:
    """Look at some of the choices listed in `out` and take the one with the highest value after it."""
    table.spare = table.game
    best, most = 0, -1e9
    for look in range(min(looks, count)):
        # Draw without putting back: what was looked at changes places with the first that was not.
        i = look + random_below(table.stream, count - look)
        action = table.out[i] + 0
        table.out[i] = table.out[look]
        table.out[look] = action
        act(table.game, seat, action)
        value = value_of(table, seat)
        table.game = table.spare
        if value > most:
            best, most = action, value
    return best


@compiled(inline=False)
def by_thumb(table: Any, seat: int, looks: int) -> int:
    """Choose by rule of thumb, looking at that many places for ring, stone or exile."""
    game = table.game
    if game.phase in (FIRST, SECOND):
        return stride(table, seat)
    count = choices(game, seat, table.out)
    if looks == 1 or (looks < ROOM and game.phase != DROP):
        return table.out[random_below(table.stream, count)] + 0
    return best_look(table, seat, count, looks)


@compiled
def turn_begins(game: Any) -> bool:
    """Whether a turn has just begun: a first step, and not that of an extra move."""
    return game.phase == FIRST and game.flies == 0


# --- Trying out ---------------------------------------------------------------------------------------------------
@compiled(inline=False)
def think(table: Any, seat: int) -> float:
    """Play on by rule of thumb for some rounds, with a whim now and then, and say what came of it."""
    game = table.game
    left = int(table.mover_traits[AHEAD] * seats(game))
    while to_move(game) != TERMINAL and left > 0:
        mover = to_move(game)
        if mover == CHANCE:
            leave_to_chance(table)
        elif random_below(table.stream, WHIM) == 0:
            act(game, mover, table.out[random_below(table.stream, choices(game, mover, table.out))] + 0)
        else:
            act(game, mover, by_thumb(table, mover, LOOKS))
        left -= turn_begins(game)
    # The sooner a game is won the better, and the later it is lost.
    return value_of(table, seat) * (1.0 + 0.01 * left)


@compiled
def list_arms(table: Any, seat: int) -> int:
    """List the choices to try out: all, or of many those with the highest values after them."""
    count = choices(table.game, seat, table.out)
    for i in range(count):
        table.arms[i] = table.out[i]
        table.values[i] = 0.0
    if count > ARMS:
        for i in range(count):
            act(table.game, seat, table.arms[i] + 0)
            table.values[i] = value_of(table, seat) + random_below(table.stream, 1024) / 10240
            table.game = table.root
        rank(table, count, ARMS)
    return min(count, ARMS)


@compiled(inline=False)
def rank(table: Any, count: int, best: int) -> None:
    """Bring so many of the best choices to the front."""
    arms, value = table.arms, table.values
    for i in range(best):
        top = i
        for j in range(i + 1, count):
            if value[j] > value[top]:
                top = j
        arm, most = arms[top] + 0, value[top] + 0.0
        arms[top] = arms[i]
        value[top] = value[i]
        arms[i] = arm
        value[i] = most


@compiled(inline=False)
def try_out(table: Any, seat: int, times: int) -> int:
    """Try every choice out, then the better half twice as often, and so on until one is left."""
    table.root = table.game
    count = list_arms(table, seat)
    for i in range(count):
        table.values[i] = 0.0
    tried = 0
    while count > 1:
        for i in range(count):
            total = table.values[i] * tried
            for _ in range(times):
                table.game = table.root
                act(table.game, seat, table.arms[i] + 0)
                total += think(table, seat)
            table.values[i] = total / (tried + times)
        tried += times
        times *= 2
        rank(table, count, count)
        count = (count + 1) // 2
    table.game = table.root
    return table.arms[0] + 0


@compiled(inline=False)
def choose(table: Any, seat: int) -> int:
    """Choose as a player of this seat's strength does."""
    strength = table.strength[seat] + 0
    for trait in range(len(TRAITS)):
        table.mover_traits[trait] = table.traits[0 if seat == table.guest else 1, trait]
    if strength == RANDOM:
        return table.out[random_below(table.stream, choices(table.game, seat, table.out))] + 0
    return by_thumb(table, seat, ROOM) if strength == GREEDY else try_out(table, seat, strength)


# --- Whole games --------------------------------------------------------------------------------------------------
@compiled
def note(table: Any) -> None:
    """Count what a choice is about to do."""
    game, sums = table.game, table.sums
    if game.phase == EXILE:
        sums[ATTACKS] += 1
    elif game.phase == STONE:
        sums[LAID] += game.lifted == NOWHERE
    elif game.phase == LIFT:
        sums[LIFTED] += 1


@compiled
def play(table: Any) -> int:
    """Play a game to its end; say who won the first seal."""
    game, sums = table.game, table.sums
    rounds, first_seal = 1, NOBODY
    while to_move(game) != TERMINAL and rounds < TOO_LONG:
        seat, active, bearer, collared = to_move(game), game.active + 0, game.bearer + 0, game.collared + 0
        phase = game.phase + 0
        before = game.seals[active] + 0
        if seat == CHANCE:
            leave_to_chance(table)
        else:
            action = choose(table, seat)
            note(table)
            act(game, seat, action)
        sums[DUELS] += phase == DUEL
        sums[DUELS_WON] += phase == DIE and game.collared == collared
        sums[ROBBERIES] += bearer < NOBODY and game.bearer < NOBODY and game.bearer != bearer
        gained = game.seals[active] & ~before
        if gained != 0:
            table.seals[lowest(gained + 0)] += 1
            first_seal = active if first_seal == NOBODY else first_seal
        # Somebody may be the only one who can move.
        rounds += turn_begins(game) and game.active <= active
    sums[ROUNDS] += rounds
    sums[ROUNDS_SQUARED] += rounds * rounds
    table.length[min(rounds, LONGEST)] += 1
    return first_seal


@compiled
def tally(table: Any, first_seal: int, guest: int) -> None:
    """Add a finished game to the sums."""
    game, sums, points, won = table.game, table.sums, table.out, table.weights
    sums[GAMES] += 1
    sums[UNFINISHED] += to_move(game) != TERMINAL
    scores(game, points)
    winners(game, points, won)
    any_seal = 0
    for seat in range(seats(game)):
        table.won[seat] += won[seat]
        any_seal |= game.seals[seat]
        sums[FIRST_SEAL_WON] += won[seat] * (seat == first_seal)
        table.guest_won += won[seat] * (seat == guest)
    for kingdom in range(KINGDOMS):
        table.with_seal[kingdom] += (any_seal >> kingdom) & 1
    for i in range(len(SOME)):
        sums[WITH + i] += sums[SOME[i]] > table.before[SOME[i]]


@kernel
def play_games(tables: Any, seed: int, first: int, count: int, guest_strength: int, strength: int) -> None:
    """Play games of a seed; in every seat in turn sits a guest of one strength among players of another."""
    table = tables[0]
    for number in range(first, first + count):
        table.game = table.start
        table.stream[0] = seeded(seed, number)
        guest = number % seats(table.start)
        table.guest = guest
        for seat in range(SEATS):
            table.strength[seat] = guest_strength if seat == guest else strength
        for i in range(len(SUMS)):
            table.before[i] = table.sums[i]
        tally(table, play(table), guest)

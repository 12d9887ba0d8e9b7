"""Save the Dragon for two as one big table of numbers, filled by value iteration over the compiled rules themselves.

A position is the beginning of a turn: whose it is, where that one's pawn stands and where the other's, the shield, the
shut door and both players' tokens. Its value is the chance that who rolls next frees the dragon, if both play as well
as possible and the rock falls as its model says. Seats and sides differ: of two pawns that fell on one step the
lower seat's is righted first, and of two free spots the left one is taken.
"""

# What Numba compiles is not checked here.
# pyright: basic
from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine.jit.kernels import kernel, within
from dracotheque.games.save_the_dragon.rules.actions import apply_chance, chance_outcomes, legal_changes, legal_walks
from dracotheque.games.save_the_dragon.rules.duel_evaluator import COUNTS, PLACES
from dracotheque.games.save_the_dragon.rules.mechanics import let_go
from dracotheque.games.save_the_dragon.rules.state import (
    ACTION_FROM,
    DIE,
    FLOOR,
    HALF,
    LANES,
    NOWHERE,
    OUTCOMES,
    PASSED,
    PUT_SHIELD,
    SEATS,
    SHUT_DOOR,
    SPOTS,
    STANDS,
    STAY,
    STEP_FACES,
    THROUGH,
    TOKENS,
    State,
)  # fmt: skip

__all__ = ["State"]

DICE = len(STEP_FACES)
WAITING = 200  # states of a fall that wait to be looked at: at most a dozen for each of its chances in a row


@kernel
def possible(mine: int, theirs: int, shield: int) -> bool:
    """Nobody stands where the shield or another pawn does."""
    return shield not in (mine, theirs) and (mine != theirs or mine == FLOOR)


@kernel
def set_out(game: Any, seat: int, mine: int, theirs: int, shield: int, shut: int) -> None:
    """Set both pawns, the shield and the door on the stairs; it is the turn of a seat."""
    game.players = 2
    game.active = seat
    game.to_move = seat
    game.shield = shield
    game.shut = shut
    game.hit = SEATS
    for each in range(SEATS):
        game.place[each] = NOWHERE
        game.fate[each] = STANDS
        game.tokens[each] = 0
    game.place[seat] = mine
    game.place[1 - seat] = theirs


# --- Falls --------------------------------------------------------------------------------------------------------
@kernel
def falls(waiting: Any, seat: int, first: int, last: int, starts: Any, chances: Any, places: Any) -> int:
    """List where both pawns may end after every throw of some situations, each with its chance; say how many."""
    ends = np.zeros(PLACES * PLACES)
    likely, out, weights = np.zeros(WAITING), np.zeros(OUTCOMES, np.int64), np.zeros(OUTCOMES, np.int64)
    count = 0
    for situation in range(first, last):
        starts[situation - first] = count
        door, rest = situation % LANES, situation // LANES
        shield, pawns = rest % SPOTS, rest // SPOTS
        mine, theirs = pawns // PLACES, pawns % PLACES
        if possible(mine, theirs, shield):
            set_out(waiting[0], seat, mine, theirs, shield, (door + 1) % LANES)
            fall(seat, waiting, likely, out, weights, ends, door)
            for end in range(PLACES * PLACES):
                if ends[end] > 0:
                    places[count] = end
                    chances[count] = ends[end]
                    count += 1
    starts[last - first] = count
    return count


@kernel
def fall(seat: int, waiting: Any, likely: Any, outcomes: Any, weights: Any, ends: Any, door: int) -> None:
    """Add up where both pawns may end when a seat throws the rock through a door; the first state waits for it."""
    ends[:] = 0.0
    let_go(waiting[0], door)
    likely[0] = 1.0
    count = 1
    while count > 0:
        count -= 1
        game = waiting[count]
        if game.phase in (DIE, PASSED):
            ends[game.place[seat] * PLACES + game.place[1 - seat]] += likely[count]
        else:
            count = spread(waiting, likely, outcomes, weights, count)


@within
def spread(waiting: Any, likely: Any, outcomes: Any, weights: Any, first: int) -> int:
    """Put what chance may bring in a waiting state into its place, and say how many wait now."""
    listed, total = chance_outcomes(waiting[first], outcomes, weights), 0.0
    for i in range(listed):
        total += weights[i]
    chance, count = likely[first], first
    for i in range(listed):
        if weights[i] > 0:
            waiting[count] = waiting[first]
            likely[count] = chance * weights[i] / total
            outcomes[count - first] = outcomes[i]
            count += 1
    for i in range(first, count):
        apply_chance(waiting[i], outcomes[i - first])
    return count


# --- One sweep ----------------------------------------------------------------------------------------------------
@kernel
def after_walks(
    workspace: Any, seat: int, mine: int, value: Any, after: Any, starts: Any, chances: Any, places: Any
) -> None:
    """Write into `after` the values of positions for a seat that has just walked and now rolls the action die."""
    game = workspace[0]
    left, least = np.zeros((COUNTS, COUNTS)), np.zeros((COUNTS, COUNTS))
    for theirs in range(PLACES):
        for shield in range(SPOTS):
            if possible(mine, theirs, shield):
                situation = (theirs * SPOTS + shield) * LANES
                for shut in range(LANES):
                    set_out(game, seat, mine, theirs, shield, shut)
                    out = after[seat, mine, theirs, shield, shut]
                    best_change(game, seat, value[1 - seat, theirs, mine], out)
                    least[:] = 1.0
                    for door in range(LANES):
                        if door != shut:
                            begin, end = starts[situation + door], starts[situation + door + 1]
                            throw(game, seat, value[1 - seat], chances[begin:end], places[begin:end], left)
                            least[:] = np.minimum(least, left)
                    out[:] = (out + 1.0 - least) / 2


@within
def best_change(game: Any, seat: int, value: Any, out: Any) -> None:
    """Move shield or door so that who rolls next has the least of it, for every number of tokens."""
    changes = legal_changes(game, seat)
    out[:] = 0.0
    for spot in range(SPOTS):
        if changes >> spot & 1:
            take_better(value[spot, game.shut], out)
    for lane in range(LANES):
        if changes >> SHUT_DOOR - PUT_SHIELD + lane & 1:
            take_better(value[game.shield, lane], out)


@within
def take_better(theirs: Any, out: Any) -> None:
    """Prefer what leaves less to the other, who rolls next."""
    for own in range(COUNTS):
        for other in range(COUNTS):
            out[own, other] = max(out[own, other], 1.0 - theirs[other, own])


@kernel
def throw(game: Any, seat: int, value: Any, chances: Any, places: Any, left: Any) -> None:
    """What a throw leaves to who rolls next, for every number of tokens: the mean over all its falls."""
    mine, theirs = game.place[seat] + 0, game.place[1 - seat] + 0
    left[:] = 0.0
    for number in range(len(places)):
        mine_then, theirs_then, chance = places[number] // PLACES, places[number] % PLACES, chances[number]
        more, more_theirs = mine_then == FLOOR and mine != FLOOR, theirs_then == FLOOR and theirs != FLOOR
        then = value[theirs_then, mine_then, game.shield, game.shut]
        for own in range(COUNTS):
            for other in range(COUNTS):
                left[own, other] += chance * then[min(other + more_theirs, TOKENS), min(own + more, TOKENS)]


@kernel
def turns(workspace: Any, seat: int, mine: int, value: Any, after: Any, better: Any) -> float:
    """Write into `better` the values for a seat that rolls next from a place; return the largest change."""
    game = workspace[0]
    most = 0.0
    for theirs in range(PLACES):
        for shield in range(SPOTS):
            if possible(mine, theirs, shield):
                for shut in range(LANES):
                    set_out(game, seat, mine, theirs, shield, shut)
                    out = better[seat, mine, theirs, shield, shut]
                    out[:] = 0.0
                    for own in range(COUNTS):
                        game.tokens[seat] = own
                        for die in range(1, DICE + 1):
                            game.die = die
                            add_best_walks(game, seat, value, after, out[own])
                    out[:] /= DICE
                    most = max(most, np.max(np.abs(out - value[seat, mine, theirs, shield, shut])))
    return most


@within
def add_best_walks(game: Any, seat: int, value: Any, after: Any, out: Any) -> None:
    """Add the value of the best walk after a roll of the die, for every number of the other's tokens."""
    low, high = legal_walks(game, seat)
    if high >> THROUGH - HALF & (1 << LANES) - 1:
        out[:] += 1.0  # through a door: the dragon is free
        return
    best = np.zeros(COUNTS)
    for action in range(THROUGH):
        chosen = low >> action if action < HALF else high >> action - HALF
        if chosen & 1:
            take_better_walk(game, seat, value, after, action % SPOTS, action // SPOTS, best)
    if high >> STAY - HALF & 1:
        take_better_walk(game, seat, value, after, game.place[seat] + 0, 0, best)
    out[:] += best


@within
def take_better_walk(game: Any, seat: int, value: Any, after: Any, place: int, spent: int, best: Any) -> None:
    """Prefer a walk of a higher value: after a one or two the action die is rolled, else the other's turn begins."""
    theirs, own = game.place[1 - seat] + 0, game.tokens[seat] - spent
    for other in range(COUNTS):
        if game.die <= ACTION_FROM:
            chance = after[seat, place, theirs, game.shield, game.shut, own, other]
        else:
            chance = 1.0 - value[1 - seat, theirs, place, game.shield, game.shut, other, own]
        best[other] = max(best[other], chance)

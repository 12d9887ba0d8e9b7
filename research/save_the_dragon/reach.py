"""Which positions of Save the Dragon for two can come up at all: everything that may follow from the opening.

A position is that of `stairs.py`, the beginning of a turn. Two tables of marks say what was found, and of what it is
known where it leads: one is of beginnings of turns, the other of pawns that have walked and now roll the action die.
"""

# What Numba compiles is not checked here.
# pyright: basic
from __future__ import annotations

from typing import Any

from dracotheque.engine.jit.kernels import kernel, within
from dracotheque.games.save_the_dragon.rules.actions import legal_changes, legal_walks
from dracotheque.games.save_the_dragon.rules.duel_evaluator import COUNTS, PLACES
from dracotheque.games.save_the_dragon.rules.state import (
    ACTION_FROM,
    FLOOR,
    HALF,
    LANES,
    PUT_SHIELD,
    SHUT_DOOR,
    SPOTS,
    STAY,
    THROUGH,
    TOKENS,
)  # fmt: skip
from research.save_the_dragon.stairs import DICE, possible, set_out

UNKNOWN, FOUND, DONE = 0, 1, 2


# --- Walking ------------------------------------------------------------------------------------------------------
@kernel
def walk_on(workspace: Any, seat: int, mine: int, turns: Any, walked: Any) -> int:
    """Walk on from every position found in which a seat rolls next from a place; say how many there were."""
    count = 0
    for theirs in range(PLACES):
        for shield in range(SPOTS):
            if possible(mine, theirs, shield):
                for shut in range(LANES):
                    set_out(workspace[0], seat, mine, theirs, shield, shut)
                    for own in range(COUNTS):
                        count += every_walk(workspace[0], seat, own, turns, walked)
    return count


@within
def every_walk(game: Any, seat: int, own: int, turns: Any, walked: Any) -> int:
    """Find where a seat's walks lead, for those numbers of the other's tokens that were found."""
    here = turns[seat, game.place[seat], game.place[1 - seat], game.shield, game.shut, own]
    count = 0
    for other in range(COUNTS):
        count += here[other] == FOUND
    if count > 0:
        game.tokens[seat] = own
        for die in range(1, DICE + 1):
            game.die = die
            walks_with_die(game, seat, here, turns, walked)
        for other in range(COUNTS):
            if here[other] == FOUND:
                here[other] = DONE
    return count


@within
def walks_with_die(game: Any, seat: int, here: Any, turns: Any, walked: Any) -> None:
    """Find where a seat's walks lead after a roll of the die; through a door the game is over."""
    low, high = legal_walks(game, seat)
    for action in range(THROUGH):
        chosen = low >> action if action < HALF else high >> action - HALF
        if chosen & 1:
            find_walk(game, seat, action % SPOTS, action // SPOTS, here, turns, walked)
    if high >> STAY - HALF & 1:
        find_walk(game, seat, game.place[seat] + 0, 0, here, turns, walked)


@within
def find_walk(game: Any, seat: int, place: int, spent: int, here: Any, turns: Any, walked: Any) -> None:
    """Note where a walk leads: after a one or two the action die is rolled, else the other's turn begins."""
    theirs, own = game.place[1 - seat] + 0, game.tokens[seat] - spent
    for other in range(COUNTS):
        if here[other] == FOUND:
            if game.die <= ACTION_FROM:
                find(walked, seat, place, theirs, game.shield, game.shut, own, other)
            else:
                find(turns, 1 - seat, theirs, place, game.shield, game.shut, other, own)


@kernel
def find(marks: Any, seat: int, mine: int, theirs: int, shield: int, shut: int, own: int, other: int) -> None:
    """Note that something may come up."""
    if marks[seat, mine, theirs, shield, shut, own, other] == UNKNOWN:
        marks[seat, mine, theirs, shield, shut, own, other] = FOUND


# --- Acting -------------------------------------------------------------------------------------------------------
@kernel
def act_on(
    workspace: Any, seat: int, mine: int, turns: Any, walked: Any, starts: Any, chances: Any, places: Any
) -> None:  # fmt: skip
    """Let a seat that has walked to a place move shield and door and throw the rock, wherever that was found."""
    for theirs in range(PLACES):
        for shield in range(SPOTS):
            if possible(mine, theirs, shield):
                situation = (theirs * SPOTS + shield) * LANES
                for shut in range(LANES):
                    set_out(workspace[0], seat, mine, theirs, shield, shut)
                    for own in range(COUNTS):
                        for other in range(COUNTS):
                            if walked[seat, mine, theirs, shield, shut, own, other] == FOUND:
                                walked[seat, mine, theirs, shield, shut, own, other] = DONE
                                every_change(workspace[0], seat, own, other, turns)
                                for door in range(LANES):
                                    if door != shut:
                                        begin, end = starts[situation + door], starts[situation + door + 1]
                                        every_fall(workspace[0], seat, own, other, places[begin:end], turns)


@within
def every_change(game: Any, seat: int, own: int, other: int, turns: Any) -> None:
    """Note what is there when shield or door has been moved."""
    mine, theirs, changes = game.place[seat] + 0, game.place[1 - seat] + 0, legal_changes(game, seat)
    for spot in range(SPOTS):
        if changes >> spot & 1:
            find(turns, 1 - seat, theirs, mine, spot, game.shut, other, own)
    for lane in range(LANES):
        if changes >> SHUT_DOOR - PUT_SHIELD + lane & 1:
            find(turns, 1 - seat, theirs, mine, game.shield, lane, other, own)


@within
def every_fall(game: Any, seat: int, own: int, other: int, places: Any, turns: Any) -> None:
    """Note what is there when the rock has fallen; who came down to the floor has one more token."""
    mine, theirs = game.place[seat] + 0, game.place[1 - seat] + 0
    for place in places:
        mine_then, theirs_then = place // PLACES, place % PLACES
        more, more_theirs = mine_then == FLOOR and mine != FLOOR, theirs_then == FLOOR and theirs != FLOOR
        own_then, other_then = min(own + more, TOKENS), min(other + more_theirs, TOKENS)
        find(turns, 1 - seat, theirs_then, mine_then, game.shield, game.shut, other_then, own_then)

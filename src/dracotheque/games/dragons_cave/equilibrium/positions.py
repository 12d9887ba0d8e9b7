"""Positions of Dragon's Cave for two: their keys, their states, and one round played from them."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.value_network import SCALE
from dracotheque.engine.rule import compiled
from dracotheque.games.dragons_cave.rules.heuristics import state_heuristic
from dracotheque.games.dragons_cave.rules.actions import apply_action
from dracotheque.games.dragons_cave.equilibrium.encoding import BITS, COINS, HAND, LEAD, LEFT, MASK, PLACES
from dracotheque.games.dragons_cave.rules.mechanics import begin_round
from dracotheque.games.dragons_cave.rules.scoring import progress
from dracotheque.games.dragons_cave.rules.state import (
    CHEST, HOLD, KINDS, LEFT_FIST, NICHE, ONLY_CHEST, SECOND_DWARF, SPLIT, WHOLE_HAND,
)  # fmt: skip


# --- Keys of positions --------------------------------------------------------------------------------------------
@compiled
def key_of(game: Any) -> int:
    """Return the key of a state in which a round begins or a purse is split."""
    lead, guard, far = 1 - game.dragon_seat, game.dragon_seat + 0, game.length + 1
    key = 0 if game.phase == SPLIT else game.hand[lead] & (ONLY_CHEST - 1)
    for seat in (lead, guard):
        one, other = min(game.place[seat] + 0, far), min(game.place[seat + 2] + 0, far)
        key = (key << BITS | min(one, other)) << BITS | max(one, other)
    key = (key << BITS | game.purse[lead]) << BITS | game.purse[guard]
    return (key << BITS | game.chest[lead]) << BITS | game.chest[guard]


@compiled
def set_position(game: Any, key: int) -> None:
    """Write a position to an initial state: seat 0 leads the dwarves, seat 1 is the dragon, the round has begun."""
    for at in range(2):
        game.chest[1 - at] = key >> at * BITS & MASK
        game.purse[1 - at] = key >> (2 + at) * BITS & MASK
        game.place[3 - 2 * at] = key >> (4 + at) * BITS & MASK
        game.place[2 - 2 * at] = key >> (6 + at) * BITS & MASK
        game.treasure -= game.chest[1 - at] + game.purse[1 - at]
    game.hand[0] = key >> HAND | ONLY_CHEST
    game.hand[1] = WHOLE_HAND
    game.dragon_seat = 1
    game.dragon = KINDS
    begin_round(game)


@compiled
def play_round(game: Any, second: int, card: int, niche: int) -> None:
    """Play a card for a dwarf against a niche; a Chest that is the last card is played already."""
    if game.hand[0] != ONLY_CHEST:
        apply_action(game, 0, second * SECOND_DWARF + card)
    apply_action(game, 1, NICHE + niche)


@compiled
def lose(game: Any, coins: int) -> None:
    """Split a purse so that a number of coins is lost."""
    apply_action(game, 0, HOLD + coins)
    apply_action(game, 1, LEFT_FIST)


@compiled
def bank(game: Any) -> None:
    """Play the Chest."""
    play_round(game, 0, CHEST, 0)  # the nearer dwarf is never home: then the game would be over


# --- The network's input ------------------------------------------------------------------------------------------
@compiled
def write_inputs(game: Any, sight: Any) -> None:
    """Write the network's input into zeros, from the side of the leader of the dwarves."""
    lead, guard, far = 1 - game.dragon_seat, game.dragon_seat + 0, game.length + 1
    at = 0
    for seat in (lead, guard):
        one, other = game.place[seat] + 0, game.place[seat + 2] + 0
        for place in (min(one, other), max(one, other)):
            sight[at + (place if place < far else PLACES - 1)] = 1
            at += PLACES
    for card in range(KINDS):
        sight[at + card] = game.hand[lead] >> card & 1
    at += KINDS
    for seat in (lead, guard):
        sight[at + min(game.purse[seat] + 0, COINS - 1)] = 1
        at += COINS
    banked = game.chest[lead] + 0 - game.chest[guard]
    ahead = banked + game.purse[lead] - game.purse[guard]
    for coins in (banked, ahead):
        sight[at + LEAD + min(max(coins, -LEAD), LEAD)] = 1
        at += 2 * LEAD + 1
    sight[at + min(game.treasure + 0, LEFT - 1)] = 1
    at += LEFT
    sight[at] = ahead / 10
    sight[at + 1] = banked / 10
    sight[at + 2] = (progress(game, lead) - progress(game, guard)) / 10
    sight[at + 3] = game.treasure / 10
    sight[at + 4] = state_heuristic(game, lead) / SCALE
    sight[at + 5] = state_heuristic(game, guard) / SCALE
    # The inputs of further seats stay 0.

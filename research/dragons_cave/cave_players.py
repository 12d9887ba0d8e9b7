"""Players of Dragon's Cave made of a dozen numbers, and whole games among them in compiled code.

The rules are the library's own. A player sees what `observe` leaves of the table, and nothing else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dracotheque.engine.batch_totals import WHOLE
from dracotheque.engine.dispatch import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    apply_action,
    apply_chance,
    ending,
    observe,
    scores,
    to_move,
    winners,
)
from dracotheque.engine.jit.kernels import kernel
from dracotheque.engine.jit.workspace import rules_runtime
from dracotheque.engine.playout import first_to_act
from dracotheque.engine.rng import random_below, seeded
from dracotheque.engine.rule import compiled
from dracotheque.engine.rule_helpers import seats
from dracotheque.engine.sampling import draw
from dracotheque.games.dragons_cave import GAME
from dracotheque.games.dragons_cave.rules.mechanics import ahead, behind, coins_at, dwarves_of, home
from dracotheque.games.dragons_cave.rules.state import (
    ACTIONS,
    CARDS,
    CHEST,
    HOLD,
    KINDS,
    LEFT_FIST,
    NICHE,
    ONLY_CHEST,
    PLACE,
    SEAL,
    SEATS,
    SPLIT,
)

# --- What a player is made of -------------------------------------------------------------------------------------
TRAITS = (
    "bank_at",  # with so many coins on the purse the Chest is laid sooner than not
    "caution",  # by how many coins that falls with every open card
    "waver",  # how many coins wide the passage from never to always is
    "step",  # the value of a step towards the lair, in coins
    "finish",  # the value of ending the game to a player who wins it, and its cost to one who does not
    "hold_out",  # by how many coins bank_at rises for a player who could win with the next card
    "dread",  # the share of the dragon's attention that the player expects
    "whim",  # the share of cards that are played at random
    "deny",  # as the dragon: the value of a coin or step kept from another, compared with a coin taken
    "envy",  # as the dragon: how much more the richest of the others counts
    "focus",  # as the dragon: 1, mix the niches as the duels ask for; more, keep to the best of them
    "dare",  # how often all coins go into one fist, rather than half into each
)
(
    BANK_AT, CAUTION, WAVER, STEP, FINISH, HOLD_OUT, DREAD, WHIM, DENY, ENVY, FOCUS, DARE,
) = range(len(TRAITS))  # fmt: skip
LEAST_STAKE = 0.25  # coins: where nothing is at stake, mixing would know no end
NEVER = 1000.0
"""A `bank_at` that no purse reaches: the Chest is laid only when nothing else is left."""

# --- What games add up to -----------------------------------------------------------------------------------------
SUMS = (
    "games", "rounds", "rounds_squared", "won", "won_squared", "in_chests", "on_purses", "winners_chests",
    "winners_purses", "frights", "banked", "in_lair", "no_coin_left", "shortage", "both_home",
)  # fmt: skip

(
    GAMES, ROUNDS, ROUNDS_SQUARED, WON, WON_SQUARED, IN_CHESTS, ON_PURSES, WINNERS_CHESTS, WINNERS_PURSES, FRIGHTS,
    BANKED, ENDED, *_,
) = range(len(SUMS))  # fmt: skip

POPULATION = 8
"""How many members a population has; a probe plays against them, one in every game."""

ROOM = ACTIONS + 1
State = rules_runtime(GAME.package, interpreted=False).state  # compiled code finds the rules by this type
Table = np.dtype(
    [
        ("game", State),
        ("seen", State),  # what the player who chooses may know
        ("start", State),
        ("stream", "u8", (1,)),
        ("out", "u4", (ROOM,)),
        ("weights", "u4", (ROOM,)),
        ("odds", "f8", (2 * CARDS,)),  # how likely each card is, for the first dwarf and the second
        ("gain", "f8", (KINDS,)),  # what each card brings, in coins, if the dragon sits elsewhere
        ("loss", "f8", (KINDS,)),  # and what it costs if the dragon sits there
        ("mix", "f8", (KINDS,)),  # how a dwarf's player mixes the cards in a duel with the dragon
        ("guard", "f8", (KINDS,)),  # and how the dragon mixes the niches
        ("value", "f8", (2,)),  # of the duel, for the first dwarf and the second
        ("heat", "f8", (KINDS,)),  # the weight of each niche for the dragon
        (
            "traits",
            "f8",
            (2 * POPULATION, len(TRAITS)),
        ),  # of the members, then of the probes
        ("who", "u1", (SEATS,)),  # which of them sits where
        ("sums", "i8", (len(SUMS),)),
        ("sat", "i8", (2 * POPULATION,)),  # how often each of them played
        ("won", "i8", (2 * POPULATION,)),  # and won
    ],
    align=True,
)


# --- Cards --------------------------------------------------------------------------------------------------------
@compiled
def wealth(view: Any, seat: int) -> int:
    """Return the coins of a player; what went into the chest is public."""
    return view.purse[seat] + view.chest[seat] + 0


@compiled
def richest_but(view: Any, one: int, other: int) -> int:
    """Return the coins of the richest player other than two."""
    most = 0
    for seat in range(seats(view)):
        if seat not in (one, other):
            most = max(most, wealth(view, seat))
    return most


@compiled
def steps(view: Any, place: int) -> int:
    """Return the distance of a place from the start; that of all niches is the same."""
    return min(place + 0, view.length + 1)


@compiled
def ends_game(view: Any, seat: int, second: int) -> bool:
    """Whether the game ends when this dwarf arrives."""
    return view.players > 2 or home(view, seat + 2 - 2 * second)


@compiled
def finale(view: Any, seat: int, second: int, target: int, traits: Any) -> float:
    """Return the value of a move that ends the game: positive for the player with most coins, negative for others."""
    if target <= view.length or not ends_game(view, seat, second):
        return 0.0
    wins = wealth(view, seat) + coins_at(view, target) >= richest_but(view, seat, seat)
    return traits[FINISH] if wins else -traits[FINISH]


@compiled
def weigh_cards(table: Any, seat: int, second: int, traits: Any) -> bool:
    """Write for each kind what it brings if the dragon sits elsewhere, else costs; say whether one could win."""
    view, gain, loss = table.seen, table.gain, table.loss
    place = view.place[seat + 2 * second] + 0
    could_win = False
    for kind in range(KINDS):
        target = ahead(view, place, kind)
        end = finale(view, seat, second, target, traits)
        could_win = could_win or (end > 0.0 and (view.hand[seat] >> kind) & 1 > 0)
        gain[kind] = coins_at(view, target) + traits[STEP] * (steps(view, target) - place) + end
        loss[kind] = 0.5 * view.purse[seat] + traits[STEP] * (place - behind(view, place, kind))
    return could_win


@compiled
def chest_odds(view: Any, seat: int, could_win: bool, traits: Any) -> float:
    """How likely the Chest is: the fuller the purse and the fewer cards left, the more so."""
    laid = CARDS
    for card in range(CARDS):
        laid -= (view.hand[seat] >> card) & 1
    threshold = traits[BANK_AT] - traits[CAUTION] * laid
    if could_win:
        threshold += traits[HOLD_OUT]
    # Half a coin: with a threshold of three, three coins are banked sooner than not.
    over = (view.purse[seat] - threshold + 0.5) / traits[WAVER]
    return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, over))))


@compiled
def duel(table: Any, hand: int, traits: Any) -> float:
    """Write equilibrium strategies of cards and niches in a duel, and return its value to the dwarf.

    A card brings its gain, or costs its loss where the dragon sits in its niche. The dragon guards every card that
    brings more than the duel so often that it brings just that; the dwarf plays the costliest cards least often.
    """
    gain, loss, mix, guard = table.gain, table.loss, table.mix, table.guard
    value, cards, dropped = 0.0, hand, hand
    while dropped != 0:
        gains, parts = -traits[DREAD], 0.0
        for kind in range(KINDS):
            if (cards >> kind) & 1:
                gains += gain[kind] / stake(gain[kind], loss[kind])
                parts += 1.0 / stake(gain[kind], loss[kind])
        value = gains / parts
        dropped = 0
        for kind in range(KINDS):
            if (cards >> kind) & 1 and gain[kind] <= value:
                dropped |= 1 << kind
        cards -= dropped
    total, held = 0.0, 0
    for kind in range(KINDS):
        mix[kind] = 1.0 / stake(gain[kind], loss[kind]) if (cards >> kind) & 1 else 0.0
        guard[kind] = (gain[kind] - value) * mix[kind] / traits[DREAD]
        total += mix[kind]
        held += (hand >> kind) & 1
    for kind in range(KINDS):
        by_whim = traits[WHIM] / held if (hand >> kind) & 1 else 0.0
        mix[kind] = mix[kind] / total * (1.0 - traits[WHIM]) + by_whim
        guard[kind] = guard[kind] * (1.0 - traits[WHIM]) + by_whim
    return value


@compiled
def stake(gain: float, loss: float) -> float:
    """Return the difference between a card that succeeds and one that is caught."""
    return max(gain + loss, LEAST_STAKE)


@compiled
def card_odds(table: Any, seat: int, traits: Any) -> None:
    """Write how likely a player with these traits is to lay each card, for each dwarf."""
    view, odds, value = table.seen, table.odds, table.value
    could_win = False
    for second in range(2):
        value[second] = 0.0
        for card in range(CARDS):
            odds[second * CARDS + card] = 0.0
    for second in range(dwarves_of(view)):
        if not home(view, seat + 2 * second):
            could_win = weigh_cards(table, seat, second, traits) or could_win
            value[second] = math.exp(min(duel(table, view.hand[seat] & (ONLY_CHEST - 1), traits), 40.0))
            for kind in range(KINDS):
                odds[second * CARDS + kind] = table.mix[kind]
    banks = chest_odds(view, seat, could_win, traits)
    for second in range(dwarves_of(view)):
        named = value[second] / (value[0] + value[1])
        for kind in range(KINDS):
            odds[second * CARDS + kind] *= named * (1.0 - banks)
        odds[second * CARDS + CHEST] = named * banks


@compiled
def chance(stream: Any) -> float:
    """Draw a number from 0 to 1."""
    return random_below(stream, 1 << 30) / (1 << 30)


@compiled
def drawn(stream: Any, odds: Any, count: int) -> int:
    """Draw one of `count` things by their odds."""
    height = chance(stream)
    last = 0
    for i in range(count):
        if odds[i] > 0.0:
            last = i
            height -= odds[i]
            if height < 0.0:
                break
    return last


# --- The dragon ---------------------------------------------------------------------------------------------------
@compiled
def feel_heat(table: Any, me: int, traits: Any) -> None:
    """Write the weight of each niche for the dragon; it expects the others to have its own traits."""
    view, heat = table.seen, table.heat
    for kind in range(KINDS):
        heat[kind] = 1e-9
    for seat in range(seats(view)):
        if seat != me and view.hand[seat] != ONLY_CHEST:
            could_win = weigh_cards(table, seat, view.named + 0, traits)
            duel(table, view.hand[seat] & (ONLY_CHEST - 1), traits)
            at_stake = 0.0
            for kind in range(KINDS):
                at_stake += table.mix[kind] * max(harm(table, seat, kind, traits), 0.0)
            at_stake *= 1.0 - chest_odds(view, seat, could_win, traits)
            if wealth(view, seat) >= richest_but(view, me, seat):
                at_stake *= 1.0 + traits[ENVY]
            for kind in range(KINDS):
                heat[kind] += at_stake * table.guard[kind]
    total = 0.0
    for kind in range(KINDS):
        heat[kind] = heat[kind] ** traits[FOCUS]
        total += heat[kind]
    for kind in range(KINDS):
        heat[kind] /= total


@compiled
def harm(table: Any, seat: int, kind: int, traits: Any) -> float:
    """Return the value to the dragon of frightening this card: half the purse, and what it keeps from the player."""
    half = 0.5 * table.seen.purse[seat]
    return half + traits[DENY] * (table.gain[kind] + table.loss[kind] - half)


# --- Choosing -----------------------------------------------------------------------------------------------------
@compiled
def choose(table: Any, seat: int, traits: Any) -> int:
    """Choose an action, knowing only what is seen."""
    view, stream = table.seen, table.stream
    if view.phase == SEAL:
        card_odds(table, seat, traits)
        return drawn(stream, table.odds, 2 * CARDS)
    if view.phase == PLACE:
        feel_heat(table, seat, traits)
        return NICHE + drawn(stream, table.heat, KINDS)
    if view.phase == SPLIT:
        return HOLD + left_fist(stream, view.purse[seat] + 0, traits)
    return LEFT_FIST + random_below(stream, 2)


@compiled
def left_fist(stream: Any, purse: int, traits: Any) -> int:
    """Hide a purse: all of it in one fist, or half in each; which is which is left to chance."""
    part = 0 if chance(stream) < traits[DARE] else purse // 2
    return part if random_below(stream, 2) == 0 else purse - part


# --- Whole games --------------------------------------------------------------------------------------------------
@compiled
def seat_players(table: Any, probe: int) -> None:
    """Draw a member for each seat, and a probe for the given one."""
    for seat in range(seats(table.game)):
        table.who[seat] = random_below(table.stream, POPULATION) + (POPULATION if seat == probe else 0)


@compiled
def play(table: Any) -> None:
    """Play a game to its end."""
    game, sums = table.game, table.sums
    rounds = 0
    while to_move(game) != TERMINAL:
        seat = to_move(game)
        if seat == CHANCE:
            apply_chance(game, draw(table))
        else:
            if seat == SIMULTANEOUS:
                seat = first_to_act(game)
            table.seen = game
            observe(table.seen, seat)
            action = choose(table, seat, table.traits[table.who[seat]])
            if game.phase == PLACE:
                rounds += 1
                for other in range(seats(game)):
                    sums[FRIGHTS] += game.card[other] == action - NICHE
                    sums[BANKED] += game.card[other] == CHEST and game.purse[other] > 0
            apply_action(game, seat, action)
    sums[ROUNDS] += rounds
    sums[ROUNDS_SQUARED] += rounds * rounds


@compiled
def tally(table: Any, probe: int) -> None:
    """Add a finished game to the sums."""
    game, sums, points, won = table.game, table.sums, table.out, table.weights
    scores(game, points)
    winners(game, points, won)
    shared = 0
    for seat in range(seats(game)):
        shared += won[seat]
    for seat in range(seats(game)):
        part = won[seat] * (WHOLE // shared)
        table.sat[table.who[seat]] += 1
        table.won[table.who[seat]] += part
        sums[IN_CHESTS] += game.chest[seat]
        sums[ON_PURSES] += game.purse[seat]
        sums[WINNERS_CHESTS] += won[seat] * game.chest[seat]
        sums[WINNERS_PURSES] += won[seat] * game.purse[seat]
        if seat == probe:
            sums[WON] += part
            sums[WON_SQUARED] += part * part
    sums[ENDED + ending(game)] += 1
    sums[GAMES] += 1


@kernel
def play_games(tables: Any, seed: int, first: int, count: int) -> None:
    """Play games of a seed at a table; the probe sits in every seat in turn."""
    table = tables[0]
    for number in range(first, first + count):
        table.game = table.start
        table.stream[0] = seeded(seed, number)
        probe = number % seats(table.start)
        seat_players(table, probe)
        play(table)
        tally(table, probe)

"""Dragon's Cave: what may be chosen now, why anything else may not, and what each choice sets going."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import (
    SIMULTANEOUS, compiled, rule, seats,
)  # fmt: skip
from dracotheque.games.dragons_cave.rules.mechanics import (
    dwarves_of, go_on, guess, home, must_bank, place_dragon, seal, split, start_with,
)  # fmt: skip
from dracotheque.games.dragons_cave.rules.state import (
    CARDS, CHEST_LIES, DRAGON_GUESSES, DRAGON_PLACES, DWARF_HOME, GAME_OVER, GUESS, HOLD,
    KINDS, LEFT_FIST, NICHE, NOT_IN_HAND, NOT_NOW, NO_CARD, ONE_DWARF_EACH,
    OTHER_ROLE, OVER, PLACE, RIGHT_FIST, SEAL, SEALED, SECOND_DWARF, SPLIT, SPLIT_PURSE, TO_SPLIT,
)  # fmt: skip


@rule("card.seal", "fright.split")
def may_act(game: Any, seat: int) -> bool:
    """The seat whose turn it is, or where several choose in secret, each that has not yet."""
    if game.to_move != SIMULTANEOUS:
        return game.to_move == seat
    if game.phase == SEAL:
        return seat != game.dragon_seat and game.card[seat] == NO_CARD
    return game.left[seat] == TO_SPLIT


@compiled
def chance_outcomes(game: Any, out: Any, weights: Any) -> int:
    """The lot for the first dragon: chance decides nothing else."""
    for seat in range(seats(game)):
        out[seat] = seat
        weights[seat] = 1
    return seats(game)


# --- The players' choices ---------------------------------------------------------------------------------------
@compiled
def legal_actions(game: Any, seat: int, out: Any) -> int:
    """List what the seat may choose; nothing when it is not asked."""
    if not may_act(game, seat):
        return 0
    if game.phase == SEAL:
        return legal_cards(game, seat, out)
    first, count = NICHE, KINDS
    if game.phase == SPLIT:
        first, count = HOLD, game.purse[seat] + 1
    elif game.phase == GUESS:
        first, count = LEFT_FIST, 2
    for i in range(count):
        out[i] = first + i
    return count


@compiled
def legal_cards(game: Any, seat: int, out: Any) -> int:
    """List the cards in hand, for each dwarf that is not home."""
    hand = game.hand[seat] + 0
    count = 0
    for second in range(dwarves_of(game)):
        if not home(game, seat + 2 * second):
            for card in range(CARDS):
                out[count] = second * SECOND_DWARF + card
                count += (hand >> card) & 1
    return count


@compiled
def apply_action(game: Any, seat: int, action: int) -> None:
    """Carry out a legal choice, and what follows from it by itself."""
    if game.phase == SEAL:
        second = action >= SECOND_DWARF
        seal(game, seat, action - SECOND_DWARF if second else action, second)
    elif game.phase == PLACE:
        place_dragon(game, action - NICHE)
    elif game.phase == SPLIT:
        split(game, seat, action - HOLD)
    else:
        guess(game, action)
    go_on(game)


@compiled
def apply_chance(game: Any, outcome: int) -> None:
    """Carry out what chance decided."""
    start_with(game, outcome)


# --- Why not? ---------------------------------------------------------------------------------------------------
@compiled
def refusal(game: Any, seat: int, action: int) -> int:
    """Name the rule that forbids a choice, or 0 where it is allowed."""
    if game.phase == OVER:
        return GAME_OVER
    if game.phase == SEAL:
        return refused_card(game, seat, action)
    if game.phase == PLACE:
        return refused_niche(game, seat, action)
    if game.phase == SPLIT:
        splits = game.left[seat] == TO_SPLIT and HOLD <= action <= HOLD + game.purse[seat]
        return 0 if splits else SPLIT_PURSE
    guesses = game.to_move == seat and LEFT_FIST <= action <= RIGHT_FIST
    return 0 if guesses else DRAGON_GUESSES


@compiled
def refused_card(game: Any, seat: int, action: int) -> int:
    """A dwarf player seals one card of the hand, for a dwarf that is still on its way."""
    if action >= LEFT_FIST:
        return NOT_NOW
    if seat == game.dragon_seat:
        return DRAGON_PLACES if action >= NICHE else OTHER_ROLE
    if action >= NICHE:
        return OTHER_ROLE
    if game.card[seat] != NO_CARD:
        return CHEST_LIES if must_bank(game, seat) else SEALED
    second = action >= SECOND_DWARF
    if second and game.players > 2:
        return ONE_DWARF_EACH
    if home(game, seat + 2 if second else seat + 0):
        return DWARF_HOME
    card = action - SECOND_DWARF if second else action + 0
    return 0 if (game.hand[seat] >> card) & 1 else NOT_IN_HAND


@compiled
def refused_niche(game: Any, seat: int, action: int) -> int:
    """The dragon player, and no one else, puts the dragon into a niche."""
    if NICHE <= action < LEFT_FIST:
        return 0 if seat == game.dragon_seat else OTHER_ROLE
    if seat == game.dragon_seat:
        return DRAGON_PLACES if action >= LEFT_FIST else OTHER_ROLE
    return SEALED if action < NICHE else NOT_NOW

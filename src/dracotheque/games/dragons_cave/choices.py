"""Dragon's Cave: what may be chosen now, why anything else may not, and what each choice sets going."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.dispatch import SIMULTANEOUS
from dracotheque.engine.draws import choose, happen
from dracotheque.engine.kit import ending, one_hot, seats, to_move
from dracotheque.engine.rule import compiled, rule
from dracotheque.engine.stream import below
from dracotheque.games.dragons_cave.advice import outlook, worth
from dracotheque.games.dragons_cave.rules import (
    ask_sealed, dwarves_of, go_on, guess, home, must_bank, place_dragon, seal, setup, split, start_with,
)  # fmt: skip
from dracotheque.games.dragons_cave.scoring import scores, winners
from dracotheque.games.dragons_cave.state import (
    ACTIONS, CARDS, CHEST_LIES, DRAGON_GUESSES, DRAGON_PLACES, DWARF_HOME, DWARVES, ENDINGS, GAME_OVER, GUESS, HOLD,
    KINDS, LEFT_FIST, MOST_COINS, MOST_SPACES, NICHE, NOT_IN_HAND, NOT_NOW, NO_CARD, NO_SPLIT, ONE_DWARF_EACH,
    OTHER_ROLE, OUTCOMES, OVER, PLACE, REFUSALS, RIGHT_FIST, SEAL, SEALED, SEALED_CARD, SEALED_SPLIT, SEATS,
    SECOND_DWARF, SPLIT, SPLIT_PURSE, TO_SPLIT, VERSION, State,
)  # fmt: skip

__all__ = [
    "ACTIONS", "ENDINGS", "OUTCOMES", "REFUSALS", "VERSION", "State", "choose", "ending", "happen", "outlook",
    "scores", "setup", "to_move", "winners", "worth",
]  # fmt: skip


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
def apply(game: Any, seat: int, action: int) -> None:
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
def resolve(game: Any, outcome: int) -> None:
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
    """The dragon player, and nobody else, puts the dragon into a niche."""
    if NICHE <= action < LEFT_FIST:
        return 0 if seat == game.dragon_seat else OTHER_ROLE
    if seat == game.dragon_seat:
        return DRAGON_PLACES if action >= LEFT_FIST else OTHER_ROLE
    return SEALED if action < NICHE else NOT_NOW


# --- What a viewer knows ----------------------------------------------------------------------------------------
@rule("card.seal", "card.last-chest", "fright.split", "chest.closed")
def observe(game: Any, viewer: int) -> None:
    """A card is secret until the dragon sits, a split until it guessed; the forced Chest and chests are not."""
    for seat in range(seats(game)):
        if seat != viewer:
            if game.phase <= PLACE and game.card[seat] != NO_CARD and not must_bank(game, seat):
                game.card[seat] = SEALED_CARD
            if game.left[seat] <= MOST_COINS:
                game.left[seat] = SEALED_SPLIT


@compiled
def imagine(game: Any, viewer: int, stream: Any) -> None:
    """Any card still in hand may lie there, any part of the purse be in the left fist."""
    for seat in range(seats(game)):
        if game.card[seat] == SEALED_CARD:
            game.card[seat] = random_card(game.hand[seat] + 0, stream)
        if game.left[seat] == SEALED_SPLIT:
            game.left[seat] = below(stream, game.purse[seat] + 1)


@compiled
def reopen(game: Any, viewer: int) -> None:
    """Whose card or fists are sealed chooses them again; the dragon chooses after them."""
    sealed, waiting, last = 0, 0, 0
    for seat in range(seats(game)):
        if game.card[seat] == SEALED_CARD:
            game.card[seat] = NO_CARD
            sealed += 1
        elif game.left[seat] == SEALED_SPLIT:
            game.left[seat] = TO_SPLIT
            sealed += 1
        splits = game.left[seat] == TO_SPLIT
        if splits or (seat != game.dragon_seat and game.card[seat] == NO_CARD):
            waiting += 1
            last = seat
    if sealed > 0:
        game.waiting = waiting
        ask_sealed(game, last, SEAL if game.phase <= PLACE else SPLIT)


@compiled
def random_card(hand: int, stream: Any) -> int:
    """Draw a card of a hand, each as likely."""
    cards = 0
    for card in range(CARDS):
        cards += (hand >> card) & 1
    drawn = below(stream, cards)
    for card in range(CARDS):
        if (hand >> card) & 1:
            if drawn == 0:
                return card
            drawn -= 1
    return NO_CARD


@compiled
def seat_tensor(game: Any, seat: int, out: Any, at: int) -> None:
    """Write what is known of a player: role, hand, this round's card, purse, chest, fists."""
    out[at] = game.dragon_seat == seat
    out[at + 1] = may_act(game, seat)
    out[at + 2] = game.purse[seat] / MOST_COINS
    out[at + 3] = game.chest[seat] / MOST_COINS
    out[at + 4] = game.left[seat] != NO_SPLIT
    out[at + 5] = game.left[seat] / MOST_COINS if game.left[seat] <= MOST_COINS else 0.0
    out[at + 6] = game.phase == GUESS and game.guessing == seat
    at += 7
    for card in range(CARDS):
        out[at + card] = (game.hand[seat] >> card) & 1
    one_hot(out, at + CARDS, SEALED_CARD + 1, game.card[seat])


@compiled
def dwarf_tensor(game: Any, dwarf: int, out: Any, at: int) -> None:
    """Write where a dwarf stands: how far along the path, on which space, or in which niche."""
    place = game.place[dwarf] + 0
    out[at] = min(place, game.length + 1) / (game.length + 1)
    at = one_hot(out, at + 1, MOST_SPACES + 1, place if place <= game.length else MOST_SPACES + 1)
    one_hot(out, at, KINDS, place - game.length - 1)


@compiled
def tensor(game: Any, viewer: int, out: Any) -> None:
    """Write everything on the table as numbers from 0 to 1, the viewer's seat first; the board belongs to the game."""
    at = one_hot(out, 0, SEATS + 1, game.players)
    at = one_hot(out, at, OVER + 1, game.phase)
    at = one_hot(out, at, KINDS, game.dragon)
    out[at] = game.treasure / MOST_COINS
    out[at + 1] = game.named
    at += 2
    # A spectator (-1) sees seat 0 first; empty seats stay zero.
    for place in range(seats(game)):
        seat = (place + max(viewer, 0)) % seats(game)
        seat_tensor(game, seat, out, at + place * SEAT_SIZE)
        for second in range(dwarves_of(game)):
            dwarf = at + SEATS * SEAT_SIZE + (place + 2 * second) * DWARF_SIZE
            dwarf_tensor(game, seat + 2 * second, out, dwarf)


SEAT_SIZE = 7 + CARDS + SEALED_CARD + 1
DWARF_SIZE = 1 + MOST_SPACES + 1 + KINDS
TENSOR_SIZE = (SEATS + 1) + (OVER + 1) + KINDS + 2 + SEATS * SEAT_SIZE + DWARVES * DWARF_SIZE

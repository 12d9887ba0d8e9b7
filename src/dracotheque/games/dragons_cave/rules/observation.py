"""Dragon's Cave: what each seat sees, how what is hidden is filled in, and the numbers of the observation tensor."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import (
    TensorField, TensorGroup, compiled, one_hot, random_below, rule, seats, tensor_size,
)  # fmt: skip
from dracotheque.games.dragons_cave.rules.mechanics import (
    ask_sealed, dwarves_of, must_bank,
)  # fmt: skip
from dracotheque.games.dragons_cave.rules.state import (
    CARDS, DWARVES, GUESS, HOLD, KINDS, LEFT_FIST, MOST_COINS, MOST_SPACES, NO_CARD, NO_SPLIT, OVER, PLACE, RIGHT_FIST,
    SEAL, SEALED_CARD, SEALED_SPLIT, SEATS, SPLIT, TO_SPLIT,
)  # fmt: skip
from dracotheque.games.dragons_cave.rules.actions import may_act


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
def determinize(game: Any, viewer: int, stream: Any) -> None:
    """Any card still in hand may lie there, any part of the purse be in the left fist."""
    for seat in range(seats(game)):
        if game.card[seat] == SEALED_CARD:
            game.card[seat] = random_card(game.hand[seat] + 0, stream)
        if game.left[seat] == SEALED_SPLIT:
            game.left[seat] = random_below(stream, game.purse[seat] + 1)


@compiled
def withdraw_sealed(game: Any, viewer: int) -> None:
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
    drawn = random_below(stream, cards)
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
def observation_tensor(game: Any, viewer: int, out: Any) -> None:
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


TENSOR_SEATS = TensorGroup("seats", SEATS, "seats", (
    TensorField("dragon", 1, "is the dragon"),
    TensorField("may_act", 1, "may choose now"),
    TensorField("purse", 1, "purse ÷ 60"),
    TensorField("chest", 1, "chest ÷ 60"),
    TensorField("splits", 1, "splits its purse between two fists"),
    TensorField("left_fist", 1, "coins in the left fist ÷ 60, where the viewer knows them"),
    TensorField("guessed", 1, "its fists are being looked at"),
    TensorField("hand", CARDS, "cards in hand: five kinds, the Chest"),
    TensorField("card", SEALED_CARD + 1, "one-hot: this round’s card: five kinds, the Chest, none, sealed"),
))  # fmt: skip
TENSOR_DWARVES = TensorGroup("dwarves", DWARVES, "dwarves", (
    TensorField("progress", 1, "how far along the path, from 0 to 1"),
    TensorField("space", MOST_SPACES + 1, "one-hot: the start and the spaces of the path"),
    TensorField("niche", KINDS, "one-hot: the niche"),
))  # fmt: skip
TENSOR_LAYOUT = (
    TensorField("players", SEATS + 1, "one-hot: number of players, 0–4"),
    TensorField("phase", OVER + 1, "one-hot: lots, seal, place, split, guess, over"),
    TensorField("dragon", KINDS, "one-hot: the niche where the dragon sat last"),
    TensorField("treasure", 1, "treasure ÷ 60"),
    TensorField("second_dwarf", 1, "with two players: the card is for the second dwarf"),
    TENSOR_SEATS,
    TENSOR_DWARVES,
)
SEAT_SIZE, DWARF_SIZE, TENSOR_SIZE = TENSOR_SEATS.length, TENSOR_DWARVES.length, tensor_size(TENSOR_LAYOUT)


@compiled
def is_secret_choice(game: Any) -> bool:
    """Cards and splits are chosen out of sight of the others."""
    return game.phase in (SEAL, SPLIT)


@compiled
def equivalent_action(game: Any, seat: int, action: int) -> int:
    """Return the choice that is the same but for which fist is the left one; most are their own."""
    if action in (LEFT_FIST, RIGHT_FIST):
        return LEFT_FIST + RIGHT_FIST - action
    return 2 * HOLD + game.purse[seat] - action if action >= HOLD else action + 0

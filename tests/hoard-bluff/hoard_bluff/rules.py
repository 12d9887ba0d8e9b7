"""Hoard Bluff: three cards each, three hoards; the highest card that only one thief plays takes a hoard."""

import numpy as np

from dracotheque.rules import CHANCE, SIMULTANEOUS, TERMINAL, compiled, random_below, rule, seats

VERSION, VALUES, COPIES, CARDS, SEATS, GOAL = 1, 6, 2, 3, 3, 40
ACTIONS = OUTCOMES = VALUES
ACTION_NAMES = OUTCOME_NAMES = ("ash", "bone", "coal", "dust", "ember", "fang")
PHASE_NAMES = ("deal", "choose", "over")
DEAL, CHOOSE, OVER = range(3)
ALLOWED, GAME_OVER, NOT_DEALT, CHOSEN, NOT_IN_HAND = range(5)
REFUSALS = ("", "end.over", "deal.first", "choose.once", "choose.hand")
LAST_CARD, RICH = range(2)
ENDINGS = ("end.last-card", "end.rich")
NOTHING, HIDDEN = 0, 9  # other numbers in `sealed` and `shown` are a card's value and one

State = np.dtype(
    [
        ("players", "u1"),
        ("rising", "u1"),
        ("to_move", "i1"),
        ("phase", "u1"),
        ("ended", "u1"),
        ("dealt", "u1"),
        ("round", "u1"),
        ("deck", "u1", (VALUES,)),  # in an observation also what others hold
        ("hand", "u1", (SEATS, VALUES)),
        ("unknown", "u1", (SEATS,)),  # cards of a hand that an observation does not tell
        ("sealed", "u1", (SEATS,)),
        ("shown", "u1", (SEATS,)),
        ("points", "i2", (SEATS,)),
    ]
)


@rule("deal.cards")
def setup(game):
    """Two cards of each value are shuffled."""
    game.to_move = CHANCE
    for value in range(VALUES):
        game.deck[value] = COPIES


@compiled
def chance_outcomes(game, out, weights):
    """The next card is one of those in the deck."""
    count = 0
    for value in range(VALUES):
        out[count], weights[count] = value, game.deck[value]
        count += game.deck[value] > 0
    return count


@rule("deal.cards")
def apply_chance(game, value):
    """Every thief gets three cards, one after the other."""
    game.deck[value] -= 1
    game.hand[game.dealt % seats(game)][value] += 1
    game.dealt += 1
    if game.dealt == CARDS * game.players:
        game.phase = CHOOSE
        game.to_move = SIMULTANEOUS


@rule("end.over", "deal.first", "choose.once", "choose.hand")
def refusal(game, seat, action):
    """Each thief chooses one card of the hand for every hoard."""
    if game.phase == OVER:
        return GAME_OVER
    if game.phase == DEAL:
        return NOT_DEALT
    if game.sealed[seat] != NOTHING:
        return CHOSEN
    return ALLOWED if game.hand[seat][action] > 0 else NOT_IN_HAND


@rule("choose.secret")
def apply_action(game, seat, action):
    """A card lies face down until all have chosen."""
    game.hand[seat][action] -= 1
    game.sealed[seat] = action + 1
    for other in range(seats(game)):
        if game.sealed[other] == NOTHING:
            return
    reveal(game)


@rule("hoard.highest", "end.last-card", "end.rich")
def reveal(game):
    """The highest card that only one thief played takes the hoard; after the third, or with forty gold, it is over."""
    best, winner = 0, SEATS
    for seat in range(seats(game)):
        card, same = game.sealed[seat] + 0, 0
        for other in range(seats(game)):
            same += game.sealed[other] == card
        if same == 1 and card > best:
            best, winner = card, seat
    for seat in range(seats(game)):
        game.shown[seat] = game.sealed[seat]
        game.sealed[seat] = NOTHING
    if winner < SEATS:
        game.points[winner] += worth_of(game)
        if game.points[winner] >= GOAL:
            finish(game, RICH)
    game.round += 1
    if game.round == CARDS and game.phase != OVER:
        finish(game, LAST_CARD)


@rule("hoard.worth")
def worth_of(game):
    """Every hoard holds twenty gold; rising ones ten, twenty, thirty."""
    return 10 * (game.round + 1) if game.rising == 1 else 20


@compiled
def finish(game, ending):
    """The game is over."""
    game.phase = OVER
    game.ended = ending
    game.to_move = TERMINAL


@compiled
def scores(game, out):
    """Gold counts."""
    for seat in range(seats(game)):
        out[seat] = game.points[seat]


@rule("choose.secret")
def observe(game, viewer):
    """Nobody sees the cards of others, nor which one they chose."""
    for seat in range(seats(game)):
        if seat != viewer:
            for value in range(VALUES):
                game.unknown[seat] += game.hand[seat][value]
                game.deck[value] += game.hand[seat][value]
                game.hand[seat][value] = 0
            if game.sealed[seat] != NOTHING and game.sealed[seat] != HIDDEN:
                game.deck[game.sealed[seat] - 1] += 1
                game.sealed[seat] = HIDDEN


@compiled
def determinize(game, viewer, stream):
    """Others may hold any of the cards that nobody has seen."""
    for seat in range(seats(game)):
        if game.sealed[seat] == HIDDEN:
            game.sealed[seat] = unseen_card(game, stream) + 1
        while game.unknown[seat] > 0:
            game.hand[seat][unseen_card(game, stream)] += 1
            game.unknown[seat] -= 1


@compiled
def unseen_card(game, stream):
    """Draw a card from those that are not seen."""
    left = 0
    for value in range(VALUES):
        left += game.deck[value]
    at, value = random_below(stream, left), 0
    while at >= game.deck[value]:
        at -= game.deck[value]
        value += 1
    game.deck[value] -= 1
    return value


@compiled
def withdraw_sealed(game, viewer):
    """Whose card is not seen takes it back into the hand."""
    for seat in range(seats(game)):
        if game.sealed[seat] == HIDDEN:
            game.sealed[seat] = NOTHING
            game.unknown[seat] += 1

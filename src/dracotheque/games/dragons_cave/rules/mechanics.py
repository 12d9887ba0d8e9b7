"""Dragon's Cave: every rule as a small function, in the order of the rulebook."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import SIMULTANEOUS, TERMINAL, ask, await_chance, compiled, next_seat, rule, seats
from dracotheque.games.dragons_cave.rules.state import (
    BOTH_HOME, CHEST, COLLECTED, DWARVES, GUESS, GUESSING, IN_LAIR, KINDS, LEFT_FIST, LOTS, NO_CARD, NO_COIN_LEFT,
    NO_SPLIT, ONLY_CHEST, OVER, PLACE, REVEALED, SEAL, SEATS, SETTLED, SHORTAGE, SPLIT, START, TO_SPLIT, WHOLE_HAND,
)  # fmt: skip


# --- Set-up -----------------------------------------------------------------------------------------------------
@rule("setup.board", "setup.treasure", "option.board")
def setup(game: Any) -> None:
    """Path, lair and treasure lie as the board says; only the players' things and the first dragon are missing."""
    game.dragon = KINDS
    for seat in range(SEATS):
        equip(game, seat)
    for dwarf in range(DWARVES):
        game.place[dwarf] = START
    choose_first_dragon(game)


@rule("setup.players")
def equip(game: Any, seat: int) -> None:
    """A player starts with six cards, an empty purse and an empty chest."""
    game.hand[seat] = WHOLE_HAND
    game.card[seat] = NO_CARD
    game.left[seat] = NO_SPLIT


@rule("setup.first-dragon")
def choose_first_dragon(game: Any) -> None:
    """The table names the first dragon or draws lots."""
    if game.first_dragon > 0:
        start_with(game, game.first_dragon - 1)
    else:
        await_chance(game, LOTS)


@rule("setup.first-dragon")
def start_with(game: Any, seat: int) -> None:
    """The first dragon is known; the first round begins."""
    game.dragon_seat = seat
    begin_round(game)


@rule("reveal.order")
def go_on(game: Any) -> None:
    """What follows by itself, in this order, until somebody must decide."""
    if game.phase == REVEALED:
        move_dwarves(game)
    if game.phase == COLLECTED:
        present_fists(game)
    if game.phase == GUESSING:
        look_at_next(game)
    if game.phase == SETTLED:
        settle(game)


# --- The round --------------------------------------------------------------------------------------------------
@rule("round.roles", "card.seal")
def begin_round(game: Any) -> None:
    """Everybody but the dragon seals a card."""
    game.waiting = 0
    game.named = 0
    last = 0
    for seat in range(seats(game)):
        game.card[seat] = NO_CARD
        game.due[seat] = 0
        if seat != game.dragon_seat:
            if must_bank(game, seat):
                game.card[seat] = CHEST
            else:
                game.waiting += 1
                last = seat
    if game.waiting == 0:
        ask(game, game.dragon_seat, PLACE)
    else:
        ask_sealed(game, last, SEAL)


@rule("card.last-chest")
def must_bank(game: Any, seat: int) -> bool:
    """Who has played all five kinds has only the Chest left."""
    return game.hand[seat] == ONLY_CHEST


@compiled
def ask_sealed(game: Any, only: int, phase: int) -> None:
    """Several seats decide at once, each in secret; where it is only one, it is simply its turn."""
    game.phase = phase
    game.to_move = only if game.waiting == 1 else SIMULTANEOUS


@rule("card.seal", "two.name")
def seal(game: Any, seat: int, card: int, second: int) -> None:
    """A card lies face down, for a dwarf named openly; after the last one the dragon is placed."""
    game.card[seat] = card
    game.named = second
    game.waiting -= 1
    if game.waiting == 0:
        ask(game, game.dragon_seat, PLACE)


@rule("dragon.place")
def place_dragon(game: Any, niche: int) -> None:
    """The dragon sits in a niche; all cards are turned."""
    game.dragon = niche
    game.phase = REVEALED


@rule("card.open")
def lay_open(game: Any, seat: int, card: int) -> None:
    """A played card stays before its player and cannot be played again."""
    game.hand[seat] -= 1 << card


# --- Moving -----------------------------------------------------------------------------------------------------
@rule("reveal.order", "move.together")
def move_dwarves(game: Any) -> None:
    """All dwarves move first, then coins are collected; nobody is in anybody's way."""
    total = 0
    takers = 0
    for seat in range(seats(game)):
        card = game.card[seat] + 0
        if card < CHEST:
            lay_open(game, seat, card)
            dwarf = moving_dwarf(game, seat)
            place = game.place[dwarf] + 0
            if frightened(game, seat):
                game.place[dwarf] = behind(game, place, card)
            else:
                place = ahead(game, place, card)
                game.place[dwarf] = place
                coins = coins_at(game, place)
                game.due[seat] = coins
                total += coins
                takers += coins > 0
    collect(game, total, takers)


@rule("two.dwarves")
def dwarves_of(game: Any) -> int:
    """With two players each leads two dwarves, else everyone one."""
    return 2 if game.players == 2 else 1


@rule("two.name")
def moving_dwarf(game: Any, seat: int) -> int:
    """The dwarf a card is for: the one named."""
    return seat + 2 if game.named > 0 else seat + 0


@rule("move.ahead", "lair.enter")
def ahead(game: Any, place: int, kind: int) -> int:
    """The first space of a kind ahead, the own one excluded; behind the last of its kind the niche in the lair."""
    place += 1
    while place <= game.length and game.kind[place] != kind:
        place += 1
    return place if place <= game.length else game.length + 1 + kind


@rule("fright.back", "lair.guarded")
def behind(game: Any, place: int, kind: int) -> int:
    """The first space of a kind behind, the own one excluded; where there is none, the start."""
    place -= 1
    while place > START and game.kind[place] != kind:
        place -= 1
    return max(place, START)


@rule("fright.back", "chest.safe")
def frightened(game: Any, seat: int) -> bool:
    """The dragon, once placed, sits in the niche of the player's own card; it never finds a Chest."""
    return game.card[seat] == game.dragon


@compiled
def home(game: Any, dwarf: int) -> bool:
    """A dwarf is in the lair."""
    return game.place[dwarf] > game.length


# --- Coins ------------------------------------------------------------------------------------------------------
@rule("coins.collect", "lair.reward")
def coins_at(game: Any, place: int) -> int:
    """A space pays the coins it shows, any niche of the lair what the lair pays."""
    return game.coins[min(place, game.length + 1)] + 0


@rule("coins.collect", "end.treasure")
def collect(game: Any, total: int, takers: int) -> None:
    """Everybody takes what is due onto the purse; the last coin ends the game at once."""
    if total > game.treasure:
        share_out(game, takers)
        return
    for seat in range(seats(game)):
        game.purse[seat] += game.due[seat]
    game.treasure -= total
    if game.treasure == 0:
        finish(game, NO_COIN_LEFT)
    else:
        game.phase = COLLECTED


@rule("coins.shortage")
def share_out(game: Any, takers: int) -> None:
    """Too few coins are shared equally by all who are due any; what cannot be divided stays, and the game ends."""
    share = game.treasure // takers
    for seat in range(seats(game)):
        if game.due[seat] > 0:
            game.purse[seat] += share
            game.treasure -= share
    finish(game, SHORTAGE)


# --- The frightened ---------------------------------------------------------------------------------------------
@rule("fright.split")
def present_fists(game: Any) -> None:
    """Who is frightened and has coins on the purse hides them in two fists."""
    game.waiting = 0
    last = 0
    for seat in range(seats(game)):
        if frightened(game, seat) and game.purse[seat] > 0:
            game.left[seat] = TO_SPLIT
            game.waiting += 1
            last = seat
    if game.waiting == 0:
        game.phase = SETTLED
    else:
        ask_sealed(game, last, SPLIT)


@rule("fright.split")
def split(game: Any, seat: int, left: int) -> None:
    """So many coins in the left fist, the rest in the right one; when all are ready the dragon guesses."""
    game.left[seat] = left
    game.waiting -= 1
    if game.waiting == 0:
        game.guessing = game.dragon_seat
        game.phase = GUESSING


@rule("fright.guess")
def look_at_next(game: Any) -> None:
    """One after the other shows two fists, from the dragon's left on."""
    game.phase = SETTLED
    seat = game.guessing + 0
    for _other in range(seats(game) - 1):
        seat = next_seat(game, seat)
        if game.left[seat] != NO_SPLIT and game.phase == SETTLED:
            game.guessing = seat
            ask(game, game.dragon_seat, GUESS)


@rule("fright.guess")
def guess(game: Any, fist: int) -> None:
    """The coins of the fist the dragon points at go back to the treasure, the others to the purse."""
    seat = game.guessing
    lost = game.left[seat] + 0 if fist == LEFT_FIST else game.purse[seat] + 0 - game.left[seat]
    game.purse[seat] -= lost
    game.treasure += lost
    game.left[seat] = NO_SPLIT
    game.phase = GUESSING


# --- The end of the round ---------------------------------------------------------------------------------------
@rule("reveal.order", "fright.cards", "chest.cards")
def settle(game: Any) -> None:
    """Chests are filled, cards taken back; then the game ends or the next round begins."""
    for seat in range(seats(game)):
        if game.card[seat] == CHEST:
            bank(game, seat)
        if cards_come_back(game, seat):
            game.hand[seat] = WHOLE_HAND
    if somebody_arrived(game):
        finish(game, IN_LAIR if game.players > 2 else BOTH_HOME)
    else:
        pass_dragon(game)
        begin_round(game)


@rule("chest.bank", "chest.closed", "option.open-chests")
def bank(game: Any, seat: int) -> None:
    """All coins of the purse go into the chest for good; everybody saw how many, looking in is another matter."""
    game.chest[seat] += game.purse[seat]
    game.purse[seat] = 0


@rule("fright.cards", "chest.cards")
def cards_come_back(game: Any, seat: int) -> bool:
    """All cards come back to who was frightened, and to who played the Chest."""
    return game.card[seat] == CHEST or frightened(game, seat)


@rule("end.lair", "two.end", "two.home")
def somebody_arrived(game: Any) -> bool:
    """A dwarf in the lair ends the game; with two players only both of one player's do."""
    arrived = 0
    for seat in range(seats(game)):
        arrived += home(game, seat) and (game.players > 2 or home(game, seat + 2))
    return arrived > 0


@rule("round.pass", "two.roles")
def pass_dragon(game: Any) -> None:
    """The dragon goes to the left; with two players only after a fright or a Chest."""
    left = next_seat(game, game.dragon_seat + 0)
    if game.players > 2 or cards_come_back(game, left):
        game.dragon_seat = left


@rule("end.over")
def finish(game: Any, ending: int) -> None:
    """Nothing more is played."""
    game.ended = ending
    game.phase = OVER
    game.to_move = TERMINAL

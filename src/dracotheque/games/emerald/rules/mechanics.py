"""Emerald: every rule as a small function, in the order of the rulebook."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import TERMINAL, ask, await_chance, compiled, next_seat, rule, seats
from dracotheque.games.emerald.rules.state import (
    BOX, BRIBE, CAPTURED, CARD, CAVES, CHAMBER, COLOURS, DIE, FIRST_CAVE, FIRST_FIELD, FLOWN, KINDS, KNIGHTS, LAIRWARD,
    LAST_ROD, LOST, LOTS, MOVE, MOVED, NEST, NOWHERE, OVER, PLAINWARD, REVEAL, ROD_LENGTH, STIR, TAKE, TOWERS,
    TREASURES, VALUES, VICTIM,
)  # fmt: skip


# --- Set-up -----------------------------------------------------------------------------------------------------
@rule("setup.board")
def setup(game: Any) -> None:
    """Castle, road, chamber and nest stand ready; chance decides the rest, one step at a time."""
    game.moved = NOWHERE
    game.ransomed = NOWHERE
    game.treasures_left = TREASURES
    place_knights(game)
    place_dragon(game)
    place_piles(game)
    choose_first_player(game)


@rule("two.colours")
def colours_of(game: Any) -> int:
    """With two players each leads two colours, else everyone one."""
    return 2 if game.players == 2 else 1


@rule("setup.knights")
def place_knights(game: Any) -> None:
    """One knight of each colour on every start place; the keep stays empty with two or five players."""
    starts = TOWERS + 1 if 3 <= game.players <= 4 else TOWERS
    for colour in range(COLOURS):
        in_play = starts if colour < game.players * colours_of(game) else 0
        game.in_play[colour] = in_play
        for place in range(KNIGHTS):
            game.knights[colour][place] = place if place < in_play else BOX
            game.crowd[place] += place < in_play


@rule("setup.dragon")
def place_dragon(game: Any) -> None:
    """The rod lies beside caves 1–4, the dragon stands on the fourth and looks at the plain."""
    game.rod = 0
    game.dragon = ROD_LENGTH - 1
    game.facing = PLAINWARD


@rule("setup.cards")
def place_piles(game: Any) -> None:
    """Two gems and three gold cards at odd caves, three and two at even ones; all unseen until turned."""
    for cave in range(CAVES):
        game.pile[cave] = 2 + cave % 2
        game.pile[CAVES + cave] = 3 - cave % 2
    for card in range(KINDS + VALUES):
        game.unseen[card] = 6 if card < KINDS else 5


@rule("setup.first-player")
def choose_first_player(game: Any) -> None:
    """The table names the first player or draws lots."""
    if game.starts > 0:
        start_with(game, game.starts - 1)
    else:
        await_chance(game, LOTS)


@rule("setup.first-player")
def start_with(game: Any, seat: int) -> None:
    """The first player is known; the cards are laid out next."""
    game.active = seat
    turn_up(game, 0)


@compiled
def owner(game: Any, colour: int) -> int:
    """Whose knights a colour is: with two players the third and fourth colours are the first's and the second's."""
    return colour - seats(game) if colour >= game.players else colour + 0


@rule("dragon.card-first")
def go_on(game: Any) -> None:
    """What follows by itself, in this order, until somebody or chance must decide."""
    if game.phase == TAKE:
        take_card(game, game.turning)
    if game.phase == STIR:
        look_at_dragon(game, game.moved - FIRST_CAVE)
    if game.phase == CAPTURED:
        hold(game, owner(game, game.victim))
    if game.phase == LOST:
        carry_off(game)
    if game.phase == FLOWN:
        advance_rod(game)
    if game.phase == MOVED:
        after_move(game)


# --- The turn ---------------------------------------------------------------------------------------------------
@rule("turn.order")
def next_turn(game: Any) -> None:
    """The turn passes clockwise."""
    game.active = next_seat(game, game.active + 0)
    begin_turn(game)


@rule("turn.one-or-two")
def begin_turn(game: Any) -> None:
    """One knight must move, a second one may."""
    game.moves = 0
    game.took = 0
    game.moved = NOWHERE
    game.ransomed = NOWHERE
    ask(game, game.active, MOVE)


@rule("turn.one-or-two", "card.turn-ends", "card.empty")
def after_move(game: Any) -> None:
    """Without a card taken a second knight may move; otherwise the turn is over."""
    if game.moves == 1 and game.took == 0 and someone_can_follow(game):
        ask(game, game.active, MOVE)
    else:
        next_turn(game)


@rule("turn.same-knight", "bribe.rests")
def resting(game: Any, place: int) -> int:
    """Count the own knights on a place that may not move any more this turn."""
    return (place == game.moved) + (place == game.ransomed)


@rule("two.one-colour")
def someone_can_follow(game: Any) -> bool:
    """The second knight has the first one's colour, and must not be resting."""
    return game.in_play[game.colour] > (game.moved != NOWHERE) + (game.ransomed != NOWHERE)


@rule("option.second-move")
def may_pass(game: Any) -> bool:
    """The second move may be left out, unless the table made it compulsory."""
    return game.moves == 1 and game.second_move == 0


# --- Moving -----------------------------------------------------------------------------------------------------
@rule("move.distance")
def distance(game: Any, place: int) -> int:
    """A knight walks as many spaces as knights stand where it starts, itself included."""
    return game.crowd[place]


@rule("move.castle", "move.forward")
def destination(game: Any, place: int) -> int:
    """Always forward; from any start place the first field is the first step."""
    return (FIRST_FIELD - 1 if place < FIRST_FIELD else place) + distance(game, place)


@rule("move.own-knight")
def move_knight(game: Any, colour: int, place: int) -> None:
    """The knight leaves its place, arrives, and what lies there happens."""
    target = min(destination(game, place), CHAMBER)
    send(game, colour, place, target)
    game.moves += 1
    game.colour = colour
    if target == CHAMBER:
        enter_chamber(game, colour)
    else:
        game.crowd[target] += 1
        game.moved = target
        if target >= FIRST_CAVE:
            arrive_at_cave(game, target - FIRST_CAVE)
        else:
            game.phase = MOVED


@rule("move.stacking")
def send(game: Any, colour: int, place: int, target: int) -> None:
    """One knight leaves a place for one further on, where there is always room; its fellows stay in order."""
    game.crowd[place] -= 1
    knights = game.knights[colour]
    start, end = -1, -1
    for i in range(KNIGHTS):
        start += knights[i] <= place
        end += knights[i] < target
    for i in range(start, end):
        knights[i] = knights[i + 1]
    knights[end] = target


@compiled
def standing(game: Any, colour: int, place: int) -> int:
    """Count the knights of a colour on a place."""
    count = 0
    for i in range(KNIGHTS):
        count += game.knights[colour][i] == place
    return count


# --- The treasure chamber ---------------------------------------------------------------------------------------
@rule("chamber.enter")
def enter_chamber(game: Any, colour: int) -> None:
    """Steps to spare are dropped; the knight is home and out of play."""
    game.moved = NOWHERE
    game.in_play[colour] -= 1
    take_treasure(game, game.active)
    if game.treasures_left == 0:
        finish(game, 0)
    elif last_knight(game, game.active):
        finish(game, 1)
    else:
        next_turn(game)


@rule("chamber.treasure", "end.treasures")
def take_treasure(game: Any, seat: int) -> None:
    """One treasure card to the player; the last one ends the game."""
    game.treasures[seat] += 1
    game.treasures_left -= 1


# --- Cards ------------------------------------------------------------------------------------------------------
@rule("card.take", "card.empty")
def arrive_at_cave(game: Any, cave: int) -> None:
    """One of the face-up cards must be taken, where there is one."""
    gems, gold = game.pile[cave] > 0, game.pile[CAVES + cave] > 0
    if gems and gold:
        ask(game, game.active, CARD)
    elif gems or gold:
        pick_up(game, cave if gems else CAVES + cave)
    else:
        game.phase = STIR


@rule("card.take")
def pick_up(game: Any, pile: int) -> None:
    """The top card of this pile is taken."""
    game.turning = pile
    game.phase = TAKE


@rule("card.turn-ends")
def take_card(game: Any, pile: int) -> None:
    """The card goes to the player, whose turn will end; the next one is turned."""
    game.took = 1
    card = game.top[pile]
    game.pile[pile] -= 1
    game.top[pile] = 0
    if pile < CAVES:
        lay_open(game, card)
    else:
        lay_away(game, card)
    if game.pile[pile] > 0:
        turn_up(game, pile)
    else:
        game.phase = STIR


@rule("gold.laid-away", "option.open-gold")
def lay_away(game: Any, value: int) -> None:
    """Gold lies before the player, face down or open as the table likes: everybody saw it being taken."""
    game.gold[game.active][value] += 1


@rule("gem.laid-open", "bonus.four-gems")
def lay_open(game: Any, kind: int) -> None:
    """A gem lies open; the first to own all four kinds takes the bonus card for good."""
    gems = game.gems[game.active]
    gems[kind] += 1
    if game.four_gems == 0 and gems[0] > 0 and gems[1] > 0 and gems[2] > 0 and gems[3] > 0:
        game.four_gems = game.active + 1


@rule("card.reveal")
def turn_up(game: Any, pile: int) -> None:
    """The top card of a pile is turned: only now chance decides what it is."""
    game.turning = pile
    await_chance(game, REVEAL)


@rule("card.reveal")
def revealed(game: Any, card: int) -> None:
    """The card lies face up; then the dragon may stir, or the set-up goes on."""
    game.unseen[card] -= 1
    game.top[game.turning] = card if card < KINDS else card - KINDS
    if game.dealt == 2 * CAVES:
        game.phase = STIR
    else:
        deal_on(game)


@rule("setup.cards")
def deal_on(game: Any) -> None:
    """One pile after another shows its top card; then the first turn begins."""
    game.dealt += 1
    if game.dealt < 2 * CAVES:
        turn_up(game, game.dealt)
    else:
        begin_turn(game)


# --- The dragon -------------------------------------------------------------------------------------------------
@rule("dragon.wakes")
def wakes(game: Any, cave: int) -> bool:
    """The dragon stirs when a knight stops beside its rod, or on its own cave."""
    return cave == game.dragon or game.rod <= cave < game.rod + ROD_LENGTH


@rule("dragon.card-first")
def look_at_dragon(game: Any, cave: int) -> None:
    """Once the card is dealt with, the dragon wakes or the move is over."""
    if wakes(game, cave):
        await_chance(game, DIE)
    else:
        game.phase = MOVED


@rule("dragon.flight")
def fly(game: Any, caves: int) -> None:
    """It flies as far as the die says, the way it faces, and looks who is there."""
    for _step in range(caves):
        turn_at_rod_end(game)
        game.dragon += game.facing
    turn_at_rod_end(game)
    land(game)


@rule("dragon.turns", "dragon.off-rod")
def turn_at_rod_end(game: Any) -> None:
    """At an end of its rod, or behind it, the dragon turns round for nothing."""
    if game.dragon <= game.rod:
        game.facing = LAIRWARD
    elif game.dragon >= game.rod + ROD_LENGTH - 1:
        game.facing = PLAINWARD


@rule("dragon.captures")
def land(game: Any) -> None:
    """Where it lands it captures one knight, its own player's too; an empty cave leaves it hungry."""
    place = FIRST_CAVE + game.dragon
    if game.crowd[place] == 0:
        game.phase = FLOWN
        return
    colour = 0
    while standing(game, colour, place) == 0:
        colour += 1
    if standing(game, colour, place) < game.crowd[place] or moved_differs(game, place):
        ask(game, game.active, VICTIM)
    else:
        capture(game, colour, False)


@rule("dragon.victim")
def moved_differs(game: Any, place: int) -> bool:
    """The knight just moved and a fellow of its colour are different victims while the fellow could still move."""
    return game.moved == place and game.moves == 1 and game.took == 0 and standing(game, game.colour, place) > 1


@rule("dragon.captures")
def capture(game: Any, colour: int, moved: bool) -> None:
    """The dragon holds a knight: the one just moved, or another of that colour."""
    place = FIRST_CAVE + game.dragon
    alone = game.moved == place and game.colour == colour and standing(game, colour, place) == 1
    game.victim = colour
    game.victim_moved = moved or alone
    game.phase = CAPTURED


@rule("bribe.owner-decides")
def hold(game: Any, seat: int) -> None:
    """The owner of the captured knight decides, if there is gold to decide about."""
    if gold_cards(game, seat) > 0:
        ask(game, seat, BRIBE)
    else:
        game.phase = LOST


@rule("bribe.gold-only")
def gold_cards(game: Any, seat: int) -> int:
    """Only gold softens the dragon."""
    cards = 0
    for value in range(VALUES):
        cards += game.gold[seat][value]
    return cards


@rule("dragon.nest")
def carry_off(game: Any) -> None:
    """The knight ends in the nest, without a treasure card."""
    send(game, game.victim, FIRST_CAVE + game.dragon, NEST)
    if game.victim_moved:
        game.moved = NOWHERE
    game.in_play[game.victim] -= 1
    if last_knight(game, owner(game, game.victim)):
        finish(game, 1)
    else:
        game.phase = FLOWN


@rule("bribe.gold-only", "bribe.rests")
def bribe(game: Any, value: int) -> None:
    """One gold card leaves the game; the knight stays, and rests until its owner's next turn."""
    game.gold[owner(game, game.victim)][value] -= 1
    if game.victim == game.colour and not game.victim_moved:
        game.ransomed = FIRST_CAVE + game.dragon
    game.phase = FLOWN


@rule("rod.advances", "rod.stops")
def advance_rod(game: Any) -> None:
    """After every flight the rod moves on one cave, until it lies beside the last four."""
    if game.rod < LAST_ROD:
        game.rod += 1
    game.phase = MOVED


# --- The end ----------------------------------------------------------------------------------------------
@rule("end.last-knight")
def last_knight(game: Any, seat: int) -> bool:
    """A player has a single knight left in play, both colours together."""
    knights = game.in_play[seat] + 0
    if game.players == 2:
        knights += game.in_play[seat + 2]
    return knights == 1


@rule("end.at-once")
def finish(game: Any, ending: int) -> None:
    """Everything stops where it is."""
    game.ended = ending
    game.phase = OVER
    game.to_move = TERMINAL

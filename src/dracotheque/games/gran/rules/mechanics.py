"""Gran: every rule as a small function, in the order of the rulebook."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import TERMINAL, ask, await_chance, compiled, next_seat, rule, seats
from dracotheque.games.gran.rules.bitsets import (
    bit, can_be_fetched, exile_is_full, first, has, is_in, knight_at, knights, lowest, put, reached, take, walls_in,
    way_to_ring,
)  # fmt: skip
from dracotheque.games.gran.rules.state import (
    AMULETS, ARRIVED, BITS, CARDS, CITY, DIE, DRAGON, DROP, DUEL, ENOUGH_SEALS, EXILE, EXILE_FULL, FACES, FIRST,
    KINGDOMS, LIFT, LOTS, MAGIC, NOBODY, NOWHERE, NO_AMULET, NO_RETURN, NO_WAY, ONE_AMULET, OVER, PASSED, PATIENCE,
    PEACE, SEATS, SECOND, SETTLED, SHARED_START, STONE, STONES, STONE_THERE, STRENGTHS, SWORD, WORDS,
)  # fmt: skip


# --- Set-up -----------------------------------------------------------------------------------------------------
@rule("setup.map", "setup.ring", "setup.stones", "option.board")
def setup(game: Any) -> None:
    """The map lies there, the ring on its crystal; sixteen stones and the dragon cards are ready."""
    game.bearer = NOBODY
    game.victim = NOBODY
    game.lifted = NOWHERE
    game.origin = NOWHERE
    game.reserve = STONES
    shuffle(game)
    for seat in range(SEATS):
        equip(game, seat)
    choose_first_player(game)


@rule("setup.knights", "amulet.three")
def equip(game: Any, seat: int) -> None:
    """A knight with three amulets waits on the blue crystal."""
    playing = 1 if seat < game.players else 0
    game.place[seat] = game.start if playing else NOWHERE
    game.amulets[seat] = AMULETS * playing
    game.waiting |= playing << seat


@rule("setup.first-player")
def choose_first_player(game: Any) -> None:
    """The table names the first player or draws lots."""
    if game.starts > 0:
        start_with(game, game.starts - 1)
    else:
        await_chance(game, LOTS)


@rule("setup.first-player")
def start_with(game: Any, seat: int) -> None:
    """The first player is known and sets out."""
    game.active = seat
    begin_turn(game)


@rule("attack.symbol")
def go_on(game: Any) -> None:
    """What follows by itself, in this order, until somebody or chance must decide: exile first, then the symbol."""
    if game.phase == ARRIVED:
        arrive(game, game.active + 0)
    if game.phase == SETTLED:
        take_effect(game, game.active + 0)
    while game.phase == PASSED:
        game.active = next_seat(game, game.active + 0)
        if game.active == 0:
            look_for_ring(game)
        begin_turn(game)


# --- The turn ---------------------------------------------------------------------------------------------------
@rule("turn.order", "turn.must-move")
def begin_turn(game: Any) -> None:
    """Who can move must; a collar costs the turn and comes off."""
    seat = game.active + 0
    game.flies = 0
    if (game.collared >> seat) & 1:
        take_collar_off(game, seat)
    elif can_move(game, seat):
        game.blocked = 0
        set_out(game, seat)
    else:
        sit_out(game)


@compiled
def set_out(game: Any, seat: int) -> None:
    """A move begins where the knight stands."""
    game.origin = game.place[seat]
    ask(game, seat, FIRST)


@rule("dragon.collar")
def take_collar_off(game: Any, seat: int) -> None:
    """A collared knight does nothing in its turn but get rid of the collar."""
    game.collared &= ~(1 << seat)
    game.blocked = 0
    game.phase = PASSED


@rule("turn.blocked")
def sit_out(game: Any) -> None:
    """A knight that cannot go anywhere waits; when all do, stones give way."""
    game.blocked += 1
    game.phase = PASSED
    if game.blocked == game.players:
        game.blocked = 0
        make_way(game)


@rule("turn.blocked")
def make_way(game: Any) -> None:
    """Beside every knight one stone, if there is any, goes back to the reserve."""
    for seat in range(seats(game)):
        here = game.place[seat] * WORDS
        point = first(game.near[here] & game.stones[0], game.near[here + 1] & game.stones[1])
        if point != NOWHERE:
            take(game.stones, point)
            game.reserve += 1


@compiled(inline=False)
def can_move(game: Any, seat: int) -> bool:
    """Whether there is any first step from where the knight stands."""
    here, found = game.place[seat] + 0, False
    low, high = stops(game, seat, here, 0), stops(game, seat, here, 1)
    for word in range(WORDS):
        bits = game.near[here * WORDS + word] + 0
        while bits != 0 and not found:
            found = may_step(game, seat, word * BITS + lowest(bits), low, high)
            bits &= bits - 1
    return found


# --- Moving -----------------------------------------------------------------------------------------------------
@rule("move.lines")
def may_step(game: Any, seat: int, point: int, low: int, high: int) -> bool:
    """A first step leads to a point where the knight may stop, or over one where it may pass, and then stop."""
    return is_in(low, high, point) or (leads_on(game, point, low, high) and may_pass(game, seat, point))


@rule("move.lines")
def leads_on(game: Any, point: int, low: int, high: int) -> bool:
    """Whether a line leads from a point to one where the knight may stop."""
    return ((game.near[point * WORDS] & low) | (game.near[point * WORDS + 1] & high)) != 0


@rule("move.free", "move.no-return", "stone.block", "amulet.none", "start.shared", inline=False)
def stops(game: Any, seat: int, here: int, word: int) -> int:
    """Half of the points where a move may end: not where it began, on a stone, on a knight not to be attacked."""
    barred = game.stones[word] | bit(here, word) | (knights(game, word, seat) & ~victims(game, seat, word))
    if game.amulets[seat] == 0:
        barred |= game.dragons[word]
    return ~barred


@rule("attack.exile", "attack.no-exile", "attack.dragon", "amulet.none", "city.peace", "start.shared")
def victims(game: Any, seat: int, word: int) -> int:
    """Half of the points where a knight may be attacked: for an amulet, two on a dragon, while exile has room."""
    if game.amulets[seat] == 0 or exile_is_full(game, seat):
        return 0
    peace = game.cities[word] | crowd(game, seat, word)
    if game.amulets[seat] == 1:
        peace |= game.dragons[word]
    return ~peace


@rule("start.shared")
def crowd(game: Any, seat: int, word: int) -> int:
    """The crystal where all begin, while somebody else still waits there."""
    return bit(game.start + 0, word) if (game.waiting & ~(1 << seat)) != 0 else 0


@rule("ring.flight", "dragon.win")
def flies(game: Any, seat: int) -> bool:
    """The bearer of the ring, and the winner of a duel in the extra move, pass over everything."""
    return game.bearer == seat or game.flies == 1


@rule("move.free", "ring.flight", "city.deliver", "stone.block")
def may_pass(game: Any, seat: int, point: int) -> bool:
    """A walker passes over free points that are no dragon; a flyer over all, but the ring stops in a free city."""
    word = 1 if point >= BITS else 0
    taken = knights(game, word, seat) & bit(point, word) != 0
    if flies(game, seat):
        return game.bearer != seat or game.kind[point] != CITY or taken
    return not taken and game.kind[point] != DRAGON and not has(game.stones, point)


@rule("move.free", "move.no-return", "stone.block", "amulet.none", "start.shared")
def why_not_stop(game: Any, seat: int, here: int, point: int) -> int:
    """The rule that keeps a knight from ending its move on a point, or 0."""
    if point == here:
        return NO_RETURN
    if has(game.stones, point):
        return STONE_THERE
    if is_in(crowd(game, seat, 0), crowd(game, seat, 1), point):
        return SHARED_START
    if knight_at(game, point, seat) != NOBODY:
        return why_not_attack(game, seat, point)
    return NO_AMULET if game.kind[point] == DRAGON and game.amulets[seat] == 0 else 0


@rule("attack.no-exile", "attack.dragon", "amulet.none", "city.peace")
def why_not_attack(game: Any, seat: int, point: int) -> int:
    """The rule that keeps a knight from attacking the one on a point, or 0."""
    if game.kind[point] == CITY:
        return PEACE
    if game.amulets[seat] == 0:
        return NO_AMULET
    if game.kind[point] == DRAGON and game.amulets[seat] == 1:
        return ONE_AMULET
    return EXILE_FULL if exile_is_full(game, seat) else 0


@rule("move.lines", "ring.take")
def step(game: Any, seat: int, point: int) -> None:
    """The knight goes one point on; it takes the ring from there, also in passing."""
    game.place[seat] = point
    game.waiting &= ~(1 << seat)
    if game.ring == point:
        game.ring = NOWHERE
        game.bearer = seat


@rule("move.lines", "attack.stay")
def first_step(game: Any, seat: int, point: int) -> None:
    """After a step over a point that can be passed the knight may go on; elsewhere the move is over."""
    step(game, seat, point)
    here = game.origin + 0
    low, high = stops(game, seat, here, 0), stops(game, seat, here, 1)
    game.phase = ARRIVED
    if leads_on(game, point, low, high) and may_pass(game, seat, point):
        ask(game, seat, SECOND)


@rule("move.lines")
def second_step(game: Any, seat: int, point: int) -> None:
    """After the second step the move is over."""
    step(game, seat, point)
    game.phase = ARRIVED


@rule("move.symbols")
def take_effect(game: Any, seat: int) -> None:
    """A symbol does its work only where a knight stops."""
    kind = game.kind[game.place[seat]]
    game.phase = PASSED
    if kind == DRAGON:
        await_chance(game, DUEL)
    elif kind == CITY:
        visit(game, seat)
    elif kind == MAGIC:
        if may_lay(game):
            ask(game, seat, STONE)
    elif kind == SWORD and some_lift(game):
        ask(game, seat, LIFT)


# --- Attacks ----------------------------------------------------------------------------------------------------
@rule("attack.exile", "attack.cost", "attack.ring")
def arrive(game: Any, seat: int) -> None:
    """Where another knight stands it is attacked: for an amulet it loses ring and collar and is banished."""
    game.victim = knight_at(game, game.place[seat] + 0, seat)
    game.phase = SETTLED
    if game.victim != NOBODY:
        game.amulets[seat] -= 1
        game.collared &= ~(1 << game.victim)
        if game.bearer == game.victim:
            game.bearer = seat
        ask(game, seat, EXILE)


@rule("attack.exile")
def banish(game: Any, point: int) -> None:
    """The attacker chooses the white point; nothing else happens there."""
    game.place[game.victim] = point
    game.victim = NOBODY
    game.phase = SETTLED


# --- Dragons ----------------------------------------------------------------------------------------------------
@rule("setup.cards", "dragon.deck")
def shuffle(game: Any) -> None:
    """All dragon cards lie face down."""
    for face in range(FACES):
        game.deck[face] = CARDS[face]


@rule("dragon.duel", "dragon.deck")
def turn_card(game: Any, face: int) -> None:
    """The top card shows how strong the dragon is; after the last one all are shuffled again."""
    game.strength = STRENGTHS[face]
    game.deck[face] -= 1
    left = 0
    for other in range(FACES):
        left += game.deck[other]
    if left == 0:
        shuffle(game)
    await_chance(game, DIE)


@rule("dragon.duel")
def fight(game: Any, seat: int, pips: int) -> None:
    """As many pips as the dragon is strong, or more, win."""
    if pips >= game.strength:
        win(game, seat)
    else:
        lose(game, seat)
    game.strength = 0


@rule("dragon.win", "dragon.stay")
def win(game: Any, seat: int) -> None:
    """The winner may move once more, flying; who cannot, or will not, stays."""
    game.flies = 1
    game.phase = PASSED
    if can_move(game, seat):
        set_out(game, seat)


@rule("dragon.lose", "dragon.ring-lost")
def lose(game: Any, seat: int) -> None:
    """The loser pays an amulet, lays the ring down, if there is one, and then wears a collar."""
    game.amulets[seat] -= 1
    if game.bearer == seat:
        ask(game, seat, DROP)
    else:
        put_collar_on(game, seat)


@rule("dragon.lose", "dragon.collar")
def put_collar_on(game: Any, seat: int) -> None:
    """A collar will cost the next turn; this one is over."""
    game.collared |= 1 << seat
    game.phase = PASSED


# --- Cities -----------------------------------------------------------------------------------------------------
@rule("city.seal", "city.amulets", "city.owned")
def visit(game: Any, seat: int) -> None:
    """With the ring a knight earns the city's seal and two amulets and lays the ring down; without, one amulet."""
    if game.bearer != seat:
        give_amulets(game, seat, 1)
        return
    game.seals[seat] |= 1 << game.kingdom[game.place[seat]]
    if seal_count(game, seat) == wanted_seals(game):
        finish(game)
    else:
        give_amulets(game, seat, 2)
        ask(game, seat, DROP)


@rule("city.amulets", "amulet.three")
def give_amulets(game: Any, seat: int, number: int) -> None:
    """Nobody carries more than three."""
    game.amulets[seat] = min(game.amulets[seat] + number, AMULETS)


@rule("option.seals", "end.seals")
def wanted_seals(game: Any) -> int:
    """Three different seals with three or four players, two with more, unless the table has agreed otherwise."""
    if game.target > 0:
        return game.target + 1
    return 3 if game.players < 5 else 2


@rule("score.count")
def seal_count(game: Any, seat: int) -> int:
    """How many different seals a player has."""
    count = 0
    for kingdom in range(KINGDOMS):
        count += (game.seals[seat] >> kingdom) & 1
    return count


# --- The ring ---------------------------------------------------------------------------------------------------
@rule("ring.drop", "crystal.plain")
def ground_for_ring(game: Any, word: int, kingdom: int) -> int:
    """Half of the free black points and crystals outside a kingdom."""
    free = 0
    for other in range(KINGDOMS):
        if other != kingdom:
            free |= game.land[other * WORDS + word]
    return free & ~game.stones[word] & ~knights(game, word, NOBODY)


@rule("ring.drop", "ring.reachable", inline=False)
def drops(game: Any, seat: int) -> tuple[int, int]:
    """Where the ring may be laid: in another kingdom, within reach of somebody; any free point where there is none."""
    kingdom = game.kingdom[game.place[seat]] + 0
    low, high = ground_for_ring(game, 0, kingdom), ground_for_ring(game, 1, kingdom)
    within = reached(game)
    if ((low & within[0]) | (high & within[1])) == 0:
        return low, high
    return low & within[0], high & within[1]


@rule("ring.drop", "dragon.lose")
def drop(game: Any, seat: int, point: int) -> None:
    """The ring lies on the point its bearer chose; a bearer beaten by a dragon now wears the collar."""
    game.bearer = NOBODY
    game.ring = point
    game.phase = PASSED
    if game.kind[game.place[seat]] == DRAGON:
        put_collar_on(game, seat)


@rule("ring.cut-off")
def look_for_ring(game: Any) -> None:
    """Once a round it is seen whether anybody can get to the ring; after five rounds of no, all stones are lifted."""
    game.cut_off = 0 if game.ring == NOWHERE or can_be_fetched(game) else game.cut_off + 1
    if game.cut_off == PATIENCE:
        game.cut_off = 0
        game.reserve = STONES
        for word in range(WORDS):
            game.stones[word] = 0


# --- Stones -----------------------------------------------------------------------------------------------------
@rule("stone.place", "crystal.plain")
def ground_for_stone(game: Any, word: int, lifted: int) -> int:
    """Half of the black and white points without knight, stone and ring; a lifted stone may not go back."""
    taken = game.stones[word] | knights(game, word, NOBODY) | bit(game.ring + 0, word) | bit(lifted, word)
    return game.ground[word] & ~taken


@rule("stone.place", "stone.ring", "stone.none")
def may_lay(game: Any) -> bool:
    """Whether a stone from the reserve may lie anywhere."""
    low, high = way_to_ring(game, NOWHERE, NOWHERE)
    return game.reserve > 0 and low != NO_WAY and stone_fits(game, NOWHERE, low, high)


@rule("stone.place", "stone.ring", inline=False)
def stone_fits(game: Any, lifted: int, low: int, high: int) -> bool:
    """Whether there is a point for a stone: off the way to the ring, or on it where there is another way."""
    found = False
    for word in range(WORDS):
        bits = ground_for_stone(game, word, lifted)
        found = found or bits & ~(high if word else low) != 0
        while bits != 0 and not found:
            found = not walls_in(game, word * BITS + lowest(bits), lifted)
            bits &= bits - 1
    return found


@rule("stone.place", "stone.lift")
def lay_stone(game: Any, point: int) -> None:
    """A stone from the reserve, or the one in hand, lies on a point."""
    put(game.stones, point)
    if game.lifted == NOWHERE:
        game.reserve -= 1
    game.lifted = NOWHERE
    game.phase = PASSED


@rule("stone.lift", "stone.ring")
def may_lift(game: Any, point: int, low: int, high: int) -> bool:
    """Whether the stone on a point may be lifted: it fits elsewhere, and the ring, if not in reach, comes into it."""
    if low == NO_WAY:
        low, high = way_to_ring(game, NOWHERE, point)
    return low != NO_WAY and stone_fits(game, point, low, high)


@rule("stone.lift", "stone.none")
def some_lift(game: Any) -> bool:
    """Whether any stone on the map may be lifted."""
    low, high = way_to_ring(game, NOWHERE, NOWHERE)
    found = False
    for word in range(WORDS):
        bits = game.stones[word] + 0
        while bits != 0 and not found:
            found = may_lift(game, word * BITS + lowest(bits), low, high)
            bits &= bits - 1
    return found


@rule("stone.lift")
def lift(game: Any, seat: int, point: int) -> None:
    """A stone is taken into the hand; it must be laid elsewhere."""
    take(game.stones, point)
    game.lifted = point
    ask(game, seat, STONE)


# --- End --------------------------------------------------------------------------------------------------------
@rule("end.seals")
def finish(game: Any) -> None:
    """The last seal wanted ends the game at once: no amulets, and the ring stays where it is."""
    game.ended = ENOUGH_SEALS
    game.phase = OVER
    game.to_move = TERMINAL

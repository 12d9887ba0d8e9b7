"""Gran: what happened in a move, event by event, each with its rule.

A move's events come from carrying out its rules one after the other on a copy of the state, down to the turns that are
passed without a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dracotheque.engine.phrases import GameEvent, phrase
from dracotheque.presentation.narration import event, points, seat_name, winners

# isort: off
from dracotheque.games.gran.rules import mechanics, scoring
from dracotheque.games.gran.rules.state import (
    ARRIVED, CARD, CITY, CRYSTAL, DIE, DRAGON, DROP, DUEL, EXILE, FIRST, KINGDOMS, LIFT, LOTS, MAGIC,
    NOBODY, NOWHERE, OVER, PASSED, ROLL, SECOND, SETTLED, STAY, STONE, SWORD, WORDS,
)  # fmt: skip
from dracotheque.games.gran.names import (
    SYMBOLS, Table, _amulets, _copy, _left, _named, _of, _seals, _to, board_name, kingdom_name, point_name,
)  # fmt: skip


# --- What happened ----------------------------------------------------------------------------------------------
def events(before: Table, player: int, action: int, after: Table) -> list[GameEvent]:
    """Tell one move, a seat's or chance's, in the order in which things happened, to the whole table."""
    return list(carry_out(_copy(before), action))


def carry_out(table: Table, action: int) -> Iterator[GameEvent]:
    """Carry a move out on a table, rule by rule, and tell everything on the way."""
    yield from _TELLERS[table.phase](table, table.active, action)
    yield from _go_on(table)


def _go_on(table: Table) -> Iterator[GameEvent]:
    """Tell what follows by itself until someone or chance must decide."""
    if table.phase == ARRIVED:
        yield from _arrive(table, table.active)
    if table.phase == SETTLED:
        yield from _take_effect(table, table.active)
    while table.phase == PASSED:
        table.active = mechanics.next_seat(table, table.active)
        if table.active == 0:
            yield from _look_for_ring(table)
        yield from _begin_turn(table, table.active)


# --- Set-up and turns -------------------------------------------------------------------------------------------
def _lots(table: Table, _: int, action: int) -> Iterator[GameEvent]:
    """Tell how everything lies, and who was drawn to begin."""
    yield from _set_up(table)
    mechanics.start_with(table, action)
    yield event("setup.first-player", "lots", seat=seat_name(action))


def _set_up(table: Table) -> Iterator[GameEvent]:
    """Tell how everything lies before the first turn."""
    board = table.board
    if board.source:
        yield event("option.board", "other_board", name=board_name(board))
    yield event("setup.map", "map", points=len(board.points))
    yield event("setup.knights", "knights", point=point_name(board, table.start))
    yield event("setup.ring", "ring", of=_of(table.kingdom[table.ring]), point=point_name(board, table.ring))
    yield event("setup.stones", "stones")
    yield event("setup.cards", "cards")
    yield event(
        "option.seals", "agreed_seals" if table.target else "seals", seals=_seals(mechanics.wanted_seals(table))
    )


def _agreed(table: Table) -> Iterator[GameEvent]:
    """Tell the set-up with the first step of a game whose first player was named."""
    if table.starts and table.waiting == (1 << table.players) - 1:
        yield from _set_up(table)
        yield event("setup.first-player", "agreed", seat=seat_name(table.active))


def _begin_turn(table: Table, seat: int) -> Iterator[GameEvent]:
    """Tell whose turn it is, or why it passes by itself."""
    collared, stones = table.collared >> seat & 1, table.stones[:]
    everybody = table.blocked + 1 == table.players
    mechanics.begin_turn(table)
    if collared:
        yield event("dragon.collar", "collar_off", seat=seat_name(seat))
    elif table.phase == PASSED:
        yield event("turn.blocked", "blocked", seat=seat_name(seat))
        if everybody:
            yield from _made_way(table, stones)
    else:
        yield event("turn.order", "next", seat=seat_name(seat))
        yield from _no_peaceful_way(table, seat)


def _look_for_ring(table: Table) -> Iterator[GameEvent]:
    """Tell that all stones go back to the reserve, when nobody could get to the ring for too long."""
    lying = any(table.stones)
    mechanics.look_for_ring(table)
    if lying and not any(table.stones):
        yield event("ring.cut-off", "cut_off")


def _made_way(table: Table, stones: list[int]) -> Iterator[GameEvent]:
    """Tell that nobody could move, and which stones go back to the reserve for that."""
    yield event("turn.blocked", "all_blocked")
    gone = [stones[word] & ~table.stones[word] for word in range(WORDS)]
    for point in range(len(table.board.points)):
        if mechanics.has(gone, point):
            yield event("turn.blocked", "stone_back", point=point_name(table.board, point))


def _no_peaceful_way(table: Table, seat: int) -> Iterator[GameEvent]:
    """Tell that a knight has to move although every way ends in a duel or an attack."""
    ends = set(_ends(table, seat))
    if all(table.kind[end] == DRAGON or mechanics.knight_at(table, end, seat) != NOBODY for end in ends):
        yield event("turn.must-move", "must_move", seat=seat_name(seat))


def _ends(table: Table, seat: int) -> Iterator[int]:
    """List the points where a knight that is about to set out can end its move."""
    here, near = table.place[seat], table.board.near
    low, high = mechanics.stops(table, seat, here, 0), mechanics.stops(table, seat, here, 1)
    for first in near[here]:
        if mechanics.is_in(low, high, first):
            yield first
        if mechanics.may_pass(table, seat, first):
            yield from (second for second in near[first] if mechanics.is_in(low, high, second))


# --- Moving -----------------------------------------------------------------------------------------------------
def _first(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell the first step of a move, or that the winner of a duel stays."""
    if action == STAY:
        table.phase = PASSED
        yield event("dragon.stay", "stays_with_dragon", seat=seat_name(seat))
        return
    yield from _agreed(table)
    before = _copy(table)
    mechanics.first_step(table, seat, action)
    flown = _flown(before, seat, action) if table.phase == SECOND else None
    yield flown or _walked(before, seat, action)
    yield from _ring_taken(before, table, seat)
    if before.waiting and not table.waiting:
        yield event("crystal.plain", "crystal", point=point_name(table.board, table.start))
    if table.phase == ARRIVED:
        yield from _arrive(table, seat)
        yield from _stopped_short(table, seat)


def _walked(before: Table, seat: int, point: int) -> GameEvent:
    """Tell a step that leads over nothing."""
    if before.waiting & ~(1 << seat) and before.waiting >> seat & 1:
        return event("start.shared", "sets_out", seat=seat_name(seat), to=_to(before, point))
    return event("move.lines", "goes", seat=seat_name(seat), to=_to(before, point))


def _flown(before: Table, seat: int, point: int) -> GameEvent | None:
    """Tell a step to something that only flyers can pass, or None where anyone could."""
    if not mechanics.flies(before, seat):
        return None
    name, flight = seat_name(seat), "ring.flight" if before.bearer == seat else "dragon.win"
    if mechanics.has(before.stones, point):
        return event(flight, "flies_over_stone", seat=name, point=point_name(before.board, point))
    if before.waiting & ~(1 << seat) and point == before.start:
        return event("start.shared", "flies_over_start", seat=name, over=_named(before, "over", point))
    other = mechanics.knight_at(before, point, seat)
    if other != NOBODY and before.kind[point] == CITY:
        gaps = {"over": _named(before, "over", point), "whom": seat_name(other)}
        return event("city.peace", "flies_over_city", seat=name, **gaps)
    if other != NOBODY:
        return event(flight, "flies_above", seat=name, to=_to(before, point), whom=seat_name(other))
    return event(flight, "flies", seat=name, to=_to(before, point)) if before.kind[point] == DRAGON else None


def _ring_taken(before: Table, table: Table, seat: int) -> Iterator[GameEvent]:
    """Tell that a step led to the ring, and whether the knight can fly on with it."""
    if table.ring != before.ring:
        yield event("ring.take", "ring_on_the_way" if table.phase == SECOND else "ring_taken", seat=seat_name(seat))


def _stopped_short(table: Table, seat: int) -> Iterator[GameEvent]:
    """Tell why a move is over after its first step."""
    kind = table.kind[table.place[seat]]
    if table.victim != NOBODY:
        yield event("attack.stay", "attacker_stays", seat=seat_name(seat))
    elif kind == DRAGON and not mechanics.flies(table, seat):
        yield event("move.free", "on_foot", seat=seat_name(seat))
    elif kind == CITY and table.bearer == seat:
        yield event("city.deliver", "delivers", seat=seat_name(seat))


def _second(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell the second step of a move, or that the knight goes no further."""
    here, name = table.place[seat], seat_name(seat)
    if action == STAY:
        table.phase = ARRIVED
        yield event("move.lines", "goes_no_further", seat=name)
        return
    works = table.kind[here] in (CITY, DRAGON, MAGIC, SWORD)
    if works and not mechanics.why_not_stop(table, seat, table.origin, here):
        yield event("move.symbols", "passes", seat=name, over=_named(table, "over", here))
    before = _copy(table)
    mechanics.second_step(table, seat, action)
    yield event("move.lines", "goes_on", seat=name, to=_to(table, action))
    yield from _ring_taken(before, table, seat)


# --- Attacks ----------------------------------------------------------------------------------------------------
def _arrive(table: Table, seat: int) -> Iterator[GameEvent]:
    """Tell an attack: what it costs, and what the knight that was there loses."""
    name, before = seat_name(seat), _copy(table)
    mechanics.arrive(table, seat)
    if table.victim == NOBODY:
        return
    gaps = {"whom": seat_name(table.victim), "left": _left(table.amulets[seat])}
    yield event("attack.cost", "attacks", seat=name, **gaps)
    yield from _no_amulet(table, seat)
    if before.bearer == table.victim:
        yield event("attack.ring", "ring_changes_hands", seat=name)
    if before.collared >> table.victim & 1:
        yield event("attack.dragon", "freed", seat=seat_name(table.victim))


def _no_amulet(table: Table, seat: int) -> Iterator[GameEvent]:
    """Tell what a knight that has just lost its last amulet cannot do."""
    if table.amulets[seat] == 0:
        yield event("amulet.none", "no_amulet", seat=seat_name(seat))


def _exile(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell where a knight was banished to, and that only now the symbol works."""
    gaps = {"whom": seat_name(table.victim), "point": point_name(table.board, action)}
    mechanics.banish(table, action)
    yield event("attack.exile", "banished", seat=seat_name(seat), **gaps)
    kind = table.kind[table.place[seat]]
    if kind in (DRAGON, MAGIC, SWORD):
        yield event("attack.symbol", f"now_{SYMBOLS[kind]}")


# --- Symbols ----------------------------------------------------------------------------------------------------
def _take_effect(table: Table, seat: int) -> Iterator[GameEvent]:
    """Tell what the point does where a knight has stopped."""
    kind, before = table.kind[table.place[seat]], _copy(table)
    mechanics.take_effect(table, seat)
    if kind == DRAGON:
        yield event("dragon.duel", "duel", seat=seat_name(seat))
    elif kind == CITY:
        yield from _visited(before, table, seat)
    elif kind == MAGIC and table.phase == PASSED:
        yield event("stone.none", "no_point" if table.reserve else "no_reserve", seat=seat_name(seat))
    elif kind == SWORD and table.phase == PASSED:
        yield event("stone.none", "no_lift" if any(table.stones) else "no_stone", seat=seat_name(seat))


def _visited(before: Table, table: Table, seat: int) -> Iterator[GameEvent]:
    """Tell what a city gave: seal, amulets, perhaps the victory."""
    name, of = seat_name(seat), _of(table.kingdom[table.place[seat]])
    if table.bearer == seat:
        if table.seals == before.seals:
            yield event("city.owned", "owned", seat=name, of=of)
        else:
            number, wanted = mechanics.seal_count(table, seat), mechanics.wanted_seals(table)
            yield event("city.seal", "seal", seat=name, of=of, number=number, wanted=wanted)
    if table.phase == OVER:
        yield from _ending(table)
        return
    gained, due = table.amulets[seat] - before.amulets[seat], 2 if table.bearer == seat else 1
    if gained:
        yield event("city.amulets", "amulets", seat=name, amulets=_amulets(gained))
    if gained < due:
        yield event("amulet.three", "three", seat=name)


# --- Dragons ----------------------------------------------------------------------------------------------------
def _card(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell how strong the dragon is, and when the cards are shuffled again."""
    last = sum(table.deck) == 1
    mechanics.turn_card(table, action - CARD)
    yield event("dragon.duel", "card" if table.strength else "card_zero", strength=table.strength)
    if last:
        yield event("dragon.deck", "shuffled")


def _die(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell the throw and how the duel ended."""
    pips, name = action - ROLL + 1, seat_name(seat)
    won = pips >= table.strength
    mechanics.fight(table, seat, pips)
    yield event("dragon.duel", "wins_duel" if won else "loses_duel", seat=name, pips=pips)
    if not won:
        yield from _lost(table, seat)
    elif table.phase == FIRST:
        yield event("dragon.win", "extra", seat=name)
    else:
        yield event("dragon.stay", "nowhere", seat=name)


def _lost(table: Table, seat: int) -> Iterator[GameEvent]:
    """Tell what a lost duel costs; the collar comes after the ring."""
    name = seat_name(seat)
    yield event("dragon.lose", "loses_amulet", seat=name, left=_left(table.amulets[seat]))
    yield from _no_amulet(table, seat)
    if table.phase == DROP:
        yield event("dragon.ring-lost", "loses_ring", seat=name)
    else:
        yield _collared(seat)


def _collared(seat: int) -> GameEvent:
    """Tell that a knight has to wear a collar."""
    return event("dragon.collar", "collar", seat=seat_name(seat))


# --- Ring and stones --------------------------------------------------------------------------------------------
def _drop(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell where the ring was laid down, and the collar of a bearer who lost a duel."""
    in_reach = mechanics.is_in(*mechanics.reached(table), action)
    gaps = {"on": _named(table, "on", action), "of": _of(table.kingdom[action])}
    mechanics.drop(table, seat, action)
    yield event("ring.drop", "ring_laid", seat=seat_name(seat), **gaps)
    if not in_reach:
        yield event("ring.reachable", "out_of_reach")
    if table.kind[action] == CRYSTAL:
        yield event("crystal.plain", "ring_on_crystal")
    if table.collared >> seat & 1:
        yield _collared(seat)


def _stone(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell where a stone was laid, from the reserve or from the hand."""
    gaps = {"seat": seat_name(seat), "point": point_name(table.board, action)}
    lifted = table.lifted != NOWHERE
    mechanics.lay_stone(table, action)
    if lifted:
        yield event("stone.lift", "stone_moved", **gaps)
    else:
        reserve = phrase("reserve", count=table.reserve) if table.reserve else phrase("reserve.none")
        yield event("stone.place", "stone_laid", reserve=reserve, **gaps)


def _lift(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell which stone was lifted."""
    mechanics.lift(table, seat, action)
    yield event("stone.lift", "lifted", seat=seat_name(seat), point=point_name(table.board, action))


# --- End and score ----------------------------------------------------------------------------------------------
def _ending(table: Table) -> Iterator[GameEvent]:
    """Tell that the game is over, each player's seals and who has won."""
    yield event("end.seals", "over")
    for seat, count in enumerate(points(scoring, table)):
        yield _counted(table, seat, count)
    for seat in winners(scoring, table):
        yield event("score.winner", "wins", seat=seat_name(seat))


def _counted(table: Table, seat: int, count: int) -> GameEvent:
    """Tell which seals a player has."""
    if count == 0:
        return event("score.count", "count_none", seat=seat_name(seat))
    won = ", ".join(kingdom_name(kingdom) for kingdom in range(KINGDOMS) if table.seals[seat] >> kingdom & 1)
    return event("score.count", "count", seat=seat_name(seat), seals=_seals(count), kingdoms=won)


_TELLERS: dict[int, Callable[[Table, int, int], Iterator[GameEvent]]] = {
    LOTS: _lots,
    FIRST: _first,
    SECOND: _second,
    EXILE: _exile,
    DUEL: _card,
    DIE: _die,
    DROP: _drop,
    STONE: _stone,
    LIFT: _lift,
}

"""Gran in phrases: what points and choices are called, what is asked, and what happened by which rule.

A move is told by carrying its rules out one after the other on a copy of the table, down to the turns that pass by
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

from dracotheque.engine.game import Game
from dracotheque.engine.rule import load
from dracotheque.engine.words import Event, Phrase, phrase
from dracotheque.games.gran.board import KINGDOM_NAMES, Board
from dracotheque.games.sheets import ScoreRow, total_of
from dracotheque.games.told import ALL_CRESTS, asked, event, points, seat_name, winners

# isort: off
from dracotheque.games.gran.state import (
    AMULETS, ARRIVED, CARD, CITY, CRYSTAL, DIE, DRAGON, DROP, DUEL, EXILE, FACES, FIRST, KINGDOMS, LIFT, LOTS, MAGIC,
    NOBODY, NOWHERE, OVER, PASSED, REFUSALS, ROLL, SEATS, SECOND, SETTLED, SIDES, STAY, STONE, STRENGTHS, SWORD, WORDS,
)  # fmt: skip

CRESTS = ALL_CRESTS[:SEATS]
OUR_BOARDS = {"Four kingdoms": "board.kingdoms", "The borderlands": "board.borderlands"}
SYMBOLS = {CITY: "city", DRAGON: "dragon", MAGIC: "magic", SWORD: "sword", CRYSTAL: "crystal"}

Table = Any  # an engine.record.Plain, or a copy of one: its fields are those of gran.state.State
RULES: Any = load("dracotheque.games.gran.rules", interpreted=True)
SCORING: Any = load("dracotheque.games.gran.scoring", interpreted=True)


# --- Names ------------------------------------------------------------------------------------------------------
def board_name(board: Board) -> Phrase | str:
    """Name a map: those of the box in the reader's language, others as their makers call them."""
    return phrase(OUR_BOARDS[board.name]) if board.name in OUR_BOARDS else board.name


def crest(seat: int) -> Phrase:
    """Name a seat's crest."""
    return phrase(f"crest.{CRESTS[seat]}")


def point_name(board: Board, point: int) -> str:
    """Name a point as it stands on the map."""
    return board.points[point].name.upper()


def whom(seat: int) -> Phrase:
    """Name a knight to whom something is done: “the Lion”, „den Löwen“."""
    return phrase(f"whom.{CRESTS[seat]}")


def kingdom_name(kingdom: int) -> str:
    """Name a kingdom; it is called the same in every language."""
    return KINGDOM_NAMES[kingdom].title()


def _of(kingdom: int) -> Phrase:
    """Name a kingdom as one that something belongs to: “of Urgad”, « d’Urgad »."""
    return phrase(f"of.{KINGDOM_NAMES[kingdom]}")


def _named(table: Table, form: str, point: int) -> Phrase:
    """Name a point in one of the forms that sentences need, with its symbol if it has one."""
    kind, name = table.kind[point], point_name(table.board, point)
    if kind == CITY:
        return phrase(f"{form}.city", of=_of(table.kingdom[point]), point=name)
    symbol = "start" if point == table.start else SYMBOLS.get(kind, "plain")
    return phrase(f"{form}.{symbol}", point=name)


def _to(table: Table, point: int) -> Phrase:
    """Name a point as where a knight goes: “to T7”, “to the city of Tirad (T17)”."""
    return _named(table, "to", point)


def _amulets(number: int) -> Phrase:
    """Name a number of amulets: “no amulet”, “1 amulet”, “2 amulets”."""
    return phrase("amulets", count=number) if number else phrase("amulets.none")


def _left(number: int) -> Phrase:
    """Name a number of amulets that a knight has left: “none is left”, “1 is left”."""
    return phrase("left", count=number) if number else phrase("left.none")


def _seals(number: int) -> Phrase:
    """Name a number of seals."""
    return phrase("seals", count=number)


# --- Choices and chances ----------------------------------------------------------------------------------------
def action(game: Game, seat: int, action: int) -> Phrase:
    """Name an action in short, whatever lies on the table."""
    if action == STAY:
        return phrase("action.stay")
    if action < len(game.board.points):
        return phrase("action.point", point=point_name(game.board, action))
    return phrase("action.no_point", number=action + 1)


def outcome(game: Game, outcome: int) -> Phrase:
    """Name what chance brings: the first player, a dragon card or a throw."""
    if outcome < CARD:
        return phrase(f"outcome.{CRESTS[outcome]}")
    if outcome < ROLL:
        return phrase("outcome.card", strength=STRENGTHS[outcome - CARD])
    return phrase("outcome.die", pips=outcome - ROLL + 1)


# --- What is asked ----------------------------------------------------------------------------------------------
def secret(table: Table) -> bool:
    """Nothing is chosen out of sight of the others."""
    return False


def question(table: Table) -> Event:
    """Ask what has to be decided now, and say by which rule."""
    return _QUESTIONS[table.phase](table)


def _ask_first(table: Table) -> Event:
    """Ask for the first point of a move, on foot or flying."""
    if table.flies:
        return asked("dragon.win", "extra")
    return asked("ring.flight", "flight") if table.bearer == table.to_move else asked("move.lines", "first")


def _ask_second(table: Table) -> Event:
    """Ask for the second point, or say by which rule nobody may stop on the first."""
    seat = table.to_move
    barred = RULES.why_not_stop(table, seat, table.origin, table.place[seat])
    return asked(REFUSALS[barred], "onward") if barred else asked("move.lines", "second")


def _ask_stone(table: Table) -> Event:
    """Ask where a stone goes: a new one, or the one in hand."""
    return asked("stone.place", "stone") if table.lifted == NOWHERE else asked("stone.lift", "lifted")


_QUESTIONS: dict[int, Callable[[Table], Event]] = {
    LOTS: lambda table: asked("setup.first-player", "lots"),
    FIRST: _ask_first,
    SECOND: _ask_second,
    EXILE: lambda table: asked("attack.exile", "exile", whom=whom(table.victim)),
    DUEL: lambda table: asked("dragon.duel", "card"),
    DIE: lambda table: asked("dragon.duel", "die", strength=table.strength),
    DROP: lambda table: asked("ring.drop", "drop", of=_of(table.kingdom[table.place[table.to_move]])),
    STONE: _ask_stone,
    LIFT: lambda table: asked("stone.lift", "lift"),
    OVER: lambda table: asked("end.seals", "over"),
}


# --- What a choice would lead to --------------------------------------------------------------------------------
def preview(table: Table, seat: int, action: int) -> Phrase | None:
    """Say what a legal choice leads to, or None where its name says it all."""
    if table.phase in (DROP, STONE, LIFT):
        return _preview_place(table, action)
    if table.phase == EXILE:
        return None
    if action == STAY and table.phase == FIRST:
        return phrase("preview.stays")
    after = _copy(table)
    if action != STAY:
        RULES.step(after, seat, action)
    ring = [phrase("preview.ring")] if after.ring != table.ring else []
    return _joined([*ring, *_preview_stop(after, seat)])


def _preview_place(table: Table, point: int) -> Phrase:
    """Say where a point lies."""
    kingdom = table.kingdom[point]
    return phrase("preview.exile") if kingdom == KINGDOMS else phrase("preview.kingdom", of=_of(kingdom))


def _preview_stop(table: Table, seat: int) -> list[Phrase]:
    """Say what happens to a knight that has come to a point and stops there, or that it cannot stop."""
    here = table.place[seat]
    if RULES.why_not_stop(table, seat, table.origin, here):
        return [phrase("preview.onward")]
    victim = RULES.knight_at(table, here, seat)
    if victim == NOBODY:
        return _preview_symbol(table, seat)
    attack = phrase("preview.attack_ring" if table.bearer == victim else "preview.attack", whom=whom(victim))
    return [attack, *_preview_symbol(table, seat)]


def _preview_symbol(table: Table, seat: int) -> list[Phrase]:
    """Say what the symbol of a point does to the knight that stops there."""
    kind = table.kind[table.place[seat]]
    if kind == DRAGON:
        return [phrase("preview.duel", percent=winning_chance(table))]
    if kind == CITY:
        return _preview_city(table, seat)
    if kind == MAGIC:
        return [phrase("preview.stone" if RULES.may_lay(table) else "preview.no_stone")]
    if kind == SWORD:
        return [phrase("preview.lift" if RULES.some_lift(table) else "preview.no_lift")]
    return []


def winning_chance(table: Table) -> int:
    """Say with how many chances out of a hundred a duel is won, as the cards face down tell everybody."""
    wins = sum(table.deck[face] * min(SIDES, SIDES + 1 - STRENGTHS[face]) for face in range(FACES))
    return round(100 * wins / (SIDES * sum(table.deck)))


def _preview_city(table: Table, seat: int) -> list[Phrase]:
    """Say what a city gives."""
    kingdom = table.kingdom[table.place[seat]]
    if table.bearer != seat:
        return [_preview_amulets(table, seat, 1)]
    if table.seals[seat] >> kingdom & 1:
        return [phrase("preview.owned", of=_of(kingdom)), _preview_amulets(table, seat, 2)]
    if RULES.seal_count(table, seat) + 1 == RULES.wanted_seals(table):
        return [phrase("preview.last_seal", of=_of(kingdom))]
    return [phrase("preview.seal", of=_of(kingdom)), _preview_amulets(table, seat, 2)]


def _preview_amulets(table: Table, seat: int, due: int) -> Phrase:
    """Say how many amulets a knight gets back."""
    return phrase("preview.amulets", amulets=_amulets(min(due, AMULETS - table.amulets[seat])))


def _joined(parts: list[Phrase]) -> Phrase | None:
    """Join what a choice leads to into one line."""
    if not parts:
        return None
    *first, joined = parts
    for part in reversed(first):
        joined = phrase("preview.joined", part=part, rest=joined)
    return joined


# --- What happened ----------------------------------------------------------------------------------------------
def events(before: Table, player: int, action: int, after: Table) -> list[Event]:
    """Tell one move, a seat's or chance's, in the order in which things happened, to the whole table."""
    return list(carry_out(_copy(before), action))


def carry_out(table: Table, action: int) -> Iterator[Event]:
    """Carry a move out on a table, rule by rule, and tell everything on the way."""
    yield from _TELLERS[table.phase](table, table.active, action)
    yield from _go_on(table)


def _copy(table: Table) -> Table:
    """Copy a table, so that rules can be carried out on it one by one."""
    return SimpleNamespace(
        **{name: value[:] if isinstance(value, list) else value for name, value in vars(table).items()}
    )


def _go_on(table: Table) -> Iterator[Event]:
    """Tell what follows by itself until somebody or chance must decide."""
    if table.phase == ARRIVED:
        yield from _arrive(table, table.active)
    if table.phase == SETTLED:
        yield from _take_effect(table, table.active)
    while table.phase == PASSED:
        table.active = RULES.next_seat(table, table.active)
        if table.active == 0:
            yield from _look_for_ring(table)
        yield from _begin_turn(table, table.active)


# --- Set-up and turns -------------------------------------------------------------------------------------------
def _lots(table: Table, _: int, action: int) -> Iterator[Event]:
    """Tell how everything lies, and who was drawn to begin."""
    yield from _set_up(table)
    RULES.start_with(table, action)
    yield event("setup.first-player", "lots", seat=seat_name(action))


def _set_up(table: Table) -> Iterator[Event]:
    """Tell how everything lies before the first turn."""
    board = table.board
    if board.source:
        yield event("option.board", "other_board", name=board_name(board))
    yield event("setup.map", "map", points=len(board.points))
    yield event("setup.knights", "knights", point=point_name(board, table.start))
    yield event("setup.ring", "ring", of=_of(table.kingdom[table.ring]), point=point_name(board, table.ring))
    yield event("setup.stones", "stones")
    yield event("setup.cards", "cards")
    yield event("option.seals", "agreed_seals" if table.target else "seals", seals=_seals(RULES.wanted_seals(table)))


def _agreed(table: Table) -> Iterator[Event]:
    """Tell the set-up with the first step of a game whose first player was named."""
    if table.starts and table.waiting == (1 << table.players) - 1:
        yield from _set_up(table)
        yield event("setup.first-player", "agreed", seat=seat_name(table.active))


def _begin_turn(table: Table, seat: int) -> Iterator[Event]:
    """Tell whose turn it is, or why it passes by itself."""
    collared, stones = table.collared >> seat & 1, table.stones[:]
    everybody = table.blocked + 1 == table.players
    RULES.begin_turn(table)
    if collared:
        yield event("dragon.collar", "collar_off", seat=seat_name(seat))
    elif table.phase == PASSED:
        yield event("turn.blocked", "blocked", seat=seat_name(seat))
        if everybody:
            yield from _made_way(table, stones)
    else:
        yield event("turn.order", "next", seat=seat_name(seat))
        yield from _no_peaceful_way(table, seat)


def _look_for_ring(table: Table) -> Iterator[Event]:
    """Tell that all stones go back to the reserve, when nobody could get to the ring for too long."""
    lying = any(table.stones)
    RULES.look_for_ring(table)
    if lying and not any(table.stones):
        yield event("ring.cut-off", "cut_off")


def _made_way(table: Table, stones: list[int]) -> Iterator[Event]:
    """Tell that nobody could move, and which stones go back to the reserve for that."""
    yield event("turn.blocked", "all_blocked")
    gone = [stones[word] & ~table.stones[word] for word in range(WORDS)]
    for point in range(len(table.board.points)):
        if RULES.has(gone, point):
            yield event("turn.blocked", "stone_back", point=point_name(table.board, point))


def _no_peaceful_way(table: Table, seat: int) -> Iterator[Event]:
    """Tell that a knight has to move although every way ends in a duel or an attack."""
    ends = set(_ends(table, seat))
    if all(table.kind[end] == DRAGON or RULES.knight_at(table, end, seat) != NOBODY for end in ends):
        yield event("turn.must-move", "must_move", seat=seat_name(seat))


def _ends(table: Table, seat: int) -> Iterator[int]:
    """List the points where a knight that is about to set out can end its move."""
    here, near = table.place[seat], table.board.near
    low, high = RULES.stops(table, seat, here, 0), RULES.stops(table, seat, here, 1)
    for first in near[here]:
        if RULES.is_in(low, high, first):
            yield first
        if RULES.may_pass(table, seat, first):
            yield from (second for second in near[first] if RULES.is_in(low, high, second))


# --- Moving -----------------------------------------------------------------------------------------------------
def _first(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell the first step of a move, or that the winner of a duel stays."""
    if action == STAY:
        table.phase = PASSED
        yield event("dragon.stay", "stays_with_dragon", seat=seat_name(seat))
        return
    yield from _agreed(table)
    before = _copy(table)
    RULES.first_step(table, seat, action)
    flown = _flown(before, seat, action) if table.phase == SECOND else None
    yield flown or _walked(before, seat, action)
    yield from _ring_taken(before, table, seat)
    if before.waiting and not table.waiting:
        yield event("crystal.plain", "crystal", point=point_name(table.board, table.start))
    if table.phase == ARRIVED:
        yield from _arrive(table, seat)
        yield from _stopped_short(table, seat)


def _walked(before: Table, seat: int, point: int) -> Event:
    """Tell a step that leads over nothing."""
    if before.waiting & ~(1 << seat) and before.waiting >> seat & 1:
        return event("start.shared", "sets_out", seat=seat_name(seat), to=_to(before, point))
    return event("move.lines", "goes", seat=seat_name(seat), to=_to(before, point))


def _flown(before: Table, seat: int, point: int) -> Event | None:
    """Tell a step to something that only flyers can pass, or None where anybody could."""
    if not RULES.flies(before, seat):
        return None
    name, flight = seat_name(seat), "ring.flight" if before.bearer == seat else "dragon.win"
    if RULES.has(before.stones, point):
        return event(flight, "flies_over_stone", seat=name, point=point_name(before.board, point))
    if before.waiting & ~(1 << seat) and point == before.start:
        return event("start.shared", "flies_over_start", seat=name, over=_named(before, "over", point))
    other = RULES.knight_at(before, point, seat)
    if other != NOBODY and before.kind[point] == CITY:
        gaps = {"over": _named(before, "over", point), "whom": whom(other)}
        return event("city.peace", "flies_over_city", seat=name, **gaps)
    if other != NOBODY:
        return event(flight, "flies_above", seat=name, to=_to(before, point), whom=whom(other))
    return event(flight, "flies", seat=name, to=_to(before, point)) if before.kind[point] == DRAGON else None


def _ring_taken(before: Table, table: Table, seat: int) -> Iterator[Event]:
    """Tell that a step led to the ring, and whether the knight can fly on with it."""
    if table.ring != before.ring:
        yield event("ring.take", "ring_on_the_way" if table.phase == SECOND else "ring_taken", seat=seat_name(seat))


def _stopped_short(table: Table, seat: int) -> Iterator[Event]:
    """Tell why a move is over after its first step."""
    kind = table.kind[table.place[seat]]
    if table.victim != NOBODY:
        yield event("attack.stay", "attacker_stays", seat=seat_name(seat))
    elif kind == DRAGON and not RULES.flies(table, seat):
        yield event("move.free", "on_foot", seat=seat_name(seat))
    elif kind == CITY and table.bearer == seat:
        yield event("city.deliver", "delivers", seat=seat_name(seat))


def _second(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell the second step of a move, or that the knight goes no further."""
    here, name = table.place[seat], seat_name(seat)
    if action == STAY:
        table.phase = ARRIVED
        yield event("move.lines", "goes_no_further", seat=name)
        return
    works = table.kind[here] in (CITY, DRAGON, MAGIC, SWORD)
    if works and not RULES.why_not_stop(table, seat, table.origin, here):
        yield event("move.symbols", "passes", seat=name, over=_named(table, "over", here))
    before = _copy(table)
    RULES.second_step(table, seat, action)
    yield event("move.lines", "goes_on", seat=name, to=_to(table, action))
    yield from _ring_taken(before, table, seat)


# --- Attacks ----------------------------------------------------------------------------------------------------
def _arrive(table: Table, seat: int) -> Iterator[Event]:
    """Tell an attack: what it costs, and what the knight that was there loses."""
    name, before = seat_name(seat), _copy(table)
    RULES.arrive(table, seat)
    if table.victim == NOBODY:
        return
    gaps = {"whom": whom(table.victim), "left": _left(table.amulets[seat])}
    yield event("attack.cost", "attacks", seat=name, **gaps)
    yield from _no_amulet(table, seat)
    if before.bearer == table.victim:
        yield event("attack.ring", "ring_changes_hands", seat=name)
    if before.collared >> table.victim & 1:
        yield event("attack.dragon", "freed", seat=seat_name(table.victim))


def _no_amulet(table: Table, seat: int) -> Iterator[Event]:
    """Tell what a knight that has just lost its last amulet cannot do."""
    if table.amulets[seat] == 0:
        yield event("amulet.none", "no_amulet", seat=seat_name(seat))


def _exile(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell where a knight was banished to, and that only now the symbol works."""
    gaps = {"whom": whom(table.victim), "point": point_name(table.board, action)}
    RULES.banish(table, action)
    yield event("attack.exile", "banished", seat=seat_name(seat), **gaps)
    kind = table.kind[table.place[seat]]
    if kind in (DRAGON, MAGIC, SWORD):
        yield event("attack.symbol", f"now_{SYMBOLS[kind]}")


# --- Symbols ----------------------------------------------------------------------------------------------------
def _take_effect(table: Table, seat: int) -> Iterator[Event]:
    """Tell what the point does where a knight has stopped."""
    kind, before = table.kind[table.place[seat]], _copy(table)
    RULES.take_effect(table, seat)
    if kind == DRAGON:
        yield event("dragon.duel", "duel", seat=seat_name(seat))
    elif kind == CITY:
        yield from _visited(before, table, seat)
    elif kind == MAGIC and table.phase == PASSED:
        yield event("stone.none", "no_point" if table.reserve else "no_reserve", seat=seat_name(seat))
    elif kind == SWORD and table.phase == PASSED:
        yield event("stone.none", "no_lift" if any(table.stones) else "no_stone", seat=seat_name(seat))


def _visited(before: Table, table: Table, seat: int) -> Iterator[Event]:
    """Tell what a city gave: seal, amulets, perhaps the victory."""
    name, of = seat_name(seat), _of(table.kingdom[table.place[seat]])
    if table.bearer == seat:
        if table.seals == before.seals:
            yield event("city.owned", "owned", seat=name, of=of)
        else:
            number, wanted = RULES.seal_count(table, seat), RULES.wanted_seals(table)
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
def _card(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell how strong the dragon is, and when the cards are shuffled again."""
    last = sum(table.deck) == 1
    RULES.turn_card(table, action - CARD)
    yield event("dragon.duel", "card" if table.strength else "card_zero", strength=table.strength)
    if last:
        yield event("dragon.deck", "shuffled")


def _die(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell the throw and how the duel ended."""
    pips, name = action - ROLL + 1, seat_name(seat)
    won = pips >= table.strength
    RULES.fight(table, seat, pips)
    yield event("dragon.duel", "wins_duel" if won else "loses_duel", seat=name, pips=pips)
    if not won:
        yield from _lost(table, seat)
    elif table.phase == FIRST:
        yield event("dragon.win", "extra", seat=name)
    else:
        yield event("dragon.stay", "nowhere", seat=name)


def _lost(table: Table, seat: int) -> Iterator[Event]:
    """Tell what a lost duel costs; the collar comes after the ring."""
    name = seat_name(seat)
    yield event("dragon.lose", "loses_amulet", seat=name, left=_left(table.amulets[seat]))
    yield from _no_amulet(table, seat)
    if table.phase == DROP:
        yield event("dragon.ring-lost", "loses_ring", seat=name)
    else:
        yield _collared(seat)


def _collared(seat: int) -> Event:
    """Tell that a knight has to wear a collar."""
    return event("dragon.collar", "collar", seat=seat_name(seat))


# --- Ring and stones --------------------------------------------------------------------------------------------
def _drop(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell where the ring was laid down, and the collar of a bearer who lost a duel."""
    in_reach = RULES.is_in(*RULES.reached(table), action)
    gaps = {"on": _named(table, "on", action), "of": _of(table.kingdom[action])}
    RULES.drop(table, seat, action)
    yield event("ring.drop", "ring_laid", seat=seat_name(seat), **gaps)
    if not in_reach:
        yield event("ring.reachable", "out_of_reach")
    if table.kind[action] == CRYSTAL:
        yield event("crystal.plain", "ring_on_crystal")
    if table.collared >> seat & 1:
        yield _collared(seat)


def _stone(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell where a stone was laid, from the reserve or from the hand."""
    gaps = {"seat": seat_name(seat), "point": point_name(table.board, action)}
    lifted = table.lifted != NOWHERE
    RULES.lay_stone(table, action)
    if lifted:
        yield event("stone.lift", "stone_moved", **gaps)
    else:
        reserve = phrase("reserve", count=table.reserve) if table.reserve else phrase("reserve.none")
        yield event("stone.place", "stone_laid", reserve=reserve, **gaps)


def _lift(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell which stone was lifted."""
    RULES.lift(table, seat, action)
    yield event("stone.lift", "lifted", seat=seat_name(seat), point=point_name(table.board, action))


# --- End and score ----------------------------------------------------------------------------------------------
def _ending(table: Table) -> Iterator[Event]:
    """Tell that the game is over, everybody's seals and who has won."""
    yield event("end.seals", "over")
    for seat, count in enumerate(points(SCORING, table)):
        yield _counted(table, seat, count)
    for seat in winners(SCORING, table):
        yield event("score.winner", "wins", seat=seat_name(seat))


def _counted(table: Table, seat: int, count: int) -> Event:
    """Tell which seals a player has."""
    if count == 0:
        return event("score.count", "count_none", seat=seat_name(seat))
    won = ", ".join(kingdom_name(kingdom) for kingdom in range(KINGDOMS) if table.seals[seat] >> kingdom & 1)
    return event("score.count", "count", seat=seat_name(seat), seals=_seals(count), kingdoms=won)


# --- The score sheet --------------------------------------------------------------------------------------------
def sheet(table: Table) -> list[ScoreRow]:
    """Lay the seals out, kingdom by kingdom."""
    seats = range(table.players)
    rows = [
        ScoreRow(
            phrase("score.seal", of=_of(kingdom)), "score.count", [table.seals[seat] >> kingdom & 1 for seat in seats]
        )
        for kingdom in range(KINGDOMS)
    ]
    return [*rows, total_of(phrase("drawn.seals"), "score.winner", rows)]


_TELLERS: dict[int, Callable[[Table, int, int], Iterator[Event]]] = {
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

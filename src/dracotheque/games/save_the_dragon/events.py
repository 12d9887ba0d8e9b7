"""Save the Dragon: what happened in a move, event by event, each with its rule.

A move's events come from carrying out its rules one after the other on a copy of the state. Of a falling rock only what
changes something has an event: steps that it passes straight on, without a pawn on them, have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dracotheque.engine.phrases import GameEvent, phrase
from dracotheque.presentation.narration import event, points, seat_name, winners

# isort: off
from dracotheque.games.save_the_dragon.rules import mechanics, scoring
from dracotheque.games.save_the_dragon.rules.state import (
    ACTION, CHANGE, DIE, DOOR, DOWN, FALLING, FATE, FLOOR, GONE, LANE, LANES, LET_GO, LOTS, NOTCH,
    NOTCHED, NOWHERE, NO_CHANGE, PASSED, PUT_SHIELD, ROCK, ROCK_IN, ROLL, SEATS, SHUT, SHUT_DOOR, SIDE, SPOTS,
    STANDS, STAY, STEPS, THROUGH, THROW, TO_SIDE, WALK,
)  # fmt: skip
from dracotheque.games.save_the_dragon.names import (
    LETTERS, Table, _copy, _in_reach, _longest, _place, _sheltered, _steps, _tokens, spot_name,
)  # fmt: skip


def _paths(start: int, shield: int, length: int, *, again: bool = False) -> Iterator[tuple[int, ...]]:
    """List the walks of a length as the spots they enter; `again` those too that enter a spot twice."""
    paths: list[tuple[int, ...]] = [(start,)]
    for _ in range(length):
        longer = [(*path, spot) for path in paths for spot in _next_spots(path[-1]) if spot != shield]
        paths = [path for path in longer if again or path[-1] not in path[:-1]]
    return (path[1:] for path in paths)


def _next_spots(spot: int) -> list[int]:
    """List the spots one step from a spot or from the floor: to the left, to the right and up."""
    if spot == FLOOR:
        return list(range(LANES))
    lane = spot % LANES
    aside = [spot + side for side in (-1, 1) if 0 <= lane + side < LANES]
    return [*aside, spot + LANES] if spot + LANES < SPOTS else aside


# --- What happened ----------------------------------------------------------------------------------------------
def events(before: Table, player: int, action: int, after: Table) -> list[GameEvent]:
    """Tell one move, a seat's or chance's, in the order in which things happened, to the whole table."""
    return list(carry_out(_copy(before), action))


def carry_out(table: Table, action: int) -> Iterator[GameEvent]:
    """Carry a move out on a table, rule by rule, and tell everything on the way."""
    yield from _TELLERS[table.phase](table, table.active, action)
    while table.phase == FALLING:
        yield from _fall_on(table)
    if table.phase == PASSED:
        mechanics.pass_on(table)
        yield event("turn.order", "next", seat=seat_name(table.active))


# --- Set-up and dice --------------------------------------------------------------------------------------------
def _door(table: Table, _: int, action: int) -> Iterator[GameEvent]:
    """Tell what there is, and which door is shut at first."""
    mechanics.hang_door(table, action - SHUT)
    yield event("setup.stairs", "stairs")
    yield event("setup.pawns", "pawns")
    yield event("setup.door", "door", door=LETTERS[table.shut])


def _notch(table: Table, _: int, action: int) -> Iterator[GameEvent]:
    """Tell where the shield stands at first, and who begins, if that was agreed."""
    mechanics.place_shield(table, action - NOTCHED)
    yield event("setup.shield", "shield", spot=spot_name(table.shield))
    if table.starts:
        yield from _first_player(table, "agreed")


def _lots(table: Table, _: int, action: int) -> Iterator[GameEvent]:
    """Tell who was drawn to begin."""
    mechanics.start_with(table, action)
    yield from _first_player(table, "lots")


def _first_player(table: Table, key: str) -> Iterator[GameEvent]:
    """Tell who begins, and what was agreed for the youngest."""
    if table.youngest == 1:
        yield event("option.youngest", "youngest_all")
    else:
        for seat in range(table.players):
            if mechanics.may_skip(table, seat):
                yield event("option.youngest", "youngest", seat=seat_name(seat))
    yield event("setup.first-player", key, seat=seat_name(table.active))


def _die(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell the movement die."""
    mechanics.roll(table, action - ROLL + 1)
    yield event("turn.die", "die", seat=seat_name(seat), steps=table.die)


def _action(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell the action die, and that shield or door have to be moved."""
    mechanics.act(table, action == ROCK)
    yield event("turn.action", "rock" if action == ROCK else "change", seat=seat_name(seat))
    if action != ROCK and not mechanics.may_skip(table, seat):
        yield event("change.must", "must_change", seat=seat_name(seat))


# --- The walk ---------------------------------------------------------------------------------------------------
def _walk(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell a walk, and everything that shaped it; or that there was none."""
    before = _copy(table)
    if action == STAY:
        mechanics.walked(table)
        yield event("move.stuck", "stuck", seat=seat_name(seat), on=_place("on", table.place[seat]))
        yield from _cut_short(before, seat, 0)
    elif action >= THROUGH:
        yield from _through(table, seat, action - THROUGH)
    else:
        spot, spent = action % SPOTS, action // SPOTS
        mechanics.walk_to(table, seat, spot, spent)
        yield from _walked(before, seat, spot, spent)


def _walked(before: Table, seat: int, spot: int, spent: int) -> Iterator[GameEvent]:
    """Tell a walk that ended on the stairs."""
    start, name = before.place[seat], seat_name(seat)
    steps = before.die + spent
    length = _longest(before, seat, steps)
    yield event("move.steps", "walks", seat=name, start=_place("from", start), spot=spot_name(spot))
    yield from _spent(before, seat, spent)
    yield from _on_the_way(before, seat, spot, length)
    if length < steps:
        yield event("move.full", "short", seat=name, steps=_steps(length), die=steps)
        yield from _cut_short(before, seat, length)
    if _in_reach(before, seat, steps):
        yield event("move.decline", "declines", seat=name)
    if spot == (STEPS - 1) * LANES + before.shut:
        yield event("door.shut", "before_shut", seat=name, door=LETTERS[before.shut])


def _spent(before: Table, seat: int, spent: int) -> Iterator[GameEvent]:
    """Tell how many tokens went back to the supply."""
    if spent:
        kept = before.tokens[seat] - spent
        left = phrase("left", count=kept) if kept else phrase("left.none")
        yield event("token.spend", "spends", seat=seat_name(seat), tokens=_tokens(spent), left=left)


def _on_the_way(before: Table, seat: int, spot: int, length: int) -> Iterator[GameEvent]:
    """Tell which pawns were passed, whichever way it was, and that the way led round the shield."""
    start, name = before.place[seat], seat_name(seat)
    paths = [path for path in _paths(start, before.shield, length) if path[-1] == spot]
    for other in range(before.players):
        if other != seat and all(before.place[other] in path for path in paths):
            yield event("move.pass", "passes", seat=name, whom=seat_name(other), spot=spot_name(before.place[other]))
    if _distance(start, spot, before.shield) > _distance(start, spot, NOWHERE):
        yield event("move.shield", "round_shield", seat=name, spot=spot_name(before.shield))


def _distance(start: int, end: int, shield: int) -> int:
    """Count the steps of the shortest way between two spots that are joined by one."""
    return next(length for length in range(1, SPOTS) if any(end == path[-1] for path in _paths(start, shield, length)))


def _cut_short(before: Table, seat: int, length: int) -> Iterator[GameEvent]:
    """Tell what keeps a walk from being longer: the shield, or that no spot may be entered twice."""
    shield, others = before.shield, [place for other, place in enumerate(before.place) if other != seat]
    without = _copy(before)
    without.shield = NOWHERE
    if _longest(without, seat, before.die) > length:
        yield event("move.shield", "barred", seat=seat_name(seat), spot=spot_name(shield))
    paths = _paths(before.place[seat], shield, before.die, again=True)
    if any(path[-1] not in others for path in paths):
        yield event("move.no-return", "no_return", seat=seat_name(seat))


def _through(table: Table, seat: int, lane: int) -> Iterator[GameEvent]:
    """Tell the way through a door, and the end of the game."""
    before, name = _copy(table), seat_name(seat)
    mechanics.walk_through(table, seat, lane)
    yield event("move.door", "through", seat=name, start=_place("from", before.place[seat]), door=LETTERS[lane])
    yield from _spent(before, seat, before.tokens[seat] - table.tokens[seat])
    yield event("end.door", "over")
    for other, count in enumerate(points(scoring, table)):
        yield event("score.count", "count" if count else "count_none", seat=seat_name(other))
    for winner in winners(scoring, table):
        yield event("score.winner", "wins", seat=seat_name(winner))


# --- Shield and door --------------------------------------------------------------------------------------------
def _change(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell where the shield or the door went, or that the youngest left both alone."""
    name = seat_name(seat)
    if action == NO_CHANGE:
        table.phase = PASSED
        yield event("option.youngest", "leaves", seat=name)
    elif action < SHUT_DOOR:
        mechanics.move_shield(table, action - PUT_SHIELD)
        yield event("change.shield", "puts_shield", seat=name, spot=spot_name(table.shield))
    else:
        yield from _moved_door(table, seat, action - SHUT_DOOR)


def _moved_door(table: Table, seat: int, lane: int) -> Iterator[GameEvent]:
    """Tell which door is shut now and which is open, and who stands before the one that is shut."""
    gaps: dict[str, Any] = {"seat": seat_name(seat), "door": LETTERS[lane], "open": LETTERS[table.shut]}
    mechanics.move_door(table, lane)
    pawn = mechanics.pawn_on(table, (STEPS - 1) * LANES + lane)
    if pawn in (seat, SEATS):
        yield event("change.door", "shuts", **gaps)
    else:
        yield event("change.door", "shuts_out", whom=seat_name(pawn), **gaps)


# --- The rock ---------------------------------------------------------------------------------------------------
def _throw(table: Table, seat: int, action: int) -> Iterator[GameEvent]:
    """Tell through which door the rock is let go, and that nobody has to fear it where nobody is on the stairs."""
    lane = action - LET_GO
    mechanics.let_go(table, lane)
    yield event("rock.throw", "lets_go", seat=seat_name(seat), door=LETTERS[lane])
    if table.phase == PASSED:
        yield event("rock.fall", "nobody_there")


def _lane(table: Table, _: int, action: int) -> Iterator[GameEvent]:
    """Tell what turned the rock aside or stopped it; a rock that rolls straight on has no event."""
    lane, came, shield = action - ROCK_IN, table.lane, mechanics.shield_lane(table)
    mechanics.roll_in(table, lane)
    if lane == GONE and came == shield:
        yield event("rock.shield", "shield_stops", spot=spot_name(table.shield))
    elif lane == GONE:
        yield event("rock.gone", "gone", step=table.step)
    elif lane == shield:
        yield event("rock.shield", "shield_jumped", spot=spot_name(table.shield))
    elif came == shield:
        # A rock seen last further up may have left the shield's lane before.
        key = "shield_turns" if table.down == 1 else "shield_passed"
        yield event("rock.shield", key, spot=spot_name(table.shield), lane=LETTERS[lane])
    elif lane != came:
        yield event("rock.fall", "aside", step=table.step, lane=LETTERS[lane])


def _fate(table: Table, _: int, action: int) -> Iterator[GameEvent]:
    """Tell how a pawn got on with the rock; where it lies on the stairs is narrated with its lane."""
    seat, down = table.hit, action - DOWN
    name, spot = seat_name(seat), table.place[seat]
    off = mechanics.lanes_off(spot % LANES, table.lane)
    mechanics.come_down(table, down)
    if down == 0:
        yield from _stood(table, seat, off)
        return
    key = "topples" if off == GONE else "brushed" if off else "hit"
    yield event("rock.pawn", key, seat=name, spot=spot_name(spot))
    if table.fate[seat] == FLOOR:
        yield event("rock.pawn", "falls", seat=name)


def _stood(table: Table, seat: int, off: int) -> Iterator[GameEvent]:
    """Tell that a pawn still stands which the shield sheltered, or which was in the rock's lane just before or now."""
    name, spot = seat_name(seat), table.place[seat]
    came = mechanics.lanes_off(spot % LANES, table.above) if table.down == 1 else GONE
    if off == GONE:
        return
    if _sheltered(table, spot) and off > 0 and min(off, came) <= 1:
        yield event("rock.shield", "sheltered", seat=name, spot=spot_name(spot))
    elif min(off, came) == 0:
        yield event("rock.pawn", "missed" if off else "firm", seat=name, spot=spot_name(spot))


def _side(table: Table, _: int, action: int) -> Iterator[GameEvent]:
    """Tell where a pawn lies."""
    seat = table.hit
    mechanics.lie_down(table, action - TO_SIDE)
    key = "lies_there" if table.fate[seat] == table.place[seat] else "lies"
    yield event("rock.pawn", key, seat=seat_name(seat), spot=spot_name(table.fate[seat]))


def _fall_on(table: Table) -> Iterator[GameEvent]:
    """Let the next pawn of the step meet its fate, or the rock come further down; tell how the fall ends."""
    if mechanics.next_hit(table) != SEATS:
        mechanics.fall_on(table)
        return
    if table.unseen:
        mechanics.next_stop(table)
        return
    before = _copy(table)
    mechanics.right_pawns(table)
    if before.lane != GONE:
        yield event("rock.fall", "down")
    yield from _righted(before, table)


# --- Righting pawns ---------------------------------------------------------------------------------------------
def _righted(before: Table, table: Table) -> Iterator[GameEvent]:
    """Tell where every pawn that fell stands now, in the order in which they are righted."""
    fallen = [seat for seat in range(before.players) if before.fate[seat] != STANDS]
    kept = [seat for seat in fallen if before.fate[seat] == before.place[seat]]
    others = sorted(
        (seat for seat in fallen if seat not in kept), key=lambda seat: -mechanics.step_of(before.fate[seat])
    )
    if sum(before.fate[seat] != FLOOR for seat in others) > 1:
        yield event("right.order", "order")
    for seat in kept:
        yield event("right.own", "righted_there", seat=seat_name(seat), spot=spot_name(table.place[seat]))
    for seat in others:
        if before.fate[seat] != FLOOR:
            yield _stood_up(seat, before.fate[seat], table.place[seat])
        if table.place[seat] == FLOOR:
            yield _landed(before, table, seat)


def _stood_up(seat: int, lies: int, place: int) -> GameEvent:
    """Tell where a pawn that lay on the stairs stands now, and why not where it lay."""
    name, step = seat_name(seat), mechanics.step_of(lies)
    if place == FLOOR:
        return event("right.below", "righted_on_floor", seat=name, step=step)
    spot = spot_name(place)
    if place == lies:
        return event("right.own", "righted", seat=name, spot=spot)
    if mechanics.step_of(place) == step:
        return event("right.step", "righted_beside", seat=name, spot=spot, lies=spot_name(lies))
    return event("right.below", "righted_below", seat=name, spot=spot, step=step)


def _landed(before: Table, table: Table, seat: int) -> GameEvent:
    """Tell the token of a pawn that was knocked down to the floor, or that its player has three already."""
    tokens, name = table.tokens[seat], seat_name(seat)
    if tokens > before.tokens[seat]:
        return event("token.earn", "token", seat=name, tokens=tokens)
    return event("token.three", "three", seat=name)


_TELLERS: dict[int, Callable[[Table, int, int], Iterator[GameEvent]]] = {
    LOTS: _lots,
    DOOR: _door,
    NOTCH: _notch,
    DIE: _die,
    WALK: _walk,
    ACTION: _action,
    CHANGE: _change,
    THROW: _throw,
    LANE: _lane,
    FATE: _fate,
    SIDE: _side,
}

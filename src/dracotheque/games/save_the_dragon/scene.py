"""Save the Dragon in phrases: what spots and choices are called, what is asked, and what happened by which rule.

A move is told by carrying its rules out one after the other on a copy of the table. Of a falling rock only that is told
which somebody at the table would call out: steps that it passes straight on, where nobody stands, are told by silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

from dracotheque.engine.game import Game
from dracotheque.engine.rule import load
from dracotheque.engine.words import Event, Phrase, phrase
from dracotheque.games.sheets import ScoreRow, total_of
from dracotheque.games.told import ALL_CRESTS, asked, event, points, seat_name, winners

# isort: off
from dracotheque.games.save_the_dragon.state import (
    ACTION, CHAMBER, CHANGE, DIE, DOOR, DOWN, FALLING, FATE, FATES, FLOOR, GONE, LANE, LANES, LET_GO, LOTS, NOTCH,
    NOTCHED, NOWHERE, NO_CHANGE, OVER, PASSED, PUT_SHIELD, ROCK, ROCK_IN, ROLL, SEATS, SHUT, SHUT_DOOR, SIDE, SPOTS,
    STANDS, STAY, STEPS, THROUGH, THROW, TO_SIDE, WALK,
)  # fmt: skip

CRESTS = ALL_CRESTS[:SEATS]
LETTERS = "abc"  # of the lanes and their doors, from the left of who climbs

Table = Any  # an engine.record.Plain, or a copy of one: its fields are those of save_the_dragon.state.State
RULES: Any = load("dracotheque.games.save_the_dragon.rules", interpreted=True)
WALKS: Any = load("dracotheque.games.save_the_dragon.walks", interpreted=True)
SCORING: Any = load("dracotheque.games.save_the_dragon.scoring", interpreted=True)


# --- Names ------------------------------------------------------------------------------------------------------
def crest(seat: int) -> Phrase:
    """Name a seat's crest."""
    return phrase(f"crest.{CRESTS[seat]}")


def whom(seat: int) -> Phrase:
    """Name a player to whom something is done: “the Lion”, „den Löwen“."""
    return phrase(f"whom.{CRESTS[seat]}")


def spot_name(spot: int) -> str:
    """Name a spot as on a chess board, by its lane and step: “b7”."""
    return f"{LETTERS[spot % LANES]}{RULES.step_of(spot)}"


def _place(form: str, place: int) -> Phrase:
    """Name a spot or the floor in one of the forms that sentences need."""
    return phrase(f"{form}.floor") if place == FLOOR else phrase(f"{form}.spot", spot=spot_name(place))


def _steps(number: int) -> Phrase:
    """Name a number of steps of a walk."""
    return phrase("steps", count=number)


def _tokens(number: int) -> Phrase:
    """Name a number of tokens."""
    return phrase("tokens", count=number)


# --- Choices and chances ----------------------------------------------------------------------------------------
def action(game: Game, seat: int, action: int) -> Phrase:
    """Name an action in short, whatever stands on the stairs."""
    if action < THROUGH:
        return _walk_name(action % SPOTS, action // SPOTS)
    if action < STAY:
        return phrase("action.through", door=LETTERS[action - THROUGH])
    if PUT_SHIELD <= action < SHUT_DOOR:
        return phrase("action.shield", spot=spot_name(action - PUT_SHIELD))
    if SHUT_DOOR <= action < NO_CHANGE:
        return phrase("action.door", door=LETTERS[action - SHUT_DOOR])
    if action >= LET_GO:
        return phrase("action.rock", door=LETTERS[action - LET_GO])
    return phrase("action.stay" if action == STAY else "action.leave")


def _walk_name(spot: int, spent: int) -> Phrase:
    """Name a walk by its end and by the tokens it costs."""
    if spent == 0:
        return phrase("action.walk", spot=spot_name(spot))
    return phrase("action.walk_with", spot=spot_name(spot), count=spent)


def outcome(game: Game, outcome: int) -> Phrase:
    """Name what chance brings: the first player, how the game is set up, a die, or what the rock does."""
    if outcome < SHUT:
        return phrase(f"outcome.{CRESTS[outcome]}")
    if outcome < NOTCHED:
        return phrase("outcome.shut", door=LETTERS[outcome - SHUT])
    if outcome < ROLL:
        return phrase("outcome.shield", spot=spot_name(outcome - NOTCHED))
    if outcome < ROCK:
        return phrase("outcome.die", steps=outcome - ROLL + 1)
    if outcome < ROCK_IN:
        return phrase("outcome.rock" if outcome == ROCK else "outcome.change")
    return _fall_name(outcome)


def _fall_name(outcome: int) -> Phrase:
    """Name what happens while the rock falls."""
    if outcome == ROCK_IN + GONE:
        return phrase("outcome.gone")
    if outcome < DOWN:
        return phrase("outcome.lane", lane=LETTERS[outcome - ROCK_IN])
    if outcome >= TO_SIDE:
        return phrase("outcome.side", lane=LETTERS[outcome - TO_SIDE])
    plain = {0: "stands", 1: "own_step", FATES - 1: "floor"}
    down = outcome - DOWN
    return phrase(f"outcome.{plain[down]}") if down in plain else phrase("outcome.down", count=down - 1)


# --- What is asked ----------------------------------------------------------------------------------------------
def secret(table: Table) -> bool:
    """Nothing is chosen out of sight of the others."""
    return False


def question(table: Table) -> Event:
    """Ask what has to be decided now, and say by which rule."""
    return _QUESTIONS[table.phase](table)


def _ask_walk(table: Table) -> Event:
    """Ask for a walk: through a door where one is in reach, with tokens where there are any."""
    seat = table.to_move
    tokens = table.tokens[seat]
    if _in_reach(table, seat, table.die + tokens):
        return asked("move.door", "door", steps=_steps(table.die))
    if not _longest(table, seat, table.die + tokens):
        return asked("move.stuck", "stuck", steps=_steps(table.die))
    if tokens:
        return asked("token.spend", "tokens", steps=_steps(table.die), count=tokens)
    return asked("move.steps", "walk", steps=_steps(table.die))


def _ask_change(table: Table) -> Event:
    """Ask where shield or door go, which the youngest may leave where they are."""
    if RULES.may_skip(table, table.to_move):
        return asked("option.youngest", "may_change")
    return asked("change.must", "change")


_QUESTIONS: dict[int, Callable[[Table], Event]] = {
    LOTS: lambda table: asked("setup.first-player", "lots"),
    DOOR: lambda table: asked("setup.door", "setup_door"),
    NOTCH: lambda table: asked("setup.shield", "setup_shield"),
    DIE: lambda table: asked("turn.die", "die"),
    WALK: _ask_walk,
    ACTION: lambda table: asked("turn.action", "action"),
    CHANGE: _ask_change,
    THROW: lambda table: asked("rock.throw", "throw"),
    LANE: lambda table: asked("rock.fall", "lane", step=table.step),
    FATE: lambda table: asked("rock.pawn", "fate", spot=spot_name(table.place[table.hit])),
    SIDE: lambda table: asked("rock.pawn", "side", spot=spot_name(table.place[table.hit])),
    OVER: lambda table: asked("end.door", "over"),
}


# --- What a choice would lead to --------------------------------------------------------------------------------
def preview(table: Table, seat: int, action: int) -> Phrase | None:
    """Say what a legal choice leads to, or None where its name says it all."""
    if action < THROUGH:
        return _preview_spot(table, action % SPOTS)
    if action < STAY:
        return _preview_through(table, seat, action - THROUGH)
    if PUT_SHIELD <= action < SHUT_DOOR:
        return _preview_shield(table, action - PUT_SHIELD)
    if SHUT_DOOR <= action < NO_CHANGE:
        return _preview_door(table, action - SHUT_DOOR)
    return _preview_rock(table, action - LET_GO) if action >= LET_GO else None


def _preview_spot(table: Table, spot: int) -> Phrase | None:
    """Say what is above a spot: a door, or the shield."""
    lane = spot % LANES
    if RULES.step_of(spot) == STEPS:
        return phrase("preview.shut" if lane == table.shut else "preview.open", door=LETTERS[lane])
    return phrase("preview.sheltered") if _sheltered(table, spot) else None


def _sheltered(table: Table, spot: int) -> bool:
    """Say whether the shield stands close above a spot and shelters it."""
    return table.shield in (spot + LANES, spot + 2 * LANES)


def _preview_through(table: Table, seat: int, lane: int) -> Phrase:
    """Say that the way through a door wins, and how many tokens it takes."""
    after = _copy(table)
    RULES.walk_through(after, seat, lane)
    spent = table.tokens[seat] - after.tokens[seat]
    return phrase("preview.wins_with", count=spent) if spent else phrase("preview.wins")


def _preview_shield(table: Table, spot: int) -> Phrase | None:
    """Say whom the shield would shelter."""
    lane = [table.place[seat] for seat in _pawns_in(table, spot % LANES)]
    behind = [place for place in lane if spot - place in (LANES, 2 * LANES)]
    named = [_standing(RULES.pawn_on(table, place), place) for place in behind]
    return phrase("preview.shelters", pawns=_listed(named)) if named else None


def _preview_door(table: Table, lane: int) -> Phrase:
    """Say which door would be open instead, and who stands before the one that is shut."""
    gaps: dict[str, Any] = {"door": LETTERS[table.shut]}
    pawn = RULES.pawn_on(table, (STEPS - 1) * LANES + lane)
    if pawn == SEATS:
        return phrase("preview.opens", **gaps)
    return phrase("preview.opens_before", pawn=_standing(pawn, table.place[pawn]), **gaps)


def _preview_rock(table: Table, lane: int) -> Phrase:
    """Say who and what stands in a lane, from the top down."""
    things = [(table.place[seat], _standing(seat, table.place[seat])) for seat in _pawns_in(table, lane)]
    if not things:
        return phrase("preview.nobody")
    if table.shield % LANES == lane:
        things.append((table.shield, phrase("shield", spot=spot_name(table.shield))))
    things.sort(key=lambda thing: -thing[0])
    return phrase("preview.in_lane", pawns=_listed([said for _, said in things]))


def _pawns_in(table: Table, lane: int) -> list[int]:
    """List whose pawns stand in a lane, from the top down."""
    found = [seat for seat in range(table.players) if table.place[seat] < SPOTS and table.place[seat] % LANES == lane]
    return sorted(found, key=lambda seat: -table.place[seat])


def _standing(seat: int, spot: int) -> Phrase:
    """Name a pawn with its spot: “Lion (b7)”."""
    return phrase("standing", crest=crest(seat), spot=spot_name(spot))


def _listed(parts: list[Phrase]) -> Phrase:
    """Join names into a list."""
    *first, joined = parts
    for part in reversed(first):
        joined = phrase("listed", part=part, rest=joined)
    return joined


# --- Walks ------------------------------------------------------------------------------------------------------
def _longest(table: Table, seat: int, most: int) -> int:
    """Find the length of the longest walk of `most` steps or fewer, as the rules do."""
    return WALKS.longest(table, seat, most)


def _in_reach(table: Table, seat: int, most: int) -> bool:
    """Say whether a walk of `most` steps or fewer leads through a door."""
    return bool(WALKS.doors_in_reach(table, seat, most))


def _ways(start: int, shield: int, length: int, *, again: bool = False) -> Iterator[tuple[int, ...]]:
    """List the walks of a length as the spots they enter; `again` those too that enter a spot twice."""
    ways: list[tuple[int, ...]] = [(start,)]
    for _ in range(length):
        longer = [(*way, spot) for way in ways for spot in _next_spots(way[-1]) if spot != shield]
        ways = [way for way in longer if again or way[-1] not in way[:-1]]
    return (way[1:] for way in ways)


def _next_spots(spot: int) -> list[int]:
    """List the spots one step from a spot or from the floor: to the left, to the right and up."""
    if spot == FLOOR:
        return list(range(LANES))
    lane = spot % LANES
    aside = [spot + side for side in (-1, 1) if 0 <= lane + side < LANES]
    return [*aside, spot + LANES] if spot + LANES < SPOTS else aside


# --- What happened ----------------------------------------------------------------------------------------------
def events(before: Table, player: int, action: int, after: Table) -> list[Event]:
    """Tell one move, a seat's or chance's, in the order in which things happened, to the whole table."""
    return list(carry_out(_copy(before), action))


def carry_out(table: Table, action: int) -> Iterator[Event]:
    """Carry a move out on a table, rule by rule, and tell everything on the way."""
    yield from _TELLERS[table.phase](table, table.active, action)
    while table.phase == FALLING:
        yield from _fall_on(table)
    if table.phase == PASSED:
        RULES.pass_on(table)
        yield event("turn.order", "next", seat=seat_name(table.active))


def _copy(table: Table) -> Table:
    """Copy a table, so that rules can be carried out on it one by one."""
    return SimpleNamespace(
        **{name: value[:] if isinstance(value, list) else value for name, value in vars(table).items()}
    )


# --- Set-up and dice --------------------------------------------------------------------------------------------
def _door(table: Table, _: int, action: int) -> Iterator[Event]:
    """Tell what there is, and which door is shut at first."""
    RULES.hang_door(table, action - SHUT)
    yield event("setup.stairs", "stairs")
    yield event("setup.pawns", "pawns")
    yield event("setup.door", "door", door=LETTERS[table.shut])


def _notch(table: Table, _: int, action: int) -> Iterator[Event]:
    """Tell where the shield stands at first, and who begins, if that was agreed."""
    RULES.place_shield(table, action - NOTCHED)
    yield event("setup.shield", "shield", spot=spot_name(table.shield))
    if table.starts:
        yield from _first_player(table, "agreed")


def _lots(table: Table, _: int, action: int) -> Iterator[Event]:
    """Tell who was drawn to begin."""
    RULES.start_with(table, action)
    yield from _first_player(table, "lots")


def _first_player(table: Table, key: str) -> Iterator[Event]:
    """Tell who begins, and what was agreed for the youngest."""
    if table.youngest == 1:
        yield event("option.youngest", "youngest_all")
    elif table.youngest:
        yield event("option.youngest", "youngest", seat=seat_name(table.youngest - 2))
    yield event("setup.first-player", key, seat=seat_name(table.active))


def _die(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell the movement die."""
    RULES.roll(table, action - ROLL + 1)
    yield event("turn.die", "die", seat=seat_name(seat), steps=table.die)


def _action(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell the action die, and that shield or door have to be moved."""
    RULES.act(table, action == ROCK)
    yield event("turn.action", "rock" if action == ROCK else "change", seat=seat_name(seat))
    if action != ROCK and not RULES.may_skip(table, seat):
        yield event("change.must", "must_change", seat=seat_name(seat))


# --- The walk ---------------------------------------------------------------------------------------------------
def _walk(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell a walk, and everything that shaped it; or that there was none."""
    before = _copy(table)
    if action == STAY:
        RULES.walked(table)
        yield event("move.stuck", "stuck", seat=seat_name(seat), on=_place("on", table.place[seat]))
        yield from _cut_short(before, seat, 0)
    elif action >= THROUGH:
        yield from _through(table, seat, action - THROUGH)
    else:
        spot, spent = action % SPOTS, action // SPOTS
        RULES.walk_to(table, seat, spot, spent)
        yield from _walked(before, seat, spot, spent)


def _walked(before: Table, seat: int, spot: int, spent: int) -> Iterator[Event]:
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


def _spent(before: Table, seat: int, spent: int) -> Iterator[Event]:
    """Tell how many tokens went back to the supply."""
    if spent:
        kept = before.tokens[seat] - spent
        left = phrase("left", count=kept) if kept else phrase("left.none")
        yield event("token.spend", "spends", seat=seat_name(seat), tokens=_tokens(spent), left=left)


def _on_the_way(before: Table, seat: int, spot: int, length: int) -> Iterator[Event]:
    """Tell which pawns were passed, whichever way it was, and that the way led round the shield."""
    start, name = before.place[seat], seat_name(seat)
    ways = [way for way in _ways(start, before.shield, length) if way[-1] == spot]
    for other in range(before.players):
        if other != seat and all(before.place[other] in way for way in ways):
            yield event("move.pass", "passes", seat=name, whom=whom(other), spot=spot_name(before.place[other]))
    if _distance(start, spot, before.shield) > _distance(start, spot, NOWHERE):
        yield event("move.shield", "round_shield", seat=name, spot=spot_name(before.shield))


def _distance(start: int, end: int, shield: int) -> int:
    """Count the steps of the shortest way between two spots that are joined by one."""
    return next(length for length in range(1, SPOTS) if any(end == way[-1] for way in _ways(start, shield, length)))


def _cut_short(before: Table, seat: int, length: int) -> Iterator[Event]:
    """Tell what keeps a walk from being longer: the shield, or that no spot may be entered twice."""
    shield, others = before.shield, [place for other, place in enumerate(before.place) if other != seat]
    without = _copy(before)
    without.shield = NOWHERE
    if _longest(without, seat, before.die) > length:
        yield event("move.shield", "barred", seat=seat_name(seat), spot=spot_name(shield))
    ways = _ways(before.place[seat], shield, before.die, again=True)
    if any(way[-1] not in others for way in ways):
        yield event("move.no-return", "no_return", seat=seat_name(seat))


def _through(table: Table, seat: int, lane: int) -> Iterator[Event]:
    """Tell the way through a door, and the end of the game."""
    before, name = _copy(table), seat_name(seat)
    RULES.walk_through(table, seat, lane)
    yield event("move.door", "through", seat=name, start=_place("from", before.place[seat]), door=LETTERS[lane])
    yield from _spent(before, seat, before.tokens[seat] - table.tokens[seat])
    yield event("end.door", "over")
    for other, count in enumerate(points(SCORING, table)):
        yield event("score.count", "count" if count else "count_none", seat=seat_name(other))
    for winner in winners(SCORING, table):
        yield event("score.winner", "wins", seat=seat_name(winner))


# --- Shield and door --------------------------------------------------------------------------------------------
def _change(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell where the shield or the door went, or that the youngest left both alone."""
    name = seat_name(seat)
    if action == NO_CHANGE:
        table.phase = PASSED
        yield event("option.youngest", "leaves", seat=name)
    elif action < SHUT_DOOR:
        RULES.move_shield(table, action - PUT_SHIELD)
        yield event("change.shield", "puts_shield", seat=name, spot=spot_name(table.shield))
    else:
        yield from _moved_door(table, seat, action - SHUT_DOOR)


def _moved_door(table: Table, seat: int, lane: int) -> Iterator[Event]:
    """Tell which door is shut now and which is open, and who stands before the one that is shut."""
    gaps: dict[str, Any] = {"seat": seat_name(seat), "door": LETTERS[lane], "open": LETTERS[table.shut]}
    RULES.move_door(table, lane)
    pawn = RULES.pawn_on(table, (STEPS - 1) * LANES + lane)
    if pawn in (seat, SEATS):
        yield event("change.door", "shuts", **gaps)
    else:
        yield event("change.door", "shuts_out", whom=whom(pawn), **gaps)


# --- The rock ---------------------------------------------------------------------------------------------------
def _throw(table: Table, seat: int, action: int) -> Iterator[Event]:
    """Tell through which door the rock is let go, and that nobody has to fear it where nobody is on the stairs."""
    lane = action - LET_GO
    RULES.let_go(table, lane)
    yield event("rock.throw", "lets_go", seat=seat_name(seat), door=LETTERS[lane])
    if table.phase == PASSED:
        yield event("rock.fall", "nobody_there")


def _lane(table: Table, _: int, action: int) -> Iterator[Event]:
    """Tell what turned the rock aside or stopped it; a rock that rolls straight on is not told."""
    lane, came, shield = action - ROCK_IN, table.lane, RULES.shield_lane(table)
    RULES.roll_in(table, lane)
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


def _fate(table: Table, _: int, action: int) -> Iterator[Event]:
    """Tell how a pawn got on with the rock; where it lies on the stairs is told when its lane is seen."""
    seat, down = table.hit, action - DOWN
    name, spot = seat_name(seat), table.place[seat]
    off = RULES.lanes_off(spot % LANES, table.lane)
    RULES.come_down(table, down)
    if down == 0:
        yield from _stood(table, seat, off)
        return
    key = "topples" if off == GONE else "brushed" if off else "hit"
    yield event("rock.pawn", key, seat=name, spot=spot_name(spot))
    if table.fate[seat] == FLOOR:
        yield event("rock.pawn", "falls", seat=name)


def _stood(table: Table, seat: int, off: int) -> Iterator[Event]:
    """Tell that a pawn still stands which the shield sheltered, or which was in the rock's lane just before or now."""
    name, spot = seat_name(seat), table.place[seat]
    came = RULES.lanes_off(spot % LANES, table.above) if table.down == 1 else GONE
    if off == GONE:
        return
    if _sheltered(table, spot) and off > 0 and min(off, came) <= 1:
        yield event("rock.shield", "sheltered", seat=name, spot=spot_name(spot))
    elif min(off, came) == 0:
        yield event("rock.pawn", "missed" if off else "firm", seat=name, spot=spot_name(spot))


def _side(table: Table, _: int, action: int) -> Iterator[Event]:
    """Tell where a pawn lies."""
    seat = table.hit
    RULES.lie_down(table, action - TO_SIDE)
    key = "lies_there" if table.fate[seat] == table.place[seat] else "lies"
    yield event("rock.pawn", key, seat=seat_name(seat), spot=spot_name(table.fate[seat]))


def _fall_on(table: Table) -> Iterator[Event]:
    """Let the next pawn of the step meet its fate, or the rock come further down; tell how the fall ends."""
    if RULES.next_hit(table) != SEATS:
        RULES.fall_on(table)
        return
    if table.unseen:
        RULES.next_stop(table)
        return
    before = _copy(table)
    RULES.right_pawns(table)
    if before.lane != GONE:
        yield event("rock.fall", "down")
    yield from _righted(before, table)


# --- Righting pawns ---------------------------------------------------------------------------------------------
def _righted(before: Table, table: Table) -> Iterator[Event]:
    """Tell where every pawn that fell stands now, in the order in which they are righted."""
    fallen = [seat for seat in range(before.players) if before.fate[seat] != STANDS]
    kept = [seat for seat in fallen if before.fate[seat] == before.place[seat]]
    others = sorted((seat for seat in fallen if seat not in kept), key=lambda seat: -RULES.step_of(before.fate[seat]))
    if sum(before.fate[seat] != FLOOR for seat in others) > 1:
        yield event("right.order", "order")
    for seat in kept:
        yield event("right.own", "righted_there", seat=seat_name(seat), spot=spot_name(table.place[seat]))
    for seat in others:
        if before.fate[seat] != FLOOR:
            yield _stood_up(seat, before.fate[seat], table.place[seat])
        if table.place[seat] == FLOOR:
            yield _landed(before, table, seat)


def _stood_up(seat: int, lies: int, place: int) -> Event:
    """Tell where a pawn that lay on the stairs stands now, and why not where it lay."""
    name, step = seat_name(seat), RULES.step_of(lies)
    if place == FLOOR:
        return event("right.below", "righted_on_floor", seat=name, step=step)
    spot = spot_name(place)
    if place == lies:
        return event("right.own", "righted", seat=name, spot=spot)
    if RULES.step_of(place) == step:
        return event("right.step", "righted_beside", seat=name, spot=spot, lies=spot_name(lies))
    return event("right.below", "righted_below", seat=name, spot=spot, step=step)


def _landed(before: Table, table: Table, seat: int) -> Event:
    """Tell the token of a pawn that was knocked down to the floor, or that its player has three already."""
    tokens, name = table.tokens[seat], seat_name(seat)
    if tokens > before.tokens[seat]:
        return event("token.earn", "token", seat=name, tokens=tokens)
    return event("token.three", "three", seat=name)


# --- The score sheet --------------------------------------------------------------------------------------------
def sheet(table: Table) -> list[ScoreRow]:
    """Say who is with the dragon, which is all that counts, and aside how high the others stand."""
    seats = range(table.players)
    freed = [int(table.place[seat] == CHAMBER) for seat in seats]
    steps = [None if freed[seat] else _step_of(table.place[seat]) for seat in seats]
    rows = [ScoreRow(phrase("drawn.freed"), "score.count", [*freed])]
    total = total_of(phrase("drawn.points"), "score.winner", rows)
    return [*rows, total, ScoreRow(phrase("score.step"), "score.count", steps, "aside")]


def _step_of(place: int) -> int:
    """Say on which step a pawn stands, 0 on the floor."""
    return RULES.step_of(place) if place < FLOOR else 0


_TELLERS: dict[int, Callable[[Table, int, int], Iterator[Event]]] = {
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

"""What holds in every game of Gran, by any players, on whatever map and however badly."""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from dracotheque import CHANCE, TERMINAL, load_game
from dracotheque.engine import log
from dracotheque.engine.log import GameLog
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.gran.rules import bitsets, mechanics
from dracotheque.games.gran.rules import state as s
from tests.games.gran.position_builder import (
    MAPS,
    TEMPERS,
    Data,
    GameSetup,
    bits,
    choose,
    game_setup,
    interpreted,
    members,
    played,
    put,
    random_map,
    stopped,
)
from tests.games.random_games import Moment, kept


@functools.cache
def games() -> list[list[Moment]]:
    """Play many game_setups, once for all tests."""
    return [[*map(kept, played(game_setup(number), 120))] for number in range(27)]


def moments() -> Iterator[Moment]:
    """Go through every moment of every game."""
    return itertools.chain.from_iterable(games())


def moves() -> Iterator[tuple[Moment, Moment]]:
    """Go through every move of every game: the moments before and after it."""
    return itertools.chain.from_iterable(map(itertools.pairwise, games()))


def walkable(table: PlainState, starts: Iterable[int], stones: Iterable[int]) -> set[int]:
    """Find where one can walk to, stones in the way, step by step."""
    closed, seen = set(stones), set(starts)
    todo = sorted(seen)
    while todo:
        new = set(table.board.near[todo.pop()]) - closed - seen
        seen |= new
        todo += new
    return seen


def in_reach(table: PlainState, point: int, stones: Iterable[int] | None = None) -> bool:
    """Whether some knight can walk to a point."""
    stones = members(table.stones) if stones is None else stones
    return point in walkable(table, table.place[: table.players], stones)


def test_in_these_games_everything_is_asked_and_every_map_is_played() -> None:
    assert {table.phase for table, *_ in moments()} == set(range(s.OVER + 1))
    assert {table.board.name for table, *_ in moments()} > {board["name"] for board in MAPS}


# --- Everything stays on the table ------------------------------------------------------------------------------
def test_nothing_is_ever_lost_or_made() -> None:
    for table, *_ in moments():
        in_hand = table.lifted != s.NOWHERE
        assert len(members(table.stones)) + table.reserve + in_hand == s.STONES
        assert in_hand <= (table.phase == s.STONE)
        assert (table.ring == s.NOWHERE) == (table.bearer < table.players) != (table.bearer == s.NOBODY)
        assert all(0 <= count <= most for count, most in zip(table.deck, s.CARDS, strict=True))
        assert sum(table.deck) > 0
        assert all(0 <= amulets <= s.AMULETS for amulets in table.amulets)
        empty = range(table.players, s.SEATS)
        assert {(table.place[seat], table.amulets[seat], table.seals[seat]) for seat in empty} <= {(s.NOWHERE, 0, 0)}
        assert (table.collared | table.waiting) >> table.players == 0


def test_a_seal_stays_and_whoever_has_set_out_has_set_out() -> None:
    for before, after in moves():
        earned = [new & ~old for old, new in zip(before.table.seals, after.table.seals, strict=True)]
        assert all(new & old == old for old, new in zip(before.table.seals, after.table.seals, strict=True))
        assert sum(map(bool, earned)) <= 1
        assert after.table.waiting & ~before.table.waiting == 0


def test_everything_lies_where_it_may() -> None:
    for table, *_ in moments():
        kinds, laid = [point.kind for point in table.board.points], members(table.stones)
        places = table.place[: table.players]
        assert {kinds[stone] for stone in laid} <= {s.BLACK, s.WHITE}
        assert not {table.ring, *places} & set(laid) or table.phase == s.SECOND
        if table.ring != s.NOWHERE:
            assert kinds[table.ring] in (s.BLACK, s.CRYSTAL)
            assert table.ring not in places
        for seat, place in enumerate(places):
            assert not table.collared >> seat & 1 or kinds[place] == s.DRAGON
            assert not table.waiting >> seat & 1 or place == table.board.start


def test_no_two_knights_stand_on_a_point_but_where_all_begin_in_flight_and_under_attack() -> None:
    for table, *_ in moments():
        passing = table.active if table.phase in (s.SECOND, s.EXILE) else s.NOBODY
        out = [seat for seat in range(table.players) if not table.waiting >> seat & 1 and seat != passing]
        assert len({table.place[seat] for seat in out}) == len(out)
        assert (table.victim != s.NOBODY) == (table.phase == s.EXILE)
        if table.phase == s.EXILE:
            assert table.place[table.victim] == table.place[table.active]


def test_only_the_mover_moves_one_step_at_a_time_and_whoever_is_banished() -> None:
    for (before, *_), (table, _, _, action) in moves():
        moved = [seat for seat in range(table.players) if table.place[seat] != before.place[seat]]
        assert len(moved) <= 1
        for seat in moved:
            assert table.place[seat] == action
            if before.phase == s.EXILE:
                assert seat == before.victim
                assert table.board.points[action].kind == s.WHITE
            else:
                assert seat == before.active
                assert before.phase in (s.FIRST, s.SECOND)
                assert action in table.board.near[before.place[seat]]


# --- Choices ----------------------------------------------------------------------------------------------------
def test_somebody_can_always_act() -> None:
    for table, mover, legal, _ in moments():
        assert mover == table.to_move
        assert (mover == TERMINAL) == (table.phase == s.OVER)
        assert (mover == CHANCE) == (table.phase in (s.LOTS, s.DUEL, s.DIE))
        for seat, actions in enumerate(legal):
            assert actions == sorted(set(actions))
            assert bool(actions) == (seat == mover) == bool(table._rules.may_act(table, seat))


def test_what_is_not_listed_is_refused() -> None:
    for table, mover, legal, _ in itertools.islice(moments(), 0, None, 3):
        for seat in range(table.players) if mover != CHANCE else ():
            refusals = [table._rules.refusal(table, seat, action) for action in range(s.ACTIONS)]
            assert legal[seat] == [action for action, refusal in enumerate(refusals) if refusal == 0]
            assert all(0 <= refusal < len(s.REFUSALS) for refusal in refusals)


def test_the_points_for_a_stop_are_those_that_no_rule_forbids() -> None:
    for table, *_ in moments():
        if table.phase not in (s.FIRST, s.SECOND):
            continue
        here, known = table.origin, range(len(table.board.points))
        allowed = members([mechanics.stops(table, table.active, here, word) for word in range(s.WORDS)])
        free = [point for point in known if mechanics.why_not_stop(table, table.active, here, point) == 0]
        assert [point for point in allowed if point in known] == free


# --- Who can get where ------------------------------------------------------------------------------------------
def test_where_knights_can_walk() -> None:
    for table, *_ in moments():
        reached = walkable(table, table.place[: table.players], members(table.stones))
        assert set(members(list(bitsets.reached(table)))) == reached
        low, high = bitsets.way_to_ring(table, s.NOWHERE, s.NOWHERE)
        if table.ring == s.NOWHERE:
            assert (low, high) == (0, 0)
        else:
            assert (low != s.NO_WAY) == (table.ring in reached)


def ground_of(table: PlainState) -> list[int]:
    """List the points where stones may lie."""
    return [n for n, point in enumerate(table.board.points) if point.kind in (s.BLACK, s.WHITE)]


def walled(number: int) -> tuple[PlainState, list[int]]:
    """Lay the ring anywhere, and stones around it, around knights and elsewhere; give the points for more."""
    table, chance = stopped(game_setup(number)).to_plain(), random.Random(number)
    board, places = table.board, table.place[: table.players]
    land = [n for n, point in enumerate(board.points) if point.kind in (s.BLACK, s.CRYSTAL) and n not in places]
    far = [n for n in land if n >= s.BITS] if number % 2 else []  # where the second number of a set counts
    table.ring, table.bearer = chance.choice(far or land), s.NOBODY
    free = [point for point in ground_of(table) if point not in (*places, table.ring)]
    near = [point for point in free if set(board.near[point]) & {table.ring, *places}]
    laid = chance.sample(near, min(len(near), chance.randrange(12))) + chance.sample(free, chance.randrange(6))
    table.stones = bits(set(laid))
    return table, free


@pytest.mark.parametrize("number", range(20))
def test_what_walls_the_ring_in(number: int) -> None:
    """Wherever ring and stones lie, and whichever stone is lifted before another is laid."""
    table, free = walled(number)
    laid = set(members(table.stones))
    for opened in (s.NOWHERE, *laid):
        rest = laid - {opened}
        on_the_way = bitsets.way_to_ring(table, s.NOWHERE, opened)
        assert (on_the_way[0] != s.NO_WAY) == in_reach(table, table.ring, rest)
        if on_the_way[0] == s.NO_WAY:
            continue
        candidates = [point for point in free if point not in (*rest, opened)]
        fitting = [point for point in candidates if in_reach(table, table.ring, {*rest, point})]
        assert fitting == [point for point in candidates if not bitsets.walls_in(table, point, opened)]
        assert set(candidates) - set(fitting) <= set(members(list(on_the_way)))
        assert mechanics.stone_fits(table, opened, *on_the_way) == bool(fitting)
        walling = [point for point in candidates if point not in fitting]
        for few in (walling, [*walling, *fitting[:1]], [*walling, *fitting[-1:]]):
            table.ground = bits(few)
            assert mechanics.stone_fits(table, opened, *on_the_way) == bool(set(few) & set(fitting))
        table.ground = bits(ground_of(table))


def test_which_points_nobody_needs() -> None:
    """Those whose neighbours hang together without them: seen on every map, a stone lifted or none."""
    for table, *_ in itertools.islice(moments(), 0, None, 40):
        stones = members(table.stones)
        for opened in (s.NOWHERE, *stones[:2]):
            closed = set(stones) - {opened}
            for point, beside in enumerate(table.board.near):
                near = set(beside) - closed
                others = set(range(len(table.board.points))) - near
                together = not near or walkable(table, [min(near)], others) == near
                assert bitsets.hang_together(table, point, opened) == together


def scattered(board: Data, chance: random.Random) -> PlainState:
    """Set knights, some of them without amulets, anywhere on a map, and stones around the ring and around them."""
    table = interpreted(chance.choice([3, 6]), board).new_initial_state().to_plain()
    points = table.board.points
    table.ring = chance.choice([n for n, point in enumerate(points) if point.kind in (s.BLACK, s.CRYSTAL)])
    places = chance.sample([n for n in range(len(points)) if n != table.ring], table.players)
    table.place[: table.players] = places
    table.amulets = [chance.choice([0, 0, 0, 1]) for _ in range(s.SEATS)]
    around = {near for point in (table.ring, *places[:2]) for near in table.board.near[point]}
    free = [point for point in ground_of(table) if point not in (table.ring, *places)]
    few = [point for point in free if point in around or chance.random() < 0.15]
    table.stones = bits(chance.sample(few, min(len(few), s.STONES)))
    return table


def fetched_by(table: PlainState, seat: int) -> bool:
    """Whether a knight can walk to the ring; dragons without a knight bar the way of one without amulets."""
    dragons = {number for number, point in enumerate(table.board.points) if point.kind == s.DRAGON}
    shut = set() if table.amulets[seat] else dragons - set(table.place[: table.players])
    return table.ring in walkable(table, [table.place[seat]], {*members(table.stones), *shut})


def test_when_somebody_can_fetch_the_ring() -> None:
    answers = Counter[bool]()
    for number, board in itertools.product(range(150), MAPS):
        table = scattered(board, random.Random(number))
        answers[somebody := any(fetched_by(table, seat) for seat in range(table.players))] += 1
        assert bitsets.can_be_fetched(table) == somebody
    assert min(answers[False], answers[True]) > 50


def test_g52_only_a_flight_leaves_the_ring_where_nobody_can_walk() -> None:
    for (before, *_), (table, *_) in moves():
        if before.ring == table.ring != s.NOWHERE and in_reach(before, before.ring):
            flight = before.flies == 1 and before.phase in (s.FIRST, s.SECOND)
            assert flight or in_reach(table, table.ring)


def free_land(table: PlainState) -> list[int]:
    """Find the black points and crystals outside the kingdom of whoever lays the ring down, free of everything."""
    taken = {*table.place[: table.players], *members(table.stones)}
    home = table.board.points[table.place[table.active]].kingdom
    return [
        number
        for number, point in enumerate(table.board.points)
        if point.kind in (s.BLACK, s.CRYSTAL) and point.kingdom != home and number not in taken
    ]


def test_where_the_ring_may_be_laid_down() -> None:
    for (before, mover, legal, _), (table, _, _, action) in moves():
        if before.phase == s.DROP:
            free = free_land(before)
            assert legal[mover] == ([point for point in free if in_reach(before, point)] or free)
            assert table.ring == action


# --- The end ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("number", range(len(MAPS) + 3))
def test_games_come_to_an_end(number: int, players: int) -> None:
    *_, state = played(GameSetup(players, number, "usual", "lots", number, ("seeker", *TEMPERS)), 5000)
    table = state.to_plain()
    assert (state.current_player(), state.ending()) == (TERMINAL, "end.seals")
    counts = [bin(owned).count("1") for owned in table.seals[:players]]
    assert state.scores() == counts
    wanted = 3 if players < 5 else 2
    assert state.winners() == [table.active]
    assert [seat for seat, count in enumerate(counts) if count >= wanted] == [table.active]


# --- Copies, storage, numbers -----------------------------------------------------------------------------------
@pytest.mark.parametrize("number", range(12))
def test_a_state_written_down_and_read_again_is_the_same(number: int) -> None:
    state = stopped(game_setup(number))
    again = state.game.deserialize_state(state.serialize())
    assert again == state
    assert again.full_history() == state.full_history()
    assert again.current_player() == state.current_player()


@pytest.mark.parametrize("number", range(12))
def test_a_move_taken_back_leaves_no_trace(number: int) -> None:
    state = stopped(game_setup(number))
    if state.is_terminal():
        state.undo_action()
    before, mover = state.clone(), state.current_player()
    action = choose(state, random.Random(number))
    state.apply_action(action)
    assert before.child(action) == state
    assert state.undo_action() == (mover, action)
    assert state == before
    assert state.current_player() == mover


@pytest.mark.parametrize("players", [3, 6])
@pytest.mark.parametrize("board", [None, *MAPS], ids=lambda board: board["name"] if board else "the usual one")
def test_a_log_brings_the_game_back_with_its_map(players: int, board: dict[str, object] | None) -> None:
    state, chance = interpreted(players, board, seals="two").new_initial_state(), random.Random(players)
    while not state.is_terminal():
        state.apply_action(choose(state, chance, ("seeker",)))
    kept = log.loads(GameLog.of(state).dumps())
    again = kept.play()
    assert again == state
    assert (again.scores(), again.winners(), again.ending()) == (state.scores(), state.winners(), state.ending())
    assert kept.game.board.data == state.game.board.data
    assert ('"board"' in kept.dumps()) == (board is not None)


@pytest.mark.parametrize("number", range(12))
def test_observations_are_numbers_from_0_to_1_and_nothing_is_hidden(number: int) -> None:
    state = stopped(game_setup(number))
    for viewer in range(-1, state.game.players):
        numbers = state.observation_tensor(viewer)
        assert numbers.shape == (state.game.observation_tensor_size(),)
        assert numbers.min() >= 0
        assert numbers.max() <= 1
        assert state.observation(viewer).bytes() == state.record()
        assert state.resample_from_infostate(viewer, random.Random(1)) == state


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_compiled_and_interpreted_games_are_equal_on_other_maps_too(players: int) -> None:
    """A few games; `make check-equal` compares thousands on the usual map."""
    for board in (*MAPS, random_map(players)):
        fast = load_game("gran", players, board=board).new_initial_state()
        slow, chance = interpreted(players, board).new_initial_state(), random.Random(players)
        while not fast.is_terminal() and fast.move_number() < 1000:
            action = choose(slow, chance, TEMPERS)
            fast.apply_action(action)
            slow.apply_action(action)
            assert fast.record() == slow.record()
            assert fast.current_player() == slow.current_player()
        assert (fast.scores(), fast.winners(), fast.ending()) == (slow.scores(), slow.winners(), slow.ending())


def test_the_record_has_room_for_a_stone_on_every_point() -> None:
    state = interpreted(3, MAPS[-1]).new_initial_state()
    table = state.to_plain()
    for point in range(s.MOST_POINTS):
        words = [0, 0]
        bitsets.put(words, point)
        assert words == bits([point])
        assert bitsets.has(words, point)
        assert members(words) == [point] == [bitsets.first(*words)]
        table.stones = words
        assert members(put(state, table).to_plain().stones) == [point]
        bitsets.take(words, point)
        assert words == [0, 0]
    assert bitsets.first(0, 0) == s.NOWHERE

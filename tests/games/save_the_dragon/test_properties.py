"""What holds in every game of Save the Dragon, by any players and however badly."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator

import pytest

from dracotheque import CHANCE, TERMINAL, load_game
from dracotheque.engine import log, sampling
from dracotheque.engine.jit.workspace import PythonWorkspace, RulesRuntime
from dracotheque.engine.log import GameLog
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rng import random_below, seeded
from dracotheque.games.save_the_dragon.rules import state as s
from tests.games.random_games import Moment, kept
from tests.games.save_the_dragon.position_builder import (
    TEMPERS,
    GameSetup,
    choose,
    game_setup,
    interpreted,
    played,
    stopped,
)

CHANCES = (s.LOTS, s.DOOR, s.NOTCH, s.DIE, s.ACTION, s.LANE, s.FATE, s.SIDE)
FALL = (s.LANE, s.FATE, s.SIDE)


@functools.cache
def games() -> list[list[Moment]]:
    """Play many game_setups, once for all tests."""
    return [[*map(kept, played(game_setup(number), 200))] for number in range(42)]


def moments() -> Iterator[Moment]:
    """Go through every moment of every game."""
    return itertools.chain.from_iterable(games())


def moves() -> Iterator[tuple[Moment, Moment]]:
    """Go through every move of every game: the moments before and after it."""
    return itertools.chain.from_iterable(map(itertools.pairwise, games()))


def on_stairs(table: PlainState) -> list[int]:
    """List the spots where pawns stand."""
    return [place for place in table.place[: table.players] if place < s.SPOTS]


def step_of(place: int) -> int:
    """Number the steps; the floor is below them, the chamber above."""
    return place // s.LANES + 1 if place < s.SPOTS else {s.FLOOR: 0, s.CHAMBER: s.STEPS + 1}[place]


def test_in_these_games_everything_is_asked_and_everything_agreed() -> None:
    assert {table.phase for table, *_ in moments()} == set(range(s.OVER + 1))
    assert {table.players for table, *_ in moments()} == {2, 3, 4}
    assert {table.youngest for table, *_ in moments()} > {0, 1, 2, 3, 4, 5}  # beyond 5: several seats
    assert {count for table, *_ in moments() for count in table.tokens} == {0, 1, 2, 3}


# --- Everything stays on the stairs -----------------------------------------------------------------------------
def test_every_pawn_stands_somewhere_no_two_on_a_spot_nobody_on_the_shield() -> None:
    for table, *_ in moments():
        seats = table.place[: table.players]
        assert all(place <= s.FLOOR or place == s.CHAMBER for place in seats)
        assert table.place[table.players :] == [s.NOWHERE] * (s.SEATS - table.players)
        stairs = on_stairs(table)
        assert len(set(stairs)) == len(stairs)
        assert table.shield < s.SPOTS
        assert table.shut < s.LANES
        assert table.phase in (s.DOOR, s.NOTCH) or table.shield not in stairs


def test_tokens_are_three_at_most_each_and_only_players_have_some() -> None:
    for table, *_ in moments():
        assert all(0 <= count <= s.TOKENS for count in table.tokens)
        assert table.tokens[table.players :] == [0] * (s.SEATS - table.players)


def test_what_changes_and_what_does_not() -> None:
    for (before, *_), (after, _, _, action) in moves():
        assert action is not None
        assert (before.players, before.starts, before.youngest) == (after.players, after.starts, after.youngest)
        put_shield = before.phase == s.CHANGE and s.PUT_SHIELD <= action < s.SHUT_DOOR
        put_door = before.phase == s.CHANGE and s.SHUT_DOOR <= action < s.NO_CHANGE
        assert (before.shield != after.shield) == put_shield or before.phase == s.NOTCH
        assert (before.shut != after.shut) == put_door or before.phase == s.DOOR
        moved = [seat for seat in range(before.players) if before.place[seat] != after.place[seat]]
        if moved:
            assert before.phase in (s.WALK, *FALL)
        if before.phase == s.WALK:
            assert set(moved) <= {before.active}


def test_walks_go_up_falls_go_down_and_tokens_with_them() -> None:
    for (before, *_), (after, *_) in moves():
        for seat in range(before.players):
            climbed = step_of(after.place[seat]) - step_of(before.place[seat])
            gained = after.tokens[seat] - before.tokens[seat]
            if before.phase == s.WALK:
                assert 0 <= climbed <= before.die - gained
                assert gained <= 0
            else:
                assert climbed <= 0
                fell = climbed < 0 and after.place[seat] == s.FLOOR
                assert gained == (fell and before.tokens[seat] < s.TOKENS)


def test_the_turn_passes_clockwise_and_only_then() -> None:
    for (before, *_), (after, *_) in moves():
        if before.active != after.active and before.phase not in (s.LOTS, s.NOTCH):
            assert after.active == (before.active + 1) % before.players
            assert (after.phase, after.die) == (s.DIE, 0)
        if before.phase == s.WALK and after.phase != s.OVER:
            assert after.phase == (s.ACTION if before.die <= 2 else s.DIE)


def test_a_rock_is_on_its_way_only_while_it_falls() -> None:
    for table, *_ in moments():
        if table.phase in FALL:
            assert 1 <= table.step <= s.STEPS
            assert table.lane <= s.GONE
            assert table.above <= s.GONE
            assert table.course < s.COURSES
            assert 1 <= table.down <= s.STEPS + 1 - table.step
            assert table.course != s.THROWN or (table.phase, table.step + table.down) == (s.LANE, s.STEPS + 1)
            assert any(place < table.step * s.LANES for place in on_stairs(table))
            assert (table.hit < s.SEATS) == (table.phase != s.LANE)
            assert table.phase != s.LANE or table.lane < s.GONE
        else:
            assert (table.step, table.down, table.above, table.lane, table.course) == (0, 0, 0, 0, s.THROWN)
            assert (table.unseen, table.hit) == (0, s.SEATS)
            assert table.fate == [s.STANDS] * s.SEATS
        assert table.depth == 0 or table.phase == s.SIDE


def falls() -> Iterator[tuple[PlainState, int, list[tuple[Moment, Moment]]]]:
    """Go through every fall that came to its end: the table before the throw, the door, and every move of the fall."""
    for game in games():
        pairs = list(itertools.pairwise(game))
        for number, (before, after) in enumerate(pairs):
            if before.table.phase == s.THROW and after.action is not None:
                fall = list(itertools.takewhile(lambda pair: pair[0].table.phase in FALL, pairs[number + 1 :]))
                end = fall[-1][1] if fall else after
                if end.table.phase == s.DIE:
                    yield before.table, after.action - s.LET_GO, fall


def test_the_rock_is_looked_at_once_on_every_stop_until_it_is_gone() -> None:
    lengths = set[int]()
    for table, door, fall in falls():
        steps = {step_of(place) for place in on_stairs(table)}
        if steps and step_of(table.shield) >= min(steps):
            steps.add(step_of(table.shield))
        above, lane, expected = s.STEPS + 1, door, list[tuple[int, int, int]]()
        came = {before.table.step: after.action for before, after in fall if before.table.phase == s.LANE}
        for step in sorted(steps, reverse=True):
            if lane == s.GONE:
                break
            expected.append((step, above - step, lane))
            above, lane = step, (came.get(step) or 0) - s.ROCK_IN
        looked = [before.table for before, _ in fall if before.table.phase == s.LANE]
        assert [(seen.step, seen.down, seen.lane) for seen in looked] == expected
        assert all(seen.above == seen.lane for seen in looked)
        lengths.add(len(looked))
    assert lengths >= {1, 2, 3, 4, 5}


def test_the_rock_comes_to_every_pawn_once_from_the_top_down_and_from_the_left() -> None:
    for table, _, fall in falls():
        hit = [before.table.place[before.table.hit] for before, _ in fall if before.table.phase == s.FATE]
        assert hit == sorted(on_stairs(table), key=lambda place: (-step_of(place), place % s.LANES))


# --- Choices ----------------------------------------------------------------------------------------------------
def test_somebody_can_always_act() -> None:
    for table, mover, legal, _ in moments():
        assert mover == table.to_move
        assert (mover == TERMINAL) == (table.phase == s.OVER)
        assert (mover == CHANCE) == (table.phase in CHANCES)
        assert mover < 0 or mover == table.active
        for seat, actions in enumerate(legal):
            assert actions == sorted(set(actions))
            assert bool(actions) == (seat == mover) == bool(table._rules.may_act(table, seat))


def test_what_is_not_listed_is_refused() -> None:
    asked = [moment for moment in moments() if moment.mover >= 0]
    over = [moment for moment in moments() if moment.mover == TERMINAL]
    for table, _, legal, _ in [*asked[::2], *over]:
        for seat in range(table.players):
            refusals = [table._rules.refusal(table, seat, action) for action in range(s.ACTIONS)]
            assert legal[seat] == [action for action, refusal in enumerate(refusals) if refusal == 0]
            assert all(0 <= refusal < len(s.REFUSALS) for refusal in refusals)


def test_every_outcome_that_is_listed_may_come() -> None:
    for number in range(12):
        state = stopped(game_setup(number))
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert all(likely > 0 for _, likely in outcomes)
            assert sum(likely for _, likely in outcomes) == pytest.approx(1)
            for outcome, _ in outcomes:
                state.child(outcome)


def test_some_fate_is_always_listed_down_to_the_floor() -> None:
    fates = [legal for table, legal in with_chances() if table.phase == s.FATE]
    assert all(legal[0] == s.DOWN and legal[-1] == s.DOWN + s.FATES - 1 for legal in fates)
    assert {len(legal) for legal in fates} <= set(range(3, s.FATES + 1))


def with_chances() -> Iterator[tuple[PlainState, list[int]]]:
    """Go through some games; give the tables where chance decides, with what it may bring."""
    for number in range(6):
        for state in played(game_setup(number), 200):
            if state.is_chance_node():
                yield state.to_plain(), [outcome for outcome, _ in state.chance_outcomes()]


# --- Quick draws ------------------------------------------------------------------------------------------------
def drawing(number: int, count: int) -> int:
    """Make a stream from which the next number below `count` is this one."""
    drawn = -(-(number << 32) // count)
    return (drawn ^ drawn >> 18) << 27  # what `below` mixes undoes itself while the five highest bits are 0


@pytest.mark.parametrize("count", [1, 2, 3, 27, 100, 10_000])
def test_a_stream_can_be_made_for_every_number(count: int) -> None:
    for number in range(count):
        assert random_below([drawing(number, count)], count) == number


def workspaces(table: PlainState, stream: int) -> tuple[PythonWorkspace, PythonWorkspace]:
    """Set up the same table twice, with the same stream."""
    found = PythonWorkspace(layout()), PythonWorkspace(layout())
    for workspace in found:
        workspace.set_state(table.bytes())
        workspace.seed(stream)
    return found


def layout() -> RulesRuntime:
    """How a workspace for interpreted rules is cut."""
    return interpreted().runtime


def some_moments() -> list[Moment]:
    """Take moments of every phase, and those where someone who has tokens walks."""
    found, met = list[Moment](), dict[tuple[int, ...], int]()
    for moment in moments():
        table = moment.table
        kind = table.players, table.phase, table.tokens[table.active] if table.phase == s.WALK else 0
        met[kind] = met.get(kind, 0) + 1
        if met[kind] <= 30 or met[kind] % 20 == 0:
            found.append(moment)
    return found


def test_some_moments_are_of_every_phase_for_all_numbers_of_players() -> None:
    asked = {(moment.table.players, moment.table.phase) for moment in some_moments()}
    assert asked == set(itertools.product((2, 3, 4), range(s.OVER + 1)))
    walks = {moment.table.tokens[moment.mover] for moment in some_moments() if moment.table.phase == s.WALK}
    assert walks == {0, 1, 2, 3}
    assert {moment.table.youngest for moment in some_moments() if moment.table.phase == s.CHANGE} > {0, 1, 2, 3}


def test_a_quick_choice_is_the_one_of_the_list_wherever_the_stream_points() -> None:
    for table, mover, legal, _ in some_moments():
        if mover >= 0:
            streams = [drawing(n, len(legal[mover])) for n in range(len(legal[mover]))]
            for number, stream in enumerate(streams):
                quick, listed = workspaces(table, stream)
                chosen = quick.game._rules.sample_action(quick.game, mover, quick)
                assert chosen == legal[mover][number] == sampling.sample_action(listed.game, mover, listed)
                assert quick.stream == listed.stream != [stream]
                assert quick.state() == table.bytes()


def test_quick_choices_are_those_of_the_list_for_any_stream() -> None:
    for number, (table, mover, legal, _) in enumerate(some_moments()):
        for seed in range(3) if mover >= 0 else ():
            quick, listed = workspaces(table, seeded(seed, number))
            expected = legal[mover][random_below([seeded(seed, number)], len(legal[mover]))]
            assert quick.game._rules.sample_action(quick.game, mover, quick) == expected
            assert sampling.sample_action(listed.game, mover, listed) == expected
            assert quick.stream == listed.stream


def happens(table: PlainState, stream: int) -> bytes:
    """Let chance bring what the stream says, quickly and by the list; give the state, which must be the same."""
    quick, listed = workspaces(table, stream)
    quick.game._rules.play_chance(quick.game, quick)
    sampling.play_chance(listed.game, listed)
    assert quick.state() == listed.state()
    assert quick.stream == listed.stream != [stream]
    return quick.state()


def test_what_happens_quickly_is_what_the_list_brings_at_both_ends_of_every_weight() -> None:
    for table, mover, _, _ in some_moments():
        if mover == CHANCE:
            (workspace, _), rules = workspaces(table, 0), table._rules
            count = rules.chance_outcomes(workspace.game, workspace.out, workspace.weights)
            heaped = list(itertools.accumulate(workspace.weights[:count], initial=0))
            for outcome, (low, high) in zip(workspace.out[:count], itertools.pairwise(heaped), strict=True):
                after, _ = workspaces(table, 0)
                rules.apply_chance(after.game, outcome)
                for height in {low, high - 1}:
                    assert happens(table, drawing(height, heaped[-1])) == after.state()


def test_what_happens_quickly_is_what_the_list_brings_for_any_stream() -> None:
    for number, (table, mover, _, _) in enumerate(some_moments()):
        for seed in range(3) if mover == CHANCE else ():
            happens(table, seeded(seed, number))


@pytest.mark.parametrize("number", range(6))
def test_quick_games_are_those_of_the_lists_from_the_first_draw_to_the_last(number: int) -> None:
    start = game_setup(number).game.new_initial_state().to_plain()
    quick, listed = workspaces(start, seeded(7, number))
    while (mover := quick.game.to_move) != TERMINAL:
        for workspace, chances in ((quick, start._rules), (listed, sampling)):
            if mover == CHANCE:
                chances.play_chance(workspace.game, workspace)
            else:
                start._rules.apply_action(
                    workspace.game, mover, chances.sample_action(workspace.game, mover, workspace)
                )
        assert (quick.state(), quick.stream) == (listed.state(), listed.stream)


@pytest.mark.parametrize("number", range(12))
def test_games_at_random_end_alike_compiled_and_interpreted(number: int) -> None:
    table = game_setup(number)
    fast = load_game("save-the-dragon", table.players, youngest=table.youngest, starts=table.starts).new_initial_state()
    slow = table.game.new_initial_state()
    assert fast.play_randomly(random.Random(number)) == slow.play_randomly(random.Random(number))
    assert fast.record() == slow.record()
    assert slow.is_terminal()


# --- The end ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("temper", TEMPERS)
def test_games_come_to_an_end(players: int, temper: str) -> None:
    *_, state = played(GameSetup(players, "nobody", "lots", players, (temper, "anything")), 5000)
    table = state.to_plain()
    assert (state.current_player(), state.ending(), table.phase) == (TERMINAL, "end.door", s.OVER)
    assert state.winners() == [table.active]
    assert state.scores() == [int(seat == table.active) for seat in range(players)]
    assert [place == s.CHAMBER for place in table.place[:players]] == [seat == table.active for seat in range(players)]


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


@pytest.mark.parametrize(("players", "youngest"), [(2, "nobody"), (3, "everybody"), (4, "4")])
def test_a_log_brings_the_game_back(players: int, youngest: str) -> None:
    state, chance = interpreted(players, youngest).new_initial_state(), random.Random(players)
    while not state.is_terminal():
        state.apply_action(choose(state, chance, ("climber",)))
    again = log.loads(GameLog.of(state).dumps()).play()
    assert again == state
    assert again.game.options == state.game.options
    assert (again.scores(), again.winners(), again.ending()) == (state.scores(), state.winners(), state.ending())


@pytest.mark.parametrize("number", range(12))
def test_observations_are_numbers_from_0_to_1_and_nothing_is_hidden(number: int) -> None:
    state = stopped(game_setup(number))
    for viewer in range(-1, state.game.players):
        numbers = state.observation_tensor(viewer)
        assert numbers.shape == (state.game.observation_tensor_size(),)
        assert set(numbers.tolist()) == {0.0, 1.0}
        assert state.observation(viewer).bytes() == state.record()
        assert state.resample_from_infostate(viewer, random.Random(1)) == state


@pytest.mark.parametrize("number", range(12))
def test_compiled_and_interpreted_games_are_equal(number: int) -> None:
    """A few games; `make check-equal` compares thousands."""
    table = game_setup(number)
    fast = load_game("save-the-dragon", table.players, youngest=table.youngest, starts=table.starts).new_initial_state()
    slow, chance = table.game.new_initial_state(), random.Random(number)
    while not fast.is_terminal():
        if slow.is_chance_node():
            assert fast.chance_outcomes() == slow.chance_outcomes()
        else:
            assert fast.legal_actions() == slow.legal_actions()
        action = choose(slow, chance, table.tempers)
        fast.apply_action(action)
        slow.apply_action(action)
        assert fast.record() == slow.record()
        assert fast.current_player() == slow.current_player()
        if fast.move_number() % 8 == 0:
            assert fast.observation_tensor(0).tolist() == slow.observation_tensor(0).tolist()
    assert (fast.scores(), fast.winners(), fast.ending()) == (slow.scores(), slow.winners(), slow.ending())

"""What holds in every game of Save the Dragon, whoever plays it and however badly."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from dracotheque import CHANCE, TERMINAL, load_game
from dracotheque.engine import log
from dracotheque.engine.log import GameLog
from dracotheque.engine.record import Plain
from dracotheque.games.save_the_dragon import state as s
from tests.games.save_the_dragon.situation import TEMPERS, Evening, choose, evening, interpreted, played, stopped

CHANCES = (s.LOTS, s.DOOR, s.NOTCH, s.DIE, s.ACTION, s.LANE, s.FATE, s.SIDE)
FALL = (s.LANE, s.FATE, s.SIDE)


class Moment(NamedTuple):
    """The table after a move, whose turn it is, what everybody may do, and the move that led here."""

    table: Plain
    mover: int
    legal: list[list[int]]
    action: int | None


@functools.cache
def games() -> list[list[Moment]]:
    """Play many evenings, once for all tests."""
    return [
        [
            Moment(
                state.table(),
                state.current_player(),
                [state.legal_actions(seat) for seat in range(state.game.players)],
                state.history()[-1] if state.history() else None,
            )
            for state in played(evening(number), 200)
        ]
        for number in range(42)
    ]


def moments() -> Iterator[Moment]:
    """Go through every moment of every game."""
    return itertools.chain.from_iterable(games())


def moves() -> Iterator[tuple[Moment, Moment]]:
    """Go through every move of every game: the moments before and after it."""
    return itertools.chain.from_iterable(map(itertools.pairwise, games()))


def on_stairs(table: Plain) -> list[int]:
    """List the spots where pawns stand."""
    return [place for place in table.place[: table.players] if place < s.SPOTS]


def step_of(place: int) -> int:
    """Number the steps; the floor is below them, the chamber above."""
    return place // s.LANES + 1 if place < s.SPOTS else {s.FLOOR: 0, s.CHAMBER: s.STEPS + 1}[place]


def test_in_these_games_everything_is_asked_and_everything_agreed() -> None:
    assert {table.phase for table, *_ in moments()} == set(range(s.OVER + 1))
    assert {table.players for table, *_ in moments()} == {2, 3, 4}
    assert {table.youngest for table, *_ in moments()} >= {0, 1, 2, 3}
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
            assert table.course < 36
            assert any(place < table.step * s.LANES for place in on_stairs(table))
            assert (table.hit < s.SEATS) == (table.phase != s.LANE)
            assert table.phase != s.LANE or table.lane < s.GONE
        else:
            assert (table.step, table.above, table.lane, table.course, table.hit) == (0, 0, 0, 0, s.SEATS)
            assert table.unseen == 0
            assert table.fate == [s.STANDS] * s.SEATS
        assert table.depth == 0 or table.phase == s.SIDE


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
        state = stopped(evening(number))
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


def with_chances() -> Iterator[tuple[Plain, list[int]]]:
    """Go through some games; give the tables where chance decides, with what it may bring."""
    for number in range(6):
        for state in played(evening(number), 200):
            if state.is_chance_node():
                yield state.table(), [outcome for outcome, _ in state.chance_outcomes()]


# --- The end ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("temper", TEMPERS)
def test_games_come_to_an_end(players: int, temper: str) -> None:
    *_, state = played(Evening(players, "nobody", "lots", players, (temper, "anything")), 5000)
    table = state.table()
    assert (state.current_player(), state.ending(), table.phase) == (TERMINAL, "end.door", s.OVER)
    assert state.winners() == [table.active]
    assert state.scores() == [int(seat == table.active) for seat in range(players)]
    assert [place == s.CHAMBER for place in table.place[:players]] == [seat == table.active for seat in range(players)]


# --- Copies, storage, numbers -----------------------------------------------------------------------------------
@pytest.mark.parametrize("number", range(12))
def test_a_state_written_down_and_read_again_is_the_same(number: int) -> None:
    state = stopped(evening(number))
    again = state.game.deserialize_state(state.serialize())
    assert again == state
    assert again.full_history() == state.full_history()
    assert again.current_player() == state.current_player()


@pytest.mark.parametrize("number", range(12))
def test_a_move_taken_back_leaves_no_trace(number: int) -> None:
    state = stopped(evening(number))
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
    state = stopped(evening(number))
    for viewer in range(-1, state.game.players):
        numbers = state.observation_tensor(viewer)
        assert numbers.shape == (state.game.observation_tensor_size(),)
        assert set(numbers.tolist()) == {0.0, 1.0}
        assert state.observation(viewer).bytes() == state.record()
        assert state.imagine(viewer, random.Random(1)) == state


@pytest.mark.parametrize("number", range(12))
def test_compiled_and_interpreted_games_are_equal(number: int) -> None:
    """A few games; `make check-equal` compares thousands."""
    table = evening(number)
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

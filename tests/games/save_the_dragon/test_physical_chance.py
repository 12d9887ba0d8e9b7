"""At a table the rock really falls, and the rules hear of it move by move."""

from __future__ import annotations

from random import Random

import pytest

from dracotheque import State
from dracotheque.games.save_the_dragon import rock_physics
from dracotheque.games.save_the_dragon.physical_chance import PhysicalChance
from dracotheque.games.save_the_dragon.rules import state as s
from tests.games.save_the_dragon.position_builder import interpreted, put

PLACES = [8, 26, s.FLOOR, 6]  # c3, c9, the floor and a3


def thrown(places: list[int] = PLACES) -> State:
    """Let the first player throw the rock through the middle door, the shield far away on b2."""
    state = interpreted(len(places)).new_initial_state()
    table = state.to_plain()
    table.place[: len(places)] = places
    table.shield, table.shut, table.active, table.to_move, table.phase = 4, 0, 0, 0, s.THROW
    put(state, table).apply_action(s.LET_GO + 1, 0)
    return state


def series(state: State, source: PhysicalChance) -> list[int]:
    """Let the fall happen; give the outcomes that the rules heard of."""
    heard: list[int] = []
    while state.to_plain().phase in (s.LANE, s.FATE, s.SIDE):
        heard.append(source.outcome(state))
        state.apply_action(heard[-1])
    return heard


def test_a_fall_is_the_lanes_at_the_stops_each_followed_by_the_pawns_of_the_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fall = rock_physics.Fall(tuple(PLACES), (1, 0, 0, 0, 0, 0, 2, s.GONE, s.GONE), (s.STANDS, s.FLOOR, s.FLOOR, 3))
    monkeypatch.setattr(rock_physics, "drop", lambda *situation: fall)
    floor, stands, one_down = s.DOWN + s.FATES - 1, s.DOWN, s.DOWN + 2
    state = thrown()
    assert series(state, PhysicalChance(Random(0))) == [
        s.ROCK_IN + 1, floor, s.ROCK_IN + 2, one_down, s.TO_SIDE + 0, stands
    ]  # fmt: skip
    assert (state.to_plain().place, state.to_plain().tokens) == ([8, s.FLOOR, s.FLOOR, 3], [0, 1, 0, 0])


def test_of_a_rock_that_stopped_between_two_stops_the_rules_hear_at_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    fall = rock_physics.Fall(tuple(PLACES), (1, 0, *[s.GONE] * 7), (s.STANDS, s.STANDS, s.FLOOR, s.STANDS))
    monkeypatch.setattr(rock_physics, "drop", lambda *situation: fall)
    stands = s.DOWN
    assert series(thrown(), PhysicalChance(Random(0))) == [s.ROCK_IN + 1, stands, s.ROCK_IN + s.GONE, stands, stands]


def test_every_throw_is_a_fall_of_its_own_wherever_its_first_stop_is(monkeypatch: pytest.MonkeyPatch) -> None:
    dropped: list[tuple[object, ...]] = []

    def drop(*situation: object) -> rock_physics.Fall:
        dropped.append(situation[:3])
        return rock_physics.Fall(tuple(places), (len(dropped),) * 9, (s.STANDS,) * len(places))

    monkeypatch.setattr(rock_physics, "drop", drop)
    source, stands = PhysicalChance(Random(0)), s.DOWN
    for number, places in enumerate(([7, s.FLOOR], [26, 6]), start=1):
        lane = s.ROCK_IN + number
        heard = [lane, stands] if number == 1 else [lane, stands, lane, stands]
        assert series(thrown(places), source) == heard
    assert dropped == [([7, s.FLOOR], 4, 1), ([26, 6], 4, 1)]


def test_a_stored_game_in_mid_fall_goes_on_by_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rock_physics, "drop", lambda *situation: pytest.fail("the rock is already on its way"))
    state = thrown()
    state.apply_action(s.ROCK_IN + 1)
    state.apply_action(s.DOWN)
    assert (state.to_plain().phase, state.to_plain().step) == (s.LANE, 3)
    source, twin, chance = PhysicalChance(Random(5)), state.clone(), Random(5)
    for outcome in series(state, source):
        assert outcome == twin.sample_chance(chance)
        twin.apply_action(outcome)
    assert state.to_plain().step == 0


@pytest.mark.parametrize("seed", range(12))
def test_what_the_rules_hear_is_what_the_rock_did(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    falls: list[rock_physics.Fall] = []
    really = rock_physics.drop
    monkeypatch.setattr(rock_physics, "drop", lambda *situation: falls.append(really(*situation)) or falls[-1])
    places = [16, 13, 10, 7]  # one above the other in the middle lane
    state = thrown(places)
    series(state, PhysicalChance(Random(seed)))
    table, (fall,) = state.to_plain(), falls
    for seat, rest in enumerate(fall.rests):
        if rest == s.FLOOR:
            assert (table.place[seat], table.tokens[seat]) == (s.FLOOR, 1)
        elif rest == s.STANDS:
            assert (table.place[seat], table.tokens[seat]) == (places[seat], 0)


def test_everything_else_is_drawn_by_weight() -> None:
    state, source = interpreted(2).new_initial_state(), PhysicalChance(Random(3))
    twin, chance = state.clone(), Random(3)
    while not state.is_terminal() and state.to_plain().phase not in (s.WALK, s.LANE):
        outcome = source.outcome(state)
        assert outcome == twin.sample_chance(chance)
        state.apply_action(outcome)
        twin.apply_action(outcome)
    assert source.fall is None


def test_without_the_physics_engine_the_tables_decide_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*situation: object) -> rock_physics.Fall:
        raise rock_physics.NoEngine("No engine here.")

    monkeypatch.setattr(rock_physics, "drop", missing)
    state = thrown()
    with pytest.warns(UserWarning, match="No engine here. Until then its falls are drawn from tables."):
        series(state, PhysicalChance(Random(0)))
    assert state.to_plain().step == 0

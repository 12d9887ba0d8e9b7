"""The tables fitted to the rock's falls: how falls are counted, and that the model tells the same story as physics."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dracotheque import State
from dracotheque.engine.rng import seeded
from dracotheque.games.save_the_dragon import rock_physics
from dracotheque.games.save_the_dragon.rock_physics import FLOOR, GONE, LANES, STANDS, STEPS, step_of
from dracotheque.games.save_the_dragon.rules import rock_model
from dracotheque.games.save_the_dragon.rules import state as s
from research.save_the_dragon import rock as lab
from tests.games.save_the_dragon.position_builder import interpreted, put


def test_the_model_is_of_these_stairs_and_as_it_was_fitted() -> None:
    assert rock_physics.version() == rock_model.FALLS, "stairs.toml or the way of falling changed: refit the model"
    assert lab.model().hash() == rock_model.MODEL_HASH
    assert rock_model.DROPS >= 100_000


def test_the_ways_are_the_throw_by_every_number_of_steps_then_courses_by_one_to_four() -> None:
    kinds = lab.kinds_of_way()
    assert kinds[:9] == [(0, down) for down in range(1, 10)]
    assert kinds[9:] == [(course, down) for course in range(1, 18) for down in (1, 2, 3, 4)]
    assert len(lab.model().travel) == len(kinds)
    assert {(len(lanes), len(lanes[0]), len(lanes[0][0])) for lanes in lab.model().travel} == {(3, 4, 4)}


def test_the_model_is_its_own_mirror_image() -> None:
    tables, kinds = lab.model(), lab.kinds_of_way()
    for way, (course, down) in enumerate(kinds):
        twin = tables.travel[kinds.index((lab.mirrored(course), down))]
        for lane in range(LANES):
            for shield in range(LANES + 1):
                left, centre, right, gone = tables.travel[way][lane][shield]
                assert twin[2 - lane][shield if shield == LANES else 2 - shield] == (right, centre, left, gone)
    for rows in tables.shift:
        for lane in range(LANES):
            assert rows[lane] == rows[2 - lane][::-1]


def test_in_the_mirror_a_rock_from_the_left_came_from_the_right() -> None:
    for struck in (0, 6, 12):
        assert [lab.mirrored(struck + came) - struck for came in range(6)] == [0, 1, 4, 5, 2, 3]


# --- Where the rock is looked at ----------------------------------------------------------------------------------
def spots(*names: str) -> tuple[int, ...]:
    """Find spots by their names, and the floor."""
    return tuple(FLOOR if name == "floor" else "abc".index(name[0]) + LANES * (int(name[1]) - 1) for name in names)


def situated(pawns: str, shield: str, door: str = "b") -> lab.Situation:
    """Set up pawns and the shield."""
    return lab.Situation(spots(*pawns.split()), spots(shield)[0], "abc".index(door))


@pytest.mark.parametrize(
    ("pawns", "shield", "steps"),
    [
        ("", "b5", []), ("floor floor", "b5", []), ("b4", "a1", [4]), ("b4 floor", "a1", [4]),
        ("b4", "a7", [7, 4]), ("b4", "a4", [4]), ("b4", "a3", [4]), ("a2 b2 c9", "a2", [9, 2]),
        ("c9 a4", "b5", [9, 5, 4]), ("c9 a6", "b5", [9, 6]), ("b1", "a9", [9, 1]),
    ],
)  # fmt: skip
def test_stops_are_the_steps_of_pawns_and_the_shields_above_any(pawns: str, shield: str, steps: list[int]) -> None:
    at = situated(pawns, shield)
    assert lab.stops(at) == steps
    assert [stop.step for stop in lab.followed(at, lambda step, way: GONE)] == steps


def followed(at: lab.Situation, lanes: str) -> list[lab.Stop]:
    """Follow a rock that is in these lanes at the stops."""
    there = iter(lanes)
    return list(lab.followed(at, lambda step, way: "abc-".index(next(there))))


def test_a_way_tells_how_far_the_rock_came_down_from_which_lane_and_where_the_shield_is() -> None:
    stops = followed(situated("c9 c4 c3", "a7"), "bab-")
    assert [(stop.way.down, stop.way.lane, stop.way.shield, stop.lane) for stop in stops] == [
        (1, 1, 3, 1), (2, 1, 0, 0), (3, 0, 3, 1), (1, 1, 3, GONE),
    ]  # fmt: skip
    assert [stop.way.down for stop in followed(situated("c1", "a1", "c"), "a")] == [9]


def test_a_course_tells_from_where_the_rock_came_and_whether_just_now() -> None:
    at = situated("a9 a8 a7 a5", "a6")
    assert [stop.way.course for stop in followed(at, "bbccb")] == [0, 1, 1, 2, 3]
    assert [stop.way.course for stop in followed(at, "cbbbb")] == [0, 2, 4, 5, 5]
    assert [lab.on_course(course, 1, 1, 0) for course in range(6)] == [1, 1, 3, 3, 5, 5]
    assert [lab.on_course(course, 0, 2, 0) for course in range(18)] == [2] * 18
    assert [lab.on_course(course, 1, 0, 0) for course in range(18)] == [4] * 18
    assert [lab.on_course(12 + 3, 1, 1, struck) for struck in range(3)] == [3, 9, 15]


def test_a_course_tells_what_the_rock_has_just_struck() -> None:
    at = situated("b9 c7 b5 b2", "b7")
    assert [stop.way.course for stop in followed(at, "bbbb")] == [0, 6 + 1, 12 + 1, 6 + 1]
    assert [stop.way.course for stop in followed(at, "bcca")] == [0, 6 + 1, 6 + 2, 3], "the pawn, not the shield"
    assert [stop.way.course for stop in followed(at, "babc")] == [0, 6 + 1, 12 + 4, 6 + 2]
    assert [stop.way.course for stop in followed(at, "abab")] == [0, 4, 2, 4], "the shield beside its way is not struck"


def test_once_the_rock_is_gone_nobody_asks_for_its_lane() -> None:
    asked: list[int] = []
    at = situated("b9 b7 b2", "a5")
    lanes = [stop.lane for stop in lab.followed(at, lambda step, way: asked.append(step) or (GONE if step < 9 else 1))]
    assert (asked, lanes) == ([9, 7], [1, GONE, GONE, GONE])


def test_a_relation_tells_how_the_rock_came_and_what_stands_above() -> None:
    at = situated("b9 b8 a5 c4", "c6")
    stops = {stop.step: stop for stop in followed(at, "bcbb-")}
    found = [lab.relation(at, spot, stops[step_of(spot)]) for spot in at.pawns]
    assert found == [
        0,
        ((1 * 4 + 0) * 4 + 1) * 4 + 1,
        ((1 * 4 + 1) * 4 + 1) * 4,
        ((1 * 4 + 1) * 4 + 3) * 4 + 2,
    ]
    further = situated("a9 c2", "c3", "a")
    top, wall, low = followed(further, "ab-")
    assert lab.relation(further, further.pawns[0], top) == 0
    assert lab.relation(further, further.pawns[1], low) == ((1 * 4 + 1) * 4 + 3) * 4 + 2
    apart = situated("a9 c2", "b1")
    assert lab.relation(apart, apart.pawns[1], followed(apart, "ac")[1]) == ((2 * 4 + 2) * 4 + 0) * 4
    assert (wall.step, wall.way.shield) == (3, 2)


def test_a_fall_drawn_from_the_tables_has_lanes_at_stops_alone() -> None:
    for number in range(200):
        at = lab.situation(lab.TO_MEASURE, number)
        seen = lab.drawn(lab.model(), at, [seeded(9, number)])
        assert [STEPS - place for place, lane in enumerate(seen.lanes) if lane != lab.UNSEEN] == lab.stops(at)
        lanes = [lane for lane in seen.lanes if lane != lab.UNSEEN]
        if GONE in lanes:
            assert set(lanes[lanes.index(GONE) :]) == {GONE}
        assert all(lane in range(GONE + 1) for lane in lanes)


def test_the_rules_ask_the_tables_as_the_falls_were_counted() -> None:
    """In the same situation and after the same lanes the rules take the rows that the lab would count into."""
    tables, kinds, met = lab.model(), lab.kinds_of_way(), set[int]()
    for number in range(1200):
        at, chance = lab.situation(lab.TO_MEASURE, number), Random(number)
        state = let_go(at)

        def lane(step: int, way: lab.Way, state: State = state, chance: Random = chance) -> int:
            assert (state.to_plain().phase, state.to_plain().step) == (s.LANE, step)
            row = kinds.index((way.course, way.down if way.course == 0 else min(way.down, 4)))
            met.add(row)
            assert likely(state) == shares(tables.travel[row][way.lane][way.shield])
            then = chance.choices((0, 1, 2, GONE), (5, 5, 5, 1))[0]
            state.apply_action(s.ROCK_IN + then)
            return then

        for stop in lab.followed(at, lane):
            for spot in sorted(spot for spot in at.pawns if step_of(spot) == stop.step):
                assert (state.to_plain().phase, at.pawns[state.to_plain().hit]) == (s.FATE, spot)
                row = tables.fell[lab.relation(at, spot, stop)]
                assert likely(state) == shares((*row[: 1 + stop.step], sum(row[1 + stop.step :])))
                state.apply_action(s.DOWN)
        assert state.to_plain().phase == s.DIE
    assert len(met) > 64, "most ways were met; there are 69 that a rock can come"


def let_go(at: lab.Situation) -> State:
    """Throw the rock in one of the lab's situations, by the rules."""
    state = interpreted(max(2, len(at.pawns))).new_initial_state()
    table = state.to_plain()
    table.place[: len(at.pawns)] = at.pawns
    table.shield, table.shut, table.active, table.to_move, table.phase = at.shield, (at.door + 1) % 3, 0, 0, s.THROW
    put(state, table).apply_action(s.LET_GO + at.door, 0)
    return state


def likely(state: State) -> list[float]:
    """How likely everything is that chance may bring."""
    return [share for _, share in state.chance_outcomes()]


def shares(weights: tuple[int, ...]) -> object:
    """How likely everything of a row is."""
    return pytest.approx([weight / sum(weights) for weight in weights])


# --- Model and falls ----------------------------------------------------------------------------------------------
def test_fitting_the_falls_of_a_model_gives_the_model_back() -> None:
    tables = lab.model()
    falls = [lab.drawn(tables, lab.situation(lab.TO_MEASURE, number), [seeded(9, number)]) for number in range(6000)]
    again = lab.fitted(falls)
    assert again.travel[0][1][3] == pytest.approx(tables.travel[0][1][3], abs=250)
    assert again.travel[8][1][3] == pytest.approx(tables.travel[8][1][3], abs=1000)
    struck_a_pawn, far = lab.kinds_of_way().index((7, 1)), lab.kinds_of_way().index((1, 4))
    assert again.travel[struck_a_pawn][1][3] == pytest.approx(tables.travel[struck_a_pawn][1][3], abs=600)
    assert again.travel[far][1][3] == pytest.approx(tables.travel[far][1][3], abs=600)
    for related in (0, 64, 128):
        assert again.fell[related] == pytest.approx(tables.fell[related], abs=400)
    assert again.shift[1][0] == pytest.approx(tables.shift[1][0], abs=6)


def test_fresh_falls_and_the_model_tell_the_same_story() -> None:
    falls = [lab.fall(lab.TO_MEASURE, number) for number in range(400)]
    errors = lab.compare(lab.model(), falls)
    assert len(errors) == len(lab.KINDS)
    for error in errors:
        assert error.distance < 1.5 * error.by_chance + 0.01, error
    assert errors[0].distance < 0.02, "what becomes of a pawn, in all situations together"


def test_no_pawn_ends_higher_than_it_stood() -> None:
    for number in range(100):
        seen = lab.fall(lab.TO_MEASURE, number)
        for spot, rest in zip(seen.situation.pawns, seen.rests, strict=True):
            assert rest == STANDS or step_of(rest) <= step_of(spot)


# --- The falls that are kept --------------------------------------------------------------------------------------
def test_kept_falls_are_read_again_and_only_missing_ones_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "CHUNK", 3)
    told: list[int] = []
    first = lab.kept_falls(lab.TO_MEASURE, 5, 1, told.append, tmp_path)
    assert told == [0, 3, 3]
    assert first == [lab.fall(lab.TO_MEASURE, number) for number in range(5)]
    monkeypatch.setattr(lab, "fall", lambda purpose, number: pytest.fail("this fall was kept"))
    assert lab.kept_falls(lab.TO_MEASURE, 6, 1, told.append, tmp_path)[:5] == first

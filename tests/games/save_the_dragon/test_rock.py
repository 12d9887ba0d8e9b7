"""The rock falls alike from the same seed, does what a rock does, and the model tells the same story as physics."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from dracotheque import State
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.stream import seeded
from dracotheque.games.save_the_dragon import rock, rock_model
from dracotheque.games.save_the_dragon import state as s
from dracotheque.games.save_the_dragon.rock import FLOOR, GONE, LANES, STANDS, STEPS, drop, step_of, unpack
from dracotheque.lab import rock as lab
from tests.games.save_the_dragon.situation import interpreted, put

CROWD, SHIELD, DOOR = (4, 13, FLOOR, 19), 16, 1
SEEDS = range(100)


# --- The same seed, the same fall ---------------------------------------------------------------------------------
FALLS_OF_THIS_VERSION = "e79a9cd556da7d2e"
TELL = """
import hashlib
from dracotheque.games.save_the_dragon.rock import drop
falls = [drop((4, 13, 27, 19), 16, 1, seed, record=True) for seed in range(8)]
print(hashlib.sha256(repr([(f.lanes, f.rests, f.path) for f in falls]).encode()).hexdigest()[:16])
"""


def test_two_processes_see_the_falls_that_are_known_of_this_version() -> None:
    told = [subprocess.run([sys.executable, "-c", TELL], capture_output=True, text=True, check=True) for _ in range(2)]
    first, second = (run.stdout.strip() for run in told)
    assert first == second
    if (sys.platform, platform.machine()) == ("linux", "x86_64"):  # the engine is another program elsewhere
        assert first == FALLS_OF_THIS_VERSION, (
            "the same seed falls otherwise: raise FALLS in rock.py and refit the model"
        )


def test_a_fall_is_the_same_whether_it_is_recorded_or_not() -> None:
    for seed in range(5):
        recorded, plain = (drop(CROWD, SHIELD, DOOR, seed, record=record) for record in (True, False))
        assert (recorded.lanes, recorded.rests) == (plain.lanes, plain.rests)
        assert plain.path is None


def test_seeds_differ() -> None:
    assert len({drop([7], 0, 1, seed, record=True).path for seed in range(5)}) == 5


# --- What a rock does ---------------------------------------------------------------------------------------------
def felled(spot: int, shield: int, door: int) -> float:
    """How often a pawn alone is felled."""
    return sum(drop([spot], shield, door, seed).rests[0] != STANDS for seed in SEEDS) / len(SEEDS)


def test_a_pawn_in_the_lane_mostly_falls_and_one_far_from_it_mostly_stands() -> None:
    lane_0_step_6 = 15
    assert felled(lane_0_step_6, 2, 0) > 0.6
    assert felled(lane_0_step_6, 2, 2) < 0.1


def test_behind_the_shield_is_clearly_safer() -> None:
    step_4 = 10
    assert felled(step_4, step_4 + LANES, 1) < 0.15
    assert felled(step_4, 0, 1) > 0.45


def test_the_shield_turns_the_rock_aside() -> None:
    step_8 = 22
    lanes = [drop([], step_8, 1, seed).lanes[STEPS - 7] for seed in SEEDS]
    assert lanes.count(0) + lanes.count(2) > 70
    assert min(lanes.count(0), lanes.count(2)) > 20


def test_a_rock_that_stops_is_taken_away() -> None:
    stopped = next(fall for seed in range(200) if GONE in (fall := drop([], 24, 0, seed, record=True)).lanes)
    assert stopped.path
    frames = unpack(stopped.path)
    assert frames[0].rock
    assert frames[-1].rock is None
    first = stopped.lanes.index(GONE)
    assert set(stopped.lanes[first:]) == {GONE}


def test_no_pawn_ends_higher_than_it_stood() -> None:
    for number in range(100):
        seen = lab.fall(lab.TO_MEASURE, number)
        for spot, rest in zip(seen.situation.pawns, seen.rests, strict=True):
            assert rest == STANDS or step_of(rest) <= step_of(spot)


# --- What is told of it -------------------------------------------------------------------------------------------
def test_what_is_told_of_any_fall_is_well_formed() -> None:
    for seed in range(20):
        fall = drop(CROWD, SHIELD, DOOR, seed)
        if GONE in fall.lanes:
            assert set(fall.lanes[fall.lanes.index(GONE) :]) == {GONE}
        assert all(lane in range(4) for lane in fall.lanes)
        assert all(rest in range(STANDS + 1) for rest in fall.rests)
        assert fall.rests[2] == FLOOR


def test_a_path_is_small_and_shows_where_everything_began_and_ended() -> None:
    for seed in range(10):
        fall = drop((4, 13, 7, 19), SHIELD, DOOR, seed, record=True)
        assert fall.path
        assert len(fall.path) <= 20_000
        frames = unpack(fall.path)
        assert [frame.time for frame in frames[:3]] == pytest.approx([0, 1 / 30, 2 / 30])
        for spot, pose in zip(fall.pawns, frames[0].pawns, strict=True):
            assert pose
            assert pose.position == pytest.approx(rock.place(spot), abs=0.01)
            assert sum(part * part for part in pose.turned) == pytest.approx(1, abs=0.001)
        for spot, rest, pose in zip(fall.pawns, fall.rests, frames[-1].pawns, strict=True):
            assert pose
            if rest == STANDS:
                assert pose.position == pytest.approx(rock.place(spot), abs=rock.stairs()["stair"]["tread"] / 2)


def test_the_longest_possible_path_is_small_enough() -> None:
    times = rock.stairs()["time"]
    frames = (times["limit"] + times["after"]) * rock.FRAMES + 2
    assert rock.HEAD.size + frames * (1 + 5 * rock.POSE.size) <= 20_000


def test_pawns_on_the_floor_have_no_place_in_the_path() -> None:
    path = drop(CROWD, SHIELD, DOOR, 1, record=True).path
    assert path
    assert [pose is None for pose in unpack(path)[0].pawns] == [False, False, True, False]


@pytest.mark.parametrize("path", [b"", b"no path of any rock", b"Rk\x01\x01\x05\x00\x03"])
def test_a_broken_path_is_refused(path: bytes) -> None:
    with pytest.raises(DracothequeError, match="path of a rock"):
        unpack(path)


# --- What cannot be dropped ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("pawns", "shield", "door", "words"),
    [
        ([28], 0, 1, "no spot 28"),
        ([-1], 0, 1, "no spot -1"),
        ([3], FLOOR, 1, "no spot 27"),
        ([3, 3], 0, 1, "Two pawns stand on one spot"),
        ([3], 3, 1, "where the shield is"),
        ([3], 0, 3, "no door 3"),
        ([1, 2, 3, 4, 5], 0, 1, "5 pawns"),
    ],
)
def test_an_impossible_situation_is_refused_in_words(pawns: list[int], shield: int, door: int, words: str) -> None:
    with pytest.raises(DracothequeError, match=words):
        drop(pawns, shield, door, 1)


def test_without_mujoco_the_module_loads_and_says_what_to_install() -> None:
    program = """
import sys
sys.modules["mujoco"] = None
from dracotheque.games.save_the_dragon import rock
try:
    rock.drop([3], 0, 1, 1)
except rock.NoEngine as wrong:
    print(wrong)
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "MuJoCo" in told
    assert f"pip install {rock.ENGINE}" in told


def test_mujoco_is_imported_only_for_a_fall() -> None:
    program = "import sys, dracotheque.games.save_the_dragon.rock; sys.exit('mujoco' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# --- The model ----------------------------------------------------------------------------------------------------
def test_the_model_is_of_these_stairs_and_as_it_was_fitted() -> None:
    assert rock.version() == rock_model.FALLS, "stairs.toml or the way of falling changed: refit the model"
    assert lab.model().hash() == rock_model.MODEL_HASH
    assert rock_model.DROPS >= 100_000


def test_every_weight_is_at_least_one_and_every_row_sums_up() -> None:
    tables = lab.model()
    for rows, total in (
        ([row for drift in tables.travel for lane in drift for row in lane], 10_000),
        (tables.fell, 10_000),
        ([row for down in tables.shift for row in down], 100),
    ):
        assert all(min(row) >= 1 and sum(row) == total for row in rows)
    assert (len(tables.fell), {len(row) for row in tables.fell}) == (192, {11})


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
            assert (state.table().phase, state.table().step) == (s.LANE, step)
            row = kinds.index((way.course, way.down if way.course == 0 else min(way.down, 4)))
            met.add(row)
            assert likely(state) == shares(tables.travel[row][way.lane][way.shield])
            then = chance.choices((0, 1, 2, GONE), (5, 5, 5, 1))[0]
            state.apply_action(s.ROCK_IN + then)
            return then

        for stop in lab.followed(at, lane):
            for spot in sorted(spot for spot in at.pawns if step_of(spot) == stop.step):
                assert (state.table().phase, at.pawns[state.table().hit]) == (s.FATE, spot)
                row = tables.fell[lab.relation(at, spot, stop)]
                assert likely(state) == shares((*row[: 1 + stop.step], sum(row[1 + stop.step :])))
                state.apply_action(s.DOWN)
        assert state.table().phase == s.DIE
    assert len(met) > 64, "most ways were met; there are 69 that a rock can come"


def let_go(at: lab.Situation) -> State:
    """Throw the rock in one of the lab's situations, by the rules."""
    state = interpreted(max(2, len(at.pawns))).new_initial_state()
    table = state.table()
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

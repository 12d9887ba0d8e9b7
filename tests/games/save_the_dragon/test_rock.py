"""The rock falls alike from the same seed, does what a rock does, and the model tells the same story as physics."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.stream import seeded
from dracotheque.games.save_the_dragon import rock, rock_model
from dracotheque.games.save_the_dragon.rock import FLOOR, GONE, LANES, STANDS, STEPS, drop, step_of, unpack
from dracotheque.lab import rock as lab

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
    assert rock_model.DROPS >= 10_000


def test_every_weight_is_at_least_one_and_every_row_sums_up() -> None:
    tables = lab.model()
    for rows, total in (
        ([row for drift in tables.travel for lane in drift for row in lane], 10_000),
        (tables.fell, 10_000),
        ([row for down in tables.shift for row in down], 100),
    ):
        assert all(min(row) >= 1 and sum(row) == total for row in rows)
    assert (len(tables.fell), {len(row) for row in tables.fell}) == (64, {11})


def test_the_model_is_its_own_mirror_image() -> None:
    tables = lab.model()
    for course in range(lab.COURSES):
        for lane in range(LANES):
            for ahead in range(3):
                left, centre, right, gone = tables.travel[course][lane][ahead]
                assert tables.travel[lab.mirrored(course)][2 - lane][ahead] == (right, centre, left, gone)
    for rows in tables.shift:
        for lane in range(LANES):
            assert rows[lane] == rows[2 - lane][::-1]


def test_a_course_tells_from_where_the_rock_came_and_how_long_ago() -> None:
    at = lab.Situation((), 0, 1)
    courses = [lab.way(at, (1, 1, 0, 0, 0, 0, 0, 1, 0)[:passed]).course for passed in range(STEPS)]
    assert courses == [0, 1, 2, 8, 9, 10, 11, 11, 4]


def test_a_course_tells_what_the_rock_has_just_struck() -> None:
    pawn_on_step_9, shield_on_step_7 = 25, 19
    at = lab.Situation((pawn_on_step_9,), shield_on_step_7, 1)
    ways = [lab.way(at, (1, 1, 0, 0)[:passed]) for passed in range(5)]
    assert [(came.course // lab.STRUCK, came.course % lab.STRUCK, came.ahead) for came in ways] == [
        (lab.NOTHING, 0, lab.A_PAWN),
        (lab.A_PAWN, 1, lab.NOTHING),
        (lab.NOTHING, 2, lab.THE_SHIELD),
        (lab.THE_SHIELD, 8, lab.NOTHING),
        (lab.NOTHING, 9, lab.NOTHING),
    ]


def test_fitting_the_falls_of_a_model_gives_the_model_back() -> None:
    tables = lab.model()
    falls = [lab.drawn(tables, lab.situation(lab.TO_MEASURE, number), [seeded(9, number)]) for number in range(6000)]
    again = lab.fitted(falls)
    assert again.travel[0][1][0] == pytest.approx(tables.travel[0][1][0], abs=250)
    assert again.fell[0] == pytest.approx(tables.fell[0], abs=400)
    assert again.shift[1][0] == pytest.approx(tables.shift[1][0], abs=6)


def test_fresh_falls_and_the_model_tell_the_same_story() -> None:
    falls = [lab.fall(lab.TO_MEASURE, number) for number in range(400)]
    errors = {error.what: error.distance for error in lab.compare(lab.model(), falls, copies=4)}
    assert errors["a pawn's fate"] < 0.05
    assert errors["how many pawns fell and reached the floor in a fall"] < 0.15


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

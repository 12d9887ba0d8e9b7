"""Every rule of Save the Dragon, and every ruling S-01 to S-33 where the printed rules are silent.

Spots are called as on a chess board: lanes a, b, c from the left of who climbs, steps 1 to 9; unless a test says
otherwise the shield stands on a1 and door a is shut, both out of the way.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from dracotheque import CHANCE, TERMINAL, DracothequeError, State
from dracotheque.engine.dispatch import REFUSED
from dracotheque.games.save_the_dragon.rules import mechanics
from dracotheque.games.save_the_dragon.rules import state as s
from dracotheque.games.save_the_dragon.rules.rock_model import FELL, SHIFT, TRAVEL
from tests.games.save_the_dragon.position_builder import (
    ACTIONS,
    CRESTS,
    DOORS,
    OUTCOMES,
    PLACES,
    SPOTS,
    asked,
    chances,
    choices,
    fall,
    hit,
    impossible,
    interpreted,
    pawns,
    phase,
    play,
    put,
    refused,
    shield,
    shut,
    situation,
    tokens,
    where,
)


def words(text: str) -> set[str]:
    """Read choices, separated by commas."""
    return set(text.split(", "))


def weighed(names: list[str], weights: tuple[int, ...]) -> dict[str, Any]:
    """Return how likely each of these is."""
    return {name: pytest.approx(weight / sum(weights)) for name, weight in zip(names, weights, strict=True)}


def even(names: list[str]) -> dict[str, Any]:
    """Say that each of these is as likely."""
    return weighed(names, (1,) * len(names))


# --- Set-up -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("save-the-dragon", "setup.stairs")
def test_there_are_nine_steps_of_three_spots_and_three_openings() -> None:
    assert (s.STEPS, s.LANES, s.SPOTS, len(DOORS)) == (9, 3, 27, 3)
    assert [SPOTS.index(spot) for spot in ("a1", "c1", "a2", "c9")] == [0, 2, 3, 26]
    assert (PLACES[s.FLOOR], PLACES[s.STANDS], PLACES[s.CHAMBER], PLACES[s.NOWHERE]) == tuple(PLACES[27:])


def test_the_names_of_the_tests_are_those_of_the_rules() -> None:
    assert (len(ACTIONS), len(OUTCOMES)) == (s.ACTIONS, s.OUTCOMES)
    actions = (s.THROUGH, s.STAY, s.PUT_SHIELD, s.SHUT_DOOR, s.NO_CHANGE, s.LET_GO)
    assert [ACTIONS[n] for n in actions] == ["door a", "stay", "shield a1", "shut a", "leave it", "throw a"]
    assert [ACTIONS[n] for n in (0, 27, 54, 81)] == ["a1", "a1 +1", "a1 +2", "a1 +3"]
    outcomes = (0, s.SHUT, s.NOTCHED, s.ROLL, s.ROCK, s.SHIELD_OR_DOOR, s.ROCK_IN, s.DOWN, s.TO_SIDE)
    assert [OUTCOMES[n] for n in outcomes] == [
        "first lion", "shut a", "shield a1", "die 1", "action rock", "action change", "rock a", "fate stands", "side a",
    ]  # fmt: skip


@pytest.mark.rule("save-the-dragon", "setup.stairs")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_stands_open_to_all(players: int) -> None:
    state = situation(players, at={"lion": "b4"}, tokens={"tower": 2}, die=2)
    for viewer in range(-1, players):
        assert state.observation(viewer).bytes() == state.record()


@pytest.mark.rule("save-the-dragon", "setup.pawns")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_pawns_begin_on_the_floor_without_tokens(players: int) -> None:
    state = interpreted(players).new_initial_state()
    table = state.to_plain()
    assert table.place == [s.FLOOR] * players + [s.NOWHERE] * (4 - players)
    assert (table.tokens, table.fate) == ([0] * 4, [s.STANDS] * 4)
    assert (table.die, table.step, table.above, table.lane, table.course, table.depth) == (0,) * 6
    assert (table.hit, table.players) == (s.SEATS, players)


@pytest.mark.rule("save-the-dragon", "setup.pawns", "move.steps")
def test_s01_entering_any_of_the_three_lowest_spots_costs_one_step() -> None:
    assert choices(situation(shield="b5", die=1)) == words("a1, b1, c1")
    assert choices(situation(shield="b5", die=2)) == words("a1, b1, c1, a2, b2, c2")
    assert choices(situation(shield="b5", die=3)) == words("a1, c1, a2, b2, c2, a3, b3, c3")
    assert choices(situation(shield="b1", die=1)) == words("a1, c1")


@pytest.mark.rule("save-the-dragon", "setup.door")
def test_s15_chance_shuts_one_of_the_three_openings() -> None:
    state = interpreted().new_initial_state()
    assert (asked(state), phase(state)) == ("chance", s.DOOR)
    assert chances(state) == even([f"shut {door}" for door in DOORS])
    for door in DOORS:
        after = state.child(OUTCOMES.index(f"shut {door}"))
        assert (shut(after), asked(after), phase(after)) == (door, "chance", s.NOTCH)
    assert impossible(state, "chance: shield a1")
    assert impossible(state, "chance: first lion")
    assert impossible(state, "chance: die 1")


@pytest.mark.rule("save-the-dragon", "setup.shield")
def test_s13_chance_places_the_shield_on_any_of_the_27_spots() -> None:
    state = play(interpreted().new_initial_state(), "chance: shut b")
    assert chances(state) == even([f"shield {spot}" for spot in SPOTS])
    for spot in SPOTS:
        after = state.child(OUTCOMES.index(f"shield {spot}"))
        assert (shield(after), shut(after), asked(after), phase(after)) == (spot, "b", "chance", s.LOTS)


@pytest.mark.rule("save-the-dragon", "setup.first-player")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_s27_lots_are_drawn_for_the_first_player(players: int) -> None:
    state = play(interpreted(players).new_initial_state(), "chance: shut b", "chance: shield c4")
    assert chances(state) == even([f"first {crest}" for crest in CRESTS[:players]])
    for seat in range(players):
        after = state.child(seat)
        assert (after.to_plain().active, asked(after), phase(after)) == (seat, "chance", s.DIE)
        assert state.legal_actions(seat) == []
    if players < 4:
        assert impossible(state, f"chance: first {CRESTS[players]}")


@pytest.mark.rule("save-the-dragon", "setup.first-player")
@pytest.mark.parametrize(("players", "seat"), [(players, seat) for players in (2, 3, 4) for seat in range(players)])
def test_s27_the_table_may_name_the_first_player(players: int, seat: int) -> None:
    state = interpreted(players, starts=str(seat + 1)).new_initial_state()
    play(state, "chance: shut b", "chance: shield c4")
    assert (phase(state), state.to_plain().active) == (s.DIE, seat)


@pytest.mark.rule("save-the-dragon", "setup.first-player", "option.youngest")
@pytest.mark.parametrize(("players", "named"), [(2, "3"), (3, "4"), (4, "5"), (2, "0"), (2, "me")])
@pytest.mark.parametrize("option", ["starts", "youngest"])
def test_nobody_is_named_who_does_not_play(players: int, named: str, option: str) -> None:
    with pytest.raises(DracothequeError, match=option):
        interpreted(players, **{option: named})


# --- The turn ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("save-the-dragon", "turn.die")
def test_the_movement_die_has_two_faces_each_with_one_two_and_three() -> None:
    state = situation()
    assert chances(state) == even(["die 1", "die 2", "die 3"])
    assert s.STEP_FACES == (2, 2, 2)
    assert impossible(state, "chance: action rock")
    for face in (1, 2, 3):
        after = state.child(OUTCOMES.index(f"die {face}"))
        assert (after.to_plain().die, asked(after), phase(after)) == (face, "lion", s.WALK)


@pytest.mark.rule("save-the-dragon", "turn.action")
@pytest.mark.parametrize("face", [1, 2])
def test_s10_after_a_one_or_a_two_comes_the_action_die_with_three_rocks(face: int) -> None:
    state = play(situation(at={"lion": "b4"}, die=face), f"lion: b{4 + face}")
    assert (asked(state), phase(state), state.to_plain().active) == ("chance", s.ACTION, 0)
    assert chances(state) == even(["action rock", "action change"])
    assert s.ACTION_FACES == (3, 3)
    rock, change = (state.child(OUTCOMES.index(f"action {what}")) for what in ("rock", "change"))
    assert (asked(rock), phase(rock)) == ("lion", s.THROW)
    assert (asked(change), phase(change)) == ("lion", s.CHANGE)
    assert impossible(state, "chance: die 1")


@pytest.mark.rule("save-the-dragon", "turn.action")
def test_s10_after_a_three_comes_the_next_player_at_once() -> None:
    state = play(situation(at={"lion": "b4"}, die=3), "lion: b7")
    assert (asked(state), phase(state), state.to_plain().active, state.to_plain().die) == ("chance", s.DIE, 1, 0)


@pytest.mark.rule("save-the-dragon", "turn.action", "token.spend")
def test_s10_only_the_face_counts_not_the_steps_that_tokens_add() -> None:
    far = play(situation(at={"lion": "b4"}, tokens={"lion": 2}, die=1), "lion: b7 +2")
    assert phase(far) == s.ACTION
    short = play(situation(3, at={"tower": "a2", "star": "c2"}, shield="b1", die=2), "lion: a1")
    assert phase(short) == s.ACTION
    state = situation(3, at={"lion": "b8", "tower": "a9", "star": "c9"}, shield="b9", die=3)
    assert choices(state) == words("door c")


@pytest.mark.rule("save-the-dragon", "turn.order")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_round_clockwise(players: int) -> None:
    state = situation(players, turn="tower")
    active = list[int]()
    for _ in range(players + 1):
        active.append(state.to_plain().active)
        play(state, "chance: die 3")
        state.apply_action(state.legal_actions()[0])
    assert active == [(1 + turn) % players for turn in range(players + 1)]


@pytest.mark.rule("save-the-dragon", "turn.order")
def test_nobody_acts_out_of_turn() -> None:
    walk = situation(3, turn="tower", at={"tower": "b4"}, die=1)
    assert [refused(walk, f"{crest}: b5") for crest in ("lion", "star")] == ["turn.order"] * 2
    change = situation(3, turn="star", action="change")
    assert refused(change, "lion: shield b5") == "turn.order"
    throw = situation(3, turn="star", action="rock")
    assert refused(throw, "tower: throw b") == "turn.order"
    for state in (walk, change, throw):
        assert [bool(state.legal_actions(seat)) for seat in range(3)] == [
            seat == state.current_player() for seat in range(3)
        ]


# --- Walking ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("save-the-dragon", "move.steps")
@pytest.mark.parametrize(
    ("place", "die", "ends"),
    [
        ("b4", 1, "a4, c4, b5"),
        ("a4", 1, "b4, a5"),
        ("c4", 1, "b4, c5"),
        ("b4", 2, "a5, c5, b6"),
        ("a4", 2, "c4, b5, a6"),
        ("c4", 2, "a4, b5, c6"),
        ("b4", 3, "a6, b5, c6, b7"),
        ("a4", 3, "a5, c5, b6, a7"),
        ("c4", 3, "a5, c5, b6, c7"),
    ],
)
def test_s02_s03_left_right_and_up_and_no_spot_twice(place: str, die: int, ends: str) -> None:
    assert choices(situation(at={"lion": place}, die=die)) == words(ends)


@pytest.mark.rule("save-the-dragon", "move.steps")
def test_s02_never_down_never_diagonally_never_too_far() -> None:
    state = situation(at={"lion": "b4"}, die=1)
    for spot in ("b3", "a3", "a5", "c5", "b6", "b4", "a1", "c9"):
        assert refused(state, f"lion: {spot}") == ("move.shield" if spot == "a1" else "move.steps")
    assert refused(state, "lion: door b") == "move.steps"
    play(state, "lion: c4")
    assert (where(state, "lion"), where(state, "tower")) == ("c4", "floor")


@pytest.mark.rule("save-the-dragon", "move.no-return")
def test_s03_nobody_burns_steps_by_going_to_and_fro() -> None:
    state = situation(at={"lion": "b4"}, die=2)
    assert refused(state, "lion: b4") == "move.steps"
    state = situation(at={"lion": "b4"}, die=3)
    assert [refused(state, f"lion: {spot}") for spot in ("a4", "c4", "a5", "b6")] == ["move.full"] * 4
    state = situation(at={"lion": "a1"}, shield="a2", die=2)
    assert choices(state) == words("c1, b2")


@pytest.mark.rule("save-the-dragon", "move.full")
def test_s04_the_whole_number_of_steps_must_be_walked() -> None:
    state = situation(at={"lion": "a4"}, die=2)
    assert [refused(state, f"lion: {spot}") for spot in ("b4", "a5")] == ["move.full"] * 2
    assert refused(state, "lion: a7") == "move.steps"


@pytest.mark.rule("save-the-dragon", "move.full")
def test_s04_else_the_longest_walk_possible_with_a_choice_among_equals() -> None:
    state = situation(3, at={"tower": "a2", "star": "c2"}, shield="b1", die=2)
    assert choices(state) == words("a1, c1")
    assert refused(state, "lion: b1") == "move.shield"
    assert refused(state, "lion: b2") == "move.steps"
    assert [refused(state, f"lion: {spot}") for spot in ("a2", "c2")] == ["move.pass"] * 2
    assert where(play(state, "lion: c1"), "lion") == "c1"


@pytest.mark.rule("save-the-dragon", "move.full")
def test_s04_two_steps_where_three_are_impossible() -> None:
    state = situation(4, at={"lion": "c8", "tower": "a8", "star": "a9", "oak": "c9"}, shield="b9", shut="c", die=2)
    assert choices(state) == words("b8")
    assert refused(state, "lion: stay") == "move.stuck"


@pytest.mark.rule("save-the-dragon", "move.pass")
def test_s05_pawns_may_be_passed_and_count_as_a_step_but_nobody_stops_on_them() -> None:
    state = situation(at={"lion": "b4", "tower": "b5"}, die=1)
    assert choices(state) == words("a4, c4")
    assert refused(state, "lion: b5") == "move.pass"
    state = situation(at={"lion": "b4", "tower": "b5"}, die=2)
    assert choices(state) == words("a5, c5, b6")
    state = situation(3, at={"lion": "a4", "tower": "a5", "star": "a6"}, shield="b4", die=3)
    assert choices(state) == words("a7, b6, c5")
    assert pawns(play(state, "lion: a7")) == "a7 a5 a6"


@pytest.mark.rule("save-the-dragon", "move.pass")
@pytest.mark.parametrize("lane", DOORS)
@pytest.mark.parametrize("step", [1, 2, 5, 9])
def test_s05_nobody_stops_on_any_pawn(lane: str, step: int) -> None:
    spot = f"{lane}{step}"
    below = f"{lane}{step - 1}" if step > 1 else "floor"
    state = situation(3, at={"lion": below, "star": spot}, shield="a4" if lane == "b" else "b4", die=1)
    assert spot not in choices(state)
    assert refused(state, f"lion: {spot}") == "move.pass"


@pytest.mark.rule("save-the-dragon", "move.pass", "setup.pawns")
def test_s05_the_floor_holds_any_number() -> None:
    state = fall(situation(4, at={"lion": "b4", "tower": "b5"}, action="rock"), "b", lion="floor", tower="floor")
    assert pawns(state) == "floor floor floor floor"
    assert choices(play(state, "chance: die 1")) == words("b1, c1, b1 +1, c1 +1, b2 +1, c2 +1")


@pytest.mark.rule("save-the-dragon", "move.shield")
@pytest.mark.parametrize(
    ("place", "wall", "die", "ends"),
    [
        ("b4", "b5", 1, "a4, c4"),
        ("b4", "b5", 2, "a5, c5"),
        ("b4", "b5", 3, "a6, c6"),
        ("a4", "b4", 1, "a5"),
        ("a4", "b4", 2, "b5, a6"),
        ("a4", "b4", 3, "c5, b6, a7"),
        ("c4", "b4", 2, "b5, c6"),
        ("c4", "b4", 3, "a5, b6, c7"),
        ("b4", "a4", 1, "c4, b5"),
        ("b4", "c4", 1, "a4, b5"),
        ("b4", "a5", 2, "c5, b6"),
        ("b4", "c5", 2, "a5, b6"),
        ("a4", "c4", 2, "b5, a6"),
        ("c4", "a4", 2, "b5, c6"),
        ("a4", "b5", 3, "c5, b6, a7"),
        ("floor", "b1", 3, "b2, a3, c3"),
        ("floor", "a1", 3, "a2, b2, c2, b3, c3"),
        ("floor", "c1", 3, "a2, b2, c2, a3, b3"),
    ],
)
def test_s06_the_shields_spot_is_a_wall(place: str, wall: str, die: int, ends: str) -> None:
    state = situation(at={"lion": place}, shield=wall, die=die)
    assert choices(state) == words(ends)
    assert refused(state, f"lion: {wall}") == "move.shield"


@pytest.mark.rule("save-the-dragon", "move.stuck", "door.shut", "turn.action")
@pytest.mark.parametrize("die", [1, 2, 3])
def test_s07_between_shield_and_shut_door_the_pawn_stays(die: int) -> None:
    state = situation(at={"lion": "a9"}, shield="b9", shut="a", die=die)
    assert choices(state) == {"stay"}
    assert refused(state, "lion: door a") == "door.shut"
    assert refused(state, "lion: b9") == "move.shield"
    play(state, "lion: stay")
    assert where(state, "lion") == "a9"
    assert (phase(state), state.to_plain().active) == ((s.DIE, 1) if die == 3 else (s.ACTION, 0))


@pytest.mark.rule("save-the-dragon", "move.stuck")
def test_s07_the_same_when_all_landing_spots_are_taken() -> None:
    state = situation(3, at={"tower": "a1", "star": "b1"}, shield="c1", die=1)
    assert choices(state) == {"stay"}
    assert [refused(state, f"lion: {spot}") for spot in ("a1", "b1")] == ["move.pass"] * 2
    state = play(state, "lion: stay")
    assert (where(state, "lion"), phase(state)) == ("floor", s.ACTION)


@pytest.mark.rule("save-the-dragon", "move.stuck", "token.spend")
def test_s07_s23_who_could_walk_with_tokens_only_may_stay_and_keep_them() -> None:
    state = situation(3, at={"tower": "a1", "star": "b1"}, shield="c1", tokens={"lion": 1}, die=1)
    assert choices(state) == words("stay, a2 +1, b2 +1")
    assert tokens(play(state, "lion: stay"), "lion") == 1
    state = situation(at={"lion": "a9", "tower": "b9"}, shut="a", tokens={"lion": 2}, die=1)
    assert choices(state) == words("stay, c9 +1, door b, door c")
    state = situation(at={"lion": "a9"}, shield="b9", tokens={"lion": 3}, die=2)
    assert choices(state) == {"stay"}


@pytest.mark.rule("save-the-dragon", "move.stuck")
def test_who_can_walk_must_walk() -> None:
    state = situation(at={"lion": "b4"}, die=1)
    assert refused(state, "lion: stay") == "move.stuck"
    for other in ("shield b5", "shut b", "leave it", "throw b"):
        assert refused(state, f"lion: {other}") == "move.stuck"
    state = situation(at={"lion": "b9"}, shut="a", die=2)
    assert refused(state, "lion: stay") == "move.stuck"


# --- Doors ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("save-the-dragon", "move.door", "end.door", "score.count", "score.winner")
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("die", [1, 2, 3])
def test_s08_the_step_through_an_open_door_wins_and_surplus_steps_do_not_matter(door: str, die: int) -> None:
    closed = "b" if door != "b" else "c"
    state = play(situation(3, turn="tower", at={"tower": f"{door}9"}, shut=closed, die=die), f"tower: door {door}")
    assert (where(state, "tower"), asked(state), state.current_player()) == ("chamber", None, TERMINAL)
    assert (state.scores(), state.winners(), state.ending()) == ([0, 1, 0], [1], "end.door")
    assert (state.returns(), phase(state)) == ([-0.5, 1, -0.5], s.OVER)


@pytest.mark.rule("save-the-dragon", "end.door")
def test_s08_after_a_win_nobody_does_anything_any_more() -> None:
    state = play(situation(at={"lion": "c9"}, die=1), "lion: door c")
    for move in ("lion: stay", "lion: b9", "tower: a1", "tower: throw b", "lion: door c"):
        assert refused(state, move) == "end.door"
    assert state.legal_actions(0) == state.legal_actions(1) == []


@pytest.mark.rule("save-the-dragon", "score.count", "score.winner")
def test_nobody_has_a_point_or_has_won_before() -> None:
    state = situation(4, at={"lion": "c9", "tower": "b9"}, die=1)
    assert (state.scores(), state.winners(), state.ending()) == ([0] * 4, [], None)


@pytest.mark.rule("save-the-dragon", "move.door")
@pytest.mark.parametrize(
    ("place", "die", "closed", "reached"),
    [
        ("a9", 1, "b", "a"),
        ("a9", 2, "c", "a, b"),
        ("a9", 3, "b", "a, c"),
        ("a9", 3, "a", "b, c"),
        ("b9", 2, "b", "a, c"),
        ("b9", 2, "a", "b, c"),
        ("c9", 3, "c", "a, b"),
        ("c9", 2, "c", "b"),
        ("b8", 1, "a", ""),
        ("b8", 2, "a", "b"),
        ("b8", 3, "a", "b, c"),
        ("b7", 3, "a", "b"),
        ("b7", 2, "a", ""),
        ("a7", 3, "a", ""),
    ],
)
def test_s08_through_which_doors_one_can_go(place: str, die: int, closed: str, reached: str) -> None:
    state = situation(at={"lion": place}, shut=closed, die=die)
    doors = {f"door {door}" for door in reached.split(", ") if door}
    assert {choice for choice in choices(state) if choice.startswith("door")} == doors
    for door in DOORS:
        if f"door {door}" not in doors:
            assert refused(state, f"lion: door {door}") == ("door.shut" if door == closed else "move.steps")


@pytest.mark.rule("save-the-dragon", "door.shut")
@pytest.mark.parametrize("door", DOORS)
def test_nobody_goes_through_the_shut_door(door: str) -> None:
    state = situation(at={"lion": f"{door}9"}, shut=door, die=1)
    assert f"door {door}" not in choices(state)
    assert refused(state, f"lion: door {door}") == "door.shut"
    assert refused(situation(at={"lion": "b1"}, shut=door, die=1), f"lion: door {door}") == "door.shut"


@pytest.mark.rule("save-the-dragon", "move.pass", "move.door")
def test_s05_pawns_on_the_top_step_may_be_passed_on_the_way_through_a_door() -> None:
    state = situation(at={"lion": "a9", "tower": "b9"}, shut="a", die=2)
    assert choices(state) == words("c9, door b")
    state = situation(at={"lion": "b8", "tower": "b9"}, shut="a", die=2)
    assert choices(state) == words("a9, c9, door b")
    state = situation(3, at={"lion": "a9", "tower": "b9", "star": "c9"}, shut="a", die=3)
    assert choices(state) == words("door b, door c")
    assert play(state, "lion: door c").winners() == [0]


@pytest.mark.rule("save-the-dragon", "move.decline", "move.door")
def test_s09_a_winning_walk_is_allowed_though_a_longer_one_is_not_through_a_door() -> None:
    state = situation(at={"lion": "a8"}, shut="b", die=3)
    assert choices(state) == words("a9, c9, door a")
    assert [refused(state, f"lion: {spot}") for spot in ("b9", "c8", "b8")] == ["move.full"] * 3


@pytest.mark.rule("save-the-dragon", "move.decline")
def test_s31_a_win_may_be_declined_only_by_a_walk_as_long_as_every_winning_one() -> None:
    one = situation(at={"lion": "b9"}, shut="a", die=1)
    assert choices(one) == words("a9, c9, door b")
    assert (asked(play(one, "lion: a9")), phase(one)) == ("chance", s.ACTION)
    two = situation(at={"lion": "b9"}, shut="a", die=2)
    assert choices(two) == words("door b, door c")
    assert [refused(two, f"lion: {spot}") for spot in ("a9", "c9")] == ["move.full"] * 2
    three = situation(at={"lion": "a9"}, shut="a", die=3)
    assert choices(three) == words("door b, door c")
    assert refused(three, "lion: c9") == "move.full"
    alone = situation(at={"lion": "b9"}, shield="c9", shut="b", die=3)
    assert choices(alone) == words("door a")
    assert refused(alone, "lion: a9") == "move.full"


# --- Tokens -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("save-the-dragon", "token.spend")
def test_s23_each_token_is_one_more_step_of_the_same_walk() -> None:
    state = situation(at={"lion": "b4"}, tokens={"lion": 2}, die=1)
    assert choices(state) == words("a4, c4, b5, a5 +1, c5 +1, b6 +1, a6 +2, b5 +2, c6 +2, b7 +2")
    one = state.clone()
    assert (where(play(one, "lion: b6 +1"), "lion"), tokens(one, "lion"), phase(one)) == ("b6", 1, s.ACTION)
    two = state.clone()
    assert (where(play(two, "lion: b5 +2"), "lion"), tokens(two, "lion")) == ("b5", 0)
    none = state.clone()
    assert (where(play(none, "lion: b5"), "lion"), tokens(none, "lion")) == ("b5", 2)


@pytest.mark.rule("save-the-dragon", "token.spend")
def test_s23_six_steps_with_a_three_and_three_tokens() -> None:
    state = situation(at={"lion": "b1"}, shield="a9", tokens={"lion": 3, "tower": 3}, die=3)
    assert choices(state) == words(
        "b2, a3, c3, b4, a2 +1, c2 +1, b3 +1, a4 +1, c4 +1, b5 +1,"
        " a3 +2, c3 +2, b4 +2, a5 +2, c5 +2, b6 +2, b3 +3, a4 +3, c4 +3, b5 +3, a6 +3, c6 +3, b7 +3"
    )
    assert tokens(play(state, "lion: b7 +3"), "lion") == 0
    assert (tokens(state, "tower"), phase(state)) == (3, s.DIE)


@pytest.mark.rule("save-the-dragon", "token.spend", "token.earn")
def test_s24_spent_tokens_go_back_to_the_supply_and_can_be_earned_again() -> None:
    state = play(situation(at={"lion": "b4"}, tokens={"lion": 3, "tower": 3}, die=2), "lion: b9 +3")
    assert [tokens(state, crest) for crest in CRESTS[:2]] == [0, 3]
    fall(play(state, "chance: action rock"), "b", lion="floor")
    assert [tokens(state, crest) for crest in CRESTS[:2]] == [1, 3]


@pytest.mark.rule("save-the-dragon", "token.spend")
def test_nobody_spends_what_they_do_not_have() -> None:
    state = situation(at={"lion": "b4"}, tokens={"lion": 1, "tower": 3}, die=1)
    assert [refused(state, f"lion: {walk}") for walk in ("b7 +2", "a6 +2", "b8 +3")] == ["token.spend"] * 3
    assert refused(situation(at={"lion": "b4"}, die=1), "lion: b6 +1") == "token.spend"


@pytest.mark.rule("save-the-dragon", "token.spend", "move.full")
def test_s25_s32_the_declared_total_is_compulsory_and_only_tokens_used_are_spent() -> None:
    state = situation(3, at={"tower": "a2", "star": "c2"}, shield="b1", tokens={"lion": 2}, die=1)
    assert choices(state) == words("a1, c1, b2 +2, a3 +2, c3 +2")
    assert refused(state, "lion: a1 +1") == "move.full"
    assert refused(state, "lion: a1 +2") == "move.full"
    assert refused(state, "lion: a2 +1") == "move.pass"
    assert refused(state, "lion: a3 +1") == "move.steps"
    state = situation(3, at={"tower": "a2", "star": "c2"}, shield="b1", tokens={"lion": 1}, die=2)
    assert choices(state) == words("a1, c1, b2 +1, a3 +1, c3 +1")
    assert tokens(play(state, "lion: a1"), "lion") == 1


@pytest.mark.rule("save-the-dragon", "token.spend", "move.door")
@pytest.mark.parametrize(("die", "left"), [(1, 1), (2, 2), (3, 3)])
def test_s32_through_a_door_one_pays_for_the_steps_beyond_the_die(die: int, left: int) -> None:
    state = situation(at={"lion": "b7"}, tokens={"lion": 3}, die=die)
    play(state, "lion: door b")
    assert (where(state, "lion"), tokens(state, "lion"), state.winners()) == ("chamber", left, [0])


@pytest.mark.rule("save-the-dragon", "token.spend", "move.decline")
def test_s31_a_door_in_reach_with_tokens_binds_only_who_spends_them() -> None:
    state = situation(at={"lion": "b9"}, shut="a", tokens={"lion": 1}, die=1)
    assert choices(state) == words("a9, c9, door b, door c")
    assert refused(state, "lion: a9 +1") == "move.full"
    paid = play(situation(at={"lion": "b9"}, shut="a", tokens={"lion": 1}, die=1), "lion: door c")
    assert (tokens(paid, "lion"), paid.winners()) == (0, [0])
    assert tokens(play(state, "lion: door b"), "lion") == 1
    state = situation(at={"lion": "c7"}, shut="b", tokens={"lion": 1}, die=1)
    assert "door c" not in choices(state)
    assert refused(state, "lion: door c") == "move.steps"


@pytest.mark.rule("save-the-dragon", "token.spend", "turn.order")
def test_s23_tokens_are_of_no_use_after_the_action() -> None:
    state = situation(at={"lion": "b4"}, tokens={"lion": 3}, action="change")
    assert refused(state, "lion: b6 +1") == "change.must"
    state = situation(at={"lion": "b4"}, tokens={"lion": 3}, action="rock")
    assert refused(state, "lion: b6 +1") == "rock.throw"


# --- Shield and door --------------------------------------------------------------------------------------------
@pytest.mark.rule("save-the-dragon", "change.must")
def test_s11_one_of_the_two_must_be_moved() -> None:
    state = situation(at={"lion": "b4"}, action="change")
    assert "leave it" not in choices(state)
    for other in ("leave it", "stay", "b5", "door b", "throw b", "throw a"):
        assert refused(state, f"lion: {other}") == "change.must"


@pytest.mark.rule("save-the-dragon", "change.shield", "change.must")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_s12_the_shield_goes_to_any_other_spot_without_a_pawn(players: int) -> None:
    at: dict[str, str] = dict(zip(CRESTS[:players], ("b4", "a9", "c1", "a2"), strict=False))
    state = situation(players, at=at, shield="b7", shut="b", action="change")
    free = {f"shield {spot}" for spot in SPOTS if spot not in (*at.values(), "b7")}
    assert choices(state) == free | {"shut a", "shut c"}
    for spot in (*at.values(), "b7"):
        assert refused(state, f"lion: shield {spot}") == "change.shield"
    play(state, "lion: shield c9")
    assert (shield(state), shut(state), pawns(state)) == ("c9", "b", " ".join(at.values()))
    assert (phase(state), state.to_plain().active, state.to_plain().die) == (s.DIE, 1, 0)


@pytest.mark.rule("save-the-dragon", "change.shield")
def test_s12_pawns_on_the_floor_take_no_room() -> None:
    state = situation(4, shield="b7", action="change")
    assert len(choices(state)) == 26 + 2


@pytest.mark.rule("save-the-dragon", "change.door")
@pytest.mark.parametrize("closed", DOORS)
def test_s14_the_door_goes_to_one_of_the_two_other_openings_in_front_of_a_pawn_too(closed: str) -> None:
    at = {"lion": "a9", "tower": "b9", "star": "c9"}
    state = situation(3, turn="star", at=at, shut=closed, action="change")
    assert {choice for choice in choices(state) if "shut" in choice} == {f"shut {d}" for d in DOORS if d != closed}
    assert refused(state, f"star: shut {closed}") == "change.door"
    for door in DOORS:
        if door != closed:
            after = play(state.clone(), f"star: shut {door}")
            assert (shut(after), shield(after), pawns(after)) == (door, "a1", "a9 b9 c9")
            assert (phase(after), after.to_plain().active) == (s.DIE, 0)


@pytest.mark.rule("save-the-dragon", "option.youngest")
@pytest.mark.parametrize("agreed", ["nobody", "everybody", "1", "2", "3", "1+2", "1+3", "2+3", "1+2+3"])
def test_s28_the_youngest_need_move_neither(agreed: str) -> None:
    for seat, crest in enumerate(CRESTS[:3]):
        state = situation(3, turn=crest, shield="b7", youngest=agreed, action="change")
        if agreed == "everybody" or str(seat + 1) in agreed.split("+"):
            assert len(choices(state)) == 26 + 2 + 1
            play(state, f"{crest}: leave it")
            assert (shield(state), shut(state)) == ("b7", "a")
            assert (phase(state), state.to_plain().active) == (s.DIE, (seat + 1) % 3)
        else:
            assert refused(state, f"{crest}: leave it") == "change.must"


@pytest.mark.rule("save-the-dragon", "option.youngest")
def test_s28_any_of_four_seats_are_the_youngest() -> None:
    for count in (2, 3, 4):
        for seats in itertools.combinations(range(4), count):
            game = interpreted(4, "+".join(str(seat + 1) for seat in seats))
            table = game.new_initial_state().to_plain()
            assert [seat for seat in range(4) if mechanics.may_skip(table, seat)] == [*seats]


@pytest.mark.rule("save-the-dragon", "option.youngest")
def test_s28_who_are_the_youngest_is_written_in_one_way() -> None:
    assert interpreted(3, "3+1").options["youngest"] == "1+3"
    assert repr(interpreted(3, "3+1")) == repr(interpreted(3, "1+3"))
    fields = {each: interpreted(4, each).new_initial_state().to_plain().youngest for each in ("nobody", "everybody")}
    fields |= {str(seat): interpreted(4, str(seat)).new_initial_state().to_plain().youngest for seat in range(1, 5)}
    assert fields == {"nobody": 0, "everybody": 1, "1": 2, "2": 3, "3": 4, "4": 5}  # as in every stored game


@pytest.mark.rule("save-the-dragon", "option.youngest")
@pytest.mark.parametrize(
    ("agreed", "answer"),
    [
        ("1+4", "Invalid value '1\\+4' for option youngest. Seats are 1 to 3"),
        ("0+1", "Invalid value '0\\+1' for option youngest. Seats are 1 to 3"),
        ("2+2", "Invalid value '2\\+2' for option youngest. Name each seat once"),
        ("1+", "Invalid value '1\\+' for option youngest"),
        ("1+lion", "Invalid value '1\\+lion' for option youngest"),
        ("1,2", "Invalid value '1,2' for option youngest.* Valid: nobody, everybody, 1, 2, 3, 1\\+2"),
    ],
)
def test_s28_a_set_of_seats_that_is_none_is_refused(agreed: str, answer: str) -> None:
    with pytest.raises(DracothequeError, match=answer):
        interpreted(3, agreed)
    with pytest.raises(DracothequeError, match=r"Invalid value '1\+2' for option starts"):
        interpreted(3, starts="1+2")


@pytest.mark.rule("save-the-dragon", "option.youngest")
def test_s28_the_youngest_throw_and_walk_like_everybody() -> None:
    assert refused(situation(youngest="everybody", action="rock"), "lion: leave it") == "rock.throw"
    assert refused(situation(youngest="everybody", die=1), "lion: leave it") == "move.stuck"
    state = situation(youngest="everybody", action="change")
    assert refused(state, "lion: stay") == "change.must"
    assert refused(state, "tower: leave it") == "turn.order"


# --- The rock falls ---------------------------------------------------------------------------------------------
@pytest.mark.rule("save-the-dragon", "rock.throw")
@pytest.mark.parametrize("closed", DOORS)
def test_s16_the_player_chooses_one_of_the_two_open_doors(closed: str) -> None:
    state = situation(turn="tower", at={"lion": "b4"}, shut=closed, action="rock")
    assert choices(state) == {f"throw {door}" for door in DOORS if door != closed}
    assert refused(state, f"tower: throw {closed}") == "rock.throw"
    for other in ("shield b7", "shut b", "stay", "leave it", "door b", "a1"):
        assert refused(state, f"tower: {other}") == "rock.throw"
    for door in DOORS:
        if door != closed:
            table = play(state.clone(), f"tower: throw {door}").to_plain()
            assert (table.phase, table.step, table.above, table.lane) == (s.LANE, 4, *[DOORS.index(door)] * 2)
            assert (table.down, table.course, table.hit, table.to_move) == (6, s.THROWN, s.SEATS, CHANCE)


def thrown(door: str = "b", closed: str = "", rock: str = "", **more: str) -> State:
    """Throw the rock at pawns (`lion="b4"`), and let it come past so many stops, in these lanes; all pawns stand."""
    where_shield = more.pop("shield", "a1")
    closed = closed or ("a" if door != "a" else "c")
    state = situation(4, at=more, shield=where_shield, shut=closed, action="rock")
    play(state, f"lion: throw {door}")
    for lane in rock:
        while phase(state) == s.FATE:
            play(state, "chance: fate stands")
        play(state, f"chance: rock {'gone' if lane == '-' else lane}")
    return state


LANE_NAMES = ["rock a", "rock b", "rock c", "rock gone"]


def travel(course: int, down: int, lane: str, wall: str = "") -> dict[str, Any]:
    """Return how likely every lane is for a rock that comes so many steps down, past a shield in the lane of `wall`."""
    way = 9 + (course - 1) * 4 + min(down, 4) - 1 if course else down - 1
    return weighed(LANE_NAMES, TRAVEL[way][DOORS.index(lane)][DOORS.index(wall) if wall else 3])


def beside(lane: str) -> str:
    """Name a lane next to another."""
    return "b" if lane != "b" else "a"


def test_the_table_of_paths_has_a_row_for_every_course_and_number_of_steps() -> None:
    assert (len(TRAVEL), s.COURSES) == (9 + 17 * 4, 18)
    assert len({TRAVEL[way][1][3] for way in range(9)}) == 9
    assert (s.THROWN, s.LONG_AGO, s.FROM_LOWER, s.FROM_HIGHER, s.WAYS, s.FURTHER) == (0, 1, 2, 4, 6, 4)


@pytest.mark.rule("save-the-dragon", "rock.fall")
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("step", range(2, 10))
def test_s17_from_the_door_the_rock_comes_down_by_the_table_of_its_lane_and_of_how_far(step: int, door: str) -> None:
    for lane in DOORS:
        state = thrown(door, lion=f"{lane}{step}")
        assert (state.to_plain().step, state.to_plain().down) == (step, 10 - step)
        assert chances(state) == travel(s.THROWN, 10 - step, door)


@pytest.mark.rule("save-the-dragon", "rock.fall", "rock.shield")
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("step", range(1, 10))
@pytest.mark.parametrize("wall", DOORS)
def test_s17_from_the_door_the_shield_on_the_step_counts_in_any_lane(wall: str, step: int, door: str) -> None:
    below = [f"b{step - 1}"] if step > 1 else []
    for lion in [f"{beside(wall)}{step}", *below]:
        state = thrown(door, lion=lion, shield=f"{wall}{step}")
        assert (state.to_plain().step, state.to_plain().down) == (step, 10 - step)
        assert chances(state) == travel(s.THROWN, 10 - step, door, wall)


@pytest.mark.rule("save-the-dragon", "rock.fall")
@pytest.mark.parametrize("down", range(1, 9))
@pytest.mark.parametrize(("way", "course"), [("b", 1), ("c", 2), ("a", 4)])
def test_s17_later_four_steps_down_or_more_are_alike(way: str, course: int, down: int) -> None:
    wall, lion = [lane for lane in DOORS if lane != way]
    if wall == "b":
        wall, lion = lion, wall  # the shield is not in the way of a rock from door b
    state = thrown("b", rock=way, lion=f"{lion}9", tower=f"b{9 - down}", shield=f"{wall}9")
    while phase(state) == s.FATE:
        play(state, "chance: fate stands")
    table = state.to_plain()
    assert (phase(state), table.step, table.down, table.course) == (s.LANE, 9 - down, down, course)
    assert chances(state) == travel(course, down, way)


STOPS = (9, 7, 4, 2)
"""Steps with a pawn each: the rock comes one step down to the first, then two, three, and two."""


def past(way: str, struck: bool = False) -> State:
    """Let a rock from door b pass pawns in these lanes, the last one struck if so wished, and come to the next."""
    steps = dict(zip(STOPS, way, strict=False))
    at = {crest: f"{beside(steps.get(step, 'b'))}{step}" for crest, step in zip(CRESTS, STOPS, strict=True)}
    if struck:
        at[CRESTS[len(way) - 1]] = f"{way[-1]}{STOPS[len(way) - 1]}"
    state = thrown("b", rock=way, **at)
    while phase(state) == s.FATE:
        play(state, "chance: fate stands")
    return state


CAME = [
    ("b", 1), ("bb", 1), ("bbb", 1),
    ("c", 2), ("bc", 2), ("ac", 2), ("ab", 2), ("bbc", 2), ("aab", 2), ("abc", 2), ("cab", 2), ("cac", 2),
    ("cc", 3), ("ccc", 3), ("bcc", 3), ("abb", 3), ("acc", 3),
    ("a", 4), ("ba", 4), ("ca", 4), ("cb", 4), ("bba", 4), ("ccb", 4), ("cba", 4), ("acb", 4), ("aca", 4),
    ("aa", 5), ("aaa", 5), ("baa", 5), ("cbb", 5), ("caa", 5),
]  # fmt: skip
"""Paths of a rock from door b, and how it came into its lane: straight, from a lower one, a higher one, long ago."""


@pytest.mark.rule("save-the-dragon", "rock.fall")
@pytest.mark.parametrize(("way", "course"), CAME)
def test_s17_whence_the_rock_came_into_its_lane_matters_and_whether_just_now(way: str, course: int) -> None:
    state, down = past(way), STOPS[len(way) - 1] - STOPS[len(way)]
    table, lane = state.to_plain(), DOORS.index(way[-1])
    assert (table.course, table.lane, table.above) == (course, lane, lane)
    assert (table.step, table.down) == (STOPS[len(way)], down)
    assert chances(state) == travel(course, down, way[-1])


@pytest.mark.rule("save-the-dragon", "rock.pawn", "rock.fall")
@pytest.mark.parametrize(("way", "course"), CAME)
def test_s17_it_matters_that_the_rock_has_just_struck_a_pawn(way: str, course: int) -> None:
    state, down = past(way, struck=True), STOPS[len(way) - 1] - STOPS[len(way)]
    assert state.to_plain().course == 6 + course
    assert chances(state) == travel(6 + course, down, way[-1])


@pytest.mark.rule("save-the-dragon", "rock.shield", "rock.pawn", "rock.fall")
@pytest.mark.parametrize(
    ("wall", "way", "course"),
    [
        ("b6", "b", 12 + 1), ("b6", "c", 12 + 2), ("b6", "a", 12 + 4),  # it came in the shield's lane
        ("a6", "b", 1), ("a6", "a", 4), ("c6", "c", 2), ("c6", "a", 4),  # it came beside the shield
        ("c5", "cc", 12 + 3), ("c5", "cb", 12 + 4), ("c5", "bc", 2), ("c5", "bb", 1),  # the second stop, below a pawn
        ("a5", "aa", 12 + 5), ("a5", "ab", 12 + 2), ("b5", "bb", 12 + 1), ("b5", "aa", 5),
    ],
)  # fmt: skip
def test_s17_it_matters_that_the_rock_has_just_struck_the_shield(wall: str, way: str, course: int) -> None:
    above = {"tower": f"{beside(way[0])}6"} if wall[1] == "5" else {}
    state = thrown("b", rock=way, lion="b1", shield=wall, **above)
    assert (phase(state), state.to_plain().course, state.to_plain().step) == (s.LANE, course, 1)
    assert chances(state) == travel(course, int(wall[1]) - 1, way[-1])


@pytest.mark.rule("save-the-dragon", "rock.shield", "rock.pawn")
@pytest.mark.parametrize(("way", "course"), [("c", 6 + 2), ("b", 12 + 1), ("a", 12 + 4)])
def test_s17_a_pawn_beside_the_shield_is_what_the_rock_struck_last(way: str, course: int) -> None:
    state = play(thrown("b", rock=way, lion="c6", tower="a3", shield="b6"), "chance: fate stands")
    assert (state.to_plain().course, state.to_plain().step) == (course, 3)
    assert chances(state) == travel(course, 3, way)


@pytest.mark.rule("save-the-dragon", "rock.shield", "rock.pawn")
def test_s17_only_what_was_struck_last_matters() -> None:
    state = thrown("b", rock="bb", lion="b7", tower="b2", star="a5")
    assert hit(state) == "star"
    assert play(state, "chance: fate stands").to_plain().course == 1
    state = thrown("b", rock="ba", lion="a4", tower="b2", shield="b6")
    assert play(state, "chance: fate stands").to_plain().course == 6 + 4
    state = thrown("b", rock="bb", lion="c4", tower="b2", shield="b6")
    assert play(state, "chance: fate stands").to_plain().course == 1


@pytest.mark.rule("save-the-dragon", "rock.shield", "rock.fall")
def test_the_shield_turns_the_rock_aside() -> None:
    state = thrown("b", lion="b1", shield="b6")
    assert chances(state) == travel(s.THROWN, 4, "b", "b")
    free = thrown("b", lion="b6")
    assert chances(free) == travel(s.THROWN, 4, "b")
    assert chances(state)["rock b"] < chances(free)["rock b"] / 2
    later = play(thrown("b", rock="b", lion="a7", tower="c3", shield="b5"), "chance: fate stands")
    assert chances(later) == travel(1, 2, "b", "b")


def looked_at(state: State, way: str = "b") -> list[int]:
    """Let the fall go on, all pawns standing; list the steps where the rock's lane is asked for."""
    steps, lanes = list[int](), itertools.chain(way, itertools.repeat(way[-1]))
    while phase(state) != s.DIE:
        if phase(state) == s.LANE:
            steps.append(state.to_plain().step)
            lane = next(lanes)
            play(state, f"chance: rock {'gone' if lane == '-' else lane}")
        else:
            play(state, "chance: fate stands")
    return steps


@pytest.mark.rule("save-the-dragon", "rock.fall", "rock.shield")
@pytest.mark.parametrize(
    ("at", "wall", "steps"),
    [
        ("b9", "a1", [9]), ("b1", "a1", [1]), ("a9 b7 c3 b2", "a1", [9, 7, 3, 2]), ("a5 b5 c5", "a1", [5]),
        ("b2", "a6", [6, 2]), ("b2", "b9", [9, 2]), ("b2", "b3", [3, 2]),  # pawns below the shield
        ("b6", "a6", [6]), ("b1", "c1", [1]), ("b9", "a9", [9]),  # a pawn on its step
        ("b6", "a5", [6]), ("b6", "b5", [6]), ("b9 a3", "b2", [9, 3]),  # nobody as low as the shield
        ("b8 c4", "a6", [8, 6, 4]), ("b8 c6", "a6", [8, 6]), ("b8 c6 a2", "b5", [8, 6, 5, 2]),
    ],
)  # fmt: skip
def test_the_rock_is_looked_at_where_pawns_stand_and_at_the_shield_above_any(
    at: str, wall: str, steps: list[int]
) -> None:
    places = dict(zip(CRESTS, at.split(), strict=False))
    assert looked_at(thrown("b", shield=wall, **places)) == steps
    assert looked_at(thrown("b", shield=wall, **places), "-") == steps[:1], "a rock that is gone is looked for no more"
    assert looked_at(thrown("b", shield=wall, **places), "b-") == steps[:2]


@pytest.mark.rule("save-the-dragon", "rock.fall")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_on_empty_stairs_the_turn_is_over_at_once_and_nothing_of_a_fall_is_set(players: int) -> None:
    state = situation(players, turn="tower", shield="b5", action="rock")
    before = state.to_plain()
    table = play(state, "tower: throw b").to_plain()
    assert (table.phase, table.active, table.die) == (s.DIE, 2 % players, 0)
    for name in ("unseen", "step", "down", "above", "lane", "course", "depth"):
        assert getattr(table, name) == 0, name
    assert (table.hit, table.fate, table.place) == (s.SEATS, [s.STANDS] * 4, before.place)


@pytest.mark.rule("save-the-dragon", "rock.fall")
def test_the_fall_ends_when_nobody_stands_further_down() -> None:
    state = thrown("b", rock="b", lion="a6")
    assert (phase(state), hit(state)) == (s.FATE, "lion")
    play(state, "chance: fate stands")
    assert (phase(state), state.to_plain().active) == (s.DIE, 1)
    lowest = thrown("b", rock="bb", lion="a1", shield="a5")
    assert (phase(lowest), lowest.to_plain().step) == (s.FATE, 1)


@pytest.mark.rule("save-the-dragon", "rock.fall", "rock.gone", "turn.order")
def test_after_the_fall_no_trace_of_it_is_left() -> None:
    state = situation(4, at={"lion": "b4", "tower": "c4", "star": "a8"}, shield="b6", die=2, action="rock")
    fall(state, "c", "ccba", lion="b2", star="floor", tower="c4")
    table = state.to_plain()
    assert (table.step, table.down, table.above, table.lane, table.course, table.depth) == (0, 0, 0, 0, s.THROWN, 0)
    assert (table.hit, table.unseen) == (s.SEATS, 0)
    assert (table.fate, table.die, table.active, table.phase) == ([s.STANDS] * 4, 0, 1, s.DIE)
    assert pawns(state) == "b2 c4 floor floor"


@pytest.mark.rule("save-the-dragon", "rock.gone")
def test_s26_after_a_rock_is_gone_only_the_fates_of_the_pawns_are_seen() -> None:
    state = thrown("b", rock="-", lion="b5", tower="c2", star="b7")
    assert (phase(state), hit(state), state.to_plain().step) == (s.FATE, "star", 7)
    assert (state.to_plain().above, state.to_plain().lane) == (1, s.GONE)
    assert chances(state) == fates_of(7, relation(0, 0, 3))
    play(state, "chance: fate stands")
    assert (phase(state), hit(state), state.to_plain().step) == (s.FATE, "lion", 5)
    assert chances(state) == fates_of(5, relation(2, 3, 3))
    play(state, "chance: fate stands")
    assert (phase(state), hit(state), state.to_plain().step) == (s.FATE, "tower", 2)
    assert chances(state) == fates_of(2, relation(2, 3, 3))
    play(state, "chance: fate stands")
    assert phase(state) == s.DIE


@pytest.mark.rule("save-the-dragon", "rock.gone")
@pytest.mark.parametrize(
    ("wall", "came", "sheltered"), [("a1", 2, False), ("a6", 1, False), ("a7", 2, False), ("b6", 1, True)]
)
def test_s26_a_rock_that_is_gone_would_have_come_from_the_shields_step(wall: str, came: int, sheltered: bool) -> None:
    state = play(thrown("b", rock="-", lion="c8", tower="b5", shield=wall), "chance: fate stands")
    assert (phase(state), hit(state)) == (s.FATE, "tower")
    assert chances(state) == fates_of(5, relation(came, 3, 3, sheltered))


@pytest.mark.rule("save-the-dragon", "rock.gone")
def test_s26_the_rock_is_never_an_obstacle() -> None:
    state = fall(situation(at={"lion": "a3", "tower": "b4"}, action="rock"), "b", "bbbbb-")
    assert choices(play(state, "chance: die 1")) == words("a4, c4, b5")


# --- The rock and the pawns -------------------------------------------------------------------------------------
def relation(came: int, above: int, own: int, sheltered: bool = False, below_pawn: bool = False) -> int:
    """Number how a pawn stands to the rock, which came from the door (0), one step above (1) or further up (2)."""
    return came * 64 + above * 16 + own * 4 + sheltered * 2 + below_pawn


def fates_of(step: int, number: int) -> dict[str, Any]:
    """Return how likely every fate of a pawn on a step is: what would be below the stairs is the floor."""
    weights = FELL[number]
    names = ["fate stands", *(f"fate {down}" for down in range(step)), "fate floor"]
    return weighed(names, (*weights[: 1 + step], sum(weights[1 + step :])))


@pytest.mark.rule("save-the-dragon", "rock.pawn")
@pytest.mark.parametrize("step", range(1, 10))
def test_s29_pawns_stand_or_fall_never_up(step: int) -> None:
    state = thrown("b", rock="b", lion=f"b{step}")
    assert chances(state) == fates_of(step, relation(0, 0, 0))
    assert impossible(state, "chance: side a")
    for down in range(step, 9):
        assert impossible(state, f"chance: fate {down}")


def off(lane: str, rock: str) -> int:
    """Count the lanes between a pawn and the rock; 3 where that is gone."""
    return 3 if rock == "-" else abs(DOORS.index(rock) - DOORS.index(lane))


def test_there_is_a_row_for_every_relation() -> None:
    assert len(FELL) == s.RELATIONS == relation(2, 3, 3, True, True) + 1


@pytest.mark.rule("save-the-dragon", "rock.pawn")
@pytest.mark.parametrize("lane", DOORS)
@pytest.mark.parametrize("rock", [*DOORS, "-"])
@pytest.mark.parametrize("above", DOORS)
def test_how_near_the_rock_comes_by_decides(above: str, rock: str, lane: str) -> None:
    """Whether it comes from the door, from the step above, or from further up."""
    near = off(lane, above), off(lane, rock)
    assert chances(thrown(above, rock=rock, lion=f"{lane}5")) == fates_of(5, relation(0, *near))
    for tower, came in ((6, 1), (7, 2), (8, 2), (9, 2)):
        state = thrown("b", rock=above + rock, lion=f"{lane}5", tower=f"{beside(lane)}{tower}")
        assert chances(state) == fates_of(5, relation(came, *near))


@pytest.mark.rule("save-the-dragon", "rock.pawn", "rock.gone")
@pytest.mark.parametrize("lane", DOORS)
@pytest.mark.parametrize(("tower", "came"), [(6, 1), (7, 2), (9, 2)])
def test_how_far_up_a_rock_was_gone_decides(tower: int, came: int, lane: str) -> None:
    state = play(thrown("b", rock="-", lion=f"{lane}5", tower=f"{beside(lane)}{tower}"), "chance: fate stands")
    assert chances(state) == fates_of(5, relation(came, 3, 3))


@pytest.mark.rule("save-the-dragon", "rock.shield")
@pytest.mark.parametrize(
    ("wall", "came", "sheltered"),
    [
        ("b6", 1, True), ("b7", 2, True), ("b8", 2, False), ("b4", 0, False),
        ("a6", 1, False), ("c6", 1, False), ("a7", 2, False), ("c7", 2, False), ("a5", 0, False),
    ],
)  # fmt: skip
def test_the_shield_shelters_who_stands_one_or_two_steps_behind_it(wall: str, came: int, sheltered: bool) -> None:
    state = thrown("a", rock="aa" if came else "a", lion="b5", shield=wall)
    assert chances(state) == fates_of(5, relation(came, 1, 1, sheltered))


@pytest.mark.rule("save-the-dragon", "rock.shield")
def test_s22_the_shield_stays_in_its_notch_whatever_hits_it() -> None:
    state = fall(situation(at={"lion": "b8", "tower": "b4"}, shield="b6", action="rock"), "b", lion="b6", tower="floor")
    assert (shield(state), pawns(state)) == ("b6", "a6 floor")


@pytest.mark.rule("save-the-dragon", "rock.pawn")
@pytest.mark.parametrize(
    ("tower", "came", "below"),
    [("b6", 1, True), ("a6", 1, False), ("c6", 1, False), ("b7", 2, False), ("b4", 0, False), ("floor", 0, False)],
)
def test_it_matters_whether_a_pawn_stands_directly_above(tower: str, came: int, below: bool) -> None:
    state = thrown("a", lion="b5", tower=tower)
    while hit_or_none(state) != "lion":
        play(state, "chance: fate stands" if phase(state) == s.FATE else "chance: rock a")
    assert chances(state) == fates_of(5, relation(came, 1, 1, False, below))


def hit_or_none(state: State) -> str | None:
    """Name the pawn whose fate is being seen, if any."""
    return hit(state) if phase(state) == s.FATE else None


@pytest.mark.rule("save-the-dragon", "rock.pawn")
@pytest.mark.parametrize("lane", DOORS)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("rock", [*DOORS, "-"])
def test_on_the_top_step_nobody_stands_above(rock: str, door: str, lane: str) -> None:
    state = thrown(door, rock=rock, lion=f"{lane}9")
    assert pawns(state) == f"{lane}9 floor floor floor"
    assert chances(state) == fates_of(9, relation(0, off(lane, door), off(lane, rock)))


@pytest.mark.rule("save-the-dragon", "rock.pawn")
def test_a_pawn_that_has_just_fallen_still_counts_where_it_stood() -> None:
    state = play(thrown("b", rock="b", lion="b7", tower="b6"), "chance: fate floor")
    assert (where(state, "lion"), phase(state)) == ("b7", s.LANE)
    assert chances(state) == travel(6 + 1, 1, "b")
    play(state, "chance: rock b")
    assert chances(state) == fates_of(6, relation(1, 0, 0, False, True))


@pytest.mark.rule("save-the-dragon", "rock.pawn")
@pytest.mark.parametrize("lanes", ["abc", "ab", "ac", "bc"])
@pytest.mark.parametrize("order", list(itertools.permutations(CRESTS)))
def test_the_pawns_of_a_step_meet_their_fate_from_left_to_right(order: tuple[str, ...], lanes: str) -> None:
    on_step = order[: len(lanes)]
    last = next(crest for crest in CRESTS if crest not in on_step)
    at = {crest: f"{lane}6" for crest, lane in zip(on_step, lanes, strict=True)}
    state = thrown("b", rock="b", **at, **{last: "b3"})
    seen = list[str]()
    while phase(state) != s.DIE:
        if phase(state) == s.FATE:
            seen.append(hit(state))
            play(state, "chance: fate stands")
        else:
            play(state, "chance: rock b")
    assert seen == [*on_step, last]


@pytest.mark.rule("save-the-dragon", "rock.pawn")
@pytest.mark.parametrize("lane", range(3))
@pytest.mark.parametrize("down", range(5))
def test_a_pawn_scatters_by_the_table_of_its_lane_and_of_how_far_it_fell(lane: int, down: int) -> None:
    state = play(thrown("b", rock="b", lion=f"{DOORS[lane]}5"), f"chance: fate {down}")
    assert (phase(state), hit(state), state.to_plain().depth) == (s.SIDE, "lion", down)
    assert chances(state) == weighed(["side a", "side b", "side c"], SHIFT[min(down, 2)][lane])
    assert impossible(state, "chance: fate 1")
    for side in DOORS:
        after = play(state.clone(), f"chance: side {side}")
        expected = "b1" if (side, down) == ("a", 4) else f"{side}{5 - down}"  # the shield stands on a1
        assert (where(after, "lion"), after.to_plain().depth) == (expected, 0)


@pytest.mark.rule("save-the-dragon", "rock.pawn", "token.earn")
def test_s18_ones_own_pawn_is_hit_like_any_other() -> None:
    state = fall(situation(at={"lion": "b5", "tower": "a5"}, action="rock"), "b", lion="floor")
    assert (pawns(state), tokens(state, "lion"), tokens(state, "tower")) == ("floor a5", 1, 0)


@pytest.mark.rule("save-the-dragon", "rock.pawn")
def test_s29_the_rock_moves_nobody_up_and_lets_nobody_win() -> None:
    state = thrown("b", rock="b", lion="b9")
    for outcome, _ in state.chance_outcomes():
        after = state.child(outcome)
        assert not after.is_terminal()
        assert impossible(after, "chance: rock a") or phase(after) == s.LANE


# --- Tokens for who falls ---------------------------------------------------------------------------------------
@pytest.mark.rule("save-the-dragon", "token.earn")
def test_s19_who_is_knocked_down_to_the_floor_gets_a_token_who_stood_there_does_not() -> None:
    state = situation(4, at={"lion": "b5", "tower": "b3"}, action="rock")
    fall(state, "b", lion="floor", tower="b1")
    assert pawns(state) == "floor b1 floor floor"
    assert [tokens(state, crest) for crest in CRESTS] == [1, 0, 0, 0]


@pytest.mark.rule("save-the-dragon", "token.three", "token.earn")
@pytest.mark.parametrize(("held", "then"), [(0, 1), (1, 2), (2, 3), (3, 3)])
def test_s20_three_tokens_at_most(held: int, then: int) -> None:
    state = situation(at={"lion": "b5"}, tokens={"lion": held, "tower": 3}, action="rock")
    fall(state, "b", lion="floor")
    assert (tokens(state, "lion"), tokens(state, "tower")) == (then, 3)


@pytest.mark.rule("save-the-dragon", "token.earn", "right.below")
def test_s21_who_finds_no_room_on_the_stairs_gets_a_token_too() -> None:
    state = situation(3, at={"lion": "b1", "tower": "c1", "star": "b3"}, tokens={"star": 1}, action="rock")
    fall(state, "b", star="b1")
    assert (pawns(state), tokens(state, "star")) == ("b1 c1 floor", 2)


# --- Righting ---------------------------------------------------------------------------------------------------
def righted(rests: dict[str, str], shield: str = "a1", **at: str) -> str:
    """Let a rock fall that leaves pawns lying there; say where all stand then."""
    state = situation(4, at=at, shield=shield, shut="a", action="rock")
    return pawns(fall(state, "b", **rests))


@pytest.mark.rule("save-the-dragon", "right.own")
def test_s33_who_lies_where_it_stood_keeps_its_spot() -> None:
    assert righted({"lion": "b7", "tower": "b7"}, lion="b8", tower="b7") == "a7 b7 floor floor"
    assert righted({"lion": "b7", "tower": "b7"}, lion="b7", tower="b8") == "b7 a7 floor floor"
    assert righted({"tower": "b7"}, lion="b7", tower="b8") == "b7 a7 floor floor"


@pytest.mark.rule("save-the-dragon", "right.own")
def test_s21_a_pawn_stands_up_on_the_spot_where_it_lies_if_it_is_free() -> None:
    assert righted({"lion": "c4"}, lion="b8") == "c4 floor floor floor"
    assert righted({"lion": "c8"}, lion="b8") == "c8 floor floor floor"
    assert righted({"lion": "b5", "tower": "floor"}, lion="b8", tower="b5") == "b5 floor floor floor"
    assert righted({"lion": "b5", "tower": "b4"}, lion="b8", tower="b5") == "b5 b4 floor floor"
    assert righted({"lion": "b5", "tower": "c5"}, lion="c5", tower="b5") == "b5 c5 floor floor"


@pytest.mark.rule("save-the-dragon", "right.step")
@pytest.mark.parametrize(
    ("lies", "taken", "stands"),
    [
        ("a4", "", "a4"), ("b4", "", "b4"), ("c4", "", "c4"),
        ("a4", "a4", "b4"), ("b4", "b4", "a4"), ("c4", "c4", "b4"),
        ("a4", "a4 b4", "c4"), ("b4", "b4 a4", "c4"), ("c4", "c4 b4", "a4"), ("b4", "b4 c4", "a4"),
        ("a4", "a4 b4 c4", "a3"), ("b4", "a4 b4 c4", "b3"), ("c4", "a4 b4 c4", "c3"),
    ],
)  # fmt: skip
def test_s21_s33_else_the_nearest_free_spot_of_the_step_the_left_one_first(lies: str, taken: str, stands: str) -> None:
    spots = taken.split()
    at = dict(zip(("tower", "star", "oak"), spots, strict=False))
    assert righted({"lion": lies}, lion="b8", **at).split()[0] == stands
    for wall in spots:  # the shield takes room as a pawn does
        others = [spot for spot in spots if spot != wall]
        at = dict(zip(("tower", "star"), others, strict=False))
        assert righted({"lion": lies}, wall, lion="b8", **at).split()[0] == stands


@pytest.mark.rule("save-the-dragon", "right.own", "right.step")
@pytest.mark.parametrize("lane", range(3))
@pytest.mark.parametrize("taken", [set[int](), {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}])
def test_s21_the_nearest_free_lane_whichever_are_taken(taken: set[int], lane: int) -> None:
    free = [other for other in range(3) if other not in taken]
    nearest = min(free, key=lambda other: (abs(other - lane), other))
    assert mechanics.nearest(sum(1 << other for other in taken), lane) == nearest
    at = dict(zip(("tower", "star"), (f"{DOORS[other]}4" for other in sorted(taken)), strict=False))
    assert righted({"lion": f"{DOORS[lane]}4"}, lion="b8", **at).split()[0] == f"{DOORS[nearest]}4"


@pytest.mark.rule("save-the-dragon", "right.below")
def test_s21_s33_else_the_step_below_beginning_with_the_same_lane() -> None:
    full = {"tower": "a5", "star": "b5", "oak": "c5"}
    assert righted({"lion": "c5"}, "c4", lion="b8", **full) == "b4 a5 b5 c5"
    assert righted({"lion": "a5"}, "a4", lion="b8", **full) == "b4 a5 b5 c5"
    assert righted({"lion": "b5"}, "b4", lion="b8", **full) == "a4 a5 b5 c5"


@pytest.mark.rule("save-the-dragon", "right.below")
@pytest.mark.parametrize("lies", ["a1", "b1", "c1"])
def test_s21_below_the_lowest_step_is_the_floor(lies: str) -> None:
    assert righted({"oak": lies}, "b1", lion="a1", tower="c1", oak="b9") == "a1 c1 floor floor"


@pytest.mark.rule("save-the-dragon", "right.order")
def test_s33_the_higher_one_lies_the_earlier_one_is_righted() -> None:
    state = situation(4, at={"lion": "b8", "tower": "c4", "star": "b4", "oak": "b9"}, shield="a4", action="rock")
    fall(state, "b", lion="b3", oak="b4")
    assert pawns(state) == "a3 c4 b4 b3"  # the oak, from the full step above, took the spot where the lion lay


@pytest.mark.rule("save-the-dragon", "right.order")
@pytest.mark.parametrize("stood", list(itertools.permutations(["b9", "a7", "c6", "b4"])))
def test_s30_s33_all_four_on_one_spot_the_lower_seat_first_wherever_they_stood(stood: tuple[str, ...]) -> None:
    at = dict(zip(CRESTS, stood, strict=True))
    assert righted(dict.fromkeys(CRESTS, "b2"), **at) == "b2 a2 c2 b1"
    assert righted(dict.fromkeys(CRESTS, "b2"), "a2", **at) == "b2 c2 b1 a1"
    assert righted(dict.fromkeys(CRESTS, "c2"), "b2", **at) == "c2 a2 c1 b1"
    assert righted(dict.fromkeys(CRESTS, "a1"), "a1", **at) == "b1 c1 floor floor"


@pytest.mark.rule("save-the-dragon", "right.order")
@pytest.mark.parametrize("lies", list(itertools.permutations(["b4", "b3", "b3", "c3"])))
def test_s33_on_crowded_steps_in_every_order(lies: tuple[str, ...]) -> None:
    at = dict(zip(CRESTS, ("b9", "b8", "b7", "b6"), strict=True))
    taken, expected = set[str](), dict[str, str]()
    for crest in sorted(CRESTS, key=lambda crest: -int(lies[CRESTS.index(crest)][1])):
        lay = lies[CRESTS.index(crest)]
        order = {"b4": "b4 a4", "b3": "b3 a3 c3 b2", "c3": "c3 b3 a3 c2"}[lay].split()
        expected[crest] = next(spot for spot in order if spot not in taken)
        taken.add(expected[crest])
    assert righted(dict(zip(CRESTS, lies, strict=True)), **at) == " ".join(expected[crest] for crest in CRESTS)


@pytest.mark.rule("save-the-dragon", "right.order", "token.earn")
def test_s33_who_fell_to_the_floor_takes_no_room_and_one_that_lies_takes_none_yet() -> None:
    state = situation(3, at={"lion": "b5", "tower": "b6", "star": "b7"}, action="rock")
    fall(state, "b", lion="floor", tower="b5", star="b6")
    assert pawns(state) == "floor b5 b6"
    assert [tokens(state, crest) for crest in CRESTS[:3]] == [1, 0, 0]


# --- A whole turn -----------------------------------------------------------------------------------------------
@pytest.mark.rule("save-the-dragon", "turn.order", "rock.throw", "token.earn", "token.spend")
def test_a_few_turns_from_the_start() -> None:
    state = interpreted(2).new_initial_state()
    play(state, "chance: shut c", "chance: shield b2", "chance: first tower")
    play(state, "chance: die 2", "tower: a2", "chance: action change", "tower: shut a")
    play(state, "chance: die 1", "lion: a1", "chance: action rock")
    fall(state, "b", "baa", tower="floor")
    assert (pawns(state), tokens(state, "tower"), state.to_plain().active) == ("a1 floor", 1, 1)
    play(state, "chance: die 3", "tower: c4 +1")
    assert (pawns(state), tokens(state, "tower"), state.to_plain().active) == ("a1 c4", 0, 0)


@pytest.mark.rule("save-the-dragon", "score.winner")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_s29_never_two_win(players: int) -> None:
    at: dict[str, str] = dict(zip(CRESTS[:players], ("a9", "b9", "c9", "a8"), strict=False))
    for crest, place in at.items():
        state = situation(players, turn=crest, at=at, shut="c" if place[0] != "c" else "a", die=2)
        play(state, f"{crest}: door {place[0]}")
        assert state.winners() == [CRESTS.index(crest)]
        assert sum(state.scores()) == 1


def test_a_position_put_together_is_one_of_the_game() -> None:
    state = situation(at={"lion": "b4"})
    table = state.to_plain()
    assert put(state, table).record() == table.bytes()


@pytest.mark.parametrize(
    ("asked_for", "expected"),
    [({"die": 2}, s.MUST_WALK), ({"action": "change"}, s.MUST_CHANGE), ({"action": "rock"}, s.NO_THROW)],
)
@pytest.mark.parametrize("number", [-1, s.ACTIONS, s.ACTIONS + 1])
def test_a_number_that_is_no_choice_is_refused(asked_for: dict[str, Any], expected: int, number: int) -> None:
    state = situation(at={"lion": "c8"}, shut="a", **asked_for)
    before = state.record()
    assert state._step(state._handle, 0, number) == REFUSED + expected
    assert state.record() == before

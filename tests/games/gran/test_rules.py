"""Every rule of Gran, and every ruling G-01 to G-52 where the printed rules are silent.

Most tests play on the map Field of situation.py; whoever reads them wants to look at its drawing.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from dracotheque import CHANCE, TERMINAL, DracothequeError, State
from dracotheque.games.gran.rules import state as s
from tests.games.gran.position_builder import (
    CRESTS,
    LADDER,
    LAIRS,
    QUARRY,
    amulets,
    asked,
    bits,
    choices,
    collared,
    duel,
    impossible,
    interpreted,
    name_of,
    play,
    put,
    refused,
    ring,
    seals,
    situation,
    stones,
    waiting,
    where,
)

TIRAD, URGAD = "b1 c1 d1 a2 c2 a3 c3 d3 a4", "e1 f1 g1 f2 h2 e3 f3 h3 h4"
GALAD, ELGAD = "e5 g5 h5 f6 h6 e7 f7 g7 h7", "a5 c5 d5 a6 c6 b7 c7 d7"
EXILE = "b4 c4 d4 e4 f4 g4"
AWAY = {"tower": "c5", "star": "h2"}
"""Where the others stand when they do not matter."""
CORNER = "g7 h6"
"""Stones that wall h7 in."""


def points(*names: str) -> set[str]:
    """Read names of points; a name with a minus is left out."""
    listed = " ".join(names).split()
    return {name for name in listed if not name.startswith("-") and f"-{name}" not in listed}


def phase(state: State) -> int:
    """Return what is being decided."""
    return state.to_plain().phase


def situation_with(more: dict[str, Any], **usual: Any) -> State:
    """Lay out a position that is as usual but for what is said otherwise."""
    return situation(**(usual | more))


# --- Set-up -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "setup.map")
def test_the_map_lies_on_the_table_with_its_kinds_and_kingdoms() -> None:
    table = interpreted(3).new_initial_state().to_plain()
    number = table.board.number
    kinds = [table.kind[number[name]] for name in ("a3", "d4", "d1", "a1", "b2", "d2", "e2")]
    assert kinds == [s.BLACK, s.WHITE, s.CRYSTAL, s.CITY, s.DRAGON, s.MAGIC, s.SWORD]
    assert [table.kingdom[number[name]] for name in ("a1", "h1", "h7", "a7", "d4")] == [0, 1, 2, 3, s.KINGDOMS]


@pytest.mark.rule("gran", "setup.knights", "amulet.three")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_knight_begins_on_the_blue_crystal_with_three_amulets(players: int) -> None:
    state = interpreted(players).new_initial_state()
    for crest in CRESTS[:players]:
        assert (where(state, crest), amulets(state, crest), seals(state, crest)) == ("e7", 3, "")
    assert waiting(state) == " ".join(CRESTS[:players])
    assert collared(state) == ""
    table = state.to_plain()
    assert table.place[players:] == [s.NOWHERE] * (6 - players)
    assert table.amulets[players:] == [0] * (6 - players)
    assert (table.flies, table.victim, table.lifted, table.origin) == (0, s.NOBODY, s.NOWHERE, s.NOWHERE)


@pytest.mark.rule("gran", "setup.ring")
def test_the_ring_begins_on_the_other_crystal() -> None:
    assert ring(interpreted(3).new_initial_state()) == "d1"
    assert ring(interpreted(3, LADDER).new_initial_state()) == "g1"


@pytest.mark.rule("gran", "setup.stones")
def test_sixteen_stones_lie_ready_and_none_on_the_map() -> None:
    state = interpreted(6).new_initial_state()
    assert (stones(state), state.to_plain().reserve) == ("", 16)


@pytest.mark.rule("gran", "setup.cards", "dragon.deck")
def test_24_dragon_cards_lie_face_down() -> None:
    state = play(situation(at=AWAY | {"lion": "c2"}), "lion: b2")
    assert state.chance_outcomes() == [
        (s.CARD + face, pytest.approx(count / 24)) for face, count in enumerate((2, 4, 6, 6, 4, 2))
    ]
    assert s.STRENGTHS == (0, 2, 3, 4, 5, 6)


@pytest.mark.rule("gran", "setup.cards")
def test_everything_lies_open() -> None:
    state = play(situation(at=AWAY | {"lion": "c2"}, stones="h6"), "lion: b2", "chance: card 3")
    for viewer in (-1, 0, 1, 2):
        assert state.observation(viewer).bytes() == state.record()


@pytest.mark.rule("gran", "setup.first-player")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_g02_lots_are_drawn_for_the_first_player(players: int) -> None:
    state = interpreted(players).new_initial_state()
    assert (state.current_player(), phase(state)) == (CHANCE, s.LOTS)
    assert state.chance_outcomes() == [(seat, pytest.approx(1 / players)) for seat in range(players)]
    for seat, crest in enumerate(CRESTS[:players]):
        assert asked(state.child(seat)) == crest
        assert state.legal_actions(seat) == []
    if players < 6:
        assert impossible(state, f"chance: first {CRESTS[players]}")
    assert impossible(state, "chance: card 0")
    assert impossible(state, "chance: die 1")


@pytest.mark.rule("gran", "setup.first-player")
@pytest.mark.parametrize(("players", "seat"), [(players, seat) for players in (3, 6) for seat in range(players)])
def test_g02_the_table_may_name_the_first_player(players: int, seat: int) -> None:
    state = interpreted(players, starts=str(seat + 1)).new_initial_state()
    assert asked(state) == CRESTS[seat]
    assert state.full_history() == []


@pytest.mark.rule("gran", "setup.first-player")
@pytest.mark.parametrize(("players", "named"), [(3, "4"), (5, "6"), (6, "7"), (3, "0"), (3, "youngest")])
def test_nobody_is_named_who_does_not_sit_at_the_table(players: int, named: str) -> None:
    with pytest.raises(DracothequeError, match="starts"):
        interpreted(players, starts=named)


@pytest.mark.rule("gran", "option.seals", "end.seals", "score.count", "score.winner")
@pytest.mark.parametrize(
    ("players", "agreed", "wanted"),
    [(3, "usual", 3), (4, "usual", 3), (5, "usual", 2), (6, "usual", 2)]
    + [(players, *agreed) for players in (3, 6) for agreed in (("two", 2), ("three", 3), ("four", 4))],
)
def test_g40_how_many_seals_win(players: int, agreed: str, wanted: int) -> None:
    for owned in range(wanted):
        others = " ".join(("tirad", "urgad", "elgad")[:owned])
        state = situation(players, at={"lion": "e5"}, ring="lion", seals={"lion": others}, agreed=agreed)
        play(state, "lion: f5")
        assert state.scores() == [owned + 1] + [0] * (players - 1)
        over = owned + 1 == wanted
        assert state.is_terminal() == over
        assert (state.winners(), state.ending()) == (([0], "end.seals") if over else ([], None))


@pytest.mark.rule("gran", "option.board")
def test_another_map_is_played_by_its_own_points_and_lines() -> None:
    state = situation(board=LADDER)
    assert choices(state) == points("w1 v2 x2")
    play(state, "lion: v2")
    assert choices(state) == points("v1 u2 stay")
    play(state, "lion: u2")
    assert asked(state) == "chance"


# --- Turns ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "turn.order")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_g02_turns_go_round_clockwise(players: int) -> None:
    state = situation(players, turn="star")
    order = [CRESTS[(2 + turn) % players] for turn in range(players)]
    for crest, way in zip(order, ["d7 c7", "f7 g7", "e6 e5", "d7 d6", "f7 f6", "e6 stay"], strict=False):
        assert asked(state) == crest
        for other in set(order) - {crest}:
            assert refused(state, f"{other}: d7") == "turn.order"
            assert state.legal_actions(CRESTS.index(other)) == []
        for step in way.split():
            play(state, f"{crest}: {step}")
        while phase(state) == s.STONE:
            play(state, f"{crest}: c1")
    assert asked(state) == "star"


@pytest.mark.rule("gran", "turn.must-move")
def test_whoever_can_move_must() -> None:
    state = situation(at=AWAY | {"lion": "h7"})
    assert choices(state) == points("g7 h6")
    assert refused(state, "lion: stay") == "turn.must-move"
    assert refused(state, "lion: h7") == "move.lines"


@pytest.mark.rule("gran", "turn.must-move", "dragon.duel")
def test_g05_even_where_only_a_duel_is_left() -> None:
    state = situation(at={"lion": "b1", "tower": "a1", "star": "h2"}, stones="c1")
    assert choices(state) == {"b2"}
    assert refused(state, "lion: a1") == "city.peace"
    assert refused(state, "lion: stay") == "turn.must-move"
    assert asked(play(state, "lion: b2")) == "chance"


@pytest.mark.rule("gran", "turn.must-move", "attack.exile")
def test_g05_even_where_only_an_attack_is_left() -> None:
    state = situation(at={"lion": "h7", "tower": "h6", "star": "h2"}, stones="g7")
    assert choices(state) == {"h6"}
    assert phase(play(state, "lion: h6")) == s.EXILE


@pytest.mark.rule("gran", "turn.blocked", "amulet.none")
def test_g05_who_can_neither_walk_nor_fight_waits() -> None:
    at = {"lion": "b1", "tower": "a1", "star": "h2"}
    assert asked(situation(at=at, stones="c1", amulets={"lion": 0})) == "tower"
    assert asked(situation(at=at, amulets={"lion": 0})) == "lion"


@pytest.mark.rule("gran", "turn.blocked", "stone.place")
def test_g18_a_knight_may_be_shut_in() -> None:
    state = situation(at={"lion": "d3", "tower": "h7", "star": "c5"}, stones="g7", ring="a3")
    play(state, "lion: d2", "lion: stay", "lion: h6")
    assert (stones(state), asked(state)) == ("h6 g7", "star")
    assert state.to_plain().blocked == 0  # it counts those in a row


@pytest.mark.rule("gran", "turn.blocked")
def test_g44_when_nobody_can_move_a_stone_beside_every_knight_goes_back() -> None:
    state = situation(at={"lion": "h7", "tower": "a7", "star": "a1"}, stones="b1 a2 a6 b7 h6 g7")
    assert stones(state) == "a2 b7 g7"
    assert state.to_plain().reserve == 13
    assert (asked(state), choices(state)) == ("lion", points("h6"))
    assert state.to_plain().blocked == 0


@pytest.mark.rule("gran", "turn.blocked")
def test_g44_it_takes_a_whole_round() -> None:
    state = situation(4, at={"lion": "h7", "tower": "a7", "star": "a1", "oak": "d3"}, stones="b1 a2 a6 b7 h6 g7")
    for _ in range(3):
        assert (asked(state), stones(state)) == ("oak", "b1 a2 a6 h6 b7 g7")
        assert state.to_plain().blocked == 0
        play(state, f"oak: {'e3' if where(state, 'oak') == 'd3' else 'd3'}", "oak: stay")


@pytest.mark.rule("gran", "turn.blocked")
def test_g44_a_knight_without_a_stone_beside_it_frees_none() -> None:
    at = {"lion": "b1", "tower": "a1", "star": "g6", "oak": "a2"}
    walls = "c1 a3 g5 f6 h6 g7"
    state = situation(4, at=at, stones=walls, amulets=dict.fromkeys(at, 0))
    assert stones(state) == "f6 h6 g7"
    assert (asked(state), choices(state)) == ("lion", points("c1"))


@pytest.mark.rule("gran", "turn.blocked", "dragon.collar")
def test_g44_taking_a_collar_off_is_not_being_blocked() -> None:
    """Star’s collar comes off in the first round: the round in which all are blocked begins after it."""
    at, walls = {"lion": "a7", "tower": "a1", "star": "g6"}, "b1 a2 g5 a6 f6 h6 b7 g7"
    state = situation(at=at, stones=walls, collared="star")
    assert (asked(state), collared(state)) == ("lion", "")
    assert stones(state) == "a2 f6 h6 b7 g7"


@pytest.mark.rule("gran", "turn.blocked")
def test_g44_wherever_on_a_large_map_they_stand() -> None:
    at = {"lion": "a7", "tower": "c7", "star": "g7"}
    state = situation(at=at, stones="a6 b7 d7 h7", amulets=dict.fromkeys(at, 0), board=LAIRS)
    assert (stones(state), state.to_plain().reserve) == ("d7", 15)


# --- The crystal where all begin --------------------------------------------------------------------------------
@pytest.mark.rule("gran", "start.shared")
def test_g01_nobody_stops_there_while_others_wait_whatever_their_seats() -> None:
    assert refused(situation(turn="star", at={"star": "f7"}), "star: e7") == "start.shared"
    passing = play(situation(turn="star", at={"star": "f7"}, ring="star"), "star: e7")
    assert refused(passing, "star: stay") == "start.shared"


@pytest.mark.rule("gran", "start.shared")
def test_g01_knights_that_have_not_set_out_do_not_hinder_each_other() -> None:
    state = situation(3)
    for crest, left in zip(CRESTS, ["tower star", "star", ""], strict=False):
        assert (asked(state), choices(state)) == (crest, points("e6 d7 f7"))
        play(state, f"{crest}: d7")
        assert choices(state) == points("d6 c7 stay")
        assert waiting(state) == left
        play(state, f"{crest}: c7")
        if phase(state) == s.EXILE:
            play(state, f"{crest}: {EXILE.split()[CRESTS.index(crest)]}")
    assert [where(state, crest) for crest in CRESTS[:3]] == ["c4", "d4", "c7"]


@pytest.mark.rule("gran", "start.shared", "attack.exile")
def test_g01_g49_nobody_else_may_stop_or_pass_there_meanwhile() -> None:
    state = situation(at={"lion": "d7", "star": "h2"})
    assert choices(state) == points("d6 c7")
    assert refused(state, "lion: e7") == "start.shared"
    play(state, "lion: d6")
    assert choices(state) == points("d5 c6 e6 stay")
    state = play(situation(at={"lion": "g7", "star": "h2"}), "lion: f7")
    assert choices(state) == points("f6 stay")
    assert refused(state, "lion: e7") == "start.shared"


@pytest.mark.rule("gran", "start.shared", "ring.flight")
def test_g49_a_flyer_may_pass_there_but_not_stop() -> None:
    state = situation(at={"lion": "d7", "star": "h2"}, ring="lion")
    assert choices(state) == points("d6 c7 e7")
    play(state, "lion: e7")
    assert choices(state) == points("e6 f7")
    assert refused(state, "lion: stay") == "start.shared"
    play(state, "lion: f7")
    assert (where(state, "lion"), where(state, "tower"), amulets(state, "lion")) == ("f7", "e7", 3)


@pytest.mark.rule("gran", "start.shared", "crystal.plain")
def test_once_all_have_set_out_it_is_a_point_like_others() -> None:
    state = situation(at=AWAY | {"lion": "d7"})
    play(state, "lion: e7", "lion: stay", "tower: c6", "tower: stay", "star: h3", "star: stay")
    assert where(state, "lion") == "e7"
    assert choices(state) == points("e6 d7 f7")
    at = {"lion": "d7", "tower": "e7", "star": "h2"}
    assert phase(play(situation(at=at), "lion: e7")) == s.EXILE
    assert refused(situation(at=at, amulets={"lion": 0}), "lion: e7") == "amulet.none"


@pytest.mark.rule("gran", "start.shared")
def test_g01_a_knight_alone_on_the_crystal_still_cannot_be_attacked_before_its_first_move() -> None:
    state = situation(at={"lion": "f7", "star": "h2"})
    assert waiting(state) == "tower"
    assert refused(state, "lion: e7") == "start.shared"


@pytest.mark.rule("gran", "start.shared", "turn.blocked")
def test_who_is_shut_in_on_the_crystal_has_not_set_out() -> None:
    state = situation(at={"tower": "e6", "star": "c5"}, stones="d7 f7", amulets={"lion": 0})
    assert (asked(state), waiting(state)) == ("tower", "lion")


# --- Moving -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "move.lines")
def test_a_move_leads_over_one_or_two_points_round_a_corner_too() -> None:
    state = situation(at=AWAY | {"lion": "c3"})
    assert choices(state) == points("c2 b3 d3 c4")
    for name in ("c5", "d4", "c1", "h7", "c3"):
        assert refused(state, f"lion: {name}") == "move.lines"
    play(state, "lion: c4")
    assert choices(state) == points("b4 d4 c5 stay")
    for name in ("d3", "c4", "d5", "e4"):
        assert refused(state, f"lion: {name}") == "move.lines"
    one = play(state.clone(), "lion: stay")
    two = play(state.clone(), "lion: d4")
    assert [(where(after, "lion"), asked(after)) for after in (one, two)] == [("c4", "tower"), ("d4", "tower")]


@pytest.mark.rule("gran", "move.no-return")
def test_g03_nobody_goes_back_to_where_the_move_began() -> None:
    state = play(situation(at=AWAY | {"lion": "c3"}), "lion: c4")
    assert refused(state, "lion: c3") == "move.no-return"
    flown = play(situation(at=AWAY | {"lion": "c3"}, ring="lion"), "lion: c4")
    assert refused(flown, "lion: c3") == "move.no-return"


@pytest.mark.rule("gran", "move.lines", "ring.flight", "stone.block")
def test_g45_a_step_over_a_point_needs_a_point_behind_it() -> None:
    """From h7 over the stone on g7 one comes to f7 or g6; with neither there is nowhere to go."""
    at = AWAY | {"lion": "h7"}
    state = situation(at=at, ring="lion", stones="g7")
    assert choices(state) == points("h6 g7")
    play(state, "lion: g7")
    assert choices(state) == points("g6 f7")
    assert refused(state, "lion: stay") == "stone.block"
    state = situation(at=at, ring="lion", stones="g7 f7")
    assert choices(play(state, "lion: g7")) == points("g6")
    state = situation(at=at, ring="lion", stones="g7 f7", amulets={"lion": 0})
    assert choices(state) == points("h6")
    assert refused(state, "lion: g7") == "stone.block"


@pytest.mark.rule("gran", "move.lines")
def test_where_nothing_lies_behind_the_first_point_the_move_ends_there() -> None:
    state = situation(at=AWAY | {"lion": "g7"}, stones="h6")
    play(state, "lion: h7")
    assert (where(state, "lion"), asked(state)) == ("h7", "tower")


@pytest.mark.rule("gran", "move.free", "dragon.duel")
def test_g07_a_walker_does_not_pass_a_dragon() -> None:
    state = play(situation(at=AWAY | {"lion": "c2"}), "lion: b2")
    assert (phase(state), asked(state)) == (s.DUEL, "chance")


@pytest.mark.rule("gran", "move.free", "attack.stay")
def test_g04_g46_a_walker_does_not_pass_a_knight() -> None:
    state = play(situation(at={"lion": "c3", "tower": "c4", "star": "h2"}), "lion: c4")
    assert (phase(state), choices(state)) == (s.EXILE, points(EXILE, "-c4"))


@pytest.mark.rule("gran", "move.free", "stone.block")
def test_g04_a_walker_neither_passes_nor_stops_on_a_stone() -> None:
    state = situation(at=AWAY | {"lion": "c3"}, stones="c4 d4")
    assert choices(state) == points("c2 b3 d3")
    assert refused(state, "lion: c4") == "stone.block"
    play(state, "lion: d3")
    assert choices(state) == points("d2 e3 stay")
    assert refused(state, "lion: d4") == "stone.block"


@pytest.mark.rule("gran", "move.free", "ring.take")
def test_g04_the_ring_does_not_make_a_point_unfree() -> None:
    state = situation(at=AWAY | {"lion": "c1"})
    assert choices(state) == points("b1 c2 d1")


@pytest.mark.rule("gran", "move.symbols")
@pytest.mark.parametrize(
    ("start", "symbol", "end"), [("e5", "f5", "g5"), ("d1", "d2", "d3"), ("a3", "b3", "c3"), ("c3", "c4", "d4")]
)
def test_g07_a_symbol_that_is_passed_does_nothing(start: str, symbol: str, end: str) -> None:
    state = situation(at=AWAY | {"lion": start}, ring="b1", stones="h6", amulets={"lion": 1})
    play(state, f"lion: {symbol}", f"lion: {end}")
    assert (asked(state), amulets(state, "lion"), stones(state)) == ("tower", 1, "h6")


@pytest.mark.rule("gran", "move.symbols")
@pytest.mark.parametrize(
    ("start", "way", "next_phase"),
    [
        ("e5", "f5 stay", s.FIRST),
        ("f3", "f4 f5", s.FIRST),
        ("d1", "d2 stay", s.STONE),
        ("c1", "d1 d2", s.STONE),
        ("a3", "b3 stay", s.LIFT),
        ("c4", "c3 b3", s.LIFT),
        ("c2", "b2", s.DUEL),
        ("c1", "c2 b2", s.DUEL),
    ],
)
def test_g20_a_symbol_works_where_one_stops(start: str, way: str, next_phase: int) -> None:
    state = situation(at=AWAY | {"lion": start}, ring="b1", stones="h6", amulets={"lion": 1})
    play(state, *(f"lion: {step}" for step in way.split()))
    assert phase(state) == next_phase
    assert amulets(state, "lion") == (2 if "f5" in way else 1)


# --- Amulets ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "amulet.three", "city.amulets")
@pytest.mark.parametrize("before", [0, 1, 2, 3])
def test_g23_one_amulet_without_the_ring_two_with_it_never_more_than_three(before: int) -> None:
    at = AWAY | {"lion": "e5"}
    without = play(situation(at=at, amulets={"lion": before}), "lion: f5", "lion: stay")
    assert amulets(without, "lion") == min(before + 1, 3)
    carried = play(situation(at=at, amulets={"lion": before}, ring="lion"), "lion: f5")
    assert amulets(carried, "lion") == min(before + 2, 3)


@pytest.mark.rule("gran", "city.amulets", "turn.blocked")
def test_g23_standing_in_a_city_gives_nothing() -> None:
    state = situation(at={"lion": "a1", "tower": "c5", "star": "h2"}, stones="b1 a2", amulets={"lion": 1})
    play(state, "tower: c6", "tower: stay", "star: h3", "star: stay")
    assert (asked(state), amulets(state, "lion")) == ("tower", 1)


@pytest.mark.rule("gran", "amulet.none")
def test_g06_without_amulets_neither_duel_nor_attack() -> None:
    state = situation(at={"lion": "c2", "tower": "c3", "star": "h2"}, amulets={"lion": 0})
    assert choices(state) == points("c1 d2")
    assert refused(state, "lion: b2") == "amulet.none"
    assert refused(state, "lion: c3") == "amulet.none"
    play(state, "lion: c1")
    assert choices(state) == points("b1 d1 stay")
    state = play(situation(at={"lion": "d3", "tower": "c3", "star": "b2"}, amulets={"lion": 0}), "lion: d2")
    play(state, "lion: c2")
    assert asked(state) == "tower"


@pytest.mark.rule("gran", "amulet.none", "ring.take", "ring.flight")
def test_g06_g42_without_amulets_one_may_take_the_ring_and_fly_over_dragons() -> None:
    state = situation(at=AWAY | {"lion": "c1"}, amulets={"lion": 0})
    play(state, "lion: d1", "lion: stay", "tower: c6", "tower: stay", "star: h3", "star: stay")
    assert ring(state) == "lion"
    state = situation(at=AWAY | {"lion": "c2"}, ring="lion", amulets={"lion": 0})
    play(state, "lion: b2")
    assert choices(state) == points("b1 a2 b3")
    assert refused(state, "lion: stay") == "amulet.none"


@pytest.mark.rule("gran", "amulet.none", "attack.cost")
def test_g30_the_last_amulet_is_enough_for_an_attack_and_for_a_duel() -> None:
    state = situation(at={"lion": "c2", "tower": "c3", "star": "h2"}, amulets={"lion": 1})
    assert choices(state) == points("c1 b2 c3 d2")
    play(state, "lion: c3", "lion: b4")
    assert (amulets(state, "lion"), amulets(state, "tower")) == (0, 3)


# --- The ring ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "ring.take")
def test_g11_the_ring_is_taken_as_soon_as_it_is_reached() -> None:
    state = play(situation(at=AWAY | {"lion": "b1"}), "lion: c1")
    assert ring(state) == "d1"
    play(state, "lion: d1")
    assert (ring(state), asked(state)) == ("lion", "tower")


@pytest.mark.rule("gran", "ring.take", "ring.flight")
def test_g11_g43_also_in_passing_and_then_one_may_go_on() -> None:
    state = play(situation(at=AWAY | {"lion": "c1"}, stones="e1"), "lion: d1")
    assert (ring(state), choices(state)) == ("lion", points("d2 stay"))
    play(state, "lion: d2")
    assert (ring(state), where(state, "lion"), phase(state)) == ("lion", "d2", s.STONE)
    state = play(situation(at=AWAY | {"lion": "d6"}, ring="e5"), "lion: d5")
    assert ring(state) == "e5"
    play(state, "lion: e5")
    assert ring(state) == "lion"


@pytest.mark.rule("gran", "ring.take", "city.deliver")
def test_g11_the_ring_taken_on_the_first_point_may_go_into_a_city_with_the_second() -> None:
    state = play(situation(at=AWAY | {"lion": "e4"}, ring="e5"), "lion: e5", "lion: f5")
    assert (seals(state, "lion"), phase(state)) == ("galad", s.DROP)


@pytest.mark.rule("gran", "ring.flight")
def test_g08_the_bearer_passes_dragons_stones_and_knights_but_stops_on_no_stone() -> None:
    state = situation(at={"lion": "c2", "tower": "c3", "star": "h2"}, ring="lion", stones="c1")
    assert choices(state) == points("c1 b2 c3 d2")
    over_stone = play(state.clone(), "lion: c1")
    assert choices(over_stone) == points("b1 d1")
    over_dragon = play(state.clone(), "lion: b2")
    assert choices(over_dragon) == points("b1 a2 b3 stay")
    over_knight = play(state.clone(), "lion: c3")
    assert choices(over_knight) == points("b3 d3 c4 stay")
    play(over_knight, "lion: c4")
    assert (amulets(over_knight, "lion"), where(over_knight, "tower")) == (3, "c3")


@pytest.mark.rule("gran", "ring.flight", "dragon.duel")
def test_the_bearer_who_stops_on_a_dragon_fights() -> None:
    state = play(situation(at=AWAY | {"lion": "c2"}, ring="lion"), "lion: b2", "lion: stay")
    assert phase(state) == s.DUEL


@pytest.mark.rule("gran", "attack.stay", "ring.flight")
def test_g46_for_a_flyer_stopping_on_a_knight_is_the_attack() -> None:
    state = situation(at={"lion": "c2", "tower": "c3", "star": "h2"}, ring="lion")
    play(state, "lion: c3", "lion: stay")
    assert (phase(state), amulets(state, "lion"), choices(state)) == (s.EXILE, 2, points(EXILE))


@pytest.mark.rule("gran", "ring.drop")
@pytest.mark.parametrize(
    ("start", "city", "elsewhere"),
    [
        ("b1", "a1", (URGAD, GALAD, ELGAD)),
        ("g1", "h1", (TIRAD, GALAD, ELGAD)),
        ("e5", "f5", (TIRAD, URGAD, ELGAD)),
        ("b7", "a7", (TIRAD, URGAD, GALAD)),
    ],
)
def test_g12_g13_g14_the_ring_is_laid_on_a_free_black_point_or_crystal_of_another_kingdom(
    start: str, city: str, elsewhere: tuple[str, str, str]
) -> None:
    state = situation(at={"lion": start, "tower": "c3", "star": "g7"}, ring="lion", stones="c5 h2")
    play(state, f"lion: {city}")
    assert phase(state) == s.DROP
    assert choices(state) == points(*elsewhere, "-c3 -g7 -c5 -h2")
    for name in ("d4", "d2", "d6", "b2", "c3", "g7", "c5", "h2", start, city, "stay"):
        assert refused(state, f"lion: {name}") == "ring.drop"
    place = max(choices(state))
    play(state, f"lion: {place}")
    assert (ring(state), asked(state)) == (place, "tower")


@pytest.mark.rule("gran", "ring.drop", "start.shared")
def test_g14_the_crystal_where_knights_wait_is_not_free() -> None:
    state = play(situation(at={"lion": "b1", "star": "h2"}, ring="lion"), "lion: a1")
    assert refused(state, "lion: e7") == "ring.drop"


@pytest.mark.rule("gran", "ring.reachable")
def test_g15_the_ring_is_laid_where_somebody_can_walk_to_it() -> None:
    state = play(situation(at=AWAY | {"lion": "b1"}, ring="lion", stones=CORNER), "lion: a1")
    assert choices(state) == points(URGAD, GALAD, ELGAD, "-g7 -h6 -h7 -h2 -c5")
    assert refused(state, "lion: h7") == "ring.reachable"
    assert refused(state, "lion: h6") == "ring.drop"


@pytest.mark.rule("gran", "ring.reachable")
def test_g15_any_knight_will_do() -> None:
    pocket = "h3 g4 g5 h6"  # around h4 and h5
    out = play(situation(at=AWAY | {"lion": "b1"}, ring="lion", stones=pocket), "lion: a1")
    assert refused(out, "lion: h5") == "ring.reachable"
    within = {"lion": "b1", "tower": "c5", "star": "h4"}
    assert "h5" in choices(play(situation(at=within, ring="lion", stones=pocket), "lion: a1"))


@pytest.mark.rule("gran", "ring.reachable", "turn.blocked")
def test_g15_where_nobody_can_walk_anywhere_any_free_point_will_do() -> None:
    walls = "b1 a2 a6 b7 h6 g7"
    at = {"lion": "c1", "tower": "h7", "star": "a7"}
    state = play(situation(at=at, ring="lion", stones=walls), "lion: b1", "lion: a1")
    assert choices(state) == points(URGAD, GALAD, ELGAD, "-h6 -g7 -h7 -a6 -b7")
    assert refused(state, "lion: h6") == "ring.drop"


@pytest.mark.rule("gran", "ring.reachable", "ring.drop")
def test_g15_everywhere_on_a_large_map() -> None:
    at = {"lion": "d1", "tower": "g4", "star": "h2"}
    state = play(situation(at=at, ring="lion", stones="a6 b7", board=LAIRS), "lion: c1")
    assert refused(state, "lion: a7") == "ring.reachable"
    assert refused(state, "lion: b7") == "ring.drop"


def rounds_away(state: State, count: int) -> State:
    """Let the lion walk to and fro between c3 and c4, the tower between c5 and d5, the star between h2 and h3."""
    for _ in range(count):
        for crest, here, there in (("lion", "c3", "c4"), ("tower", "c5", "d5"), ("star", "h2", "h3")):
            play(state, f"{crest}: {there if where(state, crest) == here else here}", f"{crest}: stay")
    return state


@pytest.mark.rule("gran", "ring.cut-off")
def test_after_five_rounds_without_a_way_to_the_ring_all_stones_go_back() -> None:
    state = situation(at=AWAY | {"lion": "c3"}, stones=f"a5 {CORNER}", ring="h7")
    for waited in range(5):
        assert (state.to_plain().cut_off, stones(state), state.to_plain().reserve) == (waited, "a5 h6 g7", 13)
        rounds_away(state, 1)
    assert (state.to_plain().cut_off, stones(state), state.to_plain().reserve) == (0, "", 16)
    assert (asked(state), ring(state)) == ("lion", "h7")
    assert rounds_away(state, 1).to_plain().cut_off == 0


@pytest.mark.rule("gran", "ring.cut-off")
def test_the_rounds_are_counted_when_the_turn_comes_to_the_first_seat() -> None:
    state = situation(at=AWAY | {"lion": "c3"}, stones=CORNER, ring="h7", turn="tower")
    play(state, "tower: d5", "tower: stay")
    assert state.to_plain().cut_off == 0
    play(state, "star: h3", "star: stay")
    assert state.to_plain().cut_off == 1


@pytest.mark.rule("gran", "ring.cut-off")
def test_the_count_begins_afresh_once_somebody_can_walk_to_the_ring() -> None:
    state = rounds_away(situation(at=AWAY | {"lion": "c3"}, stones=CORNER, ring="h7"), 4)
    table = state.to_plain()
    table.stones, table.reserve = bits([table.board.number["g7"]]), 15
    assert rounds_away(put(state, table), 1).to_plain().cut_off == 0
    table = state.to_plain()
    table.stones, table.reserve = bits(table.board.number[name] for name in CORNER.split()), 14
    assert rounds_away(put(state, table), 1).to_plain().cut_off == 1


@pytest.mark.rule("gran", "ring.cut-off")
def test_while_the_ring_is_carried_nothing_is_counted() -> None:
    state = situation(at=AWAY | {"lion": "c3"}, stones=CORNER, ring="lion")
    assert rounds_away(state, 2).to_plain().cut_off == 0


@pytest.mark.rule("gran", "ring.cut-off")
@pytest.mark.parametrize(("lion", "amulets", "cut_off"), [("c3", 0, 1), ("c3", 1, 0), ("b2", 0, 0)])
def test_dragons_bar_the_way_of_knights_without_amulets_alone(lion: str, amulets: int, cut_off: int) -> None:
    """The ring lies on a2, behind the dragon of b2; the lion that stands on it is through already."""
    state = situation(
        at=AWAY | {"lion": lion}, stones="b1 a3", ring="a2", turn="tower",
        amulets={"lion": amulets, "tower": 0, "star": 0},
    )  # fmt: skip
    play(state, "tower: d5", "tower: stay", "star: h3", "star: stay")
    assert state.to_plain().cut_off == cut_off


@pytest.mark.rule("gran", "ring.cut-off")
def test_an_armed_knight_that_is_shut_in_opens_no_way_for_the_others() -> None:
    """Beyond the dragon the ring is free for whoever has an amulet; but only the lion in its corner has one."""
    state = situation(
        at=AWAY | {"lion": "h7"}, stones=f"b1 a3 {CORNER}", ring="a2", turn="tower",
        amulets={"lion": 3, "tower": 0, "star": 0},
    )  # fmt: skip
    play(state, "tower: d5", "tower: stay", "star: h3", "star: stay")
    assert state.to_plain().cut_off == 1


# --- Dragons ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "dragon.duel", "dragon.win", "dragon.lose")
@pytest.mark.parametrize(("strength", "pips"), list(itertools.product(s.STRENGTHS, range(1, 7))))
def test_g26_as_many_pips_as_the_dragon_is_strong_win(strength: int, pips: int) -> None:
    state = play(situation(at=AWAY | {"lion": "c2"}), "lion: b2", f"chance: card {strength}")
    assert state.to_plain().strength == strength
    assert state.chance_outcomes() == [(s.ROLL + side, pytest.approx(1 / 6)) for side in range(6)]
    play(state, f"chance: die {pips}")
    won = pips >= strength
    assert (asked(state), amulets(state, "lion"), collared(state)) == (("lion", 3, "") if won else ("tower", 2, "lion"))
    assert (where(state, "lion"), state.to_plain().flies, state.to_plain().strength) == ("b2", int(won), 0)


@pytest.mark.rule("gran", "dragon.deck")
def test_g25_a_card_that_was_turned_does_not_come_again() -> None:
    state = play(situation(at=AWAY | {"lion": "c2"}, deck={0: 1, 5: 3}), "lion: b2")
    assert state.chance_outcomes() == [(s.CARD, pytest.approx(0.25)), (s.CARD + 4, pytest.approx(0.75))]
    assert impossible(state, "chance: card 6")
    play(state, "chance: card 0")
    assert state.to_plain().deck == [0, 0, 0, 0, 3, 0]


@pytest.mark.rule("gran", "dragon.deck")
@pytest.mark.parametrize("strength", s.STRENGTHS)
def test_g25_after_the_last_card_all_are_shuffled_again(strength: int) -> None:
    state = play(situation(at=AWAY | {"lion": "c2"}, deck={strength: 1}), "lion: b2", f"chance: card {strength}")
    assert state.to_plain().deck == [2, 4, 6, 6, 4, 2]
    assert state.to_plain().strength == strength


def won(**more: Any) -> State:
    """Let the lion win a duel on b2, coming from c2."""
    return duel(play(situation_with(more, at=AWAY | {"lion": "c2"}), "lion: b2"), 3, 4)


@pytest.mark.rule("gran", "dragon.win", "dragon.stay")
def test_g09_the_winner_may_move_one_or_two_points_or_stay() -> None:
    state = won()
    assert choices(state) == points("b1 a2 c2 b3 stay")
    one = play(state.clone(), "lion: a2", "lion: stay")
    two = play(state.clone(), "lion: a2", "lion: a3")
    none = play(state.clone(), "lion: stay")
    assert [where(after, "lion") for after in (one, two, none)] == ["a2", "a3", "b2"]
    assert [asked(after) for after in (one, two, none)] == ["tower"] * 3
    assert refused(state, "lion: c3") == "move.lines"


@pytest.mark.rule("gran", "dragon.win", "stone.block")
def test_g09_the_extra_move_flies_over_everything_but_stops_on_no_stone() -> None:
    state = won(at={"lion": "c2", "tower": "b3", "star": "h2"}, stones="b1 a2")
    assert choices(state) == points("b1 a2 c2 b3 stay")
    over_stone = play(state.clone(), "lion: a2")
    assert choices(over_stone) == points("a1 a3")
    assert refused(over_stone, "lion: stay") == "stone.block"
    over_knight = play(state.clone(), "lion: b3")
    assert choices(over_knight) == points("a3 c3 b4 stay")
    onto_stone = play(won(stones="a3"), "lion: a2")
    assert refused(onto_stone, "lion: a3") == "stone.block"


@pytest.mark.rule("gran", "dragon.win", "move.free")
def test_the_flight_ends_with_the_extra_move() -> None:
    state = won(stones="a3")
    play(state, "lion: a2", "lion: stay", "tower: c6", "tower: stay", "star: h3", "star: stay")
    assert choices(state) == points("a1 b2")
    assert state.to_plain().flies == 0


@pytest.mark.rule("gran", "dragon.win", "move.no-return")
def test_g47_the_extra_move_is_a_new_move() -> None:
    state = won()
    assert "c2" in choices(state)
    play(state, "lion: c2")
    assert refused(state, "lion: b2") == "move.no-return"
    assert choices(state) == points("c1 d2 c3 stay")


@pytest.mark.rule("gran", "dragon.win", "dragon.duel")
def test_g09_the_extra_move_may_end_on_another_dragon() -> None:
    at = {"lion": "c2", "tower": "h7", "star": "a7"}
    state = duel(play(situation(at=at, board=LAIRS), "lion: b2"), 0, 1)
    play(state, "lion: b3", "lion: stay")
    assert phase(state) == s.DUEL
    again = duel(state.clone(), 6, 6)
    assert (asked(again), choices(again)) == ("lion", points("b2 a3 c3 b4 stay"))
    lost = duel(state.clone(), 6, 5)
    assert (asked(lost), collared(lost), where(lost, "lion"), amulets(lost, "lion")) == ("tower", "lion", "b3", 2)


@pytest.mark.rule("gran", "dragon.win", "attack.cost")
def test_g38_the_extra_move_may_be_an_attack_if_amulets_suffice() -> None:
    at = {"lion": "c2", "tower": "b3", "star": "h2"}
    state = play(won(at=at), "lion: b3", "lion: stay")
    assert (phase(state), amulets(state, "lion")) == (s.EXILE, 2)
    play(state, "lion: g4")
    assert (where(state, "tower"), asked(state)) == ("g4", "tower")  # no stone lies there for the sword to lift
    state = play(won(at=at, stones="h6"), "lion: b3", "lion: stay", "lion: g4")
    assert phase(state) == s.LIFT


@pytest.mark.rule("gran", "dragon.win", "city.amulets", "city.deliver")
def test_g09_the_extra_move_may_end_in_a_city_and_passes_one_without_the_ring() -> None:
    near_city = {"lion": "c2", "tower": "h2", "star": "c5"}
    state = play(won(at=near_city, amulets={"lion": 1}), "lion: a2")
    assert choices(state) == points("a1 a3 stay")
    play(state, "lion: a1")
    assert (amulets(state, "lion"), asked(state)) == (2, "tower")
    state = situation(at={"lion": "f6", "tower": "h2", "star": "c5"})
    duel(play(state, "lion: g6"), 2, 2)
    play(state, "lion: g5")
    assert choices(state) == points("g4 f5 h5 stay")
    bearing = situation(at={"lion": "f6", "tower": "h2", "star": "c5"}, ring="lion")
    duel(play(bearing, "lion: g6", "lion: stay"), 2, 2)
    play(bearing, "lion: g5", "lion: f5")
    assert (seals(bearing, "lion"), phase(bearing)) == ("galad", s.DROP)


@pytest.mark.rule("gran", "dragon.stay", "dragon.win")
def test_g10_who_stays_wears_no_collar_and_leaves_without_a_fight() -> None:
    state = play(won(), "lion: stay")
    assert (where(state, "lion"), collared(state), amulets(state, "lion")) == ("b2", "", 3)
    play(state, "tower: c6", "tower: stay", "star: h3", "star: stay")
    assert (asked(state), choices(state)) == ("lion", points("b1 a2 c2 b3"))
    assert refused(state, "lion: stay") == "turn.must-move"
    play(state, "lion: b1")
    assert choices(state) == points("a1 c1 stay")


@pytest.mark.rule("gran", "dragon.win", "dragon.stay")
def test_a_winner_who_can_go_nowhere_stays_unasked() -> None:
    """The last free point of exile, from where the lion came, is the victim’s now: nobody can be attacked any more."""
    at = {"lion": "g4", "tower": "f5", "star": "e6", "oak": "g6"}
    walls = "b4 c4 d4 e4 f4 g5 h5 f6 h6 f7 g7 h7"
    state = situation(4, at=at, ring="lion", stones=walls)
    play(state, "lion: g5", "lion: g6")
    assert choices(state) == points("g4")
    duel(play(state, "lion: g4"), 2, 5)
    assert (asked(state), where(state, "lion"), where(state, "oak")) == ("tower", "g6", "g4")


@pytest.mark.rule("gran", "dragon.lose", "dragon.collar")
def test_g27_a_lost_duel_costs_an_amulet_and_the_next_turn() -> None:
    state = duel(play(situation(at=AWAY | {"lion": "c2"}), "lion: b2"), 6, 5)
    assert (amulets(state, "lion"), collared(state), where(state, "lion")) == (2, "lion", "b2")
    play(state, "tower: c6", "tower: stay", "star: h3", "star: stay")
    assert (asked(state), collared(state), where(state, "lion")) == ("tower", "", "b2")
    play(state, "tower: c5", "tower: stay", "star: h2", "star: stay")
    assert (asked(state), choices(state)) == ("lion", points("b1 a2 c2 b3"))
    assert refused(state, "lion: stay") == "turn.must-move"


@pytest.mark.rule("gran", "dragon.collar")
def test_g28_there_are_collars_for_all() -> None:
    at = {"lion": "b2", "tower": "b3", "star": "b4", "oak": "b5", "wave": "d5", "falcon": "a1"}
    state = situation(6, at=at, collared="lion tower star oak wave", board=LAIRS)
    assert (asked(state), collared(state)) == ("falcon", "")
    state = situation(6, at=at, turn="falcon", collared="lion tower star oak wave", board=LAIRS)
    assert collared(state) == "lion tower star oak wave"


@pytest.mark.rule("gran", "dragon.ring-lost", "dragon.lose", "ring.drop")
def test_g29_the_bearer_who_loses_lays_the_ring_down_in_another_kingdom() -> None:
    state = situation(at=AWAY | {"lion": "c2"}, ring="lion")
    duel(play(state, "lion: b2", "lion: stay"), 5, 4)
    assert (asked(state), phase(state), amulets(state, "lion")) == ("lion", s.DROP, 2)
    assert choices(state) == points(URGAD, GALAD, ELGAD, "-c5 -h2")
    assert refused(state, "lion: c2") == "ring.drop"
    play(state, "lion: h7")
    assert (ring(state), collared(state), asked(state)) == ("h7", "lion", "tower")


@pytest.mark.rule("gran", "dragon.win", "ring.flight")
def test_the_bearer_who_wins_keeps_the_ring() -> None:
    state = situation(at=AWAY | {"lion": "c2"}, ring="lion")
    duel(play(state, "lion: b2", "lion: stay"), 4, 4)
    assert (ring(state), asked(state), amulets(state, "lion")) == ("lion", "lion", 3)
    play(state, "lion: stay")
    assert (ring(state), where(state, "lion")) == ("lion", "b2")


# --- Cities -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "city.seal", "city.deliver", "city.amulets")
@pytest.mark.parametrize(
    ("start", "city", "kingdom"),
    [("b1", "a1", "tirad"), ("g1", "h1", "urgad"), ("e5", "f5", "galad"), ("b7", "a7", "elgad")],
)
def test_g21_g22_the_ring_in_a_city_earns_its_seal_and_ends_the_move(start: str, city: str, kingdom: str) -> None:
    state = situation(at=AWAY | {"lion": start}, ring="lion", amulets={"lion": 0})
    play(state, f"lion: {city}")
    assert (seals(state, "lion"), amulets(state, "lion"), phase(state)) == (kingdom, 2, s.DROP)
    assert (ring(state), asked(state)) == ("lion", "lion")
    assert state.scores() == [1, 0, 0]


@pytest.mark.rule("gran", "city.deliver")
def test_g21_the_bearer_cannot_run_through_a_city() -> None:
    state = situation(at=AWAY | {"lion": "f3"}, ring="lion")
    play(state, "lion: f4")
    assert choices(state) == points("e4 g4 f5 stay")
    state = play(situation(at=AWAY | {"lion": "f4"}, ring="lion"), "lion: f5")
    assert phase(state) == s.DROP


@pytest.mark.rule("gran", "city.owned", "city.amulets")
def test_g22_g41_in_a_city_whose_seal_one_has_the_ring_is_laid_down_all_the_same() -> None:
    state = situation(at=AWAY | {"lion": "e5"}, ring="lion", seals={"lion": "galad tirad"}, amulets={"lion": 1})
    play(state, "lion: f5")
    assert (seals(state, "lion"), amulets(state, "lion"), phase(state)) == ("tirad galad", 3, s.DROP)
    play(state, "lion: d1")
    assert (ring(state), asked(state), state.is_terminal()) == ("d1", "tower", False)


@pytest.mark.rule("gran", "city.seal")
def test_without_the_ring_there_is_no_seal() -> None:
    state = play(situation(at=AWAY | {"lion": "e5"}, ring="tower"), "lion: f5", "lion: stay")
    assert (seals(state, "lion"), ring(state), asked(state)) == ("", "tower", "tower")


@pytest.mark.rule("gran", "city.peace")
def test_g24_nobody_stops_in_an_occupied_city_and_walkers_do_not_pass_it() -> None:
    state = situation(at={"lion": "e5", "tower": "f5", "star": "h2"})
    assert choices(state) == points("e4 d5 e6")
    assert refused(state, "lion: f5") == "city.peace"
    play(state, "lion: e4")
    assert choices(state) == points("e3 d4 f4 stay")
    state = play(situation(at={"lion": "f3", "tower": "f5", "star": "h2"}), "lion: f4")
    assert refused(state, "lion: f5") == "city.peace"


@pytest.mark.rule("gran", "city.peace", "ring.flight")
def test_g48_the_bearer_flies_over_an_occupied_city_without_delivering() -> None:
    state = situation(at={"lion": "e5", "tower": "f5", "star": "h2"}, ring="lion")
    play(state, "lion: f5")
    assert choices(state) == points("f4 g5 f6")
    assert refused(state, "lion: stay") == "city.peace"
    play(state, "lion: g5")
    assert (where(state, "lion"), ring(state), seals(state, "lion")) == ("g5", "lion", "")


@pytest.mark.rule("gran", "city.peace", "dragon.win")
def test_g24_a_duels_winner_passes_an_occupied_city_too() -> None:
    state = situation(at={"lion": "h6", "tower": "f5", "star": "h2"})
    duel(play(state, "lion: g6"), 2, 2)
    play(state, "lion: f6")
    assert choices(state) == points("e6 f7 stay")
    assert refused(state, "lion: f5") == "city.peace"


# --- Stones -----------------------------------------------------------------------------------------------------
def on_magic(**more: Any) -> State:
    """Let the lion stop on the magic stone d2, coming from d3."""
    return play(situation_with(more, at=AWAY | {"lion": "d3"}, ring="b1"), "lion: d2", "lion: stay")


@pytest.mark.rule("gran", "stone.place", "crystal.plain", "stone.ring")
def test_g16_a_stone_is_laid_on_a_free_black_or_white_point() -> None:
    state = on_magic(stones="e4 h6")
    crystals = "-d1 -e7"
    expected = points(TIRAD, URGAD, GALAD, ELGAD, EXILE, crystals, "-b1 -e4 -h6 -c5 -h2")
    assert (phase(state), choices(state)) == (s.STONE, expected)
    for name in ("d1", "e7", "a1", "b2", "d2", "b3", "b1", "e4", "h6", "c5", "h2", "stay"):
        assert refused(state, f"lion: {name}") == "stone.place"
    play(state, "lion: d4")
    assert (stones(state), state.to_plain().reserve, asked(state)) == ("d4 e4 h6", 13, "tower")


@pytest.mark.rule("gran", "stone.none", "stone.place")
def test_g16_with_an_empty_reserve_nothing_happens() -> None:
    sixteen = "e1 f1 g1 e3 f3 b4 c4 d4 e4 f4 g4 e5 g5 h5 f6 h6"
    state = on_magic(stones=sixteen)
    assert (asked(state), stones(state)) == ("tower", sixteen)
    assert phase(on_magic(stones=sixteen.removesuffix(" h6"))) == s.STONE


def with_ground(state: State, names: str) -> State:
    """Let stones lie on a few points only: on a map everything else would have to be taken."""
    table = state.to_plain()
    table.ground = bits(table.board.number[name] for name in names.split())
    return put(state, table)


@pytest.mark.rule("gran", "stone.none", "stone.ring", "stone.place")
@pytest.mark.parametrize(("ground", "fits"), [("h6", ""), ("h6 h7 g7", ""), ("h6 h5", "h5"), ("b4 h6", "b4")])
def test_g16_where_no_point_is_allowed_nothing_happens(ground: str, fits: str) -> None:
    state = with_ground(situation(at=AWAY | {"lion": "d3"}, ring="h7", stones="g7"), ground)
    play(state, "lion: d2", "lion: stay")
    assert (phase(state), asked(state)) == ((s.STONE, "lion") if fits else (s.FIRST, "tower"))
    assert not fits or choices(state) == {fits}


@pytest.mark.rule("gran", "stone.none", "stone.lift", "stone.ring")
@pytest.mark.parametrize(("ground", "lifts"), [("c1", ""), ("h6 c1", "g7"), ("c1 b4", "c1 g7"), ("g7 c1", "")])
def test_g19_where_no_other_point_is_allowed_the_stone_stays(ground: str, lifts: str) -> None:
    state = with_ground(situation(at=AWAY | {"lion": "c3"}, ring="h7", stones="c1 g7"), ground)
    play(state, "lion: b3", "lion: stay")
    assert (phase(state), asked(state)) == ((s.LIFT, "lion") if lifts else (s.FIRST, "tower"))
    if lifts:
        assert choices(state) == points(lifts)
        for stone in {"c1", "g7"} - points(lifts):
            assert refused(state, f"lion: {stone}") == "stone.ring"


@pytest.mark.rule("gran", "stone.block")
def test_g08_nobody_stops_on_a_stone() -> None:
    for bearer in ("b1", "lion"):
        state = situation(at=AWAY | {"lion": "c3"}, ring=bearer, stones="d3")
        walks = play(state, "lion: c4")
        assert refused(walks, "lion: d3") == "move.lines"
        walks = play(situation(at=AWAY | {"lion": "e4"}, ring=bearer, stones="d3"), "lion: d4")
        assert refused(walks, "lion: d3") == "stone.block"


@pytest.mark.rule("gran", "stone.ring")
def test_g17_no_stone_walls_the_ring_in() -> None:
    state = on_magic(ring="h7", stones="g7")
    assert refused(state, "lion: h6") == "stone.ring"
    assert refused(state, "lion: h7") == "stone.place"
    assert "h5" in choices(state)


@pytest.mark.rule("gran", "stone.ring")
def test_g17_a_knight_on_the_rings_side_keeps_it_in_reach() -> None:
    pocket = "h3 g4 g5"  # with a stone on h6 they shut h4 and h5 in
    assert refused(on_magic(ring="h5", stones=pocket), "lion: h6") == "stone.ring"
    within = {"lion": "d3", "tower": "c5", "star": "h4"}
    assert "h6" in choices(on_magic(at=within, ring="h5", stones=pocket))


@pytest.mark.rule("gran", "stone.ring")
def test_g17_knights_are_no_walls_and_dragons_none_either() -> None:
    """The way to h7 over h6, where the tower stands, and over the dragon on g6 stays open."""
    at = {"lion": "d3", "tower": "h6", "star": "c5"}
    state = on_magic(at=at, ring="h7", stones="g7 h5")
    assert choices(state) >= points("f6 g5")
    at = {"lion": "d3", "tower": "a2", "star": "c5"}
    state = on_magic(at=at, ring="h7", stones="g7 h5")
    assert choices(state) >= points("f6 g5")  # one of both still leads to the dragon, and on to h6
    assert refused(state, "lion: h6") == "stone.ring"


@pytest.mark.rule("gran", "stone.ring")
def test_g17_while_the_ring_is_carried_stones_lie_anywhere() -> None:
    at = {"lion": "d3", "tower": "h7", "star": "c5"}
    for bearer in ("lion", "tower"):
        state = on_magic(at=at, ring=bearer, stones="g7")
        assert "h6" in choices(state)


def flown_out() -> State:
    """Let the lion fly out of a pocket where the ring stays behind: h7, h6 and the dragon g6 within five stones."""
    at = {"lion": "h6", "tower": "d3", "star": "c5"}
    state = situation(at=at, ring="h7", stones="g5 h5 f6 f7 g7")
    duel(play(state, "lion: g6"), 2, 2)
    return play(state, "lion: g5", "lion: g4")


@pytest.mark.rule("gran", "stone.ring", "stone.none")
def test_g52_who_flies_out_may_leave_the_ring_walled_in_and_then_no_stone_is_laid() -> None:
    state = play(flown_out(), "tower: d2", "tower: stay")
    assert (ring(state), where(state, "lion"), stones(state)) == ("h7", "g4", "g5 h5 f6 f7 g7")
    assert (asked(state), state.to_plain().reserve) == ("star", 11)


@pytest.mark.rule("gran", "stone.ring", "stone.lift")
def test_g52_from_then_on_only_lifts_that_bring_the_ring_into_reach_are_allowed() -> None:
    state = put_stone(flown_out(), "a2")
    play(state, "tower: c3", "tower: b3")
    assert (phase(state), choices(state)) == (s.LIFT, points("g5 h5 f6"))
    for name in ("a2", "f7", "g7"):
        assert refused(state, f"tower: {name}") == "stone.ring"
    play(state, "tower: g5")
    assert refused(state, "tower: h6") == "stone.ring"
    assert refused(state, "tower: g5") == "stone.place"
    play(state, "tower: a3")
    assert (stones(state), asked(state)) == ("a2 a3 h5 f6 f7 g7", "star")


@pytest.mark.rule("gran", "stone.none", "stone.ring", "stone.lift")
def test_g52_where_no_lift_helps_the_sword_does_nothing() -> None:
    """Two walls around h7: no single stone opens both."""
    at = {"lion": "c3", "tower": "c5", "star": "h2"}
    state = situation(at=at, ring="h7", stones="g5 h5 f6 f7 h6 g7")
    play(state, "lion: b3", "lion: stay")
    assert (asked(state), stones(state)) == ("tower", "g5 h5 f6 h6 f7 g7")


def put_stone(state: State, name: str) -> State:
    """Lay one more stone from the reserve onto the map."""
    table = state.to_plain()
    laid = [*stones(state).split(), name]
    table.stones, table.reserve = bits(table.board.number[stone] for stone in laid), s.STONES - len(laid)
    return put(state, table)


def on_sword(**more: Any) -> State:
    """Let the lion stop on the sword stone b3, coming from c3."""
    return play(situation_with(more, at=AWAY | {"lion": "c3"}, ring="b1"), "lion: b3", "lion: stay")


@pytest.mark.rule("gran", "stone.lift", "stone.place")
def test_g19_a_stone_is_lifted_and_laid_on_a_different_point() -> None:
    state = on_sword(stones="d3 h6")
    assert (phase(state), choices(state)) == (s.LIFT, points("d3 h6"))
    for name in ("d2", "a1", "c4", "b1", "stay"):
        assert refused(state, f"lion: {name}") == "stone.lift"
    play(state, "lion: d3")
    assert (phase(state), stones(state), name_of(state, state.to_plain().lifted)) == (s.STONE, "h6", "d3")
    assert choices(state) == points(TIRAD, URGAD, GALAD, ELGAD, EXILE, "-b1 -d1 -e7 -d3 -h6 -c5 -h2")
    assert refused(state, "lion: d3") == "stone.place"
    play(state, "lion: c3")
    assert (stones(state), state.to_plain().reserve, state.to_plain().lifted) == ("c3 h6", 14, s.NOWHERE)
    assert asked(state) == "tower"


@pytest.mark.rule("gran", "stone.none", "stone.lift")
def test_g19_without_a_stone_on_the_map_the_sword_does_nothing() -> None:
    state = on_sword()
    assert (asked(state), stones(state), state.to_plain().reserve) == ("tower", "", 16)


@pytest.mark.rule("gran", "stone.lift", "stone.ring")
def test_g17_a_lifted_stone_does_not_wall_the_ring_in_either() -> None:
    state = play(on_sword(ring="h7", stones="g7 c1"), "lion: c1")
    assert refused(state, "lion: h6") == "stone.ring"
    state = play(on_sword(ring="h7", stones="g7 c1"), "lion: g7")
    assert "h6" in choices(state)  # the stone in hand opened the other way


@pytest.mark.rule("gran", "stone.lift", "setup.stones")
def test_g19_with_an_empty_reserve_the_sword_works_all_the_same() -> None:
    sixteen = "e1 f1 g1 e3 f3 b4 c4 d4 e4 f4 g4 e5 g5 h5 f6 h6"
    state = play(on_sword(stones=sixteen), "lion: h6", "lion: h7")
    assert (stones(state), state.to_plain().reserve) == (sixteen.replace("h6", "h7"), 0)


@pytest.mark.rule("gran", "move.free", "ring.flight", "city.deliver", "stone.block")
def test_the_last_points_of_the_largest_map_are_passed_like_all_others() -> None:
    at = {"lion": "g9", "tower": "h9", "star": "k10"}
    assert phase(play(situation(at=at, board=QUARRY), "lion: h9")) == s.EXILE
    flown = play(situation(at=at, board=QUARRY, ring="lion"), "lion: h9")
    assert choices(flown) == points("g8 h8 i9 h10 i10 stay")
    assert refused(situation(at=at, board=QUARRY, stones="g10"), "lion: g10") == "stone.block"
    over_stone = play(situation(at=at, board=QUARRY, ring="lion", stones="g10"), "lion: g10")
    assert choices(over_stone) == points("f9 f10 h10")
    near_city = {"lion": "j10", "tower": "a1", "star": "k10"}
    over_city = play(situation(at=near_city, board=QUARRY, ring="lion"), "lion: k10")
    assert choices(over_city) == points("j9 k9 l10")
    delivered = play(situation(at=near_city | {"star": "a2"}, board=QUARRY, ring="lion"), "lion: k10")
    assert phase(delivered) == s.DROP


@pytest.mark.rule("gran", "stone.place", "stone.lift")
def test_stones_lie_on_the_last_points_of_the_largest_map_too() -> None:
    at = {"lion": "l7", "tower": "a1", "star": "f6"}
    state = play(situation(at=at, board=QUARRY), "lion: l8", "lion: stay", "lion: l10")
    assert stones(state) == "l10"
    at = {"lion": "l4", "tower": "a1", "star": "f6"}
    state = play(situation(at=at, board=QUARRY, stones="l10 e5 b1"), "lion: l5", "lion: stay")
    assert choices(state) == points("l10 e5 b1")
    play(state, "lion: l10", "lion: l1")
    assert stones(state) == "b1 l1 e5"


# --- Crystals ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "crystal.plain")
def test_g13_later_crystals_count_as_black_points() -> None:
    state = play(situation(at=AWAY | {"lion": "c1"}, ring="b1", stones="h6"), "lion: d1", "lion: stay")
    assert (where(state, "lion"), asked(state), stones(state), amulets(state, "lion")) == ("d1", "tower", "h6", 3)
    state = play(situation(at=AWAY | {"lion": "b7"}, ring="lion"), "lion: a7")
    assert choices(state) >= points("d1 e7")
    play(state, "lion: e7")
    assert ring(state) == "e7"


# --- Attacks ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "attack.exile", "attack.cost")
def test_the_attacker_banishes_to_a_free_white_point_of_choice() -> None:
    at = {"lion": "c2", "tower": "c3", "star": "d4", "oak": "h2"}
    state = play(situation(4, at=at, stones="b4 e5"), "lion: c3")
    assert (asked(state), phase(state), choices(state)) == ("lion", s.EXILE, points("c4 e4 f4 g4"))
    for name in ("b4", "d4", "c3", "h7", "stay"):
        assert refused(state, f"lion: {name}") == "attack.exile"
    assert refused(state, "tower: c4") == "turn.order"
    play(state, "lion: g4")
    assert (where(state, "tower"), where(state, "lion"), asked(state)) == ("g4", "c3", "tower")
    assert (amulets(state, "lion"), amulets(state, "tower")) == (2, 3)
    assert state.to_plain().victim == s.NOBODY


@pytest.mark.rule("gran", "attack.exile", "attack.no-exile")
def test_points_of_exile_count_wherever_on_a_large_map_they_are() -> None:
    at = {"lion": "c10", "tower": "d10", "star": "l1"}
    state = play(situation(at=at, stones="g5 h5", board=QUARRY), "lion: d10")
    assert choices(state) == {"e6", "f6", "g6", "h6"}


@pytest.mark.rule("gran", "attack.exile")
def test_g35_a_knight_on_a_white_point_goes_to_another_one() -> None:
    state = play(situation(at={"lion": "c3", "tower": "c4", "star": "h2"}), "lion: c4")
    assert choices(state) == points(EXILE, "-c4")
    assert refused(state, "lion: c4") == "attack.exile"


@pytest.mark.rule("gran", "attack.exile")
def test_g50_the_white_point_just_left_is_free() -> None:
    state = play(situation(at={"lion": "c4", "tower": "c3", "star": "h2"}, stones="b4 d4 e4 f4 g4"), "lion: c3")
    assert choices(state) == points("c4")
    play(state, "lion: c4")
    assert where(state, "tower") == "c4"


@pytest.mark.rule("gran", "attack.exile")
@pytest.mark.parametrize("white", EXILE.split())
def test_g37_nothing_happens_to_whoever_is_banished(white: str) -> None:
    state = play(
        situation(at={"lion": "c2", "tower": "c3", "star": "h2"}, amulets={"tower": 1}), "lion: c3", f"lion: {white}"
    )
    assert (where(state, "tower"), amulets(state, "tower"), asked(state), collared(state)) == (white, 1, "tower", "")
    assert choices(state)


@pytest.mark.rule("gran", "attack.no-exile")
def test_g32_without_a_free_white_point_there_is_no_attack() -> None:
    at = {"lion": "c2", "tower": "c3", "star": "g4"}
    state = situation(at=at, stones="b4 c4 d4 e4 f4")
    assert refused(state, "lion: c3") == "attack.no-exile"
    assert choices(state) == points("c1 b2 d2")
    at = {"lion": "b4", "tower": "c4", "star": "a4"}
    state = situation(at=at, stones="d4 e4 f4 g4")
    assert choices(play(state, "lion: c4")) == points("b4")
    at = {"lion": "c3", "tower": "c4", "star": "a4"}
    assert refused(situation(at=at, stones="b4 d4 e4 f4 g4"), "lion: c4") == "attack.no-exile"


@pytest.mark.rule("gran", "attack.no-exile", "ring.flight")
def test_g32_a_flyer_may_still_pass() -> None:
    at = {"lion": "c2", "tower": "c3", "star": "g4"}
    state = play(situation(at=at, stones="b4 c4 d4 e4 f4", ring="lion"), "lion: c3")
    assert choices(state) == points("b3 d3")
    assert refused(state, "lion: stay") == "attack.no-exile"


@pytest.mark.rule("gran", "attack.stay", "attack.ring", "ring.take")
def test_g33_the_attacker_stays_even_after_taking_the_ring_on_the_first_point() -> None:
    state = play(situation(at={"lion": "c2", "tower": "c3", "star": "h2"}, ring="tower"), "lion: c3")
    assert (ring(state), phase(state)) == ("lion", s.EXILE)
    play(state, "lion: b4")
    assert (where(state, "lion"), asked(state)) == ("c3", "tower")


@pytest.mark.rule("gran", "attack.ring")
def test_g39_a_bearer_who_attacks_keeps_the_ring() -> None:
    state = situation(at={"lion": "c2", "tower": "c3", "star": "h2"}, ring="lion")
    play(state, "lion: c3", "lion: stay", "lion: b4")
    assert (ring(state), amulets(state, "lion"), asked(state)) == ("lion", 2, "tower")


@pytest.mark.rule("gran", "attack.ring")
def test_a_third_knights_ring_stays_where_it_is() -> None:
    state = situation(at={"lion": "c2", "tower": "c3", "star": "h2"}, ring="star")
    play(state, "lion: c3", "lion: b4")
    assert ring(state) == "star"


@pytest.mark.rule("gran", "attack.symbol", "move.symbols")
@pytest.mark.parametrize(("start", "symbol", "next_phase"), [("d3", "d2", s.STONE), ("c3", "b3", s.LIFT)])
def test_g20_exile_comes_first_then_the_symbol_works(start: str, symbol: str, next_phase: int) -> None:
    state = situation(at={"lion": start, "tower": symbol, "star": "h2"}, ring="b1", stones="h6")
    play(state, f"lion: {symbol}")
    assert phase(state) == s.EXILE
    play(state, "lion: d4")
    assert (phase(state), asked(state)) == (next_phase, "lion")
    if next_phase == s.STONE:
        assert refused(state, "lion: d4") == "stone.place"


@pytest.mark.rule("gran", "attack.dragon", "amulet.none")
def test_g31_two_amulets_are_needed_on_a_dragon() -> None:
    at = {"lion": "c2", "tower": "b2", "star": "h2"}
    state = situation(at=at, amulets={"lion": 1})
    assert refused(state, "lion: b2") == "attack.dragon"
    assert choices(state) == points("c1 d2 c3")
    assert refused(situation(at=at, amulets={"lion": 0}), "lion: b2") == "amulet.none"
    state = play(situation(at=at, amulets={"lion": 2}), "lion: b2", "lion: c4")
    assert (phase(state), amulets(state, "lion")) == (s.DUEL, 1)
    duel(state, 6, 1)
    assert (amulets(state, "lion"), collared(state)) == (0, "lion")


@pytest.mark.rule("gran", "attack.dragon", "dragon.collar")
def test_g34_the_collar_comes_off_and_the_banished_one_is_free_at_once() -> None:
    at = {"lion": "c2", "tower": "b2", "star": "h2"}
    state = play(situation(at=at, collared="tower"), "lion: b2", "lion: c4")
    assert (collared(state), where(state, "tower")) == ("", "c4")
    duel(state, 0, 1)
    play(state, "lion: stay")
    assert (asked(state), choices(state)) == ("tower", points("c3 b4 d4 c5"))


@pytest.mark.rule("gran", "attack.dragon", "dragon.collar")
def test_g34_nobody_elses_collar_comes_off() -> None:
    at = {"lion": "c2", "tower": "b2", "star": "g2"}
    state = play(situation(at=at, collared="tower star"), "lion: b2")
    assert collared(state) == "star"


@pytest.mark.rule("gran", "attack.ring", "attack.dragon", "dragon.ring-lost")
def test_g36_who_takes_the_ring_on_a_dragon_and_loses_lays_it_down() -> None:
    at = {"lion": "c2", "tower": "b2", "star": "h2"}
    state = play(situation(at=at, ring="tower"), "lion: b2", "lion: c4")
    assert ring(state) == "lion"
    duel(state, 5, 2)
    assert (phase(state), amulets(state, "lion")) == (s.DROP, 1)
    play(state, "lion: e1")
    assert (ring(state), collared(state)) == ("e1", "lion")


# --- The end ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "end.seals", "score.winner", "city.seal")
def test_g40_g51_the_last_seal_ends_the_game_at_once() -> None:
    state = situation(
        at=AWAY | {"lion": "e5"}, ring="lion", amulets={"lion": 1}, seals={"lion": "tirad elgad", "star": "urgad"}
    )
    play(state, "lion: f5")
    assert (state.is_terminal(), state.current_player(), state.ending()) == (True, TERMINAL, "end.seals")
    assert (amulets(state, "lion"), ring(state), seals(state, "lion")) == (1, "lion", "tirad galad elgad")
    assert (state.scores(), state.winners()) == ([3, 0, 1], [0])
    assert phase(state) == s.OVER
    for crest in CRESTS[:3]:
        assert refused(state, f"{crest}: d1") == "end.seals"


@pytest.mark.rule("gran", "score.count", "score.winner")
def test_seals_of_different_cities_are_counted_and_only_who_has_all_has_won() -> None:
    owned = {"lion": "urgad", "star": "tirad urgad", "oak": "elgad"}
    state = situation(4, turn="star", at={"star": "e5", "lion": "c3"}, ring="star", seals=owned)
    assert (state.scores(), state.winners()) == ([1, 0, 2, 1], [])
    play(state, "star: f5")
    assert (state.scores(), state.winners()) == ([1, 0, 3, 1], [2])

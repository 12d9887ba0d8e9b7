"""Save the Dragon's observation tensor, number by number, against a second description of it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dracotheque import State
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.save_the_dragon.rules.actions import may_act
from tests.games.save_the_dragon.position_builder import PLACES, TEMPERS, choose, interpreted, play, situation

PHASES = 12
COMMON = 5 + PHASES + 4 + 27 + 3 + 10 + 10 + 4 + 4 + 18 + 9
SEAT = 4 + 4 + 30 + 29
SIZE = COMMON + 4 * SEAT


def hot(size: int, value: int) -> list[float]:
    """Write a number as one among zeros."""
    return [float(i == value) for i in range(size)]


def common(t: PlainState) -> list[float]:
    """What everybody sees: players, phase, die, shield, shut door, and the rock."""
    table = hot(5, t.players) + hot(PHASES, t.phase) + hot(4, t.die) + hot(27, t.shield) + hot(3, t.shut)
    rock = hot(10, t.step) + hot(10, t.down) + hot(4, t.above) + hot(4, t.lane) + hot(18, t.course)
    return table + rock + hot(9, t.depth)


def young(t: PlainState, seat: int) -> bool:
    """Whether a seat is one of the youngest: everybody, one seat, or a set with a bit for each."""
    return t.youngest in (1, seat + 2) or (t.youngest > 6 and bool(t.youngest - 6 >> seat & 1))


def of_seat(t: PlainState, seat: int) -> list[float]:
    """Turn, choice, youth, being hit, tokens, the place of the pawn and what the rock did to it."""
    few = [t.active == seat, t.to_move == seat, young(t, seat), t.hit == seat]
    return [*map(float, few), *hot(4, t.tokens[seat]), *hot(30, t.place[seat]), *hot(29, t.fate[seat])]


def described(t: PlainState, viewer: int) -> np.ndarray:
    """Everything, the viewer's seat first; empty seats are all zero."""
    numbers = common(t)
    for place in range(4):
        seat = (place + max(viewer, 0)) % t.players
        numbers += of_seat(t, seat) if place < t.players else [0.0] * SEAT
    return np.array(numbers, np.float32)


def require_described(state: State) -> None:
    """Compare the tensor for every viewer with its description."""
    for viewer in range(-1, state.game.players):
        np.testing.assert_array_equal(state.observation_tensor(viewer), described(state.to_plain(), viewer))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("youngest", ["nobody", "everybody", "1", "2", "1+2"])
def test_every_number_of_the_tensor(players: int, youngest: str) -> None:
    """Until everything was decided once, at the first time and now and then."""
    game, chance, phases = interpreted(players, youngest), random.Random(players), set[int]()
    assert game.observation_tensor_size() == SIZE
    state = game.new_initial_state()
    for move in range(3000):
        phase = state.to_plain().phase
        if phase not in phases or move % 10 == 0:
            phases.add(phase)
            require_described(state)
        if phases == set(range(PHASES)):
            return
        if state.is_terminal():
            state = game.new_initial_state()
        else:
            state.apply_action(choose(state, chance, TEMPERS))
    pytest.fail(f"only these phases came: {phases}")


def test_the_viewer_comes_first() -> None:
    at = {"lion": "b4", "star": "a1"}
    state = situation(3, turn="tower", at=at, shield="c7", tokens={"lion": 3, "tower": 1}, youngest="3", die=2)
    numbers = state.observation_tensor(1).tolist()
    seats = [numbers[COMMON + SEAT * place :][:SEAT] for place in range(4)]
    assert seats[0][:8] == [1, 1, 0, 0, 0, 1, 0, 0]
    assert seats[1][:8] == [0, 0, 1, 0, 1, 0, 0, 0]
    assert seats[2][:8] == [0, 0, 0, 0, 0, 0, 0, 1]
    assert seats[3] == [0] * SEAT
    stands = [[PLACES[n] for n, one in enumerate(seat[8:38]) if one] for seat in seats]
    assert stands == [["floor"], ["a1"], ["b4"], []]


def test_a_rock_on_its_way_and_the_pawn_it_hits() -> None:
    state = situation(at={"lion": "b9", "tower": "b7"}, shut="c", action="rock")
    play(state, "lion: throw a", "chance: rock b", "chance: fate floor")
    rock = [n for n, one in enumerate(state.observation_tensor(1)[:COMMON].tolist()) if one]
    assert rock == [2, 5 + 8, 17 + 1, 21, 48 + 2, 51 + 7, 61 + 2, 71 + 1, 75 + 1, 79 + 6 + 2, 97]
    play(state, "chance: rock c")
    rock = [n for n, one in enumerate(state.observation_tensor(1)[:COMMON].tolist()) if one]
    assert rock == [2, 5 + 9, 17 + 1, 21, 48 + 2, 51 + 7, 61 + 2, 71 + 1, 75 + 2, 79 + 2, 97]
    play(state, "chance: fate 3")
    rock = [n for n, one in enumerate(state.observation_tensor(1)[:COMMON].tolist()) if one]
    assert rock == [2, 5 + 10, 17 + 1, 21, 48 + 2, 51 + 7, 61 + 2, 71 + 1, 75 + 2, 79 + 2, 97 + 3]
    first, second = (state.observation_tensor(1)[COMMON + SEAT * place :][:SEAT].tolist() for place in (0, 1))
    assert (first[:4], second[:4]) == ([0, 0, 0, 1], [1, 0, 0, 0])
    assert [PLACES[hot.index(1)] for hot in (first[38:], second[38:])] == ["stands", "floor"]
    require_described(state)


def test_the_last_course_and_the_longest_way_have_their_numbers() -> None:
    state = play(situation(at={"lion": "b1"}, shut="c", action="rock"), "lion: throw a")
    assert state.observation_tensor(0)[61 + 9] == 1
    require_described(state)
    state = situation(at={"lion": "c9", "tower": "c1"}, shield="a5", shut="c", action="rock")
    play(state, "lion: throw b", "chance: rock a", "chance: fate stands", "chance: rock a")
    assert state.observation_tensor(0)[79 + 17] == 1
    require_described(state)


def test_a_winner_is_in_the_chamber() -> None:
    state = play(situation(at={"lion": "c9"}, die=1), "lion: door c")
    assert PLACES[state.observation_tensor(0)[COMMON + 8 :].tolist().index(1)] == "chamber"
    require_described(state)


def test_without_a_viewer_it_is_the_one_to_choose_or_the_first_seat() -> None:
    state = situation(turn="tower", at={"tower": "b4"}, die=2)
    assert state.observation_tensor().tolist() == state.observation_tensor(1).tolist()
    assert state.observation_tensor(1).tolist() != state.observation_tensor(0).tolist()
    play(state, "tower: b6")
    assert state.observation_tensor().tolist() == state.observation_tensor(0).tolist()


def test_who_may_act() -> None:
    def able(state: State) -> list[bool]:
        return [bool(may_act(state.to_plain(), seat)) for seat in range(3)]

    assert able(interpreted(3).new_initial_state()) == [False] * 3
    assert able(situation(3, turn="tower", die=1)) == [False, True, False]
    assert able(situation(3, turn="star", action="rock")) == [False, False, True]
    assert able(situation(3, turn="star")) == [False] * 3

"""Gran's observation tensor, number by number, against a second description of it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from dracotheque import State
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.gran.rules.actions import may_act
from tests.games.gran.position_builder import (
    FIELD,
    LADDER,
    QUARRY,
    TEMPERS,
    Data,
    choose,
    duel,
    interpreted,
    members,
    play,
    situation,
)

PHASES, FIRST_SEAT = 10, 7 + 10 + 5 + 6
SEAT, POINT, POINTS = 11, 10, 120
FIRST_POINT = FIRST_SEAT + 6 * SEAT
SIZE = FIRST_POINT + POINTS * POINT
CARDS = (2, 4, 6, 6, 4, 2)
WANTED = {0: None, 1: 2, 2: 3, 3: 4}


def hot(size: int, value: int) -> list[float]:
    """Write a number as one among zeros."""
    return [float(i == value) for i in range(size)]


def common(t: PlainState) -> list[float]:
    """What lies on the table for everybody: players, phase, seals wanted, reserve, card, flight and the deck."""
    wanted = WANTED[t.target] or (3 if t.players < 5 else 2)
    deck = [left / count for left, count in zip(t.deck, CARDS, strict=True)]
    few = [wanted / 4, t.reserve / 16, t.strength / 6, t.flies, t.cut_off / 5]
    return [*hot(7, t.players), *hot(PHASES, t.phase), *few, *deck]


def of_seat(t: PlainState, seat: int) -> list[float]:
    """What a player has: turn, choice, amulets, collar, waiting, ring, attacked, and the four seals."""
    numbers = [t.active == seat, t.to_move == seat, t.amulets[seat] / 3, t.collared >> seat & 1, t.waiting >> seat & 1]
    numbers += [t.bearer == seat, t.victim == seat, *(t.seals[seat] >> kingdom & 1 for kingdom in range(4))]
    return [float(number) for number in numbers]


def of_point(t: PlainState, point: int, order: list[int]) -> list[float]:
    """What a point bears: knights, the viewer's first, a stone, the ring; whether a move or a stone comes from it."""
    knights = [t.place[seat] == point for seat in order] + [False] * (6 - t.players)
    rest = [point in members(t.stones), t.ring == point, t.origin == point, t.lifted == point]
    return [float(number) for number in knights + rest]


def described(t: PlainState, viewer: int) -> np.ndarray:
    """Everything, the viewer's seat first; empty seats are all zero."""
    order = [(place + max(viewer, 0)) % t.players for place in range(t.players)]
    numbers = common(t)
    for place in range(6):
        numbers += of_seat(t, order[place]) if place < t.players else [0.0] * SEAT
    for point in range(POINTS):
        numbers += of_point(t, point, order)
    return np.array(numbers, np.float32)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("board", [FIELD, LADDER, QUARRY], ids=lambda board: board["name"])
def test_every_number_of_the_tensor(players: int, board: Data) -> None:
    """Until everything was decided once, at the first time and now and then."""
    game, random, phases = interpreted(players, board), Random(players), set[int]()
    assert game.observation_tensor_size() == SIZE
    state = game.new_initial_state()
    for move in range(3000):
        table = state.to_plain()
        if table.phase not in phases or move % 40 == 0:
            phases.add(table.phase)
            require_described(state)
        if phases == set(range(PHASES)):
            return
        if state.is_terminal():
            state = game.new_initial_state()
        else:
            state.apply_action(choose(state, random, ("seeker", *TEMPERS)))
    pytest.fail(f"only these phases came: {phases}")


def require_described(state: State) -> None:
    """Compare the tensor for every viewer with its description."""
    for viewer in range(-1, state.game.players):
        np.testing.assert_array_equal(state.observation_tensor(viewer), described(state.to_plain(), viewer))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("seals", ["usual", "two", "three", "four"])
def test_the_seals_wanted_are_among_them(players: int, seals: str) -> None:
    require_described(interpreted(players, seals=seals).new_initial_state())


def test_the_viewer_comes_first() -> None:
    state = situation(
        4,
        turn="tower",
        at={"tower": "c3", "star": "b2", "oak": "h7"},
        ring="oak",
        amulets={"tower": 1, "star": 2, "oak": 0},
        collared="star",
        seals={"oak": "tirad elgad"},
    )
    numbers = state.observation_tensor(1).tolist()
    seats = [numbers[FIRST_SEAT + SEAT * place :][:SEAT] for place in range(6)]
    assert seats[0] == pytest.approx([1, 1, 1 / 3, 0, 0, 0, 0, 0, 0, 0, 0])
    assert seats[1] == pytest.approx([0, 0, 2 / 3, 1, 0, 0, 0, 0, 0, 0, 0])
    assert seats[2] == pytest.approx([0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1])
    assert seats[3] == pytest.approx([0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    assert seats[4] == seats[5] == [0] * SEAT
    number = state.game.board.number
    stands = [numbers[FIRST_POINT + POINT * number[name] :][:6] for name in ("c3", "b2", "h7", "e7", "a1")]
    assert stands == [hot(6, place) for place in range(4)] + [[0] * 6]


def test_a_card_a_flight_a_lifted_stone_and_a_victim() -> None:
    at = {"lion": "c2", "tower": "b3", "star": "h2"}
    state = play(situation(at=at, stones="d3 h6", deck={3: 3, 6: 1}), "lion: b2", "chance: card 3")
    assert state.observation_tensor(0)[17:FIRST_SEAT].tolist() == pytest.approx(
        [3 / 4, 14 / 16, 3 / 6, 0, 0, 0, 0, 2 / 6, 0, 0, 1 / 2]
    )
    play(state, "chance: die 3")
    assert state.observation_tensor(0)[19:21].tolist() == [0, 1]
    play(state, "lion: b3", "lion: stay")
    assert state.observation_tensor(0)[FIRST_SEAT + SEAT + 6] == 1
    play(state, "lion: c4", "lion: d3")
    number = state.game.board.number
    stone, ring, origin, lifted = (
        [name for name, at in number.items() if state.observation_tensor(0)[FIRST_POINT + POINT * at + 6 + what]]
        for what in range(4)
    )
    assert (stone, ring, origin, lifted) == (["h6"], ["d1"], ["b2"], ["d3"])


def test_without_a_viewer_it_is_the_one_to_choose_or_the_first_seat() -> None:
    state = situation(turn="tower", at={"tower": "c2", "star": "h2"})
    assert state.observation_tensor().tolist() == state.observation_tensor(1).tolist()
    assert state.observation_tensor(1).tolist() != state.observation_tensor(0).tolist()
    play(state, "tower: b2")
    assert state.observation_tensor().tolist() == state.observation_tensor(0).tolist()


def test_who_may_act() -> None:
    def able(table: PlainState) -> list[bool]:
        return [bool(may_act(table, seat)) for seat in range(3)]

    state = interpreted(3).new_initial_state()
    assert able(state.to_plain()) == [False] * 3
    state = situation(turn="tower", at={"tower": "c2", "star": "h2"})
    assert able(state.to_plain()) == [False, True, False]
    play(state, "tower: b2")
    assert able(state.to_plain()) == [False] * 3
    assert able(duel(state, 6, 1).to_plain()) == [False, False, True]

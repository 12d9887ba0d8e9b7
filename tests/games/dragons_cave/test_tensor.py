"""Dragon's Cave's observation tensor, number by number, against a second description of it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from dracotheque import CHANCE
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.dragons_cave.rules.actions import may_act
from tests.games.dragons_cave.position_builder import (
    CAVE,
    CROOKED,
    LONG,
    Data,
    choose,
    interpreted,
    play,
    play_round,
    situation,
)

SEAL, PLACE, SPLIT, GUESS = 1, 2, 3, 4
SIMULTANEOUS = -2
SIZE = 5 + 6 + 5 + 2 + 4 * 21 + 4 * 47


def hot(size: int, value: int | None) -> list[float]:
    """Write a number as one among zeros."""
    return [float(i == value) for i in range(size)]


def common(t: PlainState) -> list[float]:
    """What lies on the table for everybody; before the first time the dragon sits in no niche."""
    return [*hot(5, t.players), *hot(6, t.phase), *hot(5, t.dragon), t.treasure / 60, float(t.named)]


def asked(t: PlainState, seat: int) -> bool:
    """Whether a seat has a choice to make."""
    if t.to_move != SIMULTANEOUS:
        return t.to_move == seat
    return t.left[seat] == 62 if t.phase == SPLIT else seat != t.dragon_seat and t.card[seat] == 6


def of_seat(t: PlainState, seat: int, viewer: int) -> list[float]:
    """What is known of a player: of others neither the sealed card, the forced Chest excepted, nor a fist's coins."""
    card, left = t.card[seat], t.left[seat]
    if seat != viewer and t.phase in (SEAL, PLACE) and card < 6 and t.hand[seat] != 1 << 5:
        card = 7
    known = left <= 60 and seat == viewer
    numbers = [t.dragon_seat == seat, asked(t, seat), t.purse[seat] / 60, t.chest[seat] / 60, left != 61]
    numbers += [left / 60 if known else 0, t.phase == GUESS and t.guessing == seat]
    return [*map(float, numbers), *(float(t.hand[seat] >> bit & 1) for bit in range(6)), *hot(8, card)]


def of_dwarf(t: PlainState, dwarf: int) -> list[float]:
    """Where a dwarf stands."""
    place, end = t.place[dwarf], t.length + 1
    on_path, in_lair = (place, None) if place < end else (None, place - end)
    return [min(place, end) / end, *hot(41, on_path), *hot(5, in_lair)]


def described(t: PlainState, viewer: int) -> np.ndarray:
    """Everything a viewer may know, the viewer's seat first; empty seats are all zero."""
    order = [(place + max(viewer, 0)) % t.players for place in range(t.players)]
    numbers = common(t)
    for place in range(4):
        numbers += of_seat(t, order[place], viewer) if place < t.players else [0.0] * 21
    dwarves = [*order, *(seat + 2 for seat in order)] if t.players == 2 else order
    for place in range(4):
        numbers += of_dwarf(t, dwarves[place]) if place < len(dwarves) else [0.0] * 47
    return np.array(numbers, np.float32)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", [CAVE, CROOKED, LONG], ids=lambda board: board["name"])
def test_every_number_of_the_tensor(players: int, board: Data) -> None:
    game, random, phases = interpreted(players, board), Random(players), set()
    assert game.observation_tensor_size() == SIZE
    games = 0
    while games < 2 or phases < set(range(6)):
        games += 1
        assert games < 100
        state = game.new_initial_state()
        while True:
            table = state.to_plain()
            phases.add(table.phase)
            for viewer in range(-1, players):
                np.testing.assert_array_equal(state.observation_tensor(viewer), described(table, viewer))
            if state.is_terminal():
                break
            seat, action = choose(state, random, malice=0.2)
            state.apply_action(action, seat)


def test_the_dragon_sits_nowhere_before_it_was_placed_for_the_first_time() -> None:
    state = situation(3)
    assert not state.observation_tensor(0)[11:16].any()
    play_round(state, "crystal", tower="rope", star="rope")
    assert state.observation_tensor(0)[11:16].tolist() == [0, 0, 0, 0, 1]


def test_the_viewer_comes_first_and_whoever_is_to_choose_is_marked() -> None:
    state = play(situation(4, purse={"star": 6, "oak": 12}, chest={"star": 3}), "star: barrel")
    first = 5 + 6 + 5 + 2
    mine, next_one = (state.observation_tensor(2)[first + 21 * place :][:21].tolist() for place in (0, 1))
    assert mine[:7] == pytest.approx([0, 0, 0.1, 0.05, 0, 0, 0])
    assert mine[7:] == [1] * 6 + hot(8, 3)
    assert next_one[:7] == pytest.approx([0, 1, 0.2, 0, 0, 0, 0])
    assert next_one[7:] == [1] * 6 + hot(8, 6)
    hidden = state.observation_tensor(0)[first + 2 * 21 :][:21].tolist()
    assert hidden[7:] == [1] * 6 + hot(8, 7)


def test_without_a_viewer_it_is_the_one_to_choose_or_the_first_seat() -> None:
    state = situation(3, dragon="star")
    assert state.observation_tensor().tolist() == state.observation_tensor(0).tolist()  # several choose
    play(state, "lion: rope", "tower: rope")
    assert state.observation_tensor().tolist() == state.observation_tensor(2).tolist()
    assert state.observation_tensor(2).tolist() != state.observation_tensor(0).tolist()


def test_who_may_act() -> None:
    def able(table: PlainState) -> list[bool]:
        return [bool(may_act(table, seat)) for seat in range(4)]

    state = interpreted(4, CROOKED).new_initial_state()
    assert state.current_player() == CHANCE
    assert able(state.to_plain()) == [False] * 4
    state = situation(4, dragon="tower", purse={"lion": 1, "oak": 2}, hand={"star": "Chest"}, board=CAVE)
    assert able(state.to_plain()) == [True, False, False, True]
    play(state, "oak: rope")
    assert able(state.to_plain()) == [True, False, False, False]
    play(state, "lion: rope")
    assert able(state.to_plain()) == [False, True, False, False]
    play(state, "tower: rope niche")
    assert able(state.to_plain()) == [True, False, False, True]
    play(state, "lion: left fist: no coins")
    assert able(state.to_plain()) == [False, False, False, True]
    play(state, "oak: left fist: no coins")
    assert able(state.to_plain()) == [False, True, False, False]

"""Emerald's observation tensor, number by number, against a second description of it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from dracotheque import load_game
from dracotheque.games.emerald.rules.actions import may_act

CHAMBER, NEST, NOWHERE, BRIBE = 20, 21, 255, 6


def hot(size: int, value: int | None) -> list[float]:
    return [float(i == value) for i in range(size)]


def common(t) -> list[float]:
    """What lies on the table for everybody."""
    numbers = hot(6, t.players) + hot(8, t.phase) + hot(9, t.dragon) + hot(6, t.rod)
    numbers += [float(t.facing == 1), t.second_move, t.moves / 2, t.took, t.treasures_left / 4, t.dealt / 18]
    for cave in range(9):
        gems, gold = t.pile[cave], t.pile[9 + cave]
        numbers += [gems / 3, gold / 3]
        numbers += hot(4, t.top[cave] if gems else None) + hot(5, t.top[9 + cave] if gold else None)
    return numbers + [cards / 6 for cards in t.unseen]


def of_colour(t, colour: int) -> list[float]:
    """Where a colour's knights are, and what befell them this turn."""
    knights = t.knights[colour]
    numbers = [knights.count(place) / 5 for place in range(20)]
    numbers += hot(20, t.moved if t.colour == colour else None)
    numbers += hot(20, t.ransomed if t.colour == colour else None)
    held = t.phase == BRIBE and t.victim == colour
    return [*numbers, knights.count(CHAMBER) / 4, knights.count(NEST) / 5, held, held and t.victim_moved]


def of_seat(t, seat: int) -> list[float]:
    """What lies before a player."""
    cards = [n / 6 for n in t.gems[seat]] + [n / 5 for n in t.gold[seat]]
    return [*cards, t.treasures[seat] / 4, t.four_gems == seat + 1, t.active == seat, t.to_move == seat]


def described(t, viewer: int) -> np.ndarray:
    numbers = common(t)
    colours = 4 if t.players == 2 else t.players
    for place in range(5):
        colour = place
        if place < colours:
            colour = (place + max(viewer, 0)) % t.players + (place // t.players) * t.players
        numbers += of_colour(t, colour) + of_seat(t, colour)
    return np.array(numbers, np.float32)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("second_move", ["optional", "compulsory"])
def test_every_number_of_the_tensor(players: int, second_move: str) -> None:
    game = load_game("emerald", players, interpreted=True, second_move=second_move)
    random, seen, games = Random(players), set(), 0
    # Ransomed knights of the player on turn are rare: later games look only for them.
    while games < 2 or ("ransomed", True) not in seen or ("moved", 1) not in seen:
        games += 1
        assert games < 200
        state = game.new_initial_state()
        while True:
            table = state.to_plain()
            ransomed = table.ransomed != NOWHERE
            if games < 3 or ransomed:
                seen |= {("phase", table.phase), ("ransomed", ransomed), ("moved", table.victim_moved)}
                for viewer in {-1, random.randrange(players), table.active}:
                    np.testing.assert_array_equal(state.observation_tensor(viewer), described(table, viewer))
            if state.is_terminal():
                break
            chance = state.is_chance_node()
            state.apply_action(state.sample_chance(random) if chance else random.choice(state.legal_actions()))
    assert {("phase", phase) for phase in range(8)} <= seen


def test_one_seat_at_a_time_may_act() -> None:
    state = load_game("emerald", 3, interpreted=True, starts="2").new_initial_state()
    assert [may_act(state.to_plain(), seat) for seat in range(3)] == [False] * 3
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert [may_act(state.to_plain(), seat) for seat in range(3)] == [False, True, False]

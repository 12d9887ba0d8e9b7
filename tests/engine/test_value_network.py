"""What was learned, inside compiled code: the same numbers as plain arrays give, and honest at the end of a game."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from dracotheque import State, load_game
from dracotheque.bots import evaluators
from dracotheque.engine.search_operations import CERTAIN
from dracotheque.engine.value_network import MOST_SEATS, SCALE
from dracotheque.training import network
from tests.bots.moments import states

TABLES = [("emerald", 2), ("emerald", 5), ("gran", 3), ("gran", 6)]


def an_evaluator(game: Any, seed: int) -> np.ndarray[Any, Any]:
    """An evaluator with random weights."""
    weights = network.fresh_weights(game.rules.TENSOR_SIZE + MOST_SEATS, seed)
    weights["third"] = np.random.default_rng(seed).normal(0, 0.3, weights["third"].shape).astype(np.float32)
    evaluator = np.zeros(1, game.runtime.evaluator)
    for name, value in weights.items():
        evaluator[name][0] = value.reshape(evaluator[name][0].shape)
    return evaluator


def foreseen(state: State, evaluator: np.ndarray[Any, Any]) -> list[int]:
    """What an evaluator expects of a state for each seat."""
    layout = state.game.runtime
    workspace = layout.new_workspace()
    workspace.set_state(state.record())
    handle: Any = evaluator.view(np.recarray)[0] if layout.interpreted else evaluator.ctypes.data
    layout.operations.leaf_value_by_evaluator(workspace.handle, handle)
    return list(workspace.weights[: state.game.players])


def sight_of(state: State) -> np.ndarray[Any, Any]:
    """What the network looks at, put together from the public face of the game."""
    lead, players = state.to_plain().active, state.game.players
    outlooks = np.zeros(MOST_SEATS, np.float32)
    plain = load_game(state.game.name, players, interpreted=True)
    workspace: Any = plain.runtime.new_workspace()
    workspace.set_state(state.record())
    for place in range(players):
        outlooks[place] = plain.rules.state_heuristic(workspace.game, (lead + place) % players) / SCALE
    return np.concatenate([state.observation_tensor(lead), outlooks])[:, None]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_compiled_code_thinks_what_arrays_say(name: str, players: int) -> None:
    game = load_game(name, players)
    evaluator = an_evaluator(game, 3)
    weights = {
        key: evaluator[key][0].reshape(value.shape)
        for key, value in network.fresh_weights(1, 0).items()
        if key != "first"
    }
    weights["first"] = evaluator["first"][0]
    for number, (state, _) in enumerate(states(game, 5)):
        if number % 12 == 0 and number < 200:
            expected = network.shares(weights, sight_of(state), np.array([players]))[:, 0]
            lead = state.to_plain().active
            by_seat = [expected[(seat - lead) % players] * CERTAIN for seat in range(players)]
            assert foreseen(state, evaluator) == pytest.approx(by_seat, abs=60)  # numbers of 24 bits
            assert CERTAIN - players <= sum(foreseen(state, evaluator)) <= CERTAIN + 1


@pytest.mark.parametrize(("name", "players"), [("emerald", 3), ("gran", 3), ("save-the-dragon", 3)])
def test_compiled_and_interpreted_foresee_the_same(name: str, players: int) -> None:
    game, plain = load_game(name, players), load_game(name, players, interpreted=True)
    evaluator, met = evaluators.evaluator_of(game), 0
    for number, (state, _) in enumerate(states(game, 2)):
        if number in (3, 12):
            beside = plain.deserialize_state(state.serialize())
            assert foreseen(beside, evaluator) == pytest.approx(foreseen(state, evaluator), abs=60)
            met += 1
    assert met == 2


@pytest.mark.parametrize("name", ["emerald", "gran"])
def test_at_the_end_nothing_is_left_to_expect(name: str) -> None:
    state = load_game(name).new_initial_state()
    state.play_randomly(Random(4))
    shares = foreseen(state, an_evaluator(state.game, 1))
    winners = state.winners()
    assert shares == [CERTAIN // len(winners) if seat in winners else 0 for seat in range(3)]

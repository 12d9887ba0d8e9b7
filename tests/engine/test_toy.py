"""The engine's promises on a game it does not know: sealed choices, secrets, chance, ties."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from dracotheque import CHANCE, SIMULTANEOUS, DracothequeError, IllegalActionError
from dracotheque.engine.game import Game
from dracotheque.engine.state import State
from tests.engine.toy import GAME


@pytest.fixture
def state() -> State:
    return Game(GAME, 3, {}, interpreted=True).new_initial_state()


def test_several_seats_choose_in_any_order(state: State) -> None:
    assert state.current_player() == SIMULTANEOUS
    assert state.is_simultaneous_node()
    for seat in (2, 0, 1):
        assert state.legal_actions(seat) == [0, 1, 2]
        state.apply_action(seat, player=seat)
        assert state.legal_actions(seat) == []
    assert state.current_player() == CHANCE
    state.apply_action(1)
    assert state.scores() == [2, 3, 4]
    assert state.winners() == [2]
    assert state.returns() == [-0.5, -0.5, 1.0]
    assert state.ending() == "toy.rounds"


def test_all_seats_at_once(state: State) -> None:
    other = state.clone()
    state.apply_actions([0, 1, 2])
    for seat in (1, 2, 0):
        other.apply_action(seat, seat)
    assert state == other


def test_one_bad_sealed_choice_changes_nothing(state: State) -> None:
    before = state.record()
    with pytest.raises(IllegalActionError):
        state.apply_actions([0, 1, 7])
    with pytest.raises(DracothequeError, match="3 actions are needed"):
        state.apply_actions([0, 1])
    assert state.record() == before
    assert state.history() == []


def test_a_seat_must_be_named(state: State) -> None:
    with pytest.raises(IllegalActionError, match="name the seat"):
        state.apply_action(0)
    with pytest.raises(DracothequeError, match="name the seat"):
        state.legal_actions()


def test_sealed_means_sealed_once(state: State) -> None:
    state.apply_action(1, 0)
    with pytest.raises(IllegalActionError, match=r"You seal one number a round\. \[toy\.sealed-once\]") as caught:
        state.apply_action(2, 0)
    assert caught.value.rule == "toy.sealed-once"
    assert state.refusal_text(2, 0) == "You seal one number a round."
    assert state.full_history() == [(0, 1)]


def test_nobody_sees_a_sealed_number(state: State) -> None:
    """Only the secret differs: every other seat's and the spectator's view must be the same."""
    views = []
    for secret in range(3):
        twin = state.child(secret, 0)
        seen = [twin.observation_string(viewer) for viewer in (1, 2, -1)]
        seen += [twin.observation_tensor(viewer).tolist() for viewer in (1, 2, -1)]
        views.append(seen)
        assert twin.observation(0).sealed[0] == secret
    assert views[0] == views[1] == views[2]


def test_imagined_worlds_are_possible_and_differ(state: State) -> None:
    state.apply_action(2, 0)
    state.apply_action(1, 1)
    random = Random(5)
    assert state.resample_from_infostate(1, random).history() == []  # what really happened would tell the secret
    with pytest.raises(DracothequeError, match="its moves are not known"):
        state.resample_from_infostate(1, random).serialize()
    worlds = {tuple(state.resample_from_infostate(1, random).to_plain().sealed) for _ in range(60)}
    assert worlds == {(n, 1, 9) for n in range(3)}
    assert {tuple(state.resample_from_infostate(0, random).to_plain().sealed) for _ in range(60)} == {
        (2, n, 9) for n in range(3)
    }


def test_chance_comes_with_its_probabilities(state: State) -> None:
    state.apply_actions([0, 0, 0])
    assert state.chance_outcomes() == [(0, 0.75), (1, 0.25)]
    assert state.legal_actions() == [0, 1]
    with pytest.raises(IllegalActionError, match="no chance outcome"):
        state.apply_action(2)
    drawn = [state.sample_chance(Random(seed)) for seed in range(400)]
    assert 60 < sum(drawn) < 140
    state.apply_action(0)
    assert state.winners() == [0, 1, 2]
    assert state.returns() == pytest.approx([0, 0, 0])
    with pytest.raises(DracothequeError, match="nothing to decide"):
        state.chance_outcomes()


def test_options_and_players_are_checked() -> None:
    two = Game(GAME, 2, {"rounds": "two"}, interpreted=True).new_initial_state()
    for _ in range(2):
        assert not two.is_terminal()
        two.apply_actions([2, 0])
        two.apply_action(0)
    assert two.is_terminal()
    with pytest.raises(DracothequeError, match=r"2 to 3 players, not 4"):
        Game(GAME, 4, {}, interpreted=True)
    with pytest.raises(DracothequeError, match=r"Did you mean 'rounds'"):
        Game(GAME, 3, {"round": "two"}, interpreted=True)
    with pytest.raises(DracothequeError, match=r"Did you mean 'two'"):
        Game(GAME, 3, {"rounds": "tow"}, interpreted=True)


COMPILED = """
from tests.engine.toy import GAME
from random import Random
from dracotheque.engine.game import Game
fast, slow = Game(GAME, 3, {"rounds": "two"}), Game(GAME, 3, {"rounds": "two"}, interpreted=True)
for seed in range(200):
    random, a, b = Random(seed), fast.new_initial_state(), slow.new_initial_state()
    while not a.is_terminal():
        if a.is_chance_node():
            player, action = -1, a.sample_chance(random)
        else:
            player = random.choice([s for s in range(3) if a.legal_actions(s)])
            action = random.choice(a.legal_actions(player))
        for state in (a, b):
            state.apply_action(action, player)
        assert a == b and a.winners() == b.winners()
        assert [a.observation_string(v) for v in (-1, 0, 1, 2)] == [b.observation_string(v) for v in (-1, 0, 1, 2)]
        assert a.resample_from_infostate(0, Random(seed)) == b.resample_from_infostate(0, Random(seed))
    a, b = fast.new_initial_state(), slow.new_initial_state()
    assert a.play_randomly(Random(seed)) == b.play_randomly(Random(seed)) == 6 and a == b
print("equal")
"""


def test_compiled_sealed_games_are_the_same(tmp_path) -> None:
    # In a process of its own: a game outside the package has no place in the package's cache.
    import os
    from pathlib import Path

    environment = os.environ | {"DRACOTHEQUE_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", COMPILED], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "equal", done.stderr[-3000:]

"""A game is finished under the rules it began with, also after the game has newer ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dracotheque import DracothequeError, State, load_game
from dracotheque.engine import log, registry
from dracotheque.engine.game import Game
from dracotheque.engine.log import CorruptLogError, GameLog
from tests.engine import toy, toy_2

FIRST, SECOND = toy.GAME, toy_2.GAME
CHANCE = -1


@pytest.fixture(autouse=True)
def only_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRACOTHEQUE_INTERPRETED", "1")  # a game outside the package has no place in its cache


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> str:
    """A game of three, begun and stored under version 1 of the rules, which are at version 2 now."""
    monkeypatch.setitem(registry.games(), "toy", FIRST)
    state = load_game("toy", 3, rounds="two").new_initial_state()
    state.apply_actions([0, 1, 2])
    state.apply_action(1)
    text = GameLog.of(state).dumps()
    monkeypatch.setitem(registry.games(), "toy", SECOND)
    return text


def finish(state: State) -> State:
    state.apply_actions([2, 1, 0][: state.game.players])
    state.apply_action(0)
    return state


def test_a_stored_game_is_finished_under_its_version(begun: str) -> None:
    kept = log.loads(begun)
    assert kept.game.rules_version == 1
    assert kept.play().scores() == [2, 3, 4]
    state = finish(kept.play())
    assert state.is_terminal()
    assert state.scores() == [5, 5, 5]
    again = log.loads(GameLog.of(state).dumps())
    assert again.play() == state
    assert json.loads(again.dumps())["rules"] == 1


def test_a_game_is_opened_under_a_version(begun: str) -> None:
    old, new = load_game("toy", 2, version=1, rounds="two"), load_game("toy", 2, rounds="two")
    assert (old.rules_version, new.rules_version) == (1, 2)
    assert load_game("toy", 2, version=2, rounds="two").definition is new.definition is SECOND
    scores = []
    for game in (old, new):
        state = game.new_initial_state()
        state.apply_actions([0, 1])
        state.apply_action(1)
        scores.append(finish(state).scores())
    assert scores == [[5, 5], [8, 8]]


def test_everything_of_the_box_is_that_of_the_version(begun: str) -> None:
    old, new = load_game("toy", 3, version=1), load_game("toy", 2)
    assert old.definition is FIRST
    assert old.new_initial_state().action_to_string(0, CHANCE) == "die 1"
    assert new.new_initial_state().action_to_string(0, CHANCE) == "die 1, twice"
    assert old.rulebook()["toy.sealed-once"].sentence == "You seal one number a round."
    assert new.rulebook()["toy.sealed-once"].sentence == "You seal one number a round, and the die counts twice."
    assert old.text is not new.text
    assert repr(old) == "load_game('toy', players=3, rounds='one', version=1)"
    assert repr(new) == "load_game('toy', players=2, rounds='one')"
    with pytest.raises(DracothequeError, match="2 to 2 players, not 3"):
        load_game("toy", 3)


def test_states_of_two_versions_are_never_equal(begun: str) -> None:
    old, new = (load_game("toy", 2, version=version).new_initial_state() for version in (1, 2))
    assert old == old.clone()
    assert old != new


@pytest.mark.parametrize("version", [0, 3, -1])
def test_an_unknown_version_names_those_that_are_known(begun: str, version: int) -> None:
    expected = f"There is no rules version {version} of Toy: this library has versions 1 and 2."
    with pytest.raises(DracothequeError, match=expected):
        load_game("toy", 2, version=version)
    with pytest.raises(CorruptLogError, match=expected):
        log.loads(json.dumps(json.loads(begun) | {"rules": version}))
    with pytest.raises(DracothequeError, match="this library has version 1"):
        Game(FIRST, 2, {}, version=7)


@pytest.mark.parametrize("rules", [None, "1", 1.0])
def test_a_log_must_say_its_version(begun: str, rules: object) -> None:
    with pytest.raises(CorruptLogError, match="“rules” should be a number"):
        log.loads(json.dumps(json.loads(begun) | {"rules": rules}))


COMPILED = """
from tests.engine.toy import rules as first
from tests.engine.toy_2 import GAME, rules as second
from dracotheque.engine.game import Game
assert first.State == second.State
for version in (1, 2):
    scores = []
    for interpreted in (False, True):
        state = Game(GAME, 2, {"rounds": "two"}, version=version, interpreted=interpreted).new_initial_state()
        for _ in range(2):
            state.apply_actions([0, 1])
            state.apply_action(0 if state.move_number() < 3 else 1)
        scores.append(state.scores())
    assert scores == [[3 * version, 3 * version + 2]] * 2, (version, scores)
print("equal")
"""


def test_two_versions_of_one_record_are_compiled_side_by_side(tmp_path: Path) -> None:
    environment = os.environ | {"DRACOTHEQUE_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    del environment["DRACOTHEQUE_INTERPRETED"]
    done = subprocess.run(
        [sys.executable, "-c", COMPILED], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "equal", done.stderr[-3000:]

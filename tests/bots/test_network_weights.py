"""What was learned and is kept in the package: it fits the rules, is small, and is refused where it does not fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dracotheque import DracothequeError, load_game
from dracotheque.bots import evaluators, make_bot
from dracotheque.bots import network_weights as files
from dracotheque.bots.mcts_bot import SearchBudget, SearchTree, read_budget
from dracotheque.bots.search_params import SearchParams
from dracotheque.engine import registry
from dracotheque.games.gran.board_files import Board
from dracotheque.games.save_the_dragon import bots
from dracotheque.games.save_the_dragon.rules.state import FLOOR, WALK
from dracotheque.games.save_the_dragon.tablebase.tablebase import solution
from dracotheque.training import network, trainable_games
from tests.bots.moments import first_of_many, states
from tests.engine.test_value_network import foreseen

KEPT = [
    (name, players) for name, training in trainable_games().items() for group in training.groups for players in group
]


@pytest.mark.parametrize(("name", "players"), KEPT)
def test_every_table_that_was_learned_has_an_evaluator_and_uses_it(name: str, players: int) -> None:
    game = load_game(name, players)
    evaluator = evaluators.evaluator_of(game)
    assert evaluator is not None, "the weights in the package were learned with other rules: dracotheque train"
    assert np.abs(evaluator["third"]).max() > 0.01
    assert SearchTree(game, SearchBudget(simulations=10), 1).head.use_evaluator[0] == 1


def test_weights_are_small() -> None:
    for definition in registry.games().values():
        assert sum(file.stat().st_size for file in files.folder(definition).glob("value-*")) < 2_000_000


@pytest.mark.parametrize(("name", "players"), [("gran", 4), ("dragons-cave", 2), ("save-the-dragon", 2)])
def test_where_nothing_was_learned_the_search_goes_on_without(name: str, players: int) -> None:
    game = load_game(name, players)
    assert evaluators.evaluator_of(game) is None
    assert SearchTree(game, SearchBudget(simulations=10), 1).head.use_evaluator[0] == 0
    with pytest.raises(DracothequeError, match="Remove learned=1"):
        make_bot("search:50:learned=1:depth=0", 1, game).choose(first_of_many(game))


def test_another_map_is_not_what_was_learned() -> None:
    usual = load_game("gran", 3)
    assert isinstance(usual.board, Board)
    other = load_game("gran", 3, board={**usual.board.data, "name": "Elsewhere"})
    assert evaluators.evaluator_of(usual) is not None
    assert evaluators.evaluator_of(other) is None


def test_what_was_learned_with_other_rules_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("emerald", 2)
    weights = network.fresh_weights(game.rules.TENSOR_SIZE + 6, 1)
    files.keep(game, (2,), weights, tmp_path / files.file_name((2,)), "a test")
    assert files.read(tmp_path, "emerald", game.rules_version).keys() == {2}
    assert not files.read(tmp_path, "emerald", game.rules_version + 1)
    assert not files.read(tmp_path, "gran", game.rules_version)
    monkeypatch.setattr(files, "INPUT_VERSION", 99)
    assert not files.read(tmp_path, "emerald", game.rules_version)


def test_damaged_weights_are_named_and_never_bent_into_shape(tmp_path: Path) -> None:
    game = load_game("emerald", 2)
    weights = network.fresh_weights(game.rules.TENSOR_SIZE + 6, 1)
    assert (files.evaluator_with(weights, game.runtime.evaluator)["first"][0] == weights["first"]).all()
    for wrong in ({"first": weights["first"].T}, {"third": weights["third"][:, :1]}):
        with pytest.raises(DracothequeError, match="was learned with"):
            files.evaluator_with(weights | wrong, game.runtime.evaluator)
    file = tmp_path / files.file_name((2,))
    files.keep(game, (2,), {"first": weights["first"]}, file, "a test")
    with pytest.raises(DracothequeError, match=r"value-2\.npz is damaged: training writes a new one"):
        files.read(tmp_path, "emerald", game.rules_version)
    files.keep(game, (2,), weights, file, "a test")
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(DracothequeError, match=r"value-2\.npz is damaged"):
        files.read(tmp_path, "emerald", game.rules_version)


@pytest.mark.parametrize("value", ["2", "yes"])
def test_learned_is_yes_or_no(value: str) -> None:
    with pytest.raises(DracothequeError, match=f"Invalid value '{value}' for search option learned. Valid: 0, 1."):
        make_bot(f"search:50:learned={value}", 1, load_game("emerald", interpreted=True))


def test_who_goes_by_what_was_learned_does_not_play_on_to_the_end() -> None:
    assert read_budget("50:learned=1").params == SearchParams(depth=0, use_evaluator=1)
    assert (
        read_budget("50:depth=3:learned=1").params
        == read_budget("50:learned=1:depth=3").params
        == SearchParams(depth=3, use_evaluator=1)
    )


def test_for_two_the_duels_are_what_the_solution_says() -> None:
    game = load_game("save-the-dragon", 2)
    evaluator = bots.solved_positions()
    assert evaluator is not None
    seen = 0
    for state, seat in states(game, 6):
        table = state.to_plain()
        if table.phase != WALK:
            continue
        seen += 1
        chance = solution().turn(seat, tuple(table.place[:2]), table.shield, table.shut, tuple(table.tokens[:2]))
        assert foreseen(state, evaluator)[seat] / 1_000_000 == pytest.approx(chance, abs=1e-4)
    assert seen > 5


def test_among_four_who_stands_higher_may_expect_more() -> None:
    game = load_game("save-the-dragon", 4)
    evaluator = evaluators.evaluator_of(game)
    state = next(state for state, _ in states(game, 3) if state.to_plain().phase == WALK)
    record = np.frombuffer(state.record(), game.runtime.state).copy()
    for seat in range(4):
        record["place"][0] = FLOOR
        record["place"][0, seat] = next(spot for spot in (15, 16) if spot != record["shield"][0])
        state._workspace.set_state(record.tobytes())
        shares = foreseen(state, evaluator)
        assert sum(shares) == pytest.approx(1_000_000, abs=4)
        assert max(shares) == shares[seat] > 350_000

"""What was learned and is kept in the package: it fits the rules, is small, and is refused where it does not fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dracotheque import DracothequeError, load_game
from dracotheque.bots import make_bot, minds
from dracotheque.bots.search import Plan, Tree, read_plan
from dracotheque.bots.ways import Ways
from dracotheque.games import find_box
from dracotheque.games import minds as files
from dracotheque.games.gran.board import Board
from dracotheque.games.save_the_dragon.state import FLOOR, WALK
from dracotheque.lab.train import GROUPS, network
from dracotheque.solve.solution import solution
from tests.bots.moments import first_of_many, states
from tests.engine.test_foresight import foreseen

KEPT = [
    (name, players)
    for name, groups in GROUPS.items()
    for group in groups
    for players in group
    if not find_box(name).sealed  # there the search asks nothing, and a bot that mixes does (test_mixing.py)
]


@pytest.mark.parametrize(("name", "players"), KEPT)
def test_every_table_that_was_learned_has_a_mind_and_uses_it(name: str, players: int) -> None:
    game = load_game(name, players)
    mind = minds.mind_of(game)
    assert mind is not None, "the weights in the package were learned with other rules: dracotheque train"
    assert np.abs(mind["third"]).max() > 0.01
    assert Tree(game, Plan(simulations=10), 1).head.learned[0] == 1


def test_a_mind_is_small() -> None:
    for name in GROUPS:
        assert sum(file.stat().st_size for file in find_box(name).folder.glob("mind-*")) < 2_000_000


@pytest.mark.parametrize(("name", "players"), [("gran", 4), ("dragons-cave", 2), ("save-the-dragon", 2)])
def test_where_nothing_was_learned_the_search_goes_on_without(name: str, players: int) -> None:
    game = load_game(name, players)
    assert minds.mind_of(game) is None
    assert Tree(game, Plan(simulations=10), 1).head.learned[0] == 0
    with pytest.raises(DracothequeError, match="leave “learned” away"):
        make_bot("search:50:learned=1:depth=0", 1).choose(first_of_many(game))


def test_another_map_is_not_what_was_learned() -> None:
    usual = load_game("gran", 3)
    assert isinstance(usual.board, Board)
    other = load_game("gran", 3, board={**usual.board.data, "name": "Elsewhere"})
    assert minds.mind_of(usual) is not None
    assert minds.mind_of(other) is None


def test_what_was_learned_with_other_rules_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("emerald", 2)
    weights = network.fresh_weights(game.rules.TENSOR_SIZE + 6, 1)
    files.keep(game, (2,), weights, tmp_path / files.file_name((2,)), "a test")
    assert files.read(tmp_path, "emerald", game.rules_version).keys() == {2}
    assert not files.read(tmp_path, "emerald", game.rules_version + 1)
    assert not files.read(tmp_path, "gran", game.rules_version)
    monkeypatch.setattr(files, "SIGHT", 99)
    assert not files.read(tmp_path, "emerald", game.rules_version)


def test_damaged_weights_are_named_and_never_bent_into_shape(tmp_path: Path) -> None:
    game = load_game("emerald", 2)
    weights = network.fresh_weights(game.rules.TENSOR_SIZE + 6, 1)
    assert (files.mind_with(weights, game.layout.mind)["first"][0] == weights["first"]).all()
    for wrong in ({"first": weights["first"].T}, {"third": weights["third"][:, :1]}):
        with pytest.raises(DracothequeError, match="was learned with"):
            files.mind_with(weights | wrong, game.layout.mind)
    file = tmp_path / files.file_name((2,))
    files.keep(game, (2,), {"first": weights["first"]}, file, "a test")
    with pytest.raises(DracothequeError, match=r"mind-2\.npz is damaged: dracotheque train emerald"):
        files.read(tmp_path, "emerald", game.rules_version)
    files.keep(game, (2,), weights, file, "a test")
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(DracothequeError, match=r"mind-2\.npz is damaged"):
        files.read(tmp_path, "emerald", game.rules_version)


@pytest.mark.parametrize("wish", ["learned=2", "learned=yes"])
def test_learned_is_yes_or_no(wish: str) -> None:
    with pytest.raises(DracothequeError, match=wish):
        make_bot(f"search:50:{wish}", 1)


def test_who_goes_by_what_was_learned_does_not_play_on_to_the_end() -> None:
    assert read_plan("50:learned=1").ways == Ways(depth=0, learned=1)
    assert read_plan("50:depth=3:learned=1").ways == read_plan("50:learned=1:depth=3").ways == Ways(depth=3, learned=1)


def test_for_two_the_duels_are_what_the_solution_says() -> None:
    game = load_game("save-the-dragon", 2)
    mind = minds._solved()
    assert mind is not None
    seen = 0
    for state, seat in states(game, 6):
        table = state.table()
        if table.phase != WALK:
            continue
        seen += 1
        chance = solution().turn(seat, tuple(table.place[:2]), table.shield, table.shut, tuple(table.tokens[:2]))
        assert foreseen(state, mind)[seat] / 1_000_000 == pytest.approx(chance, abs=1e-4)
    assert seen > 5


def test_among_four_who_stands_higher_may_expect_more() -> None:
    game = load_game("save-the-dragon", 4)
    mind = minds.mind_of(game)
    state = next(state for state, _ in states(game, 3) if state.table().phase == WALK)
    record = np.frombuffer(state.record(), game.layout.state).copy()
    for seat in range(4):
        record["place"][0] = FLOOR
        record["place"][0, seat] = next(spot for spot in (15, 16) if spot != record["shield"][0])
        state._desk.set_state(record.tobytes())
        shares = foreseen(state, mind)
        assert sum(shares) == pytest.approx(1_000_000, abs=4)
        assert max(shares) == shares[seat] > 350_000

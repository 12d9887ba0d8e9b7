"""Learning by playing: gradients, steps of many games side by side, and a school that is small but real."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from dracotheque import DracothequeError, load_game
from dracotheque.bots import network_weights
from dracotheque.cli import main
from dracotheque.engine.jit import cuda
from dracotheque.engine.registry import find_game
from dracotheque.engine.value_network import MOST_SEATS
from dracotheque.training import devices, network, td_learning, trainable_games
from dracotheque.training.self_play import ExplorationPolicy, SelfPlayPool, starts
from tests.bots.moments import put

NOBODY = np.zeros((8, MOST_SEATS), bool)


def a_pool(name: str, players: int, tables: int = 8) -> SelfPlayPool:
    """A small pool on this CPU."""
    definition, game = find_game(name), load_game(name, players)
    return SelfPlayPool(devices.CpuDevice(game), game, starts(definition, (players,), 1, 4), tables, 7)


# --- The network ----------------------------------------------------------------------------------------------------
def test_gradients_are_what_a_small_change_does() -> None:
    random = np.random.default_rng(2)
    weights = {name: value.astype(np.float64) for name, value in network.fresh_weights(20, 1).items()}
    weights["third"] += random.normal(0, 0.2, weights["third"].shape)
    inputs, players = random.random((20, 5)), np.array([2, 3, 6, 4, 5])
    target = np.where(np.arange(MOST_SEATS)[:, None] < players, random.random((MOST_SEATS, 5)), 0)
    target /= target.sum(0)
    gradients, _ = network.gradients_of(weights, inputs, players, target)
    assert gradients.keys() == weights.keys()
    for name, gradient in gradients.items():
        at = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        losses = []
        for step in (1e-6, -1e-6):
            changed = weights | {name: weights[name].copy()}
            changed[name][at] += step
            losses.append(network.gradients_of(changed, inputs, players, target)[1])
        assert gradient[at] == pytest.approx((losses[0] - losses[1]) / 2e-6, rel=1e-4)


def test_empty_seats_expect_nothing_and_all_expect_one_victory() -> None:
    weights = network.fresh_weights(30, 1)
    shares = network.shares(
        weights, np.random.default_rng(1).random((30, 4)).astype(np.float32), np.array([2, 3, 5, 6])
    )
    assert shares.sum(0) == pytest.approx(np.ones(4))
    assert shares[2:, 0].tolist() == [0, 0, 0, 0]


def test_what_is_shown_again_and_again_is_learned() -> None:
    random = np.random.default_rng(3)
    inputs, players = random.random((40, 256)).astype(np.float32), np.full(256, 2)
    first = (inputs[0] > inputs[1]).astype(np.float32)
    target = np.zeros((MOST_SEATS, 256), np.float32)
    target[0], target[1] = first, 1 - first
    learner = network.Learner(network.fresh_weights(40, 1))
    losses = [float(learner.learn(inputs, players, target, 3e-3)) for _ in range(300)]
    assert losses[0] > 0.6
    assert losses[-1] < 0.1


# --- Steps ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "players"), [("emerald", 2), ("emerald", 5)])
def test_a_step_is_a_legal_choice_of_the_very_game(name: str, players: int) -> None:
    pool, game, followed = a_pool(name, players), load_game(name, players), 0
    for _ in range(30):
        before = pool.games.copy()
        legal = [pool.choices[n, : pool.numbers[3][n]].tolist() for n in range(8)]
        _, _, ended, _ = pool.step(None, NOBODY, ExplorationPolicy(epsilon=0.5))
        for n in range(8):
            state = game.new_initial_state()
            put(state, before[n].tobytes())
            assert state.legal_actions() == legal[n]
            if not ended[n] and pool.games[n]["to_move"] >= 0:
                followed += any(state.child(action).record() == pool.games[n].tobytes() for action in legal[n])
        shown = game.new_initial_state()
        shown._workspace.set_state(pool.games[3].tobytes())
        assert pool.inputs[: game.rules.TENSOR_SIZE, 3] == pytest.approx(shown.observation_tensor(int(pool.lead[3])))
    assert followed > 100  # of 240 steps most bring no chance with them: what follows is what was chosen


def test_games_end_are_won_by_somebody_and_begin_anew() -> None:
    pool, over = a_pool("emerald", 3), 0
    for _ in range(400):
        _, _, ended, results = pool.step(None, NOBODY, ExplorationPolicy())
        over += int(ended.sum())
        assert results[ended == 1].sum(1) == pytest.approx(np.ones(int(ended.sum())), abs=1e-5)
        assert not results[ended == 0].any()
    assert over >= 8


def test_the_best_is_picked_and_epsilon_picks_anything() -> None:
    pool = a_pool("emerald", 2)
    owner = np.repeat(np.arange(8), pool.numbers[3])
    rank = np.concatenate([np.arange(count) for count in pool.numbers[3]])
    values = np.where(rank == 2, 1.0, 0.0)
    assert pool._pick(values, owner, rank, ExplorationPolicy(temperature=1e-6, epsilon=0)).tolist() == [2] * 8
    assert len({tuple(pool._pick(values, owner, rank, ExplorationPolicy(epsilon=1)).tolist()) for _ in range(20)}) > 10


# --- The school -----------------------------------------------------------------------------------------------------
def test_shares_are_converted_by_turn_and_back() -> None:
    lead, players = np.array([0, 1, 4]), np.array([2, 3, 6])
    shares = np.random.default_rng(1).random((MOST_SEATS, 3)) * (np.arange(MOST_SEATS)[:, None] < players)
    turned = td_learning.from_lead(np, shares, lead, players)
    assert turned[0].tolist() == [shares[0, 0], shares[1, 1], shares[4, 2]]
    assert td_learning.by_seat(np, turned, lead, players).tolist() == shares.tolist()


def test_targets_look_back_from_the_end() -> None:
    def transition(expected: float, ended: int, result: float) -> td_learning.Transition:
        column = np.zeros((MOST_SEATS, 1))
        column[0] = expected
        won = np.zeros((MOST_SEATS, 1))
        won[0] = result
        none = np.zeros(1)
        return td_learning.Transition(none, none, none, none, none, column, np.array([ended]), won)

    last = np.full((MOST_SEATS, 1), 0.5)
    plan = td_learning.Plan((2,), 0.0, rounds=1, tables=1, blocks=1, trace=0.8)
    steps = [transition(0.3, 0, 0), transition(0.6, 1, 1.0), transition(0.2, 0, 0)]
    targets = td_learning._targets(np, steps, last, plan)
    assert targets[2][0, 0] == pytest.approx(0.5)  # what is thought of the table where the round stops
    assert targets[1][0, 0] == 1.0  # the end of the game, whatever was thought
    assert targets[0][0, 0] == pytest.approx(0.2 * 0.6 + 0.8 * 1.0)


def test_a_small_school_learns_keeps_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["train", "emerald", "--players", "2", "--on", "cpu", "--quick", "--rounds", "12", "--into", str(tmp_path)])
    printed = capsys.readouterr().out
    assert "After 12 rounds, 24,576 choices" in printed
    assert "among 2 (fair is 50%)" in printed
    assert "Saved to " in printed
    assert "Do not use these weights for play." in printed
    lines = (tmp_path / "value-2.csv").read_text().splitlines()
    assert lines[0] == "round,choices,seconds,loss,wins_2"
    assert [int(line.split(",")[0]) for line in lines[1:]] == [10, 12]
    with np.load(tmp_path / "value-2.npz") as kept:
        assert kept["players"].tolist() == [2]
        assert np.abs(kept["third"]).max() > 0
        assert "12 rounds" in str(kept["how"])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["value-2.csv", "value-2.npz"]
    assert network_weights.read(tmp_path, "emerald", load_game("emerald", 2).rules_version).keys() == {2}


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        (["save-the-dragon"], "Valid: emerald, gran."),
        (["dragons-cave"], "Valid: emerald, gran."),
        (["gran", "--players", "9"], "3 to 6 players, not 9"),
        (["gran", "--players", "5"], "were worse than the heuristic (docs/explanation/reports/learned.md)"),
        (["emerald", "--quick"], "--into FOLDER"),
        (["emerald", "--rounds", "1", "--on", "cpu"], "--into FOLDER"),
        (["emerald", "--seed", "-1"], "--seed must be a whole number from 0 to 2^62 - 1 (got '-1')."),
        (["emerald", "--rounds", "0"], "--rounds must be 1 or more (got '0')."),
        (["emerald", "--players", "2"], "CuPy"),
    ],
)
def test_what_cannot_be_learned_is_said(wish: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    if answer == "CuPy" and find_spec("cupy"):
        pytest.skip("there is CuPy here")
    with pytest.raises(SystemExit):
        main(["train", *wish])
    assert answer in capsys.readouterr().err


# --- Cards ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", trainable_games())
def test_the_steps_are_compiled_for_cards_without_a_card(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cuda, "PTX_FOLDER", tmp_path)
    game, steps = load_game(name), devices.STEPS
    with pytest.raises(DracothequeError, match="run `make ptx`"):
        cuda.ready_ptx(game.definition, "advance")
    devices.main([name])
    assert f"{name}.expand.ptx: " in capsys.readouterr().out
    made = [f"{name}{step}.ptx" for step in (".advance", ".expand", "")]
    assert sorted(path.name for path in tmp_path.iterdir()) == made
    for step, given in steps.given.items():
        path = devices.ready_ptx(game, step)
        with pytest.raises(DracothequeError, match="made from other rules"):  # what is passed is a part of it
            cuda.ready_ptx(game.definition, step, steps.made_of[1:])
        two = sum(argument.endswith(":2") for argument in given)
        assert path.read_text().count(".param .u64") == 1 + 7 * len(given) + 2 * two


def test_a_card_is_only_asked_for_games_that_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        devices.main(["emeral"])
    assert ended.value.code == 1
    assert "emerald" in capsys.readouterr().err


@pytest.mark.skipif(not find_spec("cupy"), reason="needs an NVIDIA card and CuPy, and there are none here")
def test_a_card_plays_what_a_processor_plays() -> None:
    game, definition = load_game("emerald", 2), find_game("emerald")
    beginnings = starts(definition, (2,), 1, 4)
    here, there = (
        SelfPlayPool(each(game), game, beginnings, 64, 7) for each in (devices.CpuDevice, devices.CudaDevice)
    )
    assert_alike(here, there, ended=100)


def test_two_pools_with_the_same_seed_play_the_same_games() -> None:
    """What is asked of a card, asked of two processors: the comparison itself works, and notices other dice."""
    assert_alike(a_pool("emerald", 2), a_pool("emerald", 2), ended=2)
    definition, game = find_game("emerald"), load_game("emerald", 2)
    other = SelfPlayPool(devices.CpuDevice(game), game, starts(definition, (2,), 1, 4), 8, 8)
    with pytest.raises(AssertionError):
        assert_alike(a_pool("emerald", 2), other, ended=2)


def assert_alike(here: SelfPlayPool, there: SelfPlayPool, ended: int) -> None:
    """Make the same choices in two pools until some games are over, and compare all they see."""
    plain = getattr(there.xp, "asnumpy", np.asarray)
    over, number = 0, 0
    while over < ended:
        assert (plain(there.choices) == here.choices).all()
        assert (plain(there.numbers) == here.numbers).all()
        assert plain(there.inputs) == pytest.approx(here.inputs)
        mine, theirs = here._expand(), there._expand()
        assert plain(theirs.after).tobytes() == mine.after.tobytes()
        for one, other in zip(mine[4:], theirs[4:], strict=True):
            assert plain(other) == pytest.approx(one)
        picked = mine.first + number % here.numbers[3]
        (ends, results), copies = (
            here._advance(picked, mine.after),
            there._advance(there.xp.asarray(picked), theirs.after),
        )
        assert (plain(copies[0]) == ends).all()
        assert plain(copies[1]) == pytest.approx(results)
        assert plain(there.games).tobytes() == here.games.tobytes()
        over, number = over + int(ends.sum()), number + 1


def test_every_group_has_players_of_its_own() -> None:
    for name, training in trainable_games().items():
        players = [number for group in training.groups for number in group]
        assert len(players) == len(set(players))
        assert all(find_game(name).min_players <= number <= find_game(name).max_players for number in players)

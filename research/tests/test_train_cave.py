"""The training for Dragon's Cave for two: outcomes of rounds, their solutions, and a short run."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dracotheque import DracothequeError, State
from dracotheque.bots import network_weights
from dracotheque.bots.evaluators import Evaluator
from dracotheque.engine.jit import cuda
from dracotheque.engine.value_network import MOST_SEATS
from dracotheque.games.dragons_cave.equilibrium import encoding, matrix_game, positions
from dracotheque.games.dragons_cave.equilibrium.lookahead import DepthLimitedSolver
from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST
from dracotheque.games.dragons_cave.rules.state import (
    CARDS,
    CHEST,
    HOLD,
    KINDS,
    LEFT_FIST,
    NICHE,
    ONLY_CHEST,
    SPLIT,
)  # fmt: skip
from dracotheque.training import devices, network
from research.dragons_cave import cave
from research.training import cave as training
from research.training import cave_reply as reply
from research.training.cave_steps import STEPS
from research.training.train_cave import main
from tests.games.dragons_cave.round_positions import key_of, laid_out, met, the_cave

pytestmark = pytest.mark.xdist_group("test_train_cave")


# --- Rounds ---------------------------------------------------------------------------------------------------------
def test_the_network_sees_the_same_compiled_and_interpreted() -> None:
    game, found = the_cave(), met(the_cave(), 2)[:40]
    ahead = training.Rounds(devices.CpuDevice(game, STEPS), game).ahead(np.array(found))
    for column, key in enumerate(ahead.bank.tolist()):
        if key < training.OVER:
            continue
        table, sight = laid_out(game, key).to_plain(), np.zeros(encoding.INPUTS, np.float32)
        positions.write_inputs(table, sight)
        assert sight == pytest.approx(ahead.sight[:, column - len(found)])
        assert sight[: encoding.SIGHT].any()
        assert np.count_nonzero(sight[: 4 * encoding.PLACES]) == 4


def followed(state: State, dwarf: int, card: int, lost: int | None) -> int:
    """Play a round by the rules: the card goes well, or so many coins are lost."""
    if state.to_plain().hand[0] != ONLY_CHEST:
        state.apply_action(dwarf * CARDS + card)
    niche = card if lost is not None else (card + 1) % KINDS
    state.apply_action(NICHE + niche % KINDS)
    if not state.is_terminal() and state.to_plain().phase == SPLIT:
        state.apply_action(HOLD + (lost or 0))
        state.apply_action(LEFT_FIST)
    if state.is_terminal():
        won = state.winners()
        return encoding.ENDED_SHARED if len(won) == 2 else encoding.ENDED_WON if won == [0] else encoding.ENDED_LOST
    return key_of(state)


def test_every_way_of_a_round_is_that_of_the_rules() -> None:
    game = the_cave()
    found = met(game, 12)[::7]
    ahead = training.Rounds(devices.CpuDevice(game, STEPS), game).ahead(np.array(found))
    outcomes = 0
    for table, key in enumerate(found):
        start = laid_out(game, key)
        legal = {action for action in start.legal_actions() if action % CARDS != CHEST}
        same = start.to_plain().place[0] == start.to_plain().place[2]
        wanted = {action for action in legal if not (same and action >= CARDS)}
        (possible,) = np.nonzero(ahead.possible[table])
        playable = {int(at) // KINDS * CARDS + int(at) % KINDS for at in possible}
        assert playable == wanted
        home = start.to_plain().place[0] > 20
        assert ahead.bank[table] == followed(laid_out(game, key), int(home), CHEST, None)
        for action in playable:
            dwarf, card = divmod(action, CARDS)
            for lost in (None, *range(int(ahead.purse[table]) + 1)):
                outcome = 0 if lost is None else 1 + lost
                assert ahead.after[table, dwarf * KINDS + card, outcome] == followed(
                    laid_out(game, key), dwarf, card, lost
                )
                outcomes += 1
    assert outcomes > 800


def random_rounds(count: int, seed: int) -> tuple[training.Ahead, training.Values]:
    """Rounds with random values, some cards missing, purses of up to five coins."""
    random = np.random.default_rng(seed)
    purse = random.integers(0, 6, count)
    possible = random.random((count, training.CARDS)) < 0.7
    nothing: Any = None
    ahead = training.Ahead(nothing, nothing, possible, nothing, nothing, purse)
    well, bank = random.random((count, training.CARDS)), random.random(count) * 0.6
    return ahead, training.Values(well, random.random((count, training.CARDS, 6)) * 0.8, bank)


def test_rounds_are_solved_as_matrix_games_are() -> None:
    ahead, values = random_rounds(300, 3)
    solved = training.solve(np, ahead, values)
    assert solved.lay.sum(1) == pytest.approx(1)
    assert solved.lay.min() >= -1e-6
    for table in range(300):
        coins, best = int(ahead.purse[table]), float(values.bank[table])
        for dwarf in range(2):
            cards = [dwarf * KINDS + card for card in range(KINDS) if ahead.possible[table, dwarf * KINDS + card]]
            if not cards:
                continue
            game = np.full((len(cards) + 1, KINDS), values.bank[table])
            for row, card in enumerate(cards):
                kept = values.kept[table, card, : coins + 1]
                game[row] = values.well[table, card]
                game[row, card % KINDS] = ((kept + kept[::-1]) / 2).max()
            value, _, _ = matrix_game.solution(game)
            best = max(best, value)
            laid = solved.lay[table, cards]
            if laid.sum() > 0:  # what is laid holds its value, whatever the dragon does
                mixed = np.append(laid, solved.lay[table, -1])
                assert (mixed @ game).min() == pytest.approx(value, abs=1e-4)
            # and where the dragon waits, no card of this dwarf brings more
            caught = solved.caught[table, cards]
            assert caught.sum() <= 1 + 1e-5
            for row, (card, share) in enumerate(zip(cards, caught, strict=True)):
                elsewhere, here = game[row, (card + 1) % KINDS], game[row, card % KINDS]
                assert share * here + (1 - share) * elsewhere <= value + 1e-4 or here > elsewhere
        assert solved.value[table] == pytest.approx(best, abs=1e-5)


def test_what_was_thought_is_set_right_by_what_came_later() -> None:
    def transition(value: float, then: float, changed: bool = False, over: bool = False, straight: bool = True) -> Any:
        made = (np.array([each]) for each in (value, then, changed, over, straight))
        return training.Transition(None, *made)

    last = transition(0.7, 0.0)
    (first, _) = training.targets(np, [transition(0.6, 0.5), last], 0.8)
    assert first[0] == pytest.approx(0.6 + 0.8 * 0.2)  # what followed has the value 0.7, and was 0.5 before
    (first, _) = training.targets(np, [transition(0.6, 0.5, changed=True), last], 0.8)
    assert first[0] == pytest.approx(0.6 + 0.8 * (0.3 - 0.5), abs=1e-4)
    for first_one in (transition(0.6, 1.0, over=True), transition(0.6, 0.5, straight=False)):
        assert training.targets(np, [first_one, last], 0.8)[0][0] == 0.6


# --- The training ---------------------------------------------------------------------------------------------------
def test_a_small_cave_is_learned_nearly_as_it_is() -> None:
    found = cave.Cave(cave.TINY)
    value, last = found.solve(), dict[str, Any]()
    plan = training.Plan(rounds=60, tables=512, blocks=2, examine=60)
    training.learn(found.game, devices.CpuDevice(found.game, STEPS), plan, lambda weights, curve: last.update(weights))
    numbers = [*range(FIRST, len(found.graph), 25)]

    def error(evaluator: Evaluator) -> float:
        solver = DepthLimitedSolver(found.game, evaluator, 1)
        thought = [solver.network_values([int(found.graph[number]["key"])])[0] for number in numbers]
        return float(np.abs(np.array(thought) - value[numbers]).mean())

    learned, fresh = (
        error(network_weights.evaluator_with(weights, encoding.Evaluator))
        for weights in (last, network.fresh_weights(encoding.INPUTS, 1))
    )
    assert learned < 0.5 * fresh
    assert DepthLimitedSolver(found.game, network_weights.evaluator_with(last, encoding.Evaluator), 1).network_values(
        [encoding.OPENING]
    )[0] == pytest.approx(value[FIRST], abs=0.04)


def test_the_same_seed_teaches_the_same() -> None:
    game, results = the_cave(), list[dict[str, Any]]()
    for seed in (1, 1, 2):
        last = dict[str, Any]()
        plan = training.Plan(rounds=2, tables=32, blocks=2, steps=4, examine=2, seed=seed)
        training.learn(
            game, devices.CpuDevice(game, STEPS), plan, lambda weights, curve, last=last: last.update(weights)
        )
        results.append({name: value.copy() for name, value in last.items()})
    assert all((results[0][name] == results[1][name]).all() for name in results[0])
    assert (results[0]["first"] != results[2]["first"]).any()


def test_the_command_teaches_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--on", "cpu", "--quick", "--rounds", "4", "--into", str(tmp_path)])
    output = capsys.readouterr().out
    assert "After 4 rounds, 8,192 choices" in output
    assert "who leads first wins" in output
    assert (tmp_path / "value-2.csv").read_text().splitlines()[0] == "round,choices,seconds,loss,unrest,opening"
    assert network_weights.read(tmp_path, "dragons-cave", the_cave().rules_version).keys() == {2}


def test_shares_of_two_are_learned_for_two() -> None:
    sight = np.random.default_rng(1).random((encoding.INPUTS, 3)).astype(np.float32)
    shares = network.shares(network.fresh_weights(encoding.INPUTS, 1), sight, np.full(3, 2))
    assert shares.shape == (MOST_SEATS, 3)
    assert shares[:2].sum(0) == pytest.approx(1)


@pytest.mark.skipif(not find_spec("cupy"), reason="needs an NVIDIA card and CuPy, and there are none here")
def test_a_card_follows_rounds_as_a_processor_does() -> None:
    game = the_cave()
    found = np.array(met(game, 20))
    here = training.Rounds(devices.CpuDevice(game, STEPS), game).ahead(found)
    card = devices.CudaDevice(game, STEPS)
    there = training.Rounds(card, game).ahead(card.xp.asarray(found))
    for mine, theirs in zip(here, there, strict=True):
        assert theirs.get() == pytest.approx(mine)


# --- Who learns to beat it ------------------------------------------------------------------------------------------
def a_duel(tables: int = 64) -> tuple[reply.Duel, training.Rounds]:
    game = the_cave()
    rounds = training.Rounds(devices.CpuDevice(game, STEPS), game)
    return reply.Duel(rounds, tables, 0.3, 1), rounds


def opinions(seed: int) -> network.Weights:
    """Weights that know nothing, but have opinions."""
    weights = network.fresh_weights(encoding.INPUTS, seed)
    weights["third"] = np.random.default_rng(seed).normal(0, 0.3, weights["third"].shape).astype(np.float32)
    return weights


def test_a_reply_is_worth_at_least_what_the_bot_expects() -> None:
    """With the bot's network for both roles, the value of the best response is the bot's own."""
    duel, rounds = a_duel()
    weights = opinions(3)
    for _ in range(6):
        duel.step(weights, [weights, weights])
    ahead = rounds.ahead(duel.keys)
    bot = training.solve(np, ahead, training.network_values(np, weights, ahead))
    found = {
        role: reply.best(
            np, ahead, reply.of_adversary(np, [weights, weights], ahead, np.full(64, role)), bot, np.full(64, role)
        )
        for role in (reply.LEADS, reply.GUARDS)
    }
    assert found[reply.LEADS].value == pytest.approx(bot.value, abs=2e-4)
    assert found[reply.GUARDS].value == pytest.approx(1 - bot.value, abs=2e-4)


def test_roles_are_changed_when_a_card_is_met_or_banked_and_games_are_won_by_one() -> None:
    duel, _ = a_duel(200)
    weights, ended, seen = opinions(1), list[float](), set[int]()
    for _ in range(150):
        before = duel.role
        transition, role = duel.step(weights, [opinions(2), opinions(4)])
        assert (role == before).all()
        seen |= {*(before * 2 + duel.role)[~transition.over].tolist()}
        assert (duel.role[transition.over] == duel.first[transition.over]).all()
        ended += transition.then[transition.over].tolist()
        assert transition.value.min() > -1e-6
        assert transition.value.max() < 1 + 1e-6
    assert seen == {0, 1, 2, 3}
    assert {*ended} <= {0.0, 0.5, 1.0}
    assert len(ended) > 100


def test_one_that_knows_nothing_is_soon_beaten() -> None:
    game, wins = the_cave(), list[float]()
    plan = reply.Plan(rounds=16, tables=256, blocks=2, examine=16, examined=128)
    known = opinions(5)
    reply.learn(
        game, devices.CpuDevice(game, STEPS), known, plan, lambda nets, curve: wins.append(curve.rows[-1]["wins"])
    )
    assert wins[-1] > max(wins[0], 0.6)


def test_the_command_says_how_much_is_won(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wish = ["--reply", "--on", "cpu", "--quick", "--rounds", "2", "--into", str(tmp_path)]
    main(wish)
    assert "After 2 rounds who knows mixer:1 wins" in capsys.readouterr().out
    assert (tmp_path / "reply-2.csv").read_text().splitlines()[0] == "round,wins,error"
    for folder in reply.folders(tmp_path):
        assert network_weights.read(folder, "dragons-cave", the_cave().rules_version).keys() == {2}


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        (["--quick"], "--into FOLDER"),
        (["--rounds", "0"], "--rounds: must be 1 or more (got '0')"),
        (["--seed", "-1"], "--seed: must be a whole number from 0 to 2^62 - 1 (got '-1')"),
    ],
)
def test_what_teaches_nothing_is_refused(wish: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*wish, "--on", "cpu"])
    assert answer in capsys.readouterr().err


# --- Cards ----------------------------------------------------------------------------------------------------------
def test_the_step_is_compiled_for_cards_without_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cuda, "PTX_FOLDER", tmp_path)
    game = the_cave()
    main(["--ptx"])
    assert "dragons-cave.follow.ptx: " in capsys.readouterr().out
    path = devices.ready_ptx(game, "follow", STEPS)
    with pytest.raises(DracothequeError, match="made from other rules"):  # what is passed is a part of it
        cuda.ready_ptx(game.definition, "follow", STEPS.made_of[1:])
    assert path.read_text().count(".param .u64") == 1 + 7 * 6 + 2

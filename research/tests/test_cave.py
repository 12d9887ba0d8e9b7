"""Dragon's Cave for two in a small cave: all positions, the equilibrium and its proof, the adversary."""

from __future__ import annotations

import itertools
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dracotheque import Game, load_game
from dracotheque.bots.mcts_bot import SearchBudget
from dracotheque.bots.player_view import Bot, player_view
from dracotheque.engine.errors import DracothequeError
from dracotheque.games.dragons_cave.equilibrium import encoding, positions, round_graph
from dracotheque.games.dragons_cave.equilibrium.bot import EquilibriumBot
from dracotheque.games.dragons_cave.equilibrium.lookahead import DepthLimitedSolver
from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST, FISTS, LOST, NONE, SHARED, WON
from dracotheque.games.dragons_cave.rules.state import (
    CHEST,
    HOLD,
    KINDS,
    LEFT_FIST,
    NICHE,
    PLACE,
    SEAL,
    SECOND_DWARF,
    SPLIT,
)  # fmt: skip
from research.dragons_cave import cave, cave_adversary, cave_bots, cave_stages
from research.dragons_cave.cave_exploiter import Exploiter
from research.shared.solve import main
from research.training import cave_reply


@cache
def tiny() -> tuple[cave.Cave, cave.Array, cave.Strategy]:
    found = cave.Cave(cave.TINY)
    value = found.solve()
    return found, value, found.equilibrium(value)


# --- Positions ------------------------------------------------------------------------------------------------------
def test_rounds_are_those_of_interpreted_rules() -> None:
    found, _, _ = tiny()
    known = {int(key): number for number, key in enumerate(found.graph["key"]) if number >= FIRST}
    game = load_game("dragons-cave", players=2, board=cave.TINY, first_dragon="2", interpreted=True)
    state, chance, purses = game.new_initial_state(), random.Random(2), 0

    def number_of() -> int:
        if state.is_terminal():
            return {(0,): WON, (1,): LOST, (0, 1): SHARED}[tuple(state.winners())]
        record = np.frombuffer(state.record(), round_graph.State)
        return known[int(round_graph.key_of(record[0]))]

    for number in chance.sample(range(FIRST, len(found.graph)), 50):
        here, before = found.graph[number], found.record(number).tobytes()
        for second, card, niche in itertools.product(range(2), range(KINDS + 1), range(KINDS)):
            cave_bots.put(state, before)
            if state.to_plain().phase == PLACE:
                state.apply_action(NICHE + niche)
                assert number_of() == here["chest"]
            elif (second * SECOND_DWARF + card) in state.legal_actions(0):
                state.apply_action(second * SECOND_DWARF + card)
                state.apply_action(NICHE + niche)
                if card == CHEST:
                    assert number_of() == here["chest"]
                elif here["ahead"][second, card] == NONE:  # the second dwarf beside the first
                    assert second == 1
                elif niche != card:
                    assert number_of() == here["ahead"][second, card]
                elif state.to_plain().phase == SPLIT:
                    purse = found.purses[FISTS - here["fright"][second, card]]
                    lost = chance.randrange(int(purse["coins"]) + 1)
                    state.apply_action(HOLD + lost)
                    state.apply_action(LEFT_FIST)
                    assert number_of() == found.after[purse["first"] + lost]
                    purses += 1
                else:
                    assert number_of() == here["fright"][second, card]
    assert purses > 8


def test_a_cave_with_too_many_positions_is_refused() -> None:
    with pytest.raises(DracothequeError, match="more than 100,000 positions"):
        cave.Cave("small", most=100_000)


def test_values_that_do_not_converge_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cave, "MAX_SWEEPS", 5)
    with pytest.raises(DracothequeError, match="5 sweeps did not converge"):
        tiny()[0].solve()


# --- The equilibrium ------------------------------------------------------------------------------------------------
def test_a_best_response_gains_nothing_against_the_equilibrium() -> None:
    found, value, mixed = tiny()
    dwarf, dragon = found.best_response(mixed)
    assert (dwarf - value).max() < 1e-9
    assert (dragon - 1 + value).max() < 1e-9
    assert found.exploitability(mixed) == pytest.approx(0, abs=1e-9)
    assert 0.5 < value[FIRST] < 0.9


def test_a_worse_strategy_is_exploited() -> None:
    found, value, mixed = tiny()
    lay, place = mixed.lay.copy(), mixed.place.copy()
    lay[FIRST] = 0.0
    lay[FIRST, 0, 4] = 1.0
    place[FIRST] = np.eye(KINDS)[4]
    assert found.best_response(replace(mixed, lay=lay))[1][FIRST] > 1 - value[FIRST] + 0.05
    assert found.best_response(replace(mixed, place=place))[0][FIRST] > value[FIRST] + 0.05
    assert found.exploitability(replace(mixed, guess=np.ones_like(mixed.guess))) > 1e-4


def test_a_coin_in_the_own_chest_in_place_of_the_others_never_hurts() -> None:
    found, value, _ = tiny()
    known = {int(key): number for number, key in enumerate(found.graph["key"])}
    pairs = 0
    for key, number in known.items():
        if number >= FIRST and key & positions.MASK:
            better = known.get(key - 1 + (1 << positions.BITS))
            if better is not None:
                assert value[better] >= value[number] - 1e-9
                pairs += 1
    assert pairs > 100


# --- Bots in the cave -----------------------------------------------------------------------------------------------
def test_what_the_equilibrium_gives_away_in_a_stage_is_nothing() -> None:
    found, value, mixed = tiny()
    stages = cave_stages.Stages(found, value)
    positions, purses = cave_stages.met(found, mixed, 80, 1)
    assert len(positions) > 30
    assert len(purses) > 5
    for number in positions[:40]:
        laid = {second * 6 + card: mixed.lay[number, second, card] for second in range(2) for card in range(6)}
        placed = {
            second: {NICHE + niche: mixed.place[number, second, niche] for niche in range(KINDS)}
            for second in stages.dwarves(number)
        }
        assert stages.laid(number, laid) == pytest.approx(0, abs=1e-5)
        assert stages.placed(number, placed) == pytest.approx(0, abs=1e-5)
        worst = max(stages.laid(number, {action: 1.0}) for action, share in laid.items() if share > 0)
        assert worst > 1e-4 or max(laid.values()) > 1 - 1e-9  # who mixes must not always lay the same card
    for purse in purses[:10]:
        coins = int(found.purses[purse]["coins"])
        assert stages.guessed(purse, {LEFT_FIST: 0.5, LEFT_FIST + 1: 0.5}) == pytest.approx(0, abs=1e-5)
        assert stages.guessed(purse, {LEFT_FIST: 1.0, LEFT_FIST + 1: 0.0}) > 1e-4
        one = {HOLD + left: float(left == coins) for left in range(coins + 1)}
        assert stages.split(purse, one) > 1e-4


def test_policies() -> None:
    weights = {3: 10.0, 4: 9.0, 5: 1.0}
    assert cave_bots.nearly(weights) == {3: 0.5, 4: 0.5, 5: 0.0}
    assert cave_bots.most(weights) == {3: 1.0, 4: 0.0, 5: 0.0}
    assert cave_bots.whole(weights) == cave_bots.leaning(0)(weights) == {3: 0.5, 4: 0.45, 5: 0.05}
    assert cave_bots.leaning(0.5)(weights) == {3: 10 / 19, 4: 9 / 19, 5: 0.0}


def test_a_search_that_thinks_longer_mixes_better_and_a_plain_one_does_not_mix() -> None:
    found, value, mixed = tiny()
    table, stages = cave_bots.Table(found), cave_stages.Stages(found, value)
    positions, _ = cave_stages.met(found, mixed, 20, 3)

    def loss(simulations: int, plain: bool, policy: cave_bots.Policy) -> float:
        thinker = cave_bots.Thinker(found.game, simulations, 5, plain)
        return float(np.mean([stages.laid(at, thinker.strategy(table.laying(at), policy, 2)) for at in positions[:25]]))

    short, long = (loss(simulations, False, cave_bots.whole) for simulations in (60, 6000))
    assert long < 0.6 * short
    assert loss(6000, True, cave_bots.most) > 2 * long


@pytest.mark.parametrize("plain", [False, True])
def test_what_is_thought_of_a_position_does_not_depend_on_what_was_asked_before(plain: bool) -> None:
    found, _, mixed = tiny()
    table = cave_bots.Table(found)
    positions = cave_stages.met(found, mixed, 20, 3)[0][:6]

    def asked(order: list[int]) -> dict[int, cave_bots.Weights]:
        thinker = cave_bots.Thinker(found.game, 40, 5, plain)
        return {at: thinker.strategy(table.laying(at), cave_bots.whole, 3) for at in order}

    assert asked(positions) == asked(positions[::-1])


def test_a_tabulated_search_is_a_strategy() -> None:
    found, _, _ = tiny()
    filled = cave_bots.Tabulated(found, cave_bots.Thinker(found.game, 16, 1, plain=True), cave_bots.most, 1)
    strategy = filled.fill()
    led, guarded = [*filled.led], [*filled.guarded]
    assert len(led) > 500
    assert np.allclose(strategy.lay[led].sum((1, 2)), 1)
    assert np.allclose(strategy.place[guarded].sum(2), 1)
    assert 0.2 < found.exploitability(strategy) <= 0.5


# --- Adversaries ----------------------------------------------------------------------------------------------------
def known_search(seed: int, kind: str, simulations: int) -> cave_adversary.KnownSearch:
    return cave_adversary.KnownSearch(seed, cave_adversary.KINDS[kind], SearchBudget(simulations=simulations), 2)


ADVERSARIES: dict[str, Callable[[cave_adversary.Known, Game], Bot]] = {
    "searches": lambda known, game: cave_adversary.Adversary(9, known, 600),
    "solves rounds": lambda known, game: cave_adversary.SolverAdversary(9, known, 5),
    "learned": lambda known, game: Exploiter(9, known, game),
}


@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_an_adversary_does_not_know_the_sealed_card(adversary: str) -> None:
    game, choices = load_game("dragons-cave", players=2, first_dragon="1"), set[int]()
    for card in (0, 2, 4, CHEST):
        state = game.new_initial_state()
        state.apply_action(card, 1)
        seen = player_view(state, 0)
        before = seen.state.bytes()
        choices.add(ADVERSARIES[adversary](known_search(9, "search", 100), game).choose(seen))
        assert seen.state.bytes() == before
    assert len(choices) == 1


@pytest.mark.parametrize("kind", cave_adversary.KINDS)
def test_the_adversary_beats_who_it_knows(kind: str) -> None:
    game, known, plan = (
        load_game("dragons-cave", players=2, board="small"),
        cave_adversary.KINDS[kind],
        SearchBudget(None, 150),
    )

    def adversary(seed: int, bot: object) -> cave_adversary.Adversary:
        return cave_adversary.Adversary(seed, known_search(seed, kind, 150), 600)

    shares = [cave_adversary.match(game, lambda seed: known.make(seed, plan), adversary, at)[0] for at in range(6)]
    assert np.mean(shares) > 0.6


def test_one_that_solves_rounds_beats_a_search_it_knows() -> None:
    game, known, plan = load_game("dragons-cave", players=2), cave_adversary.KINDS["search"], SearchBudget(None, 100)

    def adversary(seed: int, bot: object) -> cave_adversary.SolverAdversary:
        return cave_adversary.SolverAdversary(seed, known_search(seed, "search", 100), 5)

    shares = [cave_adversary.match(game, lambda seed: known.make(seed, plan), adversary, at)[0] for at in range(6)]
    assert np.mean(shares) > 0.8


def test_an_untrained_exploiter_values_rounds_as_the_bot_does(tmp_path: Path) -> None:
    game, chance, compared = load_game("dragons-cave", players=2), random.Random(4), set[int]()
    for folder in cave_reply.folders(tmp_path):
        folder.mkdir()
        shutil.copy(game.definition.folder / "models/value-2.npz", folder)
    state, known = game.new_initial_state(), cave_adversary.KnownEquilibriumBot(EquilibriumBot(1, 1))
    exploiter, adversary = Exploiter(1, known, game, tmp_path), cave_adversary.SolverAdversary(1, known, 1)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
            continue
        seat = state.current_player()
        seen = player_view(state, seat)
        action = exploiter.choose(seen)
        assert action in seen.legal_actions
        if seen.state.phase in (SEAL, PLACE) and len(seen.legal_actions) > 1:
            adversary.choose(seen)
            network_values = adversary.payoff(seen)
            # What cannot be played, and the Chest beside the farther dwarf, is in one place only.
            mine = np.where(network_values < 0, network_values, exploiter.payoff(seen))
            assert mine == pytest.approx(network_values, abs=2e-3)
            compared.add(seen.state.phase)
        state.apply_action(chance.choice([action, chance.choice(seen.legal_actions)]), seat)
    assert compared == {SEAL, PLACE}


def test_the_trained_exploiter_beats_the_bot_it_was_trained_against() -> None:
    game = load_game("dragons-cave", players=2)

    def exploiter(seed: int, bot: EquilibriumBot) -> Exploiter:
        return Exploiter(seed, cave_adversary.KnownEquilibriumBot(bot), game)

    shares = [cave_adversary.match(game, lambda seed: EquilibriumBot(seed, 1), exploiter, at)[0] for at in range(60)]
    assert np.mean(shares) > 0.58


def test_an_exploiter_without_weights_is_refused(tmp_path: Path) -> None:
    game = load_game("dragons-cave", players=2)
    with pytest.raises(DracothequeError, match="no weights of this rules version"):
        Exploiter(1, cave_adversary.KnownEquilibriumBot(EquilibriumBot(1, 1)), game, tmp_path)


def test_a_known_equilibrium_bot_is_known_exactly_and_not_changed() -> None:
    game = load_game("dragons-cave", players=2)
    bot, chance = EquilibriumBot(1, 5, 50), random.Random(2)
    known, state, asked = cave_adversary.KnownEquilibriumBot(bot), game.new_initial_state(), 0
    while not state.is_terminal() and asked < 40:
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
            continue
        seat = state.current_player()
        if seat == 1:
            state.apply_action(chance.choice(state.legal_actions(1)))
            continue
        shown, before = player_view(state, 0), (bot.opponent_priors, bot.last, bot.random.getstate())
        (strategy,) = known.strategies([shown])
        assert (bot.opponent_priors, bot.last, bot.random.getstate()) == before
        assert strategy == pytest.approx(bot.think(shown).strategy)
        action = bot.choose(shown)
        assert strategy[action] > 0
        state.apply_action(action)
        asked += 1
    assert asked > 10


# --- The bot that mixes, beside the truth ---------------------------------------------------------------------------
def untrained() -> Any:
    """An untrained evaluator: all positions are even."""
    return np.zeros(1, encoding.Evaluator)


def test_where_everything_is_solved_the_strategies_are_the_equilibrium() -> None:
    """With room for the whole tiny cave nothing that was learned is asked, and values are those of the solution."""
    found = cave.Cave(cave.TINY)
    value = found.solve()
    solver = DepthLimitedSolver(found.game, untrained(), found.positions)
    for number in (FIRST, FIRST + 100, FIRST + 2_000, len(found.graph) - 1):
        assert solver.values([int(found.graph[number]["key"])])[0] == pytest.approx(value[number], abs=2e-3)
    state = found.game.new_initial_state()
    best = found.equilibrium(value)
    opening = solver.round(state.to_plain())
    assert opening.lay.sum(0) == pytest.approx(best.lay[FIRST].sum(0), abs=0.01)
    assert opening.place[0] == pytest.approx(best.place[FIRST, 0], abs=0.01)


def test_a_larger_budget_has_smaller_errors() -> None:
    found = cave.Cave(cave.TINY)
    value = found.solve()
    keys_of = [int(found.graph[number]["key"]) for number in range(FIRST, FIRST + 3_000, 60)]
    true = np.array([value[number] for number in range(FIRST, FIRST + 3_000, 60)])
    errors = []
    for budget in (1, 30, 900):
        solver = DepthLimitedSolver(found.game, untrained(), budget)
        errors.append(float(np.abs([solver.values([key])[0] for key in keys_of] - true).mean()))
    assert errors[0] > 1.2 * errors[1] > 1.4 * errors[2]


# --- The command ----------------------------------------------------------------------------------------------------
def test_the_command_solves_and_checks_a_cave(capsys: pytest.CaptureFixture[str]) -> None:
    main(["dragons-cave", "--board", str(cave.TINY), "--check"])
    output = capsys.readouterr().out
    assert "The tiny cave: 6,239 positions for two" in output
    assert "Who leads the dwarves first wins 69.93" in output
    assert "from any of the 6,239 positions" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dragons-cave", "--board", "nowhere.toml"], "nowhere.toml"),
        (["dragons-cave", "--write", "cave.npz"], "Remove --write"),
        (["save-the-dragon", "--board", "small"], "leave --board away"),
        (["emerald"], "small enough"),
        (["save-the-dragon", "--check", "--write", "stairs.npz"], "--check keeps nothing"),
        (["save-the-dragon", "--check", "--positions", "0"], "0 positions prove nothing"),
        (["save-the-dragon", "--write", "nowhere/stairs.npz"], "There is no folder nowhere"),
        (["save-the-dragon", "--write", "."], "is a folder"),
    ],
)
def test_what_cannot_be_solved_is_explained(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(arguments)
    assert message in capsys.readouterr().err
    assert not any(tmp_path.iterdir())

"""Dragon's Cave for two in a small cave: matrix games, all positions, the equilibrium and its proof, the adversary."""

from __future__ import annotations

import itertools
import random
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from dracotheque import Game, load_game
from dracotheque.bots.mixing import MixingBot
from dracotheque.bots.search import Plan
from dracotheque.bots.view import Bot, view
from dracotheque.cli import main
from dracotheque.engine.errors import DracothequeError
from dracotheque.games.dragons_cave import positions
from dracotheque.games.dragons_cave.state import CHEST, HOLD, KINDS, LEFT_FIST, NICHE, PLACE, SEAL, SECOND_DWARF, SPLIT
from dracotheque.lab import cave_adversary, cave_bots
from dracotheque.lab.cave_pupil import Pupil
from dracotheque.lab.train import cave_reply
from dracotheque.solve import cave, cave_matrix, cave_rounds, cave_stages
from dracotheque.solve.cave_rounds import FIRST, FISTS, LOST, NONE, SHARED, WON


@cache
def tiny() -> tuple[cave.Cave, cave.Array, cave.Strategy]:
    found = cave.Cave(cave.TINY)
    value = found.solved()
    return found, value, found.best(value)


# --- Matrix games ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "value", "rows", "columns"),
    [
        ([[1, 0], [0, 1]], 0.5, [0.5, 0.5], [0.5, 0.5]),
        ([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),
        ([[3, 0], [1, 2]], 1.5, [0.25, 0.75], [0.5, 0.5]),
        ([[2, 3], [1, 0]], 2, [1, 0], [1, 0]),  # nobody mixes
        ([[0.25]], 0.25, [1], [1]),
        ([[1, 0, 0], [0, 2, 0], [0, 0, 4]], 4 / 7, [4 / 7, 2 / 7, 1 / 7], [4 / 7, 2 / 7, 1 / 7]),
    ],
)
def test_known_games(game: list[list[float]], value: float, rows: list[float], columns: list[float]) -> None:
    found, best_rows, best_columns = cave_matrix.solved(game)
    assert found == pytest.approx(value, abs=1e-12)
    assert best_rows == pytest.approx(rows)
    assert best_columns == pytest.approx(columns)


def by_trial(game: cave.Array) -> float:
    """The value of a game by trying every square part of it: one of them is completely mixed."""
    best = -np.inf
    high, wide = game.shape
    for size in range(1, min(high, wide) + 1):
        for rows in itertools.combinations(range(high), size):
            for columns in itertools.combinations(range(wide), size):
                part = np.vstack([np.c_[game[np.ix_(rows, columns)].T, -np.ones(size)], [*[1.0] * size, 0.0]])
                if abs(np.linalg.det(part)) > 1e-9:
                    mixed = np.linalg.solve(part, [*[0.0] * size, 1.0])[:size]
                    if (mixed > -1e-12).all():
                        best = max(best, (mixed @ game[list(rows)]).min())
    return best


def test_random_games_by_the_simplex_method_and_by_trial() -> None:
    chance = np.random.default_rng(4)
    for number in range(150):
        game = chance.random((chance.integers(1, 5), chance.integers(1, 5)))
        if number % 3 == 0:
            game = np.round(4 * game) / 4  # many draws
        value, rows, columns = cave_matrix.solved(game)
        assert value == pytest.approx(by_trial(game), abs=1e-9)
        assert rows.sum() == pytest.approx(1)
        assert columns.sum() == pytest.approx(1)
        assert min(rows.min(), columns.min()) >= 0
        assert (rows @ game).min() == pytest.approx(value, abs=1e-9) == (game @ columns).max()


def test_splitting_a_purse_is_a_matrix_game_with_a_short_answer() -> None:
    chance = np.random.default_rng(7)
    for _ in range(100):
        coins = int(chance.integers(1, 12))
        worth = np.sort(chance.random(coins + 1))[::-1].copy()
        part = cave_matrix.best_split(worth, coins)
        value, _, guess = cave_matrix.solved(np.stack([worth, worth[::-1]], axis=1))
        assert value == pytest.approx((worth[part] + worth[coins - part]) / 2, abs=1e-12)
        assert np.max(np.stack([worth, worth[::-1]], axis=1) @ [0.5, 0.5]) == pytest.approx(value, abs=1e-12)
        assert guess.sum() == pytest.approx(1)


# --- Positions ------------------------------------------------------------------------------------------------------
def test_rounds_are_those_of_interpreted_rules() -> None:
    found, _, _ = tiny()
    known = {int(key): number for number, key in enumerate(found.graph["key"]) if number >= FIRST}
    game = load_game("dragons-cave", players=2, board=cave.TINY, first_dragon="2", interpreted=True)
    state, chance, purses = game.new_initial_state(), random.Random(2), 0

    def number_of() -> int:
        if state.is_terminal():
            return {(0,): WON, (1,): LOST, (0, 1): SHARED}[tuple(state.winners())]
        record = np.frombuffer(state.record(), cave_rounds.State)
        return known[int(cave_rounds.key_of(record[0]))]

    for number in chance.sample(range(FIRST, len(found.graph)), 50):
        here, before = found.graph[number], found.record(number).tobytes()
        for second, card, niche in itertools.product(range(2), range(KINDS + 1), range(KINDS)):
            cave_bots.put(state, before)
            if state.table().phase == PLACE:
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
                elif state.table().phase == SPLIT:
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


def test_rich_caves_never_write_beyond_their_room() -> None:
    """One round may bring hundreds of new positions: a purse of sixty coins can be split in as many ways."""
    usual = tomllib.loads(cave.TINY.read_text())
    path = [f"{kind} {coins}" for kind, coins in zip(usual["kinds"], (28, 60, 31, 35, 14), strict=True)]
    rich = usual | {"treasure": 60, "lair": 48, "path": path}
    game = load_game("dragons-cave", players=2, first_dragon="2", board=rich)
    desk, most = np.zeros(4, cave_rounds.State), 0
    desk[0] = np.frombuffer(game.beginning[0], cave_rounds.State)[0]
    for room in range(1_000, 9_000, 250):
        graph, purses = np.zeros(12_000, cave_rounds.Graph), np.zeros(12_000, cave_rounds.Purse)
        after = np.zeros(48_000, np.int32)
        slots, purse_slots = np.zeros(1 << 15, np.int32), np.zeros(1 << 15, np.int32)
        sizes = np.array([FIRST, FIRST + 1, 1, 0])
        graph[FIRST]["key"] = cave_rounds.key_of(desk[0])
        slots[cave_rounds.find(slots, graph, graph[FIRST]["key"])] = FIRST
        known = FIRST + 1
        while cave_rounds.explore(desk, graph[:room], slots, purses, purse_slots, after, sizes, 1):
            most, known = max(most, sizes[1] - known), sizes[1]
        assert sizes[1] <= room
        assert not graph["key"][room:].any()
    assert 100 < most <= cave_rounds.NEW


def test_values_that_never_settle_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cave, "SWEEPS", 5)
    with pytest.raises(DracothequeError, match="5 sweeps did not settle"):
        tiny()[0].solved()


# --- The equilibrium ------------------------------------------------------------------------------------------------
def test_nobody_gains_anything_against_the_equilibrium() -> None:
    found, value, mixed = tiny()
    dwarf, dragon = found.against(mixed)
    assert (dwarf - value).max() < 1e-9
    assert (dragon - 1 + value).max() < 1e-9
    assert found.gain(mixed) == pytest.approx(0, abs=1e-9)
    assert 0.5 < value[FIRST] < 0.9


def test_who_mixes_worse_is_found_out() -> None:
    found, value, mixed = tiny()
    lay, place = mixed.lay.copy(), mixed.place.copy()
    lay[FIRST] = 0.0
    lay[FIRST, 0, 4] = 1.0
    place[FIRST] = np.eye(KINDS)[4]
    assert found.against(replace(mixed, lay=lay))[1][FIRST] > 1 - value[FIRST] + 0.05
    assert found.against(replace(mixed, place=place))[0][FIRST] > value[FIRST] + 0.05
    assert found.gain(replace(mixed, guess=np.ones_like(mixed.guess))) > 1e-4


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
        return float(np.mean([stages.laid(at, thinker.mixture(table.laying(at), policy, 2)) for at in positions[:25]]))

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
        return {at: thinker.mixture(table.laying(at), cave_bots.whole, 3) for at in order}

    assert asked(positions) == asked(positions[::-1])


def test_a_tabulated_search_is_a_strategy() -> None:
    found, _, _ = tiny()
    filled = cave_bots.Tabulated(found, cave_bots.Thinker(found.game, 16, 1, plain=True), cave_bots.most, 1)
    strategy = filled.fill()
    led, guarded = [*filled.led], [*filled.guarded]
    assert len(led) > 500
    assert np.allclose(strategy.lay[led].sum((1, 2)), 1)
    assert np.allclose(strategy.place[guarded].sum(2), 1)
    assert 0.2 < found.gain(strategy) <= 0.5


# --- Adversaries ----------------------------------------------------------------------------------------------------
def known_search(seed: int, kind: str, simulations: int) -> cave_adversary.KnownSearch:
    return cave_adversary.KnownSearch(seed, cave_adversary.KINDS[kind], Plan(simulations=simulations), 2)


ADVERSARIES: dict[str, Callable[[cave_adversary.Known, Game], Bot]] = {
    "searches": lambda known, game: cave_adversary.Adversary(9, known, 600),
    "reckons": lambda known, game: cave_adversary.Reckoner(9, known, 5),
    "learned": lambda known, game: Pupil(9, known, game),
}


@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_an_adversary_does_not_know_the_sealed_card(adversary: str) -> None:
    game, choices = load_game("dragons-cave", players=2, first_dragon="1"), set[int]()
    for card in (0, 2, 4, CHEST):
        state = game.new_initial_state()
        state.apply_action(card, 1)
        seen = view(state, 0)
        before = seen.table.bytes()
        choices.add(ADVERSARIES[adversary](known_search(9, "search", 100), game).choose(seen))
        assert seen.table.bytes() == before
    assert len(choices) == 1


@pytest.mark.parametrize("kind", cave_adversary.KINDS)
def test_the_adversary_beats_who_it_knows(kind: str) -> None:
    game, known, plan = load_game("dragons-cave", players=2, board="small"), cave_adversary.KINDS[kind], Plan(None, 150)

    def adversary(seed: int, bot: object) -> cave_adversary.Adversary:
        return cave_adversary.Adversary(seed, known_search(seed, kind, 150), 600)

    shares = [cave_adversary.match(game, lambda seed: known.make(seed, plan), adversary, at)[0] for at in range(6)]
    assert np.mean(shares) > 0.6


def test_one_who_reckons_beats_a_search_it_knows() -> None:
    game, known, plan = load_game("dragons-cave", players=2), cave_adversary.KINDS["search"], Plan(None, 100)

    def reckoner(seed: int, bot: object) -> cave_adversary.Reckoner:
        return cave_adversary.Reckoner(seed, known_search(seed, "search", 100), 5)

    shares = [cave_adversary.match(game, lambda seed: known.make(seed, plan), reckoner, at)[0] for at in range(6)]
    assert np.mean(shares) > 0.8


def test_a_pupil_that_learned_nothing_yet_judges_rounds_as_the_bot_does(tmp_path: Path) -> None:
    game, chance, compared = load_game("dragons-cave", players=2), random.Random(4), set[int]()
    for folder in cave_reply.folders(tmp_path):
        folder.mkdir()
        shutil.copy(game.box.folder / "mind-2.npz", folder)
    state, known = game.new_initial_state(), cave_adversary.KnownMixer(MixingBot(1, 1))
    pupil, reckoner = Pupil(1, known, game, tmp_path), cave_adversary.Reckoner(1, known, 1)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
            continue
        seat = state.current_player()
        seen = view(state, seat)
        action = pupil.choose(seen)
        assert action in seen.legal
        if seen.table.phase in (SEAL, PLACE) and len(seen.legal) > 1:
            reckoner.choose(seen)
            judged = reckoner.payoff(seen)
            # What cannot be played, and the Chest beside the farther dwarf, is told in one place only.
            mine = np.where(judged < 0, judged, pupil.payoff(seen))
            assert mine == pytest.approx(judged, abs=2e-3)
            compared.add(seen.table.phase)
        state.apply_action(chance.choice([action, chance.choice(seen.legal)]), seat)
    assert compared == {SEAL, PLACE}


def test_a_pupil_that_learned_beats_the_bot_it_learned_from() -> None:
    game = load_game("dragons-cave", players=2)

    def pupil(seed: int, bot: MixingBot) -> Pupil:
        return Pupil(seed, cave_adversary.KnownMixer(bot), game)

    shares = [cave_adversary.match(game, lambda seed: MixingBot(seed, 1), pupil, at)[0] for at in range(60)]
    assert np.mean(shares) > 0.58


def test_a_pupil_without_what_it_learned_is_refused(tmp_path: Path) -> None:
    game = load_game("dragons-cave", players=2)
    with pytest.raises(DracothequeError, match="nothing that was learned under these rules"):
        Pupil(1, cave_adversary.KnownMixer(MixingBot(1, 1)), game, tmp_path)


def test_who_knows_a_mixer_knows_how_it_will_mix_and_changes_nothing() -> None:
    game = load_game("dragons-cave", players=2)
    bot, chance = MixingBot(1, 5, 50), random.Random(2)
    known, state, asked = cave_adversary.KnownMixer(bot), game.new_initial_state(), 0
    while not state.is_terminal() and asked < 40:
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
            continue
        seat = state.current_player()
        if seat == 1:
            state.apply_action(chance.choice(state.legal_actions(1)))
            continue
        shown, before = view(state, 0), (bot.hunches, bot.last, bot.random.getstate())
        (mixture,) = known.mixtures([shown])
        assert (bot.hunches, bot.last, bot.random.getstate()) == before
        assert mixture == pytest.approx(bot.think(shown).mixture)
        action = bot.choose(shown)
        assert mixture[action] > 0
        state.apply_action(action)
        asked += 1
    assert asked > 10


# --- The command ----------------------------------------------------------------------------------------------------
def test_the_command_solves_and_checks_a_cave(capsys: pytest.CaptureFixture[str]) -> None:
    main(["solve", "dragons-cave", "--board", str(cave.TINY), "--check"])
    told = capsys.readouterr().out
    assert "The tiny cave: 6,239 positions for two" in told
    assert "Who leads the dwarves first wins 69.93" in told
    assert "from any of the 6,239 positions" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["dragons-cave", "--board", "nowhere.toml"], "nowhere.toml"),
        (["dragons-cave", "--write", "cave.npz"], "leave --write away"),
        (["save-the-dragon", "--board", "small"], "leave --board away"),
        (["emerald"], "small enough"),
        (["save-the-dragon", "--check", "--write", "stairs.npz"], "--check keeps nothing"),
        (["save-the-dragon", "--check", "--positions", "0"], "0 positions prove nothing"),
        (["save-the-dragon", "--write", "nowhere/stairs.npz"], "There is no folder nowhere"),
        (["save-the-dragon", "--write", "."], "is a folder"),
    ],
)
def test_what_cannot_be_solved_is_explained(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(["solve", *arguments])
    assert told in capsys.readouterr().err
    assert not any(tmp_path.iterdir())

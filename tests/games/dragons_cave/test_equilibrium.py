"""The equilibrium bot of Dragon's Cave for two: its strategies, what it may know, and its opponent prior."""

from __future__ import annotations

import sys
import tomllib
from random import Random
from subprocess import run
from typing import Any

import numpy as np
import pytest

from dracotheque import DracothequeError, Game, load_game
from dracotheque.bots import is_known, make_bot
from dracotheque.bots.levels import bot_name
from dracotheque.bots.player_view import PlayerView, player_view
from dracotheque.engine.registry import find_game
from dracotheque.games.dragons_cave import bots
from dracotheque.games.dragons_cave.equilibrium import round_graph
from dracotheque.games.dragons_cave.equilibrium.bot import MAX_LOG_ODDS, EquilibriumBot, OpponentPrior, revealed_card
from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST
from dracotheque.games.dragons_cave.rules.state import CHEST, GUESS, HOLD, NICHE, ONLY_CHEST, PLACE, SEAL, SPLIT
from tests.bots.moments import moments, states, winners

pytestmark = pytest.mark.xdist_group("test_equilibrium")


def the_cave(**options: Any) -> Game:
    return load_game("dragons-cave", players=2, **options)


# --- Strategies -----------------------------------------------------------------------------------------------------
def test_every_choice_has_a_probability_and_a_value() -> None:
    bot, phases = EquilibriumBot(1, 5), set[int]()
    for seed in range(4):
        for shown in moments(the_cave(), seed):
            strategy, values, *_ = bot.think(shown)
            phases.add(shown.state.phase)
            assert strategy.keys() == values.keys() == {*shown.legal_actions}
            assert sum(strategy.values()) == pytest.approx(1)
            assert min(strategy.values()) >= 0
            assert all(-1e-6 <= value <= 1 + 1e-6 for value in values.values())
            assert bot.values(shown) == values
    assert phases == {SEAL, PLACE, SPLIT, GUESS}


def test_what_is_played_has_the_same_value_and_nothing_else_a_higher_one() -> None:
    bot = EquilibriumBot(1, 5)
    for shown in moments(the_cave(), 3):
        strategy, values, *_ = bot.think(shown)
        if shown.state.phase in (SEAL, SPLIT):
            best = max(values.values())
            assert all(values[action] == pytest.approx(best, abs=1e-5) for action, share in strategy.items() if share)


def test_a_purse_is_split_by_the_toss_of_a_coin_and_guessed_so() -> None:
    bot, seen = EquilibriumBot(1, 5), 0
    for shown in moments(the_cave(), 2):
        if shown.state.phase == SPLIT:
            strategy, coins = bot.think(shown).strategy, shown.state.purse[shown.seat]
            for left in range(coins + 1):
                assert strategy[HOLD + left] == strategy[HOLD + coins - left]
            seen += 1
        elif shown.state.phase == GUESS:
            assert set(bot.think(shown).strategy.values()) == {0.5}
    assert seen > 1


# --- Honesty --------------------------------------------------------------------------------------------------------
def test_the_sealed_card_changes_nothing() -> None:
    game = the_cave(first_dragon="1")
    strategies = list[dict[int, float]]()
    for card in (0, 2, 4, CHEST):
        state = game.new_initial_state()
        state.apply_action(card, 1)
        strategies.append(EquilibriumBot(1, 5, 50).think(player_view(state, 0)).strategy)
    assert all(each == strategies[0] for each in strategies)


def test_both_players_and_both_dwarves_are_treated_alike() -> None:
    shares = list[list[float]]()
    for dragon in ("1", "2"):
        state = the_cave(first_dragon=dragon).new_initial_state()
        seat = state.current_player()
        shares.append([*EquilibriumBot(1, 5).think(player_view(state, seat)).strategy.values()])
    assert shares[0] == shares[1]


# --- Opponent prior -------------------------------------------------------------------------------------------------
def test_the_card_that_was_played_is_read_from_the_state() -> None:
    known, unknown = 0, 0
    for seed in range(60):
        asked: dict[int, tuple[Any, int, int]] = {}
        state, chance = the_cave().new_initial_state(), Random(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(chance))
                continue
            seat = state.current_player()
            now, action = player_view(state, seat), chance.choice(state.legal_actions(seat))
            if seat in asked:
                before, niche, card = asked.pop(seat)
                revealed = revealed_card(before, niche, now.state, 1 - seat)
                assert revealed in (card, None)
                known, unknown = known + (revealed is not None), unknown + (revealed is None)
            if now.state.phase == PLACE:
                asked[seat] = now.state, action - NICHE, state.to_plain().card[1 - seat]
            state.apply_action(action, seat)
    assert known > 300
    assert unknown < 0.25 * known


def test_heuristic_choices_raise_the_prior_and_a_prior_of_0_stays_0() -> None:
    heuristic, optimal = np.array([0.7, 0.2, 0.1]), np.array([0.2, 0.4, 0.4])
    prior = OpponentPrior(0.0)
    assert prior.probability == 0.5
    assert prior.after(0, (heuristic, optimal)).probability > 0.7
    assert prior.after(1, (heuristic, optimal)).probability < 0.4
    for _ in range(40):
        prior = prior.after(0, (heuristic, optimal))
    assert prior.log_odds == MAX_LOG_ODDS
    zero = EquilibriumBot(1, 5, 0).opponent_priors.cards
    assert zero.probability == zero.after(0, (heuristic, optimal)).probability == 0


def play(bot: EquilibriumBot, other: str, seed: int) -> list[int]:
    """Let the bot play on the first seat; say who won."""
    return winners(the_cave(), [bot, make_bot(other, seed, the_cave())], seed)


def test_an_opponent_that_follows_the_heuristic_is_recognised_and_beaten() -> None:
    sure, won = 0, 0
    for seed in range(12):
        bot = EquilibriumBot(seed, 5, 50)
        won += 0 in play(bot, "greedy", seed)
        sure += bot.opponent_priors.cards.probability > 0.5
    assert won >= 11
    assert sure >= 9


def test_an_equilibrium_bot_is_not_mistaken_for_long() -> None:
    shares = list[float]()
    for seed in range(8):
        bot = EquilibriumBot(seed, 5, 50)
        play(bot, "mixer:5", seed)
        shares += [prior.probability for prior in bot.opponent_priors]
    assert np.mean(shares) < 0.3


def test_a_dragon_beats_the_dragon_of_before() -> None:
    wins = sum(0 in play(EquilibriumBot(seed, 60, 50), "search:600", seed) for seed in range(10))
    assert wins >= 7  # of 2,000 games against five times as many simulations it wins nine of ten


def test_thinking_twice_and_asking_for_values_changes_nothing() -> None:
    asked, silent = (EquilibriumBot(3, 5, 50) for _ in range(2))
    state, chance = the_cave(first_dragon="2").new_initial_state(), Random(5)
    for _ in range(60):
        if state.is_terminal():
            break
        seat = state.current_player()
        if seat == 0:
            asked.values(player_view(state, 0))
            asked.think(player_view(state, 0))
            action = asked.choose(player_view(state, 0))
            assert action == silent.choose(player_view(state, 0))
            assert asked.opponent_priors == silent.opponent_priors
        else:
            action = chance.choice(state.legal_actions(seat))
        state.apply_action(action, seat)


# --- Tables it knows, and others ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("players", "settings"), [(3, {}), (2, {"board": "small"}), (2, {"interpreted": True})], ids=str
)
def test_without_a_value_network_it_refuses_and_the_level_dragon_searches(
    players: int, settings: dict[str, Any]
) -> None:
    game = load_game("dragons-cave", players, **settings)
    assert not bots.has_equilibrium(game)
    assert bot_name("dragon", game) == bots.ELSEWHERE
    shown = next(shown for shown in moments(game, 1) if len(shown.legal_actions) > 2)
    with pytest.raises(DracothequeError, match="plays Dragon’s Cave only with two players"):
        make_bot("mixer", 1, game).choose(shown)


def test_the_level_dragon_is_the_equilibrium_bot_on_the_default_board() -> None:
    assert bot_name("dragon", the_cave()) == bots.LEVELS["dragon"]
    assert bot_name("knight", the_cave()) == bots.LEVELS["knight"]
    bot: Any = make_bot("dragon", 1, the_cave())
    shown: PlayerView = next(moments(the_cave(), 1))
    assert bot.choose(shown) in shown.legal_actions
    assert isinstance(bot, EquilibriumBot)
    bot.limit_time(0.01)
    assert bot.choose(shown) in shown.legal_actions


def test_bots_begin_every_game_without_memory() -> None:
    bots: list[Any] = [EquilibriumBot(seed, 5, 50) for seed in (1, 2)]
    game = the_cave()
    for seed in range(6):
        assert winners(game, bots, seed)
    shown = next(moments(game, 1))
    assert bots[0]._updated_priors(shown) == bots[0].initial_priors
    bots[0].choose(shown)
    assert bots[0].idle <= {bots[0].think(shown).key}


@pytest.mark.parametrize("back", [1, 2, 5, 1_000])
def test_what_is_taken_back_does_no_harm(back: int) -> None:
    for seed in range(8):
        bots = [EquilibriumBot(seed + seat, 5, 50) for seat in (0, 1)]
        state, moves = the_cave(first_dragon="1").new_initial_state(), 0
        while not state.is_terminal() and moves < 60:
            seat = state.current_player()
            state.apply_action(bots[seat].choose(player_view(state, seat)), seat)
            moves += 1
            if moves % 20 == 0 and not state.is_terminal():
                for _ in range(min(back, len(state.history()))):
                    state.undo_action()
        assert moves == 60 or state.is_terminal()


def test_everything_it_needs_is_compiled_beforehand() -> None:
    code = (
        "from dracotheque.games.dragons_cave.equilibrium import lookahead as a; a.prepare()\n"
        "known = {n: len(f.signatures) for n, f in vars(a).items() if hasattr(f, 'signatures')}\n"
        "from dracotheque.games.dragons_cave.equilibrium.bot import EquilibriumBot; from dracotheque import load_game\n"
        "from dracotheque.simulation.simulate import play_with_bots; from random import Random\n"
        "g = load_game('dragons-cave', players=2)\n"
        "play_with_bots(g, [EquilibriumBot(1, 60, 50), EquilibriumBot(2)], Random(1))\n"
        "assert known == {n: len(f.signatures) for n, f in vars(a).items() if hasattr(f, 'signatures')}, known\n"
        "print('all known')"
    )
    assert "all known" in run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_a_chest_that_must_be_played_has_one_value_whatever_the_dragon_does() -> None:
    bot, seen = EquilibriumBot(1, 5), 0
    for seed in range(6):
        for shown in moments(the_cave(), seed):
            if shown.state.phase == PLACE and shown.state.hand[1 - shown.seat] == ONLY_CHEST:
                values, found = bot.values(shown), bot.solver.round(shown.state)
                assert [*values.values()] == pytest.approx([1 - found.payoff[0, CHEST, 0]] * 5)
                seen += 1
    assert seen > 2


def test_a_game_of_two_dragons_ends() -> None:
    for seed in range(4):
        assert play(EquilibriumBot(seed, 5, 50), "mixer:5:opponent_prior=50", seed)


def test_an_empty_purse_is_banked_once_in_a_position() -> None:
    state = the_cave(first_dragon="2").new_initial_state()
    shown = player_view(state, 0)
    bot = EquilibriumBot(1, 5, 50)
    free = bot.think(shown)
    bot.idle.add(free.key)
    assert [action for action, share in bot.think(shown).strategy.items() if share and action % 6 == CHEST] == []
    again = EquilibriumBot(1, 5)
    again.idle.add(free.key)
    assert sum(again.think(shown).strategy.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    "parameters",
    [
        "much",
        "0",
        "00",
        "60opponent_prior=5",
        "60:opponent_prior=",
        "60:opponent_prior=100",
        "60:hunch=",
        "-3",
        "60:guess=5",
        "1000000",
    ],
)
def test_invalid_parameters_are_refused(parameters: str) -> None:
    with pytest.raises(DracothequeError, match="Use mixer:60"):
        make_bot(f"mixer:{parameters}", 1, the_cave())


def test_parameters() -> None:
    names = ("mixer", "mixer:7", "mixer:7:opponent_prior=20", "mixer:opponent_prior=20")
    bots: list[Any] = [make_bot(name, 1, the_cave()) for name in names]
    assert [bot.budget for bot in bots] == [60, 7, 7, 60]
    assert [round(bot.opponent_priors.cards.probability, 3) for bot in bots] == [0, 0, 0.2, 0.2]


def test_the_old_spelling_makes_the_same_bot() -> None:
    """Names of bots are stored: `hunch` is the old word for the opponent prior."""
    for parameters in ("60:{}=50", "7:{}=5", "{}=20"):
        names = [f"mixer:{parameters.format(word)}" for word in ("hunch", "opponent_prior")]
        assert all(is_known(name) for name in names)
        old, new = (make_bot(name, 1, the_cave()) for name in names)
        assert isinstance(old, EquilibriumBot)
        assert isinstance(new, EquilibriumBot)
        assert (old.budget, old.opponent_priors) == (new.budget, new.opponent_priors)
        for shown in [*moments(the_cave(), 1)][:12]:
            assert old.choose(shown) == new.choose(shown)


def test_states_are_left_as_they_were() -> None:
    bot = EquilibriumBot(1, 5)
    for state, seat in states(the_cave(), 7):
        before, shown = state.record(), player_view(state, seat)
        sight = shown.state.bytes()
        bot.choose(shown)
        assert (state.record(), shown.state.bytes()) == (before, sight)


# --- Room -----------------------------------------------------------------------------------------------------------
def test_rich_caves_never_write_beyond_their_room() -> None:
    """One round may bring hundreds of new positions: a purse of sixty coins can be split in as many ways."""
    usual = tomllib.loads((find_game("dragons-cave").folder / "boards" / "small.toml").read_text("utf-8"))
    path = [f"{kind} {coins}" for kind, coins in zip(usual["kinds"], (28, 60, 31, 35, 14), strict=True)]
    rich = usual | {"treasure": 60, "lair": 48, "path": path}
    game = load_game("dragons-cave", players=2, first_dragon="2", board=rich)
    workspace, most = np.zeros(4, round_graph.State), 0
    workspace[0] = np.frombuffer(game.beginning[0], round_graph.State)[0]
    for room in range(1_000, 9_000, 250):
        graph, purses = np.zeros(12_000, round_graph.Graph), np.zeros(12_000, round_graph.Purse)
        after = np.zeros(48_000, np.int32)
        slots, purse_slots = np.zeros(1 << 15, np.int32), np.zeros(1 << 15, np.int32)
        sizes = np.array([FIRST, FIRST + 1, 1, 0])
        graph[FIRST]["key"] = round_graph.key_of(workspace[0])
        slots[round_graph.find(slots, graph, graph[FIRST]["key"])] = FIRST
        known = FIRST + 1
        while round_graph.explore(workspace, graph[:room], slots, purses, purse_slots, after, sizes, 1):
            most, known = max(most, sizes[1] - known), sizes[1]
        assert sizes[1] <= room
        assert not graph["key"][room:].any()
    assert 100 < most <= round_graph.MAX_NEW_POSITIONS

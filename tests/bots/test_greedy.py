"""The greedy bot: what it chooses is legal, its own affair alone, the same compiled and interpreted, and good."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from dracotheque import State, load_game
from dracotheque.bots import make_bot
from dracotheque.bots.greedy import GreedyBot
from dracotheque.bots.player_view import PlayerView, player_view
from dracotheque.engine import registry
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache as compiled
from dracotheque.engine.jit import linking
from dracotheque.simulation.simulate import simulate
from tests.engine.tables import TABLES, Table

each_table = pytest.mark.parametrize("table", TABLES, ids=str)
each_game = pytest.mark.parametrize("name", registry.games())


def asked(state: State) -> list[int]:
    """The seats that have a choice to make."""
    return [seat for seat in range(state.game.players) if state.legal_actions(seat)]


def positions(game: Game, seed: int, count: int) -> Iterator[State]:
    """Positions with a choice, from games in which greedy and blind choices take turns."""
    chance, found = Random(seed), 0
    while found < count:
        state = game.new_initial_state()
        while not state.is_terminal() and found < count:
            if state.is_chance_node():
                state.apply_action(state.sample_chance(chance))
                continue
            seat = chance.choice(asked(state))
            if chance.random() < 0.2:
                found += 1
                yield state
            bot = make_bot(chance.choice(["greedy", "random"]), chance.getrandbits(32), game)
            state.apply_action(bot.choose(player_view(state, seat)), seat)


@each_table
def test_every_choice_is_legal_and_valued_from_nothing_to_certain(table: Table) -> None:
    for state in positions(table.open(), 1, 60):
        for seat in asked(state):
            bot, seen = GreedyBot(2), player_view(state, seat)
            values = bot.values(seen)
            assert list(values) == seen.legal_actions
            assert all(0 <= value <= 1 for value in values.values())
            assert values[bot.choose(seen)] == max(values.values())


@each_table
def test_what_is_hidden_changes_nothing(table: Table) -> None:
    chance = Random(3)
    for state in positions(table.open(), 3, 30):
        for seat in asked(state):
            seen = player_view(state, seat)
            values, chosen = GreedyBot(4).values(seen), GreedyBot(4).choose(seen)
            for _ in range(8):
                resampled = state.resample_from_infostate(seat, chance)
                assert GreedyBot(4).choose(player_view(resampled, seat)) == chosen
                # Nor may a secret that is filled in, as search does, change the heuristic.
                filled = PlayerView(state.game, seat, resampled.to_plain(), seen.legal_actions)
                assert GreedyBot(4).values(filled) == values


def test_there_was_something_hidden() -> None:
    states = positions(load_game("dragons-cave", 3), 3, 30)
    assert any(
        state.record() != state.resample_from_infostate(seat, Random(1)).record()
        for state in states
        for seat in asked(state)
    )


# --- Compiled and interpreted -------------------------------------------------------------------------------------
@cache
def compiled_heuristic(name: str) -> Any:
    """A game's state heuristic as machine code: a function of an array with one record."""
    heuristic = load_game(name).rules.state_heuristic

    @compiled.numba().njit
    def ask(records: Any, seat: int) -> int:
        return heuristic(records[0], seat)

    return ask


@each_table
def test_heuristics_are_the_same_compiled_and_interpreted(table: Table) -> None:
    game, plain = table.open(), table.open(interpreted=True)
    heuristic = compiled_heuristic(table.game)
    for state in positions(game, 5, 25):
        record = np.frombuffer(state.record(), game.runtime.state)
        for seat in range(game.players):
            seen = player_view(state, seat)
            slow = PlayerView(plain, seat, seen.state, seen.legal_actions)
            assert GreedyBot(1).values(seen) == GreedyBot(1).values(slow)
            found = heuristic(record, seat)
            assert found == plain.rules.state_heuristic(state.to_plain(), seat)
            assert 0 <= found <= 1000


@each_game
def test_the_state_heuristic_ranks_finished_games_rightly(name: str) -> None:
    game, chance, right = load_game(name), Random(6), 0
    rules = load_game(name, interpreted=True).rules
    for _ in range(40):
        state = game.new_initial_state()
        state.play_randomly(chance)
        values = [rules.state_heuristic(state.to_plain(), seat) for seat in range(game.players)]
        right += values.index(max(values)) in state.winners()
    assert right >= 38


@each_game
def test_heuristics_compute_with_whole_numbers_only(name: str) -> None:
    game = load_game(name)
    by_action, by_state = game.rules.action_heuristic, game.rules.state_heuristic

    @compiled.numba().njit
    def ask(records: Any, seat: int, action: int) -> int:
        return by_action(records[0], seat, action) + by_state(records[0], seat)

    ask(np.frombuffer(next(positions(game, 1, 1)).record(), game.runtime.state), 0, 0)
    module = sys.modules[f"{game.definition.package}.rules.heuristics"]
    typed = [made for f in vars(module).values() if inspect.isfunction(f) for made in linking.versions(f)]
    assert typed
    assert [n for c in typed for n, kind in c.type_annotation.typemap.items() if "float" in str(kind)] == []


@each_game
def test_advice_is_short(name: str) -> None:
    path = Path(str(load_game(name).definition.folder)) / "rules" / "heuristics.py"
    assert len(path.read_text("utf-8").splitlines()) <= 60


# --- Strength -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", [table for table in TABLES if table.board is None], ids=str)
def test_one_greedy_bot_beats_random_ones(table: Table) -> None:
    """More than four standard deviations above the fair share, from every seat as often."""
    wins, games = 0.0, 0
    for seat in range(table.players):
        bots = ["greedy" if place == seat else "random" for place in range(table.players)]
        report = simulate(table.open(), 24, bots, 7, 1)
        wins, games = wins + report.wins()[seat], games + report.games
    fair = 1 / table.players
    assert wins > games * fair + 4 * math.sqrt(games * fair * (1 - fair))


@each_game
def test_greedy_bots_come_to_an_end_among_themselves(name: str) -> None:
    for players in range(registry.games()[name].min_players, registry.games()[name].max_players + 1):
        state, chance, moves = load_game(name, players).new_initial_state(), Random(8), 0
        bots = [make_bot("greedy", seat, state.game) for seat in range(players)]
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(chance))
                continue
            for seat in asked(state):
                state.apply_action(bots[seat].choose(player_view(state, seat)), seat)
                moves += 1
            assert moves < 5_000


def test_a_seed_makes_the_same_bot_again() -> None:
    game = load_game("save-the-dragon", 2)
    first, second = (simulate(game, 20, ["greedy", "greedy"], 9, 1).as_dict() for _ in range(2))
    assert first["wins"] == second["wins"]
    assert first["decisions"] == second["decisions"]

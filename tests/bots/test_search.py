"""The bot that thinks ahead: legal, honest, on time, the same from the same seed, and worth playing against."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from dracotheque import DracothequeError, Game, State, load_game
from dracotheque.bots import Bot, make_bot
from dracotheque.bots.search import Plan, SearchBot, Tree, read_budget
from dracotheque.bots.view import View, view
from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS
from dracotheque.games import SHELF
from dracotheque.games.save_the_dragon.state import STAY, THROUGH

FEW = Plan(simulations=60)


def asked(state: State) -> list[int]:
    """The seats that must choose now."""
    if state.current_player() == SIMULTANEOUS:
        return [seat for seat in range(state.game.players) if state.legal_actions(seat)]
    return [state.current_player()]


def moments(game: Game, seed: int) -> Iterator[View]:
    """Go through a random game and show what each seat sees when it must choose."""
    state, chance = game.new_initial_state(), Random(seed)
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            state.apply_action(state.sample_chance(chance))
            continue
        for seat in asked(state):
            shown = view(state, seat)
            yield shown
            state.apply_action(chance.choice(shown.legal), seat)


def first_of_many(game: Game, seed: int = 1) -> View:
    """The first moment at which somebody has several choices."""
    return next(shown for shown in moments(game, seed) if len(shown.legal) > 2)


def play(game: Game, bots: list[Bot], seed: int) -> list[int]:
    """Let bots play a game; say who won."""
    state, chance = game.new_initial_state(), Random(seed)
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            state.apply_action(state.sample_chance(chance))
            continue
        for seat in asked(state):
            state.apply_action(bots[seat].choose(view(state, seat)), seat)
    return state.winners()


# --- Whatever the game --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", SHELF)
def test_every_choice_is_legal_in_a_whole_game(name: str) -> None:
    game, bot = load_game(name), SearchBot(1, Plan(simulations=12))
    for number, shown in enumerate(moments(game, 3)):
        if number < 150:
            assert bot.choose(shown) in shown.legal


@pytest.mark.parametrize("name", SHELF)
def test_the_same_seed_thinks_the_same(name: str) -> None:
    shown = first_of_many(load_game(name))
    one, other, third = (SearchBot(seed, FEW).think(shown) for seed in (5, 5, 6))
    assert one == other
    assert one != third


@pytest.mark.parametrize("name", SHELF)
def test_compiled_and_interpreted_think_the_same(name: str) -> None:
    native, plain = load_game(name), load_game(name, interpreted=True)
    shown = first_of_many(native)
    beside = View(plain, shown.seat, shown.table, shown.legal)
    one, other = (Tree(each, FEW, 7) for each in (shown, beside))
    for tree in (one, other):
        tree.grow(40, None)
    assert int(one.head.nodes[0]) == int(other.head.nodes[0])
    assert one.nodes.key[:100].tolist() == other.nodes.key[:100].tolist()
    assert one.nodes.visits[:100].tolist() == other.nodes.visits[:100].tolist()
    assert np.allclose(one.nodes.total[:100], other.nodes.total[:100])


@pytest.mark.parametrize("name", SHELF)
def test_every_simulation_is_counted_and_shares_one_victory(name: str) -> None:
    shown = first_of_many(load_game(name))
    tree = Tree(shown, Plan(simulations=300), 1)
    tree.grow(300, None)
    assert int(tree.nodes[0].visits) == 300
    assert float(tree.nodes[0].total.sum()) == pytest.approx(300)
    children, child = 0, int(tree.nodes[0].first)
    while child:
        children += int(tree.nodes[child].visits)
        child = int(tree.nodes[child].next)
    assert children == 300


def test_a_full_tree_goes_on_without_growing() -> None:
    shown = first_of_many(load_game("save-the-dragon"))
    tree = Tree(shown, Plan(simulations=1), 1)
    tree.grow(2_000, None)
    assert int(tree.head.nodes[0]) == len(tree.nodes)
    assert int(tree.nodes[0].visits) == 2_000


def test_values_are_shares_of_the_victory() -> None:
    shown = first_of_many(load_game("emerald"))
    values = SearchBot(1, Plan(simulations=500)).values(shown)
    assert values.keys() == {*shown.legal}
    assert all(0 <= value <= 1 for value in values.values())


def test_a_single_choice_needs_no_thought() -> None:
    shown = next(shown for shown in moments(load_game("save-the-dragon"), 1) if len(shown.legal) == 1)
    bot = SearchBot(1, Plan(seconds=60))
    began = time.perf_counter()
    assert bot.choose(shown) == shown.legal[0]
    assert time.perf_counter() - began < 10


# --- Budgets ------------------------------------------------------------------------------------------------------
def test_budgets_are_read() -> None:
    assert read_budget("1s") == Plan(seconds=1)
    assert read_budget("1.5s") == Plan(seconds=1.5)
    assert read_budget("300ms") == Plan(seconds=0.3)
    assert read_budget("5000") == Plan(simulations=5000)


@pytest.mark.parametrize("text", ["", "s", "0", "0s", "1.5", "-1", "1 s", "2x", "1h"])
def test_what_is_no_budget_is_refused_in_words(text: str) -> None:
    with pytest.raises(DracothequeError, match="is no budget: write search:1s"):
        read_budget(text)


def test_more_time_means_more_simulations() -> None:
    shown = first_of_many(load_game("save-the-dragon"))
    SearchBot(1, FEW).think(shown)  # compiled now
    short, long = (SearchBot(1, Plan(seconds=seconds)).think(shown).simulations for seconds in (0.02, 0.4))
    assert 0 < short < long


def test_several_threads_make_the_same_number_of_simulations_together() -> None:
    shown = first_of_many(load_game("save-the-dragon"))
    alone, together = (SearchBot(1, Plan(simulations=400, threads=threads)).think(shown) for threads in (1, 4))
    assert alone.simulations == together.simulations == 400
    assert together == SearchBot(1, Plan(simulations=400, threads=4)).think(shown)


# --- Strength -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "players"), [("emerald", 2), ("save-the-dragon", 2), ("dragons-cave", 2)])
def test_it_beats_who_plays_at_random(name: str, players: int) -> None:
    game, wins = load_game(name, players), 0
    for number in range(20):
        mine = number % players
        bots = [make_bot("search:300" if seat == mine else "random", number) for seat in range(players)]
        wins += mine in play(game, bots, number)
    assert wins >= 15


def near_a_door(shown: View) -> bool:
    """Somebody may go through a door, or not."""
    doors = [action for action in shown.legal if action in range(THROUGH, STAY)]
    return 0 < len(doors) < len(shown.legal)


def test_it_takes_the_door_that_wins() -> None:
    game = load_game("save-the-dragon", 2)
    shown = next(shown for seed in range(20) for shown in moments(game, seed) if near_a_door(shown))
    assert SearchBot(1, Plan(simulations=500)).choose(shown) in range(THROUGH, STAY)


# --- Sealed choices -----------------------------------------------------------------------------------------------
def test_sealed_choices_are_mixed_and_not_always_the_same() -> None:
    game = load_game("dragons-cave", 3)
    shown = next(shown for shown in moments(game, 1) if shown.table.to_move == SIMULTANEOUS and len(shown.legal) > 2)
    chosen = Counter(SearchBot(seed, Plan(simulations=200)).choose(shown) for seed in range(30))
    assert len(chosen) > 1
    assert {*chosen} <= {*shown.legal}


def test_what_others_have_sealed_changes_nothing() -> None:
    game = load_game("dragons-cave", 3)
    state, chance = game.new_initial_state(), Random(1)
    while state.current_player() != SIMULTANEOUS or len(asked(state)) < 2:
        player = state.current_player()
        action = state.sample_chance(chance) if player == CHANCE else chance.choice(state.legal_actions())
        state.apply_action(action)
    first, second, *_ = asked(state)
    thoughts = []
    for sealed in state.legal_actions(first):
        other = state.clone()
        other.apply_action(sealed, first)
        thoughts.append(SearchBot(4, FEW).think(view(other, second)))
    assert len(thoughts) > 1
    assert all(thought == thoughts[0] for thought in thoughts)

"""The bot that thinks ahead: legal, honest, on time, the same from the same seed, and a strong opponent."""

from __future__ import annotations

import re
import time
from collections import Counter
from random import Random

import numpy as np
import pytest

from dracotheque import DracothequeError, load_game
from dracotheque.bots import make_bot
from dracotheque.bots.default_bots import search_params
from dracotheque.bots.mcts_bot import NEAR_BEST, SearchBot, SearchBudget, SearchTree, read_budget
from dracotheque.bots.player_view import PlayerView, player_view
from dracotheque.bots.search_params import WHOLE_GAME, SearchParams
from dracotheque.engine import registry
from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS
from dracotheque.games.dragons_cave.rules.state import GUESS, PLACE, SEAL, SPLIT
from dracotheque.games.gran import bots as gran
from dracotheque.games.save_the_dragon.rules.state import STAY, THROUGH
from dracotheque.simulation.simulate import asked, play_with_bots
from tests.bots.moments import first_of_many, moments, states, winners
from tests.games.gran.position_builder import bits, put

FEW = SearchBudget(simulations=60)


def grown(shown: PlayerView, plan: SearchBudget, simulations: int, seed: int = 7) -> SearchTree:
    """A tree after so many simulations."""
    tree = SearchTree(shown.game, plan, seed)
    tree.grow(shown, simulations, None)
    return tree


# --- Whatever the game --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", registry.games())
def test_every_choice_is_legal_in_a_whole_game(name: str) -> None:
    game, bot = load_game(name), SearchBot(1, SearchBudget(simulations=12))
    for number, shown in enumerate(moments(game, 3)):
        if number < 150:
            assert bot.choose(shown) in shown.legal_actions


@pytest.mark.parametrize("name", registry.games())
def test_the_same_seed_thinks_the_same(name: str) -> None:
    shown = first_of_many(load_game(name))
    one, other, third = (SearchBot(seed, FEW).think(shown) for seed in (5, 5, 6))
    assert one == other
    assert one != third


@pytest.mark.parametrize("params", [SearchParams(), SearchParams(widening=1, depth=6, heuristic_percent=50)])
@pytest.mark.parametrize("name", registry.games())
def test_compiled_and_interpreted_think_the_same(name: str, params: SearchParams) -> None:
    native, plain = load_game(name), load_game(name, interpreted=True)
    shown = first_of_many(native)
    beside = PlayerView(plain, shown.seat, shown.state, shown.legal_actions)
    one, other = (grown(each, SearchBudget(simulations=40, params=params), 12) for each in (shown, beside))
    assert int(one.head.nodes[0]) == int(other.head.nodes[0]) > 1
    for field in ("hash", "visits", "count", "tried"):
        assert one.store.nodes[field][:100].tolist() == other.store.nodes[field][:100].tolist()
    for field in ("action", "visits"):
        assert one.store.edges[field][:300].tolist() == other.store.edges[field][:300].tolist()
    for field in ("total", "regret", "played"):
        assert np.allclose(one.store.edges[field][:300], other.store.edges[field][:300])


@pytest.mark.parametrize("name", ["emerald", "gran", "save-the-dragon"])
def test_every_simulation_is_counted_at_the_root(name: str) -> None:
    shown = first_of_many(load_game(name))
    tree = grown(shown, SearchBudget(simulations=300), 300)
    thought = tree.result(shown)
    assert thought.simulations == 300
    assert sum(thought.weights.values()) == 299  # the first simulation only finds the place
    assert all(0 <= value <= 1 for value in thought.values.values())


def test_shares_of_all_seats_make_one_victory() -> None:
    shown = first_of_many(load_game("save-the-dragon", 4))
    for params in (SearchParams(), SearchParams(depth=3)):
        tree = grown(shown, SearchBudget(simulations=1, params=params), 1)
        shares = [int(tree.place.weights[seat]) for seat in range(4)]
        assert 999_990 < sum(shares) <= 1_000_000


def test_a_full_tree_goes_on_without_growing() -> None:
    shown = first_of_many(load_game("save-the-dragon"))
    tree = grown(shown, SearchBudget(simulations=1), 5_000)
    assert int(tree.head.nodes[0]) == tree.room[0]
    assert sum(tree.result(shown).weights.values()) == 4_999


def test_a_single_choice_needs_no_thought() -> None:
    shown = next(shown for shown in moments(load_game("save-the-dragon"), 1) if len(shown.legal_actions) == 1)
    bot = SearchBot(1, SearchBudget(seconds=60))
    began = time.perf_counter()
    assert bot.choose(shown) == shown.legal_actions[0]
    assert time.perf_counter() - began < 10


# --- A game that is almost won --------------------------------------------------------------------------------------
@pytest.mark.parametrize("params", [gran.SEARCH, gran.SEARCH_WITH_EVALUATOR], ids=["heuristic", "learned"])
def test_a_bot_that_wins_anyway_does_not_walk_about_for_ever(params: SearchParams) -> None:
    """Both others stand behind stones: the tower alone can fetch the ring, whatever it does first."""
    game = load_game("gran", 3, starts="2")
    state, number = game.new_initial_state(), game.board.number
    walled = number["w4"], number["w5"]
    stones = {near for point in walled for near in game.board.near[point]} - {*walled}
    table = state.to_plain()
    table.place[:3] = [walled[0], number["u4"], walled[1]]
    table.stones, table.reserve, table.waiting = bits(stones), 0, 0
    table.amulets[:3], table.seals[:3] = [0, 3, 0], [0, 1, 0]
    put(state, table)
    bot, chance, choices = SearchBot(1, SearchBudget(simulations=300, params=params)), Random(1), 0
    while not state.is_terminal() and choices < 250:
        if state.current_player() == CHANCE:
            state.apply_action(state.sample_chance(chance))
            continue
        shown = player_view(state, asked(state)[0])
        state.apply_action(bot.choose(shown) if shown.seat == 1 else chance.choice(shown.legal_actions))
        choices += shown.seat == 1
    assert state.is_terminal()
    assert state.winners() == [1]


# --- What it keeps from one move to the next ------------------------------------------------------------------------
def test_what_was_learned_still_stands_at_the_next_move() -> None:
    game = load_game("save-the-dragon", 2)
    bot, fresh = SearchBot(1, SearchBudget(simulations=20_000)), SearchBot(1, SearchBudget(simulations=100))
    seen = [shown for shown, _ in zip(moments(game, 1), range(30), strict=False) if len(shown.legal_actions) > 1]
    now = seen[0]
    bot.think(now)
    later = next(shown for shown in seen[1:] if shown.seat == now.seat)
    bot.plan = SearchBudget(simulations=100)
    assert sum(bot.think(later).weights.values()) > sum(fresh.think(later).weights.values())


def test_when_room_gets_short_only_what_was_seen_last_is_carried_over() -> None:
    shown = first_of_many(load_game("save-the-dragon", 2))
    tree = grown(shown, SearchBudget(simulations=500), 2_500)
    before, nodes = tree.result(shown), int(tree.head.nodes[0])
    old = tree.store.nodes.age[1:nodes].copy()
    tree.store.nodes.age[2:nodes:2] = 0  # as if every other node had been met in an earlier thought
    kept = int((tree.store.nodes.age[1:nodes] == 1).sum())
    root = tree._node(shown)
    tree.store.nodes.age[root] = 1
    kept += int(root % 2 == 0)
    tree._discard_old()
    assert len(old) > tree.room[0] // 2
    assert int(tree.head.nodes[0]) == kept + 1
    assert tree.result(shown) == before
    tree.grow(shown, 300, None)
    assert sum(tree.result(shown).weights.values()) == sum(before.weights.values()) + 300


def test_another_game_begins_with_nothing() -> None:
    one, other = load_game("save-the-dragon", 2), load_game("save-the-dragon", 2)
    bot = SearchBot(1, FEW)
    bot.think(first_of_many(one))
    tree = bot.trees[0]
    bot.think(first_of_many(one))
    assert bot.trees[0] is tree
    bot.think(first_of_many(other))
    assert bot.trees[0] is not tree


# --- Budgets and options ----------------------------------------------------------------------------------------------
def test_plans_are_read() -> None:
    assert read_budget("1s") == SearchBudget(seconds=1)
    assert read_budget("1.5s") == SearchBudget(seconds=1.5)
    assert read_budget("300ms") == SearchBudget(seconds=0.3)
    assert read_budget("5000") == SearchBudget(simulations=5000)
    assert read_budget("5000:within=1.4:threads=2") == SearchBudget(seconds=1.4, simulations=5000, threads=2)
    assert read_budget("9:depth=4:wide=0.5") == SearchBudget(simulations=9, params=SearchParams(depth=4, widening=0.5))


@pytest.mark.parametrize("text", ["", "s", "0", "0s", "1.5", "-1", "1 s", "2x", "1h"])
def test_what_is_no_budget_is_refused_in_words(text: str) -> None:
    with pytest.raises(
        DracothequeError, match=rf"Invalid search budget '{re.escape(text)}'\. Use a time \(1s, 300ms\)"
    ):
        read_budget(text)


def test_unknown_ways_are_refused_in_words() -> None:
    with pytest.raises(DracothequeError, match=r"Unknown search option .deph.\. Did you mean .depth"):
        read_budget("1s:deph=3")
    with pytest.raises(DracothequeError, match="Use a number, such as depth=2"):
        read_budget("1s:depth=deep")


def test_a_number_of_simulations_ends_early_where_time_is_short() -> None:
    shown = first_of_many(load_game("emerald"))
    SearchBot(1, FEW).think(shown)  # compiled now
    assert 0 < SearchBot(1, SearchBudget(seconds=0.05, simulations=100_000_000)).think(shown).simulations < 100_000_000


def test_who_has_no_time_at_all_still_looks_once() -> None:
    shown = first_of_many(load_game("save-the-dragon"))
    thought = SearchBot(1, SearchBudget(seconds=1e-9)).think(shown)
    assert thought.simulations > 0
    assert sum(thought.weights.values()) > 0


def test_more_time_means_more_simulations() -> None:
    shown = first_of_many(load_game("save-the-dragon"))
    SearchBot(1, FEW).think(shown)  # compiled now
    short, long = (SearchBot(1, SearchBudget(seconds=seconds)).think(shown).simulations for seconds in (0.02, 0.4))
    assert 0 < short < long


def test_several_threads_make_the_same_number_of_simulations_together() -> None:
    shown = first_of_many(load_game("save-the-dragon"))
    alone, together = (SearchBot(1, SearchBudget(simulations=400, threads=threads)).think(shown) for threads in (1, 4))
    assert alone.simulations == together.simulations == 400
    assert together == SearchBot(1, SearchBudget(simulations=400, threads=4)).think(shown)


def test_every_game_of_ours_says_how_it_is_searched() -> None:
    for definition in registry.games().values():
        assert registry.part(definition, "bots", registry.no_defaults).SEARCH
    assert search_params(load_game("emerald", interpreted=True), with_evaluator=True).use_evaluator == 1
    assert search_params(load_game("dragons-cave", interpreted=True), with_evaluator=True).depth == 0


def test_the_depth_cuts_simulations_short() -> None:
    shown = first_of_many(load_game("gran"))
    began = time.perf_counter()
    grown(shown, SearchBudget(simulations=30, params=SearchParams(depth=1)), 30)
    short = time.perf_counter() - began
    tree = grown(shown, SearchBudget(simulations=1, params=SearchParams(depth=WHOLE_GAME)), 1)
    values = {int(tree.place.weights[seat]) for seat in range(3)}
    assert values <= {0, 333_333, 500_000, 1_000_000}  # to the end: a seat has won
    tree = grown(shown, SearchBudget(simulations=1, params=SearchParams(depth=1)), 1)
    assert not {int(tree.place.weights[seat]) for seat in range(3)} <= {0, 500_000, 1_000_000}
    assert short < 30


def test_wide_tries_first_what_the_advice_likes() -> None:
    shown = first_of_many(load_game("gran"))
    greedy = make_bot("greedy", 1, shown.game)
    best = max(greedy.values(shown).values())  # pyright: ignore[reportAttributeAccessIssue]
    tree = grown(shown, SearchBudget(simulations=8, params=SearchParams(widening=0.1, depth=0)), 8)
    tried = [action for action, visits in tree.result(shown).weights.items() if visits]
    assert 1 <= len(tried) <= 2
    assert any(greedy.values(shown)[action] == best for action in tried)  # pyright: ignore[reportAttributeAccessIssue]


# --- Strength -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "players"), [("emerald", 2), ("save-the-dragon", 2), ("dragons-cave", 2)])
def test_it_beats_who_plays_at_random(name: str, players: int) -> None:
    game, wins = load_game(name, players), 0
    for number in range(20):
        mine = number % players
        bots = [make_bot("search:100" if seat == mine else "random", number, game) for seat in range(players)]
        wins += mine in winners(game, bots, number)
    assert wins >= 15


def near_a_door(shown: PlayerView) -> bool:
    """A pawn may go through a door, or not."""
    doors = [action for action in shown.legal_actions if action in range(THROUGH, STAY)]
    return 0 < len(doors) < len(shown.legal_actions)


def test_it_takes_the_door_that_wins() -> None:
    game = load_game("save-the-dragon", 2)
    shown = next(shown for seed in range(20) for shown in moments(game, seed) if near_a_door(shown))
    assert SearchBot(1, SearchBudget(simulations=500)).choose(shown) in range(THROUGH, STAY)


# --- Sealed choices -----------------------------------------------------------------------------------------------
def test_sealed_choices_are_not_always_the_same() -> None:
    game = load_game("dragons-cave", 3)
    shown = next(
        shown for shown in moments(game, 1) if shown.state.to_move == SIMULTANEOUS and len(shown.legal_actions) > 2
    )
    chosen = Counter(SearchBot(seed, SearchBudget(simulations=200)).choose(shown) for seed in range(30))
    assert len(chosen) > 1
    assert {*chosen} <= {*shown.legal_actions}


def test_only_what_is_wanted_nearly_as_often_as_the_best_is_chosen() -> None:
    game = load_game("dragons-cave", 2)
    shown = next(shown for shown in moments(game, 1) if shown.state.phase == SEAL)
    for seed in range(30):
        weights = SearchBot(seed, SearchBudget(simulations=100)).think(shown).weights
        assert weights[SearchBot(seed, SearchBudget(simulations=100)).choose(shown)] >= NEAR_BEST * max(
            weights.values()
        )


def test_who_sees_the_same_again_may_do_something_else() -> None:
    game = load_game("dragons-cave", 2)
    shown = next(shown for shown in moments(game, 1) if shown.state.phase == SEAL)
    less_wanted = 0
    for seed in range(30):
        bot = SearchBot(seed, SearchBudget(simulations=100))
        bot.choose(shown)
        chosen, weights = bot.choose(shown), bot.trees[0].result(shown).weights
        less_wanted += weights[chosen] < NEAR_BEST * max(weights.values())
    assert less_wanted > 5


def test_two_dragons_do_not_find_each_other_out_for_ever() -> None:
    """One laid the same card and the other guessed it, again and again, before they surprised each other."""
    game = load_game("dragons-cave", 2)
    for seed in range(3):
        state, decisions = play_with_bots(
            game, [make_bot(name, seed, game) for name in ("search:1500", "search:800")], Random(seed)
        )
        assert state.is_terminal()
        assert decisions < 2_000


@pytest.mark.parametrize("phase", [PLACE, SPLIT])
def test_the_dragon_learns_to_guess_fists_and_cards_as_they_are_chosen(phase: int) -> None:
    """Who places or guesses finds its choice in the tree, though others choose before it in every simulation."""
    game = load_game("dragons-cave", 3)
    kinds = (phase, phase + 1) if phase == SPLIT else (phase,)
    found = [shown for seed in range(5) for shown in moments(game, seed) if shown.state.phase in kinds]
    for shown in found[:20]:
        assert sum(SearchBot(1, SearchBudget(simulations=400)).think(shown).weights.values()) > 0


def test_what_others_have_sealed_changes_nothing() -> None:
    game = load_game("dragons-cave", 3)
    state, seat = next(
        (s, seat) for s, seat in states(game, 1) if s.current_player() == SIMULTANEOUS and len(asked(s)) > 1
    )
    first, second, *_ = asked(state)
    assert first == seat
    before = SearchBot(4, FEW).think(player_view(state, second))
    for sealed in state.legal_actions(first):
        other = state.clone()
        other.apply_action(sealed, first)
        assert SearchBot(4, FEW).think(player_view(other, second)) == before  # nor that it is sealed already


@pytest.mark.parametrize("phase", [SPLIT, GUESS])
def test_which_fist_is_which_is_left_to_a_coin(phase: int) -> None:
    """Fists are alike: a player who favoured one of them, to hide more in or to point at, could be exploited."""
    game, met = load_game("dragons-cave", 3), 0
    for seed in range(20):
        for shown in moments(game, seed):
            if shown.state.phase == phase and len(shown.legal_actions) > 1:
                weights = SearchBot(seed, SearchBudget(simulations=100)).think(shown).weights
                assert [*weights.values()] == pytest.approx([*weights.values()][::-1])
                if phase == GUESS:
                    chosen = {SearchBot(number, SearchBudget(simulations=20)).choose(shown) for number in range(30)}
                    assert chosen == {*shown.legal_actions}
                met += 1
                break
    assert met > 5

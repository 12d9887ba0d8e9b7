"""The bot that thinks ahead: legal, honest, on time, the same from the same seed, and worth playing against."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import numpy as np
import pytest

from dracotheque import DracothequeError, load_game
from dracotheque.bots import make_bot
from dracotheque.bots.search import NEARLY, Plan, SearchBot, Tree, read_plan
from dracotheque.bots.view import View, view
from dracotheque.bots.ways import BEST, LEARNED, WHOLE_GAME, Ways
from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS
from dracotheque.games import SHELF
from dracotheque.games.dragons_cave.state import GUESS, PLACE, SEAL, SPLIT
from dracotheque.games.save_the_dragon.state import STAY, THROUGH
from dracotheque.lab.simulate import asked, play_with_bots
from tests.bots.moments import first_of_many, moments, states, winners
from tests.games.gran.situation import bits, put

FEW = Plan(simulations=60)


def grown(shown: View, plan: Plan, simulations: int, seed: int = 7) -> Tree:
    """A tree after so many simulations."""
    tree = Tree(shown.game, plan, seed)
    tree.grow(shown, simulations, None)
    return tree


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


@pytest.mark.parametrize("ways", [Ways(), Ways(wide=1, depth=6, advice=50)])
@pytest.mark.parametrize("name", SHELF)
def test_compiled_and_interpreted_think_the_same(name: str, ways: Ways) -> None:
    native, plain = load_game(name), load_game(name, interpreted=True)
    shown = first_of_many(native)
    beside = View(plain, shown.seat, shown.table, shown.legal)
    one, other = (grown(each, Plan(simulations=40, ways=ways), 12) for each in (shown, beside))
    assert int(one.head.nodes[0]) == int(other.head.nodes[0]) > 1
    for field in ("mark", "visits", "count", "tried"):
        assert one.store.nodes[field][:100].tolist() == other.store.nodes[field][:100].tolist()
    for field in ("action", "visits"):
        assert one.store.edges[field][:300].tolist() == other.store.edges[field][:300].tolist()
    for field in ("total", "regret", "played"):
        assert np.allclose(one.store.edges[field][:300], other.store.edges[field][:300])


@pytest.mark.parametrize("name", ["emerald", "gran", "save-the-dragon"])
def test_every_simulation_is_counted_at_the_root(name: str) -> None:
    shown = first_of_many(load_game(name))
    tree = grown(shown, Plan(simulations=300), 300)
    thought = tree.thought(shown)
    assert thought.simulations == 300
    assert sum(thought.weights.values()) == 299  # the first simulation only finds the place
    assert all(0 <= value <= 1 for value in thought.values.values())


def test_shares_of_all_seats_make_one_victory() -> None:
    shown = first_of_many(load_game("save-the-dragon", 4))
    for ways in (Ways(), Ways(depth=3)):
        tree = grown(shown, Plan(simulations=1, ways=ways), 1)
        shares = [int(tree.place.weights[seat]) for seat in range(4)]
        assert 999_990 < sum(shares) <= 1_000_000


def test_a_full_tree_goes_on_without_growing() -> None:
    shown = first_of_many(load_game("save-the-dragon"))
    tree = grown(shown, Plan(simulations=1), 5_000)
    assert int(tree.head.nodes[0]) == tree.room[0]
    assert sum(tree.thought(shown).weights.values()) == 4_999


def test_a_single_choice_needs_no_thought() -> None:
    shown = next(shown for shown in moments(load_game("save-the-dragon"), 1) if len(shown.legal) == 1)
    bot = SearchBot(1, Plan(seconds=60))
    began = time.perf_counter()
    assert bot.choose(shown) == shown.legal[0]
    assert time.perf_counter() - began < 10


# --- A game that is as good as won ----------------------------------------------------------------------------------
@pytest.mark.parametrize("ways", [BEST["gran"], LEARNED["gran"]], ids=["outlook", "learned"])
def test_whoever_wins_anyway_does_not_walk_about_for_ever(ways: Ways) -> None:
    """Both others stand behind stones: the tower alone can fetch the ring, whatever it does first."""
    game = load_game("gran", 3, starts="2")
    state, number = game.new_initial_state(), game.board.number
    walled = number["w4"], number["w5"]
    stones = {near for point in walled for near in game.board.near[point]} - {*walled}
    table = state.table()
    table.place[:3] = [walled[0], number["u4"], walled[1]]
    table.stones, table.reserve, table.waiting = bits(stones), 0, 0
    table.amulets[:3], table.seals[:3] = [0, 3, 0], [0, 1, 0]
    put(state, table)
    bot, chance, choices = SearchBot(1, Plan(simulations=300, ways=ways)), Random(1), 0
    while not state.is_terminal() and choices < 250:
        if state.current_player() == CHANCE:
            state.apply_action(state.sample_chance(chance))
            continue
        shown = view(state, asked(state)[0])
        state.apply_action(bot.choose(shown) if shown.seat == 1 else chance.choice(shown.legal))
        choices += shown.seat == 1
    assert state.is_terminal()
    assert state.winners() == [1]


# --- What it keeps from one move to the next ------------------------------------------------------------------------
def test_what_was_learned_still_stands_at_the_next_move() -> None:
    game = load_game("save-the-dragon", 2)
    bot, fresh = SearchBot(1, Plan(simulations=20_000)), SearchBot(1, Plan(simulations=100))
    seen = [shown for shown, _ in zip(moments(game, 1), range(30), strict=False) if len(shown.legal) > 1]
    now = seen[0]
    bot.think(now)
    later = next(shown for shown in seen[1:] if shown.seat == now.seat)
    bot.plan = Plan(simulations=100)
    assert sum(bot.think(later).weights.values()) > sum(fresh.think(later).weights.values())


def test_when_room_gets_short_only_what_was_seen_last_is_carried_over() -> None:
    shown = first_of_many(load_game("save-the-dragon", 2))
    tree = grown(shown, Plan(simulations=500), 2_500)
    before, nodes = tree.thought(shown), int(tree.head.nodes[0])
    old = tree.store.nodes.age[1:nodes].copy()
    tree.store.nodes.age[2:nodes:2] = 0  # as if every other node had been met in an earlier thought
    kept = int((tree.store.nodes.age[1:nodes] == 1).sum())
    root = tree._node(shown)
    tree.store.nodes.age[root] = 1
    kept += int(root % 2 == 0)
    tree._tidy()
    assert len(old) > tree.room[0] // 2
    assert int(tree.head.nodes[0]) == kept + 1
    assert tree.thought(shown) == before
    tree.grow(shown, 300, None)
    assert sum(tree.thought(shown).weights.values()) == sum(before.weights.values()) + 300


def test_another_game_begins_with_nothing() -> None:
    one, other = load_game("save-the-dragon", 2), load_game("save-the-dragon", 2)
    bot = SearchBot(1, FEW)
    bot.think(first_of_many(one))
    tree = bot.trees[0]
    bot.think(first_of_many(one))
    assert bot.trees[0] is tree
    bot.think(first_of_many(other))
    assert bot.trees[0] is not tree


# --- Budgets and ways -----------------------------------------------------------------------------------------------
def test_plans_are_read() -> None:
    assert read_plan("1s") == Plan(seconds=1)
    assert read_plan("1.5s") == Plan(seconds=1.5)
    assert read_plan("300ms") == Plan(seconds=0.3)
    assert read_plan("5000") == Plan(simulations=5000)
    assert read_plan("5000:within=1.4:threads=2") == Plan(seconds=1.4, simulations=5000, threads=2)
    assert read_plan("9:depth=4:wide=0.5") == Plan(simulations=9, ways=Ways(depth=4, wide=0.5))


@pytest.mark.parametrize("text", ["", "s", "0", "0s", "1.5", "-1", "1 s", "2x", "1h"])
def test_what_is_no_budget_is_refused_in_words(text: str) -> None:
    with pytest.raises(DracothequeError, match="is no budget: write search:1s"):
        read_plan(text)


def test_unknown_ways_are_refused_in_words() -> None:
    with pytest.raises(DracothequeError, match=r"no way of searching .deph.\. Did you mean .depth"):
        read_plan("1s:deph=3")
    with pytest.raises(DracothequeError, match="write depth=2, for instance"):
        read_plan("1s:depth=deep")


def test_a_number_of_simulations_ends_early_where_time_is_short() -> None:
    shown = first_of_many(load_game("emerald"))
    SearchBot(1, FEW).think(shown)  # compiled now
    assert 0 < SearchBot(1, Plan(seconds=0.05, simulations=100_000_000)).think(shown).simulations < 100_000_000


def test_who_has_no_time_at_all_still_looks_once() -> None:
    shown = first_of_many(load_game("save-the-dragon"))
    thought = SearchBot(1, Plan(seconds=1e-9)).think(shown)
    assert thought.simulations > 0
    assert sum(thought.weights.values()) > 0


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


def test_every_game_has_its_best_ways() -> None:
    assert BEST.keys() == SHELF.keys()


def test_the_depth_cuts_simulations_short() -> None:
    shown = first_of_many(load_game("gran"))
    began = time.perf_counter()
    grown(shown, Plan(simulations=30, ways=Ways(depth=1)), 30)
    short = time.perf_counter() - began
    tree = grown(shown, Plan(simulations=1, ways=Ways(depth=WHOLE_GAME)), 1)
    values = {int(tree.place.weights[seat]) for seat in range(3)}
    assert values <= {0, 333_333, 500_000, 1_000_000}  # to the end: somebody has won
    tree = grown(shown, Plan(simulations=1, ways=Ways(depth=1)), 1)
    assert not {int(tree.place.weights[seat]) for seat in range(3)} <= {0, 500_000, 1_000_000}
    assert short < 30


def test_wide_tries_first_what_the_advice_likes() -> None:
    shown = first_of_many(load_game("gran"))
    greedy = make_bot("greedy", 1)
    best = max(greedy.values(shown).values())  # pyright: ignore[reportAttributeAccessIssue]
    tree = grown(shown, Plan(simulations=8, ways=Ways(wide=0.1, depth=0)), 8)
    tried = [action for action, visits in tree.thought(shown).weights.items() if visits]
    assert 1 <= len(tried) <= 2
    assert any(greedy.values(shown)[action] == best for action in tried)  # pyright: ignore[reportAttributeAccessIssue]


# --- Strength -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "players"), [("emerald", 2), ("save-the-dragon", 2), ("dragons-cave", 2)])
def test_it_beats_who_plays_at_random(name: str, players: int) -> None:
    game, wins = load_game(name, players), 0
    for number in range(20):
        mine = number % players
        bots = [make_bot("search:100" if seat == mine else "random", number) for seat in range(players)]
        wins += mine in winners(game, bots, number)
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
def test_sealed_choices_are_not_always_the_same() -> None:
    game = load_game("dragons-cave", 3)
    shown = next(shown for shown in moments(game, 1) if shown.table.to_move == SIMULTANEOUS and len(shown.legal) > 2)
    chosen = Counter(SearchBot(seed, Plan(simulations=200)).choose(shown) for seed in range(30))
    assert len(chosen) > 1
    assert {*chosen} <= {*shown.legal}


def test_only_what_is_wanted_nearly_as_often_as_the_best_is_chosen() -> None:
    game = load_game("dragons-cave", 2)
    shown = next(shown for shown in moments(game, 1) if shown.table.phase == SEAL)
    for seed in range(30):
        weights = SearchBot(seed, Plan(simulations=100)).think(shown).weights
        assert weights[SearchBot(seed, Plan(simulations=100)).choose(shown)] >= NEARLY * max(weights.values())


def test_who_sees_the_same_again_may_do_something_else() -> None:
    game = load_game("dragons-cave", 2)
    shown = next(shown for shown in moments(game, 1) if shown.table.phase == SEAL)
    less_wanted = 0
    for seed in range(30):
        bot = SearchBot(seed, Plan(simulations=100))
        bot.choose(shown)
        chosen, weights = bot.choose(shown), bot.trees[0].thought(shown).weights
        less_wanted += weights[chosen] < NEARLY * max(weights.values())
    assert less_wanted > 5


def test_two_dragons_do_not_find_each_other_out_for_ever() -> None:
    """One laid the same card and the other guessed it, again and again, before they surprised each other."""
    game = load_game("dragons-cave", 2)
    for seed in range(3):
        state, decisions = play_with_bots(
            game, [make_bot("search:1500", seed), make_bot("search:800", seed)], Random(seed)
        )
        assert state.is_terminal()
        assert decisions < 2_000


@pytest.mark.parametrize("phase", [PLACE, SPLIT])
def test_the_dragon_learns_to_guess_fists_and_cards_as_they_are_chosen(phase: int) -> None:
    """Who places or guesses finds its choice in the tree, though others choose before it in every simulation."""
    game = load_game("dragons-cave", 3)
    kinds = (phase, phase + 1) if phase == SPLIT else (phase,)
    found = [shown for seed in range(5) for shown in moments(game, seed) if shown.table.phase in kinds]
    for shown in found[:20]:
        assert sum(SearchBot(1, Plan(simulations=400)).think(shown).weights.values()) > 0


def test_what_others_have_sealed_changes_nothing() -> None:
    game = load_game("dragons-cave", 3)
    state, seat = next(
        (s, seat) for s, seat in states(game, 1) if s.current_player() == SIMULTANEOUS and len(asked(s)) > 1
    )
    first, second, *_ = asked(state)
    assert first == seat
    before = SearchBot(4, FEW).think(view(state, second))
    for sealed in state.legal_actions(first):
        other = state.clone()
        other.apply_action(sealed, first)
        assert SearchBot(4, FEW).think(view(other, second)) == before  # nor that it is sealed already


@pytest.mark.parametrize("phase", [SPLIT, GUESS])
def test_which_fist_is_which_is_left_to_a_coin(phase: int) -> None:
    """Fists are alike: whoever hid more in one of them, or pointed at one of them, more often would be found out."""
    game, met = load_game("dragons-cave", 3), 0
    for seed in range(20):
        for shown in moments(game, seed):
            if shown.table.phase == phase and len(shown.legal) > 1:
                weights = SearchBot(seed, Plan(simulations=100)).think(shown).weights
                assert [*weights.values()] == pytest.approx([*weights.values()][::-1])
                if phase == GUESS:
                    chosen = {SearchBot(number, Plan(simulations=20)).choose(shown) for number in range(30)}
                    assert chosen == {*shown.legal}
                met += 1
                break
    assert met > 5

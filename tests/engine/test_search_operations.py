"""What a search asks of a game: fresh starts, marks, choices, games played on, and sealed choices reopened."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dracotheque import Game, State, load_game
from dracotheque.engine import registry
from dracotheque.engine.dispatch import SIMULTANEOUS, TERMINAL
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.search_operations import CERTAIN
from dracotheque.games.dragons_cave.rules.state import CHEST, GUESS, NO_CARD, PLACE, SEAL, SPLIT, TO_SPLIT
from dracotheque.simulation.simulate import asked
from tests.bots.moments import states

BOTH = pytest.mark.parametrize("interpreted", [False, True])


def bench_at(state: State) -> Any:
    """Return a batch whose workspace has a state, and whose games begin there."""
    batch = state.game.runtime.new_batch(state.record())
    batch.show(state.record())
    batch.seed(5)
    return batch


def mark(state: State, seat: int) -> int:
    """The number of what a seat sees."""
    batch = bench_at(state)  # its memory must outlive the call
    return state.game.runtime.operations.information_set_hash(batch.handle, seat)


def on_desk(game: Game, batch: Any) -> bytes:
    """Return the state in a batch's workspace."""
    return batch.last()[: game.runtime.state.itemsize]


# --- Marks ----------------------------------------------------------------------------------------------------------
@BOTH
@pytest.mark.parametrize("name", registry.games())
def test_different_sights_have_different_marks(name: str, interpreted: bool) -> None:
    game, sights = load_game(name, interpreted=interpreted), {}
    for number, (state, seat) in enumerate(states(game, 1)):
        if number > 150:
            break
        sights.setdefault(mark(state, seat), set()).add((state.observation(seat).bytes(), seat))
    # Where choices are sealed, it makes no difference for a mark whether another has sealed already.
    assert all(len({sight for sight, _ in same}) == 1 or game.definition.simultaneous for same in sights.values())
    assert all(len({seat for _, seat in same}) == 1 for same in sights.values())
    assert len(sights) > 20


@pytest.mark.parametrize("name", registry.games())
def test_marks_are_the_same_compiled_and_interpreted(name: str) -> None:
    native, plain = load_game(name), load_game(name, interpreted=True)
    for number, ((one, seat), (other, _)) in enumerate(zip(states(native, 2), states(plain, 2), strict=False)):
        if number > 40:
            break
        assert mark(one, seat) == mark(other, seat)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_others_hide_does_not_change_a_mark(players: int) -> None:
    game, random, changed = load_game("dragons-cave", players), Random(3), 0
    for number, (state, seat) in enumerate(states(game, 4)):
        if number > 150:
            break
        other = state.resample_from_infostate(seat, random)
        changed += other.record() != state.record()
        assert mark(state, seat) == mark(other, seat)
    assert changed > 5


# --- Playing on -----------------------------------------------------------------------------------------------------
@BOTH
@pytest.mark.parametrize("name", registry.games())
def test_a_choice_is_carried_out_with_what_chance_adds(name: str, interpreted: bool) -> None:
    game = load_game(name, interpreted=interpreted)
    for number, (state, seat) in enumerate(states(game, 1)):
        if number > 25:
            break
        batch, action = bench_at(state), state.legal_actions(seat)[0]
        then = game.runtime.operations.advance(batch.workspace_handle, seat, action)
        assert then == TERMINAL or 0 <= then < game.players
        after = state.clone()
        after.apply_action(action, seat)
        if not after.is_chance_node():
            assert on_desk(game, batch) == after.record()
            assert after.is_terminal() or then == asked(after)[0]


@BOTH
@pytest.mark.parametrize("advice", [0, 100])
@pytest.mark.parametrize("name", ["emerald", "dragons-cave", "save-the-dragon"])
def test_a_game_played_on_to_its_end_is_shared_by_its_winners(name: str, advice: int, interpreted: bool) -> None:
    game = load_game(name, interpreted=interpreted)
    state, _ = next(states(game, 1))
    batch = bench_at(state)
    assert game.runtime.operations.rollout(batch.workspace_handle, 1 << 40, advice) > 1
    end = PlainState(game.runtime.state, game.rules, on_desk(game, batch))
    assert end.to_move == TERMINAL
    shares = [int(batch.weights[seat]) for seat in range(game.players)]
    assert {share for share in shares if share} == {CERTAIN // sum(share > 0 for share in shares)}


@BOTH
@pytest.mark.parametrize("name", registry.games())
def test_a_game_cut_short_is_judged_by_its_outlook(name: str, interpreted: bool) -> None:
    game = load_game(name, interpreted=interpreted)
    for number, (state, _) in enumerate(states(game, 1)):
        if number > 30:
            break
        batch = bench_at(state)
        assert game.runtime.operations.rollout(batch.workspace_handle, 0, 0) == 0
        assert on_desk(game, batch) == state.record()
        shares = [int(batch.weights[seat]) for seat in range(game.players)]
        assert CERTAIN - game.players <= sum(shares) <= CERTAIN
        assert all(0 < share < CERTAIN for share in shares)


def test_so_many_choices_are_played_on() -> None:
    game = load_game("emerald")
    state, _ = next(states(game, 1))
    for depth in (1, 2, 7):
        batch = bench_at(state)
        assert game.runtime.operations.rollout(batch.workspace_handle, depth, 50) == depth


# --- What is sealed -------------------------------------------------------------------------------------------------
def reopened(state: State, viewer: int) -> PlainState:
    """What a viewer sees, with everything sealed to be chosen again."""
    game = load_game("dragons-cave", state.game.players, interpreted=True)
    table = PlainState(game.runtime.state, game.rules, state.observation(viewer).bytes())
    game.rules.withdraw_sealed(table, viewer)
    return table


def caves(players: int, phase: int) -> list[tuple[State, int]]:
    """Copies of moments of Dragon's Cave in a phase, and who must choose there."""
    found: list[tuple[State, int]] = []
    for seed in range(12):
        for state, seat in states(load_game("dragons-cave", players), seed):
            if state.to_plain().phase == phase:
                found.append((state.clone(), seat))
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_before_the_dragon_sits_all_cards_are_chosen_again(players: int) -> None:
    for state, dragon in caves(players, PLACE):
        table, before = reopened(state, dragon), state.to_plain()
        hidden = [seat for seat in range(players) if seat != dragon and before.card[seat] != CHEST]
        forced = [seat for seat in range(players) if before.card[seat] == CHEST and before.hand[seat] == 1 << CHEST]
        for seat in forced:
            assert table.card[seat] == CHEST
        sealers = [seat for seat in range(players) if seat != dragon and seat not in forced]
        assert {*hidden} <= {*sealers}
        if sealers:
            assert (table.phase, table.waiting) == (SEAL, len(sealers))
            assert table.to_move == (sealers[0] if len(sealers) == 1 else SIMULTANEOUS)
            assert all(table.card[seat] == NO_CARD for seat in sealers)
        else:
            assert table.phase == PLACE


def test_who_seals_later_supposes_that_others_choose_still() -> None:
    for state, seat in caves(4, SEAL):
        table = reopened(state, seat)
        open_hands = [s for s in range(4) if s != table.dragon_seat and table.card[s] == NO_CARD]
        assert seat in open_hands
        assert table.waiting == len(open_hands)
        assert table.to_move == (seat if len(open_hands) == 1 else SIMULTANEOUS)


def test_before_the_dragon_guesses_fists_are_filled_again() -> None:
    moments = caves(3, GUESS)
    assert moments
    for state, dragon in moments:
        table, before = reopened(state, dragon), state.to_plain()
        fists = [seat for seat in range(3) if table.left[seat] == TO_SPLIT]
        assert before.guessing in fists
        assert (table.phase, table.waiting) == (SPLIT, len(fists))


@pytest.mark.parametrize("name", ["emerald", "gran", "save-the-dragon"])
def test_where_nothing_is_sealed_nothing_is_reopened(name: str) -> None:
    game = load_game(name, interpreted=True)
    state, seat = next(states(game, 1))
    table = PlainState(game.runtime.state, game.rules, state.record())
    game.rules.withdraw_sealed(table, seat)
    assert table.bytes() == state.record()

"""The public face: OpenSpiel's vocabulary, bad input that changes nothing, copies that are independent."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from dracotheque import CHANCE, TERMINAL, DracothequeError, IllegalAction, State, load_game
from dracotheque.engine.log import GameLog


def played(players: int = 3, moves: int = 60, seed: int = 1, **options: str) -> State:
    """A game some moves in."""
    state, random = load_game("emerald", players, **options).new_initial_state(), Random(seed)
    while not state.is_terminal() and (state.move_number() < moves or state.is_chance_node()):
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(random) if chance else random.choice(state.legal_actions()))
    return state


def finished(seed: int = 1) -> State:
    return played(moves=10_000, seed=seed)


def test_names_are_forgiving_and_wrong_ones_answered() -> None:
    assert load_game(" Emerald ").players == 3
    with pytest.raises(DracothequeError, match="Did you mean 'emerald'"):
        load_game("emeralt")
    with pytest.raises(DracothequeError, match="2 to 5 players, not 6"):
        load_game("emerald", 6)
    with pytest.raises(DracothequeError, match="Known: lots, 1, 2"):
        load_game("emerald", 2, starts="3")


def test_repr_loads_the_same_game() -> None:
    game = load_game("emerald", players=4, gold="open")
    again = eval(repr(game))  # that is the promise
    assert (again.players, again.options) == (4, game.options)


def test_a_game_says_what_it_is() -> None:
    game = load_game("emerald", players=5)
    assert (game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes()) == (5, 55, 17)
    assert game.observation_tensor_size() == played(5).observation_tensor().size


@pytest.mark.parametrize("action", [-1, 55, 10**30])
def test_a_number_that_is_no_action(action: int) -> None:
    state = played()
    before = state.record()
    with pytest.raises(IllegalAction, match="no action of Emerald"):
        state.apply_action(action)
    assert state.record() == before


def test_things_that_are_no_numbers() -> None:
    state = played()
    for action in ("3", 3.5, None):
        with pytest.raises(TypeError):
            state.apply_action(action)  # type: ignore[arg-type]
    legal = state.legal_actions()[0]
    state.clone().apply_action(np.int16(legal))  # type: ignore[arg-type] - any whole number will do
    state.clone().apply_action(np.uint8(legal))  # type: ignore[arg-type]
    seat = state.current_player()
    assert state.legal_actions(np.int32(seat)) == state.legal_actions()  # type: ignore[arg-type]
    assert state.legal_actions(True) == state.legal_actions(1)
    for player in (0.0, "0"):
        with pytest.raises(TypeError):
            state.apply_action(legal, player)  # type: ignore[arg-type]


def test_a_seat_that_is_not_there() -> None:
    state = played()
    before = state.record()
    for call in (state.legal_actions, state.observation, state.observation_tensor, state.observation_string):
        with pytest.raises(DracothequeError, match="There is no seat 3: seats are 0 to 2"):
            call(3)
    with pytest.raises(DracothequeError, match="There is no seat -3"):
        state.apply_action(0, player=-3)
    assert state.record() == before


def test_every_illegal_action_names_its_rule_and_changes_nothing() -> None:
    state = played()
    before, history = state.record(), state.full_history()
    book = state.game.rulebook()
    for player in range(3):
        for action in range(state.game.num_distinct_actions()):
            if action in state.legal_actions(player):
                continue
            with pytest.raises(IllegalAction) as caught:
                state.apply_action(action, player)
            assert book[str(caught.value.rule)].sentence in str(caught.value)
            assert state.action_to_string(action, player) in str(caught.value)
    assert (state.record(), state.full_history()) == (before, history)


def test_chance_is_not_for_players_and_players_not_for_chance() -> None:
    fresh = load_game("emerald").new_initial_state()
    assert fresh.current_player() == CHANCE
    assert fresh.legal_actions() == [0, 1, 2]
    assert fresh.legal_actions(0) == []
    with pytest.raises(IllegalAction, match=r"turn\.order"):
        fresh.apply_action(0, player=0)
    with pytest.raises(IllegalAction, match="Chance cannot bring “ruby” here"):
        fresh.apply_action(8)
    state = played()
    with pytest.raises(IllegalAction, match="Chance has nothing to decide"):
        state.apply_action(5, CHANCE)
    with pytest.raises(DracothequeError, match="nothing to decide"):
        state.sample_chance(Random(1))


def test_chance_outcomes_add_up_and_are_drawn_by_their_weight() -> None:
    state = load_game("emerald", starts="1").new_initial_state()
    for gem in (8, 8, 8, 9):
        state.apply_action(gem)
    assert dict(state.chance_outcomes()) == pytest.approx({8: 3 / 20, 9: 5 / 20, 10: 6 / 20, 11: 6 / 20})
    random = Random(3)
    drawn = [state.sample_chance(random) for _ in range(4000)]
    for outcome, probability in state.chance_outcomes():
        assert abs(drawn.count(outcome) / 4000 - probability) < 0.03


def test_the_end() -> None:
    state = finished()
    assert state.current_player() == TERMINAL
    assert state.legal_actions(0) == []
    assert state.legal_actions(CHANCE) == []
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.scores()) == state.scores()[state.winners()[0]]
    assert state.ending() in ("end.treasures", "end.last-knight")
    for action in (0, 40, 99):
        with pytest.raises(IllegalAction) as caught:
            state.apply_action(action)
        assert caught.value.rule == "end.at-once"
    running = played()
    assert (running.winners(), running.returns(), running.ending()) == ([], [0.0, 0.0, 0.0], None)


def test_copies_are_independent() -> None:
    state = played()
    copy = state.clone()
    assert copy == state
    copy.apply_action(copy.legal_actions()[0])
    assert copy != state
    assert copy.move_number() == state.move_number() + 1
    child = state.child(state.legal_actions()[0])
    assert child == copy
    assert len(state.history()) == state.move_number()


def test_a_state_written_and_read_is_the_same() -> None:
    state = played(seed=7)
    again = state.game.deserialize_state(state.serialize())
    assert again == state
    assert again.full_history() == state.full_history()
    with pytest.raises(DracothequeError, match="Move 2, 'x', is not written"):
        state.game.deserialize_state("-1:0 x")
    with pytest.raises(IllegalAction, match="Move 1, '0:3'"):
        state.game.deserialize_state("0:3")
    with pytest.raises(IllegalAction, match="Move 1, '7:3': There is no seat 7"):
        state.game.deserialize_state("7:3")


def test_undo_takes_back_one_move() -> None:
    state = played(seed=4)
    before = state.clone()
    state.apply_action(state.legal_actions()[-1])
    assert state.undo_action() == (before.current_player(), before.legal_actions()[-1])
    assert state == before
    with pytest.raises(DracothequeError, match="Nothing has been played"):
        load_game("emerald").new_initial_state().undo_action()


def test_playing_on_at_random_is_decided_by_its_seed() -> None:
    state = played(seed=5)
    first, second, third = state.clone(), state.clone(), state.clone()
    assert first.play_randomly(Random(1)) == second.play_randomly(Random(1))
    assert first == second
    third.play_randomly(Random(2))
    assert first != third
    assert first.is_terminal()
    assert len(first.winners()) >= 1
    for call in (first.serialize, first.undo_action, first.full_history, lambda: GameLog.of(first)):
        with pytest.raises(DracothequeError, match="its moves are not known"):
            call()
    assert state.serialize()


def test_a_strange_die_stays_within_the_outcomes() -> None:
    class Strange:
        def __init__(self, value: float) -> None:
            self.value = value

        def random(self) -> float:
            return self.value

    state = load_game("emerald").new_initial_state()
    assert [state.sample_chance(Strange(value)) for value in (-5, 0, 0.34, 1.0, 1e9)] == [0, 0, 1, 2, 2]


def test_two_threads_may_use_their_own_states() -> None:
    from concurrent.futures import ThreadPoolExecutor

    expected = [finished(seed).record() for seed in range(6)]
    with ThreadPoolExecutor(4) as pool:
        assert [state.record() for state in pool.map(finished, range(6))] == expected


def test_words_in_every_language() -> None:
    state = played()
    action = state.legal_actions()[0]
    names = {state.action_to_string(action, language=language) for language in ("en", "fr", "it", "de")}
    assert len(names) == 4
    assert state.action_to_string(3, player=1) == "knight from tower 4"
    assert state.why_not(action) is None
    for language in ("en", "fr", "it", "de"):
        assert state.why_not(0, (state.current_player() + 1) % 3, language) == (
            state.game.rulebook(language)["turn.order"].sentence
        )
    with pytest.raises(DracothequeError, match="There is no language 'es'"):
        state.action_to_string(action, language="es")

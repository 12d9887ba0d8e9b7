"""The public face: OpenSpiel's vocabulary, bad input that changes nothing, copies that are independent."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import BuiltinFunctionType

import numpy as np
import pytest

from dracotheque import CHANCE, TERMINAL, DracothequeError, IllegalActionError, State, load_game
from dracotheque.engine import registry
from dracotheque.engine.game import Game
from dracotheque.engine.jit import workspace
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
    with pytest.raises(DracothequeError, match="Valid: lots, 1, 2"):
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
    with pytest.raises(IllegalActionError, match="no action of Emerald"):
        state.apply_action(action)
    assert state.record() == before


def test_any_whole_number_will_do() -> None:
    state = played()
    legal = state.legal_actions()[0]
    state.clone().apply_action(np.int16(legal))  # type: ignore[arg-type] - any whole number will do
    state.clone().apply_action(np.uint8(legal))  # type: ignore[arg-type]
    seat = state.current_player()
    assert state.legal_actions(np.int32(seat)) == state.legal_actions()  # type: ignore[arg-type]


def test_a_seat_that_is_not_there() -> None:
    state = played()
    before = state.record()
    for call in (state.legal_actions, state.observation, state.observation_tensor, state.observation_string):
        with pytest.raises(DracothequeError, match="There is no seat 3: seats are 0 to 2"):
            call(3)
    with pytest.raises(DracothequeError, match="There is no seat -3"):
        state.apply_action(0, player=-3)
    assert state.record() == before


WRONG_TYPES: dict[str, Callable[[State], object]] = {
    "The number of players is a whole number such as 3, not '3'": lambda _: load_game("emerald", players="3"),
    "The number of players is a whole number such as 3, not True": lambda _: load_game("emerald", players=True),
    "The number of players is a whole number such as 3, not 3.0": lambda _: load_game("emerald", 3.0),
    "The name of a game is a text, as `dracotheque games` lists them, not 5": lambda _: load_game(5),
    "A version of the rules is a whole number such as 1, not '1'": lambda _: load_game("emerald", version="1"),
    "A board is a name, a file, or a board’s data, not 5": lambda _: load_game("dragons-cave", board=5),
    "Invalid value '\\[1\\]' for option starts": lambda _: load_game("emerald", starts=[1]),
    "An action is a whole number, as .* not 'x'": lambda state: state.apply_action("x"),
    "An action is a whole number, as .* not None": lambda state: state.apply_action(None),
    "An action is a whole number, as .* not 1.0": lambda state: state.apply_action(1.0),
    "An action is a whole number, as .* not True": lambda state: state.apply_action(True),
    "An action is a whole number, as .* not np.False_": lambda state: state.apply_action(np.bool_(False)),
    "An action is a whole number, as .* not '0'": lambda state: state.child("0"),
    "An action is a whole number, as .* not '1'": lambda state: state.check_action("1"),
    "An action is a whole number, as .* not '2'": lambda state: state.refusal("2"),
    "An action is a whole number, as .* not '3'": lambda state: state.refusal_text("3"),
    "An action is a whole number, as .* not '4'": lambda state: state.action_to_string("4"),
    "99 is no action of Emerald: they are 0 to 54": lambda state: state.action_to_string(99, 0),
    "There is no seat 3": lambda state: state.action_to_string(0, 3),
    "A seat is a whole number, 0 for the first, not '0'": lambda state: state.apply_action(0, "0"),
    "A seat is a whole number, 0 for the first, not '1'": lambda state: state.legal_actions("1"),
    "A seat is a whole number, 0 for the first, not 1.5": lambda state: state.observation(1.5),
    "A seat is a whole number, 0 for the first, not False": lambda state: state.observation_tensor(False),
    "A seat is a whole number, 0 for the first, not None": lambda state: state.resample_from_infostate(None, Random(1)),
    "A seat is a whole number, 0 for the first, not \\[\\]": lambda state: state.observation_string([]),
    "A list of actions is needed, one a seat, not 7": lambda _: sealed().apply_actions(7),
    "An action is a whole number, as .* not '5'": lambda _: sealed().apply_actions(["5"] * 3),
    "drawn from a random.Random, or anything with its random\\(\\), not 1": lambda _: fresh().sample_chance(1),
    "drawn from a random.Random, or anything with its randrange\\(\\), not 2": lambda state: (
        state.resample_from_infostate(0, 2)
    ),
    "drawn from a random.Random, or anything with its randrange\\(\\), not 3": lambda state: state.play_randomly(3),
    "A language is a text such as 'en', not 5": lambda state: state.game.rulebook(5),
    "A language is a text such as 'en', not \\['en'\\]": lambda state: state.game.words(["en"]),
    "Unknown language 'xx'": lambda state: state.action_to_string(0, 0, "xx"),
    "A serialized state is a text of moves, not 8": lambda state: state.game.deserialize_state(8),
}
"""What a wrong type is answered, and what it is given to."""


def fresh() -> State:
    return load_game("emerald").new_initial_state()


def sealed() -> State:
    return load_game("dragons-cave", first_dragon="1").new_initial_state()


@pytest.mark.parametrize("answer", WRONG_TYPES)
def test_wrong_types_are_answered_in_a_sentence_and_change_nothing(answer: str) -> None:
    state = played()
    before, history = state.record(), state.full_history()
    with pytest.raises(DracothequeError, match=answer):
        WRONG_TYPES[answer](state)
    assert (state.record(), state.full_history()) == (before, history)


def test_an_error_inside_a_source_of_chance_is_its_own() -> None:
    class Broken:
        def random(self) -> float:
            return self.missing  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="missing"):
        fresh().sample_chance(Broken())


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int32])
def test_whole_numbers_of_numpy_are_numbers(kind: type) -> None:
    state = load_game("emerald", kind(3), version=kind(1)).new_initial_state()
    state.apply_action(kind(1))
    assert state.full_history() == [(CHANCE, 1)]
    assert type(state.history()[0]) is int
    assert state.legal_actions(kind(0)) == []
    assert state.action_to_string(kind(8), kind(0)) == state.action_to_string(8, 0)


def test_every_illegal_action_names_its_rule_and_changes_nothing() -> None:
    state = played()
    before, history = state.record(), state.full_history()
    book = state.game.rulebook()
    for player in range(3):
        for action in range(state.game.num_distinct_actions()):
            if action in state.legal_actions(player):
                continue
            with pytest.raises(IllegalActionError) as caught:
                state.apply_action(action, player)
            assert book[str(caught.value.rule)].sentence in str(caught.value)
            assert state.action_to_string(action, player) in str(caught.value)
    assert (state.record(), state.full_history()) == (before, history)


def test_chance_is_not_for_players_and_players_not_for_chance() -> None:
    fresh = load_game("emerald").new_initial_state()
    assert fresh.current_player() == CHANCE
    assert fresh.legal_actions() == [0, 1, 2]
    assert fresh.legal_actions(0) == []
    with pytest.raises(IllegalActionError, match=r"turn\.order"):
        fresh.apply_action(0, player=0)
    with pytest.raises(IllegalActionError, match="Chance cannot bring “ruby” here"):
        fresh.apply_action(8)
    state = played()
    with pytest.raises(IllegalActionError, match="Chance has nothing to decide"):
        state.apply_action(5, CHANCE)
    with pytest.raises(DracothequeError, match="nothing to decide"):
        state.sample_chance(Random(1))


@pytest.mark.parametrize("name", ["emerald", "dragons-cave"])
def test_a_state_older_than_the_first_call_of_an_operation_is_no_slower(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba's dispatch takes three times as long as machine code that is called directly: no state may keep it."""
    fresh = workspace.RulesRuntime(load_game(name).rules, interpreted=False)
    monkeypatch.setattr(workspace, "rules_runtime", lambda package, interpreted: fresh)
    state = Game(registry.games()[name], 3, {}).new_initial_state()
    held = state._step, state._legal, state._chance, state._drawn
    assert {type(function) for function in held} == {BuiltinFunctionType}
    state.chance_outcomes()
    state.apply_action(state.sample_chance(Random(1)))
    assert held == (
        fresh.operations.step,
        fresh.operations.legal,
        fresh.operations.chance,
        fresh.operations.sample_outcome,
    )


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
        with pytest.raises(IllegalActionError) as caught:
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
    with pytest.raises(IllegalActionError, match="Move 1, '0:3'"):
        state.game.deserialize_state("0:3")
    with pytest.raises(IllegalActionError, match="Move 1, '7:3': There is no seat 7"):
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
    assert state.action_to_string(3, player=1) == "tower 4"
    assert state.refusal_text(action) is None
    for language in ("en", "fr", "it", "de"):
        assert state.refusal_text(0, (state.current_player() + 1) % 3, language) == (
            state.game.rulebook(language)["turn.order"].sentence
        )
    with pytest.raises(DracothequeError, match="Unknown language 'es'"):
        state.action_to_string(action, language="es")

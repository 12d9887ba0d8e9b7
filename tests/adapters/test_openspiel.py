"""OpenSpiel's own checks pass, its algorithms play, and what a seat knows is what it saw and no more."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from dracotheque import DracothequeError, IllegalActionError, State
from dracotheque.engine import registry
from dracotheque.engine.playthrough import tell

pyspiel = pytest.importorskip("pyspiel")
openspiel = importlib.import_module("dracotheque.adapters.openspiel")
checks = importlib.import_module("open_spiel.integration_tests.api_test")
observation = importlib.import_module("open_spiel.python.observation")
generate_playthrough = importlib.import_module("open_spiel.python.algorithms.generate_playthrough")
cfr = importlib.import_module("open_spiel.python.algorithms.cfr")
exploitability = importlib.import_module("open_spiel.python.algorithms.exploitability")
expected_game_score = importlib.import_module("open_spiel.python.algorithms.expected_game_score")
policy = importlib.import_module("open_spiel.python.policy")
mcts = importlib.import_module("open_spiel.python.algorithms.mcts")
ismcts = importlib.import_module("open_spiel.python.algorithms.ismcts")
external = importlib.import_module("open_spiel.python.algorithms.external_sampling_mccfr")
outcome = importlib.import_module("open_spiel.python.algorithms.outcome_sampling_mccfr")

GRAN = "dracotheque_gran(board=small,seals=two)"
GAMES = [
    "dracotheque_emerald",
    "dracotheque_emerald(players=2,gold=open,second_move=compulsory,starts=seat2)",
    "dracotheque_emerald(players=5)",
    "dracotheque_dragons_cave",
    "dracotheque_dragons_cave(players=2,chests=open)",
    "dracotheque_dragons_cave(players=4,board=small,first_dragon=seat4)",
    GRAN,
    "dracotheque_gran(players=6,board=small,seals=two,starts=seat6)",
    "dracotheque_save_the_dragon",
    "dracotheque_save_the_dragon(players=2,youngest=everybody)",
    "dracotheque_save_the_dragon(players=4,youngest=seat3,starts=seat1)",
]
SEQUENTIAL = {
    "emerald": "dracotheque_emerald(players=2)",
    "dragons_cave": "dracotheque_dragons_cave(players=2)",
    "gran": GRAN,
    "save_the_dragon": "dracotheque_save_the_dragon(players=2)",
}
TURN_BASED = "turn_based_simultaneous_game(game=dracotheque_dragons_cave(players=3))"


def play(state: Any, random: Random) -> Iterator[Any]:
    """Play an OpenSpiel game at random; give the state before every move and after the last."""
    yield state
    while not state.is_terminal():
        if state.is_simultaneous_node():
            legal = [state.legal_actions(seat) for seat in range(state.num_players())]
            state.apply_actions([random.choice(actions or [0]) for actions in legal])
        elif state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, shares)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
        yield state


# --- OpenSpiel's own checks ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", [*GAMES, TURN_BASED])
def test_random_sim_test(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=1 if "gran" in game else 3, serialize=True, verbose=False)


@pytest.mark.parametrize("game", SEQUENTIAL.values())
@pytest.mark.parametrize("recall", [False, True])
def test_random_sim_test_with_an_observer(game: str, recall: bool) -> None:
    loaded = pyspiel.load_game(game)
    observer = loaded.make_observer(pyspiel.IIGObservationType(perfect_recall=recall), {})
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=False, verbose=False, observer=observer)


class TestApiEmerald(checks.EnforceAPIOnPartialTreeBase):
    """OpenSpiel's API checks on Emerald."""

    game_name, game = "emerald", pyspiel.load_game(SEQUENTIAL["emerald"])


class TestApiDragonsCave(checks.EnforceAPIOnPartialTreeBase):
    """OpenSpiel's API checks on Dragon's Cave for two, where one seat chooses at a time."""

    game_name, game = "dragons_cave", pyspiel.load_game(SEQUENTIAL["dragons_cave"])


class TestApiGran(checks.EnforceAPIOnPartialTreeBase):
    """OpenSpiel's API checks on Gran."""

    game_name, game = "gran", pyspiel.load_game(SEQUENTIAL["gran"])


class TestApiSaveTheDragon(checks.EnforceAPIOnPartialTreeBase):
    """OpenSpiel's API checks on Save the Dragon."""

    game_name, game = "save_the_dragon", pyspiel.load_game(SEQUENTIAL["save_the_dragon"])


class TestWholeTree(checks.EnforceAPIOnFullTreeBase):
    """OpenSpiel's checks on every state of a cave that is left after three moves, perfect recall among them.

    A card of six is sealed for one of two dwarves, of which the dragon knows only the dwarf, and sits in one of five
    niches. Then follow five cards for two dwarves, or all six after a fright or a Chest.
    """

    game_name = "cave_begun"
    game = pyspiel.load_game(
        "dracotheque_dragons_cave(players=2,board=small,first_dragon=seat1,horizon=3,allow_truncation=true)"
    )
    nodes: ClassVar[tuple[int, int, int]] = (0, 1 + 12 + 60, 10 * (4 * 10 + 12) + 10 * 12)
    infosets: ClassVar[int] = 1 + 2 + 60

    @classmethod
    def setUpClass(cls) -> None:
        """Tell OpenSpiel's tables how large the tree has to be."""
        super().setUpClass()
        checks.TOTAL_NUM_STATES[cls.game_name] = cls.nodes
        checks.PERFECT_RECALL_NUM_STATES[cls.game_name] = cls.infosets


@pytest.fixture
def _flags() -> None:
    """Tell OpenSpiel's tools that there are no command line flags."""
    flags = importlib.import_module("absl.flags").FLAGS
    if not flags.is_parsed():
        flags(["tests"])


@pytest.mark.usefixtures("_flags")
@pytest.mark.parametrize("game", [*SEQUENTIAL.values(), GAMES[3]])
def test_playthroughs_repeat_themselves(game: str, tmp_path: Any) -> None:
    limit = "horizon=30,allow_truncation=true)"
    short = game.replace(")", f",{limit}") if ")" in game else f"{game}({limit}"
    (tmp_path / "playthrough.txt").write_text(generate_playthrough.playthrough(short, None), "utf-8")
    original, again = generate_playthrough.replay(str(tmp_path / "playthrough.txt"))
    assert original == again


# --- Parameters ---------------------------------------------------------------------------------------------------
def test_every_box_is_registered_with_its_options() -> None:
    registered = {game.short_name: game for game in pyspiel.registered_games()}
    for box in registry.games().values():
        kind = registered[f"dracotheque_{box.name.replace('-', '_')}"]
        assert (kind.min_num_players, kind.max_num_players) == (box.min_players, box.max_players)
        assert set(kind.parameter_specification) >= {
            "players", "horizon", "allow_truncation", *box.options,
        }  # fmt: skip


def every_setting() -> Iterator[tuple[str, int, str, str]]:
    """Return every number of players of every game, and every value of every option."""
    for box in registry.games().values():
        for players in range(box.min_players, box.max_players + 1):
            for name, option in box.options.items():
                for value in [*option.known(players), *(["1+2"] if option.several else [])]:
                    yield box.name, players, name, value


def test_every_number_of_players_and_option_is_a_parameter() -> None:
    for name, players, option, value in every_setting():
        given = {"players": players, option: openspiel.as_parameter(value)}
        game = pyspiel.load_game(f"dracotheque_{name.replace('-', '_')}", given)
        assert (game.rules.players, game.rules.options[option]) == (players, value)
        again = pyspiel.load_game(str(game))
        assert repr(again.rules) == repr(game.rules)


def test_several_seats_are_a_parameter() -> None:
    game = pyspiel.load_game("dracotheque_save_the_dragon(players=4,youngest=seat1+3)")
    assert game.rules.options["youngest"] == "1+3"
    assert "youngest=seat1+3" in str(game)


def test_a_seat_may_be_a_plain_number_in_a_dictionary_and_is_stored_as_a_word() -> None:
    game = pyspiel.load_game("dracotheque_emerald", {"starts": "2"})
    assert game.rules.options["starts"] == "2"
    assert "starts=seat2" in str(game)


def test_wrong_parameters_are_refused_in_words() -> None:
    with pytest.raises(DracothequeError, match="2 to 5 players"):
        pyspiel.load_game("dracotheque_emerald(players=7)")
    with pytest.raises(DracothequeError, match="Invalid value 'melted' for option gold"):
        pyspiel.load_game("dracotheque_emerald(gold=melted)")
    with pytest.raises(DracothequeError, match="horizon"):
        pyspiel.load_game("dracotheque_emerald(horizon=0)")


def test_dynamics_are_simultaneous_only_where_several_choose_at_once() -> None:
    dynamics = {name: pyspiel.load_game(name).get_type().dynamics for name in GAMES}
    together = {name for name, kind in dynamics.items() if kind == pyspiel.GameType.Dynamics.SIMULTANEOUS}
    assert together == {GAMES[3], GAMES[5]}


# --- The same game ------------------------------------------------------------------------------------------------
def test_the_adapter_plays_our_games() -> None:
    for name in GAMES:
        random = Random(name)
        *_, last = play(pyspiel.load_game(name).new_initial_state(), random)
        ours = last.position.game.deserialize_state(last.position.serialize())
        assert ours.is_terminal()
        assert ours.returns() == last.returns()


def test_chance_has_our_probabilities_all_above_0() -> None:
    for state in play(pyspiel.load_game("dracotheque_save_the_dragon").new_initial_state(), Random(1)):
        if state.is_chance_node():
            ours = [(number, share) for number, share in state.position.chance_outcomes() if share > 0]
            assert state.chance_outcomes() == ours
            assert sum(share for _, share in ours) == pytest.approx(1)


@pytest.mark.parametrize("name", ["dracotheque_dragons_cave(horizon=7)", "dracotheque_emerald(horizon=30)"])
def test_the_horizon_ends_a_game_without_a_result(name: str) -> None:
    game = pyspiel.load_game(name)
    for last in play(game.new_initial_state(), Random(2)):
        if last.position.move_number() < game.horizon:
            assert not last.is_truncated()
            assert not last.is_terminal()
            assert last.returns() == [0.0] * 3
    assert last.is_truncated()
    assert last.is_terminal()
    assert last.current_player() == pyspiel.PlayerId.TERMINAL
    assert last.legal_actions() == []
    for state in (last, last.clone(), pyspiel.deserialize_game_and_state(str_of(last))[1]):
        for ask in (state.returns, state.rewards, lambda state=state: state.player_return(0)):
            with pytest.raises(openspiel.TruncationError, match="allow_truncation=true"):
                ask()


def str_of(state: Any) -> str:
    """Write a game and its state as text, in OpenSpiel's way."""
    return pyspiel.serialize_game_and_state(state.get_game(), state)


def test_a_truncated_game_is_a_draw_where_that_is_asked_for() -> None:
    game = pyspiel.load_game("dracotheque_dragons_cave(horizon=7,allow_truncation=true)")
    *_, last = play(game.new_initial_state(), Random(2))
    assert last.is_truncated()
    for state in (last, last.clone(), pyspiel.deserialize_game_and_state(str_of(last))[1]):
        assert state.is_truncated()
        assert state.returns() == state.rewards() == [0.0] * 3


def test_a_game_that_ends_at_its_horizon_is_not_truncated() -> None:
    *_, last = play(pyspiel.load_game("dracotheque_save_the_dragon(players=2)").new_initial_state(), Random(5))
    moves = last.position.full_history()
    short = pyspiel.load_game(f"dracotheque_save_the_dragon(players=2,horizon={len(moves)})").new_initial_state()
    for _, action in moves:
        assert not short.is_terminal()
        short.apply_action(action)
    assert short.is_terminal()
    assert not short.is_truncated()
    assert short.returns() == last.returns() != [0.0, 0.0]


BEGUN = "dracotheque_dragons_cave(players=2,board=small,first_dragon=seat1,horizon=2{})"
EXACT: dict[str, Callable[[Any], object]] = {
    "cfr": lambda game: cfr.CFRSolver(game).evaluate_and_update_policy(),
    "cfr in C++": lambda game: pyspiel.CFRSolver(game).evaluate_and_update_policy(),
    "exploitability": lambda game: exploitability.nash_conv(game, policy.UniformRandomPolicy(game)),
    "expected value": lambda game: expected_game_score.policy_value(
        game.new_initial_state(), [policy.UniformRandomPolicy(game)] * 2
    ),
}


@pytest.mark.parametrize("algorithm", EXACT)
def test_exact_algorithms_refuse_a_tree_that_the_horizon_cut_off(algorithm: str) -> None:
    """It would have no draws but those that are no results: everything would be worth 0."""
    with pytest.raises(openspiel.TruncationError, match="truncated after 2 moves"):
        EXACT[algorithm](pyspiel.load_game(BEGUN.format("")))
    EXACT[algorithm](pyspiel.load_game(BEGUN.format(",allow_truncation=true")))


def test_illegal_actions_name_the_rule_and_change_nothing() -> None:
    state = pyspiel.load_game("dracotheque_emerald").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    before = str(state)
    with pytest.raises(IllegalActionError, match=r"turn\.one-or-two"):
        state.apply_action(40)
    assert str(state) == before
    assert state.action_to_string(state.current_player(), 40) == "end turn"


@pytest.mark.parametrize("name", GAMES)
def test_copies_are_independent_and_storage_gives_the_same_state(name: str) -> None:
    game, random = pyspiel.load_game(name), Random(3)
    for state in itertools.islice(play(game.new_initial_state(), random), 40):
        for copy in (
            state.clone(),
            game.deserialize_state(state.serialize()),
            pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
            pickle.loads(pickle.dumps(state)),
        ):
            assert copy.position == state.position
            assert copy.history() == state.history()
            before = str(state)
            if not (copy.is_simultaneous_node() or copy.is_terminal()):
                copy.apply_action(copy.legal_actions()[0])
                assert str(state) == before != str(copy)


def test_python_ends_quietly_after_games_were_registered() -> None:
    code = "import pyspiel, dracotheque.adapters.openspiel; pyspiel.load_game('dracotheque_emerald')"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


# --- Algorithms ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [*SEQUENTIAL.values(), TURN_BASED])
def test_mcts_plays_a_whole_game(name: str) -> None:
    game, stream = pyspiel.load_game(name), np.random.RandomState(4)
    evaluator = mcts.RandomRolloutEvaluator(1, stream, max_length=10)
    bot = mcts.MCTSBot(game, 1.4, 3, evaluator, random_state=stream)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(stream.choice(outcomes, p=shares))
        else:
            state.apply_action(bot.step(state))
    assert sum(state.returns()) == pytest.approx(0)
    assert any(state.returns())


def test_mcts_in_cpp_plays_too() -> None:
    # MCTSBot.step lets go of Python's lock and so crashes on any game written in Python; mcts_search does not.
    game, random = pyspiel.load_game("dracotheque_save_the_dragon(players=2)"), Random(5)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 5), 1.4, 3, 100, True, 5, False)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, shares)[0])
        else:
            state.apply_action(bot.mcts_search(state).best_child().action)
    assert any(state.returns())


def test_mcts_that_looks_for_the_end_finds_the_winning_door() -> None:
    game, random = pyspiel.load_game("dracotheque_save_the_dragon(players=2)"), Random(6)
    stream = np.random.RandomState(6)
    for state in play(game.new_initial_state(), random):
        legal = [] if state.current_player() < 0 else state.legal_actions()
        winning = [action for action in legal if state.child(action).is_terminal()]
        if winning and len(legal) > len(winning):
            evaluator = mcts.RandomRolloutEvaluator(1, stream, max_length=20)
            bot = mcts.MCTSBot(game, 1.4, 40, evaluator, random_state=stream)
            assert bot.step(state) in winning
            return
    pytest.fail("nobody came to a door")


def test_information_set_mcts_plays_the_cave() -> None:
    game, stream, random = pyspiel.load_game(SEQUENTIAL["dragons_cave"]), np.random.RandomState(7), Random(7)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, stream, max_length=10), 1.4, 3, random_state=stream)
    state = game.new_initial_state()
    while not state.is_terminal():
        chance = state.is_chance_node()
        state.apply_action(random.choice(state.legal_actions()) if chance else bot.step(state))
    assert sum(state.returns()) == 0


def test_external_sampling_learns_from_the_cave() -> None:
    solver = external.ExternalSamplingSolver(
        pyspiel.load_game(
            "dracotheque_dragons_cave(players=2,board=small,first_dragon=seat1,horizon=5,allow_truncation=true)"
        )
    )
    np.random.seed(8)
    solver.iteration()
    assert len(solver._infostates) > 12


@pytest.mark.parametrize("name", [SEQUENTIAL["emerald"], SEQUENTIAL["dragons_cave"], TURN_BASED])
def test_outcome_sampling_goes_through_whole_games(name: str) -> None:
    np.random.seed(9)
    solver = outcome.OutcomeSamplingSolver(pyspiel.load_game(name))
    solver.iteration()
    assert len(solver._infostates) > 20


# --- What a seat knows --------------------------------------------------------------------------------------------
def knowledge(state: Any, seat: int) -> tuple[Any, ...]:
    """Everything OpenSpiel can show a seat."""
    public = observation.make_observation(
        state.get_game(), pyspiel.IIGObservationType(True, False, pyspiel.PrivateInfoType.NONE)
    )
    private = observation.make_observation(state.get_game(), pyspiel.IIGObservationType(False, False))
    public.set_from(state, seat)
    return (
        state.information_state_string(seat),
        state.information_state_tensor(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
        public.tensor.tolist(),
        public.string_from(state, seat),
        private.string_from(state, seat),
        state.current_player(),
        state.legal_actions(seat) if state.current_player() in (seat, -2) else None,
    )


def other_pasts(game: Any, moves: list[tuple[int, int]], viewer: int) -> Iterator[State]:
    """Play a game again with one of the others' last choices changed, wherever the rest can still be played."""
    for changed in range(max(0, len(moves) - 6), len(moves)):
        start = game.new_initial_state()
        for seat, action in moves[:changed]:
            start.apply_action(action, seat)
        seat, taken = moves[changed]
        if seat in (viewer, -1):
            continue
        for other in start.legal_actions(seat):
            if other != taken:
                with contextlib.suppress(IllegalActionError):
                    past = [*moves[:changed], (seat, other), *moves[changed + 1 :]]
                    yield game.deserialize_state(" ".join(f"{who}:{what}" for who, what in past))


def seen(game: Any, state: State, viewer: int) -> list[Any]:
    """What a seat saw by the engine's own functions, the public events, and its own choices."""
    now, sights = game.new_initial_state(), []
    for seat, action in state.full_history():
        after = now.child(action, seat)
        told = tell(now, seat, action, after)
        sights.append((after.observation(viewer).bytes(), told, action if seat == viewer else None))
        now = after
    return sights


@pytest.mark.parametrize(
    "name",
    [GAMES[3], "dracotheque_dragons_cave(players=4,board=small)", SEQUENTIAL["dragons_cave"], SEQUENTIAL["emerald"]],
)
def test_two_pasts_are_one_information_state_exactly_if_the_seat_saw_the_same(name: str) -> None:
    spiel, random, alike, different = pyspiel.load_game(name), Random(10), 0, 0
    for state in itertools.islice(play(spiel.new_initial_state(), random), 2, 80, 3):
        moves = state.position.full_history()
        for viewer in range(spiel.num_players()):
            mine, known = seen(spiel.rules, state.position, viewer), knowledge(state, viewer)
            pasts = [*other_pasts(spiel.rules, moves, viewer)]
            for past in random.sample(pasts, min(8, len(pasts))):
                if past.current_player() == -2 and past.move_number() and state.current_player() != -2:
                    continue  # in the midst of sealed choices, where OpenSpiel never stands
                twin = openspiel._played(spiel.new_initial_state(), past.full_history())
                same = seen(spiel.rules, past, viewer) == mine
                alike, different = alike + same, different + (not same)
                if same:
                    assert knowledge(twin, viewer) == known
                else:
                    assert twin.information_state_string(viewer) != known[0]
                    assert twin.information_state_tensor(viewer) != known[1]
    assert different
    assert alike or name == SEQUENTIAL["emerald"]


@pytest.mark.parametrize("name", [GAMES[3], GAMES[5], SEQUENTIAL["dragons_cave"]])
def test_resampled_states_look_the_same_and_differ_only_in_secrets(name: str) -> None:
    game, random, changed = pyspiel.load_game(name), Random(11), 0
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for _ in range(5):
        for state in play(game.new_initial_state(), random):
            for seat in range(game.num_players()):
                twin = state.resample_from_infostate(seat, sampler)
                changed += twin.history() != state.history()
                assert knowledge(twin, seat) == knowledge(state, seat)
    assert changed > 20


def test_games_that_are_not_said_to_have_secrets_have_none() -> None:
    for name in (name for name, box in registry.games().items() if not box.simultaneous):
        game = pyspiel.load_game(f"dracotheque_{name.replace('-', '_')}")
        for state in itertools.islice(play(game.new_initial_state(), Random(12)), 400):
            for viewer in range(-1, game.num_players()):
                assert state.position.observation(viewer).bytes() == state.position.record()


def test_a_sealed_card_is_a_question_mark_until_the_dragon_sits() -> None:
    state = pyspiel.load_game("dracotheque_dragons_cave(first_dragon=seat1)").new_initial_state()
    state.apply_actions([0, 2, 3])
    assert [state.information_state_string(seat) for seat in range(3)] == [
        "seat 0: 1:? 2:?",
        "seat 1: 1:2 2:?",
        "seat 2: 1:? 2:3",
    ]
    state.apply_action(12)
    assert state.information_state_string(0) == "seat 0: 1:2 2:3 0:12"


def test_with_two_players_the_dwarf_is_named_openly() -> None:
    state = pyspiel.load_game("dracotheque_dragons_cave(players=2,first_dragon=seat1)").new_initial_state()
    first, second = state.child(2), state.child(8)
    assert first.information_state_string(0) == "seat 0: 1:?"
    assert second.information_state_string(0) == "seat 0: 1:??"
    assert second.information_state_string(1) == "seat 1: 1:8"


def test_looks_that_there_are_not_are_none() -> None:
    game = pyspiel.load_game("dracotheque_dragons_cave")
    everything = pyspiel.IIGObservationType(True, False, pyspiel.PrivateInfoType.ALL_PLAYERS)
    assert observation.make_observation(game, everything) is None

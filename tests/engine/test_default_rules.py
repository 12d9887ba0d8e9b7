"""Rules that leave things out are answered for: compiled and interpreted games, tensors and judgements are the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from types import ModuleType

import numpy as np
import pytest

from dracotheque import CHANCE, TERMINAL, State
from dracotheque.engine import default_rules, registry
from dracotheque.engine.definition import MAX_SEATS, GameDefinition
from dracotheque.engine.game import Game
from dracotheque.engine.jit import precompile
from dracotheque.engine.plain_state import PlainState
from tests.plugins import ROOT

BOTH = pytest.mark.parametrize("interpreted", [False, True])


@pytest.fixture(scope="module")
def dice() -> Iterator[GameDefinition]:
    """Dragon Dice, whose rules have nothing but what is required."""
    sys.path.insert(0, str(ROOT / "examples" / "dragon-dice"))
    import dragon_dice

    yield dragon_dice.GAME
    sys.path.pop(0)


def moves(state: State, random: Random) -> Iterator[tuple[int, int]]:
    """Play at random; yield every move before it is made."""
    while not state.is_terminal():
        player = state.current_player()
        action = state.sample_chance(random) if player == CHANCE else random.choice(state.legal_actions())
        yield player, action
        state.apply_action(action, player)


def test_compiled_and_interpreted_play_the_same(dice: GameDefinition) -> None:
    for number in range(30):
        players = 2 + number % 3
        fast, slow = (Game(dice, players, {}, interpreted=plain).new_initial_state() for plain in (False, True))
        for player, action in moves(fast, Random(number)):
            assert fast.record() == slow.record()
            assert [fast.legal_actions(seat) for seat in range(players)] == [
                slow.legal_actions(seat) for seat in range(players)
            ]
            for viewer in range(-1, players):
                assert (fast.observation_tensor(viewer) == slow.observation_tensor(viewer)).all()
            slow.apply_action(action, player)
        assert (fast.scores(), fast.winners(), fast.ending()) == (slow.scores(), slow.winners(), "end.twenty")
        assert fast.winners() == [max(range(players), key=fast.scores().__getitem__)]


def test_whole_games_in_compiled_code_are_the_interpreted_ones(dice: GameDefinition) -> None:
    sums = []
    for plain in (False, True):
        game = Game(dice, 3, {}, interpreted=plain)
        batch = game.runtime.new_batch(game.beginning[0])
        game.runtime.operations.play_batch(batch.handle, 5, 0, 40)
        sums.append(batch.sums.tolist())
    assert sums[0] == sums[1]


def test_without_an_opinion_all_choices_are_liked_alike_and_points_decide(dice: GameDefinition) -> None:
    precompile.ensure_compiled(dice, precompile.ALL)
    for plain in (False, True):
        game = Game(dice, 2, {}, interpreted=plain)
        state = game.new_initial_state()
        for move in (0, 5, 0, 5, 1):  # a roll of six, one more, bank
            state.apply_action(move)
        assert state.scores() == [12, 0]
        workspace = game.runtime.new_workspace()
        workspace.set_state(state.record())
        assert game.runtime.operations.action_heuristics(workspace.handle, 1) == 1  # nothing in hand: only a roll
        assert workspace.weights[0] == default_rules.NEUTRAL
        game.runtime.operations.rollout(workspace.handle, 0, 0)
        shares = [workspace.weights[seat] for seat in range(2)]
        assert shares[0] / sum(shares) == pytest.approx(929 / (929 + 72), abs=1e-5)  # 1 + 1000 × 13 // 14, 1 + 71


def test_every_number_of_a_record_is_scaled_by_its_types_range() -> None:
    state = np.dtype([("a", "u1"), ("b", "i2", (2,)), ("c", "u4")], align=True)
    rules = ModuleType("rules")
    rules.State = state  # type: ignore[attr-defined]
    table = PlainState(state, rules)
    table.a, table.b, table.c = 255, [-32768, 32767], 1 << 31
    out = [9.0] * (MAX_SEATS + 4)
    default_rules.write_numbers(table, 1, out)
    assert out[:MAX_SEATS] == [0, 1, 0, 0, 0, 0]
    assert out[MAX_SEATS:] == [1.0, 0.0, 1.0, pytest.approx(0.5)]
    default_rules.write_numbers(table, -1, out)
    assert sum(out[:MAX_SEATS]) == 0


def test_the_default_tensor_names_its_parts(dice: GameDefinition) -> None:
    parts = Game(dice, 2, {}, interpreted=True).observation_layout()
    assert [(part.name, part.offset, part.length) for part in parts] == [
        ("viewer", 0, 6), ("players", 6, 1), ("to_move", 7, 1), ("turn", 8, 1), ("loot", 9, 1), ("gold", 10, 4),
    ]  # fmt: skip


def test_defaults_answer_for_everything_that_is_optional() -> None:
    rules = ModuleType("least")
    rules.State = np.dtype([("players", "u1"), ("to_move", "i1")])  # type: ignore[attr-defined]
    definition = GameDefinition(name="least", title="Least", package="least", min_players=2, max_players=2)
    answers = default_rules.defaults(definition, rules)
    table = PlainState(rules.State, rules)  # type: ignore[attr-defined]
    table.players, table.to_move = 2, -2
    out, flags = [0] * 3, [9] * 2
    assert answers["TENSOR_SIZE"] == MAX_SEATS + 2
    assert answers["ending"] is default_rules.only_ending
    assert answers["chance_outcomes"](table, out, out) == 0  # type: ignore[operator]
    answers["winners"](table, [4, 4], flags)  # type: ignore[operator]
    assert flags == [True, True]
    assert answers["is_secret_choice"](table)  # type: ignore[operator]
    assert answers["turn_seat"](table) == 0  # type: ignore[operator]
    assert answers["equivalent_action"](table, 0, 7) == 7  # type: ignore[operator]


def test_a_part_is_joined_once_and_its_own_names_come_first(dice: GameDefinition) -> None:
    rules = registry.part(dice, "rules", default_rules.defaults)
    assert rules is registry.part(dice, "rules", default_rules.defaults)
    assert rules.apply_action.__module__ == "dragon_dice.rules"
    assert rules.winners is default_rules.winners
    assert rules.TERMINAL == TERMINAL

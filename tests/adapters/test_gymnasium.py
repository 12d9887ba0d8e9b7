"""Gymnasium's own check passes, bots play the other seats, and the seat sees no secret of theirs."""

from __future__ import annotations

import importlib
import warnings
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from dracotheque import DracothequeError
from dracotheque.engine import registry
from dracotheque.games.dragons_cave.rules import state as cave

gymnasium = pytest.importorskip("gymnasium")
importlib.import_module("dracotheque.adapters.gymnasium")
check_env = importlib.import_module("gymnasium.utils.env_checker").check_env

EACH = pytest.mark.parametrize("name", registry.games())
SMALL: dict[str, dict[str, Any]] = {"gran": {"board": "small", "seals": "two"}}
BRAVE = f"{Path(__file__).parents[2] / 'examples' / 'my_bot.py'}:Brave"


def made(name: str, **more: Any) -> Any:
    """Make an environment by its id."""
    return gymnasium.make(f"dracotheque/{name}-v0", **SMALL.get(name, {}), **more)


def play(env: Any, seed: int) -> tuple[float, dict[str, Any]]:
    """Play a game at random by the mask; give the last reward and info."""
    random = Random(seed)
    seen, info = env.reset(seed=seed)
    while True:
        assert seen in env.observation_space
        assert info["action_mask"].any()
        seen, reward, over, cut, info = env.step(np.int64(random.choice(np.flatnonzero(info["action_mask"]))))
        assert not cut
        if over:
            return reward, info
        assert reward == 0


# --- Gymnasium's own check ----------------------------------------------------------------------------------------
@EACH
@pytest.mark.parametrize("mode", [None, "ansi"])
def test_check_env(name: str, mode: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(name, render_mode=mode).unwrapped)


# --- Games --------------------------------------------------------------------------------------------------------
@EACH
def test_whole_games_in_every_seat_end_with_our_returns(name: str) -> None:
    for seat in range(registry.games()[name].default_players):
        env = made(name, seat=seat)
        reward, info = play(env, seat)
        state = env.unwrapped.table.state
        assert state.is_terminal()
        assert reward == state.returns()[seat]
        assert info["scores"] == state.scores()
        assert not info["action_mask"].any()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_number_of_players(players: int) -> None:
    env = made("dragons-cave", players=players, seat=players - 1)
    play(env, 1)
    assert env.unwrapped.game.players == players


def test_the_same_seed_is_the_same_game() -> None:
    histories = []
    for seed in (1, 1, 2):
        env = made("emerald", players=3)
        play(env, seed)
        histories.append(env.unwrapped.table.state.full_history())
    assert histories[0] == histories[1] != histories[2]


def test_bots_are_chosen_seat_by_seat() -> None:
    env = made("emerald", players=3, seat=1, bots=["random", BRAVE])
    play(env, 3)
    kinds = {seat: type(bot).__name__ for seat, bot in env.unwrapped._bots.items()}
    assert kinds == {0: "RandomBot", 2: "Brave"}


def test_illegal_choices_lose_and_name_the_rule() -> None:
    env = made("emerald", starts="1")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(40)
    assert (reward, over) == (-1, True)
    assert "[turn.one-or-two]" in info["illegal"]


@pytest.mark.parametrize("name", registry.games())
def test_a_time_limit_truncates_and_is_no_end(name: str) -> None:
    env = gymnasium.make(f"dracotheque/{name}-v0", max_episode_steps=2)
    _, info = env.reset(seed=1)
    steps = []
    for _ in range(2):
        _, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        steps.append((reward, terminated, truncated))
    assert steps == [(0.0, False, False), (0.0, False, True)]
    assert not env.unwrapped.table.state.is_terminal()


def test_action_masks_are_what_info_says() -> None:
    env = made("emerald")
    _, info = env.reset(seed=1)
    assert env.unwrapped.action_masks().tolist() == info["action_mask"].astype(bool).tolist()


def test_mistakes_are_explained() -> None:
    with pytest.raises(DracothequeError, match="seats are 0 to 2"):
        made("emerald", players=3, seat=3)
    with pytest.raises(DracothequeError, match="2 bots are needed"):
        made("emerald", players=3, bots=["random"])
    with pytest.raises(DracothequeError, match="Did you mean 'random'"):
        made("emerald", bots="rendom")
    with pytest.raises(DracothequeError, match="reset"):
        made("emerald").unwrapped.step(0)


# --- Secrets ------------------------------------------------------------------------------------------------------
class Stubborn:
    """A bot that takes the first of its choices, or the last."""

    last = False

    def choose(self, view: Any) -> int:
        """Choose without a thought."""
        return view.legal_actions[-1 if self.last else 0]


def test_what_bots_seal_changes_nothing_the_seat_is_shown() -> None:
    shown = []
    for last in (False, True):
        env = made("dragons-cave", players=3, seat=0, first_dragon="1", render_mode="ansi").unwrapped
        env.reset(seed=1)
        bot = Stubborn()
        bot.last = last
        env._bots = {1: bot, 2: bot}
        env._table = type(env.table)(env.game, Random(1))
        env._advance()
        assert env.table.state.to_plain().card[1:3] == [cave.CHEST if last else 0] * 2
        shown.append((env._observation().tolist(), env._info()["action_mask"].tolist(), env.render()))
    assert shown[0] == shown[1]


def test_where_several_choose_at_once_bots_see_the_table_before_the_seat_has_chosen() -> None:
    tables = []

    class Watcher(Stubborn):
        def choose(self, view: Any) -> int:
            tables.append(view.state.card)
            return super().choose(view)

    env = made("dragons-cave", players=3, seat=1, first_dragon="1").unwrapped
    env.reset(seed=1)
    env._bots = {0: Stubborn(), 2: Watcher()}
    env.step(3)
    assert tables[0][:3] == [cave.NO_CARD] * 3

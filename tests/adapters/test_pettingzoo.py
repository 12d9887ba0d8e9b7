"""PettingZoo's own checks pass, games are ours, and no agent sees another's secret."""

from __future__ import annotations

import importlib
import warnings
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dracotheque import DracothequeError, IllegalActionError
from dracotheque.engine import registry
from dracotheque.games.dragons_cave.rules import state as cave

pytest.importorskip("pettingzoo")
adapter = importlib.import_module("dracotheque.adapters.pettingzoo")
checks = importlib.import_module("pettingzoo.test")
conversions = importlib.import_module("pettingzoo.utils.conversions")

BOXES: dict[str, dict[str, Any]] = {
    "emerald": {},
    "dragons-cave": {},
    "gran": {"board": "small", "seals": "two"},
    "save-the-dragon": {},
}
EACH = pytest.mark.parametrize("name", BOXES)


def opened(name: str, **more: Any) -> Any:
    """Load a game of the list."""
    return adapter.env(name, **BOXES[name], **more)


# --- PettingZoo's own checks --------------------------------------------------------------------------------------
@EACH
@pytest.mark.parametrize("cycles", [20, 1000])
def test_api_test(name: str, cycles: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would like observations to be plain arrays, without masks
        checks.api_test(opened(name), num_cycles=cycles)


@pytest.mark.parametrize(
    ("name", "players"),
    [(b.name, n) for b in registry.games().values() for n in range(b.min_players, b.max_players + 1)],
)
def test_api_test_with_every_number_of_players(name: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checks.api_test(opened(name, players=players), num_cycles=10)


@EACH
def test_seed_test(name: str) -> None:
    checks.seed_test(partial(opened, name), num_cycles=200)


@EACH
def test_render_test(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    checks.render_test(partial(opened, name))
    assert registry.games()[name].title in capsys.readouterr().out


@pytest.mark.parametrize("players", [2, 3, 4])
def test_parallel_api_test(players: int) -> None:
    checks.parallel_api_test(adapter.parallel_env("dragons-cave", players), num_cycles=1000)


@pytest.mark.parametrize("illegal", ["lose", "replace"])
def test_parallel_seed_test(illegal: str) -> None:
    checks.parallel_seed_test(partial(adapter.parallel_env, "dragons-cave", illegal=illegal))


def test_max_cycles_test() -> None:
    together = partial(adapter.parallel_env, "dragons-cave", illegal="replace")
    checks.max_cycles_test(SimpleNamespace(parallel_env=together, env=conversions.aec_wrapper_fn(together)))


# --- Games --------------------------------------------------------------------------------------------------------
def play(env: Any, seed: int) -> dict[str, float]:
    """Play a game at random and return the last reward of each agent."""
    env.reset(seed=seed)
    random, rewards = Random(seed), {}
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        rewards[agent] = reward
        env.step(None if over or cut else int(random.choice(np.flatnonzero(seen["action_mask"]))))
    return rewards


@EACH
def test_games_end_with_our_returns(name: str) -> None:
    env = opened(name)
    rewards = play(env, 1)
    state = env.unwrapped.table.state
    assert state.is_terminal()
    assert list(rewards.values()) == [state.returns()[int(agent[-1])] for agent in rewards]
    assert len(rewards) == state.game.players


@EACH
def test_chance_comes_from_the_seed(name: str) -> None:
    tables = []
    for seed in (1, 1, 2):
        env = opened(name)
        play(env, seed)
        tables.append(env.unwrapped.table.state.full_history())
    assert tables[0] == tables[1] != tables[2]


def test_without_a_seed_the_next_game_is_another_one() -> None:
    env = opened("emerald")
    env.reset(seed=5)
    first = env.unwrapped.table.state.full_history()
    env.reset()
    assert env.unwrapped.table.state.full_history() != first


@EACH
def test_games_are_broken_off_after_max_cycles(name: str) -> None:
    env = opened(name, max_cycles=2)
    env.reset(seed=3)
    random, steps = Random(3), 0
    for _ in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        assert not over
        steps += not cut
        env.step(None if cut else int(random.choice(np.flatnonzero(seen["action_mask"]))))
    assert steps == 2 * env.unwrapped.game.players


def test_illegal_choices_lose_or_raise() -> None:
    env = adapter.env("emerald")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(40)
    assert env.terminations[agent]
    assert env.rewards[agent] == -1
    bare = adapter.raw_env("emerald")
    bare.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"turn\.one-or-two"):
        bare.step(40)
    with pytest.raises(IllegalActionError, match="has to choose"):
        bare.step(None)


def test_mistakes_are_explained() -> None:
    with pytest.raises(DracothequeError, match="only one seat chooses at a time"):
        adapter.parallel_env("emerald")
    with pytest.raises(DracothequeError, match="render mode"):
        adapter.env("emerald", render_mode="hologram")
    with pytest.raises(DracothequeError, match="Unknown mode for illegal actions"):
        adapter.parallel_env("dragons-cave", illegal="shrug")
    with pytest.raises(DracothequeError, match="reset"):
        adapter.raw_env("emerald").observe("player_0")


# --- Choosing together --------------------------------------------------------------------------------------------
def test_who_is_not_asked_waits() -> None:
    env = adapter.parallel_env("dragons-cave", first_dragon="1")
    seen, _ = env.reset(seed=1)
    assert np.flatnonzero(seen["player_0"]["action_mask"]).tolist() == [env.wait]
    assert np.flatnonzero(seen["player_1"]["action_mask"]).tolist() == list(range(cave.CARDS))
    seen, rewards, _, _, _ = env.step({"player_0": 0, "player_1": 2, "player_2": 3})
    assert rewards == dict.fromkeys(env.agents, 0.0)
    assert np.flatnonzero(seen["player_0"]["action_mask"]).tolist() == [12, 13, 14, 15, 16]
    assert env.table.state.to_plain().card[1:3] == [2, 3]


def test_an_illegal_choice_ends_a_game_played_together() -> None:
    env = adapter.parallel_env("dragons-cave", first_dragon="1")
    env.reset(seed=1)
    _, rewards, over, _, infos = env.step({"player_0": env.wait, "player_1": 12, "player_2": env.wait})
    assert rewards == {"player_0": 0.0, "player_1": -1.0, "player_2": -1.0}
    assert all(over.values())
    assert env.agents == []
    assert "[round.roles]" in infos["player_1"]["illegal"]
    assert "cannot wait" in infos["player_2"]["illegal"]


# --- Secrets ------------------------------------------------------------------------------------------------------
def shown(env: Any, agent: str) -> list[Any]:
    """Everything an environment shows an agent."""
    seen = env.observe(agent)
    return [seen["observation"].tolist(), seen["action_mask"].tolist(), env.infos[agent], env.rewards]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_others_sealed_changes_nothing_an_agent_is_shown(players: int) -> None:
    hidden, random = 0, Random(6)
    for seed in range(2):
        env = adapter.raw_env("dragons-cave", players, render_mode="ansi")
        env.reset(seed=seed)
        for _ in range(60):
            if env.table.state.is_terminal():
                break
            table, acting = env.table.state.to_plain(), env.agent_selection
            legal = np.flatnonzero(env.observe(acting)["action_mask"]).tolist()
            action = random.choice(legal)
            if table.phase in (cave.SEAL, cave.SPLIT):
                other = random.choice([a for a in legal if named(a) == named(action)])
                twin = twin_of(env)
                env.step(action)
                twin.step(other)
                assert env.render() == twin.render()
                for agent in env.agents:
                    if agent != acting:
                        assert shown(env, agent) == shown(twin, agent)
                hidden += other != action
            else:
                env.step(action)
    assert hidden > 20


def named(action: int) -> int:
    """Return which dwarf a sealed card openly names."""
    return int(cave.SECOND_DWARF <= action < cave.NICHE)


def twin_of(env: Any) -> Any:
    """Make an environment that stands where another one does."""
    twin = adapter.raw_env("dragons-cave", env.game.players, render_mode="ansi")
    twin.reset(seed=0)
    twin.table.state = env.table.state.clone()
    twin.agent_selection = env.agent_selection
    return twin


def test_nothing_else_is_on_the_shelf() -> None:
    assert set(BOXES) == set(registry.games())

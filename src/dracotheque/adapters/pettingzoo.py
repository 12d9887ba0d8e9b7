"""The games for PettingZoo: `env` for all of them, `parallel_env` where several seats choose at once."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dracotheque.adapters import RENDER_MODES, ChanceFreeGame, check_render_mode, missing, wide_name
from dracotheque.engine import registry
from dracotheque.engine.board_files import Source
from dracotheque.engine.errors import DracothequeError, IllegalActionError, unknown
from dracotheque.engine.registry import find_game, load_game

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing("PettingZoo", "pettingzoo") from error

ILLEGAL = ("lose", "replace")
"""What an illegal action does in a parallel environment: the game ends, or a legal one is drawn instead."""

ILLEGAL_REWARD = -1.0

Observation = dict[str, NDArray[np.float32 | np.int8]]


def env(name: str, players: int | None = None, **options: Any) -> AECEnv[str, Observation, int | None]:
    """Load a game for agents that choose in turn; an illegal choice loses (reward -1) and ends the game."""
    bare = raw_env(name, players, **options)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(bare, illegal_reward=ILLEGAL_REWARD))
    )


def raw_env(name: str, players: int | None = None, **options: Any) -> AECGameEnv:
    """Load a game for agents that choose in turn; `IllegalActionError` names the rule that a choice breaks."""
    return AECGameEnv(name, players, **options)


def parallel_env(name: str, players: int | None = None, **options: Any) -> ParallelGameEnv:
    """Load a game for agents that choose at the same time, if the game has such choices."""
    definition = find_game(name)
    if not definition.simultaneous:
        together = ", ".join(name for name, other in registry.games().items() if other.simultaneous)
        raise DracothequeError(
            f"In {definition.title} only one seat chooses at a time, so that all others would have to wait: "
            f"use env({definition.name!r}). Several choose at once in {together}."
        )
    return ParallelGameEnv(name, players, **options)


class _GameEnv:
    """The part that both kinds of environment share: a game, agents, spaces, and a stream of chance."""

    def __init__(
        self,
        name: str,
        players: int | None = None,
        *,
        board: Source | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        """Load a game; `max_cycles` truncates it after so many choices of each agent, on average."""
        self.game = load_game(name, players, board=board, **options)
        self.render_mode = check_render_mode(render_mode)
        self.max_cycles = max_cycles
        self.metadata = {
            "name": f"{wide_name(self.game.name)}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self.agents: list[str] = []
        size, actions = self.game.observation_tensor_size(), self._actions()
        seen = {"observation": spaces.Box(0, 1, (size,), np.float32), "action_mask": spaces.MultiBinary(actions)}
        self._observation_spaces = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._chance = Random()
        self._table: ChanceFreeGame | None = None

    def _actions(self) -> int:
        """Return the number of actions."""
        return self.game.num_distinct_actions()

    @property
    def table(self) -> ChanceFreeGame:
        """The game being played."""
        if self._table is None:
            raise DracothequeError("No game has begun: call reset() first.")
        return self._table

    def _begin(self, seed: int | None) -> None:
        """Start a new game, with chance from a seed, or from the present stream."""
        if seed is not None:
            self._chance = Random(int(seed))
        self._table = ChanceFreeGame(self.game, self._chance)
        self.agents = self.possible_agents.copy()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations: numbers from 0 to 1, and the mask of legal actions."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of all actions."""
        return self._action_spaces[agent]

    def _seat(self, agent: str) -> int:
        """Return an agent's seat."""
        return self.possible_agents.index(agent)

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation tensor and mask of legal actions."""
        seat = self._seat(agent)
        return {"observation": self.table.state.observation_tensor(seat), "action_mask": self._mask(seat)}

    def _mask(self, seat: int) -> NDArray[np.float32 | np.int8]:
        """Return the legal actions of a seat as a mask."""
        return self.table.mask(seat, self._actions())

    def render(self) -> str | None:
        """Render the game as a spectator sees it."""
        return self.table.show(self.render_mode, -1)

    def close(self) -> None:
        """Do nothing: no resource is open."""


class AECGameEnv(_GameEnv, AECEnv[str, Observation, int | None]):
    """A game in which agents act in turn; simultaneous choices are made in turn too, hidden from the others."""

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Start a game."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.asked()[0]]
        self._skip_agent_selection = None
        self._choices = 0

    def step(self, action: int | None) -> None:
        """Apply the action of the selected agent; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalActionError(f"{agent} has to choose: None is only for agents whose game is over.")
        self.table.choose({self._seat(agent): action})
        self._choices += 1
        self._cumulative_rewards[agent] = 0.0
        self._update()
        self._accumulate_rewards()

    def _update(self) -> None:
        """Set rewards, terminations and truncations, and select the next agent."""
        state = self.table.state
        over = state.is_terminal()
        cut = not over and self.max_cycles is not None and self._choices >= self.max_cycles * self.game.players
        self.rewards = dict(zip(self.agents, state.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        if over or cut:
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[self.table.asked()[0]]


class ParallelGameEnv(_GameEnv, ParallelEnv[str, Observation, int]):
    """A game in which all agents act at once; waiting is an additional action for those who have no choice."""

    def __init__(self, name: str, players: int | None = None, *, illegal: str = "lose", **options: Any) -> None:
        """Load a game; `illegal` is what an illegal choice does: "lose" or "replace"."""
        super().__init__(name, players, **options)
        if illegal not in ILLEGAL:
            raise unknown("mode for illegal actions", illegal, ILLEGAL)
        self.illegal = illegal

    @property
    def wait(self) -> int:
        """The action of an agent that has no choice."""
        return self.game.num_distinct_actions()

    def _actions(self) -> int:
        """Return the number of actions, waiting included."""
        return self.wait + 1

    def _mask(self, seat: int) -> NDArray[np.float32 | np.int8]:
        """Return the legal actions of a seat as a mask; waiting is legal where no other is."""
        mask = super()._mask(seat)
        mask[self.wait] = not mask.any()
        return mask

    def reset(
        self, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a game."""
        self._begin(seed)
        self._cycles = 0
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Observation]:
        """Return the observation of every agent."""
        return {agent: self.observe(agent) for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:  # fmt: skip
        """Apply the actions of all agents that have to choose; those of others are ignored."""
        refusals: dict[str, str] = {}
        choices = {seat: self._choice(seat, actions, refusals) for seat in self.table.asked()}
        if not refusals:
            self.table.choose(choices)
        self._cycles += 1
        over = bool(refusals) or self.table.state.is_terminal()
        cut = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        returns = self.table.state.returns()
        rewards = {a: ILLEGAL_REWARD if a in refusals else returns[self._seat(a)] for a in self.agents}
        infos = {agent: {"illegal": refusals[agent]} if agent in refusals else {} for agent in self.agents}
        result = self._observations(), rewards, dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, cut), infos
        if over or cut:
            self.agents = []
        return result

    def _choice(self, seat: int, actions: dict[str, int], refusals: dict[str, str]) -> int:
        """Return a seat's action; an illegal one is replaced, and noted in `refusals` where it loses."""
        agent, legal = self.possible_agents[seat], self.table.legal(seat)
        action = int(actions.get(agent, self.wait))
        if action in legal:
            return action
        if self.illegal == "lose":
            waits = f"{agent} is asked, and cannot wait."
            refusals[agent] = waits if action == self.wait else self.table.reason(seat, action)
        return self._chance.choice(legal)


__all__ = ["ILLEGAL", "AECGameEnv", "ParallelGameEnv", "env", "parallel_env", "raw_env"]

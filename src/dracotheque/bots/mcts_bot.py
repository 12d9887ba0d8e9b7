"""The search bot: Monte Carlo tree search (`mcts_tree.py`) with a budget of time or simulations."""

from __future__ import annotations

import math
import re
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from random import Random
from typing import Any

import numpy as np

from dracotheque.bots import default_bots, evaluators, mcts_tree
from dracotheque.bots.greedy import heuristic_values
from dracotheque.bots.player_view import PlayerView
from dracotheque.bots.search_params import WHOLE_GAME, SearchParams
from dracotheque.engine.errors import DracothequeError, unknown
from dracotheque.engine.game import Game
from dracotheque.engine.jit import precompile
from dracotheque.engine.rng import seeded

FIRST_SIMULATIONS = 16  # before the time of one is known
CLOCK_SECONDS = 0.005  # between two readings of the clock
NEAR_BEST = 0.8  # of the largest weight: simultaneous choices from there on are equally good
# Observations remembered: a bot that repeats its choice in one that recurs could cycle with its opponent for ever.
RECENT_OBSERVATIONS = 40
SURE_WIN = 0.95  # of a victory: a bot this sure, in an observation that recurs, has to be led to the end
MAX_NODES, MAX_EDGES = 1 << 20, 1 << 22  # of a tree: hardly more are made in a second


@dataclass(frozen=True)
class SearchBudget:
    """When a search ends (at a time or a number of simulations, whichever is first), its threads and parameters."""

    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1
    params: SearchParams | None = None
    """None stands for the game's own."""


def read_budget(text: str) -> SearchBudget:
    """Read `1s`, `300ms` or `5000` (simulations), with options: `1s:depth=20:advice=50`, `9000:within=1.4`."""
    budget, *options = text.split(":")
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|ms|)", budget)
    if found is None or float(found[1]) == 0 or (not found[2] and "." in found[1]):
        raise DracothequeError(f"Invalid search budget {budget!r}. Use a time (1s, 300ms) or simulations (5000).")
    seconds = float(found[1]) / (1000 if found[2] == "ms" else 1) if found[2] else None
    plan = SearchBudget(seconds, None if found[2] else int(found[1]))
    for option in options:
        plan = _with_option(plan, option)
    return plan


SPELLINGS = {
    "explore": "exploration",
    "wide": "widening",
    "trust": "initial_regret",
    "advice": "heuristic_percent",
    "learned": "use_evaluator",
    "within": "time_limit",
}
"""Short spellings in the names of bots, which are stored."""


def _with_option(plan: SearchBudget, option: str) -> SearchBudget:
    """Return the budget with one option changed."""
    given, _, value = option.partition("=")
    name = SPELLINGS.get(given, given)
    kinds = {"threads": int, "time_limit": float} | {field.name: type(field.default) for field in fields(SearchParams)}
    if name not in kinds:
        raise unknown("search option", given, [*kinds])
    if name == "use_evaluator" and value not in ("0", "1"):
        raise DracothequeError(f"Invalid value {value!r} for search option {given}. Valid: 0, 1.")
    if not re.fullmatch(r"\d+" if kinds[name] is int else r"\d+(\.\d+)?", value):
        raise DracothequeError(f"Invalid value {value!r} for search option {given}. Use a number, such as {given}=2.")
    if name == "threads":
        return replace(plan, threads=max(1, int(value)))
    if name == "time_limit":
        return replace(plan, seconds=float(value))
    params = replace(plan.params or SearchParams(), **{name: kinds[name](value)})
    if name == "use_evaluator" and params.use_evaluator and params.depth == WHOLE_GAME:
        params = replace(params, depth=0)  # a rollout to the end leaves nothing to evaluate
    return replace(plan, params=params)


class SearchBot:
    """Searches, and chooses the action with the most weight."""

    def __init__(self, seed: int, plan: SearchBudget) -> None:
        """Seed the random numbers."""
        self.random, self.plan = Random(seed), plan
        self.time_limit = math.inf
        self.trees: list[SearchTree] = []
        self.recent: deque[bytes] = deque(maxlen=RECENT_OBSERVATIONS)
        self.finishing = False

    def choose(self, view: PlayerView) -> int:
        """Return an action of the most weight, of simultaneous choices any of almost as much weight.

        In an observation that recurs, simultaneous choices are drawn by weight; in other games that are almost won the
        heuristic decides from there on, so that the game ends.
        """
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        result, observation = self.think(view), view.state.bytes()
        weights = result.weights
        recurs = observation in self.recent
        self.recent.append(observation)
        if view.game.definition.simultaneous and recurs:
            return self.random.choices(view.legal_actions, [weights[action] + 1e-9 for action in view.legal_actions])[0]
        enough = max(weights.values()) * (NEAR_BEST if view.game.definition.simultaneous else 1)
        chosen = self.random.choice([action for action in view.legal_actions if weights[action] >= enough])
        self.finishing = (self.finishing or recurs) and result.values[chosen] >= SURE_WIN
        if self.finishing:
            heuristics = heuristic_values(view)
            return max(view.legal_actions, key=lambda action: heuristics[action])
        return chosen

    def limit_time(self, seconds: float) -> None:
        """Use at most this time for each choice from now on, whatever the budget is."""
        self.time_limit = seconds

    def values(self, view: PlayerView) -> dict[int, float]:
        """Return the expected share of the victory of each legal action."""
        return self.think(view).values

    def think(self, view: PlayerView) -> SearchResult:
        """Search within the budget, with a tree for each thread, and return the combined result."""
        if not self.trees or self.trees[0].game is not view.game:
            self.trees = [
                SearchTree(view.game, self.plan, self.random.getrandbits(62)) for _ in range(self.plan.threads)
            ]
        seconds = min(self.time_limit, math.inf if self.plan.seconds is None else self.plan.seconds)
        ends = None if seconds == math.inf else time.perf_counter() + seconds
        share = None if self.plan.simulations is None else -(-self.plan.simulations // self.plan.threads)
        if len(self.trees) == 1:
            self.trees[0].grow(view, share, ends)
        else:
            with ThreadPoolExecutor(len(self.trees)) as pool:
                list(pool.map(lambda tree: tree.grow(view, share, ends), self.trees))
        return _combined([tree.result(view) for tree in self.trees])


@dataclass(frozen=True)
class SearchResult:
    """The weight of each action, its expected share of the victory, and the number of simulations."""

    weights: dict[int, float]
    values: dict[int, float]
    simulations: int


class SearchTree:
    """A search tree of a game; its statistics are kept from one move to the next."""

    def __init__(self, game: Game, plan: SearchBudget, seed: int) -> None:
        """Allocate the tree."""
        self.game = game
        evaluator = evaluators.evaluator_of(game)
        params = plan.params or default_bots.search_params(game, with_evaluator=evaluator is not None)
        if params.use_evaluator and evaluator is None:
            raise DracothequeError(f"No learned weights fit this game of {game.definition.title}. Remove learned=1.")
        self.evaluator = evaluator if params.use_evaluator else None
        nodes = min(MAX_NODES, 1 << (4 * plan.simulations + 64).bit_length()) if plan.simulations else MAX_NODES
        self.room = nodes, min(MAX_EDGES, 64 * nodes)
        self.store = self._empty_store()
        self.head = np.zeros(1, mcts_tree.Head).view(np.recarray)
        self.head.nodes, self.head.stream = 1, seeded(seed, 0)
        self.head.simultaneous = game.definition.simultaneous
        for name, value in asdict(params).items():  # each is a field of the head
            self.head[name] = value
        self.batch = game.runtime.new_batch(bytes(game.runtime.state.itemsize))
        self.batch.seed(seeded(seed, 1))
        self._open()

    def _empty_store(self) -> Any:
        """Allocate nodes, edges, and the hash table that finds nodes."""
        nodes = np.zeros(self.room[0], mcts_tree.Node).view(np.recarray)
        edges = np.zeros(self.room[1], mcts_tree.Edge).view(np.recarray)
        return mcts_tree.NodeStore(nodes, edges, np.zeros(2 * self.room[0], np.int32))

    def _discard_old(self) -> None:
        """Discard the nodes that the last search did not visit, once more than half of the store is used."""
        if 2 * self.head.nodes[0] > self.room[0] or 2 * self.head.edges[0] > self.room[1]:
            empty = self._empty_store()
            self.functions.carry_over(self.store, empty, self.head)
            self.store = empty

    def _open(self) -> None:
        """Set the operations of the game: by address where they are compiled."""
        batch, operations = self.batch, self.game.runtime.operations
        handles, evaluator = (batch.handle, batch.workspace_handle, batch.out, batch.weights), self.evaluator
        if self.game.runtime.interpreted:
            record = 0 if evaluator is None else evaluator.view(np.recarray)[0]
            self.place = mcts_tree.SimulationSlot(*handles, record)
            self.operations = mcts_tree.SearchOperations(
                *(getattr(operations, name) for name in mcts_tree.SearchOperations._fields)
            )
            self.functions = mcts_tree.interpreted_functions()
        else:
            precompile.ensure_compiled(self.game.definition, precompile.ALL)
            self.place = mcts_tree.SimulationSlot(*handles, 0 if evaluator is None else evaluator.ctypes.data)
            self.operations = mcts_tree.SearchOperations(
                *(
                    0 if evaluator is None and name == "leaf_value_by_evaluator" else operations.address(name)
                    for name in mcts_tree.SearchOperations._fields
                )
            )
            self.functions = mcts_tree.native_functions()

    def grow(self, view: PlayerView, simulations: int | None, ends: float | None) -> None:
        """Run so many simulations, or as many as fit before the time `ends`."""
        self._discard_old()
        self.batch.begin(view.state.bytes())
        self.head.viewer = view.seat
        self.head.age += 1
        self.done, part, left = 0, FIRST_SIMULATIONS, math.inf
        while self.done != simulations and left > 0:
            part = part if simulations is None else min(part, simulations - self.done)
            began = time.perf_counter()
            self.functions.grow(self.operations, self.place, self.store, self.head, part)
            now = time.perf_counter()
            self.done += part
            left = math.inf if ends is None else ends - now
            part = max(1, min(int(part * min(CLOCK_SECONDS, left) / (now - began)), 4 * part))

    def result(self, view: PlayerView) -> SearchResult:
        """Return what the search found about a seat's legal actions."""
        weights, totals, tried = (dict.fromkeys(view.legal_actions, 0.0) for _ in range(3))
        node = self._node(view)
        first, count = int(self.store.nodes[node].edges), int(self.store.nodes[node].count)
        for edge in self.store.edges[first : first + count]:
            action, visits = int(edge.action), int(edge.visits)
            weights[action] = float(edge.played) if self.game.definition.simultaneous else float(visits)
            totals[action], tried[action] = float(edge.total), float(visits)
        if self.game.definition.simultaneous:
            weights, totals, tried = (_symmetrised(view, numbers) for numbers in (weights, totals, tried))
        values = {action: totals[action] / tried[action] if tried[action] else 0.0 for action in view.legal_actions}
        return SearchResult(weights, values, self.done)

    def _node(self, view: PlayerView) -> int:
        """Return the node of a seat's information set, 0 if the search never visited it."""
        self.batch.show(view.state.bytes())
        key = self.game.runtime.operations.information_set_hash(self.batch.handle, view.seat)
        return int(self.functions.node_of(self.store, key))


def _symmetrised(view: PlayerView, numbers: dict[int, float]) -> dict[int, float]:
    """Give equivalent actions their mean, so that the choice between them (such as left or right fist) is random."""
    equivalent = view.game.rules.equivalent_action
    return {action: (numbers[action] + numbers[equivalent(view.state, view.seat, action)]) / 2 for action in numbers}


def _combined(results: list[SearchResult]) -> SearchResult:
    """Add up the results of several trees."""
    weights = {action: sum(each.weights[action] for each in results) for action in results[0].weights}
    values = {
        action: sum(each.values[action] * each.weights[action] for each in results) / max(weights[action], 1e-9)
        for action in weights
    }
    return SearchResult(weights, values, sum(each.simulations for each in results))

"""The search bot: Monte-Carlo tree search (`tree.py`) for a time, or for a number of simulations."""

from __future__ import annotations

import math
import re
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
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

FIRST = 16  # simulations before it is known how long one takes
SLICE = 0.005  # seconds between two looks at the clock
NEARLY = 0.8  # of sealed choices those wanted so much as the best are as good
LATELY = 40  # choices: who sees the same again so soon does not do the same, or two would find each other out for ever
WON = 0.95  # of a victory: who is so sure of it and sees the same again walks about, since all ways lead there
NODES, EDGES = 1 << 20, 1 << 22  # room for a tree: more are hardly made in a second


@dataclass(frozen=True)
class SearchBudget:
    """How long a bot thinks, and how: until the time or the number of simulations is used up."""

    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1
    params: SearchParams | None = None
    """As is best for the game, if nothing is said."""


def read_budget(text: str) -> SearchBudget:
    """Read `1s`, `300ms` or `5000` (simulations), and what follows: `1s:depth=20:advice=50`, `9000:within=1.4`."""
    budget, *wishes = text.split(":")
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|ms|)", budget)
    if found is None or float(found[1]) == 0 or (not found[2] and "." in found[1]):
        raise DracothequeError(f"Invalid search budget {budget!r}. Use a time (1s, 300ms) or simulations (5000).")
    seconds = float(found[1]) / (1000 if found[2] == "ms" else 1) if found[2] else None
    plan = SearchBudget(seconds, None if found[2] else int(found[1]))
    for wish in wishes:
        plan = _with_option(plan, wish)
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


def _with_option(plan: SearchBudget, wish: str) -> SearchBudget:
    """Return the budget with one parameter of the search changed."""
    given, _, value = wish.partition("=")
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
        params = replace(params, depth=0)  # who plays on to the end has nothing to ask
    return replace(plan, params=params)


class SearchBot:
    """Imagines how the game may go on, and chooses what turned out best."""

    def __init__(self, seed: int, plan: SearchBudget) -> None:
        """Start its own stream of chance."""
        self.random, self.plan = Random(seed), plan
        self.patience = math.inf
        self.trees: list[SearchTree] = []
        self.seen_lately: deque[bytes] = deque(maxlen=LATELY)
        self.finishing = False

    def choose(self, view: PlayerView) -> int:
        """Return an action of the most weight, of secret choices any of almost as much weight.

        An observation that comes again in a game of secret choices gets a choice drawn by weight. Where it comes again
        in a game that is almost won, the heuristic decides, so that the game ends.
        """
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        thought, sight = self.think(view), view.state.bytes()
        weights = thought.weights
        again = sight in self.seen_lately
        self.seen_lately.append(sight)
        if view.game.definition.simultaneous and again:
            return self.random.choices(view.legal_actions, [weights[action] + 1e-9 for action in view.legal_actions])[0]
        enough = max(weights.values()) * (NEARLY if view.game.definition.simultaneous else 1)
        chosen = self.random.choice([action for action in view.legal_actions if weights[action] >= enough])
        self.finishing = (self.finishing or again) and thought.values[chosen] >= WON
        if self.finishing:
            liked = heuristic_values(view)
            return max(view.legal_actions, key=lambda action: liked[action])
        return chosen

    def hurry(self, seconds: float) -> None:
        """Think no longer than this about each choice from now on, whatever the plan says."""
        self.patience = seconds

    def values(self, view: PlayerView) -> dict[int, float]:
        """Return how large a share of the victory each choice promises."""
        return self.think(view).values

    def think(self, view: PlayerView) -> SearchResult:
        """Search for as long as the budget allows, in every thread with a tree of its own."""
        if not self.trees or self.trees[0].game is not view.game:
            self.trees = [
                SearchTree(view.game, self.plan, self.random.getrandbits(62)) for _ in range(self.plan.threads)
            ]
        seconds = min(self.patience, math.inf if self.plan.seconds is None else self.plan.seconds)
        ends = None if seconds == math.inf else time.perf_counter() + seconds
        share = None if self.plan.simulations is None else -(-self.plan.simulations // self.plan.threads)
        if len(self.trees) == 1:
            self.trees[0].grow(view, share, ends)
        else:
            with ThreadPoolExecutor(len(self.trees)) as pool:
                list(pool.map(lambda tree: tree.grow(view, share, ends), self.trees))
        return _summed([tree.result(view) for tree in self.trees])


@dataclass(frozen=True)
class SearchResult:
    """What a search found: how much each choice is to be preferred, and what it promises."""

    weights: dict[int, float]
    values: dict[int, float]
    simulations: int


class SearchTree:
    """What was learned of a game so far, from what seats saw; it is kept from one move to the next."""

    def __init__(self, game: Game, plan: SearchBudget, seed: int) -> None:
        """Make room."""
        self.game = game
        known = evaluators.evaluator_of(game)
        ways = plan.params or default_bots.search_params(game, with_evaluator=known is not None)
        if ways.use_evaluator and known is None:
            raise DracothequeError(f"No learned weights fit this game of {game.definition.title}. Remove learned=1.")
        self.mind = known if ways.use_evaluator else None
        nodes = min(NODES, 1 << (4 * plan.simulations + 64).bit_length()) if plan.simulations else NODES
        self.room = nodes, min(EDGES, 64 * nodes)
        self.store = self._empty_store()
        self.head = np.zeros(1, mcts_tree.Head).view(np.recarray)
        self.head.nodes, self.head.stream, self.head.seals = 1, seeded(seed, 0), game.definition.simultaneous
        self.head.exploration, self.head.widening, self.head.initial_regret = (
            ways.exploration,
            ways.widening,
            ways.initial_regret,
        )
        self.head.depth, self.head.heuristic_percent, self.head.use_evaluator = (
            ways.depth,
            ways.heuristic_percent,
            ways.use_evaluator,
        )
        self.batch = game.runtime.new_batch(bytes(game.runtime.state.itemsize))
        self.batch.seed(seeded(seed, 1))
        self._open()

    def _empty_store(self) -> Any:
        """Make room for nodes, their choices, and the table that finds them."""
        nodes = np.zeros(self.room[0], mcts_tree.Node).view(np.recarray)
        edges = np.zeros(self.room[1], mcts_tree.Edge).view(np.recarray)
        return mcts_tree.NodeStore(nodes, edges, np.zeros(2 * self.room[0], np.int32))

    def _tidy(self) -> None:
        """Forget what the last thought did not come by, where more than half of the room is used."""
        if 2 * self.head.nodes[0] > self.room[0] or 2 * self.head.edges[0] > self.room[1]:
            empty = self._empty_store()
            self.ways_in.carry_over(self.store, empty, self.head)
            self.store = empty

    def _open(self) -> None:
        """Take the operations of the game: by address where they are compiled."""
        batch, operations = self.batch, self.game.runtime.operations
        handles, known = (batch.handle, batch.workspace_handle, batch.out, batch.weights), self.mind is not None
        if self.game.runtime.interpreted:
            self.place = mcts_tree.SimulationSlot(
                *handles, self.mind.view(np.recarray)[0] if self.mind is not None else 0
            )
            self.operations = mcts_tree.SearchOperations(
                *(getattr(operations, name) for name in mcts_tree.SearchOperations._fields)
            )
            self.ways_in = mcts_tree.interpreted_functions()
        else:
            precompile.ensure_compiled(self.game.definition, precompile.ALL)
            self.place = mcts_tree.SimulationSlot(*handles, self.mind.ctypes.data if self.mind is not None else 0)
            self.operations = mcts_tree.SearchOperations(
                *(
                    operations.address(name) if known or name != "leaf_value_by_evaluator" else 0
                    for name in mcts_tree.SearchOperations._fields
                )
            )
            self.ways_in = mcts_tree.native_functions()

    def grow(self, view: PlayerView, simulations: int | None, ends: float | None) -> None:
        """Make so many simulations, or as many as there is time for."""
        self._tidy()
        self.batch.begin(view.state.bytes())
        self.head.viewer = view.seat
        self.head.age += 1
        self.done, part, left = 0, FIRST, math.inf
        while self.done != simulations and left > 0:
            part = part if simulations is None else min(part, simulations - self.done)
            began = time.perf_counter()
            self.ways_in.grow(self.operations, self.place, self.store, self.head, part)
            now = time.perf_counter()
            self.done += part
            left = math.inf if ends is None else ends - now
            part = max(1, min(int(part * min(SLICE, left) / (now - began)), 4 * part))

    def result(self, view: PlayerView) -> SearchResult:
        """Sum up what was found of a seat's choices."""
        weights, totals, tried = (dict.fromkeys(view.legal_actions, 0.0) for _ in range(3))
        node = self._node(view)
        first, count = int(self.store.nodes[node].edges), int(self.store.nodes[node].count)
        for edge in self.store.edges[first : first + count]:
            action, visits = int(edge.action), int(edge.visits)
            weights[action] = float(edge.played) if self.game.definition.simultaneous else float(visits)
            totals[action], tried[action] = float(edge.total), float(visits)
        if self.game.definition.simultaneous:
            weights, totals, tried = (_evened(view, numbers) for numbers in (weights, totals, tried))
        values = {action: totals[action] / tried[action] if tried[action] else 0.0 for action in view.legal_actions}
        return SearchResult(weights, values, self.done)

    def _node(self, view: PlayerView) -> int:
        """Find the node of what a seat sees; 0 where the search never came by it."""
        self.batch.show(view.state.bytes())
        mark = self.game.runtime.operations.information_set_hash(self.batch.handle, view.seat)
        return int(self.ways_in.node_of(self.store, mark))


def _evened(view: PlayerView, numbers: dict[int, float]) -> dict[int, float]:
    """Think the same of choices that differ by name alone: which fist is which must be left to a coin."""
    twin = view.game.rules.equivalent_action
    return {action: (numbers[action] + numbers[twin(view.state, view.seat, action)]) / 2 for action in numbers}


def _summed(thoughts: list[SearchResult]) -> SearchResult:
    """Add up what several trees found."""
    weights = {action: sum(each.weights[action] for each in thoughts) for action in thoughts[0].weights}
    values = {
        action: sum(each.values[action] * each.weights[action] for each in thoughts) / max(weights[action], 1e-9)
        for action in weights
    }
    return SearchResult(weights, values, sum(each.simulations for each in thoughts))

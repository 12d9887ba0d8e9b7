"""The bot that thinks ahead: Monte-Carlo tree search (`tree.py`) for a time, or for a number of simulations."""

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

from dracotheque.bots import minds
from dracotheque.bots.greedy import advice
from dracotheque.bots.view import View
from dracotheque.bots.ways import WHOLE_GAME, Ways, best_ways
from dracotheque.engine import rule, warm
from dracotheque.engine.errors import DracothequeError, unknown
from dracotheque.engine.game import Game
from dracotheque.engine.stream import seeded

FIRST = 16  # simulations before it is known how long one takes
SLICE = 0.005  # seconds between two looks at the clock
NEARLY = 0.8  # of sealed choices those wanted so much as the best are as good
LATELY = 40  # choices: who sees the same again so soon does not do the same, or two would find each other out for ever
WON = 0.95  # of a victory: who is so sure of it and sees the same again walks about, since all ways lead there
NODES, EDGES = 1 << 20, 1 << 22  # room for a tree: more are hardly made in a second


@dataclass(frozen=True)
class Plan:
    """How long a bot thinks, and how: until the time or the number of simulations is used up."""

    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1
    ways: Ways | None = None
    """As is best for the game, if nothing is said."""


def read_plan(text: str) -> Plan:
    """Read `1s`, `300ms` or `5000` (simulations), and what follows: `1s:depth=20:advice=50`, `9000:within=1.4`."""
    budget, *wishes = text.split(":")
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|ms|)", budget)
    if found is None or float(found[1]) == 0 or (not found[2] and "." in found[1]):
        raise DracothequeError(f"“{budget}” is no budget: write search:1s, search:300ms or search:5000 (simulations).")
    seconds = float(found[1]) / (1000 if found[2] == "ms" else 1) if found[2] else None
    plan = Plan(seconds, None if found[2] else int(found[1]))
    for wish in wishes:
        plan = _with_wish(plan, wish)
    return plan


def _with_wish(plan: Plan, wish: str) -> Plan:
    """Change one of the ways of a search."""
    name, _, value = wish.partition("=")
    kinds = {"threads": int, "within": float} | {field.name: type(field.default) for field in fields(Ways)}
    if name not in kinds:
        raise unknown("way of searching", name, [*kinds])
    if not re.fullmatch(r"\d+" if kinds[name] is int else r"\d+(\.\d+)?", value):
        raise DracothequeError(f"“{wish}” does not say how much: write {name}=2, for instance.")
    if name == "threads":
        return replace(plan, threads=max(1, int(value)))
    if name == "within":
        return replace(plan, seconds=float(value))
    if name == "learned" and value not in ("0", "1"):
        raise DracothequeError(f"“{wish}” is neither yes nor no: write learned=1, or learned=0.")
    ways = replace(plan.ways or Ways(), **{name: kinds[name](value)})
    if name == "learned" and ways.learned and ways.depth == WHOLE_GAME:
        ways = replace(ways, depth=0)  # who plays on to the end has nothing to ask
    return replace(plan, ways=ways)


class SearchBot:
    """Imagines how the game may go on, and chooses what turned out best."""

    def __init__(self, seed: int, plan: Plan) -> None:
        """Start its own stream of chance."""
        self.random, self.plan = Random(seed), plan
        self.patience = math.inf
        self.trees: list[Tree] = []
        self.seen_lately: deque[bytes] = deque(maxlen=LATELY)
        self.finishing = False

    def choose(self, view: View) -> int:
        """Choose what was tried most; of sealed choices one of the most wanted, seen again any by its regrets.

        Whoever sees the same again in a game that is as good as won follows the advice, to bring it to its end.
        """
        if len(view.legal) == 1:
            return view.legal[0]
        thought, sight = self.think(view), view.table.bytes()
        weights = thought.weights
        again = sight in self.seen_lately
        self.seen_lately.append(sight)
        if view.game.box.sealed and again:
            return self.random.choices(view.legal, [weights[action] + 1e-9 for action in view.legal])[0]
        enough = max(weights.values()) * (NEARLY if view.game.box.sealed else 1)
        chosen = self.random.choice([action for action in view.legal if weights[action] >= enough])
        self.finishing = (self.finishing or again) and thought.values[chosen] >= WON
        if self.finishing:
            liked = advice(view)
            return max(view.legal, key=lambda action: liked[action])
        return chosen

    def hurry(self, seconds: float) -> None:
        """Think no longer than this about each choice from now on, whatever the plan says."""
        self.patience = seconds

    def values(self, view: View) -> dict[int, float]:
        """Say how large a share of the victory each choice promises."""
        return self.think(view).values

    def think(self, view: View) -> Thought:
        """Search for as long as the budget allows, in every thread with a tree of its own."""
        if not self.trees or self.trees[0].game is not view.game:
            self.trees = [Tree(view.game, self.plan, self.random.getrandbits(62)) for _ in range(self.plan.threads)]
        seconds = min(self.patience, math.inf if self.plan.seconds is None else self.plan.seconds)
        ends = None if seconds == math.inf else time.perf_counter() + seconds
        share = None if self.plan.simulations is None else -(-self.plan.simulations // self.plan.threads)
        if len(self.trees) == 1:
            self.trees[0].grow(view, share, ends)
        else:
            with ThreadPoolExecutor(len(self.trees)) as pool:
                list(pool.map(lambda tree: tree.grow(view, share, ends), self.trees))
        return _summed([tree.thought(view) for tree in self.trees])


@dataclass(frozen=True)
class Thought:
    """What a search found: how much each choice is to be preferred, and what it promises."""

    weights: dict[int, float]
    values: dict[int, float]
    simulations: int


class Tree:
    """What was learned of a game so far, from what seats saw; it is kept from one move to the next."""

    def __init__(self, game: Game, plan: Plan, seed: int) -> None:
        """Make room."""
        self.game, self.code = game, rule.load("dracotheque.bots.tree", interpreted=game.layout.interpreted)
        known = minds.mind_of(game)
        ways = plan.ways or best_ways(game.name, known is not None)
        if ways.learned and known is None:
            raise DracothequeError(f"Nothing was learned about {game.box.title} at such a table: leave “learned” away.")
        self.mind = known if ways.learned else None
        nodes = min(NODES, 1 << (4 * plan.simulations + 64).bit_length()) if plan.simulations else NODES
        self.room = nodes, min(EDGES, 64 * nodes)
        self.store = self._empty_store()
        self.head = np.zeros(1, self.code.Head).view(np.recarray)
        self.head.nodes, self.head.stream, self.head.seals = 1, seeded(seed, 0), game.box.sealed
        self.head.explore, self.head.wide, self.head.trust = ways.explore, ways.wide, ways.trust
        self.head.depth, self.head.advice, self.head.learned = ways.depth, ways.advice, ways.learned
        self.bench = game.layout.new_bench(bytes(game.layout.state.itemsize))
        self.bench.seed(seeded(seed, 1))
        self._open()

    def _empty_store(self) -> Any:
        """Make room for nodes, their choices, and the table that finds them."""
        nodes = np.zeros(self.room[0], self.code.Node).view(np.recarray)
        edges = np.zeros(self.room[1], self.code.Edge).view(np.recarray)
        return self.code.Store(nodes, edges, np.zeros(2 * self.room[0], np.int32))

    def _tidy(self) -> None:
        """Forget what the last thought did not come by, where more than half of the room is used."""
        if 2 * self.head.nodes[0] > self.room[0] or 2 * self.head.edges[0] > self.room[1]:
            empty = self._empty_store()
            self.ways_in.carry_over(self.store, empty, self.head)
            self.store = empty

    def _open(self) -> None:
        """Take the doors of the game: by address where they are compiled."""
        bench, code, doors = self.bench, self.code, self.game.layout.doors
        handles, known = (bench.handle, bench.desk_handle, bench.out, bench.weights), self.mind is not None
        if self.game.layout.interpreted:
            self.place = code.Place(*handles, self.mind.view(np.recarray)[0] if self.mind is not None else 0)
            self.doors = code.Doors(*(getattr(doors, name) for name in code.Doors._fields))
            self.ways_in = code.ways_in()
        else:
            warm.make_ready(self.game.box, warm.ALL)
            self.place = code.Place(*handles, self.mind.ctypes.data if self.mind is not None else 0)
            self.doors = code.Doors(
                *(doors.address(name) if known or name != "foresee" else 0 for name in code.Doors._fields)
            )
            self.ways_in = code.compiled_ways_in()

    def grow(self, view: View, simulations: int | None, ends: float | None) -> None:
        """Make so many simulations, or as many as there is time for."""
        self._tidy()
        self.bench.begin(view.table.bytes())
        self.head.viewer = view.seat
        self.head.age += 1
        self.done, part, left = 0, FIRST, math.inf
        while self.done != simulations and left > 0:
            part = part if simulations is None else min(part, simulations - self.done)
            began = time.perf_counter()
            self.ways_in.grow(self.doors, self.place, self.store, self.head, part)
            now = time.perf_counter()
            self.done += part
            left = math.inf if ends is None else ends - now
            part = max(1, min(int(part * min(SLICE, left) / (now - began)), 4 * part))

    def thought(self, view: View) -> Thought:
        """Sum up what was found of a seat's choices."""
        weights, totals, tried = (dict.fromkeys(view.legal, 0.0) for _ in range(3))
        node = self._node(view)
        first, count = int(self.store.nodes[node].edges), int(self.store.nodes[node].count)
        for edge in self.store.edges[first : first + count]:
            action, visits = int(edge.action), int(edge.visits)
            weights[action] = float(edge.played) if self.game.box.sealed else float(visits)
            totals[action], tried[action] = float(edge.total), float(visits)
        if self.game.box.sealed:
            weights, totals, tried = (_evened(view, numbers) for numbers in (weights, totals, tried))
        values = {action: totals[action] / tried[action] if tried[action] else 0.0 for action in view.legal}
        return Thought(weights, values, self.done)

    def _node(self, view: View) -> int:
        """Find the node of what a seat sees; 0 where the search never came by it."""
        self.bench.show(view.table.bytes())
        mark = self.game.layout.doors.marked(self.bench.handle, view.seat)
        return int(self.ways_in.node_of(self.store, mark))


def _evened(view: View, numbers: dict[int, float]) -> dict[int, float]:
    """Think the same of choices that differ by name alone: which fist is which must be left to a coin."""
    twin = getattr(view.game.scene, "twin", lambda table, seat, action: action)
    return {action: (numbers[action] + numbers[twin(view.table, view.seat, action)]) / 2 for action in numbers}


def _summed(thoughts: list[Thought]) -> Thought:
    """Add up what several trees found."""
    weights = {action: sum(each.weights[action] for each in thoughts) for action in thoughts[0].weights}
    values = {
        action: sum(each.values[action] * each.weights[action] for each in thoughts) / max(weights[action], 1e-9)
        for action in weights
    }
    return Thought(weights, values, sum(each.simulations for each in thoughts))

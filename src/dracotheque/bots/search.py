"""The bot that thinks ahead: Monte-Carlo tree search (`tree.py`) for a time, or for a number of simulations."""

from __future__ import annotations

import functools
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from dracotheque.bots.view import View
from dracotheque.engine import cache, desk, rule
from dracotheque.engine.dispatch import SIMULTANEOUS
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.games import find_box

TREE = Path(__file__).with_name("tree.py")
FIRST = 16  # simulations before it is known how long one takes
SLICE = 0.005  # seconds between two looks at the clock
NODES, OPTIONS = 200_000, 100_000  # room for a tree: more are hardly made in a second


@dataclass(frozen=True)
class Plan:
    """How a bot thinks: the budget, and the ways of its search."""

    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1
    explore: float = 0.7


def read_budget(text: str) -> Plan:
    """Read `1s`, `300ms` or `5000` (simulations)."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|ms|)", text)
    if found is None or float(found[1]) == 0 or (not found[2] and "." in found[1]):
        raise DracothequeError(f"“{text}” is no budget: write search:1s, search:300ms or search:5000 (simulations).")
    if not found[2]:
        return Plan(simulations=int(found[1]))
    return Plan(seconds=float(found[1]) / (1000 if found[2] == "ms" else 1))


class SearchBot:
    """Imagines how the game may go on, and chooses what turned out best."""

    def __init__(self, seed: int, plan: Plan) -> None:
        """Start its own stream of chance."""
        self.random, self.plan = Random(seed), plan

    def choose(self, view: View) -> int:
        """Choose what was tried most; of sealed choices one by lot, as often as regrets want it."""
        if len(view.legal) == 1:
            return view.legal[0]
        weights = self.think(view).weights
        if max(weights.values()) > 0 and not _seals(view):
            return max(view.legal, key=lambda action: (weights[action], self.random.random()))
        return self.random.choices(view.legal, [weights[action] + 1e-9 for action in view.legal])[0]

    def values(self, view: View) -> dict[int, float]:
        """Say how large a share of the victory each choice promises."""
        return self.think(view).values

    def think(self, view: View) -> Thought:
        """Search for as long as the budget allows, in every thread with a tree of its own."""
        ends = None if self.plan.seconds is None else time.perf_counter() + self.plan.seconds
        share = -(-(self.plan.simulations or 0) // self.plan.threads)
        trees = [Tree(view, self.plan, self.random.getrandbits(64)) for _ in range(self.plan.threads)]
        if len(trees) == 1:
            trees[0].grow(share, ends)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:
                list(pool.map(lambda tree: tree.grow(share, ends), trees))
        return _summed([tree.thought() for tree in trees])


@dataclass(frozen=True)
class Thought:
    """What a search found: how much each choice is to be preferred, and what it promises."""

    weights: dict[int, float]
    values: dict[int, float]
    simulations: int


class Tree:
    """A tree that grows from what a seat sees."""

    def __init__(self, view: View, plan: Plan, seed: int) -> None:
        """Plant it."""
        layout = view.game.layout
        self.view, self.code = view, code(view.game)
        self.think = thinker(view.game.name, layout.interpreted)
        self.bench = layout.new_bench(view.table.bytes())
        self.nodes, self.options, self.head = self._room(plan)
        if isinstance(self.bench, desk.PlainBench):
            self.bench.desk.seed(seed)
        else:
            self.bench.memory["desk"]["stream"] = seed

    def _room(self, plan: Plan) -> tuple[Any, Any, Any]:
        """Make room for nodes, sealed choices, and what a simulation notes on its way."""
        size = min(NODES, 64 + 4 * plan.simulations) if plan.simulations else NODES
        nodes = np.zeros(size, self.code.Node).view(np.recarray)
        options = np.zeros(OPTIONS, self.code.Option).view(np.recarray)
        head = np.zeros(1, self.code.Head).view(np.recarray)
        head.viewer, head.nodes, head.options = self.view.seat, 1, 1
        head.explore = plan.explore
        return nodes, options, head

    def grow(self, simulations: int, ends: float | None) -> None:
        """Make so many simulations, or as many as there is time for."""
        done, part = 0, FIRST
        while done < simulations if ends is None else time.perf_counter() < ends:
            part = min(part, simulations - done) if ends is None else part
            began = time.perf_counter()
            self.think(self.bench.handle, self.nodes, self.options, self.head, part)
            done += part
            taken = max(time.perf_counter() - began, 1e-6)
            part = max(1, min(int(part * SLICE / taken), 4 * part))

    def thought(self) -> Thought:
        """Sum up what was found at the root."""
        tried: dict[int, tuple[int, float]] = dict.fromkeys(self.view.legal, (0, 0.0))
        child = int(self.nodes[0].first)
        while child and not _seals(self.view):
            node = self.nodes[child]
            tried[int(node.key) % self.code.MOST_MOVES] = int(node.visits), float(node.total[self.view.seat])
            child = int(node.next)
        values = {action: total / visits if visits else 0.0 for action, (visits, total) in tried.items()}
        weights = {action: float(visits) for action, (visits, _) in tried.items()}
        if _seals(self.view):
            weights = self._sealed()
        return Thought(weights, values, int(self.nodes[0].visits))

    def _sealed(self) -> dict[int, float]:
        """Say how often each sealed choice would have been taken."""
        played = dict.fromkeys(self.view.legal, 0.0)
        option = int(self.nodes[0].options)
        while option:
            seat, action = divmod(int(self.options[option].key), self.code.MOST_ACTIONS)
            if seat == self.view.seat and action in played:
                played[action] = float(self.options[option].played)
            option = int(self.options[option].next)
        return played


def _seals(view: View) -> bool:
    """Say whether the choice is sealed, with others choosing at the same time."""
    return view.table.to_move == SIMULTANEOUS


def _summed(thoughts: list[Thought]) -> Thought:
    """Add up what several trees found."""
    weights = {action: sum(each.weights[action] for each in thoughts) for action in thoughts[0].weights}
    values = {
        action: sum(each.values[action] * each.weights[action] for each in thoughts) / max(weights[action], 1e-9)
        for action in weights
    }
    return Thought(weights, values, sum(each.simulations for each in thoughts))


def code(game: Game) -> ModuleType:
    """Find the search, compiled or interpreted as the game is."""
    return rule.load("dracotheque.bots.tree", interpreted=game.layout.interpreted)


@functools.cache
def thinker(name: str, interpreted: bool) -> Callable[[Any, Any, Any, Any, int], int]:
    """Compile the search for a game, or take it as it is."""
    tree = rule.load("dracotheque.bots.tree", interpreted=interpreted)
    if interpreted:
        return lambda bench, nodes, options, head, count: tree.think(bench, nodes, options, head[0], count)
    box = find_box(name)
    layout = desk.layout(box.package, False)
    think = tree.door(desk.bench_type(layout.state, layout.room))
    mark = cache.folder() / f"{box.name}.search-{cache.digest([TREE])}"
    if not mark.exists():
        print(f"Compiling the search for {box.title}, once: up to half a minute …", file=sys.stderr, flush=True)
    rooms = [np.zeros(1, kind).view(np.recarray) for kind in (tree.Node, tree.Option, tree.Head)]
    think(layout.new_bench(bytes(layout.state.itemsize)).handle, *rooms, 0)
    mark.touch()
    return think

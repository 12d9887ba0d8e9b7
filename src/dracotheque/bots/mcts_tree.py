"""Monte-Carlo tree search, written and compiled once for all games: it calls their rules through five functions.

Every simulation fills in what is hidden, walks down what is known, adds a node, plays on, and tells all nodes on its
way what came of it. A node is what one seat sees when it must choose, whatever the others hide: so nobody chooses by
what only others know, ways that lead to the same place share what they learn, and what was learned for one move still
stands for the next. Each seat wants the most for itself (max-n): it takes what was best so far, or what was tried too
seldom (UCB). Where choices are sealed, each seat matches its regrets. Chance is drawn by its weights.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from dracotheque.engine.dispatch import TERMINAL
from dracotheque.engine.jit.function_pointers import call_with_one, call_with_two
from dracotheque.engine.rng import random_below
from dracotheque.engine.rule import compiled
from dracotheque.engine.search_operations import CERTAIN

DEEP = 1_000  # choices on a way down
MIXED = 0.1  # of sealed choices so many are tried out blindly
DICE = 1 << 30


class SearchOperations(NamedTuple):
    """The operations of a game that a search uses: addresses of machine code, or plain functions."""

    reset_to_determinization: Any
    information_set_hash: Any
    action_heuristics: Any
    advance: Any
    rollout: Any
    leaf_value_by_evaluator: Any  # 0 where nothing was learned


class SimulationSlot(NamedTuple):
    """The memory that simulations are played in: a batch, its workspace, and what the functions write there."""

    batch: Any
    workspace: Any
    out: Any
    weights: Any
    evaluator: Any  # what was learned about the game; 0 for nothing


class NodeStore(NamedTuple):
    """What was learned: nodes, each with a block of edges, found by their marks."""

    nodes: Any
    edges: Any
    slots: Any  # node numbers, 0 for none: a hash table of twice as many places as there are nodes


Node = np.dtype(
    [
        ("mark", "i8"),
        ("visits", "i4"),
        ("age", "i4"),  # the last thought in which it was visited
        ("edges", "i4"),  # its block of choices: where it begins,
        ("count", "i4"),  # how long it is,
        ("tried", "i4"),  # and how many of it have been tried, from the first on
    ],
    align=True,
)
Edge = np.dtype(
    [
        ("action", "i4"),
        ("visits", "i4"),
        ("total", "f8"),  # what came of it for the seat that chose
        ("regret", "f8"),  # of sealed choices: how much was lost by not choosing it
        ("promise", "f8"),  # what it would have brought this time
        ("played", "f8"),  # how often it would have been chosen, all in all
    ],
    align=True,
)
Head = np.dtype(
    [
        ("viewer", "i8"),  # the seat that thinks
        ("nodes", "i8"),  # how many there are; the first has no seat
        ("edges", "i8"),
        ("age", "i8"),  # how many thoughts there were
        ("seals", "i8"),  # 1 where choices are sealed
        ("initial_regret", "f8"),  # initial regret of the choices with the best heuristic
        ("exploration", "f8"),  # how much a choice gains by having been tried seldom
        ("widening", "f8"),  # how soon choices with a lower heuristic are tried; 0 for at once
        ("depth", "i8"),  # choices played on below the tree
        ("heuristic_percent", "i8"),  # how many of 100 follow the heuristic there
        ("use_evaluator", "i8"),  # 1 where the evaluator judges then, not the state heuristic
        ("stream", "u8", (1,)),
        ("node", "i4", (DEEP,)),  # the way of a simulation: nodes,
        ("edge", "i4", (DEEP,)),  # what was chosen there,
        ("seat", "i4", (DEEP,)),  # by whom,
        ("likely", "f8", (DEEP,)),  # and how likely that was
    ],
    align=True,
)


# --- Nodes ----------------------------------------------------------------------------------------------------------
@compiled
def found(store: Any, mark: int) -> int:
    """Find the place of a mark in the hash table: a node's, or an empty one."""
    last = len(store.slots) - 1
    slot = mark & last
    while store.slots[slot] != 0 and store.nodes[store.slots[slot]].mark != mark:
        slot = (slot + 1) & last
    return slot


@compiled
def node_of(store: Any, mark: int) -> int:
    """Find the node of a mark; 0 where there is none."""
    return store.slots[found(store, mark)] + 0


@compiled
def added(store: Any, head: Any, mark: int, slot: int) -> int:
    """Make a node for what a seat sees; 0 without room."""
    node = head.nodes + 0
    if node >= len(store.nodes):
        return 0
    head.nodes += 1
    store.slots[slot] = node
    new = store.nodes[node]
    new.mark, new.visits, new.edges, new.count, new.tried = mark, 0, 0, 0, 0
    return node


@compiled
def open_up(operations: Any, place: Any, store: Any, head: Any, node: int, seat: int) -> bool:
    """List a node's choices by their heuristic, the best first; return whether there was room."""
    count, first, edges = (
        call_with_one(operations.action_heuristics, place.workspace, seat),
        head.edges + 0,
        store.edges,
    )
    if first + count > len(edges):
        return False
    head.edges += count
    store.nodes[node].edges, store.nodes[node].count = first, count
    start = random_below(head.stream, count)  # choices liked alike stand in any order
    for i in range(count):
        chosen = (start + i) % count
        at = first + i
        while at > first and edges[at - 1].total < place.weights[chosen]:
            edges[at].action, edges[at].total = edges[at - 1].action, edges[at - 1].total
            at -= 1
        edges[at].action, edges[at].total = place.out[chosen], place.weights[chosen]
    best = edges[first].total
    for at in range(first, first + count):
        edges[at].regret = head.initial_regret if edges[at].total == best else 0.0
        edges[at].visits, edges[at].total, edges[at].played = 0, 0.0, 0.0
    return True


@compiled
def carry_over(old: Any, new: Any, head: Any) -> int:
    """Move to an empty store what the last thought came by, and say how many nodes that are."""
    kept, first = 1, 0
    for node in range(1, head.nodes):
        if old.nodes[node].age == head.age:
            start, count = old.nodes[node].edges + 0, old.nodes[node].count + 0
            for i in range(count):
                new.edges[first + i] = old.edges[start + i]
            new.nodes[kept] = old.nodes[node]
            new.nodes[kept].edges = first
            new.slots[found(new, old.nodes[node].mark + 0)] = kept
            kept, first = kept + 1, first + count
    head.nodes, head.edges = kept, first
    return kept


# --- Choosing -------------------------------------------------------------------------------------------------------
@compiled
def promising(store: Any, head: Any, node: int) -> int:
    """Choose what was never tried, the best liked first; else what promises most."""
    nodes, edges = store.nodes, store.edges
    first, tried, count = nodes[node].edges + 0, nodes[node].tried + 0, nodes[node].count + 0
    visits = nodes[node].visits + 0.0
    if tried < count and (head.widening == 0.0 or tried < 1.0 + head.widening * math.sqrt(visits)):
        nodes[node].tried += 1
        return first + tried
    wonder = head.exploration * math.sqrt(math.log(visits + 1.0))
    best, most = first, -1.0
    for at in range(first, first + tried):
        times = edges[at].visits + 0.0
        promise = edges[at].total / times + wonder / math.sqrt(times)
        if promise > most:
            best, most = at, promise
    return best


@compiled
def regrets_of(store: Any, node: int) -> float:
    """Add up how much a node's choices are regretted."""
    total, first = 0.0, store.nodes[node].edges + 0
    for at in range(first, first + store.nodes[node].count):
        total += store.edges[at].regret
    return total


@compiled
def share_of(edge: Any, regrets: float, count: int) -> float:
    """Return how likely a choice is: as much as it is regretted, or like all others where nothing is."""
    return edge.regret / regrets if regrets > 0.0 else 1.0 / count


@compiled
def regretted(store: Any, head: Any, node: int, deep: int) -> int:
    """Choose by lot, the likelier the more it is regretted that it was not chosen before."""
    edges, first, count = store.edges, store.nodes[node].edges + 0, store.nodes[node].count + 0
    regrets, late = regrets_of(store, node), store.nodes[node].visits + 0.0  # what is learned late counts more
    point, picked = random_below(head.stream, DICE) / DICE, first
    head.likely[deep] = MIXED / count
    for at in range(first, first + count):
        share = share_of(edges[at], regrets, count)
        edges[at].played += late * share
        share = (1.0 - MIXED) * share + MIXED / count
        if 0.0 <= point < share:
            picked = at
            head.likely[deep] = share
        point -= share
    return picked


@compiled
def regret(store: Any, head: Any, deep: int, value: float) -> None:
    """Let all choices of a node regret that they were not taken: by what came of this one, and of them before."""
    edges, node, picked = store.edges, head.node[deep] + 0, head.edge[deep] + 0
    first, count = store.nodes[node].edges + 0, store.nodes[node].count + 0
    regrets, expected = regrets_of(store, node), 0.0
    for at in range(first, first + count):
        before = edges[at].total / edges[at].visits if edges[at].visits > 0 else value
        surprise = (value - before) / head.likely[deep] if at == picked else 0.0
        edges[at].promise = before + surprise
        expected += share_of(edges[at], regrets, count) * edges[at].promise
    for at in range(first, first + count):
        edges[at].regret = max(edges[at].regret + edges[at].promise - expected, 0.0)


@compiled
def learn(place: Any, store: Any, head: Any, deep: int) -> None:
    """Tell a node what came of its choice for the seat that made it."""
    picked, value = head.edge[deep] + 0, place.weights[head.seat[deep]] / CERTAIN
    if head.seals == 1:
        regret(store, head, deep, value)
    store.edges[picked].visits += 1
    store.edges[picked].total += value


# --- Simulations ----------------------------------------------------------------------------------------------------
@compiled
def simulate(operations: Any, place: Any, store: Any, head: Any) -> None:
    """Walk down the tree, let it grow, play on, and tell all nodes on the way what came of it."""
    seat, deep = call_with_one(operations.reset_to_determinization, place.batch, head.viewer), 0
    while seat != TERMINAL and deep < DEEP:
        mark = call_with_one(operations.information_set_hash, place.batch, seat)
        slot = found(store, mark)
        node = store.slots[slot] + 0
        if node == 0:
            node = added(store, head, mark, slot)
        head.node[deep] = node
        store.nodes[node].visits += 1
        store.nodes[node].age = head.age
        opened = store.nodes[node].count > 0
        # A node's choices are listed when it is seen for the second time: most are seen only once.
        if node == 0 or not (
            opened or (store.nodes[node].visits > 1 and open_up(operations, place, store, head, node, seat))
        ):
            break
        edge = regretted(store, head, node, deep) if head.seals == 1 else promising(store, head, node)
        head.edge[deep], head.seat[deep] = edge, seat
        deep += 1
        seat = call_with_two(operations.advance, place.workspace, seat, int(store.edges[edge].action))
    if head.use_evaluator == 0 or head.depth > 0:
        call_with_two(operations.rollout, place.workspace, head.depth, head.heuristic_percent)
    if head.use_evaluator != 0:
        call_with_one(operations.leaf_value_by_evaluator, place.workspace, place.evaluator)
    for i in range(deep):
        learn(place, store, head, i)


@compiled
def grow(operations: Any, place: Any, store: Any, head: Any, count: int) -> int:
    """Make so many simulations, and say how many."""
    for _ in range(count):
        simulate(operations, place, store, head)
    return count


# --- Ways in from Python ----------------------------------------------------------------------------------------------
class NativeFunctions(NamedTuple):
    """What Python calls: growing, carrying over to a new store, and finding a node."""

    grow: Any
    carry_over: Any
    node_of: Any


def interpreted_functions() -> NativeFunctions:
    """Let Python in where nothing is compiled."""
    return NativeFunctions(
        lambda operations, place, store, head, count: grow(operations, place, store, head[0], count),
        lambda old, new, head: carry_over(old, new, head[0]),
        node_of,
    )


@functools.cache
def native_functions() -> NativeFunctions:
    """Let Python in; they are written out here, since Numba's cache looks at the file they stand in."""
    from dracotheque.engine.jit import linking

    exported = linking.exported(nogil=True)

    @exported
    def enter(operations: Any, place: Any, store: Any, head: Any, count: int) -> int:
        return grow(operations, place, store, head[0], count)

    @exported
    def move(old: Any, new: Any, head: Any) -> int:
        return carry_over(old, new, head[0])

    @exported
    def look_up(store: Any, mark: int) -> int:
        return node_of(store, mark)

    return NativeFunctions(enter, move, look_up)

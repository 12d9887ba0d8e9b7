"""Monte Carlo tree search, compiled once for all games: it calls their rules by the operations of `SearchOperations`.

Every simulation draws a determinization, descends the tree, adds a node, plays a rollout, and updates the nodes of its
path (information set MCTS). A node is the information set of the seat that chooses: no seat uses what only others know,
transpositions share their statistics, and the statistics of one move are reused for the next. Each seat maximises its
own share of the victory (max-n) by UCB; in games of simultaneous choices it uses regret matching. Chance outcomes are
sampled by their weights.
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

MAX_DEPTH = 1_000  # choices of one descent
UNIFORM_SHARE = 0.1  # of simultaneous choices that are drawn uniformly, not by regret
RANDOM_RANGE = 1 << 30  # random numbers below it make a fraction


class SearchOperations(NamedTuple):
    """The operations of a game that a search uses: addresses of machine code, or plain functions."""

    reset_to_determinization: Any
    information_set_hash: Any
    action_heuristics: Any
    advance: Any
    rollout: Any
    leaf_value_by_evaluator: Any  # 0 without an evaluator


class SimulationSlot(NamedTuple):
    """The memory of simulations: a batch, its workspace, and the lists that the operations write to."""

    batch: Any
    workspace: Any
    out: Any
    weights: Any
    evaluator: Any  # 0 without an evaluator


class NodeStore(NamedTuple):
    """The nodes, each with a block of edges, and the hash table that finds them."""

    nodes: Any
    edges: Any
    slots: Any  # node numbers, 0 for none: a hash table of twice as many slots as nodes


Node = np.dtype(
    [
        ("hash", "i8"),  # of the information set
        ("visits", "i4"),
        ("age", "i4"),  # the last search that visited it
        ("edges", "i4"),  # its block of edges: where it begins,
        ("count", "i4"),  # how long it is,
        ("tried", "i4"),  # and how many of them have been tried, from the first on
    ],
    align=True,
)
Edge = np.dtype(
    [
        ("action", "i4"),
        ("visits", "i4"),
        ("total", "f8"),  # the sum of values for the seat that chose
        ("regret", "f8"),  # of simultaneous choices: the positive part of its cumulative regret
        ("estimate", "f8"),  # its estimated value in this simulation
        ("played", "f8"),  # the weighted sum of its probabilities: the average strategy
    ],
    align=True,
)
Head = np.dtype(
    [
        ("viewer", "i8"),  # the seat that searches
        ("nodes", "i8"),  # how many there are; number 0 is none
        ("edges", "i8"),
        ("age", "i8"),  # number of searches
        ("simultaneous", "i8"),  # 1 in games of simultaneous choices
        ("initial_regret", "f8"),  # of the choices with the best heuristic
        ("exploration", "f8"),  # the constant of UCB
        ("widening", "f8"),  # choices tried, as a multiple of the root of the visits; 0: all at once
        ("depth", "i8"),  # choices of a rollout
        ("heuristic_percent", "i8"),  # how many of 100 choices of a rollout follow the heuristic
        ("use_evaluator", "i8"),  # 1: the evaluator values leaves, not the state heuristic
        ("stream", "u8", (1,)),
        ("node", "i4", (MAX_DEPTH,)),  # the path of a simulation: nodes,
        ("edge", "i4", (MAX_DEPTH,)),  # edges chosen there,
        ("seat", "i4", (MAX_DEPTH,)),  # by which seats,
        ("probability", "f8", (MAX_DEPTH,)),  # and with which probability
    ],
    align=True,
)


# --- Nodes ----------------------------------------------------------------------------------------------------------
@compiled
def slot_of(store: Any, key: int) -> int:
    """Return the slot of a hash: that of its node, or an empty one."""
    last = len(store.slots) - 1
    slot = key & last
    while store.slots[slot] != 0 and store.nodes[store.slots[slot]].hash != key:
        slot = (slot + 1) & last
    return slot


@compiled
def node_of(store: Any, key: int) -> int:
    """Return the node of a hash, 0 for none."""
    return store.slots[slot_of(store, key)] + 0


@compiled
def add_node(store: Any, head: Any, key: int, slot: int) -> int:
    """Add a node and return it; 0 if the store is full."""
    node = head.nodes + 0
    if node >= len(store.nodes):
        return 0
    head.nodes += 1
    store.slots[slot] = node
    new = store.nodes[node]
    new.hash, new.visits, new.edges, new.count, new.tried = key, 0, 0, 0, 0
    return node


@compiled
def expand(operations: Any, place: Any, store: Any, head: Any, node: int, seat: int) -> bool:
    """Add the edges of a node, sorted by heuristic, the best first; return whether the store has room."""
    count, first, edges = (
        call_with_one(operations.action_heuristics, place.workspace, seat),
        head.edges + 0,
        store.edges,
    )
    if first + count > len(edges):
        return False
    head.edges += count
    store.nodes[node].edges, store.nodes[node].count = first, count
    start = random_below(head.stream, count)  # choices of equal heuristic in random order
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
    """Copy the nodes that the last search visited to an empty store, and return their number."""
    kept, first = 1, 0
    for node in range(1, head.nodes):
        if old.nodes[node].age == head.age:
            start, count = old.nodes[node].edges + 0, old.nodes[node].count + 0
            for i in range(count):
                new.edges[first + i] = old.edges[start + i]
            new.nodes[kept] = old.nodes[node]
            new.nodes[kept].edges = first
            new.slots[slot_of(new, old.nodes[node].hash + 0)] = kept
            kept, first = kept + 1, first + count
    head.nodes, head.edges = kept, first
    return kept


# --- Selection -------------------------------------------------------------------------------------------------------
@compiled
def select_by_ucb(store: Any, head: Any, node: int) -> int:
    """Return the first edge that was never tried; else the one with the highest upper confidence bound."""
    nodes, edges = store.nodes, store.edges
    first, tried, count = nodes[node].edges + 0, nodes[node].tried + 0, nodes[node].count + 0
    visits = nodes[node].visits + 0.0
    if tried < count and (head.widening == 0.0 or tried < 1.0 + head.widening * math.sqrt(visits)):
        nodes[node].tried += 1
        return first + tried
    bonus = head.exploration * math.sqrt(math.log(visits + 1.0))
    best, highest = first, -1.0
    for at in range(first, first + tried):
        times = edges[at].visits + 0.0
        bound = edges[at].total / times + bonus / math.sqrt(times)
        if bound > highest:
            best, highest = at, bound
    return best


@compiled
def total_regret(store: Any, node: int) -> float:
    """Return the sum of the regrets of a node's edges."""
    total, first = 0.0, store.nodes[node].edges + 0
    for at in range(first, first + store.nodes[node].count):
        total += store.edges[at].regret
    return total


@compiled
def probability_of(edge: Any, regrets: float, count: int) -> float:
    """Return the probability of an edge: proportional to its regret, or uniform without any regret."""
    return edge.regret / regrets if regrets > 0.0 else 1.0 / count


@compiled
def sample_by_regret(store: Any, head: Any, node: int, depth: int) -> int:
    """Draw an edge by regret matching, and add to the average strategy."""
    edges, first, count = store.edges, store.nodes[node].edges + 0, store.nodes[node].count + 0
    regrets, weight = total_regret(store, node), store.nodes[node].visits + 0.0  # later strategies count more
    point, picked = random_below(head.stream, RANDOM_RANGE) / RANDOM_RANGE, first
    head.probability[depth] = UNIFORM_SHARE / count
    for at in range(first, first + count):
        share = probability_of(edges[at], regrets, count)
        edges[at].played += weight * share
        share = (1.0 - UNIFORM_SHARE) * share + UNIFORM_SHARE / count
        if 0.0 <= point < share:
            picked = at
            head.probability[depth] = share
        point -= share
    return picked


@compiled
def update_regrets(store: Any, head: Any, depth: int, value: float) -> None:
    """Update the regrets of a node: the chosen edge by its value (importance sampling), the others by their mean."""
    edges, node, picked = store.edges, head.node[depth] + 0, head.edge[depth] + 0
    first, count = store.nodes[node].edges + 0, store.nodes[node].count + 0
    regrets, expected = total_regret(store, node), 0.0
    for at in range(first, first + count):
        before = edges[at].total / edges[at].visits if edges[at].visits > 0 else value
        correction = (value - before) / head.probability[depth] if at == picked else 0.0
        edges[at].estimate = before + correction
        expected += probability_of(edges[at], regrets, count) * edges[at].estimate
    for at in range(first, first + count):
        edges[at].regret = max(edges[at].regret + edges[at].estimate - expected, 0.0)


@compiled
def backpropagate(place: Any, store: Any, head: Any, depth: int) -> None:
    """Update a node of the path by the value for the seat that chose there."""
    picked, value = head.edge[depth] + 0, place.weights[head.seat[depth]] / CERTAIN
    if head.simultaneous == 1:
        update_regrets(store, head, depth, value)
    store.edges[picked].visits += 1
    store.edges[picked].total += value


# --- Simulations ----------------------------------------------------------------------------------------------------
@compiled
def simulate(operations: Any, place: Any, store: Any, head: Any) -> None:
    """Descend the tree, add a node, play a rollout, and update the nodes of the path."""
    seat, depth = call_with_one(operations.reset_to_determinization, place.batch, head.viewer), 0
    while seat != TERMINAL and depth < MAX_DEPTH:
        key = call_with_one(operations.information_set_hash, place.batch, seat)
        slot = slot_of(store, key)
        node = store.slots[slot] + 0
        if node == 0:
            node = add_node(store, head, key, slot)
        head.node[depth] = node
        store.nodes[node].visits += 1
        store.nodes[node].age = head.age
        expanded = store.nodes[node].count > 0
        # A node is expanded at its second visit: most are visited only once.
        if node == 0 or not (
            expanded or (store.nodes[node].visits > 1 and expand(operations, place, store, head, node, seat))
        ):
            break
        edge = (
            sample_by_regret(store, head, node, depth) if head.simultaneous == 1 else select_by_ucb(store, head, node)
        )
        head.edge[depth], head.seat[depth] = edge, seat
        depth += 1
        seat = call_with_two(operations.advance, place.workspace, seat, int(store.edges[edge].action))
    if head.use_evaluator == 0 or head.depth > 0:
        call_with_two(operations.rollout, place.workspace, head.depth, head.heuristic_percent)
    if head.use_evaluator != 0:
        call_with_one(operations.leaf_value_by_evaluator, place.workspace, place.evaluator)
    for i in range(depth):
        backpropagate(place, store, head, i)


@compiled
def grow(operations: Any, place: Any, store: Any, head: Any, count: int) -> int:
    """Run `count` simulations, and return their number."""
    for _ in range(count):
        simulate(operations, place, store, head)
    return count


# --- What Python calls ----------------------------------------------------------------------------------------------
class NativeFunctions(NamedTuple):
    """The functions that Python calls."""

    grow: Any
    carry_over: Any
    node_of: Any


def interpreted_functions() -> NativeFunctions:
    """Return the functions as plain Python."""
    return NativeFunctions(
        lambda operations, place, store, head, count: grow(operations, place, store, head[0], count),
        lambda old, new, head: carry_over(old, new, head[0]),
        node_of,
    )


@functools.cache
def native_functions() -> NativeFunctions:
    """Compile the functions, nested here since Numba's cache is keyed by the file that defines them."""
    from dracotheque.engine.jit import linking

    exported = linking.exported(nogil=True)

    @exported
    def native_grow(operations: Any, place: Any, store: Any, head: Any, count: int) -> int:
        return grow(operations, place, store, head[0], count)

    @exported
    def native_carry_over(old: Any, new: Any, head: Any) -> int:
        return carry_over(old, new, head[0])

    @exported
    def native_node_of(store: Any, key: int) -> int:
        return node_of(store, key)

    return NativeFunctions(native_grow, native_carry_over, native_node_of)

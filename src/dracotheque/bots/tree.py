"""Monte-Carlo tree search, written once for all games and compiled for each.

A tree grows from what a seat sees. Every simulation fills in what is hidden, walks down the tree, adds a node, plays on
to the end, and tells all nodes on its way what came of it, for every player. Players choose what was best for them so
far, or what was tried too seldom (UCB). Chance is drawn by its weights. Where several choose in secret, each matches
its regrets, knowing nothing of what the others seal.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dracotheque.engine.dispatch import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    apply,
    choose,
    happen,
    imagine,
    legal_actions,
    resolve,
    scores,
    to_move,
    winners,
)  # fmt: skip
from dracotheque.engine.draws import draw
from dracotheque.engine.kit import seats
from dracotheque.engine.playout import first_to_act
from dracotheque.engine.rule import compiled, compiled_apart
from dracotheque.engine.stream import below

MOST_SEATS, MOST_ACTIONS = 6, 256
MOST_MOVES = 1 << 54  # numbers of moves, sealed ones together: a base of 257 for each of six seats
DEEP, WIDE = 1_000, 4_000  # nodes on a way down, and sealed choices weighed on it

Node = np.dtype(
    [
        ("visits", "i4"),
        ("first", "i4"),  # its first child, 0 where there is none: the root is nobody's child
        ("next", "i4"),  # the next child of the same parent
        ("options", "i4"),  # the first of the sealed choices here, 0 where there is none
        ("key", "i8"),  # who moved, and the action or outcome that leads here; of sealed choices all together
        ("total", "f8", (MOST_SEATS,)),  # what came of it, for every seat
    ],
    align=True,
)
Option = np.dtype(
    [
        ("next", "i4"),
        ("key", "i4"),  # seat and action
        ("regret", "f8"),
        ("played", "f8"),  # how often it would have been chosen, all in all
    ],
    align=True,
)
Head = np.dtype(
    [
        ("viewer", "i8"),  # the seat that thinks
        ("nodes", "i8"),  # how many there are
        ("options", "i8"),
        ("explore", "f8"),  # how much a choice gains by having been tried seldom
        ("way", "i4", (DEEP,)),  # the nodes of a simulation
        ("weighed", "i4", (WIDE,)),  # the sealed choices it came by
        ("gain", "f8", (WIDE,)),  # 1 / how likely what was chosen was; 0 for what was not
        ("value", "f8", (MOST_SEATS,)),  # what came of it, for every seat
        ("at", "i4", (MOST_ACTIONS,)),  # the child of an action, while one is chosen
    ],
    align=True,
)


MIXED = 0.1  # of sealed choices so many are tried out blindly


# --- The rules, each compiled once ----------------------------------------------------------------------------------
@compiled_apart
def act(game: Any, seat: int, action: int) -> None:
    """Carry out a choice."""
    apply(game, seat, action)


@compiled_apart
def choices(game: Any, seat: int, out: Any) -> int:
    """List what a seat may choose."""
    return legal_actions(game, seat, out)


@compiled_apart
def befall(desk: Any) -> int:
    """Draw what chance brings, carry it out, and say what it was."""
    outcome = draw(desk)
    resolve(desk.game, outcome)
    return outcome


@compiled_apart
def let_happen(desk: Any) -> None:
    """Let chance bring something, nobody needs to know what."""
    happen(desk.game, desk)


@compiled_apart
def any_choice(desk: Any, seat: int) -> int:
    """Choose anything for a seat."""
    return choose(desk.game, seat, desk)


# --- The tree -------------------------------------------------------------------------------------------------------
@compiled
def child_of(nodes: Any, node: int, key: int) -> int:
    """Find the child to which an action or outcome leads; 0 where there is none yet."""
    child = nodes[node].first + 0
    while child != 0 and nodes[child].key != key:
        child = nodes[child].next + 0
    return child


@compiled
def add_child(nodes: Any, head: Any, node: int, key: int) -> int:
    """Let a node grow a child; 0 where the tree is full."""
    child = head.nodes + 0
    if child >= len(nodes):
        return 0
    head.nodes += 1
    nodes[child].key = key
    nodes[child].visits = 0
    nodes[child].first = 0
    nodes[child].options = 0
    for seat in range(MOST_SEATS):
        nodes[child].total[seat] = 0.0
    nodes[child].next = nodes[node].first
    nodes[node].first = child
    return child


@compiled
def keyed(mover: int, move: int) -> int:
    """One number for who moved and how: what is hidden may let different players move at a node."""
    return (mover - SIMULTANEOUS) * MOST_MOVES + move


# --- Choosing -------------------------------------------------------------------------------------------------------
@compiled
def chosen(desk: Any, nodes: Any, head: Any, node: int, seat: int) -> int:
    """Choose for a seat: what was never tried, by lot; else what promises most."""
    count = choices(desk.game, seat, desk.out)
    if count == 1:
        return desk.out[0] + 0
    for i in range(count):
        head.at[desk.out[i]] = 0
    child = nodes[node].first + 0
    while child != 0:
        if nodes[child].key // MOST_MOVES == seat - SIMULTANEOUS:
            head.at[nodes[child].key % MOST_MOVES] = child
        child = nodes[child].next + 0
    new = 0
    for i in range(count):
        if head.at[desk.out[i]] == 0:
            desk.weights[new] = desk.out[i]
            new += 1
    if new > 0:
        return desk.weights[below(desk.stream, new)] + 0
    wonder = head.explore * math.sqrt(math.log(nodes[node].visits + 1.0))
    best, most = 0, -1.0
    for i in range(count):
        child = head.at[desk.out[i]] + 0
        visits = nodes[child].visits + 0.0
        promise = nodes[child].total[seat] / visits + wonder / math.sqrt(visits)
        if promise > most:
            best, most = desk.out[i] + 0, promise
    return best


# --- Sealed choices -------------------------------------------------------------------------------------------------
@compiled
def option_of(nodes: Any, options: Any, head: Any, node: int, key: int) -> int:
    """Find a sealed choice of a node, or note it; 0 where there is no room."""
    option = nodes[node].options + 0
    while option != 0 and options[option].key != key:
        option = options[option].next + 0
    if option == 0 and head.options < len(options):
        option = head.options + 0
        head.options += 1
        options[option].key = key
        options[option].regret = 0.0
        options[option].played = 0.0
        options[option].next = nodes[node].options
        nodes[node].options = option
    return option


@compiled
def sealed(desk: Any, nodes: Any, options: Any, head: Any, node: int, seat: int, weighed: int) -> tuple[int, int]:
    """Choose a sealed action by matched regrets; give it, and how many sealed choices have been weighed in all."""
    count = choices(desk.game, seat, desk.out)
    first, regrets = weighed, 0.0
    for i in range(count):
        option = option_of(nodes, options, head, node, seat * MOST_ACTIONS + desk.out[i])
        head.weighed[first + i] = option
        if option != 0:
            regrets += max(options[option].regret, 0.0)
    point, pick, likely = below(desk.stream, 1 << 30) / (1 << 30), count - 1, 1.0
    for i in range(count):
        option = head.weighed[first + i] + 0
        share = 1.0 / count
        if regrets > 0.0:
            share = max(options[option].regret, 0.0) / regrets if option != 0 else 0.0
        if option != 0:
            options[option].played += share
        head.gain[first + i] = 0.0
        share = (1.0 - MIXED) * share + MIXED / count
        if 0.0 <= point < share:
            pick, likely = i, share
        point -= share
    head.gain[first + pick] = 1.0 / likely
    return desk.out[pick] + 0, first + count


@compiled
def choose_together(desk: Any, nodes: Any, options: Any, head: Any, node: int, weighed: int) -> tuple[int, int]:
    """Let all who seal a choice do so; give one key for all, and how many sealed choices have been weighed."""
    key = 0
    while to_move(desk.game) == SIMULTANEOUS:
        seat = first_to_act(desk.game)
        action, weighed = sealed(desk, nodes, options, head, node, seat, weighed)
        key = key * (MOST_ACTIONS + 1) + action + 1
        act(desk.game, seat, action)
    return key, weighed


@compiled
def learn(options: Any, head: Any, weighed: int) -> None:
    """Let every sealed choice regret that it was not taken, as far as what came of the other tells."""
    for i in range(weighed):
        option = head.weighed[i] + 0
        if option != 0:
            seat = options[option].key // MOST_ACTIONS
            options[option].regret += head.value[seat] * (head.gain[i] - 1.0)


# --- Simulations ----------------------------------------------------------------------------------------------------
@compiled
def play_on(desk: Any) -> None:
    """Play on below the tree, every choice at random, to the end."""
    while to_move(desk.game) != TERMINAL:
        seat = to_move(desk.game)
        if seat == CHANCE:
            let_happen(desk)
        else:
            if seat == SIMULTANEOUS:
                seat = first_to_act(desk.game)
            act(desk.game, seat, any_choice(desk, seat))


@compiled
def judge(desk: Any, head: Any) -> None:
    """Say what came of a game for every seat: its share of the victory."""
    game, points, won, total = desk.game, desk.out, desk.weights, 0.0
    scores(game, points)
    winners(game, points, won)
    for seat in range(seats(game)):
        total += won[seat]
    for seat in range(seats(game)):
        head.value[seat] = won[seat] / total


@compiled
def simulate(bench: Any, nodes: Any, options: Any, head: Any) -> None:
    """Walk down the tree, let it grow, play on, and tell all nodes on the way what came of it."""
    desk = bench.desk
    desk.game = bench.start
    imagine(desk.game, head.viewer, desk.stream)
    node, deep, weighed, grown = 0, 0, 0, False
    head.way[0] = 0
    while not grown and deep + 1 < DEEP and weighed + MOST_SEATS * MOST_ACTIONS < WIDE:
        mover = to_move(desk.game)
        if mover == TERMINAL:
            break
        if mover == CHANCE:
            move = befall(desk)
        elif mover == SIMULTANEOUS:
            move, weighed = choose_together(desk, nodes, options, head, node, weighed)
        else:
            move = chosen(desk, nodes, head, node, mover)
            act(desk.game, mover, move)
        key = keyed(mover, move)
        child = child_of(nodes, node, key)
        if child == 0:
            child = add_child(nodes, head, node, key)
            grown = mover != CHANCE or child == 0
        if child != 0:
            deep += 1
            node = child
            head.way[deep] = node
    play_on(desk)
    judge(desk, head)
    for i in range(deep + 1):
        nodes[head.way[i]].visits += 1
        for seat in range(seats(desk.game)):
            nodes[head.way[i]].total[seat] += head.value[seat]
    learn(options, head, weighed)


@compiled
def think(bench: Any, nodes: Any, options: Any, head: Any, count: int) -> int:
    """Make so many simulations, and say how many."""
    for _ in range(count):
        simulate(bench, nodes, options, head)
    return count


def door(bench_type: np.dtype[Any]) -> Any:
    """Let Python in by the address of a bench; it stands here, since Numba's cache looks at the file it stands in."""
    from dracotheque.engine import cache, native

    @cache.numba().njit(cache=True, nogil=True, error_model="numpy")
    def enter(address: int, nodes: Any, options: Any, head: Any, count: int) -> int:
        return think(native._desk_at(address, bench_type), nodes, options, head[0], count)  # pyright: ignore[reportCallIssue]

    return enter

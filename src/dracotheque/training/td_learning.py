"""TD(λ) learning: rounds of self-play, each followed by training on its λ-returns.

The target of a position is a mean of the network's later values and the final result (temporal differences).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache
from dracotheque.engine.value_network import MOST_SEATS
from dracotheque.training import network
from dracotheque.training.metrics import Tell, TrainingLog
from dracotheque.training.network import Array
from dracotheque.training.self_play import Device, ExplorationPolicy, SelfPlayPool, starts


@dataclass(frozen=True)
class Plan:
    """The parameters of a training."""

    players: tuple[int, ...]
    """Numbers of players, each in equally many games."""

    heuristic_weight: float
    """The weight of the action heuristic beside the network; with the network alone players may move in circles."""

    rounds: int
    tables: int
    """Games played side by side."""

    blocks: int
    """Batches into which the games of a round are split."""

    steps: int = 16
    """Choices in each game in a round."""

    trace: float = 0.8
    """λ: the weight of later values in a target."""

    rate: float = 2e-3
    last_rate: float = 5e-5
    advised_rounds: int = 50
    """The first rounds, in which all players follow the heuristic: with random weights few games would end."""

    advised: float = 0.05
    """The share of games in which players follow the heuristic."""

    examine: int = 100
    """Rounds between two evaluations."""

    examined: int = 4_096
    """Games of an evaluation."""

    seed: int = 1


@dataclass
class Transition:
    """One step of all games: inputs before and after the choice, values, and results where games ended."""

    inputs: Array
    lead: Array
    players: Array
    picked_inputs: Array
    picked_lead: Array
    expected: Array
    ended: Array
    results: Array


def learn(definition: GameDefinition, machine: Device, plan: Plan, tell: Tell) -> None:
    """Train a network for a game; `tell` is called after every round."""
    xp, began = machine.xp, time.perf_counter()
    game = Game(definition, definition.default_players, {}, interpreted=not cache.has_numba())
    pool = SelfPlayPool(machine, game, starts(definition, plan.players, plan.seed), plan.tables, plan.seed)
    learner = network.Learner(network.fresh_weights(pool.input_size, plan.seed, xp), xp)
    curve, loss = TrainingLog(), 0.0
    for number in range(plan.rounds):
        share = number / plan.rounds
        rate = network.learning_rate(plan.rate, plan.last_rate, share)
        loss = float(_round(pool, learner, plan, 1.0 if number < plan.advised_rounds else plan.advised, rate))
        if (number + 1) % plan.examine == 0 or number + 1 == plan.rounds:
            wins = {f"wins_{n}": examine(definition, machine, learner.weights, n, plan) for n in plan.players}
            choices = float((number + 1) * plan.steps * plan.tables)
            row = {"round": number + 1.0, "choices": choices, "seconds": time.perf_counter() - began, "loss": loss}
            curve.rows.append(row | wins)
        tell(learner.weights, curve)


def _round(pool: SelfPlayPool, learner: network.Learner, plan: Plan, advised: float, rate: float) -> Array:
    """Play a round and train on it; return the mean loss."""
    xp, weights = pool.xp, learner.weights
    uses_network = (pool.advised >= advised)[:, None] & xp.ones((1, MOST_SEATS), bool)
    policy, transitions = ExplorationPolicy(heuristic_weight=plan.heuristic_weight), []
    for _ in range(plan.steps):
        inputs, lead, players = pool.inputs, pool.lead.copy(), pool.players.copy()
        expected = by_seat(xp, network.shares(weights, inputs, players, xp), lead, players)
        picked_inputs, picked_lead, ended, results = pool.step(weights, uses_network, policy)
        half = xp.float16
        transitions.append(
            Transition(
                inputs.astype(half), lead, players, picked_inputs.astype(half), picked_lead, expected, ended, results.T
            )
        )
    last = by_seat(xp, network.shares(weights, pool.inputs, pool.players, xp), pool.lead, pool.players)
    losses = [
        learner.learn(*batch, rate) for batch in _batches(xp, transitions, _targets(xp, transitions, last, plan), plan)
    ]
    return sum(losses) / len(losses)


def _targets(xp: ModuleType, transitions: list[Transition], last: Array, plan: Plan) -> list[Array]:
    """Return the λ-returns of each step by seat, computed backwards from the last."""
    targets, later, value = [], last, last
    for transition in reversed(transitions):
        continued = (1 - plan.trace) * value + plan.trace * later
        later = xp.where(transition.ended[None, :] == 1, transition.results, continued)
        value = transition.expected
        targets.append(later)
    return targets[::-1]


def _batches(
    xp: ModuleType, transitions: list[Transition], targets: list[Array], plan: Plan
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield the batches of a round, positions before a choice and after it in turn."""
    size = plan.tables // plan.blocks
    for block in range(plan.blocks):
        part = slice(block * size, (block + 1) * size)
        for inputs, lead in (("inputs", "lead"), ("picked_inputs", "picked_lead")):
            players = xp.concatenate([transition.players[part] for transition in transitions])
            leads = xp.concatenate([getattr(transition, lead)[part] for transition in transitions])
            seen = xp.concatenate([getattr(transition, inputs)[:, part] for transition in transitions], axis=1)
            wanted = xp.concatenate([target[:, part] for target in targets], axis=1)
            yield seen.astype(xp.float32), players, from_lead(xp, wanted, leads, players)


def by_seat(xp: ModuleType, shares: Array, lead: Array, players: Array) -> Array:
    """Convert shares that begin with the seat whose turn it is into shares by seat."""
    seat = xp.arange(MOST_SEATS)[:, None]
    return xp.where(seat < players, xp.take_along_axis(shares, (seat - lead) % players, 0), 0)


def from_lead(xp: ModuleType, shares: Array, lead: Array, players: Array) -> Array:
    """Convert shares by seat into shares that begin with the seat whose turn it is."""
    place = xp.arange(MOST_SEATS)[:, None]
    return xp.where(place < players, xp.take_along_axis(shares, (place + lead) % players, 0), 0)


def examine(definition: GameDefinition, machine: Device, weights: network.Weights, players: int, plan: Plan) -> float:
    """Return the network's share of wins against players that follow the heuristic, from each seat equally often.

    The heuristic has the same weight beside the network as in training.
    """
    xp = machine.xp
    game = Game(definition, players, {}, interpreted=not cache.has_numba())
    start = starts(definition, (players,), plan.seed, 1, varied=0)
    pool = SelfPlayPool(machine, game, start, plan.examined, plan.seed + 1)
    table = xp.arange(plan.examined)
    uses_network = xp.arange(MOST_SEATS)[None, :] == (table % players)[:, None]
    policy = ExplorationPolicy(temperature=1e-6, epsilon=0.0, heuristic_weight=plan.heuristic_weight)
    won, open_games = xp.zeros(plan.examined), xp.ones(plan.examined, bool)
    for _ in range(2_000):
        _, _, ended, results = pool.step(weights, uses_network, policy)
        first = open_games & (ended == 1)
        won = xp.where(first, results[table, table % players], won)
        open_games &= ~first
        if not bool(open_games.any()):
            break
    return float(won.mean())  # a game that does not end counts as lost

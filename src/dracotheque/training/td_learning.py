"""TD(λ) learning: rounds of self-play, each followed by a step of learning from its outcomes.

What a table is worth is learned from what it led to (temporal differences, λ-returns): a little from the very end of
the game, more from what was thought of it a few choices later.
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
    """How long and how one learns."""

    players: tuple[int, ...]
    """With how many players games are learned, each as often as the others."""

    nudge: float
    """The weight of the heuristic beside the network; with the network alone a player may walk in circles."""

    rounds: int
    tables: int
    blocks: int
    """Parts of the tables, one after another to learn from."""

    steps: int = 16
    """Choices at every table in a round."""

    trace: float = 0.8
    """How much more what came late counts than what was thought before (λ)."""

    rate: float = 2e-3
    last_rate: float = 5e-5
    advised_rounds: int = 50
    """First rounds, in which all players follow the heuristic: with random weights games would hardly end."""

    advised: float = 0.05
    """The share of games that always follow the heuristic."""

    examine: int = 100
    """Rounds between two examinations."""

    examined: int = 4_096
    """Games of an examination."""

    seed: int = 1


@dataclass
class Transition:
    """What was seen at a step, and what came of it."""

    sight: Array
    lead: Array
    players: Array
    picked_sight: Array
    picked_lead: Array
    expected: Array
    ended: Array
    results: Array


def learn(definition: GameDefinition, machine: Device, plan: Plan, tell: Tell) -> None:
    """Learn to judge a game; `tell` hears after every round what is known and how examinations went."""
    xp, game, began = (
        machine.xp,
        Game(definition, definition.default_players, {}, interpreted=not cache.has_numba()),
        time.perf_counter(),
    )
    club = SelfPlayPool(machine, game, starts(definition, plan.players, plan.seed), plan.tables, plan.seed)
    learner = network.Learner(network.fresh_weights(club.inputs, plan.seed, xp), xp)
    curve, loss = TrainingLog(), 0.0
    for number in range(plan.rounds):
        share = number / plan.rounds
        rate = network.slowed(plan.rate, plan.last_rate, share)
        loss = float(_round(club, learner, plan, 1.0 if number < plan.advised_rounds else plan.advised, rate))
        if (number + 1) % plan.examine == 0 or number + 1 == plan.rounds:
            wins = {f"wins_{n}": examine(definition, machine, learner.weights, n, plan) for n in plan.players}
            choices = float((number + 1) * plan.steps * plan.tables)
            row = {"round": number + 1.0, "choices": choices, "seconds": time.perf_counter() - began, "loss": loss}
            curve.rows.append(row | wins)
        tell(learner.weights, curve)


def _round(club: SelfPlayPool, learner: network.Learner, plan: Plan, advised: float, rate: float) -> Array:
    """Play for some steps and learn from them; give the mean loss."""
    xp, weights = club.xp, learner.weights
    judges = (club.advised >= advised)[:, None] & xp.ones((1, MOST_SEATS), bool)
    transitions = []
    for _ in range(plan.steps):
        sight, lead, players = club.sight, club.lead.copy(), club.players.copy()
        expected = by_seat(xp, network.shares(weights, sight, players, xp), lead, players)
        picked_sight, picked_lead, ended, results = club.step(weights, judges, ExplorationPolicy(nudge=plan.nudge))
        half = xp.float16
        transitions.append(
            Transition(
                sight.astype(half), lead, players, picked_sight.astype(half), picked_lead, expected, ended, results.T
            )
        )
    last = by_seat(xp, network.shares(weights, club.sight, club.players, xp), club.lead, club.players)
    losses = [
        learner.learn(*batch, rate) for batch in _batches(xp, transitions, _targets(xp, transitions, last, plan), plan)
    ]
    return sum(losses) / len(losses)


def _targets(xp: ModuleType, transitions: list[Transition], last: Array, plan: Plan) -> list[Array]:
    """Look back from the end: what each step led to, by seat."""
    targets, later, thought = [], last, last
    for transition in reversed(transitions):
        onward = (1 - plan.trace) * thought + plan.trace * later
        later = xp.where(transition.ended[None, :] == 1, transition.results, onward)
        thought = transition.expected
        targets.append(later)
    return targets[::-1]


def _batches(
    xp: ModuleType, transitions: list[Transition], targets: list[Array], plan: Plan
) -> Iterator[tuple[Array, Array, Array]]:
    """Cut what was seen into parts to learn from, tables before a choice and after it in turns."""
    size = plan.tables // plan.blocks
    for block in range(plan.blocks):
        part = slice(block * size, (block + 1) * size)
        for sight, lead in (("sight", "lead"), ("picked_sight", "picked_lead")):
            players = xp.concatenate([transition.players[part] for transition in transitions])
            leads = xp.concatenate([getattr(transition, lead)[part] for transition in transitions])
            seen = xp.concatenate([getattr(transition, sight)[:, part] for transition in transitions], axis=1)
            wanted = xp.concatenate([target[:, part] for target in targets], axis=1)
            yield seen.astype(xp.float32), players, from_lead(xp, wanted, leads, players)


def by_seat(xp: ModuleType, shares: Array, lead: Array, players: Array) -> Array:
    """Turn shares counted from whose turn it is into shares by seat."""
    seat = xp.arange(MOST_SEATS)[:, None]
    return xp.where(seat < players, xp.take_along_axis(shares, (seat - lead) % players, 0), 0)


def from_lead(xp: ModuleType, shares: Array, lead: Array, players: Array) -> Array:
    """Turn shares by seat into shares counted from whose turn it is."""
    place = xp.arange(MOST_SEATS)[:, None]
    return xp.where(place < players, xp.take_along_axis(shares, (place + lead) % players, 0), 0)


def examine(definition: GameDefinition, machine: Device, weights: network.Weights, players: int, plan: Plan) -> float:
    """Return how often the network wins against players that follow the heuristic, each seat equally often.

    The heuristic has the same weight beside it as in training.
    """
    xp = machine.xp
    game = Game(definition, players, {}, interpreted=not cache.has_numba())
    start = starts(definition, (players,), plan.seed, 1, odd=0)
    club = SelfPlayPool(machine, game, start, plan.examined, plan.seed + 1)
    table = xp.arange(plan.examined)
    judges = xp.arange(MOST_SEATS)[None, :] == (table % players)[:, None]
    won, open_games = xp.zeros(plan.examined), xp.ones(plan.examined, bool)
    for _ in range(2_000):
        _, _, ended, results = club.step(weights, judges, ExplorationPolicy(heat=1e-6, whim=0.0, nudge=plan.nudge))
        first = open_games & (ended == 1)
        won = xp.where(first, results[table, table % players], won)
        open_games &= ~first
        if not bool(open_games.any()):
            break
    return float(won.mean())  # a game without an end is not won

"""The school: play for a while, see how the games went on, learn from it, and again.

What a table is worth is learned from what it led to (temporal differences, λ-returns): a little from the very end of
the game, more from what was thought of it a few choices later.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dracotheque.engine import cache
from dracotheque.engine.game import Box, Game
from dracotheque.engine.mind import MOST_SEATS
from dracotheque.lab.train import network
from dracotheque.lab.train.club import Club, Machine, Taste, starts
from dracotheque.lab.train.curve import Curve, Tell


@dataclass(frozen=True)
class Plan:
    """How long and how one learns."""

    players: tuple[int, ...]
    """With how many players games are learned, each as often as the others."""

    nudge: float
    """How much players also follow the advice; one who goes by what was learned alone may walk in circles."""

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
    """Rounds at first in which everybody follows the advice: who knows nothing would play for ever."""

    advised: float = 0.05
    """Of the tables, so many are always played by the advice."""

    examine: int = 100
    """Rounds between two examinations."""

    examined: int = 4_096
    """Games of an examination."""

    seed: int = 1


@dataclass
class Lesson:
    """What was seen at a step, and what came of it."""

    sight: Any
    lead: Any
    players: Any
    picked_sight: Any
    picked_lead: Any
    expected: Any
    ended: Any
    results: Any


def learn(box: Box, machine: Machine, plan: Plan, tell: Tell) -> None:
    """Learn to judge a game; `tell` hears after every round what is known and how examinations went."""
    xp, game, began = machine.xp, Game(box, box.usual, {}, interpreted=not cache.has_numba()), time.perf_counter()
    club = Club(machine, game, starts(box, plan.players, plan.seed), plan.tables, plan.seed)
    learner = network.Learner(network.fresh_weights(club.inputs, plan.seed, xp), xp)
    curve, loss = Curve(), 0.0
    for number in range(plan.rounds):
        share = number / plan.rounds
        rate = network.slowed(plan.rate, plan.last_rate, share)
        loss = float(_round(club, learner, plan, 1.0 if number < plan.advised_rounds else plan.advised, rate))
        if (number + 1) % plan.examine == 0 or number + 1 == plan.rounds:
            wins = {f"wins_{n}": examine(box, machine, learner.weights, n, plan) for n in plan.players}
            choices = float((number + 1) * plan.steps * plan.tables)
            row = {"round": number + 1.0, "choices": choices, "seconds": time.perf_counter() - began, "loss": loss}
            curve.rows.append(row | wins)
        tell(learner.weights, curve)


def _round(club: Club, learner: network.Learner, plan: Plan, advised: float, rate: float) -> Any:
    """Play for some steps and learn from them; give the mean loss."""
    xp, weights = club.xp, learner.weights
    judges = (club.advised >= advised)[:, None] & xp.ones((1, MOST_SEATS), bool)
    lessons = []
    for _ in range(plan.steps):
        sight, lead, players = club.sight, club.lead.copy(), club.players.copy()
        expected = by_seat(xp, network.shares(weights, sight, players, xp), lead, players)
        picked_sight, picked_lead, ended, results = club.step(weights, judges, Taste(nudge=plan.nudge))
        half = xp.float16
        lessons.append(
            Lesson(
                sight.astype(half), lead, players, picked_sight.astype(half), picked_lead, expected, ended, results.T
            )
        )
    last = by_seat(xp, network.shares(weights, club.sight, club.players, xp), club.lead, club.players)
    losses = [learner.learn(*batch, rate) for batch in _batches(xp, lessons, _targets(xp, lessons, last, plan), plan)]
    return sum(losses) / len(losses)


def _targets(xp: Any, lessons: list[Lesson], last: Any, plan: Plan) -> list[Any]:
    """Look back from the end: what each step led to, by seat."""
    targets, later, thought = [], last, last
    for lesson in reversed(lessons):
        onward = (1 - plan.trace) * thought + plan.trace * later
        later = xp.where(lesson.ended[None, :] == 1, lesson.results, onward)
        thought = lesson.expected
        targets.append(later)
    return targets[::-1]


def _batches(xp: Any, lessons: list[Lesson], targets: list[Any], plan: Plan) -> Iterator[tuple[Any, Any, Any]]:
    """Cut what was seen into parts to learn from, tables before a choice and after it in turns."""
    size = plan.tables // plan.blocks
    for block in range(plan.blocks):
        part = slice(block * size, (block + 1) * size)
        for sight, lead in (("sight", "lead"), ("picked_sight", "picked_lead")):
            players = xp.concatenate([lesson.players[part] for lesson in lessons])
            leads = xp.concatenate([getattr(lesson, lead)[part] for lesson in lessons])
            seen = xp.concatenate([getattr(lesson, sight)[:, part] for lesson in lessons], axis=1)
            wanted = xp.concatenate([target[:, part] for target in targets], axis=1)
            yield seen.astype(xp.float32), players, from_lead(xp, wanted, leads, players)


def by_seat(xp: Any, shares: Any, lead: Any, players: Any) -> Any:
    """Turn shares counted from whose turn it is into shares by seat."""
    seat = xp.arange(MOST_SEATS)[:, None]
    return xp.where(seat < players, xp.take_along_axis(shares, (seat - lead) % players, 0), 0)


def from_lead(xp: Any, shares: Any, lead: Any, players: Any) -> Any:
    """Turn shares by seat into shares counted from whose turn it is."""
    place = xp.arange(MOST_SEATS)[:, None]
    return xp.where(place < players, xp.take_along_axis(shares, (place + lead) % players, 0), 0)


def examine(box: Box, machine: Machine, weights: network.Weights, players: int, plan: Plan) -> float:
    """Say how often one who judges by the network wins among those who follow the advice, in every seat alike.

    It is nudged by the advice as in training.
    """
    xp = machine.xp
    game = Game(box, players, {}, interpreted=not cache.has_numba())
    start = starts(box, (players,), plan.seed, 1, odd=0)
    club = Club(machine, game, start, plan.examined, plan.seed + 1)
    table = xp.arange(plan.examined)
    judges = xp.arange(MOST_SEATS)[None, :] == (table % players)[:, None]
    won, open_games = xp.zeros(plan.examined), xp.ones(plan.examined, bool)
    for _ in range(2_000):
        _, _, ended, results = club.step(weights, judges, Taste(heat=1e-6, whim=0.0, nudge=plan.nudge))
        first = open_games & (ended == 1)
        won = xp.where(first, results[table, table % players], won)
        open_games &= ~first
        if not bool(open_games.any()):
            break
    return float(won.mean())  # a game without an end is not won

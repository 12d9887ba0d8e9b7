"""Self-play with one network for all seats: thousands of games side by side, one choice in each at every step."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache
from dracotheque.engine.rng import seeded
from dracotheque.engine.value_network import MOST_SEATS
from dracotheque.training import network
from dracotheque.training.network import Array

VARIED_OPTIONS = 0.3  # of the games have random options, not the defaults


class Device(Protocol):
    """A device for self-play: it runs the steps of one game on its arrays."""

    xp: ModuleType

    def records(self, count: int) -> Array:
        """Allocate so many records."""
        ...

    def put(self, records: NDArray[np.void]) -> Array:
        """Copy records to the device."""
        ...

    def run(self, step: str, count: int, *arrays: Array) -> None:
        """Run one step of so many games."""
        ...


@dataclass
class ExplorationPolicy:
    """How players explore."""

    temperature: float = 0.02
    """Of the softmax over values, which are shares of a victory."""

    epsilon: float = 0.03
    """The share of choices that are drawn uniformly."""

    heuristic_weight: float = 0.0
    """The weight of the action heuristic beside the network."""


def starts(
    definition: GameDefinition, players: Sequence[int], seed: int, count: int = 512, varied: float = VARIED_OPTIONS
) -> NDArray[np.void]:
    """Return initial states: equally many of each number of players, some with random options."""
    random = np.random.default_rng(seed)
    known: dict[str, NDArray[np.void]] = {}
    records = []
    for number in itertools.islice(itertools.cycle(players), count):
        options: dict[str, str] = {}
        if random.random() < varied:
            for name, option in definition.options.items():
                options[name] = str(random.choice(option.known(number)))
        name = f"{number} {options}"
        if name not in known:
            game = Game(definition, number, options, interpreted=not cache.has_numba())
            known[name] = np.frombuffer(game.beginning[0], game.runtime.state)
        records.append(known[name])
    return np.concatenate(records)


class Expansion(NamedTuple):
    """Every legal action of every game, game by game, with the position after it."""

    first: Array
    """Where the actions of each game begin."""
    owner: Array
    """The game of each action,"""
    rank: Array
    """and its index there."""
    after: Array
    results: Array
    ended: Array
    turn_seats: Array
    heuristics: Array
    inputs: Array


class SelfPlayPool:
    """Games under way side by side, and their inputs at the last step."""

    def __init__(self, machine: Device, game: Game, beginnings: NDArray[np.void], tables: int, seed: int) -> None:
        """Start so many games, each with a random stream of its own."""
        self.machine, self.tables, xp = machine, tables, machine.xp
        self.xp, self.random = xp, xp.random.default_rng(seed)
        self.input_size = game.rules.TENSOR_SIZE + MOST_SEATS
        self.room = game.runtime.room
        self.starts = machine.put(beginnings)
        self.games = machine.put(beginnings[np.arange(tables) % len(beginnings)])
        self.streams = xp.asarray(np.array([seeded(seed, n) for n in range(tables)], np.uint64))
        self.numbers = xp.zeros((4, tables), xp.int32)
        self.choices = xp.zeros((tables, self.room), xp.int32)
        self.advised = self.random.random(tables)
        self._advance(xp.full(tables, -1, xp.int64), machine.records(1))

    @property
    def seat(self) -> Array:
        """The seat that chooses in each game."""
        return self.numbers[0]

    @property
    def lead(self) -> Array:
        """The seat whose turn it is in each game, the first in the network's input."""
        return self.numbers[1]

    @property
    def players(self) -> Array:
        """The number of players of each game."""
        return self.numbers[2]

    def _advance(self, picked: Array, after: Array) -> tuple[Array, Array]:
        """Continue each game with the picked action; return which games ended, and their results."""
        xp, results = self.xp, self.xp.zeros((self.tables, MOST_SEATS), self.xp.float32)
        ended = xp.zeros(self.tables, xp.int32)
        self.inputs = xp.zeros((self.input_size, self.tables), xp.float32)
        self.machine.run(
            "advance", self.tables, self.games, self.streams, picked, after, self.starts, results, ended, self.numbers,
            self.choices, self.inputs,
        )  # fmt: skip
        return ended, results

    def step(
        self, weights: network.Weights | None, uses_network: Array, policy: ExplorationPolicy
    ) -> tuple[Array, Array, Array, Array]:
        """Choose in each game and continue; return the inputs after the choice, whose turn it is there, ended, results.

        `uses_network[game, seat]` tells which seats use the network; the others, or all without one, use the heuristic.
        """
        xp, ahead = self.xp, self._expand()
        owner = ahead.owner
        mover, players = self.seat[owner], self.players[owner]
        heuristics = ahead.heuristics / 1_000_000.0
        values = heuristics
        if weights:
            actions = xp.arange(len(owner))
            expected = network.shares(weights, ahead.inputs, players, xp)[(mover - ahead.turn_seats) % players, actions]
            expected = xp.where(ahead.ended == 1, ahead.results[actions, mover], expected)
            values = xp.where(uses_network[owner, mover], expected + policy.heuristic_weight * heuristics, heuristics)
        picked = self._pick(values, owner, ahead.rank, policy) + ahead.first
        over = ahead.ended[picked] == 1  # no position follows: the one before is used again
        seen = xp.where(over[None, :], self.inputs, ahead.inputs[:, picked])
        lead = xp.where(over, self.lead, ahead.turn_seats[picked])
        return seen, lead, *self._advance(picked, ahead.after)

    def _expand(self) -> Expansion:
        """Return every legal action of every game with the position after it."""
        xp, counts = self.xp, self.numbers[3]
        ends = xp.cumsum(counts)
        first, total = ends - counts, int(ends[-1])
        actions = xp.arange(total)
        owner = xp.searchsorted(ends, actions, side="right")
        ahead = Expansion(
            first, owner, actions - first[owner], self.machine.records(total),
            xp.zeros((total, MOST_SEATS), xp.float32), xp.zeros(total, xp.int32), xp.zeros(total, xp.int32),
            xp.zeros(total, xp.int32), xp.zeros((self.input_size, total), xp.float32),
        )  # fmt: skip
        self.machine.run("expand", total, self.games, owner, ahead.rank, self.choices, *ahead[3:])
        return ahead

    def _pick(self, values: Array, owner: Array, rank: Array, policy: ExplorationPolicy) -> Array:
        """Draw an action of each game: by a softmax over values (Gumbel noise), or with probability epsilon any."""
        xp, shape = self.xp, (self.tables, int(self.numbers[3].max()))
        noise = -xp.log(-xp.log(self.random.random(shape) * 0.999998 + 1e-6))
        table = xp.full(shape, -xp.inf)
        table[owner, rank] = values / policy.temperature
        uniform = self.random.random(self.tables) < policy.epsilon
        table = xp.where(uniform[:, None] & xp.isfinite(table), 0.0, table)
        return (table + noise).argmax(1)

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

ODD = 0.3  # of the games are played under options that are not the usual ones


class Device(Protocol):
    """Where games are played: the steps of one game, and the arrays that belong there."""

    xp: ModuleType

    def records(self, count: int) -> Array:
        """Make room for so many tables."""
        ...

    def put(self, records: NDArray[np.void]) -> Array:
        """Bring tables there."""
        ...

    def run(self, step: str, count: int, *arrays: Array) -> None:
        """Do one step of so many games."""
        ...


@dataclass
class ExplorationPolicy:
    """How players choose."""

    heat: float = 0.02
    """How much more a choice may promise (of a victory) and yet not be taken now and then."""

    whim: float = 0.03
    """How often any choice is made, good or bad."""

    nudge: float = 0.0
    """The weight of the heuristic beside the network."""


def starts(
    definition: GameDefinition, players: Sequence[int], seed: int, count: int = 512, odd: float = ODD
) -> NDArray[np.void]:
    """Lay out beginnings: of every number of players as many, some with unusual options."""
    random = np.random.default_rng(seed)
    known: dict[str, NDArray[np.void]] = {}
    records = []
    for number in itertools.islice(itertools.cycle(players), count):
        options: dict[str, str] = {}
        if random.random() < odd:
            for name, option in definition.options.items():
                options[name] = str(random.choice(option.known(number)))
        name = f"{number} {options}"
        if name not in known:
            game = Game(definition, number, options, interpreted=not cache.has_numba())
            known[name] = np.frombuffer(game.beginning[0], game.runtime.state)
        records.append(known[name])
    return np.concatenate(records)


class Ahead(NamedTuple):
    """Every choice at every table, table by table, and what is seen when it has been made."""

    first: Array
    """Where the choices of each table begin."""
    owner: Array
    """At which table a choice can be made,"""
    rank: Array
    """and its number there."""
    after: Array
    results: Array
    ended: Array
    leads: Array
    likings: Array
    sight: Array


class SelfPlayPool:
    """Games under way, and what was seen of them at the last step."""

    def __init__(self, machine: Device, game: Game, beginnings: NDArray[np.void], tables: int, seed: int) -> None:
        """Lay out so many tables, each with a stream of chance of its own."""
        self.machine, self.tables, xp = machine, tables, machine.xp
        self.xp, self.random = xp, xp.random.default_rng(seed)
        self.inputs = game.rules.TENSOR_SIZE + MOST_SEATS
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
        """Who chooses at every table."""
        return self.numbers[0]

    @property
    def lead(self) -> Array:
        """Whose turn it is at every table, from whom the network counts."""
        return self.numbers[1]

    @property
    def players(self) -> Array:
        """How many play at every table."""
        return self.numbers[2]

    def _advance(self, picked: Array, after: Array) -> tuple[Array, Array]:
        """Go on at every table with what was picked; say where games ended, and how."""
        xp, results = self.xp, self.xp.zeros((self.tables, MOST_SEATS), self.xp.float32)
        ended = xp.zeros(self.tables, xp.int32)
        self.sight = xp.zeros((self.inputs, self.tables), xp.float32)
        self.machine.run(
            "advance", self.tables, self.games, self.streams, picked, after, self.starts, results, ended, self.numbers,
            self.choices, self.sight,
        )  # fmt: skip
        return ended, results

    def step(
        self, weights: network.Weights | None, judges: Array, taste: ExplorationPolicy
    ) -> tuple[Array, Array, Array, Array]:
        """Choose at every table and go on: give what was seen of the choice made, where games ended, and how.

        `judges[table, seat]` says who judges by the network; the others follow the heuristic, all where there is none.
        """
        xp, ahead = self.xp, self._look_ahead()
        owner = ahead.owner
        mover, players = self.seat[owner], self.players[owner]
        advice = ahead.likings / 1_000_000.0
        promise = advice
        if weights:
            everything = xp.arange(len(owner))
            expected = network.shares(weights, ahead.sight, players, xp)[(mover - ahead.leads) % players, everything]
            expected = xp.where(ahead.ended == 1, ahead.results[everything, mover], expected)
            promise = xp.where(judges[owner, mover], expected + taste.nudge * advice, advice)
        picked = self._pick(promise, owner, ahead.rank, taste) + ahead.first
        over = ahead.ended[picked] == 1  # then there is nothing more to judge: the table before is shown once more
        seen = xp.where(over[None, :], self.sight, ahead.sight[:, picked])
        lead = xp.where(over, self.lead, ahead.leads[picked])
        return seen, lead, *self._advance(picked, ahead.after)

    def _look_ahead(self) -> Ahead:
        """See where every choice at every table leads."""
        xp, counts = self.xp, self.numbers[3]
        ends = xp.cumsum(counts)
        first, total = ends - counts, int(ends[-1])
        everything = xp.arange(total)
        owner = xp.searchsorted(ends, everything, side="right")
        ahead = Ahead(
            first, owner, everything - first[owner], self.machine.records(total),
            xp.zeros((total, MOST_SEATS), xp.float32), xp.zeros(total, xp.int32), xp.zeros(total, xp.int32),
            xp.zeros(total, xp.int32), xp.zeros((self.inputs, total), xp.float32),
        )  # fmt: skip
        self.machine.run("expand", total, self.games, owner, ahead.rank, self.choices, *ahead[3:])
        return ahead

    def _pick(self, promise: Array, owner: Array, rank: Array, taste: ExplorationPolicy) -> Array:
        """Pick the choice that promises most, give or take a little; now and then any."""
        xp, shape = self.xp, (self.tables, int(self.numbers[3].max()))
        noise = -xp.log(-xp.log(self.random.random(shape) * 0.999998 + 1e-6))
        table = xp.full(shape, -xp.inf)
        table[owner, rank] = promise / taste.heat
        whim = self.random.random(self.tables) < taste.whim
        table = xp.where(whim[:, None] & xp.isfinite(table), 0.0, table)
        return (table + noise).argmax(1)

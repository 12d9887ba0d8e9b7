"""A club of players who all judge by one network: thousands of games side by side, a choice in each at every step."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np

from dracotheque.engine import cache
from dracotheque.engine.game import Box, Game
from dracotheque.engine.mind import MOST_SEATS
from dracotheque.engine.stream import seeded
from dracotheque.lab.train import network

ODD = 0.3  # of the games are played under options that are not the usual ones


class Machine(Protocol):
    """Where games are played: the steps of one game, and the arrays that belong there."""

    xp: ModuleType

    def records(self, count: int) -> Any:
        """Make room for so many tables."""
        ...

    def put(self, records: np.ndarray[Any, Any]) -> Any:
        """Bring tables there."""
        ...

    def run(self, step: str, count: int, *arrays: Any) -> None:
        """Do one step of so many games."""
        ...


@dataclass
class Taste:
    """How players choose."""

    heat: float = 0.02
    """How much more a choice may promise (of a victory) and yet not be taken now and then."""

    whim: float = 0.03
    """How often any choice is made, good or bad."""

    nudge: float = 0.0
    """How much those who go by a network also follow the advice."""


def starts(box: Box, players: Sequence[int], seed: int, count: int = 512, odd: float = ODD) -> np.ndarray[Any, Any]:
    """Lay out beginnings: of every number of players as many, some with unusual options."""
    random = np.random.default_rng(seed)
    known: dict[str, np.ndarray[Any, Any]] = {}
    records = []
    for number in itertools.islice(itertools.cycle(players), count):
        options: dict[str, str] = {}
        if random.random() < odd:
            for name, option in box.options.items():
                fitting = [value for value in option.values if not value.isdecimal() or int(value) <= number]
                options[name] = str(random.choice(fitting))
        name = f"{number} {options}"
        if name not in known:
            game = Game(box, number, options, interpreted=not cache.has_numba())
            known[name] = np.frombuffer(game.beginning[0], game.layout.state)
        records.append(known[name])
    return np.concatenate(records)


class Ahead(NamedTuple):
    """Every choice at every table, table by table, and what is seen when it has been made."""

    first: Any
    """Where the choices of each table begin."""
    owner: Any
    """At which table a choice can be made,"""
    rank: Any
    """and its number there."""
    after: Any
    results: Any
    ended: Any
    leads: Any
    likings: Any
    sight: Any


class Club:
    """Games under way, and what was seen of them at the last step."""

    def __init__(self, machine: Machine, game: Game, beginnings: np.ndarray[Any, Any], tables: int, seed: int) -> None:
        """Lay out so many tables, each with a stream of chance of its own."""
        self.machine, self.tables, xp = machine, tables, machine.xp
        self.xp, self.random = xp, xp.random.default_rng(seed)
        self.inputs = game.rules.TENSOR_SIZE + MOST_SEATS
        self.room = game.layout.room
        self.starts = machine.put(beginnings)
        self.games = machine.put(beginnings[np.arange(tables) % len(beginnings)])
        self.streams = xp.asarray(np.array([seeded(seed, n) for n in range(tables)], np.uint64))
        self.numbers = xp.zeros((4, tables), xp.int32)
        self.choices = xp.zeros((tables, self.room), xp.int32)
        self.advised = self.random.random(tables)
        self._advance(xp.full(tables, -1, xp.int64), machine.records(1))

    @property
    def seat(self) -> Any:
        """Who chooses at every table."""
        return self.numbers[0]

    @property
    def lead(self) -> Any:
        """Whose turn it is at every table, from whom the network counts."""
        return self.numbers[1]

    @property
    def players(self) -> Any:
        """How many play at every table."""
        return self.numbers[2]

    def _advance(self, picked: Any, after: Any) -> tuple[Any, Any]:
        """Go on at every table with what was picked; say where games ended, and how."""
        xp, results = self.xp, self.xp.zeros((self.tables, MOST_SEATS), self.xp.float32)
        ended = xp.zeros(self.tables, xp.int32)
        self.sight = xp.zeros((self.inputs, self.tables), xp.float32)
        self.machine.run(
            "advance", self.tables, self.games, self.streams, picked, after, self.starts, results, ended, self.numbers,
            self.choices, self.sight,
        )  # fmt: skip
        return ended, results

    def step(self, weights: network.Weights | None, judges: Any, taste: Taste) -> tuple[Any, Any, Any, Any]:
        """Choose at every table and go on: give what was seen of the choice made, where games ended, and how.

        `judges[table, seat]` says who judges by the network; the others follow the advice, all where there is none.
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

    def _pick(self, promise: Any, owner: Any, rank: Any, taste: Taste) -> Any:
        """Pick the choice that promises most, give or take a little; now and then any."""
        xp, shape = self.xp, (self.tables, int(self.numbers[3].max()))
        noise = -xp.log(-xp.log(self.random.random(shape) * 0.999998 + 1e-6))
        table = xp.full(shape, -xp.inf)
        table[owner, rank] = promise / taste.heat
        whim = self.random.random(self.tables) < taste.whim
        table = xp.where(whim[:, None] & xp.isfinite(table), 0.0, table)
        return (table + noise).argmax(1)

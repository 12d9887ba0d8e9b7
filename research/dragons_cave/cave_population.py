"""Populations of players that evolve on a board: each generation, the best challengers replace the worst members."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dracotheque import load_game
from research.dragons_cave.cave_players import POPULATION, SUMS, TRAITS, WHOLE, State, Table, play_games

Array = np.ndarray[Any, Any]

# Where each trait may lie, and where the first members begin; True: in proportions rather than steps.
RANGES = {
    "bank_at": (1.0, 15.0, True, 4.5),
    "caution": (0.0, 2.0, False, 0.5),
    "waver": (0.2, 2.0, False, 0.5),
    "step": (0.03, 5.0, True, 0.5),
    "finish": (0.0, 20.0, False, 6.0),
    "hold_out": (0.0, 10.0, False, 4.0),
    "dread": (0.1, 1.5, False, 0.7),
    "whim": (0.03, 0.8, True, 0.1),
    "deny": (0.0, 4.0, False, 1.5),
    "envy": (0.0, 2.0, False, 0.5),
    "focus": (0.3, 5.0, True, 2.0),
    "dare": (0.0, 1.0, False, 0.3),
}
LOW, HIGH, PROPORTIONAL, FIRST = (np.array(column) for column in zip(*(RANGES[t] for t in TRAITS), strict=True))
_LOG_LOW = np.log(np.where(PROPORTIONAL, LOW, 1.0))
_LOG_WIDTH = np.log(np.where(PROPORTIONAL, HIGH / np.where(PROPORTIONAL, LOW, 1.0), np.e))


def real(places: Array) -> Array:
    """Turn places from 0 to 1 within the ranges into traits."""
    return np.where(PROPORTIONAL, np.exp(_LOG_LOW + places * _LOG_WIDTH), LOW + places * (HIGH - LOW))


def place(traits: Array) -> Array:
    """Turn traits into places from 0 to 1 within their ranges."""
    logs = np.log(np.where(PROPORTIONAL, traits, 1.0))
    return np.where(PROPORTIONAL, (logs - _LOG_LOW) / _LOG_WIDTH, (traits - LOW) / (HIGH - LOW))


@dataclass
class Tally:
    """What some games added up to."""

    sums: Array
    sat: Array
    won: Array

    def __add__(self, other: Tally) -> Tally:
        """Add up both."""
        return Tally(self.sums + other.sums, self.sat + other.sat, self.won + other.won)

    def __getitem__(self, name: str) -> int:
        """Look a sum up by its name."""
        return int(self.sums[SUMS.index(name)])

    @property
    def wins(self) -> float:
        """Return the games that the probe won, shared ones in parts."""
        return self["won"] / WHOLE

    def members(self) -> Array:
        """Return the share of games that each member of the population won."""
        return self.won[:POPULATION] / WHOLE / np.maximum(self.sat[:POPULATION], 1)


class Room:
    """Games on one board for a number of players, in which a probe plays against a population."""

    def __init__(self, board: Any, players: int) -> None:
        """Prepare the initial state."""
        self.players = players
        game = load_game("dragons-cave", players=players, board=board)
        self.table = np.zeros(1, Table)
        self.table["start"] = np.frombuffer(game.new_initial_state().record(), State)

    def play(self, population: Array, probes: Array, seed: int, first: int, games: int) -> Tally:
        """Play games number `first` and following of a seed; the probe is one of `probes`, or the only one."""
        for name in ("sums", "sat", "won"):
            self.table[name] = 0
        self.table["traits"][0, :POPULATION] = population
        self.table["traits"][0, POPULATION:] = probes
        play_games(self.table, seed, first, games)
        return Tally(*(self.table[name][0].copy() for name in ("sums", "sat", "won")))


Heats = tuple[tuple[int, int], ...]
"""For each heat the number of challengers and the games of each; the best go on to the next heat."""

Tell = Callable[[int], None]


@dataclass
class Challenge:
    """The challengers of the last heat with their shares of wins, best first, and the members' shares in all games."""

    challengers: list[Array]
    shares: list[float]
    members: Array


def challenge(
    room: Room, population: Array, challengers: list[Array], heats: Heats, seed: int, first: int, tell: Tell
) -> Challenge:
    """Return the result of challengers that play against the population in heats."""
    total = room.play(real(population), real(population), seed, first, 0)
    shares: list[float] = []
    for count, games in heats:
        challengers, shares = challengers[:count], []
        for one in challengers:
            seen = room.play(real(population), real(one), seed, first, games)
            total += seen
            shares.append(seen.wins / games)
            tell(games)
        order = np.argsort(-np.array(shares), kind="stable")
        challengers, shares = [challengers[i] for i in order], [shares[i] for i in order]
        first += games
    return Challenge(challengers, shares, total.members())


def newcomer(random: np.random.Generator, population: Array) -> Array:
    """Return a crossover of two members with one to three mutated traits."""
    one, other = population[random.integers(POPULATION)], population[random.integers(POPULATION)]
    mixed = np.where(random.random(len(TRAITS)) < 0.3, other, one)
    for trait in random.choice(len(TRAITS), random.integers(1, 4), replace=False):
        near = np.clip(mixed[trait] + random.normal(0, 0.15), 0, 1)
        mixed[trait] = near if random.random() < 0.7 else random.random()
    return mixed


def evolve(
    room: Room, random: np.random.Generator, generations: int, heats: Heats, seed: int, tell: Tell
) -> list[Array]:
    """Return two populations that evolved on a board.

    In every generation each is challenged by newcomers and by two members of the other; those who reach the last heat
    replace the members who win least, if they win more.
    """
    populations = [np.clip(place(FIRST) + random.normal(0, 0.15, (POPULATION, len(TRAITS))), 0, 1) for _ in range(2)]
    first = 0
    for _generation in range(generations):
        for population, other in (populations, populations[::-1]):
            visitors = [one.copy() for one in other[random.choice(POPULATION, 2, replace=False)]]
            challengers = visitors + [newcomer(random, population) for _ in range(heats[0][0] - 2)]
            outcome = challenge(room, population, challengers, heats, seed, first, tell)
            first += sum(games for _, games in heats)
            for one, share, slot in zip(outcome.challengers, outcome.shares, np.argsort(outcome.members), strict=False):
                if share > outcome.members[slot]:
                    population[slot] = one
    return populations

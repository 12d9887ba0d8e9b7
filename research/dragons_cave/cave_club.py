"""Clubs of players who have found out how to play on a board: by evenings of challenges, the worst member leaving."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dracotheque import load_game
from research.dragons_cave.cave_players import CLUB, SUMS, TRAITS, WHOLE, State, Table, play_games

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
        """Games the guest won, shared ones in parts."""
        return self["won"] / WHOLE

    def members(self) -> Array:
        """The share of games that each member of the club won."""
        return self.won[:CLUB] / WHOLE / np.maximum(self.sat[:CLUB], 1)


class Room:
    """A table on one board for so many players, where a guest plays against a club."""

    def __init__(self, board: Any, players: int) -> None:
        """Lay out the board."""
        self.players = players
        game = load_game("dragons-cave", players=players, board=board)
        self.table = np.zeros(1, Table)
        self.table["start"] = np.frombuffer(game.new_initial_state().record(), State)

    def play(self, club: Array, guests: Array, seed: int, first: int, games: int) -> Tally:
        """Play games number `first` and following of a seed; the guest is one of `guests`, or always the same."""
        for name in ("sums", "sat", "won"):
            self.table[name] = 0
        self.table["traits"][0, :CLUB] = club
        self.table["traits"][0, CLUB:] = guests
        play_games(self.table, seed, first, games)
        return Tally(*(self.table[name][0].copy() for name in ("sums", "sat", "won")))


Heats = tuple[tuple[int, int], ...]
"""So many challengers play so many games each; the best of them go on to the next heat."""

Tell = Callable[[int], None]


@dataclass
class Evening:
    """The challengers of the last heat and their shares of wins, best first, and the members' shares in all games."""

    challengers: list[Array]
    shares: list[float]
    members: Array


def challenge(
    room: Room, club: Array, challengers: list[Array], heats: Heats, seed: int, first: int, tell: Tell
) -> Evening:
    """Let challengers play against the club, in heats."""
    total = room.play(real(club), real(club), seed, first, 0)
    shares: list[float] = []
    for count, games in heats:
        challengers, shares = challengers[:count], []
        for one in challengers:
            seen = room.play(real(club), real(one), seed, first, games)
            total += seen
            shares.append(seen.wins / games)
            tell(games)
        order = np.argsort(-np.array(shares), kind="stable")
        challengers, shares = [challengers[i] for i in order], [shares[i] for i in order]
        first += games
    return Evening(challengers, shares, total.members())


def newcomer(random: np.random.Generator, club: Array) -> Array:
    """Somebody who learnt from two members and has one to three ideas of their own."""
    one, other = club[random.integers(CLUB)], club[random.integers(CLUB)]
    mixed = np.where(random.random(len(TRAITS)) < 0.3, other, one)
    for trait in random.choice(len(TRAITS), random.integers(1, 4), replace=False):
        near = np.clip(mixed[trait] + random.normal(0, 0.15), 0, 1)
        mixed[trait] = near if random.random() < 0.7 else random.random()
    return mixed


def found(room: Room, random: np.random.Generator, evenings: int, heats: Heats, seed: int, tell: Tell) -> list[Array]:
    """Let two clubs find out how to play here.

    Every evening a club is challenged by newcomers and by two visitors from the other club; those who come through the
    heats take the chairs of the members who win least, if they win more.
    """
    clubs = [np.clip(place(FIRST) + random.normal(0, 0.15, (CLUB, len(TRAITS))), 0, 1) for _ in range(2)]
    first = 0
    for _evening in range(evenings):
        for club, other in (clubs, clubs[::-1]):
            visitors = [one.copy() for one in other[random.choice(CLUB, 2, replace=False)]]
            challengers = visitors + [newcomer(random, club) for _ in range(heats[0][0] - 2)]
            seen = challenge(room, club, challengers, heats, seed, first, tell)
            first += sum(games for _, games in heats)
            for one, share, chair in zip(seen.challengers, seen.shares, np.argsort(seen.members), strict=False):
                if share > seen.members[chair]:
                    club[chair] = one
    return clubs

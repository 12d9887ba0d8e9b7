"""Dragon's Cave for two on a small board, solved: all positions, their values, the equilibrium, and its proof.

Choices are sealed, so the solution is a mixed strategy: of cards against niches, of fists against guesses. Everything
but the sealed choice is known to both (chests are closed, but what went in was seen), so a round is a matrix game whose
payoffs are the values of the positions it leads to, and value iteration finds all of them. A game that never ends is
shared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from dracotheque.engine.board_files import Source
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.registry import load_game
from dracotheque.games.dragons_cave.equilibrium import round_graph, value_iteration
from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST, Graph, Purse
from dracotheque.games.dragons_cave.rules.state import CARDS, KINDS

Array = np.ndarray[Any, Any]
Report = Callable[[str, float], None]
"""Gets a stage and its progress, from 0 to 1."""

SILENT: Report = lambda stage, done: None  # noqa: E731

SMALL = Path(__file__).with_name("small-cave.toml")
TINY = Path(__file__).with_name("tiny-cave.toml")
STOP_PROBABILITIES = (0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)
"""Value iteration runs with each of these probabilities that a game is stopped and shared when roles change.

With probability 0, two who bank for ever would do as well as two who go on, and values would not be unique.
"""
TOLERANCE = 1e-9  # the error of a value: a sweep reduces it by a factor of 1 - stop or less
MAX_POSITIONS = 4_000_000  # positions
BATCH = 20_000  # positions expanded between two reports
MAX_SWEEPS = 100_000  # with one probability: about twenty suffice for these boards, unless players bank for ever
RESULTS = np.array([0.0, 0.5, 1.0])  # the values of lost, shared and won games


@dataclass(frozen=True)
class Strategy:
    """A mixed strategy for every position and purse, leading dwarves and as the dragon."""

    lay: Array
    """By position, dwarf and card."""
    place: Array
    """By position, dwarf that was named, and niche."""
    split: Array
    """In the order of `Cave.after`: by purse and coins in the left fist."""
    guess: Array
    """By purse: the probability of the left fist."""


class Cave:
    """All positions of a small board for two."""

    def __init__(self, board: Source = SMALL, most: int = MAX_POSITIONS, report: Report = SILENT) -> None:
        """Find every position; a board that has too many is refused."""
        self.game: Game = load_game("dragons-cave", players=2, board=board, first_dragon="2")
        self.start = np.frombuffer(self.game.beginning[0], round_graph.State)
        self.graph, self.purses, self.after = self._explored(most, report)

    def _explored(self, most: int, report: Report) -> tuple[Array, Array, Array]:
        """Expand all rounds from the opening, with more and more memory."""
        room = 1 << 16
        while True:
            graph, purses, after = np.zeros(room, Graph), np.zeros(room, Purse), np.zeros(4 * room, np.int32)
            slots, purse_slots = np.zeros(2 * room, np.int32), np.zeros(2 * room, np.int32)
            workspace, sizes = np.zeros(4, round_graph.State), np.array([FIRST, FIRST + 1, 1, 0])
            workspace[0] = self.start[0]
            graph[FIRST]["key"] = round_graph.key_of(workspace[0])
            slots[round_graph.find(slots, graph, graph[FIRST]["key"])] = FIRST
            enough = True
            while enough and sizes[0] < sizes[1]:
                enough = round_graph.explore(workspace, graph, slots, purses, purse_slots, after, sizes, BATCH)
                report("positions", sizes[0] / sizes[1])
            if enough:
                _, positions, purse_count, splits = sizes
                return graph[:positions].copy(), purses[:purse_count].copy(), after[:splits].copy()
            if room > most:
                raise DracothequeError(
                    f"This cave has more than {most:,} positions: a path of five to seven spaces and a treasure of a "
                    "few coins can be solved."
                )
            room *= 4

    @property
    def positions(self) -> int:
        """Return the number of positions at the beginning of a round."""
        return len(self.graph) - FIRST

    # --- Values -----------------------------------------------------------------------------------------------------
    def solve(self, report: Report = SILENT) -> Array:
        """Return the value of every position to the leader of the dwarves; the first three are finished games."""
        value = np.full(len(self.graph), 0.5)
        value[:FIRST] = RESULTS
        graph = self.graph, self.purses, self.after
        self._sweep(lambda stop: value_iteration.sweep(*graph, value, stop), "values", report)
        return value

    def _sweep(
        self, sweep: Callable[[float], float], stage: str, report: Report, stops: Sequence[float] = STOP_PROBABILITIES
    ) -> None:
        """Repeat a sweep until it changes nothing any more, with each stop probability."""
        for number, stop in enumerate(stops):
            for _ in range(MAX_SWEEPS):
                change = max(sweep(stop), stop * TOLERANCE)
                report(stage, (number + min(1.0, np.log(change) / np.log(stop * TOLERANCE))) / len(stops))
                if change == stop * TOLERANCE:
                    break
            else:
                raise DracothequeError(f"{MAX_SWEEPS:,} sweeps did not converge on this board.")

    def equilibrium(self, value: Array) -> Strategy:
        """Return an optimal strategy, given the values of positions."""
        found = self.empty_strategy()
        value_iteration.optimal_strategies(
            self.graph,
            self.purses,
            self.after,
            value,
            STOP_PROBABILITIES[-1],
            found.lay,
            found.place,
            found.split,
            found.guess,
        )
        return found

    def empty_strategy(self) -> Strategy:
        """Return a strategy of zeros."""
        size = len(self.graph)
        return Strategy(
            np.zeros((size, 2, CARDS)),
            np.zeros((size, 2, KINDS)),
            np.zeros(len(self.after)),
            np.zeros(len(self.purses)),
        )

    def best_response(
        self, known: Strategy, report: Report = SILENT, stops: Sequence[float] = STOP_PROBABILITIES
    ) -> tuple[Array, Array]:
        """Return the values of a best response to a strategy in every position, leading dwarves and as the dragon."""
        dwarf, dragon = np.full(len(self.graph), 0.5), np.full(len(self.graph), 0.5)
        dwarf[:FIRST], dragon[:FIRST] = RESULTS, 1.0 - RESULTS
        graph, mixed = (self.graph, self.purses, self.after), (known.lay, known.place, known.split, known.guess)
        self._sweep(
            lambda stop: value_iteration.best_response(*graph, stop, *mixed, dwarf, dragon), "replies", report, stops
        )
        return dwarf, dragon

    def exploitability(self, known: Strategy, stops: Sequence[float] = STOP_PROBABILITIES) -> float:
        """Return how much more than half a best response to a strategy wins, the first dragon drawn by lot."""
        dwarf, dragon = self.best_response(known, stops=stops)
        return float(dwarf[FIRST] + dragon[FIRST] - 1.0) / 2

    # --- Positions as states -------------------------------------------------------------------------------------
    def record(self, number: int) -> Array:
        """Return the state of a position: seat 0 leads the dwarves, seat 1 is the dragon."""
        made = self.start.copy()
        round_graph.set_position(made[0], int(self.graph[number]["key"]))
        return made

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of the cards, in their order, and the Chest."""
        board: Any = self.game.board
        return (*board.kinds, "Chest")

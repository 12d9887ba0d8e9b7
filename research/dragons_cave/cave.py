"""Dragon's Cave for two in a small cave, solved: all positions, what they are worth, how to mix, and the proof of it.

Choices are sealed, so a best move is a mixture: of cards against niches, of fists against guesses. Everything but the
sealed choice of the moment is known to both (chests are closed, but what went in was seen), so a round is a matrix game
whose payoffs are the values of the positions it leads to, and value iteration finds all of them. A game that never ends
counts half to each.
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
Tell = Callable[[str, float], None]

SMALL = Path(__file__).with_name("small-cave.toml")
TINY = Path(__file__).with_name("tiny-cave.toml")
HURRIES = (0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)
"""With these chances, one after the other, a game is called off at every change of roles, and the victory shared.

Without any, two who bank for ever would be as well off as two who go on, and values could stay at anything.
"""
NEAR = 1e-9  # by so much a value may be wrong in the end: sweeps bring it nearer by the chance above at least
MOST = 4_000_000  # positions
PART = 20_000  # positions looked at between two reports
SWEEPS = 100_000  # with one chance: our caves need about twenty, unless somebody banks for ever
FINISHED = np.array([0.0, 0.5, 1.0])  # what lost, shared and won games are worth


@dataclass(frozen=True)
class Strategy:
    """How one player mixes everywhere, leading dwarves or as the dragon, position by position and purse by purse."""

    lay: Array
    """By position, dwarf and card."""
    place: Array
    """By position, dwarf that was named, and niche."""
    split: Array
    """In the order of `Cave.after`: by purse and coins in the left fist."""
    guess: Array
    """By purse: how often the left fist."""


class Cave:
    """All positions of a small cave for two."""

    def __init__(self, board: Source = SMALL, most: int = MOST, tell: Tell = lambda stage, done: None) -> None:
        """Find every position; a cave that has too many is refused."""
        self.game: Game = load_game("dragons-cave", players=2, board=board, first_dragon="2")
        self.start = np.frombuffer(self.game.beginning[0], round_graph.State)
        self.graph, self.purses, self.after = self._explored(most, tell)

    def _explored(self, most: int, tell: Tell) -> tuple[Array, Array, Array]:
        """Follow all rounds from the opening on, with more and more room."""
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
                enough = round_graph.explore(workspace, graph, slots, purses, purse_slots, after, sizes, PART)
                tell("positions", sizes[0] / sizes[1])
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
        """How many there are at the beginning of a round."""
        return len(self.graph) - FIRST

    # --- Values -----------------------------------------------------------------------------------------------------
    def solved(self, tell: Tell = lambda stage, done: None) -> Array:
        """Find what every position is worth to who leads the dwarves; the first three are finished games."""
        value = np.full(len(self.graph), 0.5)
        value[:FIRST] = FINISHED
        graph = self.graph, self.purses, self.after
        self._sweep(lambda hurry: value_iteration.sweep(*graph, value, hurry), "values", tell)
        return value

    def _sweep(
        self, sweep: Callable[[float], float], stage: str, tell: Tell, hurries: Sequence[float] = HURRIES
    ) -> None:
        """Work everything out again and again, until a sweep changes nothing any more; hurry less and less."""
        for number, hurry in enumerate(hurries):
            for _ in range(SWEEPS):
                change = max(sweep(hurry), hurry * NEAR)
                tell(stage, (number + min(1.0, np.log(change) / np.log(hurry * NEAR))) / len(hurries))
                if change == hurry * NEAR:
                    break
            else:
                raise DracothequeError(f"{SWEEPS:,} sweeps did not settle what this cave's positions are worth.")

    def best(self, value: Array) -> Strategy:
        """How to mix best, given what positions are worth."""
        found = self.empty_strategy()
        value_iteration.mixtures(
            self.graph, self.purses, self.after, value, HURRIES[-1], found.lay, found.place, found.split, found.guess
        )
        return found

    def empty_strategy(self) -> Strategy:
        """Room for a strategy."""
        size = len(self.graph)
        return Strategy(
            np.zeros((size, 2, CARDS)),
            np.zeros((size, 2, KINDS)),
            np.zeros(len(self.after)),
            np.zeros(len(self.purses)),
        )

    def against(
        self, known: Strategy, tell: Tell = lambda stage, done: None, hurries: Sequence[float] = HURRIES
    ) -> tuple[Array, Array]:
        """What an adversary who knows a strategy has of every position, leading dwarves and as the dragon."""
        dwarf, dragon = np.full(len(self.graph), 0.5), np.full(len(self.graph), 0.5)
        dwarf[:FIRST], dragon[:FIRST] = FINISHED, 1.0 - FINISHED
        graph, mixed = (self.graph, self.purses, self.after), (known.lay, known.place, known.split, known.guess)
        self._sweep(lambda hurry: value_iteration.reply(*graph, hurry, *mixed, dwarf, dragon), "replies", tell, hurries)
        return dwarf, dragon

    def gain(self, known: Strategy, hurries: Sequence[float] = HURRIES) -> float:
        """How much more than half an adversary wins who knows a strategy, first dragon drawn by lot."""
        dwarf, dragon = self.against(known, hurries=hurries)
        return float(dwarf[FIRST] + dragon[FIRST] - 1.0) / 2

    # --- Positions as the table shows them --------------------------------------------------------------------------
    def record(self, number: int) -> Array:
        """Lay a position out: seat 0 leads the dwarves, seat 1 is the dragon."""
        made = self.start.copy()
        round_graph.set_out(made[0], int(self.graph[number]["key"]))
        return made

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The pictures of the cards, in their order, and the Chest."""
        board: Any = self.game.board
        return (*board.kinds, "Chest")

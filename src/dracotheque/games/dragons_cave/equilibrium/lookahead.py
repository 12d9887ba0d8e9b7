"""A depth-limited solver for Dragon's Cave for two: it solves the next rounds and evaluates the positions behind them.

From a position it expands rounds up to its budget (`round_graph`); a value network evaluates the leaves, and value
iteration computes the values of the positions before them (`value_iteration`).
"""

# What Numba compiles is not checked here.
# pyright: basic
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from dracotheque.engine.value_network import forward
from dracotheque.engine.game import Game
from dracotheque.engine.jit.kernels import kernel
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.dragons_cave import GAME
from dracotheque.games.dragons_cave.rules.heuristics import action_heuristic
from dracotheque.games.dragons_cave.rules.actions import apply_action
from dracotheque.games.dragons_cave.equilibrium import positions
from dracotheque.games.dragons_cave.equilibrium.encoding import STOP_PROBABILITY, Evaluator, after_change
from dracotheque.games.dragons_cave.equilibrium.matrix_game import solution
from dracotheque.games.dragons_cave.equilibrium.round_graph import (
    FIRST,
    MAX_NEW_POSITIONS,
    MAX_NEW_SPLITS,
    Graph,
    Purse,
    State,
    explore,
    find,
    key_of,
)  # fmt: skip
from dracotheque.games.dragons_cave.equilibrium.value_iteration import solve_round, sweep
from dracotheque.games.dragons_cave.rules.state import (
    CARDS,
    CHEST,
    HOLD,
    KINDS,
    LEFT_FIST,
    MOST_COINS,
    NICHE,
    SPLIT,
    TO_SPLIT,
)

Array = np.ndarray[Any, Any]
MAX_SWEEPS = 20  # positions can lead back to themselves, so one sweep is not always enough
TOLERANCE = 1e-5  # the sweeps end with one that changes no value by more
NODES_PER_POSITION = 100  # an estimate of how many positions follow from one, rarely exceeded
NEUTRAL, TEMPERATURE = 500_000, 2_500  # of the heuristic: the value of a fair choice, and half a coin
RESULTS = 0.0, 0.5, 1.0  # the values of lost, shared and won games


class Round(NamedTuple):
    """The solution of a round: both players' strategies, and the payoffs to the player who leads the dwarves."""

    key: int
    lay: Array
    """By dwarf, the nearer one first, and card."""
    place: Array
    """By dwarf that is named, and niche."""
    payoff: Array
    """By dwarf, card and niche; -1 for what cannot be played."""
    heuristic_cards: Array
    """By dwarf and card: the strategy of a leader who follows the heuristic,"""
    heuristic_niches: Array
    """and by dwarf and niche, that of such a dragon."""

    def card_strategy(self, second: int) -> Array:
        """Return the strategy of cards for a dwarf; uniform where the leader would never name it."""
        lay = self.lay[second] if self.lay[second].any() else (self.payoff[second, :, 0] >= 0) / 1.0
        return lay / max(lay.sum(), 1.0)

    def card_response(self, prior: float, bank: bool = True) -> Array:
        """Return the restricted Nash response to a dragon that follows the heuristic with probability `prior`.

        Without `bank` it avoids the Chest where another card is possible.
        """
        if prior == 0 and bank:
            return self.lay
        lay, most = np.zeros((2, CARDS)), -1.0
        for second in range(2):
            (cards,) = np.nonzero(self.payoff[second, : CARDS if bank else CHEST, 0] >= 0)
            if len(cards):
                game = self.payoff[second, cards]
                expected = game @ self.heuristic_niches[second]
                value, rows, _ = solution((1 - prior) * game + prior * expected[:, None])
                if value > most:
                    most, lay[:] = value, 0
                    lay[second, cards] = rows
        return lay

    def niche_response(self, second: int, prior: float) -> Array:
        """Return the restricted Nash response to a leader who follows the heuristic with probability `prior`."""
        (cards,) = np.nonzero(self.payoff[second, :, 0] >= 0)
        if prior == 0 or not len(cards):
            return self.place[second]
        game, heuristic = self.payoff[second, cards], self.heuristic_cards[second, cards]
        return solution((1 - prior) * game + prior * (heuristic / heuristic.sum() @ game))[2]


class DepthLimitedSolver:
    """Solves positions up to a budget and evaluates those behind them with a value network."""

    def __init__(self, game: Game, evaluator: Array, budget: int) -> None:
        """Allocate memory for a number of solved positions, and for those that follow from them."""
        self.budget, self.evaluator = budget, evaluator
        self.workspace = np.zeros(4, State)
        self.workspace[0] = np.frombuffer(game.beginning[0], State)[0]
        room = 1 << (NODES_PER_POSITION * max(budget, MOST_COINS) + 2 * MAX_NEW_POSITIONS).bit_length()
        self.graph, self.slots = np.zeros(room, Graph), np.zeros(2 * room, np.int32)
        self.purses, self.purse_slots = np.zeros(room, Purse), np.zeros(2 * room, np.int32)
        self.after, self.value = np.zeros(room + MAX_NEW_SPLITS, np.int32), np.zeros(room)
        self.value[:FIRST] = RESULTS
        self.sizes = np.zeros(4, np.int64)

    def values(self, keys: Sequence[int] | Array) -> Array:
        """Return the values of positions to the leader of the dwarves; all of them are solved, whatever the budget."""
        self.slots[:], self.purse_slots[:] = 0, 0
        self.sizes[:] = FIRST, FIRST + len(keys), 1, 0
        begin(self.graph, self.slots, np.array(keys, np.int64))
        most = max(self.budget, len(keys))
        explore(self.workspace, self.graph, self.slots, self.purses, self.purse_slots, self.after, self.sizes, most)
        expanded, known = int(self.sizes[0]), int(self.sizes[1])
        evaluate_positions(self.workspace, self.graph, expanded, known, self.evaluator, self.value)
        self.value[FIRST:expanded] = 0.5
        for _ in range(MAX_SWEEPS):
            if sweep(self.graph[:expanded], self.purses, self.after, self.value, STOP_PROBABILITY) < TOLERANCE:
                break
        return self.value[FIRST : FIRST + len(keys)].copy()

    def network_values(self, keys: Sequence[int]) -> Array:
        """Return the values that the network alone gives positions."""
        for at, key in enumerate(keys):
            self.graph[FIRST + at]["key"] = key
        evaluate_positions(self.workspace, self.graph, FIRST, FIRST + len(keys), self.evaluator, self.value)
        return self.value[FIRST : FIRST + len(keys)].copy()

    def round(self, state: PlainState) -> Round:
        """Solve the present round from its public information."""
        key = int(key_of(np.frombuffer(state.bytes(), State)[0]))
        self.values([key])
        lay, place, payoff = np.zeros((2, CARDS)), np.zeros((2, KINDS)), np.full((2, CARDS, KINDS), -1.0)
        solve_round(self.graph[FIRST], self.purses, self.after, self.value, STOP_PROBABILITY, lay, place, payoff)
        cards, niches = np.zeros((2, CARDS)), np.zeros((2, KINDS))
        heuristic_strategies(self.workspace, key, cards, niches)
        return Round(key, lay, place, payoff, cards, niches)

    def splits(self, state: PlainState, seat: int) -> Array:
        """Return the value of each split to a frightened seat, by coins in one fist, against random guesses."""
        record = np.frombuffer(state.bytes(), State).copy()
        record["left"][0, seat], record["phase"], record["waiting"], record["to_move"] = TO_SPLIT, SPLIT, 1, seat
        self.workspace[2], keys = record[0], np.zeros(state.purse[seat] + 1, np.int64)
        follow_losses(self.workspace, seat, keys)
        kept = after_change(0.5 - self.values(keys))
        return (kept + kept[::-1]) / 2


def prepare() -> None:
    """Compile everything by one use, with an untrained network in the opening."""
    game = Game(GAME, 2, {"first_dragon": "2"})
    solver, state = DepthLimitedSolver(game, np.zeros(1, Evaluator), 1), game.new_initial_state().to_plain()
    solution(solver.round(state).payoff[0])
    state.purse[0] = 1
    solver.splits(state, 0)


@kernel
def follow_losses(workspace: Any, seat: int, keys: Any) -> None:
    """Write the keys of the positions that follow when a frightened seat loses none of its coins, one, and so on."""
    for lost in range(len(keys)):
        workspace[3] = workspace[2]
        apply_action(workspace[3], seat, HOLD + lost)
        apply_action(workspace[3], 1 - seat, LEFT_FIST)
        keys[lost] = positions.key_of(workspace[3])


@kernel
def begin(graph: Any, slots: Any, keys: Any) -> None:
    """Write the positions to begin with."""
    for at in range(len(keys)):
        graph[FIRST + at].key = keys[at]
        slots[find(slots, graph, keys[at])] = FIRST + at


@kernel
def evaluate_positions(workspace: Any, graph: Any, first: int, end: int, evaluator: Any, value: Any) -> None:
    """Write the values that the network gives positions, for the leader of the dwarves."""
    network = evaluator[0]
    for number in range(first, end):
        workspace[1] = workspace[0]
        positions.set_position(workspace[1], graph[number].key)
        for at in range(len(network.sight)):
            network.sight[at] = 0
        positions.write_inputs(workspace[1], network.sight)
        total = forward(network, 2)
        value[number] = network.wide[0] / total


@kernel
def heuristic_strategies(workspace: Any, key: int, cards: Any, niches: Any) -> None:
    """Write how often a player who follows the heuristic plays each card for each dwarf, and each niche."""
    workspace[1] = workspace[0]
    positions.set_position(workspace[1], key)
    for second in range(2):
        workspace[1].named = second
        for card in range(CARDS):
            if workspace[1].hand[0] >> card & 1:
                preference = action_heuristic(workspace[1], 0, second * CARDS + card) - NEUTRAL
                cards[second, card] = np.exp(preference / TEMPERATURE)
        for niche in range(KINDS):
            preference = action_heuristic(workspace[1], 1, NICHE + niche) - NEUTRAL
            niches[second, niche] = np.exp(preference / TEMPERATURE)
        cards[second] /= np.sum(cards[second])
        niches[second] /= np.sum(niches[second])

"""Rounds of Dragon's Cave for two looked ahead: positions near at hand are solved, those behind them judged as learned.

From the position at hand rounds are followed as far as the budget reaches (`round_graph`); where they end, a network
says what a position is worth, and value iteration brings that back to the beginning (`value_iteration`).
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
from dracotheque.games.dragons_cave.equilibrium.encoding import HURRY, Mind, after_change
from dracotheque.games.dragons_cave.equilibrium.matrix_game import solved
from dracotheque.games.dragons_cave.equilibrium.round_graph import (
    FIRST,
    NEW,
    NEW_SPLITS,
    Graph,
    Purse,
    State,
    explore,
    find,
    key_of,
)  # fmt: skip
from dracotheque.games.dragons_cave.equilibrium.value_iteration import mix, sweep
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
SWEEPS = 20  # at most, where ways lead back to where they came from
STILL = 1e-5  # a sweep that changes no value by more is the last
A_POSITION = 100  # positions that follow from one, at most nearly always
EVEN, HEAT = 500_000, 2_500  # of the heuristic: the value of a fair choice, and half a coin
FINISHED = 0.0, 0.5, 1.0  # what lost, shared and won games are worth


class Round(NamedTuple):
    """The round at hand, solved: how both mix, and what every card is worth to who leads the dwarves."""

    key: int
    lay: Array
    """By dwarf, the nearer one first, and card."""
    place: Array
    """By dwarf that is named, and niche."""
    payoff: Array
    """By dwarf, card and niche; -1 for what cannot be played."""
    usual_lay: Array
    """By dwarf and card: what one who goes by the heuristic would lay,"""
    usual_place: Array
    """and by dwarf and niche, where such a dragon would wait."""

    def laid(self, second: int) -> Array:
        """How the cards are mixed for a dwarf; where it would never be named, any that can be played."""
        lay = self.lay[second] if self.lay[second].any() else (self.payoff[second, :, 0] >= 0) / 1.0
        return lay / max(lay.sum(), 1.0)

    def leaning_cards(self, hunch: float, bank: bool = True) -> Array:
        """Return the best mix of cards against a dragon that follows the heuristic this often, and else replies best.

        A player who may not bank plays another card than the Chest.
        """
        if hunch == 0 and bank:
            return self.lay
        lay, most = np.zeros((2, CARDS)), -1.0
        for second in range(2):
            (cards,) = np.nonzero(self.payoff[second, : CARDS if bank else CHEST, 0] >= 0)
            if len(cards):
                game = self.payoff[second, cards]
                usual = game @ self.usual_place[second]
                value, rows, _ = solved((1 - hunch) * game + hunch * usual[:, None])
                if value > most:
                    most, lay[:] = value, 0
                    lay[second, cards] = rows
        return lay

    def leaning_niches(self, second: int, hunch: float) -> Array:
        """Return the best mix of niches against one who follows the heuristic this often, and else replies best."""
        (cards,) = np.nonzero(self.payoff[second, :, 0] >= 0)
        if hunch == 0 or not len(cards):
            return self.place[second]
        game, usual = self.payoff[second, cards], self.usual_lay[second, cards]
        return solved((1 - hunch) * game + hunch * (usual / usual.sum() @ game))[2]


class DepthLimitedSolver:
    """Looks ahead from a position."""

    def __init__(self, game: Game, mind: Array, budget: int) -> None:
        """Make room for so many positions that are solved, and for what follows from them."""
        self.budget, self.mind = budget, mind
        self.workspace = np.zeros(4, State)
        self.workspace[0] = np.frombuffer(game.beginning[0], State)[0]
        room = 1 << (A_POSITION * max(budget, MOST_COINS) + 2 * NEW).bit_length()
        self.graph, self.slots = np.zeros(room, Graph), np.zeros(2 * room, np.int32)
        self.purses, self.purse_slots = np.zeros(room, Purse), np.zeros(2 * room, np.int32)
        self.after, self.value = np.zeros(room + NEW_SPLITS, np.int32), np.zeros(room)
        self.value[:FIRST] = FINISHED
        self.sizes = np.zeros(4, np.int64)

    def values(self, keys: Sequence[int] | Array) -> Array:
        """Say what positions are worth to who leads the dwarves there; all of them are solved, whatever the budget."""
        self.slots[:], self.purse_slots[:] = 0, 0
        self.sizes[:] = FIRST, FIRST + len(keys), 1, 0
        begin(self.graph, self.slots, np.array(keys, np.int64))
        most = max(self.budget, len(keys))
        explore(self.workspace, self.graph, self.slots, self.purses, self.purse_slots, self.after, self.sizes, most)
        looked_at, known = int(self.sizes[0]), int(self.sizes[1])
        judge(self.workspace, self.graph, looked_at, known, self.mind, self.value)
        self.value[FIRST:looked_at] = 0.5
        for _ in range(SWEEPS):
            if sweep(self.graph[:looked_at], self.purses, self.after, self.value, HURRY) < STILL:
                break
        return self.value[FIRST : FIRST + len(keys)].copy()

    def judged(self, keys: Sequence[int]) -> Array:
        """Return what the network alone thinks of positions."""
        for at, key in enumerate(keys):
            self.graph[FIRST + at]["key"] = key
        judge(self.workspace, self.graph, FIRST, FIRST + len(keys), self.mind, self.value)
        return self.value[FIRST : FIRST + len(keys)].copy()

    def round(self, table: PlainState) -> Round:
        """Solve the present round from its public information."""
        key = int(key_of(np.frombuffer(table.bytes(), State)[0]))
        self.values([key])
        lay, place, payoff = np.zeros((2, CARDS)), np.zeros((2, KINDS)), np.full((2, CARDS, KINDS), -1.0)
        mix(self.graph[FIRST], self.purses, self.after, self.value, HURRY, lay, place, payoff)
        usual_lay, usual_place = np.zeros((2, CARDS)), np.zeros((2, KINDS))
        guess_habits(self.workspace, key, usual_lay, usual_place)
        return Round(key, lay, place, payoff, usual_lay, usual_place)

    def splits(self, table: PlainState, seat: int) -> Array:
        """Return what each split is worth to a frightened seat, by coins in one fist, if the dragon tosses a coin."""
        record = np.frombuffer(table.bytes(), State).copy()
        record["left"][0, seat], record["phase"], record["waiting"], record["to_move"] = TO_SPLIT, SPLIT, 1, seat
        self.workspace[2], keys = record[0], np.zeros(table.purse[seat] + 1, np.int64)
        follow_losses(self.workspace, seat, keys)
        kept = after_change(0.5 - self.values(keys))
        return (kept + kept[::-1]) / 2


def prepare() -> None:
    """Compile everything by using it once: with what a network that knows nothing thinks of the opening."""
    game = Game(GAME, 2, {"first_dragon": "2"})
    lookout, state = DepthLimitedSolver(game, np.zeros(1, Mind), 1), game.new_initial_state()
    solved(lookout.round(state.to_plain()).payoff[0])
    table = state.to_plain()
    table.purse[0] = 1
    lookout.splits(table, 0)


@kernel
def follow_losses(workspace: Any, seat: int, keys: Any) -> None:
    """Write down the positions that follow when a frightened seat loses none of its coins, one, and so on."""
    for lost in range(len(keys)):
        workspace[3] = workspace[2]
        apply_action(workspace[3], seat, HOLD + lost)
        apply_action(workspace[3], 1 - seat, LEFT_FIST)
        keys[lost] = positions.key_of(workspace[3])


@kernel
def begin(graph: Any, slots: Any, keys: Any) -> None:
    """Write down the positions to begin with."""
    for at in range(len(keys)):
        graph[FIRST + at].key = keys[at]
        slots[find(slots, graph, keys[at])] = FIRST + at


@kernel
def judge(workspace: Any, graph: Any, first: int, end: int, mind: Any, value: Any) -> None:
    """Ask the network what positions are worth to who leads the dwarves."""
    thinking = mind[0]
    for number in range(first, end):
        workspace[1] = workspace[0]
        positions.set_out(workspace[1], graph[number].key)
        for at in range(len(thinking.sight)):
            thinking.sight[at] = 0
        positions.look(workspace[1], thinking.sight)
        total = forward(thinking, 2)
        value[number] = thinking.wide[0] / total


@kernel
def guess_habits(workspace: Any, key: int, cards: Any, niches: Any) -> None:
    """Write how often a player who follows the heuristic plays each card for each dwarf, and each niche."""
    workspace[1] = workspace[0]
    positions.set_out(workspace[1], key)
    for second in range(2):
        workspace[1].named = second
        for card in range(CARDS):
            if workspace[1].hand[0] >> card & 1:
                cards[second, card] = np.exp((action_heuristic(workspace[1], 0, second * CARDS + card) - EVEN) / HEAT)
        for niche in range(KINDS):
            niches[second, niche] = np.exp((action_heuristic(workspace[1], 1, NICHE + niche) - EVEN) / HEAT)
        cards[second] /= np.sum(cards[second])
        niches[second] /= np.sum(niches[second])

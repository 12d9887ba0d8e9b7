"""Train a value network for Dragon's Cave for two by self-play, with every round solved as a matrix game.

At every step each game expands all outcomes of its round, and the network evaluates the positions that follow: payoffs
of cards by niches. A card succeeds or is caught, whatever the other niches are; so a round is solved by bisection for
the value at which the dragon can guard every card that brings more. The network learns that value, and the games go on
by the strategies of the solution.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dracotheque.engine.game import Game
from dracotheque.engine.value_network import MOST_SEATS
from dracotheque.games.dragons_cave.equilibrium.encoding import (
    BANK,
    CARD_OUTCOMES,
    ENDED_LOST,
    ENDED_WON,
    FAR_DWARF,
    HAND,
    INPUTS,
    MASK,
    NEAR_DWARF,
    OPENING,
    PURSE,
    after_change,
)
from dracotheque.games.dragons_cave.rules.state import KINDS
from dracotheque.training import network
from dracotheque.training.metrics import Tell, TrainingLog
from dracotheque.training.self_play import Device

CARDS = 2 * KINDS  # of two dwarves
BISECTIONS = 26  # of the value of a round: the precision of 32-bit floats
OVER = ENDED_WON + 1  # a key of a position from here on, a result below


@dataclass(frozen=True)
class Plan:
    """The parameters of the training."""

    rounds: int = 700
    tables: int = 32_768
    blocks: int = 8
    """Batches of a training step."""

    steps: int = 16
    """Rounds of every game between two training steps."""

    trace: float = 0.8
    """λ of the TD(λ) targets."""

    rate: float = 2e-3
    last_rate: float = 2e-5
    whim: float = 0.5
    """The largest share of random choices; it differs from game to game, from 0 on."""

    examine: int = 50
    """Training steps between two evaluations."""

    seed: int = 1


# --- Where rounds lead ------------------------------------------------------------------------------------------------
class Ahead(NamedTuple):
    """All outcomes of a round in every game: by game, card of a dwarf, and 0 for success or 1 + coins lost."""

    after: Any
    """What follows: the key of a position, or a result."""
    column: Any
    """Its column in `sight`."""
    possible: Any
    """By game and card of a dwarf: whether it can be played."""
    bank: Any
    """What follows a Chest, by game."""
    sight: Any
    """The network inputs of all that follows; of Chests last."""
    purse: Any


class Rounds:
    """Expands rounds on a device."""

    def __init__(self, device: Device, game: Game) -> None:
        """Copy the initial state to the device."""
        board: Any = game.board
        self.device, self.xp, self.length = device, device.xp, len(board.path)
        self.board = device.put(np.frombuffer(game.beginning[0], game.runtime.state).copy())

    def ahead(self, keys: Any) -> Ahead:
        """Return all outcomes of the rounds of some positions."""
        xp, tables = self.xp, len(keys)
        purse = keys >> PURSE & MASK
        near, far = keys >> NEAR_DWARF & MASK, keys >> FAR_DWARF & MASK
        on_the_way = xp.stack([near <= self.length, (far <= self.length) & (far != near)], 1)
        in_hand = (keys >> HAND)[:, None] >> xp.arange(KINDS) & 1 == 1
        possible = (on_the_way[:, :, None] & in_hand[:, None, :]).reshape(tables, CARDS)
        outcomes = xp.arange(int(purse.max()) + 2)
        owner, card, outcome = xp.nonzero(possible[:, :, None] & (outcomes < purse[:, None, None] + 2))
        count = len(owner)
        after = xp.zeros(count + tables, xp.int64)
        sight = xp.zeros((INPUTS, count + tables), xp.float32)
        self.device.run(
            "follow", count + tables, self.board, keys, xp.concatenate([owner, xp.arange(tables)]),
            xp.concatenate([card * CARD_OUTCOMES + outcome, xp.full(tables, BANK)]), after, sight,
        )  # fmt: skip
        column = xp.zeros((tables, CARDS, len(outcomes)), xp.int64)
        column[owner, card, outcome] = xp.arange(count)
        return Ahead(after[:count][column] if count else column, column, possible, after[count:], sight, purse)


class Values(NamedTuple):
    """The values of all that may follow, to the present leader of the dwarves."""

    well: Any
    """By game and card of a dwarf, if the dragon is elsewhere."""
    kept: Any
    """The same if it is caught, by coins lost."""
    bank: Any
    """After a Chest."""


def network_values(xp: Any, weights: network.Weights, ahead: Ahead) -> Values:
    """Return the values of all that may follow, by the network or by the result."""
    tables = len(ahead.bank)
    share = network.shares(weights, ahead.sight, xp.full(ahead.sight.shape[1], 2), xp)[0]
    values, bank = share[ahead.column], share[len(share) - tables :]
    return Values(
        with_results(xp, ahead.after[:, :, 0], values[:, :, 0]),
        with_results(xp, ahead.after[:, :, 1:], _changed(values[:, :, 1:])),
        with_results(xp, ahead.bank, _changed(bank)),
    )


def _changed(share: Any) -> Any:
    """Return a value after a change of roles, for the side that led before."""
    return after_change(0.5 - share)


def with_results(xp: Any, after: Any, values: Any) -> Any:
    """Return the results of finished games, for who led the dwarves, and the values of others."""
    return xp.where(after < OVER, (after - ENDED_LOST) / (ENDED_WON - ENDED_LOST), values)


# --- Rounds, solved ---------------------------------------------------------------------------------------------------
class Solved(NamedTuple):
    """The value of a round to the leader of the dwarves, and both players' strategies."""

    value: Any
    lay: Any
    """By game: every card of either dwarf, then the Chest."""
    caught: Any
    """By game and card of a dwarf: the probability that the dragon catches it."""
    split: Any
    """By game and card of a dwarf: coins in one fist, if it is caught."""


def solve(xp: Any, ahead: Ahead, values: Values) -> Solved:
    """Return the equilibria of rounds."""
    tables, both = len(values.bank), (-1, 2, KINDS)
    split_values = splits(xp, ahead.purse, values.kept)
    met, split = split_values.max(2), split_values.argmax(2)
    possible = ahead.possible.reshape(both)
    well, met = xp.where(possible, values.well.reshape(both), -1), xp.where(possible, met.reshape(both), -1)
    bank = xp.broadcast_to(values.bank[:, None], (tables, 2))
    sure = xp.maximum(bank, xp.minimum(well, met).max(2))  # whatever the dragon does
    low, high = sure, xp.maximum(bank, well.max(2))
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        enough = _guarded(xp, well, met, middle).sum(2) <= 1
        low, high = xp.where(enough, low, middle), xp.where(enough, middle, high)
    caught = _guarded(xp, well, met, high)
    mixes = high > sure + 1e-6
    wanted = xp.where(caught > 0, 1 / xp.maximum(well - met, 1e-9), 0)
    surest = xp.minimum(well, met)
    alone = (xp.arange(KINDS) == surest.argmax(2)[:, :, None]) & (surest.max(2) >= bank)[:, :, None]
    lay = xp.where(mixes[:, :, None], wanted / xp.maximum(wanted.sum(2), 1e-9)[:, :, None], alone)
    named = high.argmax(1)
    lay = lay * (xp.arange(2) == named[:, None])[:, :, None]
    lay = lay.reshape(tables, CARDS)
    return Solved(
        high.max(1), xp.concatenate([lay, 1 - lay.sum(1, keepdims=True)], 1), caught.reshape(tables, CARDS), split
    )


def _guarded(xp: Any, well: Any, met: Any, value: Any) -> Any:
    """Return the probability with which each card must be caught so that none brings more than a value."""
    value = value[:, :, None]
    return xp.where(well > value, (well - value) / xp.maximum(well - met, 1e-9), 0)


def splits(xp: Any, purse: Any, kept: Any) -> Any:
    """Return the value of each split, by coins in one fist, against random guesses; -1 for more than there are."""
    lost = xp.arange(kept.shape[2])
    other = xp.broadcast_to(xp.maximum(purse[:, None] - lost, 0)[:, None, :], kept.shape)
    return xp.where(lost <= purse[:, None, None], (kept + xp.take_along_axis(kept, other, 2)) / 2, -1)


# --- Playing on -------------------------------------------------------------------------------------------------------
class SelfPlayTables:
    """Games of self-play, one at each table."""

    def __init__(self, rounds: Rounds, tables: int, whim: float, seed: int) -> None:
        """Begin every game with the opening; the share of random choices differs."""
        self.rounds, self.xp, self.tables = rounds, rounds.xp, tables
        self.random = self.xp.random.default_rng(seed)
        self.whim = whim * self.xp.linspace(0, 1, tables) ** 2
        self.keys = self.xp.full(tables, OPENING)
        self.sight = self.opening = self._opening()

    def _opening(self) -> Any:
        """Return the network input of the opening, which follows from itself after two Chests."""
        once = self.rounds.ahead(self.keys[:1])
        twice = self.rounds.ahead(once.bank)
        assert int(twice.bank[0]) == OPENING
        return self.xp.repeat(twice.sight[:, -1:], self.tables, 1)

    def sampled(self, ahead: Ahead, solved: Solved) -> tuple[Any, Any, Any]:
        """Sample for every game a card (the Chest is the last) and an outcome; return where none was random."""
        xp, random, tables = self.xp, self.random, self.tables
        whims = random.random((3, tables)) < self.whim
        anything = xp.concatenate([ahead.possible, xp.ones((tables, 1), bool)], 1)
        lay = xp.where(whims[0][:, None], anything / anything.sum(1, keepdims=True), solved.lay)
        card = (random.random(tables)[:, None] * lay.sum(1, keepdims=True) >= xp.cumsum(lay, 1)).sum(1)
        card = xp.minimum(card, CARDS)
        table, dwarf = xp.arange(tables), xp.minimum(card, CARDS - 1)
        caught = xp.where(whims[1], 1 / KINDS, solved.caught[table, dwarf])
        met = random.random(tables) < caught
        split = solved.split[table, dwarf]
        split = xp.where(random.random(tables) < 0.5, split, ahead.purse - split)
        anyhow = (random.random(tables) * (ahead.purse + 1)).astype(xp.int64)
        lost = xp.where(whims[2], anyhow, split)
        outcome = xp.where(met, 1 + lost, 0)
        return card, outcome, ~(whims[0] | whims[1] | (whims[2] & met))

    def advance(self, ahead: Ahead, values: Values, card: Any, outcome: Any) -> tuple[Any, Any, Any]:
        """Apply the outcomes; return the values of what followed, and where roles changed and games ended."""
        xp, table, dwarf = self.xp, self.xp.arange(self.tables), self.xp.minimum(card, CARDS - 1)
        banked = card == CARDS
        after = xp.where(banked, ahead.bank, ahead.after[table, dwarf, outcome])
        kept = values.kept[table, dwarf, xp.maximum(outcome - 1, 0)]
        then = xp.where(banked, values.bank, xp.where(outcome > 0, kept, values.well[table, dwarf]))
        column = xp.where(banked, ahead.sight.shape[1] - self.tables + table, ahead.column[table, dwarf, outcome])
        over = after < OVER
        self.keys = xp.where(over, OPENING, after)
        self.sight = xp.where(over[None, :], self.opening, ahead.sight[:, column])
        return then, banked | (outcome > 0), over


# --- Learning ---------------------------------------------------------------------------------------------------------
class Transition(NamedTuple):
    """A step of every game: the network input, the value of the round, and what followed."""

    sight: Any
    value: Any
    then: Any
    """The value of what followed; whether roles changed, the game ended, and no choice was random."""
    changed: Any
    over: Any
    straight: Any


def learn(game: Game, device: Device, plan: Plan, tell: Tell) -> None:
    """Train a network; `tell` gets the weights and the log after every training step."""
    xp, began = device.xp, time.perf_counter()
    tables = SelfPlayTables(Rounds(device, game), plan.tables, plan.whim, plan.seed)
    learner = network.Learner(network.fresh_weights(INPUTS, plan.seed, xp), xp)
    curve = TrainingLog()
    for number in range(plan.rounds):
        rate = network.learning_rate(plan.rate, plan.last_rate, number / plan.rounds)
        transitions = [_step(tables, learner.weights) for _ in range(plan.steps)]
        loss = _learn(xp, learner, transitions, plan, rate)
        if (number + 1) % plan.examine == 0 or number + 1 == plan.rounds:
            rounds = float((number + 1) * plan.steps * plan.tables)
            row = {"round": number + 1.0, "choices": rounds, "seconds": time.perf_counter() - began, "loss": loss}
            curve.rows.append(row | examined(tables, learner.weights))
        tell(learner.weights, curve)


def _step(tables: SelfPlayTables, weights: network.Weights) -> Transition:
    """Solve and play a round of every game."""
    ahead = tables.rounds.ahead(tables.keys)
    values = network_values(tables.xp, weights, ahead)
    solved, sight = solve(tables.xp, ahead, values), tables.sight
    card, outcome, straight = tables.sampled(ahead, solved)
    return Transition(sight, solved.value, *tables.advance(ahead, values, card, outcome), straight)


def targets(xp: Any, transitions: list[Transition], trace: float) -> list[Any]:
    """Return the TD(λ) targets of the transitions, from the first on."""
    values = [transitions[-1].value]
    for transition in reversed(transitions[:-1]):
        later = xp.where(transition.changed, _changed(values[-1]), values[-1])
        # The target of what followed, less its value when the round was solved.
        difference = xp.where(transition.straight & ~transition.over, later - transition.then, 0)
        values.append(transition.value + trace * difference)
    return values[::-1]


def _learn(xp: Any, learner: network.Learner, transitions: list[Transition], plan: Plan, rate: float) -> float:
    """Train on the targets, and return the mean loss."""
    wanted, total = targets(xp, transitions, plan.trace), 0.0
    size = plan.tables // plan.blocks
    for block in range(plan.blocks):
        part = slice(block * size, (block + 1) * size)
        sight = xp.concatenate([transition.sight[:, part] for transition in transitions], 1)
        share = xp.clip(xp.concatenate([each[part] for each in wanted]), 0, 1)
        target = xp.zeros((MOST_SEATS, len(share)), xp.float32)
        target[0], target[1] = share, 1 - share
        total += float(learner.learn(sight, xp.full(len(share), 2), target, rate))
    return total / plan.blocks


def examined(tables: SelfPlayTables, weights: network.Weights) -> dict[str, float]:
    """Return the mean difference between the values of positions and of their rounds, and the value of the opening."""
    xp = tables.xp
    ahead = tables.rounds.ahead(tables.keys)
    value = solve(xp, ahead, network_values(xp, weights, ahead)).value
    thought = network.shares(weights, tables.sight, xp.full(tables.tables, 2), xp)[0]
    opening = network.shares(weights, tables.opening[:, :1], xp.full(1, 2), xp)[0]
    return {"unrest": float(xp.abs(value - thought).mean()), "opening": float(opening[0])}

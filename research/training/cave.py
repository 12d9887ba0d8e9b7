"""Learning Dragon's Cave for two: a round of sealed choices is not chosen from, but solved.

At every step each table plays its round in every way beside it, the network judges what follows, and that makes a game
of numbers: cards by niches. A card goes well or is met by the dragon, whatever the other niches are; so such a game is
solved by finding the one value at which the dragon can guard every card that is worth more. That value is what the
network learns, and with the mixtures behind it the tables play on.
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
    ENDED_LOST,
    ENDED_WON,
    FAR_DWARF,
    HAND,
    INPUTS,
    MASK,
    NEAR_DWARF,
    OPENING,
    PURSE,
    WAYS,
    after_change,
)
from dracotheque.games.dragons_cave.rules.state import KINDS
from dracotheque.training import network
from dracotheque.training.metrics import Tell, TrainingLog
from dracotheque.training.self_play import Device

CARDS = 2 * KINDS  # of two dwarves
HALVINGS = 26  # of where the value of a round may lie: then it is known as well as numbers of 32 bits can say
OVER = ENDED_WON + 1  # what follows is a position from here on, the end of a game below


@dataclass(frozen=True)
class Plan:
    """How long and how one learns."""

    rounds: int = 700
    tables: int = 32_768
    blocks: int = 8
    """Parts of the tables, one after another to learn from."""

    steps: int = 16
    """Rounds of the game at every table before something is learned."""

    trace: float = 0.8
    """How much what came later corrects what was thought of a position (λ)."""

    rate: float = 2e-3
    last_rate: float = 2e-5
    whim: float = 0.5
    """The wildest tables make so many choices at random, the calmest none."""

    examine: int = 50
    """Rounds between two examinations."""

    seed: int = 1


# --- Where rounds lead ------------------------------------------------------------------------------------------------
class Ahead(NamedTuple):
    """All ways of a round at every table: by table, card of a dwarf, and 0 where it goes well or 1 + coins lost."""

    after: Any
    """What follows: a position, or the end of the game."""
    column: Any
    """Where it stands in `sight`."""
    possible: Any
    """By table and card of a dwarf: whether it can be played."""
    bank: Any
    """What follows a Chest, by table."""
    sight: Any
    """What is seen of all that follows; of Chests last."""
    purse: Any


class Rounds:
    """Follows rounds on a machine."""

    def __init__(self, machine: Device, game: Game) -> None:
        """Lay the empty board out there."""
        board: Any = game.board
        self.machine, self.xp, self.length = machine, machine.xp, len(board.path)
        self.board = machine.put(np.frombuffer(game.beginning[0], game.runtime.state).copy())

    def ahead(self, keys: Any) -> Ahead:
        """Play every round in every way."""
        xp, tables = self.xp, len(keys)
        purse = keys >> PURSE & MASK
        near, far = keys >> NEAR_DWARF & MASK, keys >> FAR_DWARF & MASK
        on_the_way = xp.stack([near <= self.length, (far <= self.length) & (far != near)], 1)
        in_hand = (keys >> HAND)[:, None] >> xp.arange(KINDS) & 1 == 1
        possible = (on_the_way[:, :, None] & in_hand[:, None, :]).reshape(tables, CARDS)
        ways = xp.arange(int(purse.max()) + 2)
        owner, card, way = xp.nonzero(possible[:, :, None] & (ways < purse[:, None, None] + 2))
        count = len(owner)
        after = xp.zeros(count + tables, xp.int64)
        sight = xp.zeros((INPUTS, count + tables), xp.float32)
        self.machine.run(
            "follow", count + tables, self.board, keys, xp.concatenate([owner, xp.arange(tables)]),
            xp.concatenate([card * WAYS + way, xp.full(tables, BANK)]), after, sight,
        )  # fmt: skip
        column = xp.zeros((tables, CARDS, len(ways)), xp.int64)
        column[owner, card, way] = xp.arange(count)
        return Ahead(after[:count][column] if count else column, column, possible, after[count:], sight, purse)


class Worth(NamedTuple):
    """What all that may follow is worth to who leads the dwarves now."""

    well: Any
    """By table and card of a dwarf, where the dragon is elsewhere."""
    kept: Any
    """The same where it is met, by coins lost."""
    bank: Any
    """After a Chest."""


def judged(xp: Any, weights: network.Weights, ahead: Ahead) -> Worth:
    """Judge all that may follow."""
    tables = len(ahead.bank)
    share = network.shares(weights, ahead.sight, xp.full(ahead.sight.shape[1], 2), xp)[0]
    worth, bank = share[ahead.column], share[len(share) - tables :]
    return Worth(
        ended(xp, ahead.after[:, :, 0], worth[:, :, 0]),
        ended(xp, ahead.after[:, :, 1:], _changed(worth[:, :, 1:])),
        ended(xp, ahead.bank, _changed(bank)),
    )


def _changed(share: Any) -> Any:
    """What is left for the one side when the other leads the dwarves next."""
    return after_change(0.5 - share)


def ended(xp: Any, after: Any, worth: Any) -> Any:
    """Count what is over as it ended for who led the dwarves, from lost to won; else what is thought of it."""
    return xp.where(after < OVER, (after - ENDED_LOST) / (ENDED_WON - ENDED_LOST), worth)


# --- Rounds, solved ---------------------------------------------------------------------------------------------------
class Solved(NamedTuple):
    """What a round is worth to who leads the dwarves, and how both mix."""

    value: Any
    lay: Any
    """By table: every card of either dwarf, then the Chest."""
    caught: Any
    """By table and card of a dwarf: how often the dragon meets it."""
    split: Any
    """By table and card of a dwarf: coins in one fist, if it is met."""


def solve(xp: Any, ahead: Ahead, worth: Worth) -> Solved:
    """Find what rounds are worth if both mix best."""
    tables, both = len(worth.bank), (-1, 2, KINDS)
    tossed = splits(xp, ahead.purse, worth.kept)
    met, split = tossed.max(2), tossed.argmax(2)
    possible = ahead.possible.reshape(both)
    well, met = xp.where(possible, worth.well.reshape(both), -1), xp.where(possible, met.reshape(both), -1)
    bank = xp.broadcast_to(worth.bank[:, None], (tables, 2))
    sure = xp.maximum(bank, xp.minimum(well, met).max(2))  # whatever the dragon does
    low, high = sure, xp.maximum(bank, well.max(2))
    for _ in range(HALVINGS):
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
    """How often each card must be met so that none is worth more than a value."""
    value = value[:, :, None]
    return xp.where(well > value, (well - value) / xp.maximum(well - met, 1e-9), 0)


def splits(xp: Any, purse: Any, kept: Any) -> Any:
    """What each split is worth, by coins in one fist, where the dragon tosses a coin; -1 for more than there are."""
    lost = xp.arange(kept.shape[2])
    other = xp.broadcast_to(xp.maximum(purse[:, None] - lost, 0)[:, None, :], kept.shape)
    return xp.where(lost <= purse[:, None, None], (kept + xp.take_along_axis(kept, other, 2)) / 2, -1)


# --- Playing on -------------------------------------------------------------------------------------------------------
class Club:
    """Tables under way."""

    def __init__(self, rounds: Rounds, tables: int, whim: float, seed: int) -> None:
        """Begin everywhere with the opening; tables differ in how wild they play."""
        self.rounds, self.xp, self.tables = rounds, rounds.xp, tables
        self.random = self.xp.random.default_rng(seed)
        self.whim = whim * self.xp.linspace(0, 1, tables) ** 2
        self.keys = self.xp.full(tables, OPENING)
        self.sight = self.opening = self._opening()

    def _opening(self) -> Any:
        """What is seen of the opening: it follows from itself by banking twice."""
        once = self.rounds.ahead(self.keys[:1])
        twice = self.rounds.ahead(once.bank)
        assert int(twice.bank[0]) == OPENING
        return self.xp.repeat(twice.sight[:, -1:], self.tables, 1)

    def picked(self, ahead: Ahead, solved: Solved) -> tuple[Any, Any, Any]:
        """Draw for every table a card of a dwarf (or the Chest, the last), a way, and say where that was no whim."""
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
        way = xp.where(met, 1 + lost, 0)
        return card, way, ~(whims[0] | whims[1] | (whims[2] & met))

    def go_on(self, ahead: Ahead, worth: Worth, card: Any, way: Any) -> tuple[Any, Any, Any]:
        """Go on; say what followed was worth, whether roles were changed, and whether the game was over."""
        xp, table, dwarf = self.xp, self.xp.arange(self.tables), self.xp.minimum(card, CARDS - 1)
        banked = card == CARDS
        after = xp.where(banked, ahead.bank, ahead.after[table, dwarf, way])
        kept = worth.kept[table, dwarf, xp.maximum(way - 1, 0)]
        then = xp.where(banked, worth.bank, xp.where(way > 0, kept, worth.well[table, dwarf]))
        column = xp.where(banked, ahead.sight.shape[1] - self.tables + table, ahead.column[table, dwarf, way])
        over = after < OVER
        self.keys = xp.where(over, OPENING, after)
        self.sight = xp.where(over[None, :], self.opening, ahead.sight[:, column])
        return then, banked | (way > 0), over


# --- Learning ---------------------------------------------------------------------------------------------------------
class Lesson(NamedTuple):
    """What was seen at a step, what it was found to be worth, and what came of it."""

    sight: Any
    value: Any
    then: Any
    """What was thought of what followed; whether roles were changed, the game over, and nobody had a whim."""
    changed: Any
    over: Any
    straight: Any


def learn(game: Game, machine: Device, plan: Plan, tell: Tell) -> None:
    """Learn to judge Dragon's Cave for two; `tell` hears after every round what is known and how it went."""
    xp, began = machine.xp, time.perf_counter()
    club = Club(Rounds(machine, game), plan.tables, plan.whim, plan.seed)
    learner = network.Learner(network.fresh_weights(INPUTS, plan.seed, xp), xp)
    curve = TrainingLog()
    for number in range(plan.rounds):
        rate = network.slowed(plan.rate, plan.last_rate, number / plan.rounds)
        lessons = [_step(club, learner.weights) for _ in range(plan.steps)]
        loss = _learn(xp, learner, lessons, plan, rate)
        if (number + 1) % plan.examine == 0 or number + 1 == plan.rounds:
            rounds = float((number + 1) * plan.steps * plan.tables)
            row = {"round": number + 1.0, "choices": rounds, "seconds": time.perf_counter() - began, "loss": loss}
            curve.rows.append(row | examined(club, learner.weights))
        tell(learner.weights, curve)


def _step(club: Club, weights: network.Weights) -> Lesson:
    """Solve the round at every table and play it."""
    ahead = club.rounds.ahead(club.keys)
    worth = judged(club.xp, weights, ahead)
    solved, sight = solve(club.xp, ahead, worth), club.sight
    card, way, straight = club.picked(ahead, solved)
    return Lesson(sight, solved.value, *club.go_on(ahead, worth, card, way), straight)


def targets(xp: Any, lessons: list[Lesson], trace: float) -> list[Any]:
    """Look back from the last round: what each was found to be worth, set right by what was learned later."""
    found = [lessons[-1].value]
    for lesson in reversed(lessons[:-1]):
        later = xp.where(lesson.changed, _changed(found[-1]), found[-1])
        # What is known now of what followed, less what was thought of it when the round was solved.
        news = xp.where(lesson.straight & ~lesson.over, later - lesson.then, 0)
        found.append(lesson.value + trace * news)
    return found[::-1]


def _learn(xp: Any, learner: network.Learner, lessons: list[Lesson], plan: Plan, rate: float) -> float:
    """Come nearer to what was found; give the mean loss."""
    wanted, total = targets(xp, lessons, plan.trace), 0.0
    size = plan.tables // plan.blocks
    for block in range(plan.blocks):
        part = slice(block * size, (block + 1) * size)
        sight = xp.concatenate([lesson.sight[:, part] for lesson in lessons], 1)
        share = xp.clip(xp.concatenate([each[part] for each in wanted]), 0, 1)
        target = xp.zeros((MOST_SEATS, len(share)), xp.float32)
        target[0], target[1] = share, 1 - share
        total += float(learner.learn(sight, xp.full(len(share), 2), target, rate))
    return total / plan.blocks


def examined(club: Club, weights: network.Weights) -> dict[str, float]:
    """Say how far what is thought of a position is from what its round is worth, and what the opening is worth."""
    xp = club.xp
    ahead = club.rounds.ahead(club.keys)
    value = solve(xp, ahead, judged(xp, weights, ahead)).value
    thought = network.shares(weights, club.sight, xp.full(club.tables, 2), xp)[0]
    opening = network.shares(weights, club.opening[:, :1], xp.full(1, 2), xp)[0]
    return {"unrest": float(xp.abs(value - thought).mean()), "opening": float(opening[0])}

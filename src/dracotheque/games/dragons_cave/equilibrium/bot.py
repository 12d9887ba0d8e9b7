"""The bot that mixes: it solves the rounds of Dragon's Cave for two that lie ahead, and draws lots as that says.

A card laid face down has no best choice, only a best mixture: who draws from that gives nothing away, even to someone
who knows the bot through and through. It is exact as far as what was learned about the positions behind is.

Who only mixes wins little from players with habits. So the bot may have a hunch how likely the other goes by the
advice: it leans towards what is best against that, as far as the hunch goes, and every card and niche that is turned
up makes it surer or less sure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from dracotheque.bots import evaluators
from dracotheque.bots.player_view import PlayerView
from dracotheque.engine.jit import precompile
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.dragons_cave import bots
from dracotheque.games.dragons_cave.rules.state import (
    CARDS,
    CHEST,
    GUESS,
    HOLD,
    KINDS,
    NICHE,
    ONLY_CHEST,
    PLACE,
    SEAL,
    SPLIT,
    START,
)

Mixture = dict[int, float]
Numbers = np.ndarray[Any, Any]
Expected = tuple[Numbers, Numbers]
"""How often the other makes each choice if it goes by the heuristic, and if it mixes best."""
BUDGET, HUNCH = 60, 0
"""Positions that are solved, and how many of 100 others are thought to go by the heuristic, if nothing else is said."""
BLUR = 0.1  # so much of what the other does may have any reason
SUREST = 3.0  # log odds: no hunch is surer, so that it can still change


@dataclass(frozen=True)
class OpponentPrior:
    """How likely the other goes by the heuristic rather than mixing best."""

    odds: float
    """Their logarithm; without end where there is no hunch at all."""

    @property
    def share(self) -> float:
        """How likely it is."""
        return 1 / (1 + math.exp(-self.odds))

    def after(self, choice: int, expected: Expected) -> OpponentPrior:
        """Grow surer or less sure by what the other did."""
        if not math.isfinite(self.odds):
            return self
        usual, best = ((1 - BLUR) * each[choice] + BLUR / len(each) for each in expected)
        return OpponentPrior(min(max(self.odds + math.log(usual / best), -SUREST), SUREST))


class Hunches(NamedTuple):
    """Of the other's cards, and of its niches when it is the dragon."""

    cards: OpponentPrior
    niches: OpponentPrior


class Thought(NamedTuple):
    """What a bot found: how often to make each choice, what each is worth, and what the other may do meanwhile."""

    mixture: Mixture
    values: dict[int, float]
    expected: Expected | None = None
    key: int = 0
    """The position, where a card is laid."""


class RoundMemory(NamedTuple):
    """What a bot remembers of a round: the table, what it chose, and what it expected of the other."""

    table: PlainState
    action: int
    expected: Expected


class EquilibriumBot:
    """Draws each choice as often as the best mixture says, or leans towards what an opponent prior says."""

    def __init__(
        self, seed: int, budget: int = BUDGET, hunch: int = HUNCH, mind: evaluators.Mind | None = None
    ) -> None:
        """Start its own stream of chance; who begins without an opponent prior never has one.

        `mind` is what was learned about another cave than the usual one.
        """
        self.random, self.budget, self.mind = Random(seed), budget, mind
        odds = math.log(hunch / (100 - hunch)) if hunch else -math.inf
        self.hunches = self.first = Hunches(OpponentPrior(odds), OpponentPrior(odds))
        self.game: Game | None = None
        self.last: RoundMemory | None = None
        self.idle = set[int]()
        """Positions in which it has banked an empty purse: once in each is enough, or two might do so for ever."""

    def choose(self, view: PlayerView) -> int:
        """Draw lots."""
        mixture, _, expected, key = self.think(view)
        action = self.random.choices([*mixture], [*mixture.values()])[0]
        if self._is_new(view):
            self.idle.clear()
        if view.state.phase == SEAL and action % CARDS == CHEST and view.state.purse[view.seat] == 0:
            self.idle.add(key)
        self.hunches, self.last = self._hunches(view), RoundMemory(view.state, action, expected) if expected else None
        return action

    def _is_new(self, view: PlayerView) -> bool:
        """Whether a game begins: nobody has placed the dragon yet, and this seat has not chosen."""
        return view.state.dragon == KINDS and not self._is_last(view)

    def hurry(self, seconds: float) -> None:
        """Do as before: a round is solved in some thousandths of a second."""

    def values(self, view: PlayerView) -> dict[int, float]:
        """Return what each choice is worth against one who mixes best."""
        return self.think(view).values

    def think(self, view: PlayerView) -> Thought:
        """Find how to mix after all that was seen, and what each choice is worth."""
        self.sit_down(view.game)
        think = {SEAL: self._cards, PLACE: self._niches, SPLIT: self._split, GUESS: self._guess}
        return think[view.state.phase](view)

    def sit_down(self, game: Game) -> None:
        """Make room to think about a game, or say that it is not known; who sits there stays."""
        if self.game is game:
            return
        mind = bots.cave_mind(game) if self.mind is None else self.mind
        precompile.ensure_compiled(game.definition, precompile.ALL)
        from dracotheque.games.dragons_cave.equilibrium.lookahead import DepthLimitedSolver

        self.game, self.lookout = game, DepthLimitedSolver(game, mind, self.budget)
        self.hunches, self.last = self.first, None
        self.idle.clear()

    # --- Choices ----------------------------------------------------------------------------------------------------
    def _cards(self, view: PlayerView) -> Thought:
        """Lay a card: of two dwarves in one place the first is named."""
        found, near = self.lookout.round(view.state), nearer(view.state, view.seat)
        idle = found.key in self.idle and not (self._is_last(view) or self._is_new(view))
        lay = found.leaning_cards(self._hunches(view).niches.share, bank=not idle)
        second = int(lay.sum(1).argmax())
        mixture = dict.fromkeys(view.legal_actions, 0.0)
        for card in np.flatnonzero(lay[second]).tolist():
            mixture[(second ^ near) * CARDS + card] = float(lay[second, card])
        worth = (found.payoff * found.place[:, None, :]).sum(2)
        worth[1] = np.where(worth[1] < 0, worth[0], worth[1])  # in the same place, or a Chest
        values = {action: float(worth[action // CARDS ^ near, action % CARDS]) for action in view.legal_actions}
        return Thought(mixture, values, (found.usual_place[second], found.place[second]), found.key)

    def _niches(self, view: PlayerView) -> Thought:
        """Place the dragon, the dwarf being named."""
        found, second = self.lookout.round(view.state), named(view.state, 1 - view.seat)
        laid, place = found.laid(second), found.leaning_niches(second, self._hunches(view).cards.share)
        worth = 1 - laid @ found.payoff[second]
        return Thought(_by_niche(place), _by_niche(worth), (found.usual_lay[second], laid))

    def _split(self, view: PlayerView) -> Thought:
        """Split the purse as the mean of both fists is worth most, and toss a coin which is which."""
        worth = self.lookout.splits(view.state, view.seat)
        part = int(worth.argmax())
        mixture = dict.fromkeys(view.legal_actions, 0.0)
        for left in (part, len(worth) - 1 - part):
            mixture[HOLD + left] += 0.5
        return Thought(mixture, {HOLD + left: float(share) for left, share in enumerate(worth)})

    def _guess(self, view: PlayerView) -> Thought:
        """Toss a coin."""
        share = float(1 - self.lookout.splits(view.state, 1 - view.seat).max())
        return Thought(dict.fromkeys(view.legal_actions, 0.5), dict.fromkeys(view.legal_actions, share))

    # --- What the other does ----------------------------------------------------------------------------------------
    def _is_last(self, view: PlayerView) -> bool:
        """Whether this is what it saw when it chose last."""
        return self.last is not None and self.last.table.bytes() == view.state.bytes()

    def _hunches(self, view: PlayerView) -> Hunches:
        """What is thought of the other, having seen what it did in the round before.

        After a take-back that may be wrong; a hunch is never so sure that the next rounds could not set it right.
        """
        last, (cards, niches) = self.last, self.hunches
        if self._is_new(view):
            return self.first
        if last is None or self._is_last(view):
            return self.hunches
        if last.table.phase == PLACE:
            card = card_shown(last.table, last.action - NICHE, view.state, 1 - view.seat)
            return self.hunches if card is None else Hunches(cards.after(card, last.expected), niches)
        # After the fifth card the dragon is placed once more, with nothing to guess: that niche says nothing.
        fifth = last.table.hand[view.seat].bit_count() == 2
        return self.hunches if fifth else Hunches(cards, niches.after(view.state.dragon, last.expected))


def card_shown(before: PlainState, niche: int, now: PlainState, lead: int) -> int | None:
    """Return which card the leader of the dwarves had laid against a niche, as far as the table shows it."""
    gone = before.hand[lead] & ~now.hand[lead]
    if gone:
        return gone.bit_length() - 1 if gone.bit_count() == 1 else None  # more are gone only after a take-back
    dwarf = lead + 2 * before.named
    if now.phase == GUESS or now.place[dwarf] != before.place[dwarf]:
        return niche
    if before.hand[lead] == ONLY_CHEST or (before.place[dwarf] == START and before.purse[lead] == 0):
        return None  # nothing was chosen, or a fright at the start looks like a Chest
    return CHEST


def nearer(table: PlainState, seat: int) -> int:
    """Which of a seat's two dwarves has come less far: 0, or 1 for the second."""
    return int(table.place[seat] > table.place[seat + 2])


def named(table: PlainState, lead: int) -> int:
    """Which of a leader's dwarves is named: 0 for the one that has come less far, or where it does not matter."""
    either = table.place[lead] == table.place[lead + 2] or table.hand[lead] == ONLY_CHEST
    return 0 if either else table.named ^ nearer(table, lead)


def _by_niche(numbers: Numbers) -> dict[int, float]:
    """Name numbers by the choice of each niche."""
    return {NICHE + niche: float(number) for niche, number in enumerate(numbers)}

"""An equilibrium bot for Dragon's Cave for two: it solves the next rounds and samples from an optimal mixed strategy.

Choices are sealed, so the solution of a round is a mixed strategy that an opponent cannot exploit even if it knows it.
It is exact up to the errors of the value network that evaluates the positions behind the solved ones.

An equilibrium strategy wins little from a predictable opponent. With an opponent prior, a probability that the opponent
follows the action heuristic, the bot plays a restricted Nash response instead: optimal if the opponent follows the
heuristic with that probability and otherwise plays a best response. Every revealed card and niche updates the prior.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from dracotheque.bots import evaluators
from dracotheque.bots.player_view import PlayerView
from dracotheque.engine.game import Game
from dracotheque.engine.jit import precompile
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

MixedStrategy = dict[int, float]
Numbers = np.ndarray[Any, Any]
OpponentStrategies = tuple[Numbers, Numbers]
"""The probability of each of the opponent's choices if it follows the heuristic, and if it plays the equilibrium."""
BUDGET, OPPONENT_PRIOR = 60, 0
"""The defaults: positions to solve, and the percentage of opponents that are expected to follow the heuristic."""
NOISE = 0.1  # the probability that a choice of the opponent is uniformly random, for the update of a prior
MAX_LOG_ODDS = 3.0  # limits a prior, so that later rounds can still change it


@dataclass(frozen=True)
class OpponentPrior:
    """The probability that the opponent follows the heuristic rather than the equilibrium."""

    log_odds: float
    """Minus infinity for an opponent prior of 0, which no observation changes."""

    @property
    def probability(self) -> float:
        """Return the probability."""
        return 1 / (1 + math.exp(-self.log_odds))

    def after(self, choice: int, strategies: OpponentStrategies) -> OpponentPrior:
        """Return the posterior after a choice of the opponent, by Bayes' rule."""
        if not math.isfinite(self.log_odds):
            return self
        heuristic, optimal = ((1 - NOISE) * each[choice] + NOISE / len(each) for each in strategies)
        log_odds = self.log_odds + math.log(heuristic / optimal)
        return OpponentPrior(min(max(log_odds, -MAX_LOG_ODDS), MAX_LOG_ODDS))


class OpponentPriors(NamedTuple):
    """One prior for the opponent's cards, one for its niches when it is the dragon."""

    cards: OpponentPrior
    niches: OpponentPrior


class SolverResult(NamedTuple):
    """The solution of a choice: the mixed strategy, the value of each action, and what is expected of the opponent."""

    strategy: MixedStrategy
    values: dict[int, float]
    opponent: OpponentStrategies | None = None
    key: int = 0
    """The key of the position, where a card is chosen."""


class RoundMemory(NamedTuple):
    """The bot's last choice: the state it saw, its action, and what it expected of the opponent."""

    state: PlainState
    action: int
    opponent: OpponentStrategies


class EquilibriumBot:
    """Samples each choice from the equilibrium strategy, or from the response that an opponent prior asks for."""

    def __init__(
        self,
        seed: int,
        budget: int = BUDGET,
        opponent_prior: int = OPPONENT_PRIOR,
        evaluator: evaluators.Evaluator | None = None,
    ) -> None:
        """Seed the bot's own random numbers; `opponent_prior` is a percentage, 0 stays 0 for ever.

        `evaluator` is the value network for another board than the default one.
        """
        self.random, self.budget, self.evaluator = Random(seed), budget, evaluator
        prior = OpponentPrior(math.log(opponent_prior / (100 - opponent_prior)) if opponent_prior else -math.inf)
        self.opponent_priors = self.initial_priors = OpponentPriors(prior, prior)
        self.game: Game | None = None
        self.last: RoundMemory | None = None
        self.idle = set[int]()
        """Keys of positions in which it has banked an empty purse: two bots that repeat that would play for ever."""

    def choose(self, view: PlayerView) -> int:
        """Sample an action from the strategy."""
        strategy, _, opponent, key = self.think(view)
        action = self.random.choices([*strategy], [*strategy.values()])[0]
        if self._is_new(view):
            self.idle.clear()
        if view.state.phase == SEAL and action % CARDS == CHEST and view.state.purse[view.seat] == 0:
            self.idle.add(key)
        self.opponent_priors = self._updated_priors(view)
        self.last = RoundMemory(view.state, action, opponent) if opponent else None
        return action

    def _is_new(self, view: PlayerView) -> bool:
        """Whether a game begins: the dragon has not been placed yet, and this seat has not chosen."""
        return view.state.dragon == KINDS and not self._is_last(view)

    def limit_time(self, seconds: float) -> None:
        """Change nothing: a round is solved in a few milliseconds."""

    def values(self, view: PlayerView) -> dict[int, float]:
        """Return the value of each action against an equilibrium strategy."""
        return self.think(view).values

    def think(self, view: PlayerView) -> SolverResult:
        """Return the strategy after all that was observed, and the value of each action."""
        self.prepare_for(view.game)
        think = {SEAL: self._cards, PLACE: self._niches, SPLIT: self._split, GUESS: self._guess}
        return think[view.state.phase](view)

    def prepare_for(self, game: Game) -> None:
        """Allocate a solver for a game, or refuse it; nothing changes for the game of the last choice."""
        if self.game is game:
            return
        evaluator = bots.cave_evaluator(game) if self.evaluator is None else self.evaluator
        precompile.ensure_compiled(game.definition, precompile.ALL)
        from dracotheque.games.dragons_cave.equilibrium.lookahead import DepthLimitedSolver

        self.game, self.solver = game, DepthLimitedSolver(game, evaluator, self.budget)
        self.opponent_priors, self.last = self.initial_priors, None
        self.idle.clear()

    # --- Choices ----------------------------------------------------------------------------------------------------
    def _cards(self, view: PlayerView) -> SolverResult:
        """Solve the choice of a card; of two dwarves on the same space the first is named."""
        solution, near = self.solver.round(view.state), nearer(view.state, view.seat)
        idle = solution.key in self.idle and not (self._is_last(view) or self._is_new(view))
        lay = solution.card_response(self._updated_priors(view).niches.probability, bank=not idle)
        second = int(lay.sum(1).argmax())
        strategy = dict.fromkeys(view.legal_actions, 0.0)
        for card in np.flatnonzero(lay[second]).tolist():
            strategy[(second ^ near) * CARDS + card] = float(lay[second, card])
        values = (solution.payoff * solution.place[:, None, :]).sum(2)
        values[1] = np.where(values[1] < 0, values[0], values[1])  # on the same space, or a Chest
        by_action = {action: float(values[action // CARDS ^ near, action % CARDS]) for action in view.legal_actions}
        opponent = solution.heuristic_niches[second], solution.place[second]
        return SolverResult(strategy, by_action, opponent, solution.key)

    def _niches(self, view: PlayerView) -> SolverResult:
        """Solve the choice of a niche, for the dwarf that is named."""
        solution, second = self.solver.round(view.state), named(view.state, 1 - view.seat)
        lay = solution.card_strategy(second)
        place = solution.niche_response(second, self._updated_priors(view).cards.probability)
        values = 1 - lay @ solution.payoff[second]
        return SolverResult(_by_niche(place), _by_niche(values), (solution.heuristic_cards[second], lay))

    def _split(self, view: PlayerView) -> SolverResult:
        """Choose the split with the highest mean of both fists, and either fist with equal probability."""
        values = self.solver.splits(view.state, view.seat)
        part = int(values.argmax())
        strategy = dict.fromkeys(view.legal_actions, 0.0)
        for left in (part, len(values) - 1 - part):
            strategy[HOLD + left] += 0.5
        return SolverResult(strategy, {HOLD + left: float(value) for left, value in enumerate(values)})

    def _guess(self, view: PlayerView) -> SolverResult:
        """Choose either fist with equal probability."""
        value = float(1 - self.solver.splits(view.state, 1 - view.seat).max())
        return SolverResult(dict.fromkeys(view.legal_actions, 0.5), dict.fromkeys(view.legal_actions, value))

    # --- The opponent -----------------------------------------------------------------------------------------------
    def _is_last(self, view: PlayerView) -> bool:
        """Whether this is the state of the last choice."""
        return self.last is not None and self.last.state.bytes() == view.state.bytes()

    def _updated_priors(self, view: PlayerView) -> OpponentPriors:
        """Return the priors after what the opponent did in the round before.

        After a take-back they may be wrong; `MAX_LOG_ODDS` lets the next rounds correct them.
        """
        last, (cards, niches) = self.last, self.opponent_priors
        if self._is_new(view):
            return self.initial_priors
        if last is None or self._is_last(view):
            return self.opponent_priors
        if last.state.phase == PLACE:
            card = revealed_card(last.state, last.action - NICHE, view.state, 1 - view.seat)
            return self.opponent_priors if card is None else OpponentPriors(cards.after(card, last.opponent), niches)
        # After the fifth card the dragon is placed once more, with nothing to guess: that niche carries no information.
        fifth = last.state.hand[view.seat].bit_count() == 2
        return self.opponent_priors if fifth else OpponentPriors(cards, niches.after(view.state.dragon, last.opponent))


def revealed_card(before: PlainState, niche: int, now: PlainState, lead: int) -> int | None:
    """Return the card that the leader of the dwarves played against a niche, or None where the state leaves it open."""
    gone = before.hand[lead] & ~now.hand[lead]
    if gone:
        return gone.bit_length() - 1 if gone.bit_count() == 1 else None  # more are gone only after a take-back
    dwarf = lead + 2 * before.named
    if now.phase == GUESS or now.place[dwarf] != before.place[dwarf]:
        return niche
    if before.hand[lead] == ONLY_CHEST or (before.place[dwarf] == START and before.purse[lead] == 0):
        return None  # nothing was chosen, or a fright at the start looks like a Chest
    return CHEST


def nearer(state: PlainState, seat: int) -> int:
    """Which of a seat's two dwarves has come less far: 0, or 1 for the second."""
    return int(state.place[seat] > state.place[seat + 2])


def named(state: PlainState, lead: int) -> int:
    """Which of a leader's dwarves is named: 0 for the one that has come less far, or where it does not matter."""
    either = state.place[lead] == state.place[lead + 2] or state.hand[lead] == ONLY_CHEST
    return 0 if either else state.named ^ nearer(state, lead)


def _by_niche(numbers: Numbers) -> dict[int, float]:
    """Return numbers by the action of each niche."""
    return {NICHE + niche: float(number) for niche, number in enumerate(numbers)}

"""Adversaries in Dragon's Cave that know the opponent's strategy, but not its random numbers or its sealed choice.

For each choice they get the opponent's mixed strategy in the present stage and play the best response to it: one finds
it by a search in which the opponent is fixed to that strategy, one by solving the round with the value network. What
they win beyond half is a lower bound of the exploitability: a better adversary would plan for more than one stage.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np

from dracotheque.bots.mcts_bot import RECENT_OBSERVATIONS, SearchBot, SearchBudget, SearchTree
from dracotheque.bots.mcts_tree import UNIFORM_SHARE
from dracotheque.bots.player_view import Bot, PlayerView, player_view
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game
from dracotheque.engine.state import State
from dracotheque.games.dragons_cave.equilibrium.bot import EquilibriumBot, Numbers, named, nearer
from dracotheque.games.dragons_cave.rules.state import (
    CARDS,
    CHEST,
    GUESS,
    HOLD,
    NICHE,
    NO_CARD,
    ONLY_CHEST,
    PLACE,
    SEAL,
    SEALED_SPLIT,
    SECOND_DWARF,
    SPLIT,
    TO_SPLIT,
)
from dracotheque.games.dragons_cave.rules.state import (
    KINDS as NICHES,
)
from research.dragons_cave.cave_bots import LeaningBot, PlainBot, Policy, block, most, nearly, put, whole
from research.dragons_cave.cave_stages import Weights

BEGIN = 400  # simulations before the opponent is fixed to its strategy: its node exists by then
FIXED_REGRET = 1e9  # so large that no simulation changes it
MIN_VISIT_SHARE = 0.01  # actions with a smaller share of the simulations are not chosen
MAX_MOVES = 2_000  # a game that is not over then is shared


# --- Known opponents ------------------------------------------------------------------------------------------------
class Known(Protocol):
    """A bot whose strategy is known."""

    def strategies(self, shown: list[PlayerView], dwarf: int | None = None) -> list[Weights]:
        """Return its strategies in some views; of cards only those for a dwarf, if that is named already."""
        ...


@dataclass(frozen=True)
class Kind:
    """A search whose strategy can be known: its constructor, and the policy with which it chooses."""

    make: Callable[[int, SearchBudget], SearchBot]
    policy: Policy


KINDS = {
    "search": Kind(SearchBot, nearly),
    "search, whole strategy": Kind(lambda seed, plan: LeaningBot(seed, plan, 0.0), whole),
    "plain MCTS": Kind(PlainBot, most),
}


class KnownSearch:
    """A search whose strategy is estimated by copies with other seeds, which search the same views."""

    def __init__(self, seed: int, kind: Kind, plan: SearchBudget, copies: int) -> None:
        """Make some copies."""
        chance = Random(seed)
        self.policy = kind.policy
        self.copies = [kind.make(chance.getrandbits(62), plan) for _ in range(copies)]
        self.recent_observations: deque[bytes] = deque(maxlen=RECENT_OBSERVATIONS)

    def strategies(self, shown: list[PlayerView], dwarf: int | None = None) -> list[Weights]:
        """Search the first view with each copy, whose tree has the others too, and add up their strategies."""
        for copy, first in itertools.product(self.copies, shown[:1]):
            copy.think(first)
        return [self._estimate(each, dwarf) for each in shown]

    def _estimate(self, shown: PlayerView, dwarf: int | None) -> Weights:
        """Return the estimated strategy in a view."""
        sight = shown.state.bytes()
        policy = whole if sight in self.recent_observations and self.policy is nearly else self.policy
        self.recent_observations.append(sight)
        total = dict.fromkeys(shown.legal_actions, 1e-9)
        for copy in self.copies:
            weights = copy.trees[0].result(shown).weights
            for action, share in _for_dwarf(policy(weights), whole(weights), dwarf).items():
                total[action] += share
        return whole(total)


class KnownEquilibriumBot:
    """An equilibrium bot, whose strategy is known exactly: it depends on public information alone."""

    def __init__(self, bot: EquilibriumBot) -> None:
        """Ask the bot itself, which keeps its random numbers to itself."""
        self.bot = bot

    def strategies(self, shown: list[PlayerView], dwarf: int | None = None) -> list[Weights]:
        """Return its strategies."""
        strategies = [self.bot.think(each).strategy for each in shown]
        return [whole(_for_dwarf(strategy, strategy, dwarf)) for strategy in strategies]


def _for_dwarf(strategy: Weights, wanted: Weights, dwarf: int | None) -> Weights:
    """Return the part for the dwarf that was named; of the weights `wanted` where its probability is 0."""
    if dwarf is None:
        return strategy
    for each in (strategy, wanted):
        kept = {action: share * (action // CARDS == dwarf) for action, share in each.items()}
        if sum(kept.values()) > 0:
            return kept
    return {action: float(action // CARDS == dwarf) for action in strategy}


# --- The opponent's views -------------------------------------------------------------------------------------------
class Stage(NamedTuple):
    """The opponent's views in the present stage, and the dwarf for which it played its card."""

    shown: list[PlayerView]
    records: list[bytes]
    """The states by which a search tree knows them."""
    dwarf: int | None = None


def stage_of(seen: PlayerView) -> Stage:
    """Return the stage of the opponent while a seat chooses."""
    state, other = seen.game.new_initial_state(), 1 - seen.seat
    put(state, seen.state.bytes())
    if seen.state.phase == SEAL:
        return _placing(state, seen, other)
    if seen.state.phase == PLACE:
        return _laying(state, seen, other)
    if seen.state.phase == SPLIT:
        state.apply_action(HOLD)
        return _stage([player_view(state, other)])
    table = seen.state
    table.left[other], table.phase, table.waiting, table.to_move = TO_SPLIT, SPLIT, 1, other
    put(state, table.bytes())
    table.left[other], table.phase, table.waiting, table.to_move = SEALED_SPLIT, GUESS, 0, seen.seat
    return _stage([player_view(state, other)])


def _stage(shown: list[PlayerView]) -> Stage:
    """Return a stage whose states are the views themselves."""
    return Stage(shown, [each.state.bytes() for each in shown])


def _placing(state: State, seen: PlayerView, other: int) -> Stage:
    """Return the stage of a dragon, which sees which dwarf is named."""
    before, shown = state.record(), list[PlayerView]()
    for second in range(2):
        if second * SECOND_DWARF + CHEST in seen.legal_actions:
            put(state, before)
            state.apply_action(second * SECOND_DWARF + CHEST)
            shown.append(player_view(state, other))
    return _stage(shown)


def _laying(state: State, seen: PlayerView, other: int) -> Stage:
    """Return the stage of a leader who played a card for a named dwarf; the last card is no choice."""
    table = seen.state
    if table.hand[other] == ONLY_CHEST:
        return Stage([], [])
    dwarf, sealed = table.named, table.card[other]
    table.card[other], table.phase, table.waiting, table.to_move = NO_CARD, SEAL, 1, other
    reopened = table.bytes()
    table.named = 0
    put(state, table.bytes())
    shown = player_view(state, other)
    table.card[other], table.phase, table.waiting, table.to_move, table.named = sealed, PLACE, 0, seen.seat, dwarf
    return Stage([shown], [reopened], dwarf)


# --- By solving rounds ----------------------------------------------------------------------------------------------
class SolverAdversary:
    """Plays the best response to a known strategy by the values of the depth-limited solver."""

    def __init__(self, seed: int, known: Known, budget: int) -> None:
        """Solve a number of positions ahead, as an equilibrium bot does."""
        self.known, self.own = known, EquilibriumBot(seed, budget)

    def choose(self, view: PlayerView) -> int:
        """Return the best action against the opponent's strategy; split and guess as in the equilibrium."""
        self.own.prepare_for(view.game)
        if view.state.phase not in (SEAL, PLACE) or len(view.legal_actions) == 1:
            return self.own.choose(view)
        stage = stage_of(view)
        strategies = self.known.strategies(stage.shown, stage.dwarf)
        if not strategies:
            values = self.own.values(view)
            return max(values, key=lambda action: values[action])
        return self._card(view, strategies) if view.state.phase == SEAL else self._niche(view, strategies[0])

    def payoff(self, view: PlayerView) -> Numbers:
        """Return the payoffs of the round to the leader: by dwarf, the nearer one first, card and niche."""
        return self.own.solver.round(view.state).payoff

    def _card(self, view: PlayerView, strategies: list[Weights]) -> int:
        """Return the card with the highest value against a strategy of niches."""
        payoffs, near, values = self.payoff(view), nearer(view.state, view.seat), dict[int, float]()
        dwarves = [second for second in range(2) if second * SECOND_DWARF + CHEST in view.legal_actions]
        for second, strategy in zip(dwarves, strategies, strict=True):
            place = np.array([strategy[NICHE + niche] for niche in range(NICHES)])
            payoff = payoffs[second ^ near] @ place
            for card in range(CARDS):
                if payoffs[second ^ near, card, 0] >= 0:
                    values[second * SECOND_DWARF + card] = float(payoff[card])
        return max(values, key=lambda action: values[action])

    def _niche(self, view: PlayerView, strategy: Weights) -> int:
        """Return the best niche against a strategy of cards."""
        second = named(view.state, 1 - view.seat)
        lay = np.zeros(CARDS)
        for action, share in strategy.items():
            lay[action % CARDS] += share
        return NICHE + int((lay @ np.maximum(self.payoff(view)[second], 0)).argmin())


# --- By searching ---------------------------------------------------------------------------------------------------
class Adversary:
    """Searches for the best response to a known strategy."""

    def __init__(self, seed: int, known: Known, simulations: int) -> None:
        """Search with a number of simulations."""
        self.known, self.simulations = known, simulations
        self.seed, self.tree = seed, None

    def choose(self, view: PlayerView) -> int:
        """Return the best response to the opponent's strategy."""
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        if self.tree is None:
            self.tree = SearchTree(view.game, SearchBudget(simulations=self.simulations), self.seed)
        held = self._held(view)
        self.tree.grow(view, BEGIN, None)
        for infoset, strategy in held:
            hold(self.tree, self.tree.functions.node_of(self.tree.store, infoset), strategy)
        clear(self.tree, self.tree._node(view))
        self.tree.grow(view, self.simulations, None)
        return self._best(view)

    def _held(self, view: PlayerView) -> list[tuple[int, Weights]]:
        """Return the opponent's information sets in this stage, as hashes, each with its strategy."""
        stage, other = stage_of(view), 1 - view.seat
        strategies = self.known.strategies(stage.shown, stage.dwarf)
        return [(self._infoset(record, other), mixed) for record, mixed in zip(stage.records, strategies, strict=True)]

    def _best(self, view: PlayerView) -> int:
        """Return the action with the highest mean value, of those with enough visits."""
        assert self.tree is not None
        first, count = block(self.tree, self.tree._node(view))
        edges = self.tree.store.edges[first : first + count]
        tried = [edge for edge in edges if edge.visits >= MIN_VISIT_SHARE * self.simulations]
        return int(max(tried, key=lambda edge: edge.total / edge.visits).action)

    def _infoset(self, record: bytes, seat: int) -> int:
        """Return the hash of a seat's information set."""
        assert self.tree is not None
        self.tree.batch.show(record)
        return self.tree.game.runtime.operations.information_set_hash(self.tree.batch.handle, seat)


# --- The adversary's own tree ---------------------------------------------------------------------------------------
def hold(tree: SearchTree, node: int, strategy: Weights) -> None:
    """Fix the strategy of a node."""
    first, count = block(tree, node)
    for edge in tree.store.edges[first : first + count]:
        # The search adds a uniform share; the regrets make up for it as far as possible.
        edge.regret = FIXED_REGRET * max(strategy[int(edge.action)] - UNIFORM_SHARE / count, 0.0)


def clear(tree: SearchTree, node: int) -> None:
    """Reset the statistics of a node's edges."""
    first, count = block(tree, node)
    for edge in tree.store.edges[first : first + count]:
        edge.visits, edge.total, edge.regret, edge.played = 0, 0.0, 0.0, 0.0


# --- Games ----------------------------------------------------------------------------------------------------------
def play(game: Game, bots: list[Bot], chance: Random) -> State:
    """Play a game to its end, or to the limit of moves."""
    state = game.new_initial_state()
    for _ in range(MAX_MOVES):
        seat = state.current_player()
        if state.is_terminal():
            break
        if seat == CHANCE:
            state.apply_action(state.sample_chance(chance))
        else:
            state.apply_action(bots[seat].choose(player_view(state, seat)), seat)
    return state


def match(game: Game, bot: Callable[[int], Bot], other: Callable[[int, Any], Bot], seed: int) -> tuple[float, float]:
    """Play two games with seats changed; return the other's share of the victories, and by how many coins it led.

    The other is made from a seed and the bot that it plays against.
    """
    total, coins = 0.0, 0.0
    for seat in range(2):
        chance = Random(f"{seed}/{seat}")
        known = bot(chance.getrandbits(62))
        rival = other(chance.getrandbits(62), known)
        state = play(game, [rival, known] if seat == 0 else [known, rival], chance)
        winners, scores = state.winners() or [0, 1], state.scores()
        total += (seat in winners) / len(winners) / 2
        coins += (scores[seat] - scores[1 - seat]) / 2
    return total, coins

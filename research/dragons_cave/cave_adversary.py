"""Adversaries in Dragon's Cave who know the other's strategy, but neither its dice nor the choice it has sealed.

Whenever they must choose, they are told how the other mixes in the stage at hand, and take the reply that brings most:
one by searching itself with the other held to that mixture, one by reckoning with what was learned about positions.
What they win beyond half is a lower bound of what can be gained: a still better adversary would look further ahead than
to the end of the stage.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np

from dracotheque.bots.mcts_bot import LATELY, SearchBot, SearchBudget, SearchTree
from dracotheque.bots.mcts_tree import MIXED
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

BEGIN = 400  # simulations before the other is held to its mixture: by then what it may choose is listed
FIRM = 1e9  # regrets so large that nothing learned changes them
SELDOM = 0.01  # what was tried in fewer simulations is not judged
TOO_LONG = 2_000  # choices: a game that is not over then counts half to each


# --- Who is known ---------------------------------------------------------------------------------------------------
class Known(Protocol):
    """A bot whose strategy is known."""

    def mixtures(self, shown: list[PlayerView], dwarf: int | None = None) -> list[Weights]:
        """Say how it mixes wherever it sees this; of cards only those for a dwarf, if that is named already."""
        ...


@dataclass(frozen=True)
class Kind:
    """A search that can be known: how it is made, and how it draws what it does from what it thinks."""

    make: Callable[[int, SearchBudget], SearchBot]
    policy: Policy


KINDS = {
    "search": Kind(SearchBot, nearly),
    "search, whole mixture": Kind(lambda seed, plan: LeaningBot(seed, plan, 0.0), whole),
    "plain MCTS": Kind(PlainBot, most),
}


class KnownSearch:
    """A search, known by copies with dice of their own: they think about what it sees."""

    def __init__(self, seed: int, kind: Kind, plan: SearchBudget, copies: int) -> None:
        """Take some copies."""
        chance = Random(seed)
        self.policy = kind.policy
        self.copies = [kind.make(chance.getrandbits(62), plan) for _ in range(copies)]
        self.seen_lately: deque[bytes] = deque(maxlen=LATELY)

    def mixtures(self, shown: list[PlayerView], dwarf: int | None = None) -> list[Weights]:
        """Let the copies think about the first, which tells of the others too, and add up how they mix."""
        for copy, first in itertools.product(self.copies, shown[:1]):
            copy.think(first)
        return [self._mixture(each, dwarf) for each in shown]

    def _mixture(self, shown: PlayerView, dwarf: int | None) -> Weights:
        """How often the search makes each choice, as far as the copies tell."""
        sight = shown.state.bytes()
        policy = whole if sight in self.seen_lately and self.policy is nearly else self.policy
        self.seen_lately.append(sight)
        total = dict.fromkeys(shown.legal_actions, 1e-9)
        for copy in self.copies:
            weights = copy.trees[0].result(shown).weights
            for action, share in _for_dwarf(policy(weights), whole(weights), dwarf).items():
                total[action] += share
        return whole(total)


class KnownMixer:
    """A bot that mixes, known for what it is: how it mixes depends on nothing but what everybody has seen."""

    def __init__(self, bot: EquilibriumBot) -> None:
        """Take the bot itself: only its dice are its own."""
        self.bot = bot

    def mixtures(self, shown: list[PlayerView], dwarf: int | None = None) -> list[Weights]:
        """Say how it mixes."""
        found = [self.bot.think(each).mixture for each in shown]
        return [whole(_for_dwarf(mixture, mixture, dwarf)) for mixture in found]


def _for_dwarf(mixture: Weights, wanted: Weights, dwarf: int | None) -> Weights:
    """Keep the choices for the dwarf that was named; where it was never to be, as much as they are wanted."""
    if dwarf is None:
        return mixture
    for each in (mixture, wanted):
        kept = {action: share * (action // CARDS == dwarf) for action, share in each.items()}
        if sum(kept.values()) > 0:
            return kept
    return {action: float(action // CARDS == dwarf) for action in mixture}


# --- What the other sees --------------------------------------------------------------------------------------------
class Stage(NamedTuple):
    """What the other chooses from in the stage at hand, as it sees that; and for which dwarf it laid its card."""

    shown: list[PlayerView]
    records: list[bytes]
    """The tables as a search's own tree knows them."""
    dwarf: int | None = None


def stage_of(seen: PlayerView) -> Stage:
    """Say what the other chooses from while a seat chooses."""
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
    """A stage whose tables are what the other sees."""
    return Stage(shown, [each.state.bytes() for each in shown])


def _placing(state: State, seen: PlayerView, other: int) -> Stage:
    """The other is the dragon: it sees which dwarf is named."""
    before, shown = state.record(), list[PlayerView]()
    for second in range(2):
        if second * SECOND_DWARF + CHEST in seen.legal_actions:
            put(state, before)
            state.apply_action(second * SECOND_DWARF + CHEST)
            shown.append(player_view(state, other))
    return _stage(shown)


def _laying(state: State, seen: PlayerView, other: int) -> Stage:
    """The other has laid a card for a dwarf that is named; the last card is no choice."""
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


# --- Who reckons ----------------------------------------------------------------------------------------------------
class Reckoner:
    """Knows how a bot mixes, and replies by what positions are worth, as far as that was learned."""

    def __init__(self, seed: int, known: Known, budget: int) -> None:
        """Solve so many positions ahead, as a bot does that mixes."""
        self.known, self.own = known, EquilibriumBot(seed, budget)

    def choose(self, view: PlayerView) -> int:
        """Take what brings most against the other's mixture; split and guess as is best anyhow."""
        self.own.sit_down(view.game)
        if view.state.phase not in (SEAL, PLACE) or len(view.legal_actions) == 1:
            return self.own.choose(view)
        stage = stage_of(view)
        mixtures = self.known.mixtures(stage.shown, stage.dwarf)
        if not mixtures:
            values = self.own.values(view)
            return max(values, key=lambda action: values[action])
        return self._card(view, mixtures) if view.state.phase == SEAL else self._niche(view, mixtures[0])

    def payoff(self, view: PlayerView) -> Numbers:
        """Say what the round is worth to who leads the dwarves: by dwarf, the nearer one first, card and niche."""
        return self.own.lookout.round(view.state).payoff

    def _card(self, view: PlayerView, mixtures: list[Weights]) -> int:
        """Lay the card that is worth most where the dragon may wait."""
        found, near, worth = self.payoff(view), nearer(view.state, view.seat), dict[int, float]()
        dwarves = [second for second in range(2) if second * SECOND_DWARF + CHEST in view.legal_actions]
        for second, mixture in zip(dwarves, mixtures, strict=True):
            place = np.array([mixture[NICHE + niche] for niche in range(NICHES)])
            payoff = found[second ^ near] @ place
            for card in range(CARDS):
                if found[second ^ near, card, 0] >= 0:
                    worth[second * SECOND_DWARF + card] = float(payoff[card])
        return max(worth, key=lambda action: worth[action])

    def _niche(self, view: PlayerView, mixture: Weights) -> int:
        """Wait where the card that may lie there hurts most."""
        second = named(view.state, 1 - view.seat)
        lay = np.zeros(CARDS)
        for action, share in mixture.items():
            lay[action % CARDS] += share
        return NICHE + int((lay @ np.maximum(self.payoff(view)[second], 0)).argmin())


# --- Who searches ---------------------------------------------------------------------------------------------------
class Adversary:
    """Knows how a bot mixes, and replies to it by searching."""

    def __init__(self, seed: int, known: Known, simulations: int) -> None:
        """Search with so many simulations."""
        self.known, self.simulations = known, simulations
        self.seed, self.tree = seed, None

    def choose(self, view: PlayerView) -> int:
        """Reply to what the other may do."""
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        if self.tree is None:
            self.tree = SearchTree(view.game, SearchBudget(simulations=self.simulations), self.seed)
        held = self._held(view)
        self.tree.grow(view, BEGIN, None)
        for mark, mixture in held:
            hold(self.tree, self.tree.ways_in.node_of(self.tree.store, mark), mixture)
        clear(self.tree, self.tree._node(view))
        self.tree.grow(view, self.simulations, None)
        return self._best(view)

    def _held(self, view: PlayerView) -> list[tuple[int, Weights]]:
        """Say what the other chooses from in this stage, as marks in the tree, each with its mixture."""
        stage, other = stage_of(view), 1 - view.seat
        mixtures = self.known.mixtures(stage.shown, stage.dwarf)
        return [(self._mark(record, other), mixed) for record, mixed in zip(stage.records, mixtures, strict=True)]

    def _best(self, view: PlayerView) -> int:
        """Take what brought most, of what was tried often enough."""
        assert self.tree is not None
        first, count = block(self.tree, self.tree._node(view))
        edges = self.tree.store.edges[first : first + count]
        tried = [edge for edge in edges if edge.visits >= SELDOM * self.simulations]
        return int(max(tried, key=lambda edge: edge.total / edge.visits).action)

    def _mark(self, record: bytes, seat: int) -> int:
        """The mark of what a seat sees."""
        assert self.tree is not None
        self.tree.batch.show(record)
        return self.tree.game.runtime.operations.information_set_hash(self.tree.batch.handle, seat)


# --- The adversary's own tree ---------------------------------------------------------------------------------------
def hold(tree: SearchTree, node: int, mixture: Weights) -> None:
    """Let a node choose by a mixture from now on, whatever it regrets."""
    first, count = block(tree, node)
    for edge in tree.store.edges[first : first + count]:
        # So many are tried blindly on top: what is left makes up for it as far as it can.
        edge.regret = FIRM * max(mixture[int(edge.action)] - MIXED / count, 0.0)


def clear(tree: SearchTree, node: int) -> None:
    """Forget what was found about the choices of a node."""
    first, count = block(tree, node)
    for edge in tree.store.edges[first : first + count]:
        edge.visits, edge.total, edge.regret, edge.played = 0, 0.0, 0.0, 0.0


# --- Games ----------------------------------------------------------------------------------------------------------
def play(game: Game, bots: list[Bot], chance: Random) -> State:
    """Play a game to its end, or until it has been too long."""
    state = game.new_initial_state()
    for _ in range(TOO_LONG):
        seat = state.current_player()
        if state.is_terminal():
            break
        if seat == CHANCE:
            state.apply_action(state.sample_chance(chance))
        else:
            state.apply_action(bots[seat].choose(player_view(state, seat)), seat)
    return state


def match(game: Game, bot: Callable[[int], Bot], other: Callable[[int, Any], Bot], seed: int) -> tuple[float, float]:
    """Play two games with seats changed; give the other's share of the victories, and by how many coins it led.

    The other is made from a seed and the bot it plays against.
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

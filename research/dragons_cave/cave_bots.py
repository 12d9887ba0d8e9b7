"""The mixed strategy of a search in Dragon's Cave, tabulated position by position."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from zlib import crc32

import numpy as np

from dracotheque.bots.mcts_bot import NEAR_BEST, SearchBot, SearchBudget, SearchResult, SearchTree
from dracotheque.bots.player_view import PlayerView, player_view
from dracotheque.engine.game import Game
from dracotheque.engine.rng import seeded
from dracotheque.engine.state import State
from dracotheque.games.dragons_cave.equilibrium import round_graph
from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST, FISTS, NONE
from dracotheque.games.dragons_cave.rules.state import CARDS, CHEST, HOLD, KINDS, LEFT_FIST, NICHE, SECOND_DWARF
from research.dragons_cave.cave import Array, Cave, Strategy
from research.dragons_cave.cave_stages import Weights

Policy = Callable[[Weights], Weights]
"""From the weights of a search to the probabilities with which it chooses."""


# --- Policies -------------------------------------------------------------------------------------------------------
def nearly(weights: Weights, share: float = NEAR_BEST) -> Weights:
    """Return equal probabilities for all actions with nearly the highest weight, as `SearchBot` does."""
    enough = share * max(weights.values())
    good = [action for action, weight in weights.items() if weight >= enough]
    return {action: (action in good) / len(good) for action in weights}


def whole(weights: Weights) -> Weights:
    """Return probabilities in proportion to the weights."""
    total = sum(weights.values())
    return {action: weight / total if total > 0 else 1 / len(weights) for action, weight in weights.items()}


def leaning(share: float) -> Policy:
    """Return the policy in proportion to the weights, without actions below a share of the highest weight."""

    def policy(weights: Weights) -> Weights:
        enough = share * max(weights.values())
        return whole({action: weight * (weight >= enough) for action, weight in weights.items()})

    return policy


def most(weights: Weights) -> Weights:
    """Return probability 1 for the highest weight, as plain searches choose."""
    return nearly(weights, 1.0)


# --- Searches -------------------------------------------------------------------------------------------------------
class PlainTree(SearchTree):
    """A tree without mixed strategies: every seat selects by UCB, as if the other's choice were known."""

    def __init__(self, game: Game, plan: SearchBudget, seed: int) -> None:
        """Allocate the tree, and treat sealed choices as open."""
        super().__init__(game, plan, seed)
        self.head.simultaneous = 0

    def result(self, view: PlayerView) -> SearchResult:
        """Return visits as weights."""
        found = super().result(view)
        first, count = block(self, self._node(view))
        tried = {int(edge.action): float(edge.visits) for edge in self.store.edges[first : first + count]}
        return SearchResult(found.weights | tried, found.values, found.simulations)


class PlainBot(SearchBot):
    """Plain Monte Carlo tree search: UCB, then the most visited action."""

    def think(self, view: PlayerView) -> SearchResult:
        """Search with a plain tree."""
        if not self.trees or self.trees[0].game is not view.game:
            self.trees = [PlainTree(view.game, self.plan, self.random.getrandbits(62))]
        return super().think(view)

    def choose(self, view: PlayerView) -> int:
        """Return the most visited action."""
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        return drawn(most(self.think(view).weights), self.random)


class LeaningBot(SearchBot):
    """`SearchBot` with another policy: in proportion to the weights, without low ones."""

    def __init__(self, seed: int, plan: SearchBudget, share: float) -> None:
        """Leave out actions below a share of the highest weight; 0 for the whole strategy."""
        super().__init__(seed, plan)
        self.policy = leaning(share)

    def choose(self, view: PlayerView) -> int:
        """Sample an action from the policy."""
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        return drawn(self.policy(self.think(view).weights), self.random)


def drawn(strategy: Weights, chance: Random) -> int:
    """Sample an action."""
    return chance.choices([*strategy], [*strategy.values()])[0]


def block(tree: SearchTree, node: int) -> tuple[int, int]:
    """Return the first edge of a node and the number of its edges."""
    return int(tree.store.nodes[node].edges), int(tree.store.nodes[node].count)


def reset(tree: SearchTree, dice: int) -> None:
    """Empty a tree without releasing its memory, and seed it."""
    tree.store.slots[:] = 0
    tree.head.nodes, tree.head.edges, tree.head.stream = 1, 0, seeded(dice, 0)
    tree.batch.seed(seeded(dice, 1))


class Thinker:
    """Searches positions, each from an empty tree, and caches the results.

    They depend on its seed and the position alone, not on earlier searches.
    """

    def __init__(self, game: Game, simulations: int, seed: int, plain: bool = False) -> None:
        """Search with a number of simulations, as `SearchBot` does or as a plain search."""
        self.simulations, self.seed = simulations, seed
        self.tree = (PlainTree if plain else SearchTree)(game, SearchBudget(simulations=simulations), seed)
        self.cache: dict[bytes, list[Weights]] = {}

    def strategy(self, seen: PlayerView, policy: Policy, times: int = 1) -> Weights:
        """Return the mean strategy of some independent searches."""
        sight = seen.state.bytes() + bytes([seen.seat])
        known = self.cache.setdefault(sight, [])
        while len(known) < times:
            reset(self.tree, crc32(sight + bytes([len(known)]), self.seed))
            self.tree.grow(seen, self.simulations, None)
            known.append(self.tree.result(seen).weights)
        drawn = [policy(weights) for weights in known[:times]]
        return {action: sum(each[action] for each in drawn) / times for action in seen.legal_actions}


# --- Positions of a small board as views ----------------------------------------------------------------------------
class Table:
    """Views of the positions of a board."""

    def __init__(self, cave: Cave) -> None:
        """Store for every purse a round that leads to it."""
        self.cave = cave
        self.state = cave.game.new_initial_state()
        self.origin = np.zeros((len(cave.purses), 3), np.int64)
        fists = np.argwhere(cave.graph["fright"] <= FISTS)
        self.origin[FISTS - cave.graph["fright"][tuple(fists.T)]] = fists

    def _shown(self, record: Array, seat: int) -> PlayerView:
        """Return the view of a state for the seat that must choose."""
        put(self.state, record.tobytes())
        return player_view(self.state, seat)

    def laying(self, number: int) -> PlayerView:
        """Return the view of a position for the leader of the dwarves."""
        return self._shown(self.cave.record(number), 0)

    def placing(self, number: int, second: int) -> PlayerView:
        """Return the view of a position for the dragon, once a dwarf is named."""
        return self._shown(self._played(number, second, CHEST), 1)

    def splitting(self, purse: int) -> PlayerView:
        """Return the view of a purse for the player who splits it."""
        return self._shown(self._frightened(purse), 0)

    def guessing(self, purse: int) -> PlayerView:
        """Return the view of two fists for the dragon."""
        record = self._frightened(purse)
        put(self.state, record.tobytes())
        self.state.apply_action(HOLD)
        return player_view(self.state, 1)

    def _frightened(self, purse: int) -> Array:
        """Return the state after a round that leads to a purse."""
        number, second, card = (int(part) for part in self.origin[purse])
        workspace = np.concatenate([self.cave.start, self.cave.record(number), self.cave.start])
        round_graph.play(workspace, second, card, card)
        return workspace[2:]

    def _played(self, number: int, second: int, card: int) -> Array:
        """Return the state after a card for a dwarf."""
        put(self.state, self.cave.record(number).tobytes())
        self.state.apply_action(second * SECOND_DWARF + card)
        return np.frombuffer(self.state.record(), round_graph.State)


def put(state: State, record: bytes) -> None:
    """Set a state to another position of the same game."""
    state._workspace.set_state(record)
    state._player = int(np.frombuffer(record, state.game.runtime.state)["to_move"][0])


# --- A whole strategy -----------------------------------------------------------------------------------------------
class Tabulated:
    """The strategy of a search, in every position that it can reach against any opponent."""

    def __init__(self, cave: Cave, thinker: Thinker, policy: Policy, times: int) -> None:
        """Begin with an empty strategy; every position is searched a number of times."""
        self.cave, self.thinker, self.policy, self.times = cave, thinker, policy, times
        self.table, self.strategy = Table(cave), cave.empty_strategy()
        self.strategy.place[:] = 1 / KINDS
        self.strategy.lay[:, 0, CHEST] = 1.0
        self.led, self.guarded, self.purses = set[int](), set[int](), set[tuple[str, int]]()

    def fill(self) -> Strategy:
        """Follow every path from the opening, in both roles, and return the strategy."""
        waiting = [(FIRST, True), (FIRST, False)]
        while waiting:
            number, leads = waiting.pop()
            known = self.led if leads else self.guarded
            if number >= FIRST and number not in known:
                known.add(number)
                waiting += self._lead(number) if leads else self._guard(number)
        return self.strategy

    def _mixture(self, seen: PlayerView) -> Weights:
        """Return the strategy of the search in a view."""
        return self.thinker.strategy(seen, self.policy, self.times)

    def _lead(self, number: int) -> list[tuple[int, bool]]:
        """Tabulate the cards of a position; return the next positions, with True where the search leads the dwarves."""
        here, lay = self.cave.graph[number], self.strategy.lay[number]
        if (here["ahead"] != NONE).any():
            lay[:] = 0.0
            for action, share in self._mixture(self.table.laying(number)).items():
                second, card = divmod(action, CARDS)
                # Two dwarves on the same space are interchangeable.
                lay[second if card == CHEST or here["ahead"][second, card] != NONE else 0, card] += share
        following = [(int(here["chest"]), False)] if lay[:, CHEST].any() else []
        for second, card in np.argwhere(lay[:, :CHEST] > 0):
            following.append((int(here["ahead"][second, card]), True))
            following += self._after_fright(int(here["fright"][second, card]), False)
        return following

    def _guard(self, number: int) -> list[tuple[int, bool]]:
        """Tabulate the niches of a position, for each dwarf; return the next positions."""
        here, following = self.cave.graph[number], [(int(self.cave.graph[number]["chest"]), True)]
        for second in range(2):
            if (here["ahead"][second] != NONE).any():
                found = self._mixture(self.table.placing(number, second))
                self.strategy.place[number, second] = [found[NICHE + niche] for niche in range(KINDS)]
        for second, card in np.argwhere(here["ahead"] != NONE):
            caught = self.strategy.place[number, second, card]
            if caught < 1:
                following.append((int(here["ahead"][second, card]), False))
            if caught > 0:
                following += self._after_fright(int(here["fright"][second, card]), True)
        return following

    def _after_fright(self, then: int, leads: bool) -> list[tuple[int, bool]]:
        """Tabulate the split or the guess, if there are coins; return the next positions."""
        if then > FISTS:
            return [(then, leads)]
        purse = FISTS - then
        first, coins = int(self.cave.purses[purse]["first"]), int(self.cave.purses[purse]["coins"])
        ends = self.cave.after[first : first + coins + 1]
        lost = [*range(coins + 1)]
        if leads:
            if ("guess", purse) not in self.purses:
                found = self._mixture(self.table.guessing(purse))
                self.strategy.guess[purse] = found[LEFT_FIST]
        else:
            if ("split", purse) not in self.purses:
                found = self._mixture(self.table.splitting(purse))
                self.strategy.split[first : first + coins + 1] = [found[HOLD + left] for left in range(coins + 1)]
            held = [left for left in lost if self.strategy.split[first + left] > 0]
            lost = [*{*held, *(coins - left for left in held)}]
        self.purses.add(("guess" if leads else "split", purse))
        return [(int(ends[count]), leads) for count in lost]

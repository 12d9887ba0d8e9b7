"""How a search mixes in Dragon's Cave: read from its thoughts, position by position, whatever its dice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from zlib import crc32

import numpy as np

from dracotheque.bots.mcts_bot import NEARLY, SearchBot, SearchBudget, SearchResult, SearchTree
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
"""How choices are drawn by how much they are wanted."""


# --- What is drawn from what was thought ----------------------------------------------------------------------------
def nearly(weights: Weights, share: float = NEARLY) -> Weights:
    """Draw lots among the choices that are wanted nearly as much as the best, as our search does."""
    enough = share * max(weights.values())
    good = [action for action, weight in weights.items() if weight >= enough]
    return {action: (action in good) / len(good) for action in weights}


def whole(weights: Weights) -> Weights:
    """Draw every choice as often as it is wanted."""
    total = sum(weights.values())
    return {action: weight / total if total > 0 else 1 / len(weights) for action, weight in weights.items()}


def leaning(share: float) -> Policy:
    """Draw choices as often as they are wanted, but leave those out that are wanted much less than the best."""

    def policy(weights: Weights) -> Weights:
        enough = share * max(weights.values())
        return whole({action: weight * (weight >= enough) for action, weight in weights.items()})

    return policy


def most(weights: Weights) -> Weights:
    """Make the choice that is wanted most, as plain searches do."""
    return nearly(weights, 1.0)


# --- Searches -------------------------------------------------------------------------------------------------------
class PlainTree(SearchTree):
    """A tree in which nobody mixes: every seat takes what promises most (UCB), as if the other's choice were known."""

    def __init__(self, game: Game, plan: SearchBudget, seed: int) -> None:
        """Make room, and forget that choices are sealed."""
        super().__init__(game, plan, seed)
        self.head.seals = 0

    def thought(self, view: PlayerView) -> SearchResult:
        """Prefer what was tried most."""
        found = super().result(view)
        first, count = block(self, self._node(view))
        tried = {int(edge.action): float(edge.visits) for edge in self.store.edges[first : first + count]}
        return SearchResult(found.weights | tried, found.values, found.simulations)


class PlainBot(SearchBot):
    """Plain Monte-Carlo tree search: UCB, and then what was tried most."""

    def think(self, view: PlayerView) -> SearchResult:
        """Search with a plain tree."""
        if not self.trees or self.trees[0].game is not view.game:
            self.trees = [PlainTree(view.game, self.plan, self.random.getrandbits(62))]
        return super().think(view)

    def choose(self, view: PlayerView) -> int:
        """Choose what was tried most."""
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        return drawn(most(self.think(view).weights), self.random)


class LeaningBot(SearchBot):
    """Our search, but each choice is drawn as often as it is wanted, without those wanted much less than the best."""

    def __init__(self, seed: int, plan: SearchBudget, share: float) -> None:
        """Leave out what is wanted less than a share of what the best is; 0 for the whole mixture."""
        super().__init__(seed, plan)
        self.policy = leaning(share)

    def choose(self, view: PlayerView) -> int:
        """Draw lots."""
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        return drawn(self.policy(self.think(view).weights), self.random)


def drawn(mixture: Weights, chance: Random) -> int:
    """Draw a choice."""
    return chance.choices([*mixture], [*mixture.values()])[0]


def block(tree: SearchTree, node: int) -> tuple[int, int]:
    """Where the choices of a node stand, and how many there are."""
    return int(tree.store.nodes[node].edges), int(tree.store.nodes[node].count)


def forget(tree: SearchTree, dice: int) -> None:
    """Empty a tree, keep its room, and give it other dice."""
    tree.store.slots[:] = 0
    tree.head.nodes, tree.head.edges, tree.head.stream = 1, 0, seeded(dice, 0)
    tree.batch.seed(seeded(dice, 1))


class Thinker:
    """Thinks about positions, each time as if it had never seen the game, and remembers what it thought.

    What it thinks depends on its seed and the position alone, not on what it was asked before.
    """

    def __init__(self, game: Game, simulations: int, seed: int, plain: bool = False) -> None:
        """Search with so many simulations, as our search does or as a plain one."""
        self.simulations, self.seed = simulations, seed
        self.tree = (PlainTree if plain else SearchTree)(game, SearchBudget(simulations=simulations), seed)
        self.thoughts: dict[bytes, list[Weights]] = {}

    def mixture(self, seen: PlayerView, policy: Policy, times: int = 1) -> Weights:
        """Think some times anew, and say how often each choice would be made."""
        sight = seen.state.bytes() + bytes([seen.seat])
        known = self.thoughts.setdefault(sight, [])
        while len(known) < times:
            forget(self.tree, crc32(sight + bytes([len(known)]), self.seed))
            self.tree.grow(seen, self.simulations, None)
            known.append(self.tree.result(seen).weights)
        drawn = [policy(weights) for weights in known[:times]]
        return {action: sum(each[action] for each in drawn) / times for action in seen.legal_actions}


# --- Positions of a small cave as a bot sees them -------------------------------------------------------------------
class Table:
    """Lays out positions of a cave, and shows them to a seat."""

    def __init__(self, cave: Cave) -> None:
        """Find for every purse a round that leads to it."""
        self.cave = cave
        self.state = cave.game.new_initial_state()
        self.origin = np.zeros((len(cave.purses), 3), np.int64)
        fists = np.argwhere(cave.graph["fright"] <= FISTS)
        self.origin[FISTS - cave.graph["fright"][tuple(fists.T)]] = fists

    def _shown(self, record: Array, seat: int) -> PlayerView:
        """Show a record to the seat that must choose."""
        put(self.state, record.tobytes())
        return player_view(self.state, seat)

    def laying(self, number: int) -> PlayerView:
        """A position as who leads the dwarves sees it."""
        return self._shown(self.cave.record(number), 0)

    def placing(self, number: int, second: int) -> PlayerView:
        """A position as the dragon sees it once a dwarf is named."""
        return self._shown(self._played(number, second, CHEST), 1)

    def splitting(self, purse: int) -> PlayerView:
        """A purse as who must split it sees it."""
        return self._shown(self._frightened(purse), 0)

    def guessing(self, purse: int) -> PlayerView:
        """Two fists as the dragon sees them."""
        record = self._frightened(purse)
        put(self.state, record.tobytes())
        self.state.apply_action(HOLD)
        return player_view(self.state, 1)

    def _frightened(self, purse: int) -> Array:
        """Play a round that leads to a purse."""
        number, second, card = (int(part) for part in self.origin[purse])
        workspace = np.concatenate([self.cave.start, self.cave.record(number), self.cave.start])
        round_graph.play(workspace, second, card, card)
        return workspace[2:]

    def _played(self, number: int, second: int, card: int) -> Array:
        """Lay a card for a dwarf."""
        put(self.state, self.cave.record(number).tobytes())
        self.state.apply_action(second * SECOND_DWARF + card)
        return np.frombuffer(self.state.record(), round_graph.State)


def put(state: State, record: bytes) -> None:
    """Let a state be another position of the same game."""
    state._workspace.set_state(record)
    state._player = int(np.frombuffer(record, state.game.runtime.state)["to_move"][0])


# --- A whole strategy -----------------------------------------------------------------------------------------------
class Tabulated:
    """Writes down how a search mixes, wherever it can come if it mixes so and the other does what it likes."""

    def __init__(self, cave: Cave, thinker: Thinker, policy: Policy, times: int) -> None:
        """Begin with nothing; `policy` says how choices are drawn, and every position is thought about some times."""
        self.cave, self.thinker, self.policy, self.times = cave, thinker, policy, times
        self.table, self.strategy = Table(cave), cave.empty_strategy()
        self.strategy.place[:] = 1 / KINDS
        self.strategy.lay[:, 0, CHEST] = 1.0
        self.led, self.guarded, self.purses = set[int](), set[int](), set[tuple[str, int]]()

    def fill(self) -> Strategy:
        """Follow every way from the opening, in both roles."""
        waiting = [(FIRST, True), (FIRST, False)]
        while waiting:
            number, leads = waiting.pop()
            known = self.led if leads else self.guarded
            if number >= FIRST and number not in known:
                known.add(number)
                waiting += self._lead(number) if leads else self._guard(number)
        return self.strategy

    def _mixture(self, seen: PlayerView) -> Weights:
        """How the search mixes there."""
        return self.thinker.mixture(seen, self.policy, self.times)

    def _lead(self, number: int) -> list[tuple[int, bool]]:
        """Let the search lay a card in a position, and say where that may lead; True where it leads dwarves there."""
        here, lay = self.cave.graph[number], self.strategy.lay[number]
        if (here["ahead"] != NONE).any():
            lay[:] = 0.0
            for action, share in self._mixture(self.table.laying(number)).items():
                second, card = divmod(action, CARDS)
                # Two dwarves in one place are the same to everybody.
                lay[second if card == CHEST or here["ahead"][second, card] != NONE else 0, card] += share
        ways = [(int(here["chest"]), False)] if lay[:, CHEST].any() else []
        for second, card in np.argwhere(lay[:, :CHEST] > 0):
            ways.append((int(here["ahead"][second, card]), True))
            ways += self._after_fright(int(here["fright"][second, card]), False)
        return ways

    def _guard(self, number: int) -> list[tuple[int, bool]]:
        """Let the search place the dragon in a position, for each dwarf."""
        here, ways = self.cave.graph[number], [(int(self.cave.graph[number]["chest"]), True)]
        for second in range(2):
            if (here["ahead"][second] != NONE).any():
                found = self._mixture(self.table.placing(number, second))
                self.strategy.place[number, second] = [found[NICHE + niche] for niche in range(KINDS)]
        for second, card in np.argwhere(here["ahead"] != NONE):
            caught = self.strategy.place[number, second, card]
            if caught < 1:
                ways.append((int(here["ahead"][second, card]), False))
            if caught > 0:
                ways += self._after_fright(int(here["fright"][second, card]), True)
        return ways

    def _after_fright(self, then: int, leads: bool) -> list[tuple[int, bool]]:
        """Let the search split or guess, if there are coins; who was frightened is the dragon next."""
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

"""An adversary in Dragon's Cave who knows the other's strategy, but neither its dice nor the choice it has sealed.

Whenever it must choose, it lets copies of the other's search think about the stage at hand, with dice of their own: so
it knows how the other mixes. In its own search the other is then held to that mixture, and it takes the reply that
brings most. What it wins beyond half is a lower bound of what can be gained: a still better adversary would look
further ahead than to the end of the stage.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from dracotheque.bots.search import LATELY, Plan, SearchBot, Tree
from dracotheque.bots.tree import MIXED
from dracotheque.bots.view import Bot, View, view
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game, State
from dracotheque.games.dragons_cave.state import (
    CARDS,
    CHEST,
    GUESS,
    HOLD,
    NO_CARD,
    ONLY_CHEST,
    PLACE,
    SEAL,
    SEALED_SPLIT,
    SECOND_DWARF,
    SPLIT,
    TO_SPLIT,
)  # fmt: skip
from dracotheque.lab.cave_bots import LeaningBot, PlainBot, Policy, block, most, nearly, put, whole
from dracotheque.solve.cave_stages import Weights

BEGIN = 400  # simulations before the other is held to its mixture: by then what it may choose is listed
FIRM = 1e9  # regrets so large that nothing learned changes them
SELDOM = 0.01  # what was tried in fewer simulations is not judged
TOO_LONG = 2_000  # choices: a game that is not over then counts half to each


@dataclass(frozen=True)
class Kind:
    """A bot that can be known: how it is made, and how it draws what it does from what it thinks."""

    make: Callable[[int, Plan], SearchBot]
    policy: Policy


KINDS = {
    "search": Kind(SearchBot, nearly),
    "search, whole mixture": Kind(lambda seed, plan: LeaningBot(seed, plan, 0.0), whole),
    "plain MCTS": Kind(PlainBot, most),
}


class Adversary:
    """Knows how a bot mixes, and replies to it."""

    def __init__(self, seed: int, known: Kind, plan: Plan, copies: int, simulations: int) -> None:
        """Take copies of the bot that is known, with other dice."""
        chance = Random(seed)
        self.known, self.simulations = known, simulations
        self.copies = [known.make(chance.getrandbits(62), plan) for _ in range(copies)]
        self.seed, self.tree = chance.getrandbits(62), None
        self.seen_lately: deque[bytes] = deque(maxlen=LATELY)

    def choose(self, view: View) -> int:
        """Reply to what the other may do."""
        if len(view.legal) == 1:
            return view.legal[0]
        state = view.game.new_initial_state()
        put(state, view.table.bytes())
        if self.tree is None:
            self.tree = Tree(view.game, Plan(simulations=self.simulations), self.seed)
        held = self._held(state, view)
        self.tree.grow(view, BEGIN, None)
        for mark, mixture in held:
            hold(self.tree, self.tree.ways_in.node_of(self.tree.store, mark), mixture)
        clear(self.tree, self.tree._node(view))
        self.tree.grow(view, self.simulations, None)
        return self._best(view)

    def _best(self, view: View) -> int:
        """Take what brought most, of what was tried often enough."""
        assert self.tree is not None
        first, count = block(self.tree, self.tree._node(view))
        edges = self.tree.store.edges[first : first + count]
        tried = [edge for edge in edges if edge.visits >= SELDOM * self.simulations]
        return int(max(tried, key=lambda edge: edge.total / edge.visits).action)

    # --- What the other may do --------------------------------------------------------------------------------------
    def _held(self, state: State, seen: View) -> list[tuple[int, Weights]]:
        """Say what the other chooses from in this stage, as marks in the tree, each with its mixture."""
        other, phase = 1 - seen.seat, seen.table.phase
        if phase == SEAL:
            return self._niches(state, seen, other)
        if phase == PLACE:
            return self._cards(state, seen, other)
        if phase == SPLIT:
            state.apply_action(HOLD)
            shown = view(state, other)
        else:
            assert phase == GUESS
            table = seen.table
            table.left[other], table.phase, table.waiting, table.to_move = TO_SPLIT, SPLIT, 1, other
            put(state, table.bytes())
            shown = view(state, other)
            _restore(table, seen.seat)
        self._let_think(shown)
        return [(self._mark(shown.table.bytes(), other), self._mixture([shown])[0])]

    def _niches(self, state: State, seen: View, other: int) -> list[tuple[int, Weights]]:
        """The other is the dragon: it sees which dwarf is named; one thought tells of both."""
        before, shown = state.record(), list[View]()
        for second in range(2):
            if second * SECOND_DWARF + CHEST in seen.legal:
                put(state, before)
                state.apply_action(second * SECOND_DWARF + CHEST)
                shown.append(view(state, other))
        self._let_think(shown[0])
        mixtures = self._mixture(shown)
        return [(self._mark(each.table.bytes(), other), mixed) for each, mixed in zip(shown, mixtures, strict=True)]

    def _cards(self, state: State, seen: View, other: int) -> list[tuple[int, Weights]]:
        """The other has laid a card for a dwarf that is named."""
        table = seen.table
        if table.hand[other] == ONLY_CHEST:
            return []
        named, sealed = table.named, table.card[other]
        table.card[other], table.phase, table.waiting, table.to_move = NO_CARD, SEAL, 1, other
        reopened = table.bytes()
        table.named = 0
        put(state, table.bytes())
        shown = view(state, other)
        table.card[other], table.phase, table.waiting, table.to_move, table.named = sealed, PLACE, 0, seen.seat, named
        self._let_think(shown)
        mixture = self._mixture([shown], named)[0]
        return [(self._mark(reopened, other), mixture)]

    def _let_think(self, shown: View) -> None:
        """Let the copies think about what the other sees."""
        for copy in self.copies:
            copy.think(shown)

    def _mixture(self, shown: list[View], named: int | None = None) -> list[Weights]:
        """How often the other makes each choice, as far as the copies tell; of its cards those for the named dwarf."""
        found = list[Weights]()
        for each in shown:
            sight = each.table.bytes()
            policy = whole if sight in self.seen_lately and self.known.policy is nearly else self.known.policy
            self.seen_lately.append(sight)
            total = dict.fromkeys(each.legal, 1e-9)
            for copy in self.copies:
                weights = copy.trees[0].thought(each).weights
                for action, share in _named(policy(weights), whole(weights), named).items():
                    total[action] += share
            found.append(whole(total))
        return found

    def _mark(self, record: bytes, seat: int) -> int:
        """The mark of what a seat sees."""
        assert self.tree is not None
        self.tree.bench.show(record)
        return self.tree.game.layout.doors.marked(self.tree.bench.handle, seat)


def _restore(table: Any, seat: int) -> None:
    """Let a table be as it was before the guess."""
    table.left[1 - seat], table.phase, table.waiting, table.to_move = SEALED_SPLIT, GUESS, 0, seat


def _named(mixture: Weights, wanted: Weights, named: int | None) -> Weights:
    """Keep the choices for the dwarf that was named; where it was never to be, as much as they are wanted."""
    if named is None:
        return mixture
    for each in (mixture, wanted):
        kept = {action: share * (action // CARDS == named) for action, share in each.items()}
        if sum(kept.values()) > 0:
            return kept
    return {action: float(action // CARDS == named) for action in mixture}


# --- The adversary's own tree ---------------------------------------------------------------------------------------
def hold(tree: Tree, node: int, mixture: Weights) -> None:
    """Let a node choose by a mixture from now on, whatever it regrets."""
    first, count = block(tree, node)
    for edge in tree.store.edges[first : first + count]:
        # So many are tried blindly on top: what is left makes up for it as far as it can.
        edge.regret = FIRM * max(mixture[int(edge.action)] - MIXED / count, 0.0)


def clear(tree: Tree, node: int) -> None:
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
            state.apply_action(bots[seat].choose(view(state, seat)), seat)
    return state


def match(game: Game, bot: Callable[[int], Bot], other: Callable[[int], Bot], seed: int) -> tuple[float, float]:
    """Play two games with seats changed; give the other's share of the victories, and by how many coins it led."""
    total, coins = 0.0, 0.0
    for seat in range(2):
        chance = Random(f"{seed}/{seat}")
        made = bot(chance.getrandbits(62)), other(chance.getrandbits(62))
        state = play(game, list(made if seat else made[::-1]), chance)
        winners, scores = state.winners() or [0, 1], state.scores()
        total += (seat in winners) / len(winners) / 2
        coins += (scores[seat] - scores[1 - seat]) / 2
    return total, coins

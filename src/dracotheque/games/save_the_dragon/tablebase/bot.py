"""A bot that plays perfectly from the tablebase, and the exact winning chances of positions and actions."""

from __future__ import annotations

from random import Random

from dracotheque.bots.win_probability import Estimate
from dracotheque.bots.player_view import PlayerView, player_view
from dracotheque.engine.state import State
from dracotheque.games.save_the_dragon import bots
from dracotheque.games.save_the_dragon.rules.state import (
    ACTION,
    DIE,
    LET_GO,
    NO_CHANGE,
    PUT_SHIELD,
    SHUT_DOOR,
    SPOTS,
    STAY,
    THROUGH,
)
from dracotheque.games.save_the_dragon.tablebase.tablebase import put, solution


class TablebaseBot:
    """Looks every action up in the tablebase; of the best it takes any."""

    def __init__(self, seed: int) -> None:
        """Seed the choice between equal actions."""
        self.random = Random(seed)

    def choose(self, view: PlayerView) -> int:
        """Return one of the actions that win most often."""
        chances = self.values(view)
        best = max(chances.values())
        return self.random.choice([action for action, chance in chances.items() if chance == best])

    def limit_time(self, seconds: float) -> None:
        """Ignore the limit: a lookup takes no time."""

    def values(self, view: PlayerView) -> dict[int, float]:
        """Return for every legal action how often it wins if both play perfectly from here on."""
        bots.require_solved(view.game)
        return {action: chance(view, action) for action in view.legal_actions}


def chance(view: PlayerView, action: int) -> float:
    """Return how often an action wins."""
    table, seat, known = view.state, view.seat, solution()
    pawns, tokens = tuple(table.place[:2]), tuple(table.tokens[:2])
    shield, shut = table.shield, table.shut
    if action < THROUGH:
        pawns, tokens = put(pawns, seat, action % SPOTS), put(tokens, seat, tokens[seat] - action // SPOTS)
        return known.walked(seat, pawns, shield, shut, tokens, table.die)
    if action < STAY:
        return 1.0
    if action == STAY:
        return known.walked(seat, pawns, shield, shut, tokens, table.die)
    if action < SHUT_DOOR:
        return known.passed(seat, pawns, action - PUT_SHIELD, shut, tokens)
    if action < NO_CHANGE:
        return known.passed(seat, pawns, shield, action - SHUT_DOOR, tokens)
    return known.thrown(seat, pawns, shield, shut, tokens, action - LET_GO)


class ExactProbabilities:
    """What `WinProbabilities` estimates by playing on, exact and under perfect play of both."""

    def of(self, state: State, count: int = 0) -> Estimate:
        """Return how likely each seat is to win; no games are needed for it."""
        first = of_first(state)
        return Estimate([first, 1.0 - first], [0.0, 0.0])

    def after(self, state: State, seat: int, action: int, count: int = 0) -> Estimate:
        """Return the same after an action."""
        share = chance(player_view(state, seat), action)
        return Estimate([share, 1.0 - share] if seat == 0 else [1.0 - share, share], [0.0, 0.0])


def of_first(state: State) -> float:
    """Return how often the first seat wins from a position: looked up, or the mean over what the rock may still do."""
    if state.is_terminal():
        return float(0 in state.winners())
    table, known = state.to_plain(), solution()
    at = (table.place[0], table.place[1]), table.shield, table.shut, (table.tokens[0], table.tokens[1])
    if not state.is_chance_node():
        seen = player_view(state, state.current_player())
        share = max(chance(seen, action) for action in seen.legal_actions)
    elif table.phase in (DIE, ACTION):
        share = (known.turn if table.phase == DIE else known.acting)(table.active, *at)
    else:
        outcomes = [(weight, state.child(outcome)) for outcome, weight in state.chance_outcomes() if weight > 0]
        total = sum(weight for weight, _ in outcomes)
        return sum(weight * of_first(after) for weight, after in outcomes) / total
    return share if table.active == 0 else 1.0 - share

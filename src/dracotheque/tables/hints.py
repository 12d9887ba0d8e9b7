"""Hints before a choice: what is blocked by which rule, and the actions with the best heuristic."""

from __future__ import annotations

from dracotheque.bots.greedy import GreedyBot
from dracotheque.bots.player_view import player_view
from dracotheque.engine.errors import IllegalActionError
from dracotheque.engine.state import State
from dracotheque.presentation.generic_board import board_view_of
from dracotheque.tables.answers import BlockedActions, Hints
from dracotheque.tables.game_in_progress import choosers

MAX_NAMED = 3  # blocked actions of a rule that are named; the rest is counted


def hints(state: State, seat: int, *, advised: bool) -> Hints:
    """Return the actions that a seat cannot choose and why; with `advised` also those with the best heuristic."""
    if seat not in choosers(state):
        return Hints([], [], [])
    good = promising(state, seat) if advised else []
    return Hints(blocked(state, seat), good, destinations(state, seat, good))


def blocked(state: State, seat: int) -> list[BlockedActions]:
    """Return the actions that a seat may not choose now, by the rule that forbids them."""
    found: dict[str, list[int]] = {rule: [] for rule in state.game.text.EXPLAINED_RULES}
    for action in range(state.game.num_distinct_actions()):
        rule = forbidding(state, seat, action)
        if rule in found:
            found[rule].append(action)
    name = state.game.text.action
    return [
        BlockedActions(
            rule, [name(state.game, seat, action) for action in actions[:MAX_NAMED]], max(0, len(actions) - MAX_NAMED)
        )
        for rule, actions in found.items()
        if actions
    ]


def forbidding(state: State, seat: int, action: int) -> str | None:
    """Return the rule that forbids an action, if one does."""
    try:
        return state.refusal(action, seat)
    except IllegalActionError:
        return None


def destinations(state: State, seat: int, actions: list[int]) -> list[str]:
    """Return the places of the board that actions lead to."""
    view, known = board_view_of(state.game), state.observation(seat)
    places = [view.places(known, seat, action) for action in actions]
    return sorted({each[-1] for each in places if each})


def promising(state: State, seat: int) -> list[int]:
    """Return the actions with the best heuristic; none where more than half of all have it."""
    values = GreedyBot(0).values(player_view(state, seat))
    best = [action for action, value in values.items() if value == max(values.values())]
    return best if 2 * len(best) <= len(values) else []

"""Hints before a choice: what is blocked by which rule, and the actions with the best heuristic."""

from __future__ import annotations

from dracotheque.bots.greedy import GreedyBot
from dracotheque.bots.player_view import player_view
from dracotheque.engine.errors import IllegalActionError
from dracotheque.engine.state import State
from dracotheque.presentation.generic_board import board_view_of
from dracotheque.tables.answers import BlockedActions, Hints
from dracotheque.tables.game_in_progress import choosers

NAMED = 3  # choices a rule forbids that are called by name; the rest is counted


def hints(state: State, seat: int, *, advised: bool) -> Hints:
    """Return what a seat cannot choose and why; where it plays with bots alone, also what looks good."""
    if seat not in choosers(state):
        return Hints([], [], [])
    good = promising(state, seat) if advised else []
    return Hints(blocked(state, seat), good, leads_to(state, seat, good))


def blocked(state: State, seat: int) -> list[BlockedActions]:
    """Group what a seat may not choose now by the rule that forbids it."""
    found: dict[str, list[int]] = {rule: [] for rule in state.game.text.EXPLAINED_RULES}
    for action in range(state.game.num_distinct_actions()):
        rule = forbidding(state, seat, action)
        if rule in found:
            found[rule].append(action)
    name = state.game.text.action
    return [
        BlockedActions(
            rule, [name(state.game, seat, action) for action in actions[:NAMED]], max(0, len(actions) - NAMED)
        )
        for rule, actions in found.items()
        if actions
    ]


def forbidding(state: State, seat: int, action: int) -> str | None:
    """Name the rule that forbids a choice, if one does."""
    try:
        return state.refusal(action, seat)
    except IllegalActionError:
        return None


def leads_to(state: State, seat: int, actions: list[int]) -> list[str]:
    """List the places of the drawn board that choices lead to."""
    view, table = board_view_of(state.game), state.observation(seat)
    ways = [view.places(table, seat, action) for action in actions]
    return sorted({way[-1] for way in ways if way})


def promising(state: State, seat: int) -> list[int]:
    """List what a good player would look at first; nothing where most choices are as good."""
    values = GreedyBot(0).values(player_view(state, seat))
    best = [action for action, value in values.items() if value == max(values.values())]
    return best if 2 * len(best) <= len(values) else []

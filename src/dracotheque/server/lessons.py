"""What teaches a beginner: the rules that keep a choice away just now, and what a good player would look at."""

from __future__ import annotations

from dracotheque.bots.greedy import GreedyBot
from dracotheque.bots.view import view
from dracotheque.engine.errors import IllegalAction
from dracotheque.engine.game import State
from dracotheque.server import pictures
from dracotheque.tables.messages import Barred, Lesson
from dracotheque.tables.table import choosers

NAMED = 3  # choices a rule forbids that are called by name; the rest is counted
FORBIDDING = {
    "emerald": ("turn.same-knight", "bribe.rests", "two.one-colour"),
    "dragons-cave": ("card.open", "two.home"),
    "gran": (
        "start.shared", "stone.block", "amulet.none", "city.peace", "attack.dragon", "attack.no-exile",
        "move.no-return", "ring.reachable", "stone.ring",
    ),
    "save-the-dragon": ("move.pass", "move.full"),
}  # fmt: skip
"""The rules worth telling when they forbid something; that a knight stands elsewhere needs no lesson."""


def lesson(state: State, seat: int, *, advised: bool) -> Lesson:
    """Say to a seat that has to choose what it may not choose and why, and where nobody else minds, what looks good."""
    if seat not in choosers(state):
        return Lesson([], [], [])
    good = promising(state, seat) if advised else []
    return Lesson(barred(state, seat), good, leads_to(state, seat, good))


def barred(state: State, seat: int) -> list[Barred]:
    """Group what a seat may not choose now by the rule that forbids it."""
    found: dict[str, list[int]] = {rule: [] for rule in FORBIDDING.get(state.game.box.name, ())}
    for action in range(state.game.num_distinct_actions()):
        rule = forbidding(state, seat, action)
        if rule in found:
            found[rule].append(action)
    name = state.game.scene.action
    return [
        Barred(rule, [name(state.game, seat, action) for action in actions[:NAMED]], max(0, len(actions) - NAMED))
        for rule, actions in found.items()
        if actions
    ]


def forbidding(state: State, seat: int, action: int) -> str | None:
    """Name the rule that forbids a choice, if one does."""
    try:
        return state.refusal(action, seat)
    except IllegalAction:
        return None


def leads_to(state: State, seat: int, actions: list[int]) -> list[str]:
    """List the places of the drawn board that choices lead to."""
    drawn = pictures.of(state.game.box)
    table = state.observation(seat)
    ways = [drawn.touched(table, seat, action) for action in actions] if drawn else []
    return sorted({way[-1] for way in ways if way})


def promising(state: State, seat: int) -> list[int]:
    """List what a good player would look at first; nothing where most choices are as good."""
    values = GreedyBot(0).values(view(state, seat))
    best = [action for action, value in values.items() if value == max(values.values())]
    return best if 2 * len(best) <= len(values) else []

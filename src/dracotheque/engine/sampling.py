"""Default sampling of chance outcomes and legal actions, from their lists; a game may have faster functions."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.dispatch import chance_outcomes, legal_actions, apply_chance
from dracotheque.engine.rule import compiled
from dracotheque.engine.rng import random_below


@compiled
def total_weight(workspace: Any) -> int:
    """Write the chance outcomes and their cumulative weights; return the total."""
    total = 0
    for i in range(chance_outcomes(workspace.game, workspace.out, workspace.weights)):
        total += workspace.weights[i]
        workspace.weights[i] = total
    return total


@compiled
def outcome_at(workspace: Any, point: int) -> int:
    """Return the outcome whose part of the cumulative weights has a point."""
    i = 0
    while point >= workspace.weights[i]:
        i += 1
    return workspace.out[i] + 0  # widened: one type of action, one compiled version of every rule


@compiled
def draw(workspace: Any) -> int:
    """Draw a chance outcome by its weight."""
    return outcome_at(workspace, random_below(workspace.stream, total_weight(workspace)))


@compiled
def play_chance(game: Any, workspace: Any) -> None:
    """Draw a chance outcome and apply it."""
    apply_chance(game, draw(workspace))


@compiled
def sample_action(game: Any, seat: int, workspace: Any) -> int:
    """Draw one of a seat's legal actions, each equally likely."""
    return workspace.out[random_below(workspace.stream, legal_actions(game, seat, workspace.out))] + 0

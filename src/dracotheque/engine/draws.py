"""Draws from lists: what chance brings, and any legal action; a game may have quicker ways of its own."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.dispatch import chance_outcomes, legal_actions, resolve
from dracotheque.engine.rule import compiled
from dracotheque.engine.stream import below


@compiled
def total_weight(desk: Any) -> int:
    """List what chance may bring and add the weights up, each heaped on those before it."""
    total = 0
    for i in range(chance_outcomes(desk.game, desk.out, desk.weights)):
        total += desk.weights[i]
        desk.weights[i] = total
    return total


@compiled
def outcome_at(desk: Any, height: int) -> int:
    """Find the outcome whose part of the heaped weights a height falls into."""
    i = 0
    while height >= desk.weights[i]:
        i += 1
    return desk.out[i] + 0  # widened: one type of action, one compiled version of every rule


@compiled
def draw(desk: Any) -> int:
    """Draw what chance brings, each outcome by its weight."""
    return outcome_at(desk, below(desk.stream, total_weight(desk)))


@compiled
def happen(game: Any, desk: Any) -> None:
    """Draw what chance brings and carry it out."""
    resolve(game, draw(desk))


@compiled
def choose(game: Any, seat: int, desk: Any) -> int:
    """Pick one of a seat's legal actions, each as likely."""
    return desk.out[below(desk.stream, legal_actions(game, seat, desk.out))] + 0

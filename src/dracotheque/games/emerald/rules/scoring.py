"""Emerald: how a finished game is counted and who has won."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import compiled, rule, seats
from dracotheque.games.emerald.rules.state import KINDS, SEATS, VALUES


@rule("score.majorities")
def majority(game: Any, kind: int) -> int:
    """The seat with most gems of a kind, or SEATS where there is a tie."""
    best = 0
    holder = SEATS
    for seat in range(seats(game)):
        if game.gems[seat][kind] > best:
            best = game.gems[seat][kind]
            holder = seat
        elif game.gems[seat][kind] == best:
            holder = SEATS
    return holder


@rule("score.count")
def scores(game: Any, out: Any) -> None:
    """Gold as printed, treasures five, gems one, bonus cards four."""
    for seat in range(seats(game)):
        points = 5 * game.treasures[seat] + gem_cards(game, seat)
        for value in range(VALUES):
            points += (value + 1) * game.gold[seat][value]
        if game.four_gems == seat + 1:
            points += 4
        out[seat] = points
    for kind in range(KINDS):
        holder = majority(game, kind)
        if holder < SEATS:
            out[holder] += 4


@compiled
def gem_cards(game: Any, seat: int) -> int:
    """Count a player's gem cards."""
    gems = game.gems[seat]
    return gems[0] + gems[1] + gems[2] + gems[3]


@rule("score.winner", "score.shared")
def winners(game: Any, points: Any, out: Any) -> None:
    """Most points, then most treasures, then most gems; who is still level shares the victory."""
    best = 0
    for seat in range(seats(game)):
        out[seat] = (points[seat] * 8 + game.treasures[seat]) * 32 + gem_cards(game, seat)
        best = max(best, out[seat] + 0)
    for seat in range(seats(game)):
        out[seat] = out[seat] == best

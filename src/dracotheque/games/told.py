"""What the games share when they are told: crests, questions and events in short, points and winners."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.words import Event, Phrase, phrase

ALL_CRESTS = ("lion", "tower", "star", "oak", "wave", "falcon")
"""The players' crests, in the order of their seats; a game for fewer leaves the last ones away."""


def seat_name(seat: int) -> Phrase:
    """Name a player by the crest, as the beginning of a sentence."""
    return phrase(f"seat.{ALL_CRESTS[seat]}")


def asked(rule: str, key: str, **gaps: Any) -> Event:
    """Write a question in short."""
    return Event(rule, phrase(f"question.{key}", **gaps))


def event(rule: str, key: str, **gaps: Any) -> Event:
    """Write an event in short."""
    return Event(rule, phrase(f"event.{key}", **gaps))


def points(scoring: Any, table: Any) -> list[int]:
    """Let a game's rules count everybody's points."""
    out = [0] * table.players
    scoring.scores(table, out)
    return out


def winners(scoring: Any, table: Any) -> list[int]:
    """Let a game's rules say who has won."""
    flags = [0] * table.players
    scoring.winners(table, points(scoring, table), flags)
    return [seat for seat in range(table.players) if flags[seat]]

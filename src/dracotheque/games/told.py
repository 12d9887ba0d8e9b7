"""What the games share when they are told: crests, questions and events in short, points and winners."""

from __future__ import annotations

from collections.abc import Mapping
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


def faded(told: Event, vague: Mapping[str, str]) -> Event:
    """Tell something again without its details: phrases by the keys of `vague` become those beside them."""
    return Event(told.rule, _vague(told.phrase, vague))


def _vague(said: Any, vague: Mapping[str, str]) -> Any:
    """Replace the phrases that must not be told again, wherever they stand in another."""
    if not isinstance(said, Phrase):
        return said
    if said.key in vague:
        return Phrase(vague[said.key])
    return Phrase(said.key, {name: _vague(gap, vague) for name, gap in said.gaps.items()})


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

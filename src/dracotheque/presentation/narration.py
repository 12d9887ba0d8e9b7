"""Helpers for the text of games: crests, prompts and events in short, points and winners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from dracotheque.engine.default_text import CRESTS as ALL_CRESTS
from dracotheque.engine.default_text import seat_name
from dracotheque.engine.phrases import FilledPhrase, GameEvent, Phrase, phrase
from dracotheque.engine.plain_state import PlainState

__all__ = ["ALL_CRESTS", "seat_name"]


def asked(rule: str, key: str, **gaps: Any) -> GameEvent:
    """Write a question in short."""
    return GameEvent(rule, phrase(f"question.{key}", **gaps))


def event(rule: str, key: str, **gaps: Any) -> GameEvent:
    """Write an event in short."""
    return GameEvent(rule, phrase(f"event.{key}", **gaps))


def faded(told: GameEvent, vague: Mapping[str, str]) -> GameEvent:
    """Tell something again without its details: phrases by the keys of `vague` become those beside them."""
    said = _vague(told.phrase, vague)
    return told if said is told.phrase else GameEvent(told.rule, said)


def _vague(said: Phrase, vague: Mapping[str, str]) -> Phrase:
    """Replace phrases that must not be shown again, at any depth of other phrases."""
    if said.key in vague:
        return Phrase(vague[said.key])
    changed: dict[str, Any] = {}
    for name, gap in said.gaps.items():
        if gap.__class__ is Phrase and gap.key not in vague:
            continue  # nothing in it can be vague: most gaps are such phrases
        if isinstance(gap, Phrase) and (other := _vague(gap, vague)) is not gap:
            changed[name] = other
    return FilledPhrase(said.key, {**said.gaps, **changed}) if changed else said


class Scoring(Protocol):
    """The rules of a game, as far as they count points."""

    def scores(self, game: PlainState, out: list[int]) -> None:
        """Write everybody's points."""
        ...

    def winners(self, game: PlainState, points: list[int], out: list[int]) -> None:
        """Mark who has won."""
        ...


def points(scoring: Scoring, table: PlainState) -> list[int]:
    """Let a game's rules count everybody's points."""
    out = [0] * table.players
    scoring.scores(table, out)
    return out


def winners(scoring: Scoring, table: PlainState) -> list[int]:
    """Let a game's rules say who has won."""
    flags = [0] * table.players
    scoring.winners(table, points(scoring, table), flags)
    return [seat for seat in range(table.players) if flags[seat]]

"""Helpers for the text of games: crests, prompts for who is asked and who is not, events, points and winners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from dracotheque.engine.default_text import CRESTS as ALL_CRESTS
from dracotheque.engine.default_text import seat_name
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import FilledPhrase, GameEvent, Phrase, phrase
from dracotheque.engine.plain_state import PlainState

__all__ = ["ALL_CRESTS", "seat_name"]


def asked(rule: str, key: str, **gaps: Any) -> GameEvent:
    """Return a prompt of the catalogue, with its rule."""
    return GameEvent(rule, phrase(f"question.{key}", **gaps))


def third_person(game: Game, prompt: Phrase, seats: Sequence[int]) -> Phrase:
    """Return a prompt as viewers read it who are not asked: the catalogue's `watch` phrase, or that seats choose."""
    section = "watch" if len(seats) == 1 else "watch_several"
    _, dot, question = prompt.key.partition(".")
    key, known = f"{section}{dot}{question}", game.words("en")
    if not (known.has(key) or known.has(f"{key}.many")):
        key, prompt = f"generic.{section}", Phrase(key)
    named = {"name": game.text.seat_name(seats[0])} if len(seats) == 1 else {}
    return phrase(key, **prompt.gaps, **named)


def event(rule: str, key: str, **gaps: Any) -> GameEvent:
    """Return an event of the catalogue, with its rule."""
    return GameEvent(rule, phrase(f"event.{key}", **gaps))


def redacted(event: GameEvent, vague: Mapping[str, str]) -> GameEvent:
    """Return an event without details: phrases with a key in `vague` are replaced by the phrase that it maps to."""
    phrase = _vague(event.phrase, vague)
    return event if phrase is event.phrase else GameEvent(event.rule, phrase)


def _vague(phrase: Phrase, vague: Mapping[str, str]) -> Phrase:
    """Return a phrase with those in `vague` replaced, at any depth."""
    if phrase.key in vague:
        return Phrase(vague[phrase.key])
    changed: dict[str, Any] = {}
    for name, gap in phrase.gaps.items():
        if gap.__class__ is Phrase and gap.key not in vague:
            continue  # it has no gaps to replace: most are such phrases
        if isinstance(gap, Phrase) and (other := _vague(gap, vague)) is not gap:
            changed[name] = other
    return FilledPhrase(phrase.key, {**phrase.gaps, **changed}) if changed else phrase


class Scoring(Protocol):
    """The functions of a game's rules that count points."""

    def scores(self, game: PlainState, out: list[int]) -> None:
        """Write the points of every seat to `out`."""
        ...

    def winners(self, game: PlainState, points: list[int], out: list[int]) -> None:
        """Write 1 to `out` for every winner."""
        ...


def points(scoring: Scoring, table: PlainState) -> list[int]:
    """Return the points of every seat by a game's rules."""
    out = [0] * table.players
    scoring.scores(table, out)
    return out


def winners(scoring: Scoring, table: PlainState) -> list[int]:
    """Return the winners by a game's rules."""
    flags = [0] * table.players
    scoring.winners(table, points(scoring, table), flags)
    return [seat for seat in range(table.players) if flags[seat]]

"""The parts of a board on the page: pieces at places, and the holdings of each seat."""

from __future__ import annotations

from msgspec import Struct

from dracotheque.engine.phrases import Phrase


class Piece(Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that stands at a place: what it is, whose (a seat, or -1), its value, which way it faces."""

    kind: str
    place: str
    seat: int = -1
    value: int = 0
    turn: int = 0
    label: Phrase | None = None


class PiecePatch(Struct, omit_defaults=True, gc=False):
    """A piece that a move has made, or what is different of one; with kind and place it is a whole piece."""

    kind: str = ""
    place: str = ""
    seat: int = -1
    value: int = 0
    turn: int = 0
    label: Phrase | None = None


class Holding(Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that lies before a seat: how many of a kind, and their value where the viewer may know it."""

    kind: str
    count: int = 1
    value: int | None = None
    label: Phrase | None = None


SCORE, PART_OF_SCORE = "score", "score-part"


def score(points: int, label: Phrase | None = None, *, goal: int | None = None) -> Holding:
    """Return the score of a seat, and out of how many where that many win."""
    return Holding(SCORE, points, goal, label)


def part_of_score(points: int, label: Phrase, more: int | None) -> Holding:
    """Return what all may know of a score of which some is face down: `more`, where the viewer may know it."""
    return Holding(PART_OF_SCORE, points, more, label)

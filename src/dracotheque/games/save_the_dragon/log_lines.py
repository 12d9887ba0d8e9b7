"""Save the Dragon: what a move adds to the log."""

from __future__ import annotations

from collections.abc import Sequence

from dracotheque.engine.phrases import GameEvent, Phrase, phrase
from dracotheque.presentation.log_lines import NOBODY, LineWriter, LogLine, key_of, seat_of
from dracotheque.games.save_the_dragon.names import Table
from dracotheque.games.save_the_dragon.rules.state import STANDS

BOULDER = phrase("log.boulder.name")
SET_UP = ("lots", "agreed")
TO_THE_MOVE = ("die", "spends", "passes", "declines", "stuck", "puts_shield", "shuts")
"""Events that continue what a player did."""
TO_THE_FALL = (
    "nobody_there", "shield_stops", "hit", "brushed", "topples", "falls", "lies", "righted_beside", "righted_below",
    "righted_on_floor", "token",
)  # fmt: skip
"""Events that continue what the boulder did; who gets up where they fell needs no word."""


def lines(before: Table, events: Sequence[GameEvent], after: Table) -> list[LogLine]:
    """Return what a move adds to the log; a turn begins where an event says whose it is."""
    log = LineWriter()
    for number, event in enumerate(events):
        key, seat = key_of(event), seat_of(event)
        if key == "walks":
            log.add(seat, _way(event))
        elif key in TO_THE_MOVE:
            log.add(seat, number)
        elif key == "shuts_out":
            log.add(seat, phrase("log.shuts", door=event.phrase.gaps["door"]))
        elif key == "lets_go":
            log.add(phrase("log.boulder.door", door=event.phrase.gaps["door"]))
        elif key == "nobody_there":
            log.add(log.lines[-1].actor, number)
        elif key == "down" and all(fate == STANDS for fate in before.fate):
            log.add(BOULDER, phrase("log.hits_nobody"))
        elif key in TO_THE_FALL:
            log.add(BOULDER, number)
        elif key == "through":
            log.add(seat, _through(event), icon="win", apart=True)
        elif key == "wins":
            log.add(seat, number)
        elif key in SET_UP:
            log.add(NOBODY, number)
        if key in ("next", *SET_UP):
            log.begin(seat)
    return log.lines


def _way(event: GameEvent) -> Phrase:
    """Return a walk: “b3 → b5”."""
    return phrase("log.way", start=_start(event), to=event.phrase.gaps["spot"])


def _through(event: GameEvent) -> Phrase:
    """Return the way through a door: “c8 → door b”."""
    return phrase("log.way", start=_start(event), to=phrase("log.door", door=event.phrase.gaps["door"]))


def _start(event: GameEvent) -> Phrase | str:
    """Name the space where a walk began."""
    return event.phrase.gaps["start"].gaps.get("spot", phrase("log.bottom"))

"""Emerald: what a move adds to the log."""

from __future__ import annotations

from collections.abc import Sequence

from dracotheque.engine.phrases import GameEvent, Phrase, phrase
from dracotheque.presentation.log_lines import NOBODY, LineWriter, LogLine, key_of, seat_of
from dracotheque.games.emerald.names import Table

DRAGON, TRACK = phrase("log.dragon.name"), phrase("log.track.name")
TO_THE_MOVE = ("only_card", "chosen_card", "treasure", "last_treasure")
"""Events that continue what a player's knight did."""
TO_THE_FLIGHT = {"turns": "", "captured": "captured", "victim": "captured"}
"""Events that continue what the dragon did, each with its icon."""
OWN_LINE = {"no_gold": "captured", "given_up": "captured", "ransomed": "", "last_knight": ""}
WON = ("wins", "wins_by_treasures", "wins_by_gems", "shares")


def lines(before: Table, events: Sequence[GameEvent], after: Table) -> list[LogLine]:
    """Return what a move adds to the log; a turn begins where an event says whose it is, or the set-up is done."""
    log = LineWriter()
    for number, event in enumerate(events):
        key, seat = key_of(event), seat_of(event)
        if key in ("castle", "road"):
            log.add(seat, _way(event))
        elif key in TO_THE_MOVE:
            log.add(before.active, number)
        elif key.startswith("flight."):
            flight = {"die": int(key[-1]), "start": phrase("place.cave", number=before.dragon + 1)}
            log.add(DRAGON, phrase("log.flight", to=after.dragon + 1, **flight))
        elif key in TO_THE_FLIGHT:
            log.add(DRAGON, number, icon=TO_THE_FLIGHT[key])
        elif key == "all_alike":
            log.add(DRAGON, phrase("log.captured", knight=event.phrase.gaps["knight"]), icon="captured")
        elif key in ("rod_advances", "rod_stops"):
            _track(log, event, number)
        elif key == "four_gems":
            log.add(seat, number, icon="bonus", apart=True)
        elif key in OWN_LINE:
            log.add(seat, number, icon=OWN_LINE[key], apart=True)
        elif key in WON:
            log.add(seat, number, icon="win", apart=True)
        elif key in ("lots", "agreed"):
            log.add(NOBODY, number)
        elif key == "next":
            log.begin(seat)
    if any(key_of(event) == "board" for event in events):
        log.begin(after.active)
    return log.lines


def _way(event: GameEvent) -> Phrase:
    """Return a knight's way, each place once: “field 4 → 6 (2)”; with the colour where a player has two."""
    gaps = event.phrase.gaps
    start, end, knight = gaps["from_place"], gaps["to_place"], gaps["knight"].key.removeprefix("knight.")
    steps = gaps["count"]
    if knight != "plain":
        steps = phrase("log.with_colour", steps=steps, colour=phrase(f"crest.{knight}"))
    to = end.gaps["number"] if start.key == end.key else end
    return phrase("log.way", start=start, to=to, steps=steps)


def _track(log: LineWriter, event: GameEvent, number: int) -> None:
    """Say where the track is now, after the flight if that was the last thing said."""
    after_flight = log.lines and log.lines[-1].actor == DRAGON
    if key_of(event) == "rod_stops":
        log.add(DRAGON if after_flight else TRACK, number)
    elif after_flight:
        log.add(DRAGON, number)
    else:
        log.add(TRACK, phrase("log.caves", **event.phrase.gaps))

"""Gran: what a move adds to the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dracotheque.engine.phrases import GameEvent, Phrase, phrase
from dracotheque.presentation.log_lines import NOBODY, LineWriter, LogLine, key_of, seat_named, seat_of
from dracotheque.presentation.narration import seat_name

# isort: off
from dracotheque.games.gran.rules.state import CITY
from dracotheque.games.gran.names import Table, _of, kingdom_name, point_name

DUEL = phrase("log.duel.name")
WAYS = (
    "sets_out", "goes", "goes_on", "flies", "flies_above", "flies_over_stone", "flies_over_city", "flies_over_start",
)  # fmt: skip
TO_THE_MOVE = {
    "ring_taken": "", "ring_on_the_way": "", "ring_changes_hands": "", "seal": "seal", "owned": "", "amulets": "",
    "stone_laid": "", "no_reserve": "", "no_point": "", "no_stone": "", "no_lift": "",
}  # fmt: skip
"""Events that continue what a knight did, each with its icon."""
TO_THE_DUEL = ("card", "card_zero", "wins_duel", "loses_duel", "loses_amulet")


def lines(before: Table, events: Sequence[GameEvent], after: Table) -> list[LogLine]:
    """Return what a move adds to the log; a turn begins where an event says whose it is, or that it is passed."""
    log, seat = LineWriter(), before.active
    for number, event in enumerate(events):
        key = key_of(event)
        if key in ("next", "blocked", "collar_off"):
            log.begin(seat_of(event))
        if key in WAYS:
            log.add(seat, _way(before, after))
        elif key in _SAID:
            log.add(seat, _SAID[key](before, event, after))
        elif key in TO_THE_MOVE:
            log.add(seat, number, icon=TO_THE_MOVE[key])
        elif key in TO_THE_DUEL:
            log.add(DUEL, number)
        elif key == "collar":
            log.add(DUEL if log.lines and log.lines[-1].actor == DUEL else seat, number)
        elif key in ("blocked", "collar_off"):
            log.add(seat_of(event), number)
        elif key in ("all_blocked", "cut_off", "lots", "agreed"):
            log.add(NOBODY, number)
        elif key == "wins":
            log.add(seat_of(event), number, icon="win", apart=True)
        if key in ("lots", "agreed"):
            log.begin(seat_of(event))
    return log.lines


def _way(before: Table, after: Table) -> Phrase:
    """Return a step: “T5 → T10”; a city goes by its name."""
    seat = before.active
    return phrase("log.way", start=_at(before, before.place[seat]), to=_at(before, after.place[seat]))


def _at(table: Table, point: int) -> Phrase | str:
    """Name a point: a city by its kingdom, any other by its number on the map."""
    if table.kind[point] == CITY:
        return phrase("log.city", of=_of(table.kingdom[point]))
    return point_name(table.board, point)


def _attack(before: Table, event: GameEvent, after: Table) -> Phrase:
    """Return who was attacked, and how many amulets are left to the attacker."""
    left = event.phrase.gaps["left"].gaps.get("count", 0)
    amulets = phrase("amulets", count=left) if left else phrase("amulets.none")
    return phrase("log.attacks", seat=seat_name(seat_named(event.phrase.gaps["whom"])), amulets=amulets)


def _banished(before: Table, event: GameEvent, after: Table) -> Phrase:
    """Return where a knight was banished to."""
    gaps = event.phrase.gaps
    return phrase("log.banished", seat=seat_name(seat_named(gaps["whom"])), point=gaps["point"])


def _ring_laid(before: Table, event: GameEvent, after: Table) -> Phrase:
    """Return where the ring lies now, and in which kingdom."""
    kingdom = kingdom_name(after.kingdom[after.ring])
    return phrase("log.ring_laid", point=point_name(after.board, after.ring), kingdom=kingdom)


def _stone_moved(before: Table, event: GameEvent, after: Table) -> Phrase:
    """Return from where to where an obstacle was moved."""
    start = point_name(before.board, before.lifted)
    return phrase("log.stone_moved", start=start, to=event.phrase.gaps["point"])


_SAID: dict[str, Callable[[Table, GameEvent, Table], Phrase]] = {
    "attacks": _attack,
    "banished": _banished,
    "ring_laid": _ring_laid,
    "stone_moved": _stone_moved,
}
"""Events that are said otherwise in the log."""

"""Dragon's Cave: what a move adds to the log. Its turns are rounds, each of them the dragon player's."""

from __future__ import annotations

from collections.abc import Sequence

from dracotheque.engine.phrases import GameEvent, Phrase, phrase
from dracotheque.presentation.log_lines import NOBODY, LineWriter, LogLine, key_of, seat_of
from dracotheque.games.dragons_cave.names import Table

SET_UP = ("lots", "agreed")
ROUND_BEGINS = ("passed", "roles_stay", "swapped_by_chest", "swapped_by_fright")
PARTS = ("dragon", "dragon_of_two", "safe", "coins", "banked", "banked_openly", "nothing_banked")
"""Events that continue what a player did."""
CARDS = ("ahead", "lair", "back", "stays", "guarded")
"""Events that say which card was played, and where it led."""
WON = ("wins", "wins_by_place", "wins_by_both_dwarves", "shares")


def lines(before: Table, events: Sequence[GameEvent], after: Table) -> list[LogLine]:
    """Return what a move adds to the log, one line for each dwarf; a round begins where its dragon is named."""
    log = LineWriter()
    for seat, parts in _of_players(before, events).items():
        log.add(seat, *parts)
    for number, event in enumerate(events):
        key, seat = key_of(event), seat_of(event)
        if key == "reward":
            log.add(seat, number, icon="bonus", apart=True)
        elif key in WON:
            log.add(seat, number, icon="win", apart=True)
        elif key in ("shortage", "last_round", "last_coin", *SET_UP):
            log.add(NOBODY, number)
        if key in (*ROUND_BEGINS, *SET_UP):
            log.begin(seat)
    return log.lines


def _of_players(before: Table, events: Sequence[GameEvent]) -> dict[int, list[int | Phrase]]:
    """Return what each player did, the dragon first: events come step by step, lines player by player."""
    found: dict[int, list[int | Phrase]] = {}
    for number, event in enumerate(events):
        key, seat = key_of(event), seat_of(event)
        if key in CARDS:
            found.setdefault(seat, []).append(_card(event))
        elif key in PARTS:
            found.setdefault(seat, []).append(number)
        elif key in ("left_fist", "right_fist"):
            found.setdefault(before.guessing, []).append(_fists(events[number - 1], event))
    return found


def _card(event: GameEvent) -> Phrase:
    """Return a card and where it led: “lantern → space 12”."""
    key, gaps = key_of(event), event.phrase.gaps
    card = gaps["card"]
    if key in ("lair", "stays"):
        return phrase(f"log.{key}", card=card)
    if "space" not in gaps["to"].gaps:
        return phrase("log.back_to_start", card=card)
    return phrase("log.ahead" if key == "ahead" else "log.back", card=card, space=gaps["to"].gaps["space"])


def _fists(opened: GameEvent, chosen: GameEvent) -> Phrase:
    """Return what was in two fists and what the dragon took, in numbers as long as events have them."""
    left, right, lost = opened.phrase.gaps["left"], opened.phrase.gaps["right"], chosen.phrase.gaps["lost"]
    if "coins.some" in (left.key, right.key, lost.key):
        return phrase("log.fists_opened")
    return phrase("log.fists", left=_number(left), right=_number(right), lost=_number(lost))


def _number(coins: Phrase) -> int:
    """Return a number of coins."""
    return coins.gaps.get("count", 0)

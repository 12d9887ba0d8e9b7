"""Dragon's Cave in phrases: what choices and outcomes are called, what is asked, and the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent, Phrase, phrase
from dracotheque.presentation.score_rows import ScoreRow, tie_rows, total_of
from dracotheque.presentation.narration import asked, redacted, seat_name

# isort: off
from dracotheque.games.dragons_cave.rules import mechanics, scoring
from dracotheque.games.dragons_cave.rules.state import (
    CHEST, GUESS, HOLD, LEFT_FIST, LOTS, NICHE, OVER, PLACE, SEAL, SECOND_DWARF, SPLIT, START,
)  # fmt: skip
from dracotheque.games.dragons_cave.names import CRESTS, Table, _back, _coins, _dwarf_players, _to, action, crest
from dracotheque.games.dragons_cave.events import events
from dracotheque.games.dragons_cave.names import board_name

__all__ = [
    "CRESTS",
    "EXPLAINED_RULES",
    "action",
    "board_name",
    "crest",
    "events",
    "outcome",
    "plays_open",
    "preview",
    "prompt",
    "redact",
    "score_rows",
    "seat_name",
]
EXPLAINED_RULES = ("card.open", "two.home")


def outcome(game: Game, outcome: int) -> Phrase:
    """Name what chance brings: the first dragon."""
    return phrase("outcome.begins", seat=seat_name(outcome))


# --- What is asked ----------------------------------------------------------------------------------------------
def prompt(table: Table) -> GameEvent:
    """Return the question to be decided now, and its rule."""
    return _QUESTIONS[table.phase](table)


def _ask_card(table: Table) -> GameEvent:
    """Return the question for a card, and with two players for its dwarf."""
    if table.players > 2:
        return asked("card.seal", "card")
    if mechanics.home(table, table.to_move):
        return asked("two.home", "card_for_second")
    if mechanics.home(table, table.to_move + 2):
        return asked("two.home", "card_for_first")
    return asked("two.name", "card_and_dwarf")


def _ask_fist(table: Table) -> GameEvent:
    """Return the question to the dragon for one of two fists."""
    coins = _coins(table.purse[table.guessing])
    return asked("fright.guess", "fist", seat=seat_name(table.guessing), coins=coins)


_QUESTIONS: dict[int, Callable[[Table], GameEvent]] = {
    LOTS: lambda table: asked("setup.first-dragon", "lots"),
    SEAL: _ask_card,
    PLACE: lambda table: asked("dragon.place", "niche"),
    SPLIT: lambda table: asked("fright.split", "split"),
    GUESS: _ask_fist,
    OVER: lambda table: asked("end.over", "over"),
}


# --- What a choice would lead to --------------------------------------------------------------------------------
def preview(table: Table, seat: int, action: int) -> Phrase | None:
    """Return what a legal choice leads to, as far as the seat can know, or None where its name says it all."""
    if action < NICHE:
        second, card = divmod(action, SECOND_DWARF)
        return _preview_chest(table, seat) if card == CHEST else _preview_card(table, seat + 2 * second, card)
    if action < LEFT_FIST:
        return _preview_niche(table, action - NICHE)
    return phrase("preview.right", coins=_coins(table.purse[seat] + HOLD - action)) if action >= HOLD else None


def _preview_card(table: Table, dwarf: int, kind: int) -> Phrase:
    """Return where a card leads, and where to if the dragon sits there."""
    start = table.place[dwarf]
    back = mechanics.behind(table, start, kind)
    if start == START:
        return phrase("preview.or_stay", way=_preview_way(table, dwarf, kind))
    return phrase("preview.or_back", way=_preview_way(table, dwarf, kind), back=_back("back", back))


def _preview_way(table: Table, dwarf: int, kind: int) -> Phrase:
    """Return where a card leads, what it earns, and whether the game ends with it."""
    target = mechanics.ahead(table, table.place[dwarf], kind)
    to, coins = _to(table, target), mechanics.coins_at(table, target)
    if runs_out(table, target):
        return phrase("preview.runs_out", to=to)
    gain = phrase("gain", count=coins) if coins else _coins(coins)
    return phrase("preview.way_ends" if all_home(table, dwarf, target) else "preview.way", to=to, coins=gain)


def runs_out(table: Table, target: int) -> bool:
    """Return whether a dwarf that comes to a place takes the last coin of the treasure."""
    return mechanics.coins_at(table, target) >= table.treasure


def all_home(table: Table, dwarf: int, target: int) -> bool:
    """Return whether a dwarf that comes to a place ends the game from the lair: with two players, after the other."""
    return target > table.length and (table.players > 2 or mechanics.home(table, (dwarf + 2) % 4))


def _preview_chest(table: Table, seat: int) -> Phrase:
    """Return what the Chest would save, and with two players that roles are swapped."""
    purse = table.purse[seat]
    safe = phrase("preview.chest", coins=_coins(purse)) if purse else phrase("preview.chest_empty")
    return phrase("preview.swap", safe=safe) if table.players == 2 else safe


def _preview_niche(table: Table, kind: int) -> Phrase:
    """Return who can have that card, as the open cards show, and what is in their purses."""
    seats = suspects(table, kind)
    if not seats:
        return phrase("preview.nobody")
    *first, last = (phrase("preview.suspect", seat=seat_name(seat), coins=_coins(table.purse[seat])) for seat in seats)
    listed = last
    for suspect in reversed(first):
        listed = phrase("preview.listed", suspect=suspect, others=listed)
    return phrase("preview.suspects", suspects=listed)


def suspects(table: Table, kind: int) -> list[int]:
    """Return who can have played that card, as the open cards show, from the dragon's left on."""
    return [seat for seat in _dwarf_players(table) if table.hand[seat] >> kind & 1]


# --- Secrets ----------------------------------------------------------------------------------------------------
def plays_open(options: Mapping[str, str]) -> bool:
    """Whether the options leave the chests open."""
    return options["chests"] == "open"


def redact(event: GameEvent) -> GameEvent:
    """Return an event without numbers of coins: they may be in a closed chest by now."""
    return redacted(event, {"coins": "coins.some", "coins.none": "coins.some"})


# --- The score sheet --------------------------------------------------------------------------------------------
def score_rows(table: Table) -> list[ScoreRow]:
    """Return the coins: in the purse, in the chest, both together, and at a tie how far the dwarves have come."""
    rows = [
        ScoreRow(phrase("score.purse"), "score.count", table.purse[: table.players]),
        ScoreRow(phrase("score.chest"), "score.count", table.chest[: table.players]),
    ]
    total = total_of(phrase("drawn.coins"), "score.winner", rows)
    way = [scoring.progress(table, seat) for seat in range(table.players)]
    key, rule = ("tie_places", "two.tie") if table.players == 2 else ("tie_place", "score.winner")
    return [*rows, total, *tie_rows(total.counts, [(phrase(f"score.{key}"), rule, way)])]

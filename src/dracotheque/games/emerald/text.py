"""Emerald in phrases: what choices and outcomes are called, what is asked, and the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent, Phrase, phrase
from dracotheque.presentation.score_rows import ScoreRow, tie_rows, total_of
from dracotheque.presentation.narration import asked, redacted, seat_name

# isort: off
from dracotheque.games.emerald.rules import mechanics, scoring
from dracotheque.games.emerald.rules.state import (
    BRIBE, CAPTURE, CAPTURE_MOVED, CARD, CAVES, CHAMBER, DIE, FIRST_CAVE, FIRST_PLAYER, GEM, GOLD,
    KINDS, LOTS, MOVE, OVER, PASS, PAY, REVEAL, ROLL, SECOND_COLOUR, SURRENDER, TAKE_GEM,
    TAKE_GOLD, VICTIM,
)  # fmt: skip
from dracotheque.games.emerald.names import (
    CRESTS, GEMS, Table, _card, _gold_value, _knights_in_play, _other_knight, _the_card, action, place,
)  # fmt: skip
from dracotheque.games.emerald.events import events
from dracotheque.games.emerald.names import crest

__all__ = [
    "CRESTS",
    "EXPLAINED_RULES",
    "action",
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
EXPLAINED_RULES = ("turn.same-knight", "bribe.rests", "two.one-colour")


def outcome(game: Game, outcome: int) -> Phrase:
    """Name what chance brings."""
    if outcome < ROLL:
        return phrase("outcome.begins", seat=seat_name(outcome - FIRST_PLAYER))
    if outcome < GEM:
        return phrase("outcome.die", value=outcome - ROLL + 1)
    return _card(0, outcome - GEM) if outcome < GOLD else _card(CAVES, outcome - GOLD)


# --- What is asked ----------------------------------------------------------------------------------------------
def prompt(table: Table) -> GameEvent:
    """Ask what has to be decided now, and say by which rule."""
    return _QUESTIONS[table.phase](table)


def _ask_move(table: Table) -> GameEvent:
    """Ask for a knight: the first one, or the second that may or must follow."""
    if table.moves == 0:
        return asked("turn.one-or-two", "first_move")
    knight = _other_knight(table.players, table.colour)
    if table.second_move:
        return asked("option.second-move", "must_follow", knight=knight)
    return asked("turn.one-or-two", "may_follow", knight=knight)


def _ask_card(table: Table) -> GameEvent:
    """Ask which of two cards is taken."""
    cave = table.moved - FIRST_CAVE
    gem, gold = (_the_card(pile, table.top[pile]) for pile in (cave, CAVES + cave))
    return asked("card.take", "card", gem=gem, gold=gold, cave=cave + 1)


def _ask_victim(table: Table) -> GameEvent:
    """Ask whom the dragon captures."""
    return asked("dragon.victim", "victim", cave=table.dragon + 1)


def _ask_ransom(table: Table) -> GameEvent:
    """Ask the owner of a captured knight whether to pay for it."""
    return asked("bribe.owner-decides", "ransom", cave=table.dragon + 1)


def _await_card(table: Table) -> GameEvent:
    """Return which card chance turns."""
    rule = "setup.cards" if table.dealt < 2 * CAVES else "card.reveal"
    return asked(rule, "gem_turned" if table.turning < CAVES else "gold_turned", cave=table.turning % CAVES + 1)


_QUESTIONS: dict[int, Callable[[Table], GameEvent]] = {
    LOTS: lambda table: asked("setup.first-player", "lots"),
    REVEAL: _await_card,
    DIE: lambda table: asked("dragon.flight", "die"),
    MOVE: _ask_move,
    CARD: _ask_card,
    VICTIM: _ask_victim,
    BRIBE: _ask_ransom,
    OVER: lambda table: asked("end.at-once", "over"),
}


# --- What a choice would lead to --------------------------------------------------------------------------------
def preview(table: Table, seat: int, action: int) -> Phrase | None:
    """Return what a legal choice leads to, or None where its name says it all."""
    if action < PASS:
        return _preview_move(table, seat, action % SECOND_COLOUR)
    if action in (TAKE_GEM, TAKE_GOLD):
        return _preview_card(table, seat, action)
    if CAPTURE <= action < SURRENDER:
        return _preview_capture(table, table.colour if action == CAPTURE_MOVED else action - CAPTURE)
    if action == SURRENDER:
        ends = _knights_in_play(table, seat) == 2
        return phrase("preview.nest_ends" if ends else "preview.nest")
    return phrase("preview.rests", cave=table.dragon + 1) if action >= PAY else None


def _preview_move(table: Table, seat: int, start: int) -> Phrase:
    """Return how far a knight goes, where it arrives, and what waits there."""
    target = mechanics.destination(table, start)
    if target >= CHAMBER:
        ends = table.treasures_left == 1 or _knights_in_play(table, seat) == 2
        return phrase("preview.chamber_ends" if ends else "preview.chamber")
    way = phrase("preview.way", count=mechanics.distance(table, start), to_place=place(target))
    if target < FIRST_CAVE:
        return way
    cave = target - FIRST_CAVE
    key = "preview.cave_wakes" if mechanics.wakes(table, cave) else "preview.cave"
    return phrase(key, way=way, cards=_cards_at(table, cave))


def _cards_at(table: Table, cave: int) -> Phrase:
    """Name the cards that lie face up at a cave."""
    cards = [_card(pile, table.top[pile]) for pile in (cave, CAVES + cave) if table.pile[pile] > 0]
    if len(cards) == 2:
        return phrase("preview.either", gem=cards[0], gold=cards[1])
    return cards[0] if cards else phrase("preview.no_card")


def _preview_card(table: Table, seat: int, action: int) -> Phrase:
    """Name the card that would be taken, and what a gem adds to those the player has."""
    cave = table.moved - FIRST_CAVE
    if action == TAKE_GOLD:
        return _card(CAVES + cave, table.top[CAVES + cave])
    kind = table.top[cave]
    gems = list(table.gems[seat])
    gems[kind] += 1
    if table.four_gems == 0 and all(gems):
        return phrase("preview.fourth_gem", gem=_card(cave, kind))
    return phrase("preview.gem", gem=_card(cave, kind), number=gems[kind])


def _preview_capture(table: Table, colour: int) -> Phrase:
    """Return whether the owner could pay: the number of gold cards is plain for all to see."""
    owner = colour % table.players
    cards = mechanics.gold_cards(table, owner)
    if cards > 0:
        return phrase("preview.can_pay", seat=seat_name(owner), count=cards)
    return phrase("preview.lost_ends" if _knights_in_play(table, owner) == 2 else "preview.lost", seat=seat_name(owner))


# --- What was laid away -----------------------------------------------------------------------------------------
def plays_open(options: Mapping[str, str]) -> bool:
    """Whether a table agreed to leave gold face up."""
    return options["gold"] == "open"


def redact(event: GameEvent) -> GameEvent:
    """Return a card without the value of gold: it is face down since."""
    return redacted(event, {"the.gold": "the.some_gold", "card.gold": "card.some_gold"})


# --- The score sheet --------------------------------------------------------------------------------------------
def score_rows(table: Table) -> list[ScoreRow]:
    """Return the score row by row, as the rulebook adds it up."""
    seats = range(table.players)
    rows = [
        _row("gold", "score.count", [_gold_value(table, seat) for seat in seats]),
        _row("treasures", "score.count", [5 * table.treasures[seat] for seat in seats]),
        _row("gems", "score.count", [scoring.gem_cards(table, seat) for seat in seats]),
        _row("four_gems", "bonus.four-gems", [4 * (table.four_gems == seat + 1) for seat in seats]),
        *(_majority_row(table, kind) for kind in range(KINDS)),
    ]
    total = total_of(phrase("hand.points"), "score.winner", rows)
    treasures = phrase("score.tie_treasures"), "score.winner", table.treasures[: table.players]
    gems = phrase("score.tie_gems"), "score.winner", [scoring.gem_cards(table, seat) for seat in seats]
    return [*rows, total, *tie_rows(total.counts, [treasures, gems])]


def _row(key: str, rule: str, counts: list[int | None]) -> ScoreRow:
    """Write a row of the sheet in short."""
    return ScoreRow(phrase(f"score.{key}"), rule, counts)


def _majority_row(table: Table, kind: int) -> ScoreRow:
    """Write the row of the bonus card for most gems of a kind."""
    holder = scoring.majority(table, kind)
    return _row(f"most_{GEMS[kind]}", "score.majorities", [4 * (holder == seat) for seat in range(table.players)])

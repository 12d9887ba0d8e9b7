"""Save the Dragon in phrases: what choices and outcomes are called, what is asked, and the score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent, Phrase, phrase
from dracotheque.presentation.score_rows import ScoreRow, total_of
from dracotheque.presentation.narration import asked, seat_name

# isort: off
from dracotheque.games.save_the_dragon.rules import mechanics
from dracotheque.games.save_the_dragon.rules.state import (
    ACTION, CHAMBER, CHANGE, DIE, DOOR, DOWN, FATE, FATES, FLOOR, GONE, LANE, LANES, LET_GO, LOTS, NOTCH,
    NOTCHED, NO_CHANGE, OVER, PUT_SHIELD, ROCK, ROCK_IN, ROLL, SEATS, SHUT, SHUT_DOOR, SIDE, SPOTS,
    STAY, STEPS, THROUGH, THROW, TO_SIDE, WALK,
)  # fmt: skip
from dracotheque.games.save_the_dragon.names import (
    CRESTS, LETTERS, Table, _copy, _in_reach, _longest, _sheltered, _steps, action, crest, spot_name,
)  # fmt: skip
from dracotheque.games.save_the_dragon.events import events

__all__ = [
    "CRESTS",
    "EXPLAINED_RULES",
    "action",
    "crest",
    "events",
    "outcome",
    "preview",
    "prompt",
    "score_rows",
    "seat_name",
]
EXPLAINED_RULES = ("move.pass", "move.full")


def outcome(game: Game, outcome: int) -> Phrase:
    """Name what chance brings: the first player, how the game is set up, a die, or what the rock does."""
    if outcome < SHUT:
        return phrase(f"outcome.{CRESTS[outcome]}")
    if outcome < NOTCHED:
        return phrase("outcome.shut", door=LETTERS[outcome - SHUT])
    if outcome < ROLL:
        return phrase("outcome.shield", spot=spot_name(outcome - NOTCHED))
    if outcome < ROCK:
        return phrase("outcome.die", steps=outcome - ROLL + 1)
    if outcome < ROCK_IN:
        return phrase("outcome.rock" if outcome == ROCK else "outcome.change")
    return _fall_name(outcome)


def _fall_name(outcome: int) -> Phrase:
    """Name what happens while the rock falls."""
    if outcome == ROCK_IN + GONE:
        return phrase("outcome.gone")
    if outcome < DOWN:
        return phrase("outcome.lane", lane=LETTERS[outcome - ROCK_IN])
    if outcome >= TO_SIDE:
        return phrase("outcome.side", lane=LETTERS[outcome - TO_SIDE])
    plain = {0: "stands", 1: "own_step", FATES - 1: "floor"}
    down = outcome - DOWN
    return phrase(f"outcome.{plain[down]}") if down in plain else phrase("outcome.down", count=down - 1)


# --- What is asked ----------------------------------------------------------------------------------------------
def prompt(table: Table) -> GameEvent:
    """Ask what has to be decided now, and say by which rule."""
    return _QUESTIONS[table.phase](table)


def _ask_walk(table: Table) -> GameEvent:
    """Ask for a walk: through a door where one is in reach, with tokens where there are any."""
    seat = table.to_move
    tokens = table.tokens[seat]
    if _in_reach(table, seat, table.die + tokens):
        return asked("move.door", "door", steps=_steps(table.die))
    if not _longest(table, seat, table.die + tokens):
        return asked("move.stuck", "stuck", steps=_steps(table.die))
    if tokens:
        return asked("token.spend", "tokens", steps=_steps(table.die), count=tokens)
    return asked("move.steps", "walk", steps=_steps(table.die))


def _ask_change(table: Table) -> GameEvent:
    """Ask where shield or door go, which the youngest may leave where they are."""
    if mechanics.may_skip(table, table.to_move):
        return asked("option.youngest", "may_change")
    return asked("change.must", "change")


_QUESTIONS: dict[int, Callable[[Table], GameEvent]] = {
    LOTS: lambda table: asked("setup.first-player", "lots"),
    DOOR: lambda table: asked("setup.door", "setup_door"),
    NOTCH: lambda table: asked("setup.shield", "setup_shield"),
    DIE: lambda table: asked("turn.die", "die"),
    WALK: _ask_walk,
    ACTION: lambda table: asked("turn.action", "action"),
    CHANGE: _ask_change,
    THROW: lambda table: asked("rock.throw", "throw"),
    LANE: lambda table: asked("rock.fall", "lane", step=table.step),
    FATE: lambda table: asked("rock.pawn", "fate", spot=spot_name(table.place[table.hit])),
    SIDE: lambda table: asked("rock.pawn", "side", spot=spot_name(table.place[table.hit])),
    OVER: lambda table: asked("end.door", "over"),
}


# --- What a choice would lead to --------------------------------------------------------------------------------
def preview(table: Table, seat: int, action: int) -> Phrase | None:
    """Return what a legal choice leads to, or None where its name says it all."""
    if action < THROUGH:
        return _preview_spot(table, action % SPOTS)
    if action < STAY:
        return _preview_through(table, seat, action - THROUGH)
    if PUT_SHIELD <= action < SHUT_DOOR:
        return _preview_shield(table, action - PUT_SHIELD)
    if SHUT_DOOR <= action < NO_CHANGE:
        return _preview_door(table, action - SHUT_DOOR)
    return _preview_rock(table, action - LET_GO) if action >= LET_GO else None


def _preview_spot(table: Table, spot: int) -> Phrase | None:
    """Return what is above a spot: a door, or the shield."""
    lane = spot % LANES
    if mechanics.step_of(spot) == STEPS:
        return phrase("preview.shut" if lane == table.shut else "preview.open", door=LETTERS[lane])
    return phrase("preview.sheltered") if _sheltered(table, spot) else None


def _preview_through(table: Table, seat: int, lane: int) -> Phrase:
    """Say that the way through a door wins, and how many tokens it takes."""
    after = _copy(table)
    mechanics.walk_through(after, seat, lane)
    spent = table.tokens[seat] - after.tokens[seat]
    return phrase("preview.wins_with", count=spent) if spent else phrase("preview.wins")


def _preview_shield(table: Table, spot: int) -> Phrase | None:
    """Return whom the shield would shelter."""
    lane = [table.place[seat] for seat in _pawns_in(table, spot % LANES)]
    behind = [place for place in lane if spot - place in (LANES, 2 * LANES)]
    named = [_standing(mechanics.pawn_on(table, place), place) for place in behind]
    return phrase("preview.shelters", pawns=_listed(named)) if named else None


def _preview_door(table: Table, lane: int) -> Phrase:
    """Return which door would be open instead, and who stands before the one that is shut."""
    gaps: dict[str, Any] = {"door": LETTERS[table.shut]}
    pawn = mechanics.pawn_on(table, (STEPS - 1) * LANES + lane)
    if pawn == SEATS:
        return phrase("preview.opens", **gaps)
    return phrase("preview.opens_before", pawn=_standing(pawn, table.place[pawn]), **gaps)


def _preview_rock(table: Table, lane: int) -> Phrase:
    """Return who and what stands in a lane, from the top down."""
    things = [(table.place[seat], _standing(seat, table.place[seat])) for seat in _pawns_in(table, lane)]
    if not things:
        return phrase("preview.nobody")
    if table.shield % LANES == lane:
        things.append((table.shield, phrase("shield", spot=spot_name(table.shield))))
    things.sort(key=lambda thing: -thing[0])
    return phrase("preview.in_lane", pawns=_listed([said for _, said in things]))


def _pawns_in(table: Table, lane: int) -> list[int]:
    """List whose pawns stand in a lane, from the top down."""
    found = [seat for seat in range(table.players) if table.place[seat] < SPOTS and table.place[seat] % LANES == lane]
    return sorted(found, key=lambda seat: -table.place[seat])


def _standing(seat: int, spot: int) -> Phrase:
    """Name a pawn with its space: “Yellow (b7)”."""
    return phrase("standing", seat=seat_name(seat), spot=spot_name(spot))


def _listed(parts: list[Phrase]) -> Phrase:
    """Join names into a list."""
    *first, joined = parts
    for part in reversed(first):
        joined = phrase("listed", part=part, rest=joined)
    return joined


# --- The score sheet --------------------------------------------------------------------------------------------
def score_rows(table: Table) -> list[ScoreRow]:
    """Return who is with the dragon, which is all that counts, and aside how high the others stand."""
    seats = range(table.players)
    freed = [int(table.place[seat] == CHAMBER) for seat in seats]
    steps = [None if freed[seat] else _step_of(table.place[seat]) for seat in seats]
    rows = [ScoreRow(phrase("drawn.freed"), "score.count", [*freed])]
    total = total_of(phrase("drawn.points"), "score.winner", rows)
    return [*rows, total, ScoreRow(phrase("score.step"), "score.count", steps, "aside")]


def _step_of(place: int) -> int:
    """Say on which step a pawn stands, 0 on the floor."""
    return mechanics.step_of(place) if place < FLOOR else 0

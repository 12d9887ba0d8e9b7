"""Emerald: what happened in a move, event by event, each with its rule."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import SimpleNamespace

from dracotheque.engine.phrases import GameEvent, Phrase, phrase
from dracotheque.presentation.narration import event, points, seat_name, winners

# isort: off
from dracotheque.games.emerald.rules import mechanics, scoring
from dracotheque.games.emerald.rules.state import (
    BRIBE, CAPTURE_MOVED, CARD, CAVES, CHAMBER, DIE, ENDINGS, FIRST_CAVE, FIRST_FIELD, FIRST_PLAYER, KINDS, LAST_ROD,
    LOTS, MOVE, OVER, PASS, PAY, REVEAL, ROD_LENGTH, ROLL, SEATS, SECOND_COLOUR, SURRENDER, TAKE_GEM, VICTIM,
)  # fmt: skip
from dracotheque.games.emerald.names import (
    CRESTS, GEMS, KEEP, Table, _card, _gold_value, _knight, _knights_in_play, _the_card, colour_name, coloured_knight,
    place,
)  # fmt: skip


@functools.cache
def _gems(kind: int, count: int) -> Phrase:
    """Name a number of gems: “2 rubies”."""
    return phrase(f"gems.{GEMS[kind]}", count=count)


# --- What happened ----------------------------------------------------------------------------------------------
def events(before: Table, actor: int, action: int, after: Table) -> list[GameEvent]:
    """Tell one move, a seat's or chance's, in the order in which things happened."""
    narration = _TELLERS[before.phase](before, action, after)
    if after.phase == DIE:
        return [*narration, _waking(after)]
    if after.phase == OVER:
        return [*narration, *_ending(after)]
    if after.phase == MOVE and before.dealt == 2 * CAVES:
        return [*narration, *_rod(before, after), *_turn(before, action, after)]
    return narration


# --- Set-up -----------------------------------------------------------------------------------------------------
def _lots(before: Table, action: int, after: Table) -> list[GameEvent]:
    """Tell who was drawn to begin."""
    return [event("setup.first-player", "lots", seat=seat_name(action - FIRST_PLAYER))]


def _reveal(before: Table, action: int, after: Table) -> list[GameEvent]:
    """Tell which card was turned, and when all lie there, that the game can begin."""
    pile = before.turning
    card, cave = _card(pile, after.top[pile]), pile % CAVES + 1
    if before.dealt == 2 * CAVES:
        return [event("card.reveal", "turned", card=card, cave=cave)]
    dealt = event("setup.cards", "dealt", card=card, cave=cave)
    return [dealt, *_set_up(after)] if after.phase == MOVE else [dealt]


def _set_up(after: Table) -> list[GameEvent]:
    """Tell how everything stands when the first turn begins."""
    narration = [
        event("setup.board", "board"),
        event("setup.knights", "keep_taken" if after.crowd[KEEP] else "keep_empty", count=_knights_in_play(after, 0)),
        event("setup.dragon", "dragon", cave=after.dragon + 1, first=after.rod + 1, last=after.rod + ROD_LENGTH),
    ]
    if after.players == 2:
        narration += [
            event("two.colours", "colours", seat=seat_name(seat), first=colour_name(seat), second=colour_name(seat + 2))
            for seat in range(2)
        ]
    if after.starts:
        narration.append(event("setup.first-player", "agreed", seat=seat_name(after.active)))
    return narration


# --- Knights ----------------------------------------------------------------------------------------------------
def _move(before: Table, action: int, after: Table) -> list[GameEvent]:
    """Tell a knight's way, or that no second one moved."""
    if action == PASS:
        return [event("turn.one-or-two", "passed", seat=seat_name(before.active))]
    start = action % SECOND_COLOUR
    target = mechanics.destination(before, start)
    walk = _walk(before, start, target, after)
    if target >= CHAMBER:
        return [walk, *_another(before, start), *_chamber(before, target, after)]
    narration = [walk, *_border(start), *_stacking(before, target), *_another(before, start)]
    return [*narration, *_arrival(before, target, after)]


def _walk(before: Table, start: int, target: int, after: Table) -> GameEvent:
    """Tell from where to where a knight went, how far, and why."""
    rule, key = ("move.castle", "castle") if start < FIRST_FIELD else ("move.distance", "road")
    return event(
        rule,
        key,
        seat=seat_name(before.active),
        knight=_knight(before.players, after.colour),
        from_place=place(start),
        to_place=place(target),
        count=mechanics.distance(before, start),
    )


def _border(start: int) -> list[GameEvent]:
    """Tell that no gap lies between the plain and the caves, where a knight sets out at the border."""
    return [event("move.forward", "border")] if start == FIRST_CAVE - 1 else []


def _another(before: Table, start: int) -> list[GameEvent]:
    """Tell that the second knight left the first one behind, where both stood together."""
    together = before.moves == 1 and before.moved == start
    return [event("turn.same-knight", "another")] if together else []


def _stacking(before: Table, target: int) -> list[GameEvent]:
    """Tell that a knight joined others."""
    return [event("move.stacking", "stacking", count=before.crowd[target])] if before.crowd[target] else []


def _chamber(before: Table, target: int, after: Table) -> list[GameEvent]:
    """Tell that a knight is home, and what it earned."""
    spare = target - CHAMBER
    enter = event("chamber.enter", "spare_steps", count=spare) if spare else event("chamber.enter", "exact_steps")
    key = "last_treasure" if after.phase == OVER else "treasure"
    return [enter, event("chamber.treasure", key, seat=seat_name(before.active))]


# --- Cards ------------------------------------------------------------------------------------------------------
def _arrival(before: Table, target: int, after: Table) -> list[GameEvent]:
    """Tell what a knight found at its cave: a choice has its event later, once it is made."""
    if target < FIRST_CAVE or after.phase == CARD:
        return []
    cave = target - FIRST_CAVE
    for pile in (cave, CAVES + cave):
        if before.pile[pile] > 0:
            only = _the_card(pile, before.top[pile])
            take = event("card.take", "only_card", seat=seat_name(before.active), card=only)
            return [take, *_laid_down(before, pile, after)]
    return [event("card.empty", "empty", cave=cave + 1)]


def _choose_card(before: Table, action: int, after: Table) -> list[GameEvent]:
    """Tell which card was taken, and which was left."""
    cave = before.moved - FIRST_CAVE
    pile, left = (cave, CAVES + cave) if action == TAKE_GEM else (CAVES + cave, cave)
    card, other = _the_card(pile, before.top[pile]), _the_card(left, before.top[left])
    take = event("card.take", "chosen_card", seat=seat_name(before.active), card=card, other=other)
    return [take, *_laid_down(before, pile, after)]


def _laid_down(before: Table, pile: int, after: Table) -> list[GameEvent]:
    """Tell where the card taken now lies."""
    seat = before.active
    if pile >= CAVES:
        return [_gold(after, seat)]
    kind = before.top[pile]
    gem = event("gem.laid-open", "gem", seat=seat_name(seat), gems=_gems(kind, after.gems[seat][kind]))
    if before.four_gems == after.four_gems:
        return [gem]
    return [gem, event("bonus.four-gems", "four_gems", seat=seat_name(seat))]


def _gold(after: Table, seat: int) -> GameEvent:
    """Tell that gold was laid away, or where all is open, how much there is by now."""
    if after.open_gold:
        return event("option.open-gold", "open_gold", seat=seat_name(seat), value=_gold_value(after, seat))
    return event("gold.laid-away", "gold", seat=seat_name(seat))


# --- The dragon -------------------------------------------------------------------------------------------------
def _waking(after: Table) -> GameEvent:
    """Tell why the dragon woke, and that a card went first."""
    cave = after.moved - FIRST_CAVE
    why = "own" if cave == after.dragon else "rod"
    if after.took:
        return event("dragon.card-first", f"card_then_{why}", cave=cave + 1)
    return event("dragon.wakes", f"wakes_{why}", cave=cave + 1)


def _fly(before: Table, action: int, after: Table) -> list[GameEvent]:
    """Tell the flight, and whom the dragon found."""
    dragon = SimpleNamespace(dragon=before.dragon, facing=before.facing, rod=before.rod)
    narration = _setting_off(before, dragon)
    path: list[int] = []
    turns: list[GameEvent] = []
    for _step in range(action - ROLL + 1):
        dragon.dragon += dragon.facing
        path.append(dragon.dragon + 1)
        if _turned(dragon):
            turns.append(event("dragon.turns", "turns", cave=dragon.dragon + 1))
    return [*narration, _flight(path), *turns, *_landing(before, after)]


def _turned(dragon: SimpleNamespace) -> bool:
    """Let the dragon turn where the rules say so, and say whether it did."""
    facing = dragon.facing
    mechanics.turn_at_rod_end(dragon)
    return dragon.facing != facing


def _setting_off(before: Table, dragon: SimpleNamespace) -> list[GameEvent]:
    """Tell how a dragon that its rod left behind sets off."""
    turned = _turned(dragon)
    if before.dragon < before.rod:
        return [event("dragon.off-rod", "left_behind")]
    return [event("dragon.off-rod", "rearmost")] if turned else []


def _flight(path: list[int]) -> GameEvent:
    """Tell the die and the caves flown."""
    *by, cave = path
    gaps = dict(zip(("first", "second"), by, strict=False))
    return event("dragon.flight", f"flight.{len(path)}", cave=cave, **gaps)


def _landing(before: Table, after: Table) -> list[GameEvent]:
    """Tell whom the dragon found where it landed."""
    knights = before.crowd[FIRST_CAVE + after.dragon]
    if knights == 0:
        return [event("dragon.captures", "nobody")]
    if after.phase == VICTIM:
        return [event("dragon.victim", "choosing", seat=seat_name(before.active), count=knights)]
    knight = coloured_knight(after.victim)
    if knights == 1:
        return [event("dragon.captures", "captured", knight=knight), *_fate(after)]
    return [event("dragon.victim", "all_alike", knight=knight), *_fate(after)]


def _choose_victim(before: Table, action: int, after: Table) -> list[GameEvent]:
    """Tell whom the player chose."""
    knight = phrase("knight.moved") if action == CAPTURE_MOVED else coloured_knight(after.victim)
    return [event("dragon.victim", "victim", seat=seat_name(before.active), knight=knight), *_fate(after)]


def _fate(after: Table) -> list[GameEvent]:
    """Tell that the owner has to decide, or has nothing to decide with."""
    owner = seat_name(after.victim % after.players)
    if after.phase == BRIBE:
        return [event("bribe.owner-decides", "owner_decides", seat=owner)]
    return [event("bribe.owner-decides", "no_gold", seat=owner), event("dragon.nest", "nest")]


def _ransom(before: Table, action: int, after: Table) -> list[GameEvent]:
    """Tell what the owner decided."""
    owner = seat_name(before.to_move)
    if action == SURRENDER:
        return [event("bribe.owner-decides", "given_up", seat=owner), event("dragon.nest", "nest")]
    return [
        event("bribe.gold-only", "ransomed", seat=owner, card=phrase("the.gold", value=action - PAY + 1)),
        event("bribe.rests", "rests", cave=before.dragon + 1),
    ]


def _rod(before: Table, after: Table) -> list[GameEvent]:
    """Tell where the rod lies after a flight."""
    if before.phase not in (DIE, VICTIM, BRIBE):
        return []
    caves = {"first": after.rod + 1, "last": after.rod + ROD_LENGTH}
    if before.rod == LAST_ROD:
        return [event("rod.stops", "rod_stays", **caves)]
    advances = event("rod.advances", "rod_advances", **caves)
    return [advances, event("rod.stops", "rod_stops")] if after.rod == LAST_ROD else [advances]


# --- The turn ---------------------------------------------------------------------------------------------------
def _turn(before: Table, action: int, after: Table) -> list[GameEvent]:
    """Tell whether a second knight may follow, or whose turn it is now, and why."""
    if after.moves == 1:
        return [_second(after), *_bound(after)]
    return [*_turn_over(before, action, after), event("turn.order", "next", seat=seat_name(after.active))]


def _second(after: Table) -> GameEvent:
    """Tell that a second knight may or must follow."""
    seat = seat_name(after.active)
    if after.second_move:
        return event("option.second-move", "must_follow", seat=seat)
    return event("turn.one-or-two", "may_follow", seat=seat)


def _bound(after: Table) -> list[GameEvent]:
    """Tell two players that the first knight settled the colour, while the other colour still has knights."""
    if after.players > 2 or after.in_play[(after.colour + 2) % 4] == 0:
        return []
    return [event("two.one-colour", "one_colour", knights=phrase(f"knights.{CRESTS[after.colour]}"))]


def _turn_over(before: Table, action: int, after: Table) -> list[GameEvent]:
    """Tell why a turn ended after its first knight, where no event has said so yet."""
    knights = before.moves + (before.phase == MOVE)
    passed = before.phase == MOVE and action == PASS
    if knights == 2 or passed or after.treasures_left < before.treasures_left:
        return []
    if before.took or sum(after.pile) < sum(before.pile):
        return [event("card.turn-ends", "card_ends_turn")]
    if before.players == 2:
        return [event("two.one-colour", "no_other_of_colour")]
    return [event("option.second-move" if after.second_move else "turn.one-or-two", "no_other")]


# --- End and score ----------------------------------------------------------------------------------------------
def _ending(after: Table) -> list[GameEvent]:
    """Tell why the game is over, and the whole score."""
    return [
        *_last(after),
        event("end.at-once", "at_once"),
        *(_majority(after, kind) for kind in range(KINDS)),
        *(_count(after, seat) for seat in range(after.players)),
        *_victory(after),
    ]


def _last(after: Table) -> list[GameEvent]:
    """Tell which of the two endings came."""
    rule = ENDINGS[after.ended]
    if rule == "end.treasures":
        return [event(rule, "no_treasure_left")]
    seats = range(after.players)
    return [event(rule, "last_knight", seat=seat_name(seat)) for seat in seats if mechanics.last_knight(after, seat)]


def _majority(after: Table, kind: int) -> GameEvent:
    """Tell who has most gems of a kind, if anyone has."""
    most, holder = phrase(f"most.{GEMS[kind]}"), scoring.majority(after, kind)
    if holder == SEATS:
        return event("score.majorities", "no_majority", gems=most)
    return event("score.majorities", "majority", seat=seat_name(holder), gems=most)


def _count(after: Table, seat: int) -> GameEvent:
    """Tell what a player's points are made of."""
    bonuses = (after.four_gems == seat + 1) + sum(scoring.majority(after, kind) == seat for kind in range(KINDS))
    return event(
        "score.count",
        "count",
        seat=seat_name(seat),
        gold=_gold_value(after, seat),
        treasures=5 * after.treasures[seat],
        gems=scoring.gem_cards(after, seat),
        bonus=4 * bonuses,
        count=points(scoring, after)[seat],
    )


def _victory(after: Table) -> list[GameEvent]:
    """Tell who won and by what, or who shares the victory."""
    scores = points(scoring, after)
    won = winners(scoring, after)
    if len(won) > 1:
        return [event("score.shared", "shares", seat=seat_name(seat), count=scores[seat]) for seat in won]
    (winner,) = won
    return [event("score.winner", _margin(after, scores, winner), seat=seat_name(winner), count=scores[winner])]


def _margin(after: Table, scores: list[int], winner: int) -> str:
    """Return what decided the game: points, or at a tie treasure cards or gems."""
    level = [seat for seat in range(after.players) if scores[seat] == scores[winner]]
    if len(level) == 1:
        return "wins"
    tied = sum(after.treasures[seat] == after.treasures[winner] for seat in level) > 1
    return "wins_by_gems" if tied else "wins_by_treasures"


_TELLERS: dict[int, Callable[[Table, int, Table], list[GameEvent]]] = {
    LOTS: _lots,
    REVEAL: _reveal,
    DIE: _fly,
    MOVE: _move,
    CARD: _choose_card,
    VICTIM: _choose_victim,
    BRIBE: _ransom,
}

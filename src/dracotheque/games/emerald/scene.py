"""Emerald in phrases: what places and choices are called, what is asked, and what happened by which rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from dracotheque.engine.game import Game
from dracotheque.engine.rule import load
from dracotheque.engine.words import Event, Phrase, phrase
from dracotheque.games.sheets import ScoreRow, tie_rows, total_of
from dracotheque.games.told import ALL_CRESTS, asked, event, faded, points, seat_name, winners

# isort: off
from dracotheque.games.emerald.state import (
    BRIBE, CAPTURE, CAPTURE_MOVED, CARD, CAVES, CHAMBER, DIE, ENDINGS, FIRST_CAVE, FIRST_FIELD, FIRST_PLAYER, GEM,
    GOLD, KINDS, LAST_ROD, LOTS, MOVE, OVER, PASS, PAY, REVEAL, ROD_LENGTH, ROLL, SEATS, SECOND_COLOUR,
    SURRENDER, TAKE_GEM, TAKE_GOLD, TOWERS, VALUES, VICTIM,
)  # fmt: skip

CRESTS = ALL_CRESTS[:SEATS]
GEMS = ("ruby", "emerald", "garnet", "turquoise")
KEEP = TOWERS  # the start place after the four towers

Table = Any  # an engine.record.Plain: its fields are those of emerald.state.State
RULES: Any = load("dracotheque.games.emerald.rules", interpreted=True)
SCORING: Any = load("dracotheque.games.emerald.scoring", interpreted=True)


# --- Names ------------------------------------------------------------------------------------------------------
def place(number: int) -> Phrase:
    """Name a place of the road."""
    return _located("place", number)


def from_place(number: int) -> Phrase:
    """Name a place as where a knight comes from."""
    return _located("from", number)


def to_place(number: int) -> Phrase:
    """Name a place as where a knight goes; beyond the last cave it is always the chamber."""
    return _located("to", number)


def _located(form: str, number: int) -> Phrase:
    """Name a place in one of its forms: towers, fields and caves are each counted from one."""
    if number >= CHAMBER:
        return phrase(f"{form}.chamber")
    if number >= FIRST_CAVE:
        return phrase(f"{form}.cave", number=number - FIRST_CAVE + 1)
    if number >= FIRST_FIELD:
        return phrase(f"{form}.field", number=number - FIRST_FIELD + 1)
    return phrase(f"{form}.keep") if number == KEEP else phrase(f"{form}.tower", number=number + 1)


def crest(colour: int) -> Phrase:
    """Name a colour's crest."""
    return phrase(f"crest.{CRESTS[colour]}")


def _of(colour: int) -> Phrase:
    """Name a crest as a knight's own: “Lion” in “a Lion knight”, “du Lion” in “un chevalier du Lion”."""
    return phrase(f"of.{CRESTS[colour]}")


def _knight(players: int, colour: int) -> Phrase:
    """Name a knight its player moves; the crest matters only where a player leads two."""
    return phrase(f"knight.{CRESTS[colour]}") if players == 2 else phrase("knight.plain")


def _other_knight(players: int, colour: int) -> Phrase:
    """Name the knight that may follow the first one."""
    return phrase("knight.other_of", of=_of(colour)) if players == 2 else phrase("knight.other")


def _card(pile: int, top: int) -> Phrase:
    """Name a card in short: “ruby”, “gold 4”."""
    return phrase(f"gem.{GEMS[top]}") if pile < CAVES else phrase("card.gold", value=top + 1)


def _the_card(pile: int, top: int) -> Phrase:
    """Name a card as something to take: “the ruby”, “gold 4”."""
    return phrase(f"the.{GEMS[top]}") if pile < CAVES else phrase("the.gold", value=top + 1)


# --- Choices and chances ----------------------------------------------------------------------------------------
def action(game: Game, seat: int, action: int) -> Phrase:
    """Name an action in short, whatever lies on the table."""
    if action < PASS:
        return _move_name(game.players, seat, action)
    if CAPTURE <= action < CAPTURE_MOVED:
        return phrase(f"action.capture.{CRESTS[action - CAPTURE]}")
    if action >= PAY:
        return phrase("action.pay", card=phrase("the.gold", value=action - PAY + 1))
    return phrase(f"action.{_PLAIN_ACTIONS[action]}")


_PLAIN_ACTIONS = {
    PASS: "end_turn",
    TAKE_GEM: "take_gem",
    TAKE_GOLD: "take_gold",
    CAPTURE_MOVED: "capture_moved",
    SURRENDER: "give_up",
}


def _move_name(players: int, seat: int, action: int) -> Phrase:
    """Name a knight's move by its start, and by its crest where a player leads two."""
    second, start = divmod(action, SECOND_COLOUR)
    if players == 2:
        knight = CRESTS[seat + 2 * second]
    else:
        knight = "second_colour" if second else "plain"
    return phrase(f"action.knight.{knight}", from_place=from_place(start))


def outcome(game: Game, outcome: int) -> Phrase:
    """Name what chance brings."""
    if outcome < ROLL:
        return phrase(f"outcome.begins.{CRESTS[outcome - FIRST_PLAYER]}")
    if outcome < GEM:
        return phrase("outcome.die", value=outcome - ROLL + 1)
    return _card(0, outcome - GEM) if outcome < GOLD else _card(CAVES, outcome - GOLD)


# --- What is asked ----------------------------------------------------------------------------------------------
def secret(table: Table) -> bool:
    """Say whether the choice now to be made is made in secret: in Emerald none is."""
    return False


def question(table: Table) -> Event:
    """Ask what has to be decided now, and say by which rule."""
    return _QUESTIONS[table.phase](table)


def _ask_move(table: Table) -> Event:
    """Ask for a knight: the first one, or the second that may or must follow."""
    if table.moves == 0:
        return asked("turn.one-or-two", "first_move")
    knight = _other_knight(table.players, table.colour)
    if table.second_move:
        return asked("option.second-move", "must_follow", knight=knight)
    return asked("turn.one-or-two", "may_follow", knight=knight)


def _ask_card(table: Table) -> Event:
    """Ask which of two cards is taken."""
    cave = table.moved - FIRST_CAVE
    gem, gold = (_the_card(pile, table.top[pile]) for pile in (cave, CAVES + cave))
    return asked("card.take", "card", gem=gem, gold=gold, cave=cave + 1)


def _ask_victim(table: Table) -> Event:
    """Ask whom the dragon captures."""
    return asked("dragon.victim", "victim", cave=table.dragon + 1)


def _ask_ransom(table: Table) -> Event:
    """Ask the owner of a captured knight whether to pay for it."""
    return asked("bribe.owner-decides", "ransom", of=_of(table.victim), cave=table.dragon + 1)


def _await_card(table: Table) -> Event:
    """Say which card chance turns."""
    rule = "setup.cards" if table.dealt < 2 * CAVES else "card.reveal"
    return asked(rule, "gem_turned" if table.turning < CAVES else "gold_turned", cave=table.turning % CAVES + 1)


_QUESTIONS: dict[int, Callable[[Table], Event]] = {
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
    """Say what a legal choice leads to, or None where its name says it all."""
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
    """Say how far a knight goes, where it arrives, and what waits there."""
    target = RULES.destination(table, start)
    if target >= CHAMBER:
        ends = table.treasures_left == 1 or _knights_in_play(table, seat) == 2
        return phrase("preview.chamber_ends" if ends else "preview.chamber")
    way = phrase("preview.way", count=RULES.distance(table, start), to_place=to_place(target))
    if target < FIRST_CAVE:
        return way
    cave = target - FIRST_CAVE
    key = "preview.cave_wakes" if RULES.wakes(table, cave) else "preview.cave"
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
    """Say whether the owner could pay: the number of gold cards is plain for all to see."""
    owner = colour % table.players
    cards = RULES.gold_cards(table, owner)
    if cards > 0:
        return phrase("preview.can_pay", count=cards)
    return phrase("preview.lost_ends" if _knights_in_play(table, owner) == 2 else "preview.lost")


def _knights_in_play(table: Table, seat: int) -> int:
    """Count a player's knights still in play, of all their colours."""
    return sum(table.in_play[seat :: table.players])


def _gems(kind: int, count: int) -> Phrase:
    """Name a number of gems: “2 rubies”."""
    return phrase(f"gems.{GEMS[kind]}", count=count)


# --- What was laid away -----------------------------------------------------------------------------------------
def lies_open(options: Mapping[str, str]) -> bool:
    """Whether a table agreed to leave gold face up."""
    return options["gold"] == "open"


def lay_away(fields: dict[str, Any], viewer: int) -> None:
    """Turn gold face down for everybody but its owner; how many cards there are is plain for all to see."""
    fields["gold_cards"] = [sum(cards) for cards in fields["gold"]]
    if fields["open_gold"]:
        return
    fields["gold"] = [cards if seat == viewer else [0] * VALUES for seat, cards in enumerate(fields["gold"])]
    fields["unseen"] = [*fields["unseen"][:KINDS], *[0] * VALUES]  # what is missing there has been laid away


def fade(told: Event) -> Event:
    """Tell a card again without the value of gold: who took it has laid it away since."""
    return faded(told, {"the.gold": "the.some_gold", "card.gold": "card.some_gold"})


# --- What happened ----------------------------------------------------------------------------------------------
def events(before: Table, actor: int, action: int, after: Table) -> list[Event]:
    """Tell one move, a seat's or chance's, in the order in which things happened."""
    told = _TELLERS[before.phase](before, action, after)
    if after.phase == DIE:
        return [*told, _waking(after)]
    if after.phase == OVER:
        return [*told, *_ending(after)]
    if after.phase == MOVE and before.dealt == 2 * CAVES:
        return [*told, *_rod(before, after), *_turn(before, action, after)]
    return told


# --- Set-up -----------------------------------------------------------------------------------------------------
def _lots(before: Table, action: int, after: Table) -> list[Event]:
    """Tell who was drawn to begin."""
    return [event("setup.first-player", "lots", seat=seat_name(action - FIRST_PLAYER))]


def _reveal(before: Table, action: int, after: Table) -> list[Event]:
    """Tell which card was turned, and when all lie there, that the game can begin."""
    pile = before.turning
    card, cave = _card(pile, after.top[pile]), pile % CAVES + 1
    if before.dealt == 2 * CAVES:
        return [event("card.reveal", "turned", card=card, cave=cave)]
    dealt = event("setup.cards", "dealt", card=card, cave=cave)
    return [dealt, *_set_up(after)] if after.phase == MOVE else [dealt]


def _set_up(after: Table) -> list[Event]:
    """Tell how everything stands when the first turn begins."""
    told = [
        event("setup.board", "board"),
        event("setup.knights", "keep_taken" if after.crowd[KEEP] else "keep_empty", count=_knights_in_play(after, 0)),
        event("setup.dragon", "dragon", cave=after.dragon + 1, first=after.rod + 1, last=after.rod + ROD_LENGTH),
    ]
    if after.players == 2:
        told += [
            event("two.colours", "colours", seat=seat_name(seat), first=crest(seat), second=crest(seat + 2))
            for seat in range(2)
        ]
    if after.starts:
        told.append(event("setup.first-player", "agreed", seat=seat_name(after.active)))
    return told


# --- Knights ----------------------------------------------------------------------------------------------------
def _move(before: Table, action: int, after: Table) -> list[Event]:
    """Tell a knight's way, or that no second one moved."""
    if action == PASS:
        return [event("turn.one-or-two", "passed", seat=seat_name(before.active))]
    start = action % SECOND_COLOUR
    target = RULES.destination(before, start)
    walk = _walk(before, start, target, after)
    if target >= CHAMBER:
        return [walk, *_another(before, start), *_chamber(before, target, after)]
    told = [walk, *_border(start), *_stacking(before, target), *_another(before, start)]
    return [*told, *_arrival(before, target, after)]


def _walk(before: Table, start: int, target: int, after: Table) -> Event:
    """Tell from where to where a knight went, how far, and why."""
    rule, key = ("move.castle", "castle") if start < FIRST_FIELD else ("move.distance", "road")
    return event(
        rule,
        key,
        seat=seat_name(before.active),
        knight=_knight(before.players, after.colour),
        from_place=from_place(start),
        to_place=to_place(target),
        count=RULES.distance(before, start),
    )


def _border(start: int) -> list[Event]:
    """Tell that no gap lies between the plain and the caves, where a knight sets out at the border."""
    return [event("move.forward", "border")] if start == FIRST_CAVE - 1 else []


def _another(before: Table, start: int) -> list[Event]:
    """Tell that the second knight left the first one behind, where both stood together."""
    together = before.moves == 1 and before.moved == start
    return [event("turn.same-knight", "another")] if together else []


def _stacking(before: Table, target: int) -> list[Event]:
    """Tell that a knight joined others."""
    return [event("move.stacking", "stacking", count=before.crowd[target])] if before.crowd[target] else []


def _chamber(before: Table, target: int, after: Table) -> list[Event]:
    """Tell that a knight is home, and what it earned."""
    spare = target - CHAMBER
    enter = event("chamber.enter", "spare_steps", count=spare) if spare else event("chamber.enter", "exact_steps")
    key = "last_treasure" if after.phase == OVER else "treasure"
    return [enter, event("chamber.treasure", key, seat=seat_name(before.active))]


# --- Cards ------------------------------------------------------------------------------------------------------
def _arrival(before: Table, target: int, after: Table) -> list[Event]:
    """Tell what a knight found at its cave: a choice is told later, once it is made."""
    if target < FIRST_CAVE or after.phase == CARD:
        return []
    cave = target - FIRST_CAVE
    for pile in (cave, CAVES + cave):
        if before.pile[pile] > 0:
            only = _the_card(pile, before.top[pile])
            take = event("card.take", "only_card", seat=seat_name(before.active), card=only)
            return [take, *_laid_down(before, pile, after)]
    return [event("card.empty", "empty", cave=cave + 1)]


def _choose_card(before: Table, action: int, after: Table) -> list[Event]:
    """Tell which card was taken, and which was left."""
    cave = before.moved - FIRST_CAVE
    pile, left = (cave, CAVES + cave) if action == TAKE_GEM else (CAVES + cave, cave)
    card, other = _the_card(pile, before.top[pile]), _the_card(left, before.top[left])
    take = event("card.take", "chosen_card", seat=seat_name(before.active), card=card, other=other)
    return [take, *_laid_down(before, pile, after)]


def _laid_down(before: Table, pile: int, after: Table) -> list[Event]:
    """Tell where the card taken now lies."""
    seat = before.active
    if pile >= CAVES:
        return [_gold(after, seat)]
    kind = before.top[pile]
    gem = event("gem.laid-open", "gem", seat=seat_name(seat), gems=_gems(kind, after.gems[seat][kind]))
    if before.four_gems == after.four_gems:
        return [gem]
    return [gem, event("bonus.four-gems", "four_gems", seat=seat_name(seat))]


def _gold(after: Table, seat: int) -> Event:
    """Tell that gold was laid away, or where all is open, how much there is by now."""
    if after.open_gold:
        return event("option.open-gold", "open_gold", seat=seat_name(seat), value=_gold_value(after, seat))
    return event("gold.laid-away", "gold", seat=seat_name(seat))


def _gold_value(table: Table, seat: int) -> int:
    """Add up a player's gold."""
    return sum((value + 1) * cards for value, cards in enumerate(table.gold[seat]))


# --- The dragon -------------------------------------------------------------------------------------------------
def _waking(after: Table) -> Event:
    """Tell why the dragon woke, and that a card went first."""
    cave = after.moved - FIRST_CAVE
    why = "own" if cave == after.dragon else "rod"
    if after.took:
        return event("dragon.card-first", f"card_then_{why}", cave=cave + 1)
    return event("dragon.wakes", f"wakes_{why}", cave=cave + 1)


def _fly(before: Table, action: int, after: Table) -> list[Event]:
    """Tell the flight, and whom the dragon found."""
    dragon = SimpleNamespace(dragon=before.dragon, facing=before.facing, rod=before.rod)
    told = _setting_off(before, dragon)
    path: list[int] = []
    turns: list[Event] = []
    for _step in range(action - ROLL + 1):
        dragon.dragon += dragon.facing
        path.append(dragon.dragon + 1)
        if _turned(dragon):
            turns.append(event("dragon.turns", "turns", cave=dragon.dragon + 1))
    return [*told, _flight(path), *turns, *_landing(before, after)]


def _turned(dragon: SimpleNamespace) -> bool:
    """Let the dragon turn where the rules say so, and say whether it did."""
    facing = dragon.facing
    RULES.turn_at_rod_end(dragon)
    return dragon.facing != facing


def _setting_off(before: Table, dragon: SimpleNamespace) -> list[Event]:
    """Tell how a dragon that its rod left behind sets off."""
    turned = _turned(dragon)
    if before.dragon < before.rod:
        return [event("dragon.off-rod", "left_behind")]
    return [event("dragon.off-rod", "rearmost", cave=before.dragon + 1)] if turned else []


def _flight(path: list[int]) -> Event:
    """Tell the die and the caves flown."""
    *by, cave = path
    gaps = dict(zip(("first", "second"), by, strict=False))
    return event("dragon.flight", f"flight.{len(path)}", cave=cave, **gaps)


def _landing(before: Table, after: Table) -> list[Event]:
    """Tell whom the dragon found where it landed."""
    knights = before.crowd[FIRST_CAVE + after.dragon]
    if knights == 0:
        return [event("dragon.captures", "nobody")]
    if after.phase == VICTIM:
        return [event("dragon.victim", "choosing", seat=seat_name(before.active), count=knights)]
    if knights == 1:
        knight = phrase(f"knight.{CRESTS[after.victim]}")
        return [event("dragon.captures", "captured", knight=knight), *_fate(after)]
    return [event("dragon.victim", "all_alike", of=_of(after.victim)), *_fate(after)]


def _choose_victim(before: Table, action: int, after: Table) -> list[Event]:
    """Tell whom the player chose."""
    knight = phrase("knight.moved") if action == CAPTURE_MOVED else phrase(f"knight.{CRESTS[after.victim]}")
    return [event("dragon.victim", "victim", seat=seat_name(before.active), knight=knight), *_fate(after)]


def _fate(after: Table) -> list[Event]:
    """Tell that the owner has to decide, or has nothing to decide with."""
    owner = seat_name(after.victim % after.players)
    if after.phase == BRIBE:
        return [event("bribe.owner-decides", "owner_decides", seat=owner)]
    return [event("bribe.owner-decides", "no_gold", seat=owner), event("dragon.nest", "nest")]


def _ransom(before: Table, action: int, after: Table) -> list[Event]:
    """Tell what the owner decided."""
    owner = seat_name(before.to_move)
    if action == SURRENDER:
        return [event("bribe.owner-decides", "given_up", seat=owner), event("dragon.nest", "nest")]
    return [
        event("bribe.gold-only", "ransomed", seat=owner, card=phrase("the.gold", value=action - PAY + 1)),
        event("bribe.rests", "rests", cave=before.dragon + 1),
    ]


def _rod(before: Table, after: Table) -> list[Event]:
    """Tell where the rod lies after a flight."""
    if before.phase not in (DIE, VICTIM, BRIBE):
        return []
    caves = {"first": after.rod + 1, "last": after.rod + ROD_LENGTH}
    if before.rod == LAST_ROD:
        return [event("rod.stops", "rod_stays", **caves)]
    advances = event("rod.advances", "rod_advances", **caves)
    return [advances, event("rod.stops", "rod_stops")] if after.rod == LAST_ROD else [advances]


# --- The turn ---------------------------------------------------------------------------------------------------
def _turn(before: Table, action: int, after: Table) -> list[Event]:
    """Tell whether a second knight may follow, or whose turn it is now, and why."""
    if after.moves == 1:
        return [_second(after), *_bound(after)]
    return [*_turn_over(before, action, after), event("turn.order", "next", seat=seat_name(after.active))]


def _second(after: Table) -> Event:
    """Tell that a second knight may or must follow."""
    seat = seat_name(after.active)
    if after.second_move:
        return event("option.second-move", "must_follow", seat=seat)
    return event("turn.one-or-two", "may_follow", seat=seat)


def _bound(after: Table) -> list[Event]:
    """Tell two players that the first knight settled the colour, while the other colour still has knights."""
    if after.players > 2 or after.in_play[(after.colour + 2) % 4] == 0:
        return []
    return [event("two.one-colour", "one_colour", of=_of(after.colour))]


def _turn_over(before: Table, action: int, after: Table) -> list[Event]:
    """Tell why a turn ended after its first knight, where nothing has told so yet."""
    knights = before.moves + (before.phase == MOVE)
    passed = before.phase == MOVE and action == PASS
    if knights == 2 or passed or after.treasures_left < before.treasures_left:
        return []
    if before.took or sum(after.pile) < sum(before.pile):
        return [event("card.turn-ends", "card_ends_turn")]
    if before.players == 2:
        return [event("two.one-colour", "no_other_of_colour", of=_of(after.colour))]
    return [event("option.second-move" if after.second_move else "turn.one-or-two", "no_other")]


# --- End and score ----------------------------------------------------------------------------------------------
def _ending(after: Table) -> list[Event]:
    """Tell why the game is over, and the whole score."""
    return [
        *_last(after),
        event("end.at-once", "at_once"),
        *(_majority(after, kind) for kind in range(KINDS)),
        *(_count(after, seat) for seat in range(after.players)),
        *_victory(after),
    ]


def _last(after: Table) -> list[Event]:
    """Tell which of the two endings came."""
    rule = ENDINGS[after.ended]
    if rule == "end.treasures":
        return [event(rule, "no_treasure_left")]
    seats = range(after.players)
    return [event(rule, "last_knight", seat=seat_name(seat)) for seat in seats if RULES.last_knight(after, seat)]


def _majority(after: Table, kind: int) -> Event:
    """Tell who has most gems of a kind, if anybody has."""
    most, holder = phrase(f"most.{GEMS[kind]}"), SCORING.majority(after, kind)
    if holder == SEATS:
        return event("score.majorities", "no_majority", gems=most)
    return event("score.majorities", "majority", seat=seat_name(holder), gems=most)


def _count(after: Table, seat: int) -> Event:
    """Tell what a player's points are made of."""
    bonuses = (after.four_gems == seat + 1) + sum(SCORING.majority(after, kind) == seat for kind in range(KINDS))
    return event(
        "score.count",
        "count",
        seat=seat_name(seat),
        gold=_gold_value(after, seat),
        treasures=5 * after.treasures[seat],
        gems=SCORING.gem_cards(after, seat),
        bonus=4 * bonuses,
        count=points(SCORING, after)[seat],
    )


def _victory(after: Table) -> list[Event]:
    """Tell who won and by what, or who shares the victory."""
    scores = points(SCORING, after)
    won = winners(SCORING, after)
    if len(won) > 1:
        return [event("score.shared", "shares", seat=seat_name(seat), count=scores[seat]) for seat in won]
    (winner,) = won
    return [event("score.winner", _margin(after, scores, winner), seat=seat_name(winner), count=scores[winner])]


def _margin(after: Table, scores: list[int], winner: int) -> str:
    """Say what decided the game: points, or at a tie treasure cards or gems."""
    level = [seat for seat in range(after.players) if scores[seat] == scores[winner]]
    if len(level) == 1:
        return "wins"
    tied = sum(after.treasures[seat] == after.treasures[winner] for seat in level) > 1
    return "wins_by_gems" if tied else "wins_by_treasures"


# --- The score sheet --------------------------------------------------------------------------------------------
def sheet(table: Table) -> list[ScoreRow]:
    """Lay the score out as the rulebook adds it up, one row after the other."""
    seats = range(table.players)
    rows = [
        _row("gold", "score.count", [_gold_value(table, seat) for seat in seats]),
        _row("treasures", "score.count", [5 * table.treasures[seat] for seat in seats]),
        _row("gems", "score.count", [SCORING.gem_cards(table, seat) for seat in seats]),
        _row("four_gems", "bonus.four-gems", [4 * (table.four_gems == seat + 1) for seat in seats]),
        *(_majority_row(table, kind) for kind in range(KINDS)),
    ]
    total = total_of(phrase("hand.points"), "score.winner", rows)
    treasures = phrase("score.tie_treasures"), "score.winner", table.treasures[: table.players]
    gems = phrase("score.tie_gems"), "score.winner", [SCORING.gem_cards(table, seat) for seat in seats]
    return [*rows, total, *tie_rows(total.counts, [treasures, gems])]


def _row(key: str, rule: str, counts: list[int | None]) -> ScoreRow:
    """Write a row of the sheet in short."""
    return ScoreRow(phrase(f"score.{key}"), rule, counts)


def _majority_row(table: Table, kind: int) -> ScoreRow:
    """Write the row of the bonus card for most gems of a kind."""
    holder = SCORING.majority(table, kind)
    return _row(f"most_{GEMS[kind]}", "score.majorities", [4 * (holder == seat) for seat in range(table.players)])


_TELLERS: dict[int, Callable[[Table, int, Table], list[Event]]] = {
    LOTS: _lots,
    REVEAL: _reveal,
    DIE: _fly,
    MOVE: _move,
    CARD: _choose_card,
    VICTIM: _choose_victim,
    BRIBE: _ransom,
}

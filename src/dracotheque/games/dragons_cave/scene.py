"""Dragon's Cave in phrases: what places and choices are called, what is asked, and what happened by which rule.

Events are told to the whole table: what is still secret never comes into one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from dracotheque.engine.game import Game
from dracotheque.engine.rule import load
from dracotheque.engine.words import Event, Phrase, phrase
from dracotheque.games.sheets import ScoreRow, tie_rows, total_of
from dracotheque.games.told import ALL_CRESTS, asked, event, faded, points, seat_name, winners
from dracotheque.games.dragons_cave.board import Board

# isort: off
from dracotheque.games.dragons_cave.state import (
    BOTH_HOME, CHEST, ENDINGS, GUESS, HOLD, IN_LAIR, KINDS, LEFT_FIST, LOTS, NICHE, NO_CARD, OVER,
    PLACE, RIGHT_FIST, SEAL, SEATS, SECOND_DWARF, SHORTAGE, SPLIT, START,
)  # fmt: skip

CRESTS = ALL_CRESTS[:SEATS]
OUR_BOARDS = {"The cave": "board.cave", "The small cave": "board.small"}

Table = Any  # an engine.record.Plain, or a copy of one: its fields are those of dragons_cave.state.State
RULES: Any = load("dracotheque.games.dragons_cave.rules", interpreted=True)
SCORING: Any = load("dracotheque.games.dragons_cave.scoring", interpreted=True)


# --- Names ------------------------------------------------------------------------------------------------------
def place(board: Board, number: int) -> Phrase:
    """Name a place of a cave: the start, a space of the path with its picture, a niche of the lair."""
    length = len(board.path)
    if number == START:
        return phrase("place.start")
    if number > length:
        return phrase("place.niche", of=_of(board, number - length - 1))
    picture = phrase(f"picture.{board.kinds[board.path[number - 1]]}")
    return phrase("place.space", number=number, picture=picture)


def board_name(board: Board) -> Phrase | str:
    """Name a cave: those of the box in the reader's language, others as their makers call them."""
    return phrase(OUR_BOARDS[board.name]) if board.name in OUR_BOARDS else board.name


def crest(seat: int) -> Phrase:
    """Name a seat's crest."""
    return phrase(f"crest.{CRESTS[seat]}")


def _to(table: Table, place: int) -> Phrase:
    """Name a place as where a dwarf goes; all niches are the lair."""
    if place == START:
        return phrase("to.start")
    return phrase("to.lair") if place > table.length else phrase("to.space", space=place)


def _of(board: Board, kind: int) -> Phrase:
    """Name a picture as a niche's own: “rope” in “the rope niche”, “de la corde” in “l’alcôve de la corde”."""
    return phrase(f"of.{board.kinds[kind]}")


def _card(board: Board, card: int) -> Phrase:
    """Name a card: “the rope”, “the Chest”."""
    return phrase(f"card.{'chest' if card == CHEST else board.kinds[card]}")


def _coins(number: int) -> Phrase:
    """Name a number of coins: “no coin”, “1 coin”, “2 coins”."""
    return phrase("coins", count=number) if number else phrase("coins.none")


def _dwarf(table: Table) -> Phrase:
    """Name the dwarf that a card is for; which one matters only where a player leads two."""
    if table.players > 2:
        return phrase("dwarf.only")
    return phrase("dwarf.second" if table.named else "dwarf.first")


# --- Choices and chances ----------------------------------------------------------------------------------------
def action(game: Game, seat: int, action: int) -> Phrase:
    """Name an action in short, whatever lies on the table."""
    if action < NICHE:
        return _card_name(game, action)
    if action < LEFT_FIST:
        return phrase("action.niche", of=_of(game.board, action - NICHE))
    if action < HOLD:
        return phrase("action.left_fist" if action == LEFT_FIST else "action.right_fist")
    return phrase("action.hold", coins=_coins(action - HOLD))


def _card_name(game: Game, action: int) -> Phrase:
    """Name a card to be laid, and the dwarf it is for where a player leads two."""
    second, card = divmod(action, SECOND_DWARF)
    if second:
        return phrase("action.lay_second", card=_card(game.board, card))
    return phrase("action.lay_first" if game.players == 2 else "action.lay", card=_card(game.board, card))


def outcome(game: Game, outcome: int) -> Phrase:
    """Name what chance brings: the first dragon."""
    return phrase(f"outcome.{CRESTS[outcome]}")


# --- What is asked ----------------------------------------------------------------------------------------------
def secret(table: Table) -> bool:
    """Say whether the choice now to be made is made in secret, out of sight of the others."""
    return table.phase in (SEAL, SPLIT)


def twin(table: Table, seat: int, action: int) -> int:
    """Find the choice that is the same but for which fist is the left one; most are their own."""
    if action in (LEFT_FIST, RIGHT_FIST):
        return LEFT_FIST + RIGHT_FIST - action
    return 2 * HOLD + table.purse[seat] - action if action >= HOLD else action


def question(table: Table) -> Event:
    """Ask what has to be decided now, and say by which rule."""
    return _QUESTIONS[table.phase](table)


def _ask_card(table: Table) -> Event:
    """Ask for a card, and with two players for the dwarf it is meant for."""
    if table.players > 2:
        return asked("card.seal", "card")
    if RULES.home(table, table.to_move):
        return asked("two.home", "card_for_second")
    if RULES.home(table, table.to_move + 2):
        return asked("two.home", "card_for_first")
    return asked("two.name", "card_and_dwarf")


def _ask_fist(table: Table) -> Event:
    """Ask the dragon for one of two fists."""
    coins = _coins(table.purse[table.guessing])
    return asked("fright.guess", "fist", seat=seat_name(table.guessing), coins=coins)


_QUESTIONS: dict[int, Callable[[Table], Event]] = {
    LOTS: lambda table: asked("setup.first-dragon", "lots"),
    SEAL: _ask_card,
    PLACE: lambda table: asked("dragon.place", "niche"),
    SPLIT: lambda table: asked("fright.split", "split"),
    GUESS: _ask_fist,
    OVER: lambda table: asked("end.over", "over"),
}


# --- What a choice would lead to --------------------------------------------------------------------------------
def preview(table: Table, seat: int, action: int) -> Phrase | None:
    """Say what a legal choice leads to, as far as the seat can know, or None where its name says it all."""
    if action < NICHE:
        second, card = divmod(action, SECOND_DWARF)
        return _preview_chest(table, seat) if card == CHEST else _preview_card(table, seat + 2 * second, card)
    if action < LEFT_FIST:
        return _preview_niche(table, action - NICHE)
    return phrase("preview.right", coins=_coins(table.purse[seat] + HOLD - action)) if action >= HOLD else None


def _preview_card(table: Table, dwarf: int, kind: int) -> Phrase:
    """Say where a card leads, and where to if the dragon sits there."""
    start = table.place[dwarf]
    back = RULES.behind(table, start, kind)
    if start == START:
        return phrase("preview.or_stay", way=_preview_way(table, dwarf, kind))
    return phrase("preview.or_back", way=_preview_way(table, dwarf, kind), to=_to(table, back))


def _preview_way(table: Table, dwarf: int, kind: int) -> Phrase:
    """Say where a card leads, what it earns, and whether the game ends with it."""
    target = RULES.ahead(table, table.place[dwarf], kind)
    to, coins = _to(table, target), RULES.coins_at(table, target)
    if runs_out(table, target):
        return phrase("preview.runs_out", to=to)
    return phrase("preview.way_ends" if all_home(table, dwarf, target) else "preview.way", to=to, coins=_coins(coins))


def runs_out(table: Table, target: int) -> bool:
    """Say whether a dwarf that comes to a place takes the last coin of the treasure."""
    return RULES.coins_at(table, target) >= table.treasure


def all_home(table: Table, dwarf: int, target: int) -> bool:
    """Say whether a dwarf that comes to a place ends the game from the lair: with two players, after its fellow."""
    return target > table.length and (table.players > 2 or RULES.home(table, (dwarf + 2) % 4))


def _preview_chest(table: Table, seat: int) -> Phrase:
    """Say what the Chest would put out of danger, and with two players that roles are swapped."""
    purse = table.purse[seat]
    safe = phrase("preview.chest", coins=_coins(purse)) if purse else phrase("preview.chest_empty")
    return phrase("preview.swap", safe=safe) if table.players == 2 else safe


def _preview_niche(table: Table, kind: int) -> Phrase:
    """Say who can have that card at all, as the open cards tell everybody, and what is in their purses."""
    seats = suspects(table, kind)
    if not seats:
        return phrase("preview.nobody")
    *first, last = (phrase("preview.suspect", crest=crest(seat), coins=_coins(table.purse[seat])) for seat in seats)
    listed = last
    for suspect in reversed(first):
        listed = phrase("preview.listed", suspect=suspect, others=listed)
    return phrase("preview.suspects", suspects=listed)


def suspects(table: Table, kind: int) -> list[int]:
    """List who can have laid that card, as the open cards tell everybody, from the dragon's left on."""
    return [seat for seat in _dwarf_players(table) if table.hand[seat] >> kind & 1]


def _dwarf_players(table: Table) -> list[int]:
    """List everybody but the dragon, from the dragon's left on."""
    return [(table.dragon_seat + steps) % table.players for steps in range(1, table.players)]


# --- What was laid away -----------------------------------------------------------------------------------------
def lies_open(options: Mapping[str, str]) -> bool:
    """Whether a table agreed to leave the chests open."""
    return options["chests"] == "open"


def lay_away(fields: dict[str, Any], viewer: int) -> None:
    """Close the chests: not even their owners look into them before the end."""
    if not fields["open_chests"]:
        fields["chest"] = [0] * SEATS


def fade(told: Event) -> Event:
    """Tell of coins again without their number: they may lie in a closed chest by now."""
    return faded(told, {"coins": "coins.some", "coins.none": "coins.some"})


# --- What happened ----------------------------------------------------------------------------------------------
def events(before: Table, player: int, action: int, after: Table) -> list[Event]:
    """Tell one move, a seat's or chance's, in the order in which things happened, to the whole table."""
    told = _TELLERS[before.phase](before, player, action, after)
    if after.phase == OVER:
        return [*told, *_ending(after)]
    if before.phase in (PLACE, GUESS) and after.phase in (SEAL, PLACE):
        return [*told, _dragon_passed(before, after), *_forced_chests(after)]
    return told


def _copy(table: Table) -> Table:
    """Copy a table, so that rules can be carried out on it one by one."""
    return SimpleNamespace(
        **{name: value[:] if isinstance(value, list) else value for name, value in vars(table).items()}
    )


# --- Set-up -----------------------------------------------------------------------------------------------------
def _lots(before: Table, player: int, action: int, after: Table) -> list[Event]:
    """Tell how everything lies, and who was drawn as the first dragon."""
    return [*_set_up(after), event("setup.first-dragon", "lots", seat=seat_name(action)), _roles()]


def _set_up(table: Table) -> list[Event]:
    """Tell how everything lies before the first round."""
    other = [event("option.board", "other_board", name=board_name(table.board))] if table.board.source else []
    if table.players == 2:
        players = event("two.dwarves", "two_dwarves")
    else:
        players = event("setup.players", "players")
    return [
        *other,
        event("setup.board", "board", spaces=table.length),
        event("setup.treasure", "treasure", coins=_coins(table.treasure)),
        players,
    ]


def _agreed(before: Table) -> list[Event]:
    """Tell the set-up with the first card of a game whose first dragon was named."""
    untouched = before.first_dragon and before.dragon == KINDS and all(card == NO_CARD for card in before.card)
    if not untouched:
        return []
    agreed = event("setup.first-dragon", "agreed", seat=seat_name(before.dragon_seat))
    return [*_set_up(before), agreed, _roles()]


def _roles() -> Event:
    """Tell what the dragon of a round does not do."""
    return event("round.roles", "roles")


# --- Cards and dragon -------------------------------------------------------------------------------------------
def _seal(before: Table, player: int, action: int, after: Table) -> list[Event]:
    """Tell that a card lies, not which one; with two players which dwarf was named for it."""
    seat = seat_name(player)
    if before.players > 2:
        return [*_agreed(before), event("card.seal", "card", seat=seat)]
    key = "card_for_second" if action >= SECOND_DWARF else "card_for_first"
    return [*_agreed(before), event("two.name", key, seat=seat)]


def _place_dragon(before: Table, player: int, action: int, after: Table) -> list[Event]:
    """Tell where the dragon sits, what the cards show and what comes of it."""
    of = _of(before.board, action - NICHE)
    table = _copy(before)
    RULES.place_dragon(table, action - NICHE)
    RULES.move_dwarves(table)
    told = [
        event("dragon.place", "dragon_of_two" if table.players == 2 else "dragon", seat=seat_name(player), of=of),
        *(_turned(before, seat, table) for seat in _dwarf_players(table)),
        *_together(before, table),
        *_collected(before, table),
    ]
    if table.phase == OVER:
        return told
    told += [*_few_cards(table), *_home(table), *_fists(table)]
    if after.phase != SPLIT:
        return [*told, *_settled(table)]
    return [*told, event("end.lair", "last_round")] if RULES.somebody_arrived(table) else told


def _turned(before: Table, seat: int, table: Table) -> Event:
    """Tell a player's card and where it led."""
    card = table.card[seat]
    if card == CHEST:
        return event("chest.safe", "safe", seat=seat_name(seat))
    dwarf = RULES.moving_dwarf(table, seat)
    start, target = before.place[dwarf], table.place[dwarf]
    gaps = {"seat": seat_name(seat), "card": _card(table.board, card), "dwarf": _dwarf(table)}
    if not RULES.frightened(table, seat):
        if target > table.length:
            return event("lair.enter", "lair", of=_of(table.board, card), **gaps)
        return event("move.ahead", "ahead", to=_to(table, target), **gaps)
    if start == START:
        return event("fright.back", "stays", **gaps)
    if RULES.ahead(table, start, card) > table.length:
        return event("lair.guarded", "guarded", to=_to(table, target), **gaps)
    return event("fright.back", "back", to=_to(table, target), **gaps)


def _together(before: Table, table: Table) -> list[Event]:
    """Tell of every space of the path that a dwarf came to where others stand."""
    dwarves = range(RULES.dwarves_of(table) * table.players)
    entered = {table.place[dwarf] for dwarf in dwarves if START != table.place[dwarf] != before.place[dwarf]}
    crowds = {place: sum(table.place[dwarf] == place for dwarf in dwarves) for place in sorted(entered)}
    return [
        event("move.together", "together", space=place, dwarves=crowd)
        for place, crowd in crowds.items()
        if crowd > 1 and place <= table.length
    ]


def _few_cards(table: Table) -> list[Event]:
    """Tell who has, as the open cards show, only one picture left beside the Chest for the rounds to come."""
    if RULES.somebody_arrived(table):
        return []
    return [
        event("card.open", "two_cards", seat=seat_name(seat), card=_card(table.board, _pictures(table, seat)[0]))
        for seat in _dwarf_players(table)
        if table.card[seat] < CHEST and not RULES.frightened(table, seat) and len(_pictures(table, seat)) == 1
    ]


def _pictures(table: Table, seat: int) -> list[int]:
    """List the kinds that a player still has in hand."""
    return [kind for kind in range(KINDS) if table.hand[seat] >> kind & 1]


def _home(table: Table) -> list[Event]:
    """Tell two players that the first dwarf to arrive stays in the lair, while the other goes on."""
    (seat, *others) = _dwarf_players(table)
    arrived = table.card[seat] < CHEST and RULES.home(table, RULES.moving_dwarf(table, seat))
    if others or not arrived or RULES.somebody_arrived(table):
        return []
    return [event("two.home", "home", seat=seat_name(seat))]


# --- Coins ------------------------------------------------------------------------------------------------------
def _collected(before: Table, table: Table) -> list[Event]:
    """Tell who took how many coins, or how too few were shared."""
    due = [seat for seat in _dwarf_players(table) if table.due[seat]]
    if table.phase == OVER and table.ended == SHORTAGE:
        return [*_shortage(before, table, due)]
    return [_taken(table, seat) for seat in due]


def _taken(table: Table, seat: int) -> Event:
    """Tell what a player took, for a space or for the lair."""
    arrived = RULES.home(table, RULES.moving_dwarf(table, seat))
    rule, key = ("lair.reward", "reward") if arrived else ("coins.collect", "coins")
    return event(rule, key, seat=seat_name(seat), coins=_coins(table.due[seat]))


def _shortage(before: Table, table: Table, due: list[int]) -> Iterable[Event]:
    """Tell that the treasure was too small, what everybody got of it, and what nobody got."""
    wanted = _coins(sum(table.due))
    yield event("coins.shortage", "shortage", due=wanted, left=_coins(before.treasure))
    for seat in due:
        share = _coins(table.purse[seat] - before.purse[seat])
        yield event("coins.shortage", "coins", seat=seat_name(seat), coins=share)
    if table.treasure:
        yield event("coins.shortage", "rest", coins=_coins(table.treasure))


# --- The frightened ---------------------------------------------------------------------------------------------
def _fists(table: Table) -> list[Event]:
    """Tell which of the frightened have coins to split."""
    return [
        event("fright.split", "must_split", seat=seat_name(seat), coins=_coins(table.purse[seat]))
        if table.purse[seat]
        else event("fright.split", "no_coins", seat=seat_name(seat))
        for seat in _dwarf_players(table)
        if RULES.frightened(table, seat)
    ]


def _split(before: Table, player: int, action: int, after: Table) -> list[Event]:
    """Tell that a player is ready, not what is in which fist."""
    return [event("fright.split", "fists_closed", seat=seat_name(player))]


def _guess(before: Table, player: int, action: int, after: Table) -> list[Event]:
    """Tell what was in both fists and what the dragon won back."""
    seat = before.guessing
    left = before.left[seat]
    right = before.purse[seat] - left
    key, lost, kept = ("left_fist", left, right) if action == LEFT_FIST else ("right_fist", right, left)
    table = _copy(before)
    RULES.guess(table, action)
    told = [
        event("fright.guess", "fists_opened", seat=seat_name(seat), left=_coins(left), right=_coins(right)),
        event("fright.guess", key, lost=_coins(lost), kept=_coins(kept)),
    ]
    return told if after.phase == GUESS else [*told, *_settled(table)]


# --- The end of the round ---------------------------------------------------------------------------------------
def _settled(table: Table) -> list[Event]:
    """Tell who fills the chest and who takes cards back."""
    told: list[Event] = []
    for seat in _dwarf_players(table):
        if RULES.frightened(table, seat):
            told.append(event("fright.cards", "cards", seat=seat_name(seat)))
        elif table.card[seat] == CHEST:
            told += [_banked(table, seat), event("chest.cards", "chest_cards", seat=seat_name(seat))]
    return told


def _banked(table: Table, seat: int) -> Event:
    """Tell that the purse goes into the chest; how much is told only where everybody may look into chests."""
    name, purse = seat_name(seat), table.purse[seat]
    if purse == 0:
        return event("chest.bank", "nothing_banked", seat=name)
    if not table.open_chests:
        return event("chest.bank", "banked", seat=name)
    contents = _coins(table.chest[seat] + purse)
    return event("option.open-chests", "banked_openly", seat=name, coins=_coins(purse), contents=contents)


def _dragon_passed(before: Table, after: Table) -> Event:
    """Tell who is the dragon in the next round, and with two players why."""
    seat = seat_name(after.dragon_seat)
    if after.players > 2:
        return event("round.pass", "passed", seat=seat)
    if after.dragon_seat == before.dragon_seat:
        return event("two.roles", "roles_stay", seat=seat)
    chest = before.card[after.dragon_seat] == CHEST
    return event("two.roles", "swapped_by_chest" if chest else "swapped_by_fright", seat=seat)


def _forced_chests(after: Table) -> list[Event]:
    """Tell for whom the Chest lies by itself as the round begins."""
    forced = [seat for seat in _dwarf_players(after) if RULES.must_bank(after, seat)]
    return [event("card.last-chest", "last_chest", seat=seat_name(seat)) for seat in forced]


# --- End and score ----------------------------------------------------------------------------------------------
def _ending(after: Table) -> list[Event]:
    """Tell why the game is over, and the whole count."""
    closed = not after.open_chests and any(after.chest)
    return [
        _last(after),
        *_spared(after),
        event("end.over", "over"),
        *([event("chest.closed", "chests_opened")] if closed else []),
        *(_count(after, seat) for seat in range(after.players)),
        *_victory(after),
    ]


def _last(after: Table) -> Event:
    """Tell which of the endings came."""
    rule = ENDINGS[after.ended]
    if after.ended == BOTH_HOME:
        both_home = next(seat for seat in range(2) if RULES.home(after, seat) and RULES.home(after, seat + 2))
        return event(rule, "both_home", seat=seat_name(both_home))
    if after.ended == IN_LAIR:
        return event(rule, "in_lair")
    return event(rule, "too_few" if after.ended == SHORTAGE else "last_coin")


def _spared(after: Table) -> list[Event]:
    """Tell which of the frightened lost nothing because the treasure ran out first."""
    if after.ended in (IN_LAIR, BOTH_HOME):
        return []
    spared = [seat for seat in _dwarf_players(after) if RULES.frightened(after, seat) and after.purse[seat]]
    return [event("reveal.order", "spared", seat=seat_name(seat)) for seat in spared]


def _count(after: Table, seat: int) -> Event:
    """Tell what a player's coins are made of."""
    purse, chest, coins = after.purse[seat], after.chest[seat], _coins(points(SCORING, after)[seat])
    return event("score.count", "count", seat=seat_name(seat), purse=purse, chest=chest, coins=coins)


def _victory(after: Table) -> list[Event]:
    """Tell who won and by what, or who shares the victory."""
    scores = points(SCORING, after)
    won = winners(SCORING, after)
    if len(won) > 1:
        return [
            event("score.shared", "shares", seat=seat_name(seat), coins=phrase("coins", count=scores[seat]))
            for seat in won
        ]
    (winner,) = won
    gaps = {"seat": seat_name(winner), "coins": phrase("coins", count=scores[winner])}
    if scores.count(scores[winner]) == 1:
        return [event("score.winner", "wins", **gaps)]
    if after.players == 2:
        return [event("two.tie", "wins_by_both_dwarves", **gaps)]
    return [event("score.winner", "wins_by_place", **gaps)]


# --- The score sheet --------------------------------------------------------------------------------------------
def sheet(table: Table) -> list[ScoreRow]:
    """Lay the coins out: in the purse, in the chest, both together, and at a tie how far the dwarves have come."""
    rows = [
        ScoreRow(phrase("score.purse"), "score.count", table.purse[: table.players]),
        ScoreRow(phrase("score.chest"), "score.count", table.chest[: table.players]),
    ]
    total = total_of(phrase("drawn.coins"), "score.winner", rows)
    way = [SCORING.progress(table, seat) for seat in range(table.players)]
    key, rule = ("tie_places", "two.tie") if table.players == 2 else ("tie_place", "score.winner")
    return [*rows, total, *tie_rows(total.counts, [(phrase(f"score.{key}"), rule, way)])]


_TELLERS: dict[int, Callable[[Table, int, int, Table], list[Event]]] = {
    LOTS: _lots,
    SEAL: _seal,
    PLACE: _place_dragon,
    SPLIT: _split,
    GUESS: _guess,
}

"""Dragon's Cave: what happened in a move, event by event, each with its rule.

All viewers read the same events: they contain nothing that is still secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace

from dracotheque.engine.phrases import GameEvent, phrase
from dracotheque.presentation.narration import event, points, seat_name, winners

# isort: off
from dracotheque.games.dragons_cave.rules import mechanics, scoring
from dracotheque.games.dragons_cave.rules.state import (
    BOTH_HOME, CHEST, ENDINGS, GUESS, IN_LAIR, KINDS, LEFT_FIST, LOTS, NICHE, NO_CARD, OVER, PLACE, SEAL, SECOND_DWARF,
    SHORTAGE, SPLIT, START,
)  # fmt: skip
from dracotheque.games.dragons_cave.names import (
    Table, _back, _card, _coins, _dwarf_players, _played, _to, board_name, picture,
)  # fmt: skip


# --- What happened ----------------------------------------------------------------------------------------------
def events(before: Table, player: int, action: int, after: Table) -> list[GameEvent]:
    """Return the events of one move, a seat's or chance's, in their order, as all viewers read them."""
    narration = _EVENTS[before.phase](before, player, action, after)
    if after.phase == OVER:
        return [*narration, *_ending(after)]
    if before.phase in (PLACE, GUESS) and after.phase in (SEAL, PLACE):
        return [*narration, _dragon_passed(before, after), *_forced_chests(after)]
    return narration


def _copy(table: Table) -> Table:
    """Return a copy on which rules can be carried out one by one."""
    return SimpleNamespace(
        **{name: value[:] if isinstance(value, list) else value for name, value in vars(table).items()}
    )


# --- Set-up -----------------------------------------------------------------------------------------------------
def _lots(before: Table, player: int, action: int, after: Table) -> list[GameEvent]:
    """Return the set-up, and who was drawn as the first dragon."""
    return [*_set_up(after), event("setup.first-dragon", "lots", seat=seat_name(action)), _roles()]


def _set_up(table: Table) -> list[GameEvent]:
    """Return the events of the set-up."""
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


def _agreed(before: Table) -> list[GameEvent]:
    """Return the set-up for the first card of a game whose first dragon is an option."""
    untouched = before.first_dragon and before.dragon == KINDS and all(card == NO_CARD for card in before.card)
    if not untouched:
        return []
    agreed = event("setup.first-dragon", "agreed", seat=seat_name(before.dragon_seat))
    return [*_set_up(before), agreed, _roles()]


def _roles() -> GameEvent:
    """Return the event that the dragon of a round plays no card."""
    return event("round.roles", "roles")


# --- Cards and dragon -------------------------------------------------------------------------------------------
def _seal(before: Table, player: int, action: int, after: Table) -> list[GameEvent]:
    """Return that a card is played, not which one; with two players which dwarf it names."""
    seat = seat_name(player)
    if before.players > 2:
        return [*_agreed(before), event("card.seal", "card", seat=seat)]
    key = "card_for_second" if action >= SECOND_DWARF else "card_for_first"
    return [*_agreed(before), event("two.name", key, seat=seat)]


def _place_dragon(before: Table, player: int, action: int, after: Table) -> list[GameEvent]:
    """Return where the dragon is placed, what the cards show and what follows from it."""
    of = picture(before.board, action - NICHE)
    table = _copy(before)
    mechanics.place_dragon(table, action - NICHE)
    mechanics.move_dwarves(table)
    narration = [
        event("dragon.place", "dragon_of_two" if table.players == 2 else "dragon", seat=seat_name(player), of=of),
        *(_turned(before, seat, table) for seat in _dwarf_players(table)),
        *_together(before, table),
        *_collected(before, table),
    ]
    if table.phase == OVER:
        return narration
    narration += [*_few_cards(table), *_home(table), *_fists(table)]
    if after.phase != SPLIT:
        return [*narration, *_settled(table)]
    return [*narration, event("end.lair", "last_round")] if mechanics.somebody_arrived(table) else narration


def _turned(before: Table, seat: int, table: Table) -> GameEvent:
    """Return a player's card and where it led."""
    card = table.card[seat]
    if card == CHEST:
        return event("chest.safe", "safe", seat=seat_name(seat))
    dwarf = mechanics.moving_dwarf(table, seat)
    start, target = before.place[dwarf], table.place[dwarf]
    gaps = {"seat": seat_name(seat), "card": _played(table, card)}
    if not mechanics.frightened(table, seat):
        if target > table.length:
            return event("lair.enter", "lair", **gaps)
        return event("move.ahead", "ahead", to=_to(table, target), **gaps)
    if start == START:
        return event("fright.back", "stays", **gaps)
    if mechanics.ahead(table, start, card) > table.length:
        return event("lair.guarded", "guarded", to=_back("caught", target), **gaps)
    return event("fright.back", "back", to=_back("caught", target), **gaps)


def _together(before: Table, table: Table) -> list[GameEvent]:
    """Return each space of the path that a dwarf came to where others are."""
    dwarves = range(mechanics.dwarves_of(table) * table.players)
    entered = {table.place[dwarf] for dwarf in dwarves if START != table.place[dwarf] != before.place[dwarf]}
    crowds = {place: sum(table.place[dwarf] == place for dwarf in dwarves) for place in sorted(entered)}
    return [
        event("move.together", "together", space=place, dwarves=crowd)
        for place, crowd in crowds.items()
        if crowd > 1 and place <= table.length
    ]


def _few_cards(table: Table) -> list[GameEvent]:
    """Return who has, as the open cards show, only one picture left next to the Chest for the next rounds."""
    if mechanics.somebody_arrived(table):
        return []
    return [
        event("card.open", "two_cards", seat=seat_name(seat), card=_card(table.board, _pictures(table, seat)[0]))
        for seat in _dwarf_players(table)
        if table.card[seat] < CHEST and not mechanics.frightened(table, seat) and len(_pictures(table, seat)) == 1
    ]


def _pictures(table: Table, seat: int) -> list[int]:
    """List the kinds that a player still has in hand."""
    return [kind for kind in range(KINDS) if table.hand[seat] >> kind & 1]


def _home(table: Table) -> list[GameEvent]:
    """Return, with two players, that the first dwarf to arrive stays in the lair while the other goes on."""
    (seat, *others) = _dwarf_players(table)
    arrived = table.card[seat] < CHEST and mechanics.home(table, mechanics.moving_dwarf(table, seat))
    if others or not arrived or mechanics.somebody_arrived(table):
        return []
    return [event("two.home", "home", seat=seat_name(seat))]


# --- Coins ------------------------------------------------------------------------------------------------------
def _collected(before: Table, table: Table) -> list[GameEvent]:
    """Return who took how many coins, or how too few were shared."""
    due = [seat for seat in _dwarf_players(table) if table.due[seat]]
    if table.phase == OVER and table.ended == SHORTAGE:
        return [*_shortage(before, table, due)]
    return [_taken(table, seat) for seat in due]


def _taken(table: Table, seat: int) -> GameEvent:
    """Return what a player took, for a space or for the lair."""
    arrived = mechanics.home(table, mechanics.moving_dwarf(table, seat))
    rule, key = ("lair.reward", "reward") if arrived else ("coins.collect", "coins")
    return event(rule, key, seat=seat_name(seat), coins=_coins(table.due[seat]))


def _shortage(before: Table, table: Table, due: list[int]) -> Iterable[GameEvent]:
    """Return that the treasure was too small, what each player got of it, and what no one got."""
    yield event("coins.shortage", "shortage", left=_coins(before.treasure))
    for seat in due:
        share = _coins(table.purse[seat] - before.purse[seat])
        yield event("coins.shortage", "coins", seat=seat_name(seat), coins=share)
    if table.treasure:
        yield event("coins.shortage", "rest", coins=_coins(table.treasure))


# --- The frightened ---------------------------------------------------------------------------------------------
def _fists(table: Table) -> list[GameEvent]:
    """Return which frightened players have coins to split."""
    return [
        event("fright.split", "must_split", seat=seat_name(seat), coins=_coins(table.purse[seat]))
        if table.purse[seat]
        else event("fright.split", "no_coins", seat=seat_name(seat))
        for seat in _dwarf_players(table)
        if mechanics.frightened(table, seat)
    ]


def _split(before: Table, player: int, action: int, after: Table) -> list[GameEvent]:
    """Return that a player is ready, not what is in which fist."""
    return [event("fright.split", "fists_closed", seat=seat_name(player))]


def _guess(before: Table, player: int, action: int, after: Table) -> list[GameEvent]:
    """Return what was in both fists and what the dragon won back."""
    seat = before.guessing
    left = before.left[seat]
    right = before.purse[seat] - left
    key, lost, kept = ("left_fist", left, right) if action == LEFT_FIST else ("right_fist", right, left)
    table = _copy(before)
    mechanics.guess(table, action)
    narration = [
        event("fright.guess", "fists_opened", seat=seat_name(seat), left=_coins(left), right=_coins(right)),
        event("fright.guess", key, lost=_coins(lost), kept=_coins(kept)),
    ]
    return narration if after.phase == GUESS else [*narration, *_settled(table)]


# --- The end of the round ---------------------------------------------------------------------------------------
def _settled(table: Table) -> list[GameEvent]:
    """Return who fills the chest and who takes cards back."""
    narration: list[GameEvent] = []
    for seat in _dwarf_players(table):
        if mechanics.frightened(table, seat):
            narration.append(event("fright.cards", "cards", seat=seat_name(seat)))
        elif table.card[seat] == CHEST:
            narration += [_banked(table, seat), event("chest.cards", "chest_cards", seat=seat_name(seat))]
    return narration


def _banked(table: Table, seat: int) -> GameEvent:
    """Return that the purse goes into the chest; how much is public only where chests are open."""
    name, purse = seat_name(seat), table.purse[seat]
    if purse == 0:
        return event("chest.bank", "nothing_banked", seat=name)
    if not table.open_chests:
        return event("chest.bank", "banked", seat=name)
    contents = _coins(table.chest[seat] + purse)
    return event("option.open-chests", "banked_openly", seat=name, coins=_coins(purse), contents=contents)


def _dragon_passed(before: Table, after: Table) -> GameEvent:
    """Return who is the dragon in the next round, and with two players why."""
    seat = seat_name(after.dragon_seat)
    if after.players > 2:
        return event("round.pass", "passed", seat=seat)
    if after.dragon_seat == before.dragon_seat:
        return event("two.roles", "roles_stay", seat=seat)
    chest = before.card[after.dragon_seat] == CHEST
    return event("two.roles", "swapped_by_chest" if chest else "swapped_by_fright", seat=seat)


def _forced_chests(after: Table) -> list[GameEvent]:
    """Return who has to play the Chest as the round begins."""
    forced = [seat for seat in _dwarf_players(after) if mechanics.must_bank(after, seat)]
    return [event("card.last-chest", "last_chest", seat=seat_name(seat)) for seat in forced]


# --- End and score ----------------------------------------------------------------------------------------------
def _ending(after: Table) -> list[GameEvent]:
    """Return why the game is over, and the whole count."""
    closed = not after.open_chests and any(after.chest)
    return [
        _last(after),
        *_spared(after),
        event("end.over", "over"),
        *([event("chest.closed", "chests_opened")] if closed else []),
        *(_count(after, seat) for seat in range(after.players)),
        *_victory(after),
    ]


def _last(after: Table) -> GameEvent:
    """Return which ending came."""
    rule = ENDINGS[after.ended]
    if after.ended == BOTH_HOME:
        both_home = next(seat for seat in range(2) if mechanics.home(after, seat) and mechanics.home(after, seat + 2))
        return event(rule, "both_home", seat=seat_name(both_home))
    if after.ended == IN_LAIR:
        return event(rule, "in_lair")
    return event(rule, "too_few" if after.ended == SHORTAGE else "last_coin")


def _spared(after: Table) -> list[GameEvent]:
    """Return which frightened players lost nothing because the treasure ran out first."""
    if after.ended in (IN_LAIR, BOTH_HOME):
        return []
    spared = [seat for seat in _dwarf_players(after) if mechanics.frightened(after, seat) and after.purse[seat]]
    return [event("reveal.order", "spared", seat=seat_name(seat)) for seat in spared]


def _count(after: Table, seat: int) -> GameEvent:
    """Return the coins of a player's purse and chest, and their sum."""
    purse, chest, coins = after.purse[seat], after.chest[seat], _coins(points(scoring, after)[seat])
    return event("score.count", "count", seat=seat_name(seat), purse=purse, chest=chest, coins=coins)


def _victory(after: Table) -> list[GameEvent]:
    """Return who won and by what, or who shares the victory."""
    scores = points(scoring, after)
    won = winners(scoring, after)
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


_EVENTS: dict[int, Callable[[Table, int, int, Table], list[GameEvent]]] = {
    LOTS: _lots,
    SEAL: _seal,
    PLACE: _place_dragon,
    SPLIT: _split,
    GUESS: _guess,
}

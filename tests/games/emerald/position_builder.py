"""Positions of Emerald in a few words, and moves by their English names: what the tests of the rules are written in.

>>> state = situation(knights={"lion": ["cave 3", "field 1"]}, piles={4: "ruby+1 5"}, dragon=4, rod=2)
>>> play(state, "cave 3", "take the gold", "die: 2")
>>> where(state, "lion")
['tower 3', 'tower 4', 'keep', 'field 1', 'cave 4']
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence

from dracotheque import State, load_game
from dracotheque.engine.dispatch import CHANCE, TERMINAL
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Phrase, with_plain_spaces
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.emerald import names as names_module
from dracotheque.games.emerald import text
from dracotheque.games.emerald.rules import state as s
from tests.games.positions import put, raised_rule

CRESTS, GEMS = names_module.CRESTS, names_module.GEMS
COLOUR_OF = {"lion": "yellow", "tower": "red", "star": "purple", "oak": "green", "wave": "blue"}
START_PLACES = ("tower 1", "tower 2", "tower 3", "tower 4", "keep")
PLACES = (
    *START_PLACES,
    *(f"field {n}" for n in range(1, 7)),
    *(f"cave {n}" for n in range(1, 10)),
    "chamber",
    "nest",
    "box",
)
FACING = {"plain": s.PLAINWARD, "lair": s.LAIRWARD}


@functools.cache
def interpreted(players: int, **options: str) -> Game:
    """Load the game to be played as plain Python."""
    return load_game("emerald", players, interpreted=True, **options)


# --- Building ---------------------------------------------------------------------------------------------------
def situation(
    players: int = 3,
    *,
    active: str = "lion",
    knights: Mapping[str, Sequence[str]] | None = None,
    piles: Mapping[int, str] | None = None,
    dragon: int = 4,
    facing: str = "plain",
    rod: int = 1,
    gold: Mapping[str, Iterable[int]] | None = None,
    gems: Mapping[str, Iterable[str]] | None = None,
    treasures: Mapping[str, int] | None = None,
    four_gems: str | None = None,
    **options: str,
) -> State:
    """Lay out a position at the beginning of a turn.

    Knights that are not named still stand in the castle, on its last places. A pile is written as its face-up card
    and how many lie beneath: `{3: "ruby+1 4+2"}` puts a ruby on one gem and gold 4 on two cards beside cave 3,
    `{3: ""}` empties it; other caves lie as they were dealt, less what the players own. Everyone owns a treasure
    card for each knight in the chamber, unless `treasures` says otherwise.
    """
    state = interpreted(players, **options).new_initial_state()
    table = state.to_plain()
    table.active = CRESTS.index(active)
    place_knights(table, knights or {})
    lay_piles(table, piles or {})
    table.dragon, table.facing, table.rod = dragon - 1, FACING[facing], rod - 1
    deal_hands(table, gold or {}, gems or {}, treasures)
    table.four_gems = 0 if four_gems is None else CRESTS.index(four_gems) + 1
    lay_the_rest(table, piles or {})
    table.dealt = 2 * s.CAVES
    table.phase, table.to_move = s.MOVE, table.active
    return put(state, table)


def place_knights(table: PlainState, knights: Mapping[str, Sequence[str]]) -> None:
    """Put the named knights where they should stand, and count who stands where."""
    assert set(knights) <= set(CRESTS[: sum(n > 0 for n in table.in_play)]), "a crest that does not play"
    for crest, places in knights.items():
        row = table.knights[CRESTS.index(crest)]
        boxed = row.count(s.BOX)
        at_home = row[len(places) : s.KNIGHTS - boxed]
        row[:] = sorted([*map(PLACES.index, places), *at_home]) + [s.BOX] * boxed
        assert len(row) == s.KNIGHTS, f"too many {crest} knights"
    everyone = [place for row in table.knights for place in row]
    table.crowd = [everyone.count(place) for place in range(s.CHAMBER)]
    table.in_play = [sum(place < s.CHAMBER for place in row) for row in table.knights]


def lay_piles(table: PlainState, piles: Mapping[int, str]) -> None:
    """Lay the named piles."""
    for cave, written in piles.items():
        lay_pile(table, cave - 1, 0, 0)
        lay_pile(table, s.CAVES + cave - 1, 0, 0)
        for card in written.split():
            name, _, beneath = card.partition("+")
            if name in GEMS:
                lay_pile(table, cave - 1, GEMS.index(name), 1 + int(beneath or 0))
            else:
                lay_pile(table, s.CAVES + cave - 1, int(name) - 1, 1 + int(beneath or 0))


def lay_pile(table: PlainState, pile: int, top: int, cards: int) -> None:
    """Lay one pile."""
    table.pile[pile], table.top[pile] = cards, top


def deal_hands(
    table: PlainState,
    gold: Mapping[str, Iterable[int]],
    gems: Mapping[str, Iterable[str]],
    treasures: Mapping[str, int] | None,
) -> None:
    """Give everyone their cards."""
    for crest, values in gold.items():
        for value in values:
            table.gold[CRESTS.index(crest)][value - 1] += 1
    for crest, kinds in gems.items():
        for kind in kinds:
            table.gems[CRESTS.index(crest)][GEMS.index(kind)] += 1
    for colour, row in enumerate(table.knights):
        table.treasures[colour % table.players] += row.count(s.CHAMBER)
    if treasures is not None:
        table.treasures = [treasures.get(crest, 0) for crest in CRESTS]
    table.treasures_left = s.TREASURES - sum(table.treasures)


def lay_the_rest(table: PlainState, named: Iterable[int]) -> None:
    """Let the other piles lie as they were dealt, less what the players own; count the cards nobody has seen.

    Cards that are nowhere then have left the game.
    """
    unseen = [6] * s.KINDS + [5] * s.VALUES
    others = [cave for cave in range(s.CAVES) if cave + 1 not in named]
    for seat in range(table.players):
        for card, count in enumerate([*table.gems[seat], *table.gold[seat]]):
            unseen[card] -= count
    for pile in range(2 * s.CAVES):
        if pile % s.CAVES not in others and table.pile[pile] > 0:
            unseen[table.top[pile] + SORTS[pile >= s.CAVES].start] -= 1
    assert min(unseen) >= 0, "more cards of a kind than there are"
    for sort, first in zip(SORTS, (0, s.CAVES), strict=True):
        spread(table, unseen, sort, first, [first + cave for cave in others])
    table.unseen = unseen


SORTS = (range(s.KINDS), range(s.KINDS, s.KINDS + s.VALUES))


def spread(table: PlainState, left: list[int], sort: range, first: int, others: list[int]) -> None:
    """Turn up the piles of one sort that were not named, and keep as many cards back as lie face down."""
    shown = sum(table.pile[pile] > 0 for pile in range(first, first + s.CAVES) if pile not in others)
    surplus = sum(table.pile[first : first + s.CAVES]) - shown + 2 - sum(left[card] for card in sort)
    for pile in reversed(others):
        taken = min(max(surplus, 0), table.pile[pile])
        table.pile[pile] -= taken
        surplus -= taken
    assert surplus <= 0, "more cards than there are"
    for pile in others:
        if table.pile[pile] > 0:
            card = max(sort, key=left.__getitem__)
            left[card] -= 1
            table.top[pile] = card - sort.start
    for _ in range(-surplus):
        left[max(sort, key=left.__getitem__)] -= 1


# --- Playing and looking ----------------------------------------------------------------------------------------
@functools.cache
def names(players: int, seat: int) -> dict[str, int]:
    """Every action of a seat, or of chance, by its English name."""
    game = interpreted(players)

    def say(name: Phrase) -> str:
        return with_plain_spaces(game.words().say(name))

    if seat == CHANCE:
        return {say(text.outcome(game, outcome)): outcome for outcome in range(s.OUTCOMES)}
    return {say(text.action(game, seat, action)): action for action in range(s.ACTIONS)}


def play(state: State, *moves: str) -> State:
    """Carry out moves by name, each by the one who is to move."""
    for move in moves:
        state.apply_action(names(state.game.players, state.current_player())[move])
    return state


def choices(state: State) -> list[str]:
    """Name everything the one to move may do."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def to_move(state: State) -> str:
    """Name who is to move: a crest, `chance` or `nobody`."""
    return {CHANCE: "chance", TERMINAL: "nobody"}.get(state.current_player()) or CRESTS[state.current_player()]


def refused(state: State, move: str, by: str | None = None) -> str | None:
    """Try something that is not allowed; return the rule that forbids it."""
    seat = state.current_player() if by is None else CRESTS.index(by)
    return raised_rule(state, seat, names(state.game.players, seat)[move])


def where(state: State, crest: str) -> list[str]:
    """Name the places of a crest's knights, castle first."""
    return [PLACES[place] for place in state.to_plain().knights[CRESTS.index(crest)]]


def hand(state: State, crest: str) -> tuple[list[int], list[str]]:
    """List the gold and the gems before a player."""
    table, seat = state.to_plain(), CRESTS.index(crest)
    gold = [value + 1 for value, count in enumerate(table.gold[seat]) for _ in range(count)]
    return gold, [GEMS[kind] for kind, count in enumerate(table.gems[seat]) for _ in range(count)]


def dragon(state: State) -> tuple[int, str]:
    """Say on which cave the dragon stands and where it looks."""
    table = state.to_plain()
    return table.dragon + 1, {way: name for name, way in FACING.items()}[table.facing]


def rod(state: State) -> int:
    """Say beside which cave the rod begins."""
    return state.to_plain().rod + 1

"""The golden games of Dragon's Cave: how each is played, and what it shows (tests/games/golden.py: how they are made).

No recipe knows a particular cave: other coins on the path only lead to other games that show the same.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from dracotheque import State
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.dragons_cave.rules import state as s
from tests.games.golden import Golden, Recipe, Step, Steps, level, shared, tells, where


# --- What a game shows ------------------------------------------------------------------------------------------
def telling(*keys: str) -> Callable[[Step], bool]:
    """Make a move that tells all of this something to wait for."""
    return lambda step: step.event_keys.issuperset(keys)


def dwarf_players(table: PlainState) -> list[int]:
    """List everybody but the dragon."""
    return [seat for seat in range(table.players) if seat != table.dragon_seat]


def splitting(many: int) -> Callable[[Step], bool]:
    """Return whether so many are frightened at once, each with coins to split."""
    return lambda step: step.before.phase == s.PLACE and step.after.left.count(s.TO_SPLIT) == many


def guessed(step: Step) -> tuple[int, int]:
    """Count the coins in both fists that the dragon chooses from, and those in the fist it chooses."""
    if step.before.phase != s.GUESS:
        return 0, 0
    both, left = step.before.purse[step.before.guessing], step.before.left[step.before.guessing]
    return both, left if step.action == s.LEFT_FIST else both - left


def single_coin(step: Step) -> bool:
    """Return whether the dragon guesses where a single coin is."""
    return guessed(step)[0] == 1


def all_lost(step: Step) -> bool:
    """Return whether some coins are all in one fist, and the dragon chooses it."""
    both, lost = guessed(step)
    return both >= 3 and lost == both


def nothing_lost(step: Step) -> bool:
    """Return whether some coins are all in one fist, and the dragon chooses the other."""
    both, lost = guessed(step)
    return both >= 3 and lost == 0


def arrivals(step: Step) -> list[int]:
    """List the niches that dwarves came to in this move, one for every dwarf."""
    length = step.after.length
    return [now for then, now in zip(step.before.place, step.after.place, strict=True) if then <= length < now]


def several_arrive(step: Step) -> bool:
    """Return whether several dwarves reach the lair at once, in different niches."""
    return len(set(arrivals(step))) > 1


def one_niche(step: Step) -> bool:
    """Return whether two dwarves reach the same niche at once."""
    niches = arrivals(step)
    return len(set(niches)) < len(niches)


def more_than_due(step: Step) -> bool:
    """Return whether someone's share of too few coins is more than was due."""
    short = step.after.phase == s.OVER and step.after.ended == s.SHORTAGE
    gains = [now - then for then, now in zip(step.before.purse, step.after.purse, strict=True)]
    return short and any(gain > due for gain, due in zip(gains, step.after.due, strict=True))


def nobody_to_catch(step: Step) -> bool:
    """Return whether the dragon is placed while the last card of every dwarf player, the Chest, lies by itself."""
    table = step.before
    return table.phase == s.PLACE and all(table.hand[seat] == s.ONLY_CHEST for seat in dwarf_players(table))


def chest_twice(game: Steps) -> bool:
    """Return whether a player lays the Chest in two rounds running."""
    rounds = [step.before.card for step in game if step.before.phase == s.PLACE]
    return any(one == two == s.CHEST for pair in pairwise(rounds) for one, two in zip(*pair, strict=True))


def crowded(step: Step) -> bool:
    """Return whether three dwarves meet on a space of the path."""
    met = [place for place in step.after.place if step.after.place.count(place) > 2]
    return "together" in step.event_keys and any(s.START < place <= step.after.length for place in met)


def played_to_its_end(step: Step) -> bool:
    """Return whether a dwarf reaches the lair while someone has coins to split and someone plays the Chest."""
    return step.after.phase == s.SPLIT and s.CHEST in step.before.card and len(arrivals(step)) > 0


def caught_alone(step: Step) -> bool:
    """Return whether a dwarf is frightened at the door, with coins to split, while its fellow is home."""
    home = [place > step.before.length for place in step.before.place]
    alone = any(home[seat] or home[seat + 2] for seat in dwarf_players(step.before))
    return alone and step.event_keys.issuperset({"guarded", "must_split"})


def three_home(step: Step) -> bool:
    """Return whether two players' game ends with three dwarves in the lair."""
    return step.after.phase == s.OVER and dwarves_home(step.after) == 3


def dwarves_home(table: PlainState) -> int:
    """Count the dwarves in the lair."""
    return sum(place > table.length for place in table.place)


# --- What all hurry towards -------------------------------------------------------------------------------------
def drained(end: State) -> float:
    """As many coins out of the treasure as possible."""
    return 20 * sum(end.scores())


def short(end: State) -> float:
    """A treasure too small for what is due."""
    return drained(end) + 150 * (end.ending() == "coins.shortage")


def short_and_unequal(end: State) -> float:
    """A treasure too small for players who are due different numbers of coins."""
    return short(end) + 150 * (len(set(end.to_plain().due) - {0}) > 1)


def short_and_odd(end: State) -> float:
    """A treasure too small for what is due, and not to be shared without a rest."""
    return short(end) + 150 * (end.to_plain().treasure > 0)


def at_home(end: State) -> float:
    """As many dwarves in the lair as possible."""
    return 100 * dwarves_home(end.to_plain())


# --- What is tried though a rule forbids it ---------------------------------------------------------------------
def temptations(state: State) -> list[tuple[int, int]]:
    """List what players may want to do, in any order: first what others do just now, last what nobody does here."""
    table = state.to_plain()
    wishes = [
        (seat, action)
        for seat in range(table.players)
        for action in range(s.HOLD + table.purse[seat] + 2)  # one coin more than there is, too
    ]
    random.Random(state.move_number()).shuffle(wishes)
    return sorted(wishes, key=lambda wish: strangeness(table, wish[1]))


def strangeness(table: PlainState, action: int) -> int:
    """Say how far a choice is from what the table is doing: cards and niches, or fists; a second dwarf is farthest."""
    if table.players > 2 and s.SECOND_DWARF <= action < s.NICHE:
        return 2
    return (table.phase in (s.SPLIT, s.GUESS)) != (action >= s.LEFT_FIST)


# --- The games --------------------------------------------------------------------------------------------------
RECIPES = [
    # Two players
    Recipe(
        "two-players-swap-on-fright",
        "Two players: a dwarf that is caught swaps the roles",
        2,
        tells("swapped_by_fright"),
        seed=100,
        until=telling("swapped_by_fright"),
        tries={"card.seal": 3, "round.roles": 8},
        options={"first_dragon": "1"},
    ),
    Recipe(
        "two-players-swap-on-chest",
        "Two players: the Chest swaps the roles",
        2,
        tells("swapped_by_chest"),
        seed=200,
        until=telling("swapped_by_chest"),
        tries={"dragon.place": 2, "card.open": 4},
        options={"chests": "open"},
    ),
    Recipe(
        "two-players-roles-stay",
        "Two players: one dwarf is home, the roles stay, and the other dwarf goes on",
        2,
        tells("home", "roles_stay"),
        seed=300,
        until=telling("home", "roles_stay"),
        max_moves=50,
        tries={"two.home": 0, "reveal.order": 12},
        options={"first_dragon": "2"},
    ),
    Recipe(
        "two-players-both-home",
        "Two players: both dwarves of one player are home, and one of the other’s",
        2,
        where(three_home),
        at_home,
        seed=400,
        tries={"end.over": 20, "fright.guess": 0},
    ),
    Recipe(
        "two-players-last-chest",
        "Two players: the Chest is the last card, and no dwarf is named for it",
        2,
        tells("last_chest"),
        seed=500,
        until=telling("last_chest"),
        max_moves=40,
        tries={"card.open": 8, "round.roles": 8},
        options={"chests": "open", "first_dragon": "1"},
    ),
    Recipe(
        "two-players-caught-at-the-door",
        "Two players: a dwarf is caught at the door, the other one being home already",
        2,
        where(caught_alone),
        seed=600,
        until=caught_alone,
        max_moves=60,
        tries={"two.home": 0, "fright.split": 0},
    ),
    Recipe(
        "two-players-tie",
        "Two players level on coins: the way both dwarves have come breaks the tie",
        2,
        tells("wins_by_both_dwarves"),
        level,
        seed=700,
        tries={"dragon.place": 10},
    ),
    Recipe(
        "two-players-shortage",
        "Two players: the treasure is too small for the last coins due",
        2,
        tells("shortage"),
        short,
        seed=800,
        tries={"card.open": 20, "end.over": 20},
        options={"chests": "open"},
    ),
    Recipe(
        "two-players-small-cave",
        "Two players in another cave, and two fists to choose from",
        2,
        tells("fists_opened"),
        seed=900,
        until=telling("fists_opened"),
        tries={"fright.split": 0, "end.over": 0},
        board="small",
    ),
    # Three players
    Recipe(
        "two-frightened",
        "Two are caught at once, and the dragon guesses both",
        3,
        where(splitting(2)),
        seed=1000,
        until=splitting(2),
        tries={"fright.split": 0, "fright.guess": 0},
        options={"first_dragon": "3"},
    ),
    Recipe(
        "single-coin",
        "The dragon guesses where a single coin is",
        3,
        where(single_coin),
        seed=1100,
        until=single_coin,
        tries={"fright.guess": 0, "two.dwarves": 2},
    ),
    Recipe(
        "all-lost",
        "All coins are in one fist, and the dragon chooses it",
        3,
        where(all_lost),
        seed=1200,
        until=all_lost,
        tries={"fright.split": 0},
        options={"chests": "open"},
    ),
    Recipe(
        "caught-at-the-door",
        "A dwarf is caught at the lair’s door",
        3,
        tells("guarded", "must_split"),
        seed=1300,
        until=telling("guarded", "must_split"),
        tries={"card.seal": 10, "end.over": 30},
        options={"first_dragon": "2"},
    ),
    Recipe(
        "caught-on-the-start-space",
        "A dwarf is caught on the start space and stays there",
        3,
        tells("stays"),
        seed=1400,
        until=telling("stays"),
        tries={"dragon.place": 5, "reveal.order": 9},
    ),
    Recipe(
        "last-coin",
        "The last coin of the treasure is taken",
        3,
        tells("last_coin"),
        drained,
        seed=1500,
        tries={"end.over": 30},
    ),
    Recipe(
        "spared",
        "The treasure is exactly empty: a player who was caught need not split any more",
        3,
        tells("last_coin", "spared"),
        drained,
        seed=1600,
        tries={"card.seal": 7},
        board="small",
    ),
    Recipe(
        "coins-stay-over",
        "Too few coins: what cannot be shared stays in the treasure",
        3,
        tells("rest"),
        short_and_odd,
        seed=2600,
        tries={"end.over": 30},
        board="small",
    ),
    Recipe(
        "nobody-to-catch",
        "All play the Chest as their last card: the dragon can catch nobody",
        3,
        where(nobody_to_catch),
        seed=1800,
        until=nobody_to_catch,
        tries={"round.roles": 20},
    ),
    Recipe(
        "nearest-wins",
        "Level on coins: the dwarf nearest to the lair breaks the tie",
        3,
        tells("wins_by_place"),
        level,
        seed=1900,
        tries={"dragon.place": 8},
    ),
    Recipe(
        "small-cave",
        "Another cave, and a dwarf caught at its lair’s door",
        3,
        tells("guarded"),
        seed=2000,
        until=telling("guarded"),
        tries={"card.open": 5},
        board="small",
    ),
    # Four players
    Recipe(
        "three-frightened",
        "Three are caught at once: the dragon guesses from its left on",
        4,
        where(splitting(3)),
        seed=2100,
        until=splitting(3),
        tries={"fright.split": 0, "fright.guess": 0},
        options={"first_dragon": "4"},
    ),
    Recipe(
        "nothing-lost",
        "All coins are in one fist, and the dragon chooses the other",
        4,
        where(nothing_lost),
        seed=2200,
        until=nothing_lost,
        tries={"fright.split": 0},
        options={"first_dragon": "2"},
    ),
    Recipe(
        "several-arrive",
        "Several dwarves reach the lair in the same round",
        4,
        where(several_arrive),
        seed=2300,
        until=several_arrive,
        tries={"round.roles": 12},
    ),
    Recipe(
        "one-niche",
        "Two dwarves reach the same niche in the same round",
        4,
        where(one_niche),
        seed=2400,
        until=one_niche,
        tries={"reveal.order": 10},
        options={"chests": "open"},
    ),
    Recipe(
        "played-to-its-end",
        "A dwarf is in the lair, and the round is played to its end",
        4,
        where(played_to_its_end),
        seed=2500,
        until=played_to_its_end,
        tries={"fright.guess": 20, "end.over": 30},
        options={"first_dragon": "1"},
    ),
    Recipe(
        "more-than-was-due",
        "Too few coins: someone’s share is more than was due",
        4,
        where(more_than_due),
        short_and_unequal,
        seed=1700,
        tries={"card.seal": 4},
        options={"chests": "open", "first_dragon": "3"},
        board="small",
    ),
    Recipe(
        "last-chest",
        "The Chest is the last card and is played automatically",
        4,
        tells("last_chest"),
        seed=2700,
        until=telling("last_chest"),
        tries={"card.last-chest": 0, "card.open": 10},
        options={"first_dragon": "1"},
    ),
    Recipe(
        "empty-purse",
        "The Chest is played with an empty purse",
        4,
        tells("nothing_banked"),
        seed=2800,
        until=telling("nothing_banked"),
        tries={"two.dwarves": 2, "card.seal": 3},
        options={"chests": "open", "first_dragon": "3"},
    ),
    Recipe(
        "chest-twice",
        "A player plays the Chest in two rounds running",
        4,
        chest_twice,
        seed=2900,
        until=telling("banked"),
        tries={"card.open": 6},
    ),
    Recipe(
        "crowded",
        "Three dwarves share a space",
        4,
        where(crowded),
        seed=3000,
        until=crowded,
        tries={"round.roles": 6},
    ),
    Recipe(
        "shared-victory",
        "A shared victory",
        4,
        tells("shares"),
        shared,
        seed=3100,
        tries={"dragon.place": 6},
    ),
]

GOLDEN = Golden("dragons-cave", Path(__file__).parent / "golden", RECIPES, temptations)

if __name__ == "__main__":
    GOLDEN.make(sys.argv[1:])

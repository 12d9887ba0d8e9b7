"""The golden games of Gran: how each is played, and what it shows (tests/games/golden.py: how they are made).

No recipe knows a particular map: another one only leads to other games that show the same.
"""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dracotheque import State
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.gran.board_files import Board
from dracotheque.games.gran.rules import state as s
from tests.games.golden import Golden, Recipe, Step, Steps, tells, where

FAR = 1000
Wish = Callable[[State, int, int], float]
"""How much a player wants to choose something."""


# --- What all hurry towards -------------------------------------------------------------------------------------
@functools.cache
def distances(board: Board, start: int) -> dict[int, int]:
    """How many steps every point is away from one of them."""
    found, edge = {start: 0}, [start]
    while edge:
        point = edge.pop(0)
        for near in board.near[point]:
            if near not in found:
                found[near] = found[point] + 1
                edge.append(near)
    return found


def way(board: Board, start: int, end: int) -> int:
    """How many steps lead from one point to another."""
    return distances(board, start)[end]


def hero(table: PlainState) -> int:
    """Whom everybody helps: the bearer of the ring, or whoever has most seals."""
    if table.bearer != s.NOBODY:
        return table.bearer
    return max(range(table.players), key=lambda seat: (table.seals[seat].bit_count(), -seat))


def cities_left(table: PlainState, seat: int) -> list[int]:
    """The cities whose seals a player lacks."""
    points = enumerate(table.board.points)
    return [n for n, point in points if point.kind == s.CITY and not table.seals[seat] >> point.kingdom & 1]


def to_city(table: PlainState, seat: int, point: int) -> int:
    """How far it is from a point to the nearest city whose seal is missing."""
    return min((way(table.board, point, city) for city in cities_left(table, seat)), default=FAR)


def quest(state: State, seat: int, action: int) -> float:
    """Want the hero to win soon: to the ring, to a city, and all others out of the way."""
    table = state.to_plain()
    board, helped = table.board, hero(table)
    if table.phase == s.DROP:
        return -way(board, table.place[helped], action) - to_city(table, helped, action)
    if table.phase not in (s.FIRST, s.SECOND):
        return 0
    here = table.place[seat] if action == s.STAY else action
    if seat == helped:
        return -(to_city(table, seat, here) if table.bearer == seat else way(board, here, table.ring))
    peaceful = board.points[here].kind in (s.BLACK, s.WHITE) and here not in table.place
    return peaceful + min(way(board, here, table.place[helped]), 4)


@dataclass(frozen=True)
class Quest(Recipe):
    """A game in which all help the hero, once they have seen what they waited for."""

    wish: Wish | None = None
    """What they want while they wait; without one they choose anything."""

    def wait(self, state: State, player: int, chance: random.Random) -> int:
        """Choose what is wished for most often, and anything now and then."""
        if self.wish is None or chance.random() < 0.1:
            return chance.choice(state.legal_actions(player))
        return best(state, player, self.wish, chance)

    def choose(self, state: State, player: int, chance: random.Random) -> int:
        """Choose what helps the hero; a little wandering keeps two knights from blocking each other for ever."""
        if chance.random() < 0.1:
            return chance.choice(state.legal_actions(player))
        return best(state, player, quest, chance)


def best(state: State, player: int, wish: Wish, chance: random.Random) -> int:
    """Choose what is wished for most; among equals anything."""
    return max(state.legal_actions(player), key=lambda action: (wish(state, player, action), chance.random()))


# --- Wishes -----------------------------------------------------------------------------------------------------
def kind_of(state: State, action: int) -> int:
    """The kind of a point, NOWHERE for staying."""
    board = state.game.board
    return board.points[action].kind if action != s.STAY else s.NOWHERE


def seek(*kinds: int) -> Wish:
    """Want to be on points of some kinds."""

    def wish(state: State, seat: int, action: int) -> float:
        table = state.to_plain()
        if table.phase not in (s.FIRST, s.SECOND):
            return 0
        here = table.place[seat] if action == s.STAY else action
        points = [n for n, point in enumerate(table.board.points) if point.kind in kinds and n != table.origin]
        return -min(way(table.board, here, point) for point in points)

    return wish


def fight(state: State, seat: int, action: int) -> float:
    """Want to attack, and to be where others are."""
    table = state.to_plain()
    if table.phase not in (s.FIRST, s.SECOND):
        return 0
    here = table.place[seat] if action == s.STAY else action
    others = [place for other, place in enumerate(table.place[: table.players]) if other != seat]
    return -min(way(table.board, here, place) for place in others)


def hunt(state: State, seat: int, action: int) -> float:
    """Want to attack whoever carries the ring; the bearer helps by going nowhere."""
    table = state.to_plain()
    if table.bearer in (s.NOBODY, seat):
        return quest(state, seat, action) if table.bearer == s.NOBODY else 0
    if table.phase not in (s.FIRST, s.SECOND):
        return 0
    here = table.place[seat] if action == s.STAY else action
    return -way(table.board, here, table.place[table.bearer])


def wall(state: State, seat: int, action: int) -> float:
    """Want stones on white points, and magic stones and swords to lay them with."""
    phase = state.to_plain().phase
    if phase == s.STONE:
        return kind_of(state, action) == s.WHITE
    if phase == s.LIFT:
        return kind_of(state, action) != s.WHITE
    return seek(s.MAGIC, s.SWORD)(state, seat, action)


def pen_in(state: State, seat: int, action: int) -> float:
    """Want stones beside the others' knights, where there are some already."""
    table = state.to_plain()
    if table.phase == s.STONE:
        around = [table.board.near[table.place[other]] for other in range(table.players) if other != seat]
        return max((sum(is_shut(table, point) for point in near) + 1 for near in around if action in near), default=0)
    return seek(s.MAGIC, s.SWORD)(state, seat, action)


def is_shut(table: PlainState, point: int) -> bool:
    """Whether a stone lies on a point."""
    return bool(table.stones[point // s.BITS] >> point % s.BITS & 1)


def carry(state: State, seat: int, action: int) -> float:
    """Want the bearer of the ring to fight dragons, everybody else to help."""
    table = state.to_plain()
    return seek(s.DRAGON)(state, seat, action) if table.bearer == seat else quest(state, seat, action)


# --- What a game shows ------------------------------------------------------------------------------------------
def telling(*keys: str) -> Callable[[Step], bool]:
    """Make a move that tells all of this something to wait for."""
    return lambda step: step.event_keys.issuperset(keys)


def duels_in_a_turn(step: Step) -> bool:
    """Return whether someone fights again in the extra move of a duel won."""
    return step.before.flies == 1 and "duel" in step.event_keys


def attack_on(kind: int) -> Callable[[Step], bool]:
    """Return whether a knight is attacked on a point of a kind."""

    def holds(step: Step) -> bool:
        table = step.after
        return "attacks" in step.event_keys and table.board.points[table.place[table.active]].kind == kind

    return holds


def ring_cut_off(step: Step) -> bool:
    """Return whether nobody could get to the ring for so long that all stones are taken away."""
    return step.before.cut_off == s.PATIENCE - 1 and step.after.reserve == s.STONES


def bearer_attacks(step: Step) -> bool:
    """Return whether the bearer of the ring attacks."""
    return "attacks" in step.event_keys and step.before.bearer == step.before.active


def extra_attack(step: Step) -> bool:
    """Return whether the winner of a duel attacks in the extra move."""
    return "attacks" in step.event_keys and step.before.flies == 1


def ring_in_a_duel_won(step: Step) -> bool:
    """Return whether the bearer of the ring wins a duel."""
    return "wins_duel" in step.event_keys and step.before.bearer == step.before.active


def back_where_the_turn_began(game: Steps) -> bool:
    """Return whether the extra move ends where the whole turn began."""
    began: dict[int, int] = {}
    for step in game:
        table = step.before
        if table.phase == s.FIRST and not table.flies:
            began[table.active] = table.place[table.active]
        if (
            table.flies
            and step.after.active != table.active
            and began.get(table.active) == step.after.place[table.active]
        ):
            return True
    return False


# --- What is tried though a rule forbids it ---------------------------------------------------------------------
def temptations(state: State) -> list[tuple[int, int]]:
    """List what players may want to do: whoever's turn it is anything on the map, then the others."""
    table = state.to_plain()
    points = [*range(len(table.board.points)), s.STAY]
    random.Random(state.move_number()).shuffle(points)
    here = table.place[table.active]
    points.sort(key=lambda point: 0 if point in table.board.near[here] else 1 if point == s.STAY else 2)
    seats = sorted(range(table.players), key=lambda seat: seat != table.active)
    return [(seat, point) for seat in seats for point in points]


# --- The games --------------------------------------------------------------------------------------------------
RECIPES = [
    # Three players
    Quest(
        "three-seals",
        "Three seals: the ring from city to city",
        3,
        tells("wins"),
        seed=100,
        tries={"turn.order": 2, "move.lines": 5, "turn.must-move": 9, "end.seals": 20},
        options={"starts": "1"},
    ),
    Quest(
        "two-seals",
        "Two seals are enough, as agreed",
        3,
        tells("agreed_seals"),
        seed=200,
        tries={"move.no-return": 3, "ring.drop": 10},
        options={"seals": "two"},
    ),
    Quest(
        "four-seals",
        "Four seals: one of every kingdom",
        3,
        tells("wins"),
        seed=300,
        tries={"move.lines": 30},
        options={"seals": "four", "starts": "3"},
    ),
    Quest(
        "duel-won",
        "A duel won, and a bonus move that flies",
        3,
        where(telling("flies")),
        seed=400,
        until=telling("extra"),
        wish=seek(s.DRAGON),
        max_moves=150,
        tries={"turn.order": 4},
    ),
    Quest(
        "duel-won-and-stayed",
        "The winner of a duel stays with the dragon",
        3,
        tells("stays_with_dragon"),
        seed=500,
        until=telling("stays_with_dragon"),
        wish=seek(s.DRAGON),
        max_moves=150,
        tries={"turn.must-move": 2},
    ),
    Quest(
        "duels-in-a-row",
        "A duel, a bonus move, and another duel in the same turn",
        3,
        where(duels_in_a_turn),
        seed=600,
        until=duels_in_a_turn,
        wish=seek(s.DRAGON),
        max_moves=200,
        board="small",
    ),
    Quest(
        "duel-lost",
        "A duel lost: an amulet, a shackle, and a turn that only takes it off",
        3,
        tells("collar_off"),
        seed=700,
        until=telling("collar_off"),
        wish=seek(s.DRAGON),
        max_moves=150,
        tries={"move.no-return": 8},
    ),
    Quest(
        "no-amulet-left",
        "The last amulet is lost: no more duels or attacks",
        3,
        tells("no_amulet"),
        seed=800,
        until=telling("no_amulet"),
        wish=seek(s.DRAGON),
        max_moves=300,
        tries={"amulet.none": 0},
        board="small",
    ),
    Quest(
        "ring-lost-to-a-dragon",
        "The bearer of the ring loses a duel and lays the ring down",
        3,
        tells("loses_ring"),
        seed=900,
        until=telling("loses_ring"),
        wish=carry,
        max_moves=300,
        tries={"ring.drop": 0},
    ),
    Quest(
        "ring-in-passing",
        "The ring is taken in passing, and its bearer flies on",
        3,
        tells("ring_on_the_way"),
        seed=1000,
        until=telling("ring_on_the_way"),
        wish=quest,
        max_moves=200,
        tries={"move.no-return": 12},
    ),
    Quest(
        "own-city-again",
        "The ring comes to a city whose seal the player has: no second seal",
        3,
        tells("owned"),
        seed=1100,
        until=telling("owned"),
        wish=lambda state, seat, action: (
            seek(s.CITY)(state, seat, action) if state.to_plain().bearer == seat else quest(state, seat, action)
        ),
        max_moves=300,
        tries={"ring.drop": 20},
        options={"seals": "three"},
    ),
    Quest(
        "attack",
        "An attack: the knight is banished to a point of the attacker’s choice",
        3,
        tells("banished"),
        seed=1200,
        until=telling("banished"),
        wish=fight,
        max_moves=150,
        tries={"attack.exile": 0},
    ),
    Quest(
        "attack-on-the-bearer",
        "The bearer of the ring is attacked, and the ring changes hands",
        3,
        tells("ring_changes_hands"),
        seed=1300,
        until=telling("ring_changes_hands"),
        wish=hunt,
        max_moves=300,
        tries={"attack.exile": 0},
    ),
    Quest(
        "attack-by-the-bearer",
        "The bearer of the ring attacks and keeps it",
        3,
        where(bearer_attacks),
        seed=1400,
        until=bearer_attacks,
        wish=lambda state, seat, action: (
            fight(state, seat, action) if state.to_plain().bearer == seat else quest(state, seat, action)
        ),
        max_moves=300,
        board="small",
    ),
    Quest(
        "attack-on-a-magic-stone",
        "An attack on a magic stone: exile first, then an obstacle",
        4,
        where(attack_on(s.MAGIC)),
        seed=1500,
        until=attack_on(s.MAGIC),
        wish=seek(s.MAGIC),
        max_moves=200,
        tries={"stone.place": 0},
    ),
    Quest(
        "attack-on-a-dragon",
        "A shackled knight is attacked on its dragon: free, but in exile",
        4,
        tells("freed"),
        seed=1600,
        until=telling("freed"),
        wish=seek(s.DRAGON),
        max_moves=300,
        tries={"attack.dragon": 0},
        board="small",
    ),
    Quest(
        "attack-in-the-extra-move",
        "The winner of a duel attacks in the bonus move",
        4,
        where(extra_attack),
        seed=1700,
        until=extra_attack,
        wish=lambda state, seat, action: (fight if state.to_plain().flies else seek(s.DRAGON))(state, seat, action),
        max_moves=300,
        board="small",
    ),
    Quest(
        "attack-in-exile",
        "A knight is attacked in exile and sent to another white point",
        4,
        where(attack_on(s.WHITE)),
        seed=1800,
        until=attack_on(s.WHITE),
        wish=fight,
        max_moves=300,
    ),
    Quest(
        "exile-full",
        "Obstacles on all white points: no one can be banished",
        4,
        tells("stone_laid"),
        seed=1900,
        until=lambda step: all(
            is_shut(step.after, n) for n, p in enumerate(step.after.board.points) if p.kind == s.WHITE
        ),
        wish=wall,
        max_moves=700,
        tries={"attack.no-exile": 50},
        board="small",
        options={"starts": "2"},
    ),
    # Four players
    Quest(
        "stones",
        "Obstacles are placed, and moved with the sword stone",
        4,
        where(telling("stone_moved")),
        seed=2000,
        until=telling("stone_moved"),
        wish=seek(s.MAGIC, s.SWORD),
        max_moves=200,
        tries={"stone.place": 0, "stone.lift": 0, "stone.block": 0},
    ),
    Quest(
        "no-stone-to-lift",
        "The sword stone finds no obstacle on the map",
        4,
        tells("no_stone"),
        seed=2100,
        until=telling("no_stone"),
        wish=seek(s.SWORD),
        max_moves=100,
        options={"seals": "two"},
    ),
    Quest(
        "reserve-empty",
        "All sixteen obstacles are on the map",
        4,
        tells("no_reserve"),
        seed=2200,
        until=telling("no_reserve"),
        wish=seek(s.MAGIC),
        max_moves=260,
        tries={"stone.ring": 0},
        board="small",
    ),
    Quest(
        "blocked",
        "A knight that cannot go anywhere waits",
        4,
        tells("blocked"),
        seed=2300,
        until=telling("blocked"),
        wish=pen_in,
        max_moves=260,
        tries={"stone.block": 30},
        board="small",
    ),
    Quest(
        "flight-over-a-city",
        "The bearer of the ring flies over an occupied city",
        4,
        tells("flies_over_city"),
        seed=2400,
        until=telling("flies_over_city"),
        wish=lambda state, seat, action: (
            seek(s.CITY)(state, seat, action) if state.to_plain().bearer != seat else quest(state, seat, action)
        ),
        max_moves=400,
        tries={"city.peace": 0},
        board="small",
    ),
    Quest(
        "must-fight",
        "Only duels and attacks are left, so one of them must be",
        4,
        tells("must_move"),
        seed=2500,
        until=telling("must_move"),
        wish=pen_in,
        max_moves=300,
        board="small",
    ),
    Quest(
        "start-still-crowded",
        "A duel won in the first turn: the start crystal where others wait is no place to stop",
        4,
        where(lambda step: "extra" in step.event_keys and step.after.waiting > 0),
        seed=2450,
        until=lambda step: "extra" in step.event_keys and step.after.waiting > 0,
        wish=seek(s.DRAGON),
        max_moves=12,
        tries={"start.shared": 0},
        board="small",
        options={"starts": "1"},
    ),
    # Five and six players
    Quest(
        "five-players",
        "Five players need two seals",
        5,
        tells("wins"),
        seed=2600,
        tries={"turn.order": 6, "move.lines": 11},
        options={"starts": "5"},
    ),
    Quest(
        "six-players",
        "Six players need two seals",
        6,
        tells("wins"),
        seed=2700,
        tries={"turn.must-move": 8},
        options={"starts": "6"},
    ),
    Quest(
        "six-players-cards-shuffled",
        "Twenty-four duels: the dragon cards are shuffled again",
        6,
        tells("shuffled"),
        seed=2800,
        until=telling("shuffled"),
        wish=seek(s.DRAGON, s.CITY),
        max_moves=500,
        options={"starts": "4", "seals": "four"},
        board="small",
    ),
    Quest(
        "ring-out-of-reach",
        "A point between obstacles: the ring may not be laid where no one can walk",
        6,
        tells("wins"),
        seed=2900,
        until=lambda step: step.after.reserve == 0,
        wish=pen_in,
        max_moves=500,
        tries={"ring.reachable": 0},
        board="small",
    ),
    Quest(
        "ring-cut-off",
        "No one can get to the ring: after five rounds all obstacles go back to the reserve",
        3,
        tells("cut_off"),
        seed=3040,
        until=ring_cut_off,
        max_moves=1500,
        board="small",
    ),
]

GOLDEN = Golden("gran", Path(__file__).with_name("golden"), RECIPES, temptations)

if __name__ == "__main__":
    GOLDEN.make(sys.argv[1:])

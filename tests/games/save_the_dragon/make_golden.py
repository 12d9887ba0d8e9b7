"""The golden games of Save the Dragon: how each is played, and what it shows (how they are made: ../golden.py)."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dracotheque import State
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.save_the_dragon.rules import state as s
from tests.games.golden import Golden, Recipe, Shows, Step, tells, where

Wish = Callable[[PlainState, int, int], float]
"""How much a player wants to choose something."""


# --- Wishes -----------------------------------------------------------------------------------------------------
def is_walk(action: int) -> bool:
    """Return whether an action is a walk that ends on the stairs."""
    return action < s.THROUGH


def is_door(action: int) -> bool:
    """Return whether an action leads through a door."""
    return s.THROUGH <= action < s.STAY


def step_of(place: int) -> int:
    """Number the steps; the floor is step 0."""
    return place // s.LANES + 1 if place < s.SPOTS else 0


def in_lane(table: PlainState, lane: int) -> int:
    """Count the pawns in a lane."""
    return sum(place < s.SPOTS and place % s.LANES == lane for place in table.place)


def climb(table: PlainState, seat: int, action: int) -> float:
    """Want to be at the top soon, and the others too: shield and rock out of each player's way."""
    if is_door(action):
        return 100
    if is_walk(action):
        return step_of(action % s.SPOTS)
    if s.PUT_SHIELD <= action < s.SHUT_DOOR:
        return action - s.PUT_SHIELD < s.LANES
    return -in_lane(table, action - s.LET_GO) if action >= s.LET_GO else 0


def throw(table: PlainState, seat: int, action: int) -> float:
    """Want to be high up, not through the door, with all tokens kept, and to hit as many as possible with the rock."""
    if is_door(action):
        return -1000
    if is_walk(action):
        return step_of(action % s.SPOTS) - 100 * (action // s.SPOTS)
    if action >= s.LET_GO:
        return in_lane(table, action - s.LET_GO)
    return s.SHUT_DOOR <= action < s.NO_CHANGE


def huddle(table: PlainState, seat: int, action: int) -> float:
    """Want to be close to the others, one above the other, and to hit all with the rock."""
    if is_walk(action):
        spot = action % s.SPOTS
        others = [place for other, place in enumerate(table.place) if other != seat and place < s.SPOTS]
        apart = [abs(step_of(spot) - step_of(place)) + 2 * abs(spot % 3 - place % 3) for place in others]
        return -min(apart, default=0) - 20 * (action // s.SPOTS)
    return throw(table, seat, action)


def shield(table: PlainState, seat: int, action: int) -> float:
    """Want the shield close above pawns, as high as possible."""
    if s.PUT_SHIELD <= action < s.SHUT_DOOR:
        spot = action - s.PUT_SHIELD
        return 1 + spot / 100 if spot - s.LANES in table.place or spot - 2 * s.LANES in table.place else 0
    return 0 if s.SHUT_DOOR <= action < s.NO_CHANGE else throw(table, seat, action)


def bar(table: PlainState, seat: int, action: int) -> float:
    """Want the others shut out: the door shut above them, the shield beside."""
    top = (s.STEPS - 1) * s.LANES
    others = [place - top for other, place in enumerate(table.place) if other != seat and top <= place < s.SPOTS]
    if s.SHUT_DOOR <= action < s.NO_CHANGE:
        return 2 * (action - s.SHUT_DOOR in others)
    if s.PUT_SHIELD <= action < s.SHUT_DOOR:
        beside = table.shut in others and table.shut != 1 and action - s.PUT_SHIELD == top + 1
        return 3 * beside + (action - s.PUT_SHIELD >= top)
    return throw(table, seat, action) if action < s.LET_GO else -in_lane(table, action - s.LET_GO)


def spare(table: PlainState, seat: int, action: int) -> float:
    """Want to leave things alone, where one may; else as for throwing."""
    return 5 if action == s.NO_CHANGE else throw(table, seat, action)


def low(table: PlainState, seat: int, action: int) -> float:
    """Want to crowd the lowest steps, tokens kept."""
    if is_walk(action) or is_door(action):
        return -step_of(action % s.SPOTS) - 20 * (action // s.SPOTS)
    if s.PUT_SHIELD <= action < s.SHUT_DOOR:
        return action - s.PUT_SHIELD < 2 * s.LANES
    return throw(table, seat, action)


@dataclass(frozen=True)
class Climb(Recipe):
    """A game in which all climb, once they have seen what they waited for."""

    wish: Wish = throw
    """What they want while they wait."""

    def wait(self, state: State, player: int, chance: random.Random) -> int:
        """Choose what is wished for most often, and anything now and then."""
        return best(state, player, self.wish, chance)

    def choose(self, state: State, player: int, chance: random.Random) -> int:
        """Choose what leads to the top."""
        return best(state, player, climb, chance)


def best(state: State, player: int, wish: Wish, chance: random.Random) -> int:
    """Choose what is wished for most, among equals anything; now and then without a thought."""
    legal = state.legal_actions(player)
    if chance.random() < 0.1:
        return chance.choice(legal)
    table = state.to_plain()
    return max(legal, key=lambda action: (wish(table, player, action), chance.random()))


# --- What a game shows ------------------------------------------------------------------------------------------
def telling(*keys: str) -> Callable[[Step], bool]:
    """Make a move that tells all of this something to wait for."""
    return lambda step: step.event_keys.issuperset(keys)


def leave(*seats: int) -> Shows:
    """These seats, and no others, leave shield and door alone."""
    return lambda game: {step.player for step in game if "leaves" in step.event_keys} == {*seats}


def own_pawn_hit(step: Step) -> bool:
    """Return whether someone's own rock knocks them down."""
    return step.before.phase == s.FATE and step.before.hit == step.before.active and "falls" in step.event_keys


def spends(count: int) -> Callable[[Step], bool]:
    """Wait for someone to spend so many tokens at once."""
    return lambda step: step.before.phase == s.WALK and sum(step.before.tokens) - sum(step.after.tokens) == count


def stays_with_tokens(step: Step) -> bool:
    """Return whether someone stays who could walk with tokens."""
    return step.player >= 0 and step.action == s.STAY and len(step.earlier.legal_actions()) > 1


def surplus(step: Step) -> bool:
    """Return whether someone goes through the door above with a three."""
    place = step.before.place[step.before.active]
    return (
        step.before.die == 3
        and is_door(step.action)
        and place == (s.STEPS - 1) * s.LANES + step.action - s.THROUGH
    )  # fmt: skip


def passes_two(step: Step) -> bool:
    """Return whether two pawns are passed in one walk."""
    if step.before.phase != s.WALK or "passes" not in step.event_keys:
        return False
    events = step.earlier.game.text.events(step.before, step.player, step.action, step.after)
    return sum(event.phrase.key == "event.passes" for event in events) > 1


def down_together(count: int) -> Callable[[Step], bool]:
    """Wait for one rock to bring so many pawns down to the floor."""

    def holds(step: Step) -> bool:
        if step.before.phase not in (s.FATE, s.SIDE) or step.after.phase != s.DIE:
            return False
        pairs = zip(step.before.place, step.after.place, strict=True)
        return sum(before != after == s.FLOOR for before, after in pairs) >= count

    return holds


# --- What is tried though a rule forbids it ---------------------------------------------------------------------
CHOICES = {
    s.WALK: [*range(s.SPOTS), *range(s.THROUGH, s.STAY + 1), *range(s.SPOTS, s.THROUGH)],
    s.CHANGE: [*range(s.PUT_SHIELD, s.LET_GO)],
    s.THROW: [*range(s.LET_GO, s.ACTIONS)],
    s.OVER: [*range(s.LET_GO, s.ACTIONS)],
}


def temptations(state: State) -> list[tuple[int, int]]:
    """List what players may want to do, whoever's turn it is first: nearby things, without tokens, before others."""
    table = state.to_plain()
    actions = list(CHOICES[table.phase])
    random.Random(state.move_number()).shuffle(actions)
    here = step_of(table.place[table.active])
    far = {action: abs(step_of(action % s.SPOTS) - here) if is_walk(action) else 0 for action in actions}
    actions.sort(key=lambda action: (action // s.SPOTS, far[action]))
    seats = sorted(range(table.players), key=lambda seat: seat != table.active)
    return [(seat, action) for seat in seats for action in actions]


# --- The games --------------------------------------------------------------------------------------------------
RECIPES = [
    # Two players
    Climb(
        "first-climb",
        "Two climb the stairs, and one of them frees the dragon",
        2,
        tells("wins"),
        seed=100,
        tries={"turn.order": 3, "move.steps": 4, "move.full": 8, "end.door": 20},
        options={"starts": "1"},
    ),
    Climb(
        "three-where-one-is-enough",
        "A three where one space is enough: the surplus does not matter",
        2,
        where(surplus),
        seed=200,
        tries={"move.stuck": 5, "move.steps": 10},
        options={"starts": "2"},
    ),
    Climb(
        "rock",
        "A boulder knocks a pawn down to the bottom: a token as a consolation",
        2,
        where(telling("token")),
        seed=300,
        until=telling("token"),
        max_moves=150,
        tries={"rock.throw": 3},
    ),
    Climb(
        "own-rock",
        "A player’s own boulder knocks the pawn down",
        2,
        where(own_pawn_hit),
        seed=400,
        until=own_pawn_hit,
        max_moves=200,
        tries={"turn.order": 12},
    ),
    Climb(
        "rock-aside",
        "The boulder bounces into another lane",
        2,
        tells("aside"),
        seed=600,
        until=telling("aside"),
        max_moves=200,
    ),
    Climb(
        "rock-stops",
        "The boulder stops on the stairs and is removed",
        2,
        where(lambda step: "gone" in step.event_keys and "shield_stops" not in step.event_keys),
        seed=700,
        until=lambda step: "gone" in step.event_keys and "shield_stops" not in step.event_keys,
        max_moves=300,
        tries={"move.steps": 15},
    ),
    Climb(
        "shield-turns-the-rock",
        "The shield turns the boulder aside",
        2,
        tells("shield_turns"),
        seed=800,
        until=telling("shield_turns"),
        wish=shield,
        max_moves=200,
        tries={"change.shield": 0},
    ),
    Climb(
        "shield-stops-the-rock",
        "The shield stops the boulder, which is removed",
        3,
        tells("shield_stops"),
        seed=900,
        until=telling("shield_stops"),
        wish=shield,
        max_moves=300,
    ),
    Climb(
        "safe-behind-the-shield",
        "Safe behind the shield",
        3,
        tells("sheltered"),
        seed=1000,
        until=telling("sheltered"),
        wish=shield,
        max_moves=200,
        tries={"change.must": 0},
    ),
    # Tokens
    Climb(
        "two-tokens",
        "Two tokens for two more spaces",
        2,
        where(spends(2)),
        seed=1100,
        until=spends(2),
        wish=lambda table, seat, action: (
            throw(table, seat, action) + 210 * (is_walk(action) and action // s.SPOTS == 2)
        ),
        max_moves=300,
        tries={"token.spend": 0},
    ),
    Climb(
        "fourth-token",
        "A player with three tokens gets no fourth",
        3,
        tells("three"),
        seed=1200,
        until=telling("three"),
        max_moves=400,
        tries={"move.full": 30},
        options={"starts": "3"},
    ),
    Climb(
        "win-with-tokens",
        "The last spaces to the dragon are paid with tokens",
        2,
        tells("through", "spends"),
        seed=1300,
        until=lambda step: max(step.after.tokens) >= 2,
        max_moves=200,
        options={"starts": "2"},
        tries={"token.spend": 10, "end.door": 50},
    ),
    Climb(
        "stays-and-keeps-the-token",
        "All spaces in reach are taken: the pawn stays, although a token would help",
        4,
        where(stays_with_tokens),
        seed=1400,
        until=stays_with_tokens,
        wish=low,
        max_moves=400,
    ),
    # Walks
    Climb(
        "passing",
        "Other pawns may be passed, but no one stops on them",
        3,
        tells("passes"),
        seed=1500,
        until=telling("passes"),
        wish=huddle,
        max_moves=150,
        tries={"move.pass": 3},
        options={"starts": "2"},
    ),
    Climb(
        "passing-two",
        "Two pawns are passed in one move",
        4,
        where(passes_two),
        seed=1600,
        until=passes_two,
        wish=huddle,
        max_moves=300,
        tries={"move.pass": 20},
        options={"starts": "4"},
    ),
    Climb(
        "round-the-shield",
        "The shield is a wall: the way leads round it",
        2,
        tells("round_shield"),
        seed=1700,
        until=telling("round_shield"),
        wish=shield,
        max_moves=300,
        tries={"move.shield": 0},
    ),
    Climb(
        "cut-short",
        "Not all spaces can be used: the longest move possible, and no space twice",
        4,
        tells("short", "no_return"),
        seed=1800,
        until=telling("short", "no_return"),
        wish=low,
        max_moves=400,
    ),
    Climb(
        "between-shield-and-door",
        "Between the shield and the closed door: no move is possible",
        2,
        where(telling("stuck", "barred")),
        seed=1900,
        until=telling("stuck", "barred"),
        wish=bar,
        max_moves=500,
        tries={"door.shut": 0},
    ),
    Climb(
        "win-declined",
        "The dragon could be freed, but the player moves past the door",
        2,
        tells("declines"),
        seed=2000,
        until=telling("declines"),
        max_moves=300,
        tries={"move.full": 20, "move.stuck": 30},
    ),
    # Shield and door
    Climb(
        "door-shut-before-somebody",
        "A door is closed in front of a pawn",
        3,
        tells("shuts_out"),
        seed=2100,
        until=telling("shuts_out"),
        wish=bar,
        max_moves=300,
        tries={"change.door": 0, "door.shut": 0},
    ),
    Climb(
        "everybody-young",
        "All are young: shield and door may stay where they are",
        2,
        tells("youngest_all", "lots"),
        seed=2200,
        until=telling("leaves"),
        wish=spare,
        max_moves=100,
        tries={"change.shield": 20},
        options={"youngest": "everybody"},
    ),
    Climb(
        "youngest-of-two",
        "The youngest leaves shield and door alone, the other one must not",
        2,
        tells("leaves"),
        seed=2300,
        until=telling("leaves"),
        wish=spare,
        max_moves=150,
        tries={"change.must": 0},
        options={"youngest": "1"},
    ),
    Climb(
        "youngest-second",
        "The youngest sits in the second place, and moves the door all the same",
        3,
        where(
            lambda step: step.before.phase == s.CHANGE and step.before.active == 1 and "leaves" not in step.event_keys
        ),
        seed=2400,
        tries={"change.must": 5},
        options={"youngest": "2", "starts": "1"},
    ),
    Climb(
        "youngest-third",
        "The youngest of three leaves shield and door alone",
        3,
        tells("leaves"),
        seed=2500,
        until=telling("leaves"),
        wish=spare,
        max_moves=200,
        options={"youngest": "3"},
        tries={"change.door": 10},
    ),
    Climb(
        "youngest-fourth",
        "The youngest of four leaves shield and door alone",
        4,
        tells("leaves"),
        seed=2600,
        until=telling("leaves"),
        wish=spare,
        max_moves=200,
        options={"youngest": "4", "starts": "4"},
    ),
    Climb(
        "youngest-first-and-third",
        "Of three the first and the third are the youngest: both leave shield and door alone, the second must not",
        3,
        leave(0, 2),
        seed=2650,
        until=lambda step: step.player == 2 and "leaves" in step.event_keys,
        wish=spare,
        max_moves=250,
        options={"youngest": "1+3"},
        tries={"change.must": 0},
    ),
    # Getting up again
    Climb(
        "topples-on-its-spot",
        "A pawn falls over and gets up where it stood",
        3,
        tells("righted_there"),
        seed=2700,
        until=telling("righted_there"),
        max_moves=300,
    ),
    Climb(
        "slides-down",
        "A pawn slides down some steps and gets up where it lies",
        2,
        tells("righted"),
        seed=2800,
        until=telling("righted"),
        max_moves=300,
        tries={"move.steps": 12},
    ),
    Climb(
        "gets-up-beside",
        "The space is taken: a pawn gets up next to it",
        4,
        tells("righted_beside"),
        seed=2900,
        until=telling("righted_beside"),
        wish=huddle,
        max_moves=400,
    ),
    Climb(
        "gets-up-below",
        "The step is full: a pawn gets up one step further down",
        4,
        tells("righted_below"),
        seed=3000,
        until=telling("righted_below"),
        wish=huddle,
        max_moves=600,
    ),
    Climb(
        "in-order",
        "Several pawns lie on the stairs and get up from the top down",
        4,
        tells("order"),
        seed=3100,
        until=telling("order"),
        wish=huddle,
        max_moves=400,
        options={"starts": "3"},
    ),
    Climb(
        "three-fall-together",
        "One boulder brings three pawns down to the bottom",
        4,
        where(down_together(3)),
        seed=3200,
        until=down_together(3),
        wish=huddle,
        max_moves=400,
        tries={"turn.order": 6},
    ),
]

GOLDEN = Golden("save-the-dragon", Path(__file__).with_name("golden"), RECIPES, temptations)

if __name__ == "__main__":
    GOLDEN.make(sys.argv[1:])

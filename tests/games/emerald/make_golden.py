"""The golden games of Emerald: how each is played, and what it shows (tests/games/golden.py says how they are made)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from dracotheque import State
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.emerald.rules import state as s
from tests.games.golden import Golden, Recipe, Step, Steps, level, shared, tells, where


# --- What a game shows ------------------------------------------------------------------------------------------
def comes_back(step: Step) -> bool:
    """Return whether the dragon captures where it set off."""
    return step.before.phase == s.DIE and step.before.dragon == step.after.dragon and "captured" in step.event_keys


def own_captured(step: Step) -> bool:
    """Return whether the dragon, waking, has only knights of the player who woke it before it."""
    return "all_alike" in step.event_keys and step.after.victim % step.after.players == step.before.active


def found_and_paid(step: Step) -> bool:
    """Return whether the knight that took gold this turn is ransomed."""
    return step.before.phase == s.BRIBE and step.action >= s.PAY and bool(step.before.took and step.before.victim_moved)


def wakes_off_rod(step: Step) -> bool:
    """Return whether a knight steps onto the cave of a dragon that its track has left behind."""
    return step.after.dragon < step.after.rod and bool(step.event_keys & {"wakes_own", "card_then_own"})


def wakes_twice(game: Steps) -> bool:
    """Return whether both knights of one turn wake the dragon."""
    flown = False
    for step in game:
        if step.before.phase == s.MOVE and step.before.moves == 0:
            flown = False
        if step.before.phase == s.DIE:
            if flown:
                return True
            flown = True
    return False


def moved_chosen(step: Step) -> bool:
    """Return whether the knight just moved is captured rather than its fellow."""
    return step.before.phase == s.VICTIM and step.action == s.CAPTURE_MOVED


def own_chosen(step: Step) -> bool:
    """Return whether a player lets the dragon take a knight of their own, with others there."""
    return step.before.phase == s.VICTIM and step.after.victim % step.after.players == step.before.active


def rests(step: Step) -> bool:
    """Return whether a player ransoms an own knight that might have moved second."""
    place = step.after.ransomed
    alone = place not in (s.NOWHERE, step.after.moved) and step.after.knights[step.after.colour].count(place) == 1
    return step.before.phase == s.BRIBE and step.after.moves == 1 and alone


def pays_out_of_turn(step: Step) -> bool:
    """Return whether a knight is ransomed in someone else's turn."""
    return step.before.phase == s.BRIBE and step.action >= s.PAY and step.before.to_move != step.before.active


def given_up(step: Step) -> bool:
    """Return whether a knight is given up though it could be ransomed, and the game ends."""
    return step.action == s.SURRENDER and {"given_up", "at_once"} <= step.event_keys


def home_and_over(step: Step) -> bool:
    """Return whether a knight that goes home leaves its player with one."""
    return step.event_keys >= {"last_treasure", "last_knight"}


def both_ends(step: Step) -> bool:
    """Return whether the last treasure leaves a player with one knight."""
    left = [sum(step.after.in_play[seat :: step.after.players]) for seat in range(step.after.players)]
    return "no_treasure_left" in step.event_keys and 1 in left


def no_bonus(step: Step) -> bool:
    """Return whether the game ends with a tie for every gem."""
    gems = step.after.gems
    most = [max(row[kind] for row in gems) for kind in range(s.KINDS)]
    ties = sum([row[kind] for row in gems].count(most[kind]) > 1 for kind in range(s.KINDS))
    return step.after.phase == s.OVER and ties == s.KINDS


# --- What all hurry towards -------------------------------------------------------------------------------------
def level_on_treasures(end: State) -> float:
    """The best two level on points and treasure cards, but only one winner."""
    scores, treasures = end.scores(), end.to_plain().treasures
    best = [treasures[seat] for seat, score in enumerate(scores) if score == max(scores)]
    return 150 * (best.count(max(best)) > 1 and len(end.winners()) == 1)


def last_knight(end: State) -> float:
    """A player left with one knight."""
    return 150 * (end.ending() == "end.last-knight")


# --- What is tried though a rule forbids it ---------------------------------------------------------------------
def temptations(state: State) -> Iterator[tuple[int, int]]:
    """List what players may want to do, who is to move before the others."""
    table, mover = state.to_plain(), max(state.current_player(), 0)
    for seat in [mover, *(seat for seat in range(table.players) if seat != mover)]:
        for action in wishes(table, seat):
            yield seat, action


def wishes(table: PlainState, seat: int) -> list[int]:
    """List what a player may want to do: capture whom they like, move any knight on the road, end the turn, pay."""
    own = [
        second * s.SECOND_COLOUR + place
        for second in range(2 if table.players == 2 else 1)
        for place in table.knights[seat + 2 * second]
        if place < s.CHAMBER
    ]
    crowded = [place for place in range(s.CHAMBER) if table.crowd[place] > 0]
    capture = range(s.CAPTURE, s.CAPTURE_MOVED) if table.phase == s.VICTIM else ()
    return [*capture, *own, *crowded, s.PASS, *range(s.PAY, s.ACTIONS)]


# --- The games --------------------------------------------------------------------------------------------------
RECIPES = [
    # Two players
    Recipe(
        "two-players-one-colour-a-turn",
        "Two players lead two colours each, one colour a turn",
        2,
        tells("one_colour"),
        seed=11,
        tries={"turn.one-or-two": 19, "two.one-colour": 19, "turn.same-knight": 19},
    ),
    Recipe(
        "two-players-last-of-a-colour",
        "Two players: the last knight of a colour moves alone",
        2,
        tells("no_other_of_colour"),
        last_knight,
        seed=9,
    ),
    Recipe(
        "two-players-no-bonus",
        "No one has most of any gem: four bonus cards are left over",
        2,
        where(no_bonus),
        last_knight,
        seed=4,
        tries={"move.own-knight": 30},
    ),
    Recipe(
        "two-players-gold-found-and-paid",
        "The owner bribes the dragon with the gold just found",
        2,
        where(found_and_paid),
        seed=9,
        options={"second_move": "compulsory", "gold": "open", "starts": "2"},
    ),
    Recipe(
        "two-players-paid-out-of-turn",
        "A knight is kept by a bribe in the other player’s turn",
        2,
        where(pays_out_of_turn),
        options={"second_move": "compulsory", "gold": "open", "starts": "2"},
        tries={"bribe.owner-decides": 19, "bribe.gold-only": 19},
    ),
    # Three players
    Recipe(
        "dragon-comes-back",
        "The dragon comes back and captures where it started",
        3,
        where(comes_back),
        seed=12,
        tries={"turn.order": 19, "turn.one-or-two": 25, "move.own-knight": 30, "turn.same-knight": 32},
    ),
    Recipe(
        "knight-just-moved",
        "The knight just moved, or its fellow: two different victims",
        3,
        where(moved_chosen),
        seed=7,
        tries={"dragon.victim": 19},
    ),
    Recipe(
        "open-gold",
        "The table plays with open gold, and the second seat begins",
        3,
        tells("open_gold"),
        seed=10,
        options={"gold": "open", "starts": "2"},
    ),
    Recipe(
        "home-and-over",
        "A knight goes home and leaves its player with a single one",
        3,
        where(home_and_over),
        seed=11,
        options={"gold": "open", "starts": "2"},
        tries={"end.at-once": 19},
    ),
    Recipe(
        "steps-to-spare",
        "Spaces to spare are lost at the chamber",
        3,
        tells("spare_steps"),
        seed=15,
        options={"gold": "open", "starts": "2"},
        tries={"card.take": 19},
    ),
    Recipe(
        "two-moves-are-a-must",
        "A second move is required, unless a card ends the turn",
        3,
        tells("must_follow"),
        shared,
        seed=1,
        options={"second_move": "compulsory"},
        tries={"option.second-move": 19},
    ),
    Recipe(
        "given-up",
        "The owner gives a knight up and so ends the game",
        3,
        where(given_up),
        shared,
        seed=7,
        options={"second_move": "compulsory"},
    ),
    Recipe(
        "dragon-wakes-twice",
        "The dragon wakes twice in one turn",
        3,
        wakes_twice,
        shared,
        options={"second_move": "compulsory"},
    ),
    Recipe(
        "both-ends",
        "The last treasure and the last knight but one, in the same move",
        3,
        where(both_ends),
        level,
        seed=8,
        options={"starts": "3"},
    ),
    Recipe(
        "ransomed-knight-rests",
        "A knight kept by a bribe rests until its owner’s next turn",
        3,
        where(rests),
        seed=1393,
        tries={"bribe.rests": 19},
        until=rests,
    ),
    # Four players
    Recipe(
        "empty-cave",
        "An empty cave gives nothing, and the turn goes on",
        4,
        tells("empty", "may_follow"),
        seed=4,
        tries={"move.own-knight": 20, "turn.order": 30},
    ),
    Recipe(
        "left-behind",
        "Left behind by its track, the dragon flies back",
        4,
        tells("left_behind"),
        shared,
        seed=11,
        options={"gold": "open"},
    ),
    Recipe(
        "shared-victory",
        "A shared victory",
        4,
        tells("shares"),
        shared,
        seed=13,
        options={"gold": "open"},
        tries={"card.take": 40},
    ),
    Recipe(
        "dragons-own-cave",
        "A knight stops on the cave of a dragon that its track has left",
        4,
        where(wakes_off_rod),
        options={"second_move": "compulsory", "starts": "4"},
    ),
    Recipe(
        "gems-break-the-tie",
        "Level on points and treasures: gems break the tie",
        4,
        tells("wins_by_gems"),
        level_on_treasures,
        seed=14,
        options={"starts": "1"},
    ),
    # Five players
    Recipe(
        "last-knight",
        "Five players: the game ends at once with a player’s last knight but one",
        5,
        tells("last_knight", "at_once"),
        last_knight,
        seed=7,
        tries={"turn.same-knight": 19, "end.at-once": 19},
    ),
    Recipe(
        "treasures-break-the-tie",
        "Level on points: treasure cards break the tie",
        5,
        tells("wins_by_treasures"),
        seed=5,
        options={"starts": "3"},
    ),
    Recipe(
        "own-knights-only",
        "Only the player’s own knights are there: one of them is captured",
        5,
        where(own_captured),
        seed=4,
        options={"starts": "3"},
    ),
    Recipe(
        "four-gems",
        "The first to own four different gems takes the bonus card",
        5,
        tells("four_gems"),
        seed=6,
        options={"second_move": "compulsory", "gold": "open", "starts": "5"},
    ),
    Recipe(
        "own-knight-chosen",
        "With others to choose from, a player lets the dragon take a knight of their own",
        5,
        where(own_chosen),
        seed=2,
        options={"second_move": "compulsory", "gold": "open", "starts": "5"},
        tries={"dragon.victim": 19},
    ),
    Recipe(
        "rods-last-stop",
        "The track has arrived at the last four caves and stays",
        5,
        tells("rod_stays"),
        seed=12,
        options={"second_move": "compulsory", "gold": "open", "starts": "5"},
    ),
]

GOLDEN = Golden("emerald", Path(__file__).parent / "golden", RECIPES, temptations)

if __name__ == "__main__":
    GOLDEN.make(sys.argv[1:])

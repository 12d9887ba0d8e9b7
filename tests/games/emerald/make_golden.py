"""Make the golden games: whole games as text, each showing something, that `test_golden` plays again.

`python make_golden.py` tells the stored games anew (after a change of words); `--play` plays the recipes anew (after
a change of rules); `--play NAME …` only those named.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from dracotheque import State, load_game
from dracotheque.engine.dispatch import TERMINAL
from dracotheque.engine.game import Game
from dracotheque.engine.playthrough import Attempt, head, lines, parse, tell
from dracotheque.engine.record import Plain
from dracotheque.games.emerald import state as s

GOLDEN = Path(__file__).parent / "golden"
ROLLOUTS = 24


# --- What a game shows ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Step:
    """One move of a game, with what was told about it."""

    before: Plain
    action: int
    after: Plain
    told: frozenset[str]
    """The keys of the events, without `event.`."""

    @classmethod
    def between(cls, before: State, action: int, after: State) -> Step:
        """See what lies between two states."""
        events = tell(before, before.current_player(), action, after)
        keys = frozenset(event.phrase.key.removeprefix("event.") for event in events)
        return cls(before.table(), action, after.table(), keys)


Shows = Callable[[list[Step]], bool]


def steps(game: Game, moves: list[tuple[int, int]]) -> list[Step]:
    """Play moves, and keep everything about each of them."""
    state, found = game.new_initial_state(), []
    for player, action in moves:
        after = state.child(action, player)
        found.append(Step.between(state, action, after))
        state = after
    return found


def tells(*keys: str) -> Shows:
    """Some move tells all of this."""
    return lambda game: any(step.told.issuperset(keys) for step in game)


def where(holds: Callable[[Step], bool]) -> Shows:
    """Some move is such."""
    return lambda game: any(holds(step) for step in game)


def comes_back(step: Step) -> bool:
    """Say whether the dragon captures where it set off."""
    return step.before.phase == s.DIE and step.before.dragon == step.after.dragon and "captured" in step.told


def own_captured(step: Step) -> bool:
    """Say whether the dragon, waking, has only knights of the player who woke it before it."""
    return "all_alike" in step.told and step.after.victim % step.after.players == step.before.active


def found_and_paid(step: Step) -> bool:
    """Say whether the knight that took gold this turn is ransomed."""
    return step.before.phase == s.BRIBE and step.action >= s.PAY and bool(step.before.took and step.before.victim_moved)


def wakes_off_rod(step: Step) -> bool:
    """Say whether a knight steps onto the cave of a dragon that its rod has left behind."""
    return step.after.dragon < step.after.rod and bool(step.told & {"wakes_own", "card_then_own"})


def wakes_twice(game: list[Step]) -> bool:
    """Say whether both knights of one turn wake the dragon."""
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
    """Say whether the knight just moved is captured rather than its fellow."""
    return step.before.phase == s.VICTIM and step.action == s.CAPTURE_MOVED


def own_chosen(step: Step) -> bool:
    """Say whether a player lets the dragon take a knight of their own, with others there."""
    return step.before.phase == s.VICTIM and step.after.victim % step.after.players == step.before.active


def rests(step: Step) -> bool:
    """Say whether a player ransoms an own knight that might have moved second."""
    place = step.after.ransomed
    alone = place not in (s.NOWHERE, step.after.moved) and step.after.knights[step.after.colour].count(place) == 1
    return step.before.phase == s.BRIBE and step.after.moves == 1 and alone


def pays_out_of_turn(step: Step) -> bool:
    """Say whether a knight is ransomed in somebody else's turn."""
    return step.before.phase == s.BRIBE and step.action >= s.PAY and step.before.to_move != step.before.active


def given_up(step: Step) -> bool:
    """Say whether a knight is given up though it could be ransomed, and the game ends."""
    return step.action == s.SURRENDER and {"given_up", "at_once"} <= step.told


def home_and_over(step: Step) -> bool:
    """Say whether a knight that goes home leaves its player with one."""
    return step.told >= {"last_treasure", "last_knight"}


def both_ends(step: Step) -> bool:
    """Say whether the last treasure leaves a player with one knight."""
    left = [sum(step.after.in_play[seat :: step.after.players]) for seat in range(step.after.players)]
    return "no_treasure_left" in step.told and 1 in left


def no_bonus(step: Step) -> bool:
    """Say whether the game ends with a tie for every gem."""
    gems = step.after.gems
    most = [max(row[kind] for row in gems) for kind in range(s.KINDS)]
    ties = sum([row[kind] for row in gems].count(most[kind]) > 1 for kind in range(s.KINDS))
    return step.after.phase == s.OVER and ties == s.KINDS


# --- Playing ----------------------------------------------------------------------------------------------------
Aim = Callable[[State], float]


def soon(end: State) -> float:
    """Any end will do."""
    return 0


def shared(end: State) -> float:
    """Several winners."""
    return 150 * (len(end.winners()) > 1)


def level(end: State) -> float:
    """The best two level on points, but only one winner."""
    scores = end.scores()
    return 150 * (scores.count(max(scores)) > 1 and len(end.winners()) == 1)


def level_on_treasures(end: State) -> float:
    """The best two level on points and treasure cards, but only one winner."""
    scores, treasures = end.scores(), end.table().treasures
    best = [treasures[seat] for seat, score in enumerate(scores) if score == max(scores)]
    return 150 * (best.count(max(best)) > 1 and len(end.winners()) == 1)


def last_knight(end: State) -> float:
    """A player left with one knight."""
    return 150 * (end.ending() == "end.last-knight")


def no_majority(end: State) -> float:
    """As many gems as possible that nobody alone has most of."""
    gems = end.table().gems
    return 60 * sum([row[kind] for row in gems].count(max(row[kind] for row in gems)) > 1 for kind in range(s.KINDS))


@dataclass(frozen=True)
class Recipe:
    """How a golden game is played, and what it shows."""

    name: str
    title: str
    players: int
    seed: int
    shows: Shows
    aim: Aim = soon
    tries: dict[str, int] = field(default_factory=dict)
    """Rules that somebody tries to break, each at the first chance after so many moves."""
    options: dict[str, str] = field(default_factory=dict)
    until: Callable[[Step], bool] | None = None
    """What all wait for, choosing at random, before they begin to hurry: for what is too rare otherwise."""

    @property
    def game(self) -> Game:
        """The box, opened for this game."""
        return load_game("emerald", self.players, **self.options)

    def play(self) -> list[tuple[int, int]]:
        """Play a game in which all hurry together towards the aim; the dice are honest."""
        state, chance, until = self.game.new_initial_state(), random.Random(self.seed), self.until
        while not state.is_terminal():
            if state.is_chance_node():
                action = state.sample_chance(chance)
            else:
                action = chance.choice(state.legal_actions()) if until else self.choose(state, chance)
            before = state.clone()
            state.apply_action(action)
            if until and until(Step.between(before, action, state)):
                until = None
        return state.full_history()

    def choose(self, state: State, chance: random.Random) -> int:
        """Choose what leads there soonest, by a few games played to the end at random."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        return max(legal, key=lambda action: sum(self.outlook(state.child(action), chance) for _ in range(ROLLOUTS)))

    def outlook(self, state: State, chance: random.Random) -> float:
        """Judge one random end."""
        if state.is_terminal():
            return self.aim(state)
        end = state.clone()
        decisions = end.play_randomly(chance)
        return self.aim(end) - decisions

    def attempts(self, moves: list[tuple[int, int]]) -> list[Attempt]:
        """Put the attempts that are refused between the moves."""
        state, found, waiting = self.game.new_initial_state(), [], dict(self.tries)
        for player, action in [*moves, (TERMINAL, 0)]:
            for rule in [rule for rule, after in waiting.items() if state.move_number() >= after]:
                attempt = tempting(state, rule)
                if attempt is not None:
                    found.append(attempt)
                    del waiting[rule]
            if player != TERMINAL:
                found.append(Attempt(player, action))
                state.apply_action(action, player)
        assert not waiting, f"{self.name}: nobody could try {list(waiting)}"
        return found

    def text(self, attempts: list[Attempt]) -> str:
        """Tell the game, under its title."""
        return told(self.title, self.game, attempts)


def tempting(state: State, rule: str) -> Attempt | None:
    """Find something a player could be tempted to do here that a rule forbids."""
    if state.is_chance_node():
        return None
    table, mover = state.table(), max(state.current_player(), 0)
    others = [seat for seat in range(table.players) if seat != mover]
    for seat in others if rule == "turn.order" else [mover]:
        for action in temptations(table, seat):
            if state.refusal(action, seat) == rule:
                return Attempt(seat, action, refused=True)
    return None


def temptations(table: Plain, seat: int) -> list[int]:
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


def told(title: str, game: Game, attempts: list[Attempt]) -> str:
    """Write a playthrough with its title."""
    return "\n".join([f"# {title}", head(game), *lines(game, attempts)]) + "\n"


RECIPES = [
    # Two players
    Recipe(
        "two-players-one-colour-a-turn",
        "Two players lead two colours each, one colour a turn",
        2,
        11,
        tells("one_colour"),
        tries={"turn.one-or-two": 19, "two.one-colour": 19, "turn.same-knight": 19},
    ),
    Recipe(
        "two-players-last-of-a-colour",
        "Two players: the last knight of a colour moves alone",
        2,
        9,
        tells("no_other_of_colour"),
        last_knight,
    ),
    Recipe(
        "two-players-no-bonus",
        "Nobody alone has most of any gem: four bonus cards stay in the box",
        2,
        4,
        where(no_bonus),
        last_knight,
        tries={"move.own-knight": 30},
    ),
    Recipe(
        "two-players-gold-found-and-paid",
        "A knight pays the dragon with the gold it has just found",
        2,
        9,
        where(found_and_paid),
        options={"second_move": "compulsory", "gold": "open", "starts": "2"},
    ),
    Recipe(
        "two-players-paid-out-of-turn",
        "A knight is ransomed in the other player’s turn",
        2,
        0,
        where(pays_out_of_turn),
        options={"second_move": "compulsory", "gold": "open", "starts": "2"},
        tries={"bribe.owner-decides": 19, "bribe.gold-only": 19},
    ),
    # Three players
    Recipe(
        "dragon-comes-back",
        "The dragon comes back and captures where it started",
        3,
        12,
        where(comes_back),
        tries={"turn.order": 19, "turn.one-or-two": 25, "move.own-knight": 30, "turn.same-knight": 32},
    ),
    Recipe(
        "knight-just-moved",
        "The knight just moved, or its fellow: two different victims",
        3,
        7,
        where(moved_chosen),
        tries={"dragon.victim": 19},
    ),
    Recipe(
        "open-gold",
        "The table plays with open gold, and the second seat begins",
        3,
        10,
        tells("open_gold"),
        options={"gold": "open", "starts": "2"},
    ),
    Recipe(
        "home-and-over",
        "A knight goes home and leaves its player with a single one",
        3,
        11,
        where(home_and_over),
        options={"gold": "open", "starts": "2"},
        tries={"end.at-once": 19},
    ),
    Recipe(
        "steps-to-spare",
        "Steps to spare are dropped at the chamber",
        3,
        15,
        tells("spare_steps"),
        options={"gold": "open", "starts": "2"},
        tries={"card.take": 19},
    ),
    Recipe(
        "two-moves-are-a-must",
        "Two moves are a must, unless a card ends the turn",
        3,
        1,
        tells("must_follow"),
        shared,
        options={"second_move": "compulsory"},
        tries={"option.second-move": 19},
    ),
    Recipe(
        "given-up",
        "The owner gives a knight up and so ends the game",
        3,
        7,
        where(given_up),
        shared,
        options={"second_move": "compulsory"},
    ),
    Recipe(
        "dragon-wakes-twice",
        "The dragon wakes twice in one turn",
        3,
        0,
        wakes_twice,
        shared,
        options={"second_move": "compulsory"},
    ),
    Recipe(
        "both-ends",
        "The last treasure and the last knight but one, in the same move",
        3,
        8,
        where(both_ends),
        level,
        options={"starts": "3"},
    ),
    Recipe(
        "ransomed-knight-rests",
        "A ransomed knight rests until its owner’s next turn",
        3,
        1393,
        where(rests),
        tries={"bribe.rests": 19},
        until=rests,
    ),
    # Four players
    Recipe(
        "empty-cave",
        "An empty cave gives nothing, and the turn goes on",
        4,
        4,
        tells("empty", "may_follow"),
        tries={"move.own-knight": 20, "turn.order": 30},
    ),
    Recipe(
        "left-behind",
        "Left behind by its rod, the dragon flies back",
        4,
        11,
        tells("left_behind"),
        shared,
        options={"gold": "open"},
    ),
    Recipe(
        "shared-victory",
        "A shared victory",
        4,
        13,
        tells("shares"),
        shared,
        options={"gold": "open"},
        tries={"card.take": 40},
    ),
    Recipe(
        "dragons-own-cave",
        "A knight stops on the cave of a dragon that its rod has left",
        4,
        0,
        where(wakes_off_rod),
        options={"second_move": "compulsory", "starts": "4"},
    ),
    Recipe(
        "gems-break-the-tie",
        "Level on points and treasures: gems break the tie",
        4,
        14,
        tells("wins_by_gems"),
        level_on_treasures,
        options={"starts": "1"},
    ),
    # Five players
    Recipe(
        "last-knight",
        "Five players: the game ends at once with a player’s last knight but one",
        5,
        7,
        tells("last_knight", "at_once"),
        last_knight,
        tries={"turn.same-knight": 19, "end.at-once": 19},
    ),
    Recipe(
        "treasures-break-the-tie",
        "Level on points: treasure cards break the tie",
        5,
        5,
        tells("wins_by_treasures"),
        options={"starts": "3"},
    ),
    Recipe(
        "own-knights-only",
        "Only the player’s own knights are there: one of them is captured",
        5,
        4,
        where(own_captured),
        options={"starts": "3"},
    ),
    Recipe(
        "four-gems",
        "The first to own four different gems takes the bonus card",
        5,
        6,
        tells("four_gems"),
        options={"second_move": "compulsory", "gold": "open", "starts": "5"},
    ),
    Recipe(
        "own-knight-chosen",
        "With others to choose from, a player lets the dragon take a knight of their own",
        5,
        2,
        where(own_chosen),
        options={"second_move": "compulsory", "gold": "open", "starts": "5"},
        tries={"dragon.victim": 19},
    ),
    Recipe(
        "rods-last-stop",
        "The rod has arrived beside the last four caves and stays",
        5,
        12,
        tells("rod_stays"),
        options={"second_move": "compulsory", "gold": "open", "starts": "5"},
    ),
]


# --- Making -----------------------------------------------------------------------------------------------------
def play_anew(recipe: Recipe) -> None:
    """Play a recipe and store the game."""
    moves = recipe.play()
    assert recipe.shows(steps(recipe.game, moves)), f"{recipe.name} does not show what its title says"
    (GOLDEN / f"{recipe.name}.txt").write_text(recipe.text(recipe.attempts(moves)), "utf-8")


def tell_anew(path: Path) -> None:
    """Tell a stored game in today's words."""
    text = path.read_text("utf-8")
    path.write_text(told(text.splitlines()[0].removeprefix("# "), *parse(text)), "utf-8")


def main(arguments: list[str]) -> None:
    """Make all golden games, or those named."""
    if arguments[:1] == ["--play"]:
        for recipe in RECIPES:
            if recipe.name in arguments[1:] or not arguments[1:]:
                play_anew(recipe)
    else:
        for path in sorted(GOLDEN.glob("*.txt")):
            tell_anew(path)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Golden games: whole games as readable text, each showing something named in its title, told again in every test run.

A game's `make_golden.py` has the recipes and what is its own about them; here is how they are played and told.
`python -m tests.games.GAME.make_golden` tells the stored games again (after a change of words), `--play` plays the
recipes again (after a change of rules or of the board), `--play NAME …` only those named.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from dracotheque import State, load_game
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.playthrough import PlaythroughMove, head, lines, parse, tell

Moves = list[tuple[int, int]]
ROLLOUTS = 24
SEEDS = 20_000


# --- What a game shows ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Step:
    """One move of a game, with everything about it."""

    earlier: State
    player: int
    action: int
    later: State

    @cached_property
    def before(self) -> PlainState:
        """The table before the move."""
        return self.earlier.to_plain()

    @cached_property
    def after(self) -> PlainState:
        """The table after the move."""
        return self.later.to_plain()

    @cached_property
    def event_keys(self) -> frozenset[str]:
        """The keys of its events, without `event.`."""
        events = tell(self.earlier, self.player, self.action, self.later)
        return frozenset(event.phrase.key.removeprefix("event.") for event in events)


Steps = list[Step]
Shows = Callable[[Steps], bool]


def steps(game: Game, moves: Moves) -> Steps:
    """Play moves, and keep everything about each of them."""
    state, found = game.new_initial_state(), []
    for player, action in moves:
        after = state.child(action, player)
        found.append(Step(state, player, action, after))
        state = after
    return found


def tells(*keys: str) -> Shows:
    """Some move tells all of this."""
    return lambda game: any(step.event_keys.issuperset(keys) for step in game)


def where(holds: Callable[[Step], bool]) -> Shows:
    """Some move is such."""
    return lambda game: any(holds(step) for step in game)


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


@dataclass(frozen=True)
class Recipe:
    """How a golden game is played, and what it shows."""

    name: str
    title: str
    players: int
    shows: Shows
    aim: Aim = soon
    seed: int = 0
    """The first one tried; the next ones follow until a game shows what it should."""
    tries: dict[str, int] = field(default_factory=dict)
    """Rules with an illegal attempt, each at the first chance after so many moves."""
    options: dict[str, str] = field(default_factory=dict)
    board: str | None = None
    until: Callable[[Step], bool] | None = None
    """What all wait for, choosing at random, before they begin to hurry: for what is too rare otherwise."""
    max_moves: int = 1000
    """How many moves they wait for it; then another seed is tried."""

    def play(self, game: Game, seed: int) -> Moves | None:
        """Play a game in which all hurry together towards the aim; chance is honest. None where they wait in vain."""
        state, chance, until = game.new_initial_state(), random.Random(seed), self.until
        while not state.is_terminal():
            player = mover(state, chance)
            if player == CHANCE:
                action = state.sample_chance(chance)
            elif until:
                action = self.wait(state, player, chance)
            else:
                action = self.choose(state, player, chance)
            before = state.clone()
            state.apply_action(action, player)
            if until and until(Step(before, player, action, state.clone())):
                until = None
            if until and state.move_number() == self.max_moves:
                return None
        return None if until else state.full_history()

    def wait(self, state: State, player: int, chance: random.Random) -> int:
        """Choose anything, as long as what all wait for has not come."""
        return chance.choice(state.legal_actions(player))

    def choose(self, state: State, player: int, chance: random.Random) -> int:
        """Choose what leads there soonest, by a few games played to the end at random."""
        legal = state.legal_actions(player)
        if len(legal) == 1:
            return legal[0]
        children = {action: state.child(action, player) for action in legal}
        return max(legal, key=lambda action: sum(self.outlook(children[action], chance) for _ in range(ROLLOUTS)))

    def outlook(self, state: State, chance: random.Random) -> float:
        """Judge one random end."""
        if state.is_terminal():
            return self.aim(state)
        end = state.clone()
        decisions = end.play_randomly(chance)
        return self.aim(end) - decisions


def mover(state: State, chance: random.Random) -> int:
    """Return who chooses next: chance, the seat to move, or where several choose at once, the quickest."""
    if not state.is_simultaneous_node():
        return state.current_player()
    return chance.choice([seat for seat in range(state.game.players) if state.legal_actions(seat)])


# --- A game's golden games --------------------------------------------------------------------------------------
Temptations = Callable[[State], Iterable[tuple[int, int]]]


@dataclass(frozen=True)
class Golden:
    """All golden games of one game: the recipes, and the folder with their texts."""

    name: str
    folder: Path
    recipes: Sequence[Recipe]
    temptations: Temptations
    """What players may want to do, allowed or not, as seats and actions, the most tempting first."""

    @cached_property
    def files(self) -> list[Path]:
        """Every golden game."""
        return sorted(self.folder.glob("*.txt"))

    def open(self, recipe: Recipe) -> Game:
        """Load the game of a recipe."""
        return load_game(self.name, recipe.players, board=recipe.board, **dict[str, Any](recipe.options))

    def text(self, recipe: Recipe) -> str:
        """Play seed after seed until a game shows what it should; tell it, with the attempts that are refused."""
        game = self.open(recipe)
        for seed in range(recipe.seed, recipe.seed + SEEDS):
            moves = recipe.play(game, seed)
            if moves and recipe.shows(steps(game, moves)):
                attempts = self.attempts(game, moves, recipe.tries)
                if attempts:
                    return transcript(recipe.title, game, attempts)
        raise LookupError(f"No game shows {recipe.title!r}.")

    def attempts(self, game: Game, moves: Moves, tries: dict[str, int]) -> list[PlaythroughMove]:
        """Put the attempts that are refused between the moves; nothing where one of them is impossible."""
        state, found, waiting = game.new_initial_state(), [], dict(tries)
        for move in [*moves, None]:
            for rule in [rule for rule, after in waiting.items() if state.move_number() >= after]:
                attempt = self.tempting(state, rule)
                if attempt is not None:
                    found.append(attempt)
                    del waiting[rule]
            if move is not None:
                player, action = move
                found.append(PlaythroughMove(player, action))
                state.apply_action(action, player)
        return [] if waiting else found

    def tempting(self, state: State, rule: str) -> PlaythroughMove | None:
        """Find something a player could be tempted to do here that a rule forbids."""
        if state.is_chance_node():
            return None
        for seat, action in self.temptations(state):
            if state.refusal(action, seat) == rule:
                return PlaythroughMove(seat, action, refused=True)
        return None

    def make(self, arguments: list[str]) -> None:
        """Make all golden games, or those named: the command line."""
        if arguments[:1] == ["--play"]:
            for recipe in self.recipes:
                if recipe.name in arguments[1:] or not arguments[1:]:
                    (self.folder / f"{recipe.name}.txt").write_text(self.text(recipe), "utf-8")
        else:
            for path in self.files:
                text = path.read_text("utf-8")
                path.write_text(transcript(title(text), *parse(text)), "utf-8")


# --- Telling ----------------------------------------------------------------------------------------------------
def transcript(title: str, game: Game, attempts: list[PlaythroughMove]) -> str:
    """Write a playthrough with its title."""
    return "\n".join([f"# {title}", head(game), *lines(game, attempts)]) + "\n"


def title(text: str) -> str:
    """Read a golden game's title."""
    return text.splitlines()[0].removeprefix("# ")

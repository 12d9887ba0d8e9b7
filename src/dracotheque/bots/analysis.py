"""What mattered in a finished game: every seat's chance of winning after each move, and what changed it most.

Chances are exact where perfect play is known, and found by playing on elsewhere; then rules must be compiled. Nothing
here is put into words: whoever shows an analysis tells the moves it names.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from math import hypot

from dracotheque.bots import default_bots
from dracotheque.bots.win_probability import Estimate, WinProbabilities
from dracotheque.engine import registry
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game
from dracotheque.engine.log import GameLog
from dracotheque.engine.state import State
from dracotheque.engine.takeback import is_secret_choice

MAX_SWINGS = 5
NOTABLE = 0.07  # of a victory: what changes less is not named
CLEAR = 3  # standard errors
PROMISING = 3  # choices that are looked at twice

Moves = list[tuple[int, int]]


# --- What is found ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class BetterAction:
    """A choice that promised clearly more, as far as its seat could know."""

    action: int
    share: float


@dataclass(frozen=True)
class ProbabilitySwing:
    """What a move, by its number and as (player, action), did to the chances; told from a move on.

    A fall is many moves and one swing: `move` is its last, `since` how many had been made when it began.
    """

    since: int
    move: int
    made: tuple[int, int]
    told_from: int
    before: Estimate
    after: Estimate
    better: BetterAction | None = None

    @property
    def player(self) -> int:
        """Who made it: a seat, or chance."""
        return self.made[0]

    def by(self, seat: int) -> float:
        """How much a seat has gained."""
        return self.after.shares[seat] - self.before.shares[seat]

    @property
    def seat(self) -> int:
        """Whom it concerned most; who chose, if it concerned them nearly as much."""
        most = max(range(len(self.after.shares)), key=lambda seat: abs(self.by(seat)))
        own = self.player != CHANCE and 3 * abs(self.by(self.player)) >= 2 * abs(self.by(most))
        return self.player if own else most

    @property
    def size(self) -> float:
        """How much it has changed."""
        return abs(self.by(self.seat))

    @property
    def is_clear(self) -> bool:
        """Whether it is worth naming, and more than luck in the counting."""
        doubt = hypot(self.before.errors[self.seat], self.after.errors[self.seat])
        return self.size >= max(NOTABLE, CLEAR * doubt)


@dataclass(frozen=True)
class GameAnalysis:
    """Every seat's share of the victory after some moves, and the largest clear swings, in the order of the game."""

    moves: list[int]
    curve: list[Estimate]
    swings: list[ProbabilitySwing]
    is_exact: bool


def analyse(log: GameLog, seed: int = 0) -> GameAnalysis:
    """Play on from the positions of a finished game, and find what changed the chances most.

    The same game and seed give the same analysis; how many games are played on, the game's `bots.ANALYSIS` says.
    """
    story = _Story(log.game, log.moves, seed)
    points = story.points()
    games = max(story.budget.curve // len(points), 10)
    curve = [story.estimate(move, games) for move in points]
    swings = [story.with_better(swing) for swing in _choose(_closely(story, points, curve))]
    return GameAnalysis(points, curve, swings, story.is_exact)


# --- The curve ----------------------------------------------------------------------------------------------------
class _Story:
    """A finished game with all its positions from the first choice on."""

    def __init__(self, game: Game, history: Moves, seed: int) -> None:
        """Play it again."""
        self.game, self.history = game, history
        self.budget = default_bots.bots_of(game).ANALYSIS
        exact = default_bots.exact_values(game)
        self.is_exact = exact is not None
        self.chances = exact or WinProbabilities(game, seed, self.budget.depth, self.budget.advice)
        choices = [number for number, (player, _) in enumerate(history) if player != CHANCE]
        self.first = choices[0] if choices else len(history)
        self.begun = _begun(game, history)
        self.positions = list(_positions(game.new_initial_state(), history, self.first))

    def at(self, move: int) -> State:
        """Return the game after so many moves."""
        return self.positions[move - self.first]

    def points(self) -> list[int]:
        """List the moves after which the curve has a point: nothing falls or is sealed, or a turn is over."""
        last = len(self.history)
        moves = [move for move in range(self.first, last + 1) if move in self.begun]
        if self.game.definition.simultaneous:
            moves = [move for move in moves if move == self.first or not is_secret_choice(self.at(move - 1))]
        if self.budget.by_turns:
            chooser = {move: self.at(move).current_player() for move in moves}
            moves = [move for move in moves if chooser[move] not in (CHANCE, chooser.get(move - 1, CHANCE))]
        return sorted({self.first, *moves, last})

    def estimate(self, move: int, games: int) -> Estimate:
        """Estimate the chances after so many moves."""
        return self.chances.of(self.at(move), games)

    def with_better(self, swing: ProbabilitySwing) -> ProbabilitySwing:
        """Add to somebody's own loss what would have been clearly better; sealed choices have no best."""
        erred = swing.player == swing.seat and swing.by(swing.seat) < 0 and not self.game.definition.simultaneous
        return replace(swing, better=self._better(self.at(swing.move - 1), *swing.made)) if erred else swing

    def _better(self, state: State, seat: int, action: int) -> BetterAction | None:
        """Find a choice that was clearly better, as far as its seat could know."""
        chances, budget = self.chances, self.budget
        others = [other for other in state.legal_actions(seat) if other != action]
        first = {other: chances.after(state, seat, other, budget.choice).shares[seat] for other in others}
        promising = sorted(others, key=lambda other: -first[other])[:PROMISING]
        if not promising:
            return None
        made = chances.after(state, seat, action, budget.closely)
        tried = {other: chances.after(state, seat, other, budget.closely) for other in promising}
        best = max(promising, key=lambda other: tried[other].shares[seat])
        gain = tried[best].shares[seat] - made.shares[seat]
        if gain < max(NOTABLE, CLEAR * hypot(made.errors[seat], tried[best].errors[seat])):
            return None
        return BetterAction(best, tried[best].shares[seat])


def _begun(game: Game, history: Moves) -> dict[int, int]:
    """Say of every move that ends something how many had been made when it began: one less, but a fall is one event."""
    falls = [player == CHANCE and _is_physical(game, outcome) for player, outcome in history]
    ends = [move for move, (falling, on) in enumerate(itertools.pairwise([*falls, False]), 1) if not (falling and on)]
    return dict(zip(ends, [0, *ends], strict=False))


def _is_physical(game: Game, outcome: int) -> bool:
    """Return whether an outcome is of something that really happens at a table, such as a fall."""
    if not game.definition.has_physical_chance:
        return False
    return registry.part(game.definition, "physical_chance", registry.no_defaults).is_physical(outcome)


def _positions(state: State, history: Moves, first: int) -> list[State]:
    """Play moves, and keep every position from one on."""
    kept: list[State] = [state.clone()] if first == 0 else []
    for number, (player, action) in enumerate(history, 1):
        state.apply_action(action, player)
        if number >= first:
            kept.append(state.clone())
    return kept


# --- The swings ---------------------------------------------------------------------------------------------------
def _closely(story: _Story, points: list[int], curve: list[Estimate]) -> list[ProbabilitySwing]:
    """Look closely, with games not seen before, at what happened where the curve changes most."""
    rough = [
        (max(abs(one - other) for one, other in zip(before.shares, after.shares, strict=True)), stretch)
        for stretch, (before, after) in zip(itertools.pairwise(points), itertools.pairwise(curve), strict=True)
    ]
    steepest = sorted(stretch for _, stretch in sorted(rough, reverse=True)[: story.budget.looked_at])
    steps = [step for stretch in steepest for step in _steps(story, *stretch)]
    moves = sorted({move for before, after, _ in steps for move in (before, after)})
    seen = {move: story.estimate(move, story.budget.closely) for move in moves}
    return [
        ProbabilitySwing(story.begun[move], move, story.history[move - 1], told, seen[before], seen[move])
        for before, move, told in steps
    ]


def _steps(story: _Story, first: int, last: int) -> list[tuple[int, int, int]]:
    """Say between which moves of a stretch chances are compared, and from which move on that is told."""
    if (
        story.game.definition.simultaneous
    ):  # what was sealed is judged when it is turned up: before, it is nothing but a guess
        return [(first, last, story.begun[last])]
    within = [(story.begun[move], move) for move in range(first + 1, last + 1) if move in story.begun]
    return [(since, move, first if story.budget.by_turns else since) for since, move in within]


def _choose(swings: list[ProbabilitySwing]) -> list[ProbabilitySwing]:
    """Choose the largest clear swings, no two in a row, in the order of the game."""
    kept: list[ProbabilitySwing] = []
    for swing in sorted(swings, key=lambda swing: -swing.size):
        apart = all(swing.since > other.move or other.since > swing.move for other in kept)
        if len(kept) < MAX_SWINGS and swing.is_clear and apart:
            kept.append(swing)
    return sorted(kept, key=lambda swing: swing.move)

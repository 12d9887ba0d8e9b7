"""Analysis of a finished game: every seat's win probability after each move, and the moves that changed it most.

Probabilities are exact for solved games; otherwise they are estimated by simulation, for which the rules must be
compiled. No text is made here: callers put the moves that an analysis names into words.
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
MIN_SWING = 0.07  # of a victory: a smaller change is not reported
MIN_STANDARD_ERRORS = 3  # a change of fewer is not reported
CANDIDATES = 3  # alternative actions that are simulated a second time

Moves = list[tuple[int, int]]


# --- Results ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class BetterAction:
    """An action with a clearly higher win probability, as far as its seat could know, and that probability."""

    action: int
    share: float


@dataclass(frozen=True)
class ProbabilitySwing:
    """A change of the win probabilities by a move; `made` is the move as (player, action), `move` its number.

    A fall of the rock is several moves and one swing: `move` is its last, `since` the number of moves before its first.
    `shown_from` is the number of moves before the first one that a viewer needs to see.
    """

    since: int
    move: int
    made: tuple[int, int]
    shown_from: int
    before: Estimate
    after: Estimate
    better: BetterAction | None = None

    @property
    def player(self) -> int:
        """The seat that made the move, or chance."""
        return self.made[0]

    def by(self, seat: int) -> float:
        """Return the gain of a seat."""
        return self.after.shares[seat] - self.before.shares[seat]

    @property
    def seat(self) -> int:
        """The seat with the largest change; the seat that moved, if its change is at least two thirds of that."""
        largest = max(range(len(self.after.shares)), key=lambda seat: abs(self.by(seat)))
        own = self.player != CHANCE and 3 * abs(self.by(self.player)) >= 2 * abs(self.by(largest))
        return self.player if own else largest

    @property
    def size(self) -> float:
        """The change for `seat`, without its sign."""
        return abs(self.by(self.seat))

    @property
    def is_clear(self) -> bool:
        """Whether the change is large enough to report, and statistically significant."""
        error = hypot(self.before.errors[self.seat], self.after.errors[self.seat])
        return self.size >= max(MIN_SWING, MIN_STANDARD_ERRORS * error)


@dataclass(frozen=True)
class GameAnalysis:
    """Every seat's win probability after each of `moves`, and the largest clear swings, in the order of the game."""

    moves: list[int]
    curve: list[Estimate]
    swings: list[ProbabilitySwing]
    is_exact: bool


def analyse(log: GameLog, seed: int = 0) -> GameAnalysis:
    """Return the win probabilities of a finished game and its largest swings.

    The same game and seed give the same analysis; `bots.ANALYSIS` of the game sets the number of simulations.
    """
    replay = _Replay(log.game, log.moves, seed)
    points = replay.points()
    games = max(replay.budget.curve // len(points), 10)
    curve = [replay.estimate(move, games) for move in points]
    swings = [replay.with_better(swing) for swing in _choose(_swings(replay, points, curve))]
    return GameAnalysis(points, curve, swings, replay.is_exact)


# --- The curve ----------------------------------------------------------------------------------------------------
class _Replay:
    """A finished game with all its positions from the first choice on."""

    def __init__(self, game: Game, history: Moves, seed: int) -> None:
        """Replay the moves and keep the positions."""
        self.game, self.history = game, history
        self.budget = default_bots.bots_of(game).ANALYSIS
        exact = default_bots.exact_values(game)
        self.is_exact = exact is not None
        self.probabilities = exact or WinProbabilities(game, seed, self.budget.depth, self.budget.heuristic_percent)
        choices = [number for number, (player, _) in enumerate(history) if player != CHANCE]
        self.first = choices[0] if choices else len(history)
        self.begun = _begun(game, history)
        self.positions = list(_positions(game.new_initial_state(), history, self.first))

    def at(self, move: int) -> State:
        """Return the position after so many moves."""
        return self.positions[move - self.first]

    def points(self) -> list[int]:
        """List the moves after which the curve has a point: not within a fall, nor after a secret choice."""
        last = len(self.history)
        moves = [move for move in range(self.first, last + 1) if move in self.begun]
        if self.game.definition.simultaneous:
            moves = [move for move in moves if move == self.first or not is_secret_choice(self.at(move - 1))]
        if self.budget.by_turns:
            chooser = {move: self.at(move).current_player() for move in moves}
            moves = [move for move in moves if chooser[move] not in (CHANCE, chooser.get(move - 1, CHANCE))]
        return sorted({self.first, *moves, last})

    def estimate(self, move: int, games: int) -> Estimate:
        """Return the win probabilities after so many moves, from so many simulated games."""
        return self.probabilities.of(self.at(move), games)

    def with_better(self, swing: ProbabilitySwing) -> ProbabilitySwing:
        """Add a clearly better action to a seat's own loss; simultaneous choices have no best one."""
        erred = swing.player == swing.seat and swing.by(swing.seat) < 0 and not self.game.definition.simultaneous
        return replace(swing, better=self._better(self.at(swing.move - 1), *swing.made)) if erred else swing

    def _better(self, state: State, seat: int, action: int) -> BetterAction | None:
        """Return an action with a clearly higher win probability, as far as the seat could know, or None."""
        after, budget = self.probabilities.after, self.budget
        others = [other for other in state.legal_actions(seat) if other != action]
        first = {other: after(state, seat, other, budget.per_action).shares[seat] for other in others}
        candidates = sorted(others, key=lambda other: -first[other])[:CANDIDATES]
        if not candidates:
            return None
        made = after(state, seat, action, budget.per_position)
        second = {other: after(state, seat, other, budget.per_position) for other in candidates}
        best = max(candidates, key=lambda other: second[other].shares[seat])
        gain = second[best].shares[seat] - made.shares[seat]
        if gain < max(MIN_SWING, MIN_STANDARD_ERRORS * hypot(made.errors[seat], second[best].errors[seat])):
            return None
        return BetterAction(best, second[best].shares[seat])


def _begun(game: Game, history: Moves) -> dict[int, int]:
    """Map each move that ends an event to the number of moves before the event: one less, but a fall is one event."""
    falls = [player == CHANCE and registry.is_physical(game.definition, outcome) for player, outcome in history]
    ends = [move for move, (falling, on) in enumerate(itertools.pairwise([*falls, False]), 1) if not (falling and on)]
    return dict(zip(ends, [0, *ends], strict=False))


def _positions(state: State, history: Moves, first: int) -> list[State]:
    """Return the positions after each move, from the `first` on."""
    kept: list[State] = [state.clone()] if first == 0 else []
    for number, (player, action) in enumerate(history, 1):
        state.apply_action(action, player)
        if number >= first:
            kept.append(state.clone())
    return kept


# --- The swings ---------------------------------------------------------------------------------------------------
def _swings(replay: _Replay, points: list[int], curve: list[Estimate]) -> list[ProbabilitySwing]:
    """Return the swings where the curve changes most, from new simulations."""
    rough = [
        (max(abs(one - other) for one, other in zip(before.shares, after.shares, strict=True)), stretch)
        for stretch, (before, after) in zip(itertools.pairwise(points), itertools.pairwise(curve), strict=True)
    ]
    steepest = sorted(stretch for _, stretch in sorted(rough, reverse=True)[: replay.budget.changes])
    steps = [step for stretch in steepest for step in _steps(replay, *stretch)]
    moves = sorted({move for before, after, _ in steps for move in (before, after)})
    estimates = {move: replay.estimate(move, replay.budget.per_position) for move in moves}
    return [
        ProbabilitySwing(
            replay.begun[move], move, replay.history[move - 1], shown_from, estimates[before], estimates[move]
        )
        for before, move, shown_from in steps
    ]


def _steps(replay: _Replay, first: int, last: int) -> list[tuple[int, int, int]]:
    """Return the moves of a stretch to compare, as (before, after), each with the move from which it is shown."""
    # A secret choice counts when it is revealed: before that, the others could only guess it.
    if replay.game.definition.simultaneous:
        return [(first, last, replay.begun[last])]
    within = [(replay.begun[move], move) for move in range(first + 1, last + 1) if move in replay.begun]
    return [(since, move, first if replay.budget.by_turns else since) for since, move in within]


def _choose(swings: list[ProbabilitySwing]) -> list[ProbabilitySwing]:
    """Return the largest clear swings, no two in a row, in the order of the game."""
    kept: list[ProbabilitySwing] = []
    for swing in sorted(swings, key=lambda swing: -swing.size):
        apart = all(swing.since > other.move or other.since > swing.move for other in kept)
        if len(kept) < MAX_SWINGS and swing.is_clear and apart:
            kept.append(swing)
    return sorted(kept, key=lambda swing: swing.move)

"""The moments that mattered in a finished game: how everybody's chance of winning rose and fell, and by what."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from dracotheque.bots.chances import Chances, Estimate, is_ready
from dracotheque.bots.levels import is_solved
from dracotheque.bots.ways import WHOLE_GAME
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game, State
from dracotheque.engine.words import Event
from dracotheque.games.sealed import is_secret
from dracotheque.games.told import seat_name
from dracotheque.tables.fairness import really_happens
from dracotheque.tables.messages import Better, Moments, TurningPoint
from dracotheque.tables.refused import Refused
from dracotheque.tables.table import Table
from dracotheque.tables.view import tell

if TYPE_CHECKING:
    from dracotheque.bots.oracle import ExactChances

MOST = 5  # moments told
NOTABLE = 0.07  # of a victory: what changes less is not told
CLEAR = 3  # standard errors
FEW = 4  # sentences that are told at most, unless something falls
PROMISING = 3  # choices that are looked at twice
AFTERWARDS, NEXT = ("end.", "score."), "event.next"
KEPT, WAITING = 64, 16  # games: those whose moments are kept, those that may wait for theirs


@dataclass(frozen=True)
class Care:
    """How many games are played on from the positions of one: for the curve, for a position looked at closely."""

    curve: int
    closely: int
    choice: int
    """For each choice at the first look; those that promise most are then looked at closely."""
    looked_at: int = 3 * MOST
    """Changes that are looked at closely."""
    by_turns: bool = False
    """Whether the curve has a point a turn, not a move."""
    depth: int = WHOLE_GAME
    """Choices played on before the outlook is asked."""
    advice: int = 90
    """How many of 100 choices are made by advice: fewer where who is easily guessed loses."""


CARE = {
    "emerald": Care(100_000, 1_500, 100),
    "dragons-cave": Care(60_000, 1_500, 0, advice=50),
    "gran": Care(4_000, 140, 12, looked_at=7, by_turns=True, depth=40),
    "save-the-dragon": Care(30_000, 800, 60),
}
"""So much that a usual game takes one to four seconds: a game of Gran played on is as long as a hundred of Emerald."""


# --- Asking ------------------------------------------------------------------------------------------------------
class LookingBack:
    """Looks back on finished games, one after the other and beside everything else; what was found is kept a while."""

    def __init__(self) -> None:
        """Nothing has been asked yet."""
        self.pool = ThreadPoolExecutor(1, "moments")
        self.found: OrderedDict[str, Future[Moments]] = OrderedDict()

    def stop(self) -> None:
        """Begin nothing more."""
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def on(self, table: Table) -> Moments:
        """Find the moments that mattered in a finished game; only what is solved can do without compiled rules."""
        if table.status != "over":
            raise Refused("not_over")
        if not (is_solved(table.game) or is_ready(table.game)):
            return Moments(False, [], [], [])
        known = self.found.get(table.id)
        if known is None or (known.done() and known.exception()):  # what went wrong once is tried again
            if sum(not each.done() for each in self.found.values()) >= WAITING:
                raise Refused("busy")
            self.found[table.id] = self.pool.submit(look_back, table)
            while len(self.found) > KEPT:
                self.found.popitem(last=False)
        self.found.move_to_end(table.id)
        # Whoever does not wait for the answer must not take it from the others who do.
        return await asyncio.shield(asyncio.wrap_future(self.found[table.id]))


# --- The curve ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Change:
    """What a move, by its number and as (player, action), did to the chances; told from a move on.

    A fall is many moves and one change: `move` is its last, `since` how many had been made when it began.
    """

    since: int
    move: int
    made: tuple[int, int]
    told_from: int
    before: Estimate
    after: Estimate

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
        """Whether it is worth telling, and more than luck in the counting."""
        doubt = hypot(self.before.errors[self.seat], self.after.errors[self.seat])
        return self.size >= max(NOTABLE, CLEAR * doubt)


class Story:
    """A finished game with all its positions from the first choice on."""

    def __init__(self, table: Table) -> None:
        """Play it again."""
        assert table.play is not None
        self.table, self.game = table, table.game
        self.care = CARE.get(table.game.name, Care(20_000, 300, 20))
        self.exact = is_solved(table.game)
        self.chances = self._exactly() if self.exact else self._by_playing(int.from_bytes(table.seed[:7], "big"))
        self.history = table.play.state.full_history()
        choices = [number for number, (player, _) in enumerate(self.history) if player != CHANCE]
        self.first = choices[0] if choices else len(self.history)
        self.begun = _begun(table.game, self.history)
        self.positions = list(_positions(table.game.new_initial_state(), self.history, self.first))

    def _by_playing(self, seed: int) -> Chances:
        """Reckon chances by playing on."""
        return Chances(self.game, seed, self.care.depth, self.care.advice)

    def _exactly(self) -> ExactChances:
        """Ask the Oracle, whose table is read only where it is wanted."""
        from dracotheque.bots.oracle import ExactChances

        return ExactChances()

    def at(self, move: int) -> State:
        """The game after so many moves."""
        return self.positions[move - self.first]

    def points(self) -> list[int]:
        """The moves after which the curve has a point: nothing falls, and nothing is sealed, or a turn is over."""
        last = len(self.history)
        moves = [move for move in range(self.first, last + 1) if move in self.begun]
        if self.game.box.sealed:
            moves = [move for move in moves if move == self.first or not is_secret(self.at(move - 1))]
        if self.care.by_turns:
            chooser = {move: self.at(move).current_player() for move in moves}
            moves = [move for move in moves if chooser[move] not in (CHANCE, chooser.get(move - 1, CHANCE))]
        return sorted({self.first, *moves, last})

    def estimate(self, move: int, games: int) -> Estimate:
        """Reckon the chances after so many moves."""
        return self.chances.of(self.at(move), games)


def _begun(game: Game, history: list[tuple[int, int]]) -> dict[int, int]:
    """Say of every move that ends something how many had been made when it began: one less, but a fall is one event."""
    falls = [player == CHANCE and really_happens(game, outcome) for player, outcome in history]
    ends = [move for move, (falling, on) in enumerate(itertools.pairwise([*falls, False]), 1) if not (falling and on)]
    return dict(zip(ends, [0, *ends], strict=False))


def _positions(state: State, history: list[tuple[int, int]], first: int) -> list[State]:
    """Play moves, and keep every position from one on."""
    kept: list[State] = [state.clone()] if first == 0 else []
    for number, (player, action) in enumerate(history, 1):
        state.apply_action(action, player)
        if number >= first:
            kept.append(state.clone())
    return kept


def look_back(table: Table) -> Moments:
    """Play on from the positions of a game, and tell what changed the chances most."""
    story = Story(table)
    points = story.points()
    games = max(story.care.curve // len(points), 10)
    curve = [story.estimate(move, games) for move in points]
    told = [_told(story, change) for change in _choose(_closely(story, points, curve))]
    if table.resigned is not None:  # whoever gave up has no chance any more
        points.append(points[-1])
        curve.append(Estimate([float(seat != table.resigned) for seat in range(2)], [0.0, 0.0]))
    shares = [[round(each.shares[seat], 3) for each in curve] for seat in range(table.game.players)]
    return Moments(True, points, shares, told, story.exact)


# --- The moments -------------------------------------------------------------------------------------------------
def _closely(story: Story, points: list[int], curve: list[Estimate]) -> list[Change]:
    """Look closely, with games not seen before, at what happened where the curve changes most."""
    rough = [
        (max(abs(one - other) for one, other in zip(before.shares, after.shares, strict=True)), stretch)
        for stretch, (before, after) in zip(itertools.pairwise(points), itertools.pairwise(curve), strict=True)
    ]
    steepest = sorted(stretch for _, stretch in sorted(rough, reverse=True)[: story.care.looked_at])
    steps = [step for stretch in steepest for step in _steps(story, *stretch)]
    moves = sorted({move for before, after, _ in steps for move in (before, after)})
    seen = {move: story.estimate(move, story.care.closely) for move in moves}
    return [
        Change(story.begun[move], move, story.history[move - 1], told, seen[before], seen[move])
        for before, move, told in steps
    ]


def _steps(story: Story, first: int, last: int) -> list[tuple[int, int, int]]:
    """Say between which moves of a stretch chances are compared, and from which move on that is told."""
    if story.game.box.sealed:  # what was sealed is judged when it is turned up: before, it is nothing but a guess
        return [(first, last, story.begun[last])]
    within = [(story.begun[move], move) for move in range(first + 1, last + 1) if move in story.begun]
    return [(since, move, first if story.care.by_turns else since) for since, move in within]


def _choose(changes: list[Change]) -> list[Change]:
    """Choose the largest clear changes, no two in a row, in the order of the game."""
    kept: list[Change] = []
    for change in sorted(changes, key=lambda change: -change.size):
        apart = all(change.since > other.move or other.since > change.move for other in kept)
        if len(kept) < MOST and change.is_clear and apart:
            kept.append(change)
    return sorted(kept, key=lambda change: change.move)


def _told(story: Story, change: Change) -> TurningPoint:
    """Tell a moment: what happened, what it changed, and what would have been better where that is clear."""
    seat = change.seat
    told = tell(story.at(change.told_from).clone(), story.history[change.told_from : change.move])
    erred = change.player == seat and change.by(seat) < 0 and not story.game.box.sealed
    return TurningPoint(
        change.since,
        change.move,
        change.player,
        seat,
        round(change.before.shares[seat], 3),
        round(change.after.shares[seat], 3),
        _short([event for each in told for event in each.events], change),
        _better(story, story.at(change.move - 1), *change.made) if erred else None,
    )


def _short(events: list[Event], change: Change) -> list[Event]:
    """Leave away whose turn comes next, the score when all is over, and where much happened what concerns others."""
    told = [event for event in events if event.phrase.key != NEXT and not event.rule.startswith(AFTERWARDS)]
    if len(told) > FEW and change.player not in (change.seat, CHANCE):
        concerned = (None, seat_name(change.seat))
        told = [event for event in told if event is told[0] or event.phrase.gaps.get("seat") in concerned]
    falls = change.move - change.since > 1  # what becomes of everybody is told last
    return told if falls else told[:FEW]


def _better(story: Story, state: State, seat: int, action: int) -> Better | None:
    """Find a choice that was clearly better, as far as its seat could know."""
    chances, care = story.chances, story.care
    others = [other for other in state.legal_actions(seat) if other != action]
    first = {other: chances.after(state, seat, other, care.choice).shares[seat] for other in others}
    promising = sorted(others, key=lambda other: -first[other])[:PROMISING]
    if not promising:
        return None
    made = chances.after(state, seat, action, care.closely)
    tried = {other: chances.after(state, seat, other, care.closely) for other in promising}
    best = max(promising, key=lambda other: tried[other].shares[seat])
    gain = tried[best].shares[seat] - made.shares[seat]
    if gain < max(NOTABLE, CLEAR * hypot(made.errors[seat], tried[best].errors[seat])):
        return None
    return Better(state.game.scene.action(state.game, seat, best), round(tried[best].shares[seat], 3))

"""Simulation of many games in compiled code, on every core or on a GPU, with their totals."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from random import Random

import numpy as np
from numpy.typing import NDArray

from dracotheque.bots import Bot, make_bot
from dracotheque.bots.player_view import player_view
from dracotheque.engine import batch_totals
from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS
from dracotheque.engine.game import Game
from dracotheque.engine.state import State

CHUNK = 1_000  # games between two reports of progress: a tenth of a second of the longest
CARD_CHUNK = 1 << 22
Z95 = 1.959964  # standard deviations to either side of a 95 % interval
Tell = Callable[["Report"], None]


@dataclass
class Report:
    """The totals of a number of games."""

    game: Game
    bots: list[str]
    seed: int
    wanted: int
    sums: NDArray[np.int64] = field(default_factory=lambda: np.zeros(batch_totals.SIZE, np.int64))
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """How many games were played."""
        return int(self.sums[batch_totals.GAMES])

    @property
    def decisions(self) -> int:
        """How many choices the players made in them; chance not counted."""
        return int(self.sums[batch_totals.DECISIONS])

    def wins(self) -> list[float]:
        """Wins of each seat; a shared victory counts in parts."""
        return [float(w) / batch_totals.WHOLE for w in self._by_seat(batch_totals.WINS)]

    def win_shares(self) -> list[float]:
        """Each seat's share of the wins."""
        return [wins / max(self.games, 1) for wins in self.wins()]

    def intervals(self) -> list[tuple[float, float]]:
        """The 95 % interval of each seat's share."""
        return [wilson(wins, self.games) for wins in self.wins()]

    def mean_scores(self) -> list[tuple[float, float]]:
        """Each seat's mean points and their standard deviation."""
        squares = self._by_seat(batch_totals.SCORES_SQUARED)
        return [
            _mean(total, square, self.games)
            for total, square in zip(self._by_seat(batch_totals.SCORES), squares, strict=True)
        ]

    def length(self) -> tuple[float, float]:
        """The mean number of decisions in a game, and the standard deviation."""
        return _mean(self.sums[batch_totals.DECISIONS], self.sums[batch_totals.DECISIONS_SQUARED], self.games)

    def endings(self) -> dict[str, int]:
        """How many games ended by which rule."""
        counts = self.sums[batch_totals.ENDED : batch_totals.ENDED + len(self.game.rules.ENDINGS)]
        return {rule: int(count) for rule, count in zip(self.game.rules.ENDINGS, counts, strict=True)}

    def _by_seat(self, start: int) -> NDArray[np.int64]:
        """Cut the sums of the seats at the table."""
        return self.sums[start : start + self.game.players]

    def as_dict(self) -> dict[str, object]:
        """Everything, ready for JSON."""
        games = max(self.games, 1)
        return {
            "game": self.game.name,
            "rules": self.game.rules_version,
            "players": self.game.players,
            "options": self.game.options,
            "board": self.game.board.source or None if self.game.board else None,
            "bots": self.bots,
            "seed": self.seed,
            "games": self.games,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 6),
            "games_per_second": round(self.games / self.seconds, 1) if self.seconds else None,
            "decisions_per_second": round(self.decisions / self.seconds, 1) if self.seconds else None,
            "wins": [round(wins, 4) for wins in self.wins()],
            "win_shares": [round(share, 6) for share in self.win_shares()],
            "win_share_intervals": [[round(low, 6), round(high, 6)] for low, high in self.intervals()],
            "mean_scores": [round(mean, 4) for mean, _ in self.mean_scores()],
            "mean_decisions": round(self.decisions / games, 4),
            "endings": self.endings(),
        }


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share of wins."""
    if games == 0:
        return 0.0, 1.0
    z, share = Z95, wins / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def _mean(total: float | np.int64, squares: float | np.int64, games: int) -> tuple[float, float]:
    """Mean and standard deviation from sums."""
    if games == 0:
        return 0.0, 0.0
    mean = float(total) / games
    return mean, math.sqrt(max(float(squares) / games - mean * mean, 0.0))


def simulate(
    game: Game,
    games: int,
    bots: list[str],
    seed: int,
    threads: int,
    card: bool = False,
    tell: Tell = lambda report: None,
) -> Report:
    """Play games and add them up; `tell` is called with the progress, and Ctrl-C ends it with what is done so far.

    Game number n of a seed is the same game on any number of threads.
    """
    report = Report(game, bots, seed, games)
    if any(bot != "random" for bot in bots):
        batches = _with_bots(game, games, bots, seed)
    elif card:
        batches = _on_card(game, games, seed)
    else:
        batches = _on_cores(game, games, seed, threads)
    try:
        began = time.perf_counter()
        for added in batches:
            report.sums += added
            report.seconds = time.perf_counter() - began
            if tell:
                tell(report)
    except KeyboardInterrupt:
        pass
    return report


def _start(game: Game) -> bytes:
    """The state every game begins with: set up, before the first chance move."""
    return game.new_initial_state().record()


def _chunks(games: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut games into pieces, each as its first number and its length."""
    for first in range(0, games, size):
        yield first, min(size, games - first)


def _on_cores(game: Game, games: int, seed: int, threads: int) -> Iterator[NDArray[np.int64]]:
    """Play in compiled code on several threads; what must be loaded is loaded before the clock starts."""
    start = _start(game)
    batch = game.runtime.new_batch(start)
    game.runtime.operations.play_batch(batch.handle, seed, 0, 0)
    return _threads(game, start, games, seed, threads)


def _threads(game: Game, start: bytes, games: int, seed: int, threads: int) -> Iterator[NDArray[np.int64]]:
    """Let every thread play piece after piece on a batch of its own, and hand over the sums."""
    play_batch = game.runtime.operations.play_batch
    pieces, lock, stop = _chunks(games, CHUNK), threading.Lock(), threading.Event()
    # The sums of every piece; None from a thread that has no more to do.
    added: SimpleQueue[NDArray[np.int64] | None] = SimpleQueue()

    def work() -> None:
        try:
            batch = game.runtime.new_batch(start)
            while not stop.is_set():
                with lock:
                    piece = next(pieces, None)
                if piece is None:
                    break
                play_batch(batch.handle, seed, *piece)
                added.put(batch.sums.copy())
                batch.sums[:] = 0
        finally:
            added.put(None)

    with ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(work) for _ in range(threads)]
        try:
            for _ in range(threads):
                while (piece := added.get()) is not None:
                    yield piece
        finally:
            stop.set()
        for future in running:
            future.result()


def _on_card(game: Game, games: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Play on an NVIDIA GPU; the kernel is loaded before the clock starts."""
    from dracotheque.engine.jit.cuda import open_card

    start, kernel = _start(game), open_card(game)
    kernel.play(start, seed, 0, 1024, 0)
    return (kernel.play(start, seed, first, count, 0)[0] for first, count in _chunks(games, CARD_CHUNK))


def _with_bots(game: Game, games: int, bots: list[str], seed: int) -> Iterator[NDArray[np.int64]]:
    """Play with bots that choose in Python, one game after another."""
    players = [make_bot(bot, seed + seat, game) for seat, bot in enumerate(bots)]
    for number in range(games):
        yield _sums_of(*play_with_bots(game, players, Random(f"{seed}/{number}")))


def play_with_bots(game: Game, bots: Sequence[Bot], chance: Random) -> tuple[State, int]:
    """Play a game, a bot in every seat; give its end, and how many decisions led there."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            state.apply_action(state.sample_chance(chance))
            continue
        for seat in asked(state):
            state.apply_action(bots[seat].choose(player_view(state, seat)), seat)
            decisions += 1
    return state, decisions


def asked(state: State) -> list[int]:
    """The seats that must choose now."""
    if state.current_player() == SIMULTANEOUS:
        return [seat for seat in range(state.game.players) if state.legal_actions(seat)]
    return [state.current_player()]


def _sums_of(state: State, decisions: int) -> NDArray[np.int64]:
    """Add up a single finished game."""
    added = np.zeros(batch_totals.SIZE, np.int64)
    added[batch_totals.GAMES], added[batch_totals.DECISIONS], added[batch_totals.DECISIONS_SQUARED] = (
        1,
        decisions,
        decisions**2,
    )
    winners, scores = state.winners(), state.scores()
    for seat, points in enumerate(scores):
        added[batch_totals.WINS + seat] = batch_totals.WHOLE // len(winners) if seat in winners else 0
        added[batch_totals.SCORES + seat], added[batch_totals.SCORES_SQUARED + seat] = points, points**2
    added[batch_totals.ENDED + state.game.rules.ENDINGS.index(state.ending())] = 1
    return added

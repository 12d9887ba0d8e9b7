"""Driving games: by the clock or as fast as they go, and how long a move takes to the other player's screen."""

from __future__ import annotations

import asyncio
import random
import resource
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol


class Match(Protocol):
    """A game between two sockets."""

    arrived: Callable[[float], None]
    """Called with the time at which the other player held a move's view."""
    settled: Callable[[], None]
    """Called when both hold it, so that the next move can be made."""

    @property
    def over(self) -> bool:
        """Whether nobody has to choose any more."""
        ...

    def move(self, chance: random.Random) -> None:
        """Let whoever is asked choose something."""
        ...

    def close(self) -> None:
        """Leave."""
        ...


Opening = Callable[[int], Awaitable[Match]]
"""Opens the next game of a pair of players."""


def percentile(sorted_values: list[float], share: float) -> float:
    """The smallest value that at least this share of all do not exceed."""
    if not sorted_values:
        return float("nan")
    rank = -(-len(sorted_values) * share // 1)
    return sorted_values[max(0, int(rank) - 1)]


@dataclass
class Drive:
    """What was measured while games were driven."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list[float])
    games: int = 0
    driver_share: float = 0.0
    server_share: float = 0.0
    others_share: float = 0.0

    @property
    def rate(self) -> float:
        """Moves a second."""
        return len(self.latencies) / self.seconds

    def milliseconds(self, share: float) -> float:
        """A percentile of the time to the other player's screen."""
        return 1000 * percentile(self.latencies, share)


class Pair:
    """Two players who play one game after the other."""

    def __init__(self, number: int, opening: Opening, drive: Driving) -> None:
        """Say who they are."""
        self.number, self.opening, self.drive = number, opening, drive
        self.match: Match | None = None
        self.waiting: deque[float] = deque()
        self.sent_at: float | None = None

    async def sit_down(self) -> None:
        """Open the next game."""
        match = await self.opening(self.number)
        match.arrived, match.settled = self._arrived, self._settled
        self.match = match
        self.go_on()

    def due(self, at: float) -> None:
        """Note that a move is due at a time, and make it if it can be made."""
        self.waiting.append(at)
        self.go_on()

    def go_on(self) -> None:
        """Make the move that is due first, if none is under way."""
        if self.match and self.sent_at is None and self.waiting and not self.drive.stopping:
            self.sent_at = self.waiting.popleft()
            self.match.move(self.drive.chance)

    def _arrived(self, at: float) -> None:
        """Note how long a move took, from when it was due."""
        assert self.sent_at is not None
        self.drive.note(self.sent_at, at)

    def _settled(self) -> None:
        """Go on with the next move, or the next game."""
        self.sent_at = None
        assert self.match is not None
        if self.match.over:
            self.match.close()
            self.match = None
            self.drive.games += 1
            if not self.drive.stopping:
                self.drive.later(self.sit_down())
        if self.drive.period is None:
            self.waiting.append(time.perf_counter())
        self.go_on()


class Driving:
    """Pairs of players, driven for a while."""

    def __init__(self, opening: Opening, pairs: int, period: float | None, seed: int = 7) -> None:
        """Let every pair make a move every `period` seconds; None: the next as soon as the last has arrived."""
        self.chance = random.Random(seed)
        self.period = period
        self.pairs = [Pair(number, opening, self) for number in range(pairs)]
        self.tasks: set[asyncio.Future[None]] = set()
        self.failed: BaseException | None = None
        self.stopping = False
        self.games = 0
        self.noted: list[tuple[float, float]] = []

    def note(self, due: float, arrived: float) -> None:
        """Note a move."""
        self.noted.append((due, arrived))

    def later(self, work: Awaitable[None]) -> None:
        """Do something beside; a failure ends the drive."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Future[None]) -> None:
        """Forget what is done, and keep the first failure."""
        self.tasks.discard(task)
        if not task.cancelled() and task.exception():
            self.failed = self.failed or task.exception()

    def _broken(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Keep what failed while a socket was read."""
        if not self.stopping:
            self.failed = self.failed or context.get("exception") or RuntimeError(context["message"])

    async def run(self, warm_up: float, seconds: float, usage: Callable[[], tuple[float, float]]) -> Drive:
        """Let everybody play, and measure after the warm-up; `usage` gives the server's and the machine's CPU time."""
        asyncio.get_running_loop().set_exception_handler(self._broken)
        for pair in self.pairs:
            await pair.sit_down()
        begin = time.perf_counter()
        self._let_clocks_run(begin)
        await self._pass(begin + warm_up)
        games, own, (server, machine) = self.games, own_time(), usage()
        first = time.perf_counter()
        await self._pass(first + seconds)
        last = time.perf_counter()
        found = Drive(last - first, games=self.games - games)
        server, machine = usage()[0] - server, usage()[1] - machine
        found.driver_share, found.server_share = (own_time() - own) / found.seconds, server / found.seconds
        found.others_share = max(0.0, machine / found.seconds - found.driver_share - found.server_share)
        await self._stop()
        found.latencies = sorted(arrived - due for due, arrived in self.noted if first <= arrived < last)
        return found

    def _let_clocks_run(self, begin: float) -> None:
        """Let the first moves be due: spread over a period, or all at once."""
        if self.period is None:
            for pair in self.pairs:
                pair.due(begin)
            return
        for number, pair in enumerate(self.pairs):
            self.later(self._tick(pair, begin + self.period * number / len(self.pairs), self.period))

    async def _tick(self, pair: Pair, at: float, period: float) -> None:
        """Let moves be due by the clock, however late the last ones were."""
        while not self.stopping:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            pair.due(at)
            at += period

    async def _pass(self, until: float) -> None:
        """Let time pass; stop at the first failure."""
        while (left := until - time.perf_counter()) > 0:
            await asyncio.sleep(min(0.5, left))
            if self.failed:
                raise self.failed

    async def _stop(self) -> None:
        """Let nobody move any more, let games that are being opened be opened, and leave."""
        self.stopping = True
        await asyncio.gather(*self.tasks)
        for pair in self.pairs:
            if pair.match:
                pair.match.close()


def own_time() -> float:
    """CPU seconds of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime

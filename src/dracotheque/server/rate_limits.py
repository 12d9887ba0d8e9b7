"""Rate limits for guests and addresses: token buckets."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one guest, or one address without a cookie, may use."""

    messages_a_second: float = 20.0
    burst: int = 60
    new_guests_a_minute: float = 60.0
    sockets_a_guest: int = 20
    sockets_an_address: int = 5_000
    """Strangers watch without a cookie, many of them perhaps from behind one address."""
    body: int = 65_536
    message: int = 4_096
    unread: int = 256
    """Messages that may wait for a slow reader before its socket is closed."""


class TokenBuckets:
    """One bucket a guest; a full one is forgotten."""

    def __init__(self, rate: float, size: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Let every bucket hold `size`, and fill by `rate` a second."""
        self.rate, self.size, self.clock = rate, size, clock
        self.levels: dict[str, tuple[float, float]] = {}

    def take(self, who: str, amount: float = 1.0) -> bool:
        """Take something out of a bucket, if there is enough."""
        now = self.clock()
        level, at = self.levels.get(who, (self.size, now))
        level = min(self.size, level + (now - at) * self.rate)
        enough = level >= amount
        self.levels[who] = (level - amount if enough else level), now
        if len(self.levels) > 10_000:
            self._forget(now)
        return enough

    def _forget(self, now: float) -> None:
        """Forget the buckets that are full by now."""
        self.levels = {
            who: (level, at) for who, (level, at) in self.levels.items() if level + (now - at) * self.rate < self.size
        }

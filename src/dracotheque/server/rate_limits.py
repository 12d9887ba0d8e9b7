"""Rate limits for guests and addresses: token buckets."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits of a guest, or of an address without a cookie."""

    messages_a_second: float = 20.0
    burst: int = 60
    new_guests_a_minute: float = 60.0
    sockets_a_guest: int = 20
    sockets_an_address: int = 5_000
    """Spectators have no cookie, and many may share one address."""
    body: int = 65_536
    message: int = 4_096
    unread: int = 256
    """Messages that may be queued for a slow client before its socket is closed."""


class TokenBuckets:
    """A token bucket for each guest or address; full ones are removed."""

    def __init__(self, rate: float, size: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Set the size of buckets and the tokens that they gain each second."""
        self.rate, self.size, self.clock = rate, size, clock
        self.levels: dict[str, tuple[float, float]] = {}

    def take(self, key: str, amount: float = 1.0) -> bool:
        """Take tokens from a bucket; return False if there are too few."""
        now = self.clock()
        level, at = self.levels.get(key, (self.size, now))
        level = min(self.size, level + (now - at) * self.rate)
        enough = level >= amount
        self.levels[key] = (level - amount if enough else level), now
        if len(self.levels) > 10_000:
            self._remove_full(now)
        return enough

    def _remove_full(self, now: float) -> None:
        """Remove the buckets that are full by now."""
        self.levels = {
            key: (level, at) for key, (level, at) in self.levels.items() if level + (now - at) * self.rate < self.size
        }

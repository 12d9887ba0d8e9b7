"""Many who watch one table: how long until the last of them holds a move."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass

from ours import Game, Guests, Server
from wire import WebSocket, connect

AT_ONCE = 50
UPDATE = b'{"type":"update"'


@dataclass(frozen=True)
class Watched:
    """How long moves took to the last watcher, in seconds."""

    watchers: int
    seconds: list[float]


class Watchers:
    """Spectators of one table, who have no cookie."""

    def __init__(self, server: Server, table: str, count: int) -> None:
        """Say where they look."""
        self.server, self.table, self.count = server, table, count
        self.sockets: list[WebSocket] = []
        self.missing = 0
        self.all_hold_it = asyncio.Event()
        self.last = 0.0

    async def come(self) -> None:
        """Open the sockets, some at a time."""
        for first in range(0, self.count, AT_ONCE):
            opening = [self._open() for _ in range(min(AT_ONCE, self.count - first))]
            self.sockets += await asyncio.gather(*opening)

    async def _open(self) -> WebSocket:
        """Open one socket and wait for its first view of the table."""
        seen = asyncio.Event()

        def hear(text: bytes, size: int) -> None:
            if text.startswith(UPDATE):
                self._hold()
            else:
                seen.set()

        socket = await connect(self.server.port, f"/api/tables/{self.table}/live?protocol=2", hear)
        await seen.wait()
        return socket

    def _hold(self) -> None:
        """Note that one more holds the move."""
        self.missing -= 1
        if not self.missing:
            self.last = time.perf_counter()
            self.all_hold_it.set()

    def leave(self) -> None:
        """Close every socket."""
        for socket in self.sockets:
            socket.close()


async def watch(server: Server, guests: Guests, watchers: int, moves: int) -> Watched:
    """Let two play a few moves before many, and wait after each until everybody holds it."""
    game: Game = await guests.open(0)
    crowd = Watchers(server, game.table, watchers)
    await crowd.come()
    chance, seconds = random.Random(5), list[float]()
    for _ in range(moves):
        settled = asyncio.Event()
        game.settled = settled.set
        crowd.missing = watchers
        crowd.all_hold_it.clear()
        begin = time.perf_counter()
        game.move(chance)
        await asyncio.wait_for(asyncio.gather(crowd.all_hold_it.wait(), settled.wait()), 30)
        seconds.append(crowd.last - begin)
        await asyncio.sleep(0.2)
    crowd.leave()
    game.close()
    return Watched(watchers, sorted(seconds))

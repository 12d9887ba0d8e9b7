"""Drive Emerald at the server of one checkout for a while, with that checkout's own driver, and print what was seen.

`against.py` runs this in a process of its own with the modules of the checkout on the path. With `draw` the players of
a checkout from before the one message a choice also ask for what its page asked for to draw every move.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import ours
import uvloop
from drive import Driving

GAME, PAIRS = "emerald", 100
WARM_UP = 8.0  # seconds: until then a server still loads the other games beside


class Moved(msgspec.Struct):
    """What the page needed of an old message to know what it had to ask for."""

    moves: int = 0
    told: list[msgspec.Raw] = []


read_moved = msgspec.json.Decoder(Moved).decode


class DrawingPlayer(ours.Player):
    """A player who asks for the board after every move, one after the other, and then for the log's new lines."""

    def __init__(self, seat: int, sizes: list[float], moved: Any) -> None:
        """Sit on a seat."""
        super().__init__(seat, sizes, lambda player: None)
        self.has_drawn = moved
        self.news = Moved()
        self.lines = 0
        self.http: Any = None
        self.path = ""
        self.drawing: asyncio.Future[None] | None = None

    def hear(self, text: bytes, size: int) -> None:
        """Take in what is new, and ask for what is needed to draw it."""
        before = len(self.sizes)
        super().hear(text, size)
        if len(self.sizes) > before:
            self.news = read_moved(text)
            self.drawing = asyncio.ensure_future(self.draw())

    async def draw(self) -> None:
        """Ask as the old page did: `/scene` for each move, `/story` for the log."""
        last = self.news.moves
        for move in range(last - len(self.news.told) + 1, last + 1):
            await self.http.ask("GET", f"{self.path}/scene?seat={self.seat}&move={move}")
        story = await self.http.ask("GET", f"{self.path}/story?first={self.lines}")
        self.lines = story["first"] + len(story["told"])
        self.has_drawn(self)


async def open_and_draw(guests: Any, pair: int) -> Any:
    """Open a pair's next game; each player knows where to ask, and has asked for the beginning."""
    game = await guests.open(pair)
    for player, http in zip(game.players, guests.guests[2 * pair : 2 * pair + 2], strict=True):
        player.http, player.path = http, f"/api/tables/{game.table}"
        await http.ask("GET", f"{player.path}/scene?seat={player.seat}")
        player.lines = len((await http.ask("GET", f"{player.path}/story?first=0"))["told"])
    return game


async def measure(seconds: float, draw: bool) -> dict[str, float]:
    """Let everybody play as fast as it goes."""
    used: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Path(folder, "server.log").open("ab") as log:
        server = ours.Server(sys.executable, str(Path(folder, "tables.db")), log)

        def usage() -> tuple[float, float]:
            found = server.usage()
            used.append(found[0])
            return found

        try:
            server.wait_for("/healthz")
            guests = ours.Guests(server, GAME, PAIRS)
            await guests.come_in()
            opening = (lambda pair: open_and_draw(guests, pair)) if draw else guests.open
            seen = await Driving(opening, PAIRS, None).run(WARM_UP, seconds, usage)
            guests.leave()
        finally:
            server.stop()
    moves = len(seen.latencies)
    return {"moves": moves, "rate": seen.rate, "cpu_us": 1e6 * (used[-1] - used[0]) / moves}


def main() -> None:
    """Measure and print one line of JSON."""
    seconds, how = float(sys.argv[1]), sys.argv[2]
    if how == "draw":
        ours.Player = DrawingPlayer  # pyright: ignore[reportPrivateImportUsage]
    gc.disable()
    print(json.dumps(uvloop.run(measure(seconds, how == "draw"))))


if __name__ == "__main__":
    main()

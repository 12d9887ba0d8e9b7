"""Games at our server: a process as people start it, guests with cookies of their own, and their sockets."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec
from pair import Pair
from processes import Process
from wire import Http, WebSocket, connect

from dracotheque.server.runner import free_port

NEWCOMERS = 50
"""Guests that come from one address: the server lets 60 a minute in."""


class Choice(msgspec.Struct):
    """The part of a choice that a player needs."""

    action: int


class Prompt(msgspec.Struct):
    """The part of a prompt that a player needs."""

    prompt_id: int = 0
    choices: list[Choice] = []


class TableInfo(msgspec.Struct):
    """The part of a table's description that a player needs."""

    status: str


class Message(msgspec.Struct):
    """The part of any message that a player needs."""

    type: str
    prompt: Prompt | None = None
    status: str = "playing"


class Snapshot(msgspec.Struct):
    """The part of a snapshot that a player needs."""

    table: TableInfo


read = msgspec.json.Decoder(Message).decode
read_snapshot = msgspec.json.Decoder(Snapshot).decode


class Server(Process):
    """`dracotheque serve` with a SQLite file on disk."""

    def __init__(self, python: str, database: str, log: Any) -> None:
        """Start it; limits on a guest's haste are lifted, as two hundred guests are to hurry."""
        self.port = free_port(0)
        self.command = [python, "-m", "dracotheque", "serve", "--port", str(self.port), "--database", database]
        super().__init__([*self.command, "--rate", "1000000"], log)

    async def health(self) -> dict[str, Any]:
        """How the server says it is."""
        http = Http(self.port)
        try:
            return await http.ask("GET", "/healthz")
        finally:
            http.close()


class Player:
    """One guest's socket at a table."""

    def __init__(self, seat: int, sizes: list[float], moved: Callable[[Player], None]) -> None:
        """Sit on a seat."""
        self.seat, self.sizes, self.moved = seat, sizes, moved
        self.prompt: Prompt | None = None
        self.status = "open"
        self.begun: asyncio.Event = asyncio.Event()
        self.socket: WebSocket

    def hear(self, text: bytes, size: int) -> None:
        """Take in what is new."""
        message = read(text)
        if message.type == "update":
            self.sizes.append(size)
            self.status = message.status
            self._ask(message.prompt)
            self.moved(self)
        elif message.type == "snapshot":
            self.prompt, self.status = message.prompt, read_snapshot(text).table.status
            self.begun.set()
        elif message.type == "rejected":
            raise RuntimeError(text.decode())

    def _ask(self, prompt: Prompt | None) -> None:
        """Take a prompt; one that was asked before comes without its choices."""
        if prompt and self.prompt and prompt.prompt_id == self.prompt.prompt_id and not prompt.choices:
            prompt.choices = self.prompt.choices
        self.prompt = prompt


class Game(Pair[Player]):
    """A game of two guests."""

    def __init__(self, table: str, sizes: list[float]) -> None:
        """Nobody has chosen yet."""
        super().__init__(lambda seat, moved: Player(seat, sizes, moved))
        self.table = table

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.players[0].status != "playing"

    def move(self, chance: random.Random) -> None:
        """Let a player who is asked choose at random."""
        asked = [player for player in self.players if player.prompt and player.prompt.choices]
        self.mover = chance.choice(asked)
        prompt = self.mover.prompt
        assert prompt is not None
        action = prompt.choices[chance.randrange(len(prompt.choices))].action
        self.missing = 2
        answer = self.mover.seat, prompt.prompt_id, action
        command = b'{"type":"move","id":1,"seat":%d,"prompt_id":%d,"action":%d}' % answer
        self.mover.socket.send(command)


class Guests:
    """Everybody who plays: two a pair."""

    def __init__(self, server: Server, game: str, pairs: int) -> None:
        """Say what they play."""
        self.port, self.game = server.port, game
        self.moved: list[float] = []
        """Bytes of every move that came to a viewer."""
        self.guests = [self._newcomer(number) for number in range(2 * pairs)]

    def _newcomer(self, number: int) -> Http:
        """Let a guest come from one of this machine's own addresses."""
        return Http(self.port, f"127.0.0.{2 + number // NEWCOMERS}")

    async def come_in(self) -> None:
        """Be known by name."""
        for number, guest in enumerate(self.guests):
            await guest.ask("POST", "/api/me", {"name": f"guest {number}"})

    async def open(self, pair: int) -> Game:
        """Let one of a pair open a table, the other sit down, and both look at it."""
        host, friend = self.guests[2 * pair : 2 * pair + 2]
        seats = [{"kind": "me"}, {"kind": "open"}]
        table = (await host.ask("POST", "/api/tables", {"game": self.game, "seats": seats}))["table"]
        await friend.ask("POST", f"/api/tables/{table}/sit", {})
        game = Game(table, self.moved)
        for player, guest in zip(game.players, (host, friend), strict=True):
            player.socket = await connect(
                self.port, f"/api/tables/{table}/live?protocol=2", player.hear, {"Cookie": guest.cookie}
            )
            await player.begun.wait()
        return game

    def leave(self) -> None:
        """Close what is still open."""
        for guest in self.guests:
            guest.close()

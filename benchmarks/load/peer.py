"""Games at boardgame.io: the same driving, over the frames that socket.io's client sends."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from pair import Pair
from processes import Process
from wire import Http, WebSocket, connect

from dracotheque.server.runner import free_port

SPACE = b"/rows,"
MOVES = 120
"""How long a match is: about as long as a game of Emerald; another replaces it."""


class Board(msgspec.Struct):
    """The part of the game's own state that a player needs."""

    cells: list[str | None]


class Turn(msgspec.Struct, rename="camel"):
    """The part of the turn that a player needs."""

    current_player: str


class State(msgspec.Struct):
    """A match as a player sees it."""

    board: Board = msgspec.field(name="G")
    turn: Turn = msgspec.field(name="ctx")
    number: int = msgspec.field(name="_stateID")


class Synced(msgspec.Struct):
    """What a player is sent first."""

    state: State


read = msgspec.json.Decoder(list[msgspec.Raw]).decode
read_state = msgspec.json.Decoder(State).decode
read_synced = msgspec.json.Decoder(Synced).decode


class Server(Process):
    """boardgame.io's server."""

    def __init__(self, node: str, folder: Path, log: Any, kept_in: Path | None) -> None:
        """Start it in the folder where it is installed; matches are kept in files of a folder, or in memory."""
        self.port = free_port(0)
        settings = {"PORT": str(self.port), "NODE_ENV": "production", "KEPT_IN": str(kept_in) if kept_in else ""}
        super().__init__([node, str(folder / "server.js")], log, settings)


class Player:
    """One player's socket at a match."""

    def __init__(self, seat: str, sizes: list[float], moved: Callable[[Player], None]) -> None:
        """Sit on a seat."""
        self.seat, self.sizes, self.moved = seat, sizes, moved
        self.state: State
        self.begun, self.joined = asyncio.Event(), asyncio.Event()
        self.socket: WebSocket

    def hear(self, text: bytes, size: int) -> None:
        """Take in what is new: 42 is an event of socket.io, 40 the welcome, 2 a ping."""
        if text.startswith(b"42"):
            self._hear_event(read(text[2 + len(SPACE) :]), size)
        elif text.startswith(b"40"):
            self.joined.set()
        elif text == b"2":
            self.socket.send(b"3")
        elif text.startswith(b"44"):
            raise RuntimeError(text.decode())

    def _hear_event(self, event: list[msgspec.Raw], size: int) -> None:
        """Take in a state; other events are not of interest."""
        kind = bytes(event[0])
        if kind == b'"update"':
            self.sizes.append(size)
            self.state = read_state(event[2])
            self.moved(self)
        elif kind == b'"sync"':
            self.state = read_synced(event[2]).state
            self.begun.set()

    def emit(self, *event: Any) -> None:
        """Send an event."""
        self.socket.send(b"42" + SPACE + msgspec.json.encode(event))

    async def join(self, port: int, match: str, credentials: str) -> None:
        """Open the socket and wait for the match's state."""
        self.match, self.credentials = match, credentials
        self.socket = await connect(port, "/socket.io/?EIO=4&transport=websocket", self.hear)
        self.socket.send(b"40" + SPACE)
        await self.joined.wait()
        self.emit("sync", match, self.seat, credentials, 2)
        await self.begun.wait()


class Game(Pair[Player]):
    """A match of two players."""

    def __init__(self, sizes: list[float]) -> None:
        """Nobody has chosen yet."""
        super().__init__(lambda seat, moved: Player(str(seat), sizes, moved))

    @property
    def over(self) -> bool:
        """Whether it has gone on long enough."""
        return self.players[0].state.number >= MOVES

    def move(self, chance: random.Random) -> None:
        """Let the player whose turn it is mark a free cell."""
        self.mover = mover = self.players[int(self.players[0].state.turn.current_player)]
        free = [cell for cell, mark in enumerate(mover.state.board.cells) if mark is None]
        payload = {"type": "mark", "args": [chance.choice(free)]}
        payload |= {"playerID": mover.seat, "credentials": mover.credentials}
        self.missing = 2
        mover.emit("update", {"type": "MAKE_MOVE", "payload": payload}, mover.state.number, mover.match, mover.seat)


class Lobby:
    """Where matches are made."""

    def __init__(self, server: Server) -> None:
        """Nobody plays yet."""
        self.port = server.port
        self.moved: list[float] = []
        """Bytes of every move that came to a viewer."""

    async def open(self, pair: int) -> Game:
        """Make a match, and let two players join it."""
        http = Http(self.port)
        match = (await http.ask("POST", "/games/rows/create", {"numPlayers": 2}))["matchID"]
        game = Game(self.moved)
        for player in game.players:
            wish = {"playerID": player.seat, "playerName": f"guest {2 * pair + int(player.seat)}"}
            joined = await http.ask("POST", f"/games/rows/{match}/join", wish)
            await player.join(self.port, match, joined["playerCredentials"])
        http.close()
        return game

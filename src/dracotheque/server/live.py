"""A table's socket: commands come in, news goes out, and a slow reader holds nobody up."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from dracotheque.server.guests import COOKIE
from dracotheque.server.http import same_origin
from dracotheque.tables import messages
from dracotheque.tables.house import Room, Viewer
from dracotheque.tables.refused import Refused
from dracotheque.tables.store import StoreError

if TYPE_CHECKING:
    from dracotheque.server.app import Service

TOO_SLOW, GOING, LATER, NO_TABLE, FORBIDDEN = 4008, 1012, 1013, 4004, 4003
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(messages.AnyCommand).decode


class Live:
    """One socket at one table."""

    def __init__(self, service: Service, socket: WebSocket, guest: str) -> None:
        """Take the socket of somebody; nothing has been said yet."""
        self.service, self.socket, self.guest = service, socket, guest
        self.address = socket.client.host if socket.client else ""
        self.unsent: deque[str] = deque()
        self.wake, self.ready = asyncio.Event(), asyncio.Event()
        self.room: Room
        self.viewer: Viewer | None = None
        self.reader: asyncio.Task[None]
        self.closing: int | None = None

    def send(self, news: bytes) -> None:
        """Put something out to be read; whoever does not read is let go."""
        if len(self.unsent) >= self.service.limits.unread:
            self.let_go(TOO_SLOW)
            return
        self.unsent.append(news.decode())
        self.wake.set()

    def let_go(self, why: int) -> None:
        """Close the socket from our side, without waiting for the other."""
        if self.closing is None:
            self.closing = why
            self.unsent.clear()
            self.reader.cancel()
            self.wake.set()

    async def run(self, table: str) -> None:
        """Show the table, then carry out commands until the socket closes."""
        self.reader = asyncio.ensure_future(self._read())
        writer = asyncio.ensure_future(self._write())
        try:
            self.room, self.viewer = await self.service.house.watch(table, self.guest, self.send)
            self.ready.set()
            with contextlib.suppress(asyncio.CancelledError):
                await self.reader
        finally:
            if self.viewer:
                self.service.house.leave(self.room, self.viewer)
            self.reader.cancel()
            writer.cancel()
            await asyncio.gather(self.reader, writer, return_exceptions=True)

    async def _write(self) -> None:
        """Send what is put out, in order."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.unsent:
                await self.socket.send({"type": "websocket.send", "text": self.unsent.popleft()})

    async def _read(self) -> None:
        """Carry out one command after the other."""
        await self.ready.wait()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                await self._obey(message)
                await asyncio.sleep(0)  # many messages may lie here already: let others have their turn between them

    async def _obey(self, message: Any) -> None:
        """Carry out a command, or say why not."""
        began, wish = time.perf_counter(), None
        code = "ok"
        try:
            wish = self._wish(message)
            number = await self._do(wish)
            self.send(encode(messages.Done(wish.id, number)))
        except (Refused, StoreError) as error:
            refused = error if isinstance(error, Refused) else Refused("store_away")
            code = refused.code
            number = self.room.table.number
            self.send(encode(messages.RefusedCommand(wish.id if wish else 0, number, refused.problem)))
        kind = type(wish).__name__ if wish else "unreadable"
        self.service.metrics.commands.labels(kind, code).inc()
        self.service.metrics.commanded.observe(time.perf_counter() - began)

    def _wish(self, message: Any) -> messages.AnyCommand:
        """Read a command."""
        if not self.service.buckets.take(self.guest or f"socket {self.address}"):
            raise Refused("too_fast")
        text = message.get("text")
        if text is None or len(text) > self.service.limits.message:
            raise Refused("too_long" if text else "bad_message", why="a command is a text")
        try:
            return decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
            raise Refused("bad_message", why=str(error)) from error

    async def _do(self, wish: messages.AnyCommand) -> int:
        """Do what is wished; to look from another seat concerns this socket alone."""
        if isinstance(wish, messages.Look):
            assert self.viewer is not None
            self.service.house.look_from(self.room, self.viewer, wish.seat)
            return self.room.table.number
        if not self.guest:
            raise Refused("not_seated")
        return await self.service.house.do(self.room.table.id, self.guest, wish)


async def live(socket: WebSocket) -> None:
    """Open a table's socket."""
    service: Service = socket.app.state.service
    guest = service.seals.guest(socket.cookies.get(COOKIE, ""))
    if not same_origin(socket.headers.get("origin"), socket.headers.get("host"), service):
        await socket.close(FORBIDDEN)
        return
    await socket.accept()
    one = Live(service, socket, guest)
    code = 1000
    service.sockets.add(one)
    try:
        service.admit(one)
        await one.run(socket.path_params["table"])
        code = one.closing or code
    except (Refused, StoreError) as error:
        refused = error if isinstance(error, Refused) else Refused("store_away")
        await socket.send_text(encode(messages.RefusedCommand(0, 0, refused.problem)).decode())
        code = {"no_such_table": NO_TABLE, "store_away": LATER}.get(refused.code, FORBIDDEN)
    finally:
        service.sockets.discard(one)
        if one.closing == TOO_SLOW:
            service.metrics.dropped.inc()
        with contextlib.suppress(Exception):  # it may be closed already
            await asyncio.wait_for(socket.close(code), 1)

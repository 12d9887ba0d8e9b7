"""A table's socket: receives commands and sends messages; a slow reader delays no one else."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from dracotheque.server.connection_limits import WRITE
from dracotheque.server.http import same_origin
from dracotheque.server.identity import COOKIE
from dracotheque.tables import protocol
from dracotheque.tables.broadcast import LiveTable, Viewer, send_snapshot, set_viewpoint
from dracotheque.tables.errors import CommandError
from dracotheque.tables.storage.store import StoreError

if TYPE_CHECKING:
    from dracotheque.server.app import AppContext

TOO_SLOW, GOING, LATER, NO_TABLE, FORBIDDEN = 4008, 1012, 1013, 4004, 4003
HELD_SECONDS = 0.005
"""How long news is held back at most while a command is carried out: with its answer it costs one write, not two."""
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(protocol.AnyCommand).decode


class TableSocket:
    """One socket at one table."""

    def __init__(self, service: AppContext, socket: WebSocket, guest: str) -> None:
        """Take an accepted socket; no message has been sent yet."""
        self.service, self.socket, self.guest = service, socket, guest
        self.address = socket.client.host if socket.client else ""
        self.unsent: deque[bytes] = deque()
        self.write_at_once: Callable[[Iterable[bytes]], bool] | None = None
        """Writes to a socket that is being read; none under another server than ours."""
        extension = socket.scope.get("extensions", {}).get(WRITE)
        if extension:
            self.write_at_once = extension["write"]
        self.wake, self.ready = asyncio.Event(), asyncio.Event()
        self.live: LiveTable
        self.viewer: Viewer | None = None
        self.reader: asyncio.Task[None]
        self.closing: int | None = None
        self.holding = False
        """Whether what is put out waits for the answer to a command, so that both go out together."""
        self.writing = False
        """Whether messages wait until the socket is read again: none may overtake them."""

    def send(self, news: bytes) -> None:
        """Queue a message; close the socket where too many are unread."""
        if len(self.unsent) >= self.service.limits.unread:
            self.let_go(TOO_SLOW)
            return
        self.unsent.append(news)
        if not self.holding:
            self.flush()

    def release(self) -> None:
        """Send what was held back."""
        self.holding = False
        if self.unsent:
            self.flush()

    def flush(self) -> None:
        """Write what is put out now, or where that has to wait, let the writer do it."""
        if self.write_at_once and not self.writing and self.closing is None and self.write_at_once(self.unsent):
            self.unsent.clear()
        else:
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
            self.live, self.viewer = await self.service.manager.watch(table, self.guest, self.send)
            self.ready.set()
            with contextlib.suppress(asyncio.CancelledError):
                await self.reader
        finally:
            if self.viewer:
                self.service.manager.leave(self.live, self.viewer)
            self.reader.cancel()
            writer.cancel()
            await asyncio.gather(self.reader, writer, return_exceptions=True)

    async def _write(self) -> None:
        """Send what could not be written at once, in order."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            self.writing = True
            while self.unsent:
                await self.socket.send({"type": "websocket.send", "text": self.unsent.popleft().decode()})
            self.writing = False

    async def _read(self) -> None:
        """Carry out one command after the other."""
        await self.ready.wait()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                await self._obey(message)
                await asyncio.sleep(0)  # many messages may wait here already: let other tasks run between them

    async def _obey(self, message: Any) -> None:
        """Carry out a command, or say why not."""
        began, wish = time.perf_counter(), None
        code = "ok"
        self.holding = True
        waited_enough = asyncio.get_running_loop().call_later(HELD_SECONDS, self.release)
        try:
            wish = self._wish(message)
            number = await self._do(wish)
            self.send(encode(protocol.Ack(wish.id, number)))
        except (CommandError, StoreError) as error:
            refused = error if isinstance(error, CommandError) else CommandError("store_away")
            code = refused.code
            number = self.live.table.number
            self.send(encode(protocol.CommandRejected(wish.id if wish else 0, number, refused.problem)))
        waited_enough.cancel()
        self.release()
        kind = type(wish).__name__ if wish else "unreadable"
        self.service.metrics.command(kind, code, time.perf_counter() - began)

    def _wish(self, message: Any) -> protocol.AnyCommand:
        """Read a command."""
        if not self.service.rate_limits.take(self.guest or f"socket {self.address}"):
            raise CommandError("too_fast")
        text = message.get("text")
        if text is None or len(text) > self.service.limits.message:
            raise CommandError("too_long" if text else "bad_message", why="a command is a text")
        try:
            return decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
            raise CommandError("bad_message", why=str(error)) from error

    async def _do(self, wish: protocol.AnyCommand) -> int:
        """Do what is wished; a viewpoint and a snapshot concern this socket alone."""
        if isinstance(wish, protocol.SetViewpoint):
            assert self.viewer is not None
            set_viewpoint(self.live, self.viewer, wish.seat)
            return self.live.table.number
        if isinstance(wish, protocol.Sync):
            assert self.viewer is not None
            send_snapshot(self.live, self.viewer)
            return self.live.table.number
        if not self.guest:
            raise CommandError("not_seated")
        return await self.service.manager.do(self.live.table.id, self.guest, wish)


async def live(socket: WebSocket) -> None:
    """Open a table's socket."""
    service: AppContext = socket.app.state.service
    guest = service.signer.guest(socket.cookies.get(COOKIE, ""))
    if not same_origin(socket.headers.get("origin"), socket.headers.get("host"), service):
        await socket.close(FORBIDDEN)
        return
    await socket.accept()
    if socket.query_params.get("protocol") != str(protocol.PROTOCOL):  # a page of before: a reload brings the new one
        await socket.close(FORBIDDEN)
        return
    one = TableSocket(service, socket, guest)
    code = 1000
    service.sockets.add(one)
    try:
        service.admit(one)
        await one.run(socket.path_params["table"])
        code = one.closing or code
    except (CommandError, StoreError) as error:
        refused = error if isinstance(error, CommandError) else CommandError("store_away")
        await socket.send_text(encode(protocol.CommandRejected(0, 0, refused.problem)).decode())
        code = {"no_such_table": NO_TABLE, "store_away": LATER}.get(refused.code, FORBIDDEN)
    finally:
        service.sockets.discard(one)
        if one.closing == TOO_SLOW:
            service.metrics.dropped.inc()
        with contextlib.suppress(Exception):  # it may be closed already
            await asyncio.wait_for(socket.close(code), 1)

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

# The codes with which a socket is closed.
TOO_SLOW, GOING, LATER, NO_TABLE, FORBIDDEN = 4008, 1012, 1013, 4004, 4003
HELD_SECONDS = 0.005
"""How long messages wait at most while a command is carried out: sent with its reply they cost one write, not two."""
OF_THIS_SOCKET = (protocol.SetViewpoint, protocol.Sync)  # commands that store nothing
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(protocol.AnyCommand).decode


class TableSocket:
    """The socket of a client at a table."""

    def __init__(self, service: AppContext, socket: WebSocket, guest: str) -> None:
        """Take an accepted socket; no message has been sent yet."""
        self.service, self.socket, self.guest = service, socket, guest
        self.address = socket.client.host if socket.client else ""
        self.unsent: deque[bytes] = deque()
        self.write_at_once: Callable[[Iterable[bytes]], bool] | None = None
        """Writes to a socket that is being read; None under another server than ours."""
        extension = socket.scope.get("extensions", {}).get(WRITE)
        if extension:
            self.write_at_once = extension["write"]
        self.wake, self.ready = asyncio.Event(), asyncio.Event()
        self.live: LiveTable
        self.viewer: Viewer | None = None
        self.reader: asyncio.Task[None]
        self.closing: int | None = None
        self.holding = False
        """Whether messages wait for the reply to a command, so that both are sent together."""
        self.writing = False
        """Whether the writer is sending queued messages: later ones must not overtake them."""

    def send(self, message: bytes) -> None:
        """Queue a message; close the socket where too many are unread."""
        if len(self.unsent) >= self.service.limits.unread:
            self.close(TOO_SLOW)
            return
        self.unsent.append(message)
        if not self.holding:
            self.flush()

    def release(self) -> None:
        """Send the messages that were held back."""
        self.holding = False
        if self.unsent:
            self.flush()

    def flush(self) -> None:
        """Write queued messages at once, or wake the writer where that is not possible."""
        if self.write_at_once and not self.writing and self.closing is None and self.write_at_once(self.unsent):
            self.unsent.clear()
        else:
            self.wake.set()

    def close(self, code: int) -> None:
        """Close the socket from our side, without waiting for the other."""
        if self.closing is None:
            self.closing = code
            self.unsent.clear()
            self.reader.cancel()
            self.wake.set()

    async def run(self, table: str) -> None:
        """Send a snapshot, then carry out commands until the socket closes."""
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
        """Send the messages that could not be written at once, in order."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            self.writing = True
            while self.unsent:
                await self.socket.send({"type": "websocket.send", "text": self.unsent.popleft().decode()})
            self.writing = False

    async def _read(self) -> None:
        """Carry out commands, one after the other."""
        await self.ready.wait()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                if not await self._handle(message):
                    await asyncio.sleep(0)  # many such messages may wait here already: let other tasks run between them

    async def _handle(self, message: Any) -> bool:
        """Carry out a command and send its reply; return whether it was stored, and others ran meanwhile."""
        began, command = time.perf_counter(), None
        code = "ok"
        self.holding = True
        release = asyncio.get_running_loop().call_later(HELD_SECONDS, self.release)
        try:
            command = self._command(message)
            revision = await self._do(command)
            self.send(encode(protocol.Ack(command.id, revision)))
        except (CommandError, StoreError) as error:
            rejection = error if isinstance(error, CommandError) else CommandError("store_away")
            code, revision = rejection.code, self.live.table.revision
            self.send(encode(protocol.CommandRejected(command.id if command else 0, revision, rejection.problem)))
        release.cancel()
        self.release()
        kind = type(command).__name__ if command else "unreadable"
        self.service.metrics.command(kind, code, time.perf_counter() - began)
        return code == "ok" and not isinstance(command, OF_THIS_SOCKET)

    def _command(self, message: Any) -> protocol.AnyCommand:
        """Return the command in a message; reject one that is too fast, too long or not valid."""
        if not self.service.rate_limits.take(self.guest or f"socket {self.address}"):
            raise CommandError("too_fast")
        text = message.get("text")
        if text is None or len(text) > self.service.limits.message:
            raise CommandError("too_long" if text else "bad_message", why="a command is a text")
        try:
            return decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
            raise CommandError("bad_message", why=str(error)) from error

    async def _do(self, command: protocol.AnyCommand) -> int:
        """Carry out a command and return the revision; `set-viewpoint` and `sync` concern this socket alone."""
        if isinstance(command, protocol.SetViewpoint):
            assert self.viewer is not None
            set_viewpoint(self.live, self.viewer, command.seat)
            return self.live.table.revision
        if isinstance(command, protocol.Sync):
            assert self.viewer is not None
            send_snapshot(self.live, self.viewer)
            return self.live.table.revision
        if not self.guest:
            raise CommandError("not_seated")
        return await self.service.manager.do(self.live.table.id, self.guest, command)


async def live(socket: WebSocket) -> None:
    """Serve a table's WebSocket."""
    service: AppContext = socket.app.state.service
    guest = service.signer.guest(socket.cookies.get(COOKIE, ""))
    if not same_origin(socket.headers.get("origin"), socket.headers.get("host"), service):
        await socket.close(FORBIDDEN)
        return
    await socket.accept()
    if socket.query_params.get("protocol") != str(protocol.PROTOCOL):  # an outdated page
        await socket.close(FORBIDDEN)
        return
    table_socket = TableSocket(service, socket, guest)
    code = 1000
    service.sockets.add(table_socket)
    try:
        service.admit(table_socket)
        await table_socket.run(socket.path_params["table"])
        code = table_socket.closing or code
    except (CommandError, StoreError) as error:
        rejection = error if isinstance(error, CommandError) else CommandError("store_away")
        await socket.send_text(encode(protocol.CommandRejected(0, 0, rejection.problem)).decode())
        code = {"no_such_table": NO_TABLE, "store_away": LATER}.get(rejection.code, FORBIDDEN)
    finally:
        service.sockets.discard(table_socket)
        if table_socket.closing == TOO_SLOW:
            service.metrics.dropped.inc()
        with contextlib.suppress(Exception):  # it may be closed already
            await asyncio.wait_for(socket.close(code), 1)

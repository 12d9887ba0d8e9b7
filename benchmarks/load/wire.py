"""Sockets that cost little, so that the server is measured and not its clients: WebSocket and HTTP on bare streams."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
SMALL, MEDIUM = 126, 127
"""Lengths with which a frame says that two or eight more bytes have its length."""


class WebSocketError(OSError):
    """A socket that did not open, or was closed by the server."""


def frame(kind: int, payload: bytes) -> bytes:
    """Write a client's frame; the mask is zero, which the server undoes all the same."""
    length = len(payload)
    if length < SMALL:
        head = bytes((0x80 | kind, 0x80 | length))
    elif length < 65_536:
        head = bytes((0x80 | kind, 0x80 | SMALL)) + length.to_bytes(2, "big")
    else:
        head = bytes((0x80 | kind, 0x80 | MEDIUM)) + length.to_bytes(8, "big")
    return head + b"\0\0\0\0" + payload


class WebSocket(asyncio.Protocol):
    """A client's socket: every text that comes is given to `hear` with its size on the wire."""

    def __init__(self, path: str, headers: Mapping[str, str], hear: Callable[[bytes, int], None]) -> None:
        """Say what to ask for; `connect` opens it."""
        self.path, self.headers, self.hear = path, headers, hear
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.unread = bytearray()
        self.received = 0
        self.closed = self.leaving = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self.transport = transport  # pyright: ignore[reportAttributeAccessIssue]
        key = base64.b64encode(os.urandom(16)).decode()
        asked = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", **self.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in {**asked, "Sec-WebSocket-Key": key}.items())
        self.transport.write(f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n".encode())

    def data_received(self, data: bytes) -> None:
        """Read the answer to the upgrade, then whole frames."""
        self.received += len(data)
        self.unread += data
        if self.opened.done() or self._upgraded():
            self._read_frames()

    def _upgraded(self) -> bool:
        """Read the server's answer, once it is whole."""
        head, end, rest = self.unread.partition(b"\r\n\r\n")
        if not end:
            return False
        if b" 101 " in head.partition(b"\r\n")[0]:
            self.unread = rest
            self.opened.set_result(None)
            return True
        self.opened.set_exception(WebSocketError(head.decode("latin-1").partition("\r\n")[0]))
        self.transport.close()
        return False

    def _read_frames(self) -> None:
        """Take every whole frame; servers send whole messages, unmasked."""
        unread, at = self.unread, 0
        while len(unread) >= at + 2:
            length, begin = unread[at + 1] & 0x7F, at + 2
            if length >= SMALL:
                begin += 2 if length == SMALL else 8
                length = int.from_bytes(unread[at + 2 : begin], "big")
            end = begin + length
            if len(unread) < max(end, begin):
                break
            self._take(unread[at] & 0x0F, bytes(unread[begin:end]), end - at)
            at = end
        del unread[:at]

    def _take(self, kind: int, payload: bytes, size: int) -> None:
        """Hand a text on; answer a ping."""
        if kind == TEXT:
            self.hear(payload, size)
        elif kind == PING:
            self.transport.write(frame(PONG, payload))
        elif kind == CLOSE:
            self.transport.close()

    def send(self, text: bytes) -> None:
        """Send a text."""
        self.transport.write(frame(TEXT, text))

    def close(self) -> None:
        """Close from this side."""
        self.leaving = True
        if not self.closed:
            self.transport.write(frame(CLOSE, b"\x03\xe8"))
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that it is closed; the server must not have done that."""
        self.closed = True
        if not self.opened.done():
            self.opened.set_exception(WebSocketError("closed before it was open"))
        elif not self.leaving:
            raise WebSocketError("The server closed a socket.")


async def connect(
    port: int, path: str, hear: Callable[[bytes, int], None], headers: Mapping[str, str] | None = None
) -> WebSocket:
    """Open a socket on this machine."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: WebSocket(path, headers or {}, hear), "127.0.0.1", port)
    await socket.opened
    return socket


class Http:
    """One client's connection for HTTP with JSON, kept open, with its cookie."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        """Say where the server is, and from which address of this machine to come."""
        self.port, self.source = port, source
        self.cookie = ""
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask for something, and expect that it is given."""
        status, answer = await self._exchange(method, path, b"" if body is None else json.dumps(body).encode())
        if status != 200:
            raise RuntimeError(f"{method} {path}: {status} {answer[:300]!r}")
        return json.loads(answer)

    async def _exchange(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        """Send a request and read its answer, over a new connection where the server has closed the old one."""
        for attempt in range(2):
            if self.reader is None:
                self.reader, self.writer = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(self.source, 0)
                )
            cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
            head = f"{method} {path} HTTP/1.1\r\nHost: localhost:{self.port}\r\n{cookie}"
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            try:
                self.writer.write(head.encode() + body)
                return await self._answer(self.reader)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
                if attempt:
                    raise
        raise AssertionError

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        """Read an answer, and keep the cookie that comes with it."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        return int(head[0].split()[1]), await reader.readexactly(int(headers.get("content-length", 0)))

    def close(self) -> None:
        """Close the connection; the cookie stays."""
        if self.reader is not None:
            self.writer.close()
            self.reader = None

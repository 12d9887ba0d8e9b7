"""Connections of uvicorn with limits: no header without an end, no socket that is never read."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterable

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MAX_HEADER_BYTES = 262_144  # bytes; what comes at once is read at once, so that a head may be up to that longer


class BoundedHttpProtocol(HttpToolsProtocol):
    """An HTTP connection that hangs up on a head, request line and headers, without an end."""

    unfinished: int | None = None
    """How many bytes of a head have come; none while it is not a head that is read."""

    def on_message_begin(self) -> None:
        """Count from here on."""
        super().on_message_begin()
        self.unfinished = 0

    def on_headers_complete(self) -> None:
        """Stop counting: the body is measured where it is read."""
        self.unfinished = None
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """Read on, unless that is enough."""
        super().data_received(data)
        if self.unfinished is None or self.transport.is_closing():
            return
        self.unfinished += len(data)
        if self.unfinished > MAX_HEADER_BYTES:
            self.send_400_response("This is too long.")


WRITE = "dracotheque.write"
"""The ASGI extension by which the service writes to a socket that is read, without a task and a frame's objects."""
MAX_UNREAD_MESSAGES = 8
"""Messages that may wait for the service before the socket is no longer read."""
CLOSE_SECONDS = 12.0  # seconds to say goodbye in: uvicorn itself waits ten for the other side's
AT_ONCE = struct.pack("ii", 1, 0)  # the system, too, drops what could not be sent


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that is cut off where closing it would wait for a reader who never reads."""

    def data_received(self, data: bytes) -> None:
        """Answer a handshake that cannot be read, instead of waiting for the rest of it."""
        super().data_received(data)
        if self.conn.handshake_exc and not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Take a message in; uvicorn alone would stop reading after each, at the cost of two system calls."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= MAX_UNREAD_MESSAGES:
            self.read_paused = True
            self.transport.pause_reading()

    def write_texts(self, texts: Iterable[bytes]) -> bool:
        """Write messages at once and together; where that has to wait or is too late, do nothing and return False."""
        if not self.writable.is_set() or not self.handshake_complete or self.close_sent or self.conn.extensions:
            return False
        if self.disconnected or self.transport.is_closing():
            return False
        self.transport.write(b"".join([text_head(len(text)) + text for text in texts]))
        return True

    async def run_asgi(self) -> None:
        """Cut the connection off some time after the service is done with it."""
        self.scope.get("extensions", {})[WRITE] = {"write": self.write_texts}  # pyright: ignore[reportOptionalSubscript]
        await super().run_asgi()
        self.loop.call_later(CLOSE_SECONDS, self.cut_off)

    def keepalive_timeout(self) -> None:
        """Close a connection that answers no ping."""
        super().keepalive_timeout()
        self.cut_off()

    def cut_off(self) -> None:
        """End a connection without waiting for the other side."""
        if not self.disconnected:
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            self.transport.abort()


def text_head(length: int) -> bytes:
    """Return what comes before a text in an unmasked frame of its own (RFC 6455, section 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    if length < 65_536:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")

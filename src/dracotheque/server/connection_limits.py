"""Connections of uvicorn with limits: for the length of headers, and for sockets that are never read."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterable

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MAX_HEADER_BYTES = 262_144  # checked after each read, so a head may be longer by one read


class BoundedHttpProtocol(HttpToolsProtocol):
    """An HTTP connection that is closed when its request line and headers are too long."""

    unfinished: int | None = None
    """Bytes received of a head; None while no head is being read."""

    def on_message_begin(self) -> None:
        """Start to count the bytes of a head."""
        super().on_message_begin()
        self.unfinished = 0

    def on_headers_complete(self) -> None:
        """Stop counting: the limit of bodies is in `http.read`."""
        self.unfinished = None
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """Parse data; respond with 400 if the head is too long."""
        super().data_received(data)
        if self.unfinished is None or self.transport.is_closing():
            return
        self.unfinished += len(data)
        if self.unfinished > MAX_HEADER_BYTES:
            self.send_400_response("This is too long.")


WRITE = "dracotheque.write"
"""The ASGI extension that writes to a socket directly, without a task and an ASGI message."""
MAX_UNREAD_MESSAGES = 8
"""Messages that may be queued before the socket is no longer read."""
CLOSE_SECONDS = 12.0  # for the closing handshake; uvicorn itself waits ten
LINGER_ZERO = struct.pack("ii", 1, 0)  # unsent data is dropped


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that is aborted if closing it would wait for a client that never reads."""

    def data_received(self, data: bytes) -> None:
        """Respond to a handshake that cannot be parsed, instead of waiting for the rest of it."""
        super().data_received(data)
        if self.conn.handshake_exc and not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Queue a message; uvicorn itself would stop reading after each, which costs two system calls."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= MAX_UNREAD_MESSAGES:
            self.read_paused = True
            self.transport.pause_reading()

    def write_texts(self, texts: Iterable[bytes]) -> bool:
        """Write messages in one system call; return False, with nothing written, if that is not possible now."""
        if not self.writable.is_set() or not self.handshake_complete or self.close_sent or self.conn.extensions:
            return False
        if self.disconnected or self.transport.is_closing():
            return False
        self.transport.write(b"".join([text_head(len(text)) + text for text in texts]))
        return True

    async def run_asgi(self) -> None:
        """Run the application, and abort the connection some time after it has ended."""
        self.scope.get("extensions", {})[WRITE] = {"write": self.write_texts}  # pyright: ignore[reportOptionalSubscript]
        await super().run_asgi()
        self.loop.call_later(CLOSE_SECONDS, self.abort)

    def keepalive_timeout(self) -> None:
        """Close a connection that answers no ping."""
        super().keepalive_timeout()
        self.abort()

    def abort(self) -> None:
        """Close the connection without waiting for the client."""
        if not self.disconnected:
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
            self.transport.abort()


def text_head(length: int) -> bytes:
    """Return what comes before a text in an unmasked frame of its own (RFC 6455, section 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    if length < 65_536:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")

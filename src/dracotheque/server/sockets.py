"""uvicorn's sockets, made to end: whoever does not read, answer or speak properly keeps no connection."""

from __future__ import annotations

import socket
import struct

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LINGER = 12.0  # seconds to say goodbye in: uvicorn itself waits ten for the other side's
AT_ONCE = struct.pack("ii", 1, 0)  # the system, too, drops what could not be sent


class Sockets(WebSocketsSansIOProtocol):
    """A WebSocket that is cut off where closing it would wait for a reader who never reads."""

    def data_received(self, data: bytes) -> None:
        """Answer a handshake that cannot be read, instead of waiting for the rest of it."""
        super().data_received(data)
        if self.conn.handshake_exc and not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    async def run_asgi(self) -> None:
        """Cut the connection off some time after the service is done with it."""
        await super().run_asgi()
        self.loop.call_later(LINGER, self.cut_off)

    def keepalive_timeout(self) -> None:
        """Cut off whoever answers no ping."""
        super().keepalive_timeout()
        self.cut_off()

    def cut_off(self) -> None:
        """End a connection that is still there, and wait for nobody."""
        if not self.disconnected:
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            self.transport.abort()

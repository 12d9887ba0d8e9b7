"""uvicorn's HTTP, whose heads come to an end: httptools itself would keep a header of any length in memory."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST = 262_144  # bytes; what comes at once is read at once, so that a head may be up to that longer


class Heads(HttpToolsProtocol):
    """An HTTP connection that hangs up on a head, request line and headers, without an end."""

    unfinished: int | None = None
    """How many bytes of a head have come; none while it is not a head that is read."""

    def on_message_begin(self) -> None:
        """Count from here on."""
        super().on_message_begin()
        self.unfinished = 0

    def on_headers_complete(self) -> None:
        """Count no more: bodies are measured by whoever reads them."""
        self.unfinished = None
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """Read on, unless that is enough."""
        super().data_received(data)
        if self.unfinished is None or self.transport.is_closing():
            return
        self.unfinished += len(data)
        if self.unfinished > LONGEST:
            self.send_400_response("This is too long.")

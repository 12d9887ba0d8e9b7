"""A WebSocket by hand: it sends what no decent client would, many messages at once, and reads only when told to."""

from __future__ import annotations

import base64
import os
import socket
import struct
from typing import Any

import msgspec

from dracotheque.server.identity import COOKIE
from tests.server.guests import PATIENCE, Guest, News, Server

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
AT_ONCE = 200  # fewer than the server lets wait for a slow reader
decode = msgspec.json.decode


def frame(payload: bytes, kind: int = TEXT, *, last: bool = True, masked: bool = True) -> bytes:
    """Write one frame; its mask is zero, so that the payload stays as it is."""
    size, mask = len(payload), 0x80 if masked else 0
    head = bytes([kind | (0x80 if last else 0)])
    if size < 126:
        head += bytes([mask | size])
    elif size < 65_536:
        head += struct.pack("!BH", mask | 126, size)
    else:
        head += struct.pack("!BQ", mask | 127, size)
    return head + (bytes(4) if masked else b"") + payload


def handshake(path: str, cookie: str = "", *, method: str = "GET", more: str = "") -> bytes:
    """Ask for a socket."""
    key = base64.b64encode(os.urandom(16)).decode()
    known = f"Cookie: {COOKIE}={cookie}\r\n" if cookie else ""
    upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
    return f"{method} {path} HTTP/1.1\r\nHost: here\r\n{upgrade}{known}{more}\r\n".encode("latin-1")


class Wire:
    """One socket at one table."""

    def __init__(self, server: Server, table: str, guest: Guest | None = None, *, buffer: int = 0) -> None:
        """Shake hands; `buffer` keeps the system from reading ahead of us."""
        self.raw = socket.socket()
        if buffer:
            self.raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.raw.settimeout(PATIENCE)
        self.raw.connect(("127.0.0.1", server.port))
        self.read = b""
        self.news: list[News] = []
        self.closed: int | None = None
        self.raw.sendall(handshake(f"/api/tables/{table}/live?protocol=2", guest.cookie if guest else ""))
        while b"\r\n\r\n" not in self.read:
            self._more()
        answer, _, self.read = self.read.partition(b"\r\n\r\n")
        assert b" 101 " in answer, answer

    def __enter__(self) -> Wire:
        """Use it in a with statement."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up without a word."""
        self.raw.close()

    def _more(self) -> None:
        """Read what has come."""
        data = self.raw.recv(1 << 18)
        if not data:
            raise EOFError
        self.read += data

    def frames(self) -> list[tuple[int, bytes]]:
        """Wait for at least one whole frame, and give all that are whole."""
        while not (found := self._whole_frames()):
            self._more()
        return found

    def _whole_frames(self) -> list[tuple[int, bytes]]:
        """Take the frames that have come to their end."""
        found: list[tuple[int, bytes]] = []
        read, at = self.read, 0
        while len(read) - at >= 2:
            size, body = read[at + 1], at + 2
            if size >= 126:
                body = at + (4 if size == 126 else 10)
                size = int.from_bytes(read[at + 2 : body], "big")
            if len(read) < body + size:
                break
            found.append((read[at] & 15, read[body : body + size]))
            at = body + size
        self.read = read[at:]
        return found

    def receive(self) -> None:
        """Take in what has come; a goodbye is noted, and so is a connection that was cut."""
        try:
            for kind, payload in self.frames():
                if kind == TEXT:
                    self.news.append(decode(payload))
                elif kind == PING:
                    self.send(frame(payload, PONG))
                elif kind == CLOSE:
                    self.closed = int.from_bytes(payload[:2], "big") if payload else 1005
        except (EOFError, ConnectionError):
            self.closed = self.closed or 1006

    def send(self, *frames: bytes) -> None:
        """Send frames in one go."""
        self.raw.sendall(b"".join(frames))

    def ask(self, frames: list[bytes]) -> list[News]:
        """Send commands and wait until each is answered; whatever else comes stays in `news`."""
        answers: list[News] = []
        for first in range(0, len(frames), AT_ONCE):
            some = frames[first : first + AT_ONCE]
            self.send(*some)
            expected = len(answers) + len(some)
            while len(answers) < expected:
                self.receive()
                answers += [news for news in self.news if news["type"] in ("ack", "rejected")]
                self.news = [news for news in self.news if news["type"] not in ("ack", "rejected")]
                assert self.closed is None, f"closed with {self.closed} after {some[len(answers) - first :][:1]}"
        assert len(answers) == len(frames)
        return answers

    def do(self, command: str, **wishes: Any) -> News:
        """Send one command and wait for its answer."""
        return self.ask([command_frame(command, **wishes)])[0]

    def until_closed(self) -> int:
        """Read until the other side has had enough, and say with which code."""
        while self.closed is None:
            self.receive()
        return self.closed


def command_frame(command: str, **wishes: Any) -> bytes:
    """Write a command as a frame."""
    return frame(msgspec.json.encode({"type": command, **wishes}))


def once(server: Server, data: bytes) -> bytes:
    """Send bytes to the port and read until the other side hangs up; it must, since nothing more is said."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw:
        answer = b""
        try:
            raw.sendall(data)
            while more := raw.recv(1 << 16):
                answer += more
        except ConnectionError:  # it hung up while we were still speaking
            pass
        return answer

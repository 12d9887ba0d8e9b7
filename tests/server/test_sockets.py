"""How messages get into a socket: whole frames at once, and in order where a reader is slow."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from dracotheque.server.connection_limits import WRITE, text_head
from dracotheque.server.websocket import TableSocket


class SlowSocket:
    """A socket that can be written to only while somebody reads it."""

    client = None

    def __init__(self) -> None:
        """Nobody reads yet."""
        self.scope = {"extensions": {WRITE: {"write": self.write}}}
        self.readable = asyncio.Event()
        self.heard: list[bytes] = []

    def write(self, texts: Iterable[bytes]) -> bool:
        """Write at once, if that can be."""
        if self.readable.is_set():
            self.heard += texts
        return self.readable.is_set()

    async def send(self, message: dict[str, str]) -> None:
        """Write when that can be."""
        await self.readable.wait()
        self.heard.append(message["text"].encode())


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_a_frame_begins_as_websockets_writes_it(length: int) -> None:
    text = b"x" * length
    assert text_head(length) + text == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_no_message_overtakes_those_that_wait_for_a_slow_reader() -> None:
    async def talk() -> None:
        socket: Any = SlowSocket()
        service: Any = SimpleNamespace(limits=SimpleNamespace(unread=10))
        live = TableSocket(service, socket, "")
        writer = asyncio.ensure_future(live._write())  # pyright: ignore[reportPrivateUsage]
        live.send(b"1")
        live.send(b"2")
        await asyncio.sleep(0.01)
        socket.readable.set()
        live.send(b"3")
        assert socket.heard == []
        await asyncio.sleep(0.01)
        live.send(b"4")
        assert socket.heard == [b"1", b"2", b"3", b"4"]
        writer.cancel()

    asyncio.run(talk())


def test_news_held_back_goes_out_with_the_answer() -> None:
    async def talk() -> None:
        socket: Any = SlowSocket()
        service: Any = SimpleNamespace(limits=SimpleNamespace(unread=10))
        socket.readable.set()
        live = TableSocket(service, socket, "")
        live.holding = True
        live.send(b"news")
        assert socket.heard == []
        live.send(b"answer")
        live.release()
        assert socket.heard == [b"news", b"answer"]

    asyncio.run(talk())

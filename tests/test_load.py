"""The driver of `make load`: what it measures with must be right itself."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

LOAD = Path(__file__).parent.parent / "benchmarks" / "load"
LENGTHS = (0, 1, 125, 126, 127, 65_535, 65_536, 200_000)


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the driver's modules be found as they are when it runs, and forget them afterwards."""
    monkeypatch.syspath_prepend(LOAD)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(LOAD)):
            del sys.modules[name]


@pytest.mark.parametrize(("share", "expected"), [(0.5, 50), (0.99, 99), (0.991, 100), (1.0, 100), (0.0, 1), (0.001, 1)])
def test_a_percentile_is_the_smallest_value_that_enough_do_not_exceed(share: float, expected: float) -> None:
    from drive import percentile  # pyright: ignore[reportMissingImports]

    assert percentile([float(value) for value in range(1, 101)], share) == expected


def test_texts_of_every_length_come_back_from_a_server_of_others() -> None:
    from wire import connect  # pyright: ignore[reportMissingImports]

    async def echo(connection: ServerConnection) -> None:
        async for message in connection:
            await connection.send(message)

    async def talk() -> list[tuple[bytes, int]]:
        heard: list[tuple[bytes, int]] = []
        everything = asyncio.Event()

        def hear(text: bytes, size: int) -> None:
            heard.append((text, size))
            if len(heard) == len(LENGTHS):
                everything.set()

        async with serve(echo, "127.0.0.1", 0, compression=None, max_size=None) as server:
            socket = await connect(server.sockets[0].getsockname()[1], "/", hear)
            for length in LENGTHS:
                socket.send(b"x" * length)
            await asyncio.wait_for(everything.wait(), 60)
            socket.close()
        return heard

    heard = asyncio.run(talk())
    assert [text for text, _ in heard] == [b"x" * length for length in LENGTHS]
    heads = [size - len(text) for text, size in heard]
    assert heads == [2, 2, 2, 4, 4, 4, 10, 10]


@pytest.mark.parametrize("cut", range(1, 12))
def test_frames_may_be_cut_anywhere(cut: int) -> None:
    from wire import WebSocket  # pyright: ignore[reportMissingImports]

    texts = [b"", b"short", b"y" * 300]
    frames = b"".join(bytes((0x81, len(text))) + text for text in texts[:2])
    frames += bytes((0x81, 126)) + len(texts[2]).to_bytes(2, "big") + texts[2]
    stream = b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + frames

    async def read() -> list[Any]:
        heard: list[Any] = []
        socket = WebSocket("/", {}, lambda text, size: heard.append(text))
        for first in range(0, len(stream), cut):
            socket.data_received(stream[first : first + cut])
        return heard

    assert asyncio.run(read()) == texts


def test_copies_of_tables_have_names_of_their_own() -> None:
    import random

    from resting import copies  # pyright: ignore[reportMissingImports]

    records = [{"record": "table", "table": {"id": name, "game": "emerald"}, "events": [name]} for name in "ab"]
    made = copies(records, 5, random.Random(1))
    assert [record["events"] for record in made] == [["a"], ["b"], ["a"], ["b"], ["a"]]
    assert len({record["table"]["id"] for record in made} | {"a", "b"}) == 7
    assert [record["table"]["id"] for record in records] == ["a", "b"]


@pytest.mark.parametrize("game", ["emerald", "dragons-cave", "gran", "save-the-dragon"])
def test_a_choice_costs_each_viewer_one_short_message_and_no_move_is_applied_or_shown_twice(game: str) -> None:
    from census import TABLES, VIEWPOINTS, census  # pyright: ignore[reportMissingImports]

    found = asyncio.run(census(game))
    viewpoints = len(VIEWPOINTS)
    assert found.choices > 25 * TABLES
    assert found.requests == 0, "every viewer knows from messages alone what a snapshot would show"
    assert len(found.sizes) == found.choices * viewpoints, "one message a choice and viewer"
    assert found.mean_bytes <= 1_100
    # A choice and what chance answers are applied once, where they are decided.
    assert found.calls["apply"] <= found.moves
    assert found.calls["board"] == found.moves * viewpoints
    # A move's record is unpacked once, where a game has secrets once more for each viewpoint, and once by physics.
    secrets = viewpoints if game == "dragons-cave" else 0
    assert found.calls["unpack"] <= found.moves * (1 + secrets) + found.physical

"""Nothing acknowledged is lost: the server is killed at random moments under load, again and again, and restarted.

Everybody's answers are noted as they come. What was acknowledged, or shown to anybody, has to be there under its number
after every restart; what was sent has to be there once at most; and the games have to go on to a fair end.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import random
import subprocess
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from dracotheque.server.identity import COOKIE
from dracotheque.tables.events import ActionTaken, AnyEvent, ChatSent, read
from dracotheque.tables.storage.store import open_store
from dracotheque.tables.table import Table as Replayed
from tests.server.guests import HATCHLING, LINK, ME, OPEN, PATIENCE, SQUIRE, Guest, News, Server, take_in
from tests.tables.postgres import Postgres, postgres

LAYOUTS: list[tuple[str, list[dict[str, Any]]]] = [
    ("emerald", [ME, OPEN, OPEN]),
    ("dragons-cave", [ME, OPEN, OPEN, HATCHLING]),
    ("gran", [ME, OPEN, SQUIRE]),
    ("save-the-dragon", [ME, OPEN]),
    ("emerald", [ME, HATCHLING]),
    ("dragons-cave", [ME, OPEN]),
]
MOST_ACKNOWLEDGED = 60
"""So many choices are acknowledged at most before the next kill."""


@dataclass
class Table:
    """A table, and everything that was acknowledged, shown and sent there."""

    id: str
    chosen: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """Acknowledged choices: the number of the event, the seat and the action."""
    said: dict[int, str] = field(default_factory=dict[int, str])
    sent: dict[tuple[int, int], set[int]] = field(default_factory=lambda: defaultdict(set))
    """For a seat and the question it answers: every action that was sent, acknowledged or not."""
    shown: int = 0
    """The highest revision that any client has seen."""
    known: int = 0
    """The same before the last restart."""
    moves: int = 0
    over: bool = False


class Player:
    """A guest who chooses at random, over a socket, as fast as the answers come."""

    def __init__(self, guest: Guest, table: Table, chance: random.Random) -> None:
        self.guest, self.table, self.chance = guest, table, chance
        self.unanswered: News | None = None
        self.prompt: News | None = None
        self.view: News = {}
        self.number = self.sent = self.seat = 0
        self.codes: set[str] = set()

    async def play(self, acknowledged: asyncio.Queue[int]) -> None:
        """Play until the game is over or the server gone; what was not answered last time is sent once more."""
        url = f"{self.guest.url.replace('http', 'ws', 1)}/api/tables/{self.table.id}/live?protocol=2"
        headers = {"Cookie": f"{COOKIE}={self.guest.cookie}"}
        with contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError, EOFError):
            async with connect(url, additional_headers=headers, max_size=None, proxy=None, close_timeout=1) as socket:
                self._see_all(json.loads(await socket.recv()))
                if self.unanswered:
                    await self._send(socket, self.unanswered)
                while not self.table.over:
                    if self.prompt and not self.unanswered:
                        await self._choose(socket)
                    self._hear(json.loads(await socket.recv()), acknowledged)

    async def _choose(self, socket: ClientConnection) -> None:
        """Answer the question, and sometimes say something."""
        assert self.prompt is not None
        if self.chance.random() < 0.05:
            await self._send(
                socket, {"type": "send-chat", "seat": self.seat, "text": f"word {self.chance.getrandbits(60)}"}
            )
            return
        action = self.chance.choice(self.prompt["choices"])["action"]
        at = self.prompt.get("prompt_id", 0)
        self.table.sent[self.seat, at].add(action)
        await self._send(socket, {"type": "move", "seat": self.seat, "prompt_id": at, "action": action})

    async def _send(self, socket: ClientConnection, command: News) -> None:
        """Send a command under a new id, and wait for its answer before the next."""
        self.sent += 1
        self.unanswered = {**command, "id": self.sent}
        await socket.send(json.dumps(self.unanswered))

    def _see_all(self, news: News) -> None:
        """Take in the whole table: at the number that was seen before it is what was seen before."""
        assert news["type"] == "snapshot", news
        assert news["revision"] >= self.table.known
        if news["revision"] == self.number:
            assert news.get("board") == self.view.get("board")
            assert news.get("prompt") == self.view.get("prompt")
        self.seat = news["viewpoint"]
        take_in(self.view, news)
        self._see()
        if self.unanswered and self.unanswered["type"] == "send-chat":
            self.unanswered = None  # twice said is said twice

    def _see(self) -> None:
        """Take in what is asked and how far the game is."""
        self.number = self.view["revision"]
        self.table.shown = max(self.table.shown, self.number)
        self.table.moves = max(self.table.moves, self.view["move_number"])
        self.table.over = self.table.over or self.view["table"]["status"] == "over"
        asked = self.view.get("prompt") or {}
        self.prompt = asked if asked.get("choices") else None

    def _hear(self, news: News, acknowledged: asyncio.Queue[int]) -> None:
        """Take in a piece of news, and note what is acknowledged."""
        if news["type"] in ("ack", "rejected"):
            self._answered(news, acknowledged)
        else:
            take_in(self.view, news)
            self._see()

    def _answered(self, news: News, acknowledged: asyncio.Queue[int]) -> None:
        assert self.unanswered is not None
        assert self.unanswered["id"] == news["id"]
        command, self.unanswered = self.unanswered, None
        if news["type"] == "rejected":  # the prompt has been answered, or was sent again
            self.codes.add(news["problem"]["code"])
        elif command["type"] == "send-chat":
            self.table.said[news["revision"]] = command["text"]
        else:
            assert news["revision"] not in self.table.chosen
            self.table.chosen[news["revision"]] = command["seat"], command["action"]
            acknowledged.put_nowait(news["revision"])


class Evening:
    """All tables of one test, and the guests at them, from kill to kill."""

    def __init__(self, server: Server, chance: random.Random) -> None:
        self.server, self.chance = server, chance
        self.guests = [Guest(server, name) for name in ("Ann", "Ben", "Cem")]
        self.players: dict[str, list[Player]] = {}
        self.tables: dict[str, Table] = {}
        self.places = [self.sit_down(place) for place in range(len(LAYOUTS))]
        self.opened: list[str] = []
        self.kills = 0

    def sit_down(self, place: int) -> Table:
        """Let the guests create a table and take its seats."""
        game, seats = LAYOUTS[place]
        table = self.guests[0].open(game, *seats)
        guests = self.guests[: 1 + seats.count(OPEN)]
        for guest in guests[1:]:
            guest.sit(table)
        noted = self.tables[table] = Table(table)
        self.players[table] = [Player(guest, noted, random.Random(self.chance.random())) for guest in guests]
        return noted

    async def until_killed(self) -> None:
        """Play at all tables at once until the server is killed at a random moment."""
        last = self.chance.randrange(MOST_ACKNOWLEDGED)
        async with self.playing() as acknowledged:
            for _ in range(last):
                await asyncio.wait_for(acknowledged.get(), PATIENCE)
            await asyncio.sleep(self.chance.random() * 0.02)  # between two acknowledgements, too
            self.server.kill()
        self.kills += 1

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[asyncio.Queue[int]]:
        """Let all guests play, and one more create tables, until they have to stop."""
        acknowledged = asyncio.Queue[int]()
        players = [player for table in self.places for player in self.players[table.id]]
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(player.play(acknowledged))
            opening = group.create_task(self._open_tables())
            yield acknowledged
            opening.cancel()

    async def _open_tables(self) -> None:
        """Open one table after the other, and note those that were acknowledged."""
        with contextlib.suppress(httpx.TransportError):
            async with httpx.AsyncClient(base_url=self.server.url, timeout=PATIENCE) as newcomer:
                while True:
                    newcomer.cookies.clear()
                    answer = await newcomer.post("/api/tables", json={"game": "emerald", "seats": [ME, LINK]})
                    self.opened.append(answer.json()["table"])

    def killed_while_starting(self) -> None:
        """Take the power away before the server has even begun to serve."""
        self.server.process = subprocess.Popen(
            self.server.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.server.process.wait(self.chance.random())
        self.server.kill()
        self.kills += 1

    def look_round(self) -> None:
        """See that everything that was acknowledged or shown is there, and open new tables for finished ones."""
        for place, table in enumerate(self.places):
            view = self.guests[0].get(f"/api/tables/{table.id}")
            assert view["revision"] >= max([table.shown, *table.chosen, *table.said])
            assert view["move_number"] >= table.moves
            table.known = table.shown
            listed = self.guests[0].get(f"/api/tables/{table.id}/moves?first={max(0, table.moves - 50)}")
            assert listed["move_number"] >= table.moves
            assert len(listed["moves"]) == listed["move_number"] - listed["first"]
            if view["table"]["status"] == "over":
                self.places[place] = self.sit_down(place)
        for table in self.opened[-5:]:
            assert self.guests[0].get(f"/api/tables/{table}")["table"]["status"] == "open"

    async def play_to_the_end(self) -> None:
        """Let every game come to its end."""
        async with asyncio.timeout(PATIENCE), self.playing():
            pass


def check_events(table: Table, seed: bytes, events: list[AnyEvent]) -> None:
    """Compare what is stored of a table with what was sent and acknowledged there."""
    for number, (seat, action) in table.chosen.items():
        event = events[number - 1]
        assert isinstance(event, ActionTaken)
        assert (event.seat, event.action, event.by_bot) == (seat, action, False)
    for number, text in table.said.items():
        event = events[number - 1]
        assert isinstance(event, ChatSent)
        assert event.text == text
    said = [event.text for event in events if isinstance(event, ChatSent)]
    assert len(set(said)) == len(said)
    assert answered_once(Replayed(table.id, seed), events) <= table.sent.keys()


def answered_once(replayed: Replayed, events: list[AnyEvent]) -> set[tuple[int, int]]:
    """List the questions that people answered, and see that none was answered twice."""
    answered = set[tuple[int, int]]()
    for event in events:
        if isinstance(event, ActionTaken) and not event.by_bot:
            assert replayed.play is not None
            question = event.seat, replayed.play.asked_at[event.seat]
            assert question not in answered
            answered.add(question)
        replayed = replayed.apply(event)
    return answered


async def check_store(database: str, evening: Evening) -> None:
    """Compare everything that is stored with what was acknowledged."""
    store = open_store(database)
    await store.start()
    try:
        for table in evening.tables.values():
            stored = await store.load(table.id)
            assert stored is not None
            check_events(table, stored.seed, [read(event) for event in stored.events])
        assert len(evening.opened) == len(set(evening.opened))
        assert (await store.numbers(evening.opened)).keys() == set(evening.opened)
    finally:
        await store.close()


@pytest.fixture(scope="module")
def database_server() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def database(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    if kind == "sqlite":
        yield str(tmp_path / "tables.db")
        return
    with request.getfixturevalue("database_server").database() as url:
        yield url


KILLS = {"sqlite": 40, "postgres": 12}


def test_nothing_acknowledged_is_lost_when_the_power_goes(kind: str, database: str) -> None:
    chance = random.Random(f"kill {kind}")
    server = Server(database)
    try:
        evening = Evening(server.start(), chance)
        while evening.kills < KILLS[kind]:
            asyncio.run(evening.until_killed())
            if chance.random() < 0.15:
                evening.killed_while_starting()
            server.start()
            evening.look_round()
        asyncio.run(evening.play_to_the_end())
        for table in evening.tables.values():
            assert evening.guests[0].get(f"/api/tables/{table.id}/dice")["fair"] is True
        assert server.stop() == 0
        asyncio.run(check_store(database, evening))
    finally:
        server.kill()
        print(*[line for line in server.written().splitlines() if '"level": "error"' in line], sep="\n")
        server.log.unlink(missing_ok=True)
    players = [player for players in evening.players.values() for player in players]
    assert functools.reduce(set.union, (player.codes for player in players), set()) <= {"too_late", "rule", "over"}
    assert sum(len(table.chosen) for table in evening.tables.values()) > KILLS[kind] * 20

"""Running a server: stopping, health, figures and logs, copies of what it keeps, memory, and players who are gone."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed

from dracotheque.server.identity import new_guest
from dracotheque.server.runner import free_port
from dracotheque.tables.manager import ManagerSettings, TableManager
from dracotheque.tables.protocol import CreateTable, Move, ResumeSeat, SeatRequest, TakeSeat
from dracotheque.tables.storage.store import Guest as StoredGuest
from dracotheque.tables.storage.store import open_store
from tests.server.guests import LINK, ME, OPEN, PATIENCE, SQUIRE, Guest, Seat, Server, serving
from tests.server.test_crash import Evening
from tests.tables.postgres import Postgres, postgres


@pytest.fixture(scope="module")
def database_server() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


@pytest.fixture
def postgres_url(database_server: Postgres) -> Iterator[str]:
    with database_server.database() as url:
        yield url


def dracotheque(*arguments: object, status: int = 0) -> str:
    """Run a command, expect its exit status, and give what it wrote."""
    command = [sys.executable, "-m", "dracotheque", *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == status, ended.stderr
    return ended.stdout + ended.stderr


def two_at_a_table(server: Server) -> tuple[Guest, Guest, str]:
    """Let two guests take the seats of a game of Emerald."""
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("emerald", ME, OPEN)
    ben.sit(table)
    return ann, ben, table


def play_moves(seats: list[Seat], moves: int, chance: random.Random) -> int:
    """Let the seats to move choose, and all clients receive it; return the last revision."""
    number = 0
    for _ in range(moves):
        mover = next(seat for seat in seats if seat.choices())
        number = mover.choose(chance.choice(mover.choices()))["revision"]
        for seat in seats:
            if seat is not mover:
                seat.await_("update", until=lambda news, number=number: news["revision"] == number)
    return number


def read_to_the_end(seat: Seat) -> tuple[int, int]:
    """Read until the server closes a socket; give the last event's number and the code it is closed with."""
    number = 0
    with suppress(ConnectionClosed):
        while True:
            number = max(number, seat.receive()["revision"])
    return number, seat.connection.close_code or 0


def eventually(is_so: Callable[[], bool]) -> None:
    """Look again and again whether something is so."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# --- Starting and stopping -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_server_says_goodbye_and_loses_nothing(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path / "tables.db") as server:
        ann, ben, table = two_at_a_table(server)
        with ann.socket(table) as first, ben.socket(table) as second:
            number = play_moves([first, second], 5, random.Random(1))
            mover = first if first.choices() else second
            mover.send(
                "move", seat=mover.mine[0], prompt_id=(mover.prompt or {})["prompt_id"], action=mover.choices()[0]
            )
            assert server.process is not None
            server.process.send_signal(how)
            for seat in (first, second):
                last, code = read_to_the_end(seat)
                assert code == 1012
                number = max(number, last)
        assert server.process.wait(PATIENCE) == 0
        assert "Traceback" not in server.written()
        assert '"level": "error"' not in server.written()
        server.start()
        assert ann.get(f"/api/tables/{table}")["revision"] >= number


READ_BEFORE = """
import asyncio, sys
from dracotheque.engine import registry
from dracotheque.server.app import AppContext

async def start():
    service = AppContext(sys.argv[1])
    await service.start()
    packages = [box.package for box in registry.games().values()]
    print(all(f"{package}.{room}" in sys.modules for package in packages for room in ("text", "terminal_view")))
    await service.stop()

asyncio.run(start())
"""


def test_scenes_are_read_before_anybody_plays(tmp_path: Path) -> None:
    """Reading one hides compiled rules for a moment: a bot's thread that looked for them then got plain ones."""
    command = [sys.executable, "-c", READ_BEFORE, str(tmp_path / "tables.db")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True\n"


def test_a_port_that_is_taken_is_named(tmp_path: Path, server: Server) -> None:
    told = dracotheque("serve", "--port", server.port, "--database", tmp_path / "tables.db", status=1)
    assert f"Port {server.port} is in use. Choose another with --port." in told
    assert "Traceback" not in told
    assert not (tmp_path / "tables.db").exists()


# --- Health ----------------------------------------------------------------------------------------------------------
class Line:
    """Stands between a server and PostgreSQL; it can be cut and mended."""

    def __init__(self, url: str) -> None:
        self.parts, self.port = urlsplit(url), free_port(0)
        account = self.parts.netloc.rpartition("@")[0] or "postgres"
        self.url = f"postgresql://{account}@127.0.0.1:{self.port}{self.parts.path}"
        self.ends: list[socket.socket] = []
        self.mend()

    def mend(self) -> None:
        """Take calls."""
        self.listening = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._take_calls, args=(self.listening,), daemon=True).start()

    def cut(self) -> None:
        """Cut every connection and take no calls any more."""
        for end in (self.listening, *self.ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.ends.clear()

    def _take_calls(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                caller, _ = listening.accept()
                database = self._call()
                self.ends += [caller, database]
                for one, other in ((caller, database), (database, caller)):
                    threading.Thread(target=carry, args=(one, other), daemon=True).start()

    def _call(self) -> socket.socket:
        if folder := parse_qs(self.parts.query).get("host"):
            database = socket.socket(socket.AF_UNIX)
            database.connect(f"{folder[0]}/.s.PGSQL.5432")
            return database
        return socket.create_connection((self.parts.hostname or "127.0.0.1", self.parts.port or 5432))


def carry(one: socket.socket, other: socket.socket) -> None:
    """Carry bytes from one end to another until either is closed."""
    with suppress(OSError):
        while data := one.recv(2**16):
            other.sendall(data)
    with suppress(OSError):
        other.shutdown(socket.SHUT_RDWR)


@contextmanager
def cuttable(url: str) -> Iterator[Line]:
    """Call a database over a line that can be cut."""
    line = Line(url)
    try:
        yield line
    finally:
        line.cut()


def health(server: Server) -> tuple[int, str]:
    """Ask for the server's health."""
    answer = httpx.get(f"{server.url}/healthz", timeout=PATIENCE)
    return answer.status_code, answer.json()["status"]


def test_a_healthy_server_says_so(server: Server) -> None:
    assert health(server) == (200, "ok")


def test_a_server_without_its_database_says_so_and_recovers(postgres_url: str) -> None:
    with cuttable(postgres_url) as line, serving(line.url) as server:
        ann, ben, table = two_at_a_table(server)
        with ann.socket(table) as first, ben.socket(table) as second:
            seats = [first, second]
            number = play_moves(seats, 3, random.Random(2))
            line.cut()
            eventually(lambda: health(server) == (503, "the database does not answer"))
            mover, other = (first, second) if first.choices() else (second, first)
            with ThreadPoolExecutor() as waiting:  # each waits for some seconds, should the database come back
                asked = [
                    waiting.submit(mover.choose, mover.choices()[0]),
                    waiting.submit(other.do, "mute", seat=0),
                    waiting.submit(ann.post, "/api/tables", {"game": "emerald", "seats": [ME, LINK]}, 503),
                ]
            answers = [each.result() for each in asked]
            assert [answer.get("problem", answer)["code"] for answer in answers] == ["store_away"] * 3
            line.mend()
            eventually(lambda: health(server) == (200, "ok"))
            assert ann.get(f"/api/tables/{table}")["revision"] == number
            assert play_moves(seats, 5, random.Random(3)) == number + 5
        assert server.stop() == 0


# --- Figures and logs ------------------------------------------------------------------------------------------------
def figures(server: Server) -> dict[str, float]:
    """Read Prometheus' figures, with their labels."""
    text = httpx.get(f"{server.url}/metrics").text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    labels = [" ".join(sample.labels[name] for name in sorted(sample.labels)) for sample in samples]
    return {f"{sample.name} {label}".strip(): sample.value for sample, label in zip(samples, labels, strict=True)}


def test_figures_count_moves_and_sockets(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db") as server:
        ann, ben, table = two_at_a_table(server)
        with ann.socket(table) as first, ben.socket(table) as second, Guest(server).socket(table):
            play_moves([first, second], 7, random.Random(4))
            assert first.do("send-chat", seat=0, text=" ")["type"] == "rejected"
            counted = figures(server)
        assert counted["dracotheque_sockets"] == 3
        assert counted["dracotheque_tables"] == 1
        assert counted["dracotheque_moves_made"] == 7
        assert counted["dracotheque_commands_total ok Move"] == 7
        assert counted["dracotheque_command_seconds_count"] == 8
        assert counted["dracotheque_requests_total POST /api/tables 200"] == 1
        eventually(lambda: figures(server)["dracotheque_sockets"] == 0)


def test_logs_are_json_and_tell_nobodys_secrets(tmp_path: Path) -> None:
    server = Server(tmp_path / "tables.db")
    with (tmp_path / "log").open("wb") as log:
        server.process = subprocess.Popen(server.command, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True)
    try:
        eventually(lambda: answers(server))
        known = provoke(server)
        assert server.stop() == 0
    finally:
        server.kill()
    written = (tmp_path / "log").read_text("utf-8").replace(server.url, "its own address")
    lines = [json.loads(line) for line in written.splitlines()]
    assert lines
    for line in lines:
        assert {"time", "level", "logger", "message"} <= line.keys()
        for secret in known:
            assert secret not in json.dumps(line, ensure_ascii=False)


def answers(server: Server) -> bool:
    """Return whether a server can be reached."""
    with suppress(httpx.TransportError):
        return health(server)[0] == 200
    return False


def provoke(server: Server) -> set[str]:
    """Do everything a server might write about, and say what it must not write."""
    ann, ben = Guest(server, "Zacharias"), Guest(server, "Quirina")
    table = ann.open("emerald", ME, LINK, SQUIRE)
    ann.do(table, "set-client-seed", seat=0, client_seed="luckyluck")
    invitation = ann.invitation(table, 1)
    ben.sit(table, 403, invitation="wrong")
    ben.sit(table, invitation=invitation, name="Pseudonym")
    key = ann.post("/api/me/key")["path"].partition("#key=")[2]
    with ann.socket(table) as seat:
        seat.do("send-chat", seat=0, text="whispered")
        seat.connection.send("garbage")
        seat.connection.send("x" * 70_000)
        with suppress(ConnectionClosed):
            while True:
                seat.receive()
    with ben.socket(table) as seat:
        seat.connection.socket.shutdown(socket.SHUT_RDWR)
    for request in (b"nonsense\r\n\r\n", b"GET /api/tables/%ff\xff HTTP/1.1\r\n\r\n", b"POST /api/me HTTP/1.1\r\n"):
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            raw.sendall(request)
            raw.shutdown(socket.SHUT_WR)
            raw.recv(2**16)
    ann.http.post("/api/tables", content=b'{"game": "Zacharias"')
    guests = {guest.cookie.partition(".")[0] for guest in (ann, ben)}
    said = {"Zacharias", "Quirina", "Pseudonym", "whispered", "luckyluck", "garbage"}
    return {invitation, key, ann.cookie, ben.cookie, "127.0.0.1", *guests, *said}


# --- Copies ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("direction", ["to postgres", "to sqlite"])
def test_exported_tables_go_on_in_another_database_with_the_same_guests(
    tmp_path: Path, postgres_url: str, direction: str
) -> None:
    databases = [str(tmp_path / "tables.db"), postgres_url]
    old, new = databases if direction == "to postgres" else databases[::-1]
    file = tmp_path / "tables.jsonl"
    with serving(old) as server:
        ann, ben, table = two_at_a_table(server)
        with ann.socket(table) as first, ben.socket(table) as second:
            number = play_moves([first, second], 20, random.Random(5))
            board = first.board
        waiting = ann.open("gran", ME, LINK, SQUIRE)
        invitation = ann.invitation(waiting, 1)
        dracotheque("export", file, "--database", old)
    assert "Imported 2 tables." in dracotheque("import", file, "--database", new)
    assert "Imported 0 tables." in dracotheque("import", file, "--database", new)
    with serving(new) as server:
        for guest in (ann, ben):
            guest.url = server.url
            guest.http.base_url = server.url
        assert ann.get("/api/me") == {"name": "Ann", "crest": "", "guest": True}
        with ann.socket(table) as first, ben.socket(table) as second:
            assert first.view["revision"] == number
            assert first.board == board
            play_moves([first, second], 5, random.Random(6))
        assert ben.sit(waiting, invitation=invitation)["table"]["status"] == "playing"


def test_guests_of_another_database_stay_strangers_where_there_were_guests_before(tmp_path: Path) -> None:
    old, new, file = (tmp_path / name for name in ("old.db", "new.db", "tables.jsonl"))
    with serving(old) as server:
        ann, _, table = two_at_a_table(server)
        dracotheque("export", file, "--database", old)
    with serving(new) as server:
        eve = Guest(server, "Eve")
    dracotheque("import", file, "--database", new)
    with serving(new) as server:
        ann.http.base_url = eve.http.base_url = server.url
        assert eve.get("/api/me")["name"] == "Eve"
        assert ann.get("/api/me")["guest"] is False
        assert eve.get(f"/api/tables/{table}")["table"]["status"] == "playing"


def somebody_is_asked(seats: list[Seat]) -> bool:
    """Whether the game goes on, or is over: after a bot's move any seat may be to move, so all have to listen."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if any(seat.choices() or seat.result for seat in seats):
            return True
        for seat in seats:
            with suppress(TimeoutError):
                seat.receive(0.1)
    return False


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_under_load_is_whole(tmp_path: Path, postgres_url: str, kind: str) -> None:
    database = postgres_url if kind == "postgres" else str(tmp_path / "tables.db")
    copy, kept = tmp_path / "copy", list[str]()

    async def play_and_copy(evening: Evening) -> None:
        async with evening.playing() as acknowledged:
            for _ in range(30):
                await acknowledged.get()
            copying = asyncio.ensure_future(asyncio.to_thread(dracotheque, "backup", copy, "--database", database))
            kept.extend([table.id for table in evening.places])
            before = {table.id: table.shown for table in evening.places}
            await copying
            evening.server.kill()
        for table in evening.places:
            table.known = before[table.id]

    with serving(database) as server:
        evening = Evening(server, random.Random(7))
        asyncio.run(play_and_copy(evening))
    if kind == "postgres":
        dracotheque("import", copy, "--database", tmp_path / "restored.db")
        copy = tmp_path / "restored.db"
    with serving(copy) as server, ExitStack() as opened:
        for guest in evening.guests:
            guest.url = server.url
            guest.http.base_url = server.url
        for table in evening.places:
            view = evening.guests[0].get(f"/api/tables/{table.id}")
            assert table.known <= view["revision"]
            if view["table"]["status"] == "playing":
                seats = [opened.enter_context(player.guest.socket(table.id)) for player in evening.players[table.id]]
                assert somebody_is_asked(seats), f"nobody can go on at {view}"
        assert dracotheque("backup", copy, "--database", copy, status=1)


# --- A manager with a clock of ours ----------------------------------------------------------------------------------
class Clock:
    """A clock that stands still until it is turned."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


ANN, BEN = new_guest(), new_guest()
TWO = [SeatRequest("me"), SeatRequest("open")]


@asynccontextmanager
async def house(database: str | Path, clock: Clock) -> AsyncIterator[TableManager]:
    """Make a manager whose clock the test advances."""
    store = open_store(str(database))
    await store.start()
    opened = TableManager(store, ManagerSettings(), clock)
    try:
        yield opened
    finally:
        await opened.stop()
        await store.close()


async def sit_down(
    house: TableManager, turn_timeout: int | None = None, names: tuple[str, str] = ("Ann", "Ben")
) -> str:
    """Give Ann, who begins, and Ben their seats."""
    for guest, name in zip((ANN, BEN), names, strict=True):
        if name:
            await house.store.put_guest(StoredGuest(guest, name, "", 1.0))
    table = await house.open(ANN, CreateTable("emerald", TWO, {"starts": "1"}, turn_timeout=turn_timeout), names[0])
    await house.sit(table, BEN, TakeSeat(), names[1], lambda seat: False)
    return table


async def choose(house: TableManager, table: str, guest: str, seat: int) -> int:
    """Make the first choice that a seat has."""
    play = (await house.live_table(table)).table.play
    assert play is not None
    action = play.state.legal_actions(seat)[0]
    return await house.do(table, guest, Move(seat=seat, prompt_id=play.asked_at[seat], action=action))


async def turn(house: TableManager, clock: Clock, seconds: float) -> None:
    """Advance the clock in small steps, with everything that the manager does by it."""
    for _ in range(int(seconds)):
        clock.now += 1
        if int(clock.now) % int(house.settings.present_every) == 0:
            await house.note_presence()
        await house.act_on_due()


async def substitutes(house: TableManager, table: str) -> list[str]:
    """List who plays for whom, once no bot is thinking any more."""
    room = await house.live_table(table)
    while room.thinking and not room.thinking.done():
        await asyncio.wait([room.thinking])
    return [seat.substitute for seat in room.table.seats]


def with_house(tmp_path: Path, work: Callable[[TableManager, Clock], Awaitable[None]]) -> None:
    """Run a coroutine with a manager."""

    async def run() -> None:
        clock = Clock()
        async with house(tmp_path / "tables.db", clock) as opened:
            await work(opened, clock)

    asyncio.run(run())


def test_tables_that_nobody_uses_leave_memory_and_come_back(tmp_path: Path) -> None:
    async def work(house: TableManager, clock: Clock) -> None:
        used, unused = await sit_down(house), await sit_down(house)
        number = await choose(house, unused, ANN, 0)
        shown = list[bytes]()
        room, viewer = await house.watch(used, ANN, shown.append)
        clock.now += house.settings.rest_after + 1
        await house.tidy()
        assert list(house.tables) == [used]
        house.leave(room, viewer)
        await house.tidy()
        assert list(house.tables) == [used]
        clock.now += house.settings.rest_after + 1
        await house.tidy()
        assert not house.tables
        assert (await house.live_table(unused)).table.revision == number
        await choose(
            house, unused, ANN if 0 in house.tables[unused].table.asked else BEN, house.tables[unused].table.asked[0]
        )
        assert house.tables[unused].table.revision == number + 1

    with_house(tmp_path, work)


NAMES = [("Ann", "Ben"), ("", "")]


@pytest.mark.parametrize("names", NAMES)
def test_a_bot_plays_for_somebody_who_is_gone(tmp_path: Path, names: tuple[str, str]) -> None:
    async def work(house: TableManager, clock: Clock) -> None:
        table = await sit_down(house, 60, names)
        await turn(house, clock, 59)
        assert await substitutes(house, table) == ["", ""]
        await turn(house, clock, 1)
        assert await substitutes(house, table) == ["squire", ""]
        assert (await house.live_table(table)).table.asked == (1,)
        await house.do(table, ANN, ResumeSeat(seat=0))
        await turn(house, clock, 59)
        assert await substitutes(house, table) == ["", ""]
        await turn(house, clock, 61)
        assert await substitutes(house, table) == ["", "squire"]
        assert (await house.live_table(table)).table.asked == (0,)

    with_house(tmp_path, work)


@pytest.mark.parametrize("names", NAMES)
def test_who_comes_back_in_the_middle_of_a_turn_has_time_to_choose(tmp_path: Path, names: tuple[str, str]) -> None:
    async def work(house: TableManager, clock: Clock) -> None:
        table = await sit_down(house, 60, names)
        room = await house.live_table(table)
        house.bots.closing = True  # no bot gets to choose
        await turn(house, clock, 61)
        assert await substitutes(house, table) == ["squire", ""]
        await house.do(table, ANN, ResumeSeat(seat=0))
        await turn(house, clock, 59)
        assert await substitutes(house, table) == ["", ""]
        assert room.table.asked == (0,)
        await turn(house, clock, 2)
        assert await substitutes(house, table) == ["squire", ""]

    with_house(tmp_path, work)


@pytest.mark.parametrize("names", NAMES)
def test_nobody_plays_for_somebody_who_is_here(tmp_path: Path, names: tuple[str, str]) -> None:
    async def work(house: TableManager, clock: Clock) -> None:
        table = await sit_down(house, 60, names)
        await turn(house, clock, 55)
        room, viewer = await house.watch(table, ANN, lambda news: None)
        await turn(house, clock, 300)
        assert await substitutes(house, table) == ["", ""]
        house.leave(room, viewer)
        await turn(house, clock, 40)
        assert await substitutes(house, table) == ["", ""]
        await turn(house, clock, 30)
        assert await substitutes(house, table) == ["squire", ""]

    with_house(tmp_path, work)


def test_nobody_plays_for_somebody_who_is_at_another_worker(postgres_url: str) -> None:
    async def work() -> None:
        clock = Clock()
        async with house(postgres_url, clock) as here, house(postgres_url, clock) as there:
            table = await sit_down(here, 60)
            await there.watch(table, ANN, lambda news: None)
            for _ in range(30):
                clock.now += 10
                await there.note_presence()
                await here.act_on_due()
            assert await substitutes(here, table) == ["", ""]
            clock.now += 61
            await here.act_on_due()
            assert await substitutes(here, table) == ["squire", ""]

    asyncio.run(work())


def test_a_table_without_patience_waits_for_ever(tmp_path: Path) -> None:
    async def work(house: TableManager, clock: Clock) -> None:
        table = await sit_down(house)
        for _ in range(100):
            clock.now += 86_400
            await house.act_on_due()
        assert await substitutes(house, table) == ["", ""]

    with_house(tmp_path, work)


def test_a_table_that_never_begins_is_put_away(tmp_path: Path) -> None:
    async def work(house: TableManager, clock: Clock) -> None:
        table = await house.open(ANN, CreateTable("emerald", TWO), "Ann")
        clock.now += house.settings.forget_after - 1
        await house.act_on_due()
        assert (await house.live_table(table)).table.status == "open"
        clock.now += 2
        await house.act_on_due()
        assert (await house.live_table(table)).table.status == "closed"

    with_house(tmp_path, work)

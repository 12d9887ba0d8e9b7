"""Two workers, one truth: server processes that share one PostgreSQL, and guests of one table at both."""

from __future__ import annotations

import asyncio
import random
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from dracotheque.tables.broadcast import LiveTable
from dracotheque.tables.events import ActionTaken, AnyEvent, read
from dracotheque.tables.manager import ManagerSettings, TableManager
from dracotheque.tables.protocol import AssignSubstitute, Close, CreateTable, SeatRequest
from dracotheque.tables.storage.store import open_store
from tests.server.guests import HATCHLING, ME, OPEN, PATIENCE, SQUIRE, Guest, News, Seat, Server, serving
from tests.server.test_running import cuttable, eventually, figures
from tests.tables.postgres import Postgres, execute, postgres

LOST = {"too_late", "rule", "over"}
"""What someone is told who was not first: it is another question, someone else's turn, or nobody's any more."""


@pytest.fixture(scope="module")
def database_server() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


@pytest.fixture(scope="module")
def database(database_server: Postgres) -> Iterator[str]:
    with database_server.database() as url:
        yield url


@pytest.fixture(scope="module")
def pair(database: str) -> Iterator[tuple[Server, Server]]:
    with serving(database) as first, serving(database) as second:
        yield first, second


def stored_events(database: str, table: str) -> list[AnyEvent]:
    """Read what is stored of a table."""

    async def work() -> list[AnyEvent]:
        store = open_store(database)
        await store.start()
        try:
            stored = await store.load(table)
            return [read(event) for event in stored.events] if stored else []
        finally:
            await store.close()

    return asyncio.run(work())


# --- What sockets see ------------------------------------------------------------------------------------------------
def answer(seat: Seat, number: int) -> News:
    """Wait for the answer to a command."""
    return seat.await_("ack", "rejected", until=lambda news: news["id"] == number)


def numbers(seat: Seat) -> list[int]:
    """List the numbers of the events that a socket was shown, from the first view of the table on."""
    return [news["revision"] for news in seat.news if news["type"] not in ("ack", "rejected")]


def see(number: int, *seats: Seat) -> None:
    """Wait until every socket has been shown an event."""
    for seat in seats:
        while numbers(seat)[-1] < number:
            seat.receive()


def agree(*seats: Seat) -> None:
    """See that sockets of the same seat show the same, and that none has missed or seen twice anything."""
    for seat in seats:
        assert seat.board == seats[0].board
        assert seat.prompt == seats[0].prompt
        assert seat.result == seats[0].result
        assert numbers(seat)[-1] == numbers(seats[0])[-1]
        seen = numbers(seat)
        assert seen == list(range(seen[0], seen[0] + len(seen)))


@contextmanager
def sockets(table: str, guests: Sequence[Guest], servers: Sequence[Server]) -> Iterator[list[list[Seat]]]:
    """Open a socket for every guest at every server."""
    with ExitStack() as opened:
        yield [[opened.enter_context(guest.socket(table, server)) for server in servers] for guest in guests]


def sit_down(servers: Sequence[Server], game: str, *more: dict[str, Any], people: int = 2, **wishes: Any) -> Any:
    """Open a table for some people, who come to the servers in turn, and perhaps bots."""
    guests = [Guest(servers[number % len(servers)], f"Guest {number + 1}") for number in range(people)]
    table = guests[0].open(game, ME, *[OPEN] * (people - 1), *more, **wishes)
    for guest in guests[1:]:
        guest.sit(table)
    return table, guests


# --- Races -----------------------------------------------------------------------------------------------------------
ROUNDS = 300


def test_of_racing_moves_one_wins_and_both_screens_agree(pair: tuple[Server, Server]) -> None:
    chance, rounds, codes = random.Random(71), 0, set[str]()
    while rounds < ROUNDS:
        table, guests = sit_down(pair, "emerald")
        with sockets(table, guests, pair) as seats:
            while not seats[0][0].result and rounds < ROUNDS:
                codes |= race(chance, seats)
                rounds += 1
    assert {"too_late", "rule"} <= codes <= LOST


def race(chance: random.Random, seats: list[list[Seat]]) -> set[str]:
    """Let everybody choose from every device at the same moment; say what those are told who were not first."""
    asked = next(devices for devices in seats if devices[0].choices())
    other = next(devices for devices in seats if devices is not asked)
    question = asked[0].prompt or {}
    wishes = [(device, question.get("prompt_id", 0), chance.choice(device.choices())) for device in asked]
    wishes += [(device, 0, wishes[0][2]) for device in other]
    chance.shuffle(wishes)
    sent = [(device, device.send("move", seat=device.mine[0], prompt_id=at, action=a)) for device, at, a in wishes]
    answers = [(device, answer(device, number)) for device, number in sent]
    won = [(device, news) for device, news in answers if news["type"] == "ack"]
    assert len(won) == 1
    assert won[0][0] in asked
    for devices in seats:
        see(won[0][1]["revision"], *devices)
        agree(*devices)
    return {news["problem"]["code"] for _, news in answers if news["type"] == "rejected"}


@pytest.mark.parametrize("people", [3, 4])
def test_sealed_choices_of_the_same_moment_all_count(pair: tuple[Server, Server], people: int) -> None:
    chance, together = random.Random(people), 0
    while together < 60:
        table, guests = sit_down(pair, "dragons-cave", people=people)
        with sockets(table, guests, pair) as seats:
            while not seats[0][0].result and together < 60:
                asked = [chance.choice(devices) for devices in seats if devices[0].choices()]
                sealing = [(device, send_choice(chance, device)) for device in asked]
                answers = [answer(device, number) for device, number in sealing]
                assert [news["type"] for news in answers] == ["ack"] * len(asked)
                assert len({news["revision"] for news in answers}) == len(asked)
                for devices in seats:
                    see(max(news["revision"] for news in answers), *devices)
                    agree(*devices)
                together += len(asked) > 1


def send_choice(chance: random.Random, device: Seat) -> int:
    """Send one of the choices that are asked for, without waiting."""
    at = (device.prompt or {}).get("prompt_id", 0)
    return device.send("move", seat=device.mine[0], prompt_id=at, action=chance.choice(device.choices()))


def test_moves_and_chat_of_the_same_moment_both_get_through(pair: tuple[Server, Server]) -> None:
    chance, said = random.Random(72), list[str]()
    table, guests = sit_down(pair, "gran", people=3)
    with sockets(table, guests, pair) as seats:
        for number in range(100):
            mover = next(devices for devices in seats if devices[0].choices())
            talker = next(devices for devices in seats if devices is not mover)
            device, voice = chance.choice(mover), chance.choice(talker)
            said.append(f"word {number}")
            chosen, spoken = send_choice(chance, device), voice.send("send-chat", seat=voice.mine[0], text=said[-1])
            answers = [answer(device, chosen), answer(voice, spoken)]
            assert [news["type"] for news in answers] == ["ack", "ack"]
            for devices in seats:
                see(max(news["revision"] for news in answers), *devices)
                agree(*devices)
        for devices in seats:
            for device in devices:
                assert [news["text"] for news in device.news if news["type"] == "chat"] == said


def test_racing_for_the_last_seat_one_sits(pair: tuple[Server, Server]) -> None:
    for _ in range(10):
        ann = Guest(pair[0])
        table = ann.open("emerald", ME, OPEN)
        guests = [Guest(server) for server in pair]

        async def sit(guests: Sequence[Guest] = guests, table: str = table) -> list[int]:
            answers = [asyncio.to_thread(guest.http.post, f"/api/tables/{table}/sit", json={}) for guest in guests]
            return sorted([answer.status_code for answer in await asyncio.gather(*answers)])

        assert asyncio.run(sit()) == [200, 409]
        for guest in [ann, *guests]:
            deadline = time.monotonic() + PATIENCE
            while (view := guest.get(f"/api/tables/{table}"))["revision"] < 3:
                assert time.monotonic() < deadline  # this worker has not heard of it yet
            assert (view["revision"], view["table"]["status"]) == (3, "playing")


def test_what_happens_while_a_table_is_being_loaded_is_not_missed(database: str) -> None:
    """News of a table come when what was read of it is already old, but nobody can be told yet: no one watches."""

    async def play() -> None:
        first, second = (TableManager(open_store(database), ManagerSettings(thinkers=1)) for _ in range(2))
        for house in (first, second):
            await house.store.start()
        try:
            host = f"{77:032}"
            table = await first.open(host, CreateTable("emerald", [SeatRequest("me"), SeatRequest("open")]), "Ann")
            read, heard, tell = second.store.load, asyncio.Event(), second.store.changed

            def told(which: str, number: int) -> None:
                tell(which, number)
                heard.set()

            async def slow(which: str, after: int = 0) -> Any:
                stored = await read(which, after)
                if not after:
                    await first.do(table, host, Close())
                    await asyncio.wait_for(heard.wait(), PATIENCE)
                return stored

            second.store.changed, second.store.load = told, slow  # type: ignore[method-assign]
            room = await second.live_table(table)
            deadline = time.monotonic() + PATIENCE
            while room.table.revision < 2:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.01)
            assert room.table.status == (await first.live_table(table)).table.status
            assert not second.announced
        finally:
            for house in (first, second):
                await house.stop()
                await house.store.close()

    asyncio.run(play())


# --- Bots ------------------------------------------------------------------------------------------------------------
def test_bots_before_both_workers_choose_once_each(pair: tuple[Server, Server], database: str) -> None:
    chance = random.Random(73)
    table, guests = sit_down(pair, "emerald", HATCHLING, SQUIRE, people=1)
    with sockets(table, guests, pair) as [devices]:
        while not devices[0].result:
            asked = [device for device in devices if device.choices()]
            if len(asked) < len(devices):
                [device.receive() for device in devices if device not in asked]
                continue
            agree(*devices)
            mover = chance.choice(devices)
            news = answer(mover, send_choice(chance, mover))
            assert news["type"] == "ack"
            see(news["revision"], *devices)
        see(numbers(devices[0])[-1], *devices)
        agree(*devices)
        last = numbers(devices[0])[-1]
    assert len(stored_events(database, table)) == last
    assert guests[0].get(f"/api/tables/{table}/dice")["fair"] is True


class NotingManager(TableManager):
    """A manager that notes what its bots chose, and in which position."""

    thought: set[tuple[int, int, int]]

    def note_choices(self) -> None:
        """Begin to note."""
        self.thought, chosen = set(), self.bots._chosen

        async def noted(live: LiveTable, seat: int, level: str) -> int:
            moves = live.table.moves
            action = await chosen(live, seat, level)
            self.thought.add((moves, seat, action))
            return action

        self.bots._chosen = noted  # type: ignore[method-assign]


def test_what_a_bot_chose_is_never_done_in_another_position(database: str) -> None:
    """Two workers' bots think about the same; the second must not put its choice into the position that follows."""

    async def play() -> None:
        houses = [NotingManager(open_store(database), ManagerSettings(thinkers=1)) for _ in range(2)]
        for house in houses:
            house.note_choices()
            await house.store.start()
        try:
            for number in range(5):
                wish = CreateTable(
                    "emerald", [SeatRequest("me"), SeatRequest("bot", level="hatchling")], {"starts": "2"}
                )
                await race_bots(houses, await houses[0].open(f"{number:032}", wish, ""), f"{number:032}")
        finally:
            for house in houses:
                await house.stop()
                await house.store.close()

    asyncio.run(play())


async def race_bots(houses: list[NotingManager], table: str, guest: str) -> None:
    """Let the bots of two houses play at one table, and compare what happened with what they thought of."""
    for house in houses:
        house.thought.clear()
    await asyncio.gather(*(house.live_table(table) for house in houses))
    await houses[0].do(table, guest, AssignSubstitute(seat=0, level="hatchling"))
    rooms = [await house.live_table(table) for house in houses]
    async with asyncio.timeout(PATIENCE):
        while not all(room.table.status == "over" for room in rooms):
            await asyncio.sleep(0.01)
    stored = await houses[0].store.load(table)
    assert stored is not None
    thought, moves = set[tuple[int, int, int]]().union(*(house.thought for house in houses)), 0
    for event in map(read, stored.events):
        if isinstance(event, ActionTaken):
            assert (moves, event.seat, event.action) in thought
            moves += 1
        moves += len(getattr(event, "chance", ()))


def test_a_worker_that_dies_while_its_bot_thinks_is_replaced(database_server: Postgres) -> None:
    with database_server.database() as url, serving(url) as first, serving(url) as second:
        ann = Guest(first)
        table = ann.open("emerald", ME, {"kind": "bot", "level": "dragon"}, options={"starts": "1"})
        last = 0
        with ann.socket(table) as seat:
            while seat.choices():
                last = seat.choose(seat.choices()[0])["revision"]
            first.kill()
        eventually(lambda: stored_number(url, table) > last)  # the other worker looks for such tables by itself
        with ann.socket(table, second) as seat:
            while not seat.choices():
                seat.receive()
            seat.choose(seat.choices()[0])
            bots = [each for each in stored_events(url, table)[last:] if isinstance(each, ActionTaken) and each.by_bot]
            assert bots
            assert {event.seat for event in bots} == {1}


def stored_number(database: str, table: str) -> int:
    """Ask the database for the number of the last event."""
    return asyncio.run(execute(database, f"SELECT max(number) FROM events WHERE table_id = '{table}'"))


# --- What gets lost --------------------------------------------------------------------------------------------------
LISTENERS = "(query ILIKE 'LISTEN%' OR query = 'SELECT 1')"  # the second asks whether the connection is still there
ALL = "pid <> pg_backend_pid()"


@pytest.mark.parametrize("which", [LISTENERS, ALL])
def test_lost_connections_are_healed(pair: tuple[Server, Server], database: str, which: str) -> None:
    cut = (
        f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND {which}"
    )
    chance = random.Random(which)
    table, guests = sit_down(pair, "emerald")
    with sockets(table, guests, pair) as seats:
        for round_ in range(60):
            if seats[0][0].result:
                break
            if round_ % 12 == 5:
                assert asyncio.run(execute(database, cut)) >= 2
            mover = chance.choice(next(devices for devices in seats if devices[0].choices()))
            news = answer(mover, send_choice(chance, mover))
            assert news["type"] == "ack"
            for devices in seats:
                see(news["revision"], *devices)
                agree(*devices)


def test_a_worker_that_was_cut_off_catches_up(database_server: Postgres) -> None:
    """What it did not manage to store may be done elsewhere meanwhile; its screens learn of that without a word."""
    chance = random.Random(75)
    with database_server.database() as url, cuttable(url) as line, serving(line.url) as first, serving(url) as second:
        table, guests = sit_down([first, second], "emerald")
        with sockets(table, guests, [first, second]) as seats:
            asked = next(devices for devices in seats if devices[0].choices())
            line.cut()
            number, sent = 0, send_choice(chance, asked[0])
            assert answer(asked[0], sent)["problem"]["code"] == "store_away"
            for _ in range(5):
                there = next(devices[1] for devices in seats if devices[1].choices())
                number = answer(there, send_choice(chance, there))["revision"]
                see(number, *[devices[1] for devices in seats])
            line.mend()
            for devices in seats:
                see(number, *devices)
                agree(*devices)


# --- Several workers by one command ----------------------------------------------------------------------------------
def test_one_command_runs_two_workers(database_server: Postgres) -> None:
    chance = random.Random(74)
    with database_server.database() as url, serving(url, "--workers", "2") as server, ExitStack() as opened:
        table, guests = sit_down([server], "emerald")
        seats = [[opened.enter_context(guest.socket(table))] for guest in guests]
        while not both_workers_watch(guests[0]):
            for guest, devices in zip(guests, seats, strict=True):
                devices.append(opened.enter_context(guest.socket(table)))
        for _ in range(20):
            race(chance, seats)
        eventually(lambda: figures(server)["dracotheque_sockets"] == sum(map(len, seats)))
        assert figures(server)["dracotheque_commands_total ok Move"] == 20
        assert server.stop() == 0


def both_workers_watch(guest: Guest) -> bool:
    """Return whether sockets are open at more than one worker: each counts its own."""
    counts = set[int]()
    for _ in range(20):
        with Guest(guest.url).http as asking:
            counts.add(asking.get("/healthz").json()["sockets"])
    return len(counts) > 1 and 0 not in counts


def test_several_workers_need_postgresql(tmp_path: Path) -> None:
    command = [*Server(tmp_path / "tables.db", "--workers", "2").command]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode != 0
    assert "--workers above 1 needs PostgreSQL" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (tmp_path / "tables.db").exists()

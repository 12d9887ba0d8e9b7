"""Both stores keep what they acknowledged, in order and once, and everything else a store promises."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from dracotheque.tables.storage import postgres as game_postgres
from dracotheque.tables.storage import sqlite
from dracotheque.tables.storage.postgres import PostgresStore, UnreachableError
from dracotheque.tables.storage.sqlite import SqliteStore
from dracotheque.tables.storage.store import Guest, NewTable, Seat, Store, StoreError, TableSummary, open_store
from tests.tables.postgres import Postgres, execute, postgres

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
OPEN = TableSummary("open", listed=True, free=1, asked=0, due=None, moves=0)
PLAYING = TableSummary("playing", listed=True, free=0, asked=1, due=None, moves=3)
OVER = TableSummary("over", listed=True, free=0, asked=0, due=None, moves=40)
CLOSED = TableSummary("closed", listed=True, free=0, asked=0, due=None, moves=0)
ANN, BOB = Seat("ann", "Ann"), Seat("bob", "Bob")
BOT, FREE = Seat(name="Bot", bot="greedy"), Seat()
UNFIT = ["a\0b", "half \ud83d", "\0"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    with postgres() as started:
        yield started


@pytest.fixture
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Make empty databases of either kind."""
    databases = list[Any]()

    def make(kind: str) -> str:
        if kind == "sqlite":
            return str(tmp_path / f"{len(databases)}{os.urandom(4).hex()}.db")
        database = request.getfixturevalue("server").database()
        databases.append(database)
        return database.__enter__()

    yield make
    for database in databases:
        database.__exit__(None, None, None)


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def url(kind: str, new_url: Callable[[str], str]) -> str:
    return new_url(kind)


@pytest.fixture
def postgres_url(new_url: Callable[[str], str]) -> str:
    return new_url("postgres")


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with opened(url) as started:
        yield started


@asynccontextmanager
async def opened(*urls: str) -> AsyncIterator[Any]:
    """Start stores, and close them afterwards."""
    stores = [open_store(url) for url in urls]
    async with AsyncExitStack() as stack:
        for each in stores:
            await each.start()
            stack.push_async_callback(each.close)
        yield stores[0] if len(stores) == 1 else stores


def table(name: str, created: float = 1.0, game: str = "emerald") -> NewTable:
    return NewTable(name, game, 2, name.encode(errors="replace").ljust(32, b"."), created)


async def fill(store: Store) -> None:
    """Put a little of everything into a store."""
    await store.secret()
    await store.put_guest(Guest("ann", "Ann – Ä’\n✨", "lion", 1.25))
    await store.put_guest(Guest("bob", "Bob", "bear", 2.1))
    await store.saw(["ann"], 77.7)
    await store.create(table("one"), b"\x00first\xff", OPEN, [ANN, FREE])
    await store.append("one", 2, b"second", PLAYING, 3.5, [ANN, BOB])
    await store.append("one", 3, b"", TableSummary("playing", True, 0, 2, 99.5, 1), 4.0)
    await store.create(table("two", game="gran"), b"{}", CLOSED, [BOT, BOT])
    await store.mute("ann", "one", 1, on=True)


async def everything(store: Store, name: str | None = None) -> list[dict[str, Any]]:
    return [record async for record in store.export(name)]


# Guests


async def test_a_guest_is_found_again_and_may_change_name_and_crest(store: Store) -> None:
    assert await store.guest("ann") is None
    await store.put_guest(Guest("ann", "Ann", "lion", 5.125))
    await store.put_guest(Guest("ann", "Anna Ä’✨", "bear", 9.0))
    assert await store.guest("ann") == Guest("ann", "Anna Ä’✨", "bear", 5.125)


async def test_when_guests_were_last_here_never_goes_back(store: Store) -> None:
    for name in ("ann", "bob", "eve"):
        await store.put_guest(Guest(name, name, "lion", 1.0))
    await store.saw(["ann", "bob", "nobody"], 7.5)
    await store.saw(["bob"], 6.0)
    await store.saw(["ann"], 8.5)
    await store.saw([], 10.0)
    assert await store.last_seen(["ann", "bob", "eve", "nobody"]) == {"ann": 8.5, "bob": 7.5}


async def test_muted_seats_are_remembered_for_each_guest_and_table(store: Store) -> None:
    for guest, name, seat in (("ann", "one", 1), ("ann", "one", 2), ("ann", "two", 0), ("bob", "one", 0)):
        await store.mute(guest, name, seat, on=True)
    await store.mute("ann", "one", 2, on=True)
    await store.mute("ann", "one", 1, on=False)
    await store.mute("ann", "one", 3, on=False)
    assert await store.mutes("ann", "one") == {2}
    assert await store.mutes("bob", "two") == frozenset()


# Tables


async def test_a_table_is_read_back_as_it_was_written(store: Store) -> None:
    await fill(store)
    found = await store.load("one")
    assert found is not None
    assert found.seed == table("one").seed
    assert (found.game, found.created) == ("emerald", 1.0)
    assert found.events == [b"\x00first\xff", b"second", b""]
    later = await store.load("one", after=2)
    assert later is not None
    assert later.events == [b""]
    none = await store.load("one", after=3)
    assert none is not None
    assert none.events == []
    assert await store.load("three") is None
    assert await store.numbers(["one", "two", "three"]) == {"one": 3, "two": 1}


async def test_an_id_that_is_taken_is_refused(store: Store) -> None:
    assert await store.create(table("one"), b"mine", OPEN, [ANN])
    before = await everything(store)
    assert not await store.create(table("one", created=2.0, game="gran"), b"yours", PLAYING, [BOB])
    assert not await store.create(table("one"), b"mine", OPEN, [ANN])
    assert await everything(store) == before


@pytest.mark.parametrize("number", [0, 1, 3, 5, -1])
async def test_only_the_next_event_is_appended(store: Store, number: int) -> None:
    await fill(store)
    before = await everything(store)
    assert not await store.append("one", number, b"late", OVER, 50.0, [BOB, BOT])
    assert not await store.append("nowhere", number, b"late", OVER, 50.0)
    assert await everything(store) == before
    assert await store.append("one", 4, b"next", OVER, 50.0)


async def test_missing_events_are_noticed(kind: str, url: str) -> None:
    async with opened(url) as store:
        await fill(store)
    if kind == "sqlite":
        with sqlite3.connect(url) as connection:
            connection.execute("DELETE FROM events WHERE number = 2")
        connection.close()
    else:
        await execute(url, "DELETE FROM events WHERE number = 2")
    async with opened(url) as store:
        with pytest.raises(StoreError, match="events of table one are missing"):
            await store.load("one")


async def test_what_is_not_valid_fails_alone(store: Store) -> None:
    await store.create(table("one"), b"1", OPEN, [ANN])
    await store.create(table("two"), b"1", OPEN, [ANN])
    odd = TableSummary("lost", listed=True, free=0, asked=0, due=None, moves=0)  # pyright: ignore[reportArgumentType]
    results = await asyncio.gather(
        *(store.append(name, number, b"x", row, 2.0, seats) for name, number, row, seats in (
            ("one", 2, PLAYING, None),
            ("two", 2, odd, [BOB]),
            ("two", 2, TableSummary("playing", True, 2**70, 0, None, 0), [BOB]),
        )),
        store.put_guest(Guest("ann", "Ann", "lion", 1.0)),
        return_exceptions=True,
    )  # fmt: skip
    assert all(isinstance(result, Exception) for result in results[1:3])
    assert (results[0], results[3]) == (True, None)
    assert await store.numbers(["one", "two"]) == {"one": 2, "two": 1}
    assert await store.tables_of("bob") == []
    assert await store.append("two", 2, b"x", PLAYING, 2.0)


@pytest.mark.parametrize("text", UNFIT)
async def test_text_that_not_every_database_can_hold_is_never_found_and_not_stored(store: Store, text: str) -> None:
    await fill(store)
    before = await everything(store)
    assert await store.guest(text) is None
    assert await store.load(text) is None
    assert await store.numbers([text, "two"]) == {"two": 1}
    assert await store.last_seen([text, "ann"]) == {"ann": 77.7}
    assert await store.mutes(text, "one") == await store.mutes("ann", text) == frozenset()
    assert await store.tables_of(text) == await store.lobby(text) == await store.running(text) == []
    assert await store.count_unfinished(text) == 0
    for writing in (
        store.put_guest(Guest(text, "", "", 1.0)),
        store.put_guest(Guest("x", text, "", 1.0)),
        store.saw([text], 100.0),
        store.mute(text, "one", 1, on=True),
        store.create(table(text), b"", OPEN, []),
        store.append("one", 4, b"", PLAYING, 5.0, [Seat(text, "x")]),
    ):
        with pytest.raises(ValueError, match="has a NUL or half of a character"):
            await writing
    assert await everything(store) == before


# Lists


async def test_the_lobby_lists_public_tables_with_a_seat_to_take_the_newest_first(store: Store) -> None:
    rows = {
        "old": (1.0, OPEN), "new": (3.0, OPEN), "middle": (2.0, TableSummary("playing", True, 1, 0, None, 5)),
        "hidden": (4.0, TableSummary("open", False, 1, 0, None, 0)),
        "full": (5.0, TableSummary("open", True, 0, 0, None, 0)),
        "over": (6.0, TableSummary("over", True, 1, 0, None, 9)),
        "closed": (7.0, TableSummary("closed", True, 1, 0, None, 9)),
    }  # fmt: skip
    for name, (created, row) in rows.items():
        await store.create(table(name, created, "gran" if name == "old" else "emerald"), b"1", row, [ANN, FREE])
    found = await store.lobby()
    assert [each.id for each in found] == ["new", "middle", "old"]
    assert (found[1].row, found[1].seats, found[1].created) == (rows["middle"][1], [ANN, FREE], 2.0)
    assert (found[2].game, found[2].players) == ("gran", 2)
    assert [each.id for each in await store.lobby("emerald")] == ["new", "middle"]
    assert [each.id for each in await store.lobby(limit=1)] == ["new"]
    assert await store.lobby("chess") == []


async def test_tables_being_played_are_listed_by_their_latest_event(store: Store) -> None:
    for name, row in (("a", PLAYING), ("b", PLAYING), ("c", PLAYING), ("d", OPEN), ("e", OVER)):
        await store.create(table(name, game="gran" if name == "c" else "emerald"), b"1", row, [ANN])
    await store.create(table("f"), b"1", TableSummary("playing", False, 0, 0, None, 1), [ANN])
    await store.append("a", 2, b"2", PLAYING, 9.0)
    await store.append("c", 2, b"2", PLAYING, 5.0)
    found = await store.running()
    assert [(each.id, each.updated) for each in found] == [("a", 9.0), ("c", 5.0), ("b", 1.0)]
    assert [each.id for each in await store.running("emerald")] == ["a", "b"]
    assert [each.id for each in await store.running(limit=2)] == ["a", "c"]


async def test_a_guest_finds_the_own_tables_what_is_not_over_first(store: Store) -> None:
    for name, created in (("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0), ("e", 5.0), ("f", 6.0)):
        await store.create(table(name, created), b"1", OPEN, [ANN, ANN, FREE])
    await store.append("a", 2, b"2", PLAYING, 10.0, [ANN, BOB])
    await store.append("b", 2, b"2", OVER, 11.0)
    await store.append("c", 2, b"2", OVER, 12.0)
    await store.append("c", 3, b"3", OVER, 13.0)
    await store.append("d", 2, b"2", CLOSED, 14.0)
    await store.append("e", 2, b"2", OPEN, 15.0, [BOB, BOT])
    assert [each.id for each in await store.tables_of("ann")] == ["a", "f", "c", "b"]
    assert [each.id for each in await store.tables_of("ann", limit=3)] == ["a", "f", "c"]
    assert [each.id for each in await store.tables_of("ann", limit=1)] == ["a"]
    assert [each.id for each in await store.tables_of("bob")] == ["e", "a"]
    assert [await store.count_unfinished(guest) for guest in ("ann", "bob", "eve")] == [2, 2, 0]


async def test_a_finished_table_can_be_taken_up_again(store: Store) -> None:
    await store.create(table("one"), b"1", PLAYING, [ANN, BOB])
    await store.append("one", 2, b"2", OVER, 2.0)
    assert await store.count_unfinished("ann") == 0
    await store.append("one", 3, b"3", PLAYING, 3.0)
    assert await store.count_unfinished("ann") == await store.count_unfinished("bob") == 1
    await store.append("one", 4, b"4", OVER, 4.0, [BOB, BOT])
    assert [each.seats for each in await store.tables_of("bob")] == [[BOB, BOT]]
    assert await store.count_unfinished("bob") == 0
    assert await store.tables_of("ann") == []


async def test_tables_are_due_from_their_time_on_the_longest_overdue_first(store: Store) -> None:
    for name, due in (("late", 3.0), ("later", 5.0), ("today", 7.0), ("never", None)):
        await store.create(table(name), b"1", TableSummary("playing", False, 0, 1, due, 1), [ANN])
    assert await store.due(2.9) == []
    assert await store.due(5.0) == ["late", "later"]
    assert await store.due(9.0, limit=1) == ["late"]
    await store.put_off("late", 6.0)
    await store.put_off("never", 6.0)
    assert await store.due(5.0) == ["later"]
    assert await store.due(9.0) == ["later", "late", "today"]
    await store.append("late", 2, b"2", OVER, 4.0)
    assert await store.due(9.0) == ["later", "today"]


# The house


async def test_the_secret_is_made_once_for_all_who_ask(url: str) -> None:
    async with opened(url, url) as (first, second):
        secrets = await asyncio.gather(*(store.secret() for store in (first, second) * 5))
    assert len(set(secrets)) == 1
    assert len(secrets[0]) == 32
    async with opened(url) as again:
        assert await again.secret() == secrets[0]


async def test_a_closed_store_is_not_healthy_and_says_what_is_wrong(url: str) -> None:
    async with opened(url) as store:
        assert await store.healthy()
    assert not await store.healthy()
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.guest("ann")
    with pytest.raises(StoreError, match="closed"):
        await store.create(table("one"), b"1", OPEN, [])
    with pytest.raises(StoreError, match="closed"):
        await everything(store)


async def test_closing_writes_first_what_is_under_way(url: str) -> None:
    async with opened(url) as store:
        under_way = [asyncio.ensure_future(store.create(table(f"{n}"), b"1", OPEN, [ANN])) for n in range(100)]
        await asyncio.sleep(0)
    assert await asyncio.gather(*under_way) == [True] * 100
    async with opened(url) as store:
        assert len(await store.numbers([f"{n}" for n in range(100)])) == 100


# Races


async def test_of_two_stores_that_append_the_same_number_one_wins(url: str) -> None:
    async with opened(url, url) as stores:
        await stores[0].create(table("one"), b"1", PLAYING, [ANN])
        for number in range(2, 6):
            events = [f"{number}/{attempt}".encode() for attempt in range(100)]
            wins = await asyncio.gather(
                *(
                    stores[n % 2].append("one", number, event, PLAYING, 2.0, [ANN, Seat(event.decode(), "x")])
                    for n, event in enumerate(events)
                )
            )
            assert sum(wins) == 1
            found = await stores[1].load("one", after=number - 1)
            assert found.events == [events[wins.index(True)]]
            assert [each.id for each in await stores[0].tables_of(found.events[0].decode())] == ["one"]


async def test_of_two_processes_that_append_the_same_number_one_wins(url: str) -> None:
    async with opened(url) as store:
        await store.create(table("one"), b"1", PLAYING, [ANN])
        racers = [writer("race", url, run, "one", "20", "10") for run in ("first", "second")]
        won = [line for racer in racers for line in (await asyncio.to_thread(racer.communicate))[0].splitlines()]
        assert [racer.returncode for racer in racers] == [0, 0]
        found = await store.load("one", after=1)
        assert sorted(won) == sorted(event.decode() for event in found.events)
        assert len(won) == 19


async def test_of_creations_that_race_one_wins(url: str) -> None:
    async with opened(url, url) as stores:
        wins = await asyncio.gather(
            *(stores[n % 2].create(table("one"), f"{n}".encode(), OPEN, [Seat(f"{n}", "x")]) for n in range(100))
        )
        assert sum(wins) == 1
        assert (await stores[0].load("one")).events == [f"{wins.index(True)}".encode()]


async def test_appends_under_way_keep_their_order(store: Store, kind: str) -> None:
    last = 2500 if kind == "sqlite" else 200
    for name in ("one", "two"):
        await store.create(table(name), b"1", PLAYING, [ANN])
    wins = await asyncio.gather(
        *(
            store.append(name, number, f"{number}".encode(), PLAYING, float(number))
            for number in range(2, last)
            for name in ("one", "two")
        )
    )
    assert all(wins)
    for name in ("one", "two"):
        found = await store.load(name)
        assert found is not None
        assert found.events == [f"{number}".encode() for number in range(1, last)]


async def test_many_tables_at_once_get_each_its_own(store: Store) -> None:
    names = [f"t{n}" for n in range(700)]
    await asyncio.gather(*(store.create(table(name), b"1", OPEN, [ANN]) for name in names))
    wins = await asyncio.gather(
        *(
            store.append(
                name, 2, name.encode(), TableSummary("over", True, 0, n, n / 8 or None, n), float(n),
                [Seat(f"g{n}", name)] if n % 2 else None,
            )
            for n, name in enumerate(names)
        ),
        *(store.append(name, 3 if n % 3 else 4, b"later", OVER, 1.0) for n, name in enumerate(names)),
    )  # fmt: skip
    assert wins == [True] * 700 + [n % 3 > 0 for n in range(700)]
    for n, name in enumerate(names):
        if n % 3 == 0:
            (found,) = [each for each in await store.tables_of(f"g{n}" if n % 2 else "ann", 700) if each.id == name]
            assert (found.row, found.updated) == (TableSummary("over", True, 0, n, n / 8 or None, n), float(n))
            assert found.seats == ([Seat(f"g{n}", name)] if n % 2 else [ANN])
    assert len(await store.tables_of("ann", 1000)) == 350


async def test_who_gives_up_waiting_hurts_nobody(store: Store) -> None:
    await store.create(table("one"), b"1", PLAYING, [ANN])
    for number in range(2, 30):
        waiting = asyncio.ensure_future(store.append("one", number, b"given up", PLAYING, 2.0))
        other = asyncio.ensure_future(store.put_guest(Guest(f"{number}", "x", "lion", 1.0)))
        await asyncio.sleep(0)
        waiting.cancel()
        await other
        await store.append("one", number, b"again", PLAYING, 2.0)
    found = await store.load("one")
    assert found is not None
    assert len(found.events) == 29


# Killed


def writer(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.tables.store_writer", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def killed_in_the_middle(url: str, run: str, tables: Sequence[str], after: int) -> list[str]:
    """Let a writer write until it acknowledged so many events, kill it, and give all that it acknowledged."""
    with writer("write", url, run, *tables) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(after)]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [line.strip() for line in lines if line.endswith("\n")]


async def test_what_a_killed_process_acknowledged_is_there(url: str) -> None:
    chance, tables, acknowledged = Random(7), [f"t{n}" for n in range(8)], list[str]()
    async with opened(url) as store:
        for name in tables:
            await store.create(table(name), b"1", PLAYING, [ANN])
    for run in range(20):
        after = chance.randrange(1, 60)
        acknowledged += await asyncio.to_thread(killed_in_the_middle, url, f"run{run}", tables, after)
        async with opened(url) as store:
            for name in tables:
                events = [event.decode() for event in (await store.load(name)).events[1:]]
                assert [event.split()[:2] for event in events] == [[name, f"{n + 2}"] for n in range(len(events))]
                assert set(events) >= {event for event in acknowledged if event.startswith(f"{name} ")}
    assert len(acknowledged) >= 20 * 8


# Versions


ANOTHER = "ALTER TABLE guests ADD COLUMN motto text; CREATE INDEX mottos ON guests (motto)"


def versioned(url: str, *more: str) -> Any:
    if url.startswith("postgresql"):
        return PostgresStore(url, [*game_postgres.MIGRATIONS, *more])
    return SqliteStore(Path(url), [*sqlite.MIGRATIONS, *more])


async def test_an_older_database_is_brought_up_to_date_with_what_is_in_it(url: str) -> None:
    async with opened(url) as store:
        await fill(store)
        before = await everything(store)
    newer = versioned(url, ANOTHER)
    for _ in range(2):
        await newer.start()
        assert await everything(newer) == before
        assert await newer._rows("SELECT version FROM schema") == [(2,)]
        assert await newer._rows("SELECT motto FROM guests") == [(None,), (None,)]
        await newer.close()


async def test_a_newer_database_is_refused_and_untouched(url: str) -> None:
    newer = versioned(url, ANOTHER)
    await newer.start()
    await fill(newer)
    before = await everything(newer)
    await newer.close()
    with pytest.raises(StoreError, match="schema version 2, this program knows versions up to 1"):
        await open_store(url).start()
    await newer.start()
    assert await everything(newer) == before
    await newer.close()


async def test_a_migration_that_fails_changes_nothing(url: str) -> None:
    async with opened(url) as store:
        await fill(store)
        before = await everything(store)
    with pytest.raises(StoreError):
        await versioned(url, ANOTHER, "DROP TABLE mutes; DROP TABLE nothing").start()
    async with opened(url) as store:
        assert await everything(store) == before
        assert await store._rows("SELECT version FROM schema") == [(1,)]


async def test_workers_that_start_at_once_on_an_empty_database_do_not_collide(url: str) -> None:
    stores = [open_store(url) for _ in range(6)]
    await asyncio.gather(*(store.start() for store in stores))
    wins = await asyncio.gather(*(store.create(table("one"), b"1", OPEN, [ANN]) for store in stores))
    assert sum(wins) == 1
    await asyncio.gather(*(store.close() for store in stores))


# Out and in


@pytest.mark.parametrize("to", ["sqlite", "postgres"])
async def test_what_is_exported_and_restored_is_the_same(store: Store, new_url: Callable[[str], str], to: str) -> None:
    await fill(store)
    for n in range(450):
        await store.create(table(f"t{n}", float(n)), b"1", PLAYING, [ANN, Seat(f"g{n % 7}", "G")])
    before = await everything(store)
    async with opened(new_url(to)) as other:
        assert await other.restore(store.export()) == 452
        assert await everything(other) == before
        assert await other.restore(before) == 0
        assert await everything(other) == before
        for guest in ("ann", "bob", "g3"):
            assert await other.tables_of(guest, 500) == await store.tables_of(guest, 500)
        assert await other.lobby() == await store.lobby()
        assert await other.append("one", 4, b"goes on", PLAYING, 5.0)


async def test_one_table_is_exported_without_anything_else(store: Store, new_url: Callable[[str], str]) -> None:
    await fill(store)
    await store.put_guest(Guest("stranger", "Eve", "lion", 1.0))
    await store.mute("stranger", "two", 0, on=True)
    found = await everything(store, "one")
    assert [record["record"] for record in found] == ["dracotheque", "guest", "guest", "table", "mute", "end"]
    assert found[0].get("secret") is None
    assert "stranger" not in str(found)
    async with opened(new_url("sqlite")) as other:
        assert await other.restore(found) == 1
        assert await everything(other, "one") == found
    with pytest.raises(StoreError, match="no table 'three'"):
        await everything(store, "three")


async def test_an_export_is_of_one_moment(store: Store) -> None:
    await fill(store)
    before = await everything(store)
    export = store.export()
    found = [await anext(export)]
    await store.create(table("zzz"), b"1", OPEN, [BOB])
    await store.append("one", 4, b"4", OVER, 9.0, [BOB, BOT])
    await store.put_guest(Guest("eve", "Eve", "lion", 1.0))
    found += [record async for record in export]
    assert found == before


async def test_an_export_may_be_left_early(store: Store) -> None:
    await fill(store)
    for _ in range(30):
        export = store.export()
        await anext(export)
        await export.aclose()  # pyright: ignore[reportAttributeAccessIssue]
    assert await store.append("one", 4, b"4", OVER, 9.0)


async def test_a_table_with_other_events_is_refused_and_nothing_is_imported(store: Store) -> None:
    await fill(store)
    exported = await everything(store)
    await store.append("one", 4, b"4", PLAYING, 9.0)
    extra = [*exported[:1], record_of_table("aaa"), *exported[1:-1], {"record": "end", "tables": 3}]
    before = await everything(store)
    with pytest.raises(StoreError, match="Table one already exists with other events"):
        await store.restore(extra)
    assert await everything(store) == before
    assert await store.append("one", 5, b"5", PLAYING, 9.0)


def record_of_table(name: str, **changes: Any) -> dict[str, Any]:
    return {
        "record": "table", "table": {"id": name, "game": "emerald", "players": 2, "seed": "AAAA", "created": 1.0},
        "updated": 2.0, "seats": [{"guest": "ann", "name": "Ann", "bot": None}], "events": ["AAAA"],
        "row": {"status": "open", "listed": True, "free": 1, "asked": 0, "due": None, "moves": 0},
    } | changes  # fmt: skip


HEAD, END = {"record": "dracotheque", "format": 1}, {"record": "end", "tables": 1}
BROKEN = {
    "nothing": [],
    "no head": [record_of_table("x"), END],
    "two heads": [HEAD, HEAD, record_of_table("x"), END],
    "another format": [HEAD | {"format": 2}, record_of_table("x"), END],
    "no end": [HEAD, record_of_table("x")],
    "too few tables": [HEAD, record_of_table("x"), END | {"tables": 2}],
    "more after the end": [HEAD, record_of_table("x"), END, record_of_table("y")],
    "not a record": [HEAD, record_of_table("x"), 7, END],
    "an unknown record": [HEAD, record_of_table("x"), {"record": "dragon"}, END],
    "an unknown status": [HEAD, record_of_table("x", row={"status": "lost"}), END],
    "no events": [HEAD, record_of_table("x", events=[]), END],
    "events that are not base64": [HEAD, record_of_table("x", events=["Ä"]), END],
    "a field too much": [HEAD, record_of_table("x", dragon=1), END],
    "a NUL": [HEAD, record_of_table("x\0"), END],
    "half of a character in a name": [
        HEAD, record_of_table("x", seats=[{"guest": "ann", "name": "\ud83d", "bot": None}]), END,
    ],
    "a number too large": [
        HEAD, record_of_table("x"), {"record": "mute", "guest": "a", "table": "x", "seat": 2**70}, END,
    ],
    "one id with two stories": [
        HEAD, record_of_table("x"), record_of_table("x", events=["BBBB"]), END | {"tables": 2},
    ],
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
async def test_what_is_no_whole_export_is_refused_and_nothing_is_imported(store: Store, case: str) -> None:
    before = await everything(store)
    with pytest.raises(StoreError):
        await store.restore(BROKEN[case])
    assert await everything(store) == before
    assert await store.create(table("x"), b"1", OPEN, [])


async def test_a_source_that_breaks_off_imports_nothing(store: Store) -> None:
    async def source() -> AsyncIterator[dict[str, Any]]:
        yield HEAD
        for n in range(500):
            yield record_of_table(f"{n}")
        raise OSError("the disk is gone")

    with pytest.raises((OSError, StoreError), match="the disk is gone"):
        await store.restore(source())
    assert await store.numbers([f"{n}" for n in range(500)]) == {}
    assert await store.create(table("0"), b"1", OPEN, [])


# SQLite


@pytest.fixture
async def lite(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    async with opened(str(tmp_path / "house.db")) as started:
        yield started


async def test_a_backup_is_a_whole_database_made_while_others_write(lite: SqliteStore, tmp_path: Path) -> None:
    await fill(lite)

    async def write() -> None:
        for number in range(4, 200):
            await lite.append("one", number, f"{number}".encode(), PLAYING, 1.0)

    writing = asyncio.ensure_future(write())
    copies = [tmp_path / f"copy{n}.db" for n in range(5)]
    for copy in copies:
        await lite.backup(copy)
    await writing
    for copy in copies:
        async with opened(str(copy)) as store:
            found = await store.load("one")
            assert found.events[3:] == [f"{number}".encode() for number in range(4, len(found.events) + 1)]
            assert len(await everything(store)) == len(await everything(lite))
    assert not [path for path in tmp_path.iterdir() if ".part" in path.name]


async def test_a_backup_overwrites_nothing_and_says_where_it_cannot_write(lite: SqliteStore, tmp_path: Path) -> None:
    precious = tmp_path / "precious.db"
    precious.write_text("mine")
    with pytest.raises(StoreError, match=r"precious.db already exists"):
        await lite.backup(precious)
    assert precious.read_text() == "mine"
    with pytest.raises(StoreError, match="Cannot write the backup to"):
        await lite.backup(tmp_path / "nowhere" / "copy.db")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
async def test_only_the_owner_may_read_the_files(lite: SqliteStore, tmp_path: Path) -> None:
    await fill(lite)
    await lite.backup(tmp_path / "copy.db")
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert {"house.db", "house.db-wal", "copy.db"} <= modes.keys()
    assert set(modes.values()) == {0o600}


async def test_sqlite_is_set_to_survive_a_power_cut(lite: SqliteStore) -> None:
    for name, value in (("journal_mode", "wal"), ("synchronous", 2)):
        assert await lite._change(lambda writing, name=name: writing.execute(f"PRAGMA {name}").fetchone()) == (value,)


async def test_another_process_that_holds_the_file_makes_it_unhealthy_not_broken(
    lite: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "HEALTH_SECONDS", 0.1)
    await fill(lite)
    other = sqlite3.connect(lite.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.ensure_future(lite.append("one", 4, b"4", PLAYING, 5.0))
    assert not await lite.healthy()
    other.execute("ROLLBACK")
    assert await waiting
    other.close()


# What cannot be opened


def a_text(path: Path) -> None:
    path.write_text("This is no database, although it is long enough to be one. " * 99)


def of_another_program(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE cats (name)")
    connection.close()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (a_text, "not a database of Dracothèque"),
        (of_another_program, "belongs to another program"),
        (Path.mkdir, "directory"),
    ],
)
async def test_a_file_that_is_something_else_is_refused_and_untouched(
    tmp_path: Path, make: Callable[[Path], None], words: str
) -> None:
    path = tmp_path / "house.db"
    make(path)
    before = path.is_dir() or path.read_bytes()
    with pytest.raises(StoreError, match=words):
        await open_store(str(path)).start()
    assert (path.is_dir() or path.read_bytes()) == before


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file/house.db cannot be written"):
        await open_store(str(tmp_path / "file" / "house.db")).start()


async def test_folders_of_a_new_database_are_made(tmp_path: Path) -> None:
    async with opened(f"sqlite://{tmp_path}/a/b%20c/house.db") as store:
        assert await store.healthy()
    assert (tmp_path / "a" / "b c" / "house.db").is_file()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://localhost/x", "kind of database 'mysql'"),
        ("sqlite://x.db", "three slashes"),
        ("sqlite:///", "three slashes"),
    ],
)
async def test_a_url_of_nothing_known_is_explained(url: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        open_store(url)


async def test_postgres_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(StoreError, match=r"pip install 'dracotheque\[postgres\]'"):
        open_store("postgresql://localhost/x")


async def test_a_server_that_does_not_answer_is_named_without_its_password(unused_port: int) -> None:
    store = PostgresStore(f"postgresql://me:word@127.0.0.1:{unused_port}/house", retry_seconds=0.2)
    with pytest.raises(StoreError, match=r"database house at 127.0.0.1 does not answer") as caught:
        await store.start()
    assert "word" not in str(caught.value)


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as bound:
        return bound.getsockname()[1]


async def test_a_database_that_is_not_there_or_not_ours_is_refused(server: Postgres, postgres_url: str) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        await open_store(postgres_url + "x" if "?" not in postgres_url else postgres_url.replace("?", "x?")).start()
    await execute(postgres_url, "CREATE TABLE tables (legs integer)")
    with pytest.raises(StoreError, match="tables of another program"):
        await open_store(postgres_url).start()
    assert await execute(postgres_url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 1


# Several workers on PostgreSQL


class Heard:
    """What a store says about other workers, to be waited for."""

    def __init__(self, store: Store) -> None:
        """Begin to listen."""
        self.changes: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        self.lost = asyncio.Event()
        store.changed = lambda table, number: self.changes.put_nowait((table, number))
        store.lost = self.lost.set

    async def next(self) -> tuple[str, int]:
        """Wait for the next change."""
        async with asyncio.timeout(30):
            return await self.changes.get()


async def test_other_workers_hear_of_every_event_and_nobody_of_the_own(postgres_url: str) -> None:
    async with opened(postgres_url, postgres_url) as (first, second):
        first_heard, second_heard = Heard(first), Heard(second)
        await first.create(table("one two"), b"1", OPEN, [ANN])
        await first.append("one two", 2, b"2", PLAYING, 2.0, [ANN, BOB])
        await first.append("one two", 2, b"refused", PLAYING, 2.0)
        await first.append("one two", 3, b"3", PLAYING, 2.0)
        assert [await second_heard.next() for _ in range(3)] == [("one two", 1), ("one two", 2), ("one two", 3)]
        await second.append("one two", 4, b"4", PLAYING, 2.0)
        assert await first_heard.next() == ("one two", 4)
        assert second_heard.changes.empty()


LISTENERS = "FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"


async def test_a_lost_listener_says_so_and_hears_again(postgres_url: str) -> None:
    async with opened(postgres_url, postgres_url) as (first, second):
        heard = Heard(second)
        await first.create(table("one"), b"1", OPEN, [ANN])
        assert await heard.next() == ("one", 1)
        for number in (2, 3):
            assert await execute(postgres_url, f"SELECT count(pg_terminate_backend(pid)) {LISTENERS}") == 2
            async with asyncio.timeout(30):
                await heard.lost.wait()
            heard.lost.clear()
            await first.append("one", number, b"x", PLAYING, 2.0)
            assert await heard.next() == ("one", number)


async def test_a_restarted_server_loses_and_doubles_nothing(server: Postgres, postgres_url: str) -> None:
    if server.restart is None:
        pytest.skip("a server that is not ours is not restarted")
    async with opened(postgres_url, postgres_url) as stores:
        heard, acknowledged = Heard(stores[1]), dict[str, int]()

        async def write(name: str, store: Store) -> None:
            await store.create(table(name), b"1", PLAYING, [ANN])
            number = 1
            while not heard.lost.is_set() or number < 20:
                number += 1
                assert await store.append(name, number, f"{name} {number}".encode(), PLAYING, 2.0)
                acknowledged[name] = number

        writing = [asyncio.ensure_future(write(f"t{n}", stores[n % 2])) for n in range(6)]
        await heard.next()
        await asyncio.to_thread(server.restart)
        await asyncio.gather(*writing)
        for name, last in acknowledged.items():
            events = (await stores[0].load(name)).events
            assert events == [b"1", *(f"{name} {number}".encode() for number in range(2, last + 1))]


class Cut:
    """Stands between a store and PostgreSQL, and cuts the line once, before or after a request is carried out."""

    def __init__(self, url: str, request: bytes, before: bool) -> None:
        """Watch for a request; `cut` is set when the line was cut."""
        self.parts, self.request, self.before, self.cut = urlsplit(url), request, before, asyncio.Event()
        self.then: Callable[[], Any] | None = None
        self.lines = list[asyncio.StreamWriter]()

    async def __aenter__(self) -> Cut:
        self.listening = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        port = self.listening.sockets[0].getsockname()[1]
        account = self.parts.netloc.rpartition("@")[0] or "postgres"
        self.url = f"postgresql://{account}@127.0.0.1:{port}{self.parts.path}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.listening.close()

    def hang_up(self) -> None:
        """Cut every line and take no calls any more."""
        self.listening.close()
        for line in self.lines:
            line.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a connection's bytes both ways."""
        if folder := parse_qs(self.parts.query).get("host"):
            server, to_server = await asyncio.open_unix_connection(f"{folder[0]}/.s.PGSQL.5432")
        else:
            server, to_server = await asyncio.open_connection(self.parts.hostname, self.parts.port or 5432)
        deaf = asyncio.Event()
        self.lines += [writer, to_server]
        await asyncio.gather(self.requests(reader, to_server, deaf), self.answers(server, writer, deaf))

    async def requests(self, client: asyncio.StreamReader, server: asyncio.StreamWriter, deaf: asyncio.Event) -> None:
        """Carry what the client asks, up to the request that is watched for."""
        while data := await client.read(2**16):
            if self.request in data and not self.cut.is_set():
                deaf.set()
                if self.before:
                    if self.then:
                        await self.then()
                    break
            server.write(data)
        server.close()

    async def answers(self, server: asyncio.StreamReader, client: asyncio.StreamWriter, deaf: asyncio.Event) -> None:
        """Carry what the server answers, but not to that request."""
        while data := await server.read(2**16):
            if deaf.is_set():
                break
            client.write(data)
        if deaf.is_set():
            self.cut.set()
        client.close()


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("what", ["append", "create"])
async def test_a_lost_answer_is_not_taken_for_a_refusal(postgres_url: str, what: str, before: bool) -> None:
    async with Cut(postgres_url, b"the lost event", before) as line, opened(line.url) as store:
        await store.create(table("one"), b"1", OPEN, [ANN])
        if what == "append":
            assert await store.append("one", 2, b"the lost event", PLAYING, 2.0)
        else:
            assert await store.create(table("two"), b"the lost event", OPEN, [ANN])
        assert line.cut.is_set()
        found = await store.load("one" if what == "append" else "two")
        assert found.events[-1] == b"the lost event"
        assert len(found.events) == (2 if what == "append" else 1)


async def test_after_a_lost_request_another_workers_event_is_not_taken_for_ours(postgres_url: str) -> None:
    async with Cut(postgres_url, b"the lost event", before=True) as line, opened(line.url, postgres_url) as stores:
        await stores[0].create(table("one"), b"1", OPEN, [ANN])
        line.then = lambda: stores[1].append("one", 2, b"the other event", PLAYING, 2.0)
        assert not await stores[0].append("one", 2, b"the lost event", PLAYING, 2.0)
        assert line.cut.is_set()
        assert (await stores[0].load("one")).events == [b"1", b"the other event"]


async def test_a_server_out_of_reach_fails_what_waits_and_is_not_healthy(postgres_url: str) -> None:
    async with Cut(postgres_url, b"nothing", before=True) as line:
        store = PostgresStore(line.url, retry_seconds=0.3)
        await store.start()
        for name in ("one", "two", "three"):
            await store.create(table(name), b"1", OPEN, [ANN])
        line.hang_up()
        results = await asyncio.gather(
            *(store.append(name, 2, b"2", PLAYING, 2.0) for name in ("one", "two", "three", "one")),
            store.load("one"),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [UnreachableError] * 5
        assert "does not answer" in str(results[0])
        assert not await store.healthy()
        await store.close()


@pytest.mark.parametrize("url", ["postgresql://localhost:port/x", "postgresql://[::1/x"])
async def test_a_postgres_url_that_cannot_be_read_is_explained(url: str) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        await open_store(url).start()


async def test_what_is_acknowledged_is_on_the_disk_whatever_the_servers_default(postgres_url: str) -> None:
    name = urlsplit(postgres_url).path.strip("/")
    await execute(postgres_url, f"ALTER DATABASE {name} SET synchronous_commit = off")
    async with opened(postgres_url) as store:
        assert await store._rows("SHOW synchronous_commit") == [("on",)]

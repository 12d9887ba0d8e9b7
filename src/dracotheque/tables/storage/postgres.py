"""Tables in PostgreSQL, for one server process or several, which notify each other of new events."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from functools import partial
from json import dumps
from secrets import token_bytes, token_hex
from typing import Any, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from dracotheque.tables.storage import export, sql
from dracotheque.tables.storage.postgres_sql import (
    APPEND,
    CHANNEL,
    CREATE,
    EVENT,
    EXPORT_TABLES,
    KNOWN,
    LAST_SEEN,
    LOAD,
    MIGRATIONS,
    NUMBERS,
    RESTORE_GUEST,
    SAW,
)
from dracotheque.tables.storage.sql import SqlValue, columns, guests_of, pack_seats, plain, require_plain
from dracotheque.tables.storage.store import NewTable, Seat, Stored, StoreError, TableSummary

T = TypeVar("T")
Connection = Any  # asyncpg has no types
Listener = tuple[Connection, asyncio.Event]  # what listens, and whether it is lost

log = logging.getLogger(__name__)

MIGRATION_LOCK = 0x44524143
CONNECTIONS = 10
MAX_APPENDS = 500  # in one statement
RETRY_SECONDS = 10.0  # for which calls to a server that is being restarted are repeated
CONNECT_SECONDS, ANSWER_SECONDS, HEALTH_SECONDS = 5.0, 30.0, 2.0  # timeouts of connections, queries, health checks
WATCH_SECONDS = 15.0  # after which a silent listening connection is tested


class UnreachableError(StoreError):
    """The server does not answer."""


class _Append(Struct, frozen=True):
    """An append in the queue."""

    table: str
    number: int
    event: bytes
    columns: tuple[Any, ...]
    won: asyncio.Future[bool]


class PostgresStore(sql.SqlQueries):
    """A store in a PostgreSQL database, which several server processes may share."""

    def __init__(self, url: str, migrations: Sequence[str] = MIGRATIONS, retry_seconds: float = RETRY_SECONDS) -> None:
        self.url, self.migrations, self.retry_seconds = url, migrations, retry_seconds
        self.changed: Callable[[str, int], None] = lambda table, number: None
        self.lost: Callable[[], None] = lambda: None
        self._asyncpg = _driver()
        self._worker = token_hex(8)  # to recognise notifications of this worker
        self._open = False
        self._under_way = 0
        self._idle = asyncio.Event()
        self._appends = list[_Append]()
        self._appended = asyncio.Event()

    async def start(self) -> None:
        """Connect, migrate, and listen to other workers."""
        try:
            settings = await self._with_retries(self._prepare)
            self._pool = await self._with_retries(partial(self._connect_pool, settings))
        except StoreError:
            raise
        except ValueError as error:
            raise StoreError(
                "The URL of the PostgreSQL database cannot be read: postgresql://user@host/name"
            ) from error
        try:
            listener = await self._with_retries(self._listen)
        except BaseException:
            self._pool.terminate()
            raise
        self._watching = asyncio.create_task(self._watch(listener), name="store-listener")
        self._writing = asyncio.create_task(self._write(), name="store-writer")
        self._open = True

    async def close(self) -> None:
        """Finish what is under way, then disconnect."""
        if not self._open:
            return
        self._open = False
        self._appended.set()
        await self._writing
        self._watching.cancel()
        with suppress(asyncio.CancelledError):
            await self._watching
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while self._under_way:
                    self._idle.clear()
                    await self._idle.wait()
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()

    # Starting

    async def _connect(self) -> Connection:
        return await self._asyncpg.connect(self.url, timeout=CONNECT_SECONDS, command_timeout=ANSWER_SECONDS)

    async def _prepare(self) -> dict[str, str]:
        """Migrate the database, and return the settings for connections to it."""
        connection = await self._connect()
        try:
            await self._migrate(connection)
            return await _durable(connection)
        finally:
            await connection.close()

    async def _connect_pool(self, settings: dict[str, str]) -> Any:
        return await self._asyncpg.create_pool(
            self.url,
            min_size=1,
            max_size=CONNECTIONS,
            timeout=CONNECT_SECONDS,
            command_timeout=ANSWER_SECONDS,
            server_settings=settings,
        )

    async def _migrate(self, connection: Connection) -> None:
        try:
            async with connection.transaction():
                # Two workers that start at once take turns.
                await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
                await connection.execute("CREATE TABLE IF NOT EXISTS schema (version integer NOT NULL)")
                version = await connection.fetchval("SELECT version FROM schema") or 0
                if version > len(self.migrations):
                    raise sql.newer_schema(version, len(self.migrations))
                if version == len(self.migrations):
                    return
                for script in self.migrations[version:]:
                    await connection.execute(script)
                await connection.execute("DELETE FROM schema")
                await connection.execute("INSERT INTO schema (version) VALUES ($1)", len(self.migrations))
        except self._asyncpg.DuplicateTableError as error:
            raise StoreError(f"{self._where} has tables of another program: use a database of its own.") from error

    @property
    def _where(self) -> str:
        """The database's name in errors, without its password."""
        parts = urlsplit(self.url)
        return (
            f"The PostgreSQL database {parts.path.strip('/') or 'of that user'} at {parts.hostname or 'this machine'}"
        )

    # Lost connections

    @property
    def _transient_errors(self) -> tuple[type[BaseException], ...]:
        """The errors of a server that is being restarted or unreachable, after which a retry may help."""
        driver = self._asyncpg
        return (
            OSError,  # and TimeoutError
            driver.PostgresConnectionError,
            driver.InterfaceError,
            driver.InternalClientError,
            driver.CannotConnectNowError,
            driver.AdminShutdownError,
            driver.CrashShutdownError,
            driver.TooManyConnectionsError,
            driver.DeadlockDetectedError,
        )

    async def _with_retries(self, work: Callable[[], Awaitable[T]]) -> T:
        """Retry work while the server does not respond, for `retry_seconds`."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.retry_seconds
        for pause in _pauses():
            try:
                return await work()
            except ValueError:  # asyncpg says so where an argument does not fit, and it will not fit later
                raise
            except self._transient_errors as error:
                if loop.time() + pause > deadline:
                    raise UnreachableError(f"{self._where} does not answer: {_message(error)}.") from error
                log.warning("the database does not answer (%s); trying again", type(error).__name__)
            except self._asyncpg.PostgresError as error:
                raise self._store_error(error) from error
            await asyncio.sleep(pause)
        raise AssertionError

    async def _with(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run idempotent work on a connection of the pool; run it again if the connection was lost."""

        async def attempt() -> T:
            async with self._pool.acquire(timeout=ANSWER_SECONDS) as connection:
                return await work(connection)

        self._require_open()
        self._under_way += 1
        try:
            return await self._with_retries(attempt)
        finally:
            self._under_way -= 1
            self._idle.set()

    def _require_open(self) -> None:
        if not self._open:
            raise StoreError("The store is closed.")

    def _store_error(self, error: BaseException) -> StoreError:
        return StoreError(f"{self._where} failed: {_message(error)}.")

    async def _rows(self, query: str, *arguments: SqlValue | list[str]) -> list[Any]:
        return await self._with(lambda connection: connection.fetch(query, *arguments))

    async def _run(self, query: str, *arguments: SqlValue | list[str]) -> None:
        await self._with(lambda connection: connection.execute(query, *arguments))

    # Listening

    async def _listen(self) -> Listener:
        connection = await self._connect()
        gone = asyncio.Event()

        def note(_connection: Connection) -> None:
            gone.set()

        connection.add_termination_listener(note)
        try:
            await connection.add_listener(CHANNEL, self._notified)
        except BaseException:
            connection.terminate()
            raise
        return connection, gone

    def _notified(self, _connection: Connection, _pid: int, _channel: str, payload: str) -> None:
        worker, number, table = payload.split(" ", 2)
        if worker != self._worker:
            self.changed(table, int(number))

    async def _watch(self, listener: Listener) -> None:
        """Listen until cancelled; after a lost connection open another and call `lost`."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                await self._until_lost(listener)
                log.warning("the connection that listens to other workers was lost")
                listener = await self._listen_again()
                loop.call_soon(self.lost)
        finally:
            listener[0].terminate()

    async def _until_lost(self, listener: Listener) -> None:
        connection, gone = listener
        while not gone.is_set():
            try:
                async with asyncio.timeout(WATCH_SECONDS):
                    await gone.wait()
            except TimeoutError:
                try:
                    await connection.execute("SELECT 1", timeout=CONNECT_SECONDS)
                except (*self._transient_errors, self._asyncpg.PostgresError):
                    connection.terminate()
                    return

    async def _listen_again(self) -> Listener:
        for pause in _pauses():
            try:
                return await self._listen()
            except (*self._transient_errors, self._asyncpg.PostgresError):
                await asyncio.sleep(pause)
        raise AssertionError

    # The manager

    async def healthy(self) -> bool:
        """Return whether the server answers at once."""
        try:
            self._require_open()
            async with asyncio.timeout(HEALTH_SECONDS), self._pool.acquire() as connection:
                return await connection.fetchval("SELECT version FROM schema") == len(self.migrations)
        except (*self._transient_errors, self._asyncpg.PostgresError, StoreError):
            return False

    async def secret(self) -> bytes:
        """Return the database's own 32 random bytes."""
        await self._run(sql.MAKE_SECRET, token_bytes(32))
        return (await self._rows(sql.SECRET))[0][0]

    # Guests

    async def saw(self, guests: Sequence[str], at: float) -> None:
        """Store when guests were last seen."""
        require_plain(*guests)
        await self._run(SAW, list(guests), at)

    async def last_seen(self, guests: Sequence[str]) -> dict[str, float]:
        """Return when guests were last seen."""
        return dict(await self._rows(LAST_SEEN, [guest for guest in guests if plain(guest)]))

    # Tables

    async def create(self, table: NewTable, event: bytes, row: TableSummary, seats: Sequence[Seat]) -> bool:
        """Add a table with its first event, unless the id is taken."""
        guests = guests_of(seats)
        require_plain(table.id, table.game, *guests)
        values = export.table_columns(export.TableRecord(table, table.created, row, list(seats), [event]))
        attempts = 0

        async def work(connection: Connection) -> bool:
            nonlocal attempts
            attempts += 1
            if await connection.fetch(CREATE, *values, event, sql.done(row.status), guests, self._worker):
                return True
            return attempts > 1 and await connection.fetchval(EVENT, table.id, 1) == event

        return await self._with(work)

    async def append(
        self, table: str, number: int, event: bytes, row: TableSummary, at: float, seats: Sequence[Seat] | None = None
    ) -> bool:
        """Append an event if it is the next one, in one statement with all others in the queue."""
        guests = guests_of(seats or ())
        require_plain(table, *guests)
        packed, sitters = (None, None) if seats is None else (pack_seats(seats), dumps(guests))
        values = (table, number, event, at, *columns(row), sql.done(row.status), packed, sitters)
        self._require_open()
        job = _Append(table, number, event, values, asyncio.get_running_loop().create_future())
        self._appends.append(job)
        self._appended.set()
        return await job.won

    async def _write(self) -> None:
        """Carry out queued appends, until the store is closed and the queue empty."""
        while self._open or self._appends:
            if not self._appends:
                self._appended.clear()
                await self._appended.wait()
            jobs = self._next_appends()
            for job, won in zip(jobs, await self._append(jobs) if jobs else [], strict=True):
                if job.won.done():  # the caller was cancelled
                    continue
                if isinstance(won, Exception):
                    job.won.set_exception(won)
                else:
                    job.won.set_result(won)

    def _next_appends(self) -> list[_Append]:
        """Take the first append of each table from the queue."""
        first, later = dict[str, _Append](), list[_Append]()
        for job in self._appends:
            if len(first) == MAX_APPENDS or first.setdefault(job.table, job) is not job:
                later.append(job)
        self._appends = later
        return list(first.values())

    async def _append(self, jobs: Sequence[_Append], lost: bool = False) -> list[bool | Exception]:
        """Append at most one event a table; where one cannot be stored, one by one."""
        attempts = int(lost)

        async def attempt() -> list[bool | Exception]:
            nonlocal attempts
            attempts += 1
            async with self._pool.acquire(timeout=ANSWER_SECONDS) as connection:
                return await self._append_once(connection, jobs, lost=attempts > 1)

        try:
            return await self._with_retries(attempt)
        except UnreachableError as error:
            return [UnreachableError(*error.args) for _ in jobs]
        except Exception as error:
            if len(jobs) == 1:
                return [error]
        return [won for job in jobs for won in await self._append([job], lost=attempts > 1)]

    async def _append_once(self, connection: Connection, jobs: Sequence[_Append], lost: bool) -> list[bool | Exception]:
        """Append; where the answer to an earlier try was lost, compare the stored event to see whether it succeeded."""
        added = await connection.fetch(APPEND, *zip(*(job.columns for job in jobs), strict=True), self._worker)
        winners = {row[0] for row in added}
        if lost:
            for job in jobs:
                if await connection.fetchval(EVENT, job.table, job.number) == job.event:
                    winners.add(job.table)
        return [job.table in winners for job in jobs]

    async def load(self, table: str, after: int = 0) -> Stored | None:
        """Read a table with its events after a number."""
        found = await self._rows(LOAD, table, after) if plain(table) else []
        if not found:
            return None
        seed, game, created, last, events = found[0]
        return sql.stored(table, last, after, Stored(seed, game, created, events))

    async def numbers(self, tables: Sequence[str]) -> dict[str, int]:
        """Return the number of the last event of each table."""
        return dict(await self._rows(NUMBERS, [table for table in tables if plain(table)]))

    # Export and import

    async def export(self, table: str | None = None) -> AsyncIterator[dict[str, Any]]:
        """Yield the records of everything, or of one table, from one snapshot."""
        async with self._transaction(isolation="repeatable_read", readonly=True) as connection:
            async for record in _export(connection, table):
                yield export.as_json(record)

    async def restore(self, exported: AsyncIterable[dict[str, Any]] | Iterable[dict[str, Any]]) -> int:
        """Import exported records, all or none; return the number of new tables."""
        added = 0
        async with self._transaction() as connection:
            async for batch in export.batches(exported):
                added += await _restore(connection, batch)
        return added

    @asynccontextmanager
    async def _transaction(self, **kind: Any) -> AsyncGenerator[Connection]:
        """Yield a connection in a transaction, which an error rolls back."""
        self._require_open()
        try:
            async with self._pool.acquire(timeout=ANSWER_SECONDS) as connection, connection.transaction(**kind):
                yield connection
        except (*self._transient_errors, self._asyncpg.PostgresError) as error:
            raise self._store_error(error) from error


def _driver() -> Any:
    try:
        return importlib.import_module("asyncpg")
    except ImportError as error:
        raise StoreError("PostgreSQL needs one more package: pip install 'dracotheque[postgres]'") from error


def _pauses() -> Iterator[float]:
    """Yield the seconds between retries: rising, at most two."""
    pause = 0.05
    while True:
        yield pause
        pause = min(pause * 2, 2.0)


def _message(error: BaseException) -> str:
    """Return an error in one line, without the values that PostgreSQL adds."""
    return str(error.args[-1]).splitlines()[0].rstrip(".") if error.args else type(error).__name__


async def _durable(connection: Connection) -> dict[str, str]:
    """Return the settings with which acknowledged commits are on the disk, whatever the server's default."""
    if await connection.fetchval("SHOW fsync") == "off":
        log.warning("PostgreSQL runs with fsync = off: a power cut can lose games")
    return {"synchronous_commit": "on"} if await connection.fetchval("SHOW synchronous_commit") == "off" else {}


async def _export(connection: Connection, table: str | None) -> AsyncIterator[export.Record]:
    one = () if table is None else (table,)

    def rows(of_all: str, of_one: str) -> AsyncIterable[Any]:
        return connection.cursor(of_all if table is None else of_one, *one, prefetch=100)

    secret = await connection.fetchval(sql.SECRET) if table is None else None
    yield export.ExportHeader(export.FORMAT, secret)
    async for row in rows(sql.ALL_GUESTS, sql.GUESTS_AT):
        yield export.guest_record(row)
    count = 0
    async for row in rows(f"{EXPORT_TABLES} ORDER BY id", f"{EXPORT_TABLES} WHERE id = $1"):
        count += 1
        *values, events = row
        yield export.table_record(values, events)
    if table is not None and not count:
        raise sql.no_such_table(table)
    async for row in rows(sql.ALL_MUTES, sql.MUTES_AT):
        yield export.MuteRecord(*row)
    yield export.ExportFooter(count)


async def _restore(connection: Connection, batch: Sequence[export.Record]) -> int:
    for record in batch:
        if isinstance(record, export.ExportHeader) and record.secret is not None:
            await connection.execute(sql.MAKE_SECRET, record.secret)
    guests = [
        (it.guest.id, it.guest.name, it.guest.crest, it.guest.created, it.seen)
        for it in batch
        if isinstance(it, export.GuestRecord)
    ]
    await connection.executemany(RESTORE_GUEST, guests)
    mutes = [(it.guest, it.table, it.seat) for it in batch if isinstance(it, export.MuteRecord)]
    await connection.executemany(sql.MUTE, mutes)
    ids = [record.table.id for record in batch if isinstance(record, export.TableRecord)]
    new = export.unknown_tables(batch, dict(await connection.fetch(KNOWN, ids)))
    await _copy_tables(connection, new)
    return len(new)


async def _copy_tables(connection: Connection, new: Sequence[export.TableRecord]) -> None:
    events = [(it.table.id, number, event) for it in new for number, event in enumerate(it.events, 1)]
    sitters = [(it.table.id, guest, sql.done(it.row.status), it.updated) for it in new for guest in guests_of(it.seats)]
    for name, names, rows in (
        ("tables", sql.TABLE_COLUMNS, [export.table_columns(it) for it in new]),
        ("events", ("table_id", "number", "event"), events),
        ("sitters", ("table_id", "guest", "done", "since"), sitters),
    ):
        await connection.copy_records_to_table(name, columns=names, records=rows)

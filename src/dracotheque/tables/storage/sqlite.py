"""Tables in one SQLite file: one thread writes, and commits what was queued meanwhile together."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from json import dumps
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_bytes, token_hex
from typing import Any, TypeVar

from dracotheque.tables.storage import export, sql
from dracotheque.tables.storage.sql import SqlValue, columns, guests_of, pack_seats, plain, require_plain
from dracotheque.tables.storage.store import NewTable, Seat, Stored, StoreError, TableSummary

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]

APPLICATION = 0x44524143  # "DRAC", the application id in the file's header
LOCK_SECONDS = 20.0  # to wait for another process that writes
HEALTH_SECONDS = 2.0  # in which a healthy database answers
CHECKPOINT_SECONDS = 1.0  # between two checkpoints of the WAL
MAX_WAL_PAGES = 16_000  # 64 MB: then the writer itself makes a checkpoint
MAX_JOBS = 1000  # in one commit

MIGRATIONS = [
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        players INTEGER NOT NULL,
        seed BLOB NOT NULL,
        created REAL NOT NULL,
        updated REAL NOT NULL,
        number INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('open', 'playing', 'over', 'closed')),
        listed INTEGER NOT NULL,
        free INTEGER NOT NULL,
        asked INTEGER NOT NULL,
        due REAL,
        moves INTEGER NOT NULL,
        seats BLOB NOT NULL
    );
    CREATE INDEX lobby ON tables (created DESC, id) WHERE listed AND free > 0 AND status IN ('open', 'playing');
    CREATE INDEX running ON tables (updated DESC, id) WHERE listed AND status = 'playing';
    CREATE INDEX due ON tables (due, id) WHERE due IS NOT NULL;

    CREATE TABLE events (
        table_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        event BLOB NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;

    CREATE TABLE sitters (
        table_id TEXT NOT NULL,
        guest TEXT NOT NULL,
        done INTEGER NOT NULL,
        since REAL NOT NULL,
        PRIMARY KEY (table_id, guest)
    ) WITHOUT ROWID;
    CREATE INDEX tables_of ON sitters (guest, done, since DESC, table_id);

    CREATE TRIGGER further AFTER UPDATE OF status ON tables WHEN old.status <> new.status
    BEGIN
        UPDATE sitters
        SET done = CASE new.status WHEN 'over' THEN 1 WHEN 'closed' THEN 2 ELSE 0 END, since = new.updated
        WHERE table_id = new.id;
    END;

    CREATE TABLE guests (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        crest TEXT NOT NULL,
        created REAL NOT NULL,
        seen REAL
    );
    CREATE TABLE mutes (
        guest TEXT NOT NULL,
        table_id TEXT NOT NULL,
        seat INTEGER NOT NULL,
        PRIMARY KEY (table_id, guest, seat)
    ) WITHOUT ROWID;
    CREATE TABLE secrets (name TEXT PRIMARY KEY, secret BLOB NOT NULL)
    """,
]

CREATE = f"""
    INSERT INTO tables ({", ".join(sql.TABLE_COLUMNS)})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
"""
EVENT = "INSERT INTO events (table_id, number, event) VALUES (?, ?, ?)"
NEXT_EVENT = """
    INSERT INTO events (table_id, number, event)
    SELECT id, ?2, ?3 FROM tables WHERE id = ?1 AND number = ?2 - 1 ON CONFLICT DO NOTHING
"""
UPDATE = """
    UPDATE tables SET number = ?, updated = ?, status = ?, listed = ?, free = ?, asked = ?, due = ?, moves = ?,
        seats = coalesce(?, seats)
    WHERE id = ?
"""
LEAVE = "DELETE FROM sitters WHERE table_id = ? AND guest NOT IN (SELECT value FROM json_each(?))"
SIT = "INSERT INTO sitters (table_id, guest, done, since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
SAW = """
    UPDATE guests SET seen = ?2
    WHERE id IN (SELECT value FROM json_each(?1)) AND (seen IS NULL OR seen < ?2)
"""
LAST_SEEN = "SELECT id, seen FROM guests WHERE id IN (SELECT value FROM json_each(?)) AND seen IS NOT NULL"
NUMBERS = "SELECT id, number FROM tables WHERE id IN (SELECT value FROM json_each(?))"
TABLE = "SELECT seed, game, created, number FROM tables WHERE id = ?"
EVENTS_AFTER = "SELECT event FROM events WHERE table_id = ? AND number > ? ORDER BY number"
EXPORT_TABLES = f"SELECT {', '.join(sql.TABLE_COLUMNS)} FROM tables"
RESTORE_GUEST = "INSERT INTO guests (id, name, crest, created, seen) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


class SqliteStore(sql.SqlQueries):
    """A store in one file, for one server process."""

    def __init__(self, path: Path, migrations: Sequence[str] = MIGRATIONS) -> None:
        self.path, self.migrations = path, migrations
        self.changed: Callable[[str, int], None] = lambda table, number: None
        self.lost: Callable[[], None] = lambda: None
        self._jobs: SimpleQueue[tuple[Work, asyncio.Future[Any]] | None] = SimpleQueue()
        self._open = False

    async def start(self) -> None:
        """Open or create the file, and start the threads."""
        self._loop = asyncio.get_running_loop()
        writing = await asyncio.to_thread(self._prepare)
        self._reading = _connect(self.path)
        self._reader = ThreadPoolExecutor(1, "store-reader")
        self._writer = threading.Thread(target=self._write, args=(writing,), name="store-writer", daemon=True)
        self._writer.start()
        self._closing = threading.Event()
        self._checkpointer = threading.Thread(target=self._make_checkpoints, name="store-checkpointer", daemon=True)
        self._checkpointer.start()
        self._open = True

    async def close(self) -> None:
        """Carry out the queued jobs, then close the file."""
        if not self._open:
            return
        self._open = False
        self._closing.set()
        await asyncio.to_thread(self._checkpointer.join)
        self._jobs.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._reader.shutdown)
        self._reading.close()

    # Starting

    def _prepare(self) -> sqlite3.Connection:
        """Return a migrated connection for writing, also while another process does the same."""
        _make_file(self.path)
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                return self._up_to_date(_connect(self.path))
            except sqlite3.OperationalError as error:
                # SQLite does not wait by itself while a file is switched to WAL.
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise StoreError(f"The database {self.path} cannot be opened: {error}.") from error
                time.sleep(0.02)
            except sqlite3.DatabaseError as error:
                raise StoreError(f"{self.path} is not a database of Dracothèque: {error}.") from error

    def _up_to_date(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        try:
            self._migrate(connection)
            _enable_wal(connection, self.path)
            connection.execute(f"PRAGMA wal_autocheckpoint = {MAX_WAL_PAGES}")
            return connection
        except BaseException:
            connection.close()
            raise

    def _migrate(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN")
        try:
            _require_own_file(connection, self.path)
            version = _version(connection)
            if version > len(self.migrations):
                raise sql.newer_schema(version, len(self.migrations))
        finally:
            connection.execute("ROLLBACK")
        if version == len(self.migrations):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have migrated in between.
            for script in self.migrations[_version(connection) :]:
                for statement in _statements(script):
                    connection.execute(statement)
            connection.execute("CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL)")
            connection.execute("DELETE FROM schema")
            connection.execute("INSERT INTO schema (version) VALUES (?)", (len(self.migrations),))
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute("COMMIT")
        except BaseException:
            _roll_back(connection)
            raise

    # Writing

    def _write(self, connection: sqlite3.Connection) -> None:
        """Carry out queued jobs until the stop signal; runs in the writer thread."""
        while jobs := self._next_jobs():
            results = _commit(connection, [work for work, _ in jobs])
            futures = [future for _, future in jobs]
            # A loop that was stopped has no waiting caller left.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_settle, futures, results)
        connection.close()

    def _make_checkpoints(self) -> None:
        """Checkpoint the WAL outside the writer thread, which would block all writes meanwhile."""
        connection = _connect(self.path)
        while not self._closing.wait(CHECKPOINT_SECONDS):
            with suppress(sqlite3.Error):  # the next time will do
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        connection.close()

    def _next_jobs(self) -> list[tuple[Work, asyncio.Future[Any]]]:
        """Wait for jobs and return all that are queued, in order; none after the stop signal."""
        jobs = list[tuple[Work, asyncio.Future[Any]]]()
        job = self._jobs.get()
        while job is not None:
            jobs.append(job)
            if len(jobs) == MAX_JOBS:
                return jobs
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return jobs
        if jobs:
            self._jobs.put(None)
        return jobs

    def _change(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Queue work for the writer thread; it is durable when the future has its result."""
        self._require_open()
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put((work, future))
        return future

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self._require_open()
        try:
            return await self._loop.run_in_executor(self._reader, work, self._reading)
        except sqlite3.Error as error:
            raise _store_error(error) from error

    async def _rows(self, query: str, *arguments: SqlValue) -> list[tuple[Any, ...]]:
        return await self._read(lambda connection: connection.execute(_sql(query), arguments).fetchall())

    def _require_open(self) -> None:
        if not self._open:
            raise StoreError("The store is closed.")

    # The manager

    async def healthy(self) -> bool:
        """Return whether the file can be read and locked for writing."""
        try:
            async with asyncio.timeout(HEALTH_SECONDS):
                await self._rows("SELECT version FROM schema")
                return await self._change(lambda connection: True)
        except (StoreError, TimeoutError):
            return False

    async def secret(self) -> bytes:
        """Return the file's own 32 random bytes."""

        def work(connection: sqlite3.Connection) -> bytes:
            connection.execute(_sql(sql.MAKE_SECRET), (token_bytes(32),))
            return connection.execute(sql.SECRET).fetchone()[0]

        return await self._change(work)

    # Guests

    async def saw(self, guests: Sequence[str], at: float) -> None:
        """Store when guests were last seen."""
        require_plain(*guests)
        await self._run(SAW, dumps(list(guests)), at)

    async def last_seen(self, guests: Sequence[str]) -> dict[str, float]:
        """Return when guests were last seen."""
        return dict(await self._rows(LAST_SEEN, dumps([guest for guest in guests if plain(guest)])))

    async def _run(self, query: str, *arguments: SqlValue) -> None:
        await self._change(lambda connection: connection.execute(_sql(query), arguments))

    # Tables

    async def create(self, table: NewTable, event: bytes, row: TableSummary, seats: Sequence[Seat]) -> bool:
        """Add a table with its first event, unless the id is taken."""
        guests = guests_of(seats)
        require_plain(table.id, table.game, *guests)
        record = export.TableRecord(table, table.created, row, list(seats), [event])

        def work(connection: sqlite3.Connection) -> bool:
            if not connection.execute(CREATE, export.table_columns(record)).rowcount:
                return False
            connection.execute(EVENT, (table.id, 1, event))
            _sit(connection, table.id, guests, row, table.created)
            return True

        return await self._change(work)

    async def append(
        self, table: str, number: int, event: bytes, row: TableSummary, at: float, seats: Sequence[Seat] | None = None
    ) -> bool:
        """Append an event if it is the next one."""
        guests = guests_of(seats or ())
        require_plain(table, *guests)
        packed = None if seats is None else pack_seats(seats)

        def work(connection: sqlite3.Connection) -> bool:
            if not connection.execute(NEXT_EVENT, (table, number, event)).rowcount:
                return False
            connection.execute(UPDATE, (number, at, *columns(row), packed, table))
            if packed is not None:
                connection.execute(LEAVE, (table, dumps(guests)))
                _sit(connection, table, guests, row, at)
            return True

        return await self._change(work)

    async def load(self, table: str, after: int = 0) -> Stored | None:
        """Read a table with its events after a number."""

        def work(connection: sqlite3.Connection) -> Stored | None:
            with _Snapshot(connection):
                head = connection.execute(TABLE, (table,)).fetchone()
                if head is None:
                    return None
                seed, game, created, last = head
                events = [event for (event,) in connection.execute(EVENTS_AFTER, (table, after))]
            return sql.stored(table, last, after, Stored(seed, game, created, events))

        return await self._read(work) if plain(table) else None

    async def numbers(self, tables: Sequence[str]) -> dict[str, int]:
        """Return the number of the last event of each table."""
        return dict(await self._rows(NUMBERS, dumps([table for table in tables if plain(table)])))

    # Export and import

    async def export(self, table: str | None = None) -> AsyncIterator[dict[str, Any]]:
        """Yield the records of everything, or of one table, from one snapshot."""
        self._require_open()
        async with _OwnThread(self.path) as thread:
            source = await thread.run(lambda connection: _export(connection, table))
            while batch := await thread.run(lambda _: list(islice(source, 100))):
                for record in batch:
                    yield export.as_json(record)

    async def restore(self, exported: AsyncIterable[dict[str, Any]] | Iterable[dict[str, Any]]) -> int:
        """Import exported records, all or none; meanwhile no other connection can write."""
        self._require_open()
        added = 0
        async with _OwnThread(self.path) as thread:
            await thread.run(lambda connection: connection.execute("BEGIN IMMEDIATE"))
            async for batch in export.batches(exported):
                added += await thread.run(partial(_restore, batch))
            await thread.run(lambda connection: connection.execute("COMMIT"))
        return added

    async def backup(self, path: Path) -> None:
        """Copy the database into a new file, also while it is in use; on an error no file is left."""
        self._require_open()
        try:
            await asyncio.to_thread(_backup, self.path, path)
        except FileExistsError as error:
            raise StoreError(f"{path} already exists. Choose another file.") from error
        except OSError as error:
            raise StoreError(f"Cannot write the backup to {path}: {error.strerror}.") from error
        except sqlite3.Error as error:
            raise _store_error(error) from error


def _sql(query: str) -> str:
    return query.replace("$", "?")


def _store_error(error: BaseException) -> StoreError:
    return StoreError(f"The database failed: {error}.")


def _make_file(path: Path) -> None:
    """Create the file, readable by its owner only: it has secrets of guests and tables."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"The database {path} cannot be written: {error.strerror}.") from error


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS: to the disk, not only to its cache
        return connection
    except BaseException:
        connection.close()
        raise


def _require_own_file(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if objects and application != APPLICATION:
        raise StoreError(f"{path} belongs to another program. Choose another file with --database.")


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script: sqlite3 runs a whole one only outside of a transaction."""
    statement = ""
    for part in script.split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _version(connection: sqlite3.Connection) -> int:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema'").fetchone():
        return 0
    return connection.execute("SELECT version FROM schema").fetchone()[0]


def _enable_wal(connection: sqlite3.Connection, path: Path) -> None:
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError(f"{path} is on a drive that SQLite cannot use safely. Choose a local drive.")


def _roll_back(connection: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _commit(connection: sqlite3.Connection, works: Sequence[Work]) -> list[Any]:
    """Run works in one transaction and return their results; if one fails, run each in its own."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        return [_store_error(error) for _ in works]
    try:
        results = [work(connection) for work in works]
        connection.execute("COMMIT")
        return results
    except Exception as error:
        _roll_back(connection)
        if len(works) == 1:
            return [_store_error(error) if isinstance(error, sqlite3.Error) else error]
        return [result for work in works for result in _commit(connection, [work])]


def _settle(futures: Sequence[asyncio.Future[Any]], results: Sequence[Any]) -> None:
    for future, result in zip(futures, results, strict=True):
        if future.done():  # the caller was cancelled
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)


def _sit(connection: sqlite3.Connection, table: str, guests: Sequence[str], row: TableSummary, at: float) -> None:
    for guest in guests:
        connection.execute(SIT, (table, guest, sql.done(row.status), at))


class _OwnThread:
    """A connection for long work in a thread of its own; what is not committed at the end is rolled back."""

    def __init__(self, path: Path) -> None:
        self._path, self._thread = path, ThreadPoolExecutor(1, "store-long-work")

    async def __aenter__(self) -> _OwnThread:
        self._connection = _connect(self._path)
        return self

    async def __aexit__(self, *_: object) -> None:
        # If the caller was cancelled, the thread still works: the connection is closed after that.
        self._thread.submit(self._connection.close)
        self._thread.shutdown(wait=False)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run a part of the work."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._connection)
        except sqlite3.Error as error:
            raise _store_error(error) from error


class _Snapshot:
    """A read transaction: several reads see the database at one moment."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __enter__(self) -> None:
        self.connection.execute("BEGIN")

    def __exit__(self, *_: object) -> None:
        _roll_back(self.connection)


def _export(connection: sqlite3.Connection, table: str | None) -> Iterator[export.Record]:
    one = () if table is None else (table,)

    def rows(of_all: str, of_one: str) -> Iterator[tuple[Any, ...]]:
        return connection.execute(_sql(of_all if table is None else of_one), one)

    with _Snapshot(connection):
        secret = None if table is not None else connection.execute(sql.SECRET).fetchone()
        yield export.ExportHeader(export.FORMAT, secret[0] if secret else None)
        for row in rows(sql.ALL_GUESTS, sql.GUESTS_AT):
            yield export.guest_record(row)
        count = 0
        for row in rows(f"{EXPORT_TABLES} ORDER BY id", f"{EXPORT_TABLES} WHERE id = $1"):
            count += 1
            events = [event for (event,) in connection.execute(EVENTS_AFTER, (row[0], 0))]
            yield export.table_record(row, events)
        if table is not None and not count:
            raise sql.no_such_table(table)
        for row in rows(sql.ALL_MUTES, sql.MUTES_AT):
            yield export.MuteRecord(*row)
        yield export.ExportFooter(count)


def _restore(batch: Sequence[export.Record], connection: sqlite3.Connection) -> int:
    known = dict[str, list[bytes]]()
    for record in batch:
        if isinstance(record, export.ExportHeader) and record.secret is not None:
            connection.execute(_sql(sql.MAKE_SECRET), (record.secret,))
        elif isinstance(record, export.GuestRecord):
            guest = record.guest
            connection.execute(RESTORE_GUEST, (guest.id, guest.name, guest.crest, guest.created, record.seen))
        elif isinstance(record, export.MuteRecord):
            connection.execute(_sql(sql.MUTE), (record.guest, record.table, record.seat))
        elif isinstance(record, export.TableRecord):
            events = [event for (event,) in connection.execute(EVENTS_AFTER, (record.table.id, 0))]
            if events:
                known[record.table.id] = events
    new = export.unknown_tables(batch, known)
    for record in new:
        table = record.table.id
        connection.execute(CREATE, export.table_columns(record))
        connection.executemany(EVENT, ((table, number, event) for number, event in enumerate(record.events, 1)))
        _sit(connection, table, guests_of(record.seats), record.row, record.updated)
    return len(new)


def _backup(source: Path, path: Path) -> None:
    """Copy into a partial file, then rename it, which fails if the name is taken."""
    if path.exists():
        raise FileExistsError(path)
    part = path.with_name(f"{path.name}.{token_hex(4)}.part")
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        with closing(_connect(source)) as original, closing(_connect(part)) as copy:
            original.backup(copy)
        _name(part, path)
    finally:
        for rest in (part, Path(f"{part}-wal"), Path(f"{part}-shm"), Path(f"{part}-journal")):
            rest.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _name(part: Path, path: Path) -> None:
    if os.name == "nt":
        part.rename(path)  # on Windows this refuses to overwrite
    else:
        os.link(part, path)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

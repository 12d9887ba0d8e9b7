"""How fast lists of tables are on a large server: a million finished games, 500 open tables, 2,000 being played.

    python benchmarks/lobby.py                    # SQLite, in a temporary file
    python benchmarks/lobby.py --postgres auto    # and PostgreSQL, started for this; or --postgres URL of an empty one

Prints median and 99th percentile of 200 calls and how the databases go about them, and fails where the lobby's 99th
percentile is above 50 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from dracotheque.tables.storage import sql
from dracotheque.tables.storage.export import TableRecord, table_columns
from dracotheque.tables.storage.store import NewTable, Seat, TableSummary, open_store

ROOT = Path(__file__).parents[1]
CALLS = 200
PROMISED = 0.050  # seconds for the lobby, of 100 calls the 99th
OPEN, RUNNING, GUESTS, EVENTS = 500, 2_000, 50_000, 5
NOW, YEAR = 2e9, 365 * 86_400.0
REGULAR = "g0"  # sits at every hundredth table
GAMES = ("emerald", "dragons_cave", "gran", "save_the_dragon")
BATCH = 20_000


def row(number: int, chance: Random) -> tuple[TableSummary, float]:
    """Say what lists know of a table, and when it was made."""
    if number < OPEN:
        return TableSummary("open", listed=True, free=1, asked=0, due=None, moves=0), NOW - chance.random() * 86_400
    if number < OPEN + RUNNING:
        due = NOW - 3600 + chance.random() * 86_400 * 3
        return TableSummary(
            "playing", listed=True, free=0, asked=1, due=due, moves=50
        ), NOW - chance.random() * 86_400 * 7
    return TableSummary(
        "over", listed=chance.random() < 0.8, free=0, asked=0, due=None, moves=100
    ), NOW - chance.random() * YEAR


def tables(games: int, chance: Random) -> Iterator[TableRecord]:
    """Make up all tables, in the order of their ids, which is the fastest to fill in."""
    total = games + OPEN + RUNNING
    kinds = list(range(total))
    chance.shuffle(kinds)
    for place, number in enumerate(kinds):
        about, created = row(number, chance)
        first = REGULAR if number % 100 == 0 else f"g{chance.randrange(GUESTS)}"
        seats = [Seat(first, "Ann"), Seat() if about.free else Seat(f"g{chance.randrange(GUESTS)}", "Bob")]
        new = NewTable(f"{place:012x}", chance.choice(GAMES), 2, chance.randbytes(32), created)
        updated = min(created + chance.random() * 86_400, NOW)
        yield TableRecord(new, updated, about, seats, [chance.randbytes(60)] * EVENTS)


Rows = tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[tuple[Any, ...]]]


def rows(batch: Iterable[TableRecord]) -> Rows:
    """Write tables as rows of `tables`, `events` and `sitters`."""
    of_tables, of_events, of_sitters = list[tuple[Any, ...]](), list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    for record in batch:
        name = record.table.id
        of_tables.append(table_columns(record))
        of_events += [(name, number, event) for number, event in enumerate(record.events, 1)]
        done = sql.done(record.row.status)
        of_sitters += [(name, guest, done, record.updated) for guest in sql.guests_of(record.seats)]
    return of_tables, of_events, of_sitters


def batches(games: int) -> Iterator[Rows]:
    """Make up all rows, some at a time, and say how far it is."""
    source, made = tables(games, Random(1)), 0
    while batch := list(islice(source, BATCH)):
        yield rows(batch)
        made += len(batch)
        print(f"\r  {made:,} tables", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


COLUMNS = {
    "tables": sql.TABLE_COLUMNS,
    "events": ("table_id", "number", "event"),
    "sitters": ("table_id", "guest", "done", "since"),
}


class Sqlite:
    """How a SQLite file is filled and asked for its plans."""

    def __init__(self, url: str) -> None:
        """Take the file's path."""
        self.url = url

    async def fill(self, games: int) -> None:
        """Fill an empty database; it need not survive a power cut."""
        connection = sqlite3.connect(self.url, isolation_level=None)
        connection.execute("PRAGMA synchronous = OFF")
        for made in batches(games):
            connection.execute("BEGIN")
            for (name, columns), values in zip(COLUMNS.items(), made, strict=True):
                marks = ", ".join("?" * len(columns))
                connection.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", values)
            connection.execute("COMMIT")
        connection.close()

    async def plan(self, query: str, arguments: Sequence[Any]) -> list[str]:
        """Say how a query is carried out."""
        connection = sqlite3.connect(self.url)
        found = connection.execute(f"EXPLAIN QUERY PLAN {query.replace('$', '?')}", arguments).fetchall()
        connection.close()
        return [line[3] for line in found]


class Postgres:
    """How a PostgreSQL database is filled and asked for its plans."""

    def __init__(self, url: str) -> None:
        """Take the database's URL."""
        self.url = url

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Any]:
        """Connect for a moment."""
        import asyncpg

        connection = await asyncpg.connect(self.url)
        try:
            yield connection
        finally:
            await connection.close()

    async def fill(self, games: int) -> None:
        """Fill an empty database, and let it count as it would by itself after a while."""
        async with self.connection() as connection:
            for made in batches(games):
                for (name, columns), values in zip(COLUMNS.items(), made, strict=True):
                    await connection.copy_records_to_table(name, columns=columns, records=values)
            await connection.execute("VACUUM ANALYZE")

    async def plan(self, query: str, arguments: Sequence[Any]) -> list[str]:
        """Say how a query is carried out."""
        async with self.connection() as connection:
            return [line[0] for line in await connection.fetch(f"EXPLAIN (COSTS OFF) {query}", *arguments)]


async def measured(call: Callable[[int], Awaitable[Any]]) -> list[float]:
    """Call again and again, and give the sorted seconds."""
    seconds = list[float]()
    for number in range(CALLS):
        began = time.perf_counter()
        await call(number)
        seconds.append(time.perf_counter() - began)
    return sorted(seconds)


async def measure(database: Sqlite | Postgres, games: int) -> bool:
    """Fill a database, measure its lists and print their plans; say whether the promise is kept."""
    store = open_store(database.url)
    await store.start()
    began = time.perf_counter()
    await database.fill(games)
    print(f"  filled in {time.perf_counter() - began:.0f} s; milliseconds of {CALLS} calls each:", flush=True)
    calls: dict[str, Callable[[int], Awaitable[Sequence[Any]]]] = {
        "lobby": lambda number: store.lobby(),
        "lobby of a game": lambda number: store.lobby(GAMES[number % len(GAMES)]),
        "running": lambda number: store.running(),
        "tables of a guest": lambda number: store.tables_of(f"g{number * 7 + 1}"),
        f"tables of one who sits at {games // 100:,}": lambda number: store.tables_of(REGULAR),
        "due": lambda number: store.due(NOW),
    }
    kept = True
    for name, call in calls.items():
        seconds = await measured(call)
        p99 = seconds[CALLS * 99 // 100 - 1]
        found = len(await call(1))
        print(f"  {name:32} median {seconds[CALLS // 2] * 1e3:6.2f}   p99 {p99 * 1e3:6.2f}   ({found} tables)")
        kept &= not name.startswith("lobby") or p99 <= PROMISED
    plans = {
        "lobby": sql.lobby_query(None, 50),
        "lobby of a game": sql.lobby_query("gran", 50),
        "running": sql.running_query(None, 50),
        "unfinished tables of a guest": (sql.UNFINISHED, (REGULAR, 50)),
        "finished tables of a guest": (sql.FINISHED, (REGULAR, 50)),
        "due": (sql.DUE, (NOW, 100)),
    }
    for name, (query, arguments) in plans.items():
        print(f"  {name}:", *(f"\n      {line}" for line in await database.plan(query, arguments)))
    await store.close()
    return kept


def main() -> int:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000, help="finished games (default: 1,000,000)")
    parser.add_argument("--postgres", metavar="URL", help="measure this empty PostgreSQL too, or 'auto'")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        databases: list[Sqlite | Postgres] = [Sqlite(str(Path(folder, "tables.db")))]
        if asked.postgres:
            databases.append(Postgres(asked.postgres if asked.postgres != "auto" else started(stack)))
        kept = True
        for database in databases:
            print(f"{type(database).__name__}, {asked.games:,} finished games", flush=True)
            kept &= asyncio.run(measure(database, asked.games))
    if not kept:
        print(f"The lobby takes longer than {PROMISED * 1e3:.0f} ms.", file=sys.stderr)
    return not kept


def started(stack: ExitStack) -> str:
    """Start a PostgreSQL as the tests do, and give the URL of an empty database."""
    sys.path.insert(0, str(ROOT))
    from tests.tables.postgres import postgres

    return stack.enter_context(stack.enter_context(postgres()).database())


if __name__ == "__main__":
    sys.exit(main())

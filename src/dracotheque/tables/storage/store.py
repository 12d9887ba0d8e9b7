"""The interface of stores, and the rows that they read and write.

A table's truth is its list of events, numbered from 1 without gaps. `events(table_id, number)` is a primary key, so of
two workers that race only one append wins. What an append or any other change acknowledged survives a power cut.
Times are seconds since the epoch. Where a change raises `StoreError`, whether it was stored is not known: load again.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from dracotheque.engine.errors import DracothequeError

Status = Literal["open", "playing", "over", "closed"]


class StoreError(DracothequeError):
    """A failure of the database; the text says why, and if possible what to do."""


class Guest(Struct, frozen=True):
    """A player, known by a cookie without an account."""

    id: str
    name: str
    crest: str
    created: float


class Seat(Struct, frozen=True):
    """Who has a seat: a guest, a bot, or no one."""

    guest: str | None = None
    name: str = ""
    bot: str | None = None


class TableSummary(Struct, frozen=True):
    """What lists show of a table, updated with every event.

    `free` are the seats that anyone may take, `asked` is a bit mask of the seats that have to choose, and at `due` the
    manager has to act by itself.
    """

    status: Status
    listed: bool
    free: int
    asked: int
    due: float | None
    moves: int


class NewTable(Struct, frozen=True):
    """The columns of a table that never change."""

    id: str
    game: str
    players: int
    seed: bytes
    created: float


class TableListing(Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    players: int
    created: float
    updated: float
    row: TableSummary
    seats: list[Seat]


class Stored(Struct, frozen=True):
    """A table as it is stored, with its events after the number that was asked for."""

    seed: bytes
    game: str
    created: float
    events: list[bytes]


class Store(Protocol):
    """Stores guests and tables.

    `changed` is called in the event loop with a table and a number after another process appended that event; `lost`
    after such calls may have been missed: compare `numbers`. The owner sets both.
    """

    changed: Callable[[str, int], None]
    lost: Callable[[], None]

    async def start(self) -> None:
        """Connect and migrate the database."""
        ...

    async def close(self) -> None:
        """Finish what is under way, then disconnect."""
        ...

    async def healthy(self) -> bool:
        """Return whether the database answers."""
        ...

    async def secret(self) -> bytes:
        """Return the 32 random bytes of this database, made at the first call."""
        ...

    async def guest(self, guest: str) -> Guest | None:
        """Return a guest, or None."""
        ...

    async def put_guest(self, guest: Guest) -> None:
        """Add a guest, or change the name and crest of one."""
        ...

    async def saw(self, guests: Sequence[str], at: float) -> None:
        """Store when guests were last seen."""
        ...

    async def last_seen(self, guests: Sequence[str]) -> dict[str, float]:
        """Return when guests were last seen; those never seen are left out."""
        ...

    async def create(self, table: NewTable, event: bytes, row: TableSummary, seats: Sequence[Seat]) -> bool:
        """Add a table with its first event; return False if the id is taken."""
        ...

    async def append(
        self, table: str, number: int, event: bytes, row: TableSummary, at: float, seats: Sequence[Seat] | None = None
    ) -> bool:
        """Append an event, with the seats if they changed; return False if it is not the next one.

        Appends to one table are carried out in the order of the calls.
        """
        ...

    async def load(self, table: str, after: int = 0) -> Stored | None:
        """Return a table with its events after a number, or None."""
        ...

    async def numbers(self, tables: Sequence[str]) -> dict[str, int]:
        """Return the number of the last event of each table that exists."""
        ...

    async def lobby(self, game: str | None = None, limit: int = 50) -> list[TableListing]:
        """Return the public tables that have a seat for anyone, the newest first."""
        ...

    async def running(self, game: str | None = None, limit: int = 50) -> list[TableListing]:
        """Return the public tables that are being played, the one with the latest event first."""
        ...

    async def tables_of(self, guest: str, limit: int = 50) -> list[TableListing]:
        """Return a guest's tables: unfinished ones by their latest event, then finished ones, the latest first."""
        ...

    async def count_unfinished(self, guest: str) -> int:
        """Count the open and running tables at which a guest has a seat."""
        ...

    async def due(self, now: float, limit: int = 100) -> list[str]:
        """Return the tables at which the manager has to act by itself, the longest overdue first."""
        ...

    async def put_off(self, table: str, due: float) -> None:
        """Postpone the time at which the manager acts on a table, if it has one."""
        ...

    async def mute(self, guest: str, table: str, seat: int, on: bool) -> None:
        """Store whether a guest has muted a seat."""
        ...

    async def mutes(self, guest: str, table: str) -> frozenset[int]:
        """Return the seats that a guest has muted."""
        ...

    def export(self, table: str | None = None) -> AsyncIterator[dict[str, Any]]:
        """Yield everything, or one table, as records for JSON, from one snapshot.

        The records of everything hold the database's secret, and those of running tables their seeds.
        """
        ...

    async def restore(self, exported: AsyncIterable[dict[str, Any]] | Iterable[dict[str, Any]]) -> int:
        """Import exported records, all or none, and return how many tables are new.

        A guest or a secret that exists already is not changed.
        """
        ...


def open_store(url: str) -> Store:
    """Return the store of a URL: `postgresql://…`, `sqlite:///absolute/path`, or just the path of a file."""
    kind, scheme_follows, _ = url.partition("://")
    if not scheme_follows:
        return _sqlite(Path(url).expanduser())
    if kind in ("postgresql", "postgres"):
        from dracotheque.tables.storage.postgres import PostgresStore

        return PostgresStore(url)
    if kind == "sqlite":
        return _sqlite(_path(url))
    raise StoreError(f"Unknown kind of database {kind!r}. Use postgresql://…, sqlite:///path or a path.")


def _sqlite(path: Path) -> Store:
    from dracotheque.tables.storage.sqlite import SqliteStore

    return SqliteStore(path)


def _path(url: str) -> Path:
    parts = urlsplit(url)
    if parts.netloc or not parts.path.strip("/") or parts.query or parts.fragment:
        raise StoreError("The URL of a SQLite file has three slashes and a path: sqlite:///var/lib/dracotheque.db")
    path = "/" + unquote(parts.path).lstrip("/")
    return Path(path[1:] if re.match(r"/[A-Za-z]:/", path) else path)

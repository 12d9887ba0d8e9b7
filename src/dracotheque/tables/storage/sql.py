"""Helpers for both stores: queries that both databases understand, and conversion of rows.

Parameters are written as PostgreSQL does; SQLite writes ?1 for $1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from dracotheque.tables.storage.store import Guest, Seat, Status, Stored, StoreError, TableListing, TableSummary

SqlValue = str | int | float | bytes | None
"""A value of a column or parameter."""

_LIST = """
    SELECT t.id, game, players, created, updated, status, listed, free, asked, due, moves, seats FROM tables t
"""
_LOBBY = f"""{_LIST}
    WHERE listed AND free > 0 AND status IN ('open', 'playing') {{of_game}} ORDER BY created DESC, id LIMIT $1
"""
_RUNNING = f"""{_LIST} WHERE listed AND status = 'playing' {{of_game}} ORDER BY updated DESC, id LIMIT $1"""
UNFINISHED = f"""{_LIST}
    JOIN sitters ON table_id = t.id WHERE guest = $1 AND done = 0 ORDER BY updated DESC, id LIMIT $2
"""
FINISHED = f"""{_LIST}
    JOIN sitters ON table_id = t.id WHERE guest = $1 AND done = 1 ORDER BY since DESC, table_id LIMIT $2
"""
COUNT_UNFINISHED = "SELECT count(*) FROM sitters WHERE guest = $1 AND done = 0"
DUE = "SELECT id FROM tables WHERE due <= $1 ORDER BY due, id LIMIT $2"
PUT_OFF = "UPDATE tables SET due = $2 WHERE id = $1 AND due IS NOT NULL"
GUEST = "SELECT id, name, crest, created FROM guests WHERE id = $1"
PUT_GUEST = """
    INSERT INTO guests (id, name, crest, created) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, crest = excluded.crest
"""
MUTE = "INSERT INTO mutes (guest, table_id, seat) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
UNMUTE = "DELETE FROM mutes WHERE guest = $1 AND table_id = $2 AND seat = $3"
MUTES = "SELECT seat FROM mutes WHERE guest = $1 AND table_id = $2"
MAKE_SECRET = "INSERT INTO secrets (name, secret) VALUES ('house', $1) ON CONFLICT DO NOTHING"
SECRET = "SELECT secret FROM secrets WHERE name = 'house'"
ALL_GUESTS = "SELECT id, name, crest, created, seen FROM guests ORDER BY id"
GUESTS_AT = """
    SELECT id, name, crest, created, seen FROM guests
    WHERE id IN (SELECT guest FROM sitters WHERE table_id = $1) ORDER BY id
"""
ALL_MUTES = "SELECT guest, table_id, seat FROM mutes ORDER BY table_id, guest, seat"
MUTES_AT = "SELECT guest, table_id, seat FROM mutes WHERE table_id = $1 ORDER BY table_id, guest, seat"
TABLE_COLUMNS = (
    "id", "game", "players", "seed", "created", "updated", "number",
    "status", "listed", "free", "asked", "due", "moves", "seats",
)  # fmt: skip


def lobby_query(game: str | None, limit: int) -> tuple[str, tuple[SqlValue, ...]]:
    """Return the query for the lobby, of all games or of one."""
    return _of_game(_LOBBY, game, limit)


def running_query(game: str | None, limit: int) -> tuple[str, tuple[SqlValue, ...]]:
    """Return the query for running tables, of all games or of one."""
    return _of_game(_RUNNING, game, limit)


def _of_game(query: str, game: str | None, limit: int) -> tuple[str, tuple[SqlValue, ...]]:
    if game is None:
        return query.format(of_game=""), (limit,)
    return query.format(of_game="AND game = $2"), (limit, game)


def done(status: Status) -> int:
    """Return how the lists of its guests sort a table: 0 unfinished, 1 finished, 2 closed."""
    return {"open": 0, "playing": 0, "over": 1, "closed": 2}[status]


def guests_of(seats: Iterable[Seat]) -> list[str]:
    """Return the guests of the seats, each once."""
    return sorted({seat.guest for seat in seats if seat.guest is not None})


_SEATS = msgspec.json.Decoder(list[Seat])


def pack_seats(seats: Sequence[Seat]) -> bytes:
    """Return seats as they are stored."""
    return msgspec.json.encode(seats)


def unpack_seats(seats: bytes) -> list[Seat]:
    """Return seats from their stored form."""
    return _SEATS.decode(seats)


def listed(row: Sequence[Any]) -> TableListing:
    """Return a table of a list from its row."""
    table, game, players, created, updated, status, shown, free, asked, due, moves, seats = row
    row_of_lists = TableSummary(status, bool(shown), free, asked, due, moves)
    return TableListing(table, game, players, created, updated, row_of_lists, unpack_seats(seats))


def stored(table: str, last: int, after: int, found: Stored) -> Stored:
    """Return a table that was loaded, unless events are missing."""
    if len(found.events) != max(last - after, 0):
        raise StoreError(f"The database is damaged: events of table {table} are missing.")
    return found


def plain(*texts: str) -> bool:
    """Return whether every database can store these texts: no NUL and no lone surrogate."""
    try:
        return b"\0" not in "".join(texts).encode()
    except UnicodeEncodeError:
        return False


def require_plain(*texts: str) -> None:
    """Raise an error for texts that not every database can store."""
    if not plain(*texts):
        raise ValueError("A text to be stored has a NUL or half of a character in it.")


def columns(row: TableSummary) -> tuple[SqlValue, ...]:
    """Return a summary as the columns of a row."""
    return row.status, row.listed, row.free, row.asked, row.due, row.moves


def newer_schema(version: int, known: int) -> StoreError:
    """Return the error for a database of a later version of this program."""
    return StoreError(
        f"The database has schema version {version}, this program knows versions up to {known}: "
        "use the newer Dracothèque that made it."
    )


def no_such_table(table: str) -> StoreError:
    """Return the error for a table that the database does not have."""
    return StoreError(f"There is no table {table!r} in this database.")


class SqlQueries(ABC):
    """The calls whose SQL both stores share; each store implements `_rows` and `_run`."""

    @abstractmethod
    async def _rows(self, query: str, *arguments: SqlValue) -> list[Any]:
        """Return the rows of a query."""

    @abstractmethod
    async def _run(self, query: str, *arguments: SqlValue) -> None:
        """Run a statement that changes the database."""

    async def guest(self, guest: str) -> Guest | None:
        """Return a guest, or None."""
        found = await self._rows(GUEST, guest) if plain(guest) else []
        return Guest(*found[0]) if found else None

    async def put_guest(self, guest: Guest) -> None:
        """Add a guest, or change the name and crest of one."""
        require_plain(guest.id, guest.name, guest.crest)
        await self._run(PUT_GUEST, guest.id, guest.name, guest.crest, guest.created)

    async def put_off(self, table: str, due: float) -> None:
        """Move the time at which the manager acts on a table to a later one."""
        require_plain(table)
        await self._run(PUT_OFF, table, due)

    async def mute(self, guest: str, table: str, seat: int, on: bool) -> None:
        """Store whether a guest has muted a seat."""
        require_plain(guest, table)
        await self._run(MUTE if on else UNMUTE, guest, table, seat)

    async def mutes(self, guest: str, table: str) -> frozenset[int]:
        """Return the seats that a guest has muted."""
        rows = await self._rows(MUTES, guest, table) if plain(guest, table) else []
        return frozenset(seat for (seat,) in rows)

    async def lobby(self, game: str | None = None, limit: int = 50) -> list[TableListing]:
        """List the public tables that have a seat for anyone."""
        return await self._list(*lobby_query(game, limit)) if plain(game or "") else []

    async def running(self, game: str | None = None, limit: int = 50) -> list[TableListing]:
        """List the public tables that are being played."""
        return await self._list(*running_query(game, limit)) if plain(game or "") else []

    async def tables_of(self, guest: str, limit: int = 50) -> list[TableListing]:
        """List a guest's tables, what is not over first."""
        if not plain(guest):
            return []
        unfinished = await self._list(UNFINISHED, (guest, limit))
        return unfinished + await self._list(FINISHED, (guest, limit - len(unfinished)))

    async def count_unfinished(self, guest: str) -> int:
        """Count the open and running tables at which a guest has a seat."""
        return (await self._rows(COUNT_UNFINISHED, guest))[0][0] if plain(guest) else 0

    async def due(self, now: float, limit: int = 100) -> list[str]:
        """List the tables at which the manager has to act."""
        return [table for (table,) in await self._rows(DUE, now, limit)]

    async def _list(self, query: str, arguments: tuple[SqlValue, ...]) -> list[TableListing]:
        return [listed(row) for row in await self._rows(query, *arguments)]

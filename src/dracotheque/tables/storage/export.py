"""The records of an export, in this order: a header, the guests, the tables, the mutes, a footer."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from dracotheque.tables.storage.sql import columns, guests_of, pack_seats, require_plain, stored, unpack_seats
from dracotheque.tables.storage.store import Guest, NewTable, Seat, Stored, StoreError, TableSummary

FORMAT = 1


class ExportHeader(Struct, frozen=True, tag_field="record", tag="dracotheque", forbid_unknown_fields=True):
    """The first record of an export."""

    format: int
    secret: bytes | None = None


class GuestRecord(Struct, frozen=True, tag_field="record", tag="guest", forbid_unknown_fields=True):
    """A guest in an export."""

    guest: Guest
    seen: float | None


class TableRecord(Struct, frozen=True, tag_field="record", tag="table", forbid_unknown_fields=True):
    """A table in an export, with all its events."""

    table: NewTable
    updated: float
    row: TableSummary
    seats: list[Seat]
    events: list[bytes]


class MuteRecord(Struct, frozen=True, tag_field="record", tag="mute", forbid_unknown_fields=True):
    """A seat that a guest has muted, in an export."""

    guest: str
    table: str
    seat: int


class ExportFooter(Struct, frozen=True, tag_field="record", tag="end", forbid_unknown_fields=True):
    """The last record of an export: without it, something is missing."""

    tables: int


Record = ExportHeader | GuestRecord | TableRecord | MuteRecord | ExportFooter


def as_json(record: Record) -> dict[str, Any]:
    """Return a record as values of JSON; bytes are in base64."""
    return msgspec.to_builtins(record)


def guest_record(row: Sequence[Any]) -> GuestRecord:
    """Return the record of a guest from its row."""
    return GuestRecord(Guest(*row[:4]), row[4])


def table_record(row: Sequence[Any], events: Sequence[bytes]) -> TableRecord:
    """Return the record of a table from its `TABLE_COLUMNS`."""
    table, game, players, seed, created, updated, last, status, shown, free, asked, due, moves, seats = row
    stored(table, last, 0, Stored(seed, game, created, list(events)))
    row_of_lists = TableSummary(status, bool(shown), free, asked, due, moves)
    return TableRecord(
        NewTable(table, game, players, seed, created), updated, row_of_lists, unpack_seats(seats), list(events)
    )


def table_columns(record: TableRecord) -> tuple[Any, ...]:
    """Return the `TABLE_COLUMNS` of a record's table."""
    new, row = record.table, record.row
    head = (new.id, new.game, new.players, new.seed, new.created, record.updated, len(record.events))
    return (*head, *columns(row), pack_seats(record.seats))


async def batches(
    records: AsyncIterable[dict[str, Any]] | Iterable[dict[str, Any]], size: int = 200
) -> AsyncIterator[list[Record]]:
    """Yield the records of an export in batches; raise an error if one is not valid or the end is missing."""
    batch, position, tables, last = list[Record](), 0, 0, None
    async for plain_record in _each(records):
        position += 1
        if isinstance(last, ExportFooter):
            raise StoreError(f"Record {position} comes after the end of the export.")
        last = _record(plain_record, position)
        tables += isinstance(last, TableRecord)
        batch.append(last)
        if len(batch) == size:
            yield batch
            batch = []
    if not isinstance(last, ExportFooter) or last.tables != tables:
        raise StoreError("The export is incomplete. Export the tables again.")
    yield batch


async def _each(records: AsyncIterable[Any] | Iterable[Any]) -> AsyncIterator[Any]:
    if isinstance(records, AsyncIterable):
        async for record in records:
            yield record
    else:
        for record in records:
            yield record


def _record(plain_record: Any, position: int) -> Record:
    try:
        record = msgspec.convert(plain_record, Record)
        _check(record)
    except (msgspec.ValidationError, ValueError) as error:
        raise StoreError(f"Record {position} is not one of an export: {error}") from None
    if isinstance(record, ExportHeader) != (position == 1):
        raise StoreError("An export begins with one record of the kind 'dracotheque'; this is none.")
    if isinstance(record, ExportHeader) and record.format != FORMAT:
        raise StoreError(f"The export has format {record.format}; this program reads format {FORMAT}.")
    return record


def _check(record: Record) -> None:
    if isinstance(record, GuestRecord):
        require_plain(record.guest.id, record.guest.name, record.guest.crest)
    elif isinstance(record, MuteRecord):
        require_plain(record.guest, record.table)
        _fits(record.seat)
    elif isinstance(record, TableRecord):
        require_plain(record.table.id, record.table.game, *guests_of(record.seats))
        pack_seats(record.seats)
        _fits(record.table.players, record.row.free, record.row.asked, record.row.moves)
        if not record.events:
            raise ValueError("a table without events")


def _fits(*numbers: int) -> None:
    if not all(0 <= number < 2**31 for number in numbers):
        raise ValueError("a number that is too large or below zero")


def unknown_tables(batch: Iterable[Record], known: dict[str, list[bytes]]) -> list[TableRecord]:
    """Return the tables that are not known yet; raise an error for one that is known with other events."""
    new = list[TableRecord]()
    for record in batch:
        if not isinstance(record, TableRecord):
            continue
        events = known.setdefault(record.table.id, record.events)
        if events is record.events:
            new.append(record)
        elif events != record.events:
            raise StoreError(f"Table {record.table.id} already exists with other events. Nothing was imported.")
    return new

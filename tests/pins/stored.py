"""Tables stored by an earlier version: every kind of event, from two databases and from an export."""

from __future__ import annotations

import asyncio
import base64
import json
import lzma
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import asyncpg

from tests.pins import kept, subject

SQLITE, POSTGRES, EXPORT = "stored.sqlite.sql", "stored.postgres.sql", "stored.export.jsonl"
FORMS = (SQLITE, POSTGRES, EXPORT)
CHOICES = 40
ROCKS = "save-the-dragon"
FALLS = ("now:", "played:", "turns:", "asked after:", "prompt:", "chat", "result:")
"""Its rock falls in a physics engine, on another processor perhaps otherwise: what depends on that is not kept."""


def path(form: str) -> Path:
    """Return the path of a form."""
    return kept.FOLDER / f"{form}.xz"


def text(form: str) -> str:
    """Return what was stored, as text."""
    return lzma.decompress(path(form).read_bytes()).decode()


def records(export: str) -> list[dict[str, Any]]:
    """Return the tables of an export."""
    found = [json.loads(line) for line in export.splitlines()]
    return [record for record in found if record["record"] == "table"]


def events(record: dict[str, Any]) -> list[bytes]:
    """Return the events of a table."""
    return [base64.b64decode(event) for event in record["events"]]


def fill_sqlite(file: Path) -> None:
    """Put the rows into a new file."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(text(SQLITE))


async def fill_postgres(url: str) -> None:
    """Put the rows into an empty database."""
    connection = await asyncpg.connect(url)
    await connection.execute(text(POSTGRES))
    await connection.close()


def fill(form: str, url: str, folder: Path) -> None:
    """Put what was stored into an empty database; a folder is for a file."""
    if form == SQLITE:
        fill_sqlite(Path(url))
    elif form == POSTGRES:
        asyncio.run(fill_postgres(url))
    else:
        file = folder / EXPORT
        file.write_text(text(EXPORT), "utf-8")
        subject.import_tables(url, file)


def exported(url: str, folder: Path) -> str:
    """Export a database; return the file's text."""
    file = folder / "exported.jsonl"
    subject.export_tables(url, file)
    return file.read_text("utf-8")


async def described(url: str) -> list[str]:
    """Return what the tables of a database are, before and after they are played on."""
    lines: list[str] = []
    found = records(text(EXPORT))
    async with subject.opened(url) as tables:
        for record in found:
            table = record["table"]["id"]
            kinds = Counter(map(subject.event_kind, events(record)))
            lines += [f"== {table}", f"events {dict(sorted(kinds.items()))}", *await tables.described(table)]
            if await tables.status(table) == "over":
                log = await tables.log(table)
                assert subject.rewritten_log(log) == log
                lines += ["-- log", *log.splitlines()]
    async with subject.opened(url) as tables:
        for record in found:
            if record["row"]["status"] == "playing":
                lines += [f"== {record['table']['id']} played on", *await played_on(tables, record)]
    return lines


async def played_on(tables: subject.Tables, record: dict[str, Any]) -> Iterator[str]:
    """Play a table on; return what it is then."""
    table = record["table"]["id"]
    await tables.play_on(table, CHOICES, Random(table))
    facts = await tables.described(table)
    if record["table"]["game"] != ROCKS:
        return facts
    return (fact for fact in facts if not fact.startswith(FALLS))

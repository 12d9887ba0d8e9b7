"""An earlier commit beside this one: every row of ours in turns (`make bench ARGS="--against COMMIT"`).

Both run with the installed packages of this environment, each with its own library and its own workers. What counts is
the ratio of a round; the median of all rounds is what a row is judged by.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from statistics import median

from checkout import ROOT, checkout
from report import machine
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rows import Measured, NotAvailable, Row, start, with_source

FILE = ROOT / "benchmarks" / "results-earlier.md"
LIMIT = 0.95
COMPILATIONS = 3
ROUND_SECONDS = 1.0


def program(folder: Path, build: Path) -> Path:
    """Write a `dracotheque` command that runs the library of a checkout, and return its path."""
    path = build / f"dracotheque-{folder.name}"
    path.write_text(
        f'#!/bin/sh\nPYTHONPATH="{folder / "src"}" exec "{sys.executable}" -m dracotheque "$@"\n', encoding="utf-8"
    )
    path.chmod(0o755)
    return path


def compare(commit: str, rows: Sequence[Row], rounds: int, build: Path, console: Console) -> str:
    """Measure both commits in turns, and return the results as Markdown."""
    build.mkdir(parents=True, exist_ok=True)
    old, began = checkout(commit, build), time.monotonic()
    load = os.getloadavg()[0]
    ratios: dict[str, list[float]] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, refresh_per_second=1) as progress:
        bar = progress.add_task("Compiling", total=COMPILATIONS + len(rows))
        compiled = compile_ratios(old, progress, bar)
        for row in rows:
            progress.update(bar, description=row.title)
            ratios[row.name] = row_ratios(row, old, rounds, build)
            console.print(f"[dim]{row.name}:[/] {spread(ratios[row.name]) or f'not available: {row.missing}'}")
            progress.advance(bar)
    minutes = (time.monotonic() - began) / 60
    return written(commit, rows, ratios, compiled, f"load before the run {load:.2f}", rounds, minutes)


def row_ratios(row: Row, old: Path, rounds: int, build: Path) -> list[float]:
    """Return how many times as fast as the earlier commit this one was, round by round; none where a row is missing."""
    rates: list[list[float]] = [[], []]
    try:
        with ExitStack() as stack:
            sides: list[Measured] = []
            for folder in (old, ROOT):
                sides.append(start(row, program(folder, build), folder))
                stack.callback(sides[-1].close)
            for number in range(rounds):
                for side in (0, 1) if number % 2 else (1, 0):
                    rates[side].append(rate(sides[side], ROUND_SECONDS * max(row.length, 0.5)))
    except NotAvailable as error:
        row.missing = str(error)
        return []
    return [new / before for before, new in zip(*rates, strict=True) if before]


def rate(measured: Measured, seconds: float) -> float:
    """Return decisions a second, or where none are counted games or simulations."""
    found = measured.round(seconds)
    return found.rate("decisions") or found.rate("games") or 0.0


def compile_ratios(old: Path, progress: Progress, bar: TaskID) -> list[float]:
    """Return how many times as fast as in the earlier commit all games are compiled, by processor time."""
    found: list[float] = []
    for number in range(COMPILATIONS):
        folders = (old, ROOT) if number % 2 else (ROOT, old)
        spent = {folder: compile_seconds(folder) for folder in folders}
        found.append(spent[old] / spent[ROOT])
        progress.advance(bar)
    return found


def compile_seconds(folder: Path) -> float:
    """Return the processor time of compiling all games of a checkout into an empty cache."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as cache:
        environment = {**with_source(folder), "DRACOTHEQUE_CACHE": cache}
        command = [sys.executable, "-m", "dracotheque", "compile"]
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{folder.name} cannot compile its games:\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spread(values: Sequence[float]) -> str:
    """Write a median with the lowest and highest; nothing where there is none."""
    if not values:
        return ""
    return f"{median(values):.3f} ({min(values):.2f} – {max(values):.2f})"


def written(
    commit: str,
    rows: Sequence[Row],
    ratios: dict[str, list[float]],
    compiled: list[float],
    load: str,
    rounds: int,
    minutes: float,
) -> str:
    """Write the ratios as Markdown."""
    below = [name for name, found in ratios.items() if found and median(found) < LIMIT]
    lines = [
        "# This commit beside an earlier one",
        "",
        f"Measured on {datetime.now():%Y-%m-%d %H:%M} by `make bench ARGS='--against {commit} --rounds {rounds}'` "
        f"({minutes:.0f} minutes).",
        "",
        f"- Machine: {machine()}; {load}",
        f"- {rounds} rounds a row, old and new in turns; {COMPILATIONS} for compiling, processor time of all games",
        f"- Times as fast as the earlier commit: the median of the rounds (lowest – highest); the limit is {LIMIT}",
        f"- Below the limit: {', '.join(below) or 'none'}",
        "",
        "| row | × as fast |",
        "|---|---:|",
        f"| compiling all games | {spread(compiled)} |",
        *(f"| {row.title} (`{row.name}`) | {spread(ratios[row.name]) or row.missing} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"

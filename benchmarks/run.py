"""Measure Dracothèque beside OpenSpiel, python-chess and Pgx, in one run, taking turns; see `--help`."""

from __future__ import annotations

import argparse
import difflib
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import peers
import report
from report import Memory
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rows import Measured, NotAvailable, Row, cores, rows, simulate, start

FEW = 10_000
MEMORY = "memory"


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    rounds: int
    seconds: float
    many: int
    """Games of the long run whose memory is looked at."""
    left_out: tuple[str, ...] = ()


EFFORTS = {
    "quick": Effort(3, 0.3, 1_000_000, ("compiled-2", "compiled-4", "compiled-5")),
    "usual": Effort(9, 0.7, 1_000_000),
    "full": Effort(21, 1.5, 10_000_000),
}


def options(names: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="make bench ARGS=…",
        description="Measure Dracothèque beside OpenSpiel, python-chess and Pgx in one run. Peers are installed from "
        "PyPI into .venv-bench, once. Prints a table and writes benchmarks/results.md (not with --only).",
        epilog=f"Rows: {', '.join(names)}.",
    )
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--quick", action="store_const", dest="effort", const="quick", help="about a minute: rough, three players alone"
    )
    effort.add_argument("--full", action="store_const", dest="effort", const="full", help="a quarter of an hour")
    parser.add_argument("--only", metavar="ROW,…", help="measure these rows alone, and write no file")
    parser.add_argument("--program", type=Path, metavar="PATH",
                        help="measure another dracotheque command than this checkout's, and write no file")  # fmt: skip
    chosen = parser.parse_args()
    for name in (chosen.only or "").split(",") if chosen.only else []:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1, 0)
            parser.error(f"there is no row {name!r}; did you mean {near[0]!r}?")
    return chosen


def started(row: Row, reasons: dict[str, str], program: Path) -> Measured | None:
    """Start what a row measures, or note why that cannot be."""
    try:
        if row.package in reasons:
            raise NotAvailable(reasons[row.package])
        return start(row, program)
    except NotAvailable as error:
        row.missing = str(error)
        return None


def take_turns(chosen: list[Row], effort: Effort, reasons: dict[str, str], program: Path, console: Console) -> None:
    """Warm everything up, then go round and round."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, refresh_per_second=2) as progress:  # drawing costs the measured a little
        bar = progress.add_task("Warming up", total=len(chosen))
        running: dict[str, Measured] = {}
        for row in chosen:
            progress.update(bar, description=f"Warming up: {row.title}")
            if measured := started(row, reasons, program):
                running[row.name] = measured
            else:
                progress.console.print(f"[yellow]{row.title}: not available:[/] {row.missing}")
            progress.advance(bar)
        bar = progress.add_task("Measuring", total=effort.rounds * len(running))
        try:
            for number in range(1, effort.rounds + 1):
                for row in chosen:
                    if row.name in running:
                        progress.update(bar, description=f"Round {number} of {effort.rounds}: {row.title}")
                        one_round(row, running, effort.seconds)
                        progress.advance(bar)
        finally:
            for measured in running.values():
                measured.close()


def one_round(row: Row, running: dict[str, Measured], seconds: float) -> None:
    """Measure a row once; a row that breaks is out, and says why."""
    try:
        row.rounds.append(running[row.name].round(seconds))
    except NotAvailable as error:
        row.rounds.clear()
        row.missing = str(error)
        running.pop(row.name)


def memory(program: Path, many: int, console: Console) -> Memory | None:
    """Look at the peak memory of a short and a long run."""
    try:
        with console.status(f"Memory: {FEW:,} and {many:,} games …"):
            _, few_bytes = simulate(program, "3", str(len(cores())), FEW)
            _, many_bytes = simulate(program, "3", str(len(cores())), many)
    except NotAvailable as error:
        console.print(f"[yellow]Memory: not available:[/] {error}")
        return None
    return Memory(FEW, few_bytes, many, many_bytes)


def main() -> None:
    """Prepare, measure, print, write."""
    every = rows(len(cores()))
    asked = options([*(row.name for row in every), MEMORY])
    console = Console()
    if console.width < 130:
        console = Console(width=130)
    effort = EFFORTS[asked.effort or "usual"]
    everything = [name for row in every if (name := row.name) not in effort.left_out] + [MEMORY]
    names = asked.only.split(",") if asked.only else everything
    chosen = [row for row in every if row.name in names]
    began = time.monotonic()
    found, reasons = peers.prepare(console) if any(not row.ours for row in chosen) else ({}, {})
    program = asked.program or Path(sys.executable).with_name("dracotheque")
    take_turns(chosen, effort, reasons, program, console)
    seen = memory(program, effort.many, console) if MEMORY in names else None
    claims = report.claims(chosen, seen, len(cores()))
    report.show(chosen, console)
    report.show_claims(claims, console)
    if asked.only or asked.program:
        console.print("Not the usual rows or program: benchmarks/results.md stays as it was.")
        return
    command = shlex.join(["make", "bench", *([f"ARGS={shlex.join(sys.argv[1:])}"] if sys.argv[1:] else [])])
    how = f"{effort.rounds} rounds of {effort.seconds:g} s a row, {(time.monotonic() - began) / 60:.1f} minutes in all"
    mine = peers.versions(Path(sys.executable), "dracotheque", "numba", "llvmlite", "numpy")
    said = {"mine": report.listed({**mine, **revision()}), "theirs": report.listed(found)}
    report.FILE.write_text(report.markdown(chosen, claims, command=command, how=how, **said), encoding="utf-8")
    console.print("Written to benchmarks/results.md.")


def revision() -> dict[str, str]:
    """Name the commit measured, with a plus where files differ from it; nothing outside a checkout."""
    git = ["git", "-C", str(peers.ROOT), "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        answer = subprocess.run(git, capture_output=True, text=True, check=False)
    except OSError:
        return {}
    return {"commit": answer.stdout.strip()} if answer.returncode == 0 else {}


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped; nothing was written.")

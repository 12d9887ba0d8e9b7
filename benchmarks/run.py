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

import earlier
import peers
import report
import searches
from report import Memory
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rows import SUBJECTS, Measured, NotAvailable, Row, Subject, cores, rows, simulate, start
from searches import OVER_TIME, SEARCH


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    rounds: int
    seconds: float
    short: int = 500_000
    long: int = 500_000_000
    """Decisions of the two runs whose memory is looked at."""
    rough: bool = False
    """Whether other numbers of players are left out, and README and docs stay as they are."""


EFFORTS = {
    "quick": Effort(3, 0.3, long=50_000_000, rough=True),
    "usual": Effort(9, 0.7),
    "full": Effort(21, 1.5),
}


def options(names: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="make bench ARGS=…",
        description="Measure Dracothèque beside OpenSpiel, python-chess and Pgx in one run. Peers are installed from "
        "PyPI into .venv-bench, once. Prints tables, writes benchmarks/results.md and the figures in README.md and "
        "docs/explanation/speed.md (none with --only or --game; only the first with --quick; --search writes "
        "results-search.md alone).",
        epilog=f"Rows: {', '.join(names)}.",
    )
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--quick", action="store_const", dest="effort", const="quick", help="two minutes: rough, three players alone"
    )
    effort.add_argument("--full", action="store_const", dest="effort", const="full", help="half an hour")
    chosen_rows = parser.add_mutually_exclusive_group()
    chosen_rows.add_argument("--game", choices=[subject.game for subject in SUBJECTS],
                             help="measure this game and its peers alone, and write no file")  # fmt: skip
    chosen_rows.add_argument("--search", action="store_true",
                             help="measure the search and OpenSpiel’s alone: two minutes")  # fmt: skip
    chosen_rows.add_argument("--only", metavar="ROW,…", help="measure these rows alone, and write no file")
    parser.add_argument("--against", metavar="COMMIT", default="",
                        help="compare our own rows and the time to compile with an earlier commit, in turns, and "
                        "nothing else; writes benchmarks/results-earlier.md (not of a part of the rows)")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=9, help="rounds of --against (9)")
    parser.add_argument("--program", type=Path, metavar="PATH",
                        help="measure another dracotheque command than this checkout's, and write no file")  # fmt: skip
    chosen = parser.parse_args()
    if chosen.against and chosen.program:
        parser.error("--against measures this checkout and the commit: leave --program out")
    if chosen.rounds < 1:
        parser.error(f"--rounds must be 1 or more (got {chosen.rounds})")
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
                        one_round(row, running, effort.seconds * row.length)
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


def memory(subject: Subject, program: Path, effort: Effort, console: Console) -> Memory | None:
    """Look at the peak memory of a short and a long run of a game."""
    setting = (program, subject.game, str(subject.players[0]), str(len(cores())))
    try:
        few, many = (games_for(decisions, setting) for decisions in (effort.short, effort.long))
        with console.status(f"Memory of {subject.title}: {few:,} and {many:,} games …"):
            _, few_bytes = simulate(*setting, few)
            _, many_bytes = simulate(*setting, many)
    except NotAvailable as error:
        console.print(f"[yellow]Memory of {subject.title}: not available:[/] {error}")
        return None
    return Memory(few, few_bytes, many, many_bytes)


def games_for(decisions: int, setting: tuple[Path, str, str, str]) -> int:
    """Say how many games make so many decisions, as a round number: some games are forty times as long as others."""
    answer, _ = simulate(*setting, 1000)
    games = decisions * answer["games"] / answer["decisions"]
    return int(float(f"{games:.0e}"))


def wanted(asked: argparse.Namespace, effort: Effort, every: list[Row]) -> set[str]:
    """Name the rows to measure."""
    if asked.only:
        return set(asked.only.split(","))
    searching = {row.name for row in every if row.game == SEARCH} | {OVER_TIME}
    if asked.search:
        return searching
    subjects = [subject for subject in SUBJECTS if asked.game in (None, subject.game)]
    left_out = {name for subject in subjects for name in subject.others()} if effort.rough else set()
    games = [subject.game for subject in subjects]
    found = {row.name for row in every if row.game in games} - left_out | {subject.memory for subject in subjects}
    return found if asked.game else found | searching


def main() -> None:
    """Prepare, measure, print, write."""
    every = [*rows(len(cores())), *searches.rows()]
    asked = options([*(row.name for row in every), *(subject.memory for subject in SUBJECTS), OVER_TIME])
    console = Console()
    if console.width < 130:
        console = Console(width=130)
    effort = EFFORTS[asked.effort or "usual"]
    names = wanted(asked, effort, every)
    chosen = [row for row in every if row.name in names]
    if asked.against:
        compare_with_earlier(asked, [row for row in chosen if row.ours], console)
        return
    began = time.monotonic()
    found, reasons = peers.prepare(console) if any(not row.ours for row in chosen) else ({}, {})
    program = asked.program or Path(sys.executable).with_name("dracotheque")
    take_turns(chosen, effort, reasons, program, console)
    looked_at = [subject for subject in SUBJECTS if subject.memory in names]
    seen = {subject.game: memory(subject, program, effort, console) for subject in looked_at}
    late = searches.over_time(console) if OVER_TIME in names else None
    run = report.Run(chosen, {game: each for game, each in seen.items() if each}, len(cores()))
    report.show(run, console)
    searches.show(run, late, console)
    if asked.only or asked.game or asked.program:
        console.print("Not all rows, or another program: the pages of results, README.md and docs stay as they were.")
        return
    command = shlex.join(["make", "bench", *([f"ARGS={shlex.join(sys.argv[1:])}"] if sys.argv[1:] else [])])
    how = f"{effort.rounds} rounds of {effort.seconds:g} s a row, {(time.monotonic() - began) / 60:.1f} minutes in all"
    mine = peers.versions(Path(sys.executable), "dracotheque", "numba", "llvmlite", "numpy")
    said = {"mine": report.listed({**mine, **revision()}), "theirs": report.listed(found)}
    page = report.markdown(run, command=command, how=how, more=searches.markdown(run, late), **said)
    file = searches.FILE if asked.search else report.FILE
    file.write_text(page, encoding="utf-8")
    console.print(f"Written to benchmarks/{file.name}.")
    if not (effort.rough or asked.search):
        report.write_pages(run)
        console.print("Written to README.md and docs/explanation/speed.md.")


def compare_with_earlier(asked: argparse.Namespace, chosen: list[Row], console: Console) -> None:
    """Measure our rows beside an earlier commit, and write what was found."""
    text = earlier.compare(asked.against, chosen, asked.rounds, peers.ROOT / "build" / "earlier", console)
    console.print(text, markup=False)
    if not (asked.only or asked.game or asked.search or asked.effort):
        earlier.FILE.write_text(text, encoding="utf-8")
        console.print(f"Written to benchmarks/{earlier.FILE.name}.")


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

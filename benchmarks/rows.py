"""What is measured, and how one round of each is taken."""

from __future__ import annotations

import json
import os
import re
import resource
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from typing import IO, Any, Protocol

import peers

HERE = Path(__file__).parent
PATIENCE = 300  # seconds until a silent process is given up; JAX compiles for ten


class NotAvailable(Exception):  # noqa: N818
    """Why a row cannot be measured."""


@dataclass(frozen=True)
class Round:
    """What was counted in one stretch of time."""

    decisions: float
    nodes: float | None
    games: float | None
    seconds: float

    def rate(self, unit: str) -> float | None:
        """How many a second."""
        count = getattr(self, unit)
        return None if count is None else count / self.seconds


@dataclass
class Row:
    """One line of the table."""

    name: str
    title: str
    group: str
    package: str | None
    """The peer's package, or None for ours."""
    task: tuple[str, ...]
    rounds: list[Round] = field(default_factory=list)
    missing: str | None = None

    @property
    def ours(self) -> bool:
        """Whether it is Dracothèque's."""
        return self.package is None

    def rates(self, unit: str) -> list[float]:
        """Its rate in each round; empty where it has none."""
        return [rate for r in self.rounds if (rate := r.rate(unit)) is not None]

    def middle(self, unit: str) -> float | None:
        """Its median rate."""
        return median(rates) if (rates := self.rates(unit)) else None

    def times(self, other: Row, unit: str, theirs: str | None = None) -> list[float]:
        """How many times as fast as another row it was, round by round."""
        return [a / b for a, b in zip(self.rates(unit), other.rates(theirs or unit), strict=False) if b]


PYTHON_LOOP, COMPILED = "from a Python loop", "whole games inside compiled code"
LOOP, SAMPLING, FAST, ALL_CORES, MAEDN = "loop", "loop-sampling", "compiled-3", "compiled-3-all", "rollouts-maedn"
SPIEL_LOOPS = ("spiel-pig", "spiel-maedn", "spiel-backgammon")


def rows(cores: int) -> list[Row]:
    """Everything measured; ours and peers take turns in this order."""
    spiel, every = "open_spiel", str(cores)
    return [
        Row(LOOP, "Emerald, 3 players, State API, same lines as OpenSpiel", PYTHON_LOOP, None, ("ours", "3")),
        Row("spiel-pig", "OpenSpiel pig", PYTHON_LOOP, spiel, ("spiel", "pig")),
        Row(SAMPLING, "Emerald, 3 players, State API, sample_chance", PYTHON_LOOP, None, ("ours-sampling", "3")),
        Row("spiel-maedn", "OpenSpiel maedn, 2 players", PYTHON_LOOP, spiel, ("spiel", "maedn(players=2)")),
        Row("spiel-backgammon", "OpenSpiel backgammon", PYTHON_LOOP, spiel, ("spiel", "backgammon")),
        Row("chess", "python-chess, random plies", PYTHON_LOOP, "chess", ("plies",)),
        Row(FAST, "Emerald, 3 players, one core", COMPILED, None, ("simulate", "3", "1")),
        Row(MAEDN, "OpenSpiel C++ rollouts, maedn, 2 players", COMPILED, spiel, ("rollouts", "maedn(players=2)")),
        Row(ALL_CORES, f"Emerald, 3 players, all {every} cores", COMPILED, None, ("simulate", "3", every)),
        Row("rollouts-pig", "OpenSpiel C++ rollouts, pig", COMPILED, spiel, ("rollouts", "pig")),
        Row("compiled-2", "Emerald, 2 players, one core", COMPILED, None, ("simulate", "2", "1")),
        Row("rollouts-backgammon", "OpenSpiel C++ rollouts, backgammon", COMPILED, spiel, ("rollouts", "backgammon")),
        Row("compiled-4", "Emerald, 4 players, one core", COMPILED, None, ("simulate", "4", "1")),
        Row("pgx-backgammon", "Pgx backgammon, steps, on the processor", COMPILED, "pgx", ("pgx", "backgammon")),
        Row("compiled-5", "Emerald, 5 players, one core", COMPILED, None, ("simulate", "5", "1")),
    ]


# --- Processes ------------------------------------------------------------------------------------------------
def cores() -> list[int]:
    """List the cores this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


@contextmanager
def pinned(wanted: bool = True) -> Iterator[None]:
    """Keep processes started inside on one core, the same for all, where the system can."""
    if not wanted or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def last_words(stream: IO[str]) -> str:
    """Find the line of a failed process that says what was wrong: the last that names an error, or the last."""
    stream.seek(0)
    lines = [line.strip().replace(f"{peers.ROOT}/", "") for line in stream if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|error)\b.*:", line)]
    return (errors or lines or ["it stopped without a word"])[-1]


class Measured(Protocol):
    """Something that can be asked for a round."""

    def round(self, seconds: float) -> Round:
        """Measure for about so many seconds."""
        ...

    def close(self) -> None:
        """End whatever runs."""
        ...


class Worker:
    """A process that waits, warm, for its next round."""

    def __init__(self, python: Path | str, *task: str) -> None:
        """Start it and wait until it is warm."""
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        command = [str(python), str(HERE / "worker.py"), *task]
        with pinned():
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, bufsize=1
            )
        self._answer()

    def round(self, seconds: float) -> Round:
        """Ask for a round."""
        assert self._process.stdin
        try:
            self._process.stdin.write(f"{seconds}\n")
        except BrokenPipeError:
            raise NotAvailable(last_words(self._errors)) from None
        return Round(**json.loads(self._answer()))

    def close(self) -> None:
        """Close its input, which ends it."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(10)

    def _answer(self) -> str:
        """Wait for a line."""
        assert self._process.stdout
        if not select.select([self._process.stdout], [], [], PATIENCE)[0]:
            self._process.kill()
            raise NotAvailable(f"no answer in {PATIENCE} seconds")
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            raise NotAvailable(last_words(self._errors))
        return line


class Simulate:
    """`dracotheque simulate`, started anew each round; its own clock leaves out the start."""

    def __init__(self, program: Path, players: str, threads: str) -> None:
        """Play a few games, which compiles the rules if need be, and see how fast it is."""
        self._program, self._players, self._threads = program, players, threads
        answer, _ = simulate(program, players, threads, 20_000)
        self._rate = answer["games"] / answer["seconds"]
        self._nodes_a_decision = nodes_a_decision(players)

    def round(self, seconds: float) -> Round:
        """Play as many games as should take so long."""
        games = max(1000, int(self._rate * seconds))
        answer, _ = simulate(self._program, self._players, self._threads, games)
        decisions = answer["decisions"]
        return Round(decisions, decisions * self._nodes_a_decision, answer["games"], answer["seconds"])

    def close(self) -> None:
        """Nothing runs between rounds."""


@cache
def nodes_a_decision(players: str) -> float:
    """Count nodes a decision through the State API, since `simulate` counts decisions alone."""
    worker = Worker(sys.executable, "ours", players)
    counted = worker.round(0.5)
    worker.close()
    return (counted.nodes or 0) / counted.decisions


def simulate(program: Path, players: str, threads: str, games: int) -> tuple[dict[str, Any], int]:
    """Run `dracotheque simulate` once; give its answer and the most memory it used, in bytes."""
    arguments = ["simulate", "emerald", "--players", players, "--games", str(games), "--threads", threads, "--json"]
    with tempfile.TemporaryFile("w+") as errors, tempfile.TemporaryFile("w+") as answer:
        with pinned(threads == "1"):
            try:
                process = subprocess.Popen([program, *arguments], stdout=answer, stderr=errors)
            except OSError as error:
                raise NotAvailable(f"{program.name}: {error.strerror}") from None
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise NotAvailable(last_words(errors))
        answer.seek(0)
        try:
            return json.load(answer), peak(usage)
        except json.JSONDecodeError:
            raise NotAvailable("its answer is not JSON") from None


def peak(usage: resource.struct_rusage) -> int:
    """Give the peak resident set in bytes; macOS counts in bytes already, others in KiB."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def start(row: Row, program: Path) -> Measured:
    """Start what a row measures."""
    kind, *arguments = row.task
    if kind == "simulate":
        return Simulate(program, *arguments)
    return Worker(sys.executable if row.ours else peers.PYTHON, *row.task)

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
from itertools import chain, zip_longest
from pathlib import Path
from statistics import median
from typing import IO, Any, Protocol

import peers
from promises import PROMISES, Promise

from dracotheque.engine.registry import find_game

HERE = Path(__file__).parent
TIMEOUT_SECONDS = 300  # seconds until a silent process is given up; JAX compiles for ten


class NotAvailable(Exception):  # noqa: N818
    """Why a row cannot be measured."""


@dataclass(frozen=True)
class Round:
    """What was counted in one stretch of time; a simulation of a search counts as a game."""

    decisions: float | None
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
    game: str
    """The game of ours in whose table it stands, or `search`."""
    group: str
    package: str | None
    """The peer's package, or None for ours."""
    task: tuple[str, ...]
    rounds: list[Round] = field(default_factory=list)
    missing: str | None = None
    cores: int = 1
    """How many cores its process may use; what uses more by itself, like `simulate`, says so in its task."""
    length: float = 1.0
    """How long its rounds are, as a share of those of other rows."""

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
SPIEL = "open_spiel"


@dataclass(frozen=True)
class Peer:
    """A game of another library that one of ours is measured beside."""

    name: str
    title: str
    group: str
    package: str
    task: tuple[str, ...]


def spiel(short: str, name: str | None = None, title: str | None = None) -> tuple[Peer, Peer]:
    """Measure a game of OpenSpiel twice: through its Python State, and in the rollouts of its C++ search."""
    name, title = name or short, title or short
    return (
        Peer(f"spiel-{short}", f"OpenSpiel {title}", PYTHON_LOOP, SPIEL, ("spiel", name)),
        Peer(f"rollouts-{short}", f"OpenSpiel C++ rollouts, {title}", COMPILED, SPIEL, ("rollouts", name)),
    )


@dataclass(frozen=True)
class Subject:
    """A game of ours and what it is measured beside."""

    game: str
    short_cut: str
    """What our own way of a Python loop is, beside that of OpenSpiel's users."""
    nearest: str
    """The short name of OpenSpiel's game that is nearest to ours."""
    peers: tuple[Peer, ...]

    @property
    def promise(self) -> Promise:
        """What was promised about its speed."""
        return PROMISES.get(self.game, Promise())

    @property
    def title(self) -> str:
        """The title of the game."""
        return find_game(self.game).title

    @property
    def players(self) -> list[int]:
        """Every number of players, the usual one first."""
        definition = find_game(self.game)
        return sorted(
            range(definition.min_players, definition.max_players + 1),
            key=lambda players: players != definition.default_players,
        )

    def named(self, row: str) -> str:
        """Name a row of ours."""
        return f"{self.game}-{row}"

    @property
    def loop(self) -> str:
        """The row of a Python loop with the words of OpenSpiel's users."""
        return self.named("loop")

    @property
    def our_way(self) -> str:
        """The row of a Python loop with our own."""
        return self.named("loop-our-way")

    @property
    def one_core(self) -> str:
        """The row of compiled code on one core, with the usual number of players."""
        return self.named(f"compiled-{self.players[0]}")

    @property
    def all_cores(self) -> str:
        """The same on all cores."""
        return f"{self.one_core}-all"

    @property
    def memory(self) -> str:
        """What the look at memory is called on the command line."""
        return self.named("memory")

    def others(self) -> list[str]:
        """The rows of the other numbers of players."""
        return [self.named(f"compiled-{players}") for players in self.players[1:]]

    def mine(self, cores: int) -> list[Row]:
        """Our own rows."""
        usual = str(self.players[0])
        seats, threads = f"{self.title}, {usual} players", str(cores)

        def row(name: str, title: str, group: str, *task: str) -> Row:
            return Row(name, title, self.game, group, None, task)

        alike, own = "State API, same lines as OpenSpiel", f"State API, {self.short_cut}"
        return [
            row(self.loop, f"{seats}, {alike}", PYTHON_LOOP, "ours", self.game, usual),
            row(self.our_way, f"{seats}, {own}", PYTHON_LOOP, "our-way", self.game, usual),
            row(self.one_core, f"{seats}, one core", COMPILED, "simulate", self.game, usual, "1"),
            row(self.all_cores, f"{seats}, all {cores} cores", COMPILED, "simulate", self.game, usual, threads),
            *(
                row(name, f"{self.title}, {players} players, one core", COMPILED, "simulate", self.game, players, "1")
                for name, players in zip(self.others(), map(str, self.players[1:]), strict=True)
            ),
        ]

    def theirs(self) -> list[Row]:
        """The rows of its peers."""
        return [Row(peer.name, peer.title, self.game, peer.group, peer.package, peer.task) for peer in self.peers]


# Dragon's Cave lays sealed cards of a hand, which come back now and then, and leaves next to nothing to chance.
# OpenSpiel's nearest is goofspiel: three players lay a sealed card each, no card twice. With prizes in order chance
# has no part, and it runs faster than with shuffled ones, so that is what we are measured against. oshi_zumo, sealed
# bids of two players that push a piece along a path, is there because it is faster still.
#
# Gran is played on a net of points, much like halma: chinese_checkers with three players is that. quoridor has walls
# that must never close the last way, as Gran's stones must not wall the ring in; with two players, for its games of
# three break off with an error.
#
# Save the Dragon is a race by dice in which pawns are sent back to the beginning: maedn with as many players.
GOOFSPIEL = "goofspiel(players=3,num_cards=13{})"
SUBJECTS = (
    Subject(
        "emerald",
        "sample_chance",
        "maedn",
        (
            *spiel("maedn", "maedn(players=2)", "maedn, 2 players"),
            *spiel("pig"),
            *spiel("backgammon"),
            Peer("chess", "python-chess, random plies", PYTHON_LOOP, "chess", ("plies",)),
            Peer("pgx", "Pgx backgammon, steps, on the processor", COMPILED, "pgx", ("pgx", "backgammon")),
        ),
    ),
    Subject(
        "dragons-cave",
        "seat by seat",
        "goofspiel",
        (
            *spiel("goofspiel", GOOFSPIEL.format(",points_order=descending"), "goofspiel, 3 players, prizes in order"),
            *spiel("goofspiel-shuffled", GOOFSPIEL.format(""), "goofspiel, 3 players, prizes shuffled"),
            *spiel("oshi_zumo", title="oshi_zumo, 2 players"),
        ),
    ),
    Subject(
        "gran",
        "sample_chance",
        "chinese_checkers",
        (
            *spiel("chinese_checkers", "chinese_checkers(players=3)", "chinese_checkers, 3 players"),
            *spiel("quoridor", title="quoridor, 2 players"),
        ),
    ),
    Subject(
        "save-the-dragon",
        "sample_chance",
        "maedn-3",
        spiel("maedn-3", "maedn(players=3)", "maedn, 3 players"),
    ),
)


def rows(cores: int) -> list[Row]:
    """Everything measured; ours and peers take turns in this order, so that what is compared is near in time."""
    return [row for subject in SUBJECTS for row in in_turn(subject.mine(cores), subject.theirs())]


def in_turn(mine: list[Row], theirs: list[Row]) -> list[Row]:
    """Let a row of ours and one of a peer follow each other, part by part."""
    found: list[Row] = []
    for part in (PYTHON_LOOP, COMPILED):
        pairs = zip_longest(*([row for row in some if row.group == part] for some in (mine, theirs)))
        found += [row for row in chain.from_iterable(pairs) if row is not None]
    return found


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


def with_source(checkout: Path) -> dict[str, str]:
    """Return this environment with the library of a checkout before the installed one."""
    return {**os.environ, "PYTHONPATH": str(checkout / "src")}


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

    def __init__(self, python: Path | str, *task: str, alone: bool = True, checkout: Path | None = None) -> None:
        """Start it, on one core where it works alone, and wait until it is warm; `checkout` has another commit."""
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        folder, environment = (checkout / "benchmarks", with_source(checkout)) if checkout else (HERE, None)
        command = [str(python), str(folder / "worker.py"), *task]
        with pinned(alone):
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, bufsize=1,
                env=environment,
            )  # fmt: skip
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
        if not select.select([self._process.stdout], [], [], TIMEOUT_SECONDS)[0]:
            self._process.kill()
            raise NotAvailable(f"no answer in {TIMEOUT_SECONDS} seconds")
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            raise NotAvailable(last_words(self._errors))
        return line


class Simulate:
    """`dracotheque simulate`, started again each round; its own clock leaves out the start."""

    def __init__(self, program: Path, game: str, players: str, threads: str) -> None:
        """Play a few games, which compiles the rules if need be, and see how fast it is."""
        self._program, self._setting = program, (game, players, threads)
        answer, _ = simulate(program, *self._setting, 5_000)
        self._rate = answer["games"] / answer["seconds"]
        self._nodes_a_decision = nodes_a_decision(game, players)

    def round(self, seconds: float) -> Round:
        """Play as many games as should take so long."""
        games = max(1000, int(self._rate * seconds))
        answer, _ = simulate(self._program, *self._setting, games)
        decisions = answer["decisions"]
        return Round(decisions, decisions * self._nodes_a_decision, answer["games"], answer["seconds"])

    def close(self) -> None:
        """Nothing runs between rounds."""


@cache
def nodes_a_decision(game: str, players: str) -> float:
    """Count nodes a decision through the State API, since `simulate` counts decisions alone."""
    worker = Worker(sys.executable, "our-way", game, players)
    counted = worker.round(0.5)
    worker.close()
    return (counted.nodes or 0) / (counted.decisions or 1)


def simulate(program: Path, game: str, players: str, threads: str, games: int) -> tuple[dict[str, Any], int]:
    """Run `dracotheque simulate` once; give its answer and the most memory it used, in bytes."""
    arguments = ["simulate", game, "--players", players, "--games", str(games), "--threads", threads, "--json"]
    with tempfile.TemporaryFile("w+", errors="replace") as errors, tempfile.TemporaryFile("w+") as answer:
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


def start(row: Row, program: Path, checkout: Path | None = None) -> Measured:
    """Start what a row measures, of this checkout or of another."""
    kind, *arguments = row.task
    if kind == "simulate":
        return Simulate(program, *arguments)
    python = sys.executable if row.ours else peers.PYTHON
    return Worker(python, *row.task, alone=row.cores == 1, checkout=checkout)

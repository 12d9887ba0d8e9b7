"""The tables, the claims, benchmarks/results.md, and the figures in README.md and docs/explanation/speed.md."""

from __future__ import annotations

import json
import os
import platform
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rows import COMPILED, PYTHON_LOOP, SPIEL, SUBJECTS, Row, Subject

HERE = Path(__file__).parent
FILE = HERE / "results.md"
CUDA = HERE / "results-cuda.json"
README = HERE.parent / "README.md"
SPEED = HERE.parent / "docs" / "explanation" / "speed.md"
HEADINGS = ("", "decisions/s", "lowest – highest", "nodes/s", "games/s", "ours ÷ it: decisions", "nodes", "games")

NOTES = """\
- A **decision** is a choice of a player: in most of the peers’ games forced ones too, while our games ask nobody where
  a rule leaves no choice (the only card, the only knight). Where several players choose at once, each sealed choice is
  one. A **node** is a decision or a chance move (a roll, a card turned over). Pgx rolls its dice inside steps, so only
  its steps are known: one checker moved, or a pass.
- The games differ: no peer has a game of ours, nor we one of theirs. Rates say how fast the machinery is, not that the
  same work was done. Whole games a second depend on how long a game is.
- Emerald, where chance follows many moves, stands beside games of dice. Dragon’s Cave, where players choose in secret
  and chance only names the first dragon, stands beside games of sealed choices. The nearest is goofspiel with 13 cards:
  three players lay a sealed card each, none a card twice. With prizes in order chance has no part in it, and it is
  faster than the usual game, where a prize is turned over first: ratios in docs/explanation/speed.md are to that one.
  In oshi_zumo the sealed bids of two players push a piece along a path. Gran, a net of points with stones that close
  lines, stands beside chinese_checkers and quoridor, Save the Dragon, a race by dice in which pawns fall back, beside
  maedn.
- Each figure is the median of the rounds; rows took turns, round by round, each in its own process, on the same core
  (except “all cores”). Ratios are taken within a round first, then their median, so that a slow moment of the machine
  hits both sides. “Ours” is the first row of the part.
- “Same lines as OpenSpiel” is one Python function for both: `chance_outcomes` for chance, and `apply_actions` with a
  list of all seats’ actions for sealed choices. “sample_chance” lets our State draw, “seat by seat” also hands over
  sealed choices one by one.
- OpenSpiel’s rollouts run in C++: a search of one simulation with 50 rollouts. They do not report their length, so it
  is counted over 500 games in Python, and the rate is games a second times that mean. Its search takes sealed choices
  one after the other (`load_game_as_turn_based`), as our compiled loop does.
- Our State refuses every illegal action by name; OpenSpiel’s leaves that to each game, and some do not look. Inside
  compiled code neither side looks: actions are chosen from the legal ones.
- Our command counts decisions; its nodes are decisions times the nodes a decision seen through the State API.
"""


@dataclass(frozen=True)
class Claim:
    """Something promised, and what this run saw."""

    what: str
    target: str
    measured: str
    met: bool | None


@dataclass(frozen=True)
class Memory:
    """Peak memory of a short and a long run, in bytes."""

    few: int
    few_bytes: int
    many: int
    many_bytes: int

    @property
    def growth(self) -> float:
        """The long run's memory as a multiple of the short one's."""
        return self.many_bytes / self.few_bytes


@dataclass(frozen=True)
class Run:
    """Everything one run has seen."""

    rows: list[Row]
    memory: dict[str, Memory]
    """By game."""
    cores: int

    def subjects(self) -> list[Subject]:
        """The games that something was measured of."""
        games = {row.game for row in self.rows} | self.memory.keys()
        return [subject for subject in SUBJECTS if subject.game in games]

    def row(self, name: str) -> Row | None:
        """Find a row that was measured."""
        return next((row for row in self.rows if row.name == name and row.rounds), None)

    def spiel(self, subject: Subject) -> list[Row]:
        """OpenSpiel's Python loops beside a game, the fastest first."""
        found = [row for row in self.rows if (row.game, row.group, row.package) == (subject.game, PYTHON_LOOP, SPIEL)]
        return sorted((row for row in found if row.rounds), key=lambda row: -(row.middle("decisions") or 0))


def short(number: float | None) -> str:
    """Write a number as people say it: 12.3 M."""
    if number is None:
        return "–"
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size * 0.9995:  # rounds up to it
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}" if number < 99.95 else f"{number:.0f}"


def times(ratios: list[float]) -> str:
    """Write the median of some ratios."""
    if not ratios:
        return "–"
    middle = median(ratios)
    return f"{middle:,.0f} ×" if middle >= 100 else f"{middle:.3g} ×"


def line(row: Row, reference: Row | None) -> list[str]:
    """Write the cells of a row."""
    if not row.rounds:
        return [row.title, f"not available: {row.missing}", *[""] * (len(HEADINGS) - 2)]
    rates = row.rates("decisions")
    spread = f"{short(min(rates))} – {short(max(rates))}"
    units = ("decisions", "nodes", "games")
    against = [""] * 3
    if reference is not None and not row.ours:
        against = [times(reference.times(row, unit)) for unit in units]
    return [row.title, short(row.middle("decisions")), spread, *(short(row.middle(u)) for u in units[1:]), *against]


def lines(run: Run, subject: Subject) -> list[tuple[str, Row, list[str]]]:
    """The rows of a game with their part and cells, in the table's order: part by part, ours first."""
    found = []
    for group, name in ((PYTHON_LOOP, subject.loop), (COMPILED, subject.one_core)):
        reference = run.row(name)
        inside = [row for row in run.rows if (row.game, row.group) == (subject.game, group)]
        found += [(group, row, line(row, reference)) for row in sorted(inside, key=lambda row: not row.ours)]
    return found


def show(run: Run, console: Console) -> None:
    """Print tables and claims, game by game."""
    for subject in run.subjects():
        if found := lines(run, subject):
            console.print(table(subject, found))
        console.print(claims_table(subject.title, claims(run, subject)))


def table(subject: Subject, found: list[tuple[str, Row, list[str]]]) -> Table:
    """Make the table of a game for the console."""
    made = Table(title=f"{subject.title} and its peers", header_style="bold", caption="median of the rounds")
    for number, heading in enumerate(HEADINGS):
        made.add_column(heading, justify="right" if number else "left", no_wrap=number > 0)
    part = None
    for group, row, cells in found:
        if group != part:
            made.add_section()
            made.add_row(f"[italic]{group}[/]")
            part = group
        shown = cells if row.rounds else [f"{cells[0]}\n[dim]{escape(cells[1])}[/]"]
        made.add_row(*shown, style="green" if row.ours else "")
    return made


# --- Claims ---------------------------------------------------------------------------------------------------
def claims(run: Run, subject: Subject) -> list[Claim]:
    """Everything promised about a game's speed, and whether this run kept it."""
    return [
        *_compiled(run, subject),
        *_python(run, subject),
        *_cores(run, subject),
        *_memory(run.memory.get(subject.game)),
        *_cuda(subject),
    ]


def at_least(what: str, target: float, unit: str, values: list[float]) -> Claim:
    """Claim that a median reaches a target."""
    wanted = f"≥ {target:g} ×" if unit == "×" else f"≥ {short(target)} {unit}"
    if not values:
        return Claim(what, wanted, "not measured", None)
    middle = median(values)
    seen = times(values) if unit == "×" else f"{short(middle)} {unit} ({middle / target:.2f} of the target)"
    return Claim(what, wanted, f"{seen}, rounds {short(min(values))} – {short(max(values))}", middle >= target)


def _compiled(run: Run, subject: Subject) -> list[Claim]:
    """One core, compiled, alone and against OpenSpiel's rollouts of the nearest game."""
    ours, theirs = run.row(subject.one_core), run.row(f"rollouts-{subject.nearest}")
    if ours is None:
        return []
    promise = subject.promise
    found = [at_least(ours.title, promise.one_core, "decisions/s", ours.rates("decisions"))]
    if theirs is None:
        return found
    if promise.nodes:
        # The strictest reading decides: our decisions alone against all their nodes, dice included.
        strict, even = ours.times(theirs, "decisions", "nodes"), ours.times(theirs, "nodes")
        measured = at_least(f"our decisions ÷ nodes of {theirs.title}", promise.nodes, "×", strict)
        also = f" (nodes ÷ nodes {times(even)}, decisions ÷ decisions {times(ours.times(theirs, 'decisions'))})"
        found.append(replace(measured, measured=measured.measured + also))
    if promise.games:
        whole = ours.times(theirs, "games")
        found.append(at_least(f"our whole games ÷ those of {theirs.title}", promise.games, "×", whole))
    return found


def _python(run: Run, subject: Subject) -> list[Claim]:
    """Judge the State API from Python, alone and against the fastest game of OpenSpiel there."""
    target, theirs = subject.promise.loop, run.spiel(subject)
    mine = [row for name in (subject.loop, subject.our_way) if (row := run.row(name))]
    if target is None:
        return []
    found = [at_least(row.title, target, "decisions/s", row.rates("decisions")) for row in mine]
    for fastest in theirs[:1]:
        for row in mine:
            measured = row.times(fastest, "decisions")
            found.append(at_least(f"{row.title} ÷ {fastest.title}, decisions", 1, "×", measured))
    return found


def _cores(run: Run, subject: Subject) -> list[Claim]:
    """All cores against one; the promise is for two, and scaled for others."""
    one, every = run.row(subject.one_core), run.row(subject.all_cores)
    if one is None or every is None or run.cores < 2:
        return []
    return [at_least(f"all {run.cores} cores ÷ one core", 0.9 * run.cores, "×", every.times(one, "decisions"))]


def _memory(memory: Memory | None) -> list[Claim]:
    """Flat means that the long run needs at most a twentieth more than the short one."""
    if memory is None:
        return []
    seen = f"{_mebibytes(memory.few_bytes)} and {_mebibytes(memory.many_bytes)}, {memory.growth:.2f} ×"
    what = f"peak memory of {memory.few:,} and of {memory.many:,} games"
    return [Claim(what, "flat: ≤ 1.05 ×", seen, memory.growth <= 1.05)]


def _mebibytes(size: int) -> str:
    """Write an amount of memory."""
    return f"{size / 2**20:.0f} MiB"


def on_card(subject: Subject) -> dict[str, Any] | None:
    """Read what benchmarks/cuda.py last wrote about a game on a machine with a card."""
    return json.loads(CUDA.read_text("utf-8")).get(subject.game) if CUDA.exists() else None


def _cuda(subject: Subject) -> list[Claim]:
    """Judge what was seen on a card."""
    promise, seen = subject.promise, on_card(subject) or {}
    ratio = seen.get("ratios", {}).get("backgammon")
    judged = [
        (f"CUDA, {subject.title}", promise.card, "decisions/s", seen.get("decisions_per_second")),
        ("CUDA ÷ Pgx backgammon on the same card", promise.card_times, "×", ratio),
    ]
    found = []
    for what, target, unit, best in judged:
        if target:
            said = f"{seen['card']}, {seen['date'][:10]}: {short(best)} {unit}" if best else NO_CARD
            found.append(Claim(what, f"≥ {short(target)} {unit}", said, best >= target if best else None))
    return found


NO_CARD = "not measured: `python benchmarks/cuda.py` on a machine with an NVIDIA card"


def claims_table(title: str, found: list[Claim]) -> Table:
    """Make the table of claims for the console."""
    made = Table(title=f"{title}: what was promised", header_style="bold")
    for heading in ("", "promised", "this run", "met"):
        made.add_column(heading)
    for claim in found:
        colour = {True: "green", False: "red", None: "dim"}[claim.met]
        made.add_row(claim.what, claim.target, claim.measured, f"[{colour}]{_met(claim)}[/]")
    return made


def _met(claim: Claim) -> str:
    """One word for a claim."""
    return {True: "yes", False: "no", None: "–"}[claim.met]


# --- The file -------------------------------------------------------------------------------------------------
def machine() -> str:
    """Name the processor, cores and system in a line."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [text.partition(":")[2].strip() for text in cpuinfo.read_text().splitlines() if "model name" in text]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()} ({platform.machine()})"


def listed(versions: dict[str, str]) -> str:
    """Write versions in a line."""
    return ", ".join(f"{name} {version}" for name, version in versions.items()) or "none"


def markdown(run: Run, *, command: str, how: str, mine: str, theirs: str, more: Sequence[str] = ()) -> str:
    """Everything a reader needs to trust, doubt or repeat the figures; `more` follows the games."""
    text = [
        "# Speed, beside peers",
        "",
        f"Measured on {datetime.now():%Y-%m-%d %H:%M} by `{command}` ({how}).",
        "",
        f"- Machine: {machine()}",
        f"- Load before the run: {_load()}",
        f"- Ours: {mine}",
        f"- Peers: {theirs}",
        "",
    ]
    for subject in run.subjects():
        text += [f"## {subject.title}", "", *_figures(run, subject), "", *judged(claims(run, subject)), ""]
    return "\n".join([*text, *more, "## How to read this", "", NOTES])


def judged(found: list[Claim]) -> list[str]:
    """Write what was promised, and whether it was kept."""
    text = ["### What was promised", "", "| | promised | this run | met |", "|---|---|---|---|"]
    return text + [f"| {claim.what} | {claim.target} | {claim.measured} | {_met(claim)} |" for claim in found]


def _figures(run: Run, subject: Subject) -> list[str]:
    """Write the table of a game."""
    text = ["| " + " | ".join(HEADINGS) + " |", "|---|" + "---:|" * (len(HEADINGS) - 1)]
    part = None
    for group, row, cells in lines(run, subject):
        if group != part:
            text.append(f"| *{group}* |" + " |" * (len(HEADINGS) - 1))
            part = group
        title = f"**{cells[0]}**" if row.ours else cells[0]
        text.append("| " + " | ".join([title, *cells[1:]]) + " |")
    return text


def _load() -> str:
    """How busy the machine was in the minutes before."""
    return ", ".join(f"{load:.2f}" for load in LOAD) + " (1, 5, 15 minutes)" if LOAD else "unknown"


LOAD = os.getloadavg() if hasattr(os, "getloadavg") else ()


# --- The README and the page on speed ---------------------------------------------------------------------------
def write_pages(run: Run) -> None:
    """Put this run's figures between the marks in README.md (one sentence) and docs/explanation/speed.md (tables)."""
    for page, text in ((README, sentence(run)), (SPEED, tables(run))):
        before = page.read_text("utf-8")
        after, count = re.subn(
            r"(?<=<!-- speed:begin -->\n).*?(?=<!-- speed:end -->)", lambda _, text=text: text, before, flags=re.DOTALL
        )
        if count != 1:
            raise SystemExit(f"{page.name} should have one part between <!-- speed:begin --> and <!-- speed:end -->.")
        page.write_text(after, "utf-8")


def sentence(run: Run) -> str:
    """Write the slowest and the fastest rate of one core, and the fastest of a GPU, as one sentence for the README."""
    ours = [row for subject in run.subjects() if (row := run.row(subject.one_core))]
    rates = sorted(row.middle("decisions") for row in ours)
    low, high = (_spelled(rate) for rate in (rates[0], rates[-1]))
    found = f"Random games with three players make {low} to {high} decisions per second on one core"
    cards = [seen for subject in run.subjects() if (seen := on_card(subject)) and seen["decisions_per_second"]]
    if cards:
        best = max(cards, key=lambda seen: seen["decisions_per_second"])
        found += f", and up to {_spelled(best['decisions_per_second'])} on an {best['card'].partition(',')[0]}"
    return textwrap.fill(f"{found}.", 120, break_on_hyphens=False) + "\n"


def _spelled(rate: float) -> str:
    """Write a rate with its unit in words: 51.5 million."""
    return short(rate).replace(" G", " billion").replace(" M", " million").replace(" k", " thousand")


def tables(run: Run) -> str:
    """Write the figures of the page on speed, game by game."""
    text = []
    for subject in run.subjects():
        text += [f"| {subject.title}, {subject.players[0]} players, random games | decisions/s | beside peers |"]
        text += ["|---|---|---|"]
        text += [f"| {' | '.join(cells)} |" for cells in _summary(run, subject)]
        text.append("")
    return "\n".join([*text, textwrap.fill(_caution(run), 120, break_on_hyphens=False), ""])


def _summary(run: Run, subject: Subject) -> list[tuple[str, str, str]]:
    """Name what was measured of a game, its rate, and what it is beside the peers."""
    found = []
    for name, what in ((subject.our_way, subject.short_cut), (subject.loop, "the calls of OpenSpiel’s users")):
        if row := run.row(name):
            beside = [f"{times(row.times(peer, 'decisions'))} {_bare(peer)}" for peer in run.spiel(subject)]
            theirs = f"OpenSpiel: {', '.join(beside)}" if beside else ""
            found.append((f"from a Python loop, {what}", _rate(row), theirs))
    one, every = run.row(subject.one_core), run.row(subject.all_cores)
    if one:
        found.append(("inside compiled code, one core", _rate(one), _beside_rollouts(run, subject, one)))
    if one and every:
        ratio = f"{times(every.times(one, 'decisions'))} one core"
        found.append((f"inside compiled code, {run.cores} cores", _rate(every), ratio))
    if (seen := on_card(subject)) and seen["decisions_per_second"]:
        ratio = seen["ratios"].get("backgammon")
        beside = f"{ratio:.0f} × Pgx backgammon on the same card" if ratio else ""
        found.append((f"on an {seen['card'].partition(',')[0]}", short(seen["decisions_per_second"]), beside))
    return found


def _rate(row: Row) -> str:
    """Write a row's median with its lowest and highest round."""
    rates = row.rates("decisions")
    return f"{short(row.middle('decisions'))} ({short(min(rates))} – {short(max(rates))})"


def _bare(row: Row) -> str:
    """Name a game of OpenSpiel as briefly as can be."""
    return row.name.partition("-")[2]


def _beside_rollouts(run: Run, subject: Subject, one: Row) -> str:
    """Compare compiled code with OpenSpiel's, where that was measured."""
    theirs = run.row(f"rollouts-{subject.nearest}")
    if theirs is None:
        return ""
    decisions, games = times(one.times(theirs, "decisions")), times(one.times(theirs, "games"))
    return f"{decisions} OpenSpiel’s C++ rollouts of {subject.nearest}, {games} in whole games"


def _caution(run: Run) -> str:
    """Say what the figures are, how far they can be trusted, and where the rest is."""
    rounds = max(len(row.rounds) for row in run.rows)
    spread = max(max(rates) / min(rates) for row in run.rows if row.ours and (rates := row.rates("decisions")))
    kept = [
        f"{_mebibytes(memory.few_bytes)} for {memory.few:,} and {_mebibytes(memory.many_bytes)} for "
        f"{memory.many:,} games of {subject.title}"
        for subject in SUBJECTS
        if (memory := run.memory.get(subject.game))
    ]
    text = (
        f"Medians with the lowest and highest of {rounds} rounds on a shared machine ({machine()}), where the same row "
        f"varied by a factor of up to {spread:.1f}: trust the ratios. What the peers’ games are, versions, command and "
        "every ratio: [benchmarks/results.md](../../benchmarks/results.md), written by `make bench`, and "
        "[benchmarks/results-cuda.md](../../benchmarks/results-cuda.md), by `python benchmarks/cuda.py`."
    )
    return f"{text} Peak memory: {'; '.join(kept)}." if kept else text

"""The table, the claims, and benchmarks/results.md."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rows import ALL_CORES, COMPILED, FAST, LOOP, MAEDN, PYTHON_LOOP, SAMPLING, SPIEL_LOOPS, Row

HERE = Path(__file__).parent
FILE = HERE / "results.md"
CUDA = HERE / "results-cuda.json"
REFERENCE = {PYTHON_LOOP: LOOP, COMPILED: FAST}
HEADINGS = ("", "decisions/s", "lowest – highest", "nodes/s", "games/s", "ours ÷ it: decisions", "nodes", "games")

NOTES = """\
- A **decision** is a choice of a player: in the peers' games forced ones too, while Emerald asks nobody where a rule
  leaves no choice (the only card, the only knight). A **node** is a decision or a chance move (a roll, a card
  turned over). Pgx rolls its dice inside steps, so only its steps are known: one checker moved, or a pass.
- The games differ: Emerald is none of the peers' games, and no peer has Emerald. Rates say how fast the machinery
  is, not that the same work was done. Whole games a second depend on how long a game is.
- Each figure is the median of the rounds; rows took turns, round by round, each in its own process, on the same core
  (except “all cores”). Ratios are taken within a round first, then their median, so that a slow moment of the machine
  hits both sides. “Ours” is the first row of the part.
- OpenSpiel’s rollouts run in C++: a search of one simulation with 50 rollouts. They do not report their length, so it
  is counted over 500 games in Python, and the rate is games a second times that mean.
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


def lines(rows: list[Row]) -> list[tuple[str, Row, list[str]]]:
    """All rows with their part and cells, in the table's order: part by part, ours first."""
    by_name = {row.name: row for row in rows}
    found = []
    for group, name in REFERENCE.items():
        reference = by_name.get(name)
        inside = sorted((row for row in rows if row.group == group), key=lambda row: not row.ours)
        found += [(group, row, line(row, reference)) for row in inside]
    return found


def show(rows: list[Row], console: Console) -> None:
    """Print the table."""
    table = Table(title="Dracothèque and its peers", header_style="bold", caption="median of the rounds")
    for number, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="right" if number else "left", no_wrap=number > 0)
    part = None
    for group, row, cells in lines(rows):
        if group != part:
            table.add_section()
            table.add_row(f"[italic]{group}[/]")
            part = group
        shown = cells if row.rounds else [f"{cells[0]}\n[dim]{escape(cells[1])}[/]"]
        table.add_row(*shown, style="green" if row.ours else "")
    console.print(table)


# --- Claims ---------------------------------------------------------------------------------------------------
def claims(rows: list[Row], memory: Memory | None, cores: int) -> list[Claim]:
    """Everything promised about speed, and whether this run kept it."""
    by_name = {row.name: row for row in rows}
    return [*_compiled(by_name), *_python(by_name), *_cores(by_name, cores), *_memory(memory), *_cuda()]


def _at_least(what: str, target: float, unit: str, values: list[float]) -> Claim:
    """Claim that a median reaches a target."""
    wanted = f"≥ {target:g} ×" if unit == "×" else f"≥ {short(target)} {unit}"
    if not values:
        return Claim(what, wanted, "not measured", None)
    middle = median(values)
    seen = times(values) if unit == "×" else f"{short(middle)} {unit} ({middle / target:.2f} of the target)"
    return Claim(what, wanted, f"{seen}, rounds {short(min(values))} – {short(max(values))}", middle >= target)


def _compiled(rows: dict[str, Row]) -> list[Claim]:
    """One core, compiled, alone and against OpenSpiel's rollouts of maedn."""
    ours, maedn = rows.get(FAST), rows.get(MAEDN)
    if ours is None:
        return []
    found = [_at_least("one core, Emerald with 3 players", 15e6, "decisions/s", ours.rates("decisions"))]
    if maedn is None:
        return found
    against = "against OpenSpiel’s C++ rollouts of maedn for two"
    # The strictest reading decides: our decisions alone against all their nodes, dice included.
    strict, even = ours.times(maedn, "decisions", "nodes"), ours.times(maedn, "nodes")
    choices = ours.times(maedn, "decisions")
    measured = _at_least(f"{against}: our decisions ÷ their nodes", 3, "×", strict)
    if strict:
        also = f"{measured.measured} (nodes ÷ nodes {times(even)}, decisions ÷ decisions {times(choices)})"
        measured = Claim(measured.what, measured.target, also, measured.met)
    return [*found, measured, _at_least(f"{against}: whole games", 5, "×", ours.times(maedn, "games"))]


def _python(rows: dict[str, Row]) -> list[Claim]:
    """Judge the State API from Python, alone and against the fastest game of OpenSpiel there."""
    mine = [row for name in (LOOP, SAMPLING) if (row := rows.get(name)) and row.rounds]
    if not mine:
        return []
    found = [_at_least(f"{row.title}", 400e3, "decisions/s", row.rates("decisions")) for row in mine]
    theirs = [row for name in SPIEL_LOOPS if (row := rows.get(name)) and row.rounds]
    if theirs:
        fastest = max(theirs, key=lambda row: row.middle("decisions") or 0)
        for row in mine:
            measured = row.times(fastest, "decisions")
            found.append(_at_least(f"{row.title} ÷ {fastest.title}, decisions", 1, "×", measured))
    return found


def _cores(rows: dict[str, Row], cores: int) -> list[Claim]:
    """All cores against one; the promise is for two, and scaled for others."""
    one, every = rows.get(FAST), rows.get(ALL_CORES)
    if one is None or every is None or cores < 2:
        return []
    return [_at_least(f"all {cores} cores ÷ one core", 0.9 * cores, "×", every.times(one, "decisions"))]


def _memory(memory: Memory | None) -> list[Claim]:
    """Flat means that the long run needs at most a twentieth more than the short one."""
    if memory is None:
        return []
    ratio = memory.many_bytes / memory.few_bytes
    seen = f"{memory.few_bytes / 2**20:.0f} MiB and {memory.many_bytes / 2**20:.0f} MiB, {ratio:.2f} ×"
    what = f"peak memory of {memory.few:,} and of {memory.many:,} games"
    return [Claim(what, "flat: ≤ 1.05 ×", seen, ratio <= 1.05)]


def _cuda() -> list[Claim]:
    """Read what benchmarks/cuda.py last wrote on a machine with a card."""
    if not CUDA.exists():
        hint = "not measured: `python benchmarks/cuda.py` on a machine with an NVIDIA card"
        return [Claim("CUDA, Emerald with 3 players", "≥ 6 G decisions/s; ≥ 100 × Pgx backgammon", hint, None)]
    seen = json.loads(CUDA.read_text())
    when = f"{seen['card']}, {seen['date'][:10]}: "
    best, ratio = seen["ours_decisions_per_second"], seen["ratios"].get("backgammon")
    found = []
    if best:
        found.append(
            Claim("CUDA, Emerald with 3 players", "≥ 6 G decisions/s", f"{when}{short(best)} decisions/s", best >= 6e9)
        )
    if ratio:
        found.append(Claim("CUDA ÷ Pgx backgammon on the same card", "≥ 100 ×", f"{when}{ratio:.0f} ×", ratio >= 100))
    return found


def show_claims(found: list[Claim], console: Console) -> None:
    """Print the claims."""
    table = Table(title="What was promised", header_style="bold")
    for heading in ("", "promised", "this run", "met"):
        table.add_column(heading)
    for claim in found:
        colour = {True: "green", False: "red", None: "dim"}[claim.met]
        table.add_row(claim.what, claim.target, claim.measured, f"[{colour}]{_met(claim)}[/]")
    console.print(table)


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


def markdown(rows: list[Row], found: list[Claim], *, command: str, how: str, mine: str, theirs: str) -> str:
    """Everything a reader needs to trust, doubt or repeat the figures."""
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
        "| " + " | ".join(HEADINGS) + " |",
        "|---|" + "---:|" * (len(HEADINGS) - 1),
    ]
    part = None
    for group, row, cells in lines(rows):
        if group != part:
            text.append(f"| *{group}* |" + " |" * (len(HEADINGS) - 1))
            part = group
        title = f"**{cells[0]}**" if row.ours else cells[0]
        text.append("| " + " | ".join([title, *cells[1:]]) + " |")
    text += ["", "## What was promised", "", "| | promised | this run | met |", "|---|---|---|---|"]
    text += [f"| {claim.what} | {claim.target} | {claim.measured} | {_met(claim)} |" for claim in found]
    return "\n".join([*text, "", "## How to read this", "", NOTES])


def _load() -> str:
    """How busy the machine was in the minutes before."""
    return ", ".join(f"{load:.2f}" for load in LOAD) + " (1, 5, 15 minutes)" if LOAD else "unknown"


LOAD = os.getloadavg() if hasattr(os, "getloadavg") else ()

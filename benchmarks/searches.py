"""The search in `make bench`: what is measured of it, beside OpenSpiel's, and what is said of that."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median

from promises import OVERSHOOT, ROLLOUTS, SIMULATIONS, TWO_THREADS
from report import Claim, Run, at_least, claims_table, judged, short, times
from rich.console import Console
from rich.table import Table
from rows import GOOFSPIEL, HERE, SPIEL, NotAvailable, Row, last_words

from dracotheque.engine.registry import find_game

SEARCH = "search"
"""What the rows of this part belong to, as others belong to a game; and what the part is called on the command line."""
OVER_TIME = "search-over-time"
"""What the look at the clock is called there."""
FILE = HERE / "results-search.md"
"""Where a run of this part alone is written."""
LENGTH = 0.25  # rounds are so much shorter than others: the whole part should take less than a minute

THINKING, ROLLING = "simulations of a search, from the first choice of a game", "decisions inside rollouts, one core"
UNITS = {THINKING: "games", ROLLING: "decisions"}
HEADINGS = ("", "a second", "lowest – highest", "beside OpenSpiel’s MCTS in C++, simulations")

TABLES = {"save-the-dragon": 2, "dragons-cave": 3, "emerald": 2, "gran": 3}
"""How many play each game here."""
SHORT = ("save-the-dragon", "dragons-cave")  # games of less than a hundred decisions
TWICE = ("emerald", "gran")  # searched with two threads as well: a game of many short simulations, one of few long ones
PEERS = {
    "maedn": ("maedn(players=2)", "maedn, 2 players", ("save-the-dragon", "emerald")),
    "goofspiel": (
        GOOFSPIEL.format(",points_order=descending"), "goofspiel, 3 players, prizes in order", ("dragons-cave",),
    ),
    "chinese_checkers": ("chinese_checkers(players=3)", "chinese_checkers, 3 players", ("gran",)),
    "connect_four": ("connect_four", "connect_four, 2 players", tuple(TABLES)),
}  # fmt: skip
"""Games of OpenSpiel: their name there, what they are called here, and which of ours stand beside them."""

NOTES = f"""\
- A **simulation** walks down the tree, adds a node and plays on to the end of the game at random. Every thought lasts
  0.5 s and begins with an empty tree at the first choice of a game, OpenSpiel’s (`max_wall_clock_time`) like ours.
- OpenSpiel’s search is `pyspiel.MCTSBot` with one random rollout a simulation, on games written in C++. The games
  differ, and a simulation costs as much as a game is long: a random game of Gran has over two thousand decisions, one
  of chinese_checkers about half as many, of Save the Dragon some thirty. Hence few simulations a second in Gran.
- **Inside rollouts** is what simulations do below the tree, and nothing else; it is called from Python, game by game.
- Two threads grow a tree each, and count together. **Beyond its time** is what {len(TABLES)} × 25 thoughts of 100 ms
  took longer than that, all through random games, with what was learned for one choice kept for the next.
- Who wins at equal time: `python benchmarks/openspiel_match.py --help`.
"""


# --- What is measured -------------------------------------------------------------------------------------------
def rows() -> list[Row]:
    """Everything measured of searches; ours and a peer's take turns."""
    found = [_thinking(game) for game in TABLES]
    theirs = [_peer(name) for name in PEERS]
    mixed = [row for pair in zip(found, theirs, strict=True) for row in pair]
    return [*mixed, *(_thinking(game, 2) for game in TWICE), *(_rolling(game) for game in TABLES)]


def named(game: str, what: str) -> str:
    """Name a row."""
    return f"{SEARCH}-{game}{what}"


def _seats(game: str) -> str:
    """Name a game and how many play it."""
    return f"{find_game(game).title}, {TABLES[game]} players"


def _thinking(game: str, threads: int = 1) -> Row:
    """Count the simulations of our search."""
    name, title = named(game, f"-{threads}"), f"{_seats(game)}, {'one thread' if threads == 1 else 'two threads'}"
    task = ("search", game, str(TABLES[game]), str(threads))
    return Row(name, title, SEARCH, THINKING, None, task, cores=threads, length=LENGTH)


def _rolling(game: str) -> Row:
    """Count the decisions of our rollouts."""
    task = ("playouts", game, str(TABLES[game]))
    return Row(named(game, "-rollouts"), _seats(game), SEARCH, ROLLING, None, task, length=LENGTH)


def _peer(name: str) -> Row:
    """Count the simulations of OpenSpiel's search."""
    game, title, _ = PEERS[name]
    task = ("spiel-search", game)
    return Row(named(name, "-mcts"), f"OpenSpiel C++ MCTS, {title}", SEARCH, THINKING, SPIEL, task, length=LENGTH)


def over_time(console: Console) -> dict[str, list[float]] | None:
    """Look at the clock: by how many seconds thoughts took longer than they should, game by game."""
    with console.status("Thinking 100 times for 100 ms …"), tempfile.TemporaryFile("w+", errors="replace") as errors:
        command = [sys.executable, HERE / "over_time.py", *(f"{game}={players}" for game, players in TABLES.items())]
        answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, text=True, check=False)
        try:
            if answer.returncode:
                raise NotAvailable(last_words(errors))
            return json.loads(answer.stdout)
        except (NotAvailable, json.JSONDecodeError) as error:
            console.print(f"[yellow]Thinking beyond its time: not available:[/] {error}")
            return None


# --- What is said of it -----------------------------------------------------------------------------------------
def claims(run: Run, late: dict[str, list[float]] | None) -> list[Claim]:
    """Everything promised of the search, and whether this run kept it."""
    found = []
    for game in SHORT:
        if row := run.row(named(game, "-1")):
            found.append(at_least(row.title, SIMULATIONS, "simulations/s", row.rates("games")))
    for game in TABLES:
        if row := run.row(named(game, "-rollouts")):
            found.append(at_least(f"{row.title}, inside rollouts", ROLLOUTS, "decisions/s", row.rates("decisions")))
    for game in TWICE:
        one, two = run.row(named(game, "-1")), run.row(named(game, "-2"))
        if one and two and run.cores > 1:
            found.append(at_least(f"{two.title} ÷ one, simulations", TWO_THREADS, "×", two.times(one, "games")))
    return found + ([_late(late)] if late else [])


def _late(late: dict[str, list[float]]) -> Claim:
    """Judge the longest time beyond the budget."""
    every = [1000 * seconds for some in late.values() for seconds in some]
    seen = ", ".join(f"{find_game(game).title} {1000 * max(some):.1f}" for game, some in late.items())
    said = f"{max(every):.1f} ms at most, {median(every):.1f} in the middle ({seen})"
    what = f"{len(every)} thoughts of 100 ms: beyond their time"
    return Claim(what, f"≤ {1000 * OVERSHOOT:g} ms", said, max(every) <= 1000 * OVERSHOOT)


def lines(run: Run) -> Iterator[tuple[str, Row, list[str]]]:
    """The rows with their part and cells, in the table's order: part by part, ours first."""
    for part, unit in UNITS.items():
        inside = [row for row in run.rows if (row.game, row.group) == (SEARCH, part)]
        for row in sorted(inside, key=lambda row: not row.ours):
            if rates := row.rates(unit):
                spread = f"{short(min(rates))} – {short(max(rates))}"
                yield part, row, [row.title, short(median(rates)), spread, _beside(run, row)]
            else:
                yield part, row, [row.title, f"not available: {row.missing}", "", ""]


def _beside(run: Run, row: Row) -> str:
    """Compare a search of ours on one core with the peers that stand beside its game."""
    game = next((game for game in TABLES if row.name == named(game, "-1")), None)
    beside = {name: run.row(named(name, "-mcts")) for name, (_, _, games) in PEERS.items() if game in games}
    return ", ".join(f"{times(row.times(peer, 'games'))} {name}" for name, peer in beside.items() if peer)


def show(run: Run, late: dict[str, list[float]] | None, console: Console) -> None:
    """Print the table and the claims."""
    made = Table(title="Search, beside OpenSpiel’s", header_style="bold", caption="median of the rounds")
    for number, heading in enumerate(HEADINGS):
        made.add_column(heading, justify="right" if number else "left")
    before = None
    for part, row, cells in lines(run):
        if part != before:
            made.add_section()
            made.add_row(f"[italic]{part}[/]")
            before = part
        made.add_row(*cells, style="green" if row.ours else "")
    if before:
        console.print(made)
    if found := claims(run, late):
        console.print(claims_table("Search", found))


def markdown(run: Run, late: dict[str, list[float]] | None) -> list[str]:
    """Write the part of the page, line by line."""
    text = ["## Search", "", "| " + " | ".join(HEADINGS) + " |", "|---|---:|---:|---|"]
    before = None
    for part, row, (title, *cells) in lines(run):
        if part != before:
            text.append(f"| *{part}* | | | |")
            before = part
        text.append("| " + " | ".join([f"**{title}**" if row.ours else title, *cells]) + " |")
    return [*text, "", *judged(claims(run, late)), "", NOTES]

"""Choose the map of Gran: let players who think ahead play on each candidate, count what happens, and judge it.

make study GAME=gran                 the whole study, into docs/explanation/reports/gran-map.md and its pictures
make study GAME=gran ARGS=--quick    a rough run, printed only
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dracotheque import load_game
from dracotheque.engine.jit import cache
from dracotheque.games.gran.board_files import Board
from dracotheque.simulation.progress import bar
from research.gran.gran_maps import CANDIDATES, KINGDOMS, map_of
from research.gran.gran_players import (
    FAR,
    GREEDY,
    LONGEST,
    MOST_POINTS,
    RANDOM,
    SEATS,
    SUMS,
    TOO_LONG,
    USUAL,
    State,
    Table,
    play_games,
)
from research.gran.gran_plots import DAY, NIGHT, MapRow, maps_picture, rounds_picture
from research.shared import study
from research.shared.study import Share, fair, percent, table, write_between

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "docs" / "explanation" / "reports" / "gran-map.md"
PICTURES = ROOT / "docs" / "pictures"
FIGURES = Path(__file__).with_suffix(".csv")
PROGRESS = ROOT / "build" / "gran-map.json"

# --- What a map must show ------------------------------------------------------------------------------------------
PLAYERS = (3, 4, 6)
SHORTEST, LONGEST_WANTED = 15, 45  # rounds that most games should take, with three players and three seals
MOST_GAMES = 0.75  # this share of them, at the interval's lower end
HEAD_START = 0.03  # no place in the order of turns may win so much more than its share
LEAST_SEALS = 0.15  # of all seals, every city gives so many at least
OFTEN = 0.5  # in so many games there is a duel, an attack, a stone laid, a stone lifted

FIELD = 4  # how hard everybody thinks in the games that are counted
STRENGTHS = {
    RANDOM: "random",
    GREEDY: "rule of thumb",
    2: "search, 2",
    4: "search, 4",
    8: "search, 8",
    16: "search, 16",
}
MATCHES = ((GREEDY, RANDOM), (2, GREEDY), (FIELD, GREEDY), (8, FIELD), (16, FIELD))
SEED, MATCH_SEED = 1, 2
CHUNK = 60  # games that are played in one go: every number of players divides it


@dataclass(frozen=True)
class Settings:
    """How many games are counted."""

    games: int = 180
    """On every candidate."""
    chosen_games: int = 1020
    """On the chosen one."""
    match_games: int = 180
    """Between players of two strengths."""


QUICK = Settings(60, 60, 60)


# --- Playing ------------------------------------------------------------------------------------------------------
def steps(board: Board) -> np.ndarray[Any, Any]:
    """Count the steps from every point to every other on an empty map."""
    far = np.full((MOST_POINTS, MOST_POINTS), FAR, "u1")
    for start in range(len(board.points)):
        far[start, start] = 0
        reached = [start]
        for point in reached:
            for other in board.near[point]:
                if far[start, other] == FAR:
                    far[start, other] = far[start, point] + 1
                    reached.append(other)
    return far


def laid_out(candidate: str, players: int) -> np.ndarray[Any, Any]:
    """A table with a candidate on it; seat 1 begins, so that seats are places in the order of turns."""
    game = load_game("gran", players=players, board=map_of(CANDIDATES[candidate]), starts="1", interpreted=True)
    table = np.zeros(1, Table)
    table["start"] = np.frombuffer(game.new_initial_state().record(), State)
    table["far"][0] = steps(game.board)
    table["traits"][0] = USUAL
    return table


@dataclass(frozen=True)
class Job:
    """Some games on a candidate: a guest of one strength sits in every seat in turn, among players of another."""

    candidate: str
    players: int
    guest: int
    field: int
    first: int

    @property
    def name(self) -> str:
        """What the job is kept under."""
        return f"{self.candidate}, {self.players} players, {self.guest} among {self.field}, from {self.first}"

    def run(self) -> dict[str, list[int]]:
        """Play, and count."""
        table = laid_out(self.candidate, self.players)
        seed = SEED if self.guest == self.field else MATCH_SEED
        play_games(table, seed, self.first, CHUNK, self.guest, self.field)
        return {name: np.atleast_1d(table[name][0]).tolist() for name in COUNTED}


COUNTED = {"sums": len(SUMS), "won": SEATS, "guest_won": 1, "seals": 4, "with_seal": 4, "length": LONGEST + 1}
Cell = tuple[str, int, int, int]


class Store(study.Store):
    """What is done so far by these players with these rules."""

    def __init__(self, file: Path | None) -> None:
        """Take up what was played."""
        here, rules = Path(__file__).parent, cache.PACKAGE / "games" / "gran" / "rules"
        files = [here / "gran_players.py", here / "gran_maps.py"]
        files += [rules / f"{name}.py" for name in ("bitsets", "mechanics", "scoring", "actions")]
        super().__init__(study.key_of(files), file)


def play(cells: Mapping[Cell, int], store: Store, threads: int, text: str) -> dict[Cell, Figures]:
    """Play what is not played yet of so many games in each cell, and add up."""
    jobs = {cell: [Job(*cell, first) for first in range(0, games, CHUNK)] for cell, games in cells.items()}
    waiting = [job for some in jobs.values() for job in some if job.name not in store.done]
    with store.timed(), bar(CHUNK * len(waiting), text) as tell, ThreadPoolExecutor(threads) as pool:
        for job, done in zip(waiting, pool.map(lambda job: job.run(), waiting), strict=True):
            store.keep(job.name, done)
            tell(CHUNK)
    return {cell: Figures.added(cell, [store.done[job.name] for job in some]) for cell, some in jobs.items()}


# --- Figures ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Figures:
    """What was counted on a map with a number of players of some strength."""

    candidate: str
    players: int
    guest: int
    field: int
    counts: Mapping[str, tuple[int, ...]]

    @classmethod
    def added(cls, cell: Cell, done: Iterable[Mapping[str, list[int]]]) -> Figures:
        """Add up what some jobs have counted."""
        some = list(done)
        return cls(*cell, {name: tuple(map(sum, zip(*(job[name] for job in some), strict=True))) for name in COUNTED})

    def sum(self, name: str) -> int:
        """Look a sum up by its name."""
        return self.counts["sums"][SUMS.index(name)]

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.sum("games")

    def a_game(self, name: str) -> float:
        """How often something happens in a game."""
        return self.sum(name) / self.games

    def share(self, name: str) -> Share:
        """In how many games something is true."""
        return Share.of(self.sum(name), self.games)

    @property
    def spread(self) -> float:
        """The standard deviation of the rounds."""
        return (self.a_game("rounds_squared") - self.a_game("rounds") ** 2) ** 0.5

    @property
    def within(self) -> Share:
        """The share of games neither too short nor too long."""
        return Share.of(sum(self.counts["length"][SHORTEST : LONGEST_WANTED + 1]), self.games)

    def quantile(self, part: float) -> int:
        """The number of rounds that this part of the games does not exceed."""
        return int(np.searchsorted(np.cumsum(self.counts["length"]), part * self.games))

    @property
    def seats(self) -> list[Share]:
        """Return how often the first player wins, the second, and so on."""
        return [Share.of(count, self.games) for count in self.counts["won"][: self.players]]

    @property
    def head_start(self) -> float:
        """By how much the best place in the order of turns wins more than its share."""
        return max(share.value for share in self.seats) - 1 / self.players

    @property
    def from_cities(self) -> list[float]:
        """Which part of all seals comes from each city."""
        return [count / sum(self.counts["seals"]) for count in self.counts["seals"]]

    @property
    def guest_share(self) -> Share:
        """What the guest wins, in fair shares."""
        return Share.of(self.counts["guest_won"][0], self.games, self.players)


# --- Judging ------------------------------------------------------------------------------------------------------
Results = Mapping[tuple[str, int], Figures]
HAPPENINGS = {
    "with_duel": "duels", "with_attack": "attacks", "with_stone": "stones laid", "with_lift": "stones lifted",
}  # fmt: skip


def objections(candidate: str, results: Results) -> list[str]:
    """Say what speaks against a map; an uneven order of turns only where it is beyond doubt."""
    found = []
    for players in sorted(n for c, n in results if c == candidate):
        seen = results[candidate, players]
        if players == PLAYERS[0] and seen.within.low < MOST_GAMES:
            found.append(f"too {'short' if seen.a_game('rounds') < 30 else 'long'} ({players})")
        if max(share.low for share in seen.seats) > 1 / players + HEAD_START:
            found.append(f"uneven turns ({players})")
        if min(seen.from_cities) < LEAST_SEALS:
            found.append(f"a city of no account ({players})")
        found += [f"few {what} ({players})" for name, what in HAPPENINGS.items() if seen.share(name).low < OFTEN]
    return found


def liking(candidate: str, results: Results) -> float:
    """How much speaks for a map: the share of games of a good length, over all numbers of players."""
    shares = [seen.within.value for (c, _), seen in results.items() if c == candidate]
    return sum(shares) / len(shares)


def lines_of(candidate: str) -> int:
    """How many lines a map has."""
    return len(Board(map_of(CANDIDATES[candidate]), "").lines)


def choose(results: Results) -> str | None:
    """Take the map that passes and has most games of a good length."""
    passing = [c for c in dict.fromkeys(c for c, _ in results) if not objections(c, results)]
    return max(passing, key=lambda c: liking(c, results), default=None)


# --- Words and tables ---------------------------------------------------------------------------------------------
def maps_table(results: Results, chosen: str | None) -> str:
    """All maps, and what speaks against each."""
    rows = []
    for candidate in dict.fromkeys(c for c, _ in results):
        seen = [results[candidate, n] for n in PLAYERS]
        mark = "**" if candidate == chosen else ""
        verdict = "; ".join(objections(candidate, results)) or "passes"
        rows.append(
            [
                f"{mark}{candidate}{mark}: {CANDIDATES[candidate].about}",
                str(lines_of(candidate)),
                ", ".join(f"{f.a_game('rounds'):.0f}" for f in seen),
                *(percent(f.within) for f in seen),
                ", ".join(f"{f.a_game('duels'):.1f}" for f in seen),
                ", ".join(f"{f.a_game('laid'):.0f}" for f in seen),
                f"{100 * min(min(f.from_cities) for f in seen):.0f}",
                f"{mark}{verdict}{mark}",
            ]
        )
    within = f"{SHORTEST}–{LONGEST_WANTED} rounds, "
    headings = (
        "map", "lines", "rounds, 3, 4, 6", *(f"{within}{n} players, %" for n in PLAYERS), "duels, 3, 4, 6",
        "stones, 3, 4, 6", "seals from the poorest city, %", "verdict",
    )  # fmt: skip
    return table(headings, rows)


def chosen_table(results: Results, chosen: str) -> str:
    """How games on a map go, by the number of players."""
    seen = [results[chosen, players] for players in PLAYERS]

    def often(name: str, some: str) -> Callable[[Figures], str]:
        return lambda f: f"{f.a_game(name):.1f}, in {percent(f.share(some))} % of games"

    def city(number: int) -> Callable[[Figures], str]:
        games = lambda f: Share.of(f.counts["with_seal"][number], f.games)  # noqa: E731
        return lambda f: f"{100 * f.from_cities[number]:.0f} % of seals, in {percent(games(f))} % of games"

    def seat(number: int) -> Callable[[Figures], str]:
        return lambda f: percent(f.seats[number], 1) if number < f.players else ""

    lines: list[tuple[str, Callable[[Figures], str]]] = [
        ("games", lambda f: f"{f.games:,}"),
        ("seals wanted", lambda f: "3" if f.players < 5 else "2"),
        ("rounds a game, ± standard deviation", lambda f: f"{f.a_game('rounds'):.1f} ± {f.spread:.1f}"),
        ("nine games in ten take", lambda f: f"{f.quantile(0.05)}–{f.quantile(0.95)} rounds"),
        (f"games of {SHORTEST}–{LONGEST_WANTED} rounds, %", lambda f: percent(f.within)),
        (f"given up after {TOO_LONG} rounds", lambda f: str(f.sum("unfinished"))),
        ("duels", often("duels", "with_duel")),
        ("duels won, %", lambda f: f"{100 * f.sum('duels_won') / max(f.sum('duels'), 1):.0f}"),
        ("attacks", often("attacks", "with_attack")),
        ("of these on the bearer of the ring", often("robberies", "with_robbery")),
        ("stones laid", often("laid", "with_stone")),
        ("stones lifted", often("lifted", "with_lift")),
        *((f"the city of {name.title()}", city(number)) for number, name in enumerate(KINGDOMS)),
        ("whoever wins the first seal wins, %", lambda f: percent(f.share("first_seal_won"))),
        *((f"{place} in turn wins, %", seat(number)) for number, place in enumerate(ORDER)),
        ("best place, points over a fair share", lambda f: f"{100 * f.head_start:+.1f}"),
    ]
    headings = ["", *(f"{f.players} players" for f in seen)]
    return table(headings, [[name, *(cell(f) for f in seen)] for name, cell in lines])


ORDER = ("first", "second", "third", "fourth", "fifth", "sixth")


def matches_table(matches: Iterable[Figures]) -> str:
    """What a guest of one strength wins among players of another."""
    rows = [[STRENGTHS[f.guest], STRENGTHS[f.field], f"{f.games:,}", fair(f.guest_share)] for f in matches]
    return table(("guest", "among", "games", "wins, in fair shares"), rows)


def choice_text(results: Results, chosen: str) -> str:
    """Say which map is chosen and its key figures."""
    three, four, six = (results[chosen, n] for n in PLAYERS)
    worst = ", ".join(f"{100 * f.head_start:+.1f}" for f in (three, four, six))
    return (
        f"**“{chosen}”**: {CANDIDATES[chosen].about}. {percent(three.within)} % of games with three players take "
        f"{SHORTEST} to {LONGEST_WANTED} rounds, {percent(four.within)} % with four, {percent(six.within)} % with six. "
        f"The best place in the order of turns wins {worst} points more than a fair share."
    )


def run_text(store: Store) -> str:
    """Say how much was played, and how long it took."""
    clock, processor = (seconds / 60 for seconds in store.seconds)
    return (
        f"{CHUNK * len(store.done):,} games on {os.cpu_count()} cores ({study.processor()}), which others used too: "
        f"{processor:.0f} minutes of processor time, {clock:.0f} minutes by the clock. Seeds: {SEED} for every game "
        f"that judges a map, {MATCH_SEED} for the matches between strengths."
    )


def columns() -> list[tuple[str, str, int]]:
    """Every count with its name in the table of figures, what it is part of, and its place there."""
    named = {
        "sums": [name.replace("_", " ") for name in SUMS],
        "won": [f"{place} won" for place in ORDER],
        "guest_won": ["guest won"],
        "seals": [f"seals of {name}" for name in KINGDOMS],
        "with_seal": [f"with a seal of {name}" for name in KINGDOMS],
        "length": [f"{rounds} rounds" for rounds in range(LONGEST + 1)],
    }
    return [(title, name, place) for name, titles in named.items() for place, title in enumerate(titles)]


def write_figures(seen: Iterable[Figures], file: Path) -> None:
    """Write every count down, one line a cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["map", "players", "guest", "field", *(title for title, _, _ in columns())])
    for f in seen:
        counts = [f.counts[name][place] for _, name, place in columns()]
        writer.writerow([f.candidate, f.players, f.guest, f.field, *counts])
    file.write_text(out.getvalue(), "utf-8")


def read_figures(file: Path) -> list[Figures]:
    """Read back what was written down."""
    found = []
    with file.open(encoding="utf-8", newline="") as opened:
        for row in csv.DictReader(opened):
            counts: dict[str, list[int]] = {name: [] for name in COUNTED}
            for title, name, _ in columns():
                counts[name].append(int(row[title]))
            cell = (row["map"], int(row["players"]), int(row["guest"]), int(row["field"]))
            found.append(Figures(*cell, {name: tuple(some) for name, some in counts.items()}))
    return found


def draw(results: Results, chosen: str) -> None:
    """Draw both pictures, by day and by night."""
    rows = [
        MapRow(
            candidate,
            candidate == chosen,
            {n: results[candidate, n].within for n in PLAYERS},
            {n: results[candidate, n].a_game("duels") for n in PLAYERS},
        )
        for candidate in dict.fromkeys(c for c, _ in results)
    ]
    lengths = {n: (results[chosen, n].counts["length"], results[chosen, n].games) for n in PLAYERS}
    for suffix, light in (("", DAY), ("-night", NIGHT)):
        (PICTURES / f"gran-map{suffix}.svg").write_text(maps_picture(rows, MOST_GAMES, light), "utf-8")
        drawn = rounds_picture(lengths, (SHORTEST, LONGEST_WANTED), light)
        (PICTURES / f"gran-map-rounds{suffix}.svg").write_text(drawn, "utf-8")


# --- The study ----------------------------------------------------------------------------------------------------
def survey(settings: Settings, store: Store, threads: int, candidates: Iterable[str] = tuple(CANDIDATES)) -> Results:
    """Play on every candidate with every number of players."""
    cells = {(c, n, FIELD, FIELD): settings.games for c in candidates for n in PLAYERS}
    return {cell[:2]: seen for cell, seen in play(cells, store, threads, "all maps").items()}


def look_closer(chosen: str, settings: Settings, store: Store, threads: int) -> Results:
    """Play more games on the map that stands first."""
    cells = {(chosen, n, FIELD, FIELD): settings.chosen_games for n in PLAYERS}
    return {cell[:2]: seen for cell, seen in play(cells, store, threads, f"“{chosen}” again").items()}


def compare(chosen: str, settings: Settings, store: Store, threads: int) -> list[Figures]:
    """Let players of different strengths meet on the chosen map."""
    cells = {(chosen, 3, *pair): settings.match_games for pair in MATCHES}
    return list(play(cells, store, threads, "how strong the players are").values())


def main() -> None:
    """Do the study and write its report, or with --quick print a rough one."""
    parser = argparse.ArgumentParser(description="Choose the map of Gran by playing.")
    parser.add_argument("--quick", action="store_true", help="a rough run, printed and not written")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    settings = QUICK if asked.quick else Settings()
    store = Store(None if asked.quick else PROGRESS)
    results = survey(settings, store, asked.threads)
    looked_at: set[str] = set()
    # Few games flatter the one that stands first: it must stay first with many.
    while (chosen := choose(results)) not in looked_at:
        if chosen is None:
            sys.exit(f"{maps_table(results, chosen)}\n\nNo map passes.")
        results = {**results, **look_closer(chosen, settings, store, asked.threads)}
        looked_at.add(chosen)
    matches = compare(chosen, settings, store, asked.threads)
    parts = {
        "choice": choice_text(results, chosen),
        "maps": maps_table(results, chosen),
        "chosen": chosen_table(results, chosen),
        "matches": matches_table(matches),
        "run": run_text(store),
    }
    print("\n\n".join(parts.values()))
    if not asked.quick:
        page = REPORT.read_text("utf-8")
        for name, words in parts.items():
            page = write_between(page, name, words)
        REPORT.write_text(page, "utf-8")
        write_figures([*results.values(), *matches], FIGURES)
        draw(results, chosen)
    if load_game("gran", interpreted=True).board.data != map_of(CANDIDATES[chosen]):
        print("\nboard.toml shows another map than this.", file=sys.stderr)


if __name__ == "__main__":
    main()

"""Choose the coins of the default board of Dragon's Cave: populations learn each candidate, which is then assessed.

make study                 the whole study, into docs/explanation/reports/dragons-cave-board.md and its pictures
make study ARGS=--quick    a rough run, printed only
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dracotheque import load_game
from dracotheque.engine.jit import cache
from dracotheque.simulation.progress import bar
from research.dragons_cave.cave_players import BANK_AT, CAUTION, NEVER, STEP, SUMS, WAVER, WHOLE
from research.dragons_cave.cave_plots import DAY, NIGHT, Panel, Row, boards_picture, curve_picture
from research.dragons_cave.cave_population import FIRST, Array, Heats, Room, Tell, challenge, evolve, newcomer, real
from research.shared import study
from research.shared.study import Share, fair, percent, table, write_between

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "docs" / "explanation" / "reports" / "dragons-cave-board.md"
PICTURES = ROOT / "docs" / "pictures"
FIGURES = Path(__file__).with_suffix(".csv")
PROGRESS = ROOT / "build" / "dragons-cave-board.json"

# --- What a board must show ---------------------------------------------------------------------------------------
# Two-player games are reported but judge nothing: “more rarely” stands in the rules for three and four.
JUDGED = (3, 4)
AT_MOST_EMPTY = {3: 0.05, 4: 0.10}  # how often the treasure may run out: the interval's upper end
AT_LEAST_EMPTY = {4: 0.005}  # and should, so that the rule is used at all: the interval's lower end
FAIR_ENOUGH = 0.75  # what rusher and banker each win at least, in fair shares: the interval's lower end
BANKER = 3  # coins in the purse that a banker takes to the chest
RUSH = 1.0  # the least value of a step to a rusher, in coins

# --- The candidates: coins on pickaxe, lantern, rope, barrel and crystal, lap by lap ------------------------------
CANDIDATES = (
    "00012", "00112", "00013", "01112", "00113", "00122", "00023", "00123", "01123", "00124", "01234",
    "00012 00112 00113 01123", "00012 00012 00123 00123", "00001 00012 00123 01234", "00123 00123 00012 00012",
)  # fmt: skip

THRESHOLDS = (1, 2, 3, 4, 5, 6, 8, NEVER)
LEARNING_SEED, REPORTING_SEED, FINAL_SEED, CHALLENGE_SEED = 1, 2, 3, 4


@dataclass(frozen=True)
class Settings:
    """How long populations learn, and how many games are counted."""

    generations: int = 20
    heats: Heats = ((12, 400), (4, 1500), (2, 3000))
    runs: int = 2
    """Independent runs, of two populations each, for every board; only one for two players, whose games are long."""
    games: int = 24_000
    """In every cell, shared among its populations."""
    independent_runs: int = 4
    """Further runs for the chosen board."""
    last_heats: Heats = ((48, 500), (8, 2000), (2, 10_000))
    """The final challenge of their populations."""

    def runs_of(self, players: int) -> int:
        """Return the number of runs for a number of players."""
        return self.runs if players in JUDGED else 1


QUICK = Settings(4, ((6, 100), (2, 300)), 1, 1000, 2, ((8, 100), (2, 500)))


# --- Boards -------------------------------------------------------------------------------------------------------
def laps(candidate: str) -> list[tuple[int, ...]]:
    """Read a candidate: four laps, or one for all four."""
    written = candidate.split()
    return [tuple(map(int, lap)) for lap in (written * 4 if len(written) == 1 else written)]


def board(candidate: str) -> dict[str, Any]:
    """Return the default board with other coins."""
    default = load_game("dragons-cave", interpreted=True).board.data
    coins = [number for lap in laps(candidate) for number in lap]
    path = [f"{space.split()[0]} {number}" for space, number in zip(default["path"], coins, strict=True)]
    return {**default, "name": candidate, "path": path}


def equal_laps(candidate: str) -> bool:
    """Whether all four laps show the same coins."""
    return " " not in candidate


def crystal_is_richest(candidate: str) -> bool:
    """Whether in every lap the crystal shows more coins than any other picture, and the first lap has one without."""
    return all(lap[-1] > max(lap[:-1]) for lap in laps(candidate)) and 0 in laps(candidate)[0]


# --- Playing ------------------------------------------------------------------------------------------------------
def firm(population: Array, coins: float) -> Array:
    """The members, but banking with that many coins, whatever else."""
    probes = population.copy()
    probes[:, BANK_AT], probes[:, CAUTION], probes[:, WAVER] = coins, 0.0, 0.2
    return probes


def rushers(population: Array) -> Array:
    """The members, but never banking unless forced to, and with a high value of steps."""
    probes = firm(population, NEVER)
    probes[:, STEP] = np.maximum(probes[:, STEP], RUSH)
    return probes


def probes_of(population: Array, players: int) -> dict[str, Array]:
    """Return the probes that play against a population: a member, a rusher, and members with every threshold."""
    thresholds = THRESHOLDS if players in JUDGED else (BANKER,)
    named = {f"bank {coins:g}" if coins < NEVER else "bank never": firm(population, coins) for coins in thresholds}
    return {"member": population, "rusher": rushers(population), **named}


@dataclass(frozen=True)
class Job:
    """A run whose populations learn a board and are then measured."""

    candidate: str
    players: int
    run: int
    final: bool = False

    @property
    def name(self) -> str:
        """The key of the job in the store."""
        return f"{self.candidate}, {self.players} players, run {self.run}{' final' if self.final else ''}"

    @classmethod
    def named(cls, name: str) -> Job:
        """Return the job of a key."""
        candidate, players, run = name.split(", ")
        return cls(candidate, int(players.split()[0]), int(run.split()[1]), run.endswith("final"))

    def games(self, settings: Settings) -> int:
        """How many games it takes."""
        learning = settings.generations * sum(count * games for count, games in settings.heats)
        challenged = sum(count * games for count, games in settings.last_heats) if self.final else 0
        return 2 * (learning + challenged + self.counted(settings) * len(probes_of(FIRST[None], self.players)))

    def counted(self, settings: Settings) -> int:
        """How many games of each population are counted in every cell."""
        return settings.games // settings.runs_of(self.players) // 2

    def play(self, settings: Settings, tell: Tell) -> dict[str, Any]:
        """Return the results: the populations learn, then the probes play."""
        seed = FINAL_SEED if self.final else LEARNING_SEED
        random = np.random.default_rng([seed, self.run, self.players, *self.candidate.encode()])
        room = Room(board(self.candidate), self.players)
        populations = evolve(room, random, settings.generations, settings.heats, 1000 * seed + self.run, tell)
        done: dict[str, Any] = {"populations": [real(population).tolist() for population in populations]}
        games = self.counted(settings)
        for number, population in enumerate(populations):
            for name, probes in probes_of(real(population), self.players).items():
                # All probes of a population play games of the same numbers, which reduces the variance between them.
                seen = room.play(real(population), probes, REPORTING_SEED, (2 * self.run + number) * games, games)
                done[name] = (seen.sums + done.get(name, 0)).tolist()
                tell(games)
            if self.final:
                challengers = [newcomer(random, population) for _ in range(settings.last_heats[0][0])]
                result = challenge(room, population, challengers, settings.last_heats, 1000 * CHALLENGE_SEED, 0, tell)
                done["challenger"] = max(result.shares[0], done.get("challenger", 0.0))
        return done


class Store(study.Store):
    """What is done so far with these settings, players and rules."""

    def __init__(self, settings: Settings, file: Path | None) -> None:
        """Load the results of an earlier run with the same settings and sources."""
        here, rules = Path(__file__).parent, cache.PACKAGE / "games" / "dragons_cave" / "rules"
        files = [here / "cave_players.py", here / "cave_population.py"]
        files += [rules / f"{name}.py" for name in ("state", "mechanics", "scoring", "actions", "observation")]
        super().__init__(study.key_of(files, repr(settings)), file)


def play(jobs: Iterable[Job], settings: Settings, store: Store, threads: int, text: str) -> None:
    """Do the jobs without a result, the longest first."""
    waiting = sorted((job for job in jobs if job.name not in store.done), key=lambda job: job.players)
    with (
        store.timed(),
        bar(sum(job.games(settings) for job in waiting), text) as tell,
        ThreadPoolExecutor(threads) as pool,
    ):
        for job, done in zip(waiting, pool.map(lambda job: job.play(settings, tell), waiting), strict=True):
            store.keep(job.name, done)


# --- Figures ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Figures:
    """What a board shows with a number of players."""

    candidate: str
    players: int
    games: int
    empty: Share
    rounds: float
    rounds_spread: float
    from_chests: float
    winners_from_chests: float
    frights: float
    banked: float
    rusher: Share
    banker: Share
    curve: Mapping[str, Share]

    @property
    def best_threshold(self) -> str:
        """The purse to bank with that wins most."""
        return max(self.curve, key=lambda name: self.curve[name].value)


NUMBERS = ("rounds", "rounds_spread", "from_chests", "winners_from_chests", "frights", "banked")


def figures(candidate: str, players: int, done: list[dict[str, Any]]) -> Figures:
    """Return the figures of a board, added up over its runs."""
    names = [name for name in done[0] if name not in ("populations", "challenger")]
    cells = {name: dict(zip(SUMS, np.sum([run[name] for run in done], axis=0).tolist(), strict=True)) for name in names}
    shares = {name: Share.of(cell["won"] / WHOLE, cell["games"], players) for name, cell in cells.items()}
    field = cells["member"]
    games = field["games"]
    mean = field["rounds"] / games
    return Figures(
        candidate,
        players,
        games,
        Share.of(field["no_coin_left"] + field["shortage"], games),
        mean,
        (field["rounds_squared"] / games - mean * mean) ** 0.5,
        field["in_chests"] / (field["in_chests"] + field["on_purses"]),
        field["winners_chests"] / (field["winners_chests"] + field["winners_purses"]),
        field["frights"] / games,
        field["banked"] / games,
        shares["rusher"],
        shares[f"bank {BANKER}"],
        {name.removeprefix("bank "): share for name, share in shares.items() if name.startswith("bank")},
    )


# --- Judging ------------------------------------------------------------------------------------------------------
Results = Mapping[tuple[str, int], Figures]


def objections(candidate: str, results: Results) -> list[str]:
    """Say what speaks against a board."""
    found = [] if crystal_is_richest(candidate) else ["crystal not alone the richest"]
    for players in JUDGED:
        seen = results[candidate, players]
        if seen.empty.high > AT_MOST_EMPTY[players]:
            found.append(f"runs out too often ({players})")
        if seen.empty.low < AT_LEAST_EMPTY.get(players, 0.0):
            found.append(f"hardly ever runs out ({players})")
        if seen.rusher.low < FAIR_ENOUGH:
            found.append(f"rushers lose ({players})")
        if seen.banker.low < FAIR_ENOUGH:
            found.append(f"bankers lose ({players})")
        if seen.best_threshold in ("1", "never"):
            found.append(f"bank {'at once' if seen.best_threshold == '1' else 'never'} ({players})")
    return found


def balance(candidate: str, results: Results) -> float:
    """How well the worse-off of rusher and banker stands, in fair shares."""
    return min(min(results[candidate, n].rusher.value, results[candidate, n].banker.value) for n in JUDGED)


def choose(results: Results) -> str | None:
    """Take the board that passes and stands best; one with equal laps if there is any."""
    passing = [c for c in dict.fromkeys(c for c, _ in results) if not objections(c, results)]
    first = [c for c in passing if equal_laps(c)] or passing
    return max(first, key=lambda c: balance(c, results), default=None)


# --- Words and tables ---------------------------------------------------------------------------------------------
def coins_text(candidate: str) -> str:
    """Write a board's coins as they lie."""
    return " · ".join(" ".join(lap) if equal_laps(candidate) else lap for lap in candidate.split())


def boards_table(results: Results, chosen: str | None) -> str:
    """All boards, and what speaks against each."""
    rows = []
    for candidate in dict.fromkeys(c for c, _ in results):
        three, four = (results[candidate, n] for n in JUDGED)
        total = sum(sum(lap) for lap in laps(candidate))
        mark = "**" if candidate == chosen else ""
        verdict = "; ".join(objections(candidate, results)) or "passes"
        cells = [f"{mark}{coins_text(candidate)}{mark}", str(total), percent(three.empty, 1), percent(four.empty, 1)]
        cells += [fair(share) for share in (three.rusher, four.rusher, three.banker, four.banker)]
        cells += [f"{three.best_threshold}, {four.best_threshold}", f"{mark}{verdict}{mark}"]
        rows.append(cells)
    headings = (
        "coins a lap", "on the path", "runs out, 3 players, %", "4 players, %", "rusher, 3", "rusher, 4",
        "banker, 3", "banker, 4", "best to bank with, 3, 4", "verdict",
    )  # fmt: skip
    return table(headings, rows)


def chosen_table(results: Results, chosen: str) -> str:
    """How games on a board go, by the number of players."""
    seen = [results[chosen, players] for players in sorted(n for c, n in results if c == chosen)]
    lines: list[tuple[str, Callable[[Figures], str]]] = [
        ("games in each cell", lambda f: f"{f.games:,}"),
        ("rounds a game, ± standard deviation", lambda f: f"{f.rounds:.1f} ± {f.rounds_spread:.1f}"),
        ("frights a game", lambda f: f"{f.frights:.1f}"),
        ("purses banked a game", lambda f: f"{f.banked:.1f}"),
        ("points from chests, all players, %", lambda f: f"{100 * f.from_chests:.0f}"),
        ("points from chests, winners, %", lambda f: f"{100 * f.winners_from_chests:.0f}"),
        ("the treasure runs out, %", lambda f: percent(f.empty, 1)),
        ("rusher, in fair shares", lambda f: fair(f.rusher)),
        ("banker, in fair shares", lambda f: fair(f.banker)),
    ]
    headings = ["", *(f"{f.players} players" for f in seen)]
    return table(headings, [[name, *(cell(f) for f in seen)] for name, cell in lines])


def final_table(chosen: str, done: Mapping[int, list[dict[str, Any]]]) -> str:
    """Return the table of the final runs, from the lowest to the highest figure of each."""
    rows = []
    for players, runs in done.items():
        seen = [figures(chosen, players, [run]) for run in runs]
        best = sorted((f.best_threshold for f in seen), key=lambda name: (name == "never", name))
        rows.append(
            [
                str(players),
                _range([100 * f.empty.value for f in seen], 1),
                _range([f.rusher.value for f in seen], 2),
                _range([f.banker.value for f in seen], 2),
                _range([f.curve["never"].value for f in seen], 2),
                ", ".join(best),
                _range([players * run["challenger"] for run in runs], 2),
            ]
        )
    headings = ("players", "runs out, %", "rusher", "banker", "never banks", "best to bank with", "best challenger")
    return table(headings, rows)


def _range(values: list[float], digits: int) -> str:
    """Write the lowest and the highest."""
    return f"{min(values):.{digits}f}–{max(values):.{digits}f}"


def choice_text(results: Results, chosen: str) -> str:
    """Say which board is chosen and its key figures."""
    three, four = (results[chosen, n] for n in JUDGED)
    return (
        f"**{coins_text(chosen)}** (pickaxe, lantern, rope, barrel, crystal)"
        f"{', four times over' if equal_laps(chosen) else ', lap by lap'}. The treasure runs out in "
        f"{percent(three.empty, 1)} % of games with three players and {percent(four.empty, 1)} % with four. A rusher "
        f"wins {fair(three.rusher)} and {fair(four.rusher)} of a fair share, a banker {fair(three.banker)} and "
        f"{fair(four.banker)}."
    )


def run_text(settings: Settings, store: Store) -> str:
    """Say how much was played, and how long it took."""
    played = sum(Job.named(name).games(settings) for name in store.done)
    clock, processor = (seconds / 60 for seconds in store.seconds)
    return (
        f"{played / 1e6:.0f} million games, learning included, on {os.cpu_count()} cores ({study.processor()}): "
        f"{processor:.0f} minutes of processor time, {clock:.0f} minutes by the clock. Seeds: {LEARNING_SEED} for "
        f"learning, {FINAL_SEED} for learning afresh, {CHALLENGE_SEED} for the last challenge, {REPORTING_SEED} for "
        f"every game that is counted."
    )


def write_figures(results: Results, file: Path) -> None:
    """Write every figure down, one line a board and number of players."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [f"bank {coins:g}" if coins < NEVER else "bank never" for coins in THRESHOLDS]
    shares = ["empty", "rusher", *names]
    bounds = [f"{name}{end}" for name in shares for end in ("", " low", " high")]
    writer.writerow(["board", "players", "games", *NUMBERS, *bounds])
    for (candidate, players), seen in results.items():
        found = {"empty": seen.empty, "rusher": seen.rusher, **{f"bank {k}": v for k, v in seen.curve.items()}}
        cells = [part for name in shares for part in (asdict(found[name]).values() if name in found else ("",) * 3)]
        rounded = [f"{cell:.6f}" if cell != "" else "" for cell in [*(getattr(seen, name) for name in NUMBERS), *cells]]
        writer.writerow([candidate, players, seen.games, *rounded])
    file.write_text(out.getvalue(), "utf-8")


def draw(results: Results, chosen: str) -> None:
    """Draw both pictures, light and dark."""
    order = list(dict.fromkeys(c for c, _ in results))
    rows = [
        Row(
            candidate,
            candidate == chosen,
            *({n: getattr(results[candidate, n], name) for n in (2, 3, 4)} for name in ("empty", "rusher", "banker")),
        )
        for candidate in order
    ]
    shown = sorted({order[0], chosen, "01234"}, key=lambda c: sum(map(sum, laps(c))))
    titles = {shown[0]: "poor: ", shown[-1]: "rich: ", chosen: "ours: "}
    panels = [
        Panel(titles[c] + coins_text(c), c == chosen, {n: dict(results[c, n].curve) for n in JUDGED}) for c in shown
    ]
    for suffix, light in (("", DAY), ("-night", NIGHT)):
        boards = boards_picture(rows, AT_MOST_EMPTY, FAIR_ENOUGH, light)
        (PICTURES / f"dragons-cave-board{suffix}.svg").write_text(boards, "utf-8")
        curves = curve_picture(panels, light)
        (PICTURES / f"dragons-cave-board-banking{suffix}.svg").write_text(curves, "utf-8")


# --- The study ----------------------------------------------------------------------------------------------------
def survey(settings: Settings, store: Store, threads: int, candidates: Iterable[str] = CANDIDATES) -> Results:
    """Return the figures of every candidate, after its populations have learned it."""
    cells = {(c, n): [Job(c, n, run) for run in range(settings.runs_of(n))] for c in candidates for n in (2, 3, 4)}
    play((job for jobs in cells.values() for job in jobs), settings, store, threads, "all boards")
    return {cell: figures(*cell, [store.done[job.name] for job in jobs]) for cell, jobs in cells.items()}


def final_runs(chosen: str, settings: Settings, store: Store, threads: int) -> dict[int, list[dict[str, Any]]]:
    """Return the results of further runs on the chosen board, with a longer challenge of their populations."""
    jobs = {n: [Job(chosen, n, run, True) for run in range(settings.independent_runs)] for n in JUDGED}
    play((job for some in jobs.values() for job in some), settings, store, threads, "the chosen board again")
    return {n: [store.done[job.name] for job in some] for n, some in jobs.items()}


def main() -> None:
    """Do the study and write its report, or with --quick print a rough one."""
    parser = argparse.ArgumentParser(description="Choose the coins of Dragon's Cave by playing.")
    parser.add_argument("--quick", action="store_true", help="a rough run, printed and not written")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    settings = QUICK if asked.quick else Settings()
    store = Store(settings, None if asked.quick else PROGRESS)
    results = survey(settings, store, asked.threads)
    chosen = choose(results)
    if chosen is None:
        sys.exit(f"{boards_table(results, chosen)}\n\nNo board passes.")
    parts = {
        "choice": choice_text(results, chosen),
        "boards": boards_table(results, chosen),
        "chosen": chosen_table(results, chosen),
        "afresh": final_table(chosen, final_runs(chosen, settings, store, asked.threads)),
        "run": run_text(settings, store),
    }
    print("\n\n".join(parts.values()))
    if not asked.quick:
        page = REPORT.read_text("utf-8")
        for name, words in parts.items():
            page = write_between(page, name, words)
        REPORT.write_text(page, "utf-8")
        write_figures(results, FIGURES)
        draw(results, chosen)
    if load_game("dragons-cave", interpreted=True).board.data["path"] != board(chosen)["path"]:
        print("\nboard.toml shows other coins than these.", file=sys.stderr)


if __name__ == "__main__":
    main()

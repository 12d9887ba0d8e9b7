"""Measure our games on an NVIDIA card, and Pgx beside them on the same card, in one run, taking turns.

For a machine with a card, CuPy and JAX that may have neither Numba nor the internet: nothing is installed, the standard
library prints. Pgx has to be there, or in a folder brought along. Where there is internet:

    pip install --target build/pgx --no-deps pgx==2.6.0 svgwrite typing_extensions

and on the machine with the card:

    python benchmarks/cuda.py --pgx build/pgx

First the same games are played on the card and on the processor: where one final state differs, nothing is measured.
Then both sides count player decisions and leave start and compiling out; the best round of each counts, since a card is
not slowed by what else the machine does, only by the way to it. Ours does what `dracotheque simulate --on cuda` does.
What a step of Pgx is says pgx_loop.py. Pgx takes one step of every game of a batch at a time and keeps the finished
ones going; we play whole games, one a thread. Pgx has no game of sealed choices: it stands beside Emerald alone.

Each game measured replaces its own part of results-cuda.json; the others keep theirs, with their date and card.
"""

from __future__ import annotations

import argparse
import functools
import importlib.metadata
import importlib.util
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import pgx_loop  # noqa: E402
from promises import PROMISES, Promise  # noqa: E402

# From here on this checkout is found, installed or not, and this folder is not: numba-cuda needs a package of NVIDIA's
# that is called like this file.
sys.path[:] = [str(HERE.parent / "src"), *(path for path in sys.path if Path(path).resolve() != HERE)]

from dracotheque import load_game  # noqa: E402
from dracotheque.engine import batch_totals, registry  # noqa: E402
from dracotheque.engine.definition import GameDefinition  # noqa: E402
from dracotheque.engine.game import Game  # noqa: E402
from dracotheque.engine.jit import cache, cuda  # noqa: E402
from dracotheque.engine.registry import find_game  # noqa: E402
from dracotheque.simulation import simulate  # noqa: E402

BESIDE_PGX = "emerald"
PGX_GAMES = ("backgammon", "2048")
SEED = 1
FULL = 200_000  # games at least in a round: most threads of a large card have one then
COMPARED, COMPARED_SLOWLY = 20_000, 200  # games compared; the fewer where one side is interpreted


@dataclass(frozen=True)
class Figure:
    """One thing measured: decisions a second in its best round and in all."""

    name: str
    decisions_per_second: float
    rounds: list[float]
    games_per_second: float | None = None


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Measure our games and Pgx on one NVIDIA card; writes results-cuda.md and results-cuda.json."
    )
    parser.add_argument(
        "--game", action="append", choices=[*registry.games()], help="measure this game; may be repeated (all)"
    )
    parser.add_argument("--players", metavar="N,…", help="numbers of players (all of every game)")
    parser.add_argument("--pgx", type=Path, metavar="PATH", help="a folder with Pgx in it, where it is not installed")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds a round of ours (2)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (5)")
    parser.add_argument("--batches", default="14,15,16,17,18", help="batch sizes of Pgx as powers of two (14 to 18)")
    parser.add_argument("--steps", type=int, default=200, help="steps in one call of Pgx (200)")
    parser.add_argument("--pgx-games", default=",".join(PGX_GAMES), help="games of Pgx (backgammon,2048)")
    parser.add_argument("--on", default="cuda", choices=("cuda", "cpu"), help="cpu tries this script without a card")
    parser.add_argument("--out", type=Path, help="the folder to write to (benchmarks; none with --on cpu)")
    return parser.parse_args()


# --- Ours: in a process of its own, where JAX is not -----------------------------------------------------------------
def opened(name: str, players: int) -> Game:
    """Load a game; without Numba the processor's part is interpreted."""
    return load_game(name, players, interpreted=not cache.has_numba())


@functools.cache
def kernel(name: str) -> cuda.Kernel:
    """Load a game's kernel, once for all numbers of players."""
    return cuda.open_card(opened(name, find_game(name).default_players))


def one_by_one(game: Game, count: int) -> tuple[list[int], bytes]:
    """Play games on the processor; give their sums and their final states."""
    bench = game.runtime.new_batch(game.new_initial_state().record())
    finals = []
    for number in range(count):
        game.runtime.operations.play_batch(bench.handle, SEED, number, 1)
        finals.append(bench.last())
    return bench.sums.tolist(), b"".join(finals)


def same_games(name: str, players: int, on: str) -> int:
    """Play the same games on the card and on the processor; say how many were equal, 0 where any differ.

    Without a card, what is compared is compiled and interpreted.
    """
    game = opened(name, players)
    count = COMPARED if on == "cuda" and cache.has_numba() else COMPARED_SLOWLY
    if on == "cuda":
        added, finals = kernel(name).play(game.new_initial_state().record(), SEED, 0, count, count)
        seen = added.tolist(), finals
    else:
        seen = one_by_one(load_game(name, players, interpreted=True), count)
    return count if seen == one_by_one(game, count) else 0


def timed(name: str, players: int, games: int, on: str) -> tuple[int, float]:
    """Play games as `dracotheque simulate` does; say how many decisions that were, and in how many seconds."""
    game = opened(name, players)
    if on == "cpu":
        done = simulate.simulate(game, games, ["random"] * players, SEED, 1)
        return done.decisions, done.seconds
    start, ready = game.new_initial_state().record(), kernel(name)
    decisions, began = 0, time.perf_counter()
    for first in range(0, games, simulate.CARD_CHUNK):
        added, _ = ready.play(start, SEED, first, min(simulate.CARD_CHUNK, games - first), 0)
        decisions += int(added[batch_totals.DECISIONS])
    return decisions, time.perf_counter() - began


class Ours:
    """A game of ours for some number of players."""

    def __init__(
        self, process: ProcessPoolExecutor, definition: GameDefinition, players: int, seconds: float, on: str
    ) -> None:
        """Play some games, to load everything and to see how many fill a round."""
        self.definition, self.players = definition, players
        self.name = f"{definition.title}, {players} players"
        print(f"  warming up {self.name} …", flush=True)
        self._process, self._on = process, on
        self._games, self.games_per_second = FULL, 0.0
        self.rounds: list[float] = []
        for _ in range(3):  # a card warms to its rate only when it is full
            spent = self._play()[1]
            self._games = max(FULL, int(self._games / spent * seconds))
            if spent > seconds:
                break

    def _play(self) -> tuple[int, float]:
        """Play a round's games."""
        return self._process.submit(timed, self.definition.name, self.players, self._games, self._on).result()

    def round(self) -> None:
        """Measure once more."""
        decisions, spent = self._play()
        self.rounds.append(decisions / spent)
        if self.rounds[-1] == max(self.rounds):
            self.games_per_second = self._games / spent

    def figure(self) -> Figure:
        """Sum up."""
        return Figure(self.name, max(self.rounds), self.rounds, self.games_per_second)


# --- Pgx -------------------------------------------------------------------------------------------------------------
class Pgx:
    """A game of Pgx at one batch size."""

    def __init__(self, game: str, power: int, steps: int) -> None:
        """Compile it."""
        self.game = game
        self.name = f"Pgx {game}, batch 2^{power}"
        print(f"  warming up {self.name} …", flush=True)
        self._decisions = 2**power * steps
        self._run = pgx_loop.batch(game, 2**power, steps)
        self.rounds: list[float] = []

    def round(self) -> None:
        """Measure once more."""
        start = time.perf_counter()
        self._run()
        self.rounds.append(self._decisions / (time.perf_counter() - start))

    def figure(self) -> Figure:
        """Sum up."""
        return Figure(self.name, max(self.rounds), self.rounds)


def pgx_missing(folder: Path | None, on: str) -> str | None:
    """Make Pgx importable; say why where it is not."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or JAX would leave us no memory on the card
    if on == "cpu":
        os.environ["JAX_PLATFORMS"] = "cpu"
    if folder is not None:
        sys.path.append(str(folder.resolve()))  # last, so that a JAX there is not taken before the installed one
    if importlib.util.find_spec("jax") is None:
        return "JAX is not installed here"
    if importlib.util.find_spec("pgx") is None:
        return "Pgx is not here; bring it with --pgx PATH (see the head of this file)"
    import jax

    if on == "cuda" and jax.default_backend() != "gpu":
        return f"JAX sees no card here, only {jax.default_backend()}"
    return None


# --- One run ---------------------------------------------------------------------------------------------------------
Measured = TypeVar("Measured", Ours, Pgx)


def prepared(kind: type[Measured], *arguments: Any) -> Measured | None:
    """Start something measured; a failure is said and passed over."""
    try:
        return kind(*arguments)
    except Exception as error:  # a driver may raise anything, and the other rows are still measured
        print(f"    not available: {type(error).__name__}: {error}")
        return None


def compared(process: ProcessPoolExecutor, definition: GameDefinition, players: int, on: str) -> int:
    """Make sure that games here and there are equal before any is measured; 0 where that cannot be seen."""
    try:
        count = process.submit(same_games, definition.name, players, on).result()
    except Exception as error:
        print(f"  {definition.title}, {players} players: not compared: {type(error).__name__}: {error}")
        return 0
    if count == 0:
        sys.exit(
            f"{definition.title}, {players} players: games on the card are not the processor’s. Nothing was measured."
        )
    print(f"  {definition.title}, {players} players: {count:,} games equal, sums and final states", flush=True)
    return count


def tables(asked: argparse.Namespace) -> list[tuple[GameDefinition, int]]:
    """List what is to be measured of ours: every game, from the fewest players to the most."""
    some = None if asked.players is None else [int(players) for players in asked.players.split(",")]
    definitions = [find_game(name) for name in asked.game or registry.games()]
    every = [(each, n) for each in definitions for n in range(each.min_players, each.max_players + 1)]
    return [(definition, n) for definition, n in every if some is None or n in some]


def peers(asked: argparse.Namespace, missing: list[str]) -> list[Pgx | None]:
    """Start the games of Pgx, or note why that cannot be."""
    if why := pgx_missing(asked.pgx, asked.on):
        missing.append(f"Pgx: {why}")
        return []
    powers = [int(power) for power in asked.batches.split(",")]
    return [prepared(Pgx, name, power, asked.steps) for name in asked.pgx_games.split(",") for power in powers]


def measure(asked: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Compare, warm everything up, take turns, and sum up by game."""
    at = tables(asked)
    names = list(dict.fromkeys(definition.name for definition, _ in at))
    missing: list[str] = []
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        equal = [(definition.name, compared(process, definition, players, asked.on)) for definition, players in at]
        mine = [prepared(Ours, process, definition, players, asked.seconds, asked.on) for definition, players in at]
        theirs = peers(asked, missing) if any(one and one.definition.name == BESIDE_PGX for one in mine) else []
        running = [one for one in (*mine, *theirs) if one is not None]
        for number in range(1, asked.rounds + 1):
            for one in running:
                one.round()
                print(f"  round {number} of {asked.rounds}: {one.name}: {one.rounds[-1]:.3g} decisions/s", flush=True)
    how = {"rounds": asked.rounds, "seconds": asked.seconds, "steps": asked.steps, "on": asked.on}
    found = {}
    for name in names:
        ours = [one for one in running if isinstance(one, Ours) and one.definition.name == name]
        pgx = [one for one in running if isinstance(one, Pgx) and name == BESIDE_PGX]
        same = sum(count for game, count in equal if game == name)
        gone = missing if name == BESIDE_PGX else []
        if ours:
            found[name] = {**summed_up(find_game(name), ours, pgx), "equal_games": same, **how, "missing": gone}
    return found


def card() -> str:
    """Name the card and its driver."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "no NVIDIA card"
    name, _, driver = answer.splitlines()[0].partition(", ")
    return f"{name}, driver {driver}"


def versions() -> dict[str, str]:
    """Name the versions of what takes part."""
    found = {"Python": platform.python_version()}
    for name in ("numba", "numba-cuda", "cupy", "cupy-cuda12x", "cupy-cuda13x", "numpy", "jax", "jaxlib", "pgx"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def summed_up(definition: GameDefinition, mine: list[Ours], pgx: list[Pgx]) -> dict[str, Any]:
    """Put everything about a game in one object, as results-cuda.json holds it."""
    usual = next((max(one.rounds) for one in mine if one.players == definition.default_players), None)
    peers: dict[str, list[Figure]] = {}
    for one in pgx:
        peers.setdefault(one.game, []).append(one.figure())
    best = {game: max(each.decisions_per_second for each in figures) for game, figures in peers.items()}
    return {
        "title": definition.title,
        "date": datetime.now().isoformat(timespec="minutes"),
        "card": card(),
        "versions": versions(),
        "decisions_per_second": usual,
        "ratios": {game: usual / rate for game, rate in best.items()} if usual else {},
        "ours": [asdict(one.figure()) for one in mine],
        "pgx": {game: [asdict(figure) for figure in figures] for game, figures in peers.items()},
    }


# --- What people read ------------------------------------------------------------------------------------------------
def markdown(everything: dict[str, dict[str, Any]]) -> str:
    """Write the figures for people, game by game."""
    parts = [line for name in everything for line in part(everything[name], PROMISES.get(name, Promise()))]
    return "\n".join(["# Speed on an NVIDIA card", *parts, ""])


def part(summary: dict[str, Any], promise: Promise) -> list[str]:
    """Write the figures of a game."""
    named = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    pgx = f", Pgx of {summary['steps']} steps a game" if summary["pgx"] else ""
    how = f"{summary['rounds']} rounds, ours of about {summary['seconds']:g} s{pgx}"
    text = ["", f"## {summary['title']}", ""]
    text += [f"Measured on {summary['date']} by `python benchmarks/cuda.py` ({how}).", ""]
    text += [f"- Card: {summary['card']}", f"- Versions: {named}"]
    text += [f"- Not available: {missing}" for missing in summary["missing"]]
    if summary["equal_games"]:
        text.append(f"- Played before on both: {summary['equal_games']:,} games, equal in sums and final states")
    text += ["", "| | decisions/s, best | lowest | games/s | ours ÷ it |", "|---|---:|---:|---:|---:|"]
    first = summary["decisions_per_second"]
    for figure in (*summary["ours"], *(figure for figures in summary["pgx"].values() for figure in figures)):
        best, whole = figure["decisions_per_second"], figure["games_per_second"]
        times = f"{first / best:.3g} ×" if first and whole is None else ""
        whole = "" if whole is None else f"{whole:.3g}"
        text.append(f"| {figure['name']} | {best:.3g} | {min(figure['rounds']):.3g} | {whole} | {times} |")
    found = verdicts(summary, promise)
    return [*text, "", *found] if found else text


def verdicts(summary: dict[str, Any], promise: Promise) -> list[str]:
    """Say whether what was promised was met."""
    first, times = summary["decisions_per_second"], summary["ratios"].get("backgammon")
    found = []
    if first and (target := promise.card):
        met = "met" if first >= target else "not met"
        found.append(f"- Promised ≥ {target:.0e} decisions/s: {first:.3g}, {first / target:.2f} of it, {met}.")
    if times and (target := promise.card_times):
        met = "met" if times >= target else "not met"
        found.append(f"- Promised ≥ {target:g} × Pgx backgammon, at its best batch size: {times:.3g} ×, {met}.")
    return found


def write(folder: Path, measured: dict[str, dict[str, Any]]) -> None:
    """Replace what was measured again, and keep the rest."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "results-cuda.json"
    before = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    everything = {name: both[name] for both in [before | measured] for name in registry.games() if name in both}
    kept.write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "results-cuda.md").write_text(markdown(everything), encoding="utf-8")
    print(f"Written to {folder.name}/results-cuda.md and results-cuda.json.")


def main() -> None:
    """Measure, print, write."""
    asked = options()
    measured = measure(asked)
    if not measured:
        sys.exit("No game of ours could be measured here; the files stay as they were.")
    print(f"\n{markdown(measured)}")
    folder = asked.out or (HERE if asked.on == "cuda" else None)
    if folder is not None:
        write(folder, measured)


if __name__ == "__main__":
    main()

"""Measure `dracotheque simulate --on cuda` beside Pgx on the same NVIDIA card, in one run, taking turns.

For a machine with a card, CuPy and JAX that may have neither Numba nor the internet: nothing is installed, the standard
library prints. Pgx has to be there, or in a folder brought along. Where there is internet:

    pip install --target build/pgx --no-deps pgx==2.6.0 svgwrite typing_extensions

and on the machine with the card:

    python benchmarks/cuda.py --pgx build/pgx

Both sides count player decisions and leave start and compiling out; the best round of each counts, since a card is not
slowed by what else the machine does, only by the way to it. What a step of Pgx is says pgx_loop.py. Pgx takes one step
of every game of a batch at a time and keeps the finished ones going; we play whole games, one a thread.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
GAMES = ("backgammon", "2048")
TARGET, TARGET_TIMES = 6e9, 100


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
        description="Measure Emerald and Pgx on one NVIDIA card; writes results-cuda.md and results-cuda.json."
    )
    parser.add_argument("--pgx", type=Path, metavar="PATH", help="a folder with Pgx in it, where it is not installed")
    parser.add_argument(
        "--players", default="3,2,4,5", help="numbers of players of Emerald (3,2,4,5); the first counts"
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds a round of ours (2)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (5)")
    parser.add_argument("--batches", default="14,15,16,17,18", help="batch sizes of Pgx as powers of two (14 to 18)")
    parser.add_argument("--steps", type=int, default=200, help="steps in one call of Pgx (200)")
    parser.add_argument("--games", default=",".join(GAMES), help="games of Pgx (backgammon,2048)")
    parser.add_argument("--on", default="cuda", choices=("cuda", "cpu"), help="cpu tries this script without a card")
    parser.add_argument("--out", type=Path, help="the folder to write to (benchmarks; none with --on cpu)")
    return parser.parse_args()


# --- Ours ------------------------------------------------------------------------------------------------------------
def simulate(players: str, games: int, on: str) -> dict[str, Any]:
    """Run `dracotheque simulate` of this checkout once."""
    command = [sys.executable, "-m", "dracotheque", "simulate", "emerald"]
    command += ["--players", players, "--games", str(games), "--on", on, "--json"]
    source = os.pathsep.join(filter(None, (str(HERE.parent / "src"), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": source}
    answer = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if answer.returncode:
        raise RuntimeError((answer.stderr.strip().splitlines() or ["it stopped without a word"])[-1])
    return json.loads(answer.stdout)


class Ours:
    """Emerald for some number of players."""

    def __init__(self, players: str, seconds: float, on: str) -> None:
        """Play some games, to load everything and to see how many fill a round."""
        self.name = f"Emerald, {players} players"
        print(f"  warming up {self.name} …", flush=True)
        self._players, self._on = players, on
        games = 10_000
        for _ in range(3):  # a card warms to its rate only when it is full
            first = simulate(players, games, on)
            games = max(10_000, int(first["games"] / first["seconds"] * seconds))
        self._games = games
        self._best: dict[str, Any] = first
        self.rounds: list[float] = []

    def round(self) -> None:
        """Measure once more."""
        answer = simulate(self._players, self._games, self._on)
        self.rounds.append(answer["decisions"] / answer["seconds"])
        if self.rounds[-1] == max(self.rounds):
            self._best = answer

    def figure(self) -> Figure:
        """Sum up."""
        return Figure(self.name, max(self.rounds), self.rounds, self._best["games"] / self._best["seconds"])


# --- Pgx -------------------------------------------------------------------------------------------------------------
class Pgx:
    """A game of Pgx at one batch size."""

    def __init__(self, game: str, power: int, steps: int) -> None:
        """Compile it."""
        import pgx_loop

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
def prepared(kind: type[Ours] | type[Pgx], *arguments: Any) -> Ours | Pgx | None:
    """Start something measured; a failure is said and passed over."""
    try:
        return kind(*arguments)
    except Exception as error:  # whatever a driver throws, the rest is still worth measuring
        print(f"    not available: {type(error).__name__}: {error}")
        return None


def measure(asked: argparse.Namespace) -> dict[str, Any]:
    """Warm everything up, take turns, and sum up."""
    missing: list[str] = []
    mine = [prepared(Ours, players, asked.seconds, asked.on) for players in asked.players.split(",")]
    theirs: list[Ours | Pgx | None] = []
    if why := pgx_missing(asked.pgx, asked.on):
        missing.append(f"Pgx: {why}")
    else:
        powers = [int(power) for power in asked.batches.split(",")]
        theirs = [prepared(Pgx, game, power, asked.steps) for game in asked.games.split(",") for power in powers]
    running = [one for one in (*mine, *theirs) if one is not None]
    for number in range(1, asked.rounds + 1):
        for one in running:
            one.round()
            print(f"  round {number} of {asked.rounds}: {one.name}: {one.rounds[-1]:.3g} decisions/s", flush=True)
    peers: dict[str, list[Figure]] = {}
    for one in running:
        if isinstance(one, Pgx):
            peers.setdefault(one.game, []).append(one.figure())
    how = {"rounds": asked.rounds, "seconds": asked.seconds, "steps": asked.steps, "on": asked.on, "missing": missing}
    return {**summed_up([one.figure() for one in running if isinstance(one, Ours)], peers), **how}


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


def summed_up(mine: list[Figure], peers: dict[str, list[Figure]]) -> dict[str, Any]:
    """Put everything in one object, as results-cuda.json holds it."""
    first = mine[0].decisions_per_second if mine else None
    best = {game: max(each.decisions_per_second for each in figures) for game, figures in peers.items()}
    return {
        "date": datetime.now().isoformat(timespec="minutes"),
        "card": card(),
        "versions": versions(),
        "ours_decisions_per_second": first,
        "ratios": {game: first / rate for game, rate in best.items()} if first else {},
        "ours": [asdict(figure) for figure in mine],
        "pgx": {game: [asdict(figure) for figure in figures] for game, figures in peers.items()},
    }


def markdown(summary: dict[str, Any]) -> str:
    """Write the figures for people."""
    named = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    how = f"{summary['rounds']} rounds, ours of about {summary['seconds']:g} s, Pgx of {summary['steps']} steps a game"
    text = [
        "# Speed on an NVIDIA card",
        "",
        f"Measured on {summary['date']} by `python benchmarks/cuda.py` ({how}).",
        "",
    ]
    text += [
        f"- Card: {summary['card']}",
        f"- Versions: {named}",
        *(f"- Not available: {m}" for m in summary["missing"]),
    ]
    text += ["", "| | decisions/s, best | lowest | games/s | ours ÷ it |", "|---|---:|---:|---:|---:|"]
    first = summary["ours_decisions_per_second"]
    for figure in (*summary["ours"], *(figure for figures in summary["pgx"].values() for figure in figures)):
        best, whole = figure["decisions_per_second"], figure["games_per_second"]
        times = f"{first / best:.3g} ×" if first and whole is None else ""
        whole = "" if whole is None else f"{whole:.3g}"
        text.append(f"| {figure['name']} | {best:.3g} | {min(figure['rounds']):.3g} | {whole} | {times} |")
    return "\n".join([*text, "", *(f"- {line}" for line in verdicts(summary)), ""])


def verdicts(summary: dict[str, Any]) -> list[str]:
    """Say whether what was promised was met."""
    first, times = summary["ours_decisions_per_second"], summary["ratios"].get("backgammon")
    found = []
    if first:
        met = "met" if first >= TARGET else "not met"
        found.append(f"Promised ≥ {TARGET:.0e} decisions/s: {first:.3g}, {first / TARGET:.2f} of it, {met}.")
    if times:
        met = "met" if times >= TARGET_TIMES else "not met"
        found.append(f"Promised ≥ {TARGET_TIMES} × Pgx backgammon, at its best batch size: {times:.3g} ×, {met}.")
    return found


def main() -> None:
    """Measure, print, write."""
    asked = options()
    summary = measure(asked)
    text = markdown(summary)
    print(f"\n{text}")
    folder = asked.out or (HERE if asked.on == "cuda" else None)
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results-cuda.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    (folder / "results-cuda.md").write_text(text, encoding="utf-8")
    print(f"Written to {folder.name}/results-cuda.md and results-cuda.json.")


if __name__ == "__main__":
    main()

"""The command `dracotheque solve`: perfect play, worked out here, and checked."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dracotheque.engine.errors import DracothequeError

SOLVED = "save-the-dragon"
STAGES = {"falls": "All falls of the rock", "sweeps": "Every position, again and again"}


def add(command: Callable[..., ArgumentParser]) -> None:
    """Describe the command."""
    made = command("solve", solve, "Work out perfect play where a game is small enough: Save the Dragon for two.")
    made.add_argument("game", help=SOLVED)
    made.add_argument("--check", action="store_true", help="work random positions out again with other, slow code")
    made.add_argument("--positions", type=int, default=100_000, help="how many of them (default: 100000)")
    made.add_argument("--write", type=Path, metavar="FILE", help="keep the solution here (default: in the package)")


def solve(chosen: Any) -> None:
    """Solve a game, and keep or check its solution."""
    if chosen.game != SOLVED:
        raise DracothequeError(f"Only {SOLVED} is small enough to be solved, not {chosen.game!r}.")
    from dracotheque.solve import iterate, solution

    began = time.monotonic()
    with _progress() as tell:
        values = iterate.solve(lambda stage, done: tell(STAGES[stage], done))
    opening = values[:, solution.FLOOR, solution.FLOOR, :, :, 0, 0].mean()
    print(f"Solved in {time.monotonic() - began:.0f} s: who begins wins {opening:.4%} of games.")
    if not chosen.check:
        solution.keep(values, chosen.write or solution.FILE)
        print(f"Kept: {chosen.write or solution.FILE}, {(chosen.write or solution.FILE).stat().st_size:,} bytes.")
        return
    _check(values, chosen.positions)


def _check(values: Any, positions: int) -> None:
    """Check values, and the kept ones against them."""
    from dracotheque.solve import checking, solution

    with _progress() as tell:
        found = checking.check(values, positions, tell=lambda done: tell("Positions worked out again", done))
    print(f"{found.positions:,} positions worked out again: the largest error is {found.error:.1e} at {found.where}.")
    kept = abs(solution.read() - values).max()
    print(f"The kept solution is off by {kept:.1e} at most; it is rounded to parts of 1/{solution.FULL}.")
    if found.error > 1e-6 or kept > 1 / solution.FULL:
        raise DracothequeError("The solution is not exact: solve again, and look for what has changed.")


@contextmanager
def _progress() -> Iterator[Callable[[str, float], None]]:
    """Show how far work is, one bar a stage."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"), TimeElapsedColumn()
    bars: dict[str, Any] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:

        def tell(stage: str, done: float) -> None:
            if stage not in bars:
                bars[stage] = progress.add_task(stage, total=1.0)
            progress.update(bars[stage], completed=done)

        yield tell

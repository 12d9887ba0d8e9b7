"""The command `dracotheque solve`: perfect play, worked out here, and checked."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dracotheque.engine.errors import DracothequeError
from dracotheque.solve import cave_commands

SOLVED = "save-the-dragon"


def add(command: Callable[..., ArgumentParser]) -> None:
    """Describe the command."""
    made = command("solve", solve, "Work out perfect play where a game is small enough, for two.")
    made.add_argument("game", help=f"{SOLVED}, or {cave_commands.NAME} in a small cave")
    made.add_argument("--board", metavar="FILE", help="another small cave, for two (default: the package's own)")
    made.add_argument(
        "--check",
        action="store_true",
        help="prove the solution with other code, and keep nothing",
    )
    made.add_argument(
        "--positions",
        type=int,
        default=100_000,
        help="how many random ones of Save the Dragon (default: 100000)",
    )
    made.add_argument("--write", type=Path, metavar="FILE", help="keep the solution here (default: in the package)")


def solve(chosen: Any) -> None:
    """Solve a game, and keep or check its solution."""
    if chosen.game == cave_commands.NAME:
        cave_commands.solve(chosen, _progress)
        return
    if chosen.game != SOLVED:
        raise DracothequeError(
            f"Only {SOLVED}, and {cave_commands.NAME} in a small cave, are small enough to be solved, "
            f"not {chosen.game!r}."
        )
    if chosen.check and chosen.write:
        raise DracothequeError("--check keeps nothing: leave --write away, or --check.")
    if chosen.board:
        raise DracothequeError(f"{SOLVED} has no other boards: leave --board away.")
    if chosen.positions < 1:
        raise DracothequeError(f"{chosen.positions} positions prove nothing: name a number from 1 on.")
    if chosen.write and chosen.write.is_dir():
        raise DracothequeError(f"{chosen.write} is a folder: name a file in it to keep the solution in.")
    if chosen.write and not chosen.write.absolute().parent.is_dir():
        raise DracothequeError(f"There is no folder {chosen.write.parent} to keep the solution in: make it first.")
    from dracotheque.solve import iterate, solution

    began = time.monotonic()
    with _progress() as tell:
        falls = iterate.every_fall(lambda done: tell("All falls of the rock", done))
        values = iterate.solve(falls, lambda done: tell("Every position, again and again", done))
    opening = values[:, solution.FLOOR, solution.FLOOR, :, :, 0, 0].mean()
    print(f"Solved in {time.monotonic() - began:.0f} s: who begins wins {opening:.4%} of games.")
    _count(iterate.reachable(falls))
    if not chosen.check:
        solution.keep(values, chosen.write or solution.FILE)
        print(f"Kept: {chosen.write or solution.FILE}, {(chosen.write or solution.FILE).stat().st_size:,} bytes.")
        return
    _check(values, chosen.positions)


def _count(reached: Any) -> None:
    """Say how many positions can come up, as who rolls next sees them."""
    from dracotheque.solve import solution

    either = reached.any(axis=0)
    kept = solution.possible().sum() * either[0, 0, 0].size
    print(
        f"{either.sum():,} positions can be reached at the start of a turn, {solution.unlike(either):,} if mirror "
        f"images count once; {kept:,} are kept for each seat."
    )


def _check(values: Any, positions: int) -> None:
    """Check values, and the kept ones against them."""
    from dracotheque.solve import checking, solution

    with _progress() as tell:
        found = checking.check(values, positions, tell=lambda done: tell("Positions worked out again", done))
    print(f"{found.positions:,} positions worked out again: the largest error is {found.error:.1e} at {found.where}.")
    kept = abs(solution.read() - values)[:, solution.possible()].max()
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

"""Perfect play where a game is small enough, worked out for two and checked.

make solve                                        Save the Dragon, a minute on two cores; the package keeps the table
make solve ARGS=--check                           prove the table with other code, and keep nothing
make solve GAME=dragons-cave ARGS="--board FILE"  best mixtures in a small cave
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dracotheque.engine.errors import DracothequeError
from research.dragons_cave import cave_commands
from research.shared.command import explained

SOLVED = "save-the-dragon"


@explained
def main(arguments: Sequence[str] | None = None) -> None:
    """Solve a game, and keep or check its solution."""
    made = argparse.ArgumentParser(
        "make solve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("game", help=f"{SOLVED}, or {cave_commands.NAME} in a small cave")
    made.add_argument("--board", metavar="FILE", help="another small cave, for two (default: small-cave.toml)")
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
    solve(made.parse_args(arguments))


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
    from dracotheque.games.save_the_dragon.tablebase import tablebase
    from research.save_the_dragon import iterate

    began = time.monotonic()
    with _progress() as tell:
        falls = iterate.every_fall(lambda done: tell("All falls of the rock", done))
        values = iterate.solve(falls, lambda done: tell("Every position, again and again", done))
    opening = values[:, tablebase.FLOOR, tablebase.FLOOR, :, :, 0, 0].mean()
    print(f"Solved in {time.monotonic() - began:.0f} s: who begins wins {opening:.4%} of games.")
    _count(iterate.reachable(falls))
    if not chosen.check:
        tablebase.keep(values, chosen.write or tablebase.FILE)
        print(f"Kept: {chosen.write or tablebase.FILE}, {(chosen.write or tablebase.FILE).stat().st_size:,} bytes.")
        return
    _check(values, chosen.positions)


def _count(reached: Any) -> None:
    """Say how many positions can come up, as who rolls next sees them."""
    from dracotheque.games.save_the_dragon.tablebase import tablebase

    either = reached.any(axis=0)
    kept = tablebase.possible().sum() * either[0, 0, 0].size
    print(
        f"{either.sum():,} positions can be reached at the start of a turn, {tablebase.unlike(either):,} if mirror "
        f"images count once; {kept:,} are kept for each seat."
    )


def _check(values: Any, positions: int) -> None:
    """Check values, and the kept ones against them."""
    from dracotheque.games.save_the_dragon.tablebase import tablebase
    from research.save_the_dragon import checking

    with _progress() as tell:
        found = checking.check(values, positions, tell=lambda done: tell("Positions worked out again", done))
    print(f"{found.positions:,} positions worked out again: the largest error is {found.error:.1e} at {found.where}.")
    kept = abs(tablebase.read() - values)[:, tablebase.possible()].max()
    print(f"The kept solution is off by {kept:.1e} at most; it is rounded to parts of 1/{tablebase.FULL}.")
    if found.error > 1e-6 or kept > 1 / tablebase.FULL:
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


if __name__ == "__main__":
    main()

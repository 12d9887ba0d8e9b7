"""The command `make solve GAME=dragons-cave`: the equilibrium on a small board, and its proof."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from dracotheque.engine.errors import DracothequeError
from dracotheque.games.dragons_cave.rules.state import CHEST

NAME = "dragons-cave"
STAGES = {
    "positions": "All positions of the cave",
    "values": "Every position, again and again",
    "replies": "Best replies to what was found",
}
MAX_GAIN = 1e-6  # of a best response to the solution

Progress = Callable[[], AbstractContextManager[Callable[[str, float], None]]]


def solve(chosen: Any, progress: Progress) -> None:
    """Solve a board, print its opening strategies, and check the solution."""
    from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST
    from research.dragons_cave import cave

    if chosen.write:
        raise DracothequeError("The solution of Dragon’s Cave is not saved. Remove --write.")
    began = time.monotonic()
    with progress() as report:
        found = cave.Cave(chosen.board or cave.SMALL, report=lambda stage, done: report(STAGES[stage], done))
        value = found.solve(lambda stage, done: report(STAGES[stage], done))
    mixed, opening = found.equilibrium(value), value[FIRST]
    board: Any = found.game.board
    print(f"{board.name}: {found.positions:,} positions for two, solved in {time.monotonic() - began:.0f} s.")
    print(f"Who leads the dwarves first wins {opening:.4%} of games, the first dragon {1 - opening:.4%}.")
    print("First card:  " + _listed(found.names, mixed.lay[FIRST].sum(0)))
    print("First niche: " + _listed(found.names[:CHEST], mixed.place[FIRST, 0]))
    if chosen.check:
        _check(found, value, mixed, progress)


def _listed(names: tuple[str, ...], shares: Any) -> str:
    """Return a strategy as text."""
    return ", ".join(f"{name} {share:.1%}" for name, share in zip(names, shares, strict=True) if share > 1e-9)


def _check(found: Any, value: Any, mixed: Any, progress: Progress) -> None:
    """Print what a best response gains against the strategies, from any position."""
    from research.dragons_cave import cave

    with progress() as report:
        dwarf, dragon = found.best_response(mixed, lambda stage, done: report(STAGES[stage], done))
    gains = (dwarf - value).max(), (dragon - 1 + value).max()
    print(
        f"A best response to these strategies gains at most {max(gains[0], 0):.1e} leading the dwarves and "
        f"{max(gains[1], 0):.1e} as the dragon, from any of the {found.positions:,} positions,\n"
        f"if games are stopped with a probability of {cave.STOP_PROBABILITIES[-1]:g} at every change of roles: "
        "without that they could last for ever."
    )
    if max(gains) > MAX_GAIN:
        raise DracothequeError("The solution is not an equilibrium. Solve again, and look for what has changed.")

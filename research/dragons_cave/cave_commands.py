"""What `make solve GAME=dragons-cave` does: best mixtures in a small cave, and the proof that they are best."""

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
GOOD = 1e-6  # so little may be gained by who knows the strategy

Progress = Callable[[], AbstractContextManager[Callable[[str, float], None]]]


def solve(chosen: Any, progress: Progress) -> None:
    """Solve a cave, say how to open, and check it."""
    from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST
    from research.dragons_cave import cave

    if chosen.write:
        raise DracothequeError("A cave is solved anew each time and not kept: leave --write away.")
    began = time.monotonic()
    with progress() as tell:
        found = cave.Cave(chosen.board or cave.SMALL, tell=lambda stage, done: tell(STAGES[stage], done))
        value = found.solved(lambda stage, done: tell(STAGES[stage], done))
    mixed, opening = found.best(value), value[FIRST]
    board: Any = found.game.board
    print(f"{board.name}: {found.positions:,} positions for two, solved in {time.monotonic() - began:.0f} s.")
    print(f"Who leads the dwarves first wins {opening:.4%} of games, the first dragon {1 - opening:.4%}.")
    print("First card:  " + _listed(found.names, mixed.lay[FIRST].sum(0)))
    print("First niche: " + _listed(found.names[:CHEST], mixed.place[FIRST, 0]))
    if chosen.check:
        _check(found, value, mixed, progress)


def _listed(names: tuple[str, ...], shares: Any) -> str:
    """Write a mixture."""
    return ", ".join(f"{name} {share:.1%}" for name, share in zip(names, shares, strict=True) if share > 1e-9)


def _check(found: Any, value: Any, mixed: Any, progress: Progress) -> None:
    """Work out what the best adversary gains against the mixtures, wherever the game stands."""
    from research.dragons_cave import cave

    with progress() as tell:
        dwarf, dragon = found.against(mixed, lambda stage, done: tell(STAGES[stage], done))
    gains = (dwarf - value).max(), (dragon - 1 + value).max()
    print(
        f"Who knows these mixtures gains at most {max(gains[0], 0):.1e} leading the dwarves and {max(gains[1], 0):.1e} "
        f"as the dragon, from any of the {found.positions:,} positions,\nif games are called off with a chance of "
        f"{cave.HURRIES[-1]:g} at every change of roles: without that they could last for ever."
    )
    if max(gains) > GOOD:
        raise DracothequeError("These mixtures are not best: solve again, and look for what has changed.")

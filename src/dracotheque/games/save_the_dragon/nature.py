"""Chance at a table: the rock really falls, everything else is drawn."""

from __future__ import annotations

import warnings
from random import Random

from dracotheque.engine.game import State
from dracotheque.engine.record import Plain
from dracotheque.games.save_the_dragon import rock
from dracotheque.games.save_the_dragon.state import (
    DOWN, FATE, FATES, FLOOR, LANE, LANES, ROCK_IN, SIDE, STANDS, STEPS, THROWN, TO_SIDE,
)  # fmt: skip


class Nature:
    """What chance brings at one table, where a fall of the rock is one event and many moves."""

    def __init__(self, chance: Random) -> None:
        """Take everything that is drawn, and the seeds of falls, from one stream."""
        self.chance = chance
        self.fall: rock.Fall | None = None

    def outcome(self, state: State) -> int:
        """Say what chance brings next; a rock that is let go falls first."""
        table = state.table()
        if table.phase == LANE and table.course == THROWN:
            self.fall = self._drop(table)
        if table.phase not in (LANE, FATE, SIDE) or self.fall is None:  # None: a stored game goes on in mid-fall
            return state.sample_chance(self.chance)
        if table.phase == LANE:
            return ROCK_IN + self.fall.lanes[STEPS - table.step]
        rest = self.fall.rests[table.hit]
        return TO_SIDE + rest % LANES if table.phase == SIDE else DOWN + fate(table.place[table.hit], rest)

    def _drop(self, table: Plain) -> rock.Fall | None:
        """Let the rock fall; where the physics engine is missing, say so, and leave the fall to the tables."""
        seed = self.chance.getrandbits(63)
        try:
            return rock.drop(table.place[: table.players], table.shield, table.lane, seed)
        except rock.NoEngine as missing:
            warnings.warn(f"{missing} Until then its falls are drawn from tables.", stacklevel=2)
            return None


def fate(stood: int, rest: int) -> int:
    """Number the fate of a pawn that stood on a spot: it stands, lies so many steps down, or is on the floor."""
    if rest == STANDS:
        return 0
    return FATES - 1 if rest == FLOOR else 1 + stood // LANES - rest // LANES

"""Physical chance: the rock falls in a physics engine, every other outcome is drawn by its weight."""

from __future__ import annotations

import functools
import warnings

import numpy as np

from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.rng import RandomSource, SeekableRandomSource
from dracotheque.engine.state import State
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.save_the_dragon import rock_physics
from dracotheque.games.save_the_dragon.rules.state import (
    DOWN, FATE, FATES, FLOOR, LANE, LANES, ROCK_IN, SIDE, STANDS, STEPS, THROWN, TO_SIDE,
)  # fmt: skip

Moves = list[tuple[int, int]]


class PhysicalChance:
    """The outcomes of one game, in which a fall of the rock is one simulation and many moves."""

    def __init__(self, chance: RandomSource) -> None:
        """Take everything that is drawn, and the seeds of falls, from one source."""
        self.chance = chance
        self.fall: rock_physics.Fall | None = None
        self.before: Moves = []
        """The moves that led to the fall."""

    def outcome(self, state: State) -> int:
        """Return the next outcome; where the rock is released, it is simulated first."""
        if _phase(state) not in (LANE, FATE, SIDE):
            return state.sample_chance(self.chance)
        table = state.to_plain()
        fall = self._fall(state, table)
        if fall is None:
            return state.sample_chance(self.chance)
        if table.phase == LANE:
            return ROCK_IN + fall.lanes[STEPS - table.step]
        rest = fall.rests[table.hit]
        return TO_SIDE + rest % LANES if table.phase == SIDE else DOWN + fate(table.place[table.hit], rest)

    def _fall(self, state: State, table: PlainState) -> rock_physics.Fall | None:
        """The fall that is going on; None where it is not known: a stored game goes on in mid-fall."""
        moves = state.full_history()
        if table.phase == LANE and table.course == THROWN:
            self.before, self.fall = moves, self._drop(table, self.chance)
        elif self.before != (before := _before_the_fall(moves)):
            self.before, self.fall = before, self._drop_again(state, before)
        return self.fall

    def _drop_again(self, state: State, before: Moves) -> rock_physics.Fall | None:
        """Let the rock fall once more as it did, if its seed can be drawn again."""
        if not isinstance(self.chance, SeekableRandomSource):
            return None
        start = state.game.new_initial_state()
        for player, action in before:
            start.apply_action(action, player)
        return self._drop(start.to_plain(), self.chance.at(len(before)))

    def _drop(self, table: PlainState, chance: RandomSource) -> rock_physics.Fall | None:
        """Let the rock fall; where the physics engine is missing, say so, and leave the fall to the tables."""
        seed = chance.getrandbits(63)
        try:
            return rock_physics.drop(table.place[: table.players], table.shield, table.lane, seed)
        except rock_physics.NoEngine as missing:
            if isinstance(self.chance, SeekableRandomSource):
                raise  # such a fall could not be found again
            warnings.warn(f"{missing} Until then its falls are drawn from tables.", stacklevel=2)
            return None


def is_physical(outcome: int) -> bool:
    """Whether an outcome is of a fall, and not drawn by weight."""
    return outcome >= ROCK_IN


def require_same_engine() -> None:
    """Refuse to replay falls unless the engine is of the version that simulated them: others fall differently."""
    here = rock_physics._engine().__version__
    if rock_physics.ENGINE.partition("==")[2] != here:
        raise rock_physics.NoEngine(
            f"The rock of this game fell in {rock_physics.ENGINE}, and this is version {here} of the engine."
        )


def _phase(state: State) -> int:
    """The phase alone, which costs a tenth of the whole table."""
    return int(np.frombuffer(state.record(), state.game.runtime.state)["phase"][0])


def _before_the_fall(moves: Moves) -> Moves:
    """Leave out the last moves that belong to one fall: those that chance alone makes, all of the rock."""
    number = len(moves)
    while number and _is_of_a_fall(moves[number - 1]):
        number -= 1
    return moves[:number]


def _is_of_a_fall(move: tuple[int, int]) -> bool:
    """Whether a move is of the rock."""
    player, action = move
    return player == CHANCE and is_physical(action)


# --- Replays -------------------------------------------------------------------------------------------------------
def span(moves: Moves, number: int, since: int) -> tuple[int, int] | None:
    """Find the last fall that had begun after so many moves and was not over after `since`: its first and last moment.

    The first moment is that in which the rock has just been let go; the moves between the two are all of the rock.
    """
    last = min(number, len(moves))
    while last < len(moves) and _is_of_a_fall(moves[last]):
        last += 1
    while last > since and not (last and _is_of_a_fall(moves[last - 1])):
        last -= 1
    return (len(_before_the_fall(moves[:last])), last) if last > since else None


def see_again(state: State, chance: SeekableRandomSource) -> rock_physics.Fall:
    """Let a rock that has just been released fall again as it did, and record its path."""
    table, seed = state.to_plain(), chance.at(state.move_number()).getrandbits(63)
    return _recorded(tuple(table.place[: table.players]), table.shield, table.lane, seed)


@functools.lru_cache(maxsize=512)
def _recorded(places: tuple[int, ...], shield: int, door: int, seed: int) -> rock_physics.Fall:
    """Let the rock fall and record it, once for all who want to see it: it has one to two kilobytes."""
    return rock_physics.drop(places, shield, door, seed, record=True)


def fate(stood: int, rest: int) -> int:
    """Number the fate of a pawn that stood on a spot: it stands, lies so many steps down, or is on the floor."""
    if rest == STANDS:
        return 0
    return FATES - 1 if rest == FLOOR else 1 + stood // LANES - rest // LANES

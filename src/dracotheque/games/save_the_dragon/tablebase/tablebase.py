"""Save the Dragon for two, solved: the table of all positions, kept in the package, and what follows from it."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.atomic_write import atomic_write
from dracotheque.games.save_the_dragon.rules.duel_evaluator import FULL, PLACES, SHAPE
from dracotheque.games.save_the_dragon.rules.rock_model import MODEL_HASH
from dracotheque.games.save_the_dragon.rules.state import FLOOR, LANES, SPOTS, TOKENS, VERSION
from dracotheque.games.save_the_dragon.tablebase import reference_model
from dracotheque.games.save_the_dragon.tablebase.reference_model import Pawns

FILE = Path(__file__).with_name("save-the-dragon.npz")
Values = NDArray[Any]
"""Winning chances of who rolls next: by seat, its place, the other's, shield, shut door, its tokens, the other's."""


class TablebaseError(DracothequeError):
    """There is no solution that fits these rules."""


@cache
def possible() -> NDArray[np.bool_]:
    """Which places of who rolls next, of the other and of the shield go together: a spot is for one alone."""
    mine, theirs, shield = np.ogrid[:PLACES, :PLACES, :SPOTS]
    return (mine != shield) & (theirs != shield) & ((mine != theirs) | (mine == FLOOR))


def unlike(positions: NDArray[np.bool_]) -> int:
    """Count positions, a position and its mirror image once."""
    flip = [place if place == FLOOR else place + LANES - 1 - 2 * (place % LANES) for place in range(PLACES)]
    numbers = np.arange(positions.size).reshape(positions.shape)
    images = numbers[flip][:, flip][:, :, flip[:SPOTS]][:, :, :, ::-1]
    return len(np.unique(np.minimum(numbers, images)[positions]))


def keep(values: Values, file: Path = FILE) -> None:
    """Write a solution, with the rules and the rock it was found for."""
    whole = np.round(values[:, possible()] * FULL).astype(np.uint16)
    with atomic_write(file) as partial, partial.open("wb") as out:
        np.savez_compressed(out, values=whole, rules=VERSION, rock=MODEL_HASH)


def read(file: Path = FILE) -> Values:
    """Read a solution, unless it was found for other rules or another rock."""
    with _opened(file) as kept:
        whole = kept["values"]
    values = np.zeros(SHAPE, np.float32)
    values[:, possible()] = whole / np.float32(FULL)
    return values


def _opened(file: Path) -> Any:
    """Open a solution of the rules and the rock in force."""
    if not file.is_file():
        raise TablebaseError("Save the Dragon has not been solved here yet: `make solve` does it.")
    try:
        kept = np.load(file)
        found = int(kept["rules"]), str(kept["rock"])
    except (BadZipFile, EOFError, KeyError, ValueError) as error:
        raise TablebaseError(f"{file} is damaged: `make solve` makes it again.") from error
    if found != (VERSION, MODEL_HASH):
        raise TablebaseError(
            f"The solution is of rules {found[0]} and rock {found[1]}, and these are rules {VERSION} and rock "
            f"{MODEL_HASH}: `make solve` finds the one that fits."
        )
    return kept


@cache
def fits() -> bool:
    """Whether the package has a solution for the rules and the rock in force."""
    try:
        _opened(FILE).close()
    except TablebaseError:
        return False
    return True


@cache
def solution() -> Tablebase:
    """The solution of the package, read once."""
    return Tablebase(read())


class Tablebase:
    """The winning chance of every position and every choice under perfect play of both."""

    def __init__(self, values: Values) -> None:
        """Look things up in a table."""
        self.values = values

    def turn(self, seat: int, pawns: Pawns, shield: int, shut: int, tokens: tuple[int, int]) -> float:
        """The winning chance of a seat that rolls next."""
        other = 1 - seat
        return float(self.values[seat, pawns[seat], pawns[other], shield, shut, tokens[seat], tokens[other]])

    def passed(self, seat: int, pawns: Pawns, shield: int, shut: int, tokens: tuple[int, int]) -> float:
        """The winning chance of a seat whose turn is over."""
        return 1.0 - self.turn(1 - seat, pawns, shield, shut, tokens)

    def thrown(self, seat: int, pawns: Pawns, shield: int, shut: int, tokens: tuple[int, int], door: int) -> float:
        """The winning chance of a seat that throws the rock through a door."""
        after, more, chances = falls(pawns, shield, door)
        other = 1 - seat
        own, theirs = (np.minimum(tokens[each] + more[each], TOKENS) for each in (seat, other))
        left = self.values[other, after[other], after[seat], shield, shut, theirs, own]
        return 1.0 - float(left @ chances)

    def acting(self, seat: int, pawns: Pawns, shield: int, shut: int, tokens: tuple[int, int]) -> float:
        """The winning chance of a seat that has walked and rolls the action die: rock, or shield and door."""
        doors = [door for door in range(LANES) if door != shut]
        throw = max(self.thrown(seat, pawns, shield, shut, tokens, door) for door in doors)
        spots = [spot for spot in range(SPOTS) if spot != shield and spot not in pawns]
        change = max(
            *(self.passed(seat, pawns, spot, shut, tokens) for spot in spots),
            *(self.passed(seat, pawns, shield, door, tokens) for door in doors),
        )
        return (throw + change) / 2

    def walked(self, seat: int, pawns: Pawns, shield: int, shut: int, tokens: tuple[int, int], die: int) -> float:
        """The winning chance of a seat that has walked with a die."""
        after = self.acting if die <= 2 else self.passed
        return after(seat, pawns, shield, shut, tokens)

    def derived(self, seat: int, pawns: Pawns, shield: int, shut: int, tokens: tuple[int, int]) -> float:
        """Work the winning chance of a seat that rolls next out from what may follow."""
        total = 0.0
        for die in (1, 2, 3):
            ends = reference_model.walks(pawns[seat], pawns[1 - seat], shield, shut, die, tokens[seat])
            if ends is None:
                total += 1
                continue
            total += max(
                self.walked(seat, put(pawns, seat, end), shield, shut, put(tokens, seat, tokens[seat] - spent), die)
                for end, spent in ends
            )
        return total / 3


def put(pair: tuple[int, int], seat: int, value: int) -> tuple[int, int]:
    """Set a value of a seat."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


@lru_cache(maxsize=250_000)
def falls(pawns: Pawns, shield: int, door: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Where both pawns may be after a throw, whether each has earned a token by it, and the chances."""
    found = reference_model.ends(pawns, shield, door)
    after = np.array(list(found), np.int8).T
    more = (after == FLOOR) & (np.array(pawns)[:, None] != FLOOR)
    return after, more.astype(np.int8), np.array(list(found.values()))

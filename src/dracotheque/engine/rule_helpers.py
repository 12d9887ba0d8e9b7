"""Helpers for the rules of all games."""

from __future__ import annotations

import sys
from typing import Any

from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.rule import compiled
from dracotheque.engine.rng import GOLDEN, MASK, MULTIPLIER


@compiled
def seats(game: Any) -> int:
    """Return the number of players; widened, since an unsigned and a signed number in one variable become a float."""
    return game.players + 0


@compiled
def to_move(game: Any) -> int:
    """Return whose choice is next; widened, as above."""
    return game.to_move + 0


@compiled
def turn_seat(game: Any) -> int:
    """Return the seat whose turn it is, which another's choice may interrupt; widened, as above."""
    return game.active + 0


@compiled
def ending(game: Any) -> int:
    """Return which of its endings a finished game came to."""
    return game.ended


@compiled
def one_hot(out: Any, at: int, size: int, value: int) -> int:
    """Write a one at `value`, zeros elsewhere (all zeros when it is outside); return the index after them."""
    for i in range(size):
        out[at + i] = i == value
    return at + size


@compiled
def next_seat(game: Any, seat: int) -> int:
    """The seat to the left, clockwise."""
    return seat + 1 if seat + 1 < game.players else 0


@compiled
def ask(game: Any, seat: int, phase: int) -> None:
    """A seat decides next."""
    game.phase = phase
    game.to_move = seat


@compiled
def await_chance(game: Any, phase: int) -> None:
    """Chance decides next."""
    game.phase = phase
    game.to_move = CHANCE


@compiled
def withdraw_sealed(game: Any, viewer: int) -> None:
    """Do nothing: the default of games without sealed choices."""


def state_hash(game: Any) -> int:
    """Return a number of 63 bits that tells states apart; compiled, it is in `jit.numba_dispatch`."""
    data, total = game.bytes(), GOLDEN
    words = len(data) // 8 * 8
    parts = [data[at : at + 8] for at in range(0, words, 8)] + [data[at : at + 1] for at in range(words, len(data))]
    for part in parts:
        total = (total ^ int.from_bytes(part, sys.byteorder)) * MULTIPLIER & MASK
        total ^= total >> 32
    return total >> 1


def bit_count(bits: int) -> int:
    """Count the ones of a set of bits; compiled, it is one instruction (`jit.numba_dispatch`)."""
    return bits.bit_count()


@compiled
def nth_bit(bits: int, n: int) -> int:
    """Find the n-th lowest one of a set of bits, from 0 on: see how many are in the lower half, again and again."""
    place, width = 0, 32
    while width > 0:
        lower = bit_count(bits >> place & (1 << width) - 1)
        if n >= lower:
            n -= lower
            place += width
        width >>= 1
    return place

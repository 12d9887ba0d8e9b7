"""Type checks for the arguments of public functions; their errors are sentences."""

from __future__ import annotations

from operator import index

import numpy as np

from dracotheque.engine.errors import DracothequeError


SEAT = "A seat is a whole number, 0 for the first"
ACTION = "An action is a whole number, as legal_actions() lists them"


def whole_number(value: object, sentence: str, kind: type[DracothequeError] = DracothequeError) -> int:
    """Return a whole number, of Python or NumPy, as an int; True and False are none. Else a sentence says so."""
    if not isinstance(value, bool | np.bool_):
        try:
            return int(index(value))  # pyright: ignore[reportArgumentType] - that is what is found out
        except TypeError:
            pass
    raise kind(f"{sentence}, not {value!r}.")


def text(value: object, sentence: str) -> str:
    """Return a text; else a sentence says so."""
    if isinstance(value, str):
        return value
    raise DracothequeError(f"{sentence}, not {value!r}.")


def no_randomness(value: object, method: str) -> DracothequeError:
    """Explain that something is no source of random numbers."""
    return DracothequeError(f"Chance is drawn from a random.Random, or anything with its {method}(), not {value!r}.")

"""How large a learned mind is: weights of three layers of neurons, and room for what it thinks."""

from __future__ import annotations

from typing import Any

import numpy as np

SIGHT = 1
"""Raised when a mind sees otherwise than before: what was learned with other eyes is refused."""

MOST_SEATS = 6
WIDE, NARROW = 64, 32
"""Neurons of the first layer and of the second."""
WEIGHTS = "first", "second", "third", "first_bias", "second_bias", "third_bias", "skip"
"""What is learned; the other fields of a mind are room for what it thinks."""


def mind_type(tensor_size: int) -> np.dtype[Any]:
    """Cut a mind for observations of a size: weights of three layers, and room for what it thinks."""
    inputs = tensor_size + MOST_SEATS
    return np.dtype(
        [
            ("first", "f4", (inputs, WIDE)),
            ("second", "f4", (WIDE, NARROW)),
            ("third", "f4", (NARROW, MOST_SEATS)),
            ("first_bias", "f4", (WIDE,)),
            ("second_bias", "f4", (NARROW,)),
            ("third_bias", "f4", (MOST_SEATS,)),
            ("skip", "f4", (1,)),  # how much the outlook itself says
            ("sight", "f4", (inputs,)),
            ("wide", "f4", (WIDE,)),
            ("narrow", "f4", (NARROW,)),
        ]
    )

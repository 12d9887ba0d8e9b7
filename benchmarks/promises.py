"""What was promised about the speed of our games: the benchmarks on processors and on cards judge by it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """What was promised about a game; None where nothing was."""

    one_core: float = 15e6
    """Decisions a second in compiled code."""
    loop: float | None = None
    """Decisions a second from a Python loop, which should also be no slower than OpenSpiel's fastest game there."""
    nodes: float | None = None
    """Our decisions in compiled code as a multiple of the nodes of OpenSpiel's rollouts of the nearest game."""
    games: float | None = None
    """The same for whole games."""
    card: float | None = None
    """Decisions a second on an NVIDIA card."""
    card_times: float | None = None
    """Our decisions there as a multiple of those of Pgx backgammon on the same card."""


SIMULATIONS = 200e3
"""Simulations a second of the search on one core, in short games."""
ROLLOUTS = 3e6
"""Decisions a second inside the rollouts of the search, whatever the game."""
TWO_THREADS = 1.8
"""Simulations of two threads as a multiple of those of one, in the same time."""
OVERSHOOT = 0.020
"""Seconds that the search may think beyond its time."""

PROMISES = {
    "emerald": Promise(loop=400e3, nodes=3, games=5, card=6e9, card_times=100),
    "dragons-cave": Promise(card=3e9),
    "gran": Promise(one_core=5e6),
    "save-the-dragon": Promise(card=3e9),
}

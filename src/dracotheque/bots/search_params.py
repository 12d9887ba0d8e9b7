"""The parameters of a search; a game's module `bots` has the best ones.

The tournaments that compare them are in `docs/explanation/reports/strength.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

WHOLE_GAME = 1 << 40
"""A depth that no game reaches."""


@dataclass(frozen=True)
class SearchParams:
    """How a search explores, and how it values the leaves of its tree."""

    exploration: float = 0.7
    """The exploration constant of UCB."""

    widening: float = 0.0
    """Progressive widening: choices tried at a node, as a multiple of the root of its visits; 0: all at once."""

    initial_regret: float = 1.0
    """Initial regret of secret choices with the best heuristic, as a share of a victory."""

    depth: int = WHOLE_GAME
    """Choices of a rollout before the state heuristic values the position; by default to the end of the game."""

    heuristic_percent: int = 0
    """How many of 100 choices of a rollout follow the action heuristic; the others are random."""

    use_evaluator: int = 0
    """1: the evaluator (`evaluators.py`) values leaves, not the state heuristic."""

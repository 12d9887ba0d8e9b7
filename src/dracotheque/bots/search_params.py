"""The parameters of a search; a game's module `bots` has the best ones.

`docs/explanation/reports/strength.md` has the tournaments.
"""

from __future__ import annotations

from dataclasses import dataclass

WHOLE_GAME = 1 << 40
"""So many choices that every game is over."""


@dataclass(frozen=True)
class SearchParams:
    """What a search explores, and how far it plays below its tree."""

    exploration: float = 0.7
    """How much a choice gains by having been tried seldom."""

    widening: float = 0.0
    """How soon choices with a lower heuristic are tried (times the root of the visits); 0: all at once."""

    initial_regret: float = 1.0
    """For secret choices: initial regret, as a share of a victory, of the choices with the best heuristic."""

    depth: int = WHOLE_GAME
    """Choices played below the tree before the state heuristic judges; by default to the end of the game."""

    heuristic_percent: int = 0
    """How many of 100 choices below the tree follow the heuristic; the others are random."""

    use_evaluator: int = 0
    """1: the evaluator judges in place of the state heuristic (`evaluators.py`)."""

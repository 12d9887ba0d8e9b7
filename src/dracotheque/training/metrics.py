"""The training log: a row for each evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dracotheque.training.network import Weights


@dataclass
class TrainingLog:
    """Rows of figures, one for each evaluation."""

    rows: list[dict[str, float]] = field(default_factory=list[dict[str, float]])

    def csv(self) -> str:
        """Return the rows as CSV."""
        names = list(self.rows[0]) if self.rows else []
        lines = [",".join(f"{row[name]:.6g}" for name in names) for row in self.rows]
        return "\n".join([",".join(names), *lines, ""])


Tell = Callable[[Weights, TrainingLog], None]
"""A callback after every round: it gets the weights and the log of evaluations."""

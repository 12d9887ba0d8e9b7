"""The training log: a row for each evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dracotheque.training.network import Weights


@dataclass
class TrainingLog:
    """Rows of figures, from the first examination on."""

    rows: list[dict[str, float]] = field(default_factory=list[dict[str, float]])

    def csv(self) -> str:
        """Write it as a table."""
        names = list(self.rows[0]) if self.rows else []
        lines = [",".join(f"{row[name]:.6g}" for name in names) for row in self.rows]
        return "\n".join([",".join(names), *lines, ""])


Tell = Callable[[Weights, TrainingLog], None]
"""Who hears after every round of learning what is known, and how examinations went."""

"""The bot that follows a good player's advice: of its choices it takes the one most liked, and thinks no further on."""

from __future__ import annotations

from random import Random

from dracotheque.bots.view import View
from dracotheque.engine import warm
from dracotheque.engine.rollout import CERTAIN


class GreedyBot:
    """Takes what looks best at once; between equals it draws lots."""

    def __init__(self, seed: int, overlooks: float = 0.0) -> None:
        """Start its own stream of chance; a careless bot overlooks a part of its choices, never the same ones."""
        self.random, self.overlooks = Random(seed), overlooks

    def choose(self, view: View) -> int:
        """Choose the legal action that is worth most, of those not overlooked."""
        values = self.values(view)
        seen = [action for action in view.legal if self.random.random() >= self.overlooks]
        if not seen:
            return self.random.choice(view.legal)
        best = max(values[action] for action in seen)
        return self.random.choice([action for action in seen if values[action] == best])

    def values(self, view: View) -> dict[int, float]:
        """Say what each legal action is worth, from 0 to 1."""
        return advice(view)


def advice(view: View) -> dict[int, float]:
    """Ask a good player what each legal action is worth, from 0 to 1."""
    layout = view.game.layout
    if not layout.interpreted:
        warm.make_ready(view.game.box, (warm.ADVICE,))
    desk = layout.new_desk()
    desk.set_state(view.table.bytes())
    count = layout.doors.advised(desk.handle, view.seat)
    worth = desk.weights[:count].tolist()
    return {action: value / CERTAIN for action, value in zip(desk.out[:count].tolist(), worth, strict=True)}

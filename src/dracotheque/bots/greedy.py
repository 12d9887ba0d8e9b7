"""The bot that follows a good player's advice: of its choices it takes the one most liked, and thinks no further on."""

from __future__ import annotations

from random import Random

from dracotheque.bots.view import View

CERTAIN = 1_000_000
"""What the advice calls a choice that nothing can better."""


class GreedyBot:
    """Takes what looks best at once; between equals it draws lots."""

    def __init__(self, seed: int) -> None:
        """Start its own stream of chance."""
        self.random = Random(seed)

    def choose(self, view: View) -> int:
        """Choose the legal action that is worth most."""
        values = self.values(view)
        best = max(values.values())
        return self.random.choice([action for action, value in values.items() if value == best])

    def values(self, view: View) -> dict[int, float]:
        """Say what each legal action is worth, from 0 to 1."""
        layout = view.game.layout
        desk = layout.new_desk()
        desk.set_state(view.table.bytes())
        count = layout.doors.advised(desk.handle, view.seat)
        worth = desk.weights[:count].tolist()
        return {action: value / CERTAIN for action, value in zip(desk.out[:count].tolist(), worth, strict=True)}

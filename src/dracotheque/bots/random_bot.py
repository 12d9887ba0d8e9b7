"""The bot that does anything the rules allow, each choice as likely."""

from __future__ import annotations

from random import Random

from dracotheque.bots.view import View


class RandomBot:
    """Plays without a thought."""

    def __init__(self, seed: int) -> None:
        """Start its own stream of chance."""
        self.random = Random(seed)

    def choose(self, view: View) -> int:
        """Choose any legal action."""
        return self.random.choice(view.legal)

    def values(self, view: View) -> dict[int, float]:
        """Say that all choices are worth the same."""
        return dict.fromkeys(view.legal, 0.5)

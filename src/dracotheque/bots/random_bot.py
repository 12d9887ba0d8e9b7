"""The bot that takes any legal action, each equally likely."""

from __future__ import annotations

from random import Random

from dracotheque.bots.player_view import PlayerView


class RandomBot:
    """Plays without a thought."""

    def __init__(self, seed: int) -> None:
        """Start its own stream of chance."""
        self.random = Random(seed)

    def choose(self, view: PlayerView) -> int:
        """Choose any legal action."""
        return self.random.choice(view.legal_actions)

    def values(self, view: PlayerView) -> dict[int, float]:
        """Say that all choices are worth the same."""
        return dict.fromkeys(view.legal_actions, 0.5)

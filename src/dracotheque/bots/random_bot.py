"""The bot that takes any legal action, each equally likely."""

from __future__ import annotations

from random import Random

from dracotheque.bots.player_view import PlayerView


class RandomBot:
    """Takes a legal action at random."""

    def __init__(self, seed: int) -> None:
        """Seed the random numbers."""
        self.random = Random(seed)

    def choose(self, view: PlayerView) -> int:
        """Return a random legal action."""
        return self.random.choice(view.legal_actions)

    def values(self, view: PlayerView) -> dict[int, float]:
        """Return the same value for each legal action."""
        return dict.fromkeys(view.legal_actions, 0.5)

"""How a search goes about it, game by game: the ways that were found strongest (`docs/strength.md`)."""

from __future__ import annotations

from dataclasses import dataclass

WHOLE_GAME = 1 << 40
"""So many choices that every game is over."""


@dataclass(frozen=True)
class Ways:
    """What a search tries, and how far it plays on below its tree."""

    explore: float = 0.7
    """How much a choice gains by having been tried seldom."""

    wide: float = 0.0
    """How soon choices that the advice likes less are tried (times the root of the visits); 0: all at once."""

    trust: float = 1.0
    """Where choices are sealed: how much of a victory is regretted from the start by who does not follow the advice."""

    depth: int = WHOLE_GAME
    """Choices played on below the tree before the outlook is asked; without number: to the end of the game."""

    advice: int = 0
    """How many of 100 choices below the tree follow the advice; the others are made at random."""

    learned: int = 0
    """1: then what was learned or solved is asked in place of the outlook (`minds.py`)."""


BEST: dict[str, Ways] = {
    "emerald": Ways(explore=0.5, wide=1.0, advice=70),
    "dragons-cave": Ways(depth=0),
    "gran": Ways(explore=0.15, depth=0),
    "save-the-dragon": Ways(wide=1.0),
}

LEARNED: dict[str, Ways] = {
    "emerald": Ways(explore=0.15, wide=1.0, depth=0, learned=1),
    "gran": Ways(explore=0.15, depth=0, learned=1),
    "save-the-dragon": Ways(wide=1.0, depth=0, learned=1),
}
"""The same where something was learned or solved that fits the table."""


def best_ways(game: str, learned: bool) -> Ways:
    """Say which ways are strongest at a table."""
    return (LEARNED if learned else BEST).get(game, BEST.get(game, Ways()))

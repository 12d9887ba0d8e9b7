"""The golden games of Emerald."""

from __future__ import annotations

from tests.games.emerald.make_golden import GOLDEN
from tests.games.test_golden import GoldenGames


class TestGolden(GoldenGames):
    """Every check, for this game."""

    golden = GOLDEN

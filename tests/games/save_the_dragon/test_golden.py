"""The golden games of Save the Dragon."""

from __future__ import annotations

from dracotheque.games.save_the_dragon.rules.state import REFUSALS
from tests.games.save_the_dragon.make_golden import GOLDEN
from tests.games.test_golden import GoldenGames, read, refused


class TestGolden(GoldenGames):
    """Every check, for this game, and what only this game promises."""

    golden = GOLDEN

    def test_between_them_they_have_every_refusal(self) -> None:
        """Whatever the rules can forbid, someone has tried it."""
        tried = [refused(text) for text, _, _ in map(read, self.golden.files)]
        assert set().union(*tried) == set(REFUSALS) - {""}

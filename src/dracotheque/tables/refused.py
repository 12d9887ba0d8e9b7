"""Why something is not done at a table: a code for programs, a phrase for people."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.cache import PACKAGE
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.words import phrase, words
from dracotheque.tables.messages import Problem


class Refused(DracothequeError):  # noqa: N818 - it is what happened
    """A wish that cannot be granted; nothing has changed."""

    def __init__(self, code: str, *, rule: str = "", text: str = "", **gaps: Any) -> None:
        """Take the sentence from the catalogue (`refused.CODE`), or where a rule forbids a choice from its game."""
        self.code, self.rule = code, rule
        self.phrase = phrase(f"refused.{code}", **gaps)
        super().__init__(text or words(PACKAGE / "tables" / "words", "en").say(self.phrase))

    @property
    def problem(self) -> Problem:
        """Write the refusal as it is sent."""
        return Problem(self.code, str(self), self.rule, self.phrase)

"""Rejections of commands: a code for programs, a phrase for people."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.jit.cache import PACKAGE
from dracotheque.engine.phrases import phrase, words
from dracotheque.tables.protocol import Problem


class CommandError(DracothequeError):
    """A rejected command; nothing has changed."""

    def __init__(self, code: str, *, rule: str = "", text: str = "", **gaps: Any) -> None:
        """Take the sentence from the catalogue (`refused.CODE`), or where a rule forbids a choice from its game."""
        self.code, self.rule = code, rule
        self.phrase = phrase(f"refused.{code}", **gaps)
        super().__init__(text or words(PACKAGE / "tables" / "locale", "en").say(self.phrase))

    @property
    def problem(self) -> Problem:
        """The rejection as it is sent."""
        return Problem(self.code, str(self), self.rule, self.phrase)

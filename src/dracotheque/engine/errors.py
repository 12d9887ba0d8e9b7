"""What can go wrong, said so that the reader knows what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DracothequeError(ValueError):
    """Something a person can put right; its text is the explanation."""


class IllegalAction(DracothequeError):  # noqa: N818 - it is what happened, in the players' words
    """A choice that a rule forbids; the state is as it was before."""

    def __init__(self, text: str, rule: str | None = None) -> None:
        """Keep the rule's id beside the sentence."""
        super().__init__(text)
        self.rule = rule


def unknown(what: str, given: str, known: Iterable[str]) -> DracothequeError:
    """Explain that a name is unknown, with the nearest right one."""
    names = list(known)
    near = difflib.get_close_matches(given.lower(), [n.lower() for n in names], 1, 0.5)
    hint = next((f" Did you mean {n!r}?" for n in names if near and n.lower() == near[0]), "")
    return DracothequeError(f"There is no {what} {given!r}.{hint} Known: {', '.join(names)}.")

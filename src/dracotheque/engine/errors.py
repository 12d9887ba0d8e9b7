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
    nearest = _nearest(given, names)
    hint = f" Did you mean {nearest!r}?" if nearest else ""
    return DracothequeError(f"There is no {what} {given!r}.{hint} Known: {', '.join(names)}.")


def near(given: str, known: Iterable[str]) -> str:
    """Point to the nearest right name in passing, or say nothing."""
    nearest = _nearest(given, list(known))
    return f" (did you mean “{nearest}”?)" if nearest else ""


def _nearest(given: str, names: list[str]) -> str | None:
    """Find the name that was most likely meant."""
    found = difflib.get_close_matches(given.lower(), [name.lower() for name in names], 1, 0.6)
    return next((name for name in names if found and name.lower() == found[0]), None)

"""Errors with a text that says what is wrong and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DracothequeError(ValueError):
    """Something a person can put right; its text is the explanation."""


class IllegalActionError(DracothequeError):
    """A choice that a rule forbids; the state is as it was before."""

    def __init__(self, text: str, rule: str | None = None) -> None:
        """Keep the rule's id beside the sentence."""
        super().__init__(text)
        self.rule = rule


MAX_LISTED = 8
"""Valid values that an error lists; where there are more, it names the nearest one and the command that lists them."""


def unknown(what: str, given: str, known: Iterable[str], listed_by: str = "dracotheque games") -> DracothequeError:
    """Explain that a name is unknown, with the nearest right one; `listed_by` is a command that lists many names."""
    return _invalid(f"Unknown {what} {given!r}.", given, known, listed_by)


def invalid_value(given: str, name: str, valid: Iterable[str]) -> DracothequeError:
    """Explain that an option does not take a value."""
    return _invalid(f"Invalid value {given!r} for option {name}.", given, valid, "dracotheque games")


def _invalid(problem: str, given: str, valid: Iterable[str], listed_by: str) -> DracothequeError:
    """Add the nearest valid value to a problem, and all of them or the command that lists them."""
    names = list(valid)
    nearest = _nearest(given, names)
    hint = f" Did you mean {nearest!r}?" if nearest else ""
    rest = f"Valid: {', '.join(names)}." if len(names) <= MAX_LISTED else f"`{listed_by}` lists all."
    return DracothequeError(f"{problem}{hint} {rest}")


def near(given: str, known: Iterable[str]) -> str:
    """Point to the nearest right name in passing, or say nothing."""
    nearest = _nearest(given, list(known))
    return f" (did you mean “{nearest}”?)" if nearest else ""


def _nearest(given: str, names: list[str]) -> str | None:
    """Find the name that was most likely meant."""
    found = difflib.get_close_matches(given.lower(), [name.lower() for name in names], 1, 0.6)
    return next((name for name in names if found and name.lower() == found[0]), None)

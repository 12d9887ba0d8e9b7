"""Print every phrase of a game in four columns for a reader: `python -m tests.wording.columns emerald > words.md`."""

from __future__ import annotations

import re
import sys

from dracotheque import load_game
from dracotheque.engine.phrases import Catalog
from dracotheque.engine.rulebook import LANGUAGES


def said(words: Catalog, key: str) -> str:
    """Return an entry with a player's name and numbers in its gaps."""
    entry = words.entry(key).replace("{seat}", "Zoë").replace("{name}", "Anna").replace("{whom}", "Hugo")
    count = "1" if key.endswith(".one") else "5"
    return re.sub(r"\{count\}", count, entry).replace("|", "\\|")


def columns(name: str) -> str:
    """Return the catalogue of a game as a table in Markdown, a row for each key."""
    catalogues = [load_game(name, interpreted=True).words(language) for language in LANGUAGES]
    rows = [["key", *LANGUAGES], ["---"] * (1 + len(LANGUAGES))]
    rows += [[f"`{key}`", *(said(words, key) for words in catalogues)] for key in catalogues[0].entries]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    print("\n\n".join(columns(name) for name in sys.argv[1:]))

"""The English words for the levels of bots; their ids stand in stored tables and never change."""

from __future__ import annotations

LEVEL_NAMES = {
    "hatchling": "beginner",
    "squire": "easy",
    "knight": "medium",
    "dragon": "hard",
    "oracle": "perfect",
}
"""The word for each level, by its id."""

LEVEL_IDS = {name: level for level, name in LEVEL_NAMES.items()}


def level_id(name: str) -> str:
    """Return the id of a level named by its word, and any other name as it is."""
    return LEVEL_IDS.get(name.casefold(), name)


def level_name(bot: str) -> str:
    """Return the word for a level given by its id, and any other name as it is."""
    return LEVEL_NAMES.get(bot, bot)

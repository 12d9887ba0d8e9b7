"""Board files: their format, their problems, and how a board is written into the state."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dracotheque.engine.board_files import key_problems, listed, name_problems
from dracotheque.engine.errors import near
from dracotheque.engine.phrases import words
from dracotheque.games.dragons_cave.rules.state import KINDS, MOST_COINS, MOST_SPACES

KEYS = ("name", "treasure", "lair", "path", "kinds")


@functools.cache
def pictures() -> tuple[str, ...]:
    """Return every picture that has a name in all languages."""
    entries = words(Path(__file__).parent / "locale", "en").entries
    return tuple(key.removeprefix("picture.") for key in entries if key.startswith("picture."))


def problems(data: Mapping[str, Any]) -> list[str]:
    """Return all problems of a board as sentences, none where it can be played on."""
    if wrong := key_problems(data, KEYS, "board"):
        return wrong
    return [
        *name_problems(data["name"], "cave"),
        *_number_problems(data),
        *_kind_problems(data["kinds"]),
        *_path_problems(data),
    ]


def _number_problems(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problems of treasure and lair, which are numbers of coins."""
    for key, least in (("treasure", 1), ("lair", 0)):
        if not _is_number(data[key], least):
            yield f"“{key}” should be a number of coins from {least} to {MOST_COINS}, not {data[key]!r}."


def _is_number(value: Any, least: int) -> bool:
    """Whether this is a valid number of coins."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST_COINS


def _kind_problems(kinds: Any) -> Iterator[str]:
    """Yield the problems of the five kinds, each with a known picture and a colour of its own."""
    if not isinstance(kinds, dict):
        yield "“kinds” should be a table: the five pictures, each with its colour."
        return
    if len(kinds) != KINDS:
        yield f"There should be {KINDS} kinds of space, one for every card of a hand, not {len(kinds)}."
    for picture, colour in kinds.items():
        if picture not in pictures():
            yield f"No picture is called “{picture}”{near(picture, pictures())}. There are {listed(pictures())}."
        if not (isinstance(colour, str) and re.fullmatch("#[0-9a-fA-F]{6}", colour)):
            yield f'The colour of “{picture}” should be written like "#1f7a5c", not {colour!r}.'
    colours = [str(colour).lower() for colour in kinds.values()]
    if len(set(colours)) < len(colours):
        yield "Two kinds have the same colour: nobody could tell them apart at a glance."


def _path_problems(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problems of the path: it has spaces of every kind, and not too many."""
    path, kinds = data["path"], data["kinds"]
    if not isinstance(kinds, dict):
        return
    if not isinstance(path, list) or not path:
        yield '“path” should be a list of spaces from the entrance to the lair, each written like "rope 1".'
        return
    if len(path) > MOST_SPACES:
        yield f"The path has {len(path)} spaces; {MOST_SPACES} is the most."
    found: set[str] = set()
    for number, written in enumerate(path, 1):
        space = parse_space(written)
        if space is None:
            found.update(str(written).split()[:1])
            yield f'Space {number} of the path should be written like "rope 1", picture and coins, not {written!r}.'
            continue
        found.add(space[0])
        if space[0] not in kinds:
            yield f"Space {number} of the path shows “{space[0]}”, which is none of the kinds{near(space[0], kinds)}."
        if space[1] > MOST_COINS:
            yield f"Space {number} of the path shows {space[1]} coins; {MOST_COINS} is the most."
    for kind in kinds:
        if kind not in found:
            yield f"No space of the path shows “{kind}”: its card would lead straight into the lair."


def parse_space(written: Any) -> tuple[str, int] | None:
    """Return the picture and the coins of a space, “rope 1”, or None."""
    match = re.fullmatch(r"(\S+) (\d{1,3})", written) if isinstance(written, str) else None
    return (match[1], int(match[2])) if match else None


class Board:
    """A board that can be played on."""

    def __init__(self, data: Mapping[str, Any], source: str) -> None:
        """Use data without problems; `source` is their origin, empty for the default board."""
        self.data = dict(data)
        self.source = source
        self.name: str = data["name"]
        self.treasure: int = data["treasure"]
        self.lair: int = data["lair"]
        spaces = [space for space in map(parse_space, data["path"]) if space]
        # Cards are numbered as their pictures come on the path: a list keeps its order in every file, a table may not.
        self.kinds: tuple[str, ...] = tuple(dict.fromkeys([*(kind for kind, _ in spaces), *data["kinds"]]))
        self.colours: tuple[str, ...] = tuple(data["kinds"][kind] for kind in self.kinds)
        self.path: tuple[int, ...] = tuple(self.kinds.index(kind) for kind, _ in spaces)
        self.coins: tuple[int, ...] = tuple(coins for _, coins in spaces)

    def write_to(self, record: Any) -> None:
        """Write path, coins and treasure into an empty state."""
        length = len(self.path)
        record["length"] = length
        record["treasure"] = self.treasure
        record["kind"][1 : length + 1] = self.path
        record["coins"][1 : length + 1] = self.coins
        record["coins"][length + 1] = self.lair

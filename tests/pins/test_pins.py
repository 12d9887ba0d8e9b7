"""Nothing is lost: names, random games, bots, boards, documents and stored tables are what they were."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pins import kept, stored, subject
from tests.pins.records import PINS
from tests.tables.postgres import Postgres, postgres

KINDS = {"opened", "seat", "started", "chosen", "taken-back", "spoken", "resigned", "closed", "rematch"}
"""The tags of stored events, which never change."""


@pytest.mark.parametrize("name", [name for name in PINS if name != "tables"])
def test_what_is_pinned_has_not_changed(name: str) -> None:
    compare(name, kept.read(name), list(PINS[name]()))


def compare(name: str, was: list[str], now: list[str]) -> None:
    if wrong := kept.difference(name, was, now):
        pytest.fail(wrong, pytrace=False)


def test_every_pin_is_kept_and_every_file_is_used() -> None:
    used = {kept.path(name) for name in PINS} | {stored.path(form) for form in stored.FORMS}
    assert used == set(kept.FOLDER.iterdir())


# --- Stored tables --------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as started:
        yield started


@pytest.fixture(params=stored.FORMS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new database with what was stored in a form."""
    if request.param == stored.POSTGRES:
        with request.getfixturevalue("server").database() as url:
            stored.fill(request.param, url, tmp_path)
            yield url
    else:
        url = str(tmp_path / "tables.db")
        stored.fill(request.param, url, tmp_path)
        yield url


def test_stored_tables_are_read_played_on_and_exported(database: str, tmp_path: Path) -> None:
    before = stored.exported(database, tmp_path)
    compare(stored.EXPORT, stored.text(stored.EXPORT).splitlines(), before.splitlines())
    compare("tables", kept.read("tables"), asyncio.run(stored.described(database)))
    for was, now in zip(stored.records(before), stored.records(stored.exported(database, tmp_path)), strict=True):
        old, new = stored.events(was), stored.events(now)
        assert new[: len(old)] == old
        assert (new == old) == (was["row"]["status"] != "playing")


def test_every_kind_of_event_of_every_game_is_stored() -> None:
    found = stored.records(stored.text(stored.EXPORT))
    kinds = Counter(subject.event_kind(event) for record in found for event in stored.events(record))
    assert kinds.keys() == KINDS == subject.EVENT_KINDS
    begun = {(record["table"]["game"], record["row"]["status"]) for record in found}
    assert begun >= {(game, "playing") for game in subject.GAMES}


# --- What a failure says --------------------------------------------------------------------------------------------
def test_a_difference_is_shown_where_it_begins() -> None:
    was = ["== 2 players", "-- choice 1", *(f"line {n}" for n in range(9)), "-- choice 2", "the Lion moves", "end"]
    now = [line.replace("Lion", "Tower") for line in was]
    assert kept.difference("board-x", was, was) == ""
    assert kept.difference("board-x", was, now).splitlines() == [
        "board-x is not what it was, from line 13 on (== 2 players, -- choice 2):",
        "@@ -1,5 +1,5 @@",
        " line 7",
        " line 8",
        " -- choice 2",
        "-the Lion moves",
        "+the Tower moves",
        " end",
        "If that is meant, write it anew and say why in the commit: python -m tests.pins.make board-x",
    ]
    assert "+more" in kept.difference("board-x", was, [*was, "more"])
    assert "-end" in kept.difference("board-x", was, was[:-1])

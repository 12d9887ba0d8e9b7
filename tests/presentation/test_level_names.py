"""Levels of bots may be named by their English words: on the command line, over HTTP and over a socket."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dracotheque import terminal
from dracotheque.bots.levels import LEVELS, ORACLE
from dracotheque.cli import make_parser
from dracotheque.engine.phrases import words
from dracotheque.presentation.level_names import LEVEL_NAMES, level_name
from dracotheque.tables import protocol


def test_every_level_has_a_word_which_the_terminal_shows() -> None:
    assert [*LEVEL_NAMES] == [*LEVELS, ORACLE]
    shown = words(Path(terminal.__file__).parents[1] / "locale", "en").entries
    assert {level: shown[f"bot.{level}"] for level in LEVEL_NAMES} == LEVEL_NAMES
    assert level_name("search:1s") == "search:1s"


def test_commands_take_words_and_ids() -> None:
    seats = make_parser().parse_args(["terminal", "emerald", "--seats", "you,Easy, dragon,search:1s"]).seats
    assert seats == "you,squire,dragon,search:1s"
    assert make_parser().parse_args(["tournament", "gran", "--bots", "perfect,random"]).bots == "oracle,random"


@pytest.mark.parametrize(("level", "word"), LEVEL_NAMES.items())
def test_requests_take_words_and_ids(level: str, word: str) -> None:
    requests = {
        protocol.SeatRequest: {"kind": "bot"},
        protocol.Start: {"type": "start", "id": 1},
        protocol.AssignSubstitute: {"type": "assign-substitute", "id": 1, "seat": 0},
    }
    for kind, fields in requests.items():
        assert [msgspec.convert(fields | {"level": name}, kind).level for name in (level, word)] == [level, level]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "bot", "level": "easiest"}, protocol.SeatRequest)


def test_a_start_needs_no_level() -> None:
    assert msgspec.convert({"type": "start"}, protocol.Start).level is None

"""The help of the commands: as it was reviewed, of the agreed form, and in plain words."""

from __future__ import annotations

import argparse
import re
import shlex

import pytest

from dracotheque.bots import KINDS, default_bots
from dracotheque.bots.levels import LEVELS, ORACLE
from dracotheque.cli import main, make_parser
from dracotheque.engine import registry
from dracotheque.presentation.command_line import GROUPS
from dracotheque.presentation.level_names import LEVEL_NAMES
from tests.wording import command_help

PARSERS = command_help.command_parsers()
MAX_SUMMARY, MAX_HELP = 60, 70
RETIRED = re.compile(
    r"\b(?:advice|box(?:es)?|carv\w+|desks?|glue|house|hunch|imagine\w*|kit|lessons?|luck|mind|mixtures?|outlook|"
    r"patience|pupils?|shel(?:f|ves)|sheet|sittings?|stand-in|told|worth)\b",
    re.IGNORECASE,
)
"""Words that were invented where the field has one."""
NAMES = ("SQLite", "NVIDIA", "JSON", "SVG")


def arguments_of(command: str) -> list[argparse.Action]:
    return [each for each in PARSERS[command]._actions if not isinstance(each, argparse._HelpAction)]


def test_the_help_of_every_command_is_as_reviewed() -> None:
    assert command_help.helps() == command_help.FILE.read_text("utf-8"), (
        "`python -m tests.wording.command_help` writes it again: review the difference"
    )


def test_no_line_is_wider_than_the_terminal() -> None:
    assert [line for line in command_help.helps().splitlines() if len(line) > command_help.COLUMNS] == []


@pytest.mark.parametrize("name", PARSERS)
def test_a_summary_is_a_short_order(name: str) -> None:
    description = PARSERS[name].description or ""
    assert re.fullmatch(r"[A-Z][^.]*\.", description)
    assert len(description) - 1 <= MAX_SUMMARY
    listing = re.search(rf"^  {name} +(\S.*)$", make_parser().description or "", re.MULTILINE)
    assert listing is not None
    assert f"{listing[1]}." == description


@pytest.mark.parametrize("name", PARSERS)
def test_an_option_is_explained_in_half_a_line(name: str) -> None:
    for each in arguments_of(name):
        text = each.help or ""
        assert 0 < len(text) <= MAX_HELP, text
        assert text[0].islower() or text.split()[0] in NAMES, text
        assert not text.endswith("."), text


@pytest.mark.parametrize("name", PARSERS)
def test_the_example_of_a_command_is_accepted(name: str) -> None:
    example = re.search(r"example:\n  dracotheque (.+)$", PARSERS[name].epilog or "")
    assert example is not None
    assert make_parser().parse_args(shlex.split(example[1])).run


def test_all_groups_stand_in_their_order() -> None:
    text = make_parser().format_help()
    found = [text.index(f"\n{group}:\n") for group in GROUPS]
    assert found == sorted(found)


def test_no_word_is_an_invented_one() -> None:
    assert RETIRED.findall(command_help.helps()) == []


def test_the_command_games_lists_all_bots(capsys: pytest.CaptureFixture[str]) -> None:
    main(["games"])
    *_, levels, perfect, others = (
        [bot.strip() for bot in line.partition(": ")[2].split(",")] for line in capsys.readouterr().out.splitlines()
    )
    assert levels == [LEVEL_NAMES[level] for level in LEVELS]
    assert perfect == [LEVEL_NAMES[ORACLE]]
    own = {kind for game in registry.games().values() for kind in default_bots.bots_in(game).KINDS}
    assert {bot.partition(":")[0] for bot in others} == {*KINDS, *own, "FILE.py"} - {*LEVELS, ORACLE}

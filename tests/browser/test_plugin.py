"""Installed plug-ins in a real browser: the generic board, prompts, log and cover, from the lobby to the replay.

One game of dice, one with hidden cards that are chosen at once; neither has a file for the page.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.page_objects import PHONE, TABLET, Guests, Person
from tests.plugins import ROOT, installed
from tests.server.guests import Server, serving

EXAMPLE, BLUFF = ROOT / "examples" / "dragon-dice", ROOT / "tests" / "hoard-bluff"
LEVELS = ["hatchling", "squire", "knight", "dragon"]
STATE = """() => ({
  board: [...document.querySelectorAll(".board [data-place]")].map((place) => place.getAttribute("aria-label")),
  seats: [...document.querySelectorAll(".holdings")].map((each) => each.innerText),
  prompt: document.querySelector(".prompt-panel").innerText, log: document.querySelector("div.log").innerText,
})"""
"""What the page shows of a game."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that finds both plug-ins; interpreted, so that nothing has to be compiled for so few moves."""
    plugins = installed(tmp_path_factory.mktemp("site"), EXAMPLE, BLUFF)
    environment = plugins.environment(DRACOTHEQUE_INTERPRETED="1", DRACOTHEQUE_GAMES="emerald,dragon-dice,hoard-bluff")
    with serving(tmp_path_factory.mktemp("plugins") / "tables.db", environment=environment) as running:
        yield running


@pytest.fixture
def guests(chromium: Browser, server: Server) -> Iterator[Guests]:
    """Let people come in; afterwards no page may have met with an error."""
    with Guests(chromium, server) as come:
        yield come


def come(guests: Guests, **settings: Any) -> Person:
    """Let somebody come in whose browser complains about nothing, such as a file that is not there."""
    person = guests.come(**settings)
    person.page.on(
        "console", lambda line: line.type == "error" and guests.errors.append(f"{line.text} {line.location}")
    )
    return person.lobby()


def play(person: Person, chance: random.Random) -> None:
    """Choose at random until the game is over."""
    while not person.is_over():
        person.choose(chance.randrange(person.choices.count()))


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("dragon-dice", {"color_scheme": "dark", "locale": "de-DE"}),
        ("hoard-bluff", {**PHONE, "color_scheme": "light"}),
    ],
)
def test_a_whole_game_against_every_level_and_its_replay(guests: Guests, game: str, settings: dict[str, Any]) -> None:
    ann, chance = come(guests, **settings), random.Random(game)
    levels = LEVELS[:2] if game == "dragon-dice" else LEVELS[2:]
    ann.set_up(game, *[("bot", level) for level in levels], players=len(levels) + 1)
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    assert ann.find(".board .place").count() == 1
    assert ann.find("button.start-tutorial").count() == 0
    ann.choose(0)
    expect(ann.choices.first).to_be_visible()
    assert_same_after_a_reload(ann)
    play(ann, chance)
    ann.settle()
    shown = ann.find("main").inner_text()
    assert not re.search(r"undefined|null|generic\.|\{\w+\}", shown)
    expect(ann.find(".scores td").nth(len(levels) + 1)).to_be_visible()
    expect(ann.find(".seat.won").first).to_be_visible()
    assert_replay_leads_to_the_end(ann)


def assert_same_after_a_reload(person: Person) -> None:
    """Reload in the middle of a game: the same moment is shown, and the game can go on."""
    person.settle()
    person.open_panel("log")
    before = person.page.evaluate(STATE)
    person.page.reload()
    expect(person.choices.first).to_be_visible()
    person.settle()
    person.open_panel("log")
    person.await_("lines => document.querySelector('div.log').innerText.length >= lines", len(before["log"]))
    assert person.page.evaluate(STATE) == before
    person.find(".side-panel .cross").click()


def assert_replay_leads_to_the_end(person: Person) -> None:
    """See a finished game again: it begins with nothing on the board, and ends as it ended."""
    last, end = person.moment(), person.page.evaluate(STATE)
    person.find("button.replay").click()
    expect(person.find(".board[data-shown='0']")).to_be_visible()
    begun = person.page.evaluate(STATE)
    assert begun["seats"] != end["seats"]
    person.find(".step-last").click()
    expect(person.find(f".board[data-shown='{last}']")).to_be_visible()
    shown = person.page.evaluate(STATE)
    assert (shown["board"], shown["seats"]) == (end["board"], end["seats"])


def test_people_choose_at_once_and_see_no_cards_but_their_own(guests: Guests) -> None:
    ann = come(guests, **TABLET).call_me("Ann").lobby()
    ann.set_up("hoard-bluff", ("open", ""), players=2)
    table = ann.page.url
    ben = come(guests).call_me("Ben")
    ben.at(table).find(".prompt-panel button.main").click()
    for person in (ann, ben):
        expect(person.choices).not_to_have_count(0)
        person.settle()
    hands = [[seat.inner_text() for seat in person.find(".holdings").all()] for person in (ann, ben)]
    assert hands[0][1] == hands[1][0]  # an empty hand, shown to the seat that must not see it
    assert "0 0 0 0 0 0" in hands[0][1]
    assert "0 0 0 0 0 0" not in hands[0][0] + hands[1][1]
    ann.choose(0)
    expect(ann.find(".prompt-panel .turn")).to_contain_text("Ben")
    expect(ann.choices).to_have_count(0)
    expect(ben.find(".caption")).to_contain_text("Ann has chosen")
    ben.choose(0)
    for person in (ann, ben):
        expect(person.choices.first).to_be_visible()
        expect(person.find(".holdings").first).not_to_contain_text("–")


def test_a_rulebook_is_shown_in_the_language_there_is(guests: Guests) -> None:
    ann = come(guests, locale="it-IT")
    ann.find(".game-card.dragon-dice button.main").click()
    expect(ann.choices.first).to_be_visible()
    ann.open_panel("rules")
    expect(ann.find("[id='rule-dragon.wakes']")).to_contain_text("On a one the dragon wakes")

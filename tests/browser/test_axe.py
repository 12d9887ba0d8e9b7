"""What axe-core finds on every page, by day and by night, on a desktop and on a phone: nothing serious or critical."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from dracotheque.server.identity import COOKIE
from tests.browser.page_objects import PHONE, Guests, Person
from tests.server.guests import HATCHLING, ME, Guest, Server

FEWEST = {"emerald": 2, "dragons-cave": 2, "gran": 3, "save-the-dragon": 2}
GRAVE = ("serious", "critical")
VIEWS: dict[str, dict[str, Any]] = {
    "day": {"color_scheme": "light"},
    "night": {"color_scheme": "dark"},
    "phone-day": {**PHONE, "color_scheme": "light"},
    "phone-night": {**PHONE, "color_scheme": "dark"},
}
BOTH = ["day", "phone-night"]
"""Colours depend on day or night alone, what is where on the room alone."""
TURNS = [("emerald", "day"), ("dragons-cave", "phone-night"), ("gran", "phone-day"), ("save-the-dragon", "night")]
AFTERWARDS = [("emerald", "phone-night"), ("dragons-cave", "day"), ("gran", "night"), ("save-the-dragon", "phone-day")]
"""Of what all games share, each game has another view: the rest of the page is the same."""


@cache
def axe() -> str:
    """Read axe-core."""
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")


def grave(person: Person) -> list[str]:
    """List what axe-core finds grave on the page as it is now, motion at rest."""
    person.page.evaluate("document.fonts.ready.then(() => true)")
    person.page.evaluate("for (const motion of document.getAnimations()) try { motion.finish() } catch {}")
    person.page.evaluate(axe())
    found = person.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found["violations"]
        if fault["impact"] in GRAVE
        for node in fault["nodes"]
    ]


def test_axe_sees_what_is_wrong(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.page.evaluate("document.querySelector('button.main').replaceChildren()")
    assert [fault for fault in grave(ann) if fault.startswith("button-name")]


@pytest.mark.parametrize("view", VIEWS)
def test_the_lobby_and_its_dialogs(guests: Guests, view: str) -> None:
    ann = guests.come(**VIEWS[view]).lobby().call_me("Ann").lobby()
    assert grave(ann) == []
    ann.find(".game-card.gran .set-up").click()
    expect(ann.find("dialog .cover-off")).to_be_hidden()
    assert grave(ann) == []
    ann.find("dialog .cross").click()
    ann.find(".me").click()
    ann.find("dialog hr ~ .row button").click()
    expect(ann.find(".qr svg")).to_be_visible()
    assert grave(ann) == []


@pytest.mark.parametrize(("game", "view"), TURNS)
def test_a_table_where_i_am_asked_and_its_drawer(guests: Guests, view: str, game: str) -> None:
    ann = guests.come(**VIEWS[view]).lobby()
    ann.find(f".game-card.{game} button.main").click()
    ann.choose()
    expect(ann.choices.first.or_(ann.scores)).to_be_visible()
    assert grave(ann) == []
    for tab in ("rules", "chat"):
        ann.open_panel(tab)
        expect(ann.find(f"#tab-{tab}[aria-selected=true]")).to_be_visible()
        assert grave(ann) == []


@pytest.mark.parametrize("view", BOTH)
def test_a_table_that_waits_for_a_friend(guests: Guests, view: str) -> None:
    ann = guests.come(**VIEWS[view]).lobby()
    ann.set_up("emerald", ("link", ""), players=2)
    expect(ann.find(".seat button.main")).to_be_visible()
    assert grave(ann) == []
    ben = guests.come(**VIEWS[view]).at(ann.page.url)
    expect(ben.find(".prompt-panel h2")).to_be_visible()
    assert grave(ben) == []


@pytest.mark.parametrize("view", BOTH)
def test_the_page_of_a_server_that_is_away(guests: Guests, view: str) -> None:
    ann = guests.come(**VIEWS[view])
    ann.page.route("**/healthz", lambda route: route.abort())
    ann.at("/page/offline.html")
    expect(ann.find("h1:visible")).to_have_count(1)
    assert grave(ann) == []


@pytest.mark.parametrize("view", BOTH)
def test_the_sheet_that_covers_a_secret(guests: Guests, view: str) -> None:
    ann = guests.come(**VIEWS[view]).lobby().call_me("Ann").lobby()
    ann.set_up("dragons-cave", ("screen", "Ben"), ("screen", "Cem"))
    expect(ann.find("dialog.sealed")).to_be_visible()
    assert grave(ann) == []


@pytest.mark.parametrize(("game", "view"), AFTERWARDS)
def test_a_finished_game_and_its_replay(guests: Guests, server: Server, view: str, game: str) -> None:
    table, cookie = finished(server.url, game)
    ann = guests.come(**VIEWS[view])
    ann.context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.url}])
    ann.at(f"/t/{table}")
    expect(ann.scores).to_be_visible()
    assert grave(ann) == []
    ann.find("button.replay").click()
    expect(ann.find(".replaying")).to_be_visible()
    assert grave(ann) == []
    ann.use_menu("dice")
    expect(ann.find(".verdict.fair")).to_be_visible()
    assert grave(ann) == []


@cache
def finished(url: str, game: str) -> tuple[str, str]:
    """Choose at random against hatchlings until a game is over; name its table, and the cookie of who played."""
    guest = Guest(url, "Ann")
    table = guest.open(game, ME, *[HATCHLING] * (FEWEST[game] - 1))
    with guest.socket(table) as seat:
        seat.play(random.Random(7))
    return table, guest.cookie

"""The table while a game is played: what fits on the screen, and moves that are shown one by one at a chosen pace."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.page_objects import LIVELY, PHONE, Guests, Person

GAMES = ("emerald", "dragons-cave", "gran", "save-the-dragon")
SCREENS = {(1440, 900): 48, (1366, 768): 42, (1024, 768): 45, (768, 1024): 40, (390, 844): 27, (360, 640): 33}
"""Sizes of screens, and how many per cent of them the drawing of every board takes at least."""
LAYOUT = """() => {
  const rect = (name) => document.querySelector(name).getBoundingClientRect();
  const [board, bar, ask] = [rect(".board"), rect(".bar"), rect(".ask")];
  const drawing = document.querySelector(".board .drawn"), { width, height } = drawing.viewBox.baseVal;
  const { width: wide, height: high } = drawing.getBoundingClientRect();
  const scale = Math.min(wide / width, high / height);
  const inside = ({ left, right, top, bottom }) =>
    left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  return {
    share: 100 * scale * scale * width * height / innerWidth / innerHeight,
    inside: [board, bar, ask, ...[...document.querySelectorAll(".bar button")].filter((one) => one.checkVisibility())
      .map((one) => one.getBoundingClientRect())].every(inside),
    scrolls: document.scrollingElement.scrollHeight > innerHeight || document.scrollingElement.scrollWidth > innerWidth,
    listed: [...document.querySelectorAll("button.choice")].filter((one) => one.checkVisibility()).length,
  };
}"""
BEHIND = """() => {
  const { known, moment } = document.querySelector(".at-table").dataset;
  return known - moment;
}"""
"""How many moves are still to be shown."""
BEATS = """() => {
  const [table, board, caption] = [".at-table", ".board", ".caption"].map((one) => document.querySelector(one));
  window.beats = []; window.sounds = [];
  addEventListener("sound", ({ detail }) => window.sounds.push({ at: performance.now(), detail }));
  const look = () => {
    const turn = [...document.querySelectorAll(".seat")].findIndex((one) => one.matches(".turn"));
    const telling = table.hasAttribute("data-telling");
    const offered = document.querySelectorAll("button.choice:enabled, .place.may").length;
    const now = { at: performance.now(), known: table.dataset.known, moment: table.dataset.moment,
      shown: board.dataset.shown, telling, caption: caption.innerText, turn, offered };
    const last = window.beats.at(-1);
    const keys = ["known", "moment", "shown", "telling", "caption", "turn", "offered"];
    if (!last || keys.some((key) => last[key] !== now[key]))
      window.beats.push(now);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Write down every change of what board, caption, seats and choices show."""


def begin(person: Person, game: str) -> None:
    """Play a game against two bots, on the flat board where there are two, and wait for it."""
    person.context.add_init_script("localStorage.setItem('dracotheque.stair', 'flat')")
    person.lobby().find(f".game-card.{game} button.main").click()
    expect(person.choices.first).to_be_attached()
    person.settle()


@pytest.mark.parametrize("game", GAMES)
def test_board_prompt_and_buttons_share_the_screen_and_nothing_scrolls(guests: Guests, game: str) -> None:
    ann = guests.come(choices="board")
    begin(ann, game)
    found = {}
    for width, height in SCREENS:
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.wait_for_timeout(150)
        found[width, height] = ann.page.evaluate(LAYOUT)
    assert [(size, each) for size, each in found.items() if not each["inside"] or each["scrolls"]] == []
    assert [(size, each["share"]) for size, each in found.items() if each["share"] < SCREENS[size]] == []
    assert max(each["listed"] for each in found.values()) <= 6


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_shows_its_score(guests: Guests, game: str) -> None:
    ann = guests.come(choices="board")
    begin(ann, game)
    for width, height in ((1366, 768), (390, 844)):
        ann.page.set_viewport_size({"width": width, "height": height})
        for seat in ann.find(".seat").all():
            expect(seat.locator(".score b")).to_be_visible()
            expect(seat.locator(".score b")).to_have_text(re.compile("^[0-9]+"))
        expect(ann.find(".score").nth(1)).to_have_accessible_name(re.compile(r"^Red: .*[0-9]"))


def test_every_move_of_the_others_has_its_caption_and_its_time(guests: Guests) -> None:
    ann = guests.come(**LIVELY, pace="usual")
    begin(ann, "emerald")
    ann.page.evaluate(BEATS)
    while not ann.find(".seat.turn:not(.mine)").count():  # until the turn is over
        if ann.choices.count():
            ann.choices.last.click()
        ann.page.wait_for_timeout(100)
    expect(ann.choices.first).to_be_enabled()
    ann.settle()
    beats: list[dict[str, Any]] = ann.page.evaluate("window.beats")
    assert all(beat["moment"] == beat["shown"] for beat in beats)
    assert not [beat for beat in beats if beat["telling"] and beat["offered"]]
    others = {beat["turn"] for beat in beats if beat["telling"]}
    assert {1, 2} <= others, "the ring is at the bot whose piece moves"
    told = {beat["caption"] for beat in beats if beat["telling"]}
    assert len(told) > 3
    own = ann.find(".seat.mine strong").inner_text()  # what one has done oneself needs no time
    captions = [now for before, now in pairwise(beats) if now["caption"] != before["caption"]]
    times = [later["at"] - one["at"] for one, later in pairwise(captions) if own not in one["caption"]]
    assert times
    assert min(times) > 650, "a caption stands for at least seven tenths of a second"


def test_the_round_is_seen_again_and_the_pace_is_kept(guests: Guests) -> None:
    ann = guests.come(**LIVELY, pace="at-once")
    begin(ann, "gran")
    while not ann.find(".tool.again").is_enabled():
        ann.choose()
        expect(ann.choices.first).to_be_enabled()
    ann.find(".tool.more").click()
    ann.find(".pace .pill", has_text="fast").click()
    ann.page.keyboard.press("Escape")
    expect(ann.find(".table-menu")).to_be_hidden()
    moment = ann.moment()
    ann.page.evaluate(BEATS)
    ann.find(".tool.again").click()
    expect(ann.find(".at-table[data-telling]")).to_be_visible()
    expect(ann.choices.first).to_be_enabled()
    beats: list[dict[str, Any]] = ann.page.evaluate("window.beats")
    shown = [int(beat["shown"]) for beat in beats]
    assert min(shown) < int(moment) == shown[-1]
    assert ann.moment() == moment
    ann.page.reload()
    expect(ann.choices.first).to_be_enabled()
    ann.find(".tool.more").click()
    assert ann.find(".pace input:checked").get_attribute("value") == "quick"


def test_only_what_is_meant_to_skip_skips(guests: Guests) -> None:
    ann = guests.come(**LIVELY, pace="calm")
    begin(ann, "emerald")
    for skips in (False, True):
        others = ann.find(".at-table[data-telling] .seat.turn:not(.mine)")
        while not others.count():  # until the turn is over
            if ann.choices.count():
                ann.choices.last.click()
            ann.page.wait_for_timeout(100)
        ann.find(".table-tools .log").click()  # reading the log skips nothing
        ann.page.mouse.wheel(0, 120)
        assert ann.page.evaluate(BEHIND) > 0
        if skips:
            ann.page.keyboard.press("Space")
            ann.await_(f"() => ({BEHIND})() === 0")
        expect(ann.choices.first).to_be_enabled()


def test_a_phone_shows_players_as_chips_and_opens_the_log_as_a_sheet(guests: Guests) -> None:
    ann = guests.come(**PHONE, choices="board")
    begin(ann, "gran")
    row = ann.find(".player-list").bounding_box()
    assert row
    assert row["height"] <= 50
    assert row["y"] < 4
    ann.find(".tool.more").tap()
    ann.find(".table-menu .tool-log").tap()
    expect(ann.find(".side-panel .log")).to_be_visible()
    ann.find(".side-panel .cross").tap()
    expect(ann.find(".side-panel")).to_be_hidden()
    ann.page.keyboard.press("l")  # all choices as a list, for keys and screen readers
    expect(ann.find(".choices .placed").first).to_be_visible()
    ann.page.keyboard.press("l")
    expect(ann.find(".choices .placed").first).to_be_hidden()

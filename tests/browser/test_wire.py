"""The page and its queue of moves: nothing is asked per choice, nothing is shown before its time, nothing is lost."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from dracotheque.server.identity import COOKIE
from tests.browser.page_objects import LIVELY, Guests, Person
from tests.server.guests import ME, SQUIRE, Guest, Server

GAMES = ("emerald", "dragons-cave", "gran", "save-the-dragon")
WATCH = """() => {
  const [board, panel, table, log] = [".board", ".prompt-panel", ".at-table", ".log ol"]
    .map((each) => document.querySelector(each));
  window.seen = [];
  const look = () => {
    const offered = panel.querySelectorAll("button.choice:enabled").length
      + board.querySelectorAll(".place.may").length;
    window.seen.push({
      shown: board.dataset.shown, parts: [panel.dataset.shown, table.dataset.moment], lines: log.children.length,
      log: log.lastElementChild?.textContent,
      prompt: panel.querySelector("h2")?.textContent,
      moving: board.hasAttribute("data-moving"), offered, heard: table.dataset.known,
      pieces: [...board.querySelectorAll(".figures .figure")].map((one) => one.style.transform).sort().join(),
    });
    requestAnimationFrame(look);
  };
  look();
}"""
"""Write down in every frame what board, panel and log show."""


def begin(person: Person, game: str) -> None:
    """Play a game against bots without hints, and wait for the board."""
    person.context.add_init_script("localStorage.setItem('dracotheque.teach', 'no')")
    person.lobby().find(f".game-card.{game} button.main").click()
    expect(person.choices.first).to_be_visible()
    person.settle()


@pytest.mark.parametrize("game", GAMES)
def test_a_choice_asks_nothing_over_http(guests: Guests, game: str) -> None:
    ann = guests.come()
    begin(ann, game)
    ann.page.wait_for_load_state("networkidle")
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    first = int(ann.moment())
    for _ in range(6):
        ann.choose()
        expect(ann.choices.first).to_be_visible()
    ann.settle()
    assert int(ann.moment()) >= first + 6
    assert asked == []


@pytest.mark.parametrize("game", ["emerald", "dragons-cave", "gran"])
def test_board_prompt_and_log_show_the_same_moment_in_every_frame(guests: Guests, game: str) -> None:
    ann = guests.come(**LIVELY)
    begin(ann, game)
    ann.open_panel("log")
    ann.page.wait_for_load_state("networkidle")  # the log of the moves before has come
    ann.page.evaluate(WATCH)
    first = int(ann.moment())
    while int(ann.moment()) < first + 12:
        ann.choose()
        expect(ann.choices.first).to_be_visible()
        ann.settle()
    frames: list[dict[str, Any]] = ann.page.evaluate("window.seen")
    assert len({frame["shown"] for frame in frames}) > 8
    assert [frame for frame in frames if set(frame["parts"]) != {frame["shown"]}] == []
    behind = [frame for frame in frames if frame["moving"] or frame["shown"] != frame["heard"]]
    assert behind
    assert [frame for frame in behind if frame["offered"]] == [], "nothing is offered while moves are shown"
    # What is said of a move, and what is asked after it, come in the frame in which the board shows it.
    steps = list(pairwise(frames))
    words = ("lines", "log", "prompt")
    early = [pair for pair in steps if pair[0]["shown"] == pair[1]["shown"] and differ(*pair, *words)]
    assert early == []
    moved = [pair for pair in steps if pair[0]["shown"] == pair[1]["shown"] and differ(*pair, "pieces")]
    assert [pair for pair in moved if not pair[0]["moving"] and not pair[1]["moving"]] == []
    assert any(differ(*pair, "lines") for pair in steps)


def differ(one: dict[str, Any], other: dict[str, Any], *names: str) -> bool:
    """Whether two frames show something else."""
    return any(one[name] != other[name] for name in names)


LABELS = """() => {
  const heard = document.querySelector(".at-table").dataset.moment;
  window.seen = [];
  const look = () => {
    const labels = [...document.querySelectorAll(".board .figure")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => one.getAttribute("aria-label"));
    if (document.querySelector(".at-table").dataset.moment !== heard) window.seen.push({
      labels, choices: document.querySelectorAll("button.choice:enabled").length,
      covered: Boolean(document.querySelector("dialog.sealed")),
    });
    requestAnimationFrame(look);
  };
  look();
}"""
"""Write down in every frame after a move what is seen on the board."""


def test_no_frame_shows_a_secret_after_its_choice_was_made(guests: Guests) -> None:
    ann = guests.come(**LIVELY).lobby().call_me("Ann").lobby()
    ann.set_up("dragons-cave", ("screen", "Ben"), ("screen", "Cem"))
    cover = ann.find("dialog.sealed")
    cover.locator("button").click()
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    chosen = ann.choices.first.locator("b").inner_text().lower()
    assert chosen in str(ann.find(".board").inner_html())
    ann.page.evaluate(LABELS)
    ann.choices.first.click()
    expect(cover).to_be_visible()
    expect(ann.find('.board .figure[aria-label="face down"]').first).to_be_attached()
    frames: list[dict[str, Any]] = ann.page.evaluate("window.seen")
    assert any(frame["covered"] for frame in frames)
    assert [frame for frame in frames if frame["choices"]] == []
    assert [frame for frame in frames if any(chosen in (label or "") for label in frame["labels"])] == []


class Deaf:
    """A line to a table on which one message is lost."""

    def __init__(self, person: Person, kind: str) -> None:
        """Stand between a person and the server; nothing is lost yet."""
        self.kind, self.losing = kind, False
        self.lost: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        person.page.route_web_socket(re.compile(r"/live\?"), self.between)

    def between(self, page: WebSocketRoute) -> None:
        """Pass on what both say, but for one message."""
        server = page.connect_to_server()

        def to_server(text: str | bytes) -> None:
            self.sent.append(json.loads(text))
            server.send(text)

        def to_page(text: str | bytes) -> None:
            message = json.loads(text)
            if self.losing and message["type"] == self.kind:
                self.losing = False
                self.lost.append(message)
            else:
                page.send(text)

        page.on_message(to_server)
        server.on_message(to_page)

    def syncs(self) -> int:
        """How often the page asked for a snapshot."""
        return sum(message["type"] == "sync" for message in self.sent)


@pytest.mark.parametrize("game", ["emerald", "dragons-cave"])
def test_a_message_that_is_lost_is_made_up_for_by_one_snapshot(guests: Guests, game: str) -> None:
    ann = guests.come()
    line = Deaf(ann, "update")
    begin(ann, game)
    ann.choose()
    expect(ann.choices.first).to_be_visible()
    line.losing = True
    ann.choose()
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    assert (len(line.lost), line.syncs()) == (1, 1)
    ann.open_panel("log")
    ann.choose()  # and the game goes on
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    assert line.syncs() == 1
    assert_as_after_a_reload(ann)


def assert_as_after_a_reload(person: Person) -> None:
    """What is shown is what a page shows that has just been opened."""
    look = """() => ({
      figures: [...document.querySelectorAll(".figures .figure")]
        .map((one) => [one.getAttribute("href"), one.getAttribute("aria-label"), one.style.transform].join()).sort(),
      seats: document.querySelector(".player-list").innerText,
      prompt: document.querySelector(".prompt-panel").innerText,
      log: document.querySelector("div.log").innerText, moment: document.querySelector(".at-table").dataset.moment,
    })"""
    for _ in range(5):  # a bot that has not chosen yet may do so in between
        before = person.page.evaluate(look)
        person.page.reload()
        expect(person.choices.first).to_be_visible()
        person.open_panel("log")
        person.settle()
        person.await_("lines => document.querySelector('div.log').innerText.length >= lines", len(before["log"]))
        after = person.page.evaluate(look)
        if after["moment"] == before["moment"]:
            break
    assert after == before


def test_a_line_of_the_chat_that_is_lost_is_made_up_for_with_the_next_message(guests: Guests, server: Server) -> None:
    guest = Guest(server, "Ann")
    table = guest.open("emerald", ME, SQUIRE)
    ann = guests.come()
    ann.context.add_cookies([{"name": COOKIE, "value": guest.cookie, "url": server.url}])
    line = Deaf(ann, "chat")
    ann.at(f"/t/{table}")
    expect(ann.choices.first).to_be_visible()
    line.losing = True
    guest.do(table, "send-chat", seat=0, text="never heard")
    ann.page.wait_for_timeout(200)
    guest.do(table, "send-chat", seat=0, text="heard")
    ann.open_panel("chat")
    expect(ann.find(".said li")).to_have_text(["Ann never heard", "Ann heard"])
    assert (len(line.lost), line.syncs()) == (1, 1)


def test_another_protocol_is_final_and_the_page_is_fetched_again_once(guests: Guests) -> None:
    ann = guests.come()
    opened: list[str] = []
    ann.page.route_web_socket(re.compile(r"/live\?"), lambda page: (opened.append(page.url), page.close(code=4003)))
    ann.lobby().find(".game-card.emerald button.main").click()
    ann.page.wait_for_url("**/t/*")
    ann.page.wait_for_function("() => sessionStorage.getItem('dracotheque.reloaded')")  # goes on after the reload
    ann.page.wait_for_load_state("networkidle")
    ann.page.wait_for_timeout(1_500)
    assert len(opened) == 2
    assert all("protocol=2" in url for url in opened)

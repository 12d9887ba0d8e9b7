"""The lobby: four games, how they are opened, and what it costs to see them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.page_objects import LIVELY, PHONE, Guests, Person
from tests.browser.test_axe import grave

GAMES = ["emerald", "dragons-cave", "gran", "save-the-dragon"]
MOST = 120_000  # bytes of the first page, compressed, fonts apart
LYING = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}


class Traffic:
    """Everything that a page fetches, and how much of it came over the line."""

    def __init__(self, person: Person) -> None:
        """Listen from now on."""
        self.addresses: dict[str, str] = {}
        self.sizes: dict[str, float] = {}
        session = person.context.new_cdp_session(person.page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._came)

    def _asked(self, event: dict[str, Any]) -> None:
        self.addresses[event["requestId"]] = event["request"]["url"]

    def _came(self, event: dict[str, Any]) -> None:
        self.sizes[event["requestId"]] = event["encodedDataLength"]

    @property
    def total(self) -> float:
        """All bytes but those of fonts."""
        return sum(size for key, size in self.sizes.items() if not self.addresses[key].endswith(".woff2"))


def test_the_first_page_is_light(guests: Guests) -> None:
    ann = guests.come()
    traffic = Traffic(ann)
    ann.lobby()
    ann.page.wait_for_load_state("networkidle")
    assert len(traffic.sizes) > 20
    assert traffic.total <= MOST, sorted((size, traffic.addresses[key]) for key, size in traffic.sizes.items())
    assert not [url for url in traffic.addresses.values() if "three" in url]


def test_nothing_is_asked_of_anybody_else(guests: Guests) -> None:
    ann = guests.come()
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    ann.page.on("websocket", lambda socket: asked.append(socket.url))
    ann.lobby()
    for game in GAMES:
        ann.find(f".game-card.{game} button.main").click()
        ann.choose()
        ann.open_panel("rules")
        ann.lobby()
    own = (ann.server.url, ann.server.url.replace("http", "ws", 1), "data:", "blob:")
    assert [url for url in asked if not url.startswith(own)] == []
    assert len(asked) > 60


@pytest.mark.parametrize("settings", [{}, {"viewport": {"width": 1024, "height": 768}}, PHONE, LYING])
def test_every_game_shows_its_cover_and_facts(guests: Guests, settings: dict[str, Any]) -> None:
    ann = guests.come(**settings).lobby()
    expect(ann.find(".game-card h2")).to_have_text(["Emerald", "Dragon’s Cave", "Gran", "Save the Dragon"])
    for number, game in enumerate(GAMES):
        article = ann.find(".game-card").nth(number)
        expect(article.locator(".facts li")).to_have_count(3)
        cover = article.locator(".cover img")
        cover.scroll_into_view_if_needed()
        assert cover.evaluate("image => image.complete && image.naturalWidth > 0"), game
        assert article.locator(".promise").inner_text()
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= ann.page.evaluate("innerWidth")


def test_a_card_lifts_when_it_is_pointed_at(guests: Guests) -> None:
    ann = guests.come().lobby()
    cover = ann.find(".game-card.gran .cover")
    lying = cover.evaluate("cover => cover.getBoundingClientRect().top")
    cover.hover()
    assert cover.evaluate("cover => cover.getBoundingClientRect().top") < lying - 5


def test_a_cover_opens_its_game_and_slides_off(guests: Guests) -> None:
    ann = guests.come(**LIVELY).lobby()
    ann.find(".game-card.emerald .cover").click()
    sheet = ann.find("dialog.setup-dialog.emerald")
    expect(sheet).to_be_visible()
    expect(sheet.locator(".cover-off")).to_have_count(0)
    expect(sheet.locator(".levels div")).to_have_count(4)
    expect(sheet.locator(".levels .used dt")).to_have_text(["Easy"])
    sheet.locator(".seat-setup li").nth(1).locator("select").nth(1).select_option("dragon")
    expect(sheet.locator(".levels .used dt")).to_have_text(["Easy", "Hard"])
    assert all(sheet.locator("fieldset > p.soft").all_inner_texts())


def test_several_seats_are_ticked_where_an_option_takes_them(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.find(".game-card.save-the-dragon .set-up").click()
    youngest = ann.find("dialog input[name=youngest]")

    def ticked() -> list[str]:
        return youngest.evaluate_all("inputs => inputs.filter(({ checked }) => checked).map(({ value }) => value)")

    def click(value: str) -> list[str]:
        ann.find(f"dialog input[name=youngest][value='{value}'] + span").click()
        return ticked()

    expect(youngest.first).to_be_attached()
    assert ticked() == ["nobody"]
    assert click("3") == ["3"]
    assert click("1") == ["1", "3"]
    assert click("everybody") == ["everybody"]
    assert click("3") == ["3"]
    assert click("3") == ["nobody"]
    assert click("1") == ["1"]
    assert click("3") == ["1", "3"]
    assert grave(ann) == []
    with ann.page.expect_request(lambda asked: asked.method == "POST" and asked.url.endswith("/api/tables")) as asked:
        ann.find("dialog form button.main").click()
    assert asked.value.post_data_json["options"] == {"youngest": "1+3", "starts": "lots"}
    expect(ann.choices.first).to_be_visible()


def test_with_less_motion_there_is_no_lid(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.find(".game-card.emerald .set-up").click()
    expect(ann.find("dialog.setup-dialog")).to_be_visible()
    expect(ann.find(".cover-off")).to_be_hidden()


def test_sounds_are_heard_after_a_first_touch_until_they_are_switched_off(guests: Guests) -> None:
    ann = guests.come()
    ann.context.add_init_script("heard = []; addEventListener('sound', (event) => heard.push(event.detail))")
    ann.lobby()
    ann.find(".game-card.emerald button.main").click()
    ann.choose()
    ann.await_("() => heard.includes('step')")
    ann.find("button.sound").click()
    ann.page.evaluate("heard.length = 0")
    ann.choose()
    assert ann.page.evaluate("heard") == []
    ann.page.reload()
    expect(ann.find("button.sound")).to_have_attribute("aria-label", "Turn sound on")
    ann.find("button.sound").click()
    ann.await_("() => heard.includes('turn')")

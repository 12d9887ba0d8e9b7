"""What people do in a browser: from the lobby to the end of a game and after it."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from dracotheque.server.app import PAGE
from tests.browser.page_objects import PHONE, Guests, Person
from tests.server.guests import serving

GAMES = ("emerald", "dragons-cave", "gran", "save-the-dragon")
HEADINGS = {
    "en": "Choose a game",
    "fr": "Choisissez un jeu",
    "it": "Scegli un gioco",
    "de": "Wähle ein Spiel",
}


POSITIONS = "JSON.stringify([...document.querySelectorAll('.figure')].map((one) => one.outerHTML))"


def test_two_clicks_from_the_page_to_the_first_move_then_to_the_end_and_over_it_again(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.find(".game-card.dragons-cave button.main").click()
    ann.choose()
    ann.play()
    expect(ann.scores.locator("thead th")).to_have_count(3)
    expect(ann.find(".seat.won").first).to_be_visible()

    ann.find("button.replay").click()
    expect(ann.find(".replaying label").first).to_contain_text("After move 0 of")
    expect(ann.find(".board .figure").first).to_be_attached()
    beginning = positions(ann)
    for _ in range(6):
        ann.find(".step-on").click()
    expect(ann.find(".replaying label").first).to_contain_text("After move 6 of")
    ann.await_(f"before => {POSITIONS} !== before", beginning)
    expect(ann.find(".caption span").first).to_be_visible()
    ann.find(".replaying select").select_option("-1")
    ann.find(".replaying input").fill("0")
    expect(ann.find(".replaying label").first).to_contain_text("After move 0 of")
    ann.find(".step-run").click()
    expect(ann.find(".replaying label").first).to_contain_text("After move 2 of")
    ann.find(".step-hold").click()
    ann.find(".step-end").click()

    ann.use_menu("dice")
    expect(ann.find(".verdict.fair")).to_have_text("The dice were fair.")
    assert re.fullmatch("[0-9a-f]{64}", ann.find("dialog dd").first.inner_text())
    ann.find("dialog .cross").click()
    with ann.page.expect_download() as download:
        ann.find("a[download]").click()
    assert json.loads(Path(download.value.path()).read_text("utf-8"))["game"] == "dragons-cave"

    finished = ann.page.url
    ann.find(".prompt-panel button.main").click()
    ann.page.wait_for_url(lambda url: url != finished)
    expect(ann.find(".seat.mine strong")).to_have_text("Red")


def test_a_friend_comes_by_the_link(guests: Guests) -> None:
    ann = guests.come().lobby().call_me("Ann").lobby()
    ann.set_up("emerald", ("link", ""), players=2)
    ann.find(".seat button.main").click()
    expect(ann.find(".qr svg")).to_be_visible()
    link = ann.find(".pass-on input").input_value()
    ann.find("dialog .cross").click()

    ben = guests.come(**PHONE).at(link)
    expect(ben.find(".prompt-panel h2")).to_have_text("Ann invites you to play Emerald")
    ben.find("#sit-name").fill("Ben")
    ben.find(".prompt-panel button.main").click()
    expect(ben.find(".seat.mine strong")).to_have_text("Ben")
    assert "#" not in ben.page.url
    expect(ann.find(".seat strong").nth(1)).to_have_text("Ben")

    expect(ann.find(".seat.turn")).to_have_count(1)
    mover, other = (ann, ben) if ann.find(".seat.turn.mine").count() else (ben, ann)
    before = other.moment()
    mover.choose()
    expect(other.find(f".at-table:not([data-moment='{before}'])")).to_be_visible()
    assert other.choices.count() == 0 or other.find(".seat.turn.mine").count()

    ben.open_panel("chat")
    ben.find(".chat input").fill("good luck")
    ben.find(".chat button.main").click()
    ben.find(".side-panel .cross").click()
    ann.open_panel("chat")
    expect(ann.find(".said li")).to_have_text("Ben good luck")
    ann.find(".seat .menu summary").last.click()
    ann.find(".seat .menu button", has_text="Mute").click()
    expect(ann.find(".said li")).to_have_text("No messages yet.")

    ann.find(".seat.mine summary").click()
    ann.find(".seat.mine .menu button").click()
    expect(ann.find(".seat.mine small")).to_contain_text("bot playing instead")
    expect(ann.choices).to_have_count(0)
    ben.choose()
    ann.find(".seat.mine summary").click()
    ann.find(".seat.mine .menu button").click()
    expect(ann.find(".seat.mine small")).to_have_text("Yellow · you")

    ann.use_menu("resign")
    ann.find("dialog button.main").click()
    expect(ben.find(".prompt-panel h2")).to_have_text("Ann resigned. You win.")


def test_a_wrong_invitation_is_refused_with_a_sentence(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.set_up("emerald", ("link", ""), players=2)
    eve = guests.come().at(f"{ann.page.url}#sit=AAAAAAAAAAAAAAAAAAAAAA")
    eve.find(".prompt-panel button.main").click()
    expect(eve.find(".complaint")).to_contain_text("by invitation only")
    assert eve.find(".seat.mine").count() == 0


def test_a_screen_is_passed_on_before_a_secret_is_shown(guests: Guests) -> None:
    ann = guests.come().lobby().call_me("Ann").lobby()
    ann.set_up("dragons-cave", ("screen", "Ben"), ("screen", "Cem"))
    cover = ann.find("dialog.sealed")
    expect(cover).to_be_visible()
    first = cover_name(ann)
    assert ann.choices.count() == 0
    assert not sent_choices(ann.frames)
    for _ in range(3):  # a browser closes any other dialog then
        ann.page.keyboard.press("Escape")
    expect(cover).to_be_visible()

    cover.locator("button").click()
    expect(ann.choices.first).to_be_visible()
    expect(ann.find(".prompt-panel .turn")).to_contain_text(first)
    ann.frames.clear()
    chosen = ann.choices.first.locator("b").inner_text().removeprefix("Lay the ")
    ann.choices.first.click()
    expect(cover).to_be_visible()
    assert cover_name(ann) != first
    assert ann.choices.count() == 0
    expect(ann.find('.board .figure[aria-label="face down"]').first).to_be_attached()
    assert not any(chosen in label for label in figures(ann))
    assert not sent_choices(ann.frames)
    cover.locator("button").click()
    expect(ann.choices.first).to_be_visible()
    expect(ann.find('.board .figure[aria-label="face down"]').first).to_be_attached()
    assert not any(chosen in label for label in figures(ann))


def test_who_was_watched_in_public_gets_a_cover_before_choosing_in_secret(guests: Guests) -> None:
    """On one screen: the dragon is placed in public, and the same player's next card is nobody else's business."""
    ann = guests.come().lobby().call_me("Ann").lobby()
    ann.set_up("dragons-cave", ("screen", "Ben"), players=2)
    cover, prompts = ann.find("dialog.sealed"), list[tuple[str, bool]]()
    while not any(one[0] == two[0] and two[1] > one[1] for one, two in pairwise(prompts)):
        assert len(prompts) < 30, "nobody chose in public and then in secret"
        expect(ann.choices.first.or_(cover)).to_be_visible()
        passed_to = cover_name(ann) if cover.count() else ""
        if passed_to:
            assert ann.choices.count() == 0
            cover.locator("button").click()
            expect(ann.choices.first).to_be_visible()
        secret = last_prompt(ann.frames).get("secret", False)
        turn = ann.find(".prompt-panel .turn").inner_text()
        assert bool(passed_to) == secret
        assert passed_to in turn
        prompts.append((turn, secret))
        ann.choose()


def last_prompt(frames: list[str]) -> dict[str, Any]:
    """Return the last prompt that came over the socket."""
    return next(prompt for frame in reversed(frames) if (prompt := json.loads(frame).get("prompt")))


def cover_name(person: Person) -> str:
    """To whom the screen is to be passed."""
    return person.find("dialog.sealed h2").inner_text().removeprefix("Hand the device to ")


def positions(person: Person) -> str:
    """Everything that stands on the board, and where."""
    return person.page.evaluate(f"() => {POSITIONS}")


def figures(person: Person) -> list[str]:
    """What the pieces on the board are called."""
    return person.find(".board .figure").evaluate_all("all => all.map((one) => one.getAttribute('aria-label') ?? '')")


def sent_choices(frames: list[str]) -> bool:
    """Whether anything that came over the socket was for a seat's eyes."""
    news = [json.loads(frame) for frame in frames]
    return any((each.get("prompt") or {}).get("choices") for each in news)


def test_the_page_comes_back_when_the_server_does(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db") as server, Guests(chromium, server) as come:
        ann = come.come().lobby()
        ann.find(".game-card.emerald button.main").click()
        ann.choose()
        expect(ann.choices.first).to_be_visible()
        expect(ann.find(".board svg.drawn")).to_be_visible()
        question, moment = ann.find(".prompt-panel h2").inner_text(), ann.moment()
        choices = ann.choices.all_inner_texts()
        server.kill()
        expect(ann.find("#banner")).to_contain_text("Connection lost")
        expect(ann.choices).to_have_count(0)
        server.start()
        expect(ann.find("#banner")).to_be_hidden()
        expect(ann.choices).to_have_count(len(choices))
        assert (ann.find(".prompt-panel h2").inner_text(), ann.moment()) == (question, moment)
        assert ann.choices.all_inner_texts() == choices
        ann.choose()


def test_taking_back_alone_with_bots(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.find(".game-card.emerald button.main").click()
    expect(ann.choices.first).to_be_visible()
    before, moment = ann.choices.all_inner_texts(), ann.moment()
    expect(ann.find(".tool-take-back")).to_be_disabled()
    ann.choose()
    ann.find(".tool-take-back").click()
    expect(ann.find(f".at-table[data-moment='{moment}']")).to_be_visible()
    expect(ann.choices).to_have_count(len(before))  # a moment later: nothing is chosen by a second click
    assert ann.choices.all_inner_texts() == before


def test_every_line_opens_to_sentences_that_lead_to_their_rules_and_all_are_one_tab_stop(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.find(".game-card.emerald button.main").click()
    ann.choose()
    ann.open_panel("log")
    expect(ann.find(".log .line").first).to_contain_text("Set-up: ")
    expect(ann.find(".log .line").nth(1)).to_have_attribute("aria-label", re.compile("(tower|keep).* to field"))
    expect(ann.find(".log [tabindex='0']")).to_have_count(1)
    expect(ann.find(".log .details")).to_have_count(0)
    ann.find(".log .line").nth(1).click()
    ann.find(".log .line").nth(1).press("ArrowDown")
    expect(ann.find(".log .detail").first).to_be_focused()
    expect(ann.find(".log [tabindex='0']")).to_have_count(1)
    ann.find(".log .detail").first.click()
    expect(ann.find(".rules .found")).to_have_count(1)
    expect(ann.find(".rules .found h3")).to_be_in_viewport()
    ann.find(".tool.help").click()
    ann.find(".prompt-panel .aid > .rule").click()
    expect(ann.find(".rules .found")).to_have_count(1)


def test_my_key_brings_me_to_another_device(guests: Guests) -> None:
    ann = guests.come().lobby().call_me("Ann").lobby()
    ann.find(".game-card.emerald button.main").click()
    ann.page.wait_for_url("**/t/*")
    table = ann.page.url
    ann.find(".me").click()
    ann.find("dialog hr ~ .row button").click()
    key = ann.find(".pass-on input").input_value()

    phone = guests.come(**PHONE).at(key)
    assert "key" not in phone.find("dialog").inner_text()
    phone.find("dialog button.main").click()
    expect(phone.find(".me .name")).to_have_text("Ann")
    assert "#" not in phone.page.url
    expect(phone.find(".list").first.locator(f"a[href='{table.removeprefix(phone.server.url)}']")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_needs_no_sideways_scrolling_and_a_finger_hits_everything(guests: Guests, game: str) -> None:
    ann = guests.come(**PHONE, locale="de-DE").lobby()
    assert_fits(ann)
    ann.find(f".game-card.{game} .set-up").click()
    expect(ann.find("dialog")).to_be_visible()
    assert_fits(ann)
    ann.find(".seat-setup li").nth(1).locator("select").first.select_option("link")
    ann.find("dialog form button.main").click()
    expect(ann.find(".seat button.main")).to_be_visible()
    assert_fits(ann)
    ann.find(".prompt-panel form button.main").click()
    ann.choose()
    expect(ann.find(".board[data-shown]")).to_be_visible()
    assert_fits(ann)


# The list of places inside the stair is for keyboards alone.
LOW = """() => [...document.querySelectorAll("button, a.button, select, summary, input:not([type])")]
  .filter((each) => !each.closest(".board-3d .places"))
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().height < 43.5)
  .map((each) => each.outerHTML)"""


def assert_fits(person: Person) -> None:
    """The page is as wide as the phone, and whatever can be touched is at least 44 points high."""
    assert person.page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    assert person.page.evaluate("window.visualViewport.scale") == 1
    # In one go: bots change the page meanwhile.
    low = person.page.evaluate(LOW)
    assert low == []


@pytest.mark.parametrize("language", HEADINGS)
def test_the_page_speaks_the_browsers_language(guests: Guests, language: str) -> None:
    ann = guests.come(locale=language).lobby()
    assert ann.page.evaluate("document.documentElement.lang") == language
    expect(ann.find("h1")).to_have_text(HEADINGS[language])
    ann.find(".game-card.save-the-dragon button.main").click()
    ann.choose()
    expect(ann.choices.first).to_be_visible()
    shown = ann.find("body").inner_text()
    keys = set(words("en")) | {"question.walk", "event.walks"}
    assert not [key for key in keys if "." in key and not key.endswith(".") and key in shown]
    other = "fr" if language != "fr" else "en"
    ann.find("#head select").select_option(other)
    expect(ann.find(f"html[lang={other}] .prompt-panel h2")).to_be_visible()


def test_a_whole_game_with_the_keyboard_alone(guests: Guests) -> None:
    ann = guests.come().lobby()
    tab_to(ann, ".game-card.dragons-cave button.main")
    ann.page.keyboard.press("Enter")
    expect(ann.choices.first).to_be_visible()
    ann.page.keyboard.press("2")
    expect(ann.choices.nth(1)).to_be_focused()
    while not ann.is_over():
        before = ann.moment()
        if not ann.find("button.choice:focus").count():
            tab_to(ann, "button.choice")
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector(f".at-table:not([data-moment='{before}'])")
    tab_to(ann, "button.replay")
    ann.page.keyboard.press("Enter")
    expect(ann.find(".replaying")).to_be_visible()


def tab_to(person: Person, selector: str) -> None:
    """Press Tab until something has the focus; everything must be reached within a hundred."""
    for _ in range(100):
        if person.find(f"{selector}:focus").count():
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def test_sun_and_moon(guests: Guests) -> None:
    ann = guests.come(color_scheme="dark").lobby()
    expect(ann.find("html[data-theme=night]")).to_be_visible()
    ann.find(".theme").click()
    expect(ann.find("html[data-theme=day]")).to_be_visible()
    ann.lobby()
    expect(ann.find("html[data-theme=day]")).to_be_visible()


def words(language: str) -> dict[str, str]:
    """The page's own sentences."""
    return json.loads((PAGE / "locale" / f"{language}.json").read_text("utf-8"))

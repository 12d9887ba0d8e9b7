"""The Oracle on the page: chosen as a level where it knows the game, asked for chances by whoever plays alone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.people import PHONE, Guests
from tests.browser.test_axe import grave


def test_the_oracle_is_chosen_asked_and_asked_again_after_the_game(guests: Guests) -> None:
    ann = guests.come(**PHONE, color_scheme="dark").shelf()
    ann.find(".box.save-the-dragon .set-up").click()
    ann.find("dialog input[name=players][value='2'] + span").click()
    level = ann.find(".seat-wishes li").nth(1).locator("select").nth(1)
    level.select_option("oracle")
    for variant in ("input[name=youngest][value=everybody]", "input[name=players][value='3']"):
        ann.find(f"dialog {variant} + span").click()
        expect(level).to_have_value("dragon")  # the best that is left
        expect(level.locator("option[value=oracle]")).to_have_count(0)
        ann.find("dialog input[name=youngest][value=nobody] + span").click()
        ann.find("dialog input[name=players][value='2'] + span").click()
        level.select_option("oracle")
    ann.find("dialog form button.main").click()
    expect(ann.choices.first).to_be_visible()

    switch, shares = ann.find(".tool-chances"), ann.find(".choice .chance")
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(shares).to_have_count(0)
    switch.click()
    expect(shares).to_have_count(ann.choices.count())
    best = ann.find(".choice.best .chance").first.inner_text()
    assert float(best.rstrip("%")) == max(float(share.rstrip("%")) for share in shares.all_inner_texts())
    assert grave(ann) == []
    ann.choose()
    switch.click()
    expect(shares).to_have_count(0)

    ann.find(".tool-resign").click()
    ann.find("dialog button.main").click()
    ann.find("button.replay").click()
    told = ann.find(".replaying .chances")
    expect(told).to_be_hidden()
    switch.click()
    while not told.is_visible() and ann.find(".step-on").is_enabled():  # chance goes first
        ann.find(".step-on").click()
        ann.page.wait_for_timeout(200)
    expect(told.locator(".made")).to_have_count(1)
    assert grave(ann) == []
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

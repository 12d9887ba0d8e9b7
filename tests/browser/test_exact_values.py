"""The Oracle on the page: chosen as a level where it knows the game, asked for chances by a person who plays alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from dracotheque.server.identity import COOKIE
from tests.browser.page_objects import PHONE, Guests, Person
from tests.browser.test_axe import grave
from tests.browser.test_game_over import LOW
from tests.server.guests import LINK, ME, Guest, Server

ORACLE = {"kind": "bot", "level": "oracle"}
FIRST = {"starts": "1"}


def at_table(person: Person, guest: Guest, table: str) -> Person:
    """Let somebody sit at a table as a guest."""
    person.context.add_cookies([{"name": COOKIE, "value": guest.cookie, "url": person.server.url}])
    return person.at(f"/t/{table}")


def alone(guests: Guests, server: Server, **settings: object) -> Person:
    """Somebody who plays against the Oracle and has to choose."""
    ann = Guest(server, "Ann")
    person = at_table(guests.come(**settings), ann, ann.open("save-the-dragon", ME, ORACLE, options=FIRST))
    expect(person.choices.first).to_be_visible()
    return person


def test_the_oracle_is_chosen_asked_and_asked_again_after_the_game(guests: Guests) -> None:
    ann = guests.come(**PHONE, color_scheme="dark").lobby()
    ann.find(".game-card.save-the-dragon .set-up").click()
    level = ann.find(".seat-setup li").nth(1).locator("select").nth(1)
    oracle, about = level.locator("option[value=oracle]"), ann.find(".levels div").last
    expect(oracle).to_be_disabled()
    expect(oracle).to_have_text("Perfect (two players only)")
    expect(about).to_contain_text("Perfect (two players only)")
    ann.find("dialog input[name=players][value='2'] + span").click()
    level.select_option("oracle")
    expect(about).to_have_class("used")
    for variant, usual, why in [
        ("input[name=youngest][value=everybody]", "input[name=youngest][value=nobody]", "not with this variant"),
        ("input[name=players][value='3']", "input[name=players][value='2']", "two players only"),
    ]:
        ann.find(f"dialog {variant} + span").click()
        expect(level).to_have_value("dragon")  # the best that is left
        expect(oracle).to_have_text(f"Perfect ({why})")
        ann.find(f"dialog {usual} + span").click()
        expect(level).to_have_value("oracle")  # as was wished
    ann.find("dialog form button.main").click()
    expect(ann.choices.first).to_be_visible()

    switch, shares = ann.find(".table-menu .tool-exact-values"), ann.find(".choice .win-share")
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(shares).to_have_count(0)
    ann.use_menu("exact-values")
    expect(shares).to_have_count(ann.choices.count())
    best = ann.find(".choice.best .win-share").first.inner_text()
    assert float(best.rstrip("%")) == max(float(share.rstrip("%")) for share in shares.all_inner_texts())
    assert grave(ann) == []
    ann.choose()
    ann.use_menu("exact-values")
    expect(shares).to_have_count(0)

    ann.use_menu("resign")
    ann.find("dialog button.main").click()
    ann.find("button.replay").click()
    shown = ann.find(".replaying .exact-values")
    expect(switch).to_have_count(0)
    expect(shown).to_be_hidden()
    ann.find(".replaying .tool-exact-values").click()
    expect(ann.find(".replaying .tool-exact-values")).to_have_attribute("aria-pressed", "true")
    while not shown.is_visible() and ann.find(".step-on").is_enabled():  # chance goes first
        ann.find(".step-on").click()
        ann.page.wait_for_timeout(200)
    expect(shown.locator(".made")).to_have_count(1)
    above = ann.page.evaluate("""() => {
      const [button, list] = [".tool-exact-values", ".exact-values"]
        .map((each) => document.querySelector(`.replaying ${each}`));
      return list.getBoundingClientRect().top - button.getBoundingClientRect().bottom;
    }""")
    assert 0 <= above < 40, "the switch stands where it shows something"
    assert grave(ann) == []
    assert ann.page.evaluate(LOW) == []
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("screen", [{}, PHONE])
def test_above_the_choices_stand_what_the_numbers_mean_and_the_best(
    guests: Guests, server: Server, screen: dict[str, object]
) -> None:
    ann = alone(guests, server, **screen)
    about, best = ann.find(".exact-values-about"), ann.find(".choice.best")
    for _ in range(4):
        expect(about).to_have_count(0)
        ann.use_menu("exact-values")
        expect(best.first).to_be_visible()
        expect(about).to_contain_text("Your chance of winning with each choice if both play perfectly.")
        share = best.first.locator(".win-share").inner_text()
        if (count := best.count()) > 1:
            expect(about.locator("b")).to_have_text(f"The {count} best choices are equally good ({share}).")
        elif ann.choices.count() > 1:
            name = best.locator("b").inner_text()
            expect(about.locator("b")).to_have_text(f"Best: {name[0].lower()}{name[1:]} ({share}).")
        assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(ann.choices.first).to_be_visible()  # for a moment after a choice none can be made
        assert grave(ann) == []
        ann.use_menu("exact-values")
        ann.choose()


def test_the_switch_stays_as_it_was_at_its_table_alone(guests: Guests, server: Server) -> None:
    ann = alone(guests, server)
    ann.use_menu("exact-values")
    expect(ann.find(".choice .win-share").first).to_be_visible()
    ann.page.reload()
    expect(ann.find(".choice .win-share").first).to_be_visible()
    expect(ann.find(".tool-exact-values")).to_have_attribute("aria-pressed", "true")
    other = Guest(server, "Ann")
    at_table(ann, other, other.open("save-the-dragon", ME, ORACLE, options=FIRST))
    expect(ann.find(".tool-exact-values")).to_have_attribute("aria-pressed", "false")


def test_where_the_oracle_does_not_answer_that_is_said(guests: Guests, server: Server) -> None:
    ann = alone(guests, server)
    ann.page.route("**/action-values*", lambda route: route.abort())
    ann.use_menu("exact-values")
    expect(ann.find(".exact-values-about")).to_have_text("Exact odds are not available right now.")
    expect(ann.find(".choice .win-share")).to_have_count(0)
    ann.use_menu("resign")
    ann.find("dialog button.main").click()
    ann.find("button.replay").click()
    expect(ann.find(".replaying .exact-values")).to_have_text("Exact odds are not available right now.")


def test_between_people_nobody_is_offered_an_oracle_in_their_place(guests: Guests, server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("save-the-dragon", ME, LINK, options=FIRST)
    ben.sit(table, invitation=ann.invitation(table, 1))
    among, apart = at_table(guests.come(), ann, table), alone(guests, server)
    for person, offered in ((among, 0), (apart, 1)):
        expect(person.find(".hand-over option[value=dragon]")).to_have_count(1)
        expect(person.find(".hand-over option[value=oracle]")).to_have_count(offered)


TITLES = {
    "en": "Red: exact odds of each choice",
    "fr": "Rouge\u00a0: chances exactes de chaque choix",
    "it": "Rosso: probabilità esatte di ogni scelta",
    "de": "Rot: exakte Chancen jeder Möglichkeit",
}


@pytest.mark.parametrize("language", TITLES)
def test_a_moment_of_the_past_names_who_chose_first_of_all(guests: Guests, server: Server, language: str) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("save-the-dragon", ME, ORACLE, options={"starts": "2"})
    person = at_table(guests.come(locale=language), ann, table)
    expect(person.choices.first).to_be_visible()
    ann.do(table, "resign", seat=0)
    moves = ann.get(f"/api/tables/{table}")["move_number"]
    first = next(
        move for move in range(moves) if ann.get(f"/api/tables/{table}/action-values?move={move}")["seat"] == 1
    )
    person.at(f"/t/{table}?move={first}")
    person.find(".replaying .tool-exact-values").click()
    expect(person.find(".replaying .exact-values h3")).to_have_text(TITLES[language])
    assert not re.findall(r"\b(?:chances|level|tool)\.[a-z-]+", person.find("main").inner_text())

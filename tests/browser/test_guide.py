"""Learning by playing: a first game of each box with its guide, and the lessons of the “teach me” switch."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from dracotheque.server.app import PAGE
from tests.browser.people import PHONE, Guests, Person

GAMES = ("emerald", "dragons-cave", "gran", "save-the-dragon")
STILL = {"reduced_motion": "reduce"}


class Learner:
    """Somebody who plays a first game and reads every bubble."""

    def __init__(self, person: Person, game: str) -> None:
        """Take a box from the shelf to learn it."""
        self.person, self.game, self.heard = person, game, set[str]()
        person.shelf().find(f".box.{game} .learn").click()
        person.page.wait_for_url("**/t/*")
        expect(person.find(".bubble")).to_be_visible()

    def listen(self) -> None:
        """Read what the guide says until it has no more to say."""
        guide = self.person.find(".guide")
        while True:
            self.heard.add(guide.get_attribute("data-saying") or "")
            more = guide.locator("button.main.next")
            if not more.count():
                return
            more.click()

    def play(self) -> None:
        """Choose what the guide finds good, or the first thing, until the game is over."""
        while not self.person.is_over():
            self.listen()
            before = self.person.moment()
            good = self.person.find("button.choice.promising:enabled")
            (good if good.count() else self.person.choices).first.click()
            self.person.page.wait_for_selector(f".at-table:not([data-moment='{before}'])")

    def asked(self) -> set[str]:
        """Under which keys the questions that were put to me are explained."""
        words = sayings(self.game, "en")
        asked = [json.loads(frame).get("question") for frame in self.person.frames]
        keys = set[str]()
        for question in asked:
            if question and question.get("choices"):
                exact = f"question:{question['rule']}/{question['phrase']['key'].partition('.')[2]}"
                keys.add(exact if exact in words else f"question:{question['rule']}")
        return keys


def sayings(game: str, language: str) -> dict[str, str]:
    """Read what a guide says."""
    texts: dict[str, str] = json.loads((PAGE / "guides" / f"{game}.{language}.json").read_text("utf-8"))
    return {key: text for key, text in texts.items() if not key.startswith("kind:")}


@pytest.mark.parametrize("game", GAMES)
def test_a_first_game_is_explained_to_its_end(guests: Guests, game: str) -> None:
    learner = Learner(guests.come(**STILL), game)
    ann = learner.person
    learner.listen()
    assert {"opening.1", "opening.2", "opening.3"} <= learner.heard
    learner.play()
    learner.listen()
    assert learner.asked() <= learner.heard
    assert {"end", "real"} <= learner.heard

    first = ann.page.url
    ann.find(".guide .real").click()
    ann.page.wait_for_url(lambda url: url != first)
    expect(ann.find(".seat").first).to_be_visible()
    assert ann.find(".guide").count() == 0


def test_the_guide_never_stands_in_the_way(guests: Guests) -> None:
    learner = Learner(guests.come(**STILL), "dragons-cave")
    ann, guide = learner.person, learner.person.find(".guide")
    expect(guide).to_have_attribute("data-saying", "opening.1")
    expect(ann.find(".pointing circle").first).to_be_attached()
    ann.page.keyboard.press("Escape")
    expect(ann.find(".bubble")).to_be_hidden()
    expect(ann.find(".pointing")).to_have_count(0)
    guide.locator(".keeper").click()
    expect(ann.find(".bubble")).to_have_text(sayings("dragons-cave", "en")["opening.1"])
    ann.choose()  # without reading on
    expect(ann.find(".bubble")).not_to_have_text(sayings("dragons-cave", "en")["opening.1"])

    ann.page.reload()
    expect(ann.find(".guide")).to_be_visible()
    expect(ann.choices.first).to_be_visible()
    assert not (ann.find(".guide").get_attribute("data-saying") or "").startswith("opening")
    if not ann.find(".guide .known").count():
        guide.locator(".keeper").click()
    ann.find(".guide .known").click()
    expect(ann.find(".guide")).to_have_count(0)
    ann.page.reload()
    expect(ann.choices.first).to_be_visible()
    assert ann.find(".guide").count() == 0


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_every_bubble_fits_on_a_phone_above_the_choices(guests: Guests, game: str, language: str) -> None:
    ann = Learner(guests.come(**PHONE, **STILL, locale=language), game).person
    expect(ann.choices.first).to_be_attached()
    measure = """texts => texts.map(text => {
      document.querySelector('.saying').textContent = text;
      const [bubble, desk] = ['.bubble', '.desk'].map(name => document.querySelector(name).getBoundingClientRect());
      const wide = document.documentElement.scrollWidth > innerWidth || bubble.right > innerWidth || bubble.left < 0;
      return {text, fits: !wide && bubble.height <= 190 && bubble.bottom <= desk.top};
    })"""
    found: list[dict[str, Any]] = ann.page.evaluate(measure, list(sayings(game, language).values()))
    assert [each["text"] for each in found if not each["fits"]] == []


def test_teach_me_says_what_is_possible_and_by_which_rule(guests: Guests) -> None:
    ann = guests.come(**STILL).shelf()
    ann.find(".box.emerald button.main").click()
    lesson, switch = ann.find(".desk .lesson"), ann.find(".tool-teach")
    expect(switch).to_have_attribute("aria-pressed", "true")  # the first game on this device
    expect(lesson.locator(".told")).to_contain_text("you may move a second one")
    expect(lesson.locator(".kinds .all")).to_have_text(f"{ann.choices.count()} choices")
    expect(lesson.locator(".kinds")).to_contain_text("to a field")

    ann.choose()
    expect(lesson.locator(".told")).to_contain_text("you can’t pass")  # told once: now its first sentence alone
    expect(lesson.locator(".told")).not_to_contain_text("you may move a second one")
    expect(lesson.locator(".not-now")).to_contain_text("Never the same knight twice")
    lesson.locator(".not-now .lesson-rule").click()
    expect(ann.find(".rules .found h3")).to_have_text("Never the same knight twice")
    expect(ann.find(".rules .in-force h3")).to_have_text("One knight or two")

    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(lesson).to_have_count(0)
    ann.page.reload()
    expect(ann.choices.first).to_be_visible()
    assert lesson.count() == 0
    switch.click()
    expect(lesson.locator(".told")).to_be_visible()


def test_the_rulebook_opens_at_the_rule_now_in_force(guests: Guests) -> None:
    ann = guests.come(**STILL).shelf()
    ann.find(".box.emerald button.main").click()
    expect(ann.choices.first).to_be_visible()
    ann.find("#tab-rules").click()
    expect(ann.find(".rules .in-force h3")).to_have_text("One knight or two")
    expect(ann.find(".rules .in-force h3")).to_be_in_viewport()
    ann.page.keyboard.press("ArrowRight")
    expect(ann.find("#tab-chat")).to_be_focused()
    expect(ann.find(".chat input")).to_be_visible()

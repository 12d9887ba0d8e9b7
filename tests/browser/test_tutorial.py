"""Learning by playing: a first game of each title with its tutorial, and the hints of the “teach me” switch."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from dracotheque.engine import registry
from tests.browser.page_objects import PHONE, Guests, Person

GAMES = ("emerald", "dragons-cave", "gran", "save-the-dragon")
STILL = {"reduced_motion": "reduce"}


class Learner:
    """Somebody who plays a first game and reads every bubble."""

    def __init__(self, person: Person, game: str) -> None:
        """Begin the tutorial of a game from the lobby."""
        self.person, self.game, self.heard = person, game, set[str]()
        person.lobby().find(f".game-card.{game} .start-tutorial").click()
        person.page.wait_for_url("**/t/*")
        expect(person.find(".bubble")).to_be_visible()

    def listen(self) -> None:
        """Read what the guide says until it has no more to say."""
        guide = self.person.find(".tutorial")
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
        asked = [json.loads(frame).get("prompt") for frame in self.person.frames]
        keys = set[str]()
        for question in asked:
            if question and question.get("choices"):
                exact = f"question:{question['rule']}/{question['phrase'][0].partition('.')[2]}"
                keys.add(exact if exact in words else f"question:{question['rule']}")
        return keys


def sayings(game: str, language: str) -> dict[str, str]:
    """Read what a guide says."""
    texts: dict[str, str] = json.loads((registry.games()[game].folder / f"tutorial/{language}.json").read_text("utf-8"))
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
    ann.find(".tutorial .real").click()
    ann.page.wait_for_url(lambda url: url != first)
    expect(ann.find(".seat").first).to_be_visible()
    assert ann.find(".tutorial").count() == 0


def test_the_guide_never_stands_in_the_way(guests: Guests) -> None:
    learner = Learner(guests.come(**STILL), "dragons-cave")
    ann, guide = learner.person, learner.person.find(".tutorial")
    expect(guide).to_have_attribute("data-saying", "opening.1")
    expect(ann.find(".pointing circle").first).to_be_attached()
    ann.page.keyboard.press("Escape")
    expect(ann.find(".bubble")).to_be_hidden()
    expect(ann.find(".pointing")).to_have_count(0)
    guide.locator(".tutorial-dragon").click()
    expect(ann.find(".bubble")).to_have_text(sayings("dragons-cave", "en")["opening.1"])
    ann.choose()  # without reading on
    expect(ann.find(".bubble")).not_to_have_text(sayings("dragons-cave", "en")["opening.1"])

    ann.page.reload()
    expect(ann.find(".tutorial")).to_be_visible()
    expect(ann.choices.first).to_be_visible()
    assert not (ann.find(".tutorial").get_attribute("data-saying") or "").startswith("opening")
    if not ann.find(".tutorial .known").count():
        guide.locator(".tutorial-dragon").click()
    ann.find(".tutorial .known").click()
    expect(ann.find(".tutorial")).to_have_count(0)
    ann.page.reload()
    expect(ann.choices.first).to_be_visible()
    assert ann.find(".tutorial").count() == 0


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_every_bubble_fits_on_a_phone_above_the_choices(guests: Guests, game: str, language: str) -> None:
    ann = Learner(guests.come(**PHONE, **STILL, locale=language), game).person
    expect(ann.choices.first).to_be_attached()
    measure = """texts => texts.map(text => {
      document.querySelector('.saying').textContent = text;
      const [bubble, panel] = ['.bubble', '.prompt-panel']
        .map(name => document.querySelector(name).getBoundingClientRect());
      const wide = document.documentElement.scrollWidth > innerWidth || bubble.right > innerWidth || bubble.left < 0;
      return {text, fits: !wide && bubble.height <= 190 && bubble.bottom <= panel.top};
    })"""
    found: list[dict[str, Any]] = ann.page.evaluate(measure, list(sayings(game, language).values()))
    assert [each["text"] for each in found if not each["fits"]] == []


def test_teach_me_says_what_is_possible_and_by_which_rule(guests: Guests) -> None:
    ann = guests.come(**STILL).lobby()
    ann.find(".game-card.emerald button.main").click()
    hint, switch = ann.find(".prompt-panel .choice-hints"), ann.find(".tool.help")
    expect(switch).to_have_attribute("aria-expanded", "false")
    switch.click()
    expect(hint.locator(".rule-text")).to_contain_text("you may move a second one")
    expect(hint.locator(".kinds .all")).to_have_text(f"{ann.choices.count()} choices")
    expect(hint.locator(".kinds")).to_contain_text("to a field")

    ann.choose()
    expect(hint.locator(".rule-text")).to_contain_text("you can’t pass")  # said once: now its first sentence alone
    expect(hint.locator(".rule-text")).not_to_contain_text("you may move a second one")
    expect(hint.locator(".blocked")).to_contain_text("Never the same knight twice")
    hint.locator(".blocked .hint-rule").click()
    expect(ann.find(".rules .found h3")).to_have_text("Never the same knight twice")
    expect(ann.find(".rules .in-force h3")).to_have_text("One knight or two")

    switch.click()
    expect(switch).to_have_attribute("aria-expanded", "false")
    expect(hint).to_be_hidden()
    ann.page.reload()
    expect(ann.choices.first).to_be_visible()
    expect(hint).to_be_hidden()
    ann.page.keyboard.press("?")
    expect(hint.locator(".rule-text")).to_be_visible()


def test_the_rulebook_opens_at_the_rule_now_in_force(guests: Guests) -> None:
    ann = guests.come(**STILL).lobby()
    ann.find(".game-card.emerald button.main").click()
    expect(ann.choices.first).to_be_visible()
    ann.open_panel("rules")
    expect(ann.find(".rules .in-force h3")).to_have_text("One knight or two")
    expect(ann.find(".rules .in-force h3")).to_be_in_viewport()
    ann.page.keyboard.press("ArrowRight")
    expect(ann.find("#tab-chat")).to_be_focused()
    expect(ann.find(".chat input")).to_be_visible()


def test_the_rulebook_shows_its_opening_and_sets_rulings_of_our_own_apart(guests: Guests) -> None:
    ann = guests.come(**STILL).lobby()
    ann.find(".game-card.gran button.main").click()
    expect(ann.choices.first).to_be_visible()
    ann.open_panel("rules")
    sections = ann.find(".rules section")
    expect(sections.locator("h3").nth(0)).to_have_text("Gran")
    expect(sections.locator("h3").nth(1)).to_have_text("In brief")
    expect(sections.locator("h3").nth(2)).to_have_text("Components")
    expect(sections.nth(2).locator("li")).to_have_count(9)
    expect(sections.nth(3)).to_have_id("rule-setup.map")
    ours = ann.find("[id='rule-ring.cut-off'] > :last-child")
    expect(ours).to_contain_text("Our ruling.")
    expect(ann.find("[id='rule-ring.cut-off'] > blockquote")).to_have_count(1)
    expect(ann.find("[id='rule-ring.take'] blockquote")).to_have_count(0)

"""What one chooses with in Dragon's Cave: a hand of cards, five niches, two fists; and how cards are revealed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.page_objects import CALM, LIVELY, PHONE, Guests, Person

CRYSTAL, BARREL, ROPE = 4, 3, 2
"""Cards and niches, as they are ordered on the page; from the start the crystal leads to three coins."""
TURNED = """() => {
  window.turned = [];
  const told = () => document.querySelector(".telling").textContent;
  const board = document.querySelector(".board");
  new MutationObserver((changes) => changes.forEach(({ target, oldValue }) => {
    const face = target.getAttribute("href");
    if (!/card-back|peek/.test(oldValue ?? "") || !/#p-card-(?!back)/.test(face)) return;
    const [card, whole] = [target, board].map((each) => each.getBoundingClientRect());
    window.turned.push({ face, told: told(), left: card.x + card.width / 2 - whole.x, width: whole.width });
  })).observe(board, { subtree: true, attributeFilter: ["href"], attributeOldValue: true });
}"""
"""Write down where each card is when it shows its other side, and how much was told of it by then."""


def two_at_one_screen(guests: Guests, **settings: Any) -> Person:
    """Begin a game of two players with one browser; the first card is to be laid."""
    ann = guests.come(**settings).lobby()
    ann.set_up("dragons-cave", ("screen", "Ben"), players=2)
    take(ann)
    return ann


def take(ann: Person) -> None:
    """Take the screen, where it is to be passed on."""
    expect(ann.choices.first.or_(ann.find("dialog.sealed button"))).to_be_visible()
    if ann.find("dialog.sealed").count():
        ann.find("dialog.sealed button").click()
    expect(ann.choices.first).to_be_visible()


def play(ann: Person, *choices: int) -> None:
    """Choose by number; the screen goes from hand to hand."""
    for number in choices:
        ann.choose(number)
        take(ann)


def to_the_split(ann: Person) -> None:
    """Win three coins, then be frightened by the dragon."""
    play(ann, CRYSTAL, ROPE, BARREL, BARREL)
    expect(ann.find(".cave-split")).to_be_visible()


def sizes(all_of_them: Locator) -> list[tuple[float, float]]:
    """Return how wide and high elements are."""
    found = all_of_them.evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map((r) => [r.width, r.height])"
    )
    return [(width, height) for width, height in found]


@pytest.mark.parametrize(
    ("settings", "card", "fist"),
    [(CALM, (90, 126), 120), ({**PHONE, **CALM}, (56, 78), 96)],
    ids=["desktop", "phone"],
)
def test_cards_and_fists_are_large_enough_to_hold(
    guests: Guests, settings: dict[str, Any], card: tuple[int, int], fist: int
) -> None:
    ann = two_at_one_screen(guests, **settings)
    faces = ann.find(".cave-card .face")
    expect(faces).to_have_count(6)
    assert all(width >= card[0] and height >= card[1] for width, height in sizes(faces))
    to_the_split(ann)
    fists = ann.find(".cave-side .drawing")
    assert [min(size) >= fist for size in sizes(fists)] == [True, True]
    play(ann, 0)
    expect(ann.find(".cave-guess")).to_be_visible()
    assert [min(size) >= fist for size in sizes(fists)] == [True, True]


def test_a_played_card_stays_where_it_was_and_is_no_choice(guests: Guests) -> None:
    ann = two_at_one_screen(guests)
    expect(ann.find(".cave-card.choice")).to_have_count(6)
    expect(ann.find(".cave-card .whither").nth(CRYSTAL)).to_contain_text("→ 5")
    expect(ann.find(".cave-card .whither").nth(CRYSTAL).locator(".coin")).to_have_count(3)
    play(ann, CRYSTAL, ROPE)
    expect(ann.find(".cave-card")).to_have_count(6)
    expect(ann.find(".cave-card").nth(CRYSTAL)).to_have_class("cave-card played")
    expect(ann.find(".cave-card.choice")).to_have_count(5)


def test_with_two_dwarves_the_hand_is_for_one_of_them(guests: Guests) -> None:
    ann = two_at_one_screen(guests)
    of_first = ann.find(".cave-card.choice").evaluate_all("all => all.map((one) => Number(one.dataset.action))")
    ann.find(".cave-dwarf").nth(1).click()
    expect(ann.find(".cave-dwarf").nth(1)).to_have_attribute("aria-pressed", "true")
    of_second = ann.find(".cave-card.choice").evaluate_all("all => all.map((one) => Number(one.dataset.action))")
    assert of_second == [action + 6 for action in of_first]


def test_a_card_is_laid_by_dragging_it_onto_the_board_and_not_beside_it(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.set_up("dragons-cave", ("screen", "Ben"), ("screen", "Cem"))
    take(ann)
    ann.settle()
    before = ann.moment()
    drag(ann, ann.find(".cave-card").nth(ROPE), ann.find(".prompt-panel h2"))
    expect(ann.find(".cave-card.choice:enabled")).to_have_count(6)
    assert ann.moment() == before
    drag(ann, ann.find(".cave-card").nth(ROPE), ann.find(".board"))
    expect(ann.find("dialog.sealed")).to_be_visible()
    assert int(ann.moment()) == int(before) + 1


def drag(ann: Person, what: Locator, onto: Locator) -> None:
    """Drag something from its middle to the middle of another."""
    middles = []
    for each in (what, onto):
        rect = each.bounding_box()
        assert rect
        middles.append((rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2))
    ann.page.mouse.move(*middles[0])
    ann.page.mouse.down()
    ann.page.mouse.move(*middles[1], steps=6)
    ann.page.mouse.up()


def test_a_finger_sees_where_a_card_leads_before_it_is_laid(guests: Guests) -> None:
    ann = two_at_one_screen(guests, **PHONE)
    ann.settle()
    before = ann.moment()
    card = ann.find(".cave-card").nth(CRYSTAL)
    card.tap()
    expect(card).to_have_class("choice cave-card armed")
    expect(ann.find(".board .hints > *").first).to_be_attached()
    assert ann.moment() == before
    card.tap()
    ann.page.wait_for_selector(f".at-table:not([data-moment='{before}'])")


def test_over_every_niche_stands_who_can_have_its_card_and_what_is_at_stake(guests: Guests) -> None:
    ann = two_at_one_screen(guests)
    play(ann, CRYSTAL)
    doors = ann.find(".cave-door")
    expect(doors).to_have_count(5)
    assert doors.locator(".suspect strong").all_inner_texts() == ["0"] * 5
    play(ann, ROPE, BARREL)
    expect(doors.nth(CRYSTAL).locator(".suspect")).to_have_count(0)
    assert doors.locator(".suspect strong").all_inner_texts() == ["3"] * 4
    expect(ann.find(".board .figure.suspect")).to_have_count(4)


def test_coins_go_from_fist_to_fist_before_they_are_held_out(guests: Guests) -> None:
    ann = two_at_one_screen(guests)
    to_the_split(ann)
    left, right = ann.find(".cave-side .held b").nth(0), ann.find(".cave-side .held b").nth(1)
    expect(left).to_have_text("0")
    expect(right).to_have_text("3")
    expect(ann.find(".cave-split .choice")).to_have_count(1)
    ann.find(".cave-side").nth(1).click()
    expect(left).to_have_text("1")
    expect(ann.find(".cave-split .choice")).to_have_attribute("data-action", "20")
    ann.find(".cave-slider").focus()
    ann.page.keyboard.press("Home")  # all to the left
    expect(left).to_have_text("3")
    ann.find(".cave-side").nth(0).click()
    expect(right).to_have_text("1")
    ann.find(".cave-split .choice").click()
    take(ann)
    expect(ann.find(".cave-guess .cave-fist")).to_have_count(2)
    expect(ann.find(".board .figure.fist-left")).to_have_count(1)
    assert "2" not in ann.find(".cave-guess").inner_text()
    play(ann, 0)
    expect(ann.find(".holdings .sign + *, .holdings li").filter(has_text="1").first).to_be_attached()


def test_cards_are_turned_in_the_middle_one_by_one_before_anything_is_told(guests: Guests) -> None:
    ann = guests.come(**LIVELY).lobby()
    ann.set_up("dragons-cave", players=4)
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    ann.page.evaluate(TURNED)
    ann.choose()
    ann.await_("() => window.turned.length === 3")
    turned = ann.page.evaluate("window.turned")
    assert [card["told"] for card in turned if "→" in card["told"] or "caught" in card["told"]] == []
    middles = [card["left"] / card["width"] for card in turned]
    assert middles == sorted(middles)
    assert 0.2 < middles[0] < middles[2] < 0.9
    ann.settle()
    ann.open_panel("log")
    expect(ann.find(".side-panel")).to_contain_text("→")

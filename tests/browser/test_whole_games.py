"""Every game from the lobby to its end by clicks alone, each in another language and light, on another screen."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.page_objects import LANDSCAPE, PHONE, TABLET, Guests, Person

SITTINGS = [  # as many as the game allows: the more play, the sooner it is over
    ("emerald", 5, {**TABLET, "locale": "fr-FR", "color_scheme": "light"}),
    ("dragons-cave", 4, {**PHONE, "locale": "it-IT", "color_scheme": "dark"}),
    ("gran", 6, {"locale": "de-DE", "color_scheme": "dark"}),
    ("save-the-dragon", 4, {**LANDSCAPE, "locale": "en-GB", "color_scheme": "light"}),
]


@pytest.mark.parametrize(("game", "players", "settings"), SITTINGS, ids=[game for game, *_ in SITTINGS])
def test_a_whole_game_by_clicks(guests: Guests, game: str, players: int, settings: dict[str, object]) -> None:
    ann = guests.come(**settings, choices="board").lobby()
    ann.set_up(game, players=players)
    chance, on_board = random.Random(game), 0
    while not ann.is_over():
        on_board += choose_somewhere(ann, chance)
    assert on_board > 3
    expect(ann.find(".seat.won").first).to_be_visible()
    assert "undefined" not in ann.find("main").inner_text()


def choose_somewhere(person: Person, chance: random.Random) -> bool:
    """Choose on the board where something glows there, else by a button; say whether it was on the board."""
    person.settle()  # not every question has places
    before = person.moment()
    places = person.find(".board .place.may")
    if on_board := places.count() > 0:
        tap(person, places.nth(chance.randrange(places.count())), before)
    else:
        person.choices.nth(chance.randrange(person.choices.count())).click()
    person.page.wait_for_selector(f".at-table:not([data-moment='{before}'])")
    return on_board


def click_middle(person: Person, place: Locator) -> None:
    """Click where a piece would stand; what stands there does not take the click."""
    place.scroll_into_view_if_needed()
    place.click(force=True)


def tap(person: Person, place: Locator, before: str) -> None:
    """Click on a place, and where several choices are meant there, take the first.

    On a busy machine the page may still move under the finger while it is laid out: then one taps again.
    """
    asked = person.find("dialog .column button")
    gone = person.find(f".at-table:not([data-moment='{before}'])")
    for timeout in (5_000, 5_000, 60_000):
        click_middle(person, place)
        try:
            expect(asked.first.or_(gone).first).to_be_visible(timeout=timeout)
            break
        except AssertionError:
            if timeout == 60_000:
                raise
    if asked.count():
        asked.first.click()

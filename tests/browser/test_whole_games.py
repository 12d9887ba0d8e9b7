"""Every game from the lobby to its end by clicks alone, each in another language and light, on another screen."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

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
    """Choose on the board where something is marked there, else by a button; say whether it was on the board."""
    person.settle()  # not every question has places
    before = person.moment()
    if on_board := person.find(".board .place.may").count() > 0:
        person.choose_on_board(chance)
    else:
        person.choices.nth(chance.randrange(person.choices.count())).click()
    person.page.wait_for_selector(f".at-table:not([data-moment='{before}'])")
    return on_board

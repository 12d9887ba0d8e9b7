"""Save the Dragon in 3D: a whole game on the stair, a fall as it fell, and the flat board for who needs or likes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.page_objects import LIVELY, PATIENCE, Guests, Person
from tests.server.guests import ME, Guest, Server

SLOW = 4 * PATIENCE  # milliseconds: without a graphics card a fall takes its time
WITHOUT_3D = ["--disable-3d-apis"]
SCREEN = {"kind": "screen"}


def sit_down(guests: Guests, bots: int = 1, **settings: object) -> Person:
    """Play against bots who do not think long."""
    ann = guests.come(**{**LIVELY, **settings})
    ann.page.set_default_timeout(SLOW)
    ann.lobby()
    ann.set_up("save-the-dragon", *[("bot", "hatchling")] * bots, players=bots + 1)
    expect(ann.find(".board-frame")).to_be_visible()
    return ann


def stair(person: Person) -> str:
    """Which board is shown: `solid` or `flat`."""
    return person.find(".board").get_attribute("data-stair") or ""


def await_my_turn(person: Person) -> list[str]:
    """Wait until I am asked and the board shows it; give the places that shine, from the top."""
    expect(person.choices.first).to_be_visible(timeout=SLOW)
    person.page.wait_for_selector(f".board[data-offered='{person.moment()}']")
    places = person.find(".board-3d .places button")
    keys = places.evaluate_all("all => all.map((one) => one.dataset.place)")
    return sorted(keys, key=lambda key: (key.startswith("door"), key[-1]), reverse=True)


def click_on(person: Person, key: str) -> None:
    """Click where a place is seen."""
    person.find(".board").scroll_into_view_if_needed()
    x, y = person.find(".board").evaluate("(board, key) => board.screenPlace(key)", key)
    person.page.mouse.click(x, y)


def choose_at(person: Person, key: str) -> None:
    """Choose at a place, the first where several choices are meant, and wait until that is done."""
    before = person.moment()
    click_on(person, key)
    done = person.find(f".at-table:not([data-moment='{before}'])")
    which = person.find(".choice-bubble button").first
    expect(done.or_(which)).to_be_visible()
    if which.count():
        which.click()
    expect(done).to_be_visible()


def falls(person: Person) -> int:
    """How many falls have been shown."""
    return int(person.find(".board").get_attribute("data-falls") or 0)


def play_to_the_end(person: Person) -> int:
    """Click on the stair until somebody is with the dragon; give how often that was."""
    clicks = 0
    while True:
        expect(person.choices.first.or_(person.find(".prompt-panel .rematch, .scores").first)).to_be_visible(
            timeout=SLOW
        )
        if not person.choices.count():
            return clicks
        person.page.keyboard.press("x")  # skips the animations
        keys = await_my_turn(person)
        if keys:
            choose_at(person, keys[0])
            clicks += 1
        else:
            person.choose()  # there is nowhere to walk to


def test_a_whole_game_by_clicks_on_the_stair(guests: Guests) -> None:
    ann = sit_down(guests, viewport={"width": 900, "height": 700})
    assert play_to_the_end(ann) >= 2
    with_the_dragon = re.compile(r"(Ann|Yellow|Red) \(chamber\)")
    expect(ann.find(".board-3d canvas")).to_have_attribute("aria-label", with_the_dragon)


def before_a_throw(ann: Guest) -> str:
    """Play for everybody at one screen until a boulder is to be released and a pawn is on the stairs."""
    while True:
        table = ann.open("save-the-dragon", ME, SCREEN, SCREEN)
        with ann.socket(table) as socket:
            while socket.prompt and socket.board:
                (seat,) = socket.prompt["seats"]
                pieces = socket.board["pieces"].values()
                climbers = [piece for piece in pieces if re.fullmatch(r"[abc][3-9]", piece["place"])]
                if socket.prompt["rule"] == "rock.throw" and any("seat" in piece for piece in climbers):
                    return table
                socket.do("set-viewpoint", seat=seat)
                highest = max(socket.prompt["choices"], key=lambda choice: choice.get("places", [])[-1:])
                socket.choose(highest["action"], seat)


def test_a_fall_is_seen_while_the_screen_goes_from_hand_to_hand(guests: Guests, server: Server) -> None:
    ann = guests.come(**LIVELY, viewport={"width": 900, "height": 700}).lobby().call_me("Ann")
    ann.page.set_default_timeout(SLOW)
    by_hand = Guest(server)
    by_hand.http.cookies.update({cookie.get("name", ""): cookie.get("value", "") for cookie in ann.context.cookies()})
    ann.at(f"/t/{before_a_throw(by_hand)}")
    door = await_my_turn(ann)[0]
    assert door.startswith("door")
    assert falls(ann) == 0
    choose_at(ann, door)
    ann.page.wait_for_selector(".board[data-falls='1']")
    await_my_turn(ann)
    table = by_hand.get(ann.page.url.replace(server.url, "").replace("/t/", "/api/tables/"))
    label = ann.find(".board-3d canvas").get_attribute("aria-label") or ""
    for seat, colour in zip(table["seats"], ("Yellow", "Red", "Purple"), strict=True):
        place = table["board"]["pieces"][f"pawn-{seat['crest']}"]["place"]
        assert f"{seat.get('name') or colour} ({place})" in label


def test_a_place_that_may_not_be_chosen_says_its_rule_and_the_keyboard_points_too(guests: Guests) -> None:
    ann = sit_down(guests)
    keys = await_my_turn(ann)
    click_on(ann, "b9")
    expect(ann.find(".complaint")).to_be_visible()
    assert ann.choices.count()

    label = ann.find(".board-3d canvas").get_attribute("aria-label") or ""
    assert re.search(r"(Ann|Yellow) \(bottom\)", label)
    assert "the movement die shows" in label
    before = ann.moment()
    place = ann.find(f".places button[data-place='{keys[0]}']")
    assert place.inner_text() == keys[0]
    place.focus()
    expect(ann.find("button.choice.meant").first).to_be_visible()
    ann.page.keyboard.press("Enter")
    which = ann.find(".choice-bubble button").first
    done = ann.find(f".at-table:not([data-moment='{before}'])")
    expect(done.or_(which)).to_be_visible()


def test_the_board_is_turned_over_and_stays_so(guests: Guests) -> None:
    ann = sit_down(guests)
    await_my_turn(ann)
    ann.find(".solid-switch").click()
    expect(ann.find(".board svg.drawn .figure.pawn")).to_have_count(2)
    assert ann.find(".board canvas").count() == 0
    ann.page.reload()
    expect(ann.find(".board svg.drawn .figure.pawn")).to_have_count(2)
    assert stair(ann) == "flat"
    ann.find(".solid-switch").click()
    expect(ann.find(".board-3d canvas")).to_be_visible()
    choose_at(ann, await_my_turn(ann)[0])


def test_when_the_graphics_card_gives_up_the_flat_board_goes_on(guests: Guests) -> None:
    ann = sit_down(guests)
    await_my_turn(ann)
    ann.find(".board-3d canvas").evaluate(
        "canvas => canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()"
    )
    play_flat(ann)


def test_with_reduced_motion_the_board_is_flat(guests: Guests) -> None:
    ann = sit_down(guests, reduced_motion="reduce")
    play_flat(ann)
    assert not loaded(ann, "/page/vendor/three.js")


@pytest.fixture
def plain(chromium: Browser, server: Server) -> Iterator[Guests]:
    """People whose machines draw nothing in 3D."""
    browser = chromium.browser_type.launch(executable_path=chromium_path(), args=["--no-sandbox", *WITHOUT_3D])
    with Guests(browser, server) as come:
        yield come
    browser.close()


def chromium_path() -> str:
    """Where the Chromium of this machine is."""
    from tests.browser.chromium import find

    found = find()
    assert found
    return found


def test_without_webgl_the_flat_board_is_played(plain: Guests) -> None:
    play_flat(sit_down(plain))


def play_flat(person: Person) -> None:
    """Choose on the flat board, by a click on what glows."""
    expect(person.find(".board svg.drawn .figure.pawn")).to_have_count(2)
    expect(person.find(".board .place.may").first).to_be_attached()
    assert stair(person) == "flat"
    before = person.moment()
    rect = person.find(".board .place.may").first.bounding_box()
    assert rect
    person.page.mouse.click(rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2)
    expect(person.find(f".at-table:not([data-moment='{before}'])")).to_be_visible()


def loaded(person: Person, path: str) -> bool:
    """Whether the page has asked for a file."""
    names = person.page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)")
    return any(name.endswith(path) for name in names)


def test_three_js_is_loaded_only_here(guests: Guests) -> None:
    ann = guests.come(**LIVELY).lobby()
    ann.find(".game-card.emerald button.main").click()
    ann.choose()
    assert not loaded(ann, "/page/vendor/three.js")
    ben = sit_down(guests)
    await_my_turn(ben)
    assert loaded(ben, "/page/vendor/three.js")

"""Save the Dragon in 3D: a whole game on the stair, a fall as it fell, and the flat board for who needs or likes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.page_objects import LIVELY, PATIENCE, Guests, Person
from tests.server.guests import ME, Guest, Seat, Server

SLOW = 4 * PATIENCE  # milliseconds: without a graphics card a fall takes its time
WITHOUT_3D = ["--disable-3d-apis"]
SCREEN = {"kind": "screen"}
SMALL = {"viewport": {"width": 900, "height": 700}}
AT_ONCE = "localStorage.setItem('dracotheque.pace', 'at-once')"
NOTED = """() => {
  const board = document.querySelector(".board");
  window.noted = [];
  const note = () => window.noted.push([Number(board.dataset.shown), Number(board.dataset.falls ?? 0)]);
  new MutationObserver(note).observe(board, { attributes: true, attributeFilter: ["data-shown", "data-falls"] });
}"""
"""Note which moment was shown, and how many falls had been, whenever one of the two changes."""
DRAWN = """() => new Promise((done) => {
  const ask = window.requestAnimationFrame;
  let count = 0;
  window.requestAnimationFrame = (draw) => (count += 1, ask(draw));
  setTimeout(() => (window.requestAnimationFrame = ask, done(count)), 1000);
})"""
"""How many pictures are asked for in a second."""


def sit_down(guests: Guests, bots: int = 1, **settings: object) -> Person:
    """Play against bots who do not think long, and whose moves are not seen one by one."""
    ann = guests.come(**{**LIVELY, **settings})
    ann.page.set_default_timeout(SLOW)
    ann.page.add_init_script(AT_ONCE)
    ann.lobby()
    ann.set_up("save-the-dragon", *[("bot", "hatchling")] * bots, players=bots + 1)
    expect(ann.find(".board-frame")).to_be_visible()
    return ann


def stair(person: Person) -> str:
    """Which board is shown: `solid` or `flat`."""
    return person.find(".board").get_attribute("data-stair") or ""


def touchable(person: Person) -> list[str]:
    """Wait until I am asked and the 3D board shows it; give the places that can be touched."""
    person.page.wait_for_selector(".board[data-offered]", timeout=SLOW)
    places = person.find(".board-3d .places button")
    return places.evaluate_all("all => all.map((one) => one.dataset.place)")


def targets(person: Person) -> list[str]:
    """Give the places where the piece that is taken up may go, from the top."""
    touchable(person)
    places = person.find(".board-3d .places button:not([aria-pressed])")
    keys = places.evaluate_all("all => all.map((one) => one.dataset.place)")
    return sorted(keys, key=lambda key: (key.startswith("door"), key[-1]), reverse=True)


def click_on(person: Person, key: str) -> None:
    """Click where a place is seen."""
    person.find(".board").scroll_into_view_if_needed()
    x, y = person.find(".board").evaluate("(board, key) => board.screenPlace(key)", key)
    person.page.mouse.click(x, y)


def offered_at(person: Person) -> str:
    """The moment at which I am asked."""
    return person.find(".board").get_attribute("data-offered") or ""


def await_another_question(person: Person, before: str) -> None:
    """Wait until a choice has been made, and its board is shown."""
    person.page.wait_for_selector(f".board:not([data-offered='{before}']):not([data-shown='{before}'])", timeout=SLOW)


def choose_at(person: Person, key: str) -> None:
    """Choose at a place, and wait until that is done."""
    before = offered_at(person)
    click_on(person, key)
    await_another_question(person, before)


# --- Positions ----------------------------------------------------------------------------------------------------
def table_where(ann: Guest, asks: Callable[[Seat], bool]) -> str:
    """Play for everybody at one screen until a question is as wanted."""
    while True:
        table = ann.open("save-the-dragon", ME, SCREEN, SCREEN)
        with ann.socket(table) as socket:
            while socket.prompt and socket.board:
                (seat,) = socket.prompt["seats"]
                socket.do("set-viewpoint", seat=seat)
                if asks(socket):
                    return table
                socket.choose(max(socket.prompt["choices"], key=lambda one: one.get("places", [])[-1:])["action"], seat)


def climbers(socket: Seat) -> int:
    """How many pawns stand on the third step or higher."""
    pieces = (socket.board or {})["pieces"].values()
    return sum("seat" in piece and bool(re.fullmatch(r"[abc][3-9]", piece["place"])) for piece in pieces)


def asks(rule: str, least: int = 0) -> Callable[[Seat], bool]:
    """Whether a question is by a rule, while so many climb."""
    return lambda socket: (socket.prompt or {})["rule"] == rule and climbers(socket) >= least


def come_to(guests: Guests, server: Server, wanted: Callable[[Seat], bool]) -> tuple[Person, Callable[[], Any]]:
    """Open a table at a question, on one screen for everybody; give also what tells the board as the server has it."""
    ann = guests.come(**LIVELY, **SMALL).lobby().call_me("Ann")
    ann.page.set_default_timeout(SLOW)
    by_hand = Guest(server)
    by_hand.http.cookies.update({cookie.get("name", ""): cookie.get("value", "") for cookie in ann.context.cookies()})
    table = table_where(by_hand, wanted)
    ann.at(f"/t/{table}")
    touchable(ann)
    return ann, lambda: by_hand.get(f"/api/tables/{table}")["board"]["pieces"]


# --- In 3D --------------------------------------------------------------------------------------------------------
def test_a_click_on_an_open_door_leads_to_the_dragon(guests: Guests, server: Server) -> None:
    ann, pieces = come_to(guests, server, asks("move.door"))
    click_on(ann, next(key for key in targets(ann) if key.startswith("door")))
    expect(ann.scores.first).to_be_visible(timeout=SLOW)
    (winner,) = [piece["label"] for piece in pieces().values() if piece["place"] == "chamber"]
    assert winner
    expect(ann.find(".board-3d canvas")).to_have_attribute("aria-label", re.compile(r"\(chamber\)"))


def test_the_shield_is_touched_and_then_its_spot(guests: Guests, server: Server) -> None:
    ann, pieces = come_to(guests, server, asks("change.must"))
    before = pieces()
    shield, shut = before["shield"]["place"], before["door"]["place"]
    assert set(touchable(ann)) == {shield, shut}
    click_on(ann, shield)
    expect(ann.find(".board-3d")).to_have_attribute("data-marks", "target")
    spots = targets(ann)
    standing = {piece["place"] for piece in before.values()}
    assert len(spots) >= 20
    assert not standing & set(spots)
    choose_at(ann, spots[-1])
    assert pieces()["shield"]["place"] == spots[-1]


def test_an_open_door_is_seen_shut_before_it_is(guests: Guests, server: Server) -> None:
    ann, pieces = come_to(guests, server, asks("change.must"))
    shut = pieces()["door"]["place"]
    before = offered_at(ann)
    opened = next(f"door-{letter}" for letter in "abc" if f"door-{letter}" != shut)
    click_on(ann, opened)
    expect(ann.find(".selected-choice")).to_be_visible()
    assert offered_at(ann) == before
    assert pieces()["door"]["place"] == shut
    choose_at(ann, opened)
    assert pieces()["door"]["place"] == opened


def test_cells_say_what_they_cost_and_one_click_walks_for_the_least(guests: Guests, server: Server) -> None:
    def has_dear_cells(socket: Seat) -> bool:
        """Whether tokens lead to cells that can be reached without them, and to others."""
        walks = [choice for choice in (socket.prompt or {})["choices"] if len(choice.get("places", [])) > 1]
        dear = {walk["places"][-1] for walk in walks if walk["name"][0] == "action.walk_with"}
        free = {walk["places"][-1] for walk in walks if walk["name"][0] == "action.walk"}
        return bool(dear & free) and bool(dear - free)

    ann, pieces = come_to(guests, server, has_dear_cells)
    cells = ann.find(".board-3d .places button:not([aria-pressed])").all()
    names = {cell.get_attribute("data-place"): cell.inner_text() for cell in cells}
    assert any(name.endswith(": 1 token") for name in names.values())
    free = next(key for key, name in names.items() if key and name == key)
    choose_at(ann, free)
    assert free in {piece["place"] for piece in pieces().values() if "seat" in piece}
    assert ann.page.evaluate("() => document.querySelectorAll('dialog, .choice-bubble').length") == 0


def test_nothing_is_told_of_a_rock_before_it_lies_still(guests: Guests, server: Server) -> None:
    ann, pieces = come_to(guests, server, asks("rock.throw", least=1))
    asked = int(offered_at(ann))
    ann.page.evaluate(NOTED)
    choose_at(ann, targets(ann)[0])
    ann.page.wait_for_selector(".board[data-falls='1']", timeout=SLOW)
    touchable(ann)
    noted = ann.page.evaluate("() => window.noted")
    assert [falls for shown, falls in noted if shown > asked + 1]
    assert all(falls == 1 for shown, falls in noted if shown > asked + 1)
    label = ann.find(".board-3d canvas").get_attribute("aria-label") or ""
    for seat in ("lion", "tower", "star"):
        assert f"({pieces()[f'pawn-{seat}']['place']})" in label

    assert ann.page.evaluate(DRAWN) == 0  # nothing moves: nothing is drawn


def test_a_place_that_may_not_be_chosen_says_its_rule_and_the_keyboard_points_too(guests: Guests) -> None:
    ann = sit_down(guests)
    keys = targets(ann)
    click_on(ann, "b9")
    expect(ann.find(".complaint")).to_be_visible()
    before = offered_at(ann)
    place = ann.find(f".places button[data-place='{keys[0]}']")
    assert place.inner_text() == keys[0]
    place.focus()
    ann.page.keyboard.press("Enter")
    await_another_question(ann, before)


def test_the_board_is_turned_over_and_stays_so(guests: Guests) -> None:
    ann = sit_down(guests)
    touchable(ann)
    ann.find(".solid-switch").click()
    expect(ann.find(".board svg.drawn .figures .figure.pawn")).to_have_count(2)
    assert ann.find(".board canvas").count() == 0
    ann.page.reload()
    expect(ann.find(".board svg.drawn .figures .figure.pawn")).to_have_count(2)
    assert stair(ann) == "flat"
    ann.find(".solid-switch").click()
    expect(ann.find(".board-3d canvas")).to_be_visible()
    choose_at(ann, targets(ann)[0])


def test_when_the_graphics_card_gives_up_the_flat_board_goes_on(guests: Guests) -> None:
    ann = sit_down(guests)
    touchable(ann)
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
    expect(person.find(".board svg.drawn .figures .figure.pawn")).to_have_count(2)
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
    touchable(ben)
    assert loaded(ben, "/page/vendor/three.js")

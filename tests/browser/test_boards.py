"""The drawn boards: every move is seen in order, nobody has to wait for it, and fingers, wheel and keys reach all."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.page_objects import LIVELY, PHONE, Guests, Person

TWO_FRAMES = "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(true))))"
LOOK_ON = """() => {
  const board = document.querySelector(".board");
  window.seen = [];
  new MutationObserver((records) => window.seen.push(...records.map((record) => record.oldValue)))
    .observe(board, { attributeFilter: ["data-shown"], attributeOldValue: true });
}"""
"""Write down which moment was left for the next."""
COUNT_WHAT_IS_LEFT = """() => {
  const table = document.querySelector(".at-table"), before = table.dataset.known;
  const count = () => document.querySelectorAll(".hints > *, .glow > *, .place.may, button.choice.meant").length;
  new MutationObserver(() => before === table.dataset.known || (window.left ??= count()))
    .observe(table, { attributeFilter: ["data-known"] });
}"""
"""Count what is still pointed at and glows as soon as the page knows of another move."""
SLOWLY = """
const animate = Element.prototype.animate;
window.animated = 0;
Element.prototype.animate = function (frames, how) {
  window.animated += 1;
  return animate.call(this, frames, { ...how, duration: how.duration * %d });
};
window.moving = () => document.getAnimations().filter((way) =>
  way.playState === "running" && way.effect.target.closest(".figures, #sky")).length;
addEventListener("pointerdown", () => (window.before = window.moving()), true);
addEventListener("pointerup", () => (window.after = window.moving()), true);
"""
"""Let pieces take their time, and write down how many move when a button goes down and when it comes up again."""


def begin(person: Person, game: str) -> None:
    """Play a game against bots, and wait for the board."""
    person.lobby().find(f".game-card.{game} button.main").click()
    expect(person.choices.first).to_be_visible()
    person.settle()


def begin_slowly(guests: Guests, game: str) -> Person:
    """Play a game against bots whose pieces move so slowly that much can be done meanwhile."""
    ann = guests.come(**LIVELY)
    ann.page.add_init_script(SLOWLY % 40)
    begin(ann, game)
    return ann


def hurry(person: Person) -> None:
    """Let everything arrive."""
    person.page.mouse.move(4, 300)  # where nothing is: what a pointer rests on is shown
    person.find(".telling .skip").dispatch_event("click")
    expect(person.choices.first).to_be_visible()
    person.settle()


def view(person: Person) -> list[float]:
    """Which part of the drawing is seen."""
    return [float(number) for number in (person.find(".drawn").get_attribute("viewBox") or "").split()]


# --- Moments ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", ["emerald", "dragons-cave", "gran"])
def test_every_move_is_seen_in_order(guests: Guests, game: str) -> None:
    ann = guests.come(**LIVELY)
    begin(ann, game)
    ann.page.evaluate(LOOK_ON)
    first = int(ann.moment())
    while int(ann.moment()) < first + 9:
        ann.choose()
        expect(ann.choices.first).to_be_visible()
        ann.settle()
    seen = [int(moment) for moment in ann.page.evaluate("window.seen")]
    assert [moment for moment in range(first, int(ann.moment())) if moment not in seen] == []
    assert seen == sorted(seen)


def test_an_open_board_stays_while_the_screen_goes_from_hand_to_hand(guests: Guests) -> None:
    ann = guests.come(**LIVELY).lobby()
    ann.set_up("emerald", ("screen", "Ben"), players=2)
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    ann.page.evaluate(LOOK_ON)
    drawing = ann.find(".drawn").element_handle()
    first, who = int(ann.moment()), ann.find(".seat.turn strong").inner_text()
    while ann.find(".seat.turn strong").inner_text() == who:
        ann.choose()
        expect(ann.choices.first).to_be_visible()
        ann.settle()
    assert drawing.evaluate("drawing => drawing.isConnected")
    assert [int(moment) for moment in ann.page.evaluate("window.seen")] == list(range(first, int(ann.moment())))
    assert ann.find(".player-list.turned").count() == 0


def test_a_click_on_the_board_lets_everything_arrive(guests: Guests) -> None:
    ann = guests.come(**LIVELY)
    ann.page.add_init_script(SLOWLY % 40)
    begin(ann, "emerald")
    ann.choose()
    ann.page.wait_for_selector(".board[data-moving]")
    ann.find(".board").click(position={"x": 4, "y": 300})
    assert ann.page.evaluate("window.before") > 0
    assert ann.page.evaluate("window.moving()") == 0
    ann.settle()


def test_space_lets_everything_arrive_too(guests: Guests) -> None:
    ann = guests.come(**LIVELY)
    ann.page.add_init_script(SLOWLY % 40)
    begin(ann, "dragons-cave")
    ann.choose()
    ann.page.wait_for_selector(".board[data-moving]")
    ann.page.evaluate("document.activeElement.blur()")
    ann.page.keyboard.press("Space")
    assert ann.page.evaluate("window.moving()") == 0


def test_where_little_motion_is_wanted_there_is_none(guests: Guests) -> None:
    ann = guests.come(reduced_motion="reduce")
    ann.page.add_init_script(SLOWLY % 1)
    begin(ann, "emerald")
    before = figures(ann)
    ann.choose()
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    assert figures(ann) != before
    assert ann.page.evaluate("window.animated") == 0


def figures(person: Person) -> list[str]:
    """Where the pieces stand."""
    return sorted(person.find(".board .figure").evaluate_all("all => all.map((one) => one.style.transform)"))


def test_what_is_taken_back_stands_where_it_stood(guests: Guests) -> None:
    ann = guests.come(**LIVELY)
    begin(ann, "emerald")
    before, beginning = figures(ann), ann.moment()
    ann.choose()
    ann.settle()
    assert figures(ann) != before
    ann.find(".tool-take-back").click()
    ann.page.wait_for_selector(f".at-table[data-moment='{beginning}']")
    ann.settle()
    assert figures(ann) == before
    expect(ann.find(".place.may").first).to_be_visible()


def test_choices_glow_only_when_the_board_has_caught_up(guests: Guests) -> None:
    ann = guests.come(**LIVELY)
    ann.page.add_init_script(SLOWLY % 40)
    begin(ann, "emerald")
    expect(ann.find(".place.may").first).to_be_visible()
    ann.choose()
    ann.page.wait_for_selector(".board[data-moving]")
    assert ann.find(".place.may").count() == 0
    ann.find(".telling .skip").click()
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    expect(ann.find(".place.may").first).to_be_visible()


# --- Places -----------------------------------------------------------------------------------------------------------
def test_a_choice_shows_where_it_leads_from_the_button_and_from_the_place(guests: Guests) -> None:
    ann = guests.come(**LIVELY)
    begin(ann, "emerald")
    ann.choices.first.hover()
    expect(ann.find(".hints polyline.line")).to_have_count(1)
    expect(ann.find(".hints .ghost")).to_have_count(1)
    ann.page.mouse.move(4, 300)
    expect(ann.find(".hints .ghost")).to_have_count(0)
    ann.page.evaluate(TWO_FRAMES)  # until the pointer has left for good
    ann.choices.nth(1).focus()
    expect(ann.find(".hints polyline.line")).to_have_count(1)
    ann.find(".place.may").first.focus()
    expect(ann.find(".hints .held")).to_have_count(1)
    expect(ann.find("button.choice.meant").first).to_be_visible()


def test_where_a_choice_leads_stays_to_be_seen_when_the_board_shrinks(guests: Guests) -> None:
    ann = guests.come(**LIVELY)
    begin(ann, "emerald")
    ann.choices.first.focus()
    expect(ann.find(".hints polyline.line")).to_have_count(1)
    ann.page.evaluate("document.querySelector('.glow .reach').classList.add('before')")
    ann.page.set_viewport_size({"width": 800, "height": 600})
    expect(ann.find(".glow .before")).to_have_count(0)
    expect(ann.find(".glow .reach").first).to_be_attached()
    expect(ann.find(".hints polyline.line")).to_have_count(1)


def test_where_a_choice_leads_is_shown_as_soon_as_the_board_has_caught_up(guests: Guests) -> None:
    ann = begin_slowly(guests, "emerald")
    way = ann.find(".hints polyline.line")
    ann.choose()
    ann.page.wait_for_selector(".board[data-moving]")
    ann.find("button.choice").first.dispatch_event("pointerenter")
    expect(way).to_have_count(0)
    hurry(ann)
    ann.choices.first.hover()
    expect(way).to_have_count(1)
    ann.choose()
    ann.page.wait_for_selector(".board[data-moving]")
    expect(way).to_have_count(0)
    hurry(ann)
    expect(way).to_have_count(0)


def test_what_was_pointed_at_and_glowed_goes_with_its_prompt(guests: Guests) -> None:
    ann = begin_slowly(guests, "emerald")
    place = ann.find(".place.may").first
    place.focus()
    expect(ann.find(".hints .held")).to_have_count(1)
    ann.page.evaluate(COUNT_WHAT_IS_LEFT)
    place.press("Enter")  # the piece is picked up, and the focus is on its target
    expect(ann.find(".place:focus[data-mark=target]")).to_have_count(1)
    ann.page.keyboard.press("Enter")
    ann.await_("() => window.left !== undefined")
    assert ann.page.evaluate("window.left") == 0


def test_a_tap_on_a_board_that_is_behind_chooses_nothing(guests: Guests) -> None:
    ann = begin_slowly(guests, "emerald")
    places = lit(ann)
    ann.choose()
    ann.page.wait_for_selector(".board[data-moving]")
    nothing_happens_at(ann, places)
    ann.settle()
    expect(ann.find(".place.may").first).to_be_attached()


def test_a_board_that_is_behind_a_take_back_is_behind_though_as_many_moves_were_made(guests: Guests) -> None:
    ann = begin_slowly(guests, "emerald")
    ann.choose()
    hurry(ann)
    places, known = lit(ann), ann.known()
    ann.find(".tool-take-back").click()
    ann.page.wait_for_selector(f".at-table:not([data-known='{known}'])")
    ann.page.wait_for_selector(".board[data-moving]")
    nothing_happens_at(ann, places)
    ann.settle()
    ann.choose(1)
    ann.page.wait_for_selector(".board[data-moving]")
    nothing_happens_at(ann, places)
    ann.settle()
    ann.await_("() => document.querySelector('.place.may')")
    shown = standing(ann)
    ann.page.reload()
    expect(ann.find(".place.may").first).to_be_attached()
    assert standing(ann) == shown


def test_a_bubble_that_asks_which_choice_is_meant_goes_with_its_question(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.set_up("emerald", players=2)  # each leads two crests, which stand together at first
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    ann.find(".place.may").first.press("Enter")
    target = ann.find(".place.may[data-mark=target]")
    expect(target).to_have_count(1)
    target.click(force=True)
    bubble = ann.find(".choice-bubble")
    expect(bubble.locator("button")).to_have_count(2)
    ann.page.keyboard.press("Escape")
    expect(bubble).to_have_count(0)
    ann.find(".place.may").first.press("Enter")
    target.click(force=True)
    expect(bubble).to_be_visible()
    other = ann.another_tab()
    other.choose()
    expect(bubble).to_have_count(0)


def lit(person: Person) -> list[str]:
    """The places where something may be chosen."""
    return person.find(".place.may").evaluate_all("all => all.map((one) => one.dataset.place)")


def standing(person: Person) -> list[tuple[str, str]]:
    """What stands where on the board."""
    places = "all => all.map((one) => [one.getAttribute('href'), one.style.transform]).sort()"
    return person.find(".figures .figure").evaluate_all(places)


def nothing_happens_at(person: Person, places: list[str]) -> None:
    """Tap on places, and see that nothing is chosen and nothing asked: the first tap lets everything arrive."""
    assert person.find(".board[data-moving]").count() == 1, "the board is behind"
    known = person.known()
    for place in places:
        person.find(f".place[data-place='{place}']").dispatch_event("click")
    person.page.wait_for_timeout(200)
    assert person.known() == known
    assert person.find("dialog, .choice-bubble").count() == 0


def test_every_place_and_every_piece_has_a_name(guests: Guests) -> None:
    ann = guests.come(**LIVELY)
    begin(ann, "gran")
    assert ann.find('.place:not([aria-label]), .place[aria-label=""]').count() == 0
    assert ann.find(".figure:not([aria-label]):not([aria-hidden])").count() == 0
    assert ann.find(".place.may:not([role=button])").count() == 0
    assert ann.find(".place.may").count() > 0
    expect(ann.find('.place[aria-label*="Ann"], .place[aria-label*="Yellow"]').first).to_be_attached()
    expect(ann.find(".board")).to_have_attribute("role", "group")


def test_only_those_who_play_have_a_banner(guests: Guests) -> None:
    ann = guests.come(**LIVELY).lobby()
    ann.set_up("dragons-cave", players=2)
    expect(ann.choices.first).to_be_visible()
    ann.settle()
    expect(ann.find("[data-mat]")).to_have_count(2)
    expect(ann.find('.place[data-place^="card-"]')).to_have_count(2)
    expect(ann.find(".figure.chest")).to_have_count(2)


# --- Touching -----------------------------------------------------------------------------------------------------
MARKED = """() => ({
  kinds: [...new Set([...document.querySelectorAll(".place.may")].map(({ dataset }) => dataset.mark))],
  rings: [...document.querySelectorAll(".glow .mark")].map(({ dataset }) => dataset.at).sort(),
  outlined: document.querySelectorAll(".figure.to-move").length,
  places: [...document.querySelectorAll(".place.may")].map(({ dataset }) => dataset.place).sort(),
})"""
"""What is marked: pieces to touch, or rings around targets."""


def moves_of(person: Person) -> list[int]:
    """The choices that a page sends from now on."""
    found: list[int] = []

    def hear(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "move":
            found.append(message["action"])

    person.page.on("websocket", lambda socket: socket.on("framesent", hear))
    person.page.reload()  # a socket is heard from its beginning
    expect(person.choices.first).to_be_visible()
    person.settle()
    return found


def test_pieces_to_touch_are_marked_or_targets_but_never_both(guests: Guests) -> None:
    ann = guests.come()
    begin(ann, "emerald")
    questions = set[str]()
    while len(questions) < 2:  # the first knight, and a second that may follow
        expect(ann.choices.first).to_be_visible()
        ann.settle()
        marked = ann.page.evaluate(MARKED)
        assert len(marked["kinds"]) <= 1
        if marked["kinds"] == ["piece"]:
            questions.add(ann.find(".prompt-panel h2").inner_text())
            assert marked["rings"] == [], "no target is marked before a piece is touched"
            assert marked["outlined"] >= len(marked["places"])
            touch_first(ann)
            marked = ann.page.evaluate(MARKED)
            assert marked["kinds"] == ["target"]
            assert marked["outlined"] == 0
        assert marked["rings"] == marked["places"]
        ann.choose()


def touch_first(person: Person) -> None:
    """Touch a piece; its ghost stands where it would go."""
    person.touch(person.find(".place.may").first)
    expect(person.find(".place.may[data-mark=target]").first).to_be_attached()
    expect(person.find(".hints .ghost").first).to_be_attached()


def test_a_knight_walks_with_two_clicks_and_is_put_down_with_escape(guests: Guests) -> None:
    ann = guests.come()
    begin(ann, "emerald")
    sent = moves_of(ann)
    touch_first(ann)
    ann.page.keyboard.press("Escape")
    expect(ann.find(".place.may[data-mark=piece]").first).to_be_attached()
    expect(ann.find(".hints .ghost")).to_have_count(0)
    touch_first(ann)
    before = ann.moment()
    ann.find(".place.may[data-mark=target]").first.click(force=True)
    ann.page.wait_for_selector(f".at-table:not([data-moment='{before}'])")
    assert len(sent) == 1


def test_a_move_of_two_points_is_one_click(guests: Guests) -> None:
    ann = guests.come()
    begin(ann, "gran")
    sent = moves_of(ann)
    far = ann.find(".mark.far").first.get_attribute("data-at") or ""
    before = int(ann.moment())
    ann.find(f".place[data-place='{far}']").click(force=True)
    ann.await_("before => Number(document.querySelector('.at-table').dataset.moment) >= before + 2", before)
    expect(ann.choices.first).to_be_visible()
    assert len(sent) == 2
    assert sent[1] == int(far)


NOTE_CHOICES = """
const send = WebSocket.prototype.send;
window.sent = [];
WebSocket.prototype.send = function (text) {
  if (String(text).includes('"type":"move"')) window.sent.push(performance.now());
  return send.call(this, text);
};
"""
"""Write down when the page makes a choice."""
FIRST_CHOICE = """() => {
  const button = document.querySelector("button.choice");
  button?.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = button?.getBoundingClientRect() ?? {};
  return button && [x + width / 2, y + height / 2];
}"""
"""Where the first choice is, whether it can be made now or not."""


@pytest.mark.parametrize("game", ["emerald", "dragons-cave", "gran", "save-the-dragon"])
def test_quick_clicks_and_taps_never_make_two_choices_within_the_dead_time(guests: Guests, game: str) -> None:
    ann = guests.come(**PHONE)
    ann.page.add_init_script(NOTE_CHOICES)
    begin(ann, game)
    for number in range(300):
        if ann.page.evaluate("window.sent.length") > 3:
            break
        spot = ann.page.evaluate(FIRST_CHOICE)
        tap = ann.page.mouse.click if number % 2 else ann.page.touchscreen.tap
        if spot:
            tap(*spot)
        else:
            expect(ann.find("button.choice").first).to_be_visible()
    sent: list[float] = ann.page.evaluate("window.sent")
    assert len(sent) > 2
    assert min(later - sooner for sooner, later in pairwise(sent)) >= 350


# --- Looking nearer ---------------------------------------------------------------------------------------------------
def test_a_board_is_looked_at_nearer_by_button_wheel_keys_and_dragged(guests: Guests) -> None:
    ann = guests.come(**LIVELY)
    begin(ann, "gran")
    whole = view(ann)
    ann.find(".look-nearer").click()
    near = view(ann)
    assert near[2] < whole[2] / 1.5
    rect = ann.find(".drawn").bounding_box()
    assert rect
    middle = (rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2)
    ann.page.mouse.move(*middle)
    ann.page.mouse.down()
    ann.page.mouse.move(middle[0] + 60, middle[1] + 90, steps=4)
    ann.page.mouse.up()
    dragged = view(ann)
    assert dragged[2:] == near[2:]
    assert dragged[1] < near[1]
    assert ann.find("dialog, .complaint").count() == 0  # that was no click
    ann.page.mouse.wheel(0, -200)
    ann.await_("wide => Number(document.querySelector('.drawn').getAttribute('viewBox').split(' ')[2]) < wide", near[2])
    ann.find(".look-nearer").click()
    assert view(ann) == whole
    ann.find(".board").focus()
    ann.page.keyboard.press("+")
    assert view(ann)[2] < whole[2]
    left = view(ann)[0]
    ann.page.keyboard.press("ArrowRight")
    assert view(ann)[0] > left
    ann.page.keyboard.press("-")
    assert view(ann) == whole


def test_two_fingers_spread_the_board(guests: Guests) -> None:
    ann = guests.come(**PHONE)
    begin(ann, "emerald")
    whole = view(ann)
    ann.find(".drawn").scroll_into_view_if_needed()
    rect = ann.find(".drawn").bounding_box()
    assert rect
    x, y = rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2
    finger = ann.context.new_cdp_session(ann.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": px, "y": py, "id": number} for number, (px, py) in enumerate(points)]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    touch("touchStart", (x - 20, y), (x + 20, y))
    for apart in (40, 60, 90):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")
    assert view(ann)[2] < whole[2] / 2
    assert ann.page.evaluate("visualViewport.scale") == 1


def test_a_tap_beside_a_small_place_means_it_and_only_a_second_chooses(guests: Guests) -> None:
    ann = guests.come(**PHONE)
    begin(ann, "gran")
    sent = moves_of(ann)
    ann.find(".drawn").scroll_into_view_if_needed()
    assert ann.page.evaluate(GAP) >= 40, "the board has come so near that fingers tell the points apart"
    key, x, y = ann.page.evaluate(BESIDE)
    ann.page.touchscreen.tap(x, y)
    expect(ann.find(".selected-choice .go")).to_be_visible()
    expect(ann.find(".hints .ghost")).to_have_count(1)
    assert ann.find(".place.may").count() > 1, "it is still asked"
    assert sent == []
    ann.page.touchscreen.tap(x, y)
    expect(ann.find(f".place[data-place='{key}'][aria-label*='Yellow']")).to_be_attached()
    assert sent


GAP = """() => {
  const unit = document.querySelector(".drawn").getScreenCTM();
  const may = [...document.querySelectorAll(".place.may")].map(({ dataset }) =>
    new DOMPoint(Number(dataset.x), Number(dataset.y)).matrixTransform(unit));
  return Math.min(...may.flatMap((one, number) =>
    may.slice(number + 1).map(({ x, y }) => Math.hypot(one.x - x, one.y - y))));
}"""
"""How many pixels lie between the nearest two marked places."""
BESIDE = """() => {
  const unit = document.querySelector(".drawn").getScreenCTM();
  const may = [...document.querySelectorAll(".place.may")].map((node) => {
    const { x, y } = new DOMPoint(Number(node.dataset.x), Number(node.dataset.y)).matrixTransform(unit);
    return { node, x, y };
  });
  const around = Array.from({ length: 16 }, (_, number) => (number * Math.PI) / 8);
  for (const { node, x, y } of may) {
    for (const turn of around) {
      const [px, py] = [x + 15 * Math.cos(turn), y + 15 * Math.sin(turn)];
      const far = (one) => Math.hypot(one.x - px, one.y - py);
      if (may.every((one) => one.node === node || far(one) > 24)) return [node.dataset.place, px, py];
    }
  }
  throw new Error("nowhere");
}"""
"""A point fifteen pixels from a place that may be chosen, and from no other so near."""


def test_a_phone_on_its_side_has_the_whole_board_in_sight(guests: Guests) -> None:
    ann = guests.come(**{**PHONE, "viewport": {"width": 844, "height": 390}})
    begin(ann, "gran")
    ann.find(".drawn").scroll_into_view_if_needed()
    rect = ann.find(".drawn").bounding_box()
    assert rect
    assert rect["height"] <= 390
    assert rect["height"] > 300
    assert ann.page.evaluate("document.documentElement.scrollWidth") == 844
    ann.choose()

"""People in front of the page: what they see and click."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.server.guests import Server

PATIENCE = 60_000  # milliseconds until a test gives up waiting
CALM, LIVELY = {"reduced_motion": "reduce"}, {"reduced_motion": "no-preference"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LANDSCAPE = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True}
TABLET = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}
SETTLED = """() => {
  const [board, table] = [".board", ".at-table"].map((name) => document.querySelector(name));
  return board && table && board.dataset.shown === table.dataset.known && !board.hasAttribute("data-moving")
    && !table.hasAttribute("data-telling") && !document.querySelector(".aid:not([hidden]) .choice-hints:empty");
}"""
"""Whether the board has caught up with the game, and the hints below the prompt have come."""
TOUCHED = """() => [".at-table", ".board"].map((name) => document.querySelector(name)?.dataset)
  .map((data) => [data?.moment, data?.zoom]).join() + [...document.querySelectorAll(".place.may")]
  .map(({ dataset }) => dataset.mark + dataset.place).join()
  + document.querySelectorAll(".choice-bubble, .hints > *").length
  + (document.querySelector(".selected-choice")?.textContent ?? "")"""
"""What a touch on the board may change."""
UNTIL = f"""(given) => new Promise((done, fail) => {{
  const condition = %s;
  const late = performance.now() + {PATIENCE};
  const look = async () => {{
    if (await condition(given)) done(true);
    else if (performance.now() > late) fail(new Error("it never came: " + condition));
    else setTimeout(look, 20);
  }};
  look();
}})"""
expect.set_options(timeout=PATIENCE)


class Person:
    """A person with a browser of their own."""

    def __init__(self, context: BrowserContext, server: Server, errors: list[str]) -> None:
        """Open an empty page; what goes wrong in it is written down."""
        self.server, self.context, self.errors = server, context, errors
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: errors.append(error.stack or f"{error.name}: {error.message}"))
        self.frames: list[str] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", lambda text: self.frames.append(str(text))))

    def another_tab(self, prepare: Callable[[Person], None] = lambda tab: None) -> Person:
        """Open the same address in another tab of the same browser."""
        tab = Person(self.context, self.server, self.errors)
        prepare(tab)
        return tab.at(self.page.url)

    def at(self, path: str) -> Person:
        """Open an address of the server."""
        self.page.goto(path if path.startswith("http") else self.server.url + path)
        return self

    def find(self, selector: str, **which: Any) -> Locator:
        """Find something on the page."""
        return self.page.locator(selector, **which)

    def await_(self, condition: str, given: Any = None) -> None:
        """Wait until a function in the page says yes; Playwright's own way of waiting needs what our page forbids."""
        self.page.evaluate(UNTIL % condition, given)

    def lobby(self) -> Person:
        """Open the lobby."""
        self.at("/")
        expect(self.find(".list").first).to_be_visible()
        return self

    def call_me(self, name: str) -> Person:
        """Enter the own name."""
        self.find(".me").click()
        self.find("#my-name").fill(name)
        self.find("dialog form button.main").click()
        expect(self.find(".me", has_text=name)).to_be_visible()
        return self

    def set_up(self, game: str, *seats: tuple[str, str], players: int | None = None) -> None:
        """Set up a game and seat people: kinds, with a name or a level; the first seat is mine."""
        self.find(f".game-card.{game} .set-up").click()
        if players:
            self.find(f"dialog input[name=players][value='{players}'] + span").click()
        for number, (kind, more) in enumerate(seats, 1):
            row = self.find(".seat-setup li").nth(number)
            row.locator("select").first.select_option(kind)
            if kind == "bot":
                row.locator("select").nth(1).select_option(more)
            elif more:
                row.locator("input").fill(more)
        self.find("dialog form button.main").click()
        self.page.wait_for_url("**/t/*")

    def open_panel(self, tab: str) -> None:
        """Open the log, the rules or the chat."""
        if self.find(".side-panel").is_hidden():
            if self.find(".table-tools .log").is_hidden():
                self.use_menu(tab)
                return
            self.find(".table-tools .log").click()
        self.find(f"#tab-{tab}").click()

    def use_menu(self, tool: str) -> None:
        """Open the menu of the table and click at something in it."""
        self.find(".tool.more").click()
        self.find(f".table-menu .tool-{tool}").click()

    @property
    def choices(self) -> Locator:
        """The buttons of what may be chosen now."""
        return self.find("button.choice:enabled")

    @property
    def scores(self) -> Locator:
        """The result, once the game is over."""
        return self.find(".scores")

    def choose(self, number: int = 0) -> None:
        """Wait for a prompt, choose, and wait until that is done: the prompt has gone or is another."""
        before = self.known()
        self.choices.nth(number).click()
        self.page.wait_for_selector(f".at-table:not([data-known='{before}'])")

    def choose_on_board(self, chance: random.Random) -> None:
        """Touch marked places, as a finger where the screen is touched, until a choice is made."""
        moment = self.moment()
        for _ in range(12):
            before = self.page.evaluate(TOUCHED)
            meant = self.find(".choice-bubble button").or_(self.find(".selected-choice .go")).first
            if meant.is_visible():
                meant.click()
            else:
                marked = self.find(".board .place.may")
                if marked.count():
                    self.touch(marked.nth(chance.randrange(marked.count())))
            late = time.monotonic() + 5  # on a busy machine the page may move under the finger: then one touches again
            while self.page.evaluate(TOUCHED) == before and time.monotonic() < late:
                self.page.wait_for_timeout(20)
            if self.moment() != moment or not self.find(".board .place.may").count():
                return
        raise AssertionError("twelve touches made no choice")

    def touch(self, place: Locator) -> None:
        """Touch a place in its middle; what stands there does not take the touch."""
        place.scroll_into_view_if_needed()
        if self.page.evaluate("navigator.maxTouchPoints"):
            place.tap(force=True)
        else:
            place.click(force=True)

    def moment(self) -> str:
        """How many moves the page shows."""
        return self.find(".at-table").get_attribute("data-moment") or ""

    def known(self) -> str:
        """How many moves the page knows of, shown or not."""
        return self.find(".at-table").get_attribute("data-known") or ""

    def settle(self) -> None:
        """Wait until the board shows the game as it is now, and nothing moves any more."""
        self.await_(SETTLED)

    def play(self) -> None:
        """Choose the first thing every time, until the game is over."""
        while not self.is_over():
            self.choose()

    def is_over(self) -> bool:
        """Wait for a prompt or the end of the game, and return whether it is over."""
        expect(self.choices.first.or_(self.scores).first).to_be_attached()
        return self.scores.count() > 0


class Guests:
    """The browsers of a test."""

    def __init__(self, browser: Browser, server: Server) -> None:
        """Begin without any browser."""
        self.browser, self.server = browser, server
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []

    def __enter__(self) -> Guests:
        """Return itself."""
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Close every browser; none may have met with an error."""
        for context in self.contexts:
            context.close()
        if kind is None:
            assert not self.errors, "the page met with errors:\n" + "\n".join(self.errors)

    def come(self, *, pace: str = "", choices: str = "list", **settings: Any) -> Person:
        """Open a browser: by default English, on a desktop, with reduced motion, all choices listed.

        Moves are shown at once, or fast where motion is wanted, unless `pace` names another.
        """
        # What a browser keeps for when the server is away is tested in test_install.py. Motion costs time.
        usual = {"locale": "en-GB", "viewport": {"width": 1440, "height": 900}, "service_workers": "block", **CALM}
        context = self.browser.new_context(**{**usual, **settings})
        moving = settings.get("reduced_motion") == LIVELY["reduced_motion"]
        for key, value in (("pace", pace or ("quick" if moving else "at-once")), ("choices", choices)):
            kept = f"'dracotheque.{key}'"
            context.add_init_script(f"localStorage.getItem({kept}) ?? localStorage.setItem({kept}, '{value}')")
        self.contexts.append(context)
        return Person(context, self.server, self.errors)

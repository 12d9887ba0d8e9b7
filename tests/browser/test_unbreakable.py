"""What goes wrong between people and a server: each time the page says what happened, and nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.browser.page_objects import Guests, Person

# A request is lost before it is answered, in the middle of the answer, or on a proxy that finds no server behind it.
LOSSES: dict[str, Callable[[Route], None]] = {
    "unanswered": lambda route: route.abort("connectionreset"),
    "cut": lambda route: route.fulfill(content_type="application/json", body='{"rules": ['),
    "proxy": lambda route: route.fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>"),
}


def test_two_tabs_show_the_same_table(guests: Guests) -> None:
    ann = at_emerald(guests)
    tab = ann.another_tab()
    expect(tab.choices.first).to_be_visible()
    assert tab.choices.all_inner_texts() == ann.choices.all_inner_texts()
    before = ann.moment()
    ann.choose()
    expect(tab.find(f".at-table:not([data-moment='{before}'])")).to_be_visible()
    expect(ann.choices.first).to_be_visible()
    expect(tab.find(".prompt-panel h2")).to_have_text(ann.find(".prompt-panel h2").inner_text())
    tab.choose()


def test_who_was_faster_is_said_and_the_game_goes_on(guests: Guests) -> None:
    ann = at_emerald(guests)
    slow = ann.another_tab(prepare := Slowly())
    expect(slow.choices.first).to_be_visible()
    prepare.hold()
    ann.choose()
    expect(ann.choices.first).to_be_visible()
    slow.choices.first.click()
    expect(slow.find(".complaint")).to_contain_text("Someone was faster")
    prepare.release()
    expect(slow.find(f".at-table[data-moment='{ann.moment()}']")).to_be_visible()
    expect(slow.choices).to_have_count(ann.choices.count())
    assert slow.choices.all_inner_texts() == ann.choices.all_inner_texts()
    slow.choose()


def test_back_to_the_lobby_and_forward_again(guests: Guests) -> None:
    ann = at_emerald(guests)
    ann.choose()
    expect(ann.choices.first).to_be_visible()
    question, moment = ann.find(".prompt-panel h2").inner_text(), ann.moment()
    ann.page.go_back()
    expect(ann.find(".list a.table-row.my-turn").first).to_be_visible()
    ann.page.go_forward()
    expect(ann.find(f".at-table[data-moment='{moment}'] .prompt-panel h2")).to_have_text(question)
    ann.choose()


def test_reload_in_the_middle_of_sealed_choices(guests: Guests) -> None:
    ann = guests.come().lobby().call_me("Ann").lobby()
    ann.set_up("dragons-cave", ("screen", "Ben"), ("screen", "Cem"))
    cover = ann.find("dialog.sealed")
    expect(cover).to_be_visible()
    first = cover.locator("h2").inner_text()
    cover.locator("button").click()
    chosen = ann.choices.first.locator("b").inner_text()
    ann.choices.first.click()
    expect(cover).to_be_visible()
    second = cover.locator("h2").inner_text()
    assert second != first

    ann.page.reload()
    expect(cover.locator("h2")).to_have_text(second)
    assert ann.choices.count() == 0
    assert chosen not in ann.page.content()
    cover.locator("button").click()
    expect(ann.choices.first).to_be_visible()
    ann.page.reload()  # the player who holds the screen now is not known
    expect(cover.locator("h2")).to_have_text(second)
    assert ann.choices.count() == 0
    cover.locator("button").click()
    ann.choose()


def test_a_table_that_is_not_there_leads_home(guests: Guests) -> None:
    ann = guests.come().at("/t/abcdefghijkm")
    expect(ann.find(".complaint")).to_be_visible()
    ann.find("main a.button").click()
    expect(ann.find(".game-card")).to_have_count(4)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_hint_that_was_lost_with_the_line_is_shown_when_it_is_back(guests: Guests, loss: str) -> None:
    ann = guests.come()
    line = Line(ann)
    for wanted in (re.compile("/rules/"), re.compile(r"/hints\?")):
        ann.page.route(wanted, LOSSES[loss])
    ann.context.add_init_script("localStorage.setItem('dracotheque.teach', 'yes')")
    ann.lobby().find(".game-card.emerald button.main").click()
    expect(ann.choices.first).to_be_visible()
    expect(ann.find(".choice-hints .kinds")).to_be_visible()
    assert ann.find(".choice-hints .rule-text").count() == 0
    ann.page.unroute_all()
    with ann.page.expect_response(re.compile(r"/hints\?")):
        line.break_()
        expect(ann.find(".choice-hints .rule-text .hint-rule")).to_be_visible()
    ann.open_panel("rules")
    expect(ann.find(".side-panel .rules .in-force")).to_be_visible()


def test_a_rulebook_that_is_lost_is_said_to_be_and_can_be_asked_for_again(guests: Guests) -> None:
    ann = guests.come().lobby()
    ann.page.route("**/rules/*", LOSSES["unanswered"])
    ann.find(".game-card.emerald .set-up").click()
    expect(ann.find(".complaint")).to_contain_text("Connection lost")
    assert ann.find("dialog").count() == 0
    ann.page.unroute_all()
    ann.find(".game-card.emerald .set-up").click()
    expect(ann.find("dialog.setup-dialog")).to_be_visible()


@pytest.mark.parametrize(
    "wanted", [r"/js/table-page\.js$", r"/emerald/board\.js$", r"/emerald/words/en$", r"/tables/\w+$"]
)
def test_a_page_that_was_lost_while_it_opened_is_opened_again(guests: Guests, wanted: str) -> None:
    ann = at_emerald(guests)
    ann.page.route(re.compile(wanted), LOSSES["unanswered"])
    ann.page.reload()
    expect(ann.find(".complaint")).to_be_visible()
    assert ann.choices.count() == 0
    ann.page.unroute_all()
    expect(ann.choices.first).to_be_visible()


@pytest.mark.parametrize("wanted", [r"/js/main\.js$", r"/js/dom\.js$"])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_page_without_its_scripts_says_so_and_is_opened_again(guests: Guests, wanted: str, loss: str) -> None:
    ann = guests.come(locale="fr-FR")
    ann.page.route(re.compile(wanted), LOSSES[loss])
    ann.at("/")
    expect(ann.find("#banner")).to_have_text(re.compile("^Serveur injoignable"))
    expect(ann.find("#banner")).to_have_attribute("lang", "fr")
    ann.page.unroute_all()
    expect(ann.find(".game-card")).to_have_count(4)
    expect(ann.find("#banner")).to_be_hidden()


def test_a_script_of_somebody_else_that_does_not_come_does_not_matter(guests: Guests) -> None:
    ann = at_emerald(guests)
    ann.page.evaluate("""() => new Promise((done) => {
      const script = Object.assign(document.createElement("script"), { src: "/page/js/nowhere.js", onerror: done });
      document.head.append(script);
    })""")
    assert ann.find("#banner").is_hidden()


def at_emerald(guests: Guests) -> Person:
    """Let somebody sit down with bots, up to the first question."""
    ann = guests.come().lobby()
    ann.find(".game-card.emerald button.main").click()
    expect(ann.choices.first).to_be_visible()
    return ann


class Line:
    """A person's line to a table, which can be broken; the page opens another by itself."""

    def __init__(self, person: Person) -> None:
        """Stand between a person and the server."""
        self.open: list[WebSocketRoute] = []
        person.page.route_web_socket(re.compile(r"/live\?"), self.between)

    def between(self, page: WebSocketRoute) -> None:
        """Pass everything on."""
        page.connect_to_server()
        self.open.append(page)

    def break_(self) -> None:
        """Break the line that is open now."""
        self.open.pop().close()


class Slowly:
    """A line on which nothing of what happens at the table arrives for a while; answers do."""

    def __init__(self) -> None:
        """Let everything through."""
        self.held: list[Callable[[], None]] | None = None

    def __call__(self, person: Person) -> None:
        """Stand between a person and the server."""
        person.page.route_web_socket(re.compile(r"/live\?"), self.between)

    def between(self, page: WebSocketRoute) -> None:
        """Pass on what both say, what happens at the table only when it is not held back."""
        server = page.connect_to_server()
        page.on_message(server.send)
        server.on_message(lambda text: self.pass_on(page, text))

    def pass_on(self, page: WebSocketRoute, text: str | bytes) -> None:
        """Bring something to the page, now or later."""
        if self.held is not None and '"type":"update"' in str(text):
            self.held.append(lambda: page.send(text))
        else:
            page.send(text)

    def hold(self) -> None:
        """Hold back from now on."""
        self.held = []

    def release(self) -> None:
        """Let everything arrive, in its order."""
        held, self.held = self.held or [], None
        for bring in held:
            bring()

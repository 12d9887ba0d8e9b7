"""The end of a game in a browser: the score sheet, the moments that mattered, the replay, links, dice of a file."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from dracotheque.engine import registry
from dracotheque.engine.phrases import game_words
from dracotheque.server.identity import COOKIE
from tests.browser.page_objects import LIVELY, PHONE, Guests, Person
from tests.server.guests import HATCHLING, ME, OPEN, Guest, Server

LOW = """() => [...document.querySelectorAll("main button, main a.button, main select")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest("[aria-hidden=true]")
    && each.getAttribute("aria-hidden") !== "true" && each.getBoundingClientRect().height < 43.5)
  .map((each) => each.outerHTML)"""


class Finished:
    """A table at which Ann has played a game to its end, and which people can look at."""

    def __init__(self, server: Server, game: str, players: int, seed: int = 1) -> None:
        """Play it."""
        self.ann = Guest(server, "Ann")
        self.table = self.ann.open(game, ME, *[HATCHLING] * (players - 1))
        with self.ann.socket(self.table) as seat:
            seat.play(random.Random(seed))
            assert seat.result is not None
            self.result: dict[str, Any] = seat.result
            self.moves: int = self.ann.get(f"/api/tables/{self.table}")["move_number"]

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/t/{self.table}"

    def seen_by(self, person: Person, more: str = "", guest: Guest | None = None) -> Person:
        """Let somebody open it as Ann, or as somebody else."""
        cookie = (guest or self.ann).cookie
        person.context.add_cookies([{"name": COOKIE, "value": cookie, "url": person.server.url}])
        return person.at(self.path + more)


@pytest.fixture(scope="module")
def cave(server: Server) -> Finished:
    """A game of Dragon's Cave that is over."""
    return Finished(server, "dragons-cave", 3)


def where(person: Person) -> str:
    """What the replay says about where it is."""
    return person.find(".replaying label").first.inner_text()


def expect_move(person: Person, move: int, moves: int) -> None:
    """Wait until the replay stands after a move, and its address names it."""
    expect(person.find(".replaying label").first).to_contain_text(f"After move {move} of {moves}")
    person.await_(f"() => new URLSearchParams(location.search).get('move') === '{move}'")


# --- The score ------------------------------------------------------------------------------------------------------
def test_the_score_is_laid_out_and_every_row_opens_its_rule(guests: Guests, cave: Finished) -> None:
    ann = cave.seen_by(guests.come())
    expect(ann.scores).to_be_visible()
    assert ann.find(".scores thead small").all_inner_texts()[0] == "Ann"
    rows = ann.find(".scores tbody tr").evaluate_all(
        "rows => rows.map((row) => [row.className, ...[...row.cells].slice(1).map((cell) => cell.innerText)])"
    )
    points = [[0 if each == "–" else int(each) for each in row[1:]] for row in rows if row[0] == "points"]
    (total,) = [[int(each) for each in row[1:]] for row in rows if row[0] == "total"]
    assert [sum(column) for column in zip(*points, strict=True)] == total == cave.result["scores"]
    expect(ann.find(".scores thead .won")).to_have_count(len(cave.result["winners"]))
    ann.find(".scores tbody button").first.click()
    expect(ann.find("#rule-score\\.count")).to_be_in_viewport()


def test_the_sentence_says_who_has_won(guests: Guests, server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("emerald", ME, OPEN)
    ben.sit(table)
    ben.do(table, "resign", seat=1)
    said = [(ann, "Ben resigned. You win."), (ben, "You resigned. Ann wins."), (None, "Ben resigned. Ann wins.")]
    for guest, sentence in said:
        person = guests.come()
        if guest:
            person.context.add_cookies([{"name": COOKIE, "value": guest.cookie, "url": person.server.url}])
        expect(person.at(f"/t/{table}").find(".result h2")).to_have_text(sentence)
        expect(person.find(".result")).to_contain_text("Score at that point.")
        assert person.find(".scores .tie").count() == 0


VERDICTS = {
    "en": r"(2nd|3rd) of 3 – \d+ coins?, (\d+ )?behind (Red|Purple).*\.",
    "fr": r"[23]e sur 3 avec \d+\u00a0pièces?.*(Rouge|Violet).*\.",
    "it": r"[23]º posto su 3 con \d+\u00a0monet[ae].*(Rosso|Viola).*\.",
    "de": r"Platz [23] von 3 mit \d+\u00a0Münzen? – .*hinter (Rot|Lila).*\.",
}


@pytest.mark.parametrize("language", VERDICTS)
def test_the_end_in_every_language_on_a_phone(guests: Guests, server: Server, language: str, cave: Finished) -> None:
    ann = cave.seen_by(guests.come(**PHONE, locale=language))
    expect(ann.find(".analysis .key-moments, .analysis > p:not([role])").first).to_be_visible()
    if cave.result["winners"] in ([1], [2]):
        expect(ann.find(".result h2")).to_have_text(re.compile(VERDICTS[language]))
    shown = ann.find("main").inner_text()
    assert not re.findall(r"\b(?:end|moment|replay|score|event)\.[a-z-]+", shown)
    assert ann.page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    assert ann.page.evaluate(LOW) == []
    ann.find("button.replay").click()
    expect(ann.find(".replaying")).to_be_visible()
    assert ann.page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    assert ann.page.evaluate(LOW) == []


SENTENCES = {
    "en": [
        "Red wins with 9 coins, 2 more than Ann.",
        "Red wins with 9 coins, 2 more than Ann and Purple.",
        "Red wins with 9 coins on the tiebreak: {tie}.",
        "Ann and Purple share the victory with 9 coins each.",
        "You win by 1 coin!",
        "You win with 9 coins on the tiebreak: {tie}.",
        "2nd of 3 – 7 coins, 2 behind Red.",
        "3rd of 3 – 3 coins, 6 behind Red and Purple.",
        "2nd of 3 – 9 coins, behind Red on the tiebreak: {tie}.",
        "You share the victory with Purple (9 coins each).",
    ],
    "fr": [
        "Rouge gagne avec 9\u00a0pièces\u202f; Ann en a 2 de moins.",
        "Rouge gagne avec 9\u00a0pièces\u202f; Ann et Violet en ont 2 de moins.",
        "Rouge gagne avec 9\u00a0pièces au départage ({tie}).",
        "Ann et Violet partagent la victoire avec 9\u00a0pièces.",
        "Vous gagnez avec 1\u00a0pièce d’avance\u202f!",
        "Vous gagnez avec 9\u00a0pièces au départage ({tie}).",
        "2e sur 3 avec 7\u00a0pièces\u202f; Rouge en a 2 de plus.",
        "3e sur 3 avec 3\u00a0pièces\u202f; Rouge et Violet en ont 6 de plus.",
        "2e sur 3 avec 9\u00a0pièces, derrière Rouge au départage ({tie}).",
        "Vous partagez la victoire avec Violet (9\u00a0pièces).",
    ],
    "it": [
        "Rosso vince con 9\u00a0monete; Ann ne ha 2 in meno.",
        "Rosso vince con 9\u00a0monete; Ann e Viola ne hanno 2 in meno.",
        "Rosso vince con 9\u00a0monete allo spareggio ({tie}).",
        "Ann e Viola condividono la vittoria con 9\u00a0monete a testa.",
        "Vinci con 1\u00a0moneta di vantaggio!",
        "Vinci con 9\u00a0monete allo spareggio ({tie}).",
        "2º posto su 3 con 7\u00a0monete; Rosso ne ha 2 in più.",
        "3º posto su 3 con 3\u00a0monete; Rosso e Viola ne hanno 6 in più.",
        "2º posto su 3 con 9\u00a0monete, dietro Rosso allo spareggio ({tie}).",
        "Condividi la vittoria con Viola (9\u00a0monete a testa).",
    ],
    "de": [
        "Rot gewinnt mit 9\u00a0Münzen, 2 mehr als Ann.",
        "Rot gewinnt mit 9\u00a0Münzen, 2 mehr als Ann und Lila.",
        "Rot gewinnt mit 9\u00a0Münzen nach Gleichstand ({tie}).",
        "Ann und Lila teilen sich den Sieg mit je 9\u00a0Münzen.",
        "Du gewinnst mit 1\u00a0Münze Vorsprung!",
        "Du gewinnst mit 9\u00a0Münzen nach Gleichstand ({tie}).",
        "Platz 2 von 3 mit 7\u00a0Münzen – 2\u00a0hinter Rot.",
        "Platz 3 von 3 mit 3\u00a0Münzen – 6\u00a0hinter Rot und Lila.",
        "Platz 2 von 3 mit 9\u00a0Münzen – nach Gleichstand hinter Rot ({tie}).",
        "Du teilst dir den Sieg mit Lila (mit je 9\u00a0Münzen).",
    ],
}
RESULTS: list[tuple[list[int], list[int], list[int]]] = [
    ([7, 9, 3], [1], []),
    ([7, 9, 7], [1], []),
    ([9, 9, 3], [1], []),
    ([9, 3, 9], [0, 2], []),
    ([1, 0, 0], [0], [0]),
    ([9, 9, 3], [0], [0]),
    ([7, 9, 3], [1], [0]),
    ([3, 9, 9], [1, 2], [0]),
    ([9, 9, 3], [1], [0]),
    ([9, 3, 9], [0, 2], [0]),
]
"""Scores, winners, and which seat is mine."""
RESULT_RULES = """async ([scores, winners, mine]) => {
  const { resultText } = await import("/page/js/result-text.js");
  const { TablePage } = await import("/page/js/table-page.js");
  const { name } = TablePage.prototype;
  const seats = ["lion", "tower", "star"].map((crest, seat) => seat ? { crest, kind: "bot" }
    : { crest, kind: "person", name: "Ann" });
  const rows = [{ kind: "tie", phrase: ["score.tie_place"], rule: "", counts: [] }];
  const shown = { table: { game: "dragons-cave" }, seats, result: { scores, winners } };
  return resultText({ shown, mine, name }, rows);
}"""


@pytest.mark.parametrize("language", SENTENCES)
def test_the_verdict_reads_well_in_every_language(guests: Guests, cave: Finished, language: str) -> None:
    ann = cave.seen_by(guests.come(locale=language))
    expect(ann.scores).to_be_visible()
    tie = game_words(registry.games()["dragons-cave"], language).entry("score.tie_place")
    expected = [sentence.format(tie=tie) for sentence in SENTENCES[language]]
    assert [ann.page.evaluate(RESULT_RULES, list(result)) for result in RESULTS] == expected


def test_five_columns_fit_on_a_phone(guests: Guests, server: Server) -> None:
    table = Finished(server, "emerald", 5)
    ann = table.seen_by(guests.come(**PHONE, locale="de"))
    expect(ann.find(".scores thead th")).to_have_count(5)
    assert ann.page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    last = ann.find(".scores thead th").last.bounding_box()
    assert last
    assert last["x"] + last["width"] <= PHONE["viewport"]["width"]


def test_who_wants_no_motion_sees_no_sparks(guests: Guests, cave: Finished) -> None:
    lively = cave.seen_by(guests.come(**LIVELY))
    expect(lively.find(".laurel .spark").first).to_be_attached()
    assert lively.page.evaluate("getComputedStyle(document.querySelector('.sparks')).display") != "none"
    calm = cave.seen_by(guests.come(reduced_motion="reduce"))
    expect(calm.find(".laurel .leaf").first).to_be_visible()
    assert calm.page.evaluate("getComputedStyle(document.querySelector('.sparks')).display") == "none"


# --- The moments ----------------------------------------------------------------------------------------------------
def own_first(moments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the moments in the order that Ann sees: her decisions, what changed her chances, the others."""
    return sorted(moments, key=lambda moment: 0 if moment["player"] == 0 else 1 if moment["seat"] == 0 else 2)


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1440, "height": 900}}, PHONE], ids=["desk", "phone"])
def test_how_i_did_my_moment_and_another_game_are_seen_at_once(
    guests: Guests, cave: Finished, screen: dict[str, Any]
) -> None:
    moments = own_first(cave.ann.get(f"/api/tables/{cave.table}/analysis")["moments"])
    ann = cave.seen_by(guests.come(**screen))
    first = ann.find(".first-moment .key-moment")
    expect(first).to_contain_text(f"move {moments[0]['move']}")
    seen = [ann.find(".result h2"), first, ann.find(".result .main"), ann.find(".next-game .harder")]
    for part in [*seen, *([] if screen is PHONE else [ann.find(".curve .field")])]:
        expect(part).to_be_in_viewport(ratio=1)
    expect(ann.find(".result .main")).to_have_text("Rematch")
    expect(ann.find(".scores thead small").first).to_have_text("Ann")
    expect(ann.find(".curve .own")).to_have_class("win-share seat-0 own")


def test_a_level_higher_seats_better_bots_one_seat_further(guests: Guests, cave: Finished) -> None:
    ann = cave.seen_by(guests.come())
    ann.find(".next-game .harder").click()
    ann.page.wait_for_url(re.compile(rf"/t/(?!{cave.table})"))
    expect(ann.find(".seat").nth(1)).to_contain_text("Ann")
    expect(ann.find(".seat small", has_text="Bot · Easy")).to_have_count(2)


def test_a_result_is_passed_on_with_the_link_of_its_replay(guests: Guests, cave: Finished) -> None:
    ann = guests.come(permissions=["clipboard-read", "clipboard-write"])
    ann.page.add_init_script("Object.defineProperty(navigator, 'share', { value: undefined })")
    cave.seen_by(ann)
    ann.find("button.share").click()
    expect(ann.find("button.share")).to_have_text("Copied")
    text = ann.page.evaluate("navigator.clipboard.readText()")
    assert text.endswith(f"{cave.path}?move=0")
    assert "coin" in text


def test_a_key_moment_is_described_drawn_and_replayed(guests: Guests, cave: Finished) -> None:
    ann = cave.seen_by(guests.come())
    found = cave.ann.get(f"/api/tables/{cave.table}/analysis")
    assert found["moments"], "a game of guesses has its moments"
    expect(ann.find(".curve .win-share")).to_have_count(3)
    expect(ann.find(".curve svg[role=img]")).to_have_attribute("aria-label", re.compile("Ann: .*% at the start"))
    expect(ann.find(".analysis .key-moment")).to_have_count(len(found["moments"]))
    ann.find(".to-analysis").click()
    expect(ann.find("#analysis")).to_be_focused()
    expect(ann.find("#analysis h2")).to_be_in_viewport()

    moment = own_first(found["moments"])[0]
    ann.find(".first-moment .key-moment").press("Enter")
    expect_move(ann, moment["move"], cave.moves)
    expect(ann.find(".board[data-shown]")).to_have_attribute("data-shown", str(moment["move"]))
    expect(ann.find(".replaying .marks i")).to_have_count(len(found["moments"]))
    expect(ann.find(".curve .cursor")).to_be_visible()
    expect(ann.find(".caption span").first).to_be_visible()


def test_a_click_on_the_curve_goes_there(guests: Guests, cave: Finished) -> None:
    ann = cave.seen_by(guests.come())
    field = ann.find(".curve .field")
    rect = field.bounding_box()
    assert rect
    field.click(position={"x": rect["width"] - 1, "y": rect["height"] / 3})
    expect_move(ann, cave.moves, cave.moves)


def test_a_fall_that_mattered_is_seen_from_its_beginning_to_its_end(guests: Guests, server: Server) -> None:
    for _ in range(30):  # most games have such a fall
        game = Finished(server, "save-the-dragon", 2)
        moments = game.ann.get(f"/api/tables/{game.table}/analysis")["moments"]
        moments = own_first(moments)
        falls = [number for number, moment in enumerate(moments) if moment["move"] - moment["since"] > 2]
        if falls:
            break
    else:
        pytest.fail("no fall mattered in thirty games")
    ann = game.seen_by(guests.come(**LIVELY))
    since, last = moments[falls[0]]["since"], moments[falls[0]]["move"]
    expect(ann.find(".analysis .key-moment").first).to_be_visible()
    ann.find(".at-table").evaluate(
        "(it) => { window.seen = []; it.addEventListener('replay', ({ detail }) => window.seen.push(detail)); }"
    )
    ann.find(".analysis .key-moment").nth(falls[0]).click()
    expect_move(ann, last, game.moves)
    expect(ann.find(".board")).to_have_attribute("data-falls", "1")
    ann.page.wait_for_timeout(1_500)  # it holds there
    assert ann.page.evaluate("window.seen") == [*range(since, last + 1)]
    expect(ann.find(".step-run")).to_be_visible()
    for better in ann.find(".key-moment .better").all_inner_texts():
        assert better.startswith("Better: "), "the Oracle knows it"


# --- The replay -----------------------------------------------------------------------------------------------------
def test_the_replay_is_driven_by_keys_slider_and_buttons(guests: Guests, cave: Finished) -> None:
    ann = cave.seen_by(guests.come())
    ann.find("button.replay").click()
    expect_move(ann, 0, cave.moves)
    press = ann.page.keyboard.press
    ann.find(".replaying h2").click()
    press("ArrowRight")
    press("ArrowRight")
    expect_move(ann, 2, cave.moves)
    press("ArrowLeft")
    expect_move(ann, 1, cave.moves)
    press("End")
    expect_move(ann, cave.moves, cave.moves)
    press("Home")
    expect_move(ann, 0, cave.moves)
    press(" ")
    expect(ann.find(".step-hold")).to_be_visible()
    expect_move(ann, 2, cave.moves)
    press(" ")
    expect(ann.find(".step-run")).to_be_visible()

    slider = ann.find(".replaying input[type=range]")
    slider.focus()
    slider.evaluate("(it) => { it.value = 7; it.dispatchEvent(new Event('input', { bubbles: true })); }")
    expect_move(ann, 7, cave.moves)
    expect(slider).to_be_focused()
    slider.press("ArrowRight")
    expect_move(ann, 8, cave.moves)
    assert slider.get_attribute("aria-valuetext") == f"After move 8 of {cave.moves}"
    ann.find(".step-last").click()
    expect_move(ann, cave.moves, cave.moves)
    ann.find(".step-first").click()
    expect_move(ann, 0, cave.moves)
    ann.find(".speed").nth(2).click()
    expect(ann.find(".speed[aria-pressed=true]")).to_have_text("2\u00a0×")


def test_the_way_back_leads_out_of_the_replay_in_one_step(guests: Guests, cave: Finished) -> None:
    ann = cave.seen_by(guests.come())
    ann.find("button.replay").click()
    for move in (1, 2, 3):
        ann.find(".step-on").click()
        expect_move(ann, move, cave.moves)
    ann.page.go_back()
    expect(ann.scores).to_be_visible()
    assert ann.page.url.endswith(cave.path)
    ann.page.go_forward()
    expect_move(ann, 3, cave.moves)
    ann.find(".step-end").click()
    expect(ann.scores).to_be_visible()
    assert ann.page.url.endswith(cave.path)


def test_a_link_to_a_moment_opens_it_from_that_seat(guests: Guests, cave: Finished) -> None:
    ann = guests.come(permissions=["clipboard-read", "clipboard-write"])
    cave.seen_by(ann)
    ann.find("button.replay").click()
    ann.find(".replaying select").select_option("1")
    for move in (1, 2, 3, 4):
        ann.find(".step-on").click()
        expect_move(ann, move, cave.moves)
    ann.find(".copy-link").click()
    expect(ann.find(".copy-link")).to_have_text("Copied")
    link = ann.page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"{cave.path}?move=4&seat=1")

    ben = guests.come().at(link)
    expect_move(ben, 4, cave.moves)
    expect(ben.find(".replaying select")).to_have_value("1")
    expect(ben.find(".board[data-shown='4'] .figure").first).to_be_attached()
    ben.page.reload()
    expect_move(ben, 4, cave.moves)
    ben.page.go_back()
    expect(ben.scores).to_be_visible()


def test_a_link_to_a_game_under_way_opens_the_table(guests: Guests, server: Server) -> None:
    guest = Guest(server, "Ann")
    table = guest.open("dragons-cave", ME, HATCHLING, HATCHLING)
    ann = guests.come()
    ann.context.add_cookies([{"name": COOKIE, "value": guest.cookie, "url": ann.server.url}])
    ann.at(f"/t/{table}?move=2&seat=1")
    expect(ann.choices.first).to_be_visible()
    assert ann.find(".replaying").count() == 0


@pytest.mark.parametrize("asked", ["?move=999999", "?move=-3", "?move=abc", "?move=3&seat=77", "?seat=1"])
def test_a_wrong_link_does_no_harm(guests: Guests, cave: Finished, asked: str) -> None:
    ann = cave.seen_by(guests.come(), asked)
    expect(ann.find(".replaying, .scores").first).to_be_visible()
    if asked == "?move=999999":
        expect_move(ann, cave.moves, cave.moves)


# --- Dice and bots --------------------------------------------------------------------------------------------------
def test_a_downloaded_log_is_checked_here(guests: Guests, cave: Finished, tmp_path: Path) -> None:
    ann = cave.seen_by(guests.come())
    with ann.page.expect_download() as download:
        ann.find("a[download]").click()
    log, other = tmp_path / "game.json", tmp_path / "letter.json"
    download.value.save_as(log)
    ann.use_menu("dice")
    ann.find("#log-file").set_input_files(log)
    expect(ann.find(".verify .verdict.fair")).to_have_text("The dice were fair.")
    expect(ann.find(".verify")).to_contain_text(f"game.json, game {cave.table}")
    for text in ("Dear Ann", "{}", log.read_text("utf-8").replace('"seed": "', '"seed": "0', 1)):
        other.write_text(text, "utf-8")
        ann.find("#log-file").set_input_files(other)
        expect(ann.find(".verify .verdict.unfair")).to_contain_text("not the log of a finished game")
    log.write_text(re.sub(r'"commit": "[^"]*"', f'"commit": "{"0" * 64}"', log.read_text("utf-8")), "utf-8")
    ann.find("#log-file").set_input_files(log)
    expect(ann.find(".verify .verdict.unfair")).to_have_text("The dice do not match the published fingerprint.")


def test_the_bot_that_stands_in_for_me_has_the_level_i_choose(guests: Guests, server: Server) -> None:
    guest, other = Guest(server, "Ann"), Guest(server, "Ben")
    table = guest.open("emerald", ME, OPEN)
    other.sit(table)
    ann = guests.come()
    ann.context.add_cookies([{"name": COOKIE, "value": guest.cookie, "url": ann.server.url}])
    ann.at(f"/t/{table}")
    ann.find(".seat.mine summary").click()
    ann.find(".seat.mine .menu select").select_option("hatchling")
    ann.find(".seat.mine .menu button").click()
    expect(ann.find(".seat.mine small")).to_contain_text("bot playing instead (Beginner)")

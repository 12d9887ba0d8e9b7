"""Take the pictures of the page in docs/pictures: a real server, a real browser, some moves played.

python tools/draw_pages.py [GAME ...]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import find  # noqa: E402
from tests.browser.page_objects import LIVELY, PHONE, Guests, Person  # noqa: E402
from tests.server.guests import Server, serving  # noqa: E402

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
PLAYERS = {"emerald": 3, "dragons-cave": 4, "gran": 4, "save-the-dragon": 4}
MOVES = {"emerald": 12, "dragons-cave": 5, "gran": 14, "save-the-dragon": 3}
LIGHTS = {"": "light", "-night": "dark"}
QUALITY = 86
OPEN = """async ([game, players]) => {
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot", level: "squire" }));
  const seats = [{ kind: "me", name: "Ann" }, ...bots];
  const headers = { "content-type": "application/json" };
  const answer = await fetch("/api/tables", { method: "POST", headers, body: JSON.stringify({ game, seats }) });
  return (await answer.json()).table;
}"""


def main() -> None:
    """Take the pictures that were asked for, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(PLAYERS))
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "tables.db") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        if not chosen.games:
            take_lobby(browser, server)
        for game in chosen.games or PLAYERS:
            take_table(browser, server, game)
        browser.close()


def take_lobby(browser: Browser, server: Server) -> None:
    """Take the lobby by day and by night."""
    with Guests(browser, server) as guests:
        for name, light in LIGHTS.items():
            ann = guests.come(color_scheme=light).lobby()
            keep(ann, f"page-shelf{name}")


def take_table(browser: Browser, server: Server, game: str) -> None:
    """Play some moves of a game, and take it by day, by night and on a phone."""
    with Guests(browser, server) as guests:
        ann = guests.come(**LIVELY, color_scheme="light").lobby()
        table = ann.page.evaluate(OPEN, [game, PLAYERS[game]])
        ann.at(f"/t/{table}")
        if ann.find(".tool-hints[aria-pressed=true]").count():
            ann.find(".tool-hints").click()
        for number in range(MOVES[game]):
            expect(ann.choices.first).to_be_visible()
            ann.choose(number % ann.choices.count())
        settle(ann)
        keep(ann, f"page-{game}")
        ann.find(".theme").click()
        settle(ann)
        keep(ann, f"page-{game}-night")
        ann.page.set_viewport_size(PHONE["viewport"])
        ann.find(".theme").click()
        settle(ann)
        keep(ann, f"page-{game}-phone")


def settle(person: Person) -> None:
    """Wait until the board shows what is asked about, and everything stands still."""
    expect(person.choices.first).to_be_visible()
    person.page.wait_for_selector(f".board[data-shown='{person.moment()}']:not([data-moving])", state="attached")
    person.page.wait_for_timeout(2_500)  # fonts, and what lies before the seats


def keep(person: Person, name: str) -> None:
    """Write a picture."""
    file = PICTURES / f"{name}.jpg"
    person.page.screenshot(path=file, type="jpeg", quality=QUALITY)
    print(f"Taken: {file.name}, {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()

"""Take the pictures of the page in docs/pictures: a real server, a real browser, some moves played.

python docs/draw_pages.py [GAME ...]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import find  # noqa: E402
from tests.server.guests import Server, serving  # noqa: E402

PICTURES = Path(__file__).with_name("pictures")
PLAYERS = {"emerald": 3, "dragons-cave": 4, "gran": 4, "save-the-dragon": 4}
MOVES = 12
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
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "tables.db") as server:
        for game in chosen.games or PLAYERS:
            take(server, game)


def take(server: Server, game: str) -> None:
    """Play some moves of a game and take a picture of the page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light", locale="en")
        page.goto(server.url)
        table = page.evaluate(OPEN, [game, PLAYERS[game]])
        page.goto(f"{server.url}/t/{table}")
        page.wait_for_selector("svg.drawn .figure", state="attached")
        for number in range(MOVES):
            choose(page, number)
        page.wait_for_timeout(1500)  # the last piece is on its way
        file = PICTURES / f"page-{game}.png"
        page.screenshot(path=file)
        print(f"Taken: {file.name}")
        browser.close()


def choose(page: Page, number: int) -> None:
    """Make one of the choices, when it is our turn."""
    page.wait_for_selector("button.choice:enabled")
    choices = page.locator("button.choice:enabled")
    moment = page.locator(".at-table").get_attribute("data-moment")
    choices.nth(number % choices.count()).click()
    page.wait_for_function("before => document.querySelector('.at-table').dataset.moment !== before", arg=moment)


if __name__ == "__main__":
    main()

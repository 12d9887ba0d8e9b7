"""Take the pictures of the page in docs/pictures: a real server, a real browser, some moves played.

python tools/draw_pages.py [GAME ...]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from dracotheque.server.identity import COOKIE  # noqa: E402
from tests.browser.page_objects import LIVELY, PHONE, Guests, Person  # noqa: E402
from tests.server.guests import ME, SQUIRE, Guest, Server, serving  # noqa: E402
from tools.look import KNOWS_THE_GOAL, browsing, settle  # noqa: E402

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
PLAYERS = {"emerald": 3, "dragons-cave": 4, "gran": 4, "save-the-dragon": 4}
MOVES = {"emerald": 12, "dragons-cave": 5, "gran": 14, "save-the-dragon": 3}
LIGHTS = {"": "light", "-night": "dark"}
QUALITY = 86


def main() -> None:
    """Take the pictures that were asked for, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(PLAYERS))
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        browsing() as browser,
        serving(Path(folder) / "tables.db") as server,
    ):
        if not chosen.games:
            take_lobby(browser, server)
        for game in chosen.games or PLAYERS:
            take_table(browser, server, game)


def take_lobby(browser: Browser, server: Server) -> None:
    """Take the lobby by day and by night."""
    with Guests(browser, server) as guests:
        for name, light in LIGHTS.items():
            ann = guests.come(color_scheme=light).lobby()
            keep(ann, f"page-shelf{name}")


def take_table(browser: Browser, server: Server, game: str) -> None:
    """Play some moves of a game, and take it by day, by night and on a phone."""
    guest = Guest(server, "Ann")
    table = guest.open(game, ME, *[SQUIRE] * (PLAYERS[game] - 1))
    with guest.socket(table) as seat, Guests(browser, server) as guests:
        for number in range(MOVES[game] + 1):
            while not seat.choices():
                seat.receive()
            if number < MOVES[game]:
                seat.choose(seat.choices()[number % len(seat.choices())])
        ann = guests.come(**LIVELY, choices="board", color_scheme="light").at("/healthz")
        ann.page.evaluate(KNOWS_THE_GOAL, game)
        ann.context.add_cookies([{"name": COOKIE, "value": guest.cookie, "url": server.url}])
        stand(ann.at(f"/t/{table}"))
        keep(ann, f"page-{game}")
        ann.find(".theme").click()
        stand(ann)
        keep(ann, f"page-{game}-night")
        ann.page.set_viewport_size(PHONE["viewport"])
        ann.page.evaluate("document.querySelector('.theme').click()")  # on a phone the head has no room for it
        stand(ann)
        keep(ann, f"page-{game}-phone")


def stand(person: Person) -> None:
    """Wait until the board shows what is asked about, and everything stands still."""
    settle(person)
    person.page.wait_for_timeout(2_500)  # fonts, and what lies before the seats


def keep(person: Person, name: str) -> None:
    """Write a picture."""
    file = PICTURES / f"{name}.jpg"
    person.page.screenshot(path=file, type="jpeg", quality=QUALITY)
    print(f"Taken: {file.name}, {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()

"""The installed page: what it says when the server is away, and that it never keeps an old page or a secret."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from dracotheque.server.static import PAGE
from tests.browser.page_objects import Guests, Person
from tests.server.guests import Server

SETTLED = """async () => {
  const { active } = await navigator.serviceWorker.ready;
  return active.state === "activated" && navigator.serviceWorker.controller !== null;
}"""
REPLACED = """async (before) => {
  const names = await caches.keys();
  return names.length === 1 && names[0] !== before;
}"""
AWAY = {
    "en": "Can’t reach the server",
    "fr": "Serveur injoignable",
    "it": "Server non raggiungibile",
    "de": "Server nicht erreichbar",
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    running = Server(tmp_path / "tables.db").start()
    yield running
    running.kill()
    running.log.unlink(missing_ok=True)


def settled(guests: Guests, **settings: str) -> Person:
    """Let somebody come whose browser keeps the page."""
    person = guests.come(service_workers="allow", **settings).lobby()
    person.await_(SETTLED)
    return person


def test_the_page_can_be_installed(server: Server) -> None:
    page = httpx.get(server.url).text
    assert '<link rel="manifest" href="/page/manifest.webmanifest" />' in page
    answer = httpx.get(f"{server.url}/page/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert manifest["start_url"] == manifest["scope"] == "/"
    assert {"any", "maskable"} == {icon["purpose"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        found = httpx.get(server.url + icon["src"])
        assert found.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            size = f"{int.from_bytes(found.content[16:20])}x{int.from_bytes(found.content[20:24])}"
            assert size == icon["sizes"]


@pytest.mark.parametrize("language", AWAY)
def test_a_server_that_is_away_is_said_to_be_and_the_page_comes_back(
    chromium: Browser, server: Server, language: str
) -> None:
    with Guests(chromium, server) as guests:
        ann = settled(guests, locale=language)
        server.kill()
        ann.page.reload()
        expect(ann.find("h1:visible")).to_have_text([AWAY[language]])
        assert ann.page.evaluate("document.documentElement.lang") == language
        server.start()
        expect(ann.find(".game-card").first).to_be_visible()


def test_at_a_table_the_banner_says_so_and_a_reload_finds_the_way_back(chromium: Browser, server: Server) -> None:
    with Guests(chromium, server) as guests:
        ann = settled(guests)
        ann.find(".game-card.emerald button.main").click()
        expect(ann.choices.first).to_be_visible()
        table = ann.page.url
        server.kill()
        expect(ann.find("#banner")).to_contain_text("Connection lost")
        ann.page.reload()
        expect(ann.find("h1:visible")).to_have_text([AWAY["en"]])
        server.start()
        expect(ann.choices.first).to_be_visible()
        assert ann.page.url == table


def test_nothing_of_the_api_is_kept(guests: Guests) -> None:
    ann = settled(guests)
    ann.find(".game-card.dragons-cave button.main").click()
    ann.choose()
    kept = ann.page.evaluate(
        """async () => {
          const paths = [];
          for (const name of await caches.keys())
            for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
          return paths;
        }"""
    )
    assert "/page/offline.html" in kept
    assert [path for path in kept if not path.startswith("/page/")] == []


def test_a_changed_file_is_there_after_a_reload_and_the_old_one_is_forgotten(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "page"
    shutil.copytree(PAGE, copy)
    monkeypatch.setenv("DRACOTHEQUE_PAGE", str(copy))
    server = Server(tmp_path / "tables.db").start()
    try:
        with Guests(chromium, server) as guests:
            ann = settled(guests)
            before = ann.page.evaluate("caches.keys()")
            words = copy / "locale/en.json"
            changed = json.loads(words.read_text("utf-8")) | {"lobby.title": "A new page"}
            words.write_text(json.dumps(changed), "utf-8")
            ann.page.reload()
            expect(ann.find("h1")).to_have_text("A new page")
            ann.await_(REPLACED, before[0])
    finally:
        server.kill()
        server.log.unlink(missing_ok=True)

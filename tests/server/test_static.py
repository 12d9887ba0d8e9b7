"""The page's files on the line: compressed, asked for again, and nothing that could tell a secret by its length."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from dracotheque.engine import registry
from dracotheque.server.static import PAGE, PageStaticFiles, version
from tests.server.guests import HATCHLING, ME, Guest, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this module's own."""
    with serving(tmp_path_factory.mktemp("files") / "tables.db") as running:
        yield running


def fetch(server: Server, path: str, **headers: str) -> tuple[httpx.Response, bytes]:
    """Ask for something; give the answer and what came over the line."""
    with httpx.stream("GET", server.url + path, headers={"accept-encoding": "gzip", **headers}) as answer:
        raw = b"".join(answer.iter_raw())
    return answer, raw


@pytest.mark.parametrize("path", ["/page/base.css", "/page/js/main.js", "/page/locale/fr.json"])
def test_what_is_text_comes_compressed_and_is_the_same(server: Server, path: str) -> None:
    answer, raw = fetch(server, path)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    assert int(answer.headers["content-length"]) == len(raw)
    whole = (PAGE / path.removeprefix("/page/")).read_bytes()
    assert gzip.decompress(raw) == whole
    plain, same = fetch(server, path, **{"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert same == whole


@pytest.mark.parametrize("path", ["/", "/t/abc", "/page/base.css"])
def test_a_file_that_has_not_changed_is_not_sent_again(server: Server, path: str) -> None:
    answer, _ = fetch(server, path)
    assert answer.headers["cache-control"] == "no-cache"
    again, raw = fetch(server, path, **{"if-none-match": answer.headers["etag"]})
    assert (again.status_code, raw) == (304, b"")


@pytest.mark.parametrize(
    "file",
    ["web/board.js", "web/pieces.svg", "web/board.css", "web/cover.svg", "tutorial/plan.json", "tutorial/de.json"],
)
def test_a_game_brings_files_from_its_own_folder(server: Server, file: str) -> None:
    for name, game in registry.games().items():
        path = f"/page/games/{name}/{file.removeprefix('web/')}"
        answer, raw = fetch(server, path)
        assert answer.status_code == 200, path
        assert answer.headers["cache-control"] == "no-cache"
        assert (gzip.decompress(raw) if "content-encoding" in answer.headers else raw) == (
            game.folder / file
        ).read_bytes()
        again, raw = fetch(server, path, **{"if-none-match": answer.headers["etag"]})
        assert (again.status_code, raw) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        *["gran", "gran/", "gran/none.js", "gran/tutorial", "gran/tutorial/", "gran/web/board.js", "gran/__init__.py"],
        *["gran/../gran/__init__.py", "gran/%2e%2e/__init__.py", "gran/..%2f__init__.py", "gran/..%5c__init__.py"],
        *["gran/tutorial/%2e%2e/__init__.py", "gran/tutorial/..%2f..%2f__init__.py", "gran/%2fetc/passwd"],
        *["", "none/board.js", "Gran/board.js", "save_the_dragon/board.js", "%2e%2e/app.py", "gran/board.js%00"],
    ],
)
def test_nothing_else_of_a_game_is_given(server: Server, path: str) -> None:
    answer, raw = fetch(server, f"/page/games/{path}")
    assert answer.status_code == 404, path
    assert b"import" not in raw


def test_a_link_out_of_the_folder_of_a_game_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "here.txt").write_text("public", "utf-8")
    (tmp_path / "web" / "there.txt").symlink_to(tmp_path / "secret.txt")
    monkeypatch.setattr(registry, "games", lambda: {"odd": SimpleNamespace(folder=tmp_path)})
    files = PageStaticFiles(directory=PAGE)
    assert files.lookup_path(os.path.join("games", "odd", "here.txt"))[1] is not None
    assert files.lookup_path(os.path.join("games", "odd", "there.txt"))[1] is None


def test_a_change_of_a_game_changes_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "web").mkdir()
    monkeypatch.setattr(registry, "games", lambda: {"odd": SimpleNamespace(folder=tmp_path)})
    before = version()
    (tmp_path / "web" / "board.js").write_text("export {}", "utf-8")
    assert version() != before


def test_fonts_stay_and_are_not_compressed_twice(server: Server) -> None:
    for font in (PAGE / "fonts").glob("*.woff2"):
        answer, raw = fetch(server, f"/page/fonts/{font.name}")
        assert answer.headers["content-type"] == "font/woff2"
        assert "immutable" in answer.headers["cache-control"]
        assert "content-encoding" not in answer.headers
        assert raw == font.read_bytes()


def test_of_the_api_only_what_is_the_same_for_everybody_is_compressed(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("dragons-cave", ME, HATCHLING, HATCHLING)
    cookie = {"cookie": "; ".join(f"{name}={value}" for name, value in ann.http.cookies.items())}
    shared = [
        "/api",
        "/api/games",
        "/api/games/gran/rules/de",
        "/api/games/gran/words/it",
        f"/api/tables/{table}/board.svg",
    ]
    own = [f"/api/tables/{table}{more}" for more in ("", "/moves?seat=0", "/moves?first=0")]
    for path in shared:
        answer, raw = fetch(server, path, **cookie)
        assert answer.headers["content-encoding"] == "gzip", path
        assert gzip.decompress(raw) == fetch(server, path, **cookie, **{"accept-encoding": "identity"})[1]
    for path in [*own, "/api/me", "/api/me/tables", "/api/tables", "/api/running"]:
        answer, _ = fetch(server, path, **cookie)
        assert answer.status_code == 200, path
        assert "content-encoding" not in answer.headers, path


def test_the_keeper_of_the_page_knows_its_version(server: Server) -> None:
    answer, raw = fetch(server, "/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert b'"dracotheque-@version@"' in (PAGE / "sw.js").read_bytes()
    assert re.search(rb'"dracotheque-[0-9a-f]{16}"', raw)

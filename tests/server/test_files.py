"""The page's files on the line: compressed, asked for again, and nothing that could tell a secret by its length."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

import httpx
import pytest

from dracotheque.server.files import PAGE
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


@pytest.mark.parametrize(
    "path", ["/page/style.css", "/page/js/main.js", "/page/words/fr.json", "/page/covers/gran.svg"]
)
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


@pytest.mark.parametrize("path", ["/", "/t/abc", "/page/style.css"])
def test_a_file_that_has_not_changed_is_not_sent_again(server: Server, path: str) -> None:
    answer, _ = fetch(server, path)
    assert answer.headers["cache-control"] == "no-cache"
    again, raw = fetch(server, path, **{"if-none-match": answer.headers["etag"]})
    assert (again.status_code, raw) == (304, b"")


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
    shared = ["/api", "/api/games", "/api/games/gran/rules/de", "/api/games/gran/words/it", f"/api/tables/{table}/art"]
    own = [f"/api/tables/{table}{more}" for more in ("", "/scene?seat=0", "/story?first=0", "/board?seat=0")]
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

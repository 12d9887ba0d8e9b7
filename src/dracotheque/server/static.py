"""The page's files: compressed once each, and sent again only where they have changed."""

from __future__ import annotations

import functools
import gzip
import hashlib
import mimetypes
import os
import re
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from dracotheque.engine import registry
from dracotheque.engine.definition import GameDefinition

PAGE = Path(os.environ.get("DRACOTHEQUE_PAGE") or Path(__file__).parent / "page")
"""Where the page is: another folder for who works on another page."""
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

TEXT_SUFFIXES = {".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest"}
"""Files of text; pictures and fonts are compressed already."""
MIN_GZIP_BYTES = 512  # below that compression gains nothing
REVALIDATE = "no-cache"  # a browser keeps a file and asks each time whether there is a newer one
IMMUTABLE = "public, max-age=31536000, immutable"  # for files that never change
PUBLIC = re.compile(r"/api|/api/games(/.*)?|/api/tables/\w+/board\.svg")
"""Responses that are the same for all visitors. No others of the API are compressed: if a response has a secret and
text of another person, its compressed length reveals something of the secret."""
UNCOMPRESSED_ONLY = ("content-length", "accept-ranges")  # headers that do not hold for the compressed file
OF_GAMES = "games"  # the folder of the page where the files of games seem to lie: /page/games/NAME/board.js
WEB, TUTORIAL = "web", "tutorial"  # the folders of a game that browsers may read; nothing else of it
OWN_FILES = {
    "board": f"{WEB}/board.js",
    "pieces": f"{WEB}/pieces.svg",
    "cover": f"{WEB}/cover.svg",
    "style": f"{WEB}/board.css",
    "sounds": f"{WEB}/sounds.json",
    "tutorial": f"{TUTORIAL}/plan.json",
}
"""The files that a game may have for the page, and their paths in the game's folder."""
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("font/woff2", ".woff2")


@functools.lru_cache(maxsize=256)
def compressed(data: bytes) -> bytes:
    """Return data compressed, from a cache."""
    return gzip.compress(data, 9, mtime=0)


@functools.lru_cache(maxsize=512)
def compressed_file(path: str, changed: int, size: int) -> bytes:
    """Return a file compressed; its time and size are part of the cache's key."""
    return gzip.compress(Path(path).read_bytes(), 9, mtime=0)


@functools.lru_cache(maxsize=512)
def digest(path: str, changed: int, size: int) -> bytes:
    """Return the hash of a file; its time and size are part of the cache's key."""
    return hashlib.sha256(Path(path).read_bytes()).digest()


def version() -> str:
    """Return a hash of all files of the page, which changes with any of them."""
    whole = hashlib.sha256()
    for path, address in sorted(public_files(), key=lambda each: each[1]):
        found = path.stat()
        whole.update(address.encode())
        whole.update(digest(str(path), found.st_mtime_ns, found.st_size))
    return whole.hexdigest()[:16]


def public_files() -> Iterator[tuple[Path, str]]:
    """Yield every file under /page/, and its address below that."""
    folders = [(PAGE, "")]
    for name, game in registry.games().items():
        folders += [
            (game.folder / WEB, f"{OF_GAMES}/{name}/"),
            (game.folder / TUTORIAL, f"{OF_GAMES}/{name}/tutorial/"),
        ]
    for folder, address in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                yield path, address + path.relative_to(folder).as_posix()


def own_files(game: GameDefinition) -> list[str]:
    """Return the kinds of files that a game has for the page; for the others the page has generic ones."""
    return [kind for kind, path in OWN_FILES.items() if (game.folder / path).is_file()]


def takes_gzip(scope: Scope) -> bool:
    """Whether a client accepts gzip."""
    return "gzip" in Headers(scope=scope).get("accept-encoding", "")


class PageStaticFiles(StaticFiles):
    """The page's files and those of games, compressed unless they are small."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return the path of a page file, or under games/NAME of a file in the public folders of a game."""
        folder, _, rest = path.partition(os.sep)
        name, _, file = rest.partition(os.sep)
        game = registry.games().get(name) if folder == OF_GAMES else None
        if game is None:
            return super().lookup_path(path)
        top, _, below = file.partition(os.sep)
        shown, wanted = (game.folder / TUTORIAL, below) if top == TUTORIAL else (game.folder / WEB, file)
        # Starlette's own look-up never leaves its folder, also through links.
        return StaticFiles(directory=shown, check_dir=False).lookup_path(wanted)

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return a file, or 304 where the browser has it already."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        suffix = Path(full_path).suffix
        response.headers["cache-control"] = IMMUTABLE if suffix == ".woff2" else REVALIDATE
        if suffix not in TEXT_SUFFIXES or stat_result.st_size < MIN_GZIP_BYTES:
            return response
        response.headers["vary"] = "accept-encoding"
        response.headers["etag"] = f"W/{response.headers['etag']}"  # the same file, whether compressed or not
        if not isinstance(response, FileResponse) or not takes_gzip(scope):
            return response
        body = compressed_file(str(full_path), stat_result.st_mtime_ns, stat_result.st_size)
        kept = {name: value for name, value in response.headers.items() if name not in UNCOMPRESSED_ONLY}
        return Response(body, status_code, {**kept, "content-encoding": "gzip"})


def service_worker() -> Response:
    """Return the service worker that caches the page's files; its text changes with every change of the page."""
    script = (PAGE / "sw.js").read_text("utf-8").replace("@version@", version())
    return Response(script, media_type="text/javascript", headers={"cache-control": REVALIDATE})


class GzipMiddleware:
    """Compresses responses of the API that are the same for all visitors."""

    def __init__(self, app: Any) -> None:
        """Wrap an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        """Handle a request; a public response is compressed unless it is small."""
        if scope["type"] == "http" and PUBLIC.fullmatch(scope["path"]) and takes_gzip(scope):
            send = compressing(send)
        await self.app(scope, receive, send)


def compressing(send: Send) -> Send:
    """Return a `send` that compresses a long body that comes in one message."""
    start: Message = {}

    async def compress(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
            return
        if start:
            body = message.get("body", b"")
            if len(body) >= MIN_GZIP_BYTES and not message.get("more_body"):
                message = {**message, "body": compressed(body)}
                headers = MutableHeaders(scope=start)
                headers["content-encoding"], headers["vary"] = "gzip", "accept-encoding"
                headers["content-length"] = str(len(message["body"]))
            await send({**start})
            start.clear()
        await send(message)

    return compress

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

WRITTEN = {".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest"}
"""What is text; pictures and fonts are compressed already."""
WORTH = 512  # bytes from which on compressing pays
ASK_AGAIN = "no-cache"  # a browser keeps a file and asks each time whether there is a newer one
FOR_GOOD = "public, max-age=31536000, immutable"  # what has its version in its name
PUBLIC = re.compile(r"/api|/api/games(/.*)?|/api/tables/\w+/board\.svg")
"""What is the same for all visitors. Nothing else of the API is compressed: where a response has a secret and text of
another person, its compressed length reveals something of the secret."""
UNPACKED = ("content-length", "accept-ranges")  # what is true of a file only as long as it is not compressed
OF_GAMES = "games"  # the folder of the page where the files of games seem to lie: /page/games/NAME/board.js
WEB, TUTORIAL = "web", "tutorial"  # the folders of a game that browsers may read; nothing else of it
OWN_FILES = {
    "board": f"{WEB}/board.js",
    "cover": f"{WEB}/cover.svg",
    "style": f"{WEB}/board.css",
    "sounds": f"{WEB}/sounds.json",
    "tutorial": f"{TUTORIAL}/plan.json",
}
"""What a game may bring for the page, and where it lies in the game's folder."""
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("font/woff2", ".woff2")


@functools.lru_cache(maxsize=256)
def packed(data: bytes) -> bytes:
    """Compress something that many will ask for."""
    return gzip.compress(data, 9, mtime=0)


@functools.lru_cache(maxsize=512)
def packed_file(path: str, changed: int, size: int) -> bytes:
    """Compress a file as it is since it changed last."""
    return gzip.compress(Path(path).read_bytes(), 9, mtime=0)


@functools.lru_cache(maxsize=512)
def digest(path: str, changed: int, size: int) -> bytes:
    """Fingerprint a file as it is since it changed last."""
    return hashlib.sha256(Path(path).read_bytes()).digest()


def version() -> str:
    """Fingerprint all files of the page: another one as soon as one of them is another."""
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
    """Name what a game brings for the page; for the rest the page shows something generic."""
    return [kind for kind, path in OWN_FILES.items() if (game.folder / path).is_file()]


def takes_gzip(scope: Scope) -> bool:
    """Whether a client accepts gzip."""
    return "gzip" in Headers(scope=scope).get("accept-encoding", "")


class PageStaticFiles(StaticFiles):
    """The page's files and those of games, compressed where that is worth it."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file of the page, or under games/NAME one of the folders that a game shows to browsers."""
        folder, _, rest = path.partition(os.sep)
        name, _, file = rest.partition(os.sep)
        game = registry.games().get(name) if folder == OF_GAMES else None
        if game is None:
            return super().lookup_path(path)
        top, _, below = file.partition(os.sep)
        shown, wanted = (game.folder / TUTORIAL, below) if top == TUTORIAL else (game.folder / WEB, file)
        # Starlette's own look-up stays within its folder, whatever is asked for, also through links.
        return StaticFiles(directory=shown, check_dir=False).lookup_path(wanted)

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return a file, or 304 where the browser has it already."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        suffix = Path(full_path).suffix
        response.headers["cache-control"] = FOR_GOOD if suffix == ".woff2" else ASK_AGAIN
        if suffix not in WRITTEN or stat_result.st_size < WORTH:
            return response
        response.headers["vary"] = "accept-encoding"
        response.headers["etag"] = f"W/{response.headers['etag']}"  # the same file, whether compressed or not
        if not isinstance(response, FileResponse) or not takes_gzip(scope):
            return response
        body = packed_file(str(full_path), stat_result.st_mtime_ns, stat_result.st_size)
        kept = {name: value for name, value in response.headers.items() if name not in UNPACKED}
        return Response(body, status_code, {**kept, "content-encoding": "gzip"})


def worker() -> Response:
    """Return the script that keeps the page's files in the browser; it is another one with every change of the page."""
    script = (PAGE / "sw.js").read_text("utf-8").replace("@version@", version())
    return Response(script, media_type="text/javascript", headers={"cache-control": ASK_AGAIN})


class GzipMiddleware:
    """Compresses responses of the API that are the same for all visitors."""

    def __init__(self, app: Any) -> None:
        """Stand before an application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        """Answer, compressed where that is worth it and tells nothing."""
        if scope["type"] == "http" and PUBLIC.fullmatch(scope["path"]) and takes_gzip(scope):
            send = packing(send)
        await self.app(scope, receive, send)


def packing(send: Send) -> Send:
    """Wait for the body of an answer, and send it compressed if it is long and comes in one piece."""
    start: Message = {}

    async def pack(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
            return
        if start:
            body = message.get("body", b"")
            if len(body) >= WORTH and not message.get("more_body"):
                message = {**message, "body": packed(body)}
                headers = MutableHeaders(scope=start)
                headers["content-encoding"], headers["vary"] = "gzip", "accept-encoding"
                headers["content-length"] = str(len(message["body"]))
            await send({**start})
            start.clear()
        await send(message)

    return pack

"""The page's files: compressed once each, and sent again only where they have changed."""

from __future__ import annotations

import functools
import gzip
import hashlib
import mimetypes
import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

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
PUBLIC = re.compile(r"/api|/api/games(/.*)?|/api/tables/\w+/art")
"""What is the same for everybody. Nothing else of the API is compressed: where a secret and what a stranger has written
stand in one compressed answer, its length tells something of the secret."""
UNPACKED = ("content-length", "accept-ranges")  # what is true of a file only as long as it is not compressed
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
    for path in sorted(PAGE.rglob("*")):
        if path.is_file():
            found = path.stat()
            whole.update(path.relative_to(PAGE).as_posix().encode())
            whole.update(digest(str(path), found.st_mtime_ns, found.st_size))
    return whole.hexdigest()[:16]


def takes_gzip(scope: Scope) -> bool:
    """Whether whoever asks can read what is compressed."""
    return "gzip" in Headers(scope=scope).get("accept-encoding", "")


class PageFiles(StaticFiles):
    """The page's files, compressed where that is worth it."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Give a file, or say that the browser has it already."""
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
    """Give the script that keeps the page's files in the browser; it is another one with every change of the page."""
    script = (PAGE / "sw.js").read_text("utf-8").replace("@version@", version())
    return Response(script, media_type="text/javascript", headers={"cache-control": ASK_AGAIN})


class Packing:
    """Compresses answers of the API that are the same for everybody."""

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

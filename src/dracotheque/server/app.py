"""The application: a manager of tables behind HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, MutableMapping
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute

from dracotheque.engine import registry
from dracotheque.server import openapi
from dracotheque.server.analysis_queue import AnalysisQueue
from dracotheque.server.api import ENDPOINTS
from dracotheque.server.http import SAFE, json_response, refusal, route
from dracotheque.server.identity import TokenSigner
from dracotheque.server.metrics import Metrics
from dracotheque.server.precompiler import Precompiler, read_scenes
from dracotheque.server.rate_limits import Limits, TokenBuckets
from dracotheque.server.recordings import Recordings
from dracotheque.server.static import PAGE, GzipMiddleware, PageStaticFiles, Scope, Send, worker
from dracotheque.server.websocket import GOING, TableSocket, live
from dracotheque.tables.answers import Health
from dracotheque.tables.errors import CommandError
from dracotheque.tables.manager import ManagerSettings, TableManager
from dracotheque.tables.storage.store import Store, open_store

log = logging.getLogger("dracotheque.server")
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none';"
        " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class AppContext:
    """Everything that a request may need."""

    store: Store
    manager: TableManager
    signer: TokenSigner

    def __init__(
        self,
        database: str,
        *,
        limits: Limits | None = None,
        settings: ManagerSettings | None = None,
        origins: tuple[str, ...] = (),
        public_url: str = "",
    ) -> None:
        """Say where tables are kept and how they are managed; `start` begins."""
        self.database, self.settings, self.limits = database, settings or ManagerSettings(), limits or Limits()
        self.public_url = public_url
        self.origins = {*origins, public_url.rstrip("/")} - {""}
        self.behind_https = public_url.startswith("https:")
        self.rate_limits = TokenBuckets(self.limits.messages_a_second, self.limits.burst)
        self.newcomers = TokenBuckets(self.limits.new_guests_a_minute / 60, self.limits.new_guests_a_minute)
        self.metrics = Metrics()
        self.sockets: set[TableSocket] = set()
        self.falls, self.looking_back = Recordings(), AnalysisQueue()

    async def start(self) -> None:
        """Open the store and begin."""
        read_scenes(registry.offered_games().values())
        self.store = open_store(self.database)
        await self.store.start()
        self.signer = TokenSigner(await self.store.secret())
        self.precompiler = Precompiler(registry.offered_games().values())
        self.manager = TableManager(self.store, self.settings, ready=self.precompiler.wait)
        await self.manager.start()
        self.precompiling = asyncio.ensure_future(self.precompiler.run())
        self.noting = asyncio.ensure_future(self._note_figures())

    async def stop(self) -> None:
        """Finish what was begun, and close."""
        self.precompiling.cancel()
        self.noting.cancel()
        self.looking_back.stop()
        await self.manager.stop()
        await asyncio.sleep(0)
        for socket in list(self.sockets):
            socket.let_go(GOING)
        await self.store.close()

    async def _note_figures(self) -> None:
        """Keep this worker's figures fresh, also when Prometheus asks another."""
        while True:
            self.metrics.note(self)
            await asyncio.sleep(1)

    def admit(self, socket: TableSocket) -> None:
        """Let a socket in, unless its guest, or for strangers its address, has too many."""
        if socket.guest:
            used, most = sum(one.guest == socket.guest for one in self.sockets), self.limits.sockets_a_guest
        else:
            used, most = sum(one.address == socket.address for one in self.sockets), self.limits.sockets_an_address
        if used > most:
            raise CommandError("too_many_sockets")

    async def beside(self, work: Callable[..., Any], *given: Any) -> Any:
        """Do something long without keeping the others waiting."""
        return await asyncio.get_running_loop().run_in_executor(None, partial(work, *given))


def make_app(service: AppContext) -> Starlette:
    """Put a service behind its addresses."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.stop()

    async def healthz(request: Request) -> Response:
        """Return whether the server can do its work."""
        well = await service.store.healthy()
        health = Health(
            "ok" if well else "the database does not answer", len(service.manager.tables), len(service.sockets)
        )
        return json_response(health, 200 if well else 503)

    async def metrics(request: Request) -> Response:
        """Give Prometheus its figures."""
        return Response(service.metrics.text(service), media_type="text/plain; version=0.0.4")

    async def document(request: Request) -> Response:
        """Describe everything that can be asked for."""
        return json_response(openapi.document(ENDPOINTS))

    async def lobby(request: Request) -> Response:
        """Serve the page of the lobby."""
        return await files.get_response("index.html", request.scope)

    async def table(request: Request) -> Response:
        """Return the page of a table, the same for all."""
        return await files.get_response("table.html", request.scope)

    async def keeper(request: Request) -> Response:
        """Return the script that stays in the browser and says so when this server cannot be reached."""
        return worker()

    files = PageStaticFiles(directory=PAGE)
    routes = [
        Route("/healthz", healthz),
        Route("/metrics", metrics),
        Route("/api", document),
        *(route(service, endpoint) for endpoint in ENDPOINTS),
        WebSocketRoute("/api/tables/{table}/live", live),
        Route("/", lobby),
        Route("/t/{table}", table),
        Route("/sw.js", keeper),
        Mount("/page", files),
    ]
    handlers: Any = {HTTPException: http_problem, Exception: broken}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.state.service = service
    app.add_middleware(GzipMiddleware)  # pyright: ignore[reportArgumentType]
    app.add_middleware(SafeHeaders)  # pyright: ignore[reportArgumentType]
    return app


async def http_problem(request: Request, error: HTTPException) -> Response:
    """Answer what has no address, or takes no such method, in our own form."""
    if error.status_code != 405:
        return refusal(CommandError("no_such_page"))
    answer = refusal(CommandError("wrong_method"))
    answer.headers["allow"] = ", ".join(sorted(methods(request)))
    return answer


def methods(request: Request) -> set[str]:
    """Return what an address takes; several routes may have it, and files of the page are only read."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    found = [route.methods or set[str]() for route in routes if route.path_regex.match(request.scope["path"])]
    return set[str]().union(*found) or {*SAFE}


async def broken(request: Request, error: Exception) -> Response:
    """Say that something went wrong here, and nothing else: an error's text may tell a secret."""
    log.error("request failed", exc_info=error)
    answer = refusal(CommandError("failed"))
    answer.headers.update(HEADERS)  # Starlette answers failures outside of every other layer
    return answer


class SafeHeaders:
    """Adds to every answer what keeps browsers from being misled."""

    def __init__(self, app: Any) -> None:
        """Stand before an application."""
        self.app = app
        self.headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        """Answer with the headers added."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def safely(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self.headers]
            await send(message)

        await self.app(scope, receive, safely)

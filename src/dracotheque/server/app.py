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
from dracotheque.server.http import SAFE, json_response, refusal, route
from dracotheque.server.identity import TokenSigner
from dracotheque.server.metrics import Metrics
from dracotheque.server.precompiler import Precompiler, import_texts
from dracotheque.server.rate_limits import Limits, TokenBuckets
from dracotheque.server.recordings import Recordings
from dracotheque.server.routes import ENDPOINTS
from dracotheque.server.static import PAGE, GzipMiddleware, PageStaticFiles, Scope, Send, service_worker
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
    """The store, the manager and everything else that requests use."""

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
        """Take the URL of the database and the settings; `start` connects."""
        self.database, self.settings, self.limits = database, settings or ManagerSettings(), limits or Limits()
        self.public_url = public_url
        self.origins = {*origins, public_url.rstrip("/")} - {""}
        self.behind_https = public_url.startswith("https:")
        self.rate_limits = TokenBuckets(self.limits.messages_a_second, self.limits.burst)
        self.newcomers = TokenBuckets(self.limits.new_guests_a_minute / 60, self.limits.new_guests_a_minute)
        self.metrics = Metrics()
        self.sockets: set[TableSocket] = set()
        self.recordings, self.analyses = Recordings(), AnalysisQueue()

    async def start(self) -> None:
        """Open the store, and start the manager and the background tasks."""
        import_texts(registry.offered_games().values())
        self.store = open_store(self.database)
        await self.store.start()
        self.signer = TokenSigner(await self.store.secret())
        self.precompiler = Precompiler(registry.offered_games().values())
        self.manager = TableManager(self.store, self.settings, ready=self.precompiler.wait)
        await self.manager.start()
        self.precompiling = asyncio.ensure_future(self.precompiler.run())
        self.updating_metrics = asyncio.ensure_future(self._update_metrics())

    async def stop(self) -> None:
        """Finish what has begun, close all sockets and the store."""
        self.precompiling.cancel()
        self.updating_metrics.cancel()
        self.analyses.stop()
        await self.manager.stop()
        await asyncio.sleep(0)
        for socket in list(self.sockets):
            socket.close(GOING)
        await self.store.close()

    async def _update_metrics(self) -> None:
        """Update this worker's gauges every second: Prometheus may read them from another worker."""
        while True:
            self.metrics.update(self)
            await asyncio.sleep(1)

    def admit(self, socket: TableSocket) -> None:
        """Reject a socket whose guest, or without a cookie whose address, has too many."""
        if socket.guest:
            used, most = sum(one.guest == socket.guest for one in self.sockets), self.limits.sockets_a_guest
        else:
            used, most = sum(one.address == socket.address for one in self.sockets), self.limits.sockets_an_address
        if used > most:
            raise CommandError("too_many_sockets")

    async def in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run long work in a thread, so that it does not block the event loop."""
        return await asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments))


def make_app(service: AppContext) -> Starlette:
    """Return the application with all its routes."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.stop()

    async def healthz(request: Request) -> Response:
        """Return the health of the server."""
        well = await service.store.healthy()
        health = Health(
            "ok" if well else "the database does not answer", len(service.manager.tables), len(service.sockets)
        )
        return json_response(health, 200 if well else 503)

    async def metrics(request: Request) -> Response:
        """Return the metrics for Prometheus."""
        return Response(service.metrics.text(service), media_type="text/plain; version=0.0.4")

    async def document(request: Request) -> Response:
        """Return the OpenAPI document."""
        return json_response(openapi.document(ENDPOINTS))

    async def lobby(request: Request) -> Response:
        """Return the page of the lobby."""
        return await files.get_response("index.html", request.scope)

    async def table(request: Request) -> Response:
        """Return the page of any table."""
        return await files.get_response("table.html", request.scope)

    async def worker(request: Request) -> Response:
        """Return the page's service worker."""
        return service_worker()

    files = PageStaticFiles(directory=PAGE)
    routes = [
        Route("/healthz", healthz),
        Route("/metrics", metrics),
        Route("/api", document),
        *(route(service, endpoint) for endpoint in ENDPOINTS),
        WebSocketRoute("/api/tables/{table}/live", live),
        Route("/", lobby),
        Route("/t/{table}", table),
        Route("/sw.js", worker),
        Mount("/page", files),
    ]
    handlers: Any = {HTTPException: http_problem, Exception: broken}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.state.service = service
    app.add_middleware(GzipMiddleware)  # pyright: ignore[reportArgumentType]
    app.add_middleware(SafeHeaders)  # pyright: ignore[reportArgumentType]
    return app


async def http_problem(request: Request, error: HTTPException) -> Response:
    """Return an unknown path or method as a problem of ours."""
    if error.status_code != 405:
        return refusal(CommandError("no_such_page"))
    answer = refusal(CommandError("wrong_method"))
    answer.headers["allow"] = ", ".join(sorted(methods(request)))
    return answer


def methods(request: Request) -> set[str]:
    """Return the methods of a path; several routes may have it, and files of the page are only read."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    found = [route.methods or set[str]() for route in routes if route.path_regex.match(request.scope["path"])]
    return set[str]().union(*found) or {*SAFE}


async def broken(request: Request, error: Exception) -> Response:
    """Return an internal error without its text, which may contain a secret."""
    log.error("request failed", exc_info=error)
    answer = refusal(CommandError("failed"))
    answer.headers.update(HEADERS)  # Starlette handles failures outside of all middleware
    return answer


class SafeHeaders:
    """Adds security headers to every response."""

    def __init__(self, app: Any) -> None:
        """Wrap an application."""
        self.app = app
        self.headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        """Handle a request, with the headers added to the response."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self.headers]
            await send(message)

        await self.app(scope, receive, send_with_headers)

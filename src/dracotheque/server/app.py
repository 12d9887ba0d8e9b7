"""The service: a house of tables behind HTTP and WebSocket."""

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

from dracotheque.games import SHELF
from dracotheque.server import openapi
from dracotheque.server.api import ENDPOINTS
from dracotheque.server.carving import Carving, read_scenes
from dracotheque.server.falls import Falls
from dracotheque.server.files import PAGE, Packing, PageFiles, Scope, Send, worker
from dracotheque.server.guests import Seals
from dracotheque.server.http import SAFE, json_response, refusal, route
from dracotheque.server.limits import Buckets, Limits
from dracotheque.server.live import GOING, Live, live
from dracotheque.server.metrics import Metrics
from dracotheque.server.moments import LookingBack
from dracotheque.tables.house import Habits, House
from dracotheque.tables.messages import Health
from dracotheque.tables.refused import Refused
from dracotheque.tables.store import Store, open_store

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


class Service:
    """Everything that a request may need."""

    store: Store
    house: House
    seals: Seals

    def __init__(
        self,
        database: str,
        *,
        limits: Limits | None = None,
        habits: Habits | None = None,
        origins: tuple[str, ...] = (),
        public_url: str = "",
    ) -> None:
        """Say where tables are kept and how the house is; `start` opens it."""
        self.database, self.habits, self.limits = database, habits or Habits(), limits or Limits()
        self.public_url = public_url
        self.origins = {*origins, public_url.rstrip("/")} - {""}
        self.behind_https = public_url.startswith("https:")
        self.buckets = Buckets(self.limits.messages_a_second, self.limits.burst)
        self.newcomers = Buckets(self.limits.new_guests_a_minute / 60, self.limits.new_guests_a_minute)
        self.metrics = Metrics()
        self.sockets: set[Live] = set()
        self.falls, self.looking_back = Falls(), LookingBack()

    async def start(self) -> None:
        """Open the house."""
        read_scenes(SHELF.values())
        self.store = open_store(self.database)
        await self.store.start()
        self.seals = Seals(await self.store.secret())
        self.carving = Carving(SHELF.values())
        self.house = House(self.store, self.habits, ready=self.carving.wait)
        await self.house.start()
        self.carver = asyncio.ensure_future(self.carving.run())
        self.noting = asyncio.ensure_future(self._note_figures())

    async def stop(self) -> None:
        """Finish what was begun, and close."""
        self.carver.cancel()
        self.noting.cancel()
        self.looking_back.stop()
        await self.house.stop()
        await asyncio.sleep(0)
        for socket in list(self.sockets):
            socket.let_go(GOING)
        await self.store.close()

    async def _note_figures(self) -> None:
        """Keep this worker's figures fresh, also when Prometheus asks another."""
        while True:
            self.metrics.note(self)
            await asyncio.sleep(1)

    def admit(self, socket: Live) -> None:
        """Let a socket in, unless its guest, or for strangers its address, has too many."""
        if socket.guest:
            used, most = sum(one.guest == socket.guest for one in self.sockets), self.limits.sockets_a_guest
        else:
            used, most = sum(one.address == socket.address for one in self.sockets), self.limits.sockets_an_address
        if used > most:
            raise Refused("too_many_sockets")

    async def beside(self, work: Callable[..., Any], *given: Any) -> Any:
        """Do something long without keeping the others waiting."""
        return await asyncio.get_running_loop().run_in_executor(None, partial(work, *given))


def make_app(service: Service) -> Starlette:
    """Put a service behind its addresses."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.stop()

    async def healthz(request: Request) -> Response:
        """Say whether the server can do its work."""
        well = await service.store.healthy()
        health = Health(
            "ok" if well else "the database does not answer", len(service.house.rooms), len(service.sockets)
        )
        return json_response(health, 200 if well else 503)

    async def metrics(request: Request) -> Response:
        """Give Prometheus its figures."""
        return Response(service.metrics.text(service), media_type="text/plain; version=0.0.4")

    async def document(request: Request) -> Response:
        """Describe everything that can be asked for."""
        return json_response(openapi.document(ENDPOINTS))

    async def shelf(request: Request) -> Response:
        """Give the page that shows the shelf."""
        return await files.get_response("index.html", request.scope)

    async def table(request: Request) -> Response:
        """Give the page that shows a table, whichever it is."""
        return await files.get_response("table.html", request.scope)

    async def keeper(request: Request) -> Response:
        """Give the script that stays in the browser and says so when this server cannot be reached."""
        return worker()

    files = PageFiles(directory=PAGE)
    routes = [
        Route("/healthz", healthz),
        Route("/metrics", metrics),
        Route("/api", document),
        *(route(service, endpoint) for endpoint in ENDPOINTS),
        WebSocketRoute("/api/tables/{table}/live", live),
        Route("/", shelf),
        Route("/t/{table}", table),
        Route("/sw.js", keeper),
        Mount("/page", files),
    ]
    handlers: Any = {HTTPException: http_problem, Exception: broken}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.state.service = service
    app.add_middleware(Packing)  # pyright: ignore[reportArgumentType]
    app.add_middleware(SafeHeaders)  # pyright: ignore[reportArgumentType]
    return app


async def http_problem(request: Request, error: HTTPException) -> Response:
    """Answer what has no address, or takes no such method, in our own form."""
    if error.status_code != 405:
        return refusal(Refused("no_such_page"))
    answer = refusal(Refused("wrong_method"))
    answer.headers["allow"] = ", ".join(sorted(methods(request)))
    return answer


def methods(request: Request) -> set[str]:
    """Say what an address takes; several routes may have it, and files of the page are only read."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    found = [route.methods or set[str]() for route in routes if route.path_regex.match(request.scope["path"])]
    return set[str]().union(*found) or {*SAFE}


async def broken(request: Request, error: Exception) -> Response:
    """Say that something went wrong here, and nothing else: an error's text may tell a secret."""
    log.error("request failed", exc_info=error)
    answer = refusal(Refused("failed"))
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

"""HTTP endpoints from a path, parameters and a response type; checks, errors and OpenAPI follow from these."""

from __future__ import annotations

import inspect
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from dracotheque.server.identity import COOKIE, COOKIE_AGE, new_guest
from dracotheque.tables.errors import CommandError
from dracotheque.tables.storage.store import StoreError

if TYPE_CHECKING:
    from dracotheque.server.app import AppContext

log = logging.getLogger("dracotheque.server")
STATUS = {
    "bad_message": 400,
    "bad_origin": 403,
    "bad_key": 403,
    "not_your_seat": 403,
    "host_only": 403,
    "invitation_needed": 403,
    "not_seated": 403,
    "no_such_table": 404,
    "no_such_page": 404,
    "no_such_seat": 404,
    "no_chances": 403,
    "oracle_alone": 403,
    "no_such_game": 422,
    "not_solved": 422,
    "wrong_method": 405,
    "too_long": 413,
    "too_fast": 429,
    "too_many_tables": 429,
    "store_away": 503,
    "failed": 500,
}
"""The HTTP status of each error code; 409 Conflict for any other."""
SAFE = ("GET", "HEAD")


@dataclass
class RequestContext:
    """A request and the guest who sent it; `guest` is empty until an endpoint needs one."""

    service: AppContext
    request: Request
    guest: str
    fresh: bool = False

    def ensure_guest(self) -> str:
        """Return the caller's guest id, a new one if they have none yet."""
        if not self.guest:
            if not self.service.newcomers.take(self.address):
                raise CommandError("too_fast")
            self.guest, self.fresh = new_guest(), True
        return self.guest

    @property
    def address(self) -> str:
        """The caller's IP address, used to count requests and never stored."""
        return self.request.client.host if self.request.client else ""


Handler = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class Endpoint:
    """A method and path of the API, its function and its types."""

    method: str
    path: str
    handler: Handler
    body: Any = None
    answer: Any = None
    query: Any = None
    media: str = "application/json"

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.handler) or "").splitlines()[0]


class EndpointList(list[Endpoint]):
    """The endpoints of a module in the order of their functions, which `get` and `post` add to it."""

    def get(self, path: str, **types: Any) -> Callable[[Handler], Handler]:
        """Return the decorator of a function that answers GET and changes nothing."""
        return self._endpoint("GET", path, types)

    def post(self, path: str, **types: Any) -> Callable[[Handler], Handler]:
        """Return the decorator of a function that answers POST."""
        return self._endpoint("POST", path, types)

    def _endpoint(self, method: str, path: str, types: dict[str, Any]) -> Callable[[Handler], Handler]:
        def add(handler: Handler) -> Handler:
            self.append(Endpoint(method, path, handler, **types))
            return handler

        return add


def route(service: AppContext, endpoint: Endpoint) -> Route:
    """Return the Starlette route of an endpoint."""

    async def call(request: Request) -> Response:
        began = time.perf_counter()
        caller = RequestContext(service, request, service.signer.guest(request.cookies.get(COOKIE, "")))
        try:
            response = await answer(caller, endpoint)
        except CommandError as error:
            response = refusal(error)
        except StoreError:
            log.warning("the database does not answer")
            response = refusal(CommandError("store_away"))
        except msgspec.ValidationError as error:
            response = refusal(CommandError("bad_message", why=str(error)))
        except ClientDisconnect:  # the client is gone; the response is only counted
            response = refusal(CommandError("bad_message", why="it was not sent to its end"))
        except Exception as error:  # ours, not the caller's: its text may tell a secret, so only its place is noted
            log.error("request failed", exc_info=error)
            response = refusal(CommandError("failed"))
        if caller.fresh:
            set_cookie(response, caller)
        service.metrics.request(endpoint.method, endpoint.path, response.status_code, time.perf_counter() - began)
        return response

    return Route(endpoint.path, call, methods=[endpoint.method], name=endpoint.handler.__name__)


async def answer(caller: RequestContext, endpoint: Endpoint) -> Response:
    """Check rate, origin, query and body of a request, and return the endpoint's response."""
    service, request = caller.service, caller.request
    if not service.rate_limits.take(caller.guest or caller.address):
        raise CommandError("too_fast")
    if request.method not in SAFE and not same_origin(
        request.headers.get("origin"), request.headers.get("host"), service
    ):
        raise CommandError("bad_origin")
    arguments = dict(request.path_params)
    if endpoint.query is not None:
        arguments["query"] = msgspec.convert(dict(request.query_params), endpoint.query, strict=False)
    if endpoint.body is not None:
        arguments["body"] = await body(request, endpoint.body, service.limits.body)
    result = await endpoint.handler(caller, **arguments)
    return result if isinstance(result, Response) else json_response(result)


async def read(request: Request, limit: int) -> bytes:
    """Return the body of a request; reject one that is too long."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > limit:
            raise CommandError("too_long")
    return bytes(data)


async def body(request: Request, kind: Any, limit: int) -> Any:
    """Return the body of a request, decoded as a type."""
    try:
        return msgspec.json.decode(await read(request, limit), type=kind)
    except msgspec.DecodeError as error:
        raise CommandError("bad_message", why=str(error)) from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise CommandError(
            "bad_message", why="not UTF-8" if isinstance(error, UnicodeDecodeError) else "nested"
        ) from error


def same_origin(origin: str | None, host: str | None, service: AppContext) -> bool:
    """Whether a request comes from our own page; without an `Origin` header it does not come from a browser."""
    return origin is None or origin in service.origins or origin in (f"http://{host}", f"https://{host}")


def json_response(value: Any, status: int = 200) -> Response:
    """Return a value as a JSON response that is not cached."""
    return Response(
        msgspec.json.encode(value), status, media_type="application/json", headers={"cache-control": "no-store"}
    )


def refusal(error: CommandError) -> Response:
    """Return the response of a rejected request."""
    return json_response(error.problem, STATUS.get(error.code, 409))


def set_cookie(response: Response, caller: RequestContext) -> None:
    """Set the guest's cookie, which no script can read and no other site sends."""
    secure = caller.request.url.scheme == "https" or caller.service.behind_https
    sealed = caller.service.signer.cookie(caller.guest)
    response.set_cookie(COOKIE, sealed, COOKIE_AGE, path="/", secure=secure, httponly=True, samesite="lax")

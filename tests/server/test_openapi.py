"""What the server says of itself: the OpenAPI document, the page of documentation, the TypeScript types."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31
from starlette.routing import Route, WebSocketRoute

from dracotheque.server.app import AppContext, make_app
from dracotheque.server.http import Endpoint
from dracotheque.server.openapi import document
from dracotheque.server.openapi import main as write_types
from dracotheque.server.rate_limits import Limits
from dracotheque.server.routes import ENDPOINTS
from dracotheque.server.websocket import FORBIDDEN, GOING, NO_TABLE, TOO_SLOW
from dracotheque.tables import protocol
from dracotheque.tables.manager import ManagerSettings
from tests.server.guests import Guest, Server

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/server.md").read_text("utf-8")
TYPES = ROOT / "src/dracotheque/server/page/protocol.d.ts"
DOCUMENT = document(ENDPOINTS)
NO_ENDPOINTS = {"/", "/t/{table}", "/sw.js"}
"""Addresses of the page itself."""


def named(endpoint: Endpoint) -> str:
    """Write an endpoint as people do."""
    return f"{endpoint.method} {endpoint.path}"


def parts(value: Any) -> list[dict[str, Any]]:
    """Every object inside a document."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return [*([value] if isinstance(value, dict) else []), *(part for each in inner for part in parts(each))]


# --- The document ---------------------------------------------------------------------------------------------------
def test_the_server_gives_the_document(server: Server) -> None:
    assert Guest(server).get("/api") == DOCUMENT


def test_it_is_openapi() -> None:
    jsonschema_rs.validator_for(OPENAPI_31).validate(DOCUMENT)


def test_its_schemas_are_json_schemas() -> None:
    for schema in DOCUMENT["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


def test_whatever_it_refers_to_is_there() -> None:
    references = {part["$ref"] for part in parts(DOCUMENT) if isinstance(part.get("$ref"), str)}
    assert references
    assert references <= {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}


def test_every_address_of_the_server_is_in_it_or_in_the_page_alone() -> None:
    routes = make_app(AppContext("unused.db")).routes
    served = {
        f"{method} {route.path}"
        for route in routes
        if isinstance(route, Route) and route.path not in NO_ENDPOINTS
        for method in (route.methods or set[str]()) - {"HEAD"}
    }
    written = {f"{method.upper()} {path}" for path, methods in DOCUMENT["paths"].items() for method in methods}
    assert served - written == {"GET /healthz", "GET /metrics", "GET /api"}
    assert written <= served
    assert {route.path for route in routes if isinstance(route, WebSocketRoute)} == {"/api/tables/{table}/live"}


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=named)
def test_an_endpoint_says_what_it_takes(endpoint: Endpoint) -> None:
    operation = DOCUMENT["paths"][endpoint.path][endpoint.method.lower()]
    assert operation["summary"]
    gaps = [each["name"] for each in operation["parameters"] if each["in"] == "path"]
    assert gaps == re.findall(r"{(\w+)}", endpoint.path)
    assert ("requestBody" in operation) == (endpoint.body is not None)
    assert operation["responses"].keys() == {"200", "4XX"}


def test_no_two_endpoints_have_the_same_name() -> None:
    names = [operation["operationId"] for methods in DOCUMENT["paths"].values() for operation in methods.values()]
    assert len(names) == len(set(names))


# --- The page of documentation --------------------------------------------------------------------------------------
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=named)
def test_an_endpoint_is_in_the_page(endpoint: Endpoint) -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|")]
    assert any(re.search(rf"`{re.escape(named(endpoint))}[`?]", row) for row in rows)


def test_the_page_names_no_endpoint_that_is_not_there() -> None:
    known = {*map(named, ENDPOINTS), "GET /api", "GET /healthz", "GET /metrics"}
    assert set(re.findall(r"`((?:GET|POST) /[^`?]*)", PAGE)) <= known


def test_every_message_of_the_socket_is_in_the_page() -> None:
    for kind in (*protocol.AnyCommand.__args__, *protocol.AnyMessage.__args__):
        tag = kind.__struct_config__.tag
        assert f"`{tag}`" in PAGE or f'`"type": "{tag}"`' in PAGE, tag


def test_every_way_to_close_a_socket_is_in_the_page() -> None:
    for code in (FORBIDDEN, GOING, NO_TABLE, TOO_SLOW):
        assert str(code) in PAGE


def test_every_limit_is_in_the_page() -> None:
    limits, section = Limits(), PAGE.partition("## Limits")[2].partition("## ")[0]
    counts = (limits.messages_a_second, limits.burst, limits.new_guests_a_minute, limits.sockets_a_guest, limits.unread)
    for count in (*counts, ManagerSettings().tables_a_guest, limits.message // 1024, limits.body // 1024):
        assert re.search(rf"\b{count:g}\b", section), count


# --- The types ------------------------------------------------------------------------------------------------------
def test_the_types_are_fresh(tmp_path: Path) -> None:
    write_types([str(tmp_path / "protocol.d.ts")])
    assert (tmp_path / "protocol.d.ts").read_text("utf-8") == TYPES.read_text("utf-8"), "run `make types`"


def test_every_message_has_a_type() -> None:
    declared = set(re.findall(r"^export (?:interface|type) (\w+)", TYPES.read_text("utf-8"), re.MULTILINE))
    sent = {kind.__name__ for kind in (*protocol.AnyCommand.__args__, *protocol.AnyMessage.__args__)}
    assert declared >= sent | {"Command", "Message", "Problem"}


def test_the_types_compile(tmp_path: Path) -> None:
    compiler = shutil.which("tsc", path=str(ROOT / "web/node_modules/.bin")) or shutil.which("tsc")
    if compiler is None:
        pytest.skip("no TypeScript compiler here")
    shutil.copy(TYPES, tmp_path / "protocol.d.ts")
    done = subprocess.run(
        [compiler, "--strict", "--noEmit", "protocol.d.ts"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout

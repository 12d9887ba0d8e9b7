"""The OpenAPI document and the TypeScript types, made from the classes in `tables/protocol.py` and `answers.py`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dracotheque import __version__
from dracotheque.server.http import Endpoint
from dracotheque.tables import protocol

TYPES = Path("src/dracotheque/server/page/protocol.d.ts")
REFERENCES = "#/components/schemas/{name}"
PHRASE = {
    "title": "Phrase",
    "description": "A key of a catalogue of words and what fills its gaps: numbers, names or other phrases.",
    "type": "array",
    "prefixItems": [
        {"type": "string"},
        {
            "type": "object",
            "additionalProperties": {
                "anyOf": [{"type": "string"}, {"type": "integer"}, {"$ref": REFERENCES.format(name="Phrase")}]
            },
        },
    ],
    "minItems": 1,
    "items": False,
}

LOG_LINE = {
    "title": "LogLine",
    "description": "What an actor did: a seat, -1 or the name of a thing; phrases or numbers of events; an icon.",
    "type": "array",
    "prefixItems": [
        {"anyOf": [{"type": "integer"}, {"$ref": REFERENCES.format(name="Phrase")}]},
        {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"$ref": REFERENCES.format(name="Phrase")}]}},
        {"type": "string"},
    ],
    "minItems": 2,
    "items": False,
}


def document(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """Describe every endpoint."""
    endpoints = list(endpoints)
    schemas, components = schemas_of(endpoints)
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Dracothèque",
            "version": __version__,
            "description": "Tables for four board games about dragons. What happens at a table comes over its socket, "
            "/api/tables/{table}/live (docs/reference/server.md).",
        },
        "paths": paths,
        "components": {"schemas": components},
    }


def schemas_of(endpoints: Iterable[Endpoint]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """Write the schemas of everything that is sent, each once."""
    types: list[Any] = [protocol.Problem, protocol.AnyCommand, protocol.AnyMessage]
    for endpoint in endpoints:
        types += [kind for kind in (endpoint.body, endpoint.answer) if kind is not None and kind not in types]
    written, components = msgspec.json.schema_components(types, ref_template=REFERENCES)
    return dict(zip(types, written, strict=True)), {**components, "Phrase": PHRASE, "LogLine": LOG_LINE}


def _operation(endpoint: Endpoint, schemas: dict[Any, Any]) -> dict[str, Any]:
    """Describe one endpoint."""
    failed = {"content": {"application/json": {"schema": schemas[protocol.Problem]}}}
    answer = {"application/json": {"schema": schemas[endpoint.answer]}} if endpoint.answer else {endpoint.media: {}}
    operation: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "summary": endpoint.summary,
        "parameters": [*_path_parameters(endpoint.path), *_query_parameters(endpoint.query)],
        "responses": {
            "200": {"description": "Done.", "content": answer},
            "4XX": {"description": "Not done, and nothing has changed.", **failed},
        },
    }
    if endpoint.body is not None:
        content = {"application/json": {"schema": schemas[endpoint.body]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _path_parameters(path: str) -> list[dict[str, Any]]:
    """Describe the gaps of a path."""
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"{(\w+)}", path)
    ]


def _query_parameters(query: Any) -> list[dict[str, Any]]:
    """Describe what may follow the question mark."""
    if query is None:
        return []
    schema = msgspec.json.schema(query)["$defs"][query.__name__]
    return [{"name": name, "in": "query", "schema": written} for name, written in schema["properties"].items()]


# --- TypeScript -----------------------------------------------------------------------------------------------------
def typescript(endpoints: Iterable[Endpoint]) -> str:
    """Write every message as a TypeScript type."""
    _, components = schemas_of(endpoints)
    head = "// Made by `make types` from src/dracotheque/tables/{protocol,answers}.py; a test fails when it is stale.\n"
    body = [_declaration(name, components[name]) for name in sorted(components)]
    unions = {"Command": protocol.AnyCommand, "Message": protocol.AnyMessage}
    for name, union in unions.items():
        parts = " | ".join(part.__name__ for part in union.__args__)
        body.append(f"export type {name} = {parts};\n")
    return "\n".join([head, *body])


def _declaration(name: str, schema: dict[str, Any]) -> str:
    """Write one type, with its sentence."""
    said = schema.get("description", "")
    comment = f"/** {said.splitlines()[0]} */\n" if said else ""
    if "properties" not in schema:
        return f"{comment}export type {name} = {_type(schema)};\n"
    required = schema.get("required", [])
    fields = [
        f"  {field}{'' if field in required else '?'}: {_type(written)};"
        for field, written in schema["properties"].items()
    ]
    return "\n".join([f"{comment}export interface {name} {{", *fields, "}\n"])


def _type(schema: dict[str, Any]) -> str:
    """Write a JSON schema as TypeScript."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "anyOf" in schema:
        return " | ".join(_type(part) for part in schema["anyOf"])
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            least = schema.get("minItems", 0)
            parts = [_type(part) + "?" * (at >= least) for at, part in enumerate(schema["prefixItems"])]
            return f"[{', '.join(parts)}]"
        case "array":
            inner = _type(schema.get("items", {}))
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case "object":
            return f"{{ [name: string]: {_type(schema.get('additionalProperties') or {})} }}"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return plain
        case _:
            return "unknown"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the TypeScript types of all messages."""
    from dracotheque.server.routes import ENDPOINTS

    parser = argparse.ArgumentParser(prog="python -m dracotheque.server.openapi", description=main.__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=TYPES, help=f"default: {TYPES}")
    file = parser.parse_args(arguments).file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(typescript(ENDPOINTS), "utf-8")
    print(f"Written: {file}")


if __name__ == "__main__":
    main()

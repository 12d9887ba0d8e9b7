"""The OpenAPI document and the TypeScript types, both made from the classes in `tables/messages.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from dracotheque import __version__
from dracotheque.server.http import Endpoint
from dracotheque.tables import messages

REFERENCES = "#/components/schemas/{name}"
PHRASE = {
    "title": "Phrase",
    "description": "A key of a catalogue of words and what fills its gaps: numbers, names or other phrases.",
    "type": "object",
    "properties": {
        "key": {"type": "string"},
        "gaps": {
            "type": "object",
            "additionalProperties": {
                "anyOf": [{"type": "string"}, {"type": "integer"}, {"$ref": REFERENCES.format(name="Phrase")}]
            },
        },
    },
    "required": ["key"],
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
            "/api/tables/{table}/live (docs/server.md).",
        },
        "paths": paths,
        "components": {"schemas": components},
    }


def schemas_of(endpoints: Iterable[Endpoint]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """Write the schemas of everything that is sent, each once."""
    types: list[Any] = [messages.Problem, messages.AnyCommand, messages.AnyNews]
    for endpoint in endpoints:
        types += [kind for kind in (endpoint.body, endpoint.answer) if kind is not None and kind not in types]
    written, components = msgspec.json.schema_components(types, ref_template=REFERENCES)
    return dict(zip(types, written, strict=True)), {**components, "Phrase": PHRASE}


def _operation(endpoint: Endpoint, schemas: dict[Any, Any]) -> dict[str, Any]:
    """Describe one endpoint."""
    failed = {"content": {"application/json": {"schema": schemas[messages.Problem]}}}
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
    head = "// Made by `dracotheque types` from src/dracotheque/tables/messages.py; a test fails when it is stale.\n"
    body = [_declaration(name, components[name]) for name in sorted(components)]
    unions = {"Command": messages.AnyCommand, "News": messages.AnyNews}
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

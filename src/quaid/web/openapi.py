"""The description of the server for programs: OpenAPI, made from the operation table."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, get_type_hints

from quaid import __version__, operations
from quaid.errors import ERRORS
from quaid.operations.arguments import schema
from quaid.operations.operation import Operation
from quaid.web.responses import spelled
from quaid.web.schemas import Components

DIALECT = "3.1.0"
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "description": "What is wrong, and what to do.",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "hint": {"type": "string"},
            },
        }
    },
}
_INTRODUCTION = (
    "Every operation of a memory. What reads is asked with GET (or POST with a JSON object), the "
    "rest with POST. `x-right` is what the token must allow. Codes of errors: "
)


@lru_cache(maxsize=1)
def openapi() -> bytes:
    """The description, as it is sent; every operation is loaded for it."""
    return spelled(description())


def description() -> dict[str, Any]:
    """The description."""
    components = Components()
    paths = {_path(each): {_method(each): _described(each, components)} for each in operations.operations()}
    return {
        "openapi": DIALECT,
        "info": {
            "title": "Quaid",
            "version": __version__,
            "description": _INTRODUCTION + ", ".join(sorted(error.code for error in ERRORS)) + ".",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths | _OTHERS,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": _ERROR} | components.schemas,
            "responses": {"Error": {"description": "An error.", "content": _json(_REFERENCE)}},
        },
    }


_REFERENCE = {"$ref": "#/components/schemas/Error"}
_FAILED = {"default": {"$ref": "#/components/responses/Error"}}


def _json(described: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": described}}


_OTHERS: dict[str, Any] = {
    "/api/events": {
        "get": {
            "operationId": "events",
            "summary": "Changes of pages as they happen",
            "x-right": "read",
            "parameters": [
                {
                    "name": "collection",
                    "in": "query",
                    "schema": {"type": "array", "items": {"type": "string"}},
                },
                {
                    "name": "slug",
                    "in": "query",
                    "schema": {"type": "string"},
                    "description": "How it begins.",
                },
                {"name": "Last-Event-ID", "in": "header", "schema": {"type": "integer"}},
            ],
            "responses": {"200": {"description": "Events.", "content": {"text/event-stream": {}}}} | _FAILED,
        }
    },
    "/healthz": {
        "get": {
            "operationId": "health",
            "summary": "Whether the server runs",
            "security": [],
            "responses": {"200": {"description": "It does.", "content": _json({"type": "object"})}} | _FAILED,
        }
    },
}


def _path(operation: Operation[Any, Any]) -> str:
    return "/api/" + operation.name.replace(" ", "/")


def _method(operation: Operation[Any, Any]) -> str:
    return "get" if operation.effect == "read" else "post"


def _described(operation: Operation[Any, Any], components: Components) -> dict[str, Any]:
    result = components.schema(get_type_hints(operation.run)["return"])
    arguments = schema(operation.arguments, demanding=False)
    words = " ".join(operation.help.split())
    described: dict[str, Any] = {
        "operationId": operation.tool,
        "summary": words.split(". ")[0].rstrip("."),
        "description": words,
        "x-right": operation.right,
        "responses": {"200": {"description": "The answer.", "content": _json(result)}} | _FAILED,
    }
    if operation.effect != "read":
        body = {"required": bool(arguments.get("required")), "content": _json(arguments)}
        return described | {"requestBody": body}
    return described | {"parameters": _in_address(arguments)}


def _in_address(arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments of a question, as they stand in its address."""
    required = arguments.get("required", ())
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "description": described.pop("description"),
            "schema": described,
        }
        for name, described in arguments["properties"].items()
    ]

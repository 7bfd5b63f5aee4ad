"""The description of the server for programs: OpenAPI, made from the operation table."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, get_type_hints

from quaid import __version__, operations
from quaid.errors import ERRORS
from quaid.operations.arguments import schema
from quaid.operations.operation import Operation
from quaid.web.responses import spelled
from quaid.web.schemas import Components

_FRAME = Path(__file__).with_name("openapi.json")  # all that is not made from the table
_FAILED = {"default": {"$ref": "#/components/responses/Error"}}


@lru_cache(maxsize=1)
def openapi() -> bytes:
    """The description, as it is sent; every operation is loaded for it."""
    return spelled(description())


def description() -> dict[str, Any]:
    """The description."""
    components = Components()
    paths = {_path(each): {_method(each): _described(each, components)} for each in operations.operations()}
    made: dict[str, Any] = json.loads(_FRAME.read_text(encoding="utf-8"))
    made["info"]["version"] = __version__
    made["info"]["description"] += ", ".join(sorted(error.code for error in ERRORS)) + "."
    made["paths"] = paths | made["paths"]
    made["components"]["schemas"] |= components.schemas
    return made


def _json(described: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": described}}


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

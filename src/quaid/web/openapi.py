"""The description of the server for programs: OpenAPI, made from the operation table."""

from __future__ import annotations

import json
import types
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from quaid import __version__, operations
from quaid.errors import ERRORS
from quaid.model.record import fields_of
from quaid.operations.arguments import schema
from quaid.operations.operation import Operation
from quaid.web.responses import json_bytes

_FRAME = Path(__file__).with_name("openapi.json")  # all that is not made from the table
_FAILED = {"default": {"$ref": "#/components/responses/Error"}}


@lru_cache(maxsize=1)
def openapi() -> bytes:
    """The description, as it is sent; every operation is loaded for it."""
    return json_bytes(description())


def description() -> dict[str, Any]:
    """The description."""
    components = Components()
    paths = {
        "/api/" + each.name.replace(" ", "/"): {
            "get" if each.effect == "read" else "post": _operation_entry(each, components)
        }
        for each in operations.operations()
    }
    made: dict[str, Any] = json.loads(_FRAME.read_text(encoding="utf-8"))
    made["info"]["version"] = __version__
    made["info"]["description"] += ", ".join(sorted(error.code for error in ERRORS)) + "."
    made["paths"] = paths | made["paths"]
    made["components"]["schemas"] |= components.schemas
    return made


def _json(described: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": described}}


def _operation_entry(operation: Operation[Any, Any], components: Components) -> dict[str, Any]:
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


_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


class Components:
    """The schemas of records, each under a name of its own."""

    def __init__(self) -> None:
        self.schemas: dict[str, dict[str, Any]] = {}
        self._names: dict[type[Any], str] = {}

    def schema(self, hint: Any) -> dict[str, Any]:
        """What a value of a type looks like as JSON; of anything, nothing is said."""
        origin, parts = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            options = [self.schema(each) for each in parts if each is not type(None)]
            return options[0] if len(options) == 1 else {"anyOf": options}
        if origin is Literal:
            return {"type": "string", "enum": list(parts)}
        if origin is tuple and parts[-1] is not ...:
            return {"type": "array", "prefixItems": [self.schema(each) for each in parts]}
        if origin in (list, tuple):
            items = self.schema(parts[0])
            return {"type": "array"} | ({"items": items} if items else {})
        if origin is dict or hint is dict:
            values = self.schema(parts[1]) if parts else {}
            return {"type": "object"} | ({"additionalProperties": values} if values else {})
        if hint in _PLAIN:
            return {"type": _PLAIN[hint]}
        return self._record(hint) if fields_of(hint) else {}

    def _record(self, cls: type[Any]) -> dict[str, Any]:
        if hasattr(cls, "as_data"):  # it says itself what it is for programs
            return {"type": "object"}
        if cls not in self._names:
            self._names[cls] = name = self._free_name(cls)
            self.schemas[name] = {}  # a record may hold others of its kind
            self.schemas[name] = self._class_schema(cls)
        return {"$ref": f"#/components/schemas/{self._names[cls]}"}

    def _free_name(self, cls: type[Any]) -> str:
        if cls.__name__ not in self.schemas:
            return cls.__name__
        return f"{cls.__module__.rpartition('.')[2].capitalize()}{cls.__name__}"

    def _class_schema(self, cls: type[Any]) -> dict[str, Any]:
        hints = get_type_hints(cls)
        described: dict[str, Any] = {"type": "object"}
        if cls.__doc__:
            described["description"] = " ".join(cls.__doc__.split())
        properties = {each.name.rstrip("_"): self.schema(hints[each.name]) for each in fields_of(cls)}
        # A field that is None is left out of the answer.
        required = [each.name.rstrip("_") for each in fields_of(cls) if not _may_be_none(hints[each.name])]
        described["properties"] = properties
        return described | ({"required": required} if required else {})


def _may_be_none(hint: Any) -> bool:
    return hint is Any or type(None) in get_args(hint)

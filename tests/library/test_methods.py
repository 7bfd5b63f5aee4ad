"""Every operation is a method, whose result survives the way through JSON."""

from __future__ import annotations

import inspect
import json
import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import quaid
from quaid import operations
from quaid.library.method import python_name
from quaid.library.records import result_of
from quaid.model.record import fields_of
from quaid.operations.kb.answer import Answer
from quaid.operations.results import as_data


def test_every_operation_is_a_method_of_its_own() -> None:
    names = [python_name(name) for name in operations.NAMES]
    assert len(set(names)) == len(names)
    assert {"timeline_add", "kb_remember", "assert_", "import_"} <= set(names)
    assert [name for name in names if name in vars(quaid.Memory)] == []


def test_a_method_says_what_it_takes_and_does() -> None:
    described = inspect.signature(quaid.Memory.timeline_add)
    assert str(described) == "(self, /, slug, *, date, summary, source=None, detail=None, page_version=None)"
    assert inspect.getdoc(quaid.Memory.timeline_add) == operations.operation("timeline-add").help


def test_every_result_comes_back_from_json() -> None:
    for operation in operations.operations():
        hint = get_type_hints(operation.run)["return"]
        for kind in get_args(hint) or (hint,):
            for filled in (True, False):
                result = Answer({"a": 1}) if kind is Answer else made(kind, filled)
                assert result_of(operation, json.loads(json.dumps(as_data(result)))) == result, operation.name


def made(hint: Any, filled: bool) -> Any:
    """A value of a type: with everything in it that there can be, or with as little as possible."""
    origin, inner = get_origin(hint), get_args(hint)
    if fields_of(hint):
        hints = get_type_hints(hint)
        return hint(**{field.name: made(hints[field.name], filled) for field in fields_of(hint)})
    if origin in (Union, types.UnionType):
        return made(inner[0], filled) if filled or type(None) not in inner else None
    if origin is Literal:
        return inner[-1]
    if origin in (tuple, list):
        return origin([made(inner[0], filled)] if filled else [])
    if origin is dict:
        return {"key": made(inner[1], filled)} if filled else {}
    return {str: "text", int: 7, float: 0.5, bool: filled, Any: {"any": [None]}}[hint]

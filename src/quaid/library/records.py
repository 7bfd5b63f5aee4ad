"""Records from JSON: what `operations/results.py` made of a result, made a result again."""

from __future__ import annotations

import types
from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from quaid.errors import Unreachable
from quaid.model.record import MISSING, fields_of
from quaid.operations.kb.answer import Answer
from quaid.operations.operation import Operation


def result_of(operation: Operation[Any, Any], data: Any) -> Any:
    """What an operation answered, from its JSON."""
    hint = _hints(operation.run)["return"]
    if hint is Answer:  # its facts are all that programs are given
        return Answer(data)
    try:
        return _value(hint, data)
    except (TypeError, ValueError, AttributeError):
        raise Unreachable(
            f"the server's answer to {operation.name!r} cannot be understood",
            hint="It may run another version of Quaid.",
        ) from None


def _value(hint: Any, data: Any) -> Any:
    """A value of a type."""
    if fields_of(hint):
        return _record((hint,), data)
    origin, inner = get_origin(hint), get_args(hint)
    if data is None:
        return None
    if origin in (Union, types.UnionType):
        records = tuple(option for option in inner if fields_of(option))
        return _record(records, data) if records else _value(inner[0], data)
    if origin in (tuple, list):
        return origin(_value(inner[0], each) for each in data)
    if origin is dict:
        return {key: _value(inner[1], each) for key, each in data.items()}
    return data


def _record(options: tuple[type[Any], ...], data: dict[str, Any]) -> Any:
    """The record that fits best. Fields that it does not have come from a newer server, and are left out."""
    kinds: list[Any] = [kind for option in options for kind in _kinds(option)]
    chosen = max(kinds, key=lambda kind: _likeness(kind, set(data)))
    hints = _hints(chosen)
    given = {}
    for field in fields_of(chosen):
        name = field.name.rstrip("_")
        if name in data:
            given[field.name] = _value(hints[field.name], data[name])
        elif field.default is MISSING and type(None) in get_args(hints[field.name]):
            given[field.name] = None  # which JSON leaves out
    return chosen(**given)


def _likeness(kind: type[Any], given: set[str]) -> tuple[int, int]:
    """How few of the fields that are given it does not know, and how few that it needs are not given."""
    known = {field.name.rstrip("_") for field in fields_of(kind)}
    needed = {field.name.rstrip("_") for field in fields_of(kind) if field.default is MISSING}
    return -len(given - known), -len(needed - given)


def _kinds(kind: type[Any]) -> Iterator[type[Any]]:
    yield kind
    for more in kind.__subclasses__():
        yield from _kinds(more)


@lru_cache(512)
def _hints(annotated: Hashable) -> dict[str, Any]:
    return get_type_hints(annotated)

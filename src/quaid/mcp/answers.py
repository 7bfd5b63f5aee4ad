"""Answers to tool calls: the same facts as text and as data, without what is empty, and not too long."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import CallToolResult, TextContent

from quaid.embed.tokens import estimate_tokens
from quaid.errors import QuaidError
from quaid.operations.operation import Operation
from quaid.operations.results import as_data

MAX_TOKENS = 10_000


def answer(
    operation: Operation[Any, Any],
    result: Any,
    notices: list[str] | None = None,
    offset: int = 0,
    most: int = MAX_TOKENS,
) -> CallToolResult:
    """The answer to a call that went well; what is cut off begins again at `offset`."""
    data = compact(as_data(result), frozenset(operation.unneeded))
    if not isinstance(data, dict):
        data = {"result": data}
    if notices:
        data["notices"] = [*data.get("notices", ()), *notices]
    return _result(bounded(data, offset, most), is_error=False)


def failure(error: QuaidError) -> CallToolResult:
    """The answer to a call that failed: the model must see what is wrong and what to do."""
    return _result({"error": error.as_dict()}, is_error=True)


def compact(data: Any, unneeded: frozenset[str] = frozenset()) -> Any:
    """The data without empty values and without fields that nobody needs."""
    if isinstance(data, dict):
        kept = ((key, compact(value, unneeded)) for key, value in data.items() if key not in unneeded)
        return {key: value for key, value in kept if value not in ("", [], {}, None)}
    if isinstance(data, list):
        return [compact(item, unneeded) for item in data]
    return data


def bounded(data: dict[str, Any], offset: int, most: int) -> dict[str, Any]:
    """The data, its longest text or list cut where it would be too much; `next` says how to go on."""
    whole = tokens(data)
    if whole <= most and not offset:
        return data
    field = max(data, key=lambda name: tokens(data[name]) if isinstance(data[name], (str, list)) else 0)
    value = data[field]
    if not isinstance(value, (str, list)):
        return data
    room = most - (whole - tokens(value)) - 100  # of the note
    part = _text_from(value, offset, room) if isinstance(value, str) else _items_from(value, offset, room)
    end = offset + len(part)
    cut = data | {field: part}
    if end < len(value):
        unit = "characters" if isinstance(value, str) else "items"
        cut["next"] = {
            "offset": end,
            "of": len(value),
            "hint": f"{field} goes on: call again with offset {end} ({unit}).",
        }
    return cut


def _text_from(value: str, offset: int, room: int) -> str:
    """As much of a text as there is room for, to the end of a line where that is near."""
    rest = value[offset:]
    length = len(rest)
    while length > 1 and tokens(rest[:length]) > room:
        length = min(length - 1, int(length * max(room, 1) / tokens(rest[:length])))
    if length < len(rest):
        line_end = rest.rfind("\n", length // 2, length)
        length = line_end + 1 if line_end > 0 else length
    return rest[: max(length, 1)]


def _items_from(items: list[Any], offset: int, room: int) -> list[Any]:
    """As many items as there is room for, and one at least."""
    part: list[Any] = []
    for item in items[offset:]:
        room -= tokens(item) + 1
        if room < 0 and part:
            break
        part.append(item)
    return part


def tokens(value: Any) -> int:
    """About how many tokens a value has as JSON."""
    return estimate_tokens(spelled(value))


def spelled(value: Any) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _result(data: dict[str, Any], *, is_error: bool) -> CallToolResult:
    text = TextContent(type="text", text=spelled(data))
    return CallToolResult(content=[text], structured_content=data, is_error=is_error)

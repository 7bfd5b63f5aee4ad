"""Answers to tool calls: the same facts as text and as data, without what is empty, and not too long."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

from mcp_types import CallToolResult, TextContent

from quaid.embed.tokens import ESTIMATED, estimate_tokens
from quaid.errors import InvalidInput, QuaidError
from quaid.model.record import record
from quaid.operations.operation import Operation
from quaid.operations.results import as_data

MAX_TOKENS = 10_000
NOTE = 100  # tokens of what says how to go on


@record
class Part:
    """Which part of a long answer is wanted."""

    offset: int = 0
    skipped: int = 0  # items that the operation itself has left out before
    goes_on: bool = True  # the same call may be made again for the next part


WHOLE = Part()


def answer(
    operation: Operation[Any, Any],
    result: Any,
    notices: list[str] | None = None,
    part: Part = WHOLE,
    most: int = MAX_TOKENS,
) -> CallToolResult:
    """The answer to a call that went well: all of it, or the part that was asked for."""
    data = data_of(operation, result, notices)
    if part.goes_on:
        return _result(bounded(data, part.offset, most, part.skipped), is_error=False)
    return _result(shortened(data, most), is_error=False)


def data_of(operation: Operation[Any, Any], result: Any, notices: list[str] | None = None) -> dict[str, Any]:
    """What a client is given of a result."""
    whole = as_data(result)
    lean = compact(whole, frozenset(operation.unneeded))
    data: dict[str, Any] = lean if isinstance(lean, dict) else {"result": lean}
    if notices:
        data["notices"] = [*data.get("notices", ()), *notices]
    if (
        operation.effect == "read"
        and "content" not in data
        and not any(isinstance(value, list) and name != "notices" for name, value in data.items())
    ):
        # Nothing was found: a model that reads no list at all cannot know it.
        data |= {name: [] for name in islice((name for name in whole if whole[name] == []), 1)}
    return data


def failure(error: QuaidError, names: Mapping[str, str] | None = None) -> CallToolResult:
    """The answer to a call that failed: the model must see what is wrong and what to do.

    `names` are tools by the commands in whose place they are named.
    """
    facts = shortened(error.as_dict(), MAX_TOKENS // 10)
    for command, tool in (names or {}).items():
        if "hint" in facts:
            facts["hint"] = facts["hint"].replace(f"`quaid {command}`", tool)
    return _result({"error": facts}, is_error=True)


def compact(data: Any, unneeded: frozenset[str] = frozenset()) -> Any:
    """The data without empty values and without fields that nobody needs."""
    if isinstance(data, dict):
        kept = ((key, compact(value, unneeded)) for key, value in data.items() if key not in unneeded)
        return {key: value for key, value in kept if value not in ("", [], {}, None)}
    if isinstance(data, list):
        return [compact(item, unneeded) for item in data]
    return data


def bounded(data: dict[str, Any], offset: int, most: int, skipped: int = 0) -> dict[str, Any]:
    """The data, or that part of its long text or lists that begins at `offset`; `next` says how to go on.

    Long lists are read one after the other, as if they were one.
    """
    if fits(data, most):
        if offset:
            raise InvalidInput(
                "nothing goes on there", hint="By now all of it fits into one answer: leave out offset."
            )
        return data
    sizes = {
        name: tokens(value, 10 * most)
        for name, value in data.items()
        if value and isinstance(value, (str, list))
    }
    longest = max(sizes, key=lambda name: sizes[name], default="")
    if not longest or sizes[longest] < most // 4:  # its length is elsewhere
        cut: dict[str, Any] = shortened(data, most)
        return cut
    if isinstance(data[longest], str):
        parted = {longest: data[longest]}
    else:
        lists = {name: data[name] for name in sizes if isinstance(data[name], list)}
        parted = {name: items for name, items in lists.items() if sizes[name] > most // 10}
    length = sum(map(len, parted.values()))
    if offset >= length:
        raise InvalidInput(f"offset {offset} is beyond the end", hint=f"There are {length}.")
    others = {name: value for name, value in data.items() if name not in parted}
    kept: dict[str, Any] = shortened(others, most // 2)
    room = max(most - tokens(kept) - NOTE, 1)
    part = (
        {longest: _text_from(data[longest], offset, room)}
        if longest in parted and isinstance(data[longest], str)
        else _items_from(parted, offset, room)
    )
    end = offset + sum(map(len, part.values()))
    return kept | part | (_how_to_go_on(parted, end + skipped, length + skipped) if end < length else {})


def _how_to_go_on(parted: dict[str, Any], end: int, length: int) -> dict[str, Any]:
    unit = "characters" if any(isinstance(value, str) for value in parted.values()) else "items"
    names = " and ".join(parted)
    hint = f"{names} {'go' if len(parted) > 1 else 'goes'} on: call again with offset {end} ({unit})."
    return {"next": {"offset": end, "of": length, "hint": hint}}


def _text_from(value: str, offset: int, room: int) -> str:
    """As much of a text as there is room for, to the end of a line where that is near."""
    beyond = next(islice(ESTIMATED.finditer(value, offset), room, None), None)
    rest = value[offset : beyond.start() if beyond else len(value)]
    length = len(rest)
    while length > 1 and (counted := tokens(rest[:length])) > room:
        length = min(length - 1, int(length * room / counted))
    if offset + length < len(value):
        line_end = rest.rfind("\n", length // 2, length)
        length = line_end + 1 if line_end > 0 else length
    return rest[: max(length, 1)]


def _items_from(lists: dict[str, list[Any]], offset: int, room: int) -> dict[str, list[Any]]:
    """As many items as there is room for, and one at least, which is shortened if it must be."""
    part: dict[str, list[Any]] = {}
    before = 0
    for name, items in lists.items():
        for item in items[max(offset - before, 0) :]:
            size = tokens(item, room + 1) + 1
            if part and size > room:
                return part
            part.setdefault(name, []).append(item if size <= room else shortened(item, room))
            room -= size
        before += len(items)
    return part


def shortened(value: Any, room: int) -> Any:
    """A value with about that many tokens: what is long in it is cut, and says so."""
    if fits(value, room):
        return value
    if isinstance(value, str):
        text = _text_from(value, 0, max(room - 8, 1))
        return f"{text}… ({len(value) - len(text):,} more characters)"
    if isinstance(value, list):
        items = _items_from({"": value}, 0, max(room - 8, 1)).get("", [])
        left = len(value) - len(items)
        return [*items, f"… ({left:,} more)"] if left else items
    return _shortened_fields(value, room) if isinstance(value, dict) else value


def _shortened_fields(data: dict[str, Any], room: int) -> dict[str, Any]:
    """The short fields whole; the others share what is left."""
    kept: dict[str, Any] = {}
    ascending = sorted(data, key=lambda name: tokens(data[name], room))
    for place, name in enumerate(ascending):
        own = tokens(name) + 2
        share = room // (len(ascending) - place) - own
        if share < 1:
            kept["…"] = f"{len(ascending) - place:,} more"
            break
        kept[name] = shortened(data[name], share)
        room -= tokens(kept[name]) + own
    return {name: kept[name] for name in [*data, "…"] if name in kept}


def fits(value: Any, room: int) -> bool:
    """Whether a value has no more tokens than that."""
    return tokens(value, room + 1) <= room


def tokens(value: Any, most: int | None = None) -> int:
    """About how many tokens a value has as JSON; of what is very long, no more than `most` are counted."""
    if most is None:
        return estimate_tokens(compact_json(value))
    if isinstance(value, str):
        value = value[: 20 * most]  # spaces are no tokens, but so many are hardly better
    return sum(1 for _ in islice(ESTIMATED.finditer(compact_json(value)), max(most, 0)))


def compact_json(value: Any) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _result(data: dict[str, Any], *, is_error: bool) -> CallToolResult:
    text = TextContent(type="text", text=compact_json(data))
    return CallToolResult(content=[text], structured_content=data, is_error=is_error)

"""Tables of a TOML text, edited so that nothing else changes."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quaid.agents.setup.jsonc import at, with_value
from quaid.model.record import record

Path = tuple[str, ...]

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_KEY = re.compile(rf"[ \t]*({_PART}(?:[ \t]*\.[ \t]*{_PART})*)[ \t]*")
_PARTS = re.compile(_PART)
_STRING = re.compile(
    r'"""(?:[^\\]|\\[\s\S])*?"{3,5}' + r"|'''[\s\S]*?'{3,5}" + r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
)


class TomlError(ValueError):
    """A text that is not TOML, or an edit that it does not allow."""


@record
class Statement:
    """A header or a pair: whose table it is in, its own key, and where it stands (with its line's end)."""

    table: Path
    key: Path
    start: int
    end: int
    value: tuple[int, int] = (0, 0)

    @property
    def is_header(self) -> bool:
        return not self.key


def read(text: str) -> dict[str, Any]:
    """The values of a text."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise TomlError(str(error)) from None


def put(text: str, path: Path, values: Mapping[str, Any]) -> str:
    """Set keys of a table; other keys of it stay. A table that is not there is added at the end."""
    before = read(text)
    known = at(before, path)
    expected = with_value(before, path, {**(known if isinstance(known, dict) else {}), **values})
    if known is None:
        new = _appended(text, path, values)
    else:
        new = text
        for key, value in values.items():
            if at(read(new), (*path, key)) != value:
                new = _replaced(new, path, key, value)
    return _checked(new, expected, path)


def remove(text: str, path: Path) -> str:
    """Take out a table with the tables in it; a text without it stays as it is."""
    before = read(text)
    if at(before, path) is None:
        return text
    own = [each for each in statements(text) if each.table[: len(path)] == path]
    new = text
    for first, last in reversed(_runs(own, text)):
        new = new[:first] + new[last:]
    newline = _newline(text)
    if not new[: len(new.rstrip())].strip():
        new = new.strip("\r\n")
    elif own and not text[own[-1].end :].strip() and new.endswith(newline * 2):
        new = new.removesuffix(newline)
    return _checked(new, _without(before, path), path)


def _runs(own: Sequence[Statement], text: str) -> list[tuple[int, int]]:
    """Spans of the statements; what stands between two of them goes with them."""
    spans: list[tuple[int, int]] = []
    known = {each.start for each in statements(text)} - {each.start for each in own}
    for each in own:
        joined = spans and not any(spans[-1][1] <= other < each.start for other in known)
        if joined:
            spans[-1] = (spans[-1][0], each.end)
        else:
            spans.append((each.start, each.end))
    return spans


def statements(text: str) -> Iterator[Statement]:
    """The headers and pairs of a valid text, in order."""
    table: Path = ()
    place = 1 if text.startswith("\ufeff") else 0
    while place < len(text):
        line_end = _line_end(text, place)
        start = place + len(text[place:line_end]) - len(text[place:line_end].lstrip(" \t"))
        first = text[start : start + 1]
        if first == "[":
            found = _KEY.match(text, start + (2 if text.startswith("[[", start) else 1))
            table = _parts(found[1]) if found else ()
            yield Statement(table, (), place, line_end)
        elif first not in ("", "#", "\n", "\r"):
            found = _KEY.match(text, place)
            value = found.end() + 1 if found else start
            value += len(text[value:]) - len(text[value:].lstrip(" \t"))
            end = _value_end(text, value)
            line_end = _line_end(text, end)
            yield Statement(table, _parts(found[1]) if found else ("",), place, line_end, (value, end))
        place = line_end


def _parts(key: str) -> Path:
    return tuple(
        tomllib.loads(f"k = {part}")["k"] if part[0] in "\"'" else part for part in _PARTS.findall(key)
    )


def _line_end(text: str, place: int) -> int:
    found = text.find("\n", place)
    return len(text) if found < 0 else found + 1


def _value_end(text: str, place: int) -> int:
    """Where a value ends: arrays and strings may have several lines."""
    depth = 0
    end = place
    while place < len(text):
        letter = text[place]
        if letter in "\"'" and (found := _STRING.match(text, place)):
            place = end = found.end()
            continue
        if letter == "#" or letter == "\n":
            if not depth:
                break
            place = _line_end(text, place)
            continue
        depth += (letter in "[{") - (letter in "]}")
        place += 1
        end = end if letter.isspace() else place
    return end


def _appended(text: str, path: Path, values: Mapping[str, Any]) -> str:
    newline = _newline(text)
    gap = ""
    if text.strip("\ufeff \t\r\n"):
        gap = newline if text.endswith("\n") else newline * 2
        gap = "" if text.endswith(newline * 2) else gap
    lines = [f"[{'.'.join(_key(part) for part in path)}]"]
    lines += [f"{_key(key)} = {toml_value(value)}" for key, value in values.items()]
    return text + gap + newline.join(lines) + newline


def _replaced(text: str, path: Path, key: str, value: Any) -> str:
    own = [each for each in statements(text) if each.table == path]
    found = next((each for each in own if each.key == (key,)), None)
    if found:
        return text[: found.value[0]] + toml_value(value) + text[found.value[1] :]
    header = next((each for each in own if each.is_header), None)
    if header is None:
        raise _not_a_table(path)
    newline = _newline(text)
    start = "" if text[: header.end].endswith("\n") else newline
    return f"{text[: header.end]}{start}{_key(key)} = {toml_value(value)}{newline}{text[header.end :]}"


def toml_value(value: Any) -> str:
    """A string, number, truth value or list of such, as TOML writes it."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(each) for each in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(part: str) -> str:
    return part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else toml_value(part)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _without(value: dict[str, Any], path: Path) -> dict[str, Any]:
    """A value without a table, and without the tables that only lead to it."""
    inner = _without(value[path[0]], path[1:]) if len(path) > 1 else {}
    rest = {key: each for key, each in value.items() if key != path[0]}
    return {**rest, path[0]: inner} if inner else rest


def _checked(new: str, expected: dict[str, Any], path: Path) -> str:
    """The new text, if it says what it should: a table can be written in ways that are not edited."""
    try:
        if _pruned(read(new)) == _pruned(expected):
            return new
    except TomlError:
        pass
    raise _not_a_table(path)


def _pruned(value: Any) -> Any:
    """A value without empty tables: a header of one may stay behind."""
    if not isinstance(value, dict):
        return value
    inner = {key: _pruned(each) for key, each in value.items()}
    return {key: each for key, each in inner.items() if each != {}}


def _not_a_table(path: Path) -> TomlError:
    return TomlError(f"{path[0]} is not written as tables, such as [{'.'.join(path)}]")

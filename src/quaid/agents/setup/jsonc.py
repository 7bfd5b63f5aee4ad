"""JSON as people write it, with comments and trailing commas; edited so that nothing else changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

DEEPEST = 200  # levels; nobody nests a configuration further

Key = str | int
Path = Sequence[Key]

_TOKEN = re.compile(
    r"""(?>(?:[ \t\r\n\ufeff]+|//[^\r\n]*|/\*[\s\S]*?\*/)*)  # space and comments
        (?:(?P<string>"(?:[^"\\\r\n]+|\\[^\r\n])*+")
          |(?P<mark>[{}\[\]:,])
          |(?P<word>[^\s{}\[\]:,"/]+)
          |(?P<end>\Z))""",
    re.VERBOSE,
)
_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\r\n]*|/\*[\s\S]*?\*/)*")
_DECODER = json.JSONDecoder(strict=False)
_INDENTED = re.compile(r"[{\[][ \t]*\r?\n([ \t]+)(?=\S)")
_TAIL = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/)")


class JsoncError(ValueError):
    """A text that is not JSON, or an edit that it does not allow; `line` counts from 1."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.what = what
        self.line = line


class Child(NamedTuple):  # not a record: a configuration can have a hundred thousand
    """A member of an object or an item of an array; `comma` is where the comma after it stands."""

    key: Key
    start: int
    node: Node
    comma: int | None


class Node(NamedTuple):
    """A value and where it stands in the text."""

    kind: Literal["object", "array", "scalar"]
    start: int
    end: int
    value: Any
    children: tuple[Child, ...] = ()

    def child(self, key: Key) -> Child | None:
        """The member or item of that key; of members that repeat a name, the last counts."""
        return next((each for each in reversed(self.children) if each.key == key), None)


def read(text: str) -> Any:
    """The value of a text; None where there is nothing but space and comments."""
    node = parse(text)
    return None if node is None else node.value


def at(value: Any, path: Path) -> Any:
    """What stands at a path of a value; None if nothing does."""
    for key in path:
        if isinstance(value, list) and isinstance(key, int):
            value = value[key] if 0 <= key < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


@lru_cache(maxsize=4)  # a text is looked at several times before it is changed
def parse(text: str) -> Node | None:
    """The value of a text with the places of all its parts; None where there is none."""
    return _Parser(text).document()


def put(text: str, path: Path, value: Any) -> str:
    """Set what stands at a path. Objects on the way are made; an index that is the next appends."""
    root = parse(text)
    layout = _Layout(text)
    if root is None:
        gap = layout.newline if text and not text.endswith(("\n", "\ufeff")) else ""
        return text + gap + layout.value_text(_as_member(path, value), "") + layout.newline
    node = root
    for depth, key in enumerate(path):
        _check_kind(text, node, key)
        child = node.child(key)
        if child is None:
            new = _inserted(text, layout, node, key, _as_member(path[depth + 1 :], value))
            return _checked(text, new, with_value(root.value, path, value))
        node = child.node
    base = "" if layout.compact else layout.indentation(node.start)
    new = text[: node.start] + layout.value_text(value, base) + text[node.end :]
    return _checked(text, new, with_value(root.value, path, value))


def remove(text: str, path: Path) -> str:
    """Take out the member or item at a path; a text without it stays as it is."""
    root = parse(text)
    node = root
    for key in path[:-1]:
        child = node.child(key) if node else None
        node = child.node if child else None
    child = node.child(path[-1]) if node else None
    if root is None or node is None or child is None:
        return text
    expected = _without(root.value, path)
    start = len(text[: child.start].rstrip(" \t\r\n"))
    try:
        return _checked(text, _cut(text, node, child, start), expected)
    except JsoncError:
        # A comment before it ends with its line: that line break must stay.
        return _checked(text, _cut(text, node, child, child.start), expected)


def _cut(text: str, node: Node, child: Child, start: int) -> str:
    spans = [(start, child.node.end)]
    place = node.children.index(child)
    if child.comma is not None:
        spans.append((child.comma, child.comma + 1))
    elif place and (comma := node.children[place - 1].comma) is not None:
        spans.append((comma, comma + 1))
    inner = _without_spans(text, spans, node.start + 1, node.end - 1)
    if len(node.children) == 1 and not inner.strip():
        inner = ""
    return text[: node.start + 1] + inner + text[node.end - 1 :]


def _without_spans(text: str, spans: Iterable[tuple[int, int]], start: int, end: int) -> str:
    kept = []
    for first, last in sorted(spans):
        kept.append(text[start:first])
        start = last
    return "".join([*kept, text[start:end]])


class _Layout:
    """How a text is laid out: its line breaks, its unit of indentation, whether it is all on one line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        bare = text.strip("\ufeff \t\r\n")
        self.compact = "\n" not in bare and bare[:1] in ("{", "[") and len(bare) > len("{}")
        found = _INDENTED.search(text)
        unit = found[1].removeprefix(self.indentation(found.start())) if found else ""
        self.unit = unit or "  "

    def indentation(self, place: int) -> str:
        """The space at the start of the line of a place."""
        line = self._text[self._text.rfind("\n", 0, place) + 1 : place].lstrip("\ufeff")
        return line[: len(line) - len(line.lstrip(" \t"))]

    def value_text(self, value: Any, base: str) -> str:
        """A value as text; its lines but the first are indented by the base."""
        if self.compact:
            return json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit).split("\n")
        return (self.newline + base).join(lines)


def _inserted(text: str, layout: _Layout, node: Node, key: Key, value: Any) -> str:
    name = json.dumps(key, ensure_ascii=False) + ": " if isinstance(key, str) else ""
    if not node.children:
        return _filled(text, layout, node, name, value)
    last = node.children[-1]
    before = node.start + 1
    if len(node.children) > 1:
        before = (node.children[-2].comma or before) + 1
    end = last.node.end if last.comma is None else last.comma + 1
    more, trailing = (",", "") if last.comma is None else ("", ",")
    if "\n" not in text[before : last.start]:
        gap = "" if len(node.children) > 1 and before == last.start else " "
        flat = json.dumps(value, ensure_ascii=False)
        return f"{text[:end]}{more}{gap}{name}{flat}{trailing}{text[end:]}"
    indent = layout.indentation(last.start)
    tail = _after_comments(text, end)
    piece = layout.newline + indent + name + layout.value_text(value, indent) + trailing
    return text[:end] + more + text[end:tail] + piece + text[tail:]


def _filled(text: str, layout: _Layout, node: Node, name: str, value: Any) -> str:
    """An empty object or array with its first member."""
    start, end = node.start + 1, node.end - 1
    inner = text[start:end]
    if layout.compact:
        return text[:start] + name + layout.value_text(value, "") + inner.strip(" \t\r\n") + text[end:]
    base = layout.indentation(node.start)
    indent = base + layout.unit
    piece = layout.newline + indent + name + layout.value_text(value, indent)
    if not inner.strip():
        return text[:start] + piece + layout.newline + base + text[end:]
    tail = _after_comments(text, start)
    closing = "" if "\n" in text[tail:end] else layout.newline + base
    return text[:tail] + piece + text[tail:end] + closing + text[end:]


def _after_comments(text: str, place: int) -> int:
    """The place after the comments that stand on the same line."""
    while found := _TAIL.match(text, place):
        place = found.end()
    return place


def _as_member(path: Path, value: Any) -> Any:
    for key in reversed(path):
        value = {key: value} if isinstance(key, str) else [value]
    return value


def with_value(value: Any, path: Path, new: Any) -> Any:
    """A value in which something stands at a path."""
    if not path:
        return new
    key, rest = path[0], path[1:]
    if isinstance(key, str):
        known = value if isinstance(value, dict) else {}
        return {**known, key: with_value(known.get(key), rest, new)}
    items = list(value) if isinstance(value, list) else []
    return [*items[:key], with_value(items[key] if key < len(items) else None, rest, new), *items[key + 1 :]]


def _without(value: Any, path: Path) -> Any:
    key, rest = path[0], path[1:]
    if isinstance(value, dict):
        return {
            name: _without(each, rest) if name == key else each
            for name, each in value.items()
            if rest or name != key
        }
    return [
        _without(each, rest) if place == key else each
        for place, each in enumerate(value)
        if rest or place != key
    ]


def _check_kind(text: str, node: Node, key: Key) -> None:
    wanted = "object" if isinstance(key, str) else "array"
    if node.kind != wanted:
        raise JsoncError(f"there should be an {wanted}, to hold {key!r}", _line(text, node.start))
    if isinstance(key, int) and key > len(node.children):
        raise JsoncError(f"the array has no place {key}", _line(text, node.start))


def _checked(text: str, new: str, expected: Any) -> str:
    """The new text, if it says what it should: names that repeat can prevent it."""
    if read(new) != expected:
        raise JsoncError("a name stands there twice in one object", _line(text, len(text)))
    return new


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


class _Parser:
    """Reads a text, value by value."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0  # of the token
        self._end = 0  # of the token
        self._kind = ""
        self._next()

    def document(self) -> Node | None:
        if self._kind == "end":
            return None
        node = self._value(0)
        if self._kind != "end":
            raise self._wrong("something follows the value")
        return node

    def _next(self) -> None:
        """Go to the next token."""
        found = _TOKEN.match(self._text, self._end)
        if found is None:
            self._place = _SPACE.match(self._text, self._end).end()  # type: ignore[union-attr]
            raise self._wrong("this is not JSON")
        kind = found.lastgroup or ""
        self._place, self._end = found.span(kind)
        self._kind = found[kind] if kind == "mark" else kind

    def _wrong(self, what: str) -> JsoncError:
        return JsoncError(what, _line(self._text, self._place))

    def _take(self, mark: str) -> None:
        if self._kind != mark:
            raise self._wrong(f"here should be a {mark}")
        self._next()

    def _value(self, depth: int) -> Node:
        if depth > DEEPEST:
            raise self._wrong("this is nested too deeply")
        if self._kind in ("{", "["):
            return self._container(depth)
        if self._kind not in ("string", "word"):
            raise self._wrong("here should be a value")
        start, end = self._place, self._end
        value = self._scalar()
        self._next()
        return Node("scalar", start, end, value)

    def _scalar(self) -> Any:
        token = self._text[self._place : self._end]
        if token[0] == '"' and "\\" not in token:
            return token[1:-1]
        if token in ("NaN", "Infinity", "-Infinity"):
            raise self._wrong(f"{token} is no value of JSON")
        try:
            return _DECODER.decode(token)
        except ValueError:
            raise self._wrong("this is no value of JSON") from None

    def _container(self, depth: int) -> Node:
        is_object = self._kind == "{"
        closing = "}" if is_object else "]"
        start = self._place
        children: list[Child] = []
        self._next()
        while self._kind != closing:
            if children and children[-1].comma is None:
                raise self._wrong(f"here should be a comma or a {closing}")
            begin = self._place
            key: Key = self._name() if is_object else len(children)
            node = self._value(depth + 1)
            comma = self._place if self._kind == "," else None
            if comma is not None:
                self._next()
            children.append(Child(key, begin, node, comma))
        end = self._end
        self._next()
        value: Any = {each.key: each.node.value for each in children}  # of an array, by their places
        value = value if is_object else list(value.values())
        return Node("object" if is_object else "array", start, end, value, tuple(children))

    def _name(self) -> str:
        if self._kind != "string":
            raise self._wrong("here should be a name in quotes")
        name: str = self._scalar()
        self._next()
        self._take(":")
        return name

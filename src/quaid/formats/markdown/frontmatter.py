"""YAML frontmatter: where it is, and what it says.

A tree of nodes with their places is built from libyaml's events; nothing is resolved by tag, so nothing
in a file can be executed, and the reading of plain scalars is that of YAML 1.2's core schema.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from quaid.model.page import Problem

Kind: TypeAlias = Literal["scalar", "mapping", "sequence", "alias"]

REPEATED = "repeated-key"  # the code of a problem: the value that counts can be edited all the same
MAX_SIZE = 1_000_000
MAX_NODES = 20_000
MAX_DEPTH = 64

_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\r?\Z)", re.MULTILINE)
_BRACKET = re.compile(r"[\[\]{}]")
_NESTING = re.compile(r"^(?:[ \t]|[-?:](?=[ \t\r\n]))+", re.MULTILINE)
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
# Leading zeros and very long digits are identifiers (postcodes, zettel numbers), which a number would spoil.
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})", re.ASCII)
_BASED = re.compile(r"0o[0-7]{1,20}|0x[0-9a-fA-F]{1,15}", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_FRACTION = re.compile(r"[.eE]")
_SALVAGED = re.compile(r"^(title|type|tags|aliases|summary|slug)[ \t]*:(?:[ \t](.*))?\r?$", re.MULTILINE)
_SALVAGED_LINES = re.compile(r"\n?((?:(?:[ \t]|- )[^\n]*\n?)*)")
_SALVAGED_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)")


class Node:
    """One YAML node and the characters of the head that it covers.

    The end of a block collection is where its last child ends. A mapping's children alternate
    between key and value.
    """

    __slots__ = ("anchor", "children", "end", "flow", "kind", "line", "start", "style", "value")

    def __init__(self, kind: Kind, start: int, end: int, line: int, anchor: str | None) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.line = line
        self.anchor = anchor
        self.style = ""
        self.value = ""
        self.flow = False
        self.children: list[Node] = []

    def pairs(self) -> list[tuple[Node, Node]]:
        """Keys and values of a mapping."""
        return list(zip(self.children[::2], self.children[1::2], strict=True))


class UnreadableError(Exception):
    """The YAML is broken, or too large or deep to be read."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.problem = Problem("frontmatter", message, line)


def split(text: str) -> tuple[str, str]:
    """The frontmatter with its fences, and the rest; together they are the text."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    end = closing.end() if closing else 0
    return text[:end], text[end:]


def values_of(text: str) -> dict[str, Any]:
    """The fields of a page, as far as they can be read."""
    head = split(text)[0]
    return read(head)[0] if head else {}


def read(head: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The values as plain JSON types, and what could not be understood. Never fails."""
    try:
        root = tree(head)
        if root is None:
            return {}, ()
        reader = _Reader(head)
        value = reader.value(root)
    except UnreadableError as error:
        return _readable_fields(head[:MAX_SIZE]), (error.problem,)
    if value is None:
        return {}, ()
    if not isinstance(value, dict):
        return {}, (Problem("frontmatter", "the frontmatter is not a mapping of keys to values", root.line),)
    return value, tuple(reader.problems)


def tree(head: str) -> Node | None:
    """The node tree of a head with its fences; None when there is nothing in it."""
    opening = _OPENING.match(head)
    start = opening.end() if opening else 0
    closing = _CLOSING.search(head, start)
    inner = head[start : closing.start() if closing else len(head)]
    _check_bounds(inner)
    return _root_node(inner, start)


def plain_scalar(text: str) -> Any:
    """What an unquoted scalar means."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INT.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _FRACTION.search(text) and _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else text
    return text


def _check_bounds(inner: str) -> None:
    """Refuse what would cost too much before any parser sees it."""
    if len(inner) > MAX_SIZE:
        raise UnreadableError(f"the frontmatter is larger than {MAX_SIZE:,} characters")
    depth = 0
    for bracket in _BRACKET.finditer(inner):
        depth = depth + 1 if bracket.group() in "[{" else max(0, depth - 1)
        if depth > MAX_DEPTH:
            raise UnreadableError("the frontmatter is nested too deeply")
    if any(len(match.group()) > 2 * MAX_DEPTH for match in _NESTING.finditer(inner)):
        raise UnreadableError("the frontmatter is nested too deeply")


def _root_node(inner: str, offset: int) -> Node | None:
    # Lazy for start-up time: pages without frontmatter need no YAML.
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _tree_of(yaml.parse(inner, Loader=loader), offset)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = error.problem or error.context or "it cannot be parsed"
        raise UnreadableError(f"the YAML is broken: {message}", mark.line + 2 if mark else 1) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise UnreadableError(f"the YAML is broken: {str(error).splitlines()[0]}") from error


# The kinds of nodes, by the events with which they begin; most are scalars.
_KINDS: dict[str, Kind] = {
    "ScalarEvent": "scalar",
    "MappingStartEvent": "mapping",
    "SequenceStartEvent": "sequence",
    "AliasEvent": "alias",
}


def _tree_of(events: Iterator[Any], offset: int) -> Node | None:
    root: Node | None = None
    opened: list[Node] = []
    count = 0
    for event in events:
        name = type(event).__name__
        kind = _KINDS.get(name)
        if kind:
            count += 1
            if count > MAX_NODES:
                raise UnreadableError(f"the frontmatter holds more than {MAX_NODES:,} values")
            start, end = event.start_mark, event.end_mark
            node = Node(kind, start.index + offset, end.index + offset, start.line + 2, event.anchor)
            if opened:
                opened[-1].children.append(node)
            else:
                root = node
            if kind == "scalar":
                node.value, node.style = event.value, event.style or ""
            elif kind != "alias":
                node.flow = bool(event.flow_style)
                opened.append(node)
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            node = opened.pop()
            is_block = node.children and not node.flow
            node.end = node.children[-1].end if is_block else event.end_mark.index + offset
        elif name == "DocumentStartEvent" and root is not None:
            raise UnreadableError("the frontmatter holds several YAML documents", event.start_mark.line + 2)
    return root


class _Reader:
    """Turns nodes into values, following aliases as far as a fixed budget allows."""

    def __init__(self, head: str) -> None:
        self.problems: list[Problem] = []
        self._head = head
        self._anchors: dict[str, Node] = {}
        self._budget = MAX_NODES
        self._depth = 0

    def value(self, node: Node) -> Any:
        if node.anchor and node.kind != "alias":
            self._anchors[node.anchor] = node
        self._budget -= 1
        if self._budget < 0 or self._depth > MAX_DEPTH:
            raise UnreadableError("the frontmatter nests or repeats too much", node.line)
        if node.kind == "scalar":
            # Without quotes or a block indicator, it may be more than a text.
            return whole(node.value) if node.style else plain_scalar(node.value)
        self._depth += 1
        value: Any
        if node.kind == "mapping":
            value = self._mapping(node)
        elif node.kind == "sequence":
            value = [self.value(child) for child in node.children]
        else:
            target = self._anchors.get(node.anchor or "")
            if target is None:
                raise UnreadableError(f"the alias *{node.anchor} has no anchor before it", node.line)
            value = self.value(target)
        self._depth -= 1
        return value

    def _mapping(self, node: Node) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.pairs():
            key = self._key(key_node)
            if key in values:
                self.problems.append(
                    Problem(REPEATED, f"the key {key!r} is given twice; the last one counts", key_node.line)
                )
            values[key] = self.value(value_node)
        return values

    def _key(self, node: Node) -> str:
        if node.anchor and node.kind != "alias":
            self._anchors[node.anchor] = node
        if node.kind == "alias":
            node = self._anchors.get(node.anchor or "", node)
        # A mapping as a key is what a template's `{{title}}` parses to: show it as it was written.
        return whole(node.value) if node.kind == "scalar" else whole(self._head[node.start : node.end])


def whole(text: str) -> str:
    """The text with escaped surrogate pairs joined and halves of pairs replaced."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _readable_fields(head: str) -> dict[str, Any]:
    """What can be read line by line from broken YAML: the fields that a page is found by."""
    values: dict[str, Any] = {}
    for match in _SALVAGED.finditer(head):
        key, text = match.group(1), (match.group(2) or "").strip()
        if text[:1] in ("|", ">", ""):
            items = _salvaged_items(head, match.end())
            values[key] = items if key in ("tags", "aliases") else " ".join(items)
        elif text.startswith("[") and text.endswith("]"):
            values[key] = [_unquoted(item) for item in text[1:-1].split(",") if item.strip()]
        else:
            values[key] = _unquoted(text)
    return {key: value for key, value in values.items() if value}


def _salvaged_items(head: str, start: int) -> list[str]:
    lines = _SALVAGED_LINES.match(head, start)
    items = []
    for line in lines.group(1).splitlines() if lines else ():
        item = _SALVAGED_ITEM.match(line)
        items.append(_unquoted(item.group(1) if item else line))
    return [item for item in items if item]


def _unquoted(text: str) -> str:
    text = whole(text.strip())
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text

"""Surgical edits of frontmatter: every character outside the edited field stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import reduce
from operator import getitem
from typing import Any, TypeAlias, cast

from quaid.errors import InvalidInput
from quaid.formats.encoding import newline_of
from quaid.formats.markdown import frontmatter
from quaid.formats.markdown.frontmatter import Node

Path: TypeAlias = tuple[str | int, ...]

_BY_HAND = "Edit the frontmatter by hand, then try again."
_BLANKS = re.compile(r"[ \t]*")
_LINE_REST = re.compile(r"(?:[ \t]+#[^\r\n]*|[ \t]*(?=\r?\n|\r?\Z))")
_SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./(][A-Za-z0-9_./()-]*)*", re.ASCII)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def set_value(head: str, path: Path, value: Any, newline: str = "\n") -> str:
    """The frontmatter with one value replaced or created."""
    value = _json(value)
    old = _values(head)
    wanted = _changed(old, path, value)
    if not head:
        return _checked(
            f"---{newline}{newline.join(_Emitter().block(wanted, 0))}{newline}---{newline}", wanted
        )
    editor = _Editor(head)
    editor.set(path, value)
    return _checked(editor.text, wanted)


def delete_value(head: str, path: Path) -> str:
    """The frontmatter without one key or item; a list or mapping that becomes empty goes with it."""
    old = _values(head)
    if not _exists(old, path):
        return head
    while len(path) > 1 and len(reduce(getitem, path[:-1], cast(Any, old))) == 1:
        path = path[:-1]
    editor = _Editor(head)
    editor.delete(path)
    return _checked(editor.text, _removed(old, path))


class _Editor:
    """The text of a head and the places of its nodes."""

    def __init__(self, head: str) -> None:
        self.text = head
        self._newline = newline_of(head)
        self._root = frontmatter.tree(head)
        self._emit = _Emitter(_list_indent(self._root, head))

    def set(self, path: Path, value: Any) -> None:
        root = self._root
        if root is None or _is_null(root):
            place = self.text.rfind("\n", 0, len(self.text.rstrip())) + 1
            self._insert_lines(place, self._emit.block(_nested_value(path, value), 0))
            return
        chain = self._chain(path)
        parent, rest = chain[-1], path[len(chain) - 1 :]
        if not rest:
            self._replace(chain, value)
        elif _is_null(parent) and len(chain) > 1:
            self._replace(chain, _nested_value(rest, value))
        else:
            self._add(chain, rest[0], _nested_value(rest[1:], value))

    def delete(self, path: Path) -> None:
        *above, parent, node = self._chain(path)
        in_flow = parent.flow or any(step.flow for step in above)
        width = 2 if parent.kind == "mapping" else 1
        index = next(i for i, child in enumerate(parent.children) if child is node) // width
        spans = self._flow_spans(parent) if in_flow else self._block_spans(parent)
        start, end = spans[index]
        if in_flow and len(spans) > 1:
            last = index == len(spans) - 1
            start, end = (spans[index - 1][1], end) if last else (start, spans[index + 1][0])
        elif not in_flow:
            start, end = self._lines_of(spans, index)
        self.text = self.text[:start] + self.text[end:]

    def _chain(self, path: Path) -> list[Node]:
        """The nodes from the root as far down the path as they exist."""
        chain = [self._root] if self._root else []
        for step in path:
            child = self._child(chain[-1], step)
            if child is None:
                break
            if child.anchor or self.text[child.start : child.start + 1] in ("&", "*", "!"):
                raise InvalidInput(
                    f"line {child.line} of the frontmatter has an anchor, alias or tag"
                    " that an edit would break",
                    hint=_BY_HAND,
                )
            chain.append(child)
        return chain

    def _child(self, node: Node, step: str | int) -> Node | None:
        if node.kind == "mapping" and isinstance(step, str):
            found = [value for key, value in node.pairs() if key.kind == "scalar" and key.value == step]
            if len(found) > 1:
                raise InvalidInput(f"the key {step!r} is given twice in the frontmatter", hint=_BY_HAND)
            return found[0] if found else None
        if node.kind == "sequence" and isinstance(step, int):
            return node.children[step] if step < len(node.children) else None
        if _is_null(node):
            return None
        raise InvalidInput(f"{step!r} does not fit into the frontmatter there", hint=_BY_HAND)

    def _replace(self, chain: list[Node], value: Any) -> None:
        *above, node = chain
        parent = above[-1]
        in_flow = any(step.flow for step in above)
        if in_flow or self._stays_inline(node, value):
            self._splice_inline(node, self._emit.flow(value, in_flow))
            return
        column = _column(self.text, parent.start)
        if not _is_filled(value):
            self._cut(parent, node, " " + self._emit.flow(value), [])
        elif parent.kind == "mapping":
            self._cut(parent, node, "", self._emit.value_lines(value, column))
        else:
            first, *rows = self._emit.block(value, column + 2)
            self._cut(parent, node, " " + first.lstrip(), rows)

    def _stays_inline(self, node: Node, value: Any) -> bool:
        if not isinstance(value, (dict, list)) or not value:
            return not _is_block(node)
        scalars = isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value)
        return node.flow and scalars and bool(node.children)

    def _splice_inline(self, node: Node, text: str) -> None:
        start, end = node.start, node.end
        if _is_null(node) and start == end:
            blanks = _BLANKS.match(self.text, end)
            after = blanks.end() if blanks else end
            end = after if self.text[after : after + 1] in ("\r", "\n") else end
            text = text if self.text[start - 1 : start] in (" ", "[") else " " + text
        self.text = self.text[:start] + text + self.text[end:]

    def _cut(self, parent: Node, node: Node, inline: str, rows: list[str]) -> None:
        """Put block lines, or a scalar after a block, in the place of a node."""
        start, end = self._indicator_end(parent, node), self._end(node)
        comment = _LINE_REST.match(self.text, end)
        rest = comment.end() if comment else end
        kept = "" if _is_block(node) else self.text[end:rest].rstrip()
        lines = "".join(self._newline + row for row in rows)
        self.text = self.text[:start] + inline + kept + lines + self.text[rest:]

    def _indicator_end(self, parent: Node, node: Node) -> int:
        """The place behind the colon or dash that introduces a node."""
        if parent.kind == "mapping":
            key = next(key for key, value in parent.pairs() if value is node)
            return self.text.index(":", key.end) + 1
        index = next(index for index, child in enumerate(parent.children) if child is node)
        return self._block_spans(parent)[index][0] + 1

    def _add(self, chain: list[Node], step: str | int, value: Any) -> None:
        node = chain[-1]
        if any(step.flow for step in chain) or not node.children:
            self._add_in_flow(node, step, value)
            return
        column = _column(self.text, node.start)
        item = {step: value} if isinstance(step, str) else [value]
        self._insert_lines(self._line_end(self._end(node)), self._emit.block(item, column))

    def _add_in_flow(self, node: Node, step: str | int, value: Any) -> None:
        text = self._emit.flow(value, True)
        if isinstance(step, str):
            text = f"{self._emit.flow(step, True)}: {text}"
        if not node.children:
            place = node.start + 1
            self.text = self.text[:place] + text + self.text[node.end - 1 :]
            return
        spans = self._flow_spans(node)
        between = self.text[spans[-2][1] : spans[-1][0]] if len(spans) > 1 else ""
        gap = between.partition(",")[2]
        gap = gap if gap.strip() == "" and "\n" in gap else " "
        place = spans[-1][1]
        self.text = self.text[:place] + "," + gap + text + self.text[place:]

    def _insert_lines(self, place: int, rows: list[str]) -> None:
        lines = "".join(f"{row}{self._newline}" for row in rows)
        self.text = self.text[:place] + lines + self.text[place:]

    def _flow_spans(self, node: Node) -> list[tuple[int, int]]:
        if node.kind == "mapping":
            return [(key.start, max(key.end, value.end)) for key, value in node.pairs()]
        return [(child.start, child.end) for child in node.children]

    def _block_spans(self, node: Node) -> list[tuple[int, int]]:
        if node.kind == "mapping":
            return [(key.start, self._end(value)) for key, value in node.pairs()]
        starts = [node.start]
        dash = re.compile(rf"^[ ]{{{_column(self.text, node.start)}}}-(?=\s)", re.MULTILINE)
        for before, child in zip(node.children, node.children[1:], strict=False):
            match = dash.search(self.text, self._end(before), child.start + 1)
            starts.append(match.end() - 1 if match else child.start)
        return [(start, self._end(child)) for start, child in zip(starts, node.children, strict=True)]

    def _lines_of(self, spans: list[tuple[int, int]], index: int) -> tuple[int, int]:
        """The whole lines of an entry; one that shares its line with a dash leaves the dash to the next."""
        start, end = spans[index]
        line = self.text.rfind("\n", 0, start) + 1
        if not self.text[line:start].strip():
            return line, self._line_end(end)
        if index + 1 < len(spans) and "?" not in self.text[line:start]:
            return start, spans[index + 1][0]
        raise InvalidInput("this part of the frontmatter cannot be removed safely", hint=_BY_HAND)

    def _end(self, node: Node) -> int:
        """Where the text of a node ends; a block scalar's mark lies beyond the blank lines after it."""
        if node.kind in ("mapping", "sequence") and not node.flow and node.children:
            return self._end(node.children[-1])
        if node.style not in ("|", ">"):
            return node.end
        text = self.text[node.start : node.end]
        keeps = "+" in text.partition("\n")[0]
        return node.start + len(
            text[: -len(self._newline)] if keeps and text.endswith("\n") else text.rstrip()
        )

    def _line_end(self, place: int) -> int:
        found = self.text.find("\n", place)
        return len(self.text) if found < 0 else found + 1


class _Emitter:
    """Values as YAML text."""

    def __init__(self, list_indent: int = 2) -> None:
        self._list_indent = list_indent

    def block(self, value: Any, indent: int) -> list[str]:
        """The lines of a mapping or list that is not empty."""
        pad = " " * indent
        rows: list[str] = []
        if isinstance(value, dict):
            for key, item in value.items():
                name = f"{pad}{_key(key)}:"
                rows += (
                    [name, *self.value_lines(item, indent)]
                    if _is_filled(item)
                    else [f"{name} {self.flow(item)}"]
                )
            return rows
        for item in value:
            inner = self.block(item, indent + 2) if _is_filled(item) else [self.flow(item)]
            rows += [f"{pad}- {inner[0].lstrip()}", *inner[1:]]
        return rows

    def value_lines(self, value: Any, indent: int) -> list[str]:
        """The lines of a value below a key at that indentation."""
        if not _is_filled(value):
            return [self.flow(value)]
        return self.block(value, indent + (self._list_indent if isinstance(value, list) else 2))

    def flow(self, value: Any, inside: bool = False) -> str:
        """The value on one line."""
        if isinstance(value, dict):
            pairs = (f"{self.flow(key, True)}: {self.flow(item, True)}" for key, item in value.items())
            return "{" + ", ".join(pairs) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(self.flow(item, True) for item in value) + "]"
        if inside:
            return _scalar(
                value, lambda text: (f"a: [{text}, {{{text}: 1}}]", {"a": [value, {str(value): 1}]})
            )
        return _scalar(value, lambda text: (f"a: {text}", {"a": value}))


def _scalar(value: Any, sample: Callable[[str], tuple[str, Any]]) -> str:
    """Plain where it reads back as it is, else in double quotes."""
    if not isinstance(value, str):
        return json.dumps(value)
    if _SAFE.fullmatch(value) and frontmatter.plain_scalar(value) == value:
        return value
    text, wanted = sample(value)
    if value.isprintable() and frontmatter.read(f"---\n{text}\n---\n") == (wanted, ()):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)


def _key(name: str) -> str:
    return _scalar(name, lambda text: (f"{text}: 1", {name: 1}))


def _list_indent(node: Node | None, text: str) -> int:
    """How far the author indents a list below its key."""
    if node is None or node.kind != "mapping" or node.flow:
        return 2
    for key, value in node.pairs():
        if value.kind == "sequence" and not value.flow and value.children:
            return max(0, _column(text, value.start) - _column(text, key.start))
    return 2


def _column(text: str, place: int) -> int:
    return place - text.rfind("\n", 0, place) - 1


def _is_null(node: Node) -> bool:
    return node.kind == "scalar" and node.style == "" and frontmatter.plain_scalar(node.value) is None


def _is_block(node: Node) -> bool:
    if node.kind == "scalar":
        return node.style in ("|", ">")
    return not node.flow


def _is_filled(value: Any) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def _json(value: Any) -> Any:
    """A copy that holds plain JSON types only."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"{value!r} cannot be stored in frontmatter", hint="Use text, numbers and lists."
        ) from error


def _values(head: str) -> dict[str, Any]:
    values, problems = frontmatter.read(head)
    for problem in problems:
        if problem.code != frontmatter.REPEATED:
            raise InvalidInput(f"{problem.message} (line {problem.line})", hint=_BY_HAND)
    return values


def _checked(head: str, wanted: dict[str, Any]) -> str:
    whole = frontmatter.split(head) == (head, "")
    if whole and json.dumps(frontmatter.read(head)[0], sort_keys=True) == json.dumps(wanted, sort_keys=True):
        return head
    raise InvalidInput("the frontmatter is written in a way that cannot be edited safely", hint=_BY_HAND)


def _changed(values: Any, path: Path, value: Any) -> Any:
    """The values with one change, as the edited text must read."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int) and isinstance(values, (list, type(None))):
        items = list(values or ())
        if not 0 <= step <= len(items):
            raise InvalidInput(f"the list has no place {step}", hint=f"It has {len(items)} items.")
        return [
            *items[:step],
            _changed(items[step] if step < len(items) else None, rest, value),
            *items[step + 1 :],
        ]
    if isinstance(step, str) and isinstance(values, (dict, type(None))):
        return {**(values or {}), step: _changed((values or {}).get(step), rest, value)}
    raise InvalidInput(f"{step!r} does not fit into the frontmatter there", hint=_BY_HAND)


def _removed(values: Any, path: Path) -> Any:
    step, rest = path[0], path[1:]
    if rest:
        return _changed(values, (step,), _removed(values[step], rest))
    if isinstance(values, dict):
        return {key: value for key, value in values.items() if key != step}
    return [value for index, value in enumerate(values) if index != step]


def _nested_value(path: Path, value: Any) -> Any:
    for step in reversed(path):
        value = {step: value} if isinstance(step, str) else [value]
    return value


def _exists(values: Any, path: Path) -> bool:
    for step in path:
        in_mapping = isinstance(values, dict) and isinstance(step, str) and step in values
        in_list = isinstance(values, list) and isinstance(step, int) and 0 <= step < len(values)
        if not in_mapping and not in_list:
            return False
        values = values[step]
    return bool(path)

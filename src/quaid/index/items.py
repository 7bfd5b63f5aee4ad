"""The lines of a page that are found and shown on their own, with what is nested in them.

Items of lists, rows of tables, lines such as `Phone: 555-0134`, tasks, entries of a log, fields and facts.
Each is a verbatim slice of the page's text. Words find it through its chunk; most have a vector of their own,
so that the one line that matters stands out from a long list. It is the vector of the line as it stands: the
headings above it are in that of its chunk, and a heading that does not fit must not lead away from the line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import zip_longest

from quaid.formats.document import BLANK, HEADING, ITEM, TABLE, TEXT, Line, line_starts
from quaid.formats.format import Syntax, page_format
from quaid.index.chunks import LOG_ENTRY
from quaid.index.labels import LABEL, says_something
from quaid.model.chunk import Chunk, Item, ItemKind, text_hash
from quaid.model.page import Content
from quaid.model.statement import Statement

LONGEST = 400  # characters of an item with what is nested in it; of a longer one, nested ones stand alone
LARGEST = 1000  # characters of a line: more is prose, which is cut and embedded as chunks are
# A table of thousands of rows is data. Its chunks are found as ever; only so many lines are kept one by one.
MOST = 400  # of a page
MOST_VECTORS = 150  # of a page
LEAST_BESIDE = 10  # characters, names included, that its chunk must have besides a line with a vector
LONGEST_PARENT = 120  # characters of the item above that a nested one is embedded with

_MARK = re.compile(r"\A[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)(?:\[[ xX-]\][ \t]*)?", re.ASCII)
_TASK = re.compile(r"\*+[ \t]+(?:TODO|NEXT|WAITING|HOLD|STARTED|DONE|CANCELLED|CANCELED)[ \t]+\S")
_MAIL = re.compile(r"[\w.+-]@[\w-]+\.\w", re.ASCII)
_PHONE = re.compile(r"(?<![\w.])\+?\d[\d ()/-]{6,}\d(?![\w.])", re.ASCII)
_DIGITS = re.compile(r"[0-9][0-9 ()/-]{6}")  # is in each of them, and quickly looked for
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-[-|:+ \t]*\r?\n?\Z")
_OBJECT = re.compile(r"\bobject:[ \t]*[\"']?([^\n,}\"']*)")
_CELL = re.compile(r"(?<!\\)\|")

Place = tuple[int, int]  # start and end, in characters of the page's text
Found = tuple[ItemKind, Place, str, str]  # with what stands above it, and what is embedded if not the line


def items_of(content: Content, chunks: Sequence[Chunk]) -> list[Item]:
    """The lines of a page that are found on their own, in the order of its text."""
    maker = _Maker(content, chunks)
    found = maker.fields_and_facts() if content.stated else []
    return [*found, *maker.list_items()][:MOST]


class _Node:
    """An item of a list in the making. `own` is where what is nested in it begins."""

    __slots__ = ("children", "end", "indent", "own", "start")

    def __init__(self, start: int, end: int, indent: int) -> None:
        self.start = start
        self.end = end
        self.own = end
        self.indent = indent
        self.children: list[_Node] = []


class _Maker:
    def __init__(self, content: Content, chunks: Sequence[Chunk]) -> None:
        self._content = content
        self._syntax = page_format(content.format).syntax
        self._text = content.text
        self._chunks = [chunk for chunk in chunks if chunk.kind == "truth_section"]
        self._starts = [chunk.start for chunk in self._chunks]
        self._lines = line_starts(self._text)
        self._vectors = 0

    def fields_and_facts(self) -> list[Item]:
        """Fields and facts, at the lines of the head that have them."""
        head = _Head(self._content.head)
        return [
            self._item("fact" if each.fact else "field", head.of(each), "", each.words, alone=True)
            for each in self._content.stated
        ]

    def list_items(self) -> list[Item]:
        """Items, rows and labelled lines of the compiled truth."""
        truth, offset = self._content.truth, len(self._content.head)
        found: list[Item] = []
        for block in _blocks(self._syntax, truth, self._content.title):
            for kind, (start, end), above, said in block.lines(truth):
                text = self._readable(said or truth[start:end])
                embedded = f"{above}\n{text}" if above else text
                found.append(self._item(kind, (offset + start, offset + end), block.heading, embedded))
        return found

    def _readable(self, text: str) -> str:
        line = _MARK.sub("", text, count=1).strip()
        return self._syntax.readable(line).strip() or line

    def _item(
        self, kind: ItemKind, place: Place, heading: str, embedded: str, *, alone: bool = False
    ) -> Item:
        start, end = place
        length = len(self._text[start:end].rstrip())
        wanted = self._vectors < MOST_VECTORS and (alone or self._deserves(start, length))
        self._vectors += wanted
        return Item(
            kind=kind,
            heading=heading,
            start=start,
            length=length,
            line_start=bisect_right(self._lines, start),
            line_end=bisect_right(self._lines, start + max(0, length - 1)),
            embedded=embedded,
            hash=text_hash(embedded) if wanted else None,
        )

    def _deserves(self, start: int, length: int) -> bool:
        """Whether a line says something by itself that is not embedded with hardly other words already."""
        place = bisect_right(self._starts, start) - 1
        if length > LARGEST or place < 0:  # what stands in no chunk, as in a template, says nothing
            return False
        beside = len(self._chunks[place].embedded) - length
        return beside >= LEAST_BESIDE and says_something(self._text[start : start + length])


class _Block:
    """A list, a table or a paragraph under one heading."""

    def __init__(self, heading: str) -> None:
        self.heading = heading
        self.roots: list[_Node] = []
        self.rows: list[Place] = []
        self.labelled: list[Place] = []

    def lines(self, text: str) -> list[Found]:
        """Each line, in order."""
        found = [line for root in self.roots for line in _nested_items(text, root)]
        for start, end in self.labelled:
            entry = LOG_ENTRY.match(text, start)
            found.append(("item", (start, end), "", text[entry.end() : end] if entry else ""))
        return [*found, *_table(text, self.rows)] if self.rows else found


def _nested_items(text: str, root: _Node) -> list[Found]:
    """An item with what is nested in it; the items in it, if that is much."""
    found: list[Found] = []
    waiting = [(root, "")]
    while waiting:
        node, context = waiting.pop()
        if node.end - node.start <= LONGEST or not node.children:
            place = _bare(text, node.start, node.end)
            if _MARK.sub("", text[place[0] : place[1]], count=1).strip():
                found.append(("item", place, context, ""))
            continue
        place = _bare(text, node.start, node.own)
        own = _MARK.sub("", text[place[0] : place[1]], count=1).strip()
        if own:
            found.append(("item", place, context, ""))
        waiting += [(child, own[:LONGEST_PARENT]) for child in reversed(node.children)]
    return found


def _table(text: str, rows: Sequence[Place]) -> list[Found]:
    """The rows of a table below its header, each cell with the name of its column."""
    found: list[Found] = []
    head: list[str] = []
    if len(rows) > 1 and _RULE.match(text[slice(*rows[1])]):
        head = _cells(text[slice(*rows[0])])
        rows = rows[2:]
    for start, end in rows:
        line = text[start:end]
        cells = _cells(line)
        if _RULE.match(line) or not any(cells):
            continue
        columns = zip_longest(head[: len(cells)], cells, fillvalue="")
        named = [f"{name}: {cell}" if name else cell for name, cell in columns]
        said = "; ".join(part for part in named if part.strip(": "))
        found.append(("row", _bare(text, start, end), "", said))
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip().strip("|"))]


def _bare(text: str, start: int, end: int) -> Place:
    """A place without blanks at its ends."""
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), start + len(inner.rstrip())


def _blocks(syntax: Syntax, truth: str, title: str) -> list[_Block]:
    """The lists, tables and labelled lines of a text, in order, each with the headings above it."""
    found: list[_Block] = []
    path: list[tuple[int, str]] = []
    headings = iter(syntax.headings(truth))
    block = _Block("")
    open_: list[_Node] = []  # the item that a line may belong to, and those in which it is nested
    before = ""  # the kind of the line before
    entry: list[_Block] = []  # of a log, as long as nothing stands below it
    for line in syntax.lines(truth):
        entry = entry if line.kind in (HEADING, BLANK) else []
        if line.kind == HEADING:
            found += (block, *entry)
            known = next(headings)
            path = [(level, text) for level, text in path if level < known.level]
            open_, entry = [], []
            is_task, is_entry = _TASK.match(truth, line.start), LOG_ENTRY.match(truth, line.start)
            if is_task or is_entry:
                said = _Block(_joined(path, title))
                said.labelled.append(_bare(truth, line.start, line.end))
                found += [said] if is_task else []
                entry = [said] if is_entry else []
            path.append((known.level, known.plain))
            block = _Block(_joined(path, title))
        elif line.kind == ITEM:
            _add(block, open_, line, _indent(truth, line))
        elif line.kind != BLANK and not (open_ and _continues(truth, line, open_, before)):
            open_ = []
            if block.rows and line.kind != TABLE:
                found.append(block)
                block = _Block(block.heading)
            if line.kind == TABLE:
                block.rows.append((line.start, line.end))
            elif line.kind == TEXT and not line.nested and _is_labelled(truth[line.start : line.end]):
                block.labelled.append(_bare(truth, line.start, line.end))
        before = line.kind
    return [*found, block, *entry]


def _joined(path: Sequence[tuple[int, str]], title: str) -> str:
    return " > ".join(text for _, text in path if text and text != title)


def _is_labelled(line: str) -> bool:
    if len(line) > LONGEST:
        return False
    return bool(
        (":" in line and LABEL.match(line))
        or ("@" in line and _MAIL.search(line))
        or (_DIGITS.search(line) and _PHONE.search(line))
    )


def _indent(text: str, line: Line) -> int:
    if text[line.start] not in " \t":
        return 0
    raw = text[line.start : line.end]
    return len(raw[: len(raw) - len(raw.lstrip(" \t"))].expandtabs(4))


def _add(block: _Block, open_: list[_Node], line: Line, indent: int) -> None:
    """A new item: nested in the last one that is less indented, or one of the list's own."""
    while open_ and open_[-1].indent >= indent:
        open_.pop()
    node = _Node(line.start, line.end, indent)
    if open_:
        if not open_[-1].children:
            open_[-1].own = line.start
        open_[-1].children.append(node)
    else:
        block.roots.append(node)
    for each in open_:
        each.end = line.end
    open_.append(node)


def _continues(text: str, line: Line, open_: list[_Node], before: str) -> bool:
    """Whether a line belongs to an item above it; then the item reaches to its end."""
    indent = _indent(text, line)
    lazy = line.kind == TEXT and line.nested and before in (ITEM, TEXT)
    if not lazy:
        while open_ and open_[-1].indent >= indent:
            open_.pop()
    for each in open_:
        each.end = line.end
        if not each.children:
            each.own = line.end
    return bool(open_)


class _Head:
    """Where the fields and facts of a page stand in its head."""

    def __init__(self, head: str) -> None:
        self._head = head
        self._first = 0, head.find("\n") + 1 or len(head)
        self._fields: dict[str, Place] = {}
        self._facts: dict[str, list[Place]] = {}
        start = 0
        for line in head.splitlines(keepends=True):
            place = start, start + len(line)
            start += len(line)
            name = line.strip().removeprefix("#+").lstrip(":").partition(":")[0]
            self._fields.setdefault(name.strip(" \t\"'+").casefold(), place)
            stated = _OBJECT.search(line)
            if stated:
                self._facts.setdefault(stated[1].strip().casefold(), []).append(place)

    def of(self, stated: Statement) -> Place:
        """The line of a field, or that of a fact's value; the first of the head where it cannot be told."""
        if stated.fact:
            known = self._facts.get(stated.value.casefold(), [])
            place = known.pop(0) if known else self._first
        else:
            place = self._fields.get(stated.name.partition(".")[0].casefold(), self._first)
        return _bare(self._head, *place)

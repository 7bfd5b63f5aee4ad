"""The nodes of a knowledge base as its memory has them: found by a name, or by what links to them.

A node is read from the text in its row, and only when somebody wants it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from quaid.formats.encoding import encode
from quaid.kb import base
from quaid.kb.likeness import Likeness, Stated, likenesses, may_be_alike
from quaid.kb.memory import Memory
from quaid.kb.node import Link, Node, parse
from quaid.store import nodes as table
from quaid.store.nodes import NodeRow, Text


class Nodes(Sequence[Node]):
    """All nodes, by path, as they are at one moment."""

    def __init__(self, memory: Memory, rows: list[NodeRow] | None = None) -> None:
        self._memory = memory
        self.rows = memory.rows() if rows is None else rows  # what is known of them without reading them

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place):  # type: ignore[no-untyped-def]
        if isinstance(place, slice):
            return [self.node(row) for row in self.rows[place]]
        return self.node(self.rows[place])

    def __iter__(self) -> Iterator[Node]:
        """Every node with its text: for what must look at all of them."""
        pages = table.everything(self._memory.connection, self._memory.row.id)
        return (parse(text_of(page), page.path) for page in pages)

    def node(self, row: NodeRow) -> Node:
        """A node, read from its row."""
        return parse(text_of(table.page(self._memory.connection, row.page_id)), row.path)

    def find(self, name: str) -> Node:
        """The node of that id, or start of one, title or file."""
        return self.node(base.find(self.rows, name))

    def alike(self, title: str, summary: str, body: str, *, besides: str = "") -> list[Likeness]:
        """The nodes that a new one repeats or contradicts, the likest first."""
        stated = Stated(title, summary, body)
        near = [row for row in self.rows if may_be_alike(stated, row.title, row.summary)]
        return likenesses(stated, near, lambda row: self.node(row).body, besides)

    def mentioning(self, id: str) -> list[Node]:
        """The nodes in whose text an id stands, wherever that is."""
        found = set(table.mentioning(self._memory.connection, self._memory.row.id, id))
        return [self.node(row) for row in self.rows if row.page_id in found]

    def backlinks(self, id: str) -> list[tuple[NodeRow, Link]]:
        """The links of other nodes that lead to one. The index and raw/ have none."""
        wanted = id.lower()
        return [
            (row, link)
            for row in self.rows
            if wanted in row.targets and row.id.lower() != wanted
            for link in links_of(row)
            if link.target.lower() == wanted
        ]


def text_of(page: Text) -> str:
    """A node's text as a knowledge base sees it: what is not UTF-8 cannot be read."""
    if page.encoding.startswith("utf-8"):
        return page.text
    return encode(page.text, page.encoding).decode(errors="replace")


def links_of(row: NodeRow) -> list[Link]:
    """The links of a node."""
    listed = json.loads(row.links) if row.links else []
    return [Link(*each) for each in listed]

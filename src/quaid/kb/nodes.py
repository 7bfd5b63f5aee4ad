"""The nodes of a knowledge base as its memory has them: found by a name, or by what links to them.

A node is read from the text in its row, and only when somebody wants it.
"""

from __future__ import annotations

import json

from quaid.kb import base
from quaid.kb.body import Link
from quaid.kb.likeness import Judge, Likeness, Stated, likenesses
from quaid.kb.node import Node
from quaid.kb.repository import Memory
from quaid.store import nodes as table
from quaid.store.nodes import NodeRow


class Nodes:
    """All nodes, by path, as they are at one moment."""

    def __init__(self, memory: Memory, rows: list[NodeRow] | None = None) -> None:
        self._memory = memory
        self.rows = memory.rows() if rows is None else rows  # what is known of them without reading them

    def node(self, row: NodeRow) -> Node:
        """A node, read from its row."""
        return self._memory.node(row.page_id)

    def find(self, name: str) -> Node:
        """The node of that id, or start of one, title or file: what a write is about is named exactly."""
        return self.node(base.node_named(self.rows, name))

    def node_like(self, name: str) -> Node:
        """The same, or the one node whose title has those words: enough for who reads."""
        return self.node(base.find(self.rows, name))

    def alike(
        self, title: str, summary: str, body: str, *, besides: str = "", judge: Judge | None = None
    ) -> list[Likeness]:
        """The nodes that a new one repeats or contradicts, the likest first."""
        stated = Stated(title, summary, body)
        return likenesses(stated, self.rows, lambda row: self.node(row).body, besides, judge)

    def mentioning(self, words: str) -> list[Node]:
        """The nodes in whose text some ASCII words stand, wherever that is and in whatever case."""
        found = set(table.mentioning(self._memory.connection, self._memory.row.id, words))
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


def links_of(row: NodeRow) -> list[Link]:
    """The links of a node."""
    listed = json.loads(row.links) if row.links else []
    return [Link(*each) for each in listed]

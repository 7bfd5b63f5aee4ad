"""What the index says of one node."""

from __future__ import annotations

import re

from quaid.formats.org.outline import shown
from quaid.kb.node import TYPES, Node

UNTYPED = "other"

_BARE_ID = re.compile(r"\bid:(?=\S)", re.IGNORECASE)


def index_entry(node: Node) -> str:
    """The lines of the index about a node, but for what others say of it."""
    kind = f"{node.type}; " if section_of(node.status, node.type) != node.type and node.type else ""
    facts = f"[{kind}{' '.join(node.projects)}] {node.updated}".rstrip()
    lines = [f"- {plain(node.title)} ({node.id}) {facts}", plain(node.summary)]
    return "\n  ".join(line for line in lines if line) + "\n"


def section_of(status: str, type: str) -> str:
    """The section of the index to which a node belongs."""
    if status in ("contested", "superseded"):
        return status
    return type if type in TYPES else UNTYPED


def plain(text: str) -> str:
    """A text on one line in which Org finds no link."""
    line = " ".join(shown(text).split())
    if "id:" in line.lower():
        line = _BARE_ID.sub("", line)
    return line.replace("[[", "[")

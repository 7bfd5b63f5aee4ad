"""Nodes as a list, and as a map of what links to what: for people who browse, and the programs that draw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from quaid.kb.nodes import links_of
from quaid.kb.query import Filters, passes
from quaid.model.record import record
from quaid.store.nodes import NodeRow

Order = Literal["title", "updated", "created"]

# How org-roam names a node to a browser: whoever clicks on it is led into the editor.
ADDRESS = "org-protocol://roam-node?node="
_COLOURS = {"contested": "#d08770", "superseded": "#9a9a9a"}
_TITLE = 48  # characters of a title that are drawn


@record
class Edge:
    """A link from one node to another, by their ids."""

    source: str
    target: str
    label: str = ""


def selection(rows: Iterable[NodeRow], filters: Filters, order: Order = "title") -> list[NodeRow]:
    """The nodes that are wanted: by title, or the newest first."""
    found = [row for row in rows if passes(row.projects.split(), row.tags.split(), row.status, filters)]
    found.sort(key=lambda row: (row.title.casefold(), row.path))
    if order != "title":
        found.sort(key=lambda row: row.updated if order == "updated" else row.created, reverse=True)
    return found


def brief(row: NodeRow) -> dict[str, Any]:
    """A node as a list shows it."""
    names = ("id", "title", "summary", "type", "tags", "projects", "status", "created", "updated", "path")
    facts = {name: getattr(row, name) for name in names}
    return facts | {"tags": row.tags.split(), "projects": row.projects.split()}


def edges(rows: Sequence[NodeRow]) -> list[Edge]:
    """The links between these nodes, each once, in their order. A link to a section is one to its node."""
    homes = {id: row.id for row in rows for id in (row.id.lower(), *row.ids.split())}
    found = (
        Edge(row.id, homes[link.target.lower()], link.label)
        for row in rows
        for link in links_of(row)
        if link.target.lower() in homes
    )
    return list(dict.fromkeys(edge for edge in found if edge.source != edge.target))


def dot(rows: Sequence[NodeRow], links: Sequence[Edge]) -> str:
    """The map in the language of graphviz. Every node has an address, so that pictures lead to nodes."""
    lines = ["digraph kb {", "  rankdir=LR;", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    for row in rows:
        facts = {
            "label": row.title[:_TITLE] or row.path,
            "tooltip": row.summary or row.title,
            "URL": ADDRESS + row.id,
            **({"color": _COLOURS[row.status]} if row.status in _COLOURS else {}),
        }
        lines.append(f"  {_quoted(row.id)} [{_attributes(facts)}];")
    for link in links:
        named = f" [{_attributes({'label': link.label})}]" if link.label else ""
        lines.append(f"  {_quoted(link.source)} -> {_quoted(link.target)}{named};")
    return "\n".join([*lines, "}"])


def _attributes(facts: dict[str, str]) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in facts.items())


def _quoted(text: str) -> str:
    """A string as graphviz reads it: a backslash would begin an escape of its own."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'

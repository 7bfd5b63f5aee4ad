"""The nodes of a knowledge base: one, what leads to it, and all as a list and a map, also in an editor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from quaid.errors import NotFound
from quaid.kb import map as maps
from quaid.kb.map import Order
from quaid.kb.node import etag
from quaid.kb.query import Filters
from quaid.model.record import fill, record
from quaid.operations.kb.answer import KB, NODE, Answer, Status, Type, kb_command, kb_operation
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import arg

PACKAGE = Path(__file__).parents[2] / "emacs"
_PROJECT = "Only nodes of this project."
_TAG = "Only nodes with this tag."
_STATUS = "Only nodes of this status."
_TYPE = "Only nodes of this type."


@record
class Show:
    """Arguments of `kb show`."""

    name: str = arg(NODE, positional=True)
    path: bool = arg("Print only where the file is.", default=False, for_people=True)
    kb: str | None = KB


def show(app: KbApp, args: Show) -> Answer:
    """Print a node as it is written, and on standard error where it is.

    With --json: its fields, links and etag.
    """
    node = app.kb.nodes().node_like(args.name)
    place = str(app.root / node.path)
    if args.path:
        return Answer({"path": node.path, "file": place}, place)
    known = {"file": place, "etag": etag(node.text)}
    facts = ("id", "title", "path", "file", "type", "tags", "projects", "status", "summary", "properties")
    shown = (*facts, "links", "body", "text", "etag")
    data = {name: known[name] if name in known else getattr(node, name) for name in shown}
    return Answer(data, node.text, (place,))


KB_SHOW = kb_operation(
    "kb show",
    show,
    examples=("kb show 'Commit style'", "kb show 7c9e6679"),
    brief="Read a node, with the etag that an update needs.",
    told=("name: ID, title or `ai-kb: Title (ID)`",),
    unneeded=("file", "body", "properties", "links", "projects", "tags", "summary", "type"),
)


@record
class Backlinks:
    """Arguments of `kb backlinks`."""

    name: str = arg(NODE, positional=True)
    kb: str | None = KB


def backlinks(app: KbApp, args: Backlinks) -> Answer:
    """List the nodes that link to a node; raw/ and the index do not count."""
    nodes = app.kb.nodes()
    node = nodes.node_like(args.name)
    linked = nodes.backlinks(node.id)
    found = [
        {"title": each.title, "id": each.id, "path": each.path}
        | {"line": link.line, "label": link.label, "description": link.description}
        for each, link in linked
    ]
    data = {"id": node.id, "title": node.title, "backlinks": found}
    if not found:
        return Answer(data, "", (f"nothing links to “{node.title}”",), NotFound.exit_status)
    lines = (
        f"{each.title} ({each.id}) | {each.path}:{link.line}" + (f" | {link.label}" if link.label else "")
        for each, link in linked
    )
    return Answer(data, "\n".join(lines))


KB_BACKLINKS = kb_operation(
    "kb backlinks",
    backlinks,
    examples=("kb backlinks 'Commit style'",),
    brief="Nodes that link to a node.",
    told=("name",),
    unneeded=("path", "line", "description"),
)


@record
class Listed:
    """Arguments of `kb list`."""

    project: str | None = arg(_PROJECT, default=None)
    tag: str | None = arg(_TAG, default=None)
    status: Status | None = arg(_STATUS, default=None)
    type: Type | None = arg(_TYPE, default=None)
    sort: Order = arg("By title, or the last updated or created first.", default="title")
    limit: int = arg("How many at most; 0 for all.", default=0, least=0)
    kb: str | None = KB


def list_nodes(app: KbApp, args: Listed) -> Answer:
    """List the nodes: all, or those of a project, tag, status or type.

    Status 0: there are some, 3: there are none.
    """
    rows = maps.selection(app.kb.nodes().rows, fill(Filters, args), args.sort)
    shown = rows[: args.limit] if args.limit else rows
    data = {"total": len(rows), "nodes": [maps.brief(row) for row in shown]}
    if not rows:
        return Answer(data, "", ("there are no such nodes",), NotFound.exit_status)
    lines = (f"{row.title} ({row.id}) | {row.summary} | {row.status} | {row.updated}" for row in shown)
    return Answer(data, "\n".join(lines))


KB_LIST = kb_operation(
    "kb list",
    list_nodes,
    examples=("kb list --sort updated --limit 5", "kb list --status contested --json"),
)


@record
class Drawn:
    """Arguments of `kb map`."""

    format: Literal["dot", "json"] = arg("For graphviz, or for programs.", default="dot")
    project: str | None = arg(_PROJECT, default=None)
    tag: str | None = arg(_TAG, default=None)
    status: Status | None = arg(_STATUS, default=None)
    type: Type | None = arg(_TYPE, default=None)
    kb: str | None = KB


def map_nodes(app: KbApp, args: Drawn) -> Answer:
    """Draw which nodes link to which, for graphviz: `ai-kb map | dot -Tsvg -o map.svg`.

    raw/ and the index are not on it. With --format json: nodes and links; with --json, both.
    """
    rows = maps.selection(app.kb.nodes().rows, fill(Filters, args))
    links = maps.edges(rows)
    data = {"nodes": [maps.brief(row) for row in rows], "links": [dict(link.__dict__) for link in links]}
    if args.format == "json":
        return Answer(data, json.dumps(data, ensure_ascii=False))
    drawn = maps.dot(rows, links)
    return Answer({**data, "dot": drawn}, drawn)


KB_MAP = kb_operation(
    "kb map",
    map_nodes,
    examples=("kb map --project emacs", "kb map --status current --format json"),
)


@record
class Package:
    """Arguments of `kb emacs`."""

    kb: str | None = KB


def emacs(app: KbApp, args: Package) -> Answer:
    """Print the directory of the Emacs package, for `load-path`.

    It is the package of this program; docs/emacs.md says how it is set up.
    """
    files = sorted(path.name for path in PACKAGE.glob("*.el"))
    return Answer({"directory": str(PACKAGE), "files": files}, str(PACKAGE))


KB_EMACS = kb_command("kb emacs", emacs, "kb emacs", effect="read")

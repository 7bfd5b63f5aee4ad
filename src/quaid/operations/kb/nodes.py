"""One node of a knowledge base: what it says, and what leads to it."""

from __future__ import annotations

from quaid.errors import NotFound
from quaid.kb import views
from quaid.model.record import record
from quaid.operations.kb.answer import KB, NODE, Answer, kb_operation
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import arg


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
    return Answer(views.node_view(app.root, node), node.text, (place,))


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
    told = views.backlinks(nodes, node)
    if told["backlinks"]:
        return Answer(told, views.backlinks_text(told))
    return Answer(told, "", (f"nothing links to “{node.title}”",), NotFound.exit_status)


KB_BACKLINKS = kb_operation(
    "kb backlinks",
    backlinks,
    examples=("kb backlinks 'Commit style'",),
    brief="Nodes that link to a node.",
    told=("name",),
    unneeded=("path", "line", "description"),
)

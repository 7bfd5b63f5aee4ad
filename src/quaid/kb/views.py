"""What programs are told of a knowledge base: the same on the command line and as tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quaid.kb.findings import Report, data_of
from quaid.kb.node import Node

if TYPE_CHECKING:
    from pathlib import Path

    from quaid.kb.nodes import Nodes


def etag(text: str) -> str:
    """A mark of a node's text, by which a writer says which one it has read."""
    from hashlib import sha256  # it loads OpenSSL, which a question does without

    return sha256(text.encode()).hexdigest()[:16]


def node_view(root: Path, node: Node) -> dict[str, Any]:
    """One node: its fields, its text, and the etag by which a writer says what it has read."""
    return {
        "id": node.id,
        "title": node.title,
        "path": node.path,
        "file": str(root / node.path),
        "type": node.type,
        "tags": list(node.tags),
        "projects": list(node.projects),
        "status": node.status,
        "summary": node.summary,
        "properties": node.properties,
        "links": [dict(link.__dict__) for link in node.links],
        "body": node.body,
        "text": node.text,
        "etag": etag(node.text),
    }


def backlinks(nodes: Nodes, node: Node) -> dict[str, Any]:
    """The links of other nodes that lead to one."""
    rows = [
        {
            "title": each.title,
            "id": each.id,
            "path": each.path,
            "line": link.line,
            "label": link.label,
            "description": link.description,
        }
        for each, link in nodes.backlinks(node.id)
    ]
    return {"id": node.id, "title": node.title, "backlinks": rows}


def backlinks_text(told: dict[str, Any]) -> str:
    """The same for people, a link on a line."""
    return "\n".join(
        f"{row['title']} ({row['id']}) | {row['path']}:{row['line']}"
        + (f" | {row['label']}" if row["label"] else "")
        for row in told["backlinks"]
    )


def report_view(report: Report) -> dict[str, Any]:
    """All findings of a check, and how many of them block."""
    blocking = set(report.blocking)
    rows = [data_of(each) | {"blocks": each in blocking} for each in report.findings]
    return {"findings": rows, "blocking": len(report.blocking)}

"""A part of the graph as a drawing: for Graphviz, for Mermaid, or as a page that a browser opens.

Titles and relationships may contain anything; here they become text and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quaid.model.interval import span_text
from quaid.model.record import record

MARK = "quaid graph"  # at the beginning of each drawing, by which it is known again
MARKED_WITHIN = 400  # bytes

_UNSEEN = dict.fromkeys([*range(32), *range(127, 160), 0x2028, 0x2029], " ")
_MERMAID = re.compile(r"[^\w\s.,:/()'!?=+*@$^~-]", re.ASCII)


@record
class PageName:
    """A page by its names."""

    slug: str
    title: str
    type: str


@record
class GraphNode(PageName):
    """A page of a drawing, and how many links away from its middle it is."""

    distance: int


@record
class GraphEdge:
    """A link of a drawing."""

    from_: str
    to: str
    relationship: str
    id: int | None = None
    fact: int | None = None  # that says so, where no link does
    valid_from: str | None = None
    valid_until: str | None = None

    @property
    def span(self) -> str:
        """When it was true."""
        return span_text(self.valid_from, self.valid_until)


def dot(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> str:
    """A drawing for Graphviz."""
    names = {node.slug: f"n{place}" for place, node in enumerate(nodes)}
    lines = [
        f"// {MARK}",
        "digraph {",
        "  rankdir = LR",
        '  node [shape = box, style = rounded, fontname = "sans-serif"]',
        '  edge [fontname = "sans-serif", fontsize = 10]',
    ]
    for node in nodes:
        bold = ', style = "rounded,bold"' if node.distance == 0 else ""
        label = f'label = "{_dot(node.title or node.slug)}", tooltip = "{_dot(node.slug)}"'
        lines.append(f"  {names[node.slug]} [{label}{bold}]")
    for edge in edges:
        label = "\\n".join(_dot(part) for part in (edge.relationship, edge.span) if part)
        lines.append(f'  {names[edge.from_]} -> {names[edge.to]} [label = "{label}"]')
    return "\n".join([*lines, "}", ""])


def mermaid(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> str:
    """A drawing for Mermaid, as Markdown viewers show it."""
    names = {node.slug: f"n{place}" for place, node in enumerate(nodes)}
    lines = [f"%% {MARK}", "flowchart LR"]
    for node in nodes:
        opened, closed = ("([", "])") if node.distance == 0 else ("[", "]")
        lines.append(f'  {names[node.slug]}{opened}"{_mermaid(node.title or node.slug)}"{closed}')
    for edge in edges:
        label = _mermaid(" ".join(part for part in (edge.relationship, edge.span) if part))
        lines.append(f'  {names[edge.from_]} -->|"{label}"| {names[edge.to]}')
    return "\n".join([*lines, ""])


def page(
    title: str, day: str, nodes: Sequence[GraphNode], edges: Sequence[GraphEdge], more: bool = False
) -> str:
    """A drawing as one HTML file that needs nothing else: the links on a day, and on others.

    The file may run the one script that is in it and load nothing: its policy names the hashes of the script
    and of the style.
    """
    template = Path(__file__).with_name("drawing.html").read_text(encoding="utf-8")
    style, script = (_between(template, f"<{tag}>", f"</{tag}>") for tag in ("style", "script"))
    values = {
        "policy": f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}",
        "mark": MARK,
        "title": html.escape(title),
        "data": _data(
            {
                "day": day,
                "more": more,
                "nodes": [_fields(each) for each in nodes],
                "edges": [_fields(each) for each in edges],
            }
        ),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template)


def _dot(text: str) -> str:
    """A text within quotes: Graphviz reads escapes and entities in a label."""
    return _seen(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


def _mermaid(text: str) -> str:
    """A text within quotes: what could mean something to Mermaid or HTML becomes a number."""
    coded = _MERMAID.sub(lambda found: f"#{ord(found[0])};" if found[0].isascii() else found[0], _seen(text))
    return coded or " "


def _seen(text: str) -> str:
    return " ".join(text.translate(_UNSEEN).split())


def _fields(found: GraphNode | GraphEdge) -> dict[str, Any]:
    return {name.rstrip("_"): value for name, value in vars(found).items()}


def _data(value: Any) -> str:
    """JSON that a script element can hold: nothing in it ends the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _between(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]


def _source(content: str) -> str:
    """What a content security policy calls an inline script or style."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() + "'"

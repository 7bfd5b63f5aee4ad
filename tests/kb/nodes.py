"""Nodes and knowledge bases for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from quaid.kb import index
from quaid.kb.base import Rules, read
from quaid.kb.facts import NEW, describe
from quaid.kb.likeness import Likeness, Stated, likenesses
from quaid.kb.node import Node, parse
from quaid.kb.render import Draft, render
from quaid.kb.repository import Kb
from quaid.store.nodes import NodeRow


def uid(number: int) -> str:
    """An id that can be told from others at a glance."""
    return f"00000000-0000-4000-8000-{number:012}"


def draft(number: int = 1, **changes: Any) -> Draft:
    """A node that is in order."""
    given: dict[str, Any] = {
        "id": uid(number),
        "title": f"Node {number}",
        "summary": f"What node {number} says.",
        "body": "Some prose.",
        "type": "principle",
        "created": "2026-05-24",
        "source": "chat 2026-05-24",
    }
    return Draft(**{**given, **changes})


def text(number: int = 1, **changes: Any) -> str:
    """The text of a node that is in order."""
    return render(draft(number, **changes))


def node(number: int = 1, **changes: Any) -> Node:
    """A node that is in order."""
    return parse(text(number, **changes), f"n{number}.org")


def rows(nodes: Iterable[Node]) -> list[NodeRow]:
    """What a memory would know of nodes."""
    return [describe(each, NEW, Rules()) for each in nodes]


def nodes_at(root: Path) -> list[Node]:
    """The nodes of a knowledge base, read from its files."""
    return [parse(said, path) for path, said in read(root).nodes.items()]


def alike(title: str, summary: str, body: str, nodes: Sequence[Node], *, besides: str = "") -> list[Likeness]:
    """The nodes that a new one repeats or contradicts, the likest first."""
    return likenesses(Stated(title, summary, body), nodes, lambda node: node.body, besides)


def write(root: Path, *texts: str, indexed: bool = True, **files: str) -> Path:
    """A knowledge base of these texts, in n1.org, n2.org and so on, and of files by their names."""
    root.mkdir(exist_ok=True)
    for number, each in enumerate(texts, start=1):
        (root / f"n{number}.org").write_text(each, encoding="utf-8", newline="")
    for name, each in files.items():
        (root / f"{name}.org").write_text(each, encoding="utf-8", newline="")
    if indexed:
        index.write(root)
    return root


def kb_at(root: Path) -> Kb:
    """The knowledge base in a directory, with nothing of the person around it."""
    return Kb(root, {}, root.parent)

"""What a client tells its model about this server, before any tool: parts of `instructions.md`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

# What the instructions about pages name.
CORE = {"memory_get", "memory_put", "memory_search", "memory_timeline_add", "memory_link", "memory_gap"}


def instructions(tools: Iterable[str]) -> str:
    """When and how to use what is offered."""
    offered = set(tools)
    text = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
    parts = dict(part.rstrip("\n").split("\n", 1) for part in text.removeprefix("## ").split("\n## "))
    wanted = {
        "ask": "memory_query" in offered,
        "pages": offered >= CORE,
        "notebook": "remember" in offered,
        "knowledge base": "kb_query" in offered,
    }
    named = [name for name, is_wanted in wanted.items() if is_wanted] or ["otherwise"]
    return "\n".join(f"{parts[name]}\n" for name in (*named, "always"))

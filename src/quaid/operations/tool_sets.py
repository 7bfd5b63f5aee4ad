"""Sets of tools: which operations a client is offered together, and what its model is told of them all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from quaid import operations
from quaid.app import App
from quaid.errors import InvalidInput, NotFound
from quaid.model import spelling
from quaid.operations.operation import Operation
from quaid.store.collections import of_files

_SETS = {
    "core": "query, search, get, put, timeline-add, link, list, gap",
    "full": "query, search, get, put, ingest, link, links, link-close, unlink, timeline, timeline-add, tags, "
    "tag, list, backlinks, graph, check, facts, assert, supersede, briefing, gap, gaps approve, "
    "gaps, stats, raw, activity",
    "kb": "kb query, kb show, kb backlinks, kb remember, kb capture, kb lint, kb status, query",
    "notebook": "query, remember, recall, daily-log, notebook read, notebook write, notebook list, "
    "conversations search",
}
SETS = {name: tuple(names.split(", ")) for name, names in _SETS.items()}
USUAL = "core"
# What the instructions about pages name.
CORE = {"memory_get", "memory_put", "memory_search", "memory_timeline_add", "memory_link", "memory_gap"}
KINDS = ("notebook", "kb")  # of folders that have a set of their own


def operations_named(wanted: str) -> tuple[Operation[Any, Any], ...]:
    """The operations that a list of sets and tools means, such as `core,memory_facts`."""
    names: dict[str, None] = {}
    for word in (part.strip() for part in wanted.split(",")):
        if word in SETS:
            names.update(dict.fromkeys(SETS[word]))
        elif word:
            names[_operation_named(word).name] = None
    if not names:
        raise InvalidInput("no tool is chosen", hint=f"Sets: {', '.join(SETS)}; or name tools.")
    return tuple(operations.operation(name) for name in names)


def usual(profiles: Collection[str]) -> str:
    """The sets that fit a memory with folders of these kinds."""
    return ",".join([USUAL, *(kind for kind in KINDS if kind in profiles)])


def tool_choice(app: App) -> str:
    """The sets and tools that the settings name, else those that fit the memory."""
    return app.settings.text("mcp.tools") or usual({row.profile for row in of_files(app.connection)})


def _operation_named(word: str) -> Operation[Any, Any]:
    try:
        return operations.tool(word)
    except NotFound:
        known = [*SETS, *(each.tool for each in operations.tools())]
        hint = spelling.hint(word, known, "")
        raise InvalidInput(
            f"no tool and no set {word!r}",
            hint=f"{hint} Sets: {', '.join(SETS)}; `quaid --tools-json` lists tools.".lstrip(),
        ) from None


def instructions(tools: Iterable[str]) -> str:
    """When and how to use what is offered, before any tool: parts of `instructions.md`."""
    offered = set(tools)
    text = Path(__file__).with_name("instructions.md").read_text(encoding="utf-8")
    parts = dict(part.rstrip("\n").split("\n", 1) for part in text.removeprefix("## ").split("\n## "))
    wanted = {
        "ask": "memory_query" in offered,
        "pages": offered >= CORE,
        "notebook": "remember" in offered,
        "knowledge base": "kb_query" in offered,
    }
    named = [name for name, is_wanted in wanted.items() if is_wanted] or ["otherwise"]
    return "\n".join(f"{parts[name]}\n" for name in (*named, "always"))

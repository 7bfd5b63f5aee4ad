"""What there is: the help page, and the list of tools for programs."""

from __future__ import annotations

import difflib
import json
from typing import Any

from quaid import operations
from quaid.cli.commands import COMMANDS
from quaid.errors import InvalidInput, NotFound
from quaid.operations.arguments import schema
from quaid.operations.operation import Operation

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Memory",
        (
            "init",
            "trust",
            "stats",
            "digest",
            "validate",
            "rebuild",
            "compact",
            "config get",
            "config set",
            "config list",
            "version",
        ),
    ),
    (
        "Pages",
        ("get", "put", "new", "list", "mv", "rm", "restore", "history", "diff", "revert", "recode", "forget"),
    ),
    ("Search", ("query", "search", "embed", "model list", "model use", "model status", "model remove")),
    ("What belongs to pages", ("tag", "untag", "tags", "timeline", "timeline-add", "raw")),
    ("Links", ("link", "links", "backlinks", "link-close", "unlink", "graph", "path", "related", "orphans")),
    ("Facts", ("assert", "facts", "supersede", "retract", "check")),
    ("Upkeep", ("briefing", "due", "lint", "gaps", "gap", "gaps approve", "gaps resolve")),
    (
        "Notebook",
        (
            "remember",
            "recall",
            "daily-log",
            "context",
            "context approve",
            "context reject",
            "notebook read",
            "notebook write",
            "notebook list",
            "notebook migrate",
        ),
    ),
    (
        "Conversations",
        (
            "conversations index",
            "conversations search",
            "conversations show",
            "conversations list",
            "conversations embed",
            "conversations forget",
        ),
    ),
    ("In and out", ("ingest", "novelty", "import", "imports", "export")),
    (
        "Folders",
        (
            "collection add",
            "collection list",
            "collection info",
            "collection sync",
            "watch",
            "collection ignore",
            "collection audit",
            "collection rename",
            "collection remove",
            "collection quarantine list",
            "collection quarantine restore",
            "collection quarantine export",
            "collection quarantine discard",
        ),
    ),
    (
        "Knowledge base in git",
        (
            "kb",
            "kb query",
            "kb show",
            "kb backlinks",
            "kb remember",
            "kb capture",
            "kb lint",
            "kb status",
        ),
    ),
    (
        "Agents and programs",
        (
            "setup",
            "serve",
            "skills list",
            "skills show",
            "skills doctor",
            "skills extract",
            "hook",
            "flush simulate",
            "call",
            "pipe",
            "completion",
        ),
    ),
)

KNOWN = ("--help", "-h", "--json", "--db")
_USAGE = """quaid: a memory for you and your agents

usage: quaid [--db PATH] [--json] COMMAND …
       quaid COMMAND --help
       quaid --version | --tools-json
"""


def show(words: list[str]) -> int:
    """The help page."""
    strange = next((word for word in words if word.startswith("-") and word not in KNOWN), None)
    if strange:
        raise InvalidInput(f"no option {strange}", hint="`quaid --help` lists the commands.")
    first_lines = {operation.name: first_line(operation.help) for operation in operations.operations()}
    first_lines |= {command.name: first_line(command.help) for command in COMMANDS}
    lines = [_USAGE]
    for title, names in SECTIONS:
        width = max(13, *(len(name) for name in names))
        lines += [f"{title}:", *(f"  {name:{width}} {first_lines[name]}" for name in names), ""]
    print("\n".join(lines).rstrip())
    return 0


def tools() -> int:
    """The tools as programs discover them."""
    print(json.dumps([described(operation) for operation in operations.tools()], ensure_ascii=False))
    return 0


def described(operation: Operation[Any, Any]) -> dict[str, Any]:
    """One tool: name, description, schema of its arguments, and what it does to the memory."""
    return {
        "name": operation.tool,
        "description": " ".join(operation.help.split()),
        "inputSchema": schema(operation.arguments),
        "annotations": {
            "readOnlyHint": operation.effect == "read",
            "destructiveHint": operation.effect == "destructive",
            "idempotentHint": operation.idempotent,
            "openWorldHint": False,
        },
    }


def unknown(name: str, words: list[str]) -> int:
    """A command that there is not."""
    known = [*operations.NAMES, *(command.name for command in COMMANDS)]
    group = [each for each in known if each.startswith(name + " ")]
    if group:
        raise InvalidInput(f"`{name}` needs one more word", hint=f"There are: {', '.join(group)}.")
    close = difflib.get_close_matches(name, known, 3, 0.5)
    hint = f"Did you mean {' or '.join(close)}?" if close else "`quaid --help` lists the commands."
    raise NotFound(f"no command {name!r}", hint=hint)


def first_line(text: str) -> str:
    """The first sentence of a help text."""
    return text.strip().split("\n")[0].split(". ")[0].rstrip(".")

"""Commands that read a knowledge base: they work on its files alone."""

from __future__ import annotations

from quaid.cli.kb_line import Line
from quaid.cli.kb_shell import Shell
from quaid.errors import NotFound
from quaid.kb import query as asking
from quaid.kb import telling
from quaid.kb.repository import as_kb


def query(shell: Shell, line: Line) -> int:
    """Find nodes by words."""
    if line.has("semantic"):
        return shell.delegate("kb_memory:query", line)
    filters = asking.Filters(
        line.text("project"),
        line.text("tag"),
        line.text("status"),
        line.text("type"),
        line.number("limit", asking.LIMIT),
        line.has("every"),
    )
    question = " ".join(line.many("words"))
    answer = asking.answer(as_kb(shell.root, shell.environment, shell.home), question, filters)
    if shell.as_json:
        shell.show_json(asking.told(question, answer))
    elif answer.hits:
        shell.show("\n".join(asking.line(hit) for hit in answer.hits))
    for notice in answer.notices:
        shell.notify(notice)
    if not answer.hits and not answer.notices:
        shell.notify(f"nothing found for {question!r}")
    return answer.status


def show(shell: Shell, line: Line) -> int:
    """Print a node."""
    return shell.delegate("kb_nodes:show", line)


def backlinks(shell: Shell, line: Line) -> int:
    """List the nodes that link to a node."""
    nodes = as_kb(shell.root, shell.environment, shell.home).nodes()
    node = nodes.find(line.text("name") or "")
    told = telling.backlinks(nodes, node)
    shell.answer(telling.backlinks_text(told), told)
    if not told["backlinks"]:
        shell.notify(f"nothing links to “{node.title}”")
    return 0 if told["backlinks"] else NotFound.exit_status


def status(shell: Shell, line: Line) -> int:
    """Say how the knowledge base is."""
    return shell.delegate("kb_nodes:status", line)


def lint(shell: Shell, line: Line) -> int:
    """Check the knowledge base."""
    return shell.delegate("kb_nodes:lint", line)

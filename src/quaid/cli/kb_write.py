"""Commands that write: each goes through the one write path."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from quaid.cli.kb_line import Line
from quaid.cli.kb_nodes import relative_path
from quaid.cli.kb_shell import Shell, read_input
from quaid.errors import FINDINGS_STATUS
from quaid.kb import capture as capturing
from quaid.kb import remember as remembering
from quaid.kb.gate import message
from quaid.kb.node import slug_of_project
from quaid.kb.nodes import Nodes
from quaid.kb.place import check
from quaid.kb.protocol import Proposal, Written, listed, plural, reindex, stale_index, write
from quaid.kb.repository import Kb, opened

_TOLD = 5  # findings besides the answer: an agent pays for each
_NODE_START = (":PROPERTIES:", "#+title:")


def kb_of(shell: Shell) -> Kb:
    """The knowledge base that a command works on."""
    return opened(shell.root, shell.environment, shell.home)


def tell(shell: Shell, written: Written) -> None:
    """What a person should know besides the answer."""
    for notice in written.notices:
        shell.notify(notice)
    for finding in written.findings[:_TOLD]:
        shell.notify(f"{finding.path}:{finding.line}: {finding.message}")
    if len(written.findings) > _TOLD:
        shell.notify(f"{len(written.findings) - _TOLD} more findings; `ai-kb lint` lists them")


def remember(shell: Shell, line: Line) -> int:
    """Write a node, or change one."""
    kb = kb_of(shell)
    check(kb.root, writing=True)
    body = line.text("body")
    node = None
    if body in (None, "-"):
        given = read_input()
        if given.lstrip().lower().startswith(tuple(start.lower() for start in _NODE_START)):
            node = given.lstrip("\n")
        body = given if given.strip() and node is None else None
    request = remembering.Request(
        title=line.text("title"),
        summary=line.text("summary"),
        body=body,
        type=line.text("type"),
        projects=tuple(_project(name) for name in line.many("project")),
        tags=tuple(tag.strip(":") for tag in line.many("tag")),
        confidence=line.text("confidence"),
        visibility=line.text("visibility"),
        source=line.text("source"),
        created_by=line.text("created-by"),
        relations=tuple(remembering.relation(stated) for stated in line.many("relate")),
        node=node,
        update=line.text("update"),
        contest=line.text("contest"),
        force_new=line.has("force-new"),
        append=line.has("append"),
        expect=line.text("expect"),
        offline=line.has("offline"),
        by_person=_by_person(shell, line),
    )
    if node is None and not request.update:
        request = remembering.with_provenance(request, shell.environment, person=sys.stderr.isatty())
    done = remembering.remember(kb, request)
    tell(shell, done.written)
    shell.answer(f"{done.action}: {done.title} ({done.id}) | {done.path}", done.as_data())
    return 0


def _by_person(shell: Shell, line: Line) -> bool:
    stated = line.text("created-by") or shell.environment.get("AI_KB_CREATED_BY")
    return stated == "human" if stated else sys.stderr.isatty() and not shell.environment.get("CLAUDECODE")


def _project(name: str) -> str:
    if name in (".", "..") or "/" in name:
        return slug_of_project(Path(name).expanduser().resolve().name)
    return name.strip(":")


def commit(shell: Shell, line: Line) -> int:
    """Check and commit what was edited by hand."""
    files = [relative_path(shell, name) for name in line.many("files")]
    kb = kb_of(shell)
    changed = sorted(files)

    def plan(nodes: Nodes) -> Proposal:
        nonlocal changed
        if not changed:
            changed = [each.path for each in kb.git.state().changed]
        return Proposal({}, line.text("message") or _subject(nodes, changed))

    done = write(kb, plan, adopting=files or None, offline=line.has("offline"))
    tell(shell, done)
    said = f"committed {listed(done.paths)}" if done.commit else "nothing has changed"
    shell.answer(said, done.as_data())
    return 0


def _subject(nodes: Nodes, paths: Sequence[str]) -> str:
    titles = [row.title for row in nodes.rows if row.path in paths]
    if len(titles) == 1:
        return message("Edit", titles[0])
    count = len(titles) or len(paths)
    return f"Edit {count} {plural('file', count)}"


def capture(shell: Shell, line: Line) -> int:
    """Keep what a node rests on."""
    excerpt = line.text("excerpt")
    if excerpt in (None, "-"):
        excerpt = read_input()
    kb = kb_of(shell)
    check(kb.root, writing=True)
    done = capturing.capture(
        kb,
        line.text("source") or "",
        excerpt or "",
        title=line.text("title"),
        full=line.has("full"),
        offline=line.has("offline"),
    )
    tell(shell, done.written)
    shell.answer(done.path, done.as_data())
    return 0


def index(shell: Shell, line: Line) -> int:
    """Write the index anew, or say whether it is stale."""
    kb = kb_of(shell)
    check(kb.root)
    if line.has("check"):
        stale = stale_index(kb)
        shell.answer(f"stale: {listed(stale)}" if stale else "fresh", {"stale": stale})
        return FINDINGS_STATUS if stale else 0
    paths = reindex(kb)
    shell.answer(f"wrote {listed(paths)}" if paths else "fresh", {"written": paths})
    return 0

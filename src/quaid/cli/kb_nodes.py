"""Commands that look at nodes more closely: one node, all findings, the state of the whole."""

from __future__ import annotations

import os

from quaid.cli.kb_line import Line
from quaid.cli.kb_shell import Shell
from quaid.errors import FINDINGS_STATUS, InvalidInput
from quaid.kb import lint as linting
from quaid.kb import reading, telling
from quaid.kb import status as state
from quaid.kb.finding import text_of
from quaid.kb.place import trust_command
from quaid.kb.protocol import plural
from quaid.kb.repository import as_kb


def show(shell: Shell, line: Line) -> int:
    """Print a node as it is written, or its fields."""
    nodes = reading.nodes(shell.root)
    node = reading.find(nodes, line.text("name") or "")
    place = str(shell.root / node.path)
    if line.has("path"):
        shell.answer(place, {"path": node.path, "file": place})
        return 0
    shell.notify(place)  # beside the text, which comes out as it is written
    shell.answer(node.text, telling.shown(shell.root, node))
    return 0


def status(shell: Shell, line: Line) -> int:
    """Say how the knowledge base is."""
    now = state.status(as_kb(shell.root, shell.environment, shell.home))
    said = state.nudge(now)
    if line.has("line"):
        shell.answer(said, {"nudge": said})
        return 0
    rows = [
        ("knowledge base", now.root),
        ("nodes", f"{now.nodes:,}" + (f", {now.contested} contested" if now.contested else "")),
        ("branch", now.branch or "none"),
        ("not pushed", f"ahead {now.ahead}" if now.ahead else "nothing"),
        ("index", "stale" if now.index_stale else f"fresh, written {now.indexed_at}"),
    ]
    if not now.trusted:
        rows[2:4] = [("git", f"not asked: you have not trusted it; {trust_command(now.root)}")]
    if now.diverged:
        rows.append(
            (
                "remote",
                f"diverged, {now.behind} {plural('commit', now.behind)} there; `ai-kb resolve-divergence`",
            )
        )
    if now.push_failed:
        rows.append(("push failed", f"{now.push_failed} ({now.push_failed_at})"))
    if now.uncommitted:
        rows.append(("not committed", ", ".join(now.uncommitted[:5])))
    if now.interrupted:
        rows.append(("write", "one was interrupted; the next one undoes it"))
    if now.curation_due:
        rows.append(("curation", "due; `ai-kb curate`"))
    shell.answer("\n".join(f"{name + ':':16}{value}" for name, value in rows), now.as_data())
    return 0


def lint(shell: Shell, line: Line) -> int:
    """Check everything, or what concerns some files."""
    files = [_relative(shell, name) for name in line.many("files")]
    emacs = line.has("org-lint")
    report = linting.lint(
        shell.root,
        set(files) or None,
        line.has("strict"),
        only_index=line.has("index"),
        org_lint=emacs,
        trusted=emacs and as_kb(shell.root, shell.environment, shell.home).git.trusted,
    )
    lines = [text_of(each) for each in report.findings]
    count = len(report.blocking)
    lines.append(
        f"{count} {plural('finding', count)} that {'blocks' if count == 1 else 'block'}" if count else "sound"
    )
    shell.answer("\n".join(lines), telling.checked(report))
    return FINDINGS_STATUS if count else 0


def _relative(shell: Shell, name: str) -> str:
    """A file as the knowledge base names it, from a path or a name within."""
    if (shell.root / name).exists() and not os.path.isabs(name):
        return os.path.normpath(name).replace(os.sep, "/")
    path = os.path.relpath(os.path.abspath(os.path.expanduser(name)), os.path.realpath(shell.root))
    if path.startswith(".."):
        path = os.path.relpath(os.path.realpath(os.path.expanduser(name)), os.path.realpath(shell.root))
    if path.startswith(".."):
        raise InvalidInput(f"{name} is not in {shell.root}", hint="Name files of the knowledge base.")
    return path.replace(os.sep, "/")


relative_path = _relative

"""One line for the start of a session, from what is known without reading a node.

git is asked once. That curation is due, and how many nodes are contested, others have noted before.
"""

from __future__ import annotations

import re
from contextlib import suppress

from quaid.files import read_own
from quaid.kb.place import INDEX
from quaid.kb.repository import Kb
from quaid.model.record import record
from quaid.sync import state
from quaid.sync.git import State, read_state

PATIENCE = 2.0  # seconds; a session does not wait for a disk that sleeps
_CONTESTED = re.compile(r"^\* Contested[^(\n]*\((\d+)\)", re.MULTILINE)
_REMOTE = b'[remote "'
_LOCAL = re.compile(rb"(?mi)^\[ai-kb\]\n(?:[ \t]+[^\n]*\n)*?[ \t]+local[ \t]*=[ \t]*true$")
_HEAD = 64_000  # bytes of the index that are looked at


@record
class Facts:
    """What a line is made of."""

    ahead: int = 0
    behind: int = 0
    never_pushed: bool = False
    no_remote: bool = False  # and nobody has said that this is meant
    push_failed: str = ""
    uncommitted: str = ""
    contested: int = 0
    curation_due: bool = False


def line_of(facts: Facts) -> str:
    """The line; "" when there is nothing to say."""
    said = []
    if facts.ahead and facts.behind:
        said.append("diverged (ai-kb sync)")
    if facts.ahead:
        said.append(f"ahead {facts.ahead}")
    elif facts.never_pushed:
        said.append("never pushed (ai-kb push)")
    elif facts.no_remote:
        said.append("no remote, so nothing is backed up (ai-kb init --remote)")
    if facts.push_failed:
        said.append(f"push failed: {facts.push_failed}")
    if facts.uncommitted:
        said.append(f"not committed: {facts.uncommitted}")
    if facts.contested:
        said.append(f"{facts.contested} contested")
    if facts.curation_due:
        said.append("curation due (ai-kb curate)")
    return f"ai-kb: {'; '.join(said)}" if said else ""


def nudge_line(kb: Kb) -> str:
    """The line, fast enough for the start of every session. New files are not looked for."""
    now, git = State(unborn=True), kb.git
    if git.trusted and git.directory.exists():
        words = ("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no", "--no-renames")
        done = git.run(*words, timeout=PATIENCE)
        now = now if done.status else read_state(done.out)
    remembered = state.recall(kb)
    config = b""
    if not now.upstream and not now.unborn:
        with suppress(OSError):  # the settings of the repository may be elsewhere
            config = (git.directory / "config").read_bytes()
    return line_of(
        Facts(
            ahead=now.ahead,
            behind=now.behind,
            never_pushed=_REMOTE in config,
            no_remote=bool(config) and _REMOTE not in config and not _LOCAL.search(config),
            push_failed=remembered.push_failure,
            uncommitted=", ".join(each.path for each in now.changed[:5]),
            contested=_contested_count(kb),
            curation_due=bool(remembered.curation_due),
        )
    )


def _contested_count(kb: Kb) -> int:
    try:
        found = _CONTESTED.search(read_own(kb.file(INDEX), _HEAD).decode("utf-8", "replace"))
    except OSError:
        return 0
    return int(found.group(1)) if found else 0

"""The command by which git merges pages."""

from __future__ import annotations

from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.sync.driver import Files, merge_files


def merge_driver(session: Session, given: Given) -> int:
    """Merge one page; git runs it in the root of the work tree. It fails only where nothing was merged."""
    base, ours, theirs = (session.here / given.values[name] for name in ("base", "ours", "theirs"))
    files = Files(base, ours, theirs, given.values["path"])
    merge_files(files, session.here, session.environment, ancestors=bool(given.values.get("ancestors")))
    return 0

"""What is noted beside a folder's pages, for those that show them."""

from __future__ import annotations

import os
from pathlib import Path

from quaid.app import App
from quaid.model.page import PageInfo
from quaid.sync.conflicts import FOLDER, conflicts
from quaid.vault.folder import stored

_known: dict[Path, tuple[int, dict[str, tuple[str, ...]]]] = {}


def open_conflicts(app: App, page: PageInfo) -> tuple[str, ...]:
    """The conflicts that merging left open on a page."""
    row = app.collection_row(page.collection)
    if row.kind == "native" or not page.path:
        return ()
    root = app.stated_root(row)
    try:
        changed = os.stat(root / FOLDER).st_mtime_ns
    except OSError:
        return ()  # as nearly always
    known = _known.get(root)
    if known is None or known[0] != changed:
        known = _known[root] = (changed, _read(root))
    return known[1].get(page.path, ())


def _read(root: Path) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for each in conflicts(root):
        path = stored(each.path)
        found[path] = (*found.get(path, ()), each.id)
    return found

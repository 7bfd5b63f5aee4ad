"""Which knowledge base a program means: a collection of the memory, or the one at the usual place."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from quaid.errors import Ambiguous, NotFound, QuaidError, ReadOnly
from quaid.kb import nudge
from quaid.kb.place import check, chosen_root, is_kb
from quaid.operations.kb.app import Around, KbApp, Memories
from quaid.operations.kb.memory import refresh
from quaid.store import collections
from quaid.store.collections import CollectionRow

if TYPE_CHECKING:
    from quaid.app import App


def attached_kb(app: App, name: str | None = None, *, writing: bool = False) -> KbApp:
    """The knowledge base of that collection; else the attached one, else the one at the usual place."""
    rows = knowledge_bases(app)
    row = _row_named(rows, name) if name is not None else _only(app, rows)
    root = app.root_of(row) if row else usual_root(app)
    if row is None and not is_kb(root):
        raise NotFound("there is no knowledge base", hint="A person makes one with `quaid kb init`.")
    if row and row.read_only and writing:
        raise ReadOnly(f"{row.name} is attached read-only", hint="It is for reading; tell the person.")
    check(root, writing=writing)
    path = app.store.path
    memories = Memories(str(path), lambda: path, lambda _: app, refresh if row else None)
    return KbApp(str(root), Around(app.environment, str(app.home), memories))


def knowledge_bases(app: App) -> list[CollectionRow]:
    """The collections of the memory that are knowledge bases."""
    return [row for row in collections.of_files(app.connection) if row.profile == "kb"]


def usual_root(app: App) -> Path:
    """Where the person's knowledge base is unless another is named."""
    return Path(chosen_root(None, app.environment, str(app.home)))


def nudge_line(app: App) -> str:
    """What a session should begin with: one line, or "" if there is nothing to say or no knowledge base."""
    try:
        with closing(attached_kb(app)) as given:
            return nudge.nudge_line(given.kb)
    except QuaidError:
        return ""


def _row_named(rows: list[CollectionRow], name: str) -> CollectionRow:
    for row in rows:
        if row.name == name:
            return row
    names = [each.name for each in rows]
    hint = f"There are: {', '.join(names)}." if names else "A person makes and attaches one: `quaid kb init`."
    raise NotFound(f"no knowledge base {name!r} is attached", hint=hint)


def _only(app: App, rows: list[CollectionRow]) -> CollectionRow | None:
    """The one that is attached; of several, the one at the usual place."""
    if len(rows) < 2:
        return rows[0] if rows else None
    usual = usual_root(app).resolve()
    for row in rows:
        if app.stated_root(row) == usual:
            return row
    names = [row.name for row in rows]
    raise Ambiguous(
        f"{len(rows)} knowledge bases are attached",
        hint=f"Name one as kb: {', '.join(names)}.",
        candidates=names,
    )

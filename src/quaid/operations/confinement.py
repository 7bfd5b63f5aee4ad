"""Operations for somebody who may use some collections alone.

A question is asked through a connection that sees nothing else. A change names its pages in full, as that
connection knows them, and is then made as ever; the collections that it may write to are given. Operations
that are not listed here are refused: they tell of the memory as a whole, or name something by its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from quaid import operations
from quaid.app import App
from quaid.app.confined import ConfinedApp, writing_in
from quaid.errors import Forbidden, InvalidInput, NotFound
from quaid.model.page import split_target
from quaid.model.record import fields_of, replace
from quaid.notebook import places
from quaid.operations.operation import Operation
from quaid.store.collections import of_files

_READING = (
    "get, list, search, query, history, diff, tags, timeline, links, backlinks, graph, path, related, "
    "orphans, facts, due, recall, notebook read, notebook list, collection list, collection info, kb query, "
    "kb show, kb backlinks"
)
_WRITING = (
    "put, new, tag, untag, timeline-add, link, unlink, rm, restore, revert, raw, assert, remember, "
    "daily-log, notebook write, kb remember, kb capture"
)
ALLOWED = frozenset(f"{_READING}, {_WRITING}".split(", "))
# Arguments that may name a page that is not there.
_NEW = {("put", "slug"), ("new", "slug"), ("restore", "slug")}


def is_allowed(name: str, collections: Sequence[str]) -> bool:
    """Whether an operation may be called by somebody who may use these collections; none means all."""
    return not collections or name in ALLOWED


def run(app: App, operation: Operation[Any, Any], arguments: Any, collections: Sequence[str]) -> Any:
    """Run an operation on some collections alone; on all of them if none is named."""
    if not collections:
        return operations.run(app, operation, arguments)
    with seen_by(app, operation.name, collections) as seen:
        if operation.effect == "read" and operation.needs == "memory":
            return operations.run(seen, operation, arguments)
        settled = replace(arguments, **_in_full(seen, operation, arguments))
    with writing_in(app, collections) as guarded:
        return operations.run(guarded, operation, settled)


@contextmanager
def seen_by(app: App, name: str, collections: Sequence[str]) -> Iterator[App]:
    """The memory as somebody sees it who calls an operation, and may use these collections."""
    if not is_allowed(name, collections):
        raise Forbidden(
            f"`{name}` is about the whole memory, and this token about a part of it",
            hint=f"It may use: {', '.join(sorted(ALLOWED))}.",
        )
    if not collections:
        yield app
        return
    seen = ConfinedApp(app, collections)
    try:
        yield seen
    finally:
        seen.store.close()


def _in_full(seen: App, operation: Operation[Any, Any], arguments: Any) -> dict[str, Any]:
    """The arguments that name something, with the collection in which it is."""
    if getattr(arguments, "check_novelty", False):
        raise InvalidInput("this token cannot have a text compared with all others", hint="Leave it out.")
    values: dict[str, Any] = {}
    for field in fields_of(arguments):
        value = getattr(arguments, field.name)
        if field.name == "kb":
            values[field.name] = _kb(seen, value)
        elif field.name == "notebook":
            values[field.name] = places.notebook_row(seen.connection, seen.settings, value).name
        elif field.note.completes == "slug" and isinstance(value, str):
            values[field.name] = _page(seen, value, may_be_new=(operation.name, field.name) in _NEW)
    return values


def _page(seen: App, name: str, *, may_be_new: bool) -> str:
    found = seen.pages_called(name)
    if not found and may_be_new:
        collection, slug = split_target(name.strip())
        return f"{seen.collection_row(collection).name}::{slug}"
    page = seen.page(name)
    return f"{page.collection}::{page.slug}"


def _kb(seen: App, name: str | None) -> str:
    known = [row.name for row in of_files(seen.connection) if row.profile == "kb"]
    if name is None and len(known) == 1:
        return known[0]
    if name not in known:
        raise NotFound(f"no knowledge base {name or ''!r}", hint=f"There are: {', '.join(known) or 'none'}.")
    return name

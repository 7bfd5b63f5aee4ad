"""The gates of collections that have a write protocol of their own, as an opened memory passes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from quaid.kb.gate import Gatekeeper
from quaid.kb.repository import Memory, open_kb
from quaid.store.collections import CollectionRow

if TYPE_CHECKING:
    from quaid.app.app import App


def gatekeeper(app: App, row: CollectionRow, verb: str = "Edit") -> Gatekeeper:
    """What stands before a knowledge base. `verb` is what a commit says was done."""
    root = app.root_of(row)
    memory = Memory(app.store, row, root, lambda: app.changes, app.now, lambda: app.keeping)
    return Gatekeeper(open_kb(root, app.environment, app.home), memory, verb, app.notify)


@contextmanager
def passing(app: App, names: Sequence[str], verb: str) -> Iterator[None]:
    """Pass the gates of some collections, always in the same order."""
    with ExitStack() as stack:
        for name in sorted(names):
            stack.enter_context(gatekeeper(app, app.collection_row(name), verb).passage())
        yield

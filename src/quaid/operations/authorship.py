"""Who wrote standing orders: noted around every operation that writes, whichever that is.

It says whom to ask about an order that waits. What binds does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from quaid.app import App
from quaid.errors import StorageFailed
from quaid.formats.encoding import decode
from quaid.model.actor import present_actor
from quaid.notebook import core_files, places
from quaid.notebook.orders import Approvals, orders_of
from quaid.store.collections import CollectionRow
from quaid.trust import agent_of
from quaid.vault import folder
from quaid.vault.journal import Versions

COMMAND_LINE = "the command line"


@contextmanager
def order_notes(app: App) -> Iterator[None]:
    """Note who wrote the orders that are new after an operation."""
    with app.changes.noticing(core_files.is_orders) as changed:
        yield
    for row in places.notebooks(app.connection) if changed else ():
        root = app.stated_root(row)
        new = _new(app, row, root, changed) if app.territory.admits(root) else ()
        if new:
            with suppress(StorageFailed):  # the order waits all the same
                Approvals(app.home, root).note(new, _author(app), app.now())


def _author(app: App) -> str:
    """Who writes, and from where, as far as can be told."""
    actor = present_actor()
    if actor.name and not app.is_at_hand:
        return f"{actor.label} (MCP)" if actor.kind == "agent" else actor.label
    agent = actor.name or agent_of(app.environment)
    return f"{COMMAND_LINE}, in {agent}" if agent else COMMAND_LINE


def _new(app: App, row: CollectionRow, root: Path, changed: Mapping[Path, Versions]) -> set[str]:
    """The keys of the orders that a notebook has got with a change."""
    reference = app.settings.text("prompt.reference_dir").strip("/")
    after = {each.path: each.text or "" for each in core_files.orders(row, root, reference)}
    before = {path: text for path, text in after.items() if root / folder.spelt(path) not in changed}
    for place, (data, _) in changed.items():
        if data is not None and place.is_relative_to(root / folder.spelt(reference)):
            before[place.as_posix()] = decode(data)[0]
    older = {} if before else {each.path: each.text or "" for each in core_files.older_orders(root)}
    return _keys(after) - _keys(before or older)


def _keys(texts: Mapping[str, str]) -> set[str]:
    return {order.key for path, text in texts.items() for order in orders_of(path, text)}

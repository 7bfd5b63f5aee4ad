"""Who wrote standing orders: noted around every operation that writes, whichever that is.

It says whom to ask about an order that waits. What binds does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from quaid.app import App
from quaid.errors import StorageFailed
from quaid.notebook import core_files, places
from quaid.notebook.approvals import Approvals
from quaid.notebook.orders import orders_of
from quaid.store.collections import CollectionRow

COMMAND_LINE = "the command line"
# What programs of agents put into the environment of the commands that they run.
_SIGNS = {
    "CLAUDECODE": "Claude Code",
    "GEMINI_CLI": "Gemini CLI",
    "CURSOR_AGENT": "Cursor",
    "OPENCODE": "OpenCode",
    "CODEX_SANDBOX": "Codex",
}


@contextmanager
def noted(app: App, client: str) -> Iterator[None]:
    """Note who wrote the orders that are new after an operation."""
    before = {row.id: _keys(app, row) for row in _notebooks(app)}
    yield
    for row in _notebooks(app):
        new = _keys(app, row) - before.get(row.id, set())
        if new and row.id in before:
            with suppress(StorageFailed):  # the order waits all the same
                author = client or _caller(app.environment)
                Approvals(app.home, app.root_of(row)).note(new, author, app.now())


def _notebooks(app: App) -> list[CollectionRow]:
    """The notebooks whose folders belong to this memory."""
    return [row for row in places.notebooks(app.connection) if app.territory.admits(app.stated_root(row))]


def _caller(environment: Mapping[str, str]) -> str:
    """Who uses the command line, as far as can be told."""
    agent = next((name for sign, name in _SIGNS.items() if environment.get(sign)), None)
    return f"{COMMAND_LINE}, in {agent}" if agent else COMMAND_LINE


def _keys(app: App, row: CollectionRow) -> set[str]:
    return {
        order.key
        for source in core_files.orders(row, app.root_of(row), app.settings.text("prompt.reference_dir"))
        for order in orders_of(source.path, source.text or "")
    }

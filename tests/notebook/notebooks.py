"""A notebook with a memory of its own, as tests of writing use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App, open_app
from quaid.operations.collections import attach
from quaid.settings import Settings
from quaid.vault.attachments import Attachment
from tests.support import Clock, call, memory_at, tool

FILES = {
    "lists/shopping.md": "# Shopping\n\n## Shopping list\n\n- Milk\n- Eggs\n",
    "lists/todos.md": "# To do\n\n## To do\n\n- [ ] Call the plumber\n- [x] Pay rent\n",
    "reference/contacts.md": "# Contacts\n\n## Sarah Chen\n\n- Phone: 555-1234\n",
    "knowledge/facts.md": "# Facts\n\n## House\n\n- The boiler was replaced in 2019\n",
}


class Notes:
    """A folder of notes, and the memory of which it is the default collection."""

    def __init__(self, root: Path, app: App) -> None:
        self.root = root
        self.app = app

    def __getitem__(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def __setitem__(self, path: str, text: str | bytes) -> None:
        """Write a file as an editor does."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)

    def files(self) -> dict[str, bytes]:
        return {
            place.relative_to(self.root).as_posix(): place.read_bytes()
            for place in sorted(self.root.rglob("*"))
            if place.is_file() and ".quaid" not in place.parts
        }

    def call(self, name: str, /, **values: Any) -> Any:
        """As a person does."""
        return call(self.app, name, **values)

    def tool(self, name: str, /, **values: Any) -> Any:
        """As a program does."""
        return tool(self.app, name, **values)

    def remember(self, content: str, **values: Any) -> Any:
        """The first place of something that is remembered."""
        return self.call("remember", content=content, **values)["places"][0]


def made(root: Path, files: dict[str, str], now: Any = None, profile: str = "notebook") -> Notes:
    """A notebook with these files."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    root.mkdir(exist_ok=True)
    database = root / ".quaid" / "memory.db"
    memory_at(database).close()
    app = open_app(database, Settings())
    if now:
        app = App(app.store, Settings(), now)
    attach(app, Attachment("notes", "..", profile, default=True))
    return Notes(root, app)


@pytest.fixture
def notes(tmp_path: Path, clock: Clock) -> Iterator[Notes]:
    """A small notebook, whose clock stands still."""
    made_now = made(tmp_path / "notes", FILES, clock)
    yield made_now
    made_now.app.store.close()

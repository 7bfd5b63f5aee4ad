"""A small notebook, and what a hook answers from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quaid.app import App
from quaid.model.record import record
from tests.support import Ran, call

FILES = {
    "reference/contacts.md": (
        "# Contacts\n\n## Sarah Chen\n- Phone: 555-0134\n\n## Plumber\n- Kowalski, 030 555 0199\n"
    ),
    "reference/standing-orders.md": "# Standing orders\n\n## Notifications\n- Do not ping before 9:00\n",
    "lists/shopping.md": "## Groceries\n- oat milk\n- eggs\n",
    "knowledge/facts.md": "# Facts\n\n## The flat\n- The fuse box is behind the coat rack\n",
    "daily/2026-04-14.md": "# 2026-04-14\n\n## 09:10 — Call\nSarah wants the mock-ups by Friday.\n",
    "daily/2026-04-13.md": "# 2026-04-13\n\n## 18:00 — Repair\nThe kettle leaks, ordered a gasket.\n",
    "daily/2026-04-01.md": "# 2026-04-01\n\n## 08:00 — Garden\nPlanted the tomatoes in the south bed.\n",
}


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Files as a person writes them."""
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)


def attach(app: App, root: Path, name: str = "home", files: Mapping[str, str | bytes] = FILES) -> Path:
    """A notebook with files, attached to a memory."""
    root.mkdir(parents=True, exist_ok=True)
    write(root, files)
    call(app, "collection add", name=name, folder=str(root), profile="notebook")
    approve(app, name)
    return root


def approve(app: App, notebook: str = "home") -> None:
    """Approve what waits, as the person does."""
    ids = [each["key"] for each in call(app, "context approve", notebook=notebook)["orders"]]
    if ids:
        call(app, "context approve", ids=ids, notebook=notebook)


@record
class Hooked:
    """How a hook ended."""

    status: int
    out: str
    err: str

    @property
    def answer(self) -> Any:
        return json.loads(self.out)

    @property
    def context(self) -> str:
        """The text for the agent; empty if there is none."""
        return str(self.answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def hooked(ran: Ran) -> Hooked:
    return Hooked(ran.status, ran.out, ran.err)

"""A small notebook, and the program with the commands that read it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quaid import operations
from quaid.app import App
from quaid.cli import commands
from quaid.cli.command import Command, option, word
from quaid.model.record import record
from tests.support import call

ADDED = (("recall", "recalling"), ("context", "context"))
HOOK = Command("hook", "Answer a hook.", "cli.hook:hook", (word("event", "Which.", required=False),))
FLUSH = Command(
    "flush simulate",
    "Try the flush.",
    "cli.flush:simulate_flush",
    (word("transcript", "A file."), option("window_tokens", "How large.")),
)
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


def register() -> None:
    """Make the commands known, where they are not."""
    missing = tuple(each for each in ADDED if each[0] not in operations.NAMES)
    operations.TABLE += missing
    operations.NAMES += tuple(name for name, _ in missing)
    for command in (HOOK, FLUSH):
        commands.BY_NAME.setdefault(command.name, command)


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
    """How a hook's process ended."""

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


def program(*words: str, input: bytes = b"", home: Path, cwd: Path | None = None, **more: str) -> Hooked:
    """The program as a process of its own, with the commands registered."""
    start = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); from tests.notebook.reading import *; register()\n"
    )
    code = start + "from quaid.cli.main import main; sys.exit(main())"
    here = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code, here, *words],
        input=input,
        capture_output=True,
        cwd=cwd or home,
        env={**os.environ, "HOME": str(home), **more},
        timeout=60,
        check=False,
    )
    return Hooked(done.returncode, done.stdout.decode(), done.stderr.decode())

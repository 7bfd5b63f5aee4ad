"""An answer is that of the files as they are now: every operation sees an edit that was made just before."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from quaid import operations
from quaid.embed.registry import DEFAULT_MODEL
from quaid.errors import QuaidError
from tests.support import Clock, call, open_memory

BEFORE = {
    "alice.md": "# Alice\n\nShe likes tea.\n",
    "bob.md": "# Bob\n\nSee [[alice]].\n",
    "gone.md": "# Gone\n",
}
AFTER = {
    "alice.md": """---
title: Alice
due: 2026-04-15
tags: [walrus, Walrus-x]
links: [{to: zebra, relationship: works_at}]
assertions:
  - {subject: Alice, predicate: lives_in, object: Rome, valid_from: 2020-01-01}
  - {subject: Alice, predicate: lives_in, object: Oslo, valid_from: 2020-01-01}
---
She likes walruses. See [[bob]] and [[nowhere]].

---

- 2026-04-10 — Saw a walrus
""",
    "bob.md": "# Bob\n\nSee [[alice]], and that is all.\n",
    "zebra.md": "# Zebra\n\nA striped horse, unlike a walrus.\n",
    "lonely.md": "# Lonely\n\nOf no use.\n",
}
# What each operation is asked, such that the edit shows in its answer.
ASKED: dict[str, dict[str, Any]] = {
    "get": {"slug": "alice"},
    "render": {"slug": "alice"},
    "list": {},
    "history": {"slug": "alice"},
    "diff": {"slug": "alice"},
    "search": {"query": "walrus"},
    "query": {"question": "walrus"},
    "embed": {},
    "model list": {},
    "model use": {"name": DEFAULT_MODEL},
    "model status": {},
    "tags": {},
    "timeline": {"slug": "alice"},
    "links": {"slug": "alice"},
    "backlinks": {"slug": "bob"},
    "graph": {"slug": "alice"},
    "map": {},
    "path": {"from": "alice", "to": "zebra"},
    "related": {"slug": "alice"},
    "orphans": {},
    "facts": {},
    "check": {"all": True},
    "briefing": {},
    "due": {},
    "lint": {},
    "novelty": {"content": "She likes walruses.", "slug": "alice"},
    "recall": {"query": "walrus"},
    "agents": {},
    "context": {},
    "export": {"directory": "~/exported"},
    "collection list": {},
    "collection info": {"name": "notes"},
    "collection audit": {"name": "notes"},
    "collection quarantine list": {},
    "digest": {},
    "stats": {},
    "validate": {"all": True},
}
# These read no pages of a folder, or read its files themselves.
ELSEWHERE = {
    "activity": "what was done, not what pages say",
    "gaps": "questions that were asked",
    "imports": "what was imported",
    "collection preview": "a folder that is not attached",
    "conflicts": "what merges have left, beside the files",
    "engine status": "what stands in an index beside the memory",
    "conflicts show": "what merges have left, beside the files",
    "sync status": "git",
    "sync key": "keys",
    "notebook read": "the file itself",
    "notebook list": "the files of a notebook",
    "conversations search": "conversations",
    "conversations show": "conversations",
    "conversations list": "conversations",
    "kb query": "the files themselves",
    "kb show": "the files themselves",
    "folders": "names of pages, and no text",
    "kb backlinks": "the files themselves",
    "kb lint": "the files themselves",
    "kb status": "the files themselves",
    "kb list": "the files themselves",
    "kb map": "the files themselves",
    "kb emacs": "no pages",
    "kb doctor": "the files themselves",
    "config get": "settings",
    "config list": "settings",
}
SAME_EITHER_WAY = {"validate"}  # it finds nothing, before and after


class Place:
    """A memory with a folder, and the time there."""

    def __init__(self, home: Path, profile: str) -> None:
        self.home = home
        self.clock = Clock()
        self.write(BEFORE)
        self.call("collection add", name="notes", folder=str(home / "notes"), profile=profile)
        self.clock.tick(3600)

    def call(self, name: str, /, **values: Any) -> Any:
        """Run an operation as a new process does."""
        app = open_memory(self.home / "memory.db", self.clock)
        try:
            return call(app, name, **values)
        except QuaidError as error:
            return error.message
        finally:
            app.store.close()

    def write(self, files: dict[str, str]) -> None:
        folder = self.home / "notes"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for path, text in files.items():
            (folder / path).write_text(text)

    def answer(self, name: str) -> str:
        """What an operation answers, but for what differs from place to place."""
        values = dict(ASKED[name])
        if "directory" in values:
            values["directory"] = str(self.home / "exported")
        return repr(comparable(self.call(name, **values))).replace(str(self.home), "~")


def comparable(said: Any) -> Any:
    if isinstance(said, dict):
        left_out = (
            "seconds",
            "size",
            "bytes",
            "milliseconds",
            "took",
            "synced_at",
            "updated_at",
            "written_at",
        )
        return {key: comparable(value) for key, value in said.items() if key not in left_out}
    return [comparable(each) for each in said] if isinstance(said, list) else said


def test_every_reading_operation_is_looked_at() -> None:
    reading = {each.name for each in operations.operations() if each.effect == "read"}
    assert reading <= {*ASKED, *ELSEWHERE}
    assert not {*ASKED} & {*ELSEWHERE}


@pytest.mark.parametrize("name", ASKED)
def test_an_edit_just_before_is_seen(tmp_path: Path, name: str) -> None:
    """It answers as it does after an explicit sync, and not as it did before the edit."""
    profile = "notebook" if name == "recall" else "vault"
    first, second = Place(tmp_path / "first", profile), Place(tmp_path / "second", profile)
    before = Place(tmp_path / "before", profile).answer(name)
    for place in (first, second):
        place.write(AFTER)
    second.call("collection sync", name="notes")
    seen = first.answer(name)
    assert seen == second.answer(name)
    assert (seen == before) == (name in SAME_EITHER_WAY)

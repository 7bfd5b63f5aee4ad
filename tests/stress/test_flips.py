"""Single bits of memory.db that change by themselves: each is found, or harmless, and none reaches a file."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.errors import QuaidError
from quaid.settings import Settings
from quaid.store import digest
from quaid.store.connection import Store
from tests.support import call, lengths, open_memory
from tests.vault.support import NAME, vault_of

SEED = int(os.environ.get("QUAID_TEST_SEED", "1"))
ALICE = """---
title: Alice Example
aliases: [Al]
tags: [founder, 創業者]
links:
  - {to: bob, relationship: works_with, valid_from: 2024-01-15}
assertions:
  - {subject: Alice, predicate: founded, object: RiverAI, valid_from: 2024-01-15, confidence: 0.9}
---
# Alice Example

Knows [[bob]] and [nobody](nobody.md). She lives in Zürich and studies 机器学习.

## Work

The walrus project, since 2024, with the seal team.

---

- **2026-04-14** | meeting/1 — Met at a demo day
  She showed the prototype.
- 2024-01-15 — Founded RiverAI
"""
PAGES = {
    "alice": ALICE,
    "bob": "# Bob\r\n\r\nReports to [[alice]].\r\n",
    "carol": "Carol, without anything.\n",
    "plans": "# Plans\n\n" + "".join(f"## Part {n}\n\nA plan with words {n} in it.\n\n" for n in range(9)),
}


class Memory:
    """A memory in one file, which can be damaged again and again."""

    def __init__(self, path: Path, prefix: str, root: Path | None) -> None:
        self.path, self.prefix, self.root = path, prefix, root
        self.data = path.read_bytes()
        self.files = self.read_files()
        with self.opened() as app:
            self.state = held(app)
            assert not call(app, "validate", all=True)["findings"]
        self.tagged = self._tagged()

    def read_files(self) -> dict[str, bytes]:
        found = sorted(file for file in self.root.rglob("*") if file.is_file()) if self.root else []
        return {file.relative_to(self.root or file).as_posix(): file.read_bytes() for file in found}

    def write(self, data: bytes) -> None:
        """Let the memory hold these bytes, and the files what they held."""
        for leftover in self.path.parent.glob(self.path.name + "*"):
            if leftover != self.path and leftover.is_file():
                leftover.unlink()
        self.path.write_bytes(data)
        if self.root:
            found = self.read_files()
            for name, content in self.files.items():
                if found.get(name) != content:
                    (self.root / name).parent.mkdir(exist_ok=True)
                    (self.root / name).write_bytes(content)
            for name in found.keys() - self.files.keys():
                (self.root / name).unlink()

    @contextmanager
    def opened(self) -> Iterator[App]:
        app = App(Store.open(self.path), Settings())
        try:
            yield app
        finally:
            app.store.close()

    def _tagged(self) -> dict[str, bytes | str]:
        """What each page becomes when it gets a tag."""
        found: dict[str, bytes | str] = {}
        for slug in PAGES:
            self.write(self.data)
            with self.opened() as app:
                found[slug] = self.tag(app, slug)
        self.write(self.data)
        return found

    def tag(self, app: App, slug: str) -> bytes | str:
        """What is there of a page after it got a tag."""
        call(app, "tag", slug=f"{self.prefix}{slug}", tag="new")
        return self.content(app, slug)

    def content(self, app: App, slug: str) -> bytes | str:
        if self.root:
            return (self.root / f"{slug}.md").read_bytes()
        return str(call(app, "get", slug=slug)["content"])


def held(app: App) -> Any:
    """All that a person would miss: the digest, and every text, removed and earlier ones too."""
    connection = app.connection
    return (
        digest.of_collection(connection, 1),
        digest.of_collection(connection, 2),
        list(connection.execute("SELECT slug, whole(packed), path FROM pages")),
        list(connection.execute("SELECT page_id, version, bytes, encoding FROM history")),
        list(connection.execute("SELECT page_id, source, data FROM raw_data")),
    )


def fill(app: App, prefix: str) -> None:
    call(app, "raw", slug=f"{prefix}bob", source="register", data={"headcount": 12})
    call(app, "timeline-add", slug=f"{prefix}carol", date="2025-02-03", summary="Joined")
    call(app, "tag", slug=f"{prefix}carol", tag="engineer")
    call(app, "mv", slug=f"{prefix}plans", to="plan")
    call(app, "mv", slug=f"{prefix}plan", to="plans")


@pytest.fixture(params=["native", "files"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Memory:
    if request.param == "files":
        vault = vault_of(tmp_path, {f"{slug}.md": text for slug, text in PAGES.items()})
        app, path, prefix, root = vault.app, tmp_path / "vault.db", f"{NAME}::", vault.root
    else:
        path, prefix, root = tmp_path / "memory.db", "", None
        app = open_memory(path)
        for slug, text in PAGES.items():
            call(app, "put", slug=slug, content=text)
        call(app, "put", slug="gone", content="# Gone\n\nRemoved.\n")
        call(app, "rm", slug="gone")
    fill(app, prefix)
    call(app, "compact")
    app.store.close()
    return Memory(path, prefix, root)


def flipped(data: bytes, rng: random.Random) -> tuple[bytes, str]:
    """The bytes with one bit changed: half of the time among those that are not zero."""
    while True:
        place = rng.randrange(len(data))
        if data[place] or rng.random() < 0.3:
            break
    bit = 1 << rng.randrange(8)
    return data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :], f"byte {place}, bit {bit}"


def verdict(memory: Memory) -> str:
    """What `validate --all` makes of the damage."""
    try:
        with memory.opened() as app:
            if call(app, "validate", all=True)["findings"]:
                return "found"
            return "harmless" if held(app) == memory.state else "SILENT"
    except QuaidError as error:
        return "found" if error.code != "internal" and error.hint else f"UNCLEAR {error.code}"
    except Exception as error:
        return f"UNCLEAR {error!r}"


def outcome(memory: Memory, slug: str) -> str:
    """What an edit does with the damage."""
    try:
        with memory.opened() as app:
            got = memory.tag(app, slug)
    except QuaidError as error:
        if error.code == "internal":
            return f"UNCLEAR {error.message}"
        files = memory.read_files()
        right = memory.files | ({f"{slug}.md": memory.tagged[slug]} if memory.root else {})
        return "refused" if files in (memory.files, right) else "DAMAGED by a refused edit"
    if got != memory.tagged[slug]:
        return "DAMAGED"
    untouched = {name: data for name, data in memory.read_files().items() if name != f"{slug}.md"}
    wanted = {name: data for name, data in memory.files.items() if name != f"{slug}.md"}
    return "right" if untouched == wanted else "DAMAGED another file"


@lengths("flips", 25, 1_000)
def test_every_flip_is_found_or_harmless_and_reaches_no_file(memory: Memory, flips: int) -> None:
    rng = random.Random(SEED)
    verdicts: Counter[str] = Counter()
    wrong: list[str] = []
    for _ in range(flips):
        data, where = flipped(memory.data, rng)
        memory.write(data)
        seen = verdict(memory)
        memory.write(data)
        slug = rng.choice(list(PAGES))
        try:
            done = outcome(memory, slug)
        except Exception as error:
            done = f"UNCLEAR {error!r}"
        verdicts[f"{seen}, {done}"] += 1
        if not {seen, done} <= {"found", "harmless", "right", "refused"}:
            wrong.append(f"{where} ({slug}): {seen}; {done}")
    print(verdicts)
    assert not wrong, "\n".join(wrong)

"""Make the fixture of this schema version: python tests/store/make_fixture.py [--again].

It is made when a version is new and kept for ever: every later Quaid must open it. `--again` replaces it,
which is right as long as no Quaid of that version was released.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from pathlib import Path

from quaid.app import App
from quaid.conversations.indexer import Indexer
from quaid.conversations.transcripts import of_paths
from quaid.model.actor import Actor, acting
from quaid.operations import decode, run, tool
from quaid.settings import Layer, Settings
from quaid.store.connection import Store
from quaid.store.migrations import SCHEMA_VERSION

DATABASES = Path(__file__).parent / "databases"

ALICE = """---
title: Alice Example
type: person
aliases: [Al]
tags: [founder, 創業者]
links:
  - {to: companies/river-ai, relationship: works_at, valid_from: 2024-01-15}
  - {to: companies/gone, relationship: advises, valid_until: 2023-06-01}
assertions:
  - {subject: Alice, predicate: founded, object: RiverAI, valid_from: 2024-01-15, confidence: 0.9}
---
# Alice Example

> Founder of [[companies/river-ai|RiverAI]]; 机器学习 researcher.

Knows [[Bob]] and [a page that is not there](nobody.md).

---

- **2026-04-14** | meeting/1 — Met at a demo day
  She showed the prototype.
- 2024-01-15 — Founded RiverAI
"""

STEPS = (
    ("put", {"slug": "people/alice", "content": ALICE}),
    ("put", {"slug": "companies/river-ai", "content": "# RiverAI\n\nA company.\n"}),
    ("put", {"slug": "people/bob", "content": "Bob, without frontmatter.\r\n"}),
    ("put", {"slug": "people/removed", "content": "# Removed\n\nThe word is walrus.\n"}),
    ("timeline-add", {"slug": "people/bob", "date": "2025-02-03", "summary": "Joined"}),
    ("tag", {"slug": "people/bob", "tag": "engineer"}),
    ("link", {"from": "people/bob", "to": "people/alice", "relationship": "reports_to"}),
    ("raw", {"slug": "companies/river-ai", "source": "register", "data": {"headcount": 12}}),
    ("mv", {"slug": "companies/river-ai", "to": "companies/river"}),
    ("rm", {"slug": "people/removed"}),
    ("get", {"slug": "people/bob"}),
    ("config set", {"key": "list.limit", "value": "7"}),
)


CONVERSATION = """{"type":"user","uuid":"u1","sessionId":"5f0c","cwd":"/shop","message":{"content":"Why?"}}
{"type":"assistant","uuid":"a1","timestamp":"2026-04-14T12:00:00Z","message":{"content":"The clock."}}
"""


def talk(app: App) -> None:
    """Two turns of a conversation. Only the rows are kept: no archive stands beside a fixture."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("5f0c.jsonl").write_text(CONVERSATION, encoding="utf-8")
        indexer = Indexer(app.store)
        indexer.run(of_paths(["5f0c.jsonl"]))
    shutil.rmtree(indexer.archive.directory)


def fill(path: Path) -> None:
    """A small memory with something in every table that commands fill."""
    chosen = Settings(Layer("user", "fixture", {"activity.reads": True}))
    app = App(Store.create(path), chosen, now=lambda: "2026-04-14T12:00:00Z")
    with acting(Actor("agent", "Fixture", "1", "first")):
        for name, values in STEPS:
            run(app, tool(name), decode(tool(name).arguments, values, tool=False))
    talk(app)
    run(app, tool("compact"), decode(tool("compact").arguments, {}, tool=False))
    app.store.close()


if __name__ == "__main__":
    target = DATABASES / f"v{SCHEMA_VERSION}.db"
    if "--again" in sys.argv:
        target.unlink(missing_ok=True)
    if target.exists():
        sys.exit(f"{target} exists. A schema that changed is a new version; until its release, use --again.")
    fill(target)
    target.chmod(0o644)
    print(f"made {target}")

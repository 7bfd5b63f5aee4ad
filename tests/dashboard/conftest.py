"""One dashboard for the tests of a module, open in a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.dashboard.serving import Dashboard, running
from tests.graph.browser import Room, Tab
from tests.support import quick

ALICE = """---
type: person
---
# Alice

A founder of [[companies/acme|Acme]], who knows [[people/nobody]].

- [ ] call her
- [x] write to her

![badge](https://badges.example.org/a.svg)
"""


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """A dashboard over a notebook with some pages."""
    folder = tmp_path_factory.mktemp("dashboard") / "diary"
    quick("init", str(folder), "--profile", "notebook")
    db = folder / ".quaid" / "memory.db"
    for slug, text in (
        ("people/alice", ALICE),
        ("companies/acme", "---\ntype: company\n---\n# Acme\n\nMakes anvils in Hamburg.\n"),
        ("notes/one", "# One\n\nA note.\n"),
        ("notes/two", "# Two\n\nA note.\n"),
    ):
        quick("--db", str(db), "put", slug, input=text)
    with running(db) as served:
        yield served


@pytest.fixture(scope="module")
def tab(dashboard: Dashboard, browser: Room) -> Tab:
    """A browser that was let in."""
    return browser.open(dashboard.link)

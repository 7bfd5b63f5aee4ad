"""One dashboard and one browser for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dashboard.serving import Dashboard, running
from tests.graph import browser as browsers
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
def tab(dashboard: Dashboard, tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Tab]:
    """A browser that was let in."""
    if not browsers.PROGRAM:
        pytest.skip("NO BROWSER: the dashboard is not tested; install chromium")
    with browsers.running(Path(tmp_path_factory.mktemp("browser"))) as browser:
        yield browser.open(dashboard.link)

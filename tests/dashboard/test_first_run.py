"""An empty memory leads its person on, and stops doing so by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dashboard.serving import Dashboard, running
from tests.dashboard.steps import barriers, push, says
from tests.graph.browser import Room, Tab
from tests.support import quick


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Dashboard]:
    db = tmp_path / "home" / "memory.db"
    db.parent.mkdir()
    quick("init", str(db))
    with running(db) as served:
        yield served


@pytest.fixture
def tab(empty: Dashboard, browser: Room) -> Tab:
    return browser.open(empty.link)


def test_a_folder_is_attached_after_a_look_then_an_agent_then_a_question(
    tab: Tab, empty: Dashboard, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "acme.md").write_text("# Acme\n\nMakes anvils in Hamburg.\n", encoding="utf-8")
    (notes / "broken.md").write_bytes(b"\xff\xfe\x00")
    (notes / ".trash").mkdir()
    before = sorted(str(path) for path in notes.rglob("*"))
    says(tab, "main h1", "A memory begins")
    assert barriers(tab) == []
    tab.fill("#attach input", str(notes))
    push(tab, "#attach", "Look first")
    says(tab, "#preview", "Nothing is written into the folder.")
    assert empty.server.get("/api/stats").json["counts"]["pages"] == 0
    tab.wait_for("!!document.querySelector('#attach-now')")
    tab.click("#attach-now")
    tab.wait_for("document.querySelector('[aria-current=step]')?.dataset.stepNumber === '2'")
    says(tab, "[data-client=claude-code]", "Claude Code")
    assert barriers(tab) == []
    tab.click("#go-on")
    tab.wait_for("!!document.querySelector('#first-question')")
    tab.fill("#first-question", "Who makes anvils in Hamburg?")
    push(tab, ".start", "Ask")
    says(tab, "#answer", "Makes anvils in Hamburg.")
    tab.go(empty.address("/"))
    says(tab, "main h1", "Home")
    assert not tab.evaluate("!!document.querySelector('.start')")
    assert sorted(str(path) for path in notes.rglob("*")) == before


def test_a_notebook_is_started(tab: Tab, empty: Dashboard, tmp_path: Path) -> None:
    says(tab, "main h1", "A memory begins")
    tab.fill("#notebook input", str(tmp_path / "book"))
    push(tab, "#notebook", "Start a notebook")
    tab.wait_for("document.querySelector('[aria-current=step]')?.dataset.stepNumber === '2'")
    assert (tmp_path / "book" / "lists").is_dir()


def test_it_can_be_skipped(tab: Tab, empty: Dashboard) -> None:
    says(tab, "main h1", "A memory begins")
    tab.click("#skip")
    says(tab, "main h1", "Home")
    tab.go(empty.address("/"))
    tab.wait_for("!!document.querySelector('section[aria-label=Ask]')")
    assert not tab.evaluate("!!document.querySelector('.start')")

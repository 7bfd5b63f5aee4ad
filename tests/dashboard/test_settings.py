"""How the memory is looked after in the browser: long work, folders, the model, health."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from quaid.dashboard.jobs import Pace
from tests.dashboard.serving import Dashboard
from tests.dashboard.steps import push, says
from tests.graph.browser import Tab
from tests.support import PATIENCE

PLUGIN = """
import numpy as np
GO_ON = None

class Slow:
    name, dimensions, query_prefix = "slow", 4, ""
    def __init__(self, context): pass
    def embed(self, texts):
        assert GO_ON.wait(60)
        if any("unspeakable" in text for text in texts):
            raise ValueError("no such word")
        return np.tile(np.array([1, 0, 0, 0], "f4"), (len(texts), 1))
"""


@contextmanager
def somebody_writing(db: Path) -> Iterator[None]:
    """While another program holds the memory, so that whoever wants to write waits."""
    other = apsw.Connection(str(db))
    other.set_busy_timeout(1000 * PATIENCE)  # the server may still be at what was asked for before
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@pytest.fixture
def patience(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A model that embeds nothing until it may."""
    info = tmp_path / "slow_embedder-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-embedder\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[quaid.embedders]\nslow = slow_embedder:Slow\n")
    (tmp_path / "slow_embedder.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)
    event = threading.Event()
    monkeypatch.setattr("slow_embedder.GO_ON", event)
    yield event
    event.set()


def test_settings_say_their_layer(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/settings"))
    says(tab, "section[aria-label=Collections]", "diary")
    field = "[data-setting='list.limit']"
    assert tab.text(f"{field} .chip") == "default"
    tab.fill(f"{field} input", "40")
    tab.wait_for(f'!!document.querySelector("{field} button.main")')
    tab.click(f"{field} button.main")
    says(tab, f"{field} .chip", "memory")
    assert dashboard.server.get("/api/config/get?key=list.limit").json["value"] == 40
    tab.click(f"{field} button.plain")
    says(tab, f"{field} .chip", "default")


def test_a_rebuild_goes_on_in_the_server_whichever_view_is_open(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/settings"))
    tab.evaluate("window.confirm = () => true")
    with somebody_writing(dashboard.server.db):
        push(tab, "section[aria-label=Memory]", "Rebuild index")
        says(tab, "#jobs", "Rebuild")
        tab.click("header a[href='/browse']")
        tab.wait_for("document.querySelectorAll('tbody tr').length > 3")
        assert tab.evaluate("!!document.querySelector('#jobs progress')")
        again = dashboard.ask("/api/dashboard/jobs", operation="rebuild")
        assert (again.status, again.error["message"]) == (409, "`rebuild` is under way already")
    says(tab, "#jobs", "pages derived anew")
    tab.go(dashboard.address("/"))
    says(tab, "#jobs", "pages derived anew")
    push(tab, "#jobs", "dismiss")
    tab.wait_for("!document.querySelector('#jobs')")


def test_a_rebuild_that_is_cancelled_leaves_everything_as_it_was(tab: Tab, dashboard: Dashboard) -> None:
    before = dashboard.server.get("/api/digest").json
    tab.go(dashboard.address("/settings"))
    with somebody_writing(dashboard.server.db):
        tab.evaluate("window.confirm = () => true")
        push(tab, "section[aria-label=Memory]", "Rebuild index")
        push(tab, "#jobs", "Cancel")
        says(tab, "#jobs", "Cancelling…")
    says(tab, "#jobs", "cancelled")
    assert dashboard.server.get("/api/digest").json == before
    push(tab, "#jobs", "dismiss")


def test_another_model_is_tried_paused_and_given_up(
    tab: Tab, dashboard: Dashboard, patience: threading.Event
) -> None:
    server = dashboard.server
    before = server.get("/api/model/status").json["name"]
    assert server.post("/api/embed").status == 200
    tab.go(dashboard.address("/settings"))
    tab.evaluate("window.confirm = () => true")
    push(tab, "section[aria-label=Model]", "Change")
    push(tab, "[data-model=slow]", "Use")
    push(tab, "#jobs", "Pause")
    says(tab, "#jobs", "Pausing…")
    patience.set()
    says(tab, "#jobs", "paused, ")
    push(tab, "#jobs", "Go on")
    says(tab, "#jobs", "slow is used now")
    says(tab, "section[aria-label=Model] tbody", "slow")
    push(tab, "#jobs", "dismiss")
    push(tab, f"[data-model='{before}']", "Use")
    says(tab, "#jobs", f"{before} is used now")
    push(tab, "#jobs", "dismiss")
    # What fails or is cancelled changes nothing.
    server.post("/api/put", slug="notes/odd", content="# Odd\n\nunspeakable\n", expected_version=0)
    push(tab, "[data-model=slow]", "Use")
    says(tab, "#jobs .failed", "no such word")
    assert server.get("/api/model/status").json["name"] == before
    push(tab, "#jobs", "dismiss")
    server.post("/api/put", slug="notes/odd", content="# Odd\n\nwords that are said\n", expected_version=1)
    patience.clear()
    push(tab, "[data-model=slow]", "Use")
    push(tab, "#jobs", "Cancel")
    says(tab, "#jobs", "Cancelling…")
    patience.set()
    says(tab, "#jobs", "the model is the one before")
    assert server.get("/api/model/status").json["name"] == before
    push(tab, "#jobs", "dismiss")


def test_a_folder_is_looked_at_before_it_is_attached(tab: Tab, dashboard: Dashboard, tmp_path: Path) -> None:
    vault = tmp_path / "Some Notes"
    (vault / "ideas").mkdir(parents=True)
    (vault / ".obsidian").mkdir()
    (vault / "drafts").mkdir()
    (vault / "ideas" / "one.md").write_text("# One idea\n")
    (vault / "drafts" / "raw.md").write_text("# Raw\n")
    (vault / "picture.png").write_bytes(b"x")
    (vault / "away.md").symlink_to(tmp_path / "elsewhere.md")
    before = sorted(vault.rglob("*"))
    tab.go(dashboard.address("/settings"))
    tab.wait_for("!!document.querySelector('#attach')")
    tab.fill("#attach input", str(vault))
    push(tab, "#attach", "Look first")
    says(tab, "#preview", "2 pages")
    assert "1 other file is no page" in tab.text("#preview")
    assert ".obsidian" in tab.text("#preview")
    assert "away.md" in tab.text("#preview")
    assert "some-notes" not in dashboard.server.get("/api/stats").json["collections"]
    tab.click("#attach-now")
    says(tab, "#jobs", "2 added")
    says(tab, "section[aria-label=Collections] tbody", "some-notes")
    assert sorted(vault.rglob("*")) == before
    push(tab, "#jobs", "dismiss")

    push(tab, "[data-collection=some-notes]", "some-notes")
    says(tab, ".unread", "away.md")
    tab.fill("input[aria-label='A pattern to leave out of some-notes']", "drafts/")
    push(tab, "section[aria-label=Collections]", "Leave out")
    says(tab, ".quarantine", "drafts/raw")
    assert dashboard.server.get("/api/get?slug=drafts/raw").status == 404
    push(tab, "section[aria-label=Collections]", "take in again")
    tab.wait_for("!document.querySelector('.quarantine')")
    assert dashboard.server.get("/api/get?slug=drafts/raw").status == 200
    (vault / "away.md").unlink()
    push(tab, "section[aria-label=Collections]", "Try again")
    tab.wait_for("!document.querySelector('.unread')")
    # A second look says why it cannot be attached twice.
    tab.fill("#attach input", str(vault / "ideas"))
    push(tab, "#attach", "Look first")
    says(tab, "#preview .error", "overlap")


def test_an_attachment_that_is_cancelled_is_taken_back(dashboard: Dashboard, tmp_path: Path) -> None:
    vault, server = tmp_path / "half", dashboard.server
    vault.mkdir()
    (vault / "note.md").write_text("# A note\n")
    with somebody_writing(server.db):
        given = {"name": "half", "folder": str(vault)}
        job = dashboard.ask("/api/dashboard/jobs", operation="collection add", arguments=given).json
        assert dashboard.ask(f"/api/dashboard/jobs/{job['id']}/cancel").json["asked"] == "cancel"
    while (seen := _job(dashboard, job["id"]))["state"] == "running":
        pass
    assert seen["state"] == "cancelled"
    assert "half" not in server.get("/api/stats").json["collections"]
    assert (vault / "note.md").read_text() == "# A note\n"


def _job(dashboard: Dashboard, id: str) -> dict[str, object]:
    jobs = dashboard.read("/api/dashboard/jobs").json["jobs"]
    return dict(next(each for each in jobs if each["id"] == id))


def test_findings_are_listed_with_their_remedy_and_repaired(tab: Tab, dashboard: Dashboard) -> None:
    db = apsw.Connection(str(dashboard.server.db))
    db.execute("DELETE FROM chunks WHERE page_id = (SELECT id FROM pages WHERE slug = 'people/alice')")
    db.close()
    tab.go(dashboard.address("/settings"))
    says(tab, "#checks", "GB free")  # what the doctor says
    push(tab, "section[aria-label=Health]", "Check health")
    says(tab, "#findings", "people/alice")
    assert "It can be derived anew." in tab.text("#findings")
    push(tab, "section[aria-label=Health]", "Repair what is safe")
    says(tab, "section[aria-label=Health]", "Everything is sound")


def test_jobs_are_for_the_owner_and_of_known_kinds(dashboard: Dashboard) -> None:
    server = dashboard.server
    assert server.get("/api/dashboard/jobs", Authorization=None).status == 401
    assert server.get("/api/dashboard/health", Authorization=None).status == 401
    assert dashboard.ask("/api/dashboard/jobs", operation="forget", arguments={"yes": True}).status == 400
    assert dashboard.ask("/api/dashboard/jobs", operation="rebuild", arguments=[]).status == 400
    assert server.post("/api/dashboard/jobs", operation="rebuild").status == 403  # a token of somebody
    assert dashboard.ask("/api/dashboard/jobs/none/cancel").status == 404
    for wish, background in (("pause", "off"), ("resume", "not here")):
        assert dashboard.ask(f"/api/dashboard/jobs/embedding/{wish}").json["background"] == background


def test_the_time_that_is_left_is_that_of_the_stretch() -> None:
    now = 0.0
    pace = Pace(lambda: now)
    assert pace.note(0, 100) is None
    now = 10.0
    assert pace.note(20, 100) == 40
    now = 11.0
    assert pace.note(0, 500) is None  # another stretch
    now = 13.0
    assert pace.note(100, 500) == 8

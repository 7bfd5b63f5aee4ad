"""What needs the person, on Home, and what settles it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from quaid.formats.meld.clash import Clash
from quaid.sync.conflicts import note_clashes
from tests.dashboard.serving import Dashboard
from tests.dashboard.steps import push, says
from tests.graph.browser import Tab
from tests.support import quick

NEEDS = "section[aria-label='What needs you']"
MOMENT = "2026-01-01T00:00:00Z"


def needs(kind: str) -> str:
    return f"[data-needs='{kind}']"


def test_what_machines_could_not_agree_on_is_decided(tab: Tab, dashboard: Dashboard) -> None:
    server, folder = dashboard.server, dashboard.server.db.parent.parent
    page = server.get("/api/get?slug=notes/one").json
    clash = Clash("text", "One", "", "A note.\n", "Another note.\n", MOMENT, MOMENT)
    note_clashes(folder, "notes/one.md", [clash])
    tab.go(dashboard.address("/"))
    says(tab, needs("conflict"), "Another note.")
    push(tab, needs("conflict"), "Take the other")
    says(tab, ".toast", "The other version stands there now")
    tab.wait_for(f'!document.querySelector("{needs("conflict")}")')
    assert server.get("/api/get?slug=notes/one").json["version"] == page["version"] + 1
    assert "Another note." in (folder / "notes" / "one.md").read_text()


def test_a_contradiction_is_settled_where_it_is_shown(tab: Tab, dashboard: Dashboard) -> None:
    for page, place in (("people/alice", "Hamburg"), ("companies/acme", "Berlin")):
        dashboard.server.post(
            "/api/assert", subject="people/alice", predicate="lives_in", object=place, page=page
        )
    dashboard.server.post("/api/check", all=True)
    tab.go(dashboard.address("/"))
    push(tab, needs("contradiction"), "Settle")
    push(tab, needs("contradiction"), "This is right")
    tab.wait_for(f'!document.querySelector("{needs("contradiction")}")')
    assert dashboard.server.post("/api/check").json["open"] == 0


def test_the_person_reads_the_question_that_the_memory_does_not_keep(tab: Tab, dashboard: Dashboard) -> None:
    question = "Which violin concerto did Sibelius write?"
    tab.go(dashboard.address("/"))
    tab.fill("#ask", question)
    push(tab, ".ask", "Ask")
    says(tab, "#answer", "Not known")
    tab.go(dashboard.address("/"))
    says(tab, needs("not known"), question)
    assert question not in dashboard.server.get("/api/gaps").body.decode()
    assert dashboard.server.get("/api/dashboard/questions").status == 403
    tab.fill(f"{needs('not known')} input", "companies/acme")
    push(tab, needs("not known"), "This answers it")
    tab.wait_for(f'!document.querySelector("{needs("not known")}")')
    assert dashboard.server.get("/api/gaps?resolved=true").json["gaps"][0]["resolved_by"] == "companies/acme"


def test_what_is_due_is_done_and_comes_back(tab: Tab, dashboard: Dashboard) -> None:
    text = "---\ntype: action_item\ndue: 2026-01-05\n---\n# Call the harbour\n"
    dashboard.server.post("/api/put", slug="todo/harbour", content=text, expected_version=0)
    tab.go(dashboard.address("/"))
    says(tab, needs("overdue"), "Call the harbour")
    push(tab, needs("overdue"), "Done")
    tab.wait_for(f'!document.querySelector("{needs("overdue")}")')
    assert "\nstatus: done\n---" in dashboard.server.get("/api/get?slug=todo/harbour").json["content"]
    push(tab, ".toast", "Undo")
    says(tab, needs("overdue"), "Call the harbour")
    assert dashboard.server.get("/api/get?slug=todo/harbour").json["content"] == text


def test_what_could_not_be_sent_is_sent_again(tab: Tab, dashboard: Dashboard, tmp_path: Path) -> None:
    remote, db = tmp_path / "remote.git", dashboard.server.db
    subprocess.run(["git", "init", "-q", "--bare", remote], check=True)
    home = {"HOME": str(db.parent)}  # the server's
    quick("trust", db.parent.parent, env=home)
    assert quick("sync", "init", str(remote), db=db, env=home).status == 0
    shutil.move(remote, tmp_path / "unplugged.git")
    quick("sync", db=db, env=home)
    tab.go(dashboard.address("/"))
    says(tab, needs("not sent"), "diary")
    shutil.move(tmp_path / "unplugged.git", remote)
    push(tab, needs("not sent"), "Exchange now")
    tab.wait_for(f'!document.querySelector("{needs("not sent")}")')
    assert dashboard.read("/api/sync/status").json["collections"][0]["ahead"] == 0

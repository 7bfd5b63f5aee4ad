"""One page: what is shown with it, and how it is edited."""

from __future__ import annotations

import json

from tests.dashboard.serving import Dashboard
from tests.dashboard.steps import press, push, says
from tests.graph.browser import Tab

EDITOR = "document.querySelector('.rich')?.shadowRoot?.querySelector('.cm-content')"
BOAT = """---
type: project
---
# Boat

![[notes/plan#Hull]]

The area is $A = \\pi r^2$, and

$$\\frac{a}{b}$$

What it costs: $\\nonsense{$ and ![[notes/missing]].
"""
PLAN = "# Plan\n\nAll of it.\n\n## Hull\n\nMade of oak.\n\n- [ ] saw\n\n## Sail\n\nMade of linen.\n"


def put(dashboard: Dashboard, slug: str, content: str, version: int = 0) -> None:
    written = dashboard.server.post("/api/put", slug=slug, content=content, expected_version=version)
    assert written.status == 200, written.error


def write_into(tab: Tab, text: str) -> None:
    """Replace what is in the editor, by its keys."""
    tab.wait_for(f"!!{EDITOR}")
    tab.evaluate(f"{EDITOR}.focus()")
    tab.ask(
        "Input.dispatchKeyEvent", type="keyDown", key="a", code="KeyA", modifiers=2, commands=["selectAll"]
    )
    tab.ask("Input.dispatchKeyEvent", type="keyUp", key="a", code="KeyA", modifiers=2)
    tab.ask("Input.insertText", text=text)


def test_pages_within_a_page_and_formulas_are_shown(tab: Tab, dashboard: Dashboard) -> None:
    put(dashboard, "notes/plan", PLAN)
    put(dashboard, "projects/boat", BOAT)
    tab.go(dashboard.address("/page/projects/boat"))
    says(tab, ".doc .embedded", "Made of oak.")
    shown = tab.text(".doc .embedded")
    assert "All of it." not in shown
    assert "Made of linen." not in shown
    assert tab.evaluate("document.querySelector('.doc .embedded input').disabled")
    tab.wait_for("document.querySelectorAll('.doc .math > math').length === 2")
    assert tab.evaluate("document.querySelectorAll('.doc .math.display mfrac').length") == 1
    assert "\\nonsense{" in tab.text(".doc")
    assert tab.text(".doc .missing") == "notes/missing"


def test_links_say_when_they_held(tab: Tab, dashboard: Dashboard) -> None:
    for since, until, company in (("2020-01-01", "2022-06-30", "old-works"), ("2022-07-01", None, "acme")):
        values = {"valid_from": since, **({"valid_until": until} if until else {})}
        made = dashboard.server.post(
            "/api/link",
            **{"from": "people/alice", "to": f"companies/{company}"},
            relationship="works_at",
            **values,
        )
        assert made.status == 200, made.error
    tab.go(dashboard.address("/page/people/alice"))
    says(tab, "section[aria-label=Links]", "ended; since 2020-01-01, until 2022-06-30")
    says(tab, "section[aria-label=Links] .chip", "works_at")
    assert "companies/old-works" in tab.text("section[aria-label=Links] .ended")
    tab.go(dashboard.address("/page/companies/acme"))
    says(tab, "section[aria-label='Links to this page']", "since 2022-07-01")
    says(tab, "section[aria-label='Links to this page']", "A founder of")


def test_raw_data_is_shown_as_it_is(tab: Tab, dashboard: Dashboard) -> None:
    page = dashboard.server.get("/api/get?slug=companies/acme").json
    data = {"founded": 1949, "note": "<img src=x onerror='window.hacked = 1'>"}
    given = dashboard.server.post(
        "/api/raw", slug="companies/acme", source="register", data=data, page_version=page["version"]
    )
    assert given.status == 200, given.error
    tab.go(dashboard.address("/page/companies/acme"))
    says(tab, "section[aria-label='Raw data']", "register")
    assert json.loads(tab.text("pre.raw")) == data
    assert tab.evaluate("window.hacked === undefined")


def test_a_page_is_opened_in_other_programs_by_links_alone(tab: Tab, dashboard: Dashboard) -> None:
    folder = dashboard.server.db.parent.parent
    tab.go(dashboard.address("/page/notes/one"))
    tab.wait_for("!!document.querySelector('#open-in')")
    links = "[...document.querySelectorAll('#open-in a')].map((each) => each.getAttribute('href'))"
    assert [each.partition(":")[0] for each in tab.evaluate(links)] == ["vscode", "zed"]
    (folder / ".obsidian").mkdir()
    tab.go(dashboard.address("/page/notes/one"))
    tab.wait_for("!!document.querySelector('#open-in a[href^=obsidian]')")
    assert tab.evaluate(links)[1] == f"vscode://file{folder}/notes/one.md"
    assert dashboard.server.get("/api/dashboard/place?slug=notes/one").status == 403
    assert dashboard.read("/api/dashboard/place?slug=../../etc/passwd").status == 404


def test_the_editor_saves_and_is_left_by_keys(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/page/notes/two"))
    says(tab, ".doc", "A note.")
    press(tab, "e")
    write_into(tab, "# Two\n\nWritten with *keys*, e and j.\n")
    says(tab, ".edit .doc em", "keys")
    assert tab.evaluate("location.search") == "?edit"
    tab.ask("Input.dispatchKeyEvent", type="keyDown", key="s", code="KeyS", modifiers=2)
    says(tab, ".toast", "Saved")
    says(tab, "article.doc", "Written with keys, e and j.")
    assert "*keys*" in dashboard.server.get("/api/get?slug=notes/two").json["content"]
    push(tab, ".toast", "Undo")
    says(tab, "article.doc", "A note.")


def test_a_page_that_somebody_else_changed_meanwhile_is_not_overwritten(
    tab: Tab, dashboard: Dashboard
) -> None:
    tab.go(dashboard.address("/page/notes/one?edit"))
    write_into(tab, "# One\n\nMy *own* note.\n\nThe end.\n")
    # A second writer, with another program: the file itself.
    file = dashboard.server.db.parent.parent / "notes" / "one.md"
    file.write_text("# One\n\nTheir note.\n\nThe end.\n")
    assert dashboard.server.get("/api/get?slug=notes/one").json["version"] == 2
    tab.click("#save")
    says(tab, "#conflict", "Their note.")
    assert tab.texts("#conflict .del") == ["-Their note."]
    assert tab.texts("#conflict .add") == ["+My *own* note."]
    assert file.read_text() == "# One\n\nTheir note.\n\nThe end.\n"
    tab.click("#theirs")
    says(tab, ".edit .doc", "Their note.")
    assert "Their note." in str(tab.evaluate(f"{EDITOR}.textContent"))
    # The same in the plain field, which keeps what was written.
    tab.click("#plain")
    tab.wait_for("!!document.querySelector('.edit textarea')")
    assert "Their note." in tab.evaluate("document.querySelector('.edit textarea').value")
    tab.fill(".edit textarea", "# One\n\nMine after all.\n")
    file.write_text("# One\n\nTheirs once more.\n")
    tab.click("#save")
    says(tab, "#conflict", "Theirs once more.")
    tab.click("#mine")
    tab.wait_for("!document.querySelector('#conflict')")
    tab.click("#save")
    says(tab, "article.doc", "Mine after all.")
    assert file.read_text() == "# One\n\nMine after all.\n"
    tab.evaluate("localStorage.clear()")


def test_nothing_complains(tab: Tab) -> None:
    # The conflict, the log that is not there yet, and what the browser wants to do to a text in one piece.
    usual = ("status of 409", "status of 404", "Applying inline style")
    assert [each for each in tab.complaints if not any(words in each for words in usual)] == []

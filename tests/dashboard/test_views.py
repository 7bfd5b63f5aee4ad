"""The dashboard as a person sees it, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.dashboard.serving import Dashboard
from tests.dashboard.steps import answering, barriers, press, push, says
from tests.graph.browser import Tab
from tests.support import quick

VIEWS = (
    "/",
    "/search?q=anvils",
    "/browse",
    "/facts",
    "/conversations",
    "/agents",
    "/settings",
    "/page/people/alice",
    "/page/people/alice?edit",
)
SAID = (
    {"type": "user", "message": {"role": "user", "content": "How deep is the basin?"}},
    {
        "type": "assistant",
        "parentUuid": "u0",
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": "Twelve metres <b>at low tide</b>."}],
        },
    },
)


def test_a_question_is_answered_or_said_to_be_unknown(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/"))
    tab.fill("#ask", "who makes anvils in Hamburg?")
    tab.click(".ask button")
    says(tab, "#answer", "Makes anvils in Hamburg.")
    assert "Found" in tab.text("#answer .verdict")
    assert tab.evaluate("location.search") == "?ask=who%20makes%20anvils%20in%20Hamburg%3F"
    tab.evaluate("history.back()")
    tab.wait_for("location.search === ''")
    tab.go(dashboard.address("/?ask=Which%20violin%20concerto%20did%20Sibelius%20write%3F"))
    says(tab, "#answer", "Not known")


def test_what_is_to_be_remembered_shows_where_it_goes_and_can_be_taken_back(
    tab: Tab, dashboard: Dashboard
) -> None:
    tab.go(dashboard.address("/"))
    tab.wait_for("!!document.querySelector('#capture')")
    tab.fill("#capture", "buy oat milk")
    says(tab, "#plan", "lists/shopping.md")
    assert "oat milk" not in dashboard.server.get("/api/get?slug=lists/shopping").json["content"]
    tab.click("section[aria-label=Remember] button")
    says(tab, ".toast", "oat milk")
    assert "oat milk" in dashboard.server.get("/api/get?slug=lists/shopping").json["content"]
    says(tab, "section[aria-label='Recent changes']", "human")
    tab.click(".toast button")
    says(tab, ".toast", "Taken back")
    assert "oat milk" not in dashboard.server.get("/api/get?slug=lists/shopping").json["content"]


def test_a_page_is_shown_and_a_task_is_ticked(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/page/people/alice"))
    says(tab, ".doc", "A founder of Acme")
    assert tab.text(".doc .missing") == "people/nobody"
    assert tab.evaluate("document.querySelectorAll('.doc img').length") == 0
    assert tab.text(".remote-image") == "Image from badges.example.org: badge"
    tab.click(".doc li.task input")
    says(tab, ".toast", "Done")
    page = dashboard.server.get("/api/get?slug=people/alice").json
    assert "- [x] call her" in page["content"]
    assert page["version"] == 2
    tab.click(".doc a.wikilink")
    says(tab, ".doc", "Makes anvils")
    says(tab, "section[aria-label='Links to this page']", "Alice")


def test_what_others_write_appears_without_a_reload(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/page/notes/two"))
    says(tab, ".doc", "A note.")
    tab.wait_for("document.body.dataset.live === 'true'")
    dashboard.server.post(
        "/api/put", slug="notes/two", content="# Two\n\nFresh from elsewhere.\n", expected_version=1
    )
    says(tab, ".doc", "Fresh from elsewhere.")


def test_words_are_found_while_typing_and_meaning_after_a_pause(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/search"))
    tab.fill("#search", "anvils")
    says(tab, "section.card li", "Acme")
    says(tab, "#how", "by words and meaning")
    assert tab.evaluate("location.search") == "?q=anvils"
    tab.click("section.card li a")
    tab.wait_for("!!document.querySelector('.doc .lit')")
    assert "Makes anvils in Hamburg." in tab.texts(".doc .lit")


def test_a_page_is_made_from_a_template_renamed_removed_and_restored(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/browse?under=people"))
    answering(tab, "people/caroline")
    push(tab, "main", "New page")
    tab.wait_for("document.querySelector('#new-page')?.open === true")
    assert tab.evaluate("document.querySelector('#new-page [name=slug]').value") == "people/"
    tab.fill("#new-page [name=slug]", "people/carol")
    tab.fill("#new-page select", "person", "change")
    push(tab, "#new-page", "Make it")
    tab.wait_for("location.pathname === '/page/people/carol' && !!document.querySelector('.edit')")
    assert "type: person" in dashboard.server.get("/api/get?slug=people/carol").json["content"]
    tab.click("#save")
    tab.wait_for("!!document.querySelector('[data-key=e]')")
    tab.evaluate("[...document.querySelectorAll('button')].find((b) => b.textContent === 'Rename').click()")
    tab.wait_for("location.pathname === '/page/people/caroline' && !!document.querySelector('.danger')")
    tab.click(".danger")
    says(tab, ".toast", "Removed")
    tab.go(dashboard.address("/page/people/caroline"))
    says(tab, "main", "This page is removed")
    tab.click("main button.main")
    tab.wait_for("!!document.querySelector('[data-key=e]')")


@pytest.mark.parametrize(("view", "field"), [("/graph", "#around"), ("/search", "#search")])
def test_who_types_as_soon_as_there_is_a_field_loses_nothing(
    tab: Tab, dashboard: Dashboard, view: str, field: str
) -> None:
    """On a slow machine that may be before the view has come to rest."""
    tab.go(dashboard.address("/browse"))
    typed = tab.evaluate(
        f"""new Promise((done) => {{
              new MutationObserver((_, seen) => {{
                const field = document.querySelector({json.dumps(field)});
                if (!field) return;
                seen.disconnect();
                field.value = "anvils";
                field.dispatchEvent(new Event("input", {{ bubbles: true }}));
                requestAnimationFrame(() => requestAnimationFrame(() => done(field.value)));
              }}).observe(document.body, {{ childList: true, subtree: true }});
              document.querySelector("header nav a[href='{view}']").click();
            }})"""
    )
    assert typed == "anvils"


def test_keys_lead_everywhere(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/browse"))
    tab.wait_for("document.querySelectorAll('tbody tr').length > 3")
    press(tab, "j")
    press(tab, "j")
    assert tab.evaluate("document.activeElement.closest('tr') === document.querySelectorAll('tbody tr')[1]")
    press(tab, "/")
    tab.wait_for("document.querySelector('#palette')?.open === true")
    tab.fill("#palette input", "anvils")
    says(tab, "#palette li", "Acme")
    press(tab, "Enter")
    tab.wait_for("location.pathname === '/page/companies/acme' && !document.querySelector('#palette')")
    press(tab, "?")
    says(tab, "#help", "edit the page")
    tab.click("#help button")
    tab.wait_for("!document.querySelector('#help')")
    press(tab, "g")
    press(tab, "h")
    tab.wait_for("location.pathname === '/'")


def test_a_contradiction_is_shown_with_both_sides_and_resolved(tab: Tab, dashboard: Dashboard) -> None:
    for page, place in (("people/alice", "Hamburg"), ("companies/acme", "Berlin")):
        dashboard.server.post(
            "/api/assert", subject="people/alice", predicate="lives_in", object=place, page=page
        )
    tab.go(dashboard.address("/facts"))
    says(tab, "section[aria-label='Facts by day']", "lives_in Berlin")
    tab.wait_for("!!document.querySelector('section[aria-label=Contradictions] h2 button')")
    tab.click("section[aria-label=Contradictions] h2 button")
    says(tab, "section[aria-label=Contradictions]", "companies/acme")
    tab.wait_for("document.querySelectorAll('section[aria-label=Contradictions] li li button').length === 2")
    tab.click("section[aria-label=Contradictions] li li button")
    says(tab, "section[aria-label=Contradictions]", "None is open.")
    assert dashboard.server.post("/api/check").json["open"] == 0


def test_a_conversation_is_found_read_and_forgotten(tab: Tab, dashboard: Dashboard, tmp_path: Path) -> None:
    transcript = tmp_path / "s-harbour.jsonl"
    lines = (
        {
            "uuid": f"u{n}",
            "sessionId": "s-harbour",
            "timestamp": f"2026-04-10T10:00:0{n}Z",
            "cwd": "/x",
            **said,
        }
        for n, said in enumerate(SAID)
    )
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    quick("conversations", "index", transcript, "--client", "claude", db=dashboard.server.db)
    tab.go(dashboard.address("/conversations"))
    says(tab, "main .list", "How deep is the basin?")
    tab.fill("#said", "metres")
    tab.click("form.ask button")
    says(tab, "main .list", "turn 2")
    tab.click("main .list a")
    says(tab, "section[aria-label='Turn 2']", "Twelve metres <b>at low tide</b>.")
    tab.evaluate("window.confirm = () => true")
    tab.click("button.danger")
    says(tab, "main", "None yet.")


def test_what_somebody_did_in_a_session_is_taken_back(tab: Tab, dashboard: Dashboard) -> None:
    headers = {"Quaid-Session": "robots-turn"}
    dashboard.server.post("/api/put", headers, slug="notes/robot", content="# Robot\n", expected_version=0)
    tab.go(dashboard.address("/"))
    says(tab, "section[aria-label='Recent changes'] li", "notes/robot")
    tab.click("section[aria-label='Recent changes'] li button")
    says(tab, "#take-back", "notes/robot removed")
    assert dashboard.server.get("/api/get?slug=notes/robot").status == 200
    tab.click("#take-back .danger")
    says(tab, ".toast", "Taken back")
    assert dashboard.server.get("/api/get?slug=notes/robot").status == 404


def test_the_pages_around_a_page_are_drawn_in_a_place_of_their_own(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/api/dashboard/drawing?slug=people/alice"))
    tab.wait_for("document.querySelectorAll('#pages li').length > 1")
    assert "Acme" in tab.texts("#pages button")
    assert tab.evaluate("self.origin") == "null"


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(tab: Tab, dashboard: Dashboard, view: str) -> None:
    tab.go(dashboard.address(view))
    tab.wait_for("!!document.querySelector('main .card')")
    assert barriers(tab) == []


def test_nothing_is_fetched_from_elsewhere_and_nothing_complains(tab: Tab) -> None:
    usual = ("409", "404")  # the conflict and the removed page, which tests above want
    assert [each for each in tab.complaints if not any(f"status of {code}" in each for code in usual)] == []

"""Agents in the dashboard: which programs are connected, what they are given, what they did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.dashboard.serving import Dashboard
from tests.dashboard.steps import press, says
from tests.graph.browser import Tab
from tests.support import quick

CLAUDE = "[data-client=claude-code]"


def at(dashboard: Dashboard, path: str) -> Path:
    """A file of the person's home."""
    return dashboard.server.db.parent / path


def test_a_program_is_set_up_after_its_difference_was_seen_and_disconnected(
    tab: Tab, dashboard: Dashboard
) -> None:
    settings = at(dashboard, ".claude.json")
    settings.write_text('{\n  "theme": "dark"\n}\n', encoding="utf-8")
    before = settings.read_bytes()
    tab.go(dashboard.address("/agents"))
    says(tab, CLAUDE, "Claude Code")
    tab.click(f"{CLAUDE} button")
    says(tab, "#connect .diff", '"mcpServers"')
    says(tab, "#connect", ".claude.json")
    assert settings.read_bytes() == before
    tab.click("#connect label:nth-of-type(2) input")
    tab.wait_for("!document.querySelector('#connect .list').textContent.includes('skill')")
    tab.click("#consent")
    says(tab, ".toast", "Claude Code is set up. Start a new session")
    written = json.loads(settings.read_text(encoding="utf-8"))
    assert written["theme"] == "dark"
    assert str(dashboard.server.db) in written["mcpServers"]["quaid"]["args"]
    says(tab, CLAUDE, "is given instructions, tools, context, lines, flush")
    tab.click(f"{CLAUDE} button.danger")
    says(tab, "#connect .diff", "mcpServers")
    tab.click("#consent")
    says(tab, CLAUDE, "not")
    tab.wait_for(f"!document.querySelector('{CLAUDE} button.danger')")
    assert settings.read_bytes() == before


def test_what_was_not_seen_is_not_written(dashboard: Dashboard) -> None:
    server, person = dashboard.server, dashboard.person
    plan = server.post("/api/dashboard/clients", person, client="cursor").json
    assert (plan["changed"], plan["done"]) == (True, False)
    place = at(dashboard, ".cursor/mcp.json")
    place.parent.mkdir(exist_ok=True)
    place.write_text('{"mcpServers": {"other": {"command": "other"}}}', encoding="utf-8")
    refused = server.post("/api/dashboard/clients", person, client="cursor", seen=plan["seen"])
    assert refused.status == 409
    assert "quaid" not in place.read_text(encoding="utf-8")
    assert server.post("/api/dashboard/clients", person, client="../x").status == 404
    assert server.post("/api/dashboard/clients", person, client=["cursor"]).status == 400
    place.unlink()


@pytest.mark.parametrize("path", ["/api/dashboard/clients", "/api/dashboard/prompt"])
def test_only_the_owner_asks_about_programs(dashboard: Dashboard, path: str) -> None:
    server = dashboard.server
    assert server.post(path, {"Authorization": "Bearer guess"}, prompt="x").status == 401
    assert server.post(path, prompt="x").status == 403  # a token that agents have
    assert server.post(path, dashboard.person | {"Sec-Fetch-Site": "cross-site"}, prompt="x").status == 403


def test_each_text_that_agents_are_given_is_counted_and_can_be_turned_off(
    tab: Tab, dashboard: Dashboard
) -> None:
    tab.go(dashboard.address("/agents"))
    says(tab, "[data-given=context]", "tokens")
    tab.click("[data-given=context] input")
    says(tab, "[data-given=context] .chip", "off")
    assert dashboard.server.get("/api/config/get?key=hooks.context").json["value"] is False
    tab.click("[data-given=context] input")
    says(tab, "[data-given=context] .chip", "about")
    assert "Show the text" in tab.text("[data-given=flush]")
    before = dashboard.server.get("/api/agents").json["start_tokens"]
    tab.evaluate("[...document.querySelectorAll('.sets input')].at(-1).click()")
    says(tab, ".toast", "mcp.tools is core")
    tab.wait_for(
        "![...document.querySelectorAll('[data-given=tools] td')].some((td) => td.textContent === 'recall')"
    )
    assert dashboard.server.get("/api/agents").json["start_tokens"] < before
    tab.evaluate("[...document.querySelectorAll('.sets input')].at(-1).click()")
    says(tab, ".toast", "mcp.tools is core,notebook")


def test_a_prompt_is_tried(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/agents"))
    tab.wait_for("!!document.querySelector('#prompt')")
    tab.fill("#prompt", "Who makes anvils in Hamburg?")
    tab.click("#prompt + button")
    says(tab, "#lines", "Makes anvils in Hamburg.")
    tab.fill("#prompt", "What is the boiling point of tungsten?")
    tab.click("#prompt + button")
    says(tab, "#lines", "Nothing fits well enough.")


def test_what_an_agent_did_is_listed_by_session_and_taken_back(tab: Tab, dashboard: Dashboard) -> None:
    robot = {"QUAID_ACTOR": "robot", "QUAID_SESSION": "s-robot"}
    quick("put", "robots/one", input="# Robot\n", db=dashboard.server.db, env=robot)
    tab.go(dashboard.address("/"))
    press(tab, "g")
    press(tab, "a")
    tab.wait_for("location.pathname === '/agents'")
    session = "[data-session=s-robot]"
    says(tab, session, "robots/one")
    tab.fill("select[aria-label='Only this agent']", "robot", "change")
    tab.wait_for("location.search === '?by=robot'")
    tab.click(f"{session} button")
    says(tab, "#take-back", "robots/one removed")
    tab.click("#take-back .danger")
    says(tab, ".toast", "Taken back: 1 page")
    says(tab, session, "taken back")
    assert dashboard.server.get("/api/get?slug=robots/one").status == 404

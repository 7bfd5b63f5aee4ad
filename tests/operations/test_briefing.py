"""A briefing: what needs attention and what has changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from quaid import operations
from quaid.app import App
from quaid.errors import InvalidInput
from quaid.operations.briefing import BRIEFING
from quaid.operations.text import Style
from tests.support import Clock, call, quick

DAY = 24 * 3600


def put(app: App, slug: str, content: str) -> None:
    call(app, "put", slug=slug, content=content)


def brief(app: App, **values: Any) -> dict[str, Any]:
    return dict(call(app, "briefing", **values))


def text(app: App, **values: Any) -> str:
    return BRIEFING.render(operations.run(app, BRIEFING, BRIEFING.arguments(**values)), Style())


def slugs(listed: list[dict[str, Any]]) -> list[str]:
    return [each["slug"] for each in listed]


def test_an_empty_memory_needs_nothing(app: App) -> None:
    result = brief(app)
    assert not any(result["counts"].values())
    assert text(app) == "2026-04-14, since 2026-04-07\nNothing needs attention, and nothing has changed."


def test_what_is_due_and_what_is_open(app: App) -> None:
    put(app, "commitments/late", "---\ndue: 2026-04-01\nowner: Bob\n---\nL\n")
    put(app, "actions/open", "---\nstatus: open\n---\nO\n")
    put(app, "actions/later", "---\ndue: 2026-09-01\n---\nO\n")
    put(app, "actions/done", "---\nstatus: done\n---\nD\n")
    result = brief(app)
    assert slugs(result["due"]) == ["commitments/late"]
    assert slugs(result["actions"]) == ["actions/later", "actions/open"]
    assert (result["counts"]["due"], result["counts"]["overdue"], result["counts"]["actions"]) == (1, 1, 2)
    assert "Due, 1 overdue (1)" in text(app)


def test_facts_and_links_that_began_or_ended(app: App, clock: Clock) -> None:
    put(
        app,
        "people/alice",
        """---
title: Alice
links:
  - {to: acme, relationship: works_at, valid_from: 2024-01-01, valid_until: 2026-04-10}
  - {to: river, relationship: works_at, valid_from: 2026-04-10}
  - {to: old, relationship: works_at, valid_from: 2020, valid_until: 2021}
assertions:
  - {subject: Alice, predicate: lives_in, object: Porto, valid_until: 2026-04-12}
  - {subject: Alice, predicate: lives_in, object: Oslo, valid_from: 2026-04-12}
  - {subject: Alice, predicate: lives_in, object: Rome, valid_from: 2027-01-01}
  - {subject: Alice, predicate: likes, object: Tea}
---
Text
""",
    )
    shifted = [(each["what"], each["day"], each["object"]) for each in brief(app)["shifted"]]
    assert sorted(shifted) == [
        ("began", "2026-04-10", "river"),
        ("began", "2026-04-12", "Oslo"),
        ("ended", "2026-04-10", "acme"),
        ("ended", "2026-04-12", "Porto"),
    ]
    assert {each["object"] for each in brief(app, since="2026-04-11")["shifted"]} == {"Oslo", "Porto"}
    clock.tick(30 * DAY)
    assert brief(app)["shifted"] == []
    claim = {"subject": "Alice", "predicate": "likes", "object": "Coffee"}
    call(app, "put", slug="people/alice", assertions=[claim])
    assert [(each["what"], each["object"]) for each in brief(app)["shifted"]] == [("recorded", "Coffee")]


def test_pages_that_were_created_changed_and_removed(app: App, clock: Clock) -> None:
    for slug in ("a", "b", "c"):
        put(app, slug, "Text\n")
    clock.tick(30 * DAY)
    put(app, "b", "Other\n")
    clock.tick(60)
    put(app, "d", "New\n")
    call(app, "rm", slug="c")
    result = brief(app)
    assert [(each["what"], each["slug"]) for each in result["pages"]] == [("created", "d"), ("changed", "b")]
    assert slugs(result["removed"]) == ["c"]
    assert [result["counts"][what] for what in ("created", "changed", "removed")] == [1, 1, 1]
    assert "Pages (1 created, 1 changed, 1 removed)" in text(app)
    clock.tick(3 * 3600)
    assert brief(app, since="2h")["pages"] == []
    assert slugs(brief(app, since="4h")["pages"]) == ["d", "b"]
    assert slugs(brief(app, since="5w")["pages"]) == ["d", "b", "a"]


def test_decisions_that_were_made_or_changed(app: App, clock: Clock) -> None:
    put(app, "decisions/sqlite", "---\nmade_at: 2026-04-14\nstatus: active\n---\n# SQLite\n")
    put(app, "decisions/old", "---\nstatus: active\n---\n# Old\n")
    clock.tick(30 * DAY)
    call(app, "put", slug="decisions/sqlite", frontmatter={"status": "reversed"})
    assert brief(app)["decisions"] == [
        {"slug": "decisions/sqlite", "title": "SQLite", "made": "2026-04-14", "status": "reversed"}
    ]


def test_contradictions_that_nobody_resolved(app: App) -> None:
    put(app, "a", "Text\n")
    with app.store.write() as connection:
        connection.execute(
            """INSERT INTO contradictions (page_id, type, fingerprint, description, detected_at)
               SELECT id, 'temporal', 'f1', 'Two employers', '2026-04-01T00:00:00Z' FROM pages"""
        )
        connection.execute(
            """INSERT INTO contradictions
                   (page_id, type, fingerprint, description, detected_at, resolved_at, resolution)
               SELECT id, 'temporal', 'f2', 'Old', '2026-04-01T00:00:00Z', '2026-04-02T00:00:00Z', 'dismissed'
               FROM pages"""
        )
    result = brief(app)
    assert [(each["slug"], each["description"]) for each in result["contradictions"]] == [
        ("a", "Two employers")
    ]
    assert result["counts"]["contradictions"] == 1
    call(app, "rm", slug="a")
    assert brief(app)["counts"]["contradictions"] == 0


def test_only_approved_questions_are_shown(app: App) -> None:
    with app.store.write() as connection:
        for digest, words, sensitivity, approver, redacted in (
            ("h1", None, "internal", None, None),
            ("h2", "who is Bob?", "external", "me", None),
            ("h3", "secret words", "redacted", "me", "who is X?"),
        ):
            connection.execute(
                """INSERT INTO knowledge_gaps (query_hash, query_text, sensitivity, approved_by, approved_at,
                       redacted_query, detected_at) VALUES (?1, ?2, ?3, ?4, ?4, ?5, '2026-04-01')""",
                (digest, words, sensitivity, approver, redacted),
            )
    result = brief(app)
    assert [each["question"] for each in result["gaps"]] == ["who is X?", "who is Bob?"]
    assert result["counts"]["gaps"] == 3
    assert "secret" not in json.dumps(result)
    assert "… and 1 more: quaid gaps" in text(app)


def test_pages_whose_evidence_is_newer_than_their_truth(app: App, clock: Clock) -> None:
    put(app, "a", "Truth\n\n---\n\n- 2026-04-01 — Old\n")
    put(app, "b", "Truth\n")
    clock.tick(40 * DAY)
    call(app, "timeline-add", slug="a", date="2026-05-14", summary="New")
    call(app, "timeline-add", slug="b", date="2026-05-01", summary="Nearly new")
    assert [(each["slug"], each["newest"], each["truth_updated"]) for each in brief(app)["stale"]] == [
        ("a", "2026-05-14", "2026-04-14")
    ]


def test_a_large_memory_gives_a_short_briefing(app: App) -> None:
    for number in range(60):
        put(app, f"actions/a{number}", f"---\ndue: 2026-04-{number % 28 + 1:02}\n---\n- [ ] x\n")
        put(app, f"decisions/d{number}", "---\nmade_at: 2026-04-14\n---\nD\n")
    shown = text(app)
    assert len(shown.split("\n")) < 60
    assert "… and 113 more: quaid list" in shown
    assert "quaid due" in shown


def test_it_can_be_markdown_or_json(app: App) -> None:
    put(app, "actions/a", "---\ndue: 2026-04-01\ntitle: 'Call *Bob* [now]'\n---\nX\n")
    shown = text(app, format="markdown")
    assert shown.startswith(
        "# Briefing of 2026-04-14\n\nSince 2026-04-07.\n\n## Due, 1 overdue (1)\n\n- 2026-04-01 · "
    )
    assert r"Call \*Bob\* \[now\]" in shown
    assert json.loads(text(app, format="json"))["due"][0]["slug"] == "actions/a"
    ran = quick("briefing", "--json", db=app.store.path)
    assert ran.json["counts"]["due"] == 1


@pytest.mark.parametrize("since", ["yesterday", "7 years", "", "999999w"])
def test_a_time_that_makes_no_sense_is_refused(app: App, since: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        brief(app, since=since)
    assert "7d" in caught.value.hint

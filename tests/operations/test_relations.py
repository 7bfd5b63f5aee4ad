"""A typed link and an assertion between pages are one relation, whoever asks and from whichever side."""

from __future__ import annotations

from typing import Any

import pytest

from quaid.app import App
from tests.support import call


@pytest.fixture
def river(app: App) -> App:
    """Alice is linked with RiverAI, Bob is asserted to work there, Carol was; Dora stands alone."""
    for slug, title in (("companies/river-ai", "RiverAI"), ("people/alice", "Alice"), ("people/bob", "Bob")):
        call(app, "put", slug=slug, content=f"# {title}\n")
    call(app, "put", slug="people/carol", content="# Carol\n")
    call(app, "put", slug="people/dora", content="# Dora\n")
    ends = {"from": "people/alice", "to": "companies/river-ai"}
    call(app, "link", **ends, relationship="works_at", valid_from="2024-01-15")
    call(app, "assert", subject="Bob", predicate="works_at", object="RiverAI", valid_from="2025-01-01")
    call(app, "assert", subject="Carol", predicate="employed_by", object="RiverAI", valid_until="2025-06-01")
    return app


def people(app: App, **values: Any) -> list[str]:
    return sorted(each["subject"] for each in call(app, "facts", **values)["facts"])


def test_facts_know_typed_links(river: App) -> None:
    asked = {"predicate": "works_at", "object": "companies/river-ai"}
    assert people(river, **asked) == ["Bob", "people/alice"]
    assert people(river, **asked, at="2024-06-01") == ["Carol", "people/alice"]
    assert people(river, **asked, temporal="historical") == ["Carol"]
    (fact,) = call(river, "facts", subject="Alice")["facts"]
    assert (fact["link"], fact["object"], "id" in fact) == (1, "companies/river-ai", False)


def test_a_relation_that_both_state_is_listed_once(river: App) -> None:
    call(river, "assert", subject="Alice", predicate="works_at", object="RiverAI", valid_from="2024-01-15")
    assert people(river, predicate="works_at") == ["Alice", "Bob"]
    assert len(call(river, "backlinks", slug="companies/river-ai")["links"]) == 2
    assert len(call(river, "graph", slug="companies/river-ai")["edges"]) == 2


def test_backlinks_links_graph_and_path_know_assertions(river: App) -> None:
    found = call(river, "backlinks", slug="companies/river-ai", relationship="works_at")["links"]
    assert [(each["from"], each["source"]) for each in found] == [
        ("people/alice", "frontmatter"),
        ("people/bob", "assertion"),
    ]
    assert [each["to"] for each in call(river, "links", slug="people/bob")["links"]] == ["companies/river-ai"]
    edges = call(river, "graph", slug="people/bob", depth=2)["edges"]
    assert {(each["from"], each["relationship"]) for each in edges} == {
        ("people/alice", "works_at"),
        ("people/bob", "works_at"),
    }
    way = call(river, "path", **{"from": "people/alice", "to": "people/bob"})
    assert [each["slug"] for each in way["pages"]] == ["people/alice", "companies/river-ai", "people/bob"]
    assert way["links"][1]["fact"] == 1


def test_what_is_asserted_is_no_orphan(river: App) -> None:
    assert [each["slug"] for each in call(river, "orphans")["orphans"]] == ["people/dora"]


def test_nothing_is_in_the_graph_before_it_was(river: App) -> None:
    call(river, "put", slug="people/dora", content="# Dora\n\nShe knows [[people/alice]].\n")
    then = call(river, "graph", slug="people/alice", at="2024-06-01", depth=1)["nodes"]
    assert [each["slug"] for each in then] == [
        "people/alice",
        "companies/river-ai",
    ]
    assert call(river, "graph", slug="people/bob", at="2024-06-01")["edges"] == []
    assert len(call(river, "graph", slug="people/alice", depth=1)["nodes"]) == 3
    assert call(river, "backlinks", slug="people/alice", at="2025-01-01")["links"] == []


def test_values_of_fields_are_no_relations(app: App) -> None:
    call(app, "put", slug="open", content="# Open\n")
    call(app, "put", slug="tasks/roof", content="---\nstatus: open\n---\n# Roof\n")
    assert call(app, "backlinks", slug="open")["links"] == []


def test_a_removed_page_asserts_nothing(river: App) -> None:
    call(river, "rm", slug="people/bob")
    assert len(call(river, "backlinks", slug="companies/river-ai")["links"]) == 1

"""A removed page is nowhere, until it is restored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quaid import operations
from quaid.app import App
from quaid.errors import InvalidInput, NotFound
from quaid.operations.arguments import parameters
from tests.support import call, dump, found, leads_to, quick

REMOVED = """---
title: Hidden Walrus
aliases: [Odobenus]
tags: [secret, shared]
links: [{to: other, relationship: knows}]
assertions: [{subject: Walrus, predicate: eats, object: Clams}]
---
Tusks. [[other]]

---

- 2024-01-01 — Swam
"""

# Further arguments that an operation needs besides the page.
MORE: dict[str, dict[str, Any]] = {
    "put": {"frontmatter": {"mood": "good"}},
    "mv": {"to": "elsewhere"},
    "recode": {"from": "utf-8"},
    "tag": {"tag": "x"},
    "untag": {"tag": "secret"},
    "timeline-add": {"date": "2025-01-01", "summary": "x"},
    "link": {"to": "other"},
    "unlink": {"to": "other"},
    "raw": {},
    "path": {"to": "other"},
    "gaps resolve": {"gap_id": 1},
}
ON_PAGES = [
    each.name
    for each in operations.operations()
    if any(p.name in ("slug", "from") and p.required for p in parameters(each.arguments))
    and each.name not in ("new", "restore", "collection quarantine restore")
] + ["tags"]


@pytest.fixture
def hidden(app: App) -> App:
    """`zoo/walrus` is removed; `other` links to it."""
    call(app, "put", slug="other", content="---\ntags: [shared]\n---\n[[zoo/walrus]] [[Odobenus]]\n")
    call(app, "put", slug="zoo/walrus", content=REMOVED)
    call(app, "raw", slug="zoo/walrus", source="s", data=1)
    assert leads_to(app, "other") == ["zoo/walrus", "zoo/walrus"]
    assert call(app, "stats")["counts"]["pages"] == 2
    call(app, "rm", slug="zoo/walrus")
    return app


def test_the_operations_above_are_those_that_take_a_page() -> None:
    assert {"get", "put", "rm", "mv", "links", "backlinks", "timeline", "raw", "link"} <= set(ON_PAGES)
    assert len(ON_PAGES) >= 14


@pytest.mark.parametrize("name", ON_PAGES)
def test_no_operation_finds_it(hidden: App, db: Path, name: str) -> None:
    operation = operations.operation(name)
    key = "slug" if any(p.name == "slug" for p in parameters(operation.arguments)) else "from"
    before = dump(db)
    refusal = (NotFound, InvalidInput) if name == "put" else NotFound  # put takes a slug, not a name
    for reference in ("zoo/walrus", "walrus", "Hidden Walrus", "Odobenus", "default::zoo/walrus"):
        with pytest.raises(refusal) as caught:
            call(hidden, name, **{key: reference}, **MORE.get(name, {}))
        shown = caught.value.message + caught.value.hint
        assert "Tusks" not in shown, reference
        assert reference.endswith("zoo/walrus") or "zoo/walrus" not in shown
        assert dump(db) == before, reference


def test_its_links_cannot_be_closed(hidden: App) -> None:
    shown = {link["id"] for link in call(hidden, "links", slug="other")["links"]}
    its_own = {link_id for (link_id,) in hidden.connection.execute("SELECT id FROM links")} - shown
    assert its_own
    for link_id in its_own:
        with pytest.raises(NotFound):
            call(hidden, "link-close", link_id=link_id, valid_until="2025-01-01")


def test_it_is_in_no_list(hidden: App) -> None:
    for filters in (
        {},
        {"type": "concept"},
        {"tag": "shared"},
        {"wing": "concepts"},
        {"since": "2020-01-01"},
    ):
        assert [page["slug"] for page in call(hidden, "list", **filters)["pages"]] == ["other"]
    assert call(hidden, "list", tag="secret")["pages"] == []
    for sort in ("updated", "created", "title", "slug"):
        assert len(call(hidden, "list", sort=sort)["pages"]) == 1


@pytest.mark.parametrize("query", ["walrus", "tusks", "odobenus", "secret", "swam", "zoo", "hidden", "wal*"])
def test_no_search_finds_it(hidden: App, query: str) -> None:
    assert found(hidden, query, limit=100) in ([], ["other"])
    assert found(hidden, query, tag="secret") == []


def test_no_link_comes_from_it_or_leads_to_it(hidden: App) -> None:
    assert call(hidden, "backlinks", slug="other", temporal="all")["links"] == []
    assert leads_to(hidden, "other") == ["", ""]


def test_nothing_counts_it(hidden: App) -> None:
    assert call(hidden, "tags")["counts"] == {"shared": 1}
    stats = call(hidden, "stats")
    counts = {name: n for name, n in stats["counts"].items() if n}
    assert counts == {"pages": 1, "removed": 1, "links": 2, "unresolved_links": 2, "tags": 1, "chunks": 1}
    assert stats["types"] == {"concept": 1}
    assert stats["collections"] == {"default": 1}


def test_the_shell_does_not_complete_it(hidden: App, db: Path) -> None:
    assert quick("complete", "--", "get", "zo", db=None).out == ""
    assert "zoo" not in quick("complete", "--", "get", "--db", str(db), "").out
    assert "secret" not in quick("complete", "--", "list", "--db", str(db), "--tag", "").out
    assert quick("complete", "--", "list", "--db", str(db), "--tag", "").out == "shared\n"


def test_another_page_may_take_its_place(hidden: App) -> None:
    assert call(hidden, "new", type="concept", slug="zoo/walrus")["created"] is True
    assert leads_to(hidden, "other") == ["zoo/walrus", ""]


def test_it_can_be_listed_and_restored_with_everything(hidden: App) -> None:
    removed = call(hidden, "list", removed=True)["removed"]
    assert [(page["slug"], page["title"]) for page in removed] == [("zoo/walrus", "Hidden Walrus")]
    call(hidden, "restore", slug="zoo/walrus")
    assert call(hidden, "get", slug="Odobenus")["content"] == REMOVED
    assert leads_to(hidden, "other") == ["zoo/walrus", "zoo/walrus"]
    assert leads_to(hidden, "zoo/walrus") == ["other", "other"]
    assert call(hidden, "tags")["counts"] == {"shared": 2, "secret": 1}
    assert call(hidden, "raw", slug="zoo/walrus")["sources"][0]["data"] == 1
    assert found(hidden, "tusks") == ["zoo/walrus"]
    assert call(hidden, "list", removed=True)["removed"] == []
    assert not call(hidden, "validate", all=True)["findings"]

"""No write skips the version check, whichever operation it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quaid import operations
from quaid.app import App
from quaid.errors import Conflict, InvalidInput
from quaid.operations.arguments import parameters
from tests.support import call, dump, quick, tool, version_of

TEXT = """---
tags: [x]
links: [{to: b, relationship: knows, valid_from: 2024-01-01}]
assertions: [{subject: a, predicate: was, object: z}]
---
The truth.

---

- 2024-01-01 — First
"""

# Every operation that changes a page, with arguments that do change this one, and the name of its version.
WRITES: dict[str, tuple[str, dict[str, Any]]] = {
    "put": ("expected_version", {"slug": "a", "content": "Other\n"}),
    "put truth": ("expected_version", {"slug": "a", "compiled_truth": "Other\n"}),
    "put timeline": ("expected_version", {"slug": "a", "timeline_append": "- 2025-01-01 — Second\n"}),
    "put frontmatter": ("expected_version", {"slug": "a", "frontmatter": {"mood": "good"}}),
    "put assertions": (
        "expected_version",
        {"slug": "a", "assertions": [{"subject": "A", "predicate": "is", "object": "B"}]},
    ),
    "rm": ("page_version", {"slug": "a"}),
    "revert": ("page_version", {"slug": "a", "to": 1}),
    "recode": ("page_version", {"slug": "a", "from": "utf-8", "to": "utf-16-le-bom"}),
    "mv": ("page_version", {"slug": "a", "to": "c"}),
    "tag": ("page_version", {"slug": "a", "tag": "new"}),
    "tag remove": ("page_version", {"slug": "a", "tag": "x", "remove": True}),
    "untag": ("page_version", {"slug": "a", "tag": "x"}),
    "timeline-add": ("page_version", {"slug": "a", "date": "2025-01-01", "summary": "Second"}),
    "link": ("page_version", {"from": "a", "to": "c"}),
    "link-close": ("page_version", {"link_id": 1, "valid_until": "2025-01-01"}),
    "unlink": ("page_version", {"from": "a", "to": "b"}),
    "raw": ("page_version", {"slug": "a", "source": "s", "data": {"k": 1}}),
    "assert": ("page_version", {"subject": "a", "predicate": "is", "object": "b"}),
    "retract": ("page_version", {"id": 1}),
    "supersede": ("page_version", {"id": 1, "object": "x"}),
}
# The same where nothing would change: a stale version is a conflict all the same.
IDLE: dict[str, tuple[str, dict[str, Any]]] = {
    "put": ("expected_version", {"slug": "a", "content": TEXT + "\n"}),
    "mv": ("page_version", {"slug": "a", "to": "a"}),
    "tag": ("page_version", {"slug": "a", "tag": "x"}),
    "untag": ("page_version", {"slug": "a", "tag": "never"}),
    "timeline-add": ("page_version", {"slug": "a", "date": "2024-01-01", "summary": "First"}),
    "link": ("page_version", {"from": "a", "to": "b", "relationship": "knows", "valid_from": "2024-01-01"}),
}
CASES = [pytest.param(*case, name.split()[0], id=name) for name, case in WRITES.items()]
IDLE_CASES = [pytest.param(*case, name, id=name) for name, case in IDLE.items()]


@pytest.fixture
def page(app: App) -> App:
    """Page `a` at version 2; its link to `b` has the id 1."""
    call(app, "put", slug="a", content=TEXT)
    call(app, "put", slug="a", content=TEXT + "\n")
    call(app, "put", slug="b", content="B\n")
    assert [link["id"] for link in call(app, "links", slug="a")["links"]] == [1]
    return app


def test_no_operation_that_writes_pages_is_forgotten() -> None:
    memory_wide = {
        "new",
        "restore",
        "ingest",
        "remember",  # what is added is added to what is there: nothing can be overwritten
        "daily-log",
        "notebook write",  # what it replaces needs an etag
        "notebook migrate",
        "context approve",  # an order is known by its words: what has changed is another one
        "context reject",
        "conversations index",
        "conversations embed",
        "conversations forget",
        "import",
        "export",
        "collection add",
        "collection sync",
        "collection rename",
        "collection remove",
        "collection ignore",
        "collection quarantine restore",
        "collection quarantine export",
        "collection quarantine discard",
        "rebuild",
        "forget",  # takes versions of its own, see test_forget
        "validate",
        "check",  # takes the version of the page that it changes, see test_check
        "kb remember",  # takes an etag, see tests/operations/test_kb
        "kb capture",
        "collection move",
        "sync",
        "sync init",
        "conflicts merge-copies",
        "conflicts resolve",
        "gap",
        "gaps approve",
        "gaps resolve",
        "compact",
        "config set",
        "embed",
        "engine sync",
        "model use",
        "model remove",
    }
    writing = {each.name for each in operations.tools() if each.effect != "read"} - memory_wide
    assert {name.split()[0] for name in WRITES} == writing


@pytest.mark.parametrize(("argument", "values", "name"), CASES + IDLE_CASES)
def test_a_stale_version_is_a_conflict_and_changes_nothing(
    page: App, db: Path, name: str, argument: str, values: dict[str, Any]
) -> None:
    before = dump(db)
    for stale in (0, 1, 3, 999_999):
        with pytest.raises(Conflict) as caught:
            tool(page, name, **values, **{argument: stale})
        assert caught.value.as_dict()["current_version"] == 2, stale
        assert dump(db) == before, stale


@pytest.mark.parametrize(("argument", "values", "name"), CASES)
def test_the_current_version_is_accepted_and_raised(
    page: App, name: str, argument: str, values: dict[str, Any]
) -> None:
    answer = tool(page, name, **values, **{argument: 2})
    assert answer["version"] == 3
    if name != "rm":
        assert version_of(page, answer["slug"]) == 3


@pytest.mark.parametrize(("argument", "values", "name"), CASES)
def test_a_program_must_name_the_version_and_a_person_need_not(
    page: App, db: Path, name: str, argument: str, values: dict[str, Any]
) -> None:
    before = dump(db)
    with pytest.raises(InvalidInput, match=argument):
        tool(page, name, **values)
    assert dump(db) == before
    assert call(page, name, **values)["version"] == 3


def test_reading_raw_data_needs_no_version(page: App) -> None:
    assert tool(page, "raw", slug="a")["sources"] == []


@pytest.mark.parametrize("value", [-1, 1.5, "two", True, None, [2, 3], 2**63, 10**400])
def test_a_version_is_a_whole_number(page: App, db: Path, value: Any) -> None:
    before = dump(db)
    with pytest.raises(InvalidInput):
        tool(page, "put", slug="a", content="x", expected_version=value)
    assert dump(db) == before


def test_a_new_page_is_expected_not_to_be_there(page: App) -> None:
    assert tool(page, "put", slug="new", content="x", expected_version=0)["version"] == 1
    with pytest.raises(Conflict) as caught:
        tool(page, "put", slug="other", content="x", expected_version=1)
    assert caught.value.data["current_version"] == 0


def test_new_does_not_overwrite(page: App, db: Path) -> None:
    before = dump(db)
    with pytest.raises(Conflict):
        tool(page, "new", type="person", slug="a")
    assert dump(db) == before


def test_on_the_command_line(page: App, db: Path) -> None:
    ran = quick("put", "a", "--expected-version", "1", "--json", input="x", db=db)
    assert (ran.status, ran.error["code"], ran.error["current_version"]) == (4, "conflict", 2)
    assert quick("put", "a", "--expected-version", "2", input="x", db=db).status == 0
    assert quick("put", "a", input="y", db=db).status == 0
    assert quick("tag", "a", "new", "--page-version", "1", db=db).status == 4


def test_the_version_is_described_as_required_for_programs() -> None:
    for name, (argument, _) in WRITES.items():
        operation = operations.operation(name.split()[0])
        known = {each.name: each for each in parameters(operation.arguments)}
        assert known[argument].facts.for_tools
        assert not known[argument].required

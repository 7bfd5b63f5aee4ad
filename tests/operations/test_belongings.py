"""Tags, timelines, raw data: what belongs to a page is in its text or kept beside it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound
from tests.support import call, examples, found, tolerating, version_of

TEXT = "---\n# mine\ntags: [one]\n---\nThe truth.\n"


@pytest.fixture
def page(app: App) -> App:
    call(app, "put", slug="a", content=TEXT)
    return app


def text(app: App, slug: str = "a") -> str:
    return str(call(app, "get", slug=slug)["content"])


# Tags ---------------------------------------------------------------------------------------------


def test_a_tag_is_written_into_the_text(page: App) -> None:
    assert call(page, "tag", slug="a", tag="#two") == {"slug": "a", "version": 2, "tags": ["one", "two"]}
    assert text(page) == "---\n# mine\ntags: [one, two]\n---\nThe truth.\n"
    call(page, "put", slug="a", content=text(page) + "More.\n")
    assert call(page, "tags", slug="a")["tags"] == ["one", "two"]
    call(page, "put", slug="a", content="Without\n")
    assert call(page, "tags", slug="a")["tags"] == []


def test_a_tag_is_there_once(page: App) -> None:
    assert call(page, "tag", slug="a", tag="ONE")["version"] == 1
    assert text(page) == TEXT
    assert call(page, "untag", slug="a", tag="never")["version"] == 1


def test_a_tag_can_be_taken_away(page: App) -> None:
    call(page, "tag", slug="a", tag="two")
    assert call(page, "untag", slug="a", tag="ONE")["tags"] == ["two"]
    assert call(page, "tag", slug="a", tag="two", remove=True)["tags"] == []
    assert found(page, "two") == []


def test_tags_are_counted(page: App) -> None:
    call(page, "put", slug="b", content="---\ntags: one, three\n---\n")
    assert call(page, "tags")["counts"] == {"one": 2, "three": 1}


@pytest.mark.parametrize("tag", ["", " ", "#", "a,b"])
def test_what_is_no_tag(page: App, tag: str) -> None:
    with pytest.raises(InvalidInput):
        call(page, "tag", slug="a", tag=tag)
    assert version_of(page, "a") == 1


@examples(25, 300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tag=st.text(max_size=12)
    | st.sampled_from(["null", "true", "3", "- x", "a: b", "[x", "#'\"", "é 学", "~", "1e3"])
)
def test_any_tag_that_is_accepted_is_there_and_can_go(app: App, tag: str) -> None:
    call(app, "put", slug="a", content=TEXT)
    try:
        tags = call(app, "tag", slug="a", tag=tag)["tags"]
    except InvalidInput:
        return
    assert len(tags) == (1 if tag.strip().lstrip("#").strip().casefold() == "one" else 2)
    assert text(app).endswith("---\nThe truth.\n")
    call(app, "untag", slug="a", tag=tag)
    assert len(call(app, "tags", slug="a")["tags"]) < len(tags)
    assert not call(app, "validate", all=True)["findings"]


# Timeline -----------------------------------------------------------------------------------------


def test_an_entry_is_in_the_text_the_timeline_and_the_search(page: App) -> None:
    values = {
        "date": "2026-04-14",
        "summary": "Saw a narwhal",
        "source": "meeting/1",
        "detail": "At sea.\nFar out.",
    }
    assert call(page, "timeline-add", slug="a", **values) == {"slug": "a", "version": 2, "added": True}
    assert "2026-04-14" in text(page)
    assert "Saw a narwhal" in text(page)
    assert text(page).startswith(TEXT)
    assert call(page, "timeline", slug="a")["entries"] == [values]
    assert found(page, "narwhal") == ["a"]
    assert found(page, "far out") == ["a"]


def test_an_entry_is_added_once(page: App) -> None:
    for day, added in [
        ("2026-04-14", True),
        ("2026-04-14", False),
        ("2026-04-15", True),
        ("2026-04-14", False),
    ]:
        assert call(page, "timeline-add", slug="a", date=day, summary=" Same ")["added"] is added
    assert text(page).count("Same") == 2
    assert version_of(page, "a") == 3


def test_an_entry_that_a_person_wrote_is_not_added_again(page: App) -> None:
    call(page, "put", slug="a", content="x\n\n---\n\n- **2026-04-14** | meeting — Met\n")
    assert call(page, "timeline-add", slug="a", date="2026-04-14", summary="Met")["added"] is False


def test_entries_come_newest_first(page: App) -> None:
    for day in ("2024-05-01", "2026-01-01", "2025-12-31"):
        call(page, "timeline-add", slug="a", date=day, summary=f"On {day}")
    days = [entry["date"] for entry in call(page, "timeline", slug="a")["entries"]]
    assert days == ["2026-01-01", "2025-12-31", "2024-05-01"]
    assert len(call(page, "timeline", slug="a", limit=2)["entries"]) == 2


@pytest.mark.parametrize(
    "values",
    [
        {"date": "soon", "summary": "x"},
        {"date": "2026-02-30", "summary": "x"},
        {"date": "2026-04-14", "summary": "  "},
    ],
)
def test_what_is_no_entry(page: App, values: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        call(page, "timeline-add", slug="a", **values)
    assert text(page) == TEXT


@examples(30, 400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    start=st.sampled_from(
        ["x\n", TEXT, "```\nopen\n", "x\n\n---\n\n- 2024-01-01 — Old\r\n", "", "---\n", "<!-- x\n"]
    ),
    summary=st.text(max_size=20)
    | st.sampled_from(["---", "```", "- 2024-01-01 — x", "a — b | c", "**x**", "[[a]]"]),
    source=st.none() | st.text(max_size=8),
    detail=st.none()
    | st.text(max_size=20)
    | st.sampled_from(["```\nopen", "- 2025-01-01 — y", "---\n", "\n\nx"]),
)
def test_an_accepted_entry_is_there_once_and_nothing_is_lost(
    app: App, start: str, summary: str, source: str | None, detail: str | None
) -> None:
    if not start:
        start = "y"
    call(app, "put", slug="a", content=start)
    before = [(e["date"], e["summary"]) for e in call(app, "timeline", slug="a")["entries"]]
    values = {"slug": "a", "date": "2026-04-14", "summary": summary, "source": source, "detail": detail}
    added = False
    with tolerating("invalid_input"):
        added = call(app, "timeline-add", **values)["added"]
    if not added:
        assert text(app) == start
        return
    after = [(e["date"], e["summary"]) for e in call(app, "timeline", slug="a")["entries"]]
    assert set(before) < set(after)
    assert len(after) == len(before) + 1
    assert call(app, "timeline-add", **values)["added"] is False
    assert not call(app, "validate", all=True)["findings"]


# Raw data -----------------------------------------------------------------------------------------


def test_raw_data_is_kept_by_source(page: App) -> None:
    call(page, "raw", slug="a", source="one", data={"k": [1, 2.5, None, "学"]})
    answer = call(page, "raw", slug="a", source="two", data=False)
    assert answer["version"] == 3
    call(page, "raw", slug="a", source="one", data=[])
    sources = {each["source"]: each["data"] for each in call(page, "raw", slug="a")["sources"]}
    assert sources == {"one": [], "two": False}
    assert call(page, "raw", slug="a", source="two")["sources"][0]["data"] is False
    with pytest.raises(NotFound):
        call(page, "raw", slug="a", source="three")


@pytest.mark.parametrize(
    "data", [float("nan"), float("inf"), {"k": [float("-inf")]}, "\ud800", {"\udc00": 1}]
)
def test_what_is_not_json_is_refused(page: App, data: Any) -> None:
    with pytest.raises(InvalidInput):
        call(page, "raw", slug="a", source="s", data=data)
    assert version_of(page, "a") == 1


def test_raw_data_needs_a_source(page: App) -> None:
    for source in (None, "", " "):
        with pytest.raises(InvalidInput):
            call(page, "raw", slug="a", source=source, data=1)


# Assertions ---------------------------------------------------------------------------------------


def test_assertions_are_written_into_the_text(page: App) -> None:
    claim = {
        "subject": "Alice",
        "predicate": "founded",
        "object": "RiverAI",
        "valid_from": "2024-01-15",
        "confidence": 0.9,
    }
    call(page, "put", slug="a", assertions=[claim])
    assert call(page, "get", slug="a")["frontmatter"]["assertions"] == [claim]
    assert call(page, "stats")["counts"]["assertions"] == 1
    rows = list(
        page.connection.execute("SELECT subject, predicate, object, valid_from, confidence FROM assertions")
    )
    assert rows == [("Alice", "founded", "RiverAI", "2024-01-15", 0.9)]


@pytest.mark.parametrize(
    "claim",
    [
        {},
        {"subject": "A", "predicate": "is"},
        {"subject": "A", "predicate": "is", "object": "B", "confidence": 2},
        {"subject": "A", "predicate": "is", "object": "B", "confidence": float("nan")},
        {"subject": "A", "predicate": "is", "object": "B", "asserted_by": "rumour"},
        {"subject": "A", "predicate": "is", "object": "B", "valid_from": "2025", "valid_until": "2024"},
    ],
)
def test_what_is_no_assertion(page: App, claim: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        call(page, "put", slug="a", assertions=[claim])
    assert text(page) == TEXT


def test_a_write_of_nothing_is_refused(app: App) -> None:
    call(app, "put", slug="a", content="A\n")
    with pytest.raises(InvalidInput, match="nothing to write"):
        call(app, "put", slug="a")


def test_a_page_can_be_made_of_parts(app: App) -> None:
    parts = {
        "compiled_truth": "# A\n\nTrue.\n",
        "frontmatter": {"tags": ["x"]},
        "timeline_append": "- 2026-01-02 — Began",
    }
    assert call(app, "put", slug="a", expected_version=0, **parts)["created"]
    page = call(app, "get", slug="a")
    assert (page["title"], page["tags"]) == ("A", ["x"])
    assert call(app, "timeline", slug="a")["entries"] == [{"date": "2026-01-02", "summary": "Began"}]
    with pytest.raises(Conflict):
        call(app, "put", slug="a", expected_version=0, **parts)
    with pytest.raises(NotFound):
        call(app, "put", slug="b", expected_version=3, **parts)

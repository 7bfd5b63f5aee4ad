"""Pages as JSON Lines."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid.foreign.importers.jsonl import JsonLines, line_of
from quaid.formats.content import read_page
from quaid.formats.encoding import ODD
from tests.foreign.importers.support import drafts, refusals

FILE = "pages.jsonl"


def test_content_is_taken_as_it_is() -> None:
    found = drafts(JsonLines, {FILE: '{"slug": "a/b", "content": "x\\r\\n", "raw": {"s": {"k": 1}}}\n\n'})
    assert found["a/b.md"].text == "x\r\n"
    assert found["a/b.md"].raw == {"s": {"k": 1}}


def test_parts_are_put_together() -> None:
    line = {
        "slug": "people/alice",
        "title": "Alice: A",
        "type": "person",
        "tags": ["founder"],
        "compiled_truth": "Knows [[bob]].",
        "timeline": [
            {"date": "2024-01-15", "summary": "Met", "source": "mail", "detail": "At noon"},
            "- **2024-02-01** | call — Rang",
        ],
        "frontmatter": {"born": "1990-01-02", "n": None},
        "links": [{"to": "acme", "relationship": "works_at", "valid_from": "2024-01-01"}],
        "assertions": [{"subject": "alice", "predicate": "is", "object": "ceo"}],
    }
    page = read_page(drafts(JsonLines, {FILE: json.dumps(line)})["people/alice.md"].text, "people/alice")
    assert (page.title, page.type, page.tags, page.problems) == ("Alice: A", "person", ("founder",), ())
    assert page.truth.strip() == "Knows [[bob]]."
    assert [(e.date, e.source, e.summary, e.detail) for e in page.entries] == [
        ("2024-01-15", "mail", "Met", "At noon"),
        ("2024-02-01", "call", "Rang", ""),
    ]
    assert [(each.target, each.relationship) for each in page.references] == [
        ("acme", "works_at"),
        ("bob", "mentions"),
    ]
    assert [(each.subject, each.object) for each in page.claims] == [("alice", "ceo")]
    assert page.frontmatter["born"] == "1990-01-02"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not an object"),
        ('{"slug": "a"}', "no content"),
        ('{"content": "x"}', "no slug"),
        ('{"slug": 7, "content": "x"}', "slug must be text"),
        ('{"slug": "a", "content": "x", "raw": []}', "raw must be an object"),
        ('{"slug": "a", "content": "x", "raw": {"s": NaN}}', "not JSON"),
        ('{"slug": "ok", "content": "again"}', "twice"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_goes_on(line: str, reason: str) -> None:
    data = f'{{"slug": "ok", "content": "1"}}\n{line}\n{{"slug": "ok2", "content": "2"}}'
    (refusal,) = refusals(JsonLines([FILE]), FILE, data)
    assert refusal.path == f"{FILE}, line 2"
    assert reason in refusal.reason
    assert list(drafts(JsonLines, {FILE: data})) == ["ok.md", "ok2.md"]


@example(f"an odd byte: {chr(ODD + 255)}", {})
@given(st.text(), st.dictionaries(st.text(min_size=1), st.none() | st.integers() | st.text(), max_size=3))
def test_what_is_written_is_read_again(text: str, raw: dict[str, Any]) -> None:
    line = line_of({"slug": "a", "path": "A ä.md", "content": text, "raw": raw, "encoding": None})
    assert line.count(b"\n") == 1
    found = drafts(JsonLines, {FILE: line})["A ä.md"]
    assert (found.text, dict(found.raw)) == (text, raw)

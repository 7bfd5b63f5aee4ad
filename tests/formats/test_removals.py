"""Entries and assertions are taken out of a text, and all else stays to the character."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.formats.content import read_page
from quaid.formats.format import page_format
from quaid.model.page import Format, TimelineEntry

MARKDOWN = "---\ntitle: A\n---\n# A\n\nText.\n\n---\n\n## Timeline\n\n"
ORG = "#+title: A\n\nText.\n\n* Timeline\n"
FORMATS: list[Format] = ["markdown", "org"]

words = st.text("abc é学-", min_size=1, max_size=12).map(lambda text: "x" + text.strip())
entries = st.builds(
    TimelineEntry,
    date=st.dates().map(lambda day: day.isoformat()),
    summary=words,
    source=st.sampled_from(["", "meeting/1", "crm"]),
    detail=st.sampled_from(["", "more", "one\n\ntwo", "- a\n  - b"]),
)
LINES = """\
- 2024-01-01 — a
- **2024-01-02** | s — b
- [2024-01-03 Wed] s — c
  detail

text
```
    code
---
* Head
#+begin_src
#+end_src
<!--
- other
"""
lines = st.sampled_from(LINES.split("\n"))


def key(entry: TimelineEntry) -> tuple[str, ...]:
    return entry.date, entry.summary, entry.source, entry.detail


@pytest.mark.parametrize("format", FORMATS)
@given(st.data())
def test_what_was_added_can_be_removed(format: Format, data: st.DataObject) -> None:
    edits = page_format(format).editor
    text = ORG if format == "org" else MARKDOWN
    for entry in data.draw(st.lists(entries, max_size=4)):
        text = edits.add_entry(text, entry)
    entry = data.draw(entries)
    added = edits.add_entry(text, entry)
    assume(added != text)
    before = [key(each) for each in read_page(text, "a", format).entries]
    (new,) = [each for each in read_page(added, "a", format).entries if key(each) not in before]
    removed = edits.remove_entry(added, new)
    assert [key(each) for each in read_page(removed, "a", format).entries] == before
    assert edits.remove_entry(removed, new) == removed


@pytest.mark.parametrize("format", FORMATS)
@given(st.lists(lines, max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_of_any_text_only_the_entry_goes(format: Format, rows: list[str], newline: str) -> None:
    text = ((ORG if format == "org" else MARKDOWN) + "\n".join(rows)).replace("\n", newline)
    page = read_page(text, "a", format)
    for entry in page.entries:
        try:
            removed = page_format(format).editor.remove_entry(text, entry)
        except InvalidInput:
            continue
        left = read_page(removed, "a", format)
        assert (left.head, left.truth, left.rule) == (page.head, page.truth, page.rule)
        assert [key(e) for e in left.entries] == [key(e) for e in page.entries if key(e) != key(entry)]
        kept = iter([*text.split("\n"), ""])
        assert all(line in kept for line in removed.split("\n"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- 2024-01-01 — a\n- 2024-01-02 — b\n", "- 2024-01-02 — b\n"),
        ("- 2024-01-01 — a\n  more\n\n  still\n\n- 2024-01-02 — b\n", "- 2024-01-02 — b\n"),
        ("\n- 2024-01-02 — b\n\n- 2024-01-01 — a\n\nAnd text.\n", "\n- 2024-01-02 — b\n\nAnd text.\n"),
        ("- 2024-01-02 — b\n- 2024-01-01 — a\n\n## Head\n", "- 2024-01-02 — b\n\n## Head\n"),
        ("- 2024-01-01 — a\n- 2024-01-02 — b\n- 2024-01-01 — a", "- 2024-01-02 — b\n"),
    ],
)
def test_gaps_close(text: str, expected: str) -> None:
    page = "x\n\n---\n" + text
    for entry in read_page(page, "a").entries:
        if entry.summary == "a":
            page = page_format("markdown").editor.remove_entry(page, entry)
    assert page == "x\n\n---\n" + expected


@pytest.mark.parametrize(
    ("format", "text", "expected"),
    [
        ("markdown", "---\nassertions: {subject: a, predicate: is, object: b}\n---\nx\n", "x\n"),
        (
            "markdown",
            "---\nassertions:\n  # first\n  - {subject: a, predicate: is, object: b}\n"
            "  - {subject: a, predicate: is, object: c} # kept\n---\n",
            "---\nassertions:\n  # first\n  - {subject: a, predicate: is, object: c} # kept\n---\n",
        ),
        ("markdown", "---\nassertions: [no, 1]\n---\n", "---\nassertions: [no, 1]\n---\n"),
        (
            "org",
            "#+assertion: {subject: a, predicate: is, object: b}\n#+assertion: [\n"
            "#+assertion: {subject: a, predicate: is, object: c}\n\nx\n",
            "#+assertion: [\n#+assertion: {subject: a, predicate: is, object: c}\n\nx\n",
        ),
    ],
)
def test_assertions_go(format: Format, text: str, expected: str) -> None:
    claims = [claim for claim in read_page(text, "a", format).claims if claim.object == "b"]
    assert page_format(format).editor.remove_claims(text, claims) == expected
    assert page_format(format).editor.remove_claims(expected, claims) == expected

"""Changes to an org page: the wanted one, and no other."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.formats.content import read_page
from quaid.formats.format import page_format
from quaid.model.interval import Interval
from quaid.model.page import Content, Reference, TimelineEntry
from tests.support import examples

EDITS = page_format("org").editor
ACME = Reference("companies/acme", "works_at", "", "frontmatter", Interval("2024-01-15", None))


def read(text: str) -> Content:
    return read_page(text, "notes/river", "org", "notes/river.org")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "#+filetags: :new:\n"),
        ("text", "#+filetags: :new:\ntext"),
        ("#+title: T\n\ntext\n", "#+title: T\n#+filetags: :new:\n\ntext\n"),
        ("#+title: T", "#+title: T\n#+filetags: :new:\n"),
        (":PROPERTIES:\n:ID: x\n:END:\ntext\n", ":PROPERTIES:\n:ID: x\n:END:\n#+filetags: :new:\ntext\n"),
        ("#+FILETAGS:  :a:b:  \n* H\n", "#+FILETAGS:  :a:b:new:  \n* H\n"),
        ("#+filetags: a b\r\n", "#+filetags: a b new\r\n"),
        ("#+filetags:\n", "#+filetags: :new:\n"),
        ("#+filetags: :New:\n", "#+filetags: :New:\n"),
        (":PROPERTIES:\n:TAGS: new\n:END:\n", ":PROPERTIES:\n:TAGS: new\n:END:\n"),
        ("#+title: T\r\ntext\r\n", "#+title: T\r\n#+filetags: :new:\r\ntext\r\n"),
    ],
)
def test_add_tag(before: str, after: str) -> None:
    assert EDITS.add_tag(before, "new") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#+filetags: :a:old:b:\ntext\n", "#+filetags: :a:b:\ntext\n"),
        ("#+filetags: :a:old:\ntext\n", "#+filetags: :a:\ntext\n"),
        ("#+filetags: old a\ntext\n", "#+filetags: a\ntext\n"),
        ("#+title: T\n#+filetags: :OLD:\ntext\n", "#+title: T\ntext\n"),
        (":PROPERTIES:\n:TAGS: a, old\n:END:\n#+filetags: old\n", ":PROPERTIES:\n:TAGS: a\n:END:\n"),
        ("#+filetags: :older:\n", "#+filetags: :older:\n"),
        ("text :old:\n", "text :old:\n"),
    ],
)
def test_remove_tag(before: str, after: str) -> None:
    assert EDITS.remove_tag(before, "old") == after


@pytest.mark.parametrize("tag", ["two words", "a:b", "a,b"])
def test_a_tag_that_org_cannot_hold_is_refused(tag: str) -> None:
    with pytest.raises(InvalidInput):
        EDITS.add_tag("text\n", tag)


def test_links_are_lines_of_the_head() -> None:
    line = "#+relation: {to: companies/acme, relationship: works_at, valid_from: 2024-01-15}\n"
    text = EDITS.add_link("#+title: T\n\ntext\n", ACME)
    assert text == f"#+title: T\n{line}\ntext\n"
    assert read(text).references == (ACME,)
    closed = EDITS.close_link(text, ACME, "2025-01-01")
    assert closed == text.replace("15}", "15, valid_until: 2025-01-01}")
    ended = Reference("companies/acme", "works_at", "", "frontmatter", Interval("2024-01-15", "2025-01-01"))
    assert read(closed).references == (ended,)
    assert EDITS.remove_links(closed, [ended]) == "#+title: T\n\ntext\n"
    with pytest.raises(InvalidInput):
        EDITS.remove_links(closed, [ACME])


def test_a_link_that_is_only_a_name_can_be_closed() -> None:
    text = EDITS.close_link(
        "#+relation: acme\n", Reference("acme", "related", source="frontmatter"), "2025-01-01"
    )
    assert text == "#+relation: {to: acme, valid_until: 2025-01-01}\n"


def test_assertions() -> None:
    claim = {"subject": "a", "predicate": "b: c", "object": "d", "evidence_text": "one\ntwo, {three}"}
    text = EDITS.append_item("#+title: T\ntext\n", "assertions", claim)
    assert text.startswith("#+title: T\n#+assertion: {subject: a, ")
    assert text.endswith("\ntext\n")
    found = read(text).claims
    assert [(each.predicate, each.evidence) for each in found] == [("b_c", "one two, {three}")]
    again = EDITS.append_item(text, "assertions", claim)
    assert len(read(again).claims) == 2


@pytest.mark.parametrize(
    ("before", "fields", "after"),
    [
        ("#+title: T\n\nx\n", {"title": "New"}, "#+title: New\n\nx\n"),
        ("#+title: a\n#+title: b\nx\n", {"title": "New"}, "#+title: New\nx\n"),
        ("#+title: T\nx\n", {"summary": "Now"}, "#+title: T\n#+summary: Now\nx\n"),
        (":PROPERTIES:\n:SUMMARY: Old\n:END:\n", {"summary": "Now"}, ":PROPERTIES:\n:SUMMARY: Now\n:END:\n"),
        ("#+title: T\nx\n", {"title": None}, "x\n"),
        ("#+title: T\nx\n", {"tags": ["a", "b"]}, "#+title: T\n#+filetags: :a:b:\nx\n"),
        ("#+filetags: :c:\nx\n", {"tags": "a, b"}, "#+filetags: :a:b:\nx\n"),
        ("#+filetags: :c:\nx\n", {"tags": []}, "x\n"),
        (
            ":PROPERTIES:\n:ID: x\n:END:\nx\n",
            {"aliases": ["River AI", "RAI"]},
            ':PROPERTIES:\n:ID: x\n:ROAM_ALIASES: "River AI" RAI\n:END:\nx\n',
        ),
        ("x\n", {"id": "abc"}, ":PROPERTIES:\n:ID: abc\n:END:\nx\n"),
        ("x\n", {"confidence": 3, "checked": True}, "#+confidence: 3\n#+checked: true\nx\n"),
        ("x\n", {"author": ["A", "B"]}, "#+author: A\n#+author: B\nx\n"),
        ("#+relation: a\n#+relation: b\nx\n", {"links": ["c"]}, "#+relation: c\nx\n"),
        ("#+title: T\nx\n", {"title": "T", "other": None}, "#+title: T\nx\n"),
    ],
)
def test_set_fields(before: str, fields: dict[str, Any], after: str) -> None:
    assert EDITS.set_fields(before, fields) == after
    assert EDITS.set_fields(after, fields) == after


@pytest.mark.parametrize(
    "fields",
    [
        {"two words": "x"},
        {"a:b": "x"},
        {"": "x"},
        {"caption": "belongs to a picture"},
        {"begin_src": "x"},
        {"nested": {"a": 1}},
        {"summary": "two\nlines"},
        {"tags": ["a b"]},
    ],
)
def test_fields_that_would_not_be_read_back_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        EDITS.set_fields("#+title: T\n\ntext\n", fields)


NEW = TimelineEntry("2024-01-15", "New")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "* Timeline\n\n- [2024-01-15 Mon] — New\n"),
        ("text", "text\n\n* Timeline\n\n- [2024-01-15 Mon] — New\n"),
        ("* Timeline\n", "* Timeline\n- [2024-01-15 Mon] — New\n"),
        ("* Timeline", "* Timeline\n- [2024-01-15 Mon] — New\n"),
        (
            "* Timeline\n- [2024-03-01 Fri] b\n- [2023-03-01 Wed] a\n",
            "* Timeline\n- [2024-03-01 Fri] b\n- [2024-01-15 Mon] — New\n- [2023-03-01 Wed] a\n",
        ),
        (
            "* Timeline\n- 2023-03-01 — a\n  more\n- 2024-03-01 — b\n",
            "* Timeline\n- 2023-03-01 — a\n  more\n- 2024-01-15 — New\n- 2024-03-01 — b\n",
        ),
        (
            "* Timeline\n+ *2023-03-01* | s — a\n",
            "* Timeline\n+ *2024-01-15* — New\n+ *2023-03-01* | s — a\n",
        ),
        ("* Timeline\n* Later\nx\n", "* Timeline\n- [2024-01-15 Mon] — New\n* Later\nx\n"),
        ("* Timeline\n- [2024-01-15] New\n", "* Timeline\n- [2024-01-15] New\n"),
    ],
)
def test_add_entry(before: str, after: str) -> None:
    assert EDITS.add_entry(before, NEW) == after


def test_an_entry_with_everything() -> None:
    entry = TimelineEntry("2024-01-15", "New — now", "mail: a", "one\n\n- two")
    text = EDITS.add_entry("x\r\n", entry)
    written = "- [2024-01-15 Mon] mail: a — New — now\r\n  one\r\n\r\n  - two\r\n"
    assert text == f"x\r\n\r\n* Timeline\r\n\r\n{written}"
    found = read(text).entries[0]
    assert (found.summary, found.source, found.detail) == ("New — now", "mail: a", "one\n\n- two")


@pytest.mark.parametrize("source", ["a — b", "a|b", "a\nb"])
def test_a_source_that_would_not_be_read_back_is_refused(source: str) -> None:
    with pytest.raises(InvalidInput):
        EDITS.add_entry("x\n", TimelineEntry("2024-01-15", "New", source))


def test_append_timeline() -> None:
    assert EDITS.append_timeline("x\n* Timeline\n- [2024-01-15] a\n* Later\n", "- [2024-01-16] b") == (
        "x\n* Timeline\n- [2024-01-15] a\n- [2024-01-16] b\n* Later\n"
    )
    assert EDITS.append_timeline("x\n", "- [2024-01-16] b\n").endswith("* Timeline\n\n- [2024-01-16] b\n")


def test_replace_truth() -> None:
    text = "#+title: T\n\nold\n* Timeline\n- [2024-01-15] a\n"
    assert EDITS.replace_truth(text, "new\n* H\n") == (
        "#+title: T\n\nnew\n* H\n\n* Timeline\n- [2024-01-15] a\n"
    )
    assert EDITS.replace_truth("#+title: T", "new") == "#+title: T\nnew"
    for broken in ("* Timeline\n", "#+filetags: :x:\ntext\n"):
        with pytest.raises(InvalidInput):
            EDITS.replace_truth("#+title: T\n\nold\n", broken)


# Properties ---------------------------------------------------------------------------------------

LINES = st.sampled_from(
    [
        "",
        ":PROPERTIES:",
        ":END:",
        ":ID: x",
        ":TAGS: a, b",
        "#+title: T",
        "#+filetags: :a:b:",
        "#+filetags: a c",
        "#+relation: {to: a}",
        "#+caption: c",
        "# comment",
        "* Headline",
        "* Timeline",
        "- [2024-01-15 Mon] mail — Text",
        "- 2023-01-15 — Text",
        "  detail",
        "#+begin_src org",
        "#+end_src",
        "prose",
        "\x0c",
    ]
)
PAGES = st.tuples(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda made: made[1].join(made[0]) + (made[1] if made[2] else "")
)


def common(one: str, other: str) -> tuple[int, int]:
    """How much two texts have in common at their beginning and, beyond that, at their end."""
    most = min(len(one), len(other))
    start = next((n for n in range(most) if one[n] != other[n]), most)
    end = next((n for n in range(most - start) if one[-n - 1] != other[-n - 1]), most - start)
    return start, end


@examples(120, 3_000)
@given(PAGES)
def test_a_tag_more_changes_nothing_else(text: str) -> None:
    before = read(text)
    changed = EDITS.add_tag(text, "new")
    after = read(changed)
    assert set(after.tags) == {*before.tags, "new"}
    assert sum(common(text, changed)) == len(text), "one place grew, and nothing went"
    assert (after.entries, after.references) == (before.entries, before.references)
    assert read(EDITS.remove_tag(changed, "new")).tags == before.tags


@examples(120, 3_000)
@given(PAGES)
def test_a_tag_less_changes_nothing_else(text: str) -> None:
    before = read(text)
    changed = EDITS.remove_tag(text, "a")
    after = read(changed)
    assert set(after.tags) == set(before.tags) - {"a"}
    rest = iter(text)
    assert all(char in rest for char in changed), "characters only went"
    assert after.entries == before.entries


@examples(120, 3_000)
@given(PAGES, st.text(max_size=20).filter(str.strip), st.text(alphabet="ab :,{}[]#'\"|", max_size=10))
def test_any_link_is_read_back(text: str, target: str, context: str) -> None:
    target = " ".join(target.split())
    before = read(text)
    link = Reference(target, "knows", " ".join(context.split()), "frontmatter")
    try:
        changed = EDITS.add_link(text, link)
    except InvalidInput:
        assume(False)
    assert sum(common(text, changed)) == len(text)
    after = read(changed)
    if len(after.references) > len(before.references):
        made = [each for each in after.references if each.relationship == "knows"]
        assert EDITS.remove_links(changed, made).rstrip("\r\n") == text.rstrip("\r\n")
    assert (after.entries, after.tags) == (before.entries, before.tags)


WORDS = st.text(alphabet="ab —-|:*[]<>#+中", min_size=1, max_size=10).map(str.strip).filter(bool)


@examples(120, 3_000)
@given(
    PAGES,
    st.dates().map(str),
    WORDS,
    st.just("") | WORDS,
    st.lists(st.sampled_from(["a", "  b", "", "- c", "* d", "#+begin_src x", ":END:"])).map("\n".join),
)
def test_an_entry_more_changes_nothing_else(
    text: str, day: str, summary: str, source: str, detail: str
) -> None:
    before = read(text)
    try:
        changed = EDITS.add_entry(text, TimelineEntry(day, summary, source, detail))
    except InvalidInput:
        assume(False)
    if changed == text:
        assert any((known.date, known.summary) == (day, summary) for known in before.entries)
        return
    assert sum(common(text, changed)) == len(text)
    keys = [(entry.date, entry.summary, entry.source) for entry in read(changed).entries]
    assert sorted(keys) == sorted(
        [*((entry.date, entry.summary, entry.source) for entry in before.entries), (day, summary, source)]
    )


@examples(120, 3_000)
@given(PAGES, st.sampled_from(["title", "summary", "type", "tags", "aliases", "id"]), st.sampled_from("xyz"))
def test_a_field_is_read_back(text: str, key: str, value: str) -> None:
    before = read(text)
    try:
        changed = EDITS.set_fields(text, {key: value})
    except InvalidInput:
        assume(False)
    after = read(changed)
    read_back = {
        "title": after.title,
        "summary": after.summary,
        "type": after.type,
        "tags": ",".join(after.tags),
        "aliases": ",".join(after.aliases),
        "id": after.uuid,
    }
    assert read_back[key] == value
    # A comment between two titles stands below the head when the second one is gone.
    assert after.truth.endswith(before.truth.lstrip())
    assert after.timeline == before.timeline

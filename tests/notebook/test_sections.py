"""Edits of one section leave every other byte of a page as it is."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import Ambiguous, InvalidInput
from quaid.formats.markdown import items, sections
from quaid.formats.markdown.sections import added, appended, appended_to_end, find, replaced

PAGE = """---
tags: [x]  # kept
---
# Shopping

Intro with a [link](x).

## Groceries

- Milk
- Eggs

```md
## Not a section
```

## Hardware
* [ ] Nails
* [x] Glue

Set apart
---------
1. one
2. two
"""


def edited(text: str, name: str, content: str, *, replace: bool = False) -> str:
    section = find(text, name)
    assert section
    return (replaced if replace else appended)(text, section, content)


def test_sections_are_found_outside_code_and_frontmatter() -> None:
    assert [each.title for each in sections.sections(PAGE)] == ["Groceries", "Hardware", "Set apart"]
    assert [each.line for each in sections.sections(PAGE)] == [8, 17, 21]


@pytest.mark.parametrize("name", ["Groceries", "## Groceries", "groceries", " ## Groceries ## "])
def test_names_of_sections(name: str) -> None:
    section = find(PAGE, name)
    assert section
    assert section.title == "Groceries"


def test_a_replaced_section() -> None:
    assert edited(PAGE, "Groceries", "- Bread", replace=True) == PAGE.replace(
        "- Milk\n- Eggs\n\n```md\n## Not a section\n```\n", "- Bread\n"
    )


def test_its_own_heading_is_not_repeated() -> None:
    assert edited(PAGE, "Hardware", "## Hardware\n\n- Screws", replace=True) == edited(
        PAGE, "Hardware", "- Screws", replace=True
    )


@pytest.mark.parametrize(
    ("name", "content", "before", "after"),
    [
        ("Hardware", "- Screws", "* [x] Glue\n", "* [x] Glue\n* [ ] Screws\n"),
        ("Hardware", "Screws\nTape", "* [x] Glue\n", "* [x] Glue\n* [ ] Screws\n* [ ] Tape\n"),
        ("Hardware", "- [x] Screws", "* [x] Glue\n", "* [x] Glue\n* [x] Screws\n"),
        ("Set apart", "- three\n- four", "2. two\n", "2. two\n3. three\n4. four\n"),
        ("Groceries", "Bread", "```\n\n## Hard", "```\n\nBread\n\n## Hard"),
    ],
)
def test_what_is_added_has_the_style_of_the_list(name: str, content: str, before: str, after: str) -> None:
    assert edited(PAGE, name, content) == PAGE.replace(before, after)


@pytest.mark.parametrize(
    ("text", "name", "content", "result"),
    [
        ("## A", "A", "- x", "## A\n\n- x\n"),
        ("## A\n- y", "A", "- x", "## A\n- y\n- x\n"),
        ("## A\n\n## B\n", "A", "- x", "## A\n\n- x\n\n## B\n"),
        ("## A\n## B\n", "A", "- x", "## A\n\n- x\n\n## B\n"),
        ("## A\r\n- y\r\n\r\n## B\r\n", "A", "- x", "## A\r\n- y\r\n- x\r\n\r\n## B\r\n"),
        ("## A\n- y\n  - nested\n", "A", "- x", "## A\n- y\n  - nested\n- x\n"),
        ("## A\n- y\n\n- z\n", "A", "- x", "## A\n- y\n\n- z\n\n- x\n"),
        ("## A\n  - y\n", "A", "- x", "## A\n  - y\n  - x\n"),
        ("## A\n1. y\n1. z\n", "A", "x", "## A\n1. y\n1. z\n1. x\n"),
        ("## A\nSome prose.\n", "A", "More.", "## A\nSome prose.\n\nMore.\n"),
        (
            "## A\n- y\n\n---\n\n- 2024-01-01 — Met\n",
            "A",
            "- x",
            "## A\n- y\n- x\n\n---\n\n- 2024-01-01 — Met\n",
        ),
    ],
)
def test_additions(text: str, name: str, content: str, result: str) -> None:
    assert edited(text, name, content) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", "## N\n\n- x\n"),
        ("# T\n", "# T\n\n## N\n\n- x\n"),
        ("# T", "# T\n\n## N\n\n- x\n"),
        ("## A\ny\n", "## A\ny\n\n## N\n- x\n"),
        ("---\ntitle: T\n---\n", "---\ntitle: T\n---\n\n## N\n\n- x\n"),
        ("Truth.\n\n---\n\n- 2024-01-01 — Met\n", "Truth.\n\n## N\n\n- x\n\n---\n\n- 2024-01-01 — Met\n"),
    ],
)
def test_new_sections(text: str, result: str) -> None:
    assert added(text, "N", "- x") == result


def test_additions_to_a_page() -> None:
    assert appended_to_end("", "x") == "x\n"
    assert appended_to_end("# T\n\n- a\n", "b") == "# T\n\n- a\n- b\n"
    assert appended_to_end("# T\n\nProse\n", "b") == "# T\n\nProse\n\nb\n"


def test_sections_of_the_same_name_are_refused_with_their_lines() -> None:
    with pytest.raises(Ambiguous, match="at lines 1, 3"):
        find("## A\n\n## A\n", "A")
    assert find("## A\n\n## a\n", "a") == sections.sections("## A\n\n## a\n")[1]


@pytest.mark.parametrize("name", ["", "  ", "##", "x" * 300])
def test_names_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        find("## A\n", name)


@pytest.mark.parametrize("content", ["```\nopen", "<!-- open", "## Other\n\nx", "x\n\n# Title"])
@pytest.mark.parametrize("replace", [True, False])
def test_what_would_swallow_or_split_sections_is_refused(content: str, replace: bool) -> None:
    with pytest.raises(InvalidInput, match="other sections"):
        edited("## A\nx\n\n## B\ny\n", "A", content, replace=replace)


KINDS = """## A|## B|## C ##|# Title|### Deep|Setext|------|======|- item|* [ ] task|  - nested|1. one|
text||```|> quote|---|<!-- c -->|    code|- 2024-01-01 — Met"""
LINES = st.sampled_from(KINDS.replace("|\n", "|").split("|"))
TEXTS = st.builds(
    lambda lines, newline, end: newline.join(lines) + (newline if end else ""),
    st.lists(LINES, max_size=14),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
CONTENT = st.lists(st.sampled_from(["- new", "new words", "* [x] new", "", "### Sub", "1. new"]), max_size=4)


@given(TEXTS, st.sampled_from(["A", "Setext"]), TEXTS, CONTENT, st.booleans())
def test_all_other_bytes_stay(above: str, name: str, below: str, lines: list[str], replace: bool) -> None:
    heading = "\n## A\n" if name == "A" else "\n\nSetext\n---\n"
    text = above + heading + below
    try:
        section = find(text, name)
    except Ambiguous:
        return
    if section is None:  # it stands in code
        return
    content = "\n".join(lines)
    try:
        new = edited(text, name, content, replace=replace)
    except InvalidInput:
        return
    assert new.startswith(text[: section.body])
    assert new.endswith(text[section.end :])
    if not replace:
        body = text[section.body : section.end]
        assert new[section.body :].startswith(body.rstrip())
        for line in filter(None, lines):
            assert line.strip("-*# 1.").replace("[x] ", "").strip() in new[section.body :]


@given(TEXTS, CONTENT)
def test_a_new_section_leaves_all_others(text: str, lines: list[str]) -> None:
    try:
        new = added(text, "New", "\n".join(lines))
    except InvalidInput:
        return
    before = sections.sections(text)
    after = sections.sections(new)
    assert [each.title for each in after] == [*(each.title for each in before), "New"]
    for old, now in zip(before, after, strict=False):
        assert text[old.start : old.end].rstrip() == new[now.start : now.end].rstrip()


@given(TEXTS)
def test_an_item_is_ticked_or_taken_out_and_nothing_else(text: str) -> None:
    for item in items.items(text):
        if item.box == " ":
            ticked = items.ticked(text, item)
            assert len(ticked) == len(text)
            assert sum(a != b for a, b in zip(ticked, text, strict=True)) == 1
        rest = items.without(text, item)
        assert rest.startswith(text[: item.start])
        assert text[item.end :].endswith(rest[item.start :])


@given(st.text(alphabet="#-=*` \nab\r\t>1.[]<!x", max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    found = sections.sections(text)
    assert all(each.start < each.body <= each.end <= len(text) for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))

"""Standing orders one by one: what one is, what it means, and what changes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.notebook.orders import lines_of, orders_of, without

PATH = "reference/standing-orders.md"
TEXT = """---
type: note
---
# Standing orders

Rules of the house.

## Never

- Delete mail
- Push to main
  - not even a typo

## Always

Before nine:

- Be quiet
- Reply in
English

## Brief answers
"""
LINES = st.sampled_from(
    [
        "# A",
        "## B",
        "### C",
        "- one",
        "  - two",
        "three",
        "",
        "```",
        "~~~",
        "---",
        "\t- x",
        "1. y",
        "* z",
        "  q",
        "\r",
    ]
)
TEXTS = st.lists(LINES | st.text(max_size=6), max_size=25).map("\n".join)


def test_what_an_order_is() -> None:
    found = [(each.text, each.headings, each.lead, each.line) for each in orders_of(PATH, TEXT)]
    title, never, always = "# Standing orders", "## Never", "## Always"
    assert found == [
        ("Rules of the house.", (title,), "", 6),
        ("- Delete mail", (title, never), "", 10),
        ("- Push to main\n  - not even a typo", (title, never), "", 11),
        ("Before nine:", (title, always), "", 16),
        ("- Be quiet", (title, always), "Before nine:", 18),
        ("- Reply in\nEnglish", (title, always), "Before nine:", 19),
        ("## Brief answers", (title,), "", 22),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("## Never\n- Delete mail\n## Always\n- Reply", "## Never\n- Reply\n## Always\n- Delete mail"),
        ("Never:\n\n- Delete mail", "Always:\n\n- Delete mail"),
        ("- Delete mail", "- Delete mails"),
        ("- Delete mail", "- Delete  mail"),
        ("- Delete mail", "- Delete mail\n  of everybody"),
        ("- Delete mail", "- Delete mail\nof everybody"),
        ("- Delete mail", "- Delete mail\n\n  of everybody"),
        ("- Delete mail", "- Delete mail\u200b of all"),
        ("# Mine\n- Delete mail", "# Yours\n- Delete mail"),
        ("- a\n- Delete mail", "```\n- a\n- Delete mail"),
        ("No:\n- a\n\nYes:\n- b", "No:\n- b\n\nYes:\n- a"),
    ],
)
def test_another_meaning_is_another_order(before: str, after: str) -> None:
    known = {each.key for each in orders_of(PATH, before) if "Delete" in each.text or each.text in "- a- b"}
    changed = [each for each in orders_of(PATH, after) if "Delete" in each.text or each.text in "- a- b"]
    assert changed
    assert not [each for each in changed if each.key in known]


@pytest.mark.parametrize(
    "after", ["- Other\n- Delete mail", "- Delete mail\n\n\n- Other", "- Delete mail  \r\n"]
)
def test_what_stands_beside_it_does_not_change_it(after: str) -> None:
    (order,) = orders_of(PATH, "- Delete mail")
    assert order.key in {each.key for each in orders_of(PATH, after)}


def test_org() -> None:
    found = orders_of("reference/standing-orders.org", "* Never\n- Delete mail\n** Mail\n- Forward\n")
    assert [(each.text, each.headings) for each in found] == [
        ("- Delete mail", ("* Never",)),
        ("- Forward", ("* Never", "** Mail")),
    ]


@given(TEXTS)
def test_every_word_belongs_to_an_order(text: str) -> None:
    found = orders_of(PATH, text)
    lines = text.split("\n")
    covered = {line for each in found for line in (*each.own, *each.around)}
    left = [lines[number] for number in range(len(lines)) if number not in covered]
    assert not [line for line in left if line.strip().strip("-") and not line.startswith("---")] or (
        text.startswith("---")  # frontmatter, which is never shown
    )


@given(TEXTS, st.data())
def test_only_what_is_approved_is_kept(text: str, data: st.DataObject) -> None:
    found = orders_of(PATH, text)
    approved = [each for each in found if data.draw(st.booleans())]
    keys = {each.key for each in approved}
    shown = lines_of(text, approved)
    allowed = {line for each in approved for line in (*each.own, *each.around)}
    lines = text.split("\n")
    assert len(shown.numbers) == (shown.text.count("\n") + 1 if shown.text else len(shown.numbers))
    assert {number - 1 for number in shown.numbers if lines[number - 1].strip()} <= allowed
    rest = without(PATH, text, keys)
    assert not keys & {each.key for each in orders_of(PATH, rest)} or "`" in text or "~" in text


def test_rejecting_takes_out_the_order_and_a_heading_that_is_left_alone() -> None:
    keys = {each.key for each in orders_of(PATH, TEXT) if "Delete" in each.text or "Push" in each.text}
    rest = without(PATH, TEXT, keys)
    assert rest == TEXT.replace("## Never\n\n- Delete mail\n- Push to main\n  - not even a typo\n\n", "")
    one = {each.key for each in orders_of(PATH, TEXT) if "Delete" in each.text}
    assert without(PATH, TEXT, one) == TEXT.replace("- Delete mail\n", "")

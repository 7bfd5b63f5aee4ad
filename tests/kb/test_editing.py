"""Edits of a node's text: what is meant changes, and no other byte."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from quaid.kb import edits
from quaid.kb.likeness import share, words
from quaid.kb.node import parse
from quaid.kb.render import Draft, render
from tests.kb.nodes import alike

ONE = "11111111-1111-4111-8111-111111111111"
TWO = "22222222-2222-4222-8222-222222222222"
LINE = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters=";"), min_size=1, max_size=30)
BODY = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n"), max_size=200)


def node(body: str, title: str = "A title") -> str:
    return render(Draft(ONE, title, "A summary.", body, created="2026-05-24", source="chat"))


@given(BODY, LINE, st.sampled_from(["\n", "\r\n"]))
def test_a_property_changes_and_nothing_else(body: str, value: str, ending: str) -> None:
    text = node(body).replace("\n", ending)
    changed = edits.set_property(text, "SUMMARY", value)
    assert changed == text.replace(":SUMMARY: A summary.", f":SUMMARY: {value}", 1)
    assert parse(changed, "x.org").summary == value
    assert edits.set_property(changed, "SUMMARY", "A summary.") == text


@given(BODY, st.sampled_from(["\n", "\r\n"]))
def test_a_new_property_is_the_last_of_the_drawer(body: str, ending: str) -> None:
    text = node(body).replace("\n", ending)
    changed = edits.set_property(text, "LAST_CURATED", "2026-06-01")
    assert changed == text.replace(":END:", f":LAST_CURATED: 2026-06-01{ending}:END:", 1)


@given(st.text(max_size=300))
@example(":PROPERTIES:\n:ID:\n:END:")
@example("#+title:")
@example(":PROPERTIES:\n:STATUS: x")
def test_any_text_can_be_edited(text: str) -> None:
    edits.set_property(text, "STATUS", "current")
    edits.set_first_property(text, "ID", ONE)
    edits.set_keyword(text, "title", "T")
    edits.set_body(text, "B")
    edits.append(text, "C")
    edits.add_link(text, "RELATES_TO", ONE, "T")
    edits.remove_link(text, "RELATES_TO", ONE)
    assert edits.repoint(text, ONE, TWO) == text.replace(f"id:{ONE}", f"id:{TWO}")


def test_an_empty_value_is_filled() -> None:
    assert edits.set_property(":PROPERTIES:\n:STATUS:\n:END:\n", "STATUS", "current") == (
        ":PROPERTIES:\n:STATUS: current\n:END:\n"
    )
    assert edits.set_keyword("#+title:\n", "title", "T") == "#+title: T\n"


@given(BODY, LINE)
def test_a_link_is_added_once_and_can_be_removed(body: str, title: str) -> None:
    text = node(body)
    linked = edits.add_link(text, "CONTRADICTS", TWO, title)
    assert edits.has_link(linked, "CONTRADICTS", TWO)
    assert edits.add_link(linked, "CONTRADICTS", TWO, title) == linked
    assert not edits.has_link(edits.remove_link(linked, "CONTRADICTS", TWO), "CONTRADICTS", TWO)


def test_links_follow_in_every_spelling() -> None:
    text = f"[[id:{ONE}]] [[id:{ONE}][a [b] c]] [[id:{ONE}::*H][d]] <id:{ONE.upper()}> id:{ONE}0 raw-id:{ONE}"
    assert edits.repoint(text, ONE, TWO) == (
        f"[[id:{TWO}]] [[id:{TWO}][a [b] c]] [[id:{TWO}::*H][d]] <id:{TWO}> id:{ONE}0 raw-id:{ONE}"
    )
    assert edits.without_links_to(f"See [[id:{ONE}][a [b]]] and [[id:{ONE}]].", ONE) == "See a [b] and ."


@given(BODY, BODY)
def test_a_body_is_replaced_below_the_same_head(old: str, new: str) -> None:
    text = node(old)
    head = text[: text.index("#+filetags:")]
    changed = edits.set_body(text, new)
    assert changed.startswith(head)
    assert parse(changed, "x.org").title == "A title"


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_likeness_takes_any_text(title: str, summary: str, body: str) -> None:
    known = parse(node("Some body", "Some title"), "x.org")
    alike(title, summary, body, [known])
    assert 0 <= share(words(title), words(summary)) <= 1


def test_a_node_is_like_itself() -> None:
    known = parse(node("Some body", "Some title"), "x.org")
    assert alike(known.title, known.summary, known.body, [known])[0].kind == "duplicate"
    assert alike(known.title, known.summary, known.body, [known], besides=ONE) == []

"""What is read out of a node, and how a new one is written."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.kb.checks import check_node
from quaid.kb.node import LABELS, TYPES, is_node, parse, slug_of_project
from quaid.kb.render import Draft, file_name, render
from tests.kb.nodes import draft, node, text, uid

TEMPLATE = f"""\
:PROPERTIES:
:ID:       {uid(1)}
:PROJECTS: :general: :emacs: ; two of them
:CREATED: 2026-05-24
:UPDATED: 2026-05-25
:CREATED_BY: claude-code ; claude-code | codex | ollama | human
:CONFIDENCE: user-stated ; user-stated | observed | inferred | external
:VISIBILITY: personal ; personal | work-private
:SOURCE: chat 2026-05-24 ; free-form
:STATUS: current ; current | contested | superseded
:SUMMARY: One; and ; another.
:END:
#+title: Move a [[id:{uid(9)}][repository]]
#+filetags: :procedure:emacs:

Body, SUPERSEDES [[id:{uid(2)}][the old way]] and [[id:{uid(3)}]].
- CONTRADICTS: [[id:{uid(4)}][that]]
- Relates to :: [[id:{uid(5)}][five]], [[id:{uid(6)}][six]]
#+begin_src org
[[id:{uid(7)}][not a link]]
#+end_src
=[[id:{uid(7)}]]= bare id:{uid(8)}
"""


def test_comments_behind_values_are_no_values() -> None:
    found = parse(TEMPLATE, "x.org")
    assert found.projects == ("general", "emacs")
    assert (found.status, found.source, found.updated) == ("current", "chat 2026-05-24", "2026-05-25")
    assert found.properties["CREATED_BY"] == "claude-code"
    assert found.summary == "One; and ; another."
    assert not [each for each in check_node(found) if each.severity == "fatal"]


def test_title_tags_and_type() -> None:
    found = parse(TEMPLATE, "x.org")
    assert (found.title, found.tags, found.type) == ("Move a repository", ("procedure", "emacs"), "procedure")
    assert found.body.startswith("Body, SUPERSEDES")
    assert found.body_line == 16


def test_links_have_labels_and_lines() -> None:
    found = parse(TEMPLATE, "x.org").links
    assert [(link.target[-1], link.label, link.line) for link in found] == [
        ("9", "", 13),
        ("2", "SUPERSEDES", 16),
        ("3", "", 16),
        ("4", "CONTRADICTS", 17),
        ("5", "RELATES_TO", 18),
        ("6", "RELATES_TO", 18),
        ("8", "", 22),
    ]
    assert found[1].description == "the old way"


def test_windows_lines_and_a_mark_in_front_change_nothing() -> None:
    plain = parse(TEMPLATE, "x.org")
    odd = parse("\ufeff" + TEMPLATE.replace("\n", "\r\n"), "x.org")
    assert (odd.properties, odd.title, odd.tags, odd.links) == (
        plain.properties,
        plain.title,
        plain.tags,
        plain.links,
    )


def test_a_headline_with_an_id_is_a_node_within() -> None:
    found = parse(
        text() + f"* TODO [#A] Inner :x:\n:PROPERTIES:\n:ID: {uid(5)}\n:END:\n* Plain\ntext\n", "x.org"
    )
    assert [(each.id, each.title) for each in found.sections] == [(uid(5), "Inner")]


@pytest.mark.parametrize(
    ("directory", "slug"),
    [
        ("~/.emacs.d", "emacs"),
        ("/srv/git/DeepSat.git", "deepsat"),
        ("my_tool/", "my-tool"),
        ("Site.example.org", "site-example-org"),
        ("Größe", "grosse"),
        (r"C:\code\Thing", "thing"),
        ("...", "general"),
    ],
)
def test_the_slug_of_a_project(directory: str, slug: str) -> None:
    assert slug_of_project(directory) == slug


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("20260524120000-a.org", True),
        ("sub/README.org", True),
        ("A.ORG", True),
        ("README.org", False),
        ("AGENT_CONTRACT.org", False),
        ("index.org", False),
        ("index-procedures-2.org", False),
        ("sub/index.org", False),
        ("raw/a.org", False),
        ("sub/raw/a.org", False),
        (".git/a.org", False),
        ("a.md", False),
    ],
)
def test_what_is_a_node(path: str, expected: bool) -> None:
    assert is_node(path) is expected


def test_a_new_node_has_its_properties_in_order() -> None:
    made = render(
        draft(
            1,
            projects=("general", "emacs"),
            tags=("git",),
            body="\nProse.\r\nMore.\n\n",
            relations=(("SUPERSEDES", uid(2), "Old [way]"),),
        )
    )
    assert made == (
        f":PROPERTIES:\n:ID: {uid(1)}\n:PROJECTS: :general: :emacs:\n:CREATED: 2026-05-24\n"
        ":UPDATED: 2026-05-24\n:CREATED_BY: human\n:CONFIDENCE: user-stated\n:VISIBILITY: personal\n"
        ":SOURCE: chat 2026-05-24\n:STATUS: current\n:SUMMARY: What node 1 says.\n:END:\n#+title: Node 1\n"
        f"#+filetags: :principle:git:\n\nProse.\nMore.\n\nSUPERSEDES [[id:{uid(2)}][Old (way)]]\n"
    )


def test_the_name_of_a_file() -> None:
    when = datetime(2026, 5, 24, 9, 8, 7)
    assert file_name("Größe & Co: a/b", when) == "20260524090807-grosse-co-a-b.org"
    assert file_name("word " * 60, when).count("word") == 12
    assert len(file_name("x" * 500, when)) < 90


@pytest.mark.parametrize(
    "changes",
    [
        {"title": " \n"},
        {"summary": ""},
        {"source": ""},
        {"type": "idea"},
        {"status": "old"},
        {"id": "7"},
        {"created": "24.5.2026"},
        {"created": "2026-02-30"},
        {"projects": ()},
        {"projects": ("No Slug",)},
        {"tags": ("a b",)},
        {"created_by": "Claude Code"},
        {"relations": (("LIKES", uid(2), "x"),)},
        {"relations": (("SUPERSEDES", "x", "x"),)},
    ],
)
def test_a_draft_that_no_node_can_say_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        render(draft(1, **changes))


WORDS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60)


@given(
    title=WORDS,
    summary=WORDS,
    source=WORDS,
    type_=st.sampled_from(TYPES),
    relations=st.lists(st.tuples(st.sampled_from(LABELS), st.uuids().map(str), WORDS), max_size=3),
)
def test_what_is_rendered_is_read_again(
    title: str, summary: str, source: str, type_: str, relations: list[tuple[str, str, str]]
) -> None:
    chosen = draft(1, title=title, summary=summary, source=source, type=type_, relations=tuple(relations))
    try:
        made = render(chosen)
    except InvalidInput:
        return
    found = parse(made, "x.org")
    assert (found.id, found.type, found.projects) == (chosen.id, type_, ("general",))
    assert found.summary == " ".join(summary.replace("\0", " ").split())
    if "[[" not in title and "id:" not in title + summary + source:
        assert found.title == " ".join(title.replace("\0", " ").split())
        assert [(link.label, link.target) for link in found.links] == [(a, b) for a, b, _ in relations]
    fatal = {each.check for each in check_node(found) if each.severity == "fatal"}
    assert not fatal & {"drawer", "id", "title", "project"}


LINES = """:PROPERTIES:
:END:
:ID: x
* H
#+begin_src
#+end_src
#+title: t

text
:a:
[[id:x
[[id:x][y]]
=a
<<<<<<< x
=======
\0
#+filetags: :a:
# c
:LOGBOOK:"""
ORG = st.lists(st.sampled_from(LINES.split("\n")), max_size=30).map("\n".join)


@given(st.one_of(st.text(max_size=300), ORG))
def test_no_text_is_too_odd(written: str) -> None:
    found = parse(written, "x.org")
    assert isinstance(found.links, tuple)
    assert found.sections is not None
    lines = written.count("\n") + 1
    assert all(0 <= each.line <= lines for each in check_node(found))


def test_a_large_text_is_read_fast() -> None:
    for part in ("=a ", "[[id:x", "\n\n", ":x:\n", "# \n", "  ", "[[id:a][b]] ", ":a: \t ", "* x :"):
        big = text() + part * (200_000 // len(part))
        assert list(check_node(parse(big, "x.org"))) is not None
        assert parse(big, "x.org").links is not None
        parse(part * (200_000 // len(part)), "x.org")


def test_the_defaults_of_a_draft_make_a_valid_node() -> None:
    made = Draft(uid(1), "T", "S.", created="2026-05-24", source="chat")
    assert not list(check_node(parse(render(made), "n1.org")))
    assert not list(check_node(node()))

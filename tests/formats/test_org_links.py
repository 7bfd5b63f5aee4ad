"""Pages and nodes have the same links: those that org-roam finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.content import read_page
from quaid.formats.org.links import org_links
from quaid.kb.node import is_generated, is_index, is_node, parse
from tests.formats.org_cases import CASES, A, Case
from tests.support import examples

OWN = "00000009-0000-4000-8000-000000000000"


def page(text: str) -> str:
    return f":PROPERTIES:\n:ID: {OWN}\n:END:\n#+title: T\n\n{text}\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_links_of_a_text(case: Case) -> None:
    text = page(case.text)
    assert [link.address.partition("::")[0] for link in org_links(text) if link.type == "id"] == list(
        case.links
    )
    assert [link.target for link in parse(text, "x.org").links] == list(case.links)
    ids = {link.address.partition("::")[0] for link in org_links(text) if link.type == "id"}
    found = {link.target for link in read_page(text, "x", "org", "x.org").references}
    assert found & ids == set(case.links)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (f"CONTRADICTS:: [[id:{A}]]", "CONTRADICTS"),
        (f"CONTRADICTS [[id:{A}]]", "CONTRADICTS"),
        (f"*CONTRADICTS*: [[id:{A}]]", "CONTRADICTS"),
        (f"- CONTRADICTS :: [[id:{A}]]", "CONTRADICTS"),
        (f"- Derived from :: [[id:{A}]]", "DERIVED_FROM"),
        (f"RELATES_TO:: [[id:{A}][x]]", "RELATES_TO"),
        (f"see [[id:{A}]]", ""),
    ],
)
def test_a_label_says_the_same_to_both(text: str, label: str) -> None:
    assert [link.label for link in parse(page(text), "x.org").links] == [label]
    found = read_page(page(text), "x", "org", "x.org").references
    assert [(link.target, link.relationship) for link in found] == [(A, label.lower() or "mentions")]


@pytest.mark.parametrize(
    ("text", "relationship"),
    [
        (f"WORKS_AT:: [[id:{A}]]", "works_at"),
        (f"- PART_OF :: [[id:{A}]]", "part_of"),
        (f"NASA [[id:{A}]]", "mentions"),
        (f"- tags :: [[id:{A}]]", "mentions"),
    ],
)
def test_other_labels_are_typed_links_of_a_page(text: str, relationship: str) -> None:
    found = read_page(page(text), "x", "org", "x.org").references
    assert [(link.target, link.relationship) for link in found] == [(A, relationship)]
    assert [link.label for link in parse(page(text), "x.org").links] == [""]


def test_a_drawer_with_a_tab_is_none_to_both() -> None:
    """Org of several versions does not see such a drawer; the page says so."""
    text = f":PROPERTIES:\n:ID:\t{OWN}\n:END:\n#+title: T\n"
    content = read_page(text, "x", "org", "x.org")
    assert (parse(text, "x.org").id, content.uuid) == ("", None)
    assert [problem.code for problem in content.problems] == ["properties"]


def test_a_comment_behind_a_value_is_none_of_it_to_both() -> None:
    text = (
        f":PROPERTIES:\n:ID: {OWN}\n:PROJECTS: :general:\n:VISIBILITY: personal\n"
        ":STATUS: current ; since May\n:SUMMARY: One; and ; two.\n:END:\n#+title: T\n"
    )
    node, content = parse(text, "x.org"), read_page(text, "x", "org", "x.org")
    assert (node.status, node.summary) == ("current", "One; and ; two.")
    assert (content.frontmatter["status"], content.summary) == ("current", "One; and ; two.")


def test_a_page_that_is_no_node_keeps_its_semicolons() -> None:
    text = ":PROPERTIES:\n:AUTHORS: Ann ; Bob\n:END:\n#+title: T\n"
    assert read_page(text, "x", "org", "x.org").frontmatter["authors"] == "Ann ; Bob"


def test_a_file_of_the_index_is_one_in_every_folder() -> None:
    assert is_index("sub/index-x.org")
    assert is_index("index.org")
    assert not is_index("sub/other.org")
    assert not is_node("sub/index-x.org")


def test_only_the_index_in_the_root_is_generated() -> None:
    assert is_generated("index-x.org")
    assert not is_generated("sub/index-x.org")
    assert not is_generated("raw/index.org")


MARKS = [
    "[[",
    "]]",
    "=",
    "~",
    "*",
    "$",
    "\\(",
    "\\)",
    "{{{m(",
    ")}}}",
    "@@x:",
    "@@",
    "[fn:: ",
    "[cite:@k ",
    "src_x{",
]
LINES = [
    "\n",
    "\n\n",
    "\r\n",
    "\n* H\n",
    "| ",
    " |",
    "- ",
    "# ",
    ": ",
    "#+begin_src\n",
    "#+end_src\n",
    ":END:\n",
]
OTHERS = [":a:\n", " ", "word", "#+title: t", "\\begin{x}\n", "\\end{x}\n", "<", ">", "_", "^{", "}", "日本"]
PIECES = st.sampled_from([f"[[id:{A}]]", f"[[id:{A}][d]]", f"id:{A}", *MARKS, *LINES, *OTHERS])


@examples(150, 3_000)
@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=200))
def test_every_link_is_where_it_says(text: str) -> None:
    places = []
    for link in org_links(text):
        assert text[link.address_start :].replace("\r\n", " \n").startswith(link.address)
        assert link.start < link.end <= len(text)
        places.append(link.start)
    assert [link.target for link in parse(text, "x.org").links] == [
        " ".join(link.address.partition("::")[0].split())
        for link in org_links(text.removeprefix("\ufeff").replace("\r\n", " \n"))
        if link.type == "id"
    ]

"""A graph of Logseq."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaid.foreign.importers.logseq import Logseq, looks_like, split_properties
from quaid.formats.content import read_page
from tests.foreign.importers.support import drafts

GRAPH: dict[str, str | bytes] = {
    "logseq/config.edn": "{}",
    "logseq/bak/pages/a/old.md": "- old",
    "pages/people___Alice%3F.md": (
        "title:: Alice A.\ntags:: founder, [[Big, Co]], #rust\nalias:: Al\npublic:: true\n\n"
        "- knows [[Bob]] #friend\n  id:: 64f0-1\n- see ((64f0-1))\n"
    ),
    "pages/x%2Fy.md": "- plain\n",
    "pages/templates.org": "* Head\n",
    "journals/2024_01_15.md": "- met [[people/Alice?]]\n",
    "assets/picture.png": b"\x89PNG",
}


def test_namespaces_are_folders_and_journals_have_days() -> None:
    assert sorted(drafts(Logseq, GRAPH)) == [
        "journals/2024-01-15.md",
        "people/Alice?.md",
        "templates.org",
        "x/y.md",
    ]


def test_properties_become_frontmatter_and_blocks_stay() -> None:
    page = read_page(drafts(Logseq, GRAPH)["people/Alice?.md"].text, "people/alice")
    assert page.frontmatter == {
        "title": "Alice A.",
        "tags": ["founder", "Big, Co", "rust"],
        "aliases": ["Al"],
        "public": True,
    }
    assert page.truth == "- knows [[Bob]] #friend\n  id:: 64f0-1\n- see ((64f0-1))\n"
    assert page.type == "person"


def test_pages_without_properties_are_as_they_were() -> None:
    found = drafts(Logseq, GRAPH)
    assert found["x/y.md"].text == "- plain\n"
    assert found["journals/2024-01-15.md"].text == "- met [[people/Alice?]]\n"


def test_properties_of_a_first_block() -> None:
    assert split_properties("- type:: book\n  author:: X\n- text\n") == (
        "- text\n",
        {"type": "book", "author": "X"},
    )
    assert split_properties("std::vector is a class\n") == ("std::vector is a class\n", {})
    assert split_properties("a:: b\nand text\n") == ("a:: b\nand text\n", {})


def test_a_page_and_a_journal_of_one_name_are_two() -> None:
    found = drafts(Logseq, {"pages/journals___2024-01-15.md": "- a", "journals/2024_01_15.md": "- b"})
    assert sorted(each.text for each in found.values()) == ["- a", "- b"]


def test_a_graph_is_recognised() -> None:
    assert looks_like(GRAPH)
    assert looks_like(["pages/a.md", "journals/2024_01_15.md"])
    assert not looks_like(["pages/a.md", "journals/monday.md"])


@given(st.text(max_size=80))
def test_nothing_in_a_page_makes_it_fail(text: str) -> None:
    drafts(Logseq, {"pages/a.md": text, f"pages/{text}.md": text})

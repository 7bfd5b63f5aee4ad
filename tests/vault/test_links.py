"""Where links lead: it depends on the pages that there are, never on the order in which they came."""

from __future__ import annotations

import itertools
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from tests.support import call, examples, leads_to, links_table, open_memory


@pytest.mark.parametrize(
    "target", ["people/alice", "alice", "Alice Example", "Al", "ALICE", "people/Alice.md"]
)
def test_a_link_resolves_when_its_page_appears_and_not_before(app: App, target: str) -> None:
    if target.endswith(".md"):
        call(app, "put", slug="note", content=f"See [her]({target}).\n")
    else:
        call(app, "put", slug="note", content=f"See [[{target}]].\n")
    assert leads_to(app, "note") == [""]
    assert call(app, "stats")["counts"]["unresolved_links"] == 1
    call(app, "put", slug="people/alice", content="---\ntitle: Alice Example\naliases: [Al]\n---\n")
    assert leads_to(app, "note") == ["people/alice"]
    assert [link["from"] for link in call(app, "backlinks", slug="people/alice")["links"]] == ["note"]
    call(app, "rm", slug="people/alice")
    assert leads_to(app, "note") == [""]
    call(app, "restore", slug="people/alice")
    assert leads_to(app, "note") == ["people/alice"]


def test_a_link_follows_the_name_it_was_given(app: App) -> None:
    call(app, "put", slug="note", content="[[Mercury]]\n")
    call(app, "put", slug="x/element", content="---\naliases: [Mercury]\n---\n")
    assert leads_to(app, "note") == ["x/element"]
    call(app, "put", slug="x/planet", content="# Mercury\n")
    assert leads_to(app, "note") == ["x/planet"]
    call(app, "put", slug="gods/mercury", content="A god\n")
    assert leads_to(app, "note") == ["gods/mercury"]
    call(app, "put", slug="mercury", content="The page itself\n")
    assert leads_to(app, "note") == ["mercury"]
    for slug, then in [("mercury", "gods/mercury"), ("gods/mercury", "x/planet"), ("x/planet", "x/element")]:
        call(app, "rm", slug=slug)
        assert leads_to(app, "note") == [then]
    call(app, "put", slug="x/element", content="No alias any more\n")
    assert leads_to(app, "note") == [""]


def test_of_equals_the_shorter_slug_is_meant(app: App) -> None:
    call(app, "put", slug="note", content="[[alice]]\n")
    call(app, "put", slug="archive/2020/alice", content="x\n")
    call(app, "put", slug="people/alice", content="x\n")
    assert leads_to(app, "note") == ["people/alice"]


def test_a_collection_can_be_named(app: App) -> None:
    app.connection.execute("INSERT INTO collections (name) VALUES ('work')")
    call(app, "put", slug="note", content="[[alice]] [[work::alice]]\n")
    call(app, "put", slug="alice", content="# Here\n")
    call(app, "put", slug="work::alice", content="# At work\n")
    titles = [link["title"] for link in call(app, "links", slug="note")["links"]]
    assert titles == ["Here", "At work"]


def test_links_in_code_are_no_links(app: App) -> None:
    call(app, "put", slug="note", content="`[[a]]`\n\n```\n[[b]]\n```\n\n<!-- [[c]] -->\n\n[[d]]\n")
    assert [link["target"] for link in call(app, "links", slug="note")["links"]] == ["d"]


def test_ids_stay_while_a_link_is_there(app: App) -> None:
    call(app, "put", slug="note", content="[[a]] [[b]] [[c]]\n")
    first = {link["target"]: link["id"] for link in call(app, "links", slug="note")["links"]}
    call(app, "put", slug="note", content="New words. [[c]] then [[x]] and [[a]]\n")
    second = {link["target"]: link["id"] for link in call(app, "links", slug="note")["links"]}
    assert list(second) == ["c", "x", "a"]
    assert (second["a"], second["c"]) == (first["a"], first["c"])
    assert second["x"] not in first.values()
    call(app, "put", slug="note", content="[[a]] [[b]]\n")
    third = {link["target"]: link["id"] for link in call(app, "links", slug="note")["links"]}
    assert third["a"] == first["a"]
    assert third["b"] not in {*first.values(), *second.values()}


NAMES = ["alpha", "beta", "Alpha Beta", "gamma", "x/alpha", "y/z/alpha", "delta"]
SLUGS = ["alpha", "x/alpha", "y/z/alpha", "beta", "x/beta", "note", "alpha-beta"]


@st.composite
def page_sets(draw: st.DrawFn) -> list[tuple[str, str]]:
    pages = []
    for slug in draw(st.lists(st.sampled_from(SLUGS), min_size=2, max_size=6, unique=True)):
        title = draw(st.none() | st.sampled_from(NAMES))
        aliases = draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True))
        links = draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True))
        head = (
            f"---\ntitle: {title}\naliases: {aliases}\n---\n" if title else f"---\naliases: {aliases}\n---\n"
        )
        pages.append((slug, head + " ".join(f"[[{name}]]" for name in links) + "\n"))
    return pages


def table_after(pages: list[tuple[str, str]], detours: list[int]) -> list[tuple[object, ...]]:
    """The links when pages are written in this order, some of them being other pages for a while."""
    with TemporaryDirectory() as directory:
        app = open_memory(Path(directory) / "m.db")
        with app.store.write():
            for number, (slug, text) in enumerate(pages):
                content = text if number not in detours else "# Gamma\n\n[[delta]]\n"
                # A new page: without that, a text that is nearly another's is an edit of that one.
                call(app, "put", slug=slug, content=content, expected_version=0)
                if number in detours:
                    call(app, "rm", slug=slug)
                    call(app, "restore", slug=slug)
            for number in detours:
                if number < len(pages):
                    call(app, "put", slug=pages[number][0], content=pages[number][1])
        table = links_table(app)
        app.store.close()
        return table


@examples(12, 200)
@given(pages=page_sets(), data=st.data())
def test_the_order_of_writing_does_not_matter(pages: list[tuple[str, str]], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(pages))
    detours = data.draw(st.lists(st.integers(0, 5), max_size=3, unique=True))
    assert table_after(pages, []) == table_after(shuffled, detours)


def test_every_order_of_three_pages_that_share_a_name(tmp_path: Path) -> None:
    pages = [
        ("note", "[[Alpha]]\n"),
        ("x/one", "# Alpha\n"),
        ("y/alpha", "x\n"),
        ("z/two", "---\naliases: [alpha]\n---\n"),
    ]
    tables = {tuple(table_after(list(order), [])) for order in itertools.permutations(pages)}
    assert tables == {(("note", 0, "Alpha", "y/alpha"),)}

"""The graph of links: what is around a page, how pages are connected, which are not, on which day."""

from __future__ import annotations

import json
import random
from collections import deque
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid import operations
from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.graph.neighbourhood import neighbourhood
from quaid.graph.neighbourhood import path as shortest_path
from quaid.operations.graph import GRAPH, ORPHANS, PATH
from quaid.operations.operation import Operation
from quaid.operations.related import RELATED
from quaid.operations.results import as_data
from quaid.operations.text import Style
from quaid.store.graph import Scope
from tests.support import call, examples, open_memory

DAYS = ("2023-06-01", "2024-06-01", "2026-04-14")


def ran(app: App, operation: Operation[Any, Any], /, **values: Any) -> Any:
    """The answer of an operation, as data."""
    return as_data(result(app, operation, **values))


def text(app: App, operation: Operation[Any, Any], /, **values: Any) -> str:
    """The answer of an operation, as people see it."""
    return operation.render(result(app, operation, **values), Style())


def result(app: App, operation: Operation[Any, Any], /, **values: Any) -> Any:
    return operations.run(app, operation, operations.decode(operation.arguments, values, tool=False))


def around(app: App, slug: str, **values: Any) -> dict[str, int]:
    """The pages around a page, and how far away they are."""
    return {node["slug"]: node["distance"] for node in ran(app, GRAPH, slug=slug, **values)["nodes"]}


@pytest.fixture
def company(app: App) -> App:
    """Alice was at Acme until Bob came; a fund has invested in it; Dora is far away; a note is alone."""
    for slug, title in (("acme", "Acme"), ("fund", "Fund"), ("dora", "Dora"), ("alone", "Alone")):
        call(app, "put", slug=slug, content=f"# {title}\n")
    call(app, "put", slug="alice", content="# Alice\n\nShe knows [[bob]].\n")
    call(app, "put", slug="bob", content="# Bob\n\nNobody is [[not there yet]].\n")
    spans = (
        ("alice", "acme", "works_at", "2022-01-01", "2024-01-01"),
        ("bob", "acme", "works_at", "2024-01-01", None),
        ("fund", "acme", "invested_in", None, None),
        ("dora", "fund", "advises", "2025-01-01", None),
    )
    for start, end, relationship, since, until in spans:
        dates = {"valid_from": since, "valid_until": until}
        call(app, "link", **{"from": start, "to": end, "relationship": relationship, **dates})
    return app


def test_a_neighbourhood_follows_links_in_both_directions(company: App) -> None:
    assert around(company, "acme", depth=1) == {"acme": 0, "bob": 1, "fund": 1}
    assert around(company, "acme") == {"acme": 0, "bob": 1, "fund": 1, "alice": 2, "dora": 2}
    found = ran(company, GRAPH, slug="Acme", depth=1)
    assert (found["slug"], found["day"], found["more"]) == ("acme", "2026-04-14", False)
    assert found["nodes"][0] == {"slug": "acme", "title": "Acme", "type": "concept", "distance": 0}
    links = {(each["from"], each["relationship"], each["to"]): each for each in found["edges"]}
    assert set(links) == {("bob", "works_at", "acme"), ("fund", "invested_in", "acme")}
    works = links["bob", "works_at", "acme"]
    assert works["valid_from"] == "2024-01-01"
    assert "valid_until" not in works
    assert works["id"] == call(company, "links", slug="bob")["links"][0]["id"]


def test_the_graph_of_a_day(company: App) -> None:
    assert around(company, "acme", depth=1, at="2023-06-01") == {"acme": 0, "alice": 1, "fund": 1}
    assert around(company, "acme", depth=1, at="2024") == {"acme": 0, "bob": 1, "fund": 1}
    assert around(company, "acme", depth=1, temporal="historical") == {"acme": 0, "alice": 1}
    assert around(company, "acme", depth=1, temporal="historical", at="2023-01-01") == {"acme": 0}
    assert set(around(company, "acme", depth=1, temporal="all")) == {"acme", "alice", "bob", "fund"}
    assert "dora" not in around(company, "acme", depth=5, at="2024-12-31")
    with pytest.raises(InvalidInput, match="at 'someday'"):
        ran(company, GRAPH, slug="acme", at="someday")


def test_links_and_backlinks_of_a_day(company: App) -> None:
    def working(day: str) -> list[str]:
        found = call(company, "backlinks", slug="acme", at=day, relationship="works_at")["links"]
        return [each["from"] for each in found]

    assert [working(day) for day in DAYS] == [["alice"], ["bob"], ["bob"]]
    assert working("2021") == []
    of_alice = [call(company, "links", slug="alice", at=day)["links"] for day in DAYS]
    # The page that mentions Bob was written in 2026: before that, it mentioned nobody.
    kinds = [[each["relationship"] for each in found] for found in of_alice]
    assert kinds == [["works_at"], [], ["mentions"]]
    past = call(company, "links", slug="alice", at="2024-06-01", temporal="historical")["links"]
    assert [each["relationship"] for each in past] == ["works_at"]
    assert len(call(company, "links", slug="alice")["links"]) == 2
    with pytest.raises(InvalidInput, match="at 'x'"):
        call(company, "links", slug="alice", at="x")


def test_only_links_of_a_relationship(company: App) -> None:
    found = around(company, "acme", relationship="works_at", temporal="all")
    assert found == {"acme": 0, "alice": 1, "bob": 1}
    assert around(company, "acme", relationship="nothing") == {"acme": 0}


def test_removed_pages_are_not_in_the_graph(company: App) -> None:
    call(company, "rm", slug="bob")
    assert around(company, "acme", temporal="all", depth=1) == {"acme": 0, "alice": 1, "fund": 1}
    assert not ran(company, PATH, **{"from": "alice", "to": "acme"})["connected"]
    call(company, "rm", slug="acme")
    assert [each["slug"] for each in ran(company, ORPHANS)["orphans"]] == ["alice", "alone"]


def test_the_limit_keeps_the_nearest_and_best_connected(app: App) -> None:
    for leaf in range(12):
        linked = "[[known]]" if leaf < 3 else ""
        call(app, "put", slug=f"leaf-{leaf}", content=f"[[hub]] {linked}\n")
    for slug in ("known", "hub"):
        call(app, "put", slug=slug, content=f"# {slug}\n")
    found = ran(app, GRAPH, slug="hub", limit=4)
    assert {node["slug"] for node in found["nodes"]} == {"hub", "leaf-0", "leaf-1", "leaf-2"}
    assert found["more"] is True
    assert "--limit shows more" in text(app, GRAPH, slug="hub", limit=4)
    whole = ran(app, GRAPH, slug="hub", limit=14)
    assert (len(whole["nodes"]), whole["more"]) == (14, False)
    assert ran(app, GRAPH, slug="hub", limit=1)["more"] is True


def test_pages_of_one_slug_are_told_apart(app: App) -> None:
    for collection, content in ((None, "[[other::notes]]\n"), ("other", "# Notes\n")):
        app.new_collection("other") if collection else None
        app.collection(collection).put("notes", content)
    found = ran(app, GRAPH, slug="default::notes")
    assert [node["slug"] for node in found["nodes"]] == ["default::notes", "other::notes"]
    assert found["slug"] == "default::notes"
    assert [(each["from"], each["to"]) for each in found["edges"]] == [("default::notes", "other::notes")]


def test_a_terminal_shows_a_tree(company: App) -> None:
    assert text(company, GRAPH, slug="acme") == (
        "acme  Acme\n"
        "  ← works_at since 2024-01-01  bob  Bob\n"
        "    ← mentions  alice  Alice\n"
        "  ← invested_in  fund  Fund\n"
        "    ← advises since 2025-01-01  dora  Dora"
    )
    assert text(company, GRAPH, slug="acme", depth=2, at="2023-06-01").split("\n") == [
        "acme  Acme",
        "  ← invested_in  fund  Fund",
        "  ← works_at 2022-01-01 to 2024-01-01  alice  Alice",
    ]
    tree = text(company, GRAPH, slug="acme", depth=1, temporal="all").split("\n")
    assert tree[-2:] == ["Also:", "  alice → mentions  bob"]
    assert text(company, GRAPH, slug="alone") == "alone  Alone\nNo links."


def test_every_form_of_a_graph(company: App) -> None:
    assert json.loads(text(company, GRAPH, slug="acme", format="json")) == ran(company, GRAPH, slug="acme")
    assert 'label = "works_at\\nsince 2024-01-01"' in text(company, GRAPH, slug="acme", format="dot")
    assert '-->|"invested_in"|' in text(company, GRAPH, slug="acme", format="mermaid")
    assert text(company, GRAPH, slug="acme", format="html").startswith("<!doctype html>")
    past = ran(company, GRAPH, slug="acme", format="html")["edges"]
    assert "alice" in {each["from"] for each in past if each["relationship"] == "works_at"}


def test_a_drawing_is_written_and_written_again(company: App, tmp_path: Path) -> None:
    file = tmp_path / "new" / "graph.html"
    values = {"slug": "acme", "format": "html", "output": str(file)}
    assert text(company, GRAPH, **values) == f"5 pages and 5 links written to {file}"
    before = file.read_bytes()
    assert ran(company, GRAPH, **values)["output"] == str(file)
    assert file.read_bytes() == before
    note = tmp_path / "note.html"
    note.write_text("mine")
    with pytest.raises(Conflict):
        ran(company, GRAPH, slug="acme", format="html", output=str(note))
    with pytest.raises(InvalidInput):
        ran(company, GRAPH, slug="acme", format="dot", output=str(file / "below"))
    assert note.read_text() == "mine"


def test_a_path_shows_how_pages_are_connected(company: App) -> None:
    found = ran(company, PATH, **{"from": "alice", "to": "Dora"})
    assert [page["slug"] for page in found["pages"]] == ["alice", "bob", "acme", "fund", "dora"]
    assert [each["relationship"] for each in found["links"]] == [
        "mentions",
        "works_at",
        "invested_in",
        "advises",
    ]
    assert text(company, PATH, **{"from": "alice", "to": "fund"}) == (
        "alice  Alice\n"
        "  → mentions  bob  Bob\n"
        "  → works_at since 2024-01-01  acme  Acme\n"
        "  ← invested_in  fund  Fund"
    )
    earlier = ran(company, PATH, **{"from": "alice", "to": "fund", "at": "2023-06-01"})
    assert [page["slug"] for page in earlier["pages"]] == ["alice", "acme", "fund"]


def test_pages_that_are_not_connected(company: App) -> None:
    assert text(company, PATH, **{"from": "alice", "to": "alone"}) == (
        "alice and alone are not connected within 6 links."
    )
    assert not ran(company, PATH, **{"from": "alice", "to": "dora", "depth": 3})["connected"]
    assert ran(company, PATH, **{"from": "alice", "to": "dora", "depth": 4})["connected"]
    assert not ran(company, PATH, **{"from": "acme", "to": "bob", "directed": True})["connected"]
    assert ran(company, PATH, **{"from": "bob", "to": "acme", "directed": True})["connected"]
    same = ran(company, PATH, **{"from": "bob", "to": "bob"})
    assert (same["connected"], same["links"]) == (True, [])
    with pytest.raises(NotFound):
        ran(company, PATH, **{"from": "alice", "to": "nobody"})


def test_a_typed_link_is_preferred_to_a_mention(app: App) -> None:
    call(app, "put", slug="a", content="---\nlinks: [{to: c, relationship: knows}]\n---\n[[b]] [[c]] [[d]]\n")
    for slug in ("b", "c"):
        call(app, "put", slug=slug, content="[[d]]\n")
    call(app, "put", slug="d", content="D\n")
    links = ran(app, PATH, **{"from": "a", "to": "c"})["links"]
    assert [each["relationship"] for each in links] == ["knows"]


def test_orphans(company: App) -> None:
    call(company, "put", slug="loop", content="[[loop]] and [[nowhere]]\n")
    found = ran(company, ORPHANS)
    assert [(each["slug"], each["collection"]) for each in found["orphans"]] == [
        ("alone", "default"),
        ("loop", "default"),
    ]
    assert (found["total"], found["pages"], found["types"]) == (2, 7, {"concept": 2})
    inbound = ran(company, ORPHANS, inbound=True)
    assert [each["slug"] for each in inbound["orphans"]] == ["alice", "alone", "dora", "loop"]
    assert [each["slug"] for each in ran(company, ORPHANS, limit=1, offset=1)["orphans"]] == ["loop"]
    assert ran(company, ORPHANS, type="person")["total"] == 0
    with pytest.raises(NotFound):
        ran(company, ORPHANS, collection="none")


def test_an_empty_memory(app: App) -> None:
    assert text(app, ORPHANS) == "No page is without links."


def test_related_pages_and_why(company: App) -> None:
    found = {each["slug"]: each for each in ran(company, RELATED, slug="acme")["pages"]}
    assert list(found) == ["fund", "bob", "dora", "alice"]
    assert found["bob"]["reasons"][0]["links"][0]["relationship"] == "works_at"
    assert found["bob"]["reasons"][0]["links"][0]["out"] is False
    assert found["alice"]["reasons"] == [
        {"why": "shared", "weight": found["alice"]["score"], "shared": ["bob"], "count": 1}
    ]
    assert "alice" in [each["slug"] for each in ran(company, RELATED, slug="acme", at="2023")["pages"]][:2]
    lines = text(company, RELATED, slug="acme").split("\n")
    assert lines[2:4] == ["1.00  bob  Bob", "      ← works_at since 2024-01-01 (1.00)"]
    assert "1 shared neighbour: fund" in lines[5]
    assert text(company, RELATED, slug="alone") == "Nothing is related to this page yet."


def test_what_few_share_relates_more(app: App) -> None:
    for number in range(8):
        call(app, "put", slug=f"crowd-{number}", content="[[everybody]]\n")
    for slug, content in (
        ("a", "[[everybody]] [[secret]]"),
        ("b", "[[secret]]"),
        ("everybody", ""),
        ("secret", ""),
    ):
        call(app, "put", slug=slug, content=f"# {slug}\n\n{content}\n")
    pages = [each["slug"] for each in ran(app, RELATED, slug="a")["pages"]]
    assert pages[2] == "b"
    assert set(pages[:2]) == {"everybody", "secret"}
    assert pages[3].startswith("crowd")


def test_similar_texts_are_related_where_there_are_vectors(app: App) -> None:
    texts = {
        "bread": "Sourdough bread: flour, water, salt and a starter that ferments over night.",
        "baking": "How to bake a loaf with wild yeast: feed the starter, knead the dough, wait.",
        "taxes": "The annual tax return is due at the end of July; keep all receipts.",
        "engine": "The diesel engine needs a new fuel pump and an oil change.",
        "contract": "The lease of the office ends in March and can be extended by a year.",
        "orbit": "A satellite in a geostationary orbit circles the planet once a day.",
    }
    for slug, content in texts.items():
        call(app, "put", slug=slug, content=f"# {slug.title()}\n\n{content}\n")
    assert ran(app, RELATED, slug="bread")["pages"] == []
    app.models.use(DEFAULT_MODEL)
    found = ran(app, RELATED, slug="bread")["pages"]
    assert [each["slug"] for each in found] == ["baking"]
    assert found[0]["reasons"][0]["why"] == "meaning"
    assert "similar text: cosine 0." in text(app, RELATED, slug="bread")


def test_a_hub_of_many_links_is_no_burden(app: App) -> None:
    """The answer is bounded, and says that there is more."""
    count = 9_000
    with app.store.write() as connection:
        connection.executemany(
            """INSERT INTO pages (id, slug, type, title, created_at, updated_at, truth_changed_at,
                   timeline_changed_at) VALUES (?, ?, 'note', '', '', '', '', '')""",
            ((number, f"p{number}") for number in range(1, count + 1)),
        )
        connection.executemany(
            """INSERT INTO links (from_page_id, to_page_id, target, target_name, source)
               VALUES (?, 1, 'p1', 1, 0)""",
            ((number,) for number in range(2, count + 1)),
        )
    found = ran(app, GRAPH, slug="p5")
    assert (len(found["nodes"]), found["more"], found["nodes"][1]["slug"]) == (50, True, "p1")
    assert len(ran(app, GRAPH, slug="p1", limit=20_000)["nodes"]) == count
    assert ran(app, PATH, **{"from": "p5", "to": "p8999"})["links"][0]["to"] == "p1"


edges_strategy = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), max_size=25)


@examples(25, 300)
@given(edges_strategy, st.integers(1, 12), st.integers(1, 12))
def test_distances_and_paths_are_the_shortest(
    tmp_path_factory: Any, links: list[tuple[int, int]], start: int, goal: int
) -> None:
    app = open_memory(tmp_path_factory.mktemp("graph") / "memory.db")
    with app.store.write() as connection:
        connection.executemany(
            """INSERT INTO pages (id, slug, type, title, created_at, updated_at, truth_changed_at,
                   timeline_changed_at) VALUES (?, ?, 'note', '', '', '', '', '')""",
            ((number, f"p{number}") for number in range(1, 13)),
        )
        connection.executemany(
            """INSERT INTO links (from_page_id, to_page_id, target, target_name, source)
               VALUES (?, ?, 'x', 1, 0)""",
            links,
        )
    scope = Scope("current", "2026-04-14")
    distances = walked(links, start)
    assert neighbourhood(app.connection, [start], 20, scope, 100).distances == distances
    found = shortest_path(app.connection, start, goal, 20, scope)
    assert len(found.nodes) == (distances[goal] + 1 if goal in distances else 0)
    steps = [{edge.from_id, edge.to_id} for edge in found.edges]
    pages = [node.id for node in found.nodes]
    assert steps == [{one, other} for one, other in pairwise(pages)]
    if found.nodes:
        assert (pages[0], pages[-1]) == (start, goal)
    app.store.close()


def walked(links: list[tuple[int, int]], start: int) -> dict[int, int]:
    """Distances by the plainest of searches."""
    distances, waiting = {start: 0}, deque([start])
    while waiting:
        page = waiting.popleft()
        for one, other in [*links, *((end, begin) for begin, end in links)]:
            if one == page and other not in distances:
                distances[other] = distances[page] + 1
                waiting.append(other)
    return distances


def test_the_order_is_the_same_every_time(app: App) -> None:
    rng = random.Random(1)
    for number in range(40):
        links = " ".join(f"[[p{rng.randrange(40)}]]" for _ in range(3))
        call(app, "put", slug=f"p{number}", content=f"{links}\n")
    one = ran(app, GRAPH, slug="p1", limit=15)
    assert ran(app.reread(), GRAPH, slug="p1", limit=15) == one
    distances = [node["distance"] for node in one["nodes"]]
    assert distances == sorted(distances)


def test_a_link_that_a_field_yields_changes_with_the_field_alone(app: App) -> None:
    call(app, "put", slug="companies/acme", content="# Acme\n")
    call(app, "put", slug="people/carol", content="---\ncompany: companies/acme\n---\n# Carol\n")
    yielded = call(app, "links", slug="people/carol")["links"]
    assert [(each["to"], each["relationship"]) for each in yielded] == [("companies/acme", "works_at")]
    with pytest.raises(InvalidInput, match="company"):
        call(app, "link-close", link_id=yielded[0]["id"], valid_until="2026-01-01")
    with pytest.raises(InvalidInput, match="company"):
        call(app, "unlink", **{"from": "people/carol", "to": "companies/acme"})
    ends = {"from": "people/carol", "to": "companies/acme", "relationship": "works_at"}
    made = call(app, "link", **ends, valid_from="2024-01-01")
    assert made["changed"] is True
    call(app, "link-close", link_id=made["id"], valid_until="2025-01-01")
    kept = {each["id"]: each for each in call(app, "links", slug="people/carol")["links"]}
    assert kept[made["id"]]["valid_until"] == "2025-01-01"
    assert call(app, "unlink", **ends)["removed"] == 1
    assert [each["relationship"] for each in call(app, "links", slug="people/carol")["links"]] == ["works_at"]

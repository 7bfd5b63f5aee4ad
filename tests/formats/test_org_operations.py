"""Operations on pages that are org files: what they write, and what is read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.app import App
from quaid.store import collections
from tests.support import call, leads_to

ID = "3e969e14-b902-47b8-984a-823e9e6884e1"
RIVER = f""":PROPERTIES:
:ID:       {ID}
:END:
#+title: The River

See [[file:sea.org][the sea]].

* Source
:PROPERTIES:
:ID: spring-1
:END:
In the hills.
"""
SEA = f"#+title: The Sea\n\nSUPERSEDES [[id:{ID}][the river]], and [[id:spring-1][its spring]].\n"


@pytest.fixture
def root(app: App, tmp_path: Path) -> Path:
    folder = tmp_path / "org"
    (folder / "water").mkdir(parents=True)
    (folder / "water/River.org").write_text(RIVER)
    (folder / "water/sea.org").write_text(SEA)
    app.territory.annex(folder)
    collections.insert(app.connection, "org", str(folder), "vault")
    app.sync(app.collection_row("org")).run()
    return folder


def test_links_by_id_lead_to_the_page(app: App, root: Path) -> None:
    assert leads_to(app, "water/sea") == ["water/river"] * 2
    found = call(app, "backlinks", slug="The River")["links"]
    assert {(each["from"], each["relationship"]) for each in found} == {
        ("water/sea", "supersedes"),
        ("water/sea", "mentions"),
    }


def test_every_change_is_an_edit_of_the_file(app: App, root: Path) -> None:
    call(app, "tag", slug="water/river", tag="wet")
    call(app, "link", **{"from": "water/river", "to": "water/sea", "relationship": "flows_into"})
    call(app, "put", slug="org::water/river", frontmatter={"summary": "A river"})
    call(app, "timeline-add", slug="water/river", date="2024-01-15", summary="Flood", source="news")
    claim = {"subject": "river", "predicate": "is", "object": "long"}
    call(app, "put", slug="org::water/river", assertions=[claim])
    assert (root / "water/River.org").read_text() == (
        RIVER.replace(
            "#+title: The River\n",
            "#+title: The River\n#+filetags: :wet:\n"
            "#+relation: {to: water/sea, relationship: flows_into}\n#+summary: A river\n"
            "#+assertion: {subject: river, predicate: is, object: long}\n",
        )
        + "\n* Timeline\n\n- [2024-01-15 Mon] news — Flood\n"
    )
    assert call(app, "tags", slug="water/river")["tags"] == ["wet"]
    assert call(app, "timeline", slug="water/river")["entries"][0]["source"] == "news"
    link = next(
        each for each in call(app, "links", slug="water/river")["links"] if each["source"] == "frontmatter"
    )
    call(app, "link-close", link_id=link["id"], valid_until="2025-01-01")
    assert "valid_until: 2025-01-01}" in (root / "water/River.org").read_text()
    call(app, "unlink", **{"from": "water/river", "to": "water/sea"})
    call(app, "untag", slug="water/river", tag="wet")
    assert "#+filetags" not in (root / "water/River.org").read_text()
    assert not call(app, "validate", all=True)["findings"]


def test_a_new_truth(app: App, root: Path) -> None:
    call(app, "put", slug="org::water/sea", compiled_truth="Wide.\n")
    assert (root / "water/sea.org").read_text() == "#+title: The Sea\n\nWide.\n"


def test_a_moved_page_keeps_its_links(app: App, root: Path) -> None:
    call(app, "mv", slug="water/river", to="earth/river")
    moved = next((root / "earth").iterdir())
    assert moved.suffix == ".org"
    assert moved.read_text() == RIVER.replace("[[file:sea.org]", "[[file:../water/sea.org]")
    assert (root / "water/sea.org").read_text() == SEA
    assert leads_to(app, "water/sea") == ["earth/river"] * 2
    assert leads_to(app, "earth/river") == ["water/sea"]
    call(app, "mv", slug="water/sea", to="ocean")
    assert "[[file:../ocean.org][the sea]]" in moved.read_text()
    assert not call(app, "validate", all=True)["findings"]


def test_search_finds_the_section(app: App, root: Path) -> None:
    found = call(app, "search", query="hills")["results"]
    assert [each["slug"] for each in found] == ["water/river"]

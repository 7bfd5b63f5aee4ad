"""Typed links, and when they were true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.operations.links import MOST_BACKLINKS
from quaid.store import links
from tests.support import call, dump, quick

TODAY = "2026-04-14"


@pytest.fixture
def pages(app: App) -> App:
    for slug in ("alice", "acme", "bob"):
        call(app, "put", slug=slug, content=f"# {slug.title()}\n")
    return app


def link(app: App, **values: Any) -> dict[str, Any]:
    return dict(call(app, "link", **{"from": "alice", "to": "acme", "relationship": "works_at", **values}))


def spans(app: App, temporal: str = "all") -> list[tuple[str | None, str | None]]:
    found = call(app, "links", slug="alice", temporal=temporal)["links"]
    return [(each.get("valid_from"), each.get("valid_until")) for each in found]


def test_a_link_is_in_the_text_and_on_both_sides(pages: App) -> None:
    made = link(pages, context="She works\nthere.", valid_from="2024-01-15")
    assert made["changed"] is True
    listed = call(pages, "links", slug="alice")["links"]
    assert listed == [
        {
            "id": made["id"],
            "from": "alice",
            "to": "acme",
            "target": "acme",
            "relationship": "works_at",
            "source": "frontmatter",
            "context": "She works there.",
            "valid_from": "2024-01-15",
            "title": "Acme",
        }
    ]
    back = call(pages, "backlinks", slug="acme")["links"]
    assert [(each["id"], each["title"]) for each in back] == [(made["id"], "Alice")]
    assert call(pages, "get", slug="alice")["frontmatter"]["links"][0]["to"] == "acme"


def test_a_link_by_title_is_written_as_a_slug(pages: App) -> None:
    link(pages, to="ACME")
    assert call(pages, "links", slug="alice")["links"][0]["target"] == "acme"


def test_the_same_link_is_not_made_twice(pages: App, db: Path) -> None:
    first = link(pages, valid_from="2024")
    before = dump(db)
    again = link(pages, valid_from="2024-01-01")
    assert (again["id"], again["changed"], again["version"]) == (first["id"], False, first["version"])
    assert dump(db) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("2024-01-01", None), ("2025-01-01", None)),
        (("2024-01-01", None), ("2023-01-01", None)),
        (("2024-01-01", None), (None, None)),
        (("2024-01-01", "2025-01-01"), ("2024-12-31", None)),
        (("2024-01-01", "2025-01-01"), ("2023-01-01", "2024-01-02")),
        (("2024-01-01", None), (None, "2025-01-01")),
    ],
)
def test_overlapping_links_are_refused(
    pages: App, db: Path, old: tuple[str, str], new: tuple[str, str]
) -> None:
    made = link(pages, valid_from=old[0], valid_until=old[1])
    before = dump(db)
    with pytest.raises(Conflict) as caught:
        link(pages, valid_from=new[0], valid_until=new[1])
    assert caught.value.data["link_id"] == made["id"]
    assert dump(db) == before


@pytest.mark.parametrize(
    "other",
    [
        {"valid_from": "2025-01-01"},
        {"valid_from": "2020-01-01", "valid_until": "2024-01-01"},
        {"valid_until": "2024-01-01"},
        {"relationship": "advises", "valid_from": "2024-06-01"},
        {"to": "bob", "valid_from": "2024-06-01"},
        {"from": "bob", "valid_from": "2024-06-01"},
    ],
)
def test_links_that_do_not_overlap_stand_side_by_side(pages: App, other: dict[str, Any]) -> None:
    link(pages, valid_from="2024-01-01", valid_until="2025-01-01")
    assert link(pages, **other)["changed"] is True
    assert not call(pages, "validate", all=True)["findings"]


def test_overlap_is_seen_through_another_name_of_the_page(pages: App) -> None:
    call(pages, "put", slug="alice", content="---\nlinks: [{to: Acme, relationship: works_at}]\n---\n")
    call(pages, "put", slug="acme", content="---\ntitle: Acme\n---\n# Acme\n")
    with pytest.raises(Conflict):
        link(pages, valid_from="2024-01-01")


def test_a_closed_link_keeps_its_id_and_becomes_history(pages: App) -> None:
    made = link(pages, valid_from="2024-01-15")
    closed = call(pages, "link-close", link_id=made["id"], valid_until="2026-03")
    assert (closed["id"], closed["slug"], closed["version"]) == (made["id"], "alice", 3)
    assert spans(pages) == [("2024-01-15", "2026-03-01")]
    assert spans(pages, "current") == []
    assert spans(pages, "historical") == [("2024-01-15", "2026-03-01")]
    assert call(pages, "backlinks", slug="acme")["links"] == []
    assert len(call(pages, "backlinks", slug="acme", temporal="historical")["links"]) == 1
    again = link(pages, valid_from="2026-03-01")
    assert again["id"] != made["id"]
    assert [each["id"] for each in call(pages, "backlinks", slug="acme", temporal="all")["links"]] == [
        made["id"],
        again["id"],
    ]


@pytest.mark.parametrize(
    ("span", "temporal"),
    [
        ((None, None), {"current", "all"}),
        ((TODAY, None), {"current", "all"}),
        (("2026-04-15", None), {"all"}),
        ((None, "2026-04-15"), {"current", "all"}),
        ((None, TODAY), {"historical", "all"}),
        (("2020-01-01", TODAY), {"historical", "all"}),
        (("2027-01-01", "2028-01-01"), {"all"}),
    ],
)
def test_which_links_count_today(pages: App, span: tuple[str, str], temporal: set[str]) -> None:
    link(pages, valid_from=span[0], valid_until=span[1])
    assert {which for which in ("current", "historical", "all") if spans(pages, which)} == temporal
    seen = {
        w
        for w in ("current", "historical", "all")
        if call(pages, "backlinks", slug="acme", temporal=w)["links"]
    }
    assert seen == temporal


def test_a_link_cannot_end_before_it_starts_or_into_another(pages: App, db: Path) -> None:
    first = link(pages, valid_from="2024-01-01", valid_until="2025-01-01")
    link(pages, valid_from="2025-01-01")
    before = dump(db)
    with pytest.raises(InvalidInput):
        call(pages, "link-close", link_id=first["id"], valid_until="2023-01-01")
    with pytest.raises(Conflict):
        call(pages, "link-close", link_id=first["id"], valid_until="2025-06-01")
    with pytest.raises(InvalidInput):
        link(pages, relationship="x", valid_from="2025", valid_until="2024")
    assert dump(db) == before


def test_a_mention_has_no_end(pages: App) -> None:
    call(pages, "put", slug="bob", content="[[acme]]\n")
    mention = call(pages, "links", slug="bob")["links"][0]
    with pytest.raises(InvalidInput, match="mention"):
        call(pages, "link-close", link_id=mention["id"], valid_until=TODAY)
    with pytest.raises(NotFound) as caught:
        call(pages, "unlink", **{"from": "bob", "to": "acme"})
    assert "text" in caught.value.hint


def test_unlink_removes_typed_links_only(pages: App) -> None:
    call(pages, "put", slug="alice", content="# Alice\n\nAt [[acme]].\n")
    link(pages, valid_until="2020-01-01")
    link(pages, valid_from="2021-01-01")
    link(pages, relationship="advises")
    assert (
        call(pages, "unlink", **{"from": "alice", "to": "Acme", "relationship": "works_at"})["removed"] == 2
    )
    assert [each["relationship"] for each in call(pages, "links", slug="alice")["links"]] == [
        "advises",
        "mentions",
    ]
    assert call(pages, "unlink", **{"from": "alice", "to": "acme"})["removed"] == 1
    assert call(pages, "get", slug="alice")["content"].endswith("# Alice\n\nAt [[acme]].\n")


@pytest.mark.parametrize(
    "values", [{"relationship": " "}, {"relationship": "mentions"}, {"to": " "}, {"to": "a\nb"}]
)
def test_what_is_no_link(pages: App, db: Path, values: dict[str, Any]) -> None:
    before = dump(db)
    with pytest.raises(InvalidInput):
        link(pages, **values)
    assert dump(db) == before


def test_backlinks_by_relationship_and_limit(pages: App) -> None:
    link(pages)
    link(pages, **{"from": "bob", "relationship": "advises"})
    call(pages, "put", slug="note", content="[[acme]]\n")
    back = call(pages, "backlinks", slug="acme")["links"]
    assert [each["relationship"] for each in back] == ["works_at", "advises", "mentions"]
    some = call(pages, "backlinks", slug="acme", limit=2)
    assert len(some["links"]) == 2
    assert some["more"]
    only = call(pages, "backlinks", slug="acme", relationship="advises")["links"]
    assert [each["from"] for each in only] == ["bob"]


def test_of_very_many_backlinks_some_are_shown(pages: App, db: Path) -> None:
    with pages.store.write():
        for n in range(MOST_BACKLINKS + 1):
            call(pages, "put", slug=f"n/{n:03}", content=f"# N {n:03}\n\nSee [[carol]].\n")
    call(pages, "put", slug="carol", content="# Carol\n")
    first = call(pages, "backlinks", slug="carol")
    assert len(first["links"]) == MOST_BACKLINKS
    assert first["more"]
    assert quick("backlinks", "carol", db=db).out.endswith("There are more; --limit shows them.\n")
    everything = call(pages, "backlinks", slug="carol", limit=1_000)
    assert len(everything["links"]) == MOST_BACKLINKS + 1
    assert "more" not in everything


def test_what_is_typed_comes_before_all_mentions(pages: App, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(5):
        call(pages, "put", slug=f"n/{n}", content=f"# N {n}\n\nSee [[acme]].\n")
    link(pages)
    monkeypatch.setattr(links, "MOST_ORDERED", 3)
    first = call(pages, "backlinks", slug="acme", limit=2)
    assert [each["relationship"] for each in first["links"]] == ["works_at", "mentions"]
    assert len(call(pages, "backlinks", slug="acme")["links"]) == 6


def test_a_future_page_can_be_linked_to(pages: App) -> None:
    made = link(pages, to="Not Yet Here")
    assert call(pages, "links", slug="alice")["links"][0]["to"] == ""
    call(pages, "put", slug="x/not-yet-here", content="x\n")
    there = call(pages, "links", slug="alice")["links"][0]
    assert (there["id"], there["to"]) == (made["id"], "x/not-yet-here")


LINE = "She has worked for [[acme]] since the harbour was built, as everybody there knows."
ROOM = "Her room has a window. " * 20


def around(app: App) -> list[str]:
    return [each.get("context", "") for each in call(app, "backlinks", slug="acme")["links"]]


def test_what_is_written_around_a_link_is_read_from_the_page(pages: App) -> None:
    call(pages, "put", slug="alice", content=f"# Alice\n\n{LINE}\n\n{ROOM}\n", expected_version=1)
    assert around(pages) == [LINE]
    assert ("",) in pages.connection.execute("SELECT context FROM links").fetchall()
    moved = f"# Alice\n\n{ROOM}\n\n机器学习\n\n{LINE}\n"
    call(pages, "put", slug="alice", content=moved, expected_version=2)
    assert around(pages) == [LINE]
    assert not call(pages, "validate", all=True)["findings"]


def test_blanks_that_stand_otherwise_in_the_page(pages: App) -> None:
    call(pages, "put", slug="alice", content=f"# Alice\n\n{LINE.replace(' ', '  ')}\n", expected_version=1)
    assert around(pages) == [LINE]


def test_a_damaged_page_does_not_hide_who_else_links(pages: App) -> None:
    call(pages, "put", slug="alice", content=f"# Alice\n\n{LINE}\n\n{ROOM}\n", expected_version=1)
    call(pages, "put", slug="bob", content="# Bob\n\nHe likes [[acme]].\n", expected_version=1)
    pages.connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    pages.connection.execute("UPDATE pages SET packed = x'789c00ff' WHERE slug = 'alice'")
    assert sorted(around(pages)) == ["", "He likes [[acme]]."]

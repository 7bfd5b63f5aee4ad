"""A map of pages: which are on it, and that its places are kept."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.graph import layout
from tests.support import call


@pytest.fixture
def linked(app: App) -> App:
    """A ring of pages, one without links, and a typed link that has ended."""
    for number in range(6):
        call(
            app,
            "put",
            slug=f"ring/{number}",
            content=f"# Ring {number}\n\nSee [[ring/{(number + 1) % 6}]].\n",
        )
    call(app, "put", slug="alone", content="# Alone\n\nA walrus.\n")
    call(
        app,
        "link",
        **{"from": "ring/0", "to": "ring/3", "relationship": "knows"},
        valid_from="2020-01-01",
        valid_until="2021-01-01",
    )
    return app


def slugs(view: dict[str, list[dict[str, str]]]) -> set[str]:
    return {page["slug"] for page in view["pages"]}


def test_the_whole_memory_is_on_the_map(linked: App) -> None:
    view = call(linked, "map")
    assert slugs(view) == {"alone", *(f"ring/{number}" for number in range(6))}
    assert not view["more"]
    ended = next(link for link in view["links"] if link["relationship"] == "knows")
    assert (ended["valid_from"], ended["valid_until"]) == ("2020-01-01", "2021-01-01")
    assert [view["pages"][ended[end]]["slug"] for end in ("from", "to")] == ["ring/0", "ring/3"]
    assert call(linked, "map") == view


def test_a_part_of_the_memory_is_on_the_map(linked: App) -> None:
    around = call(linked, "map", slug="ring/0", depth=1)
    assert slugs(around) == {"ring/0", "ring/1", "ring/5", "ring/3"}
    assert [page["slug"] for page in around["pages"] if page.get("middle")] == ["ring/0"]
    assert slugs(call(linked, "map", query="walrus")) == {"alone"}
    assert call(linked, "map", query="zebra")["pages"] == []
    few = call(linked, "map", limit=2)
    assert few["more"]
    assert len(few["pages"]) == 2
    with pytest.raises(InvalidInput):
        call(linked, "map", slug="alone", query="walrus")


def test_places_are_kept_until_links_change(linked: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "WORTH_KEEPING", 1)
    file = Path(f"{linked.store.path}{layout.ENDING}")
    first = call(linked, "map")
    kept = file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"Ring" not in kept
    assert call(linked, "map") == first
    assert file.read_bytes() == kept
    call(linked, "put", slug="alone", content="# Alone\n\nSee [[ring/2]].\n")
    changed = call(linked, "map")
    assert file.read_bytes() != kept
    file.write_bytes(file.read_bytes()[:-8] + b"\0" * 4)
    assert call(linked, "map") == changed, "a file that is cut off is made anew"


def test_the_file_of_places_is_no_way_to_another_file(
    linked: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "WORTH_KEEPING", 1)
    other = tmp_path / "other"
    other.write_bytes(b"mine")
    file = Path(f"{linked.store.path}{layout.ENDING}")
    file.symlink_to(other)
    assert len(call(linked, "map")["pages"]) == 7
    assert other.read_bytes() == b"mine"

"""Imports: what they make, what they leave alone, and what they do when they come again."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.errors import InvalidInput, NotFound
from tests.foreign.importers.support import (
    as_json,
    claude,
    claude_message,
    contents,
    exported,
    imported,
    write,
)
from tests.support import Clock, call, dump, leads_to, version_of

NOTES: dict[str, str | bytes] = {
    "people/Pedro Álvarez.md": "---\ntags: [founder]\n---\n# Pedro\n\nRuns [Brex](../companies/brex.md).\n",
    "people/.raw/Pedro Álvarez.json": json.dumps(
        {"sources": {"crustdata": {"n": 1}}, "fetched_at": {"crustdata": "2024-01-01T00:00:00Z"}}
    ),
    "companies/brex.md": "# Brex\n\n---\n\n- **2024-01-15** | mail — Raised.\n",
    "meetings/2024-01-15.md": "Notes\r\n",
    "actions/call.md": "Call.\n",
    "README.md": "# Read me\n",
    "index.md": "[[brex]]\n",
    "picture.png": b"\x89PNG",
    ".obsidian/app.json": "{}",
    ".git/config": "x",
}


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return write(tmp_path / "notes", NOTES)


def get(app: App, slug: str) -> Any:
    return call(app, "get", slug=slug)


def active(app: App) -> dict[str, int]:
    """How many snapshots of each page are those that it was last made of."""
    return dict(
        app.connection.execute(
            """SELECT p.slug, sum(r.is_active) FROM raw_imports r JOIN pages p ON p.id = r.page_id
               GROUP BY p.slug"""
        )
    )


def test_a_folder_becomes_pages(app: App, notes: Path) -> None:
    result = imported(app, notes)
    assert result["importer"] == "obsidian"
    assert (result["pages"], result["created"], result["other_files"]) == (6, 6, 2)
    assert result["types"] == {"concept": 2, "source": 1, "person": 1, "company": 1, "action_item": 1}
    assert not result["conflicts"] + result["skipped"] + result["problems"]
    page = get(app, "people/pedro-alvarez")
    assert page["content"] == NOTES["people/Pedro Álvarez.md"]
    assert leads_to(app, "people/pedro-alvarez") == ["companies/brex"]
    assert leads_to(app, "index") == ["companies/brex"]
    (source,) = call(app, "raw", slug="people/pedro-alvarez")["sources"]
    assert source == {"source": "crustdata", "fetched_at": "2024-01-01T00:00:00Z", "data": {"n": 1}}
    assert call(app, "timeline", slug="companies/brex")["entries"][0]["summary"] == "Raised."


def test_again_without_a_change_nothing_changes(app: App, db: Path, clock: Clock, notes: Path) -> None:
    first = imported(app, notes)
    before = dump(db)
    clock.tick(60)
    again = imported(app, notes)
    assert (again["created"], again["updated"], again["unchanged"]) == (0, 0, 6)
    assert again["import_id"] == first["import_id"]
    assert dump(db) == before


def test_a_changed_file_updates_its_page(app: App, clock: Clock, notes: Path) -> None:
    first = imported(app, notes)
    version = version_of(app, "companies/brex")
    write(notes, {"companies/brex.md": "# Brex\n\nNew.\n", "companies/new.md": "New too.\n"})
    clock.tick(60)
    second = imported(app, notes)
    assert (second["created"], second["updated"], second["unchanged"]) == (1, 1, 5)
    assert version_of(app, "companies/brex") == version + 1
    assert first["import_id"] < second["import_id"]
    assert set(active(app).values()) == {1}


def test_a_page_that_was_changed_here_too_is_left(app: App, tmp_path: Path, notes: Path) -> None:
    imported(app, notes)
    call(app, "tag", slug="companies/brex", tag="fintech")
    call(app, "tag", slug="index", tag="here")
    write(notes, {"companies/brex.md": "# Brex\n\nNew.\n"})
    result = imported(app, notes)
    (conflict,) = result["conflicts"]
    assert conflict["path"] == "companies/brex.md"
    assert "companies/brex" in conflict["reason"]
    assert "Raised" in get(app, "companies/brex")["content"]
    exported(app, tmp_path / "then", raw=True, import_id=result["import_id"])
    assert contents(tmp_path / "then")["companies/brex.md"] == b"# Brex\n\nNew.\n"
    assert imported(app, notes)["import_id"] == result["import_id"]
    forced = imported(app, notes, force=True)
    assert (forced["updated"], forced["conflicts"]) == (2, [])
    assert get(app, "companies/brex")["content"] == "# Brex\n\nNew.\n"


def test_a_page_that_moved_here_is_found_again(app: App, notes: Path) -> None:
    imported(app, notes)
    call(app, "mv", slug="actions/call", to="actions/ring")
    write(notes, {"actions/call.md": "Call twice.\n"})
    result = imported(app, notes)
    assert (result["created"], result["updated"]) == (0, 1)
    assert get(app, "actions/ring")["content"] == "Call twice.\n"


def test_a_removed_page_does_not_come_back_by_itself(app: App, db: Path, notes: Path) -> None:
    imported(app, notes)
    call(app, "rm", slug="readme")
    before = dump(db)
    result = imported(app, notes)
    assert dump(db) == before
    (skipped,) = result["skipped"]
    assert "quaid restore readme" in skipped["reason"]
    assert imported(app, notes, force=True)["created"] == 1


def test_pages_that_are_there_already_are_not_overwritten(app: App, notes: Path) -> None:
    call(app, "put", slug="readme", content="Mine.\n")
    call(app, "put", slug="actions/call", content="Call.\n")
    result = imported(app, notes)
    assert [each["path"] for each in result["conflicts"]] == ["README.md"]
    assert result["unchanged"] == 1
    assert get(app, "readme")["content"] == "Mine.\n"


def test_a_conflict_that_was_settled_by_hand_is_none_any_more(app: App, notes: Path) -> None:
    call(app, "put", slug="readme", content="Mine.\n")
    assert len(imported(app, notes)["conflicts"]) == 1
    call(app, "put", slug="readme", content="# Read me\n")
    assert imported(app, notes)["unchanged"] == 6
    write(notes, {"README.md": "# New\n"})
    assert imported(app, notes)["updated"] == 1


def test_raw_data_that_is_new_is_taken_and_other_is_kept(app: App, notes: Path) -> None:
    imported(app, notes)
    call(app, "raw", slug="people/pedro-alvarez", source="crustdata", data={"n": 2})
    assert imported(app, notes)["updated"] == 0
    assert call(app, "raw", slug="people/pedro-alvarez")["sources"][0]["data"] == {"n": 2}
    write(notes, {"people/.raw/Pedro Álvarez.json": '{"sources": {"crustdata": {"n": 3}}}'})
    assert imported(app, notes)["updated"] == 1
    assert call(app, "raw", slug="people/pedro-alvarez")["sources"][0]["data"] == {"n": 3}


def test_a_trial_run_changes_nothing(app: App, db: Path, notes: Path) -> None:
    before = dump(db)
    planned = imported(app, notes, dry_run=True)
    assert dump(db) == before
    done = imported(app, notes)
    same = ("pages", "created", "types", "other_files", "skipped")
    assert {name: planned[name] for name in same} == {name: done[name] for name in same}
    assert imported(app, notes, dry_run=True, collection="new")["created"] == 6


def test_names_that_differ_by_case_or_signs_are_told_apart(app: App, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "A b.md": "1",
        "a-b.md": "2",
        "Über.md": "3",
        "uber.md": "4",
        "🗂️.md": "5",
    }
    folder = write(tmp_path / "f", files)
    assert imported(app, folder)["created"] == 5
    write(folder, {"A B.md": "6", "a b.md": "7"})
    assert imported(app, folder)["created"] == 2
    texts = {row[0] for row in app.connection.execute("SELECT compiled_truth FROM live_pages")}
    assert texts == set("1234567")


def test_what_cannot_be_imported_is_named(app: App, tmp_path: Path) -> None:
    folder = write(
        tmp_path / "f", {"a.md": "x", "b.md": "y", ".raw/a.json": "{", ".raw/c.json": '{"sources": {}}'}
    )
    os.symlink("/etc/passwd", folder / "link.md")
    with (folder / "large.bin").open("wb") as file:
        file.truncate(33 * 1024 * 1024)
    result = imported(app, folder)
    assert {each["path"]: each["reason"] for each in result["skipped"]} == {
        "link.md": "a symbolic link, which is not followed",
        "large.bin": "larger than 32 MB",
    }
    assert sorted(each["path"] for each in result["problems"]) == [".raw/a.json", ".raw/c.json"]
    assert result["created"] == 2


def test_where_there_is_nothing_it_says_so(app: App, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        imported(app, tmp_path / "nowhere")
    with pytest.raises(InvalidInput, match="no pages"):
        imported(app, write(tmp_path / "f", {"a.png": b"x"}))
    with pytest.raises(InvalidInput, match="no pages"):
        imported(app, write(tmp_path / "g", {"a.md": "x"}), format="claude")


def test_a_collection_is_made_where_it_is_named(app: App, notes: Path) -> None:
    assert imported(app, notes, collection="other")["collection"] == "other"
    assert get(app, "other::readme")["content"] == "# Read me\n"


def test_a_conversation_that_went_on_updates_its_page(app: App, tmp_path: Path) -> None:
    messages = [claude_message("human", "Hi"), claude_message("assistant", "Hello")]
    first = write(tmp_path / "a", {"conversations.json": as_json(claude(*messages)), "users.json": "[]"})
    longer = claude(*messages, claude_message("human", "More"), name="Another name")
    other = claude(claude_message("human", "x"), uuid="d-2", name="Planning a trip")
    second = write(tmp_path / "b", {"conversations.json": as_json(other, longer)})
    assert imported(app, first)["importer"] == "claude"
    result = imported(app, second)
    assert (result["created"], result["updated"]) == (1, 1)
    page = get(app, "sources/conversations/2024-01-15-planning-a-trip")
    assert "More" in page["content"]
    assert imported(app, second)["unchanged"] == 2
    exported(app, tmp_path / "out", raw=True, import_id=result["import_id"])
    assert contents(tmp_path / "out") == contents(second)


def test_an_archive_with_archives_in_it(app: App, tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner.zip", tmp_path / "export.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr(f"Home {'a' * 32}.md", "# Home\n")
        archive.writestr("__MACOSX/._x.md", "junk")
        archive.writestr("../../evil.md", "x")
    with zipfile.ZipFile(outer, "w") as archive:
        archive.write(inner, "Export-1-Part-1.zip")
    result = imported(app, outer)
    assert (result["importer"], result["created"]) == ("notion", 1)
    assert result["skipped"][0]["reason"] == "its name leads out of the archive"
    assert get(app, "home")["title"] == "Home"


def test_a_damaged_archive_is_no_crash(app: App, tmp_path: Path) -> None:
    place = tmp_path / "export.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.md", " ".join(str(n * n) for n in range(99)))
        archive.writestr("b.md", "fine")
    data = bytearray(place.read_bytes())
    data[40:50] = b"\xff" * 10
    place.write_bytes(bytes(data))
    result = imported(app, place)
    assert result["created"] == 1
    assert "cannot be read" in result["skipped"][0]["reason"]


def test_bad_lines_are_named_and_the_others_imported(app: App, tmp_path: Path) -> None:
    place = tmp_path / "pages.jsonl"
    place.write_text(
        '{"slug": "a", "content": "1"}\nnonsense\n{"slug": "b", "timeline": [{}], "body": "x"}\n'
    )
    result = imported(app, place)
    assert result["importer"] == "jsonl"
    assert result["created"] == 1
    assert [each["path"] for each in result["skipped"]] == ["pages.jsonl, line 2", "pages.jsonl, line 3"]

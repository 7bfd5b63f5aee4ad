"""Exports: files that are private, complete, and come back as what they were."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.errors import InvalidInput, NotFound
from quaid.formats.slugs import slugs_of
from quaid.model.page import PageInfo
from quaid.transfer.export import layout
from tests.foreign.importers.support import compared, contents, exported, imported, write
from tests.support import Clock, call, open_memory

ALICE = """---
title: Alice
tags: [founder, 学]
links: [{to: acme, relationship: works_at, valid_from: 2024-01-01}]
assertions: [{subject: Alice, predicate: is, object: ceo}]
---
# Alice

Knows [[people/bob]].

---

- **2024-01-15** | mail — Met
  At noon.
"""


def state(app: App) -> list[Any]:
    """All that a person would miss of each page, and where its links lead."""
    found = []
    for (slug,) in app.connection.execute("SELECT slug FROM live_pages ORDER BY slug").fetchall():
        page = call(app, "get", slug=slug)
        kept = {
            name: page.get(name) for name in ("title", "type", "content", "tags", "wing", "room", "summary")
        }
        links = [
            {name: value for name, value in link.items() if name != "id"}
            for link in call(app, "links", slug=slug, temporal="all")["links"]
        ]
        entries = call(app, "timeline", slug=slug)["entries"]
        said = call(app, "raw", slug=slug)["sources"]
        claims = app.connection.execute(
            """SELECT subject, predicate, object FROM assertions a JOIN live_pages p ON p.id = a.page_id
               WHERE p.slug = ?""",
            (slug,),
        ).fetchall()
        found.append([slug, kept, links, entries, said, claims])
    return found


@pytest.fixture
def filled(app: App, clock: Clock) -> App:
    call(app, "put", slug="people/alice", content=ALICE)
    call(app, "put", slug="people/bob", content="Bob without a title\r\n")
    call(app, "raw", slug="people/alice", source="crustdata", data={"n": [1, None, "ü"]})
    clock.tick(3600)
    call(app, "raw", slug="people/alice", source="other", data=[7])
    call(app, "put", slug="gone", content="Gone\n")
    call(app, "rm", slug="gone")
    return app


@pytest.fixture
def other(tmp_path: Path, clock: Clock) -> Any:
    opened = open_memory(tmp_path / "other.db", clock)
    yield opened
    opened.store.close()


def test_files_are_the_pages_to_the_byte_and_private(filled: App, tmp_path: Path) -> None:
    result = exported(filled, tmp_path / "out")
    found = contents(tmp_path / "out")
    assert sorted(found) == ["people/.raw/alice.json", "people/alice.md", "people/bob.md"]
    assert found["people/alice.md"] == ALICE.encode()
    assert json.loads(found["people/.raw/alice.json"]) == {
        "sources": {"crustdata": {"n": [1, None, "ü"]}, "other": [7]},
        "fetched_at": {"crustdata": "2026-04-14T12:00:00Z", "other": "2026-04-14T13:00:00Z"},
    }
    assert (result["pages"], result["files"]) == (2, 3)
    for place in [tmp_path / "out", *(tmp_path / "out").rglob("*")]:
        assert place.stat().st_mode & 0o777 == (0o700 if place.is_dir() else 0o600)


@pytest.mark.parametrize("lines", [False, True])
def test_what_is_exported_comes_back_as_it_was(filled: App, other: App, tmp_path: Path, lines: bool) -> None:
    files: dict[str, str | bytes] = {
        "Ordner/Über uns.md": b"\xef\xbb\xbfmit BOM\r\n",
        "Ordner/latin.md": "caf\xe9".encode("latin-1"),
        "Ordner/odd.md": b"a byte \xff that nothing explains\n",
        "A b.md": "one",
        "a-b.md": "two [three](A%20b.md)",
        "note.org": "* Org\n",
        "note.md": "# Markdown\n",
        ".raw/note.json": '{"sources": {"s": 1}}',
        ".raw/note.org.json": '{"sources": {"s": 2}}',
        "empty.md": "",
    }
    imported(filled, write(tmp_path / "in", files))
    exported(filled, tmp_path / "out", jsonl=lines)
    imported(other, tmp_path / "out")
    assert state(other) == state(filled)
    exported(other, tmp_path / "again", jsonl=lines)
    assert contents(tmp_path / "again") == contents(tmp_path / "out")


def test_a_batch_comes_back_to_the_byte(app: App, clock: Clock, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.md": "1\r\n",
        "b/c.md": "2",
        "x.bin": b"\0\1",
        "copy.bin": b"\0\1",
        "empty": b"",
    }
    folder = write(tmp_path / "in", files)
    first = imported(app, folder)["import_id"]
    call(app, "put", slug="a", content="changed here")
    clock.tick(60)
    write(folder, {"b/c.md": "3", "new.md": "4"})
    second = imported(app, folder)["import_id"]
    exported(app, tmp_path / "first", raw=True, import_id=first)
    exported(app, tmp_path / "second", raw=True, import_id=second)
    assert contents(tmp_path / "first") == {
        name: d.encode() if isinstance(d, str) else d for name, d in files.items()
    }
    assert contents(tmp_path / "second") == contents(folder)


def test_raw_needs_to_know_which_import(filled: App, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        exported(filled, tmp_path / "out", raw=True)
    assert "quaid imports" in refused.value.hint
    with pytest.raises(NotFound):
        exported(filled, tmp_path / "out", raw=True, import_id="2020")


def test_a_directory_that_is_not_empty_is_refused(filled: App, tmp_path: Path) -> None:
    folder = write(tmp_path / "out", {"people/bob.md": "old", "mine.txt": "mine"})
    with pytest.raises(InvalidInput, match="not empty"):
        exported(filled, folder)
    exported(filled, folder, force=True)
    assert contents(folder)["mine.txt"] == b"mine"
    assert contents(folder)["people/bob.md"] == b"Bob without a title\r\n"


def test_several_collections_have_a_folder_each(filled: App, tmp_path: Path) -> None:
    imported(filled, write(tmp_path / "in", {"a.md": "x"}), collection="side")
    exported(filled, tmp_path / "both")
    assert sorted(os.listdir(tmp_path / "both")) == ["default", "side"]
    exported(filled, tmp_path / "one", collection="side")
    assert list(contents(tmp_path / "one")) == ["a.md"]
    exported(filled, tmp_path / "lines", jsonl=True)
    assert sorted(os.listdir(tmp_path / "lines")) == ["default.jsonl", "side.jsonl"]
    with pytest.raises(NotFound):
        exported(filled, tmp_path / "none", collection="side,nothing")


@pytest.mark.parametrize(
    "path", ["../evil.md", "/etc/evil.md", ".git/hooks/evil.md", "a/../../evil.md", "x\0.md"]
)
def test_no_path_leads_out_of_the_directory(app: App, tmp_path: Path, path: str) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps({"slug": "evil", "path": path, "content": "x"}))
    imported(app, lines)
    exported(app, tmp_path / "out" / "deep")
    assert contents(tmp_path / "out") == {"deep/evil.md": b"x"}


def test_a_link_out_of_the_directory_is_not_followed(filled: App, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / "out" / "people")
    result = exported(filled, tmp_path / "out", force=True)
    assert not contents(tmp_path / "elsewhere")
    assert len(result["skipped"]) == 3


def test_names_that_some_systems_take_for_one_are_named(app: App, tmp_path: Path) -> None:
    imported(app, write(tmp_path / "in", {"Note.md": "1", "NOTE.md": "2"}))
    result = exported(app, tmp_path / "out")
    assert sorted(contents(tmp_path / "out").values()) == [b"1", b"2"]
    kept_apart = len({path.lower() for path in contents(tmp_path / "out")}) == 1
    assert (len(result["alike"]), len(result["renamed"])) == ((1, 0) if kept_apart else (0, 1))


def test_renamed_is_what_was_renamed(app: App, tmp_path: Path) -> None:
    """A page that was moved, or whose path cannot be a page's; not one that only looks like another."""
    lines = tmp_path / "lines.jsonl"
    named = {
        "evil": "../evil.md",
        "moved": "Elsewhere.md",
        "same": "Same.md",
        "note": "Note.md",
        "plain": None,
    }
    lines.write_text(
        "\n".join(json.dumps({"slug": slug, "path": path, "content": slug}) for slug, path in named.items())
    )
    imported(app, lines)
    result = exported(app, tmp_path / "out")
    assert {note["path"] for note in result["renamed"]} == {"../evil.md", "Elsewhere.md"}
    assert sorted(contents(tmp_path / "out")) == ["Note.md", "Same.md", "evil.md", "moved.md", "plain.md"]


def test_a_name_that_is_too_long_is_skipped(app: App, tmp_path: Path) -> None:
    call(app, "put", slug="a" * 255, content="x")
    (skipped,) = exported(app, tmp_path / "out")["skipped"]
    assert "quaid mv" in skipped["reason"]


NAMES = st.sampled_from(["a", "A", "a-b", "A b", "b", "c/d", "C/d", "é", "e", "a.md"])
PAGES = st.dictionaries(
    st.sampled_from(["a", "a-b", "b", "c/d", "e", "x/y"]), st.none() | NAMES.map(lambda name: f"{name}.md")
)


@given(PAGES)
def test_paths_always_give_the_same_slugs(chosen: dict[str, str | None]) -> None:
    infos = [
        PageInfo(number, "c", slug, "t", "t", "", "", "", 1, "", "", "", "", "markdown", path)
        for number, (slug, path) in enumerate(chosen.items())
    ]
    paths = layout(infos, [])
    assert len(set(paths.values())) == len(infos)
    given = slugs_of(paths.values())
    assert {info.slug: given[paths[info.id]] for info in infos} == {slug: slug for slug in chosen}


def test_two_folders_that_say_the_same(app: App, tmp_path: Path) -> None:
    one = write(
        tmp_path / "one",
        {"a.md": ALICE, ".raw/a.json": '{"sources": {"s": 1}}', "B c.md": "x", "p.png": b"x"},
    )
    other = write(
        tmp_path / "other",
        {
            "a.md": ALICE.replace("tags: [founder, 学]", "tags:\n  - founder\n  - 学").replace(
                "bob]].", "bob]].  "
            )
            + "\n",
            ".raw/a.json": '{"fetched_at": {}, "sources":   {"s": 1}}',
            "b-c.md": "x\r\n",
        },
    )
    assert compared(app, one, other) == []


@pytest.mark.parametrize(
    ("old", "new", "check"),
    [
        ("title: Alice", "title: Alison", "frontmatter"),
        ("Knows", "Hates", "truth"),
        ("— Met", "— Left", "timeline"),
    ],
)
def test_a_difference_is_found(app: App, tmp_path: Path, old: str, new: str, check: str) -> None:
    one = write(tmp_path / "one", {"a.md": ALICE})
    other = write(tmp_path / "other", {"a.md": ALICE.replace(old, new)})
    assert [each["check"] for each in compared(app, one, other)] == [check]


def test_missing_pages_and_raw_data_are_found(app: App, tmp_path: Path) -> None:
    one = write(tmp_path / "one", {"a.md": "x", "b.md": "y", ".raw/b.json": '{"sources": {"s": 1}}'})
    other = write(tmp_path / "other", {"b.md": "y", "c.md": "z"})
    found = compared(app, one, other)
    assert [each["check"] for each in found] == ["pages", "pages", "raw data"]
    with pytest.raises(NotFound):
        compared(app, one, tmp_path / "nowhere")

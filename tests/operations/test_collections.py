"""Folders as collections, from the command line: attach, see edits, write, detach, lose the memory."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import Ran, quick

ALICE = """---
title: "Alice"   # as she writes it
tags: [founder]
---
# Alice

Knows [[bob]].

---

- 2024-01-15 — Founded Acme
"""


class Notes:
    """A folder of notes that is a memory, used through the command line."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.db = root / ".quaid" / "memory.db"

    def __call__(self, *words: str, input: str | bytes = b"") -> Ran:
        return quick(*words, input=input, db=self.db)

    def ok(self, *words: str, input: str | bytes = b"") -> Any:
        """The answer as data; it must be one."""
        ran = self(*words, "--json", input=input)
        assert ran.status == 0, ran.err
        return ran.json

    def refused(self, *words: str, input: str | bytes = b"") -> Any:
        """The error as data; it must be one."""
        ran = self(*words, "--json", input=input)
        assert ran.status != 0, ran.out
        return ran.error

    def write(self, path: str, text: str | bytes) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def files(self) -> dict[str, bytes]:
        return {
            place.relative_to(self.root).as_posix(): place.read_bytes()
            for place in self.root.rglob("*")
            if place.is_file() and ".quaid" not in place.parts
        }

    def slugs(self) -> list[str]:
        return sorted(page["slug"] for page in self.ok("list", "--limit", "100")["pages"])

    def config(self) -> Any:
        return tomllib.loads((self.db.parent / "config.toml").read_text())


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    """A folder with two notes, made a memory."""
    made = Notes(tmp_path / "My Notes")
    made.write("people/Alice.md", ALICE)
    made.write("bob.md", "# Bob\n\n[[Alice]]\n")
    assert quick("init", str(made.root)).status == 0
    return made


# Making and attaching -----------------------------------------------------------------------------


def test_a_folder_is_made_a_memory_without_its_files_being_touched(tmp_path: Path) -> None:
    notes = Notes(tmp_path / "n")
    notes.write("A b.md", b"\xef\xbb\xbfx\r\n")
    notes.write("img/x.png", b"\x89PNG")
    times = {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in notes.root.rglob("*") if p.is_file()}
    before = notes.files()
    ran = quick("init", str(notes.root))
    assert ran.status == 0
    assert "1 added" in ran.out
    assert notes.files() == before
    assert {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in times} == times
    assert notes.slugs() == ["a-b"]
    assert "already" in quick("init", str(notes.root)).out
    assert notes.slugs() == ["a-b"]


def test_the_memory_of_a_folder_is_found_from_within_it(notes: Notes) -> None:
    for place in (notes.root, notes.root / "people"):
        assert (
            quick("get", "bob", cwd=place, env={"HOME": str(notes.root.parent)}).out == "# Bob\n\n[[Alice]]\n"
        )


def test_home_is_no_folder_of_notes(tmp_path: Path) -> None:
    ran = quick("init", str(tmp_path), "--json")
    assert ran.status != 0
    assert ran.error["code"] == "invalid_input"
    assert not (tmp_path / ".quaid").exists()


def test_an_empty_folder_is_a_memory_too(tmp_path: Path) -> None:
    notes = Notes(tmp_path / "new")
    assert quick("init", str(notes.root)).status == 0
    assert notes.ok("put", "ideas/first", input="# First\n")["created"]
    assert notes.files() == {"ideas/first.md": b"# First\n"}


def test_a_folder_is_attached_to_a_memory_that_has_pages_of_its_own(tmp_path: Path) -> None:
    memory = tmp_path / "work.db"
    assert quick("init", str(memory)).status == 0
    wiki = Notes(tmp_path / "wiki")
    wiki.write("Home.md", "# Welcome\n\n[[own/page]] [[nowhere]]\n")
    wiki.write("broken.md", "---\na: [\n---\n")
    quick("put", "own/page", input="# Own\n", db=memory)
    added = quick("collection", "add", "wiki", str(wiki.root), "--json", db=memory).json
    assert (added["pages"], added["effects"], added["links"], added["dangling"]) == (2, {"added": 2}, 2, 1)
    assert [problem["path"] for problem in added["problems"]] == ["broken.md"]
    listed = quick("collection", "list", "--json", db=memory).json["collections"]
    assert [(each["name"], each["pages"], each["default"]) for each in listed] == [
        ("default", 1, True),
        ("wiki", 2, False),
    ]
    info = quick("collection", "info", "wiki", "--json", db=memory).json
    assert (info["collection"]["folder"], info["files"]) == (str(wiki.root), 2)
    assert quick("links", "wiki::home", "--json", db=memory).json["links"][0]["to"] == "own/page"
    audited = quick("collection", "audit", "wiki", "--json", db=memory)
    assert audited.status == 11
    (found,) = audited.json["collections"]
    odd = {"files": 0, "problems": 1, "dangling": 1, "ambiguous": 0, "collisions": 0, "encodings": 0}
    assert found["counts"] == odd


def test_names_that_are_taken_or_none_are_refused(notes: Notes, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for name in ("my-notes", "Big", "a/b", "", "a b"):
        refused = notes.refused("collection", "add", name, str(tmp_path / "other"))
        assert refused["code"] in ("conflict", "invalid_input")
    assert notes.refused("collection", "add", "x", str(tmp_path / "none"))["code"] == "not_found"
    assert [each["name"] for each in notes.ok("collection", "list")["collections"]] == ["my-notes"]


def test_folders_that_overlap_are_refused(notes: Notes, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(notes.root)
    for place in (notes.root, notes.root / "people", tmp_path, tmp_path / "alias"):
        assert notes.refused("collection", "add", "again", str(place))["code"] == "conflict"


def test_a_collection_gets_another_name(notes: Notes) -> None:
    notes.ok("collection", "rename", "my-notes", "diary")
    assert notes.ok("get", "diary::bob")["slug"] == "bob"
    assert notes.refused("get", "my-notes::bob")["code"] == "not_found"
    assert [each["name"] for each in notes.config()["collection"]] == ["diary"]


def test_a_detached_folder_keeps_its_files(notes: Notes, tmp_path: Path) -> None:
    before = notes.files()
    assert notes.refused("collection", "remove", "my-notes")["code"] == "conflict"  # the only one
    notes.ok("collection", "add", "other")
    gone = notes.ok("collection", "remove", "my-notes")
    assert (gone["pages"], gone["folder"]) == (2, str(notes.root))
    assert notes.files() == before
    assert notes.slugs() == []
    assert "collection" not in notes.config()
    notes.ok("collection", "add", "again", str(notes.root))
    assert notes.slugs() == ["bob", "people/alice"]


def test_pages_that_live_in_the_memory_alone_are_not_detached(notes: Notes) -> None:
    notes.ok("collection", "add", "native")
    notes.ok("put", "native::x", input="x\n")
    assert notes.refused("collection", "remove", "native")["code"] == "conflict"
    assert notes.ok("get", "native::x")["content"] == "x\n"


# Edits from outside -------------------------------------------------------------------------------


def test_edits_from_anywhere_are_seen_by_the_next_command(notes: Notes) -> None:
    notes.write("people/Alice.md", "# Alice\n\nA walrus.\n")
    assert notes.ok("get", "people/alice")["version"] == 2
    notes.write("people/Alice.md", "# Alice\n\nA narwhal.\n")
    assert notes.ok("search", "narwhal")["results"][0]["slug"] == "people/alice"
    assert notes.ok("search", "walrus")["results"] == []
    notes.write("new/Carol.md", "# Carol\n\nBuilds telescopes.\n")
    assert notes.ok("get", "Carol")["slug"] == "new/carol"
    assert "new/carol" in notes.slugs()
    (notes.root / "bob.md").unlink()
    assert notes.slugs() == ["new/carol", "people/alice"]
    assert notes.refused("get", "bob")["code"] == "not_found"
    (notes.root / "new/Carol.md").rename(notes.root / "Carol.md")
    assert notes.refused("get", "new/carol")["code"] == "not_found"
    assert notes.ok("get", "carol")["version"] == 1


def test_a_question_is_answered_from_what_the_files_say_now(notes: Notes) -> None:
    notes.write("stars.md", "# Stars\n\nBetelgeuse is a red supergiant in Orion.\n")
    answers = notes.ok("query", "which star is a supergiant?")["results"]
    assert answers[0]["slug"] == "stars"
    notes.write("stars.md", "# Stars\n\nSirius is a white dwarf's companion.\n")
    shown = notes("query", "which star is a companion?").out
    assert "Sirius" in shown
    assert "Betelgeuse" not in shown


def test_both_pages_that_a_command_names_are_looked_at(notes: Notes) -> None:
    notes.write("people/Alice.md", "# Alice Two\n")
    notes.write("bob.md", "---\naliases: [Robert]\n---\n# Bob Two\n")
    notes.ok("link", "people/alice", "bob", "--relationship", "knows")
    assert notes.ok("list", "--sort", "slug")["pages"][0]["title"] == "Bob Two"
    assert "# Alice Two" in notes.text("people/Alice.md")


def test_nothing_is_looked_at_where_that_is_not_wanted(notes: Notes) -> None:
    notes.ok("config", "set", "sync.on_read", "never")
    notes.write("bob.md", "# Changed\n")
    assert notes.ok("get", "bob")["title"] == "Bob"
    notes.ok("collection", "sync")
    assert notes.ok("get", "bob")["title"] == "Changed"


def test_more_changes_than_a_command_reads_are_named(notes: Notes) -> None:
    notes.ok("config", "set", "sync.catch_up", "3")
    for number in range(5):
        notes.write(f"{number}.md", f"# {number}\n")
    ran = notes("list")
    assert "5 files of my-notes have changed" in ran.err
    assert notes.ok("collection", "sync")["collections"][0]["effects"] == {"added": 5}
    assert "have changed" not in notes("list").err


def test_more_files_than_a_command_looks_at_are_named(notes: Notes) -> None:
    notes.ok("config", "set", "sync.cheap_files", "1")
    notes.write("new.md", "# New\n")
    ran = notes("list")
    assert "too many files" in ran.err
    assert "New" not in ran.out
    notes.write("bob.md", "# Bob Two\n")
    assert notes.ok("get", "bob")["title"] == "Bob Two"  # a page that is named is cheap to look at


@pytest.mark.parametrize("how", ["missing", "empty"])
def test_a_folder_that_is_gone_raises_an_alarm_and_loses_nothing(tmp_path: Path, how: str) -> None:
    memory = tmp_path / "m.db"
    quick("init", str(memory))
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    (wiki / "a.md").write_text("# A\n")
    quick("collection", "add", "wiki", str(wiki), db=memory)
    wiki.rename(tmp_path / "away")
    if how == "empty":
        wiki.mkdir()
    for words in (("list",), ("get", "a"), ("search", "a")):
        ran = quick(*words, db=memory)
        assert ran.status == 0, words
        assert "A" in ran.out
        assert "not in step" in ran.err, words
    assert quick("collection", "sync", "--json", db=memory).error["code"] == "storage"
    assert "halted" in quick("collection", "list", db=memory).out
    for words in (("put", "wiki::new"), ("rm", "a")):
        ran = quick(*words, input="x", db=memory)
        assert ran.status != 0
        assert "is not there, or has no pages any more" in ran.err
    assert quick("collection", "quarantine", "list", "--json", db=memory).json["pages"] == []
    if how == "empty":
        assert quick("collection", "sync", "wiki", "--accept-empty", db=memory).status == 0
        assert [p["slug"] for p in quick("list", "--removed", "--json", db=memory).json["removed"]] == ["a"]
        wiki.rmdir()
    (tmp_path / "away").rename(wiki)
    assert quick("get", "wiki::a", db=memory).out == "# A\n"
    assert "halted" not in quick("collection", "list", db=memory).out


# Writing ------------------------------------------------------------------------------------------


def test_every_change_is_written_into_the_file(notes: Notes) -> None:
    notes.ok("tag", "people/alice", "pilot")
    notes.ok("timeline-add", "people/alice", "--date", "2026-04-14", "--summary", "Won a prize")
    notes.ok("link", "people/alice", "bob", "--relationship", "knows", "--valid-from", "2024-01-01")
    text = notes.text("people/Alice.md")
    assert 'title: "Alice"   # as she writes it\n' in text
    assert "pilot" in text
    assert "2026-04-14" in text
    assert "relationship: knows" in text
    assert "Knows [[bob]]." in text
    notes.ok("raw", "people/alice", "crm", "--data", '{"id": 7}')
    assert '"id": 7' in notes.text("people/.raw/Alice.json")
    notes.ok("rm", "bob")
    assert not (notes.root / "bob.md").exists()
    notes.ok("restore", "bob")
    assert notes.text("bob.md") == "# Bob\n\n[[Alice]]\n"


def test_a_new_page_goes_to_the_folder_as_it_is_written(notes: Notes) -> None:
    notes.write("Projects/Old Ideas/one.md", "# One\n")
    notes.ok("put", "projects/two", input="# Two\n")
    notes.ok("put", "projects/old-ideas/three", input="# Three\n")
    notes.ok("put", "projects/new/four", input="# Four\n")
    assert {path for path in notes.files() if path.lower().startswith("projects")} == {
        "Projects/Old Ideas/one.md",
        "Projects/two.md",
        "Projects/Old Ideas/three.md",
        "Projects/new/four.md",
    }
    assert notes.ok("get", "projects/two")["version"] == 1


def test_a_stale_version_never_overwrites_an_edit_from_outside(notes: Notes) -> None:
    version = notes.ok("get", "bob")["version"]
    notes.write("bob.md", "# Bob, by hand\n")
    refused = notes.refused("put", "bob", "--expected-version", str(version), input="# Mine\n")
    assert (refused["code"], refused["current_version"]) == ("conflict", version + 1)
    assert notes.text("bob.md") == "# Bob, by hand\n"
    assert notes.ok("put", "bob", "--expected-version", str(version + 1), input="# Mine\n")["changed"]
    assert notes.text("bob.md") == "# Mine\n"


def test_a_read_only_collection_is_never_written_to(notes: Notes, tmp_path: Path) -> None:
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    (wiki / "page.md").write_text("---\ntags: [x]\nlinks: [{to: bob}]\n---\n[[bob]]\n")
    (wiki / "gone.md").write_text("gone\n")
    notes.ok("collection", "add", "wiki", str(wiki), "--read-only")
    (wiki / "gone.md").unlink()
    notes.ok("collection", "sync")
    before = {place.name: place.read_bytes() for place in wiki.iterdir()}
    for words in (
        ("put", "wiki::new"),
        ("put", "wiki::page"),
        ("tag", "wiki::page", "new"),
        ("untag", "wiki::page", "x"),
        ("rm", "wiki::page"),
        ("mv", "wiki::page", "other"),
        ("link", "wiki::page", "people/alice"),
        ("timeline-add", "wiki::page", "--date", "2026-01-01", "--summary", "x"),
        ("raw", "wiki::page", "s", "--data", "1"),
        ("restore", "wiki::gone"),
        ("collection", "quarantine", "restore", "wiki::gone"),
    ):
        assert notes.refused(*words, input="x\n")["code"] == "read_only", words
    notes.ok("mv", "bob", "robert")  # whose links there stay as they are
    assert {place.name: place.read_bytes() for place in wiki.iterdir()} == before
    (wiki / "page.md").write_text("# Edited\n")
    assert notes.ok("get", "wiki::page")["title"] == "Edited"


def test_the_same_slug_in_two_collections_is_told_apart(notes: Notes, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "bob.md").write_text("# Another Bob\n")
    notes.ok("collection", "add", "other", str(other))
    refused = notes.refused("get", "bob")
    assert refused["code"] == "ambiguous"
    assert set(refused["candidates"]) == {"my-notes::bob", "other::bob"}
    assert notes.ok("get", "other::bob")["title"] == "Another Bob"
    notes.ok("tag", "other::bob", "second")
    assert "second" in (other / "bob.md").read_text()
    assert "second" not in notes.text("bob.md")
    notes.ok("put", "other::new", input="x\n")
    assert (other / "new.md").read_text() == "x\n"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[[Alice Smith]]", "[[al]]"),
        ("[[Alice Smith|her]]", "[[al|her]]"),
        ("![[Alice Smith]]", "![[al]]"),
        ("[[Alice Smith#Work]]", "[[al#Work]]"),
        ("[x](Alice%20Smith.md)", "[x](people/al.md)"),
        ("[[sub/../Nobody]]", "[[sub/../Nobody]]"),
    ],
)
def test_links_of_obsidian_still_work_after_a_move(notes: Notes, link: str, expected: str) -> None:
    notes.write("Alice Smith.md", "# Alice Smith\n\n## Work\n")
    notes.write("diary.md", f"Met {link} today.\n")
    moved = notes.ok("mv", "alice-smith", "people/al")
    assert notes.text("diary.md") == f"Met {expected} today.\n"
    assert ("diary" in moved["rewritten"]) is (link != expected)
    assert notes.text("people/al.md") == "# Alice Smith\n\n## Work\n"
    if link != expected:
        assert notes.ok("links", "diary")["links"][0]["to"] == "people/al"


# Quarantine ---------------------------------------------------------------------------------------


def test_quarantine_is_listed_saved_restored_and_discarded(notes: Notes, tmp_path: Path) -> None:
    notes.ok("raw", "people/alice", "crm", "--data", "[1]")
    alice = notes.text("people/Alice.md")
    shutil.rmtree(notes.root / "people")
    (listed,) = notes.ok("collection", "quarantine", "list")["pages"]
    assert (listed["collection"], listed["slug"], listed["path"]) == (
        "my-notes",
        "people/alice",
        "people/Alice.md",
    )
    saved = notes.ok("collection", "quarantine", "export", str(tmp_path / "saved"))
    assert saved["files"] == ["my-notes/people/Alice.md"]
    assert (tmp_path / "saved/my-notes/people/Alice.md").read_bytes().decode() == alice
    assert (tmp_path / "saved/my-notes/people/.raw/Alice.json").exists()
    assert notes.refused("collection", "quarantine", "export", str(tmp_path / "saved"))["code"] == "conflict"
    assert "saved to" in notes("collection", "quarantine", "list").out
    notes.ok("collection", "quarantine", "restore", "my-notes::people/alice")
    assert notes.text("people/Alice.md") == alice
    assert notes.ok("raw", "people/alice")["sources"][0]["data"] == [1]
    assert notes.refused("collection", "quarantine", "restore", "people/alice")["code"] == "not_found"
    notes.ok("rm", "people/alice")
    assert notes.refused("collection", "quarantine", "discard")["code"] == "invalid_input"
    assert notes.ok("collection", "quarantine", "discard", "people/alice")["pages"] == [
        "my-notes::people/alice"
    ]
    assert notes.refused("restore", "people/alice")["code"] == "not_found"
    assert notes.ok("collection", "quarantine", "list")["pages"] == []


def test_a_page_comes_back_only_where_nothing_else_is(notes: Notes) -> None:
    notes.ok("rm", "bob")
    notes.write("bob.md", "# A new Bob\n")
    assert notes.refused("restore", "bob")["code"] == "conflict"
    assert notes.text("bob.md") == "# A new Bob\n"


# Patterns -----------------------------------------------------------------------------------------


def test_patterns_are_kept_and_taken_back(notes: Notes) -> None:
    notes.write("drafts/x.md", "# X\n")
    assert "drafts/x" in notes.slugs()
    notes.ok("collection", "ignore", "my-notes", "drafts/")
    assert "drafts/x" not in notes.slugs()
    assert notes.ok("collection", "ignore", "my-notes")["ignore"] == ["drafts/"]
    assert notes.config()["collection"][0]["ignore"] == ["drafts/"]
    notes.db.unlink()
    assert "drafts/x" not in notes.slugs()
    notes.ok("collection", "ignore", "my-notes", "drafts/", "--remove")
    assert "drafts/x" in notes.slugs()
    assert "ignore" not in notes.config()["collection"][0]


def test_what_is_no_pattern_is_refused(notes: Notes) -> None:
    assert notes.refused("collection", "ignore", "my-notes", "!")["code"] == "invalid_input"
    notes.ok("collection", "add", "native")
    assert notes.refused("collection", "ignore", "native", "x")["code"] == "invalid_input"
    assert notes.slugs() == ["bob", "people/alice"]


# A lost memory ------------------------------------------------------------------------------------


def fill(notes: Notes, tmp_path: Path) -> None:
    """Everything that belongs to pages, in two collections."""
    notes.ok("tag", "people/alice", "pilot")
    notes.ok("raw", "people/alice", "crm", "--data", '{"id": 7}')
    notes.ok("link", "people/alice", "bob", "--relationship", "knows")
    notes.ok("timeline-add", "bob", "--date", "2026-04-14", "--summary", "Won")
    notes.write("x.org", "#+title: Org\n\n* H\n[[file:bob.md]]\n")
    notes.write("X.md", "# Big X\n")
    notes.write("latin.md", b"caf\xe9")
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    (wiki / "page.md").write_text("[[my-notes::bob]]\n")
    notes.ok("collection", "add", "wiki", str(wiki), "--read-only")


@pytest.mark.parametrize("first", [("digest",), ("list",), ("get", "bob"), ("init",), ("collection", "sync")])
def test_a_lost_memory_is_made_anew_by_any_command(
    notes: Notes, tmp_path: Path, first: tuple[str, ...]
) -> None:
    fill(notes, tmp_path)
    before = notes.ok("digest")
    versions = {page["slug"]: page["version"] for page in notes.ok("list")["pages"]}
    for leftover in notes.db.parent.glob("memory.db*"):
        leftover.unlink()
    ran = quick("init", str(notes.root)) if first == ("init",) else notes(*first)
    assert ran.status == 0, ran.err
    assert notes.ok("digest") == before
    listed = notes.ok("collection", "list")["collections"]
    assert [(each["name"], each["read_only"], each["default"]) for each in listed] == [
        ("my-notes", False, True),
        ("wiki", True, False),
    ]
    after = {page["slug"]: page["version"] for page in notes.ok("list")["pages"]}
    assert after.keys() == versions.keys()
    assert all(after[slug] > versions[slug] for slug in after)
    assert (
        notes.refused("put", "bob", "--expected-version", str(versions["bob"]), input="x")["code"]
        == "conflict"
    )
    assert notes("validate", "--all").status == 0


def test_versions_do_not_repeat_however_often_the_memory_is_lost(notes: Notes) -> None:
    seen = [notes.ok("get", "bob")["version"]]
    for number in range(3):
        seen.append(notes.ok("put", "bob", input=f"# Bob {number}\n")["version"])
        notes.db.unlink()
        seen.append(notes.ok("get", "bob")["version"])
    assert seen == sorted(set(seen))


def test_a_rebuild_changes_nothing_but_what_is_derived(notes: Notes, tmp_path: Path) -> None:
    fill(notes, tmp_path)
    before, version = notes.ok("digest"), notes.ok("get", "bob")["version"]
    rebuilt = notes.ok("rebuild")
    assert rebuilt["digest"] == before["digest"]
    assert notes.ok("get", "bob")["version"] == version
    assert notes.ok("history", "bob")["versions"]


def test_an_export_that_is_imported_elsewhere_has_the_same_digest(notes: Notes, tmp_path: Path) -> None:
    fill(notes, tmp_path)
    notes.ok("collection", "remove", "wiki")
    before = notes.ok("digest")["digest"]
    assert notes("export", str(tmp_path / "out")).status == 0
    elsewhere = tmp_path / "elsewhere.db"
    quick("init", str(elsewhere))
    assert quick("import", str(tmp_path / "out"), db=elsewhere).status == 0
    assert quick("digest", "--json", db=elsewhere).json["digest"] == before


# config.toml --------------------------------------------------------------------------------------

MINE = """# My settings
[list]
limit = 7  # short

# Nobody but me edits this
[search]
limit = 3
"""


def test_what_a_person_wrote_stays(notes: Notes, change: Callable[[Notes], None]) -> None:
    config = notes.db.parent / "config.toml"
    config.write_text(MINE + "\n" + config.read_text() + "\n# the end\n")
    change(notes)
    text = config.read_text()
    for line in (*MINE.splitlines(), "# the end"):
        assert line in text
    assert tomllib.loads(text)["list"] == {"limit": 7}
    config.write_text(config.read_text() + "\n# between\n[time]\nzone = 'UTC'\n")
    notes.ok("collection", "add", "third", str(notes.root.parent / "third"))
    text = config.read_text()
    assert "# between" in text
    assert tomllib.loads(text)["time"] == {"zone": "UTC"}
    assert notes.ok("config", "get", "list.limit")["value"] == 7
    notes.db.unlink()
    assert "bob" in notes.slugs()


@pytest.fixture(params=["add", "rename", "ignore"])
def change(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Notes], None]:
    (tmp_path / "second").mkdir()
    (tmp_path / "third").mkdir()
    words = {
        "add": ("collection", "add", "second", str(tmp_path / "second")),
        "rename": ("collection", "rename", "my-notes", "diary"),
        "ignore": ("collection", "ignore", "my-notes", "drafts/"),
    }[request.param]
    return lambda notes: notes.ok(*words)


def test_two_memories_share_a_directory(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.md").write_text(f"# Page of {name}\n")
        quick("init", str(tmp_path / f"{name}.db"))
        assert (
            quick("collection", "add", "files", str(tmp_path / name), db=tmp_path / f"{name}.db").status == 0
        )
    for name in ("one", "two"):
        (tmp_path / f"{name}.db").unlink()
    for name in ("two", "one"):
        assert quick("get", "files::page", db=tmp_path / f"{name}.db").out == f"# Page of {name}\n"
    quick("collection", "remove", "files", db=tmp_path / "one.db")
    tables = tomllib.loads((tmp_path / "config.toml").read_text())["collection"]
    assert [table["memory"] for table in tables] == ["two.db"]


def test_a_broken_config_is_named(notes: Notes) -> None:
    (notes.db.parent / "config.toml").write_text("[[collection]]\nname = \n")
    refused = notes.refused("list")
    assert refused["code"] == "invalid_input"
    assert "config.toml" in refused["message"]


def test_a_lost_memory_reads_nothing_where_reading_is_turned_off(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n")
    assert quick("init", tmp_path / "notes").status == 0
    (tmp_path / "notes" / ".quaid" / "memory.db").unlink()
    never = {"QUAID_SYNC_ON_READ": "never"}
    assert quick("list", "--json", cwd=tmp_path / "notes", env=never).json["pages"] == []
    named = quick("collection", "list", "--json", cwd=tmp_path / "notes", env=never).json["collections"]
    assert [each["folder"] for each in named] == [str(tmp_path / "notes")]
    assert [page["slug"] for page in quick("list", "--json", cwd=tmp_path / "notes").json["pages"]] == ["a"]


def test_broken_raw_data_does_not_cost_a_page(tmp_path: Path) -> None:
    (tmp_path / "notes" / ".raw").mkdir(parents=True)
    (tmp_path / "notes" / "a.md").write_text("# A\n")
    (tmp_path / "notes" / ".raw" / "a.json").write_text("{broken")
    said = quick("init", tmp_path / "notes").out
    assert "1 added; 1 page\n" in said
    assert "1 other file is no page\n" in said

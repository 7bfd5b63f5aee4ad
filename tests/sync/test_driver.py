"""Pages that git merges and replays with the driver: the same bytes everywhere, and no marks."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from quaid.errors import InvalidInput, NotFound
from quaid.formats.encoding import decode, encode
from quaid.formats.meld.clash import Clash
from quaid.sync.conflicts import conflict, conflicts, find_conflict, forget_conflict, note_clashes, settled
from quaid.sync.driver import ATTRIBUTES, Files, configure, merge_files
from quaid.sync.git import Git
from tests.odd_files import STRANGE

PAGE = """\
---
title: Tea
status: draft
tags: [a]
---
# Tea

## List

- [ ] oolong

## State

All is well.
"""
CLASH = Clash("text", "State", "b\n", "kept\n", "other\n", "2026-01-02", "2026-01-01")


class Clone:
    """A clone with the driver, and a clock of its own."""

    def __init__(self, place: Path, day: int, *, with_quaid: bool = True) -> None:
        self.place, self.page = place, place / "notes" / "tea.md"
        moment = f"2026-05-{day:02}T08:00:00+00:00"
        dates = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        names = {f"GIT_{who}_{what}": "anna" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        self._environment = dict(os.environ) | dates | names | {"HOME": str(place.parent)}
        if with_quaid:
            configure(Git(place, self._environment, None, lambda root: True))
            (place / ".gitattributes").write_text("\n".join(ATTRIBUTES) + "\n")

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ("git", *words), cwd=self.place, env=self._environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def write(self, text: str) -> None:
        self.page.parent.mkdir(exist_ok=True)
        self.page.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-qm", "change")

    @property
    def files(self) -> dict[str, bytes]:
        found = (path for path in self.place.rglob("*") if path.is_file() and ".git/" not in str(path))
        return {str(path.relative_to(self.place)): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A remote and two clones of it, which have changed the same page; the second one later."""
    place = tmp_path_factory.mktemp("start")
    subprocess.run(("git", "init", "-q", "--bare", "-b", "main", place / "hub"), check=True)
    for name, day in (("one", 1), ("two", 2)):
        subprocess.run(("git", "clone", "-q", place / "hub", place / name), check=True, capture_output=True)
        clone = Clone(place / name, day)
        clone.git("remote", "set-url", "origin", "../hub")  # where it is copied to
        clone.git("checkout", "-q", "-B", "main")
        if name == "one":
            clone.write(PAGE)
            clone.git("push", "-q", "-u", "origin", "main")
            clone.write(PAGE.replace("draft", "final").replace("[a]", "[a, b]").replace("- [ ]", "- [x]"))
        else:
            clone.git("reset", "-q", "--hard", "origin/main")
            clone.write(
                PAGE.replace("draft", "review").replace("[a]", "[a, c]").replace("well.", "well. So far.")
            )
        clone.git("push", "-q", "origin", f"main:{name}")
    Clone(place / "one", 1).git("fetch", "-q")
    return place


@pytest.fixture
def clones(start: Path, tmp_path: Path) -> tuple[Clone, Clone]:
    """Copies of the two clones."""
    shutil.copytree(start, tmp_path, dirs_exist_ok=True)
    return Clone(tmp_path / "one", 1, with_quaid=False), Clone(tmp_path / "two", 2, with_quaid=False)


MERGED = (
    PAGE.replace("draft", "review")
    .replace("[a]", "[a, c, b]")
    .replace("- [ ]", "- [x]")
    .replace("well.", "well. So far.")
)


def test_both_machines_merge_to_the_same_files(clones: tuple[Clone, Clone]) -> None:
    one, two = clones
    one.git("merge", "-q", "origin/two", "-m", "merge")
    two.git("merge", "-q", "origin/one", "-m", "merge")
    assert one.page.read_text() == MERGED
    assert one.files == two.files
    (left,) = conflicts(one.place)
    assert left.path == "notes/tea.md"
    assert (left.clash.kept, left.clash.other) == ("status: review\n", "status: final\n")
    assert (left.clash.kept_at, left.clash.other_at) == (
        "2026-05-02T08:00:00+00:00",
        "2026-05-01T08:00:00+00:00",
    )


def test_commits_are_replayed_with_the_same_result(clones: tuple[Clone, Clone]) -> None:
    one, two = clones
    one.git("rebase", "-q", "origin/two")
    two.git("rebase", "-q", "origin/one")
    assert one.page.read_text() == MERGED
    assert one.files == two.files
    assert len(conflicts(two.place)) == 1


def test_a_merge_of_two_merges_notes_no_clash_of_their_ancestors(clones: tuple[Clone, Clone]) -> None:
    one, two = clones
    for clone, other in ((one, "two"), (two, "one")):
        clone.git("merge", "-q", f"origin/{other}", "-m", "merge")
        clone.write(clone.page.read_text() + f"\nFrom {other}.\n")
        clone.git("push", "-q", "origin", f"main:{'one' if other == 'two' else 'two'}")
    one.git("fetch", "-q")
    one.git("merge", "-q", "origin/two", "-m", "again")
    text = one.page.read_text()
    assert text.startswith(MERGED)
    assert "From one." in text
    assert "From two." in text
    assert len(conflicts(one.place)) == 1


def test_where_quaid_is_missing_git_merges_as_ever(clones: tuple[Clone, Clone], tmp_path: Path) -> None:
    one, _ = clones
    subprocess.run(("git", "clone", "-q", tmp_path / "hub", tmp_path / "bare"), check=True)
    bare = Clone(tmp_path / "bare", 3, with_quaid=False)
    bare.git("checkout", "-q", "main")
    assert "merge=quaid" in (bare.place / ".gitattributes").read_text()
    bare.write(PAGE + "\nMore.\n")
    bare.git("merge", "-q", "origin/one", "-m", "merge")
    assert bare.page.read_text() == one.page.read_text() + "\nMore.\n"


def test_the_driver_is_set_up_once(clones: tuple[Clone, Clone]) -> None:
    one, _ = clones
    before = one.git("config", "--local", "--list")
    configure(Git(one.place, os.environ, None, lambda root: True))
    assert one.git("config", "--local", "--list") == before
    assert ATTRIBUTES == ("*.md merge=quaid", "*.markdown merge=quaid", "*.org merge=quaid")


def test_a_conflict_is_written_found_settled_and_forgotten(tmp_path: Path) -> None:
    (noted,) = note_clashes(tmp_path, "people/Änne M.md", [CLASH])
    assert note_clashes(tmp_path, "people/Änne M.md", [CLASH]) == (noted,)
    assert conflicts(tmp_path) == conflicts(tmp_path, "people/Änne M.md") == (noted,)
    assert conflicts(tmp_path, "other.md") == ()
    assert noted == conflict("people/Änne M.md", CLASH)
    assert [path.name for path in (tmp_path / ".conflicts").iterdir()] == [f"{noted.id}.json"]
    forget_conflict(tmp_path, noted.id)
    assert not (tmp_path / ".conflicts").exists()
    with pytest.raises(NotFound):
        find_conflict(tmp_path, noted.id)


def test_what_is_no_conflict_is_passed_over(tmp_path: Path) -> None:
    note_clashes(tmp_path, "a.md", [CLASH])
    for name, text in (("x", "{"), ("y", "[]"), ("z", '{"path": 1}')):
        (tmp_path / ".conflicts" / f"{name}.json").write_text(text)
    (tmp_path / ".conflicts" / "link.json").symlink_to(tmp_path / ".conflicts" / "x.json")
    assert len(conflicts(tmp_path)) == 1


@pytest.mark.parametrize(
    ("text", "wanted", "result"),
    [
        ("a\nkept\nb\n", "other\n", "a\nother\nb\n"),
        ("a\nkept", "other\n", "a\nother"),
        ("a\r\nkept\r\n", "mine", "a\r\nmine\r\n"),
        ("a\nkept\nb\n", "", "a\nb\n"),
        ("a\n", "kept\n", "a\n"),
    ],
)
def test_a_conflict_is_settled_in_the_page(text: str, wanted: str, result: str) -> None:
    assert settled(text, CLASH, wanted) == result


@pytest.mark.parametrize("text", ["a\n", "kept\nkept\n", "not kept\n"])
def test_a_page_that_has_changed_is_not_settled(text: str) -> None:
    with pytest.raises(InvalidInput):
        settled(text, CLASH, "other\n")


# Of half a character, what is written after it becomes a part.
WHOLE = sorted(set(STRANGE) - {"wide-odd-length", "wide-unmarked-odd"})


@pytest.mark.parametrize("name", WHOLE)
def test_files_of_any_bytes_are_merged_alike(tmp_path: Path, name: str) -> None:
    text, encoding = decode(STRANGE[name])
    sides = [encode(each, encoding) for each in (f"{text}\nanna\n", f"bert\n\n{text}")]
    results = []
    for ours, theirs in (sides, reversed(sides)):
        for place, data in (("base", STRANGE[name]), ("ours", ours), ("theirs", theirs)):
            (tmp_path / place).write_bytes(data)
        files = Files(tmp_path / "base", tmp_path / "ours", tmp_path / "theirs", "a.md")
        melded = merge_files(files, tmp_path, os.environ, ancestors=True)
        told = melded.text + "".join(each.other for each in melded.clashes)
        assert "anna" in told
        assert "bert" in told
        results.append((tmp_path / "ours").read_bytes())
    assert results[0] == results[1]


def test_conflicts_are_not_written_through_a_link(tmp_path: Path) -> None:
    """A repository brings `.conflicts` along as a link that leads out of it."""
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    root.mkdir()
    elsewhere.mkdir()
    (root / ".conflicts").symlink_to(elsewhere)
    for name, text in (("base", "a\n"), ("ours", "b\n"), ("theirs", "c\n")):
        (root / name).write_text(text)
    files = Files(root / "base", root / "ours", root / "theirs", "../../a.md")
    with pytest.raises(InvalidInput, match="is a link"):
        merge_files(files, root, os.environ, ancestors=False)
    assert (root / "ours").read_text() == "b\n"
    (root / ".conflicts").unlink()
    merge_files(files, root, os.environ, ancestors=False)
    assert not list(elsewhere.iterdir())
    assert sorted(path.name for path in root.iterdir()) == [".conflicts", "base", "ours", "theirs"]

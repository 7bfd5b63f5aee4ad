"""Which files of a folder are seen, and under which names."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import InvalidInput, StorageFailed
from quaid.vault import folder
from quaid.vault.folder import (
    PAGE_SUFFIXES,
    glance,
    is_page,
    is_sidecar,
    leaves_out,
    look,
    owner_of,
    read,
    real,
    sidecar_of,
    walk,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path.resolve() / "notes"
    place.mkdir()
    return place


def make(root: Path, *paths: str, text: str = "x") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def seen(root: Path, *patterns: str) -> set[str]:
    return set(walk(root, patterns).files) - {".quaidignore"}


# Patterns -----------------------------------------------------------------------------------------


def test_every_file_is_seen_with_size_time_and_inode(root: Path) -> None:
    make(root, "a.md", "b/c.org", "img/d.png", text="four")
    found = walk(root).files
    assert set(found) == {"a.md", "b/c.org", "img/d.png"}
    facts = (root / "b/c.org").stat()
    assert found["b/c.org"] == ("b/c.org", 4, facts.st_mtime_ns, facts.st_ino)


def test_directories_of_other_programs_are_not_entered(root: Path) -> None:
    make(
        root, "a.md", *(f"{name}/x.md" for name in folder.IGNORED), "sub/.git/x.md", "sub/node_modules/y/z.md"
    )
    found = walk(root)
    assert set(found.files) == {"a.md"}
    assert set(found.ignored) >= set(folder.IGNORED)


def test_hidden_directories_are_left_out_unless_named(root: Path) -> None:
    make(root, "a.md", ".claude/memory.md", "sub/.venv/lib/readme.md", ".notes/b.md", ".raw/a.json", ".c.md")
    assert seen(root) == {"a.md", ".raw/a.json", ".c.md"}
    assert seen(root, "!.notes/") == {"a.md", ".raw/a.json", ".c.md", ".notes/b.md"}
    assert seen(root / ".notes") == {"b.md"}
    assert leaves_out(root, ".claude/new.md")
    assert not leaves_out(root, ".raw/a.json")
    assert glance(root, [".claude/memory.md"]).files == {}
    make(root, ".quaidignore", text="!.claude/\n")
    assert seen(root) == {"a.md", ".raw/a.json", ".c.md", ".claude/memory.md"}


def test_a_file_may_be_called_like_such_a_directory(root: Path) -> None:
    make(root, "node_modules", ".trash")
    assert seen(root) == {"node_modules", ".trash"}


def test_files_that_are_about_to_take_a_place_are_never_seen(root: Path) -> None:
    make(root, ".quaid-0123.tmp", "sub/.quaid-x.md", ".quaidignored.md")
    assert seen(root) == {".quaidignored.md"}
    assert seen(root, "!.quaid-0123.tmp") == {".quaidignored.md"}


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["drafts/"], {"a.md", "x/b.md", "x/keep.md"}),
        (["*.md"], set()),
        (["*.md", "!a.md"], {"a.md"}),
        (["/b.md", "b.md"], {"a.md", "drafts/c.md", "x/drafts/d.md", "x/keep.md"}),
        (["/drafts"], {"a.md", "x/b.md", "x/drafts/d.md", "x/keep.md"}),
        (["x/*", "!x/keep.md"], {"a.md", "drafts/c.md", "x/keep.md"}),
        (["x/", "!x/keep.md"], {"a.md", "drafts/c.md"}),
        (["**/drafts/**"], {"a.md", "x/b.md", "x/keep.md"}),
        (["# a comment", "", "  "], {"a.md", "drafts/c.md", "x/b.md", "x/drafts/d.md", "x/keep.md"}),
        (["[ab].md"], {"drafts/c.md", "x/drafts/d.md", "x/keep.md"}),
    ],
)
def test_patterns_are_those_of_git(root: Path, patterns: list[str], expected: set[str]) -> None:
    make(root, "a.md", "drafts/c.md", "x/b.md", "x/drafts/d.md", "x/keep.md")
    assert seen(root, *patterns) == expected
    make(root, ".quaidignore", text="\n".join(patterns))
    assert seen(root) == expected
    make(root, ".quaidignore", text="\r\n".join(patterns))
    assert seen(root) == expected


def test_the_nearest_file_of_patterns_has_the_last_word(root: Path) -> None:
    make(root, "a.tmp.md", "x/a.tmp.md", "x/y/a.tmp.md")
    make(root, ".quaidignore", text="*.tmp.md\n")
    make(root, "x/.quaidignore", text="!*.tmp.md\n")
    make(root, "x/y/.quaidignore", text="/a.tmp.md\n")
    assert {path for path in seen(root) if is_page(path)} == {"x/a.tmp.md"}


def test_the_defaults_can_be_taken_back(root: Path) -> None:
    make(root, ".obsidian/a.md", ".git/b.md", "x/node_modules/c.md")
    assert seen(root, "!.obsidian/") == {".obsidian/a.md"}
    make(root, "x/.quaidignore", text="!node_modules/\n")
    assert {path for path in seen(root) if is_page(path)} == {"x/node_modules/c.md"}


@pytest.mark.parametrize("line", ["!", "\\", "a\\", "[", "///", "\0", "!!", "\ufeff*.log"])
def test_a_pattern_that_is_none_harms_nobody(root: Path, line: str) -> None:
    make(root, "a.md", "drafts/b.md")
    make(root, ".quaidignore", text=f"{line}\ndrafts/\n")
    assert seen(root) == {"a.md"}
    assert seen(root, line) == {"a.md"}


@pytest.mark.parametrize(
    "path",
    ["a.md", "drafts/x/y.md", "x/keep.md", "x/other.md", ".git/a.md", "node_modules/n.md", "new/.trash/q.md"],
)
def test_what_would_be_left_out_is_known_before_it_is_there(root: Path, path: str) -> None:
    make(root, ".quaidignore", text="drafts/\n")
    make(root, "x/.quaidignore", text="*\n!keep.md\n")
    before = leaves_out(root, path)
    make(root, path)
    assert (path not in walk(root).files) is before
    assert leaves_out(root, path) is before
    assert leaves_out(root, path, ["*.md", "!x/"]) is (path != "x/keep.md")


# Glances ------------------------------------------------------------------------------------------


def test_a_glance_sees_what_a_walk_sees(root: Path) -> None:
    make(root, "a.md", "x/b.md", "x/y/c.md", "drafts/d.md", ".git/e.md", "x/f.tmp")
    make(root, ".quaidignore", text="drafts/\n")
    make(root, "x/.quaidignore", text="*.tmp\n")
    (root / "x/link.md").symlink_to(root / "a.md")
    whole = walk(root)
    for path in ["a.md", "x/b.md", "x/y/c.md", "drafts/d.md", ".git/e.md", "x/f.tmp", "x/link.md", "none.md"]:
        found = glance(root, [path])
        assert found.files == ({path: whole.files[path]} if path in whole.files else {})
    assert set(glance(root, ["x"]).files) == {"x/b.md", "x/y/c.md", "x/.quaidignore"}
    assert set(glance(root, ["a.md", "x/y", "drafts"]).files) == {"a.md", "x/y/c.md"}
    assert glance(root, ["x/link.md"]).skipped == tuple(s for s in whole.skipped if s.path == "x/link.md")
    assert glance(root, ["a.md/x.md", "none/x.md"]).files.keys() <= {"a.md"}
    assert glance(root / "none", ["a.md"]).files == {}


# Links and devices --------------------------------------------------------------------------------


def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    make(tmp_path, "outside/secret.md", "outside.md")
    make(root, "a.md", "x/b.md")
    (root / "file.md").symlink_to(tmp_path / "outside.md")
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "inside.md").symlink_to("a.md")
    (root / "dangling.md").symlink_to("nowhere")
    (root / "x/loop").symlink_to("..")
    found = walk(root)
    assert set(found.files) == {"a.md", "x/b.md"}
    assert {each.path for each in found.skipped} == {
        "file.md", "folder", "inside.md", "dangling.md", "x/loop"
    }  # fmt: skip
    assert found.may_hold("folder/secret.md")
    assert not found.may_hold("folders/secret.md")


@pytest.mark.parametrize("path", ["file.md", "folder/secret.md", "x/loop/a.md"])
def test_nothing_is_read_through_a_link(root: Path, tmp_path: Path, path: str) -> None:
    make(tmp_path, "outside/secret.md")
    make(root, "a.md", "x/b.md")
    (root / "file.md").symlink_to(tmp_path / "outside/secret.md")
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "x/loop").symlink_to("..")
    assert look(root, path) is None
    with pytest.raises((OSError, InvalidInput)):
        read(root, path)


@pytest.mark.parametrize(
    "path", ["", "/", "/etc/passwd", "..", "../x", "x/../../y", "a//b", "./a", "a/.", "a\0b"]
)
def test_no_path_leads_out(root: Path, path: str) -> None:
    with pytest.raises(InvalidInput):
        real(root, path)
    assert look(root, path) is None


def test_a_folder_that_is_itself_reached_through_a_link_is_read(root: Path, tmp_path: Path) -> None:
    make(root, "x/a.md")
    (tmp_path / "alias").symlink_to(root)
    assert set(walk(tmp_path / "alias").files) == {"x/a.md"}
    assert read((tmp_path / "alias").resolve(), "x/a.md") == b"x"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    found = walk(root)
    assert found.files == {}
    assert [(each.path, each.reason) for each in found.skipped] == [("pipe.md", "not a regular file")]
    with pytest.raises(OSError, match="regular"):
        read(root, "pipe.md")


def test_a_folder_that_is_not_there(root: Path) -> None:
    with pytest.raises(StorageFailed):
        walk(root / "none")
    make(root, "a.md")
    with pytest.raises(StorageFailed):
        walk(root / "a.md")


UNREADABLE = """
import os, sys
from pathlib import Path
from quaid.vault.folder import walk
if os.geteuid() == 0:
    os.setuid(65534)
found = walk(Path(sys.argv[1]))
skipped = sorted((each.path, each.reason) for each in found.skipped)
print(sorted(found.files), skipped, found.may_hold("closed/a.md"))
"""


@pytest.mark.skipif(os.name != "posix", reason="about permissions of POSIX")
def test_a_directory_that_may_not_be_read_does_not_stop_the_walk(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # another user may not enter pytest's directories
        root = Path(name)
        root.chmod(0o755)
        make(root, "a.md", "closed/a.md", "z/b.md")
        (root / "closed").chmod(0)
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", UNREADABLE, name],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        (root / "closed").chmod(0o755)
        assert done.stdout.strip() == (
            "['a.md', 'z/b.md'] [('closed', 'cannot be read: Permission denied')] True"
        ), done.stderr


# Names --------------------------------------------------------------------------------------------

NAMES = [
    b"line\nbreak.md",
    b" spaces .md",
    b"tab\there.md",
    unicodedata.normalize("NFD", "Ångström.md").encode(),
    "Ångström.md".encode(),
    "学习.md".encode(),
    "\U0001f9ad.md".encode(),
    "\ue000 private.md".encode(),
    b"caf\xe9.md",
    b"\xff\xfe\x80.md",
    b"\xed\xa0\x80.md",
    b"back\\slash.md",
    b"quote\"'.md",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_found_again(root: Path, name: bytes) -> None:
    for directory in (b"", b"sub/"):
        place = os.path.join(os.fsencode(root), directory + name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(directory + b"bytes")
    found = walk(root)
    assert len(found.files) == 2
    assert not found.skipped
    for path, facts in found.files.items():
        path.encode()  # can be stored
        assert is_page(path)
        assert read(root, path).endswith(b"bytes")
        assert look(root, path) == facts
        assert glance(root, [path]).files == {path: facts}
        assert os.fsencode(real(root, path)).endswith(name)


def test_a_name_that_looks_like_another_one_in_disguise_is_skipped(root: Path) -> None:
    make(root, "caf\uf7e9.md", "dir\uf780/a.md")
    with open(os.path.join(os.fsencode(root), b"caf\xe9.md"), "wb") as file:
        file.write(b"odd bytes")
    found = walk(root)
    assert list(found.files) == ["caf\uf7e9.md"]
    assert read(root, "caf\uf7e9.md") == b"odd bytes"
    assert len(found.skipped) == 2


@pytest.mark.parametrize(
    ("path", "page", "sidecar"),
    [
        ("a.md", True, False),
        ("A.MD", True, False),
        ("x/y.org", True, False),
        ("a.markdown", True, False),
        (".md", True, False),
        ("a.txt", False, False),
        ("md", False, False),
        ("x/.raw/a.json", False, True),
        (".raw/a.json", False, True),
        (".raw/a.md", False, False),
        ("x/.raw/sub/a.md", False, False),
        (".raw/sub/a.json", False, False),
        ("raw/a.json", False, False),
    ],
)
def test_pages_and_raw_data_are_known_by_their_names(path: str, page: bool, sidecar: bool) -> None:
    assert (is_page(path), is_sidecar(path)) == (page, sidecar)


PAGES = st.builds(
    lambda folders, stem, suffix: "/".join([*folders, stem + suffix]),
    st.lists(st.sampled_from(["x", "y.md", "Z"]), max_size=2),
    st.sampled_from(["a", "A", "a.md", "a.org", "a.b", "", ".raw", "a.MD", "json"]),
    st.sampled_from([*PAGE_SUFFIXES, ".MD", ".Org"]),
)


@given(one=PAGES, other=PAGES)
def test_every_page_has_raw_data_of_its_own(one: str, other: str) -> None:
    assert is_sidecar(sidecar_of(one))
    assert owner_of(sidecar_of(one)) == one
    assert one == other or sidecar_of(one) != sidecar_of(other)

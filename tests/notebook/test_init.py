"""Making a notebook, or adopting a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.notebook.places import FILES, FOLDERS, furnish
from tests.support import quick


def files(root: Path) -> dict[str, str]:
    return {
        place.relative_to(root).as_posix(): place.read_text()
        for place in root.rglob("*")
        if place.is_file() and ".quaid" not in place.parts
    }


def test_a_new_notebook_has_its_folders_and_first_files(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    made = quick("init", str(root), "--profile", "notebook")
    assert (made.status, made.err) == (0, "")
    assert "7 pages" in made.out
    assert files(root) == FILES
    assert all((root / name).is_dir() for name in FOLDERS)
    assert (root / "lists").stat().st_mode & 0o777 == 0o700
    assert (root / "lists/todos.md").stat().st_mode & 0o777 == 0o600
    assert (root / "lists/todos.md").stat().st_nlink == 1


def test_a_second_time_nothing_changes(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    quick("init", str(root), "--profile", "notebook")
    (root / "lists/todos.md").unlink()
    (root / "lists/shopping.md").write_text("- Mine\n")
    before = files(root)
    for words in (("--profile", "notebook"), ()):
        again = quick("init", str(root), *words)
        assert again.status == 0
        assert "already" in again.out
    assert files(root) == before


def test_a_folder_of_notes_is_adopted_as_it_is(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    (root / "lists").mkdir(parents=True)
    (root / "lists/groceries.md").write_text("- Milk\n")
    assert quick("init", str(root), "--profile", "notebook").status == 0
    assert files(root) == {"lists/groceries.md": "- Milk\n"}
    assert all((root / name).is_dir() for name in FOLDERS)


def test_another_profile_of_the_same_folder_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "a.md").write_text("x\n")
    quick("init", str(root))
    refused = quick("init", str(root), "--profile", "notebook")
    assert refused.status == 4
    assert "profile vault" in refused.err
    assert files(root) == {"a.md": "x\n"}


def test_a_profile_is_for_folders(tmp_path: Path) -> None:
    refused = quick("init", str(tmp_path / "x.db"), "--profile", "notebook")
    assert refused.status == 2
    assert not (tmp_path / "x.db").exists()


def test_nothing_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/todos.txt").write_text("x")
    assert furnish(tmp_path) == tuple(FILES)
    assert furnish(tmp_path) == ()


def test_what_is_in_the_way_is_said(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "daily").write_text("a file\n")
    refused = quick("init", str(root), "--profile", "notebook")
    assert refused.status in (2, 9, 10)
    assert "daily" in refused.err


@pytest.mark.parametrize("name", ["memory.db", "x.sqlite"])
def test_memories_without_folders_are_made_as_before(tmp_path: Path, name: str) -> None:
    assert quick("init", str(tmp_path / name)).status == 0

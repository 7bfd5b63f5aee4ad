"""Pages handed to an editor, and to what the system opens files with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import PROGRAM, quick

# An editor is a program that is given a file; these change what stands in it.
GREEN = "sed -i s/red/green/"


@pytest.fixture
def native(db: Path) -> Path:
    quick("init", db)
    quick("put", "notes/tea", input="# Tea\n\nIt is red.\n", db=db)
    return db


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "Tea Notes.md").write_text("# Tea\n\nIt is red.\n")
    quick("init", folder)
    return folder


def test_a_page_of_the_memory_is_edited_as_a_copy(native: Path) -> None:
    ran = quick("edit", "tea", db=native, env={"VISUAL": "", "EDITOR": GREEN})
    assert ran.out == "notes/tea changed, version 2\n"
    assert quick("get", "tea", db=native).out == "# Tea\n\nIt is green.\n"
    ran = quick("edit", "tea", db=native, env={"VISUAL": "true", "EDITOR": GREEN})
    assert ran.out == "notes/tea unchanged, version 2\n"


def test_a_file_is_edited_where_it_is(vault: Path) -> None:
    ran = quick("edit", "Tea Notes", cwd=vault, env={"VISUAL": "", "EDITOR": GREEN})
    assert (ran.out, ran.err) == ("tea-notes changed, version 2\n", "")
    assert (vault / "Tea Notes.md").read_text() == "# Tea\n\nIt is green.\n"
    assert quick("history", "tea-notes", "--json", cwd=vault).json["versions"][0]["by"] == "edit"


def program(place: Path, *lines: str) -> str:
    """An editor of some lines of shell; "$1" is the file."""
    place.write_text("\n".join(["#!/bin/sh", *lines]))
    place.chmod(0o755)
    return str(place)


def test_what_others_write_meanwhile_is_no_loss(native: Path, tmp_path: Path) -> None:
    editor = program(
        tmp_path / "editor", GREEN + ' "$1"', f"{PROGRAM} --db {native} tag notes/tea hot >/dev/null"
    )
    ran = quick("edit", "notes/tea", "--json", db=native, env={"VISUAL": editor})
    assert ran.status == 4
    assert ran.error["current_version"] == 2
    kept = Path(ran.error["hint"].split("kept in ")[1].split(". Merge")[0])
    assert kept.read_text() == "# Tea\n\nIt is green.\n"
    assert "It is red." in quick("get", "notes/tea", db=native).out


def test_who_else_wrote_to_the_file_is_said(vault: Path, tmp_path: Path) -> None:
    editor = program(tmp_path / "editor", f"{PROGRAM} tag tea-notes hot >/dev/null", GREEN + ' "$1"')
    ran = quick("edit", "tea-notes", cwd=vault, env={"VISUAL": editor, "QUAID_ACTOR": "robot"})
    assert ran.out == "tea-notes changed, version 3\n"
    assert "While you edited, robot wrote version 2 of tea-notes." in ran.err


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("false", "false ended with status 1"),
        ("no-such-editor -w", "no editor 'no-such-editor'"),
        ("'", "command"),
    ],
)
def test_an_editor_that_does_not_work(native: Path, editor: str, said: str) -> None:
    ran = quick("edit", "notes/tea", db=native, env={"VISUAL": editor})
    assert ran.status in (2, 3)
    assert said in ran.err
    assert quick("get", "notes/tea", db=native).out == "# Tea\n\nIt is red.\n"


def test_open_prints_where_a_file_is(vault: Path, native: Path) -> None:
    assert quick("open", "tea-notes", cwd=vault).out == f"{vault / 'Tea Notes.md'}\n"
    ran = quick("open", "notes/tea", db=native)
    assert ran.status == 3
    assert "`quaid edit notes/tea`" in ran.err

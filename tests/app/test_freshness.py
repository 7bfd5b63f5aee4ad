"""An answer that may be old says so."""

from __future__ import annotations

import gc
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.support import Ran, held, mounted, quaid, quick, unprivileged


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "alice.md").write_text("# Alice\n\nShe likes tea.\n")
    return folder


def made(db: Path, notes: Path) -> None:
    for words in (("init", str(db)), ("collection", "add", "notes", str(notes)), ("compact",)):
        assert quaid(*words, db=None if words[0] == "init" else db).status == 0


def asked(db: Path, run: Callable[..., Ran] = quaid) -> list[Ran]:
    """As processes, which leave no file open."""
    return [
        run(*words, db=db) for words in (("get", "notes::alice"), ("search", "alice"), ("list", "--json"))
    ]


def test_a_memory_on_a_read_only_disk(tmp_path: Path, notes: Path) -> None:
    with mounted(tmp_path / "disk") as disk:
        made(disk / "memory.db", notes)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        for ran in asked(disk / "memory.db"):
            assert (ran.status, ran.err) == (0, "")  # nothing has changed
        (notes / "alice.md").write_text("# Alice\n\nShe likes coffee by now.\n")
        for ran in asked(disk / "memory.db"):
            assert ran.status == 0
            assert "notes may be out of date: its files have changed" in ran.err
            assert "cannot be written" in ran.err


@pytest.mark.parametrize("what", ["file", "directory"])
def test_a_memory_that_one_may_only_read(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory(dir="/tmp") as name:  # where another user can go
        monkeypatch.setenv("HOME", name)
        theirs, notes = Path(name) / "theirs", Path(name) / "notes"
        for folder in (theirs, notes):
            folder.mkdir()
        (notes / "alice.md").write_text("# Alice\n\nShe likes tea.\n")
        made(theirs / "memory.db", notes)
        for _ in range(2):  # nothing is loaded later, from where another user cannot read
            (notes / "alice.md").write_text("# Alice\n\nShe likes tea a lot.\n")
            assert [ran.err for ran in asked(theirs / "memory.db", quick)] == ["", "", ""]
        (notes / "alice.md").write_text("# Alice\n\nShe likes coffee by now.\n")
        gc.collect()
        with unprivileged(Path(name)):
            (theirs / "memory.db").chmod(0o444 if what == "file" else 0o644)
            theirs.chmod(0o555)
            for ran in asked(theirs / "memory.db", quick):
                assert ran.status == 0, ran.err
                assert "notes may be out of date" in ran.err
            theirs.chmod(0o755)


def test_a_memory_to_which_another_process_writes(tmp_path: Path, notes: Path) -> None:
    db = tmp_path / "memory.db"
    made(db, notes)
    (notes / "alice.md").write_text("# Alice\n\nShe likes coffee by now.\n")
    with held(db, "BEGIN IMMEDIATE"):
        ran = quick("get", "notes::alice", db=db)
    assert "tea" in ran.out
    assert "another process is writing" in ran.err

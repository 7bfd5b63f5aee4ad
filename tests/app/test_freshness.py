"""An answer that may be old says so."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from quaid.app import Surroundings, freshness, open_app
from quaid.settings import Settings
from quaid.store import collections, leases
from quaid.system import host_name
from quaid.vault.agreement import Agreement, agreement
from quaid.vault.tripwire import Tripwires
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


class Serving:
    """A process that goes on living, as `quaid serve` does: it notes how often it looks at all files."""

    def __init__(self, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looks = 0
        self.wires = Tripwires()
        self.app = open_app(db, Settings(), Surroundings(home=db.parent, tripwires=self.wires))
        monkeypatch.setattr(freshness, "agreement", self._agreement)

    def asks(self) -> str:
        self.app.freshen()
        slug, text = self.app.connection.execute(
            "SELECT slug, compiled_truth FROM live_pages WHERE slug LIKE '%alice'"
        ).fetchone()
        return f"{slug} {text}"

    def _agreement(self, *given: Any) -> Agreement:
        self.looks += 1
        return agreement(*given)


@pytest.fixture
def serving(tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    made(tmp_path / "memory.db", notes)
    opened = Serving(tmp_path / "memory.db", monkeypatch)
    yield opened
    opened.wires.close()
    opened.app.store.close()


linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of changes before they return")


@linux
def test_a_folder_that_nobody_touched_is_looked_at_once(serving: Serving) -> None:
    for _ in range(20):
        assert "tea" in serving.asks()
    assert serving.looks == 1


@linux
def test_what_another_process_wrote_before_the_question_is_in_the_answer(
    serving: Serving, notes: Path
) -> None:
    serving.asks()
    for drink in ("coffee", "milk", "water", "juice", "cocoa", "wine"):
        script = f"printf '# Alice\\n\\nShe likes {drink}.\\n' > new && mv new alice.md"
        subprocess.run(["sh", "-c", script], cwd=notes, check=True)
        assert drink in serving.asks()  # at once: no moment of quiet is waited for, nor a rest
        assert drink in serving.asks()


@linux
def test_a_folder_is_looked_at_from_time_to_time_all_the_same(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving.asks()
    monkeypatch.setattr(freshness, "TRUSTED", 0.0)
    serving.app = serving.app.reread()
    for looks in (2, 3, 4):
        serving.asks()
        assert serving.looks == looks


@linux
def test_what_could_not_be_read_is_tried_again(serving: Serving, notes: Path, tmp_path: Path) -> None:
    serving.asks()
    (notes / "alice.md").write_text("# Alice\n\nShe likes coffee by now.\n")
    with held(tmp_path / "memory.db", "BEGIN IMMEDIATE"):
        assert "tea" in serving.asks()
    assert "coffee" in serving.asks()


@pytest.fixture
def asking(serving: Serving) -> Serving:
    """The same without a tripwire, as on other systems."""
    serving.app = open_app(
        serving.app.store.path, Settings(), Surroundings(home=serving.app.store.path.parent)
    )
    return serving


def test_a_folder_that_takes_long_is_not_looked_at_twice_within_a_second(
    asking: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "DEAR", -1.0)
    for at, looks in ((100.0, 1), (100.5, 1), (100.99, 1), (101.0, 2), (101.5, 2), (102.1, 3)):
        monkeypatch.setattr(freshness.time, "monotonic", lambda at=at: at)
        asking.asks()
        assert asking.looks == looks


def test_another_command_sees_an_edit_at_once_all_the_same(tmp_path: Path, notes: Path) -> None:
    made(tmp_path / "memory.db", notes)
    for drink in ("coffee", "milk", "water"):
        (notes / "alice.md").write_text(f"# Alice\n\nShe likes {drink}.\n")
        assert drink in quick("search", drink, db=tmp_path / "memory.db").out


def test_where_a_large_folder_is_watched_nobody_else_looks(
    asking: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "WATCHED", 0)
    row = collections.of_files(asking.app.connection)[0]
    with asking.app.store.write() as connection:
        assert leases.take(connection, row.id, "watcher", os.getpid(), host_name(), asking.app.now())
    asking.asks()
    assert asking.looks == 0
    with asking.app.store.write() as connection:
        leases.release(connection, "watcher")
    asking.asks()
    assert asking.looks == 1

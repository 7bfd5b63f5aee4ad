"""Whether a folder was touched: what another process did before is known at once, and noise is not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quaid.vault import tripwire
from quaid.vault.tripwire import Tripwires
from tests.support import mounted

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells of changes before they return")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "people").mkdir(parents=True)
    (folder / ".quaid").mkdir()
    (folder / "people" / "alice.md").write_text("# Alice\n")
    return folder


@pytest.fixture
def wires() -> Iterator[Tripwires]:
    made = Tripwires()
    yield made
    made.close()


def by_another_process(script: str, folder: Path) -> None:
    subprocess.run(["sh", "-c", script], cwd=folder, check=True)


TOUCHES = [
    "echo more >> people/alice.md",
    "echo new > bob.org",
    "rm people/alice.md",
    "mv people/alice.md people/eve.md",
    "touch -d 2001-01-01 people/alice.md",
    "mkdir -p a/b && echo deep > a/b/c.md",
    "mv people friends",
    "echo '*.md' > .quaidignore",
    "mkdir people/.raw && echo {} > people/.raw/alice.json",
    "cp people/alice.md .alice && mv .alice people/alice.md",
]
NOISE = [
    "cat people/alice.md",
    "echo x > .quaid/memory.db",
    "echo x > memory.db-wal",
    "echo x > people/.quaid-1234.md",
    "mkdir .git && echo x > .git/HEAD",
]


@pytest.mark.parametrize("script", TOUCHES)
def test_what_another_process_did_is_known(script: str, notes: Path, wires: Tripwires) -> None:
    before = wires.mark(notes)
    assert before is not None
    assert wires.mark(notes) == before
    by_another_process(script, notes)
    after = wires.mark(notes)
    assert after not in (before, None)
    assert wires.mark(notes) == after


@pytest.mark.parametrize("script", NOISE)
def test_what_is_no_page_is_no_news(script: str, notes: Path, wires: Tripwires) -> None:
    before = wires.mark(notes)
    by_another_process(script, notes)
    assert wires.mark(notes) == before


def test_new_directories_are_watched_too(notes: Path, wires: Tripwires) -> None:
    wires.mark(notes)
    by_another_process("mkdir -p a/b", notes)
    before = wires.mark(notes)
    by_another_process("echo deep > a/b/c.md", notes)
    assert wires.mark(notes) != before


def test_a_folder_that_is_replaced(notes: Path, wires: Tripwires) -> None:
    before = wires.mark(notes)
    by_another_process("mv notes old && mkdir notes && echo other > notes/x.md", notes.parent)
    after = wires.mark(notes)
    assert after not in (before, None)
    by_another_process("echo more >> notes/x.md", notes.parent)
    assert wires.mark(notes) not in (before, after, None)


def test_a_folder_above_is_renamed(notes: Path, wires: Tripwires) -> None:
    wires.mark(notes)
    by_another_process("mv notes old", notes.parent)
    assert wires.mark(notes) is None


def test_events_that_were_lost(notes: Path, wires: Tripwires, monkeypatch: pytest.MonkeyPatch) -> None:
    before = wires.mark(notes)
    lost = iter([(tripwire.OVERFLOW, "")])
    monkeypatch.setattr(tripwire, "_events", lambda queue: lost)
    assert wires.mark(notes) not in (before, None)


@pytest.mark.parametrize(
    "change",
    [
        lambda patch: patch.setattr(tripwire, "MOST_DIRECTORIES", 1),
        lambda patch: patch.setattr(tripwire, "OWN_DISKS", []),
    ],
    ids=["too many directories", "a disk of others"],
)
def test_where_nobody_can_tell(
    change: Callable[[pytest.MonkeyPatch], None],
    notes: Path,
    wires: Tripwires,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    change(monkeypatch)
    assert wires.mark(notes) is None


def test_another_disk_within_the_folder(notes: Path, wires: Tripwires) -> None:
    with mounted(notes / "disk"):
        assert wires.mark(notes) is None


def test_no_file_stays_open(notes: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    wires = Tripwires()
    wires.mark(notes)
    wires.close()
    assert len(os.listdir("/proc/self/fd")) == before

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from quaid.errors import Busy
from quaid.store import tickets
from quaid.store.connection import Store
from tests.support import PATIENCE, eventually

needs_locks = pytest.mark.skipif(not tickets._SUPPORTED, reason="NOT TESTED: no locks of open files here")


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    Store.create(tmp_path / "memory.db").close()
    return tmp_path / "memory.db"


def taken(memory: Path) -> int:
    """How many numbers were taken."""
    place = Path(f"{memory}.turn")
    return int.from_bytes(place.read_bytes()[:8], "little") if place.exists() else 0


def wait_for(memory: Path, count: int) -> None:
    eventually(lambda: taken(memory) >= count)


@needs_locks
def test_who_asks_first_is_first(memory: Path) -> None:
    order: list[int] = []

    def write(number: int) -> None:
        store = Store.open(memory)
        with store.write():
            order.append(number)
        store.close()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(12)]
    first = Store.open(memory)
    with first.write():
        for count, thread in enumerate(threads, 1):
            thread.start()
            wait_for(memory, count)
    for thread in threads:
        thread.join(PATIENCE)
    first.close()
    assert order == list(range(12))
    assert not Path(f"{memory}.turn").exists(), "the last one takes it away"


SCRIPT = """
import sys
from pathlib import Path
from quaid.store.connection import Store
with Store.open(Path(sys.argv[1])).write():
    print("writes", flush=True)
    sys.stdin.read()
"""


@needs_locks
def test_who_dies_holds_nobody_up(memory: Path) -> None:
    def begin() -> subprocess.Popen[bytes]:
        words = [sys.executable, "-c", SCRIPT, str(memory)]
        return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    writing = begin()
    assert writing.stdout
    assert writing.stdout.readline() == b"writes\n"
    queued = begin()
    wait_for(memory, 1)
    for process in (queued, writing):
        process.kill()
        process.communicate()
    store = Store.open(memory)
    assert Path(f"{memory}.turn").exists()
    with store.write():
        pass
    assert not Path(f"{memory}.turn").exists()
    store.close()


@needs_locks
def test_who_does_not_wait_is_told(memory: Path) -> None:
    store, other = Store.open(memory), Store.open(memory)
    with other.write(), pytest.raises(Busy), store.impatient(0), store.write():
        pass
    with store.impatient(0), store.write():
        pass
    store.close()
    other.close()


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "nonsense", "last"])
def test_what_lies_in_the_place_of_the_numbers(memory: Path, tmp_path: Path, kind: str) -> None:
    place, other = Path(f"{memory}.turn"), tmp_path / "other"
    other.write_bytes(b"mine")
    if kind == "link":
        place.symlink_to(other)
    elif kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.write_bytes(b"\xff" * 100 if kind == "nonsense" else (2**60 - 1).to_bytes(8, "little"))
    store = Store.open(memory)
    for _ in range(3):
        with store.write():
            pass
    store.close()
    assert other.read_bytes() == b"mine"

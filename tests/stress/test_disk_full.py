"""A disk that takes no more: a clear error, and nothing half-written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quaid.app import App
from tests.support import PATIENCE, PROGRAM, call, dump, environment, mounted, quick

pytestmark = pytest.mark.stress

# A process that may not make any file larger than this sees writes fail as on a full disk.
LIMITED = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # half a module would be left for others
os.execv(sys.argv[2], sys.argv[2:])
"""


def limited(limit: int, *words: str, db: Path, input: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(limit), PROGRAM, *words],
        input=input.encode(),
        env=environment(db),
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.fixture
def memory(app: App, db: Path) -> Path:
    call(app, "put", slug="a", content="# A\n\nwalrus\n")
    call(app, "compact")
    app.store.close()
    return db


@pytest.mark.parametrize("room", [0, 4_096, 40_000, 100_000])
def test_a_file_that_cannot_grow(memory: Path, room: int) -> None:
    before = dump(memory)
    words = (
        ("put", "big", "--json"),
        ("put", "a", "--json"),
    )
    for each in words:
        done = limited(room, *each, db=memory, input="".join(f"word{n} " for n in range(60_000)))
        assert done.returncode == 10, done
        error = json.loads(done.stderr)["error"]
        assert error["code"] == "storage"
        assert error["hint"]
        assert done.stdout == b""
        assert dump(memory) == before
    assert quick("get", "a", db=memory).out == "# A\n\nwalrus\n"
    assert quick("validate", "--all", db=memory).status == 0
    assert quick("put", "big", input="fits now", db=memory).status == 0


def test_a_full_disk(tmp_path: Path) -> None:
    """A real one: a small file system in memory."""
    with mounted(tmp_path / "disk", "size=2m") as disk:
        db = disk / "memory.db"
        assert quick("init", db).status == 0
        assert quick("put", "a", input="# A\n", db=db).status == 0
        statuses = []
        for number in range(120):
            ran = quick("put", f"p-{number}", "--json", input="filler " * 4000, db=db)
            statuses.append(ran.status)
            if ran.status:
                assert (ran.status, ran.error["code"]) == (10, "storage")
                break
        assert statuses[-1] == 10, "the disk never became full"
        kept = statuses.count(0)
        assert quick("get", "a", db=db).out == "# A\n"
        pages = quick("list", "--json", "--limit", "100", db=db).json["pages"]
        assert len(pages) == kept + 1
        assert quick("validate", "--all", db=db).status in (0, 10)

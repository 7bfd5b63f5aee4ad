"""Several agents write at once: none is lost, none fails, and every commit is sound."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kb.conftest import own_directories
from tests.kb.repositories import Repository, World
from tests.support import lengths

pytestmark = pytest.mark.stress
__all__ = ["own_directories"]

WRITES = 4
WORKER = """
import sys
from quaid.cli.ai_kb import main
root, worker, writes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(writes):
    name = f"w{worker}n{number}"
    status = main(["--kb", root, "remember", "--title", f"Matter {name}", "--summary", f"About {name}.",
                   "--force-new", "--body", f"Text of {name}."])
    if status:
        sys.exit(status)
"""


@lengths("writers", 4, 8)
def test_writers_at_once(tmp_path: Path, writers: int) -> None:
    kb = World(tmp_path).shared("kb")
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, kb.root, str(number), str(WRITES)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        for number in range(writers)
    ]
    for worker in workers:
        out, err = worker.communicate()
        assert worker.returncode == 0, err
        assert out.count("created: ") == WRITES
    assert len(kb.subjects()) == 1 + writers * WRITES
    assert kb.changes == ""
    assert kb.ok("status", "--json").json["nodes"] == writers * WRITES
    assert kb.ok("lint").out == "sound\n"
    for commit in kb.git("rev-list", "HEAD").splitlines()[:-1]:
        listed = kb.git("show", f"{commit}:index.org").count("About w")
        nodes = [path for path in kb.git("ls-tree", "--name-only", commit).splitlines() if "matter" in path]
        assert listed == len(nodes)


def test_two_machines_and_a_timer(tmp_path: Path) -> None:
    """Writers on two clones while both push: afterwards one resolves, and both know everything."""
    world = World(tmp_path)
    one = world.shared("one")
    two = world.clone("two")
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, clone.root, str(number), "3"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        for number, clone in enumerate((one, two))
    ]
    for _ in range(6):
        for clone in (one, two):
            clone.ok("push", "--if-ahead")
    for worker in workers:
        assert worker.communicate() is not None
        assert worker.returncode == 0
    for clone in (one, two, one):
        _bring_together(clone)
    assert one.head == two.head
    assert one.ok("status", "--json").json["nodes"] == 6
    assert one.ok("lint").out == "sound\n"


def _bring_together(clone: Repository) -> None:
    clone.ok("resolve-divergence", "--yes")
    clone.ok("push")

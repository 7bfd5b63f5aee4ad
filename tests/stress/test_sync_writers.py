"""Pages that are written on two machines while both exchange them: every entry is there in the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import lengths
from tests.sync.machines import World, settle

pytestmark = pytest.mark.stress

WRITER = """
import sys
from quaid.cli.main import main
name, count = sys.argv[1], int(sys.argv[2])
for n in range(count):
    assert main(["timeline-add", "bob", "--date", "2026-01-02", "--summary", f"{name} {n}"]) == 0
"""


@lengths("count", 6, 60)
def test_writers_and_rounds_at_the_same_time(tmp_path: Path, count: int) -> None:
    world = World(tmp_path)
    machines = [world.machine("one", {"bob.md": "# Bob\n\nLives in Oslo.\n"}), world.machine("two")]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, machine.root.name, str(count)],
            cwd=machine.root,
            stdout=subprocess.DEVNULL,
        )
        for machine in machines
    ]
    while any(writer.poll() is None for writer in writers):
        for machine in machines:
            assert machine.sync()["outcome"] != "failed"
    assert [writer.returncode for writer in writers] == [0, 0]
    settle(machines)
    one, two = machines
    assert one.files == two.files
    entries = one.ok("timeline", "bob", "--limit", "1000").out
    assert not [n for n in range(count) for name in ("one", "two") if f"{name} {n}\n" not in entries]

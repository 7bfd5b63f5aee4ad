"""A disk that is full while folders are exchanged: the next round goes on once there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stress.test_kb_disk_full import fill
from tests.support import mounted
from tests.sync.machines import Machine, World, settle

pytestmark = pytest.mark.stress


@pytest.mark.parametrize("room", [0, 160])
def test_a_full_disk_loses_nothing(tmp_path: Path, room: int) -> None:
    """With some room left, it is full at a later step: commit, merge, files."""
    page = "# Tea\n\n" + "".join(f"Line {n} about tea.\n" for n in range(900))
    world = World(tmp_path)
    one = world.machine("one", {"tea.md": page})
    with mounted(tmp_path / "small", "size=6m") as place:
        two = Machine(world.machine("small/two").root)
        one.write("tea.md", page.replace("Line 7 about", "Line 7 on") + "One was here.\n" * 2_000)
        one.sync()
        mine = "Two was here.\n" + page.replace("Line 700 about", "Line 700 on")
        two.write("tea.md", mine)
        ballast = place / "ballast"
        fill(ballast, room * 1024)
        ran = two.quaid("sync")
        assert "Two was here." in two.read("tea.md")
        ballast.unlink()
        assert ran.status or room, "there was room"
        settle([two, one])
        assert one.files == two.files
        assert one.digest == two.digest
        assert {"Two was here.", "Line 7 on tea.", "Line 700 on tea."} <= {*one.read("tea.md").splitlines()}
        assert two.git("status", "--porcelain") == ""

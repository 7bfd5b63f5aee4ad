"""A disk that is full: the write is refused, and the knowledge base is whole again once there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kb.conftest import own_directories
from tests.kb.repositories import World
from tests.support import mounted

pytestmark = pytest.mark.stress
__all__ = ["own_directories"]


@pytest.mark.parametrize("room", [0, 4, 8, 12, 16, 24, 32, 48])
def test_a_full_disk_costs_nothing_but_the_write(tmp_path: Path, room: int) -> None:
    """With some room left, it is full at a later step: file, index, object of git, commit."""
    with mounted(tmp_path / "small", "size=8m") as place:
        kb = World(place).made("kb")
        id = kb.remember("First matter", "Of one kind.", body="word " * 1_500)
        before = kb.now()
        ballast = place / "ballast"
        fill(ballast, room * 1024)
        ran = kb.run("remember", "--update", id, "--append", "--body", "More. " * 1_500)
        ballast.unlink()
        if ran.status:
            assert ran.status in (10, 13), ran.err
            assert kb.run("status").status == 0
        kb.remember("Afterwards", "There is room again.")
        assert kb.changes == ""
        assert kb.ok("lint").out == "sound\n"
        if ran.status:
            assert kb.node(id).read_bytes() == before[1][kb.node(id).name]
        else:
            assert "More." in kb.text(id)


def fill(path: Path, room: int) -> None:
    """Write until nothing goes in any more, and then give back some bytes."""
    size = 0
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                size += file.write(b"\0" * 4096)
        except OSError:
            pass
        file.truncate(max(0, size - room))

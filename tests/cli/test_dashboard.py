"""`quaid dashboard` where there is no memory yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import quick


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The memories for which a server would be started."""
    memories: list[Path] = []

    def run(opening: object, *others: object) -> int:
        memories.append(opening.path())  # type: ignore[attr-defined]
        return 0

    monkeypatch.setattr("quaid.dashboard.listener.run", run)
    return memories


def test_the_persons_memory_is_made_if_there_is_none(started: list[Path], tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for told in (True, False):
        ran = quick("dashboard", "--no-browser", env={"HOME": str(home)}, cwd=tmp_path)
        assert ran.status == 0, ran.err
        assert ("Made a memory" in ran.err) == told
    assert started == [home / ".quaid" / "memory.db"] * 2
    assert started[0].is_file()


def test_a_memory_that_is_named_must_be_there(started: list[Path], tmp_path: Path) -> None:
    ran = quick("dashboard", "--no-browser", db=tmp_path / "none.db", cwd=tmp_path)
    assert f"no memory at {tmp_path / 'none.db'}" in ran.err
    assert ran.status != 0
    assert not started
    assert not (tmp_path / "none.db").exists()

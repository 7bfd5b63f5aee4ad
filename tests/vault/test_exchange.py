"""Taking a file's place only if it is what it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.vault import exchange
from quaid.vault.exchange import take_place


@pytest.fixture(params=["in one step", "by renaming"])
def new(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is to take a place, where the system can exchange files and where it cannot."""
    if request.param == "by renaming":
        monkeypatch.setattr(exchange, "_renamer", lambda: None)
    place = tmp_path / "new"
    place.write_bytes(b"new")
    return place


def test_a_file_that_is_as_it_was_is_replaced(new: Path, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    assert take_place(new, path, b"old")
    assert path.read_bytes() == b"new"
    assert not new.exists()


def test_a_file_that_was_changed_stays(new: Path, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"changed")
    assert not take_place(new, path, b"old")
    assert (path.read_bytes(), new.read_bytes()) == (b"changed", b"new")


def test_a_file_that_is_gone_stays_gone(new: Path, tmp_path: Path) -> None:
    assert not take_place(new, tmp_path / "file", b"old")
    assert not (tmp_path / "file").exists()


def test_a_free_place_is_taken_once(new: Path, tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert take_place(new, path, None)
    assert (path.read_bytes(), path.stat().st_nlink, new.exists()) == (b"new", 1, False)
    new.write_bytes(b"other")
    assert not take_place(new, path, None)
    assert path.read_bytes() == b"new"


def test_what_is_saved_in_the_last_moment_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor saves after the look at the file, and before it is replaced."""
    new, path, beside = tmp_path / "new", tmp_path / "file", tmp_path / "swap"
    new.write_bytes(b"new")
    path.write_bytes(b"old")
    swap, calls = exchange.exchange, []

    def late(one: Path, other: Path) -> bool:
        calls.append(1)
        if len(calls) == 1:
            beside.write_bytes(b"saved")
            beside.replace(path)
        return swap(one, other)

    if not swap(new, path):
        pytest.skip("NOT TESTED: files cannot be exchanged here")
    swap(new, path)
    monkeypatch.setattr(exchange, "exchange", late)
    assert not take_place(new, path, b"old")
    assert (path.read_bytes(), new.read_bytes()) == (b"saved", b"new")

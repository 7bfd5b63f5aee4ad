"""`quaid self-check`: an installation that is whole, and one that is not."""

from __future__ import annotations

import base64
import hashlib
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from quaid.cli.self_check import Faulty, file_count
from quaid.embed import weights
from tests.support import quick


def test_an_installation_that_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    ran = quick("self-check")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == "Everything works."
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_is_missing_is_named_and_stops_no_other_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "PACKAGED", tmp_path)
    ran = quick("self-check", "--json")
    assert ran.status == 11
    checks = {each["name"]: each for each in ran.json["checks"]}
    assert list(checks) == ["files", "sqlite", "models", "memory"]
    assert not checks["models"]["ok"]
    assert "snowflake-arctic-embed-s" in checks["models"]["seen"]
    assert checks["sqlite"]["ok"]


def package(place: Path, **files: str) -> PathDistribution:
    """A package as an installer leaves it, with its list of files."""
    rows = []
    for name, text in files.items():
        (place / f"{name}.py").write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{name}.py,sha256={digest},{len(text)}")
    info = place / "toy-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: toy\nVersion: 1\n")
    (info / "RECORD").write_text("\n".join([*rows, "toy-1.dist-info/RECORD,,"]))
    return PathDistribution(info)


def test_files_are_compared_with_what_was_installed(tmp_path: Path) -> None:
    toy = package(tmp_path, one="1", two="2", three="3")
    assert file_count(toy) == "3 files are as the package lists them"
    (tmp_path / "two.py").write_text("II")
    (tmp_path / "three.py").unlink()
    with pytest.raises(Faulty, match=r"missing or changed: two.py, three.py$"):
        file_count(toy)

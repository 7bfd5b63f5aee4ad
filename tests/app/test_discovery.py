"""Which memory is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.app import find_memory
from quaid.errors import NotFound
from quaid.trust import Trust
from tests.support import quick


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """A memory at each place where one can be, each with a page that says where it is."""
    home = tmp_path / "home"
    here = home / "work" / "deep" / "er"
    paths = {
        "flag": tmp_path / "flag.db",
        "variable": tmp_path / "variable.db",
        "upward": home / "work" / ".quaid" / "memory.db",
        "here": here / "memory.db",
        "user": home / ".quaid" / "memory.db",
    }
    here.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for name, path in paths.items():
        assert quick("init", path).status == 0
        assert quick("put", "where", input=name, db=path).status == 0
    return paths


def test_the_order(places: dict[str, Path]) -> None:
    here = places["here"].parent
    flag, variable = ["--db", str(places["flag"])], {"QUAID_DB": str(places["variable"])}
    assert quick("get", "where", *flag, cwd=here, env=variable).out == "flag"
    assert quick(*flag, "get", "where", cwd=here, env=variable).out == "flag"
    assert quick("get", "where", cwd=here, env=variable).out == "variable"
    assert quick("get", "where", cwd=here).out == "upward"
    places["upward"].unlink()
    assert quick("get", "where", cwd=here).out == "here"
    places["here"].unlink()
    assert quick("get", "where", cwd=here).out == "user"
    places["user"].unlink()
    ran = quick("get", "where", "--json", cwd=here)
    assert (ran.status, ran.error["code"]) == (3, "not_found")
    assert "quaid init" in ran.error["hint"]


def test_the_nearest_directory_upward_wins(tmp_path: Path) -> None:
    home, inner = tmp_path / "home", tmp_path / "a" / "b"
    for directory in (tmp_path / "a", inner):
        (directory / ".quaid").mkdir(parents=True)
        (directory / ".quaid" / "memory.db").touch()
        Trust(home).accept(directory)
    assert find_memory(None, {}, inner / "c", home) == inner / ".quaid" / "memory.db"
    assert find_memory(None, {}, tmp_path / "a", home) == tmp_path / "a" / ".quaid" / "memory.db"


def test_the_users_own_memory_does_not_hide_one_in_the_current_directory(tmp_path: Path) -> None:
    """The home directory is above most others; its .quaid is the last resort, not a project's."""
    (tmp_path / ".quaid").mkdir()
    (tmp_path / ".quaid" / "memory.db").touch()
    project = tmp_path / "project"
    project.mkdir()
    (project / "memory.db").touch()
    Trust(tmp_path).accept(project / "memory.db")
    assert find_memory(None, {}, project, tmp_path) == project / "memory.db"


def test_a_memory_that_is_named_must_exist(tmp_path: Path) -> None:
    assert quick("get", "x", "--db", tmp_path / "no.db").status == 3
    assert quick("get", "x", db=tmp_path / "no.db").status == 3
    assert list(tmp_path.iterdir()) == []


def test_an_empty_variable_is_none(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        find_memory(None, {"QUAID_DB": ""}, tmp_path, tmp_path)


def test_the_home_directory_can_be_abbreviated(tmp_path: Path) -> None:
    assert quick("init", "~/mine.db").status == 0
    assert (tmp_path / "mine.db").is_file()
    assert quick("list", "--db", "~/mine.db").status == 0


def test_init_without_a_path_makes_the_users_memory(tmp_path: Path) -> None:
    ran = quick("init", "--json")
    assert ran.json == {"path": str(tmp_path / ".quaid" / "memory.db"), "created": True}
    assert (tmp_path / ".quaid").stat().st_mode & 0o777 == 0o700
    assert quick("init", "--json").json["created"] is False
    assert quick("list").status == 0


def test_init_refuses_a_file_that_is_no_memory_and_the_home_directory(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n")
    for wrong in (tmp_path / "notes.md", tmp_path):
        assert quick("init", wrong, "--json").error["code"] == "invalid_input"
    assert [path.name for path in tmp_path.iterdir()] == ["notes.md"]


def test_init_of_a_folder_makes_it_a_memory_once(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "A b.md").write_text("# A\n")
    first, again = (quick("init", tmp_path / "notes", "--json").json for _ in range(2))
    assert (first["created"], again["created"]) == (True, False)
    assert first["path"] == again["path"] == str(tmp_path / "notes" / ".quaid" / "memory.db")
    assert [page["slug"] for page in quick("list", "--json", cwd=tmp_path / "notes").json["pages"]] == ["a-b"]

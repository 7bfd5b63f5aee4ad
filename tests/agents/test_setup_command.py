"""`quaid setup` as a person runs it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.support import Ran, quick


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without a memory, in which the program is called as people call it."""
    home = tmp_path / "home"
    home.mkdir()
    program = tmp_path / "bin" / "quaid"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setattr(sys, "argv", ["quaid"])
    monkeypatch.chdir(home)
    return home


def setup(*words: str) -> Ran:
    return quick("setup", *words)


def test_a_memory_is_made_and_the_program_is_absolute(place: Path) -> None:
    done = setup("cursor", "--no-skills")
    assert done.status == 0, done.err
    memory = place / ".quaid/memory.db"
    assert memory.is_file()
    lines = done.out.splitlines()
    assert lines[0] == f"Made a memory: {memory}"
    assert lines[1] == "Cursor"
    assert lines[2].split() == ["added", "server", str(place / ".cursor/mcp.json")]
    assert lines[3].split() == ["added", "hooks", str(place / ".cursor/hooks.json")]
    assert lines[4].startswith("Next, Cursor: ")
    entry = json.loads((place / ".cursor/mcp.json").read_text())["mcpServers"]["quaid"]
    assert entry == {"command": str(place.parent / "bin/quaid"), "args": ["--db", str(memory), "serve"]}
    assert setup("cursor", "--no-skills").out == "Cursor is already set up\n"


def test_a_program_of_another_name_is_run_by_python(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/pytest"])
    setup("cursor")
    entry = json.loads((place / ".cursor/mcp.json").read_text())["mcpServers"]["quaid"]
    assert entry["command"] == sys.executable
    assert entry["args"][:2] == ["-m", "quaid"]
    assert setup("cursor").out == "Cursor is already set up\n"
    assert setup("cursor", "--remove").status == 0
    assert not (place / ".cursor").exists()


def test_a_memory_that_is_named_is_taken_as_a_whole_path(place: Path) -> None:
    assert (
        quick("setup", "zed", "--db", "own.db", "--tools", "core,memory_facts", "--name", "own").status == 0
    )
    entry = json.loads((place / ".config/zed/settings.json").read_text())["context_servers"]["own"]
    assert entry["args"] == ["--db", str(place / "own.db"), "serve", "--tools", "core,memory_facts"]
    assert (place / "own.db").is_file()


def test_several_clients_and_json(place: Path) -> None:
    done = setup("claude-code", "codex", "--json").json
    assert done["memory"] == {"path": str(place / ".quaid/memory.db"), "created": True}
    assert [each["client"] for each in done["clients"]] == ["claude-code", "codex"]
    parts = done["clients"][0]["parts"]
    assert [(part["part"], part["did"]) for part in parts] == [
        ("server", "added"),
        ("hooks", "added"),
        ("skills", "added"),
    ]
    assert done["clients"][1]["next"]
    again = setup("claude-code", "codex", "--json").json
    assert [each["changed"] for each in again["clients"]] == [False, False]


def test_one_broken_client_stops_all_before_the_first_is_touched(place: Path) -> None:
    (place / ".codex").mkdir()
    (place / ".codex/config.toml").write_text("a = = 1\n")
    done = setup("cursor", "codex")
    assert done.status == 2
    assert "config.toml" in done.err
    assert "line 1" in done.err
    assert sorted(os.listdir(place)) == [".codex"]


def test_a_dry_run_shows_the_diff_and_makes_nothing(place: Path) -> None:
    done = setup("gemini", "--dry-run")
    assert done.status == 0
    assert f"+++ {place / '.gemini/settings.json'}" in done.out
    assert '+    "quaid": {' in done.out
    assert done.out.startswith("Would make a memory: ")
    assert done.out.endswith("Nothing was changed.\n")
    assert not list(place.iterdir())


def test_backups_are_named(place: Path) -> None:
    (place / ".claude.json").write_text('{"a": 1}')
    done = setup("claude-code", "--no-hooks", "--no-skills")
    assert f"Before: {place / '.claude.json.quaid-backup'}" in done.out
    assert (place / ".claude.json.quaid-backup").read_text() == '{"a": 1}'


def test_removal_says_what_went(place: Path) -> None:
    setup("codex")
    done = setup("codex", "--remove")
    assert [line.split()[0] for line in done.out.splitlines()] == ["Codex", "removed", "removed", "removed"]
    assert sorted(os.listdir(place)) == [".quaid"]
    assert setup("codex", "--remove").out == "Codex is not set up\n"


def test_removal_makes_no_memory(place: Path) -> None:
    assert setup("codex", "--remove").out == "Codex is not set up\n"
    assert not (place / ".quaid/memory.db").exists()


def test_the_scope_of_a_project(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = place / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert setup("claude-code", "--scope", "project").status == 0
    assert sorted(os.listdir(project)) == [".claude", ".mcp.json"]
    assert not (place / ".claude.json").exists()


def test_the_list(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = place.parent / "bin" / "codex"
    program.write_text("")
    program.chmod(0o755)
    (place / ".gemini").mkdir()
    (place / ".config/zed").mkdir(parents=True)
    (place / ".config/zed/settings.json").write_text("{")
    setup("codex")
    rows = [line.split(maxsplit=3) for line in setup("--list").out.splitlines()]
    assert rows[0] == ["CLIENT", "FOUND", "SET", "UP  CONFIGURATION"]  # `user` is as wide
    by_name = {row[0]: row[1:] for row in rows[1:]}
    assert len(by_name) == 8
    assert by_name["codex"] == ["yes", "user", str(place / ".codex/config.toml")]
    assert by_name["gemini"][:2] == ["yes", "no"]
    assert by_name["cursor"][:2] == ["no", "no"]
    assert by_name["zed"][2] == f"{place / '.config/zed/settings.json'} cannot be read"
    data = {each["client"]: each for each in setup("--list", "--json").json}
    assert data["codex"]["found"] == str(program)
    assert data["codex"]["set_up"] == ["user"]
    assert "problem" in data["zed"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ((), 2, "claude-code"),
        (("claude",), 3, "Did you mean claude-code"),
        (("qqq",), 3, "There are"),
        (("zed", "--name", "a b"), 2, "no name for a server"),
        (("zed", "--name", "../x"), 2, "no name for a server"),
        (("zed", "--tools", "; rm"), 2, "no set of tools"),
        (("zed", "--scope", "world"), 2, "scope must be one of"),
        (("claude-desktop", "--scope", "project"), 2, "project"),
        (("zed", "--db", "."), 2, "is a folder"),
    ],
)
def test_what_cannot_be_is_refused(words: tuple[str, ...], status: int, said: str, place: Path) -> None:
    done = setup(*words)
    assert done.status == status
    assert said in done.err
    assert not list(place.iterdir())

"""The help page and the list of tools."""

from __future__ import annotations

import json
from pathlib import Path

from quaid import __version__, operations
from quaid.cli.commands import COMMANDS
from quaid.cli.overview import SECTIONS
from tests.support import quick


def test_every_command_is_in_one_section() -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted([*operations.NAMES, *(command.name for command in COMMANDS)])


def test_the_help_page_has_a_line_for_each() -> None:
    out = quick("--help").out
    assert quick().out == out
    for names in SECTIONS.values():
        for name in names:
            line = next(line for line in out.splitlines() if line.startswith(f"  {name} "))
            assert len(line) <= 110
            assert len(line.split(maxsplit=len(name.split()))) > 1


def test_tools_as_programs_discover_them() -> None:
    tools = json.loads(quick("--tools-json").raw)
    assert [each["name"] for each in tools] == [
        each.tool for each in operations.operations() if not each.for_people
    ]
    for each in tools:
        assert set(each) == {"name", "description", "inputSchema", "annotations"}
        assert each["name"].isidentifier()
        assert each["description"].endswith(".")
        assert each["inputSchema"]["type"] == "object"
        assert all(isinstance(hint, bool) for hint in each["annotations"].values())
    by_name = {each["name"]: each for each in tools}
    assert by_name["memory_get"]["annotations"]["readOnlyHint"] is True
    assert by_name["memory_rm"]["annotations"]["destructiveHint"] is True
    assert "expected_version" in by_name["memory_put"]["inputSchema"]["required"]
    assert "encoding" not in by_name["memory_put"]["inputSchema"]["properties"]


def test_version() -> None:
    assert quick("--version").out == f"quaid {__version__}\n"
    facts = quick("version", "--json").json
    assert facts["quaid"] == __version__
    assert {"schema", "sqlite", "python"} <= set(facts)


def test_a_group_alone_lists_what_there_is(db: Path) -> None:
    quick("init", db)
    for group in ("skills", "collection", "model", "token", "config"):
        assert quick(group, db=db).raw == quick(group, "list", db=db).raw != b""
    assert "skills doctor" in quick("skills", "--help").err


def test_an_export_goes_into_a_folder_of_that_name(db: Path, tmp_path: Path) -> None:
    quick("init", db)
    quick("put", "tea", input="# Tea\n", db=db)
    assert quick("export", db=db, cwd=tmp_path).out.startswith(f"Exported 1 page to {tmp_path}/export")
    assert quick("call", "memory_export", "{}", db=db, cwd=tmp_path).error["code"] == "invalid_input"

"""What the docs say of a tool's arguments is what it takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quaid import operations
from quaid.operations.arguments import schema

DOCS = Path(__file__).parents[2] / "docs"
BY_TOOL = {each.tool: each for each in operations.tools()}
ROW = re.compile(r"^\| `([a-z_]+)` \| ([^|]*) \|", re.MULTILINE)
# Of every table of the docs in which a tool stands: the file, the tool, and its arguments in words.
ROWS = [
    pytest.param(path.name, name, said, id=f"{path.name}-{name}")
    for path in sorted(DOCS.glob("*.md"))
    for name, said in ROW.findall(path.read_text())
    if name in BY_TOOL and ("`" in said or said.strip() == "none")
]


def test_every_tool_is_in_the_table_of_tools() -> None:
    listed = [name for name, _ in ROW.findall((DOCS / "machines.md").read_text()) if name in BY_TOOL]
    assert sorted(listed) == sorted(BY_TOOL)


@pytest.mark.parametrize(("page", "name", "said"), ROWS)
def test_a_tool_takes_what_the_docs_say(page: str, name: str, said: str) -> None:
    described = schema(BY_TOOL[name].arguments)
    taken = set(described["properties"])
    named = set(re.findall(r"`([a-z_]+)`", said))
    assert named <= taken
    if page == "machines.md":
        optional = set(re.findall(r"\[`([a-z_]+)`\]", said))
        assert (named, named - optional) == (taken, set(described.get("required", ())))

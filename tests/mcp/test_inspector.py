"""The MCP Inspector's command line against `quaid serve`, in strict mode and in each era of the protocol."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.agents.packages import INSPECTOR, needs_npm, path_with
from tests.support import PATIENCE, PROGRAM, Ran, environment, quaid

ALICE = "# Alice\n\nKnows Zoë and 三木.\n"
TOOL_ERROR = 5  # the exit status of the Inspector

pytestmark = [needs_npm, pytest.mark.stress]


@pytest.fixture(params=["legacy", "auto", "modern"])
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def memory(db: Path) -> Path:
    """A memory with one page."""
    assert quaid("put", "people/alice", input=ALICE, db=db).status == 0
    return db


def inspect(db: Path, era: str, method: str, *words: str) -> Ran:
    """Ask a server of its own for one thing."""
    options = ["--cli", "--format", "json", "--protocol-era", era, "--method", method, *words]
    done = subprocess.run(
        ["mcp-inspector", *options, "-e", f"QUAID_DB={db}", "--", PROGRAM, "serve", "--tools", "full"],
        env=environment(db, {"PATH": path_with(INSPECTOR)}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr.decode())


def result(ran: Ran) -> Any:
    assert ran.status == 0, ran.err
    return ran.json["result"]


def test_the_schemas_of_all_tools_are_portable(memory: Path, era: str) -> None:
    ran = inspect(memory, era, "tools/list", "--strict")
    names = [tool["name"] for tool in result(ran)["tools"]]
    assert "memory_put" in names
    assert "memory_gap_approve" in names
    assert "0 errors" in ran.err or not ran.err, ran.err
    assert set(re.findall(r'Warning: tool "(\w+)"', ran.err)) <= {"memory_raw"}, "whose data may be any JSON"


def test_tools_are_called(memory: Path, era: str) -> None:
    found = inspect(memory, era, "tools/call", "--tool-name", "memory_search", "--tool-arg", "query=三木")
    assert [each["slug"] for each in result(found)["structuredContent"]["results"]] == ["people/alice"]
    stale = json.dumps({"slug": "people/alice", "content": "# A", "expected_version": 9})
    refused = inspect(memory, era, "tools/call", "--tool-name", "memory_put", "--tool-args-json", stale)
    assert refused.status == TOOL_ERROR
    assert refused.json["result"]["structuredContent"]["error"]["current_version"] == 1


def test_resources_and_prompts_are_read(memory: Path, era: str) -> None:
    page = inspect(memory, era, "resources/read", "--uri", "memory://pages/people/alice")
    assert result(page)["contents"][0]["text"] == ALICE
    listed = inspect(memory, era, "resources/templates/list")
    assert result(listed)["resourceTemplates"][0]["uriTemplate"] == "memory://pages/{slug}"
    prompt = inspect(memory, era, "prompts/get", "--prompt-name", "memory_ingest_meeting")
    assert "memory_ingest" in result(prompt)["messages"][0]["content"]["text"]

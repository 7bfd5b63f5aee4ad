"""The official conformance suite against the server over HTTP; docs/mcp-conformance.md lists the outcome."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.mcp.agents.packages import CONFORMANCE, needs_npm, path_with
from tests.support import PATIENCE, environment, eventually, listens, quaid

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "mcp-conformance.md"
REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")

# A client that declares nothing can use all of Quaid: what asks something of a client is not there.
NOT_OFFERED = {
    "logging-set-level",
    "tools-call-with-logging",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "resources-subscribe",
    "resources-unsubscribe",
    "server-sse-polling",
    "http-custom-header-server-validation",
}
PREFIXES_NOT_OFFERED = ("input-required-result-", "tasks-", "sep-2640-skills-")

# These need no fixture, so that they are run against a memory as well.
ON_A_MEMORY = {
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "completion-complete",
    "tools-list",
    "server-sse-multiple-streams",
    "resources-list",
    "sep-2164-resource-not-found",
    "prompts-list",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
}


def offered(scenario: str) -> bool:
    return scenario not in NOT_OFFERED and not scenario.startswith(PREFIXES_NOT_OFFERED)


@contextmanager
def served(*memory: str) -> Iterator[str]:
    """The server that the suite is let loose on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.mcp.conformance_server", str(port), *memory]
    process = subprocess.Popen(command, cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL)
    try:
        eventually(lambda: listens(process, port))
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def suite(*words: str) -> str:
    """Run the suite; what it thinks of it all is in the files that it leaves."""
    env = environment(more={"PATH": path_with(CONFORMANCE)})
    done = subprocess.run(
        ["conformance", *words], env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return done.stdout


Checks = list[tuple[str, str]]  # identity and outcome; an identity may come several times


def outcomes(url: str, revision: str, place: Path) -> dict[str, Checks]:
    """What became of each check of each scenario."""
    suite("server", "--url", url, "--suite", "all", "--spec-version", revision, "-o", str(place))
    found = {}
    for checks in place.glob("*/checks.json"):
        name = re.fullmatch(r"server-(.+?)-\d{4}-\d\d-\d\dT.*", checks.parent.name)
        assert name, checks
        found[name[1]] = [(each["id"], each["status"]) for each in json.loads(checks.read_text())]
    return found


def is_passed(checks: Checks) -> bool:
    """Whether something was checked, and all of it is well; a valid form alone says too little."""
    told = {status for check, status in checks if check != "wire-schema-valid"}
    return "SUCCESS" in told and not told & {"FAILURE", "WARNING"}


@needs_npm
@pytest.mark.stress
@pytest.mark.parametrize("revision", REVISIONS)
def test_every_scenario_that_applies_passes(revision: str, tmp_path: Path) -> None:
    with served() as url:
        found = outcomes(url, revision, tmp_path / "results")
    assert len(found) > 25
    failed = {name: checks for name, checks in found.items() if offered(name) and not is_passed(checks)}
    assert failed == {}


@needs_npm
@pytest.mark.stress
@pytest.mark.parametrize("revision", REVISIONS)
def test_a_memory_passes_what_needs_no_fixture(revision: str, tmp_path: Path, db: Path) -> None:
    assert quaid("put", "people/alice", input="# Alice\n", db=db).status == 0
    with served(str(db)) as url:
        found = outcomes(url, revision, tmp_path / "results")
    asked = {name: checks for name, checks in found.items() if name in ON_A_MEMORY}
    assert len(asked) >= 7
    assert {name: checks for name, checks in asked.items() if not is_passed(checks)} == {}


@needs_npm
@pytest.mark.stress
def test_the_documentation_lists_every_scenario() -> None:
    known = set(re.findall(r"^  - ([\w-]+) ", suite("list", "--server"), re.MULTILINE))
    assert len(known) > 60
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (\w[\w ]*?) \|", DOCS.read_text(), re.MULTILINE))
    assert set(rows) == known
    assert {name for name, outcome in rows.items() if outcome == "passed"} == {
        name for name in known if offered(name)
    }

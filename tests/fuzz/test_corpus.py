"""What was once found, or is known to be nasty, is replayed: parsers, HTTP and MCP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fuzz.targets import CORPUS, TARGETS, run
from tests.mcp.talking import talk
from tests.support import quick
from tests.web.serving import running

REQUESTS = sorted((CORPUS / "http").iterdir())
MESSAGES = sorted((CORPUS / "mcp").iterdir())


@pytest.mark.parametrize("name", TARGETS)
def test_no_saved_input_breaks_a_parser(name: str) -> None:
    saved = sorted((CORPUS / name).iterdir())
    assert saved, "it has no inputs"
    for path in saved:
        run(name, path.read_bytes())


def test_every_input_belongs_to_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} == {*TARGETS, "http", "mcp"}


def test_no_saved_request_breaks_the_server(tmp_path: Path) -> None:
    """The first line is method and path, the rest the body."""
    db = tmp_path / "memory.db"
    quick("init", db)
    with running(db) as served:
        for path in REQUESTS:
            line, _, body = path.read_bytes().partition(b"\n")
            method, address = line.decode("latin-1").split(" ", 1)
            answer = served.send(method, address, body, Content_Length=str(len(body)))
            assert answer.status < 500, (path.name, answer)
            assert answer.status < 400 or answer.error["code"], path.name
        assert served.get("/api/stats").status == 200


def test_no_saved_message_breaks_the_protocol(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    quick("init", db)
    with talk(db) as server:
        for path in MESSAGES:
            server.send(path.read_bytes().replace(b"\n", b" "))
        server.send({"jsonrpc": "2.0", "id": "the last", "method": "tools/list"})
        while (answer := server.receive()).get("id") != "the last":
            assert answer["jsonrpc"] == "2.0"
            assert "result" in answer or "error" in answer or "method" in answer, json.dumps(answer)
        assert answer["result"]["tools"]

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.app.tokens import Token, Tokens
from quaid.model.grant import Right
from quaid.web.limits import Limit, Limits
from quaid.web.log import Log
from tests.support import open_memory, quick
from tests.web.serving import Running, rpc, running

LIMIT = Limit(rate=20, at_once=2)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    db = tmp_path_factory.mktemp("tokens") / "memory.db"
    open_memory(db).store.close()
    with running(db) as served:
        served.post("/api/put", slug="tea", content="# Tea\n")
        yield served


def added(server: Running, name: str, can: Right = "read", expires: str = "") -> Running:
    """The server, asked with a new token."""
    secret = Tokens(server.db.parent, server.db).add(Token(name, "", can, expires=expires))
    return server.as_token(secret)


def test_a_token_reads_or_writes_or_owns(server: Running, tmp_path: Path) -> None:
    reader, writer, owner = (added(server, f"r-{can}", can) for can in ("read", "write", "own"))
    for each in (reader, writer, owner):
        assert each.get("/api/get?slug=tea").status == 200
    refused = reader.post("/api/tag", slug="tea", tag="x")
    assert refused.status == 403
    assert "may read" in refused.error["message"]
    assert writer.post("/api/tag", slug="tea", tag="x").status == 200
    assert writer.post("/api/export", directory=str(tmp_path / "out")).status == 403
    assert owner.post("/api/export", directory=str(tmp_path / "out")).status == 200
    assert owner.post("/api/context/approve").status == 404, "there is no notebook"


def test_a_tool_is_called_by_who_may(server: Running) -> None:
    reader = added(server, "mcp-reader")
    names = {each["name"] for each in rpc(reader, "tools/list")["result"]["tools"]}
    assert "memory_get" in names
    assert "memory_put" not in names
    call = {"name": "memory_put", "arguments": {"slug": "x", "content": "# X", "expected_version": 0}}
    refused = rpc(reader, "tools/call", **call)
    assert refused["result"]["structuredContent"]["error"]["code"] == "forbidden"
    written = rpc(added(server, "mcp-writer", "write"), "tools/call", **call)
    assert written["result"]["structuredContent"]["version"] == 1
    assert server.get("/api/history?slug=x").json["versions"][0]["by"] == "test (mcp-writer) 1"


def test_a_token_that_is_revoked_or_expired_opens_nothing(server: Running) -> None:
    guest = added(server, "guest")
    assert guest.get("/api/stats").status == 200
    used = Tokens(server.db.parent, server.db).everything()
    assert next(each for each in used if each.name == "guest").used
    Tokens(server.db.parent, server.db).revoke("guest")
    assert guest.get("/api/stats").status == 401
    old = added(server, "old", expires="2026-01-01T00:00:00Z")
    assert old.get("/api/stats").status == 401


def test_a_token_of_another_memory_opens_nothing(server: Running, tmp_path: Path) -> None:
    secret = Tokens(server.db.parent, tmp_path / "memory.db").add(Token("elsewhere", "", "own"))
    assert server.as_token(secret).get("/api/stats").status == 401


def test_a_list_that_others_could_have_written_is_not_believed(server: Running, tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    open_memory(db).store.close()
    with running(db) as served:
        guest = added(served, "guest")
        assert guest.get("/api/stats").status == 200
        (listed,) = (tmp_path / ".quaid" / "tokens").glob("*.json")
        os.chmod(listed, 0o666)
        os.utime(listed, (1, 1))
        refused = guest.get("/api/stats")
        assert refused.status == 403
        assert refused.error["code"] == "untrusted"
        os.chmod(listed, 0o600)
        listed.write_text("{")
        assert guest.get("/api/stats").status == 403
        assert served.get("/api/stats").status == 200, "the server's own token is not in the list"


def test_who_asks_too_much_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A second that does not pass: a busy machine may answer fewer than twenty requests in one.
    monkeypatch.setattr(Limits.__init__, "__defaults__", (lambda: 0.0,))
    db, log = tmp_path / "memory.db", tmp_path / "log"
    open_memory(db).store.close()
    with running(db, limit=LIMIT, log=Log.open_log(str(log))) as served:
        busy, calm = added(served, "busy"), added(served, "calm")
        answers = [busy.get("/api/stats") for _ in range(60)]
        refused = [each for each in answers if each.status == 429]
        assert refused
        assert refused[0].error["code"] == "limited"
        assert refused[0].headers["retry-after"] == "1"
        assert calm.get("/api/get?slug=a-secret-word").status == 404
        calm.get("/api/stats", Authorization="Bearer nonsense")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {line["token"] for line in lines} == {"busy", "calm", ""}
    last = lines[-2]
    assert (last["operation"], last["status"], last["address"]) == ("get", 404, "127.0.0.1")
    assert last["ms"] >= 0
    assert "secret" not in log.read_text()
    assert oct(log.stat().st_mode & 0o777) == "0o600"


def test_the_commands(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    quick("init", str(db))
    made = quick("token", "add", "laptop", "--can", "write", "--expires", "90d", db=db)
    assert made.out.startswith("quaid_")
    assert "laptop may write until" in made.err
    assert quick("token", "add", "laptop", db=db).status == 4
    for wrong in ("Big Name", "server", "../x", ""):
        assert quick("token", "add", wrong, db=db).status == 2, wrong
    assert quick("token", "add", "a", "--can", "admin", db=db).status == 2
    assert quick("token", "add", "a", "--collection", "nowhere", db=db).status == 3
    assert quick("token", "add", "a", "--can", "own", "--collection", "default", db=db).status == 2
    assert quick("token", "add", "a", "--expires", "2001-01-01", db=db).status == 2
    (only,) = quick("token", "list", "--json", db=db).json["tokens"]
    assert only.items() >= {"name": "laptop", "can": "write", "collections": []}.items()
    assert "never used" in quick("token", "list", db=db).out
    (kept,) = (tmp_path / ".quaid" / "tokens").glob("*.json")
    assert made.out.strip() not in kept.read_text()
    assert oct(kept.stat().st_mode & 0o777) == "0o600"
    assert "laptop" in quick("token", "revoke", "lapdog", db=db).err
    assert quick("token", "revoke", "laptop", db=db).status == 0
    assert quick("token", "list", db=db).out == "There are no tokens.\n"

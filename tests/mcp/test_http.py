from __future__ import annotations

import http.client
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.forked import programs
from tests.mcp.talking import CLIENT
from tests.support import PATIENCE, environment, quaid, quick

TOKEN = "a-token-of-enough-length"
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
GREETING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT})


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    db = tmp_path_factory.mktemp("http") / "memory.db"
    quick("init", db)
    process = subprocess.Popen(
        [programs() / "quaid", "serve", "--http", "--port", "0", "--allow-host", "memory.example.org"],
        stderr=subprocess.PIPE,
        env=environment(db, {"QUAID_TOKEN": TOKEN}),
    )
    guard = threading.Timer(PATIENCE, process.kill)
    guard.start()
    assert process.stderr
    line = process.stderr.readline().decode()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", line)
    assert found, line
    yield int(found[1])
    process.terminate()
    assert process.wait(PATIENCE) in (0, -15)
    guard.cancel()
    process.stderr.close()


def send(port: int, method: str = "POST", body: str = GREETING, **headers: str | None) -> tuple[int, Any]:
    """One request; a header that is None is left out."""
    given: dict[str, str | None] = {"Host": f"127.0.0.1:{port}", "Authorization": f"Bearer {TOKEN}", **ACCEPT}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.putrequest(method, "/mcp", skip_host=True)
    data = body.encode() if method == "POST" else b""
    for name, value in (given | {"Content-Length": str(len(data))}).items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(data)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text) if text.startswith(b"{") else text


def test_it_answers(port: int) -> None:
    status, answer = send(port)
    assert status == 200
    assert answer["result"]["serverInfo"]["name"] == "quaid"


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": None}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
    ],
)
def test_a_request_that_is_not_ours_is_refused(
    port: int, method: str, headers: dict[str, str | None], status: int
) -> None:
    got, answer = send(port, method, **headers)
    assert got == status
    assert answer["error"]["message"]


def test_names_of_this_machine_and_those_that_are_allowed(port: int) -> None:
    for host in (f"localhost:{port}", f"[::1]:{port}", "memory.example.org", f"LOCALHOST:{port}"):
        assert send(port, Host=host)[0] == 200, host
    assert send(port, Origin=f"http://localhost:{port}", Sec_Fetch_Site="same-origin")[0] == 200


def test_only_json_is_accepted(port: int) -> None:
    assert send(port, Content_Type="text/plain")[0] == 415
    assert send(port, Content_Type=None)[0] == 415


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"jsonrpc":"2.0"}', "[" * 100_000])
def test_malformed_bodies(port: int, body: str) -> None:
    status, answer = send(port, body=body)
    assert status == 400
    assert answer["error"]["code"] in (-32700, -32600, -32602)
    assert send(port)[0] == 200


def test_beyond_this_machine_only_with_tls_and_a_token(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    quick("init", str(db))

    def refused(*words: str, token: str = TOKEN) -> str:
        ran = quick("serve", "--http", *words, db=db, env={"QUAID_TOKEN": token})
        assert ran.status in (2, 3), words
        return ran.err

    everywhere = ("--host", "0.0.0.0")
    assert "--behind-proxy" in refused(*everywhere)
    assert "--allow-host" in refused(*everywhere, "--behind-proxy")
    assert "token" in refused(*everywhere, "--behind-proxy", "--allow-host", "a.example", token="")
    assert "16 characters" in refused(token="short")
    assert "token" in refused("--token-file", str(tmp_path / "none"))
    assert "no port" in refused("--port", "99999")
    assert "belong together" in refused("--tls-cert", "x.pem")
    assert "no certificate" in refused("--tls-cert", str(db), "--tls-key", str(db), "--port", "0")
    assert quick("serve", "--port", "9", db=db).status == 2


def test_a_port_that_is_taken(port: int, tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    quick("init", db)
    refused = quaid(
        "serve",
        "--http",
        "--port",
        str(port),
        db=db,
        env={"QUAID_TOKEN": TOKEN},
        program=programs() / "quaid",
    )
    assert refused.status != 0
    assert "--port" in refused.err

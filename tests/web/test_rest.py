from __future__ import annotations

import asyncio
import http.client
import json
import socket

import pytest

from quaid import operations
from quaid.web.listener import listen
from tests.support import quick
from tests.web.serving import TOKEN, Running


def test_a_page_is_written_read_and_found(server: Running) -> None:
    made = server.post("/api/put", slug="people/alice", content="# Alice\n\nShe sails.\n", expected_version=0)
    assert made.status == 200
    assert made.json == {
        "slug": "people/alice",
        "version": 1,
        "created": True,
        "changed": True,
        "problems": [],
    }
    assert made.headers["etag"] == '"1"'
    read = server.get("/api/get?slug=people/alice")
    assert read.json["content"] == "# Alice\n\nShe sails.\n"
    found = server.get("/api/search?query=sails")
    assert [each["slug"] for each in found.json["results"]] == ["people/alice"]
    by_post = server.post("/api/search", query="sails")
    assert by_post.json == found.json


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/get?slug=same", ["get", "same"]),
        ("/api/list?limit=2", ["list", "--limit", "2"]),
        ("/api/query?question=the+harbour", ["query", "the harbour"]),
        ("/api/stats", ["stats"]),
        ("/api/collection/list", ["collection", "list"]),
        ("/api/config/get?key=list.limit", ["config", "get", "list.limit"]),
    ],
)
def test_an_answer_is_what_the_command_line_prints(server: Running, path: str, words: list[str]) -> None:
    server.post("/api/put", slug="same", content="# Same\n\nThe harbour — Zürich.\n", expected_version=0)
    printed = quick(*words, "--json", db=server.db)
    assert json.loads(server.get(path).body) == printed.json


def test_versions_are_etags(server: Running) -> None:
    server.post("/api/put", slug="tea", content="# Tea\n", expected_version=0)
    read = server.get("/api/get?slug=tea")
    assert read.headers["etag"] == '"1"'
    again = server.get("/api/get?slug=tea", If_None_Match='"1"')
    assert (again.status, again.body) == (304, b"")
    changed = server.post("/api/tag", {"If-Match": '"1"'}, slug="tea", tag="green")
    assert changed.json["version"] == 2
    assert server.get("/api/get?slug=tea", If_None_Match='"1"').status == 200
    stale = server.post("/api/tag", {"If-Match": '"1"'}, slug="tea", tag="black")
    assert stale.status == 412
    assert stale.error["code"] == "conflict"
    assert stale.error["current_version"] == 2
    assert server.post("/api/tag", slug="tea", tag="black", page_version=1).status == 409
    assert server.post("/api/graph", slug="tea", output="/tmp/x").status == 400, (
        "an argument of the command line"
    )
    both = server.post("/api/tag", {"If-Match": '"2"'}, slug="tea", tag="x", page_version=1)
    assert "different versions" in both.error["message"]
    assert server.post("/api/tag", {"If-Match": "*"}, slug="tea", tag="x").status == 400
    assert server.post("/api/gap", {"If-Match": '"2"'}, query_text="why").status == 400


def test_a_list_goes_on(server: Running) -> None:
    for name in "abc":
        server.post(
            "/api/put", slug=f"pages/{name}", content="---\ntype: leaf\n---\n# Leaf\n", expected_version=0
        )
    found, path = [], "/api/list?type=leaf&limit=2"
    while path:
        part = server.get(path)
        found += [each["slug"] for each in part.json["pages"]]
        link = part.headers.get("link", "")
        assert not link or link.endswith('>; rel="next"')
        path = link.partition(">")[0].removeprefix("<")
    assert sorted(found) == ["pages/a", "pages/b", "pages/c"]


def test_what_a_person_would_be_told_is_a_header(server: Running) -> None:
    told = server.get("/api/list?type=teapot")
    assert "teapot" in json.loads(told.headers["quaid-notices"])[0]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/api/get?slug=nobody", b"", 404, "not_found"),
        ("GET", "/api/git?slug=nobody", b"", 404, "not_found"),
        ("GET", "/api/", b"", 404, "not_found"),
        ("GET", "/nothing", b"", 404, "not_found"),
        ("GET", "/api/list?limit=many", b"", 400, "invalid_input"),
        ("GET", "/api/list?colour=red", b"", 400, "invalid_input"),
        ("GET", "/api/tag?slug=tea&tag=x", b"", 405, "invalid_input"),
        ("PUT", "/api/get?slug=tea", b"", 405, "invalid_input"),
        ("POST", "/api/get", b"{", 400, "invalid_input"),
        ("POST", "/api/get", b"[]", 400, "invalid_input"),
        ("POST", "/api/get", b"", 400, "invalid_input"),
        ("POST", "/api/get?slug=a", b'{"slug": "b"}', 400, "invalid_input"),
        ("POST", "/api/raw", b'{"slug": "tea", "source": "x", "data": NaN}', 400, "invalid_input"),
        ("POST", "/api/export", b'{"directory": "/tmp"}', 403, "forbidden"),
        ("POST", "/api/context/approve", b"{}", 403, "forbidden"),
    ],
)
def test_errors(server: Running, method: str, path: str, body: bytes, status: int, code: str) -> None:
    refused = server.send(method, path, body)
    assert refused.status == status
    assert refused.error["code"] == code
    assert refused.error["message"]


def test_a_name_that_is_nearly_right(server: Running) -> None:
    assert "timeline-add" in server.post("/api/timeline_add").error["hint"]


def test_methods(server: Running) -> None:
    head = server.send("HEAD", "/api/stats")
    assert (head.status, head.body) == (200, b"")
    assert int(head.headers["content-length"]) > 0
    assert server.send("OPTIONS", "/api/stats").headers["allow"] == "GET, HEAD, POST, OPTIONS"
    assert server.send("OPTIONS", "/api/put").headers["allow"] == "POST, OPTIONS"
    assert server.get("/api/put").headers["allow"] == "POST, OPTIONS"


def test_health_needs_no_token_and_tells_nothing(server: Running) -> None:
    health = server.get("/healthz", Authorization=None)
    assert health.status == 200
    assert set(health.json) == {"ok", "version"}
    assert server.get("/healthz", Authorization=None, Host="evil.example").status == 421


def test_every_operation_has_an_address(server: Running) -> None:
    for name in operations.NAMES:
        answer = server.send("OPTIONS", "/api/" + name.replace(" ", "/"))
        assert answer.status == 204, name


@pytest.mark.parametrize("path", ["/api/list", "/api/put", "/mcp", "/elsewhere"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": None}, 401),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Authorization": "Bearer \u00e9"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_a_request_that_is_not_ours_is_refused(
    server: Running, path: str, headers: dict[str, str | None], status: int
) -> None:
    refused = server.send("POST", path, b"{}", **headers)
    assert refused.status == status
    assert refused.error["message"]


@pytest.mark.parametrize(
    "slug", ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "a/../../b", "%00", "C:%5Cwindows"]
)
def test_a_name_leads_nowhere_else(server: Running, slug: str) -> None:
    assert server.get(f"/api/get?slug={slug}").status in (400, 404)
    assert server.get(f"/api/{slug}").status == 404
    written = server.post("/api/put", slug=slug, content="# X\n", expected_version=0)
    assert written.status == 400


def test_a_body_that_is_nested_without_end(server: Running) -> None:
    deep = b'{"slug": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    assert server.send("POST", "/api/get", deep).status == 400
    nested = b'{"slug": "tea", "source": "x", "page_version": 1, "data": ' + b"[" * 500 + b"]" * 500 + b"}"
    assert server.send("POST", "/api/raw", nested).status == 400


def test_a_body_that_is_too_large(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quaid.web.rest.LARGEST", 1000)
    refused = server.post("/api/get", slug="x" * 2000)
    assert refused.status == 413
    assert refused.error["code"] == "invalid_input"


def test_two_requests_in_one(server: Running) -> None:
    """What two readers could take for different requests is no request."""
    for lengths in (
        "Content-Length: 2\r\nTransfer-Encoding: chunked",
        "Content-Length: 2\r\nContent-Length: 3",
    ):
        with socket.create_connection(("127.0.0.1", server.port), 20) as raw:
            head = f"POST /api/list HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            raw.sendall(f"{head}Authorization: Bearer {TOKEN}\r\n{lengths}\r\n\r\n0\r\n\r\n".encode())
            answer = http.client.HTTPResponse(raw)
            answer.begin()
            assert answer.status in (400, 415), lengths


def test_a_body_that_does_not_come(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quaid.web.gate.PATIENCE", 0.1)
    for path in ("/api/get", "/mcp"):
        with socket.create_connection(("127.0.0.1", server.port), 20) as raw:
            head = (
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
            )
            raw.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
            answer = http.client.HTTPResponse(raw)
            answer.begin()
            assert answer.status == 408, path


def test_a_request_that_never_ends(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quaid.web.listener.HEAD", 0.1)
    with socket.create_connection(("127.0.0.1", server.port), 20) as raw:
        raw.sendall(b"GET /api/list HTTP/1.1\r\nHost: ")
        assert raw.recv(100) == b""


def test_a_small_answer_is_sent_at_once() -> None:
    """Else its end waits for the client to acknowledge its beginning, which takes 40 ms."""

    async def accepted() -> int:
        made: asyncio.Future[socket.socket] = asyncio.get_running_loop().create_future()

        class Protocol(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                made.set_result(transport.get_extra_info("socket"))

        listening = listen("127.0.0.1", 0)
        server = await asyncio.get_running_loop().create_server(Protocol, sock=listening)
        _, writer = await asyncio.open_connection(*listening.getsockname())
        at_once = (await made).getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()
        server.close()
        return at_once

    assert asyncio.run(accepted())

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from quaid.app.tokens import Token, Tokens
from tests.support import PATIENCE, open_memory, quick
from tests.web.serving import Running, running


class Stream:
    """Events as they come."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer

    def next(self) -> tuple[str, str, Any]:
        """The next event: its kind, its id and its data; an empty kind at the end."""
        fields = {"event": "", "id": "", "data": "null"}
        while line := self._answer.readline().decode().rstrip("\n"):
            name, _, value = line.partition(": ")
            fields[name] = value
        return fields["event"], fields["id"], json.loads(fields["data"])

    def change(self) -> Any:
        kind, _, data = self.next()
        assert kind == "change", (kind, data)
        return data


@contextmanager
def listening(server: Running, query: str = "", **headers: str) -> Iterator[Stream]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    token = {"Authorization": f"Bearer {server.token}"}
    connection.request("GET", f"/api/events{query}", headers=token | headers)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    assert answer.headers["content-type"].startswith("text/event-stream")
    try:
        yield Stream(answer)
    finally:
        connection.close()
        answer.close()


def test_changes_of_this_server_of_others_and_of_hands(server: Running, tmp_path: Path) -> None:
    with listening(server) as stream:
        assert stream.next()[0] == "ready"
        server.post("/api/put", slug="tea", content="# Tea\n")
        first = stream.change()
        assert (
            first.items() >= {"page": "tea", "collection": "default", "version": 1, "kind": "created"}.items()
        )
        assert first["actor"] == "token server"
        quick("tag", "tea", "green", db=server.db)
        assert stream.change().items() >= {"page": "tea", "version": 2, "kind": "changed"}.items()
        quick("mv", "tea", "drinks/tea", db=server.db)
        assert stream.change().items() >= {"page": "drinks/tea", "was": "tea", "kind": "moved"}.items()
        quick("rm", "drinks/tea", db=server.db)
        assert stream.change()["kind"] == "removed"
        folder = tmp_path / "notes"
        folder.mkdir()
        (folder / "cup.md").write_text("# Cup\n")
        quick("collection", "add", "notes", str(folder), db=server.db)
        assert stream.change().items() >= {"page": "cup", "collection": "notes", "actor": "edit"}.items()


def test_what_was_missed_is_told(server: Running) -> None:
    with listening(server) as stream:
        _, ready, _ = stream.next()
        server.post("/api/put", slug="one", content="# One\n")
        _, first, _ = stream.next()
        assert int(first) > int(ready)
    server.post("/api/put", slug="two", content="# Two\n")
    server.post("/api/put", slug="three", content="# Three\n")
    with listening(server, **{"Last-Event-ID": first}) as again:
        assert [again.change()["page"] for _ in range(2)] == ["two", "three"]
        kind, last, _ = again.next()
        assert (kind, int(last)) == ("ready", int(first) + 2)
    with listening(server, **{"Last-Event-ID": str(int(last) + 100)}) as lost:
        assert [lost.next()[0] for _ in range(2)] == ["gap", "ready"]


def test_filters_and_tokens(server: Running) -> None:
    app = open_memory(server.db)
    app.new_collection("work")
    app.store.close()
    secret = Tokens(server.db.parent, server.db).add(Token("part", "", "read", ("work",)))
    with (
        listening(server, "?slug=people/") as people,
        listening(server, "?collection=work") as work,
        listening(server.as_token(secret)) as part,
    ):
        for stream in (people, work, part):
            assert stream.next()[0] == "ready"
        for slug in ("default::x", "default::people/ann", "work::y", "work::people/bob"):
            server.post("/api/put", slug=slug, content="# X\n")
        assert [people.change()["page"] for _ in range(2)] == ["people/ann", "people/bob"]
        assert [work.change()["page"] for _ in range(2)] == ["y", "people/bob"]
        assert [part.change()["page"] for _ in range(2)] == ["y", "people/bob"]
        Tokens(server.db.parent, server.db).revoke("part")
        server.post("/api/put", slug="work::z", content="# Z\n")
        assert part.next()[0] == "", "who may ask no longer hears nothing more"
        assert work.change()["page"] == "z"


def test_who_does_not_keep_up_is_told_so(
    server: Running, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("quaid.web.feed.WAITING", 3)
    for number in range(10):
        (tmp_path / f"page{number}.md").write_text(f"# Page {number}\n")
    with listening(server) as stream:
        assert stream.next()[0] == "ready"
        quick("import", str(tmp_path), db=server.db)
        assert [stream.next()[0] for _ in range(2)] == ["gap", ""]


@pytest.mark.parametrize(("query", "last"), [("?colour=red", "1"), ("", "x"), ("", "9" * 30), ("", "-1")])
def test_what_is_no_request_for_events(server: Running, query: str, last: str) -> None:
    assert server.get(f"/api/events{query}", Last_Event_ID=last).status == 400


def test_it_beats_and_ends_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quaid.web.events.BEAT", 0.05)
    db = tmp_path / "memory.db"
    open_memory(db).store.close()
    with running(db) as served:
        assert served.post("/api/events").status == 405
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
        connection.request("GET", "/api/events", headers={"Authorization": f"Bearer {served.token}"})
        answer = connection.getresponse()
        assert Stream(answer).next()[0] == "ready"
        assert answer.readline() == b":\n"
    rest = answer.read()
    assert rest.replace(b":\n\n", b"").strip() == b""
    connection.close()

"""A token that is about one collection: nothing of the others is seen, by no operation, nor written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quaid.app.tokens import Token, Tokens
from quaid.operations.confinement import ALLOWED
from tests.support import call, dump, open_memory, quick
from tests.web.serving import Running, rpc, running

SECRET = "zanzibar"
TEXT = """---
title: {title}
type: person
tags: [{tag}]
summary: about {tag}
links:
  - {{to: {other}, relationship: knows}}
assertions:
  - {{subject: {slug}, predicate: lives_in, object: {tag}}}
actions: []
---
# {title}

The harbour of {tag}, and [[{other}]].

---

- 2026-01-02 | {tag} met [[{other}]]
"""
READS: list[tuple[str, dict[str, Any]]] = [
    ("get", {"slug": "alice"}),
    ("get", {"slug": "bob"}),
    ("get", {"slug": "shared"}),
    ("get", {"slug": "hidden::shared"}),
    ("get", {"slug": "hidden::bob"}),
    ("get", {"slug": "bobb"}),
    ("list", {}),
    ("list", {"collection": "hidden"}),
    ("list", {"collection": "hiden"}),
    ("list", {"tag": SECRET}),
    ("list", {"removed": True}),
    ("search", {"query": "harbour"}),
    ("search", {"query": SECRET}),
    ("search", {"query": "zanzi*"}),
    ("query", {"question": "harbour"}),
    ("query", {"question": f"who lives in {SECRET}?"}),
    ("query", {"question": "bob"}),
    ("query", {"question": "harbour", "collection": "hidden"}),
    ("history", {"slug": "alice"}),
    ("history", {"slug": "bob"}),
    ("diff", {"slug": "bob"}),
    ("diff", {"slug": "alice"}),
    ("tags", {}),
    ("tags", {"slug": "bob"}),
    ("timeline", {"slug": "bob"}),
    ("timeline", {"slug": "alice"}),
    ("links", {"slug": "alice"}),
    ("links", {"slug": "bob"}),
    ("backlinks", {"slug": "alice"}),
    ("backlinks", {"slug": "bob"}),
    ("graph", {"slug": "alice", "depth": 3}),
    ("path", {"from": "alice", "to": "bob"}),
    ("related", {"slug": "alice"}),
    ("orphans", {}),
    ("facts", {}),
    ("facts", {"subject": "bob"}),
    ("facts", {"object": SECRET}),
    ("due", {}),
    ("recall", {"query": "harbour"}),
    ("notebook read", {"path": "lists/x.md"}),
    ("notebook list", {}),
    ("collection list", {}),
    ("collection info", {"name": "hidden"}),
    ("collection info", {"name": "open"}),
    ("kb query", {"question": "harbour"}),
    ("kb show", {"name": "bob"}),
    ("kb backlinks", {"name": "bob"}),
]
WRITES: list[tuple[str, dict[str, Any]]] = [
    ("put", {"slug": "hidden::bob", "content": "# X\n"}),
    ("tag", {"slug": "bob", "tag": "x"}),
    ("untag", {"slug": "hidden::bob", "tag": SECRET}),
    ("timeline-add", {"slug": "bob", "date": "2026-01-01", "summary": "x"}),
    ("link", {"from": "bob", "to": "alice"}),
    ("link", {"from": "alice", "to": "bob"}),
    ("unlink", {"from": "bob", "to": "alice", "relationship": "knows"}),
    ("rm", {"slug": "bob"}),
    ("restore", {"slug": "gone"}),
    ("revert", {"slug": "bob"}),
    ("raw", {"slug": "bob", "source": "x", "data": {"a": 1}}),
    ("raw", {"slug": "bob"}),
    ("assert", {"subject": "bob", "predicate": "is", "object": "x", "page": "bob"}),
    ("assert", {"subject": "bob", "predicate": "is", "object": "x"}),
    ("new", {"type": "person", "slug": "hidden::new"}),
    ("remember", {"content": "buy milk"}),
    ("daily-log", {"entry": "x"}),
    ("notebook write", {"path": "lists/x.md", "content": "x"}),
    ("kb remember", {"title": "x", "summary": "x", "body": "x"}),
    ("kb capture", {"source": "x", "excerpt": "x"}),
]


def page(slug: str, tag: str, other: str) -> str:
    return TEXT.format(title=slug.title(), tag=tag, other=other, slug=slug)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("confined")
    db = folder / "memory.db"
    app = open_memory(db)
    for collection, slug, tag, other in (
        ("open", "alice", "lisbon", "hidden::bob"),
        ("open", "carol", "porto", "alice"),
        ("open", "shared", "lisbon", "alice"),
        ("hidden", "bob", SECRET, "open::alice"),
        ("hidden", "shared", SECRET, "bob"),
        ("hidden", "gone", SECRET, "bob"),
    ):
        app.new_collection(collection)
        call(app, "put", slug=f"{collection}::{slug}", content=page(slug, tag, other))
    call(app, "put", slug="hidden::bob", content=page("bob", SECRET, "open::alice") + "\nMore.\n")
    call(app, "put", slug="open::alice", content=page("alice", "lisbon", "hidden::bob") + "\nMore.\n")
    call(app, "rm", slug="hidden::gone")
    call(app, "check", all=True)
    call(app, "embed")
    app.store.close()
    with running(db) as served:
        secret = Tokens(folder, db).add(Token("part", "", "write", ("open",)))
        yield served.as_token(secret)


@pytest.mark.parametrize(("name", "values"), READS)
def test_nothing_else_is_seen(server: Running, name: str, values: dict[str, Any]) -> None:
    answer = server.post("/api/" + name.replace(" ", "/"), **values)
    assert answer.status in (200, 404), answer.body
    assert json.loads(answer.body)
    told = answer.body.decode() + answer.headers.get("quaid-notices", "")
    asked = json.dumps(values) + "hidden::bob"  # alice's own text names it
    for word in (SECRET, "hidden", "bob"):
        assert word in asked or word not in told.lower(), told


def test_what_is_in_it_is_found(server: Running) -> None:
    assert server.get("/api/get?slug=shared").json["collection"] == "open"
    assert {each["slug"] for each in server.get("/api/list").json["pages"]} >= {"alice", "carol", "shared"}
    for path in ("/api/search?query=harbour", "/api/query?question=harbour"):
        assert {each["slug"] for each in server.get(path).json["results"]} >= {"alice", "carol", "shared"}
    assert [each["name"] for each in server.get("/api/collection/list").json["collections"]] == ["open"]
    assert server.get("/api/backlinks?slug=alice").json["links"]
    assert len(server.get("/api/history?slug=alice").json["versions"]) == 2


def test_nothing_else_is_written(server: Running) -> None:
    before = hidden_pages(server.db)
    for name, values in WRITES:
        answer = server.post("/api/" + name.replace(" ", "/"), **values)
        assert answer.status < 500, (name, answer.body)
        told = answer.body.decode().lower()
        assert SECRET not in told, (name, told)
        assert hidden_pages(server.db) == before, (name, values)


def hidden_pages(db: Path) -> Any:
    rows = dump(db)
    hidden = next(each[0] for each in rows["collections"] if each[1] == "hidden")
    ids = {each[0] for each in rows["pages"] if each[1] == hidden}
    owned = {
        name: [each for each in rows[name] if each[1] in ids] for name in ("tags", "links", "assertions")
    }
    return [each for each in rows["pages"] if each[1] == hidden], owned


def test_what_is_in_it_is_written(server: Running) -> None:
    made = server.post("/api/put", slug="new", content="# New\n")
    assert made.json["created"]
    assert server.get("/api/get?slug=new").json["collection"] == "open"
    assert server.post("/api/tag", {"If-Match": '"1"'}, slug="new", tag="x").json["version"] == 2
    assert server.post("/api/put", slug="bob", content="# Another Bob\n").json["created"]
    assert server.get("/api/get?slug=bob").json["collection"] == "open"
    assert server.post("/api/rm", slug="bob").status == 200
    assert server.post("/api/restore", slug="bob").status == 200
    assert server.post("/api/rm", slug="bob").status == 200


def test_what_tells_of_the_whole_memory_is_refused(server: Running) -> None:
    for name, values in (
        ("stats", {}),
        ("briefing", {}),
        ("gaps", {}),
        ("conversations/list", {}),
        ("check", {}),
    ):
        refused = server.post(f"/api/{name}", **values)
        assert refused.error["code"] == "forbidden", name
    assert {name for name, _ in READS + WRITES} == ALLOWED, "each that is allowed is tried above"
    assert server.post("/api/put", slug="x", content="# X\n", check_novelty=True).status == 400


def test_a_collection_that_is_gone_shows_nothing(server: Running) -> None:
    secret = Tokens(server.db.parent, server.db).add(Token("lost", "", "read", ("nowhere",)))
    assert server.as_token(secret).get("/api/list").json["pages"] == []


def test_resources_and_prompts(server: Running) -> None:
    assert "alice" in json.dumps(rpc(server, "resources/read", uri="memory://index"))
    for method, params in (
        ("resources/list", {}),
        ("resources/read", {"uri": "memory://index"}),
        ("resources/read", {"uri": "memory://context"}),
        ("resources/read", {"uri": "memory://pages/hidden::bob"}),
        ("prompts/get", {"name": "memory_briefing"}),
        ("prompts/get", {"name": "memory_context"}),
        (
            "completion/complete",
            {
                "ref": {"type": "ref/resource", "uri": "memory://pages/{slug}"},
                "argument": {"name": "slug", "value": "g"},
            },
        ),
    ):
        told = json.dumps(rpc(server, method, **params))
        assert SECRET not in told, method
        assert "gone" not in told, method


def test_files_are_looked_at_and_written(tmp_path: Path) -> None:
    db, folder = tmp_path / "memory.db", tmp_path / "notes"
    folder.mkdir()
    (folder / "tea.md").write_text("# Tea\n")
    quick("init", str(db))
    quick("collection", "add", "notes", str(folder), db=db)
    with running(db) as served:
        secret = Tokens(tmp_path, db).add(Token("part", "", "write", ("notes",)))
        part = served.as_token(secret)
        assert part.get("/api/get?slug=tea").json["content"] == "# Tea\n"
        (folder / "tea.md").write_text("# Tea\n\nGreen.\n")
        read = part.get("/api/get?slug=tea")
        assert read.json["content"] == "# Tea\n\nGreen.\n"
        assert part.post("/api/tag", {"If-Match": read.headers["etag"]}, slug="tea", tag="x").status == 200
        assert "x" in (folder / "tea.md").read_text()
        assert part.post("/api/put", slug="cup", content="# Cup\n").json["created"]
        assert (folder / "cup.md").read_text() == "# Cup\n"
        assert served.post("/api/put", slug="default::pot", content="# Pot\n").json["created"]
        assert part.get("/api/get?slug=pot").status == 404
